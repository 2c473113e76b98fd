"""Helping and hindering: two dice before the main roll, one aim, one own danger (Z40 to Z44)."""

from __future__ import annotations

from collections.abc import Mapping

from chronicle.core.diagnostic import listed, plural
from chronicle.core.dice import Faces
from chronicle.core.fix import BLANK, add_entry, replace_with, set_key, write_word
from chronicle.core.house_rules import answer
from chronicle.core.odds import percent
from chronicle.core.record import Contest
from chronicle.core.source import Place, ScalarNode
from chronicle.games.playset_zero.actions import Help, Hinder, Purchase
from chronicle.games.playset_zero.chances import any_at_least
from chronicle.games.playset_zero.computed import LEAST
from chronicle.games.playset_zero.dangers import ready
from chronicle.games.playset_zero.marks import establish
from chronicle.games.playset_zero.pools import check_dice, read_dice, set_out, side, throws
from chronicle.games.playset_zero.spending import (
    Claim,
    an,
    bar_of,
    claimed_face,
    claims_of,
    take_die,
)
from chronicle.games.playset_zero.state import (
    CHALLENGE_HIT,
    Character,
    EffortRecord,
    Item,
    Pool,
    RollRecord,
    Stage,
)
from chronicle.games.playset_zero.table import (
    WITHOUT_WORDS,
    Table,
    acting,
    called,
    optional,
    others,
    pick,
    plain,
    say_something,
)

TWO = 2


def _beside(play: Table, action: Help | Hinder) -> None:
    """Z40 to Z42: what the helper or the hinderer does, for or against what, and at what risk."""
    state = play.state
    hinders = isinstance(action, Hinder)
    who = acting(play)
    player = who.owner if who is not None else play.step.player
    name = called(who, player) or "Somebody"
    word = "hinders" if hinders else "helps"
    play.step.headline = f"{name} {word}"
    optional(play, "helping", "Z40", f"{name} {word}")
    roll = state.running()
    if roll is None:
        roll = state.roll() if state.call is None else None
        if roll is None or roll.stage is not Stage.SETTLED:
            play.illegal(
                "Z40",
                f"there is no goal yet that {name} could {'hinder' if hinders else 'help'}",
                fix=add_entry("goal: ..."),
                since=0,
            )
            return
    if not player and action.by is None:
        play.unreadable("T56", f"who {word}?", fix=set_key("by"))
    if roll.stage is Stage.GOAL:
        ready(play, roll)
    play.require(
        roll.stage is Stage.GOAL,
        "Z44",
        f"{name} {word} after the main roll; helpers and hinderers roll first",
        facts=play.facts(roll.rolled, "rolled here"),
        since=roll.step,
    )
    play.require(
        who is None or who.id != roll.character,
        "Z40",
        f"{name} rolls already; help and hindrance are for another character's roll",
        at="by",
    )
    before = next((one for one in roll.efforts if _same_helper(one, who, player)), None)
    play.require(
        before is None or (who is None and player == play.runner),
        "Z40",
        f"{name} {word} a second time in this roll; it is two dice and one aim each",
        facts=play.facts(before.step, "the first time") if before is not None else (),
        since=roll.step,
    )
    _there(play, who, name, word)
    effort = EffortRecord(
        number=len(roll.efforts) + 1,
        step=play.step.index,
        hinders=hinders,
        player=player,
        character=who.id if who is not None else "",
        name=name,
        how=str(action.how or ""),
        aims=_aims(play, action, roll, hinders),
        danger=_own_danger(play, action, roll, player, name, hinders),
        pool=set_out(play, action, who, TWO, f"{word} {roll.name}: {roll.goal}"),
    )
    roll.efforts.append(effort)
    rule = "Z42" if hinders else "Z41"
    aims = listed(_aim_words(roll.items[i], hinders) for i in effort.aims)
    play.event(
        f"{name} {word} {roll.name}{': ' + aims if aims else ''}", rule, word, roll.character
    )
    if effort.danger is not None:
        play.event(f"{name} risks: {effort.danger.text}", rule, "own danger", effort.character)
    if action.roll is not None or "roll" in action.source:
        roll_effort(play, roll, effort, action.roll, action.place("roll"))
        if action.spend is not None:
            spend_effort(play, roll, effort, action.spend)


