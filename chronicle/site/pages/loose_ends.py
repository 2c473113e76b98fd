"""Left open (``loose_ends.html``): what the story leaves open, as questions; below that, what the record
does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from chronicle.core.book import Block, Inline, Item, Listing, Note, Ref
from chronicle.core.figures import in_words
from chronicle.core.keepers import KeepersText
from chronicle.core.record import Step
from chronicle.core.telling import sentences
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.lives import draw_words, mark
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.site.prose import plain
from chronicle.words import word

PAGE = "loose-ends"
TITLE = word("site.left_open")
_OPEN = re.compile(r"\b(?:is|are|remains?) open[.!;]*$|\b(?:is|are) not told\b", re.IGNORECASE)
"""How keepers say that something is open."""


class End(NamedTuple):
    """Something that is open."""

    words: Inline
    note: str
    step: int
    subjects: tuple[Ref | str, ...] = ()
    question: bool = True
    """Whether the words are a question, and not a plain statement."""
    said: KeepersText | None = None
    """The last thing that the keepers said of whom it is about."""


class Answered(NamedTuple):
    """A question that was answered on the way: its words, the answer, and both entries."""

    words: str
    answer: str
    asked_at: int
    step: int


class Open(NamedTuple):
    """What the page shows."""

    over: bool
    ends: tuple[End, ...]
    answered: tuple[Answered, ...]
    record: tuple[Block, ...]


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if has_page(campaign_site):
        yield NavPage("Catch up", TITLE, PAGE)


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """All that is open."""
    shown = _open(campaign_site)
    if shown is not None:
        yield PageSpec(PAGE, TITLE, shown, _fill)


def has_page(campaign_site: CampaignSite) -> bool:
    """Whether there is anything to show."""
    return _open(campaign_site) is not None


def _open(campaign_site: CampaignSite) -> Open | None:
    """What the page shows; None if there is nothing."""
    answered, open_ends = tuple(_answered(campaign_site)), tuple(ends(campaign_site))
    record = tuple(_record(campaign_site))
    if not (answered or open_ends or record):
        return None
    return Open(campaign_site.record.is_over, open_ends, answered, record)


def ends(campaign_site: CampaignSite, number: int = 0) -> Iterator[End]:
    """The open questions of the story, now or at the end of a session: first those that the log asks, then
    those that follow from it."""
    record, book = campaign_site.record, campaign_site.book
    last = next(
        (
            session.steps[-1].number
            for session in book.sessions
            if session.number == number and session.steps
        ),
        0,
    )
    questions = record.questions.as_of(last) if last else record.questions
    for open_question in questions.unanswered():
        if not record.step(open_question.step_number).hidden:
            subjects = tuple(campaign_site.link(id) for id in open_question.subjects)
            yield End(
                open_question.words,
                word("site.asked_in_the_log"),
                open_question.step_number,
                subjects,
            )
    for item in book.session_ends[number].loose_ends if last else book.loose_ends:
        # Leave out ends that are closed, or that another question already asks.
        if item.step and (
            questions.answering_step(item.step) or questions.question_left_by(item.step)
        ):
            continue
        persons = {ref.id for ref in _refs(item.text) if ref.kind == "sheet"}
        last_said = next(
            filter(
                None, (campaign_site.lives.keepers.ending_of(id, number or None) for id in persons)
            ),
            None,
        )
        yield End(item.text, item.note, item.step, question=_asks(item.text), said=last_said)
    yield from _open_by_keepers(campaign_site, number)
    for step in (record.step(number) for number in record.unopened_seal_numbers):
        if (
            not step.hidden
            and not questions.answering_step(step.number)
            and step.number <= (last or step.number)
        ):
            actor = step.player or word("site.somebody")
            yield End((f"{actor}: ", step.headline), word("site.sealed"), step.number, (), False)


def _open_by_keepers(campaign_site: CampaignSite, number: int) -> Iterator[End]:
    """What the keepers call open, in the account of the last session and in the endings of the people."""
    keepers, sessions = campaign_site.lives.keepers, campaign_site.book.sessions
    last = number or (sessions[-1].number if sessions else 0)
    endings = (keepers.ending_of(id, number or None) for id in keepers.ends)
    said: set[str] = set()
    for text in (*keepers.recaps.get(last, ()), *filter(None, endings)):
        start = 0
        for sentence in sentences(text.text):
            start = text.text.find(sentence, start)
            end = start + len(sentence)
            words = plain(sentence)
            if _OPEN.search(words) and words not in said:
                said.add(words)
                steps = [step for offset, step in text.marks if start < offset <= end]
                yield End(words, "", steps[0] if steps else 0, question=False)
            start = max(end, 0)


def _answered(campaign_site: CampaignSite) -> Iterator[Answered]:
    """The questions that the story answered."""
    record = campaign_site.record
    for question in record.questions.questions:
        answer_step_number = record.questions.answering_step(question.step_number)
        if (
            not answer_step_number
            or record.step(question.step_number).hidden
            or record.step(answer_step_number).hidden
        ):
            continue
        first_sentence = next(iter(sentences(plain(record.step(answer_step_number).fiction))), "")
        yield Answered(question.words, first_sentence, question.step_number, answer_step_number)


def _refs(text: Inline) -> Iterator[Ref]:
    return (
        part for part in (text if isinstance(text, tuple) else (text,)) if isinstance(part, Ref)
    )


def _asks(text: Inline) -> bool:
    last = text[-1] if isinstance(text, tuple) and text else text
    return isinstance(last, str) and last.endswith("?")


def _record(campaign_site: CampaignSite) -> Iterator[Block]:
    """What the record leaves out, or has not come to."""
    book, record = campaign_site.book, campaign_site.record
    yield from _listing(
        word("site.gaps"),
        chain.from_iterable(campaign_site.by_itself(_gaps)),
    )
    yield from _listing(word("site.not_written_down"), iter(book.known_gaps))
    if record.is_over:
        return
    scenes = record.timeline.scenes
    yield from _listing(
        word("site.not_met_yet"),
        (
            Item(Ref("sheet", sheet.id, sheet.name), sheet.kind)
            for sheet in book.sheets
            if not sheet.is_never_seen and not sheet.gone and sheet.id not in campaign_site.met
        ),
    )
    yield from _listing(
        word("site.open_scenes"),
        (
            Item(
                Ref("scene", str(scene.number), scene.title),
                word("site.in_session", number=scene.session),
            )
            for scene in scenes
            if scene.is_open
        ),
    )
    if record.unrevealed_count:
        yield Note(word("site.secrets_not_revealed", count=record.unrevealed_count))


def _gaps(steps: Sequence[Step]) -> list[Item]:
    """The holes that an evening's record has."""
    return [
        Item(step.talk or word("site.nothing_known"), "", step.number)
        for step in steps
        if step.action.verb == "gap" and not step.hidden
    ]


