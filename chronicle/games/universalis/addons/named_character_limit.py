"""UA.27: the cast of named Characters is complete."""

from __future__ import annotations

from chronicle.core.declare import Part, option
from chronicle.core.field_types import NAMES, YES_NO
from chronicle.core.names import fold
from chronicle.games.universalis.addons.base import AddOn, Table
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.state import CHARACTER, Component, Sort, Trait


class NamedLimitSettings(Part):
    """What the group sets about the limit."""

    exceptions = option(NAMES, "names that may still be given", default=())
    existing = option(
        YES_NO, "yes, if Characters that are there already may still be named", default=False
    )


class NamedLimit(AddOn):
    """A limit of named Characters."""

    summary = "From its adoption on no further Character gets a proper name."
    changes = ("U4.11", "U4.13")
    chosen: NamedLimitSettings
    rule_text = """
        UA.27 Named Character Limit [checked; V143]
          From the adoption on no further named Characters are Created; naming one that has had no name is not
          possible either, unless the group says so ('existing: yes'). A further Gimmick, or a name under
          'exceptions:', lets a Character in after all.
        """

    def _excepted(self, text: str) -> bool:
        return fold(text) in map(fold, self.chosen.exceptions)

    def bars_trait(
        self, play: Table, component: Component, text: str, sort: Sort, copies: int
    ) -> Bar | None:
        """No further names."""
        created = component.step == play.step.number
        if (
            sort is not Sort.NAME
            or component.kind != CHARACTER
            or component.master
            or self._excepted(text)
            or (self.chosen.existing and not created)
        ):
            return self.inner.bars_trait(play, component, text, sort, copies)
        noun = "a further named Character" if created else "a further Character with a name"
        return Bar(
            "UA.27",
            f"{text} is {noun}, and no more are allowed",
            help=(
                "do without the name",
                "or propose a Gimmick that makes an exception, and cite it:  under: its id",
            ),
        )

    def trait_added(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Say where an exception was made."""
        if trait.sort is Sort.NAME and component.kind == CHARACTER and self._excepted(trait.text):
            play.event(f"{trait.text} is an exception to the limit of names", "UA.27")
