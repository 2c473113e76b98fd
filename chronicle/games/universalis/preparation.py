"""Chapter 2: Tenets. In preparation one a turn, passing round; later one a turn of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, PartOf, main, option
from chronicle.core.diagnostic import DiagnosticKind, amount_in_units, did_you_mean, nearest_words
from chronicle.core.field_types import NAMES, TEXT, choice, label
from chronicle.core.fix import add_entry, drop_entry, drop_item, replace_with, set_key, set_setting
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import PLAYER, fold
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Piece, TextRole
from chronicle.games.universalis import coins, facts, table
from chronicle.games.universalis.actions import ID, PREPARING, Entry, Sets, on_a_turn
from chronicle.games.universalis.addons.catalogue import ON_DEMAND
from chronicle.games.universalis.answers import PRICES
from chronicle.games.universalis.coins import can_pay
from chronicle.games.universalis.divisions import root_number
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.gimmicks import GimmickRules, is_share
from chronicle.games.universalis.moves import acting
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import BANK, COIN, Life, Phase, Tenet
from chronicle.games.universalis.undo import drop_gimmick

# What few logs need is compiled when it is first used.
_RULE_ID = r"(U[A-Z]?|[STVWX])\.?\d+(\.\d+)?[a-z]?\Z"
"""What the ids of the rules look like, which those of a table's own rules may not."""
_PAY = r"(?i)\b(?:is|are|gets?) paid\b|\b(?:earns?|receives?|gets?)\b[^.;]*\bcoins?\b"
_AMOUNT = (
    r"(?i)\d|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half|double|twice|all|no|"
    r"as many|the same)\b(?=[^.;]*\bcoins?\b)|\b(?:half|double|twice)\b"
)
_TIME = (
    r"(?i)\b(?:when|whenever|after|before|at|each|every|per|once|if|until|while|during|by the)\b"
)


MOST_PREPARED = 9
"""So many Tenets and Components are proposed in preparation; more are legal."""


def due_player(play: Table, *passing: str) -> str:
    """Whose preparation turn it is: who has acted is followed by the next player clockwise. ``passing``: who has
    passed in the entry at hand."""
    state = play.state
    if not state.begun and not passing:
        return state.turn
    player, passed = (state.turn, *passing)[-1], (*state.passed, *passing)
    if state.tenets_this_turn or player in passed[-1:]:
        player = play.left_of(player)
        if play.rulings["preparation pass"] == "out":
            for _ in play.present:
                if player not in passed:
                    break
                player = play.left_of(player)
    return player


def _goes_on(play: Table, player: str) -> bool:
    """Whether it is still the same turn: a second Tenet, which U2.4 judges."""
    state = play.state
    has_turn = player == state.turn and player != due_player(play)
    return has_turn and state.passed[-1:] != [player]


def bars_turn(play: Table, player: str, *passing: str) -> Iterator[Violation]:
    """The order of preparation turns (U2.3). ``passing``: who has passed in the same entry before."""
    state = play.state
    if not player or play.given:
        return
    if not state.begun and not passing:
        # A further round, between sessions, begins with the first player who acts.
        agreed = player if state.scenes else state.starter or player
        if player != agreed and agreed in play.present:
            yield Violation(
                f"{agreed} begins, as campaign.yaml says under 'first', not {player}",
                help=f"let {agreed} go first, or take 'first' out of campaign.yaml",
                rule="U2.2",
            )
        return
    due = due_player(play, *passing)
    before, step = (passing[-1], play.step.number) if passing else (state.turn, state.turn_step)
    is_exempt = not passing and (
        _goes_on(play, player) or (state.withdrawn and player == play.left_of(state.withdrawn))
    )
    is_known = play.gap_since("turns") < step and not table.relaxed(play)
    if player != due and not is_exempt and is_known:
        yield Violation(
            f"it is {due}'s turn to propose a Tenet or to pass, not {player}'s",
            facts=[play.because(step, f"{before} had the turn before")],
            fix=add_entry(f"pass: {due}"),
            rule="U2.3",
        )


def take_turn(play: Table) -> None:
    """The log wins: the acting player has the turn."""
    state = play.state
    player = play.step.player
    if not player or play.given:
        if play.is_actor_unrecorded:
            state.tenets_this_turn = 0
    elif not state.begun:
        state.begun = True
        state.starter = state.turn = player
        state.turn_step = play.step.number
        state.tenets_this_turn = 0
    elif not _goes_on(play, player):
        state.turn, state.turn_sure = player, True
        state.withdrawn = ""
        state.turn_step = play.step.number
        state.turn_number += 1
        state.tenets_this_turn = 0


