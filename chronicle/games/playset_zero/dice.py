"""Dice: which dice are due, and whether those were rolled (Z4, Z16 to Z23)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Action, option
from chronicle.core.diagnostic import DiagnosticKind, Fact, listed, plural
from chronicle.core.dice import Die, Faces, ShownDie
from chronicle.core.field_types import (
    NAMES,
    TEXT,
    YES_NO,
    Context,
    FieldType,
    OneOrMany,
    is_unrecorded,
    label,
)
from chronicle.core.fix import choose_reading, set_key
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import SUBJECT_NAME, ExtensionPoint, FormulaName, expected
from chronicle.core.misread import Misread, shown
from chronicle.core.names import only_words
from chronicle.core.play_field_types import by_die
from chronicle.core.ranges import CannotTell
from chronicle.core.record import Side, Throw
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, ScalarNode, Value
from chronicle.core.telling import TextRole
from chronicle.games.playset_zero.magic import (
    against_limitation,
    serves_no_use,
    use_magic,
    use_not_written,
)
from chronicle.games.playset_zero.marks import (
    SpendsMarks,
    UsesAdvantages,
    advantage_text,
    advantages_meant,
    erase_advantages,
)
from chronicle.games.playset_zero.state import COLOURS, SIDES, Character, Feature, Pool, Rolled
from chronicle.games.playset_zero.table import (
    Table,
    called,
    certain_since,
    feature_of,
    features_hint,
    is_flaw,
    pick,
    write_a_feature,
)

RULES = """
# Before play
Z4 The dice on the table [checked; V17]
  Three white d6, one yellow d10, one green d8, and red d6 as needed. Colours only help to tell them apart. A face
  that its die does not have, and a second d10, are reported.
# Dice
Z16 Three white dice [checked; V12]
  Every roll starts from three white d6.
Z17 A Feature: the d8 [checked; V13]
  When a Feature helps, the green d8 takes the place of one white die. The Feature is named.
Z18 The Main Feature: the d10 [checked; V14]
  When the Main Feature helps, the yellow d10 takes the place of one white die. Ordinary Features never bring the
  d10.
Z19 A circumstance: a red die [checked; V15]
  Being prepared, or better placed than the opposition, adds one red die. It takes no white die's place, and every
  red die has a reason.
Z20 Normally one Feature [checked]
  Only the Feature that fits best gives its die. More than one wants a strong case, which the log states under
  'for'.
Z21 Main and ordinary together [checked]
  With a strong case for both, the d10 and the d8 each take the place of a white die.
Z22 Two ordinary Features [checked; V16]
  With a strong case for two ordinary Features, one brings the d8 and the other a red die. There is no second d8.
Z23 Generosity [recorded]
  In doubt about a Feature or a circumstance, the table decides for the roller.
  why: nobody but the table can tell how doubtful a case was
"""

READINGS = """
ZA3 gm_features: Do characters of the GM have Features?
  - written: only those written down before the roll
  - free: whatever the GM names on the spot; it brings the d8
  - none: no; they roll white dice
  because the text gives Features to the players' characters and is silent about the others (Z13, Z17)
ZA4 more_features: There is a strong case for three Features. What do they bring?
  - red-each: the d10 and the d8 as usual, and a red die for each further one
  - two: nothing beyond two Features
  because it continues the pattern of two Features, and generosity is asked for (Z21, Z22, Z23)
ZA5 red_cap: How many red dice may a roll have?
  - none: as many as there are reasons
  - one: one
  because the kit has one or more of them (Z19)
ZA30 circumstance_dice: Several circumstances speak for the roller. How many red dice?
  - one: one
  - each: one for each
  because the step adds one red die (Z19)
