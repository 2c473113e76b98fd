"""Which names a log uses, and how: the most used first, as short as the log has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from chronicle.core.names import Named, Names
from chronicle.core.record import Step

LATELY = 240
"""How many entries back names are looked at."""


class Usage:
    """The names of the last entries of a log."""

    def __init__(self, steps: Iterable[Step], names: Names) -> None:
        self._names = names
        self._uses: Counter[str] = Counter()
        self._words: dict[str, Counter[str]] = {}
        self._keys: Counter[tuple[str, str]] = Counter()
        self._after: Counter[tuple[str, str]] = Counter()
        """How often a verb came right after another."""
        self._verbs: Counter[str] = Counter()
        self._last = ""
        meant: dict[str, object] = {}
        for number, step in enumerate(steps):
            if step.parent is None:
                self._verbs[step.action.verb] += 1
                self._after[self._last, step.action.verb] += 1
                self._last = step.action.verb
            for key in step.action.source:
                self._keys[step.action.verb, str(key)] += 1
            for word in named_in(step):
                # A log says few words again and again.
                found = meant[word] if word in meant else meant.setdefault(word, names.find(word))
                if isinstance(found, Named):
                    # What was named just now is more likely meant than what was long ago.
                    self._uses[found.id] += 1 + number // 40
                    self._words.setdefault(found.id, Counter())[word] += 1

    def uses(self, id: str) -> int:
        """How much something is named."""
        return self._uses[id]

    def likely(self, verb: str) -> int:
        """How likely a verb comes now: as often as it has come after the last one, and at all."""
        often = 16 * self._verbs[verb] // max(1, self._verbs.total())
        return 2 * self._after[self._last, verb] + often

    def keys(self, verb: str, key: str) -> int:
        """How often a verb was written with a key."""
        return self._keys[verb, key]

    def word(self, id: str) -> str:
        """The name that the log mostly uses for something, if it still means that and nothing else."""
        named = self._names.all[id]
        for word, _ in self._words.get(id, Counter()).most_common(3):
            if self._names.find(word) is named:
                return word
        return named.name


def named_in(step: Step) -> Iterable[str]:
    """The names that the keys of an entry have."""
    action = step.action
    fields = [*([action.main] if action.main is not None else []), *action.fields.values()]
    for field in fields:
        value = getattr(action, field.attribute)
        if value is not field.default and value is not None:
            for item in field.kind.items(value):
                yield from map(str, item)
    if action.by is not None:
        yield str(action.by)