help_ = hinder = _beside


def _same_helper(effort: EffortRecord, who: Character | None, player: str) -> bool:
    """Whether somebody helped or hindered by an earlier entry of the same roll."""
    if who is not None:
        return effort.character == who.id
    return not effort.character and bool(player) and effort.player == player


def _there(play: Table, who: Character | None, name: str, word: str) -> None:
    scene = play.timeline.current
    if who is None or who.npc or scene is None or not scene.cast or play.gap > scene.first_step:
        return
    if who.id not in scene.cast or who.id in play.state.left:
        play.suspect(
            play.ruling("help_presence") == "suspect",
            "ZA26",
            f"{name} {word} and is not in this scene",
            at="by",
            facts=(play.because(scene.first_step, "the scene opened here"),),
            fix=add_entry(f"enter: {name}"),
        )


def _aim_words(item: Item, hinders: bool) -> str:
    if item.goal:
        return f"to fail at '{item.text}'" if hinders else f"to achieve '{item.text}'"
    return f"so that '{item.text}' happens" if hinders else f"to avoid '{item.text}'"


def _aims(play: Table, action: Help | Hinder, roll: RollRecord, hinders: bool) -> tuple[int, ...]:
    words = [word for word in action.aim if word.strip()]
    place = action.place("main")
    if not words:
        play.illegal(
            "Z40",
            "no aim; choose the goal or one danger",
            at=place,
            fix=(write_word("goal"), *(write_word(item.text) for item in roll.dangers)),
        )
        play.taint(f"aim:{roll.number}:{len(roll.efforts) + 1}")
        return ()
    if len(words) > 1:
        several = hinders and play.ruling("hinder_items") == "both"
        play.require(several, "Z40", f"{len(words)} aims; choose one", at=place)
    found: list[int] = []
    names = [(i.text,) if i.goal else (i.text, i.author) for i in roll.items]
    for word in words:
        meant = [0] if plain(word) == "goal" and roll.goals else pick(word, names)
        if len(meant) == 1:
            found.append(meant[0])
            continue
        play.unreadable(
            "T50",
            f"'{word}' could be more than one thing; write more of it"
            if meant
            else f"this roll has neither goal nor danger '{word}'",
            at=word,
            fix=replace_with(("goal", *(item.text for item in roll.dangers))),
        )
        play.taint(f"aim:{roll.number}:{len(roll.efforts) + 1}")
    return tuple(found)


def _own_danger(
    play: Table, action: Help | Hinder, roll: RollRecord, player: str, name: str, hinders: bool
) -> Item | None:
    rule = "Z42" if hinders else "Z41"
    due = _danger_author(play, roll, player, hinders)
    stated = action.danger
    if stated is None:
        play.illegal(
            rule,
            f"{name} faces no danger; {due or 'the player'} names one",
            fix=set_key("danger", f"{{{due}: ...}}" if due else BLANK),
        )
        return None
    if not isinstance(stated, dict):
        say_something(play, stated, rule, f"the danger for {name} has no words", stated)
        return Item(False, str(stated).strip() or WITHOUT_WORDS, due, play.step.index)
    author, text = next(iter(stated.items()), (ScalarNode(""), ScalarNode("")))
    play.require(len(stated) == 1, rule, f"{name} faces one danger, not {len(stated)}", at="danger")
    if stated:
        say_something(play, text, rule, f"the danger for {name} has no words", author)
    who = play.player(author)
    if who and who != due:
        if not hinders and player == play.runner:
            play.suspect(
                True,
                "ZA20",
                f"{who} names the danger of the GM's helper; by this table's ruling {due} does",
                at=author,
            )
        else:
            whose = (
                "the person hindered names the hinderer's" if hinders else "the GM names a helper's"
            )
            whose += f": {due}" if due else ""
            play.illegal(rule, f"{who} names {name}'s danger; {whose}", at=author)
    return Item(False, str(text).strip() or WITHOUT_WORDS, who or due, play.step.index)


