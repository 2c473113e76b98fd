"""From what a page is made of to the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from chronicle.core.book import Block, Ref
from chronicle.site.draw import Pen, compact
from chronicle.site.files import SiteFile
from chronicle.site.volume import Volume


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


class Press:
    """Makes the pages of one campaign."""

    def __init__(self, volume: Volume) -> None:
        self._volume = volume
        self._nav = navigation(volume)

    def make(self, draft: Draft) -> SiteFile:
        """The page that a draft describes."""
        volume = self._volume
        pen = volume.pen(draft.page)
        template = volume.studio.env.get_template(f"pages/{draft.template}")
        values = {
            "pen": pen,
            "book": volume.book,
            "campaign": volume.record.campaign,
            "Ref": Ref,
            "title": draft.title,
            "crumbs": self._crumbs(draft),
            **draft.fill(pen, draft.parts),
        }
        body = template.render(values)
        return SiteFile(
            volume.path(draft.page),
            draft.title,
            compact(f'<div class="ch-body">{body}</div>'),
            meta=self._meta(draft),
            source=draft.source,
        )

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
