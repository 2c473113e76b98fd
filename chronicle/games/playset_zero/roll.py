"""The roll: dice, hits and outcome (Z14, Z24 to Z30, Z44)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, permutations
from typing import Any, NamedTuple

from chronicle.core.answers import Limits, Obligation, Offer, Pad, Thrown
from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, listed, most_likely_verb, plural
from chronicle.core.dice import D6, D8, D10, faces_as_typed
from chronicle.core.field_types import TEXT, WHOLE
from chronicle.core.fix import add_entry
from chronicle.core.game import NOT_BELOW_ZERO
from chronicle.core.game_context import only_for_readers
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import answer, expected
from chronicle.core.law import Decider, Role
from chronicle.core.record import Contest
from chronicle.core.sentences import Sentence, said
from chronicle.core.telling import TextRole
from chronicle.games.playset_zero.calling import (
    Conflict,
    Goal,
    danger_rule,
    dangers_due,
    dangers_missing,
    silent,
)
from chronicle.games.playset_zero.chances import before_the_roll, can_buy
from chronicle.games.playset_zero.dice import (
    THROW,
    WHITE,
    Ask,
    Fallen,
    Throws,
    dice_rolled,
    is_recorded,
    least_hit,
    note_throws,
    side_of,
)
from chronicle.games.playset_zero.helping import (
    BuysBeside,
    a_hit,
    close_effort,
    show_effort,
    spend_effort,
    with_dice,
)
from chronicle.games.playset_zero.hits import (
    BuysWithHits,
    Ending,
    Tells,
    dangers_meant,
    ending_of,
    payments_of,
    settle,
    spend_hits,
)
from chronicle.games.playset_zero.making import BeginsPlay
from chronicle.games.playset_zero.marks import SpendsMarks, marks_of
from chronicle.games.playset_zero.purchases import (
    OWN,
    SPEND,
    Spending,
    an,
    bar_of,
    is_outdone,
    need_of,
    purchases_of,
)
from chronicle.games.playset_zero.state import (
    COLOURS,
    HIT,
    SIDES,
    Character,
    EffortRecord,
    Item,
    Payment,
    Pool,
    Rolled,
    RollRecord,
    Stage,
    buys,
)
from chronicle.games.playset_zero.table import (
    Table,
    acting,
    called,
    certain_since,
)

READINGS = """
ZA6 mark_after_roll: May a mark be spent when the faces are known?
  - no: no, it is declared before the roll
  - yes: yes, the red die is rolled then
  because it adds a die to the roll; any time is read as on any roll (Z34)
