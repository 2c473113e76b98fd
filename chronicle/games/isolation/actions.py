"""What players of Isolation can write in a log: one class a verb.

The docstring, the field descriptions and the example are what the format reference and the editor
show. ``main`` is the value of the verb, ``required`` and ``option`` are further keys.
"""

from __future__ import annotations

from chronicle.core.declare import Action, Decides, Moment, Part, PartOf, Refusal, main, option
from chronicle.core.diagnostic import ask_whether, nearest_words
from chronicle.core.figures import is_figure
from chronicle.core.fix import add_entry
from chronicle.core.kinds import (
    MANY_COUNTED,
    NAME,
    NAMES,
    TEXT,
    UNRECORDED,
    WHOLE,
    Context,
    Kind,
    MapOf,
    MapOr,
    Misread,
    OrUnrecorded,
    choice,
    in_role,
    label,
    shown,
    whole,
)
from chronicle.core.play_kinds import PAIR
from chronicle.core.schemas import Schema
from chronicle.core.source import ScalarNode, Value
from chronicle.core.telling import TextRole
from chronicle.games.isolation.dice import ROLLED, THROWS
from chronicle.games.isolation.phases import (
    AFTER,
    ALWAYS,
    DEATHS,
    DECISION,
    ENDING,
    MIDWAY,
    NOT_DECIDED,
    SETUP,
    START,
    UNDECIDED,
    WHILE_RUNNING,
    WOUNDS,
)
from chronicle.games.isolation.state import DIFFICULTIES, LEVELS, Rating, Tally

_PLAY, _ALWAYS, _OPEN, _UNDECIDED = WHILE_RUNNING, ALWAYS, UNDECIDED, NOT_DECIDED


class _RatingKind(Kind[Rating]):
    words = "a difficulty, easy to impossible, or its number of dice"
    example = "hard"
    choices = tuple(DIFFICULTIES)

    def read(self, value: Value, context: Context) -> Rating:
        if not isinstance(value, ScalarNode) or not value.strip():
            raise Misread(f", found {shown(value)}", value, expected=self.words)
        text = " ".join(value.split()).casefold()
        if is_figure(text) and len(text) < 4:
            return Rating("", int(text))
        head, _, tail = text.rpartition(" ")
        if head in DIFFICULTIES and is_figure(tail) and len(tail) < 4:
            return Rating(head, int(tail))
        if text in DIFFICULTIES:
            return Rating(text, DIFFICULTIES[text])
        near = nearest_words(text, list(DIFFICULTIES))
        message = f", found {shown(value)}{ask_whether(text, near)}"
        raise Misread(message, value, instead=near, is_told=True, expected=self.words)

    def schema(self) -> Schema:
        return {"type": ["string", "integer"]}


class _TallyKind(Kind[Tally]):
    words = "unlabelled links, +2 for two green, -1 for one red, or '1 green'"
    example = "+1"

    def read(self, value: Value, context: Context) -> Tally:
        if isinstance(value, ScalarNode):
            parts = value.replace(",", " ").split()
            if len(parts) == 1:
                number = WHOLE.read(value, context)
                return Tally(max(0, number), max(0, -number))
            counts = {"green": 0, "red": 0}
            if parts and len(parts) % 2 == 0:
                for count, colour in zip(parts[::2], parts[1::2], strict=True):
                    if not is_figure(count) or len(count) > 3 or colour not in counts:
                        break
                    counts[colour] += int(count)
                else:
                    return Tally(counts["green"], counts["red"])
        raise Misread(f", found {shown(value)}", value, expected=self.words)

    def schema(self) -> Schema:
        return {"type": ["string", "integer"]}


RATING: Kind[Rating] = _RatingKind()
TALLY: Kind[Tally] = _TallyKind()


class Roll(Action):
    """Roll: the Active and everybody asked, in both colours; later late Hostiles and the GM."""

    verb = "roll"
    also = ("dice", "throw")
    slipped = frozenset({"odds", "net", "threat", "level"})
    decides = Decides("table")
    moment = Moment(
        _OPEN,
        Refusal(
            "I22",
            "this conflict is decided; nobody rolls again",
            fixes=(add_entry("propose: ..."),),
        ),
        {
            phase: Refusal(
                "I20",
                "nothing has been proposed; there is nothing to roll for",
                fixes=(add_entry("propose: ..."),),
            )
            for phase in (SETUP, START, MIDWAY)
        },
    )
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
        checked=True,
    )
    evens = option(
        MapOf(in_role("named", NAME), WHOLE),
        "{who: green evens of the first reading}; checked",
        checked=True,
    )
    net = option(
        MapOf(in_role("named", NAME), WHOLE),
        "{who: net of the first reading}; checked",
        checked=True,
    )


STANCES = ("cooperative", "neutral", "hostile", "must be hostile")


class Stance(Action):
    """Where everybody asked stands. Hostility needs no dice; the rest is what the dice allow."""

    verb = "stance"
    also = ("neutral", "hostile", "support", "supportive")
    decides = Decides("each")
    moment = Moment(
        _OPEN,
        Refusal(
            "I28", "there is no proposal to take a stance on", fixes=(add_entry("propose: ..."),)
        ),
    )
    example = (
        "stance: {Basil: cooperative, Cormac: hostile, Dagny: neutral}\n"
        "- difficulty: hard\n"
        "- stance: {Edda: hostile}        # nobody had asked her: red dice, before the GM's or with them\n"
        "- roll: {Edda: {red: 6332}, GM: 66411431346 344}"
    )
    stances = main(
        MapOf(in_role("stands", NAME), choice(*STANCES)), "{who: cooperative, neutral or hostile}"
    )
    use = option(
        MapOf(in_role("uses", NAME), label(MANY_COUNTED)),
        "modifiers of a late Hostile, where the table reads it so; all others come before the roll",
    )


