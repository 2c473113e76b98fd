"""Left open (``loose_ends.html``): what the story leaves open, as questions; below that, what the record
does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from chronicle.core.asking import asks_who, open_questions, topic_stems
from chronicle.core.campaign_view import Block, Inline, Item, Listing, Note, Ref
from chronicle.core.figures import number_in_words
from chronicle.core.keepers import CitedText
from chronicle.core.record import Step
from chronicle.core.telling import sentences
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.lives import draw_cited_text, entry_link
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.site.prose import markdown_to_text
from chronicle.words import word

PAGE_PATH = "loose-ends"
TITLE = word("site.left_open")
STEP_OF_UNASKED = 10**9
"""The place of what no entry asks: behind all entries."""
MIN_SHARED_STEMS = 3
"""Sentences that share so many words are about the same."""


class LooseEnd(NamedTuple):
    """Something that is open."""

    text: Inline
    note: str
    step_number: int
    subjects: tuple[Ref | str, ...] = ()
    is_question: bool = True
    """Whether the words are a question, and not a plain statement."""
    last_cited_text: CitedText | None = None
    """The last thing that the keepers said of whom it is about."""
    scene_ref: Ref | None = None
    """The scene in which it was left open."""
    session_number: int = 0


class AnsweredQuestion(NamedTuple):
    """A question that was answered on the way: its words, the answer, and both entries."""

    question: str
    answer: str
    asking_step_number: int
    answering_step_number: int


class OpenEnds(NamedTuple):
    """What the page shows."""

    is_over: bool
    loose_ends: tuple[LooseEnd, ...]
    answered_questions: tuple[AnsweredQuestion, ...]
    open_record_blocks: tuple[Block, ...]


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if has_page(campaign_site):
        yield NavPage("Catch up", TITLE, PAGE_PATH)


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """All that is open."""
    open_ends = _open_ends(campaign_site)
    if open_ends is not None:
        yield PageSpec(PAGE_PATH, TITLE, open_ends, _template_values)


def has_page(campaign_site: CampaignSite) -> bool:
    """Whether there is anything to show."""
    return _open_ends(campaign_site) is not None


def _open_ends(campaign_site: CampaignSite) -> OpenEnds | None:
    """What the page shows; None if there is nothing, in a story that is over."""
    answered_questions, open_ends = (
        tuple(_answered_questions(campaign_site)),
        tuple(
            _with_scene(campaign_site, loose_end)
            for loose_end in sorted(
                open_ends_of(campaign_site),
                key=lambda loose_end: loose_end.step_number or STEP_OF_UNASKED,
            )
        ),
    )
    open_record_blocks = tuple(_record_blocks(campaign_site))
    if not (answered_questions or open_ends or open_record_blocks) and campaign_site.record.is_over:
        return None
    return OpenEnds(campaign_site.record.is_over, open_ends, answered_questions, open_record_blocks)


def _with_scene(campaign_site: CampaignSite, loose_end: LooseEnd) -> LooseEnd:
    """Something open, with the scene and the session of its entry."""
    if not loose_end.step_number:
        return loose_end
    step = campaign_site.record.step(loose_end.step_number)
    scene = campaign_site.record.timeline.get(step.scene) if step.scene else None
    scene_ref = Ref("scene", str(scene.number), scene.label) if scene is not None else None
    return loose_end._replace(scene_ref=scene_ref, session_number=step.session)


def open_ends_of(campaign_site: CampaignSite, session_number: int = 0) -> Iterator[LooseEnd]:
    """The open questions of the story, now or at the end of a session: first those that the log asks, then
    those that follow from it."""
    record, view = campaign_site.record, campaign_site.view
    last_step = next(
        (
            session.steps[-1].number
            for session in view.sessions
            if session.number == session_number and session.steps
        ),
        0,
    )
    questions_then = record.questions.as_of(last_step) if last_step else record.questions
    for open_question in questions_then.unanswered():
        if not record.step(open_question.step_number).hidden:
            subjects = tuple(
                campaign_site.link_or_name(sheet_id) for sheet_id in open_question.subjects
            )
            yield LooseEnd(
                open_question.words,
                word("site.asked_in_the_log"),
                open_question.step_number,
                subjects,
            )
    cited_texts = campaign_site.lives.cited_texts
    for open_item in view.session_ends[session_number].loose_ends if last_step else view.loose_ends:
        # Leave out ends that are closed, or that another question already asks.
        if open_item.step and (
            questions_then.answering_step(open_item.step)
            or questions_then.question_left_by(open_item.step)
        ):
            continue
        person_ids = {ref.id for ref in _refs_in(open_item.text) if ref.kind == "sheet"}
        is_question = _is_question(open_item.text)
        # The keepers' sentence about somebody says who that is.
        is_answered = _asks_who(open_item.text) and all(
            cited_texts.introduction_of(sheet_id, session_number or None) for sheet_id in person_ids
        )
        if not is_question or is_answered:
            continue
        last_cited_text = next(
            filter(
                None,
                (
                    cited_texts.ending_of(sheet_id, session_number or None)
                    for sheet_id in person_ids
                ),
            ),
            None,
        )
        yield LooseEnd(
            open_item.text,
            open_item.note,
            open_item.step,
            last_cited_text=last_cited_text,
        )
    yield from _ends_left_by_cited_texts(campaign_site, session_number)
    for step in (
        record.step(seal_step_number) for seal_step_number in record.unopened_seal_numbers
    ):
        if (
            not step.hidden
            and not questions_then.answering_step(step.number)
            and step.number <= (last_step or step.number)
        ):
            actor = step.player or word("site.somebody")
            yield LooseEnd(
                (f"{actor}: ", step.headline), word("site.sealed"), step.number, (), False
            )


def _ends_left_by_cited_texts(
    campaign_site: CampaignSite, session_number: int
) -> Iterator[LooseEnd]:
    """What the keepers call open, as questions: first in the account of the last session, then in the endings
    of the people."""
    cited_texts, sessions = campaign_site.lives.cited_texts, campaign_site.view.sessions
    last_session = session_number or (sessions[-1].number if sessions else 0)
    texts_with_names = [
        (cited_text, "", "") for cited_text in cited_texts.recaps.get(last_session, ())
    ]
    thing_ids = {sheet.id for sheet in campaign_site.view.sheets if sheet.shape == "thing"}
    for person_id in cited_texts.ends:
        ending = cited_texts.ending_of(person_id, session_number or None)
        if ending is not None:
            subject = cited_texts.told_of.get(person_id)
            subject_name = subject.name if subject is not None else campaign_site.name(person_id)
            texts_with_names.append(
                (ending, "", subject_name) if person_id in thing_ids else (ending, subject_name, "")
            )
    asked_questions: list[tuple[str, str]] = []
    for cited_text, person_name, thing_name in texts_with_names:
        for sentence, loose_end in _questions_left_by(cited_text, person_name, thing_name):
            question = str(loose_end.text)
            if not any(
                _asks_the_same(question, sentence, *asked_question)
                for asked_question in asked_questions
            ):
                asked_questions.append((question, sentence))
                yield loose_end


def _questions_left_by(
    cited_text: CitedText, person_name: str, thing_name: str
) -> Iterator[tuple[str, LooseEnd]]:
    """The questions that a text of the keepers leaves open, each with its sentence."""
    sentence_start = 0
    for sentence in sentences(cited_text.text):
        sentence_start = max(
            cited_text.text.find(sentence.split()[0], sentence_start), sentence_start
        )
        sentence_end = sentence_start + len(sentence)
        question_texts = list(open_questions(markdown_to_text(sentence), person_name, thing_name))
        step_numbers = [
            step_number
            for offset, step_number in cited_text.marks
            if sentence_start < offset <= sentence_end
        ]
        for question_index, question_text in enumerate(question_texts):
            # Where there is a reference for each, they stand in the order of the questions.
            own_step_numbers = (
                step_numbers[question_index : question_index + 1]
                if len(step_numbers) == len(question_texts)
                else step_numbers[:1]
            )
            is_question = question_text.endswith("?")
            loose_end = LooseEnd(
                question_text,
                "",
                own_step_numbers[0] if own_step_numbers else 0,
                is_question=is_question,
                last_cited_text=_known_part_of(sentence)
                if is_question and len(question_texts) == 1
                else None,
            )
            yield sentence, loose_end
        sentence_start = sentence_end


def _known_part_of(sentence: str) -> CitedText | None:
    """What a sentence that leaves a question open says besides; nothing if all of it is the question."""
    clauses = sentence.rstrip(".").split("; ")
    known_clauses = [
        clause
        for clause in clauses
        if not any(open_questions(markdown_to_text(f"{clause}."), "", ""))
    ]
    return CitedText(f"{'; '.join(known_clauses)}.") if known_clauses else None


def _asks_the_same(question: str, sentence: str, other_question: str, other_sentence: str) -> bool:
    """Whether two questions ask the same: one has all that the other says, or where one says nothing by itself
    (*Is it this one?*), their sentences are about the same."""
    topic_words, other_topic_words = (topic_stems(text) for text in (question, other_question))
    if topic_words and other_topic_words:
        return topic_words <= other_topic_words or other_topic_words <= topic_words
    shared_stems = topic_stems(sentence) & topic_stems(other_sentence)
    return question == other_question or len(shared_stems) >= MIN_SHARED_STEMS


def _answered_questions(campaign_site: CampaignSite) -> Iterator[AnsweredQuestion]:
    """The questions that the story answered."""
    record = campaign_site.record
    for logged_question in record.questions.questions:
        answer_step_number = record.questions.answering_step(logged_question.step_number)
        if (
            not answer_step_number
            or record.step(logged_question.step_number).hidden
            or record.step(answer_step_number).hidden
        ):
            continue
        first_sentence = next(
            iter(sentences(markdown_to_text(record.step(answer_step_number).fiction))), ""
        )
        yield AnsweredQuestion(
            logged_question.words, first_sentence, logged_question.step_number, answer_step_number
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
    yield from _listing_if_any(
        word("site.gaps"),
        chain.from_iterable(campaign_site.results_by_session(_gap_items)),
    )
    yield from _listing_if_any(word("site.not_written_down"), iter(view.known_gaps))
    yield from _listing_if_any(
        word("site.left_to_do"),
        (item for item in view.loose_ends if not _is_question(item.text)),
    )
    if record.is_over:
        return
    scenes = record.timeline.scenes
    yield from _listing_if_any(
        word("site.not_met_yet"),
        (
            Item(Ref("sheet", sheet.id, sheet.name), sheet.kind)
            for sheet in view.sheets
            if not sheet.is_never_seen
            and not sheet.gone
            and sheet.id not in campaign_site.first_step_by_subject
        ),
    )
    yield from _listing_if_any(
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


def _listing_if_any(title: str, items: Iterator[Item]) -> Iterator[Listing]:
    """A list, unless there is nothing in it."""
    listed_items = tuple(items)
    if listed_items:
        yield Listing(listed_items, title)


# -- drawing ---------------------------------------------------------------------------------------


def _template_values(renderer: Renderer, open_ends: OpenEnds) -> dict[str, Any]:
    return {
        "over": open_ends.is_over,
        "count": number_in_words(len(open_ends.loose_ends)).capitalize(),
        "ends": [loose_end_data(renderer, loose_end) for loose_end in open_ends.loose_ends],
        "answered": [
            {
                "words": renderer.text(answered_question.question),
                "answer": renderer.text(answered_question.answer),
                "asked": entry_link(renderer, answered_question.asking_step_number),
                "step": entry_link(renderer, answered_question.answering_step_number),
            }
            for answered_question in open_ends.answered_questions
        ],
        "record": renderer.blocks(open_ends.open_record_blocks),
    }


def loose_end_data(renderer: Renderer, loose_end: LooseEnd) -> dict[str, Any]:
    """Something open, as the macro ``open_ends`` takes it."""
    return {
        "words": renderer.text(loose_end.text),
        "note": loose_end.note,
        "about": [renderer.text(subject) for subject in loose_end.subjects],
        "step": loose_end.step_number,
        "url": renderer.address(Ref("step", str(loose_end.step_number), ""))
        if loose_end.step_number
        else "",
        "question": loose_end.is_question,
        "scene": renderer.text(loose_end.scene_ref) if loose_end.scene_ref is not None else "",
        "session": loose_end.session_number,
        "said": draw_cited_text(renderer, loose_end.last_cited_text, set())
        if loose_end.last_cited_text is not None
        else "",
    }
