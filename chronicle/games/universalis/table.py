"""Around the table: whose turn it is, who pays what, who and what a name means.

These are the helpers that the chapters share; each rule itself has its one place in a chapter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Finding, Strictness, plural
from chronicle.core.fix import Fix, SetKey, add_entry, drop_key, make_fix
from chronicle.core.gaps import SOMEBODY
from chronicle.core.kinds import unrecorded
from chronicle.core.ledger import UNEXPLAINED
from chronicle.core.names import Named, fold
from chronicle.core.references import Condition, ReferenceTarget, meant_by, refer
from chronicle.core.reporter import once_numbered
from chronicle.core.source import Place, ScalarNode
from chronicle.games.universalis.answers import CARD, Bar
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    BANK,
    CHARACTER,
    COIN,
    COMPONENT_KINDS,
    Charge,
    Complication,
    Component,
    FactNote,
    Purse,
    SceneState,
    Stage,
)

# --- Coins ----------------------------------------------------------------------------------------------


T = TypeVar("T")

ELSEWHERE: Final = frozenset(
    ("buy", "eliminate", "end gimmick", "gimmick", "interrupt", "protect", "take over", "tenet")
)
"""What of a turn's prices builds no scene (S8); most others do."""


def charge(
    play: Table,
    what: str,
    rule: str,
    why: str = "",
    times: int = 1,
    *,
    component: Component | None = None,
    sort: str = "",
    amount: int | None = None,
    player: str = "",
    target: str = BANK,
) -> None:
    """Put a price on the bill of the entry at work; :func:`settle` pays it when the handler is done.
    ``sort`` says what the Coins are spent on where that is not what the price is mostly for."""
    if play.given:
        return
    state = play.state
    who = player or play.step.player
    rule = state.points.priced_by(play, what, component) or rule
    if amount is None:
        amount = times * state.points.price(play, what, who, component)
    if amount > 0:
        on = component.id if component is not None else ""
        sort = sort or ("turn" if what in ELSEWHERE else "scene")
        state.charges.append(Charge(who, amount, rule, why, sort, target, what, on))


def charge_traits(
    play: Table, component: Component, copies: int, rule: str = "U4.3", sort: str = ""
) -> None:
    """Put so many copies of its Traits on the bill, as one purchase."""
    amount = play.state.points.traits_price(play, component, copies)
    why = f"Traits of {component.name}"
    charge(play, "trait", rule, why, component=component, sort=sort, amount=amount)


def settle(play: Table, action: Action) -> None:
    """Pay the bill of an entry. What the table says it paid is checked, and then it is what was paid."""
    state = play.state
    charges = state.charges
    stated = getattr(action, "coins", None)
    if stated is not None and not play.given and state.settled_step != play.step.index:
        state.settled_step = play.step.index
        _check_stated(play, stated, charges)
    if getattr(action, "cards", ()):
        play.require(
            state.points.die(play).name == CARD,
            "UA.14",
            "cards pay nothing at a table of Coins and dice",
            at="cards",
            fix=drop_key("cards"),
            help="or adopt one of the add-ons with cards",
        )
    if not charges:
        return
    state.charges = []
    here = state.here
    for due in charges:
        if not due.player and play.is_actor_unrecorded:
            # Nobody's purse: whoever was not counted since may have less.
            play.move(SOMEBODY, due.target, due.amount, COIN, due.rule, due.why)
            play.unrecorded(f"{SOMEBODY}:{COIN}")
            continue
        for payer, amount in state.points.payers(play, due.player, due.amount):
            _pay_out(play, payer, amount, due, action)
        if here is not None:
            here.spent[due.player] = here.spent.get(due.player, 0) + due.amount
            here.cost += due.amount
            if here.framing:
                here.framing_cost += due.amount


