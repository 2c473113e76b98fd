"""Hits: the guards on what each die buys, and the ending of a roll (Z24 to Z30, Z39)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from chronicle.core.declare import Action, option
from chronicle.core.diagnostic import DiagnosticKind, Fact, listed, plural
from chronicle.core.field_types import (
    TEXT,
    YES_NO,
    OneOrMany,
)
from chronicle.core.figures import number_in_words
from chronicle.core.fix import add_entry, replace_with
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import only_words
from chronicle.core.source import ScalarNode
from chronicle.games.playset_zero.chances import each_gets_one, pool_words
from chronicle.games.playset_zero.marks import establish
from chronicle.games.playset_zero.purchases import (
    Purchase,
    Spending,
    an,
    is_challenge,
    is_in_vain,
    least_of,
    names_of,
    need_of,
    purchases_of,
    want_of,
    wants_of,
)
from chronicle.games.playset_zero.state import (
    CHALLENGE_HIT,
    HIT,
    Item,
    Payment,
    RollRecord,
    Showing,
    Stage,
    Want,
    buys,
)
from chronicle.games.playset_zero.table import Table, certain_since, pick

RULES = """
# Hits
Z24 Five or more is a hit [checked; V18]
  Each die of any size that shows 5 or more is one hit. A 4 is none, and a 10 is not two.
Z25 A hit for the goal [checked; V21]
  One hit spent on the goal reaches it. Without that it is not reached; a second hit adds nothing.
Z26 A hit for each danger [checked; V20]
  One hit keeps one danger away. Two dangers take two hits.
Z27 A hit for an advantage [checked; V24]
  One hit establishes an advantage for the character, in words written on the sheet.
Z28 Free choice, no credit [checked; V19]
  The roller spends hits as they please, each die once and no more of them than there are. Where the log does not
  say what hits bought, that is noted as unknown.
Z29 Nothing spent, everything wrong [checked; V22]
  If no hit is spent, the goal is missed and both dangers come true, even if hits lay on the table.
Z30 Goal and dangers stand apart [checked; V23]
  A goal or danger without a hit goes wrong, and one with a hit goes well, each on its own. Chronicle questions an
  outcome that leaves out a danger that came true.
# Optional rules
Z39 Challenge [checked; V38 V39]
  For an unusually tough goal only a die of 6 or more reaches it. Dangers and advantages still take a 5. (Option
  challenge.)
"""

READINGS = """
ZA2 advantages_per_roll: May one roll establish several advantages?
  - many: yes, for one hit each
  - one: no, one at most
  because hits are spent freely (Z27)
