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

Counted = Mapping[str, Any]


NOTHING = "assert: {}"


def count(opened: OpenCampaign, replay: Replay[Any]) -> list[dict[str, Any]]:
    """Every figure that can be stated, by measure, those of players first. Stating a figure may itself
    settle open parts of an outcome; the figures are those after that."""
    opened.workspace.attempt(replay, NOTHING)
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
            named = play.names.find(owner, measure.kinds) if owner else None
            id = named.id if isinstance(named, Named) else ""
            limits = measure.limits(play, id) if measure.limits is not None else None
            rows.append(
                {
                    "name": owner,
                    "player": owner if owner in seats else _player(replay, named),
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
    return sorted(groups, key=lambda group: (bool(_truths(group)), order[group["of"]]))


def _truths(group: Mapping[str, Any]) -> bool:
    return all(row["words"] for row in group["rows"])


def _player(replay: Replay[Any], named: object) -> str:
    return replay.play.rulebook.player_of(replay.play, named) if isinstance(named, Named) else ""


def counted(
    replay: Replay[Any], stated_figures: Counted, words: str = "", *, where: str = ""
) -> str:
    """The entries for stated figures: an ``assert:``, preceded by ``gap:`` at a gap in the record (``where``
    is ``hole``), or followed by ``end session:`` (``evening``). ``words`` describe the gap, or the end.

    Raises:
        Unanswerable: if no figure is stated, or a figure is unknown.
    """
    stated: dict[str, Data] = {}
    for measure, value in stated_figures.items():
        if measure not in replay.rulebook.by_measure:
            raise Unanswerable(f"there is no figure '{measure}' in this game")
        if isinstance(value, Mapping) and set(value) != {""}:
            stated[measure] = {str(owner): _figure(figure) for owner, figure in value.items()}
        else:
            stated[measure] = _figure(value[""] if isinstance(value, Mapping) else value)
    description = " ".join(words.split()) or None
    entries: list[dict[str, Data]] = [{"assert": stated}] if stated else []
    if where == "hole":
        entries.insert(0, {"gap": description})
    elif where == "evening":
        entries.append({"end session": description})
    if not entries:
        raise Unanswerable("nothing was counted")
    texts = [write_entry(entry) for entry in entries]
    if len(texts) == 1:
        return texts[0]
    return "\n".join("- " + text.replace("\n", "\n  ") for text in texts)


def _figure(value: object) -> Data:
    if not isinstance(value, (int, str)):
        raise Unanswerable("a figure is a number or a word")
    return value
