"""Where a die goes: one hit for one thing, the goal harder in a Challenge or when hindered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chronicle.core.figures import is_figure
from chronicle.core.source import ScalarNode
from chronicle.games.playset_zero.actions import Purchase
from chronicle.games.playset_zero.marks import establish
from chronicle.games.playset_zero.state import (
    CHALLENGE_HIT,
    SIDES,
    Character,
    EffortRecord,
    Item,
    Rolled,
    RollRecord,
)
from chronicle.games.playset_zero.table import Table, pick, plain, say_something
from chronicle.games.playset_zero.verdicts import buys

_TOKEN = re.compile(r"(?:(d6|d8|d10|adv|white|green|yellow|red)\s+)?([0-9]{1,2})$")
_DIE = {"white": "d6", "green": "d8", "yellow": "d10", "red": "adv"}

OWN = "own danger"
"""How a helper or hinderer names the danger to themselves."""


@dataclass(slots=True, eq=False)
class Claim:
    """One die laid on one thing: an item of the roll, the own danger, or an advantage (text)."""

    word: ScalarNode
    die: ScalarNode
    item: Item | None = None
    own: bool = False
    advantage: str | None = None
    again: bool = False
    """A second die for the same thing."""


def an(face: int) -> str:
    """``a 7``, ``an 8``."""
    return f"an {face}" if face == 8 else f"a {face}"


def bar_of(play: Table, item: Item) -> int:
    """The hindering die that has to be beaten: the highest of them (ZA22); 0 where nobody hinders."""
    if not item.bars:
        return 0
    if play.ruling("several_hinderers") == "first":
        return item.bars[min(item.bars)]
    return max(item.bars.values())


def is_outdone(play: Table, item: Item) -> bool:
    """ZA15: whether a helper's die has bought an item and does not beat a later hindrance."""
    face = item.paid.split()[-1] if item.paid else ""
    if play.rulings["helper_vs_hinder"] == "no" or not is_figure(face):
        return False
    return not buys(int(face), bar_of(play, item) + 1)


def need_of(play: Table, roll: RollRecord, item: Item) -> int:
    """The least face that buys an item: 5; 6 for the goal of a Challenge (Z39); more than the
    hindering die on it (Z43)."""
    return max(least_of(roll, item), bar_of(play, item) + 1)


def least_of(roll: RollRecord, item: Item) -> int:
    """The least face that buys an item where nobody hinders it."""
    return max(CHALLENGE_HIT if roll.challenge and item.goal else 0, roll.pool.hit)


def claims_of(
    play: Table, roll: RollRecord, effort: EffortRecord | None, bought: Purchase | None
) -> list[Claim]:
    """What was bought with what. Things that are not on the table are reported and left out."""
    claims: list[Claim] = []
    for word, dice in (bought or {}).items():
        if plain(word) == "advantage":
            claims.extend(_advantages(play, word, dice))
            continue
        if isinstance(dice, dict):
            play.unreadable(
                "T20", f"a face expected for '{word}', found a mapping", at=word, help=f"{word}: 6"
            )
            continue
        if effort is not None and _is_own(effort, word):
            claims.extend(Claim(word, die, own=True) for die in dice)
            continue
        item = _item(play, roll, effort, word)
        if item is None:
            continue
        if effort is None and plain(word) == "goal" and len(roll.goals) > 1:
            # A split goal: one die for each part, in order.
            for index, die in enumerate(dice):
                part = roll.goals[min(index, len(roll.goals) - 1)]
                claims.append(Claim(word, die, part, again=index >= len(roll.goals)))
            continue
        claims.extend(Claim(word, die, item, again=index > 0) for index, die in enumerate(dice))
    # Dice named by kind are taken first, so that a bare face finds what is left of its kind.
    return sorted(claims, key=lambda claim: is_figure(claim.die.strip()))


def _advantages(
    play: Table, word: ScalarNode, dice: tuple[ScalarNode, ...] | dict[ScalarNode, ScalarNode]
) -> list[Claim]:
    if isinstance(dice, dict):
        for text in dice:
            say_something(play, text, "Z27", "what the advantage is has to be written down", word)
        return [Claim(word, die, advantage=str(text)) for text, die in dice.items()]
    play.illegal(
        "Z27",
        "what the advantage is has to be written down",
        at=word,
        help="advantage: {what it is: the die}",
    )
    return [Claim(word, die, advantage="") for die in dice]


def _is_own(effort: EffortRecord, word: str) -> bool:
    if plain(word) == OWN:
        return True
    return effort.danger is not None and plain(word) == plain(effort.danger.text)


def _item(
    play: Table, roll: RollRecord, effort: EffortRecord | None, word: ScalarNode
) -> Item | None:
    if plain(word) == "goal":
        if roll.goals:
            aimed = [roll.items[i] for i in effort.aims if roll.items[i].goal] if effort else []
            return (aimed or roll.goals)[0]
        play.illegal(
            "Z14",
            "a hit is spent on a goal, but none was stated",
            at=word,
            after=(f"goal:{roll.number}",),
        )
        return None
    items = roll.items
    names = [(i.text,) if i.goal else (i.text, i.author) for i in items]
    found = pick(word, names)
    if len(found) == 1:
        return items[found[0]]
    texts = [i.text for i in items]
    play.unreadable(
        "T50",
        f"'{word}' could be more than one of this roll's questions; write more of it"
        if found
        else f"this roll has nothing called '{word}'{play.names.suggest(word, texts)}",
        at=word,
        help="spend: {goal, advantage or one of " + " / ".join(texts[1:]) + "}",
        after=(f"goal:{roll.number}",),
    )
    return None


