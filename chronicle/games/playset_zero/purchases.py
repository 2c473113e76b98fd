"""Purchases: how the log writes them, the face that each takes, and the die that pays for it (Z24 to Z28, Z39, Z43)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from chronicle.core.field_types import (
    NAME,
    TEXT,
    Context,
    EitherOf,
    FieldType,
    MapOf,
    OneOrMany,
    label,
)
from chronicle.core.figures import is_figure
from chronicle.core.names import only_words
from chronicle.core.schemas import Schema
from chronicle.core.source import ScalarNode, Value
from chronicle.games.playset_zero.state import (
    CHALLENGE_HIT,
    SIDES,
    EffortRecord,
    Item,
    Pool,
    Rolled,
    RollRecord,
    Showing,
    Want,
    buys,
)
from chronicle.games.playset_zero.table import Table, pick

# --- how it is written ----------------------------------------------------------------------------

Bought = dict[ScalarNode, "tuple[ScalarNode, ...] | dict[ScalarNode, ScalarNode]"]
"""Purchases as typed: goal, a danger or ``advantage``, each with its dice."""

DIE: Final = OneOrMany(TEXT, "a face, 'd8 6' where two dice show it, or a list of them")


class _SpendKind(FieldType[Bought]):
    """The purchases, each with its dice, or the word ``nothing``."""

    words = "a mapping from goal, a danger, own danger or advantage to the die that pays for it"

    def __init__(self) -> None:
        bought = EitherOf(
            DIE,
            MapOf(TEXT, TEXT),
            words="a face, or {what the advantage is: face} under advantage",
        )
        self.mapping: FieldType[Bought] = MapOf(label(NAME), bought, words=self.words)

    def read(self, value: Value, context: Context) -> Bought:
        if isinstance(value, ScalarNode) and value.strip().casefold() in ("", "nothing"):
            return {}
        return self.mapping.read(value, context)

    def schema(self) -> Schema:
        return {**self.mapping.schema(), "type": ["object", "string", "null"]}


SPEND: Final[FieldType[Bought]] = _SpendKind()

# --- the face that is needed ----------------------------------------------------------------------


def an(face: int) -> str:
    """``a 7``, ``an 8``."""
    return f"an {face}" if face == 8 else f"a {face}"


def bar_of(play: Table, item: Item) -> int:
    """The hindering die that has to be beaten: the highest of them (ZA22); 0 without a hinderer."""
    if not item.bars:
        return 0
    if play.ruling("several_hinderers") == "first":
        return item.bars[min(item.bars)]
    return max(item.bars.values())


def is_outdone(play: Table, item: Item) -> bool:
    """ZA15: whether a helper's die has bought an item and does not beat a later hindrance."""
    if item.paid is None or not item.paid.face or play.rulings["helper_vs_hinder"] == "no":
        return False
    return not buys(item.paid.face, bar_of(play, item) + 1)


def need_of(play: Table, roll: RollRecord, item: Item) -> int:
    """The least face that buys an item: 5; 6 for the goal of a Challenge (Z39); more than the
    hindering die on it (Z43)."""
    return max(least_of(roll, item), bar_of(play, item) + 1)


def least_of(roll: RollRecord, item: Item) -> int:
    """The least face that buys an item without a hindrance."""
    return max(CHALLENGE_HIT if is_challenge(roll, item) else 0, roll.pool.hit)


def is_challenge(roll: RollRecord, item: Item) -> bool:
    """Z39: whether an item is the goal of a Challenge."""
    return roll.challenge and item.goal


# --- which die pays for it ------------------------------------------------------------------------

_TOKEN: Final = re.compile(r"(?:(d6|d8|d10|adv|white|green|yellow|red)\s+)?([0-9]{1,2})$")
_COLOURS: Final = {"white": "d6", "green": "d8", "yellow": "d10", "red": "adv"}
OWN: Final = "own danger"
"""How a helper or hinderer names the danger to themselves."""


class Claim(NamedTuple):
    """One die that buys a question of the roll, their own danger, or an advantage (its text)."""

    word: ScalarNode
    die: ScalarNode
    item: Item | None = None
    own: bool = False
    advantage: str | None = None

    @property
    def use(self) -> str:
        """The kind of purchase."""
        if self.advantage is not None:
            return "advantage"
        if self.own:
            return "own"
        return "goal" if self.item is not None and self.item.goal else "danger"

    @property
    def die_named(self) -> tuple[str, int] | None:
        """The kind of die that it names (empty: none) and its face; None if it names no face."""
        token = _TOKEN.match(self.die.strip())
        if token is None:
            return None
        return _COLOURS.get(token[1] or "", token[1] or ""), int(token[2]) or 10


