"""What players of Playset Zero can write in a log: one class a verb. Those that
carry their guards are in ``making``, ``marks`` and ``scenes``.

The docstring, the field descriptions and the example are what the format reference and the editor
show. ``main`` is the value of the verb, ``required`` and ``option`` are further keys.
"""

from __future__ import annotations

from chronicle.core.campaign import SEAT, Settings
from chronicle.core.declare import Action, Decides, Moment, Refusal, main, option, required
from chronicle.core.dice import Die, Faces
from chronicle.core.fix import add_entry
from chronicle.core.gaps import SOMEBODY
from chronicle.core.kinds import (
    NAME,
    NAMES,
    TEXT,
    WHOLE,
    YES_NO,
    Context,
    EitherOf,
    Kind,
    MapOf,
    Misread,
    OneOrMany,
    choice,
    in_role,
    label,
    shown,
    unrecorded,
)
from chronicle.core.play_kinds import by_die
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, ScalarNode, Value
from chronicle.core.telling import TextRole

FREE, GOAL, ROLLED, SETTLED, OVER = "free", "goal", "rolled", "settled", "over"
"""Phases of play; the law of the game says what they are."""

OPTIONS = ("magic", "challenge", "helping", "questions")
"""The optional rules: Z37 and Z38, Z39, Z40 to Z44, and the comment's variant Z45."""

BEFORE_THE_DICE = Moment(
    (GOAL,),
    Refusal("Z15", "nobody has stated a goal yet", fixes=(add_entry("goal: ..."),)),
    dict.fromkeys(
        (ROLLED, SETTLED),
        Refusal("Z15", "the dice have fallen; dangers are named before the roll"),
    ),
    void=True,
)

GRADES = {"challenging": 2, "complicated": 3, "unusually complicated": 4}
"""How many questions a situation of each grade asks (Z45)."""


class Playset(Settings):
    """``campaign.yaml`` of Playset Zero: who is the GM, and which optional rules are in force."""

    facilitator = "gm"

    gm = required(SEAT, "the GM, who owns the scenario and everybody who is not a player's")
    options = option(
        OneOrMany(choice(*OPTIONS)),
        "optional rules in force: magic, challenge, helping (hindering too), questions",
        default=(),
    )


def _of(who: ScalarNode | None, words: str) -> str:
    """Words that go on behind a name; without it they stand for somebody."""
    return f"{who or SOMEBODY}{words}"


def _loose(name: str, most: int) -> Die:
    # Faces up to 9 can be written; the handler holds Z4, so that an impossible one is still a die.
    return Die(name, tuple(str(face) for face in range(1, most + 1)), {}, rule="Z4")


THROWN = {
    "d6": _loose("a white d6", 9),
    "d8": _loose("the green d8", 9),
    "d10": Die(
        "the yellow d10",
        tuple(str(face) for face in range(1, 11)),
        {"0": "10", "00": "10"},
        (),
        "Z4",
    ),
    "adv": _loose("a red advantage die", 9),
    "red": _loose("a red advantage die", 9),
}


class _ThrowKind(Kind[dict[str, Faces] | None]):
    """Faces by die, or the word ``unrecorded`` (None) where nobody wrote them down."""

    words = "faces by d6, d8, d10 and adv, or 'unrecorded'"

    def __init__(self) -> None:
        self.dice = by_die(**THROWN)

    def read(self, value: Value, context: Context) -> dict[str, Faces] | None:
        if unrecorded(value):
            return None
        if not isinstance(value, MappingNode):
            plain = " ".join(value.split()) if isinstance(value, ScalarNode) else "1 2 4"
            raise Misread(
                f"{self.words} expected here, found {shown(value)}",
                value,
                f"white dice are  {{d6: {plain}}}",
            )
        hidden = [key for key, faces in value.items() if unrecorded(faces)]
        read = self.dice.read(value.without(hidden) if hidden else value, context)
        return None if hidden else read

    def schema(self) -> Schema:
        return {**self.dice.schema(), "type": ["object", "string"]}


