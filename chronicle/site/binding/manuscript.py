"""What the book is made of: its leaves in order, each drawn as XHTML, and its pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle import __version__
from chronicle.core.book import Graph, Ref
from chronicle.core.errors import Refused
from chronicle.core.figures import in_words
from chronicle.site import counted, covers, emblems, maps
from chronicle.site.apart import Drawing, TemplateFault, draw_apart
from chronicle.site.binding.decided import Decided
from chronicle.site.binding.inks import inked
from chronicle.site.binding.xhtml import xhtml
from chronicle.site.bonds import SCENES
from chronicle.site.campaign_site import COVER, CampaignSite
from chronicle.site.chapters import Chapter
from chronicle.site.dates import long_date
from chronicle.site.draw import Renderer
from chronicle.site.graphs import Drawer
from chronicle.site.links import NameLinker, slugify
from chronicle.site.motifs import DRAWINGS
from chronicle.site.pages.cast import cast_of, drawn
from chronicle.site.pages.relations import TITLE, web_of
from chronicle.site.pages.story import span
from chronicle.site.passages import sections
from chronicle.site.prose import inline, prose
from chronicle.words import word

READ = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"})
"""Pictures that every reader of books can show."""
LEAVES = 256
"""The number of book pages that the cache keeps between books."""
_NOTED = re.compile(r'<i data-note="(\d+)"></i>')
_WAVE = '<path d="M4 12q14-9 28 0t28 0 28 0 28 0"/>'


class NoBook(Refused):
    """A book cannot be bound."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


