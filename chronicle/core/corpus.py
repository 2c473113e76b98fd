"""What the play of many campaigns comes to in figures: how often each rule is used, prices paid, contests won,
dice, lengths of scenes.

Figures are taken from what readers may see, campaign by campaign; no player is in them. Their sums are kept
by game, each with the number of campaigns behind it, so that they grow with the games' rules and not with the
number of campaigns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from chronicle.core.book import Book
from chronicle.core.diagnostic import Severity, count_severities
from chronicle.core.ledger import owner_of
from chronicle.core.record import Step

Key = tuple[str | int, ...]


class Kind(NamedTuple):
    """A kind of figure: what is told apart in it, and what that is in words. Its campaigns are counted by the
    first ``group`` of its columns."""

    columns: tuple[str, ...]
    words: str
    group: int = 1


KINDS: Final[Mapping[str, Kind]] = {
    "sizes": Kind(("what",), "what a campaign has: sessions, scenes, entries, players, errors"),
    "verbs": Kind(("verb",), "entries by their verb"),
    "rules": Kind(("rule",), "entries in which a rule mattered"),
    "prices": Kind(("rule", "unit", "amount"), "what a player paid at once for something", 2),
    "contests": Kind(("rule", "winner"), "throws against each other, by the side that won"),
    "disputes": Kind(("rule", "winner"), "disputes that were bid on, by the side that won"),
    "dice": Kind(("die", "face"), "dice that were rolled, by their face"),
    "scenes": Kind(("entries",), "scenes by how many entries they have", 0),
    "sessions": Kind(("entries",), "sessions by how many entries they have", 0),
}
"""The kinds of figures by their names."""

FIRST, OTHER, NOBODY, AGREED = "first", "other", "nobody", "agreed"
"""Who won: the side that is named first (whoever threw, whoever objected), another one, none, and both."""


@dataclass(slots=True)
class Figures:
    """The figures of one campaign."""

    game: str
    tallies: dict[str, Counter[Key]] = field(default_factory=dict)
    """By kind: how often there is what."""
    dice: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The faces of every die that fell, also of those that never showed."""

    def note(self, kind: str, *key: str | int, times: int = 1) -> None:
        """Count something."""
        if times:
            self.tallies.setdefault(kind, Counter())[key] += times

    def of(self, kind: str) -> Mapping[Key, int]:
        """How often there is what of a kind."""
        return self.tallies.get(kind, MappingProxyType({}))

    def rows(self, kind: str) -> Iterator[tuple[Any, ...]]:
        """What was counted of a kind, in order: its columns, and how often."""
        tally = self.of(kind)
        for key in sorted(tally, key=_in_order):
            yield (*key, tally[key])

    def data(self) -> dict[str, Any]:
        """What ``json.dumps`` takes."""
        kinds = {kind: list(self.rows(kind)) for kind in KINDS if kind in self.tallies}
        return {"game": self.game, "kinds": kinds, "dice": self.dice}

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Figures:
        """Figures from what :meth:`data` gave, by way of JSON.

        Raises:
            KeyError, TypeError, ValueError: when it is anything else.
        """
        made = cls(str(data["game"]))
        for kind, rows in data["kinds"].items():
            width = len(KINDS[kind].columns)
            tally = made.tallies.setdefault(kind, Counter())
            for *key, times in rows:
                if len(key) != width:
                    raise ValueError(kind)
                tally[tuple(key)] += int(times)
        made.dice = {str(die): tuple(map(str, faces)) for die, faces in data["dice"].items()}
        return made