def _check_stated(play: Table, stated: int, charges: list[Charge]) -> None:
    total = sum(due.amount for due in charges)
    if stated == total:
        return
    code = charges[0].rule if charges else "U1.6"
    if stated < 0:
        play.unreadable("U1.2", f"{stated} is no number of Coins", at="coins")
        return
    # A cited Gimmick may ask another price.
    play.report(
        Finding.BOOKKEEPING,
        code,
        f"this costs {plural(total, 'Coin')}, not {stated}",
        at="coins",
        label=f"computed: {total}",
        fix=(
            drop_key("coins"),
            make_fix(
                SetKey("allow", f"{{{code}: ...}}"), when="if the table accepts it", is_open=True
            ),
        ),
        help="or cite the Gimmick that changes the price:  under: ID",
    )
    # The log wins: the table paid what it says it paid.
    doubt_purses(play, {due.player for due in charges} or {play.step.player})
    difference = stated - total
    if difference > 0:
        who = charges[0].player if charges else play.step.player
        charges.append(Charge(who, difference, code, "as the table paid", "turn"))
    for due in charges:
        if difference >= 0:
            break
        cut = min(due.amount, -difference)
        due.amount -= cut
        difference += cut


def _pay_out(play: Table, player: str, amount: int, due: Charge, action: Action) -> None:
    """Pay from a player's purses, in the order that the rules (or the entry) say."""
    if amount <= 0 or not player:
        return  # where nobody is named, the record does not say who pays
    target, rule, why = due.target, due.rule, due.why
    accounts = play.state.points.purses(play, player, due.sort, due)
    word = getattr(action, "purse", None)
    if word is not None:
        accounts = _from_purse(play, action, player, word, due.sort, accounts)
    for account in accounts[:-1]:
        part = min(max(play.balance(account, COIN), 0), amount)
        if part:
            play.move(account, target, part, COIN, rule, why)
            amount -= part
    if not amount:
        return
    last = accounts[-1]
    has = play.balance(last, COIN)
    if has < amount and _unrecorded(play):
        play.move(BANK, last, amount - has, COIN, "U6.25", "the roll is not recorded")
        has = amount
    if has >= amount:
        play.move(last, target, amount, COIN, rule, why)
        return
    code, coin = play.state.points.shortage(play, last)
    purse = coin if has == 1 else coin.replace("Coin", "Coins", 1)
    play.pay(
        last,
        target,
        amount,
        COIN,
        rule,
        why,
        code=code,
        message=f"{player} has {has} {purse} left and pays {amount}",
        help="check the Coins:  - assert: {wealth: {" + player + ": ...}}",
    )


def _from_purse(
    play: Table, action: Action, player: str, word: ScalarNode, sort: str, accounts: list[str]
) -> list[str]:
    """A player's accounts in the order in which they pay where the entry names a purse."""
    points = play.state.points
    named = points.named_purses(play, player).get(fold(word), "")
    if named in accounts:
        return sorted(accounts, key=lambda account: account != named)
    if named:
        bar = points.bars_purse(play, player, fold(word))
        if bar is not None:
            nothing_bars(play, bar, action.place("purse"))
        elif sort != "challenge" and not named.startswith(("wealth:", "bid:")):
            return [named, *accounts]
    return accounts


def _unrecorded(play: Table) -> bool:
    purses = play.state.purses
    if not purses:
        return False
    pool = play.state.complications[purses[-1].complication - 1].pools.get(purses[-1].player)
    return pool is not None and pool.unknown


def doubt_purses(play: Table, players: Iterable[str]) -> None:
    """Put the Coins of some players in doubt because of the last finding of this entry."""
    for player in players:
        play.taint(f"wealth:{player}", f"bonus:{player}")


def income(play: Table, source: str, player: str, amount: int, rule: str, why: str) -> None:
    """Coins for a player's Wealth. Whoever owes a loan pays it back from them at once (UG.2)."""
    play.move(source, f"wealth:{player}", amount, COIN, rule, why)
    for debt in play.state.debts:
        if debt.debtor == player and debt.owed and amount > 0:
            back = min(debt.owed, amount)
            lender = f"wealth:{debt.lender}" if debt.lender else UNEXPLAINED
            play.move(f"wealth:{player}", lender, back, COIN, "UG.2", "loan paid back")
            debt.owed -= back
            debt.paid_step = play.step.index if play.current is not None else 0
            amount -= back
            play.event(
                f"{player} pays {plural(back, 'Coin')} back to {debt.lender or 'somebody'}",
                "UG.2",
                "repays",
            )


