"""Files that are made to exhaust whoever reads them end a child process, and nothing else."""

from __future__ import annotations

import gc
import io
import struct
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chronicle.cli import main
from chronicle.core.pictures import publishable_bytes
from chronicle.limited import Failed, LimitedProcess, Message, Stopped
from chronicle.site.share import can_draw
from tests.conftest import ROOT
from tests.core.test_pictures import nested_markers
from tests.site.project import build, make_project

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(not can_draw(), reason="nothing draws here: chronicle-tabletop[cards]"),
]

SQUARE = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
WORDS = {
    **dict.fromkeys(("line_above_title", "title", "summary", "facts_line", "byline"), "words"),
    "emblem_svg": SQUARE.decode(),
}
HAS_LIMITS = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux holds to a memory limit"
)


def png(width: int, height: int) -> bytes:
    """A black picture of this size in few bytes."""

    def chunk(name: bytes, body: bytes) -> bytes:
        framed = struct.pack(">I", len(body)) + name + body
        return framed + struct.pack(">I", zlib.crc32(name + body))

    packer, row = zlib.compressobj(9), b"\0" * (1 + (width + 7) // 8)
    data = b"".join([packer.compress(row) for _ in range(height)]) + packer.flush()
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def svg(width: int, height: int) -> bytes:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        '<rect width="1" height="9"/></svg>'
    ).encode()


@pytest.fixture
def child() -> Iterator[LimitedProcess]:
    process = LimitedProcess(seconds=20)
    yield process
    process.close()


def works(child: LimitedProcess) -> bool:
    return child.ask("picture", {"ending": ".svg"}, SQUARE).blobs == [SQUARE]


def test_one_child_does_one_task_after_the_other(child: LimitedProcess) -> None:
    assert works(child)
    first = child._process
    assert works(child)
    with pytest.raises(Failed, match="this is no picture") as failed:
        child.ask("picture", {"ending": ".png"}, b"nothing")
    assert failed.value.help
    assert works(child) and child._process is first


def test_a_task_that_takes_too_long_is_stopped() -> None:
    child = LimitedProcess(seconds=2)
    start = time.monotonic()
    with pytest.raises(Stopped, match="longer than 2 seconds"):
        child.ask(
            "share",
            WORDS,
            nested_markers(5, 100).replace('"m1"', '"m1" overflow="visible"').encode(),
        )
    assert time.monotonic() - start < 8
    assert works(child)
    child.close()


@HAS_LIMITS
def test_a_task_that_needs_too_much_memory_is_stopped() -> None:
    child = LimitedProcess(seconds=20, megabytes=300)
    with pytest.raises(Stopped, match="memory"):
        child.ask("share", WORDS, png(7000, 7000))
    assert works(child)
    child.close()


def test_a_child_that_dies_is_started_anew(child: LimitedProcess) -> None:
    assert works(child)
    assert child._process is not None
    child._process.kill()
    child._process.wait()
    assert works(child)


def test_no_child_is_left_behind() -> None:
    child = LimitedProcess()
    assert works(child)
    process = child._process
    assert isinstance(process, subprocess.Popen)
    del child
    gc.collect()
    assert process.wait(timeout=10) is not None


def test_a_folder_of_the_same_name_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, child: LimitedProcess
) -> None:
    (tmp_path / "chronicle").mkdir()
    for name in ("__init__", "worker", "limited"):
        (tmp_path / "chronicle" / f"{name}.py").write_text(
            "raise SystemExit('run')\n", encoding="utf-8"
        )
    monkeypatch.chdir(tmp_path)
    assert works(child)


@pytest.mark.parametrize(
    ("cover", "said"),
    [
        (svg(1, 100_000), "times longer than wide"),
        (svg(400, 1), "times longer than wide"),
        (png(8, 200_000), "times longer than wide"),
        (png(13_300, 13_300), "pixels"),
        (b"\x89PNG no picture", "cannot be read"),
        (b"<svg", "no size"),
        (b"", "cannot be read"),
    ],
)
def test_a_cover_that_is_too_large_is_refused_at_once(
    cover: bytes, said: str, child: LimitedProcess
) -> None:
    if said not in ("cannot be read", "no size"):
        assert publishable_bytes(".svg" if cover[:1] == b"<" else ".png", cover)
    with pytest.raises(Failed, match=said) as failed:
        child.ask("share", WORDS, cover)
    assert not isinstance(failed.value, Stopped)


def test_a_zip_is_opened_in_the_child(child: LimitedProcess) -> None:
    zip_bytes = io.BytesIO()
    with zipfile.ZipFile(zip_bytes, "w") as archive:
        archive.writestr("b/campaign.yaml", "game: positive\n")
        archive.writestr("a/campaign.yaml", "game: positive\ntitle: A\n")
        archive.writestr("readme.txt", "x")
    answer = child.ask("parcel", {"name": "it"}, zip_bytes.getvalue())
    assert answer.fields == {
        "campaigns": {"a": ["campaign.yaml"], "b": ["campaign.yaml"]},
        "left": ["readme.txt"],
    }
    assert answer.blobs == [b"game: positive\ntitle: A\n", b"game: positive\n"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cover.svg", svg(1, 100_000)),
        ("cover.png", png(13_300, 13_300)),
        ("cover.svg", nested_markers(5, 100).encode()),
    ],
)
def test_a_hostile_cover_costs_a_build_one_warning(name: str, data: bytes, tmp_path: Path) -> None:
    project = make_project(tmp_path, ROOT / "sessions" / "the-boathouse", reference=False)
    (project / "sessions" / "the-boathouse" / "art" / name).write_bytes(data)
    start = time.monotonic()
    site, messages = build(project, site_url="https://a.example/")
    assert time.monotonic() - start < 60
    assert len([line for line in messages if name in line.splitlines()[0]]) == 1, messages
    assert (site / "the-boathouse" / "share.png").is_file()


def test_a_picture_that_stops_its_reader_has_a_warning_and_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a fault in a decoder that nobody knows of."""
    original_ask = LimitedProcess.ask

    def dying(child: LimitedProcess, task: str, *args: Any) -> Message:
        if task == "picture":
            raise Stopped("reading it takes longer than 30 seconds")
        return original_ask(child, task, *args)

    monkeypatch.setattr(LimitedProcess, "ask", dying)
    project = make_project(tmp_path, ROOT / "sessions" / "the-boathouse", reference=False)
    site, messages = build(project, site_url="https://a.example/")
    assert [line for line in messages if "jetty" in line] == [
        "chronicle: sessions/the-boathouse/art/jetty.svg: reading it takes longer than 30 seconds; it is not shown"
    ]
    assert (site / "the-boathouse" / "index.html").is_file()


def test_receive_refuses_a_zip_that_stops_its_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zip_bytes = io.BytesIO()
    with zipfile.ZipFile(zip_bytes, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("c/campaign.yaml", "game: positive\n")
    (tmp_path / "a.zip").write_bytes(zip_bytes.getvalue())
    (tmp_path / "p").mkdir()
    assert main(["receive", str(tmp_path / "a.zip"), str(tmp_path / "p")]) == 2
    output = capsys.readouterr().err
    assert "a.zip' cannot be imported: 'c/campaign.yaml' in it is packed" in output
    assert "unpack it, and hand over the folder" in output
