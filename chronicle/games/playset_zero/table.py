"""Who and what is meant, and which optional rules are in force: what every chapter asks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chronicle.core.diagnostic import did_you_mean
from chronicle.core.fix import AddToSettings, make_fix
from chronicle.core.guards import Violation
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.play import Play
from chronicle.core.source import ScalarNode
from chronicle.games.playset_zero.actions import Playset
from chronicle.games.playset_zero.state import CHARACTER, Character, Feature, State

Table = Play[State]

_WORD = re.compile(r"\w+")


def plain(text: str) -> str:
    """A text as its words alone, for comparing."""
    return " ".join(_WORD.findall(fold(text)))


def pick(word: str, named: Sequence[Sequence[str]]) -> list[int]:
    """Which of several things a word means, each known by one or more texts: the same words first,
    then a run of words that a text holds. Several: ambiguous; none: a miss."""
    wanted = plain(word)
    if not wanted:
        return []
    texts = [[plain(text) for text in names] for names in named]
    same = [index for index, names in enumerate(texts) if wanted in names]
    if same:
        return same
    return [
        index
        for index, names in enumerate(texts)
        if any(f" {wanted} " in f" {name} " for name in names)
    ]


def character(play: Table, word: ScalarNode) -> Character | None:
    """The character a name means (a player's name means that player's character); None, and
    reported, when there is none."""
    found = play.find(word, (CHARACTER, PLAYER), "character")
    if found is None:
        return None
    if found.kind == CHARACTER:
        return play.state.characters[found.id]
    return only_one(play, found.id)


def find_character(play: Table, word: ScalarNode) -> Character | None:
    """The character that a name means (a player's name means that player's character); None if there is none. Nothing
    is reported."""
    found = play.look_up(word, (CHARACTER, PLAYER))
    if found is None:
        return None
    if found.kind == CHARACTER:
        return play.state.characters[found.id]
    return only_one(play, found.id)


def only_one(play: Table, player: str) -> Character | None:
    """The one character of a player; None for the GM, who may have many."""
    if player == play.runner:
        return None
    owned = play.state.of(player)
    return owned[0] if owned else None


def acting(play: Table) -> Character | None:
    """The character of whoever acts: named by ``by``, or the acting player's own."""
    by = play.step.action.by
    if by is not None:
        found = play.names.find(by, (CHARACTER, PLAYER))
        if isinstance(found, Named) and found.kind == CHARACTER:
            return play.state.characters[found.id]
    return only_one(play, play.step.player)


def participants(play: Table) -> list[str]:
    """Everybody who plays: the seats, then the GM."""
    return list(dict.fromkeys(player.name for player in play.players))


def others(play: Table, player: str) -> list[str]:
    """All participants but one."""
    return [name for name in participants(play) if name != player]


def in_force(play: Table, option: str) -> bool:
    """Whether the campaign plays with an optional rule."""
    settings = play.campaign.settings
    return isinstance(settings, Playset) and option in settings.options


def not_in_force(play: Table, option: str, what: str) -> Violation | None:
    """That an entry uses an optional rule which is not in force. Later ones are folded under the first."""
    if in_force(play, option):
        return None
    key = f"option:{option}"
    return Violation(
        f"{what}, but this campaign does not play with '{option}'",
        fix=make_fix(AddToSettings("options", (option,))),
        after=(key,),
        doubts=(key,),
    )


def optional(play: Table, option: str, code: str, what: str) -> bool:
    """Hold that an optional rule is in force. For entries without guards."""
    missing = not_in_force(play, option, what)
    if missing is not None:
        play.illegal(code, missing.message, fix=missing.fix, after=missing.after)
        play.taint(*missing.doubts)
    return missing is None


def feature_of(who: Character, word: str) -> list[Feature]:
    """The present Features that a word means."""
    present = who.present()
    return [present[index] for index in pick(word, [(f.text,) for f in present])]


def is_flaw(who: Character, word: str) -> bool:
    """Whether a word means the flaw: its text, or simply 'flaw'."""
    if not who.flaw or who.flaw_gone:
        return False
    return plain(word) == "flaw" or bool(pick(word, [(who.flaw,)]))


def features_hint(who: Character, word: str, *, flaw: bool = False) -> str:
    """What Features (with the flaw, if asked) somebody has, or which one was probably meant."""
    texts = [f.text for f in who.present()]
    if flaw and who.flaw and not who.flaw_gone:
        texts.append(who.flaw)
    close = did_you_mean(word, texts)
    if close:
        return close
    return "; present Features: " + ", ".join(f"'{text}'" for text in texts) if texts else ""


def called(who: Character | None, player: str) -> str:
    """A character's name, or the player's where no character is named."""
    return who.name if who is not None else player or "whoever rolls"


WITHOUT_WORDS = "a danger without words"
"""What a danger is called of which the log says nothing."""


def say_something(play: Table, text: str, rule: str, message: str, at: ScalarNode) -> bool:
    """Hold that a text which a rule asks for has words."""
    return play.require(bool(text.strip()), rule, message, at=at)
