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


def find_figure(measure_by_name: Mapping[str, T], figure_name: str) -> T:
    """A figure by its name.

    Raises:
        LookupError: when the game has no such figure.
    """
    if figure_name not in measure_by_name:
        raise LookupError(_unknown_name_message("figure", figure_name, measure_by_name))
    return measure_by_name[figure_name]


def check_account(account_kinds: Collection[str], account: str) -> None:
    """Check the kind of an account that was never used.

    Raises:
        LookupError: when the game has no account of this kind.
    """
    account_kind = account.partition(":")[0]
    if account_kind not in account_kinds and account_kind not in (
        SOMEBODY,
        ADJUSTMENT,
        UNEXPLAINED,
    ):
        raise LookupError(_unknown_name_message("account", account_kind, account_kinds))


def figure_key(
    measure_by_name: Mapping[str, HasFigureKey], account_kinds: Collection[str], figure: str
) -> str:
    """The key of a figure in counts, doubts and gaps, by its name or its account and its owner: ``wealth:Ana``. A
    figure without owners needs no colon.

    Raises:
        LookupError: when the game has no such figure, or the owner is missing.
    """
    figure_name, colon, owner = figure.partition(":")
    if figure_name not in measure_by_name:
        if figure_name not in account_kinds and figure_name != SOMEBODY:
            raise LookupError(_unknown_name_message("figure", figure_name, measure_by_name))
        return figure
    measure = measure_by_name[figure_name]
    if measure.kinds and not colon:
        raise LookupError(f"the figure '{figure_name}' needs its owner: '{figure_name}:' and an id")
    if owner and not measure.kinds:
        raise LookupError(f"the figure '{figure_name}' has no owner: write '{figure_name}'")
    return measure.key(figure_name, owner)


def _unknown_name_message(noun: str, unknown_name: str, known_names: Collection[str]) -> str:
    """The message about a wrong name."""
    names_text = ", ".join(known_names)
    return f"no {noun} '{unknown_name}'{did_you_mean(unknown_name, [*known_names])} (this game has {names_text})"
