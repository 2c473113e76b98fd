"""Records, pages and the state of play as text, so that two of them can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from chronicle.campaigns import view_of
from chronicle.core.game_context import GameContext
from chronicle.core.record import Record, Source
from chronicle.core.state_data import owner_ids
from chronicle.games import rulebook

_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")


def record_text(record: Record, *, options: list[int] | None = None) -> str:
    """A record as text that a person can review: the results of every entry.

    Args:
        record: the replayed campaign.
        options: how many moves the game offered after each entry, to be noted there.
    """
    lines = [f"{record.rulebook.name}: {record.campaign.title}", ""]
    for step in record.steps:
        scene = f" scene {step.scene}" if step.scene else ""
        who = f" {step.player}" if step.player else ""
        lines.append(
            f"{step.number}. [{step.anchor}]{scene}{who}: {step.action.verb}: {step.headline}"
        )
        lines += [f"    {e.text}{f' ({e.rule})' if e.rule else ''}" for e in step.events]
        lines += [
            f"    {p.source} -> {p.target}: {p.amount} {p.unit} ({p.rule})"
            for p in record.postings(step)
        ]
        lines += [
            f"    ({p.source} -> {p.target}: {p.amount} {p.unit} ({p.rule}), taken back)"
            for p in step.retracted_postings
        ]
        if step.contest is not None:
            sides = " / ".join(
                f"{s.name} {' '.join(d.face for d in s.dice)} {s.result}{' *' if s.won else ''}"
                for s in step.contest.sides
            )
            lines.append(f"    [{step.contest.score} {step.contest.unit}] {sides}")
        lines += [f"    !{d.severity} {d.code}: {d.message}" for d in step.diagnostics]
        if options is not None:
            lines.append(f"    {options[step.number - 1]} may come next")
    lines += ["", "Balances"]
    lines += [f"    {a}: {n} {u}" for a, u, n in sorted(record.ledger.balances()) if n]
    lines += ["", "In the order of the story"]
    lines += [f"    {scene.number}. {scene.title}" for scene in record.timeline.story_order()]
    lines += ["", record.situation, ""]
    return "\n".join(lines)


def whole_text(record: Record) -> str:
    """:func:`record_text`, and all that a record holds of throws, bids and scenes, with each problem in full."""
    lines = [record_text(record)]
    for step in record.steps:
        shown = (
            step.speaker,
            step.links,
            step.throws,
            step.bid_ranking,
            step.weighing,
            step.contest,
        )
        if any(shown):
            odds = step.contest.odds if step.contest is not None else ""
            lines.append(f"{step.number}. {' '.join(str(one) for one in shown if one)} {odds}")
        if step.fiction:
            lines.append(f"{step.number}. {step.fiction}")
        for side in step.contest.sides if step.contest is not None else ():
            parts = [vars(one) for one in side.sources if isinstance(one, Source)]
            if parts:
                lines.append(f"{step.number}. {side.name}: {parts}")
    for scene in record.timeline.scenes:
        span = f"entries {scene.first_step} to {scene.last_step}"
        lines.append(f"scene {scene.number}: {span}. {scene.closing}")
        where = (scene.frame, scene.time, scene.place, scene.kind, scene.parent, scene.branch)
        lines.append(f"    {where} {scene.opener} {scene.continues} {scene.cast} {scene.marks}")
    for diagnostic in record.diagnostics:
        lines.append(
            f"{diagnostic.kind} {diagnostic.full_code} {diagnostic.severity} {diagnostic.message}"
        )
        lines += [f"    = {fact.text}" for fact in diagnostic.facts]
        lines += [f"    help: {help}" for help in diagnostic.help]
    return "\n".join(lines)


def book_text(record: Record) -> str:
    """The contents of the pages of a record, without addresses in memory."""
    return _ADDRESS.sub("", repr(view_of(record)))


def standing(play: GameContext[Any]) -> Iterator[str]:
    """The state of play: every figure that can be compared, the panel, what is due, and each move with an entry
    and the values that fit it."""
    rules = rulebook(play.campaign.game)
    for name, measure in rules.by_measure.items():
        ids = owner_ids(play, measure)
        yield from (f"{name} {id}: {measure.read(play, id)}" for id in ids)
    yield from (f"{block}" for block in rules.panel(play))
    yield from (f"due: {due}" for due in rules.due(play))
    options = rules.options(play)
    for option in options:
        entry = option.make_entry(Random(f"{option.verb} {option.by}"))
        yield f"next: {option.by}: {entry}"
    for verb, by in dict.fromkeys((option.verb, option.by) for option in options):
        yield from (f"fits {verb} by {by}: {one}" for one in rules.offers(play, verb, by))
