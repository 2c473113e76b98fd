"""The pieces that pages are made of."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from chronicle.campaigns import load, open_view
from chronicle.core.campaign_view import Bars, Column, Edge, Graph, Node, Ref, Section, Table, heads
from chronicle.core.dice import D6
from chronicle.games import GAMES, rulebook
from chronicle.publish import make_site, reference_pages
from chronicle.site.bonds import bonds_in_graphs, ties_of
from chronicle.site.links import NameLinker, PageUrlBuilder, Slugs, slugify
from chronicle.site.luck import luck_blocks
from chronicle.site.pages import ledger
from chronicle.site.prose import inline, prose, typeset
from tests.conftest import LINKS
from tests.site.made import EXAMPLES, Made, example, made


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ('"Sit," she said.', "“Sit,” she said."),
        ("Ruth's, the dogs' and 'so on'", "Ruth’s, the dogs’ and ‘so on’"),
        ('("in" brackets)', "(“in” brackets)"),
        ("-3 to -1, but 2026-10-03 and x-1", "−3 to −1, but 2026-10-03 and x-1"),
        ("+o-", "+o-"),
    ],
)
def test_computed_text_is_set_as_a_printer_would(typed: str, printed: str) -> None:
    assert typeset(typed) == printed


@pytest.mark.parametrize(
    ("typed", "html"),
    [
        ("**Tomas:** I had a *letter*.", "<strong>Tomas:</strong> I had a <em>letter</em>."),
        ("2 * 3 * 4, and **", "2 * 3 * 4, and **"),
        ("<b>*x*</b>", "&lt;b&gt;<em>x</em>&lt;/b&gt;"),
    ],
)
def test_computed_lines_show_emphasis_and_no_marks(typed: str, html: str) -> None:
    assert inline(typed) == html


@pytest.mark.parametrize(
    ("typed", "gone"),
    [
        ("<script>x</script>", "<script"),
        ("![x](http://a.invalid/b.png)", "<img"),
        ("[x](javascript:alert(1))", "href"),
        ("[x](../../etc/passwd)", "href"),
        ("[x](#main)", "href"),
        ("[x](//a.invalid)", "href"),
        ("# Big", "<h1"),
    ],
)
def test_prose_keeps_what_harms_out(typed: str, gone: str) -> None:
    assert gone not in prose(typed)


def test_prose_keeps_links_that_say_where_they_lead() -> None:
    assert 'href="https://a.invalid/x"' in prose("[x](https://a.invalid/x)")
    assert 'rel="nofollow noopener noreferrer"' in prose("[x](https://a.invalid/x)")


def test_a_name_is_linked_once_in_a_block_aliases_included() -> None:
    linker = NameLinker(
        {"Ines Vale": ("<a i>", "</a>"), "Ines": ("<a i>", "</a>"), "O'Hara": ("<a o>", "</a>")}
    )
    linked = linker.link(
        "<p>Ines Vale met O’Hara. Ines left; <a>Ines</a>, <code>Ines</code>, Inesita.</p>"
    )
    assert linked == (
        "<p><a i>Ines Vale</a> met <a o>O’Hara</a>. Ines left; <a>Ines</a>, <code>Ines</code>, "
        "Inesita.</p>"
    )


def test_words_of_a_game_are_explained_once_and_not_where_any_word_has_a_capital() -> None:
    linker = NameLinker(
        {"Draw": ("<a>", "</a>"), "Trait": ("<b>", "</b>")}, only_inside_sentences=True
    )
    linked_words: set[str] = set()
    sentence = "Two Traits are Drawn. Draw the curtain, “Draw it” and Draw; every Trait"
    assert linker.link(sentence, linked_tags=linked_words) == (
        "Two <b>Traits</b> are Drawn. Draw the curtain, “Draw it” and <a>Draw</a>; every Trait"
    )
    assert linker.link("a Trait", linked_tags=linked_words) == "a Trait"


def test_slugs_are_unique_where_letter_case_is_not() -> None:
    slugs = Slugs(("index",))
    all_slugs = [
        slugs.slug_of(str(n), name)
        for n, name in enumerate(("Mirror", "mirror", "INDEX", "Ёлка", "!"))
    ]
    assert len({slug.casefold() for slug in all_slugs}) == 5
    assert "index" not in all_slugs
    assert all(re.fullmatch(r"[a-z0-9-]+", slug) for slug in all_slugs)
    assert slugs.slug_of("0", "anything") == all_slugs[0]
    assert slugify("../../x") == "x"


@pytest.mark.parametrize(
    ("folders", "here", "there", "address"),
    [
        (False, "lamps/sessions/1", "lamps/index", "../index.html"),
        (False, "index", "lamps/index", "lamps/index.html"),
        (True, "lamps/sessions/1", "lamps/index", "../../"),
        (True, "lamps/index", "lamps/state", "state/"),
        (True, "lamps/state", "lamps/art/a.svg", "../art/a.svg"),
    ],
)
def test_addresses_are_relative(folders: bool, here: str, there: str, address: str) -> None:
    assert PageUrlBuilder(folders).between(here, there) == address


def node(id: str) -> Node:
    return Node(id, id, ref=Ref("sheet", id, id))


def test_a_sheet_shows_its_own_corner_of_the_relations() -> None:
    many_ids = [f"n{n}" for n in range(30)]
    graph = Graph(
        "All",
        tuple(node(id) for id in ("me", *many_ids, "far")),
        (*(Edge("me", id, kind="red") for id in many_ids), Edge("n1", "far")),
        (("red", "hates"), ("green", "loves")),
    )
    ties = ties_of(bonds_in_graphs([graph]))
    own_ties = ties["me"]
    assert {(tie.kind, tie.direction, tie.description) for tie in own_ties} == {
        ("red", "", "hates")
    }
    assert [tie.partner for tie in own_ties] == [Ref("sheet", id, id) for id in many_ids]
    assert "nobody" not in ties


def test_a_tie_is_seen_from_both_ends() -> None:
    graph = Graph("All", (node("a"), node("b")), (Edge("a", "b", "owes", "tie", directed=True),))
    ties = ties_of(bonds_in_graphs([graph]))
    for own_id, direction, other_id in (("a", "to", "b"), ("b", "from", "a")):
        (tie,) = ties[own_id]
        assert (tie.direction, tie.partner, tie.description) == (
            direction,
            Ref("sheet", other_id, other_id),
            "owes",
        )


def test_what_each_says_of_the_other_is_one_line() -> None:
    edges = Edge("b", "a", "mother of A", "mirror"), Edge("a", "b", "child of B", "tie")
    graph = Graph("All", (node("a"), node("b")), edges, (("tie", "bought"), ("mirror", "free")))
    (bond,) = bonds_in_graphs([graph])
    assert (bond.kind, bond.first_ref.id, bond.description, bond.reverse_description) == (
        "tie",
        "b",
        "mother of A",
        "child of B",
    )
    assert [tie.description for tie in ties_of([bond])["a"]] == ["child of B"]


@pytest.mark.parametrize(
    ("faces", "verdict"),
    [
        (Counter("123"), "too few"),
        (Counter(dict.fromkeys("123456", 20)), "what fair dice do"),
        (Counter({"6": 60, **dict.fromkeys("12345", 12)}), "about once in 1,000,000"),
    ],
)
def test_luck_is_told_honestly(faces: Counter[str], verdict: str) -> None:
    first, *_ = luck_blocks("d6", D6, {("d6", "Ana"): faces})
    assert isinstance(first, Section)
    (bars,) = first.blocks
    assert isinstance(bars, Bars)
    assert verdict in str(bars.note)
    assert bars.fair == faces.total() / 6


def test_luck_is_told_player_by_player() -> None:
    rolled = {("d6", player): Counter({face: 10}) for player, face in (("Ana", "6"), ("Bo", "1"))}
    rolled["d6", "Cy"] = Counter(dict.fromkeys("123456", 4))
    rolled["d6", "Di"] = Counter("6")
    first, *_ = luck_blocks("d6", D6, rolled)
    assert isinstance(first, Section)
    _, bars = first.blocks
    assert isinstance(bars, Bars)
    assert (bars.base, bars.most) == (50, 100)
    assert bars.rows == (("Ana", 99, "Ana"), ("Bo", 1, "Bo"), ("Cy", 50, "Cy"))


def test_the_heads_of_a_table_are_read_and_names_among_them_are_not() -> None:
    columns = heads("Who | Dice #", "A | B", "Agent #", Column("C # | D", numeric=True))
    assert [(column.title, column.numeric) for column in columns] == [
        ("Who", False), ("Dice", True), ("A | B", False), ("Agent #", False), ("C # | D", True),
    ]  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_game_has_its_rule_and_stands_once(game: str) -> None:
    registry = rulebook(game).registry()
    words = [word.casefold() for term in registry.terms for word in term.synonyms]
    assert len(words) == len(set(words))
    assert 8 * len(words) >= len(registry.rules)
    for term in registry.terms:
        assert registry.get(term.rule), term
        assert term.text.endswith("."), term


@pytest.fixture(scope="module")
def site() -> Made:
    return example("the-boathouse")


def test_every_page_of_the_list_is_there(site: Made) -> None:
    paths = {path.removeprefix("the-boathouse/") for path in site.files}
    assert paths >= {
        "index", "state", "story", "sessions/index", "sessions/1", "scenes", "timeline",
        "everything", "about", "characters/wanda", "players/index", "players/ana", "relations",
        "ledger", "contests", "rules-used", "check", "changes/index",
        "changes/since-1", "journal", "gallery", "downloads", "notes/index", "art/jetty.svg",
    }  # fmt: skip


def test_the_story_has_no_mechanics(site: Made) -> None:
    story_html = site.html("story")
    assert "boathouse doors stand open" in story_html
    assert "ch-rule" not in story_html
    assert "ch-die" not in story_html


def test_a_note_says_what_was_paid_and_what_is_left(site: Made) -> None:
    evening = site.html("sessions/1")
    assert re.search(r"ch-note__cost\">−1 commitment die, now 1<", evening)


def test_the_end_of_a_scene_shows_how_purses_changed(site: Made) -> None:
    evening = site.html("sessions/1")
    strip = evening[evening.index('id="after-1"') : evening.index('id="after-2"')]
    assert "After scene 1" in strip
    assert "3 → 2" in strip
    assert "How things stood after scene 1" in strip
    # Where nothing was paid, there is nothing to show but how things stood.
    assert 0 < evening.count('class="ch-purses"') < evening.count('class="ch-close"')


def test_a_note_does_not_say_again_what_stands_beside_it(site: Made) -> None:
    evening = site.html("sessions/1")
    assert "is the accuser, and shows symptoms" in evening
    assert "accuses</b>" not in evening
    assert re.search(r"<b>Match</b>.{0,60}Tomas.{0,20} stands by it ", evening)


def broken_copy(root: Path, to: Path) -> Path:
    shutil.copytree(root / "tests/fixtures/broken/positive", to)
    return to


def test_the_check_report_underlines_the_keepers_own_words(root: Path, tmp_path: Path) -> None:
    folder = broken_copy(root, tmp_path / "broken")
    files = make_site(folder).campaign_files
    report = next(file.html for file in files if file.path.endswith("/check"))
    assert "- back: {<u>Ana</u>: [Iben, Tomas], Dov: Iben x2, Eli: Tomas}" in report
    assert "choose one side" in report


def test_corrections_and_what_they_correct_lead_to_each_other(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    shutil.copytree(root / "sessions" / "the-boathouse", folder)
    with (folder / "02.yaml").open("a", encoding="utf-8") as log:
        log.write("- {tell: A boat, id: boat}\n- correct: boat\n  note: it was the other boat\n")
    last = open_view(load(folder)).record.steps[-1].number
    evening = next(
        f.html for f in make_site(folder).campaign_files if f.path.endswith("sessions/2")
    )
    assert re.search(rf'corrects <a href="#[^"]+">entry {last - 1}</a>', evening)
    assert re.search(rf'corrected by <a href="#[^"]+">entry {last}</a>', evening)


@LINKS
def test_pictures_outside_the_campaign_are_not_taken_along(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    shutil.copytree(root / "sessions" / "the-boathouse", folder)
    (tmp_path / "secret.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8"
    )
    (folder / "art" / "jetty.svg").unlink()
    (folder / "art" / "jetty.svg").symlink_to(tmp_path / "secret.svg")
    assert not [f for f in make_site(folder).campaign_files if f.path.startswith("table/art/")]


def test_aliases_lead_on_to_the_sheet() -> None:
    alias_count = 0
    for folder in EXAMPLES:
        pages = made(folder).files
        for file in pages.values():
            if file.contents is not None and b'http-equiv="refresh"' in file.contents:
                alias_count += 1
                target = re.search(rb"url=([^\"]+)\.html", file.contents)
                assert target is not None
                assert f"{file.path.rpartition('/')[0]}/{target[1].decode()}" in pages
    assert alias_count


def test_the_reference_has_a_page_a_game() -> None:
    pages = {page.path: page for page in reference_pages()}
    assert pages["format"].markdown.startswith("# ")
    assert pages["format/positive"].markdown.startswith("# Positive")


def test_a_long_ledger_is_cut_with_a_pointer_to_the_exports(site: Made) -> None:
    _, *evenings = [
        b
        for b in ledger.ledger_blocks(site.campaign_site, max_postings=5)
        if isinstance(b, Section)
    ]
    tables = [b for evening in evenings for b in evening.blocks if isinstance(b, Table)]
    assert sum(len(table.rows) for table in tables) == 5
    assert evenings[-1].gist == f"{len(tables[-1].rows)} movements"


@pytest.mark.parametrize(
    "kept",
    [
        '<a title="a > Ana">x</a>',
        "<i title='a > Ana \"> Ana'>x</i>",
        '<i title="<b> Ana </b>" class="Ana">x</i>',
        "<!-- > Ana -->",
        '<i title="it\'s > Ana">x</i>',
        '<i title="Ana > never closed',
        "<i Ana",
    ],
)
def test_names_are_linked_between_tags_and_never_in_them(kept: str) -> None:
    linker = NameLinker({"Ana": ('<a href="ana">', "</a>")})
    assert linker.link(f"<p>Ana. {kept}", every_mention=True) == f'<p><a href="ana">Ana</a>. {kept}'


def test_prose_has_no_tag_in_an_attribute_whatever_the_sanitiser_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def careless(html: str, **_: object) -> str:
        return html.replace("&lt;", "<").replace("&gt;", ">")

    prose.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr("chronicle.site.prose.nh3.clean", careless)
        html_of_link = prose('[x](https://a.invalid "a > Ana <pre")')
    prose.cache_clear()
    assert 'title="a &gt; Ana &lt;pre"' in html_of_link
