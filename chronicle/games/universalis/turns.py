"""Who acts when, before and after every entry: the any-time list and the own-turn list (U3.57 to U3.61)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chronicle.core.common import Gap, PlayStarts, Say, Tell
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Finding, did_you_mean
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.play import Play
from chronicle.core.source import Word
from chronicle.core.stated import Assert
from chronicle.games.universalis import actions as a
from chronicle.games.universalis import story_actions as s
from chronicle.games.universalis.addons.adopting import Adopt
from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.addons.catalogue import owner
from chronicle.games.universalis.control import is_exchange
from chronicle.games.universalis.flow import bid_for_it, leave_turn
from chronicle.games.universalis.outcomes import outcome_over
from chronicle.games.universalis.points import State, Table
from chronicle.games.universalis.preparation import (
    cited,
    due_player,
    preparation_over,
    preparing,
    take_turn,
)
from chronicle.games.universalis.state import COMPONENT_KINDS, Phase
from chronicle.games.universalis.table import (
    begin_turn,
    framing_now,
    in_outcome,
    next_player,
    off_turn,
    relaxed,
    settle,
)

OWN_TURN: Mapping[type[Action], tuple[str, str]] = {
    a.ProposeTenet: ("U2.4", "proposes a Tenet"),
    a.ProposeGimmick: ("U2.4", "proposes a Gimmick"),
    Adopt: ("U2.4", "adopts an add-on"),
    a.EndGimmick: ("U2.4", "changes a Tenet"),
    a.MiniScene: ("U3.21", "cuts away to a Mini Scene"),
    a.StartDialog: ("U3.57", "starts a Dialog"),
    s.Introduce: ("U3.57", "introduces something"),
    s.Create: ("U3.57", "creates something"),
    s.AddTrait: ("U3.57", "adds Traits"),
    s.AddWound: ("U3.57", "adds Wound Traits"),
    s.AddGroup: ("U3.57", "adds Group Traits"),
    s.GiveName: ("U3.57", "buys a name"),
    s.WordRole: ("U3.57", "words a Role"),
    s.Tie: ("U3.57", "buys a tie"),
    s.Possess: ("U3.57", "buys a possession"),
    s.Separate: ("U3.57", "separates a possession"),
    s.MakeMaster: ("U3.57", "makes a Master"),
    s.MakeSub: ("U3.57", "makes a Sub"),
    s.Negate: ("U3.57", "adds a Trait"),
    s.RemoveTrait: ("U3.57", "removes Traits"),
    s.RestoreTrait: ("U3.57", "restores Traits"),
    s.UseUp: ("U3.57", "uses something up"),
    s.Reduce: ("U3.57", "pays towards an Elimination"),
    s.Eliminate: ("U3.57", "Eliminates a Component"),
    s.BringBack: ("U3.57", "brings a Component back"),
    s.MoveLocation: ("U3.57", "moves the scene"),
    s.JumpTime: ("U3.57", "moves time"),
    s.LeaveScene: ("U3.57", "lets Components leave"),
    s.StateAbsent: ("U3.57", "states an absence"),
    s.Event: ("U3.57", "tells an Event"),
    s.StateFact: ("U3.57", "buys a Fact"),
    s.Complicate: ("U6.1", "Originates a Complication"),
    s.DrawTraits: ("U6.11", "draws Traits"),
    s.BuyDice: ("U6.15", "buys dice"),
    s.CallClosing: ("U6.17", "calls for the dice"),
    a.Lend: ("U3.57", "lends Coins"),
    a.Give: ("U3.57", "gives Coins"),
}
"""What belongs to an own turn: the rule that says so, and the words for it."""

PREPARING = frozenset(
    {
        a.ProposeTenet,
        a.ProposeGimmick,
        Adopt,
        a.EndGimmick,
        s.Create,
        s.AddTrait,
        s.AddGroup,
        s.GiveName,
        s.Tie,
        s.Possess,
        s.MakeMaster,
        s.MakeSub,
        s.Negate,
        a.PassTurn,
    }
)
"""What may be done in preparation."""

EXCHANGE = frozenset(
    {
        s.Event,
        s.StateFact,
        s.AddTrait,
        s.LeaveScene,
        s.Create,
        s.GiveName,
        s.Tie,
        s.Possess,
        s.AddWound,
        s.RemoveTrait,
        s.RestoreTrait,
    }
)
"""What a speaker may buy in a Dialog exchange (S29)."""

NEVER_IN_OUTCOME = frozenset(
    {
        a.BidForScene,
        a.FrameScene,
        a.MiniScene,
        a.EndScene,
        a.EndTurn,
        a.PassTurn,
        a.BreakIn,
        s.RollDice,
        s.TellOutcome,
        s.Complicate,
        s.PlaceObstacle,
        s.DrawTraits,
        s.BuyDice,
        s.CallClosing,
        a.Refresh,
    }
)
"""What Bonus Coins cannot do."""

KEEPS_OUTCOME = frozenset(
    {s.TellOutcome, s.CancelCoins, s.KeepCoins, a.RaiseChallenge, a.LevyFine, a.BreakIn}
)
"""What may stand between a roll and the rest of its outcome."""
OWN_NAME = frozenset({a.BreakIn, a.RaiseChallenge})
"""Verbs that name their actor themselves."""
TABLE_ACTS = frozenset({a.BidForScene, a.Refresh, s.RollDice, s.TellOutcome, s.Abandon, s.Declare})


def actor(play: Table, action: Action) -> str:
    """Whose act an entry without ``by`` is."""
    state = play.state
    kind = type(action)
    if state.purses:
        return state.purses[-1].player
    if kind in TABLE_ACTS or kind in OWN_NAME or play.given:
        return ""
    if kind is a.FrameScene:
        return state.bid_winner
    if kind in (s.CancelCoins, s.KeepCoins):
        complication = state.current_complication()
        if complication is not None:
            untold = [p for p in complication.order if not complication.pools[p].told]
            return untold[0] if untold else ""
    add_on = owner(action.verb)
    if preparing(play) and (
        kind in PREPARING
        or (add_on is not None and kind in add_on.in_preparation)
        or state.points.may_prepare(play, action.verb)
    ):
        return due_player(play)
    if state.dialog is not None and (kind in EXCHANGE or kind is Tell) and state.dialog.speaking:
        return _meant(play, action) or state.dialog.speaking
    if kind in OWN_TURN or isinstance(action, a.Entry) or kind in (Tell, Say):
        return state.turn if state.scene is not None or preparing(play) else ""
    return ""


def _meant(play: Table, action: Action) -> str:
    """Whose Component an entry in a Dialog is about, if it is one speaker's: that is who acts (S29)."""
    here = play.state.here
    words: Iterable[Word]
    match action:
        case s.Event():
            words = action.performer
        case s.AddTrait() | s.AddWound() | s.RemoveTrait() | s.RestoreTrait():
            words = action.traits
        case s.GiveName():
            words = action.names
        case s.LeaveScene():
            words = action.who
        case _:
            return ""
    if here is None:
        return ""
    found = [play.names.find(word, COMPONENT_KINDS) for word in words]
    holders = {here.control.get(one.id, "") for one in found if isinstance(one, Named)}
    holder = holders.pop() if len(holders) == 1 else ""
    return holder if holder and is_exchange(play, holder) else ""