class Leaf(NamedTuple):
    """A part of the book that begins on a page of its own."""

    name: str
    """Its file, without its ending, and the id of its outermost element, unless that differs."""
    title: str
    html: str

    @property
    def file(self) -> str:
        """Its file in the EPUB."""
        return "nav.xhtml" if self.name == "contents" else f"{self.name}.xhtml"

    @property
    def url(self) -> str:
        """Where it begins."""
        return f"{self.file}#{self.name}"


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A book before it is bound."""

    title: str
    language: str
    tellers: tuple[str, ...]
    summary: str
    rights: str
    changed: str
    """The day of its last evening (``2026-05-09``), or an early one where none is known."""
    slug: str
    leaves: tuple[Leaf, ...]
    images: dict[str, bytes]
    """The pictures of the book, by their paths in it."""
    jacket: bytes
    """Its cover, as an SVG file."""


class Quill(Renderer):
    """A renderer for a book: entries end with the number of a note, and nothing leads out of it."""

    def __init__(self, campaign_site: CampaignSite, images: dict[str, str], payments: bool) -> None:
        def address(ref: Ref) -> str:
            return images.get(ref.id, "") if ref.kind == "path" else ""

        site_context = campaign_site.site_context
        graphs = Drawer(address, campaign_site.colour, site_context.warn, site_context.graphs)
        find = campaign_site.find_emblem
        names = NameLinker({}, shown=campaign_site.shown_names)
        super().__init__(site_context.env, address, campaign_site.colour, names, graphs, find)
        self._book = site_context.env.get_template("macros/book.html").module
        self._decided = Decided(campaign_site, payments=payments)
        self._notes: list[str] = []

    def macro(self, file: str, name: str, *args: Any, **keywords: Any) -> Markup:
        if (file, name) == ("story", "closing"):
            return self.noted(keywords["marks"])
        if (file, name) == ("page", "gallery_item"):
            src, alt, title, line = args
            if not src:
                return Markup("")
            return self.book("plate", src, alt, inline(title), inline(str(line)))
        if (file, name) == ("story", "opening"):
            return Markup("")
        return super().macro(file, name, *args, **keywords)

    def book(self, name: str, *args: Any) -> Markup:
        """Call a macro of the book."""
        return Markup(getattr(self._book, name)(*args))

    def noted(self, marks: Iterable[dict[str, Any]]) -> Markup:
        """The place of a note on how something was decided, to be numbered when all is drawn."""
        return self._place(self._decided.of([(mark["kind"], mark["step"]) for mark in marks]))

    def ring(self, graph: Graph) -> dict[str, Any]:
        """A graph whose lines are counted, with its key and in words."""
        drawn = counted.draw(graph, counted.WIDE, self.emblem_of, self.address)
        return {"drawn": drawn, "key": self.signs(graph), "pairs": self.pairs(graph)}

    def bids(self, scene: int) -> Markup:
        """The place of the note on the bids for a scene."""
        return self._place(self._decided.bids(scene))

    def _place(self, words: str) -> Markup:
        if not words:
            return Markup("")
        self._notes.append(words)
        return Markup('<i data-note="{}"></i>').format(len(self._notes) - 1)

    def notes_in(self, *markup: object) -> list[Markup]:
        """The notes whose places are in something."""
        places = _NOTED.findall(" ".join(map(str, markup)))
        return [inline(self._notes[int(number)]) for number in places]

    def numbered(self, markup: str, chapter: int) -> str:
        """A chapter with the numbers of its notes."""
        count = 0

        def number_note(_: re.Match[str]) -> str:
            nonlocal count
            count += 1
            return str(self.book("noteref", count, chapter))

        return _NOTED.sub(number_note, markup)

    @staticmethod
    def unnumbered(markup: str) -> str:
        """A chapter without them."""
        return _NOTED.sub("", markup)


def compose(
    campaign_site: CampaignSite, *, annotated: bool = False, chapter: int = 0
) -> Manuscript:
    """The book of a campaign.

    Args:
        campaign_site: the campaign, as readers may see it.
        annotated: print how each event was decided, and the talk at the table, below the text. Otherwise a
            chapter of notes at the end tells how each event was decided.
        chapter: the only chapter to include, from 1; 0: all.

    Raises:
        NoBook: when there is no story to tell, or no such chapter.
        TemplateFault: when a template of the project fails.
    """
    chapters = list(enumerate(campaign_site.chapters.values(), 1))
    if not chapters:
        raise NoBook("nothing has been told yet, so there is no book")
    if chapter > len(chapters):
        raise NoBook(f"there is no chapter {chapter}: the story has {in_words(len(chapters))}")
    binder = _Binder(campaign_site, chapters, annotated, chapter)

    def draw() -> list[str]:
        return [part for leaf in binder.draw_leaves() for part in leaf]

    (drawn,) = draw_apart(campaign_site.site_context.env, [Drawing(draw, "book/")])
    if isinstance(drawn, TemplateFault):
        raise drawn
    fields = len(Leaf._fields)
    return binder.bind(
        [Leaf(*drawn[start : start + fields]) for start in range(0, len(drawn), fields)]
    )


@lru_cache(maxsize=LEAVES)
def _ready(html: str) -> str:
    """A leaf as readers of books take it. Most are what they were when the book was bound last."""
    return xhtml(inked(html))


class _Binder:
    def __init__(
        self,
        campaign_site: CampaignSite,
        chapters: list[tuple[int, Chapter]],
        annotated: bool,
        only: int,
    ) -> None:
        self._campaign_site = campaign_site
        self._all = chapters
        self._chapters = [chapter for chapter in chapters if not only or chapter[0] == only]
        self._annotated = annotated
        self._only = only
        self._images = _images(campaign_site)
        self._env = campaign_site.site_context.env
        self._notes: list[dict[str, Any]] = []

    @cached_property
    def _quill(self) -> Quill:
        images = {site_file: book_file for site_file, (book_file, _) in self._images.items()}
        return Quill(self._campaign_site, images, payments=self._annotated)

    def draw_leaves(self) -> list[Leaf]:
        """The leaves of the book, as readers of books take them."""
        chapter_leaves = [self._chapter(ordinal, chapter) for ordinal, chapter in self._chapters]
        leaves = [
            *chapter_leaves,
            *self._notes_leaf(),
            *self._people(),
            *self._map(),
            self._colophon(),
        ]
        front = [*self._frontispiece(), self._title(), self._contents(leaves)]
        return [leaf._replace(html=_ready(leaf.html)) for leaf in (*front, *leaves)]

    def bind(self, leaves: Sequence[Leaf]) -> Manuscript:
        """The book of these leaves."""
        campaign_site, settings = self._campaign_site, self._campaign_site.record.campaign.settings
        title = campaign_site.book.title
        players = tuple(campaign_site.book.players())
        used = "".join(leaf.html for leaf in leaves)
        return Manuscript(
            title if not self._only else f"{title}: {self._chapters[0][1].title}",
            str(settings.language),
            players,
            str(settings.summary or ""),
            str(settings.licence or ""),
            next(
                (chapter.date for _, chapter in reversed(self._chapters) if _is_day(chapter.date)),
                EARLY,
            ),
            slugify(campaign_site.record.campaign.slug) or "campaign",
            tuple(leaves),
            {
                book_file: data
                for book_file, data in self._images.values()
                if f'"{book_file}"' in used
            },
            covers.jacket(campaign_site.seal, title, players),
        )

    def _draw(self, name: str, title: str, template: str, /, **values: Any) -> Leaf:
        html = self._env.get_template(f"book/{template}.html").render(values)
        return Leaf(name, title, re.sub(r"\n\s*", "\n", html).strip())

    # -- before the story --------------------------------------------------------------------------

    def _frontispiece(self) -> Iterator[Leaf]:
        """The first picture, on a page of its own; without one, what the story is about."""
        file, alt = self._campaign_site.cover
        src = self._images[file][0] if file != COVER and file in self._images else ""
        summary = str(self._campaign_site.record.campaign.settings.summary or "")
        if src or summary:
            words = prose(summary) if summary and not src else ""
            yield self._draw(
                "frontispiece",
                word("site.frontispiece"),
                "frontispiece",
                src=src,
                alt=alt,
                summary=words,
            )

    def _title(self) -> Leaf:
        campaign_site = self._campaign_site
        dates = [chapter.date for _, chapter in self._chapters if chapter.date]
        played = span(long_date(dates[0]), long_date(dates[-1])) if dates else ""
        return self._draw(
            "title",
            campaign_site.book.title,
            "title",
            title=campaign_site.book.title,
            part=self._chapters[0][1].title if self._only else "",
            players=campaign_site.book.players(),
            emblem=emblems.draw(campaign_site.seal, "seal", fine=True),
            game=campaign_site.record.rulebook.title,
            played=played,
        )

    def _contents(self, leaves: Iterable[Leaf]) -> Leaf:
        by_name = {f"chapter-{ordinal}": (ordinal, chapter) for ordinal, chapter in self._chapters}
        lines = []
        for leaf in leaves:
            ordinal, chapter = by_name.get(leaf.name, (0, None))
            scenes = [
                {"url": f"{leaf.file}#c{ordinal}-{part.anchor}", "title": inline(part.title)}
                for part in (chapter.sections if chapter is not None else ())
                if part.title and not part.continues and not part.aside
            ]
            name = (
                word("site.chapter_number", number=in_words(ordinal)) if chapter is not None else ""
            )
            lines.append({"url": leaf.url, "title": leaf.title, "kicker": name, "scenes": scenes})
        return self._draw("contents", word("site.contents"), "contents", lines=lines)

    # -- the story ---------------------------------------------------------------------------------

    def _chapter(self, ordinal: int, chapter: Chapter) -> Leaf:
        name = word("site.chapter_number", number=in_words(ordinal))
        leaf, notes = self._chapter_drawn(ordinal, chapter)
        if notes and not self._annotated:
            chapter_data = {
                "ordinal": ordinal,
                "name": name,
                "title": chapter.title,
                "file": leaf.file,
            }
            self._notes.append({**chapter_data, "notes": notes})
        return leaf

    def _chapter_drawn(self, ordinal: int, chapter: Chapter) -> tuple[Leaf, list[Markup]]:
        """A chapter, and the notes on how it was decided."""
        quill, name = self._quill, word("site.chapter_number", number=in_words(ordinal))
        parts = sections(quill, chapter)
        for drawn_part, part in zip(parts, chapter.sections, strict=True):
            self._finish(drawn_part)
            drawn_part["bids"] = bids = quill.bids(part.scene) if not part.continues else Markup("")
            drawn_part["asides"] = quill.notes_in(bids) if self._annotated else []
            drawn_part["talk"] = (
                [prose(text) for remark in part.talk for text in remark.texts]
                if self._annotated
                else []
            )
        last = ordinal == len(self._all)
        over = self._campaign_site.record.is_over
        values = {
            "ordinal": ordinal,
            "name": name,
            "title": chapter.title,
            "summary": prose(chapter.summary) if chapter.summary else "",
            "sections": parts,
            "plates": [*self._plates(chapter.number, parts)],
            "closing": inline(chapter.closing),
            "last": "" if not last else word("site.the_end" if over else "site.to_be_continued"),
        }
        leaf = self._draw(
            f"chapter-{ordinal}", chapter.title, "chapter", chapter=values, seal=self._ornament()
        )
        notes = quill.notes_in(leaf.html)
        if self._annotated:
            return leaf._replace(html=quill.unnumbered(leaf.html)), notes
        return leaf._replace(html=quill.numbered(leaf.html, ordinal)), notes

    def _plates(self, session: int, parts: list[dict[str, Any]]) -> Iterator[Markup]:
        """The pictures of a session that belong to no scene and to no entry."""
        shown = " ".join(
            str(passage.get("plate", "")) for part in parts for passage in part["body"]
        )
        for art in self._campaign_site.record.campaign.art:
            file = self._campaign_site.pictures.file(str(art.file))
            src = self._images[file][0] if file in self._images else ""
            elsewhere = file == self._campaign_site.cover[0] or f'"{src}"' in shown
            if src and art.session == session and not elsewhere:
                credit = ", ".join(filter(None, (art.artist, art.licence)))
                yield self._quill.book("plate", src, art.alt, inline(art.title), inline(credit))

    def _finish(self, part: dict[str, Any]) -> None:
        """Give passages their notes."""
        for passage in part["body"]:
            passage["ref"] = self._quill.noted(passage.get("marks", ()))
            html = [block.html for block in passage.get("blocks", ())]
            notes = self._quill.notes_in(*html, passage["ref"])
            passage["asides"] = notes if self._annotated else []

    def _ornament(self) -> Markup:
        """The drawing of the story's emblem alone, as an ornament."""
        motif = DRAWINGS.get(self._campaign_site.seal.motif)
        box, lines = ("0 0 48 48", motif) if motif else ("0 0 120 20", _WAVE)
        return Markup(
            '<svg class="ch-emblem ornament" viewBox="{}" aria-hidden="true"><g class="m">{}</g></svg>'
        ).format(box, Markup(lines))

    # -- after the story ---------------------------------------------------------------------------

    def _notes_leaf(self) -> Iterator[Leaf]:
        if self._notes:
            throws = (
                step.contest for step in self._campaign_site.record.visible_steps() if step.contest
            )
            dice = (die for throw in throws for side in throw.sides for die in side.dice)
            brackets = any(die.void for die in dice)
            title = word("site.how_it_was_decided")
            yield self._draw("notes", title, "notes", chapters=self._notes, brackets=brackets)

    def _people(self) -> Iterator[Leaf]:
        """Everybody, as they stood after the last evening of the book."""
        campaign_site, number = self._campaign_site, self._chapters[-1][1].number
        evenings = tuple(campaign_site.book.session_ends)
        if not campaign_site.book.sheets or number not in evenings:
            return
        cast = cast_of(campaign_site, number, number == evenings[-1], evenings)
        groups = [
            {"title": "", "note": "", "figures": cast.leading},
            *(group._asdict() for group in cast.groups),
        ]
        for group in groups:
            group["figures"] = [
                drawn(self._quill, figure, fine=True) for figure in group["figures"]
            ]
        shown = [group for group in groups if group["figures"]]
        if shown:
            yield self._draw("people", word("site.the_people"), "people", groups=shown)

    def _map(self) -> Iterator[Leaf]:
        """How they hang together, after the last evening of the book."""
        quill, number = self._quill, self._chapters[-1][1].number
        if number not in self._campaign_site.book.session_ends:
            return
        web = web_of(self._campaign_site, number)
        if not web.bonds and not web.counted:
            return
        samples = {
            kind: quill.macro("sheet", "line", slugify(kind) or "plain") for kind, _ in web.key
        }
        picture = arcs = None
        if not web.counted:
            map_arguments = TITLE, web.people, web.bonds, quill.address
            picture = maps.draw(quill.graphs, *map_arguments, maps.PAGE)
            arcs = maps.arcs(web.people, web.bonds, {})
        yield self._draw(
            "map",
            TITLE,
            "map",
            title=TITLE,
            picture=picture,
            arcs=arcs,
            key=[(samples[kind], words) for kind, words in web.key],
            ties=[
                (samples[bond.kind], bond.first.label, bond.second.label, quill.text(bond.words))
                for bond in web.bonds
                if bond.kind != SCENES and not web.counted
            ],
            counted=[quill.ring(graph) for graph in web.counted],
        )

    def _colophon(self) -> Leaf:
        campaign_site, settings = self._campaign_site, self._campaign_site.record.campaign.settings
        players = ", ".join(campaign_site.book.players())
        facts = [
            (word("site.told_by"), players),
            (word("site.book_played_with_head"), campaign_site.record.rulebook.title),
            (word("site.written_by"), ", ".join(map(str, settings.authors))),
            (word("site.licence"), str(settings.licence or "")),
        ]
        pictures = [
            {"title": art.title, "credit": ", ".join(filter(None, (art.artist, art.licence)))}
            for art in campaign_site.record.campaign.art
            if campaign_site.pictures.file(str(art.file)) in self._images
        ]
        return self._draw(
            "colophon",
            word("site.about_this_book"),
            "colophon",
            facts=[fact for fact in facts if fact[1]],
            pictures=pictures,
            version=__version__,
        )


EARLY = "2000-01-01"


def _is_day(text: str) -> bool:
    return re.fullmatch(r"\d{4}-\d\d-\d\d", text) is not None and text >= EARLY


def _images(campaign_site: CampaignSite) -> dict[str, tuple[str, bytes]]:
    """Every picture of a campaign that e-readers can show. The key is the file on the site; the value is the
    path in the book and the contents."""
    images: dict[str, tuple[str, bytes]] = {}
    for file, data in campaign_site.pictures.files():
        path = PurePosixPath(file)
        if path.suffix in READ:
            images[file] = f"images/{path.name}", data
        else:
            campaign_site.site_context.warn(
                f"{campaign_site.book.title}: {path.name} is not in the book; keep it as PNG or JPEG"
            )
    return images
