"""The law of a game: who decides, who may be named in which role, and in which moment.

Said once, held by the core before a handler runs, and read by everybody else (the check, the format
reference, the JSON Schema, what may come next, completion). To put a game under its law:

1. **Roles.** In ``actions.py`` say of every key that names somebody in which role it does so:
   ``against = required(in_role("challenged", NAME), ...)``, also inside a kind, ``MapOf(in_role("wounded",
   NAME), in_role("blamed", NAMES))``. What names nobody who is there already (a new name, a trait, an id)
   is ``label(NAME)``. In the game's ``law.py`` give every role its :class:`Role`: what may be named
   (``kinds``), and what it needs, a tuple of :class:`Need`, asked in that order; the first one that is
   not met is told. A :class:`Need` (alive, in the scene, Controlled, not committed ...) is written once
   a game, with its rule id and its message. :data:`AT_TABLE` is every game's. Within one list nobody
   stands twice (``twice`` is the rule that says so; ``""`` where they may).
2. **Deciders.** ``decides = Decides("challenged", "P17")`` on a verb names a :class:`Decider` of the
   law: whose act an entry without ``by`` is, and who else is told of under that rule. The resolved
   actor has to be at the table like any other.
3. **Moments.** ``moment = Moment(("called",), Refusal("P17", "nobody has called", help="call: ..."))``
   on a verb lists the phases of the game in which it may stand; in every other it is refused. The
   :class:`Phase` of the law can speak for all verbs (when the game is over). ``void=True`` where a
   refused entry must do nothing because it would change the phase: the handler does not run.
4. ``law = LAW`` in the rulebook. Take out of the handlers what the law holds now. A handler that has to
   do without somebody accused asks :func:`barred`. Entries above ``play starts:`` are given: of them
   only the lists are held. Across a ``gap:`` what is missing is unknown, not wrong.
5. The tests in ``tests/games/test_law.py`` then try every key with everybody who lacks a need, and every verb in
   every phase. What a declaration cannot say plainly stays in the handler, with a ``Moment`` or a role
   that leaves it alone (none, ``Decides("table")``, a role without needs).

Messages are templates: ``{who}`` is the one named, ``{doing}`` what the role does, ``{by}`` who wrote
himself down as acting, ``{due}`` who decides on the ``{verb}``; ``terms`` of the law gives further ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from chronicle.core.declare import (
    NAME,
    NAMES,
    TEXT,
    Action,
    Decides,
    Item,
    Kind,
    Listed,
    Moment,
    Refusal,
    bare,
)
from chronicle.core.diagnostic import Finding, either, listed
from chronicle.core.fix import Fix, RemoveItem, RemoveKey, SetKey, filled, make_fix
from chronicle.core.holes import SOMEBODY
from chronicle.core.names import PLAYER, Named
from chronicle.core.play import FEW, Play, attends, away
from chronicle.core.source import Word, place_of

Who = Callable[[Play[Any], str], bool]
When = Callable[[Play[Any], str], int]


def _never(play: Play[Any], who: str) -> int:
    return 0


def _always(play: Play[Any], who: str) -> bool:
    return True


class Need(NamedTuple):
    """What somebody in a role must be. ``holds(play, id)`` says whether it is so, ``since`` which entry
    made it otherwise (``fact`` says what happened there), ``asked`` whether it is asked at all now.
    ``lasting``: nothing that a hole in the record may hide can have mended it (death)."""

    words: str
    rule: str
    holds: Who
    message: str
    help: str = ""
    since: When = _never
    fact: str = ""
    asked: Who = _always
    finding: Finding = Finding.ILLEGAL
    lasting: bool = False
    own: bool = False
    """Whether it speaks of whoever wrote himself down as acting (``by``)."""
    doubts: Callable[[Play[Any], str], tuple[str, ...]] = lambda play, who: ()
    """What is in doubt from then on: told once, the same about the same somebody is folded under it."""
    fixes: tuple[Fix, ...] = ()
    """Ways to solve it, with terms in braces as in the message."""


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
    doubts=lambda play, who: (away(player_named(play, who)),),
)
"""The player, or the player of the character, is there tonight. Who runs the game is always there."""


class Role(NamedTuple):
    """What it takes to be named somewhere. ``words`` says who may be (``a character in the scene``),
    ``doing`` what they would do (``be asked``). ``kinds`` are the kinds of names it may be (any if
    empty); in a role ``of`` players a character means its player, in any other a player means their
    character."""

    words: str
    doing: str = ""
    needs: tuple[Need, ...] = ()
    kinds: tuple[str, ...] = ()
    of: str = ""
    twice: str = "T68"
    groups: tuple[str, ...] = ()
    """Words that stand for several at once: ``everybody``."""


class Decider(NamedTuple):
    """Whose act something is. ``who(play, action)`` gives the ids of players or of characters, the one
    taken first where the log does not say; nobody: anybody may."""

    words: str
    who: Callable[[Play[Any], Action], Sequence[str]]
    message: str = "{by} does this; it is {due}'s to decide"
    help: str = ""
    """What to do instead; empty: to leave ``by`` out, or to write one of those who may."""
    since: Callable[[Play[Any]], int] = lambda play: 0
    fact: str = ""
    acts: bool = True
    """Whether the first of them acts where the log does not say who does."""
    default: Callable[[Play[Any], Action], Sequence[str]] | None = None
    """Whose act it is where the log does not say, if that is not the first who may."""
    held: Callable[[Play[Any], Action, Decides], bool] | None = None
    """How an entry is held where that cannot be said in one message: because of somebody's turn, which
    may have passed on."""


def nobody_in_particular(play: Play[Any], action: Action) -> Sequence[str]:
    """The decider of what anybody may do."""
    return ()


TABLE = Decider("the table", nobody_in_particular, acts=False)
"""Whoever it is: the table decides together, or it does not matter."""


class Phase(NamedTuple):
    """A phase of play. ``words`` is a clause: ``a call waits for its answer``. ``since`` is the entry
    that brought it, where a game knows that better than the engine, which notes the entry at which the
    phase changed; ``fact`` says what happened there. A phase with a ``refusal`` speaks for all verbs
    that may not stand in it."""

    words: str
    since: Callable[[Play[Any]], int] = lambda play: 0
    fact: str = "it is so since this entry"
    refusal: Refusal | None = None


class Law(NamedTuple):
    """What a game says once about everybody who is named, about who decides, and about its phases."""

    phases: Mapping[str, Phase] = MappingProxyType({})
    phase: Callable[[Play[Any]], str] = lambda play: ""
    roles: Mapping[str, Role] = MappingProxyType({})
    deciders: Mapping[str, Decider] = MappingProxyType({})
    embodied: Callable[[Play[Any], str], str] = lambda play, player: ""
    """The id of the character that a player's name means."""
    terms: Callable[[Play[Any]], Mapping[str, str]] = lambda play: MappingProxyType({})
    """What messages may say of the moment: ``{challenged}``."""
    waives: Callable[[Play[Any], type[Action], str], bool] = lambda play, verb, phase: False
    """Whether an optional rule in force lets a verb stand in a phase in which it otherwise may not."""


