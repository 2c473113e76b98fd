"""UA.28: a Character grows by one Trait a turn."""

from __future__ import annotations

from chronicle.core.answers import Move
from chronicle.core.declare import Part, option
from chronicle.core.field_types import choice
from chronicle.games.universalis.addons.base import AddOn, Table, set_by_group
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.state import CHARACTER, Component, Sort, Trait


class OneTraitSettings(Part):
    """The span of the limit."""

    span = option(
        choice("turn", "scene"), "one Trait in a turn, or in a whole scene", default="turn"
    )


def _span_start(play: Table) -> int:
    """The first step of the current span; after a gap in the record it is unknown."""
    state = play.state
    scene = state.current_scene
    if play.gap_since("turns") > state.turn_step:
        return play.gap
    if set_by_group(play, OneTraitSettings).span == "scene" and scene is not None:
        return scene.step
    return state.turn_step


def _gained(play: Table, component: Component) -> Trait | None:
    """The Trait that a Character was bought in the span at hand, if one was."""
    span_start = _span_start(play)
    for trait in component.traits.values():
        if trait.free or not trait.paid or trait.sort is Sort.WOUND:
            continue
        if any(change == "adds" and step >= span_start for step, change, _, _ in trait.history):
            return trait
    return None


class OneTrait(AddOn):
    """One Trait a turn."""

    summary = "A Character gains at most one Trait a turn, wounds and the like apart."
    changes = ("U4.3", "U4.6", "U4.8")
    chosen: OneTraitSettings
    rule_text = """
        UA.28 One Trait per Turn [checked; V143]
          A Character gains at most one Trait in a turn (or, if the group is stricter, in a scene). A new one begins
          with its Role alone, and its name has to wait. What hurts or hinders is not limited: write it as a wound.
          Corollaries come free and do not count.
        """

    def bars_trait(
        self, play: Table, component: Component, text: str, sort: Sort, copies: int
    ) -> Bar | None:
        """A second one; told once for each Character in an entry."""
        earlier_trait = _gained(play, component)
        exempt = component.kind != CHARACTER or component.master or sort is Sort.WOUND
        reported = any(
            problem.code == "UA.28" and problem.subject == component.id
            for problem in play.step.diagnostics
        )
        if (
            exempt
            or reported
            or not play.state.turn_sure
            or (earlier_trait is None and copies == 1)
        ):
            return self.inner.bars_trait(play, component, text, sort, copies)
        span = self.chosen.span
        return Bar(
            "UA.28",
            f"{component.name} gains '{text}' as a second Trait in the same {span}"
            if earlier_trait is not None
            else f"{component.name} gains '{text}' {copies} times, and one Trait is all in a {span}",
            earlier_trait.history[-1][0] if earlier_trait is not None else 0,
            f"gained '{earlier_trait.text}' here" if earlier_trait is not None else "",
            help="wait for the next " + str(span) + "; what hurts or hinders is a wound",
            subject=component.id,
        )

    def trait_added(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Say that the span is used up."""
        if (
            component.kind == CHARACTER
            and not component.master
            and _gained(play, component) is trait
        ):
            within = f"in this {self.chosen.span}"
            play.event(f"no further Trait for {component.name} {within}", "UA.28")

    def first_traits(self, play: Table) -> int:
        """Its Role."""
        return 1

    def rules_out(self, play: Table, option: Move) -> bool:
        """Moves that may give a Character a second Trait, and whose verbs do not ask before."""
        return option.verb in ("seed", "enigma")
