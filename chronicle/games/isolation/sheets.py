"""Setting up and leaving: the scenario, the cast, scenes, the end (I1 to I3, I14, I15, I79)."""

from __future__ import annotations

from collections.abc import Mapping

from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import BLANK, SetKey, drop_key, make_fix, set_key
from chronicle.core.source import ScalarNode
from chronicle.core.timeline import Scene
from chronicle.games.isolation import actions
from chronicle.games.isolation.state import CHARACTER, OUTSIDER, PAIR, STRESS, Person, StressChange
from chronicle.games.isolation.table import THREAT_ACCOUNT, Table, character

SHEET = ("profession", "plus", "minus", "bias", "goal")
_OPEN: Mapping[str, str] = dict.fromkeys(("plus", "minus"), "[..., ..., ...]")
"""What is to be said under a key of a sheet, where it is more than one thing."""


def scenario(play: Table, action: actions.Scenario) -> None:
    """I79 and I59: the place, the threat, and how tense it is at the start."""
    state = play.state
    play.step.headline = f"The scenario: {action.place_}"
    play.require(
        not state.scenario_step,
        "I79",
        "the scenario was set before",
        facts=play.facts(state.scenario_step, "here"),
        finding=Finding.BOOKKEEPING,
    )
    state.scenario_step = state.scenario_step or play.step.index
    state.place = str(action.at or action.place_)
    state.threat = str(action.threat or "")
    state.overlap = str(action.overlap or "")
    play.require(
        bool(state.threat or state.overlap),
        "I79",
        "nothing keeps the characters here: the scenario has no threat",
        fix=set_key("threat"),
        help="overlap:  says that the place itself is the threat",
    )
    if action.stress is not None:
        level = action.stress.to if action.stress.to is not None else action.stress.by or 0
        if not play.require(
            1 <= level <= 3 or play.given,
            "I59",
            f"the Stress Level starts at 1, 2 or 3, not at {level}",
            at="stress",
        ):
            play.taint("stress:")
        level = max(0, level)
        play.move(THREAT_ACCOUNT, STRESS, level - state.stress, STRESS, "I59", "the start")
        state.stress = level
        state.stress_history.append(StressChange(play.step.index, level, "start", "the start"))
        play.event(f"Stress starts at {level}", "I59", "stress")
    play.event(f"{state.place}; {state.threat or state.overlap}", "I79", "scenario")


def sheet(play: Table, action: actions.Sheet) -> None:
    """I1 to I3, I14, I15: a character on paper."""
    state = play.state
    name = str(action.name)
    id = play.names.mint(name, OUTSIDER if action.outside else CHARACTER)
    steps = {**state.outsiders, **{one: person.step for one, person in state.people.items()}}
    known = steps.get(id) or steps.get(name)
    if known:
        play.unreadable(
            "T53",
            f"{name} is there already",
            at="main",
            facts=(play.because(known, "introduced here"),),
            help="give this one another name",
        )
        return
    if "&" in name:
        play.unreadable(
            "T50",
            f"'{name}' reads like a pair of characters",
            at="main",
            help="a character's name has no & in it",
        )
        return
    written = [key for key in SHEET if getattr(action, key)]
    if action.outside:
        play.step.headline = f"Elsewhere: {name}"
        play.require(
            not written,
            "I15",
            f"{name} is not in the same boat and has no {listed(written, 'or')}",
            fix=drop_key(*written),
            help="or take 'outside' out if it is trapped with the others",
        )
        state.outsiders[id] = play.step.index
        play.names.add(id, OUTSIDER, name)
        play.event(f"{name} has no figures at all", "I15", "outsider", id)
        return
    play.step.headline = f"{name}, {action.profession or 'of no known profession'}"
    if play.step.fiction:
        play.step.fiction = f"**{play.step.headline}.** {play.step.fiction}"
    owner = play.step.player
    if not owner:
        if action.npc:
            owner = play.runner
        elif action.by is None:
            play.unreadable(
                "T56", f"whose character is {name}?", fix=(set_key("by"), set_key("npc", "yes"))
            )
    play.step.player = owner
    person = Person(
        id,
        owner,
        bool(action.npc) or (bool(play.runner) and owner == play.runner),
        play.step.index,
        str(action.profession or ""),
        tuple(map(str, action.plus)),
        tuple(map(str, action.minus)),
        str(action.bias or ""),
        str(action.goal or ""),
        action.place("bias"),
        late=bool(state.map_step) and not play.given,
    )
    found = len(play.step.diagnostics)
    _check_sheet(play, action, written)
    if len(play.step.diagnostics) > found:
        play.taint(f"sheet:{id}")
    _in_time(play, name, person.late)
    play.names.add(id, CHARACTER, name)
    for other in state.people:
        _name_pair(play, other, id)
    state.people[id] = person
    play.event(f"{name} is in it, played by {owner or 'somebody'}", "I1", "joins the cast", id)


