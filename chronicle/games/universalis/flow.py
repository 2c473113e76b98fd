"""Chapter 3, turns: ending them, passing, breaking into them."""

from __future__ import annotations

from chronicle.core.fix import add_entry, write_word
from chronicle.games.universalis import actions, coins, preparation, presence, table
from chronicle.games.universalis.fates import end_reductions
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.scenes import end_mini
from chronicle.games.universalis.state import Stage


def leave_turn(play: Table) -> None:
    """What ends with a turn: a Mini Scene (unless a Complication keeps it open), a Dialog, framing."""
    state = play.state
    mini = state.mini
    if mini is not None:
        alive = any(state.complications[n - 1].scene == mini.number for n in state.running)
        if not alive:
            end_mini(play)
        elif play.ruling("mini complication") == "within turn":
            play.illegal(
                "U3.23",
                "the Mini Scene ends with the turn, and its Complication is still open",
                help="roll it within the turn",
            )
            for number in list(state.running):
                if state.complications[number - 1].scene == mini.number:
                    state.complications[number - 1].stage = Stage.ABANDONED
                    state.running.remove(number)
            end_mini(play)
    state.dialog = None
    scene = state.scene
    if scene is not None and scene.framing and play.rulings["framing turn"] == "ends":
        presence.end_framing(play, scene)
    end_reductions(play)


def end_turn(play: Table, action: actions.EndTurn) -> None:
    """A turn ends, the next player clockwise goes on (U3.15)."""
    _end_turns(play, table.players_in(play, action.who))


def pass_turn(play: Table, action: actions.PassTurn) -> None:
    """A pass: in preparation on a Tenet, in a scene the end of a turn."""
    players = table.players_in(play, action.who)
    if preparation.preparing(play):
        preparation.pass_all(play, players or [play.step.player])
    else:
        _end_turns(play, players)


def bid_for_it(play: Table) -> str:
    """What to write between scenes: a bid, as it might be."""
    bids = ", ".join(f"{player}: ..." for player in play.present)
    return f"bid: {{{bids}}}"


def _end_turns(play: Table, players: list[str]) -> None:
    state = play.state
    step = play.step
    if state.scene is None and not state.points.turn_goes_on(play):
        return
    sure = not table.lost_turn(play) or bool(players or step.player)
    players = players or [step.player or state.turn]
    if players == [""]:
        step.headline = "A turn ends"
        return
    step.headline = "Passes" if len(players) > 1 else f"{players[0]} ends the turn"
    for player in players:
        if player != state.turn:
            if state.turn_sure:
                play.require(
                    play.gap_since("turns") > state.turn_step,
                    "U3.15",
                    f"it is {state.turn}'s turn, so {player} cannot end it",
                    facts=[play.because(state.turn_step, f"{state.turn}'s turn began here")],
                    fix=add_entry(
                        table.turns_over(play, player), when=f"if {state.turn}'s turn was over"
                    ),
                    help=f"name those who pass in seating order, beginning with {state.turn}",
                    since=state.turn_step,
                    about="turns",
                )
            leave_turn(play)
            table.begin_turn(play, player, "as logged")
        step.player = player
        leave_turn(play)
        state.interrupted = ""
        table.begin_turn(play, play.left_of(player), "in order")
        for number in state.running:
            state.complications[number - 1].turns.append(step.number)
    step.player = players[0] if len(players) == 1 and sure else ""
    if not sure:
        # If the turn was unknown, the next turn is unknown too.
        step.headline = "A turn ends"
        state.turn_sure = False


def interrupt(play: Table, action: actions.BreakIn) -> None:
    """Break into a turn (U3.17); of several players, the closest to the interrupted player's left (U3.19)."""
    state = play.state
    step = play.step
    players = table.players_in(play, action.who)
    if state.scene is None and not play.given and not state.points.turn_goes_on(play):
        return
    if not players:
        return
    current = state.turn
    interrupters = [player for player in players if player != current]
    if len(interrupters) < len(players):
        play.require(
            play.gap_since("turns") > state.turn_step,
            "U3.17",
            f"it is {current}'s own turn",
            at="main",
            facts=[play.because(state.turn_step, "the turn began here")],
            since=state.turn_step,
            about="turns",
        )
    winner = play.left_of(current, interrupters) if interrupters else current
    if action.winner is not None:
        stated = play.player(action.winner)
        if stated and stated != winner:
            play.illegal(
                "U3.19",
                f"{winner} sits closest to {current}'s left and gets the turn, not {stated}",
                at="winner",
                fix=write_word(current),
            )
            winner = stated
    scene = state.current_scene
    if scene is not None and scene.framing and scene.framer != winner:
        play.illegal(
            "U3.9",
            f"{scene.framer} is framing '{scene.title}' and cannot be Interrupted",
            facts=[play.because(scene.step, "framing began here; it ends with the first Event")],
            help="wait for the first Event; something disputed can be settled at any time",
        )
        play.taint(f"framing:{scene.number}")
    for number in state.running:
        complication = state.complications[number - 1]
        if complication.stage is Stage.ROLLED:
            complication.broken_in = step.number
    step.player = winner
    coins.charge(play, "interrupt", "U3.17", "an Interrupt")
    if play.rulings["simultaneous interrupts"] == "all pay":
        for player in interrupters:
            if player != winner:
                coins.charge(
                    play, "interrupt", "U3.19", "an Interrupt that came to nothing", player=player
                )
    keeps_mini = state.mini is not None and play.ruling("mini interrupt") == "mini"
    mini = state.mini if keeps_mini else None
    if keeps_mini:
        state.mini = None
    leave_turn(play)
    if keeps_mini:
        state.mini = mini
    table.begin_turn(play, winner, "interrupts")
    state.interrupted = current if winner != current else ""
    step.headline = f"{winner} Interrupts {current}" if current else f"{winner} Interrupts"
    if len(interrupters) > 1:
        play.event(
            f"{winner} sits closest to {current}'s left and gets the turn", "U3.19", "priority"
        )


def pass_over(play: Table, player: str) -> bool:
    """The turn player is away: in preparation that is a pass."""
    state = play.state
    unsure = table.unsure_turn(play)
    if preparation.preparing(play):
        if state.begun and preparation.due_player(play) != player and not unsure:
            return False
        play.step.player = player
        preparation.pass_all(play, [player])
        return True
    if state.scene is None or (state.turn != player and not unsure):
        return False
    leave_turn(play)
    state.interrupted = ""
    table.begin_turn(play, play.left_of(player), "in order")
    return True


def left_table(play: Table) -> None:
    """A turn player who leaves passes the turn on (S77)."""
    state = play.state
    if state.scene is not None and state.turn not in play.present and play.present:
        leave_turn(play)
        table.begin_turn(play, play.left_of(state.turn), "in order")
