"""Which names a log uses, and how: the most used first, as short as the log has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any

from chronicle.core.names import Named, Names
from chronicle.core.record import Step
from chronicle.core.rulebook import Rulebook
from chronicle.transcript.folder import SETTINGS_FILE

LATELY = 240
"""How many entries back names are looked at."""
SHOWN = 20
"""After how many entries of its own a table is known as well as by the evening that its game shows."""

_VERB = re.compile(r"^- ([a-z][a-z ]*):", re.MULTILINE)


class Follows:
    """How often each verb comes in a row of them, after another and after two others."""

    def __init__(self, verbs: Sequence[str]) -> None:
        self.total = len(verbs)
        self._verbs = Counter(verbs)
        before = ("", *verbs)
        self._one = Counter(zip(before, verbs, strict=False))
        self._two = Counter(zip(before, verbs, verbs[1:], strict=False))

    def likely(self, before: str, last: str, verb: str) -> float:
        """How likely a verb comes after two others: as often as it has come after both of them, after the last,
        and at all."""
        often = 16 * self._verbs[verb] / max(1, self.total)
        return 3 * self._two[before, last, verb] + 2 * self._one[last, verb] + often


@cache
def _shown(rules: Rulebook[Any]) -> Follows:
    """What comes after what in the evening that a game begins a campaign with, to show how it goes."""
    texts = rules.new_campaign()
    found = (_VERB.findall(text) for file, text in texts.items() if file != SETTINGS_FILE)
    return Follows([*chain.from_iterable(found)])


class Usage:
    """The verbs and names of the last entries of a log; of a young one, what its game (``rules``) shows as
    well."""

    def __init__(
        self, steps: Iterable[Step], names: Names, rules: Rulebook[Any] | None = None
    ) -> None:
        self._names = names
        self._uses: Counter[str] = Counter()
        self._words: dict[str, Counter[str]] = {}
        self._keys: Counter[tuple[str, str]] = Counter()
        verbs: list[str] = []
        meant: dict[str, object] = {}
        for number, step in enumerate(steps):
            if step.parent is None:
                verbs.append(step.action.verb)
            for key in step.action.source:
                self._keys[step.action.verb, str(key)] += 1
            for word in named_in(step):
                # A log says few words again and again.
                found = meant[word] if word in meant else meant.setdefault(word, names.find(word))
                if isinstance(found, Named):
                    # What was named just now is more likely meant than what was long ago.
                    self._uses[found.id] += 1 + number // 40
                    self._words.setdefault(found.id, Counter())[word] += 1

        self._follows = Follows(verbs)
        self._last = ("", "", *verbs)[-2:]
        self._shown = None if rules is None else _shown(rules)

    def uses(self, id: str) -> int:
        """How much something is named."""
        return self._uses[id]

    def likely(self, verb: str) -> float:
        """How likely a verb comes now."""
        before, last = self._last
        told = self._follows.likely(before, last, verb)
        if self._shown is None:
            return told
        # The less a table has played, the more it does what everybody does.
        young = SHOWN / (SHOWN + self._follows.total)
        return told + young * self._shown.likely(before, last, verb)

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
