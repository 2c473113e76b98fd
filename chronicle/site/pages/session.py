"""One evening, annotated (``session.html``): the story in the column, and in the margin what each entry did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from textwrap import wrap
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import Ref, SessionView
from chronicle.core.diagnostic import Severity
from chronicle.site import emblems, entries, findings, pictures
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.card_page import snapshot_page_data
from chronicle.site.dates import long_date
from chronicle.site.draw import Renderer
from chronicle.site.evening import (
    Dispute,
    EntryBar,
    EntryProblems,
    HiddenEntry,
    RecordGap,
    SceneEnd,
    SceneHead,
    SessionRow,
    TextEntry,
    Throw,
    Turn,
    WordlessEntries,
    entry_bars,
    session_rows,
)
from chronicle.site.page_builder import PageSpec
from chronicle.site.pages import reader
from chronicle.site.prose import inline, markdown_to_text, prose
from chronicle.words import word

BAR_PARTS = 60
"""Into how many parts the picture of an evening is divided for its scenes."""
LETTERS_PER_PART = 2.2
"""How many letters of a scene's title fit into such a part where the page is narrow."""
MAX_TITLE_LINES = 4
"""On how many lines a scene's title stands below its bars, at most."""


class AnnotatedSession(NamedTuple):
    """What the page of an evening shows."""

    session_number: int
    title: str
    date: str
    summary: str
    present_players: tuple[str, ...]
    absent_players: tuple[str, ...]
    step_count: int
    error_count: int
    warning_count: int
    entry_bars: tuple[EntryBar, ...]
    scene_starts: tuple[tuple[int, int, str], ...]
    """(which bar, number, title) of the scenes that open in it."""
    rows: tuple[SessionRow, ...]
    has_chapter: bool
    """Whether it has a chapter of the story."""
    previous_ref: Ref | None
    next_ref: Ref | None


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """A page an evening."""
    source_by_session: dict[int, str] = {}
    for session_record in campaign_site.record.sessions:
        source_by_session.setdefault(session_record.session.number, session_record.session.path)
    sessions = campaign_site.view.sessions
    session_refs = [Ref("session", str(session.number), session.title) for session in sessions]
    previous_and_next = zip([None, *session_refs], [*session_refs[1:], None], strict=False)
    for session, (previous_ref, next_ref) in zip(sessions, previous_and_next, strict=False):
        diagnostics = (diagnostic for step in session.steps for diagnostic in step.diagnostics)
        severity_counts = Counter(
            diagnostic.severity for diagnostic in diagnostics if diagnostic.is_reported
        )
        annotated_session = AnnotatedSession(
            session.number,
            session.title,
            session.date,
            session.summary,
            session.present,
            session.absent,
            len(session.steps),
            severity_counts[Severity.ERROR],
            severity_counts[Severity.WARNING],
            entry_bars(campaign_site, session),
            tuple(_scene_starts(campaign_site, session)),
            tuple(session_rows(campaign_site, session)),
            session.number in campaign_site.chapters_by_session,
            previous_ref,
            next_ref,
        )
        page_path, crumbs = (
            f"sessions/{session.number}",
            ((word("site.sessions"), "sessions/index"),),
        )
        source_path = source_by_session.get(session.number, "")
        scene_labels = "; ".join(
            scene_label for _, _, scene_label in annotated_session.scene_starts
        )
        description = word(
            "site.session_about_on" if session.date else "site.session_about",
            number=session.number,
            date=long_date(session.date),
            summary=markdown_to_text(session.summary) or scene_labels,
        )
        yield PageSpec(
            page_path,
            session.title,
            annotated_session,
            _template_values,
            crumbs,
            source_path,
            description=description,
            last_session=session.number,
        )


def _scene_starts(
    campaign_site: CampaignSite, session: SessionView
) -> Iterator[tuple[int, int, str]]:
    for bar_index, step in enumerate(session.steps):
        if (
            step.scene is not None
            and campaign_site.first_step_of_scene(step.scene) == step.number
            and not step.hidden
        ):
            yield bar_index, step.scene, campaign_site.record.timeline.get(step.scene).label


# -- drawing ---------------------------------------------------------------------------------------


