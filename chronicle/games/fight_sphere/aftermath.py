"""What follows a roll: rewards, cut-scenes, resumptions, the close, the epilogue (F29 to F39, F71)."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.declare import Action, place_of_word
from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import (
    AddItem,
    Fix,
    RemoveItem,
    ReplaceWord,
    SetPair,
    add_entry,
    choose_reading,
    drop_entry,
    drop_item,
    drop_key,
    make_fix,
    replace_with,
    write_word,
)
from chronicle.core.source import Place, ScalarNode
from chronicle.games.fight_sphere.actions import (
    Benefit,
    CutScene,
    EndScene,
    Epilogue,
    Resume,
    Reward,
)
from chronicle.games.fight_sphere.scenes import present, shares_episode
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    INHABITANT,
    POINT,
    Conflict,
    Encounter,
    Fate,
    Gladiator,
    Inhabitant,
    Round,
    Stage,
    bond_id,
)
from chronicle.games.fight_sphere.state import CutScene as Shown
from chronicle.games.fight_sphere.table import (
    Table,
    acting,
    close_scene,
    doubt,
    facts_of_fall,
    gladiator,
    inhabitant,
    is_gladiator,
    pass_turn,
    relate,
    tell_close,
    told_name,
    told_of,
    unsure,
    value,
)


def reward(play: Table, action: Reward) -> None:
    """F30 to F33: one of three, after a success."""
    state = play.state
    round_ = state.open_round
    g = acting(play, action)
    if round_ is not None and g is not None and g.id in round_.members:
        _encounter_reward(play, action, g, round_)
        return
    conflict = next((c for c in reversed(state.open_conflicts) if g is None or c.who == g.id), None)
    play.step.headline = "A reward"
    if conflict is not None and conflict.stage is Stage.BUILDING:
        not_rolled(play, conflict, success=True)
    if conflict is None:
        play.illegal(
            "F30",
            "there is no success to be rewarded",
            fix=drop_entry(),
            help="a reward follows the roll, before the next Scene",
            after=("no scene", "dropped:scene", "dropped:roll"),
        )
        return
    who = state.gladiators[conflict.who]
    if not conflict.success and conflict.ones[0] == conflict.ones[1]:
        play.suspect(
            True,
            "FA1",
            f"{who.name} is rewarded for a tie, which is a failure at this table",
            facts=(play.because(conflict.result_step, "tied here"),),
            fix=choose_reading("ordinary_tie", "success"),
        )
        doubt(play, [who.id], bonds=False)
        call_it_success(play, who, conflict)
    elif not conflict.success:
        play.illegal(
            "F30",
            f"{who.name} failed; only a success is rewarded",
            facts=(play.because(conflict.result_step, "failed here"),),
        )
        play.taint(f"conflict:{conflict.number}")
        doubt(play, [who.id], bonds=False)
    play.require(
        not conflict.reward,
        "F30",
        f"{who.name} has taken the reward: {conflict.reward}",
        facts=play.facts(conflict.reward_step, "taken here"),
        fix=drop_entry(),
        help="one reward a success",
    )
    there = [*state.scene_npcs, *conflict.build.used()]
    conflict.reward = benefit(play, who, action.benefit, there, ("F30", "F31", "F32", "F33"))
    conflict.reward_step = play.step.index


def not_rolled(play: Table, conflict: Conflict, *, success: bool) -> None:
    """F22: what follows shows how a Conflict went whose roll is missing."""
    play.report(
        unsure(play, conflict.step),
        "F22",
        f"{play.state.gladiators[conflict.who].name}'s Conflict was not rolled before this",
        facts=(play.because(conflict.step, "the Scene began here"),),
        fix=add_entry(f"roll: unrecorded\nresult: {'success' if success else 'failure'}"),
        after=("dropped:roll", f"conflict:{conflict.number}"),
    )
    play.taint(f"conflict:{conflict.number}", f"pool:{conflict.who}")
    conflict.stage, conflict.success = Stage.ROLLED, success
    conflict.result_step = play.step.index
    table, account = f"gamble:{conflict.who}", f"pool:{conflict.who}"
    play.move(
        table, account if success else BOX, play.balance(table, DIE), DIE, "F35", "not rolled"
    )
    if not conflict.guest:
        pass_turn(play, conflict.player)


def call_it_success(play: Table, g: Gladiator, conflict: Conflict) -> None:
    """The log took a tie for a success: the gamble comes back, and nobody has to rest."""
    conflict.success = True
    play.move(BOX, f"pool:{g.id}", conflict.build.gamble, DIE, "F35", "gamble kept")
    for npc in conflict.harm_due:
        g.bonds[npc].barred_step = 0
    conflict.harm_due, conflict.losses = [], ""


def _encounter_reward(play: Table, action: Reward, g: Gladiator, round_: Round) -> None:
    """FA15: Encounters bring no reward, unless the table rules so."""
    play.step.headline = "A reward"
    allowed = play.ruling("encounter_rewards") == "ordinary"
    play.suspect(
        not allowed, "FA15", "an Encounter brings no reward; its losers pay, its winners live"
    )
    if allowed:
        play.require(
            round_.won_against_all(g.id) and g.id not in round_.rewarded,
            "F30",
            f"{g.name} did not win against everyone, or has taken a reward already",
        )
    round_.rewarded.append(g.id)
    there = [npc for build in round_.builds.values() for npc in build.used()]
    there += play.state.scene_npcs
    benefit(play, g, action.benefit, there, ("F30", "F31", "F32", "F33"))


def benefit(
    play: Table, g: Gladiator, gain: Benefit, there: Iterable[str], rules: tuple[str, str, str, str]
) -> str:
    """One of: a die, a new Relationship, a point in an old one. ``rules`` are the ids for too many,
    the die, the new Relationship and the point. Returns what was gained in words."""
    one_rule, die_rule, new_rule, point_rule = rules
    new = list((gain.relationship or {}).items())
    raised = list((gain.raise_ or {}).items())
    count = (gain.pool is not None) + len(new) + len(raised)
    play.require(
        count == 1,
        one_rule,
        f"{g.name} gains {plural(count, 'thing')} at once; it is one of the three"
        if count
        else f"nothing is gained by {g.name}",
        at=play.step.action.place("gain" if one_rule == "F38" else "main"),
        fix=_one_gain(play.step.action, gain),
        help="one of  pool: up 1,  relationship: somebody new  and  raise: somebody known",
    )
    gained = [_one_die(play, g, gain, die_rule)] if gain.pool is not None else []
    present_ = set(there)
    gained += [_new_bond(play, g, word, worth, present_, new_rule) for word, worth in new]
    gained += [_one_point(play, g, word, worth, present_, point_rule) for word, worth in raised]
    return listed(part for part in gained if part)


def _one_die(play: Table, g: Gladiator, gain: Benefit, rule: str) -> str:
    assert gain.pool is not None
    have = play.balance(f"pool:{g.id}", DIE)
    dice = gain.pool.by if gain.pool.by is not None else (gain.pool.to or 0) - have
    right = play.require(
        dice == 1,
        rule,
        f"{g.name}'s Conflict Pool grows by one die, not by {dice}",
        at=play.step.action.place("gain" if rule == "F38" else "main", "pool"),
        fix=write_word("up 1"),
    )
    if not right:
        play.taint(f"pool:{g.id}")
    play.move(BOX, f"pool:{g.id}", dice, DIE, rule, "gained")
    play.event(f"{g.name} gains {plural(dice, 'die', 'dice')}", rule, "gains", g.id)
    return plural(dice, "pool die", "pool dice")


def _new_bond(
    play: Table, g: Gladiator, word: ScalarNode, worth: int | None, there: set[str], rule: str
) -> str:
    at = place_of_word(play.step.action, word)
    if (other := is_gladiator(play, word)) is not None:
        play.illegal(
            "F40", f"{other.name} is a Gladiator; Relationships are with inhabitants only", at=at
        )
        return ""
    since = play.state.scene_step
    meant = play.names.likely_subject(word, (INHABITANT,), there)
    if meant is not None and not (since and told_name(play, word, since, but=meant.name)):
        play.resolve_misspelt(word, (INHABITANT,), there)
        message = f"{word} was not in this Scene; did you mean '{meant.name}'?"
        play.illegal(rule, message, at=at, fix=_among_them(play, meant.name, word), name=word)
    npc = inhabitant(play, word)
    if not play.require(
        not npc.gone,
        "F54",
        f"{npc.name} is gone for good",
        at=at,
        facts=play.facts(npc.gone, "lost here"),
    ):
        return ""
    _was_there(play, npc, there, rule, at)
    if (bond := g.bond(npc.id)) is not None:
        play.illegal(
            rule,
            f"{g.name} has a Relationship with {npc.name} already",
            at=at,
            facts=(play.because(bond.step, "made here"),),
            fix=_instead_of_bond(play, "raise", npc.name),
        )
        return ""
    start = g.drive.start_value if g.drive is not None else 0
    if worth is not None and not play.require(
        worth == start,
        rule,
        f"a new Relationship of {g.name} starts at {start} ({g.drive or 'no drive'}), not at {worth}",
        at=at,
        fix=write_word(start),
    ):
        start = worth
        play.taint(f"relationship:{bond_id(g.id, npc.id)}")
    relate(play, g, npc, start, rule, "a new Relationship")
    return f"a Relationship with {npc.name} at {start}"


def _one_gain(action: Action, gain: Benefit) -> list[Fix]:
    """The fixes for a benefit of several kinds: each kind alone."""
    key = "gain" if isinstance(action, CutScene) else "main"
    kinds = {"pool": gain.pool, "relationship": gain.relationship, "raise": gain.raise_}
    there = [kind for kind, value in kinds.items() if value]
    return [
        make_fix(*(RemoveItem(kind, action.place(key, kind)) for kind in there if kind != kept))
        for kept in (there if len(there) > 1 else ())
    ]


def _instead_of_bond(play: Table, kind: str, name: str) -> Fix:
    """The fix that gains a bond with somebody in the other way, ``raise`` or ``relationship``."""
    key = "gain" if isinstance(play.step.action, CutScene) else play.step.action.verb
    return make_fix(SetPair(key, kind, name), RemoveItem(name), safe=True)


def _among_them(play: Table, name: str, word: str = "") -> Fix:
    """The fix by which a Scene says that somebody is in it, who was called by a wrong ``word`` here."""
    scene = AddItem("npcs", name, play.place_of_entry(play.state.scene_step))
    return make_fix(scene, *([ReplaceWord(name, old=word)] if word else ()), safe=True)


def _was_there(play: Table, npc: Inhabitant, there: set[str], rule: str, at: Place) -> None:
    """F32, F33, F38: somebody of the Scene. Who is in its text was there; where the log lists nobody,
    it does not say."""
    since = play.state.scene_step
    play.require(
        npc.id in there or (since > 0 and told_of(play, npc.id, since)),
        rule,
        f"{npc.name} was not in this Scene",
        at=at,
        fix=_among_them(play, npc.name),
        finding=Finding.ILLEGAL if there else Finding.UNKNOWN,
    )


def _one_point(
    play: Table, g: Gladiator, word: ScalarNode, worth: int | None, there: set[str], rule: str
) -> str:
    at = place_of_word(play.step.action, word)
    meant = play.resolve_misspelt(word, (INHABITANT,), [bond.npc for bond in g.living()])
    npc = inhabitant(play, word)
    if (
        not play.require(
            g.bond(npc.id) is not None and meant is None,
            rule,
            f"{g.name} has no Relationship with {word} to raise"
            + (f"; did you mean '{npc.name}'?" if meant is not None else ""),
            at=at,
            fix=replace_with([meant.name], is_told=True)
            if meant is not None
            else _instead_of_bond(play, "relationship", str(word)),
            name=word,
        )
        and meant is None
    ):
        return ""
    _was_there(play, npc, there, rule, at)
    old = value(play, g.id, npc.id)
    new = old + 1
    if worth is not None and not play.require(
        worth == new,
        rule,
        f"{g.name}'s Relationship with {npc.name} grows from {old} to {new}, not to {worth}",
        at=at,
        fix=write_word(new),
    ):
        new = worth
        doubt(play, [g.id])
    play.move(BOX, f"relationship:{bond_id(g.id, npc.id)}", new - old, POINT, rule, "grew by one")
    play.event(f"{g.name}'s Relationship with {npc.name} is now {new}", rule, "grows", npc.id)
    return f"{npc.name} at {new}"


def cut_scene(play: Table, action: CutScene) -> None:
    """F38: an NPC Gladiator somewhere, who may gain one thing."""
    g = gladiator(play, action.gladiator)
    if g is None:
        return
    play.step.headline = f"Meanwhile: {g.name}"
    npcs = present(play, action.npcs)
    waiting = next((c for c in play.state.open_conflicts if c.stage is Stage.BUILDING), None)
    if waiting is not None:
        not_rolled(play, waiting, success=False)
    failed = failure(play)
    at = action.place("main")
    lost = _lost_encounter(play) if failed is None else None
    if lost is not None and action.gain is not None:
        _answers_encounter(play, lost, "F38", action.place("gain"))
    elif failed is None:
        play.require(
            action.gain is None,
            "F38",
            f"{g.name} gains by a cut-scene, but nobody has failed",
            at="gain",
            fix=drop_key("gain"),
            help="a cut-scene follows the failure, before the next Scene",
            after=("no scene", "dropped:roll"),
        )
    else:
        play.require(
            not failed.answer,
            "F39" if failed.answer == "resumption" else "F38",
            f"this failure has had its {failed.answer}",
            at=at,
            facts=play.facts(failed.answer_step, "here"),
            fix=drop_entry(),
            help="a cut-scene or a resumption, one for a failure",
        )
        failed.answer = failed.answer or "cut-scene"
        failed.answer_step = failed.answer_step or play.step.index
    there = [*play.state.scene_npcs, *(npc.id for npc in npcs)]
    if failed is not None:
        there += failed.build.used()
    if lost is not None:
        there += [npc for build in lost.builds.values() for npc in build.used()]
    gained = ""
    if action.gain is not None:
        shown = [*there, *_raised(play, action)]
        gained = benefit(play, g, action.gain, shown, ("F38", "F38", "F38", "F38"))
    play.state.cut_scenes.append(
        Shown(play.step.index, g.id, gained, failed.who if failed is not None else "")
    )
    if play.state.open_round is not None:
        play.state.open_round.answered = True
    play.event(f"A cut-scene shows {g.name}", "F38", "cut-scene", g.id)


def _lost_encounter(play: Table) -> Round | None:
    """The roll of an Encounter just now in which somebody who is played has lost."""
    round_ = play.state.open_round
    return round_ if round_ is not None and _players_lost(play, round_) else None


def _players_lost(play: Table, round_: Round) -> list[Gladiator]:
    lost = [play.state.gladiators[who] for who in round_.losses]
    return [g for g in lost if not g.npc]


def _answers_encounter(play: Table, round_: Round, rule: str, at: Place) -> bool:
    """FA15, FA22: whether a lost Encounter, too, is followed by a cut-scene or a resumption at this
    table; and then by one of them."""
    after_all = play.ruling("cutscene") == "all" or play.ruling("encounter_rewards") == "ordinary"
    names = listed(g.name for g in _players_lost(play, round_))
    because = (play.because(round_.result_step, "lost here"),)
    play.suspect(
        not after_all,
        "FA22",
        f"{names} lost an Encounter; at this table the GM answers failures in ordinary Conflicts only",
        at=at,
        facts=because,
        fix=choose_reading("cutscene", "all"),
    )
    return play.require(
        not round_.answered,
        rule,
        "this loss has had its cut-scene or resumption",
        at=at,
        facts=because,
        fix=drop_entry(),
        help="a cut-scene or a resumption, one for a lost Encounter",
    )


def _raised(play: Table, action: CutScene) -> list[str]:
    """Whom the benefit raises is in the cut-scene by that."""
    raised = action.gain.raise_ if action.gain is not None else None
    return [inhabitant(play, word).id for word in raised or () if is_gladiator(play, word) is None]


def failure(play: Table) -> Conflict | None:
    """The failed Conflict of the Scene at hand that a cut-scene or resumption answers."""
    failed = [
        c for c in play.state.open_conflicts if c.stage is Stage.ROLLED and c.success is False
    ]
    waiting = [c for c in failed if not c.answer]
    return waiting[0] if waiting else failed[-1] if failed else None


def resume(play: Table, action: Resume) -> None:
    """F39: an Encounter that was broken off goes on at the failing player's next turn."""
    state = play.state
    npc = gladiator(play, action.gladiator)
    if npc is None:
        return
    play.step.headline = f"{npc.name} comes back"
    at = action.place("main")
    failed = failure(play)
    lost = _lost_encounter(play) if failed is None else None
    if failed is not None:
        g = state.gladiators[failed.who]
        if not play.require(
            not failed.answer,
            "F39",
            f"this failure has had its {failed.answer}",
            at=at,
            facts=play.facts(failed.answer_step, "here"),
        ):
            return
    elif lost is not None:
        losers = _players_lost(play, lost)
        g = next((g for g in losers if broken_off(play, g, npc) is not None), losers[0])
        if not _answers_encounter(play, lost, "F39", at):
            return
    else:
        play.illegal(
            "F39",
            "nobody has failed, so the GM resumes nothing",
            at=at,
            fix=drop_entry(),
            help="a resumption follows a failure, in place of a cut-scene",
        )
        return
    if not npc.npc:
        return
    broken = broken_off(play, g, npc)
    if broken is None:
        play.illegal(
            "F39",
            f"{g.name} and {npc.name} have broken off no Encounter by disengaging; the GM starts none",
            at=at,
            after=("rounds:",),
        )
        return
    can = npc.fate is Fate.STANDING and shares_episode(play, g, npc, at)
    can &= play.require(
        g.fate is Fate.STANDING or failed is not None,
        "F39",
        f"{g.name} is {g.fate}",
        at=at,
        facts=facts_of_fall(play, g),
    )
    if failed is not None:
        failed.answer, failed.answer_step = "resumption", play.step.index
    if lost is not None:
        lost.answered = True
    if can:
        state.resumptions[g.id] = (npc.id, broken.number, play.step.index)
    play.event(
        f"{g.player or g.name}'s next turn is the Encounter with {npc.name}, who has the Initiative",
        "F39",
        "resumes",
        npc.id,
    )