def player_of(play: Play[State], named: Named) -> str:
    """Who speaks for a Component: whoever Controls it in the scene at hand."""
    here = play.state.here
    return here.control.get(named.id, "") if here is not None else ""


def between_evenings(play: Table) -> None:
    """What add-ons pay or begin before a further evening. It is noted with the last entry so far."""
    if not play.state.add_ons or not play.steps:
        return
    before, last = play.current, play.steps[-1]
    play.current = last
    first_posting = len(play.ledger.postings)
    for add_on in play.state.add_ons:
        add_on.evening_begun(play)
    last.book_from(first_posting, len(play.ledger.postings))
    play.current = before


def before(play: Table, action: Action) -> None:
    """Hold what may come now, and from whom."""
    state = play.state
    kind = type(action)
    if action.under:
        cited(play, action)
    add_on = owner(action.verb)
    if add_on is not None and not play.given:
        _not_adopted(play, action, add_on)
    if not isinstance(action, a.Entry):
        if state.running and isinstance(action, Assert) and not state.purses:
            # Figures that are stated count what nobody told as kept; an outcome may still follow.
            outcome_over(play)
        return
    keeps = kind in KEEPS_OUTCOME or (add_on is not None and kind in add_on.keeps_outcome)
    if state.running and not state.purses and not keeps:
        outcome_over(play)
    if play.given:
        if state.phase is Phase.PREPARATION and kind not in PREPARING:
            preparation_over(play)
        return
    _forbidden(play, action)
    _purse_exists(play, action)
    if state.purses:
        complication = in_outcome(play)
        if kind in NEVER_IN_OUTCOME and complication is not None:
            elsewhere = isinstance(action, s.BuyDice) and state.points.may_buy_dice(
                play, complication
            )
            play.require(
                elsewhere,
                "U6.33",
                f"'{action.verb}' is nothing that Bonus Coins buy",
                help="write it after the outcome",
            )
        return
    if not play.step.player and action.by is not None:
        _speechless(play, action)
    if preparing(play):
        _in_preparation(play, action)
        return
    if kind in OWN_TURN:
        _own_turn(play, action, *OWN_TURN[kind])
    elif add_on is not None and kind in add_on.own_turn:
        _own_turn(play, action, add_on.code, add_on.own_turn[kind])


