"""How many taps and keys a stretch of play takes at the desk, and how many keys its YAML takes.

``python -m tests.services.fingers the-lantern-coast 204 263`` plays the keeper of entries 204 to 263: taps a
choice where one leads to what the log says, takes what stands greyed behind the caret, throws dice on
the pad, and types letters where nothing else is left. Sentences (``text:``, ``tell:``) are typed either
way: they count as one letter in both.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from chronicle.core.declare import Action
from chronicle.core.edits import edit
from chronicle.core.field_types import TEXT, roleless
from chronicle.core.record import Step
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom
from chronicle.syntax.one_line import write_line
from chronicle.syntax.reader import read_text
from chronicle.syntax.yaml_text import write_entry

ROOT = Path(__file__).resolve().parents[2]
MOST = 400
"""Taps and keys for one entry at most; beyond that something goes round in circles."""
TOLD = ("text", "note", "id")


class Count(NamedTuple):
    """What one entry took, and how many keys its YAML takes."""

    entry: str
    taps: int
    keys: int
    yaml: int

    @property
    def touches(self) -> int:
        return self.taps + self.keys


class Keeper:
    """Somebody who knows what happened, at a desk over a copy of a play example."""

    def __init__(self, folder: Path, campaign: str) -> None:
        self.campaign = campaign
        self.room = CampaignRoom(folder, edit)
        self.desk = Desk(self.room)
        self.opened = self.room.open(campaign)

    def ask(self, ask: str, **fields: Any) -> Any:
        """The answer of the desk."""
        answer = self.desk.ask({"id": 1, "ask": ask, "campaign": self.campaign, **fields})
        if "refused" in answer:
            raise AssertionError(f"{ask} {fields}: {answer['refused']}")
        return answer["answer"]

    def stretch(self, first: int, last: int) -> Iterator[Count]:
        """What each entry of a stretch takes, one after the other."""
        record = self.opened.workspace.record
        assert record is not None
        steps = [step for step in record.steps if step.parent is None]
        for previous, step in zip([None, *steps], steps, strict=False):
            if first <= step.number <= last:
                yield self.log(previous, step)

    def log(self, previous: Step | None, step: Step) -> Count:
        """What one entry takes."""
        source = step.action.source
        data = {
            str(key): "x" if sentence(type(step.action), str(key), value) else plain(value)
            for key, value in source.items()
            if key not in TOLD
        }
        yaml = write_entry(data)
        keys = len(f"- {yaml}") + 1 + yaml.count("\n") * 2
        if previous is None or previous.action.path != step.action.path:
            place = {"file": step.action.path, "line": 0}
        else:
            place = {"file": previous.action.path, "line": previous.action.whole_place.line}
        tapped = self.on_pad(place, data) or on_count(data)
        if tapped:
            return Count(yaml, tapped, 0, keys)
        taps, typed = self.on_line(place, data, yaml)
        return Count(yaml, taps, typed, keys)

    def on_pad(self, place: Mapping[str, Any], data: Mapping[str, Any]) -> int:
        """Taps on the dice pad; 0 where the entry is no throw that is due."""
        verb, value = next(iter(data.items()))
        due = [
            obligation
            for obligation in self.ask("table", **place)["due"]
            if obligation["verb"] == verb
        ]
        counted = [obligation for obligation in due if obligation["faces"]]
        if not counted or len(data) > 1:
            return 0
        faces = fallen(value, {face for obligation in counted for face in obligation["faces"]})
        rollers = len({obligation["who"] for obligation in counted if obligation["who"]})
        partial = isinstance(value, Mapping) and len(value) < rollers
        # The pad, the faces, and Write; who throws alone is written alone.
        return 2 + faces + (1 if partial else 0)

    def on_line(
        self, place: Mapping[str, Any], data: Mapping[str, Any], yaml: str
    ) -> tuple[int, int]:
        """Taps and keys on the one line."""
        verbs = self.opened.workspace.replay.rulebook.by_verb  # type: ignore[union-attr]
        target = write_line(data, verbs)
        if not target:
            return 0, len(yaml)
        line, taps, keys = "", 0, 0
        moment = self.ask("table", **place)
        starts = [move["line"] for move in moment["next"]]
        while taps + keys < MOST:
            fit = self.ask("fit", said=line, **place)
            if line and same(fit["yaml"], yaml):
                return taps + 1, keys
            choices = [choice["line"] for choice in fit["choices"] if choice["eligible"] and line]
            choices = [
                next_line
                for next_line in (starts if not line else choices)
                if leads(next_line, target, line)
            ]
            if choices:
                line, taps = max(choices, key=len), taps + 1
            elif fit["ghost"] and leads(line + fit["ghost"], target, line):
                line, keys = line + fit["ghost"], keys + 1
            elif len(line) < len(target):
                # What a tap has put there may be written another way than the log has it.
                at = len(line) if target.startswith(line) else 0
                line, keys = target[: at + 1] if at else target, keys + (1 if at else len(target))
            else:
                return taps + 1, keys
        raise AssertionError(f"no way to {target!r}, only to {line!r}")


def sentence(verb: type[Action], key: str, value: Value) -> bool:
    """Whether a key holds somebody's own words."""
    field = verb.main if key == verb.verb else verb.fields.get(key)
    is_block = isinstance(value, ScalarNode) and "\n" in value.strip()
    return is_block or (field is not None and roleless(field.kind) is TEXT)


