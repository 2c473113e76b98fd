"""The law of a game: who may act, in which phase, and which names a role accepts.

It is declared once. The core checks it before a handler runs, and the format reference, the JSON Schema,
legal moves and completion read it, too. To declare the law of a game:

1. **Roles.** In ``actions.py``, declare the role of every key with a name: ``against =
required(in_role("challenged", NAME), ...)``, also inside a kind, ``MapOf(in_role("wounded", NAME),
in_role("blamed", NAMES))``. A key that names no existing person (a new name, a trait, an id) is
``label(NAME)``. In the game's ``law.py``, give every role its :class:`Role`: the kinds of names it accepts
(``kinds``), and its needs, a tuple of :class:`Need`, checked in that order; the first one that fails is
reported. A :class:`Need` (alive, in the scene, Controlled, not committed ...) is written once a game, with
its rule id and its message. :data:`AT_TABLE` exists for every game. A name may occur only once in a list
(``repeat_rule`` is the rule; ``""`` allows it).

2. **Deciders.** ``decides = Decides("challenged", "P17")`` on a verb names a :class:`Decider` of the law: it
gives the actor of an entry without ``by``, and other actors are reported under that rule. The actor must be
at the table, as always.

3. **Moments.** ``moment = Moment(("called",), Refusal("P17", "nobody has called", help="call: ..."))`` on a
verb lists the phases in which it is allowed; in others it is refused. A :class:`Phase` of the law can refuse
for all verbs (when the game is over). ``void=True`` means that a refused entry has no effect, because it
would change the phase: the handler does not run.

4. Set ``law = LAW`` in the rulebook, and remove these checks from the handlers. A handler that must do
without a refused person asks :func:`is_barred`. For entries above ``play starts:`` only lists are checked.
After a ``gap:``, missing state is unknown, not wrong.

5. The tests in ``tests/games/test_law.py`` then try every key with every person who fails a need, and every
verb in every phase. Rules that cannot be declared stay in the handler, with a ``Moment`` or a role that
allows everything (none, ``Decides("table")``, a role without needs).

Messages are templates: ``{who}`` is the named person, ``{doing}`` the action of the role, ``{by}`` the
actor, ``{due}`` the persons who may act with the ``{verb}``; ``terms`` of the law add further ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from chronicle.core.declare import Action, Decides, Moment, Refusal
from chronicle.core.diagnostic import DiagnosticKind, did_you_mean, either, listed
from chronicle.core.errors import GameCodeError
from chronicle.core.field_types import (
    NAME,
    NAMES,
    TEXT,
    FieldType,
    NameItem,
    NameList,
    role_of,
    roleless,
    types_within,
)
from chronicle.core.fix import Fix, RemoveItem, RemoveKey, SetKey, fill_terms, make_fix
from chronicle.core.game_context import MAX_LISTED_NAMES, GameContext
from chronicle.core.gaps import SOMEBODY
from chronicle.core.names import PLAYER, Named
from chronicle.core.presence import presence_fixes, presence_key
from chronicle.core.source import ScalarNode, place_of

SubjectTest = Callable[[GameContext[Any], str], bool]
ChangeStepFinder = Callable[[GameContext[Any], str], int]
StartStepFinder = Callable[[GameContext[Any]], int]
"""Finds the number of the entry that started a state; 0: none."""


def _no_change_step(play: GameContext[Any], subject_id: str) -> int:
    return 0


def _always(play: GameContext[Any], subject_id: str) -> bool:
    return True


class Need(NamedTuple):
    """A condition for a role. ``holds(play, id)`` tells whether it is met, ``since`` which entry changed
    that (``fact`` describes what happened there), ``applies`` whether the condition applies now. ``is_certain``:
    a gap in the record cannot have restored it (death)."""

    words: str
    rule: str
    holds: SubjectTest
    message: str
    help: str = ""
    since: ChangeStepFinder = _no_change_step
    fact: str = ""
    applies: SubjectTest = _always
    kind: DiagnosticKind = DiagnosticKind.ILLEGAL
    is_certain: bool = False
    concerns_actor: bool = False
    """Whether it concerns the actor (``by``)."""
    doubts: Callable[[GameContext[Any], str], tuple[str, ...]] = lambda play, subject_id: ()
    """Keys of doubts that a violation causes: further problems with the same person are folded under the
    first."""
    fixes: tuple[Fix, ...] = ()
    """Fixes, with terms in braces as in the message."""


def _at_table(play: GameContext[Any], subject_id: str) -> bool:
    subject = play.names.all[subject_id]
    player = subject.name if subject.kind == PLAYER else play.rulebook.player_of(play, subject)
    return not player or player in play.present or player not in play.seats


AT_TABLE = Need(
    "at the table",
    "T67",
    _at_table,
    "{player} is not at the table",
    kind=DiagnosticKind.BOOKKEEPING,
    doubts=lambda play, subject_id: (presence_key(player_named(play, subject_id)),),
)
"""The player, or the player of the character, is at the table. The facilitator always is."""


class Role(NamedTuple):
    """The requirements for being named somewhere. ``words`` describes the accepted names (``a character in the
    scene``), ``action_phrase`` the action (``be asked``). ``kinds`` are the accepted kinds of names (any if empty).
    With ``resolves_to=PLAYER`` the role is one of players: a character named there means its player. In other roles a
    player named there means their character."""

    words: str
    action_phrase: str = ""
    needs: tuple[Need, ...] = ()
    kinds: tuple[str, ...] = ()
    resolves_to: str = ""
    repeat_rule: str = "T68"
    groups: tuple[str, ...] = ()
    """Words for several people: ``everybody``."""
    takes_new: bool = False
    """Whether a name that does not exist yet is accepted: it introduces a person."""
    creation_fixes: tuple[Fix, ...] = ()
    """The fixes for a player without such a character, with ``{who}`` for the player."""
    accepts_facilitator: bool = False
    """Whether the facilitator can be named where ``facilitator_plays_nobody``: the GM in a roll."""


class Decider(NamedTuple):
    """A way to find who may act, declared once in the law; a verb chooses it with :class:`Decides`.
    ``find_actors(play, action)`` gives ids of players or characters, the default actor first; if there is none, anybody
    may act."""

    words: str
    find_actors: Callable[[GameContext[Any], Action], Sequence[str]]
    message: str = "{by} does this; it is {due}'s to decide"
    help: str = ""
    """Help; by default: remove ``by``, or write one of those who may act."""
    since: StartStepFinder = lambda play: 0
    fact: str = ""
    acts_by_default: bool = True
    """Whether the first of them acts if the log names no actor."""
    default: Callable[[GameContext[Any], Action], Sequence[str]] | None = None
    """The default actor, if that is not the first who may act."""
    check_actor: Callable[[GameContext[Any], Action, Decides], bool] | None = None
    """A separate check, for cases that need several messages: for example, turns that may have
    passed on."""
    is_certain: bool = False
    """Whether no gap can have changed who may act: the facilitator, or whose character it is."""


def nobody_in_particular(play: GameContext[Any], action: Action) -> Sequence[str]:
    """The decider of actions that anybody may perform."""
    return ()


TABLE = Decider("the table", nobody_in_particular, acts_by_default=False)
"""Anybody: the group decides together, or it does not matter."""


class Phase(NamedTuple):
    """A phase of play. ``words`` is a clause: ``a call waits for its answer``. ``since`` gives the entry
    that started it, where the game knows it better than the engine; ``fact`` describes that entry. A phase
    with a ``refusal`` refuses all verbs that are not allowed in it."""

    words: str
    since: StartStepFinder = lambda play: 0
    fact: str = "it is so since this entry"
    refusal: Refusal | None = None


class Law(NamedTuple):
    """The law of a game: roles, deciders and phases."""

    phases: Mapping[str, Phase] = MappingProxyType({})
    phase: Callable[[GameContext[Any]], str] = lambda play: ""
    roles: Mapping[str, Role] = MappingProxyType({})
    deciders: Mapping[str, Decider] = MappingProxyType({})
    embodied_character: Callable[[GameContext[Any], str], str] = lambda play, player: ""
    """The id of the character that a player's name means."""
    terms: Callable[[GameContext[Any]], Mapping[str, str]] = lambda play: MappingProxyType({})
    """Terms for messages: ``{challenged}``."""
    waives_phase: Callable[[GameContext[Any], type[Action], str], bool] = lambda play, verb, phase: (
        False
    )
    """Whether an optional rule allows a verb in a phase in which it is otherwise refused."""
    facilitator_plays_nobody: bool = False
    """Whether the facilitator's name means no character, in any role but those that take it."""


