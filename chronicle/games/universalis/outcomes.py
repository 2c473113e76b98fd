"""Chapter 6, the outcome: what Bonus Coins tell, cancel and leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from chronicle.core.declare import BLOCK, Action, Decides, Offered, main
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, MapOf, OrUnrecorded, in_role
from chronicle.core.fix import OrderPairs, add_entry, drop_entry, drop_item, make_fix, write_word
from chronicle.core.guards import Violation, guard
from chronicle.core.record import Step
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins, table
from chronicle.games.universalis.actions import (
    AMOUNT,
    COUNT,
    NOT_PREPARING,
    ON_DICE,
    Entry,
)
from chronicle.games.universalis.control import TakeOver
from chronicle.games.universalis.divisions import (
    ComplicationEntry,
    complication_of,
    facing,
    root_number,
    unfinished,
)
from chronicle.games.universalis.fates import end_reductions
from chronicle.games.universalis.fines import LevyFine
from chronicle.games.universalis.moves import EVENTS, untold
from chronicle.games.universalis.narration import Event, StateFact
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.pools import side_of
from chronicle.games.universalis.preparation import retire_scope
from chronicle.games.universalis.state import (
    BANK,
    COIN,
    Complication,
    Component,
    Pool,
    Purse,
    Stage,
)
from chronicle.games.universalis.story_actions import POOL
from chronicle.games.universalis.unrecorded import lose_count


class TellOutcome(ComplicationEntry):
    """Narrate the outcome with the Bonus Coins, winner first. Each player's entries are paid from their
    own Bonus Coins; the rest is kept."""

    verb = "outcome"
    synonyms = ("result", "bonus")
    by_dice = True
    decides = Decides("each named")
    moment = ON_DICE
    keeps_outcome = True
    example = (
        "outcome:\n    Dov:\n    - event: The lamp goes out under water\n    - cancel: {Ana: 2}"
    )
    tellers = main(
        MapOf(in_role("tells", NAME), BLOCK), "{player: [entries]}, in the order of narration"
    )
    offered = Offered("U6.28", "tell what comes of it")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for words in EVENTS:
            tellers: dict[str, list[Mapping[str, Any]]] = {}
            for player, bonus, rich in untold(play):
                entries: list[Mapping[str, Any]] = [{"event": words}] if bonus else []
                is_cancelling = bool(rich) and bonus > 1
                last = {"cancel": {rich: 1}} if is_cancelling else {"keep": max(0, bonus - 1)}
                tellers[player] = [*entries, last]
                if is_cancelling:
                    break
            if tellers:
                yield {"outcome": tellers}

    def meant(self, play: Table) -> Complication | None:
        """The Complication whose outcome it tells, also where its Coins counted as kept already."""
        return complication_of(play, self) or _lapsed(play)

    def late(self, play: Table) -> Complication | None:
        """The Complication whose outcome it tells too late."""
        return _lapsed(play) if complication_of(play, self) is None else None

    @guard("U6.21")
    def comes_after_a_roll(self, play: Table) -> Violation | None:
        complication = self.meant(play)
        is_lost = play.gap > 0 and play.state.current_scene is None
        fix, after = add_entry("roll: unrecorded"), ("dropped:roll",)
        if complication is None:
            message = "an outcome, and no Complication was rolled"
            return None if is_lost else Violation(message, fix=fix, after=after, since=0)
        if complication.stage is Stage.TIED:
            return Violation(
                "it is a tie: both sides roll again, with the Edge Dice, before anybody gets Coins",
                facts=[play.because(complication.rounds[-1].step, "the tie")],
                rule="U6.22",
            )
        if complication.stage is Stage.ROLLED or self.late(play) is not None:
            return None
        facts = [play.because(complication.step, "the Complication began here")]
        return Violation("the dice have not been rolled", fix=fix, facts=facts, after=after)

    @guard("U6.28", help="write the outcome right after the roll")
    def comes_right_after_the_roll(self, play: Table) -> Violation | None:
        complication = self.late(play)
        acts = [
            step
            for step in _since_lapsed(play)
            if not isinstance(step.action, TakeOver | LevyFine) and not step.action.objects
        ]
        if complication is None or not acts:
            return None
        return Violation(
            f"something else came between the roll and the outcome of '{complication.title}'",
            facts=[play.because(acts[0].number, "this")],
        )

    @guard("U6.8")
    def comes_before_what_took_part_is_taken_over(self, play: Table) -> Iterator[Violation]:
        complication = self.late(play)
        for id in complication.committed if complication is not None else ():
            component = play.state.components[id]
            taken_over = {step for step, _, _, how in component.control if how == "takes over"}
            for step in _since_lapsed(play):
                if step.number in taken_over:
                    yield Violation(
                        f"{component.name} was taken over before the outcome of its Complication was narrated",
                        facts=[play.because(step.number, "taken over here")],
                    )

    @guard("UE.13", help="write the outcome right after the roll")
    def is_not_interrupted(self, play: Table) -> Violation | None:
        complication = self.meant(play)
        if complication is None or not complication.broken_in:
            return None
        if play.ruling("narration interrupt") != "no":
            return None
        return Violation(
            "an Interrupt came before the outcome was narrated; players cannot Interrupt that narration",
            facts=[play.because(complication.broken_in, "the Interrupt")],
        )

    @guard("U6.6")
    def is_told_by_those_with_pools(self, play: Table) -> Iterator[Violation]:
        complication = self.meant(play)
        for word, player, _ in table.names_players(play, self.tellers, silently=True):
            if complication is None or player in complication.pools:
                continue
            if complication.unrecorded and not complication.winners:
                continue
            fix, earlier = drop_item(str(word)), facing(play, complication, player)
            if earlier is None or not earlier.rounds:
                message = f"{player} has no Pool in this Complication, so no Bonus Coins"
                yield Violation(message, word, fix)
                continue
            yield Violation(
                f"{player} had the Coins of '{earlier.title}'; they are spent before the next roll",
                word,
                fix,
                "write that outcome right after its own roll; the rest is kept",
                facts=play.facts(earlier.rolled, "its dice fell here"),
                rule=earlier.divided_by,
            )

    @guard("U6.28")
    def is_told_in_order(self, play: Table) -> Iterator[Violation]:
        """Winners first, then by most Coins."""
        complication = self.meant(play)
        if complication is None:
            return
        order, last = complication.order, complication.last_teller
        told = {player for player, pool in complication.pools.items() if pool.told}
        for word, player, _ in table.names_players(play, self.tellers, silently=True):
            place = _rank(complication, player)
            if place < last and not _equals(complication, player, told):
                yield Violation(
                    f"{player} tells before {order[min(last, len(order) - 1)]}: winners first, then by most Coins",
                    word,
                    make_fix(OrderPairs("outcome", tuple(order)), safe=True),
                    after=(f"roll:{complication.number}",),
                )
            last = max(place, last)
            told.add(player)

    def apply(self, play: Table) -> None:
        """Each player named tells with their Bonus Coins, in order; the rest is kept (U6.28 to U6.34)."""
        step = play.step
        step.headline = "What comes of it"
        complication = complication_of(play, self) or _told_late(play)
        if complication is None:
            return
        complication.steps.append(step.number)
        step.headline = f"Outcome: {complication.title}"
        if complication.stage is not Stage.ROLLED:
            lose_count(play, complication)
        complication.stage = Stage.ROLLED
        for word, player, entries in table.names_players(play, self.tellers):
            _tell(play, complication, player, word, entries)
        _close_if_told(play, complication)


def _lapsed(play: Table) -> Complication | None:
    """The Complication whose Coins counted as kept although its outcome was still open."""
    state = play.state
    number, _ = state.lapsed
    complication = state.complications[number - 1] if number else None
    scene = state.current_scene
    if complication is None or any(pool.told for pool in complication.pools.values()):
        return None
    return complication if scene is not None and scene.number == complication.scene else None


def _since_lapsed(play: Table) -> list[Step]:
    """The entries of the table since then."""
    _, lapsed_step = play.state.lapsed
    steps = play.steps[lapsed_step - 1 : play.step.number - 1] if lapsed_step else []
    return [step for step in steps if step.parent is None and isinstance(step.action, Entry)]


def _told_late(play: Table) -> Complication | None:
    """Take back that its Coins counted as kept."""
    complication = _lapsed(play)
    if complication is None:
        return None
    play.state.lapsed = (0, 0)
    complication.stage = Stage.ROLLED
    play.state.running.append(complication.number)
    for player, pool in complication.pools.items():
        play.move(f"wealth:{player}", f"bonus:{player}", pool.kept, COIN, "U6.28", "not kept yet")
        pool.kept = 0
    return complication


def _close_if_told(play: Table, complication: Complication) -> None:
    if not any(play.balance(f"bonus:{p}", COIN) > 0 for p in complication.pools):
        table.close_outcome(play, complication)
        if not unfinished(play, complication):
            retire_scope(play, "complication", root_number(play, complication))


def _tell(
    play: Table, complication: Complication, player: str, word: ScalarNode, entries: list[Action]
) -> None:
    state = play.state
    pool = complication.pools.get(player)
    if pool is None:
        pool = complication.pools[player] = Pool(player, "", unknown=complication.unrecorded)
    place = _rank(complication, player)
    complication.last_teller = max(place, complication.last_teller)
    purse = Purse(player, f"bonus:{player}", complication.number)
    state.purses.append(purse)
    for entry in entries:
        play.perform(entry)
        _within_what_is_told(play, complication, player)
    end_reductions(play)
    _favours_the_winner(play, complication, player, word)
    state.purses.pop()
    pool.told = True
    _close_purse(play, complication, pool, purse)


def _within_what_is_told(play: Table, complication: Complication, player: str) -> None:
    """A loser tells within what a winner has told, and does not take it back (U6.30). What an entry of the outcome
    changes is known after it."""
    if player in complication.winners or not complication.winners:
        return
    last = play.steps[-1]
    rolled_step = complication.rolled
    winner_steps = {
        step.number
        for step in play.steps[rolled_step:]
        if step.parent in complication.steps and step.player in complication.winners
    }
    for id in dict.fromkeys(event.subject for event in last.events):
        component = play.state.components.get(id)
        done = _what_happened_to(play, component) if component is not None else {}
        for change, key in done.get(last.number, ()):
            reverse = _TAKES_BACK.get(change)
            index = next((i for i in winner_steps if (reverse, key) in done.get(i, ())), 0)
            if index:
                play.suspect(
                    True,
                    "U6.30",
                    f"{player} lost, and takes back what {play.steps[index - 1].player} has told",
                    at=last.action.place(),
                    facts=[play.because(index, "told by the winner here")],
                    help="a loser tells within what the winner has fixed: leave it out",
                )
                return


_HARM: Final = frozenset({"eliminated", "loses trait"})
"""Kinds of events that surely do a Component harm. A new Trait can be a gift or a burden."""
_HELP: Final = frozenset({"regains trait", "heals"})
"""Kinds of events that surely do a Component good."""


def _favours_the_winner(
    play: Table, complication: Complication, player: str, word: ScalarNode
) -> None:
    """A winner's Coins favour the winner's side: what surely harms or helps does not all go the wrong way (U6.32)."""
    if player not in complication.winners or not complication.rolled:
        return
    told_steps = [
        step
        for step in play.steps[play.step.number :]
        if step.parent == play.step.number and step.player == player and not step.retracted_by
    ]
    if any(isinstance(step.action, Event | StateFact) for step in told_steps):
        return  # what happens may favour anybody; only the table knows
    weighed = [
        (
            step,
            (event.kind in _HELP)
            == (_side_in(play, complication, event.subject) in complication.winners),
        )
        for step in told_steps
        for event in step.events
        if event.kind in _HELP | _HARM and _side_in(play, complication, event.subject)
    ]
    if not weighed or any(favours for _, favours in weighed):
        return
    play.suspect(
        True,
        "U6.32",
        f"{player} won, and what {player} tells harms their own side or helps the other side",
        at=word,
        facts=[play.because(weighed[0][0].number, "told here")],
        help="the outcome favours the Components of the winner",
    )


def _side_in(play: Table, complication: Complication, id: str) -> str:
    """The player for whom a Component began a Complication or was its Target; empty if it did neither."""
    component = play.state.components.get(id)
    if component is None or id not in (*complication.sources, *complication.targets):
        return ""
    return side_of(play, complication, component, "")


_TAKES_BACK: Mapping[str, str] = {
    "returned": "eliminated",
    "removes": "adds",
    "restores": "removes",
    "enters": "leaves",
    "leaves": "enters",
}
"""Which change reverses which other change."""


def _what_happened_to(play: Table, component: Component) -> dict[int, list[tuple[str, str]]]:
    """By step, what changed about a Component, each with the key of a Trait where it is one."""
    changes: dict[int, list[tuple[str, str]]] = {}
    for trait in component.traits.values():
        for step, change, _, _ in trait.history:
            changes.setdefault(step, []).append((change, trait.key))
    for turning in component.turnings:
        changes.setdefault(turning.step, []).append((turning.kind, ""))
    scene = play.state.current_scene
    for step, id, how in scene.entries if scene is not None else ():
        if id == component.id:
            changes.setdefault(step, []).append((how, ""))
    return changes


def _close_purse(play: Table, complication: Complication, pool: Pool, purse: Purse) -> None:
    """What a player has left is kept; a stated figure is checked (U6.34)."""
    player = purse.player
    coins_left = max(0, play.balance(purse.account, COIN))
    if purse.stated is not None and not pool.unknown:
        stated, where = purse.stated
        if stated != coins_left:
            play.report(
                DiagnosticKind.BOOKKEEPING,
                "U6.34",
                f"{player} has {coins_left} of {plural(pool.coins, 'Bonus Coin')} left to keep, not {stated}",
                at=where,
                after=(purse.account, f"roll:{complication.number}"),
                fix=write_word(coins_left),
            )
            # The log wins: these are the Coins that were kept.
            coins.doubt_purses(play, complication.pools)
            play.move(
                BANK, purse.account, stated - coins_left, COIN, "U6.34", "as the table kept them"
            )
    elif purse.stated is not None:
        play.move(
            BANK,
            purse.account,
            max(0, purse.stated[0] - coins_left),
            COIN,
            "U6.25",
            "the roll is not recorded",
        )
    table.keep_rest(play, complication, player)


class _Void(NamedTuple):
    """Bonus Coins that a player gives up to void those of an opponent: what both have, how many are named (None: not
    recorded), and how many it comes to."""

    complication: Complication
    player: str
    own: int
    word: ScalarNode
    opponent: str
    has: int
    wanted: int | None
    coins: int


class CancelCoins(Entry):
    """Give up Bonus Coins of your own to void as many of an opponent's. Winner only, inside an outcome."""

    verb = "cancel"
    synonyms = ("void",)
    decides = Decides("teller")
    moment = NOT_PREPARING
    keeps_outcome = True
    example = "cancel: {Ana: 2}"
    coins_of = main(MapOf(POOL, AMOUNT), "{opponent: Coins}")
    offered = Offered("U6.29", "void a Coin of a loser")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for player, bonus, rich in islice(untold(play), 1):
            if rich and bonus:
                yield {"cancel": {rich: 1}, "by": player}

    @guard("U6.29", help="write it among the winner's entries under  outcome:")
    def comes_after_a_roll(self, play: Table) -> str | None:
        if _telling(play) is not None:
            return None
        return "Coins are cancelled after a roll, before they are spent"

    @guard("U6.29")
    def voids_what_there_is(self, play: Table) -> Iterator[Violation]:
        """The winner voids Coins of losers, and both have as many."""
        for void in self.voids(play, silently=True):
            complication, player, opponent = void.complication, void.player, void.opponent
            is_loser = opponent not in complication.winners
            wins = player in complication.winners
            if not wins and play.ruling("who cancels") == "earlier losers":
                wins = is_loser and opponent != player
            if not (wins and is_loser) and (complication.winners or not complication.unrecorded):
                yield Violation(
                    f"{opponent} did not lose"
                    if wins
                    else f"{player} did not win, so cancels nothing",
                    void.word,
                    facts=play.facts(complication.rolled, "the roll"),
                )
            elif void.wanted is not None and void.wanted > void.coins:
                spender, left = (
                    (player, void.own) if void.has >= void.wanted else (opponent, void.has)
                )
                pool = complication.pools.get(spender)
                is_explained = pool is not None and void.wanted <= left + pool.unsure
                yield Violation(
                    f"{spender} has {plural(left, 'Bonus Coin')} left, so {void.wanted} cannot be cancelled",
                    self.place("main", str(void.word)),
                    after=(f"bonus:{spender}",) if is_explained else (),
                    doubts=coins.purses_of((player, opponent)),
                )

    def voids(self, play: Table, *, silently: bool = False) -> Iterator[_Void]:
        """What it comes to for each opponent named, after what was given up for those before."""
        telling = _telling(play)
        if telling is None:
            return
        complication, player = telling[0], telling[1].player
        own = max(0, play.balance(f"bonus:{player}", COIN))
        is_open = _open(complication, player)
        for word, opponent, wanted in table.names_players(play, self.coins_of, silently=silently):
            has = max(0, play.balance(f"bonus:{opponent}", COIN))
            limits = [] if _open(complication, opponent) else [has]
            limits += [] if is_open else [own]
            possible = min([wanted or 0, *limits])
            yield _Void(complication, player, own, word, opponent, has, wanted, possible)
            own, is_open = max(0, own - possible), is_open or wanted is None

    def apply(self, play: Table) -> None:
        """The winner gives Bonus Coins up to void as many of a loser's (U6.29)."""
        cancelled: list[str] = []
        for void in self.voids(play):
            player, opponent = void.player, void.opponent
            purses = f"bonus:{player}", f"bonus:{opponent}"
            pool, own_pool = (void.complication.pools.get(name) for name in (opponent, player))
            if void.wanted is None:
                for unknown_pool in filter(None, (pool, own_pool)):
                    unknown_pool.unknown = True
                coins.unknown_amount(play, opponent, player)
                cancelled.append(f"Coins of {opponent}")
                continue
            if pool is not None:
                pool.cancelled += void.coins
            if own_pool is not None:
                own_pool.given_up += void.coins
            for account, left in zip(purses, (void.own, void.has), strict=True):
                play.move(account, BANK, min(void.coins, left), COIN, "U6.29", "cancelled")
            cancelled.append(f"{plural(void.coins, 'Coin')} of {opponent}")
        if cancelled:
            play.event(f"{play.step.player} cancels {listed(cancelled)}", "U6.29", "cancels")
            play.step.headline = f"Cancels {listed(cancelled)}"


