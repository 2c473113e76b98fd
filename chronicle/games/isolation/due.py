"""Open obligations: dice by their links, stances, a Difficulty, wounds, last links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any

from chronicle.core.answers import Obligation, Pad, Thrown
from chronicle.core.diagnostic import plural, unit_name
from chronicle.core.dice import faces_as_typed
from chronicle.core.game_context import GameContext
from chronicle.games.isolation import resolution
from chronicle.games.isolation.base_dice import at_this_moment
from chronicle.games.isolation.counted import faces_that_count, lucks, threat_dice
from chronicle.games.isolation.dice import GREEN, GREEN_DIE, RED, RED_DIE, THREAT, Colour
from chronicle.games.isolation.evenings import base_of, rolled_before
from chronicle.games.isolation.odds import chance_against
from chronicle.games.isolation.persuasion import told_odds as told_before
from chronicle.games.isolation.state import Conflict, Source, Stage, State
from chronicle.games.isolation.table import Table
from chronicle.games.isolation.turn import waiting_for


def due(play: GameContext[State]) -> list[Obligation]:
    """The open obligations."""
    conflict = play.state.conflict
    if conflict is None:
        return []
    if conflict.stage is Stage.RESULT:
        wounds = conflict.wounds_due
        words = f"{plural(wounds, 'wound').partition(' ')[2]} to share out"
        return [Obligation("", words, "wounds", "I66", wounds, "wound")]
    if conflict.stage is Stage.DEATHS:
        open_ = [spread.character for spread in play.state.spreads if not spread.settled]
        return [
            Obligation("", f"the last green links of {roller}", "death", "I58") for roller in open_
        ]
    if conflict.level is not None:
        return []
    if play.state.stress == 0 and not conflict.rolled_step:
        return [Obligation("", "the result; no roll is needed", "result", "I63")]
    return _before_the_level(play, conflict)


def may_fall(play: GameContext[State]) -> list[Obligation]:
    """The dice that each pair can roll at the end of a session."""
    state = play.state
    return [
        Obligation(
            state.name_of(pair), _words(colour, dice), "pair rolls", "I55", dice, str(colour)
        )
        for pair in state.pairs(state.playing())
        if not rolled_before(play, pair)
        for colour, dice in zip((GREEN, RED), base_of(play, pair), strict=True)
        if dice
    ]


def _before_the_level(play: GameContext[State], conflict: Conflict) -> list[Obligation]:
    conflict = at_this_moment(play, conflict)
    dues: list[Obligation] = []
    for kind, names in waiting_for(conflict).items():
        match kind:
            case "difficulty":
                dues.append(
                    Obligation(play.runner or THREAT, "the Difficulty", "difficulty", "I40")
                )
            case "stance":
                dues += [Obligation(roller, "a stance", "stance", "I28") for roller in names]
            case _:
                for hand in map(conflict.hands.__getitem__, names):
                    dues += _dice(hand.character, "I72" if hand.late else "I22", hand.sources)
    if dues:
        return dues
    if conflict.against:
        return [*_dice(conflict.against, "I77", resolution.defence_sources(play, conflict))]
    rating = conflict.rating
    if rating is None:
        return []
    threat = threat_dice(play, rating.dice)
    return [*_dice(THREAT, "I44", [Source(RED, dice, why) for why, dice in threat])]


def odds(play: GameContext[State], due: Sequence[Obligation]) -> list[str]:
    """The chances of the stances, or of a success."""
    conflict = play.state.conflict
    rolls = {entry.who: entry for entry in due if entry.verb == "roll"}
    if conflict is None or not rolls:
        return []
    against = rolls.get(conflict.against or THREAT)
    if against is not None:
        if conflict.unrecorded or resolution.lacks_parts(play, conflict):
            return []
        conflict = deepcopy(conflict)
        for hand in conflict.passives():
            hand.final = resolution.final_of(hand)
        resolution.pool_of(conflict)
        if any(entry.who != against.who for entry in due):
            return []
        dice = {entry.kind: entry.amount for entry in due}
        red, green = dice.get(str(RED), 0), dice.get(str(GREEN), 0)
        chance = chance_against(conflict.pool, red, green, *lucks(play))
        return [resolution.told_odds(conflict, chance)]
    conflict = at_this_moment(play, conflict)
    return [
        *told_before(play, conflict, (h for h in conflict.hands.values() if h.character in rolls))
    ]


def _dice(roller: str, rule: str, sources: Iterable[Source]) -> Iterator[Obligation]:
    for colour in (GREEN, RED):
        own = tuple(
            (entry.why, entry.dice) for entry in sources if entry.colour is colour and entry.dice
        )
        count = sum(dice for _, dice in own)
        if count:
            yield Obligation(roller, _words(colour, count), "roll", rule, count, str(colour), own)


def _words(colour: Colour, count: int) -> str:
    return unit_name(f"{colour} die", count)


def pad(play: Table, due: Obligation) -> Pad | None:
    """Open-ended dice of two colours: even greens count, and odd reds."""
    for colour, die in ((GREEN, GREEN_DIE), (RED, RED_DIE)):
        if due.kind == str(colour):
            counts = faces_that_count(play, colour)
            hits = tuple(face for face in die.faces if int(face) in counts)
            return Pad(die.faces, hits, die.chains, due.kind)
    return None


def thrown(verb: str, dice: Sequence[Thrown]) -> dict[str, Any]:
    """Faces run together, earned ones apart, by person and colour; the threat throws red ones only."""
    value: dict[str, Any] = {}
    for entry in dice:
        faces = faces_as_typed(entry.faces, entry.extra)
        text = faces if isinstance(faces, str) else "".join(faces)
        if entry.who == THREAT:
            value[entry.who] = text
        else:
            value.setdefault(entry.who, {})[entry.kind] = text
    return {verb: value}
