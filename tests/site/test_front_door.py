"""The front door of an archive: lists that are whole without a script, pieces that one loads, a feed, figures;
and nothing of a campaign in another."""

from __future__ import annotations

import json
import re
import sqlite3
from itertools import accumulate
from pathlib import Path
from xml.etree import ElementTree

import pytest

from chronicle.cli import main
from chronicle.site.persons import PlayersRefused, match_persons, read_persons
from chronicle.site.shards import (
    MAX_PIECE_LETTERS,
    WordIndex,
    count_words,
    divide_words,
    read_script,
    script_with_call,
    words_of,
)
from tests.conftest import ROOT
from tests.site.project import make_project

pytestmark = pytest.mark.integration

PLAYERS = """\
Ana Berger:
  one: Ana
  two: [Anna, Kim]
Nobody:
  two: Rozamund
  one: Player 3
"""
LOG = """\
session: 1
date: 2026-03-0{day}
log:
- tell: The {word} stands open
"""
WORDS = ("wolfram", "quartz", "zinnober")
SEATS = (
    "[Ana, Bo]",
    "[Anna, {name: Rozamund, publish as: Kim}]",
    "[Ana, Bo, {name: Dovrat, publish as: no}]",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three small campaigns whose players have names in common, and one that is hostile."""
    root = make_project(tmp_path_factory.mktemp("front") / "p")
    for number, (name, word, seats) in enumerate(
        zip(("one", "two", "three"), WORDS, SEATS, strict=True), 1
    ):
        folder = root / "sessions" / name
        folder.mkdir(parents=True)
        (folder / "campaign.yaml").write_text(
            f"game: universalis\ntitle: The {word.title()} </script> & {number}\nplayers: {seats}\n",
            "utf-8",
        )
        (folder / "01.yaml").write_text(LOG.format(day=number, word=word), "utf-8")
    evil = root / "sessions" / "evil"
    evil.mkdir()
    (evil / "campaign.yaml").write_text("game: chess\nplayers: [wolfram]\n", "utf-8")
    (root / "players.yaml").write_text(PLAYERS, "utf-8")
    return root


@pytest.fixture(scope="module")
def site(project: Path) -> Path:
    out = project / "out"
    assert main(["build", str(project), "--each", "--jobs", "1", "--out", str(out)]) == 1
    return out


def test_the_lists_are_whole_without_a_script(site: Path) -> None:
    page = (site / "archive" / "index.html").read_text("utf-8")
    for name, word in zip(("one", "two", "three"), WORDS, strict=True):
        assert f'href="../{name}/index.html"' in page
        assert f"The {word.title()} &lt;/script&gt; &amp;" in page
    assert 'class="ch-find"' in page
    game = (site / "archive" / "universalis.html").read_text("utf-8")
    assert game.count("ch-finds__title") == 3
    assert "How often each rule is used" in game or "What was done" in game
    home = (site / "index.html").read_text("utf-8")
    assert 'href="archive/index.html"' in home


def test_every_link_of_the_front_door_leads_somewhere(site: Path) -> None:
    for page in [*(site / "archive").rglob("*.html")]:
        for url in re.findall(r'(?:href|src)="([^"#:?]+)["#]', page.read_text("utf-8")):
            if not url.startswith("/"):
                assert (page.parent / url).exists(), (page.name, url)


def test_only_who_is_told_to_be_one_is_joined(
    site: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person = (site / "archive" / "people" / "ana-berger.html").read_text("utf-8")
    assert 'href="../../one/index.html"' in person
    assert 'href="../../two/index.html"' in person
    # Another Ana, whom nobody told of, is somebody else.
    assert "three/index.html" not in person
    everybody = (site / "archive" / "players.html").read_text("utf-8")
    assert "Nobody" not in everybody
    assert not (site / "archive" / "people" / "nobody.html").exists()
    capsys.readouterr()
    main(["build", str(project), "--each", "--jobs", "1", "--out", str(site)])
    output = capsys.readouterr().err
    assert "readers know no 'Rozamund' in 'two'" in output
    assert "readers know no 'Player 3' in 'one'" in output


def test_a_name_that_is_not_published_is_nowhere(site: Path) -> None:
    for file in site.rglob("*"):
        if file.is_file() and file.suffix != ".gz":
            data = file.read_bytes()
            assert b"Rozamund" not in data, file
            assert b"Dovrat" not in data, file


def test_nothing_of_a_campaign_is_in_another(site: Path) -> None:
    homes = dict(zip(WORDS, ("one", "two", "three"), strict=True))
    for word, home in homes.items():
        for other_home in {*homes.values()} - {home}:
            for file in (site / other_home).rglob("*"):
                if file.is_file():
                    assert word.encode() not in file.read_bytes().lower(), (word, file)


def test_folders_of_one_name_are_campaigns_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_project(tmp_path / "p")
    for number, (year, word) in enumerate(zip(("2025", "2026"), WORDS, strict=False), 1):
        folder = root / "sessions" / year / "house"
        folder.mkdir(parents=True)
        settings = f"game: universalis\ntitle: The {word}\nplayers: [Ana, Bo]\n"
        (folder / "campaign.yaml").write_text(settings, "utf-8")
        (folder / "01.yaml").write_text(LOG.format(day=number, word=word), "utf-8")
    (root / "players.yaml").write_text("Ana Berger: {house: Ana, house-2: Bo}\n", "utf-8")
    out = root / "out"
    words = ["build", str(root), "--each", "--jobs", "1", "--out", str(out)]
    assert main(words) == 0
    assert "players.yaml" not in capsys.readouterr().err
    page = (out / "archive" / "index.html").read_text("utf-8")
    assert 'href="../house/index.html"' in page
    assert 'href="../house-2/index.html"' in page
    assert (out / "archive" / "people" / "ana-berger.html").read_text("utf-8").count("house") > 1


def test_pieces_have_all_campaigns_and_their_words(site: Path) -> None:
    rows = read_script((site / "archive" / "cards" / "0.js").read_bytes())
    assert [row[0] for row in rows] == ["two", "one", "three"]
    for number, name in enumerate(row[0] for row in rows):
        word = dict(zip(("one", "two", "three"), WORDS, strict=True))[name]
        piece = read_script((site / "archive" / "words" / f"{ord(word[0]):x}.js").read_bytes())
        differences = [int(step.partition(".")[0], 36) for step in piece[word].split(" ")]
        campaign_numbers = [*accumulate(differences)]
        assert campaign_numbers == [number]
    assert "<" not in (site / "archive" / "cards" / "0.js").read_text("utf-8").replace("<\\/", "")
    starts = read_script((site / "archive" / "words" / "index.js").read_bytes())
    assert len(starts) == len([*(site / "archive" / "words").iterdir()]) - 1


def test_the_feed_is_atom_and_the_newest_is_first(site: Path) -> None:
    tree = ElementTree.parse(site / "archive" / "feed.xml").getroot()
    space = "{http://www.w3.org/2005/Atom}"
    titles = [entry.findtext(f"{space}title") for entry in tree.iter(f"{space}entry")]
    assert titles == [
        f"The {word.title()} </script> & {n}"
        for n, word in ((3, "zinnober"), (2, "quartz"), (1, "wolfram"))
    ]
    ids = [element.text for element in tree.iter(f"{space}id")]
    assert len({*ids}) == len(ids) == 4
    assert tree.findtext(f"{space}updated") == "2026-03-03T00:00:00Z"
    links = [element.get("href") for element in tree.iter(f"{space}link")]
    assert "../one/index.html" in links


def test_the_figures_are_those_of_the_command(site: Path, project: Path, tmp_path: Path) -> None:
    from pyarrow.parquet import read_table

    file = tmp_path / "figures.sqlite"
    main(["corpus", str(project / "sessions"), "--format", "sqlite", "--out", str(file)])
    rows_of_each = []
    for database in (file, site / "archive" / "figures.sqlite"):
        base = sqlite3.connect(database)
        rows_of_each.append(sorted(base.execute("SELECT * FROM verbs")))
        base.close()
    assert rows_of_each[0] == rows_of_each[1]
    table = read_table(site / "archive" / "figures" / "verbs.parquet")
    assert table.num_rows == len(rows_of_each[0])


def test_what_is_known_may_be_lost(site: Path, project: Path) -> None:
    pieces_before = {
        file.name: file.read_bytes() for file in (site / "archive" / "words").iterdir()
    }
    for note in (project / ".chronicle-cache" / "archive").rglob("*.words"):
        note.unlink()
    main(["build", str(project), "--each", "--jobs", "1", "--out", str(site)])
    pieces_after = {file.name: file.read_bytes() for file in (site / "archive" / "words").iterdir()}
    assert pieces_before == pieces_after


@pytest.mark.parametrize(
    "text",
    [
        "- Ana\n",
        "Ana: one\n",
        "Ana:\n  one: {a: b}\n",
        "Ana: [\n",
        "Ana:\n  one: []\n",
        "\x00",
        "{? : }",
    ],
)
def test_a_wrong_list_of_players_is_told(text: str, project: Path, tmp_path: Path) -> None:
    with pytest.raises(PlayersRefused, match=r"players\.yaml"):
        read_persons(text.encode())


def test_nobody_is_two_persons() -> None:
    assert match_persons({"x": {"no": ("Ana",)}}, {}) == (
        {},
        ["players.yaml: 'x': no campaign 'no' is shown"],
    )
    assert read_persons(b"") == {}


def test_words_are_found_as_they_are_typed() -> None:
    assert [*words_of("Grüße, the Überfahrt's I 霧の中 x_y")] == [
        "gruße", "the", "uberfahrt", "霧", "の", "中",
    ]  # fmt: skip
    counts = count_words(["Fog", "fog & FOG"])
    assert counts == {"fog": 3}
    assert read_script(script_with_call("f", 1, {"a": "</script>"})) == {"a": "</script>"}


def test_large_pieces_are_divided_and_lose_nothing(tmp_path: Path) -> None:
    many_words = {f"ab{letter}{n}": "1 " * 60 for letter in "cdefgh" for n in range(800)} | {
        "ab": "0"
    }
    pieces = dict(divide_words("ab", many_words))
    assert len(pieces) > 3
    assert {
        word: places for piece in pieces.values() for word, places in piece.items()
    } == many_words
    for start, piece in pieces.items():
        assert all(word.startswith(start) for word in piece)
        assert sum(map(len, piece.values())) <= MAX_PIECE_LETTERS * 2
    words = WordIndex(tmp_path)
    for number in range(50):
        words.add_campaign(number, {"ab": 1, f"ab{number}": number + 1, "é": 1})
    names = {name: read_script(data) for name, data in words.files()}
    assert names["words/61.js"]["ab"] == "0" + " 1" * 49
    assert names["words/61.js"]["ab49"] == "1d.1e"
    assert json.dumps(names["words/index.js"]) == '["a", "\\u00e9"]'
    assert (ROOT / "players.yaml").exists() is False
