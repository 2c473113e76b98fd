"""Rolling: everybody once, later late Hostiles and the GM; and the Difficulty (I22 to I28, I39 to I44, I63, I77)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from chronicle.core.declare import Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, WHOLE, MapOf, in_role
from chronicle.core.fix import BLANK, add_entry, drop_item, replace_with, write_instead, write_word
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import Role
from chronicle.core.sentences import Sentence
from chronicle.core.source import Place, ScalarNode, place_of
from chronicle.games.isolation import table
from chronicle.games.isolation.base_dice import at_this_moment, copied, count_base
from chronicle.games.isolation.bounds import evens_by_faces, net_by_figures, odds_by_faces
from chronicle.games.isolation.counting import Guess, compare, is_earned
from chronicle.games.isolation.dice import GREEN, RED, THREAT, THREAT_WORDS, THROWS, Colour, Throw
from chronicle.games.isolation.modifiers import doubt
from chronicle.games.isolation.people import (
    AboutPeople,
    find_character,
    gone,
    has_or_have,
    is_or_are,
    playing_role,
)
from chronicle.games.isolation.persuasion import (
    Thrower,
    draw_first,
    headline_of,
    hide_throws,
    put_throws,
    read_first,
    state_figures,
    tell_first,
)
from chronicle.games.isolation.phases import MIDWAY, SETUP, STANCES_DOUBTED, START, UNDECIDED
from chronicle.games.isolation.ratings import RATING
from chronicle.games.isolation.resolution import (
    base_against,
    defence_dice,
    defence_reds,
    lacks_parts,
    throw_threat,
)
from chronicle.games.isolation.state import (
    DIFFICULTIES,
    WORDS_OF_DIFFICULTY,
    Conflict,
    Hand,
    Rating,
    Scope,
    Side,
    Topic,
)
from chronicle.games.isolation.table import (
    Table,
    counted_links,
    pair_keys,
    told_wounds,
)

RULES = """
# The first reading
I22 One roll, two readings [checked; V15]
  Each character in a conflict rolls once. The group reads the same faces twice: first for who helps, then for how it
  ends.
I23 The Active's dice [checked; V16]
  The Active rolls a green die for each green link and a red die for each red link with the characters who are asked,
  and modifiers.
I24 The Active's red odds [checked; V17]
  The Active counts odd faces on red dice, and subtracts even faces on the Active's own green dice. The number never
  falls below 0.
I25 A Passive's dice [checked]
  A Passive rolls a green die for each green link and a red die for each red link with the Active, and modifiers. Links
  with other characters bring no dice.
I26 A Passive's green evens [checked; V18]
  A Passive counts even faces on green dice, and subtracts odd faces on the Passive's own red dice. The number can fall
  below 0.
I27 The net [checked; V12]
  The net is the Passive's green evens less the Active's red odds. At +2 or more the Passive can cooperate. At -2 or
  less the Passive must be Hostile. In between, Neutral is the best stance.

# The second reading
I40 The GM sets the Difficulty [checked]
  When all stances are known, the GM says how hard the task is. Chronicle points out a Difficulty that is set earlier.
  Without a Difficulty the GM cannot roll against the group.
I41 Six difficulties [checked; V26]
  Easy is one die, average two, hard three, really hard four, extremely hard five, impossible six.
I42 Living Characters [checked; V27 V28]
  The GM adds one red die for each character who is alive and still in the scenario, present or not. Characters who are
  dead or have left do not count.
I43 Stress makes it harder [checked; V29]
  The GM adds one red die for each point of Stress.
I44 The GM's roll [checked]
  The GM rolls red dice for Difficulty, Living Characters and Stress together. They are open-ended, and only odd faces
  count.
"""

READINGS = """
IA2 counted_odds: The second example counts three red odds where the dice show four.
  - rule: count by the rule: four
  because that is arithmetic; the stances of the example stay the same (I24)
IA3 no_red_roll: Does a pair without red links roll?
  - yes: yes, like all who are asked
  - no: no: that Passive is free and brings no dice
  because the second reading needs the dice (I19, I25)
IA6 unlabelled_count: Do unlabelled links count for dice and for the exception of I19?
  - yes: yes, like labelled links
  - no: no, they only count for each other and for pair rolls
  because they are links (I23, I25, I19)
IA12 modifiers_second: Do modifier dice of a Passive count in the second reading?
  - yes: yes: it is the same roll
  because one roll is read twice (I22, I45)
IA35 living: Who counts as a Living Character?
  - in_scenario: Dying and absent characters do, characters who have left do not
  - alive: all who are alive, also those who have left
  because the text says alive and still in the scenario (I42)
"""

ERRATA = """
IT2 The second example miscounts the Active's red dice [I24]
  With modifiers the carpenter's red dice show 5, 4, 3, 6, 1 and, from two 1s, 1 and 2. The text counts three odd
  faces, but there are four (5, 3, 1, 1). Against three green evens one red odd is left, not none.
IT3 The nets of the second example [I27]
  With one red odd instead of none the two nets are +2 and -3, not +3 and -2. They allow the same stances: the first
  can cooperate, the second must be Hostile.
IT9 Two sentences for the Hostile class [I27 IA1]
  The prose makes a Passive Hostile at two or less green evens than the red odds. Read literally, it overlaps the other
  classes. The summary says -2 or less, and all examples follow it.