def _danger_author(play: Table, roll: RollRecord, player: str, hinders: bool) -> str:
    if hinders:
        return roll.player
    if player != play.runner:
        return play.runner
    third = [name for name in others(play, player) if name != roll.player]
    if play.ruling("gm_helper_danger") == "helped" or not third:
        return roll.player
    return third[0]


# --- the two dice ---------------------------------------------------------------------------------


def a_hit(pool: Pool) -> str:
    """How likely the dice of somebody who helps or hinders bring anything."""
    return f"at least one hit {percent(any_at_least(pool.counts(), pool.hit))}"


def roll_effort(
    play: Table,
    roll: RollRecord,
    effort: EffortRecord,
    faces: Mapping[str, Faces] | None,
    place: Place,
) -> None:
    """Z41, Z42: two dice, Features as usual."""
    play.step.player = play.step.player or effort.player
    effort.rolled = play.step.index
    if faces is None:
        effort.unrecorded = True
        play.event(f"{effort.name}'s faces were not written down", "Z44", "unrecorded")
        return
    whose = effort.character or effort.player
    effort.pool.hit = answer(play, LEAST, effort.pool.hit, whose, effort.pool)
    effort.dice = read_dice(play, effort.pool, faces, place)
    check_dice(play, effort.pool, effort.dice, "Z42" if effort.hinders else "Z41", place)
    throws(play, effort.dice, effort.player)
    count = sum(1 for d in effort.dice if d.hit)
    word = "hinders" if effort.hinders else "helps"
    play.event(
        f"{effort.name} {word} with {plural(count, 'hit')}", "Z44", "rolls", effort.character
    )
    play.step.contest = Contest(
        f"{effort.name} {word} {roll.name}",
        (side(effort.name, effort.player, effort.dice, effort.pool),),
        score=str(count),
        unit="hit" if count == 1 else "hits",
        odds=a_hit(effort.pool),
        rule="Z44",
    )


def spend_effort(
    play: Table, roll: RollRecord, effort: EffortRecord, bought: Purchase | None
) -> None:
    """Z41, Z42: hits to the own danger or the aim."""
    effort.spent = play.step.index
    rule = "Z42" if effort.hinders else "Z41"
    laid: list[int] = []
    for claim in claims_of(play, roll, effort, bought):
        use = "own" if claim.own else "aim"
        die = None if effort.unrecorded else take_die(play, effort.dice, claim, rule, use)
        face = die.face if die is not None else 0
        if die is None and not effort.unrecorded:
            # The log wins: for the table there was such a die, and it was good for this.
            play.taint(f"roll:{roll.number}")
            face = max(effort.pool.hit, claimed_face(claim))
        if claim.advantage is not None:
            _spare(play, roll, effort, claim)
        elif claim.own:
            _save_self(play, effort, claim, face)
        elif claim.item is not None:
            _on_aim(play, roll, effort, claim)
            if effort.hinders:
                _bar(play, effort, claim, face, laid)
            elif effort.unrecorded or face:
                _help_with(play, roll, effort, claim, face)
    _close(play, effort)


def _on_aim(play: Table, roll: RollRecord, effort: EffortRecord, claim: Claim) -> None:
    """Z40: dice go to the aim that was chosen; elsewhere they count, and it is reported."""
    if any(roll.items[index] is claim.item for index in effort.aims):
        return
    aims = listed(f"'{roll.items[i].text}'" for i in effort.aims)
    play.illegal(
        "Z40",
        f"{effort.name}'s aim was {aims}; it does not change after the roll"
        if aims
        else f"{effort.name} chose no aim",
        at=claim.word,
        facts=(play.because(effort.step, "chosen here"),),
        after=(f"aim:{roll.number}:{effort.number}",),
    )
    play.taint(f"roll:{roll.number}")


def _spare(play: Table, roll: RollRecord, effort: EffortRecord, claim: Claim) -> None:
    if effort.hinders:
        play.suspect(
            play.ruling("hinder_spare") == "no",
            "ZA25",
            "a hinderer's dice go to the own danger or to the hindrance, nowhere else",
            at=claim.word,
        )
    else:
        play.illegal(
            "Z41",
            "a helper's hit is kept as an advantage; it goes to the own danger or to the help",
            at=claim.word,
        )
    who = play.state.characters.get(effort.character)
    if who is not None and claim.advantage:
        establish(play, roll, who, claim.advantage)


