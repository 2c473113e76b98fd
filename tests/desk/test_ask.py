"""Questions and answers of the desk."""

from collections.abc import Callable

import pytest

from tests.desk.conftest import AtDesk

Sit = Callable[..., AtDesk]
HERE = "the-boathouse"


def test_what_is_written_is_on_the_disk_and_comes_back_byte_by_byte(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "02.yaml"
    before = file.read_bytes()
    told = at.ask(
        "write", campaign=HERE, entry="aside: Who has the kettle?", text=" *Nobody*.\n\nNo"
    )
    assert file.read_bytes().startswith(before)
    assert "  text: |2-\n     *Nobody*.\n\n    No\n" in file.read_text(encoding="utf-8")
    assert told["entry"]["verb"] == "aside"
    assert told["step"] == told["findings"]["entries"] == told["table"]["step"]
    after = file.read_bytes()
    at.ask("undo", campaign=HERE)
    assert file.read_bytes() == before
    at.ask("redo", campaign=HERE)
    assert file.read_bytes() == after
    assert at.refused("redo", campaign=HERE) == "nothing was taken back"


def test_an_entry_goes_where_it_is_said_to_and_comments_stay(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "01.yaml"
    before = file.read_text(encoding="utf-8")
    line = before.split("\n").index("- host: Ruth") + 1
    told = at.ask("write", campaign=HERE, file="01.yaml", line=line, entry="aside: Late")
    rows = file.read_text(encoding="utf-8").split("\n")
    assert rows[told["line"] - 1] == "- aside: Late"
    assert told["line"] == line + 2
    at.ask("edit", campaign=HERE, file="01.yaml", line=told["line"], entry="aside: Later")
    assert "- aside: Later\n" in file.read_text(encoding="utf-8")
    at.ask("remove", campaign=HERE, file="01.yaml", line=told["line"])
    assert file.read_text(encoding="utf-8") == before


def test_what_an_editor_wrote_meanwhile_stays(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "02.yaml"
    text = file.read_text(encoding="utf-8")
    at.ask("write", campaign=HERE, entry="aside: One")
    file.write_text(
        file.read_text(encoding="utf-8").replace("session: 2", "session: 2 # ours"),
        encoding="utf-8",
        newline="",
    )
    at.room.open(HERE).resident.reload()
    at.ask("undo", campaign=HERE)
    assert file.read_text(encoding="utf-8") == text.replace("session: 2", "session: 2 # ours")


def test_what_is_typed_is_looked_at_and_saved_with_what_came_in_between(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "02.yaml"
    text = at.ask("text", campaign=HERE, file="02.yaml")
    typed = text["text"] + "- nonsense: 1\n"
    found = at.ask("change", campaign=HERE, file="02.yaml", text=typed, version=text["version"])
    assert [one["code"] for one in found["findings"]] == ["T21"]
    assert found["counts"]["error"] == 1
    file.write_text("# from an editor\n" + text["text"], encoding="utf-8", newline="")
    saved = at.ask("save", campaign=HERE, file="02.yaml")
    assert saved["merged"]
    assert file.read_text(encoding="utf-8") == "# from an editor\n" + typed


def test_trying_writes_nothing(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "01.yaml"
    before = file.read_bytes()
    line = (
        file.read_text(encoding="utf-8").split("\n").index("- match: One bed, the whole of Easter")
    )
    told = at.ask("try", campaign=HERE, file="01.yaml", line=line, entry="back down: Tomas")
    assert not told["findings"]
    assert (
        told["after"]["step"]
        == at.ask("table", campaign=HERE, file="01.yaml", line=line)["step"] + 1
    )
    told = at.ask("try", campaign=HERE, file="01.yaml", line=line, entry="back down: Marek")
    assert [one["severity"] for one in told["findings"]] == ["error"]
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("ask", "more"),
    [
        ("dance", {}),
        ("table", {}),
        ("table", {"campaign": "nowhere"}),
        ("table", {"campaign": HERE, "line": "3"}),
        ("table", {"campaign": HERE, "colour": 3}),
        ("text", {"campaign": HERE, "file": "../the-boathouse/01.yaml"}),
        ("text", {"campaign": HERE, "file": "/etc/passwd"}),
        ("text", {"campaign": "../sessions", "file": "01.yaml"}),
        ("write", {"campaign": HERE, "entry": ""}),
        ("write", {"campaign": HERE, "entry": "tell: [", "file": "01.yaml"}),
        ("write", {"campaign": HERE, "entry": "tell: x", "text": "\x00"}),
        ("edit", {"campaign": HERE, "file": "campaign.yaml", "line": 3, "entry": "tell: x"}),
        ("undo", {"campaign": HERE}),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    sit: Sit, ask: str, more: dict[str, object]
) -> None:
    at = sit(HERE)
    before = {file: file.read_bytes() for file in at.folder.rglob("*") if file.is_file()}
    assert at.refused(ask, **more)
    assert {file: file.read_bytes() for file in at.folder.rglob("*") if file.is_file()} == before
