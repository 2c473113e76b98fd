"""The end of a session: pair rolls, new labels, recovery (I55, I56, I70)."""

from __future__ import annotations

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import replace_with, set_pair
from chronicle.core.play_kinds import Pair
from chronicle.core.record import Side as CardSide
from chronicle.core.record import SideBySide
from chronicle.core.source import Place
from chronicle.games.isolation.actions import PairRoll, PairRolls
from chronicle.games.isolation.counted import as_counted, lucks
from chronicle.games.isolation.counting import judge
from chronicle.games.isolation.deaths import heal
from chronicle.games.isolation.dice import GREEN, RED, Rolled, Throw, shown_dice
from chronicle.games.isolation.linkmap import find_link
from chronicle.games.isolation.odds import pair_chances, percent
from chronicle.games.isolation.state import CHARACTER, Health, Link, PairKey, PairRolled, Topic
from chronicle.games.isolation.table import (
    Table,
    add_link,
    doubt_pairs,
    erase_link,
    note_throw,
    pair_keys,
    pair_of,
)


def pair_rolls(play: Table, action: PairRolls) -> None:
    """Each pair may roll once at the end of a session; nobody has to."""
    state = play.state
    rolls = {} if isinstance(action.rolls, str) else action.rolls
    play.step.headline = f"Pair rolls: {len(rolls)}" if rolls else "Pair rolls"
    mid = play.ruling("injury_pair_rolls") == "also" and state.injured_step > 0
    played = any(conflict.session == state.session for conflict in state.conflicts)
    if played and not mid and (state.conflict is None or state.conflict.level is not None):
        # Rolls at the top of a session file happened between the sessions.
        state.ending = state.ending or play.step.index
    if isinstance(action.rolls, str):
        play.unknown("I55", "the record does not say how the pairs rolled", at="main")
        doubt_pairs(play, state.pairs(state.playing()))
    cards: list[CardSide] = []
    for pair, rolled in rolls.items():
        key = _pair(play, pair)
        if key is not None:
            cards.extend(_one(play, key, pair, rolled if rolled is not None else _unrecorded()))
            heal(play)
    if cards:
        play.step.contest = SideBySide(
            "The pairs roll",
            tuple(cards),
            unit="green evens against red odds",
            odds="; ".join(
                f"{play.state.name_of(r.pair)} {percent(r.chances.get(GREEN, 0.0))} green, "
                f"{percent(r.chances.get(RED, 0.0))} red"
                for r in state.pair_rolls
                if r.step == play.step.index and r.chances is not None
            ),
            rule="I55",
        )


def _unrecorded() -> PairRoll:
    """A roll that a pair made, and nobody wrote down."""
    roll = PairRoll()
    roll.green = roll.red = Rolled(hidden=True)
    return roll


def _pair(play: Table, pair: Pair) -> PairKey | None:
    key = pair_of(play, pair)
    if key is None:
        return None
    state = play.state
    if not all(state.people[who].alive for who in key):
        return None
    before = state.rolled.get(key, 0)
    play.require(
        not before,
        "I55",
        f"{state.name_of(key)} have rolled for this session",
        at=pair.one,
        facts=play.facts(before, "here"),
    )
    state.rolled[key] = play.step.index
    return key


def base_of(play: Table, key: PairKey) -> tuple[int, int]:
    """Green and red dice of a pair's roll: its links, by default the unlabelled ones too."""
    links = play.state.labelled(key)
    green = sum(1 for link in links if link.colour is GREEN)
    red = len(links) - green
    if play.ruling("pair_roll") == "labelled":
        return green, red
    loose = play.state.unlabelled(key)
    return green + loose.green, red + loose.red


def _one(play: Table, key: PairKey, pair: Pair, rolled: PairRoll) -> list[CardSide]:
    state = play.state
    name = state.name_of(key)
    at = place_of_word(play.step.action, pair.one)
    base = base_of(play, key)
    hidden = any(one is not None and one.hidden for one in (rolled.green, rolled.red))
    throw = as_counted(play, Throw(rolled.green, rolled.red, hidden))
    doubts = pair_keys(key)
    for colour, dice in zip((GREEN, RED), base, strict=True):
        if not throw.of(colour).hidden and not judge(
            play,
            name,
            colour,
            throw.of(colour),
            dice,
            [plural(dice, f"{colour} link")] if dice else [],
            "I55",
            (),
            at,
            doubts,
        ):
            doubt_pairs(play, [key])
    note_throw(play, throw, state.people[key[0]].player)
    made = PairRolled(
        key,
        state.session,
        play.step.index,
        base,
        throw,
        throw.of(GREEN).counted(GREEN),
        throw.of(RED).counted(RED),
        behind=str(rolled.for_ or ""),
        chances=pair_chances(*base, *lucks(play)),
    )
    state.pair_rolls.append(made)
    found = len(play.step.diagnostics)
    _choose(play, made, rolled, at, name)
    if any(d.finding is Finding.ILLEGAL for d in play.step.diagnostics[found:]):
        doubt_pairs(play, [key])
    said = {GREEN: "green evens win", RED: "red odds win", None: "a tie"}[made.winner]
    told = f"{made.evens} green evens, {made.odds} red odds: {said}"
    if made.unrecorded:
        told = "not all faces are recorded"
    play.event(
        f"{name}: {told}"
        + (
            f"; {made.choice} '{made.label}'"
            if made.choice
            else "; nothing changes" * (not made.unrecorded)
        ),
        "I55",
        "pair roll",
    )
    return [
        CardSide(
            name,
            "",
            shown_dice(throw, {GREEN: base[0], RED: base[1]}, GREEN, RED),
            (f"{base[0]} green, {plural(base[1], 'red link')}",),
            made.counted + (f", {made.choice} '{made.label}'" if made.choice else ""),
            made.winner is GREEN,
        )
    ]


