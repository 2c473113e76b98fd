"""The people (``cast.html``): everybody who can be met, with a drawing or a portrait, one sentence about them
and one ending, as they stood after any session that can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.book import Ref, Sheet, SubjectState
from chronicle.core.figures import in_words
from chronicle.site import pictures
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.emblems import Emblem
from chronicle.site.lives import Line, draw_headed, draw_line, whose
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.site.prose import inline
from chronicle.words import word

INDEX = "cast/index"
TITLE = word("site.the_people")
CONTACT = "contact"
"""What a game calls the sheets of people whom the players' characters have as friends and contacts."""
LEADING = 3
"""The number of people shown large at the top."""
ENOUGH = 6
"""With fewer people, none is shown above the others, unless there are at most ``LEADING``."""


class Figure(NamedTuple):
    """Somebody in the cast."""

    ref: Ref
    called: str
    """What the page calls them."""
    role: str
    emblem: Emblem
    portrait: pictures.Plate | None
    introduction: Line | None
    """Who they are."""
    end: Line | None
    """How things stand with them."""
    foot: str
    """Further facts, in a few words."""
    hands: str


class Group(NamedTuple):
    """Some of the cast under one heading."""

    title: str
    note: str
    figures: tuple[Figure, ...]


class Cast(NamedTuple):
    """What the page shows."""

    session: int
    """The session after which it is; 0: the whole story."""
    leading: tuple[Figure, ...]
    groups: tuple[Group, ...]
    evenings: tuple[int, ...]
    counted: str
    """What the key says of ticks."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if campaign_site.book.sheets:
        ends = campaign_site.book.session_ends
        others = told_of(campaign_site, max(ends)) if ends else ()
        yield NavPage("Cast", word("site.cast"), INDEX, str(len(campaign_site.cast) + len(others)))


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The latest cast, and the cast after each earlier session."""
    evenings = tuple(campaign_site.book.session_ends)
    if not campaign_site.book.sheets or not evenings:
        return
    for number in reversed(evenings):
        last = number == evenings[-1]
        page = INDEX if last else f"cast/after-{number}"
        cast = cast_of(campaign_site, number, last, evenings)
        crumbs = () if last else ((TITLE, INDEX),)
        title = TITLE if last else word("site.cast_after", number=number)
        # The search lists the people of the last cast only, as it contains the earlier ones.
        meta = {} if last else {"search": {"exclude": True}}
        yield PageSpec(page, title, cast, _fill, crumbs, through=number, meta=meta)


def cast_of(
    campaign_site: CampaignSite, number: int, last: bool, evenings: tuple[int, ...]
) -> Cast:
    """The people as of the end of a session. ``last``: it is the last of the sessions."""
    states = campaign_site.book.session_ends[number].subjects
    sheets = [sheet for sheet in campaign_site.book.sheets if sheet.id in states]
    sheets.sort(key=lambda sheet: -campaign_site.weight(sheet, states[sheet.id], number))
    people = [sheet for sheet in sheets if sheet.shape == "person" and not sheet.is_never_seen]

    def figures(sheets_of_group: list[Sheet]) -> tuple[Figure, ...]:
        return tuple(
            _figure(campaign_site, sheet, states[sheet.id], number) for sheet in sheets_of_group
        )

    absent = [
        sheet
        for sheet in people
        if states[sheet.id].gone or campaign_site.lives.gone(sheet.id, number)
    ]
    present = [sheet for sheet in people if sheet not in absent]
    others_told_of = told_of(campaign_site, number)
    dead = tuple(figure for figure in others_told_of if figure.emblem.gone)
    alive = tuple(figure for figure in others_told_of if not figure.emblem.gone)
    protagonists = [sheet for sheet in present if not sheet.has_no_player]
    is_small = len(protagonists) < ENOUGH
    leading = (
        protagonists if len(protagonists) <= LEADING else [] if is_small else protagonists[:LEADING]
    )
    supporting = [sheet for sheet in protagonists if sheet not in leading]
    other_side = [sheet for sheet in present if sheet.has_no_player]
    groups = (
        Group(
            word("site.also_in_story" if leading else "site.in_story"),
            "",
            figures(supporting) + alive,
        ),
        Group(
            word("site.contacts"),
            "",
            figures([sheet for sheet in other_side if sheet.kind == CONTACT]),
        ),
        Group(
            word("site.met_along"),
            "",
            figures([sheet for sheet in other_side if sheet.kind != CONTACT]),
        ),
        Group(word("site.gone_and_how"), "", figures(absent) + dead),
    )
    weighed = any(sheet.weight for sheet in campaign_site.book.sheets)
    counted = word("site.key_tick_importance" if weighed else "site.key_tick_scene")
    return Cast(
        0 if last else number,
        figures(leading),
        tuple(group for group in groups if group.figures),
        evenings,
        counted,
    )