def figures_of(book: Book) -> Figures:
    """The figures of a campaign, from its Book: what is hidden, or was struck, counts for nothing."""
    record = book.record
    made = Figures(record.rulebook.name)
    shown = [step for step in record.visible() if not step.struck]
    known = {rule.id for rule in record.rulebook.registry().rules}
    players = {*book.players()}
    for step in shown:
        made.note("verbs", step.action.verb)
        _rules(made, step, known, {p.rule for p in record.postings(step)})
        paid: Counter[tuple[str, str, str]] = Counter()
        for one in record.postings(step):
            who = owner_of(one.source)
            if who in players and not owner_of(one.target) and one.rule in known:
                paid[who, one.rule, one.unit] += one.amount
        for (_, rule, unit), amount in paid.items():
            made.note("prices", rule, unit, amount)
        for throw in step.throws if not record.campaign.has_written_dice else ():
            die = book.dice.get(throw.die)
            for face in throw.faces if die is not None else ():
                if die is not None and face in die.faces:
                    made.dice[throw.die] = die.faces
                    made.note("dice", throw.die, face)
    lengths = Counter(step.scene for step in shown if step.parent is None)
    scenes = [scene for scene in record.timeline.scenes if lengths[scene.number]]
    for scene in scenes:
        made.note("scenes", lengths[scene.number])
    evenings = Counter(step.session for step in shown if step.parent is None)
    for count in evenings.values():
        made.note("sessions", count)
    sizes = {
        "sessions": len(book.sessions),
        "scenes": len(scenes),
        "entries": evenings.total(),
        "players": len(players),
        "errors": count_severities(record.diagnostics)[Severity.ERROR],
    }
    for what, count in sizes.items():
        made.note("sizes", what, times=count)
    return made


def _rules(made: Figures, step: Step, known: set[str], booked: set[str]) -> None:
    """The rules that mattered for an entry, and who won what was disputed in it."""
    contest, weighing = step.contest, step.weighing
    used = {event.rule for event in step.events} | booked
    if contest is not None:
        used.add(contest.rule)
        if contest.rule in known and len(contest.sides) > 1:
            made.note("contests", contest.rule, _winner([side.won for side in contest.sides]))
    if weighing is not None and weighing.rule in known:
        won = _winner([side.won for side in weighing.sides]) if weighing.sides else AGREED
        made.note("disputes", weighing.rule, won)
    for rule in used & known:
        made.note("rules", rule)


def _winner(won: list[bool]) -> str:
    return FIRST if won[0] else OTHER if any(won) else NOBODY


def _in_order(key: Key) -> tuple[tuple[bool, str, int], ...]:
    return tuple(
        (isinstance(one, int), str(one), one if isinstance(one, int) else 0) for one in key
    )


@dataclass(slots=True)
class Sums:
    """The figures of all campaigns of a game."""

    campaigns: int = 0
    clean: int = 0
    """In how many of them there is no error."""
    tallies: dict[str, Counter[Key]] = field(default_factory=dict)
    behind: dict[str, Counter[Key]] = field(default_factory=dict)
    """How many campaigns there are behind a figure, by kind and group."""
    dice: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, one: Figures) -> None:
        """Count a campaign."""
        self.campaigns += 1
        self.clean += not one.of("sizes").get(("errors",), 0)
        self.dice.update(one.dice)
        for kind, tally in one.tallies.items():
            self.tallies.setdefault(kind, Counter()).update(tally)
            groups = {key[: KINDS[kind].group] for key in tally}
            self.behind.setdefault(kind, Counter()).update(groups)

    def of(self, kind: str) -> Mapping[Key, int]:
        """How often there is what of a kind."""
        return self.tallies.get(kind, {})

    def campaigns_behind(self, kind: str, *group: str | int) -> int:
        """How many campaigns there are behind a figure."""
        return self.behind.get(kind, Counter())[group]


class Corpus:
    """The figures of many campaigns, by game."""

    def __init__(self) -> None:
        self.games: dict[str, Sums] = {}

    def add(self, one: Figures) -> None:
        """Count a campaign."""
        self.games.setdefault(one.game, Sums()).add(one)

    @property
    def campaigns(self) -> int:
        """How many there are."""
        return sum(sums.campaigns for sums in self.games.values())


def spread(tally: Mapping[int, int]) -> tuple[int, float, int, int]:
    """Of figures that came so and so often: how many there are, their mean, the one in the middle (the lower
    of two), and the largest. There is at least one."""
    count = sum(tally.values())
    mean = sum(figure * times for figure, times in tally.items()) / count
    middle = (count + 1) // 2
    for figure in sorted(tally):
        middle -= tally[figure]
        if middle <= 0:
            break
    return count, mean, figure, max(tally)
