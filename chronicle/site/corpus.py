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
    game_rows: list[tuple[Inline, ...]] = []
    for game_name, game_figures in sorted(
        statistics.figures_by_game.items(),
        key=lambda name_and_figures: -name_and_figures[1].campaign_count,
    ):
        size_counts = game_figures.counts_of("sizes")
        game_rows.append(
            (
                Ref("game", game_name, games[game_name].title),
                game_figures.campaign_count,
                game_figures.flawless_campaign_count,
                *(
                    size_counts.get((size_kind,), 0)
                    for size_kind in ("sessions", "scenes", "entries")
                ),
                sum(game_figures.counts_of("dice").values()),
            )
        )
    column_titles = (
        word("site.campaigns_head"),
        word("site.without_error_head"),
        word("site.sessions"),
        word("site.scenes"),
        word("site.entries_head"),
        word("site.dice"),
    )
    yield Table(
        (
            Column(word("site.game")),
            *(Column(column_title, True) for column_title in column_titles),
        ),
        tuple(game_rows),
        word("site.games"),
    )
    entry_counts = {
        game_name: game_figures.counts_of("sizes").get(("entries",), 0)
        for game_name, game_figures in statistics.figures_by_game.items()
    }
    games_by_frequency = sorted(entry_counts.items(), key=lambda name_and_count: -name_and_count[1])
    if len(games_by_frequency) > 1:
        bar_rows = tuple(
            (games[game_name].title, entry_count, "")
            for game_name, entry_count in games_by_frequency
        )
        yield Bars(word("site.entries_by_game"), bar_rows)


def game_statistics(game_figures: GameFigures, game: GameInfo) -> Iterator[Block]:
    """Everything that was counted of a game."""
    size_counts = game_figures.counts_of("sizes")
    yield Stats(
        (
            _counted_stat(game_figures.campaign_count, "site.of_campaigns"),
            _counted_stat(size_counts.get(("sessions",), 0), "site.of_sessions"),
            _counted_stat(size_counts.get(("scenes",), 0), "site.of_scenes"),
            _counted_stat(size_counts.get(("entries",), 0), "site.of_entries"),
            _counted_stat(game_figures.flawless_campaign_count, "site.without_error"),
        )
    )
    yield from filter(
        None,
        (
            _lengths_table(game_figures),
            _rules_table(game_figures, game),
            _prices_table(game_figures, game),
        ),
    )
    yield from filter(
        None,
        (
            _outcomes_table(game_figures, game, "contests"),
            _outcomes_table(game_figures, game, "disputes"),
        ),
    )
    yield from _dice_bars(game_figures)
    verb_counts = game_figures.counts_of("verbs")
    verb_rows = [
        (str(tally_key[0]), use_count, *_campaigns_cell(game_figures, "verbs", tally_key))
        for tally_key, use_count in _sort_by_count(verb_counts)
    ]
    verbs_table = _statistics_table(
        word("site.what_was_done"),
        (word("site.verb"),),
        (word("site.entries_head"),),
        verb_rows,
        len(verb_counts),
    )
    yield from filter(None, (verbs_table,))


def _counted_stat(count: int, message_key: str) -> Stat:
    """How many there are of what a message names in the plural that goes with it."""
    return Stat(f"{count:,}", word(message_key, count=count))


def _lengths_table(game_figures: GameFigures) -> Table | None:
    length_rows: list[tuple[Inline, ...]] = []
    for unit_kind, row_title in (
        ("scenes", word("site.scenes")),
        ("sessions", word("site.sessions")),
    ):
        length_counts = game_figures.counts_of(unit_kind)
        if length_counts:
            length_count, mean, median, maximum = summarise(
                {int(tally_key[0]): use_count for tally_key, use_count in length_counts.items()}
            )
            length_rows.append(
                (
                    row_title,
                    length_count,
                    f"{mean:.1f}",
                    median,
                    maximum,
                    *_campaigns_cell(game_figures, unit_kind, ()),
                )
            )
    column_titles = (
        word("site.how_many"),
        word("site.mean"),
        word("site.middle"),
        word("site.longest"),
    )
    return (
        _statistics_table(word("site.lengths"), ("",), column_titles, length_rows, len(length_rows))
        if length_rows
        else None
    )


def _rules_table(game_figures: GameFigures, game: GameInfo) -> Table | None:
    use_counts = game_figures.counts_of("rules")
    rule_rows = [
        (
            *_rule_cells(game, str(tally_key[0])),
            use_count,
            *_campaigns_cell(game_figures, "rules", tally_key),
        )
        for tally_key, use_count in _sort_by_count(use_counts)
    ]
    column_titles = (word("site.rule"), word("site.about_what"))
    return _statistics_table(
        word("site.rule_use"),
        column_titles,
        (word("site.entries_head"),),
        rule_rows,
        len(use_counts),
    )


