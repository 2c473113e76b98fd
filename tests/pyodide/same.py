"""What is found in the play examples, in Pyodide and here. Run by ``python -m tests.pyodide``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from chronicle.campaigns import find_campaigns
from chronicle.workspace import Workspace
from tests.golden import BROKEN, ROOT

FINDINGS_FILE = Path("/scratch/found.json")
"""What :func:`findings` said outside, as the run in Pyodide sees the file."""
FOLDERS = [
    *find_campaigns(ROOT / "sessions"),
    *find_campaigns(BROKEN),
    *find_campaigns(ROOT / "chronicle" / "games"),
]


def findings(folder: Path) -> list[dict[str, Any]]:
    """The findings of a campaign, as ``check --format json`` has them."""
    return Workspace(folder, root=ROOT).findings()


def test_this_is_the_newest_python_promised_without_c_parsers_and_threads() -> None:
    assert sys.platform == "emscripten"
    assert sys.version_info[:2] == (3, 14)
    assert not yaml.__with_libyaml__
    with pytest.raises(ImportError):
        import nh3  # noqa: F401


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_same_is_found_as_outside(folder: Path) -> None:
    outside = json.loads(FINDINGS_FILE.read_text(encoding="utf-8"))
    assert findings(folder) == outside[folder.relative_to(ROOT).as_posix()]
