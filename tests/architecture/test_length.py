"""A module of the engine can be read in one sitting."""

from pathlib import Path

CHRONICLE = Path(__file__).resolve().parents[2] / "chronicle"
MOST = 700
"""Lines of a module in the rooms below."""
ENGINE = ("core", "syntax", "services")


def test_no_module_of_the_engine_is_too_long() -> None:
    modules = [path for room in ENGINE for path in (CHRONICLE / room).rglob("*.py")]
    files = [*modules, CHRONICLE / "workspace.py"]
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert len(lines) > 100
    assert {str(path): count for path, count in lines.items() if count > MOST} == {}
