"""UA.9 as readers see it: the branches as a graph, and on each sheet what is true on which branch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace

from chronicle.core.campaign_view import (
    Block,
    CampaignView,
    Edge,
    Facts,
    Graph,
    Inline,
    Node,
    Note,
    Page,
    Ref,
    Section,
    Sheet,
    Table,
    heads,
    step_ref,
)
from chronicle.core.diagnostic import listed, plural
from chronicle.core.figures import times_in_words
from chronicle.core.record import Record
from chronicle.core.timeline import Scene
from chronicle.games.universalis.addons.base import add_to_overview, memory, remembered
from chronicle.games.universalis.addons.branches import Memory, Story, forks_to, may_be_mirrored
from chronicle.games.universalis.points import State
from chronicle.games.universalis.points import Table as Play
from chronicle.games.universalis.sheets import Sheets, importance, ref, scene_ref, status
from chronicle.games.universalis.state import Component

_NUMBERS = ("", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")

KEY = (
    ("line", "goes on on the same branch"),
    ("fork", "a fork: the same scene, replayed"),
)


def panel(play: Play) -> tuple[Block, ...]:
    """The current branch, the waiting branches, and the price to mirror the last scene."""
    branch_memory = memory(play, Memory)
    rows = _branch_rows(play.state, branch_memory)
    if play.state.scene is None:
        first = min(play.state.scenes, default=0)
        rows += [
            (
                f"A mirror of {play.state.scenes[number].title}",
                plural(len(forks_to(play, number)) + 1, "Coin"),
            )
            for number in may_be_mirrored(play)
            if number != first
        ]
    return (Facts(tuple(rows), "Realities"),) if rows else ()


def _branch_rows(state: State, branch_memory: Memory) -> list[tuple[str, Inline]]:
    waiting_labels = [label for label in branch_memory.branches if label != state.branch]
    return (
        [("Told now", state.branch), ("Waiting", listed(waiting_labels))] if waiting_labels else []
    )


def _branched(state: State) -> Memory | None:
    """The memory of the branches, if the story has more than one."""
    branch_memory = remembered(state, Memory)
    return branch_memory if len(branch_memory.branches) > 1 else None


def shown_record(record: Record) -> Record:
    """A record with the events of the current branch."""
    state: State = record.state
    branch_memory = _branched(state)
    told_story = (
        branch_memory.branches[state.branch].frozen_story if branch_memory is not None else None
    )
    if told_story is None:
        return record
    shown_state = copy(state)
    shown_state.facts = told_story.view()[0].facts
    return replace(record, state=shown_state)


def fill(view: CampaignView) -> None:
    """The page of branches, and sheets that say what is true where."""
    record = view.record
    state: State = record.state
    branch_memory = _branched(state)
    if branch_memory is None:
        return
    stories = {
        label: branch.frozen_story.view()[0]
        for label, branch in branch_memory.branches.items()
        if branch.frozen_story is not None
    }
    views = {label: Sheets(_view(record, label, story)) for label, story in stories.items()}
    versions_by_id = {id: _versions(id, stories) for id in state.components}
    view.sheets = [_sheet(sheet, views, versions_by_id[sheet.id]) for sheet in view.sheets]
    if view.only_subject:
        return
    view.state.append(Facts(tuple(_branch_rows(state, branch_memory)), "Realities"))
    lines = _lines(record, branch_memory.branches)
    count = len(branch_memory.branches)
    word = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    overview_row = (
        "Realities",
        (Ref("page", "realities", word), f": {listed(branch_memory.branches)}"),
    )
    add_to_overview(view, overview_row)
    view.pages.insert(
        1,
        Page(
            "realities",
            "Realities",
            [
                _graph(lines, branch_memory),
                _branches(record, lines, branch_memory),
                *_truths(record, versions_by_id, tuple(stories)),
            ],
            "Where the story forks, who split it and for how much, and what is true on which branch.",
            "Timeline",
        ),
    )


def _view(record: Record, label: str, story: Story) -> Record:
    """The record as if this branch were the only one."""
    state: State = record.state
    shown_state = copy(state)
    shown_state.components, shown_state.facts = story.components, story.facts
    if label != state.branch:
        shown_state.scene = shown_state.mini = None
    return replace(record, state=shown_state)


# --- the branches --------------------------------------------------------------------------------------


def _lines(record: Record, labels: Iterable[str]) -> dict[str, list[Scene]]:
    """The scenes of each branch in the order of the story, from the first of the game on."""
    timeline = record.timeline
    main_scenes = [scene for scene in timeline.story_order() if scene.parent is None]
    return {
        label: [s for s in main_scenes if timeline.includes_scene(label, s.number)]
        for label in labels
    }


def _graph(lines: Mapping[str, Sequence[Scene]], branch_memory: Memory) -> Graph:
    nodes: dict[int, Node] = {}
    edges: list[Edge] = []
    for label, line in lines.items():
        branch, previous = branch_memory.branches[label], 0
        for scene in line:
            number = scene.number
            if number not in nodes:
                title = scene.title or f"Scene {number}"
                nodes[number] = Node(
                    str(number), title, "place", Ref("scene", str(number), title), scene.opener
                )
            if previous and scene.branch == label:
                forks = number == branch.first
                words = f"{label}: {plural(branch.coins, 'Coin')}" if forks else ""
                kind = "fork" if forks else "line"
                edges.append(Edge(str(previous), str(number), words, kind, directed=True))
            previous = number
    return Graph("How the story forks", tuple(nodes.values()), tuple(edges), KEY, wide=True)


def _branches(record: Record, lines: Mapping[str, Sequence[Scene]], branch_memory: Memory) -> Table:
    rows: list[tuple[Inline, ...]] = []
    for label, line in lines.items():
        branch = branch_memory.branches[label]
        rows.append(
            (
                label,
                scene_ref(record, branch.mirrored) if branch.mirrored else "the beginning",
                branch.keeper or "the table",
                step_ref(branch.step, plural(branch.coins, "Coin")) if branch.step else "-",
                sum(1 for scene in line if scene.branch == label),
                scene_ref(record, line[-1].number) if line else "-",
            )
        )
    return Table(
        heads(
            "Branch | Leaves right before | Records kept by | Forks to it | Scenes of its own # | Last scene"
        ),
        tuple(rows),
        "The branches",
        "A mirror scene costs 1 Coin for each fork on its way from the first scene.",
    )


# --- what is true where --------------------------------------------------------------------------------


Versions = list[tuple[list[str], Component]]
"""The ways a Component is, each with the branches on which it is so."""


def _versions(id: str, stories: Mapping[str, Story]) -> Versions:
    """The ways a Component is, each with the branches on which it is so."""
    versions: Versions = []
    for label, story in stories.items():
        component = story.components.get(id)
        if component is None or component.struck:
            continue
        same_labels = next(
            (labels for labels, version in versions if _is_same(version, component)), None
        )
        if same_labels is not None:
            same_labels.append(label)
        else:
            versions.append(([label], component))
    return versions


def _is_same(first: Component, second: Component) -> bool:
    """Whether a Component is the same on two branches, which share what neither has changed."""
    return first is second or _mark(first) == _mark(second)


def _mark(component: Component) -> object:
    traits = sorted((t.key, t.copies, t.removed) for t in component.traits.values())
    return (component.total, component.eliminated, traits, component.events)


def _truths(
    record: Record, versions_by_id: Mapping[str, Versions], labels: tuple[str, ...]
) -> list[Block]:
    """A line for every Component that is not the same on all branches."""
    state: State = record.state
    rows: list[tuple[Inline, ...]] = []
    for id, component in state.components.items():
        versions = versions_by_id[id]
        where = sum(len(on) for on, _ in versions)
        if component.struck or (len(versions) < 2 and where == len(labels)):
            continue
        common = _shared_keys([c for _, c in versions]) if where == len(labels) else set()
        text_by_label = {
            label: _in_short(version, common) for on, version in versions for label in on
        }
        cells = [text_by_label.get(label, "-") for label in labels]
        if len(set(cells)) > 1:
            rows.append((ref(component), *cells))
    if not rows:
        return []
    return [
        Table(
            heads("Component", *labels),
            tuple(rows),
            "What is true where",
            "Importance, then the Traits that it does not have everywhere. "
            "A dash: it does not exist on that branch.",
        )
    ]


def _shared_keys(versions: list[Component]) -> set[str]:
    """Keys of the Traits that all versions have, in as many copies."""
    first, *other_versions = versions
    return {
        trait.key
        for trait in first.traits.values()
        if trait.copies
        and all(
            trait.key in version.traits and version.traits[trait.key].copies == trait.copies
            for version in other_versions
        )
    }


def _in_short(component: Component, common: set[str]) -> str:
    # The name is already at the head of its line.
    own = [
        t.label if t.copies else f"{t.label} (crossed off)"
        for t in component.traits.values()
        if t.key not in common and t.text != component.name
    ]
    words = f"{component.total}: {listed(own)}" if own else str(component.total)
    return f"{words}; out of the story" if component.eliminated else words


def _sheet(sheet: Sheet, views: Mapping[str, Sheets], versions: Versions) -> Sheet:
    """The sheet of a Component on the current branch, with its versions on other branches."""
    if not versions:
        return sheet
    told_label = next(iter(views.values())).record.state.branch
    told_version = next((v for v in versions if told_label in v[0]), versions[-1])
    labels, component = told_version
    if told_label not in labels:
        view = views[labels[-1]]
        # Of a session that is over only the outlines are kept.
        sheet = view.of(component) if sheet.aside else view.outline(component)
    where = [label for labels, _ in versions for label in labels]
    if len(where) < len(views):
        sheet.status = f"{sheet.status}, on {_quoted(where)} only"
    if len(versions) > 1:
        stands = {status(views[labels[-1]].record.state, c) for labels, c in versions}
        if len(stands) > 1:
            sheet.status = "; ".join(
                f"{status(views[labels[-1]].record.state, c)} on {_quoted(labels)}"
                for labels, c in versions
            )
        sheet.blocks.insert(1, _side_by_side(versions, views))
        for labels, version in versions:
            if version is not component:
                sheet.blocks.append(_elsewhere(labels, version, views[labels[-1]]))
    sheet.row = (*sheet.row[:-1], sheet.status)
    return sheet


def _quoted(labels: list[str]) -> str:
    return listed(f"'{label}'" for label in labels)


def _side_by_side(
    versions: list[tuple[list[str], Component]], views: Mapping[str, Sheets]
) -> Section:
    """One column for each way it is; shared values are listed once."""
    components = [component for _, component in versions]
    common = _shared_keys(components)
    shared_labels = [t.label for t in components[0].traits.values() if t.key in common]
    branch_states = [views[labels[-1]].record.state for labels, _ in versions]
    rows: list[tuple[Inline, ...]] = [
        ("Importance", *(importance(s, c) for s, c in zip(branch_states, components, strict=True))),
        ("Now", *(status(s, c) for s, c in zip(branch_states, components, strict=True))),
    ]
    texts = {t.key: t.text for c in components for t in c.traits.values() if t.key not in common}
    rows += [(text, *(_copies(c, key) for c in components)) for key, text in texts.items()]
    count = len(versions)
    word = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    blocks: list[Block] = [
        Table(
            heads("What", *(listed(labels) for labels, _ in versions)),
            tuple(rows),
            "Branch by branch",
        )
    ]
    if shared_labels:
        blocks.append(Note(f"On every branch: {listed(shared_labels)}."))
    return Section(f"{word} truths", tuple(blocks), "truths")


def _copies(component: Component, key: str) -> Inline:
    trait = component.traits.get(key)
    if trait is None:
        return "-"
    words = "crossed off" if not trait.copies else "yes"
    if trait.copies > 1:
        words = times_in_words(trait.copies)
    return step_ref(trait.history[-1][0], words) if trait.history else words


def _elsewhere(labels: list[str], component: Component, view: Sheets) -> Section:
    return Section(
        f"As it is on {_quoted(labels)}",
        tuple(view.of(component).blocks[:-1]),
        f"on-{labels[-1]}",
        folded=True,
    )
