"""Chapter 6, the roll as readers see it: both sides with their dice, and what these came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chronicle.core.diagnostic import listed, plural
from chronicle.core.dice import ShownDie
from chronicle.core.figures import comparison_in_words, is_figure
from chronicle.core.game_context import only_for_readers
from chronicle.core.record import NOT_RECORDED, Contest, ContestOdds, Side, Source
from chronicle.games.universalis.answers import Verdict
from chronicle.games.universalis.odds import win_odds
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    Complication,
    Component,
    DiceEntry,
    RollRound,
)


@only_for_readers
def show(
    play: Table,
    complication: Complication,
    thrown: RollRound,
    verdict: Verdict | None,
    outcome: tuple[str, ...],
) -> None:
    """The card of a roll, with the rolls before it."""
    sides = tuple(_sides(play, complication, thrown, verdict))
    rounds = complication.rounds[:-1]
    earlier = tuple(tuple(_sides(play, complication, round, None)) for round in rounds)
    own_dice = sum(len(thrown.faces[p.player]) for p in complication.side("complication"))
    other_dice = sum(len(thrown.faces[p.player]) for p in complication.side("target"))
    odds: ContestOdds | str = ""
    if not thrown.hidden:
        odds = win_odds(play, complication, complication.originator, own_dice, other_dice) or ""
    score = ""
    if verdict is not None and set(thrown.successes) >= set(complication.pools):
        score = f"{verdict.scores[0]} : {verdict.scores[1]}"
    chances = "the dice" if all(die.die for side in sides for die in side.dice) else "the cards"
    decided = _decided(chances, complication.title, sides)
    scored = f"{comparison_in_words(*verdict.scores)}: " if verdict is not None and score else ""
    play.step.contest = Contest(
        complication.title,
        sides,
        score,
        "Successes" if score else "",
        outcome,
        earlier,
        odds,
        "U6.21",
        f"{scored}{decided}" if verdict is not None else "",
    )


def _decided(chances: str, title: str, sides: tuple[Side, ...]) -> str:
    """Whom the throw favoured: those in the story, not who rolled for them, nor what stood in the way."""
    won, lost = (
        [side.name for side in sides if side.won == how and side.name not in (side.player, title)]
        for how in (True, False)
    )
    if not any(side.won for side in sides):
        return "a tie"
    if not won and lost:
        return f"{chances} went against {listed(lost)}"
    return f"{chances} gave it to {listed(won or (side.name for side in sides if side.won))}"


def _source(components: Mapping[str, Component], entry: DiceEntry) -> Source:
    """Where some dice of a Pool came from."""
    component = components[entry.component] if entry.component else None
    of = component.shown_name if component is not None else "bought" if entry.coins else ""
    counted = f"{entry.dice:+d} " if abs(entry.dice) > 1 or entry.dice < 0 else ""
    cause = "its name" if component is not None and entry.cause == component.name else entry.cause
    text = counted + (f"{of}: " if of else "") + entry.cause
    return Source(text, of, cause, entry.dice)


def _sides(
    play: Table, complication: Complication, thrown: RollRound, verdict: Verdict | None
) -> Iterator[Side]:
    components = play.state.components
    for player, pool in complication.pools.items():
        shown = thrown.faces.get(player, ())
        first_edge = len(shown) - thrown.edges.get(player, 0)
        texts = thrown.shown.get(player) or tuple(str(face) for face in shown)
        dice = tuple(
            ShownDie(
                texts[place],
                hit=play.state.points.success(play, face),
                die="" if not is_figure(texts[place]) else play.state.points.die(play).name,
                colour="edge" if place >= first_edge else "",
                extra=place >= first_edge,
            )
            for place, face in enumerate(shown)
        )
        hidden = player in thrown.hidden
        if hidden:
            dice = (ShownDie("?"),) * (pool.dice + pool.edge)
        sources = tuple(_source(components, entry) for entry in pool.entries)
        names = []
        if pool.side == "target":
            control = play.state.scenes[complication.scene].control
            own = [id for id in complication.targets if control.get(id) == player]
            if not own and len(complication.side("target")) == 1:
                own = complication.targets
            names = [components[id].shown_name for id in own]
        if pool.side == "complication":
            names = [components[id].shown_name for id in complication.sources] or [
                complication.title
            ]
        result_words = NOT_RECORDED
        if player in thrown.successes:
            result_words = plural(thrown.successes[player], "Success", "Successes")
        if not hidden:
            result_words += f", sum {thrown.sums.get(player, 0)}"
        won = verdict is not None and player in verdict.winners
        yield Side(listed(names) or player, player, dice, sources, result_words, won=won)