def _forbidden(play: Table, action: Action) -> None:
    id = play.state.points.forbidden(play, action.verb, play.step.player)
    if id:
        tenet = play.state.tenets.get(id)
        play.require(
            False,
            "U2.12",
            f"'{action.verb}' is forbidden by the Gimmick {id}",
            facts=[play.because(tenet.step, tenet.text)] if tenet is not None else [],
        )


def _not_adopted(play: Table, action: Action, add_on: type[AddOn]) -> None:
    """A verb of an add-on means something only while that add-on is in force (U2.11)."""
    if not any(one.key == add_on.key for one in play.state.add_ons):
        play.require(
            False,
            add_on.code,
            f"'{action.verb}' belongs to the add-on '{add_on.key}', which is not in force",
            help=f"adopt it:  - adopt: {add_on.key}   "
            f"(or, before play, 'add ons: [{add_on.key}]' in campaign.yaml)",
            after=(f"add-on:{add_on.key}",),
        )
        play.taint(f"add-on:{add_on.key}")


def _purse_exists(play: Table, action: a.Entry) -> None:
    """``purse:`` names the Wealth, the bid on the table, or what an add-on in force has opened."""
    word = action.purse
    if word is None:
        return
    names = play.state.points.named_purses(play, play.step.player)
    if fold(word) not in names:
        play.report(
            Finding.UNREADABLE,
            "T20",
            f"there is no purse '{word}'{did_you_mean(word, list(names))}",
            at=action.place("purse"),
            help=f"purses: {', '.join(names)}; others belong to add-ons that are not in force",
        )


def _speechless(play: Table, action: Action) -> None:
    """``by:`` names a Component that nobody Controls here."""
    state = play.state
    if action.by is None:
        return
    found = play.names.find(action.by)
    if isinstance(found, Named) and found.kind != PLAYER:
        play.require(
            False,
            "U5.3",
            f"{found.name} is not in the scene, so nobody acts through it",
            at=action.place("by"),
            help="name the player:  by: ...",
        )
    play.step.player = state.turn


def _in_preparation(play: Table, action: Action) -> None:
    kind = type(action)
    add_on = owner(action.verb)
    if (
        kind in PREPARING
        or (add_on is not None and kind in add_on.in_preparation)
        or play.state.points.may_prepare(play, action.verb)
    ):
        if kind is not a.PassTurn and (add_on is None or kind in add_on.own_turn):
            take_turn(play)
    elif kind not in (
        a.RaiseChallenge,
        a.LevyFine,
        a.BidForScene,
        a.FrameScene,
        a.Refresh,
        a.Lend,
        a.Give,
        a.Repay,
        s.Introduce,
        a.EndScene,
    ):
        play.require(
            False,
            "U2.1",
            f"'{action.verb}' belongs into a scene, and the Tenets are still being settled",
            help="let everybody pass, then bid for the first scene",
            after=("preparing",),
        )
        play.taint("preparing")


