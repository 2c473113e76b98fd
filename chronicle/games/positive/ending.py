"""The end of the game, and what no rule provides for (P25 to P27; P14 and P23 by default)."""

from __future__ import annotations

from chronicle.core.diagnostic import listed, plural
from chronicle.games.positive.actions import Ejection, EndGame, Gain, Lose
from chronicle.games.positive.scenes import close
from chronicle.games.positive.state import BOX, DIE
from chronicle.games.positive.table import Table, player


def ejection(play: Table, action: Ejection) -> None:
    """P26: everybody but the ejected one tells how."""
    state = play.state
    who = play.step.player
    play.step.headline = f"{who or 'Somebody'} tells the end"
    play.step.tell(action.story)
    if state.in_scene:
        close(play, "")
    if who:
        state.told[who] = str(action.story)
    play.event(
        f"{who or 'Somebody'} tells how {listed(state.ejected)} is thrown out", "P26", "tells"
    )


def end_game(play: Table, action: EndGame) -> None:
    """P25, P27: the game ends by an ejection and by nothing else."""
    state = play.state
    play.step.headline = "The game is over"
    play.step.tell(action.words or None)
    if state.in_scene:
        close(play, "")
    play.suspect(
        action.winner is not None,
        "P27",
        "the rules name no winner",
        at="winner",
        help="take 'winner' out",
    )
    if state.ejected:
        out = [state.player(c) for c in state.ejected]
        silent = [
            p for p in play.present if p in play.seats and p not in out and p not in state.told
        ]
        play.require(
            not silent,
            "P26",
            f"{listed(silent)} {'has' if len(silent) == 1 else 'have'} not told how "
            f"{listed(state.ejected)} is thrown out",
            help=(
                "ejection: how it happens  /  by: the player",
                f"skip: {silent[0] if silent else 'a player'}  if there is nothing to add",
            ),
            since=0,
        )
    state.over = True
    play.event("The game is over", "P25", "over")


def gain(play: Table, action: Gain) -> None:
    """Dice that come back otherwise than by an apology break P14, unless a house rule covers it."""
    play.step.headline = "Dice come back"
    for word, count in action.dice.items():
        who = player(play, word)
        if who:
            play.illegal(
                "P14",
                f"{who} gets {plural(count, 'die', 'dice')} back; only an admission, a confession "
                "or an apology in a scene does that",
                at=word,
                help="write  apology: what was said  /  by: the character",
            )
            play.move(BOX, f"dice:{who}", count, DIE, "P14", "by the table's word")


def lose(play: Table, action: Lose) -> None:
    """Dice that go otherwise than by backing or barging in break P23, unless a house rule covers it."""
    play.step.headline = "Dice go"
    for word, count in action.dice.items():
        who = player(play, word)
        if not who:
            continue
        if not isinstance(count, int):
            play.illegal(
                "P23", f"{who}'s conflict die is discarded; a conflict die is never spent", at=word
            )
            continue
        play.illegal(
            "P23",
            f"{who} discards {plural(count, 'die', 'dice')}; only backing a side (P18) or barging in "
            "(P13) costs one",
            at=word,
            help="write  back: {player: side}  or  barge in: character",
        )
        have = max(0, play.balance(f"dice:{who}", DIE))
        play.move(f"dice:{who}", BOX, min(count, have), DIE, "P23", "by the table's word")
