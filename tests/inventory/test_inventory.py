"""Nothing that people rely on goes away unnoticed, and what is new is written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.inventory import __main__ as inventory
from tests.inventory.__main__ import LISTS, ROOT, current, main, missing, written


@pytest.mark.parametrize("name", LISTS)
def test_nothing_is_gone_that_the_changelog_does_not_name(name: str) -> None:
    gone = missing(name, (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert not gone, (
        f"gone from tests/inventory/{name}.txt: bring it back, or quote the line in backticks under Unreleased "
        "in CHANGELOG.md"
    )


@pytest.mark.parametrize("name", LISTS)
def test_all_there_is_is_written_down(name: str) -> None:
    new = sorted({*current(name)} - {*written(name)})
    assert not new, f"python -m tests.inventory adds it to tests/inventory/{name}.txt"


def test_what_is_gone_stays_written_down_until_the_changelog_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(inventory, "LISTS", {"exports": LISTS["exports"]})
    lines = [*current("exports"), "format wordstar: record.ws"]
    (tmp_path / "exports.txt").write_text("\n".join(lines) + "\n", "utf-8")
    assert main(tmp_path) == 1
    assert "exports.txt: `format wordstar: record.ws` is gone" in capsys.readouterr().out
    assert written("exports", tmp_path) == lines
    quoted = "# Changes\n\n## Unreleased\n\n- `format wordstar: record.ws` is gone.\n"
    assert missing("exports", quoted, tmp_path) == []
    older = "# Changes\n\n## Unreleased\n\n## 0.1.0\n\n- `format wordstar: record.ws` is gone.\n"
    assert missing("exports", older, tmp_path) == ["format wordstar: record.ws"]
    monkeypatch.setattr(inventory, "ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(quoted, "utf-8")
    assert main(tmp_path) == 0
    assert written("exports", tmp_path) == current("exports")


def test_what_is_new_is_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inventory, "LISTS", {"exports": LISTS["exports"]})
    assert main(tmp_path) == 0
    assert written("exports", tmp_path) == current("exports")
