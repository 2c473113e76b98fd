"""A campaign's folder: what is read from it, in which order, and what is never opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chronicle.campaigns import load
from chronicle.core.campaign import Campaign
from chronicle.games import GAMES, rulebook
from chronicle.syntax import campaign_files
from chronicle.syntax.campaign_files import CampaignUnreadable
from chronicle.syntax.find import find_campaigns
from chronicle.syntax.folder import read_campaign
from chronicle.syntax.slug import slug_of
from tests.conftest import LINKS

SETTINGS = "game: positive\ntitle: The Boathouse\nplayers: [Ana, Bo, Cy, Dee]\n"
PICTURE = b"\x89PNG\r\n\x1a\n"


def make(folder: Path, **files: str | bytes) -> Path:
    """A campaign folder; ``__`` in a name is a slash, ``_`` before the ending a dot."""
    named: dict[str, str | bytes] = {"campaign_yaml": SETTINGS, **files}
    for name, content in named.items():
        stem, _, ending = name.replace("__", "/").rpartition("_")
        file = folder / f"{stem}.{ending}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def read(folder: Path) -> Campaign:
    return read_campaign(folder, {"positive": rulebook("positive")}, project_folder=folder)


def codes(campaign: Campaign) -> list[str]:
    return [diagnostic.code for diagnostic in campaign.diagnostics]


def test_sessions_are_read_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    folder = make(
        tmp_path,
        a_yaml="session: 10\nlog:\n",
        b_yaml="session: 2\nlog:\n- tell: b\n",
        c_yaml="session: 0\nlog: []\n",
    )
    campaign = read(folder)
    assert [session.path for session in campaign.sessions] == ["c.yaml", "b.yaml", "a.yaml"]
    assert [action.verb for action in campaign.sessions[1].actions] == ["tell"]
    assert codes(campaign) == []
    assert campaign.slug == slug_of(tmp_path.name)


def test_two_sessions_of_one_number_are_told_apart_by_their_files(tmp_path: Path) -> None:
    campaign = read(make(tmp_path, a_yaml="session: 1\nlog:\n", b_yaml="log:\nsession: 1\n"))
    (diagnostic,) = campaign.diagnostics
    assert diagnostic.code == "T42"
    assert (diagnostic.place.path, diagnostic.place.line) == ("b.yaml", 2)
    assert diagnostic.facts[0].place is not None
    assert diagnostic.facts[0].place.path == "a.yaml"


def test_characters_stand_at_the_top_of_the_first_session(tmp_path: Path) -> None:
    campaign = read(
        make(
            tmp_path,
            s1_yaml="session: 1\nlog:\n- tell: third\n",
            characters__b_yaml="- tell: second\n",
            characters__a_yaml="tell: first\nby: Ana\n",
        )
    )
    told_texts = [str(action.source["tell"]) for action in campaign.sessions[0].actions]  # type: ignore[index]
    assert told_texts == ["first", "second", "third"]
    assert campaign.sessions[0].actions[0].path == "characters/a.yaml"
    assert codes(campaign) == []


def test_characters_alone_are_a_session(tmp_path: Path) -> None:
    campaign = read(make(tmp_path, characters__a_yaml="log:\n- tell: first\n"))
    assert len(campaign.sessions) == 1
    assert campaign.sessions[0].number == 1


def test_journal_notes_and_art(tmp_path: Path) -> None:
    campaign = read(
        make(
            tmp_path,
            journal__z_md="---\ntitle: Later\nsession: 2\nabout: [Marit, Gus]\n---\n\nDear all\n",
            journal__a_md="\ufeff# First of all\r\n\r\nWords\r\n",
            notes__house_md="---\nabout: Marit\n---\nShe owns it.\n",
            art__jetty_png=PICTURE,
            art__jetty_yaml="title: The jetty\nalt: five people\nabout: Marit\nsession: 1\n",
        )
    )
    assert codes(campaign) == []
    later, first = campaign.journal
    assert (later.title, later.session, later.subjects) == ("Later", 2, ("Marit", "Gus"))
    assert later.body == "Dear all\n"
    assert (first.title, first.session) == ("First of all", None)
    assert "\r" not in first.body
    assert campaign.notes[0].subjects == ("Marit",)
    (picture,) = campaign.art
    assert (str(picture.file), picture.alt, picture.session) == ("art/jetty.png", "five people", 1)


@pytest.mark.parametrize(
    ("about", "names"),
    [
        ("The jetty, after dark", ("The jetty, after dark",)),
        ("the jetty, AFTER dark", ("the jetty, AFTER dark",)),
        ("Gus, the elder", ("Gus, the elder",)),
        ("Marit, Gus", ("Marit", "Gus")),
        ("The jetty, Marit", ("The jetty", "Marit")),
        ('"Nobody, nowhere"', ("Nobody, nowhere",)),
    ],
)
def test_a_title_with_a_comma_is_one_name(
    about: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    campaign = read(
        make(
            tmp_path,
            s1_yaml="session: 1\nlog:\n- cast: {Ana: Marit, Bo: 'Gus, the elder'}\n"
            "- scene: The jetty, after dark\n  with: Marit, Gus\n",
            journal__a_md=f"---\ntitle: x\nabout: {about}\n---\nx\n",
            notes__a_md=f"---\nabout: {about}\n---\nx\n",
            art__a_png=PICTURE,
            art__a_yaml=f"title: x\nalt: x\nabout: {about}\n",
        )
    )
    assert [text.subjects for text in campaign.journal] == [names]
    assert [note.subjects for note in campaign.notes] == [names]
    assert [picture.subjects for picture in campaign.art] == [names]


@pytest.mark.parametrize(
    ("files", "code", "path"),
    [
        ({"s1_yml": "session: 1\nlog:\n"}, "T43", "s1.yml"),
        ({"cast_yaml": "Marit: Ana\n"}, "T41", "cast.yaml"),
        ({"journal__a_md": "---\ntitle: x\n"}, "T45", "journal/a.md"),
        ({"journal__a_md": "---\n- x\n---\n"}, "T45", "journal/a.md"),
        ({"journal__a_md": b"caf\xe9\n"}, "T1", "journal/a.md"),
        ({"notes__a_md": b"x" * (1024 * 1024 + 1)}, "T47", "notes/a.md"),
        ({"art__a_png": PICTURE}, "T46", "art/a.png"),
        ({"art__a_yaml": "title: x\n"}, "T46", "art/a.yaml"),
        ({"art__a_yaml": "[x]\n", "art__a_png": PICTURE}, "T46", "art/a.yaml"),
        ({"characters__a_yaml": "just words\n"}, "T41", "characters/a.yaml"),
    ],
)
def test_what_is_wrong_in_a_folder(
    files: dict[str, str | bytes], code: str, path: str, tmp_path: Path
) -> None:
    (diagnostic,) = read(make(tmp_path, **files)).diagnostics
    assert (diagnostic.code, diagnostic.place.path) == (code, path)


# --- nothing outside ------------------------------------------------------------------------------


@LINKS
@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("02.yaml", "secret.yaml"),
        ("journal/a.md", "secret.yaml"),
        ("notes/a.md", "secret.yaml"),
        ("characters/a.yaml", "secret.yaml"),
        ("art/a.png", "secret.yaml"),
        ("journal", "."),
        ("art", "."),
        ("campaign.yaml", "secret.yaml"),
    ],
)
def test_a_link_that_leaves_the_folder_is_not_followed(
    link: str, target: str, tmp_path: Path
) -> None:
    (tmp_path / "secret.yaml").write_text(
        SETTINGS + "session: 9\nlog:\n- tell: a secret of the machine\n", encoding="utf-8"
    )
    folder = make(tmp_path / "campaign")
    file = folder / link
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    file.symlink_to(tmp_path / target)
    try:
        campaign = read(folder)
    except CampaignUnreadable as error:
        assert [diagnostic.code for diagnostic in error.diagnostics] == ["T44"]
        return
    assert codes(campaign) == ["T44"]
    assert "secret of the machine" not in repr(campaign)
    assert not campaign.art


@LINKS
def test_a_link_inside_the_folder_is_fine_and_a_circle_is_told(tmp_path: Path) -> None:
    folder = make(tmp_path, drafts__s1_md="", old__s1_yaml="session: 1\nlog:\n")
    (folder / "01.yaml").symlink_to(folder / "old" / "s1.yaml")
    assert codes(read(folder)) == []
    (folder / "02.yaml").symlink_to(folder / "03.yaml")
    (folder / "03.yaml").symlink_to(folder / "02.yaml")
    assert set(codes(read(folder))) == {"T47"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    folder = make(tmp_path)
    os.mkfifo(folder / "01.yaml")
    (folder / "02.yaml").mkdir()
    assert codes(read(folder)) == ["T47"]


def test_there_is_a_bound_to_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign_files, "MOST_FILES", 3)
    folder = make(tmp_path)
    for number in range(5):
        (folder / f"{number}.yaml").write_text(f"session: {number}\nlog:\n", encoding="utf-8")
    campaign = read(folder)
    assert codes(campaign) == ["T47"]
    assert len(campaign.sessions) <= 3


# --- where campaigns are ---------------------------------------------------------------------


def test_campaigns_are_found_below_around_and_not_in_hidden_places(tmp_path: Path) -> None:
    inner = make(tmp_path / "b" / "one", journal__a_md="x\n")
    outer = make(tmp_path / "a")
    make(tmp_path / ".git")
    make(tmp_path / "node_modules" / "x")
    assert find_campaigns(tmp_path) == [outer, inner]
    assert find_campaigns(inner / "journal" / "a.md")[0].resolve() == inner.resolve()
    assert find_campaigns(tmp_path / "nothing") == []


def test_a_folder_without_settings_or_game_is_no_campaign(tmp_path: Path) -> None:
    with pytest.raises(CampaignUnreadable) as caught:
        read(tmp_path)
    assert "T40" in str([diagnostic.code for diagnostic in caught.value.diagnostics])
    assert "campaign.yaml" in str(caught.value)


def test_the_name_of_the_game_is_taken_as_people_write_it(tmp_path: Path) -> None:
    folder = make(tmp_path, campaign_yaml=SETTINGS.replace("positive", "Positive"))
    assert read(folder).game == "positive"


def test_strictness_weighs_what_is_found(tmp_path: Path) -> None:
    folder = make(tmp_path, art__a_png=PICTURE, campaign_yaml=SETTINGS + "strictness: relaxed\n")
    assert codes(read(folder)) == []
    make(tmp_path, campaign_yaml=SETTINGS + "strictness: meticulous\n")
    (diagnostic,) = read(folder).diagnostics
    assert str(diagnostic.severity) == "warning"


@pytest.mark.parametrize("day", ["2026-02-30", "2026-13-01", "0000-1-1"])
def test_a_day_of_no_calendar_is_doubted(day: str, tmp_path: Path) -> None:
    (diagnostic,) = read(make(tmp_path, a_yaml=f"session: 1\ndate: {day}\nlog:\n")).diagnostics
    assert (diagnostic.code, str(diagnostic.severity), diagnostic.place.line) == ("T20", "note", 2)
    assert diagnostic.message == f"there is no such day: {day}"
    assert "2026-02-28" in diagnostic.help[0]


@pytest.mark.parametrize("day", ["2024-02-29", "2026-2-3", "a Tuesday in May", "2026-02", "''"])
def test_a_date_may_be_any_words(day: str, tmp_path: Path) -> None:
    assert read(make(tmp_path, a_yaml=f"session: 1\ndate: {day}\nlog:\n")).diagnostics == []


def test_who_names_no_folder_is_not_made_to_wait_for_a_whole_disk(tmp_path: Path) -> None:
    deep_folder = tmp_path.joinpath(*"abcdefgh")
    for folder in (tmp_path / "near", deep_folder):
        folder.mkdir(parents=True)
        (folder / "campaign.yaml").write_text("", "utf-8")
    assert find_campaigns(tmp_path) == [deep_folder, tmp_path / "near"]
    assert find_campaigns(tmp_path, max_folders=4) == [tmp_path / "near"]


@pytest.mark.parametrize("written", [name for name in GAMES if name != "positive"])
def test_a_log_of_another_game_is_one_problem(tmp_path: Path, written: str) -> None:
    """And not one for each entry; also where the settings lack what the wrong game needs."""
    boathouse = Path(__file__).parents[2] / "sessions" / "the-boathouse"
    settings = (boathouse / "campaign.yaml").read_text(encoding="utf-8")
    folder = make(
        tmp_path,
        campaign_yaml=settings.replace("game: positive", f"game: {written}"),
        **{"01_yaml": (boathouse / "01.yaml").read_bytes()},
    )
    with pytest.raises(CampaignUnreadable) as caught:
        load(folder, root=tmp_path)
    (problem,) = caught.value.diagnostics
    assert (problem.code, problem.place.line) == ("T40", 1)
    assert "the sessions are of Positive (+)" in problem.message
    assert problem.help[0] == "write  positive"


def test_a_few_verbs_of_another_game_are_slips(tmp_path: Path) -> None:
    log = "session: 1\nlog:\n- host: Ana\n" + "- scene: The ferry\n- segment: 2\n" * 4
    (tmp_path / "campaign.yaml").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "01.yaml").write_text(log, encoding="utf-8")
    campaign = load(tmp_path, root=tmp_path)
    assert [problem.code for problem in campaign.diagnostics].count("T21") == 4
