"""Entries of an evening drawn: their words, their notes, bids, objections and throws, for the macros of
``macros/play.html``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from markupsafe import Markup

from chronicle.core.book import Ref
from chronicle.core.diagnostic import unit_name
from chronicle.core.record import Contest, Event, Ladder, Weighing
from chronicle.core.telling import Piece, Slip, TextRole, paragraphs, sentence
from chronicle.site.draw import Renderer, worded
from chronicle.site.notes import Cost, Note, Spent
from chronicle.site.prose import inline, prose
from chronicle.site.works import Work
from chronicle.words import word

_PROOF = re.compile(r"(.*) \((sealed|stated)\)\Z", re.S)
SHORT = 110
"""The most letters of a remark that is shown without folding."""


def blocks(
    renderer: Renderer, pieces: Iterable[Piece], speakers: Iterable[str]
) -> list[dict[str, Any]]:
    """What an entry tells, paragraph by paragraph. ``speakers`` says whose each speaker is, in turn."""
    linked: set[str] = set()
    paragraphs: list[dict[str, Any]] = []
    whose = iter(speakers)
    for piece in pieces:
        if piece.role is TextRole.SPOKEN:
            words = renderer.names.link(str(inline(sentence(piece.text))), linked=linked)
            colour = renderer.colour(next(whose, ""))
            paragraphs.append(
                {
                    "who": inline(renderer.names.shown(piece.speaker)),
                    "html": words,
                    "colour": colour,
                    "kind": "line",
                }
            )
            continue
        for part, (markup, plain) in enumerate(_words(renderer, piece, linked)):
            last = paragraphs[-1] if paragraphs else None
            if plain and not part and last is not None and last["kind"] == "p":
                last["html"] += Markup(" ") + markup
            else:
                paragraphs.append({"html": markup, "kind": "p" if plain else "block"})
    return paragraphs


def _words(renderer: Renderer, piece: Piece, linked: set[str]) -> Iterator[tuple[Markup, bool]]:
    """The words of a piece, paragraph by paragraph, each with whether it is a plain one."""
    if piece.role is TextRole.SENTENCE:
        words = renderer.names.link(str(inline(sentence(piece.text))), linked=linked)
        yield Markup('<span class="ch-said">{}</span>').format(words), True
        return
    for part in paragraphs(piece.text):
        markup = renderer.names.link(str(prose(part)), linked=linked)
        plain = markup.startswith("<p>") and markup.endswith("</p>") and markup.count("<p>") == 1
        yield (markup[3:-4] if plain else markup), plain


def talk(renderer: Renderer, texts: Sequence[str]) -> dict[str, Any]:
    """The talk at the table: a short text whole, a long text with its rest folded."""
    drawn = [renderer.prose(text) for text in texts]
    is_whole = len(texts) == 1 and len(texts[0]) <= SHORT and drawn[0].count("<p>") == 1
    first = " ".join(drawn[0].striptags().split())
    return {
        "short": drawn[0][3:-4] if is_whole and drawn[0].startswith("<p>") else "",
        "first": first if len(first) <= 64 else f"{first[:62].rsplit(' ', 1)[0]} …",
        "more": len(texts) - 1,
        "texts": drawn,
    }


# -- the margin ------------------------------------------------------------------------------------


def note(renderer: Renderer, note: Note) -> dict[str, Any]:
    """A note, as the macro wants it."""
    # One chip a run of events under the same rule, at its end; between others a mark.
    rules = [event.rule for event in note.events]
    last = len(rules) - 1
    events = [
        _event(renderer, event, rule != next_rule, n < last and (rule == next_rule or not rule))
        for n, (event, rule, next_rule) in enumerate(
            zip(note.events, rules, [*rules, ""][1:], strict=True)
        )
    ]
    return {
        "step": note.step,
        "anchor": note.anchor,
        "former": note.former,
        "player": note.player,
        "title": renderer.term(note.title),
        "slips": Markup(" ").join(_slip(renderer, slip) for slip in note.slips),
        "events": events,
        "moves": [
            Markup("{} {}").format(renderer.text(words), renderer.rule(rule))
            for words, rule in note.moves
        ],
        "rules": Markup(" ").join(renderer.rule(rule) for rule in note.rules),
        "costs": [_cost(renderer, cost) for cost in note.costs],
        "links": [
            *(_link(renderer, words, index) for words, index in note.links),
            *(work(renderer, piece_of_work) for piece_of_work in note.works),
        ],
    }


def _slip(renderer: Renderer, slip: Slip) -> Markup:
    """A word on a slip; names lead to their sheets."""
    drawn = renderer.macro("bits", "slip", slip.text, slip.count, slip.state or "plain")
    return renderer.names.link(str(drawn), every=True) if slip.state == "name" else drawn


_ENDED = tuple(".,;:!?…”")


def _event(renderer: Renderer, event: Event, chip: bool, goes_on: bool) -> Markup:
    rule = renderer.rule(event.rule) if chip else Markup("")
    proof = _PROOF.match(event.text) if event.kind == "reveals" else None
    if proof is None:
        mark = ";" if goes_on and event.text[-1:] not in _ENDED else ""
        return Markup(f"{renderer.game_text(event.text)}{mark} {rule}")
    return Markup("{} {} {}").format(
        renderer.text(proof[1]), renderer.macro("bits", "proof_badge", proof[2]), rule
    )


def _cost(renderer: Renderer, cost: Cost) -> dict[str, Any]:
    coin = cost.unit.casefold() == "coin"
    amount = f"{cost.amount}" if cost.amount > 0 else f"+{-cost.amount}"
    named = cost.purse and cost.purse != cost.unit.casefold()
    unit = "" if coin else unit_name(cost.unit, abs(cost.amount))
    unit = word("site.decided_of", amount=unit, purse=cost.purse).strip() if named else unit
    return {"words": amount, "unit": unit, "left": cost.left, "coin": coin}


def _link(renderer: Renderer, words: str, index: int) -> Markup:
    url = renderer.address(Ref("step", str(index), ""))
    if not url:
        return Markup("")
    return Markup('{} <a href="{}">{}</a>').format(
        words, url, word("site.entry_link", number=index)
    )


def work(renderer: Renderer, work: Work) -> Markup:
    """A text or a picture about this moment."""
    key = "site.see_in_gallery" if work.art is not None else "site.see_in_journal"
    return worded(key, work=renderer.ref(work.ref))


# -- throws ----------------------------------------------------------------------------------------


def ladder(renderer: Renderer, ladder: Ladder) -> dict[str, Any]:
    """Simultaneous bids."""
    return {
        "title": ladder.title,
        "rule": renderer.rule(ladder.rule),
        "coins": ladder.unit.casefold() == "coin",
        "rungs": [
            {
                "who": renderer.player(rung.player),
                "amount": rung.amount,
                "won": rung.won,
                "said": f"{rung.amount} {unit_name(ladder.unit, rung.amount)}",
            }
            for rung in ladder.rungs
        ],
        "words": renderer.text(ladder.words) if ladder.words else "",
    }


def dispute(renderer: Renderer, weighing: Weighing) -> dict[str, Any]:
    """An objection, weighed."""
    return {
        "words": inline(weighing.words),
        "rule": renderer.rule(weighing.rule),
        "sides": [
            {
                "who": renderer.player(side.player) if side.player else inline(side.name),
                "paid": side.paid,
                "total": side.total,
                "doubled": side.total // side.paid if side.paid and side.total > side.paid else 1,
                "colour": renderer.colour(side.player),
            }
            for side in weighing.sides
        ],
    }


def throw(
    renderer: Renderer,
    contest: Contest,
    spent: Iterable[Spent],
    led: Iterable[Event],
    step: int = 0,
) -> Markup:
    """A throw as a card, with what was bought with it and what else it led to."""
    further = [_event(renderer, event, bool(event.rule), False) for event in led]
    return renderer.contest(
        contest, step, spent=[_spent(renderer, purchase) for purchase in spent], led=further
    )


def _spent(renderer: Renderer, spent: Spent) -> dict[str, Any]:
    return {
        "who": renderer.player(spent.player),
        "amount": f"{spent.amount} {unit_name(spent.unit, spent.amount)}",
        "coins": spent.unit.casefold() == "coin",
        "rule": renderer.rule(spent.rule),
        "rows": [
            {
                "amount": row.amount,
                "words": renderer.macro("bits", "slip", row.words, 1, row.state)
                if row.state
                else inline(row.words),
                "step": row.step,
                "url": renderer.address(Ref("step", str(row.step), "")),
            }
            for row in spent.rows
        ],
    }
