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
from chronicle.core.record import BidRanking, Contest, Event, Side, Step, Weighing
from chronicle.core.telling import Piece, TextRole, paragraphs, sentence
from chronicle.site import evening
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.evening import Row
from chronicle.site.findings import ShownProblem
from chronicle.site.notes import Cost, DiceWinnings, Note
from chronicle.site.prose import inline, prose
from chronicle.words import word

_PASSAGE: Final = re.compile(
    r"(?P<file>.+?)(?::(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?"
    r"|#(?P<first_id>[^\s#]+?)(?:\.\.(?P<last_id>[^\s#]+))?)\Z"
)


class Part(NamedTuple):
    """A paragraph of an excerpt. ``kind``: ``scene``, ``turn``, ``told``, ``line`` (of speech), ``note``,
    ``card`` (the head of a throw or a bid), ``row`` (of such), ``talk``, ``wrong``."""

    kind: str
    html: Markup
    speaker: Markup = Markup()


class UnknownPassage(Exception):
    """A passage that names an entry which is not in the file."""


class Passage(NamedTuple):
    """Some lines of a session (``01.yaml:12-30``), or its entries from one id to another
    (``01.yaml#letter..dispute``)."""

    file: str
    first: int
    last: int
    ids: tuple[str, ...] = ()
    """The ids of the first and the last entry, if entries are named."""

    def steps(self, campaign_site: CampaignSite, path: str) -> tuple[Step, ...]:
        """The entries of the passage, with all entries inside them.

        Args:
            campaign_site: the campaign as readers see it.
            path: the path of the file in the record of the campaign.

        Raises:
            UnknownPassage: when no entry of the file has the id, or the last one comes first.
        """
        if not self.ids:
            return steps_on_lines(campaign_site, path, self.first, self.last)
        step_by_id = {
            str(step.action.id): step
            for step in campaign_site.record.steps
            if step.action.path == path and step.action.id is not None
        }
        for id in self.ids:
            if id not in step_by_id:
                hint = did_you_mean(id, [*step_by_id])
                raise UnknownPassage(f"no entry in '{self.file}' has 'id: {id}'{hint}")
        first, last = step_by_id[self.ids[0]], step_by_id[self.ids[-1]]
        if last.number < first.number:
            raise UnknownPassage(f"'{self.ids[-1]}' comes before '{self.ids[0]}' in '{self.file}'")
        return _with_inner(
            campaign_site,
            lambda step: step.action.path == path and first.number <= step.number <= last.number,
        )


def parse_passage(text: str) -> Passage | None:
    """The passage that a text names, such as ``01.yaml:12-30``, ``01.yaml#letter`` or
    ``01.yaml#letter..dispute``; None if it names none."""
    match = _PASSAGE.match(text)
    if match is None:
        return None
    ids = tuple(filter(None, (match["first_id"], match["last_id"])))
    first = int(match["first"] or 0)
    return Passage(match["file"], first, int(match["last"] or first), ids)


def steps_on_lines(
    campaign_site: CampaignSite, path: str, first: int, last: int
) -> tuple[Step, ...]:
    """The entries on some lines of a file, with all entries inside them."""

    def is_covered(step: Step) -> bool:
        source = step.action.source
        return step.action.path == path and source.line <= last and source.end_line >= first

    return _with_inner(campaign_site, is_covered)


def _with_inner(campaign_site: CampaignSite, is_chosen: Callable[[Step], bool]) -> tuple[Step, ...]:
    """The chosen entries, with all entries inside them."""
    steps: list[Step] = []
    numbers: set[int] = set()
    for step in campaign_site.record.steps:
        if step.parent in numbers or is_chosen(step):
            numbers.add(step.number)
            steps.append(step)
    return tuple(steps)


def rows_of_steps(campaign_site: CampaignSite, steps: Sequence[Step]) -> Iterator[Row]:
    """What the page of an evening shows of some entries."""
    chosen_numbers = {step.number for step in steps}
    for session in campaign_site.view.sessions:
        chosen_steps = [step for step in session.steps if step.number in chosen_numbers]
        if chosen_steps:
            session_part: SessionView = replace(session, steps=chosen_steps)
            yield from evening.session_rows(campaign_site, session_part)


def parts_of_rows(rows_to_convert: Iterable[Row]) -> Iterator[Part]:
    """The rows of an evening as plain parts."""
    for row in rows_to_convert:
        match row:
            case evening.SceneHead():
                place_and_time = ", ".join(filter(None, (row.place, row.time)))
                yield Part("scene", inline(row.title), inline(place_and_time))
                if row.ladder is not None:
                    yield from _bid_parts(row.ladder)
            case evening.Turn():
                speaker_text = f" ({row.speaker})" if row.speaker else ""
                yield Part("turn", inline(f"{row.player}{speaker_text}"))
            case evening.TextEntry():
                yield from _piece_parts(row.pieces)
                for text in row.talk:
                    yield Part("talk", _paragraph(text))
                for note in (*row.margin_notes, *row.notes_below):
                    yield from _note_parts(note)
            case evening.RecordGap():
                yield Part("talk", inline(f"{row.title}. {row.words}".strip()))
            case evening.WordlessEntries():
                for note in row.notes:
                    yield from _note_parts(note)
            case evening.Throw():
                yield from _throw_parts(row.contest, row.winnings, row.effects)
            case evening.Dispute():
                yield from _dispute_parts(row.weighing)
            case evening.HiddenEntry():
                yield Part("talk", Markup(word("site.hidden_here")))
            case evening.EntryProblems():
                for problem in row.problems:
                    yield Part("wrong", _problem_text(problem))
            case evening.SceneEnd():
                pass