def _save_self(play: Table, effort: EffortRecord, claim: Claim, face: int) -> None:
    if not effort.unrecorded and face and face < effort.pool.hit:
        message = f"{an(face)} is no hit and does not avoid {effort.name}'s own danger"
        if not effort.hinders:
            play.illegal("Z24", message, at=claim.die)
        elif play.ruling("hinder_hit") != "free":
            play.suspect(True, "ZA18", message, at=claim.die)
    if effort.danger is not None:
        effort.danger.paid = f"{face}" if face else "a hit"
        effort.danger.paid_by = effort.name


def _bar(play: Table, effort: EffortRecord, claim: Claim, face: int, laid: list[int]) -> None:
    item = claim.item
    if item is None:
        return
    play.suspect(
        bool(laid) and play.ruling("hinder_two") == "one",
        "ZA17",
        "both dice on the hindrance; by this table's ruling one is for the own danger",
        at=claim.die,
    )
    laid.append(face)
    if 0 < face < effort.pool.hit:
        play.suspect(
            play.ruling("hinder_hit") == "both-hit",
            "ZA18",
            f"{an(face)} is no hit and does not hinder by this table's ruling",
            at=claim.die,
        )
    item.bars[effort.number] = max(item.bars.get(effort.number, 0), face)
    effort.effect = f"'{item.text}' takes a die above {item.bars[effort.number]}"
    play.event(
        f"{effort.name} hinders with {face}: '{item.text}' takes a hit above {face}",
        "Z43",
        "bars",
        effort.character,
    )


def _help_with(
    play: Table, roll: RollRecord, effort: EffortRecord, claim: Claim, face: int
) -> None:
    item = claim.item
    if item is None:
        return
    if not effort.unrecorded:
        play.require(
            face >= effort.pool.hit,
            "Z24",
            f"{an(face)} is no hit; a die of {effort.pool.hit} or more is",
            at=claim.die,
        )
        hard = item.goal and roll.challenge and face < CHALLENGE_HIT
        if hard and play.ruling("helper_challenge") == "yes":
            play.suspect(
                face >= effort.pool.hit,
                "ZA14",
                f"{an(face)} cannot buy the goal of a Challenge, not for a helper either",
                at=claim.die,
            )
            return
        if face <= bar_of(play, item) and play.ruling("helper_vs_hinder") == "yes":
            play.suspect(
                face >= effort.pool.hit,
                "ZA15",
                f"{an(face)} does not beat the hindering die, not for a helper either",
                at=claim.die,
            )
            return
    if play.suspect(
        bool(item.paid),
        "Z25" if item.goal else "Z26",
        f"{item.paid_by} has bought this already",
        at=claim.die,
    ):
        return
    item.paid = an(face) if face else "a hit"
    item.paid_by = effort.name
    effort.effect = f"buys '{item.text}' with {item.paid}"
    play.event(
        f"{effort.name} buys '{item.text}' for {roll.name} with {item.paid}",
        "Z41",
        "helps with",
        effort.character,
    )


def let_go(play: Table, effort: EffortRecord) -> None:
    """The main roll comes and nobody said where a helper's or hinderer's dice went."""
    useful = effort.unrecorded or any(d.hit for d in effort.dice)
    if useful and not play.gap > effort.step:
        play.unknown(
            "Z40",
            f"where {effort.name}'s dice went is not written",
            facts=(play.because(effort.step, "announced here"),),
            help="spend: {own danger: the die, goal: the die}  /  by: the helper",
        )
    effort.spent = play.step.index
    _close(play, effort)


def _close(play: Table, effort: EffortRecord) -> None:
    danger = effort.danger
    if danger is None:
        return
    danger.well = bool(danger.paid)
    rule = "Z42" if effort.hinders else "Z41"
    if danger.well:
        play.event(f"{effort.name} avoids: {danger.text}", rule, "avoided", effort.character)
    else:
        play.event(
            f"Comes true for {effort.name}: {danger.text}", rule, "comes true", effort.character
        )
