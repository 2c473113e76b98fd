"""Games whose verbs carry their guards and effects: what is tried here is generated from their declarations.

A new game of this kind needs nothing of its own here.
"""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest

from chronicle.campaigns import load
from chronicle.core.declare import TEXT, Action, bare
from chronicle.core.diagnostic import Finding
from chronicle.core.guards import violations
from chronicle.core.law import allows, entitled_to, player_named
from chronicle.core.names import PLAYER
from chronicle.core.play import Limits, Play
from chronicle.core.replay import Replay, play_on
from chronicle.core.snapshots import Snapshot
from chronicle.core.source import Entries, Items, Value, Word
from chronicle.games import GAMES, rulebook
from chronicle.testkit.cases import write_case
from chronicle.transcript.decode import Decoder
from chronicle.transcript.problems import Problems
from tests.games.places import ROOT
from tests.games.test_proof import cases_of

MODELS = [game for game in GAMES if rulebook(game).verbs]
WRONG = frozenset({Finding.UNREADABLE, Finding.ILLEGAL, Finding.BOOKKEEPING, Finding.SUSPICIOUS})


class Moment(NamedTuple):
    """An entry of a case that nothing was said against, and the replay right before it."""

    case: str
    before: Snapshot
    campaign: Any
    action: Action

    def replay(self) -> Replay[Any]:
        """A replay of its own that stands there."""
        return Replay(self.campaign, rulebook(self.campaign.game), start=self.before)


@cache
def moments(game: str, folder: Path) -> tuple[Moment, ...]:
    """Every legal entry of every case of a game that is one of its own verbs."""
    rules = rulebook(game)
    found: list[Moment] = []
    for number, case in enumerate(cases_of(game)):
        campaign = load(write_case(case, folder / str(number)))
        replay = Replay(campaign, rules)
        for _, action in play_on(replay):
            before = Snapshot(replay)
            told = len(replay.play.diagnostics)
            step = replay.do(action)
            clean = not replay.play.lost and not replay.play.holes.found and not action.under
            if len(replay.play.diagnostics) == told and clean and action.verb in rules.own_verbs:
                found.append(Moment(case.id, before, campaign, step.action))
    assert len(found) > 100
    return tuple(found)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the cases stand, once for all tests."""
    return tmp_path_factory.getbasetemp() / "guards"


def standing(play: Play[Any]) -> bytes:
    """All that a game remembers: its state, who is there, what every account holds."""
    state = (play.state, play.present, sorted(play.ledger.balances()), play.timeline.scenes)
    return pickle.dumps(state)


@pytest.mark.parametrize("game", MODELS)
def test_guards_change_nothing(game: str, folder: Path) -> None:
    """Every guard is asked twice before every legal entry: it says the same, and all stands as it did."""
    for moment in moments(game, folder / game):
        replay = moment.replay()
        play = replay.play
        replay.do(moment.action)
        before = standing(play)
        told = [list(violations(play, moment.action)) for _ in range(2)]
        assert told[0] == told[1], moment.case
        assert standing(play) == before, moment.case


@pytest.mark.parametrize("game", MODELS)
def test_a_verb_that_is_legal_is_offered(game: str, folder: Path) -> None:
    """What may come next has every verb that a case does without a word against it."""
    rules = rulebook(game)
    missed: dict[str, str] = {}
    for moment in moments(game, folder / game):
        play = moment.replay().play
        offered = {option.verb for option in rules.options(play)}
        verb = type(moment.action)
        if verb.offered is not None and verb.verb not in offered and not play.given:
            missed[f"{moment.case}: {verb.verb}"] = str(moment.action.source)
    assert not missed, missed


@pytest.mark.parametrize("game", MODELS)
def test_what_is_offered_is_accepted(game: str, folder: Path) -> None:
    """Every entry that is found lawful by trying is accepted when it is played."""
    rules = rulebook(game)
    law = rules.law
    assert law is not None
    from chronicle.core.moves import as_action, lawful_entries

    tried = 0
    for moment in moments(game, folder / game)[::7]:
        play = moment.replay().play
        for verb in rules.verbs:
            for typed, _ in list(lawful_entries(play, law, verb))[:3]:
                action = as_action(verb, typed)
                step = moment.replay().do(action)
                told = [one for one in step.diagnostics if one.finding in WRONG]
                assert not told, (moment.case, typed, [one.message for one in told])
                tried += 1
    assert tried > 100


@pytest.mark.parametrize("game", MODELS)
def test_nobody_signs_for_another(game: str, folder: Path) -> None:
    """Every entry that is somebody's in particular, signed by every other player and every character of theirs."""
    law = rulebook(game).law
    assert law is not None
    tried = 0
    for moment in moments(game, folder / game):
        decides = moment.action.decides
        if decides is None or not decides.rule:
            continue
        play = moment.replay().play
        if play.given:
            continue
        entitled = entitled_to(play, moment.action, law.deciders[decides.decider])
        wrong = [
            named.name
            for id, named in play.names.all.items()
            if player_named(play, id) not in ("", *entitled)
        ]
        for name in wrong if entitled else ():
            step = moment.replay().do(signed(moment.action, name))
            assert decides.rule in {one.code for one in step.diagnostics}, (moment.case, name)
            tried += 1
    assert tried > 50


