"""From what a page is made of to the page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

from markupsafe import escape

from chronicle.core.book import Block, Ref
from chronicle.site.apart import Drawing, TemplateFault, draw_apart, placeholder
from chronicle.site.draw import Pen, compact
from chronicle.site.emblems import Emblem, share
from chronicle.site.files import SiteFile, digest_of
from chronicle.site.links import linkable, mentions, shortened
from chronicle.site.navigation import Around, Navigation, NavPage
from chronicle.site.news import FILE, evenings
from chronicle.site.sandbox import Bounded
from chronicle.site.volume import Volume
from chronicle.words import word

MOST_ABOUT = 200
"""How many letters the description of a page has; those who show it cut what is longer."""


class Front(NamedTuple):
    """The data of a campaign that every template gets, beside its own page."""

    title: str
    game: str
    players: Sequence[str]


@dataclass(frozen=True, slots=True)
class Draft:
    """A page before it is made."""

    page: str
    """Its path within the campaign."""
    title: str
    parts: Any
    """All that it shows of the campaign, as values that can be compared: where they are what they
    were, so is the page."""
    fill: Callable[[Pen, Any], dict[str, Any]]
    """Gives what the template is filled with, from a pen and the parts, and from nothing else."""
    crumbs: tuple[tuple[str, str], ...] | None = ()
    """The pages between the front page of the campaign and this page: (title, page). None: it is the front
    page."""
    source: str = ""
    """The file of the project it comes from."""
    turn: tuple[Ref | None, Ref | None] = (None, None)
    """The previous and the next page of the same kind."""
    beside: tuple[Ref, ...] = ()
    """Pages of the same kind, with this page among them, for its head."""
    about: str = ""
    """A sentence about the page, for readers who have only a link to it. Default: the story's description."""
    through: int = 0
    """The last session that it tells; 0: to the end."""
    tells: Literal["whole", "rows", "itself"] = "whole"
    """What becomes of it where a reader does not want to know the end: it is covered as a ``whole``, unless
    it tells no further; its ``rows`` that tell of later evenings are left out; or it sees to that
    ``itself``."""
    meta: dict[str, Any] = field(default_factory=dict)
    whole: bool = False
    """Whether its template draws a whole document, with nothing of the theme around it."""

    @property
    def shows(self) -> tuple[object, ...]:
        """All that decides how it looks."""
        redaction = self.through, self.tells
        return self.title, self.crumbs, self.parts, self.turn, self.beside, redaction


def neighbours(links: Sequence[Ref]) -> Iterator[tuple[Ref | None, Ref | None]]:
    """For each page of a kind, the previous and the next page."""
    return zip([None, *links[:-1]], [*links[1:], None], strict=True) if links else iter(())


def blocks_page(
    page: str,
    title: str,
    blocks: Iterable[Block],
    *,
    intro: str = "",
    crumbs: tuple[tuple[str, str], ...] = (),
    turn: tuple[Ref | None, Ref | None] = (None, None),
    beside: tuple[Ref, ...] = (),
    tells: Literal["whole", "rows", "itself"] = "whole",
    **meta: Any,
) -> Draft:
    """A page of blocks, one below the other, as ``page.html`` sets them."""
    parts = intro, tuple(blocks)
    return Draft(
        page,
        title,
        parts,
        _blocks,
        crumbs,
        turn=turn,
        beside=beside,
        tells=tells,
        meta=meta,
    )


def _blocks(pen: Pen, parts: tuple[str, tuple[Block, ...]]) -> dict[str, Any]:
    intro, blocks = parts
    return {"intro": pen.game_text(intro) if intro else "", "blocks": blocks}


class Shared(NamedTuple):
    """The frame of every page of a campaign, beside the navigation."""

    ground: tuple[object, ...]
    about: str
    """What the story is about."""
    image: str
    """The picture that goes with links to it, and the feed: paths within the site, or empty."""
    feed: str
    paths: Collection[str]
    """The files that it is read from."""