def _check_sheet(play: Table, action: actions.Sheet, written: list[str]) -> None:
    if play.given:
        return
    missing = [key for key in SHEET if key not in written]
    words = {"plus": "Positive Descriptors", "minus": "Negative Descriptors"}
    if missing:
        play.illegal(
            "I1",
            f"{action.name}'s sheet has no {listed((words.get(k, k) for k in missing), 'and no')}",
            fix=make_fix(*(SetKey(key, _OPEN.get(key, BLANK)) for key in missing), is_open=True),
        )
        return
    plus, minus = len(action.plus), len(action.minus)
    if getattr(play.campaign.settings, "sheet", "recommended") == "free":
        return
    if not play.suspect(
        plus > 2 * minus,
        "I3",
        f"{action.name} has {plus} Positive Descriptors for {minus} Negative ones; "
        "at most twice as many are recommended",
        at="plus",
    ):
        play.suspect(
            (plus, minus) != (3, 3),
            "I2",
            f"{action.name} has {plus} Positive and {minus} Negative Descriptors; "
            "three of each are recommended",
            at=action.place("plus" if plus != 3 else "minus"),
        )


def _in_time(play: Table, name: str, late: bool) -> None:
    if not late:
        return
    fact = (play.because(play.state.map_step, "the map was finished here"),)
    message = f"{name} joins after play has begun; whoever is trapped is there from the start"
    if play.ruling("late_character") == "allowed":
        play.suspect(True, "I14", message, facts=fact)
    else:
        play.illegal("I14", message, facts=fact)


def _name_pair(play: Table, one: str, other: str) -> None:
    """Register 'Ruth & Basil' (either order, any word of each name) for figures of pairs."""

    def called(id: str) -> list[str]:
        return list(dict.fromkeys([id, *id.split()]))

    aliases = [
        f"{a} & {b}"
        for first, second in ((one, other), (other, one))
        for a in called(first)
        for b in called(second)
    ]
    play.names.add(f"{one} & {other}", PAIR, f"{one} & {other}", aliases[1:], words=False)


def open_scene(play: Table, action: actions.OpenScene) -> None:
    """A scene opens: title, place, who is there."""
    state = play.state
    state.scenes += 1
    cast = [who for word in action.with_ if (who := _present(play, word))]
    state.scene_cast = tuple(cast)
    play.open_scene(
        Scene(
            str(action.title),
            time=str(action.time or ""),
            place=str(action.at or ""),
            opener=play.step.player,
            cast=list(cast) or state.playing(),
        )
    )
    play.step.headline = str(action.title)


def _present(play: Table, word: ScalarNode) -> str:
    if word.casefold() in ("everybody", "all"):
        return ""
    named = play.find(word, (CHARACTER, OUTSIDER), "character")
    if named is None or named.kind == OUTSIDER:
        return ""
    return named.id


def end_scene(play: Table, action: actions.EndScene) -> None:
    """A scene is over."""
    current = play.timeline.current
    play.step.headline = "The scene ends"
    play.state.scene_cast = ()
    if current is not None:
        current.last_step = play.step.index
        current.closing = str(action.words or "")
    play.step.tell(action.words or None)


def out(play: Table, action: actions.Out) -> None:
    """I42: whoever leaves the scenario alive no longer counts among the Living Characters."""
    for word in action.who:
        who = character(play, word)
        if who and (person := play.state.people[who]).playing:
            person.out = play.step.index
            play.event(f"{who} is out of the scenario", "I42", "leaves", who)
    play.step.headline = f"Out of it: {listed(map(str, action.who))}"
    left = len(play.state.playing())
    play.event(plural(left, "character is", "characters are") + " left in it", "I42")


def end_scenario(play: Table, action: actions.EndScenario) -> None:
    """The scenario is over."""
    state = play.state
    state.over = play.step.index
    play.step.headline = "The scenario ends"
    play.step.tell(action.words or None)
    alive = [p.id for p in state.people.values() if p.alive]
    dead = [p.id for p in state.people.values() if not p.alive]
    play.event(
        f"Alive: {listed(alive) or 'nobody'}" + (f"; dead: {listed(dead)}" if dead else ""),
        kind="ends",
    )
