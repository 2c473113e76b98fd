"""Anchors: stable names of entries, used in links. They are computed on first use; a check needs none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from chronicle.core.declare import Action
from chronicle.core.source import ScalarNode

_SLUG = r"[^a-z0-9]+"
_WORD = r"[a-z0-9]+"


class Anchored(Protocol):
    """The parts of a Step that its anchor depends on."""

    action: Action
    session: int
    unnamed: bool
    """Whether the anchor must not name the subject of the entry."""
    hidden: bool


class Anchors:
    """The anchors of a replay. An anchor is the id of the entry, else its session, verb, subject and a
    number among equal ones. Inserting an entry elsewhere changes no other anchor."""

    __slots__ = ("_anchors", "_counts", "_former_counts", "_inputs", "_renamed", "_steps", "_valid")

    def __init__(self, steps: Sequence[Anchored], renamed: Sequence[tuple[str, str]]) -> None:
        self._steps = steps
        self._renamed = renamed
        self._anchors: list[tuple[str, str]] = []
        self._inputs: list[_AnchorInputs] = []
        """For each anchor, the values it was computed from."""
        self._valid = 0
        """Number of anchors known to belong to the current Steps."""
        self._counts: dict[str, int] = {}
        self._former_counts: dict[str, int] = {}

    def use_steps(self, steps: Sequence[Anchored]) -> None:
        """Use these Steps from now on. Anchors are checked against them on the next use."""
        self._steps = steps
        self._valid = 0

    @property
    def renamed(self) -> tuple[tuple[str, str], ...]:
        """The renamed names, as (old, new)."""
        return tuple(self._renamed)

    def anchor_of(self, index: int) -> str:
        """The anchor of the Step with this number."""
        return self._anchors[index - 1][0] if index <= self._valid else self._anchor_pair(index)[0]

    def every(self) -> list[str]:
        """The anchors of all Steps."""
        if self._steps:
            self._anchor_pair(len(self._steps))
        return [anchor for anchor, _ in self._anchors]

    def former(self, index: int) -> str:
        """The anchor that the Step had before its subject was renamed, so that old links still work; empty
        if it did not change."""
        return self._anchor_pair(index)[1]

    def _anchor_pair(self, index: int) -> tuple[str, str]:
        if not self._valid:
            self._drop_outdated()
        while len(self._anchors) < index:
            self._anchors.append(self._compute(self._steps[len(self._anchors)]))
        self._valid = len(self._anchors)
        return self._anchors[index - 1]

    def _drop_outdated(self) -> None:
        """Drop the anchors from the first Step on whose inputs have changed."""
        pairs = zip(self._steps, self._inputs, strict=False)
        unchanged = next(
            (position for position, (step, anchor) in enumerate(pairs) if not anchor.matches(step)),
            min(len(self._steps), len(self._inputs)),
        )
        for inputs in self._inputs[unchanged:]:
            for stem in inputs.stems:
                self._counts[stem] -= 1
            if inputs.former_stem:
                self._former_counts[inputs.former_stem] -= 1
        del self._inputs[unchanged:], self._anchors[unchanged:]

    def _compute(self, step: Anchored) -> tuple[str, str]:
        action = step.action
        former_stem = hidden_stem = ""
        if action.id:
            anchor, former = re.sub(_SLUG, "-", action.id.casefold()).strip("-") or "entry", ""
        else:
            anchor, former = _stem(step), ""
            if self._renamed:
                former_stem = _stem(step, self._renamed)
                numbered = _numbered(self._former_counts, former_stem)
                former = "" if former_stem == anchor else numbered
        stem, anchor = anchor, _numbered(self._counts, anchor)
        if step.unnamed:
            hidden_stem = f"s{step.session}-{re.sub(_SLUG, '-', action.verb.casefold())}-hidden"
            # After the reveal its id is public, so links to the id lead here as well.
            former = "" if step.hidden or not action.id else anchor
            anchor = _numbered(self._counts, hidden_stem)
        stems = (stem, hidden_stem) if hidden_stem else (stem,)
        self._inputs.append(
            _AnchorInputs(action, step.session, step.unnamed, step.hidden, stems, former_stem)
        )
        return anchor, former


class _AnchorInputs(NamedTuple):
    """The values that an anchor is computed from."""

    action: Action
    session: int
    unnamed: bool
    hidden: bool
    stems: tuple[str, ...]
    """The stems that got a number by this anchor."""
    former_stem: str
    """The stem under the names of before a renaming; empty if there was none."""

    def matches(self, step: Anchored) -> bool:
        """Whether a Step would get its anchor from the same values."""
        return (
            self.action is step.action
            and self.session == step.session
            and self.unnamed == step.unnamed
            and self.hidden == step.hidden
        )


def _stem(step: Anchored, renamed: Sequence[tuple[str, str]] = ()) -> str:
    action = step.action
    value = action.source.get(action.key, "")
    subject = str(value) if isinstance(value, ScalarNode) else ""
    # An anchor holds at most six words. The cut also bounds texts that repeated renaming makes longer.
    subject = subject[:400]
    for old_name, new_name in reversed(renamed):
        if new_name and new_name in subject:
            subject = subject.replace(new_name, old_name)[:400]
    return f"s{step.session}-{_words(action.verb, subject)}"


@lru_cache(maxsize=16_384)
def _words(verb: str, subject: str) -> str:
    """The verb and the first words of the subject, joined by hyphens."""
    return "-".join(re.findall(_WORD, f"{verb} {subject}".casefold())[:6])


def _numbered(counts: dict[str, int], stem: str) -> str:
    count = counts[stem] = counts.get(stem, 0) + 1
    return stem if count == 1 else f"{stem}-{count}"
