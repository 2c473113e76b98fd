"""Chapter 3, third part: the Bidding of a Challenge."""

from __future__ import annotations

import re
from collections.abc import Collection
from copy import copy
from typing import NamedTuple

from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.figures import is_figure
from chronicle.core.fix import set_key, write_word
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.record import Weighing, Weight
from chronicle.core.references import contains_words, resolve_reference
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import facts
from chronicle.games.universalis.actions import RaiseChallenge
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.coins import charge, settle
from chronicle.games.universalis.fines import count_votes
from chronicle.games.universalis.gates import nothing_bars
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import BANK, COIN, COMPONENT_KINDS, ChallengeRecord
from chronicle.games.universalis.traits import find_trait

BID = r"(?s)(?P<who>.+?)\s+(?P<coins>\d+|pass(?:es)?)(?:\s+for\s+(?P<side>.+))?\Z"


class Bid(NamedTuple):
    """One bid of a Challenge: who, how much, for which option, at which place."""

    player: str
    coins: int
    option: str
    word: ScalarNode


def bidding(play: Table, action: RaiseChallenge, record: ChallengeRecord) -> bool:
    """Coins decide between two versions (U3.42 to U3.53). Whether the contested entry stands."""
    state = play.state
    challenger, challenged = record.challenger, record.challenged
    play.suspect(
        action.wants is None and action.text is None and action.note is None,
        "U3.41",
        "Bidding without a word of Negotiation",
        fix=set_key("wants"),
    )
    bids = [b for word in action.written_bids if (b := _read_bid(play, word, record)) is not None]
    _check_order(play, bids, record)
    bids = _with_a_side(play, bids, record)
    real: dict[str, int] = {challenger: 0, challenged or "the other side": 0}
    for bid in bids:
        record.bids.append((bid.player, bid.coins, bid.option))
        if bid.coins:
            real[bid.option] = real.get(bid.option, 0) + bid.coins
            charge(
                play,
                "buy",
                "U3.48",
                f"bid for {bid.option}",
                amount=bid.coins,
                sort="challenge",
                player=bid.player,
            )
    behind = _facts(play, action, record, real)
    for side in real:
        for text, rule in state.points.facts_behind(play, record, side):
            behind.setdefault(side, []).append(text)
            play.event(f"{text} supports {side}: Coins count double", rule, "doubles")
    totals = {
        option: state.points.support(play, coins, len(behind.get(option, ())))
        for option, coins in real.items()
    }
    record.real, record.totals = real, totals
    record.facts = {option: tuple(words) for option, words in behind.items()}
    weighed = Weighing(
        str(action.wants or ""),
        tuple(
            Weight(option, option if option in play.seats else "", real.get(option, 0), total)
            for option, total in totals.items()
        ),
        COIN,
        "U3.45",
    )
    winner = _conceded(play, action, record) or _winner(
        play, totals, challenged or "the other side"
    )
    _check_totals(play, action, totals)
    if action.winner is not None:
        stated = play.names.find(action.winner, ("player",))
        name = stated.id if isinstance(stated, Named) else str(action.winner)
        if name != winner:
            play.illegal(
                "U3.45",
                f"{winner} wins, for {record.conceded} concedes; not {name}"
                if record.conceded
                else f"{winner} wins with {totals[winner]} : "
                + " : ".join(str(t) for o, t in totals.items() if o != winner)
                + f", not {name}",
                at="winner",
                fix=write_word(winner),
                help=() if record.conceded else "a tie goes to the player Challenged",
            )
            winner = name
    known_case = play.known_decision
    if known_case is not None:
        # It was decided while what is struck now still stood.
        record.real, record.totals, record.facts = map(
            copy, (known_case.real, known_case.totals, known_case.facts)
        )
        totals, winner = record.totals, known_case.winner
    record.winner = winner
    sides = tuple(side._replace(won=side.name == winner) for side in weighed.sides)
    play.step.weighing = weighed._replace(sides=sides)
    _returned(play, action, bids, record)
    record.ending = "bidding"
    totals_text = ", ".join(f"{option} {total}" for option, total in totals.items())
    why = f", for {record.conceded} concedes" if record.conceded else ""
    play.event(f"bids: {totals_text}; {winner} wins{why}", "U3.45", "challenge")
    return winner in (challenged, "the other side")


def _read_bid(play: Table, word: ScalarNode, record: ChallengeRecord) -> Bid | None:
    match = re.match(BID, word.strip())
    if match is None:
        play.unreadable(
            "T20", f"'{word}' is no bid", at=word, help="write  Ed 1  or  Cleo 2 for Ed  or  Ana 0"
        )
        return None
    player = play.player(word.like(match["who"]))
    if not player:
        return None
    play.check_presence(player, word)
    coins = int(match["coins"]) if is_figure(match["coins"]) else 0
    side = match["side"]
    if side is not None:
        named = play.names.find(side.strip(), ("player",))
        option = named.id if isinstance(named, Named) else side.strip()
    elif player in (record.challenger, record.challenged):
        option = player
    else:
        option = ""
        play.require(
            coins == 0,
            "U3.44",
            f"{player} bids for no option",
            at=word,
            fix=write_word(f"{player} {coins} for {record.challenger}"),
        )
    return Bid(player, coins if option else 0, option or player, word)


