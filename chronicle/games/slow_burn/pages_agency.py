"""The Agency: checks, interferences, ignored ones, and the dice it holds."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign_view import Page, Row, Series, Stat, Stats, Steps, tabled
from chronicle.core.diagnostic import plural
from chronicle.core.doubts import doubts_of
from chronicle.core.make_view import curves_of, ticks_of_sessions
from chronicle.core.record import Record
from chronicle.games.slow_burn.show import called, entry_link, scene_link, sheet_links
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    FLEUR,
    HANDLER_TOKENS,
    MINI_OPPOSITION,
    MINI_SCENES,
    OPPOSITION,
    OPPOSITION_DIE,
    POOL,
    Check,
    Kind,
    Mini,
    State,
)


def opposition_curve(record: Record, state: State) -> Steps:
    """Opposition dice over the log."""
    return Steps(
        "Opposition dice",
        (
            Series(
                "the Job",
                tuple(record.curve(OPPOSITION, OPPOSITION_DIE)),
                doubts=doubts_of(record, "opposition:"),
            ),
            Series("mini segments", tuple(record.curve(MINI_OPPOSITION, OPPOSITION_DIE))),
        ),
        ticks_of_sessions(record),
        ((0, "gone"),),
        tuple(
            (scene.resolved, scene.left, scene.title_and_verdict)
            for scene in state.scenes
            if scene.resolved and scene.kind is Kind.JOB
        ),
        x_title="entries of the log",
        y_title="dice",
    )


def persistent_curve(record: Record) -> Steps:
    """Persistent Agency dice over the log."""
    state: State = record.state
    return Steps(
        "Persistent Agency dice",
        tuple(
            series._replace(player=state.cast[series.name].player)
            for series in curves_of(record, "persistent", AGENCY_DIE)
            if series.name in state.cast
        ),
        ticks_of_sessions(record),
        ((0, "none"),),
        x_title="entries of the log",
        y_title="dice",
    )


def pool_curve(record: Record) -> Steps:
    """The Handler's Agency dice over the log."""
    state: State = record.state
    return Steps(
        "The Handler's Agency dice",
        (
            Series(
                "Agency",
                tuple(record.curve(POOL, AGENCY_DIE)),
                doubts=doubts_of(record, "agency:"),
            ),
        ),
        ticks_of_sessions(record),
        ((0, "none"),),
        tuple((check.step, 0, "interference") for check in state.checks if check.triggered),
        x_title="entries of the log",
        y_title="dice",
    )


def agency_page(record: Record, state: State, curves: list[Steps]) -> Page:
    """Interferences, penalties, dice and checks."""
    return Page(
        "agency",
        "The Agency",
        [
            Stats(
                (
                    Stat.of(len(state.checks), "check"),
                    Stat.of(sum(1 for c in state.checks if c.triggered), "interference"),
                    Stat.of(
                        record.ledger.balance(HANDLER_TOKENS, FLEUR),
                        "Handler's token left",
                        "Handler's tokens left",
                    ),
                )
            ),
            _interferences(record, state),
            penalties(state),
            *curves[1:],
            _check_table(record, state),
        ],
        "What it knew, whom it wanted, and what that cost.",
    )


@tabled("When | Scene | Through | Implicated | Choice | Outcome", "Interferences")
def _interferences(record: Record, state: State) -> Iterator[Row]:
    for check in state.checks:
        if not check.triggered:
            continue
        minis = [m for m in state.minis if m.check == check.step]
        yield (
            entry_link(check.step, f"episode {check.episode}, Segment {check.segment}"),
            scene_link(record, check.scene),
            check.how(),
            sheet_links(state, check.implicated),
            _chose(state, check),
            _how_it_went(check, minis),
        )
    for mini in state.minis:
        if mini.late:
            yield (
                entry_link(mini.step, f"episode {mini.episode}, Segment {mini.segment}"),
                "",
                "a late answer",
                sheet_links(state, mini.spies),
                "answered",
                _mini_words(mini),
            )


def _chose(state: State, check: Check) -> str:
    if not check.implicated:
        return ""
    return "; ".join(
        f"{id} {check.choices.get(id, 'has not chosen')}"
        + (
            f" (target {', '.join(called(state.cast[id], resource_id) for resource_id in check.targets[id])})"
            if check.targets.get(id)
            else ""
        )
        for id in check.implicated
    )


def _how_it_went(check: Check, minis: list[Mini]) -> str:
    if minis:
        return _mini_words(minis[0])
    if not check.implicated:
        rolls = ", ".join(f"{id} {face}" for id, face in check.rolls.items())
        return f"nobody was implicated ({rolls})" if rolls else check.note
    return check.note


def _mini_words(mini: Mini) -> str:
    played = f"{plural(len(mini.scenes), 'scene token')} of {MINI_SCENES}"
    if not mini.over:
        return f"being played, {played}"
    return f"{mini.verdict}, {played}"


@tabled(
    "Spy | Since | Resource | Target lower by # | Dice gained # | State", "Ignored interferences"
)
def penalties(state: State, spy: str = "") -> Iterator[Row]:
    """Ignored interferences (of one spy) and what they cost."""
    for entry in state.ignored:
        if spy and entry.spy != spy:
            continue
        sheet = state.cast[entry.spy]
        yield (
            sheet_links(state, [entry.spy]),
            entry_link(entry.step, f"episode {entry.episode}, Segment {entry.segment}"),
            ", ".join(called(sheet, id) for id in entry.resources) or "not written down",
            entry.count,
            entry.dice,
            entry_link(entry.closed, "answered") if entry.closed else "still ignored",
        )


@tabled(
    "Entry | Scene | Persistent dice | Handler's dice | Chance of interference # | Result",
    "Every check",
)
def _check_table(record: Record, state: State) -> Iterator[Row]:
    for check in state.checks:
        own = "; ".join(f"{id} {' '.join(map(str, faces))}" for id, faces in check.faces.items())
        yield (
            entry_link(check.step),
            scene_link(record, check.scene),
            own or "none",
            " ".join(map(str, check.pool)) or "none",
            check.chance,
            check.how() if check.triggered else "quiet",
        )
