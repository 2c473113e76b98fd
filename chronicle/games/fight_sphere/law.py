"""The law of Fight Sphere: who may be named where, who decides, and when (see ``chronicle.core.law``).

What a Scene leaves open (its roll, its reward, its losses) is asked for when the next one begins; a verb
that may come at any time says itself what it makes of the moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chronicle.core.declare import Action
from chronicle.core.diagnostic import listed
from chronicle.core.law import AT_TABLE, TABLE, Decider, Law, Need, Phase, Role
from chronicle.core.names import PLAYER, Named
from chronicle.core.play import Play
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere import actions
from chronicle.games.fight_sphere.state import GLADIATOR, INHABITANT, Fate, Stage, State
from chronicle.games.fight_sphere.table import survivor, upcoming, whose_scene

# --- needs and roles ------------------------------------------------------------------------------


def _not(fate: Fate, rule: str) -> Need:
    return Need(
        f"not {fate}",
        rule,
        lambda play, who: play.state.gladiators[who].fate is not fate,
        f"{{who}} is {'the ' if fate is Fate.LAST else ''}{fate} and cannot {{doing}}",
        since=lambda play, who: play.state.gladiators[who].fate_step,
        fact="{who} fell here" if fate is not Fate.LAST else "decided here",
        lasting=fate is Fate.DEAD,
    )


def _standing(rule: str, dead: str = "") -> tuple[Need, ...]:
    """Nobody who has fallen, or stands alone at the end of an Episode."""
    return _not(Fate.DEAD, dead or rule), _not(Fate.OUT, rule), _not(Fate.LAST, rule)


def _npc(rule: str) -> Need:
    return Need(
        "an NPC Gladiator",
        rule,
        lambda play, who: play.state.gladiators[who].npc,
        "{who} is no NPC Gladiator",
        lasting=True,
    )


NOT_GONE = Need(
    "not lost",
    "F54",
    lambda play, who: not play.state.inhabitants[who].gone,
    "{who} is gone for good and cannot be in a Scene",
    since=lambda play, who: play.state.inhabitants[who].gone,
    fact="lost here",
    lasting=True,
)


def _player(play: Play[State], who: str) -> str:
    g = play.state.gladiators.get(who)
    return g.player if g is not None else who


JUDGES = Need(
    "with a Judgment Pool",
    "F67",
    lambda play, who: play.state.judgment(_player(play, who)) is not None,
    "{who} has no Judgment Pool",
    "only a player whose Gladiator cannot take part judges",
)


def _left_to_npcs(play: Play[State], who: str) -> bool:
    return any(e.needs_survivors and who in play.state.standing(e) for e in play.state.layer_now())


LEFT = Need(
    "standing where only NPC Gladiators are left",
    "FA23",
    _left_to_npcs,
    "{who} does not stand in an Episode that was left to NPC Gladiators",
    asked=lambda play, who: any(e.needs_survivors for e in play.state.layer_now()),
)
IN_CLASH = Need(
    "in the Encounter",
    "F57",
    lambda play, who: play.state.open_round is None or who in play.state.open_round.members,
    "{who} is in no Encounter at the moment",
)
GLADIATORS = (GLADIATOR, PLAYER)

ROLES: Mapping[str, Role] = {
    "chosen": Role("a Gladiator", "be played", (), GLADIATORS),
    "trades": Role("a Gladiator", "trade", (), GLADIATORS),
    "cast": Role("a Gladiator", "be cast", (_not(Fate.DEAD, "F17"),), GLADIATORS),
    "counted": Role("a Gladiator", "", (), GLADIATORS),
    "there": Role("an inhabitant, or somebody new", "", (NOT_GONE,), (INHABITANT,)),
    "guest": Role("a truce partner", "be in a Scene", _standing("F52", dead="F17")[:2], GLADIATORS),
    "frames": Role("the player, the GM or a player who judges", "", (AT_TABLE,), of=PLAYER),
    "met": Role("a Gladiator of the Episode", "be met", _standing("F47", dead="F17"), GLADIATORS),
    "judges": Role("a player", "", (AT_TABLE, JUDGES), GLADIATORS, of=PLAYER),
    "side": Role("a Gladiator, or the GM"),
    "leaves": Role("a Gladiator", "leave", (IN_CLASH,), GLADIATORS),
    "makes a truce": Role("a Gladiator", "make a truce", _standing("F58"), GLADIATORS),
    "refuses": Role("one of the two", "", (), GLADIATORS),
    "ends a truce": Role("a Gladiator with a truce", "", (), GLADIATORS),
    "betrayed": Role("a truce partner", "", (), GLADIATORS),
    "rolls": Role("a Gladiator, the GM, or a player who judges"),
    "loses": Role("a Gladiator who lost", "", (), GLADIATORS),
    "pays": Role("an inhabitant who was used", "", (), (INHABITANT, GLADIATOR)),
    "told of": Role("an inhabitant", "", (), (INHABITANT,)),
    "shown": Role(
        "an NPC Gladiator", "be shown", (_npc("F38"), _not(Fate.DEAD, "F38")), GLADIATORS
    ),
    "comes back": Role(
        "an NPC Gladiator", "come back", (_npc("F39"), *_standing("F39")), GLADIATORS
    ),
    "falls": Role("a Gladiator who is beaten", "", (), GLADIATORS),
    "lives": Role("an NPC Gladiator", "", (LEFT,), GLADIATORS),
}

# --- deciders -------------------------------------------------------------------------------------


def _turn(play: Play[State], action: Action) -> Sequence[str]:
    who = upcoming(play)
    return (who,) if who else ()


def _first_named(play: Play[State], action: Action) -> str:
    """The id of the Gladiator whom an entry names first."""
    value = getattr(action, action.main.attribute) if action.main is not None else None
    words = [value] if isinstance(value, ScalarNode) else list(value or ())
    found = play.names.find(words[0], (GLADIATOR,)) if words else None
    return found.id if isinstance(found, Named) else ""


def _maker(play: Play[State], action: Action) -> Sequence[str]:
    who = _first_named(play, action)
    return (play.state.gladiators[who].player,) if who else ()


def _player_of(play: Play[State], action: Action) -> Sequence[str]:
    """The player; of an NPC Gladiator the GM, or whoever made it."""
    who = _first_named(play, action)
    return (who, play.state.gladiators[who].player) if who else ()


def _of_scene(play: Play[State], action: Action) -> Sequence[str]:
    who = whose_scene(play)
    return (who,) if who else ()


def _survivor(play: Play[State], action: Action) -> Sequence[str]:
    last = survivor(play.state)
    return (last.player,) if last is not None else ()


_FIRST = TABLE._replace(words="the player who makes the Gladiator: name the player with by")

DECIDERS: Mapping[str, Decider] = {
    "table": TABLE,
    "makes": _FIRST,
    "maker": Decider(
        "the player who made the Gladiator",
        _maker,
        "{by} cannot choose here; {due} made this Gladiator",
    ),
    "gm": Decider(
        "the GM", lambda play, action: (play.runner,), "{by} does this; only the GM does, {due}"
    ),
    "player": Decider("the Gladiator's player", _player_of),
    "losers": Decider("the losers' players", _player_of),
    "turn": Decider("the player whose turn it is", _turn),
    "scene": Decider("the player whose Scene it is", _of_scene),
    "each": TABLE._replace(words="each player named"),
    "both": TABLE._replace(words="both players"),
    "one of two": TABLE._replace(words="one of the two players"),
    "traitor": TABLE._replace(words="the traitor's player: name the Gladiator with by"),
    "survivor": Decider(
        "the survivor's player",
        _survivor,
        "{by} tells the epilogue; {survivor} survived, so {due} does",
        since=lambda play: last.fate_step if (last := survivor(play.state)) else 0,
        fact="survived here",
    ),
}

# --- phases ---------------------------------------------------------------------------------------


def phase(play: Play[State]) -> str:
    """Where play is."""
    state = play.state
    if state.over:
        return actions.OVER
    if not state.layers:
        return actions.SETUP
    round_ = state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        return actions.CLASH
    waiting = [c for c in state.open_conflicts if c.stage is Stage.BUILDING]
    if any(c.built or not c.guest for c in waiting):
        return actions.BUILDING
    if survivor(state) is not None:
        return actions.ENDED
    if round_ is not None or state.open_conflicts:
        return actions.CLASHED if round_ is not None else actions.ROLLED
    return actions.BETWEEN if state.layer_done() else actions.FREE


def _scene(play: Play[State]) -> int:
    return play.state.scene_step


def _rolled(play: Play[State]) -> int:
    state = play.state
    if state.open_round is not None:
        return state.open_round.result_step
    return state.open_conflicts[-1].result_step if state.open_conflicts else 0


def _ended(play: Play[State]) -> int:
    last = survivor(play.state)
    return last.fate_step if last is not None else 0


PHASES: Mapping[str, Phase] = {
    actions.SETUP: Phase("no Layer has begun"),
    actions.FREE: Phase("no Scene is open"),
    actions.BUILDING: Phase("a Conflict waits for its dice", _scene, "framed here"),
    actions.CLASH: Phase("an Encounter waits for its dice", _scene, "framed here"),
    actions.ROLLED: Phase("the dice have fallen", _rolled, "rolled here"),
    actions.CLASHED: Phase("the dice of an Encounter have fallen", _rolled, "rolled here"),
    actions.BETWEEN: Phase(
        "the Layer is over",
        lambda play: max((e.over for e in play.state.layer_now()), default=0),
        "its last Episode ended here",
    ),
    actions.ENDED: Phase("one alone is left", _ended, "{survivor} survived here"),
    actions.OVER: Phase("the game is over", _ended, "{survivor} survived here"),
}


def terms(play: Play[State]) -> Mapping[str, str]:
    """What messages may say of the moment."""
    state = play.state
    last = survivor(state)
    return {
        "survivor": last.name if last is not None else "nobody",
        "living": listed(g.name for g in state.played() if g.fate is not Fate.DEAD) or "all",
    }


def _embodied(play: Play[State], player: str) -> str:
    mine = play.state.played_by(player)
    return mine.id if mine is not None else ""


LAW = Law(PHASES, phase, ROLES, DECIDERS, _embodied, terms)
