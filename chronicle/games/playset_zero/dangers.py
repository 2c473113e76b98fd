"""The questions beside the goal: who names which danger, and how many there are (Z15, Z45)."""

from __future__ import annotations

from chronicle.core.diagnostic import listed, plural
from chronicle.core.fix import drop_item, set_key
from chronicle.core.source import ScalarNode
from chronicle.games.playset_zero.actions import GRADES, NameDanger
from chronicle.games.playset_zero.state import Item, RollRecord
from chronicle.games.playset_zero.table import WITHOUT_WORDS, Table, others, plain, say_something

STANDARD_QUESTIONS = 3


def dangers_due(play: Table, roll: RollRecord) -> tuple[int, int]:
    """The least and the most dangers of a roll: one from each of the others (Z15), or as many as
    the grade of the situation asks beside the goal (Z45). Somebody absent may still be asked."""
    if roll.grade:
        count = GRADES[roll.grade] - len(roll.goals)
        return count, count
    if len(roll.goals) > 1:
        count = max(1, STANDARD_QUESTIONS - len(roll.goals))
        return count, max(count, 2)
    if play.ruling("participants") == "two":
        return 2, 2
    rest = others(play, roll.player)
    return min(len(rest), sum(1 for name in rest if name in play.present)), len(rest)


def name_danger(play: Table, action: NameDanger) -> None:
    """Z15: one danger, after the goal and before the dice."""
    roll = play.state.running()
    play.step.headline = "A danger"
    if roll is None:
        return
    if isinstance(action.danger, dict):
        for author, text in action.danger.items():
            add_danger(play, roll, author, text)
    elif action.by is None:
        play.unreadable("T56", "who names this danger?", fix=set_key("by"))
    else:
        add_danger(play, roll, action.by, action.danger)


def add_danger(play: Table, roll: RollRecord, author: ScalarNode, text: ScalarNode) -> None:
    """Z15: one danger from each of the other two, none from the roller."""
    who = play.player(author)
    key = f"dangers:{roll.number}"
    _, most = dangers_due(play, roll)
    named = [item for item in roll.dangers if item.author == who]
    known = [plain(item.text) for item in roll.dangers]
    rest = others(play, roll.player)
    say_something(play, text, "Z15", f"the danger that {who or author} names has no words", author)
    if who and who == roll.player:
        play.illegal(
            "Z15",
            f"{who} rolls and names a danger; each of the others names one",
            at=text,
            after=(key,),
        )
        play.taint(key)
    elif who and named and most <= len(rest):
        play.illegal(
            "Z15",
            f"{who} names a second danger; each of the others names one",
            at=text,
            facts=(play.because(named[0].step, "the first one"),),
            after=(key,),
        )
        play.taint(key)
    elif len(roll.dangers) >= most:
        play.illegal(
            "Z45" if roll.grade else "Z15",
            f"a {_ordinal(len(roll.dangers) + 1)} danger; this roll has {most}",
            at=text,
            fix=drop_item(str(text)),
            help="more questions need  grade: unusually complicated  and  options: [questions]",
            after=(key,),
        )
        play.taint(key)
    elif plain(text) in known:
        play.suspect(
            play.ruling("same_danger") == "no", "ZA23", "the same danger is named twice", at=text
        )
    else:
        play.suspect(
            _mere_failure(roll, text),
            "Z15",
            "this danger is only the failure of the goal; it should threaten either way",
            at=text,
        )
    words = str(text).strip() or WITHOUT_WORDS
    roll.dangers.append(Item(False, words, who or str(author), play.step.index))
    play.event(f"{who or author} names a danger: {words}", "Z15", "danger", roll.character)


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third", 4: "fourth"}.get(number, f"{number}th")


def _mere_failure(roll: RollRecord, text: str) -> bool:
    words = plain(text)
    goals = [plain(item.text) for item in roll.goals]
    fixed = ("failure", "the goal fails", "it fails", "goal not reached", "the goal is not reached")
    return words in fixed or words in goals or any(words == f"not {goal}" for goal in goals)


def ready(play: Table, roll: RollRecord) -> None:
    """Z15, Z45: before any dice fall, every danger has been named."""
    least, _ = dangers_due(play, roll)
    count = len(roll.dangers)
    missing = [
        name
        for name in others(play, roll.player)
        if name in play.present and name not in [item.author for item in roll.dangers]
    ]
    who = f"; {listed(missing)} {'has' if len(missing) == 1 else 'have'} named none"
    if count >= least:
        return
    play.illegal(
        "Z45" if roll.grade else "Z15",
        f"this roll has {plural(count, 'danger')}; there are {least}"
        + (who if missing and not roll.grade else ""),
        at=play.steps[roll.step - 1].action.place("dangers"),
        help="dangers: {who names it: danger}",
        since=roll.step,
        after=(f"dangers:{roll.number}",),
    )
    play.taint(f"dangers:{roll.number}")
