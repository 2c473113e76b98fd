"""Outcomes: the lasting results of play, as sentences that Chronicle builds from the record.

A verb gives the outcomes of its entries (:meth:`chronicle.core.declare.Action.outcomes`). A game whose verbs give
none yet lists them in its ``results`` module: kinds of events, each with a function that builds the sentence. No
other text of the log gets into a built sentence: no event from the middle of a scene, and no claim whose side
lost. A built sentence begins with a name. Pronouns occur only in quoted words, after a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from chronicle.core.campaign_view import Ref
from chronicle.core.declare import Action
from chronicle.core.names import PLAYER, Named
from chronicle.core.record import Event, Record, Step
from chronicle.core.sentences import with_capital
from chronicle.core.telling import sentence, sentences
from chronicle.core.timeline import SceneNumber

IN_THE_END: Final = "In the end"
"""The words before an ending that says how a person is, and not how they left."""
MAX_INTRODUCTION_LETTERS: Final = 220
"""The most letters of a sentence that introduces a person."""
_PLURAL_PATTERN: Final = re.compile(r"the .*[^s]s", re.IGNORECASE)


class OutcomeKind(IntEnum):
    """The kind of an outcome. Where space is short, pages show the highest kinds."""

    HANDS = 1
    GAINED = 2
    LOST = 3
    LEARNT = 4
    APOLOGY = 5
    WELL = 6
    HURT = 7
    WON = 8
    RETURNED = 9
    GONE = 10
    DIED = 11


class Quoted(str):
    """Words quoted from the log."""

    __slots__ = ()


SentencePart = str | Ref
"""A part of a built sentence: a name, words of ours, or words of the log (:class:`Quoted`)."""


class Outcome(NamedTuple):
    """One lasting result.

    ``subject_ids`` holds the ids of the people whose life it belongs to. ``clauses`` says it without the name, for a
    list of people. ``brief`` says in a word or two how it came out (``well``), where the sentence says no more than
    that and in which scene."""

    kind: OutcomeKind
    step_number: int
    session: int
    scene: SceneNumber | None
    subject_ids: tuple[str, ...]
    sentence: tuple[SentencePart, ...]
    clauses: tuple[SentencePart, ...] = ()
    earlier_numbers: tuple[int, ...] = ()
    """Other steps that it is based on."""
    brief: str = ""

    @property
    def step_numbers(self) -> tuple[int, ...]:
        """All steps that it is based on."""
        return (*self.earlier_numbers, self.step_number)

    @property
    def is_against(self) -> bool:
        """Whether it says who won against whom, the winner first."""
        return not self.brief and len(self.subject_ids) > 1


class Ending(NamedTuple):
    """How a person ended up: a few words (``Gone, session 3``), then the rest of the sentence."""

    head: str
    parts: tuple[SentencePart, ...]
    step_numbers: tuple[int, ...]
    is_gone: bool = False


OutcomeBuilder = Callable[["Telling", Step, Event], "Outcome | None"]


class Results(NamedTuple):
    """The outcomes of a game.

    ``builders`` has a kind of event (``wins``), or such a kind and a verb (``gains trait/wound``). ``creating_verbs``
    are the verbs that create a person and have a ``text:`` about that person; the ``text:`` of one of the
    ``possibly_creating_verbs`` is about a person if it begins with the name. With ``tracks_health``, a person who was
    never hurt ends alive and unhurt.
    """

    builders: Mapping[str, OutcomeBuilder] = MappingProxyType({})
    creating_verbs: tuple[str, ...] = ()
    possibly_creating_verbs: tuple[str, ...] = ()
    tracks_health: bool = False


class Telling:
    """A record while its outcomes are collected."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.names: dict[str, str] = {}
        """Names at this point of the log, by id, where they change."""
        self._last_events: dict[str, tuple[Step, Event]] = {}

    def note(self, step: Step, event: Event) -> None:
        """Remember the last event of each kind."""
        self._last_events[event.kind] = step, event

    def note_all(self, step: Step) -> None:
        """Remember the events of a step."""
        for event in step.events:
            self.note(step, event)

    def last(self, kind: str, scene: SceneNumber | None = None) -> tuple[Step, Event] | None:
        """The last event of a kind, in a scene if one is given."""
        last_step_and_event = self._last_events.get(kind)
        is_in_other_scene = (
            last_step_and_event is not None
            and scene is not None
            and last_step_and_event[0].scene != scene
        )
        return None if is_in_other_scene else last_step_and_event

    def name_of(self, name_or_id: str) -> Ref:
        """A link to a person or object, given by id or name, under the name of that time."""
        subject = self.record.names.all.get(name_or_id)
        if subject is None:
            lookup_result = self.record.names.find(name_or_id)
            subject = lookup_result if isinstance(lookup_result, Named) else None
        if subject is None:
            return Ref("code", "", name_or_id)
        label = self.names.get(subject.id, subject.name)
        return Ref("player" if subject.kind == PLAYER else "sheet", subject.id, label)

    def scene(self, step: Step) -> str:
        """The title of the scene of a step; empty if it has none."""
        return self.record.timeline.get(step.scene).title if step.scene else ""

    def outcome(
        self,
        kind: OutcomeKind,
        step: Step,
        names_or_ids: Iterable[str],
        *parts: SentencePart,
        clauses: Sequence[SentencePart] = (),
        earlier_numbers: Iterable[int] = (),
        brief: str = "",
    ) -> Outcome:
        """An outcome of a step."""
        return Outcome(
            kind,
            step.number,
            step.session,
            step.scene,
            tuple(self.name_of(name_or_id).id or name_or_id for name_or_id in names_or_ids),
            parts,
            tuple(clauses),
            tuple(earlier_numbers),
            brief,
        )


