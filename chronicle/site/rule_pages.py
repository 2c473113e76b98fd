"""The rules of a game by number: one page for each chapter of a long book, one page for a short one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, Protocol

from markupsafe import Markup

from chronicle.core.game import Game
from chronicle.core.game_info import GameInfo
from chronicle.core.rules import Rule, RuleClass, Ruling
from chronicle.site.draw import join_names, message_markup
from chronicle.site.links import PageUrlBuilder, slugify
from chronicle.words import word

MAX_RULES_ON_ONE_PAGE: Final = 60
"""A book with at most as many rules is one page."""
MAX_LISTED_LINKS: Final = 40
"""How many campaigns are linked in one place."""
RULINGS_SLUG: Final = "rulings"
ERRATA_SLUG: Final = "errata"
_NUMBER: Final = re.compile(r"^\d+ ")


class RuleUse(NamedTuple):
    """An entry for which a rule mattered: the title of its story, its address, and its words."""

    story_title: str
    url: str
    link_words: str


LinksByRule = Mapping[str, tuple[RuleUse, ...]]


class RuleEntry(Protocol):
    """A rule, a ruling or an erratum."""

    @property
    def id(self) -> str: ...


class RuleChapter(NamedTuple):
    """A chapter of a book: the last part of its address, its title, and what it holds."""

    slug: str
    title: str
    rule_entries: tuple[RuleEntry, ...]


@cache
def _chapters_of(game: GameInfo) -> tuple[RuleChapter, ...]:
    registry = game.registry()
    rule_entries_by_chapter: dict[str, list[RuleEntry]] = {}
    for rule in registry.rules:
        rule_entries_by_chapter.setdefault(rule.chapter, []).append(rule)
    chapters = [
        RuleChapter(
            slugify(chapter_title) or "rules", chapter_title or game.title, tuple(chapter_rules)
        )
        for chapter_title, chapter_rules in rule_entries_by_chapter.items()
    ]
    if registry.rulings:
        chapters.append(
            RuleChapter(RULINGS_SLUG, word("site.book_silent"), tuple(registry.rulings))
        )
    if game.errata():
        chapters.append(RuleChapter(ERRATA_SLUG, word("site.errata_found"), tuple(game.errata())))
    return tuple(chapters)


def is_on_one_page(game: GameInfo) -> bool:
    """Whether all rules of a game fit on one page."""
    return len(game.registry().rules) <= MAX_RULES_ON_ONE_PAGE


@cache
def page_paths_by_id(game: GameInfo) -> dict[str, str]:
    """The page of each rule, ruling and erratum of a game."""
    home_path, is_short_book = f"rules/{game.name}", is_on_one_page(game)
    return {
        rule_entry.id: home_path if is_short_book else f"{home_path}/{chapter.slug}"
        for chapter in _chapters_of(game)
        for rule_entry in chapter.rule_entries
    }


def rule_page_path(game: GameInfo, rule_id: str) -> str:
    """The page of a rule by its id."""
    return page_paths_by_id(game).get(rule_id, f"rules/{game.name}")


class RulePages:
    """Draws the pages of one game.

    Args:
        game: the game.
        url_builder: how addresses are formed.
        draw_head: draws the title of a page; takes the title and a line below it.
    """

    def __init__(
        self, game: Game[Any], url_builder: PageUrlBuilder, draw_head: Callable[..., Markup]
    ) -> None:
        self._game = game
        self._url_builder = url_builder
        self._draw_head = draw_head
        self._home_path = f"rules/{game.name}"
        self._chapters = _chapters_of(game)

    def page_paths(self) -> Iterator[str]:
        """The pages: the front of the book, then its chapters if it is long."""
        yield self._home_path
        if not is_on_one_page(self._game):
            yield from (f"{self._home_path}/{chapter.slug}" for chapter in self._chapters)

    def title(self, page_path: str) -> str:
        """The title of a page."""
        page_title = word("site.rules_of", game=self._game.title)
        return (
            page_title
            if page_path == self._home_path
            else f"{self._chapter_of(page_path).title} · {page_title}"
        )

    def draw_body(self, page_path: str, links_by_rule: LinksByRule, front_html: Markup) -> Markup:
        """The body of a page.

        Args:
            page_path: its path.
            links_by_rule: where each rule was used, as seen from the page.
            front_html: what the front of the book shows above its rules.
        """
        body_text = (
            self._draw_front_page(links_by_rule, front_html)
            if page_path == self._home_path
            else self._draw_chapter_page(page_path, links_by_rule)
        )
        return Markup('<div class="ch-book">{}<div class="ch-book__text">{}</div></div>').format(
            self._draw_contents(page_path), body_text
        )

    def _chapter_of(self, page_path: str) -> RuleChapter:
        return next(
            chapter
            for chapter in self._chapters
            if page_path == f"{self._home_path}/{chapter.slug}"
        )

    def _chapter_url(self, from_path: str, chapter: RuleChapter) -> str:
        if is_on_one_page(self._game):
            return f"#{chapter.slug}"
        return self._url_builder.between(from_path, f"{self._home_path}/{chapter.slug}")

    def _draw_contents(self, current_path: str) -> Markup:
        contents_links = [
            (self._url_builder.between(current_path, "rules/index"), word("site.games"), "")
        ]
        contents_links.append(
            (
                self._url_builder.between(current_path, self._home_path),
                self._game.title,
                self._home_path,
            )
        )
        contents_links += [
            (
                self._chapter_url(current_path, chapter),
                chapter.title,
                f"{self._home_path}/{chapter.slug}",
            )
            for chapter in self._chapters
        ]
        if self._game.optional_rules():
            link_path = f"{self._home_path}-add-ons"
            contents_links.append(
                (
                    self._url_builder.between(current_path, link_path),
                    word("site.add_ons_one_table"),
                    link_path,
                )
            )
        list_items = Markup("").join(
            Markup('<li><a href="{}"{}>{}</a>{}</li>').format(
                "#" if link_path == current_path else url,
                Markup(' aria-current="page"') if link_path == current_path else "",
                link_title,
                self._draw_rules_within(link_path) if link_path == current_path else "",
            )
            for url, link_title, link_path in contents_links
        )
        return Markup(
            '<nav class="ch-book__contents ch-beside--folds" aria-label="{}"><button type="button" '
            'class="ch-beside__open" popovertarget="ch-beside">{}</button>'
            '<ul id="ch-beside" popover>{}</ul></nav>'
        ).format(word("site.contents"), word("site.contents"), list_items)

    def _draw_rules_within(self, page_path: str) -> Markup:
        """Links to the rules of the chapter on its own page, below its title in the contents."""
        if page_path == self._home_path:
            return Markup("")
        rule_links = Markup("").join(
            Markup('<li><a href="#{}">{} {}</a></li>').format(
                rule_entry.id.casefold(), rule_entry.id, _title_of(rule_entry)
            )
            for rule_entry in self._chapter_of(page_path).rule_entries
        )
        return Markup('<ul class="ch-book__within">{}</ul>').format(rule_links)

    def _draw_front_page(self, links_by_rule: LinksByRule, front_html: Markup) -> Markup:
        head_html = self._draw_head(self._game.title, word("site.rules_by_number"))
        summary_html = Markup("<p>{}</p>").format(with_code_elements(self._game.summary))
        if is_on_one_page(self._game):
            chapters_html = Markup("").join(
                Markup('<h2 class="ch-chapter-head" id="{}">{}</h2>{}').format(
                    chapter.slug, chapter.title, self._draw_rule_entries(chapter, links_by_rule)
                )
                for chapter in self._chapters
            )
            return Markup("{}{}{}{}{}").format(
                head_html, summary_html, _rule_classes_line(), front_html, chapters_html
            )
        chapter_lists_html = Markup("").join(
            Markup('<h2><a href="{}">{}</a></h2><ul class="ch-book__rules">{}</ul>').format(
                self._chapter_url(self._home_path, chapter),
                chapter.title,
                self._rule_links(chapter),
            )
            for chapter in self._chapters
        )
        return Markup("{}{}{}{}").format(head_html, summary_html, front_html, chapter_lists_html)

    def _rule_links(self, chapter: RuleChapter) -> Markup:
        """The rules of a chapter as links. Addresses of older pages, which had all rules, lead here."""
        url = self._chapter_url(self._home_path, chapter)
        return Markup("").join(
            Markup(
                '<li id="{}"><a href="{}#{}"><span class="ch-rule">{}</span> {}</a></li>'
            ).format(
                rule_entry.id.casefold(),
                url,
                rule_entry.id.casefold(),
                rule_entry.id,
                _title_of(rule_entry),
            )
            for rule_entry in chapter.rule_entries
        )

    def _draw_chapter_page(self, page_path: str, links_by_rule: LinksByRule) -> Markup:
        chapter = self._chapter_of(page_path)
        chapter_index = self._chapters.index(chapter)
        line_above_title = word(
            "site.chapter_of",
            game=self._game.title,
            number=chapter_index + 1,
            count=len(self._chapters),
        )
        chapter_links_html = Markup("").join(
            Markup('<a rel="{}" href="{}">{}</a>').format(
                link_relation, self._chapter_url(page_path, neighbour_chapter), label
            )
            for link_relation, neighbour_chapter, label in self._neighbour_chapters(chapter_index)
        )
        return Markup('{}{}{}<p class="ch-book__turn">{}</p>').format(
            self._draw_head(_NUMBER.sub("", chapter.title), line_above_title),
            _rule_classes_line()
            if any(isinstance(rule_entry, Rule) for rule_entry in chapter.rule_entries)
            else "",
            self._draw_rule_entries(chapter, links_by_rule),
            chapter_links_html,
        )

    def _neighbour_chapters(self, chapter_index: int) -> Iterator[tuple[str, RuleChapter, str]]:
        if chapter_index:
            previous_chapter = self._chapters[chapter_index - 1]
            yield "prev", previous_chapter, f"← {previous_chapter.title}"
        if chapter_index + 1 < len(self._chapters):
            next_chapter = self._chapters[chapter_index + 1]
            yield "next", next_chapter, f"{next_chapter.title} →"

    def _draw_rule_entries(self, chapter: RuleChapter, links_by_rule: LinksByRule) -> Markup:
        intro_html = Markup("")
        if chapter.slug == RULINGS_SLUG:
            help_text = message_markup(
                "site.book_silent_help",
                file=with_code_elements("`campaign.yaml`"),
                key=with_code_elements("`rulings:`"),
            )
            intro_html = Markup("<p>{}</p>").format(help_text)
        return intro_html + Markup("").join(
            draw_rule_entry(
                rule_entry,
                links_by_rule.get(rule_entry.id, ()),
                "h3" if is_on_one_page(self._game) else "h2",
            )
            for rule_entry in chapter.rule_entries
        )


def _title_of(rule_entry: RuleEntry) -> str:
    if isinstance(rule_entry, Ruling):
        return rule_entry.question
    title: str = getattr(rule_entry, "title", "")
    return title


def draw_rule_entry(
    rule_entry: Any, use_links: Sequence[RuleUse] = (), heading_tag: str = "h3"
) -> Markup:
    """A rule, a ruling or an erratum, and where it was used."""
    if isinstance(rule_entry, Rule):
        reason_text = rule_entry.why and word("site.not_judged_why", why=rule_entry.why.rstrip("."))
        return _entry_section(
            rule_entry.id,
            rule_entry.title,
            _paragraph(rule_entry.text),
            reason_text,
            use_links,
            heading_tag,
            rule_entry.kind,
        )
    if isinstance(rule_entry, Ruling):
        return _entry_section(
            rule_entry.id,
            rule_entry.question,
            _draw_readings(rule_entry),
            _reason_for_default(rule_entry),
            use_links,
            heading_tag,
        )
    return _entry_section(
        rule_entry.id, rule_entry.title, _paragraph(rule_entry.text), "", use_links, heading_tag
    )


def _paragraph(text: str) -> Markup:
    return Markup("<p>{}</p>").format(with_code_elements(text))


def _draw_readings(ruling: Ruling) -> Markup:
    """The readings of a silent point, each with its key; of a fixed point only what it says."""
    if len(ruling.readings) == 1:
        return _paragraph(_reading_sentence("", *ruling.readings.values()))
    default_html = Markup(' <span class="ch-class ch-class--checked">{}</span>').format(
        word("site.reading_default")
    )
    list_items = Markup("").join(
        Markup("<li><code>{}</code> {}{}</li>").format(
            key,
            with_code_elements(_reading_sentence(key, meaning)),
            default_html if key == ruling.default else "",
        )
        for key, meaning in ruling.readings.items()
    )
    return Markup('<ul class="ch-readings">{}</ul>').format(list_items)


def _reading_sentence(key: str, meaning: str) -> str:
    """A reading as a sentence. It does not say its key again: "yes, once" behind ``yes`` is "Once."."""
    if key and re.match(rf"{re.escape(key)}(\W\s|$)", meaning):
        meaning = meaning[len(key) + 1 :].strip()
    return f"{meaning[0].upper()}{meaning[1:].rstrip('.')}." if meaning else ""


def _reason_for_default(ruling: Ruling) -> str:
    reason = ruling.reason.rstrip(".")
    if len(ruling.readings) == 1:
        return word("site.only_reading_because", reason=reason)
    other_reading = list(ruling.readings)[1]
    return word("site.default_because", reason=reason, setting=f"`{ruling.key}: {other_reading}`")


def _entry_section(
    rule_id: str,
    title: str,
    body_html: Markup,
    reason_text: str,
    use_links: Sequence[RuleUse],
    heading_tag: str,
    rule_class: RuleClass | None = None,
) -> Markup:
    class_chip_html = Markup("")
    if rule_class is not None:
        class_chip_html = Markup('<span class="ch-class ch-class--{}">{}</span>').format(
            rule_class, class_name(rule_class)
        )
    return Markup(
        '<section class="ch-rule-entry" id="{}"><{h}><span class="ch-rule">{}</span> {} {}</{h}>{}{}{}</section>'
    ).format(
        rule_id.casefold(),
        rule_id,
        with_code_elements(title),
        class_chip_html,
        body_html,
        Markup('<p class="ch-soft">{}</p>').format(with_code_elements(reason_text))
        if reason_text
        else "",
        _used_in_paragraph(use_links),
        h=Markup(heading_tag),
    )


def _used_in_paragraph(rule_uses: Sequence[RuleUse]) -> Markup:
    """The entries, story by story."""
    if not rule_uses:
        return Markup("")
    links_by_story: dict[str, list[Markup]] = {}
    for story_title, url, link_words in rule_uses:
        link = Markup('<a href="{}">{}</a>').format(url, link_words)
        links_by_story.setdefault(story_title, []).append(link)
    drawn_links = Markup("; ").join(
        message_markup("site.entries_in_story", story=story_title, entries=join_names(links))
        for story_title, links in links_by_story.items()
    )
    return Markup('<p class="ch-soft">{}</p>').format(
        message_markup("site.in_play_links", links=drawn_links)
    )


def _rule_classes_line() -> Markup:
    """What the classes of rules mean, in a line."""
    return Markup('<p class="ch-book__classes">{}</p>').format(
        Markup(" ").join(
            Markup('<span><span class="ch-class ch-class--{}">{}</span> {}</span>').format(
                rule_class, class_name(rule_class), word(f"site.class_{rule_class}_means")
            )
            for rule_class in RuleClass
        )
    )


def class_name(rule_class: RuleClass) -> str:
    """A class of rules as pages call it."""
    return word(f"site.class_{rule_class}")


def with_code_elements(text: str) -> Markup:
    """A text in which words between backticks are code."""
    texts_and_code = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(text_or_code)
        if part_index % 2 and part_index + 1 < len(texts_and_code)
        else Markup("{}").format(text_or_code)
        for part_index, text_or_code in enumerate(texts_and_code)
    )
