"""Tables of the pages: no column says nothing, and one of figures stays a table on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.site.made import example

TABLE = re.compile(
    r'<div class="ch-wide ch-wide--(\w+)(?: ch-wide--names)?">(.*?)</table>', re.DOTALL
)


def tables_of(name: str) -> Iterator[tuple[str, str, list[list[str]]]]:
    """The page of each sortable table of a story, its kind, and its rows in words."""
    for path, file in example(name).files.items():
        for kind, table in TABLE.findall(file.html):
            _, _, body = table.partition("<tbody>")
            rows = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in body.split("</tr>")]
            yield (
                path,
                kind,
                [[re.sub("<.*?>", "", cell) for cell in row] for row in rows if row],
            )


@pytest.mark.parametrize("name", ["the-lantern-coast", "the-dry-book"])
def test_no_column_says_nothing(name: str) -> None:
    tables = [table for table in tables_of(name) if table[2]]
    assert len(tables) > 10
    for path, _, rows in tables:
        for cells in list(zip(*rows, strict=True))[1:]:
            assert any(cell not in ("", "-", "–") for cell in cells), path


def test_a_table_of_figures_stays_one() -> None:
    kinds = {kind for path, kind, _ in tables_of("the-lantern-coast") if "ledger" in path}
    assert "figures" in kinds


def test_figures_beside_two_short_names_stay_a_table() -> None:
    kinds = [kind for path, kind, _ in tables_of("the-boathouse") if "who-backed" in path]
    assert kinds == ["three", "figures"]


def test_on_a_phone_the_lines_of_a_drawing_are_grouped_by_where_they_start() -> None:
    def lines(path: str) -> list[str]:
        html = example(path.partition("/")[0]).files[path].html
        (words,) = re.findall(r'ch-chart__words">(.*?)</ul>', html)
        return [re.sub("<.*?>", "", line) for line in words.split("</li>")]

    # Words of a line stand behind where it leads.
    tracks = lines("the-dry-book/tracks")
    assert (
        "11. Interference check→ 12. Rolling scene dice no 1 or 2, no token"
        "→ 14. The Agency interferes a 1 or 2, or a token" in tracks
    )


def test_a_drawing_of_tracks_names_each_once_and_cuts_no_words() -> None:
    page = example("the-dry-book").html("tracks")
    drawing = page[page.index('<svg class="ch-graph"') : page.index("</svg>")]
    words = re.findall(r"<text[^>]*>(.*?)</text>", drawing)
    assert "ignored, or nobody" in words and "implicated" in words
    assert not any("…" in text for text in words)
    assert "▶ 7. The Job (now here)" in words
    assert "Play is now at number 7, The Job." in re.sub("<.*?>", "", page)
    assert "ch-track" not in page


def test_words_of_a_line_stand_clear_of_it() -> None:
    page = example("the-dry-book").html("tracks")
    drawing = page[page.index('<svg class="ch-graph"') : page.index("</svg>")]
    (line_x, text_x) = re.findall(
        r'<path d="M([\d.]+),[^>]*>(?:<polygon[^>]*>)?<text x="([\d.]+)"[^>]*>first session<',
        drawing,
    )[0]
    half_width = 5 * len("first session") / 2
    assert float(text_x) - half_width - float(line_x) > -4


def test_a_download_is_led_by_what_it_holds() -> None:
    page = example("gallery-nine").html("downloads")
    assert "<p>What you may take with you: the story for reading" in page
    table = page.partition("<tbody>")[2].partition("</tbody>")[0]
    assert "data-label" not in table
    names = re.findall(r'<th scope="row"><a href="files/([^"]*)" download>(.*?)</a></th>', table)
    assert len(names) > 5
    assert all(file_name != text for file_name, text in names)


def test_words_that_all_rows_share_are_left_out() -> None:
    pages = {path: rows for path, _, rows in tables_of("the-dry-book") if rows}
    scenes = pages["the-dry-book/scenes"]
    assert len(scenes) > 20
    assert not any("closed" in row for row in scenes)
    # The links to the state of play are each another; so are names.
    assert all(row[-1] == "state of play" for row in scenes)


def test_a_cell_says_what_it_is_about_behind_its_title_on_a_phone() -> None:
    """Each cell of a card reads as a phrase: the title of its column, and then what it says."""
    for path in ("the-lantern-coast/scenes", "the-lantern-coast/everything"):
        html = example("the-lantern-coast").files[path].html
        phrases = {
            f"{title} {re.sub('<.*?>', '', cell)}"
            for title, cell in re.findall(r'<td data-label="(.*?)"[^>]*>(.*?)</td>', html)
        }
        assert not [
            words for words in phrases if words in ("State of play after it", "Now in the story")
        ]
    assert "Now out of the story" in phrases
    # What is long has a line of its own.
    assert re.search(r'<td data-label="In the end" class="ch-long">', html)
    assert not re.search(r'<td data-label="Created by" class="ch-long">', html)


def test_a_list_of_scenes_says_how_each_came_out() -> None:
    tables = {
        path: rows
        for name in ("the-lantern-coast", "the-dry-book")
        for path, _, rows in tables_of(name)
    }
    came_out = {row[0].partition(". ")[2]: row[2] for row in tables["the-dry-book/scenes"]}
    # A word, where it is about all who are there; else a sentence.
    assert came_out["The engine room"] == "well"
    assert came_out["The villa, below stairs"] == "Marrow is implicated."
    came_out = {row[0].partition(". ")[2]: row[2] for row in tables["the-lantern-coast/scenes"]}
    assert (
        came_out["The floor of the sea"]
        == "Nim wins “Four hands in one collar” against the cousins."
    )
    # Where nothing else came of it, what somebody has from now on.
    assert "keeper of the Ninth" in came_out["Fresh"]
    # What a later session tells has a link to it, so that the row waits for its readers.
    assert came_out["Herring"].endswith("(entry 191)")


def test_a_list_of_scenes_begins_with_the_number_and_the_session() -> None:
    pages = {path: rows for path, _, rows in tables_of("the-ferry-house")}
    assert [row[:2] for row in pages["the-ferry-house/scenes"]][:2] == [
        ["1. Breakfast", "1"],
        ["2. The other side", "1"],
    ]
    assert "what came of it" in example("the-ferry-house").html("scenes")


def test_bids_say_who_won_and_which_scenes_have_none() -> None:
    page = re.sub("<.*?>", "", example("the-ferry-house").html("scenes-and-bids"))
    assert "The other side, won by Kwame" in page
    assert "No bids are on record for “Breakfast” and “Noon”." in page
    assert "Coins to open it" in page
    assert "“Coins in all” includes what it cost to open the scene." in page


def test_a_fact_says_what_it_cost_who_paid_and_begins_with_a_capital() -> None:
    tables = [rows for path, _, rows in tables_of("the-ferry-house") if "facts" in path]
    rows = {row[0]: row[1:] for table in tables for row in table}
    assert rows["The groom and Lioba talk"] == ["event", "Rolf", "1"]
    # What one entry says at once was paid for at once.
    rows = {
        row[0]: row
        for path, _, table in tables_of("the-lantern-coast")
        if "facts" in path
        for row in table
    }
    assert any("8 for 3 Facts" in row for row in rows.values())


def test_importance_that_is_not_known_is_said_in_words() -> None:
    tables = [rows for path, _, rows in tables_of("the-ferry-house") if "everything" in path]
    cells = [cell for table in tables for row in table for cell in row]
    assert "not known" in cells
    assert "?" not in cells


def test_the_bids_stay_a_table_on_a_phone() -> None:
    kinds = [kind for path, kind, _ in tables_of("the-lantern-coast") if "scenes-and-bids" in path]
    assert kinds[1] == "figures"


def test_a_folded_scene_says_what_it_holds() -> None:
    page = example("the-lantern-coast").html("scenes-and-bids")
    assert "6 turns, 5 entrances and exits, 32 Coins spent" in page
    # The entry of the bids says how a tie was decided.
    assert re.search(r"\(<a [^>]*>tie</a>\)", page)


def test_facts_are_grouped_by_scene() -> None:
    tables = [rows for path, _, rows in tables_of("the-lantern-coast") if "facts" in path]
    assert len(tables) > 5
    assert not any("scene" in row for rows in tables for row in rows)


def test_the_ledger_begins_with_a_sentence_and_ends_with_the_balances_folded() -> None:
    html = example("the-lantern-coast").files["the-lantern-coast/ledger"].html
    assert "How much each had" in html
    assert "Bids on the table" not in html.split("<details")[0]
    assert "Balances" in html.split("<details", 1)[1]


def test_a_long_page_of_parts_begins_with_links_to_them() -> None:
    page = example("the-lantern-coast").html("facts")
    (jumps,) = re.findall(r'<nav class="ch-jumps".*?</nav>', page)
    targets = re.findall(r'href="#([^"]+)"', jumps)
    assert len(targets) > 5
    assert targets == re.findall(r'<section class="ch-section" id="([^"]+)"', page)
    assert "ch-jumps" not in example("the-lantern-coast").html("everything")


def test_what_was_settled_last_is_the_last_that_was_settled() -> None:
    """A Trait that came after the last contest is not left out; what each began with is no figure of the end."""
    page = example("the-lantern-coast").html("state")
    settled = page[page.index("What was settled last") :]
    assert "never wrong in writing" in settled
    assert "At the start" not in page


def test_what_needs_half_a_page_stands_side_by_side() -> None:
    page = example("the-lantern-coast").html("state")
    _, _, abreast = page.partition('<div class="ch-abreast">')
    assert 'id="coins"' not in abreast
    for part in ("in-figures", "gimmicks-in-force", "who-matters-most"):
        assert f'<div class="ch-card" id="{part}">' in abreast


def test_two_tables_of_names_and_figures_stand_side_by_side() -> None:
    page = example("the-boathouse").html("who-backed-whom")
    _, _, abreast = page.partition('<div class="ch-abreast">')
    assert abreast.count('<div class="ch-card"') == 2


def test_who_backed_whom_is_summed_up_first_and_told_once() -> None:
    page = example("the-boathouse").html("who-backed-whom")
    assert '<svg class="ch-graph' not in page
    words = re.sub(r"\s+", " ", re.sub("<.*?>", " ", page))
    summary, _, tables = words.partition("Who was backed, and by whom")
    assert "whoever backed Iben , Ruth or Wanda always won" in summary
    assert "Ruth Iben , Marek , Wanda 3 of 3" in tables
    assert "Tomas Marek , Ruth , Wanda 1 of 3" in tables


def test_a_figure_that_is_not_known_stands_with_its_player() -> None:
    page = example("the-ferry-house").html("state")
    _, _, coins = page.partition('id="coins"')
    assert '<ul class="ch-people">' in coins
    assert coins.count("not known") == 4
    assert "<strong>not known</strong>" not in coins