"""

TERMS = """\
Difficulty [I40]: How hard a task is. The GM sets it when all stances are known.
"""

_DICE_THAT_COUNT: Mapping[Side, str] = {
    Side.HOSTILE: "all red dice of a Hostile count",
    Side.COOPERATIVE: "all green dice of a Cooperative count",
    Side.NEUTRAL: "all who are asked roll",
}
ROLES: Mapping[str, Role] = {
    "rolls": playing_role("a character who rolls", "roll")._replace(groups=THREAT_WORDS),
}


def is_threat(play: Table, word: ScalarNode) -> bool:
    """Whether a word means the dice of the threat, which the GM rolls."""
    text = word.casefold()
    is_character = any(text == id.casefold() for id in play.state.people)
    return text in (*THREAT_WORDS, play.runner.casefold() or "gm") and not is_character


class Parts(NamedTuple):
    """The dice of an entry: those of the first reading by character, and those of the GM or the defender."""

    first: Mapping[str, Thrower]
    threat: Thrower | None = None
    defends: bool = False


class RollsDice(AboutPeople):
    """An entry with dice. Guards look at a draft of the conflict, with the dice of the entry in it."""

    def named_words(self) -> Iterator[ScalarNode]:
        yield from (word for word in super().named_words() if word.casefold() not in THREAT_WORDS)

    def parts(self, play: Table, conflict: Conflict) -> Parts:
        """The dice of the entry."""
        raise NotImplementedError

    def draft(self, play: Table) -> tuple[Conflict, Parts] | None:
        """The open conflict with the dice of the first reading, and the dice of the entry."""
        raise NotImplementedError

    def place_of(self, word: ScalarNode) -> Place:
        """Where a word is."""
        return place_of(word, self.path)

    def threatened(self, play: Table) -> tuple[Conflict, Parts, Thrower] | None:
        """The same, if the dice of the GM or the defender fall and are on record."""
        drafted = self.draft(play)
        if drafted is None or drafted[1].threat is None or drafted[1].threat.throw.hidden:
            return None
        return (*drafted, drafted[1].threat)

    def stated_living(self) -> int | None:
        """The Living Characters as counted at the table, if the entry states them."""
        return None

    # Guards: the dice against a proposal.

    @guard(
        "I42",
        at="living",
        help="all who are alive and in the scenario count, present or not; the dead do not",
    )
    def counts_the_living(self, play: Table) -> Violation | None:
        conflict, living = open_conflict(play), table.living_count(play)
        if conflict is None or self.stated_living() in (None, living):
            return None
        violation = Violation(
            f"{plural(living, 'character is', 'characters are')} alive and in the scenario, "
            f"not {self.stated_living()}",
            facts=[
                play.because(
                    person.died or person.out,
                    f"{person.id} {'died' if person.died else 'left'} here",
                )
                for person in play.state.people.values()
                if not person.playing
            ],
            fix=write_word(living),
            doubts=[f"living:{conflict.number}", "living:"],
        )
        return table.living_known(play, violation, ())

    @guard("I77")
    def defender_rolls_instead(self, play: Table) -> Violation | None:
        threatened = self.threatened(play)
        if threatened is None or not threatened[0].against or threatened[1].defends:
            return None
        against = threatened[0].against
        return Violation(
            f"{against} rolls instead of the GM: red links, the others alive, Stress",
            self.place_of(threatened[2].word),
        )

    @guard("I40")
    def difficulty_is_set(self, play: Table) -> Violation | None:
        threatened = self.threatened(play)
        if threatened is None or threatened[0].against or threatened[0].rating is not None:
            return None
        conflict = threatened[0]
        return Violation(
            "the GM rolls, and the Difficulty is not set",
            self.place_of(threatened[2].word),
            add_entry("difficulty: average"),
            since=play.before_gap("", conflict.step),
            after=[f"dice:{conflict.number}:{conflict.active}"],
        )

    @guard("I44")
    def threat_has_its_dice(self, play: Table) -> Violation | None:
        threatened = self.threatened(play)
        if (
            threatened is None
            or threatened[1].defends
            or threatened[0].against
            or threatened[0].rating is None
        ):
            return None
        conflict, _, (word, throw) = threatened
        return _compare_gm(play, conflict, throw, self.place_of(word))

    @guard("I44")
    def gm_rolls_red_dice(self, play: Table) -> Violation | None:
        threatened = self.threatened(play)
        if threatened is None or threatened[0].against or not threatened[2].throw.of(GREEN).faces:
            return None
        return Violation("the GM rolls red dice only", self.place_of(threatened[2].word))

    @guard("I77")
    def defender_has_the_dice(self, play: Table) -> Iterator[Violation]:
        threatened = self.threatened(play)
        if threatened is not None and threatened[1].defends:
            conflict, _, (word, throw) = threatened
            yield from _compare_defence(play, conflict, throw, self.place_of(word))

    # Guards: all stances and rolls are there when the second reading begins.

    def second_reading(self, play: Table) -> Conflict | None:
        """The conflict, if its second reading begins with this entry."""
        threatened = self.threatened(play)
        if threatened is None or threatened[0].unrecorded or lacks_parts(play, threatened[0]):
            return None
        return threatened[0]

    @guard("I22")
    def active_has_rolled(self, play: Table) -> Violation | None:
        conflict = self.second_reading(play)
        if conflict is None:
            return None
        active = conflict.hands[conflict.active]
        if active.throw is not None or not active.has_dice:
            return None
        roll = f"{{{active.character}: {{green: ..., red: ...}}}}"
        is_alone = conflict.scope is Scope.ALONE
        return Violation(
            f"{active.character} has not rolled",
            fix=() if is_alone else add_entry(f"roll: {roll}"),
            help=f"set the Difficulty without the GM's dice;  - roll: {roll}  comes between the two"
            if is_alone
            else (),
            since=play.before_gap("", conflict.step),
            after=[doubt(conflict, conflict.active)],
            doubts=[f"pools:{conflict.number}"],
        )

    @guard("I22", DiagnosticKind.UNKNOWN)
    def actives_roll_is_on_record(self, play: Table) -> Violation | None:
        """The Active rolls before the GM, also where the faces of the GM are unrecorded."""
        drafted = self.draft(play)
        if drafted is None or drafted[1].threat is None or not drafted[1].threat.throw.hidden:
            return None
        conflict = drafted[0]
        active = conflict.hands[conflict.active]
        if active.throw is not None or not active.has_dice or lacks_parts(play, conflict):
            return None
        return Violation(
            f"the record does not say how {active.character} rolled",
            fix=add_entry(f"roll: {{{active.character}: unrecorded}}"),
            facts=[play.because(conflict.step, "proposed here")],
            after=[doubt(conflict, conflict.active)],
            is_certain=True,
        )

    @guard("I72")
    def late_hostiles_have_rolled(self, play: Table) -> Iterator[Violation]:
        conflict = self.second_reading(play)
        for hand in conflict.hands.values() if conflict is not None else ():
            if conflict is not None and hand.late and hand.throw is None and hand.red:
                yield Violation(
                    f"{hand.character} turned Hostile and has not rolled "
                    f"{plural(hand.red, 'red die', 'red dice')}",
                    rule="I74" if conflict.scope is Scope.ALONE else "I72",
                    fix=add_entry(f"roll: {{{hand.character}: {{red: ...}}}}"),
                    facts=[play.because(hand.stance_step, "turned here")],
                    after=[doubt(conflict, hand.character)],
                )

    @guard("I28")
    def all_have_a_stance(self, play: Table) -> Iterator[Violation]:
        conflict = self.second_reading(play)
        if conflict is None:
            return
        waiting = [hand for hand in conflict.passives() if hand.stance is None]
        forced = [hand for hand in waiting if hand.net is not None and hand.best is Side.HOSTILE]
        for hands in ([hand for hand in waiting if hand not in forced], forced):
            ids = [hand.character for hand in hands]
            blanks = ", ".join(f"{id}: {BLANK}" for id in ids)
            is_rolled = all(hand.throw is not None for hand in hands)
            if not ids:
                continue
            yield Violation(
                f"the record has no stance of {listed(ids)}, who {'counts' if len(ids) == 1 else 'count'} as Neutral"
                if hands is not forced
                else f"{listed(ids)} {has_or_have(ids)} taken no stance; the dice leave only Hostile",
                fix=add_entry(f"stance: {{{blanks}}}"),
                since=play.before_gap("", conflict.step if is_rolled else 0),
                doubts=[STANCES_DOUBTED],
            )

    @guard("I25")
    def all_who_are_asked_have_rolled(self, play: Table) -> Iterator[Violation]:
        conflict = self.second_reading(play)
        for hand in conflict.passives() if conflict is not None else ():
            if hand.throw is not None or not hand.has_dice or hand.stance is None:
                continue
            if hand.stance is Side.HOSTILE or hand.exempt:
                yield Violation(
                    f"{hand.character} has not rolled; {_DICE_THAT_COUNT[hand.stance]}",
                    # To work against a character needs no roll (I17).
                    kind=DiagnosticKind.UNKNOWN,
                    fix=add_entry(f"roll: {{{hand.character}: {{green: ..., red: ...}}}}"),
                )

    def roll_threat(self, play: Table, conflict: Conflict, parts: Parts) -> None:
        """The effect of the dice of the GM or the defender."""
        if parts.threat is not None:
            throw_threat(play, conflict, parts.threat.throw, defends=parts.defends)

    def note_unrecorded(self, play: Table, conflict: Conflict) -> None:
        """The result of unrecorded dice is unknown until it is stated."""
        conflict.touch(play.step.number)
        play.mark_outcome_unknown()
        text = "not all faces are recorded; the stated result counts"
        play.event(text, "I49", "unrecorded")


def open_conflict(play: Table) -> Conflict | None:
    """The conflict that has no result yet."""
    conflict = play.state.conflict
    return conflict if conflict is not None and conflict.level is None else None


# --- roll -----------------------------------------------------------------------------------------


class Roll(RollsDice):
    """Roll: the Active and everybody asked, in both colours; later late Hostiles and the GM."""

    verb = "roll"
    synonyms = ("dice", "throw")
    already_shown_kinds = frozenset({"odds", "net", "threat", "level"})
    decides = Decides("table")
    moment = Moment(
        UNDECIDED,
        Refusal(
            "I22",
            "this conflict is decided; no more dice are rolled",
            after=(STANCES_DOUBTED,),
            fixes=(add_entry("propose: ..."),),
        ),
        {
            phase: Refusal(
                "I20",
                "there is no proposal to roll for",
                fixes=(add_entry("propose: ..."),),
            )
            for phase in (SETUP, START, MIDWAY)
        },
    )
    offered = Offered("I22", "roll the dice")
    example = (
        "roll:\n    Ruth: {green: 4361 2, red: 531 6}\n    Basil: {green: 242, red: 4}\n"
        "- roll: {GM: 431532153 5}        # once the Difficulty is known"
    )
    throws = main(
        in_role("rolls", THROWS),
        "{who: {green: faces, red: faces}, GM: faces}, extra dice after the first throw",
    )
    odds = option(
        MapOf(in_role("named", NAME), WHOLE),
        "{who: red odds of the first reading}; checked",
        computed=True,
    )
    evens = option(
        MapOf(in_role("named", NAME), WHOLE),
        "{who: green evens of the first reading}; checked",
        computed=True,
    )
    net = option(
        MapOf(in_role("named", NAME), WHOLE),
        "{who: net of the first reading}; checked",
        computed=True,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        conflict = open_conflict(play)
        if conflict is None:
            return
        draft, random = at_this_moment(play, conflict), Random(len(play.steps))
        waiting = [
            hand
            for hand in draft.hands.values()
            if hand.throw is None and hand.has_dice and (not hand.defaulted or hand.late)
        ]
        for _ in range(4):
            if waiting and not (
                conflict.scope is Scope.ALONE and conflict.needs_rating and conflict.rating is None
            ):
                yield {
                    "roll": {
                        hand.character: {"red": roll_on(random, hand.red, RED)}
                        if hand.late
                        else throw_of(random, hand.green, hand.red)
                        for hand in waiting
                    }
                }
            elif conflict.against:
                yield {"roll": {conflict.against: throw_of(random, *defence_dice(play, conflict))}}
            elif conflict.rating is not None:
                base = base_against(play, conflict, Throw(), defends=False)
                yield {"roll": {"GM": roll_on(random, base.red, RED)}}

    def sentence(self, play: Table) -> Sentence:
        return ("The dice fall.",)

    def hides_all(self, conflict: Conflict) -> bool:
        """Whether all dice of the first reading are unrecorded: ``roll: unrecorded``."""
        words = [*self.throws]
        is_bare = len(words) == 1 and words[0] == THREAT and self.throws[words[0]].hidden
        return is_bare and not conflict.rolled_step

    def parts(self, play: Table, conflict: Conflict) -> Parts:
        first: dict[str, Thrower] = {}
        threat, defends = None, False
        for word, throw in self.throws.items():
            thrower = Thrower(word, throw)
            if is_threat(play, word):
                threat = thrower
                continue
            id = find_character(play, word)
            # If the Active goes it alone there is no stance to take, so both can roll at the same time.
            is_second = bool(conflict.rolled_step) or conflict.scope is Scope.ALONE
            if id and id == conflict.against and is_second:
                threat, defends = thrower, True
            elif id:
                first[id] = thrower
        return Parts(first, None if self.hides_all(conflict) else threat, defends)

    def draft(self, play: Table) -> tuple[Conflict, Parts] | None:
        conflict = open_conflict(play)
        if conflict is None:
            return None
        draft, parts = copied(conflict), self.parts(play, conflict)
        if self.hides_all(conflict):
            hide_throws(play, draft)
        elif parts.first:
            put_throws(play, draft, parts.first, is_draft=True)
        return draft, parts

    def stated_figures(self, play: Table) -> dict[str, dict[str, int]]:
        """The figures of the first reading that it states, by character and key."""
        figures: dict[str, dict[str, int]] = {}
        for key, stated in (("odds", self.odds), ("evens", self.evens), ("net", self.net)):
            for word, figure in (stated or {}).items():
                figures.setdefault(find_character(play, word), {})[key] = figure
        return figures

    # Guards: the dice of the first reading.

    @question("I63")
    def dice_are_needed(self, play: Table) -> Violation | None:
        conflict = open_conflict(play)
        if conflict is None or play.state.stress or conflict.rolled_step or conflict.unrecorded:
            return None
        return Violation(
            "dice at Stress 0, where no roll is needed",
            since=table.known_before_gap(play, ["stress:"]),
            state_kind="tracks",
            after=["stress:"],
            fix=write_instead("result: basic success", when="if it went so"),
            help="and take the other dice, the stances and the Difficulty of this proposal out",
        )

    @guard("I71")
    def rollers_take_part(self, play: Table) -> Iterator[Violation]:
        conflict = open_conflict(play)
        for id, (word, _) in self.parts(play, conflict).first.items() if conflict else ():
            assert conflict is not None
            hand = conflict.hands.get(id)
            if hand is None and id == conflict.against:
                yield Violation(
                    f"{id} is treated as absent now, and rolls when the others' stances are known",
                    word,
                    since=play.before_gap("", conflict.step),
                    rule="I75",
                )
            elif hand is None and play.state.people[id].playing:
                message = f"{id} takes no part in this and does not roll"
                yield Violation(message, word, since=play.before_gap("", conflict.step))
            elif hand is not None and hand.throw is None and hand.defaulted and not hand.late:
                yield Violation(
                    f"{id} defaults to Neutral and does not roll",
                    word,
                    help=f"if {id} got in the way, the red dice of {id} come after the stances:  "
                    f"- stance: {{{id}: hostile}}  and then  - roll: {{{id}: {{red: ...}}}}",
                    facts=[play.because(conflict.step, f"{conflict.active} asks others")],
                    doubts=[doubt(conflict, id)],
                )

    @guard("I22")
    def each_rolls_once(self, play: Table) -> Iterator[Violation]:
        conflict = open_conflict(play)
        for id, (word, _) in self.parts(play, conflict).first.items() if conflict else ():
            assert conflict is not None
            hand = conflict.hands.get(id)
            if hand is not None and hand.throw is not None:
                fell = f"green {hand.throw.of(GREEN)}; red {hand.throw.of(RED)}"
                yield Violation(
                    f"{id} has rolled; the same roll is read twice",
                    word,
                    facts=[play.because(hand.step, "unrecorded" if hand.throw.hidden else fell)],
                )

    @guard("I23")
    def each_rolls_the_dice_due(self, play: Table) -> Iterator[Violation]:
        drafted = self.draft(play)
        if drafted is None:
            return
        conflict, parts = drafted
        for id, (word, throw) in parts.first.items():
            hand = conflict.hands.get(id)
            if hand is None or hand.throw is None or hand.step != play.step.number:
                continue
            for colour in (GREEN, RED):
                rolled = throw.written(colour)
                is_hidden = throw.hidden and rolled is None
                if is_hidden or (rolled is not None and rolled.hidden):
                    continue
                violation = _compare_hand(play, conflict, hand, colour, throw, self.place_of(word))
                if violation is not None:
                    yield violation

    @guard("I24")
    def stated_figures_agree(self, play: Table) -> Iterator[Violation]:
        drafted = self.draft(play)
        if drafted is None:
            return
        conflict = drafted[0]
        state_figures(conflict, self.stated_figures(play))
        doubts = [doubt(conflict, id) for id in conflict.hands]
        reading = f"reading:{conflict.number}"
        for key, stated in (("odds", self.odds), ("evens", self.evens), ("net", self.net)):
            for word, figure in (stated or {}).items():
                hand = conflict.hands.get(find_character(play, word))
                violation = _compare_figure(conflict, hand, key, figure)
                if violation is not None:
                    yield violation._replace(
                        at=self.place(key, str(word)), after=[*doubts, reading], doubts=[reading]
                    )

    # Effect.

    def apply(self, play: Table) -> None:
        conflict = open_conflict(play)
        if conflict is None:
            return
        parts = self.parts(play, conflict)
        play.step.headline = "The dice"
        if self.hides_all(conflict):
            hide_throws(play, conflict)
            conflict.rolled_step = play.step.number
            conflict.unrecorded = True
            state_figures(conflict, self.stated_figures(play))
            read_first(play, conflict)
            tell_first(play, conflict)
        elif parts.first:
            put_throws(play, conflict, parts.first)
            conflict.touch(play.step.number)
            for id, (_, throw) in parts.first.items():
                hand = conflict.hands.get(id)
                if hand is not None and hand.step == play.step.number:
                    table.note_throw(play, throw, play.state.people[id].player)
            state_figures(conflict, self.stated_figures(play))
            read_first(play, conflict)
            tell_first(play, conflict)
            play.step.headline = headline_of(conflict, play.step.number)
            draw_first(play, conflict)
        self.roll_threat(play, conflict, parts)
        if any(throw.hidden for throw in self.throws.values()):
            self.note_unrecorded(play, conflict)


def roll_on(random: Random, base: int, colour: Colour) -> list[int]:
    """Faces of ``base`` dice with every chain rolled out."""
    faces = [random.randint(1, 6) for _ in range(base)]
    index = 0
    while index < len(faces):
        if faces[index] == colour.chain and len(faces) < 2 * base + 40:
            faces.append(random.randint(1, 6))
        index += 1
    return faces


def throw_of(random: Random, green: int, red: int) -> dict[str, list[int]]:
    """A throw of dice of both colours."""
    return {"green": roll_on(random, green, GREEN), "red": roll_on(random, red, RED)}


def dice_with(play: Table, id: str, partners: Iterable[str], colour: Colour) -> int:
    """How many dice of a colour the links with some partners bring."""
    index = (GREEN, RED).index(colour)
    return sum(counted_links(play, play.state.pair(id, partner))[index] for partner in partners)


def _compare_figure(
    conflict: Conflict, hand: Hand | None, key: str, figure: int
) -> Violation | None:
    """A figure of the first reading that the log states as well."""
    active = conflict.hands[conflict.active]
    if hand is None:
        return None
    name = hand.character
    is_known = hand.is_known and (key != "net" or active.is_known)
    if not is_known:
        return _compare_open_figure(conflict, hand, key, figure)
    actual: int | None = getattr(hand, key)
    if actual is None or actual == figure:
        return None
    if key == "odds" and hand is active:
        floor = " (never below 0)" if figure < 0 else ""
        message = f"{name} has {plural(actual, 'red odd')}, not {figure}{floor}"
        return Violation(message, rule="I24")
    if key == "odds":
        message = f"red odds are the Active's figure; {name} has green evens"
        return Violation(message, rule="I26")
    if key == "evens":
        counts = " (below 0 counts)" if actual < 0 <= figure else ""
        message = f"{name} has {plural(actual, 'green even')}, not {figure}{counts}"
        return Violation(message, rule="I26")
    message = f"{name}'s net is {hand.evens} - {active.odds} = {actual}, not {figure}"
    return Violation(message, rule="I27")


def _compare_open_figure(conflict: Conflict, hand: Hand, key: str, figure: int) -> Violation | None:
    """A stated figure of the first reading, where not all faces are on record."""
    is_active, name = hand.character == conflict.active, hand.character
    if (key == "odds") is not is_active or conflict.scope is Scope.ALONE:
        return None
    if key == "odds":
        possible, rule = odds_by_faces(hand), "I24"
    elif key == "evens":
        possible, rule = evens_by_faces(hand), "I26"
    else:
        possible, rule = net_by_figures(conflict, hand), "I27"
    if possible.may_be(figure):
        return None
    if key == "odds" and figure < 0:
        return Violation(f"{name} has at least 0 red odds, not {figure}", rule=rule)
    noun = {"odds": "red odds", "evens": "green evens", "net": "a net"}[key]
    words = f"a net of {possible}" if key == "net" else f"{possible} {noun}"
    return Violation(f"the figures on record leave {name} {words}, not {figure}", rule=rule)


_GOAL_OR_BIAS = ("I32", "I33", "I35", "I36")
"""The rules of a die for Goal or Bias."""


def _joined(conflict: Conflict, hand: Hand, colour: Colour) -> Iterator[Guess]:
    """IA7: a die for Goal and Bias each, where both bring one together."""
    id = hand.character
    for modifier in conflict.modifiers.get(id, ()):
        if modifier.rule in _GOAL_OR_BIAS and modifier.colour is colour and " and " in modifier.why:
            message = f"Goal and Bias together bring {id} one {colour} die, not two"
            yield Guess(1, modifier.rule, message)


def _wound_links(play: Table, conflict: Conflict, hand: Hand) -> int:
    """How many wound links are among the red dice of a hand."""
    partners = conflict.asked if hand.character == conflict.active else (conflict.active,)
    pairs = {
        play.state.pair(hand.character, id) for id in partners if not hand.defaulted or hand.late
    }
    links = [link for pair in pairs for link in play.state.labelled(pair, RED)]
    return 0 if conflict.scope is Scope.ALONE else sum(link.topic is Topic.WOUND for link in links)


def _guesses(play: Table, conflict: Conflict, hand: Hand, colour: Colour) -> Iterator[Guess]:
    """Likely slips in the number of dice."""
    id, stress, is_alone = hand.character, conflict.stress, conflict.scope is Scope.ALONE
    is_active = id == conflict.active
    wounds = _wound_links(play, conflict, hand) if colour is RED else 0
    if wounds:
        dice = plural(wounds, "die", "dice")
        yield Guess(-wounds, "I57", f"{id}'s red dice lack the wound links, {dice}")
    if colour is RED and stress > 0 and is_active:
        dice = plural(stress, "die", "dice")
        rule = "I73" if is_alone and not conflict.against else "I30"
        yield Guess(-stress, rule, f"{id}'s red dice lack the Stress Level, {dice}")
    elif colour is RED and stress > 0 and not hand.late:
        yield Guess(stress, "I30", f"{id} rolls the Stress dice; only the Active does")
    if not is_active:
        for partner in play.state.playing() if not hand.late else ():
            dice_more = dice_with(play, id, [partner], colour)
            if partner not in (id, conflict.active) and dice_more:
                yield Guess(
                    dice_more,
                    "I25",
                    f"{id} counts links with {partner}; only those with {conflict.active} count",
                )
        return
    defaulted = [name for name in conflict.hands if conflict.hands[name].defaulted]
    dice_more = dice_with(play, id, defaulted, colour)
    if dice_more and is_alone:
        yield Guess(dice_more, "I73", f"{id} goes it alone: links bring no dice")
    elif dice_more:
        message = f"the links with {listed(defaulted)} bring no dice this time"
        yield Guess(dice_more, "I71", message)
    if conflict.against:
        dice_more = dice_with(play, id, [conflict.against], colour)
        if dice_more:
            message = f"links with {conflict.against} bring {id} no dice"
            yield Guess(dice_more, "I75", message)


def _compare_hand(
    play: Table, conflict: Conflict, hand: Hand, colour: Colour, throw: Throw, at: Place
) -> Violation | None:
    """I23, I25, I30, I39, I71 to I75: compare the dice of a colour with the number that is due."""
    is_active, is_alone = hand.character == conflict.active, conflict.scope is Scope.ALONE
    doubts = [doubt(conflict, hand.character)]
    if is_active and is_alone and conflict.needs_rating and conflict.rating is None:
        if colour is RED:
            return None
        return Violation(
            f"{hand.character} goes it alone: green dice are the Difficulty, which is not set",
            at,
            add_entry("difficulty: average"),
            rule="I73",
            doubts=doubts,
        )
    if hand.late:
        base_rule = "I74" if is_alone else "I72"
    elif is_active:
        base_rule = "I73" if is_alone else "I23"
    else:
        base_rule = "I25"
    partners = conflict.asked if is_active else (conflict.active,)
    pairs = [play.state.pair(hand.character, partner) for partner in partners]
    told = told_wounds(play, pairs) if colour is RED else 0
    if any(is_earned(throw.of(RED), hand.red - links, RED) for links in range(1, told + 1)):
        return None
    # A character who was asked and left before the roll can still bring dice; the text is silent.
    extra = dice_with(play, hand.character, conflict.gone, colour) if is_active else 0
    if extra and is_earned(throw.of(colour), hand.base(colour) + extra, colour):
        return None
    violation = compare(
        play,
        hand.character,
        colour,
        throw.of(colour),
        hand.base(colour),
        [str(source) for source in hand.sources if source.colour is colour],
        base_rule,
        [*_joined(conflict, hand, colour), *_only_one([*_guesses(play, conflict, hand, colour)])],
        at,
        (
            doubt(conflict, hand.character),
            *(("stress:",) if colour is RED and is_active else ()),
            *(key for pair in pairs for key in pair_keys(pair)[:1]),
        ),
        by_hand=hand.late and colour is GREEN,
    )
    return None if violation is None else violation._replace(doubts=doubts)


# --- the threat -----------------------------------------------------------------------------------


def _compare_gm(play: Table, conflict: Conflict, throw: Throw, at: Place) -> Violation | None:
    """I42 to I44: compare the GM's dice with the number that is due."""
    assert conflict.rating is not None
    state, rating = play.state, conflict.rating.dice
    living, stress = table.living_count(play), max(0, state.stress)
    involved = sum(not hand.defaulted for hand in conflict.hands.values())
    dead = sum(not person.alive for person in state.people.values())
    left = [person.id for person in state.people.values() if person.alive and person.out]
    present = living - len(conflict.absent)
    everybody = f"all {living} alive in the scenario count"
    guesses = [
        Guess(
            -stress, "I43", f"the GM's dice lack the Stress Level, {plural(stress, 'die', 'dice')}"
        ),
        Guess(
            involved - living,
            "I42",
            f"the GM counts the {plural(involved, 'character')} who take part; {everybody}",
        ),
        Guess(
            present - living,
            "I42",
            f"the GM counts the {plural(present, 'character')} who are there; {everybody}",
        ),
        Guess(dead, "I42", f"the GM counts the dead; {living} are alive in the scenario"),
        Guess(
            0 if play.rulings["living"] == "alive" else len(left),
            "I42",
            f"the GM counts {listed(left)}, who {is_or_are(left)} out of the scenario; {everybody}",
        ),
        Guess(-living, "I42", f"the GM's dice lack the {living} Living Characters"),
        Guess(-rating, "I44", f"the GM's dice lack the Difficulty, {rating}"),
    ]
    violation = compare(
        play,
        "the GM",
        RED,
        throw.of(RED),
        base_against(play, conflict, throw, defends=False).red,
        [f"Difficulty {rating}", f"Living Characters {living}", f"Stress {state.stress}"],
        "I44",
        _only_one(guesses),
        at,
        (
            f"living:{conflict.number}",
            "living:",
            "stress:",
            *(f"health:{id}" for id in state.people),
            *(gone(play, id) for id in state.people),
        ),
    )
    if violation is None:
        return None
    violation = table.living_known(play, violation, ["stress:"])
    return violation._replace(doubts=[f"conflict:{conflict.number}", f"threat:{conflict.number}"])