def claimed_face(claim: Claim) -> int:
    """The face that a claim names, whether any die shows it; 0 if it is none."""
    token = _TOKEN.match(claim.die.strip())
    return (int(token[2]) or 10) if token is not None else 0


def take_die(play: Table, dice: list[Rolled], claim: Claim, rule: str, use: str) -> Rolled | None:
    """The die that a claim names, now in use. What was not rolled, or is in use, is reported under
    ``rule``; a die spent on two dangers under Z26 (the main roll's rule for it)."""
    token = _TOKEN.match(claim.die.strip())
    if token is None:
        play.unreadable(
            "T20",
            f"'{claim.die}' is no face of this roll",
            at=claim.die,
            help="write the face (6), or the die and its face (d8 6)",
        )
        return None
    kind = _DIE.get(token[1] or "", token[1] or "")
    face = int(token[2]) or 10
    dice_of_kind = [d for d in dice if not kind or d.die == kind]
    # A die that shows a face it has not may well have shown its highest.
    fitting = [d for d in dice_of_kind if d.face == face or min(d.face, SIDES[d.die]) == face]
    free = [d for d in fitting if not d.use]
    if free:
        free[0].use = use
        return free[0]
    if not fitting:
        shown = ", ".join(str(d) for d in dice)
        play.illegal(
            rule,
            f"no die shows {claim.die.strip()}; on the table: {shown or 'nothing'}",
            at=claim.die,
        )
        return None
    both = fitting[0].use == "danger" == use and rule == "Z28"
    play.illegal(
        "Z26" if both else rule,
        f"one {face} is spent on two dangers; each takes a hit of its own"
        if both
        else f"the {face} is spent twice; every die buys one thing",
        at=claim.die,
    )
    return fitting[0]


def spend_hits(
    play: Table,
    roll: RollRecord,
    who: Character | None,
    claims: list[Claim],
    lost: Sequence[Item] = (),
) -> None:
    """Z24 to Z28, Z39, Z43: the roller's hits. What breaks a rule is reported and stands, as the
    table played it. What the log itself calls ``lost`` may have had a hit spent on it in vain."""
    for claim in claims:
        use = "advantage" if claim.advantage is not None else "danger"
        if claim.item is not None and claim.item.goal:
            use = "goal"
        die = None if roll.unrecorded else take_die(play, roll.dice, claim, "Z28", use)
        if die is None and not roll.unrecorded:
            play.taint(f"roll:{roll.number}")
        face = die.face if die is not None else 0
        vain = claim.item if claim.item in lost else None
        if vain is not None and least_of(roll, vain) <= face < need_of(play, roll, vain):
            words = f"{an(face)} is spent on '{vain.text}' and does not beat the hindrance"
            play.event(words, "Z43", "in vain")
            continue
        fair = die is None or _fair(play, roll, claim, face)
        if not fair:
            play.taint(f"roll:{roll.number}")
        if claim.advantage is not None:
            _establish(play, roll, who, claim)
        elif claim.item is not None:
            _buy(play, claim, str(die) if die is not None else "a hit", roll.name)


def _fair(play: Table, roll: RollRecord, claim: Claim, face: int) -> bool:
    if not play.require(
        buys(face, roll.pool.hit),
        "Z24",
        f"{an(face)} is no hit; a die of {roll.pool.hit} or more is",
        at=claim.die,
    ):
        return False
    item = claim.item
    if item is None:
        return True
    if item.goal and roll.challenge and not buys(face, CHALLENGE_HIT):
        return play.illegal(
            "Z39",
            f"{an(face)} cannot buy the goal of a Challenge; a die of 6 or more can",
            at=claim.die,
            facts=(play.because(roll.step, "the Challenge"),),
        )
    need = need_of(play, roll, item)
    worst = max(roll.efforts, key=lambda e: item.bars.get(e.number, 0), default=None)
    facts = (
        (play.because(worst.step, f"{worst.name} hinders with {item.bars.get(worst.number, 0)}"),)
        if worst is not None and item.bars
        else ()
    )
    return play.require(
        buys(face, need),
        "Z43",
        f"{an(face)} does not beat the hindering {need - 1}; '{item.text}' takes {an(need)} or more",
        at=claim.die,
        facts=facts,
    )


def _establish(play: Table, roll: RollRecord, who: Character | None, claim: Claim) -> None:
    text = claim.advantage or ""
    if roll.gained:
        play.suspect(
            play.ruling("advantages_per_roll") == "one",
            "ZA2",
            "a second advantage from one roll; this table allows one",
            at=claim.word,
        )
    if who is not None and text.strip():
        establish(play, roll, who, text)
    elif text.strip():
        play.event(f"An advantage: {text}", "Z27", "establishes")


def _buy(play: Table, claim: Claim, die: str, name: str) -> None:
    item = claim.item
    if item is None:
        return
    rule = "Z25" if item.goal else "Z26"
    if claim.again or (item.paid and item.paid_by == name):
        play.illegal(
            rule,
            "two hits are spent on the goal; one reaches it"
            if item.goal
            else f"two hits are spent on '{item.text}'; one avoids it",
            at=claim.die,
        )
        return
    if play.suspect(
        bool(item.paid),
        rule,
        f"{item.paid_by} has bought this already with {item.paid}",
        at=claim.die,
    ):
        return
    item.paid, item.paid_by = die, name
