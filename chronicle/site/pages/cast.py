"""The people (``cast.html``): everybody who can be met, with a drawing or a portrait, one sentence about them
and one ending, as they stood after any session that can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import Ref, Sheet, SubjectState
from chronicle.core.figures import number_in_words
from chronicle.site import pictures
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.emblems import Emblem
from chronicle.site.lives import LifeSentence, draw_line, draw_with_head, source_of_sentences
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.site.prose import inline
from chronicle.words import word

INDEX = "cast/index"
TITLE = word("site.the_people")
CONTACT_KIND = "contact"
"""What a game calls the sheets of people whom the players' characters have as friends and contacts."""
LEADING_COUNT = 3
"""The number of people shown large at the top."""
MIN_FOR_LEADING = 6
"""With fewer people, none is shown above the others, unless there are at most ``LEADING_COUNT``."""


class CastMember(NamedTuple):
    """Somebody in the cast."""

    ref: Ref
    heading: str
    """What the page calls them."""
    role: str
    emblem: Emblem
    portrait: pictures.Plate | None
    introduction: LifeSentence | None
    """Who they are."""
    end: LifeSentence | None
    """How things stand with them."""
    foot: str
    """Further facts, in a few words."""
    holder: str


class CastGroup(NamedTuple):
    """Some of the cast under one heading."""

    title: str
    note: str
    figures: tuple[CastMember, ...]


class Cast(NamedTuple):
    """What the page shows."""

    session: int
    """The session after which it is; 0: the whole story."""
    leading: tuple[CastMember, ...]
    groups: tuple[CastGroup, ...]
    session_numbers: tuple[int, ...]
    tick_meaning: str
    """What the key says of ticks."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if campaign_site.view.sheets:
        ends = campaign_site.view.session_ends
        others = members_without_sheet(campaign_site, max(ends)) if ends else ()
        yield NavPage("Cast", word("site.cast"), INDEX, str(len(campaign_site.cast) + len(others)))


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The latest cast, and the cast after each earlier session."""
    session_numbers = tuple(campaign_site.view.session_ends)
    if not campaign_site.view.sheets or not session_numbers:
        return
    for number in reversed(session_numbers):
        is_last = number == session_numbers[-1]
        page = INDEX if is_last else f"cast/after-{number}"
        cast = cast_of(campaign_site, number, is_last, session_numbers)
        crumbs = () if is_last else ((TITLE, INDEX),)
        title = TITLE if is_last else word("site.cast_after", number=number)
        # The search lists the people of the last cast only, as it contains the earlier ones.
        meta = {} if is_last else {"search": {"exclude": True}}
        yield PageSpec(page, title, cast, _template_values, crumbs, last_session=number, meta=meta)


def cast_of(
    campaign_site: CampaignSite, number: int, is_last: bool, session_numbers: tuple[int, ...]
) -> Cast:
    """The people as of the end of a session. ``is_last``: it is the last of the sessions."""
    states = campaign_site.view.session_ends[number].subjects
    sheets = [sheet for sheet in campaign_site.view.sheets if sheet.id in states]
    sheets.sort(key=lambda sheet: -campaign_site.weight(sheet, states[sheet.id], number))
    people = [sheet for sheet in sheets if sheet.shape == "person" and not sheet.is_never_seen]

    def members(sheets_of_group: list[Sheet]) -> tuple[CastMember, ...]:
        return tuple(
            _cast_member(campaign_site, sheet, states[sheet.id], number)
            for sheet in sheets_of_group
        )

    gone_people = [
        sheet
        for sheet in people
        if states[sheet.id].gone or campaign_site.lives.gone(sheet.id, number)
    ]
    present_people = [sheet for sheet in people if sheet not in gone_people]
    without_sheet = members_without_sheet(campaign_site, number)
    dead = tuple(figure for figure in without_sheet if figure.emblem.gone)
    alive = tuple(figure for figure in without_sheet if not figure.emblem.gone)
    protagonists = [sheet for sheet in present_people if not sheet.has_no_player]
    is_small = len(protagonists) < MIN_FOR_LEADING
    leading = (
        protagonists
        if len(protagonists) <= LEADING_COUNT
        else []
        if is_small
        else protagonists[:LEADING_COUNT]
    )
    supporting = [sheet for sheet in protagonists if sheet not in leading]
    other_side = [sheet for sheet in present_people if sheet.has_no_player]
    groups = (
        CastGroup(
            word("site.also_in_story" if leading else "site.in_story"),
            "",
            members(supporting) + alive,
        ),
        CastGroup(
            word("site.contacts"),
            "",
            members([sheet for sheet in other_side if sheet.kind == CONTACT_KIND]),
        ),
        CastGroup(
            word("site.met_along"),
            "",
            members([sheet for sheet in other_side if sheet.kind != CONTACT_KIND]),
        ),
        CastGroup(word("site.gone_and_how"), "", members(gone_people) + dead),
    )
    has_weights = any(sheet.weight for sheet in campaign_site.view.sheets)
    tick_meaning = word("site.key_tick_importance" if has_weights else "site.key_tick_scene")
    return Cast(
        0 if is_last else number,
        members(leading),
        tuple(group for group in groups if group.figures),
        session_numbers,
        tick_meaning,
    )