@dataclass(slots=True)
class CachedPage:
    """A page as it was made, and what it was found to rest on besides its draft."""

    links: dict[Ref, str]
    """Every reference that was looked up for it, and its address from there."""
    emblems: dict[str, Emblem | None]
    """Every sheet whose emblem was asked for, and the emblem."""
    same_entry: tuple[NavPage, ...]
    """The pages of its entry of the navigation, listed at its head."""
    html: str
    digest: str
    data: bytes
    """The contents, if the page is a finished file."""
    around: Any = None
    """What stands around it."""
    file: SiteFile | None = None
    """The page with that."""


class Press:
    """Makes the pages of one campaign. A page that would come out the same is taken from the cache.

    A page depends on its draft, the addresses of its references, its emblems, the pages beside it in the
    navigation, and the linked names in its texts. Templates of the project can depend on more, so with them
    every page is drawn each time.
    """

    def __init__(self, volume: Volume, navigation: Navigation) -> None:
        self._volume = volume
        self._navigation = navigation
        studio = volume.studio
        self._cache = studio.cache
        feed = volume.path(FILE) if studio.url and evenings(volume) else ""
        paths = volume.record.campaign.real_paths
        self._shared = Shared(volume.ground, volume.description, volume.share, feed, paths)
        names = {name: volume.page_of(ref) for name, ref in volume.linked.items()}
        last_names = self._cache.last(("names", volume.folder)) or names
        differing = {name for name, _ in last_names.items() ^ names.items()}
        self._renamed = [linkable(name) for name in differing]
        self._names = names

    def make_all(self, drafts: Iterable[tuple[Draft | SiteFile, str]]) -> Iterator[SiteFile]:
        """Draw each draft with its template in ``templates/pages/``, and pass on files, in order."""
        env = self._volume.studio.env
        if not isinstance(env, Bounded):
            for item, template in drafts:
                yield item if isinstance(item, SiteFile) else self.make(item, template)
            # Not before every page has been held against them.
            self._cache.keep(("names", self._volume.folder), None, self._names)
            return
        items = [*drafts]
        drawn = draw_apart(
            env,
            [
                Drawing(partial(self._draw_texts, item, template), f"pages/{template}")
                for item, template in items
                if isinstance(item, Draft)
            ],
        )
        for item, _ in items:
            yield item if isinstance(item, SiteFile) else self._put_together(env, item, next(drawn))

    def _draw_texts(self, draft: Draft, template: str) -> list[str]:
        """Return the texts of a page: its body, and the navigation above and below it."""
        html = self._draw(draft, template)[0].html
        return [html] if draft.whole else [html, *self._navigation_of(draft)]

    def _put_together(
        self, env: Bounded, draft: Draft, drawn: list[str] | TemplateFault
    ) -> SiteFile:
        if isinstance(drawn, TemplateFault):
            env.report(str(drawn))
            drawn = [placeholder(draft.title), "", ""]
        html, *around = drawn
        data = html.encode()
        if draft.whole:
            return self._document(draft, data)
        return self._file(draft, html, digest_of(html), Around(*around))

    def make(self, draft: Draft, template: str) -> SiteFile:
        """The page that a draft describes, drawn by a file in ``templates/pages/``."""
        name = "page", self._volume.folder, draft.page
        inputs = self._volume.ground, template, draft.shows
        cached: CachedPage | None = self._cache.find(name, inputs)
        if cached is None or not self._holds(cached, draft):
            cached, complete = self._draw(draft, template)
            # A graph that could not be laid out is tried again.
            self._cache.keep(name, inputs if complete else None, cached)
        if draft.whole:
            return self._document(draft, cached.data)
        navigation = self._navigation_of(draft)
        around = self._shared, navigation, draft.about, draft.source, draft.meta
        # The same object tells later steps that the file did not change.
        if cached.file is None or cached.around != around:
            cached.around = around
            cached.file = self._file(draft, cached.html, cached.digest, navigation)
        return cached.file

    def _navigation_of(self, draft: Draft) -> Around:
        return self._navigation.around(draft.page, tuple(page for _, page in draft.crumbs or ()))

    def _file(self, draft: Draft, html: str, digest: str, navigation: Around) -> SiteFile:
        """A page with its frame."""
        return SiteFile(
            self._volume.path(draft.page),
            draft.title,
            html,
            digest,
            meta=self._meta(draft),
            # A link to edit a file would tell the name it really has.
            source="" if draft.source in self._volume.record.campaign.real_paths else draft.source,
            above=navigation.above,
            below=navigation.below,
        )

    def _document(self, draft: Draft, data: bytes) -> SiteFile:
        """A page that is a finished file."""
        inside = self._volume.studio.address.folders
        file = f"{draft.page}/index.html" if inside else f"{draft.page}.html"
        return SiteFile(self._volume.path(file), data=data)

    def _holds(self, cached: CachedPage, draft: Draft) -> bool:
        """Whether what a page rests on besides its draft is what it was."""
        url, page, emblem = self._volume.url, draft.page, self._volume.find_emblem
        return (
            all(url(page, ref) == address for ref, address in cached.links.items())
            and all(emblem(id) == former_emblem for id, former_emblem in cached.emblems.items())
            and cached.same_entry == self._navigation.same_entry(page)
            and not (self._renamed and mentions(cached.html, self._renamed))
        )

    def _draw(self, draft: Draft, template: str) -> tuple[CachedPage, bool]:
        """A page as its template draws it, and whether all that is on it could be drawn."""
        volume = self._volume
        links: dict[Ref, str] = {}
        emblems: dict[str, Emblem | None] = {}
        same_entry = self._navigation.same_entry(draft.page)
        pen = volume.pen(draft.page, links, emblems)
        drawing = volume.studio.env.get_template(f"pages/{template}")
        values = {
            "pen": pen,
            "book": Front(volume.book.title, volume.record.rulebook.title, volume.book.players()),
            "Ref": Ref,
            "title": draft.title,
            "crumbs": self._crumbs(draft),
            "beside": self._links(pen, draft, draft.beside),
            "same_entry": self._links(
                pen,
                draft,
                [
                    Ref("path", entry_page.page, f"{entry_page.title} {entry_page.size}".strip())
                    for entry_page in same_entry
                ],
            ),
            **draft.fill(pen, draft.parts),
        }
        body = drawing.render(values)
        if any(draft.turn):
            turn = [
                {"title": ref.label, "url": pen.address(ref)} if ref is not None else None
                for ref in draft.turn
            ]
            body = f"{body}{pen.macro('page', 'turn', *turn)}"
        attribute = (
            f'data-through="{draft.through}"' if draft.through else f'data-tells="{draft.tells}"'
        )
        html = share(
            compact(body if draft.whole else f'<div class="ch-body" {attribute}>{body}</div>')
        )
        data = html.encode() if draft.whole else b""
        return CachedPage(
            links, emblems, same_entry, html, digest_of(html), data
        ), not pen.graphs.missed

    def _crumbs(self, draft: Draft) -> list[dict[str, str]]:
        if not draft.crumbs:
            return []
        return [
            *(
                {"title": title, "url": self._volume.url(draft.page, Ref("path", page, title))}
                for title, page in draft.crumbs
            ),
            {"title": draft.title},
        ]

    def _links(self, pen: Pen, draft: Draft, links: Iterable[Ref]) -> list[dict[str, Any]]:
        """Links for the head of a page. The link to the page itself is marked."""
        page_of = self._volume.page_of
        page_and_anchor = self._volume.path(draft.page), ""
        return [
            {"title": ref.label, "url": pen.address(ref), "here": page_of(ref) == page_and_anchor}
            for ref in links
        ]

    def _about(self, draft: Draft) -> str:
        title, story = draft.title, self._volume.book.title
        story_description = self._shared.about or word("site.about_story", story=story)
        if draft.about:
            return shortened(draft.about, MOST_ABOUT)
        return shortened(
            story_description if draft.crumbs is None else f"{title}: {story}. {story_description}",
            MOST_ABOUT,
        )

    def _meta(self, draft: Draft) -> dict[str, Any]:
        """Front matter: whose page it is."""
        volume, shared = self._volume, self._shared
        home = f"{volume.path('index')}.md"
        campaign = {"title": volume.book.title, "home": home, "folder": volume.folder}
        if shared.feed:
            campaign["feed"] = shared.feed
        return {
            "title": draft.title,
            "hide": ["navigation", "toc"],
            # Themes write this text into an attribute without escaping it.
            "description": str(escape(self._about(draft))),
            **({"image": shared.image} if shared.image else {}),
            "campaign": campaign,
            **draft.meta,
        }
