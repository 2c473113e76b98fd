"""Counting open-ended dice: the number of faces that a throw must have, and likely slips (I38, I39)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.guards import Violation
from chronicle.core.source import Place
from chronicle.games.isolation.dice import GREEN, RED, Colour, Rolled
from chronicle.games.isolation.table import Table, known_before_gap

RULES = """
# Modifiers
I39 Open-ended dice [checked; V23 V24 V25]
  A player can roll another die for a green 6, and must do so for a red 1. The extra dice chain in the same way. No
  other face earns a die. Chronicle compares this with the number of faces in the log.
"""

READINGS = """
IA9 green_extra: Can a player leave a green 6 without an extra die?
  - may: yes; Chronicle points it out
  - must: no, as with a red 1
  because the text distinguishes "may" and "must" (I39)
"""


class Guess(NamedTuple):
    """A likely slip: a number of base dice too many (or too few), and the rule that it breaks."""

    dice: int
    rule: str
    message: str


def is_earned(rolled: Rolled, base: int, colour: Colour) -> bool:
    """Whether faces are those of a number of dice, with one more for each face that chains."""
    return len(rolled.faces) == base + rolled.chains(colour) and not rolled.unearned(base, colour)


def compare(
    play: Table,
    roller: str,
    colour: Colour,
    rolled: Rolled,
    base: int,
    sources: Sequence[str],
    base_rule: str,
    guesses: Sequence[Guess],
    at: Place,
    doubts: tuple[str, ...] = (),
    *,
    by_hand: bool = False,
) -> Violation | None:
    """Compare a throw with its base and its chains; at most one violation. After a gap that may have
    changed the sources of the dice, their number is unknown.

    ``base`` dice are due before chains; every green 6 and every red 1 adds a face. ``base_rule`` is
    the rule that a wrong base breaks, ``guesses`` are slips worth naming. ``by_hand`` marks a
    colour that is not rolled at all (greens of a late Hostile).
    """
    breach = partial(
        Violation,
        at=at,
        after=doubts,
        since=known_before_gap(play, doubts, colour),
        state_kind="tracks",
    )
    if is_earned(rolled, base, colour):
        return None
    faces = len(rolled.faces)
    chains = rolled.chains(colour)
    if faces == base + chains:
        return breach(
            f"{roller}'s {colour} dice: a die follows the first {plural(base, 'die', 'dice')}, but no "
            f"{colour.chain} before it earned it",
            rule="I39",
            help=f"write the first throw, then a die for each {colour.chain} in it, and so on",
        )
    if by_hand:
        return breach(
            rule=base_rule,
            message=f"{roller} rolls red dice only, no green ones",
            help="leave the green ones out",
        )
    counted = f"{roller}'s {colour} dice"
    why = listed(sources) or f"nothing brings {roller} {colour} dice"
    due = f"{plural(base, 'die', 'dice')} ({why})"
    are_due = f"{due} {'is' if base == 1 else 'are'} due"
    first = rolled.first
    implied = first if first is not None and first != base else faces - chains
    grouped_right = first == base
    ends_open = bool(rolled.faces) and rolled.faces[-1] == colour.chain
    if not grouped_right and not (colour is RED and ends_open):
        # A base that fits a known slip exactly is named as that slip.
        for guess in guesses:
            if guess.dice and implied - base == guess.dice and faces != base:
                return breach(
                    rule=guess.rule,
                    message=guess.message,
                    place_label=f"{faces} faces; due: {due}",
                    help=f"{counted}: {due}",
                )
        if first is not None or faces < base:
            return breach(
                rule=base_rule,
                message=f"{counted}: {implied if first is not None else faces}, but {are_due}",
                help=f"the first throw is {plural(base, 'die', 'dice')}; a die for each {colour.chain} in it "
                "follows after a space",
            )
    if faces > base + chains:
        chain = colour.chain
        wrong = 1 if colour is GREEN else 6
        extra = faces - base - chains
        earning = f"the {chain}" if chains == 1 else f"the {plural(chains, str(chain))}"
        message = (
            f"a {colour} {wrong} earns no extra die, only a {chain} does"
            if wrong in rolled.faces and not chains
            else f"{faces}, but {due} and {chains} more for {earning} are due, {extra} too many"
            if chains
            else f"{faces}, but {are_due}, {extra} too many"
        )
        return breach(
            rule="I39" if base or chains else base_rule,
            message=f"{counted}: {message}",
            help=f"the first throw is {plural(base, 'die', 'dice')}; each {chain} brings one more",
        )
    missing = base + chains - faces
    if colour is GREEN:
        message = f"{counted}: {plural(missing, 'green 6', 'green 6s')} without an extra die"
        if play.ruling("green_extra") == "must":
            return breach(rule="I39", message=message)
        return breach(
            message,
            rule="I39",
            kind=DiagnosticKind.SUSPICIOUS,
            help="a green 6 can earn another die",
        )
    return breach(
        rule="I39",
        message=f"{counted}: {plural(missing, 'red 1', 'red 1s')} without the extra die that must follow",
        help="each red 1 needs another die; write it after the others",
    )
