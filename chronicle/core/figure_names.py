"""The names under which the code of a game asks for figures and accounts. A wrong name is a mistake in that code, and
the message lists the right ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol, TypeVar

from chronicle.core.diagnostic import did_you_mean
from chronicle.core.gaps import SOMEBODY
from chronicle.core.ledger import ADJUSTMENT, UNEXPLAINED

T = TypeVar("T")


class HasFigureKey(Protocol):
    """A figure of the state of play (coins, stress), as far as its key needs it."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of names that have it; empty for a figure without owners."""

    def key(self, name: str, id: str, /) -> str:
        """Its key in counts, doubts and gaps."""


def find_figure(measures: Mapping[str, T], name: str) -> T:
    """A figure by its name.

    Raises:
        LookupError: when the game has no such figure.
    """
    if name not in measures:
        raise LookupError(_unknown_name_message("figure", name, measures))
    return measures[name]


def check_account(accounts: Collection[str], account: str) -> None:
    """Check the kind of an account that was never used.

    Raises:
        LookupError: when the game has no account of this kind.
    """
    kind = account.partition(":")[0]
    if kind not in accounts and kind not in (SOMEBODY, ADJUSTMENT, UNEXPLAINED):
        raise LookupError(_unknown_name_message("account", kind, accounts))


def figure_key(measures: Mapping[str, HasFigureKey], accounts: Collection[str], figure: str) -> str:
    """The key of a figure in counts, doubts and gaps, by its name or its account and its owner: ``wealth:Ana``. A
    figure without owners needs no colon.

    Raises:
        LookupError: when the game has no such figure, or the owner is missing.
    """
    name, colon, owner = figure.partition(":")
    if name not in measures:
        if name not in accounts and name != SOMEBODY:
            raise LookupError(_unknown_name_message("figure", name, measures))
        return figure
    measure = measures[name]
    if measure.kinds and not colon:
        raise LookupError(f"the figure '{name}' needs its owner: '{name}:' and an id")
    if owner and not measure.kinds:
        raise LookupError(f"the figure '{name}' has no owner: write '{name}'")
    return measure.key(name, owner)


def _unknown_name_message(noun: str, name: str, known_names: Collection[str]) -> str:
    """The message about a wrong name."""
    names_text = ", ".join(known_names)
    return f"no {noun} '{name}'{did_you_mean(name, [*known_names])} (this game has {names_text})"
