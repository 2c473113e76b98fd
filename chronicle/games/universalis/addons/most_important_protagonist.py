"""UA.30: no Character outweighs the main protagonist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from chronicle.core.answers import Move
from chronicle.core.declare import Action, Part, option
from chronicle.core.diagnostic import listed, with_article
from chronicle.core.field_types import choice
from chronicle.core.fix import add_entry
from chronicle.core.names import fold
from chronicle.games.universalis.addons.base import AddOn, OfComponents, Table, memory, set_by_group
from chronicle.games.universalis.state import CHARACTER, Component, Trait
from chronicle.games.universalis.traits import MAIN_PROTAGONIST, OF_SEVERAL, importance_of

AGAINST = fold("main antagonist")
MARGIN = 6
"""More than one entry of random play adds to an Importance."""
WEIGHING = (
    {"trait", "group", "name", "tie", "possess", "sub", "negate", "inherit", "master", "enigma"}
    | {"wound", "remove", "restore", "use", "separate", "reduce", "eliminate", "return"}
    | {"create", "introduce", "location", "scene", "mini scene", "outcome"}
)
"""Verbs that change the Importance of a Character."""


@dataclass(slots=True, eq=False)
class Outweighing(OfComponents):
    """Ids of the Characters that are above the limit, as the table has been told."""

    ids: set[str] = field(default_factory=set)


class ProtagonistSettings(Part):
    """One protagonist, or an ensemble."""

    ensemble = option(
        choice("highest", "lowest"),
        "for a main Character of each player: no Character exceeds the highest of them, or the lowest",
    )


def _mark(play: Table) -> str:
    ensemble = set_by_group(play, ProtagonistSettings).ensemble
    return OF_SEVERAL if ensemble is not None else MAIN_PROTAGONIST


def _has(component: Component, key: str) -> bool:
    trait = component.traits.get(key)
    return trait is not None and trait.copies > 0


def _mains(play: Table) -> list[Component]:
    mark = _mark(play)
    components = play.state.components
    marked: Sequence[str] = play.state.mains
    if len(marked) > 1:
        marked = [id for id in components if id in marked]
    return [
        component
        for id in marked
        if (component := components.get(id)) is not None
        and _has(component, mark)
        and not (component.struck or component.eliminated)
    ]


class Protagonist(AddOn):
    """The most important Character."""

    title = "Protagonists Are the Most Important Characters"
    summary = (
        "No Character ever has a higher Importance than the Character marked 'main protagonist'."
    )
    changes = ("U4.3", "U4.35")
    chosen: ProtagonistSettings
    rule_text = """
        UA.30 Most Important Protagonist [checked; V144]
          One Character gets the Trait 'main protagonist', for 1 Coin. No other Character may ever be worth more,
          by any way: Traits, wounds, possessions, or a loss on the protagonist's side. The 'main antagonist' alone
          may.
        UA.30a Ensemble of Protagonists [checked]
          Each player picks one 'main character' (the Trait). No other Character may exceed the highest of them, or
          the lowest, as the group says ('ensemble:'). Antagonists with the Trait 'main antagonist' may.
        """

    def trait_added(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Who may be marked."""
        mark = _mark(play)
        if trait.key != mark or play.given:
            return
        play.event(
            f"{component.name} is {with_article(trait.text)}",
            self._code(play),
            "main",
            component.id,
        )
        other_mains = [main for main in _mains(play) if main.id != component.id]
        if mark == MAIN_PROTAGONIST:
            for main in other_mains[:1]:
                play.illegal(
                    "UA.30",
                    f"{main.name} is the main protagonist already",
                    facts=[play.because(main.traits[mark].step, "marked here")],
                    help="there is one; for several, adopt it with  ensemble: highest",
                )
            return
        for main in other_mains:
            play.require(
                main.traits[mark].buyer != play.step.player or not play.step.player,
                "UA.30a",
                f"{play.step.player} has picked {main.name} already; each player picks one main "
                "Character",
                facts=[play.because(main.traits[mark].step, "picked here")],
            )

    def trait_restored(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """A mark that is restored is one more, too."""
        self.trait_added(play, component, trait, copies)

    def _code(self, play: Table) -> str:
        return "UA.30" if _mark(play) == MAIN_PROTAGONIST else "UA.30a"

    def after_entry(self, play: Table, action: Action) -> None:
        """Report each Component that has risen above the limit, once."""
        mains = _mains(play)
        reported = memory(play, Outweighing).ids
        worth = [importance_of(play.state, main) for main in mains]
        known_worth = [value for value in worth if value is not None]
        if not known_worth or len(known_worth) < len(worth):
            reported.clear()
            return
        ensemble = set_by_group(play, ProtagonistSettings).ensemble
        limit = min(known_worth) if ensemble == "lowest" else max(known_worth)
        above = {
            component.id: component
            for component in play.state.components.values()
            if component.total > limit
            and component.kind == CHARACTER
            and not _has(component, _mark(play))
            and not (component.master or component.eliminated or component.struck)
            and not _has(component, AGAINST)
            and importance_of(play.state, component) is not None
        }
        for id, component in above.items():
            if id in reported or play.given:
                continue
            bounds = [
                bound for bound, value in zip(mains, known_worth, strict=True) if value == limit
            ]
            names = listed(bound.name for bound in bounds)
            play.illegal(
                self._code(play),
                f"{component.name} has Importance {component.total} now, above {names} with {limit}",
                fix=add_entry(f"trait: {{{bounds[0].name}: ...}}"),
                help="or mark a 'main antagonist'",
            )
        reported.clear()
        reported.update(above)

    def rules_out(self, play: Table, option: Move) -> bool:
        """Moves that might lift a Character over the limit, or lower the limit, when they are close."""
        mains = _mains(play)
        if not mains or option.verb not in WEIGHING:
            return False
        totals = [
            component.total
            for component in play.state.components.values()
            if component.kind == CHARACTER and component not in mains
        ]
        return max(totals, default=0) + MARGIN > min(main.total for main in mains)