"""

TERMS = """\
Hit [Z24]: A die that shows 5 or more.
Spend [Z28]: To say what each hit is for: the goal, a danger, or an advantage.
Advantage [Z27]: Something that a hit establishes, in words on the sheet. It is used once.
Challenge [Z39]: An unusually tough goal, which only a 6 or more reaches.
"""


class Buys(Action):
    """An entry that spends dice: those of a roll, or of help and hindrance."""

    @property
    def spending_key(self) -> str:
        """The key that says what the dice buy."""
        return "main"

    def spending(self, play: Table) -> Spending | None:
        """The dice that it spends; None if there are none."""
        raise NotImplementedError

    def purchases(self, play: Table) -> Iterator[tuple[Spending, Purchase]]:
        """Its purchases."""
        spending = self.spending(play)
        if spending is not None:
            for purchase in purchases_of(play, spending):
                yield spending, purchase

    @guard("T20", DiagnosticKind.UNREADABLE)
    def dice_are_named(self, play: Table) -> Iterator[Violation]:
        spending = self.spending(play)
        for word, dice in spending.bought.items() if spending is not None else ():
            if isinstance(dice, dict) and only_words(word) != "advantage":
                message = f"'{word}' takes the face of one die, not {{name: value}}"
                yield Violation(message, word, help=f"{word}: 6")
        for spending, purchase in self.purchases(play):
            claim = purchase.claim
            if claim.die_named is None and (claim.die.strip() or not spending.unrecorded):
                yield Violation(
                    f"'{claim.die}' is no face of this roll",
                    claim.die if claim.die.strip() else claim.word,
                    help="write the face (6), or the die and its face (d8 6)",
                    doubts=[spending.doubt],
                )

    @guard("T50", DiagnosticKind.UNREADABLE)
    def questions_are_in_this_roll(self, play: Table) -> Iterator[Violation]:
        spending = self.spending(play)
        for word, dice in spending.bought.items() if spending is not None else ():
            if spending is None or only_words(word) == "advantage" or isinstance(dice, dict):
                continue
            items = spending.items_meant(word)
            if len(items) == 1 or spending.is_own_danger(word):
                continue
            yield _not_in_this_roll(play, spending.roll, word, len(items))

    @guard("Z28")
    def dice_are_on_the_table(self, play: Table) -> Iterator[Violation]:
        for spending, purchase in self.purchases(play):
            die_named = purchase.claim.die_named
            if die_named is None or purchase.die is not None:
                continue
            kind, face = die_named
            want = Want(kind, face, face)
            if spending.unrecorded and (
                spending.pool.doubtful or any(map(want.is_met_by, spending.showings))
            ):
                continue
            shown = ", ".join(map(str, spending.dice)) or "nothing"
            yield Violation(
                f"no die of this roll can show {purchase.claim.die.strip()}"
                if spending.unrecorded
                else f"no die shows {purchase.claim.die.strip()}; on the table: {shown}",
                purchase.claim.die,
                rule=spending.rule,
                # A gap may hide what brought further dice in.
                since=_set_out(play, spending) if spending.unrecorded else None,
                doubts=[spending.doubt],
            )

    @guard("Z28")
    def each_die_buys_once(self, play: Table) -> Iterator[Violation]:
        for spending, purchase in self.purchases(play):
            if not purchase.spent_on:
                continue
            both = spending.effort is None and purchase.spent_on == purchase.claim.use == "danger"
            yield Violation(
                f"one {purchase.face} is spent on two dangers; each takes a hit of its own"
                if both
                else f"the {purchase.face} is spent twice; every die buys once",
                purchase.claim.die,
                rule="Z26" if both else spending.rule,
            )

    @guard("Z28")
    def unrecorded_dice_suffice(self, play: Table) -> Iterator[Violation]:
        """What is bought with dice that nobody wrote down is held to what these can have shown, all together."""
        spending = self.spending(play)
        if spending is None or not spending.unrecorded or spending.pool.doubtful:
            return
        showings, is_each_possible = spending.showings, True
        wants: list[Want] = [*spending.wants]
        for purchase in purchases_of(play, spending):
            want = want_of(play, spending, purchase)
            if want is None or purchase.spent_on:
                continue
            wants.append(want)
            if any(map(want.is_met_by, showings)):
                continue
            is_each_possible = False
            if purchase.claim.die_named is None and purchase.item is not None:
                item = purchase.item
                yield Violation(
                    f"no die of this roll can show {want.lowest} or more, which '{item.text}' takes",
                    purchase.claim.word,
                    rule="Z43" if item.bars else "Z25" if item.goal else "Z26",
                    since=_set_out(play, spending),
                    doubts=[spending.doubt],
                )
        if is_each_possible and (message := _beyond_dice(spending, wants, showings)):
            yield Violation(
                message,
                self.spending_key,
                rule=spending.rule,
                since=_set_out(play, spending),
                doubts=[spending.doubt],
            )

    @guard("Z27", help="advantage: {what it is: the die}")
    def advantages_have_words(self, play: Table) -> Iterator[Violation]:
        claims = [purchase.claim for _, purchase in self.purchases(play)]
        for claim in claims:
            if claim.advantage is not None and not claim.advantage.strip():
                yield Violation("what the advantage is has to be written down", claim.word)


def _set_out(play: Table, spending: Spending) -> int | None:
    """The entry that set the dice out, if it is an earlier one: a gap since then may hide what brought others in."""
    return spending.step if spending.step < play.step.number else None


def _beyond_dice(
    spending: Spending, wants: Sequence[Want], showings: Sequence[Showing]
) -> str | None:
    """That dice with unrecorded faces cannot have paid for all that they have bought; None if they can."""
    hit, hits_said = spending.pool.hit, spending.hits_said
    hits = sum(want.lowest >= hit for want in wants)
    spent = sum(die.hit for die in spending.dice if die.use)
    things = plural(len(wants), "thing")
    if hits_said is not None and hits > hits_said - spent:
        return f"{plural(hits_said - spent, 'hit')} cannot buy {plural(hits, 'thing')}"
    if len(wants) > len(showings):
        return f"{plural(len(showings), 'die', 'dice')} cannot buy {things}"
    misses = sum(want.highest < hit for want in wants)
    if hits_said is not None and misses > len(showings) - (hits_said - spent):
        return f"{plural(hits_said, 'hit')} on these dice leave none that shows less than {hit}"
    if not each_gets_one(wants, showings):
        dice = pool_words(spending.pool.counts())
        return f"no throw of these dice buys {things} like that: {dice}"
    return None


def _not_in_this_roll(play: Table, roll: RollRecord, word: ScalarNode, count: int) -> Violation:
    """That a word means no question of a roll, or several."""
    key = f"goal:{roll.number}"
    if only_words(word) == "goal":
        message = "a hit is spent on a goal, but none was stated"
        return Violation(message, word, after=(key,), rule="Z14", kind=DiagnosticKind.ILLEGAL)
    texts = [item.text for item in roll.items]
    return Violation(
        f"'{word}' could be more than one of this roll's questions; write more of it"
        if count
        else f"this roll has nothing called '{word}'{play.names.suggest(word, texts)}",
        word,
        since=None if count else roll.step,
        help="spend: {goal, advantage or one of " + " / ".join(texts[len(roll.goals) :]) + "}",
        after=(key,),
    )


class BuysWithHits(Buys):
    """An entry that may spend the roller's hits."""

    def hits_spent(self, play: Table) -> Iterator[tuple[Spending, Purchase, Item | None]]:
        """The roller's purchases, without those in vain."""
        spending = self.spending(play)
        if spending is not None and spending.effort is None:
            for purchase in purchases_of(play, spending):
                if not is_in_vain(play, spending, purchase):
                    yield spending, purchase, purchase.item

    @guard("Z24")
    def only_hits_buy(self, play: Table) -> Iterator[Violation]:
        for spending, purchase, _ in self.hits_spent(play):
            if purchase.face and not buys(purchase.face, spending.pool.hit):
                hits = [str(die.face) for die in spending.dice if die.hit]
                yield Violation(
                    f"{an(purchase.face)} is no hit; a die of {spending.pool.hit} or more is",
                    purchase.claim.die,
                    help=f"the hits of this roll: {listed(hits)}" if hits else "",
                    doubts=[spending.doubt],
                )

    @guard("Z39")
    def challenge_takes_a_six(self, play: Table) -> Iterator[Violation]:
        for spending, purchase, item in self.hits_spent(play):
            if item is None or not is_challenge(spending.roll, item):
                continue
            if purchase.face >= spending.pool.hit and not buys(purchase.face, CHALLENGE_HIT):
                yield Violation(
                    f"{an(purchase.face)} cannot buy the goal of a Challenge; a die of 6 or more can",
                    purchase.claim.die,
                    facts=(play.because(spending.roll.step, "the Challenge"),),
                    doubts=[spending.doubt],
                )

    @guard("Z43")
    def hindrance_is_beaten(self, play: Table) -> Iterator[Violation]:
        for spending, purchase, item in self.hits_spent(play):
            roll = spending.roll
            if item is None or not buys(purchase.face, least_of(roll, item)):
                continue
            need = need_of(play, roll, item)
            if buys(purchase.face, need):
                continue
            worst = max(roll.efforts, key=lambda effort: item.bars.get(effort.number, 0))
            hinders = f"{worst.name} hinders with {item.bars.get(worst.number, 0)}"
            yield Violation(
                f"{an(purchase.face)} does not beat the hindering {need - 1}; "
                f"'{item.text}' takes {an(need)} or more",
                purchase.claim.die,
                facts=(play.because(worst.step, hinders),),
                doubts=[spending.doubt],
            )

    @guard("Z25")
    def one_hit_is_enough(self, play: Table) -> Iterator[Violation]:
        for spending, purchase, item in self.hits_spent(play):
            if item is None or not purchase.buyer:
                continue
            rule = "Z25" if item.goal else "Z26"
            if purchase.buyer != spending.roll.name:
                payment = item.paid or Payment("a hit", purchase.buyer)
                message = f"{purchase.buyer} has bought this already with {payment}"
                at = purchase.claim.die
                yield Violation(message, at, rule=rule, kind=DiagnosticKind.SUSPICIOUS)
                continue
            yield Violation(
                "two hits are spent on the goal; one reaches it"
                if item.goal
                else f"two hits are spent on '{item.text}'; one avoids it",
                purchase.claim.die,
                rule=rule,
            )

    @question("ZA2")
    def one_advantage_a_roll(self, play: Table) -> Iterator[Violation]:
        advantages = [
            (spending, purchase.claim)
            for spending, purchase, _ in self.hits_spent(play)
            if purchase.claim.advantage is not None
        ]
        for number, (spending, claim) in enumerate(advantages):
            is_second = number > 0 or bool(spending.roll.gained)
            if is_second and play.ruling("advantages_per_roll") == "one":
                message = "a second advantage from one roll; this table allows one"
                yield Violation(message, claim.word)


