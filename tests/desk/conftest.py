"""A desk over a copy of a play example."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.edits import edit
from chronicle.desk.ask import Desk
from chronicle.desk.room import Room

Ask = Callable[..., Any]


class AtDesk:
    """A desk in a room, its answers as they come out of JSON."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.room = Room(folder, edit)
        self.desk = Desk(self.room)

    def ask(self, ask: str, **more: Any) -> Any:
        """The answer, which has to be one."""
        said = json.loads(json.dumps(self.desk.ask({"id": 1, "ask": ask, **more})))
        assert "refused" not in said, said
        return said["answer"]

    def refused(self, ask: str, **more: Any) -> str:
        """What is said instead of an answer."""
        said = json.loads(json.dumps(self.desk.ask({"id": 1, "ask": ask, **more})))
        assert "answer" not in said, said
        return str(said["refused"]["message"])


@pytest.fixture
def sit(tmp_path: Path, root: Path) -> Callable[..., AtDesk]:
    """Sits down at a desk with copies of some play examples."""

    def made(*names: str) -> AtDesk:
        for name in names:
            shutil.copytree(root / "sessions" / name, tmp_path / name)
        return AtDesk(tmp_path)

    return made
