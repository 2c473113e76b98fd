"""UA.32: unresolved conflicts as Components that gain Weight, and pay it to the player who resolves them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.answers import Move
from chronicle.core.declare import Decides, Part, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import (
    MANY_COUNTED,
    NAME,
    NAMES,
    TEXT,
    choice,
    in_role,
    label,
    whole,
)
from chronicle.core.figures import is_figure
from chronicle.core.fix import add_entry, drop_entry, drop_key, write_instead, write_word
from chronicle.core.game_context import GameContext, Measure
from chronicle.core.guards import Violation, guard
from chronicle.core.names import Named, fold
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.universalis.actions import IN_SCENE, NOT_PREPARING
from chronicle.games.universalis.addons.base import (
    AddOn,
    AddOnEntry,
    add_page,
    in_force,
    memory,
    remembered,
)
from chronicle.games.universalis.coins import charge, charge_traits, income
from chronicle.games.universalis.gates import carry_out
from chronicle.games.universalis.points import State, Table
from chronicle.games.universalis.state import (
    BANK,
    COIN,
    COMPONENT_KINDS,
    PROP,
    Component,
    SceneState,
    Sort,
)
from chronicle.games.universalis.table import register
from chronicle.games.universalis.traits import add_trait

if TYPE_CHECKING:
    from random import Random

    from chronicle.core.campaign_view import Block, CampaignView, Inline

ROLE = "unresolved conflict"


class BeginThread(AddOnEntry):
    """Create a Plot Thread: a Component whose name sums up a conflict that is not resolved. 1 Coin, and
    1 for each Component that is part of it. It is introduced like anything else."""

    verb = "plot thread"
    decides = Decides("turn", "UA.32", action_phrase="begins a Plot Thread")
    moment = IN_SCENE
    example = "plot thread: Who drowned the miller\n  involves: [Ines Vale, mill]"
    name = main(label(NAME), "its name, which sums the conflict up")
    involves = option(in_role("named", NAMES), "Components that are part of it", default=())
    traits = option(
        label(MANY_COUNTED), "further Traits, where threads are ordinary Components", default=()
    )

    @guard("UA.32")
    def involves_what_exists(self, play: Table) -> Iterator[Violation]:
        for word in self.involves:
            match = play.names.find(word, COMPONENT_KINDS)
            if isinstance(match, Named) or play.state.groups.get(fold(word)):
                continue
            yield Violation(
                f"{match.message}; write more of the name"
                if match.candidates
                else f"a Plot Thread involves what exists, and there is no Component '{word}'{match.message}",
                word,
                () if match.candidates else add_entry(f"create: {{character: {word}}}"),
            )

    @guard("UA.32b", at="traits", help="involves:  names what it is about")
    def has_traits_where_threads_have(self, play: Table) -> Violation | None:
        add_on = in_force(play, PlotThreads)
        if add_on is None or not self.traits or add_on.form == "component":
            return None
        return Violation(
            f"the Plot Thread '{self.name}' is given Traits, and at this table it has Weight instead",
            fix=drop_key("traits"),
        )

    def apply(self, play: Table) -> None:
        """A Component of a special kind."""
        add_on = in_force(play, PlotThreads)
        state = play.state
        scene = state.current_scene
        if add_on is None or (scene is None and not play.given):
            return
        involved: dict[str, Component] = {}
        for word in self.involves:
            for component in _existing(play, word):
                involved.setdefault(component.id, component)
        thread = register(play, PROP, str(self.name))
        state.labels.add(fold(thread.name))
        add_trait(play, thread, ROLE, Sort.ROLE)
        charge(
            play,
            "create",
            add_on.rule,
            f"the Plot Thread '{thread.name}'",
            component=thread,
            sort="turn",
        )
        free = add_on.form == "automatic"
        for component in involved.values():
            add_trait(
                play, thread, f"involves {component.name}", Sort.TIE, free=free, other=component.id
            )
        if involved and not free:
            why = f"what '{thread.name}' involves"
            charge(
                play, "trait", add_on.rule, why, times=len(involved), component=thread, sort="turn"
            )
        for word, count in self.traits:
            add_trait(play, thread, str(word), Sort.PLAIN, count)
            charge_traits(play, thread, count, sort="turn")
        memory(play, ThreadMemory).threads[thread.id] = Thread(
            thread.id,
            play.step.number,
            scene.number if scene is not None else 0,
            list(involved),
            add_on.form != "component",
        )
        play.step.headline = f"A Plot Thread: {thread.name}"
        names = listed(component.name for component in involved.values())
        play.event(
            f"{thread.name} is an open conflict" + (f"; it involves {names}" if names else ""),
            add_on.rule,
            "creates",
            thread.id,
        )
        for other_add_on in state.add_ons:
            other_add_on.created(play, thread)


class ResolveThread(AddOnEntry):
    """Declare a Plot Thread resolved, and take its Weight in Coins from the Bank. Players can Challenge it."""

    verb = "resolve"
    decides = Decides("turn", "UA.32", action_phrase="resolves a Plot Thread")
    moment = NOT_PREPARING
    example = "resolve: Who drowned the miller\n  how: The mill did"
    thread = main(in_role("named", NAME), "the Plot Thread")
    how = option(TEXT, "how the conflict ends", text_role=TextRole.SENTENCE)
    payout = option(whole(0), "the Coins taken; checked", computed=True)

    def meant(self, play: Table) -> Component | None:
        """The Component that it names, for guards."""
        match = play.names.find(self.thread, COMPONENT_KINDS)
        return play.state.components[match.id] if isinstance(match, Named) else None

    @guard("UA.32")
    def may_be_resolved(self, play: Table) -> Iterator[Violation]:
        add_on, component = in_force(play, PlotThreads), self.meant(play)
        if add_on is not None and component is not None:
            yield from self._bars(play, add_on, component)

    def _bars(self, play: Table, add_on: PlotThreads, component: Component) -> Iterator[Violation]:
        """What keeps it from being resolved at all."""
        thread = remembered(play.state, ThreadMemory).threads.get(component.id)
        if thread is None:
            message, threads = f"{component.name} is no Plot Thread", f"threads: {_open(play)}"
            yield Violation(message, self.thread, help=threads, rule=add_on.rule)
        elif add_on.form == "component":
            yield Violation(
                f"{component.name} is not resolved at a stroke: at this table a Plot Thread is worn down",
                self.thread,
                write_instead(f"eliminate: {component.name}"),
                "or take its Traits off",
                rule="UA.32b",
            )
        elif thread.resolved or component.eliminated:
            ended = thread.resolved or (component.turnings and component.turnings[-1].step) or 0
            yield Violation(
                f"{component.name} was resolved already"
                if thread.resolved
                else f"{component.name} is out of the story and pays nothing",
                self.thread,
                drop_entry(),
                "or begin a thread for what is open now:  - plot thread: ...",
                facts=play.facts(ended, "it ended here"),
                rule=add_on.rule,
            )

    def _pays(self, play: Table, thread: Thread) -> int:
        """The Coins by the rules; across a hole of the record it may have gained more than is written down."""
        is_holed = play.gap > thread.step and self.payout is not None
        return max(thread.weight, self.payout or 0) if is_holed else thread.weight

    @guard("UA.32", DiagnosticKind.BOOKKEEPING, at="payout")
    def pays_its_weight(self, play: Table) -> Violation | None:
        add_on, component = in_force(play, PlotThreads), self.meant(play)
        if self.payout is None or add_on is None or component is None:
            return None
        thread = remembered(play.state, ThreadMemory).threads.get(component.id)
        is_barred = thread is None or any(self._bars(play, add_on, component))
        if thread is None or is_barred or self.payout == self._pays(play, thread):
            return None
        coins, is_automatic = thread.weight, add_on.form == "automatic"
        return Violation(
            f"{component.name} has Weight {coins} and pays {plural(coins, 'Coin')}, not {self.payout}",
            fix=write_word(coins),
            help=f"it gains 1 {'with every scene' if is_automatic else 'each time it is introduced'}",
            rule=add_on.rule,
        )

    def apply(self, play: Table) -> None:
        """Pay its Weight in Coins to the player who resolves it, once."""
        add_on = in_force(play, PlotThreads)
        named = play.find(self.thread, COMPONENT_KINDS, "Plot Thread", code="UA.32")
        if add_on is None or named is None:
            return
        component = play.state.components[named.id]
        thread = memory(play, ThreadMemory).threads.get(named.id)
        play.step.headline = f"{component.name} is resolved"
        if thread is None or any(self._bars(play, add_on, component)):
            return
        coins = self._pays(play, thread) if self.payout is None else self.payout
        player = play.step.player
        thread.resolved, thread.player, thread.how = play.step.number, player, str(self.how or "")
        if coins and player:
            income(play, BANK, player, coins, add_on.rule, f"{component.name} is resolved")
        component.events.append(play.step.number)
        ending = f": {thread.how}" if thread.how else ""
        words = f"{player} resolves {component.name} for {plural(coins, 'Coin')}{ending}"
        play.event(words, add_on.rule, "resolved", component.id)


class Form(Part):
    """Which of the three kinds of threads the group plays."""

    form = option(
        choice("introduced", "automatic", "component"),
        "introduced: it gains Weight by Introductions; automatic: by every scene; "
        "component: it has Traits and no Weight",
        default="introduced",
    )


@dataclass(slots=True, eq=False)
class Thread:
    """One Plot Thread: its Weight, the steps at which it grew, its end."""

    id: str
    step: int
    scene: int
    involves: list[str]
    weighs: bool = True
    """Whether the form that is played gives it a Weight."""
    weight: int = 0
    resolved: int = 0
    player: str = ""
    how: str = ""


@dataclass(slots=True, eq=False)
class ThreadMemory:
    """All Plot Threads, by the ids of their Components."""

    threads: dict[str, Thread] = field(default_factory=dict)


def _existing(play: Table, word: ScalarNode) -> list[Component]:
    """What a thread may involve: Components that exist."""
    state = play.state
    group = state.groups.get(fold(word))
    if group:
        return [state.components[id] for id in group if not state.components[id].struck]
    match = play.names.find(word, COMPONENT_KINDS)
    return [state.components[match.id]] if isinstance(match, Named) else []


def _open(play: Table) -> str:
    names = [
        play.state.components[thread.id].name
        for thread in _threads(play.state)
        if not thread.resolved
    ]
    return ", ".join(names) or "none is open"


def _threads(state: State) -> list[Thread]:
    """Every thread that a Challenge has not struck."""
    threads = remembered(state, ThreadMemory).threads.values()
    return [thread for thread in threads if not state.components[thread.id].struck]


def weight(play: GameContext[State], id: str) -> int | None:
    """The Weight of a Plot Thread; None of anything else."""
    return next((thread.weight for thread in _threads(play.state) if thread.id == id), None)


def set_weight(play: GameContext[State], id: str, stated: str) -> None:
    """Set the Weight of a Plot Thread to a stated figure; no number, no change."""
    thread = next((candidate for candidate in _threads(play.state) if candidate.id == id), None)
    if thread is not None and is_figure(stated.strip()):
        thread.weight = int(stated)


class PlotThreads(AddOn):
    """Conflicts that pay for being taken up."""

    summary = (
        "An unresolved conflict becomes a Component; it gains Weight as the story comes back to it, "
        "and the player who resolves it gets its Weight in Coins. The group chooses one of three forms."
    )
    changes = ("U1.4", "U4.1", "U5.2")
    chosen: Form
    rule_text = """
        UA.32 Plot Threads [checked]
          A thread costs 1 Coin and 1 for each existing Component that is named as part of it. Each Introduction
          into a scene (1 Coin) adds 1 to its Weight. The player who resolves it takes its Weight in Coins from the
          Bank, once; others can Challenge the claim.
        UA.32a Plot Threads: automatic [checked]
          A thread costs 1 Coin, and naming what it involves is free. It is not introduced; its Weight grows by 1
          with every scene that begins.
        UA.32b Plot Threads: as Components [checked]
          A thread costs 1 Coin and takes further Traits at the usual price. Players can introduce it and draw upon
          it in Complications about its conflict, and it ends like any Component: worn down Trait by Trait, or by
          its Importance. It has no Weight and pays nothing.
        """
    ruling_text = """
        S96 thread resolver: Who may declare a Plot Thread resolved?
          - anyone: any player on their own turn, its creator included
          because the text names no limit, and the claim can be Challenged (UA.32)
        """
    verbs = {BeginThread: carry_out, ResolveThread: carry_out}  # noqa: RUF012
    measures = {  # noqa: RUF012
        "weight": Measure(
            "Weight of a Plot Thread",
            COMPONENT_KINDS,
            weight,
            set_weight,
            lambda play, id: "UA.32",
        )
    }

    @property
    def form(self) -> str:
        """Which of the three is played."""
        return str(self.chosen.form)

    @property
    def rule(self) -> str:
        """The id of the form that is played."""
        return {"automatic": "UA.32a", "component": "UA.32b"}.get(self.form, self.code)

    def scene_opened(self, play: Table, scene: SceneState) -> None:
        """Threads grow by themselves in one of the forms."""
        if self.form != "automatic" or scene.mini:
            return
        for thread in _threads(play.state):
            if not thread.resolved and not play.state.components[thread.id].eliminated:
                self._grow(play, thread)

    def entered(self, play: Table, scene: SceneState, component: Component) -> None:
        """An Introduction adds to a thread; coming along with an owner does not."""
        thread = memory(play, ThreadMemory).threads.get(component.id)
        if thread is None:
            return
        play.require(
            self.form != "automatic",
            "UA.32a",
            f"{component.name} is introduced, and at this table threads grow by themselves",
            fix=drop_entry(),
            help="it gains Weight with every scene",
        )
        play.require(
            not thread.resolved,
            self.rule,
            f"{component.name} was resolved and is no open conflict any more",
            facts=play.facts(thread.resolved, "resolved here"),
            help="begin another thread:  - plot thread: its name",
        )
        how = scene.entries[-1][2] if scene.entries else ""
        if self.form == "introduced" and not thread.resolved and not how.startswith("with "):
            self._grow(play, thread)

    def _grow(self, play: Table, thread: Thread) -> None:
        thread.weight += 1
        name = play.state.components[thread.id].name
        play.event(f"{name} has Weight {thread.weight}", self.rule, "weight", thread.id)

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """Players begin and resolve threads when they narrate Events, and introduce them as the form allows."""
        state = play.state
        threads = _threads(state)
        gone = {
            fold(state.components[thread.id].name)
            for thread in threads
            if thread.resolved or self.form == "automatic"
        }
        if gone:
            options = [_without(o, gone) if o.verb == "introduce" else o for o in options]
        event_option = next((o for o in options if o.verb == "event" and o.by == state.turn), None)
        scene = state.current_scene
        if event_option is None or scene is None or scene.framing:
            return options
        if play.balance(f"wealth:{event_option.by}", COIN) > 0:
            name, hint = f"Conflict {len(play.steps)}", "begin a Plot Thread"
            options.append(Move.plain("plot thread", event_option.by, hint, self.rule, name))
        for thread in threads:
            component = state.components[thread.id]
            if not (thread.resolved or component.eliminated or self.form == "component"):
                name, over = component.name, "It is over"
                hint_and_rule = f"resolve {name}", self.rule
                options.append(
                    Move.plain("resolve", event_option.by, *hint_and_rule, name, how=over)
                )
        return options

    def panel(self, play: Table) -> tuple[Block, ...]:
        """The open threads and their Weight."""
        from chronicle.core.campaign_view import Facts

        rows: list[tuple[str, Inline]] = [
            (play.state.components[thread.id].name, f"Weight {thread.weight}")
            for thread in _threads(play.state)
            if not thread.resolved and self.form != "component"
        ]
        return (Facts(tuple(rows), "Plot Threads"),) if rows else ()

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """A page of threads; the open ones are loose ends."""
        from chronicle.core.campaign_view import Item, Listing, comma_separated, heads, step_ref
        from chronicle.core.campaign_view import Table as Grid
        from chronicle.games.universalis.sheets import ref, scene_ref

        record = view.record
        state: State = record.state
        threads = _threads(state)
        if not threads:
            return
        rows: list[tuple[Inline, ...]] = []
        for thread in threads:
            component = state.components[thread.id]
            end: Inline = "open"
            if thread.resolved:
                end = step_ref(thread.resolved, f"resolved by {thread.player}")
            elif component.eliminated:
                end = "out of the story"
            else:
                words = f" is open, with Weight {thread.weight}" if thread.weighs else " is open"
                view.loose_ends.append(Item((ref(component), words), step=thread.step))
            rows.append(
                (
                    ref(component),
                    component.creator,
                    scene_ref(record, thread.scene),
                    comma_separated(ref(state.components[id]) for id in thread.involves) or "-",
                    thread.weight if thread.weighs else "-",
                    end,
                )
            )
        columns = heads("Thread | Begun by | In | Involves | Weight # | End")
        table = Grid(columns, tuple(rows))
        ended = tuple(
            Item((ref(state.components[thread.id]), f": {thread.how}"), step=thread.resolved)
            for thread in threads
            if thread.how
        )
        blocks: list[Block] = [table]
        if ended:
            blocks.append(Listing(ended, "How they ended"))
        add_page(
            view,
            "plot-threads",
            "Plot Threads",
            blocks,
            "Conflicts, open and resolved.",
            "Catch up",
        )


def _without(move: Move, names: set[str]) -> Move:
    """An Introduction that never brings in what these names mean."""

    def entry(rng: Random) -> dict[str, object]:
        written = move.make_entry(rng)
        for _ in range(9):
            if fold(str(written.get("introduce"))) not in names:
                break
            written = move.make_entry(rng)
        else:
            written = {"introduce": {"character": f"passer-by {rng.randint(1, 9999)}"}}
        return written

    return move._replace(make_entry=entry)