class Difficulty(Action):
    """The GM says how hard the task is, and may roll at once."""

    verb = "difficulty"
    also = ("hard", "task", "rating")
    slipped = frozenset({"threat", "level"})
    decides = Decides("gm", "I40")
    moment = Moment(
        _OPEN,
        Refusal(
            "I40", "nothing is at stake that needs a Difficulty", fixes=(add_entry("propose: ..."),)
        ),
    )
    example = "difficulty: hard\n  roll: 431532153 5"
    rating = main(RATING, "easy, average, hard, really hard, extremely hard, impossible, or 1 to 6")
    living = option(WHOLE, "Living Characters as counted at the table; checked", checked=True)
    roll = option(in_role("rolls", THROWS), "the GM's faces")


class Result(Action):
    """State the result: checked where dice fell, and the only source where none did."""

    verb = "result"
    also = ("outcome", "success", "failure")
    decides = Decides("table")
    moment = _PLAY
    example = "result: basic success\n  pool: 7\n  versus: 4\n  links: {Ruth & Basil: +1}"
    level = main(choice(*LEVELS), "the level of success or failure")
    pool = option(WHOLE, "green evens left after cancelling; checked", checked=True)
    versus = option(WHOLE, "red odds against them; checked", checked=True)
    links = option(
        MapOf(in_role("named", PAIR), TALLY),
        "{one & other: unlabelled links formed}; checked",
        checked=True,
    )


class Motive(Action):
    """Tell why and how a character acts as the dice ask. Only its own player may."""

    verb = "motive"
    also = ("why", "reason", "motivation")
    decides = Decides("each")
    moment = _ALWAYS
    example = "motive: {Cormac: He heard it breathing at the other end of the rope}"
    motives = main(
        MapOf(in_role("tells why", NAME), TEXT), "{who: why and how}", told=TextRole.SPOKEN
    )


class Wounds(Action):
    """Spread the wounds of a threatening failure over those who helped or stood by."""

    verb = "wounds"
    also = ("wound", "hurt", "injury", "injured")
    decides = Decides("wound chooser", "I69")
    moment = _PLAY
    example = "wounds: {Ruth: 1, Basil: 2}\n  blame: {Basil: Cormac}"
    wounds = main(MapOf(in_role("wounded", NAME), whole(0)), "{who: how many levels}")
    blame = option(
        MapOf(in_role("named", NAME), in_role("named", NAMES)),
        "{wounded: whose deed or omission it came from}",
    )
    drawn = option(
        MapOf(in_role("named", PAIR), label(NAMES)),
        "{one & other: wound labels drawn on the map}; checked",
        checked=True,
    )


class Death(Action):
    """Somebody is dead: where the green links go that do not divide evenly."""

    verb = "death"
    also = ("die", "dies", "dead", "kill", "killed")
    led_in = "The death of {who}"
    decides = Decides("table")
    moment = _PLAY
    example = "death: Basil\n  spread: {Ruth & Cormac: 2, Ruth & Dagny: 1, Cormac & Dagny: 1}"
    who = main(in_role("named", NAME), "who died")
    spread = option(
        MapOf(in_role("named", PAIR), whole(0)), "{one & other: unlabelled green links received}"
    )


class PairRoll(Part):
    """One pair's roll at the end of a session, and what they chose."""

    green = option(ROLLED, "faces of the green dice")
    red = option(ROLLED, "faces of the red dice")
    erase = option(TEXT, "the label that is erased: a red one after green evens, else a green one")
    add_green = option(TEXT, "the new green label, if green evens won")
    add_red = option(TEXT, "the new red label, if red odds won")
    for_ = option(TEXT, "what happened in the game that the new label stands for")


class PairRolls(Action):
    """At the end of a session each pair may roll its green links against its red ones."""

    verb = "pair rolls"
    also = ("pair links",)
    slipped = frozenset({"pair roll"})
    decides = Decides("pairs")
    moment = Moment(
        (MIDWAY, DECISION, WOUNDS, DEATHS, ENDING, AFTER),
        Refusal("I55", _UNDECIDED + "pairs roll at the end of the session"),
        {
            phase: Refusal(
                "I55", "pairs roll at the end of a session, and nothing has been played yet"
            )
            for phase in (SETUP, START)
        },
    )
    example = (
        "pair rolls:\n    Ruth & Dagny: {green: 623 4, red: 35246, erase: Ruth Dying}\n"
        "    Ruth & Cormac: {green: 4, red: 233, add red: you cut the rope, for: the mast}"
    )
    rolls = main(
        MapOr(
            MapOf(in_role("pair", PAIR), OrUnrecorded(PartOf(PairRoll))),
            choice(UNRECORDED),
            words="{one & other: faces and choice}, or unrecorded",
        ),
        "{one & other: faces and choice}; unrecorded",
    )

    def lead_in(self) -> str:
        rolls = {} if isinstance(self.rolls, str) else self.rolls
        new = {
            f"{pair.one} & {pair.other}": roll.add_green or roll.add_red
            for pair, roll in rolls.items()
            if roll is not None
        }
        return ". ".join(f"{pair}: {label}" for pair, label in new.items() if label is not None)


class Recover(Action):
    """State a recovery: it follows from the pair rolls, and is checked."""

    verb = "recover"
    also = ("heal", "recovery")
    decides = Decides("table")
    moment = _ALWAYS
    example = "recover: {Ruth: dying}"
    levels = main(
        MapOf(in_role("named", NAME), choice("dying", "injured")), "{who: the level that is healed}"
    )
