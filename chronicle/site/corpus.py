"""Statistics over many campaigns, as blocks that a page and a terminal can draw. Each figure comes with the
number of campaigns behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from chronicle.core.campaign_view import Bars, Block, Column, Inline, Ref, Stat, Stats, Table
from chronicle.core.corpus import (
    AGREED,
    ANOTHER_SIDE,
    FIGURE_KINDS,
    FIRST_SIDE,
    NO_SIDE,
    CampaignStatistics,
    GameFigures,
    TallyKey,
    summarise,
)
from chronicle.core.dice import Die
from chronicle.core.game_info import GameInfo
from chronicle.site.luck import FACE_SIGNS, chi_squared_verdict
from chronicle.words import word

MAX_ROWS = 60
"""How many rows of a table are shown; the database has all."""
CAMPAIGNS_COLUMN = Column(word("site.campaigns_head"), True)


def games_overview(
    statistics: CampaignStatistics, games: Mapping[str, GameInfo]
) -> Iterator[Block]:
    """All games side by side."""
    rows: list[tuple[Inline, ...]] = []
    for name, sums in sorted(
        statistics.figures_by_game.items(), key=lambda pair: -pair[1].campaign_count
    ):
        size_counts = sums.counts_of("sizes")
        rows.append(
            (
                Ref("game", name, games[name].title),
                sums.campaign_count,
                sums.flawless_campaign_count,
                *(size_counts.get((kind,), 0) for kind in ("sessions", "scenes", "entries")),
                sum(sums.counts_of("dice").values()),
            )
        )
    headings = (
        word("site.campaigns_head"),
        word("site.without_error_head"),
        word("site.sessions"),
        word("site.scenes"),
        word("site.entries_head"),
        word("site.dice"),
    )
    yield Table(
        (Column(word("site.game")), *(Column(head, True) for head in headings)),
        tuple(rows),
        word("site.games"),
    )
    entry_counts = {
        name: sums.counts_of("sizes").get(("entries",), 0)
        for name, sums in statistics.figures_by_game.items()
    }
    by_frequency = sorted(entry_counts.items(), key=lambda pair: -pair[1])
    if len(by_frequency) > 1:
        bars = tuple((games[name].title, count, "") for name, count in by_frequency)
        yield Bars(word("site.entries_by_game"), bars)


def game_statistics(sums: GameFigures, game: GameInfo) -> Iterator[Block]:
    """Everything that was counted of a game."""
    size_counts = sums.counts_of("sizes")
    yield Stats(
        (
            _counted_stat(sums.campaign_count, "site.of_campaigns"),
            _counted_stat(size_counts.get(("sessions",), 0), "site.of_sessions"),
            _counted_stat(size_counts.get(("scenes",), 0), "site.of_scenes"),
            _counted_stat(size_counts.get(("entries",), 0), "site.of_entries"),
            _counted_stat(sums.flawless_campaign_count, "site.without_error"),
        )
    )
    yield from filter(
        None, (_lengths_table(sums), _rules_table(sums, game), _prices_table(sums, game))
    )
    yield from filter(
        None, (_outcomes_table(sums, game, "contests"), _outcomes_table(sums, game, "disputes"))
    )
    yield from _dice_bars(sums)
    verbs = sums.counts_of("verbs")
    rows = [
        (str(key[0]), times, *_campaigns_cell(sums, "verbs", key))
        for key, times in _most_frequent(verbs)
    ]
    verbs_table = _statistics_table(
        word("site.what_was_done"),
        (word("site.verb"),),
        (word("site.entries_head"),),
        rows,
        len(verbs),
    )
    yield from filter(None, (verbs_table,))


def _counted_stat(count: int, key: str) -> Stat:
    """How many there are of what a message names in the plural that goes with it."""
    return Stat(f"{count:,}", word(key, count=count))


def _lengths_table(sums: GameFigures) -> Table | None:
    rows: list[tuple[Inline, ...]] = []
    for kind, words in (("scenes", word("site.scenes")), ("sessions", word("site.sessions"))):
        tally = sums.counts_of(kind)
        if tally:
            count, mean, median, maximum = summarise({int(key[0]): n for key, n in tally.items()})
            rows.append(
                (words, count, f"{mean:.1f}", median, maximum, *_campaigns_cell(sums, kind, ()))
            )
    headings = (
        word("site.how_many"),
        word("site.mean"),
        word("site.middle"),
        word("site.longest"),
    )
    return (
        _statistics_table(word("site.lengths"), ("",), headings, rows, len(rows)) if rows else None
    )


def _rules_table(sums: GameFigures, game: GameInfo) -> Table | None:
    tally = sums.counts_of("rules")
    rows = [
        (*_rule_cells(game, str(key[0])), times, *_campaigns_cell(sums, "rules", key))
        for key, times in _most_frequent(tally)
    ]
    heads = (word("site.rule"), word("site.about_what"))
    return _statistics_table(
        word("site.rule_use"), heads, (word("site.entries_head"),), rows, len(tally)
    )


def _prices_table(sums: GameFigures, game: GameInfo) -> Table | None:
    amounts: dict[TallyKey, Counter[int]] = {}
    for (rule, unit, amount), times in sums.counts_of("prices").items():
        amounts.setdefault((rule, unit), Counter())[int(amount)] += times
    rows: list[tuple[Inline, ...]] = []
    frequency = {key: amount_counts.total() for key, amount_counts in amounts.items()}
    for key, _ in _most_frequent(frequency):
        count, mean, median, maximum = summarise(amounts[key])
        rule, unit = map(str, key)
        campaigns_cell = _campaigns_cell(sums, "prices", key)
        rows.append(
            (*_rule_cells(game, rule), unit, count, f"{mean:.2f}", median, maximum, *campaigns_cell)
        )
    headings = (word("site.rule"), word("site.price_of"), word("site.price_in"))
    return _statistics_table(
        word("site.prices"),
        headings,
        (word("site.times"), word("site.mean"), word("site.middle"), word("site.most")),
        rows,
        len(amounts),
    )


def _outcomes_table(sums: GameFigures, game: GameInfo, kind: str) -> Table | None:
    tally = sums.counts_of(kind)
    frequency: Counter[TallyKey] = Counter()
    for (rule, _), times in tally.items():
        frequency[rule,] += times
    outcomes = [
        outcome
        for outcome in (FIRST_SIDE, ANOTHER_SIDE, NO_SIDE, AGREED)
        if any(key[1] == outcome for key in tally)
    ]
    titles = {
        FIRST_SIDE: word("site.won_by_beginner" if kind == "disputes" else "site.won_by_first"),
        ANOTHER_SIDE: word("site.won_by_other"),
        NO_SIDE: word("site.won_by_nobody"),
        AGREED: word("site.agreed_on"),
    }
    rows = [
        (
            *_rule_cells(game, str(key[0])),
            times,
            *(_percentage(tally.get((*key, outcome), 0), times) for outcome in outcomes),
            *_campaigns_cell(sums, kind, key),
        )
        for key, times in _most_frequent(frequency)
    ]
    title = word("site.disputes_won" if kind == "disputes" else "site.rolls_won")
    headings = (word("site.times"), *(titles[outcome] for outcome in outcomes))
    return _statistics_table(
        title, (word("site.rule"), word("site.about_what")), headings, rows, len(frequency)
    )


def _dice_bars(sums: GameFigures) -> Iterator[Block]:
    tally = sums.counts_of("dice")
    for name, faces in sorted(sums.faces_by_die.items()):
        face_counts = Counter({face: tally.get((name, face), 0) for face in faces})
        count = face_counts.total()
        yield Bars(
            word(
                "site.dice_in_campaigns",
                count=sums.campaign_count_of("dice", name),
                dice=f"{count:,}",
                die=name,
            ),
            tuple((FACE_SIGNS.get(face, face), face_counts[face], "") for face in faces),
            fair=count / len(faces),
            note=chi_squared_verdict(face_counts, Die(name, faces, {}), count),
        )


def _statistics_table(
    title: str,
    words: tuple[str, ...],
    figures: tuple[str, ...],
    rows: Sequence[tuple[Inline, ...]],
    total: int,
) -> Table | None:
    if not rows:
        return None
    columns = (*map(Column, words), *(Column(figure, True) for figure in figures), CAMPAIGNS_COLUMN)
    note = (
        word("site.first_of_many", shown=MAX_ROWS, count=f"{total:,}") if total > MAX_ROWS else ""
    )
    return Table(columns, tuple(rows), title, note)


def _rule_cells(game: GameInfo, id: str) -> tuple[Inline, Inline]:
    rule = game.registry().get(id)
    return Ref("rule", id, id), getattr(rule, "title", "")


def _most_frequent(tally: Mapping[TallyKey, int]) -> list[tuple[TallyKey, int]]:
    """What there is most of, in an order that does not depend on which campaign came first."""
    return sorted(tally.items(), key=lambda pair: (-pair[1], tuple(map(str, pair[0]))))[:MAX_ROWS]


def _campaigns_cell(sums: GameFigures, kind: str, key: TallyKey) -> tuple[int]:
    return (sums.campaign_count_of(kind, *key[: FIGURE_KINDS[kind].group_width]),)


def _percentage(part: int, total: int) -> Inline:
    return f"{part:,} ({100 * part / total:.0f} %)"