def _with_a_side(play: Table, bids: list[Bid], record: ChallengeRecord) -> list[Bid]:
    """The bids for an option with a supporter: the two parties, or a further solution (U3.44). That of a
    player is one once that player bids for it; else the log words it, and a name is not enough."""
    own = [bid.option for bid in bids if bid.option == bid.player]
    stood_for = dict.fromkeys([record.challenger, record.challenged or "the other side", *own])
    valid_bids: list[Bid] = []
    for bid in bids:
        match = play.names.find(bid.word.like(bid.option))
        is_unknown_name = (
            not isinstance(match, Named) and bid.option.isalpha() and bid.option.istitle()
        )
        empty = (
            bid.coins
            and bid.option not in stood_for
            and (bid.option in play.seats or is_unknown_name)
        )
        if empty and not play.illegal(
            "U3.44",
            f"{bid.player} bids for {bid.option}, and no side here has that name",
            at=bid.word,
            fix=write_word(
                f"{bid.player} {bid.coins} for a third way", when="if it is a further solution"
            ),
            help=f"the sides are {listed(s for s in stood_for if s)}",
        ):
            continue
        valid_bids.append(bid)
    return valid_bids


def _check_order(play: Table, bids: list[Bid], record: ChallengeRecord) -> None:
    """The Challenger first, then clockwise, the player Challenged last (U3.42, U3.43)."""
    if not bids:
        return
    challenger, challenged = record.challenger, record.challenged
    first = bids[0]
    play.require(
        first.player == challenger and first.coins > 0,
        "U3.42",
        f"{challenger} opens the Bidding with at least 1 Coin",
        at=first.word,
        help="if the Challenger bids nothing, the Challenge is over:  dropped: ...",
    )
    bystanders = [p for p in play.seats if p in play.present and p not in (challenger, challenged)]
    start = play.seats.index(challenger) if challenger in play.seats else 0
    bystanders.sort(key=lambda p: (play.seats.index(p) - start) % len(play.seats))
    circle = [challenger, *bystanders, *([challenged] if challenged else [])]
    last = 0
    bidders = [challenger]
    for bid in bids[1:] if first.player == challenger else []:
        if bid.player not in circle:
            continue
        place = circle.index(bid.player)
        # Who is named for the first time keeps the order of the first round, which is over when the last
        # has spoken; players named only after that passed until then.
        behind = circle[-1] not in bidders and any(circle.index(p) > place for p in bidders)
        if behind or (bid.player in bidders and last == place):
            play.illegal(
                "U3.43",
                f"{bid.player} bids out of order",
                at=bid.word,
                help="order: " + ", ".join(circle) + ", then round again",
            )
            return
        bidders.append(bid.player)
        last = place


def _side(play: Table, word: ScalarNode, sides: Collection[str]) -> str:
    """Which side of a Challenge some words mean: that of a player, or a solution of its own."""
    named = play.names.find(word, (PLAYER,))
    if isinstance(named, Named):
        return named.id
    return next((side for side in sides if fold(side) == fold(word)), "")


def _facts(
    play: Table, action: RaiseChallenge, record: ChallengeRecord, sides: Collection[str]
) -> dict[str, list[str]]:
    """Facts that double a side's Coins (U3.51 to U3.53)."""
    behind: dict[str, list[str]] = {}
    for side, text in play.state.points.standing_facts(play, record.of):
        behind.setdefault(side, []).append(text)
        play.event(f"'{text}' supports {side}: Coins count double", "U3.51", "doubles")
    for support in action.facts:
        side = record.challenger
        if support.for_ is not None:
            side = _side(play, support.for_, sides) or play.player(support.for_)
        fact_found, bar = _fact(play, support.fact, record.of)
        if bar is None:
            is_found = fact_found is not None
            bar = play.state.points.bars_fact(play, support.fact, side, record.of, is_found)
        if not nothing_bars(play, bar, support.fact) or fact_found is None:
            continue
        text, step, id = fact_found
        if (step == record.of and step) or (record.rule and id == record.rule):
            play.illegal(
                "U3.53",
                "a Fact under attack does not help in its own defence"
                if side == record.challenged
                else "a Challenged entry supports no side in its own Challenge",
                at=support.fact,
                facts=play.facts(step, "this is the Challenged entry"),
            )
            continue
        applies = True
        if support.up is not None or support.down is not None:
            up, down, _ = count_votes(play, support.up, support.down, "U3.52")
            applies = up > down
            record.votes.append(f"'{text}': {up} up, {down} down")
        if not applies:
            play.event(f"'{text}' does not apply, by vote", "U3.52", "vote")
            continue
        if text in behind.setdefault(side, []):
            continue
        behind[side].append(text)
        play.event(f"'{text}' supports {side}: Coins count double", "U3.51", "doubles")
    return behind