def signed(action: Action, name: str) -> Action:
    """The same entry with another signature."""
    copy = type(action)()
    copy.__dict__.update(vars(action))
    copy.by = Word(name)
    return copy


# --- no key in silence ----------------------------------------------------------------------------


def leaves(value: Value, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Word]]:
    """Every scalar in a value that is no key, with the way to it."""
    if isinstance(value, Word):
        yield path, value
    elif isinstance(value, Items):
        for number, item in enumerate(value):
            yield from leaves(item, (*path, number))
    else:
        for key, item in value.items():
            yield from leaves(item, (*path, key))


def replaced(value: Value, path: tuple[Any, ...], text: str) -> Value:
    """The value with another text at the end of a way."""
    if not path:
        assert isinstance(value, Word)
        return value.like(text)
    first, *rest = path
    if isinstance(value, Items):
        items = (replaced(v, tuple(rest), text) if n == first else v for n, v in enumerate(value))
        return placed_like(Items(items), value)
    assert isinstance(value, Entries)
    pairs = ((k, replaced(v, tuple(rest), text) if k is first else v) for k, v in value.items())
    return placed_like(Entries(pairs), value)


M = TypeVar("M", Items, Entries)


def placed_like(value: M, other: Items | Entries) -> M:
    """A value at the place of another one."""
    value.line, value.column = other.line, other.column
    value.end_line, value.end_column = other.end_line, other.end_column
    return value


def instead(word: Word, play: Play[Any]) -> Iterator[str]:
    """Other values for a scalar: another number, the opposite, another name, other words."""
    text = word.strip().casefold()
    if text.lstrip("+-").isdigit():
        yield str(int(text) + 1)
    elif text in ("yes", "no"):
        yield "no" if text == "yes" else "yes"
    elif set(text) <= set("+o-") and text:
        yield "o" * len(text) if text != "o" * len(text) else "+" * len(text)
    else:
        named = play.look_up(word, ())
        if named is None:
            yield "Something else"
        yield from (one.name for one in play.names.all.values() if named and one.name != named.name)


def outcome(replay: Replay[Any], action: Action) -> tuple[object, ...]:
    """What an entry comes to: what is told, what is found, how things stand."""
    step = replay.do(action)
    return (
        step.headline, step.fiction, step.talk, step.player, step.contest, [*step.events],
        list(action.told()), [one.message for one in step.diagnostics],
        sorted(replay.play.ledger.balances()), repr(replay.play.state), repr(replay.play.timeline.scenes),
        [(one.id, one.name) for one in replay.play.names.all.values()],
    )  # fmt: skip


@pytest.mark.parametrize("game", MODELS)
def test_no_key_is_silent(game: str, folder: Path) -> None:
    """Every value of every key of every legal entry, exchanged for another: something differs, or is told."""
    decoder = Decoder(rulebook(game).by_verb)
    silent: dict[str, str] = {}
    seen: dict[str, int] = {}
    for moment in moments(game, folder / game):
        action = moment.action
        usual = outcome(moment.replay(), action)
        for path, word in leaves(action.source):
            key = f"{action.verb}: {path[0]}"
            seen[key] = seen.get(key, 0) + 1
            if seen[key] > 12:
                continue
            others = [*instead(word, moment.replay().play)][:3]
            came: list[bool] = []
            for other in others:
                problems = Problems()
                tree = Items([replaced(action.source, path, other)])
                read = decoder.entries(tree, action.path, action.session, problems)
                came.append(
                    bool(problems) or not read or outcome(moment.replay(), read[0]) != usual
                )
            if others and not any(came):
                silent[key] = f"{moment.case}: {word} -> {others}"
    assert not silent, silent