class Plan(NamedTuple):
    """What the law has to look at in an entry of one verb: its moment, who decides, the keys with one
    name in a role each, and the keys with several, with the role of those that are a plain list."""

    moment: Moment
    decides: Decides | None
    single: tuple[tuple[str, Role], ...]
    several: tuple[tuple[str, Kind[Any], Any, Role | None], ...]


def plan_of(kind: type[Action], law: Law) -> Plan | None:
    """What has to be looked at in the entries of a verb; None if nothing has to."""
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
    """The roles that names of a kind of values stand in."""
    found = [role] if (role := getattr(kind, "role", "")) else []
    for name in ("kind", "item", "key", "value"):
        inner = getattr(kind, name, None)
        if isinstance(inner, Kind):
            found += roles_of(inner)
    for inner in getattr(kind, "kinds", ()):
        found += roles_of(inner)
    part = getattr(kind, "part", None)
    for field in part.fields.values() if part is not None else ():
        found += roles_of(field.kind)
    return tuple(dict.fromkeys(found))


# --- who acts -------------------------------------------------------------------------------------


def actor_by_law(play: Play[Any], action: Action, law: Law) -> str:
    """Whose act an entry without ``by`` is, by the decider of its verb; empty if nobody's."""
    decides = action.decides
    if decides is None:
        return ""
    decider = law.deciders[decides.decider]
    entitled = (decider.default or decider.who)(play, action) if decider.acts else ()
    return player_named(play, entitled[0]) if entitled else ""


def decided_by(play: Play[Any], action: Action, law: Law | None) -> Sequence[str]:
    """The players whose act an entry may be, by the law of the game; none: anybody's, or not known."""
    decides = action.decides
    if law is None or decides is None or not decides.rule:
        return ()
    return entitled_to(play, action, law.deciders[decides.decider])


def entitled_to(play: Play[Any], action: Action, decider: Decider) -> list[str]:
    """The players among whom an entry's decider is."""
    return [player for id in decider.who(play, action) if (player := player_named(play, id))]