# --- names --------------------------------------------------------------------------------------------


def find_all(play: Table, word: ScalarNode, *, how: str = "") -> list[Component]:
    """The Components that a name means: one, or all of a plural (General 1, General 2 ...). ``how`` says
    the entry that makes it, where that is not the introduction of a character."""
    state = play.state
    group = state.groups.get(fold(word)) if state.groups else None
    named = play.names.exactly(word) if group else ()
    if group and not any(id in state.components for id in named):
        alive = [state.components[id] for id in group if not state.components[id].struck]
        if alive:
            return alive
    found = play.names.find(word, COMPONENT_KINDS)
    if isinstance(found, Named):
        return [state.components[found.id]]
    key = f"name:{fold(word)}"
    elsewhere = state.points.elsewhere(play, word)
    if elsewhere is not None:
        play.taint(key)
        return [elsewhere]
    if found.candidates or found.message or unrecorded(word):
        meant = play.find(word, COMPONENT_KINDS, "Component")
        return [state.components[meant.id]] if meant is not None else []
    play.illegal(
        "U4.2",
        f"'{word}' is used, but no Trait was ever bought for it",
        at=word,
        fix=add_entry(how) if how else add_entry(f"introduce: {{character: {word}}}"),
        after=(key,),
    )
    play.taint(key)
    return [placeholder(play, str(word))]


def find_each(play: Table, words: Iterable[ScalarNode]) -> Iterator[tuple[ScalarNode, Component]]:
    """Every Component that some names mean, one after the other, each with its name."""
    for word in words:
        for component in find_all(play, word):
            yield word, component


def find_one(play: Table, word: ScalarNode, *, how: str = "") -> Component | None:
    """One Component; a plural that means several is an error."""
    found = find_all(play, word, how=how)
    if len(found) > 1:
        names = ", ".join(component.name for component in found)
        play.unreadable("T50", f"'{word}' means several: {names}", at=word, help="name one of them")
        return None
    return found[0] if found else None


def placeholder(play: Table, name: str) -> Component:
    """Something that was used before it existed, so that play can go on."""
    component = register(play, CHARACTER, name)
    component.placeholder = component.open_list = True
    return component


def register(play: Table, kind: str, name: str) -> Component:
    """A new Component under a name of its own (numbered if the name is taken)."""
    state = play.state
    label, count = name, 1
    while fold(label) in state.taken:
        count += 1
        label = f"{name} {count}"
    state.taken.add(fold(label))
    id = f"c{len(state.components) + 1}"
    here = state.here
    component = Component(
        id,
        kind,
        label,
        play.step.index,
        here.number if here is not None else 0,
        play.step.player,
        creating_turn=state.turn_number,
    )
    state.components[id] = component
    play.names.add(id, kind, label)
    return component


def note(
    play: Table, id: ScalarNode | None, mint: str, text: str, kind: str, scope: str, **more: Any
) -> FactNote:
    """A paid statement, noted under the id that it was given, or else one that is minted; but for a fate
    it hangs on the scene at hand as well."""
    state, here = play.state, play.state.here
    key = str(id) if id is not None else play.mint(mint)
    number = here.number if here is not None else 0
    step = play.step
    fact = FactNote(key, text, kind, scope, number, step.index, step.player, **more)
    state.facts[key] = fact
    if here is not None and kind != "fate":
        here.facts.append(fact)
    return fact


def last_event(here: SceneState) -> FactNote | None:
    """The last thing that happened in a scene."""
    return next((f for f in reversed(here.facts) if f.kind == "event" and not f.struck), None)


def _earlier(fact: FactNote) -> ReferenceTarget[FactNote]:
    return ReferenceTarget(fact.id, fact.text, fact.step, fact)


