"""The people (``cast.html``): everybody who can be met, with a drawing or a portrait, one sentence about them
and one ending, as they stood after any session that can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.book import Ref, Sheet, SubjectState
from chronicle.site import pictures
from chronicle.site.draw import Pen
from chronicle.site.emblems import Emblem
from chronicle.site.lives import Line, draw_headed, draw_line, whose
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft
from chronicle.site.prose import inline
from chronicle.site.volume import Volume
from chronicle.words import word

INDEX = "cast/index"
TITLE = word("site.the_people")
CONTACT = "contact"
"""What a game calls the sheets of people whom the players' characters have as friends and contacts."""
LEADING = 3
"""How many stand large at the top."""
ENOUGH = 6
"""Of fewer people none stands above the others, unless these are so few that all do."""


class Figure(NamedTuple):
    """Somebody in the cast."""

    ref: Ref
    called: str
    """What the page calls them."""
    role: str
    emblem: Emblem
    portrait: pictures.Plate | None
    about: Line | None
    """Who they are."""
    end: Line | None
    """How things stand with them."""
    foot: str
    """What else is to be said in a few words."""
    hands: str


class Group(NamedTuple):
    """Some of the cast under one heading."""

    title: str
    note: str
    figures: tuple[Figure, ...]


class Cast(NamedTuple):
    """What the page shows."""

    session: int
    """After which evening it is; 0: it is told to the end."""
    leading: tuple[Figure, ...]
    groups: tuple[Group, ...]
    evenings: tuple[int, ...]
    counted: str
    """What the key says of ticks."""
    summary: str
    """What the story is about, for somebody who begins here."""


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if volume.book.sheets:
        yield NavPage("Cast", word("site.cast"), INDEX, str(len(volume.cast)))


def pages(volume: Volume) -> Iterator[Draft]:
    """The cast as it stands now, and as it stood after each evening before."""
    evenings = tuple(volume.book.session_ends)
    if not volume.book.sheets or not evenings:
        return
    for number in reversed(evenings):
        last = number == evenings[-1]
        page = INDEX if last else f"cast/after-{number}"
        cast = cast_of(volume, number, last, evenings)
        crumbs = () if last else ((TITLE, INDEX),)
        title = TITLE if last else word("site.cast_after", number=number)
        # What is found in an earlier cast is found in the last.
        meta = {} if last else {"search": {"exclude": True}}
        yield Draft(page, title, cast, _fill, crumbs, through=number, meta=meta)


def cast_of(volume: Volume, number: int, last: bool, evenings: tuple[int, ...]) -> Cast:
    """Everybody, as they stood after an evening, the ``last`` or another one of these."""
    standing = volume.book.session_ends[number].subjects
    known = [sheet for sheet in volume.book.sheets if sheet.id in standing]
    known.sort(key=lambda sheet: -volume.weight(sheet, standing[sheet.id], number))
    people = [one for one in known if one.shape == "person" and not one.spirit]

    def figures(some: list[Sheet]) -> tuple[Figure, ...]:
        return tuple(_figure(volume, one, standing[one.id], number) for one in some)

    left = [one for one in people if standing[one.id].gone or volume.lives.gone(one.id, number)]
    here = [one for one in people if one not in left]
    others_told_of = told_of(volume, number)
    dead = tuple(one for one in others_told_of if one.emblem.gone)
    alive = tuple(one for one in others_told_of if not one.emblem.gone)
    ours = [one for one in here if not one.other]
    few = len(ours) < ENOUGH
    leading = ours if len(ours) <= LEADING else [] if few else ours[:LEADING]
    rest = [one for one in ours if one not in leading]
    others = [one for one in here if one.other]
    groups = (
        Group(
            word("site.also_in_story" if leading else "site.in_story"), "", figures(rest) + alive
        ),
        Group(word("site.contacts"), "", figures([one for one in others if one.kind == CONTACT])),
        Group(word("site.met_along"), "", figures([one for one in others if one.kind != CONTACT])),
        Group(word("site.gone_and_how"), "", figures(left) + dead),
    )
    weighed = any(one.weight for one in volume.book.sheets)
    counted = word("site.key_tick_importance" if weighed else "site.key_tick_scene")
    return Cast(
        0 if last else number,
        figures(leading),
        tuple(group for group in groups if group.figures),
        evenings,
        counted,
        str(volume.record.campaign.settings.summary or ""),
    )