def _piece_parts(pieces: Iterable[Piece]) -> Iterator[Part]:
    for piece in pieces:
        if piece.role is TextRole.SPOKEN:
            yield Part("line", inline(sentence(piece.text)), inline(piece.speaker))
        elif piece.role is TextRole.SENTENCE:
            yield Part("told", inline(sentence(piece.text)))
        else:
            for text in paragraphs(piece.text):
                yield Part("told", _paragraph(text))


def _paragraph(text: str) -> Markup:
    html = prose(text)
    is_single = html.startswith("<p>") and html.endswith("</p>") and html.count("<p>") == 1
    return html[3:-4] if is_single else html


def _note_parts(note: Note) -> Iterator[Part]:
    phrases: list[Markup] = []
    for slip in note.slips:
        words = inline(slip.text if slip.count == 1 else f"{slip.text} ×{slip.count}")
        phrases.append(Markup("<del>{}</del>").format(words) if slip.state == "removed" else words)
    phrases += [inline(event.text) for event in note.events]
    phrases += [inline(words) for words, _ in note.moves]
    phrases += [_cost_text(cost) for cost in note.costs]
    rules = [*(event.rule for event in note.events), *(rule for _, rule in note.moves)]
    cited_rules = dict.fromkeys(filter(None, (*rules, *note.rules)))
    words = Markup("; ").join(phrases)
    if cited_rules:
        words += Markup(" ({})").format(", ".join(cited_rules))
    if note.title or words:
        title = Markup("<strong>{}</strong>").format(inline(note.title)) if note.title else ""
        separator = ": " if note.title and words else ""
        yield Part("note", Markup("{}{}{}").format(title, separator, words.strip()))


def _cost_text(cost: Cost) -> Markup:
    words = f"{abs(cost.amount)} {unit_name(cost.unit, abs(cost.amount))}"
    words = word("site.cost_got" if cost.amount < 0 else "site.cost_paid", amount=words)
    if cost.purse and cost.purse != cost.unit.casefold():
        words = word("site.decided_of", amount=words, purse=cost.purse)
    return inline(
        words if cost.left is None else word("site.decided_left", amount=words, left=cost.left)
    )


def _throw_parts(
    contest: Contest, winnings: Iterable[DiceWinnings], effects: Iterable[Event]
) -> Iterator[Part]:
    yield _card_head(contest.title, contest.rule)
    for side in contest.sides:
        yield Part("row", _side_text(side, side.won and contest.is_opposed), inline(side.name))
    phrases = [
        contest.score,
        *contest.outcome,
        *(_with_rule(event.text, event.rule) for event in effects),
    ]
    for words in filter(None, phrases):
        yield Part("row", inline(words))
    for purchase in winnings:
        amount = f"{purchase.amount} {unit_name(purchase.unit, purchase.amount)}"
        payment_text = word("site.paid_for", player=purchase.player, amount=amount)
        purchase_text = "; ".join(f"{row.words} ({row.amount})" for row in purchase.rows)
        yield Part(
            "row",
            inline(
                _with_rule(
                    f"{payment_text}: {purchase_text}" if purchase_text else payment_text,
                    purchase.rule,
                )
            ),
        )


def _side_text(side: Side, wins: bool) -> Markup:
    dice = " ".join(f"({die.face})" if die.void else die.face for die in side.dice)
    words = [f"[{dice}]" if dice else "", side.result, word("site.side_wins") if wins else ""]
    sources = f"({', '.join(side.sources)})" if side.sources else ""
    return inline(" ".join(filter(None, (*words[:2], sources, words[2]))))


def _bid_parts(ladder: BidRanking) -> Iterator[Part]:
    yield _card_head(ladder.title, ladder.rule)
    for rung in ladder.bids:
        yield Part(
            "row", inline(f"{rung.amount}{' wins' if rung.won else ''}"), inline(rung.player)
        )
    if ladder.words:
        yield Part("row", inline(ladder.words))


def _dispute_parts(weighing: Weighing) -> Iterator[Part]:
    yield _card_head(weighing.words, weighing.rule)
    for side in weighing.sides:
        paid = f"{side.paid} {unit_name(weighing.unit, side.paid)}"
        counts = f", counts {side.total}" if side.total != side.paid else ""
        yield Part("row", inline(f"{paid}{counts}"), inline(side.player or side.name))


def _card_head(title: str, rule: str) -> Part:
    return Part("card", inline(_with_rule(title, rule)))


def _with_rule(words: str, rule: str) -> str:
    return f"{words} ({rule})" if rule else words


def _problem_text(problem: ShownProblem) -> Markup:
    return Markup("{} {}: {}").format(problem.severity, problem.code, problem.message)
