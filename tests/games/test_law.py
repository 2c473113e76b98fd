"""The law of every game, tried from its declarations: nothing here knows a game by name.

Random play gives legal entries and the moments they come in. Every name in a role is then exchanged for
everybody who does not meet a need of that role, and every verb is tried in every phase.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from chronicle.core.answers import Limits
from chronicle.core.campaign import Campaign
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.core.field_types import NameList
from chronicle.core.law import (
    AT_TABLE,
    Decider,
    Law,
    first_unmet_need,
    is_verb_allowed,
    phase_start,
    player_named,
    roles_of,
    subject_id_of,
)
from chronicle.core.names import PLAYER, Named
from chronicle.core.record import Step
from chronicle.core.replay import Replay
from chronicle.core.snapshots import Snapshot
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
from chronicle.games import GAMES, rulebook
from chronicle.testkit.random_play import RandomTable, read_entry
from tests.games.test_battery import _fresh
from tests.legal import openings

SEEDS = range(4)
STEPS = 120
LAWFUL = [game for game in GAMES if rulebook(game).law is not None]


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_declares_who_acts_and_which_role_its_names_have(game: str) -> None:
    rules = rulebook(game)
    undeclared = []
    for verb in map(rules.by_verb.__getitem__, rules.own_verbs):
        fields = [*([verb.main] if verb.main else []), *verb.fields.values()]
        undeclared += [f"{verb.verb}: {field.name}" for field in fields if field.kind.has_names()]
        undeclared += [f"{verb.verb}: who decides"] if verb.decides is None else []
    assert not undeclared


@pytest.mark.parametrize("game", LAWFUL)
def test_the_law_has_a_word_for_everything_declared(game: str) -> None:
    """Every role, decider and phase that a verb names is in the law, and none is there for nothing."""
    rules = rulebook(game)
    law = rules.law
    assert law is not None
    verbs = [rules.by_verb[name] for name in rules.by_verb]
    fields = [f for v in verbs for f in (*([v.main] if v.main else []), *v.fields.values())]
    own = {role for field in fields for role in roles_of(field.kind)}
    assert set(law.roles) <= own
    assert {role for role in own if role not in law.roles} <= SHARED
    assert {v.decides.decider for v in verbs if v.decides} == set(law.deciders)
    held = {v.decides.decider for v in verbs if v.decides and v.decides.rule}
    usual = Decider._field_defaults["message"]
    with_own_message = {name for name, decider in law.deciders.items() if decider.message != usual}
    assert with_own_message <= held, (
        "what is told of somebody else is told under a rule: Decides(decider, rule)"
    )
    phases = {phase for v in verbs for phase in (*v.moment.phases, *v.moment.refusals_by_phase)}
    assert phases <= set(law.phases)
    terms = {"verb", *law.terms(Replay(_campaign(game), rules).play)}
    for verb in verbs:
        for refusal in (verb.moment.refusal, *verb.moment.refusals_by_phase.values()):
            refusal.message.format_map(dict.fromkeys(terms, "x"))
            refusal.help.format_map(dict.fromkeys(terms, "x"))


SHARED = frozenset({"speaks"})
"""Roles of verbs that every game has; a game need not hold them."""


@cache
def _campaign(game: str) -> Any:
    import tempfile

    return _fresh(game, Path(tempfile.mkdtemp()))


class Situation(NamedTuple):
    """A legal entry, and the table right before it."""

    before: Snapshot
    campaign: Campaign
    action: Action
    phase: str

    def replay(self) -> Replay[Any]:
        """A replay of its own that stands there."""
        return Replay(self.campaign, rulebook(self.campaign.game), start_snapshot=self.before)


@cache
def _stands(game: str, folder: Path) -> list[Situation]:
    """Legal entries in the moments in which random play reached them: of every verb and phase the first two and the
    last one."""
    rules = rulebook(game)
    law = rules.law
    assert law is not None
    begun = openings(game)
    by_verb: dict[tuple[str, str], list[Situation]] = {}
    for seed in SEEDS:
        campaign = _fresh(game, folder / f"{seed}")
        table = RandomTable(campaign, rules, seed, begun[seed % len(begun)])
        for _ in range(STEPS):
            phase = law.phase(table.replay.play) if law.phases else ""
            snapshot = Snapshot(table.replay)
            if not table.step():
                break
            action = table.replay.play.steps[-1].action
            several = by_verb.setdefault((action.verb, phase), [])
            several[2:] = [Situation(snapshot, campaign, action, phase)]
    return [situation for several in by_verb.values() for situation in several]


def _tried(situation: Situation, action: Action) -> Step:
    """An entry after a table's last one."""
    return situation.replay().do(action)


