"""One sheet for every Component: what it is, who paid for it, what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from chronicle.core.campaign_view import (
    Block,
    Edge,
    Inline,
    Item,
    Node,
    Note,
    Ref,
    Series,
    Shape,
    Share,
    Shares,
    Sheet,
    Slip,
    Slips,
    Steps,
    Table,
    heads,
    step_ref,
)
from chronicle.core.diagnostic import listed, plural
from chronicle.core.doubts import doubts_of
from chronicle.core.make_view import scene_list, ticks_of_sessions
from chronicle.core.record import Record
from chronicle.core.timeline import Scene
from chronicle.games.universalis.points import State
from chronicle.games.universalis.state import CHARACTER, PLACE, Component, Fact, Sort, Trait
from chronicle.games.universalis.traits import importance_of, negated

REGISTRIES = {CHARACTER: "Characters", PLACE: "Places"}
MASTERS = "Masters"
PROPS = "Props"
SHAPES: Mapping[str, Shape] = {CHARACTER: "person", PLACE: "place"}

_STATES = {
    Sort.ROLE: "role",
    Sort.NAME: "name",
    Sort.WOUND: "wound",
    Sort.MEMBER: "role",
}


def registry_of(component: Component) -> str:
    """The registry of a Component."""
    return MASTERS if component.master else REGISTRIES.get(component.kind, PROPS)


def ref(component: Component) -> Ref:
    """A link to its sheet."""
    return Ref("sheet", component.id, component.shown_name)


def named(component: Component) -> str:
    """How a question names it: a group by its Trait, one whose name only counts it by Role and Trait."""
    words = component.shown_name
    if not component.has_numbered_name or words == component.name:
        return words
    if is_group(component):
        return f"the {words[:1].lower()}{words[1:]}"
    return f"the {component.role} “{words}”"


def is_group(component: Component) -> bool:
    """Whether it stands for several people."""
    return bool(component.of_sort(Sort.GROUP))


def _further_names(component: Component, aliases: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(aliases) if name != component.shown_name)


def shown(state: State) -> list[Component]:
    """Every Component that a reader may meet; what a Challenge struck never was."""
    return [c for c in state.components.values() if not c.struck]


def scene_ref(record: Record, number: int) -> str | Ref:
    """A link to a scene; before the first one, preparation."""
    if not number:
        return "preparation"
    scene = record.timeline.get(number)
    return Ref("scene", str(number), scene.title or f"Scene {number}")


def importance(state: State, component: Component) -> Inline:
    """Its Importance, or that it is not known, where the record is not complete."""
    total = importance_of(state, component)
    return "not known" if total is None else total


IN_STORY = "in the story"
"""The state of most Components."""


def status(state: State, component: Component) -> str:
    """One line on its present state."""
    if component.eliminated:
        return "out of the story"
    if component.placeholder:
        return "spoken of, never paid for"
    if component.master:
        return f"a Master, with {plural(len(component.subs), 'Sub')}"
    scene = state.current_scene
    if scene is not None and component.id in scene.present:
        holder = scene.control.get(component.id, "")
        return f"in the scene, Controlled by {holder}" if holder else "in the scene"
    return IN_STORY


class Sheets:
    """The sheets of the Components of a record."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def outline(self, component: Component) -> Sheet:
        """A few words about a Component, and its Traits."""
        record, state = self.record, self.record.state
        names = record.names.all.get(component.id)
        return Sheet(
            id=component.id,
            name=component.shown_name,
            kind="place" if component.kind == PLACE else component.kind,
            registry=registry_of(component),
            player=state.current_scene.control.get(component.id, "")
            if state.current_scene is not None
            else "",
            status=status(state, component),
            tagline=_tagline(component),
            aliases=_further_names(component, () if names is None else names.aliases),
            counted_as=component.name if component.shown_name != component.name else "",
            row=(
                component.role if component.role != component.name else "-",
                importance(state, component),
                component.creator or "-",
                scene_ref(record, component.scene),
                "" if (words := status(state, component)) == IN_STORY else words,
            ),
            role="unnamed" if component.shown_name != component.name else component.role,
            shape="kind" if component.master else SHAPES.get(component.kind, "thing"),
            gone=component.eliminated,
            holders=tuple((step, player) for step, _, player, _ in component.control),
            weight=0 if component.open_list else component.total,
            is_never_seen=component.master or component.id not in self._scenes,
            blocks=[Slips(tuple(_slips(component)), "Traits")],
        )

    def of(self, component: Component) -> Sheet:
        """The sheet of one."""
        record, state = self.record, self.record.state
        sheet = self.outline(component)
        sheet.blocks += [
            *_inherited(state, component),
            _traits(record, component),
            *([] if sheet.is_never_seen else [scene_list(record, self._scenes[component.id])]),
        ]
        sheet.events = tuple(
            Item(fact.text, step=fact.step)
            for fact in self._facts_told.get(component.id, ())
            if fact.step and record.step(fact.step).action.verb != "dialog"
        )
        sheet.aside = [
            _breakdown(state, component),
            *_curve(record, component, self._ticks),
            *_separations(state, component),
            *_control(record, component),
        ]
        return sheet

    @cached_property
    def _scenes(self) -> Mapping[str, Sequence[Scene]]:
        """The scenes that each was in, by its id."""
        scenes: dict[str, list[Scene]] = {}
        for scene in self.record.timeline.scenes:
            for id in dict.fromkeys(scene.cast):
                scenes.setdefault(id, []).append(scene)
        return scenes

    @cached_property
    def _ticks(self) -> tuple[tuple[int, str], ...]:
        return ticks_of_sessions(self.record)

    @cached_property
    def _facts_told(self) -> Mapping[str, Sequence[Fact]]:
        """What each did and what was done to it, by its id, in the order of the story."""
        state: State = self.record.state
        order = {
            scene.number: place for place, scene in enumerate(self.record.timeline.story_order())
        }
        facts_by_id: dict[str, list[Fact]] = {}
        for fact in sorted(
            (candidate for candidate in state.facts.values() if not candidate.struck),
            key=lambda fact: (order.get(fact.scene, -1), fact.step),
        ):
            for id in {*fact.performers, *fact.receivers, fact.scope, fact.said_by}:
                facts_by_id.setdefault(id, []).append(fact)
        return facts_by_id


