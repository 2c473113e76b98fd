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
    WHOLE,
    YES_NO,
    Action,
    EitherOf,
    MapOf,
    OneOrMany,
    Part,
    PartOf,
    choice,
    faces,
    main,
    option,
    required,
)
from chronicle.core.dice import FUDGE

FUDGE_DIE = FUDGE._replace(rule="P2")


class Guest(Part):
    """A character at the start: a name and nothing else."""

    name = main(NAME, "the character's name")
    traits = option(TEXT, "not at the start: all else is found out in play (P8)")
    history = option(TEXT, "not at the start: all else is found out in play (P8)")
    relationship = option(TEXT, "not at the start: all else is found out in play (P8)")


class Cast(Action):
    """Who plays whom. A character is a name and nothing else."""

    verb = "cast"
    acts = "the table"
    example = "cast: {Ana: Marit, Bo: Jonas, Cy: Petra, Dee: Sunny, Eli: Gus}"
    guests = main(
        MapOf(NAME, PartOf(Guest), "a mapping from each player to a character"),
        "{player: character}",
    )


class Host(Action):
    """Whose character gives the party, and is accused without knowing it."""

    verb = "host"
    acts = "the table"
    example = "host: Marit"
    host = main(NAME, "the character of the player who has been longest in a relationship")


class Accuser(Action):
    """Who volunteers to play the accuser."""

    verb = "accuser"
    acts = "the volunteer"
    example = "accuser: Jonas\n  symptoms: no"
    accuser = main(NAME, "the accusing character")
    symptoms = option(YES_NO, "whether the accuser shows symptoms")
    volunteered = option(YES_NO, "no, if the part was assigned", default=True)


class OpenScene(Action):
    """Open a scene and add whoever you want to it. Your own character is in it."""

    verb = "scene"
    acts = "whoever has the right to open: the accuser first, then the loser of the last conflict"
    example = "scene: New Year, Marit's old kitchen\n  with: [Marit, Petra]\n  time: flashback"
    title = main(TEXT, "where and when, as a title")
    with_ = option(NAMES, "the characters added, or 'everybody'", default=())
    without = option(NAMES, "the opener's own character, if it stays out", default=())
    time = option(TEXT, "flashback, flash-forward, party, or a date in your words")
    at = option(TEXT, "the place, if the title does not say")
    before = option(TEXT, "the title of a scene that this one precedes in the story")
    after = option(TEXT, "the title of a scene that this one follows in the story")
    during = option(TEXT, "the title of a scene that happens at the same time")
    all_characters = option(YES_NO, "yes, if this is the scene that an end square asks for")


class BargeIn(Action):
    """Come into a scene that you were not added to. It costs one commitment die."""

    verb = "barge in"
    acts = "the player of the character who barges in"
    example = "barge in: Sunny"
    who = main(NAME, "the character who barges in")
    pays = option(WHOLE, "commitment dice paid; checked, never needed")


class Apology(Action):
    """Own up, confess or apologise in a scene. If all the others believe it, regain a die."""

    verb = "apology"
    acts = "the player of the character who apologises: name it with by"
    example = "apology: I told Jonas. It was not mine to tell.\n  by: Sunny"
    words = main(TEXT, "what is said")
    doubted_by = option(NAMES, "who does not believe it (silence agrees)", default=())
    regains = option(WHOLE, "commitment dice regained; checked, never needed")


class Call(Action):
    """Lay down your conflict die: that went too far, it was otherwise."""

    verb = "call"
    acts = "the offended player: name the character with by"
    example = "call: Petra knew nothing\n  by: Petra\n  against: Jonas"
    version = main(TEXT, "what happened instead, in the caller's version")
    against = required(NAME, "whose statement is disputed")


class Match(Action):
    """Lay down your own conflict die against the caller's."""

    verb = "match"
    acts = "the challenged player"
    example = "match: She lent them her flat"
    version = main(TEXT, "the version that the challenged player stands by", default=None)


class BackDown(Action):
    """Give way: the caller ends the scene, nothing is rolled and nobody moves."""

    verb = "back down"
    acts = "the challenged player"
    example = "back down: Jonas"
    who = main(NAME, "who backs down", default=None)
    moves = option(MapOf(NAME, WHOLE), "steps of tokens; there are none")


class Back(Action):
    """Put one commitment die on a side. Your character need not be in the scene."""

    verb = "back"
    acts = "each player named"
    example = "back: {Ana: Jonas, Dee: Petra}"
    sides = main(
        MapOf(NAME, OneOrMany(COUNTED), "a mapping from a player to the side backed"),
        "{player: caller or challenged}",
    )


class Roll(Action):
    """Roll both sides: each principal's conflict die first, then the dice of those who back them."""

    verb = "roll"
    acts = "both sides"
    example = "roll: {Jonas: +o-, Petra: o+}"
    sides = main(
        MapOf(NAME, faces(FUDGE_DIE), "a mapping from caller and challenged to their faces"),
        "{principal: faces}, o for a blank",
    )
    winner = option(EitherOf(choice("tie"), NAME, words="a name or tie"), "who won; checked")
    moves = option(MapOf(NAME, WHOLE), "steps of tokens, towards Inclusion positive; checked")


class EndScene(Action):
    """Close the scene: the winning version is played out, or the caller concludes."""

    verb = "end scene"
    acts = "the winner of the conflict, or the caller after a back-down, or the opener"
    example = "end scene: Petra puts her glass down on nothing"
    words = main(TEXT, "how it ends", default=None)


class Ejection(Action):
    """Tell how the character who moved beyond Expelled is thrown out. Everybody else tells."""

    verb = "ejection"
    acts = "each player but the ejected one: name the player with by"
    example = "ejection: Nobody answers when Marit asks for her coat\n  by: Bo"
    story = main(TEXT, "how it happens")


class EndGame(Action):
    """The game is over: somebody is out, and the others have told how."""

    verb = "end game"
    acts = "the table"
    example = "end game: We sat there for a while"
    words = main(TEXT, "last words", default=None)
    winner = option(NAME, "the game names no winner (P27)")


class Gain(Action):
    """A commitment die comes back for a reason that the rules do not know."""

    verb = "gain"
    departure = True
    acts = "each player named"
    example = "gain: {Dee: 1}\n  under: kindness"
    dice = main(MapOf(NAME, WHOLE), "{player: dice}")


class Lose(Action):
    """A die goes for a reason that the rules do not know."""

    verb = "lose"
    departure = True
    acts = "each player named"
    example = "lose: {Dee: 1}\n  under: phones"
    dice = main(
        MapOf(NAME, EitherOf(WHOLE, choice("conflict die"), words="a number or 'conflict die'")),
        "{player: dice}",
    )


VERBS: tuple[type[Action], ...] = (
    Cast,
    Host,
    Accuser,
    OpenScene,
    BargeIn,
    Apology,
    Call,
    Match,
    BackDown,
    Back,
    Roll,
    EndScene,
    Ejection,
    EndGame,
    Gain,
    Lose,
)
