"""Campaigns that differ only in what is hidden give readers the same bytes."""

import gzip
import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import for_readers, load, run
from chronicle.cli import main
from chronicle.export import exports
from chronicle.export.log import texts_outside_logs
from chronicle.games import GAMES, rulebook
from tests.sample import some
from tests.site import canaries
from tests.site.project import make_project

VARIANTS = ("clean", "every way")


def variants(root: Path, game: str, kind: str) -> list[Path]:
    """Two campaigns in folders of one name, with other hidden words and more or fewer hidden lines."""
    entries = [
        entry
        for where, entry in canaries.entries(canaries.Cage(), rulebook(game))
        if not entry.startswith("---") and (kind == "every way" or where.endswith(", clean"))
    ]
    folders = []
    for variant in ("one", "other"):
        folder = canaries.campaign(root / variant / f"a-{game}", game, "".join(entries))
        # What comes below is moved by hidden lines; the last entry is found fault with.
        file = folder / "01.yaml"
        text = file.read_text(encoding="utf-8")
        file.write_text(f"{text}- aside: Well\n- correct: nothing-has-this-id\n", encoding="utf-8")
        if kind == "every way":
            canaries.around(canaries.Cage(), folder)
        folders.append(folder)
    canaries.reworded(folders[1])
    assert (folders[0] / "01.yaml").read_bytes() != (folders[1] / "01.yaml").read_bytes()
    return folders


def differing(files: dict[str, bytes], other_files: dict[str, bytes]) -> list[str]:
    """The files that one of two has alone, or that hold something else in the other."""
    return sorted(
        name for name in {*files, *other_files} if files.get(name) != other_files.get(name)
    )


def unpacked(name: str, data: bytes) -> bytes:
    """What is in a file that is packed; the others as they are."""
    if name.endswith(".gz"):
        return gzip.decompress(data)
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return b"".join(f.encode() + packed.read(f) for f in packed.namelist())
    return data


def taken_away(folder: Path) -> Iterator[tuple[str, bytes]]:
    """What readers may take away of a campaign."""
    record = run(for_readers(load(folder, root=folder.parent)))
    for name, _, data in exports(record):
        yield name, data
    for name, text in texts_outside_logs(record):
        yield name, text.encode()


@pytest.mark.parametrize("ways", VARIANTS)
@pytest.mark.parametrize("game", GAMES)
def test_no_export_depends_on_what_is_hidden(game: str, ways: str, tmp_path: Path) -> None:
    exported, other_exported = (
        dict(taken_away(folder)) for folder in variants(tmp_path, game, ways)
    )
    assert len(exported) > 5
    assert differing(exported, other_exported) == []


@pytest.mark.integration
@pytest.mark.parametrize("game", some(GAMES, 2))
def test_no_page_and_no_book_depends_on_what_is_hidden(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "946684800")
    built: list[dict[str, bytes]] = []
    for folder in variants(tmp_path, game, "every way"):
        project = make_project(folder.parent / "project", folder)
        for file in project.rglob("*"):
            os.utime(file, (1e9, 1e9))
        monkeypatch.chdir(project)
        main(["build", ".", "--out", "site"])
        main(["book", f"sessions/{folder.name}", "--out", "site/a.epub"])
        files = (file for file in (project / "site").rglob("*") if file.is_file())
        names = {str(file.relative_to(project)): file.read_bytes() for file in files}
        built.append({name: unpacked(name, data) for name, data in names.items()})
    assert len(built[0]) > 40
    assert differing(*built) == [], _first(*built)


def _first(files: dict[str, bytes], other_files: dict[str, bytes]) -> str:
    """Where the first differing file differs."""
    name = differing(files, other_files)[0]
    pair = files.get(name, b""), other_files.get(name, b"")
    at = next((n for n, (a, b) in enumerate(zip(*pair, strict=False)) if a != b), 0)
    return f"{name}: " + " | ".join(repr(data[max(at - 80, 0) : at + 60]) for data in pair)