COLUMNS = heads("Role | Importance # | Created by | First scene | Now")


def _tagline(component: Component) -> str:
    role = component.role
    words = [t.text for t in component.traits.values() if t.copies and t.sort is Sort.PLAIN]
    words_for = f"{role}: {listed(words[:3])}" if role and words else role or listed(words[:3])
    wounds = [t.label for t in component.of_sort(Sort.WOUND)]
    return words_for + (f"; hurt: {listed(wounds)}" if wounds else "")


def _slips(component: Component) -> Iterator[Slip]:
    """The Traits as they stand, each once: one of which copies are left is not struck. The life tells the rest."""
    for trait in component.traits.values():
        if trait.copies:
            is_kept = trait.sort is Sort.PLAIN and trait.other
            state_of = "inherited" if is_kept else _STATES.get(trait.sort, "")
            yield Slip(trait.text, trait.copies, state_of, trait.step, trait.buyer)
        elif trait.removed:
            gone = trait.history[-1]
            yield Slip(trait.text, trait.removed, "removed", gone[0], gone[3])
    if component.open_list:
        yield Slip("and more, not written down", state="inherited")


def _inherited(state: State, component: Component) -> Iterator[Block]:
    masters = [state.components[id] for id in component.masters]
    items = tuple(
        Slip(
            trait.text,
            trait.copies,
            "negated" if negated(component, trait.text) else "inherited",
            trait.step,
            trait.buyer,
        )
        for master in masters
        for trait in master.traits.values()
        if trait.copies and trait.sort not in (Sort.MASTER, Sort.ROLE)
    )
    if items:
        yield Slips(items, f"From {listed(master.shown_name for master in masters)}")


