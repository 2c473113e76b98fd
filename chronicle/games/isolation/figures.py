"""Figures that a log may state: ``assert:`` compares them, ``correct:`` sets some of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chronicle.core.answers import Limits
from chronicle.core.declare import read_value
from chronicle.core.field_types import WHOLE
from chronicle.core.game import NOT_BELOW_ZERO
from chronicle.core.game_context import Measure
from chronicle.core.misread import Misread
from chronicle.core.source import ScalarNode
from chronicle.games.isolation.base_dice import at_this_moment
from chronicle.games.isolation.deaths import set_level
from chronicle.games.isolation.dice import GREEN, RED, Colour
from chronicle.games.isolation.harm import count_wounds_again
from chronicle.games.isolation.state import (
    CHARACTER,
    LINK,
    PAIR,
    Conflict,
    Hand,
    Health,
    PairKey,
    Tally,
)
from chronicle.games.isolation.table import (
    Table,
    are_labels_uncertain,
    at_hand,
    change_stress,
    erase_link,
    living_count,
    set_loose,
)


def _pair(play: Table, id: str) -> PairKey:
    """The pair that a name like 'Ruth & Basil' was registered for."""
    state = play.state
    return next(pair for pair in state.pairs() if state.name_of(pair) == id)


def _set_stress(play: Table, id: str, stated: str) -> None:
    change_stress(play, int(stated) - play.state.stress, "I60", "recounted", "recounted")


def _stress_rule(play: Table, id: str) -> str:
    history = play.state.stress_history
    kinds = {"start": "I59", "result": "I62", "relief": "I61"}
    return kinds.get(history[-1].kind, "I60") if history else "I59"


def _set_health(play: Table, id: str, stated: str) -> None:
    set_level(play, play.state.people[id], Health[stated.upper()])
    count_wounds_again(play)


def _health_rule(play: Table, id: str) -> str:
    person = play.state.people[id]
    healed = any(r.character == id for r in play.state.recoveries)
    return "I70" if healed and person.alive else "I64"


def _limits_of_links(play: Table, id: str) -> Limits:
    """I58: the dead keep no links."""
    are_alive = all(play.state.people[name].alive for name in _pair(play, id))
    return NOT_BELOW_ZERO if are_alive else Limits(0, 0, "I58")


def _limits_of_loose(play: Table, id: str) -> Limits:
    are_alive = all(play.state.people[name].alive for name in _pair(play, id))
    return Limits(None, None) if are_alive else Limits(0, 0, "I58")


def _links(colour: Colour) -> Measure:
    """The links of one colour. A higher figure adds unlabelled links; a lower figure erases the last labelled ones."""

    def read(play: Table, id: str) -> int:
        pair = _pair(play, id)
        loose = play.state.unlabelled(pair)
        unlabelled = loose.green if colour is GREEN else loose.red
        return len(play.state.labelled(pair, colour)) + unlabelled

    def write(play: Table, id: str, stated: str) -> None:
        pair, level = _pair(play, id), int(stated)
        for link in play.state.labelled(pair, colour)[level:]:
            erase_link(play, link, "I55")
        loose = play.state.unlabelled(pair)
        unlabelled = level - len(play.state.labelled(pair, colour))
        tally = Tally(unlabelled, loose.red) if colour is GREEN else Tally(loose.green, unlabelled)
        set_loose(play, pair, tally, "I54", "recounted")
        if are_labels_uncertain(play, pair):
            play.unrecorded(f"unlabelled:{id}")

    doc = f"{colour.value} links of a pair, labelled and not"
    return Measure(
        doc,
        (PAIR,),
        read,
        write,
        _links_rule,
        _limits_of_links,
        sentence="{of} have {amount}",
        noun=f"{colour.value} link",
    )


def _links_rule(play: Table, id: str) -> str:
    """The rule of the last change of the pair: a death, a wound, a roll, the map."""
    pair = _pair(play, id)
    if any(not play.state.people[name].alive for name in pair):
        return "I58"
    return _moved_last(play, id, "") or "I9"


def _loose_rule(play: Table, id: str) -> str:
    """The rule of the last change of the pair's unlabelled links."""
    return _moved_last(play, id, "unlabelled ") or _links_rule(play, id)


def _moved_last(play: Table, id: str, kind: str) -> str:
    """The rule that last moved links of a pair, of the accounts that begin so; empty if none did."""
    return next(
        (
            posting.rule
            for posting in reversed(play.ledger.postings)
            if posting.unit == LINK
            and any(
                account.startswith(kind) and account.partition(":")[2] == id
                for account in (posting.source, posting.target)
            )
        ),
        "",
    )


def _unlabelled(play: Table, id: str) -> int | str:
    tally = play.state.unlabelled(_pair(play, id))
    return str(tally) if tally.green and tally.red else tally.balance


