"""Who acts when, before and after every entry: the any-time list and the own-turn list (U3.57 to U3.61)."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.declare import Action, Decides
from chronicle.core.fix import (
    AddToSettings,
    InsertEntry,
    add_entry,
    drop_key,
    make_fix,
    set_key,
)
from chronicle.core.game_context import GameContext
from chronicle.core.gaps import SOMEBODY
from chronicle.core.guards import check_guards
from chronicle.core.names import PLAYER, Named
from chronicle.core.shared_verbs import Gap, PlayStarts, Tell
from chronicle.core.source import MappingNode, ScalarNode
from chronicle.core.stated_figures import Assert
from chronicle.games.universalis import actions as a
from chronicle.games.universalis import (
    alterations,
    belongings,
    coins,
    components,
    fates,
    narration,
    preparation,
    removals,
    table,
)
from chronicle.games.universalis.addons.adopting import Adopt
from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.addons.catalogue import owner
from chronicle.games.universalis.complications import CallClosing
from chronicle.games.universalis.control import is_exchange
from chronicle.games.universalis.fines import LevyFine
from chronicle.games.universalis.flow import EndTurn, PassTurn, quit_turn
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.outcomes import outcome_over
from chronicle.games.universalis.points import State, Table
from chronicle.games.universalis.pools import LaysDice
from chronicle.games.universalis.state import COMPONENT_KINDS, Phase
from chronicle.games.universalis.traits import remember_prices
from chronicle.games.universalis.transfers import Give, Lend


def prepares(play: Table, verb: type[Action]) -> bool:
    """Whether a verb is allowed in preparation: as such, or by an add-on in force."""
    phases = verb.moment.phases
    return not phases or a.PREPARING in phases or play.state.points.may_prepare(play, verb.verb)


def on_turn(play: Table, action: Action) -> tuple[str, ...]:
    """Whose turn it is, or who speaks in a Dialog; in preparation the next player."""
    state = play.state
    if preparation.preparing(play) and prepares(play, type(action)):
        return (preparation.due_player(play) if state.turn_sure else SOMEBODY,)
    exchanged = isinstance(action, Tell) or (isinstance(action, a.Entry) and action.in_exchange)
    if state.dialog is not None and exchanged and state.dialog.speaking:
        return (_speaker_meant(play, action) or state.dialog.speaking,)
    in_play = state.scene is not None or preparation.preparing(play)
    if in_play and not state.turn_sure:
        # No player is named who possibly did not act.
        return (SOMEBODY,)
    return (state.turn,) if in_play and state.turn else ()


def _speaker_meant(play: Table, action: Action) -> str:
    """Whose Component an entry in a Dialog is about, if it is one speaker's: that is who acts (S29)."""
    scene = play.state.current_scene
    words: Iterable[ScalarNode]
    match action:
        case narration.Event():
            words = action.performer
        case (
            alterations.AddTrait()
            | alterations.AddWound()
            | removals.RemoveTrait()
            | removals.RestoreTrait()
        ):
            words = action.traits
        case alterations.GiveName():
            words = action.names
        case narration.LeaveScene():
            words = action.who
        case _:
            return ""
    if scene is None:
        return ""
    matches = [play.names.find(word, COMPONENT_KINDS) for word in words]
    holders = {scene.control.get(match.id, "") for match in matches if isinstance(match, Named)}
    holder = holders.pop() if len(holders) == 1 else ""
    return holder if holder and is_exchange(play, holder) else ""


def player_of(play: GameContext[State], named: Named) -> str:
    """Who speaks for a Component: its Controller in the current scene."""
    scene = play.state.current_scene
    return scene.control.get(named.id, "") if scene is not None else ""


