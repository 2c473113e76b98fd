"""Connections (``relations.html``): one map of all connections between people and objects, after every
session, and the same as lists."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from chronicle.core.campaign_view import Graph, Ref, Sheet, SubjectState
from chronicle.core.diagnostic import listed
from chronicle.site import maps
from chronicle.site.bonds import SHARED_BOND_KEY, Bond, Tie, ties_of
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer, message_markup
from chronicle.site.links import slugify
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.words import word

INDEX: Final = "relations"
TITLE: Final = word("site.map")
MAX_NODES = 60
"""A map with more people and objects shows those with the greatest weight."""
MAX_LARGE_EMBLEMS = 6
"""The most people shown large on the map."""
MIN_PEOPLE_AT_PLACE = 2
"""The number of people who share a place that makes it a ground."""


class ConnectionMap(NamedTuple):
    """What the page shows."""

    session_number: int
    people: tuple[maps.MapPerson, ...]
    bonds: tuple[Bond, ...]
    left_out_count: int
    counted_graphs: tuple[Graph, ...]
    """Maps of the game's own, on which every reason is a mark of its own."""
    key_lines: tuple[tuple[str, str], ...]
    sessions_with_map: tuple[int, ...]


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if campaign_site.has_map:
        yield NavPage("Map", TITLE, INDEX)


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The latest map, and the map after each earlier session."""
    if not campaign_site.has_map:
        return
    session_numbers = tuple(campaign_site.view.session_ends)
    sessions_with_map = tuple(
        session_number
        for session_number in session_numbers
        if session_number == session_numbers[-1] or campaign_site.has_map_after(session_number)
    )
    map_pages = campaign_site.page_with_subpages(INDEX, word("site.all_of_it"))
    for session_number in reversed(sessions_with_map):
        is_last = session_number == sessions_with_map[-1]
        connection_map = connection_map_of(campaign_site, session_number, sessions_with_map)
        page_path = INDEX if is_last else f"{INDEX}/after-{session_number}"
        crumbs = () if is_last else ((TITLE, INDEX),)
        map_title = TITLE if is_last else word("site.map_after", title=TITLE, number=session_number)
        # The search lists the people of the last map only, as it contains the earlier ones.
        meta = {} if is_last else {"search": {"exclude": True}}
        yield PageSpec(
            page_path,
            map_title,
            connection_map,
            _template_values,
            crumbs,
            siblings=map_pages,
            last_session=session_number,
            meta=meta,
        )


def connection_map_of(
    campaign_site: CampaignSite, session_number: int, sessions_with_map: tuple[int, ...] = ()
) -> ConnectionMap:
    """What there is to show after a session, and which others there are."""
    session_end = campaign_site.view.session_ends[session_number]
    state_by_sheet = session_end.subjects
    counted_graphs = tuple(graph for graph in session_end.relations if graph.counted)
    bonds = campaign_site.bonds.bonds_after(session_number)
    connected_ids = dict.fromkeys(
        ref.id for bond in bonds for ref in (bond.first_ref, bond.second_ref)
    )
    connected_sheets = [sheet for sheet in campaign_site.view.sheets if sheet.id in connected_ids]
    connected_sheets.sort(
        key=lambda sheet: -campaign_site.weight_of(sheet, state_by_sheet[sheet.id], session_number)
    )
    shown_sheets = connected_sheets[:MAX_NODES]
    place_by_sheet = _shared_places(campaign_site, session_number, shown_sheets, bonds)
    people = tuple(
        _map_person(
            campaign_site,
            sheet,
            state_by_sheet[sheet.id],
            session_number,
            place_by_sheet.get(sheet.id, ""),
            person_index < MAX_LARGE_EMBLEMS,
        )
        for person_index, sheet in enumerate(shown_sheets)
    )
    shown_ids = {sheet.id for sheet in shown_sheets}
    shown_bonds = tuple(
        bond for bond in bonds if bond.first_ref.id in shown_ids and bond.second_ref.id in shown_ids
    )
    words_by_kind = dict(
        kind_and_words for graph in session_end.relations for kind_and_words in graph.key
    ) | dict(SHARED_BOND_KEY)
    drawn_kinds = dict.fromkeys(bond.kind for bond in maps.drawn_bonds(shown_bonds))
    key_lines = tuple(
        (bond_kind, words_by_kind.get(bond_kind, bond_kind)) for bond_kind in drawn_kinds
    )
    left_out_count = len(connected_sheets) - len(shown_sheets)
    return ConnectionMap(
        session_number,
        people,
        shown_bonds,
        left_out_count,
        counted_graphs,
        key_lines,
        sessions_with_map,
    )


def _shared_places(
    campaign_site: CampaignSite, session_number: int, sheets: list[Sheet], bonds: tuple[Bond, ...]
) -> dict[str, str]:
    """The place where each person appears most, if other people appear there, too. A sheet that never appears
    is at the place of a connected person."""
    place_counts_by_sheet: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for scene in campaign_site.record.timeline.scenes:
        if scene.place and scene.session <= session_number:
            for sheet_id in scene.cast:
                place_counts_by_sheet[sheet_id][campaign_site.name(scene.place)] += 1
    place_by_sheet = {
        sheet.id: place_counts_by_sheet[sheet.id].most_common(1)[0][0]
        for sheet in sheets
        if place_counts_by_sheet.get(sheet.id)
    }
    sheet_ids = {sheet.id for sheet in sheets}
    for bond in bonds:
        for own_id, other_id in (
            (bond.first_ref.id, bond.second_ref.id),
            (bond.second_ref.id, bond.first_ref.id),
        ):
            if (
                own_id in sheet_ids
                and own_id not in place_counts_by_sheet
                and other_id in place_counts_by_sheet
                and other_id in place_by_sheet
            ):
                place_by_sheet.setdefault(own_id, place_by_sheet[other_id])
    person_count_by_place = Counter(place_by_sheet.values())
    return {
        sheet_id: place
        for sheet_id, place in place_by_sheet.items()
        if person_count_by_place[place] >= MIN_PEOPLE_AT_PLACE
    }


def _map_person(
    campaign_site: CampaignSite,
    sheet: Sheet,
    subject_state: SubjectState,
    session_number: int,
    place: str,
    is_large: bool,
) -> maps.MapPerson:
    role = (
        subject_state.role
        if subject_state.role.casefold() not in subject_state.name.casefold()
        else ""
    )
    return maps.MapPerson(
        Ref("sheet", sheet.id, subject_state.name),
        subject_state.status
        if subject_state.gone and len(subject_state.status) < 20
        else role
        if len(role) < 24
        else "",
        campaign_site.emblem_at(sheet, subject_state, session_number)._replace(tick_count=0),
        place,
        is_large and sheet.shape == "person",
    )


# -- drawing ---------------------------------------------------------------------------------------


def _template_values(renderer: Renderer, connection_map: ConnectionMap) -> dict[str, Any]:
    anchor_by_person = {
        person.ref.id: f"ties-{slugify(person.ref.label)}-{person_index}"
        for person_index, person in enumerate(connection_map.people)
    }
    ties_by_person = ties_of(connection_map.bonds)
    map_svg = arcs_svg = None
    if connection_map.bonds and not connection_map.counted_graphs:
        map_svg = maps.draw_map(
            renderer.graphs, TITLE, connection_map.people, connection_map.bonds, renderer.address
        )
        arcs_svg = maps.draw_arcs(connection_map.people, connection_map.bonds, anchor_by_person)
    people_data = [
        {
            "anchor": anchor_by_person[person.ref.id],
            "name": person.ref.label,
            "url": renderer.address(person.ref),
            "note": person.note,
            "emblem": renderer.draw_emblem(person.emblem),
            "partners": listed(
                dict.fromkeys(tie.partner.label for tie in ties_by_person[person.ref.id])
            ),
            "ties": ties_data(renderer, ties_by_person[person.ref.id], person.ref.label),
        }
        for person in sorted(
            connection_map.people, key=lambda person: person.emblem.shape != "person"
        )
    ]
    return {
        # What is drawn, which may be fewer than those that the lists below name.
        "count": max(
            (len(graph.nodes) for graph in connection_map.counted_graphs),
            default=len(connection_map.people),
        ),
        "session": connection_map.session_number,
        "title": TITLE,
        "grounds": map_svg is not None and maps.GROUND_CLASS in map_svg,
        "left_out": connection_map.left_out_count,
        "picture": map_svg,
        "arcs": arcs_svg,
        "counted": [renderer.graph(graph) for graph in connection_map.counted_graphs],
        "key": [
            (maps.draw_key_line(bond_kind, slugify(bond_kind) or "plain"), words)
            for bond_kind, words in connection_map.key_lines
        ],
        # In two columns that stay as they are where a person is opened.
        "columns": [
            people_data[: -(-len(people_data) // 2)],
            people_data[-(-len(people_data) // 2) :],
        ],
        "evenings": renderer.links_to_versions(
            INDEX, connection_map.sessions_with_map, connection_map.session_number
        ),
    }


def ties_data(renderer: Renderer, ties: Iterable[Tie], owner_name: str) -> list[dict[str, Any]]:
    """The ties of somebody as templates take them, one row for each partner. A tie in one direction names both."""
    row_by_partner: dict[str, dict[str, Any]] = {}
    for tie in ties:
        tie_row = row_by_partner.setdefault(
            tie.partner.id,
            {
                "other": renderer.text(tie.partner),
                "emblem": renderer.emblem(tie.partner),
                "over": True,
                "lines": [],
            },
        )
        tie_row["over"] = tie_row["over"] and tie.is_over
        tie_words = renderer.text(tie.description)
        if tie.direction:
            both_names = [owner_name, tie.partner.label]
            first_name, second_name = both_names if tie.direction == "to" else both_names[::-1]
            tie_words = message_markup(
                "site.tie_of_to", first=first_name, second=second_name, words=tie_words
            )
        tie_row["lines"].append({"words": tie_words, "over": tie.is_over})
    return [*row_by_partner.values()]
