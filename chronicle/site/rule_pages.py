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
from chronicle.site.draw import message_markup
from chronicle.site.links import Address, slugify
from chronicle.words import word

ONE_PAGE_UP_TO: Final = 60
"""A book with at most as many rules is one page."""
LISTED: Final = 40
"""How many campaigns are linked in one place."""
RULINGS_SLUG: Final = "rulings"
ERRATA_SLUG: Final = "errata"
_NUMBER: Final = re.compile(r"^\d+ ")

Link = tuple[str, str]
"""An address and its words."""
Links = Mapping[str, tuple[Link, ...]]


class Entry(Protocol):
    """A rule, a ruling or an erratum."""

    @property
    def id(self) -> str: ...


class Chapter(NamedTuple):
    """A chapter of a book: the last part of its address, its title, and what it holds."""

    slug: str
    title: str
    entries: tuple[Entry, ...]


@cache
def _chapters_of(rules: GameInfo) -> tuple[Chapter, ...]:
    registry = rules.registry()
    members: dict[str, list[Entry]] = {}
    for rule in registry.rules:
        members.setdefault(rule.chapter, []).append(rule)
    chapters = [
        Chapter(slugify(title) or "rules", title or rules.title, tuple(chapter_rules))
        for title, chapter_rules in members.items()
    ]
    if registry.rulings:
        chapters.append(Chapter(RULINGS_SLUG, word("site.book_silent"), tuple(registry.rulings)))
    if rules.errata():
        chapters.append(Chapter(ERRATA_SLUG, word("site.errata_found"), tuple(rules.errata())))
    return tuple(chapters)


def is_short(rules: GameInfo) -> bool:
    """Whether all rules of a game fit on one page."""
    return len(rules.registry().rules) <= ONE_PAGE_UP_TO


@cache
def pages_by_id(rules: GameInfo) -> dict[str, str]:
    """The page of each rule, ruling and erratum of a game."""
    home, short = f"rules/{rules.name}", is_short(rules)
    return {
        entry.id: home if short else f"{home}/{chapter.slug}"
        for chapter in _chapters_of(rules)
        for entry in chapter.entries
    }


def rule_page(rules: GameInfo, id: str) -> str:
    """The page of a rule by its id."""
    return pages_by_id(rules).get(id, f"rules/{rules.name}")


class RulePages:
    """Draws the pages of one game.

    Args:
        rules: the game.
        address: how addresses are formed.
        head: draws the title of a page; takes the title and a line below it.
    """

    def __init__(self, rules: Game[Any], address: Address, head: Callable[..., Markup]) -> None:
        self._rules = rules
        self._address = address
        self._draw_head = head
        self._home = f"rules/{rules.name}"
        self._chapters = _chapters_of(rules)

    def paths(self) -> Iterator[str]:
        """The pages: the front of the book, then its chapters if it is long."""
        yield self._home
        if not is_short(self._rules):
            yield from (f"{self._home}/{chapter.slug}" for chapter in self._chapters)

    def title(self, page: str) -> str:
        """The title of a page."""
        title = word("site.rules_of", game=self._rules.title)
        return title if page == self._home else f"{self._chapter_of(page).title} · {title}"

    def draw(self, page: str, uses: Links, front_matter: Markup) -> Markup:
        """The body of a page.

        Args:
            page: its path.
            uses: where each rule was used, as seen from the page.
            front_matter: what the front of the book shows above its rules.
        """
        text = self._front(uses, front_matter) if page == self._home else self._chapter(page, uses)
        return Markup('<div class="ch-book">{}<div class="ch-book__text">{}</div></div>').format(
            self._contents(page), text
        )

    def _chapter_of(self, page: str) -> Chapter:
        return next(chapter for chapter in self._chapters if page == f"{self._home}/{chapter.slug}")

    def _url(self, from_page: str, chapter: Chapter) -> str:
        if is_short(self._rules):
            return f"#{chapter.slug}"
        return self._address.between(from_page, f"{self._home}/{chapter.slug}")

    def _contents(self, page_here: str) -> Markup:
        links = [(self._address.between(page_here, "rules/index"), word("site.games"), "")]
        links.append((self._address.between(page_here, self._home), self._rules.title, self._home))
        links += [
            (self._url(page_here, chapter), chapter.title, f"{self._home}/{chapter.slug}")
            for chapter in self._chapters
        ]
        if self._rules.optional_rules():
            page = f"{self._home}-add-ons"
            links.append(
                (self._address.between(page_here, page), word("site.add_ons_one_table"), page)
            )
        items = Markup("").join(
            Markup('<li><a href="{}"{}>{}</a></li>').format(
                "#" if page == page_here else url,
                Markup(' aria-current="page"') if page == page_here else "",
                title,
            )
            for url, title, page in links
        )
        return Markup(
            '<nav class="ch-book__contents ch-beside--folds" aria-label="{}"><button type="button" '
            'class="ch-beside__open" popovertarget="ch-beside">{}</button>'
            '<ul id="ch-beside" popover>{}</ul></nav>'
        ).format(word("site.contents"), word("site.contents"), items)

    def _front(self, uses: Links, front_matter: Markup) -> Markup:
        head = self._draw_head(self._rules.title, word("site.rules_by_number"))
        summary = Markup("<p>{}</p>").format(with_code(self._rules.summary))
        if is_short(self._rules):
            parts = Markup("").join(
                Markup('<h2 class="ch-chapter-head" id="{}">{}</h2>{}').format(
                    chapter.slug, chapter.title, self._entries(chapter, uses)
                )
                for chapter in self._chapters
            )
            return Markup("{}{}{}{}{}").format(
                head, summary, _rule_classes_line(), front_matter, parts
            )
        lists = Markup("").join(
            Markup('<h2><a href="{}">{}</a></h2><ul class="ch-book__rules">{}</ul>').format(
                self._url(self._home, chapter), chapter.title, self._rule_links(chapter)
            )
            for chapter in self._chapters
        )
        return Markup("{}{}{}{}").format(head, summary, front_matter, lists)

    def _rule_links(self, chapter: Chapter) -> Markup:
        """The rules of a chapter as links. Addresses of older pages, which had all rules, lead here."""
        url = self._url(self._home, chapter)
        return Markup("").join(
            Markup(
                '<li id="{}"><a href="{}#{}"><span class="ch-rule">{}</span> {}</a></li>'
            ).format(
                entry.id.casefold(),
                url,
                entry.id.casefold(),
                entry.id,
                entry.question if isinstance(entry, Ruling) else getattr(entry, "title", ""),
            )
            for entry in chapter.entries
        )

    def _chapter(self, page: str, uses: Links) -> Markup:
        chapter = self._chapter_of(page)
        index = self._chapters.index(chapter)
        kicker = word(
            "site.chapter_of", game=self._rules.title, number=index + 1, count=len(self._chapters)
        )
        chapter_links = Markup("").join(
            Markup('<a rel="{}" href="{}">{}</a>').format(rel, self._url(page, neighbour), label)
            for rel, neighbour, label in self._neighbours(index)
        )
        return Markup('{}{}{}<p class="ch-book__turn">{}</p>').format(
            self._draw_head(_NUMBER.sub("", chapter.title), kicker),
            _rule_classes_line()
            if any(isinstance(entry, Rule) for entry in chapter.entries)
            else "",
            self._entries(chapter, uses),
            chapter_links,
        )

    def _neighbours(self, index: int) -> Iterator[tuple[str, Chapter, str]]:
        if index:
            previous_chapter = self._chapters[index - 1]
            yield "prev", previous_chapter, f"← {previous_chapter.title}"
        if index + 1 < len(self._chapters):
            next_chapter = self._chapters[index + 1]
            yield "next", next_chapter, f"{next_chapter.title} →"

    def _entries(self, chapter: Chapter, uses: Links) -> Markup:
        intro = Markup("")
        if chapter.slug == RULINGS_SLUG:
            help_text = message_markup(
                "site.book_silent_help",
                file=with_code("`campaign.yaml`"),
                key=with_code("`rulings:`"),
            )
            intro = Markup("<p>{}</p>").format(help_text)
        return intro + Markup("").join(
            draw_entry(entry, uses.get(entry.id, ()), "h3" if is_short(self._rules) else "h2")
            for entry in chapter.entries
        )


