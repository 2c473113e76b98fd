"""The story holds the whole plot: every sentence of the record, once, in the order of the table."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from chronicle.campaigns import find_campaigns, load, open_view
from chronicle.core.campaign_view import CampaignView
from chronicle.core.record import Step
from chronicle.core.teller import Teller, without_repetition
from chronicle.core.telling import (
    Piece,
    TextRole,
    repeats_words,
    sentence,
    without_repeated_sentence,
)
from chronicle.games import GAMES, rulebook
from chronicle.site.binding.manuscript import compose_book
from chronicle.site.campaign_site import CampaignSite, SiteContext
from chronicle.site.cards import card_of
from chronicle.site.draw import make_environment
from chronicle.site.links import PageUrlBuilder
from chronicle.site.navigation import Navigation
from chronicle.site.page_builder import PageBuilder
from chronicle.site.pages import nav_pages, story
from chronicle.site.prose import typeset, with_curly_quotes
from tests.site.made import made

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = find_campaigns(ROOT / "sessions")
LEAST = 0.98

SENTENCES: dict[str, str] = {
    "snapshot": "text",
    # verb: the key with its sentences
    **dict.fromkeys(("event", "fact", "tell", "say", "reveal"), ""),
    **dict.fromkeys(("outcome", "discover", "mark", "offer", "conflict"), ""),
    **dict.fromkeys(("propose", "motive", "call", "match", "apology", "ejection"), ""),
    **dict.fromkeys(("job", "end job", "end scene", "end dialog", "end game", "epilogue"), ""),
    **dict.fromkeys(("connections", "complication", "leave open", "paragraph", "scenario"), ""),
    **dict.fromkeys(("eliminate", "resolve"), "fate how"),
    **dict.fromkeys(("answer", "fall", "cut scene", "introduce", "death"), "text"),
}
"""Which words of an entry are sentences of the story; written down here a second time, on purpose."""
MARKED = re.compile(r"[*_`\[<&]")
"""Words that Markdown makes something of."""
QUIET = {"fade to black"}
VOID = {"br", "img", "input", "hr", "link", "meta", "circle", "path", "rect"}


class Reader(HTMLParser):
    """The text of a page's chapter, and where in it each anchor stands."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = ""
        self.anchors: dict[str, int] = {}
        self._depth = self._muted = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "div" and attributes.get("class") == "ch-chapter":
            self._depth = 1
        elif self._depth and tag not in VOID:
            self._depth += 1
            if self._muted or "ch-sr" in (attributes.get("class") or ""):
                self._muted += 1
        if self._depth and attributes.get("id"):
            self.anchors[str(attributes["id"])] = len(self.text)

    def handle_endtag(self, tag: str) -> None:
        if self._depth and tag not in VOID:
            self._depth -= 1
            self._muted = max(0, self._muted - 1)

    def handle_data(self, data: str) -> None:
        if self._depth and not self._muted:
            self.text += plain(data)


def plain(text: str) -> str:
    """Letters and figures alone: no typography and no Markdown can stand between."""
    return re.sub(r"[\W_]+", "", text.casefold())


