"""Whatever is typed: nothing raises, nothing is lost without a word, every place exists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.core.source import MappingNode, SequenceNode
from chronicle.games import rulebook
from chronicle.syntax.decode import Decoder
from chronicle.syntax.problems import Problems
from chronicle.syntax.reader import Parsed, read_bytes, read_text
from chronicle.syntax.render import (
    as_github_annotations,
    as_json,
    as_sarif,
    as_terminal_text,
    split_lines,
)
from tests.fuzz.__main__ import Run
from tests.fuzz.trial import Trial

CRASHES = Path(__file__).resolve().parents[1] / "fixtures" / "crashes"
"""Campaigns that once ended in a traceback, each the sample of a class."""
SEED, MUTANTS = 9, 1_500
"""What is tried every time; ``make fuzz`` goes on from where it stopped last."""

VALID_LOG = """session: 1
title: The letter
present: [Ana, Bo, Cy]

log:
- cast: {Ana: Marit, Bo: Jonas, Cy: Petra}
- scene: The kitchen   # late
  with: [Marit]
  text: |
    She lifts the lamp.

    - "Still," she says: nothing.
- say: |
    Marit: I had a letter.
    Jonas: From whom?
- {tell: A short one, by: Ana}
- roll: {Jonas: +o-, Petra: '-'}
  note: "quoted: yes"
- call: 'It was otherwise'
  by: Petra
  against: Jonas
- end session:
"""
SNIPPETS = [
    ": ", " #", "#1", "- ", "'", '"', "{", "}", "[", "]", ",", "|", ">", "*a", "&a ", "!x ", "%", "@",
    "`", "\t", "\n", "\n\n", "  ", "---\n", "...\n", "<<: ", "?", "? ", "\\", "\x00", "\x85",
    "\u2028", "\ufeff", "é", "東", "a: b", "by:Ana", "\r", "\n  by: Bo", "<<<<<<< x\n",
]  # fmt: skip

MUTATIONS = st.lists(
    st.tuples(
        st.integers(0, len(VALID_LOG)),
        st.integers(0, 6),
        st.one_of(st.sampled_from(SNIPPETS), st.text(max_size=5)),
    ),
    min_size=1,
    max_size=4,
)
DECODER = Decoder(rulebook("positive").by_verb)


def mutated(changes: list[tuple[int, int, str]]) -> str:
    text = VALID_LOG
    for at, length, snippet in changes:
        text = text[:at] + snippet + text[at + length :]
    return text


def decoded(parsed: Parsed) -> list[Diagnostic]:
    problems = Problems()
    log = parsed.tree.get("log") if isinstance(parsed.tree, MappingNode) else None  # type: ignore[call-overload]
    if isinstance(log, SequenceNode):
        DECODER.decode_entries(log, "x.yaml", 1, problems, parsed.problems)
    return problems


def refused(text: str) -> bool:
    """Whether libyaml takes no part in this text."""
    try:
        for _ in yaml.parse(text, Loader=yaml.CLoader):
            pass
    except (yaml.YAMLError, ValueError):
        return True
    return False


def check(text: str) -> None:
    parsed = read_text(text, "x.yaml")
    # A mend that makes another one necessary would go on, and make the text longer every time.
    assert len(parsed.problems) < 20, text
    problems = [*parsed.problems, *decoded(parsed)]
    lines = split_lines(text)
    for shown_problem in problems:
        assert 0 <= shown_problem.place.line <= len(lines) + 1, shown_problem
        assert shown_problem.place.end_line >= shown_problem.place.line, shown_problem
        if shown_problem.place.line:
            assert shown_problem.place.column >= 1, shown_problem
    shown = as_terminal_text(problems, lambda path: lines)
    assert all(
        f"[{problem.code}]" in shown
        for problem in problems
        if problem.severity and problem.cause is None
    )
    for render in (as_json, as_sarif, as_github_annotations):
        assert isinstance(render(problems), str)
    # libyaml breaks lines where YAML 1.2 does not; there we know better.
    if not set(text) & set("\x85\u2028\u2029") and refused(text):
        assert any(problem.kind is DiagnosticKind.UNREADABLE for problem in parsed.problems), text


@given(MUTATIONS)
@settings(max_examples=300, deadline=None)
@example([(0, 0, "\x85")])
@example([(40, 0, "...\n")])
@example([(VALID_LOG.index(" |\n    Marit"), 2, "{ ")])
@example([(VALID_LOG.index(" |\n    Marit"), 2, " [")])
@example([(VALID_LOG.index("Cy: Petra}"), 3, "Cy: #")])
@example([(VALID_LOG.index("}\n- scene"), 4, "")])
def test_no_slip_of_the_finger_raises_or_is_lost(changes: list[tuple[int, int, str]]) -> None:
    check(mutated(changes))


@given(st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_no_text_raises(text: str) -> None:
    check(text)


@given(st.binary(max_size=60))
@settings(max_examples=150, deadline=None)
def test_no_bytes_raise(data: bytes) -> None:
    read_bytes(data, "x.yaml")


@pytest.mark.parametrize("line", range(VALID_LOG.count("\n")))
def test_a_line_that_is_missing_or_doubled_harms_only_its_neighbours(line: int) -> None:
    rows = VALID_LOG.split("\n")
    check("\n".join(rows[:line] + rows[line + 1 :]))
    check("\n".join([*rows[:line], rows[line], *rows[line:]]))
    check("\n".join([*rows[:line], " " + rows[line], *rows[line + 1 :]]))


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    new_trial = Trial()
    yield new_trial
    new_trial.close()


@pytest.mark.parametrize("folder", sorted(CRASHES.iterdir()), ids=lambda folder: folder.name)
def test_what_once_failed_ends_in_findings(folder: Path, trial: Trial) -> None:
    files = {file.name: file.read_bytes() for file in sorted(folder.glob("*.yaml"))}
    if trial.read(files, closely=True):
        trial.view(files)
        trial.pages(files)


@pytest.mark.integration
@pytest.mark.slow
def test_mutants_of_every_game_end_in_findings() -> None:
    """Read, replayed, shown; some made into a CampaignView, pages and exports: no traceback, no hang, sums of
    zero, and what reads well is the same when it is written anew."""
    run = Run(SEED, view=25, pages=250)
    for number in range(MUTANTS):
        run.one(number)
    run.trial.close()
    assert run.sums["replayed"] > MUTANTS * 0.9, "most mutants should get as far as replay"
    assert not run.found, [
        (name, f"python -m tests.fuzz --seed {SEED} --only {number}")
        for name, (number, _, _) in run.found.items()
    ]
