"""Reading a throw: whose dice are whose, who judges, how many ones (F24, F67, F68)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from chronicle.core.declare import Action, main, option, place_of_word
from chronicle.core.diagnostic import plural
from chronicle.core.dice import D6, Faces, ShownDie
from chronicle.core.field_types import NAME, NAMES, WHOLE, MapOf, choice, in_role
from chronicle.core.fix import add_entry
from chronicle.core.guards import Violation
from chronicle.core.house_rules import answer, expected
from chronicle.core.names import PLAYER
from chronicle.core.play_field_types import PAIR
from chronicle.core.presence import presence_key
from chronicle.core.ranges import Range, exactly
from chronicle.core.record import Side, Throw
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere.actions import THROW
from chronicle.games.fight_sphere.build import GM_SIDE
from chronicle.games.fight_sphere.computed import ONE
from chronicle.games.fight_sphere.state import BOX, DIE, GLADIATOR, Build, Conflict, Round, Wager
from chronicle.games.fight_sphere.table import Table

Ask = Callable[..., Any]
"""How a house rule is asked: :func:`answer` in effects, :func:`expected` in guards."""


class Thrown(Action):
    """What an entry tells of a throw: faces, and what they came to."""

    dice = main(
        THROW,
        "{who: faces}: Gladiators, the GM (as GM or by name) in ordinary Conflicts, players who judge; or "
        "'unrecorded', with what is known under result or ones",
    )
    ones = option(
        MapOf(in_role("rolls", NAME), WHOLE),
        "{who: ones}; you need not write this, Chronicle checks it",
        computed=True,
    )
    result = option(
        choice("success", "failure", "tie"), "of an ordinary Conflict; checked", computed=True
    )
    pairs = option(
        MapOf(in_role("counted", PAIR), WHOLE),
        "{Winner & loser: Victories} of an Encounter; checked, and taken where faces are unrecorded",
        computed=True,
    )
    disengaged = option(in_role("counted", NAMES), "who got away; checked", computed=True)

    @property
    def all_shown(self) -> bool:
        """Whether all dice that fell are written down."""
        return bool(self.dice) and None not in self.dice.values()


@dataclass(slots=True, eq=False)
class Rolled:
    """A throw, sorted: faces of each Gladiator, of the GM, of each judge, with the words that name them."""

    faces: dict[str, Faces] = field(default_factory=dict)
    gm: Faces | None = None
    judges: dict[str, Faces] = field(default_factory=dict)
    words: dict[str, ScalarNode] = field(default_factory=dict)
    strangers: dict[str, ScalarNode] = field(default_factory=dict)
    """Players who roll as judges and have backed no side."""


def read_roll(play: Table, action: Thrown, contest: Conflict | Round) -> Rolled:
    """Who rolled what. A player who backs a side rolls as a judge, everybody else as a Gladiator."""
    state = play.state
    rolled = Rolled()
    judging = {wager.player for wager in contest.wagers}
    for word, faces in action.dice.items():
        named = play.look_up(word, (GLADIATOR, PLAYER))
        if named is None or faces is None:
            continue
        if named.kind == GLADIATOR:
            rolled.faces[named.id] = faces
            rolled.words[named.id] = word
        elif named.id == play.runner:
            rolled.gm = faces
            rolled.words[GM_SIDE] = word
        elif named.id in judging:
            rolled.judges[named.id] = faces
            rolled.words[named.id] = word
        else:
            own = state.played_by(named.id)
            if own is None or state.judgment(named.id) is not None:
                rolled.strangers[named.id] = word
            else:
                rolled.faces[own.id] = faces
                rolled.words[own.id] = word
    return rolled


def wagered(contest: Conflict | Round, side: str) -> int:
    """F67: the number of Judgment dice on a side."""
    return sum(wager.dice for wager in contest.wagers if wager.side == side)


def judges(contest: Conflict | Round) -> dict[str, int]:
    """F67: who rolls how many dice of a Judgment Pool."""
    dice_by_player = Counter[str]()
    for wager in contest.wagers:
        dice_by_player[wager.player] += wager.dice
    return dice_by_player


def judge_violations(
    play: Table, action: Thrown, contest: Conflict | Round, rolled: Rolled
) -> Iterator[Violation]:
    """F67: judges roll the dice that they gambled, and nobody else does."""
    for player, word in rolled.strangers.items():
        faces = action.dice[word] or ()
        yield Violation(
            f"{player} rolls, but has backed no side",
            word,
            add_entry(f"back: {{{player}: {{...: {len(faces)}}}}}"),
            after=[presence_key(player)],
            rule="F67",
        )
    for player, due in judges(contest).items():
        shown = rolled.judges.get(player)
        if shown is not None and len(shown) == due:
            continue
        yield Violation(
            f"{player} gambled {plural(due, 'die', 'dice')} of the Judgment Pool and rolls "
            + (f"{len(shown)}" if shown is not None else "none"),
            place_of_word(action, rolled.words[player])
            if shown is not None
            else action.place("main"),
            after=[f"judgment:{player}"],
            doubts=[f"judgment:{player}"],
            rule="F67",
        )


def stray_ones(play: Table, action: Thrown, contest: Conflict | Round, rolled: Rolled) -> int:
    """The ones of judges whose sides a gap may have swallowed; 0 where the log gives all sides."""
    if play.gap_since("turns") <= contest.rests_on:
        return 0
    due = judges(contest)
    uneven = [faces for player, faces in rolled.judges.items() if len(faces) != due[player]]
    strangers = [action.dice[word] or () for word in rolled.strangers.values()]
    return sum(count_ones(play, faces) for faces in (*uneven, *strangers))


def is_one(play: Table, face: str, ask: Ask = answer) -> bool:
    """F24: only a one counts, or what counts as one at this table."""
    is_counted: bool = ask(play, ONE, face == "1", int(face))
    return is_counted


def ones_of(play: Table) -> tuple[str, ...]:
    """The faces that count."""
    return tuple(face for face in D6.faces if is_one(play, face, expected))


def chance_of_one(play: Table) -> Fraction:
    """How likely a die counts."""
    return Fraction(len(ones_of(play)), D6.sides)


def count_ones(play: Table, faces: Iterable[str], ask: Ask = expected) -> int:
    """How many dice count."""
    return sum(1 for face in faces if is_one(play, face, ask))


def judged_faces(contest: Conflict | Round, rolled: Rolled, side: str) -> tuple[str, ...]:
    """The dice that judges add to a side, each judge's dice in the order of the wagers."""
    judged: list[str] = []
    for player, faces in rolled.judges.items():
        start = 0
        for wager in contest.wagers:
            if wager.player == player:
                if wager.side == side:
                    judged += faces[start : start + wager.dice]
                start += wager.dice
    return tuple(judged)


