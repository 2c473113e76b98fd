"""What all chapters share: who is meant, and whose turn it is (F20)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.fix import set_key
from chronicle.core.game_context import GameContext
from chronicle.core.guards import Violation
from chronicle.core.names import PLAYER, Named
from chronicle.core.presence import start_of_presence_gap
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere.state import (
    GLADIATOR,
    INHABITANT,
    Conflict,
    Encounter,
    Gladiator,
    Inhabitant,
    Stage,
    State,
    pool_of,
    value_of,
)

Table = GameContext[State]

WORD = re.compile(r"[^\W_]+")


# --- who is meant -----------------------------------------------------------------------------------


def is_gladiator(play: Table, word: ScalarNode) -> Gladiator | None:
    """The Gladiator of that very name, if there is one; nothing is reported."""
    named = play.names.find(word, (GLADIATOR,))
    return play.state.gladiators[named.id] if isinstance(named, Named) else None


def find_gladiator(play: Table, word: ScalarNode) -> Gladiator | None:
    """The Gladiator a name means (a player's name means the player's own); None if there is none. Nothing
    is reported."""
    named = play.look_up(word, (GLADIATOR, PLAYER))
    if named is None:
        return None
    return (
        play.state.gladiators[named.id]
        if named.kind == GLADIATOR
        else play.state.played_by(named.id)
    )


def find_gladiators(play: Table, words: Iterable[ScalarNode]) -> list[Gladiator]:
    """Several of them, each once. Nothing is reported."""
    gladiators = [find_gladiator(play, word) for word in words]
    return list({g.id: g for g in gladiators if g is not None}.values())


def find_inhabitant(play: Table, word: ScalarNode) -> Inhabitant | None:
    """The inhabitant a name means; None if there is none yet. Nothing is reported."""
    named = play.look_up(word, (INHABITANT,))
    return play.state.inhabitants[named.id] if named is not None else None


def inhabitant(play: Table, word: ScalarNode) -> Inhabitant:
    """The inhabitant a name means; a new name introduces an inhabitant."""
    state = play.state
    named = play.names.find(word, (INHABITANT,))
    if isinstance(named, Named):
        existing = state.inhabitants[named.id]
        existing.last_step = play.step.number
        return existing
    name = str(word).strip()
    id = play.names.mint(name, INHABITANT)
    if id in state.inhabitants:
        return state.inhabitants[id]
    play.names.add(id, INHABITANT, name)
    entry_made = Inhabitant(id, name, play.step.number, last_step=play.step.number)
    state.inhabitants[id] = entry_made
    play.event(f"{name} appears", "F41", "enters", id)
    return entry_made


def id_of(play: Table, word: ScalarNode) -> str:
    """The id of an inhabitant; for a new name the future id."""
    existing = find_inhabitant(play, word)
    return existing.id if existing is not None else play.names.mint(str(word).strip(), INHABITANT)


def newcomer(play: Table, word: ScalarNode) -> Inhabitant | None:
    """The inhabitant of that very name, or of a new one; None for a word that looks like a known name."""
    named = play.names.find(word, (INHABITANT,))
    if not isinstance(named, Named) and (named.similar or play.names.likely_subject(word)):
        return None
    return None if is_gladiator(play, word) is not None else inhabitant(play, word)


def acting(play: Table, action: Action) -> Gladiator | None:
    """Whose Gladiator an entry is about: that under ``by``, else the actor's own."""
    if action.by is not None:
        named = is_gladiator(play, action.by)
        if named is not None:
            return named
    return play.state.played_by(play.step.player)


def pool(play: Table, id: str) -> int:
    """A Gladiator's Conflict Pool."""
    return pool_of(play.ledger, id)


def value(play: Table, id: str, npc: str) -> int:
    """The value of a Relationship as logged."""
    return value_of(play.ledger, id, npc)


def unsure(play: Table, first_step: int) -> DiagnosticKind:
    """What a hole in the record may have changed since an entry is unknown, not wrong."""
    return DiagnosticKind.UNKNOWN if play.gap > first_step else DiagnosticKind.ILLEGAL


def resting_on(
    play: Table, step: int, breaches: Iterable[Violation], about: str = ""
) -> Iterator[Violation]:
    """Breaches that rest on an earlier entry, unless they say themselves since when: a gap after it may have changed
    that."""
    since = play.before_gap(about, step)
    for violation in breaches:
        is_dated = since is None or violation.since is not None or violation.is_certain
        yield violation if is_dated else violation._replace(since=since, state_kind=about)


def order_from(play: Table, player: str) -> list[str]:
    """The seats in turn order, beginning after ``player``."""
    seats = list(play.seats)
    if player not in seats:
        return seats
    start = seats.index(player) + 1
    return seats[start:] + seats[:start]


def next_player(play: Table, later: str) -> str:
    """F20: who is next in the round; those who cannot take part or are not at the table are passed."""
    waiting = [p for p in order_from(play, later) if play.state.active(p)]
    return next((p for p in waiting if p in play.present), waiting[0] if waiting else "")


class Turn(NamedTuple):
    """Whose turn it is, the entry that made it so, and whose turn was over then. The player is empty while anybody
    may begin."""

    player: str
    step: int
    last: str


def _present_or_next(play: Table, player: str) -> str:
    return player if player in play.present else next_player(play, player)


def on_turn(play: Table) -> str:
    """Whose turn it is: the player due, else the first who may begin the Layer."""
    return _present_or_next(play, play.state.turn)