@pytest.mark.parametrize("game", MODELS)
def test_an_empty_text_counts_as_absent(game: str, folder: Path) -> None:
    """An empty text under a key that takes one does what the entry does without the key, or is told."""
    decoder = Decoder(rulebook(game).by_verb)
    tried = 0
    for moment in moments(game, folder / game):
        action = moment.action
        for field in (*((action.main,) if action.main else ()), *action.fields.values()):
            key = action.source.key(field.name)
            if key is None or bare(field.kind) is not TEXT:
                continue
            empty = Word("", 1, 1, 1, 3, '"')
            problems = Problems()
            entry = Entries((k, empty if k is key else v) for k, v in action.source.items())
            tree = Items([placed_like(entry, action.source)])
            read = decoder.entries(tree, action.path, action.session, problems)
            assert problems or getattr(read[0], field.attribute) == field.default, (
                moment.case,
                key,
            )
            tried += 1
    assert tried > 50


# --- one gate an effect ---------------------------------------------------------------------------


def gates(game: str) -> dict[str, set[str]]:
    """The functions of a game that book a movement, by the account that they book."""
    found: dict[str, set[str]] = {}
    for file in (ROOT / "chronicle" / "games" / game.replace("-", "_")).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            for call in ast.walk(node):
                if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                    continue
                for text in ast.walk(call) if call.func.attr in ("move", "pay", "empty") else ():
                    if isinstance(text, ast.Constant) and str(text.value).endswith(":"):
                        found.setdefault(str(text.value), set()).add(node.name)
    return found


@pytest.mark.parametrize("game", MODELS)
def test_no_verb_gets_past_a_limit(game: str, folder: Path) -> None:
    """Every verb that moves a figure, played where the figure stands at its lowest or its highest already: it is
    told, or the figure stays within its limits."""
    rules = rulebook(game)
    matrix: set[tuple[str, str]] = set()
    for moment in moments(game, folder / game):
        replay = moment.replay()
        before = {a: n for a, _, n in replay.play.ledger.balances()}
        replay.do(moment.action)
        for account, unit, now in [*replay.play.ledger.balances()]:
            kind, _, id = account.partition(":")
            measure = rules.by_measure.get(kind)
            if not id or measure is None or now == before.get(account, 0):
                continue
            matrix.add((moment.action.verb, kind))
            again = moment.replay()
            play = again.play
            limits = measure.limits(play, id) if measure.limits is not None else Limits(0)
            edge = limits.least if now < before.get(account, 0) else limits.most
            if edge is None or measure.write is None:
                continue
            measure.write(play, id, str(edge))
            told = again.do(moment.action).diagnostics
            figure = play.balance(account, unit)
            assert told or limits.hold(figure), (moment.case, moment.action.verb, account, figure)
    assert {verb for verb, _ in matrix}


@pytest.mark.parametrize("game", MODELS)
def test_every_sentence_names_whom_it_is_about(game: str, folder: Path) -> None:
    """Every entry of a verb comes with one plain sentence; names in it are marked, and nobody is nameless."""
    for moment in moments(game, folder / game):
        step = moment.replay().do(moment.action)
        assert step.sentence, moment.case
        for part in step.sentence:
            if not isinstance(part, str):
                assert part.id in moment.replay().play.names.all or step.events, (moment.case, part)


@pytest.mark.parametrize("game", MODELS)
def test_no_wrong_phase_is_offered(game: str, folder: Path) -> None:
    rules = rulebook(game)
    law = rules.law
    assert law is not None
    for moment in moments(game, folder / game)[::5]:
        play = moment.replay().play
        for option in rules.options(play):
            assert allows(law, play, rules.by_verb[option.verb])
            assert not option.by or play.names.all[option.by].kind == PLAYER
