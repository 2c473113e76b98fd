"""Blocks of a CampaignView as plain data: mappings with the kind of block under ``block``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chronicle.core.campaign_view import (
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
    Stat,
    Stats,
    Steps,
    Stones,
    Table,
    holds_nothing,
)
from chronicle.core.record import Contest, Side
from chronicle.services.spans import NameMarker

Data = dict[str, Any]


def blocks_data(page_blocks: Iterable[Block], mark_names: NameMarker) -> list[Data]:
    """Several blocks, in order, without those that have a title alone."""
    return [_block_data(block, mark_names) for block in page_blocks if not holds_nothing(block)]


def _stat_label(stat: Stat) -> str:
    """The label of a figure: the player alone where it says whose it is, else what it is a figure of."""
    return stat.player if stat.player and stat.label.startswith(stat.player) else stat.label


def _block_data(block: Block, mark_names: NameMarker) -> Data:
    match block:
        case Prose():
            return {"block": "prose", "markdown": block.markdown}
        case Note():
            return {"block": "note", "text": mark_names(block.text)}
        case Facts():
            fact_rows = [[label, mark_names(value)] for label, value in block.rows]
            return {"block": "facts", "title": block.title, "rows": fact_rows}
        case Stats():
            item_rows = [stat._asdict() | {"label": _stat_label(stat)} for stat in block.items]
            return {"block": "stats", "title": block.title, "items": item_rows}
        case Table():
            return {
                "block": "table",
                "title": block.title,
                "columns": [column._asdict() for column in block.columns],
                "rows": [[mark_names(cell) for cell in row] for row in block.rows],
                "note": block.note,
            }
        case Slips():
            item_rows = [slip._asdict() for slip in block.items]
            return {"block": "slips", "title": block.title, "items": item_rows}
        case Board():
            return {
                "block": "board",
                "title": block.title,
                "squares": [*block.squares],
                "tokens": [token._asdict() for token in block.tokens],
            }
        case Stones():
            source_lists = [*block.notes, *[""] * len(block.rows)]
            stone_rows = [
                {
                    "who": mark_names(name),
                    "filled": filled_count,
                    "of": stone_count,
                    "sources": sources,
                }
                for (name, filled_count, stone_count), sources in zip(
                    block.rows, source_lists, strict=False
                )
            ]
            marked_note = mark_names(block.note)
            return {
                "block": "stones",
                "title": block.title,
                "rows": stone_rows,
                "note": marked_note,
            }
        case ContestCard():
            return {
                "block": "contest",
                "contest": contest_data(block.contest),
                "step": block.step_number,
            }
        case Listing():
            item_rows = [
                {"text": mark_names(item.text), "note": item.note, "step": item.step}
                for item in block.items
            ]
            listing_data = {"block": "listing", "title": block.title, "ordered": block.ordered}
            return listing_data | {"items": item_rows}
        case Section():
            return {
                "block": "section",
                "title": block.title,
                "blocks": blocks_data(block.blocks, mark_names),
                "folded": block.folded or bool(block.gist),
                "step": block.step,
            }
        case Graph():
            return {
                "block": "graph",
                "title": block.title,
                "nodes": [
                    {"id": node.id, "label": node.label, "kind": node.kind, "player": node.player}
                    for node in block.nodes
                ],
                "edges": [edge._asdict() for edge in block.edges],
                "key": [list(pair) for pair in block.key],
            }
        case Steps():
            return {
                "block": "steps",
                "title": block.title,
                "series": [
                    {
                        "name": series_line.name,
                        "player": series_line.player,
                        "points": [*map(list, series_line.points)],
                    }
                    for series_line in block.series
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
            marked_note = mark_names(block.note)
            return {"block": "bars", "title": block.title, "rows": bars, "note": marked_note}
        case Shares():
            fact_rows = [
                [mark_names(label), shares_text] for label, shares_text in rows_in_words(block)
            ]
            return {"block": "facts", "title": block.title, "rows": fact_rows}
        case Rings():
            rings = [
                {
                    "label": label,
                    "sectors": [
                        [
                            sector.label,
                            sector.state,
                            [mark_names(person) for person in sector.people],
                        ]
                        for sector in sectors
                    ],
                }
                for label, sectors in block.rings
            ]
            return {"block": "rings", "title": block.title, "rings": rings}


def rows_in_words(shares: Shares) -> list[tuple[Inline, str]]:
    """The rows of a divided bar, each with its parts in words."""
    return [
        (label, "; ".join(share.in_words for share in row_shares))
        for label, row_shares in shares.rows
    ]


def contest_data(shown_contest: Contest) -> Data:
    """A throw: its sides with dice, earlier rounds, and the outcome in words."""
    return {
        "title": shown_contest.title,
        "sides": [_side_data(side) for side in shown_contest.sides],
        "score": shown_contest.score,
        "unit": shown_contest.unit,
        "outcome": [*shown_contest.outcome],
        "verdict": shown_contest.verdict,
        "earlier": [[_side_data(side) for side in sides] for sides in shown_contest.earlier],
        "odds": str(shown_contest.odds),
        "rule": shown_contest.rule,
    }


def _side_data(side: Side) -> Data:
    return {
        "name": side.name,
        "player": side.player,
        "dice": [die._asdict() for die in side.dice],
        "sources": [*side.sources],
        "result": side.result,
        "won": side.won,
    }