def _listing(title: str, items: Iterator[Item]) -> Iterator[Listing]:
    """A list, unless there is nothing in it."""
    items_found = tuple(items)
    if items_found:
        yield Listing(items_found, title)


# -- drawing ---------------------------------------------------------------------------------------


def _fill(renderer: Renderer, shown: Open) -> dict[str, Any]:
    return {
        "over": shown.over,
        "count": in_words(len(shown.ends)).capitalize(),
        "ends": [drawn(renderer, end) for end in shown.ends],
        "answered": [
            {
                "words": renderer.text(answered.words),
                "answer": renderer.text(answered.answer),
                "asked": mark(renderer, answered.asked_at),
                "step": mark(renderer, answered.step),
            }
            for answered in shown.answered
        ],
        "record": renderer.blocks(shown.record),
    }


def drawn(renderer: Renderer, end: End) -> dict[str, Any]:
    """Something open, as the macro ``open_ends`` takes it."""
    return {
        "words": renderer.text(end.words),
        "note": end.note,
        "about": [renderer.text(subject) for subject in end.subjects],
        "step": end.step,
        "url": renderer.address(Ref("step", str(end.step), "")) if end.step else "",
        "question": end.question,
        "said": draw_words(renderer, end.said, set()) if end.said is not None else "",
    }