def _own_turn(play: Table, action: Action, code: str, what: str) -> None:
    """Hold the own-turn list; a Dialog exchange is the exception (U3.34)."""
    state = play.state
    kind = type(action)
    player = play.step.player
    if state.scene is None:
        if not _holds_scenes(action):
            _between(play, code)
        return
    if not state.turn_sure or play.hole("turns") > state.turn_step:
        if player and player != state.turn and action.by is not None:
            leave_turn(play)
            begin_turn(play, player, "as logged")
        state.turn_sure = bool(state.turn) and action.by is not None
        return
    if player == state.turn or not player:
        return
    if is_exchange(play, player) and kind in EXCHANGE:
        play.require(
            kind is s.StateFact or play.ruling("dialog purchases") == "all",
            "U3.34",
            f"{player} buys more than Facts in a Dialog on {state.turn}'s turn",
        )
        return
    if relaxed(play) and player == next_player(play, state.turn) and framing_now(play) is None:
        play.event(f"{state.turn}'s turn ends, as it seems", "U3.15", "implied")
        leave_turn(play)
        begin_turn(play, player, "implied")
        return
    if player == state.interrupted and code == "U3.57":
        off_turn(
            play, "U3.18", what, f"{player} may Interrupt back for 1 Coin:  - interrupt: {player}"
        )
    elif (
        state.turn_step == play.step.index - 1 and code == "U3.57" and state.turn_how == "in order"
    ):
        # The turn has only just passed: it went to the wrong player.
        play.require(
            False,
            "U3.15",
            f"the turn has passed to {state.turn}, not to {player}",
            facts=[play.because(state.turn_step, "the turn passed on here")],
            help=f"let {state.turn} pass first:  - pass: {state.turn}",
        )
        begin_turn(play, player, "as logged")
    else:
        off_turn(play, code, what)


def _holds_scenes(action: Action) -> bool:
    """Whether the handler of an entry says itself that it belongs into a scene."""
    if isinstance(action, s.StateFact):
        return action.of is None or action.of.casefold() == "scene"
    return not isinstance(
        action,
        a.ProposeTenet | a.ProposeGimmick | Adopt | a.EndGimmick | s.BringBack | a.Lend | a.Give,
    )


def _between(play: Table, code: str) -> None:
    """Between scenes nobody has a turn, and what belongs to a turn waits for one (U3.57)."""
    state = play.state
    if state.points.turn_goes_on(play) or play.gap > state.ended_step or not state.ended_step:
        return
    play.require(
        False,
        code,
        f"'{play.step.action.verb}' belongs to a player's own turn, and between scenes nobody has one",
        facts=[play.because(state.ended_step, "the last scene ended here")],
        help=bid_for_it(play),
        after=("scene",),
    )


def after(play: Table, action: Action) -> None:
    """Pay the bill of the entry."""
    state = play.state
    if state.charges or (
        isinstance(action, a.Entry) and (action.coins is not None or action.cards)
    ):
        settle(play, action)


def gap(play: Table, action: Gap) -> None:
    """Across a hole in the record nobody knows whose turn it is."""
    play.state.turn_sure = play.state.turn_sure and not action.touches("turns")


def play_starts(play: Table, action: PlayStarts) -> None:
    """From here on everything counts; what stands above was given."""
    state = play.state
    if state.phase is Phase.PREPARATION:
        state.phase = Phase.BIDDING
        state.begun = True
    if not state.turn:
        state.turn = play.seats[0] if play.seats else ""
    if not state.starter:
        state.starter = state.turn
    if state.scene is not None:
        scene = state.scene
        scene.framing = False
        state.phase = Phase.SCENE
        # Who framed it may have long ended the turn.
        state.turn = scene.framer
        state.turn_sure = False
