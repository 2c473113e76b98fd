"""Stated results: checked against the dice, if there are any (I46 to I54, I63)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import WHOLE, MapOf, choice, in_role
from chronicle.core.fix import add_entry, write_word
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import answer
from chronicle.core.play_field_types import PAIR
from chronicle.core.ranges import Range, exactly
from chronicle.core.sentences import Sentence
from chronicle.games.isolation.base_dice import copied
from chronicle.games.isolation.bounds import levels, pool_range, versus_range
from chronicle.games.isolation.computed import STRESS
from chronicle.games.isolation.dice import GREEN, RED, Throw
from chronicle.games.isolation.effects import (
    figures_of,
    form_unlabelled,
    forms_links,
    move_stress,
    plan,
)
from chronicle.games.isolation.people import AboutPeople, find_pair, paired_with_themselves
from chronicle.games.isolation.phases import WHILE_RUNNING
from chronicle.games.isolation.ratings import TALLY
from chronicle.games.isolation.resolution import follow, lacks_stances
from chronicle.games.isolation.state import (
    LEVELS,
    Conflict,
    Level,
    PairKey,
    Scope,
    Side,
    Stage,
    signed,
)
from chronicle.games.isolation.table import Table, at_hand, known_before_gap

_ORDER = {level: index for index, level in enumerate(Level)}
"""Levels, the best first."""


class Result(AboutPeople):
    """State the result, which Chronicle checks against the dice if there are any."""

    verb = "result"
    synonyms = ("outcome", "success", "failure")
    decides = Decides("table")
    moment = WHILE_RUNNING
    offered = Offered("I49", "state the result", weight=-1)
    example = "result: basic success\n  pool: 7\n  versus: 4\n  links: {Ruth & Basil: +1}"
    level = main(choice(*LEVELS), "the level of success or failure")
    pool = option(WHOLE, "green evens left after cancelling; checked", computed=True)
    versus = option(WHOLE, "red odds against them; checked", computed=True)
    links = option(
        MapOf(in_role("named", PAIR), TALLY),
        "{one & other: unlabelled links formed}; checked",
        computed=True,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        conflict = at_hand(play)
        if conflict is None or conflict.stage is Stage.DEATHS:
            return
        if conflict.level is not None:
            entry: dict[str, Any] = {"result": conflict.level.value}
            if conflict.dice:
                entry |= {"pool": conflict.pool, "versus": conflict.versus}
            if conflict.dice and conflict.formed:
                names = {play.state.name_of(pair): links for pair, links in conflict.formed.items()}
                entry["links"] = names
            yield entry
        elif conflict.unrecorded:
            yield {"result": levels(pool_range(conflict), versus_range(conflict))[1].value}
        elif play.state.stress <= 0 and not conflict.rolled_step:
            yield {"result": Level.BASIC_SUCCESS.value}

    def sentence(self, play: Table) -> Sentence:
        return (f"{Level(self.level)}.",)

    # The conflict, as the dice left it or as the entry decides it.

    def decided(self, play: Table) -> Conflict | None:
        """The conflict at hand, if dice have decided it, or an earlier entry has."""
        conflict = at_hand(play)
        return conflict if conflict is not None and conflict.level is not None else None

    def undecided(self, play: Table) -> Conflict | None:
        """The conflict at hand, if this entry decides it."""
        conflict = at_hand(play)
        return conflict if conflict is not None and conflict.level is None else None

    def is_unrecorded(self, play: Table, conflict: Conflict) -> bool:
        """Whether dice fell that the record does not have."""
        is_calm = play.state.stress <= 0 and not conflict.rolled_step
        may_lack = conflict.lacks_names or play.gap >= conflict.step
        return conflict.unrecorded or (not is_calm and may_lack)

    def ranges(self, play: Table, conflict: Conflict) -> tuple[Range, Range]:
        """The possible numbers of green evens and red odds, by the faces on record."""
        if not conflict.rolled_step and not self.is_unrecorded(play, conflict):
            return Range(0, None), Range(0, None)
        if conflict.lacks_names or any(
            gap.step_number > conflict.step and gap.step_number not in conflict.steps
            for gap in play.gaps.all_gaps
        ):
            # Dice may have been thrown, and stances taken, where the record is silent.
            return Range(0, None), Range(0, None)
        return pool_range(conflict), versus_range(conflict)

    # Guards: a result that dice have decided.

    @guard("I49")
    def something_was_proposed(self, play: Table) -> Violation | None:
        if at_hand(play) is not None:
            return None
        lost = play.gaps.latest_step_number()
        if not lost:
            return Violation("nothing was proposed that could have a result", since=0)
        return Violation(
            "the record does not say who proposed this; the stated result stands",
            kind=DiagnosticKind.UNKNOWN,
            facts=[play.because(lost, "the record does not say all here")],
        )

    @guard("I45", at="pool")
    def pool_agrees(self, play: Table) -> Violation | None:
        conflict = self.decided(play)
        if conflict is None or self.pool in (None, conflict.pool) or not conflict.has_pool:
            return None
        assert self.pool is not None
        return _wrong_pool(play, conflict, self.pool)

    @guard("I44", at="versus")
    def versus_agrees(self, play: Table) -> Violation | None:
        conflict = self.decided(play)
        if conflict is None or self.versus in (None, conflict.versus) or not conflict.has_versus:
            return None
        fact = play.because(conflict.result_step, f"{conflict.pool} against {conflict.versus}")
        return Violation(
            f"{conflict.against or 'the GM'} has {plural(conflict.versus, 'red odd')}, "
            f"not {self.versus}",
            facts=[fact],
            fix=write_word(conflict.versus),
            help="odd faces count; even ones take nothing away"
            if not conflict.against
            else "odd red faces count, less green evens of modifiers",
            since=play.before_gap("", conflict.step),
            after=[f"threat:{conflict.number}"],
            doubts=[f"result:{conflict.number}"],
        )

    @guard("I49", at="main")
    def level_agrees(self, play: Table) -> Violation | None:
        conflict, level = self.decided(play), Level(self.level)
        if conflict is None or level is conflict.level:
            return None
        assert conflict.level is not None
        sums = f"{conflict.pool} - {conflict.versus} = {signed(conflict.difference)}"
        has_figures = conflict.has_pool and conflict.has_versus
        return Violation(
            f"{sums if has_figures else 'what was stated'} is a {conflict.level}, not a {level}",
            fix=write_word(conflict.level.value),
            facts=[
                play.because(
                    conflict.result_step,
                    f"{conflict.pool} against {conflict.versus}" if has_figures else "stated here",
                )
            ],
            since=play.before_gap("", conflict.step),
            after=[f"result:{conflict.number}", *_dice_doubts(conflict)],
        )

    # Guards: a result that this entry decides.

    @guard("I63")
    def dice_were_rolled(self, play: Table) -> Violation | None:
        conflict = self.undecided(play)
        if conflict is None or self.is_unrecorded(play, conflict):
            return None
        is_rolled = conflict.rolled_step != 0
        if play.state.stress <= 0 and not is_rolled:
            return None
        return Violation(
            f"the GM has not rolled against {conflict.active}"
            if is_rolled
            else f"no dice were rolled, and Stress is {play.state.stress}; only at 0 is that allowed",
            rule="I44" if is_rolled else "I63",
            facts=[play.because(conflict.step, "proposed here")],
            since=known_before_gap(play, ["stress:"]),
            state_kind="tracks",
            fix=add_entry("difficulty: average\nroll: unrecorded"),
            after=["stress:"],
        )

    @question("I63", at="main")
    def without_dice_it_succeeds(self, play: Table) -> Violation | None:
        conflict, level = self.undecided(play), Level(self.level)
        is_calm = conflict is not None and play.state.stress <= 0 and not conflict.rolled_step
        if conflict is None or not is_calm or conflict.unrecorded or level is Level.BASIC_SUCCESS:
            return None
        return Violation(
            f"without dice most actions are a Basic Success, not a {level}",
            since=known_before_gap(play, ["stress:"]),
            state_kind="tracks",
        )

    @guard("I44", DiagnosticKind.UNKNOWN)
    def roll_is_on_record(self, play: Table) -> Violation | None:
        conflict = self.undecided(play)
        is_lost = conflict is not None and self.is_unrecorded(play, conflict)
        if conflict is None or conflict.unrecorded or not is_lost:
            return None
        return Violation(
            "the record does not say how this was rolled; the stated result stands",
            facts=[play.because(play.gaps.latest_step_number(), "a gap in the record")],
        )

    @guard("I49", at="main")
    def level_is_possible(self, play: Table) -> Violation | None:
        """The faces on record leave some levels, and not others."""
        conflict, level = self.undecided(play), Level(self.level)
        if conflict is None:
            return None
        pool, versus = self.ranges(play, conflict)
        if self.pool is not None and pool.may_be(self.pool):
            pool = exactly(self.pool)
        if self.versus is not None and versus.may_be(self.versus):
            versus = exactly(self.versus)
        worst, best = levels(pool, versus)
        if _ORDER[best] <= _ORDER[level] <= _ORDER[worst]:
            return None
        is_too_good = _ORDER[level] < _ORDER[best]
        limit = best if is_too_good else worst
        figures = f"{_evens(pool)} against {_odds(versus)}"
        is_exact = pool.is_known and versus.is_known
        how = (
            "is" if is_exact else "can be no better than" if is_too_good else "can be no worse than"
        )
        return Violation(
            f"{figures} {how} a {limit}, not a {level}",
            fix=write_word(limit.value) if is_exact or best is worst else (),
            facts=play.facts(conflict.rolled_step, "rolled here"),
            after=_dice_doubts(conflict),
            is_certain=True,
        )

    @guard("I45", at="pool")
    def pool_is_possible(self, play: Table) -> Violation | None:
        conflict = self.undecided(play)
        if conflict is None or self.pool is None:
            return None
        pool = self.ranges(play, conflict)[0]
        if pool.may_be(self.pool):
            return None
        return Violation(
            f"the faces on record leave {_evens(pool)}, not {self.pool}",
            rule="I46" if self.pool < 0 else "I45",
            facts=play.facts(conflict.rolled_step, "rolled here"),
            after=_dice_doubts(conflict),
            is_certain=True,
        )

    @guard("I44", at="versus")
    def versus_is_possible(self, play: Table) -> Violation | None:
        conflict = self.undecided(play)
        if conflict is None or self.versus is None:
            return None
        versus = self.ranges(play, conflict)[1]
        if versus.may_be(self.versus):
            return None
        return Violation(
            f"the faces on record show {_odds(versus)}, not {self.versus}",
            after=_dice_doubts(conflict),
            is_certain=True,
        )

    # Guards: links.

    @guard("I7")
    def links_are_between_two(self, play: Table) -> Iterator[Violation]:
        return paired_with_themselves(play, self.links or {})

    def after_result(self, play: Table) -> Conflict | None:
        """The conflict with its result."""
        conflict = at_hand(play)
        if conflict is None or conflict.level is not None:
            return conflict
        draft = copied(conflict)
        self._decide(play, draft)
        plan(play, draft)
        return draft

    @guard("I52")
    def links_agree(self, play: Table) -> Iterator[Violation]:
        conflict = self.after_result(play)
        if conflict is None or (conflict.level is not Level(self.level)):
            return
        for typed, tally in (self.links or {}).items():
            pair = find_pair(play, typed)
            if pair is None:
                continue
            due, name = conflict.formed.get(pair, 0), play.state.name_of(pair)
            if tally.green and tally.red:
                message = f"{name}: opposite links cancel, so only one colour is left"
                yield Violation(message, typed.first, rule="I54")
            elif tally.balance not in (due, self._possible(play, conflict, pair)):
                yield Violation(
                    f"{name} form {_words(due)}, not {_words(tally.balance)}: "
                    + _why_links(conflict, pair),
                    typed.first,
                    rule="I63"
                    if not (conflict.dice or conflict.unrecorded or due)
                    else "I52"
                    if (tally.balance or due) > 0
                    else "I53",
                    facts=[play.because(conflict.result_step, str(conflict.level))],
                    after=[f"result:{conflict.number}", f"conflict:{conflict.number}"],
                )

    def _possible(self, play: Table, conflict: Conflict, pair: PairKey) -> int | None:
        """The other possible number of links, if the stance is not recorded."""
        names = [id for id in pair if id != conflict.active]
        hand = conflict.hands.get(names[0]) if len(names) == 1 else None
        if hand is None or hand.late or not conflict.unrecorded:
            return None
        weight = conflict.level.weight if conflict.level is not None else 0
        if hand.defaulted and lacks_stances(play, conflict):
            turned = replace(hand, late=True, final=Side.HOSTILE)
            return weight if weight and forms_links(play, conflict, turned, weight) else 0
        if hand.stance is not None:
            return None
        return 0 if conflict.formed.get(pair) else weight

    # Effect.

    def _decide(self, play: Table, conflict: Conflict) -> None:
        """The stated result counts."""
        conflict.unrecorded = self.is_unrecorded(play, conflict)
        conflict.level = Level(self.level)
        conflict.dice = False
        conflict.result_step = play.step.number
        conflict.has_pool, conflict.has_versus = self.pool is not None, self.versus is not None
        conflict.pool, conflict.versus = self.pool or 0, self.versus or 0
        for hand in conflict.hands.values():
            if not hand.late:
                hand.final = hand.stance

    def apply(self, play: Table) -> None:
        conflict, level = at_hand(play), Level(self.level)
        if conflict is None:
            self._take_over(play, level)
            return
        conflict.touch(play.step.number)
        play.record_outcomes(conflict.steps)
        if conflict.level is not None:
            self._add_figures(play, conflict)
            return
        self._decide(play, conflict)
        how = "as it is recorded" if conflict.unrecorded else "without dice"
        play.event(f"{level}, {how}", "I49" if conflict.unrecorded else "I63", "level")
        follow(play, conflict, self._stated_links(play, conflict))

    def _stated_links(self, play: Table, conflict: Conflict) -> dict[PairKey, int]:
        """The stated links with characters whose stance is not recorded."""
        plan(play, conflict)
        pairs = {find_pair(play, typed): tally for typed, tally in (self.links or {}).items()}
        return {
            pair: tally.balance
            for pair, tally in pairs.items()
            if pair is not None and tally.balance == self._possible(play, conflict, pair)
        }

    def _add_figures(self, play: Table, conflict: Conflict) -> None:
        """Use stated figures that no earlier entry has stated."""
        if self.pool is not None and not conflict.has_pool:
            conflict.pool, conflict.has_pool = self.pool, True
            play.event(f"{_evens(exactly(self.pool))}, as stated", "I45", "pools")
        if self.versus is not None and not conflict.has_versus:
            conflict.versus, conflict.has_versus = self.versus, True
            play.event(f"{_odds(exactly(self.versus))}, as stated", "I44", "pools")

    def _take_over(self, play: Table, level: Level) -> None:
        """Apply the result of a proposal that the record does not have: Stress moves, and the stated links are formed.
        Other links are unknown."""
        if not play.gaps.latest_step_number():
            return
        play.event(f"{level}, as it is recorded", "I49", "level")
        last = play.state.last
        if last is not None and last.level is level:
            # It may be the result of the last proposal, which has changed these figures already.
            play.unrecorded(*figures_of(play, last))
            return
        for typed, tally in (self.links or {}).items():
            pair = find_pair(play, typed)
            if pair is not None and tally.balance:
                rule = "I52" if tally.balance > 0 else "I53"
                form_unlabelled(play, pair, tally.balance, str(level), rule)
        move_stress(play, answer(play, STRESS, -level.weight), str(level))


def _evens(number: Range) -> str:
    words = "green even" if number.is_known and number.highest == 1 else "green evens"
    return f"{number} {words}"


def _odds(number: Range) -> str:
    words = "red odd" if number.is_known and number.highest == 1 else "red odds"
    return f"{number} {words}"


def _dice_doubts(conflict: Conflict) -> list[str]:
    return [
        f"conflict:{conflict.number}",
        *(f"dice:{conflict.number}:{id}" for id in conflict.hands),
    ]


def _wrong_pool(play: Table, conflict: Conflict, stated: int) -> Violation:
    """Name the slip behind a wrong pool, where exactly one explains it."""
    slips = [(rule, message) for figure, rule, message in _slips(conflict) if figure == stated]
    rule, message = (
        slips[0]
        if len({rule for rule, _ in slips}) == 1
        else ("I45", "green evens of the Active and the Cooperative, less red odds of the Hostile")
    )
    sums = f"{conflict.evens} - {conflict.cancelled} = {conflict.pool}"
    return Violation(
        f"the pool is {sums if conflict.dice else conflict.pool}, not {stated}: {message}",
        rule=rule,
        facts=[play.because(conflict.result_step, "rolled here")],
        since=play.before_gap("", conflict.step),
        after=_dice_doubts(conflict),
        fix=write_word(conflict.pool),
        doubts=[f"result:{conflict.number}"],
    )


def _slips(conflict: Conflict) -> Iterator[tuple[int, str, str]]:
    """Wrong pools, each with the rule that it breaks, and the rule in words."""
    evens, cancelled = conflict.evens, conflict.cancelled
    active = (conflict.hands[conflict.active].throw or Throw()).of(RED).counted(RED)
    if evens < cancelled:
        yield evens - cancelled, "I46", "the pool never falls below 0"
    if conflict.scope is Scope.ALONE:
        message = "going it alone, the Active's own red odds cancel green evens"
        yield max(0, evens - (cancelled - active)), "I73", message
    else:
        message = "red odds of the Active play no part in the second reading"
        yield max(0, evens - cancelled - active), "I48", message
    for hand in conflict.hands.values():
        greens = (hand.throw or Throw()).of(GREEN).counted(GREEN)
        if not greens or hand.character == conflict.active:
            continue
        pool = max(0, evens + greens - cancelled)
        if hand.final is Side.NEUTRAL:
            yield pool, "I47", f"{hand.character} is Neutral and contributes nothing"
        elif hand.final is Side.HOSTILE:
            yield pool, "I46", f"green dice of {hand.character}, who is Hostile, do not count"


def _words(balance: int) -> str:
    if not balance:
        return "no unlabelled link"
    colour = "green" if balance > 0 else "red"
    return plural(abs(balance), f"unlabelled {colour} link")


def _why_links(conflict: Conflict, pair: PairKey) -> str:
    level = conflict.level
    if not (conflict.dice or conflict.unrecorded):
        return "a result without dice forms none"
    if conflict.active not in pair:
        return "links are formed with the Active only"
    partner = pair[0] if pair[1] == conflict.active else pair[1]
    hand = conflict.hands.get(partner)
    if hand is None:
        return f"{partner} took no part"
    side = hand.final or hand.stance
    if level is not None and not level.weight:
        return f"a {level} forms none"
    stance = f"is {side}" if side is not None else "has taken no stance"
    return f"{partner} {stance}, and it was a {level}"
