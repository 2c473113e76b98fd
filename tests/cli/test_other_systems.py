"""Windows and macOS as far as they can be played on any system: code pages, line ends, letter case in the
names of files, and accents that are stored apart."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import unicodedata
from difflib import SequenceMatcher
from itertools import cycle
from pathlib import Path
from typing import Literal

import pytest

from chronicle.campaigns import load, open_view, run
from chronicle.cli import main
from chronicle.cli.out import SanitizingStream
from chronicle.site.works import Works
from chronicle.syntax.find import SETTINGS_FILE
from tests.cli.test_cli import Chronicle
from tests.cli.test_cli import chronicle as chronicle
from tests.cli.test_interrupted import FILES, put

pytestmark = pytest.mark.platform

Form = Literal["NFC", "NFD"]
PICTURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small campaign of three evenings, entered."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "lamps")
    return tmp_path / "lamps"


# -- what is printed -------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["cp1252", "cp437", "cp932", "ascii", "utf-16"])
def test_a_file_gets_utf_8_whatever_the_code_page(page: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=page, newline="\r\n", write_through=True)
    SanitizingStream(stream).write("Zoë → 東\n½\n")
    assert raw.getvalue().decode("utf-8") == "Zoë → 東\n½\n"


def test_a_terminal_of_few_letters_shows_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    raw = io.BytesIO()
    stream = Terminal(raw, encoding="cp437", newline="\n", write_through=True)
    SanitizingStream(stream).write("é → 東\n")
    assert raw.getvalue() == "é → \\u6771\n".encode("cp437", "backslashreplace")


def test_a_command_and_its_findings_are_utf_8(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_bytes(
        "game: positive\ntitle: Żółw 東\nplayers: [Ana, Bo, Cy, Dee]\n".encode()
    )
    (tmp_path / "01.yaml").write_bytes("session: 1\nlog:\n- tell: x\n- Żółw: y\n".encode())

    def run_command(*words: str, stdin: bytes = b"") -> tuple[bytes, bytes]:
        done = subprocess.run(
            [sys.executable, "-m", "chronicle", *words],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
            check=False,
        )
        return done.stdout, done.stderr

    out, err = run_command("check")
    assert "'Żółw'" in (out + err).decode("utf-8")
    out, err = run_command("export", "--format", "json")
    assert "Żółw 東" in out.decode("utf-8")
    assert not err
    out, err = run_command("nothing-żółw")
    assert "nothing-żółw" in (out + err).decode("utf-8")
    assert (
        run_command("seal", "01.yaml", "--slot", "con", "--by", "Ana", stdin="Żółw 東\n".encode())[
            1
        ]
        == b""
    )
    # On Windows con.opening would be the console.
    assert "Żółw 東" in (tmp_path / "con-.opening").read_text(encoding="utf-8")
    assert b"\r" not in out


# -- line ends -------------------------------------------------------------------------------------


def rows(data: bytes) -> list[tuple[bytes, bytes]]:
    """The lines of a file, each with its own end."""
    parts = re.findall(rb"([^\r\n]*)(\r\n|\r|\n|\Z)", data)
    return [*parts][:-1] if parts[-1] == (b"", b"") else [*parts]


def mixed(data: bytes) -> bytes:
    """A file in which three systems have written."""
    ends = cycle((b"\r\n", b"\n", b"\r"))
    return b"".join(row + next(ends) for row, _ in rows(data))


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        (("ids", "lamps"), "lamps/01.yaml"),
        (("annotate", "lamps"), "lamps/01.yaml"),
        (("rename", "Iris", "Irma Vale", "--in", "lamps"), "lamps/01.yaml"),
        (("rename", "Iris", "Irma Vale", "--in", "lamps"), "lamps/journal/one.md"),
        (("rename", "Iris", "Irma Vale", "--in", "lamps"), "lamps/campaign.yaml"),
        (("unname", "Ana", "--in", "lamps"), "lamps/campaign.yaml"),
        (("seal", "lamps/01.yaml", "--slot", "ana-did", "--by", "Ana"), "lamps/01.yaml"),
    ],
    ids=lambda parameter: parameter[0] if isinstance(parameter, tuple) else Path(parameter).stem,
)
def test_mixed_line_ends_stay_where_they_are(
    words: tuple[str, ...], changed: str, lamps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("nine\n"))
    for name in FILES:
        (lamps / name).write_bytes(mixed((lamps / name).read_bytes()))
    file = Path(changed)
    bytes_before = file.read_bytes()
    assert len({end for _, end in rows(bytes_before)}) == 3
    assert main([*words]) == 0
    bytes_after = file.read_bytes()
    assert bytes_after != bytes_before
    old, new = rows(bytes_before), rows(bytes_after)
    matcher = SequenceMatcher(None, [row for row, _ in old], [row for row, _ in new], False)
    for operation, a, b, c, d in matcher.get_opcodes():
        if operation == "equal":
            assert old[a:b] == new[c:d]
        elif operation == "replace":
            assert [end for _, end in old[a:b]] == [end for _, end in new[c : c + b - a]]
        else:
            assert operation == "insert"
    if words[0] == "annotate":
        assert main(["annotate", "lamps", "--strip"]) == 0
        assert file.read_bytes() == bytes_before


# -- names of files --------------------------------------------------------------------------------


@pytest.mark.parametrize(("stored", "typed"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_accents_may_be_stored_either_way(stored: Form, typed: Form, lamps: Path) -> None:
    def put_in(name: str, text: str | bytes, form: Form) -> None:
        file = lamps / unicodedata.normalize(form, name)
        file.parent.mkdir(exist_ok=True)
        data = text if isinstance(text, bytes) else unicodedata.normalize(typed, text).encode()
        file.write_bytes(data)

    settings = "game: positive\ntitle: Lamps\nplayers: [José, Bo, Cy, Dee]\n"
    put_in(SETTINGS_FILE, unicodedata.normalize(stored, settings).encode(), stored)
    for name in ("01.yaml", "02.yaml"):
        text = FILES[name].replace("Ana", "José").replace("Iris", "Zoë")
        put_in(name, unicodedata.normalize(stored, text).encode(), stored)
    put_in("art/Café.png", PICTURE, stored)
    put_in("art/Café.yaml", "title: Café\nalt: a table\nartist: José\nabout: Zoë\n", typed)
    put_in("journal/Été.md", "---\nauthor: José\nvoice: Zoë\nabout: Zoë\n---\nWords.\n", typed)
    campaign = load(lamps)
    record = run(campaign)
    assert [str(diagnostic) for diagnostic in record.diagnostics if diagnostic.code == "T46"] == []
    assert campaign.art[0].alt == "a table"
    assert {entry.slug for entry in campaign.journal} == {"one", "été"}
    works = Works(open_view(campaign))
    assert [len(work.subjects) for work in works.all_works if work.ref.id != "one"] == [1, 1]
    assert len(works.works_by(next(iter(campaign.settings.players)))) == 2


def test_two_names_that_differ_by_their_accents_alone_have_a_page_each(lamps: Path) -> None:
    names = {unicodedata.normalize(form, "Été") for form in ("NFC", "NFD")} | {
        "Stove",
        "stove",
        "a b",
    }
    for folder in ("journal", "notes"):
        (lamps / folder).mkdir(exist_ok=True)
        for name in names:
            (lamps / folder / f"{name}.md").write_bytes(b"# A\n")
    count = len([*(lamps / "notes").iterdir()])
    assert main(["render", "lamps", "--out", "out"]) == 0
    campaign = load(lamps)
    assert len({note.slug for note in campaign.notes}) == len(campaign.notes) == count
    assert len({entry.slug for entry in campaign.journal}) == len(campaign.journal) == count + 1


@pytest.mark.parametrize("name", ["CAMPAIGN.YAML", "Campaign.yaml"])
def test_the_settings_may_be_in_other_letters_where_case_does_not_count(
    name: str, lamps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder lists the file in its own letters, and opens it by ours."""
    codes = [diagnostic.code for diagnostic in run(load(lamps)).diagnostics]
    (lamps / SETTINGS_FILE).rename(lamps / name)
    if not (lamps / SETTINGS_FILE).exists():
        # This disk tells letter case apart. One file under both names, of which one is not listed:
        os.link(lamps / name, lamps / SETTINGS_FILE)
        listed = Path.iterdir
        monkeypatch.setattr(
            Path, "iterdir", lambda at: (path for path in listed(at) if path.name != SETTINGS_FILE)
        )
    assert [diagnostic.code for diagnostic in run(load(lamps)).diagnostics] == codes
    assert main(["rename", "Iris", "Irma Vale", "--in", "lamps"]) == 0
    assert "Irma Vale" in (lamps / SETTINGS_FILE).read_text(encoding="utf-8")
    assert main(["ids", "lamps"]) == 0