def members_without_sheet(campaign_site: CampaignSite, number: int) -> tuple[CastMember, ...]:
    """The people whom the log only tells of, and the keepers introduce."""
    lives = campaign_site.lives
    sheets = {sheet.name.casefold() for sheet in campaign_site.view.sheets}
    figures: list[CastMember] = []
    for subject in lives.keepers.told_of.values():
        gone = lives.gone(subject.id, number)
        introduction, ending = (
            lives.introduction(subject.id, number),
            lives.ending(subject, gone, number),
        )
        if (introduction or ending) and subject.name.casefold() not in sheets:
            name = capitalised(subject.name)
            emblem = Emblem(name, gone=gone)
            ref = Ref("sheet", subject.id, name)
            foot = word("site.only_spoken_of")
            figures.append(CastMember(ref, name, "", emblem, None, introduction, ending, foot, ""))
    return tuple(figures)


def capitalised(words: str) -> str:
    """Words as a heading, with a capital at the beginning."""
    return f"{words[:1].upper()}{words[1:]}"


def _cast_member(
    campaign_site: CampaignSite, sheet: Sheet, state: SubjectState, number: int
) -> CastMember:
    plates = campaign_site.pictures.plates_of(campaign_site.works.works_about("sheet", sheet.id))
    scenes = campaign_site.scenes_of(sheet.id, number)
    gone = state.gone or campaign_site.lives.gone(sheet.id, number)
    introduction = campaign_site.lives.introduction(sheet.id, number)
    ending = campaign_site.lives.ending(sheet, gone, number) if sheet.shape == "person" else None
    if scenes:
        appearance = word("site.in_scenes", count=scenes)
    elif introduction:
        appearance = word("site.only_spoken_of")
    else:
        mention_count = campaign_site.mention_count(sheet, number)
        appearance = (
            word("site.in_entries", count=mention_count) if mention_count else word("site.not_met")
        )
    return CastMember(
        Ref("sheet", sheet.id, state.name),
        capitalised(state.name),
        state.role if state.role.casefold() not in state.name.casefold() else "",
        campaign_site.emblem_at(sheet, state, number)._replace(gone=gone),
        plates[0] if plates else None,
        introduction,
        ending,
        state.status if sheet.is_never_seen else appearance,
        state.last_holder,
    )


# -- drawing ---------------------------------------------------------------------------------------


def _template_values(renderer: Renderer, cast: Cast) -> dict[str, Any]:
    count = len(cast.leading) + sum(len(group.figures) for group in cast.groups)
    session = cast.session or cast.session_numbers[-1]
    return {
        "count": count,
        "session": cast.session,
        "in_words": capitalised(number_in_words(count)),
        "leading": [cast_member_data(renderer, figure, fine=True) for figure in cast.leading],
        "groups": [
            {
                "title": group.title,
                "note": group.note,
                "figures": [cast_member_data(renderer, figure) for figure in group.figures],
            }
            for group in cast.groups
        ],
        "evenings": renderer.links_by_session(INDEX, cast.session_numbers, session),
        "counted": cast.tick_meaning,
        "key": [*_key_to_emblems(renderer, cast)],
        "whose": source_of_sentences(
            line for member in all_members(cast) for line in (member.introduction, member.end)
        ),
    }


def all_members(cast: Cast) -> list[CastMember]:
    """Everybody in it, in order."""
    return [*cast.leading, *(figure for group in cast.groups for figure in group.figures)]


def _key_to_emblems(renderer: Renderer, cast: Cast) -> Iterator[tuple[Markup, str]]:
    """What the drawings say, each with one that says it."""
    members = all_members(cast)
    meanings: tuple[tuple[Callable[[Emblem], object], str], ...] = (
        (lambda emblem: emblem.ticks and not emblem.dark, cast.tick_meaning),
        (lambda emblem: emblem.dark and not emblem.gone, word("site.key_other_side")),
        (lambda emblem: emblem.shape == "kind", word("site.key_class")),
        (lambda emblem: not emblem.motif, word("site.key_no_drawing")),
    )
    for applies, words in meanings:
        emblem = next(
            (figure.emblem for figure in members if not figure.portrait and applies(figure.emblem)),
            None,
        )
        if emblem is not None:
            yield renderer.draw_emblem(emblem), words


def cast_member_data(
    renderer: Renderer, figure: CastMember, *, fine: bool = False
) -> dict[str, Any]:
    """Somebody as templates want them."""
    name = figure.ref.label
    return {
        "name": figure.heading,
        "url": renderer.address(figure.ref),
        "role": inline(figure.role),
        "face": pictures.draw_portrait(renderer, figure.portrait)
        if figure.portrait
        else renderer.draw_emblem(figure.emblem, fine=fine),
        "about": draw_line(renderer, figure.introduction, name),
        "end": draw_with_head(renderer, figure.end, name),
        "foot": inline(figure.foot),
        "hands": renderer.player(figure.holder),
    }
