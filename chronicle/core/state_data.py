"""The state of play after an entry as plain data for ``json.dumps``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.answers import Due, Option
from chronicle.core.gaps import CountedState, is_upper_bound
from chronicle.core.play import Measure, Play


def state_of_play(play: Play[Any]) -> dict[str, Any]:
    """The state of play: ``step`` (its number, 0 before the first), ``situation`` (one sentence), ``due``
    (open obligations), ``next`` (possible actions, due ones first)."""
    due = play.rulebook.due(play)
    return {
        "step": len(play.steps),
        "situation": play.rulebook.situation(play),
        "due": [_obligation_data(obligation) for obligation in due],
        "next": [
            {"verb": option.verb, "by": option.by, "hint": option.hint, "rule": option.rule}
            for option in likely_first(play.rulebook.options(play), due)
        ],
    }


def likely_first(options: list[Option], due: list[Due]) -> list[Option]:
    """The possible actions, those that settle an obligation first."""
    due_verbs = {obligation.verb for obligation in due}
    return sorted(options, key=lambda option: option.verb not in due_verbs)


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


def figures(play: Play[Any], measures: Mapping[str, Measure]) -> dict[str, dict[str, int | str]]:
    """The figures that ``assert:`` may state, with their present values: measure to name to figure (the
    empty name is the game's). Figures that the record does not tell are left out."""
    figures_by_measure: dict[str, dict[str, int | str]] = {}
    for name, measure in measures.items():
        ids = [""]
        if measure.kinds:
            ids = [id for id, named in play.names.all.items() if named.kind in measure.kinds]
        values = {id: measure.read(play, id) for id in ids}
        named_values = {
            play.names.all[id].name if id else "": value
            for id, value in values.items()
            if value is not None
        }
        if named_values:
            figures_by_measure[name] = named_values
    return figures_by_measure


def _obligation_data(obligation: Due) -> dict[str, Any]:
    return obligation._asdict() | {
        "sources": [{"label": label, "amount": amount} for label, amount in obligation.sources]
    }