def event_meant(
    play: Table,
    here: SceneState,
    word: ScalarNode,
    rule: str,
    further: Condition[FactNote],
    *,
    applies: bool = False,
) -> FactNote | None:
    """The Event of the scene at hand that a word means. Another meaning is reported, and with
    ``applies`` it is used all the same."""
    now = [_earlier(f) for f in here.facts if f.kind == "event" and not f.struck]
    every = (_earlier(f) for f in play.state.facts.values() if f.kind == "event")
    last = last_event(here)
    meant = refer(
        play,
        word,
        now if meant_by(str(word), now, once_numbered(word)) else every,
        "Event",
        rule,
        last=_earlier(last) if last is not None else None,
        conditions=(
            Condition(lambda fact: not fact.struck, rule, "this Event was struck"),
            Condition(
                lambda fact: fact.scene == here.number,
                rule,
                "this Event belongs to a scene that is over",
                "it is about what has just been told in the scene at hand",
            ),
            further,
        ),
        finding=Finding.ILLEGAL,
        keep_unfit=applies,
    )
    return meant.target if meant is not None else None


def fact_holds(play: Table, fact: FactNote) -> bool:
    """Whether a Fact is in force: it was neither struck nor replaced by another one that stands (U3.54)."""
    by = fact.replaced_by
    return not fact.struck and not (by and not play.steps[by - 1].struck)


def players_in(play: Table, words: Iterable[ScalarNode]) -> list[str]:
    """The players that some names mean; what means nobody is reported and left out."""
    return [name for name in (play.player(word) for word in words) if name]


def of_players(play: Table, said: Mapping[ScalarNode, T]) -> Iterator[tuple[ScalarNode, str, T]]:
    """What is said of each player, with the name for them; what means nobody is reported and left out."""
    for word, one in said.items():
        player = play.player(word)
        if player:
            yield word, player, one


def nothing_bars(play: Table, bar: Bar | None, where: Place | ScalarNode | None = None) -> bool:
    """Report what stands in the way of an act, if anything does."""
    if bar is None or play.given:
        return True
    return play.illegal(
        bar.rule,
        bar.message,
        at=where,
        facts=play.facts(bar.step, bar.since),
        fix=bar.fixes,
        help=bar.help,
        subject=bar.subject,
    )


# --- scenes, presence, Control ----------------------------------------------------------------------


def controller(play: Table, component: Component) -> str:
    """Who Controls a Component in the scene at hand; empty if nobody does."""
    here = play.state.here
    return here.control.get(component.id, "") if here is not None else ""


def note_control(
    play: Table, here: SceneState, component: Component, player: str, how: str
) -> None:
    """A player Controls a Component from now on, whoever did before. After a gap it is certain only where the
    log says whose turn it is, or who acts."""
    here.control[component.id] = player
    component.control.append((play.step.index, here.number, player, how))
    if player and (play.step.action.by is not None or not lost_turn(play)):
        play.count(f"control:{component.id}")


def gain_control(
    play: Table, here: SceneState, component: Component, player: str, how: str
) -> None:
    """Control passes to a player; linked possessions come along unless committed (U4.23, S74)."""
    state = play.state
    player = state.points.keeper(play, component, player)
    note_control(play, here, component, player, how)
    for id in component.owns:
        item = state.components[id]
        if id in here.present and not item.eliminated and not is_committed(play, item):
            gain_control(play, here, item, player, f"with {component.name}")


def enter(play: Table, here: SceneState, component: Component, player: str, how: str) -> None:
    """A Component comes into the scene, with what it owns (U4.21); the introducer Controls it (U3.24)."""
    state = play.state
    player = state.points.keeper(play, component, player)
    here.present[component.id] = play.step.index
    here.entries.append((play.step.index, component.id, how))
    play.timeline.get(here.number).enters(component.id)
    note_control(play, here, component, player, how)
    for id in component.owns:
        item = state.components[id]
        if id in here.present:
            if here.control.get(id) != player and not is_committed(play, item):
                gain_control(play, here, item, player, f"with {component.name}")
        elif available(play, item, here):
            comes_along(play, here, item)
            enter(play, here, item, player, f"with {component.name}")
            play.event(f"Enter {item.name} with {component.name}, free", "U4.21", "enters", item.id)
    for add_on in state.add_ons:
        add_on.entered(play, here, component)


