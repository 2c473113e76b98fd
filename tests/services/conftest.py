"""A desk over a copy of a play example."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.edits import edit
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom
from tests.conftest import ROOT
from tests.needs import npm_package, program

Ask = Callable[..., Any]
REBUILD = "run 'make desk' and commit what it builds"


def not_as_shipped(script: str, shipped: Path, fresh: Path) -> list[str]:
    """The files that one of the page's build scripts makes otherwise than they are shipped."""
    node = program("node")
    npm_package("esbuild")
    subprocess.run([node, str(ROOT / "page" / script), str(fresh)], check=True)
    built, shipped_text = (
        {file.name: file.read_bytes() for file in folder.iterdir()} for folder in (fresh, shipped)
    )
    return sorted(
        name
        for name in built.keys() | shipped_text.keys()
        if built.get(name) != shipped_text.get(name)
    )


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is offered is whatever can be, however busy the machine is."""
    monkeypatch.setattr("chronicle.services.fixes.PATIENCE", 60.0)
    monkeypatch.setattr("chronicle.services.editor.complete.MOST_TRIAL_SECONDS", 60.0)


class AtDesk:
    """A desk in a room, its answers as they come out of JSON."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.room = CampaignRoom(folder, edit)
        self.desk = Desk(self.room)

    def ask(self, ask: str, **fields: Any) -> Any:
        """The answer, which has to be one."""
        answer = json.loads(json.dumps(self.desk.ask({"id": 1, "ask": ask, **fields})))
        assert "refused" not in answer, answer
        return answer["answer"]

    def refused(self, ask: str, **fields: Any) -> str:
        """What is said instead of an answer."""
        answer = json.loads(json.dumps(self.desk.ask({"id": 1, "ask": ask, **fields})))
        assert "answer" not in answer, answer
        return str(answer["refused"]["message"])


@pytest.fixture
def sit(tmp_path: Path, root: Path) -> Callable[..., AtDesk]:
    """Sits down at a desk with copies of some play examples."""

    def desk_over(*names: str) -> AtDesk:
        for name in names:
            shutil.copytree(root / "sessions" / name, tmp_path / name)
        return AtDesk(tmp_path)

    return desk_over
