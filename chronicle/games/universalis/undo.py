"""What a Challenge strikes never happened: play goes on as if it had not been there, and its Coins were
never paid (:mod:`chronicle.core.retractions`). Two effects are changed instead of reversed: an Event that a
player stops before it is carried out, and the way in which a scene ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chronicle.core.diagnostic import plural
from chronicle.core.ledger import Posting
from chronicle.core.record import Step
from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.points import RulePoints, Table
from chronicle.games.universalis.state import BANK, COIN, Fact


def strike(
    play: Table,
    index: int,
    *,
    refund: bool,
    responsible: str = "a Challenge",
    rule: str = "U3.46",
    decision: object = None,
) -> None:
    """Strike the entry with this step number (and what was nested in it).

    ``responsible`` and ``rule`` say what strikes it. Its Coins are back where they were (U3.49), except
    without ``refund``: then they are spent all the same.
    """
    if _unfade(play, index, responsible, rule, refund) or not play.strike(
        index, responsible, rule, decision=decision
    ):
        return
    struck_record = play.known_retractions.record_of(play.steps[index - 1].action)
    paid = [
        posting
        for posting in (struck_record.postings if struck_record is not None else ())
        if posting.unit == COIN and posting.target == BANK
    ]
    coins = sum(posting.amount for posting in paid)
    if not refund:
        for posting in paid:
            play.move(posting.source, BANK, posting.amount, COIN, posting.rule, "spent, and struck")
    else:
        _tell_back(play, coins)


def stop_event(play: Table, fact: Fact, *, refund: bool) -> None:
    """An Event is declared and not carried out (U3.31): it is no Fact, and costs what the table says."""
    fact.struck = True
    step = play.reopen(fact.step)
    _pay_back(play, step, lambda posting: refund)
    if play.state.event_this_turn == step.number:
        play.state.event_this_turn = 0
    step.event("not carried out", "U3.31", "undone")


def _unfade(play: Table, index: int, by: str, rule: str, refund: bool) -> bool:
    """Of an end that was to fade to black, only the fade is struck (U3.13): the scene is over."""
    state = play.state
    scene = next(
        (candidate for candidate in state.scenes.values() if candidate.faded == index), None
    )
    if scene is None:
        return False
    scene.faded = 0
    play.timeline.get(scene.number).closing = ""
    state.unfaded_step = index
    step = play.reopen(index)
    step.event(f"the fade is struck by {by}", rule)
    _pay_back(play, step, lambda posting: refund and posting.rule == "U3.13")
    return True


def _pay_back(play: Table, step: Step, which: Callable[[Posting], bool]) -> None:
    """Give back what an entry has paid."""
    first, last = step.posting_range
    coins = 0
    for posting in play.ledger.postings[first:last]:
        paid = (
            posting.step_number == step.number and posting.unit == COIN and posting.target == BANK
        )
        if paid and which(posting):
            play.move(BANK, posting.source, posting.amount, COIN, "U3.49", "price recalculated")
            coins += posting.amount
    _tell_back(play, coins)


def _tell_back(play: Table, coins: int) -> None:
    if coins:
        play.event(f"{plural(coins, 'Coin')} come{'s' if coins == 1 else ''} back", "U3.49")


def layers_of(play: Table) -> tuple[RulePoints, ...]:
    """The layers on the core rules, the lowest first."""
    layers: list[RulePoints] = []
    layer = play.state.points
    while layer.below is not None:
        layers.append(layer)
        layer = layer.below
    return tuple(reversed(layers))


def lay(play: Table, layers: Iterable[RulePoints]) -> None:
    """Put exactly these layers on the core rules, the lowest first."""
    state = play.state
    while state.points.below is not None:
        state.points = state.points.below
    state.add_ons = []
    moved = False
    for layer in layers:
        moved = moved or layer.below is not state.points
        if moved:
            layer.below = state.points
            layer.link()
        state.points = layer
        if isinstance(layer, AddOn):
            state.add_ons.append(layer)


def drop_gimmick(play: Table, id: str) -> None:
    """Take a Gimmick's layer off; what it allowed is allowed no longer."""
    dropped = [own_layer for own_layer in play.state.add_ons if own_layer.id == id]
    lay(play, [layer for layer in layers_of(play) if layer.id != id])
    for adoption in play.state.adoptions:
        if adoption.id == id and not adoption.ended:
            adoption.ended = play.step.number
    for add_on in dropped:
        add_on.dropped(play)
