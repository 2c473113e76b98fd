"""Stances and motives (I17 to I19, I28, I50, I72, I74)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from chronicle.core.declare import Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, Fact, listed, plural
from chronicle.core.field_types import MANY_COUNTED, NAME, TEXT, MapOf, choice, in_role, label
from chronicle.core.fix import add_entry, choose_reading, drop_item, set_pair
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import AT_TABLE, TABLE, Decider, Role
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.isolation.base_dice import add_dice, add_links, copied, count_base
from chronicle.games.isolation.dice import RED, Rolled
from chronicle.games.isolation.modifiers import (
    add_modifiers,
    doubt,
    tell_modifiers,
    used_again,
    uses_of,
)
from chronicle.games.isolation.people import (
    MEANS_CHARACTER,
    OWN,
    AboutPeople,
    find_character,
    has_or_have,
    playing_role,
)
from chronicle.games.isolation.persuasion import (
    best_possible,
    net_in_words,
    read_first,
    worst_possible,
)
from chronicle.games.isolation.phases import (
    ALWAYS,
    DEATHS,
    DECISION,
    STANCES_DOUBTED,
    UNDECIDED,
    WOUNDS,
)
from chronicle.games.isolation.rolls import open_conflict
from chronicle.games.isolation.state import RANK, Conflict, Hand, PairKey, Scope, Side
from chronicle.games.isolation.table import (
    Table,
    at_hand,
    free_to_cooperate,
    known_before_gap,
    pair_keys,
    told_wounds,
)

RULES = """
# Ground rules
I18 Lower, never higher [checked; V11]
  After the roll a Passive can choose a worse stance than the dice allow, never a better one.
I19 No red link [checked; V13]
  Two characters without a red link can work together freely. No dice force them to be Hostile.

# The first reading
I28 The stance [checked]
  Each Passive takes a stance, and the log names it: Cooperative, Neutral or Hostile.

# The second reading
I50 The player says why [checked; V35]
  Dice only give a direction. Each player tells why and how their own character helps or gets in the way. The GM and the
  other players do not.
I51 How the levels feel [recorded]
  They range from an easy success with a small extra, over a task just about done, to a failure with all consequences
  and a new mishap.
  why: the table decides how a result looks in the story

# Special cases
I72 The late Hostile [checked; V58]
  A character who is Neutral by default can turn Hostile at the start of the second reading. The character then rolls
  red dice for red links with the Active, for that reading only.
I74 Getting in the way of a loner [checked]
  Any other character can turn Hostile against an Active who goes it alone. No character can be Cooperative.
"""

READINGS = """
IA1 hostile_threshold: At which net must a Passive be Hostile? The prose and the summary differ.
  - summary: a net of -2 or less
  - prose: any net below 0, which is the prose read literally where the classes allow it
  because the summary and all examples agree on -2 (I27)
IA4 no_links: A pair has no link at all. Is the Passive free to cooperate?
  - free: yes: there is no red link
  - roll: no: there is no green link either, so the net decides
  because the rule names the absence of red; such a pair brings no dice (I19)
IA5 no_red_beats_hostile: There is no red link, but the net asks for Hostile. Which wins?
  - yes: the freedom to cooperate
  - no: the dice: Hostile
  because it is the only exception that the rules name (I19, I27)
IA11 early_hostile: A character who is asked is Hostile from the start. Does that Passive roll?
  - rolls: yes, the normal dice; the red ones count in the second reading
  - no: no; there are no dice to cancel with
  because all red dice of the Hostile are pooled (I17, I46)
IA14 late_hostile_dice: Which dice does a late Hostile roll?
  - links: red dice for red links, open-ended, no modifiers
  - modifiers: the same, and red modifiers
  because the text speaks of red dice equal to red links (I72, I74)
IA41 stance_order: In which order are stances announced?
  - open: in any order; the log keeps it
  because the text is silent (I28)
IA48 default_cooperate: Can a character who was not asked and has no red link help of their own accord?
  - no: no
  - yes: yes, but without dice
  because the text only describes the step to Hostile (I71, I72, I74)
IA49 teller: Who tells what happens?
  - anybody: everybody at the table, also players whose character is dead or has left
  - living: the GM, and players whose character is still in the scenario
  because results are interpreted together, and the text excludes no player (I50)