def side_named(play: Table, word: ScalarNode) -> str:
    """The side that a name means in a roll: the id of a Gladiator, the GM's side, or the id of a player."""
    named = play.look_up(word, (GLADIATOR, PLAYER))
    if named is None:
        return ""
    if named.id == play.runner:
        return GM_SIDE
    own = play.state.played_by(named.id) if named.kind == PLAYER else None
    return own.id if own is not None else named.id


def known_ones(play: Table, action: Thrown, contest: Conflict | Round) -> dict[str, int]:
    """The ones that are known, by Gladiator or the GM's side: as the keeper wrote them down, or as they
    show where only some dice are recorded. What shows goes with what judges add; where that is not known,
    neither are the ones."""
    shown = {
        word: count_ones(play, faces) for word, faces in action.dice.items() if faces is not None
    }
    ones_by_side: dict[str, int] = {}
    shown_sides: set[str] = set()
    judged: dict[str, int] = {}
    for word, ones in {**(action.ones or {}), **shown}.items():
        named, key = play.look_up(word, (GLADIATOR, PLAYER)), side_named(play, word)
        if named is None:
            continue
        ones_by_side[key] = ones
        if named.kind == PLAYER:
            judged[named.name] = ones
        if word in shown:
            shown_sides.add(key)
    wagers = Counter(wager.player for wager in contest.wagers)
    for wager in contest.wagers:
        if wager.side not in shown_sides or wager.side not in ones_by_side:
            continue
        if wager.player in judged and wagers[wager.player] == 1:
            ones_by_side[wager.side] += judged[wager.player]
        else:
            del ones_by_side[wager.side]
    return ones_by_side


