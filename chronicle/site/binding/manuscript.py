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
from chronicle.core.campaign_view import Graph, Ref
from chronicle.core.errors import Refused
from chronicle.core.figures import number_in_words
from chronicle.site import counted, covers, emblems, maps
from chronicle.site.apart import DrawingTask, TemplateFault, draw_in_child_process
from chronicle.site.binding.decided import DecisionWriter
from chronicle.site.binding.inks import embed_drawing_styles
from chronicle.site.binding.xhtml import to_xhtml
from chronicle.site.bonds import SCENES_BOND
from chronicle.site.campaign_site import COVER_FILE, CampaignSite
from chronicle.site.chapters import Chapter
from chronicle.site.dates import date_span
from chronicle.site.draw import Renderer
from chronicle.site.graphs import GraphDrawer
from chronicle.site.links import NameLinker, slugify
from chronicle.site.motifs import DRAWINGS
from chronicle.site.pages.cast import cast_member_data, cast_of
from chronicle.site.pages.relations import TITLE, connection_map_of
from chronicle.site.passages import sections_data
from chronicle.site.prose import inline, prose
from chronicle.words import word

READABLE_PICTURES = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"})
"""Pictures that every reader of books can show."""
CACHED_LEAVES = 256
"""The number of book pages that the cache keeps between books."""
_NOTE_PLACEHOLDER = re.compile(r'<i data-note="(\d+)"></i>')
_WAVE_PATH = '<path d="M4 12q14-9 28 0t28 0 28 0 28 0"/>'


class NoBook(Refused):
    """A book cannot be bound."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


class Leaf(NamedTuple):
    """A part of the book that begins on a page of its own."""

    file_stem: str
    """Its file, without its ending, and the id of its outermost element, unless that differs."""
    title: str
    html: str

    @property
    def file_name(self) -> str:
        """Its file in the EPUB."""
        return "nav.xhtml" if self.file_stem == "contents" else f"{self.file_stem}.xhtml"

    @property
    def url(self) -> str:
        """Where it begins."""
        return f"{self.file_name}#{self.file_stem}"


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A book before it is bound."""

    title: str
    language: str
    players: tuple[str, ...]
    summary: str
    rights: str
    last_session_day: str
    """The day of its last evening (``2026-05-09``), or an early one where none is known."""
    slug: str
    leaves: tuple[Leaf, ...]
    contents_by_image_path: dict[str, bytes]
    """The pictures of the book, by their paths in it."""
    cover_svg: bytes
    """Its cover, as an SVG file."""


class BookRenderer(Renderer):
    """A renderer for a book: entries end with the number of a note, and nothing leads out of it."""

    def __init__(
        self,
        campaign_site: CampaignSite,
        book_path_by_site_path: dict[str, str],
        explains_payments: bool,
    ) -> None:
        def find_address(ref: Ref) -> str:
            return book_path_by_site_path.get(ref.id, "") if ref.kind == "path" else ""

        site_context = campaign_site.site_context
        graph_drawer = GraphDrawer(
            find_address, campaign_site.seat_number, site_context.warn, site_context.graph_layouts
        )
        find_emblem = campaign_site.find_emblem
        name_linker = NameLinker({}, shown_name_by_name=campaign_site.shown_name_by_name)
        super().__init__(
            site_context.env,
            find_address,
            campaign_site.seat_number,
            name_linker,
            graph_drawer,
            find_emblem,
        )
        self._book_macros = site_context.env.get_template("macros/book.html").module
        self._decision_writer = DecisionWriter(campaign_site, explains_payments=explains_payments)
        self._note_texts: list[str] = []

    def macro(self, macro_file: str, macro_name: str, *args: Any, **keywords: Any) -> Markup:
        if (macro_file, macro_name) == ("story", "closing"):
            return self.note_placeholder(keywords["marks"])
        if (macro_file, macro_name) == ("page", "gallery_item"):
            src, alt, title, caption = args
            if not src:
                return Markup("")
            return self.book_macro("plate", src, alt, inline(title), inline(str(caption)))
        if (macro_file, macro_name) == ("story", "opening"):
            return Markup("")
        return super().macro(macro_file, macro_name, *args, **keywords)

    def book_macro(self, macro_name: str, *args: Any) -> Markup:
        """Call a macro of the book."""
        return Markup(getattr(self._book_macros, macro_name)(*args))

    def note_placeholder(self, marks: Iterable[dict[str, Any]]) -> Markup:
        """The place of a note on how something was decided, to be numbered when all is drawn."""
        return self._placeholder(
            self._decision_writer.explain_marks([(mark["kind"], mark["step"]) for mark in marks])
        )

    def counted_graph_data(self, graph: Graph) -> dict[str, Any]:
        """A graph whose lines are counted, with its key and in words."""
        drawing = counted.draw_counted_graph(
            graph, counted.WIDE_WIDTH, self.emblem_of, self.address
        )
        return {"drawn": drawing, "key": self.signs(graph), "pairs": self.pairs(graph)}

    def bids_placeholder(self, scene_number: int) -> Markup:
        """The place of the note on the bids for a scene."""
        return self._placeholder(self._decision_writer.bid_sentence_of_scene(scene_number))

    def _placeholder(self, note_text: str) -> Markup:
        if not note_text:
            return Markup("")
        self._note_texts.append(note_text)
        return Markup('<i data-note="{}"></i>').format(len(self._note_texts) - 1)

    def notes_placed_in(self, *markup_parts: object) -> list[Markup]:
        """The notes whose places are in something."""
        note_indexes = _NOTE_PLACEHOLDER.findall(" ".join(map(str, markup_parts)))
        return [inline(self._note_texts[int(note_index)]) for note_index in note_indexes]

    def number_notes(self, markup: str, chapter_number: int) -> str:
        """A chapter with the numbers of its notes."""
        note_number = 0

        def number_note(_: re.Match[str]) -> str:
            nonlocal note_number
            note_number += 1
            return str(self.book_macro("noteref", note_number, chapter_number))

        return _NOTE_PLACEHOLDER.sub(number_note, markup)

    @staticmethod
    def without_notes(markup: str) -> str:
        """A chapter without them."""
        return _NOTE_PLACEHOLDER.sub("", markup)


