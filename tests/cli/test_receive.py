"""What was kept at a desk elsewhere comes home: new things to their places, contradictions to the keeper."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from chronicle.campaigns import load, run
from chronicle.cli import main
from chronicle.syntax.bundle import collect_files, pack_bundle
from tests.golden import ROOT

BOATHOUSE = ROOT / "sessions" / "the-boathouse"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one campaign, in which somebody stands."""
    home = tmp_path / "project"
    copytree(BOATHOUSE, home / "sessions" / "the-boathouse")
    (home / "mkdocs.yml").write_text("site_name: T\nplugins: [chronicle]\n", encoding="utf-8")
    monkeypatch.chdir(home)
    return home


def parcel(tmp_path: Path, name: str = "the-boathouse", **changed: bytes | None) -> str:
    """A zip of the campaign with other contents of some files (``_01`` is 01.yaml)."""
    files = collect_files(BOATHOUSE)
    for key, data in changed.items():
        file = f"{key.strip('_')}.yaml"
        files.pop(file, None)
        if data is not None:
            files[file] = data
    archive = tmp_path / "came.zip"
    archive.write_bytes(pack_bundle({name: files}))
    return str(archive)


def first() -> bytes:
    return (BOATHOUSE / "01.yaml").read_bytes()


def entries(folder: Path) -> int:
    return len(run(load(folder)).steps)


def test_a_campaign_that_is_not_here_gets_a_folder(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = collect_files(ROOT / "sessions" / "six-names")
    archive = tmp_path / "six.zip"
    archive.write_bytes(pack_bundle({"six-names": files}))
    assert main(["receive", str(archive), "--diff"]) == 0
    assert not (project / "sessions" / "six-names").exists()
    assert main(["receive", str(archive)]) == 0
    assert "new, 4 sessions" in capsys.readouterr().out
    assert collect_files(project / "sessions" / "six-names") == files
    assert main(["check", "sessions/six-names"]) == 0


def test_the_same_again_is_nothing_new(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["receive", parcel(tmp_path)]) == 0
    assert "nothing is new" in capsys.readouterr().out
    assert collect_files(project / "sessions" / "the-boathouse") == collect_files(BOATHOUSE)


def test_what_was_logged_on_is_put_where_it_belongs(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = project / "sessions" / "the-boathouse"
    # The keeper has a remark of their own; the desk went on.
    our_text = b"# our table\n" + first()
    (home / "01.yaml").write_bytes(our_text)
    sessions = sorted(file.name for file in home.glob("0*.yaml"))
    last = sessions[-1]
    their_text = (BOATHOUSE / last).read_bytes() + b"- tell: The lamp goes out\n"
    files = collect_files(BOATHOUSE) | {last: their_text}
    archive = tmp_path / "came.zip"
    archive.write_bytes(pack_bundle({"the-boathouse": files}))
    entries_before = entries(home)
    assert main(["receive", str(archive)]) == 0
    assert "1 entry more" in capsys.readouterr().out
    assert entries(home) == entries_before + 1
    assert b"The lamp goes out" in (home / last).read_bytes()
    assert (home / "01.yaml").read_bytes().startswith(b"# our table\n")


def test_a_session_that_only_came_is_added(project: Path, tmp_path: Path) -> None:
    home = project / "sessions" / "the-boathouse"
    number = len(load(home).sessions) + 1
    text = f"session: {number}\nlog:\n- tell: Another evening\n".encode()
    assert main(["receive", parcel(tmp_path, _99=text)]) == 0
    assert (home / "99.yaml").read_bytes() == text
    # One that has the name of another evening gets another name.
    next_session = f"session: {number + 1}\nlog:\n- tell: And another\n".encode()
    assert main(["receive", parcel(tmp_path, _99=next_session)]) == 0
    assert (home / "99-2.yaml").read_bytes() == next_session


def contradicting() -> bytes:
    """The first session with another word in one of its entries."""
    lines = first().decode().split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("- host: "))
    player = "Tomas" if "Tomas" not in lines[at] else "Iben"
    lines[at] = f"- host: {player}"
    return "\n".join(lines).encode()


@pytest.mark.parametrize("take", [None, "mine", "theirs", "draft"])
def test_what_contradicts_is_for_the_keeper(
    take: str | None, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, their_files = project / "sessions" / "the-boathouse", contradicting()
    assert their_files != first()
    code = main(["receive", parcel(tmp_path, _01=their_files), *(["--take", take] if take else [])])
    output = capsys.readouterr().out
    assert "contradicts what is here" in output and "conflict" in output
    bytes_now = (home / "01.yaml").read_bytes()
    if take in (None, "mine"):
        assert code == (take is None)
        assert bytes_now == first()
    elif take == "theirs":
        assert bytes_now == their_files
    else:
        assert b" says:" in bytes_now and bytes_now != first()
        assert entries(home) == entries(BOATHOUSE)


def test_settings_that_differ_are_shown_and_stay(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = project / "sessions" / "the-boathouse"
    settings = (BOATHOUSE / "campaign.yaml").read_bytes()
    their_settings = (
        settings + b"language: de\n"
        if b"language:" not in settings
        else settings.replace(b"en", b"de")
    )
    assert main(["receive", parcel(tmp_path, campaign=their_settings)]) == 1
    assert "campaign.yaml: contradicts" in capsys.readouterr().out
    assert (home / "campaign.yaml").read_bytes() == settings


def test_it_is_found_by_its_title_in_a_folder_of_another_name(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["receive", parcel(tmp_path, "our-weekend")]) == 0
    assert "nothing is new" in capsys.readouterr().out
    assert [path.name for path in (project / "sessions").iterdir()] == ["the-boathouse"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no zip", "cannot be imported"),
        (pack_bundle({"x": {"01.yaml": b"session: 1\n"}}), "no campaign in it"),
        (pack_bundle({"x": {"campaign.yaml": b"game: chess\n"}}), "cannot be replayed"),
        (
            pack_bundle(
                {"the-boathouse": {"campaign.yaml": b"game: isolation\ntitle: T\nplayers: [A]\n"}}
            ),
            "two games",
        ),
    ],
)
def test_what_cannot_be_taken_in_changes_nothing(
    data: bytes, said: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "came.zip"
    archive.write_bytes(data)
    paths_before = sorted(project.rglob("*"))
    assert main(["receive", str(archive)]) == 2
    assert said in capsys.readouterr().err
    assert sorted(project.rglob("*")) == paths_before


def test_a_folder_is_received_as_a_zip_is(project: Path, tmp_path: Path) -> None:
    copytree(ROOT / "sessions" / "six-names", tmp_path / "usb" / "six-names")
    (tmp_path / "usb" / "six-names" / "hook.py").write_text("raise SystemExit", encoding="utf-8")
    assert main(["receive", str(tmp_path / "usb")]) == 0
    folder = project / "sessions" / "six-names"
    assert (folder / "campaign.yaml").is_file() and not (folder / "hook.py").exists()
