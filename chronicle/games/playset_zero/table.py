"""The questions that every chapter asks: where play is, who is meant, which optional rules are in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chronicle.core.campaign import SEAT, Settings
from chronicle.core.declare import option, required
from chronicle.core.diagnostic import did_you_mean, nearest_words
from chronicle.core.field_types import OneOrMany, choice
from chronicle.core.fix import AddToSettings, Fix, make_fix, replace_with
from chronicle.core.game_context import GameContext
from chronicle.core.guards import Violation
from chronicle.core.law import Phase
from chronicle.core.names import PLAYER, Named, only_words
from chronicle.core.ranges import CannotTell
from chronicle.core.source import ScalarNode
from chronicle.games.playset_zero.state import MEANS_CHARACTER, Character, Feature, Stage, State

Table = GameContext[State]

OPTIONS = ("magic", "challenge", "helping", "questions")
"""The optional rules: Z37 and Z38, Z39, Z40 to Z44, and the comment's variant Z45."""
OPTION_OF_VERB = {"magic": "magic", "help": "helping", "hinder": "helping"}
"""The optional rule that a verb belongs to."""


class Playset(Settings):
    """``campaign.yaml`` of Playset Zero: who is the GM, and which optional rules are in force."""

    facilitator = "gm"

    gm = required(SEAT, "the GM, who owns the scenario and everybody who is not a player's")
    options = option(
        OneOrMany(choice(*OPTIONS)),
        "optional rules in force: magic, challenge, helping (hindering too), questions",
        default=(),
    )


# --- phases ---------------------------------------------------------------------------------------

FREE, GOAL, ROLLED, SETTLED, OVER = "free", "goal", "rolled", "settled", "over"


def phase(play: Table) -> str:
    """Where play is."""
    state = play.state
    roll = state.running()
    if state.over:
        return OVER
    if roll is None:
        return SETTLED if state.rolls and state.call is None else FREE
    return GOAL if roll.stage is Stage.GOAL else ROLLED


def _goal_entry(play: Table) -> int:
    roll = play.state.running()
    return roll.step if roll is not None else 0


def _dice_entry(play: Table) -> int:
    roll = play.state.running()
    return roll.rolled if roll is not None else 0


PHASES: Mapping[str, Phase] = {
    FREE: Phase("there is no goal yet"),
    GOAL: Phase("a goal waits for its dice", _goal_entry, "stated here"),
    ROLLED: Phase("the dice have fallen", _dice_entry, "rolled here"),
    SETTLED: Phase(
        "the last roll is over",
        lambda play: play.state.rolls[-1].settled if play.state.rolls else 0,
        "settled here",
    ),
    # No rule says when a game is over (ZA27): an epilogue may go on as long as it likes.
    OVER: Phase("the scenario is over", lambda play: play.state.over, "ended here"),
}


def certain_since(play: Table, step: int) -> None:
    """Check that the record has no gap after an entry.

    Raises:
        CannotTell: if it has one.
    """
    if play.gap > step:
        raise CannotTell


# --- words ----------------------------------------------------------------------------------------


def pick(word: str, named: Sequence[Sequence[str]]) -> list[int]:
    """The indexes of the items that a word means; each item has one or more texts. Items with equal words win over
    items that contain the words."""
    words = only_words(word)
    if not words:
        return []
    texts = [[only_words(text) for text in names] for names in named]
    equal = [index for index, names in enumerate(texts) if words in names]
    if equal:
        return equal
    return [
        index
        for index, names in enumerate(texts)
        if any(f" {words} " in f" {name} " for name in names)
    ]


# --- people ----------------------------------------------------------------------------------------


def find_character(play: Table, word: ScalarNode) -> Character | None:
    """The character that a name means (a player's name means that player's character); None if there is none. Nothing
    is reported."""
    named = play.look_up(word, MEANS_CHARACTER)
    if named is None:
        return None
    return only_one(play, named.id) if named.kind == PLAYER else play.state.characters[named.id]


def only_one(play: Table, player: str) -> Character | None:
    """The only character of a player; None for the GM, who may have many."""
    if player == play.runner:
        return None
    owned = play.state.of(player)
    return owned[0] if owned else None


def acting(play: Table) -> Character | None:
    """The acting character: named by ``by``, or the acting player's own."""
    by = play.step.action.by
    if by is not None:
        named = play.names.find(by, MEANS_CHARACTER)
        if isinstance(named, Named) and named.kind != PLAYER:
            return play.state.characters[named.id]
    return only_one(play, play.step.player)


def participants(play: Table) -> list[str]:
    """Everybody who plays: the seats, then the GM."""
    return list(dict.fromkeys(player.name for player in play.players))


def other_participants(play: Table, player: str) -> list[str]:
    """All participants but one."""
    return [name for name in participants(play) if name != player]


def called(character: Character | None, player: str) -> str:
    """A character's name, or the player's where no character is named."""
    return character.name if character is not None else player or "the player who rolls"


def is_absent(play: Table, character: Character | None) -> bool:
    """Whether a player's character is not in the open scene. Without a scene, or a list of who is in it, nobody is."""
    scene = play.timeline.current
    if character is None or character.npc or scene is None or not scene.cast:
        return False
    certain_since(play, scene.first_step)
    return character.id not in scene.cast or character.id in play.state.departed


# --- optional rules -------------------------------------------------------------------------------


def in_force(play: Table, option: str) -> bool:
    """Whether the campaign plays with an optional rule."""
    settings = play.campaign.settings
    return isinstance(settings, Playset) and option in settings.options


def not_in_force(play: Table, option: str, usage: str) -> Violation | None:
    """That an entry uses an optional rule which is not in force. Later ones are folded under the first."""
    if in_force(play, option):
        return None
    key = f"option:{option}"
    return Violation(
        f"{usage}, but this campaign does not play with '{option}'",
        fix=make_fix(AddToSettings("options", (option,))),
        after=(key,),
        doubts=(key,),
    )


# --- Features ----------------------------------------------------------------------------------------


def feature_of(character: Character, word: str) -> list[Feature]:
    """The present Features that a word means."""
    present = character.present()
    return [present[index] for index in pick(word, [(feature.text,) for feature in present])]


def is_flaw(character: Character, word: str) -> bool:
    """Whether a word means the flaw: its text, or simply 'flaw'."""
    if not character.flaw or character.flaw_gone:
        return False
    return only_words(word) == "flaw" or bool(pick(word, [(character.flaw,)]))


def _feature_texts(character: Character, *, flaw: bool) -> list[str]:
    texts = [feature.text for feature in character.present()]
    if flaw and character.flaw and not character.flaw_gone:
        texts.append(character.flaw)
    return texts


def write_a_feature(character: Character, word: str, *, flaw: bool = False) -> tuple[Fix, ...]:
    """The fixes that write the Features which were probably meant, or else any that somebody has."""
    texts = _feature_texts(character, flaw=flaw)
    return replace_with(nearest_words(word, texts) or texts, is_told=True)


def features_hint(character: Character, word: str, *, flaw: bool = False) -> str:
    """What Features (with the flaw, if asked) somebody has, or which one was probably meant."""
    texts = _feature_texts(character, flaw=flaw)
    close = did_you_mean(word, texts)
    if close:
        return close
    return "; present Features: " + ", ".join(f"'{text}'" for text in texts) if texts else ""
