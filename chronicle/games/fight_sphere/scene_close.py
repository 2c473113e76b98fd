"""How the Scene at hand closes: what is still owed, and what goes back (F20, F22, F29, F37, F53)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.fix import add_entry
from chronicle.core.guards import Violation, guard
from chronicle.games.fight_sphere.state import (
    DIE,
    Conflict,
    Round,
    Stage,
    State,
)
from chronicle.games.fight_sphere.table import (
    WORD,
    Table,
    scene_known_from,
    turn_after_scene,
    turn_now,
)


def scene_debts(play: Table, words: str = "", harmed: Collection[str] = ()) -> Iterator[Violation]:
    """The obligations that are still open when the Scene at hand closes.

    Args:
        play: the state of play.
        words: the words that the closing entry tells.
        harmed: the ids of the inhabitants whose harm it tells.
    """
    state = play.state
    if play.given or play.gap > scene_known_from(play):
        return
    for conflict in state.open_conflicts:
        yield from _debts_of_conflict(play, conflict, words, harmed)
    if state.open_round is not None:
        yield from _debts_of_round(play, state.open_round)


class ClosesScene(Action):
    """What every verb guards that begins something new: the Scene at hand is complete."""

    @guard("F22")
    def last_scene_is_complete(self, play: Table) -> Iterator[Violation]:
        yield from scene_debts(play)


def shut_scene(play: Table, closing: str = "") -> None:
    """Close the Scene at hand. Dice gambled on a Conflict that was never rolled go back."""
    state, turn = play.state, turn_after_scene(play)
    if turn != turn_now(play):
        state.turn, state.turn_step, state.turn_after = turn
        state.catching_up = False
    _end_of_telling(play, closing)
    for contest in state.open_contests:
        if contest.stage is not Stage.BUILDING:
            continue
        for id in contest.members if isinstance(contest, Round) else [contest.who]:
            play.empty(f"gamble:{id}", f"pool:{id}", DIE, "F27", "not rolled")
        wagers_back(play, contest)
    state.open_conflicts, state.open_round = [], None
    state.scene_npcs, state.scene_guests, state.scene_step = [], [], 0
    state.scene_has_unnamed = False
    state.scene_closed = state.scene_nobodys = False


def is_waiting(state: State) -> bool:
    """Whether a Conflict of the Scene at hand waits for its dice."""
    return any(contest.stage is Stage.BUILDING for contest in state.open_contests)


def tell_close(play: Table, closing: str) -> None:
    """F29: close the story of the Scene. Rewards and cut-scenes can follow until the next Scene."""
    if is_waiting(play.state):
        shut_scene(play, closing)
        return
    _end_of_telling(play, closing)
    play.state.scene_guests, play.state.scene_closed = [], True


def _end_of_telling(play: Table, closing: str) -> None:
    scene = play.timeline.current
    if scene is not None:
        scene.last_step = play.step.number - (0 if closing else 1)
        scene.closing = closing


def _debts_of_conflict(
    play: Table, conflict: Conflict, words: str, harmed: Collection[str]
) -> Iterator[Violation]:
    name = play.state.gladiators[conflict.who].name
    key = f"conflict:{conflict.number}"
    if conflict.stage is Stage.BUILDING:
        if not conflict.guest or conflict.built:
            yield Violation(
                f"{name}'s Scene ends without its Conflict being rolled",
                rule="F22",
                kind=DiagnosticKind.ILLEGAL,
                facts=[play.because(conflict.step, "the Scene began here")],
                fix=add_entry(f"roll: {{{name}: ..., GM: ...}}"),
                after=["dropped:roll", key],
            )
        return
    if conflict.success is not False:
        return
    silent = [
        play.names.all[id].name
        for id in conflict.harm_due
        if id not in harmed
        and not told_of(play, id, conflict.result_step)
        and not mentions(words, play.names.all[id].name)
    ]
    failed = [play.because(conflict.result_step, "failed here")]
    if silent:
        harm = ", ".join(f"{name}: ..." for name in silent)
        yield Violation(
            f"nothing bad is told of {listed(silent)}, who stood by {name} in a failure",
            rule="F37",
            kind=DiagnosticKind.SUSPICIOUS,
            facts=failed,
            fix=add_entry(f"end scene:\nharm: {{{harm}}}"),
            after=["dropped:end scene", key],
        )
    if conflict.answer or play.ruling("cutscene") == "optional" or not play.state.npc_gladiators():
        return
    yield Violation(
        f"{name} failed, and no cut-scene with an NPC Gladiator followed",
        rule="FA22",
        kind=DiagnosticKind.SUSPICIOUS,
        facts=failed,
        fix=add_entry("cut scene: ...\ntext: ..."),
        after=["dropped:cut scene", "dropped:resume", "rounds:", key],
    )


def _debts_of_round(play: Table, round_: Round) -> Iterator[Violation]:
    names = play.names.all
    if round_.stage is Stage.BUILDING:
        dice = ", ".join(f"{names[id].name}: ..." for id in round_.members)
        yield Violation(
            "the Scene ends without the Encounter being rolled",
            rule="F22",
            kind=DiagnosticKind.ILLEGAL,
            facts=[play.because(round_.step, "framed here")],
            fix=add_entry(f"roll: {{{dice}}}"),
            after=["dropped:roll", "no roll"],
        )
        return
    lost = [play.because(round_.result_step, "lost here")]
    for due in round_.dues.values():
        if due.settled:
            continue
        points = plural(due.points, "point")
        are = "is" if due.points == 1 else "are"
        yield Violation(
            f"{names[due.who].name} has not said how {points} {are} taken off the Relationships used",
            rule="F53",
            kind=DiagnosticKind.ILLEGAL,
            facts=lost,
            fix=add_entry(f"lose: {{{names[due.who].name}: {{...: ...}}}}"),
            after=["dropped:lose"],
        )
    losers = [names[id].name for id in round_.losses if not play.state.gladiators[id].npc]
    if play.ruling("cutscene") != "all" or round_.answered:
        return
    if losers and play.state.npc_gladiators():
        yield Violation(
            f"{listed(losers)} lost, and no cut-scene followed",
            rule="FA22",
            kind=DiagnosticKind.SUSPICIOUS,
            facts=lost,
        )


def mentions(words: str, name: str, but: str = "") -> bool:
    """Whether words contain a word of a name that the name ``but`` does not have."""
    target = {word.casefold() for word in WORD.findall(name)}
    target -= {word.casefold() for word in WORD.findall(but)}
    return bool(target & {word.casefold() for word in WORD.findall(words)})


def told_of(play: Table, npc: str, first_step: int) -> bool:
    """Whether anything told since a step speaks of an inhabitant."""
    inhabitant_ = play.state.inhabitants[npc]
    return any(step >= first_step for step, _ in inhabitant_.harms) or told_name(
        play, inhabitant_.name, first_step
    )


def told_name(play: Table, name: str, first_step: int, but: str = "") -> bool:
    """Whether a text since a step has a word of a name that the name ``but`` does not have."""
    steps = (*play.steps[first_step - 1 :], play.step)
    return any(mentions(step.fiction, name, but) for step in steps)


def wagers_back(play: Table, contest: Conflict | Round) -> None:
    """F67: what judges gambled on a Conflict that was not decided is theirs again."""
    for wager in contest.wagers:
        id = wager.player
        play.move(f"wager:{id}", f"judgment:{id}", wager.dice, DIE, "F67", "not rolled")