def told_of(volume: Volume, number: int) -> tuple[Figure, ...]:
    """The people whom the log only tells of, and the keepers introduce."""
    lives = volume.lives
    sheets = {sheet.name.casefold() for sheet in volume.book.sheets}
    figures: list[Figure] = []
    for named in lives.keepers.told_of.values():
        gone = lives.gone(named.id, number)
        about, end = lives.about(named.id, number), lives.ending(named, gone, number)
        if (about or end) and named.name.casefold() not in sheets:
            name = _capital(named.name)
            emblem = Emblem(name, gone=gone)
            ref = Ref("sheet", named.id, name)
            foot = word("site.only_spoken_of")
            figures.append(Figure(ref, name, "", emblem, None, about, end, foot, ""))
    return tuple(figures)


def called(sheet: Sheet, now: SubjectState) -> str:
    """The heading of somebody: the name; of people whose name only counts them, what is known of them."""
    if not sheet.has_numbered_name:
        return _capital(now.name)
    no_words = ("removed", "name", "role")
    known = [now.role, *(one.text for one in now.slips if one.state not in no_words)]
    words = next((one for one in known if one and one not in now.name), "")
    return _capital(words or now.name)


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _figure(volume: Volume, sheet: Sheet, now: SubjectState, number: int) -> Figure:
    plates = volume.pictures.beside(volume.works.about("sheet", sheet.id))
    scenes = volume.scenes_of(sheet.id, number)
    gone = now.gone or volume.lives.gone(sheet.id, number)
    about = volume.lives.about(sheet.id, number)
    end = volume.lives.ending(sheet, gone, number) if sheet.shape == "person" else None
    if scenes:
        met = word("site.in_scenes", count=scenes)
    elif about:
        met = word("site.only_spoken_of")
    else:
        named = volume.named_in(sheet, number)
        met = word("site.in_entries", count=named) if named else word("site.not_met")
    return Figure(
        Ref("sheet", sheet.id, now.name),
        called(sheet, now),
        now.role if now.role.casefold() not in now.name.casefold() else "",
        volume.emblem_at(sheet, now, number)._replace(gone=gone),
        plates[0] if plates else None,
        about,
        end,
        now.status if sheet.spirit else met,
        now.last_holder,
    )


# -- drawing ---------------------------------------------------------------------------------------


def _fill(pen: Pen, cast: Cast) -> dict[str, Any]:
    count = len(cast.leading) + sum(len(group.figures) for group in cast.groups)
    session = cast.session or cast.evenings[-1]
    return {
        "count": count,
        "session": session,
        "leading": [drawn(pen, one, fine=True) for one in cast.leading],
        "groups": [
            {"title": one.title, "note": one.note, "figures": [drawn(pen, f) for f in one.figures]}
            for one in cast.groups
        ],
        "evenings": pen.evenings(INDEX, cast.evenings, session),
        "counted": cast.counted,
        "summary": pen.prose(cast.summary) if cast.summary else "",
        "key": [*_key(pen, cast)],
        "whose": whose(line for one in figures_of(cast) for line in (one.about, one.end)),
    }


def figures_of(cast: Cast) -> list[Figure]:
    """Everybody in it, in order."""
    return [*cast.leading, *(figure for group in cast.groups for figure in group.figures)]


def _key(pen: Pen, cast: Cast) -> Iterator[tuple[Markup, str]]:
    """What the drawings say, each with one that says it."""
    shown = figures_of(cast)
    marks: tuple[tuple[Callable[[Emblem], object], str], ...] = (
        (lambda one: one.ticks and not one.dark, cast.counted),
        (lambda one: one.dark and not one.gone, word("site.key_other_side")),
        (lambda one: one.shape == "kind", word("site.key_class")),
        (lambda one: not one.motif, word("site.key_no_drawing")),
    )
    for has, words in marks:
        found = next((one.emblem for one in shown if not one.portrait and has(one.emblem)), None)
        if found is not None:
            yield pen.draw(found), words


def drawn(pen: Pen, figure: Figure, *, fine: bool = False) -> dict[str, Any]:
    """Somebody as templates want them."""
    name = figure.ref.label
    return {
        "name": figure.called,
        "url": pen.address(figure.ref),
        "role": inline(figure.role),
        "face": pictures.face(pen, figure.portrait)
        if figure.portrait
        else pen.draw(figure.emblem, fine=fine),
        "about": draw_line(pen, figure.about, name),
        "end": draw_headed(pen, figure.end, name),
        "foot": inline(figure.foot),
        "hands": pen.player(figure.hands),
    }
