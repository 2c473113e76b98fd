"""Legal moves, derived from the law and the guards.

A verb is excluded by its phase first, which is cheap. Then its candidates are tried, one after the other,
with the law and the guards and without any effect. The verb's keys and their roles give the candidates;
where that is not possible, the verb gives its own (:meth:`~chronicle.core.declare.Action.candidates`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from chronicle.core.answers import Option
from chronicle.core.declare import Action
from chronicle.core.guards import hold_guards, resolve_names
from chronicle.core.kinds import (
    NAME,
    TEXT,
    YES_NO,
    Choice,
    Context,
    Kind,
    MapOf,
    Misread,
    OneOrMany,
    bare,
    role_of,
)
from chronicle.core.law import Law, Plan, Role, actor_by_law, allows, broken, hold, plan_of
from chronicle.core.names import PLAYER
from chronicle.core.play import Play
from chronicle.core.play_kinds import FacesKind
from chronicle.core.record import Step
from chronicle.core.reporter import Refused
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value

if TYPE_CHECKING:
    from random import Random

FIRST = 12
"""Maximum number of legal entries that are searched for each verb."""
PHRASES = (
    "She never said that",
    "It was the summer before",
    "Everybody knew but you",
    "I was there, and it rained",
)
"""Words for a key that takes any text."""

Typed = Mapping[str, Any]
"""An entry as a user would type it: the verb and its value, then further keys."""


def legal_moves(play: Play[Any], law: Law, verbs: Iterable[type[Action]]) -> list[Option]:
    """The possible next actions: an option for each verb and each player who may perform it. Verbs of a higher
    weight come first, others in their order."""
    options: list[Option] = []
    offered = [verb for verb in verbs if verb.offered is not None]
    for verb in sorted(offered, key=_weight, reverse=True):
        by_actor: dict[str, list[Typed]] = {}
        for typed, actor in islice(lawful_entries(play, law, verb), FIRST):
            by_actor.setdefault(actor, []).append(typed)
        options += [_option(verb, actor, entries) for actor, entries in by_actor.items()]
    return options


def _weight(verb: type[Action]) -> int:
    """How early a verb is proposed."""
    return verb.offered.weight if verb.offered is not None else 0


def _option(verb: type[Action], actor: str, entries: list[Typed]) -> Option:
    offered = verb.offered
    assert offered is not None

    def entry(rng: Random) -> dict[str, Any]:
        return dict(rng.choice(entries))

    return Option(verb.verb, actor, offered.hint, offered.rule, entry, offered.price, offered.rare)


def lawful_entries(play: Play[Any], law: Law, verb: type[Action]) -> Iterator[tuple[Typed, str]]:
    """Every legal entry of a verb among its candidates, lazily, each with the actor (empty: the group): by the
    law and the guards of the verb. A candidate that is no value of its key is left out: after an entry that
    could not be read, a name may be missing."""
    if not allows(law, play, verb):
        return
    plan = plan_of(verb, law)
    own = verb.candidates(play)
    index, session = len(play.steps) + 1, play.steps[-1].session if play.steps else 1
    for typed in usual_candidates(play, law, verb) if own is None else own:
        try:
            action = as_action(verb, typed)
        except Misread:
            continue
        step = Step(index, action, session, play.anchors)
        if _is_lawful(play, law, plan, action, step):
            yield typed, step.player


def _is_lawful(play: Play[Any], law: Law, plan: Plan | None, action: Action, step: Step) -> bool:
    """Whether law and guards accept an entry. Nothing is changed."""
    previous_step, previous_questions = play.work_on(step), play.asked
    play.trying = play.asked = True
    try:
        if action.by is not None:
            step.player = play.look_up_player(action.by)
        else:
            step.player = actor_by_law(play, action, law)
        if step.player in play.seats and step.player not in play.present:
            return False
        resolve_names(play, action, law)
        if plan is not None:
            hold(play, action, law, plan)
        hold_guards(play, action)
    except Refused:
        return False
    finally:
        play.trying, play.asked = False, previous_questions
        play.work_on(previous_step)
    return True


# --- candidates -----------------------------------------------------------------------------------


def usual_candidates(play: Play[Any], law: Law, verb: type[Action]) -> Iterator[Typed]:
    """Entries of a verb with names that fit the roles of its keys, and a phrase for a text."""
    offered = verb.offered
    tried = offered.tries if offered is not None else ()
    fields = [
        field
        for field in (*((verb.main,) if verb.main is not None else ()), *verb.fields.values())
        if field is verb.main
        or field.required
        or field.name in tried
        or (field.name == "by" and role_of(field.kind))
    ]
    values = [[*_fitting(play, law, field.kind)] for field in fields]
    for number, chosen in enumerate(product(*values)):
        yield {
            field.name: PHRASES[number % len(PHRASES)] if value is None else value
            for field, value in zip(fields, chosen, strict=True)
        }


def _fitting(play: Play[Any], law: Law, kind: Kind[Any]) -> Iterator[Any]:
    """Values of a kind that may fit now; None means any text. A name without a role is a new name; of dice,
    one value is tried."""
    role, inner = role_of(kind), bare(kind)
    if role:
        yield from who_fits(play, law.roles[role])
    elif isinstance(inner, MapOf):
        for key in _fitting(play, law, inner.key):
            for value in _fitting(play, law, inner.value):
                yield {key: PHRASES[0] if value is None else value}
    elif isinstance(inner, OneOrMany):
        yield from _fitting(play, law, inner.item)
    elif isinstance(inner, Choice):
        yield from inner.choices
    elif inner is YES_NO:
        yield from ("yes", "no")
    elif isinstance(inner, FacesKind):
        yield from inner.die.faces
    elif inner is TEXT:
        yield None
    elif inner is NAME:
        yield f"New name {len(play.steps) + 1}"


def is_guessable(kind: Kind[Any]) -> bool:
    """Whether values of a kind can be tried without candidates from the game: see :func:`_fitting`."""
    inner = bare(kind)
    if isinstance(inner, MapOf):
        return is_guessable(inner.key) and is_guessable(inner.value)
    if isinstance(inner, OneOrMany):
        return is_guessable(inner.item)
    return (
        bool(role_of(kind))
        or isinstance(inner, Choice | FacesKind)
        or inner in (YES_NO, TEXT, NAME)
    )


def who_fits(play: Play[Any], role: Role) -> Iterator[str]:
    """The names of all who meet the needs of a role now."""
    for id, named in play.names.all.items():
        if (named.kind == PLAYER) is not (role.of == PLAYER):
            continue
        if (not role.kinds or named.kind in role.kinds) and broken(
            play, role, id, entry=False
        ) is None:
            yield named.name


def as_action(verb: type[Action], typed: Typed) -> Action:
    """Make an entry of a verb from typed values.

    Raises:
        Misread: if a value does not fit its key.
    """
    action = verb()
    source = MappingNode((ScalarNode(key), _as_value(value)) for key, value in typed.items())
    action.source, action.key, action.path = source, ScalarNode(verb.verb), ""
    for key, value in source.items():
        attribute, read = verb.readers[key]
        setattr(action, attribute, read(value, Context(lambda items: [])))
    return action


def _as_value(value: Any) -> Value:
    if isinstance(value, Mapping):
        return MappingNode((ScalarNode(str(key)), _as_value(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return SequenceNode(_as_value(item) for item in value)
    return ScalarNode(str(value))
