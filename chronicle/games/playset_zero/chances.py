"""What dice buy, and the exact chances of that (Z24, Z39, Z43)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from chronicle.core.odds import MOST_DICE, Distribution, hits_of_all, percent
from chronicle.games.playset_zero.state import HIT, SIDES, Pool, Showing, Want, buys


def buys_all(fitting: Sequence[int], wanting: Sequence[int]) -> bool:
    """Whether every question gets a die of its own.

    Both are counted by rising need: the dice that buy it, and the questions that take it or more.
    """
    return all(dice >= questions for dice, questions in zip(fitting, wanting, strict=True))


def can_buy(faces: Sequence[int], needs: Sequence[int]) -> bool:
    """Whether some dice can buy all questions with these needs, each with a die of its own."""
    levels = sorted({*needs})
    fitting = [sum(buys(face, level) for face in faces) for level in levels]
    return buys_all(fitting, [sum(need >= level for need in needs) for level in levels])


def each_gets_one(wants: Sequence[Want], showings: Sequence[Showing]) -> bool:
    """Whether each purchase can get a die of its own. Augmenting paths (Kuhn 1955); more dice than the odds count are
    not tried."""
    if len(wants) > len(showings):
        return False
    if len(wants) > MOST_DICE:
        return True
    paid: dict[int, int] = {}

    def finds_a_die(want: int, tried: set[int]) -> bool:
        for die, showing in enumerate(showings):
            if die in tried or not wants[want].is_met_by(showing):
                continue
            tried.add(die)
            if die not in paid or finds_a_die(paid[die], tried):
                paid[die] = want
                return True
        return False

    return all(finds_a_die(want, set()) for want in range(len(wants)))


def at_least(die: str, need: int) -> Fraction:
    """The chance that a die shows ``need`` or more."""
    faces = range(1, SIDES[die] + 1)
    return Fraction(sum(buys(face, need) for face in faces), len(faces))


def hits(dice: Mapping[str, int], hit: int = HIT) -> Distribution:
    """The chance of every number of hits with these dice."""
    return hits_of_all((count, at_least(die, hit)) for die, count in dice.items())


def any_at_least(dice: Mapping[str, int], need: int) -> Fraction:
    """The chance that at least one die buys what takes ``need``."""
    return everything(dice, [need])


def everything(dice: Mapping[str, int], needs: Sequence[int]) -> Fraction:
    """The chance that every one of some questions, each with its need, gets a die of its own."""
    levels = sorted(set(needs))
    wanting = [sum(need >= level for need in needs) for level in levels]
    # For each level the number of dice that buy it; more than there are questions change nothing.
    chance_of: dict[tuple[int, ...], Fraction] = {(0,) * len(levels): Fraction(1)}
    for die, count in dice.items():
        faces = range(1, SIDES[die] + 1)
        fits = Counter(tuple(buys(face, level) for level in levels) for face in faces)
        for _ in range(min(count, MOST_DICE)):
            grown: dict[tuple[int, ...], Fraction] = {}
            for fitting, chance in chance_of.items():
                for levels_fit, number in fits.items():
                    counts = tuple(
                        min(n + fit, len(needs)) for n, fit in zip(fitting, levels_fit, strict=True)
                    )
                    share = chance * Fraction(number, len(faces))
                    grown[counts] = grown.get(counts, Fraction(0)) + share
            chance_of = grown
    return sum((p for fitting, p in chance_of.items() if buys_all(fitting, wanting)), Fraction(0))


def expected(dice: Mapping[str, int], hit: int = HIT) -> Fraction:
    """The mean number of hits."""
    return sum((count * at_least(die, hit) for die, count in dice.items()), Fraction(0))


def pool_words(dice: Mapping[str, int]) -> str:
    """``d10 + d8 + d6 + red``."""
    names = {"adv": "red"}
    parts = [
        names.get(die, die) if dice[die] == 1 else f"{dice[die]} {names.get(die, die)}"
        for die in ("d10", "d8", "d6", "adv")
        if dice.get(die)
    ]
    return " + ".join(parts) or "no dice"


def before_the_roll(pool: Pool, needs: Sequence[int], goals: Sequence[int]) -> str:
    """The chances in a line: at least one hit, a die for each open question (``needs``), and a die for the hardest goal
    among them (``goals``) if it takes more than a hit."""
    dice = pool.counts()
    parts = [f"at least one hit {percent(any_at_least(dice, pool.hit))}"]
    if needs:
        questions = f"each of {len(needs)} questions" if len(needs) > 1 else "the question"
        parts.append(f"a hit for {questions} {percent(everything(dice, needs))}")
    hardest = max(goals, default=pool.hit)
    if hardest > pool.hit:
        chance = percent(any_at_least(dice, hardest))
        parts.append(f"a die of {hardest} or more for the goal {chance}")
    return ", ".join(parts)
