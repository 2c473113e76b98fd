"""The law of Slow Burn: roles of names, who decides, and when (see ``chronicle.core.law``).

Segments begin by themselves, and mini segments interrupt scenes: a verb that may come at any time says
itself what it makes of the moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chronicle.core.declare import Action
from chronicle.core.fix import add_entry
from chronicle.core.law import (
    AT_TABLE,
    TABLE,
    Decider,
    Law,
    Need,
    Role,
    nobody_in_particular,
    player_named,
)
from chronicle.core.law import Phase as LawPhase
from chronicle.core.names import PLAYER, Named
from chronicle.games.slow_burn.state import (
    PUSH,
    PUSH_SCENE,
    SPY,
    Kind,
    Phase,
    Table,
    entry_before_gap,
    is_checked,
    is_lost,
    number_unsure_since,
)

# --- needs and roles ------------------------------------------------------------------------------

IS_SPY = Need(
    "a spy",
    "S19.5b",
    lambda play, id: play.state.cast[id].is_spy,
    "{who} is no spy and {doing}",
    since=lambda play, id: play.state.cast[id].step,
    fact="developed from a contact here",
    is_certain=True,
)
NOT_FREE = Need(
    "not off the blacklist",
    "S19.1",
    lambda play, id: not play.state.cast[id].free,
    "{who} is off the blacklist and has left the life of a spy",
    since=lambda play, id: play.state.cast[id].free,
    fact="since here",
    is_certain=True,
)
IN_PLAY = Need(
    "introduced",
    "S6.1",
    lambda play, id: bool(play.state.cast[id].introduced),
    "{who} has not been introduced yet",
    fixes=(add_entry("introduce: {who}"),),
    since=lambda play, id: play.state.cast[id].step,
    fact="made here",
)
NEW = Need(
    "not introduced yet",
    "S6.1",
    lambda play, id: not play.state.cast[id].introduced or play.state.cast[id].is_assumed,
    "{who} was introduced before",
    since=lambda play, id: play.state.cast[id].introduced,
    fact="here",
    is_certain=True,
)
FREED = Need(
    "off the blacklist",
    "S17.12",
    lambda play, id: bool(play.state.cast[id].free),
    "{who} is not off the blacklist; only a final push that is won leads there",
    since=lambda play, id: play.state.cast[id].placed,
    fact="the last step on the Path to Freedom was here",
)
WRITES = Need(
    "not the Handler",
    "S3.4",
    lambda play, id: player_named(play, id) != play.runner,
    "{who} is the Handler, and no envelope is the Handler's",
    is_certain=True,
)
SPIES = (SPY, PLAYER)


def _spy(*needs: Need, doing: str = "", words: str = "a main character") -> Role:
    return Role(words, doing, needs, SPIES, creation_fixes=(add_entry("spy: ...\nby: {who}"),))


ROLES: Mapping[str, Role] = {
    "sheet": _spy(),
    "counted": _spy(),
    "rolls": _spy(words="a main character, or one of the Handler's pools")._replace(
        groups=("agency", "opposition", "handler", "the handler")
    ),
    "implicated": _spy(),
    "chooses": _spy(),
    "used": _spy(NOT_FREE, IN_PLAY),
    "introduced": _spy(NEW),
    "pushes": _spy(IS_SPY, NOT_FREE, doing="has no Path to Freedom to push along"),
    "missed": _spy(IS_SPY, doing="need not push for freedom"),
    "freed": _spy(FREED),
    # One entry can name two players in one breath: ``Ada and Ben``.
    "speaks first": Role("a player", "", (AT_TABLE,), resolves_to=PLAYER, takes_new=True),
    "refuses": Role("a player, or the Handler", "", (AT_TABLE,), resolves_to=PLAYER),
    "dealt to": Role("a player", resolves_to=PLAYER),
    "wrote": Role("a player who wrote a token", "", (WRITES,), resolves_to=PLAYER),
}

# --- deciders -------------------------------------------------------------------------------------


def _all_named(play: Table, action: Action) -> Sequence[str]:
    """The main characters whom an entry names: each of their players may sign it for all of them."""
    value = getattr(action, action.main.attribute) if action.main is not None else ()
    ids: list[str] = []
    for word in value or ():
        named = play.names.find(word, (SPY,))
        named = named if isinstance(named, Named) else play.names.find(word, SPIES)
        if isinstance(named, Named):
            ids.append(named.id)
    return ids


def _first_speaker(play: Table, action: Action) -> Sequence[str]:
    words = getattr(action, "voice_over", None)
    named = play.names.find(words[0]) if words else None
    return (named.id,) if isinstance(named, Named) else ()


def _free_players(play: Table, action: Action) -> Sequence[str]:
    pairs = ((player, play.state.of_player(player)) for player in play.seats)
    return [player for player, spy in pairs if spy is not None and spy.free]


def _without_spy(play: Table, action: Action) -> Sequence[str]:
    without = [player for player in play.seats if play.state.of_player(player) is None]
    return without or _free_players(play, action)


def _without_token(play: Table, action: Action) -> Sequence[str]:
    slips = play.state.slips
    return [seat for seat in play.seats if seat not in slips or not slips[seat].written]


def acts_for_handler(play: Table, action: Action) -> bool:
    """Whether an entry is the Handler's own part besides what only the Handler decides, and nobody else signs it: the
    first monologue of an Interference Segment. Anybody may roll for a Handler who is away."""
    if action.by is not None:
        return False
    words = getattr(action, "voice_over", None)
    if words is not None:
        return any(play.look_up_player(word) == play.runner for word in words)
    state = play.state
    if action.verb == "answer":
        return state.mini is None and bool(
            getattr(action, "frames", False) or getattr(action, "scene", None)
        )
    is_first = (
        state.mini is not None and state.mini.kind is Kind.INTERFERENCE and not state.mini.scenes
    )
    return action.verb == "scene" and is_first


DECIDERS: Mapping[str, Decider] = {
    "table": TABLE,
    "everybody": TABLE._replace(words="everybody who has dice to roll"),
    "writer": TABLE._replace(words="the neighbour who has the sheet"),
    "neighbour": TABLE._replace(words="the neighbour to the right of the sheet's owner"),
    "handler": Decider(
        "the Handler",
        lambda play, action: (play.runner,) if play.runner else (),
        "'{verb}' is the Handler's part, {due}'s, and not {by}'s",
        is_certain=True,
    ),
    "player": Decider("the spy's player", _all_named, is_certain=True),
    "pushing": Decider(
        "the pushing spies' players",
        lambda play, action: _all_named(play, action) or play.state.pushing(),
    ),
    "speaker": Decider("the first speaker", _first_speaker),
    "maker": Decider(
        "the spy's player: name them with by", nobody_in_particular, default=_without_spy
    ),
    "author": Decider(
        "the player who wrote the token",
        lambda play, action: play.seats,
        "{by} is the Handler, and does nothing with the Handler's own tokens before the Job; players write theirs",
        default=_without_token,
    ),
    "freed": Decider(
        "the freed spy's player: name them with by",
        _free_players,
    ),
}

# --- phases ---------------------------------------------------------------------------------------


CUT = "the last entry above the gap"
"""The message about an entry where the record breaks off."""


def phase(play: Table) -> str:
    """Where play is."""
    state = play.state
    if state.mini is not None and state.mini.kind is Kind.PUSH:
        return PUSH_SCENE if state.phase is Phase.MINI_SCENE else PUSH
    return state.phase


def _segment(play: Table) -> int:
    segment = play.state.segment
    if is_lost(play):
        return entry_before_gap(play)
    return segment.step if segment is not None else 0


def _rolled(play: Table) -> int:
    state, scene = play.state, play.state.scene
    # Below a gap, a scene without a check may be one of a mini segment.
    is_open = state.opposition_unsure or scene is None or not is_checked(play, scene)
    if is_lost(play) or (state.hole and is_open):
        return entry_before_gap(play)
    return scene.resolved if scene is not None and scene.resolved else _segment(play)


def _over(play: Table) -> int:
    segment = play.state.segment
    if segment is None:
        return 0
    unsure = number_unsure_since(play)
    return segment.over if unsure is None else min(segment.over, unsure) or -1


def _framed(play: Table) -> int:
    scene = play.state.scene
    return scene.step if scene is not None else 0


def _checked(play: Table) -> int:
    scene = play.state.scene
    return (scene.check or scene.step) if scene is not None else 0


def _mini(play: Table) -> int:
    return play.state.mini.step if play.state.mini is not None else 0


PHASES: Mapping[str, LawPhase] = {
    Phase.SETUP: LawPhase("no Job has begun"),
    Phase.BETWEEN: LawPhase(
        "a Job is done",
        lambda play: play.state.episode.over if play.state.episode is not None else 0,
        "done here",
    ),
    Phase.OPENING: LawPhase("a Segment opens", _segment, "{began}"),
    Phase.NEXT: LawPhase("another scene is due", _rolled, "{rolled}"),
    Phase.FRAMED: LawPhase("a scene has been framed", _framed, "framed here"),
    Phase.READY: LawPhase("a scene has been checked", _checked, "checked here"),
    Phase.TRIGGERED: LawPhase("the Agency interferes", _checked, "checked here"),
    Phase.MINI: LawPhase("the Agency is answered", _mini, "the mini segment began here"),
    Phase.MINI_SCENE: LawPhase(
        "a scene of an Interference Segment has been framed", _mini, "it began here"
    ),
    PUSH: LawPhase("a push is played", _mini, "the push began here"),
    PUSH_SCENE: LawPhase("a scene of a push has been framed", _mini, "the push began here"),
    Phase.PUSH_DUE: LawPhase("a declared push is due", _over, "the Segment ended here"),
    Phase.SEGMENT_OVER: LawPhase("a Segment is over", _over, "it ended here"),
    Phase.JOB_OVER: LawPhase("Segment 7 is over", _over, "it ended here"),
}


def terms(play: Table) -> Mapping[str, str]:
    """What messages may say of the moment."""
    state = play.state
    scene = state.scene
    return {
        "scene": scene.title if scene is not None else "the scene",
        "segment": str(state.segment.number if state.segment is not None else 1),
        "unchecked": f"'{scene.title}' has been rolled for; the check comes before any Job die"
        if scene is not None and scene.resolved
        else "no scene has been framed that could be checked",
        "rolled": "rolled here" if _rolled(play) != entry_before_gap(play) else CUT,
        "began": "the Segment began here" if _segment(play) != entry_before_gap(play) else CUT,
    }


def _embodied(play: Table, player: str) -> str:
    spy = play.state.of_player(player)
    return spy.id if spy is not None else ""


LAW = Law(PHASES, phase, ROLES, DECIDERS, _embodied, terms)
