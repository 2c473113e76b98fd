"""What may come next in Fight Sphere: for ``explain``, for editors, and for random play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from chronicle.core.diagnostic import listed, plural
from chronicle.core.rulebook import Option
from chronicle.games.fight_sphere.actions import CORE, FightSphereSettings
from chronicle.games.fight_sphere.build import GM_SIDE, bond_dice, build_order, shared
from chronicle.games.fight_sphere.scenes import broken_off, failure
from chronicle.games.fight_sphere.state import (
    Conflict,
    Drive,
    Encounter,
    Episode,
    Fate,
    Gladiator,
    Round,
    Stage,
    pair,
)
from chronicle.games.fight_sphere.table import Table, barred_for, on_turn, survivor

Entry = Callable[[Random], dict[str, Any]]

_NAMES = ("Agate", "Birch", "Cobalt", "Dray", "Ember", "Flint", "Garnet", "Hollow", "Iron", "Jet")
_FOLK = ("Mina", "Old Tom", "Sister Wick", "The Cook", "Little Ann")
_DRIVES = ("the ones left behind", "a debt", "one last song", "curiosity")
_TITLES = ("The pump fails", "A toll is asked", "The choir is hungry", "Rust rain")
_WORDS = ("Steam closes over it", "Somebody laughs", "They carry the lamp away")


def situation(play: Table) -> str:
    """Where play is, in one sentence."""
    state = play.state
    if state.over:
        return "The game is over."
    if not state.layers:
        return "Gladiators are made; the first Layer has not begun."
    last = survivor(state)
    if last is not None:
        return f"{last.name} is the survivor; {last.player} tells the epilogue."
    round_ = state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        return _of_building(play, round_)
    for conflict in state.open_conflicts:
        if conflict.stage is Stage.BUILDING:
            name = state.gladiators[conflict.who].name
            what = "is about to roll" if conflict.built else "builds a roll"
            return f"{name} {what} against {plural(conflict.tv, 'die', 'dice')}."
    layer = state.layers[-1]
    if state.layer_done():
        return f"{layer.name[:1].upper()}{layer.name[1:]} is done; the next one may begin."
    return f"{_owed(play)}{_turn(play)}"


def _of_building(play: Table, round_: Round) -> str:
    names = play.state.gladiators
    waiting = [names[who].name for who in build_order(play, round_) if who not in round_.builds]
    if not waiting:
        return "All have built: betrayals and judges now, then the roll."
    if round_.initiative not in round_.builds:
        return f"Encounter: {waiting[0]} has the Initiative and builds first."
    return f"Encounter: {waiting[0]} builds next, gambling at most {round_.limit}."


def _owed(play: Table) -> str:
    state = play.state
    round_ = state.open_round
    if round_ is not None:
        owing = [d.who for d in round_.dues.values() if not d.settled]
        if owing:
            return f"{listed(state.gladiators[w].name for w in owing)} still owes points. "
    for conflict in state.open_conflicts:
        name = state.gladiators[conflict.who].name
        if conflict.success and not conflict.reward:
            return f"{name} may take a reward. "
        if conflict.success is False and not conflict.answer and state.npc_gladiators():
            return f"{name} failed: a cut-scene, or a resumption. "
    return ""


def _turn(play: Table) -> str:
    state = play.state
    if not state.turn:
        return "Any player may take the next turn."
    g = state.played_by(state.turn)
    if g is None:
        return f"{state.turn} is on turn."
    if g.id in state.resumptions:
        npc = state.gladiators[state.resumptions[g.id][0]].name
        return (
            f"{state.turn} is on turn, bound to the Encounter with {npc}, who has the Initiative."
        )
    encounter = state.encounter_of(g.id)
    if encounter is not None:
        others = listed(state.gladiators[w].name for w in encounter.members if w != g.id)
        return f"{state.turn} is on turn, bound to the Encounter with {others}."
    return f"{state.turn} is on turn with {g.name}."


def options(play: Table) -> list[Option]:
    """Every kind of legal move of this moment, each with a way to write one."""
    state = play.state
    if state.over:
        return []
    if not state.layers:
        return _making(play)
    round_ = state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        return _building(play, round_)
    for conflict in state.open_conflicts:
        if conflict.stage is Stage.BUILDING and not (conflict.guest and not conflict.built):
            return _ordinary(play, conflict)
    owed = _after_roll(play)
    if owed is not None:
        return owed
    extra = _closing(play)
    last = survivor(state)
    if last is not None:
        return [
            Option(
                "epilogue",
                last.player,
                f"{last.player} tells what comes after",
                "F71",
                _fixed("epilogue", "The door was never locked"),
            ),
            *extra,
        ]
    if any(e.needs_survivors for e in state.layers[-1].episodes):
        return [_survivors(play), *extra]
    if state.layer_done():
        return [*_between(play), *extra]
    return [*_turns(play), *_truces(play), *extra]


def _fixed(verb: str, value: Any, **more: Any) -> Entry:
    entry = {verb: value, **{key: item for key, item in more.items() if item is not None}}
    return lambda rng: dict(entry)


def _pick(rng: Random, items: tuple[str, ...]) -> str:
    return rng.choice(items)


# --- before the first Layer -------------------------------------------------------------------------


def _making(play: Table) -> list[Option]:
    state = play.state
    settings = play.campaign.settings
    least = max(2, settings.gladiators) if isinstance(settings, FightSphereSettings) else 2
    found: list[Option] = []
    if not state.world:
        found.append(
            Option("world", "", "agree on the former world", "F72", _fixed("world", "Ours, later"))
        )
    for player in play.seats:
        made = state.of_player(player)
        if len(made) < least:
            found.append(
                Option("gladiator", player, f"{player} makes a Gladiator", "F1", _new(play, player))
            )
        elif len([g for g in made if not g.npc]) != 1:
            found.append(
                Option(
                    "choose",
                    player,
                    f"{player} picks the one to play",
                    "F1",
                    _choice_of([g.name for g in made]),
                )
            )
    if any(option.verb in ("gladiator", "choose") for option in found):
        return found
    return [
        *found,
        Option(
            "inhabitant",
            play.runner,
            "introduce somebody who lives here",
            "F72",
            lambda rng: {"inhabitant": _pick(rng, _FOLK), "community": "the Lamplighters"},
        ),
        Option("layer", "", "begin on the surface", "F12", _layer(play)),
    ]


def _choice_of(names: list[str]) -> Entry:
    return lambda rng: {"choose": rng.choice(names)}


def _new(play: Table, player: str) -> Entry:
    taken = len(play.state.gladiators)
    name = _NAMES[taken % len(_NAMES)] + (" II" if taken >= len(_NAMES) else "")

    def entry(rng: Random) -> dict[str, Any]:
        drive = rng.choice(["death wish", "reason to live"])
        made: dict[str, Any] = {
            "gladiator": name,
            "by": player,
            drive: _pick(rng, _DRIVES),
            "weapon": "a length of chain",
        }
        if play.state.of_player(player) and rng.random() < 0.7:
            made["npc"] = "yes"
        return made

    return entry


# --- between Layers ---------------------------------------------------------------------------------


def _between(play: Table) -> list[Option]:
    state = play.state
    found = [Option("layer", "", "begin the next Layer", "F18", _layer(play))]
    for g in state.gladiators.values():
        if g.fate is Fate.DEAD or g.traded or g.drive is None:
            continue
        found.append(
            Option(
                "trade",
                g.player,
                f"{g.name} may trade for a {g.drive.other}",
                "F7",
                _fixed(
                    "trade",
                    g.name,
                    **{_key(g.drive.other): "what happened here", "because": "it happened in play"},
                ),
            )
        )
    return found


def _key(drive: Drive) -> str:
    return str(drive).casefold()


def _layer(play: Table) -> Entry:
    state = play.state

    def entry(rng: Random) -> dict[str, Any]:
        number: int | str = state.layers[-1].number + 1 if state.layers else 1
        played = [g.name for g in state.played()]
        free = [g.name for g in state.npc_gladiators()]
        if not free:
            return {"layer": CORE, "episodes": {"The Core": played}}
        rng.shuffle(played)
        cut = rng.randint(0, len(played))
        groups = [group for group in (played[:cut], played[cut:]) if group]
        rng.shuffle(free)
        for group in list(groups):
            if len(group) == 1 and free:
                group.append(free.pop())
        lone = [group for group in groups if len(group) == 1]
        for group in lone:
            groups.remove(group)
            if not groups:
                groups.append([])
            groups[0].extend(group)
        for name in free:
            if rng.random() < 0.6:
                rng.choice(groups).append(name)
        titles = ("The upper gallery", "The drowned street")
        return {"layer": number, "episodes": dict(zip(titles, groups, strict=False))}

    return entry


def _survivors(play: Table) -> Option:
    episode = next(e for e in play.state.layers[-1].episodes if e.needs_survivors)
    standing = [play.state.gladiators[who].name for who in play.state.standing(episode)]
    return Option(
        "survivors",
        play.runner,
        f"the GM names who comes out of {episode.title}",
        "FA23",
        lambda rng: {"survivors": [rng.choice(standing)]},
    )


# --- turns ------------------------------------------------------------------------------------------


def _turns(play: Table) -> list[Option]:
    state = play.state
    players = [state.turn] if state.turn else [p for p in play.seats if state.active(p)]
    found: list[Option] = []
    for player in players:
        g = state.played_by(player)
        episode = state.episode_of(g.id) if g is not None else None
        if g is None or episode is None or not state.active(player):
            continue
        found += _of_player(play, player, g, episode)
    return found


def _of_player(play: Table, player: str, g: Gladiator, episode: Episode) -> list[Option]:
    state = play.state
    encounter = state.encounter_of(g.id)
    if g.id in state.resumptions or encounter is not None:
        if (
            g.id not in state.resumptions
            and encounter is not None
            and _all_at_peace(play, encounter)
        ):
            return [_part(play, g, encounter)]
        return [
            Option(
                "encounter",
                player,
                f"{player} must go on with the Encounter",
                "F56",
                _fixed("encounter", "continued", by=player),
            )
        ]
    found = [
        Option("scene", player, f"{player} frames a Scene", "F21", _scene(play, player, g, episode))
    ]
    for other in state.standing(episode):
        if other == g.id or state.truce(g.id, other) is not None:
            continue
        found.append(
            Option(
                "encounter",
                player,
                f"{player} starts an Encounter with {state.gladiators[other].name}",
                "F47",
                _fixed("encounter", [state.gladiators[other].name], by=player, at="the gallery"),
            )
        )
    others = [state.gladiators[w].name for w in state.standing(episode) if w != g.id]
    if len(others) > 1 and any(
        state.truce(g.id, w) is None for w in state.standing(episode) if w != g.id
    ):
        found.append(
            Option(
                "encounter",
                player,
                f"{player} starts an Encounter with everybody here",
                "F55",
                _fixed("encounter", others, by=player),
            )
        )
    return found


def _all_at_peace(play: Table, encounter: Encounter) -> bool:
    members = encounter.members
    return all(
        play.state.truce(one, other) is not None
        for n, one in enumerate(members)
        for other in members[n + 1 :]
    )


def _part(play: Table, g: Gladiator, encounter: Encounter) -> Option:
    other = next(who for who in encounter.members if who != g.id)
    both = [g.name, play.state.gladiators[other].name]
    return Option(
        "end truce", g.player, f"{listed(both)} end their truce", "F58", _fixed("end truce", both)
    )


def _scene(play: Table, player: str, g: Gladiator, episode: Episode) -> Entry:
    state = play.state
    gone = {npc.name for npc in state.inhabitants.values() if npc.gone}
    folk = [name for name in _FOLK if name not in gone] or ["A passer-by"]
    partners = [
        state.gladiators[w].name
        for w in state.standing(episode)
        if w != g.id and state.truce(g.id, w) is not None and state.encounter_of(w) is None
    ]
    judges = [j.player for j in state.judgments if not j.closed]

    def entry(rng: Random) -> dict[str, Any]:
        made: dict[str, Any] = {
            "scene": _pick(rng, _TITLES),
            "by": player,
            "npcs": rng.sample(folk, min(len(folk), rng.randint(1, 2))),
        }
        if partners and rng.random() < 0.3:
            made["with"] = [rng.choice(partners)]
        if judges and rng.random() < 0.3:
            made["told by"] = rng.choice(judges)
        return made

    return entry


def _truces(play: Table) -> list[Option]:
    state = play.state
    found: list[Option] = []
    for episode in state.layers[-1].episodes:
        standing = state.standing(episode)
        if episode.over or len(standing) < 3:
            continue
        for n, one in enumerate(standing):
            for other in standing[n + 1 :]:
                names = [state.gladiators[one].name, state.gladiators[other].name]
                held = state.truce(one, other)
                together = state.encounter_of(one)
                if held is not None:
                    found.append(
                        Option(
                            "end truce",
                            "",
                            f"{listed(names)} end their truce",
                            "F58",
                            _fixed("end truce", names),
                        )
                    )
                elif together is None or other not in together.members:
                    found.append(
                        Option(
                            "truce",
                            "",
                            f"{listed(names)} make a truce",
                            "F58",
                            _fixed("truce", names),
                        )
                    )
    return found


# --- building and rolling ---------------------------------------------------------------------------


def _stake(play: Table, g: Gladiator, most: int | None) -> Entry:
    def entry(rng: Random) -> dict[str, Any]:
        have = play.balance(f"pool:{g.id}", "die")
        round_ = play.state.open_round
        paid = {npc for b in round_.builds.values() for npc in b.paid} if round_ else set()
        usable = [
            bond.npc
            for bond in g.living()
            if not barred_for(play, g, bond)
            and bond_dice(play, g, bond) > 0
            and bond.npc not in paid
        ]
        stake: dict[str, Any] = {}
        if usable and have > 0 and rng.random() < 0.6:
            chosen = rng.sample(usable, min(len(usable), have, rng.randint(1, 2)))
            stake["use"] = [play.names.all[npc].name for npc in chosen]
            have -= len(chosen)
        stake["gamble"] = rng.randint(0, max(0, min(have, 4 if most is None else most)))
        if rng.random() < 0.4:
            stake["background"] = "a detail"
        return {"stake": {g.name: stake}}

    return entry


def _backers(play: Table, contest: Conflict | Round, sides: list[str]) -> list[Option]:
    found: list[Option] = []
    for judgment in play.state.judgments:
        have = play.balance(f"judgment:{judgment.player}", "die")
        already = any(w.player == judgment.player for w in contest.wagers)
        if judgment.closed or have < 1 or already:
            continue
        found.append(
            Option(
                "back",
                judgment.player,
                f"{judgment.player} may gamble up to {plural(have, 'die', 'dice')} of judgment",
                "F67",
                _wager(judgment.player, sides, have),
            )
        )
    return found


def _wager(who: str, sides: list[str], have: int) -> Entry:
    return lambda rng: {"back": {who: {rng.choice(sides): rng.randint(1, have)}}}


def _faces(rng: Random, dice: int) -> list[int]:
    return [rng.randint(1, 6) for _ in range(dice)]


def _ordinary(play: Table, conflict: Conflict) -> list[Option]:
    g = play.state.gladiators[conflict.who]
    runner = play.runner or GM_SIDE
    found: list[Option] = []
    if not conflict.built:
        found.append(
            Option("stake", g.player, f"{g.name} builds the roll", "F27", _stake(play, g, None))
        )
    found += _backers(play, conflict, [g.name, GM_SIDE])

    def entry(rng: Random) -> dict[str, Any]:
        dice: dict[str, Any] = {
            g.name: _faces(rng, conflict.build.dice),
            runner: _faces(rng, conflict.tv),
        }
        for wager in conflict.wagers:
            dice[wager.player] = _faces(rng, wager.dice)
        return {"roll": dice}

    found.append(Option("roll", g.player, f"roll against {conflict.tv}", "F23", entry))
    return found


def _building(play: Table, round_: Round) -> list[Option]:
    state = play.state
    waiting = [who for who in build_order(play, round_) if who not in round_.builds]
    found: list[Option] = []
    if waiting:
        g = state.gladiators[waiting[0]]
        found.append(
            Option(
                "stake",
                play.runner if g.npc else g.player,
                f"{g.name} builds next",
                "F48" if waiting[0] == round_.initiative else "F49",
                _stake(play, g, round_.limit),
            )
        )
        return found
    for who in round_.members:
        if not round_.builds[who].disengage:
            name = state.gladiators[who].name
            found.append(
                Option(
                    "disengage",
                    state.gladiators[who].player,
                    f"{name} may try to disengage",
                    "F57",
                    _fixed("disengage", name),
                )
            )
    for one, other in round_.pairs():
        if state.truce(one, other) is None:
            continue
        for traitor, partner in ((one, other), (other, one)):
            found.append(
                Option(
                    "betray",
                    state.gladiators[traitor].player,
                    f"{state.gladiators[traitor].name} may betray {state.gladiators[partner].name}",
                    "F62",
                    _fixed(
                        "betray",
                        state.gladiators[partner].name,
                        by=state.gladiators[traitor].name,
                    ),
                )
            )
    found += _backers(play, round_, [state.gladiators[who].name for who in round_.members])
    if not all(pair(*both) in round_.truces for both in round_.pairs()):
        found.append(Option("roll", "", "everybody rolls", "F50", _roll(play, round_)))
    return found


def _roll(play: Table, round_: Round) -> Entry:
    def entry(rng: Random) -> dict[str, Any]:
        dice: dict[str, Any] = {}
        for who in round_.members:
            build = replace(round_.builds[who], free=shared(play, round_, who))
            dice[play.state.gladiators[who].name] = _faces(rng, build.dice)
        for wager in round_.wagers:
            dice[wager.player] = _faces(rng, wager.dice)
        return {"roll": dice}

    return entry


# --- after the roll ---------------------------------------------------------------------------------


def _after_roll(play: Table) -> list[Option] | None:
    """What has to come before anything else: points, cut-scenes, harm."""
    state = play.state
    round_ = state.open_round
    if round_ is not None:
        for due in round_.dues.values():
            if not due.settled and due.points > 0:
                g = state.gladiators[due.who]
                return [
                    Option(
                        "lose",
                        play.runner if g.npc else g.player,
                        f"{g.name} takes {plural(due.points, 'point')} off Relationships",
                        "F53",
                        _points(play, g, due.used, due.points),
                    )
                ]
    failed = failure(play)
    if failed is not None and not failed.answer and state.npc_gladiators():
        return _answers(play, failed)
    for conflict in state.open_conflicts:
        hurt = [
            npc
            for npc in conflict.harm_due
            if not any(step >= conflict.result_step for step, _ in state.inhabitants[npc].harms)
        ]
        if conflict.stage is Stage.ROLLED and not conflict.success and hurt:
            harm = {state.inhabitants[npc].name: "hurt in the fall" for npc in hurt}
            return [
                Option(
                    "end scene",
                    conflict.player,
                    "close the Scene and tell what happens to those who helped",
                    "F37",
                    _fixed("end scene", "It ends badly", harm=harm),
                )
            ]
    return None


def _points(play: Table, g: Gladiator, used: list[str], points: int) -> Entry:
    def entry(rng: Random) -> dict[str, Any]:
        first = rng.randint(0, points)
        names = [play.names.all[npc].name for npc in used]
        return {"lose": {g.name: {names[0]: first, names[1]: points - first}}}

    return entry


def _answers(play: Table, failed: Conflict) -> list[Option]:
    state = play.state
    g = state.gladiators[failed.who]
    found: list[Option] = []
    for npc in state.npc_gladiators():
        found.append(
            Option(
                "cut scene", play.runner, f"a cut-scene shows {npc.name}", "F38", _cut(play, npc)
            )
        )
        mine = state.episode_of(g.id)
        if (
            npc.fate is Fate.STANDING
            and mine is not None
            and npc.id in mine.cast
            and broken_off(play, g, npc) is not None
        ):
            found.append(
                Option(
                    "resume",
                    play.runner,
                    f"the Encounter with {npc.name} goes on at {g.player}'s next turn",
                    "F39",
                    _fixed("resume", npc.name),
                )
            )
    return found


def _cut(play: Table, npc: Gladiator) -> Entry:
    state = play.state

    def entry(rng: Random) -> dict[str, Any]:
        made: dict[str, Any] = {"cut scene": npc.name}
        there = [n for n in state.scene_npcs if not state.inhabitants[n].gone]
        new = [state.inhabitants[n].name for n in there if npc.bond(n) is None]
        known = [play.names.all[b.npc].name for b in npc.living()]
        kinds = ["pool", *(["relationship"] if new else []), *(["raise"] if known else []), ""]
        match rng.choice(kinds):
            case "pool":
                made["gain"] = {"pool": "up 1"}
            case "relationship":
                made["gain"] = {"relationship": rng.choice(new)}
            case "raise":
                made["gain"] = {"raise": rng.choice(known)}
        return made

    return entry


def _closing(play: Table) -> list[Option]:
    """What may still be told of the Scene at hand."""
    state = play.state
    found: list[Option] = []
    for conflict in state.open_conflicts:
        if conflict.stage is Stage.ROLLED and conflict.success and not conflict.reward:
            found.append(
                Option(
                    "reward",
                    conflict.player,
                    f"{state.gladiators[conflict.who].name} may take a reward",
                    "F30",
                    _reward(play, conflict),
                )
            )
    if state.open_round is not None:
        for who in state.open_round.fallen:
            if who not in state.falls:
                name = state.gladiators[who].name
                found.append(
                    Option("fall", "", f"tell how {name} falls", "F52", _fixed("fall", name))
                )
    if state.scene_step:
        found.append(
            Option(
                "end scene",
                on_turn(play),
                "close the Scene",
                "F29",
                lambda rng: {"end scene": _pick(rng, _WORDS)},
            )
        )
    return found


def _reward(play: Table, conflict: Conflict) -> Entry:
    state = play.state
    g = state.gladiators[conflict.who]

    def entry(rng: Random) -> dict[str, Any]:
        there = [n for n in state.scene_npcs if not state.inhabitants[n].gone]
        new = [state.inhabitants[n].name for n in there if g.bond(n) is None]
        known = [state.inhabitants[n].name for n in there if g.bond(n) is not None]
        kinds = ["pool", *(["relationship"] * 2 if new else []), *(["raise"] if known else [])]
        match rng.choice(kinds):
            case "relationship":
                gain: dict[str, Any] = {"relationship": rng.choice(new)}
            case "raise":
                gain = {"raise": rng.choice(known)}
            case _:
                gain = {"pool": "up 1"}
        return {"reward": gain, "by": g.name}

    return entry
