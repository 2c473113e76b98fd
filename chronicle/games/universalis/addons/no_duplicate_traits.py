"""UA.29: no Trait is bought twice for a Component."""

from __future__ import annotations

from chronicle.core.names import fold
from chronicle.games.universalis.addons.base import AddOn, Table
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.state import Component, Sort, Trait


class NoDuplicates(AddOn):
    """No duplicate Traits."""

    summary = "No Trait is bought more than once for a Component, except to show numbers."
    changes = ("U4.6", "U4.44")
    rule_text = """
        UA.29 No Duplicate Traits [checked; V143]
          No Trait is bought more than once for a Component, not even a wound; only Group Traits, which show
          numbers, are. Crossed-off Traits are restored, and two Traits that differ in sort (a Role and a class of
          the same name) are two.
        """

    def bars_trait(
        self, play: Table, component: Component, text: str, sort: Sort, copies: int
    ) -> Bar | None:
        """Once is all."""
        old = component.traits.get(fold(text))
        bought_before = old is not None and old.copies > 0 and old.sort is sort
        if sort is Sort.GROUP or not (bought_before or copies > 1):
            return self.inner.bars_trait(play, component, text, sort, copies)
        return Bar(
            "UA.29",
            f"{component.name} has '{text}' already, and no Trait is bought twice"
            if bought_before
            else f"'{text}' is bought {copies} times for {component.name}, and no Trait is bought twice",
            old.step if old is not None and bought_before else 0,
            "bought here",
            help="find other words for it; numbers are a Group Trait:  - group: ...",
        )

    def trait_added(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Say what the exception is for."""
        if trait.sort is Sort.GROUP and trait.copies > 1:
            play.event(f"{trait.label} of {component.name} shows numbers", "UA.29")
