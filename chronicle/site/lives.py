"""The sentences of pages about people and sessions: the keepers' words first, else outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from chronicle.core.campaign_view import Bit, Ref, Sheet
from chronicle.core.keepers import KeepersText, KeepersWords, keepers_words
from chronicle.core.names import Named
from chronicle.core.outcomes import (
    IN_THE_END,
    Ending,
    Outcome,
    Quoted,
    Results,
    SentencePart,
    ending_of,
    introductions,
    outcomes_of,
    plain_text,
    unquoted,
)
from chronicle.site.prose import inline, plain, prose, typeset
from chronicle.words import word

if TYPE_CHECKING:
    from chronicle.core.record import Record
    from chronicle.site.draw import Renderer

SO_FAR_HEAD = word("site.so_far")
UNKNOWN_HOW = word("site.unknown_how")


class LifeSentence(NamedTuple):
    """A sentence that a page shows: the keepers' words, or one built from the record."""

    words: KeepersText | None = None
    parts: tuple[SentencePart, ...] = ()
    steps: tuple[int, ...] = ()
    head: str = ""
    """A few words in front: ``Gone, session 3``, ``In the end``."""

    @property
    def by_keepers(self) -> bool:
        """Whether the keepers wrote it."""
        return self.words is not None

    def plain(self) -> str:
        """Its text alone, without the head."""
        return plain(self.words.text) if self.words is not None else plain_text(self.parts)


class Lives:
    """Introductions and endings of all people, as of any session.

    Args:
        record: the record, as readers may see it.
        results: the outcomes of the game.
    """

    def __init__(self, record: Record, results: Results) -> None:
        self._record = record
        self._results = results

    @cached_property
    def keepers(self) -> KeepersWords:
        """All keepers' words."""
        return keepers_words(self._record)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every outcome, in order."""
        return outcomes_of(self._record, self._results)

    @cached_property
    def _outcomes_by_subject(self) -> dict[str, list[Outcome]]:
        collected: dict[str, list[Outcome]] = {}
        for item in self.outcomes:
            for id in dict.fromkeys(item.subject_ids):
                collected.setdefault(id, []).append(item)
        return collected

    @cached_property
    def _introductions(self) -> dict[str, tuple[str, int]]:
        return introductions(self._record, self._results)

    def life(self, id: str, after_session: int = -1, through: int | None = None) -> list[Outcome]:
        """The outcomes of a person's life, of the sessions after one and up to another."""
        return [
            item
            for item in self._outcomes_by_subject.get(id, ())
            if item.session > after_session and (through is None or item.session <= through)
        ]

    def introduction(self, id: str, through: int | None = None) -> LifeSentence | None:
        """The sentence that introduces a person: the keepers', else the words of the entry that created them."""
        words = self.keepers.introduction_of(id, through)
        if words is not None:
            return LifeSentence(words, steps=words.step_numbers)
        text, step = self._introductions.get(id, ("", 0))
        if not step or (through is not None and self._record.step(step).session > through):
            return None
        return LifeSentence(parts=(Quoted(text),), steps=(step,))

    def gone(self, id: str, through: int | None = None) -> bool:
        """Whether the keepers say that a person has left the story, as of a session."""
        return self.keepers.is_gone(id, through)

    def ending(
        self, sheet: Sheet | Named, gone: bool, through: int | None = None
    ) -> LifeSentence | None:
        """How a person ended up: the keepers' sentence, else the last change on record.

        Args:
            sheet: the person's sheet, or the name of a person without a sheet.
            gone: whether the person is out of the story by then.
            through: the last session that counts (None: all).
        """
        last_session = self._record.sessions[-1].session.number if self._record.sessions else 0
        is_over = self._record.is_over and (through is None or through >= last_session)
        ending = ending_of(
            self.life(sheet.id, through=through), self._results, self._last_scene(sheet.id, through)
        )
        words = self.keepers.ending_of(sheet.id, through)
        gone = gone or self.gone(sheet.id, through)
        if words is not None:
            departure = ending if ending is not None and ending.is_gone else None
            return LifeSentence(
                words, steps=words.step_numbers, head=self._head(departure, gone, is_over)
            )
        head = self._head(ending, gone, is_over)
        if gone and not (ending is not None and ending.is_gone):
            return LifeSentence(parts=(UNKNOWN_HOW,), head=head)
        if ending is None:
            return None
        return LifeSentence(parts=ending.parts, steps=ending.step_numbers, head=head)

    @staticmethod
    def _head(ending: Ending | None, gone: bool, is_over: bool) -> str:
        if ending is not None and ending.is_gone:
            return ending.head
        if gone:
            return word("site.gone")
        if ending is not None and ending.head != IN_THE_END:
            return ending.head
        return word("site.in_the_end") if is_over else SO_FAR_HEAD

    def _last_scene(self, id: str, through: int | None) -> tuple[str, int, int] | None:
        """A person's last scene: title, session, first step."""
        for scene in reversed(self._record.timeline.scenes):
            if id in scene.cast and (through is None or scene.session <= through):
                return scene.title, scene.session, scene.first_step
        return None


# -- drawing ---------------------------------------------------------------------------------------


