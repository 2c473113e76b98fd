"""What all pages of one campaign share: its CampaignView, where everything lies, who is who, its pictures."""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from jinja2 import Environment
from markupsafe import escape

from chronicle.core.campaign_view import (
    Block,
    CampaignView,
    Ref,
    Section,
    SessionView,
    Sheet,
    SubjectState,
)
from chronicle.core.emblems import suggested_motifs
from chronicle.core.game import results_of
from chronicle.core.record import Step
from chronicle.core.shared_verbs import Say
from chronicle.core.teller import Teller
from chronicle.core.telling import TextRole, sentence
from chronicle.core.timeline import Scene
from chronicle.limited import LimitedProcess
from chronicle.site.bonds import Bonds
from chronicle.site.cache import BuildCache
from chronicle.site.chapters import Chapter, ChapterComposer, talk_remarks
from chronicle.site.draw import Renderer
from chronicle.site.emblems import Emblem
from chronicle.site.findings import FindTranscriptLines, ProblemQuoter
from chronicle.site.graphs import GraphDrawer
from chronicle.site.links import NameLinker, PageUrlBuilder, Slugs, slugify
from chronicle.site.lives import Lives
from chronicle.site.pictures import Pictures, Plate
from chronicle.site.prose import markdown_to_text
from chronicle.site.rule_pages import rule_page_path
from chronicle.site.share import can_draw
from chronicle.site.tally import BalanceHistory
from chronicle.site.works import Works
from chronicle.words import word

T = TypeVar("T")

_WORD = re.compile(r"\w+")
_NAME_WORD = re.compile(r"[^\W\d_]{3,}")

CONTESTS_PAGE: Final = "contests"
"""The page of all contests."""
RESERVED_NAMES = (
    "index",
    "state",
    "story",
    "sessions",
    "scenes",
    "timeline",
    "relations",
    "ledger",
    CONTESTS_PAGE,
    "dice",
    "rules-used",
    "check",
    "loose-ends",
    "everything",
    "about",
    "journal",
    "gallery",
    "downloads",
    "notes",
    "changes",
    "players",
    "curves",
    "feed",
    "share",
    "art",
    "cast",
    "since",
    "glossary",
)
"""Addresses that no registry and no page of a game takes."""

GLOSSARY_PAGE = "glossary"
"""The page of the words of the game."""
SHARE_FILE = "share.png"
"""Where the picture lies that goes with links to a story."""
COVER_FILE = "cover.svg"
"""Where the cover lies that is drawn for a story without a picture."""
MAX_QUOTE_LETTERS = 90
"""A spoken line of more letters is no taste but a meal."""
Download = tuple[str, str, bytes]
"""A file that a reader may take away: its name, what it is, what is in it."""


class Downloads(NamedTuple):
    """All that a reader may take away of a campaign."""

    books: tuple[Download, ...]
    """The story, bound."""
    files: tuple[Download, ...]
    """The record, in the forms that other programs read."""


def _no_transcript_lines(transcript_path: str) -> tuple[str, ...]:
    return ()


def _no_downloads(campaign_site: CampaignSite) -> tuple[Download, ...]:
    return ()


