"""The front of a campaign (``overview.html``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle import __version__
from chronicle.core.book import Block, Ref
from chronicle.core.diagnostic import Severity, count_severities
from chronicle.site.covers import cover
from chronicle.site.draw import Pen
from chronicle.site.emblems import Emblem
from chronicle.site.files import SiteFile
from chronicle.site.pages.session import long_date
from chronicle.site.press import Draft
from chronicle.site.prose import prose
from chronicle.site.volume import COVER, Volume
from chronicle.words import word

MET = 6
"""How many of the cast the front introduces."""


class Evening(NamedTuple):
    """A session as the front lists it."""

    number: int
    title: str
    date: str
    summary: str


class Face(NamedTuple):
    """Somebody of the cast."""

    ref: Ref
    role: str
    emblem: Emblem


class Front(NamedTuple):
    """What the front of a campaign shows."""

    game: str
    over: bool
    minutes: int
    cover: tuple[str, str]
    cast: tuple[Face, ...]
    summary: str
    situation: str
    players: tuple[str, ...]
    evenings: tuple[Evening, ...]
    facts: tuple[tuple[str, str | Markup], ...]
    blocks: tuple[Block, ...]
    steps: int
    errors: int
    warnings: int


def pages(volume: Volume) -> Iterator[Draft | SiteFile]:
    """The front page, and a cover if the story has no picture."""
    if volume.cover[0] == COVER:
        yield SiteFile(volume.path(COVER), data=cover(volume.seal))
    book, record = volume.book, volume.record
    counts = count_severities(record.diagnostics)
    front = Front(
        record.rulebook.title,
        record.over,
        volume.minutes,
        volume.cover,
        tuple(
            Face(Ref("sheet", one.id, one.name), one.role, volume.emblem(one.id))
            for one in volume.cast[:MET]
        ),
        str(record.campaign.settings.summary or ""),
        "" if record.over else book.situation,
        book.players(),
        tuple(Evening(s.number, s.title, long_date(s.date), s.summary) for s in book.sessions),
        tuple(_facts(volume)),
        tuple(book.overview),
        len(record.steps),
        counts[Severity.ERROR],
        counts[Severity.WARNING],
    )
    yield Draft(
        "index",
        book.title,
        front,
        _fill,
        None,
        source=record.campaign.path,
        tells="itself",
    )


def _facts(volume: Volume) -> Iterator[tuple[str, str | Markup]]:
    """What was agreed before play."""
    campaign = volume.record.campaign
    settings = campaign.settings
    yield word("site.game"), volume.record.rulebook.title
    yield word("site.checked"), word(f"site.checked_{campaign.strictness}")
    points = {point.key: point for point in volume.rules.rulings}
    readings = volume.record.rulings
    for key in readings.chosen:
        point = points[key]
        answer = point.readings[readings[key]]
        yield word("site.reading"), Markup("{} <em>{}</em>").format(point.question, answer)
    pinned = campaign.pinned
    key = "site.version" if pinned in ("", __version__) else "site.version_pinned"
    yield word("site.checked_with"), word(key, version=__version__, pinned=pinned)
    if settings.authors:
        yield word("site.written_by"), ", ".join(settings.authors)
    if settings.licence:
        yield word("site.licence"), str(settings.licence)


def _fill(pen: Pen, front: Front) -> dict[str, Any]:
    def page(name: str) -> str:
        return pen.address(Ref("path", name, ""))

    def url(evening: Evening) -> str:
        return pen.address(Ref("session", str(evening.number), ""))

    return {
        "game": front.game,
        "over": front.over,
        "minutes": front.minutes,
        "cover": page(front.cover[0]),
        "alt": front.cover[1],
        "cast": [
            {
                "name": one.ref.label,
                "role": one.role,
                "url": pen.address(one.ref),
                "emblem": pen.draw(one.emblem),
            }
            for one in front.cast
        ],
        "cast_url": page("cast/index"),
        "since_url": page("changes/index") if front.evenings else "",
        "summary": prose(front.summary) if front.summary else "",
        "sessions": [
            {
                **evening._asdict(),
                "summary": prose(evening.summary) if evening.summary else "",
                "url": url(evening),
            }
            for evening in front.evenings
        ],
        "players": [pen.player(name) for name in front.players],
        "situation": pen.text(front.situation) if front.situation else "",
        "facts": front.facts,
        "blocks": front.blocks,
        "steps": front.steps,
        "errors": front.errors,
        "warnings": front.warnings,
        "check_url": page("check"),
        "story_url": page("story"),
        "first_session": url(front.evenings[0]) if front.evenings else "",
    }
