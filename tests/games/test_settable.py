"""Everything that ``assert:`` can check can be set, and reads as it was set: in a snapshot, by ``correct:``, above
``play starts:``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import load
from chronicle.core.answers import Limits
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.game_context import GameContext, Measure
from chronicle.core.replay import Replay, entries_from
from chronicle.core.set_figure import is_same_figure, set_figure
from chronicle.core.snapshots import Snapshot
from chronicle.core.source import ScalarNode
from chronicle.games import GAMES, rulebook
from chronicle.syntax.decode import Decoder
from chronicle.syntax.schema import DRAFT_URL, session_schema
from chronicle.testkit.random_play import entry_text, read_entry
from tests.syntax.test_schema import errors

SESSIONS = Path(__file__).parents[2] / "sessions"
LOOKS = 6
"""In how many places of each play example every figure is set."""


def listed(game: str, name: str) -> set[str]:
    """The lines of a list that a game keeps beside its cases."""
    file = Path(__file__).parent / game.replace("-", "_") / f"{name}.txt"
    return set(file.read_text(encoding="utf-8").splitlines()) if file.is_file() else set()


def follows(game: str) -> set[str]:
    """What is no state but a count of others, or the result of a roll that is over: to be compared only.
    Each game lists it in ``follows.txt``."""
    return listed(game, "follows")


@pytest.mark.parametrize("game", GAMES)
def test_what_cannot_be_set_only_follows_from_other_figures(game: str) -> None:
    measures = rulebook(game).by_measure
    assert {n for n, m in measures.items() if m.write is None} == follows(game)


def moments(game: str) -> Iterator[Any]:
    """Copies of the table, from places all along the play examples of a game."""
    for file in sorted(SESSIONS.glob("*/campaign.yaml")):
        campaign = load(file.parent)
        if campaign.game != game:
            continue
        total = sum(len(session.actions) for session in campaign.sessions)
        stride = max(1, total // LOOKS)
        run: Replay[Any] = Replay(campaign, rulebook(game))
        for entry_number, action in entries_from(run):
            run.do(action)
            if entry_number % stride == min(5, stride - 1):
                snapshot = Snapshot(run)
                yield lambda snapshot=snapshot, run=run: Replay(
                    run.campaign, run.rulebook, start_snapshot=snapshot
                )


def other_values(measure: Measure, play: GameContext[Any], was: int | str | None) -> list[str]:
    """Values that a figure may have instead."""
    if isinstance(was, int):
        return [str(was + 1), str(was - 1), "0", "2"]
    names = [n.name for n in play.names.all.values() if n.kind in measure.names[:1]]
    return [*measure.words, *names]


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_figure_reads_as_it_was_set(game: str) -> None:
    tried: set[str] = set()
    for fresh in moments(game):
        play = fresh().play
        for name, measure in play.rulebook.by_measure.items():
            if measure.write is None:
                continue
            ids = [id for id, n in play.names.all.items() if n.kind in measure.kinds][:4]
            for id in ids if measure.kinds else [""]:
                was = measure.read(play, id)
                values = other_values(measure, play, was)
                # Each value above what the record says, then all of them above one another.
                for settings in [*([value] for value in values), values]:
                    table = fresh().play
                    for value in settings:
                        word = ScalarNode(value)
                        if not set_figure(table, name, measure, id, word, f"{id}'s {name}"):
                            continue
                        value_now = measure.read(table, id)
                        assert value_now is None or is_same_figure(
                            table, measure, word, value_now
                        ), f"{name} of {id!r}: set to {settings}, reads {value_now} (was {was})"
                        assert all(total == 0 for total in table.ledger.totals().values())
                        tried.add(name)
    settable = {n for n, m in rulebook(game).by_measure.items() if m.write is not None}
    optional = set(rulebook(game).on_demand.extension_by_measure)
    # What only a roll without faces lets be set is none of a play example's figures.
    late = {
        name for name in settable - tried if rulebook(game).by_measure[name].state_kind == "pools"
    }
    assert not settable - tried - optional - late


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_a_figure_is_told_where_it_is_stated_wrong_and_only_there(game: str) -> None:
    """``assert:`` of every figure, as it is, and as two things that it might be instead."""
    decoder = Decoder(rulebook(game).by_verb)
    tried: set[str] = set()
    for fresh in islice(moments(game), 1, None, 3):
        table = fresh()
        # Stating anything ends the telling of an outcome, and pays what is left of it.
        table.do(read_entry(entry_text({"assert": {}}), decoder))
        play = table.play
        if play.gaps.all_gaps:
            continue  # What is stated there may well be so.
        for name, measure in play.rulebook.by_measure.items():
            ids = [id for id, n in play.names.all.items() if n.kind in measure.kinds][-1:]
            for id in ids if measure.kinds else [""]:
                was = measure.read(play, id)
                if was is None or was == "":
                    continue
                owner = play.names.all[id].name if id else ""
                for value in (str(was), *other_values(measure, play, was)[:2]):
                    right = is_same_figure(play, measure, ScalarNode(value), was)
                    figure = {owner: value} if id else value
                    step = fresh().do(read_entry(entry_text({"assert": {name: figure}}), decoder))
                    wrong = [
                        diagnostic.message
                        for diagnostic in step.diagnostics
                        if diagnostic.kind in _WRONG
                    ]
                    assert bool(wrong) != right, (name, owner, was, value, wrong)
                tried.add(name)
    assert len(tried) * 2 > len(rulebook(game).by_measure) - len(
        rulebook(game).on_demand.extension_by_measure
    )


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_snapshot_sets_what_an_assert_can_check(game: str) -> None:
    """Every figure that can be set, set to something else by ``snapshot:``, is so for the next
    ``assert:``, in the open record and in the JSON Schema."""
    decoder = Decoder(rulebook(game).by_verb)
    schema = session_schema(rulebook(game))["definitions"]["entry"]["properties"]
    messages: set[str] = set()
    for fresh in islice(moments(game), 1, None, 2):
        play = fresh().play
        for name, measure in play.rulebook.by_measure.items():
            if measure.write is None:
                continue
            ids = [id for id, n in play.names.all.items() if n.kind in measure.kinds][:2]
            for id in ids if measure.kinds else [""]:
                owner = play.names.all[id].name if id else ""
                was = measure.read(play, id)
                for value in other_values(measure, play, was):
                    stated = {name: {owner: value} if id else value}
                    counted = read_entry(entry_text({"assert": stated}), decoder)
                    # A count ends the telling of an outcome, and pays what is left of it.
                    table, tried = fresh(), fresh()
                    for each_table in (table, tried):
                        each_table.do(counted)
                    if set_figure(tried.play, name, measure, id, ScalarNode(value), ""):
                        break
                else:
                    continue
                steps = [
                    table.do(read_entry(entry_text({verb: stated}), decoder))
                    for verb in ("snapshot", "assert")
                ]
                if any(d.kind is DiagnosticKind.ILLEGAL for d in steps[0].diagnostics):
                    continue  # The rules say why it cannot be so.
                wrong = [d.message for step in steps for d in step.diagnostics if d.kind in _WRONG]
                assert not wrong, (name, owner, was, value, wrong)
                messages.add(name)
                for verb in ("snapshot", "assert"):
                    assert not errors({**schema[verb], "$schema": DRAFT_URL}, stated), (
                        verb,
                        stated,
                    )
                assert errors({**schema["snapshot"], "$schema": DRAFT_URL}, {f"{name}z": 1})
    settable = [
        candidate for candidate in rulebook(game).by_measure.values() if candidate.write is not None
    ]
    assert len(messages) * 2 > len(settable) - len(rulebook(game).on_demand.extension_by_measure)


_WRONG = (DiagnosticKind.ILLEGAL, DiagnosticKind.BOOKKEEPING, DiagnosticKind.UNREADABLE)


def _stands(table: Any) -> tuple[Any, ...]:
    """Where play stands: every figure, what is due, who may do what next."""
    play = table.play
    figures = {
        (name, id): measure.read(play, id)
        for name, measure in play.rulebook.by_measure.items()
        for id in (play.names.all if measure.kinds else [""])
        if not id or play.names.all[id].kind in measure.kinds
    }
    options = {(option.verb, option.by) for option in play.rulebook.options(play)}
    return figures, play.rulebook.due(play), options, play.rulebook.situation(play)


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_figure_set_away_and_back_is_as_it_was_played(game: str) -> None:
    """Below, above and at every threshold, and back again: what a figure means is looked at each time. What loses
    more than a figure on the way stands in ``one_way.txt`` of its game, with why."""
    tried, lost = 0, set()
    for fresh in islice(moments(game), 1, None, 3):
        play, played = fresh().play, _stands(fresh())
        for name, measure in play.rulebook.by_measure.items():
            ids = [id for id, entity in play.names.all.items() if entity.kind in measure.kinds][:2]
            for id in (ids if measure.kinds else [""]) if measure.write is not None else ():
                was = measure.read(play, id)
                if was is None or was == "":
                    continue
                limits = measure.limits(play, id) if measure.limits is not None else Limits()
                ends = (str(end) for end in (limits.least, limits.most) if end is not None)
                for value in sorted({*other_values(measure, play, was)[:2], *ends}):
                    table = fresh()
                    values = (value, str(was))
                    if all(
                        set_figure(table.play, name, measure, id, ScalarNode(w), "") for w in values
                    ):
                        tried += 1
                        if _stands(table) != played:
                            lost.add(name)
    assert tried
    assert lost == {line.partition("  # ")[0] for line in listed(game, "one_way")}
