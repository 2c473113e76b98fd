"""Anchors: stable names of entries, used in links. They are computed on first use; a check needs none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from chronicle.core.declare import Action
from chronicle.core.source import ScalarNode

_NON_SLUG_PATTERN = r"[^a-z0-9]+"
_WORD_PATTERN = r"[a-z0-9]+"


class AnchoredStep(Protocol):
    """The parts of a Step that its anchor depends on."""

    action: Action
    session: int
    hides_subject: bool
    """Whether the anchor must not name the subject of the entry."""
    hidden: bool
    """Whether no output shows the entry."""


class Anchors:
    """The anchors of a replay. An anchor is the id of the entry, else its session, verb, subject and a
    number among equal ones. Inserting an entry elsewhere changes no other anchor."""

    __slots__ = (
        "_anchor_inputs",
        "_anchors",
        "_base_anchor_counts",
        "_former_base_anchor_counts",
        "_renamings",
        "_steps",
        "_valid_count",
    )

    def __init__(self, steps: Sequence[AnchoredStep], renamings: Sequence[tuple[str, str]]) -> None:
        self._steps = steps
        self._renamings = renamings
        self._anchors: list[tuple[str, str]] = []
        self._anchor_inputs: list[_AnchorInputs] = []
        """For each anchor, the values it was computed from."""
        self._valid_count = 0
        """Number of anchors known to belong to the current Steps."""
        self._base_anchor_counts: dict[str, int] = {}
        self._former_base_anchor_counts: dict[str, int] = {}

    def use_steps(self, steps: Sequence[AnchoredStep]) -> None:
        """Use these Steps from now on. Anchors are checked against them on the next use."""
        self._steps = steps
        self._valid_count = 0

    @property
    def renamings(self) -> tuple[tuple[str, str], ...]:
        """The renamed names, as (old, new)."""
        return tuple(self._renamings)

    def anchor_of(self, step_number: int) -> str:
        """The anchor of the Step with this number."""
        return (
            self._anchors[step_number - 1][0]
            if step_number <= self._valid_count
            else self._anchor_and_alias(step_number)[0]
        )

    def all_anchors(self) -> list[str]:
        """The anchors of all Steps."""
        if self._steps:
            self._anchor_and_alias(len(self._steps))
        return [anchor for anchor, _ in self._anchors]

    def former_anchor(self, step_number: int) -> str:
        """Another anchor that leads to the Step: the one from before its subject was renamed, so that old links
        still work, or after a reveal the one made of its id; empty if there is none."""
        return self._anchor_and_alias(step_number)[1]

    def _anchor_and_alias(self, step_number: int) -> tuple[str, str]:
        if not self._valid_count:
            self._drop_outdated_anchors()
        while len(self._anchors) < step_number:
            self._anchors.append(self._compute_anchor(self._steps[len(self._anchors)]))
        self._valid_count = len(self._anchors)
        return self._anchors[step_number - 1]

    def _drop_outdated_anchors(self) -> None:
        """Drop the anchors from the first Step on whose inputs have changed."""
        steps_and_inputs = zip(self._steps, self._anchor_inputs, strict=False)
        unchanged_count = next(
            (
                step_index
                for step_index, (step, anchor_inputs) in enumerate(steps_and_inputs)
                if not anchor_inputs.matches(step)
            ),
            min(len(self._steps), len(self._anchor_inputs)),
        )
        for anchor_inputs in self._anchor_inputs[unchanged_count:]:
            for base_anchor in anchor_inputs.base_anchors:
                self._base_anchor_counts[base_anchor] -= 1
            if anchor_inputs.former_base_anchor:
                self._former_base_anchor_counts[anchor_inputs.former_base_anchor] -= 1
        del self._anchor_inputs[unchanged_count:], self._anchors[unchanged_count:]

    def _compute_anchor(self, step: AnchoredStep) -> tuple[str, str]:
        action = step.action
        former_base_anchor = hidden_base_anchor = ""
        if action.id:
            anchor, alias = (
                re.sub(_NON_SLUG_PATTERN, "-", action.id.casefold()).strip("-") or "entry",
                "",
            )
        else:
            anchor, alias = _base_anchor(step), ""
            if self._renamings:
                former_base_anchor = _base_anchor(step, self._renamings)
                numbered_former_anchor = _with_number(
                    self._former_base_anchor_counts, former_base_anchor
                )
                alias = "" if former_base_anchor == anchor else numbered_former_anchor
        base_anchor, anchor = anchor, _with_number(self._base_anchor_counts, anchor)
        if step.hides_subject:
            hidden_base_anchor = (
                f"s{step.session}-{re.sub(_NON_SLUG_PATTERN, '-', action.verb.casefold())}-hidden"
            )
            # After the reveal its id is public, so links to the id lead here as well.
            alias = "" if step.hidden or not action.id else anchor
            anchor = _with_number(self._base_anchor_counts, hidden_base_anchor)
        base_anchors = (base_anchor, hidden_base_anchor) if hidden_base_anchor else (base_anchor,)
        self._anchor_inputs.append(
            _AnchorInputs(
                action,
                step.session,
                step.hides_subject,
                step.hidden,
                base_anchors,
                former_base_anchor,
            )
        )
        return anchor, alias


class _AnchorInputs(NamedTuple):
    """The values that an anchor is computed from."""

    action: Action
    session_number: int
    hides_subject: bool
    is_hidden: bool
    base_anchors: tuple[str, ...]
    """The base_anchors that got a number by this anchor."""
    former_base_anchor: str
    """The base_anchor under the names of before a renaming; empty if there was none."""

    def matches(self, step: AnchoredStep) -> bool:
        """Whether a Step would get its anchor from the same values."""
        return (
            self.action is step.action
            and self.session_number == step.session
            and self.hides_subject == step.hides_subject
            and self.is_hidden == step.hidden
        )


def _base_anchor(step: AnchoredStep, renamings: Sequence[tuple[str, str]] = ()) -> str:
    action = step.action
    subject_value = action.source.get(action.key, "")
    subject = str(subject_value) if isinstance(subject_value, ScalarNode) else ""
    # An anchor holds at most six words. The cut also bounds texts that repeated renaming makes longer.
    subject = subject[:400]
    for old_name, new_name in reversed(renamings):
        if new_name and new_name in subject:
            subject = subject.replace(new_name, old_name)[:400]
    return f"s{step.session}-{_slug_of_words(action.verb, subject)}"


@lru_cache(maxsize=16_384)
def _slug_of_words(verb: str, subject: str) -> str:
    """The verb and the first words of the subject, joined by hyphens."""
    return "-".join(re.findall(_WORD_PATTERN, f"{verb} {subject}".casefold())[:6])


def _with_number(count_by_base_anchor: dict[str, int], base_anchor: str) -> str:
    occurrence_number = count_by_base_anchor[base_anchor] = (
        count_by_base_anchor.get(base_anchor, 0) + 1
    )
    return base_anchor if occurrence_number == 1 else f"{base_anchor}-{occurrence_number}"
