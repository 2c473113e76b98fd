"""The sentences of pages about people and sessions: the keepers' words first, else outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from chronicle.core.campaign_view import Bit, Ref, Sheet
from chronicle.core.keepers import CitedText, KeepersTexts, read_keepers_texts
from chronicle.core.names import Named
from chronicle.core.outcomes import (
    IN_THE_END,
    Ending,
    Outcome,
    Quoted,
    Results,
    SentencePart,
    introductions,
    person_ending,
    plain_text,
    unquoted,
)
from chronicle.core.sentences import with_capital
from chronicle.site.prose import inline, markdown_to_text, prose, typeset
from chronicle.words import word

if TYPE_CHECKING:
    from chronicle.core.record import Record
    from chronicle.site.draw import Renderer

SO_FAR_HEAD = word("site.so_far")
UNKNOWN_HOW = word("site.unknown_how")


class LifeSentence(NamedTuple):
    """A sentence that a page shows: the keepers' words, or one built from the record."""

    cited_text: CitedText | None = None
    parts: tuple[SentencePart, ...] = ()
    step_numbers: tuple[int, ...] = ()
    ending_heading: str = ""
    """A few words in front: ``Gone, session 3``, ``In the end``."""

    @property
    def is_from_session_head(self) -> bool:
        """Whether the keepers wrote it."""
        return self.cited_text is not None

    def as_plain_text(self) -> str:
        """Its text alone, without the head."""
        return (
            markdown_to_text(self.cited_text.text)
            if self.cited_text is not None
            else plain_text(self.parts)
        )


class Lives:
    """Introductions and endings of all people, as of any session.

    Args:
        record: the record, as readers may see it.
        results: how outcomes of the game are made.
        outcomes: every outcome, in order.
    """

    def __init__(self, record: Record, results: Results, outcomes: tuple[Outcome, ...]) -> None:
        self._record = record
        self._results = results
        self.outcomes = outcomes

    @cached_property
    def cited_texts(self) -> KeepersTexts:
        """All keepers' words."""
        return read_keepers_texts(self._record)

    @cached_property
    def _life_events_by_subject(self) -> dict[str, list[Outcome]]:
        life_events_by_subject: dict[str, list[Outcome]] = {}
        for life_event in self.outcomes:
            for subject_id in dict.fromkeys(life_event.subject_ids):
                life_events_by_subject.setdefault(subject_id, []).append(life_event)
        return life_events_by_subject

    @cached_property
    def _introductions(self) -> dict[str, tuple[str, int]]:
        return introductions(self._record, self._results)

    def outcomes_of_life(
        self, person_id: str, after_session: int = -1, through_session: int | None = None
    ) -> list[Outcome]:
        """The outcomes of a person's life, of the sessions after one and up to another."""
        return [
            outcome
            for outcome in self._life_events_by_subject.get(person_id, ())
            if outcome.session > after_session
            and (through_session is None or outcome.session <= through_session)
        ]

    def introduction(
        self, person_id: str, through_session: int | None = None
    ) -> LifeSentence | None:
        """The sentence that introduces a person: the keepers', else the words of the entry that created them."""
        cited_text = self.cited_texts.introduction_of(person_id, through_session)
        if cited_text is not None:
            return LifeSentence(cited_text, step_numbers=cited_text.step_numbers)
        introduction_text, step_number = self._introductions.get(person_id, ("", 0))
        if not step_number or (
            through_session is not None and self._record.step(step_number).session > through_session
        ):
            return None
        return LifeSentence(parts=(Quoted(introduction_text),), step_numbers=(step_number,))

    def is_gone(self, person_id: str, through_session: int | None = None) -> bool:
        """Whether the keepers say that a person has left the story, as of a session."""
        return self.cited_texts.is_gone(person_id, through_session)

    def ending(
        self, sheet: Sheet | Named, is_gone: bool, through_session: int | None = None
    ) -> LifeSentence | None:
        """How a person ended up: the keepers' sentence, else the last change on record.

        Args:
            sheet: the person's sheet, or the name of a person without a sheet.
            is_gone: whether the person is out of the story by then.
            through_session: the last session that counts (None: all).
        """
        last_session = self._record.sessions[-1].session.number if self._record.sessions else 0
        is_over = self._record.is_over and (
            through_session is None or through_session >= last_session
        )
        ending = person_ending(
            self.outcomes_of_life(sheet.id, through_session=through_session),
            self._results,
            self._last_scene(sheet.id, through_session),
        )
        cited_text = self.cited_texts.ending_of(sheet.id, through_session)
        is_gone = is_gone or self.is_gone(sheet.id, through_session)
        if cited_text is not None:
            departure = ending if ending is not None and ending.is_gone else None
            return LifeSentence(
                cited_text,
                step_numbers=cited_text.step_numbers,
                ending_heading=self._ending_heading(departure, is_gone, is_over),
            )
        ending_heading = self._ending_heading(ending, is_gone, is_over)
        if is_gone and not (ending is not None and ending.is_gone):
            return LifeSentence(parts=(UNKNOWN_HOW,), ending_heading=ending_heading)
        if ending is None:
            return None
        return LifeSentence(
            parts=ending.parts, step_numbers=ending.step_numbers, ending_heading=ending_heading
        )

    @staticmethod
    def _ending_heading(ending: Ending | None, is_gone: bool, is_over: bool) -> str:
        if ending is not None and ending.is_gone:
            return ending.head
        if is_gone:
            return word("site.gone")
        if ending is not None and ending.head != IN_THE_END:
            return ending.head
        return word("site.in_the_end") if is_over else SO_FAR_HEAD

    def _last_scene(
        self, person_id: str, through_session: int | None
    ) -> tuple[str, int, int] | None:
        """A person's last scene: title, session, first step."""
        for scene in reversed(self._record.timeline.scenes):
            if person_id in scene.cast and (
                through_session is None or scene.session <= through_session
            ):
                return scene.title, scene.session, scene.first_step
        return None


