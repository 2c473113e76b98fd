"""Figures about the play of many campaigns: use of rules, prices, contests, dice, lengths of scenes.

The figures come from data that readers may see, campaign by campaign; no player is in them. Their sums are
kept by game, each with its number of campaigns. So their size depends on the games' rules, not on the number
of campaigns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from chronicle.core.campaign_view import CampaignView
from chronicle.core.diagnostic import Severity, count_severities
from chronicle.core.ledger import owner_of
from chronicle.core.record import Step

TallyKey = tuple[str | int, ...]


class FigureKind(NamedTuple):
    """A kind of figure: its columns, and a description. Campaigns are counted by the first ``group_width``
    columns."""

    columns: tuple[str, ...]
    description: str
    group_width: int = 1


FIGURE_KINDS: Final[Mapping[str, FigureKind]] = {
    "sizes": FigureKind(
        ("what",), "what a campaign has: sessions, scenes, entries, players, errors"
    ),
    "verbs": FigureKind(("verb",), "entries by their verb"),
    "rules": FigureKind(("rule",), "entries in which a rule mattered"),
    "prices": FigureKind(("rule", "unit", "amount"), "what a player paid at once for something", 2),
    "contests": FigureKind(("rule", "winner"), "throws against each other, by the side that won"),
    "disputes": FigureKind(("rule", "winner"), "disputes that were bid on, by the side that won"),
    "dice": FigureKind(("die", "face"), "dice that were rolled, by their face"),
    "scenes": FigureKind(("entries",), "scenes by how many entries they have", 0),
    "sessions": FigureKind(("entries",), "sessions by how many entries they have", 0),
}
"""The kinds of figures by their names."""

FIRST_SIDE, ANOTHER_SIDE, NO_SIDE, AGREED = "first", "other", "nobody", "agreed"
"""The winner: the side named first (the thrower, the objector), another side, none, or both in agreement."""


@dataclass(slots=True)
class Figures:
    """The figures of one campaign."""

    game: str
    tallies: dict[str, Counter[TallyKey]] = field(default_factory=dict)
    """For each kind, how often each key occurs."""
    faces_by_die: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The faces of every die that was rolled, including faces that never showed."""

    def count(self, figure_kind: str, *key: str | int, occurrences: int = 1) -> None:
        """Count an occurrence of a key."""
        if occurrences:
            self.tallies.setdefault(figure_kind, Counter())[key] += occurrences

    def counts_of(self, figure_kind: str) -> Mapping[TallyKey, int]:
        """The counts of a kind, by key."""
        return self.tallies.get(figure_kind, MappingProxyType({}))

    def rows(self, figure_kind: str) -> Iterator[tuple[Any, ...]]:
        """The counts of a kind in sorted order: its columns, then the count."""
        tally = self.counts_of(figure_kind)
        for tally_key in sorted(tally, key=_sort_key):
            yield (*tally_key, tally[tally_key])

    def to_data(self) -> dict[str, Any]:
        """The figures as data for ``json.dumps``."""
        rows_by_kind = {
            figure_kind: list(self.rows(figure_kind))
            for figure_kind in FIGURE_KINDS
            if figure_kind in self.tallies
        }
        return {"game": self.game, "kinds": rows_by_kind, "dice": self.faces_by_die}

    @classmethod
    def from_data(cls, json_data: Mapping[str, Any]) -> Figures:
        """Read figures from the JSON data that :meth:`to_data` gave.

        Raises:
            KeyError, TypeError, ValueError: if the data has another form.
        """
        figures = cls(str(json_data["game"]))
        for figure_kind, rows in json_data["kinds"].items():
            column_count = len(FIGURE_KINDS[figure_kind].columns)
            tally = figures.tallies.setdefault(figure_kind, Counter())
            for *tally_key, occurrences in rows:
                if len(tally_key) != column_count:
                    raise ValueError(figure_kind)
                tally[tuple(tally_key)] += int(occurrences)
        figures.faces_by_die = {
            str(die): tuple(map(str, faces)) for die, faces in json_data["dice"].items()
        }
        return figures


