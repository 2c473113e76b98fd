"""One evening, annotated (``session.html``): the story in the column, and in the margin what each entry did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.book import Ref, SessionView
from chronicle.core.diagnostic import Severity
from chronicle.site import emblems, entries, findings, pictures
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.card_page import drawn_page
from chronicle.site.dates import long_date
from chronicle.site.draw import Renderer
from chronicle.site.evening import (
    Bar,
    Beat,
    Close,
    Dispute,
    Findings,
    Hidden,
    Hole,
    Opening,
    Row,
    Run,
    Throw,
    Turn,
    bars,
    rows,
)
from chronicle.site.page_builder import PageSpec
from chronicle.site.pages import reader
from chronicle.site.prose import inline, plain, prose
from chronicle.words import word

SHARES = 60
"""Into how many parts the picture of an evening is divided for its scenes."""
LETTERS = 2.2
"""How many letters of a scene's title fit into such a part where the page is narrow."""


class Evening(NamedTuple):
    """What the page of an evening shows."""

    number: int
    title: str
    date: str
    summary: str
    present: tuple[str, ...]
    absent: tuple[str, ...]
    steps: int
    errors: int
    warnings: int
    bars: tuple[Bar, ...]
    scenes: tuple[tuple[int, int, str], ...]
    """(which bar, number, title) of the scenes that open in it."""
    rows: tuple[Row, ...]
    told: bool
    """Whether it has a chapter of the story."""
    before: Ref | None
    after: Ref | None


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """A page an evening."""
    sources: dict[int, str] = {}
    for record in campaign_site.record.sessions:
        sources.setdefault(record.session.number, record.session.path)
    sessions = campaign_site.book.sessions
    links = [Ref("session", str(session.number), session.title) for session in sessions]
    neighbours = zip([None, *links], [*links[1:], None], strict=False)
    for session, (previous_link, next_link) in zip(sessions, neighbours, strict=False):
        diagnostics = (diagnostic for step in session.steps for diagnostic in step.diagnostics)
        counts = Counter(
            diagnostic.severity for diagnostic in diagnostics if diagnostic.is_reported
        )
        evening = Evening(
            session.number,
            session.title,
            session.date,
            session.summary,
            session.present,
            session.absent,
            len(session.steps),
            counts[Severity.ERROR],
            counts[Severity.WARNING],
            bars(campaign_site, session),
            tuple(_scenes(campaign_site, session)),
            tuple(rows(campaign_site, session)),
            session.number in campaign_site.chapters,
            previous_link,
            next_link,
        )
        page, crumbs = f"sessions/{session.number}", ((word("site.sessions"), "sessions/index"),)
        source = sources.get(session.number, "")
        scenes = "; ".join(label for _, _, label in evening.scenes)
        description = word(
            "site.session_about_on" if session.date else "site.session_about",
            number=session.number,
            date=long_date(session.date),
            summary=plain(session.summary) or scenes,
        )
        yield PageSpec(
            page,
            session.title,
            evening,
            _fill,
            crumbs,
            source,
            about=description,
            through=session.number,
        )


def _scenes(campaign_site: CampaignSite, session: SessionView) -> Iterator[tuple[int, int, str]]:
    for place, step in enumerate(session.steps):
        if (
            step.scene is not None
            and campaign_site.opens(step.scene) == step.number
            and not step.hidden
        ):
            yield place, step.scene, campaign_site.record.timeline.get(step.scene).label


# -- drawing ---------------------------------------------------------------------------------------


def _fill(renderer: Renderer, evening: Evening) -> dict[str, Any]:
    def turn(ref: Ref | None) -> dict[str, str] | None:
        return {"title": ref.label, "url": renderer.address(ref)} if ref is not None else None

    number = str(evening.number)
    annotated = word("site.annotated")
    views = [
        (word("site.story"), renderer.address(Ref("chapter", number, "")) if evening.told else ""),
        (annotated, ""),
        (word("site.follow_it"), renderer.address(Ref("path", reader.page_of(evening.number), ""))),
    ]
    return {
        **evening._asdict(),
        "date": long_date(evening.date),
        "summary": prose(evening.summary) if evening.summary else "",
        "players": [renderer.player(name) for name in evening.present],
        "absent": [renderer.player(name) for name in evening.absent],
        "views": [
            {"title": title, "url": url} for title, url in views if url or title == annotated
        ],
        "barcode": _barcode(renderer, evening),
        "rows": [draw_row(renderer, row) for row in evening.rows],
        "check_url": renderer.address(Ref("path", "check", "")),
        "before": turn(evening.before),
        "after": turn(evening.after),
    }


def _barcode(renderer: Renderer, evening: Evening) -> dict[str, Any]:
    return {
        "bars": [{"colour": renderer.colour(bar.player), "kind": bar.kind} for bar in evening.bars],
        "scenes": list(_shares(evening)),
    }


