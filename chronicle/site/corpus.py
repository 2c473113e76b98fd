"""Statistics over many campaigns, as blocks that a page and a terminal can draw. Each figure comes with the
number of campaigns behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from chronicle.core.book import Bars, Block, Column, Inline, Ref, Stat, Stats, Table
from chronicle.core.corpus import (
    AGREED,
    ANOTHER_SIDE,
    FIGURE_KINDS,
    FIRST,
    NO_SIDE,
    Corpus,
    GameFigures,
    TallyKey,
    summarise,
)
from chronicle.core.dice import Die
from chronicle.core.game import Game
from chronicle.site.luck import SHOWN, verdict
from chronicle.words import word

MOST = 60
"""How many rows of a table are shown; the database has all."""
BEHIND = Column(word("site.campaigns_head"), True)


def overview(corpus: Corpus, games: Mapping[str, Game]) -> Iterator[Block]:
    """All games side by side."""
    rows: list[tuple[Inline, ...]] = []
    for name, sums in sorted(
        corpus.figures_by_game.items(), key=lambda pair: -pair[1].campaign_count
    ):
        size = sums.counts_of("sizes")
        rows.append(
            (
                Ref("game", name, games[name].title),
                sums.campaign_count,
                sums.flawless_count,
                *(size.get((kind,), 0) for kind in ("sessions", "scenes", "entries")),
                sum(sums.counts_of("dice").values()),
            )
        )
    heads = (
        word("site.campaigns_head"),
        word("site.without_error_head"),
        word("site.sessions"),
        word("site.scenes"),
        word("site.entries_head"),
        word("site.dice"),
    )
    yield Table(
        (Column(word("site.game")), *(Column(head, True) for head in heads)),
        tuple(rows),
        word("site.games"),
    )
    written = {
        name: sums.counts_of("sizes").get(("entries",), 0)
        for name, sums in corpus.figures_by_game.items()
    }
    by_frequency = sorted(written.items(), key=lambda pair: -pair[1])
    if len(by_frequency) > 1:
        bars = tuple((games[name].title, count, "") for name, count in by_frequency)
        yield Bars(word("site.entries_by_game"), bars)


def of_game(sums: GameFigures, game: Game) -> Iterator[Block]:
    """Everything that was counted of a game."""
    size = sums.counts_of("sizes")
    yield Stats(
        (
            _stat(sums.campaign_count, "site.of_campaigns"),
            _stat(size.get(("sessions",), 0), "site.of_sessions"),
            _stat(size.get(("scenes",), 0), "site.of_scenes"),
            _stat(size.get(("entries",), 0), "site.of_entries"),
            _stat(sums.flawless_count, "site.without_error"),
        )
    )
    yield from filter(None, (_lengths(sums), _rules(sums, game), _prices(sums, game)))
    yield from filter(None, (_won(sums, game, "contests"), _won(sums, game, "disputes")))
    yield from _dice(sums)
    verbs = sums.counts_of("verbs")
    rows = [
        (str(key[0]), times, *_behind(sums, "verbs", key)) for key, times in _most_frequent(verbs)
    ]
    uses = _table(
        word("site.what_was_done"),
        (word("site.verb"),),
        (word("site.entries_head"),),
        rows,
        len(verbs),
    )
    yield from filter(None, (uses,))


def _stat(count: int, key: str) -> Stat:
    """How many there are of what a message names in the plural that goes with it."""
    return Stat(f"{count:,}", word(key, count=count))


def _lengths(sums: GameFigures) -> Table | None:
    rows: list[tuple[Inline, ...]] = []
    for kind, words in (("scenes", word("site.scenes")), ("sessions", word("site.sessions"))):
        tally = sums.counts_of(kind)
        if tally:
            count, mean, middle, greatest = summarise({int(key[0]): n for key, n in tally.items()})
            rows.append((words, count, f"{mean:.1f}", middle, greatest, *_behind(sums, kind, ())))
    heads = (
        word("site.how_many"),
        word("site.mean"),
        word("site.middle"),
        word("site.longest"),
    )
    return _table(word("site.lengths"), ("",), heads, rows, len(rows)) if rows else None


def _rules(sums: GameFigures, game: Game) -> Table | None:
    tally = sums.counts_of("rules")
    rows = [
        (*_rule(game, str(key[0])), times, *_behind(sums, "rules", key))
        for key, times in _most_frequent(tally)
    ]
    heads = (word("site.rule"), word("site.about_what"))
    return _table(word("site.rule_use"), heads, (word("site.entries_head"),), rows, len(tally))


def _prices(sums: GameFigures, game: Game) -> Table | None:
    paid: dict[TallyKey, Counter[int]] = {}
    for (rule, unit, amount), times in sums.counts_of("prices").items():
        paid.setdefault((rule, unit), Counter())[int(amount)] += times
    rows: list[tuple[Inline, ...]] = []
    often = {key: tally.total() for key, tally in paid.items()}
    for key, _ in _most_frequent(often):
        count, mean, middle, greatest = summarise(paid[key])
        rule, unit = map(str, key)
        behind = _behind(sums, "prices", key)
        rows.append((*_rule(game, rule), unit, count, f"{mean:.2f}", middle, greatest, *behind))
    heads = (word("site.rule"), word("site.price_of"), word("site.price_in"))
    return _table(
        word("site.prices"),
        heads,
        (word("site.times"), word("site.mean"), word("site.middle"), word("site.most")),
        rows,
        len(paid),
    )


def _won(sums: GameFigures, game: Game, kind: str) -> Table | None:
    tally = sums.counts_of(kind)
    often: Counter[TallyKey] = Counter()
    for (rule, _), times in tally.items():
        often[rule,] += times
    ends = [
        end for end in (FIRST, ANOTHER_SIDE, NO_SIDE, AGREED) if any(key[1] == end for key in tally)
    ]
    titles = {
        FIRST: word("site.won_by_beginner" if kind == "disputes" else "site.won_by_first"),
        ANOTHER_SIDE: word("site.won_by_other"),
        NO_SIDE: word("site.won_by_nobody"),
        AGREED: word("site.agreed_on"),
    }
    rows = [
        (
            *_rule(game, str(key[0])),
            times,
            *(_share(tally.get((*key, end), 0), times) for end in ends),
            *_behind(sums, kind, key),
        )
        for key, times in _most_frequent(often)
    ]
    title = word("site.disputes_won" if kind == "disputes" else "site.rolls_won")
    heads = (word("site.times"), *(titles[end] for end in ends))
    return _table(title, (word("site.rule"), word("site.about_what")), heads, rows, len(often))


def _dice(sums: GameFigures) -> Iterator[Block]:
    tally = sums.counts_of("dice")
    for name, faces in sorted(sums.dice.items()):
        fell = Counter({face: tally.get((name, face), 0) for face in faces})
        count = fell.total()
        yield Bars(
            word(
                "site.dice_in_campaigns",
                count=sums.campaign_count_of("dice", name),
                dice=f"{count:,}",
                die=name,
            ),
            tuple((SHOWN.get(face, face), fell[face], "") for face in faces),
            fair=count / len(faces),
            note=verdict(fell, Die(name, faces, {}), count),
        )


def _table(
    title: str,
    words: tuple[str, ...],
    figures: tuple[str, ...],
    rows: Sequence[tuple[Inline, ...]],
    total: int,
) -> Table | None:
    if not rows:
        return None
    columns = (*map(Column, words), *(Column(figure, True) for figure in figures), BEHIND)
    note = word("site.first_of_many", shown=MOST, count=f"{total:,}") if total > MOST else ""
    return Table(columns, tuple(rows), title, note)


def _rule(game: Game, id: str) -> tuple[Inline, Inline]:
    rule = game.registry().get(id)
    return Ref("rule", id, id), getattr(rule, "title", "")


def _most_frequent(tally: Mapping[TallyKey, int]) -> list[tuple[TallyKey, int]]:
    """What there is most of, in an order that does not depend on which campaign came first."""
    return sorted(tally.items(), key=lambda pair: (-pair[1], tuple(map(str, pair[0]))))[:MOST]


def _behind(sums: GameFigures, kind: str, key: TallyKey) -> tuple[int]:
    return (sums.campaign_count_of(kind, *key[: FIGURE_KINDS[kind].group_width]),)


def _share(part: int, total: int) -> Inline:
    return f"{part:,} ({100 * part / total:.0f} %)"