def is_or_are(name: Ref) -> str:
    """``is`` or ``are``, as it goes with a name: *the cousins are*."""
    return "are" if _PLURAL_PATTERN.fullmatch(name.label) else "is"


def verb_form(names: Sequence[Ref], singular: str, plural: str) -> str:
    """The form of a verb that goes with some names."""
    return plural if len(names) > 1 or is_or_are(names[0]) == "are" else singular


def join_names(names: Sequence[Ref]) -> tuple[SentencePart, ...]:
    """``A, B and C``."""
    sentence_parts: list[SentencePart] = []
    for position, name in enumerate(names):
        if position:
            sentence_parts.append(" and " if position == len(names) - 1 else ", ")
        sentence_parts.append(name)
    return tuple(sentence_parts)


def outcomes_of(
    record: Record, results: Results, first_number: int = 1, last_number: int | None = None
) -> tuple[Outcome, ...]:
    """Every outcome of a record, in order; of some steps, if their numbers are given."""
    telling = Telling(record)
    outcomes: list[Outcome] = []
    for step in record.steps[:last_number]:
        if step.hidden or step.retracted_by or step.is_undone:
            continue
        if step.number < first_number:
            telling.note_all(step)
            continue
        for outcome in _outcomes_of_step(telling, step, results):
            # A throw creates an event for every winner, but it is one result.
            if outcome not in outcomes[-1:]:
                outcomes.append(outcome)
    return tuple(outcomes)


def _outcomes_of_step(telling: Telling, step: Step, results: Results) -> Iterator[Outcome]:
    """The outcomes that the verb of a step gives; those of its events, if the verb gives none."""
    if type(step.action).outcomes is not Action.outcomes:
        telling.note_all(step)
        yield from step.action.outcomes(telling, step)
        return
    for event in step.events:
        builder = results.builders.get(f"{event.kind}/{step.action.verb}") or results.builders.get(
            event.kind
        )
        outcome = builder(telling, step, event) if builder is not None else None
        if outcome is not None:
            yield outcome
        telling.note(step, event)


def introductions(record: Record, results: Results) -> dict[str, tuple[str, int]]:
    """The words that introduce each person, by id, with the step.

    They come from the ``text:`` of the entry that creates the person. If such an entry may do more than
    that, its text counts only if it begins with the name.
    """
    introduction_by_id: dict[str, tuple[str, int]] = {}
    for step in record.steps:
        if step.hidden or step.retracted_by or step.is_undone or not step.action.text:
            continue
        person_ids = {event.subject for event in step.events} & set(record.names.all)
        if step.action.verb not in (*results.creating_verbs, *results.possibly_creating_verbs):
            continue
        for person_id in person_ids:
            person = record.names.all[person_id]
            opening_words = _opening_sentences(str(step.action.text))
            is_own_text = step.action.verb in results.creating_verbs and len(person_ids) == 1
            if (
                opening_words
                and person_id not in introduction_by_id
                and (is_own_text or _begins_with(opening_words, person))
            ):
                introduction_by_id[person_id] = opening_words, step.number
    return introduction_by_id


def _opening_sentences(markdown: str) -> str:
    """The first sentences of a text, as many as fit."""
    opening_text = ""
    for sentence_text in sentences(markdown):
        extended_text = f"{opening_text} {sentence_text}".strip()
        if (
            len(extended_text) > MAX_INTRODUCTION_LETTERS
            or sentence_text.count('"') % 2
            or any(sentence_text.count(marker) % 2 for marker in "*_")
        ):
            break
        opening_text = extended_text
    return opening_text


