"""A page for every spy and every contact, and the map that connects them."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign_view import (
    Block,
    Edge,
    Facts,
    Graph,
    Inline,
    Item,
    Listing,
    Node,
    Prose,
    Ref,
    Row,
    Section,
    Sheet,
    Slip,
    Slips,
    Stat,
    Stats,
    Stones,
    Table,
    heads,
    tabled,
)
from chronicle.core.make_view import appearances
from chronicle.core.record import Record
from chronicle.games.slow_burn.pages_agency import penalties
from chronicle.games.slow_burn.pages_job import push_table
from chronicle.games.slow_burn.show import (
    called,
    entry_link,
    reduction_shown,
    scene_link,
    sheet_link,
)
from chronicle.games.slow_burn.state import AGENCY_DIE, LAST_SPACE, SPACE, Spy, State


def spy_sheet(record: Record, state: State, spy: Spy) -> Sheet:
    """The page of a main character."""
    ledger = record.ledger
    space = ledger.balance(f"path:{spy.id}", SPACE)
    dice = ledger.balance(f"persistent:{spy.id}", AGENCY_DIE)
    lost = state.lost(spy.id)
    names = [called(spy, id) for id in lost]
    if spy.free:
        status = "off the blacklist"
    elif not spy.introduced:
        status = "not introduced yet"
    else:
        status = f"on space {space} of 10" if spy.is_spy else "no Path, no duty to push"
    sheet = Sheet(
        id=spy.id,
        name=record.names.all[spy.id].name,
        kind="spy" if spy.is_spy else "character",
        registry="Spies",
        player=spy.player,
        status=status,
        tagline=f"{spy.speciality or 'no speciality'}; played by {spy.player or 'nobody'}"
        + (f"; developed from a contact of {spy.developed_from}" if spy.developed_from else ""),
        row=(spy.player, spy.speciality, space if spy.is_spy else "none", dice, ", ".join(names)),
        role=spy.speciality,
    )
    slips = [Slip(spy.speciality, state="name", step=spy.step, player=spy.player)]
    slips += [Slip(c.name, step=c.step, player=c.author) for c in spy.contacts]
    sheet.blocks = [
        *_told(record, spy),
        Slips(
            tuple(
                slip._replace(state="removed") if slip.text in names else slip
                for slip in slips
                if slip.text
            ),
            "Resources",
        ),
        _contacts(spy),
        Listing(
            tuple(
                Item(f"{c.other or c.author}: {c.text}", f"written by {c.author}", c.step)
                for c in spy.connections
            ),
            "Connections",
        ),
        _changes(record, f"persistent:{spy.id}", AGENCY_DIE, "Persistent Agency dice"),
    ]
    if spy.is_spy:
        steps = _changes(record, f"path:{spy.id}", SPACE, "Steps on the Path to Freedom")
        sheet.blocks += [steps, push_table(state, spy.id)]
    sheet.blocks.append(penalties(state, spy.id))
    rows: list[tuple[str, Inline]] = [("Player", spy.player), ("Speciality", spy.speciality)]
    if names:
        rows.append(("Lost for now", ", ".join(names)))
    if reduction_shown(state, spy):
        rows.append(("Target number", f"{reduction_shown(state, spy)} lower"))
    sheet.aside = [
        Stats(
            (
                Stat(str(space) if spy.is_spy else "none", "space on the Path", spy.player),
                Stat.of(dice, "persistent Agency die", "persistent Agency dice", spy.player),
            )
        ),
        Facts(tuple(rows)),
        appearances(record, spy.id),
    ]
    if spy.is_spy:
        way = ((spy.id, max(0, space), LAST_SPACE),)
        sheet.aside.insert(1, Stones(way, "Path to Freedom", players=(spy.player,)))
    return sheet


@tabled("Contact | Speciality | Written by | Entry", "Contacts")
def _contacts(spy: Spy) -> Iterator[Row]:
    for contact in spy.contacts:
        yield contact.name, contact.speciality, contact.author or "given", entry_link(contact.step)


def _told(record: Record, spy: Spy) -> Iterator[Block]:
    """The text on the sheet, and how the spy came into play."""
    description = record.step(spy.step).fiction
    if description:
        yield Prose(description)
    if spy.introduced and spy.introduced != spy.step:
        story = record.step(spy.introduced).fiction
        if story:
            yield Section("Introduction", (Prose(story),), step=spy.introduced)


def contact_sheets(record: Record, state: State) -> Iterator[Sheet]:
    """A page for every contact."""
    for spy in state.cast.values():
        lost = state.lost(spy.id)
        for contact in spy.contacts:
            used = [scene for scene in state.scenes if contact.id in scene.used.get(spy.id, ())]
            yield Sheet(
                id=contact.id,
                name=contact.name,
                kind="contact",
                registry="Contacts",
                player=spy.player,
                status="lost until the Agency is answered" if contact.id in lost else "",
                tagline=f"{contact.speciality or 'no speciality'}; known by {spy.id}",
                row=(sheet_link(spy), contact.speciality, contact.author or "given"),
                role=contact.speciality,
                has_no_player=True,
                absent_scene_numbers=frozenset(scene.number for scene in used),
                blocks=[
                    Listing(
                        tuple(
                            Item(
                                scene_link(record, scene.number),
                                f"{scene.verdict} for the spies",
                                scene.step,
                            )
                            for scene in used
                        ),
                        "Called upon in",
                        ordered=True,
                    )
                ],
                aside=[
                    Facts(
                        (
                            ("Known by", sheet_link(spy)),
                            ("Speciality", contact.speciality),
                            ("Written by", contact.author or "given"),
                        )
                    )
                ],
            )


def _changes(record: Record, account: str, unit: str, title: str) -> Table:
    return Table(
        heads("Entry | Change # | Then # | Why | Rule"),
        tuple(
            (
                entry_link(entry.step_number),
                f"{change:+d}",
                left,
                entry.why,
                Ref("rule", entry.rule, entry.rule) if entry.rule else "",
            )
            for entry, change, left in record.ledger.moves(unit, account)
        ),
        title,
    )


def ring_of(state: State) -> Graph:
    """Spies, what connects them, and whom they know."""
    nodes = [
        Node(spy.id, spy.id, "character", sheet_link(spy), spy.player)
        for spy in state.cast.values()
    ]
    edges: list[Edge] = []
    for spy in state.cast.values():
        for connection in spy.connections:
            if connection.other and connection.other != spy.id:
                edges.append(Edge(spy.id, connection.other, connection.text, "connected"))
        for contact in spy.contacts:
            sheet = Ref("sheet", contact.id, contact.name)
            nodes.append(Node(contact.id, contact.name, "prop", sheet))
            edges.append(Edge(spy.id, contact.id, contact.speciality, "knows"))
    return Graph(
        "Spies, contacts, connections",
        tuple(nodes),
        tuple(edges),
        (("connected", "how two spies are connected"), ("knows", "a contact and what it can do")),
        wide=True,
    )
