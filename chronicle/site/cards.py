"""What the pages that belong to no campaign show of each: small, and the same wherever it was made, so that
a front door can be built for more campaigns than fit into memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from markupsafe import Markup

from chronicle.core.book import Ref
from chronicle.site.chapters import minutes_of
from chronicle.site.emblems import draw as draw_emblem
from chronicle.site.news import Evening, evenings
from chronicle.site.volume import COVER, Volume

FACES = 5
"""How many emblems stand below the story to begin with."""
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
    dates: tuple[str, ...]
    """The days of play that the log tells, in order."""
    emblems: tuple[Markup, ...]
    quote: tuple[str, ...]
    adopted: Mapping[str, At]
    """The optional rules that were in force at any time, each with where it was adopted."""
    used: Mapping[str, tuple[tuple[int, At], ...]]
    """The first entries for which each rule mattered."""
    evenings: tuple[Evening, ...] = ()
    """Those whose day is known."""
    share: str = ""
    """The picture that goes with links to it, a path on the site; empty: there is none."""

    @property
    def minutes(self) -> int:
        """How long it takes to read."""
        return minutes_of(self.words)

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
        given = {one.name: data[one.name] for one in fields(cls)}
        for name in ("players", "dates", "quote"):
            given[name] = tuple(given[name])
        given["evenings"] = tuple(Evening(*one) for one in given["evenings"])
        given["emblems"] = tuple(map(Markup, given["emblems"]))
        given["adopted"] = {key: tuple(at) for key, at in given["adopted"].items()}
        given["used"] = {
            rule: tuple((step, tuple(at)) for step, at in places)
            for rule, places in given["used"].items()
        }
        return cls(**given)


def card_of(volume: Volume) -> Card:
    """The card of a campaign."""
    book, record = volume.book, volume.record
    file, alt = volume.cover
    adopted: dict[str, At] = {}
    for key, step in book.adopted.items():
        where = volume.page_of(Ref("step", str(step), "")) if step else None
        adopted[key] = where or (volume.path("index"),)
    used: dict[str, tuple[tuple[int, At], ...]] = {}
    for rule, steps in volume.rules_used.items():
        found = [
            (step, volume.page_of(Ref("step", str(step), "")))
            for step in filter(None, steps[:PLACES])
        ]
        used[rule] = tuple((step, at) for step, at in found if at is not None)
    return Card(
        folder=volume.folder,
        title=book.title,
        game=record.rulebook.name,
        players=tuple(book.players()),
        summary=volume.about,
        cover=volume.path(file),
        alt=alt,
        painted=file != COVER,
        over=record.is_over,
        sessions=len(book.sessions),
        chapters=len(volume.chapters),
        entries=volume.entries,
        words=volume.words,
        dates=tuple(
            sorted(str(one.header.date) for one in record.campaign.sessions if one.header.date)
        ),
        emblems=tuple(draw_emblem(volume.emblem(one.id)) for one in volume.cast[:FACES]),
        quote=volume.opening,
        adopted=adopted,
        used=used,
        evenings=evenings(volume),
        share=volume.share,
    )


def rank(card: Card, begin: str = "") -> tuple[bool, bool, bool, int]:
    """How good a beginning a campaign is for readers: the one that was chosen (by its folder), else a finished
    story with a picture, and of those the longest."""
    return (card.folder == begin, card.over, card.painted, card.words)
