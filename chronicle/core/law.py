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
(``twice`` is the rule; ``""`` allows it).

2. **Deciders.** ``decides = Decides("challenged", "P17")`` on a verb names a :class:`Decider` of the law: it
gives the actor of an entry without ``by``, and other actors are reported under that rule. The actor must be
at the table, as always.

3. **Moments.** ``moment = Moment(("called",), Refusal("P17", "nobody has called", help="call: ..."))`` on a
verb lists the phases in which it is allowed; in others it is refused. A :class:`Phase` of the law can refuse
for all verbs (when the game is over). ``void=True`` means that a refused entry has no effect, because it
would change the phase: the handler does not run.

4. Set ``law = LAW`` in the rulebook, and remove these checks from the handlers. A handler that must do
without a refused person asks :func:`barred`. For entries above ``play starts:`` only lists are checked.
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
from chronicle.core.diagnostic import Finding, either, listed
from chronicle.core.fix import Fix, RemoveItem, RemoveKey, SetKey, filled, make_fix
from chronicle.core.gaps import SOMEBODY
from chronicle.core.kinds import NAME, NAMES, TEXT, Item, Kind, Listed, bare, kinds_in
from chronicle.core.names import PLAYER, Named
from chronicle.core.play import FEW, Play, attends, presence_key
from chronicle.core.source import ScalarNode, place_of

PlayerTest = Callable[[Play[Any], str], bool]
When = Callable[[Play[Any], str], int]


def _never(play: Play[Any], player: str) -> int:
    return 0


def _always(play: Play[Any], player: str) -> bool:
    return True


class Need(NamedTuple):
    """A condition for a role. ``holds(play, id)`` tells whether it is met, ``since`` which entry changed
    that (``fact`` describes what happened there), ``asked`` whether the condition applies now. ``lasting``:
    a gap in the record cannot have restored it (death)."""

    words: str
    rule: str
    holds: PlayerTest
    message: str
    help: str = ""
    since: When = _never
    fact: str = ""
    asked: PlayerTest = _always
    finding: Finding = Finding.ILLEGAL
    lasting: bool = False
    own: bool = False
    """Whether it concerns the actor (``by``)."""
    doubts: Callable[[Play[Any], str], tuple[str, ...]] = lambda play, player: ()
    """Keys of doubts that a violation causes: further problems with the same person are folded under the
    first."""
    fixes: tuple[Fix, ...] = ()
    """Fixes, with terms in braces as in the message."""


def _at_table(play: Play[Any], id: str) -> bool:
    named = play.names.all[id]
    player = named.name if named.kind == PLAYER else play.rulebook.player_of(play, named)
    return not player or player in play.present or player not in play.seats


AT_TABLE = Need(
    "at the table",
    "T67",
    _at_table,
    "{player} is not at the table",
    finding=Finding.BOOKKEEPING,
    doubts=lambda play, player: (presence_key(player_named(play, player)),),
)
"""The player, or the player of the character, is at the table. The facilitator always is."""


class Role(NamedTuple):
    """The requirements for being named somewhere. ``words`` describes the accepted names (``a character in the
    scene``), ``doing`` the action (``be asked``). ``kinds`` are the accepted kinds of names (any if empty).
    In a role ``of`` players a character means its player; in other roles a player means their character."""

    words: str
    doing: str = ""
    needs: tuple[Need, ...] = ()
    kinds: tuple[str, ...] = ()
    of: str = ""
    twice: str = "T68"
    groups: tuple[str, ...] = ()
    """Words for several people: ``everybody``."""
    takes_new: bool = False
    """Whether a name that does not exist yet is accepted: it introduces a person."""


class Decider(NamedTuple):
    """PlayerTest may perform an action. ``who(play, action)`` gives ids of players or characters, the default actor
    first; if it is empty, anybody may."""

    words: str
    who: Callable[[Play[Any], Action], Sequence[str]]
    message: str = "{by} does this; it is {due}'s to decide"
    help: str = ""
    """Help; by default: remove ``by``, or write one of those who may act."""
    since: Callable[[Play[Any]], int] = lambda play: 0
    fact: str = ""
    acts: bool = True
    """Whether the first of them acts if the log names no actor."""
    default: Callable[[Play[Any], Action], Sequence[str]] | None = None
    """The default actor, if that is not the first who may act."""
    held: Callable[[Play[Any], Action, Decides], bool] | None = None
    """A separate check, for cases that need several messages: for example, turns that may have
    passed on."""


def nobody_in_particular(play: Play[Any], action: Action) -> Sequence[str]:
    """The decider of actions that anybody may perform."""
    return ()


TABLE = Decider("the table", nobody_in_particular, acts=False)
"""Anybody: the group decides together, or it does not matter."""