class Spending(NamedTuple):
    """Dice that an entry spends.

    Attributes:
        roll: the roll that it belongs to.
        effort: the help or hindrance whose dice they are; None for the dice of the roll itself.
        bought: the purchases as typed.
        lost: goals that the entry itself calls missed, and dangers that it calls true. A hit may have been spent on
            them in vain.
    """

    roll: RollRecord
    effort: EffortRecord | None
    bought: Bought
    lost: Sequence[Item] = ()

    @property
    def dice_of(self) -> RollRecord | EffortRecord:
        """The roll, or the help or hindrance, whose dice they are."""
        return self.roll if self.effort is None else self.effort

    @property
    def dice(self) -> list[Rolled]:
        """The dice on the table."""
        return self.dice_of.dice

    @property
    def pool(self) -> Pool:
        """The dice that were due."""
        return self.dice_of.pool

    @property
    def unrecorded(self) -> bool:
        """Whether the faces are not recorded."""
        return self.dice_of.unrecorded

    @property
    def showings(self) -> list[Showing]:
        """What each of the dice that are not spent yet can have shown."""
        dice = [die for die in self.dice if not die.use]
        spent = len(self.dice) - len(dice)
        shown = self.pool.showings(self.dice, unrecorded=self.unrecorded)
        return [*self.pool.showings(dice, unrecorded=False), *shown[len(dice) + spent :]]

    @property
    def wants(self) -> list[Want]:
        """What its dice with unrecorded faces have bought before."""
        return self.dice_of.wants

    @property
    def hits_said(self) -> int | None:
        """How many of its dice hit, if the log says it without the faces."""
        return self.dice_of.hits_said

    @property
    def step(self) -> int:
        """The entry that set the dice out."""
        return self.dice_of.step

    @property
    def rule(self) -> str:
        """The rule under which a die is spent once."""
        return "Z28" if self.effort is None else self.effort.rule

    @property
    def doubt(self) -> str:
        """The doubt about what came of the roll."""
        return f"roll:{self.roll.number}"

    def items_meant(self, word: str) -> list[Item]:
        """The questions of the roll that a word means."""
        roll, effort = self.roll, self.effort
        if only_words(word) == "goal":
            aimed = [roll.items[i] for i in effort.aims if roll.items[i].goal] if effort else []
            return (aimed or roll.goals)[:1]
        return [roll.items[index] for index in pick(word, names_of(roll.items))]

    def claims(self) -> list[Claim]:
        """The purchases, die by die. Words that mean no question of this roll are left out."""
        claims: list[Claim] = []
        for word, dice in self.bought.items():
            if only_words(word) == "advantage":
                named = dice.items() if isinstance(dice, dict) else (("", die) for die in dice)
                claims += [Claim(word, die, advantage=str(text)) for text, die in named]
            elif isinstance(dice, dict):
                continue
            elif self.is_own_danger(word):
                claims += [Claim(word, die, own=True) for die in dice]
            else:
                claims += self._claims_on_items(word, dice)
        # Dice named by kind are taken first, so that a bare face finds what is left of its kind.
        return sorted(claims, key=lambda claim: is_figure(claim.die.strip()))

    def _claims_on_items(self, word: ScalarNode, dice: Sequence[ScalarNode]) -> Iterator[Claim]:
        items = self.items_meant(word)
        goals = self.roll.goals
        if len(items) != 1:
            return
        is_split = self.effort is None and only_words(word) == "goal" and len(goals) > 1
        for number, die in enumerate(dice):
            if is_split:
                # A split goal: one die for each part, in order.
                item = goals[min(number, len(goals) - 1)]
                yield Claim(word, die, item)
            else:
                yield Claim(word, die, items[0])

    def is_own_danger(self, word: str) -> bool:
        """Whether a word means the danger to a helper or hinderer."""
        if self.effort is None:
            return False
        danger = self.effort.danger
        return only_words(word) == OWN or (
            danger is not None and only_words(word) == only_words(danger.text)
        )


def names_of(items: Sequence[Item]) -> list[tuple[str, ...]]:
    """The names of each question of a roll: its text, or the author of a danger."""
    return [(item.text,) if item.goal else (item.text, item.author) for item in items]


