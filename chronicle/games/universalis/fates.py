"""Chapter 4, Elimination and return."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import (
    NAME,
    NAMES,
    TEXT,
    EitherOf,
    MapOf,
    OneOrMany,
    in_role,
    label,
    whole,
)
from chronicle.core.figures import with_times
from chronicle.core.fix import write_instead
from chronicle.core.guards import Violation, guard
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Slip, TextRole
from chronicle.core.timeline import Frame
from chronicle.games.universalis import coins, facts, presence, table, traits
from chronicle.games.universalis.actions import ALTERED, IN_SCENE, ONE_ALTERED, Entry, on_a_turn
from chronicle.games.universalis.alterations import Alters
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.moves import acting, controlled
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import PLACE, Component, Sort, Turning


class Reduce(Alters):
    """Pay part of a Component's Importance, towards its Elimination in this turn or outcome."""

    verb = "reduce"
    decides = Decides("turn", "U3.57", action_phrase="pays towards an Elimination")
    moment = IN_SCENE
    example = "reduce: {raft: 2}"
    what = main(
        EitherOf(
            MapOf(ONE_ALTERED, whole(1)),
            ALTERED,
            words="{Component: Coins}, or a name for 1",
        ),
        "{Component: Coins}",
    )
    as_ = option(label(NAME), "the wound it leaves if the Elimination is not completed")
    offered = Offered("U6.35", "pay towards an Elimination")
    deed = "reduces"
    means_all = True

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for component, by, _ in mortal(play, 1):
            yield {"reduce": {component.name: 1}, "as": "shaken", **by}

    def changes(self) -> Mapping[ScalarNode, int]:
        return self.what if isinstance(self.what, dict) else dict.fromkeys(self.what, 1)

    def apply(self, play: Table) -> None:
        """Pay part of an Importance (U6.35, S45)."""
        for _, component, amount in self.each(play):
            component.towards += amount
            if component.id not in play.state.reduced:
                play.state.reduced.append(component.id)
            coins.charge(
                play,
                "eliminate",
                "U4.36",
                f"towards the end of {component.name}",
                amount=amount,
                component=component,
            )
            coins_left = max(
                0, play.state.points.elimination_price(play, component) - component.towards
            )
            play.event(
                f"{plural(amount, 'Coin')} towards the end of {component.name}; {coins_left} to go"
                if not component.open_list
                else f"{plural(amount, 'Coin')} towards the end of {component.name}",
                "U6.35",
                "reduces",
                component.id,
            )
            if self.as_ is not None:
                component.survives_as = str(self.as_)
            play.step.headline = f"Trouble for {component.name}"


def mortal(play: Table, least: int = 0) -> Iterator[tuple[Component, Mapping[str, str], int]]:
    """The Components whose end, or ``least`` Coins of it, a player can pay now, with the key that names the player and
    the Coins that are due. Places and Masters are seldom put out of the story."""
    points = play.state.points
    for scene, player, by in acting(play):
        for component in controlled(play, scene, player):
            due = points.elimination_price(play, component) - component.towards
            is_usual = component.kind != PLACE and not component.master and due > 0
            if is_usual and coins.can_spend(play, player, least or due, "turn"):
                yield component, by, due


