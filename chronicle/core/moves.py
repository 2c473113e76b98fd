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
    check_law,
    check_plan_of,
    default_actor,
    first_unmet_need,
    is_verb_allowed,
)
from chronicle.core.misread import Misread
from chronicle.core.names import PLAYER
from chronicle.core.play_field_types import FacesType
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


def legal_moves(
    play: GameContext[Any], game_law: Law, action_classes: Iterable[type[Action]]
) -> list[Move]:
    """The possible next actions: an option for each verb and each player who may perform it. Verbs of a higher
    weight come first, others in their order."""
    moves: list[Move] = []
    offered_classes = [
        offered_class for offered_class in action_classes if offered_class.offered is not None
    ]
    for action_class in sorted(offered_classes, key=_offer_weight, reverse=True):
        entries_by_actor: dict[str, list[TypedEntry]] = {}
        for typed_entry, actor in islice(
            lawful_entries(play, game_law, action_class), MAX_ENTRIES_PER_VERB
        ):
            entries_by_actor.setdefault(actor, []).append(typed_entry)
        moves += [
            _make_move(action_class, actor, entries) for actor, entries in entries_by_actor.items()
        ]
    return moves


def _offer_weight(action_class: type[Action]) -> int:
    """How early a verb is proposed."""
    return action_class.offered.weight if action_class.offered is not None else 0


def _make_move(action_class: type[Action], actor: str, entries: list[TypedEntry]) -> Move:
    move_offer = action_class.offered
    assert move_offer is not None

    def choose_entry(rng: Random) -> dict[str, Any]:
        return dict(rng.choice(entries))

    return Move(
        action_class.verb,
        actor,
        move_offer.hint,
        move_offer.rule,
        choose_entry,
        move_offer.price,
        move_offer.is_rare,
        already_happened=move_offer.already_happened,
    )


def lawful_entries(
    play: GameContext[Any], game_law: Law, action_class: type[Action]
) -> Iterator[tuple[TypedEntry, str]]:
    """Every legal entry of a verb among its candidates, lazily, each with the actor (empty: the group): by the
    law and the guards of the verb. A candidate that is no value of its key is left out: after an entry that
    could not be read, a name may be missing."""
    if not is_verb_allowed(game_law, play, action_class):
        return
    check_plan = check_plan_of(action_class, game_law)
    own_candidates = action_class.candidates(play)
    step_number, session_number = len(play.steps) + 1, play.steps[-1].session if play.steps else 1
    for typed_entry in (
        usual_candidates(play, game_law, action_class)
        if own_candidates is None
        else _complete_candidates(play, game_law, action_class, own_candidates)
    ):
        try:
            action = make_action(action_class, typed_entry)
        except Misread:
            continue
        step = Step(step_number, action, session_number, play.anchors)
        if _is_lawful(play, game_law, check_plan, action, step):
            yield typed_entry, step.player


def _is_lawful(
    play: GameContext[Any], game_law: Law, check_plan: CheckPlan | None, action: Action, step: Step
) -> bool:
    """Whether law and guards accept an entry. Nothing is changed."""
    previous_step, was_between_entries = play.work_on(step), play.is_between_entries
    play.is_testing_move = play.is_between_entries = True
    try:
        if action.by is not None:
            step.player = play.look_up_player(action.by)
        else:
            step.player = default_actor(play, action, game_law)
        if step.player in play.seats and step.player not in play.present:
            return False
        resolve_names(play, action, game_law)
        if check_plan is not None:
            check_law(play, action, game_law, check_plan)
        if step.player and MAY_POINT.name in play.adopted_rules.rules_by_point:
            check_permission(play, action.verb)
        check_guards(play, action)
    except TrialRefused:
        return False
    finally:
        play.is_testing_move, play.is_between_entries = False, was_between_entries
        play.work_on(previous_step)
    return True


# --- candidates -----------------------------------------------------------------------------------


def usual_candidates(
    play: GameContext[Any], game_law: Law, action_class: type[Action]
) -> Iterator[TypedEntry]:
    """Entries of a verb with names that fit the roles of its keys, and a phrase for a text."""
    move_offer = action_class.offered
    tried_keys = move_offer.tries if move_offer is not None else ()
    tried_fields = [
        field
        for field in (
            *((action_class.main,) if action_class.main is not None else ()),
            *action_class.fields.values(),
        )
        if field is action_class.main
        or field.required
        or field.name in tried_keys
        or (field.name == "by" and role_of(field.kind))
    ]
    return _combinations(play, game_law, tried_fields)


def _combinations(
    play: GameContext[Any], game_law: Law, fields: Sequence[Field]
) -> Iterator[dict[str, Any]]:
    """Every combination of the values that may fit some keys now."""
    field_names = [field.name for field in fields]
    value_lists = [[*_fitting_values(play, game_law, field.kind)] for field in fields]
    for combination_number, combination in enumerate(product(*value_lists)):
        yield {
            key: SAMPLE_PHRASES[combination_number % len(SAMPLE_PHRASES)]
            if value is None
            else value
            for key, value in zip(field_names, combination, strict=True)
        }


