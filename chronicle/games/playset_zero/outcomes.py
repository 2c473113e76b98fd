"""What came of a roll: what was bought goes well, the rest goes wrong, and it is told (Z25 to Z30)."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.diagnostic import Fact, Finding, listed, plural
from chronicle.core.figures import in_words
from chronicle.core.fix import add_entry, replace_with
from chronicle.core.guards import Violation
from chronicle.core.source import ScalarNode
from chronicle.games.playset_zero.actions import Outcome, Spend
from chronicle.games.playset_zero.spending import bar_of, need_of
from chronicle.games.playset_zero.state import Item, RollRecord, Stage
from chronicle.games.playset_zero.table import Table, pick
from chronicle.games.playset_zero.verdicts import buys


def settle(play: Table, running: RollRecord) -> None:
    """Z29, Z30: what was bought goes well, everything else goes wrong."""
    running.stage = Stage.SETTLED
    running.settled = play.step.index
    bought = any(d.use for d in running.dice) or any(item.paid for item in running.items)
    lines: list[str] = []
    for item in running.items:
        item.well = bool(item.paid)
        if item.goal:
            verdict, kind = ("reached", "reached") if item.well else ("not reached", "missed")
        else:
            verdict = kind = "avoided" if item.well else "comes true"
        rule = ("Z25" if item.goal else "Z26") if item.well else "Z30" if bought else "Z29"
        line = f"{verdict}: {item.text}"
        if item.paid:
            line += f" (bought by {item.paid_by} with {_die_words(item.paid)})"
        lines.append(line)
        play.event(f"{line[0].upper()}{line[1:]}", rule, kind, running.character)
    lines.extend(f"advantage: {advantage.text}" for advantage in running.gained)
    if not running.rolled:
        return
    thrown = play.reopen(running.rolled)
    if thrown.contest is not None:
        goals = [item for item in running.items if item.goal]
        met = "reached" if all(item.well for item in goals) else "missed"
        hits = running.brought
        count = f"{in_words(hits) if hits else 'no'} {'hit' if hits == 1 else 'hits'}"
        came_to = "nobody counted the hits" if hits is None else count
        thrown.contest = thrown.contest._replace(
            outcome=tuple(lines),
            verdict=f"{came_to}: the goal is {met}" if goals else came_to,
        )


def _die_words(paid: str) -> str:
    die, _, face = paid.partition(" ")
    if not face:
        return paid
    name = {"adv": "a red", "d6": "a white", "d8": "the d8's", "d10": "the d10's"}.get(die, die)
    return f"{name} {face}"


def outcome(play: Table, action: Outcome) -> None:
    """Z29, Z30: told in the end; what the dice say is checked against it."""
    state = play.state
    running = state.running()
    play.step.headline = "How it goes"
    play.step.tell(action.story)
    if running is not None and running.stage is Stage.ROLLED:
        _as_told(play, action, running)
    last = state.roll()
    if last is None or last.stage is not Stage.SETTLED:
        play.illegal(
            "Z30",
            "nothing has been rolled that could come out",
            fix=add_entry("roll: ..."),
            since=0,
        )
        return
    last.told = str(action.story or "")
    judge(play, action, last)


def _as_told(play: Table, action: Outcome, running: RollRecord) -> None:
    """An outcome told without a word on where the hits went: taken at its word as far as the hits
    reach, and noted as not written."""
    claimed = [item for item in running.goals if action.reached and not item.paid]
    claimed += [item for item in _dangers(running, action.avoided) if not item.paid]
    if running.unrecorded or running.hits:
        play.unknown(
            "Z28",
            f"where {running.name}'s {plural(running.hits, 'hit')} went is not written"
            if running.hits
            else "what the hits bought is not written",
            fix=add_entry("spend: ..."),
        )
    if not running.unrecorded:
        play.require(
            len(claimed) <= running.hits,
            "Z28",
            f"{plural(running.hits, 'hit')} cannot buy {len(claimed)} things",
        )
    for item in claimed:
        _can_be_bought(play, running, item)
        item.paid, item.paid_by = "a hit", running.name
    settle(play, running)


def _can_be_bought(play: Table, running: RollRecord, item: Item) -> None:
    """Z43, Z39: wherever the hits went, one of them has to be high enough."""
    if running.unrecorded:
        return
    free = [die.face for die in running.dice if die.hit and not die.use]
    least = need_of(play, running, item)
    play.require(
        not free or any(buys(face, least) for face in free),
        "Z43" if bar_of(play, item) else "Z25",
        f"no hit of this roll is high enough for '{item.text}': it takes {least} or more",
        at="reached" if item.goal else "avoided",
    )


def judge(play: Table, action: Spend | Outcome, last: RollRecord) -> None:
    """Hold what was told against what was paid."""
    bought = any(d.use for d in last.dice) or any(item.paid for item in last.items)
    key = f"roll:{last.number}"
    _judge_goal(play, action, last, key)
    own = [e.danger for e in last.efforts if e.danger is not None]
    known = [*last.dangers, *own]
    names = [(item.text, item.author) for item in known]
    avoided: list[Item] = []
    for word in action.avoided:
        for item in _meant(play, word, known, names):
            avoided.append(item)
            play.require(
                item.well is not False,
                "Z26" if bought else "Z29",
                f"'{item.text}' stays away, but no hit was spent on it"
                if bought
                else f"no hit was spent, so '{item.text}' comes true",
                at=word,
                after=(key,),
            )
    if action.comes_true is None:
        return
    told: list[Item] = []
    for word in action.comes_true:
        for item in _meant(play, word, known, names):
            told.append(item)
            five = last.challenge and item.paid.endswith(" 5")
            play.require(
                item.well is not True,
                "Z39" if five else "Z26",
                f"'{item.text}' was paid off with a 5; a Challenge asks for 6 for the goal only"
                if five
                else f"'{item.text}' comes true, but a hit was spent to avoid it",
                at=word,
                after=(key,),
            )
    missing = [item for item in last.dangers if item.well is False and item not in told + avoided]
    play.suspect(
        bool(missing),
        "Z30",
        f"{listed(repr(item.text) for item in missing)} was not paid off and is not told as true",
        at="comes true",
        after=(key,),
    )


def _judge_goal(play: Table, action: Spend | Outcome, last: RollRecord, key: str) -> None:
    if action.reached is None or not last.goals:
        return
    reached = all(item.well for item in last.goals)
    place = action.place("reached")
    if action.reached and not reached:
        play.illegal(
            "Z25", "the goal is called reached, but no hit was spent on it", at=place, after=(key,)
        )
    elif reached and not action.reached:
        play.illegal(
            "Z25",
            "a hit was spent on the goal, so it is reached",
            at=place,
            facts=(Fact(f"bought with {_die_words(last.goals[0].paid)}"),),
            after=(key,),
        )


def _meant(
    play: Table, word: ScalarNode, items: list[Item], names: list[tuple[str, str]]
) -> list[Item]:
    found = pick(word, names)
    if not found:
        play.unreadable(
            "T50",
            f"this roll has no danger '{word}'",
            at=word,
            fix=replace_with(text for text, _ in names),
        )
    return [items[index] for index in found[:1]]


def lost(running: RollRecord, action: Spend) -> list[Item]:
    """What an entry that spends hits calls lost itself: a hit may be spent on it and not be enough."""
    told = _dangers(running, action.comes_true or ())
    return [*(running.goals if action.reached is False else ()), *told]


def _dangers(running: RollRecord, words: Iterable[ScalarNode]) -> list[Item]:
    """The dangers of a roll that some words mean."""
    names = [(item.text, item.author) for item in running.dangers]
    return [running.dangers[index] for word in words for index in pick(word, names)[:1]]


def unfinished(play: Table) -> Violation | None:
    """What is not written of a roll when play goes on without it: what its hits bought (Z28), or its dice (Z14)."""
    running = play.state.running()
    if running is None or play.gap > running.step:
        return None
    if running.stage is Stage.ROLLED:
        return Violation(
            f"what {running.name}'s {plural(running.hits, 'hit')} bought is not written",
            facts=(play.because(running.rolled, "rolled here"),),
            fix=add_entry("spend:", when="if nothing was bought"),
            help="or  spend: {goal: the die}",
            rule="Z28",
            finding=Finding.UNKNOWN,
        )
    return Violation(
        f"{running.name}'s goal '{running.goal}' was never rolled for",
        facts=(play.because(running.step, "stated here"),),
        fix=add_entry("roll: ..."),
    )


def end_roll(play: Table) -> None:
    """Play goes on while a roll is unfinished: hits that nobody spent buy nothing (Z29), and a goal that was never
    rolled for is dropped."""
    running = play.state.running()
    if running is None:
        return
    if running.stage is Stage.ROLLED:
        settle(play, running)
    else:
        running.stage = Stage.DROPPED


def leave_roll(play: Table) -> None:
    """Report an unfinished roll, and end it."""
    left = unfinished(play)
    if left is not None:
        play.report(
            left.finding or Finding.SUSPICIOUS,
            left.rule or "Z14",
            left.message,
            facts=left.facts,
            fix=left.fix,
            help=left.help,
        )
    end_roll(play)