def payments_of(play: Table, spending: Spending) -> dict[Item, Payment]:
    """The payments that a roller's hits make: each question once."""
    return {
        purchase.item: Payment(
            str(purchase.die) if purchase.die is not None else "a hit",
            spending.roll.name,
            purchase.face,
        )
        for purchase in purchases_of(play, spending)
        if purchase.item is not None
        and not purchase.buyer
        and not is_in_vain(play, spending, purchase)
    }


def spend_hits(play: Table, spending: Spending) -> None:
    """Z25 to Z28: the roller's hits. What breaks a rule counts as the table played it."""
    roll = spending.roll
    roll.wants += wants_of(play, spending)
    character = play.state.characters.get(roll.character)
    payments = payments_of(play, spending)
    for purchase in purchases_of(play, spending):
        claim, item = purchase.claim, purchase.item
        if purchase.die is not None:
            purchase.die.use = purchase.die.use or claim.use
        if item is not None and is_in_vain(play, spending, purchase):
            face = an(purchase.face)
            text = f"{face} is spent on '{item.text}' and does not beat the hindrance"
            play.event(text, "Z43", "in vain")
        elif claim.advantage and character is not None:
            establish(play, roll, character, claim.advantage)
        elif claim.advantage:
            play.event(f"An advantage: {claim.advantage}", "Z27", "establishes")
    for item, payment in payments.items():
        item.paid = payment


