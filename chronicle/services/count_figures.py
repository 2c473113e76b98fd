"""Figures to compare with the table, and the entry that states them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.names import PLAYER, Named
from chronicle.core.replay import Replay
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
    seats = {player.name: number for number, player in enumerate(play.players)}
    groups = []
    accounts: set[str] = set()
    for name, figures_by_name in figures(play, measures).items():
        measure = measures[name]
        # Two measures of one account are asked only once.
        if measure.account and measure.account in accounts:
            continue
        accounts.add(measure.account)
        rows = []
        for owner, value in figures_by_name.items():
            subject = play.names.find(owner, measure.kinds) if owner else None
            id = subject.id if isinstance(subject, Named) else ""
            limits = measure.limits(play, id) if measure.limits is not None else None
            rows.append(
                {
                    "name": owner,
                    "player": owner if owner in seats else _player(replay, subject),
                    "value": value,
                    "computed": computed_in_words(play, measure, id),
                    "least": limits.least if limits else None,
                    "most": limits.most if limits else None,
                    "words": [*measure.words],
                    "settable": measure.write is not None,
                }
            )
        rows.sort(key=lambda row: seats.get(str(row["name"]), len(seats)))
        groups.append(
            {
                "measure": name,
                "title": name[:1].upper() + name[1:],
                "doc": measure.doc,
                "of": "player" if PLAYER in measure.kinds else "thing" if measure.kinds else "game",
                "rows": rows,
            }
        )
    order = {"player": 0, "game": 1, "thing": 2}
    return sorted(groups, key=lambda group: (bool(_has_only_words(group)), order[group["of"]]))


def _has_only_words(group: Mapping[str, Any]) -> bool:
    return all(row["words"] for row in group["rows"])


def _player(replay: Replay[Any], subject: object) -> str:
    return (
        replay.play.rulebook.player_of(replay.play, subject) if isinstance(subject, Named) else ""
    )


def figures_entry(
    replay: Replay[Any], stated_figures: FiguresByMeasure, words: str = "", *, position: str = ""
) -> str:
    """The entries for stated figures: an ``assert:``, preceded by ``gap:`` at a gap in the record (``position``
    is ``hole``), or followed by ``end session:`` (``evening``). ``words`` describe the gap, or the end.

    Raises:
        Unanswerable: if no figure is stated, or a figure is unknown.
    """
    statement_data: dict[str, Data] = {}
    for measure, value in stated_figures.items():
        if measure not in replay.rulebook.by_measure:
            raise Unanswerable(f"there is no figure '{measure}' in this game")
        if isinstance(value, Mapping) and set(value) != {""}:
            statement_data[measure] = {
                str(owner): _checked_figure(figure) for owner, figure in value.items()
            }
        else:
            statement_data[measure] = _checked_figure(
                value[""] if isinstance(value, Mapping) else value
            )
    one_line_description = " ".join(words.split()) or None
    entries: list[dict[str, Data]] = [{"assert": statement_data}] if statement_data else []
    if position == "hole":
        entries.insert(0, {"gap": one_line_description})
    elif position == "evening":
        entries.append({"end session": one_line_description})
    if not entries:
        raise Unanswerable("nothing was counted")
    texts = [write_entry(entry) for entry in entries]
    if len(texts) == 1:
        return texts[0]
    return "\n".join("- " + text.replace("\n", "\n  ") for text in texts)


def _checked_figure(value: object) -> Data:
    if not isinstance(value, (int, str)):
        raise Unanswerable("a figure is a number or a word")
    return value