def words_of(value: Any) -> Iterator[str]:
    """Every text in a value of an entry."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from words_of(item)
    elif hasattr(value, "speaker"):
        yield value.words
    elif isinstance(value, tuple | list):
        for item in value:
            yield from words_of(item)


def sentences(step: Step) -> list[str]:
    """The sentences that an entry holds."""
    action = step.action
    keys = SENTENCES.get(action.verb)
    if keys is None or step.hidden or step.retracted_by:
        return []
    if action.verb == "reveal":
        return [e.text.rpartition(" (")[0] for e in step.events if e.kind == "reveals"]
    if getattr(action, "refused", None) is True:
        return []
    fields = (
        [action.main]
        if not keys
        else [action.fields[k] for k in keys.split() if k in action.fields]
    )
    texts = [t for f in fields if f is not None for t in words_of(getattr(action, f.attribute))]
    if action.verb == "complication" and not isinstance(getattr(action, "what", ""), str):
        return []
    return [text for text in texts if text.strip() and text.strip().casefold() not in QUIET]


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda folder: folder.name)
def campaign_site(request: pytest.FixtureRequest) -> CampaignSite:
    """A play example."""
    folder: Path = request.param
    return CampaignSite(
        open_view(load(folder)), SiteContext(make_environment(), PageUrlBuilder(), {})
    )


@pytest.fixture(scope="module")
def example(campaign_site: CampaignSite) -> tuple[CampaignView, dict[int, Reader]]:
    """A play example, and the chapters of its story as they are read."""
    page_builder = PageBuilder(campaign_site, Navigation(campaign_site, nav_pages(campaign_site)))
    readers = {
        page_spec.page_path: Reader(page_builder.make(page_spec, "story.html").html)
        for page_spec in story.pages(campaign_site)
    }
    return campaign_site.view, {
        n: readers[campaign_site.chapter_page_path(n)] for n in campaign_site.chapters_by_session
    }


def test_every_sentence_stands_in_the_story(
    example: tuple[CampaignView, dict[int, Reader]],
) -> None:
    view, chapters = example
    teller = Teller(view.record)
    missing, counted = [], 0
    for session in view.sessions:
        chapter = chapters[session.number]
        for step in session.steps:
            for words in sentences(step):
                counted += 1
                if "text" in SENTENCES[step.action.verb] and teller.is_about_table(words):
                    continue
                if plain(words) in chapter.text:
                    continue
                # Told once, by the fiction beside it: that stands where the entry does.
                text = str(step.action.text or "")
                start = chapter.anchors.get(step.anchor, -1)
                is_told = repeats_words(words, text) and plain(text)[:60] in chapter.text[start:]
                if start < 0 or not is_told:
                    missing.append((step.number, words))
    assert counted
    assert len(missing) <= (1 - LEAST) * counted, missing


def test_the_bound_book_tells_it_all(campaign_site: CampaignSite) -> None:
    leaves = {leaf.file_stem: leaf.html for leaf in compose_book(campaign_site).leaves}
    counted = 0
    for ordinal, chapter in enumerate(campaign_site.chapters_by_session.values(), 1):
        html = re.sub(r'<a class="noteref".*?</a>', "", leaves[f"chapter-{ordinal}"])
        tree = ElementTree.fromstring(f'<leaf xmlns:epub="epub">{html}</leaf>')
        book_words = "".join(tree.itertext()).split()
        text, at = " ".join(book_words), 0
        for entry in chapter.told_entries():
            for piece in entry.text_pieces:
                counted += 1
                words = " ".join(typeset(sentence(piece.text)).split())
                if piece.role in (TextRole.SENTENCE, TextRole.SPOKEN) and not MARKED.search(words):
                    at = text.find(words, at)
                    assert at >= 0, words
    assert counted


def test_it_is_told_in_the_order_of_the_table(
    example: tuple[CampaignView, dict[int, Reader]],
) -> None:
    view, chapters = example
    for session in view.sessions:
        places = [
            chapters[session.number].anchors[step.anchor]
            for step in session.steps
            if step.anchor in chapters[session.number].anchors
        ]
        assert places == sorted(places)


def test_what_never_happened_is_not_told(example: tuple[CampaignView, dict[int, Reader]]) -> None:
    view, chapters = example
    for session in view.sessions:
        for step in session.steps:
            if step.retracted_by or step.hidden:
                assert step.anchor not in chapters[session.number].anchors


@pytest.mark.slow
def test_talk_about_the_table_stays_there() -> None:
    view = open_view(load(ROOT / "sessions" / "the-lantern-coast"))
    teller = Teller(view.record)
    roles = {piece.role for step in view.record.steps for piece in teller.pieces_of(step)}
    assert roles >= {
        TextRole.SENTENCE,
        TextRole.SPOKEN,
        TextRole.PROSE,
        TextRole.LEAD,
        TextRole.TALK,
    }
    assert teller.is_about_table('"He\'s twelve," said Joss.')
    assert not teller.is_about_table("He's twelve, and quick on the stairs.")
    # The keeper's minutes call players by their initials.
    for minute in ("P. opens, one Coin.", "T.'s first wording.", "W.: all forty?", "J., 1 Coin."):
        assert teller.is_about_table(minute), minute
    for told in (
        "Signed P. Hallam, in pencil.",
        "By 7 P.M. it is dark.",
        "It was plan P. Nobody came.",
    ):
        assert not teller.is_about_table(told), told


@pytest.mark.parametrize(
    ("headline", "fiction", "once"),
    [
        (
            "They ask him whether she comes apart",
            "They ask Tobit whether she comes apart. Twice.",
            True,
        ),
        ("The crock goes round", "The crock goes round. It makes a small sound.", True),
        ("The lamp goes out", "Nobody sees it.", False),
        (
            "She is written down on the form as not found",
            "*Not found*, it says on the form.",
            False,
        ),
    ],
)
def test_what_the_fiction_says_again_is_told_once(headline: str, fiction: str, once: bool) -> None:
    assert repeats_words(headline, fiction) is once


def test_a_first_sentence_that_says_nothing_new_is_left_out() -> None:
    long_sentence = "Twenty-two to twenty-one; they will have the valley by the fourth summer"
    assert (
        without_repeated_sentence("Twenty-two to twenty-one. Nobody cheered.", long_sentence)
        == "Nobody cheered."
    )
    assert (
        without_repeated_sentence("Three. The tide is in.", "There is a knock")
        == "Three. The tide is in."
    )


def test_a_lead_in_that_the_text_begins_with_says_whom_it_is_about_at_most() -> None:
    lead = Piece(TextRole.LEAD, "Maud: went under hanging")
    named, pronoun, unrelated = (
        Piece(TextRole.PROSE, words)
        for words in (
            "Maud went under hanging, mouth down.",
            "She went under hanging, mouth down.",
            "Nobody moves the boots.",
        )
    )
    assert without_repetition([lead, named], "About {who}") == [named]
    assert without_repetition([lead, pronoun], "About {who}") == [
        Piece(TextRole.LEAD, "About Maud"),
        pronoun,
    ]
    assert without_repetition([lead, unrelated], "About {who}") == [lead, unrelated]


def test_nobody_enters_with_whom_the_text_begins() -> None:
    enter = Piece(TextRole.LEAD, "Enter Aud Hallam")
    aud, other_piece = (
        Piece(TextRole.PROSE, words) for words in ("Aud opens it.", "It is her coat.")
    )
    assert without_repetition([enter, aud], "") == [aud]
    assert without_repetition([enter, other_piece], "") == [enter, other_piece]


def test_who_is_led_in_stands_before_their_own_words() -> None:
    view = open_view(load(ROOT / "sessions" / "the-dry-book"))
    chapter = CampaignSite(
        view, SiteContext(make_environment(), PageUrlBuilder(), {})
    ).chapters_by_session[1]
    pieces_told = [piece for entry in chapter.told_entries() for piece in entry.text_pieces]
    for lead, words in (("Quill", "Tern rowed her out"), ("Tern", "Marrow opened")):
        at = next(n for n, piece in enumerate(pieces_told) if piece.text.startswith(words))
        assert pieces_told[at - 1] == Piece(TextRole.LEAD, f"How {lead} is connected")


@pytest.mark.parametrize("game", GAMES)
def test_no_verb_leads_in_with_a_value_and_nothing_else(game: str) -> None:
    view = rulebook(game)
    for name in view.own_verbs:
        verb = view.by_verb[name]
        assert not re.fullmatch(r"\{\w+\}", verb.lead_in_template), name
        assert verb.main is None or verb.main.text_role is not TextRole.LEAD or name == "time", name


def test_no_lead_in_is_a_bare_name(campaign_site: CampaignSite) -> None:
    names = campaign_site.record.names.all.values()
    known_names = {name.casefold() for entity in names for name in (entity.name, *entity.aliases)}
    for step in campaign_site.record.visible_steps():
        for piece in campaign_site.teller.pieces_of(step):
            bare = known_names.intersection(piece.text.casefold().split(". "))
            assert piece.role is not TextRole.LEAD or not bare, (step.number, piece.text)


@pytest.mark.parametrize(
    ("words", "made"),
    [
        ("the lamp goes out", "The lamp goes out."),
        ("Is it true?", "Is it true?"),
        ('"Halt," she said.', '"Halt," she said.'),
        ("He writes down *fresh*", "He writes down *fresh*."),
        ('It says "nineteen loth"', 'It says "nineteen loth".'),
        ("Лампа гаснет", "Лампа гаснет."),
        ("灯が消える。", "灯が消える。"),
        ("", ""),
    ],
)
def test_a_sentence_gets_its_capital_and_its_full_stop(words: str, made: str) -> None:
    assert sentence(words) == made


@pytest.mark.parametrize(
    ("markup", "made"),
    [
        ('<p>T.\'s "first" word</p>', "<p>T.’s “first” word</p>"),
        (
            "<a>Quill</a>'s <code>a 'b' -&gt; c</code>'s",
            "<a>Quill</a>’s <code>a 'b' -&gt; c</code>’s",
        ),
        ('<b title="it\'s">Men&#39;s</b> −1 -&gt; −2', '<b title="it\'s">Men’s</b> −1 → −2'),
        ("<td>'up 2', 'down 1'</td>", "<td>‘up 2’, ‘down 1’</td>"),
        ("<tspan>Handler</tspan><tspan>'s</tspan>", "<tspan>Handler</tspan><tspan>’s</tspan>"),
        ("<script>a = 'b'</script>", "<script>a = 'b'</script>"),
    ],
)
def test_text_has_curly_quotes_and_code_has_none(markup: str, made: str) -> None:
    assert with_curly_quotes(markup) == made == with_curly_quotes(made)


@pytest.mark.slow
def test_the_story_takes_as_long_everywhere() -> None:
    for folder in EXAMPLES:
        campaign_site, _ = made(folder)
        heads = [
            page_spec.page_content.story_head
            for page_spec in story.pages(campaign_site)
            if page_spec.page_content.story_head
        ]
        assert {head.reading_minutes for head in heads} == {campaign_site.reading_minutes}, (
            folder.name
        )
        # The minutes of the chapters add up to those of the story, on its card and on the catch-up pages too.
        chapters = [
            chapter.reading_minutes for chapter in campaign_site.chapters_by_session.values()
        ]
        assert card_of(campaign_site).minutes == campaign_site.reading_minutes == sum(chapters), (
            folder.name
        )


def test_a_story_can_be_printed_as_a_whole() -> None:
    snowshed, _ = made(next(folder for folder in EXAMPLES if folder.name == "snowshed-nine"))
    whole_pages = [
        spec for spec in story.pages(snowshed) if spec.page_path == story.WHOLE_STORY_PAGE
    ]
    numbers = [
        chapter.session_number for spec in whole_pages for chapter in spec.page_content.all_chapters
    ]
    assert numbers == [1, 2, 3]
    # It has all that is told, so who has not read it all does not see it.
    assert [spec.last_session for spec in whole_pages] == [3]
    alone, _ = made(next(folder for folder in EXAMPLES if folder.name == "the-pressing-room"))
    assert (story.WHOLE_STORY_PAGE in [spec.page_path for spec in story.pages(alone)]) == (
        len(alone.chapters_by_session) > 1
    )


def test_contents_stands_over_the_list_of_chapters(campaign_site: CampaignSite) -> None:
    page_builder = PageBuilder(campaign_site, Navigation(campaign_site, nav_pages(campaign_site)))
    html = page_builder.make(next(story.pages(campaign_site)), "story.html").html
    if 'class="ch-contents"' in html:
        assert '<nav class="ch-contents" aria-label="Contents">' in html
        assert '<p class="ch-kicker">Contents</p>' in html
