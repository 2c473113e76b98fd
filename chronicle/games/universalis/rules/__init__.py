"""The rules of Universalis by number, each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import Rule
from chronicle.games.universalis.rules.complications import COMPLICATIONS
from chronicle.games.universalis.rules.components import COMPONENTS
from chronicle.games.universalis.rules.errata import ERRATA
from chronicle.games.universalis.rules.flow import FLOW
from chronicle.games.universalis.rules.further import FURTHER
from chronicle.games.universalis.rules.preparation import PREPARATION
from chronicle.games.universalis.rules.scenes import SCENES

RULES: tuple[Rule, ...] = (
    *PREPARATION,
    *FLOW,
    *COMPONENTS,
    *SCENES,
    *COMPLICATIONS,
    *FURTHER,
)

__all__ = ["ERRATA", "RULES"]
