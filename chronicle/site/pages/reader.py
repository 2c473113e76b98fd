"""A session step by step (``reader.html``): one entry at a time, and the table right after it.

All steps are on one page. The address alone decides which step is shown, so that every step has an address
and the page works without scripts. A state of play comes once, before the entries that left it so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import Block, Graph, Ref, SessionView, Slip, Slips, Stats
from chronicle.core.names import Named
from chronicle.core.record import BidRanking, Contest, Event, Step, Weighing
from chronicle.core.telling import Piece, TextRole
from chronicle.site import entries, findings, pictures
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.evening import EntryBar, entry_bars
from chronicle.site.findings import ShownProblem
from chronicle.site.notes import DiceWinnings, MarginNote, MarginNotes
from chronicle.site.page_builder import PageSpec
from chronicle.site.pictures import Plate
from chronicle.site.prose import inline
from chronicle.words import word

LARGE_TYPE_LETTERS = 170
"""The most letters of a moment in large type; a much longer moment is in small type."""
STATE_WIDTH = 300
"""How wide the state of play is drawn, in CSS pixels."""


class Moment(NamedTuple):
    """One entry, by itself."""

    step_number: int
    anchor: str
    former_anchor: str
    player: str
    speaker: str
    title: str
    """What kind of entry it is, in a word or two."""
    is_quiet: bool
    is_hidden: bool
    is_retracted: bool
    text_pieces: tuple[Piece, ...] = ()
    speakers: tuple[str, ...] = ()
    talk_texts: tuple[str, ...] = ()
    margin_note: MarginNote | None = None
    bid_ranking: BidRanking | None = None
    weighing: Weighing | None = None
    contest: Contest | None = None
    winnings: tuple[DiceWinnings, ...] = ()
    effects: tuple[Event, ...] = ()
    problems: tuple[ShownProblem, ...] = ()
    plates: tuple[Plate, ...] = ()
    state_blocks: tuple[Block, ...] = ()
    """The state of play right after it."""


class SceneMoments(NamedTuple):
    """Entries of one scene that follow each other."""

    scene_number: int
    """Its number; 0 before and between scenes."""
    title: str
    place_and_time: str
    moments: tuple[Moment, ...]


class SessionSteps(NamedTuple):
    """What the page shows."""

    session_number: int
    title: str
    scene_moments: tuple[SceneMoments, ...]
    entry_bars: tuple[EntryBar, ...]
    has_chapter: bool
    assets_url: str
    """Where the styles and scripts lie, as seen from here."""
    has_guest_style: bool
    """Whether it has the stylesheet for guests."""
    home_url: str
    card_urls: tuple[str, str]
    """The files that cards on names and on rules are made of."""


def steps_page_path_of(session_number: int) -> str:
    """The page of an evening, step by step."""
    return f"sessions/{session_number}-steps"


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """A page an evening that has any entries."""
    for session in campaign_site.view.sessions:
        if session.steps:
            steps_page_path = steps_page_path_of(session.number)
            make_relative_url = campaign_site.site_context.url_builder.between
            path_on_site = campaign_site.path_on_site(steps_page_path)
            session_steps = SessionSteps(
                session.number,
                session.title,
                tuple(_moments_by_scene(campaign_site, session)),
                entry_bars(campaign_site, session),
                session.number in campaign_site.chapters_by_session,
                make_relative_url(path_on_site, "assets/chronicle/reader.js").removesuffix(
                    "reader.js"
                ),
                campaign_site.site_context.has_guest_style,
                make_relative_url(path_on_site, "index"),
                campaign_site.card_script_urls(steps_page_path),
            )
            yield PageSpec(
                steps_page_path,
                session.title,
                session_steps,
                _template_values,
                draws_full_html=True,
            )


def _moments_by_scene(campaign_site: CampaignSite, session: SessionView) -> Iterator[SceneMoments]:
    moment_builder, first_step, last_step = (
        _MomentBuilder(campaign_site, session),
        session.steps[0],
        session.steps[-1],
    )
    for scene_number, steps in groupby(session.steps, key=lambda step: step.scene):
        shown_moments = tuple(moment_builder.moment_of(step) for step in steps)
        if scene_number is None:
            is_first, is_last = (
                shown_moments[0].step_number == first_step.number,
                shown_moments[-1].step_number == last_step.number,
            )
            outer_title = word("site.before_first_scene" if is_first else "site.after_last_scene")
            yield SceneMoments(
                0,
                outer_title if is_first != is_last else word("site.between_the_scenes"),
                "",
                shown_moments,
            )
            continue
        scene = campaign_site.record.timeline.get(scene_number)
        place_and_time = ", ".join(
            scene_fact for scene_fact in (scene.place, scene.when) if scene_fact
        )
        # If all entries of a scene are hidden, the page does not name the scene.
        is_scene_shown = bool(campaign_site.first_step_of_scene(scene_number))
        yield (
            SceneMoments(scene_number, scene.label, place_and_time, shown_moments)
            if is_scene_shown
            else SceneMoments(0, word("site.sealed_entry"), "", shown_moments)
        )


class _MomentBuilder:
    def __init__(self, campaign_site: CampaignSite, session: SessionView) -> None:
        self._campaign_site = campaign_site
        self._margin_notes = MarginNotes(campaign_site)
        self._used_anchors = {step.anchor for step in session.steps}
        self._state_blocks: tuple[Block, ...] = ()

    def moment_of(self, step: Step) -> Moment:
        campaign_site, action = self._campaign_site, step.action
        former_anchor = step.former_anchor if step.former_anchor not in self._used_anchors else ""
        self._used_anchors.add(former_anchor)
        # Entries inside another entry leave the table like the outer entry.
        state_blocks = campaign_site.view.entry_panels.get(step.number)
        if state_blocks is not None and step.parent is None:
            self._state_blocks = tuple(
                block for block in state_blocks if not isinstance(block, Graph)
            )
        if step.hidden:
            entry_title, state_blocks = word("site.sealed_entry"), self._state_blocks
            return Moment(
                step.number,
                step.anchor,
                former_anchor,
                "",
                "",
                entry_title,
                True,
                True,
                False,
                state_blocks=state_blocks,
            )
        all_pieces = [
            text_piece
            for text_piece in campaign_site.teller.pieces_of(step)
            if text_piece.role is not TextRole.LEAD
        ]
        text_pieces = tuple(
            text_piece for text_piece in all_pieces if text_piece.role is not TextRole.TALK
        )
        contest = step.contest
        margin_note = self._margin_notes.margin_note_of_step(
            step, "" if text_pieces else step.anchor
        )
        diagnostics = [diagnostic for diagnostic in step.diagnostics if diagnostic.is_reported]
        return Moment(
            step.number,
            step.anchor,
            former_anchor,
            step.player,
            step.speaker if step.player and step.speaker != step.player else "",
            action.caption(),
            action.quiet,
            False,
            bool(step.retracted_by),
            text_pieces,
            tuple(
                self._player_of(text_piece.speaker)
                for text_piece in text_pieces
                if text_piece.role is TextRole.SPOKEN
            ),
            tuple(campaign_site.remarks(step)),
            margin_note,
            step.bid_ranking,
            step.weighing,
            contest,
            tuple(self._margin_notes.winnings_of_throw(step)) if contest is not None else (),
            tuple(self._margin_notes.effects_of_throw(step, contest))
            if contest is not None
            else (),
            tuple(
                campaign_site.problem_quoter.shown_problem(diagnostic) for diagnostic in diagnostics
            ),
            campaign_site.plates_about("step", str(step.number)),
            self._state_blocks,
        )

    def _player_of(self, speaker: str) -> str:
        named_subject = self._campaign_site.record.names.find(speaker)
        return (
            self._campaign_site.player_of(named_subject.id)
            if isinstance(named_subject, Named)
            else ""
        )


# -- drawing ---------------------------------------------------------------------------------------


def _template_values(renderer: Renderer, session_steps: SessionSteps) -> dict[str, Any]:
    renderer.is_bare, renderer.width = True, STATE_WIDTH
    session_number_text = str(session_steps.session_number)
    all_moments = [
        moment for scene_moments in session_steps.scene_moments for moment in scene_moments.moments
    ]
    next_dice_anchors = _next_dice_anchors(all_moments)
    state_drawer = _StateDrawer(renderer)
    scenes_data = [
        {
            "scene": scene_moments.scene_number,
            "title": inline(scene_moments.title),
            "when": renderer.text(scene_moments.place_and_time),
            "rows": list(
                _step_rows(
                    renderer,
                    state_drawer,
                    scene_moments,
                    all_moments,
                    next_dice_anchors,
                    _next_scene_anchor(session_steps.scene_moments[scene_index + 1 :]),
                )
            ),
        }
        for scene_index, scene_moments in enumerate(session_steps.scene_moments)
    ]
    return {
        "number": session_steps.session_number,
        "count": len(all_moments),
        "takes": scenes_data,
        "bars": [
            {"colour": renderer.seat_of(bar.player), "kind": bar.bar_kind}
            for bar in session_steps.entry_bars
        ],
        "annotated": renderer.address(Ref("session", session_number_text, "")),
        "story": renderer.address(Ref("chapter", session_number_text, ""))
        if session_steps.has_chapter
        else "",
        "home": renderer.address(Ref("path", "index", "")),
        "assets": session_steps.assets_url,
        "guest": session_steps.has_guest_style,
        "site": session_steps.home_url,
        "cards": session_steps.card_urls,
    }


def _next_scene_anchor(later_scenes: Sequence[SceneMoments]) -> str:
    """The address at which the next scene begins or goes on."""
    return next(
        (
            scene_moments.moments[0].anchor
            for scene_moments in later_scenes
            if scene_moments.scene_number
        ),
        "",
    )


def _next_dice_anchors(all_moments: Sequence[Moment]) -> list[str]:
    """For each moment the address at which dice are thrown next after it; empty: none are."""
    next_anchors: list[str] = []
    next_anchor = ""
    for moment in reversed(all_moments):
        next_anchors.append(next_anchor)
        if moment.contest is not None:
            next_anchor = moment.anchor
    return next_anchors[::-1]


def _step_rows(
    renderer: Renderer,
    state_drawer: _StateDrawer,
    scene_moments: SceneMoments,
    all_moments: Sequence[Moment],
    next_dice_anchors: Sequence[str],
    next_scene_anchor: str,
) -> Iterator[dict[str, Any]]:
    """The steps of a take, and before each that changed it, the state of play. ``next_dice_anchors`` are the addresses
    of the next throw after each of ``all_moments``, ``next_scene_anchor`` is that of the next scene."""
    last_blocks: tuple[Block, ...] | None = None
    for moment in scene_moments.moments:
        if moment.state_blocks != last_blocks:
            last_blocks = moment.state_blocks
            yield {
                "kind": "board",
                "step": moment.step_number,
                "html": state_drawer.draw_state(moment.state_blocks),
            }
        moment_index = moment.step_number - all_moments[0].step_number
        yield {
            "kind": "step",
            "place": moment_index,
            "first": all_moments[0].anchor,
            "previous": all_moments[moment_index - 1].anchor if moment_index else "",
            "next": all_moments[moment_index + 1].anchor
            if moment_index + 1 < len(all_moments)
            else "",
            "dice": next_dice_anchors[moment_index],
            "scene": next_scene_anchor,
            **_moment_data(renderer, moment),
        }


def _moment_data(renderer: Renderer, moment: Moment) -> dict[str, Any]:
    letter_count = sum(len(text_piece.text) for text_piece in moment.text_pieces)
    return {
        "step": moment.step_number,
        "anchor": moment.anchor,
        "former": moment.former_anchor,
        "who": renderer.player(moment.player),
        "speaker": renderer.text(moment.speaker) if moment.speaker else "",
        "colour": renderer.seat_of(moment.player),
        "title": moment.title,
        "quiet": moment.is_quiet,
        "hidden": moment.is_hidden,
        "struck": moment.is_retracted,
        "size": "large"
        if letter_count < LARGE_TYPE_LETTERS
        else "small"
        if letter_count > 5 * LARGE_TYPE_LETTERS
        else "",
        "blocks": entries.paragraphs_of_entry(renderer, moment.text_pieces, moment.speakers),
        "talk": [renderer.prose(talk_text) for talk_text in moment.talk_texts],
        "note": entries.margin_note_data(renderer, moment.margin_note)
        if moment.margin_note is not None
        else None,
        "ladder": entries.bid_ranking_data(renderer, moment.bid_ranking)
        if moment.bid_ranking is not None
        else None,
        "dispute": entries.dispute_data(renderer, moment.weighing)
        if moment.weighing is not None
        else None,
        "card": entries.draw_throw(renderer, moment.contest, moment.winnings, moment.effects)
        if moment.contest is not None
        else "",
        "found": [findings.draw_problem(renderer, problem) for problem in moment.problems],
        "plates": [pictures.draw_plate(renderer, plate) for plate in moment.plates],
        "url": renderer.address(Ref("step", str(moment.step_number), "")),
    }


class _StateDrawer:
    """Draws states of play. Blocks that many states share are drawn once."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._drawings: dict[Block, Markup] = {}

    def draw_state(self, blocks: Sequence[Block]) -> Markup:
        return Markup("").join(self._cached_drawing(block) for block in blocks)

    def _cached_drawing(self, block: Block) -> Markup:
        if block not in self._drawings:
            self._drawings[block] = self._draw_block(block)
        return self._drawings[block]

    def _draw_block(self, block: Block) -> Markup:
        match block:
            case Stats() if block.compares_players:
                players_data = self._renderer.players(block)
                return self._renderer.macro("play", "held", inline(block.title), players_data)
            case Slips() if any(slip.of for slip in block.items):
                people_data = [self._person_data(slip) for slip in block.items]
                return self._renderer.macro("play", "stage", inline(block.title), people_data)
        return self._renderer.block(block, 3)

    def _person_data(self, slip: Slip) -> dict[str, Any]:
        return {
            "emblem": self._draw_emblem(slip.of),
            "name": inline(slip.text),
            "player": slip.player,
            "colour": self._renderer.seat_of(slip.player),
        }

    def _draw_emblem(self, sheet_id: str) -> Markup:
        emblem = self._renderer.emblem_of(sheet_id)
        # A person's later fate stays hidden until it happens.
        return (
            self._renderer.draw_emblem(emblem._replace(is_gone=False, tick_count=0))
            if emblem
            else Markup("")
        )