ANY_PLAYER_VERBS = frozenset(
    {
        *(
            narration.Event,
            narration.StateFact,
            alterations.AddTrait,
            alterations.AddWound,
            alterations.AddGroup,
            alterations.GiveName,
            alterations.WordRole,
            alterations.Tie,
        ),
        *(
            belongings.Possess,
            belongings.Separate,
            belongings.MakeMaster,
            belongings.MakeSub,
            belongings.Negate,
            belongings.Inherit,
        ),
        *(
            removals.RemoveTrait,
            removals.RestoreTrait,
            fates.Eliminate,
            fates.Reduce,
            fates.BringBack,
        ),
        *(
            preparation.ProposeTenet,
            preparation.ProposeGimmick,
            preparation.EndGimmick,
            Adopt,
            LevyFine,
        ),
        *(
            EndTurn,
            PassTurn,
            removals.UseUp,
            components.Create,
            narration.MoveLocation,
            narration.JumpTime,
            narration.LeaveScene,
            narration.StateAbsent,
        ),
    }
)
"""Verbs whose effect does not depend on the player, apart from the purse and the turn."""


def between_sessions(play: Table) -> None:
    """What add-ons pay or begin before a further session. It is noted with the last entry so far."""
    if not play.state.add_ons or not play.steps:
        return
    last = play.steps[-1]
    step_before = play.work_on(last)
    first_posting = len(play.ledger.postings)
    for add_on in play.state.add_ons:
        add_on.next_session_begun(play)
    last.extend_posting_range(first_posting, len(play.ledger.postings))
    play.work_on(step_before)


def before_entry(play: Table, action: Action) -> None:
    """Hold what may come now, and from whom."""
    state = play.state
    if action.under:
        preparation.cited(play, action)
    add_on = owner(action.verb)
    if add_on is not None and not play.given:
        _not_adopted(play, action, add_on)
    if not isinstance(action, a.Entry):
        counts = isinstance(action, Assert) and not _tells_bonus(action)
        if state.running and counts and not state.purses:
            # Stated figures count Coins without a narration as kept; an outcome may still follow.
            outcome_over(play)
        return
    if state.running and not state.purses and not action.keeps_outcome:
        outcome_over(play)
    if play.given:
        if state.phase is Phase.PREPARATION and not prepares(play, type(action)):
            preparation.preparation_over(play)
        return
    if type(action).apply is Action.apply:
        check_guards(play, action)
    if play.is_actor_unrecorded and not state.purses:
        # The present turn is unknown, and so is the starting player.
        state.turn_sure = False
        state.starter_sure = state.starter_sure and (state.begun or bool(state.starter))
    elif not state.purses and not play.step.player and action.by is not None:
        _speechless(play, action)


def _tells_bonus(action: Assert) -> bool:
    """Whether only Bonus Coins are stated, which no player has kept yet."""
    return isinstance(action.figures, MappingNode) and {*action.figures} == {"bonus"}


def _not_adopted(play: Table, action: Action, add_on: type[AddOn]) -> None:
    """A verb of an add-on means something only while that add-on is in force (U2.11)."""
    for adopted in play.state.add_ons:
        if adopted.key == add_on.key:
            return
    play.illegal(
        add_on.code,
        f"'{action.verb}' belongs to the add-on '{add_on.key}', which is not in force",
        fix=(
            add_entry(f"adopt: {add_on.key}"),
            make_fix(
                AddToSettings("add ons", (add_on.key,)), when="if it is in force from the start"
            ),
        ),
        after=(f"add-on:{add_on.key}",),
    )
    play.taint(f"add-on:{add_on.key}")


def _speechless(play: Table, action: Action) -> None:
    """``by:`` names a Component without a Controller here."""
    if action.by is None:
        return
    match = play.names.find(action.by)
    if isinstance(match, Named) and match.kind != PLAYER:
        play.illegal(
            "U5.3",
            f"{match.name} is not in the scene, so nobody acts through it",
            at="by",
            fix=set_key("by"),
        )
    play.step.player = play.state.turn


def own_turn(play: Table, action: Action, decides: Decides) -> bool:
    """Hold what belongs to a player's own turn; a Dialog exchange is the exception (U3.34). The law asks it before
    the guards, as it asks who acts in any game; the log wins, so the turn passes here."""
    state = play.state
    if state.purses:
        return _tells_own_outcome(play, action, decides)
    if preparation.preparing(play):
        if not isinstance(action, Lend | Give):
            report_all(play, preparation.bars_turn(play, play.step.player))
            if not play.is_testing_move:
                preparation.take_turn(play)
        return True
    if state.scene is not None:
        _hold_turn(play, action, decides.rule, decides.action_phrase)
    return True