def _template_values(renderer: Renderer, annotated_session: AnnotatedSession) -> dict[str, Any]:
    def link_to(ref: Ref | None) -> dict[str, str] | None:
        return {"title": ref.label, "url": renderer.address(ref)} if ref is not None else None

    number_text = str(annotated_session.session_number)
    annotated_title = word("site.annotated")
    titles_and_urls = [
        (
            word("site.story"),
            renderer.address(Ref("chapter", number_text, ""))
            if annotated_session.has_chapter
            else "",
        ),
        (annotated_title, ""),
        (
            word("site.follow_it"),
            renderer.address(
                Ref("path", reader.steps_page_path_of(annotated_session.session_number), "")
            ),
        ),
    ]
    return {
        "number": annotated_session.session_number,
        "title": annotated_session.title,
        "steps": annotated_session.step_count,
        "errors": annotated_session.error_count,
        "warnings": annotated_session.warning_count,
        "date": long_date(annotated_session.date),
        "summary": prose(annotated_session.summary) if annotated_session.summary else "",
        "players": [renderer.player(player) for player in annotated_session.present_players],
        "absent": [renderer.player(player) for player in annotated_session.absent_players],
        "views": [
            {"title": link_title, "url": link_url}
            for link_title, link_url in titles_and_urls
            if link_url or link_title == annotated_title
        ],
        "barcode": _bars_data(renderer, annotated_session),
        "rows": [row_data(renderer, row) for row in annotated_session.rows],
        "check_url": renderer.address(Ref("path", "check", "")),
        "before": link_to(annotated_session.previous_ref),
        "after": link_to(annotated_session.next_ref),
    }


def _bars_data(renderer: Renderer, annotated_session: AnnotatedSession) -> dict[str, Any]:
    return {
        "bars": [
            {"colour": renderer.seat_of(entry_bar.player), "kind": entry_bar.bar_kind}
            for entry_bar in annotated_session.entry_bars
        ],
        "scenes": list(_scene_shares(annotated_session)),
    }


def _scene_shares(annotated_session: AnnotatedSession) -> Iterator[dict[str, Any]]:
    """The scenes below the picture of the evening, each as wide as its share of the entries."""
    entry_count = len(annotated_session.entry_bars) or 1
    bar_starts = [
        0,
        *(bar_index for bar_index, _, _ in annotated_session.scene_starts),
        entry_count,
    ]
    titles_and_urls = [
        ("", ""),
        *(
            (scene_title, f"#scene-{scene_number}")
            for _, scene_number, scene_title in annotated_session.scene_starts
        ),
    ]
    for (scene_title, scene_url), (first_bar, last_bar) in zip(
        titles_and_urls, pairwise(bar_starts), strict=True
    ):
        bar_part_count = round(BAR_PARTS * last_bar / entry_count) - round(
            BAR_PARTS * first_bar / entry_count
        )
        if bar_part_count:
            letter_count = max(1, int(bar_part_count * LETTERS_PER_PART) - 2)
            title_lines = wrap(scene_title, letter_count, break_long_words=False)
            has_room_for_title = len(title_lines) <= MAX_TITLE_LINES and all(
                len(title_line) <= letter_count for title_line in title_lines
            )
            yield {
                "share": bar_part_count,
                "title": inline(scene_title),
                "url": scene_url,
                "fits": has_room_for_title,
            }


def row_data(renderer: Renderer, row: SessionRow) -> dict[str, Any]:
    """A row as ``macros/evening.html`` wants it."""
    match row:
        case HiddenEntry():
            return {
                "kind": "hidden",
                "step": row.step_number,
                "anchor": row.anchor,
                "former": row.former_anchor,
            }
        case SceneHead():
            return {"kind": "scene", **_scene_head_data(renderer, row)}
        case Turn():
            player = (
                renderer.player(row.player)
                if renderer.seat_of(row.player)
                else renderer.text(row.player)
            )
            speaker = renderer.text(row.speaker) if row.speaker else ""
            seat_number = renderer.seat_of(row.player)
            ended_note = (
                {
                    "step": row.last_turn_note.step_number,
                    "anchor": row.last_turn_note.anchor,
                    "former": row.last_turn_note.former_anchor,
                    "title": row.last_turn_note.title,
                }
                if row.last_turn_note is not None
                else None
            )
            return {
                "kind": "turn",
                "who": player,
                "speaker": speaker,
                "colour": seat_number,
                "ended": ended_note,
            }
        case TextEntry():
            return {"kind": "beat", **_text_entry_data(renderer, row)}
        case RecordGap():
            gap_html = renderer.prose(row.gap_text) if row.gap_text else ""
            cards_data = (
                snapshot_page_data(renderer, row.cards_page) if row.cards_page is not None else None
            )
            gap_title = cards_data["title"] if cards_data is not None else row.title
            return {
                "kind": "hole",
                "step": row.step_number,
                "anchor": row.anchor,
                "former": row.former_anchor,
                "title": gap_title,
                "words": gap_html,
                "unknown": row.unknown_text,
                "page": cards_data,
            }
        case WordlessEntries():
            notes_data = [entries.margin_note_data(renderer, note) for note in row.margin_notes]
            return {"kind": "run", "words": inline(row.summary_line), "notes": notes_data}
        case Throw():
            return {
                "kind": "throw",
                "card": entries.draw_throw(renderer, row.contest, row.winnings, row.effects),
                "step": row.step_number,
                "anchors": row.anchors,
            }
        case Dispute():
            return {"kind": "dispute", **entries.dispute_data(renderer, row.weighing)}
        case EntryProblems():
            return {
                "kind": "findings",
                "found": [findings.draw_problem(renderer, problem) for problem in row.problems],
            }
        case SceneEnd():
            return {"kind": "close", **_scene_end_data(renderer, row)}