# -- drawing ---------------------------------------------------------------------------------------


def entry_link(renderer: Renderer, step_number: int) -> Markup:
    """The number of an entry, as a link."""
    url = renderer.address(Ref("step", str(step_number), ""))
    if not url:
        return Markup("")
    return Markup('<a class="ch-told-at" href="{}"><span class="ch-sr">{} </span>{}</a>').format(
        url, word("site.entry"), step_number
    )


def entry_links(renderer: Renderer, step_numbers: Sequence[int]) -> Markup:
    """The numbers of several entries."""
    return Markup("").join(
        entry_link(renderer, step_number) for step_number in dict.fromkeys(step_numbers)
    )


def draw_cited_text(
    renderer: Renderer, cited_text: CitedText, linked_names: set[str], *, as_block: bool = False
) -> Markup:
    """The keepers' words with the numbers of their entries, names linked but for those ``linked_names`` before."""
    marked_text = cited_text.text
    step_by_sign: dict[str, int] = {}
    # Signs that the text has not keep the places until the Markdown is drawn.
    unused_signs = (
        chr(code_point)
        for code_point in range(0xE000, 0xF8FF)
        if chr(code_point) not in cited_text.text
    )
    for (offset, step_number), placeholder_sign in reversed(
        [*zip(cited_text.marks, unused_signs, strict=False)]
    ):
        step_by_sign[placeholder_sign] = step_number
        # Behind a space a closing quotation mark is known as one.
        marked_text = f"{marked_text[:offset]} {placeholder_sign}{marked_text[offset:]}"
    unlinked_html = str(
        prose(marked_text) if as_block else inline(re.sub(r"\\([\[\]])", r"\1", marked_text))
    )
    cited_html = str(
        renderer.name_linker.link(unlinked_html, linked_tags=linked_names, only_capitalised=True)
    )
    for placeholder_sign, step_number in step_by_sign.items():
        entry_link_html = str(entry_link(renderer, step_number))
        cited_html = cited_html.replace(f" {placeholder_sign}", entry_link_html, 1).replace(
            placeholder_sign, entry_link_html, 1
        )
    return Markup(cited_html)


def draw_sentence_parts(
    renderer: Renderer, parts: Sequence[SentencePart], linked_names: set[str]
) -> Markup:
    """A built sentence: the subject marked, names linked, words of the log quoted."""
    drawn_parts = Markup("")
    for part_index, sentence_part in enumerate(parts):
        if isinstance(sentence_part, Ref):
            shown_label = typeset(
                with_capital(sentence_part.label) if not part_index else sentence_part.label
            )
            url = (
                renderer.address(sentence_part)
                if sentence_part.kind != "code" and sentence_part.label not in linked_names
                else ""
            )
            linked_names.add(sentence_part.label)
            name_html = (
                Markup('<a class="ch-name" href="{}">{}</a>').format(url, shown_label)
                if url
                else shown_label
            )
            drawn_parts += (
                escape(name_html)
                if part_index
                else Markup('<span class="ch-subject">{}</span>').format(name_html)
            )
        elif isinstance(sentence_part, Quoted):
            drawn_parts += Markup('<q class="ch-quoted">{}</q>').format(
                inline(unquoted(sentence_part))
            )
        else:
            part_text = with_capital(sentence_part) if not part_index else sentence_part
            drawn_parts += escape(typeset(part_text))
    return drawn_parts


