"""What may come next in Positive: for ``explain``, for editors, and for random play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from chronicle.core.play import Option, Play, one_of
from chronicle.games.positive.state import DIE, Conflict, Stage, State
from chronicle.games.positive.table import dice_of

_NAMES = ("Marit", "Jonas", "Petra", "Sunny", "Gus")
_WORDS = (
    "She never said that",
    "It was the summer before",
    "Everybody knew but you",
    "I was there, and it rained",
)


def options(play: Play[State]) -> Iterable[Option]:
    """Every legal move of this moment, each with a way to write one."""
    state = play.state
    if state.over:
        return []
    if state.ejected:
        return _ending(play)
    if not state.scenes or not state.characters:
        return _setup(play)
    fight = state.conflict
    if fight is not None and fight.stage is Stage.CALLED:
        return _answers(play, fight)
    if fight is not None and fight.stage is Stage.MATCHED:
        return _support(play, fight)
    if state.in_scene:
        return _in_scene(play)
    return [_scene(play)]


def _setup(play: Play[State]) -> Iterator[Option]:
    state = play.state
    everybody = state.everybody()
    if not everybody:
        cast = dict(zip(play.seats, _NAMES, strict=False))
        yield Option.plain("cast", "", "say who plays whom", "P1", cast)
        return
    if not state.host:
        yield Option.plain(
            "host",
            "",
            "name the host, who is the accused",
            "P6",
            one_of([c for c in everybody if c != state.accuser]),
        )
    if not state.accuser:
        yield Option.plain(
            "accuser",
            "",
            "somebody volunteers as the accuser",
            "P7",
            one_of([c for c in everybody if c != state.host]),
            symptoms=one_of(["yes", "no"]),
        )
    if state.host and state.accuser:
        yield _scene(play)


def _scene(play: Play[State]) -> Option:
    state = play.state
    opener = state.opener if state.scenes else state.accuser
    if state.owed and play.rulings["all_scene_opener"] == "arrived":
        opener = next(iter(state.owed))
    others = [c for c in state.everybody() if c != opener]

    def chosen(rng: Random) -> Any:
        if state.owed:
            return "everybody"
        if not state.scenes:
            return rng.choice([c for c in others if c != state.host])
        return rng.sample(others, rng.randint(1, len(others)))

    return Option.plain(
        "scene",
        state.player(opener),
        f"open a scene {'with all characters' if state.owed else 'with whom you like'}",
        "P11",
        f"Scene {state.scenes + 1}",
        **{"with": chosen},
        time=one_of([None, "flashback", "flash-forward"]),
        by=opener or others[0],
    )


def _in_scene(play: Play[State]) -> Iterator[Option]:
    state = play.state
    fight = state.conflict
    yield Option.plain(
        "tell",
        state.player(state.cast[0]) if state.cast else "",
        "tell anything at all",
        "P10",
        one_of(_WORDS),
    )
    if state.cast:
        yield Option(
            "apology",
            "",
            "own up, confess or apologise; believed, it brings a die back",
            "P14",
            lambda rng: {
                "apology": "That was my doing",
                "by": (who := rng.choice(state.cast)),
                **_doubted(play, who, rng),
            },
        )
    for player, character in state.characters.items():
        barred = state.first_scene and character == state.host
        if character not in state.cast and dice_of(play, player) and not barred:
            yield Option.plain(
                "barge in", player, f"{character} barges in for a die", "P13", character
            )._replace(price=(1, DIE))
    if fight is None and len(state.cast) > 1:
        yield Option(
            "call",
            "",
            "lay down the conflict die against somebody",
            "P15",
            lambda rng: {
                "call": rng.choice(_WORDS),
                **dict(zip(("by", "against"), rng.sample(state.cast, 2), strict=True)),
            },
        )
    if fight is not None:
        yield Option.plain(
            "end scene",
            state.player(fight.winner or fight.caller),
            "close the scene",
            "P16" if fight.stage is Stage.BACKED_DOWN else "P17",
            "The music goes on",
        )


def _doubted(play: Play[State], who: str, rng: Random) -> dict[str, str]:
    others = [c for c in play.state.everybody() if c != who]
    doubter = rng.choice([None, rng.choice(others)])
    return {"doubted by": doubter} if doubter else {}


def _answers(play: Play[State], fight: Conflict) -> list[Option]:
    owner = play.state.player(fight.challenged)
    return [
        Option.plain(
            "match",
            owner,
            f"{fight.challenged} stands by it",
            "P17",
            one_of(_WORDS),
        ),
        Option.plain("back down", owner, f"{fight.challenged} gives way", "P16", fight.challenged),
    ]


def _support(play: Play[State], fight: Conflict) -> Iterator[Option]:
    for player, character in play.state.characters.items():
        free = player not in fight.backers and character not in fight.principals
        if free and dice_of(play, player) and not fight.ties:
            yield Option.plain(
                "back",
                player,
                f"{player} may put a die on either side",
                "P18",
                lambda rng, player=player: {player: rng.choice(fight.principals)},
            )._replace(price=(1, DIE))

    def faces(rng: Random) -> dict[str, str]:
        return {
            who: "".join(rng.choice("+o-") for _ in range(1 + len(fight.side(who))))
            for who in fight.principals
        }

    yield Option.plain("roll", "", "roll both sides", "P19", faces)


def _ending(play: Play[State]) -> list[Option]:
    state = play.state
    out = [state.player(c) for c in state.ejected]
    waiting = [p for p in play.seats if p not in out and p not in state.told]
    if not waiting:
        return [Option.plain("end game", "", "the game is over", "P25", "Over")]
    return [
        Option.plain(
            "ejection",
            player,
            f"{player} tells how it happens",
            "P26",
            "The door closes",
            by=player,
        )
        for player in waiting
    ]