def told_of(campaign_site: CampaignSite, number: int) -> tuple[Figure, ...]:
    """The people whom the log only tells of, and the keepers introduce."""
    lives = campaign_site.lives
    sheets = {sheet.name.casefold() for sheet in campaign_site.book.sheets}
    figures: list[Figure] = []
    for named in lives.keepers.told_of.values():
        gone = lives.gone(named.id, number)
        introduction, end = lives.introduction(named.id, number), lives.ending(named, gone, number)
        if (introduction or end) and named.name.casefold() not in sheets:
            name = capital(named.name)
            emblem = Emblem(name, gone=gone)
            ref = Ref("sheet", named.id, name)
            foot = word("site.only_spoken_of")
            figures.append(Figure(ref, name, "", emblem, None, introduction, end, foot, ""))
    return tuple(figures)


def capital(words: str) -> str:
    """Words as a heading, with a capital at the beginning."""
    return f"{words[:1].upper()}{words[1:]}"


def _figure(campaign_site: CampaignSite, sheet: Sheet, state: SubjectState, number: int) -> Figure:
    plates = campaign_site.pictures.plates_of(campaign_site.works.works_about("sheet", sheet.id))
    scenes = campaign_site.scenes_of(sheet.id, number)
    gone = state.gone or campaign_site.lives.gone(sheet.id, number)
    introduction = campaign_site.lives.introduction(sheet.id, number)
    end = campaign_site.lives.ending(sheet, gone, number) if sheet.shape == "person" else None
    if scenes:
        met = word("site.in_scenes", count=scenes)
    elif introduction:
        met = word("site.only_spoken_of")
    else:
        named = campaign_site.named_in(sheet, number)
        met = word("site.in_entries", count=named) if named else word("site.not_met")
    return Figure(
        Ref("sheet", sheet.id, state.name),
        capital(state.name),
        state.role if state.role.casefold() not in state.name.casefold() else "",
        campaign_site.emblem_at(sheet, state, number)._replace(gone=gone),
        plates[0] if plates else None,
        introduction,
        end,
        state.status if sheet.is_never_seen else met,
        state.last_holder,
    )


# -- drawing ---------------------------------------------------------------------------------------


def _fill(renderer: Renderer, cast: Cast) -> dict[str, Any]:
    count = len(cast.leading) + sum(len(group.figures) for group in cast.groups)
    session = cast.session or cast.evenings[-1]
    return {
        "count": count,
        "session": cast.session,
        "in_words": capital(in_words(count)),
        "leading": [drawn(renderer, figure, fine=True) for figure in cast.leading],
        "groups": [
            {
                "title": group.title,
                "note": group.note,
                "figures": [drawn(renderer, f) for f in group.figures],
            }
            for group in cast.groups
        ],
        "evenings": renderer.evenings(INDEX, cast.evenings, session),
        "counted": cast.counted,
        "key": [*_key(renderer, cast)],
        "whose": whose(
            line
            for figure_text in figures_of(cast)
            for line in (figure_text.introduction, figure_text.end)
        ),
    }


def figures_of(cast: Cast) -> list[Figure]:
    """Everybody in it, in order."""
    return [*cast.leading, *(figure for group in cast.groups for figure in group.figures)]


def _key(renderer: Renderer, cast: Cast) -> Iterator[tuple[Markup, str]]:
    """What the drawings say, each with one that says it."""
    shown = figures_of(cast)
    marks: tuple[tuple[Callable[[Emblem], object], str], ...] = (
        (lambda emblem: emblem.ticks and not emblem.dark, cast.counted),
        (lambda emblem: emblem.dark and not emblem.gone, word("site.key_other_side")),
        (lambda emblem: emblem.shape == "kind", word("site.key_class")),
        (lambda emblem: not emblem.motif, word("site.key_no_drawing")),
    )
    for has, words in marks:
        emblem = next(
            (figure.emblem for figure in shown if not figure.portrait and has(figure.emblem)), None
        )
        if emblem is not None:
            yield renderer.draw(emblem), words


def drawn(renderer: Renderer, figure: Figure, *, fine: bool = False) -> dict[str, Any]:
    """Somebody as templates want them."""
    name = figure.ref.label
    return {
        "name": figure.called,
        "url": renderer.address(figure.ref),
        "role": inline(figure.role),
        "face": pictures.face(renderer, figure.portrait)
        if figure.portrait
        else renderer.draw(figure.emblem, fine=fine),
        "about": draw_line(renderer, figure.introduction, name),
        "end": draw_headed(renderer, figure.end, name),
        "foot": inline(figure.foot),
        "hands": renderer.player(figure.hands),
    }