def dangers_meant(roll: RollRecord, words: Sequence[str]) -> list[Item]:
    """The dangers of a roll that some words mean."""
    names = names_of(roll.dangers)
    return [roll.dangers[index] for word in words for index in pick(word, names)[:1]]


# --- the ending of a roll -------------------------------------------------------------------------


def settle(play: Table, roll: RollRecord) -> None:
    """Z29, Z30: every question that was bought goes well, every other goes wrong."""
    roll.stage = Stage.SETTLED
    roll.settled = play.step.number
    bought = was_anything_bought(roll)
    lines: list[str] = []
    for item in roll.items:
        item.well = item.paid is not None
        if item.goal:
            verdict, kind = ("reached", "reached") if item.well else ("not reached", "missed")
        else:
            verdict = kind = "avoided" if item.well else "comes true"
        rule = ("Z25" if item.goal else "Z26") if item.well else "Z30" if bought else "Z29"
        line = f"{verdict}: {item.text}"
        if item.paid is not None:
            line += f" (bought by {item.paid.by} with {item.paid})"
        lines.append(line)
        play.event(f"{line[0].upper()}{line[1:]}", rule, kind, roll.character)
    lines.extend(f"advantage: {advantage.text}" for advantage in roll.gained)
    if roll.rolled:
        _tell_on_card(play, roll, lines)