def _choose(play: Table, made: PairRolled, rolled: PairRoll, at: Place, name: str) -> None:
    """I55: what the winner of the roll may do, and what the loser must."""
    wishes = [
        (word, value)
        for word, value in (
            ("erase", rolled.erase),
            ("add green", rolled.add_green),
            ("add red", rolled.add_red),
        )
        if value is not None
    ]
    doubts = (f"map:{name}",)
    if len(wishes) > 1:
        play.illegal(
            "I55",
            f"{name}: one change for one roll, not {listed(word for word, _ in wishes)}",
            at=at,
            after=doubts,
        )
    greens = play.state.labelled(made.pair, GREEN)
    if not wishes:
        if made.unrecorded:
            play.unknown("I55", f"the record does not say how {name} rolled", at=at)
            doubt_pairs(play, [made.pair])
        if made.winner is RED:
            play.illegal(
                "I55",
                f"{name}: {made.odds} red odds beat {made.evens} green evens, and nothing changed",
                at=at,
                fix=(
                    *(set_pair("", "erase", link.label) for link in greens),
                    set_pair("", "add red"),
                ),
                after=doubts,
            )
        return
    for word, value in wishes:
        text = str(value)
        place = place_of_word(play.step.action, value)
        allowed = {GREEN: ("erase", "add green"), RED: ("erase", "add red"), None: ()}[made.winner]
        if word not in allowed and not made.unrecorded:
            said = {
                GREEN: "green evens won: erase a red label, or add green",
                RED: "red odds won: erase a green label, or add red",
                None: "a tie changes nothing",
            }[made.winner]
            play.illegal("I55", f"{name}: {said}", at=place, after=doubts)
        if word == "erase":
            _erase(play, made, text, place, doubts)
        else:
            _add(play, made, word, text, rolled, place)


def _erase(play: Table, made: PairRolled, text: str, at: Place, doubts: tuple[str, ...]) -> None:
    state = play.state
    if made.winner is None:
        # A tie changes nothing, which is said already, or nobody knows who won. What the log says was
        # erased is gone all the same.
        link = find_link(play, made.pair, text) or _wound_by_name(play, made.pair, text)
        if link is not None:
            erase_link(play, link, "I55")
            made.choice, made.label = "erase", link.label
        return
    colour = GREEN if made.winner is RED else RED
    link = find_link(play, made.pair, text, colour) or _wound_by_name(play, made.pair, text)
    if link is None or link.colour is not colour:
        other = find_link(play, made.pair, text)
        listed(f"'{one.label}'" for one in state.labelled(made.pair, colour))
        play.illegal(
            "I55",
            f"'{other.label}' is {other.colour}; this roll erases a {colour} label"
            if other is not None
            else f"{state.name_of(made.pair)} have no {colour} link '{text}'",
            at=at,
            fix=replace_with(one.label for one in state.labelled(made.pair, colour)),
            after=doubts,
        )
        if other is None:
            return
        link = other
    if link.topic is Topic.WOUND and link.level is Health.INJURED:
        dying = state.wound_links(link.owner, Health.DYING)
        play.require(
            not dying,
            "I70",
            f"{link.owner} is Dying: all links '{Health.DYING.label}' go before any "
            f"'{link.level.label}'",
            at=at,
            facts=tuple(
                play.because(one.since, f"{state.name_of(one.pair)}: {one.label}")
                for one in dying[:2]
            ),
            after=(*doubts, f"health:{link.owner}"),
        )
    erase_link(play, link, "I55")
    made.choice, made.label = "erase", link.label


def _wound_by_name(play: Table, pair: PairKey, text: str) -> Link | None:
    """'Ruth's Dying' and 'Dying' mean a wound link as well."""
    words = text.replace("'s", "").replace("’s", "").split()
    if not words:
        return None
    level = words[-1].casefold()
    found = [
        link
        for link in play.state.labelled(pair, RED)
        if link.topic is Topic.WOUND and link.level.label.casefold() == level
    ]
    if len(words) > 1:
        named = play.names.find(" ".join(words[:-1]), (CHARACTER,))
        owner = getattr(named, "id", "")
        found = [link for link in found if link.owner == owner]
    return found[0] if len({link.owner for link in found}) == 1 else None


def _add(play: Table, made: PairRolled, word: str, text: str, rolled: PairRoll, at: Place) -> None:
    colour = GREEN if word == "add green" else RED
    label = text.strip()
    if label.casefold() in ("", "unlabelled", "unlabeled"):
        play.illegal(
            "I56",
            "a new link from a pair roll has a label",
            at=at,
            help="label it with something that happened",
        )
        label = "(no label)"
    else:
        play.suspect(
            rolled.for_ is None,
            "I56",
            f"'{label}': the record does not say what happened that this label stands for",
            at=at,
            help="add  for: the event, or something between two sessions",
        )
    add_link(play, made.pair, colour, label, Topic.EVENT, "I56", place=at, behind=made.behind)
    made.choice, made.label = word, label