def _only_one(guesses: list[Guess]) -> list[Guess]:
    """The guesses without those that two different rules explain."""
    rules: dict[int, set[str]] = {}
    for guess in guesses:
        rules.setdefault(guess.dice, set()).add(guess.rule)
    return [guess for guess in guesses if guess.dice and len(rules[guess.dice]) == 1]


def _compare_defence(
    play: Table, conflict: Conflict, throw: Throw, at: Place
) -> Iterator[Violation]:
    """I77: red links with the Active, the Living Characters but one, Stress, modifiers."""
    id, pair = conflict.against, play.state.pair(conflict.against, conflict.active)
    _, links = counted_links(play, pair)
    green, red = defence_dice(play, conflict)
    greens = [
        f"{modifier.dice}: {modifier.why}"
        for modifier in conflict.modifiers.get(id, ())
        if modifier.colour is GREEN
    ]
    guesses = [
        Guess(1, "I77", f"{id} counts everybody alive; one less counts"),
        Guess(-max(0, play.state.stress), "I77", f"{id}'s dice lack the Stress Level"),
        Guess(-links, "I77", f"{id}'s dice lack the red links with {conflict.active}"),
        *(
            Guess(
                extra,
                "I77",
                f"{id} rolls {plural(extra, 'die', 'dice')} more, as many as a Difficulty; "
                "a defence has none",
            )
            for extra in range(2, 7)
        ),
    ]
    figures = ("stress:", *pair_keys(pair)[:1])
    doubts = (f"dice:{conflict.number}:{id}", "living:", *figures)
    for colour, base, sources, slips in (
        (RED, red, defence_reds(play, conflict), guesses),
        (GREEN, green, greens, []),
    ):
        rolled = throw.of(colour)
        if colour is GREEN and not base and rolled.faces:
            yield Violation(f"no modifier brings {id} green dice", at, rule="I77", after=doubts)
            continue
        violation = compare(play, id, colour, rolled, base, sources, "I77", slips, at, doubts)
        if violation is not None and colour is RED:
            yield table.living_known(play, violation, figures)
        elif violation is not None:
            yield violation