class Purchase(NamedTuple):
    """A claim with the die that pays for it.

    Attributes:
        claim: the purchase as the log claims it.
        die: the die; None if there is no such die, or if the faces are not recorded.
        face: its face, or the face that the log names; 0 if the log names none.
        spent_on: an earlier use of the die; empty if it is free.
        buyer: the earlier buyer of the same question; empty if it is open.
    """

    claim: Claim
    die: Rolled | None
    face: int
    spent_on: str
    buyer: str

    @property
    def item(self) -> Item | None:
        """The question of the roll that it answers."""
        return self.claim.item


def purchases_of(play: Table, spending: Spending) -> list[Purchase]:
    """The claims of an entry in order, each with its die. A die buys once, and a question is bought once."""
    uses = {die: die.use for die in spending.dice if die.use}
    buyers = {item: item.paid.by for item in spending.roll.items if item.paid is not None}
    buyer = spending.roll.name if spending.effort is None else spending.effort.name
    purchases: list[Purchase] = []
    for claim in spending.claims():
        die = _die_meant(spending.dice, claim, uses)
        spent_on = "" if die is None else uses.get(die, "")
        if die is not None:
            uses.setdefault(die, claim.use)
        item = claim.item
        earlier_buyer = buyers.get(item, "") if item is not None else ""
        purchase = Purchase(claim, die, _face_of(spending, claim, die), spent_on, earlier_buyer)
        is_wasted = is_in_vain(play, spending, purchase) or falls_short(play, spending, purchase)
        if item is not None and not is_wasted:
            buyers.setdefault(item, buyer)
        purchases.append(purchase)
    return purchases


def is_in_vain(play: Table, spending: Spending, purchase: Purchase) -> bool:
    """Z43: whether a hit is spent on a hindered question that the log itself calls lost."""
    item = purchase.item
    if item is None or item not in spending.lost:
        return False
    return least_of(spending.roll, item) <= purchase.face < need_of(play, spending.roll, item)


def falls_short(play: Table, spending: Spending, purchase: Purchase) -> str:
    """The ruling by which a helper's die does not buy its question: a Challenge (ZA14), or a hindrance (ZA15). Empty if
    it does."""
    item = purchase.item
    if item is None or spending.effort is None or spending.effort.hinders:
        return ""
    # A hit whose face is not recorded may be the best that its dice can show.
    face = purchase.face or max((die.highest for die in spending.showings), default=0)
    is_too_low = is_challenge(spending.roll, item) and face < CHALLENGE_HIT
    if is_too_low and play.ruling("helper_challenge") == "yes":
        return "ZA14"
    if face <= bar_of(play, item) and play.ruling("helper_vs_hinder") == "yes":
        return "ZA15"
    return ""


def _die_meant(dice: Sequence[Rolled], claim: Claim, uses: Mapping[Rolled, str]) -> Rolled | None:
    """The die that a claim names: a free one, if there is one."""
    if claim.die_named is None:
        return None
    kind, face = claim.die_named
    of_kind = [die for die in dice if not kind or die.die == kind]
    # A die with an impossible face may have shown its highest.
    fitting = [die for die in of_kind if face in (die.face, min(die.face, SIDES[die.die]))]
    free = [die for die in fitting if die not in uses]
    return next(iter((*free, *fitting)), None)


def _face_of(spending: Spending, claim: Claim, die: Rolled | None) -> int:
    if die is not None:
        return die.face
    face = claim.die_named[1] if claim.die_named is not None else 0
    if spending.unrecorded:
        return face
    # The log wins: for the table a helper had such a die, and it was good for this.
    return 0 if spending.effort is None else max(spending.pool.hit, face)


def want_of(play: Table, spending: Spending, purchase: Purchase) -> Want | None:
    """The die that a purchase takes; None if the log names it in a way that cannot be read."""
    claim, effort, item = purchase.claim, spending.effort, purchase.item
    if claim.die_named is not None:
        kind, face = claim.die_named
        return Want(kind, face, face)
    if claim.die.strip():
        return None
    least = spending.pool.hit
    if effort is None and item is not None:
        is_lost = item in spending.lost
        least = least_of(spending.roll, item) if is_lost else need_of(play, spending.roll, item)
    elif effort is not None and effort.hinders:
        is_any = play.ruling("hinder_hit") == "free" if claim.own else item is not None
        least = 1 if is_any else least
    return Want("", least, max(SIDES.values()))


def wants_of(play: Table, spending: Spending) -> list[Want]:
    """The dice that the purchases of an entry take, where not all faces are recorded."""
    if not spending.unrecorded:
        return []
    wants = (
        want_of(play, spending, purchase)
        for purchase in purchases_of(play, spending)
        if not purchase.spent_on and purchase.die is None
    )
    return [want for want in wants if want is not None]