class KeepCoins(Entry):
    """What you keep of your Bonus Coins. Computed; write it only to have it checked."""

    verb = "keep"
    synonyms = ("save",)
    decides = Decides("teller")
    moment = NOT_PREPARING
    keeps_outcome = True
    example = "keep: 8"
    amount = main(OrUnrecorded(COUNT), "Coins")
    offered = Offered("U6.34", "keep all Bonus Coins")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for player, bonus, _ in islice(untold(play), 1):
            yield {"keep": bonus, "by": player}

    @guard("U6.34")
    def comes_after_a_roll(self, play: Table) -> Violation | None:
        if _telling(play) is not None:
            return None
        return Violation("only Bonus Coins are kept, after a roll", fix=drop_entry())

    def apply(self, play: Table) -> None:
        """The kept Coins, stated aloud: checked when the narration is over (U6.34)."""
        telling = _telling(play)
        play.step.headline = "Keeps the rest" if self.amount is None else f"Keeps {self.amount}"
        if telling is None:
            return
        complication, purse = telling
        if self.amount is not None:
            purse.stated = (self.amount, self.place("main"))
        if not play.state.purses:
            pool = complication.pools[purse.player]
            pool.told = True
            place = _rank(complication, purse.player)
            complication.last_teller = max(complication.last_teller, place)
            _close_purse(play, complication, pool, purse)
            _close_if_told(play, complication)


