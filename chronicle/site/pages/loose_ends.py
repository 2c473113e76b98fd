"""Left open (``loose_ends.html``): what the story leaves open, as questions; below that, what the record
does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from chronicle.core.asking import asks_who, open_questions, topic_stems
from chronicle.core.campaign_view import Block, Inline, Item, Listing, Note, Ref
from chronicle.core.figures import number_in_words
from chronicle.core.keepers import KeepersText
from chronicle.core.record import Step
from chronicle.core.telling import sentences
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.lives import draw_keepers_text, entry_link
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.site.prose import plain
from chronicle.words import word

PAGE = "loose-ends"
TITLE = word("site.left_open")
LAST = 10**9
"""The place of what no entry asks: behind all entries."""
MIN_SHARED_STEMS = 3
"""Sentences that share so many words are about the same."""


class LooseEnd(NamedTuple):
    """Something that is open."""

    words: Inline
    note: str
    step: int
    subjects: tuple[Ref | str, ...] = ()
    is_question: bool = True
    """Whether the words are a question, and not a plain statement."""
    last_words: KeepersText | None = None
    """The last thing that the keepers said of whom it is about."""
    scene: Ref | None = None
    """The scene in which it was left open."""
    session: int = 0


class AnsweredQuestion(NamedTuple):
    """A question that was answered on the way: its words, the answer, and both entries."""

    words: str
    answer: str
    asked_at: int
    step: int


class OpenEnds(NamedTuple):
    """What the page shows."""

    is_over: bool
    ends: tuple[LooseEnd, ...]
    answered: tuple[AnsweredQuestion, ...]
    record: tuple[Block, ...]


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if has_page(campaign_site):
        yield NavPage("Catch up", TITLE, PAGE)


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """All that is open."""
    open_ends = _open_ends(campaign_site)
    if open_ends is not None:
        yield PageSpec(PAGE, TITLE, open_ends, _template_values)


def has_page(campaign_site: CampaignSite) -> bool:
    """Whether there is anything to show."""
    return _open_ends(campaign_site) is not None


def _open_ends(campaign_site: CampaignSite) -> OpenEnds | None:
    """What the page shows; None if there is nothing, in a story that is over."""
    answered, open_ends = (
        tuple(_answered_questions(campaign_site)),
        tuple(
            _with_place(campaign_site, end)
            for end in sorted(open_ends_of(campaign_site), key=lambda end: end.step or LAST)
        ),
    )
    record = tuple(_record_blocks(campaign_site))
    if not (answered or open_ends or record) and campaign_site.record.is_over:
        return None
    return OpenEnds(campaign_site.record.is_over, open_ends, answered, record)


def _with_place(campaign_site: CampaignSite, end: LooseEnd) -> LooseEnd:
    """Something open, with the scene and the session of its entry."""
    if not end.step:
        return end
    step = campaign_site.record.step(end.step)
    scene = campaign_site.record.timeline.get(step.scene) if step.scene else None
    ref = Ref("scene", str(scene.number), scene.label) if scene is not None else None
    return end._replace(scene=ref, session=step.session)


def open_ends_of(campaign_site: CampaignSite, number: int = 0) -> Iterator[LooseEnd]:
    """The open questions of the story, now or at the end of a session: first those that the log asks, then
    those that follow from it."""
    record, view = campaign_site.record, campaign_site.view
    last_step = next(
        (
            session.steps[-1].number
            for session in view.sessions
            if session.number == number and session.steps
        ),
        0,
    )
    questions = record.questions.as_of(last_step) if last_step else record.questions
    for open_question in questions.unanswered():
        if not record.step(open_question.step_number).hidden:
            subjects = tuple(campaign_site.link(id) for id in open_question.subjects)
            yield LooseEnd(
                open_question.words,
                word("site.asked_in_the_log"),
                open_question.step_number,
                subjects,
            )
    keepers = campaign_site.lives.keepers
    for item in view.session_ends[number].loose_ends if last_step else view.loose_ends:
        # Leave out ends that are closed, or that another question already asks.
        if item.step and (
            questions.answering_step(item.step) or questions.question_left_by(item.step)
        ):
            continue
        persons = {ref.id for ref in _refs_in(item.text) if ref.kind == "sheet"}
        is_question = _is_question(item.text)
        # The keepers' sentence about somebody says who that is.
        is_answered = _asks_who(item.text) and all(
            keepers.introduction_of(id, number or None) for id in persons
        )
        if not is_question or is_answered:
            continue
        last_words = next(
            filter(None, (keepers.ending_of(id, number or None) for id in persons)),
            None,
        )
        yield LooseEnd(
            item.text,
            item.note,
            item.step,
            last_words=last_words,
        )
    yield from _open_by_keepers(campaign_site, number)
    for step in (record.step(number) for number in record.unopened_seal_numbers):
        if (
            not step.hidden
            and not questions.answering_step(step.number)
            and step.number <= (last_step or step.number)
        ):
            actor = step.player or word("site.somebody")
            yield LooseEnd(
                (f"{actor}: ", step.headline), word("site.sealed"), step.number, (), False
            )


def _open_by_keepers(campaign_site: CampaignSite, number: int) -> Iterator[LooseEnd]:
    """What the keepers call open, as questions: first in the account of the last session, then in the endings
    of the people."""
    keepers, sessions = campaign_site.lives.keepers, campaign_site.view.sessions
    last = number or (sessions[-1].number if sessions else 0)
    texts_with_subjects = [(text, "", "") for text in keepers.recaps.get(last, ())]
    things = {sheet.id for sheet in campaign_site.view.sheets if sheet.shape == "thing"}
    for id in keepers.ends:
        ending = keepers.ending_of(id, number or None)
        if ending is not None:
            subject = keepers.told_of.get(id)
            name = subject.name if subject is not None else campaign_site.name(id)
            texts_with_subjects.append((ending, "", name) if id in things else (ending, name, ""))
    asked: list[tuple[str, str]] = []
    for text, person, thing in texts_with_subjects:
        for sentence, end in _asked_in(text, person, thing):
            words = str(end.words)
            if not any(_asks_the_same(words, sentence, *earlier) for earlier in asked):
                asked.append((words, sentence))
                yield end


def _asked_in(text: KeepersText, person: str, thing: str) -> Iterator[tuple[str, LooseEnd]]:
    """The questions that a text of the keepers leaves open, each with its sentence."""
    start = 0
    for sentence in sentences(text.text):
        start = max(text.text.find(sentence.split()[0], start), start)
        end = start + len(sentence)
        questions = list(open_questions(plain(sentence), person, thing))
        steps = [step for offset, step in text.marks if start < offset <= end]
        for place, words in enumerate(questions):
            # Where there is a reference for each, they stand in the order of the questions.
            own = steps[place : place + 1] if len(steps) == len(questions) else steps[:1]
            is_question = words.endswith("?")
            loose_end = LooseEnd(
                words,
                "",
                own[0] if own else 0,
                is_question=is_question,
                last_words=_known(sentence) if is_question and len(questions) == 1 else None,
            )
            yield sentence, loose_end
        start = end


def _known(sentence: str) -> KeepersText | None:
    """What a sentence that leaves a question open says besides; nothing if all of it is the question."""
    clauses = sentence.rstrip(".").split("; ")
    known = [clause for clause in clauses if not any(open_questions(plain(f"{clause}."), "", ""))]
    return KeepersText(f"{'; '.join(known)}.") if known else None


def _asks_the_same(question: str, sentence: str, other_question: str, other_sentence: str) -> bool:
    """Whether two questions ask the same: one has all that the other says, or where one says nothing by itself
    (*Is it this one?*), their sentences are about the same."""
    said, other = (topic_stems(text) for text in (question, other_question))
    if said and other:
        return said <= other or other <= said
    shared = topic_stems(sentence) & topic_stems(other_sentence)
    return question == other_question or len(shared) >= MIN_SHARED_STEMS


def _answered_questions(campaign_site: CampaignSite) -> Iterator[AnsweredQuestion]:
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
        yield AnsweredQuestion(
            question.words, first_sentence, question.step_number, answer_step_number
        )


def _refs_in(text: Inline) -> Iterator[Ref]:
    return (
        part for part in (text if isinstance(text, tuple) else (text,)) if isinstance(part, Ref)
    )


def _asks_who(text: Inline) -> bool:
    first_part = text[0] if isinstance(text, tuple) and text else text
    return isinstance(first_part, str) and asks_who(first_part)


def _is_question(text: Inline) -> bool:
    last_part = text[-1] if isinstance(text, tuple) and text else text
    return isinstance(last_part, str) and last_part.endswith("?")


def _record_blocks(campaign_site: CampaignSite) -> Iterator[Block]:
    """What the record leaves out, or has not come to."""
    view, record = campaign_site.view, campaign_site.record
    yield from _listing(
        word("site.gaps"),
        chain.from_iterable(campaign_site.compute_by_session(_gap_items)),
    )
    yield from _listing(word("site.not_written_down"), iter(view.known_gaps))
    yield from _listing(
        word("site.left_to_do"),
        (item for item in view.loose_ends if not _is_question(item.text)),
    )
    if record.is_over:
        return
    scenes = record.timeline.scenes
    yield from _listing(
        word("site.not_met_yet"),
        (
            Item(Ref("sheet", sheet.id, sheet.name), sheet.kind)
            for sheet in view.sheets
            if not sheet.is_never_seen
            and not sheet.gone
            and sheet.id not in campaign_site.first_appearances
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


def _gap_items(steps: Sequence[Step]) -> list[Item]:
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


def _template_values(renderer: Renderer, open_ends: OpenEnds) -> dict[str, Any]:
    return {
        "over": open_ends.is_over,
        "count": number_in_words(len(open_ends.ends)).capitalize(),
        "ends": [loose_end_data(renderer, end) for end in open_ends.ends],
        "answered": [
            {
                "words": renderer.text(answered.words),
                "answer": renderer.text(answered.answer),
                "asked": entry_link(renderer, answered.asked_at),
                "step": entry_link(renderer, answered.step),
            }
            for answered in open_ends.answered
        ],
        "record": renderer.blocks(open_ends.record),
    }


def loose_end_data(renderer: Renderer, end: LooseEnd) -> dict[str, Any]:
    """Something open, as the macro ``open_ends`` takes it."""
    return {
        "words": renderer.text(end.words),
        "note": end.note,
        "about": [renderer.text(subject) for subject in end.subjects],
        "step": end.step,
        "url": renderer.address(Ref("step", str(end.step), "")) if end.step else "",
        "question": end.is_question,
        "scene": renderer.text(end.scene) if end.scene is not None else "",
        "session": end.session,
        "said": draw_keepers_text(renderer, end.last_words, set())
        if end.last_words is not None
        else "",
    }
