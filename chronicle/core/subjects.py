"""What texts and pictures are about: names in ``about:`` of a journal entry, note or caption that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from chronicle.core.diagnostic import (
    Diagnostic,
    DiagnosticKind,
    ask_whether,
    nearest_words,
    severity_of,
)
from chronicle.core.names import Named, fold
from chronicle.core.record import Record
from chronicle.core.source import ScalarNode, place_of, scalars, whole_file

MOST_SUGGESTIONS: Final = 3
"""How many names are suggested for one that is unknown."""


def subject_problems(record: Record) -> Iterator[Diagnostic]:
    """A note for each name in the head of a text (T45) or in a caption (T46) that nothing in the campaign has.

    Args:
        record: the record of the whole campaign, with its secrets: the log for readers, or its beginning,
            does not have all names.
    """
    campaign = record.campaign
    severity = severity_of(DiagnosticKind.SUSPICIOUS, campaign.strictness)
    if not severity:
        return
    known_names = _known_names(record)
    folded_names = {fold(name) for name in known_names}
    code_path_and_subjects: list[tuple[str, str, tuple[str, ...]]] = [
        *(("T45", entry.path, entry.subjects) for entry in campaign.journal),
        *(("T45", note.path, note.subjects) for note in campaign.notes),
        *(("T46", art.caption_path or art.path, art.subjects) for art in campaign.art),
    ]
    for code, path, subject_names in code_path_and_subjects:
        for subject_name in subject_names:
            if fold(subject_name) in folded_names or _stands_in_log(record, subject_name):
                continue
            suggested_names = _suggest_names(record, subject_name, known_names)
            yield Diagnostic(
                code,
                DiagnosticKind.SUSPICIOUS,
                severity,
                f"nothing in this campaign is called '{subject_name}'{ask_whether(subject_name, suggested_names)}",
                place_of(subject_name, path)
                if isinstance(subject_name, ScalarNode)
                else whole_file(path),
                free_help=(
                    "write a name, the title of a scene or the id of an entry; with a comma in it, "
                    "put it in quotes",
                ),
            )


def _suggest_names(record: Record, subject_name: str, known_names: list[str]) -> list[str]:
    """What a name may stand for: whom a log means by it, what is spelt nearly so, what begins so."""
    lookup_result = record.names.find(subject_name)
    if isinstance(lookup_result, Named):
        return [lookup_result.name]
    names_with_prefix = [name for name in known_names if fold(name).startswith(fold(subject_name))]
    return nearest_words(subject_name, known_names) or names_with_prefix[:MOST_SUGGESTIONS]


def _known_names(record: Record) -> list[str]:
    """Names of people and things, titles of scenes, and ids of entries."""
    names = [
        name for subject in record.names.all.values() for name in (subject.name, *subject.aliases)
    ]
    names += [scene.title for scene in record.timeline.scenes if scene.title]
    names += [str(step.action.id) for step in record.steps if step.action.id is not None]
    return [*dict.fromkeys(names)]


def _stands_in_log(record: Record, subject_name: str) -> bool:
    """Whether an entry has a name as a value of its own, as names on another branch do."""
    folded_name = fold(subject_name)
    return any(
        fold(scalar) == folded_name
        for step in record.steps
        for scalar in scalars(step.action.source)
    )