def bars_tenet(play: Table, number: int = 1, *, before: int = 0) -> Iterator[Violation]:
    """The cap of Tenets on one turn (U2.4), and on one outcome for each player (S72). ``before``: how many more the
    same entry has before these."""
    state = play.state
    if play.given or play.is_actor_unrecorded:
        return
    complication = table.in_outcome(play)
    player = play.step.player
    allowed = state.points.tenets_a_turn(play)
    if complication is not None:
        count = complication.tenets.get(player, 0) + before + number
        if count > allowed and play.ruling("outcome tenets") == "one":
            yield Violation(
                f"{player} buys {amount_in_units(count, 'Tenet')} with the Bonus Coins of one outcome",
                fix=drop_entry(),
                help=f"{_tenets(allowed)} for each player in an outcome",
                rule="U2.4",
            )
        return
    # An entry that is only tried has not begun its turn of preparation yet.
    begins = play.is_testing_move and preparing(play) and player == due_player(play)
    count = before + number + (0 if begins else state.tenets_this_turn)
    if count > allowed:
        yield Violation(
            f"{player} proposes {amount_in_units(count, 'Tenet')} in the same turn"
            if number == 1
            else f"{player} buys {number} Traits in a turn of preparation, and each counts as a Tenet",
            facts=play.facts(state.turn_step, "the turn began here"),
            help=f"{_tenets(allowed)} a turn; let the others have their turns first",
            rule="U2.4" if allowed == 1 else "UA.5",
        )


def note_tenet(play: Table, number: int = 1) -> None:
    """Count a Tenet; :func:`bars_tenet` has asked whether it may be proposed."""
    state = play.state
    if play.given or play.is_actor_unrecorded:
        return
    complication = table.in_outcome(play)
    if complication is not None:
        player = play.step.player
        complication.tenets[player] = complication.tenets.get(player, 0) + number
        return
    state.tenets_this_turn += number
    if play.rulings["preparation pass"] == "open":
        state.passed.clear()


def pay_for_gimmick(play: Table) -> None:
    """Count and charge a Rules Gimmick."""
    note_tenet(play)
    coins.charge(play, "gimmick", "U2.11", "a Rules Gimmick")


def count_tenet(play: Table, number: int = 1) -> None:
    """The same for entries without guards: too many are reported."""
    report_all(play, bars_tenet(play, number))
    note_tenet(play, number)


def _tenets(number: int) -> str:
    return "one Tenet" if number == 1 else amount_in_units(number, "Tenet")