def _fact(
    play: Table, word: ScalarNode, attacked_by: int
) -> tuple[tuple[str, int, str] | None, Bar | None]:
    """A Fact by its id, its words, or as 'Component: Trait': its text, the step that bought it, its id; and why
    there is none, if it is over. The entry ``attacked_by`` is what is Challenged."""
    key = str(word)
    name, colon, words = key.partition(":")
    match = play.names.find(name, COMPONENT_KINDS) if colon else None
    if isinstance(match, Named):
        component = play.state.components[match.id]
        trait = find_trait(component, words.strip())
        if trait is not None and (contains_words(trait.text, words) or trait.id == words.strip()):
            return (f"{component.name}: {trait.text}", trait.step, ""), None
        if component.open_list:
            return (f"{component.name}: {words.strip()}", 0, ""), None
        return None, None
    for component in play.state.components.values():
        for trait in component.traits.values():
            if trait.id and trait.id == key.strip() and trait.copies > 0:
                return (f"{component.name}: {trait.text}", trait.step, trait.id), None
    candidates = list(facts.facts_in_force(play, attacked_by=attacked_by))
    hits, bar = facts.look_up(play, key, candidates)
    if len(hits) > 1:
        resolve_reference(play, word, hits, "Fact", "U3.51", merge_equal=True)
    if not hits:
        return None, bar._replace(rule="U3.51") if bar is not None else None
    return (hits[0].text, hits[0].step_number, hits[0].id), None


def _winner(play: Table, totals: dict[str, int], challenged: str) -> str:
    best = max(totals.values())
    top = [option for option, total in totals.items() if total == best]
    if len(top) == 1:
        return top[0]
    if challenged in top or play.ruling("tied options") == "challenged":
        return challenged
    return top[0]


def _check_totals(play: Table, action: RaiseChallenge, totals: dict[str, int]) -> None:
    for word, stated in (action.totals or {}).items():
        named = play.names.find(word, ("player",))
        option = named.id if isinstance(named, Named) else str(word)
        actual = totals.get(option, 0)
        if actual != stated:
            play.report(
                DiagnosticKind.BOOKKEEPING,
                "U3.51",
                f"the Coins for {option} come to {actual}, not {stated}",
                at=action.place("totals", str(word)),
                fix=write_word(actual),
                help="Coins count double only behind a Fact:  facts: {fact: ..., for: ...}",
            )


def _conceded(play: Table, action: RaiseChallenge, record: ChallengeRecord) -> str:
    """The side that prevails because the other side backed out of the Bidding; empty: nobody did."""
    parties = [p for p in (record.challenger, record.challenged) if p]
    conceded: list[str] = []
    for word in action.concedes:
        player = play.player(word)
        if player and play.require(
            player in parties,
            "U3.45",
            f"{player} only supports a side of this Challenge and cannot concede it",
            at=word,
            help=f"it is between {listed(parties)}",
        ):
            conceded.append(player)
    if not conceded or not play.require(
        len(conceded) < 2,
        "U3.45",
        f"{listed(conceded)} both concede, so neither version stands",
        at="concedes",
        help="name the player who backs out, or write what they found instead:  agreed: ...",
    ):
        return ""
    record.conceded = conceded[0]
    return next((p for p in parties if p != conceded[0]), "the other side")


def _returned(
    play: Table, action: RaiseChallenge, bids: list[Bid], record: ChallengeRecord
) -> None:
    """Bids are lost (U3.48), unless an add-on gives one back; what the table says is checked."""
    settle(play, action)
    stated = {player: word for word in action.returned if (player := play.player(word))}
    for player in dict.fromkeys([*(bid.player for bid in bids), *stated]):
        coins = sum(bid.coins for bid in bids if bid.player == player)
        answer = play.state.points.bid_comes_back(play, record, player)
        if not answer.yes and player not in stated:
            continue
        play.require(
            answer.yes,
            answer.rule,
            f"{player} takes {plural(coins, 'Coin')} back; {answer.words}",
            at=stated.get(player),
            fix=answer.fixes,
            help=answer.help or (),
        )
        if coins:
            record.recovered[player] = coins
            play.move(BANK, f"wealth:{player}", coins, COIN, answer.rule, "a bid taken back")
            if answer.yes:
                play.event(
                    f"{player} gets {plural(coins, 'Coin')} of the bid back",
                    answer.rule,
                    "returned",
                )