def _tells_own_outcome(play: Table, action: Action, decides: Decides) -> bool:
    """Hold an entry within an outcome: the Coins are those of the player who tells it, and no other player has
    a turn there (S71)."""
    teller, player = play.state.purses[-1].player, play.step.player
    if action.by is None or player in (teller, SOMEBODY):
        return True
    return play.illegal(
        "U6.33",
        f"{player} {decides.action_phrase} with the Bonus Coins of {teller}",
        at="by",
        fix=drop_key("by"),
        help=f"or write the entry below the outcome, on {player}'s turn",
    )


def _hold_turn(play: Table, action: Action, code: str, deed: str) -> None:
    state, player = play.state, play.step.player
    if play.is_testing_move and table.unsure_turn(play):
        return
    if table.unsure_turn(play):
        if isinstance(action, a.Entry) and action.in_exchange and is_exchange(play, player):
            return  # said within a Dialog, on whosever turn
        named = bool(player) and action.by is not None
        if named and player != state.turn:
            quit_turn(play)
            table.begin_turn(play, player, "as logged")
        elif named:
            state.turn_step = play.step.number
        state.turn_sure = named
        return
    if player == state.turn or not player:
        return
    if is_exchange(play, player) and isinstance(action, a.Entry) and action.in_exchange:
        play.require(
            isinstance(action, narration.StateFact) or play.ruling("dialog purchases") == "all",
            "U3.34",
            f"{player} buys more than Facts in a Dialog on {state.turn}'s turn",
        )
        return
    if player == state.interrupted and code == "U3.57":
        table.off_turn(play, "U3.18", deed, fix=add_entry(f"interrupt: {player}"))
    elif (
        state.turn_step == play.step.number - 1 and code == "U3.57" and state.turn_how == "in order"
    ):
        # The turn has only just passed: it went to the wrong player.
        play.illegal(
            "U3.15",
            f"the turn has passed to {state.turn}, not to {player}",
            facts=[play.because(state.turn_step, "the turn passed on here")],
            fix=add_entry(f"pass: {state.turn}"),
        )
        table.begin_turn(play, player, "as logged")
    else:
        _forgotten(play, action, code, deed)


def _forgotten(play: Table, action: Action, code: str, deed: str) -> None:
    """A player acts on another's turn: an Interrupt was not paid, or the log omits the end of turns.
    Both are reported. If the next player acts, it is now their turn; dice are thrown in
    from everywhere."""
    state, player = play.state, play.step.player
    fixes = (
        make_fix(
            InsertEntry(table.turns_over(play, player)),
            safe=True,
            when=f"if {state.turn}'s turn was over by then",
        ),
        add_entry(f"interrupt: {player}", when=f"if {player} Interrupted"),
    )
    reported = not table.off_turn(play, code, deed, fix=fixes)
    dice = isinstance(action, LaysDice | CallClosing)
    next_one = player == play.left_of(state.turn)
    framing = state.current_scene is not None and state.current_scene.framing
    if reported and next_one and not dice and not framing:
        quit_turn(play)
        table.begin_turn(play, player, "as it seems")
        play.taint(f"turn:{player}")
        # A mere suspicion accuses no player and costs no Coins.
        state.turn_sure = False


def after_entry(play: Table, action: Action) -> None:
    """Pay the bill of the entry."""
    state = play.state
    if state.charges or (
        isinstance(action, a.Entry) and (action.coins is not None or action.cards)
    ):
        bill = list(state.charges)
        coins.settle(play, action)
        remember_prices(play, bill)


def gap(play: Table, action: Gap) -> None:
    """After a gap in the record the turn is unknown."""
    play.state.turn_sure = play.state.turn_sure and not action.touches("turns")


def play_starts(play: Table, action: PlayStarts) -> None:
    """From here on everything counts; the entries above were given."""
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
