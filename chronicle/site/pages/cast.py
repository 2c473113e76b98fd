"""The people (``cast.html``): everybody who can be met, with a drawing or a portrait, one sentence about them
and one ending, as they stood after any session that can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import Ref, Sheet, SubjectState
from chronicle.core.figures import number_in_words
from chronicle.core.sentences import with_capital
from chronicle.site import pictures
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.emblems import Emblem
from chronicle.site.lives import (
    LifeSentence,
    draw_headed_sentence,
    draw_life_sentence,
    sources_of_sentences,
)
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
    ending: LifeSentence | None
    """How things stand with them."""
    footnote: str
    """Further facts, in a few words."""
    holder: str


class CastGroup(NamedTuple):
    """Some of the cast under one heading."""

    title: str
    note: str
    figures: tuple[CastMember, ...]


class Cast(NamedTuple):
    """What the page shows."""

    session_number: int
    """The session after which it is; 0: the whole story."""
    leading_members: tuple[CastMember, ...]
    groups: tuple[CastGroup, ...]
    session_numbers: tuple[int, ...]
    tick_meaning: str
    """What the key says of ticks."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if campaign_site.view.sheets:
        session_ends = campaign_site.view.session_ends
        members_without_sheets = (
            members_without_sheet(campaign_site, max(session_ends)) if session_ends else ()
        )
        yield NavPage(
            "Cast",
            word("site.cast"),
            INDEX,
            str(len(campaign_site.cast) + len(members_without_sheets)),
        )


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The latest cast, and the cast after each earlier session."""
    session_numbers = tuple(campaign_site.view.session_ends)
    if not campaign_site.view.sheets or not session_numbers:
        return
    for session_number in reversed(session_numbers):
        is_last = session_number == session_numbers[-1]
        page_path = INDEX if is_last else f"cast/after-{session_number}"
        cast = cast_of(campaign_site, session_number, is_last, session_numbers)
        crumbs = () if is_last else ((TITLE, INDEX),)
        page_title = TITLE if is_last else word("site.cast_after", number=session_number)
        # The search lists the people of the last cast only, as it contains the earlier ones.
        meta = {} if is_last else {"search": {"exclude": True}}
        yield PageSpec(
            page_path,
            page_title,
            cast,
            _template_values,
            crumbs,
            last_session=session_number,
            meta=meta,
        )


def cast_of(
    campaign_site: CampaignSite,
    session_number: int,
    is_last: bool,
    session_numbers: tuple[int, ...],
) -> Cast:
    """The people as of the end of a session. ``is_last``: it is the last of the sessions."""
    state_by_sheet = campaign_site.view.session_ends[session_number].subjects
    sheets_with_state = [sheet for sheet in campaign_site.view.sheets if sheet.id in state_by_sheet]
    sheets_with_state.sort(
        key=lambda sheet: -campaign_site.weight_of(sheet, state_by_sheet[sheet.id], session_number)
    )
    people = [
        sheet for sheet in sheets_with_state if sheet.shape == "person" and not sheet.is_never_seen
    ]

    def cast_members_of(sheets_of_group: list[Sheet]) -> tuple[CastMember, ...]:
        return tuple(
            _cast_member(campaign_site, sheet, state_by_sheet[sheet.id], session_number)
            for sheet in sheets_of_group
        )

    gone_people = [
        sheet
        for sheet in people
        if state_by_sheet[sheet.id].gone or campaign_site.lives.is_gone(sheet.id, session_number)
    ]
    present_people = [sheet for sheet in people if sheet not in gone_people]
    members_without_sheets = members_without_sheet(campaign_site, session_number)
    gone_members = tuple(member for member in members_without_sheets if member.emblem.is_gone)
    present_members = tuple(
        member for member in members_without_sheets if not member.emblem.is_gone
    )
    protagonists = [sheet for sheet in present_people if not sheet.has_no_player]
    is_small_cast = len(protagonists) < MIN_FOR_LEADING
    leading_sheets = (
        protagonists
        if len(protagonists) <= LEADING_COUNT
        else []
        if is_small_cast
        else protagonists[:LEADING_COUNT]
    )
    supporting_sheets = [sheet for sheet in protagonists if sheet not in leading_sheets]
    sheets_without_player = [sheet for sheet in present_people if sheet.has_no_player]
    cast_groups = (
        CastGroup(
            word("site.also_in_story" if leading_sheets else "site.in_story"),
            "",
            cast_members_of(supporting_sheets) + present_members,
        ),
        CastGroup(
            word("site.contacts"),
            "",
            cast_members_of(
                [sheet for sheet in sheets_without_player if sheet.kind == CONTACT_KIND]
            ),
        ),
        CastGroup(
            word("site.met_along"),
            "",
            cast_members_of(
                [sheet for sheet in sheets_without_player if sheet.kind != CONTACT_KIND]
            ),
        ),
        CastGroup(word("site.gone_and_how"), "", cast_members_of(gone_people) + gone_members),
    )
    has_weights = any(sheet.weight for sheet in campaign_site.view.sheets)
    tick_meaning = word("site.key_tick_importance" if has_weights else "site.key_tick_scene")
    return Cast(
        0 if is_last else session_number,
        cast_members_of(leading_sheets),
        tuple(cast_group for cast_group in cast_groups if cast_group.figures),
        session_numbers,
        tick_meaning,
    )


def members_without_sheet(
    campaign_site: CampaignSite, session_number: int
) -> tuple[CastMember, ...]:
    """The people whom the log only tells of, and the keepers introduce."""
    lives = campaign_site.lives
    sheet_names = {sheet.name.casefold() for sheet in campaign_site.view.sheets}
    cast_members: list[CastMember] = []
    for subject in lives.cited_texts.told_of.values():
        is_gone = lives.is_gone(subject.id, session_number)
        introduction, ending = (
            lives.introduction(subject.id, session_number),
            lives.ending(subject, is_gone, session_number),
        )
        if (introduction or ending) and subject.name.casefold() not in sheet_names:
            shown_name = with_capital(subject.name)
            emblem = Emblem(shown_name, is_gone=is_gone)
            ref = Ref("sheet", subject.id, shown_name)
            footnote = word("site.only_spoken_of")
            cast_members.append(
                CastMember(ref, shown_name, "", emblem, None, introduction, ending, footnote, "")
            )
    return tuple(cast_members)


def _cast_member(
    campaign_site: CampaignSite, sheet: Sheet, subject_state: SubjectState, session_number: int
) -> CastMember:
    plates = campaign_site.pictures.plates_of(campaign_site.works.works_about("sheet", sheet.id))
    scene_count = campaign_site.scene_count_of(sheet.id, session_number)
    is_gone = subject_state.gone or campaign_site.lives.is_gone(sheet.id, session_number)
    introduction = campaign_site.lives.introduction(sheet.id, session_number)
    ending = (
        campaign_site.lives.ending(sheet, is_gone, session_number)
        if sheet.shape == "person"
        else None
    )
    if scene_count:
        footnote = word("site.in_scenes", count=scene_count)
    elif introduction:
        footnote = word("site.only_spoken_of")
    else:
        mention_count = campaign_site.mention_count(sheet, session_number)
        footnote = (
            word("site.in_entries", count=mention_count) if mention_count else word("site.not_met")
        )
    return CastMember(
        Ref("sheet", sheet.id, subject_state.name),
        with_capital(subject_state.name),
        subject_state.role
        if subject_state.role.casefold() not in subject_state.name.casefold()
        else "",
        campaign_site.emblem_at(sheet, subject_state, session_number)._replace(is_gone=is_gone),
        plates[0] if plates else None,
        introduction,
        ending,
        subject_state.status if sheet.is_never_seen else footnote,
        subject_state.last_holder,
    )


# -- drawing ---------------------------------------------------------------------------------------


def _template_values(renderer: Renderer, cast: Cast) -> dict[str, Any]:
    member_count = len(cast.leading_members) + sum(
        len(cast_group.figures) for cast_group in cast.groups
    )
    shown_session = cast.session_number or cast.session_numbers[-1]
    return {
        "count": member_count,
        "session": cast.session_number,
        "in_words": with_capital(number_in_words(member_count)),
        "leading": [
            cast_member_data(renderer, member, has_fine_lines=True)
            for member in cast.leading_members
        ],
        "groups": [
            {
                "title": group.title,
                "note": group.note,
                "figures": [cast_member_data(renderer, member) for member in group.figures],
            }
            for group in cast.groups
        ],
        "evenings": renderer.links_to_versions(INDEX, cast.session_numbers, shown_session),
        "counted": cast.tick_meaning,
        "key": [*_key_to_emblems(renderer, cast)],
        "whose": sources_of_sentences(
            life_sentence
            for member in all_members(cast)
            for life_sentence in (member.introduction, member.ending)
        ),
    }


def all_members(cast: Cast) -> list[CastMember]:
    """Everybody in it, in order."""
    return [
        *cast.leading_members,
        *(member for cast_group in cast.groups for member in cast_group.figures),
    ]


def _key_to_emblems(renderer: Renderer, cast: Cast) -> Iterator[tuple[Markup, str]]:
    """What the drawings say, each with one that says it."""
    members = all_members(cast)
    meanings: tuple[tuple[Callable[[Emblem], object], str], ...] = (
        (lambda emblem: emblem.tick_count and not emblem.is_dark, cast.tick_meaning),
        (lambda emblem: emblem.is_dark and not emblem.is_gone, word("site.key_other_side")),
        (lambda emblem: emblem.shape == "kind", word("site.key_class")),
        (lambda emblem: not emblem.motif, word("site.key_no_drawing")),
    )
    for is_example, meaning in meanings:
        emblem = next(
            (
                member.emblem
                for member in members
                if not member.portrait and is_example(member.emblem)
            ),
            None,
        )
        if emblem is not None:
            yield renderer.draw_emblem(emblem), meaning


def cast_member_data(
    renderer: Renderer, member: CastMember, *, has_fine_lines: bool = False
) -> dict[str, Any]:
    """Somebody as templates want them."""
    member_name = member.ref.label
    return {
        "name": member.heading,
        "url": renderer.address(member.ref),
        "role": inline(member.role),
        "face": pictures.draw_portrait(renderer, member.portrait)
        if member.portrait
        else renderer.draw_emblem(member.emblem, has_fine_lines=has_fine_lines),
        "about": draw_life_sentence(renderer, member.introduction, member_name),
        "end": draw_headed_sentence(renderer, member.ending, member_name),
        "foot": inline(member.footnote),
        "hands": renderer.player(member.holder),
    }
