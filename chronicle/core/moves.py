"""Legal moves, derived from the law and the guards.

A verb is excluded by its phase first, which is cheap. Then its candidates are tried, one after the other,
with the law and the guards and without any effect. The verb's keys and their roles give the candidates;
where that is not possible, the verb gives its own (:meth:`~chronicle.core.declare.Action.candidates`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final

from chronicle.core.answers import Move
from chronicle.core.declare import Action, Field
from chronicle.core.diagnostic import did_you_mean
from chronicle.core.errors import GameCodeError
from chronicle.core.field_types import (
    NAME,
    TEXT,
    YES_NO,
    Choice,
    Context,
    FieldType,
    MapOf,
    OneOrMany,
    OrUnrecorded,
    role_of,
    roleless,
)
from chronicle.core.game_context import GameContext
from chronicle.core.guards import check_guards, resolve_names
from chronicle.core.house_rules import MAY_POINT, check_permission
from chronicle.core.law import (
    CheckPlan,
    Law,
    Role,
    actor_by_law,
    check_law,
    check_plan_of,
    first_unmet_need,
    is_verb_allowed,
)
from chronicle.core.misread import Misread
from chronicle.core.names import PLAYER
from chronicle.core.play_field_types import FacesKind
from chronicle.core.record import Step
from chronicle.core.reporter import TrialRefused
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value

if TYPE_CHECKING:
    from random import Random

MAX_ENTRIES_PER_VERB = 12
"""Maximum number of legal entries that are searched for each verb."""
SAMPLE_PHRASES = (
    "She never said that",
    "It was the summer before",
    "Everybody knew but you",
    "I was there, and it rained",
)
"""Words for a key that takes any text."""

TypedEntry = Mapping[str, Any]
"""An entry as a user would type it: the verb and its value, then further keys."""


def legal_moves(play: GameContext[Any], law: Law, verbs: Iterable[type[Action]]) -> list[Move]:
    """The possible next actions: an option for each verb and each player who may perform it. Verbs of a higher
    weight come first, others in their order."""
    options: list[Move] = []
    offered_verbs = [verb for verb in verbs if verb.offered is not None]
    for verb in sorted(offered_verbs, key=_verb_weight, reverse=True):
        by_actor: dict[str, list[TypedEntry]] = {}
        for typed_entry, actor in islice(lawful_entries(play, law, verb), MAX_ENTRIES_PER_VERB):
            by_actor.setdefault(actor, []).append(typed_entry)
        options += [_make_option(verb, actor, entries) for actor, entries in by_actor.items()]
    return options


def _verb_weight(verb: type[Action]) -> int:
    """How early a verb is proposed."""
    return verb.offered.weight if verb.offered is not None else 0


def _make_option(verb: type[Action], actor: str, entries: list[TypedEntry]) -> Move:
    move_offer = verb.offered
    assert move_offer is not None

    def make_entry(rng: Random) -> dict[str, Any]:
        return dict(rng.choice(entries))

    return Move(
        verb.verb,
        actor,
        move_offer.hint,
        move_offer.rule,
        make_entry,
        move_offer.price,
        move_offer.is_rare,
        already_happened=move_offer.already_happened,
    )


def lawful_entries(
    play: GameContext[Any], law: Law, verb: type[Action]
) -> Iterator[tuple[TypedEntry, str]]:
    """Every legal entry of a verb among its candidates, lazily, each with the actor (empty: the group): by the
    law and the guards of the verb. A candidate that is no value of its key is left out: after an entry that
    could not be read, a name may be missing."""
    if not is_verb_allowed(law, play, verb):
        return
    plan = check_plan_of(verb, law)
    own_candidates = verb.candidates(play)
    step_number, session = len(play.steps) + 1, play.steps[-1].session if play.steps else 1
    for typed_entry in (
        usual_candidates(play, law, verb)
        if own_candidates is None
        else _completed(play, law, verb, own_candidates)
    ):
        try:
            action = make_action(verb, typed_entry)
        except Misread:
            continue
        step = Step(step_number, action, session, play.anchors)
        if _is_lawful(play, law, plan, action, step):
            yield typed_entry, step.player


def _is_lawful(
    play: GameContext[Any], law: Law, plan: CheckPlan | None, action: Action, step: Step
) -> bool:
    """Whether law and guards accept an entry. Nothing is changed."""
    previous_step, previous_questions = play.work_on(step), play.is_between_entries
    play.is_testing_move = play.is_between_entries = True
    try:
        if action.by is not None:
            step.player = play.look_up_player(action.by)
        else:
            step.player = actor_by_law(play, action, law)
        if step.player in play.seats and step.player not in play.present:
            return False
        resolve_names(play, action, law)
        if plan is not None:
            check_law(play, action, law, plan)
        if step.player and MAY_POINT.name in play.adopted_rules.rules_by_point:
            check_permission(play, action.verb)
        check_guards(play, action)
    except TrialRefused:
        return False
    finally:
        play.is_testing_move, play.is_between_entries = False, previous_questions
        play.work_on(previous_step)
    return True


# --- candidates -----------------------------------------------------------------------------------


def usual_candidates(play: GameContext[Any], law: Law, verb: type[Action]) -> Iterator[TypedEntry]:
    """Entries of a verb with names that fit the roles of its keys, and a phrase for a text."""
    move_offer = verb.offered
    tried_keys = move_offer.tries if move_offer is not None else ()
    fields = [
        field
        for field in (*((verb.main,) if verb.main is not None else ()), *verb.fields.values())
        if field is verb.main
        or field.required
        or field.name in tried_keys
        or (field.name == "by" and role_of(field.kind))
    ]
    return _combinations(play, law, fields)


def _combinations(
    play: GameContext[Any], law: Law, fields: Sequence[Field]
) -> Iterator[dict[str, Any]]:
    """Every combination of the values that may fit some keys now."""
    names = [field.name for field in fields]
    values_by_field = [[*_fitting_values(play, law, field.kind)] for field in fields]
    for number, combination in enumerate(product(*values_by_field)):
        yield {
            name: SAMPLE_PHRASES[number % len(SAMPLE_PHRASES)] if value is None else value
            for name, value in zip(names, combination, strict=True)
        }


def _completed(
    play: GameContext[Any], law: Law, verb: type[Action], candidates: Iterable[object]
) -> Iterator[TypedEntry]:
    """The candidates that a verb gives, with values for the required keys that they leave out.

    Raises:
        GameCodeError: if a candidate is no entry of the verb.
    """
    for candidate in candidates:
        if not isinstance(candidate, Mapping):
            raise GameCodeError(
                f"the candidates of '{verb.verb}' hold {candidate!r}: give entries, each a mapping of keys to values",
                verb.candidates,
            )
        for key in candidate:
            if key not in verb.field_readers:
                raise GameCodeError(
                    f"the candidates of '{verb.verb}' hold {candidate!r}: no key '{key}'"
                    f"{did_you_mean(key, [*verb.field_readers])}",
                    verb.candidates,
                )
        missing = [
            field
            for field in verb.fields.values()
            if field.required and field.name not in candidate and is_guessable(field.kind)
        ]
        if not missing:
            yield candidate
            continue
        for values in _combinations(play, law, missing):
            yield {**candidate, **values}


def _fitting_values(play: GameContext[Any], law: Law, kind: FieldType[Any]) -> Iterator[Any]:
    """Values of a kind that may fit now; None means any text. A name without a role is a new name; of dice,
    one value is tried."""
    role, bare_kind = role_of(kind), roleless(kind)
    if isinstance(bare_kind, OrUnrecorded):
        yield from _fitting_values(play, law, bare_kind.kind)
    elif role:
        yield from fitting_names(play, law.roles[role])
    elif isinstance(bare_kind, MapOf):
        for key in _fitting_values(play, law, bare_kind.key):
            for value in _fitting_values(play, law, bare_kind.value):
                yield {key: SAMPLE_PHRASES[0] if value is None else value}
    elif isinstance(bare_kind, OneOrMany):
        yield from _fitting_values(play, law, bare_kind.item)
    elif isinstance(bare_kind, Choice):
        yield from bare_kind.choices
    elif bare_kind is YES_NO:
        yield from ("yes", "no")
    elif isinstance(bare_kind, FacesKind):
        yield from bare_kind.die.faces
    elif bare_kind is TEXT:
        yield None
    elif bare_kind is NAME:
        yield f"New name {len(play.steps) + 1}"


def is_guessable(kind: FieldType[Any]) -> bool:
    """Whether values of a kind can be tried without candidates from the game: see :func:`_fitting_values`."""
    bare_kind = roleless(kind)
    if isinstance(bare_kind, OrUnrecorded):
        return is_guessable(bare_kind.kind)
    if isinstance(bare_kind, MapOf):
        return is_guessable(bare_kind.key) and is_guessable(bare_kind.value)
    if isinstance(bare_kind, OneOrMany):
        return is_guessable(bare_kind.item)
    return (
        bool(role_of(kind))
        or isinstance(bare_kind, Choice | FacesKind)
        or bare_kind in (YES_NO, TEXT, NAME)
    )


def fitting_names(play: GameContext[Any], role: Role) -> Iterator[str]:
    """The names of all who meet the needs of a role now."""
    for id, subject in play.names.all.items():
        if (subject.kind == PLAYER) is not (role.resolves_to == PLAYER):
            continue
        if (not role.kinds or subject.kind in role.kinds) and first_unmet_need(
            play, role, id, entry=False
        ) is None:
            yield subject.name


def make_action(verb: type[Action], typed_entry: TypedEntry) -> Action:
    """Make an entry of a verb from typed values.

    Raises:
        Misread: if a value does not fit its key.
    """
    action, source = verb(), MappingNode()
    action.source, action.key, action.path = source, ScalarNode(verb.verb), ""
    for name, typed_value in typed_entry.items():
        value = source[ScalarNode(name)] = _make_node(typed_value)
        attribute, read = verb.field_readers[name]
        setattr(action, attribute, read(value, _NO_NESTED_ENTRIES))
    return action


_NO_NESTED_ENTRIES: Final = Context(lambda items: [])


def _make_node(value: Any) -> Value:
    """A typed value as the reader would give it, at no place."""
    node: MappingNode | SequenceNode
    if isinstance(value, str):
        return ScalarNode(value)
    if isinstance(value, Mapping):
        node = MappingNode((ScalarNode(str(key)), _make_node(item)) for key, item in value.items())
    elif isinstance(value, list | tuple):
        node = SequenceNode(_make_node(item) for item in value)
    else:
        return ScalarNode(str(value))
    node.line = node.column = node.end_line = node.end_column = 0
    return node