def _reports(step: Step, code: str) -> bool:
    return any(diagnostic.code == code for diagnostic in step.diagnostics)


def _names_in(action: Action, law: Law) -> Iterator[tuple[NameList, ScalarNode]]:
    for field in (*([action.main] if action.main else []), *action.fields.values()):
        value = getattr(action, field.attribute)
        if value is not field.default:
            for name_list in field.kind.name_lists(value):
                if name_list.role in law.roles:
                    for item in name_list.items:
                        for word in item:
                            yield name_list, word


def _with(value: Any, old: ScalarNode, new: str) -> Any:
    """A value in which one name stands for another."""
    if value is old:
        return old.like(new)
    if isinstance(value, MappingNode):
        mapping = MappingNode(
            (_with(key, old, new), _with(item, old, new)) for key, item in value.items()
        )
        mapping.__dict__.update(getattr(value, "__dict__", {}))
        return mapping
    if isinstance(value, dict):
        return {_with(key, old, new): _with(item, old, new) for key, item in value.items()}
    if isinstance(value, list):
        made_list = [_with(item, old, new) for item in value]
        return SequenceNode(made_list) if isinstance(value, SequenceNode) else made_list
    if isinstance(value, tuple):
        items = [_with(item, old, new) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def _exchanged(action: Action, old: ScalarNode, new: str) -> Action:
    """An entry that names somebody else."""
    exchanged = copy(action)
    exchanged.__dict__.clear()
    for name, value in vars(action).items():
        setattr(exchanged, name, value if name in ("source", "key") else _with(value, old, new))
    return exchanged


@pytest.mark.parametrize("game", LAWFUL)
@pytest.mark.slow
def test_whoever_lacks_a_need_is_told(game: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every name in a role, exchanged for everybody who does not meet a need of it."""
    rules = rulebook(game)
    law = rules.law
    assert law is not None
    met: set[tuple[str, str]] = set()
    missed: list[str] = []
    for situation in _stands(game, tmp_path_factory.getbasetemp() / f"law-{game}"):
        play = situation.replay().play
        if play.given:
            continue
        for name_list, word in _names_in(situation.action, law):
            role = law.roles[name_list.role]
            taken_ids = {
                subject_id_of(play, law, role, other_word)
                for item in name_list.items
                for other_word in item
            }
            for id, named in play.names.all.items():
                if (role.kinds and named.kind not in role.kinds) or id in taken_ids:
                    continue
                if role.resolves_to != PLAYER and named.kind == PLAYER:
                    continue
                need = first_unmet_need(play, role, id, includes_actor_needs=False)
                if need is None:
                    continue
                met.add((name_list.role, need.words))
                step = _tried(situation, _exchanged(situation.action, word, named.name))
                if not _reports(step, need.rule):
                    missed.append(
                        f"{situation.action.verb}: {named.name} ({name_list.role}: {need.words})"
                    )
    assert not missed, missed[:5]
    needs = {n.words for role in law.roles.values() for n in role.needs if not n.concerns_actor}
    assert needs <= {words for _, words in met} | {AT_TABLE.words}, "an opening would reach it"


@pytest.mark.parametrize("game", LAWFUL)
def test_nobody_acts_for_another(game: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Signed by every other player and by every character of theirs, where a role is one's own or a decider is
    somebody in particular. A decider may hold an entry in its own way (a turn may pass on): that is told mostly."""
    rules = rulebook(game)
    law = rules.law
    assert law is not None
    held: list[bool] = []
    silent: list[tuple[str, str, str]] = []
    for situation in _stands(game, tmp_path_factory.getbasetemp() / f"law-{game}"):
        play = situation.replay().play
        if play.given:
            continue
        action, decides = situation.action, situation.action.decides
        due: dict[str, str] = {}
        for name_list, word in _names_in(action, law):
            own = next(
                (need for need in law.roles[name_list.role].needs if need.concerns_actor), None
            )
            if own is not None:
                due[
                    player_named(play, subject_id_of(play, law, law.roles[name_list.role], word))
                ] = own.rule
        if decides is not None and decides.rule:
            entitled = law.deciders[decides.decider].find_actors(play, action)
            due |= {player_named(play, id): decides.rule for id in entitled}
        other_players = [player for player in play.seats if player not in due]
        signatures = [
            named.name
            for id, named in play.names.all.items()
            if player_named(play, id) in other_players
        ]
        for rule in set(due.values()):
            for name in signatures:
                foreign = _exchanged(action, ScalarNode(""), "")
                foreign.by = ScalarNode(name)
                step = _tried(situation, foreign)
                if decides is not None and law.deciders[decides.decider].check_actor is not None:
                    held.append(bool(step.diagnostics))
                elif not _reports(step, rule):
                    silent.append((action.verb, name, rule))
    assert not silent, silent[:5]
    assert 2 * sum(held) >= len(held)


@pytest.mark.parametrize("game", LAWFUL)
def test_a_verb_out_of_its_moment_is_told(
    game: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Every verb in every phase: told where its moment does not have the phase."""
    rules = rulebook(game)
    law = rules.law
    assert law is not None
    stands = _stands(game, tmp_path_factory.getbasetemp() / f"law-{game}")
    one_of = {situation.action.verb: situation for situation in stands}
    phases = {situation.phase: situation for situation in stands}
    for phase, at in phases.items():
        for verb, situation in one_of.items():
            moment = situation.action.moment
            if not moment.phases:
                continue
            replay: Replay[Any] = at.replay()
            if replay.play.given or replay.play.doubt is not None:
                continue
            step = replay.do(situation.action)
            refusal = (
                moment.refusals_by_phase.get(phase) or law.phases[phase].refusal or moment.refusal
            )
            diagnostics = [
                d
                for d in step.diagnostics
                if d.code == refusal.rule and d.kind in (DiagnosticKind.ILLEGAL, refusal.kind)
            ]
            if phase not in moment.phases:
                assert diagnostics, f"{verb} while {law.phases[phase].words}"


@pytest.mark.parametrize("game", LAWFUL)
def test_every_phase_has_its_date(game: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every phase but the one that play begins with names the entry that brought it: without it, a
    breach after a gap would be unknown for good."""
    law = rulebook(game).law
    assert law is not None
    stands = _stands(game, tmp_path_factory.getbasetemp() / f"law-{game}")
    dated: set[str] = set()
    for situation in stands:
        play = situation.replay().play
        began = phase_start(play, law, situation.phase) if law.phases else 0
        assert began <= len(play.steps)
        if began:
            dated.add(situation.phase)
    first = law.phase(Replay(_campaign(game), rulebook(game)).play)
    assert {situation.phase for situation in stands} - dated <= {first}


@pytest.mark.parametrize("game", LAWFUL)
def test_what_may_come_next_may_come_by_law(
    game: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No verb is offered in a moment in which it is refused."""
    rules = rulebook(game)
    law = rules.law
    assert law is not None
    for situation in _stands(game, tmp_path_factory.getbasetemp() / f"law-{game}"):
        play = situation.replay().play
        for option in rules.options(play):
            assert is_verb_allowed(law, play, rules.by_verb[option.verb]), (
                option.verb,
                situation.phase,
            )


def _doubled(value: Any, word: ScalarNode) -> Any:
    """A value in whose list of names one stands twice."""
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        if any(item is word for item in value):
            return type(value)([*value, word])
        return type(value)(_doubled(item, word) for item in value)
    if isinstance(value, dict):
        return {key: _doubled(item, word) for key, item in value.items()}
    return value


@pytest.mark.parametrize("game", LAWFUL)
def test_nobody_stands_twice_in_a_list(game: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """``[x, x]`` for every list in which nobody may stand twice, main values and lists within values too."""
    rules = rulebook(game)
    law = rules.law
    assert law is not None
    tried, occurring = set[str](), set[str]()
    for situation in _stands(game, tmp_path_factory.getbasetemp() / f"law-{game}"):
        play = situation.replay().play
        main = situation.action.main
        for field in (*([main] if main else []), *situation.action.fields.values()):
            value = getattr(situation.action, field.attribute)
            for name_list in field.kind.name_lists(value) if value is not field.default else ():
                role = law.roles.get(name_list.role)
                words = [word for item in name_list.items for word in item][:1]
                if role is None or not role.repeat_rule or not words:
                    continue
                twice = _exchanged(situation.action, ScalarNode(""), "")
                setattr(twice, field.attribute, _doubled(value, words[0]))
                if getattr(twice, field.attribute) == value:
                    continue  # a mapping, in which no key stands twice
                occurring.add(f"{situation.action.verb}: {field.name}")
                if subject_id_of(play, law, role, words[0]):
                    kinds = [diagnostic.kind for diagnostic in _tried(situation, twice).diagnostics]
                    assert {DiagnosticKind.ILLEGAL, DiagnosticKind.BOOKKEEPING} & {*kinds}, (
                        situation.action.verb,
                        kinds,
                    )
                    tried.add(f"{situation.action.verb}: {field.name}")
    assert len(tried) > 1 or len(occurring) < 2


@pytest.mark.parametrize("game", LAWFUL)
def test_somebody_unheard_of_is_told(game: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every name in a role, exchanged for one that nobody has: told once, or somebody new from there on."""
    law = rulebook(game).law
    assert law is not None
    for situation in _stands(game, tmp_path_factory.getbasetemp() / f"law-{game}"):
        for name_list, word in _names_in(situation.action, law):
            replay: Replay[Any] = situation.replay()
            step = replay.do(_exchanged(situation.action, word, "Xanthippe"))
            diagnostics = [
                d for d in step.diagnostics if "Xanthippe" in d.message and d.cause is None
            ]
            known_id = replay.play.names.find("Xanthippe")
            if diagnostics or law.roles[name_list.role].needs:
                assert len(diagnostics) == 1 or isinstance(known_id, Named), (
                    situation.action.verb,
                    diagnostics,
                )


@pytest.mark.parametrize("game", GAMES)
def test_a_figure_is_set_or_told(game: str, tmp_path: Path) -> None:
    """Every figure that can be set takes one step up and one down, or says why not; what it cannot be
    is told, and nothing is set."""
    rules = rulebook(game)
    table = RandomTable(_fresh(game, tmp_path), rules, 3, openings(game)[-1])
    for _ in range(40):
        if not table.step():
            break
    replay = table.replay
    play = replay.play
    tried = 0
    for name, measure in rules.by_measure.items():
        if measure.write is None:
            continue
        owners = [id for id, entity in play.names.all.items() if entity.kind in measure.kinds][:2]
        for id in owners if measure.kinds else [""]:

            def correct(value: str, name: str = name, id: str = id) -> list[Diagnostic]:
                figure = f'{{"{play.names.all[id].name}": "{value}"}}' if id else f'"{value}"'
                line = f'- {{"correct": "last", "to": {{"{name}": {figure}}}, "note": "why"}}'
                return replay.do(read_entry(line, table.decoder)).diagnostics

            was = measure.read(play, id)
            for wrong in ("a lot", "2.5") if isinstance(was, int) or measure.words else ():
                # Where the figure is a name, nobody is called so.
                codes = [d.code for d in correct(wrong)]
                assert codes in (["T60"], ["T50"]), (name, wrong)
                assert measure.read(play, id) == was
            if not isinstance(was, int):
                continue
            tried += 1
            for step in ("up 1", "down 1", str(was)):
                value_before = measure.read(play, id)
                corrected = correct(step)
                value_now = measure.read(play, id)
                assert isinstance(value_before, int)
                due = {"up 1": value_before + 1, "down 1": value_before - 1}.get(step, was)
                assert value_now == (value_before if corrected else due), (
                    name,
                    id,
                    step,
                    value_before,
                    value_now,
                )
            limits = measure.limits(play, id) if measure.limits is not None else Limits()
            for limit, by in ((limits.least, -1), (limits.most, 1)):
                if limit is not None:
                    value_kept = measure.read(play, id)
                    assert correct(str(limit + by)), (name, limit + by)
                    assert measure.read(play, id) == value_kept
    assert tried