"""

TERMS = """\
Stance, Cooperative, Neutral, Hostile [I28]: A Passive's answer to a proposal, within the limits of the dice.
"""

STANCES = ("cooperative", "neutral", "hostile", "must be hostile")
ROLES: Mapping[str, Role] = {
    "stands": playing_role("a character who was asked", "take a stance", OWN),
    "tells why": Role("a character in the conflict", "", (OWN, AT_TABLE), MEANS_CHARACTER),
}
ACTORS: Mapping[str, Decider] = {
    "each": TABLE._replace(words="the player of each character named"),
}


class NamedStance(NamedTuple):
    """A stance that the entry names.

    Attributes:
        word: the word that names the character.
        hand: the character's part in the conflict, before the entry.
        side: the stance itself.
        is_forced: whether the entry says that the character has no choice.
    """

    word: ScalarNode
    hand: Hand
    side: Side
    is_forced: bool


class Stance(AboutPeople):
    """Name the stances of all who were asked. Hostility needs no dice; other stances need dice that allow them."""

    verb = "stance"
    synonyms = ("neutral", "hostile", "support", "supportive")
    decides = Decides("each")
    moment = Moment(
        UNDECIDED,
        Refusal(
            "I28", "there is no proposal to take a stance on", fixes=(add_entry("propose: ..."),)
        ),
        {
            phase: Refusal(
                "I28",
                "the last proposal is decided, and there is no proposal to take a stance on",
                help="move the stance above the GM's dice, or write  - propose: ...  above it",
                after=(STANCES_DOUBTED,),
                doubts=(STANCES_DOUBTED,),
            )
            for phase in (DECISION, WOUNDS, DEATHS)
        },
    )
    offered = Offered("I28", "take a stance")
    example = (
        "stance: {Basil: cooperative, Cormac: hostile, Dagny: neutral}\n"
        "- difficulty: hard\n"
        "- stance: {Edda: hostile}        # Ruth did not ask her: red dice, before the GM's or with them\n"
        "- roll: {Edda: {red: 6332}, GM: 66411431346 344}"
    )
    stances = main(
        MapOf(in_role("stands", NAME), choice(*STANCES)), "{who: cooperative, neutral or hostile}"
    )
    use = option(
        MapOf(in_role("uses", NAME), label(MANY_COUNTED)),
        "modifiers of a late Hostile, if the table uses them; all other modifiers come before the roll",
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        conflict = open_conflict(play)
        if conflict is None:
            return
        waiting = [hand for hand in conflict.passives() if hand.stance is None]
        for offset in range(len(Side)):
            stances = {}
            for index, hand in enumerate(waiting):
                best = best_possible(play, conflict, hand)
                allowed = [side for side in Side if RANK[side] <= RANK[best]]
                if conflict.hands[conflict.active].throw is None:
                    allowed = [Side.HOSTILE]
                stances[hand.character] = str(allowed[(offset + index) % len(allowed)])
            if stances:
                yield {"stance": stances}
        if waiting and conflict.hands[conflict.active].throw is not None:
            return
        for hand in conflict.hands.values():
            if hand.character != conflict.active and not hand.late:
                yield {"stance": {hand.character: "hostile"}}

    def sentence(self, play: Table) -> Sentence:
        parts: list[Any] = []
        for word, stance in self.stances.items():
            id = find_character(play, word) or str(word)
            words = stance if stance.startswith("must ") else f"is {stance}"
            parts += ["; " if parts else "", *said(f"{{}} {words}", id)]
        return (*[part for part in parts if part], ".")

    # The stances, and what they are compared with.

    def draft(self, play: Table) -> Conflict | None:
        """The open conflict, with its dice counted at this moment if they have not fallen."""
        conflict = open_conflict(play)
        if conflict is None:
            return None
        draft = copied(conflict)
        if draft.hands[draft.active].throw is None:
            count_base(play, draft)
            read_first(play, draft)
        return draft

    def named_stances(self, play: Table, conflict: Conflict) -> list[NamedStance]:
        """The stances of all who can take one. Those who were asked come first, because only then can the others
        turn Hostile."""
        named_stances = [
            NamedStance(
                word,
                conflict.hands[id],
                Side.HOSTILE if stance == "must be hostile" else Side(stance),
                stance == "must be hostile",
            )
            for word, stance in self.stances.items()
            if (id := find_character(play, word)) in conflict.hands
            and id != conflict.active
            and play.state.people[id].playing
        ]
        return sorted(named_stances, key=lambda stance: stance.hand.defaulted)

    def of_asked(self, play: Table) -> Iterator[tuple[Conflict, NamedStance]]:
        """The stances of those who were asked."""
        conflict = self.draft(play)
        for stance in self.named_stances(play, conflict) if conflict is not None else ():
            if conflict is not None and not stance.hand.defaulted:
                yield conflict, stance

    def of_others(self, play: Table) -> Iterator[tuple[Conflict, NamedStance]]:
        """The stances of those who were not asked."""
        conflict = self.draft(play)
        for stance in self.named_stances(play, conflict) if conflict is not None else ():
            if conflict is not None and stance.hand.defaulted:
                yield conflict, stance

    # Guards.

    @guard("I38")
    def modifiers_come_before_the_roll(self, play: Table) -> Iterator[Violation]:
        conflict = open_conflict(play)
        for word in self.use or () if conflict is not None else ():
            assert conflict is not None
            id = find_character(play, word)
            is_late = id in conflict.defaulted
            if is_late and play.ruling("late_hostile_dice") != "modifiers":
                yield Violation(
                    f"only red links bring {id} dice, who turns Hostile late; no modifiers do",
                    word,
                    choose_reading("late_hostile_dice", "modifiers"),
                    rule="I74" if conflict.scope is Scope.ALONE else "I72",
                    doubts=[doubt(conflict, id)],
                )
            elif not is_late:
                yield Violation(
                    f"{id or word} adds dice when the faces are known; "
                    "modifiers come before the roll",
                    word,
                    facts=play.facts(conflict.rolled_step, "rolled here"),
                    doubts=[doubt(conflict, id)],
                )

    @guard("I33")
    def each_reason_is_used_once(self, play: Table) -> Iterator[Violation]:
        conflict = open_conflict(play)
        if conflict is not None:
            yield from used_again(
                play, conflict, uses_of(play, conflict, self.use or {}, {}), self.path
            )

    @guard("I28")
    def they_were_asked(self, play: Table) -> Iterator[Violation]:
        conflict = open_conflict(play)
        for word in self.stances if conflict is not None else ():
            assert conflict is not None
            id = find_character(play, word)
            if not id or not play.state.people[id].playing:
                continue
            since = play.before_gap("", conflict.step)
            if id == conflict.active:
                yield Violation(f"{id} proposes this and takes no stance on it", word, since=since)
            elif id not in conflict.hands and id == conflict.against:
                message = f"{id} is acted against, counts as absent and takes no stance"
                yield Violation(message, word, rule="I75", since=since)
            elif id not in conflict.hands:
                yield Violation(f"{id} is elsewhere and takes no stance", word, since=since)

    @guard("I18")
    def lower_never_higher(self, play: Table) -> Iterator[Violation]:
        for conflict, (word, hand, side, _) in self.of_asked(play):
            if hand.stance is not None and RANK[side] > RANK[hand.stance]:
                yield Violation(
                    f"{hand.character} was {hand.stance} and may only go lower",
                    word,
                    after=_doubts(play, conflict, hand),
                )
        for _, (word, hand, side, _) in self.of_others(play):
            if hand.late and side is not Side.HOSTILE:
                yield Violation(
                    f"{hand.character} has turned Hostile and may not go back",
                    word,
                    facts=[play.because(hand.stance_step, "turned here")],
                )

    @guard("I27")
    def hostility_is_forced_by_dice(self, play: Table) -> Iterator[Violation]:
        """A character who *must* be Hostile has dice that allow nothing else."""
        for conflict, (word, hand, _, is_forced) in [*self.of_asked(play), *self.of_others(play)]:
            if not is_forced:
                continue
            id, fixes = (
                hand.character,
                set_pair("stance", hand.character, "hostile", when="if it was a choice"),
            )
            beats = play.ruling("no_red_beats_hostile") == "yes"
            pair = play.state.pair(id, conflict.active)
            if hand.exempt and told_wounds(play, [pair]):
                continue
            if hand.defaulted:
                message = f"nothing forces {id}, who was not asked"
                rule = "I74" if conflict.scope is Scope.ALONE else "I72"
                yield Violation(message, word, fixes, rule=rule)
            elif hand.exempt and beats:
                yield Violation(
                    f"nothing forces {id}: no red link with {conflict.active}, so {id} is free",
                    word,
                    fixes,
                    since=known_before_gap(play, pair_keys(pair)),
                    rule="I19",
                )
            elif conflict.hands[conflict.active].throw is None:
                message = f"nothing forces {id} before the dice have fallen"
                yield Violation(message, word, fixes, kind=DiagnosticKind.SUSPICIOUS)
            elif (best := worst_possible(play, conflict, hand)) is not Side.HOSTILE:
                yield Violation(
                    f"{id} may be {best}: the net is {net_in_words(conflict, hand)}"
                    if hand.net is not None or conflict.unrecorded
                    else f"nothing forces {id}",
                    word,
                    fixes,
                    is_certain=_is_whole(play, conflict, pair),
                    facts=play.facts(hand.step, "rolled here"),
                    after=_doubts(play, conflict, hand),
                )

    @guard("I17")
    def only_hostility_needs_no_roll(self, play: Table) -> Iterator[Violation]:
        for conflict, (word, hand, side, _) in self.of_asked(play):
            is_open = side is not Side.HOSTILE and not _is_calm(play, conflict)
            if _lacks_active(conflict) and hand.throw is not None:
                continue
            if is_open and _is_without_dice(conflict, hand) and not hand.exempt:
                yield Violation(
                    f"{hand.character} cannot be {side} without a roll; only Hostile needs none",
                    word,
                    add_entry(f"roll: {{{hand.character}: {{green: ..., red: ...}}}}"),
                    since=known_before_gap(
                        play, ["stress:", *_pair_keys(play, conflict, hand)], RED
                    ),
                    state_kind="tracks",
                    facts=_red_facts(play, conflict, hand.character),
                    after=[*_doubts(play, conflict, hand), "stress:"],
                )

    @guard("I22")
    def active_has_rolled(self, play: Table) -> Violation | None:
        """Without the Active's dice no net allows a stance, if others have rolled."""
        for conflict, (_, hand, side, _) in self.of_asked(play):
            if side is Side.HOSTILE or hand.exempt or hand.throw is None:
                continue
            if _lacks_active(conflict):
                return Violation(
                    f"{conflict.active} has not rolled",
                    fix=add_entry(f"roll: {{{conflict.active}: {{green: ..., red: ...}}}}"),
                    facts=[play.because(conflict.step, "proposed here")],
                    doubts=[doubt(conflict, conflict.active), f"pools:{conflict.number}"],
                )
        return None

    @guard("I27", help="a player may choose a worse stance than the dice allow, never a better one")
    def dice_allow_it(self, play: Table) -> Iterator[Violation]:
        for conflict, (word, hand, side, _) in self.of_asked(play):
            is_free = side is Side.HOSTILE or _is_calm(play, conflict)
            if is_free or (_is_without_dice(conflict, hand) and not hand.exempt):
                continue
            best = best_possible(play, conflict, hand)
            if RANK[side] <= RANK[best]:
                continue
            active = conflict.hands[conflict.active]
            net = net_in_words(conflict, hand)
            pair = play.state.pair(hand.character, conflict.active)
            is_one_up = side is Side.COOPERATIVE and best is Side.NEUTRAL
            yield Violation(
                f"{hand.character} is {side} with a net of {net}; the best the dice allow is {best}",
                word,
                set_pair("stance", hand.character, best),
                rule="I18" if is_one_up else "I27",
                place_label=f"{hand.evens} green evens less {active.odds} red odds"
                if hand.has_figure("evens") and active.has_figure("odds")
                else "",
                is_certain=_is_whole(play, conflict, pair),
                since=_red_links_before_gap(play, conflict, hand),
                state_kind="tracks",
                facts=[
                    *play.facts(hand.step, "rolled here"),
                    *_red_facts(play, conflict, hand.character),
                ],
                after=[*_doubts(play, conflict, hand), f"reading:{conflict.number}"],
            )

    @guard("I72", help="characters who were not asked stay Neutral or turn Hostile")
    def others_do_not_help(self, play: Table) -> Iterator[Violation]:
        for conflict, (word, hand, side, _) in self.of_others(play):
            if side is not Side.COOPERATIVE or hand.late:
                continue
            is_free = play.ruling("default_cooperate") == "yes" and free_to_cooperate(
                play, hand.character, conflict.active
            )
            if not is_free:
                yield Violation(
                    f"{hand.character} was not asked and cannot cooperate",
                    word,
                    set_pair("stance", hand.character, "neutral"),
                    rule="I74" if conflict.scope is Scope.ALONE else "I72",
                    facts=[
                        play.because(
                            conflict.step, f"{conflict.active} did not ask {hand.character}"
                        )
                    ],
                )

    @question("I72")
    def late_hostiles_wait(self, play: Table) -> Iterator[Violation]:
        for conflict, (word, hand, side, _) in self.of_others(play):
            named = {stance.hand.character for stance in self.named_stances(play, conflict)}
            waiting = [
                passive.character
                for passive in conflict.passives()
                if passive.stance is None and passive.character not in named
            ]
            if side is Side.HOSTILE and waiting and not hand.late:
                yield Violation(
                    f"{hand.character} turns Hostile before {listed(waiting)} "
                    f"{has_or_have(waiting)} taken a stance; "
                    "late Hostiles turn when all stances are known",
                    word,
                    help="write it below the stances of the others",
                    since=play.before_gap("", conflict.step),
                )

    # Effect.

    def apply(self, play: Table) -> None:
        conflict = open_conflict(play)
        if conflict is None:
            return
        conflict.steps.append(play.step.number)
        if play.ruling("late_hostile_dice") == "modifiers":
            late = {w: c for w, c in (self.use or {}).items() if _is_default(play, conflict, w)}
            uses = uses_of(play, conflict, late, {})
            add_modifiers(play, conflict, uses)
            tell_modifiers(play, uses)
        if conflict.hands[conflict.active].throw is None:
            count_base(play, conflict)
            read_first(play, conflict)
        for stance in self.named_stances(play, conflict):
            if stance.hand.defaulted:
                _turn(play, conflict, stance)
            else:
                _take(play, conflict, stance)


