"""What players of Isolation can write in a log: one class a verb.

The docstring, the field descriptions and the example are what the format reference and the editor
show. ``main`` is the value of the verb, ``required`` and ``option`` are further keys.
"""

from __future__ import annotations

from collections.abc import Iterable

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
    YES_NO,
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
from chronicle.core.play_kinds import CHANGE, PAIR
from chronicle.core.schemas import Schema
from chronicle.core.source import ScalarNode, Value
from chronicle.core.telling import Slip, TextRole, known_by, on_paper
from chronicle.games.isolation.dice import ROLLED, THROWS
from chronicle.games.isolation.state import DIFFICULTIES, LEVELS, Rating, Tally

SETUP, START, MIDWAY, DECISION = "setup", "start", "midway", "decision"
PROPOSED, DICE, WOUNDS, DEATHS = "proposed", "dice", "wounds", "deaths"
ENDING, AFTER = "ending", "after"
"""Phases of play; the law of the game says what they are."""
_RUNNING = (SETUP, START, MIDWAY, DECISION, PROPOSED, DICE, WOUNDS, DEATHS, ENDING)
_OVER = Refusal("I79", "the scenario is over")
_PLAY = Moment(_RUNNING, _OVER)
_ALWAYS = Moment((*_RUNNING, AFTER), _OVER)
_OPEN = (PROPOSED, DICE)
_UNDECIDED = "{active}'s proposal is not decided; "


class _RatingKind(Kind[Rating]):
    words = "a difficulty, easy to impossible, or its number of dice"
    example = "hard"
    choices = tuple(DIFFICULTIES)

    def read(self, value: Value, context: Context) -> Rating:
        if not isinstance(value, ScalarNode) or not value.strip():
            raise Misread(f"{self.words} expected here, found {shown(value)}", value)
        text = " ".join(value.split()).casefold()
        if is_figure(text) and len(text) < 4:
            return Rating("", int(text))
        head, _, tail = text.rpartition(" ")
        if head in DIFFICULTIES and is_figure(tail) and len(tail) < 4:
            return Rating(head, int(tail))
        if text in DIFFICULTIES:
            return Rating(text, DIFFICULTIES[text])
        near = nearest_words(text, list(DIFFICULTIES))
        message = f"{self.words} expected here, found {shown(value)}{ask_whether(text, near)}"
        raise Misread(message, value, instead=near, is_told=True)

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
        raise Misread(f"{self.words} expected here, found {shown(value)}", value)

    def schema(self) -> Schema:
        return {"type": ["string", "integer"]}


RATING: Kind[Rating] = _RatingKind()
TALLY: Kind[Tally] = _TallyKind()


class Scenario(Action):
    """Say where the characters are cut off, what keeps them there, and how tense it is already."""

    verb = "scenario"
    also = ("setting", "premise")
    decides = Decides("table")
    moment = _PLAY
    example = "scenario: A lighthouse in a week of storm\n  threat: the sea\n  stress: 2"
    place_ = main(
        TEXT, "the small cut-off place, or a title if 'at' names the place", told=TextRole.SENTENCE
    )
    at = option(TEXT, "the place, if the title does not say", told=TextRole.SENTENCE, is_place=True)
    threat = option(TEXT, "what keeps the cast there", told=TextRole.SENTENCE)
    overlap = option(TEXT, "elements that are one: the place is the threat, or it is in the cast")
    stress = option(CHANGE, "the Stress Level at the start, 1 to 3")


class Sheet(Action):
    """Put a character on paper: yours, or one of the GM's who is in the same boat."""

    verb = "character"
    also = ("pc", "npc", "person")
    slipped = frozenset({"joins the cast"})
    decides = Decides("owner")
    moment = _PLAY
    example = (
        "character: Ruth\n  by: Ana\n  profession: radio operator\n"
        "  plus: [patient, funny, brave]\n  minus: [blunt, vain, secretive]\n"
        "  bias: looks down on soldiers\n  goal: get everybody out"
    )
    name = main(label(NAME), "the character's name")
    profession = option(TEXT, "one descriptor for everything learnt")
    plus = option(label(NAMES), "Positive Descriptors", default=())
    minus = option(label(NAMES), "Negative Descriptors", default=())
    bias = option(TEXT, "the emotional blind spot; two red links with each who falls under it")
    goal = option(TEXT, "what the character wants in this scenario")
    npc = option(YES_NO, "yes, if the GM plays this one", default=False)
    outside = option(
        YES_NO,
        "yes, for whoever is not in the same boat: a name, no figures, no links",
        default=False,
    )

    def lead_in(self) -> str:
        return known_by(self.name, self.profession)

    def slips(self) -> Iterable[Slip]:
        yield from on_paper(self.name, self.profession)
        yield from map(Slip, self.plus)
        yield from (Slip(one, state="wound") for one in self.minus)
        if self.bias is not None:
            yield Slip(self.bias, state="wound")


class _Links(Action):
    """Links between two people on the map."""

    decides = Decides("map maker", "I8")
    moment = _PLAY
    links = main(
        MapOf(in_role("named", PAIR), label(MANY_COUNTED)),
        "{one & other: labels}, x2 for two alike",
    )
    goals = option(
        choice("same", "opposed", "similar", "different"),
        "how the goals stand to each other, where the links are about goals",
    )