def _telling(play: Table) -> tuple[Complication, Purse] | None:
    """Whose Bonus Coins an entry is about: inside an outcome, or by itself right after the roll."""
    complication, purse = table.in_outcome(play), table.purse_of(play)
    if complication is not None and purse is not None:
        return complication, purse
    complication = play.state.current_complication()
    player = play.step.player
    if complication is None or complication.stage is not Stage.ROLLED:
        return None
    if player not in complication.pools:
        return None
    return complication, Purse(player, f"bonus:{player}", complication.number)


def _open(complication: Complication, player: str) -> bool:
    """Whether the number of a player's Bonus Coins is unknown."""
    pool = complication.pools.get(player)
    return pool is not None and pool.unknown


def _equals(complication: Complication, player: str, told: Iterable[str]) -> bool:
    """Whether the order of a player and those who have told depends on Coins that the record does not have."""
    won = player in complication.winners
    return complication.unrecorded and not any((p in complication.winners) < won for p in told)


def _rank(complication: Complication, player: str) -> int:
    order = complication.order
    return order.index(player) if player in order else len(order)


def outcome_over(play: Table) -> None:
    """Something else happens: players who have not narrated keep their Bonus Coins (U6.34)."""
    for complication in table.finish_pending(play):
        if not unfinished(play, complication):
            retire_scope(play, "complication", root_number(play, complication))
