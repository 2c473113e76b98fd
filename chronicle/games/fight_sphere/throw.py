"""Reading a throw: whose dice are whose, who judges, how many ones (F24, F67, F68)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import plural
from chronicle.core.dice import D6, Faces, ShownDie
from chronicle.core.fix import add_entry
from chronicle.core.house_rules import answer, expected
from chronicle.core.names import PLAYER
from chronicle.core.ranges import Range, exactly
from chronicle.core.record import Side, Throw
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere.actions import Roll
from chronicle.games.fight_sphere.build import GM_SIDE
from chronicle.games.fight_sphere.computed import ONE
from chronicle.games.fight_sphere.state import BOX, DIE, GLADIATOR, Build, Conflict, Round, Wager
from chronicle.games.fight_sphere.table import Table


@dataclass(slots=True, eq=False)
class Rolled:
    """A throw, sorted: faces of each Gladiator, of the GM, of each judge, with the words that name them."""

    faces: dict[str, Faces] = field(default_factory=dict)
    gm: Faces | None = None
    judges: dict[str, Faces] = field(default_factory=dict)
    words: dict[str, ScalarNode] = field(default_factory=dict)


def read_roll(play: Table, action: Roll, contest: Conflict | Round) -> Rolled:
    """Who rolled what. A player who backs a side rolls as a judge, everybody else as a Gladiator."""
    state = play.state
    rolled = Rolled()
    judging = {wager.player for wager in contest.wagers}
    for word, faces in action.dice.items():
        found = play.find(word, (GLADIATOR, PLAYER), "Gladiator or player")
        if found is None or faces is None:
            continue
        if found.kind == GLADIATOR:
            rolled.faces[found.id] = faces
            rolled.words[found.id] = word
        elif found.id == play.runner:
            rolled.gm = faces
            rolled.words[GM_SIDE] = word
        elif found.id in judging:
            rolled.judges[found.id] = faces
            rolled.words[found.id] = word
        else:
            mine = state.played_by(found.id)
            judge = state.judgment(found.id)
            if judge is not None or mine is None:
                play.illegal(
                    "F67",
                    f"{found.id} rolls, but has backed no side",
                    at=word,
                    fix=add_entry(f"back: {{{found.id}: {{...: {len(faces)}}}}}"),
                )
                continue
            rolled.faces[mine.id] = faces
            rolled.words[mine.id] = word
    _judges_dice(play, action, contest, rolled)
    return rolled


def wagered(contest: Conflict | Round, side: str) -> int:
    """F67: how many dice of Judgment Pools stand with a side."""
    return sum(wager.dice for wager in contest.wagers if wager.side == side)


def judges(contest: Conflict | Round) -> dict[str, int]:
    """F67: who rolls how many dice of a Judgment Pool."""
    found = Counter[str]()
    for wager in contest.wagers:
        found[wager.player] += wager.dice
    return found


def _judges_dice(play: Table, action: Roll, contest: Conflict | Round, rolled: Rolled) -> None:
    for player, due in judges(contest).items():
        faces = rolled.judges.get(player)
        play.require(
            faces is not None and len(faces) == due,
            "F67",
            f"{player} gambled {plural(due, 'die', 'dice')} of the Judgment Pool and rolls "
            + (f"{len(faces)}" if faces is not None else "none"),
            at=place_of_word(action, rolled.words[player])
            if faces is not None
            else action.place("main"),
            after=(f"judgment:{player}",),
        )
        if faces is None or len(faces) != due:
            play.taint(f"judgment:{player}")


def is_one(play: Table, face: str) -> bool:
    """F24: only a one counts, or what counts as one at this table."""
    return answer(play, ONE, face == "1", int(face))


def ones_of(play: Table) -> tuple[str, ...]:
    """The faces that count."""
    return tuple(face for face in D6.faces if expected(play, ONE, face == "1", int(face)))


def chance_of_one(play: Table) -> Fraction:
    """How likely a die counts."""
    return Fraction(len(ones_of(play)), D6.sides)


def count_ones(play: Table, faces: Iterable[str]) -> int:
    """How many dice count."""
    return sum(1 for face in faces if is_one(play, face))


def judged_ones(play: Table, contest: Conflict | Round, rolled: Rolled, side: str) -> int:
    """Ones that judges add to a side, each judge's dice in the order of the wagers."""
    return count_ones(play, judged_faces(contest, rolled, side))


def judged_faces(contest: Conflict | Round, rolled: Rolled, side: str) -> tuple[str, ...]:
    """The dice that judges add to a side."""
    found: list[str] = []
    for player, faces in rolled.judges.items():
        start = 0
        for wager in contest.wagers:
            if wager.player == player:
                if wager.side == side:
                    found += faces[start : start + wager.dice]
                start += wager.dice
    return tuple(found)


def known_ones(play: Table, action: Roll, contest: Conflict | Round) -> dict[str, int]:
    """The ones that are known, by Gladiator or the GM's side: as the keeper wrote them down, or as they
    show where only some dice are recorded. What shows goes with what judges add; where that is not known,
    neither are the ones."""
    shown = {
        word: count_ones(play, faces) for word, faces in action.dice.items() if faces is not None
    }
    found: dict[str, int] = {}
    seen: set[str] = set()
    judged: dict[str, int] = {}
    for word, ones in {**(action.ones or {}), **shown}.items():
        named = play.find(word, (GLADIATOR, PLAYER), "Gladiator or player")
        if named is None:
            continue
        mine = play.state.played_by(named.id) if named.kind == PLAYER else None
        key = GM_SIDE if named.id == play.runner else mine.id if mine is not None else named.id
        found[key] = ones
        if named.kind == PLAYER:
            judged[named.name] = ones
        if word in shown:
            seen.add(key)
    judges = Counter(wager.player for wager in contest.wagers)
    for wager in contest.wagers:
        if wager.side not in seen or wager.side not in found:
            continue
        if wager.player in judged and judges[wager.player] == 1:
            found[wager.side] += judged[wager.player]
        else:
            del found[wager.side]
    return found


