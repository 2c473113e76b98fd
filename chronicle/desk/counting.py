"""What Chronicle believes, to be counted at the table; and the entry that keeps what was counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.moment import figures
from chronicle.core.names import PLAYER, Named
from chronicle.core.replay import Replay
from chronicle.core.stated import computed
from chronicle.desk.room import Opened, Unanswerable
from chronicle.transcript.yaml_text import Data, write_entry

Counted = Mapping[str, Any]


NOTHING = "assert: {}"


def count(opened: Opened, replay: Replay[Any]) -> list[dict[str, Any]]:
    """Every figure that can be stated, by measure, those of players first. Stating something may itself
    end what is still open (what nobody tells of an outcome is kept): it is counted as it is then."""
    opened.resident.attempt(replay, NOTHING)
    play, measures = replay.play, replay.rulebook.by_measure
    seats = {player.name: number for number, player in enumerate(play.players)}
    groups = []
    kept: set[str] = set()
    for name, found in figures(play, measures).items():
        measure = measures[name]
        # What is counted of the same pile in two ways is asked for once.
        if measure.account and measure.account in kept:
            continue
        kept.add(measure.account)
        rows = []
        for who, value in found.items():
            named = play.names.find(who, measure.kinds) if who else None
            id = named.id if isinstance(named, Named) else ""
            limits = measure.limits(play, id) if measure.limits is not None else None
            rows.append(
                {
                    "name": who,
                    "player": who if who in seats else _player(replay, named),
                    "value": value,
                    "computed": computed(play, measure, id),
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


def counted(replay: Replay[Any], said: Counted, words: str = "", *, where: str = "") -> str:
    """The entries for what was counted: an ``assert:``; below a ``gap:`` if that was at a ``hole`` in the
    record, above an ``end session:`` if it was at the end of the ``evening``. ``words`` say what is
    missing, or how it ended.

    Raises:
        Unanswerable: nothing was counted, or there is no such figure.
    """
    stated: dict[str, Data] = {}
    for measure, value in said.items():
        if measure not in replay.rulebook.by_measure:
            raise Unanswerable(f"there is no figure '{measure}' in this game")
        if isinstance(value, Mapping) and set(value) != {""}:
            stated[measure] = {str(who): _figure(one) for who, one in value.items()}
        else:
            stated[measure] = _figure(value[""] if isinstance(value, Mapping) else value)
    said_of_it = " ".join(words.split()) or None
    entries: list[dict[str, Data]] = [{"assert": stated}] if stated else []
    if where == "hole":
        entries.insert(0, {"gap": said_of_it})
    elif where == "evening":
        entries.append({"end session": said_of_it})
    if not entries:
        raise Unanswerable("nothing was counted")
    texts = [write_entry(one) for one in entries]
    if len(texts) == 1:
        return texts[0]
    return "\n".join("- " + text.replace("\n", "\n  ") for text in texts)


def _figure(value: object) -> Data:
    if not isinstance(value, (int, str)):
        raise Unanswerable("a figure is a number or a word")
    return value
