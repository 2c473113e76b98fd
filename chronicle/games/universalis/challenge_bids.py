"""Chapter 3, third part: the Bidding of a Challenge."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from copy import copy
from typing import NamedTuple

from chronicle.core.declare import Part, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import TEXT, Context, FieldType, OneOrMany
from chronicle.core.figures import is_figure
from chronicle.core.fix import set_key, write_word
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.record import WeighedSide, Weighing
from chronicle.core.references import contains_words, resolve_reference
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, ScalarNode, Value
from chronicle.games.universalis import facts
from chronicle.games.universalis.actions import ID, STATED, THUMBS, Entry
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


class Support(Part):
    """A Fact brought into a Challenge."""

    fact = main(ID, "the id or the words of a Fact, or 'Component: Trait' in quotes")
    for_ = option(STATED, "whose side it supports; default: the Challenger")
    up = option(THUMBS, "who holds that it applies")
    down = option(THUMBS, "who holds that it does not")


class BidsType(FieldType[tuple[ScalarNode, ...]]):
    """The bids of a Challenge, in order or by player."""

    words = "[Ed 1, Ana 0, Cleo 1 for Ed ...], or {player: Coins}"

    def read(self, value: Value, context: Context) -> tuple[ScalarNode, ...]:
        if isinstance(value, MappingNode):
            return tuple(
                player.like(f"{player} {TEXT.read(coins, context)}")
                for player, coins in value.items()
            )
        return OneOrMany(TEXT).read(value, context)

    def schema(self) -> Schema:
        bid_type = {"type": ["string", "number"]}
        return {
            "type": ["string", "array", "object"],
            "items": bid_type,
            "additionalProperties": bid_type,
        }


class Bids(Entry):
    """An entry with the bids of a Challenge."""

    bids: str | tuple[ScalarNode, ...] | None
    dropped: ScalarNode | None
    wants: ScalarNode | None
    concedes: tuple[ScalarNode, ...]
    returned: tuple[ScalarNode, ...]
    facts: tuple[Support, ...]
    winner: ScalarNode | None
    totals: Mapping[ScalarNode, int] | None

    def parties(self, play: Table) -> tuple[str, str]:
        """The Challenger and the player Challenged."""
        raise NotImplementedError

    @property
    def written_bids(self) -> tuple[ScalarNode, ...]:
        """The bids that the log gives; none where they are unrecorded."""
        return () if isinstance(self.bids, str) else self.bids or ()

    @property
    def is_bidding(self) -> bool:
        """Whether written bids decide."""
        return self.dropped is None and self.bids is not None and not isinstance(self.bids, str)

    def read_bids(self, play: Table) -> list[Bid]:
        """The bids of known players, as they are written; of a supporter who says no option, without one."""
        bids: list[Bid] = []
        parties = self.parties(play)
        for word in self.written_bids if self.is_bidding and parties[0] else ():
            match = re.match(BID, word.strip())
            player = play.look_up_player(word.like(match["who"])) if match is not None else ""
            if match is None or not player:
                continue
            option, side = player if player in parties else "", match["side"]
            if side is not None:
                named = play.names.find(side.strip(), (PLAYER,))
                option = named.id if isinstance(named, Named) else side.strip()
            coins = int(match["coins"]) if is_figure(match["coins"]) else 0
            bids.append(Bid(player, coins, option, word))
        return bids

    def empty_bids(self, play: Table) -> Iterator[tuple[Bid, list[str]]]:
        """The bids for an option without a supporter, each with the sides. A side is one of the two parties or a
        further solution (U3.44). That of a player is one once that player bids for it; else the log words it, and a
        name is not enough."""
        bids = self.read_bids(play)
        challenger, challenged = self.parties(play)
        own = [bid.option for bid in bids if bid.option == bid.player]
        own += [bid.player for bid in bids if not bid.option]
        sides = [*dict.fromkeys([challenger, challenged or "the other side", *own])]
        for bid in bids:
            is_name = bid.option.isalpha() and bid.option.istitle()
            is_unknown = is_name and not isinstance(
                play.names.find(bid.word.like(bid.option)), Named
            )
            is_empty = bid.option in play.seats or is_unknown
            if bid.coins and bid.option and bid.option not in sides and is_empty:
                yield bid, sides

    @guard("T20", DiagnosticKind.UNREADABLE, help="write  Ed 1  or  Cleo 2 for Ed  or  Ana 0")
    def writes_bids(self, play: Table) -> Iterator[Violation]:
        for word in self.written_bids if self.is_bidding else ():
            if re.match(BID, word.strip()) is None:
                yield Violation(f"'{word}' is no bid", word)

    @question("U3.41")
    def follows_a_negotiation(self, play: Table) -> Violation | None:
        words = (self.wants, self.text, self.note)
        if not self.is_bidding or any(word is not None for word in words):
            return None
        return Violation("Bidding without a word of Negotiation", fix=set_key("wants"))

    @guard("U3.44")
    def bids_for_an_option(self, play: Table) -> Iterator[Violation]:
        challenger, _ = self.parties(play)
        for bid in self.read_bids(play):
            if not bid.option and bid.coins:
                fix = write_word(f"{bid.player} {bid.coins} for {challenger}")
                yield Violation(f"{bid.player} bids for no option", bid.word, fix)
        for bid, sides in self.empty_bids(play):
            yield Violation(
                f"{bid.player} bids for {bid.option}, and no side here has that name",
                bid.word,
                write_word(
                    f"{bid.player} {bid.coins} for a third way", when="if it is a further solution"
                ),
                f"the sides are {listed(filter(None, sides))}",
            )

    @guard("U3.42", help="if the Challenger bids nothing, the Challenge is over:  dropped: ...")
    def is_opened_by_the_challenger(self, play: Table) -> Violation | None:
        challenger, _ = self.parties(play)
        for bid in self.read_bids(play)[:1]:
            if bid.player != challenger or not bid.coins or not bid.option:
                message = f"{challenger} opens the Bidding with at least 1 Coin"
                return Violation(message, bid.word)
        return None

    @guard("U3.43")
    def goes_round_the_table(self, play: Table) -> Violation | None:
        """The Challenger first, then clockwise, the player Challenged last (U3.42, U3.43)."""
        challenger, challenged = self.parties(play)
        bids = self.read_bids(play)
        seats = play.seats
        start = seats.index(challenger) if challenger in seats else 0
        others = [p for p in seats if p in play.present and p not in (challenger, challenged)]
        others.sort(key=lambda player: (seats.index(player) - start) % len(seats))
        circle = [challenger, *others, *([challenged] if challenged else [])]
        last = 0
        bidders = [challenger]
        for bid in bids[1:] if bids and bids[0].player == challenger else []:
            if bid.player not in circle:
                continue
            place = circle.index(bid.player)
            # Who is named for the first time keeps the order of the first round, which is over when the last
            # has spoken; players named only after that passed until then.
            behind = circle[-1] not in bidders and any(circle.index(p) > place for p in bidders)
            if behind or (bid.player in bidders and last == place):
                help = "order: " + ", ".join(circle) + ", then round again"
                return Violation(f"{bid.player} bids out of order", bid.word, help=help)
            bidders.append(bid.player)
            last = place
        return None

    def conceding(self, play: Table) -> list[str]:
        """Which of the two back out of the Bidding."""
        parties = self.parties(play)
        players = map(play.look_up_player, self.concedes if self.is_bidding else ())
        return [player for player in players if player and player in parties]

    @guard("U3.45")
    def is_conceded_by_one_party(self, play: Table) -> Iterator[Violation]:
        parties = [player for player in self.parties(play) if player]
        for word in self.concedes if self.is_bidding and parties else ():
            player = play.look_up_player(word)
            if player and player not in parties:
                yield Violation(
                    f"{player} only supports a side of this Challenge and cannot concede it",
                    word,
                    help=f"it is between {listed(parties)}",
                )
        conceding = self.conceding(play)
        if len(conceding) > 1:
            yield Violation(
                f"{listed(conceding)} both concede, so neither version stands",
                "concedes",
                help="name the player who backs out, or write what they found instead:  agreed: ...",
            )


def bidding(play: Table, action: Bids, record: ChallengeRecord) -> bool:
    """Coins decide between two versions (U3.42 to U3.53). Whether the contested entry stands."""
    state = play.state
    challenger, challenged = record.challenger, record.challenged
    matches = ((word, re.match(BID, word.strip())) for word in action.written_bids)
    named = (word.like(match["who"]) for word, match in matches if match is not None)
    for word in (*named, *action.concedes):
        play.player(word)
    empty = [bid.word for bid, _ in action.empty_bids(play)]
    bids: list[Bid] = []
    for bid in action.read_bids(play):
        play.check_presence(bid.player, bid.word)
        if bid.word not in empty:
            option, coins = bid.option or bid.player, bid.coins if bid.option else 0
            bids.append(bid._replace(option=option, coins=coins))
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
            WeighedSide(option, option if option in play.seats else "", real.get(option, 0), total)
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


def _side(play: Table, word: ScalarNode, sides: Collection[str]) -> str:
    """Which side of a Challenge some words mean: that of a player, or a solution of its own."""
    named = play.names.find(word, (PLAYER,))
    if isinstance(named, Named):
        return named.id
    return next((side for side in sides if fold(side) == fold(word)), "")


def _facts(
    play: Table, action: Bids, record: ChallengeRecord, sides: Collection[str]
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


def _check_totals(play: Table, action: Bids, totals: dict[str, int]) -> None:
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


def _conceded(play: Table, action: Bids, record: ChallengeRecord) -> str:
    """The side that prevails because the other side backed out of the Bidding; empty: nobody did."""
    conceding = action.conceding(play)
    if len(conceding) != 1:
        return ""
    record.conceded = conceding[0]
    parties = (record.challenger, record.challenged)
    return next((p for p in parties if p and p != record.conceded), "the other side")


def _returned(play: Table, action: Bids, bids: list[Bid], record: ChallengeRecord) -> None:
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
