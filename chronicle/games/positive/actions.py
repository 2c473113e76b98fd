"""What players of Positive can write in a log: one class a verb.

The docstring, the field descriptions and the example are what the format reference and the editor
show. ``main`` is the value of the verb, ``required`` and ``option`` are further keys.
"""

from __future__ import annotations

from chronicle.core.declare import (
    COUNTED,
    NAME,
    NAMES,
    TEXT,
    UNRECORDED,
    WHOLE,
    YES_NO,
    Action,
    Decides,
    EitherOf,
    MapOf,
    MapOr,
    Moment,
    OneOrMany,
    OrUnrecorded,
    Part,
    PartOf,
    Refusal,
    choice,
    faces,
    in_role,
    label,
    main,
    option,
    required,
)
from chronicle.core.diagnostic import Finding
from chronicle.core.dice import FUDGE
from chronicle.core.telling import Told

FUDGE_DIE = FUDGE._replace(rule="P2")

SETUP, BETWEEN, OPEN = "setup", "between", "open"
CALLED, MATCHED, GIVEN_WAY, DECIDED = "called", "matched", "given way", "decided"
CLOSING, OUT, OVER = "closing", "out", "over"
"""Phases of play; the law of the game says what they are."""
_SCENE = (OPEN, CALLED, MATCHED, GIVEN_WAY, DECIDED)
_PLAY = Moment((SETUP, BETWEEN, *_SCENE), Refusal("P25"))
_ALWAYS = Moment((SETUP, BETWEEN, *_SCENE, CLOSING, OUT, OVER), Refusal("P25"))
_NO_CALL = ("dropped:call",)


class Guest(Part):
    """A character at the start: a name and nothing else."""

    name = main(label(NAME), "the character's name")
    traits = option(TEXT, "not at the start: all else is found out in play (P8)")
    history = option(TEXT, "not at the start: all else is found out in play (P8)")
    relationship = option(TEXT, "not at the start: all else is found out in play (P8)")


class Cast(Action):
    """Who plays whom. A character is a name and nothing else."""

    verb = "cast"
    also = ("character", "play")
    about_table = True
    decides = Decides("table")
    moment = _PLAY
    example = "cast: {Ana: Marit, Bo: Jonas, Cy: Petra, Dee: Sunny, Eli: Gus}"
    guests = main(
        MapOf(in_role("player", NAME), PartOf(Guest), "a mapping from each player to a character"),
        "{player: character}",
    )


class Host(Action):
    """Whose character gives the party, and is accused without knowing it."""

    verb = "host"
    also = ("party",)
    about_table = True
    decides = Decides("table")
    moment = _PLAY
    example = "host: Marit"
    host = main(
        in_role("named", NAME), "the character of the player who has been longest in a relationship"
    )


class Accuser(Action):
    """Who volunteers to play the accuser."""

    verb = "accuser"
    also = ("accuse",)
    about_table = True
    decides = Decides("volunteer")
    moment = _PLAY
    example = "accuser: Jonas\n  symptoms: no"
    accuser = main(in_role("named", NAME), "the accusing character")
    symptoms = option(YES_NO, "whether the accuser shows symptoms")
    volunteered = option(YES_NO, "no, if the part was assigned", default=True)


class OpenScene(Action):
    """Open a scene and add whoever you want to it. Your own character is in it."""

    verb = "scene"
    also = ("frame",)
    decides = Decides("opener")
    moment = _PLAY
    example = "scene: New Year, Marit's old kitchen\n  with: [Marit, Petra]\n  time: flashback"
    title = main(TEXT, "where and when, as a title")
    with_ = option(
        in_role("named", NAMES),
        "the characters added, or 'everybody'",
        default=(),
        words=("everybody",),
    )
    without = option(
        in_role("named", NAMES), "the opener's own character, if it stays out", default=()
    )
    time = option(TEXT, "flashback, flash-forward, party, or a date in your words")
    at = option(TEXT, "the place, if the title does not say", is_place=True)
    before = option(TEXT, "the title of a scene that this one precedes in the story")
    after = option(TEXT, "the title of a scene that this one follows in the story")
    during = option(TEXT, "the title of a scene that happens at the same time")
    all_characters = option(YES_NO, "yes, if this is the scene that an end square asks for")