def _begins_with(opening_words: str, subject: Named) -> bool:
    names = (subject.name, *subject.aliases)
    folded_words = opening_words.casefold()
    return any(
        folded_words.startswith(
            (name.casefold() + " ", f"the {name.casefold()} ", name.casefold() + ",")
        )
        for name in names
    )


def person_ending(
    outcomes: Iterable[Outcome], results: Results, last_scene: tuple[str, int, int] | None
) -> Ending | None:
    """How a person ended up, from the outcomes of that person's life.

    Args:
        outcomes: the outcomes of this person, in order.
        results: what the game declares.
        last_scene: the person's last scene: title, session, first step.
    """
    person_outcomes = list(outcomes)
    fate_outcomes = [
        outcome
        for outcome in person_outcomes
        if outcome.kind in (OutcomeKind.GONE, OutcomeKind.DIED, OutcomeKind.RETURNED)
    ]
    if fate_outcomes and fate_outcomes[-1].kind is not OutcomeKind.RETURNED:
        last_fate_outcome = fate_outcomes[-1]
        fate_word = "Died" if last_fate_outcome.kind is OutcomeKind.DIED else "Gone"
        return Ending(
            f"{fate_word}, session {last_fate_outcome.session}",
            last_fate_outcome.clauses,
            last_fate_outcome.step_numbers,
            is_gone=True,
        )
    health_outcomes = [
        outcome
        for outcome in person_outcomes
        if outcome.kind in (OutcomeKind.HURT, OutcomeKind.WELL)
    ]
    if health_outcomes:
        last_hurt_outcome = next(
            (outcome for outcome in reversed(health_outcomes) if outcome.kind is OutcomeKind.HURT),
            health_outcomes[-1],
        )
        is_well = health_outcomes[-1].kind is OutcomeKind.WELL
        health_clause = ", and well again." if is_well else ", and not yet well."
        ending_parts = (
            *(("Alive. ",) if results.tracks_health else ()),
            *last_hurt_outcome.clauses,
            health_clause,
        )
        wound_step_numbers = (
            (last_hurt_outcome.step_number, health_outcomes[-1].step_number)
            if is_well
            else (last_hurt_outcome.step_number,)
        )
        return Ending(IN_THE_END, ending_parts, wound_step_numbers)
    if person_outcomes and not results.tracks_health:
        return Ending(
            IN_THE_END,
            person_outcomes[-1].clauses or person_outcomes[-1].sentence,
            person_outcomes[-1].step_numbers,
        )
    if results.tracks_health and last_scene is not None:
        return Ending(IN_THE_END, ("Alive, and unhurt.",), (last_scene[2],))
    if last_scene is not None and last_scene[0]:
        return Ending(
            "Last seen",
            (f"session {last_scene[1]}, in ", Quoted(last_scene[0]), "."),
            (last_scene[2],),
        )
    return None


def plain_text(sentence_parts: Sequence[SentencePart]) -> str:
    """A built sentence as plain text."""
    joined_text = "".join(
        part.label
        if isinstance(part, Ref)
        else f"“{unquoted(part)}”"
        if isinstance(part, Quoted)
        else part
        for part in sentence_parts
    )
    return with_capital(joined_text)


def continue_after_colon(sentence_parts: Sequence[SentencePart]) -> tuple[SentencePart, ...]:
    """Built words as they continue after a colon; a name or words of the log do not change."""
    first_part = sentence_parts[0]
    if isinstance(first_part, Ref | Quoted):
        return tuple(sentence_parts)
    return (f"{first_part[:1].lower()}{first_part[1:]}", *sentence_parts[1:])


def main_value_words(action: Action) -> str:
    """The words of an entry's main value."""
    main_value = getattr(action, action.main.attribute, None) if action.main is not None else None
    if isinstance(main_value, str):
        return main_value
    value_parts = main_value if isinstance(main_value, tuple | list) else ()
    return "; ".join(str(part) for part in value_parts if isinstance(part, str))


def unquoted(log_words: str) -> str:
    """Words of the log without quotes around all of them, on one line."""
    one_line_words = " ".join(log_words.split())
    inner_words = (
        one_line_words[1:-1]
        if one_line_words[:1] in '"“' and one_line_words[-1:] in '"”' and len(one_line_words) > 2
        else one_line_words
    )
    return one_line_words if any(quote_mark in inner_words for quote_mark in '"“”') else inner_words


def quoted(log_words: str) -> Quoted:
    """Words of the log as a sentence of its own."""
    return Quoted(sentence(unquoted(log_words)))