def was_anything_bought(roll: RollRecord) -> bool:
    """Whether a die of a roll has bought something."""
    return any(die.use for die in roll.dice) or any(item.paid for item in roll.items)


def _tell_on_card(play: Table, roll: RollRecord, lines: Sequence[str]) -> None:
    """Complete the card of a roll."""
    thrown = play.reopen(roll.rolled)
    if thrown.contest is None:
        return
    met = "reached" if all(item.well for item in roll.goals) else "missed"
    hits = roll.brought
    count = f"{number_in_words(hits) if hits else 'no'} {'hit' if hits == 1 else 'hits'}"
    came_to = "nobody counted the hits" if hits is None else count
    thrown.contest = thrown.contest._replace(
        outcome=tuple(lines),
        verdict=f"{came_to}: the goal is {met}" if roll.goals else came_to,
    )


class Ending(NamedTuple):
    """How a roll ended, by its dice.

    Attributes:
        roll: the roll.
        goals: its goals, if they are decided.
        dangers: its dangers, if they are decided.
        own: the dangers of helpers and hinderers themselves.
        wells: whether each question went well; None if that is not known.
        paid: the payment of each question that was bought.
        bought: whether anything was bought.
    """

    roll: RollRecord
    goals: Sequence[Item]
    dangers: Sequence[Item]
    own: Sequence[Item]
    wells: Mapping[Item, bool | None]
    paid: Mapping[Item, Payment]
    bought: bool

    @property
    def doubt(self) -> str:
        """The doubt about what came of the roll."""
        return f"roll:{self.roll.number}"

    def danger_meant(self, word: ScalarNode) -> Item | None:
        """The danger that a word means."""
        dangers = [*self.dangers, *self.own]
        indexes = pick(word, names_of(dangers))
        return dangers[indexes[0]] if indexes else None


def ending_of(roll: RollRecord, paid: Mapping[Item, Payment], *, bought: bool) -> Ending:
    """The ending of a roll with these payments in addition to earlier ones."""
    own = [effort.danger for effort in roll.efforts if effort.danger is not None]
    payments = {item: item.paid for item in (*roll.items, *own) if item.paid is not None}
    payments |= paid
    wells: dict[Item, bool | None] = {item: item in payments for item in roll.items}
    wells |= {danger: danger.well for danger in own}
    bought = bought or was_anything_bought(roll)
    return Ending(roll, roll.goals, roll.dangers, own, wells, payments, bought)