class CheckPlan(NamedTuple):
    """The checks for the entries of one verb: its moment, its decider, the keys with a single name in a
    role, and the keys with several, with the role of those that are plain lists."""

    moment: Moment
    decides: Decides | None
    single_name_fields: tuple[tuple[str, Role], ...]
    name_list_fields: tuple[tuple[str, FieldType[Any], Any, Role | None], ...]


def check_plan_of(action_class: type[Action], game_law: Law) -> CheckPlan | None:
    """The checks for the entries of a verb; None if there are none."""
    verb_fields = [
        *([action_class.main] if action_class.main is not None else []),
        *action_class.fields.values(),
    ]
    single_name_fields: list[tuple[str, Role]] = []
    name_list_fields: list[tuple[str, FieldType[Any], Any, Role | None]] = []
    for field in verb_fields:
        roles = [game_law.roles[role] for role in roles_of(field.kind) if role in game_law.roles]
        if roleless(field.kind) is NAME:
            single_name_fields += [(field.attribute, role) for role in roles if role.needs]
        elif any(role.needs or role.repeat_rule for role in roles):
            plain_list_role = roles[0] if roleless(field.kind) is NAMES else None
            name_list_fields.append((field.attribute, field.kind, field.default, plain_list_role))
    if not (
        action_class.moment.phases
        or action_class.decides is not None
        or single_name_fields
        or name_list_fields
    ):
        return None
    return CheckPlan(
        action_class.moment,
        action_class.decides,
        tuple(single_name_fields),
        tuple(name_list_fields),
    )


