"""Entries of an evening drawn: their words, their notes, bids, objections and throws, for the macros of
``macros/play.html``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from markupsafe import Markup

from chronicle.core.campaign_view import Ref
from chronicle.core.diagnostic import unit_name
from chronicle.core.record import BidRanking, Contest, Event, Weighing
from chronicle.core.telling import Piece, Slip, TextRole, paragraphs, sentence
from chronicle.site.draw import Renderer, message_markup
from chronicle.site.notes import BalanceChange, DiceWinnings, MarginNote
from chronicle.site.prose import inline, prose
from chronicle.site.works import Work
from chronicle.words import word

_SEAL_PROOF = re.compile(r"(.*) \((sealed|stated)\)\Z", re.S)
MAX_UNFOLDED_LETTERS = 170
"""The most letters of a remark that is shown without folding."""
MAX_LETTERS_OF_FIRST_LINE = 64
"""The most letters of the line that stands for a folded remark."""


def paragraphs_of_entry(
    renderer: Renderer, text_pieces: Iterable[Piece], speaking_players: Iterable[str]
) -> list[dict[str, Any]]:
    """What an entry tells, paragraph by paragraph. ``speaking_players`` says whose each speaker is, in turn."""
    linked_names: set[str] = set()
    drawn_paragraphs: list[dict[str, Any]] = []
    remaining_players = iter(speaking_players)
    for text_piece in text_pieces:
        if text_piece.role is TextRole.SPOKEN:
            spoken_html = renderer.name_linker.link(
                str(inline(sentence(text_piece.text))), linked_tags=linked_names
            )
            seat_number = renderer.seat_of(next(remaining_players, ""))
            drawn_paragraphs.append(
                {
                    "who": inline(renderer.name_linker.shown_name(text_piece.speaker)),
                    "html": spoken_html,
                    "colour": seat_number,
                    "kind": "line",
                }
            )
            continue
        for paragraph_index, (paragraph_html, is_plain) in enumerate(
            _marked_paragraphs(renderer, text_piece, linked_names)
        ):
            last_paragraph = drawn_paragraphs[-1] if drawn_paragraphs else None
            if (
                is_plain
                and not paragraph_index
                and last_paragraph is not None
                and last_paragraph["kind"] == "p"
            ):
                last_paragraph["html"] += Markup(" ") + paragraph_html
            else:
                drawn_paragraphs.append(
                    {"html": paragraph_html, "kind": "p" if is_plain else "block"}
                )
    return drawn_paragraphs


def _marked_paragraphs(
    renderer: Renderer, text_piece: Piece, linked_names: set[str]
) -> Iterator[tuple[Markup, bool]]:
    """The words of a piece, paragraph by paragraph, each with whether it is a plain one."""
    if text_piece.role is TextRole.SENTENCE:
        sentence_html = renderer.name_linker.link(
            str(inline(sentence(text_piece.text))), linked_tags=linked_names
        )
        yield Markup('<span class="ch-said">{}</span>').format(sentence_html), True
        return
    for paragraph in paragraphs(text_piece.text):
        paragraph_html = renderer.name_linker.link(str(prose(paragraph)), linked_tags=linked_names)
        is_plain = (
            paragraph_html.startswith("<p>")
            and paragraph_html.endswith("</p>")
            and paragraph_html.count("<p>") == 1
        )
        yield (paragraph_html[3:-4] if is_plain else paragraph_html), is_plain


def talk_data(renderer: Renderer, talk_texts: Sequence[str]) -> dict[str, Any]:
    """The talk at the table: a short text whole, a long text with its rest folded."""
    drawn_texts = [renderer.prose(talk_text) for talk_text in talk_texts]
    is_whole = (
        len(talk_texts) == 1
        and len(talk_texts[0]) <= MAX_UNFOLDED_LETTERS
        and drawn_texts[0].count("<p>") == 1
    )
    first_text = " ".join(drawn_texts[0].striptags().split())
    return {
        "short": drawn_texts[0][3:-4] if is_whole and drawn_texts[0].startswith("<p>") else "",
        "first": _beginning(first_text),
        "more": len(talk_texts) - 1,
        "texts": drawn_texts,
    }


def _beginning(plain_text: str) -> str:
    """A short text whole; of a long text the sentences that fit on a line, or else the words."""
    if len(plain_text) <= MAX_LETTERS_OF_FIRST_LINE:
        return plain_text
    line_text = plain_text[: MAX_LETTERS_OF_FIRST_LINE - 2]
    whole_sentences = re.match(r".*[.!?][”’]?(?=\s)", line_text)
    return f"{whole_sentences[0] if whole_sentences else line_text.rsplit(' ', 1)[0]} …"


# -- the margin ------------------------------------------------------------------------------------


def margin_note_data(renderer: Renderer, margin_note: MarginNote) -> dict[str, Any]:
    """A note, as the macro wants it."""
    # One chip a run of events under the same rule, at its end.
    rule_ids = [event.rule for event in margin_note.events]
    events_data = [
        _event_text(renderer, event, rule_id != next_rule_id)
        for event, rule_id, next_rule_id in zip(
            margin_note.events, rule_ids, [*rule_ids, ""][1:], strict=True
        )
    ]
    return {
        "step": margin_note.step_number,
        "anchor": margin_note.anchor,
        "former": margin_note.former_anchor,
        "player": margin_note.player,
        "title": renderer.term(margin_note.title),
        "slips": Markup(" ").join(_draw_slip(renderer, slip) for slip in margin_note.slips),
        "events": events_data,
        "moves": [
            Markup("{} {}").format(renderer.text(phrase), renderer.rule(rule_id))
            for phrase, rule_id in margin_note.movements
        ],
        "rules": Markup(" ").join(
            renderer.rule(rule_id) for rule_id in margin_note.further_rule_ids
        ),
        "costs": [_cost_data(renderer, cost) for cost in margin_note.costs],
        "links": [
            *(
                _entry_link(renderer, phrase, step_number)
                for phrase, step_number in margin_note.worded_links
            ),
            *(work_link(renderer, work) for work in margin_note.works),
        ],
    }


def _draw_slip(renderer: Renderer, slip: Slip) -> Markup:
    """A word on a slip; names lead to their sheets."""
    drawn_slip = renderer.macro("bits", "slip", slip.text, slip.count, slip.state or "plain")
    return (
        renderer.name_linker.link(str(drawn_slip), every_mention=True)
        if slip.state == "name"
        else drawn_slip
    )


def _event_text(renderer: Renderer, event: Event, with_rule: bool) -> Markup:
    rule_chip = renderer.rule(event.rule) if with_rule else Markup("")
    seal_proof = _SEAL_PROOF.match(event.text) if event.kind == "reveals" else None
    if seal_proof is None:
        return Markup(f"{renderer.game_text(event.text)} {rule_chip}")
    return Markup("{} {} {}").format(
        renderer.text(seal_proof[1]),
        renderer.macro("bits", "proof_badge", seal_proof[2]),
        rule_chip,
    )


def _cost_data(renderer: Renderer, cost: BalanceChange) -> dict[str, Any]:
    is_coin = cost.unit.casefold() == "coin"
    amount_text = f"−{cost.amount}" if cost.amount > 0 else f"+{-cost.amount}"
    names_purse = cost.purse and cost.purse != cost.unit.casefold()
    unit_text = "" if is_coin else unit_name(cost.unit, abs(cost.amount))
    unit_text = (
        word("site.decided_of", amount=unit_text, purse=cost.purse).strip()
        if names_purse
        else unit_text
    )
    return {"words": amount_text, "unit": unit_text, "left": cost.balance_after, "coin": is_coin}


def _entry_link(renderer: Renderer, link_words: str, step_number: int) -> Markup:
    url = renderer.address(Ref("step", str(step_number), ""))
    if not url:
        return Markup("")
    return Markup('{} <a href="{}">{}</a>').format(
        link_words, url, word("site.entry_link", number=step_number)
    )


def work_link(renderer: Renderer, work: Work) -> Markup:
    """A text or a picture about this moment."""
    message_key = "site.see_in_gallery" if work.artwork is not None else "site.see_in_journal"
    return message_markup(message_key, work=renderer.ref(work.ref))


# -- throws ----------------------------------------------------------------------------------------


def bid_ranking_data(renderer: Renderer, bid_ranking: BidRanking) -> dict[str, Any]:
    """Simultaneous bids."""
    return {
        "title": bid_ranking.title,
        "rule": renderer.rule(bid_ranking.rule),
        "coins": bid_ranking.unit.casefold() == "coin",
        "rungs": [
            {
                "who": renderer.player(bid.player),
                "amount": bid.amount,
                "won": bid.won,
                "said": f"{bid.amount} {unit_name(bid_ranking.unit, bid.amount)}",
            }
            for bid in bid_ranking.bids
        ],
        "words": renderer.text(bid_ranking.words) if bid_ranking.words else "",
    }


def dispute_data(renderer: Renderer, weighing: Weighing) -> dict[str, Any]:
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
                "colour": renderer.seat_of(side.player),
            }
            for side in weighing.sides
        ],
    }


def draw_throw(
    renderer: Renderer,
    contest: Contest,
    winnings_of_players: Iterable[DiceWinnings],
    effects: Iterable[Event],
    step_number: int = 0,
) -> Markup:
    """A throw as a card, with what was bought with it and what else it led to."""
    effect_texts = [_event_text(renderer, event, bool(event.rule)) for event in effects]
    return renderer.contest(
        contest,
        step_number,
        winnings=[_winnings_data(renderer, winnings) for winnings in winnings_of_players],
        effects=effect_texts,
    )


def _winnings_data(renderer: Renderer, winnings: DiceWinnings) -> dict[str, Any]:
    return {
        "who": renderer.player(winnings.player),
        "amount": f"{winnings.amount} {unit_name(winnings.unit, winnings.amount)}",
        "coins": winnings.unit.casefold() == "coin",
        "rule": renderer.rule(winnings.rule_id),
        "rows": [
            {
                "amount": purchase.amount,
                "words": renderer.macro("bits", "slip", purchase.text, 1, purchase.slip_state)
                if purchase.slip_state
                else inline(purchase.text),
                "step": purchase.step_number,
                "url": renderer.address(Ref("step", str(purchase.step_number), "")),
            }
            for purchase in winnings.purchases
        ],
    }