def _prices_table(game_figures: GameFigures, game: GameInfo) -> Table | None:
    amounts_by_rule_and_unit: dict[TallyKey, Counter[int]] = {}
    for (rule_id, unit, amount), use_count in game_figures.counts_of("prices").items():
        amounts_by_rule_and_unit.setdefault((rule_id, unit), Counter())[int(amount)] += use_count
    rows: list[tuple[Inline, ...]] = []
    price_counts = {
        rule_and_unit: amount_counts.total()
        for rule_and_unit, amount_counts in amounts_by_rule_and_unit.items()
    }
    for rule_and_unit, _ in _sort_by_count(price_counts):
        price_count, mean, median, maximum = summarise(amounts_by_rule_and_unit[rule_and_unit])
        rule_id, unit = map(str, rule_and_unit)
        campaigns_cell = _campaigns_cell(game_figures, "prices", rule_and_unit)
        rows.append(
            (
                *_rule_cells(game, rule_id),
                unit,
                price_count,
                f"{mean:.2f}",
                median,
                maximum,
                *campaigns_cell,
            )
        )
    column_titles = (word("site.rule"), word("site.price_of"), word("site.price_in"))
    return _statistics_table(
        word("site.prices"),
        column_titles,
        (word("site.times"), word("site.mean"), word("site.middle"), word("site.most")),
        rows,
        len(amounts_by_rule_and_unit),
    )


def _outcomes_table(game_figures: GameFigures, game: GameInfo, contest_kind: str) -> Table | None:
    outcome_counts = game_figures.counts_of(contest_kind)
    contest_counts: Counter[TallyKey] = Counter()
    for (rule_id, _), contest_count in outcome_counts.items():
        contest_counts[rule_id,] += contest_count
    outcomes = [
        outcome
        for outcome in (FIRST_SIDE, ANOTHER_SIDE, NO_SIDE, AGREED)
        if any(tally_key[1] == outcome for tally_key in outcome_counts)
    ]
    title_by_outcome = {
        FIRST_SIDE: word(
            "site.won_by_beginner" if contest_kind == "disputes" else "site.won_by_first"
        ),
        ANOTHER_SIDE: word("site.won_by_other"),
        NO_SIDE: word("site.won_by_nobody"),
        AGREED: word("site.agreed_on"),
    }
    rows = [
        (
            *_rule_cells(game, str(tally_key[0])),
            use_count,
            *(
                _percentage(outcome_counts.get((*tally_key, outcome), 0), use_count)
                for outcome in outcomes
            ),
            *_campaigns_cell(game_figures, contest_kind, tally_key),
        )
        for tally_key, use_count in _sort_by_count(contest_counts)
    ]
    table_title = word("site.disputes_won" if contest_kind == "disputes" else "site.rolls_won")
    column_titles = (word("site.times"), *(title_by_outcome[outcome] for outcome in outcomes))
    return _statistics_table(
        table_title,
        (word("site.rule"), word("site.about_what")),
        column_titles,
        rows,
        len(contest_counts),
    )


def _dice_bars(game_figures: GameFigures) -> Iterator[Block]:
    face_tally = game_figures.counts_of("dice")
    for die_name, faces in sorted(game_figures.faces_by_die.items()):
        face_counts = Counter({face: face_tally.get((die_name, face), 0) for face in faces})
        throw_count = face_counts.total()
        yield Bars(
            word(
                "site.dice_in_campaigns",
                count=game_figures.campaign_count_of("dice", die_name),
                dice=f"{throw_count:,}",
                die=die_name,
            ),
            tuple((FACE_SIGNS.get(face, face), face_counts[face], "") for face in faces),
            fair=throw_count / len(faces),
            note=chi_squared_verdict(face_counts, Die(die_name, faces, {}), throw_count),
        )


def _statistics_table(
    table_title: str,
    text_columns: tuple[str, ...],
    number_columns: tuple[str, ...],
    table_rows: Sequence[tuple[Inline, ...]],
    row_count: int,
) -> Table | None:
    if not table_rows:
        return None
    columns = (
        *map(Column, text_columns),
        *(Column(column_title, True) for column_title in number_columns),
        CAMPAIGNS_COLUMN,
    )
    omission_note = (
        word("site.first_of_many", shown=MAX_ROWS, count=f"{row_count:,}")
        if row_count > MAX_ROWS
        else ""
    )
    return Table(columns, tuple(table_rows), table_title, omission_note)


def _rule_cells(game: GameInfo, rule_id: str) -> tuple[Inline, Inline]:
    rule = game.registry().get(rule_id)
    return Ref("rule", rule_id, rule_id), getattr(rule, "title", "")


def _sort_by_count(counts_by_key: Mapping[TallyKey, int]) -> list[tuple[TallyKey, int]]:
    """What there is most of, in an order that does not depend on which campaign came first."""
    return sorted(
        counts_by_key.items(),
        key=lambda key_and_count: (-key_and_count[1], tuple(map(str, key_and_count[0]))),
    )[:MAX_ROWS]


def _campaigns_cell(game_figures: GameFigures, figure_kind: str, tally_key: TallyKey) -> tuple[int]:
    return (
        game_figures.campaign_count_of(
            figure_kind, *tally_key[: FIGURE_KINDS[figure_kind].group_width]
        ),
    )


def _percentage(part_count: int, total_count: int) -> Inline:
    return f"{part_count:,} ({100 * part_count / total_count:.0f} %)"
