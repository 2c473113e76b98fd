"""The roll: conflict, goal, dangers, dice, hits, and what came of it (Z12 to Z30, Z39, Z43, Z45)."""

from __future__ import annotations

from chronicle.core.diagnostic import listed, plural
from chronicle.core.fix import add_entry, set_key
from chronicle.core.house_rules import answer
from chronicle.core.record import Contest, Side
from chronicle.games.playset_zero import actions
from chronicle.games.playset_zero.chances import before_the_roll
from chronicle.games.playset_zero.computed import LEAST, WHITE_DICE
from chronicle.games.playset_zero.dangers import add_danger, ready
from chronicle.games.playset_zero.helping import let_go, roll_effort, spend_effort
from chronicle.games.playset_zero.making import started
from chronicle.games.playset_zero.outcomes import judge, leave_roll, lost, settle
from chronicle.games.playset_zero.pools import (
    add_marks,
    check_dice,
    read_dice,
    set_out,
    side,
    throws,
    unread,
)
from chronicle.games.playset_zero.spending import claims_of, is_outdone, need_of, spend_hits
from chronicle.games.playset_zero.state import (
    Call,
    Character,
    EffortRecord,
    Item,
    Pool,
    RollRecord,
    Stage,
)
from chronicle.games.playset_zero.table import Table, acting, called, character, optional

WHITE = 3


# --- asking ---------------------------------------------------------------------------------------


def conflict(play: Table, action: actions.Conflict) -> None:
    """Z12, Z13: the GM calls on the player involved; players may ask the GM to roll."""
    leave_roll(play)
    started(play)
    who = character(play, action.asks)
    with_ = [c.id for c in (character(play, word) for word in action.with_) if c is not None]
    play.step.headline = f"A conflict: {action.what}"
    if who is None:
        return
    asker = play.step.player
    play.suspect(
        bool(asker) and asker != play.runner and not who.npc,
        "Z12",
        f"{asker} calls on {who.name}; the GM asks players to roll, players ask the GM",
        at="by",
    )
    play.state.call = Call(
        play.step.index, str(action.what), asker, who.id, tuple(dict.fromkeys((who.id, *with_)))
    )
    rule = "Z13" if who.npc else "Z12"
    play.event(
        f"{asker or play.runner} asks {who.owner or 'the player'} to roll for {who.name}",
        rule,
        "asks",
        who.id,
    )


def goal(play: Table, action: actions.Goal) -> None:
    """Z14: the goal first; Z16 to Z22: which dice come in."""
    leave_roll(play)
    started(play)
    state = play.state
    call, state.call = state.call, None
    who = acting(play)
    player = who.owner if who is not None else play.step.player
    play.step.player = play.step.player or player
    texts = [str(text) for text in action.goal if text.strip()]
    play.step.headline = f"Goal: {' / '.join(texts)}"
    if not player and action.by is None:
        # Whose Features, whose dangers: until the next goal nothing about this roll is certain.
        play.doubt = play.unreadable("T56", "whose goal is this?", fix=set_key("by"))
    _involved(play, who, call)
    play.require(
        bool(texts),
        "Z14",
        f"{called(who, player)} rolls without a goal",
        fix=set_key("goal"),
    )
    if action.challenge:
        optional(play, "challenge", "Z39", "this goal is a Challenge")
    if action.grade is not None:
        optional(play, "questions", "Z45", f"the situation is graded {action.grade}")
    elif len(texts) > 1:
        optional(play, "questions", "Z45", "the goal is split")
    if len(texts) > 1:
        play.suspect(
            play.ruling("question_kinds") == "dangers",
            "ZA28",
            "the goal is split; by this table's ruling further questions are dangers",
            at="main",
        )
    white = answer(play, WHITE_DICE, WHITE, who.id if who is not None else player)
    roll = RollRecord(
        number=len(state.rolls) + 1,
        step=play.step.index,
        player=player,
        character=who.id if who is not None else "",
        name=called(who, player),
        asked_by=call.by if call is not None else "",
        pool=Pool(white),
        goals=[Item(True, text, player, play.step.index) for text in texts],
        challenge=action.challenge,
        grade=str(action.grade or ""),
        scene=play.timeline.current.number if play.timeline.current else 0,
    )
    state.rolls.append(roll)
    for item in roll.goals:
        play.event(f"{roll.name} wants: {item.text}", "Z14", "goal", roll.character)
    if roll.challenge:
        play.event("A Challenge: only a die of 6 or more reaches this goal", "Z39", "challenge")
    if roll.grade:
        questions = actions.GRADES[roll.grade]
        play.event(f"The situation is {roll.grade}: {questions} questions", "Z45", "grade")
    roll.pool = set_out(play, action, who, white, f"roll {roll.number}: {roll.goal}")
    for author, dangers in (action.dangers or {}).items():
        for text in dangers:
            add_danger(play, roll, author, text)


