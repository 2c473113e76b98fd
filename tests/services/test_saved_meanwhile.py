"""An editor saves a file between the moment a desk reads it and the moment the desk writes it."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.edits import edit
from chronicle.core.files import ContentChange, FileStamps, file_stamps
from chronicle.services.open_campaigns import CampaignRoom, FileChange, OpenCampaign
from tests.services.conftest import AtDesk

SETTINGS = "game: positive\ntitle: Lamps\nplayers: [Ana, Bo, Cy, Dee]\n"
BEGUN = "session: 1\nlog:\n- tell: begin\n- tell: two\n"
SAVED = "- tell: what the editor saved\n"

QUESTIONS = [
    ("write at the end", "write", {"entry": "tell: mine"}, "- tell: mine\n"),
    (
        "write below a line",
        "write",
        {"entry": "tell: mine", "file": "01.yaml", "line": 3},
        "- tell: mine\n",
    ),
    ("tell", "tell", {"file": "01.yaml", "line": 3, "text": "a story"}, "    a story\n"),
    ("edit", "edit", {"file": "01.yaml", "line": 3, "entry": "tell: other"}, "- tell: other\n"),
    ("remove", "remove", {"file": "01.yaml", "line": 3}, "log:\n- tell: two\n"),
    ("undo", "undo", {}, "begin\n- tell: two\n"),
    ("redo", "redo", {}, "- tell: done\n"),
    ("settle", "settle", {"title": "new"}, "title: new\n"),
    ("evening", "evening", {"file": "01.yaml", "title": "x"}, "title: x\n"),
    ("save", "save", {"file": "01.yaml"}, "- tell: typed\n"),
    ("hole", "hole", {"words": "we forgot"}, "we forgot"),
    ("session", "session", {"title": "next"}, "title: next\n"),
]


class Table(AtDesk):
    """A desk over a small campaign, whose files an editor saves as well."""

    def __init__(self, folder: Path) -> None:
        (folder / "c").mkdir()
        (folder / "c" / "campaign.yaml").write_text(SETTINGS, encoding="utf-8")
        self.log = folder / "c" / "01.yaml"
        self.log.write_text(BEGUN, encoding="utf-8")
        super().__init__(folder)

    def text(self) -> str:
        return "".join(
            file.read_text(encoding="utf-8") for file in sorted((self.folder / "c").glob("*.yaml"))
        )


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def append(table: Table) -> None:
    """The editor adds an entry at the end, where the desk writes as well."""
    with table.log.open("a", encoding="utf-8") as file:
        file.write(SAVED)


def comment(table: Table) -> None:
    """The editor adds a line at the top, so that all lines move down."""
    text = table.log.read_text(encoding="utf-8")
    table.log.write_text("# what the editor saved\n" + text, encoding="utf-8")


def prepare(table: Table, ask: str) -> None:
    """What was done at the desk before."""
    if ask in ("undo", "redo"):
        table.ask("write", campaign="c", entry="tell: done")
    if ask == "redo":
        table.ask("undo", campaign="c")
    if ask == "save":
        typed = BEGUN.replace("- tell: two\n", "- tell: typed\n- tell: two\n")
        table.ask("change", campaign="c", file="01.yaml", text=typed)


@pytest.mark.parametrize("saves", [append, comment])
@pytest.mark.parametrize("moment", ["before the desk looks at the disk", "right before it writes"])
@pytest.mark.parametrize(
    ("ask", "more", "wanted"),
    [pytest.param(*parameters, id=name) for name, *parameters in QUESTIONS],
)
def test_what_an_editor_saves_while_a_desk_answers_is_kept(
    ask: str,
    more: dict[str, Any],
    wanted: str,
    moment: str,
    saves: Callable[[Table], None],
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepare(table, ask)
    text_before = table.log.read_text(encoding="utf-8")
    saved: list[str] = []

    def save() -> None:
        if not saved:
            saves(table)
            saved.append(table.log.read_text(encoding="utf-8"))

    def saving_put(opened: OpenCampaign, edits: Any, real: Any = OpenCampaign.write_changes) -> Any:
        save()
        return real(opened, edits)

    def write(home: Path, changes: Iterable[ContentChange]) -> None:
        save()
        edit(home, changes)

    if moment == "right before it writes":
        monkeypatch.setattr(table.room.open("c"), "_write", write)
    else:
        monkeypatch.setattr(OpenCampaign, "write_changes", saving_put)
    answer = table.desk.ask({"id": 1, "ask": ask, "campaign": "c", **more})
    assert saved
    text = table.text()
    new = "# what the editor saved\n" if saves is comment else SAVED
    assert new in text
    if saves is append and ask == "redo":
        # Both put something at the same place, and the desk's text is old: somebody has to look.
        assert "refused" in answer
        assert table.log.read_text(encoding="utf-8") == saved[0] != text_before
        return
    assert "answer" in answer, answer
    assert wanted in text, text
    assert text.count("what the editor saved") == 1
    if "line" in answer["answer"] and ask != "remove":
        file, line = answer["answer"]["file"], answer["answer"]["line"]
        rows = (table.folder / "c" / file).read_text(encoding="utf-8").split("\n")
        assert rows[line - 1].startswith("- "), rows
        assert answer["answer"]["step"]
    assert "error" not in [
        problem["severity"] for problem in table.ask("findings", campaign="c")["findings"]
    ]


def test_the_same_lines_changed_twice_are_asked_about(table: Table) -> None:
    settings = table.folder / "c" / "campaign.yaml"
    answer = table.ask("settled", campaign="c")
    their_settings = SETTINGS.replace("Lamps", "Lanterns")
    settings.write_text(their_settings, encoding="utf-8")
    refusal = table.refused("settle", campaign="c", title="Torches", version=answer["version"])
    assert refusal.startswith("campaign.yaml was changed on the disk meanwhile")
    assert settings.read_text(encoding="utf-8") == their_settings
    # What the keeper did not touch in the form stays as the editor saved it.
    further = {"strictness": "relaxed"}
    table.ask("settle", campaign="c", title="Lamps", settings=further, version=answer["version"])
    assert settings.read_text(encoding="utf-8") == their_settings + "strictness: relaxed\n"


def test_a_form_that_was_filled_in_slowly_writes_only_its_changes(table: Table) -> None:
    begun = BEGUN.replace("session: 1\n", "session: 1\ntitle: Old\n")
    table.log.write_text(begun, encoding="utf-8")
    version = table.ask("log", campaign="c")["sessions"][0]["version"]
    table.log.write_text(begun.replace("Old", "Theirs"), encoding="utf-8")
    table.ask(
        "evening", campaign="c", file="01.yaml", title="Old", date="2026-05-16", version=version
    )
    text = table.log.read_text(encoding="utf-8")
    assert "title: Theirs\n" in text
    assert "date: 2026-05-16\n" in text


def test_a_line_means_the_entry_that_somebody_saw_there(table: Table) -> None:
    version = table.ask("log", campaign="c")["sessions"][0]["version"]
    table.log.write_text(BEGUN.replace("log:\n", "log:\n- tell: theirs\n"), encoding="utf-8")
    answer = table.ask("entry", campaign="c", file="01.yaml", line=4, version=version)
    assert (answer["entry"], answer["line"]) == ("tell: two", 5)
    table.ask("remove", campaign="c", file="01.yaml", line=4, version=version)
    assert (
        table.log.read_text(encoding="utf-8") == "session: 1\nlog:\n- tell: theirs\n- tell: begin\n"
    )


def test_an_entry_written_beside_a_half_typed_text_overwrites_nothing(table: Table) -> None:
    typed = BEGUN.replace("session: 1\n", "session: 1\ntitle: typed\n")
    table.ask("change", campaign="c", file="01.yaml", text=typed)
    append(table)
    text_kept = table.log.read_text(encoding="utf-8")
    assert "same lines" in table.refused("write", campaign="c", entry="tell: mine")
    assert table.log.read_text(encoding="utf-8") == text_kept
    comment(table)
    table.ask("evening", campaign="c", file="01.yaml", title="typed", date="2026-05-16")
    text = table.log.read_text(encoding="utf-8")
    for line in ("# what the editor saved\n", SAVED, "title: typed\n", "date: 2026-05-16\n"):
        assert line in text


def test_a_text_typed_against_a_version_that_nobody_remembers_is_asked_about(table: Table) -> None:
    """As after the desk was started again."""
    version = table.ask("text", campaign="c", file="01.yaml")["version"]
    append(table)
    second_desk = AtDesk(table.folder)
    typed = BEGUN.replace("two", "typed")
    refusal = second_desk.refused(
        "change", campaign="c", file="01.yaml", text=typed, version=version
    )
    assert "was changed on the disk meanwhile" in refusal
    assert second_desk.ask("text", campaign="c", file="01.yaml")["text"] == BEGUN + SAVED


def test_two_desks_begin_a_session_at_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    second_desk = AtDesk(table.folder)
    real = OpenCampaign.write_changes

    def saving_put(opened: OpenCampaign, edits: Any) -> Any:
        monkeypatch.setattr(OpenCampaign, "write_changes", real)
        second_desk.ask("session", campaign="c", title="Theirs")
        return real(opened, edits)

    monkeypatch.setattr(OpenCampaign, "write_changes", saving_put)
    assert table.ask("session", campaign="c", title="Mine")["file"] == "03.yaml"
    for name, title in (("02.yaml", "Theirs"), ("03.yaml", "Mine")):
        text = (table.folder / "c" / name).read_text(encoding="utf-8")
        assert f"session: {name[1]}\ntitle: {title}\n" in text


def test_a_file_that_was_deleted_is_not_written_again(table: Table) -> None:
    typed = BEGUN.replace("two", "typed")
    table.ask("change", campaign="c", file="01.yaml", text=typed)
    table.log.unlink()
    assert table.refused("save", campaign="c", file="01.yaml")
    assert not table.log.exists()


def test_a_file_that_changes_all_the_time_is_refused_in_words(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(home: Path, changes: Iterable[ContentChange]) -> None:
        append(table)
        edit(home, changes)

    monkeypatch.setattr(table.room.open("c"), "_write", write)
    assert "same lines" in table.refused("write", campaign="c", entry="tell: mine")
    assert "mine" not in table.log.read_text(encoding="utf-8")


def test_a_desk_over_a_relative_folder_sees_what_an_editor_saves(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in (Path(), Path("c"), Path("..") / tmp_path.name):
        room = CampaignRoom(folder, edit)
        at = AtDesk(folder)
        opened = at.room.open("c")
        assert room.folder.is_absolute()
        entries_before = at.ask("findings", campaign="c")["entries"]
        append(table)
        assert at.ask("findings", campaign="c")["entries"] == entries_before + 1
        assert opened.outside_change_count == 1


def test_one_look_at_the_folder_finds_what_other_programs_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("read", "unread", "calm"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "campaign.yaml").write_text(SETTINGS, encoding="utf-8")
        (tmp_path / name / "01.yaml").write_text(BEGUN, encoding="utf-8")
    room = CampaignRoom(tmp_path, edit)
    opened = room.open("read")
    room.ids_changed_outside()
    looks: list[list[Path]] = []

    def noted(folders: Iterable[Path]) -> FileStamps:
        looks.append([*folders])
        return file_stamps(looks[-1])

    monkeypatch.setattr("chronicle.services.open_campaigns.file_stamps", noted)
    assert room.ids_changed_outside() == []
    for name in ("read", "unread"):
        with (tmp_path / name / "01.yaml").open("a", encoding="utf-8") as log:
            log.write(SAVED)
    assert sorted(room.ids_changed_outside()) == ["read", "unread"]
    assert looks == [[room.folder], [room.folder]]
    assert opened.source("01.yaml").text.endswith(SAVED)
    # What Chronicle writes is no change of another program.
    opened.write_changes(
        {"01.yaml": FileChange(f"{BEGUN}{SAVED}", f"{BEGUN}{SAVED}- tell: ours\n")}
    )
    assert room.ids_changed_outside() == []
    # A change that a question noticed first is told, too.
    append_to = tmp_path / "read" / "01.yaml"
    append_to.write_text(append_to.read_text("utf-8") + SAVED, encoding="utf-8")
    room.check_for_outside_changes()
    assert room.ids_changed_outside() == ["read"]