def _shares(evening: Evening) -> Iterator[dict[str, Any]]:
    """The scenes below the picture of the evening, each as wide as its share of the entries."""
    entries = len(evening.bars) or 1
    opens = [0, *(place for place, _, _ in evening.scenes), entries]
    parts = [("", ""), *((title, f"#scene-{number}") for _, number, title in evening.scenes)]
    for (title, url), (first, last) in zip(parts, pairwise(opens), strict=True):
        share = round(SHARES * last / entries) - round(SHARES * first / entries)
        if share:
            fits = len(title) + 2 <= share * LETTERS
            yield {"share": share, "title": inline(title), "url": url, "fits": fits}


def draw_row(renderer: Renderer, row: Row) -> dict[str, Any]:
    """A row as ``macros/evening.html`` wants it."""
    match row:
        case Hidden():
            return {"kind": "hidden", **row._asdict()}
        case Opening():
            return {"kind": "scene", **_opening(renderer, row)}
        case Turn():
            player = (
                renderer.player(row.player)
                if renderer.colour(row.player)
                else renderer.text(row.player)
            )
            speaker = renderer.text(row.speaker) if row.speaker else ""
            colour = renderer.colour(row.player)
            ended = row.ended._asdict() if row.ended is not None else None
            return {
                "kind": "turn",
                "who": player,
                "speaker": speaker,
                "colour": colour,
                "ended": ended,
            }
        case Beat():
            return {"kind": "beat", **_beat(renderer, row)}
        case Hole():
            words = renderer.prose(row.words) if row.words else ""
            page = drawn_page(renderer, row.page) if row.page is not None else None
            title = page["title"] if page is not None else row.title
            shown = {"words": words, "page": page, "title": title}
            return {"kind": "hole", **row._asdict(), **shown}
        case Run():
            notes = [entries.note(renderer, note) for note in row.notes]
            return {"kind": "run", "words": inline(row.words), "notes": notes}
        case Throw():
            return {
                "kind": "throw",
                "card": entries.throw(renderer, row.contest, row.spent, row.led),
                **row._asdict(),
            }
        case Dispute():
            return {"kind": "dispute", **entries.dispute(renderer, row.weighing)}
        case Findings():
            return {
                "kind": "findings",
                "found": [findings.draw(renderer, problem) for problem in row.problems],
            }
        case Close():
            return {"kind": "close", **_close(renderer, row)}


def _opening(renderer: Renderer, row: Opening) -> dict[str, Any]:
    marks = [Markup("{} {}").format(label, renderer.text(words)) for label, words in row.marks]
    marks += [entries.work(renderer, work) for work in row.works]
    place_and_time = ", ".join(part for part in (row.place, row.time) if part)
    return {
        "number": row.number,
        "title": inline(row.title),
        "when": renderer.text(
            word("site.continued_at", when=place_and_time)
            if place_and_time
            else word("site.continued")
        )
        if not row.first
        else renderer.text(place_and_time),
        "entries": row.entries,
        "anchor": f"scene-{row.number}" if row.first else "",
        "url": "" if row.first else renderer.address(Ref("scene", str(row.number), row.title)),
        "marks": marks,
        "ladder": entries.ladder(renderer, row.ladder) if row.ladder is not None else None,
        "cast": [
            {"name": ref.label, "url": renderer.address(ref), "emblem": emblems.draw(emblem)}
            for ref, emblem in row.cast
        ],
        "bid": {"anchor": row.bid.anchor, "former": row.bid.former} if row.bid else None,
    }


def _close(renderer: Renderer, row: Close) -> dict[str, Any]:
    greatest = (
        max((max(purse.start, purse.before, purse.end) for purse in row.purses), default=1) or 1
    )
    return {
        "scene": row.scene,
        "title": inline(row.title),
        "what": row.what,
        "most": greatest,
        "purses": [
            {**purse._asdict(), "name": inline(purse.name), "colour": renderer.colour(purse.player)}
            for purse in row.purses
        ],
        "stood": renderer.blocks(row.stood, 4) if row.stood else "",
    }


# -- the column ------------------------------------------------------------------------------------


def _beat(renderer: Renderer, row: Beat) -> dict[str, Any]:
    return {
        "step": row.step,
        "anchor": row.anchor,
        "former": row.former,
        "player": row.player,
        "colour": renderer.colour(row.player),
        "struck": row.struck,
        "indent": row.indent,
        "large": row.large,
        "blocks": entries.blocks(renderer, row.pieces, row.speakers),
        "talk": entries.talk(renderer, row.talk) if row.talk else None,
        "beside": [entries.note(renderer, note) for note in row.beside],
        "below": [entries.note(renderer, note) for note in row.below],
        "plates": [pictures.draw(renderer, plate) for plate in row.plates],
    }
