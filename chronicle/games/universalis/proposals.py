"""The moves that are proposed: those of the verbs and of add-ons, with their prices."""

from __future__ import annotations

from chronicle.core.answers import Move
from chronicle.core.shared_verbs import Aside
from chronicle.games.universalis.offers import priced
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import due_player
from chronicle.games.universalis.state import Phase


def proposed(play: Table, moves: list[Move]) -> list[Move]:
    """The moves of the verbs, and what add-ons add to them or rule out."""
    add_ons = play.state.add_ons
    for add_on in add_ons:
        moves = add_on.options(play, moves)
    for add_on in add_ons:
        moves = [move for move in moves if not add_on.rules_out(play, move)]
    return priced(play, _agreed(play, moves))


def _agreed(play: Table, moves: list[Move]) -> list[Move]:
    """Right after a Challenge that changed something: the same player writes its replacement in the agreed or
    winning words, if the turn is still theirs."""
    state = play.state
    last = state.challenges[-1] if state.challenges else None
    if (
        last is None
        or not last.struck
        or any(
            step.parent is None and not isinstance(step.action, Aside)
            for step in play.steps[last.step :]
        )
    ):
        return moves
    due = due_player(play) if state.phase is Phase.PREPARATION else state.turn
    if last.challenged != due or play.steps[last.step - 1].parent is not None:
        return moves
    verb = play.steps[last.of - 1].action.verb
    agreed_words = last.words if last.ending == "agreed" else last.wants
    return [
        move._replace(agreed_words=agreed_words) if move.verb == verb and move.by == due else move
        for move in moves
    ]
