"""An entry as a row of the log: its sentence, and the figures that it changed. The draft is shown in the same form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from chronicle.core.diagnostic import unit_name
from chronicle.core.gaps import at_most
from chronicle.core.names import PLAYER, Names
from chronicle.core.record import Step, sentence_of
from chronicle.core.sentences import FigureChange, plain
from chronicle.services.spans import NameMarker
from chronicle.words import word

_WORD: Final = re.compile(r"[^\W\d_]+")
_INSIGNIFICANT_WORDS: Final = frozenset(
    ("a", "and", "by", "for", "from", "has", "in", "is", "of", "on", "s", "the", "to", "with")
)
"""Words that say nothing by themselves."""


def entry_row(
    step: Step,
    changes: Sequence[FigureChange],
    names: Names,
    account_words: Mapping[str, str],
    mark_names: NameMarker,
) -> dict[str, Any]:
    """The row of an entry.

    Args:
        step: The result of the entry.
        changes: The figures that it changed.
        names: The names of the campaign.
        account_words: The kinds of accounts in the words of the game.
        mark_names: Marks names.

    Returns:
        ``sentence``; ``also``, effects that neither the sentence nor the changes tell; ``changes``; and ``now``,
        the player or character whose turn it became.
    """
    is_story_only = not step.headline and not step.sentence and (step.fiction or step.talk)
    sentence = "" if is_story_only else plain(sentence_of(step)).rstrip(".")
    turn_changes = [change for change in changes if _is_turn(change, names)]
    figure_changes = [change for change in changes if change not in turn_changes]
    return {
        "sentence": mark_names(sentence),
        "also": [
            mark_names(untold_effect)
            for untold_effect in _untold_effects(step, sentence, figure_changes, names)
            if not step.hidden
        ],
        "changes": [
            *_figure_data(step, sentence, figure_changes, names, account_words, mark_names)
        ],
        "now": mark_names.spans_of_subject(str(turn_changes[-1].after)) if turn_changes else [],
    }


def _is_turn(change: FigureChange, names: Names) -> bool:
    """Whether a change says who is next: it belongs to nobody, and its new value is a name."""
    return not change.owner_id and isinstance(change.after, str) and change.after in names.all


def _untold_effects(
    step: Step, sentence: str, figure_changes: Iterable[FigureChange], names: Names
) -> Iterable[str]:
    """The effects of an entry with words that are neither in its sentence or its story nor shown by its changes."""
    known_words = _INSIGNIFICANT_WORDS | {*_words(f"{sentence} {step.headline} {step.fiction}")}
    for change in figure_changes:
        subject = names.all.get(change.owner_id)
        owner_name = subject.name if subject is not None else change.owner_id
        known_words |= {
            *_words(f"{owner_name} {change.name} {change.unit} {unit_name(change.unit, 2)}")
        }
    for event in step.events:
        is_shown_by_dice = (
            step.contest is not None and event.kind in step.action.already_shown_kinds
        )
        untold_clauses = [
            clause
            for clause in event.text.split("; ")
            if not known_words.issuperset(_words(clause))
            and (clause.partition(": ")[2] or clause) not in sentence
        ]
        if untold_clauses and not is_shown_by_dice:
            yield "; ".join(untold_clauses)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _label_within_row(text: str) -> str:
    """The name of a figure within a row. A term of capitalised words ("Conflict Pools") keeps its capitals."""
    is_term = all(part[:1].isupper() for part in text.split()[:2]) and " " in text
    return text if is_term else f"{text[:1].lower()}{text[1:]}"


def _figure_data(
    step: Step,
    sentence: str,
    changes: Sequence[FigureChange],
    names: Names,
    account_words: Mapping[str, str],
    mark_names: NameMarker,
) -> Iterable[dict[str, Any]]:
    """Changed figures as plain data: whose, before, after, unit, and a label where the unit does not say which
    figure it is. Those of a person come before those of the table. A single owner whom the sentence names is left
    out, unless it is a player."""
    change_counts = Counter((change.owner_id, change.unit) for change in changes)
    for change in sorted(changes, key=lambda change: not change.owner_id):
        old_text, new_text = change.in_words()
        figure_name = account_words.get(change.name, change.name)
        subject = names.all.get(change.owner_id)
        is_player = subject is not None and subject.kind == PLAYER
        is_owner_omitted = subject is not None and subject.name in sentence and not is_player
        is_owner_omitted &= len({change.owner_id for change in changes}) == 1
        label = (
            ""
            if is_player and change_counts[change.owner_id, change.unit] == 1 and change.unit
            else figure_name
        )
        if {old_text, new_text} == {"no", "yes"}:
            label, old_text, new_text = (
                (figure_name if new_text == "yes" else word("server.no_longer", name=figure_name)),
                "",
                "",
            )
        if (f"{change.name}:{change.owner_id}", change.unit) in step.upper_bound_accounts:
            old_text, new_text = "", at_most(new_text, True)
        yield {
            "who": mark_names.spans_of_subject(change.owner_id)
            if change.owner_id and not is_owner_omitted
            else [],
            "label": _label_within_row(label),
            "before": old_text,
            "after": new_text,
            "unit": unit_name(change.unit, change.after) if isinstance(change.after, int) else "",
        }
