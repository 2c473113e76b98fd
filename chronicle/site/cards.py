"""What the pages that belong to no campaign show of each: small, and the same wherever it was made, so that
a front door can be built for more campaigns than fit into memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from markupsafe import Markup

from chronicle.core.book import Ref
from chronicle.site.campaign_site import COVER, CampaignSite
from chronicle.site.emblems import draw as draw_emblem
from chronicle.site.news import Evening, evenings

FACES = 5
"""The number of emblems below the story on the home page."""
PLACES = 2
"""How many entries of a campaign are named for each rule."""

At = tuple[str, ...]
"""A page of the site, and perhaps an anchor on it."""


@dataclass(frozen=True, slots=True)
class Card:
    """A campaign as all others see it. ``cover`` is a path on the site, ``""`` is not possible."""

    folder: str
    title: str
    game: str
    """The name of its rulebook."""
    players: tuple[str, ...]
    summary: str
    cover: str
    alt: str
    painted: bool
    """Whether the cover is a picture of its own."""
    over: bool
    sessions: int
    chapters: int
    entries: int
    words: int
    minutes: int
    """How long it takes to read."""
    dates: tuple[str, ...]
    """The days of play that the log tells, in order."""
    emblems: tuple[Markup, ...]
    quote: tuple[str, ...]
    adopted: Mapping[str, At]
    """The optional rules that were in force at any time, each with where it was adopted."""
    used: Mapping[str, tuple[tuple[int, At], ...]]
    """For each rule, the first entries that used it."""
    evenings: tuple[Evening, ...] = ()
    """Those whose day is known."""
    share: str = ""
    """The picture that goes with links to it, a path on the site; empty: there is none."""

    def page(self, name: str) -> str:
        """Where one of its pages is."""
        return f"{self.folder}/{name}"

    def data(self) -> dict[str, Any]:
        """What ``json.dumps`` takes."""
        return asdict(self)

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Card:
        """A card from what :meth:`data` gave, by way of JSON.

        Raises:
            KeyError, TypeError, ValueError: when it is anything else.
        """
        values = {field.name: data[field.name] for field in fields(cls)}
        for name in ("players", "dates", "quote"):
            values[name] = tuple(values[name])
        values["evenings"] = tuple(Evening(*evening) for evening in values["evenings"])
        values["emblems"] = tuple(map(Markup, values["emblems"]))
        values["adopted"] = {key: tuple(place) for key, place in values["adopted"].items()}
        values["used"] = {
            rule: tuple((step, tuple(place)) for step, place in places)
            for rule, places in values["used"].items()
        }
        return cls(**values)


def card_of(campaign_site: CampaignSite) -> Card:
    """The card of a campaign."""
    book, record = campaign_site.book, campaign_site.record
    file, alt = campaign_site.cover
    adopted: dict[str, At] = {}
    for key, step in book.adopting_steps.items():
        where = campaign_site.page_of(Ref("step", str(step), "")) if step else None
        adopted[key] = where or (campaign_site.path("index"),)
    used: dict[str, tuple[tuple[int, At], ...]] = {}
    for rule, steps in campaign_site.rules_used.items():
        uses = [
            (step, campaign_site.page_of(Ref("step", str(step), "")))
            for step in filter(None, steps[:PLACES])
        ]
        used[rule] = tuple((step, place) for step, place in uses if place is not None)
    return Card(
        folder=campaign_site.folder,
        title=book.title,
        game=record.rulebook.name,
        players=tuple(book.players()),
        summary=campaign_site.description,
        cover=campaign_site.path(file),
        alt=alt,
        painted=file != COVER,
        over=record.is_over,
        sessions=len(book.sessions),
        chapters=len(campaign_site.chapters),
        entries=campaign_site.entries,
        words=campaign_site.words,
        minutes=campaign_site.minutes,
        dates=tuple(
            sorted(
                str(session.header.date)
                for session in record.campaign.sessions
                if session.header.date
            )
        ),
        emblems=tuple(
            draw_emblem(campaign_site.emblem(sheet.id)) for sheet in campaign_site.cast[:FACES]
        ),
        quote=campaign_site.opening,
        adopted=adopted,
        used=used,
        evenings=evenings(campaign_site),
        share=campaign_site.share,
    )


def rank(card: Card, begin: str = "") -> tuple[bool, bool, bool, int]:
    """How well a campaign suits new readers: the chosen campaign (by its folder) first, then finished stories
    with a picture, then the longest."""
    return (card.folder == begin, card.over, card.painted, card.words)
