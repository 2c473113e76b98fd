"""What readers find: every text once, each with the session that tells it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import load
from chronicle.games import rulebooks
from chronicle.publish import make_site, open_campaign_site
from chronicle.site.enclosed import find
from chronicle.site.rule_pages import page_paths_by_id
from chronicle.site.search import SearchDocument, read_texts, section_documents
from chronicle.site.shards import read_script
from tests.services.conftest import not_as_shipped


def rows_of(folder: Path, through: int | None = None) -> dict[str, list[list[Any]]]:
    """The rows of a campaign by their kind."""
    (file,) = find.search_files(open_campaign_site(load(folder), through=through), [])
    assert file.contents is not None
    rows: dict[str, list[list[Any]]] = read_script(file.contents)["rows"]
    return rows


def session_of(row: list[Any]) -> int:
    return row[3] if len(row) > 3 else 0


@pytest.mark.parametrize("name", ["the-lantern-coast", "snowshed-nine", "the-boathouse"])
def test_each_text_says_which_session_tells_it(root: Path, name: str) -> None:
    folder = root / "sessions" / name
    all_rows = rows_of(folder)
    early = {row[1] for rows in rows_of(folder, 1).values() for row in rows if len(row) > 1}
    for kind in ("people", "things", "outcomes", "sessions", "scenes", "entries"):
        assert kind == "things" or all_rows[kind], kind
        for row in all_rows.get(kind, ()):
            # What a copy up to session 1 cannot say is told by a later one.
            if len(row) > 1 and row[1] and session_of(row) < 2:
                assert row[1] in early, row


def test_whoever_lost_something_is_found_by_it_until_then(root: Path) -> None:
    people = rows_of(root / "sessions" / "the-lantern-coast")["people"]
    kept_rows = {(row[0], row[1]): row[3:5] for row in people if len(row) > 4}
    assert kept_rows["Corin Pask", "never wrong in writing"] == [1, 3]
    assert kept_rows["Corin Pask", "keeper of the Ninth"] == [3, 0]


def test_how_somebody_is_gone_is_found_as_an_end(root: Path) -> None:
    rows = rows_of(root / "sessions" / "the-lantern-coast")["people"]
    ends = [
        row
        for row in rows
        if row[0] == "the Guest" and "Gone, session 3 In the end" in str(row[-1])
    ]
    assert len(ends) == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        # The verbs' own sentences are told, and so are the rules that a table agrees on, with their ids.
        ("the-dry-book", "Marrow opened the harbourmaster’s safe and left Tern’s glove in it."),
        ("the-boathouse", "He knew exactly which number he was writing down."),
        ("the-lantern-coast", "A mouthful mends one hurt, and is gone."),
    ],
)
def test_an_entry_is_found_by_all_that_its_page_tells(root: Path, name: str, words: str) -> None:
    rows = rows_of(root / "sessions" / name)["entries"]
    found = [row for row in rows if words in row[1]]
    assert len(found) == 1
    assert name != "the-lantern-coast" or found[0][-1] == "brandy"


def test_who_is_out_is_found_by_the_word_of_the_game(root: Path) -> None:
    rows = rows_of(root / "sessions" / "the-boathouse")["people"]
    assert [row[0] for row in rows if str(row[-1]).endswith(" thrown out")] == ["Tomas"]


def test_it_is_written_in_the_same_order_each_time(root: Path) -> None:
    folder = root / "sessions" / "the-boathouse"
    assert rows_of(folder) == rows_of(folder)
    people = [row[1] for row in rows_of(folder)["people"] if len(row) > 1 and row[0] == "Wanda"]
    assert len(people) == len({*people}) > 3


def test_a_site_is_searched_by_its_other_pages_and_the_list_of_its_campaigns(root: Path) -> None:
    site = make_site(root / "sessions" / "the-boathouse", warn=print)
    own_row = SearchDocument("Ferries", "When they go.", "ferries.html")
    data = site.search_file([own_row], has_all_pages=False).contents
    assert data is not None
    index = read_script(data)
    assert index["campaigns"] == ["the-boathouse/"] and index["whole"] is False
    assert index["rules"]["positive"] == [
        "Positive (+)",
        "rules/positive.js",
        "rules/positive.html",
    ]
    assert own_row.trimmed_values() in index["rows"]["pages"]
    # The rules are found in the file of cards.
    assert [row for row in index["rows"]["pages"] if row[2] == "rules/positive.html"] == [
        ["Positive (+): rules", "", "rules/positive.html"]
    ]


def test_reference_comes_after_other_pages_and_headings_have_further_words(root: Path) -> None:
    site = make_site(root / "sessions" / "the-boathouse", warn=print)
    (row,) = section_documents('<h2 id="a" data-find="undo">Corrections</h2>', "Page", "page.html")
    assert row.extra_words == "undo"
    data = site.search_file([row], [row._replace(title="Name by name")]).contents
    assert data is not None
    index = read_script(data)
    assert [own[0] for own in index["rows"]["reference"]] == ["Name by name"]
    assert row.trimmed_values() in index["rows"]["pages"]


def test_a_page_is_found_by_its_sections() -> None:
    html = (
        "<p>Before.</p><h2 id='one'>One<a class='headerlink' href='#one'>¶</a></h2><p>First <code>a: b</code></p>"
        "<pre>- bid: 2</pre><script>no()</script><section id='two'><h3>Two</h3><p>Second</p></section>"
    )
    assert section_documents(html, "Page", "page.html") == [
        SearchDocument("Page", "Before.", "page.html"),
        SearchDocument("One", "First a: b - bid: 2", "page.html#one", title_note="Page"),
        SearchDocument("Two", "Second", "page.html#two", title_note="Page"),
    ]


def test_what_is_no_such_file_has_no_texts() -> None:
    for data in (b"", b"f(1);", b'f("x",{"rows":{"people":[[1]]}});', b'f({"rows":3})'):
        assert not {*map(str, read_texts(data))} - {"1"}


def test_the_library_is_packed_as_it_is_shipped(root: Path, tmp_path: Path) -> None:
    shipped = root / "chronicle" / "site" / "assets" / "vendor"
    assert not_as_shipped("search.mjs", shipped, tmp_path) == [], "run: node page/search.mjs"


def test_each_rule_of_a_long_book_stands_on_the_page_of_its_chapter(root: Path) -> None:
    site = make_site(root / "sessions" / "left-luggage", reference="all", warn=print)
    pages = {file.path: file for file in site.shared_pages.files()}
    for rules in rulebooks():
        script = read_script(b'f("",' + (pages[f"rules/{rules.name}.js"].contents or b"")[15:])
        page_of_rule = page_paths_by_id(rules)
        assert {id for ids in script.values() for id in ids} == page_of_rule.keys()
        # Where all rules stood on one page, each number still leads on.
        front = pages[f"rules/{rules.name}"].html
        for id, page in page_of_rule.items():
            assert f'id="{id.casefold()}"' in pages[page].html, id
            assert f'id="{id.casefold()}"' in front, id
    assert pages["rules/universalis/6-complications"].html.count("<code>") > 2
    assert "`" not in pages["rules/universalis/6-complications"].html


def test_a_rule_names_each_story_in_which_it_was_in_play_once(root: Path) -> None:
    site = make_site(root / "sessions" / "a-room-by-post", reference="all", warn=print)
    pages = {file.path: file for file in site.shared_pages.files()}
    html = "".join(
        file.html for path, file in pages.items() if path.startswith("rules/universalis/")
    )
    lines = re.findall(r'<p class="ch-soft">(In play: .*?)</p>', html)
    assert any(line.count("<a ") > 1 for line in lines)
    assert {line.count("A Room by Post") for line in lines} == {1}