def _set_unlabelled(play: Table, id: str, stated: str) -> bool:
    try:
        level = read_value(WHOLE, ScalarNode(stated))
    except Misread:
        return False
    pair = _pair(play, id)
    set_loose(play, pair, Tally(max(0, level), max(0, -level)), "I54", "recounted")
    if are_labels_uncertain(play, pair):
        # The links that the record lacks are labelled then, or they are gone.
        play.unrecorded(f"green:{id}", f"red:{id}")
    return True


def _of_conflict(doc: str, rule: str, read: Callable[[Conflict], int | str | None]) -> Measure:
    """A figure of the last conflict."""

    def figure(play: Table, id: str) -> int | str | None:
        conflict = at_hand(play)
        return read(conflict) if conflict is not None and conflict.level is not None else None

    return Measure(doc, (), figure, None, lambda play, id: rule)


def _of_hand(doc: str, rule: str, read: Callable[[Hand], int | str | None]) -> Measure:
    """A figure of a character's dice in the last conflict."""

    def figure(play: Table, id: str) -> int | str | None:
        conflict = at_hand(play)
        hand = conflict.hands.get(id) if conflict is not None else None
        return read(hand) if hand is not None else None

    return Measure(doc, (CHARACTER,), figure, None, lambda play, id: rule)


def _dice(colour: Colour) -> Measure:
    def figure(play: Table, id: str) -> int | str | None:
        conflict = at_hand(play)
        if conflict is None:
            return None
        if id == conflict.against:
            return conflict.threat_base[0 if colour is GREEN else 1]
        if conflict.level is None and not conflict.rolled_step and not conflict.unrecorded:
            conflict = at_this_moment(play, conflict)
        hand = conflict.hands.get(id)
        return hand.base(colour) if hand is not None else None

    doc = f"base {colour.value} dice in the last conflict"
    return Measure(doc, (CHARACTER,), figure, None, lambda play, id: "I23")


def _pool(conflict: Conflict) -> int | None:
    return conflict.pool if conflict.has_pool else None


def _versus(conflict: Conflict) -> int | None:
    return conflict.versus if conflict.has_versus else None


def _known_difference(conflict: Conflict) -> int | None:
    return conflict.difference if conflict.has_pool and conflict.has_versus else None


def _odds(hand: Hand) -> int | None:
    return hand.odds if hand.has_figure("odds") else None


def _evens(hand: Hand) -> int | None:
    return hand.evens if hand.has_figure("evens") else None


def _wounds(conflict: Conflict) -> int | None:
    is_known = conflict.wounds_most == conflict.wounds_due
    return conflict.wounds_due if is_known else None


MEASURES: Mapping[str, Measure] = {
    "stress": Measure(
        "the Stress Level",
        (),
        lambda play, id: play.state.stress,
        _set_stress,
        _stress_rule,
        lambda play, id: Limits(0 if play.ruling("stress_bounds") == "zero" else None, None, "I61"),
    ),
    "health": Measure(
        "the health: healthy, injured, dying or dead",
        (CHARACTER,),
        lambda play, id: str(play.state.people[id].health),
        _set_health,
        _health_rule,
        words=tuple(str(level) for level in Health),
        final=(str(Health.DEAD),),
    ),
    "living": Measure(
        "Living Characters still in the scenario",
        (),
        lambda play, id: living_count(play),
        rule=lambda play, id: "I42",
    ),
    "green": _links(GREEN),
    "red": _links(RED),
    "unlabelled": Measure(
        "unlabelled balance of a pair: +2 two green, -1 one red",
        (PAIR,),
        _unlabelled,
        _set_unlabelled,
        _loose_rule,
        _limits_of_loose,
    ),
    "green dice": _dice(GREEN),
    "red dice": _dice(RED),
    "odds": _of_hand("the Active's red odds of the first reading", "I24", _odds),
    "evens": _of_hand("a Passive's green evens of the first reading", "I26", _evens),
    "net": _of_hand("a Passive's net of the first reading", "I27", lambda hand: hand.net),
    "allowed": _of_hand(
        "the best stance the dice and the links allow",
        "I27",
        lambda hand: None if hand.defaulted else str(hand.best),
    ),
    "stance": _of_hand(
        "the stance in the last conflict",
        "I28",
        lambda hand: str(hand.final or hand.stance or "") or None,
    ),
    "pool": _of_conflict("green evens after cancelling", "I46", _pool),
    "versus": _of_conflict("red odds against them", "I44", _versus),
    "difference": _of_conflict("green evens less red odds", "I49", _known_difference),
    "level": _of_conflict(
        "the level of the last result", "I49", lambda conflict: str(conflict.level)
    ),
    "wounds": _of_conflict("wounds that follow from the last result", "I66", _wounds),
    "threat dice": _of_conflict(
        "base red dice of the GM or the defender", "I44", lambda conflict: conflict.threat_base[1]
    ),
}
