"""Work grows as its input does: everybody may write long names, many of them, and much in one entry.

What took the square of its input once is tried at two sizes. What is compared is no clock, so that it is
the same on a machine that is busy: the lines of Python that are run, each turn of a loop being one. Four
times the input may take five times as many, where the square would take sixteen.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

from chronicle.campaigns import load, run
from chronicle.cli.checking import FileLines
from chronicle.core import references
from chronicle.core.diagnostic import LONGEST_COMPARED_WORD, did_you_mean, most_likely_target
from chronicle.core.names import FEW_CANDIDATES, MOST_GUESSES, NameMiss, Names, fold
from chronicle.syntax.render import as_terminal_text, set_exact_columns
from chronicle.testkit.records import record_text

POSITIVE = "game: positive\ntitle: T\nplayers: [Ana, Bo, Cy, Dee]\n"
UNIVERSALIS = "game: universalis\ntitle: T\nplayers: [Ana, Bao, Cleo]\npreparation: skipped\n"
CAST = "- cast: {Ana: Marit, Bo: Jonas, Cy: Petra, Dee: Sunny}\n- host: Jonas\n"
SCENE = "- bid: {Ana: 1, Bao: 0, Cleo: 0}\n- scene: Q\n  at: {new: quay}\n"


def joined(count: int, item: str, between: str = ", ") -> str:
    """The same with every number from 0."""
    return between.join(item.format(n=n) for n in range(count))


InputOfSize = Callable[[int], tuple[str, str]]

INPUTS: dict[str, tuple[int, InputOfSize]] = {
    "one name renamed again and again": (
        1500,
        lambda n: (f"{POSITIVE}renamed:\n{joined(n, '  n{n}: m{n}', chr(10))}\n", CAST),
    ),
    "many Components in one scene": (
        600,
        lambda n: (UNIVERSALIS, SCENE + joined(n, "- introduce: {{character: troll {n}}}\n", "")),
    ),
    "many figures in one assertion": (
        700,
        lambda n: (POSITIVE, f"{CAST}- assert: {{present: {{{joined(n, 'A{n}: yes')}}}}}\n"),
    ),
    "many house rules for one entry": (
        700,
        lambda n: (POSITIVE, f"{CAST}- tell: x\n  under: [{joined(n, 'x{n}')}]\n"),
    ),
    "much allowed in one entry": (
        700,
        lambda n: (POSITIVE, f"{CAST}- tell: x\n  allow: {{{joined(n, 'P{n}: y')}}}\n"),
    ),
    "names in braces": (
        2000,
        lambda n: (POSITIVE, f"{CAST}- roll: {{{joined(n, 'a{n}')}}}\n"),
    ),
    "one key over and over": (
        700,
        lambda n: (POSITIVE, f"{CAST}- roll: {{{joined(n, 'a: 1')}}}\n"),
    ),
    "many scenes": (
        300,
        lambda n: (
            POSITIVE,
            CAST + joined(n, "- scene: K{n}\n  with: [Jonas]\n- tell: a\n- end scene: b\n", ""),
        ),
    ),
    "names that nobody has": (
        700,
        lambda n: (POSITIVE, CAST + joined(n, "- tell: x\n  by: Mor{n}\n", "")),
    ),
    "ids that no secret has": (
        300,
        lambda n: (
            POSITIVE,
            CAST
            + joined(n, "- secret: x\n  id: marit-knows-it-{n}\n", "")
            + joined(n, "- reveal: marit-knew-it-{n}\n", ""),
        ),
    ),
    "ids that no house rule has": (
        300,
        lambda n: (
            POSITIVE,
            CAST
            + joined(n, "- house rule: x\n  id: never-at-night-{n}\n", "")
            + joined(n, "- tell: x\n  under: ever-at-night-{n}\n", ""),
        ),
    ),
    "entries sought by their words": (
        300,
        lambda n: (
            POSITIVE,
            CAST
            + joined(n, "- tell: the lamp of keeper{n}\n  see: [of keeper{n}, a ladder]\n", ""),
        ),
    ),
    "broken entries": (700, lambda n: (POSITIVE, CAST + "- tell: {a\n" * n)),
    "aliases": (1500, lambda n: (POSITIVE, CAST + "- tell: &a x\n" + "- tell: *a\n" * n)),
}


def write_input(folder: Path, settings: str, log: str) -> Path:
    """A campaign of one evening."""
    folder.mkdir()
    (folder / "campaign.yaml").write_text(settings, "utf-8")
    (folder / "01.yaml").write_text(f"session: 1\nlog:\n{log}", "utf-8")
    return folder


def checked(folder: Path) -> None:
    record = run(load(folder))
    lines = FileLines()
    set_exact_columns(record.diagnostics, lines)
    as_terminal_text(record.diagnostics, lines)


def lines(act: Callable[[], object]) -> int:
    """How many lines of Python something runs, and calls it makes and comes back from."""
    count = 0

    def noted(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return noted

    previous_trace = sys.gettrace()
    sys.settrace(noted)
    try:
        act()
    finally:
        sys.settrace(previous_trace)
    return count


@pytest.mark.integration
@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.slow
def test_four_times_the_log_takes_about_four_times_as_long(name: str, tmp_path: Path) -> None:
    least, make = INPUTS[name]
    took: list[int] = []
    for size in (least, 4 * least):
        settings, log = make(size)
        folder = write_input(tmp_path / str(size), settings, log)
        took.append(lines(lambda folder=folder: checked(folder)))  # type: ignore[misc]
    assert took[1] < 5 * took[0], took


@pytest.mark.parametrize("ids", [False, True])
def test_an_entry_is_read_about_once_however_many_are_sought(
    ids: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By words that one has, that none has, and that stand there in another order."""
    read: list[str] = []
    words = references._split_words

    def noted(text: str) -> list[str]:
        read.append(text)
        return words(text)

    monkeypatch.setattr(references, "_split_words", noted)
    times: list[int] = []
    for size in (300, 1200):
        entry = "- tell: the lamp of keeper{n}\n" + "  id: lamp-{n}\n" * ids
        sought = "- tell: x\n  see: [lamp of keeper{n}, a ladder{n}, keeper{n} of the lamp]\n"
        log = joined(size, entry, "") + joined(size, sought, "")
        folder = write_input(tmp_path / str(size), POSITIVE, CAST + log)
        read.clear()
        record = run(load(folder))
        times.append(len(read))
        first = next(step.number for step in record.steps if step.action.verb == "tell")
        links = [step.links for step in record.steps[first + size - 1 :]]
        assert links == [[first + n] for n in range(size)]
        assert Counter(diagnostic.code for diagnostic in record.diagnostics)["T81"] == 2 * size
    assert times[1] < 5 * times[0]


