"""How a log uses names and verbs: frequencies, and the usual short forms of names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any

from chronicle.core.game import Game
from chronicle.core.names import Named, Names
from chronicle.core.record import Step
from chronicle.syntax.find import SETTINGS_FILE

RECENT_STEP_COUNT = 240
"""Number of latest entries whose names are counted."""
EXAMPLE_WEIGHT = 20
"""Number of own entries at which they weigh as much as the example session of the game."""

_VERB_PATTERN = re.compile(r"^- ([a-z][a-z ]*):", re.MULTILINE)


class VerbSequences:
    """Frequencies of verbs in sequences of one, two and three."""

    def __init__(self, verbs: Sequence[str]) -> None:
        self.verb_count = len(verbs)
        self._verb_counts = Counter(verbs)
        preceding_verbs = ("", *verbs)
        self._pair_counts = Counter(zip(preceding_verbs, verbs, strict=False))
        self._triple_counts = Counter(zip(preceding_verbs, verbs, verbs[1:], strict=False))

    def likelihood(self, second_last_verb: str, last_verb: str, verb: str) -> float:
        """A score for a verb after two others: its frequency after both, after the last one, and overall."""
        overall_score = 16 * self._verb_counts[verb] / max(1, self.verb_count)
        return (
            3 * self._triple_counts[second_last_verb, last_verb, verb]
            + 2 * self._pair_counts[last_verb, verb]
            + overall_score
        )


@cache
def _example_usage(game: Game[Any]) -> VerbSequences:
    """The sequences of verbs in the example session of a game."""
    text_by_file = game.new_campaign()
    verbs_by_file = (
        _VERB_PATTERN.findall(text) for file, text in text_by_file.items() if file != SETTINGS_FILE
    )
    return VerbSequences([*chain.from_iterable(verbs_by_file)])


class Usage:
    """The verbs and names of the latest entries of a log; a short log also uses the example session of its
    game (``game``)."""

    def __init__(self, steps: Iterable[Step], names: Names, game: Game[Any] | None = None) -> None:
        self._names = names
        self._use_counts: Counter[str] = Counter()
        self._name_counts: dict[str, Counter[str]] = {}
        self._key_use_counts: Counter[tuple[str, str]] = Counter()
        top_level_verbs: list[str] = []
        subject_by_word: dict[str, object] = {}
        for index, step in enumerate(steps):
            if step.parent is None:
                top_level_verbs.append(step.action.verb)
            for key in step.action.source:
                self._key_use_counts[step.action.verb, str(key)] += 1
            for word in names_in_entry(step):
                # A log repeats few words; so look-ups are cached.
                subject = (
                    subject_by_word[word]
                    if word in subject_by_word
                    else subject_by_word.setdefault(word, names.find(word))
                )
                if isinstance(subject, Named):
                    # Recently used names are more likely.
                    self._use_counts[subject.id] += 1 + index // 40
                    self._name_counts.setdefault(subject.id, Counter())[word] += 1

        self._own_sequences = VerbSequences(top_level_verbs)
        self._last_two_verbs = ("", "", *top_level_verbs)[-2:]
        self._example_usage = None if game is None else _example_usage(game)

    def use_count(self, subject_id: str) -> int:
        """How often a subject is named."""
        return self._use_counts[subject_id]

    def likelihood(self, verb: str) -> float:
        """A score of a verb as the next one."""
        second_last_verb, last_verb = self._last_two_verbs
        own_score = self._own_sequences.likelihood(second_last_verb, last_verb, verb)
        if self._example_usage is None:
            return own_score
        # The shorter the log, the more the example session counts.
        example_weight = EXAMPLE_WEIGHT / (EXAMPLE_WEIGHT + self._own_sequences.verb_count)
        return own_score + example_weight * self._example_usage.likelihood(
            second_last_verb, last_verb, verb
        )

    def key_use_count(self, verb: str, key: str) -> int:
        """How often a verb was written with a key."""
        return self._key_use_counts[verb, key]

    def usual_name(self, subject_id: str) -> str:
        """The name that the log uses most for a subject, if it is still unique."""
        subject = self._names.all[subject_id]
        for used_name, _ in self._name_counts.get(subject_id, Counter()).most_common(3):
            if self._names.find(used_name) is subject:
                return used_name
        return subject.name


def names_in_entry(step: Step) -> Iterable[str]:
    """The names in the keys of an entry."""
    action = step.action
    fields = [*([action.main] if action.main is not None else []), *action.fields.values()]
    for field in fields:
        value = getattr(action, field.attribute)
        if value is not field.default and value is not None:
            for name_parts in field.kind.names_in(value):
                yield from map(str, name_parts)
    if action.by is not None:
        yield str(action.by)