"""

# --- whose dice they are --------------------------------------------------------------------------


def own_effort(
    play: Table, efforts: Sequence[EffortRecord], roll: RollRecord
) -> EffortRecord | None:
    """The help or hindrance of the actor: by character, or by player if no character was named."""
    character = acting(play)
    for effort in efforts:
        if character is not None and effort.character:
            if effort.character == character.id:
                return effort
        elif effort.player == play.step.player and roll.player != play.step.player:
            return effort
    return None


class Target(NamedTuple):
    """The roll that dice belong to (None: without a goal), and the help or hindrance if they are those dice."""

    roll: RollRecord | None
    effort: EffortRecord | None = None

    @property
    def is_again(self) -> bool:
        """Whether these dice have fallen before."""
        return self.effort is None and self.roll is not None and bool(self.roll.rolled)


class Roll(Throws, SpendsMarks, BeginsPlay):
    """Roll: three white d6, Feature dice in place of white ones, red dice added."""

    verb = "roll"
    synonyms = ("dice", "throw")
    already_shown_kinds = frozenset({"rolls", "unrecorded"})
    before_result = True
    decides = Decides("dice", "Z16", kind=DiagnosticKind.SUSPICIOUS)
    offered = Offered("Z16", "roll the dice")
    example = "roll: {d10: 9, d8: 5, d6: 4, adv: 6}"
    faces = main(THROW, "faces by die, as they fell: d6 white, d8, d10, adv (or red)")
    hits = option(
        WHOLE, "how many hits; you need not write this, Chronicle checks it", computed=True
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        roll = play.state.running()
        if roll is None or roll.stage is not Stage.GOAL:
            last = play.state.roll()
            person = play.state.characters.get(last.character) if last is not None else None
            if last is not None and last.rolled and person is not None and marks_of(play, person):
                # ZA6: a mark comes late.
                yield {"roll": {"adv": len(play.steps) % 6 + 1}, "mark": 1, "by": last.name}
            return
        effort = roll.waiting()
        by, pool = (effort.name, effort.pool) if effort is not None else (roll.name, roll.pool)
        for number in range(10):
            yield {"roll": _faces_to_try(pool, len(play.steps) + number), "by": by}

    def sentence(self, play: Table) -> Sentence:
        roll, effort = self.target(play)
        if effort is not None:
            return said("{} rolls.", effort.character or effort.player)
        if roll is None:
            return said("{} rolls.", play.step.player)
        return said("{} rolls.", roll.character or roll.player)

    # The parts of the entry.

    def target(self, play: Table) -> Target:
        """The roll or effort that the dice belong to. Helpers and hinderers roll first (Z44)."""
        roll = play.state.running()
        if roll is None:
            last = play.state.roll()
            # A mark may come too late (ZA6).
            is_late = last is not None and self.mark is not None and last.stage is Stage.SETTLED
            return Target(last if is_late else None)
        waiting = [effort for effort in roll.efforts if not effort.rolled]
        if self.by is None:
            return Target(roll, next(iter(waiting), None))
        return Target(roll, own_effort(play, waiting, roll))

    def character(self, play: Table) -> Character | None:
        """The character whose dice they are."""
        roll, effort = self.target(play)
        if roll is None:
            return self.orphan_roller(play)
        return play.state.characters.get((effort or roll).character)

    def orphan_roller(self, play: Table) -> Character | None:
        """The character who rolls without a goal: named with ``by``, or asked by a conflict."""
        call = play.state.call
        if self.by is None and call is not None:
            return play.state.characters[call.asks]
        return acting(play)

    def may_begin(self, play: Table) -> bool:
        return self.target(play).roll is None and super().may_begin(play)

    def pool(self, play: Table, ask: Ask = expected) -> Pool:
        """The dice that are due, with those that marks add."""
        target = self.target(play)
        thrown = target.effort or target.roll
        if thrown is None:
            return Pool(WHITE, doubtful=True)
        pool = self.with_marks(play, thrown.pool)
        if target.is_again:
            return pool
        return replace(pool, hit=least_hit(play, pool, thrown.character or thrown.player, ask))

    def dice(self, play: Table) -> list[Rolled]:
        """The dice that fall with this entry."""
        return dice_rolled(self.faces, self.pool(play).hit)

    def all_dice(self, play: Table) -> list[Rolled]:
        """The dice on the table after this entry."""
        target = self.target(play)
        is_more = target.is_again and self.mark is not None
        dice_before = target.roll.dice if target.roll is not None and is_more else []
        return [*dice_before, *self.dice(play)]

    def fallen(self, play: Table) -> Fallen | None:
        if self.faces is None:
            return None
        target, pool = self.target(play), self.pool(play)
        if target.is_again:
            # Other guards say how many dice may fall again.
            pool = replace(pool, doubtful=True)
        rule = target.effort.rule if target.effort is not None else "Z16"
        set_out = (target.effort or target.roll).step if target.roll is not None else 0
        is_whole = is_recorded(self.faces)
        return Fallen(pool, self.dice(play), rule, "main", set_out, is_whole)

    # Guards.

    @guard("Z14")
    def has_a_goal(self, play: Table) -> Violation | None:
        if self.target(play).roll is not None:
            return None
        message = "dice are rolled without a goal"
        doubts = (f"goal:{len(play.state.rolls) + 1}",)
        return Violation(message, fix=add_entry("goal: ..."), since=0, doubts=doubts)

    @guard("Z14", help="spend: what the hits buy, then a new goal")
    def rolls_once(self, play: Table) -> Violation | None:
        target = self.target(play)
        if target.roll is None or not target.is_again or self.mark is not None:
            return None
        return Violation(
            f"{target.roll.name} rolls again for the same goal",
            facts=(play.because(target.roll.rolled, "rolled here"),),
        )

    @question("ZA6", at="mark", help="mark: 1  stands beside the goal, or beside the roll itself")
    def marks_come_before_the_faces(self, play: Table) -> Violation | None:
        target = self.target(play)
        if target.roll is None or not target.is_again or self.mark is None:
            return None
        if play.ruling("mark_after_roll") != "no":
            return None
        return Violation(
            "a mark is spent after the faces are known",
            facts=(play.because(target.roll.rolled, "rolled here"),),
        )

    @guard("Z34", at="main")
    def each_mark_adds_a_red_die(self, play: Table) -> str | None:
        if not self.target(play).is_again or self.mark is None:
            return None
        added, dice = len(self.with_marks(play, Pool(0)).reds), self.dice(play)
        if len(dice) == added and all(die.die == "adv" for die in dice):
            return None
        return (
            f"{plural(added, 'mark')} {'adds' if added == 1 else 'add'} "
            f"{plural(added, 'red die', 'red dice')}"
        )

    @guard("Z15")
    def dangers_come_first(self, play: Table) -> Violation | None:
        roll, effort = self.target(play)
        return None if roll is None or effort is not None else dangers_missing(play, roll)

    @guard("Z44")
    def helpers_roll_first(self, play: Table) -> Iterator[Violation]:
        roll, effort = self.target(play)
        if roll is None or effort is not None or roll.rolled:
            return
        for waiting in roll.efforts:
            if not waiting.rolled:
                yield Violation(
                    f"{waiting.name}'s dice have not been rolled; helpers and hinderers roll first",
                    facts=(play.because(waiting.step, "announced here"),),
                    fix=add_entry(f"roll: ...\nby: {waiting.name}"),
                )

    @guard("Z40", DiagnosticKind.UNKNOWN)
    def help_is_spent_first(self, play: Table) -> Iterator[Violation]:
        roll, effort = self.target(play)
        if roll is None or effort is not None or roll.rolled:
            return
        for unspent in roll.efforts:
            is_useful = unspent.unrecorded or any(die.hit for die in unspent.dice)
            if unspent.spent or not is_useful or play.gap > unspent.step:
                continue
            yield Violation(
                f"where {unspent.name}'s dice went is not written",
                facts=(play.because(unspent.step, "announced here"),),
                help="spend: {own danger: the die, goal: the die}  /  by: the helper",
            )

    @guard("Z24", at="hits")
    def hits_are_counted_right(self, play: Table) -> str | None:
        if self.hits is None:
            return None
        pool, dice, target = self.pool(play), self.all_dice(play), self.target(play)
        hits = sum(die.hit for die in dice)
        earlier = target.roll is not None and target.is_again and self.mark is not None
        is_unrecorded = earlier and target.roll is not None and target.roll.unrecorded
        if is_unrecorded or not is_recorded(self.faces):
            showings = pool.showings(dice, unrecorded=True)
            most = hits + len(showings) - len(dice)
            if pool.doubtful or hits <= self.hits <= most:
                return None
            if self.hits > most:
                count = plural(len(showings), "die", "dice")
                shown = f" with {listed(an(die.face) for die in dice)}" if dice else ""
                return f"{count}{shown} cannot show {plural(self.hits, 'hit')}"
        if self.hits == hits:
            return None
        least = dice[0].least if dice else pool.hit
        lie = "lies" if hits == 1 else "lie"
        return (
            f"{plural(hits, 'hit')} {lie} on the table, not {self.hits}; "
            f"each die of {least} or more is one"
        )

    # The effect.

    def apply(self, play: Table) -> None:
        roll, effort = self.target(play)
        if roll is None:
            roll = self._roll_without_a_goal(play)
        elif effort is not None:
            self._roll_beside(play, roll, effort)
            return
        play.step.player = play.step.player or roll.player
        if roll.rolled:
            self._roll_again(play, roll)
            return
        _end_efforts(play, roll)
        roll.pool = self.pool(play, answer)
        self.spend_marks(play, f"roll {roll.number}: {roll.goal}")
        _note_odds(play, roll)
        roll.dice = dice_rolled(self.faces, roll.pool.hit)
        if not is_recorded(self.faces):
            roll.unrecorded, roll.hits_said = True, self.hits
            count = f": {plural(self.hits, 'hit')}" if self.hits is not None else ""
            play.event(f"The faces were not written down{count}", "Z24", "unrecorded")
        else:
            note_throws(play, roll.dice, roll.player)
            hits, dice = plural(roll.hits, "hit"), plural(len(roll.dice), "die", "dice")
            play.event(f"{roll.name} rolls {hits} on {dice}", "Z24", "rolls", roll.character)
        roll.rolled, roll.stage = play.step.number, Stage.ROLLED
        show_roll(play, roll, "Z24")
        if roll.brought == 0:
            settle(play, roll)

    def _roll_without_a_goal(self, play: Table) -> RollRecord:
        character = self.orphan_roller(play)
        player = character.owner if character is not None else play.step.player
        scene = play.timeline.current
        roll = RollRecord(
            number=len(play.state.rolls) + 1,
            step=play.step.number,
            player=player,
            character=character.id if character is not None else "",
            name=called(character, player) if character is not None or player else "Somebody",
            asked_by="",
            pool=Pool(WHITE, doubtful=True),
            goals=[],
            scene=scene.number if scene is not None else 0,
        )
        play.state.call, play.state.has_begun = None, True
        play.state.rolls.append(roll)
        return roll

    def _roll_beside(self, play: Table, roll: RollRecord, effort: EffortRecord) -> None:
        """Z41, Z42: the two dice of a helper or hinderer."""
        pool = self.pool(play, answer)
        self.spend_marks(play, f"{effort.does} {roll.name}: {roll.goal}")
        thrown = with_dice(play, effort, pool, self.faces, hits_said=self.hits)
        roll.efforts[roll.efforts.index(effort)] = thrown
        show_effort(play, roll, thrown)

    def _roll_again(self, play: Table, roll: RollRecord) -> None:
        """ZA6: a mark adds a die when the faces are known; without a mark the new faces replace the old ones."""
        if self.mark is None:
            roll.dice, roll.hits_said = self.dice(play), self.hits
            roll.unrecorded = not is_recorded(self.faces)
            return
        dice, roll.pool = self.dice(play), self.pool(play)
        self.spend_marks(play, f"roll {roll.number}: {roll.goal}")
        note_throws(play, dice, roll.player)
        roll.dice.extend(dice)
        if roll.hits_said is not None:
            roll.hits_said += sum(die.hit for die in dice)
        roll.unrecorded = roll.unrecorded or not is_recorded(self.faces)
        for item in roll.items:
            item.well = item.well if item.paid is not None else None
        roll.rolled, roll.stage = play.step.number, Stage.ROLLED
        show_roll(play, roll, "Z34")
        if roll.brought == 0:
            settle(play, roll)


def _faces_to_try(pool: Pool, turn: int) -> dict[str, Any]:
    """Faces for the dice of a pool, others at every turn."""
    faces: dict[str, Any] = {}
    for kind, (die, count) in enumerate(pool.counts().items()):
        shown = [1 + (turn * (2 * n + 3) + 5 * n + kind) % SIDES[die] for n in range(count)]
        if count:
            faces[die] = shown if count > 1 else shown[0]
    return faces


def _end_efforts(play: Table, roll: RollRecord) -> None:
    """End help and hindrance before the main roll: unspent dice are lost, and help that a later hindrance beats is in
    vain (ZA15)."""
    for effort in roll.efforts:
        effort.rolled = effort.rolled or play.step.number
        if not effort.spent:
            close_effort(play, effort)
    for item in roll.items:
        if item.paid is None or not is_outdone(play, item):
            continue
        play.ruling("helper_vs_hinder")
        play.event(
            f"{item.paid.by}'s {item.paid.face} does not beat the hindrance: {item.text}",
            "Z43",
            "beaten",
        )
        item.paid = None


def told_odds(play: Table, roll: RollRecord) -> str:
    """The chances that the dice of a roll buy its open questions."""
    waiting = [item for item in roll.items if item.paid is None or is_outdone(play, item)]
    needs = [need_of(play, roll, item) for item in waiting]
    goals = [need for need, item in zip(needs, waiting, strict=True) if item.goal]
    return before_the_roll(roll.pool, needs, goals)


@only_for_readers
def _note_odds(play: Table, roll: RollRecord) -> None:
    """Note the chances of a roll before its dice fall."""
    roll.odds = told_odds(play, roll)


@only_for_readers
def show_roll(play: Table, roll: RollRecord, rule: str) -> None:
    """Show the card of a roll with its dice."""
    hits = roll.brought
    dice = None if roll.unrecorded else roll.dice
    play.step.contest = Contest(
        roll.goal or "A roll without a goal",
        (side_of(roll.name, roll.player, roll.pool, dice),),
        score="?" if hits is None else str(hits),
        unit="hit" if hits == 1 else "hits",
        odds=roll.odds,
        rule=rule,
    )


# --- spending -------------------------------------------------------------------------------------


class Spend(Tells, BuysWithHits, BuysBeside):
    """Say what each hit buys. `nothing` (or nothing at all): every hit is let go."""

    verb = "spend"
    synonyms = ("buy", "hits")
    decides = Decides("hits", "Z28")
    offered = Offered("Z28", "say what each hit buys")
    example = "spend: {goal: 9, the rope is cut: 5, advantage: {the ringer owes her: 6}}"
    hits = main(SPEND, "{goal, a danger, or advantage: the die that pays for it}", default=None)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        roll = play.state.running()
        if roll is None:
            last = play.state.roll()
            if last is not None and last.stage is Stage.SETTLED and not last.outcome_told:
                yield {"spend": "nothing", "by": last.name}
            return
        effort = roll.unspent() if roll.stage is Stage.GOAL else None
        if effort is not None:
            yield from _effort_to_try(play, roll, effort)
        elif roll.stage is Stage.ROLLED:
            yield from _spending_to_try(play, roll)

    def sentence(self, play: Table) -> Sentence:
        spending = self.spending(play)
        if spending is None:
            return ("No hits are spent.",)
        spender = spending.effort or spending.roll
        deed = "spends the two dice" if spending.effort is not None else "spends the hits"
        return said(f"{{}} {deed}.", spender.character or spender.player)

    # The parts of the entry.

    def spending(self, play: Table) -> Spending | None:
        roll, bought = play.state.running(), self.hits or {}
        if roll is None:
            return None
        unspent = [effort for effort in roll.efforts if effort.rolled and not effort.spent]
        if self.by is not None:
            effort = own_effort(play, unspent, roll)
        else:
            effort = roll.unspent() if roll.stage is Stage.GOAL else None
        if effort is not None:
            return Spending(roll, effort, bought)
        return (
            Spending(roll, None, bought, self._lost(roll)) if roll.stage is Stage.ROLLED else None
        )

    def _lost(self, roll: RollRecord) -> list[Item]:
        """Goals that the entry calls missed, and dangers that it calls true."""
        goals = roll.goals if self.reached is False else []
        return [*goals, *dangers_meant(roll, self.comes_true or ())]

    def ending(self, play: Table) -> Ending | None:
        spending = self.spending(play)
        if spending is None:
            last = play.state.roll()
            is_over = last is not None and last.stage is Stage.SETTLED and not self.hits
            return ending_of(last, {}, bought=False) if last is not None and is_over else None
        roll, effort, purchases = spending.roll, spending.effort, purchases_of(play, spending)
        if effort is None:
            return ending_of(roll, payments_of(play, spending), bought=bool(purchases))
        own = [effort.danger] if effort.danger is not None else []
        is_saved = any(purchase.claim.own for purchase in purchases)
        paid = {danger: Payment("a hit", effort.name) for danger in own if is_saved}
        return Ending(roll, (), (), own, dict.fromkeys(own, is_saved), paid, is_saved)

    # Guards.

    @guard("Z28")
    def there_are_hits(self, play: Table) -> Violation | None:
        if self.spending(play) is not None:
            return None
        roll, last = play.state.running(), play.state.roll()
        certain_since(play, last.step if last is not None else 0)
        if roll is not None or last is None or not last.settled:
            return Violation("there are no hits to spend; the dice have not been rolled")
        if not self.hits:
            return None
        return Violation(
            f"the hits of {last.name}'s last roll have been settled"
            if last.hits
            else f"{last.name} rolled no hit, so nothing can be bought",
            facts=(play.because(last.settled, "settled here"),),
        )

    @guard("Z44", DiagnosticKind.BOOKKEEPING, at="reached")
    def goal_waits_for_the_main_roll(self, play: Table) -> str | None:
        spending = self.spending(play)
        if spending is None or spending.effort is None or self.reached is None:
            return None
        return "the main roll decides whether the goal is reached; it has not been rolled"

    # The effect.

    def apply(self, play: Table) -> None:
        spending = self.spending(play)
        if spending is None:
            return
        roll, effort = spending.roll, spending.effort
        play.step.player = play.step.player or (effort or roll).player
        if effort is not None:
            spend_effort(play, spending, effort)
            return
        spend_hits(play, spending)
        settle(play, roll)


def _name_in_roll(roll: RollRecord, item: Item) -> str:
    """The name of a question under ``spend``."""
    return "goal" if item.goal and len(roll.goals) == 1 else item.text


def _spending_to_try(play: Table, roll: RollRecord) -> Iterator[dict[str, Any]]:
    hits = [die for die in roll.dice if die.hit]
    for turn, order in enumerate(islice(permutations(hits), 8)):
        bought: dict[str, Any] = {}
        waiting = [item for item in roll.items if item.paid is None]
        for die in order:
            fitting = [item for item in waiting if buys(die.face, need_of(play, roll, item))]
            if fitting and turn % 4 != 3:
                item = fitting[turn % len(fitting)]
                waiting.remove(item)
                bought[_name_in_roll(roll, item)] = str(die)
            elif "advantage" not in bought and turn % 2:
                bought["advantage"] = {f"a better place, {len(play.steps) + 1}": str(die)}
        yield {"spend": bought or "nothing", "by": roll.name}
    yield {"spend": "nothing", "by": roll.name}


def _effort_to_try(play: Table, roll: RollRecord, effort: EffortRecord) -> Iterator[dict[str, Any]]:
    hits = [str(die) for die in effort.dice if die.hit]
    aim = _name_in_roll(roll, roll.items[effort.aims[0]]) if effort.aims else ""
    if hits:
        yield {"spend": {OWN: hits[0]}, "by": effort.name}
    if hits and aim:
        yield {"spend": {aim: hits[-1]}, "by": effort.name}
    if len(hits) > 1 and aim:
        yield {"spend": {OWN: hits[0], aim: hits[1]}, "by": effort.name}
    yield {"spend": "nothing", "by": effort.name}


# --- the outcome ----------------------------------------------------------------------------------


class Outcome(Tells):
    """Tell how it went: the goal, and every danger that was not paid off."""

    verb = "outcome"
    synonyms = ("result", "consequence")
    by_dice = True
    decides = Decides("teller", "ZA31", kind=DiagnosticKind.SUSPICIOUS)
    offered = Offered("Z30", "tell how it went")
    example = "outcome: The bell comes up, and she without breath\n  comes true: the air runs out"
    story = main(TEXT, "how it went", default=None, text_role=TextRole.PROSE)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        last = play.state.roll()
        if last is not None and last.stage is Stage.SETTLED and play.state.call is None:
            entry = {"outcome": "And that is how it went"}
            true = [danger.text for danger in last.dangers if danger.well is False]
            yield entry
            yield {**entry, "reached": "yes" if all(goal.well for goal in last.goals) else "no"}
            if true:
                yield {**entry, "comes true": true}

    def sentence(self, play: Table) -> Sentence:
        return said("{} tells how it went.", play.step.player)

    # The parts of the entry.

    def roll_told(self, play: Table) -> RollRecord | None:
        """The roll that it tells of."""
        last = play.state.roll()
        return last if last is not None and last.stage in (Stage.ROLLED, Stage.SETTLED) else None

    def claimed(self, play: Table) -> list[Item]:
        """The questions that hits must have bought, if the purchases are not recorded."""
        roll = self.roll_told(play)
        if roll is None or roll.stage is not Stage.ROLLED:
            return []
        goals = roll.goals if self.reached else []
        items = [*goals, *dangers_meant(roll, self.avoided)]
        return [item for item in dict.fromkeys(items) if item.paid is None]

    def ending(self, play: Table) -> Ending | None:
        roll = self.roll_told(play)
        if roll is None:
            return None
        paid = {item: Payment("a hit", roll.name) for item in self.claimed(play)}
        return ending_of(roll, paid, bought=False)

    # Guards.

    @guard("Z30")
    def something_was_rolled(self, play: Table) -> Violation | None:
        if self.roll_told(play) is not None:
            return None
        message = "nothing has been rolled that could come out"
        return Violation(message, fix=add_entry("roll: ..."), since=0)

    @guard("Z28", DiagnosticKind.UNKNOWN)
    def spending_is_written(self, play: Table) -> Violation | None:
        roll = self.roll_told(play)
        if roll is None or roll.stage is not Stage.ROLLED or roll.brought == 0:
            return None
        message = "what the hits bought is not written"
        if roll.hits:
            message = f"where {roll.name}'s {plural(roll.hits, 'hit')} went is not written"
        return Violation(message, fix=add_entry("spend: ..."))

    @guard("Z28")
    def hits_suffice(self, play: Table) -> str | None:
        roll, count = self.roll_told(play), len(self.claimed(play))
        if roll is None or (roll.unrecorded and roll.pool.doubtful):
            return None
        spent = len(roll.wants) + sum(bool(die.use) for die in roll.dice)
        if roll.brought is not None:
            most = max(0, roll.brought - spent)
            dice = plural(most, "hit")
        else:
            most = max(0, len(roll.showings) - spent)
            dice = plural(most, "die", "dice")
        return f"{dice} cannot buy {count} things" if count > most else None

    @guard("Z43")
    def hits_are_high_enough(self, play: Table) -> Iterator[Violation]:
        roll, claimed = self.roll_told(play), self.claimed(play)
        if roll is None or not claimed or (roll.unrecorded and roll.pool.doubtful):
            return
        showings = Spending(roll, None, {}).showings
        faces = [die.highest for die in showings if buys(die.highest, roll.pool.hit)]
        needs = {item: need_of(play, roll, item) for item in claimed}
        too_high = [item for item in claimed if not can_buy(faces, [needs[item]])]
        for item in too_high if faces else ():
            yield Violation(
                f"no hit of this roll is high enough for '{item.text}': it takes {needs[item]} or more",
                "reached" if item.goal else "avoided",
                rule="Z43" if bar_of(play, item) else "Z25",
            )
        is_together = len(faces) >= len(claimed) and not too_high
        if is_together and not can_buy(faces, [*needs.values()]):
            hard = [item for item in claimed if needs[item] > roll.pool.hit]
            names = listed(f"'{item.text}'" for item in hard)
            yield Violation(f"the hits of this roll are not high enough for {names} together")

    # The effect.

    def apply(self, play: Table) -> None:
        play.step.tell(self.story)
        roll = self.roll_told(play)
        if roll is None:
            return
        if roll.stage is Stage.ROLLED:
            for item in self.claimed(play):
                item.paid = Payment("a hit", roll.name)
            settle(play, roll)
        roll.outcome_told = str(self.story or "")


# --- due next -------------------------------------------------------------------------------------


def due(play: Table) -> list[Obligation]:
    """The open obligations: a goal, dangers, dice, or hits to spend."""
    state = play.state
    roll = state.running()
    if roll is None:
        if state.call is None:
            return []
        return [Obligation(state.characters[state.call.asks].name, "a goal", "goal", "Z14")]
    if roll.stage is Stage.ROLLED:
        return [_hits_due(roll, "Z28")] if roll.goals else []
    return [*_dangers_due(play, roll), *_dice_due(roll)]


def _dangers_due(play: Table, roll: RollRecord) -> list[Obligation]:
    least, _ = dangers_due(play, roll)
    if not roll.goals or len(roll.dangers) >= least:
        return []
    waiting = silent(play, roll)
    missing = least - len(roll.dangers)
    if roll.grade or len(waiting) != missing:
        words = plural(missing, "danger").partition(" ")[2] + " to name"
        return [Obligation("", words, "danger", danger_rule(roll), missing, "danger")]
    return [Obligation(name, "a danger to name", "danger", "Z15") for name in waiting]


def _dice_due(roll: RollRecord) -> Iterator[Obligation]:
    for effort in roll.efforts:
        if not effort.rolled:
            yield from _pool_due(effort.name, effort.pool, effort.rule)
        elif not effort.spent and any(die.hit for die in effort.dice):
            yield _hits_due(effort, effort.rule)
    yield from _pool_due(roll.name, roll.pool, "Z16")


def _pool_due(name: str, pool: Pool, rule: str) -> Iterator[Obligation]:
    sources = {
        "d8": ((pool.d8, 1),),
        "d10": ((pool.d10, 1),),
        "adv": tuple(Counter(pool.reds).items()),
    }
    for die, count in pool.counts().items():
        if count and not pool.doubtful:
            kind = COLOURS[die]
            words = f"{kind} d6" if die in ("d6", "adv") else die
            yield Obligation(name, words, "roll", rule, count, kind, sources.get(die, ()))


def _hits_due(thrown: RollRecord | EffortRecord, rule: str) -> Obligation:
    hits = sum(die.hit for die in thrown.dice)
    words = (plural(hits, "hit").partition(" ")[2] if hits else "hits") + " to spend"
    return Obligation(thrown.name, words, "spend", rule, hits, "hit")


def whose_turn(play: Table) -> str:
    """The player on turn while a goal or a roll is due; empty if several are."""
    state, roll = play.state, play.state.running()
    if roll is None:
        return state.characters[state.call.asks].owner if state.call is not None else ""
    if roll.stage is Stage.ROLLED:
        return roll.player
    if len(roll.dangers) < dangers_due(play, roll)[0]:
        waiting = silent(play, roll)
        return waiting[0] if len(waiting) == 1 else ""
    effort = roll.waiting() or roll.unspent()
    return effort.player if effort is not None else roll.player


def odds(play: Table, owed: Sequence[Obligation]) -> list[str]:
    """The chances of the next dice."""
    roll = play.state.running()
    first = next((due.who for due in owed if due.verb == "roll"), "")
    if roll is None or not first:
        return []
    effort = _effort_of(roll, first)
    if effort is not None and not effort.rolled:
        return [f"{first}: {a_hit(_counting(play, effort))}"]
    return [told_odds(play, replace(roll, pool=_counting(play, roll)))]


def _effort_of(roll: RollRecord, name: str) -> EffortRecord | None:
    return next((effort for effort in roll.efforts if effort.name == name), None)


def _counting(play: Table, thrown: RollRecord | EffortRecord) -> Pool:
    """A pool whose hits are those that will count when it falls."""
    pool = replace(thrown.pool, hit=HIT)
    return replace(pool, hit=least_hit(play, pool, thrown.character or thrown.player))


def pad(play: Table, owed: Obligation) -> Pad | None:
    """Dice by their colour: five or more is a hit."""
    die = {"white": D6, "green": D8, "yellow": D10, "red": D6}.get(owed.kind)
    roll = play.state.running()
    if die is None or roll is None:
        return None
    hit = _counting(play, _effort_of(roll, owed.who) or roll).hit
    return Pad(die.faces, tuple(face for face in die.faces if int(face) >= hit), colour=owed.kind)


def faces_thrown(dice: Sequence[Thrown]) -> dict[str, Any]:
    """Faces by die, of the first roller."""
    names = {colour: die for die, colour in COLOURS.items()}
    first = dice[0].who if dice else ""
    return {names[throw.kind]: faces_as_typed(throw.faces) for throw in dice if throw.who == first}


def offers(play: Table, verb: str) -> Iterator[Offer]:
    """The questions that a hit can buy, with the dice that may pay (Z28), and the dangers of a roll."""
    roll = play.state.running()
    if roll is None or roll.stage is not Stage.ROLLED or verb not in ("spend", "outcome"):
        return
    hits = [die for die in roll.dice if die.hit and not die.use]
    for item in roll.items if verb == "spend" else ():
        need = need_of(play, roll, item)
        for die in hits if item.paid is None else ():
            if die.face >= need:
                yield Offer(("spend", _name_in_roll(roll, item), str(die)))
    if verb == "spend" and hits:
        yield Offer(("spend", "advantage"), "how it helps, and the die", needs_value=True)
    for item in roll.dangers:
        yield from (Offer((key, item.text)) for key in ("comes true", "avoided"))


# --- figures --------------------------------------------------------------------------------------


def hits_of_last_roll(play: Table, id: str) -> int | None:
    """The hits of the last roll; None if they are not known."""
    last = play.state.roll()
    return last.brought if last is not None and last.rolled else None


def set_hits(play: Table, id: str, stated: str) -> bool:
    """Z24: set the number of hits of a roll without recorded faces."""
    last = play.state.roll()
    if last is None or not last.unrecorded:
        return False
    last.hits_said = int(stated)
    return True


def hits_limits(play: Table, id: str) -> Limits:
    """Z24: how many hits the last roll can have: those that are recorded or have bought something, and no more than it
    has dice."""
    last = play.state.roll()
    if last is None or not last.rolled or last.pool.doubtful:
        return NOT_BELOW_ZERO
    spent = len(last.wants) + sum(bool(die.use) for die in last.dice)
    return Limits(max(last.hits, spent), len(last.showings), "Z24")


# --- entries that could not be read ---------------------------------------------------------------

_OF_A_ROLL = ("conflict", "goal", "danger", "help", "hinder", "roll", "spend", "outcome")
_OF_MARKS = ("mark", "offer", "new feature", "turn flaw", "magic")
_OF_THE_STORY = ("character", "scenario", "discover", "scene", "enter")


def doubt_what_follows(play: Table, problem: Diagnostic) -> None:
    """Mark the state that an unreadable entry may have changed as doubtful: its roll, marks and advantages.
    Without a character all state is doubtful."""
    state = play.state
    verb = most_likely_verb(problem, (*_OF_A_ROLL, *_OF_MARKS, *_OF_THE_STORY))
    keys = [f"dropped:{verb}"] if verb else []
    if verb in (*_OF_A_ROLL, *_OF_MARKS):
        figures = ("marks", "advantages", "features")
        keys += [f"{figure}:{id}" for figure in figures for id in state.characters]
    if verb == "character":
        keys.append("all:")
    if verb in (*_OF_A_ROLL, "character"):
        play.doubt = play.doubt or problem
        keys.append(f"roll:{len(state.rolls)}")
        # A conflict says whose goal comes next: without it that goal is uncertain as well.
        state.doubtful_rolls = len(state.rolls) + (verb == "conflict")
    for key in keys:
        play.tainted.setdefault(key, problem)


def end_doubt(play: Table, action: Action) -> None:
    """The doubt about a roll ends where the next one begins."""
    begins = isinstance(action, Goal) and len(play.state.rolls) >= play.state.doubtful_rolls
    if play.doubt is not None and (begins or isinstance(action, Conflict)):
        play.doubt = play.tainted.get("all:")


# --- who acts -------------------------------------------------------------------------------------


def _whose_dice(play: Table, action: Action) -> Sequence[str]:
    """Helpers and hinderers who have not rolled, then the roller."""
    roll = play.state.running()
    if roll is None:
        return ()
    waiting = [effort.player for effort in roll.efforts if not effort.rolled]
    return [player for player in (*waiting, roll.player) if player]


def _whose_hits(play: Table, action: Action) -> Sequence[str]:
    """Before the main roll the helpers and hinderers who have rolled, after it the roller."""
    roll = play.state.running()
    if roll is None:
        return ()
    unspent = [
        effort.player for effort in reversed(roll.efforts) if effort.rolled and not effort.spent
    ]
    spenders = [*unspent, roll.player] if roll.stage is Stage.GOAL else [roll.player, *unspent]
    return [player for player in spenders if player]


ROLES: Mapping[str, Role] = {}
ACTORS: Mapping[str, Decider] = {
    "dice": Decider(
        "the player with dice to roll: helpers and hinderers first",
        _whose_dice,
        "{by} rolls, and has no dice to roll; {due} may roll",
    ),
    "hits": Decider(
        "the player who has rolled",
        _whose_hits,
        "{by} spends dice that are not theirs; {due} may spend them",
    ),
}