def _no_books(campaign_site: CampaignSite) -> tuple[Download, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class SiteContext:
    """What all pages of a site share: templates, addresses, where rules are explained, warnings."""

    env: Environment
    url_builder: PageUrlBuilder
    rules_page_by_game: Mapping[str, str]
    """Game to the page that explains its rules (``rules/positive``)."""
    warn: Callable[[str], object] = print
    graph_layouts: dict[str, str] = field(default_factory=dict)
    """Layouts by content, kept between builds."""
    make_downloads: Callable[[CampaignSite], Iterable[Download]] = _no_downloads
    """Gives the files a reader may take."""
    find_transcript_lines: FindTranscriptLines = _no_transcript_lines
    """Gives the lines of a transcript, for the check report."""
    root_folder: Path = Path()
    """The folder that paths of campaigns are relative to."""
    site_url: str = ""
    """The address of the site, where it is known."""
    make_books: Callable[[CampaignSite], Iterable[Download]] = _no_books
    """Makes the books of a campaign that a reader may take."""
    child_process: LimitedProcess = field(default_factory=LimitedProcess)
    """The child process that reads players' files, since these can be harmful."""
    build_cache: BuildCache = field(default_factory=BuildCache)
    """What earlier builds made."""
    has_guest_style: bool = False
    """Whether the site has another look than ours, and so the stylesheet for guests."""


def _first_steps_affecting(steps: Sequence[Step]) -> dict[str, int]:
    """The sheets that an event affects in a session, each with the first such entry."""
    first_step_by_sheet: dict[str, int] = {}
    for step in steps:
        if not step.hidden:
            for event in step.events:
                first_step_by_sheet.setdefault(event.subject, step.number)
    return first_step_by_sheet


def _dice_thrown(steps: Sequence[Step]) -> set[str]:
    """The dice that are thrown in an evening."""
    return {throw.die for step in steps if not step.hidden for throw in step.throws}


def _is_proper_name(name: str) -> bool:
    """Whether a name is a proper one, articles aside: ``Aud Hallam``, and not ``mate of the Constance``."""
    name_words = name.split()
    if name_words and name_words[0].casefold() == "the":
        name_words = name_words[1:]
    return all(word[:1].isupper() for word in name_words)


class CampaignSite:
    """One campaign on the site.

    Args:
        view: the contents to show.
        site_context: the data shared by all campaigns.
        folder: the folder of its pages on the site; by default, named like the campaign.
        kept_downloads: the downloads of the last build, if new ones are made only on demand.
    """

    def __init__(
        self,
        view: CampaignView,
        site_context: SiteContext,
        folder: str = "",
        kept_downloads: Downloads | None = None,
    ) -> None:
        self.view = view
        self.record = view.record
        self.site_context = site_context
        self.has_older_downloads = kept_downloads is not None
        """Whether what readers are offered is that of an earlier state."""
        self._kept_downloads = kept_downloads
        self.folder = folder or slugify(view.record.campaign.slug) or "campaign"
        self._top_slugs = Slugs(RESERVED_NAMES)
        self._path_by_game_page = {
            game_page.slug: self._top_slugs.slug_of(f"page:{game_page.slug}", game_page.slug)
            for game_page in view.pages
        }
        self.contest_lists = tuple(
            game_page for game_page in view.pages if game_page.lists_contests
        )
        """The pages of the game that are parts of the page of all contests."""
        for registry_page in view.registries:
            self._top_slugs.slug_of(f"registry:{registry_page.title}", registry_page.title)
        self._sheets_by_id = {sheet.id: sheet for sheet in reversed(view.sheets)}
        self.sheet_slugs = Slugs(("index",))
        for sheet in view.sheets:
            self.sheet_slugs.slug_of(sheet.id, sheet.name)
        self.player_slugs = Slugs(("index",))
        for player in view.players():
            self.player_slugs.slug_of(player, player)
        self._sessions_by_number = {session.number: session for session in view.sessions}
        self._seat_by_player = {player: seat for seat, player in enumerate(view.players(), 1)}
        self._page_path_by_step: dict[int, str] = {}
        """The page that each entry is on."""
        for session in view.sessions:
            session_page_path = self.path_on_site(f"sessions/{session.number}")
            self._page_path_by_step.update(
                (step.number, session_page_path) for step in session.steps
            )
        self._first_step_by_scene: dict[int, int] = {}
        for step in self.record.visible_steps():
            if step.scene is not None and step.number in self._page_path_by_step:
                self._first_step_by_scene.setdefault(step.scene, step.number)
        self.rule_registry = self.record.rulebook.registry()
        self.targets_by_ref: dict[Ref, tuple[str, str] | None] = {}
        """Where references lead, once they were looked up."""
        self._relative_urls: dict[tuple[str, str], str] = {}
        """The way from one page to another, once it was asked for."""
        self._linkers_by_page: dict[str, tuple[NameLinker, NameLinker]] = {}
        self.problem_quoter = ProblemQuoter(site_context.find_transcript_lines, self.record)
        self.balance_history = BalanceHistory(view)
        self.pictures = Pictures(
            self.record.campaign,
            site_context.root_folder,
            site_context.warn,
            site_context.child_process,
        )
        self.works = Works(view)
        self._emblems_by_id: dict[str, Emblem] = {}
        self._used_motifs: dict[str, set[str]] = {}
        """The motifs in use, by the shape of their sheets."""
        for sheet in sorted(
            view.sheets, key=lambda sheet: (sheet.shape != "person", -sheet.weight)
        ):
            self._emblems_by_id[sheet.id] = self._choose_emblem(sheet)
        self.teller = Teller(self.record)

    def session(self, session_number: int) -> SessionView:
        """An evening by its number; of several that bear it, the last."""
        return self._sessions_by_number[session_number]

    def sections_by_session(
        self,
        rows_with_sessions: Iterable[tuple[int, T]],
        gist_message: str,
        make_block: Callable[[tuple[T, ...]], Block],
    ) -> Iterator[Section]:
        """Rows with the numbers of their sessions (0: before the first), as a folded section for each
        session. ``gist_message`` is the message for the number of rows; ``make_block`` draws them."""
        session_rows_by_number: dict[int, list[T]] = {}
        for session_number, row in rows_with_sessions:
            session_rows_by_number.setdefault(session_number, []).append(row)
        for session_number, rows_of_session in session_rows_by_number.items():
            section_title = (
                f"{session_number}. {self.session(session_number).title}"
                if session_number
                else word("site.before_first_session")
            )
            yield Section(
                section_title,
                (make_block(tuple(rows_of_session)),),
                gist=word(gist_message, count=len(rows_of_session)),
            )

    def results_by_session(self, make_result: Callable[[Sequence[Step]], T]) -> Iterator[T]:
        """Give what is made of the entries of each session, session by session."""
        return (make_result(session.steps) for session in self.view.sessions)

    # -- who and what ------------------------------------------------------------------------------

    def first_step_of_scene(self, scene_number: int) -> int:
        """The step below a scene's heading: the first step that is shown; 0 if none is."""
        return self._first_step_by_scene.get(scene_number, 0)

    @cached_property
    def scenes_by_last_step(self) -> dict[int, list[Scene]]:
        """By the entry that ends them: the scenes that are over."""
        scenes_by_last_step: dict[int, list[Scene]] = {}
        for scene in self.record.timeline.scenes:
            if scene.last_step is not None:
                scenes_by_last_step.setdefault(scene.last_step, []).append(scene)
        return scenes_by_last_step

    def seat_number(self, player: str) -> int:
        """The seat of a player, from 1; 0 for anybody else."""
        return self._seat_by_player.get(player, 0)

    def name(self, subject_id: str) -> str:
        """The name for an id as readers meet it; the id itself if it has no name."""
        if (sheet := self._sheets_by_id.get(subject_id)) is not None:
            return sheet.name
        named_subject = self.record.names.all.get(subject_id)
        return named_subject.name if named_subject is not None else subject_id

    def _choose_emblem(self, sheet: Sheet) -> Emblem:
        """The emblem of a sheet: its chosen motif, or the first suggested motif that is still free."""
        chosen_emblem = self.record.emblems.get(sheet.id)
        used_motifs = self._used_motifs.setdefault(sheet.shape, set())
        # Who has a role is that; a name may mean anything.
        suggestions = suggested_motifs(sheet.role or sheet.name)
        motif = (
            chosen_emblem.motif
            if chosen_emblem
            else next(
                (suggestion for suggestion in suggestions if suggestion not in used_motifs), ""
            )
        )
        used_motifs.add(motif)
        is_dark = chosen_emblem.dark if chosen_emblem else sheet.has_no_player
        return Emblem(sheet.name, motif, sheet.shape, is_dark, sheet.gone, self.weight_of(sheet))

    def weight_of(
        self,
        sheet: Sheet,
        subject_state: SubjectState | None = None,
        through_session: int | None = None,
    ) -> int:
        """A person's weight, now or in ``subject_state``: by the rules, or else the number of their scenes."""
        if sheet.weight:
            return subject_state.weight if subject_state is not None else sheet.weight
        return self.scene_count_of(sheet.id, through_session)

    def scene_count_of(self, person_id: str, through_session: int | None = None) -> int:
        """The number of a person's scenes, up to a session."""
        session_numbers = self._sessions_by_sheet.get(person_id, ())
        return (
            len(session_numbers)
            if through_session is None
            else bisect_right(session_numbers, through_session)
        )

    @cached_property
    def entry_anchors(self) -> list[str]:
        """The anchor of each entry, in the order of the log."""
        steps = self.record.steps
        return steps[0].anchors.all_anchors() if steps else []

    @cached_property
    def entry_count(self) -> int:
        """How many entries of the log are shown, those inside of others not counted."""
        return sum(step.parent is None and not step.hidden for step in self.record.steps)

    def mention_count(self, sheet: Sheet, through_session: int) -> int:
        """The number of entries, up to a session, that mention a person after the entry that introduced them."""
        folded_names = [name.casefold() for name in sheet.names]
        first_step = self.first_step_by_subject.get(sheet.id, 0)
        return sum(
            any(folded_name in folded_text for folded_name in folded_names)
            for step in self.record.visible_steps()
            if first_step < step.number and step.session <= through_session
            for folded_text in (str(step.action.text or "").casefold(),)
        )

    @cached_property
    def _sessions_by_sheet(self) -> dict[str, list[int]]:
        """For each sheet, the sessions of its scenes, in rising order."""
        sessions_by_sheet: dict[str, list[int]] = {}
        for scene in self.record.timeline.scenes:
            for sheet_id in self._person_ids_of_scene(scene):
                insort(sessions_by_sheet.setdefault(sheet_id, []), scene.session)
        return sessions_by_sheet

    def _person_ids_of_scene(self, scene: Scene) -> set[str]:
        """Who was in a scene, or called upon from there."""
        return {*scene.cast, *self._absentee_ids_by_scene.get(scene.number, ())}

    @cached_property
    def _absentee_ids_by_scene(self) -> dict[int, list[str]]:
        """Who was called upon from each scene."""
        ids_by_scene: dict[int, list[str]] = {}
        for sheet in self.view.sheets:
            for scene_number in sheet.absent_scene_numbers:
                ids_by_scene.setdefault(scene_number, []).append(sheet.id)
        return ids_by_scene

    @cached_property
    def step_numbers_by_rule(self) -> dict[str, list[int]]:
        """Every rule that mattered, with the entries where it did."""
        return self.record.rules_used()

    @cached_property
    def first_step_by_subject(self) -> dict[str, int]:
        """The entry at which each is first met: in a scene, or done something to."""
        first_step_by_sheet: dict[str, int] = {}
        for first_step_by_sheet_of_session in self.results_by_session(_first_steps_affecting):
            for sheet_id, step_number in first_step_by_sheet_of_session.items():
                first_step_by_sheet.setdefault(sheet_id, step_number)
        for scene in self.record.timeline.scenes:
            for sheet_id in self._person_ids_of_scene(scene):
                first_step_by_sheet[sheet_id] = min(
                    first_step_by_sheet.get(sheet_id, scene.first_step), scene.first_step
                )
        return first_step_by_sheet

    def emblem_at(self, sheet: Sheet, subject_state: SubjectState, through_session: int) -> Emblem:
        """The emblem of a sheet as of the end of a session."""
        weight = self.weight_of(sheet, subject_state, through_session)
        return self._emblems_by_id[sheet.id]._replace(is_gone=subject_state.gone, tick_count=weight)

    @cached_property
    def bonds(self) -> Bonds:
        """The connections between sheets."""
        return Bonds(self.view, self.name)

    @cached_property
    def has_map(self) -> bool:
        """Whether a map has something to show at the end."""
        session_ends = self.view.session_ends
        return bool(session_ends) and self.has_map_after(max(session_ends))

    def has_map_after(self, session_number: int) -> bool:
        """Whether a map has something to show at the end of a session."""
        counted_graphs = (
            graph for graph in self.view.session_ends[session_number].relations if graph.counted
        )
        return bool(self.bonds.bonds_after(session_number)) or any(
            graph.edges for graph in counted_graphs
        )

    @cached_property
    def lives(self) -> Lives:
        """What the keepers and the record tell of people and of sessions."""
        return Lives(self.record, results_of(self.record), self.view.outcomes)

    def link_or_name(self, subject_id: str) -> Ref | str:
        """An id as a link to its page; the name if there is no page."""
        if subject_id in self._seat_by_player:
            return Ref("player", subject_id, subject_id)
        sheet = self._sheets_by_id.get(subject_id)
        return Ref("sheet", subject_id, sheet.name) if sheet is not None else self.name(subject_id)

    @property
    def emblems_by_id(self) -> dict[str, Emblem]:
        """The emblems of all sheets, by their ids."""
        return self._emblems_by_id

    def find_emblem(self, sheet_id: str) -> Emblem | None:
        """The emblem of a sheet, by its id, where there is such a sheet."""
        return self._emblems_by_id.get(sheet_id)

    def emblem(self, sheet_id: str) -> Emblem:
        """The emblem of a sheet, by its id."""
        return self._emblems_by_id[sheet_id]

    @cached_property
    def story_emblem(self) -> Emblem:
        """The emblem of the story as a whole."""
        settings = self.record.campaign.settings
        story_title, chosen_emblem = self.view.title, settings.emblem
        if chosen_emblem is not None:
            return Emblem(story_title, chosen_emblem.motif, is_dark=chosen_emblem.dark)
        main_sheet = max(self.view.sheets, key=self.weight_of, default=None)
        motif = next(suggested_motifs(story_title, str(settings.summary or "")), "")
        if not motif and main_sheet is not None:
            motif = self.emblem(main_sheet.id).motif
        return Emblem(story_title, motif)

    @cached_property
    def cast(self) -> list[Sheet]:
        """All people that can be met, by weight."""
        people = (
            sheet
            for sheet in self.view.sheets
            if sheet.shape == "person" and not sheet.is_never_seen
        )
        return sorted(people, key=lambda sheet: -self.weight_of(sheet))

    @cached_property
    def cover_and_alt(self) -> tuple[str, str]:
        """The picture that stands for the story: its file, and what it shows."""
        artworks_in_session_order = sorted(
            self.record.campaign.art, key=lambda artwork: artwork.session or 0
        )
        for artwork in artworks_in_session_order:
            picture_path = self.pictures.path_on_site(str(artwork.file))
            if picture_path:
                return picture_path, artwork.alt
        return COVER_FILE, ""

    @cached_property
    def word_count(self) -> int:
        """How many words the whole story has."""
        return sum(chapter.word_count for chapter in self.chapters_by_session.values())

    @property
    def reading_minutes(self) -> int:
        """How long it takes to read: the minutes of all chapters."""
        return sum(chapter.reading_minutes for chapter in self.chapters_by_session.values())

    @property
    def share_picture(self) -> str:
        """The picture that goes with links to it, a path within the site; empty: there is none."""
        return self.path_on_site(SHARE_FILE) if self.site_context.site_url and can_draw() else ""

    @cached_property
    def description(self) -> str:
        """The subject of the story in one line; empty if the keepers gave none."""
        return markdown_to_text(str(self.record.campaign.settings.summary or ""))

    @cached_property
    def opening_quote(self) -> tuple[str, ...]:
        """The first two lines that were spoken, for a taste of it."""
        for step in self.record.visible_steps():
            if isinstance(step.action, Say) and len(step.action.lines) > 1:
                opening_lines = [" ".join(line.words.split()) for line in step.action.lines[:2]]
                if all(len(quoted_line) < MAX_QUOTE_LETTERS for quoted_line in opening_lines):
                    return tuple(opening_lines)
        return ()

    def player_of(self, subject_id: str) -> str:
        """Whose a character or Component is; a player is their own."""
        sheet = self._sheets_by_id.get(subject_id)
        return (
            sheet.player
            if sheet is not None
            else subject_id
            if subject_id in self._seat_by_player
            else ""
        )

    @cached_property
    def refs_by_linked_name(self) -> dict[str, Ref]:
        """The names that become links in texts."""
        refs_by_name = {
            player_name: Ref("player", player_name, player_name)
            for player_name in self.view.players()
        }
        for sheet in self.view.sheets:
            ref = Ref("sheet", sheet.id, sheet.name)
            refs_by_name.update(
                (sheet_name, ref) for sheet_name in sheet.names if len(sheet_name) > 1
            )
        for short_name, sheet_id in self.sheet_id_by_short_name.items():
            refs_by_name.setdefault(
                short_name, Ref("sheet", sheet_id, self._sheets_by_id[sheet_id].name)
            )
        return refs_by_name

    @cached_property
    def sheet_id_by_short_name(self) -> dict[str, str]:
        """Single words of people's names (``Aud`` for Aud Hallam) and their ids. Only words that belong to
        one person and have no other use in the story."""
        ids_by_word: dict[str, set[str]] = {}
        for sheet in self.view.sheets:
            proper_names = (sheet_name for sheet_name in sheet.names if _is_proper_name(sheet_name))
            for name_word in {
                name_word for name in proper_names for name_word in _NAME_WORD.findall(name)
            }:
                ids_by_word.setdefault(name_word, set()).add(sheet.id)
        person_ids = {sheet.id for sheet in self.view.sheets if sheet.shape == "person"}
        story_texts = (step.fiction for step in self.record.visible_steps())
        common_words = {
            name_word for story_text in story_texts for name_word in _WORD.findall(story_text)
        }
        common_words.update(
            name_word
            for chapter in self.chapters_by_session.values()
            for told_entry in chapter.told_entries()
            for text_piece in told_entry.text_pieces
            if text_piece.role is TextRole.SENTENCE
            for name_word in _WORD.findall(sentence(text_piece.text))
        )
        common_words.update(self.view.players())
        return {
            name_word: next(iter(sheet_ids))
            for name_word, sheet_ids in ids_by_word.items()
            if len(sheet_ids) == 1
            and sheet_ids <= person_ids
            and name_word[0].isupper()
            and name_word.lower() not in common_words
            and name_word not in self._seat_by_player
        }

    @cached_property
    def session_chapters(self) -> tuple[Chapter, ...]:
        """The chapters of all sessions, each with its talk at the table."""
        composer = ChapterComposer(
            self.view, self.teller, self.first_step_of_scene, self.plates_about, self.emblem
        )
        return tuple(map(composer.compose_chapter, self.view.sessions))

    @cached_property
    def chapters_by_session(self) -> dict[int, Chapter]:
        """The story: the evenings that told anything."""
        return {
            chapter.session_number: chapter
            for chapter in self.session_chapters
            if any(section.passages for section in chapter.sections)
        }

    def remarks(self, step: Step) -> Iterator[str]:
        """The talk at the table beside an entry (Markdown)."""
        return talk_remarks(self.teller, step)

    @cached_property
    def told_step_numbers(self) -> frozenset[int]:
        """The entries that the story tells."""
        return frozenset(
            told_entry.step_number
            for chapter in self.chapters_by_session.values()
            for told_entry in chapter.told_entries()
        )

    def plates_about(self, subject_kind: str, subject_id: str) -> tuple[Plate, ...]:
        """The pictures about a scene or an entry."""
        return self.pictures.plates_of(self.works.works_about(subject_kind, subject_id))

    @cached_property
    def throws_dice(self) -> bool:
        """Whether chance is a matter of dice here, and not of cards, which the game tells of itself."""
        thrown_dice = {
            die_name for dice in self.results_by_session(_dice_thrown) for die_name in dice
        }
        return not thrown_dice or not thrown_dice.isdisjoint(self.view.dice)

    @cached_property
    def lists_throws(self) -> bool:
        """Whether there are throws of dice to list: some fell, or a contest was decided."""
        steps = self.record.visible_steps()
        return self.throws_dice and any(step.throws or step.contest is not None for step in steps)

    # -- where -------------------------------------------------------------------------------------

    def path_on_site(self, page_path: str) -> str:
        """The path of a page of this campaign within the site."""
        return f"{self.folder}/{page_path}"

    def sheet_page_path(self, sheet: Sheet) -> str:
        """The page of a sheet."""
        return f"{self.registry_folder(sheet.registry)}/{self.sheet_slugs.slug_of(sheet.id, sheet.name)}"

    def registry_folder(self, registry_title: str) -> str:
        """The folder of the sheets of a registry, by its title."""
        return self._top_slugs.slug_of(f"registry:{registry_title}", registry_title)

    def sheet_crumbs(self, sheet: Sheet) -> tuple[tuple[str, str], ...]:
        """The page above a sheet: the people, or all that has a sheet."""
        if any(person is sheet for person in self.cast):
            return ((word("site.the_people"), "cast/index"),)
        return ((word("site.everything"), "everything"),)

    def game_page_path(self, page_slug: str) -> str:
        """The page that a game calls so: one of its own, or one that every game has."""
        if any(game_page.slug == page_slug for game_page in self.contest_lists):
            return CONTESTS_PAGE
        return self._path_by_game_page.get(page_slug, page_slug)

    def page_with_subpages(self, page_slug: str, title: str) -> tuple[Ref, ...]:
        """A page and the pages inside it, to list in the head of each; empty if there are none inside."""
        subpages = [page for page in self.view.pages if page.within == page_slug]
        subpage_refs = (Ref("page", subpage.slug, subpage.title) for subpage in subpages)
        return (Ref("page", page_slug, title), *subpage_refs) if subpages else ()

    def player_page_path(self, player: str) -> str:
        """The page of a player."""
        return f"players/{self.player_slugs.slug_of(player, player)}"

    @cached_property
    def downloads(self) -> Downloads:
        """What a reader may take away."""
        if self._kept_downloads is not None:
            return self._kept_downloads
        return Downloads(
            tuple(self.site_context.make_books(self)), tuple(self.site_context.make_downloads(self))
        )

    def chapter_page_path(self, session_number: int) -> str:
        """The page on which the story of an evening stands: the first opens the book."""
        return (
            "story"
            if session_number == next(iter(self.chapters_by_session), session_number)
            else f"story/{session_number}"
        )

    def target_of(self, ref: Ref) -> tuple[str, str] | None:
        """(page within the site, anchor) of a reference, or None."""
        try:
            return self.targets_by_ref[ref]
        except KeyError:
            target = self.targets_by_ref[ref] = self._find_target(ref)
            return target

    def _find_target(self, ref: Ref) -> tuple[str, str] | None:
        match ref.kind:
            case "step":
                step_number = int(ref.id or 0)
                if step_number not in self._page_path_by_step:
                    return None
                return self._page_path_by_step[step_number], self.entry_anchors[step_number - 1]
            case "told":
                step_number = int(ref.id or 0)
                if step_number not in self.told_step_numbers:
                    return None
                chapter_path = self.chapter_page_path(self.record.step(step_number).session)
                return self.path_on_site(chapter_path), self.entry_anchors[step_number - 1]
            case "chapter":
                return self.path_on_site(self.chapter_page_path(int(ref.id))), ""
            case "after":
                if not self.first_step_of_scene(int(ref.id)):
                    return None  # it is not shown, or was there only before the log changed
                last_step = self.record.timeline.get(int(ref.id)).last_step
                if last_step is None or self.record.step(last_step).hidden:
                    return self.target_of(ref._replace(kind="scene"))
                return self._page_path_by_step[last_step], f"after-{ref.id}"
            case "scene":
                first_step = self.first_step_of_scene(int(ref.id))
                return (
                    (self._page_path_by_step[first_step], f"{ref.kind}-{ref.id}")
                    if first_step
                    else None
                )
            case "session":
                return self.path_on_site(f"sessions/{ref.id}"), ""
            case "sheet":
                sheet = self._sheets_by_id.get(ref.id)
                return (
                    (self.path_on_site(self.sheet_page_path(sheet)), "")
                    if sheet is not None
                    else None
                )
            case "player":
                return self.path_on_site(self.player_page_path(ref.id)), ""
            case "page":
                is_contest_list = any(game_page.slug == ref.id for game_page in self.contest_lists)
                return self.path_on_site(
                    self.game_page_path(ref.id)
                ), ref.id if is_contest_list else ""
            case "path":
                return self.path_on_site(ref.id), ""
            case "journal":
                return self.path_on_site("journal"), ref.id
            case "art":
                anchor = self.pictures.anchor(ref.id)
                return (self.path_on_site("gallery"), anchor) if anchor is not None else None
            case "map":
                return (self.path_on_site("relations"), "") if self.has_map else None
            case "term":
                glossary_word = self.glossary_term_by_word.get(ref.id.casefold())
                return (
                    (self.path_on_site(GLOSSARY_PAGE), slugify(glossary_word))
                    if glossary_word is not None
                    else None
                )
            case "game":
                game_name = self.record.rulebook.name
                return (
                    (f"rules/{game_name}", "")
                    if self.site_context.rules_page_by_game.get(game_name)
                    else None
                )
            case "rule":
                rules_page_path = self.site_context.rules_page_by_game.get(
                    self.record.rulebook.name
                )
                rule = self.rule_registry.get(ref.id) if rules_page_path else None
                if rule is None:
                    return None
                return rule_page_path(self.record.rulebook, rule.id), rule.id.casefold()
        return None

    def url(self, from_path: str, ref: Ref) -> str:
        """The address of a reference as seen from ``from_path``; empty if it leads nowhere."""
        target = self.target_of(ref)
        if target is None:
            return ""
        target_path, anchor = target
        relative_url = self._relative_urls.get((from_path, target_path))
        if relative_url is None:
            relative_url = self._relative_urls[from_path, target_path] = (
                self.site_context.url_builder.between(self.path_on_site(from_path), target_path)
            )
        return f"{'' if relative_url == '#' else relative_url}#{anchor}" if anchor else relative_url

    def card_script_urls(self, from_path: str) -> tuple[str, str]:
        """The addresses of what cards on names and on rules are made of; empty where there is none."""
        cards_url = self.url(from_path, Ref("path", "cards.js", "")) if self.view.sheets else ""
        rules_page = self.site_context.rules_page_by_game.get(self.record.rulebook.name)
        rules_url = (
            self.site_context.url_builder.between(self.path_on_site(from_path), f"{rules_page}.js")
            if rules_page
            else ""
        )
        return cards_url, rules_url

    @cached_property
    def glossary_term_by_word(self) -> dict[str, str]:
        """The words of the game, in the form of the glossary."""
        return {
            word.casefold(): term.synonyms[0]
            for term in self.rule_registry.terms
            for word in term.synonyms
        }

    # -- drawing -----------------------------------------------------------------------------------

    @property
    def page_inputs(self) -> tuple[object, ...]:
        """What every page of the campaign rests on, beside what it shows."""
        site_context, game_name = self.site_context, self.record.rulebook.name
        shared_inputs = (
            site_context.url_builder,
            site_context.rules_page_by_game.get(game_name),
            game_name,
        )
        return (self.folder, self.view.title, self.view.players(), *shared_inputs)

    def renderer(
        self,
        page_path: str,
        urls_by_ref: dict[Ref, str],
        emblems_by_sheet: dict[str, Emblem | None],
    ) -> Renderer:
        """A renderer for a page; ``links`` gets every reference that it looks up, and where it leads, and
        ``emblems`` every emblem by the id of its sheet."""

        def find_address(ref: Ref) -> str:
            url = urls_by_ref.get(ref)
            if url is None:
                url = urls_by_ref[ref] = self.url(page_path, ref)
            return url

        def find_emblem(sheet_id: str) -> Emblem | None:
            emblems_by_sheet[sheet_id] = self.find_emblem(sheet_id)
            return emblems_by_sheet[sheet_id]

        site_context = self.site_context
        graph_drawer = GraphDrawer(
            find_address, self.seat_number, site_context.warn, site_context.graph_layouts
        )
        name_linker, term_linker = self._linker(page_path)
        return Renderer(
            site_context.env,
            find_address,
            self.seat_number,
            name_linker,
            graph_drawer,
            find_emblem,
            term_linker,
        )

    def _linker(self, page_path: str) -> tuple[NameLinker, NameLinker]:
        """What links names, and what links words of the game."""
        folder, uses_folder_urls = (
            page_path.rpartition("/")[0],
            self.site_context.url_builder.uses_folder_urls,
        )
        # Pages of one folder see all others at the same addresses.
        linker_page = page_path if uses_folder_urls else f"{folder}/index" if folder else "index"
        name_and_term_linkers = self._linkers_by_page.get(linker_page)
        if name_and_term_linkers is None:
            term_linker = NameLinker(dict(self._term_tags(linker_page)), only_inside_sentences=True)
            shown_names = {} if folder == "sessions" else self.shown_name_by_name
            name_and_term_linkers = (
                NameLinker(dict(self._name_tags(linker_page)), shown_name_by_name=shown_names),
                term_linker,
            )
            if not uses_folder_urls:
                self._linkers_by_page[linker_page] = name_and_term_linkers
        return name_and_term_linkers

    @cached_property
    def shown_name_by_name(self) -> dict[str, str]:
        """The names in the log that readers meet as others, outside of annotated play."""
        return {sheet.counted_as: sheet.name for sheet in self.view.sheets if sheet.counted_as}

    def _term_tags(self, from_path: str) -> Iterator[tuple[str, tuple[str, str]]]:
        for term in self.rule_registry.terms:
            for synonym in term.synonyms:
                url = escape(self.url(from_path, Ref("term", synonym, "")))
                yield synonym, (f'<a class="ch-term" href="{url}">', "</a>")

    def _name_tags(self, from_path: str) -> Iterator[tuple[str, tuple[str, str]]]:
        for linked_name, ref in self.refs_by_linked_name.items():
            url = escape(self.url(from_path, ref))
            css_class = "ch-name"
            if ref.kind == "player":
                css_class = f"ch-player p{(self.seat_number(ref.id) - 1) % 8 + 1}"
            yield linked_name, (f'<a class="{css_class}" href="{url}">', "</a>")