@cache
def roles_of(field_type: FieldType[Any]) -> tuple[str, ...]:
    """The roles of the names in a type of values."""
    roles = (getattr(inner_type, "role", "") for inner_type in types_within(field_type))
    return tuple(dict.fromkeys(role for role in roles if role))


# --- who acts -------------------------------------------------------------------------------------


def default_actor(play: GameContext[Any], action: Action, game_law: Law) -> str:
    """The default actor of an entry, by the decider of its verb; empty if there is none."""
    decider_declaration = action.decides
    if decider_declaration is None:
        return ""
    decider = game_law.deciders[decider_declaration.decider]
    entitled_ids = (
        (decider.default or decider.find_actors)(play, action) if decider.acts_by_default else ()
    )
    return player_named(play, entitled_ids[0]) if entitled_ids else ""


def permitted_players(
    play: GameContext[Any], action: Action, game_law: Law | None
) -> Sequence[str]:
    """The players who may perform an entry, by the law of the game; empty if anybody may, or it is unknown."""
    decider_declaration = action.decides
    if game_law is None or decider_declaration is None or not decider_declaration.rule:
        return ()
    return entitled_to(play, action, game_law.deciders[decider_declaration.decider])


def entitled_to(play: GameContext[Any], action: Action, decider: Decider) -> list[str]:
    """The players who may perform an entry, from its decider."""
    players = [player_named(play, subject_id) for subject_id in decider.find_actors(play, action)]
    return [player for player in dict.fromkeys(players) if player]


def player_named(play: GameContext[Any], subject_id: str) -> str:
    """The player with an id, or the player of the character with it; *somebody* if unknown."""
    if subject_id == SOMEBODY:
        return SOMEBODY
    subject = play.names.all.get(subject_id)
    if subject is None:
        return ""
    return subject.name if subject.kind == PLAYER else play.rulebook.player_of(play, subject)


# --- holding --------------------------------------------------------------------------------------


def check_law(play: GameContext[Any], action: Action, game_law: Law, check_plan: CheckPlan) -> bool:
    """Check an entry before its handler runs. Returns whether the handler may run."""
    may_run = True
    if not play.given:
        moment, decider_declaration = check_plan.moment, check_plan.decides
        allowed_phases = moment.phases
        if (
            allowed_phases
            and (phase_name := current_phase(play, game_law)) not in allowed_phases
            and not _check_phase(play, game_law, moment, phase_name)
            and not _is_excused_or_unknown(play)
        ):
            if moment.void:
                _tell_story_of_void_entry(play, action)
            return not moment.void
        if decider_declaration is not None and not _check_actor(
            play, action, game_law, decider_declaration
        ):
            may_run = not decider_declaration.void or _is_excused_or_unknown(play)
            if not may_run:
                _tell_story_of_void_entry(play, action)
        for attribute, role in check_plan.single_name_fields:
            typed_name = getattr(action, attribute)
            if typed_name is not None:
                _check_name(play, game_law, role, typed_name)
    for attribute, field_type, default, plain_list_role in check_plan.name_list_fields:
        field_value = getattr(action, attribute)
        if field_value is default:
            continue
        if plain_list_role is not None and len(field_value) == 1:
            if plain_list_role.needs and not play.given:
                _check_name(play, game_law, plain_list_role, field_value[0])
        else:
            for name_list in field_type.name_lists(field_value):
                list_role = game_law.roles.get(name_list.role)
                if list_role is not None:
                    _check_names_in_role(play, game_law, list_role, name_list)
    return may_run