def _traits(record: Record, component: Component) -> Table:
    rows: list[tuple[Inline, ...]] = []
    for trait in component.traits.values():
        named = (trait.text, str(trait.sort.value))
        for step, change, copies, player in trait.history:
            scene = scene_ref(record, record.step(step).scene or 0)
            rows.append((*named, step_ref(step, change), copies, player or "-", scene))
        if not trait.history:
            rows.append((*named, "given", trait.copies, "-", "-"))
    return Table(
        heads("Trait | Sort | What | Copies # | By | Scene"),
        tuple(rows),
        "Every Coin on this sheet",
        "A mirror Trait is free; all others cost a Coin a copy unless a Gimmick says otherwise.",
    )


def _breakdown(state: State, component: Component) -> Shares:
    components = state.components
    shares = [Share("own Traits", component.own)]
    shares += [
        Share(ref(components[id]), components[id].total)
        for id in (*component.owns, *component.subs)
        if not components[id].eliminated
    ]
    paid = sum(trait.paid for trait in component.traits.values())
    paid += sum(turning.coins for turning in component.turnings)
    worth = str(importance(state, component))
    return Shares(
        "Importance", (("", tuple(shares)),), worth, f"{plural(paid, 'Coin')} paid for it"
    )


def importance_series(record: Record, component: Component) -> Series:
    """The Importance of a Component over the log. A card in a snapshot sets it, as a count does."""
    on_cards = [n for n, _ in component.curve if record.step(n).action.verb == "snapshot"]
    doubts = doubts_of(record, f"importance:{component.id}", component.step, on_cards)
    return Series(component.shown_name, tuple(component.curve), doubts=doubts)


def _curve(
    record: Record, component: Component, ticks: tuple[tuple[int, str], ...]
) -> Iterator[Block]:
    if len(component.curve) > 1:
        series = (importance_series(record, component),)
        yield Steps("Importance over play", series, ticks, y_title="Importance")


def _control(record: Record, component: Component) -> Iterator[Block]:
    scenes: dict[int, list[Share]] = {}
    for step, scene, player, _ in component.control:
        holder = player or "nobody"
        scenes.setdefault(scene, []).append(Share(step_ref(step, holder), 1, holder))
    rows = tuple(
        (scene_ref(record, scene) if scene else "before the first scene", tuple(shares))
        for scene, shares in scenes.items()
    )
    if rows:
        yield Shares("Who has Controlled it", rows)


def _tie_edges(component: Component, components: dict[str, Component]) -> Iterator[Edge]:
    for trait in component.traits.values():
        far_end = components.get(trait.other) if trait.copies else None
        edge = _edge(component, trait) if far_end is not None and not far_end.struck else None
        if edge is not None:
            yield edge


def _edge(component: Component, trait: Trait) -> Edge | None:
    match trait.sort:
        case Sort.TIE:
            kind = "corollary" if trait.free else "tie"
            return Edge(component.id, trait.other, trait.text, kind, directed=not trait.twin)
        case Sort.OWNS:
            return Edge(component.id, trait.other, "owns", "owns", directed=True)
        case Sort.MEMBER:
            return Edge(component.id, trait.other, "belongs to", "member", directed=True)
    return None


def edges_of(state: State) -> list[Edge]:
    """All ties, possessions and memberships."""
    return [e for c in shown(state) for e in _tie_edges(c, state.components)]


def node(component: Component) -> Node:
    """A Component on a map."""
    return Node(component.id, component.shown_name, component.kind, ref(component))


KEY = (
    ("tie", "a relationship that was bought"),
    ("corollary", "its mirror, free"),
    ("owns", "a linked possession"),
    ("member", "a Sub of a Master"),
)


def _separations(state: State, component: Component) -> Iterator[Block]:
    for step, owner in component.separations:
        yield Note((f"Parted from {state.components[owner].shown_name} ", step_ref(step, "here")))