@pytest.mark.parametrize(
    ("ending", "caption"), [("YAML", "plan.YAML"), ("yaml", "Plan.yaml"), ("yaml", "PLAN.PNG.yaml")]
)
def test_a_caption_is_found_whatever_its_letters(
    ending: str, caption: str, lamps: Path, chronicle: Chronicle
) -> None:
    (lamps / "art").mkdir()
    (lamps / "art" / "plan.png").write_bytes(PICTURE)
    (lamps / "art" / caption).write_bytes(b"title: A\nalt: b\nabout: Iris\n")
    campaign = load(lamps)
    assert [diagnostic.code for diagnostic in campaign.diagnostics] == []
    assert campaign.art[0].alt == "b"
    assert chronicle("rename", "Iris", "Irma Vale", "--in", "lamps").code == 0
    assert (lamps / "art" / caption).read_bytes() == b"title: A\nalt: b\nabout: Irma Vale\n"


def test_a_new_campaign_lies_where_every_system_can_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "club", "--game", "positive"]) == 0
    monkeypatch.chdir(tmp_path / "club")
    for name, expected in (("aux", "aux-"), ("nul.two", "nul-.two"), ("x" * 150, None)):
        assert main(["new", name, "--game", "positive"]) == 0
        if expected is not None:
            assert (tmp_path / "club" / "sessions" / expected / SETTINGS_FILE).is_file()
    assert all(len(path.name) <= 100 for path in (tmp_path / "club").rglob("*"))
    assert main(["check"]) == 0
