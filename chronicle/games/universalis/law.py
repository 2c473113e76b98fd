"""The law of Universalis: who can be named where, who decides, and when (see ``chronicle.core.law``).

Control and prices depend on the rule points, which add-ons answer: they stay with the chapters. So does
what is about a turn that has only just passed on, or a Dialog (``turns``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chronicle.core.declare import Action, Refusal
from chronicle.core.fix import add_entry
from chronicle.core.law import AT_TABLE, TABLE, Decider, Law, Phase, Role
from chronicle.core.names import PLAYER, Named
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.actions import BETWEEN, OUTCOME, PREPARING, SCENE, START, TURN
from chronicle.games.universalis.flow import bid_for_it
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.pools import BuyDice
from chronicle.games.universalis.preparation import preparing
from chronicle.games.universalis.state import COMPONENT_KINDS
from chronicle.games.universalis.table import in_outcome
from chronicle.games.universalis.turns import on_turn, own_turn, prepares

# --- roles ----------------------------------------------------------------------------------------


def _player(
    doing: str = "", *, at_table: bool = True, words: str = "a player", repeat_rule: str = "T68"
) -> Role:
    return Role(
        words, doing, (AT_TABLE,) if at_table else (), resolves_to=PLAYER, repeat_rule=repeat_rule
    )


def _component(words: str = "a Component") -> Role:
    return Role(words, kinds=COMPONENT_KINDS)


ROLES: Mapping[str, Role] = {
    "has a turn": _player("end a turn", repeat_rule=""),
    "consents": _player("agree"),
    "refuses": _player("refuse"),
    "interrupts": _player("Interrupt"),
    "challenges": _player("Challenge"),
    "concedes": _player(words="one of the two players of a Challenge"),
    "judges": _player("judge"),
    "sets aside": _player("vote", words="a player who is not the Judge"),
    "declares": _player("declare a side"),
    # Each chapter has its own word for a player who is away and bids, votes twice, or for both sides.
    "bids": _player(at_table=False, words="a player at the table"),
    "votes": _player(at_table=False, words="a player at the table", repeat_rule=""),
    "is accused": _player(at_table=False),
    "gets Coins": _player("get Coins"),
    "gets Control": _player("get Control"),
    "has a Pool": _player(at_table=False, words="a player with a Pool"),
    "tells": _player(at_table=False, words="a player with Bonus Coins"),
    "hired": _player(at_table=False),
    "shows": _player(at_table=False, words="a player with a hand"),
    "new at the table": _player(at_table=False, words="a person who is no player yet"),
    "stated": _player(at_table=False),
    "altered": _component("a Component that the player Controls"),
    "ceded": _component("a Component that the player Controls"),
    "possession": _component(),
    "master": _component("a Master"),
    "named": _component(),
    "takes part": _component("a Component in the scene"),
    "drawn upon": _component("a Component in the scene, 'scene' or 'world'"),
    "taken over": _component("a Component in the scene"),
    "leaves": _component("a Component in the scene"),
    "absent": _component("a Component that is not in the scene"),
    "returns": _component("a Component that was Eliminated"),
}

# --- deciders -------------------------------------------------------------------------------------


def _framer(play: Table, action: Action) -> Sequence[str]:
    scene = play.state.scene
    return (scene.framer,) if scene is not None and scene.framer else ()


def _named(play: Table, action: Action) -> Sequence[str]:
    """The player (or players, if several spoke together) that an entry names as acting."""
    words = getattr(action, "who", ())
    matches = (
        play.names.find(word, (PLAYER,))
        for word in ((words,) if isinstance(words, ScalarNode) else words)
    )
    return [match.id for match in matches if isinstance(match, Named)]


def _starter(play: Table, action: Action) -> Sequence[str]:
    dialog = play.state.dialog
    return (dialog.starter,) if dialog is not None and dialog.starter else ()


def _scene(play: Table) -> int:
    return play.state.scene.step if play.state.scene is not None else 0


def _teller(play: Table, action: Action) -> Sequence[str]:
    """Players who have not narrated in an outcome yet, the winner first."""
    complication = play.state.current_complication()
    if complication is None or play.state.purses:
        return ()
    return [player for player in complication.order if not complication.pools[player].told]


_ON_TURN = Decider("the player whose turn it is", on_turn)

DECIDERS: Mapping[str, Decider] = {
    "table": TABLE,
    "turn": _ON_TURN._replace(check_actor=own_turn),
    "on turn": _ON_TURN,
    "by": _ON_TURN._replace(words="any player: name the player with by"),
    "bid winner": Decider(
        "the winner of the bid",
        lambda play, action: (play.state.bid_winner,) if play.state.bid_winner else (),
    ),
    "teller": Decider("the player who tells the outcome, the winner first", _teller),
    "named": Decider(
        "the player named",
        _named,
        "{by} signs what {due} does",
        help="leave  by:  out",
        acts_by_default=False,
    ),
    "each named": TABLE._replace(words="each player named"),
    "each in turn": _ON_TURN._replace(words="each player named, one after the other"),
    "everybody": TABLE._replace(words="everybody with a Pool"),
    "accuser": _ON_TURN._replace(words="the accuser: name the player with by"),
    "starter": Decider(
        "the player who started it",
        _starter,
        "{by} {doing} that {due} started",
        since=lambda play: play.state.dialog.step if play.state.dialog is not None else 0,
        fact="started here",
    ),
    "anybody": _ON_TURN._replace(words="anybody"),
    "hired": _ON_TURN._replace(words="the player who was hired: name the player with by"),
    "judge": _ON_TURN._replace(words="the Judge"),
    "voters": _ON_TURN._replace(words="everybody but the Judge"),
    "next framer": _ON_TURN._replace(words="the player who frames the next scene"),
    "controller": _ON_TURN._replace(words="its Controller: name the player with by"),
    "framer": Decider(
        "the framer of the scene",
        _framer,
        "{by} {doing}; {due} framed it",
        since=_scene,
        fact="framed here",
        default=on_turn,
    ),
}

# --- phases ---------------------------------------------------------------------------------------


def phase(play: Table) -> str:
    """Where play is."""
    state = play.state
    if state.purses:
        return OUTCOME
    if preparing(play):
        return PREPARING
    if state.scene is not None:
        return SCENE
    if state.points.turn_goes_on(play):
        return TURN
    return BETWEEN if state.ended_step else START


def _rolled(play: Table) -> int:
    complication = in_outcome(play)
    return complication.rolled if complication is not None else 0


def _outside(rule: str) -> Refusal:
    return Refusal(
        rule,
        "'{verb}' outside a scene",
        fixes=(add_entry("scene: ..."),),
        after=("scene", "preparing"),
        doubts=("scene",),
    )


PHASES: Mapping[str, Phase] = {
    PREPARING: Phase(
        "the Tenets are being settled",
        refusal=Refusal(
            "U2.1",
            "'{verb}' belongs into a scene, and the Tenets are still being settled",
            help="let everybody pass, then bid for the first scene",
            after=("preparing",),
            doubts=("preparing",),
        ),
    ),
    START: Phase("no scene has been framed yet", refusal=_outside("U3.1")),
    BETWEEN: Phase(
        "no scene is open",
        lambda play: play.state.ended_step,
        "the last scene ended here",
        _outside("U3.11"),
    ),
    TURN: Phase(
        "a turn goes on between scenes",
        lambda play: play.state.ended_step,
        "the last scene was left here",
        _outside("U3.11"),
    ),
    SCENE: Phase("a scene is open", _scene, "the scene began here"),
    OUTCOME: Phase(
        "an outcome is being told",
        _rolled,
        "rolled here",
        Refusal(
            "U6.33", "'{verb}' is nothing that Bonus Coins buy", help="write it after the outcome"
        ),
    ),
}


def _waives(play: Table, verb: type[Action], phase: str) -> bool:
    """Whether an add-on allows it."""
    complication = in_outcome(play)
    if complication is not None:
        return verb is BuyDice and play.state.points.may_buy_dice(play, complication)
    return phase == PREPARING and prepares(play, verb)


def terms(play: Table) -> Mapping[str, str]:
    """What messages may say of the moment."""
    return {"bid": bid_for_it(play)}


LAW = Law(PHASES, phase, ROLES, DECIDERS, terms=terms, waives_phase=_waives)
