"""Work grows as its input does: everybody may write long names, many of them, and much in one entry.

What took the square of its input once is tried at two sizes. The time of the processor is compared, the
best of three, with room for a machine that is busy: four times the input may take eight times as
long, where the square would take sixteen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from chronicle.campaigns import load, open_book, run
from chronicle.cli.checking import Lines
from chronicle.core.diagnostic import LONGEST, did_you_mean, spelt
from chronicle.core.names import FEW, MOST_GUESSES, Miss, Names, fold
from chronicle.transcript.render import pin, terminal

POSITIVE = "game: positive\ntitle: T\nplayers: [Ana, Bo, Cy, Dee]\n"
UNIVERSALIS = "game: universalis\ntitle: T\nplayers: [Ana, Bao, Cleo]\npreparation: skipped\n"
CAST = "- cast: {Ana: Marit, Bo: Jonas, Cy: Petra, Dee: Sunny}\n- host: Jonas\n"
SCENE = "- bid: {Ana: 1, Bao: 0, Cleo: 0}\n- scene: Q\n  at: {new: quay}\n"


def joined(count: int, item: str, between: str = ", ") -> str:
    """The same with every number from 0."""
    return between.join(item.format(n=n) for n in range(count))


Made = Callable[[int], tuple[str, str]]

INPUTS: dict[str, tuple[int, Made]] = {
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
    "broken entries": (700, lambda n: (POSITIVE, CAST + "- tell: {a\n" * n)),
    "aliases": (1500, lambda n: (POSITIVE, CAST + "- tell: &a x\n" + "- tell: *a\n" * n)),
}


def checked(folder: Path) -> None:
    record = run(load(folder))
    lines = Lines()
    pin(record.diagnostics, lines)
    terminal(record.diagnostics, lines)


def seconds(act: Callable[[], object]) -> float:
    """How long something takes of the processor's time, at best."""

    def once() -> float:
        before = time.process_time()
        act()
        return time.process_time() - before

    return min(once() for _ in range(3))


@pytest.mark.integration
@pytest.mark.parametrize("name", INPUTS)
def test_four_times_the_log_takes_about_four_times_as_long(name: str, tmp_path: Path) -> None:
    least, made = INPUTS[name]
    took: list[float] = []
    for size in (least, 4 * least):
        settings, log = made(size)
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / "campaign.yaml").write_text(settings, "utf-8")
        (folder / "01.yaml").write_text(f"session: 1\nlog:\n{log}", "utf-8")
        took.append(seconds(lambda folder=folder: checked(folder)))  # type: ignore[misc]
    assert took[1] < 8 * took[0] + 0.2, f"{took[0]:.2f} s, then {took[1]:.2f} s"


def test_a_guess_has_its_bounds() -> None:
    """145 kB of one word, and 50,000 words, are held against each other before anybody blinks."""
    many = [f"smuggler number {n}" for n in range(50_000)]
    assert seconds(lambda: did_you_mean("word " * 29_000, many)) < 0.5
    assert seconds(lambda: did_you_mean("smugler nimber 7", many)) < 0.5
    assert seconds(lambda: spelt("smugler nimber 7", zip(many, many, strict=True))) < 0.5
    assert did_you_mean("x" * LONGEST, ["x" * (LONGEST - 1)])
    assert not did_you_mean("x" * (LONGEST + 1), ["x" * LONGEST])
    names = Names()
    names.add("a", "player", "Marit Olsen")
    for n in range(MOST_GUESSES):
        found = names.find(f"Maritt Ols{n}")
        assert isinstance(found, Miss) and "Marit Olsen" in found.message
    assert not names.suggest("lettr-7", [f"letter-{n}" for n in range(FEW + 1)])
    assert "letter-7" in names.suggest("lettr-7", [f"letter-{n}" for n in range(FEW)])
    late = names.find("Marit Olsn")
    assert isinstance(late, Miss)
    assert not late.message


def test_names_of_names_do_not_make_anchors_endless(tmp_path: Path) -> None:
    """Each of these doubles what stood there before."""
    renamed = "".join(f"  {'a' * 2 * k} {k}: {'a' * k} {k}\n" for k in range(1, 40))
    doubled = "".join(f"  {chr(97 + k) * 2}: {chr(98 + k)}\n" for k in range(24))
    for number, given in enumerate((renamed, doubled)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "campaign.yaml").write_text(f"{POSITIVE}renamed:\n{given}", "utf-8")
        (folder / "01.yaml").write_text(
            f"session: 1\nlog:\n{CAST}- tell: {'abcdefghijklmnopqrstuvwxyz' * 20}\n", "utf-8"
        )
        assert seconds(lambda folder=folder: open_book(load(folder))) < 1.0  # type: ignore[misc]


def test_what_was_renamed_is_followed_as_before() -> None:
    """The names that were given up lead to what a walk through every change leads to."""

    def walked(renamed: list[tuple[str, str]]) -> dict[str, str]:
        now: dict[str, str] = {}
        for old, new in renamed:
            now[fold(old)] = new
            for earlier, name in now.items():
                if fold(name) == fold(old):
                    now[earlier] = new
            now.pop(fold(new), None)
        return now

    random = Random(4)
    for _ in range(2_000):
        words = ["a", "A", "b", "c", "d e", "D  E", "f"]
        renamed = [(random.choice(words), random.choice(words)) for _ in range(random.randrange(9))]
        names = Names(renamed)
        expected = walked(renamed)
        assert {fold(word): names.now(word) for word in words if fold(word) in expected} == expected
        assert all(names.now(word) == word for word in words if fold(word) not in expected)
