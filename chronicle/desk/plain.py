"""Blocks of a Book as plain data: each a mapping with its kind under ``block``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chronicle.core.book import (
    Bars,
    Block,
    Board,
    ContestCard,
    Facts,
    Graph,
    Inline,
    Lanes,
    Listing,
    Note,
    Prose,
    Rings,
    Section,
    Shares,
    Slips,
    Stats,
    Steps,
    Stones,
    Table,
)
from chronicle.core.record import Contest, Side
from chronicle.desk.spans import Speller

Data = dict[str, Any]


def blocks(found: Iterable[Block], spell: Speller) -> list[Data]:
    """Several blocks, in order."""
    return [_block(one, spell) for one in found]


def _block(block: Block, spell: Speller) -> Data:
    match block:
        case Prose():
            return {"block": "prose", "markdown": block.markdown}
        case Note():
            return {"block": "note", "text": spell(block.text)}
        case Facts():
            facts = [[label, spell(value)] for label, value in block.rows]
            return {"block": "facts", "title": block.title, "rows": facts}
        case Stats():
            items = [one._asdict() | {"label": one.player or one.label} for one in block.items]
            return {"block": "stats", "title": block.title, "items": items}
        case Table():
            return {
                "block": "table",
                "title": block.title,
                "columns": [one._asdict() for one in block.columns],
                "rows": [[spell(cell) for cell in row] for row in block.rows],
                "note": block.note,
            }
        case Slips():
            items = [one._asdict() for one in block.items]
            return {"block": "slips", "title": block.title, "items": items}
        case Board():
            return {
                "block": "board",
                "title": block.title,
                "squares": [*block.squares],
                "tokens": [one._asdict() for one in block.tokens],
            }
        case Stones():
            notes = [*block.notes, *[""] * len(block.rows)]
            rows = [
                {"who": spell(who), "filled": filled, "of": of, "sources": note}
                for (who, filled, of), note in zip(block.rows, notes, strict=False)
            ]
            note = spell(block.note)
            return {"block": "stones", "title": block.title, "rows": rows, "note": note}
        case ContestCard():
            return {"block": "contest", "contest": contest(block.contest), "step": block.step}
        case Listing():
            items = [
                {"text": spell(one.text), "note": one.note, "step": one.step} for one in block.items
            ]
            kind = {"block": "listing", "title": block.title, "ordered": block.ordered}
            return kind | {"items": items}
        case Section():
            return {
                "block": "section",
                "title": block.title,
                "blocks": blocks(block.blocks, spell),
                "folded": block.folded or bool(block.gist),
                "step": block.step,
            }
        case Graph():
            return {
                "block": "graph",
                "title": block.title,
                "nodes": [
                    {"id": one.id, "label": one.label, "kind": one.kind, "player": one.player}
                    for one in block.nodes
                ],
                "edges": [one._asdict() for one in block.edges],
                "key": [list(one) for one in block.key],
            }
        case Steps():
            return {
                "block": "steps",
                "title": block.title,
                "series": [
                    {"name": one.name, "player": one.player, "points": [*map(list, one.points)]}
                    for one in block.series
                ],
                "ticks": [*map(list, block.ticks)],
            }
        case Lanes():
            return {
                "block": "lanes",
                "title": block.title,
                "rows": [*block.rows],
                "columns": [*block.columns],
                "cells": [*map(list, block.cells)],
            }
        case Bars():
            bars = [
                {"label": label, "value": value, "player": player}
                for label, value, player in block.rows
            ]
            note = spell(block.note)
            return {"block": "bars", "title": block.title, "rows": bars, "note": note}
        case Shares():
            facts = [[spell(label), parts] for label, parts in in_words(block)]
            return {"block": "facts", "title": block.title, "rows": facts}
        case Rings():
            rings = [
                {
                    "label": label,
                    "sectors": [
                        [one.label, one.state, [spell(who) for who in one.people]]
                        for one in sectors
                    ],
                }
                for label, sectors in block.rings
            ]
            return {"block": "rings", "title": block.title, "rings": rings}


def in_words(shares: Shares) -> list[tuple[Inline, str]]:
    """The rows of a bar that is divided, each with its parts in words."""
    return [(label, "; ".join(one.said for one in parts)) for label, parts in shares.rows]


def contest(one: Contest) -> Data:
    """A throw: its sides with their dice, the rounds before it, its outcome in words."""
    return {
        "title": one.title,
        "sides": [_side(side) for side in one.sides],
        "score": one.score,
        "unit": one.unit,
        "outcome": [*one.outcome],
        "verdict": one.verdict,
        "earlier": [[_side(side) for side in sides] for sides in one.earlier],
        "odds": str(one.odds),
        "rule": one.rule,
    }


def _side(side: Side) -> Data:
    return {
        "name": side.name,
        "player": side.player,
        "dice": [die._asdict() for die in side.dice],
        "sources": [*side.sources],
        "result": side.result,
        "won": side.won,
    }
