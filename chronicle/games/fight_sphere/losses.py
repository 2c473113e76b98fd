"""What losers say: points, falls, and who comes out of an Episode without players (F17, F52, F53, FA23)."""

from __future__ import annotations

from chronicle.core.diagnostic import listed, plural
from chronicle.core.fix import drop_key, replace_with
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere import table
from chronicle.games.fight_sphere.actions import Fall, Lose, Survivors
from chronicle.games.fight_sphere.aftermath import fates
from chronicle.games.fight_sphere.state import GLADIATOR, INHABITANT, Due, Fate, Gladiator, Round
from chronicle.games.fight_sphere.table import Table


def lose(play: Table, action: Lose) -> None:
    """F53: the loser says which Relationships pay for the Victories."""
    round_ = play.state.open_round
    play.step.headline = "Relationships pay"
    for word, points in action.points.items():
        g = table.gladiator(play, word)
        if g is None:
            continue
        due = round_.dues.get(g.id) if round_ is not None else None
        if round_ is None or due is None:
            play.illegal(
                "F53",
                f"{g.name} has no points to take off Relationships: "
                + (
                    "none was used in this roll"
                    if round_ is not None and g.id in round_.losses
                    else "no Encounter roll was lost"
                ),
                at=word,
            )
            continue
        _whose_choice(play, action, g)
        taken = _taken(play, g, due, points, round_)
        if taken is not None:
            _settle(play, g, due, taken, round_, word)
    fates(play, action.fate)


def _whose_choice(play: Table, action: Lose, g: Gladiator) -> None:
    owner = play.runner if g.npc else g.player
    who = play.step.player
    if action.by is not None and who:
        play.require(
            who in (owner, g.player),
            "F53",
            f"{who} takes points off {g.name}'s Relationships; {owner or 'the GM'} decides that",
            at="by",
        )


def _taken(
    play: Table, g: Gladiator, due: Due, points: dict[ScalarNode, int], round_: Round
) -> dict[str, int] | None:
    """The points by inhabitant; None once something was wrong that leaves no meaning."""
    taken: dict[str, int] = {}
    unused = False
    for word, amount in points.items():
        found = play.find(word, (INHABITANT, GLADIATOR), "inhabitant")
        if found is None:
            return None
        if found.id not in due.used:
            unused = True
            if found.id in round_.builds[g.id].free:
                play.suspect(
                    True,
                    "FA17",
                    f"{found.name} came in without payment; at this table only those paid for lose",
                    at=word,
                )
                taken[found.id] = amount
                continue
            play.illegal(
                "F53",
                f"{g.name} did not use {found.name} in this roll",
                at=word,
                fix=replace_with(play.names.all[npc].name for npc in due.used),
            )
        if not play.require(amount >= 0, "F53", f"{amount} points are no loss", at=word):
            return None
        taken[found.id] = amount
    total = sum(taken.values())
    if not unused and not play.require(
        total == due.points,
        "F53",
        f"{g.name} takes off {plural(total, 'point')}; the Victories come to {due.points}",
        at=next(iter(points), ScalarNode(g.name)),
        facts=(play.because(due.step, "lost here"),),
        after=(f"pool:{g.id}",),
    ):
        table.doubt(play, round_.members)
    return taken


def _settle(
    play: Table,
    g: Gladiator,
    due: Due,
    taken: dict[str, int],
    round_: Round,
    word: ScalarNode,
) -> None:
    if due.forced or due.settled:
        play.require(
            due.forced or taken == due.settled,
            "F53",
            f"{g.name} has taken the points off already",
            at=word,
            facts=(play.because(due.step, "here"),),
        )
        if due.forced:
            # The log wins: this is what the table took off.
            more = {npc: amount - due.settled.get(npc, 0) for npc, amount in taken.items()}
            table.settle_points(play, g, due, more, round_)
            due.settled = taken
        return
    if play.ruling("overkill_points") == "no":
        piled = [
            npc
            for npc, amount in taken.items()
            if amount > due.worth.get(npc, 0) + 1
            and any(taken.get(o, 0) <= worth for o, worth in due.worth.items() if o != npc)
        ]
        play.suspect(
            bool(piled),
            "FA19",
            f"{listed(play.names.all[npc].name for npc in piled)} is below zero already; at this "
            "table further points go to another",
            at=word,
        )
    table.settle_points(play, g, due, taken, round_)
    parts = listed(f"{amount} off {play.names.all[npc].name}" for npc, amount in taken.items())
    play.event(f"{g.name} takes {parts}", "F53", "shrinks", g.id)


def fall(play: Table, action: Fall) -> None:
    """F17, F52: how a defeated Gladiator leaves."""
    state = play.state
    g = table.gladiator(play, action.gladiator)
    if g is None:
        return
    play.step.headline = f"{g.name} falls"
    at = action.place("main")
    have = table.pool(play, g.id)
    beaten = g.fate in (Fate.OUT, Fate.DEAD)
    if not beaten and not play.given:
        rounds = state.encounters[-1].rounds if state.encounters else ()
        play.illegal(
            "F52",
            f"{g.name} has {plural(have, 'die', 'dice')} in the Conflict Pool and is not beaten; "
            "only below zero is",
            at=at,
            facts=(play.because(rounds[-1].result_step, "the last roll"),) if rounds else (),
            after=(f"pool:{g.id}", "rounds:"),
        )
        play.taint("turn")
        table.doubt(play, rounds[-1].members if rounds and g.id in rounds[-1].builds else [g.id])
    if beaten:
        play.require(
            not action.dies or g.fate is Fate.DEAD,
            "F17",
            f"{g.name} is played and dies in the Core only; outside it the Gladiator comes back on the "
            "next Layer",
            at="dies",
        )
        play.require(
            action.dies is not False or g.fate is not Fate.DEAD,
            "F17" if g.npc else "F69",
            f"{g.name} is an NPC Gladiator, and a defeated one is dead for good"
            if g.npc
            else f"{g.name} falls in the Core, where death is final",
            at="dies",
            fix=drop_key("dies"),
        )
    else:
        # The table says who fell, whatever the dice say.
        table.fell(play, g)
        episode = state.episode_of(g.id)
        if episode is not None:
            table.settle_episode(play, episode)
    if g.id not in state.falls:
        play.event(f"{g.name} leaves: {g.fate}", "F17" if g.npc else "F52", "leaves", g.id)
    state.falls[g.id] = play.step.fiction


def survivors(play: Table, action: Survivors) -> None:
    """FA23: nobody is left to play in an Episode; the GM says who lives."""
    state = play.state
    play.step.headline = "The GM names the survivors"
    named = table.gladiators(play, action.gladiators)
    waiting = [e for e in (state.layer.episodes if state.layer else ()) if e.needs_survivors]
    if not play.require(
        bool(waiting), "FA23", "no Episode was left to NPC Gladiators alone", at="main"
    ):
        return
    for episode in waiting:
        standing = state.standing(episode)
        live = [g for g in named if g.id in standing]
        if not live:
            continue
        play.suspect(
            len(live) > 1 and play.ruling("npc_only_episode") == "one",
            "FA23",
            f"{listed(g.name for g in live)} all live; at this table one does",
            at="main",
        )
        episode.needs_survivors = False
        for who in standing:
            if who not in [g.id for g in live]:
                table.fell(play, state.gladiators[who])
        for g in live:
            table.last_standing(play, episode, g)