def draw_life_sentence(
    renderer: Renderer,
    life_sentence: LifeSentence | None,
    person_name: str,
    *,
    with_entry_numbers: bool = True,
) -> Markup:
    """A sentence under a person's name, followed by the numbers of its entries."""
    if life_sentence is None:
        return Markup("")
    linked_names = renderer.links_in_heading(person_name)
    if life_sentence.cited_text is not None:
        return draw_cited_text(renderer, life_sentence.cited_text, linked_names)
    linked_names.add(person_name)
    return draw_sentence_parts(renderer, life_sentence.parts, linked_names) + (
        entry_links(renderer, life_sentence.step_numbers) if with_entry_numbers else ""
    )


def draw_headed_sentence(
    renderer: Renderer,
    life_sentence: LifeSentence | None,
    person_name: str,
    *,
    with_entry_numbers: bool = True,
) -> Markup:
    """A sentence under a person's name, after its head if it has one: ``In the end: the cousins are out``.

    It begins small only where it begins with a name that is written small, or with ``The`` before one.
    """
    if life_sentence is None:
        return Markup("")
    if not life_sentence.ending_heading:
        return draw_life_sentence(
            renderer, life_sentence, person_name, with_entry_numbers=with_entry_numbers
        )
    if life_sentence.cited_text is not None and person_name[:1].islower():
        cited_sentence = life_sentence.cited_text.text
        if cited_sentence.casefold().startswith((person_name.casefold(), "the ")):
            life_sentence = life_sentence._replace(
                cited_text=life_sentence.cited_text._replace(
                    text=f"{cited_sentence[:1].lower()}{cited_sentence[1:]}"
                )
            )
    sentence_html = draw_life_sentence(
        renderer, life_sentence, person_name, with_entry_numbers=with_entry_numbers
    )
    return Markup("<b>{}</b> {}").format(
        word("site.head_colon", head=life_sentence.ending_heading), sentence_html
    )


def with_known_name(shown_name_by_name: Mapping[str, str], part: SentencePart) -> SentencePart:
    """Whoever was only counted, by the name under which readers know them."""
    if isinstance(part, Ref) and part.label in shown_name_by_name:
        return part._replace(label=shown_name_by_name[part.label])
    return part


def without_scene(parts: Iterable[SentencePart]) -> tuple[SentencePart, ...]:
    """A built sentence without the scene that it names (`` in “The staircase”``), for places that show it already."""
    return tuple(
        sentence_part
        for sentence_part in parts
        if sentence_part != " in " and not isinstance(sentence_part, Quoted)
    )


def sentence_for_blocks(parts: Sequence[SentencePart]) -> tuple[Bit, ...]:
    """A built sentence for blocks of a page."""
    drawn_parts: list[Bit] = []
    for part_index, part in enumerate(parts):
        if isinstance(part, Quoted):
            drawn_parts.append(f"“{unquoted(part)}”")
        elif isinstance(part, Ref):
            shown_label = with_capital(part.label) if not part_index else part.label
            drawn_parts.append(
                part._replace(label=shown_label) if part.kind != "code" else shown_label
            )
        else:
            drawn_parts.append(part)
    return tuple(drawn_parts)


def sources_of_sentences(life_sentences: Iterable[LifeSentence | None]) -> str:
    """The source of some sentences: ``keepers``, ``record``, ``both``, or empty if there are none."""
    sources = {
        life_sentence.is_from_session_head
        for life_sentence in life_sentences
        if life_sentence is not None
    }
    return (
        "both"
        if len(sources) > 1
        else "keepers"
        if True in sources
        else "record"
        if sources
        else ""
    )


def draw_outcome(renderer: Renderer, outcome: Outcome, linked_names: set[str]) -> Markup:
    """A built sentence with the numbers of its entries."""
    return draw_sentence_parts(renderer, outcome.sentence, linked_names) + entry_links(
        renderer, outcome.step_numbers
    )