"""

TERMS = """\
White dice [Z16]: The three d6 that every roll starts from.
Red die [Z19]: A die more for being prepared, or better placed.
"""

WHITE: Final = 3
WHITE_DICE: Final = ExtensionPoint(
    "white dice",
    "the white dice of a roll, before anything is added",
    ("Z16",),
    {"who": SUBJECT_NAME},
    most=40,
)
LEAST: Final = ExtensionPoint(
    "hit",
    "the least that a die shows to be a hit",
    ("Z24",),
    {
        "who": SUBJECT_NAME,
        "dice": FormulaName(
            "how many dice are rolled", lambda play, roller, pool: sum(pool.counts().values())
        ),
    },
    least=1,
    most=11,
)
Ask = Callable[..., Any]
"""How a house rule is asked: ``answer`` in effects, ``expected`` in guards."""

# --- how dice are written -------------------------------------------------------------------------


def _die(name: str, most: int) -> Die:
    # Faces up to 9 can be written, and a guard holds Z4: an impossible face is still a die.
    return Die(name, tuple(str(face) for face in range(1, most + 1)), {}, rule="Z4")


DICE: Final = {
    "d6": _die("a white d6", 9),
    "d8": _die("the green d8", 9),
    "d10": Die(
        "the yellow d10",
        tuple(str(face) for face in range(1, 11)),
        {"0": "10", "00": "10"},
        (),
        "Z4",
    ),
    "adv": _die("a red advantage die", 9),
    "red": _die("a red advantage die", 9),
}
NAMES_OF_DICE: Final = {"d6": "a white d6", "adv": "a red d6", "d8": "the d8", "d10": "the d10"}


FacesByDie = dict[str, "Faces | None"]
"""The faces of each kind of die; None for those that are not recorded."""


class _ThrowKind(FieldType["FacesByDie | None"]):
    """Faces by die, or the word ``unrecorded`` (None)."""

    words = "faces by d6, d8, d10 and adv, or 'unrecorded'"

    def __init__(self) -> None:
        self.dice = by_die(**DICE)

    def read(self, value: Value, context: Context) -> FacesByDie | None:
        if is_unrecorded(value):
            return None
        if not isinstance(value, MappingNode):
            plain = " ".join(value.split()) if isinstance(value, ScalarNode) else "1 2 4"
            raise Misread(
                f", not {shown(value)}",
                value,
                f"white dice are  {{d6: {plain}}}",
                expected=self.words,
            )
        hidden = [key for key, faces in value.items() if key in DICE and is_unrecorded(faces)]
        read = self.dice.read(value.without(hidden) if hidden else value, context)
        return {**read, **dict.fromkeys(map(str, hidden))}

    def schema(self) -> Schema:
        return {**self.dice.schema(), "type": ["object", "string"]}


THROW: Final[FieldType[FacesByDie | None]] = _ThrowKind()


def is_recorded(faces: FacesByDie | None) -> bool:
    """Whether all faces of a throw are recorded."""
    return faces is not None and None not in faces.values()


# --- which dice come in ---------------------------------------------------------------------------


def feature_used(play: Table, character: Character | None, word: ScalarNode) -> Feature | None:
    """The Feature that a word under ``use`` means; None if it means no Feature, or several. The flaw counts as one,
    and so does any word about a character without a sheet: the log wins."""
    if character is not None:
        features = feature_of(character, word)
        if features:
            return features[0] if len(features) == 1 else None
        if is_flaw(character, word):
            return Feature(character.flaw, "flaw", play.step.number)
    if character is None or character.npc:
        return Feature(str(word), "", play.step.number)
    return None


class SetsOut(UsesAdvantages, SpendsMarks):
    """An entry that sets out dice: the white ones, and what brings others in."""

    use = option(OneOrMany(TEXT), "the Features that help", default=())
    for_ = option(TEXT, "why more than one Feature counts: the strong case")
    because = option(
        OneOrMany(TEXT),
        "an advantageous circumstance: one red die",
        default=(),
        text_role=TextRole.SENTENCE,
    )
    advantage = option(
        label(NAMES), "established advantages that come into play; they are erased", default=()
    )
    good_for = option(TEXT, "which of its three uses a magical Feature serves here")
    limited = option(
        YES_NO,
        "yes, if the limitation of the magical Feature matters here",
        default=False,
    )

    # The dice that come in.

    def features(self, play: Table) -> list[Feature]:
        """The Features that help, without those that are not understood."""
        character = self.character(play)
        features = (feature_used(play, character, word) for word in self.use)
        return [feature for feature in features if feature is not None]

    def pool(self, play: Table, white: int) -> Pool:
        """Z16 to Z22: this number of white dice, and those that the keys of this entry bring in."""
        features = self.features(play)
        pool = Pool(white, case=str(self.for_ or ""), doubtful=len(features) < len(self.use))
        giving = [feature for feature in features if feature.gives_die]
        main = [feature.text for feature in giving if feature.main]
        ordinary = [feature.text for feature in giving if not feature.main]
        pool.d10 = main[0] if main else ""
        pool.d8 = ordinary[0] if ordinary else ""
        if len(giving) <= 2 or play.ruling("more_features") != "two":
            further = ordinary[1:]
        else:
            further = ordinary[1 : 1 if main else 2]
        pool.reds += [f"Feature: {text}" for text in further]
        reasons = [*map(str, self.because)]
        if len(reasons) > 1 and play.ruling("circumstance_dice") == "one":
            pool.spare, reasons = len(reasons) - 1, [", ".join(reasons)]
        pool.reds += reasons
        character = self.character(play)
        if character is not None:
            held = advantages_meant(character, self.advantage)
            pool.reds += [
                f"advantage: {advantage_text(character, word, advantage)}"
                for word, advantage in zip(self.advantage, held, strict=True)
            ]
        return self.with_marks(play, pool)

    def pay_for_dice(self, play: Table, why: str) -> None:
        """Z31, Z34, Z37: advantages are erased, marks are spent, and magic has served."""
        character = self.character(play)
        if character is not None:
            erase_advantages(play, character, self.advantage, why, "rolls", "Z31")
        self.spend_marks(play, why)
        if self.good_for is not None:
            for feature in self.features(play):
                use_magic(play, feature, self.good_for)

    # Guards on Features.

    @guard("Z17")
    def features_are_there(self, play: Table) -> Iterator[Violation]:
        character = self.character(play)
        if character is None and not play.step.player:
            raise CannotTell
        for word in self.use:
            wrong = _wrong_feature(play, character, word)
            if wrong is not None:
                yield wrong

    @guard("Z17")
    def each_feature_counts_once(self, play: Table) -> Iterator[Violation]:
        character, features = self.character(play), list[str]()
        for word in self.use:
            feature = feature_used(play, character, word)
            if feature is None:
                continue
            if only_words(feature.text) in features:
                yield Violation(
                    f"'{feature.text}' counts twice here; a Feature brings one die", word
                )
            features.append(only_words(feature.text))

    @question("ZA12", at="use")
    def turned_flaw_gives_a_die(self, play: Table) -> Iterator[str]:
        for feature in self.features(play):
            if not feature.gives_die:
                yield f"'{feature.text}' was the flaw and gives no die by this table's ruling"

    @question("Z20", at="use")
    def several_features_have_a_case(self, play: Table) -> Violation | None:
        count = sum(feature.gives_die for feature in self.features(play))
        if count < 2 or self.for_ is not None:
            return None
        return Violation(
            f"{count} Features without a strong case; normally the most applicable counts",
            fix=set_key("for"),
        )

    @question("ZA4", at="use")
    def at_most_two_features(self, play: Table) -> str | None:
        count = sum(feature.gives_die for feature in self.features(play))
        if count <= 2 or play.ruling("more_features") != "two":
            return None
        return f"{count} Features; by this table's ruling at most two count"

    # Guards on magic.

    @guard("Z38", at="limited")
    def limitation_is_kept(self, play: Table) -> Iterator[Violation]:
        for feature in self.features(play) if self.limited else ():
            broken = against_limitation(play, feature)
            if broken is not None:
                yield broken

    @guard("Z37", DiagnosticKind.UNKNOWN, at="use")
    def use_of_magic_is_written(self, play: Table) -> Iterator[Violation]:
        for feature in self.features(play) if self.good_for is None else ():
            missing = use_not_written(feature)
            if missing is not None:
                yield missing

    @question("Z37")
    def magic_serves_its_uses(self, play: Table) -> Iterator[Violation]:
        if self.good_for is None:
            return
        for feature in self.features(play):
            wrong = serves_no_use(play, feature, self.good_for)
            if wrong is not None:
                yield wrong

    @question("Z37", help="write its three uses and its limitation first:  magic: the Feature")
    def something_is_magical(self, play: Table) -> Violation | None:
        features = self.features(play)
        if any(feature.magic is not None for feature in features) or len(features) < len(self.use):
            return None
        key = "good for" if self.good_for is not None else "limited"
        if self.good_for is None and not self.limited:
            return None
        character = self.character(play)
        return Violation(
            "no magical Feature is used here",
            key,
            since=0,
            after=(f"features:{character.id}",) if character is not None else (),
        )

    # Guards on red dice.

    @guard("Z19")
    def circumstances_have_words(self, play: Table) -> Iterator[Violation]:
        for reason in self.because:
            if not reason.strip():
                yield Violation("a circumstance for a red die has no words", reason)

    @guard("T56", DiagnosticKind.UNREADABLE)
    def advantages_belong_to_a_character(self, play: Table) -> Iterator[Violation]:
        if self.character(play) is None:
            for word in self.advantage:
                yield Violation(f"whose advantage is '{word}'?", word)

    @guard("Z31")
    def circumstances_are_no_advantages(self, play: Table) -> Iterator[Violation]:
        """An advantage brings one die, as a circumstance or erased from the sheet."""
        character = self.character(play)
        advantages = advantages_meant(character, self.advantage) if character is not None else []
        erased = [only_words(each.text) for each in advantages if each is not None]
        erased += map(only_words, self.advantage)
        for reason in self.because:
            words = only_words(reason)
            if words and words in erased:
                yield Violation(f"'{reason}' counts twice here, as a circumstance as well", reason)
                continue
            known = character.advantages if character is not None and words else ()
            same = [each for each in known if only_words(each.text) == words]
            if not same:
                continue
            held = next((each for each in same if not each.used), None)
            yield Violation(
                f"'{reason}' is an established advantage; it brings a die and is erased"
                if held is not None
                else f"'{reason}' was an established advantage, and has been used and erased",
                reason,
                facts=[
                    play.because(
                        same[-1].used or same[-1].step,
                        "used" if held is None else "established here",
                    )
                ],
                help="advantage: the same words" if held is not None else (),
                kind=DiagnosticKind.SUSPICIOUS,
            )

    @guard("Z19")
    def each_circumstance_counts_once(self, play: Table) -> Iterator[Violation]:
        earlier: list[str] = []
        for word in self.because:
            words = only_words(word)
            if words and words in earlier:
                yield Violation(f"'{word}' is written twice; it is one circumstance", word)
            earlier.append(words)
        features = {only_words(feature.text) for feature in self.features(play)}
        for word in self.because:
            if only_words(word) in features:
                yield Violation(
                    f"'{word}' is a Feature that brings its die already",
                    word,
                    kind=DiagnosticKind.SUSPICIOUS,
                )

    @question("ZA7", at="advantage")
    def one_die_of_those_held_back(self, play: Table) -> str | None:
        marks = sum(count for _, character, count in self.payments(play) if character is not None)
        count = len(self.advantage) + marks
        if count < 2 or play.ruling("several_marks") != "one":
            return None
        return f"{count} advantage dice held back are spent on one roll; this table allows one"

    @question("ZA5")
    def one_red_die(self, play: Table) -> str | None:
        count = len(self.pool(play, WHITE).reds)
        if count < 2 or play.ruling("red_cap") != "one":
            return None
        return f"{count} red dice; this table rolls at most one"


def _wrong_feature(play: Table, character: Character | None, word: ScalarNode) -> Violation | None:
    """The rule that a word under ``use`` breaks."""
    if character is not None:
        features = feature_of(character, word)
        if len(features) > 1:
            either = listed((feature.text for feature in features), "or")
            return Violation(
                f"'{word}' could be {either}; write more of it",
                word,
                rule="T50",
                kind=DiagnosticKind.UNREADABLE,
            )
        if features:
            if not character.npc or play.ruling("gm_features") != "none":
                return None
            return Violation(
                f"{character.name} is the GM's and rolls without Features by this table's ruling",
                word,
                rule="ZA3",
                kind=DiagnosticKind.SUSPICIOUS,
            )
        if is_flaw(character, word):
            return Violation(
                f"'{character.flaw}' is {character.name}'s flaw; it usually gives no advantage",
                word,
                rule="Z11",
                kind=DiagnosticKind.SUSPICIOUS,
            )
    if character is None or character.npc:
        if play.ruling("gm_features") == "free":
            return None
        return Violation(
            f"no Feature '{word}' of {called(character, play.step.player)} was written down before "
            "this roll",
            word,
            help="character: Name  /  npc: yes  /  features: {...}",
            rule="ZA3",
            kind=DiagnosticKind.SUSPICIOUS,
        )
    gone = [old for old in character.features if old.gone and pick(word, [(old.text,)])]
    return Violation(
        f"{character.name}'s Feature '{gone[0].text}' was replaced by '{gone[0].replaced_by}'"
        if gone
        else f"{character.name} has no Feature '{word}'{features_hint(character, word)}",
        word,
        facts=(play.because(gone[0].gone, "replaced here"),) if gone else (),
        since=None if gone else 0,
        fix=write_a_feature(character, word),
        help="a circumstance that is no Feature is written  because: ...",
        after=(f"features:{character.id}",),
    )


# --- which dice fall ------------------------------------------------------------------------------


class Fallen(NamedTuple):
    """Dice that fall.

    Attributes:
        pool: the dice that are due.
        dice: those that were rolled.
        rule: the rule that says how many white dice there are.
        key: the key of the entry that holds the faces.
        set_out: the entry that set the dice out.
        is_whole: whether the faces of all dice are recorded.
    """

    pool: Pool
    dice: Sequence[Rolled]
    rule: str
    key: str
    set_out: int
    is_whole: bool = True


def dice_rolled(faces: FacesByDie | None, least: int) -> list[Rolled]:
    """The dice whose faces are recorded; ``least`` is the lowest face that is a hit."""
    return [
        Rolled("adv" if die == "red" else die, face, least=least)
        for die, shown_faces in (faces or {}).items()
        for face in (shown_faces.numbers if shown_faces is not None else ())
    ]


def least_hit(play: Table, pool: Pool, whose: str, ask: Ask = expected) -> int:
    """Z24: the lowest face that is a hit, for the dice of a character or a player."""
    least: int = ask(play, LEAST, pool.hit, whose, pool)
    return least


class Throws(Action):
    """An entry in which dice fall."""

    def fallen(self, play: Table) -> Fallen | None:
        """The dice that fall; None if no face is recorded."""
        raise NotImplementedError

    @guard("Z4", help="dice by type:  {d10: 9, d8: 5, d6: [4, 2], adv: 6}")
    def faces_are_possible(self, play: Table) -> Violation | None:
        fallen = self.fallen(play)
        for die in fallen.dice if fallen is not None else ():
            if fallen is not None and die.face > SIDES[die.die]:
                return Violation(f"{NAMES_OF_DICE[die.die]} cannot show {die.face}", fallen.key)
        return None

    @guard("Z16")
    def dice_are_those_that_came_in(self, play: Table) -> Violation | None:
        """One mistake is one problem: Feature dice first, then white ones, then red ones."""
        fallen = self.fallen(play)
        if fallen is None or fallen.pool.doubtful:
            return None
        certain_since(play, fallen.set_out)
        pool = fallen.pool
        rolled, due = Counts.of(fallen.dice), Counts(**pool.counts())
        if not fallen.is_whole:
            # Dice of other kinds fell, and nobody wrote them down.
            rolled = Counts(*(shown or number for shown, number in zip(rolled, due, strict=True)))
        if rolled == due:
            return None
        wrong = (
            _wrong_feature_die(pool, rolled, due)
            or _wrong_white_dice(pool, rolled, due, fallen.rule)
            or _wrong_red_dice(pool, rolled, due)
        )
        help_lines = [wrong.help] if isinstance(wrong.help, str) else wrong.help
        return wrong._replace(
            at=fallen.key,
            help=[f"the dice of this roll:  {pool.as_written()}", *filter(None, help_lines)],
            facts=[Fact(words) for words in pool.words()],
            doubts=[f"marks:{id}" for id in pool.payers],
        )


class Counts(NamedTuple):
    """How many of each die."""

    d6: int
    d8: int
    d10: int
    adv: int

    @classmethod
    def of(cls, dice: Sequence[Rolled]) -> Counts:
        """Count the dice on the table."""
        return cls(*(sum(rolled.die == die for rolled in dice) for die in cls._fields))


_NAME_FEATURES: Final = "use: names the Features that help"


def _wrong_feature_die(pool: Pool, rolled: Counts, due: Counts) -> Violation | None:
    if rolled.d10 > 1:
        return Violation(f"{rolled.d10} d10; there is one d10", rule="Z4")
    if rolled.d8 > 1:
        return Violation(
            f"{rolled.d8} d8; there is one, and a second Feature adds a red die",
            help="write the second Feature's die under adv",
            rule="Z22",
        )
    if rolled.d10 > due.d10:
        message = "a d10 is rolled, but no Main Feature is named"
        if pool.d8:
            message = f"'{pool.d8}' is not the Main Feature; it brings the d8, not the d10"
        return Violation(message, help=_NAME_FEATURES, since=0, rule="Z18")
    if rolled.d10 < due.d10:
        return Violation(f"'{pool.d10}' is the Main Feature and brings the d10", rule="Z18")
    if rolled.d8 > due.d8:
        message = "a d8 is rolled, but no Feature is named for it"
        return Violation(message, help=_NAME_FEATURES, rule="Z17")
    if rolled.d8 < due.d8 and pool.d10 and rolled.adv > due.adv:
        return Violation(
            "a Main and an ordinary Feature bring both the d10 and the d8, not a red die",
            rule="Z21",
            kind=DiagnosticKind.SUSPICIOUS,
        )
    if rolled.d8 < due.d8:
        return Violation(f"'{pool.d8}' brings the d8 in place of a white die", rule="Z17")
    return None


def _wrong_white_dice(pool: Pool, rolled: Counts, due: Counts, rule: str) -> Violation | None:
    if rolled.d6 == due.d6:
        return None
    white = plural(due.d6, "white die", "white dice")
    if rolled.d6 > due.d6 and pool.base == WHITE and (rolled.d8 or rolled.d10):
        die = "d8" if rolled.d8 else "d10"
        return Violation(
            f"the {die} takes the place of a white die: {white}, not {rolled.d6}",
            rule="Z17" if rolled.d8 else "Z18",
        )
    if rolled.d6 < due.d6 and rolled.adv:
        return Violation(
            f"a red die is added and takes no white die's place: {white}, not {rolled.d6}",
            rule="Z19",
        )
    return Violation(
        f"{white} {'is' if due.d6 == 1 else 'are'} rolled here, not {rolled.d6}",
        help=_NAME_FEATURES if rolled.d6 < due.d6 else (),
        rule=rule,
    )


def _wrong_red_dice(pool: Pool, rolled: Counts, due: Counts) -> Violation:
    if due.adv < rolled.adv <= due.adv + pool.spare:
        return Violation(
            f"{pool.spare + 1} circumstances; together they add one red die",
            fix=choose_reading("circumstance_dice", "each"),
            rule="ZA30",
            kind=DiagnosticKind.SUSPICIOUS,
        )
    if rolled.adv > due.adv:
        return Violation(
            f"{plural(rolled.adv - due.adv, 'red die', 'red dice')} more than there are reasons for",
            help="because: a circumstance, advantage: one on the sheet, or mark: 1",
            rule="Z19",
        )
    return Violation(
        f"{plural(due.adv, 'red die', 'red dice')} due, {rolled.adv} rolled",
        help="write every die that was rolled",
        rule="Z19",
        kind=DiagnosticKind.BOOKKEEPING,
    )


# --- what readers see -----------------------------------------------------------------------------


def note_throws(play: Table, dice: Sequence[Rolled], player: str) -> None:
    """Note dice for the luck report; impossible faces are left out."""
    for die, sides in SIDES.items():
        faces = [rolled.face for rolled in dice if rolled.die == die and 1 <= rolled.face <= sides]
        if faces:
            kind = "d6" if die == "adv" else die
            play.step.throws.append(Throw(kind, Faces(map(str, faces)), player))


def side_of(name: str, player: str, pool: Pool, dice: Sequence[Rolled] | None) -> Side:
    """Dice for readers, by type and colour; without recorded faces the dice that are due."""
    if dice is None:
        due = [die for die, count in pool.counts().items() for _ in range(count)]
        faceless = (ShownDie("?", die=_type_of(die), colour=COLOURS[die]) for die in due)
        return Side(name, player, tuple(faceless), pool.words(), "faces not written down")
    shown_dice = (
        ShownDie(str(die.face), die.hit, _type_of(die.die), COLOURS[die.die]) for die in dice
    )
    hits = plural(sum(die.hit for die in dice), "hit")
    return Side(name, player, tuple(shown_dice), pool.words(), hits)


def _type_of(die: str) -> str:
    return "d6" if die == "adv" else die