class BargeIn(Action):
    """Come into a scene that you were not added to. It costs one commitment die."""

    verb = "barge in"
    led_in = "Enter {who}"
    also = ("enter", "join", "come in")
    decides = Decides("barger", "P13")
    moment = Moment(
        _SCENE, Refusal("P13", "there is no scene to barge into", after=("dropped:scene",))
    )
    example = "barge in: Sunny"
    who = main(in_role("named", NAME), "the character who barges in")
    pays = option(WHOLE, "commitment dice paid; checked, never needed", checked=True)


class Apology(Action):
    """Own up, confess or apologise in a scene. If all the others believe it, regain a die."""

    verb = "apology"
    also = ("apologise", "apologize", "confess", "sorry")
    decides = Decides("sinner")
    moment = Moment(
        _SCENE,
        Refusal(
            "P14",
            "an apology brings a die back only within a scene",
            after=("dropped:scene",),
        ),
    )
    example = "apology: I told Jonas. It was not mine to tell.\n  by: Sunny"
    words = main(TEXT, "what is said", told=Told.SENTENCE)
    by = option(in_role("apologises", NAME), "the character who apologises")
    doubted_by = option(
        in_role("doubts", NAMES), "who does not believe it (silence agrees)", default=()
    )
    regains = option(WHOLE, "commitment dice regained; checked, never needed", checked=True)

    def lead_in(self) -> str:
        return f"{self.by} owns up" if self.by is not None else ""


class Call(Action):
    """Lay down your conflict die: that went too far, it was otherwise."""

    verb = "call"
    also = ("object", "conflict")
    objects = True
    decides = Decides("caller")
    moment = Moment(
        _SCENE,
        Refusal("P15", "a conflict can only be called within a scene", after=("dropped:scene",)),
    )
    example = "call: Petra knew nothing\n  by: Petra\n  against: Jonas"
    version = main(TEXT, "what happened instead, in the caller's version", told=Told.SENTENCE)
    by = option(in_role("caller", NAME), "the offended character")
    against = required(in_role("challenged", NAME), "whose statement is disputed")

    def lead_in(self) -> str:
        who = f"{self.by}, " if self.by is not None else ""
        return f"{who}against {self.against}"


class Match(Action):
    """Lay down your own conflict die against the caller's."""

    verb = "match"
    decides = Decides("challenged", "P17")
    moment = Moment(
        (CALLED, MATCHED),
        Refusal(
            "P17", "nobody has called a conflict to match", "call:  comes first", after=_NO_CALL
        ),
        {
            GIVEN_WAY: Refusal("P17", "too late to match: {challenged} backed down"),
            DECIDED: Refusal("P17", "too late to match: the dice have fallen"),
        },
    )
    example = "match: She lent them her flat"
    version = main(
        TEXT, "the version that the challenged player stands by", default="", told=Told.SENTENCE
    )

    def lead_in(self) -> str:
        return "Against that" if self.version else ""


class BackDown(Action):
    """Give way: the caller ends the scene, nothing is rolled and nobody moves."""

    verb = "back down"
    also = ("concede", "yield", "give in")
    decides = Decides("challenged", "P16")
    moment = Moment(
        (CALLED,),
        Refusal(
            "P16",
            "nobody has called a conflict to back down from",
            "call:  comes first",
            after=_NO_CALL,
        ),
        {
            MATCHED: Refusal("P16", "too late to back down: the call is matched already"),
            GIVEN_WAY: Refusal("P16", "too late to back down: {challenged} did so before"),
            DECIDED: Refusal("P16", "too late to back down: the dice have fallen"),
        },
    )
    example = "back down: Jonas"
    who = main(in_role("named", NAME), "who backs down", default=None)
    moves = option(MapOf(in_role("named", NAME), WHOLE), "steps of tokens; there are none")

    def lead_in(self) -> str:
        return f"{self.who} backs down" if self.who is not None else ""


class Back(Action):
    """Put one commitment die on a side. Your character need not be in the scene."""

    verb = "back"
    also = ("support",)
    decides = Decides("backers")
    moment = Moment(
        (MATCHED,),
        Refusal("P18", "there is no matched conflict to back anybody in", after=_NO_CALL),
        {
            CALLED: Refusal(
                "P18",
                "{challenged} has not matched yet; sides are backed after the match",
                "write  match:  first",
                ("dropped:match",),
            ),
            DECIDED: Refusal("P18", "the dice have fallen; nobody can back a side any more"),
        },
    )
    example = "back: {Ana: Jonas, Dee: Petra}"
    sides = main(
        MapOf(
            in_role("backer", NAME),
            in_role("side", OneOrMany(COUNTED)),
            "a mapping from a player to the side backed",
        ),
        "{player: caller or challenged}",
    )


