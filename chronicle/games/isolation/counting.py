"""Counting open-ended dice: how many faces a throw must have, and what went wrong (I38, I39)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.guards import Violation
from chronicle.core.source import Place
from chronicle.games.isolation.dice import GREEN, RED, Colour, Rolled
from chronicle.games.isolation.table import Table


class Guess(NamedTuple):
    """A likely slip: so many base dice too many (or too few) mean that rule."""

    dice: int
    rule: str
    message: str


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
    """Compare a throw with its base and its chains; at most one violation.

    ``base`` dice are due before chains; every green 6 and every red 1 adds a face. ``base_rule`` is
    the rule that a wrong base breaks, ``guesses`` are slips worth naming. ``by_hand`` marks a
    colour that is not rolled at all (greens of a late Hostile).
    """
    faces = len(rolled.faces)
    chains = rolled.chains(colour)
    if faces == base + chains:
        if not rolled.unearned(base, colour):
            return None
        return Violation(
            f"{roller}'s {colour} dice: a die stands after the first {plural(base, 'die', 'dice')} that no "
            f"{colour.chain} before it earned",
            rule="I39",
            at=at,
            after=doubts,
            help=f"the first throw stands first, then the die for each {colour.chain} in it, and so on",
        )
    if by_hand:
        return Violation(
            rule=base_rule,
            message=f"{roller} rolls red dice only, no green ones",
            at=at,
            after=doubts,
        )
    counted = f"{roller}'s {colour} dice"
    why = listed(sources) or f"nothing brings {roller} {colour} dice"
    due = f"{plural(base, 'die', 'dice')} ({why})"
    first = rolled.first
    implied = first if first is not None and first != base else faces - chains
    grouped_right = first is not None and first == base
    ends_open = bool(rolled.faces) and rolled.faces[-1] == colour.chain
    if not grouped_right and not (colour is RED and ends_open):
        # A base that fits a known slip exactly is named as that slip.
        for guess in guesses:
            if guess.dice and implied - base == guess.dice and faces != base:
                return Violation(
                    rule=guess.rule,
                    message=guess.message,
                    at=at,
                    label=f"{faces} faces; due: {due}",
                    help=f"{counted}: {due}",
                    after=doubts,
                )
        if first is not None or faces < base:
            return Violation(
                rule=base_rule,
                message=f"{counted}: {implied if first is not None else faces}, but {due} are due",
                at=at,
                help=f"the first throw is {plural(base, 'die', 'dice')}; a die for each {colour.chain} in it "
                "stands behind, after a space",
                after=doubts,
            )
    if faces > base + chains:
        chain = colour.chain
        wrong = 1 if colour is GREEN else 6
        extra = faces - base - chains
        earning = f"the {chain}" if chains == 1 else f"the {plural(chains, str(chain))}"
        message = (
            f"a {colour} {wrong} earns no extra die, only a {chain} does"
            if wrong in rolled.faces and not chains
            else f"{faces} where {due} and {chains} more for {earning} are due, {extra} too many"
            if chains
            else f"{faces} where {due} are due, {extra} too many"
        )
        return Violation(
            rule="I39",
            message=f"{counted}: {message}",
            at=at,
            after=doubts,
            help=f"the first throw is {plural(base, 'die', 'dice')}; each {chain} brings one more",
        )
    missing = base + chains - faces
    if colour is GREEN:
        message = f"{counted}: {plural(missing, 'green 6', 'green 6s')} not rolled on"
        if play.ruling("green_extra") == "must":
            return Violation(rule="I39", message=message, at=at, after=doubts)
        return Violation(
            message,
            rule="I39",
            finding=Finding.SUSPICIOUS,
            at=at,
            after=doubts,
            help="a green 6 may be rolled on",
        )
    return Violation(
        rule="I39",
        message=f"{counted}: {plural(missing, 'red 1', 'red 1s')} without the extra die that must follow",
        at=at,
        after=doubts,
        help="a red 1 must be rolled on; write the extra die after the others",
    )