def _scene_head_data(renderer: Renderer, row: SceneHead) -> dict[str, Any]:
    marks_html = [
        Markup("{} {}").format(mark_label, renderer.text(mark_words))
        for mark_label, mark_words in row.labelled_marks
    ]
    marks_html += [entries.work_link(renderer, work) for work in row.works]
    place_and_time = ", ".join(
        scene_fact for scene_fact in (row.place, row.time_text) if scene_fact
    )
    return {
        "number": row.scene_number,
        "title": inline(row.title),
        "when": renderer.text(
            word("site.continued_at", when=place_and_time)
            if place_and_time
            else word("site.continued")
        )
        if not row.is_first
        else renderer.text(place_and_time),
        "entries": row.first_and_last_step,
        "anchor": f"scene-{row.scene_number}" if row.is_first else "",
        "url": ""
        if row.is_first
        else renderer.address(Ref("scene", str(row.scene_number), row.title)),
        "marks": marks_html,
        "ladder": entries.bid_ranking_data(renderer, row.bid_ranking)
        if row.bid_ranking is not None
        else None,
        "cast": [
            {"name": ref.label, "url": renderer.address(ref), "emblem": emblems.draw_emblem(emblem)}
            for ref, emblem in row.cast
        ],
        "bid": {"anchor": row.bid_note.anchor, "former": row.bid_note.former_anchor}
        if row.bid_note
        else None,
    }


def _scene_end_data(renderer: Renderer, row: SceneEnd) -> dict[str, Any]:
    greatest_amount = (
        max(
            (
                max(purse.start_amount, purse.amount_before_income, purse.end_amount)
                for purse in row.purses
            ),
            default=1,
        )
        or 1
    )
    return {
        "scene": row.scene_number,
        "title": inline(row.title),
        "what": row.purse_name,
        "most": greatest_amount,
        "purses": [
            {
                "name": inline(purse.owner_name),
                "is_known": purse.is_known,
                "held": purse.end_in_words,
                "began": purse.start_in_words,
                "before": purse.amount_before_income,
                "end": purse.end_amount,
                "start": purse.start_amount,
                "colour": renderer.seat_of(purse.player),
            }
            for purse in row.purses
        ],
        "stood": renderer.blocks(row.end_blocks, 4) if row.end_blocks else "",
    }


# -- the column ------------------------------------------------------------------------------------


def _text_entry_data(renderer: Renderer, row: TextEntry) -> dict[str, Any]:
    return {
        "step": row.step_number,
        "anchor": row.anchor,
        "former": row.former_anchor,
        "player": row.player,
        "colour": renderer.seat_of(row.player),
        "struck": row.is_retracted,
        "indent": row.is_nested,
        "large": row.is_large,
        "blocks": entries.paragraphs_of_entry(renderer, row.text_pieces, row.speakers),
        "talk": entries.talk_data(renderer, row.talk_texts) if row.talk_texts else None,
        "beside": [entries.margin_note_data(renderer, note) for note in row.margin_notes],
        "below": [entries.margin_note_data(renderer, note) for note in row.notes_below],
        "plates": [pictures.draw_plate(renderer, plate) for plate in row.plates],
    }
