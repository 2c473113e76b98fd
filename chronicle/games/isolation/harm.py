"""Wounds, deaths and what they do to the map; recovery (I57, I58, I64 to I70, I78)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import ClassVar

from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import (
    BLANK,
    SetKey,
    add_entry,
    drop_key,
    make_fix,
    replace_with,
    write_word,
)
from chronicle.core.guards import Violation, guard
from chronicle.core.house_rules import answer
from chronicle.core.ranges import Range, exactly
from chronicle.core.source import ScalarNode
from chronicle.games.isolation import table
from chronicle.games.isolation.actions import Wounds
from chronicle.games.isolation.bounds import wounds_range
from chronicle.games.isolation.computed import WOUNDS
from chronicle.games.isolation.deaths import die, rest_is_unknown, wound_links
from chronicle.games.isolation.effects import after_harm
from chronicle.games.isolation.people import AboutPeople
from chronicle.games.isolation.state import Conflict, Health, PairKey, Person, Side, Stage
from chronicle.games.isolation.table import Table


def candidates(play: Table, conflict: Conflict) -> dict[str, bool]:
    """I67 and I78: who may be wounded. The value says whether the record knows that they are
    involved (a defaulted Neutral may or may not be near).
    """
    found: dict[str, bool] = {}
    people = play.state.people
    if play.ruling("active_wounded") == "yes":
        found[conflict.active] = True
    for hand in conflict.hands.values():
        if hand.who == conflict.active:
            continue
        side = hand.final or hand.stance
        if hand.late and play.ruling("effect_stance") == "first":
            side = Side.NEUTRAL
        if side is Side.HOSTILE:
            continue
        if hand.defaulted and play.ruling("defaulted_count") == "no":
            continue
        found[hand.who] = not hand.defaulted
    if conflict.against:
        found[conflict.against] = True
    if play.ruling("dying_absent") == "yes":
        for who in conflict.absent:
            if people[who].health is Health.DYING:
                found[who] = True
    return {who: known for who, known in found.items() if people[who].alive}


def wounds_due(play: Table, conflict: Conflict) -> Range:
    """I65, I66: how many wounds a result asks for, as far as anybody can take them."""
    level, people = conflict.level, play.state.people
    if not conflict.physical or level is None or not (conflict.dice or conflict.unrecorded):
        return exactly(0)
    if not level.failure:
        if conflict.against and conflict.dice and play.ruling("direct_wounds") == "success":
            return exactly(min(conflict.difference, _left(people[conflict.against])))
        return exactly(0)
    names = list(candidates(play, conflict))
    if play.ruling("surplus_wounds") == "hostile":
        names += [id for id in conflict.by_stance(Side.HOSTILE) if people[id].alive]
    room = sum(_left(people[id]) for id in names)
    if conflict.has_pool and conflict.has_versus:
        return exactly(min(answer(play, WOUNDS, conflict.versus - conflict.pool, conflict), room))
    due = wounds_range(level)
    most = room if due.highest is None else min(due.highest, room)
    return Range(min(due.lowest or 0, room), most)


def _left(person: Person) -> int:
    return int(Health.DEAD) - int(person.health)


def wounds(play: Table, action: Wounds) -> None:
    """The wounds are shared out."""
    state = play.state
    conflict = table.at_hand(play)
    play.step.headline = "Wounds: " + listed(
        f"{who} {count}" for who, count in action.wounds.items()
    )
    given = {
        who: (count, word)
        for word, count in action.wounds.items()
        if (who := table.character(play, word)) and count
    }
    found = len(play.diagnostics)
    if conflict is None or conflict.level is None:
        play.illegal(
            "I65",
            "nobody is wounded without a failed conflict",
            fix=add_entry("propose: ..."),
            help="the dice of a conflict come before its wounds",
            since=0,
        )
    elif _may_wound(play, conflict):
        _judge(play, conflict, given)
    if conflict is not None:
        conflict.wounds_step = play.step.index
        conflict.touch(play.step.index)
        _blame(play, action, conflict, given, sound=len(play.diagnostics) == found)
    dead = _apply(play, action, conflict, {who: count for who, (count, _) in given.items()})
    state.injured_step = play.step.index
    if conflict is None:
        return
    conflict.deaths.extend(dead)
    if state.conflict is conflict and conflict.level is not None:
        if any(not spread.settled for spread in state.spreads):
            conflict.stage = Stage.DEATHS
        else:
            after_harm(play, conflict)


def _blame(
    play: Table, action: Wounds, conflict: Conflict, wounded: Container[str], *, sound: bool
) -> None:
    """Note whose doing each wound was. Who is blamed for what nobody suffered is told where the wounds are
    ``sound``: else it may be them that are wrong."""
    for word, names in (action.blame or {}).items():
        who = table.character(play, word)
        deed = tuple(one for name in names if (one := table.character(play, name)))
        if who and who in wounded:
            conflict.blame[who] = deed
            if deed:
                are = "is" if len(deed) == 1 else "are"
                told = f"{listed(deed)} {are} to blame for the wound of {who}"
                play.event(told, "I69", "blamed", who)
        elif who and sound:
            play.illegal(
                "I69",
                f"{who} is not wounded here, so nobody is to blame for it",
                at=word,
                help="blame: {who is wounded: whose deed or omission it came from}",
            )


def _may_wound(play: Table, conflict: Conflict) -> bool:
    fact = (play.because(conflict.result_step, str(conflict.level)),)
    success = (
        bool(conflict.against) and play.ruling("direct_wounds") == "success" and conflict.physical
    )
    if conflict.level is not None and not conflict.level.failure and not success:
        return play.illegal("I65", f"nobody is wounded by a {conflict.level}", facts=fact)
    if not conflict.physical:
        return play.illegal(
            "I65",
            "this conflict was not physically threatening, so nobody is wounded",
            facts=(play.because(conflict.step, "proposed here"),),
            fix=make_fix(
                SetKey("physical", "yes", play.place_of_entry(conflict.step)), when="if it was"
            ),
        )
    if conflict.wounds_step:
        return play.illegal(
            "I66",
            "the wounds of this conflict were shared out before",
            facts=(play.because(conflict.wounds_step, "here"),),
        )
    return True


def _judge(play: Table, conflict: Conflict, given: dict[str, tuple[int, ScalarNode]]) -> None:
    """I66 to I68: the number, the candidates, the Dying first. The first fault found is named."""
    state = play.state
    total = sum(count for count, _ in given.values())
    allowed = candidates(play, conflict)
    if conflict.level is not None and not conflict.level.failure:
        allowed = {conflict.against: True}
    doubts = (
        f"conflict:{conflict.number}",
        *(f"dice:{conflict.number}:{who}" for who in conflict.hands),
        *(f"health:{who}" for who in (*conflict.hands, conflict.against)),
    )
    surplus = play.ruling("surplus_wounds") == "hostile"
    right = True
    for who, (count, word) in given.items():
        person = state.people[who]
        if not person.alive:
            right = False
        elif who not in allowed:
            full = all(
                given.get(other, (0, None))[0] >= _left(state.people[other]) for other in allowed
            )
            hand = conflict.hands.get(who)
            side = _part_of(conflict, who)
            right = play.require(
                surplus and full and side == "hostile",
                "I67",
                f"{who} is {side}; wounds go to those who helped or stood by",
                at=word,
                facts=(play.because(hand.stance_step, "taken here"),)
                if hand is not None and hand.stance_step
                else (),
                fix=replace_with(allowed),
                after=doubts,
            )
        elif count > _left(person):
            right = play.illegal(
                "I66",
                f"{who} is {person.health} and can take {plural(_left(person), 'wound')}, "
                f"not {count}",
                at=word,
                after=doubts,
                fix=write_word(_left(person)),
            )
    if not right or not play.require(
        Range(conflict.wounds_due, conflict.wounds_most).may_be(total),
        "I66",
        f"{_why_wounds(conflict)} {plural(conflict.wounds_due, 'wound')}, not {total}",
        at="main",
        facts=(play.because(conflict.result_step, str(conflict.level)),),
        help=f"candidates: {listed(allowed)}",
        after=(*doubts, f"pools:{conflict.number}", f"result:{conflict.number}"),
    ):
        _doubt_harm(play, {*allowed, *given})
        return
    _dying_first(play, allowed, given)


def _why_wounds(conflict: Conflict) -> str:
    """Why a result asks for as many wounds as it does, in words."""
    if conflict.has_pool and conflict.has_versus:
        return f"{conflict.versus} red odds less {conflict.pool} green evens make"
    bound = "" if conflict.wounds_most == conflict.wounds_due else " at least"
    return f"a {conflict.level} makes{bound}"


def _part_of(conflict: Conflict, who: str) -> str:
    hand = conflict.hands.get(who)
    if who == conflict.active:
        return "the Active"
    if hand is None:
        return "not involved"
    return str(hand.final or hand.stance or "without a stance")


def _doubt_harm(play: Table, names: Iterable[str]) -> None:
    """Who is hurt, and what stands between whom because of it, is in doubt from here on."""
    state = play.state
    for who in names:
        play.taint(f"health:{who}")
        table.doubt_pairs(play, (state.pair(who, other) for other in state.people if other != who))


def _dying_first(
    play: Table, allowed: dict[str, bool], given: dict[str, tuple[int, ScalarNode]]
) -> None:
    people = play.state.people
    spared = [
        who
        for who, known in allowed.items()
        if known and people[who].health is Health.DYING and who not in given
    ]
    others = [who for who in given if people[who].health is not Health.DYING]
    play.require(
        not (spared and others),
        "I68",
        f"{listed(spared)} is Dying and is wounded before {listed(others)}",
        at="main",
        facts=tuple(
            play.because(people[who].history[-1][0], f"{who} is Dying") for who in spared[:1]
        ),
        after=tuple(f"health:{who}" for who in (*spared, *others)),
    )
    if play.ruling("new_dying_first") == "yes":
        turned = [
            who
            for who, (count, _) in given.items()
            if people[who].health is not Health.DYING
            and int(people[who].health) + count == int(Health.DYING)
        ]
        play.require(
            len(turned) < 2,
            "I68",
            f"{listed(turned)} both turn Dying; by the reading of this table the first to do so "
            "takes the next wound",
            at="main",
        )


def _apply(
    play: Table, action: Wounds, conflict: Conflict | None, given: dict[str, int]
) -> list[str]:
    """Health goes down; the dead are taken off the map, then the wounded get their links."""
    why = conflict.words if conflict is not None else "wounded"
    dead: list[str] = []
    hurt: list[tuple[Person, Health]] = []
    for who, count in given.items():
        person = play.state.people[who]
        before = person.health
        after = Health(min(int(Health.DEAD), int(before) + count))
        table.set_health(play, person, after, "I65", why)
        if conflict is not None:
            conflict.wounds[who] = conflict.wounds.get(who, 0) + count
        if after is before:
            continue
        play.event(f"{who} is {after} (was {before})", "I64", "wounded", who)
        if after is Health.DEAD:
            person.died = play.step.index
            dead.append(who)
        else:
            hurt.append((person, before))
    for who in dead:
        die(play, who)
    drawn: dict[PairKey, list[str]] = {}
    for person, before in hurt:
        wound_links(play, person, before, drawn)
    if action.drawn is not None:
        _stated_drawn(play, action, drawn)
    return dead


def _stated_drawn(play: Table, action: Wounds, drawn: dict[PairKey, list[str]]) -> None:
    """I57: the wound links as the table drew them."""
    state = play.state
    stated = {
        key: [*map(str, labels)]
        for pair, labels in (action.drawn or {}).items()
        if (key := table.pair_of(play, pair)) is not None
    }
    missing: list[str] = []
    for key, due in drawn.items():
        told = [text.casefold() for text in stated.get(key, [])]
        for label in due:
            short = label.rpartition(" ")[2].casefold()
            match = next((t for t in (label.casefold(), short) if t in told), None)
            if match is None:
                missing.append(f"{state.name_of(key)}: {label}")
            else:
                told.remove(match)
    play.require(
        not missing,
        "I57",
        f"wound links are missing from the map: {'; '.join(missing)}",
        at="drawn",
        fix=drop_key("drawn"),
        help="every level passed makes one red link with each other character, Injured on the way "
        "to Dying too",
    )
    strange = [state.name_of(key) for key in stated if key not in drawn]
    play.require(not strange, "I57", f"nobody wounded here is in {listed(strange)}", at="drawn")


def unsettled(play: Table, conflict: Conflict) -> Iterator[Violation]:
    """I65, I58: wounds that nobody has shared out, and last links of the dead that nobody has placed."""
    if conflict.stage is Stage.RESULT:
        is_unknown = play.gap > conflict.result_step or conflict.unrecorded
        yield Violation(
            f"{plural(conflict.wounds_due, 'wound')} of a threatening {conflict.level} "
            "were never shared out",
            facts=[play.because(conflict.result_step, str(conflict.level))],
            fix=() if is_unknown else add_entry(f"wounds: {BLANK}"),
            after=() if is_unknown else [f"dice:{conflict.number}:{id}" for id in conflict.hands],
            finding=Finding.UNKNOWN if is_unknown else None,
            doubts=[f"health:{id}" for id in candidates(play, conflict)],
        )
    for spread in play.state.spreads:
        if not spread.settled:
            yield rest_is_unknown(play, spread)


class WaitsForWounds(AboutPeople):
    """An entry that comes when the wounds of the last result are shared out, and the dead are remembered."""

    before_deaths_only: ClassVar[bool] = False
    """Whether it may come while the last links of the dead are still to be placed."""

    @guard("I65")
    def harm_is_settled(self, play: Table) -> Iterator[Violation]:
        conflict = play.state.conflict
        if conflict is not None and conflict.stage in self.unsettled_stages():
            yield from unsettled(play, conflict)

    def unsettled_stages(self) -> tuple[Stage, ...]:
        """The stages of a conflict that it has to wait for."""
        return (Stage.RESULT,) if self.before_deaths_only else (Stage.RESULT, Stage.DEATHS)

    def settle_harm(self, play: Table) -> None:
        """Go on although wounds or links of the dead are not settled; what comes of them is lost."""
        conflict = play.state.conflict
        if conflict is not None and conflict.stage in self.unsettled_stages():
            settle_open(play, conflict)


def settle_open(play: Table, conflict: Conflict) -> None:
    """Play goes on although wounds or links of the dead are still due."""
    for spread in play.state.spreads:
        spread.settled = True
    after_harm(play, conflict)


def report_unsettled(play: Table, conflict: Conflict) -> None:
    """Say what is not settled, beside an entry that has no guards, and go on."""
    for violation in unsettled(play, conflict):
        play.report(
            violation.finding or Finding.ILLEGAL,
            violation.rule or "I65",
            violation.message,
            facts=violation.facts,
            fix=violation.fix,
            after=violation.after,
        )
        play.taint(*violation.doubts)
    settle_open(play, conflict)