def test_many_are_found_as_few_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(9)

    def some(most: int) -> str:
        return " ".join(
            random.choices(["Lamp", "lamp", "of", "keeper", "Óli's"], k=random.randint(1, most))
        )

    log = "".join(
        f"- tell: {some(6)} {n % 9}\n"
        + f"  id: e-{n}\n" * (n % 7 == 0)
        + f"  see: {some(3)} {n % 8}\n"
        for n in range(150)
    )
    folder = write_input(tmp_path / "c", POSITIVE, CAST + log)
    texts: list[str] = []
    for few in (0, 1000):
        monkeypatch.setattr(references, "FEW_CANDIDATES", few)
        record = run(load(folder))
        texts.append(record_text(record) + str([step.links for step in record.steps]))
    assert texts[0] == texts[1]
    assert "may be any of" in texts[0] and "no entry" in texts[0]
    assert sum(bool(step.links) for step in record.steps) > 20


def test_a_guess_has_its_bounds() -> None:
    """Of 145 kB of one word nothing is asked, and of 50,000 names little is asked of each."""
    aliases = [f"smuggler number {n}" for n in range(50_000)]
    assert lines(lambda: did_you_mean("word " * 29_000, aliases)) < 100
    assert lines(lambda: did_you_mean("smugler nimber 7", aliases)) < 6 * len(aliases)
    assert lines(
        lambda: most_likely_target("smugler nimber 7", zip(aliases, aliases, strict=True))
    ) < 6 * len(aliases)
    assert did_you_mean("x" * LONGEST_COMPARED_WORD, ["x" * (LONGEST_COMPARED_WORD - 1)])
    assert not did_you_mean("x" * (LONGEST_COMPARED_WORD + 1), ["x" * LONGEST_COMPARED_WORD])
    names = Names()
    names.add("a", "player", "Marit Olsen")
    for n in range(MOST_GUESSES):
        miss = names.find(f"Maritt Ols{n}")
        assert isinstance(miss, NameMiss) and "Marit Olsen" in miss.message
    assert not names.suggest("lettr-7", [f"letter-{n}" for n in range(FEW_CANDIDATES + 1)])
    assert "letter-7" in names.suggest("lettr-7", [f"letter-{n}" for n in range(FEW_CANDIDATES)])
    late = names.find("Marit Olsn")
    assert isinstance(late, NameMiss)
    assert not late.message


def test_names_of_names_do_not_make_anchors_endless(tmp_path: Path) -> None:
    """Each of these doubles what stood there before."""
    renamed = "".join(f"  {'a' * 2 * k} {k}: {'a' * k} {k}\n" for k in range(1, 40))
    doubled = "".join(f"  {chr(97 + k) * 2}: {chr(98 + k)}\n" for k in range(24))
    for number, pairs in enumerate((renamed, doubled)):
        log = f"{CAST}- scene: {'abcdefghijklmnopqrstuvwxyz' * 20}\n"
        folder = write_input(tmp_path / str(number), f"{POSITIVE}renamed:\n{pairs}", log)
        record = run(load(folder))
        tracemalloc.start()
        try:
            former = [len(step.former_anchor) for step in record.steps]
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert most < 1 << 20
    assert 0 < max(former) < 500


def test_what_was_renamed_is_followed_as_before() -> None:
    """The names that were given up lead to what a walk through every change leads to."""

    def walked(renamed: list[tuple[str, str]]) -> dict[str, str]:
        current_names: dict[str, str] = {}
        for old, new in renamed:
            current_names[fold(old)] = new
            for old_name, name in current_names.items():
                if fold(name) == fold(old):
                    current_names[old_name] = new
            current_names.pop(fold(new), None)
        return current_names

    random = Random(4)
    for _ in range(2_000):
        words = ["a", "A", "b", "c", "d e", "D  E", "f"]
        renamed = [(random.choice(words), random.choice(words)) for _ in range(random.randrange(9))]
        names = Names(renamed)
        expected = walked(renamed)
        assert {
            fold(word): names.current_name(word) for word in words if fold(word) in expected
        } == expected
        assert all(names.current_name(word) == word for word in words if fold(word) not in expected)
