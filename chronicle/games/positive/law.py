"""The law of Positive: who may be named where, who decides, and when (see ``chronicle.core.law``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chronicle.core.declare import Action, Refusal
from chronicle.core.diagnostic import Finding, listed
from chronicle.core.law import AT_TABLE, TABLE, Decider, Law, Need, Phase, Role
from chronicle.core.names import PLAYER, Named
from chronicle.core.play import Play
from chronicle.games.positive import actions
from chronicle.games.positive.state import CHARACTER, Stage, State

ANYBODY = (CHARACTER, PLAYER)

# --- needs and roles ------------------------------------------------------------------------------


IN_SCENE = Need(
    "in the scene",
    "P13",
    lambda play, who: who in play.state.cast,
    "{who} is not in this scene and cannot {doing}",
    "barge in: {who}  comes first, for one commitment die",
    since=lambda play, who: play.state.scene_step,
    fact="the scene opened here, without {who}",
    asked=lambda play, who: play.state.in_scene,
    doubts=lambda play, who: (f"scene {play.state.scene_step}:{who}",),
)
CALLS_FROM_WITHIN = IN_SCENE._replace(
    rule="P15",
    message="{who} is not in this scene and calls a conflict",
    asked=lambda play, who: play.state.in_scene and play.ruling("caller_scope") == "in-scene",
    finding=Finding.SUSPICIOUS,
)


OWN_DIE = Need(
    "one's own die",
    "P18",
    lambda play, player: play.step.action.by is None or play.step.player in ("", player),
    "{by} lays down a die of {who}'s; that is {who}'s to decide",
    "leave 'by' out",
    own=True,
)
NOT_OUT = Need(
    "not the player of whoever is thrown out",
    "P26",
    lambda play, player: player not in map(play.state.player, play.state.ejected),
    "{who} plays {ejected}, who is thrown out; the others tell how",
    lasting=True,
)

ROLES: Mapping[str, Role] = {
    "speaks": Role("a character", "speak", (IN_SCENE,), (CHARACTER,), twice=""),
    "apologises": Role(
        "a character who owns up", "apologise in it", (IN_SCENE._replace(rule="P14"),), ANYBODY
    ),
    "doubts": Role("a player of the others", "", (AT_TABLE,), ANYBODY, of=PLAYER),
    "caller": Role("the offended character", "", (CALLS_FROM_WITHIN,), ANYBODY),
    "challenged": Role("a character", "be called", (IN_SCENE,), ANYBODY),
    "backer": Role("a player of the others", "", (AT_TABLE, OWN_DIE), ANYBODY, of=PLAYER, twice=""),
    "side": Role("a principal of the conflict", "", (), ANYBODY, twice=""),
    "teller": Role("a player", "", (NOT_OUT,), ANYBODY, of=PLAYER),
    "player": Role("a player", "", (), ANYBODY, of=PLAYER),
    "named": Role("a character", "", (), ANYBODY),
}


# --- deciders -------------------------------------------------------------------------------------


def _opener(play: Play[State], action: Action) -> Sequence[str]:
    state = play.state
    who = state.accuser if not state.scenes and not play.given else state.opener
    return (who,) if who else ()


def _barger(play: Play[State], action: Action) -> Sequence[str]:
    found = play.names.find(action.who, ANYBODY) if isinstance(action, actions.BargeIn) else None
    return (found.id,) if isinstance(found, Named) else ()


def _challenged(play: Play[State], action: Action) -> Sequence[str]:
    conflict = play.state.running()
    several = conflict is not None and conflict.stage is Stage.MATCHED
    if conflict is None or (several and play.ruling("principals") == "several"):
        return ()
    return (conflict.challenged,)


def _concludes(play: Play[State], action: Action) -> Sequence[str]:
    conflict = play.state.conflict
    given_way = conflict is not None and conflict.stage is Stage.BACKED_DOWN
    return (conflict.caller,) if conflict is not None and given_way else ()


def _closes(play: Play[State], action: Action) -> Sequence[str]:
    state = play.state
    conflict = state.conflict
    if conflict is not None:
        return (conflict.winner or conflict.caller,)
    return state.cast[:1]


DECIDERS: Mapping[str, Decider] = {
    "table": TABLE,
    "volunteer": TABLE._replace(words="the volunteer"),
    "opener": Decider(
        "whoever has the right to open: the accuser first, then the loser of the last conflict",
        _opener,
    ),
    "barger": Decider(
        "the player of the character who barges in",
        _barger,
        "{by} brings in a character of {due}'s, for a die of {due}'s",
    ),
    "sinner": TABLE._replace(words="the player of the character who apologises: name it with by"),
    "caller": TABLE._replace(words="the offended player: name the character with by"),
    "challenged": Decider(
        "the challenged player",
        _challenged,
        "{by} answers; {challenged} was challenged and answers alone",
        "others may back a side with one commitment die:  back: {{player: side}}",
        since=lambda play: play.state.conflict.steps[0] if play.state.conflict else 0,
        fact="called here",
    ),
    "backers": TABLE._replace(words="each player named"),
    "sides": TABLE._replace(words="both sides"),
    "closer": Decider(
        "the winner of the conflict, or the caller after a back-down, or the opener",
        _concludes,
        "{by} closes the scene; {challenged} backed down, so {caller} concludes it",
        "leave 'by' out, or write by: {caller}",
        since=lambda play: play.state.conflict.steps[-1] if play.state.conflict else 0,
        fact="backed down here",
        default=_closes,
    ),
    "others": TABLE._replace(
        words="each player but the ejected one: name the player with by",
    ),
    "each": TABLE._replace(words="each player named"),
}


# --- phases ---------------------------------------------------------------------------------------


_OF_CONFLICT = {
    Stage.CALLED: actions.CALLED,
    Stage.MATCHED: actions.MATCHED,
    Stage.ROLLED: actions.DECIDED,
    Stage.BACKED_DOWN: actions.GIVEN_WAY,
}


def phase(play: Play[State]) -> str:
    """Where play is."""
    state = play.state
    conflict = state.conflict
    if state.over or state.ejected:
        return actions.CLOSING if state.in_scene else actions.OVER if state.over else actions.OUT
    if conflict is not None:
        return _OF_CONFLICT[conflict.stage]
    if state.in_scene:
        return actions.OPEN
    return actions.BETWEEN if state.scenes else actions.SETUP


def _called(play: Play[State]) -> int:
    conflict = play.state.conflict
    return conflict.steps[0] if conflict is not None else 0


def _settled(play: Play[State]) -> int:
    conflict = play.state.conflict
    return conflict.steps[-1] if conflict is not None else 0


def _thrown_out(play: Play[State]) -> int:
    return play.state.ejected_step


_ENDED = Refusal(
    "P25",
    "the game ended when {ejected} moved beyond Expelled; there is nothing further",
    "ejection: how it happens, told by everybody else",
)
PHASES: Mapping[str, Phase] = {
    actions.SETUP: Phase("no scene has been opened yet"),
    actions.BETWEEN: Phase("no scene is open"),
    actions.OPEN: Phase("a scene is open", lambda play: play.state.scene_step, "opened here"),
    actions.CALLED: Phase("a call waits for its answer", _called, "called here"),
    actions.MATCHED: Phase("both conflict dice lie on the table", _called, "called here"),
    actions.GIVEN_WAY: Phase("somebody has backed down", _settled, "backed down here"),
    actions.DECIDED: Phase("the dice have fallen", _settled, "rolled here"),
    actions.CLOSING: Phase(
        "the last scene is still open", _thrown_out, "the roll that ended it", _ENDED
    ),
    actions.OUT: Phase("somebody is thrown out", _thrown_out, "the roll that ended it", _ENDED),
    actions.OVER: Phase(
        "the game is over",
        _thrown_out,
        "the roll that ended it",
        Refusal("P25", "the game is over; nothing more is played"),
    ),
}


def terms(play: Play[State]) -> Mapping[str, str]:
    """What messages may say of the moment."""
    conflict = play.state.conflict
    return {
        "caller": conflict.caller if conflict is not None else "nobody",
        "challenged": conflict.challenged if conflict is not None else "nobody",
        "ejected": listed(play.state.ejected),
    }


LAW = Law(
    PHASES,
    phase,
    ROLES,
    DECIDERS,
    lambda play, player: play.state.characters.get(player, ""),
    terms,
)
