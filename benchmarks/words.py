"""Names: how long a look-up takes among few and many, and what a name that nobody has costs.

The figures are a share of what ``difflib.get_close_matches`` takes for the same word among the same
names: the standard library's own answer to "did you mean".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from random import Random
from statistics import median

from chronicle.core.names import Names

SIZES = (1_000, 10_000)
LOOK_UPS = 2_000
"""How many names are looked up in one round."""
MISSES = 5
"""How many names that nobody has are looked up in one round."""
HIT_GROWTH = 2.0
"""How much longer one look-up may take among ten times as many names."""
MISS_SHARE = 1.0
"""How long a miss may take, as a share of what ``difflib`` takes to suggest a name."""

SYLLABLES = [
    "ka",
    "lor",
    "mi",
    "ven",
    "ta",
    "rus",
    "del",
    "ona",
    "pri",
    "she",
    "gar",
    "ul",
    "ibo",
    "nem",
    "sy",
    "ath",
    "ro",
    "wen",
    "ja",
    "quo",
]


def names_of(count: int, seed: int = 1) -> list[str]:
    """Names as a long campaign has them: two or three words, no two alike."""
    rng = Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        words = (
            "".join(rng.choices(SYLLABLES, k=rng.randint(2, 3))).title()
            for _ in range(rng.randint(2, 3))
        )
        made[" ".join(words)] = None
    return list(made)


def _seconds(ask: Callable[[str], object], words: Sequence[str], rounds: int) -> float:
    """Seconds one question takes: the median of the rounds, over all words."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        for word in words:
            ask(word)
        taken.append((time.perf_counter() - start) / len(words))
    return median(taken)


def measure(sizes: Sequence[int], rounds: int) -> tuple[list[str], list[str]]:
    """The lines to print, and which bars were missed."""
    lines = ["  names        a look-up           a miss    difflib   / difflib"]
    hits: list[float] = []
    missed: list[str] = []
    for size in sizes:
        known = names_of(size)
        index = Names()
        for number, name in enumerate(known):
            index.add(f"n{number}", "character", name)
        rng = Random(size)
        asked = [rng.choice(known) for _ in range(LOOK_UPS)]
        wrong = [name[:-2] + "zx" for name in rng.sample(known, MISSES)]
        hit = _seconds(index.find, asked, rounds)
        miss = _seconds(index.find, wrong, rounds)
        peer = _seconds(partial(get_close_matches, possibilities=known), wrong, rounds)
        hits.append(hit)
        lines.append(
            f"{size:>7}{hit * 1e6:>14.2f} us{miss * 1e3:>14.2f} ms"
            f"{peer * 1e3:>8.2f} ms{miss / peer:>12.2f}"
        )
        if miss > peer * MISS_SHARE:
            missed.append(f"names, {size}: a miss takes {miss / peer:.2f} of difflib's suggestion")
    if len(hits) > 1 and hits[-1] > hits[0] * HIT_GROWTH:
        missed.append(f"names: a look-up takes {hits[-1] / hits[0]:.2f} as long among {sizes[-1]}")
    return lines, missed