def _complete_candidates(
    play: GameContext[Any], game_law: Law, action_class: type[Action], candidates: Iterable[object]
) -> Iterator[TypedEntry]:
    """The candidates that a verb gives, with values for the required keys that they leave out.

    Raises:
        GameCodeError: if a candidate is no entry of the verb.
    """
    for candidate in candidates:
        if not isinstance(candidate, Mapping):
            raise GameCodeError(
                f"the candidates of '{action_class.verb}' hold {candidate!r}: "
                "give entries, each a mapping of keys to values",
                action_class.candidates,
            )
        for key in candidate:
            if key not in action_class.field_readers:
                raise GameCodeError(
                    f"the candidates of '{action_class.verb}' hold {candidate!r}: no key '{key}'"
                    f"{did_you_mean(key, [*action_class.field_readers])}",
                    action_class.candidates,
                )
        missing_fields = [
            field
            for field in action_class.fields.values()
            if field.required and field.name not in candidate and is_guessable(field.kind)
        ]
        if not missing_fields:
            yield candidate
            continue
        for value_by_key in _combinations(play, game_law, missing_fields):
            yield {**candidate, **value_by_key}


def _fitting_values(
    play: GameContext[Any], game_law: Law, field_type: FieldType[Any]
) -> Iterator[Any]:
    """Values of a kind that may fit now; None means any text. A name without a role is a new name; of dice,
    one value is tried."""
    role, bare_type = role_of(field_type), roleless(field_type)
    if isinstance(bare_type, OrUnrecorded):
        yield from _fitting_values(play, game_law, bare_type.kind)
    elif role:
        yield from fitting_names(play, game_law.roles[role])
    elif isinstance(bare_type, MapOf):
        for fitting_key in _fitting_values(play, game_law, bare_type.key):
            for fitting_value in _fitting_values(play, game_law, bare_type.value):
                yield {fitting_key: SAMPLE_PHRASES[0] if fitting_value is None else fitting_value}
    elif isinstance(bare_type, OneOrMany):
        yield from _fitting_values(play, game_law, bare_type.item)
    elif isinstance(bare_type, Choice):
        yield from bare_type.choices
    elif bare_type is YES_NO:
        yield from ("yes", "no")
    elif isinstance(bare_type, FacesType):
        yield from bare_type.die.faces
    elif bare_type is TEXT:
        yield None
    elif bare_type is NAME:
        yield f"New name {len(play.steps) + 1}"


def is_guessable(field_type: FieldType[Any]) -> bool:
    """Whether values of a kind can be tried without candidates from the game: see :func:`_fitting_values`."""
    bare_type = roleless(field_type)
    if isinstance(bare_type, OrUnrecorded):
        return is_guessable(bare_type.kind)
    if isinstance(bare_type, MapOf):
        return is_guessable(bare_type.key) and is_guessable(bare_type.value)
    if isinstance(bare_type, OneOrMany):
        return is_guessable(bare_type.item)
    return (
        bool(role_of(field_type))
        or isinstance(bare_type, Choice | FacesType)
        or bare_type in (YES_NO, TEXT, NAME)
    )


def fitting_names(play: GameContext[Any], role: Role) -> Iterator[str]:
    """The names of all who meet the needs of a role now."""
    for subject_id, subject in play.names.all.items():
        if (subject.kind == PLAYER) is not (role.resolves_to == PLAYER):
            continue
        if (not role.kinds or subject.kind in role.kinds) and first_unmet_need(
            play, role, subject_id, includes_actor_needs=False
        ) is None:
            yield subject.name


def make_action(action_class: type[Action], typed_entry: TypedEntry) -> Action:
    """Make an entry of a verb from typed values.

    Raises:
        Misread: if a value does not fit its key.
    """
    action, entry_node = action_class(), MappingNode()
    action.source, action.key, action.path = entry_node, ScalarNode(action_class.verb), ""
    for key, typed_value in typed_entry.items():
        value_node = entry_node[ScalarNode(key)] = _make_node(typed_value)
        attribute, read_value = action_class.field_readers[key]
        setattr(action, attribute, read_value(value_node, _NO_NESTED_ENTRIES))
    return action


_NO_NESTED_ENTRIES: Final = Context(lambda items: [])


def _make_node(typed_value: Any) -> Value:
    """A typed value as the reader would give it, at no place."""
    made_node: MappingNode | SequenceNode
    if isinstance(typed_value, str):
        return ScalarNode(typed_value)
    if isinstance(typed_value, Mapping):
        made_node = MappingNode(
            (ScalarNode(str(key)), _make_node(inner_value))
            for key, inner_value in typed_value.items()
        )
    elif isinstance(typed_value, list | tuple):
        made_node = SequenceNode(_make_node(inner_value) for inner_value in typed_value)
    else:
        return ScalarNode(str(typed_value))
    made_node.line = made_node.column = made_node.end_line = made_node.end_column = 0
    return made_node