def entry_link(renderer: Renderer, step: int) -> Markup:
    """The number of an entry, as a link."""
    url = renderer.address(Ref("step", str(step), ""))
    if not url:
        return Markup("")
    return Markup('<a class="ch-told-at" href="{}"><span class="ch-sr">{} </span>{}</a>').format(
        url, word("site.entry"), step
    )


def entry_links(renderer: Renderer, steps: Sequence[int]) -> Markup:
    """The numbers of several entries."""
    return Markup("").join(entry_link(renderer, step) for step in dict.fromkeys(steps))


def draw_keepers_text(
    renderer: Renderer, words: KeepersText, linked: set[str], *, block: bool = False
) -> Markup:
    """The keepers' words with the numbers of their entries, names linked but for those ``linked`` before."""
    text = words.text
    step_by_sign: dict[str, int] = {}
    # Signs that the text has not keep the places until the Markdown is drawn.
    free_signs = (chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in words.text)
    for (position, step), sign in reversed([*zip(words.marks, free_signs, strict=False)]):
        step_by_sign[sign] = step
        # Behind a space a closing quotation mark is known as one.
        text = f"{text[:position]} {sign}{text[position:]}"
    drawn = str(prose(text) if block else inline(re.sub(r"\\([\[\]])", r"\1", text)))
    html = str(renderer.names.link(drawn, linked=linked, proper=True))
    for sign, step in step_by_sign.items():
        number = str(entry_link(renderer, step))
        html = html.replace(f" {sign}", number, 1).replace(sign, number, 1)
    return Markup(html)


def draw_parts(renderer: Renderer, parts: Sequence[SentencePart], linked: set[str]) -> Markup:
    """A built sentence: the subject marked, names linked, words of the log quoted."""
    drawn_parts = Markup("")
    for index, part in enumerate(parts):
        if isinstance(part, Ref):
            label = typeset(
                f"{part.label[:1].upper()}{part.label[1:]}" if not index else part.label
            )
            url = renderer.address(part) if part.kind != "code" and part.label not in linked else ""
            linked.add(part.label)
            name = (
                Markup('<a class="ch-name" href="{}">{}</a>').format(url, label) if url else label
            )
            drawn_parts += (
                escape(name) if index else Markup('<span class="ch-subject">{}</span>').format(name)
            )
        elif isinstance(part, Quoted):
            drawn_parts += Markup('<q class="ch-quoted">{}</q>').format(inline(unquoted(part)))
        else:
            text = f"{part[:1].upper()}{part[1:]}" if not index else part
            drawn_parts += escape(typeset(text))
    return drawn_parts


def draw_line(
    renderer: Renderer, line: LifeSentence | None, name: str, *, numbers: bool = True
) -> Markup:
    """A sentence under a person's name, followed by the numbers of its entries."""
    if line is None:
        return Markup("")
    linked = renderer.links_in_heading(name)
    if line.words is not None:
        return draw_keepers_text(renderer, line.words, linked)
    linked.add(name)
    return draw_parts(renderer, line.parts, linked) + (
        entry_links(renderer, line.steps) if numbers else ""
    )


def draw_with_head(
    renderer: Renderer, line: LifeSentence | None, name: str, *, numbers: bool = True
) -> Markup:
    """A sentence under a person's name, after its head if it has one: ``In the end: the cousins are out``.

    It begins small only where it begins with a name that is written small, or with ``The`` before one.
    """
    if line is None:
        return Markup("")
    if not line.head:
        return draw_line(renderer, line, name, numbers=numbers)
    if line.words is not None and name[:1].islower():
        text = line.words.text
        if text.casefold().startswith((name.casefold(), "the ")):
            line = line._replace(words=line.words._replace(text=f"{text[:1].lower()}{text[1:]}"))
    drawn = draw_line(renderer, line, name, numbers=numbers)
    return Markup("<b>{}</b> {}").format(word("site.head_colon", head=line.head), drawn)


def by_known_name(shown_names: Mapping[str, str], part: SentencePart) -> SentencePart:
    """Whoever was only counted, by the name under which readers know them."""
    if isinstance(part, Ref) and part.label in shown_names:
        return part._replace(label=shown_names[part.label])
    return part


def as_inline(parts: Sequence[SentencePart]) -> tuple[Bit, ...]:
    """A built sentence for blocks of a page."""
    drawn_parts: list[Bit] = []
    for index, part in enumerate(parts):
        if isinstance(part, Quoted):
            drawn_parts.append(f"“{unquoted(part)}”")
        elif isinstance(part, Ref):
            label = f"{part.label[:1].upper()}{part.label[1:]}" if not index else part.label
            drawn_parts.append(part._replace(label=label) if part.kind != "code" else label)
        else:
            drawn_parts.append(part)
    return tuple(drawn_parts)


def source_of_sentences(lines: Iterable[LifeSentence | None]) -> str:
    """The source of some sentences: ``keepers``, ``record``, ``both``, or empty if there are none."""
    sources = {line.by_keepers for line in lines if line is not None}
    return (
        "both"
        if len(sources) > 1
        else "keepers"
        if True in sources
        else "record"
        if sources
        else ""
    )


def draw_outcome(renderer: Renderer, outcome: Outcome, linked: set[str]) -> Markup:
    """A built sentence with the numbers of its entries."""
    return draw_parts(renderer, outcome.sentence, linked) + entry_links(
        renderer, outcome.step_numbers
    )