THROW: Kind[dict[str, Faces] | None] = _ThrowKind()

Purchase = dict[ScalarNode, "tuple[ScalarNode, ...] | dict[ScalarNode, ScalarNode]"]
"""What was bought (goal, a danger, ``advantage``) with which dice, as typed."""

DIE = OneOrMany(TEXT, "a face, 'd8 6' where two dice show it, or a list of them")


class _SpendKind(Kind[Purchase]):
    """What was bought with which die, or the word ``nothing``."""

    words = "a mapping from goal, a danger, own danger or advantage to the die that pays for it"

    def __init__(self) -> None:
        bought = EitherOf(
            DIE,
            MapOf(TEXT, TEXT),
            words="a face, or {what the advantage is: face} under advantage",
        )
        self.mapping: Kind[Purchase] = MapOf(label(NAME), bought, words=self.words)

    def read(self, value: Value, context: Context) -> Purchase:
        if isinstance(value, ScalarNode) and value.strip().casefold() in ("", "nothing"):
            return {}
        return self.mapping.read(value, context)

    def schema(self) -> Schema:
        return {**self.mapping.schema(), "type": ["object", "string", "null"]}


SPEND: Kind[Purchase] = _SpendKind()

MARKS = EitherOf(
    WHOLE,
    MapOf(in_role("spends marks", NAME), WHOLE),
    words="a number of marks, or {character: number}",
)

AUTHORED = EitherOf(
    TEXT, MapOf(in_role("names a danger", NAME), TEXT), words="a danger, or {who names it: danger}"
)


class Conflict(Action):
    """A tense, uncertain moment: somebody is asked to roll."""

    verb = "conflict"
    also = ("test", "challenge", "moment")
    decides = Decides("caller")
    example = "conflict: The rope is about to part\n  asks: Oriel"
    what = main(TEXT, "what is uncertain", told=TextRole.SENTENCE)
    asks = required(in_role("asked", NAME), "the character who is asked to roll")
    with_ = option(in_role("involved", NAMES), "who else is involved", default=())


class _Pooled(Action):
    """What brings dice into a pool beside those that everybody has."""

    use = option(OneOrMany(TEXT), "the Features that help", default=())
    for_ = option(TEXT, "why more than one Feature counts: the strong case")
    because = option(
        OneOrMany(TEXT),
        "an advantageous circumstance: one red die",
        default=(),
        told=TextRole.SENTENCE,
    )
    advantage = option(
        label(NAMES), "established advantages that come into play; they are erased", default=()
    )
    mark = option(MARKS, "earned advantage dice spent on this roll")
    good_for = option(TEXT, "which of its three uses a magical Feature serves here")
    limited = option(
        YES_NO,
        "yes, if the limitation of the magical Feature stands in the way here",
        default=False,
    )


class Goal(_Pooled):
    """Say what your character is trying to achieve, and which dice come in."""

    verb = "goal"
    about_whom = "{who}"
    also = ("aim", "try", "intent")
    slipped = frozenset({"goal"})
    decides = Decides("roller")
    example = (
        "goal: Get a rope on the bell before the tide turns\n  by: Oriel\n"
        "  dangers: {Gil: the air runs out, Bo: the rope is cut}\n"
        "  use: a diving helmet\n  because: she has sounded the wreck before"
    )
    goal = main(OneOrMany(TEXT), "what the character is trying to achieve", default=())
    dangers = option(
        MapOf(in_role("names a danger", NAME), OneOrMany(TEXT)),
        "{who names it: danger}, one from each of the others",
    )
    challenge = option(YES_NO, "yes, if the goal is unusually tough", default=False)
    grade = option(choice(*GRADES), "how complicated the situation is (option questions)")

    def lead_in(self) -> str:
        return _of(self.by, f"'s goal: {'; '.join(self.goal)}") if any(self.goal) else ""


