"""``--through``: everything as it stood after a session, and not a word of what came later."""

import json
from pathlib import Path

import pytest
from mkdocs.config import load_config

from chronicle.campaigns import load, run
from chronicle.cli import main
from chronicle.cli.site import _limit_sessions
from chronicle.export import FORMATS
from chronicle.games import GAMES, rulebook
from chronicle.plugin import ChroniclePlugin
from tests.sample import some
from tests.site.project import build, fresh, make_project
from tests.site.test_leaks import leaks

LATER = {
    "title": "Marzipan evening",
    "summary": "Everybody turns to marzipan",
    "remark": "Marzipan was eaten",
    "said": "The marzipan was the murderer",
    "broken": "Marzipan that nobody can read",
    "house": "Marzipan at the head of the table",
    "journal": "Dear marzipan",
    "note": "Why marzipan",
    "undated": "Nobody suspects the Marzipan Queen",
    "picture": "A queen of marzipan",
    "bytes": "<title>marzipan in oils</title>",
    "file": "marzipan-portrait",
}
"""What session 2 brings, by where it stands."""
LATEST_TEXT = "Liquorice for all"


def table_of_two_evenings(folder: Path, game: str) -> Path:
    """A campaign with something of every kind that belongs to its second session."""
    for name, text in rulebook(game).new_campaign().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    with (folder / "01.yaml").open("a", encoding="utf-8") as file:
        file.write(f"- tell: {LATEST_TEXT}\n")
    (folder / "02.yaml").write_text(
        f"session: 2\ntitle: {LATER['title']}\nsummary: {LATER['summary']}\nnote: {LATER['remark']}\n"
        f"log:\n- tell: {json.dumps(LATER['said'])}\n- xqzzy: {LATER['broken']}\n"
        f"- aside: {LATER['house']}\n",
        encoding="utf-8",
    )
    for place in ("journal", "notes", "art"):
        (folder / place).mkdir(exist_ok=True)
    texts = {
        "journal/old.md": f"---\ntitle: Old\nsession: 1\n---\n{LATEST_TEXT}\n",
        "journal/new.md": f"---\ntitle: New\nsession: 2\n---\n{LATER['journal']}\n",
        "notes/house.md": f"---\ntitle: House\n---\n{LATEST_TEXT}\n",
        "notes/new.md": f"---\ntitle: New\nsession: 2\n---\n{LATER['note']}\n",
        "notes/queen.md": f"---\ntitle: Queen\nabout: [Marzi]\n---\n{LATER['undated']}\n",
        f"art/{LATER['file']}.svg": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'>"
        f"{LATER['bytes']}</svg>",
        f"art/{LATER['file']}.yaml": f"title: New\nalt: {LATER['picture']}\nsession: 2\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def spoilers(folder: Path) -> list[str]:
    names = [str(p) for p in folder.rglob("*") if LATER["file"] in p.name]
    return names + leaks(folder, *LATER.values())


@pytest.mark.parametrize("game", some(GAMES, 2))
def test_nothing_later_is_in_a_site_or_an_export(game: str, tmp_path: Path) -> None:
    table = table_of_two_evenings(tmp_path / "table", game)
    project = make_project(tmp_path / "project", table)
    out = tmp_path / "out"
    fresh()
    assert main(["build", str(project), "--out", str(out / "site"), "--through", "1"]) == 0
    assert main(["render", str(table), "--out", str(out / "pages"), "--through", "1"]) == 0
    assert main(["export", str(table), "--all", str(out / "all"), "--through", "1"]) == 0
    for form in FORMATS:
        target = str(out / f"record.{form}")
        assert (
            main(["export", str(table), "--format", form, "--out", target, "--through", "1"]) == 0
        )
    assert spoilers(out) == []
    assert "02.yaml" not in (out / "record.json").read_text(encoding="utf-8")
    assert not list(out.rglob("sessions/2*"))
    leaked = "\n".join(leaks(out, LATEST_TEXT))
    for part in ("site/table/notes", "site/table/journal", "pages/", "all/record.json"):
        assert part in leaked


def test_all_of_it_is_there_without(tmp_path: Path) -> None:
    table = table_of_two_evenings(tmp_path / "table", "positive")
    site, _ = build(make_project(tmp_path / "project", table))
    shown_texts = "\n".join(spoilers(site))
    shown = set(LATER) - {"broken"}
    assert {kind for kind in LATER if LATER[kind] in shown_texts} == shown


def test_a_text_without_a_session_waits_until_what_it_is_about_is_in_play(tmp_path: Path) -> None:
    table = table_of_two_evenings(tmp_path / "table", "positive")
    campaign = load(table)
    player_name = campaign.players[0].name
    (table / "notes" / "queen.md").write_text(
        f"---\ntitle: Queen\nabout: [Marzi, {player_name}]\n---\nx\n", encoding="utf-8"
    )
    early = run(load(table), through=1).campaign
    assert [note.slug for note in early.notes] == ["house", "queen"]
    assert [note.slug for note in campaign.notes] == ["house", "new", "queen"]


def test_the_same_campaign_can_be_looked_at_from_any_evening(root: Path) -> None:
    campaign = load(root / "sessions" / "six-names")
    counts = [len(run(campaign, through=number).sessions) for number in (4, 1, 3, 0)]
    assert counts == [4, 1, 3, 0]
    assert len(run(campaign).sessions) == 4


def test_the_command_line_wins_over_the_settings_and_only_while_it_is_asked(
    tmp_path: Path,
) -> None:
    table = table_of_two_evenings(tmp_path / "table", "positive")
    project = make_project(tmp_path / "project", table, through=2)
    page = tmp_path / "project" / "site" / "table" / "sessions" / "2.html"
    fresh()
    assert main(["build", str(project), "--through", "1"]) == 0
    assert not page.exists()
    assert main(["build", str(project)]) == 0
    assert page.exists()


def through_of(file: str) -> int | None:
    plugin = load_config(file).plugins["chronicle"]
    assert isinstance(plugin, ChroniclePlugin)
    return plugin.campaigns.through


def test_serving_stops_there_however_often_the_settings_are_read(tmp_path: Path) -> None:
    table = table_of_two_evenings(tmp_path / "table", "positive")
    project = make_project(tmp_path / "project", table)
    fresh()
    file = str(project / "mkdocs.yml")
    _limit_sessions(load_config(file), 1)
    assert through_of(file) == 1
    _limit_sessions(load_config(file), None)
    assert through_of(file) is None


def test_a_site_without_campaigns_has_no_evenings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# x\n", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n", encoding="utf-8")
    assert main(["build", str(tmp_path), "--through", "1"]) == 2
    assert "no plug-in 'chronicle'" in capsys.readouterr().err
