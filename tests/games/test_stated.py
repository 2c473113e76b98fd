"""What a log may state of what the game computes itself ("checked" in the reference): its negation is told, both
ways, in every entry of every verb that the cases state it in, inside lists and mappings too."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from chronicle.campaigns import load, run
from chronicle.core.declare import Field
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.field_types import WHOLE, Choice
from chronicle.core.names import Named
from chronicle.core.record import Record
from chronicle.core.shared_verbs import PlayStarts
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.games import GAMES, rulebook
from chronicle.testkit.cases import write_case
from tests.games.test_proof import cases_of

OFTEN = 3
"""How often each key of each verb is stated wrong."""
REPORTED_KINDS = frozenset(
    {
        DiagnosticKind.UNREADABLE,
        DiagnosticKind.ILLEGAL,
        DiagnosticKind.BOOKKEEPING,
        DiagnosticKind.SUSPICIOUS,
    }
)
FAR_NUMBER = "97"
"""What is stated of a figure where a case states none."""
FIGURE = re.compile(r"[+-]?\d+")
AT_LEAST = re.compile(r"\d+\+")
FLIPPED = {"yes": "no", "no": "yes"}


class Stated(NamedTuple):
    """A word of what an entry states, which is so, and what it might be instead."""

    key: str
    file: str
    step: int
    word: ScalarNode
    wrong: tuple[str, ...]
    added: str = ""
    """The attribute that holds it, where the entry does not state it."""


def stated(rules: Any, name: str) -> list[Field]:
    """The keys of a verb that are compared and no more."""
    verb = rules.by_verb[name]
    return [field for field in verb.fields.values() if "checked" in field.doc]


def _words(value: Value) -> Iterator[tuple[ScalarNode, Value]]:
    """The words of a value that say what is so, each with what it stands in: of a mapping its values."""
    if isinstance(value, ScalarNode):
        yield value, value
    elif isinstance(value, SequenceNode):
        for item in value:
            yield from ((word, value) for word, _ in _words(item))
    elif isinstance(value, MappingNode):
        for item in value.values():
            yield from _words(item)


def _instead(record: Record, field: Field, word: ScalarNode, among: Value) -> tuple[str, ...]:
    """What else may stand for a word."""
    if FIGURE.fullmatch(word):
        signed = word[0] in "+-"
        other_numbers = (int(word) + 1, int(word) - 1)
        return tuple(f"{n:+d}" if signed else str(n) for n in other_numbers if signed or n >= 0)
    if word in FLIPPED:
        return (FLIPPED[word],)
    if isinstance(field.kind, Choice):
        return tuple(c for c in field.kind.choices if c != word.casefold())
    named = record.names.find(word)
    if not isinstance(named, Named):
        return ("nowhere",)
    kind = named.kind
    used = set(among) if isinstance(among, SequenceNode) else {word}
    named_else = [
        n.name for n in record.names.all.values() if n.kind == kind and n.name not in used
    ]
    return tuple(named_else[:1])


def _open(value: Value) -> bool:
    """Whether an entry leaves open what happened, so that what it states is taken as said."""
    under = isinstance(value, MappingNode) and value.key("under") is not None
    return under or any(w == "unrecorded" or AT_LEAST.fullmatch(w) for w in _all(value))


def _all(value: Value) -> Iterator[ScalarNode]:
    if isinstance(value, ScalarNode):
        yield value
    for inner in value if isinstance(value, SequenceNode) else ():
        yield from _all(inner)
    for key, inner in value.items() if isinstance(value, MappingNode) else ():
        yield key
        yield from _all(inner)


def _statements(record: Record, rules: Any) -> Iterator[Stated]:
    """What the entries of a case state that nothing is said against."""
    start = max((s.number for s in record.steps if s.action.verb == PlayStarts.verb), default=0)
    for step in record.steps[start:]:
        action = step.action
        if (
            any(f.kind in REPORTED_KINDS for f in step.diagnostics)
            or step.retracted_by
            or step.hidden
            or _open(action.source)
        ):
            continue
        for field in stated(rules, action.verb):
            at, key = action.source.key(field.name), f"{action.verb}: {field.name}"
            file = Path(action.path).name
            if at is not None:
                for word, among in _words(action.source[at]):
                    wrong = _instead(record, field, word, among)
                    yield Stated(key, file, step.number, word, wrong)
            elif isinstance(field.kind, type(WHOLE)):
                yield Stated(key, file, step.number, ScalarNode(""), (FAR_NUMBER,), field.attribute)


def _with(folder: Path, statement: Stated, wrong: str) -> Record:
    """The case with another word in this place."""
    if statement.added:
        campaign = load(folder)
        setattr(run(campaign).step(statement.step).action, statement.added, int(wrong))
        return run(campaign)
    file, word = folder / statement.file, statement.word
    text = file.read_text("utf-8")
    lines = text.split("\n")
    line, start = lines[word.line - 1], word.column - 1
    assert line[start : start + len(word)] == word
    lines[word.line - 1] = line[:start] + wrong + line[start + len(word) :]
    file.write_text("\n".join(lines), "utf-8")
    try:
        return run(load(folder))
    finally:
        file.write_text(text, "utf-8")


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_whatever_is_stated_otherwise_is_told(game: str, tmp_path: Path) -> None:
    rules = rulebook(game)
    tried: Counter[str] = Counter()
    silent: defaultdict[str, list[str]] = defaultdict(list)
    keys_of = {
        verb: [f"{verb}: {field.name}" for field in stated(rules, verb)] for verb in rules.by_verb
    }
    for number, case in enumerate(cases_of(game)):
        text = "\n".join(line for session in case.sessions for line in session)
        if all(
            tried[key] >= OFTEN for verb in keys_of if f"{verb}:" in text for key in keys_of[verb]
        ):
            continue  # whatever it states was tried often enough
        folder = write_case(case, tmp_path / f"{number}")
        record = run(load(folder))
        if record.gaps.all_gaps:
            continue  # what is stated there may well be so
        messages_before = Counter(diagnostic.message for diagnostic in record.diagnostics)
        for statement in _statements(record, rules):
            if tried[statement.key] >= OFTEN:
                continue
            tried[statement.key] += bool(statement.wrong)
            outcomes: list[bool] = []
            for wrong in statement.wrong:
                diagnostics_after = _with(folder, statement, wrong).diagnostics
                new = [
                    f.message
                    for f in diagnostics_after
                    if f.step_number == statement.step and f.kind in REPORTED_KINDS
                ]
                outcomes.append(bool(Counter(new) - messages_before))
            # Of several words two may mean the same here: a tie is a failure.
            if (
                not (
                    all(outcomes)
                    if FIGURE.fullmatch(statement.word) or statement.added
                    else any(outcomes)
                )
                and outcomes
            ):
                silent[statement.key].append(f"{case.id}: {statement.word} as {statement.wrong}")
    keys = {f"{v}: {f.name}" for v in rules.own_verbs for f in stated(rules, v)}
    assert not silent
    assert not keys - set(tried)