def comes_along(play: Table, here: SceneState, item: Component) -> None:
    """Whoever has a say in whether something comes into a scene has it also where it comes in free, with
    its owner."""
    points = play.state.points
    if here is points.entered_scene(play, here, item):
        agreed = players_in(play, getattr(play.step.action, "agreed_by", ()))
        nothing_bars(play, points.bars_entry(play, play.step.player, item, agreed))


def leave(play: Table, here: SceneState, component: Component, how: str) -> None:
    """A Component is in the scene no longer; what it owns goes too (S62)."""
    here.present.pop(component.id, None)
    here.control.pop(component.id, None)
    here.entries.append((play.step.index, component.id, how))
    if here.location == component.id:
        here.left_places[component.id] = play.step.index
    if how == "leaves":
        for id in component.owns:
            if id in here.present:
                leave(play, here, play.state.components[id], "leaves")


def available(play: Table, component: Component, here: SceneState) -> bool:
    """Whether story time allows a Component in a scene: not after its Elimination (U4.37)."""
    if not component.turnings:
        return True
    if not here.number:  # no scene is open: the next may be at any time
        return True
    timeline = play.timeline
    gone = False
    for turning in component.turnings:
        # What happened outside any scene (number 0) holds for all of them.
        same = turning.scene in (0, here.number)
        if turning.kind == "eliminated":
            gone = gone or same or timeline.is_before(turning.scene, here.number)
        elif same or not timeline.is_before(here.number, turning.scene):
            gone = False
    return not gone


def holed(play: Table, here: SceneState) -> bool:
    """Whether the record of a scene has a hole, so that it does not say all."""
    return here.unsure or play.gap > here.step


def is_here(play: Table, here: SceneState, component: Component) -> bool:
    """Whether a Component is in the scene. Where the record has a hole it may have come in there:
    being named is then enough."""
    if component.id in here.present:
        return True
    if not holed(play, here) or component.master or component.eliminated:
        return False
    here.present[component.id] = play.step.index
    here.entries.append((play.step.index, component.id, "is there, as it seems"))
    play.timeline.get(here.number).enters(component.id)
    return True


def since(component: Component, here: SceneState) -> int:
    """The step at which Control of a Component last passed in a scene; 0 if the record does not say."""
    for step, scene, _, _ in reversed(component.control):
        if scene == here.number:
            return step
    return 0


def holder_of(play: Table, here: SceneState, component: Component) -> str:
    """Who Controls a Component, as far as the record says: a hole may have changed it."""
    holder = here.control.get(component.id, "")
    if holder and play.gap and play.gap > since(component, here):
        return ""
    return holder


def is_committed(play: Table, component: Component) -> int:
    """The step that tied a Component into a running Complication (U6.8); 0 if none did."""
    state = play.state
    for number in state.running:
        step = state.complications[number - 1].committed.get(component.id)
        if step:
            return step
    return 0


def hold_committed(play: Table, component: Component, word: ScalarNode | None) -> None:
    """What is tied into a running Complication stays where it is, but for Bonus Coins (U6.8)."""
    step = is_committed(play, component)
    if step and not play.state.purses:
        locked = play.ruling("committed leaves") == "locked"
        play.report(
            Finding.ILLEGAL if locked else Finding.SUSPICIOUS,
            "U6.8",
            f"{component.name} is committed to an open Complication",
            at=word,
            facts=[play.because(step, "committed here")],
        )


def end_framing(play: Table, here: SceneState) -> None:
    """Framing is over; by now the scene needs a location and should have a Character (U3.8, U3.10)."""
    here.framing = False
    for add_on in play.state.add_ons:
        add_on.framed(play, here)
    if play.given or play.gap > here.step:
        return
    play.require(
        here.located,
        "U3.8",
        f"'{here.title}' has no location",
        facts=[play.because(here.step, "framed here")],
        fix=make_fix(SetKey("at", "{new: ...}", play.place_of_entry(here.step)), is_open=True),
        help="or  - location: ...  while framing",
        after=(f"framing:{here.number}",),
    )
    play.suspect(
        all(play.state.components[id].kind != CHARACTER for id in here.present),
        "U3.8",
        f"framing of '{here.title}' ends and no Character is there",
        facts=[play.because(here.step, "framed here")],
        after=(f"framing:{here.number}",),
    )