def _is_default(play: Table, conflict: Conflict, word: ScalarNode) -> bool:
    return find_character(play, word) in conflict.defaulted


def _is_calm(play: Table, conflict: Conflict) -> bool:
    """I63: whether all characters agree or refuse as they like."""
    return play.state.stress == 0 and not any(hand.throw for hand in conflict.hands.values())


def _is_without_dice(conflict: Conflict, hand: Hand) -> bool:
    """I17: whether no dice have limited a stance yet."""
    is_early = conflict.hands[conflict.active].throw is None
    return is_early or (hand.throw is None and hand.has_dice)


def _is_whole(play: Table, conflict: Conflict, pair: PairKey) -> bool:
    """Whether nothing that can change the net is missing in the record, except unrecorded faces of this conflict."""
    is_open = any(gap.step_number not in conflict.steps for gap in play.gaps.all_gaps)
    return conflict.unrecorded and not is_open and not told_wounds(play, [pair])


def _lacks_active(conflict: Conflict) -> bool:
    """Whether others have rolled, and the Active has not."""
    active = conflict.hands[conflict.active]
    return bool(conflict.rolled_step) and active.throw is None and active.has_dice


def _doubts(play: Table, conflict: Conflict, hand: Hand) -> list[str]:
    keys = _pair_keys(play, conflict, hand)
    return [doubt(conflict, hand.character), doubt(conflict, conflict.active), *keys]


