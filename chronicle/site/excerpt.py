"""A few entries of a log as annotated play, for pages elsewhere: the text, and how it was decided.

This module converts rows to a few plain kinds of parts. :mod:`chronicle.site.written` writes these parts in
a form that a page, a mail or a forum understands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import SessionView
from chronicle.core.diagnostic import did_you_mean, unit_name
from chronicle.core.figures import with_times
from chronicle.core.record import BidRanking, Contest, Event, Side, Step, Weighing
from chronicle.core.telling import Piece, TextRole, paragraphs, sentence
from chronicle.site import evening
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.evening import SessionRow
from chronicle.site.findings import ShownProblem
from chronicle.site.notes import BalanceChange, DiceWinnings, MarginNote
from chronicle.site.prose import inline, prose
from chronicle.words import word

_PASSAGE: Final = re.compile(
    r"(?P<file>.+?)(?::(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?"
    r"|#(?P<first_id>[^\s#]+?)(?:\.\.(?P<last_id>[^\s#]+))?)\Z"
)


class ExcerptPart(NamedTuple):
    """A paragraph of an excerpt. ``kind``: ``scene``, ``turn``, ``told``, ``line`` (of speech), ``note``,
    ``card`` (the head of a throw or a bid), ``row`` (of such), ``talk``, ``wrong``."""

    part_kind: str
    html: Markup
    speaker: Markup = Markup()


class UnknownPassage(Exception):
    """A passage that names an entry which is not in the file."""


class LogPassage(NamedTuple):
    """Some lines of a session (``01.yaml:12-30``), or its entries from one id to another
    (``01.yaml#letter..dispute``)."""

    file_name: str
    first_line: int
    last_line: int
    entry_id_range: tuple[str, ...] = ()
    """The ids of the first and the last entry, if entries are named."""

    def find_steps(self, campaign_site: CampaignSite, record_path: str) -> tuple[Step, ...]:
        """The entries of the passage, with all entries inside them.

        Args:
            campaign_site: the campaign as readers see it.
            record_path: the path of the file in the record of the campaign.

        Raises:
            UnknownPassage: when no entry of the file has the id, or the last one comes first.
        """
        if not self.entry_id_range:
            return steps_on_lines(campaign_site, record_path, self.first_line, self.last_line)
        step_by_id = {
            str(step.action.id): step
            for step in campaign_site.record.steps
            if step.action.path == record_path and step.action.id is not None
        }
        for entry_id in self.entry_id_range:
            if entry_id not in step_by_id:
                hint = did_you_mean(entry_id, [*step_by_id])
                raise UnknownPassage(f"no entry in '{self.file_name}' has 'id: {entry_id}'{hint}")
        first_step, last_step = (
            step_by_id[self.entry_id_range[0]],
            step_by_id[self.entry_id_range[-1]],
        )
        if last_step.number < first_step.number:
            raise UnknownPassage(
                f"'{self.entry_id_range[-1]}' comes before '{self.entry_id_range[0]}' in '{self.file_name}'"
            )
        return _with_inner_steps(
            campaign_site,
            lambda step: (
                step.action.path == record_path
                and first_step.number <= step.number <= last_step.number
            ),
        )


def parse_passage(passage_text: str) -> LogPassage | None:
    """The passage that a text names, such as ``01.yaml:12-30``, ``01.yaml#letter`` or
    ``01.yaml#letter..dispute``; None if it names none."""
    passage_match = _PASSAGE.match(passage_text)
    if passage_match is None:
        return None
    entry_id_range = tuple(filter(None, (passage_match["first_id"], passage_match["last_id"])))
    first_line = int(passage_match["first"] or 0)
    return LogPassage(
        passage_match["file"],
        first_line,
        int(passage_match["last"] or first_line),
        entry_id_range,
    )


def steps_on_lines(
    campaign_site: CampaignSite, record_path: str, first_line: int, last_line: int
) -> tuple[Step, ...]:
    """The entries on some lines of a file, with all entries inside them."""

    def is_covered(step: Step) -> bool:
        source = step.action.source
        return (
            step.action.path == record_path
            and source.line <= last_line
            and source.end_line >= first_line
        )

    return _with_inner_steps(campaign_site, is_covered)


def _with_inner_steps(
    campaign_site: CampaignSite, is_chosen: Callable[[Step], bool]
) -> tuple[Step, ...]:
    """The chosen entries, with all entries inside them."""
    chosen_steps: list[Step] = []
    chosen_numbers: set[int] = set()
    for step in campaign_site.record.steps:
        if step.parent in chosen_numbers or is_chosen(step):
            chosen_numbers.add(step.number)
            chosen_steps.append(step)
    return tuple(chosen_steps)


def rows_of_steps(campaign_site: CampaignSite, steps: Sequence[Step]) -> Iterator[SessionRow]:
    """What the page of an evening shows of some entries."""
    chosen_numbers = {step.number for step in steps}
    for session in campaign_site.view.sessions:
        chosen_steps = [step for step in session.steps if step.number in chosen_numbers]
        if chosen_steps:
            session_part: SessionView = replace(session, steps=chosen_steps)
            yield from evening.session_rows(campaign_site, session_part)


def parts_of_rows(session_rows: Iterable[SessionRow]) -> Iterator[ExcerptPart]:
    """The rows of an evening as plain parts."""
    for row in session_rows:
        match row:
            case evening.SceneHead():
                place_and_time = ", ".join(filter(None, (row.place, row.time_text)))
                yield ExcerptPart("scene", inline(row.title), inline(place_and_time))
                if row.bid_ranking is not None:
                    yield from _bid_parts(row.bid_ranking)
            case evening.Turn():
                speaker_text = f" ({row.speaker})" if row.speaker else ""
                yield ExcerptPart("turn", inline(f"{row.player}{speaker_text}"))
            case evening.TextEntry():
                yield from _parts_of_text_pieces(row.text_pieces)
                for talk_text in row.talk_texts:
                    yield ExcerptPart("talk", _paragraph(talk_text))
                for margin_note in (*row.margin_notes, *row.notes_below):
                    yield from _margin_note_parts(margin_note)
            case evening.RecordGap():
                yield ExcerptPart("talk", inline(f"{row.title}. {row.gap_text}".strip()))
            case evening.WordlessEntries():
                for margin_note in row.margin_notes:
                    yield from _margin_note_parts(margin_note)
            case evening.Throw():
                yield from _throw_parts(row.contest, row.winnings, row.effects)
            case evening.Dispute():
                yield from _dispute_parts(row.weighing)
            case evening.HiddenEntry():
                yield ExcerptPart("talk", Markup(word("site.hidden_here")))
            case evening.EntryProblems():
                for problem in row.problems:
                    yield ExcerptPart("wrong", _problem_text(problem))
            case evening.SceneEnd():
                pass


def _parts_of_text_pieces(text_pieces: Iterable[Piece]) -> Iterator[ExcerptPart]:
    for text_piece in text_pieces:
        if text_piece.role is TextRole.SPOKEN:
            yield ExcerptPart("line", inline(sentence(text_piece.text)), inline(text_piece.speaker))
        elif text_piece.role is TextRole.SENTENCE:
            yield ExcerptPart("told", inline(sentence(text_piece.text)))
        else:
            for paragraph_text in paragraphs(text_piece.text):
                yield ExcerptPart("told", _paragraph(paragraph_text))


def _paragraph(text: str) -> Markup:
    paragraph_html = prose(text)
    is_single = (
        paragraph_html.startswith("<p>")
        and paragraph_html.endswith("</p>")
        and paragraph_html.count("<p>") == 1
    )
    return paragraph_html[3:-4] if is_single else paragraph_html


def _margin_note_parts(margin_note: MarginNote) -> Iterator[ExcerptPart]:
    phrases: list[Markup] = []
    for slip in margin_note.slips:
        slip_phrase = inline(with_times(slip.text, slip.count))
        phrases.append(
            Markup("<del>{}</del>").format(slip_phrase) if slip.state == "removed" else slip_phrase
        )
    phrases += [inline(event.text) for event in margin_note.events]
    phrases += [inline(movement_text) for movement_text, _ in margin_note.movements]
    phrases += [_cost_text(cost) for cost in margin_note.costs]
    rule_ids = [
        *(event.rule for event in margin_note.events),
        *(rule_id for _, rule_id in margin_note.movements),
    ]
    shown_rule_ids = dict.fromkeys(filter(None, (*rule_ids, *margin_note.further_rule_ids)))
    joined_phrases = Markup("; ").join(phrases)
    if shown_rule_ids:
        joined_phrases += Markup(" ({})").format(", ".join(shown_rule_ids))
    if margin_note.title or joined_phrases:
        note_title = (
            Markup("<strong>{}</strong>").format(inline(margin_note.title))
            if margin_note.title
            else ""
        )
        separator = ": " if margin_note.title and joined_phrases else ""
        yield ExcerptPart(
            "note", Markup("{}{}{}").format(note_title, separator, joined_phrases.strip())
        )


def _cost_text(cost: BalanceChange) -> Markup:
    cost_text = f"{abs(cost.amount)} {unit_name(cost.unit, abs(cost.amount))}"
    cost_text = word("site.cost_got" if cost.amount < 0 else "site.cost_paid", amount=cost_text)
    if cost.purse and cost.purse != cost.unit.casefold():
        cost_text = word("site.decided_of", amount=cost_text, purse=cost.purse)
    return inline(
        cost_text
        if cost.balance_after is None
        else word("site.decided_left", amount=cost_text, left=cost.balance_after)
    )


def _throw_parts(
    contest: Contest, winnings: Iterable[DiceWinnings], effects: Iterable[Event]
) -> Iterator[ExcerptPart]:
    yield _card_head(contest.title, contest.rule)
    for side in contest.sides:
        yield ExcerptPart(
            "row", _side_text(side, side.won and contest.is_opposed), inline(side.name)
        )
    phrases = [
        contest.score,
        *contest.outcome,
        *(_with_rule(event.text, event.rule) for event in effects),
    ]
    for phrase in filter(None, phrases):
        yield ExcerptPart("row", inline(phrase))
    for player_winnings in winnings:
        amount_text = (
            f"{player_winnings.amount} {unit_name(player_winnings.unit, player_winnings.amount)}"
        )
        payment_text = word("site.paid_for", player=player_winnings.player, amount=amount_text)
        purchase_text = "; ".join(
            f"{purchase.text} ({purchase.amount})" for purchase in player_winnings.purchases
        )
        yield ExcerptPart(
            "row",
            inline(
                _with_rule(
                    f"{payment_text}: {purchase_text}" if purchase_text else payment_text,
                    player_winnings.rule_id,
                )
            ),
        )


def _side_text(side: Side, is_winner: bool) -> Markup:
    dice_text = " ".join(f"({die.face})" if die.void else die.face for die in side.dice)
    phrases = [
        f"[{dice_text}]" if dice_text else "",
        side.result,
        word("site.side_wins") if is_winner else "",
    ]
    sources_text = f"({', '.join(side.sources)})" if side.sources else ""
    return inline(" ".join(filter(None, (*phrases[:2], sources_text, phrases[2]))))


def _bid_parts(bid_ranking: BidRanking) -> Iterator[ExcerptPart]:
    yield _card_head(bid_ranking.title, bid_ranking.rule)
    for bid in bid_ranking.bids:
        yield ExcerptPart(
            "row", inline(f"{bid.amount}{' wins' if bid.won else ''}"), inline(bid.player)
        )
    if bid_ranking.words:
        yield ExcerptPart("row", inline(bid_ranking.words))


def _dispute_parts(weighing: Weighing) -> Iterator[ExcerptPart]:
    yield _card_head(weighing.words, weighing.rule)
    for side in weighing.sides:
        paid_text = f"{side.paid} {unit_name(weighing.unit, side.paid)}"
        total_text = f", counts {side.total}" if side.total != side.paid else ""
        yield ExcerptPart(
            "row", inline(f"{paid_text}{total_text}"), inline(side.player or side.name)
        )


def _card_head(card_title: str, rule_id: str) -> ExcerptPart:
    return ExcerptPart("card", inline(_with_rule(card_title, rule_id)))


def _with_rule(text: str, rule_id: str) -> str:
    return f"{text} ({rule_id})" if rule_id else text


def _problem_text(problem: ShownProblem) -> Markup:
    return Markup("{} {}: {}").format(problem.severity, problem.shown_code, problem.message)
