"""What may come next in Playset Zero, for the verbs that have no guards yet: for ``explain``, for editors, and for
random play. The others are derived."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from random import Random
from typing import Any

from chronicle.core.answers import Offer, Option
from chronicle.core.play import Play
from chronicle.games.playset_zero.actions import GRADES, Playset
from chronicle.games.playset_zero.dangers import dangers_due
from chronicle.games.playset_zero.marks import marks_of
from chronicle.games.playset_zero.spending import need_of
from chronicle.games.playset_zero.state import (
    SIDES,
    Character,
    EffortRecord,
    Pool,
    Rolled,
    RollRecord,
    Stage,
    State,
)
from chronicle.games.playset_zero.table import others

ENOUGH_ROLLS = 4
"""Before so many rolls nobody proposes to stop."""

Table = Play[State]
Entry = dict[str, Any]

_NAMES = ("Asta Roe", "Bram", "Ciss", "Dagny Vale", "Emil")
_DEEDS = ("Cross the yard unseen", "Talk the guard round", "Reach the roof", "Find the letter")
_BAD = ("a dog wakes", "the lamp goes out", "somebody is hurt", "the price goes up")
_WORDS = ("patient", "well read", "owes a debt", "an old key", "swims", "lies well", "a good coat")


def options(play: Table) -> Iterable[Option]:
    """Every legal move of this moment, each with a way to write one."""
    state = play.state
    if state.over:
        return []
    if not state.scenario or not (state.rolls or all(map(state.of, play.seats))):
        return []
    roll = state.running()
    if roll is not None and roll.stage is Stage.ROLLED:
        return [
            Option(
                "spend", roll.player, "say what each hit buys", "Z28", partial(_spend, play, roll)
            )
        ]
    if roll is not None:
        return _before_the_roll(play, roll)
    return _free(play)


def offers(play: Table, verb: str, by: str) -> Iterator[Offer]:
    """What a hit can buy, with the dice that may pay for it (Z28), and the dangers of a roll."""
    roll = play.state.running()
    if roll is None or roll.stage is not Stage.ROLLED or verb not in ("spend", "outcome"):
        return
    hits = [die for die in roll.dice if die.hit and not die.use]
    for item in roll.items if verb == "spend" else ():
        name = "goal" if item.goal and len(roll.goals) == 1 else item.text
        need = need_of(play, roll, item)
        for die in hits if not item.paid else ():
            if die.face >= need:
                yield Offer(("spend", name, str(die)))
    if verb == "spend" and hits:
        yield Offer(("spend", "advantage"), "how it helps, and the die", opens=True)
    for item in roll.dangers:
        yield from (Offer((key, item.text)) for key in ("comes true", "avoided"))


def _in_force(play: Table, option: str) -> bool:
    settings = play.campaign.settings
    return isinstance(settings, Playset) and option in settings.options


def _entry(verb: str, value: Any, **more: Any) -> Entry:
    return {verb: value, **{key: item for key, item in more.items() if item not in (None, [], {})}}


def _number(play: Table) -> int:
    return len(play.steps) + 1


# --- a roll under way -----------------------------------------------------------------------------


def _before_the_roll(play: Table, roll: RollRecord) -> Iterator[Option]:
    least, _ = dangers_due(play, roll)
    named = [item.author for item in roll.dangers]
    rest = others(play, roll.player)
    if len(roll.dangers) < least:
        waiting = [name for name in rest if name not in named] or rest
        yield from [
            Option.plain(
                "danger",
                name,
                f"{name} names a danger",
                "Z15",
                f"{_BAD[len(named) % 4]}, {_number(play)}",
                by=name,
            )
            for name in waiting
        ]
        return
    effort = roll.waiting()
    if effort is not None:
        hint = f"{effort.name} rolls two dice first"
        yield Option("roll", effort.player, hint, "Z44", partial(_roll, effort.pool, effort.name))
        return
    unspent = roll.unspent()
    if unspent is not None:
        hint = f"{unspent.name} says where the dice go"
        by = partial(_spend_effort, play, roll, unspent)
        yield Option("spend", unspent.player, hint, "Z41", by)
        return
    yield Option(
        "roll",
        roll.player,
        f"{roll.name} rolls",
        "Z16",
        partial(_roll, roll.pool, roll.name or roll.player),
    )
    if _in_force(play, "helping"):
        busy = [roll.character, *(effort.character for effort in roll.efforts)]
        for who in play.state.characters.values():
            if who.owner and who.id not in busy:
                helping = partial(_effort, play, roll, who, False)
                hindering = partial(_effort, play, roll, who, True)
                yield Option("help", who.owner, f"{who.name} may help", "Z41", helping)
                yield Option("hinder", who.owner, f"{who.name} may hinder", "Z42", hindering)


def _roll(pool: Pool, by: str, rng: Random) -> Entry:
    thrown = {
        die: [rng.randint(1, SIDES[die]) for _ in range(count)]
        for die, count in pool.counts().items()
        if count
    }
    faces = {die: each if len(each) > 1 else each[0] for die, each in thrown.items()}
    return _entry("roll", faces, by=by)


def _support(play: Table, who: Character, rng: Random) -> dict[str, Any]:
    """Features, a circumstance, advantages and marks for somebody's dice."""
    more: dict[str, Any] = {}
    features = rng.sample(who.present(), min(len(who.present()), rng.choice((0, 1, 1, 2))))
    if features:
        more["use"] = [f.text for f in features]
    if len(features) > 1:
        more["for"] = "both of them matter here"
    magical = [f.magic for f in features if f.magic is not None]
    uses = [use for note in magical for use in note.uses]
    if len(magical) == 1 and uses:
        more["good for"] = rng.choice(uses)
    if rng.random() < 0.3:
        more["because"] = "the ground is known"
    held = who.held()
    if held and rng.random() < 0.5:
        more["advantage"] = rng.choice(held).text
    if marks_of(play, who) and rng.random() < 0.05:
        more["mark"] = 1
    return more