def _pair_keys(play: Table, conflict: Conflict, hand: Hand) -> tuple[str, ...]:
    return pair_keys(play.state.pair(hand.character, conflict.active))


def _red_links_before_gap(play: Table, conflict: Conflict, hand: Hand) -> int | None:
    """The entry from which the red links with the Active are known, if a gap after it may have erased the last one.
    Then the Passive is free (I19). Red dice that no modifier brings prove such a link."""
    reds = hand.throw.of(RED) if hand.throw is not None else Rolled()
    modifiers = conflict.modifiers.get(hand.character, ())
    by_modifiers = sum(modifier.dice for modifier in modifiers if modifier.colour is RED)
    if len(reds.faces) - reds.chains(RED) > by_modifiers:
        return None
    return known_before_gap(play, _pair_keys(play, conflict, hand), RED)


def _red_facts(play: Table, conflict: Conflict, id: str) -> list[Fact]:
    reds = play.state.labelled(play.state.pair(id, conflict.active), RED)
    return [play.because(reds[0].since, f"red link '{reds[0].label}'")] if reds else []


def _take(play: Table, conflict: Conflict, stance: NamedStance) -> None:
    """I28: a character who was asked takes a stance."""
    hand, side, id = stance.hand, stance.side, stance.hand.character
    is_early = conflict.hands[conflict.active].throw is None
    if side is Side.HOSTILE and is_early:
        hand.early = True
        play.event(f"{id} is against it before the dice fall", "I17", "early", id)
    elif side is not Side.HOSTILE and not conflict.unrecorded and _is_calm(play, conflict):
        play.event(f"{id} is free to choose: Stress is 0", "I63", "free", id)
    hand.stance = side
    hand.stance_step = play.step.number
    if RANK[side] < RANK[hand.best] and not is_early:
        play.event(f"{id} could have been {hand.best} and is {side}", "I18", "downgrade", id)
    elif side is Side.COOPERATIVE and hand.net is not None and hand.net < 2 and hand.exempt:
        play.event(f"{id} helps freely: no red link", "I19", "exception", id)
    else:
        play.event(f"{id} is {side}", "I28", "stance", id)


