"""Checks that are generated from the declarations of a game: guards, roles, keys, actors, figures, sentences.

They apply to games whose verbs carry their guards and effects. Each looks at the legal entries of the cases, at the
moment at which they are played.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeVar

from chronicle.campaigns import load
from chronicle.core.answers import Limits
from chronicle.core.campaign import Campaign
from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.field_types import TEXT, FieldType, OrUnrecorded, role_of, roleless
from chronicle.core.game import Game
from chronicle.core.game_context import GameContext
from chronicle.core.guards import violations
from chronicle.core.law import Law, entitled_to, is_verb_allowed, player_named
from chronicle.core.misread import Misread
from chronicle.core.moves import lawful_entries, make_action
from chronicle.core.names import PLAYER
from chronicle.core.ranges import CannotTell
from chronicle.core.replay import Replay, entries_from
from chronicle.core.sentences import plain
from chronicle.core.snapshots import Snapshot
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.games import is_built_in, trace_fault
from chronicle.syntax.decode import Decoder
from chronicle.syntax.problems import Problems
from chronicle.testkit.cases import Case, write_case
from chronicle.testkit.random_play import entry_text, read_entry
from chronicle.testkit.sources import Sources

OBJECTIONS: Final = frozenset(
    {
        DiagnosticKind.UNREADABLE,
        DiagnosticKind.ILLEGAL,
        DiagnosticKind.BOOKKEEPING,
        DiagnosticKind.SUSPICIOUS,
    }
)
"""Kinds of problems that an entry which Chronicle itself proposes does not have."""
MOST_TRIES: Final = 12
"""How many values of one key of one verb are exchanged."""


class Moment(NamedTuple):
    """A legal entry of a case, and the replay right before it."""

    case: str
    before: Snapshot
    campaign: Campaign
    action: Action
    rules: Game[Any]

    def replay(self) -> Replay[Any]:
        """A separate replay up to this moment."""
        return Replay(self.campaign, self.rules, start_snapshot=self.before)


class Moments:
    """The moments of a game: each legal entry of a case whose verb carries its guards and its effect."""

    def __init__(self, rules: Game[Any], cases: Sequence[Case]) -> None:
        self.rules = rules
        self.cases = cases

    @cached_property
    def all(self) -> tuple[Moment, ...]:
        """All moments, in the order of the cases."""
        with TemporaryDirectory(prefix="chronicle-game-") as scratch_folder:
            return tuple(self._replayed(Path(scratch_folder)))

    def _replayed(self, scratch_folder: Path) -> Iterator[Moment]:
        for number, case in enumerate(self.cases):
            campaign = load(write_case(case, scratch_folder / str(number)))
            replay = Replay(campaign, self.rules)
            for _, action in entries_from(replay):
                before = Snapshot(replay)
                reported = len(replay.play.diagnostics)
                step = replay.do(action)
                is_certain = not replay.play.unreadable_problems and not replay.play.gaps.all_gaps
                is_legal = len(replay.play.diagnostics) == reported and not action.under
                if is_certain and is_legal and type(action) in self.rules.verbs:
                    yield Moment(case.id, before, campaign, step.action, self.rules)


# -- guards and moves ------------------------------------------------------------------------------


def check_guards(moments: Moments) -> Iterator[str]:
    """A guard changes nothing: asked twice, it gives the same answer."""
    named: set[str] = set()
    for moment in moments.all:
        replay = moment.replay()
        play, action = replay.play, moment.action
        replay.do(action)
        memory_before = _memory(play)
        answers = [list(violations(play, action)) for _ in range(2)]
        if answers[0] == answers[1] and _memory(play) == memory_before:
            continue
        place, guards = _changing_guards(play, action, moments.rules)
        if guards not in named:
            named.add(guards)
            yield f"{place}{guards} of '{action.verb}' changes something: a guard only tells ({moment.case})"


def _changing_guards(play: GameContext[Any], action: Action, rules: Game[Any]) -> tuple[str, str]:
    """The place and the name of the first guard that changes the state; *a guard* if that cannot be told."""
    for name, _ in action.guards:
        memory_before = _memory(play)
        with suppress(CannotTell):
            verdict = getattr(action, name)(play)
            if isinstance(verdict, Iterator):
                list(verdict)
        if _memory(play) != memory_before:
            return Sources(rules).of_function(getattr(type(action), name)), name
    return "", "a guard"


def _memory(play: GameContext[Any]) -> bytes:
    """All that a game remembers: its state, the players present, balances and scenes."""
    state = (play.state, play.present, sorted(play.ledger.balances()), play.timeline.scenes)
    return pickle.dumps(state)


def check_moves(moments: Moments) -> Iterator[str]:
    """A verb that a case plays legally is offered at that moment, in its phase, to a player."""
    law = moments.rules.law
    played = {moment.action.verb for moment in moments.all}
    for verb in moments.rules.verbs:
        if verb.offered is not None and verb.verb not in played:
            yield f"no case plays '{verb.verb}' without a problem"
    for moment in moments.all:
        play = moment.replay().play
        options = moments.rules.options(play)
        action = moment.action
        is_offered = action.verb in {option.verb for option in options}
        if action.offered is not None and not play.given and not is_offered:
            yield (
                f"{moment.case}: '{action.verb}' is legal and not offered: {action.source}. "
                f"{_why_not_offered(type(action), moments.rules)}"
            )
        for option in options:
            if law is not None and not is_verb_allowed(
                law, play, moments.rules.by_verb[option.verb]
            ):
                yield f"{moment.case}: '{option.verb}' is offered in a phase in which it is refused"
            if option.by and play.names.all[option.by].kind != PLAYER:
                yield f"{moment.case}: '{option.verb}' is offered to '{option.by}', who is no player"


def _why_not_offered(verb: type[Action], rules: Game[Any]) -> str:
    """How a verb comes to be offered, in words."""
    # A method of the class object is bound, so its function tells whether the verb has its own.
    if verb.candidates.__func__ is Action.candidates.__func__:  # type: ignore[attr-defined]
        return "Chronicle tries one value of each text, choice and die; where that is not enough, give  candidates"
    place = Sources(rules).of_attribute(verb, "candidates")
    return f"{place}its  candidates  give no entry that is legal then"


def check_offered(moments: Moments) -> Iterator[str]:
    """The candidates of a verb can be read. An entry that Chronicle finds lawful by trying is accepted when it is
    played."""
    unreadable: dict[str, str] = {}
    law, decoder = moments.rules.law, Decoder(moments.rules.by_verb)
    if law is None:
        return
    for moment in moments.all[:: max(1, len(moments.all) // 60)]:
        play = moment.replay().play
        for verb in moments.rules.verbs:
            if verb.offered is None:
                continue
            for typed in verb.candidates(play) or ():
                try:
                    make_action(verb, typed)
                except Misread as error:
                    place = Sources(moments.rules).of_attribute(verb, "candidates")
                    key = f"{place}the candidates of '{verb.verb}' hold {dict(typed)}: {error.message}"
                    unreadable.setdefault(key, moment.case)
            for typed, _ in list(lawful_entries(play, law, verb))[:3]:
                step = moment.replay().do(read_entry(entry_text(dict(typed)), decoder))
                for problem in step.diagnostics:
                    if problem.kind in OBJECTIONS:
                        yield f"{moment.case}: {dict(typed)} is offered: {problem.code} {problem.message}"
    yield from (f"{line} ({case})" for line, case in unreadable.items())


def check_signatures(moments: Moments) -> Iterator[str]:
    """An entry that belongs to one player, signed by any other player or character, is reported; an entry
    without a player does not need one."""
    law = moments.rules.law
    yield from _nobody_acts(moments)
    for moment in moments.all:
        decides = moment.action.decides
        play = moment.replay().play
        if law is None or decides is None or not decides.rule or play.given:
            continue
        entitled = entitled_to(play, moment.action, law.deciders[decides.decider])
        for id, named in play.names.all.items() if entitled else ():
            if player_named(play, id) in ("", *entitled):
                continue
            step = moment.replay().do(_signed(moment.action, named.name))
            if decides.rule not in {problem.code for problem in step.diagnostics}:
                yield f"{moment.case}: '{moment.action.verb}' signed by {named.name} is not reported"


def _nobody_acts(moments: Moments) -> Iterator[str]:
    """The verbs without a decider whose sentence needs an actor, although they can be written without ``by``."""
    reported: set[str] = set()
    for moment in moments.all:
        action = moment.action
        by = action.fields["by"]
        if (
            by.required
            or action.decides is not None
            or action.by is None
            or action.verb in reported
        ):
            continue
        unsigned = _copy_of(action)
        unsigned.by = None
        said_before = plain(moment.replay().do(action).sentence)
        step = moment.replay().do(unsigned)
        words = plain(step.sentence)
        if not step.player and "omebody" in words and "omebody" not in said_before:
            reported.add(action.verb)
            yield (
                f"{Sources(moments.rules).of_class(type(action))}'{action.verb}' may be written without  by, and then "
                f"its sentence is: {words} Declare  by = api.required(...),  or name a decider ({moment.case})"
            )


def check_gaps(moments: Moments) -> Iterator[str]:
    """After a gap no player is accused of acting out of turn: the turn may have passed to any player. Who decides for
    good (the GM, a character's player) is still the one who does. In a game plug-in, an entry with an unrecorded value
    can be played where that is allowed."""
    if not is_built_in(moments.rules.name):
        yield from _fails_unrecorded(moments)
    law, decoder = moments.rules.law, Decoder(moments.rules.by_verb)
    gap = read_entry("- gap: the record is silent here", decoder)
    for moment in moments.all:
        decides, play = moment.action.decides, moment.replay().play
        if law is None or decides is None or not decides.rule or play.given:
            continue
        if law.deciders[decides.decider].is_certain:
            continue
        for player in play.present:
            replay = moment.replay()
            replay.do(gap)
            step = replay.do(_signed(moment.action, player))
            accusing = [
                diagnostic for diagnostic in step.diagnostics if diagnostic.code == decides.rule
            ]
            if any(
                diagnostic.kind in OBJECTIONS and diagnostic.cause is None
                for diagnostic in accusing
            ):
                yield f"{moment.case}: after a gap '{moment.action.verb}' signed by {player} is reported"


def _fails_unrecorded(moments: Moments) -> Iterator[str]:
    """The keys that may be ``unrecorded`` and whose verb fails without the value."""
    tried: set[tuple[str, str]] = set()
    for moment in moments.all:
        action = moment.action
        for attribute, kind in _kinds_by_attribute(type(action)).items():
            is_new = (action.verb, attribute) not in tried
            if not isinstance(roleless(kind), OrUnrecorded) or not is_new:
                continue
            tried.add((action.verb, attribute))
            unrecorded = _copy_of(action)
            setattr(unrecorded, attribute, None)
            try:
                moment.replay().do(unrecorded)
            except Exception as error:
                yield (
                    f"'{action.verb}' fails if {attribute} is unrecorded, and so None: {type(error).__name__}: {error} "
                    f"({trace_fault(error).place}; {moment.case})"
                )


def _kinds_by_attribute(verb: type[Action]) -> dict[str, FieldType[Any]]:
    fields = (*((verb.main,) if verb.main is not None else ()), *verb.fields.values())
    return {field.attribute: field.kind for field in fields}


def _signed(action: Action, name: str) -> Action:
    """The same entry with another signature."""
    copy = _copy_of(action)
    copy.by = ScalarNode(name)
    return copy


def _copy_of(action: Action) -> Action:
    copy = type(action)()
    copy.__dict__.update(vars(action))
    return copy


def check_sentences(moments: Moments) -> Iterator[str]:
    """Each entry has one sentence, whose marked names exist."""
    for moment in moments.all:
        replay = moment.replay()
        step = replay.do(moment.action)
        if not step.sentence:
            yield f"{moment.case}: '{moment.action.verb}' has no sentence"
        for part in step.sentence:
            if not isinstance(part, str) and part.id not in replay.play.names.all:
                yield f"{moment.case}: the sentence of '{moment.action.verb}' marks '{part.id}', who is unknown"


# -- no key in silence -----------------------------------------------------------------------------


def check_keys(moments: Moments) -> Iterator[str]:
    """No key is silent: with another value for any key of a legal entry, something differs or is reported."""
    decoder = Decoder(moments.rules.by_verb)
    silent: dict[str, str] = {}
    tries: dict[str, int] = {}
    for moment in moments.all:
        action = moment.action
        usual = _results(moment.replay(), action)
        for path, word in _leaves(action.source):
            if path[0] == "id":
                continue  # Only later entries use it.
            key = f"{action.verb}: {path[0]}"
            tries[key] = tries.get(key, 0) + 1
            if tries[key] > MOST_TRIES:
                continue
            values = [*_other_values(word, moment.replay().play)][:3]
            if values and not any(
                _makes_a_difference(moment, decoder, path, value, usual) for value in values
            ):
                silent[key] = f"{moment.case}: {word} -> {values}"
    yield from (
        f"{key} is silent: with another value nothing differs and nothing is reported. Say the value in  sentence, "
        f"or let  apply  or a guard use it; remove a key that nobody needs ({example})"
        for key, example in silent.items()
    )


def _makes_a_difference(
    moment: Moment,
    decoder: Decoder,
    path: tuple[Any, ...],
    value: str,
    usual: tuple[object, ...],
) -> bool:
    action = moment.action
    problems = Problems()
    tree = SequenceNode([_replaced(action.source, path, value)])
    actions = decoder.decode_entries(tree, action.path, action.session, problems)
    return bool(problems) or not actions or _results(moment.replay(), actions[0]) != usual


def _leaves(
    value: Value, keys: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], ScalarNode]]:
    """Every scalar in a value that is no key, with the keys and indexes that lead to it."""
    if isinstance(value, ScalarNode):
        yield keys, value
    elif isinstance(value, SequenceNode):
        for number, item in enumerate(value):
            yield from _leaves(item, (*keys, number))
    else:
        for key, item in value.items():
            yield from _leaves(item, (*keys, key))


def _replaced(value: Value, keys: tuple[Any, ...], text: str) -> Value:
    """The value with another text below these keys and indexes."""
    if not keys:
        assert isinstance(value, ScalarNode)
        return value.like(text)
    first_key, *keys_below = keys
    if isinstance(value, SequenceNode):
        items = (
            _replaced(v, tuple(keys_below), text) if n == first_key else v
            for n, v in enumerate(value)
        )
        return _placed_like(SequenceNode(items), value)
    assert isinstance(value, MappingNode)
    pairs = (
        (k, _replaced(v, tuple(keys_below), text) if k is first_key else v)
        for k, v in value.items()
    )
    return _placed_like(MappingNode(pairs), value)


M = TypeVar("M", SequenceNode, MappingNode)


def _placed_like(value: M, original: SequenceNode | MappingNode) -> M:
    """A value at the place of another value."""
    value.line, value.column = original.line, original.column
    value.end_line, value.end_column = original.end_line, original.end_column
    return value


def _other_values(word: ScalarNode, play: GameContext[Any]) -> Iterator[str]:
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
        for candidate in play.names.all.values():
            if named is not None and candidate.name != named.name:
                yield candidate.name


def _results(replay: Replay[Any], action: Action) -> tuple[object, ...]:
    """The results of an entry: its words, its problems, the state after it."""
    step = replay.do(action)
    play = replay.play
    return (
        step.headline, step.fiction, step.talk, step.player, step.contest, [*step.events],
        list(action.told()), [problem.message for problem in step.diagnostics],
        sorted(play.ledger.balances()), repr(play.state), repr(play.timeline.scenes),
        [(named.id, named.name) for named in play.names.all.values()],
        [(secret.secret_id, secret.value) for secret in play.vault.secrets.values()],
    )  # fmt: skip


def check_empty_texts(moments: Moments) -> Iterator[str]:
    """An empty text under a key counts as absent, or is reported."""
    decoder = Decoder(moments.rules.by_verb)
    for moment in moments.all:
        action = moment.action
        for field in (*((action.main,) if action.main else ()), *action.fields.values()):
            key = action.source.key(field.name)
            if key is None or roleless(field.kind) is not TEXT:
                continue
            empty = ScalarNode("", 1, 1, 1, 3, '"')
            problems = Problems()
            entry = MappingNode((k, empty if k is key else v) for k, v in action.source.items())
            tree = SequenceNode([_placed_like(entry, action.source)])
            actions = decoder.decode_entries(tree, action.path, action.session, problems)
            if not problems and getattr(actions[0], field.attribute) != field.default:
                yield f"{moment.case}: an empty '{field.name}' of '{action.verb}' counts as a text"


# -- figures ---------------------------------------------------------------------------------------


def check_new_names(moments: Moments) -> Iterator[str]:
    """A second person or object of one sort and name is reported; without that, the two silently become one."""
    reported: set[str] = set()
    for moment in moments.all:
        action, play = moment.action, moment.replay().play
        keys = [
            field.name
            for field in (*((action.main,) if action.main else ()), *action.fields.values())
            if field.attribute not in Action.fields and role_of(field.kind) == ""
        ]
        if not keys or action.verb in reported:
            continue
        names_before = len(play.names.all)
        replay = moment.replay()
        first_player = replay.do(action).player
        names_between = len(replay.play.names.all)
        if names_between == names_before:
            continue
        for player in _others_who_may(replay.play, moments.rules.law, action, first_player):
            second = moment.replay()
            second.do(action)
            problems = second.do(_signed(action, player)).diagnostics
            if not problems and len(second.play.names.all) == names_between:
                reported.add(action.verb)
                place = Sources(moments.rules).of_attribute(type(action), "verb")
                yield (
                    f"{place}'{action.verb}' gives the same name twice, and both are one and the same: declare  "
                    f"{keys[0]}  with  api.new_name(sort, rule),  or report it in a guard ({moment.case})"
                )
                break


def _others_who_may(
    play: GameContext[Any], law: Law | None, action: Action, first_player: str
) -> list[str]:
    """The players beside the first one who may write such an entry now."""
    decides = action.decides
    players = [player for player in play.present if player != first_player]
    if law is None or decides is None:
        return players
    entitled = entitled_to(play, action, law.deciders[decides.decider])
    return [player for player in players if not entitled or player in entitled]


def check_limits(moments: Moments) -> Iterator[str]:
    """A verb that moves a figure, played where the figure is at its limit already, is reported or keeps the limit."""
    for moment in moments.all:
        replay = moment.replay()
        balances_before = {account: number for account, _, number in replay.play.ledger.balances()}
        replay.do(moment.action)
        for account, unit, balance in [*replay.play.ledger.balances()]:
            kind, _, id = account.partition(":")
            measure = moments.rules.by_measure.get(kind)
            if not id or measure is None or balance == balances_before.get(account, 0):
                continue
            second = moment.replay()
            limits = measure.limits(second.play, id) if measure.limits is not None else Limits(0)
            edge = limits.least if balance < balances_before.get(account, 0) else limits.most
            if edge is None or measure.write is None:
                continue
            measure.write(second.play, id, str(edge))
            problems = second.do(moment.action).diagnostics
            figure = second.play.balance(account, unit)
            if not problems and not limits.allows(figure):
                yield f"{moment.case}: '{moment.action.verb}' sets {account} to {figure}, beyond its limit"


GUARD_CHECKS: Final = {
    "guards": check_guards,
    "moves": check_moves,
    "offered moves": check_offered,
    "signatures": check_signatures,
    "gaps": check_gaps,
    "sentences": check_sentences,
    "keys": check_keys,
    "empty texts": check_empty_texts,
    "new names": check_new_names,
    "limits": check_limits,
}
"""The checks of games whose verbs carry their guards and effects."""