def campaign_figures(view: CampaignView) -> Figures:
    """The figures of a campaign, from its CampaignView. Hidden and retracted entries do not count."""
    record = view.record
    figures = Figures(record.rulebook.name)
    shown_steps = [step for step in record.visible_steps() if not step.retracted_by]
    rule_ids = {rule.id for rule in record.rulebook.registry().rules}
    players = {*view.players()}
    for step in shown_steps:
        figures.count("verbs", step.action.verb)
        _count_rules(
            figures,
            step,
            rule_ids,
            {posting.rule for posting in record.postings(step)},
        )
        amount_by_payer_rule_unit: Counter[tuple[str, str, str]] = Counter()
        for posting in record.postings(step):
            payer = owner_of(posting.source)
            if payer in players and not owner_of(posting.target) and posting.rule in rule_ids:
                amount_by_payer_rule_unit[payer, posting.rule, posting.unit] += posting.amount
        for (_, rule_id, unit), amount in amount_by_payer_rule_unit.items():
            figures.count("prices", rule_id, unit, amount)
        for dice_throw in step.throws if not record.campaign.has_written_dice else ():
            die = view.dice.get(dice_throw.die)
            for face in dice_throw.faces if die is not None else ():
                if die is not None and face in die.faces:
                    figures.faces_by_die[dice_throw.die] = die.faces
                    figures.count("dice", dice_throw.die, face)
    scene_lengths = Counter(step.scene for step in shown_steps if step.parent is None)
    scenes = [scene for scene in record.timeline.scenes if scene_lengths[scene.number]]
    for scene in scenes:
        figures.count("scenes", scene_lengths[scene.number])
    session_lengths = Counter(step.session for step in shown_steps if step.parent is None)
    for entry_count in session_lengths.values():
        figures.count("sessions", entry_count)
    size_by_name = {
        "sessions": len(view.sessions),
        "scenes": len(scenes),
        "entries": session_lengths.total(),
        "players": len(players),
        "errors": count_severities(record.diagnostics)[Severity.ERROR],
    }
    for size_name, size in size_by_name.items():
        figures.count("sizes", size_name, occurrences=size)
    return figures


def _count_rules(
    figures: Figures, step: Step, rule_ids: set[str], posting_rule_ids: set[str]
) -> None:
    """Count the rules that mattered for an entry, and the winners of its contest and its dispute."""
    contest, weighing = step.contest, step.weighing
    used_rule_ids = {event.rule for event in step.events} | posting_rule_ids
    if contest is not None:
        used_rule_ids.add(contest.rule)
        if contest.rule in rule_ids and len(contest.sides) > 1:
            figures.count(
                "contests", contest.rule, _winner_name([side.won for side in contest.sides])
            )
    if weighing is not None and weighing.rule in rule_ids:
        winner_name = (
            _winner_name([side.won for side in weighing.sides]) if weighing.sides else AGREED
        )
        figures.count("disputes", weighing.rule, winner_name)
    for rule_id in used_rule_ids & rule_ids:
        figures.count("rules", rule_id)


def _winner_name(win_flags: list[bool]) -> str:
    return FIRST_SIDE if win_flags[0] else ANOTHER_SIDE if any(win_flags) else NO_SIDE


def _sort_key(tally_key: TallyKey) -> tuple[tuple[bool, str, int], ...]:
    return tuple(
        (isinstance(key_part, int), str(key_part), key_part if isinstance(key_part, int) else 0)
        for key_part in tally_key
    )


@dataclass(slots=True)
class GameFigures:
    """The figures of all campaigns of a game."""

    campaign_count: int = 0
    flawless_campaign_count: int = 0
    """Number of campaigns without errors."""
    tallies: dict[str, Counter[TallyKey]] = field(default_factory=dict)
    campaign_counts: dict[str, Counter[TallyKey]] = field(default_factory=dict)
    """Number of campaigns that each figure comes from, by kind and group."""
    faces_by_die: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, figures: Figures) -> None:
        """Add the figures of a campaign."""
        self.campaign_count += 1
        self.flawless_campaign_count += not figures.counts_of("sizes").get(("errors",), 0)
        self.faces_by_die.update(figures.faces_by_die)
        for figure_kind, tally in figures.tallies.items():
            self.tallies.setdefault(figure_kind, Counter()).update(tally)
            tally_groups = {
                tally_key[: FIGURE_KINDS[figure_kind].group_width] for tally_key in tally
            }
            self.campaign_counts.setdefault(figure_kind, Counter()).update(tally_groups)

    def counts_of(self, figure_kind: str) -> Mapping[TallyKey, int]:
        """The counts of a kind, by key."""
        return self.tallies.get(figure_kind, {})

    def campaign_count_of(self, figure_kind: str, *tally_group: str | int) -> int:
        """Number of campaigns that a figure comes from."""
        return self.campaign_counts.get(figure_kind, Counter())[tally_group]


class CampaignStatistics:
    """The figures of many campaigns, by game."""

    def __init__(self) -> None:
        self.figures_by_game: dict[str, GameFigures] = {}

    def add(self, figures: Figures) -> None:
        """Add the figures of a campaign."""
        self.figures_by_game.setdefault(figures.game, GameFigures()).add(figures)

    @property
    def campaign_count(self) -> int:
        """Number of campaigns."""
        return sum(game_figures.campaign_count for game_figures in self.figures_by_game.values())


def summarise(count_by_figure: Mapping[int, int]) -> tuple[int, float, int, int]:
    """Summarise figures, given how often each occurred: their number, mean, median (the lower of two) and
    maximum. ``count_by_figure`` must not be empty."""
    figure_count = sum(count_by_figure.values())
    mean = (
        sum(figure * occurrences for figure, occurrences in count_by_figure.items()) / figure_count
    )
    remaining_count = (figure_count + 1) // 2
    for figure in sorted(count_by_figure):
        remaining_count -= count_by_figure[figure]
        if remaining_count <= 0:
            break
    return figure_count, mean, figure, max(count_by_figure)