class Green(_Links):
    """Draw green links: reasons to like. Without a label on the map there are none at the start."""

    verb = "green"
    also = ("link", "like", "love")
    example = "green: {Ruth & Basil: [patient + scatterbrained], Ruth & Dagny: [goal x3]}"


class Red(_Links):
    """Draw red links: reasons to hate."""

    verb = "red"
    also = ("hate", "dislike")
    example = "red: {Ruth & Cormac: [blunt + touchy, looks down on soldiers x2]}"


class Erase(Action):
    """Take labelled links off the map by hand: a house rule, or a log begun in mid-play."""

    verb = "erase"
    also = ("unlink",)
    departure = True
    decides = Decides("table")
    moment = _PLAY
    example = "erase: {Ruth & Basil: [blunt + touchy]}"
    links = main(MapOf(in_role("named", PAIR), label(MANY_COUNTED)), "{one & other: labels}")


class MapDone(Action):
    """The relationship map is finished. The first proposal says so as well."""

    verb = "map"
    decides = Decides("gm")
    moment = _PLAY
    example = "map: done"
    done = main(choice("done"), "done", default="done")


class OpenScene(Action):
    """Open a scene: where, when, who is there. Isolation has no rules for scenes; readers do."""

    verb = "scene"
    also = ("location", "place")
    decides = Decides("table")
    moment = _ALWAYS
    example = "scene: The lamp room\n  with: [Ruth, Basil]\n  time: towards morning"
    title = main(TEXT, "a title")
    with_ = option(
        in_role("there", NAMES),
        "who is there, or 'everybody', as without it",
        default=(),
        words=("everybody",),
    )
    at = option(TEXT, "the place, if the title does not say", is_place=True)
    time = option(TEXT, "when, in your words")


class EndScene(Action):
    """Close the scene."""

    verb = "end scene"
    also = ("close",)
    decides = Decides("table")
    moment = _ALWAYS
    example = "end scene: The lamp goes on turning"
    words = main(TEXT, "how it ends", default=None, told=TextRole.SENTENCE)


class Propose(Action):
    """Say aloud what your character does, and whom you ask to help. What is said is done."""

    verb = "propose"
    also = ("act", "action", "proposal")
    decides = Decides("speaker")
    moment = Moment(
        (SETUP, START, MIDWAY, DECISION, *_OPEN, WOUNDS, DEATHS),
        Refusal(
            "I55",
            "the pairs have rolled for the end of this session; play goes on in the next one",
            help="start a new session file, or move the pair rolls to the end",
        ),
    )
    example = (
        "propose: We dig the mast out. Now. All of us.\n  by: Ruth\n  physical: yes\n"
        "  use: {Ruth: profession, Basil: patient + scatterbrained}"
    )
    words = main(TEXT, "the proposal in the words spoken", told=TextRole.SPOKEN)
    by = option(in_role("active", NAME), "the character who proposes it")
    ask = option(
        in_role("asked", NAMES),
        "who is asked; the others default to Neutral. Without it, everybody",
        default=(),
    )
    alone = option(YES_NO, "yes, if nobody is asked", default=False)
    against = option(in_role("target", NAME), "the character whom this is directed against")
    physical = option(YES_NO, "whether it is physically threatening", default=False)
    absent = option(in_role("named", NAMES), "who is elsewhere and takes no part", default=())
    use = option(
        MapOf(in_role("uses", NAME), label(MANY_COUNTED)),
        "{who: modifiers}: profession, goal, bias, against goal, against bias, the label of a link",
    )
    because = option(
        MapOf(in_role("uses", NAME), label(MANY_COUNTED)),
        "{who: how it was played}: one green die each (x2 for two) for exceptional role-playing",
    )


class Withdraw(Action):
    """Take a proposal back. The rules do not allow it; a log may still have to say it."""

    verb = "withdraw"
    also = ("retract", "take back")
    departure = True
    decides = Decides("active", "I20")
    moment = Moment(_OPEN, Refusal("I20", "there is no proposal to take back"))
    example = "withdraw: I did not mean that"
    words = main(TEXT, "what was said", default=None, told=TextRole.SPOKEN)


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


class Stress(Action):
    """The GM moves the Stress Level because something happened, or has ceased to happen."""

    verb = "stress"
    also = ("tension", "panic")
    decides = Decides("gm", "I60")
    moment = _PLAY
    example = "stress: up 2\n  for: something walks on the roof"
    change = main(CHANGE, "up or down by 1 to 3; a plain number states what it is")
    for_ = option(TEXT, "the event, the relief, or the time that passed", told=TextRole.SENTENCE)


class Out(Action):
    """Somebody leaves the scenario alive."""

    verb = "out"
    led_in = "{who} out of it"
    also = ("exit", "escape")
    decides = Decides("table")
    moment = _PLAY
    example = "out: Dagny"
    who = main(in_role("leaves", NAMES), "who is out of it")


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


class EndScenario(Action):
    """The scenario is over: they are out, or nobody is left."""

    verb = "end scenario"
    also = ("end game", "over")
    decides = Decides("table")
    moment = Moment(
        (SETUP, START, MIDWAY, DECISION, WOUNDS, DEATHS, ENDING),
        Refusal(
            "I20",
            _UNDECIDED + "what is said is done",
            help="let the dice decide it first",
        ),
        void=True,
    )
    example = "end scenario: The helicopter lands"
    words = main(TEXT, "last words", default=None, told=TextRole.SENTENCE)