class Tells(Action):
    """An entry that may say how a roll ended: it is compared with the dice."""

    reached = option(
        YES_NO,
        "whether the goal is reached; you need not write this, Chronicle checks it",
        computed=True,
    )
    comes_true = option(
        OneOrMany(TEXT),
        "the dangers that come true; you need not write this, Chronicle checks it",
        computed=True,
    )
    avoided = option(
        OneOrMany(TEXT),
        "the dangers that stay away; you need not write this, Chronicle checks it",
        default=(),
        computed=True,
    )

    def ending(self, play: Table) -> Ending | None:
        """The ending of the roll; None if it is still open."""
        raise NotImplementedError

    @guard("T50", DiagnosticKind.UNREADABLE)
    def dangers_are_in_this_roll(self, play: Table) -> Iterator[Violation]:
        words = (*self.avoided, *(self.comes_true or ()))
        ending = self.ending(play) if words else None
        if ending is None:
            return
        for word in words:
            if ending.danger_meant(word) is None:
                yield Violation(
                    f"this roll has no danger '{word}'",
                    word,
                    since=ending.roll.step,
                    fix=replace_with(danger.text for danger in (*ending.dangers, *ending.own)),
                )

    @guard("Z25", at="reached")
    def goal_is_reached_by_a_hit(self, play: Table) -> Violation | None:
        ending = self.ending(play) if self.reached is not None else None
        if ending is None or not ending.goals:
            return None
        is_reached = all(ending.wells[goal] for goal in ending.goals)
        if self.reached == is_reached:
            return None
        doubts = (ending.doubt,)
        if self.reached:
            message = "the goal is called reached, but no hit was spent on it"
            return Violation(message, after=doubts)
        return Violation(
            "a hit was spent on the goal, so it is reached",
            facts=[Fact(f"bought with {ending.paid[ending.goals[0]]}")],
            after=doubts,
        )

    @guard("Z26")
    def avoided_dangers_are_paid_off(self, play: Table) -> Iterator[Violation]:
        ending = self.ending(play) if self.avoided else None
        for word in self.avoided if ending is not None else ():
            danger = ending.danger_meant(word) if ending is not None else None
            if ending is None or danger is None or ending.wells[danger] is not False:
                continue
            yield Violation(
                f"'{danger.text}' stays away, but no hit was spent on it"
                if ending.bought
                else f"no hit was spent, so '{danger.text}' comes true",
                word,
                after=(ending.doubt,),
                rule="Z26" if ending.bought else "Z29",
            )

    @guard("Z26")
    def dangers_paid_off_stay_away(self, play: Table) -> Iterator[Violation]:
        ending = self.ending(play) if self.comes_true else None
        for word in (self.comes_true or ()) if ending is not None else ():
            danger = ending.danger_meant(word) if ending is not None else None
            if ending is None or danger is None or ending.wells[danger] is not True:
                continue
            by_five = ending.roll.challenge and ending.paid[danger].face == HIT
            yield Violation(
                f"'{danger.text}' was paid off with a 5; a Challenge asks for 6 for the goal only"
                if by_five
                else f"'{danger.text}' comes true, but a hit was spent to avoid it",
                word,
                after=(ending.doubt,),
                rule="Z39" if by_five else "Z26",
            )

    @question("Z30", at="comes true")
    def every_true_danger_is_told(self, play: Table) -> Violation | None:
        ending = self.ending(play) if self.comes_true is not None else None
        if ending is None or self.comes_true is None:
            return None
        named = [ending.danger_meant(word) for word in (*self.avoided, *self.comes_true)]
        missing = [
            repr(danger.text)
            for danger in ending.dangers
            if ending.wells[danger] is False and danger not in named
        ]
        if not missing:
            return None
        message = f"{listed(missing)} was not paid off and is not told as true"
        return Violation(message, after=(ending.doubt,))


class EndsRoll(Action):
    """An entry that goes on with play: the last roll has to be finished."""

    @question("Z14")
    def last_roll_is_finished(self, play: Table) -> Violation | None:
        return unfinished(play)


def unfinished(play: Table) -> Violation | None:
    """The part of a roll that is not recorded when play goes on: its purchases (Z28), or its dice (Z14)."""
    roll = play.state.running()
    if roll is None:
        return None
    certain_since(play, roll.step)
    doubts = (f"roll:{roll.number}",)
    if roll.stage is Stage.ROLLED:
        return Violation(
            f"what {roll.name}'s {plural(roll.hits, 'hit')} bought is not written",
            facts=(play.because(roll.rolled, "rolled here"),),
            fix=add_entry("spend:", when="if nothing was bought"),
            help="or  spend: {goal: the die}",
            rule="Z28",
            kind=DiagnosticKind.UNKNOWN,
            after=doubts,
        )
    return Violation(
        f"{roll.name}'s goal '{roll.goal}' was never rolled for",
        facts=(play.because(roll.step, "stated here"),),
        fix=add_entry("roll: ..."),
        after=doubts,
    )


def end_roll(play: Table) -> None:
    """Play goes on while a roll is unfinished: unspent hits buy nothing (Z29), and a goal that was never
    rolled for is dropped."""
    roll = play.state.running()
    if roll is None:
        return
    if roll.stage is Stage.ROLLED:
        settle(play, roll)
    else:
        roll.stage = Stage.DROPPED
