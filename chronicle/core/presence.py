"""Players who act without being at the table: the doubt that it causes, and its fixes."""

from __future__ import annotations

from chronicle.core.fix import AddToHead, Fix, InsertEntry, RemoveItem, make_fix
from chronicle.core.names import fold
from chronicle.core.reporter import Reporter
from chronicle.core.source import place_of


def presence_key(player: str) -> str:
    """The doubt about a player who acts without being at the table."""
    return f"away:{player}"


def _before_gap(play: Reporter, step_number: int) -> int | None:
    """The entry from which it is known who is at the table, if a gap after it may have changed that. Where only an
    outcome is missing, nobody came or went."""
    gaps = (
        gap
        for gap in play.gaps.all_gaps
        if not gap.is_only_outcome_missing and gap.is_about("cast")
    )
    latest_reach = max(
        (play.gaps.last_uncertain_number(gap, len(play.steps)) for gap in gaps), default=0
    )
    return step_number if latest_reach > step_number else None


def presence_gap(play: Reporter, player: str = "") -> int | None:
    """The entry from which it is known who is at the table, if a gap after it may have changed that; else None. It is
    the last one that the log gives to a ``player`` in this session, or the one before the session."""
    for step in reversed(play.steps[: play.step.number - 1]):
        is_seen = bool(player) and step.player == player and step.action.by is not None
        if is_seen or step.session != play.step.session:
            return _before_gap(play, step.number)
    return _before_gap(play, 0)


def presence_fixes(play: Reporter, player: str) -> tuple[Fix, ...]:
    """The fixes for a player who acts without being at the table: to arrive, or to be present from the start."""
    arrival_fix = make_fix(InsertEntry(f"arrive: {player}"), safe=True)
    session_number = play.step.session
    session = next(
        (
            session_candidate
            for session_candidate in play.campaign.sessions
            if session_candidate.number == session_number
        ),
        None,
    )
    if session is None:
        return (arrival_fix,)
    if session.header.present is not None:
        return arrival_fix, make_fix(AddToHead("present", player))
    absences = [word for word in session.header.absent if fold(word) == fold(player)]
    places = [place_of(word, session.path) for word in absences]
    return arrival_fix, *(make_fix(RemoveItem(player, place, "absent")) for place in places)