def player_named(play: Play[Any], id: str) -> str:
    """The player with an id, or the player of the character with it; somebody, if nobody knows who."""
    if id == SOMEBODY:
        return SOMEBODY
    named = play.names.all.get(id)
    if named is None:
        return ""
    return named.name if named.kind == PLAYER else play.rulebook.player_of(play, named)


# --- holding --------------------------------------------------------------------------------------


def hold(play: Play[Any], action: Action, law: Law, plan: Plan) -> bool:
    """Hold an entry against the law before its handler runs. Returns whether the handler may run."""
    runs = True
    if not play.given:
        moment, decides = plan.moment, plan.decides
        phases = moment.phases
        if (
            phases
            and (phase := law.phase(play)) not in phases
            and not _in_time(play, law, moment, phase)
            and not _covered(play)
        ):
            return not moment.void or _only_told(play, action)
        if decides is not None and not _may_decide(play, action, law, decides):
            runs = not decides.void or _covered(play) or _only_told(play, action)
        for attribute, role in plan.single:
            word = getattr(action, attribute)
            if word is not None:
                _hold_one(play, law, role, word)
    for attribute, kind, default, plain in plan.several:
        value = getattr(action, attribute)
        if value is default:
            continue
        if plain is not None and len(value) == 1:
            if plain.needs and not play.given:
                _hold_one(play, law, plain, value[0])
        else:
            for found in kind.lists(value):
                listed_as = law.roles.get(found.role)
                if listed_as is not None:
                    _hold_list(play, law, listed_as, found)
    return runs


def _hold_one(play: Play[Any], law: Law, role: Role, word: Word) -> None:
    """Hold a name that stands alone in its role."""
    id = meant(play, law, role, word)
    need = broken(play, role, id) if id else None
    if need is not None:
        _tell_need(play, law, role, need, word, id)


def _covered(play: Play[Any]) -> bool:
    """Whether the table stands by a refused entry, or nobody can know."""
    return play.step.diagnostics[-1].finding in (Finding.EXCUSED, Finding.UNKNOWN)


def _only_told(play: Play[Any], action: Action) -> bool:
    """Keep the story of an entry that does nothing."""
    if action.main is not None and action.main.kind is TEXT:
        play.step.tell(getattr(action, action.main.attribute) or "")
    return False


def _in_time(play: Play[Any], law: Law, moment: Moment, name: str) -> bool:
    """Whether a verb may stand in a phase that is none of its own; told if not."""
    action = play.step.action
    if law.waives(play, type(action), name):
        return True
    phase = law.phases[name]
    refusal = moment.instead.get(name) or phase.refusal or moment.refusal
    terms = {**law.terms(play), "verb": action.verb}
    message = refusal.message
    if not message:
        when = either(law.phases[other].words for other in moment.phases)
        message = f"'{action.verb}' comes when {when}; now {phase.words}"
    since = phase_began(play, law, name)
    play.report(
        refusal.finding,
        refusal.rule,
        message.format_map(terms),
        help=refusal.help.format_map(terms) or (),
        fix=filled(refusal.fixes, terms),
        facts=(play.because(since, phase.fact.format_map(terms)),) if since and phase.fact else (),
        after=refusal.after,
        since=since,
    )
    play.taint(*refusal.doubts)
    return False


def note_phase(play: Play[Any], law: Law) -> None:
    """Note the entry at work as the one that brought the phase, if the phase has changed."""
    phase = law.phase(play) if law.phases else ""
    if phase != play.phase:
        play.phase = phase
        play.phase_began = play.current.index if play.current is not None else 0


def phase_began(play: Play[Any], law: Law, name: str) -> int:
    """The entry that brought a phase; 0 if play began with it."""
    before = len(play.steps) - 1
    return law.phases[name].since(play) or (play.phase_began if name == play.phase else before)


def _may_decide(play: Play[Any], action: Action, law: Law, decides: Decides) -> bool:
    by = play.step.player
    if not by:
        return True
    decider = law.deciders[decides.decider]
    missing = by not in play.present and by in play.seats
    # An entry inside another is the act of whoever that one names.
    if missing and action.by is None and actor_by_law(play, action, law) == by:
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
    since = decider.since(play)
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
        facts=(play.because(since, decider.fact),) if since and decider.fact else (),
    )


