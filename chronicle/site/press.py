"""From what a page is made of to the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from chronicle.core.book import Block, Ref
from chronicle.site.draw import Pen, compact
from chronicle.site.files import SiteFile
from chronicle.site.links import linkable, mentions
from chronicle.site.volume import Volume


class Front(NamedTuple):
    """What every template is told of a campaign, beside its own page."""

    title: str
    game: str
    players: Sequence[str]


@dataclass(frozen=True, slots=True)
class Draft:
    """A page before it is made."""

    page: str
    """Its path within the campaign."""
    title: str
    template: str
    """The file in ``templates/pages/`` that draws it."""
    parts: Any
    """All that it shows of the campaign, as values that can be compared: where they are what they
    were, so is the page."""
    fill: Callable[[Pen, Any], dict[str, Any]]
    """Gives what the template is filled with, from a pen and the parts, and from nothing else."""
    crumbs: tuple[tuple[str, str], ...] | None = ()
    """The pages between the front of the campaign and this one: (title, page). None: it is the front."""
    source: str = ""
    """The file of the project it comes from."""
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def shows(self) -> tuple[object, ...]:
        """All that decides how it looks."""
        return self.title, self.template, self.crumbs, self.parts


def blocks_page(
    page: str,
    title: str,
    blocks: Iterable[Block],
    *,
    intro: str = "",
    crumbs: tuple[tuple[str, str], ...] = (),
    **meta: Any,
) -> Draft:
    """A page of blocks, one below the other, drawn by ``page.html``."""
    return Draft(page, title, "page.html", (intro, tuple(blocks)), _blocks, crumbs, meta=meta)


def _blocks(pen: Pen, parts: tuple[str, tuple[Block, ...]]) -> dict[str, Any]:
    intro, blocks = parts
    return {"intro": pen.text(intro) if intro else "", "blocks": blocks}


@dataclass(slots=True)
class Kept:
    """A page as it was made, with what it was made from."""

    draft: Draft
    links: dict[Ref, str]
    """Every reference that was looked up for it, and where it led."""
    html: str


@dataclass(slots=True)
class Memory:
    """The pages of one campaign as they were made last."""

    ground: Any = None
    """What all of them rest on."""
    names: dict[str, tuple[str, str] | None] = field(default_factory=dict)
    """The names that were linked in texts, and where each led."""
    pages: dict[str, Kept] = field(default_factory=dict)
    made: int = 0
    """How many pages were made anew the last time."""


class Press:
    """Makes the pages of one campaign, and none again that would come out as it was.

    A page is its draft, the addresses its references lead to, and the names that are linked in its
    texts: where all three are what they were, so is the page. Templates of a project's own may look at
    anything, so with them every page is made again.
    """

    def __init__(self, volume: Volume, memory: Memory | None = None) -> None:
        self._volume = volume
        self._nav = navigation(volume)
        before = Memory() if memory is None else memory
        names = {name: volume.page_of(ref) for name, ref in volume.linked.items()}
        self._memory = Memory(volume.ground, names)
        studio = volume.studio
        alike = before.ground == volume.ground and not studio.env.sandboxed
        self._before = before.pages if alike else {}
        differing = before.names.items() ^ names.items()
        self._renamed = [linkable(name) for name in {name for name, _ in differing}]

    def remember(self, memory: Memory) -> None:
        """Put what was made into a memory, in place of what it held."""
        memory.ground, memory.names = self._memory.ground, self._memory.names
        memory.pages, memory.made = self._memory.pages, self._memory.made

    def make(self, draft: Draft) -> SiteFile:
        """The page that a draft describes."""
        kept = self._before.get(draft.page)
        if kept is None or not self._same(kept, draft):
            self._memory.made += 1
            kept = self._anew(draft)
        return SiteFile(
            self._volume.path(draft.page),
            draft.title,
            kept.html,
            meta=self._meta(draft),
            # A link to edit a file would tell the name it really has.
            source="" if draft.source in self._volume.record.campaign.paths else draft.source,
        )

    def _same(self, kept: Kept, draft: Draft) -> bool:
        """Whether a page would come out as it was."""
        url = self._volume.url
        if (
            kept.draft.shows != draft.shows
            or any(url(draft.page, ref) != there for ref, there in kept.links.items())
            or (self._renamed and mentions(kept.html, self._renamed))
        ):
            return False
        self._memory.pages[draft.page] = kept
        return True

    def _anew(self, draft: Draft) -> Kept:
        volume = self._volume
        links: dict[Ref, str] = {}
        pen = volume.pen(draft.page, links)
        template = volume.studio.env.get_template(f"pages/{draft.template}")
        values = {
            "pen": pen,
            "book": Front(volume.book.title, volume.record.rulebook.title, volume.book.players()),
            "Ref": Ref,
            "title": draft.title,
            "crumbs": self._crumbs(draft),
            **draft.fill(pen, draft.parts),
        }
        body = template.render(values)
        made = Kept(draft, links, compact(f'<div class="ch-body">{body}</div>'))
        if not pen.graphs.missed:
            self._memory.pages[draft.page] = made
        return made

    def _crumbs(self, draft: Draft) -> list[dict[str, str]]:
        if draft.crumbs is None:
            return []
        return [
            *(
                {"title": title, "url": self._volume.url(draft.page, Ref("path", page, title))}
                for title, page in ((self._volume.book.title, "index"), *draft.crumbs)
            ),
            {"title": draft.title},
        ]

    def _meta(self, draft: Draft) -> dict[str, Any]:
        """Front matter: the campaign's own navigation instead of the site's."""
        page, path = draft.page, self._volume.path
        here = page.partition("/")[0]

        def link(title: str, target: str) -> dict[str, Any]:
            inside = target.partition("/")[0] == here and here != "index"
            state = "page" if target == page else inside
            return {
                "title": title,
                "url": f"{path(target)}.md",
                **({"here": state} if state else {}),
            }

        first, more = self._nav
        return {
            "title": draft.title,
            "hide": ["navigation", "toc"],
            "campaign": {
                "title": self._volume.book.title,
                "home": f"{path('index')}.md",
                "nav": [link(*item) for item in first],
                "more": [link(*item) for item in more],
            },
            **draft.meta,
        }


Links = list[tuple[str, str]]
"""Titles and pages."""


def navigation(volume: Volume) -> tuple[Links, Links]:
    """The pages that every page of a campaign leads to: the first ones, and more."""
    book, campaign = volume.book, volume.record.campaign
    registries = [(one.title, volume.registry_page(one)) for one in book.registries]
    first = [
        ("State of play", "state"),
        ("Story", "story"),
        ("Sessions", "sessions/index"),
        ("Timeline", "timeline"),
        *registries[:1],
        ("Ledger", "ledger"),
        *([("Journal", "journal")] if campaign.journal else []),
    ]
    more = [
        *registries[1:],
        *((page.title, volume.game_page(page.slug)) for page in book.pages),
        *([("Relations", "relations")] if book.relations else []),
        ("Players", "players/index"),
        ("Scenes", "scenes"),
        *([("Dice", "dice")] if volume.throws_dice else []),
        ("Rules used", "rules-used"),
        ("Check report", "check"),
        ("Loose ends", "loose-ends"),
        ("What changed", "changes/index"),
        ("Index of names", "names"),
        *([("Gallery", "gallery")] if volume.pictures else []),
        *([("Notes", "notes/index")] if campaign.notes else []),
        ("Downloads", "downloads"),
    ]
    return first, more