class Roll(Action):
    """Roll both sides: each principal's conflict die first, then the dice of those who back them."""

    verb = "roll"
    also = ("dice", "throw")
    slipped = frozenset({"wins"})
    decides = Decides("sides")
    moment = Moment(
        (MATCHED,),
        Refusal(
            "P19",
            "there is no matched conflict to roll for",
            after=("dropped:call", "dropped:match"),
        ),
        {
            CALLED: Refusal(
                "P17",
                "{challenged} has not matched; without two conflict dice nothing is rolled",
                "write  match:  before the roll",
                ("dropped:match",),
            )
        },
    )
    example = "roll: {Jonas: +o-, Petra: o+}"
    sides = main(
        MapOr(
            MapOf(
                in_role("named", NAME),
                OrUnrecorded(faces(FUDGE_DIE)),
                "a mapping from caller and challenged to their faces",
            ),
            choice(UNRECORDED),
            words="a mapping from caller and challenged to their faces, or unrecorded",
        ),
        "{principal: faces}, o for a blank; unrecorded, for one side or for both",
    )
    winner = option(
        EitherOf(choice("tie"), in_role("named", NAME), words="a name or tie"),
        "who won; checked, and taken as said where faces are unrecorded",
        checked=True,
    )
    moves = option(
        MapOf(in_role("named", NAME), WHOLE),
        "steps of tokens, towards Inclusion positive; checked",
        checked=True,
    )


class EndScene(Action):
    """Close the scene: the winning version is played out, or the caller concludes."""

    verb = "end scene"
    also = ("close",)
    decides = Decides("closer", "P16")
    moment = Moment(
        (OPEN, GIVEN_WAY, DECIDED, CLOSING),
        Refusal("P11", "no scene is open", finding=Finding.BOOKKEEPING),
        {
            CALLED: Refusal(
                "P16", "{caller}'s call is not settled", "back down: or match: and roll: come first"
            ),
            MATCHED: Refusal(
                "P19",
                "both conflict dice lie on the table and nobody has rolled",
                "roll:  comes first",
            ),
        },
    )
    example = "end scene: Petra puts her glass down on nothing"
    words = main(TEXT, "how it ends", default=None, told=Told.SENTENCE)


class Ejection(Action):
    """Tell how the character who moved beyond Expelled is thrown out. Everybody else tells."""

    verb = "ejection"
    also = ("eject", "expel", "throw out")
    decides = Decides("others")
    moment = Moment(
        (CLOSING, OUT, OVER),
        Refusal(
            "P25",
            "nobody has moved beyond Expelled, so nobody is thrown out",
            "standing on Expelled is not the end",
            ("lost:",),
        ),
        void=True,
    )
    example = "ejection: Nobody answers when Marit asks for her coat\n  by: Bo"
    story = main(TEXT, "how it happens", told=Told.PROSE)
    by = option(in_role("teller", NAME), "the player who tells it")


class EndGame(Action):
    """The game is over: somebody is out, and the others have told how."""

    verb = "end game"
    also = ("game over",)
    decides = Decides("table")
    moment = Moment(
        (CLOSING, OUT, OVER),
        Refusal(
            "P25",
            "nobody has moved beyond Expelled, so the game is not over",
            "standing on an end square asks for a scene with everybody, no more; "
            "if you simply stop here, write  end session:",
            ("lost:",),
        ),
        void=True,
    )
    example = "end game: We sat there for a while"
    words = main(TEXT, "last words", default=None, told=Told.PROSE)
    winner = option(in_role("named", NAME), "the game names no winner (P27)")


class Gain(Action):
    """A commitment die comes back for a reason that the rules do not know."""

    verb = "gain"
    also = ("regain",)
    departure = True
    decides = Decides("each")
    moment = _ALWAYS
    example = "gain: {Dee: 1}\n  under: kindness"
    dice = main(MapOf(in_role("player", NAME), WHOLE), "{player: dice}")


class Lose(Action):
    """A die goes for a reason that the rules do not know."""

    verb = "lose"
    also = ("pay", "loss")
    departure = True
    decides = Decides("each")
    moment = _ALWAYS
    example = "lose: {Dee: 1}\n  under: phones"
    dice = main(
        MapOf(
            in_role("player", NAME),
            EitherOf(WHOLE, choice("conflict die"), words="a number or 'conflict die'"),
        ),
        "{player: dice}",
    )