def possible_ones(
    play: Table, action: Thrown, contest: Conflict | Round, dice: Mapping[str, int | None]
) -> dict[str, Range]:
    """F24, F50: how many ones each side can have, with those of judges, where faces are not written down.

    Args:
        play: the state of play.
        action: the roll.
        contest: the Conflict that is rolled.
        dice: each side's own dice; None where their number is in doubt.
    """
    existing = known_ones(play, action, contest)
    shown = {
        side_named(play, word): count_ones(play, faces)
        for word, faces in action.dice.items()
        if faces is not None
    }
    ranges: dict[str, Range] = {}
    for side_id, count in dice.items():
        if side_id in existing:
            ranges[side_id] = exactly(existing[side_id])
            continue
        own = shown.get(side_id)
        least = own or 0
        most = own if own is not None else count
        ranges[side_id] = Range(least, None if most is None else most + wagered(contest, side_id))
    return ranges


def possible_ones_violations(
    play: Table, action: Thrown, contest: Conflict | Round, dice: Mapping[str, int | None]
) -> Iterator[Violation]:
    """F24: a number of ones beside faces that are not written down is no more than the dice."""
    shown = {word for word, faces in action.dice.items() if faces is not None}
    for word, ones in (action.ones or {}).items():
        side_id = side_named(play, word)
        own = dice.get(side_id)
        most = (own or 0) + wagered(contest, side_id)
        if word in shown or own is None or 0 <= ones <= most:
            continue
        yield Violation(
            f"{word} rolls {plural(most, 'die', 'dice')} and cannot have {plural(ones, 'one')}",
            action.place_of_key("ones", str(word)),
            rule="F24",
        )


def stated_ones_violations(
    play: Table, action: Thrown, faces: Mapping[str, Faces]
) -> Iterator[Violation]:
    """F24: the number of ones the keeper wrote down, beside the faces of each side."""
    for word, ones in (action.ones or {}).items():
        shown = faces.get(side_named(play, word))
        if shown is None or (counted := count_ones(play, shown)) == ones:
            continue
        sixes = sum(1 for face in shown if face == "6")
        yield Violation(
            f"{word} has {plural(counted, 'one')}, not {ones}"
            + ("; sixes do not count" if sixes and ones == counted + sixes else ""),
            action.place_of_key("ones", str(word)),
            rule="F24",
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
    """One side of the throw as a reader sees it; judges' dice come last, in another colour."""
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
    for id, faces in rolled.faces.items():
        g = play.state.gladiators[id]
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


def settle_sides(play: Table, conflict: Conflict, *, success: bool) -> None:
    """F68: the judges of an ordinary Conflict: the GM's side succeeds where the Gladiator fails."""
    settle_wagers(play, conflict, lambda backed: success == (backed == conflict.who))


def _settle(play: Table, wager: Wager) -> None:
    name = play.names.all[wager.side].name if wager.side in play.names.all else "the GM"
    id, dice = wager.player, plural(wager.dice, "die", "dice")
    if wager.lost:
        target, why = BOX, f"{name} succeeded"
        stated = f"{name} succeeds: {id} loses {dice} of judgment"
    else:
        target, why = f"judgment:{id}", f"{name} did not succeed"
        stated = f"{name} does not succeed: {id} keeps {dice}"
    play.move(f"wager:{id}", target, wager.dice, DIE, "F68", why)
    play.event(stated, "F68", "judged", id)