# --- Difficulty -----------------------------------------------------------------------------------


class Difficulty(RollsDice):
    """The GM says how hard the task is, and can roll in the same entry."""

    verb = "difficulty"
    synonyms = ("hard", "task", "rating")
    already_shown_kinds = frozenset({"threat", "level"})
    decides = Decides("gm", "I40")
    moment = Moment(
        UNDECIDED,
        Refusal(
            "I40",
            "there is no proposal that needs a Difficulty",
            fixes=(add_entry("propose: ..."),),
        ),
    )
    offered = Offered("I41", "the GM says how hard it is")
    example = "difficulty: hard\n  roll: 431532153 5"
    rating = main(RATING, "easy, average, hard, really hard, extremely hard, impossible, or 1 to 6")
    living = option(WHOLE, "Living Characters as counted at the table; checked", computed=True)
    roll = option(in_role("rolls", THROWS), "the GM's faces")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for rating in ("easy", "average", "hard", "really hard", "impossible"):
            yield {"difficulty": rating}

    def sentence(self, play: Table) -> Sentence:
        dice = self.rating.dice
        return (f"Difficulty: {WORDS_OF_DIFFICULTY.get(dice, dice)}.",)

    def rating_taken(self, conflict: Conflict) -> Rating:
        """The Difficulty that counts: the word, where word and number differ; none against a character."""
        if not conflict.needs_rating:
            return self.rating._replace(dice=0)
        if self.rating.word:
            return self.rating._replace(dice=DIFFICULTIES[self.rating.word])
        return self.rating

    def parts(self, play: Table, conflict: Conflict) -> Parts:
        threats = [
            Thrower(word, throw)
            for word, throw in (self.roll or {}).items()
            if is_threat(play, word)
        ]
        return Parts({}, threats[-1] if threats else None)

    def draft(self, play: Table) -> tuple[Conflict, Parts] | None:
        conflict = open_conflict(play)
        if conflict is None:
            return None
        draft = copied(conflict)
        draft.rating = self.rating_taken(conflict)
        if conflict.scope is Scope.ALONE and draft.hands[draft.active].throw is None:
            count_base(play, draft)
        return draft, self.parts(play, conflict)

    @guard("I41", at="main")
    def word_and_number_agree(self, play: Table) -> Violation | None:
        word, dice = self.rating
        if open_conflict(play) is None or not word or WORDS_OF_DIFFICULTY.get(dice) == word:
            return None
        usual = [WORDS_OF_DIFFICULTY[dice]] if dice in WORDS_OF_DIFFICULTY else []
        due = plural(DIFFICULTIES[word], "die", "dice")
        return Violation(f"'{word}' is {due}, not {dice}", fix=replace_with((word, *usual)))

    @guard("I41", at="main")
    def one_to_six_dice(self, play: Table) -> str | None:
        word, dice = self.rating
        if open_conflict(play) is None or word or 1 <= dice <= 6:
            return None
        return f"a Difficulty is 1 to 6 dice, easy to impossible, not {dice}"

    @guard("I77", at="main")
    def nobody_defends(self, play: Table) -> str | None:
        conflict = open_conflict(play)
        if conflict is None or conflict.needs_rating:
            return None
        against = conflict.against
        return f"no Difficulty against {against}: {against} rolls instead"

    @guard("I40")
    def set_once(self, play: Table) -> Violation | None:
        conflict = open_conflict(play)
        if conflict is None or conflict.rating is None:
            return None
        fact = play.because(conflict.rating_step, "here")
        return Violation("the Difficulty was set before", facts=[fact])

    @question("I40", help="the GM decides it when everybody's stance is known")
    def stances_are_known(self, play: Table) -> Violation | None:
        conflict = open_conflict(play)
        if conflict is None or conflict.scope is Scope.ALONE or self.roll is not None:
            return None
        waiting = [hand.character for hand in conflict.passives() if hand.stance is None]
        if not waiting or conflict.unrecorded:
            return None
        message = (
            f"the Difficulty is set before {listed(waiting)} {has_or_have(waiting)} taken a stance"
        )
        return Violation(message, since=play.before_gap("", conflict.step))

    def stated_living(self) -> int | None:
        return self.living

    @guard("I22", help="late Hostiles roll in an entry of their own, before the GM")
    def only_the_gm_rolls(self, play: Table) -> Iterator[Violation]:
        for word in self.roll or () if open_conflict(play) is not None else ():
            if not is_threat(play, word):
                message = f"only the GM rolls here, not {word}"
                yield Violation(message, word, drop_item(str(word)))

    def apply(self, play: Table) -> None:
        conflict = open_conflict(play)
        if conflict is None:
            return
        if self.living == table.living_count(play):
            play.count("living:")
        rating = conflict.rating = self.rating_taken(conflict)
        conflict.touch(play.step.number)
        conflict.rating_step = play.step.number
        word = WORDS_OF_DIFFICULTY.get(rating.dice, str(rating.dice))
        play.event(f"{word}: {plural(rating.dice, 'die', 'dice')}", "I41", "difficulty")
        if conflict.scope is Scope.ALONE and conflict.hands[conflict.active].throw is None:
            count_base(play, conflict)
        self.roll_threat(play, conflict, self.parts(play, conflict))
        if any(throw.hidden for throw in (self.roll or {}).values()):
            self.note_unrecorded(play, conflict)