def _involved(play: Table, who: Character | None, call: Call | None) -> None:
    if who is None:
        return
    if call is not None:
        names = listed(play.state.characters[id].name for id in call.involved)
        play.require(
            who.id in call.involved,
            "Z12",
            f"{who.name} rolls, but the conflict is {names}'s",
            at="by",
            facts=(play.because(call.step, "asked here"),),
            help="a character who is involved is named under  asks:  or  with:  of the conflict",
        )
        return
    scene = play.timeline.current
    if scene is not None and scene.cast and not who.npc and not play.gap > scene.first_step:
        play.suspect(
            who.id not in scene.cast or who.id in play.state.left,
            "Z12",
            f"{who.name} rolls and is not in this scene",
            after=("dropped:scene", "dropped:enter"),
            at="by",
            facts=(play.because(scene.first_step, "the scene opened here"),),
            fix=add_entry(f"enter: {who.name}"),
        )


# --- the dice -------------------------------------------------------------------------------------


def roll(play: Table, action: actions.Roll) -> None:
    """Z4, Z16 to Z24: the dice fall. Helpers and hinderers first (Z44)."""
    play.step.headline = "The dice fall"
    running = play.state.running()
    if running is None:
        running = _late_or_orphan(play, action)
    waiting = [one for one in running.efforts if not one.rolled]
    effort = next(iter(waiting), None) if action.by is None else _own_effort(play, waiting, running)
    if effort is not None:
        add_marks(
            play, action.mark, play.state.characters.get(effort.character), "helping", effort.pool
        )
        roll_effort(play, running, effort, action.faces, action.place("main"))
        return
    play.step.player = play.step.player or running.player
    if running.stage is Stage.ROLLED and running.rolled:
        _more_dice(play, action, running)
        return
    if running.goals:
        ready(play, running)
    for late in waiting:
        play.illegal(
            "Z44",
            f"{late.name}'s dice have not been rolled; helpers and hinderers roll first",
            facts=(play.because(late.step, "announced here"),),
            fix=add_entry(f"roll: ...\nby: {late.name}"),
        )
        late.rolled = play.step.index
    _settle_efforts(play, running)
    who = play.state.characters.get(running.character)
    add_marks(play, action.mark, who, f"roll {running.number}: {running.goal}", running.pool)
    _throw(play, action, running)


def _late_or_orphan(play: Table, action: actions.Roll) -> RollRecord:
    """The roll that dice without a running one belong to: the last one, for a mark spent too late,
    else one without a goal (Z14)."""
    state = play.state
    last = state.roll()
    if last is not None and action.mark is not None and last.stage is Stage.SETTLED:
        last.stage = Stage.ROLLED
        return last
    who = acting(play)
    if who is None and action.by is None and state.call is not None:
        who = state.characters.get(state.call.asks)
    state.call = None
    started(play)
    player = who.owner if who is not None else play.step.player
    orphan = RollRecord(
        number=len(state.rolls) + 1,
        step=play.step.index,
        player=player,
        character=who.id if who is not None else "",
        name=called(who, player) or "Somebody",
        asked_by="",
        pool=Pool(WHITE, doubtful=True),
        goals=[],
        scene=play.timeline.current.number if play.timeline.current else 0,
    )
    state.rolls.append(orphan)
    play.illegal(
        "Z14",
        "dice are rolled without a goal",
        fix=add_entry("goal: ..."),
        since=0,
    )
    play.taint(f"goal:{orphan.number}")
    return orphan


def _own_effort(
    play: Table, efforts: list[EffortRecord], running: RollRecord
) -> EffortRecord | None:
    """The effort of whoever acts: by character, or by player where no character was named."""
    who = acting(play)
    for effort in efforts:
        if who is not None and effort.character:
            if effort.character == who.id:
                return effort
        elif effort.player == play.step.player and running.player != play.step.player:
            return effort
    return None


def told_odds(play: Table, running: RollRecord) -> str:
    """How likely the dice of a roll bring what is asked of them."""
    waiting = [item for item in running.items if not item.paid or is_outdone(play, item)]
    needs = [need_of(play, running, item) for item in waiting]
    goals = [need for need, item in zip(needs, waiting, strict=True) if item.goal]
    return before_the_roll(running.pool, needs, goals)


def _throw(play: Table, action: actions.Roll, running: RollRecord) -> None:
    place = action.place("main")
    running.rolled = play.step.index
    running.stage = Stage.ROLLED
    whose = running.character or running.player
    running.pool.hit = answer(play, LEAST, running.pool.hit, whose, running.pool)
    running.odds = told_odds(play, running)
    play.step.headline = f"{running.name} rolls"
    if action.faces is None:
        running.unrecorded, running.hits_said = True, action.hits
        known = f": {plural(action.hits, 'hit')}" if action.hits is not None else ""
        play.event(f"The faces were not written down{known}", "Z24", "unrecorded")
        _lay(play, running, unread(running.name, running.player, running.pool))
        if action.hits == 0:
            settle(play, running)
        return
    running.dice = read_dice(play, running.pool, action.faces, place)
    check_dice(play, running.pool, running.dice, "Z16", place)
    throws(play, running.dice, running.player)
    hits = running.hits
    _stated_hits(play, action, running, hits)
    play.event(
        f"{running.name} rolls {plural(hits, 'hit')} on {plural(len(running.dice), 'die', 'dice')}",
        "Z24",
        "rolls",
        running.character,
    )
    _lay(play, running, side(running.name, running.player, running.dice, running.pool))
    if hits == 0:
        settle(play, running)