def _turn(play: Table, conflict: Conflict, stance: NamedStance) -> None:
    """I72, I74: a character who was not asked turns Hostile, but cannot help."""
    hand, id = stance.hand, stance.hand.character
    if hand.late:
        return
    if stance.side is Side.COOPERATIVE:
        hand.stance = Side.COOPERATIVE
    if stance.side is not Side.HOSTILE:
        return
    hand.late = True
    hand.stance_step = play.step.number
    hand.green = hand.red = 0
    hand.sources = []
    add_links(play, hand, [conflict.active], RED)
    if play.ruling("late_hostile_dice") == "modifiers":
        for modifier in conflict.modifiers.get(id, ()):
            if modifier.colour is RED:
                add_dice(hand, RED, modifier.dice, modifier.why)
    hand.final = Side.HOSTILE
    play.event(
        f"{id} turns Hostile: {plural(hand.red, 'red die', 'red dice')} in the second reading",
        "I74" if conflict.scope is Scope.ALONE else "I72",
        "turns",
        id,
    )


# --- motives --------------------------------------------------------------------------------------


class Motive(AboutPeople):
    """Tell why and how a character acts as the dice ask. Only the character's player does this."""

    verb = "motive"
    synonyms = ("why", "reason", "motivation")
    decides = Decides("each")
    moment = ALWAYS
    offered = Offered("I50", "tell why and how a character acts", weight=-1)
    example = "motive: {Cormac: He heard it breathing at the other end of the rope}"
    motives = main(
        MapOf(in_role("tells why", NAME), TEXT), "{who: why and how}", text_role=TextRole.SPOKEN
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        conflict = at_hand(play)
        ids = conflict.hands if conflict is not None else play.state.people
        for id in (id for id in ids if play.state.people[id].playing):
            yield {"motive": {id: "because of what was said"}}

    def sentence(self, play: Table) -> Sentence:
        ids = [find_character(play, word) for word in self.motives]
        verb = "says" if len(ids) == 1 else "say"
        return said(f"{{}} {verb} why.", [id for id in ids if id] or "")

    @guard("I50")
    def says_something(self, play: Table) -> Iterator[Violation]:
        for word, words in self.motives.items():
            if not str(words).strip():
                yield Violation(f"the record does not say why {word} acts so", word)

    @guard("I50")
    def they_take_part(self, play: Table) -> Iterator[Violation]:
        """Who is dead or has left before a proposal does not act in it, and neither does who is elsewhere."""
        conflict = at_hand(play)
        begun = conflict.step if conflict is not None else play.step.number
        for word in self.motives:
            id = find_character(play, word)
            person = play.state.people.get(id)
            if person is None:
                continue
            if not person.alive and person.died <= begun:
                yield Violation(
                    f"{id} is dead and does not act",
                    word,
                    drop_item(str(word)),
                    rule="I64",
                    facts=play.facts(person.died, "died here"),
                    is_certain=True,
                )
            elif person.out and person.out <= begun:
                yield Violation(
                    f"{id} is out of the scenario and does not act",
                    word,
                    drop_item(str(word)),
                    rule="I42",
                    facts=play.facts(person.out, "left here"),
                    is_certain=True,
                )
            elif conflict is not None and id in conflict.absent:
                yield Violation(
                    f"{id} is elsewhere and takes no part in this",
                    word,
                    kind=DiagnosticKind.SUSPICIOUS,
                    facts=[play.because(conflict.step, "proposed here")],
                )

    def apply(self, play: Table) -> None:
        conflict = at_hand(play)
        paragraphs: list[str] = []
        for word, words in self.motives.items():
            id = find_character(play, word)
            if not id:
                continue
            owner = play.state.people[id].player
            paragraphs.append(f"**{word}:** {words}")
            play.step.player = play.step.player if self.by is not None else owner
            if conflict is not None:
                conflict.motives[id] = str(words)
                conflict.touch(play.step.number)
            play.event(f"{id}: {words}", "I50", "motive", id)
        fiction = [play.step.fiction] if play.step.fiction else []
        play.step.fiction = "\n\n".join([*paragraphs, *fiction])