def bound_to(play: Table, gladiator: str) -> Encounter | None:
    """F56, FA41: the latest open Encounter that a Gladiator has to go on with."""
    for encounter in play.state.encounters_of(gladiator):
        if not play.state.at_peace(encounter) or play.ruling("truce_encounter") == "goes-on":
            return encounter
    return None


def whose_scene(play: Table) -> str:
    """Whose Scene is at hand: theirs who framed what is, or was, rolled in it. Empty if unknown."""
    state = play.state
    if state.open_round is not None:
        return state.open_round.player
    return state.open_conflicts[0].player if state.open_conflicts else ""


def scene_known_from(play: Table) -> int:
    """The entry from which it is known which Conflict is at hand, and whose; a gap after it leaves that open."""
    rests_on = (contest.rests_on for contest in play.state.open_contests)
    return min(rests_on, default=play.state.scene_step)


def turn_now(play: Table) -> Turn:
    """Whose turn it is."""
    return Turn(play.state.turn, play.state.turn_step, play.state.turn_after)


def turn_after_scene(play: Table) -> Turn:
    """F20: whose turn it is once the Scene at hand is closed. A Scene that was never rolled was a turn. A gap may have
    swallowed its end, and the turns after it."""
    state = play.state
    turn, catches_up = turn_now(play), state.catching_up
    for contest in state.open_contests if not play.given else ():
        if isinstance(contest, Conflict) and contest.guest:
            continue
        if contest.stage is Stage.ROLLED or play.gap_since("turns") > contest.step:
            continue
        is_kept = catches_up and state.active(turn.player)
        player = turn.player if is_kept else next_player(play, contest.player)
        turn, catches_up = Turn(player, play.step.number, contest.player), False
    return turn


def upcoming(play: Table) -> str:
    """Whose Scene comes next, once the Scene at hand is closed."""
    return _present_or_next(play, turn_after_scene(play).player)


def who_may_begin(play: Table) -> list[str]:
    """F20: the players whose Scene can come next; all who take part where nobody has begun the Layer."""
    if turn_after_scene(play).player:
        return [upcoming(play)]
    return [player for player in play.seats if play.state.active(player)]


def _is_out_of_turn(play: Table, player: str, turn: Turn) -> bool:
    """Whether a player takes the turn of another who is at the table. Where the turn passed over somebody who was
    away, and nobody has had a turn since, nothing says whether it is theirs now."""
    if play.given or not turn.player or not player or player == turn.player:
        return False
    if not play.state.active(player) or turn.player not in play.present:
        return False
    passed = order_from(play, turn.last)
    return turn.player not in passed or player not in passed[: passed.index(turn.player)]


def turn_violations(play: Table, player: str, turn: Turn) -> Iterator[Violation]:
    """F20: one turn each, in the order of the seats. A player whose turn was taken may catch up."""
    if not _is_out_of_turn(play, player, turn) or player in play.state.skipped:
        return
    is_hidden = _turns_hidden_until(play) > turn.step or not is_order_known(play)
    is_unknown = is_hidden or start_of_presence_gap(play, turn.player) is not None
    yield Violation(
        f"it is {turn.player}'s turn, not {player}'s",
        "by",
        set_key("by", turn.player),
        f"players take turns in the order {', '.join(play.seats)}",
        facts=play.facts(turn.step, "the turn before"),
        after=["turn"],
        doubts=["turn"],
        rule="F20",
        is_certain=not is_unknown,
        kind=DiagnosticKind.UNKNOWN if is_unknown else DiagnosticKind.ILLEGAL,
    )


def _turns_hidden_until(play: Table) -> int:
    """The last entry at which a gap hides whose turn it is; 0 without one. How an ordinary Conflict went is no matter
    of turns."""
    ordinary = {conflict.result_step for conflict in play.state.conflicts}
    gaps = (
        gap
        for gap in play.gaps.all_gaps
        if gap.is_about("") and not (gap.is_only_outcome_missing and gap.step_number in ordinary)
    )
    return max(
        (play.gaps.last_uncertain_step_number(gap, len(play.steps)) for gap in gaps), default=0
    )


def take_turn(play: Table, player: str) -> None:
    """A player takes a turn: their own, or that of those who are skipped."""
    state, due = play.state, play.state.turn
    if player == due:
        play.settle("turn")
    if not _is_out_of_turn(play, player, turn_now(play)):
        return
    if player in state.skipped:
        state.skipped.remove(player)
        state.catching_up = True
        return
    seats = order_from(play, due)
    state.skipped += [due, *(p for p in seats[: seats.index(player)] if state.active(p))]


def is_order_known(play: Table) -> bool:
    """Whether no gap hides that a player at the table made a Gladiator to play, who then takes turns, too."""
    return not play.gap_since("cast") or all(play.state.played_by(seat) for seat in play.seats)


def is_turn_known(play: Table) -> bool:
    """Whether no gap hides whose turn it is."""
    if not is_order_known(play):
        return False
    gap, state = play.gap_since("turns"), play.state
    return gap <= state.turn_step and (bool(state.turn) or gap <= state.layer_step)


def pass_turn(play: Table, player: str, rests_on: int | None = None) -> None:
    """The Conflict is resolved: the next player. After a turn that was caught up the order goes on.

    Args:
        play: the state of play.
        player: whose turn is over.
        rests_on: the entry that makes so that it was theirs, if not this one.
    """
    state = play.state
    if play.given:
        return
    is_known = rests_on is None or play.gap_since("turns") <= rests_on
    if not (state.catching_up and state.active(state.turn)):
        state.turn = next_player(play, player)
    state.catching_up = False
    state.turn_after = player
    if is_known:
        state.turn_step = play.step.number