class Eliminate(Alters):
    """Put a Component out of the rest of the story. It costs its Importance (less what was paid by
    'reduce')."""

    verb = "eliminate"
    lead_in_template = "The end of {what}"
    heading = "Eliminated"
    already_shown_kinds = frozenset({"eliminated"})
    synonyms = ("kill", "destroy", "die")
    decides = Decides("turn", "U3.57", action_phrase="Eliminates a Component")
    moment = IN_SCENE
    example = "eliminate: raft\n  fate: It comes apart on the weir"
    what = main(ALTERED, "the Component")
    fate = option(TEXT, "what becomes of it", text_role=TextRole.SENTENCE)
    facts = option(
        OneOrMany(TEXT),
        "Facts about its fate, free, up to its Importance",
        default=(),
        text_role=TextRole.SENTENCE,
    )
    wounds = option(label(NAMES), "injuries told on the way; they do not become Traits", default=())

    def slips(self) -> Iterable[Slip]:
        return (Slip(component, state="removed") for component in self.what)

    offered = Offered("U4.36", "put a Component out of the story")
    deed = "Eliminates"
    means_all = True

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for component, by, _ in mortal(play):
            yield {"eliminate": component.name, **by}

    def changes(self) -> Mapping[ScalarNode, None]:
        return dict.fromkeys(self.what)

    def known(self, play: Table) -> Iterator[tuple[ScalarNode, Component, None]]:
        """Those that are still in the story."""
        return ((word, c, None) for word, c, _ in super().known(play) if not c.eliminated)

    @guard("U4.36")
    def is_in_the_story(self, play: Table) -> Iterator[Violation]:
        for word, component, _ in super().known(play):
            if component.eliminated:
                yield Violation(
                    f"{component.name} is Eliminated already",
                    word,
                    facts=[
                        play.because(turning.step, "Eliminated here")
                        for turning in component.turnings[-1:]
                    ],
                )

    @guard("U7.2", help="Eliminate every Sub first")
    def subs_are_gone(self, play: Table) -> Iterator[Violation]:
        components = play.state.components
        for word, component, _ in self.known(play):
            subs = [components[id] for id in component.subs]
            alive = [sub.name for sub in subs if not sub.eliminated]
            if component.master and alive and play.ruling("master elimination") == "subs first":
                names = ", ".join(alive[:3])
                yield Violation(f"{component.name} is a Master, and {names} still stand", word)

    @guard("U6.8")
    def is_free_of_dice(self, play: Table) -> Iterator[Violation]:
        for word, component, _ in self.known(play):
            yield from presence.held_by_dice(play, component, word)

    @guard("U4.36", DiagnosticKind.UNKNOWN)
    def has_a_price(self, play: Table) -> Iterator[Violation]:
        for word, component, _ in self.known(play):
            if traits.importance_of(play.state, component) is None and not play.given:
                yield Violation(
                    f"not all Traits of {component.name} are written down, so its price is not known",
                    word,
                )

    @guard("U4.39", at="facts")
    def has_paid_for_facts(self, play: Table) -> Iterator[str]:
        for _, component, _ in self.known(play):
            price = play.state.points.elimination_price(play, component)
            if len(self.facts) > max(price, 1):
                coins_paid, facts_bought = plural(price, "Coin"), plural(price, "Fact")
                yield f"{coins_paid} entitle to {facts_bought} about its fate, not {len(self.facts)}"

    @guard("U4.37")
    def is_not_seen_later(self, play: Table) -> Iterator[Violation]:
        for _, component, _ in self.known(play):
            yield from bars_end(play, component)

    def apply(self, play: Table) -> None:
        """Out of the story for its Importance (U4.36)."""
        for _, component, _ in self.each(play):
            if component.eliminated:
                continue
            price = play.state.points.elimination_price(play, component)
            due = max(0, price - component.towards)
            is_known = traits.importance_of(play.state, component) is not None
            if not is_known and self.coins is not None:
                due = max(0, self.coins)
            why = f"the end of {component.name}"
            coins.charge(play, "eliminate", "U4.36", why, amount=due, component=component)
            told = tuple(str(fact) for fact in self.facts)
            put_out(play, component, price, str(self.fate or ""), told, asked=True)
            for fact in self.facts:
                facts.note(play, None, "fate", str(fact), "fate", component.id)
            if self.wounds:
                play.event("the injuries told on the way are no Traits", "U4.46")
            play.step.headline = f"The end of {component.name}"


def bars_end(play: Table, component: Component) -> Iterator[Violation]:
    """A Component that is seen later in the story is still there (U4.37, U5.14)."""
    current_scene = play.state.current_scene
    if current_scene is None:
        return
    scene = current_scene.number
    timeline, before_future = play.timeline, current_scene.frame != str(Frame.FUTURE)
    later = [
        s
        for s in timeline.scenes
        if component.id in s.cast
        and s.number != scene
        and timeline.includes_scene(play.state.branch, s.number)
        # A look into the future of this scene binds as well (U5.14).
        and (
            timeline.is_before(scene, s.number)
            or (
                before_future
                and s.frame is Frame.FUTURE
                and not timeline.is_before(s.number, scene)
            )
        )
    ]
    if later:
        illegal = play.ruling("past elimination") == "illegal"
        yield Violation(
            f"{component.name} is seen later in the story, in '{later[0].title}'",
            facts=[play.because(later[0].first_step, "that scene")],
            rule="U5.14" if later[0].frame is Frame.FUTURE else "U4.37",
            kind=DiagnosticKind.ILLEGAL if illegal else DiagnosticKind.SUSPICIOUS,
        )


