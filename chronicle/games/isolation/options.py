"""What may come next in Isolation: for ``explain``, for editors, and for random play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from chronicle.core.answers import Option, one_of
from chronicle.core.play import Play
from chronicle.games.isolation.bounds import levels, pool_range, versus_range
from chronicle.games.isolation.offers import offers as offers
from chronicle.games.isolation.state import (
    Conflict,
    Health,
    Level,
    PairKey,
    Stage,
    State,
)
from chronicle.games.isolation.table import at_hand

Table = Play[State]
Entry = dict[str, Any]

_NAMES = ("Ida", "Paul", "Rosa", "Viktor", "Nele", "Sam")
_PLUS = ("kind", "brave", "patient", "witty", "loyal", "quick")
_MINUS = ("vain", "blunt", "timid", "jealous", "greedy", "restless")
_EVENING = 6
"""Conflicts after which a random evening may end."""
_WORDS = ("how we barred the door", "who went out there", "the key", "the wait until light")


def options(play: Table) -> Iterable[Option]:
    """Every legal move of this moment, each with a way to write one."""
    state = play.state
    if state.over:
        return []
    conflict = state.conflict
    if conflict is not None:
        return _in_conflict(play, conflict)
    if not state.scenario_step:
        return []
    if not state.map_step:
        return _setup(play)
    if state.ending:
        return _ending(play)
    return _decide(play)


# --- setup ----------------------------------------------------------------------------------------


def _setup(play: Table) -> Iterator[Option]:
    state = play.state
    without = [
        seat for seat in play.seats if not any(p.player == seat for p in state.people.values())
    ]
    if without:
        yield Option(
            "character",
            without[0],
            f"{without[0]} puts a character on paper",
            "I1",
            lambda rng: _sheet(rng, play, by=without[0]),
        )
        return
    if play.runner and not any(p.npc for p in state.people.values()):
        yield Option(
            "character",
            play.runner,
            "the GM may add somebody in the same boat, or name somebody outside it",
            "I14",
            lambda rng: (
                {"character": f"Stranger {len(state.outsiders) + 1}", "outside": "yes"}
                if rng.random() < 0.5 or state.links
                else _sheet(rng, play, npc="yes")
            ),
        )


def _sheet(rng: Random, play: Table, **more: str) -> Entry:
    taken = {*play.state.people, *play.state.outsiders}
    name = next(
        name
        for name in (*_NAMES, *(f"Guest {n}" for n in range(1, 99)))
        if name not in taken and name not in play.names.all
    )
    return {
        "character": name,
        **more,
        "profession": f"{name.casefold()}'s trade",
        "plus": rng.sample(_PLUS, 3),
        "minus": rng.sample(_MINUS, 3),
        "bias": f"cannot stand what {name} is not",
        "goal": f"get {name} out of here",
    }


def _name(rng: Random, pair: PairKey) -> str:
    first, second = pair if rng.random() < 0.5 else pair[::-1]
    return f"{first} & {second}"


# --- the decision stage ---------------------------------------------------------------------------


def _decide(play: Table) -> Iterator[Option]:
    state = play.state
    alive = state.playing()
    within = play.timeline.current is not None
    yield Option.plain("scene", "", "open a scene", "", f"Scene {state.scenes + 1}", time="later")
    yield Option.plain(
        "character",
        play.runner,
        "name somebody elsewhere",
        "I15",
        f"Stranger {len(state.outsiders) + 1}",
        outside="yes",
    )
    if within:
        yield Option.plain("end scene", "", "close the scene", "", "So be it")
    if state.conflicts:
        yield Option.plain(
            "end session",
            "",
            "the evening may end; before it does, each pair may roll its links once",
            "I55",
            "Late",
        )
    if len(alive) < 2 and all(
        state.people[character].health is Health.HEALTHY for character in alive
    ):
        yield _the_end()
    last = at_hand(play)
    if last is not None and last.dice:
        names = list(last.hands)
        yield Option.plain(
            "motive",
            "",
            "tell why and how somebody acts",
            "I50",
            lambda rng: {rng.choice(names): "because of what was said"},
        )
    if last is not None:
        yield _result(state)
    if len(alive) > 2 and len(state.conflicts) >= _EVENING // 2:
        yield Option.plain(
            "out",
            "",
            "somebody leaves the scenario alive",
            "I42",
            one_of(alive),
        )
    if state.spreads:
        spread = state.spreads[-1]
        yield Option(
            "death",
            "",
            "say once more where the green links of the dead went",
            "I58",
            lambda rng: (
                {"death": spread.who} | ({"spread": _by_pair(spread.given)} if spread.given else {})
            ),
        )
    yield from _recoveries(play)


def _the_end() -> Option:
    return Option.plain("end scenario", "", "the scenario is over", "I79", "It is over")


def _by_pair(links: dict[PairKey, int]) -> Entry:
    return {f"{a} & {b}": count for (a, b), count in links.items()}


def _result(state: State) -> Option:
    def entry(rng: Random) -> Entry:
        last = state.last
        assert last is not None and last.level is not None
        entry: Entry = {"result": last.level.value}
        if last.dice:
            entry |= {"pool": last.pool, "versus": last.versus}
            if last.formed:
                entry["links"] = _by_pair(last.formed)
        return entry

    return Option("result", "", "state the result, to have it checked", "I49", entry)


# --- in a conflict --------------------------------------------------------------------------------


def _in_conflict(play: Table, conflict: Conflict) -> list[Option]:
    if conflict.stage is Stage.RESULT:
        return [
            _result(play.state),
        ]
    if conflict.stage is Stage.DEATHS:
        spread = next(s for s in play.state.spreads if not s.settled)

        def place(rng: Random) -> Entry:
            lucky = rng.sample(list(spread.pairs), spread.rest)
            return {
                "death": spread.who,
                "spread": {f"{a} & {b}": spread.each + ((a, b) in lucky) for a, b in spread.pairs},
            }

        return [Option("death", "", f"place {spread.who}'s last green links", "I58", place)]
    if play.state.stress <= 0 and not conflict.rolled_step:
        return [
            Option.plain(
                "result",
                "",
                "Stress is 0: say how it went, without dice",
                "I63",
                Level.BASIC_SUCCESS.value,
            )
        ]
    if conflict.unrecorded:
        return [
            Option.plain("result", "", "say how it went", "I49", _possible_level(play, conflict))
        ]
    return []


def _possible_level(play: Table, conflict: Conflict) -> str:
    """The best level that the faces on record allow."""
    return levels(pool_range(conflict), versus_range(conflict))[1].value


# --- the end of a session -------------------------------------------------------------------------


def _ending(play: Table) -> Iterator[Option]:
    yield Option.plain("end session", "", "the evening is over", "", "Good night")
    yield _the_end()
    yield from _recoveries(play)
    if at_hand(play) is not None:
        yield _result(play.state)


def _recoveries(play: Table) -> Iterator[Option]:
    people = play.state.people
    healed = [
        r for r in play.state.recoveries if people[r.who].alive and people[r.who].health < r.level
    ]
    if healed:
        said = {healed[-1].who: str(healed[-1].level)}
        yield Option.plain("recover", "", "state a recovery", "I70", said)