def possible_ones(
    play: Table, action: Roll, contest: Conflict | Round, dice: Mapping[str, int | None]
) -> dict[str, Range]:
    """F24, F50: how many ones each side can have, with those of judges, where faces are not written down.

    Args:
        play: the state of play.
        action: the roll.
        contest: the Conflict that is rolled.
        dice: the own dice of each side; None where their number is in doubt.
    """
    known = known_ones(play, action, contest)
    shown = {
        _side_named(play, word): count_ones(play, faces)
        for word, faces in action.dice.items()
        if faces is not None
    }
    found: dict[str, Range] = {}
    for side_id, count in dice.items():
        if side_id in known:
            found[side_id] = exactly(known[side_id])
            continue
        own = shown.get(side_id)
        least = own or 0
        most = own if own is not None else count
        found[side_id] = Range(least, None if most is None else most + wagered(contest, side_id))
    return found


def _side_named(play: Table, word: ScalarNode) -> str:
    """The side that a name means in a roll: the id of a Gladiator, the GM's side, or the id of a player."""
    named = play.look_up(word, (GLADIATOR, PLAYER))
    if named is None:
        return ""
    if named.id == play.runner:
        return GM_SIDE
    own = play.state.played_by(named.id) if named.kind == PLAYER else None
    return own.id if own is not None else named.id


def check_possible_ones(
    play: Table, action: Roll, contest: Conflict | Round, dice: Mapping[str, int | None]
) -> None:
    """F24: a number of ones beside faces that are not written down is no more than the dice."""
    shown = {word for word, faces in action.dice.items() if faces is not None}
    for word, ones in (action.ones or {}).items():
        side_id = _side_named(play, word)
        most = dice.get(side_id)
        if word in shown or most is None or 0 <= ones <= most + wagered(contest, side_id):
            continue
        most += wagered(contest, side_id)
        play.illegal(
            "F24",
            f"{word} rolls {plural(most, 'die', 'dice')} and cannot have {plural(ones, 'one')}",
            at=action.place_of_key("ones", str(word)),
        )


def stated_ones(play: Table, action: Roll, rolled: Rolled, counted: dict[str, int]) -> None:
    """F24: the number of ones the keeper wrote down."""
    for word, ones in (action.ones or {}).items():
        found = play.find(word, (GLADIATOR, PLAYER), "Gladiator or player")
        if found is None:
            continue
        key = GM_SIDE if found.id == play.runner else found.id
        if found.kind == PLAYER and key not in counted:
            mine = play.state.played_by(found.id)
            key = mine.id if mine is not None else key
        if key not in counted:
            continue
        faces = rolled.gm if key == GM_SIDE else rolled.faces.get(key)
        sixes = sum(1 for face in faces or () if face == "6")
        play.require(
            ones == counted[key],
            "F24",
            f"{word} has {plural(counted[key], 'one')}, not {ones}"
            + ("; sixes do not count" if sixes and ones == counted[key] + sixes else ""),
            at=action.place_of_key("ones", str(word)),
        )


def side(
    play: Table,
    name: str,
    player: str,
    own: Iterable[str],
    judged: Iterable[str],
    build: Build | None,
    ones: int,
    won: bool,
    sources: tuple[str, ...] = (),
) -> Side:
    """One side of the throw as a reader sees it; judges' dice stand last, in another colour."""
    dice = tuple(ShownDie(face, hit=is_one(play, face)) for face in own)
    dice += tuple(ShownDie(face, hit=is_one(play, face), colour="judge") for face in judged)
    return Side(
        name,
        player,
        dice,
        build.sources() if build is not None else sources,
        plural(ones, "one"),
        won,
    )


def throws(play: Table, rolled: Rolled) -> None:
    """Every die for the luck report, by whose hand it was."""
    for who, faces in rolled.faces.items():
        g = play.state.gladiators[who]
        play.step.throws.append(Throw("d6", tuple(faces), play.runner if g.npc else g.player))
    if rolled.gm:
        play.step.throws.append(Throw("d6", tuple(rolled.gm), play.runner))
    for player, faces in rolled.judges.items():
        play.step.throws.append(Throw("d6", tuple(faces), player))


def settle_wagers(play: Table, contest: Conflict | Round, succeeded: Callable[[str], bool]) -> None:
    """F68: judges lose what they gambled only if their side succeeds."""
    for wager in contest.wagers:
        wager.lost = succeeded(wager.side)
        _settle(play, wager)


def _settle(play: Table, wager: Wager) -> None:
    name = play.names.all[wager.side].name if wager.side in play.names.all else "the GM"
    who, dice = wager.player, plural(wager.dice, "die", "dice")
    if wager.lost:
        target, why = BOX, f"{name} succeeded"
        told = f"{name} succeeds: {who} loses {dice} of judgment"
    else:
        target, why = f"judgment:{who}", f"{name} did not succeed"
        told = f"{name} does not succeed: {who} keeps {dice}"
    play.move(f"wager:{who}", target, wager.dice, DIE, "F68", why)
    play.event(told, "F68", "judged", who)
