"""Chapter 4, Elimination and return."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.fix import write_instead
from chronicle.core.source import ScalarNode
from chronicle.core.timeline import Frame
from chronicle.games.universalis import coins, facts, presence, table, traits
from chronicle.games.universalis.authority import may_alter
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import Component, Sort, Turning
from chronicle.games.universalis.story_actions import BringBack, Eliminate, Reduce


def reduce(play: Table, action: Reduce) -> None:
    """Pay part of an Importance (U6.35, S45)."""
    pairs: Iterable[tuple[ScalarNode, int]] = (
        action.what.items()
        if isinstance(action.what, dict)
        else ((word, 1) for word in action.what)
    )
    for word, amount in pairs:
        for component in table.find_all(play, word):
            may_alter(play, component, "reduces", word)
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
            if action.as_ is not None:
                component.survives_as = str(action.as_)
            play.step.headline = f"Trouble for {component.name}"


def eliminate(play: Table, action: Eliminate) -> None:
    """Out of the story for its Importance (U4.36)."""
    for word, component in table.find_each(play, action.what):
        _eliminate(play, action, component, word)


def _eliminate(play: Table, action: Eliminate, component: Component, word: ScalarNode) -> None:
    state = play.state
    if component.eliminated:
        play.illegal(
            "U4.36",
            f"{component.name} is Eliminated already",
            at=word,
            facts=[
                play.because(turning.step, "Eliminated here") for turning in component.turnings[-1:]
            ],
        )
        return
    may_alter(play, component, "Eliminates", word)
    alive = [
        state.components[id].name for id in component.subs if not state.components[id].eliminated
    ]
    if component.master and alive and play.ruling("master elimination") == "subs first":
        play.illegal(
            "U7.2",
            f"{component.name} is a Master, and {', '.join(alive[:3])} still stand",
            at=word,
            help="Eliminate every Sub first",
        )
    report_all(play, presence.held_by_dice(play, component, word))
    is_known = traits.importance_of(play.state, component) is not None
    price = state.points.elimination_price(play, component)
    due = max(0, price - component.towards)
    if not is_known and action.coins is not None:
        due = max(0, action.coins)
    coins.charge(
        play, "eliminate", "U4.36", f"the end of {component.name}", amount=due, component=component
    )
    if not is_known and not play.given:
        play.unknown(
            "U4.36",
            f"not all Traits of {component.name} are written down, so its price is not known",
            at=word,
        )
    if len(action.facts) > max(price, 1):
        play.illegal(
            "U4.39",
            f"{plural(price, 'Coin')} entitle to {plural(price, 'Fact')} about its fate, not {len(action.facts)}",
            at="facts",
        )
    put_out(play, component, price, str(action.fate or ""), tuple(str(f) for f in action.facts))
    for fact in action.facts:
        facts.note(play, None, "fate", str(fact), "fate", component.id)
    if action.wounds:
        play.event("the injuries told on the way are no Traits", "U4.46")
    play.step.headline = f"The end of {component.name}"


def put_out(
    play: Table, component: Component, price: int, fate: str, facts: tuple[str, ...] = ()
) -> None:
    """Out of the story: marked, parted from its possessions (S44), out of the scene (S54)."""
    state = play.state
    current_scene = state.current_scene
    scene = current_scene.number if current_scene is not None else 0
    if current_scene is not None:
        timeline, before_future = play.timeline, current_scene.frame != str(Frame.FUTURE)
        later = [
            s
            for s in timeline.scenes
            if component.id in s.cast
            and s.number != scene
            and timeline.tells(state.branch, s.number)
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
            play.report(
                DiagnosticKind.ILLEGAL if illegal else DiagnosticKind.SUSPICIOUS,
                "U5.14" if later[0].frame is Frame.FUTURE else "U4.37",
                f"{component.name} is seen later in the story, in '{later[0].title}'",
                facts=[play.because(later[0].first_step, "that scene")],
            )
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
        presence.leave(play, current_scene, component, "is Eliminated", counted=True)
    play.event(f"Eliminated: {component.name}", "U4.36", "eliminated", component.id)


def bring_back(play: Table, action: BringBack) -> None:
    """Back into the story for the Importance it has now (U4.40)."""
    for word, component in table.find_each(play, action.what):
        if not play.require(
            component.eliminated or component.placeholder,
            "U4.40",
            f"{component.name} was never Eliminated",
            at=word,
            fix=write_instead(f"introduce: {component.name}", when="if it comes into the scene"),
        ):
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
        words = str(action.because or "")
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
            f"{component.name} survived: {label}" + (f" x{coins}" if coins > 1 else ""),
            "U4.46",
            "gains trait",
            component.id,
        )
    state.reduced.clear()