def broken_off(play: Table, g: Gladiator, npc: Gladiator) -> Encounter | None:
    """The Encounter of this Layer that either of the two left by disengaging from the other."""
    layer = play.state.layer
    return next(
        (
            e
            for e in reversed(play.state.encounters)
            if (layer is None or e.layer == layer.number)
            and (
                npc.id in e.opponents_left.get(g.id, ()) or g.id in e.opponents_left.get(npc.id, ())
            )
        ),
        None,
    )


def may_come_back(play: Table, g: Gladiator) -> list[Gladiator]:
    """F39: the NPC Gladiators with whom the GM can resume an Encounter of one who has failed."""
    mine = play.state.episode_of(g.id)
    return [
        npc
        for npc in play.state.npc_gladiators()
        if npc.fate is Fate.STANDING
        and mine is not None
        and npc.id in mine.cast
        and broken_off(play, g, npc) is not None
    ]


def end_scene(play: Table, action: EndScene) -> None:
    """F29, F37: the close shows the consequences."""
    state = play.state
    words = str(action.words or "")
    play.step.headline = "The Scene closes"
    play.step.tell(words or None)
    for word, harm in (action.harm or {}).items():
        npc = inhabitant(play, word)
        npc.harms.append((play.step.index, str(harm)))
        play.event(f"{npc.name}: {harm}", "F37", "harm", npc.id)
    fates(play, action.fate)
    play.require(
        bool(state.scene_step and not state.scene_closed) or play.given,
        "F22",
        "no Scene is open",
        since=0,
    )
    tell_close(play, words or "closed")


def fates(play: Table, told: dict[ScalarNode, ScalarNode] | None) -> None:
    """F54: what became of those who are lost, and of nobody else."""
    for word, fate in (told or {}).items():
        npc = inhabitant(play, word)
        npc.fate = str(fate)
        play.require(
            bool(npc.gone),
            "F54",
            f"{npc.name} is lost only below zero; no Relationship with {npc.name} has fallen so far",
            at=word,
            fix=drop_item(str(word)),
            help="what hurts without taking away goes into  harm:",
            after=(f"fate:{npc.id}",),
        )
        if not npc.gone:
            npc.fate = ""
            npc.harms.append((play.step.index, str(fate)))


def epilogue(play: Table, action: Epilogue) -> None:
    """F70, F71: the survivor's player decides what it was for."""
    state = play.state
    play.step.headline = "The epilogue"
    close_scene(play)
    play.step.tell(action.story)
    state.epilogue = str(action.story)
    state.over = True
    play.event("The game is over", "F71", "over")