class Phase(NamedTuple):
    """A phase of play. ``words`` is a clause: ``a call waits for its answer``. ``since`` gives the entry
    that started it, where the game knows it better than the engine; ``fact`` describes that entry. A phase
    with a ``refusal`` refuses all verbs that are not allowed in it."""

    words: str
    since: Callable[[Play[Any]], int] = lambda play: 0
    fact: str = "it is so since this entry"
    refusal: Refusal | None = None


class Law(NamedTuple):
    """The law of a game: roles, deciders and phases."""

    phases: Mapping[str, Phase] = MappingProxyType({})
    phase: Callable[[Play[Any]], str] = lambda play: ""
    roles: Mapping[str, Role] = MappingProxyType({})
    deciders: Mapping[str, Decider] = MappingProxyType({})
    embodied: Callable[[Play[Any], str], str] = lambda play, player: ""
    """The id of the character that a player's name means."""
    terms: Callable[[Play[Any]], Mapping[str, str]] = lambda play: MappingProxyType({})
    """Terms for messages: ``{challenged}``."""
    waives: Callable[[Play[Any], type[Action], str], bool] = lambda play, verb, phase: False
    """Whether an optional rule allows a verb in a phase in which it is otherwise refused."""


class Plan(NamedTuple):
    """The checks for the entries of one verb: its moment, its decider, the keys with a single name in a
    role, and the keys with several, with the role of those that are plain lists."""

    moment: Moment
    decides: Decides | None
    single: tuple[tuple[str, Role], ...]
    several: tuple[tuple[str, Kind[Any], Any, Role | None], ...]


def plan_of(kind: type[Action], law: Law) -> Plan | None:
    """The checks for the entries of a verb; None if there are none."""
    fields = [*([kind.main] if kind.main is not None else []), *kind.fields.values()]
    single: list[tuple[str, Role]] = []
    several: list[tuple[str, Kind[Any], Any, Role | None]] = []
    for field in fields:
        roles = [law.roles[role] for role in roles_of(field.kind) if role in law.roles]
        if bare(field.kind) is NAME:
            single += [(field.attribute, role) for role in roles if role.needs]
        elif any(role.needs or role.twice for role in roles):
            plain = roles[0] if bare(field.kind) is NAMES else None
            several.append((field.attribute, field.kind, field.default, plain))
    if not (kind.moment.phases or kind.decides is not None or single or several):
        return None
    return Plan(kind.moment, kind.decides, tuple(single), tuple(several))


@cache
def roles_of(kind: Kind[Any]) -> tuple[str, ...]:
    """The roles of the names in a kind of values."""
    roles = (getattr(inner, "role", "") for inner in kinds_in(kind))
    return tuple(dict.fromkeys(role for role in roles if role))


# --- who acts -------------------------------------------------------------------------------------


def actor_by_law(play: Play[Any], action: Action, law: Law) -> str:
    """The default actor of an entry, by the decider of its verb; empty if there is none."""
    decides = action.decides
    if decides is None:
        return ""
    decider = law.deciders[decides.decider]
    entitled = (decider.default or decider.who)(play, action) if decider.acts else ()
    return player_named(play, entitled[0]) if entitled else ""


def decided_by(play: Play[Any], action: Action, law: Law | None) -> Sequence[str]:
    """The players who may perform an entry, by the law of the game; empty if anybody may, or it is unknown."""
    decides = action.decides
    if law is None or decides is None or not decides.rule:
        return ()
    return entitled_to(play, action, law.deciders[decides.decider])


def entitled_to(play: Play[Any], action: Action, decider: Decider) -> list[str]:
    """The players who may perform an entry, from its decider."""
    return [player for id in decider.who(play, action) if (player := player_named(play, id))]


def player_named(play: Play[Any], id: str) -> str:
    """The player with an id, or the player of the character with it; *somebody* if unknown."""
    if id == SOMEBODY:
        return SOMEBODY
    named = play.names.all.get(id)
    if named is None:
        return ""
    return named.name if named.kind == PLAYER else play.rulebook.player_of(play, named)


# --- holding --------------------------------------------------------------------------------------


def hold(play: Play[Any], action: Action, law: Law, plan: Plan) -> bool:
    """Check an entry before its handler runs. Returns whether the handler may run."""
    runs = True
    if not play.given:
        moment, decides = plan.moment, plan.decides
        phases = moment.phases
        if (
            phases
            and (phase := law.phase(play)) not in phases
            and not _is_in_phase(play, law, moment, phase)
            and not _is_excused_or_unknown(play)
        ):
            return not moment.void or _tell_without_effect(play, action)
        if decides is not None and not _may_decide(play, action, law, decides):
            runs = (
                not decides.void
                or _is_excused_or_unknown(play)
                or _tell_without_effect(play, action)
            )
        for attribute, role in plan.single:
            word = getattr(action, attribute)
            if word is not None:
                _check_name(play, law, role, word)
    for attribute, kind, default, plain in plan.several:
        value = getattr(action, attribute)
        if value is default:
            continue
        if plain is not None and len(value) == 1:
            if plain.needs and not play.given:
                _check_name(play, law, plain, value[0])
        else:
            for listed_names in kind.lists(value):
                listed_as = law.roles.get(listed_names.role)
                if listed_as is not None:
                    _check_list(play, law, listed_as, listed_names)
    return runs