def _lay(play: Table, running: RollRecord, thrown: Side) -> None:
    """The card of a roll, as far as the dice alone tell it."""
    hits = running.brought
    play.step.contest = Contest(
        running.goal or "A roll without a goal",
        (thrown,),
        score="?" if hits is None else str(hits),
        unit="hit" if hits == 1 else "hits",
        odds=running.odds,
        rule="Z24",
    )


def _stated_hits(play: Table, action: actions.Roll, running: RollRecord, hits: int) -> None:
    if action.hits is not None:
        play.require(
            action.hits == hits,
            "Z24",
            f"{plural(hits, 'hit')} lie on the table, not {action.hits}; each die of {running.pool.hit} or more is one",
            at="hits",
        )


def _more_dice(play: Table, action: actions.Roll, running: RollRecord) -> None:
    """ZA6: a die bought with a mark after the faces are known; anything else is a second roll."""
    if action.mark is None:
        play.illegal(
            "Z14",
            f"{running.name} rolls again for the same goal",
            facts=(play.because(running.rolled, "rolled here"),),
            help="spend: what the hits buy, then a new goal",
        )
        if action.faces is not None:
            running.dice = read_dice(play, running.pool, action.faces, action.place("main"))
        return
    play.suspect(
        play.ruling("mark_after_roll") == "no",
        "ZA6",
        "a mark is spent after the faces are known",
        at="mark",
        facts=(play.because(running.rolled, "rolled here"),),
        help="mark: 1  stands beside the goal, or beside the roll itself",
    )
    who = play.state.characters.get(running.character)
    before = len(running.pool.reds)
    add_marks(play, action.mark, who, f"roll {running.number}: {running.goal}", running.pool)
    added = len(running.pool.reds) - before
    more = read_dice(play, running.pool, action.faces or {}, action.place("main"))
    play.require(
        len(more) == added and all(d.die == "adv" for d in more),
        "Z34",
        f"{plural(added, 'mark')} {'adds' if added == 1 else 'add'} "
        f"{plural(added, 'red die', 'red dice')}",
        at="main",
    )
    throws(play, more, running.player)
    running.dice.extend(more)
    for item in running.items:
        item.well = None if not item.paid else item.well
    hits = running.hits
    _stated_hits(play, action, running, hits)
    play.step.contest = Contest(
        running.goal,
        (side(running.name, running.player, running.dice, running.pool),),
        score=str(hits),
        unit="hit" if hits == 1 else "hits",
        odds=running.odds,
        rule="Z34",
    )
    running.rolled = play.step.index
    if hits == 0:
        settle(play, running)


# --- the end of a roll ----------------------------------------------------------------------------


def _settle_efforts(play: Table, running: RollRecord) -> None:
    """Helpers and hinderers who have not said where their dice go, and help that a later hindrance
    outdoes (ZA15)."""
    for effort in running.efforts:
        if not effort.spent:
            let_go(play, effort)
    play.ruling("helper_vs_hinder")
    for item in running.items:
        if is_outdone(play, item):
            face = item.paid.split()[-1]
            play.event(
                f"{item.paid_by}'s {face} does not beat the hindrance: {item.text}",
                "Z43",
                "beaten",
            )
            item.paid = item.paid_by = ""


def spend(play: Table, action: actions.Spend) -> None:
    """Z25 to Z29: each hit buys one thing."""
    state = play.state
    running = state.running()
    play.step.headline = "Hits are spent"
    effort = _spender(play, action, running)
    if running is not None and effort is not None:
        play.step.player = play.step.player or effort.player
        spend_effort(play, running, effort, action.hits)
        return
    if running is None or running.stage is not Stage.ROLLED:
        last = state.roll()
        told_nothing = not action.hits
        if running is None and last is not None and last.settled and told_nothing:
            judge(play, action, last)
            return
        play.illegal(
            "Z28",
            "there are no hits to spend; the dice have not been rolled"
            if running is not None or last is None
            else f"the hits of {last.name}'s last roll have been settled"
            if last.hits
            else f"{last.name} rolled no hit, so nothing can be bought",
            facts=(play.because(last.settled, "settled here"),)
            if last is not None and last.settled
            else (),
        )
        return
    play.step.player = play.step.player or running.player
    who = play.state.characters.get(running.character)
    spend_hits(
        play, running, who, claims_of(play, running, None, action.hits), lost(running, action)
    )
    settle(play, running)
    judge(play, action, running)


def _spender(play: Table, action: actions.Spend, running: RollRecord | None) -> EffortRecord | None:
    if running is None:
        return None
    waiting = [e for e in running.efforts if e.rolled and not e.spent]
    if action.by is None:
        return waiting[0] if waiting and running.stage is Stage.GOAL else None
    return _own_effort(play, waiting, running)
