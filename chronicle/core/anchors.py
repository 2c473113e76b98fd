"""Stable names for entries, to link to: found when something first asks, which a check never does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from chronicle.core.declare import Action
from chronicle.core.source import Word

_SLUG = r"[^a-z0-9]+"
_WORD = r"[a-z0-9]+"


class Anchored(Protocol):
    """What an anchor is made of."""

    action: Action
    session: int
    unnamed: bool
    """Whether its anchor must not say what it is about."""
    hidden: bool


class Anchors:
    """The anchors of a replay: an entry's own id, else session, verb, subject and its ordinal among its
    likes, so that an entry inserted elsewhere shifts nothing."""

    __slots__ = ("_counts", "_found", "_old_counts", "_renamed", "_seen", "_steps", "_sure")

    def __init__(self, steps: Sequence[Anchored], renamed: Sequence[tuple[str, str]]) -> None:
        self._steps = steps
        self._renamed = renamed
        self._found: list[tuple[str, str]] = []
        self._seen: list[_Seen] = []
        """What each was found from."""
        self._sure = 0
        """So many of them are those of the steps as they are now."""
        self._counts: dict[str, int] = {}
        self._old_counts: dict[str, int] = {}

    def afresh(self, steps: Sequence[Anchored]) -> None:
        """Look again, once something asks: it is other steps, at least in part."""
        self._steps = steps
        self._sure = 0

    @property
    def renamed(self) -> tuple[tuple[str, str], ...]:
        """What was renamed: from what, to what."""
        return tuple(self._renamed)

    def now(self, index: int) -> str:
        """The anchor of a step that has been replayed."""
        return self._found[index - 1][0] if index <= self._sure else self._of(index)[0]

    def every(self) -> list[str]:
        """The anchors of all steps that have been replayed."""
        if self._steps:
            self._of(len(self._steps))
        return [now for now, _ in self._found]

    def former(self, index: int) -> str:
        """The anchor that a step had before its subject was renamed, so that old links still lead to
        it; empty if it has not changed."""
        return self._of(index)[1]

    def _of(self, index: int) -> tuple[str, str]:
        if not self._sure:
            self._forget_others()
        while len(self._found) < index:
            self._found.append(self._name(self._steps[len(self._found)]))
        self._sure = len(self._found)
        return self._found[index - 1]

    def _forget_others(self) -> None:
        """Forget what was found from the first step on that is another one, or is shown otherwise."""
        pairs = zip(self._steps, self._seen, strict=False)
        same = next(
            (at for at, (step, seen) in enumerate(pairs) if not seen.same(step)),
            min(len(self._steps), len(self._seen)),
        )
        for seen in self._seen[same:]:
            for stem in seen.counted:
                self._counts[stem] -= 1
            if seen.old:
                self._old_counts[seen.old] -= 1
        del self._seen[same:], self._found[same:]

    def _name(self, step: Anchored) -> tuple[str, str]:
        action = step.action
        old = bare = ""
        if action.id:
            now, former = re.sub(_SLUG, "-", action.id.casefold()).strip("-") or "entry", ""
        else:
            now, former = _stem(step), ""
            if self._renamed:
                old = _stem(step, self._renamed)
                numbered = _numbered(self._old_counts, old)
                former = "" if old == now else numbered
        stem, now = now, _numbered(self._counts, now)
        if step.unnamed:
            bare = f"s{step.session}-{re.sub(_SLUG, '-', action.verb.casefold())}-hidden"
            # Since the reveal its id may be told, so links to that lead here as well.
            former = "" if step.hidden or not action.id else now
            now = _numbered(self._counts, bare)
        counted = (stem, bare) if bare else (stem,)
        self._seen.append(_Seen(action, step.session, step.unnamed, step.hidden, counted, old))
        return now, former


class _Seen(NamedTuple):
    """What an anchor was found from."""

    action: Action
    session: int
    unnamed: bool
    hidden: bool
    counted: tuple[str, ...]
    """The names of which it is one of several, maybe."""
    old: str
    """The same of the one that it had before something was renamed."""

    def same(self, step: Anchored) -> bool:
        """Whether that of a step would be found from the same."""
        return (
            self.action is step.action
            and self.session == step.session
            and self.unnamed == step.unnamed
            and self.hidden == step.hidden
        )


def _stem(step: Anchored, renamed: Sequence[tuple[str, str]] = ()) -> str:
    action = step.action
    value = action.source.get(action.key, "")
    subject = str(value) if isinstance(value, Word) else ""
    # No more of a long text than six words can come to, nor of one that a name of names makes long.
    subject = subject[:400]
    for old, new in reversed(renamed):
        if new and new in subject:
            subject = subject.replace(new, old)[:400]
    return f"s{step.session}-{_words(action.verb, subject)}"


@lru_cache(maxsize=16_384)
def _words(verb: str, subject: str) -> str:
    """What an entry does to what, in few words, for an address."""
    return "-".join(re.findall(_WORD, f"{verb} {subject}".casefold())[:6])


def _numbered(counts: dict[str, int], stem: str) -> str:
    count = counts[stem] = counts.get(stem, 0) + 1
    return stem if count == 1 else f"{stem}-{count}"