def _check_name(play: Play[Any], law: Law, role: Role, word: ScalarNode) -> None:
    """Check a single name in a role."""
    id = subject_id_of(play, law, role, word)
    need = broken(play, role, id) if id else None
    if need is not None:
        _report_need(play, law, role, need, word, id)


def _is_excused_or_unknown(play: Play[Any]) -> bool:
    """Whether the refused entry is excused, or cannot be decided because of a gap."""
    return play.step.diagnostics[-1].finding in (Finding.EXCUSED, Finding.UNKNOWN)


def _tell_without_effect(play: Play[Any], action: Action) -> bool:
    """Keep only the story of an entry without effect."""
    if action.main is not None and action.main.kind is TEXT:
        play.step.tell(getattr(action, action.main.attribute) or "")
    return False


def _is_in_phase(play: Play[Any], law: Law, moment: Moment, name: str) -> bool:
    """Whether a verb is allowed in a phase that it does not list; reports it if not."""
    action = play.step.action
    if law.waives(play, type(action), name):
        return True
    phase = law.phases[name]
    refusal = moment.instead.get(name) or phase.refusal or moment.refusal
    terms = {**law.terms(play), "verb": action.verb}
    message = refusal.message
    if not message:
        phases_in_words = either(law.phases[allowed].words for allowed in moment.phases)
        message = f"'{action.verb}' comes when {phases_in_words}; now {phase.words}"
    start = phase_began(play, law, name)
    play.report(
        refusal.finding,
        refusal.rule,
        message.format_map(terms),
        help=refusal.help.format_map(terms) or (),
        fix=filled(refusal.fixes, terms),
        facts=(play.because(start, phase.fact.format_map(terms)),) if start and phase.fact else (),
        after=refusal.after,
        since=start,
    )
    play.taint(*refusal.doubts)
    return False


def note_phase(play: Play[Any], law: Law) -> None:
    """Record the current entry as the start of the phase, if the phase has changed."""
    phase = law.phase(play) if law.phases else ""
    if phase != play.phase:
        play.phase = phase
        play.phase_began = play.current.index if play.current is not None else 0


def phase_began(play: Play[Any], law: Law, name: str) -> int:
    """The entry that started a phase; 0 if play began with it."""
    last_step = len(play.steps) - 1
    return law.phases[name].since(play) or (play.phase_began if name == play.phase else last_step)


def _may_decide(play: Play[Any], action: Action, law: Law, decides: Decides) -> bool:
    by = play.step.player
    if not by:
        return True
    decider = law.deciders[decides.decider]
    is_away = by not in play.present and by in play.seats
    # A nested entry is an action of the person that the outer entry names.
    if is_away and action.by is None and actor_by_law(play, action, law) == by:
        play.at_the_table(by, action.place())
    if not decides.rule:
        return True
    if decider.held is not None:
        return decider.held(play, action, decides)
    if action.by is None:
        return True
    entitled = entitled_to(play, action, decider)
    if not entitled or by in entitled or SOMEBODY in entitled:
        return True
    start = decider.since(play)
    terms = {
        **law.terms(play),
        "by": by,
        "due": listed(entitled, "or"),
        "verb": action.verb,
        "doing": decides.doing,
    }
    return play.require(
        False,
        decides.rule,
        decider.message.format_map(terms),
        finding=decides.finding,
        at=action.place("by"),
        help=decider.help.format_map(terms) or (),
        fix=() if decider.help else _by_others(entitled),
        facts=(play.because(start, decider.fact),) if start and decider.fact else (),
        since=(start or _last_decided(play, decides)) if play.gaps.recorded else None,
        about="turns",
    )


def _last_decided(play: Play[Any], decides: Decides) -> int:
    """The last earlier entry with the same decider, after which it became the turn of the next one; 0 if there
    is none."""
    return next(
        (
            step.index
            for step in reversed(play.steps)
            if step is not play.step
            and step.action.decides is not None
            and step.action.decides.decider == decides.decider
        ),
        0,
    )


