"""Players who act without being at the table: the doubt that it causes, and its fixes."""

from __future__ import annotations

from chronicle.core.fix import AddToHead, Fix, InsertEntry, RemoveItem, make_fix
from chronicle.core.names import fold
from chronicle.core.reporter import Reporter
from chronicle.core.source import place_of


def presence_key(player: str) -> str:
    """The doubt about a player who acts without being at the table."""
    return f"away:{player}"


def _start_of_gap(play: Reporter, step_number: int) -> int | None:
    """The entry from which it is known who is at the table, if a gap after it may have changed that. Where only an
    outcome is missing, nobody came or went."""
    gaps = (
        gap
        for gap in play.gaps.all_gaps
        if not gap.is_only_outcome_missing and gap.is_about("cast")
    )
    last_uncertain_step_number = max(
        (play.gaps.last_uncertain_step_number(gap, len(play.steps)) for gap in gaps), default=0
    )
    return step_number if last_uncertain_step_number > step_number else None


def start_of_presence_gap(play: Reporter, player: str = "") -> int | None:
    """The entry from which it is known who is at the table, if a gap after it may have changed that; else None. It is
    the last one that the log gives to a ``player`` in this session, or the one before the session."""
    for step in reversed(play.steps[: play.step.number - 1]):
        is_known_present = bool(player) and step.player == player and step.action.by is not None
        if is_known_present or step.session != play.step.session:
            return _start_of_gap(play, step.number)
    return _start_of_gap(play, 0)


def presence_fixes(play: Reporter, player: str) -> tuple[Fix, ...]:
    """The fixes for a player who acts without being at the table: to arrive, or to be present from the start."""
    arrival_fix = make_fix(InsertEntry(f"arrive: {player}"), safe=True)
    session_number = play.step.session
    session = next(
        (
            campaign_session
            for campaign_session in play.campaign.sessions
            if campaign_session.number == session_number
        ),
        None,
    )
    if session is None:
        return (arrival_fix,)
    if session.header.present is not None:
        return arrival_fix, make_fix(AddToHead("present", player))
    absent_words = [
        absent_word for absent_word in session.header.absent if fold(absent_word) == fold(player)
    ]
    absence_places = [place_of(absent_word, session.path) for absent_word in absent_words]
    return arrival_fix, *(
        make_fix(RemoveItem(player, absence_place, "absent")) for absence_place in absence_places
    )
