"""Every checked rule is seen both ways: once held, once broken, by the case files and random play.

Broken is what a finding names. Held is what was looked at without a finding: a requirement was met, the
law of the game has the rule for such an entry, or a handler that knows the rule's id ran through it, and
no finding of that entry named the rule. Dice
are looked at while a log is read: faces that could be read hold the rule about them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from chronicle.campaigns import load, run
from chronicle.core import guards
from chronicle.core.declare import Action
from chronicle.core.dice import Die, Faces, read_faces
from chronicle.core.game import Game
from chronicle.core.game_context import GameContext
from chronicle.core.replay import Replay
from chronicle.core.rules import RuleClass, comparable_id
from chronicle.core.source import Value
from chronicle.games import GAMES, rulebook
from chronicle.testkit.cases import write_case
from chronicle.testkit.random_play import RandomTable
from tests.games.test_battery import _fresh
from tests.games.test_proof import cases_of

STEPS = 60


class Watch:
    """Which rules the handlers of a game have looked at, entry by entry."""

    def __init__(self, game: str) -> None:
        rules = [r for r in rulebook(game).registry().rules if r.kind is RuleClass.CHECKED]
        self.rules = {
            rule.id: {comparable_id(rule.id), *map(comparable_id, rule.other_ids)} for rule in rules
        }
        self.known = frozenset().union(*self.rules.values())
        self.held: set[str] = set()
        self.broken: set[str] = set()
        self.looked: set[str] = set()
        self._mentions: dict[CodeType, frozenset[str]] = {}

    def _of(self, code: CodeType) -> frozenset[str]:
        """The rules whose ids stand in a handler."""
        if "games" not in Path(code.co_filename).parts:
            return frozenset()
        flat: list[Any] = list(code.co_consts)
        for value in flat:
            if isinstance(value, tuple):
                flat.extend(value)
        return (
            frozenset(comparable_id(value) for value in flat if isinstance(value, str)) & self.known
        )

    def see(self, frame: FrameType, event: str, _: object) -> None:
        """What the interpreter calls at every call of a Python function, and at nothing else: a
        tracer that wants no lines is much cheaper than a profiler."""
        code = frame.f_code
        if code not in self._mentions:
            self._mentions[code] = self._of(code)
        self.looked |= self._mentions[code]

    def _by_law(self, rules: Game[Any], action: Action) -> frozenset[str]:
        """The rules under which the law of a game looks at an entry."""
        law, plan = rules.law, rules.plan_and_handler_by_verb[type(action)][0]
        if law is None or plan is None:
            return frozenset()
        ids: set[str] = set()
        if plan.moment.phases:
            instead = plan.moment.refusals_by_phase.values()
            refusals = (plan.moment.refusal, *instead, *(p.refusal for p in law.phases.values()))
            ids = {refusal.rule for refusal in refusals if refusal is not None}
        if plan.decides is not None and action.by is not None:
            ids.add(plan.decides.rule)
        for field in (*([action.main] if action.main else []), *action.fields.values()):
            for name_list in field.kind.name_lists(getattr(action, field.attribute)):
                role = law.roles.get(name_list.role)
                ids |= {need.rule for need in role.needs} if role is not None else set()
        return frozenset(map(comparable_id, ids)) & self.known

    @contextmanager
    def entry(self, replay: Replay[Any], action: Action) -> Iterator[None]:
        """While one entry is replayed, with what is nested in it."""
        diagnostics_before, outer = len(replay.play.diagnostics), sys.gettrace()
        if outer is None:
            self.looked = set(self._by_law(replay.rulebook, action))
            sys.settrace(self.see)
        try:
            yield
        finally:
            sys.settrace(outer)
            named = {
                comparable_id(diagnostic.code)
                for diagnostic in replay.play.diagnostics[diagnostics_before:]
            }
            self.broken |= named
            if outer is None:
                self.held |= self.looked - named


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_every_checked_rule_is_held_and_broken(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch, do, require = Watch(game), Replay.do, GameContext.require
    ask = guards.violations

    def watched(replay: Replay[Any], action: Action) -> Any:
        with watch.entry(replay, action):
            return do(replay, action)

    def required(
        play: GameContext[Any], condition: bool, code: str, message: str, **kwargs: Any
    ) -> bool:
        if condition:
            watch.held.add(comparable_id(code))
        return require(play, condition, code, message, **kwargs)

    def watched_violations(play: GameContext[Any], action: Action) -> Iterator[Any]:
        for name, mark, violation in ask(play, action):
            if violation is None:
                watch.held.add(comparable_id(mark.rule))
            yield name, mark, violation

    def read(value: Value, die: Die) -> Faces:
        faces = read_faces(value, die)
        watch.held.add(comparable_id(die.rule))
        return faces

    monkeypatch.setattr(Replay, "do", watched)
    monkeypatch.setattr(GameContext, "require", required)
    monkeypatch.setattr(guards, "violations", watched_violations)
    monkeypatch.setattr("chronicle.core.play_field_types.read_faces", read)
    for number, case in enumerate(cases_of(game)):
        record = run(load(write_case(case, tmp_path / f"{number}")))
        broken = {comparable_id(diagnostic.code) for diagnostic in record.diagnostics}
        watch.broken |= broken
        # What happens by a rule keeps it.
        events = (event for step in record.steps for event in step.events if event.rule)
        watch.held |= {comparable_id(event.rule) for event in events} - broken
    table = RandomTable(_fresh(game, tmp_path / "random"), rulebook(game), 1)
    for _ in range(STEPS):
        if not table.step():
            break
    never_broken = [id for id, codes in watch.rules.items() if not codes & watch.broken]
    never_held = [id for id, codes in watch.rules.items() if not codes & watch.held]
    assert not never_broken
    assert not never_held