def _by_others(players: Sequence[str]) -> list[Fix]:
    """The fixes for an entry that is not its actor's to write: without ``by``, or by one of some players."""
    if len(players) > FEW:
        return [make_fix(RemoveKey("by"))]
    return [make_fix(RemoveKey("by")), *(make_fix(SetKey("by", player)) for player in players)]


def _hold_list(play: Play[Any], law: Law, role: Role, found: Listed) -> None:
    if not role.needs and (not role.twice or len(found.items) < 2):
        return
    seen: dict[frozenset[str], Word] = {}
    held: set[str] = set()
    several = role.twice and len(found.items) > 1
    for item in found.items:
        ids = [meant(play, law, role, word) for word in item]
        if not play.given:
            for word, id in zip(item, ids, strict=True):
                need = broken(play, role, id) if id and id not in held else None
                if need is not None:
                    held.add(id)
                    _tell_need(play, law, role, need, word, id)
        if several and all(ids):
            key = frozenset(ids)
            if key in seen:
                _twice(play, role, item, seen[key])
            else:
                seen[key] = item[0]


def meant(play: Play[Any], law: Law, role: Role, word: Word) -> str:
    """The id of whoever a word means in a role; empty where that is not known (which is told by
    whoever needs to know)."""
    found = play.names.find(word, role.kinds)
    if not isinstance(found, Named):
        return ""
    if found.kind == PLAYER:
        return found.id if role.of == PLAYER else law.embodied(play, found.id)
    return play.rulebook.player_of(play, found) if role.of == PLAYER else found.id


def broken(play: Play[Any], role: Role, id: str, *, entry: bool = True) -> Need | None:
    """The first need of a role that somebody does not meet now, if there is one; outside an ``entry``
    nobody acts, and nothing is asked of ``by``."""
    for need in role.needs:
        if (entry or not need.own) and need.asked(play, id) and not need.holds(play, id):
            return need
    return None


def _tell_need(play: Play[Any], law: Law, role: Role, need: Need, word: Word, id: str) -> None:
    if need is AT_TABLE and player_named(play, id) == play.step.player:
        return  # Whoever acts has been asked that already.
    since = need.since(play, id)
    terms = {
        **law.terms(play),
        "who": play.names.all[id].name,
        "player": player_named(play, id),
        "by": play.step.player,
        "doing": role.doing,
    }
    action, doubts = play.step.action, need.doubts(play, id)
    told = play.report(
        need.finding,
        need.rule,
        need.message.format_map(terms),
        at=word,
        help=need.help.format_map(terms) or (),
        fix=attends(play, terms["player"]) if need is AT_TABLE else filled(need.fixes, terms),
        facts=(play.because(since, need.fact.format_map(terms)),) if since and need.fact else (),
        after=(*doubts, *(("present:",) if need is AT_TABLE else ())),
        since=since,
        about="cast",
        lasting=need.lasting or need is AT_TABLE,
    )
    play.taint(*doubts)
    if told.finding is not Finding.EXCUSED:
        play.barred.add((action.path, word.line, word.column))


def _twice(play: Play[Any], role: Role, item: Item, first: Word) -> None:
    action = play.step.action
    name = " & ".join(item)
    told = play.report(
        Finding.BOOKKEEPING if role.twice == "T68" else Finding.ILLEGAL,
        role.twice,
        f"{name} is named twice here",
        at=item[0],
        fix=make_fix(RemoveItem(name, place_of(item[0], action.path))),
    )
    if told.finding is not Finding.EXCUSED:
        play.barred.add((action.path, item[0].line, item[0].column))


def barred(play: Play[Any], word: Word) -> bool:
    """Whether the law has spoken against whoever a word of this entry names: a handler that cannot do
    what was meant then does without."""
    return (play.step.action.path, word.line, word.column) in play.barred


# --- for everybody who reads it -------------------------------------------------------------------


def allows(law: Law, play: Play[Any], verb: type[Action]) -> bool:
    """Whether a verb may stand now, by its moment."""
    phases = verb.moment.phases
    if not phases:
        return True
    phase = law.phase(play)
    return phase in phases or law.waives(play, verb, phase)


def who_decides(law: Law | None, verb: type[Action]) -> str:
    """Who decides on a verb, in words."""
    if law is None or verb.decides is None:
        by = verb.fields.get("by")
        return f"{by.doc}, named with by" if by is not None and by.required else verb.acts
    return law.deciders[verb.decides.decider].words


def who_may(law: Law, role: str) -> str:
    """What a role needs, in words: ``a character: alive, in the scene``."""
    wanted = law.roles[role]
    needs = ", ".join(need.words for need in wanted.needs)
    return f"{wanted.words}: {needs}" if needs else wanted.words