def draw_entry(entry: Any, uses: Sequence[Link] = (), heading: str = "h3") -> Markup:
    """A rule, a ruling or an erratum, and where it was used."""
    if isinstance(entry, Rule):
        reason = entry.why and word("site.not_judged_why", why=entry.why.rstrip("."))
        return _section(entry.id, entry.title, (entry.text,), reason, uses, heading, entry.kind)
    if isinstance(entry, Ruling):
        texts = [f"{value}: {meaning}" for value, meaning in entry.readings.items()]
        reason = word("site.default_because", reason=entry.reason.rstrip("."))
        key = f" `{entry.key}`" if len(entry.readings) > 1 else ""
        return _section(entry.id, entry.question, texts, f"{reason}{key}", uses, heading)
    return _section(entry.id, entry.title, (entry.text,), "", uses, heading)


def _section(
    id: str,
    title: str,
    texts: Sequence[str],
    reason: str,
    uses: Sequence[Link],
    heading: str,
    kind: RuleClass | None = None,
) -> Markup:
    class_ = Markup("")
    if kind is not None:
        class_ = Markup('<span class="ch-class ch-class--{}">{}</span>').format(
            kind, class_name(kind)
        )
    return Markup(
        '<section class="ch-rule-entry" id="{}"><{h}><span class="ch-rule">{}</span> {} {}</{h}>{}{}{}</section>'
    ).format(
        id.casefold(),
        id,
        with_code(title),
        class_,
        Markup("").join(Markup("<p>{}</p>").format(with_code(text)) for text in texts),
        Markup('<p class="ch-soft">{}</p>').format(with_code(reason)) if reason else "",
        _used_in(uses),
        h=Markup(heading),
    )


def _used_in(links: Sequence[Link]) -> Markup:
    if not links:
        return Markup("")
    drawn = Markup(", ").join(Markup('<a href="{}">{}</a>').format(*link) for link in links)
    return Markup('<p class="ch-soft">{}</p>').format(
        message_markup("site.in_play_links", links=drawn)
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


def class_name(kind: RuleClass) -> str:
    """A class of rules as pages call it."""
    return word(f"site.class_{kind}")


def with_code(text: str) -> Markup:
    """A text in which words between backticks are code."""
    parts = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part)
        if index % 2 and index + 1 < len(parts)
        else Markup("{}").format(part)
        for index, part in enumerate(parts)
    )