def proposers(play: Table, item: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Who may pay for an item of the price list in preparation or in a scene, and the key that names the player.
    Preparation is for a few: it has to end."""
    state = play.state
    if not preparing(play):
        yield from ((player, by) for _, player, by in acting(play, item))
    elif len(state.tenets) + len(state.components) < MOST_PREPARED:
        player = due_player(play) or play.seats[0]
        if can_pay(play, player, item):
            yield player, {"by": player}


class ChangesTenets(Entry):
    """An entry that proposes, changes or ends a Tenet. A turn has room for one."""

    item = ""
    """What it is on the price list."""

    @classmethod
    def proposers(cls, play: Table) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Who may propose one now, and the key that names the player."""
        return proposers(play, cls.item)

    def number(self) -> int:
        """How many Tenets it is."""
        return 1

    @guard("U2.4")
    def is_one_a_turn(self, play: Table) -> Iterator[Violation]:
        for before in range(self.number()):
            yield from bars_tenet(play, before=before)

    @guard("U2.11", help="give it another id: a word of its own")
    def has_an_id_of_its_own(self, play: Table) -> Violation | None:
        if self.id is None or re.match(_RULE_ID, self.id) is None:
            return None
        return Violation(f"'{self.id}' looks like a rule of the book", self.id)


class ProposeTenet(ChangesTenets):
    """Propose a Tenet about the story or about how the group plays. 1 Coin, one a turn."""

    verb = "tenet"
    synonyms = ("propose", "premise", "theme")
    already_shown_kinds = frozenset({"tenet"})
    decides = Decides("turn", "U2.4", action_phrase="proposes a Tenet")
    moment = on_a_turn("U2.4", PREPARING)
    example = "tenet: A drowned city lit by gas\n  kind: story\n  about: setting"
    words = main(TEXT, "the Tenet", text_role=TextRole.SENTENCE)
    kind = option(
        choice("story", "social", "gimmick"),
        "a Story Element, the Social Contract or a Rules Gimmick",
    )
    about = option(
        choice("genre", "theme", "premise", "setting", "situation", "mood", "realism"),
        "which part of the story a Story Element fixes",
    )
    changes = option(ID, "the id of the Tenet that this one changes")
    exception_to = option(ID, "the id of the Fact that this one is an exception to")

    def told(self) -> Iterable[Piece]:
        return () if self.beside() else super().told()

    def beside(self) -> bool:
        return self.kind in ("social", "gimmick")

    offered = Offered("U2.4", "propose a Tenet for 1 Coin")
    item = "tenet"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        number = len(play.steps) + 1
        for _, by in cls.proposers(play):
            for words in ("No magic", "All towns have walls", f"Night lasts {number} hours"):
                yield {"tenet": words, "kind": "story", **by}
            yield {"tenet": f"Phones stay off until {number} o'clock", "kind": "social", **by}

    @property
    def sort(self) -> str:
        """Its type, as far as it is said."""
        return "story" if self.about and not self.kind else str(self.kind or "")

    @question("U2.8")
    def has_a_type(self, play: Table) -> Violation | None:
        if self.sort:
            return None
        return Violation(
            "this Tenet has no kind", fix=(set_key("kind", "story"), set_key("kind", "social"))
        )

    @question("U2.7")
    def is_new(self, play: Table) -> Iterator[Violation]:
        return _stands_already(play, self)

    def apply(self, play: Table) -> None:
        """A Story Element or a point of the Social Contract (U2.9, U2.10)."""
        note_tenet(play)
        tenet = accept_tenet(play, self, str(self.words), self.sort, self.changes)
        tenet.about = str(self.about or tenet.about)
        # Entries can cite a Tenet; it bends no rule by that.
        play.touched_by_rule.setdefault(tenet.id, ("cited",))
        if self.exception_to is not None:
            old = facts.find_fact(play, self.exception_to, "U3.54", facts.facts_in_force(play))
            if old is not None:
                tenet.exception_to = old.id
                facts.relate(play, tenet, old.target, "exception to")
        coins.charge(play, "tenet", "U2.3", "a Tenet")
        play.event(f"Tenet accepted: {tenet.text}", "U2.6", "tenet", tenet.id)


_DENIALS = frozenset(
    {"not", "no", "never", "cannot", "cant", "isnt", "arent", "doesnt", "dont", "wont"}
)
"""Words that turn a sentence into its opposite."""
_HELPING = frozenset({"do", "does", "did", "any", "can", "will"})


@lru_cache(maxsize=1024)
def _sense(words: str) -> tuple[frozenset[str], bool]:
    """The words of a Tenet without those that deny it, and whether it denies."""
    plain = re.sub(r"[^\w\s]", "", fold(words)).split()
    stems = (word.removesuffix("s") for word in plain if word not in _DENIALS | _HELPING)
    return frozenset(stems), any(word in _DENIALS for word in plain)


def _stands_already(play: Table, action: ProposeTenet) -> Iterator[Violation]:
    """The same Tenet twice, or one and its opposite, without a stated relation (U2.7, U3.54)."""
    if play.given or action.changes is not None or action.exception_to is not None:
        return
    words, denies = _sense(str(action.words))
    for tenet in play.state.tenets.values() if words else ():
        earlier, denied = _sense(tenet.text)
        if earlier != words or tenet.life is not Life.IN_FORCE:
            continue
        is_same = denied == denies
        yield Violation(
            f"'{tenet.text}' is a Tenet already"
            if is_same
            else f"this contradicts the Tenet '{tenet.text}'",
            fix=drop_entry()
            if is_same
            else (set_key("changes", tenet.id), set_key("exception to", tenet.id)),
            facts=play.facts(tenet.step, "accepted here"),
            rule="U2.7" if is_same else "U3.54",
        )
        return


class ProposeGimmick(ChangesTenets):
    """Propose a Rules Gimmick: a new or another rule. 1 Coin, one Tenet a turn. Its id can be cited
    with 'under:'; what it changes in figures goes under 'sets:'."""

    verb = "gimmick"
    synonyms = ("rule",)
    about_table = True
    decides = Decides("turn", "U2.4", action_phrase="proposes a Gimmick")
    moment = on_a_turn("U2.4", PREPARING)
    example = "gimmick: A player may lend Coins, to be paid back double\n  id: loans\n  sets: {loans: yes, factor: 2}"
    words = main(TEXT, "the rule in the table's words")
    sets = option(PartOf(Sets), "what it changes in figures")
    touches = option(label(NAMES), "ids of the rules it bends; without it, any", default=())
    scope = option(
        choice("game", "scene", "complication", "session"), "how long it holds", default="game"
    )
    changes = option(ID, "the id of the Tenet that this one changes")
    offered = Offered("U2.11", "propose a Rules Gimmick for 1 Coin")
    item = "gimmick"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        kit = {"loans": "yes", "gifts": "yes", "factor": 2, "uses": ["kit"]}
        for _, by in cls.proposers(play):
            yield {"gimmick": "Coins may be lent", "sets": kit, **by}
            yield {"gimmick": "Time is loose here", "sets": {"time jumps": "yes", **kit}, **by}
            yield {"gimmick": "Rest is long", "sets": {"refreshment": 6}, **by}

    @guard("U2.11")
    def means_something(self, play: Table) -> Iterator[Violation]:
        """A Gimmick can set only what exists; players can create Components later."""
        if self.sets is None:
            return
        for name, share in (self.sets.trait_price or {}).items():
            if not is_share(str(share)):
                yield Violation(
                    f"'{share}' is no share of a price",
                    name,
                    help="write 1/3 for a third of the price",
                )
        verbs = play.rulebook.by_verb
        for name in self.sets.price or {}:
            if name not in ON_DEMAND.extension_by_verb and not _priced(play, str(name)):
                yield Violation(
                    f"'{name}' has no price of its own{did_you_mean(name, sorted(PRICES))}",
                    name,
                    replace_with(nearest_words(name, sorted(PRICES)), is_told=True),
                    f"what has one: {', '.join(sorted(PRICES))}",
                    kind=DiagnosticKind.UNREADABLE,
                )
        for name in self.sets.forbid:
            if name not in verbs:
                yield Violation(
                    f"no verb '{name}'{did_you_mean(name, sorted(verbs))}",
                    name,
                    replace_with(nearest_words(name, sorted(verbs)), is_told=True),
                    kind=DiagnosticKind.UNREADABLE,
                )

    @question("U2.11")
    def says_what_it_pays(self, play: Table) -> Violation | None:
        return _doubt_pay(str(self.words)) if self.sets is None else None

    def apply(self, play: Table) -> None:
        """A Rules Gimmick (U2.11): a layer on the rules, from now on."""
        state, sets = play.state, self.sets
        tenet = note_gimmick(play, self, str(self.words), self.changes, str(self.scope))
        pay_for_gimmick(play)
        play.touched_by_rule[tenet.id] = tuple(str(code) for code in self.touches)
        if sets is not None:
            for name in sets.refreshment_of or {}:
                play.find(name, (PLAYER,), "player")
            coins_before = {p: state.points.starting_coins(play, p) for p in play.seats}
            state.points = GimmickRules(tenet.id, sets, state.points)
            if sets.computes:
                play.adopt(tenet.id, tenet.text, self.touches, sets.computes, self.path)
            if state.phase is Phase.PREPARATION and not play.given:
                # Another start, agreed before play: everybody is brought up (or down) to it.
                for player, was in coins_before.items():
                    change = state.points.starting_coins(play, player) - was
                    play.move(BANK, f"wealth:{player}", change, COIN, "U1.3", "another start")
        play.event(f"Rules Gimmick in force: {tenet.text}", "U2.11", "tenet", tenet.id)


def _priced(play: Table, item: str) -> bool:
    """Whether something has a price of its own, by the core rules or by a layer on them."""
    try:
        play.state.points.price(play, item)
    except KeyError:
        return False
    return True


def _doubt_pay(words: str) -> Violation | None:
    """A Gimmick that promises Coins should say how many, and when (V20)."""
    if re.search(_PAY, words) is None:
        return None
    lacking = [
        missing
        for pattern, missing in ((_AMOUNT, "how many Coins"), (_TIME, "when"))
        if re.search(pattern, words) is None
    ]
    if not lacking:
        return None
    return Violation(
        f"this Gimmick pays Coins and does not say {' or '.join(lacking)}",
        help="state both, or hire the player with the add-on 'jobs':  "
        "- hire: {record keeper: {player: ..., pays: 2, per: session end}}",
    )


def note_gimmick(
    play: Table,
    action: Action,
    words: str,
    changes: ScalarNode | None,
    scope: str,
    id: str = "",
) -> Tenet:
    """A Rules Gimmick is in force; the rule that it changes is no longer."""
    state = play.state
    tenet = accept_tenet(play, action, words, "gimmick", changes, id)
    tenet.scope = scope
    scene, complication = state.current_scene, state.current_complication()
    if scope == "complication":
        tenet.scope_of = root_number(play, complication) if complication is not None else 0
    elif scope == "scene":
        tenet.scope_of = scene.number if scene is not None else 0
    return tenet


def accept_tenet(
    play: Table, action: Action, words: str, kind: str, changes: ScalarNode | None, id: str = ""
) -> Tenet:
    """The gate of every Tenet that is proposed: it is accepted, and the Tenet that it changes no longer holds
    (U2.7)."""
    state = play.state
    step = play.step
    old = None
    if changes is not None:
        help = "give a Tenet an id where it is proposed, then name it here"
        old = facts.find_tenet(play, changes, help)
    id = str(action.id or id or f"tenet-{len(state.tenets) + 1}")
    tenet = Tenet(id, words, kind, step.number, step.player, wordings=[(step.number, words)])
    if old is not None:
        old.status, old.changed_by = "changed", step.number
        tenet.wordings = [*old.wordings, (step.number, words)]
        tenet.about = old.about
        if old.step:
            play.link_steps(step.number, old.step)
        if old.kind == "gimmick":
            play.adopted_rules.drop(old.id, step.number)
            drop_gimmick(play, old.id)
        play.event(f"changes the Tenet: {old.text}", "U2.7", "changes", old.id)
    state.tenets[id] = tenet
    step.headline = f"{'A Rules Gimmick' if kind == 'gimmick' else 'A Tenet'}: {words}"
    return tenet


class EndGimmick(ChangesTenets):
    """A Rules Gimmick or another Tenet ceases to hold. It is a change of a Tenet: 1 Coin."""

    verb = "end gimmick"
    synonyms = ("repeal",)
    decides = Decides("turn", "U2.4", action_phrase="changes a Tenet")
    moment = on_a_turn("U2.4", PREPARING)
    example = "end gimmick: loans"
    what = main(ID, "its id")
    offered = Offered("U2.7", "take a Tenet back for 1 Coin")
    item = "end gimmick"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for _, by in cls.proposers(play):
            in_force = [t for t in play.state.tenets.values() if t.life is Life.IN_FORCE]
            for tenet in sorted(in_force, key=lambda tenet: tenet.kind != "gimmick"):
                yield {"end gimmick": tenet.id, **by}

    @question("U2.11")
    def is_not_needed(self, play: Table) -> Iterator[Violation]:
        """An add-on that others in force need (the rule of each says so) stays while they do."""
        id = facts.id_of_tenet(play, self.what)
        adopted = next((adoption.key for adoption in play.state.adoptions if adoption.id == id), "")
        for idle in play.state.add_ons:
            if adopted in idle.needs:
                yield Violation(
                    f"'{idle.key}' means nothing without '{adopted}', and is in force still",
                    fix=add_entry(f"end gimmick: {idle.id}"),
                    rule=idle.code,
                )

    def apply(self, play: Table) -> None:
        """A Tenet ceases to hold; that is a change of a Tenet (U2.7)."""
        note_tenet(play)
        coins.charge(play, "end gimmick", "U2.7", "a Tenet taken back")
        play.step.headline = "A Tenet is taken back"
        tenet = facts.find_tenet(play, self.what, "name it by its id, or by words of it")
        if tenet is None:
            return
        play.step.headline += f": {tenet.text}"
        retire(play, tenet)
        tenet.status = "taken back"


def retire(play: Table, tenet: Tenet) -> None:
    """A Gimmick is in force no longer; its id excuses nothing any more."""
    tenet.ended = play.step.number
    if tenet.kind == "gimmick":
        play.adopted_rules.drop(tenet.id, play.step.number)
        drop_gimmick(play, tenet.id)
        play.touched_by_rule[tenet.id] = ("ended",)
    play.event(f"no longer in force: {tenet.text}", "U2.7", "ends", tenet.id)


def retire_rule(play: Table, id: str) -> None:
    """A rule that came with the campaign holds no longer: one of the table's own, or an add-on."""
    tenet = play.state.tenets.get(id)
    if tenet is not None:
        tenet.status = "taken back"
        retire(play, tenet)
        return
    play.event(
        f"no longer in force: {play.adopted_rules.rules[id].text}", kind="house rule", subject=id
    )
    play.abandon(id)


def retire_scope(play: Table, scope: str, number: int = 0) -> None:
    """Gimmicks limited to a scene, a Complication or a session end with it (U2.11)."""
    for tenet in play.state.tenets.values():
        if tenet.scope != scope or tenet.scope_of not in (number, 0):
            continue
        if tenet.life is Life.IN_FORCE:
            tenet.status = "run out"
            retire(play, tenet)


def cited(play: Table, action: Action) -> None:
    """A Gimmick that is cited must be in force (U2.11); each use is remembered."""
    for word in action.under:
        tenet = play.state.tenets.get(word)
        if tenet is None:
            continue
        if tenet.ended and word not in play.adopted_rules.rules:
            play.illegal(
                "U2.11",
                f"'{word}' is no longer in force",
                at=word,
                facts=[play.because(max(tenet.ended, 0), "it ended here")],
                fix=drop_item(str(word)),
                help="or propose it again",
            )
        tenet.uses.append(play.step.number)


def pass_all(play: Table, players: list[str]) -> None:
    """Some players pass in preparation, one after the other; a full round of passes ends it (U2.5, S12)."""
    state = play.state
    for player in players:
        play.step.player = player
        take_turn(play)
        if state.passed and player in state.passed and play.rulings["preparation pass"] == "out":
            continue
        if player not in state.passed:
            state.passed.append(player)
    play.step.player = players[0] if len(players) == 1 else ""
    play.step.headline = (
        "Pass" if len(players) == 1 else "All pass" if len(players) > 2 else "Both pass"
    )
    if all(player in state.passed for player in play.present):
        end_preparation(play)


def end_preparation(play: Table) -> None:
    """Everybody is content with the Tenets: on to the first scene."""
    state = play.state
    for add_on in state.add_ons:
        if add_on.all_passed(play):
            state.passed.clear()
            state.tenets_this_turn = 1  # the turn of the last player who passed is over
            return
    state.phase = Phase.SCENE if state.scene is not None else Phase.BIDDING
    if not state.starter:
        state.starter = state.turn
    for add_on in state.add_ons:
        add_on.prepared(play)
    play.event("Everybody has passed: preparation is over", "U2.5", "prepared")


def prepare_again(play: Table) -> None:
    """A further round of preparation, between two sessions; the first player who acts begins it."""
    state = play.state
    state.phase = Phase.PREPARATION
    state.passed.clear()
    state.begun = False
    state.tenets_this_turn = 0


def bars_play_proper(play: Table) -> Iterator[Violation]:
    """Preparation ends with a round of passes (U2.5)."""
    state = play.state
    skipped = getattr(play.campaign.settings, "preparation", "played") == "skipped"
    if skipped or play.given or play.gap_since("turns") > state.turn_step:
        return
    missing: list[str] = []
    player = due_player(play) if state.phase is Phase.PREPARATION else ""
    for _ in play.present if player else ():
        if player not in state.passed:
            missing.append(player)
        player = play.left_of(player)
    if missing:
        yield Violation(
            "preparation is left although not everybody has passed: " + ", ".join(missing),
            fix=(
                add_entry(f"pass: [{', '.join(missing)}]"),
                set_setting("preparation", "skipped", when="if the group skips preparation"),
            ),
            rule="U2.5",
            kind=DiagnosticKind.SUSPICIOUS,
        )


def preparation_over(play: Table) -> None:
    """Something belongs to play proper; guards have asked whether it may begin (:func:`bars_play_proper`)."""
    state = play.state
    if state.phase is not Phase.PREPARATION:
        return
    state.phase = Phase.SCENE if state.scene is not None else Phase.BIDDING
    state.begun = True
    if not state.starter:
        state.starter = state.turn
    for add_on in state.add_ons:
        add_on.prepared(play)


def preparing(play: Table) -> bool:
    """Whether the Tenets are still being settled."""
    return play.state.phase is Phase.PREPARATION
