"""Chapter 3, turns: ending them, passing, breaking into them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.field_types import NAMES, in_role
from chronicle.core.fix import add_entry, write_word
from chronicle.core.guards import Violation, guard
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins, preparation, presence, table
from chronicle.games.universalis.actions import (
    BETWEEN,
    CONSENT,
    NO_TURN,
    PREPARING,
    SCENE,
    START,
    STATED,
    TURN,
    TURNS,
    Entry,
)
from chronicle.games.universalis.coins import can_pay
from chronicle.games.universalis.fates import end_reductions
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.moves import acting, open_scene
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.scenes import end_mini
from chronicle.games.universalis.state import Stage


def bars_end_of_turn(play: Table) -> Iterator[Violation]:
    """What keeps a turn from ending: the Complication of a Mini Scene (U3.23), or a frame that ends with the turn and
    lacks something (U3.8)."""
    state = play.state
    mini = state.mini
    is_open = mini is not None and any(
        state.complications[number - 1].scene == mini.number for number in state.running
    )
    if is_open and play.ruling("mini complication") == "within turn":
        yield Violation(
            "the Mini Scene ends with the turn, and its Complication is still open",
            help="roll it within the turn",
            rule="U3.23",
        )
    scene = state.scene
    if scene is not None and scene.framing and play.rulings["framing turn"] == "ends":
        yield from presence.lacks_of_frame(play)


def leave_turn(play: Table) -> None:
    """What ends with a turn: a Mini Scene (unless a Complication keeps it open), a Dialog, framing."""
    state = play.state
    mini = state.mini
    if mini is not None:
        own = [n for n in state.running if state.complications[n - 1].scene == mini.number]
        if not own:
            end_mini(play)
        elif play.ruling("mini complication") == "within turn":
            for number in own:
                state.complications[number - 1].stage = Stage.ABANDONED
                state.running.remove(number)
            end_mini(play)
    state.dialog = None
    scene = state.scene
    if scene is not None and play.rulings["framing turn"] == "ends":
        presence.close_frame(play, scene)
    end_reductions(play)


def quit_turn(play: Table) -> None:
    """The same where no entry ends the turn: what keeps it from ending is reported."""
    violations = [*bars_end_of_turn(play)]
    leave_turn(play)
    report_all(play, violations)


class EndsTurns(Entry):
    """An entry that ends one turn, or several in a row."""

    who: tuple[ScalarNode, ...]

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        """A turn goes on while its player can pay for the first Event of a scene."""
        scene = play.state.current_scene
        is_poor = scene is not None and not can_pay(play, play.state.turn, "event")
        for _, player, by in acting(play, framing=is_poor):
            yield {cls.verb: player, **by}

    def players(self, play: Table) -> list[str]:
        """Whose turns end, in order."""
        named = [name for word in self.who if (name := play.look_up_player(word))]
        return named or [play.step.player or play.state.turn]

    @guard("U3.15")
    def has_the_turn(self, play: Table) -> Iterator[Violation]:
        state = play.state
        if preparation.preparing(play) or (
            state.scene is None and not state.points.turn_goes_on(play)
        ):
            return
        due, sure, step = state.turn, state.turn_sure, state.turn_step
        for player in self.players(play):
            if player and player != due and sure and play.gap_since("turns") <= step:
                yield Violation(
                    f"it is {due}'s turn, so {player} cannot end it",
                    fix=add_entry(
                        table.turns_over(play, player, due), when=f"if {due}'s turn was over"
                    ),
                    help=f"name those who pass in seating order, beginning with {due}",
                    facts=[play.because(step, f"{due}'s turn began here")],
                    since=step,
                    state_kind="turns",
                )
            due, sure, step = play.left_of(player), True, play.step.number

    @guard("U3.23")
    def turn_may_end(self, play: Table) -> Iterator[Violation]:
        if not preparation.preparing(play):
            yield from bars_end_of_turn(play)


class EndTurn(EndsTurns):
    """End your turn. The next player clockwise goes on; the scene stays open."""

    verb = "end turn"
    synonyms = ("next", "turn", "finish")
    quiet = True
    decides = Decides("on turn")
    moment = TURNS
    example = "end turn:"
    who = main(
        in_role("has a turn", NAMES), "who ends a turn, if several do so in a row", default=()
    )
    consent = option(CONSENT, "who of the others agrees, where an add-on asks for it", default=0)
    offered = Offered("U3.15", "end the turn")

    def apply(self, play: Table) -> None:
        """A turn ends, the next player clockwise goes on (U3.15)."""
        _end_turns(play, table.players_in(play, self.who))


class PassTurn(EndsTurns):
    """Pass: in preparation nothing to propose, in a scene nothing (more) to do this turn."""

    verb = "pass"
    synonyms = ("done", "skip turn")
    quiet = True
    decides = Decides("each in turn")
    moment = TURNS._replace(phases=(PREPARING, SCENE, TURN))
    example = "pass: [Cleo, Dov]"
    who = main(in_role("has a turn", NAMES), "who passes, in order", default=())
    consent = option(CONSENT, "who of the others agrees, where an add-on asks for it", default=0)
    offered = Offered("U3.15", "pass")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        if preparation.preparing(play):
            yield {"pass": preparation.due_player(play) or play.seats[0]}
        else:
            yield from super().candidates(play)

    @guard("U2.3")
    def keeps_the_order_of_preparation(self, play: Table) -> Iterator[Violation]:
        named = [play.look_up_player(word) for word in self.who]
        passing = (named or [play.step.player]) if preparation.preparing(play) else []
        for place, player in enumerate(passing):
            if not player:
                return  # A misspelt name can be that of the player whose turn is due.
            yield from preparation.bars_turn(play, player, *passing[:place])

    def apply(self, play: Table) -> None:
        """A pass: in preparation on a Tenet, in a scene the end of a turn."""
        players = table.players_in(play, self.who)
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


class BreakIn(Entry):
    """Pay 1 Coin, end another player's turn and begin your own."""

    verb = "interrupt"
    synonyms = ("break in", "cut in")
    decides = Decides("named", "U3.18")
    moment = TURNS._replace(refusals_by_phase={START: NO_TURN, BETWEEN: NO_TURN})
    keeps_outcome = True
    example = "interrupt: Dov"
    who = main(in_role("interrupts", NAMES), "who Interrupts; several, if they spoke together")
    winner = option(STATED, "who got the turn; checked", computed=True)
    consent = option(CONSENT, "who of the others agrees, where an add-on asks for it", default=0)
    offered = Offered("U3.17", "break into the turn for 1 Coin")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        if open_scene(play) is not None and not table.lost_turn(play):
            for player in play.present:
                if can_pay(play, player, "interrupt"):
                    yield {"interrupt": player, "by": player}

    def interrupters(self, play: Table) -> list[str]:
        """Who breaks in; not who has the turn."""
        return [player for player in self._players(play) if player != play.state.turn]

    def _players(self, play: Table) -> list[str]:
        return [name for word in self.who if (name := play.look_up_player(word))]

    def winner_of(self, play: Table) -> str:
        """Who gets the turn: the closest to the left of who has it (U3.19)."""
        other_players = self.interrupters(play)
        return play.left_of(play.state.turn, other_players) if other_players else play.state.turn

    def _is_in_turn(self, play: Table) -> bool:
        state = play.state
        return state.scene is not None or bool(play.given) or state.points.turn_goes_on(play)

    @guard("U3.17", at="main")
    def is_not_the_own_turn(self, play: Table) -> Violation | None:
        state = play.state
        if state.turn not in self._players(play) or not self._is_in_turn(play):
            return None
        if play.gap_since("turns") > state.turn_step:
            return None
        return Violation(
            f"it is {state.turn}'s own turn",
            facts=[play.because(state.turn_step, "the turn began here")],
            since=state.turn_step,
            state_kind="turns",
        )

    @guard("U3.19", at="winner")
    def is_closest(self, play: Table) -> Violation | None:
        stated = play.look_up_player(self.winner) if self.winner is not None else ""
        winner = self.winner_of(play)
        if stated in ("", winner) or not self._is_in_turn(play):
            return None
        return Violation(
            f"{winner} sits closest to {play.state.turn}'s left and gets the turn, not {stated}",
            fix=write_word(winner),
        )

    @guard("U3.9")
    def nobody_is_framing(self, play: Table) -> Violation | None:
        scene = play.state.current_scene
        stated = play.look_up_player(self.winner) if self.winner is not None else ""
        winner = stated or self.winner_of(play)
        if scene is None or not scene.framing or scene.framer == winner or not self._players(play):
            return None
        return Violation(
            f"{scene.framer} is framing '{scene.title}' and cannot be Interrupted",
            facts=[play.because(scene.step, "framing began here; it ends with the first Event")],
            help="wait for the first Event; something disputed can be settled at any time",
            doubts=(f"framing:{scene.number}",),
        )

    @guard("U3.23")
    def turn_may_end(self, play: Table) -> Iterator[Violation]:
        keeps_mini = play.state.mini is not None and play.ruling("mini interrupt") == "mini"
        if self._is_in_turn(play) and not keeps_mini:
            yield from bars_end_of_turn(play)

    def apply(self, play: Table) -> None:
        """Break into a turn (U3.17); of several players, the closest to the interrupted player's left (U3.19)."""
        state, step = play.state, play.step
        if not self._is_in_turn(play) or not table.players_in(play, self.who):
            return
        current, interrupters, winner = state.turn, self.interrupters(play), self.winner_of(play)
        if self.winner is not None:
            winner = play.player(self.winner) or winner
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
                        play,
                        "interrupt",
                        "U3.19",
                        "an Interrupt that came to nothing",
                        player=player,
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
    quit_turn(play)
    state.interrupted = ""
    table.begin_turn(play, play.left_of(player), "in order")
    return True


def left_table(play: Table) -> None:
    """A turn player who leaves passes the turn on (S77)."""
    state = play.state
    if state.scene is not None and state.turn not in play.present and play.present:
        quit_turn(play)
        table.begin_turn(play, play.left_of(state.turn), "in order")