def _by_others(players: Sequence[str]) -> list[Fix]:
    """The fixes for an entry with a wrong actor: without ``by``, or by one of the players who may act."""
    if len(players) > FEW:
        return [make_fix(RemoveKey("by"))]
    return [make_fix(RemoveKey("by")), *(make_fix(SetKey("by", player)) for player in players)]


def _check_list(play: Play[Any], law: Law, role: Role, names: Listed) -> None:
    if not role.needs and (not role.twice or len(names.items) < 2):
        return
    first_by_ids: dict[frozenset[str], ScalarNode] = {}
    reported_ids: set[str] = set()
    check_repeats = role.twice and len(names.items) > 1
    for item in names.items:
        ids = [subject_id_of(play, law, role, word) for word in item]
        if not play.given:
            for word, id in zip(item, ids, strict=True):
                need = broken(play, role, id) if id and id not in reported_ids else None
                if need is not None:
                    reported_ids.add(id)
                    _report_need(play, law, role, need, word, id)
        if check_repeats and all(ids):
            key = frozenset(ids)
            if key in first_by_ids:
                _report_repeated_name(play, role, item, first_by_ids[key])
            else:
                first_by_ids[key] = item[0]


def subject_id_of(play: Play[Any], law: Law, role: Role, word: ScalarNode) -> str:
    """The id of the subject of a word in a role; empty if unknown, which is reported elsewhere."""
    subject = play.names.find(word, role.kinds)
    if not isinstance(subject, Named):
        return ""
    if subject.kind == PLAYER:
        return subject.id if role.of == PLAYER else law.embodied(play, subject.id)
    return play.rulebook.player_of(play, subject) if role.of == PLAYER else subject.id


def broken(play: Play[Any], role: Role, id: str, *, entry: bool = True) -> Need | None:
    """The first need of a role that a person does not meet now, or None. With ``entry`` false, needs about
    the actor are skipped."""
    for need in role.needs:
        if (entry or not need.own) and need.asked(play, id) and not need.holds(play, id):
            return need
    return None


def _report_need(
    play: Play[Any], law: Law, role: Role, need: Need, word: ScalarNode, id: str
) -> None:
    if need is AT_TABLE and player_named(play, id) == play.step.player:
        return  # The actor has been checked already.
    start = need.since(play, id)
    terms = {
        **law.terms(play),
        "who": play.names.all[id].name,
        "player": player_named(play, id),
        "by": play.step.player,
        "doing": role.doing,
    }
    action, doubts = play.step.action, need.doubts(play, id)
    diagnostic = play.report(
        need.finding,
        need.rule,
        need.message.format_map(terms),
        at=word,
        help=need.help.format_map(terms) or (),
        fix=attends(play, terms["player"]) if need is AT_TABLE else filled(need.fixes, terms),
        facts=(play.because(start, need.fact.format_map(terms)),) if start and need.fact else (),
        after=(*doubts, *(("present:",) if need is AT_TABLE else ())),
        since=start,
        about="cast",
        lasting=need.lasting or need is AT_TABLE,
    )
    play.taint(*doubts)
    if diagnostic.finding is not Finding.EXCUSED:
        play.barred.add((action.path, word.line, word.column))


def _report_repeated_name(play: Play[Any], role: Role, item: Item, first: ScalarNode) -> None:
    action = play.step.action
    name = " & ".join(item)
    diagnostic = play.report(
        Finding.BOOKKEEPING if role.twice == "T68" else Finding.ILLEGAL,
        role.twice,
        f"{name} is named twice here",
        at=item[0],
        fix=make_fix(RemoveItem(name, place_of(item[0], action.path))),
    )
    if diagnostic.finding is not Finding.EXCUSED:
        play.barred.add((action.path, item[0].line, item[0].column))


def barred(play: Play[Any], word: ScalarNode) -> bool:
    """Whether the law has refused the subject of this word: a handler that needs it must do without."""
    return (play.step.action.path, word.line, word.column) in play.barred


# --- for everybody who reads it -------------------------------------------------------------------


def allows(law: Law, play: Play[Any], verb: type[Action]) -> bool:
    """Whether a verb is allowed now, by its moment."""
    phases = verb.moment.phases
    if not phases:
        return True
    phase = law.phase(play)
    return phase in phases or law.waives(play, verb, phase)


def who_decides(law: Law | None, verb: type[Action]) -> str:
    """The persons who may perform a verb, in words."""
    if law is None or verb.decides is None:
        by = verb.fields.get("by")
        return f"{by.doc}, named with by" if by is not None and by.required else verb.acts
    return law.deciders[verb.decides.decider].words


def who_may(law: Law, role: str) -> str:
    """The requirements of a role, in words: ``a character: alive, in the scene``."""
    role_needed = law.roles[role]
    needs = ", ".join(need.words for need in role_needed.needs)
    return f"{role_needed.words}: {needs}" if needs else role_needed.words