def on_count(data: Mapping[str, Any]) -> int:
    """Taps where everything is counted that an ``assert:`` states: the menu, the count, every figure as it
    stands, Write; 0 where the entry is none."""
    if "assert" not in data:
        return 0
    stated = data["assert"]
    return 3 + sum(
        len(figures) if isinstance(figures, Mapping) else 1 for figures in stated.values()
    )


def leads(offered_line: str, target: str, line: str) -> bool:
    """Whether a line is on the way to another, and further than one."""
    return len(offered_line) > len(line) and (
        target.startswith(offered_line) or target == offered_line.rstrip(" ,:")
    )


def plain(value: Value) -> Any:
    """A value of a log as plain data."""
    if isinstance(value, ScalarNode):
        return str(value)
    if isinstance(value, SequenceNode):
        return [plain(item) for item in value]
    return {str(key): plain(item) for key, item in value.items()}


def fallen(value: Any, faces: set[str]) -> int:
    """How many faces stand in a value, however they are written."""
    if isinstance(value, Mapping):
        return sum(fallen(item, faces) for item in value.values())
    if isinstance(value, list):
        return len(value)
    return 1 if value in faces else sum(not part.isspace() for part in str(value))


def same(item: str, yaml: str) -> bool:
    """Whether an entry of a list is this one."""
    read = read_text(item, "").tree
    expected = read_text(yaml, "").tree
    return (
        isinstance(read, SequenceNode)
        and len(read) == 1
        and isinstance(expected, MappingNode)
        and read[0] == expected
    )


def counted(campaign: str, first: int, last: int) -> list[Count]:
    """The counts of a stretch of a play example."""
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(ROOT / "sessions" / campaign, Path(name) / campaign)
        return [*Keeper(Path(name), campaign).stretch(first, last)]


def main() -> None:
    """Print the counts of a stretch, entry by entry."""
    campaign, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    counts = counted(campaign, first, last)
    for count in counts:
        print(
            f"{count.taps:4} taps {count.keys:4} keys {count.yaml:5} as YAML   {count.entry.splitlines()[0][:90]}"
        )
    touches, typed = sum(count.touches for count in counts), sum(count.yaml for count in counts)
    taps = sum(count.taps for count in counts)
    print(f"{len(counts)} entries: {taps} taps and {touches - taps} keys; as YAML {typed} keys")


if __name__ == "__main__":
    main()