def _check_name(play: GameContext[Any], game_law: Law, role: Role, typed_name: ScalarNode) -> None:
    """Check a single name in a role."""
    subject_id = subject_id_of(play, game_law, role, typed_name)
    need = first_unmet_need(play, role, subject_id) if subject_id else None
    if need is not None:
        _report_need(play, game_law, role, need, typed_name, subject_id)


def _is_excused_or_unknown(play: GameContext[Any]) -> bool:
    """Whether the refused entry is excused, or cannot be decided because of a gap."""
    return play.step.diagnostics[-1].kind in (DiagnosticKind.EXCUSED, DiagnosticKind.UNKNOWN)


def _tell_story_of_void_entry(play: GameContext[Any], void_action: Action) -> None:
    """Tell the story of an entry that has no effect."""
    if void_action.main is not None and void_action.main.kind is TEXT:
        play.step.tell(getattr(void_action, void_action.main.attribute) or "")


def _check_phase(play: GameContext[Any], game_law: Law, moment: Moment, phase_name: str) -> bool:
    """Whether a verb is allowed in a phase that it does not list; reports it if not."""
    action = play.step.action
    if game_law.waives_phase(play, type(action), phase_name):
        return True
    phase = game_law.phases[phase_name]
    refusal = moment.refusals_by_phase.get(phase_name) or phase.refusal or moment.refusal
    term_values = {**game_law.terms(play), "verb": action.verb}
    message = refusal.message
    if not message:
        phases_in_words = either(
            game_law.phases[allowed_phase].words for allowed_phase in moment.phases
        )
        message = f"'{action.verb}' comes when {phases_in_words}; now {phase.words}"
    start_step_number = phase_start(play, game_law, phase_name)
    play.report(
        refusal.kind,
        refusal.rule,
        message.format_map(term_values),
        help=refusal.help.format_map(term_values) or (),
        fix=fill_terms(refusal.fixes, term_values),
        facts=(play.because(start_step_number, phase.fact.format_map(term_values)),)
        if start_step_number > 0 and phase.fact
        else (),
        after=refusal.after,
        since=0 if refusal.any_gap else start_step_number,
    )
    play.taint(*refusal.doubts)
    return False


def current_phase(play: GameContext[Any], game_law: Law) -> str:
    """The phase of play.

    Raises:
        GameCodeError: when the law does not have the phase that its function returned.
    """
    phase_name = game_law.phase(play)
    if phase_name not in game_law.phases:
        raise GameCodeError(
            f"the phase function {game_law.phase.__qualname__} returned '{phase_name}'"
            f"{did_you_mean(str(phase_name), [*game_law.phases])} "
            f"(the law has {', '.join(game_law.phases) or 'no phases'})",
            game_law.phase,
        )
    return phase_name


def note_phase(play: GameContext[Any], game_law: Law) -> None:
    """Record the current entry as the start of the phase, if the phase has changed."""
    phase_name = current_phase(play, game_law) if game_law.phases else ""
    if phase_name != play.phase:
        play.phase = phase_name
        play.phase_start_number = play.current.number if play.current is not None else 0


def phase_start(play: GameContext[Any], game_law: Law, phase_name: str) -> int:
    """The entry that started a phase; 0 if play began with it."""
    previous_step_number = len(play.steps) - 1
    return game_law.phases[phase_name].since(play) or (
        play.phase_start_number if phase_name == play.phase else previous_step_number
    )