def compose_book(
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
    numbered_chapters = list(enumerate(campaign_site.chapters_by_session.values(), 1))
    if not numbered_chapters:
        raise NoBook("nothing has been told yet, so there is no book")
    if chapter > len(numbered_chapters):
        raise NoBook(
            f"there is no chapter {chapter}: the story has {number_in_words(len(numbered_chapters))}"
        )
    binder = _Binder(campaign_site, numbered_chapters, annotated, chapter)

    def draw_leaves() -> list[str]:
        return [leaf_field for leaf in binder.draw_leaves() for leaf_field in leaf]

    (leaf_fields,) = draw_in_child_process(
        campaign_site.site_context.env, [DrawingTask(draw_leaves, "book/")]
    )
    if isinstance(leaf_fields, TemplateFault):
        raise leaf_fields
    field_count = len(Leaf._fields)
    return binder.bind(
        [
            Leaf(*leaf_fields[leaf_start : leaf_start + field_count])
            for leaf_start in range(0, len(leaf_fields), field_count)
        ]
    )


@lru_cache(maxsize=CACHED_LEAVES)
def _as_book_xhtml(html: str) -> str:
    """A leaf as readers of books take it. Most are what they were when the book was bound last."""
    return to_xhtml(embed_drawing_styles(html))


class _Binder:
    def __init__(
        self,
        campaign_site: CampaignSite,
        numbered_chapters: list[tuple[int, Chapter]],
        annotated: bool,
        only_chapter: int,
    ) -> None:
        self._campaign_site = campaign_site
        self._all_chapters = numbered_chapters
        self._chapters = [
            numbered_chapter
            for numbered_chapter in numbered_chapters
            if not only_chapter or numbered_chapter[0] == only_chapter
        ]
        self._annotated = annotated
        self._only_chapter = only_chapter
        self._book_images_by_site_path = _find_book_images(campaign_site)
        self._env = campaign_site.site_context.env
        self._noted_chapters: list[dict[str, Any]] = []

    @cached_property
    def _renderer(self) -> BookRenderer:
        book_path_by_site_path = {
            site_file: book_file
            for site_file, (book_file, _) in self._book_images_by_site_path.items()
        }
        return BookRenderer(
            self._campaign_site, book_path_by_site_path, explains_payments=self._annotated
        )

    def draw_leaves(self) -> list[Leaf]:
        """The leaves of the book, as readers of books take them."""
        chapter_leaves = [
            self._chapter_leaf(ordinal, chapter) for ordinal, chapter in self._chapters
        ]
        leaves = [
            *chapter_leaves,
            *self._notes_leaf(),
            *self._people_leaf(),
            *self._connection_map_leaf(),
            self._colophon_leaf(),
        ]
        front_leaves = [*self._frontispiece_leaf(), self._title_leaf(), self._contents_leaf(leaves)]
        return [leaf._replace(html=_as_book_xhtml(leaf.html)) for leaf in (*front_leaves, *leaves)]

    def bind(self, leaves: Sequence[Leaf]) -> Manuscript:
        """The book of these leaves."""
        campaign_site, settings = self._campaign_site, self._campaign_site.record.campaign.settings
        book_title = campaign_site.view.title
        players = tuple(campaign_site.view.players())
        book_html = "".join(leaf.html for leaf in leaves)
        return Manuscript(
            book_title if not self._only_chapter else f"{book_title}: {self._chapters[0][1].title}",
            str(settings.language),
            players,
            str(settings.summary or ""),
            str(settings.licence or ""),
            next(
                (chapter.date for _, chapter in reversed(self._chapters) if _is_day(chapter.date)),
                EARLIEST_DAY,
            ),
            slugify(campaign_site.record.campaign.slug) or "campaign",
            tuple(leaves),
            {
                book_file: contents
                for book_file, contents in self._book_images_by_site_path.values()
                if f'"{book_file}"' in book_html
            },
            covers.draw_book_cover(campaign_site.story_emblem, book_title, players),
        )

    def _draw_leaf(
        self, file_stem: str, leaf_title: str, template_name: str, /, **template_values: Any
    ) -> Leaf:
        leaf_html = self._env.get_template(f"book/{template_name}.html").render(template_values)
        return Leaf(file_stem, leaf_title, re.sub(r"\n\s*", "\n", leaf_html).strip())

    # -- before the story --------------------------------------------------------------------------

    def _frontispiece_leaf(self) -> Iterator[Leaf]:
        """The first picture, on a page of its own; without one, what the story is about."""
        site_path, alt = self._campaign_site.cover_and_alt
        src = (
            self._book_images_by_site_path[site_path][0]
            if site_path != COVER_FILE and site_path in self._book_images_by_site_path
            else ""
        )
        summary = str(self._campaign_site.record.campaign.settings.summary or "")
        if src or summary:
            summary_html = prose(summary) if summary and not src else ""
            yield self._draw_leaf(
                "frontispiece",
                word("site.frontispiece"),
                "frontispiece",
                src=src,
                alt=alt,
                summary=summary_html,
            )

    def _title_leaf(self) -> Leaf:
        campaign_site = self._campaign_site
        chapter_dates = [chapter.date for _, chapter in self._chapters if chapter.date]
        date_range = date_span(chapter_dates[0], chapter_dates[-1]) if chapter_dates else ""
        return self._draw_leaf(
            "title",
            campaign_site.view.title,
            "title",
            title=campaign_site.view.title,
            part=self._chapters[0][1].title if self._only_chapter else "",
            players=campaign_site.view.players(),
            emblem=emblems.draw_emblem(campaign_site.story_emblem, "seal", has_fine_lines=True),
            game=campaign_site.record.rulebook.title,
            played=date_range,
        )

    def _contents_leaf(self, leaves: Iterable[Leaf]) -> Leaf:
        chapter_by_file_stem = {
            f"chapter-{ordinal}": (ordinal, chapter) for ordinal, chapter in self._chapters
        }
        contents_lines = []
        for leaf in leaves:
            ordinal, chapter = chapter_by_file_stem.get(leaf.file_stem, (0, None))
            scenes_data = [
                {
                    "url": f"{leaf.file_name}#c{ordinal}-{section.section_anchor}",
                    "title": inline(section.title),
                }
                for section in (chapter.sections if chapter is not None else ())
                if section.title and not section.is_continuation and not section.is_nested
            ]
            line_above_title = (
                word("site.chapter_number", number=number_in_words(ordinal))
                if chapter is not None
                else ""
            )
            contents_lines.append(
                {
                    "url": leaf.url,
                    "title": leaf.title,
                    "kicker": line_above_title,
                    "scenes": scenes_data,
                }
            )
        return self._draw_leaf("contents", word("site.contents"), "contents", lines=contents_lines)

    # -- the story ---------------------------------------------------------------------------------

    def _chapter_leaf(self, ordinal: int, chapter: Chapter) -> Leaf:
        chapter_name = word("site.chapter_number", number=number_in_words(ordinal))
        leaf, decision_notes = self._draw_chapter(ordinal, chapter)
        if decision_notes and not self._annotated:
            chapter_data = {
                "ordinal": ordinal,
                "name": chapter_name,
                "title": chapter.title,
                "file": leaf.file_name,
            }
            self._noted_chapters.append({**chapter_data, "notes": decision_notes})
        return leaf

    def _draw_chapter(self, ordinal: int, chapter: Chapter) -> tuple[Leaf, list[Markup]]:
        """A chapter, and the notes on how it was decided."""
        renderer, chapter_name = (
            self._renderer,
            word("site.chapter_number", number=number_in_words(ordinal)),
        )
        drawn_sections = sections_data(renderer, chapter)
        for drawn_section, section in zip(drawn_sections, chapter.sections, strict=True):
            self._add_notes_to_passages(drawn_section)
            drawn_section["bids"] = bids_note = (
                renderer.bids_placeholder(section.scene_number)
                if not section.is_continuation
                else Markup("")
            )
            drawn_section["asides"] = renderer.notes_placed_in(bids_note) if self._annotated else []
            drawn_section["talk"] = (
                [prose(talk_text) for remark in section.remarks for talk_text in remark.talk_texts]
                if self._annotated
                else []
            )
        is_last = ordinal == len(self._all_chapters)
        is_over = self._campaign_site.record.is_over
        chapter_values = {
            "ordinal": ordinal,
            "name": chapter_name,
            "title": chapter.title,
            "summary": prose(chapter.summary) if chapter.summary else "",
            "sections": drawn_sections,
            "plates": [*self._unplaced_plates(chapter.session_number, drawn_sections)],
            "closing": inline(chapter.closing),
            "last": ""
            if not is_last
            else word("site.the_end" if is_over else "site.to_be_continued"),
        }
        leaf = self._draw_leaf(
            f"chapter-{ordinal}",
            chapter.title,
            "chapter",
            chapter=chapter_values,
            seal=self._ornament_svg(),
        )
        decision_notes = renderer.notes_placed_in(leaf.html)
        if self._annotated:
            return leaf._replace(html=renderer.without_notes(leaf.html)), decision_notes
        return leaf._replace(html=renderer.number_notes(leaf.html, ordinal)), decision_notes

    def _unplaced_plates(
        self, session_number: int, drawn_sections: list[dict[str, Any]]
    ) -> Iterator[Markup]:
        """The pictures of a session that belong to no scene and to no entry."""
        shown_plates = " ".join(
            str(passage.get("plate", ""))
            for drawn_section in drawn_sections
            for passage in drawn_section["body"]
        )
        for artwork in self._campaign_site.record.campaign.art:
            site_path = self._campaign_site.pictures.path_on_site(str(artwork.file))
            src = (
                self._book_images_by_site_path[site_path][0]
                if site_path in self._book_images_by_site_path
                else ""
            )
            is_shown_elsewhere = (
                site_path == self._campaign_site.cover_and_alt[0] or f'"{src}"' in shown_plates
            )
            if src and artwork.session == session_number and not is_shown_elsewhere:
                credit = ", ".join(filter(None, (artwork.artist, artwork.licence)))
                yield self._renderer.book_macro(
                    "plate", src, artwork.alt, inline(artwork.title), inline(credit)
                )

    def _add_notes_to_passages(self, drawn_section: dict[str, Any]) -> None:
        """Give passages their notes."""
        for passage in drawn_section["body"]:
            passage["ref"] = self._renderer.note_placeholder(passage.get("marks", ()))
            block_html = [block.html for block in passage.get("blocks", ())]
            decision_notes = self._renderer.notes_placed_in(*block_html, passage["ref"])
            passage["asides"] = decision_notes if self._annotated else []

    def _ornament_svg(self) -> Markup:
        """The drawing of the story's emblem alone, as an ornament."""
        motif_svg = DRAWINGS.get(self._campaign_site.story_emblem.motif)
        view_box, paths = ("0 0 48 48", motif_svg) if motif_svg else ("0 0 120 20", _WAVE_PATH)
        return Markup(
            '<svg class="ch-emblem ornament" viewBox="{}" aria-hidden="true"><g class="m">{}</g></svg>'
        ).format(view_box, Markup(paths))

    # -- after the story ---------------------------------------------------------------------------

    def _notes_leaf(self) -> Iterator[Leaf]:
        if self._noted_chapters:
            contests = (
                step.contest for step in self._campaign_site.record.visible_steps() if step.contest
            )
            dice = (die for contest in contests for side in contest.sides for die in side.dice)
            has_void_dice = any(die.void for die in dice)
            leaf_title = word("site.how_it_was_decided")
            yield self._draw_leaf(
                "notes", leaf_title, "notes", chapters=self._noted_chapters, brackets=has_void_dice
            )

    def _people_leaf(self) -> Iterator[Leaf]:
        """Everybody, as they stood after the last evening of the book."""
        campaign_site, last_session = self._campaign_site, self._chapters[-1][1].session_number
        session_numbers = tuple(campaign_site.view.session_ends)
        if not campaign_site.view.sheets or last_session not in session_numbers:
            return
        cast = cast_of(
            campaign_site, last_session, last_session == session_numbers[-1], session_numbers
        )
        cast_groups = [
            {"title": "", "note": "", "figures": cast.leading_members},
            *(cast_group._asdict() for cast_group in cast.groups),
        ]
        for group in cast_groups:
            group["figures"] = [
                cast_member_data(self._renderer, cast_member, has_fine_lines=True)
                for cast_member in group["figures"]
            ]
        shown_groups = [group for group in cast_groups if group["figures"]]
        if shown_groups:
            yield self._draw_leaf("people", word("site.the_people"), "people", groups=shown_groups)

    def _connection_map_leaf(self) -> Iterator[Leaf]:
        """How they hang together, after the last evening of the book."""
        renderer, last_session = self._renderer, self._chapters[-1][1].session_number
        if last_session not in self._campaign_site.view.session_ends:
            return
        connection_map = connection_map_of(self._campaign_site, last_session)
        if not connection_map.bonds and not connection_map.counted_graphs:
            return
        line_samples = {
            bond_kind: renderer.macro("sheet", "line", slugify(bond_kind) or "plain")
            for bond_kind, _ in connection_map.key_lines
        }
        map_svg = arcs_svg = None
        if not connection_map.counted_graphs:
            map_arguments = TITLE, connection_map.people, connection_map.bonds, renderer.address
            map_svg = maps.draw_map(renderer.graphs, *map_arguments, maps.BOOK_PAGE_WIDTH)
            arcs_svg = maps.draw_arcs(connection_map.people, connection_map.bonds, {})
        yield self._draw_leaf(
            "map",
            TITLE,
            "map",
            title=TITLE,
            picture=map_svg,
            arcs=arcs_svg,
            key=[
                (line_samples[bond_kind], kind_words)
                for bond_kind, kind_words in connection_map.key_lines
            ],
            ties=[
                (
                    line_samples[bond.kind],
                    bond.first_ref.label,
                    bond.second_ref.label,
                    renderer.text(bond.description),
                )
                for bond in connection_map.bonds
                if bond.kind != SCENES_BOND and not connection_map.counted_graphs
            ],
            counted=[renderer.counted_graph_data(graph) for graph in connection_map.counted_graphs],
        )

    def _colophon_leaf(self) -> Leaf:
        campaign_site, settings = self._campaign_site, self._campaign_site.record.campaign.settings
        players = ", ".join(campaign_site.view.players())
        labelled_facts = [
            (word("site.told_by"), players),
            (word("site.book_played_with_head"), campaign_site.record.rulebook.title),
            (word("site.written_by"), ", ".join(map(str, settings.authors))),
            (word("site.licence"), str(settings.licence or "")),
        ]
        picture_credits = [
            {
                "title": artwork.title,
                "credit": ", ".join(filter(None, (artwork.artist, artwork.licence))),
            }
            for artwork in campaign_site.record.campaign.art
            if campaign_site.pictures.path_on_site(str(artwork.file))
            in self._book_images_by_site_path
        ]
        return self._draw_leaf(
            "colophon",
            word("site.about_this_book"),
            "colophon",
            facts=[fact for fact in labelled_facts if fact[1]],
            pictures=picture_credits,
            version=__version__,
        )


EARLIEST_DAY = "2000-01-01"


def _is_day(date_text: str) -> bool:
    return re.fullmatch(r"\d{4}-\d\d-\d\d", date_text) is not None and date_text >= EARLIEST_DAY


def _find_book_images(campaign_site: CampaignSite) -> dict[str, tuple[str, bytes]]:
    """Every picture of a campaign that e-readers can show. The key is the file on the site; the value is the
    path in the book and the contents."""
    book_images: dict[str, tuple[str, bytes]] = {}
    for site_path, contents in campaign_site.pictures.paths_and_contents():
        image_path = PurePosixPath(site_path)
        if image_path.suffix in READABLE_PICTURES:
            book_images[site_path] = f"images/{image_path.name}", contents
        else:
            campaign_site.site_context.warn(
                f"{campaign_site.view.title}: {image_path.name} is not in the book; keep it as PNG or JPEG"
            )
    return book_images