# --- turns --------------------------------------------------------------------------------------------


def begin_turn(play: Table, player: str, how: str) -> None:
    """A player's turn starts; the allowances of a turn start anew."""
    state = play.state
    state.turn = player
    state.turn_number += 1
    state.turn_step = play.step.index
    state.turn_how = how
    state.turn_sure = True
    state.tenets_this_turn = 0
    state.event_this_turn = 0
    for key in [k for k in play.tainted if k.startswith("turn:")]:
        play.settle(key)
    if state.scene is not None:
        state.scene.turns.append((state.turn_step, player, how))


def unsure_turn(play: Table) -> bool:
    """Whether it may be another's turn than is computed, of which nobody is accused then."""
    return not play.state.turn_sure or play.gap_since("turns") > play.state.turn_step


def lost_turn(play: Table) -> bool:
    """Whether nobody wrote down whose turn it is: since a hole began, no entry has named anybody's."""
    return not play.state.turn_sure or play.gaps.latest("turns") > play.state.turn_step


def purse_of(play: Table) -> Purse | None:
    """The purse that pays now while an outcome is told, if one is."""
    purses = play.state.purses
    return purses[-1] if purses else None


def in_outcome(play: Table) -> Complication | None:
    """The Complication whose outcome is being told, if one is."""
    purse = purse_of(play)
    return play.state.complications[purse.complication - 1] if purse is not None else None


def relaxed(play: Table) -> bool:
    """Whether this log is kept relaxed."""
    return play.campaign.strictness is Strictness.RELAXED


def turns_over(play: Table, player: str) -> str:
    """The entry that says that those turns are over which would have to be for it to be somebody's:
    whoever has it, and those between."""
    over = [play.state.turn]
    while play.left_of(over[-1]) not in (player, *over):
        over.append(play.left_of(over[-1]))
    return "end turn:" if len(over) == 1 else f"end turn: [{', '.join(over)}]"


def take_over_first(play: Table, component: Component) -> Fix:
    """The fix by which the player who acts takes a Component over before."""
    player = play.step.player
    by = f"\nby: {player}" if player not in ("", play.state.turn) else ""
    return add_entry(f"take over: {component.name}{by}")


def off_turn(play: Table, code: str, what: str, fix: Fix | Sequence[Fix] = ()) -> bool:
    """Report an act on somebody else's turn; False if it was one. Follow-ups are folded under it."""
    state = play.state
    player = play.step.player
    if player == state.turn or not player:
        return True
    key = f"turn:{player}"
    facts = play.facts(state.turn_step, f"{state.turn}'s turn began here")
    play.illegal(
        code,
        f"{player} {what}, but it is {state.turn}'s turn",
        facts=facts,
        fix=fix or add_entry(f"interrupt: {player}"),
        after=(key,),
        since=state.turn_step,
        about="turns",
    )
    play.taint(key)
    return False


def finish_pending(play: Table) -> list[Complication]:
    """A rolled Complication whose players tell no more: what they did not spend they keep (U6.34).
    Returns what is over by that."""
    state = play.state
    over: list[Complication] = []
    for number in list(state.running):
        complication = state.complications[number - 1]
        if complication.stage is Stage.ROLLED and not state.purses:
            close_outcome(play, complication)
            state.lapsed = (number, play.step.index)
            over.append(complication)
    return over


def close_outcome(play: Table, complication: Complication) -> None:
    """All Coins left become Wealth, Components are free again (U6.34, U6.37)."""
    state = play.state
    for player in complication.order or tuple(complication.pools):
        keep_rest(play, complication, player)
    complication.stage = Stage.RESOLVED
    if complication.number in state.running:
        state.running.remove(complication.number)


def keep_rest(play: Table, complication: Complication, player: str) -> None:
    """What a player has left of the Bonus Coins is added to Wealth."""
    account = f"bonus:{player}"
    rest = play.balance(account, COIN)
    if rest > 0:
        pool = complication.pools.get(player)
        if pool is not None:
            pool.kept += rest
        income(play, account, player, rest, "U6.34", "Bonus Coins kept")