def _check_actor(
    play: GameContext[Any], action: Action, game_law: Law, decider_declaration: Decides
) -> bool:
    player = play.step.player
    if not player:
        return True
    decider = game_law.deciders[decider_declaration.decider]
    # Others at the table can act in place of a facilitator who is away, but not where the facilitator alone decides.
    is_away = player not in play.present and (
        player in play.seats or entitled_to(play, action, decider) == [player]
    )
    # A nested entry is an action of the person that the outer entry names.
    if is_away and action.by is None and default_actor(play, action, game_law) == player:
        play.check_presence(player, action.place())
    if not decider_declaration.rule:
        return True
    if decider.check_actor is not None:
        return decider.check_actor(play, action, decider_declaration)
    if action.by is None:
        return True
    entitled_players = entitled_to(play, action, decider)
    if not entitled_players or player in entitled_players or SOMEBODY in entitled_players:
        return True
    decision_start = decider.since(play)
    term_values = {
        **game_law.terms(play),
        "by": player,
        "due": listed(entitled_players, "or"),
        "verb": action.verb,
        "doing": decider_declaration.action_phrase,
    }
    return play.require(
        False,
        decider_declaration.rule,
        decider.message.format_map(term_values),
        kind=decider_declaration.kind,
        at=action.place("by"),
        help=decider.help.format_map(term_values) or (),
        fix=() if decider.help else _actor_fixes(entitled_players),
        facts=(play.because(decision_start, decider.fact),)
        if decision_start and decider.fact
        else (),
        since=(decision_start or _last_step_with_decider(play, decider_declaration))
        if play.gaps.all_gaps and not decider.is_certain
        else None,
        state_kind="turns",
        is_certain=decider.is_certain,
    )


def _last_step_with_decider(play: GameContext[Any], decider_declaration: Decides) -> int:
    """The last earlier entry with the same decider, after which it became the turn of the next one; 0 if there
    is none."""
    return next(
        (
            step.number
            for step in reversed(play.steps)
            if step is not play.step
            and step.action.decides is not None
            and step.action.decides.decider == decider_declaration.decider
        ),
        0,
    )


def _actor_fixes(players: Sequence[str]) -> list[Fix]:
    """The fixes for an entry with a wrong actor: without ``by``, or by one of the players who may act."""
    if len(players) > MAX_LISTED_NAMES:
        return [make_fix(RemoveKey("by"))]
    return [make_fix(RemoveKey("by")), *(make_fix(SetKey("by", player)) for player in players)]


def _check_names_in_role(
    play: GameContext[Any], game_law: Law, role: Role, name_list: NameList
) -> None:
    if not role.needs and (not role.repeat_rule or len(name_list.items) < 2):
        return
    first_mention_by_ids: dict[frozenset[str], ScalarNode] = {}
    reported_ids: set[str] = set()
    must_check_repeats = role.repeat_rule and len(name_list.items) > 1
    for typed_names in name_list.items:
        subject_ids = [
            subject_id_of(play, game_law, role, typed_name) for typed_name in typed_names
        ]
        if not play.given:
            for typed_name, subject_id in zip(typed_names, subject_ids, strict=True):
                need = (
                    first_unmet_need(play, role, subject_id)
                    if subject_id and subject_id not in reported_ids
                    else None
                )
                if need is not None:
                    reported_ids.add(subject_id)
                    _report_need(play, game_law, role, need, typed_name, subject_id)
        if must_check_repeats and all(subject_ids):
            subject_id_set = frozenset(subject_ids)
            if subject_id_set in first_mention_by_ids:
                _report_repeated_subject(
                    play, role, typed_names, first_mention_by_ids[subject_id_set]
                )
            else:
                first_mention_by_ids[subject_id_set] = typed_names[0]


def subject_id_of(play: GameContext[Any], game_law: Law, role: Role, typed_name: ScalarNode) -> str:
    """The id of the subject of a word in a role; empty if unknown, which is reported elsewhere."""
    subject = play.names.find(typed_name, role.kinds)
    return _id_in_role(play, game_law, role, subject) if isinstance(subject, Named) else ""


def _id_in_role(play: GameContext[Any], game_law: Law, role: Role, subject: Named) -> str:
    """The id of whom a subject means in a role; empty for a player who embodies nobody."""
    if subject.kind == PLAYER:
        return (
            subject.id
            if role.resolves_to == PLAYER
            else game_law.embodied_character(play, subject.id)
        )
    return play.rulebook.player_of(play, subject) if role.resolves_to == PLAYER else subject.id


def first_unmet_need(
    play: GameContext[Any], role: Role, subject_id: str, *, includes_actor_needs: bool = True
) -> Need | None:
    """The first need of a role that a person does not meet now, or None. Needs about the actor only if
    ``includes_actor_needs``."""
    for need in role.needs:
        if (
            (includes_actor_needs or not need.concerns_actor)
            and need.applies(play, subject_id)
            and not need.holds(play, subject_id)
        ):
            return need
    return None


