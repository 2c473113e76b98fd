"""Figures to compare with the table, and the entry that states them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.names import PLAYER, Named
from chronicle.core.replay import Replay
from chronicle.core.sentences import with_capital
from chronicle.core.state_data import figures
from chronicle.core.stated_figures import computed_in_words
from chronicle.services.open_campaigns import OpenCampaign, Unanswerable
from chronicle.syntax.yaml_text import Data, write_entry

FiguresByMeasure = Mapping[str, Any]


EMPTY_STATEMENT = "assert: {}"


def figures_to_count(opened: OpenCampaign, replay: Replay[Any]) -> list[dict[str, Any]]:
    """Every figure that can be stated, by measure, those of players first. Stating a figure may itself
    settle open parts of an outcome; the figures are those after that."""
    opened.workspace.attempt(replay, EMPTY_STATEMENT)
    play, measures = replay.play, replay.rulebook.by_measure
    seat_by_player = {player.name: seat for seat, player in enumerate(play.players)}
    figure_groups = []
    seen_accounts: set[str] = set()
    for measure_name, value_by_owner in figures(play, measures).items():
        measure = measures[measure_name]
        # Two measures of one account are asked only once.
        if measure.account and measure.account in seen_accounts:
            continue
        seen_accounts.add(measure.account)
        figure_rows = []
        for owner, value in value_by_owner.items():
            subject = play.names.find(owner, measure.kinds) if owner else None
            owner_id = subject.id if isinstance(subject, Named) else ""
            limits = measure.limits(play, owner_id) if measure.limits is not None else None
            figure_rows.append(
                {
                    "name": owner,
                    "player": owner
                    if owner in seat_by_player
                    else _player_of_subject(replay, subject),
                    "value": value,
                    "computed": computed_in_words(play, measure, owner_id),
                    "least": limits.least if limits else None,
                    "most": limits.most if limits else None,
                    "words": [*measure.words],
                    "settable": measure.write is not None,
                }
            )
        figure_rows.sort(key=lambda row: seat_by_player.get(str(row["name"]), len(seat_by_player)))
        figure_groups.append(
            {
                "measure": measure_name,
                "title": with_capital(measure_name),
                "doc": measure.doc,
                "of": "player" if PLAYER in measure.kinds else "thing" if measure.kinds else "game",
                "rows": figure_rows,
            }
        )
    order_by_owner_kind = {"player": 0, "game": 1, "thing": 2}
    return sorted(
        figure_groups,
        key=lambda group: (bool(_has_only_words(group)), order_by_owner_kind[group["of"]]),
    )


def _has_only_words(figure_group: Mapping[str, Any]) -> bool:
    return all(row["words"] for row in figure_group["rows"])


def _player_of_subject(replay: Replay[Any], subject: object) -> str:
    return (
        replay.play.rulebook.player_of(replay.play, subject) if isinstance(subject, Named) else ""
    )


def figures_entry(
    replay: Replay[Any],
    stated_figures: FiguresByMeasure,
    description: str = "",
    *,
    occasion: str = "",
) -> str:
    """The entries for stated figures: an ``assert:``, preceded by ``gap:`` at a gap in the record (``occasion``
    is ``hole``), or followed by ``end session:`` (``evening``). ``description`` is that of the gap, or the end.

    Raises:
        Unanswerable: if no figure is stated, or a figure is unknown.
    """
    statement_data: dict[str, Data] = {}
    for measure_name, stated_value in stated_figures.items():
        if measure_name not in replay.rulebook.by_measure:
            raise Unanswerable(f"there is no figure '{measure_name}' in this game")
        if isinstance(stated_value, Mapping) and set(stated_value) != {""}:
            statement_data[measure_name] = {
                str(owner): _checked_figure(stated_figure)
                for owner, stated_figure in stated_value.items()
            }
        else:
            statement_data[measure_name] = _checked_figure(
                stated_value[""] if isinstance(stated_value, Mapping) else stated_value
            )
    one_line_description = " ".join(description.split()) or None
    entries: list[dict[str, Data]] = [{"assert": statement_data}] if statement_data else []
    if occasion == "hole":
        entries.insert(0, {"gap": one_line_description})
    elif occasion == "evening":
        entries.append({"end session": one_line_description})
    if not entries:
        raise Unanswerable("nothing was counted")
    entry_texts = [write_entry(entry) for entry in entries]
    if len(entry_texts) == 1:
        return entry_texts[0]
    return "\n".join("- " + text.replace("\n", "\n  ") for text in entry_texts)


def _checked_figure(stated_value: object) -> Data:
    if not isinstance(stated_value, (int, str)):
        raise Unanswerable("a figure is a number or a word")
    return stated_value
