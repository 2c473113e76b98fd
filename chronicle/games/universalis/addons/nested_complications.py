"""UA.41: a Complication within (or beside) another, which is resolved first and feeds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Decides, Part, main, option
from chronicle.core.field_types import NAME, choice, label
from chronicle.core.field_types import whole as number_kind
from chronicle.core.fix import replace_with
from chronicle.core.guards import Violation
from chronicle.games.universalis.actions import NOT_PREPARING
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, memory, remembered
from chronicle.games.universalis.complications import Complicate, PlaceObstacle
from chronicle.games.universalis.divisions import root_number
from chronicle.games.universalis.points import State, Table
from chronicle.games.universalis.state import Complication, Stage

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, CampaignView
    from chronicle.core.record import Record

INTERNAL = "internal"
EXTERNAL = "external"


@dataclass(slots=True, eq=False)
class Link:
    """How a Complication hangs on another: by number, which was there before, and which goes first."""

    inner: int
    outer: int
    kind: str
    first: int
    step: int


@dataclass(slots=True, eq=False)
class Links:
    """All links, by the number of the nested Complication."""

    of: dict[int, Link] = field(default_factory=dict)


class NestingSettings(Part):
    """What the group sets for nested Complications."""

    depth = option(
        number_kind(1, 9), "how deep they can be nested; without it, as deep as you like"
    )


class Nest(AddOnEntry):
    """Say how the Complication just Originated hangs on another that is still open. Without this it is
    resolved first, and is internal if its source takes part in the other."""

    verb = "nest"
    decides = Decides("on turn")
    moment = NOT_PREPARING
    example = "nest: internal\n  within: The vault\n  first: this"
    kind = main(
        choice(INTERNAL, EXTERNAL),
        "internal: its source lies in the other; external: the two run side by side",
    )
    within = option(
        label(NAME),
        "the other Complication: its title or id; default: the Complication opened before",
    )
    first = option(choice("this", "other"), "which of the two is resolved first", default="this")


def nest(play: Table, action: Nest) -> None:
    """The Originator of the new one says what hangs on what, and what goes first."""
    state = play.state
    links = memory(play, Links)
    running = [state.complications[number - 1] for number in reversed(state.running)]
    inner = running[0] if running else None
    link = links.of.get(root_number(play, inner)) if inner is not None else None
    play.step.headline = f"A nested Complication, {action.kind}"
    if inner is None or link is None:
        play.require(
            play.gap > 0,
            "UA.41",
            "no Complication was Originated while another is open, so there is nothing to nest",
            help="write it right after the new one:  - complication: ...",
            after=("add-on:nested complications",),
            since=0,
        )
        return
    play.step.player = play.step.player or inner.originator
    play.require(
        action.by is None or play.step.player == inner.originator,
        "UA.41",
        f"{inner.originator} Originated '{inner.title}' and says which is resolved first, not "
        f"{play.step.player}",
        at=action.place("by") if action.by is not None else None,
    )
    outer = state.complications[link.outer - 1]
    if action.within is not None:
        key = action.within.casefold()
        outer_matches = [
            complication
            for complication in running[1:]
            if key
            in (
                complication.title.casefold(),
                (play.steps[complication.step - 1].action.id or "").casefold(),
            )
            or key in complication.title.casefold()
        ]
        if not play.require(
            bool(outer_matches),
            "UA.41",
            f"no other Complication '{action.within}' is open",
            at="within",
            fix=replace_with(complication.title for complication in running[1:]),
        ):
            return
        outer = state.complications[root_number(play, outer_matches[0]) - 1]
    link.outer, link.kind = outer.number, str(action.kind)
    link.first = link.inner if action.first == "this" else outer.number
    link.step = play.step.number
    play.event(
        f"'{state.complications[link.first - 1].title}' is resolved before "
        f"'{state.complications[(outer.number if action.first == 'this' else link.inner) - 1].title}'",
        "UA.41",
        "nests",
    )


class NestedComplications(AddOn):
    """One contest decides what another can draw upon."""

    summary = (
        "Players can Originate a Complication while another is open. One is resolved first, nearly always "
        "the new one, and players can draw upon its purchases in the other."
    )
    changes = ("U6.9", "U6.14", "U6.17")
    rule_text = """
        UA.41 Nested Complications [checked; W34]
          The Originator of the new Complication says which of the two is resolved first; if nothing is said it is
          the new one. Each has Pools of its own, and a Trait gives its dice once in each. Several can feed one, or
          form a row. One that runs beside another may have a scene of its own: Complications open when a scene
          ends wait, unless all agree to drop them ('abandon: yes').
        """
    verbs = {Nest: nest}  # noqa: RUF012
    chosen: NestingSettings

    def complication_opened(self, play: Table, complication: Complication) -> None:
        """A Complication opened while another is open depends on it."""
        state = play.state
        outer = next(
            (
                root_number(play, state.complications[number - 1])
                for number in reversed(state.running)
                if root_number(play, state.complications[number - 1]) != complication.number
            ),
            0,
        )
        if not outer:
            return
        links = memory(play, Links).of
        committed = state.complications[outer - 1].committed
        kind = INTERNAL if any(id in committed for id in complication.sources) else EXTERNAL
        number = complication.number
        links[number] = Link(number, outer, kind, number, play.step.number)
        title = state.complications[outer - 1].title
        play.event(f"nested ({kind}): it is resolved before '{title}'", self.code, "nests")
        depth = self._depth(links, number)
        play.require(
            self.chosen.depth is None or depth <= self.chosen.depth,
            self.code,
            f"'{complication.title}' is nested {depth} deep, and this table goes {self.chosen.depth} deep",
            facts=[play.because(state.complications[outer - 1].step, "the one around it")],
            help="resolve one of the open Complications first",
        )

    def outlasts_scene(self, play: Table, complication: Complication) -> str:
        """A parallel Complication can have a scene of its own; the first one waits for it."""
        if complication.stage in (Stage.OPEN, Stage.CLOSED):
            return self.code
        return self.inner.outlasts_scene(play, complication)

    def _depth(self, links: dict[int, Link], number: int) -> int:
        depth = 0
        while number in links and depth < len(links):
            number = links[number].outer
            depth += 1
        return depth

    def bars_rolling(self, play: Table, complication: Complication) -> Iterator[Violation]:
        """What goes first was said, or is the new one."""
        state = play.state
        root = root_number(play, complication)
        for link in memory(play, Links).of.values():
            if root not in (link.inner, link.outer) or root == link.first:
                continue
            first = state.complications[link.first - 1]
            waits = first.running or any(
                root_number(play, state.complications[number - 1]) == first.number
                for number in state.running
            )
            if waits:
                yield Violation(
                    f"'{first.title}' is resolved before '{complication.title}'",
                    facts=[play.because(link.step, "so it was settled here")],
                    help="roll that Complication first; its Originator may say otherwise right after it begins:  "
                    "- nest: external  /  first: other",
                    rule=self.code,
                )

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """Players can say what the newest Complication depends on; deeper than agreed none begins."""
        current = play.state.current_complication()
        if current is None or current.stage is not Stage.OPEN or current.part_of:
            return options
        links = memory(play, Links).of
        if current.number in links:
            hint, kinds = "say how it is nested", (INTERNAL, EXTERNAL)
            options.append(self.offer("nest", current.originator, hint, one_of(kinds)))
        depth = self.chosen.depth
        if depth is not None and self._depth(links, current.number) >= depth:
            return [o for o in options if o.verb not in (Complicate.verb, PlaceObstacle.verb)]
        return options

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """The tree of Complications, and what fed what."""
        links = remembered(view.record.state, Links)
        page = next((page for page in view.pages if page.slug == "complications"), None)
        if page is not None and links.of:
            page.blocks[2:2] = _tree(view.record, view.record.state, links)


def _tree(record: Record, state: State, links: Links) -> list[Block]:
    from chronicle.core.campaign_view import Edge, Graph, Node, Ref, heads, step_ref
    from chronicle.core.campaign_view import Table as TableBlock

    live = [
        link
        for link in links.of.values()
        if state.complications[link.inner - 1].stage is not Stage.STRUCK
    ]
    numbers = sorted({number for link in live for number in (link.inner, link.outer)})
    if not live:
        return []

    def ref(number: int) -> Ref:
        complication = state.complications[number - 1]
        return step_ref(complication.step, complication.title)

    rows = tuple(
        (
            ref(link.inner),
            link.kind,
            ref(link.outer),
            ref(link.first),
            fed(record, state, link.inner, link.outer),
        )
        for link in live
    )
    return [
        Graph(
            "Nested Complications",
            tuple(Node(str(n), state.complications[n - 1].title, "prop", ref(n)) for n in numbers),
            tuple(
                Edge(
                    str(link.inner),
                    str(link.outer),
                    link.kind,
                    "owns" if link.kind == INTERNAL else "corollary",
                    directed=True,
                )
                for link in live
            ),
            (
                ("owns", "internal: its source lies in the other"),
                ("corollary", "external: side by side"),
            ),
        ),
        TableBlock(
            heads("Complication | Nesting | Within | Resolved first | It fed the other #"),
            rows,
            "What was nested in what",
        ),
    ]


def fed(record: Record, state: State, inner: int, outer: int) -> int:
    """Dice of a Complication drawn from what the outcome of another brought into being."""
    outcome_steps = {
        step
        for complication in state.complications
        if inner in (complication.number, complication.part_of)
        for step in complication.steps
    }
    bought = {step.number for step in record.steps if step.parent in outcome_steps}
    count = 0
    for pool in state.complications[outer - 1].pools.values():
        for entry in pool.entries:
            component = state.components.get(entry.component)
            key = entry.trait.partition("/")[2]
            trait = component.traits.get(key) if component is not None else None
            text = next(
                (f for f in state.facts.values() if not entry.component and f.text == entry.cause),
                None,
            )
            created_step = trait.step if trait is not None else text.step if text is not None else 0
            if created_step in bought:
                count += abs(entry.dice)
    return count