class NameDanger(Action):
    """Name something bad that may happen, whether or not the goal is met."""

    verb = "danger"
    also = ("risk", "threat")
    decides = Decides("others")
    moment = BEFORE_THE_DICE
    example = "danger: the rope is cut from above\n  by: Bo"
    danger = main(AUTHORED, "the danger, or {who names it: danger}")


class _Effort(_Pooled):
    """What is done beside another character's roll: two dice, before the main roll."""

    slipped = frozenset({"rolls"})
    decides = Decides("helper")
    how = option(TEXT, "what is done", told=TextRole.SENTENCE)
    danger = option(AUTHORED, "what may happen to whoever does it")
    roll = option(THROW, "the two dice, if they are rolled at once")
    spend = option(SPEND, "which die goes where, if that is said at once")


class Help(_Effort):
    """Help another character's roll: two dice, before the main roll. One aim, one own danger."""

    verb = "help"
    also = ("assist", "aid")
    example = (
        "help: his throat bleeds\n  by: Oriel\n  how: She beats the time on the helmet\n"
        "  danger: the drowned take it for a call\n  roll: {d6: [5, 6]}\n"
        "  spend: {own danger: 5, his throat bleeds: 6}"
    )
    aim = main(OneOrMany(TEXT), "goal, or the danger to be avoided", default=())
    danger = option(AUTHORED, "what may happen to the helper; the GM names it")


class Hinder(_Effort):
    """Hinder another character's roll: two dice, before the main roll. One aim, one own danger."""

    verb = "hinder"
    also = ("oppose", "hamper")
    objects = True
    example = (
        "hinder: goal\n  by: Gil\n  how: The great bell is rung against him\n"
        "  danger: the rope takes him up with it\n  roll: {d6: [6, 2]}\n  spend: {goal: 6}"
    )
    aim = main(OneOrMany(TEXT), "goal, or the danger that shall come true", default=())
    danger = option(AUTHORED, "what may happen to the hinderer; the hindered player names it")


class Roll(Action):
    """Roll: three white d6, Feature dice in place of white ones, red dice added."""

    verb = "roll"
    also = ("dice", "throw")
    slipped = frozenset({"rolls", "unrecorded"})
    before_result = True
    decides = Decides("dice")
    example = "roll: {d10: 9, d8: 5, d6: 4, adv: 6}"
    faces = main(THROW, "faces by die, as they fell: d6 white, d8, d10, adv (or red)")
    hits = option(WHOLE, "how many hits; checked, never needed", checked=True)
    mark = option(MARKS, "earned advantage dice spent on this roll")


class Spend(Action):
    """Say what each hit buys. ``nothing`` (or nothing at all): every hit is let go."""

    verb = "spend"
    also = ("buy", "hits")
    decides = Decides("hits")
    example = "spend: {goal: 9, the rope is cut: 5, advantage: {the ringer owes her: 6}}"
    hits = main(SPEND, "{goal, a danger, or advantage: the die that pays for it}", default=None)
    reached = option(YES_NO, "whether the goal is reached; checked, never needed", checked=True)
    comes_true = option(
        OneOrMany(TEXT), "the dangers that come true; checked, never needed", checked=True
    )
    avoided = option(
        OneOrMany(TEXT),
        "the dangers that stay away; checked, never needed",
        default=(),
        checked=True,
    )


class Outcome(Action):
    """Tell how it went: the goal, and every danger that was not paid off."""

    verb = "outcome"
    also = ("result", "consequence")
    by_dice = True
    decides = Decides("gm")
    example = "outcome: The bell comes up, and she without breath\n  comes true: the air runs out"
    story = main(TEXT, "how it went", default=None, told=TextRole.PROSE)
    reached = option(YES_NO, "whether the goal is reached; checked, never needed", checked=True)
    comes_true = option(
        OneOrMany(TEXT), "the dangers that come true; checked, never needed", checked=True
    )
    avoided = option(
        OneOrMany(TEXT),
        "the dangers that stay away; checked, never needed",
        default=(),
        checked=True,
    )


SetsOut = Goal | Help | Hinder
"""Entries that set out dice."""