def _effort(play: Table, roll: RollRecord, who: Character, hinders: bool, rng: Random) -> Entry:
    aim = rng.choice(["goal", *(item.text for item in roll.dangers)])
    more = _support(play, who, rng)
    if not more and rng.random() < 0.5:
        faces = [rng.randint(1, 6), rng.randint(1, 6)]
        more["roll"] = {"d6": faces}
    return _entry(
        "hinder" if hinders else "help",
        aim,
        by=who.name,
        how="with both hands",
        danger=f"{rng.choice(_BAD)} again, {_number(play)}",
        **more,
    )


def _spend(play: Table, roll: RollRecord, rng: Random) -> Entry:
    bought: dict[str, Any] = {}
    advantages: dict[str, str] = {}
    open_items = [item for item in roll.items if not item.paid]
    for die in rng.sample(roll.dice, len(roll.dice)):
        if not die.hit:
            continue
        fitting = [item for item in open_items if die.face >= need_of(play, roll, item)]
        if fitting and rng.random() < 0.85:
            item = rng.choice(fitting)
            open_items.remove(item)
            bought["goal" if item.goal and len(roll.goals) == 1 else item.text] = str(die)
        elif not advantages and rng.random() < 0.5:
            advantages[f"a better place, {_number(play)}"] = str(die)
    if advantages:
        bought["advantage"] = advantages
    return _entry("spend", bought or "nothing", by=roll.name or roll.player)


def _spend_effort(play: Table, roll: RollRecord, effort: EffortRecord, rng: Random) -> Entry:
    bought: dict[str, Any] = {}
    free: list[Rolled] = [d for d in effort.dice if d.hit]
    if free and effort.danger is not None and rng.random() < 0.6:
        bought["own danger"] = str(free.pop())
    item = roll.items[effort.aims[0]] if effort.aims else None
    if item is not None and free and (effort.hinders or not item.paid):
        die = free.pop()
        if effort.hinders or die.face >= need_of(play, roll, item):
            bought["goal" if item.goal else item.text] = str(die)
    return _entry("spend", bought or "nothing", by=effort.name)


# --- between rolls --------------------------------------------------------------------------------


def _free(play: Table) -> Iterator[Option]:
    state = play.state
    if state.call is not None:
        asked = state.characters[state.call.asks]
        yield _goal(play, asked)
        return
    last = state.roll()
    if last is not None and last.stage is Stage.SETTLED and not last.told and last.goals:
        story = "And that is how it went"
        yield Option.plain("outcome", play.runner, "tell how it went", "Z30", story)
    for who in state.characters.values():
        yield Option.plain(
            "conflict",
            play.runner,
            f"something is uncertain for {who.name}",
            "Z13" if who.npc else "Z12",
            "Somebody is at the door",
            asks=who.name,
        )
        yield _goal(play, who)
    if len(state.rolls) >= ENOUGH_ROLLS:
        yield Option.plain("end scenario", "", "the table calls it a day", "Z2", "Dawn")


def _goal(play: Table, who: Character) -> Option:
    def entry(rng: Random) -> Entry:
        more = _support(play, who, rng)
        if _in_force(play, "challenge") and rng.random() < 0.2:
            more["challenge"] = "yes"
        if _in_force(play, "questions") and rng.random() < 0.3:
            more["grade"] = rng.choice(list(GRADES))
        elif rng.random() < 0.6:
            number = _number(play)
            more["dangers"] = {
                name: f"{_BAD[index % 4]}, {number} {name}"
                for index, name in enumerate(others(play, who.owner))
            }
        return _entry("goal", f"{rng.choice(_DEEDS)}, {_number(play)}", by=who.name, **more)

    return Option("goal", who.owner, f"{who.name} states a goal", "Z14", entry)
