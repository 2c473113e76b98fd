"""The state of play after an entry as plain data for ``json.dumps``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from chronicle.core.answers import Move, Obligation
from chronicle.core.campaign_view import Note
from chronicle.core.diagnostic import listed
from chronicle.core.game_context import GameContext, Measure
from chronicle.core.gaps import CountedState, is_upper_bound

MOST_OWNERS: Final = 6
"""How many names the note about a figure that is not certain lists."""


def state_of_play(play: GameContext[Any]) -> dict[str, Any]:
    """The state of play: ``step`` (its number, 0 before the first), ``situation`` (one sentence), ``due``
    (open obligations), ``next`` (possible actions, due ones first)."""
    obligations = play.rulebook.due(play)
    return {
        "step": len(play.steps),
        "situation": play.rulebook.situation(play),
        "due": [_obligation_data(obligation) for obligation in obligations],
        "next": [
            {"verb": move.verb, "by": move.by, "hint": move.hint, "rule": move.rule}
            for move in due_moves_first(play.rulebook.options(play), obligations)
        ],
    }


def due_moves_first(moves: list[Move], obligations: list[Obligation]) -> list[Move]:
    """The possible actions, those that settle an obligation first."""
    due_verbs = {obligation.verb for obligation in obligations}
    return sorted(moves, key=lambda move: move.verb not in due_verbs)


def holdings(state: CountedState) -> list[dict[str, Any]]:
    """The balance of every account: ``account``, ``unit``, ``amount``, and ``at_most``: whether the balance
    is only an upper bound because the payer of an amount is unknown."""
    return [
        {
            "account": account,
            "unit": unit,
            "amount": amount,
            "at_most": is_upper_bound(state, account, unit),
        }
        for account, unit, amount in state.ledger.balances()
    ]


def owner_ids(play: GameContext[Any], measure: Measure) -> list[str]:
    """The ids of all that have a figure; one empty id for a figure without owners."""
    if not measure.kinds:
        return [""]
    return [
        owner_id for owner_id, subject in play.names.all.items() if subject.kind in measure.kinds
    ]


def figures(
    play: GameContext[Any], measures: Mapping[str, Measure]
) -> dict[str, dict[str, int | str]]:
    """The figures that ``assert:`` may state, with their present values: measure to name to figure (the
    empty name is the game's). Figures that the record does not tell are left out."""
    figures_by_measure: dict[str, dict[str, int | str]] = {}
    for measure_name, measure in measures.items():
        figure_by_owner_id = {
            owner_id: measure.read(play, owner_id) for owner_id in owner_ids(play, measure)
        }
        figure_by_owner_name = {
            play.names.all[owner_id].name if owner_id else "": figure_value
            for owner_id, figure_value in figure_by_owner_id.items()
            if figure_value is not None
        }
        if figure_by_owner_name:
            figures_by_measure[measure_name] = figure_by_owner_name
    return figures_by_measure


def uncertain_figures(
    play: GameContext[Any], measures: Mapping[str, Measure]
) -> dict[str, list[str]]:
    """The figures that the log does not tell for certain, after a gap or an unrecorded change: by measure, the names
    of those whose figure it is (the empty name is the game's)."""
    owner_names_by_measure: dict[str, list[str]] = {}
    if not play.gaps.all_gaps and not play.gaps.unknown_since:
        return owner_names_by_measure
    for measure_name, measure in measures.items():
        for owner_id in owner_ids(play, measure):
            if _is_uncertain(play, measure_name, measure, owner_id):
                owner_names_by_measure.setdefault(measure_name, []).append(
                    play.names.all[owner_id].name if owner_id else ""
                )
    return owner_names_by_measure


def _is_uncertain(
    play: GameContext[Any], measure_name: str, measure: Measure, owner_id: str
) -> bool:
    value = measure.read(play, owner_id)
    if value is None or value in measure.final:
        return False
    if isinstance(value, int):
        return not play.figure(measure_name, owner_id).is_known
    return bool(play.uncertain_since(measure.key(measure_name, owner_id), measure.state_kind))


def uncertainty_note(play: GameContext[Any], measures: Mapping[str, Measure]) -> tuple[Note, ...]:
    """A note for the panel: the figures that the log does not tell for certain; none if it tells all."""
    titles_by_owners: dict[tuple[str, ...], dict[str, str]] = {}
    for measure_name, owners in uncertain_figures(play, measures).items():
        measure = measures[measure_name]
        # Two figures of one account are one uncertainty.
        titles_by_owners.setdefault(tuple(owners), {}).setdefault(
            measure.key(measure_name, ""), measure.title
        )
    uncertain_groups: list[str] = []
    for owner_names, titles in titles_by_owners.items():
        listed_owners: list[str] = [*owner_names[:MOST_OWNERS]]
        if len(owner_names) > MOST_OWNERS:
            listed_owners.append(f"{len(owner_names) - MOST_OWNERS} more")
        owners_text = f" ({listed(listed_owners)})" if any(owner_names) else ""
        uncertain_groups.append(listed([*titles.values()]) + owners_text)
    if not uncertain_groups:
        return ()
    return (
        Note(f"Not certain, because the log does not tell all: {'; '.join(uncertain_groups)}."),
    )


def _obligation_data(obligation: Obligation) -> dict[str, Any]:
    return obligation._asdict() | {
        "sources": [
            {"label": source_label, "amount": amount} for source_label, amount in obligation.sources
        ]
    }