def put_out(
    play: Table,
    component: Component,
    price: int,
    fate: str,
    facts: tuple[str, ...] = (),
    *,
    asked: bool = False,
) -> None:
    """Out of the story: marked, parted from its possessions (S44), out of the scene (S54). ``asked``: guards of the
    entry have asked :func:`bars_end`."""
    state = play.state
    current_scene = state.current_scene
    scene = current_scene.number if current_scene is not None else 0
    if not asked:
        report_all(play, bars_end(play, component))
    component.turnings.append(
        Turning("eliminated", scene, play.step.number, play.step.player, price, fate, facts)
    )
    component.towards = 0
    if component.id in state.reduced:
        state.reduced.remove(component.id)
    traits.set_eliminated(play, component, True)
    vanish = component.owns and play.ruling("orphaned possessions") == "vanish"
    for id in list(component.owns):
        item = state.components[id]
        if vanish:
            put_out(play, item, 0, f"with {component.name}")
        else:
            traits.part(play, item)
    if (
        current_scene is not None
        and component.id in current_scene.present
        and play.ruling("eliminated here") == "leaves"
    ):
        presence.leave(play, current_scene, component, "is Eliminated")
    play.event(f"Eliminated: {component.name}", "U4.36", "eliminated", component.id)


class BringBack(Entry):
    """Bring an Eliminated Component back. It costs its Importance; introducing it is 1 more."""

    verb = "return"
    synonyms = ("revive", "resurrect")
    lead_in_template = "The return of {what}"
    decides = Decides("turn", "U3.57", action_phrase="brings a Component back")
    moment = on_a_turn("U3.57")
    example = "return: drowned bell-ringer"
    what = main(in_role("returns", NAMES), "the Component")
    because = option(TEXT, "what justifies it", text_role=TextRole.SENTENCE)
    offered = Offered("U4.40", "bring back what was Eliminated")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for _, player, by in acting(play):
            for component in play.state.components.values():
                if component.eliminated and not component.struck and not component.master:
                    price = play.state.points.return_price(play, component)
                    if coins.can_spend(play, player, price, "turn"):
                        yield {"return": component.name, **by}

    @guard("U4.40")
    def was_eliminated(self, play: Table) -> Iterator[Violation]:
        for word, component in table.known(play, self.what):
            if not component.eliminated and not component.placeholder:
                yield Violation(
                    f"{component.name} was never Eliminated",
                    word,
                    write_instead(
                        f"introduce: {component.name}", when="if it comes into the scene"
                    ),
                )

    def apply(self, play: Table) -> None:
        """Back into the story for the Importance it has now (U4.40)."""
        for _, component in table.find_each(play, self.what):
            if not (component.eliminated or component.placeholder):
                continue
            price = play.state.points.return_price(play, component)
            coins.charge(
                play,
                "restore",
                "U4.40",
                f"{component.name} comes back",
                amount=price,
                component=component,
                sort="turn",
            )
            current_scene, step = play.state.current_scene, play.step
            scene = current_scene.number if current_scene is not None else 0
            words = str(self.because or "")
            component.turnings.append(
                Turning("returned", scene, step.number, step.player, price, words)
            )
            traits.set_eliminated(play, component, False)
            play.event(f"Back in the story: {component.name}", "U4.40", "returned", component.id)
            step.headline = f"The return of {component.name}"


def end_reductions(play: Table) -> None:
    """Coins paid towards an Elimination that failed (S46)."""
    state = play.state
    if not state.reduced:
        return
    reading = play.ruling("short elimination")
    if reading == "progress":
        return
    for id in state.reduced:
        component = state.components[id]
        coins, component.towards = component.towards, 0
        label, component.survives_as = component.survives_as or "injured", ""
        if reading == "lost" or not coins:
            continue
        traits.add_trait(play, component, label, Sort.WOUND, coins, paid=coins)
        play.event(
            f"{component.name} survived: {with_times(label, coins)}",
            "U4.46",
            "gains trait",
            component.id,
        )
    state.reduced.clear()