def _report_need(
    play: GameContext[Any],
    game_law: Law,
    role: Role,
    need: Need,
    typed_name: ScalarNode,
    subject_id: str,
) -> None:
    if need is AT_TABLE and player_named(play, subject_id) == play.step.player:
        return  # The actor has been checked already.
    start_step_number = need.since(play, subject_id)
    term_values = {
        **game_law.terms(play),
        "who": play.names.all[subject_id].name,
        "player": player_named(play, subject_id),
        "by": play.step.player,
        "doing": role.action_phrase,
    }
    action, doubts = play.step.action, need.doubts(play, subject_id)
    diagnostic = play.report(
        need.kind,
        need.rule,
        need.message.format_map(term_values),
        at=typed_name,
        help=need.help.format_map(term_values) or (),
        fix=presence_fixes(play, term_values["player"])
        if need is AT_TABLE
        else fill_terms(need.fixes, term_values),
        facts=(play.because(start_step_number, need.fact.format_map(term_values)),)
        if start_step_number and need.fact
        else (),
        after=(*doubts, *(("present:",) if need is AT_TABLE else ())),
        since=start_step_number,
        state_kind="cast",
        is_certain=need.is_certain or need is AT_TABLE,
    )
    play.taint(*doubts)
    if diagnostic.kind is not DiagnosticKind.EXCUSED:
        play.refused_positions.add((action.path, typed_name.line, typed_name.column))


def _report_repeated_subject(
    play: GameContext[Any], role: Role, typed_names: NameItem, first_mention: ScalarNode
) -> None:
    action = play.step.action
    joined_names = " & ".join(typed_names)
    diagnostic = play.report(
        DiagnosticKind.BOOKKEEPING if role.repeat_rule == "T68" else DiagnosticKind.ILLEGAL,
        role.repeat_rule,
        f"{joined_names} is named twice here",
        at=typed_names[0],
        fix=make_fix(RemoveItem(joined_names, place_of(typed_names[0], action.path))),
    )
    if diagnostic.kind is not DiagnosticKind.EXCUSED:
        play.refused_positions.add((action.path, typed_names[0].line, typed_names[0].column))


def is_barred(play: GameContext[Any], typed_name: ScalarNode) -> bool:
    """Whether the law has refused the subject of this word: a handler that needs it must do without."""
    return (play.step.action.path, typed_name.line, typed_name.column) in play.refused_positions


# --- for everybody who reads it -------------------------------------------------------------------


def is_verb_allowed(game_law: Law, play: GameContext[Any], action_class: type[Action]) -> bool:
    """Whether a verb is allowed now, by its moment."""
    allowed_phases = action_class.moment.phases
    if not allowed_phases:
        return True
    phase_name = current_phase(play, game_law)
    return phase_name in allowed_phases or game_law.waives_phase(play, action_class, phase_name)


def missing_subject(game_law: Law, play: GameContext[Any], action_class: type[Action]) -> str:
    """Whom or what a verb has to name although nobody of that kind exists yet, in words (``a Gladiator``); empty if
    somebody does, or may have come in a gap."""
    main_field = action_class.main
    if main_field is None or not main_field.required or main_field.words:
        return ""
    role = game_law.roles.get(role_of(main_field.kind) or "")
    if role is None or not role.kinds or role.takes_new or role.groups:
        return ""
    if play.gaps.all_gaps:
        return ""
    exists = any(
        subject.kind in role.kinds and _id_in_role(play, game_law, role, subject)
        for subject in play.names.all.values()
    )
    return "" if exists else role.words


def deciders_in_words(game_law: Law | None, action_class: type[Action]) -> str:
    """The persons who may perform a verb, in words."""
    if game_law is None or action_class.decides is None:
        actor_field = action_class.fields.get("by")
        return (
            f"{actor_field.doc}, named with by"
            if actor_field is not None and actor_field.required
            else action_class.default_actor_text
        )
    return game_law.deciders[action_class.decides.decider].words


def role_in_words(game_law: Law, role_name: str) -> str:
    """The requirements of a role, in words: ``a character: alive, in the scene``."""
    role_requirements = game_law.roles[role_name]
    needs_in_words = ", ".join(need.words for need in role_requirements.needs)
    return (
        f"{role_requirements.words}: {needs_in_words}"
        if needs_in_words
        else role_requirements.words
    )
