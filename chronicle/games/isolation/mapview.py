"""The relationship map for readers: two colours, labelled and not, at any moment of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from chronicle.core.campaign_view import (
    Block,
    Edge,
    Graph,
    Inline,
    Item,
    Listing,
    Node,
    Note,
    Page,
    Ref,
    Section,
    Table,
    heads,
)
from chronicle.core.figures import with_times
from chronicle.core.record import Record
from chronicle.games.isolation.dice import GREEN, RED, Colour
from chronicle.games.isolation.state import Link, PairKey, State, Tally, signed

KEY = (
    ("green", "green: a reason to like"),
    ("red", "red: a reason to hate"),
    ("green unlabelled", "green, unlabelled: from a recent event"),
    ("red unlabelled", "red, unlabelled: from a recent event"),
)


def sheet_ref(character: str) -> Ref:
    """A link to a character's sheet."""
    return Ref("sheet", character, character)


def alive_at(state: State, step: int) -> list[str]:
    """Who is on the map after an entry: introduced, not dead."""
    return [
        person.id
        for person in state.people.values()
        if person.step <= step and (not person.died or person.died > step)
    ]


def graph_at(state: State, step: int, title: str, character: Iterable[str] | None = None) -> Graph:
    """The map after an entry. ``character`` keeps only links of these characters (an ego map for one)."""
    links = state.link_map(step)
    why = {change.pair: change.why for change in state.loose_history if change.step <= step}
    chosen = None if character is None else set(character)
    names = alive_at(state, step)
    edges: list[Edge] = []
    linked: set[str] = set()
    for pair in state.pairs(names):
        if pair not in links or (chosen is not None and not chosen & set(pair)):
            continue
        linked |= set(pair)
        edges.extend(_edges(pair, *links[pair], why.get(pair, "")))
    nodes = [id for id in names if chosen is None or id in linked or id in chosen]
    return Graph(
        title,
        tuple(Node(id, id, "character", sheet_ref(id), state.people[id].player) for id in nodes),
        tuple(edges),
        KEY,
        wide=chosen is None and len(nodes) > 4,
        counted=True,
    )


def _edges(pair: PairKey, links: list[Link], loose: Tally, why: str) -> Iterator[Edge]:
    first, second = pair
    for colour in (GREEN, RED):
        labels = labels_of(links, colour)
        count = sum(1 for link in links if link.colour is colour)
        if count:
            yield Edge(first, second, labels, str(colour), False, count)
        free = loose.green if colour is GREEN else loose.red
        if free:
            words = f"{free} unlabelled" + (f", since: {why}" if why else "")
            yield Edge(first, second, words, f"{colour} unlabelled", False, free)


def labels_of(links: Iterable[Link], colour: Colour) -> str:
    """``patient + vain, goal (three times)``: the labels of one colour, alike ones counted."""
    counts = Counter(link.label for link in links if link.colour is colour)
    return ", ".join(with_times(label, count) for label, count in counts.items())


LINKS = "Green # | Green labels | Red # | Red labels | Unlabelled #"
"""The heads for the links of a pair: see ``row_of``."""


def row_of(first: Inline, links: list[Link], loose: Tally) -> tuple[Inline, ...]:
    """The links of a pair, as a table row after its first column."""
    green = sum(link.colour is GREEN for link in links)
    return (
        first,
        green,
        labels_of(links, GREEN),
        len(links) - green,
        labels_of(links, RED),
        signed(loose.balance),
    )


def table_at(state: State, step: int, title: str = "") -> Table:
    """Counts and labels of every pair after an entry."""
    links = state.link_map(step)
    rows = (
        row_of((sheet_ref(pair[0]), " & ", sheet_ref(pair[1])), *links.get(pair, ([], Tally(0, 0))))
        for pair in state.pairs(alive_at(state, step))
    )
    return Table(heads(f"Pair | {LINKS}"), tuple(rows), title)


def moments(record: Record, state: State) -> list[tuple[int, int, str]]:
    """The moments worth a map: (session, entry, words). The first map, the map after every conflict
    that changed it, and after the pair rolls of each session."""
    chosen: list[tuple[int, int, str]] = []
    changed = {link.since for link in state.links} | {link.until for link in state.links}
    changed |= {change.step for change in state.loose_history}
    if state.map_step:
        first = max(state.map_step - 1, 1)
        chosen.append((record.step(first).session, state.map_step, "The first map"))
    for conflict in state.conflicts:
        if conflict.level is None or not conflict.steps:
            continue
        last = max(max(conflict.steps), conflict.wounds_step)
        if any(conflict.step <= step <= last for step in changed):
            words = f"After conflict {conflict.number}: {conflict.words} ({conflict.level})"
            chosen.append((conflict.session, last, words))
    ends = {rolled.session: rolled.step for rolled in state.pair_rolls}
    chosen.extend((session, step, f"After session {session}") for session, step in ends.items())
    return sorted(chosen, key=lambda moment: moment[1])


def map_pages(record: Record, state: State) -> Iterator[Page]:
    """One page for each session: the map at each of its moments, with the changes since the last moment."""
    by_session: dict[int, list[tuple[int, str]]] = {}
    for session, step, words in moments(record, state):
        by_session.setdefault(session, []).append((step, words))
    previous = 0
    for session, in_session in by_session.items():
        sections: list[Block] = [
            Note("Open a moment to see the map at that time. Its title leads to the entry.")
        ]
        for step, words in in_session:
            blocks = (graph_at(state, step, words), changes_between(state, previous, step))
            folded = step != in_session[-1][0]
            sections.append(Section(words, blocks, f"map-{step}", step, folded=folded))
            previous = step
        yield Page(
            f"map-session-{session}",
            f"The map in session {session}",
            sections,
            "Green links are reasons to like, red ones reasons to hate; unlabelled links come "
            "from recent events.",
            "Map",
            "relations",
        )


def changes_between(state: State, previous: int, step: int) -> Listing:
    """The links drawn, erased or cancelled between two entries."""
    items: list[Item] = []
    for word in ("drawn", "erased"):
        moved = ((link.since if word == "drawn" else link.until, link) for link in state.links)
        counts = Counter(
            (at, link.pair, link.colour, link.label) for at, link in moved if previous < at <= step
        )
        for (at, pair, colour, label), count in counts.items():
            text = with_times(f"{state.name_of(pair)}: {colour} '{label}'", count)
            items.append(Item(f"{text} {word}", "", at))
    for change in state.loose_history:
        if previous < change.step <= step:
            balance = change.green - change.red
            items.append(
                Item(
                    f"{state.name_of(change.pair)}: unlabelled now " + signed(balance),
                    change.why,
                    change.step,
                )
            )
    items.sort(key=lambda item: item.step)
    if previous == 0:
        items = [item for item in items if "unlabelled" in str(item.text)]
    return Listing(tuple(items), "What changed")
