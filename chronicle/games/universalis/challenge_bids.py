"""Chapter 3, third part: the Bidding of a Challenge."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import NamedTuple

from chronicle.core.declare import Part, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import TEXT, Context, FieldType, OneOrMany
from chronicle.core.figures import is_figure
from chronicle.core.fix import set_key, write_word
from chronicle.core.guards import Violation, away_violation, guard, question
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
from chronicle.games.universalis.gates import violations_of
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


@dataclass(slots=True)
class Weighed:
    """What the bids of a Challenge come to by the rules, what there is to tell of the Facts behind them, and what is
    wrong with those. In the ``record`` is what stands."""

    record: ChallengeRecord
    totals: Mapping[str, int] = field(default_factory=dict)
    winner: str = ""
    events: list[tuple[str, str, str]] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)


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

    def record(self, play: Table) -> ChallengeRecord:
        """What it is about, and between whom: nothing is decided yet."""
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

    def returned_to(self, play: Table) -> dict[str, ScalarNode]:
        """Who took a bid back, as the log says, each with the word for it."""
        named = ((play.look_up_player(word), word) for word in self.returned)
        return {player: word for player, word in named if player}

    @guard("T67")
    def is_bid_by_those_at_the_table(self, play: Table) -> Iterable[Violation]:
        bids = self.read_bids(play)
        return filter(None, (away_violation(play, bid.player, bid.word) for bid in bids))

    @guard("U3.51")
    def is_weighed_by_the_rules(self, play: Table) -> Iterator[Violation]:
        """Its Facts count, and totals, winner and what was taken back are as the bids say."""
        record = self.record(play)
        if self.is_bidding and record.challenger:
            weighed = weigh(play, self, record)
            yield from weighed.violations
            yield from self._bars_totals(play, weighed)
            yield from self._bars_winner(play, weighed)
            yield from self._bars_return(play, weighed)

    def _bars_totals(self, play: Table, weighed: Weighed) -> Iterator[Violation]:
        for word, stated in (self.totals or {}).items():
            option = _option(play, word)
            actual = weighed.totals.get(option, 0)
            if actual != stated:
                yield Violation(
                    f"the Coins for {option} come to {actual}, not {stated}",
                    self.place("totals", str(word)),
                    write_word(actual),
                    "Coins count double only behind a Fact:  facts: {fact: ..., for: ...}",
                    kind=DiagnosticKind.BOOKKEEPING,
                )

    def _bars_winner(self, play: Table, weighed: Weighed) -> Iterator[Violation]:
        winner = weighed.winner
        stated = _option(play, self.winner) if self.winner is not None else winner
        if stated == winner:
            return
        conceded, totals = weighed.record.conceded, weighed.totals
        others = [total for option, total in totals.items() if option != winner]
        score = " : ".join(map(str, [totals.get(winner, 0), *others]))
        why = f", for {conceded} concedes;" if conceded else f" with {score},"
        yield Violation(
            f"{winner} wins{why} not {stated}",
            "winner",
            write_word(winner),
            () if conceded else "a tie goes to the player Challenged",
            rule="U3.45",
        )

    def _bars_return(self, play: Table, weighed: Weighed) -> Iterator[Violation]:
        """Bids are lost, unless an add-on gives one back (U3.48)."""
        for player, word in self.returned_to(play).items():
            answer = play.state.points.bid_comes_back(play, weighed.record, player)
            if not answer.yes:
                yield Violation(
                    f"{player} takes {plural(weighed.record.bid_of(player), 'Coin')} back; {answer.words}",
                    word,
                    answer.fixes,
                    answer.help or (),
                    rule=answer.rule,
                )


def bidding(play: Table, action: Bids, record: ChallengeRecord) -> bool:
    """Coins decide between two versions (U3.42 to U3.53). Whether the contested entry stands."""
    matches = ((word, re.match(BID, word.strip())) for word in action.written_bids)
    named = (word.like(match["who"]) for word, match in matches if match is not None)
    for word in (*named, *action.concedes, *action.returned):
        play.player(word)
    weighed = weigh(play, action, record, silently=False)
    for player, coins, side in record.bids:
        if coins:
            why = f"bid for {side}"
            charge(play, "buy", "U3.48", why, amount=coins, sort="challenge", player=player)
    for event in weighed.events:
        play.event(*event)
    winner = record.winner
    sides = tuple(
        WeighedSide(
            option,
            option if option in play.seats else "",
            record.real.get(option, 0),
            total,
            won=option == winner,
        )
        for option, total in record.totals.items()
    )
    play.step.weighing = Weighing(str(action.wants or ""), sides, COIN, "U3.45")
    settle(play, action)
    _return(play, action, record)
    record.ending = "bidding"
    totals_text = ", ".join(f"{option} {total}" for option, total in record.totals.items())
    why = f", for {record.conceded} concedes" if record.conceded else ""
    play.event(f"bids: {totals_text}; {winner} wins{why}", "U3.45", "challenge")
    return winner in (record.challenged, "the other side")


def weigh(play: Table, action: Bids, record: ChallengeRecord, *, silently: bool = True) -> Weighed:
    """Enter the bids, the Facts behind them and the winner into the record of a Challenge. Unknown names are reported,
    if not for guards ``silently``."""
    points = play.state.points
    challenger, other_side = record.challenger, record.challenged or "the other side"
    empty = [bid.word for bid, _ in action.empty_bids(play)]
    real = record.real = {challenger: 0, other_side: 0}
    for bid in action.read_bids(play):
        if bid.word not in empty:
            option, coins = bid.option or bid.player, bid.coins if bid.option else 0
            record.bids.append((bid.player, coins, option))
            if coins:
                real[option] = real.get(option, 0) + coins
    weighed = Weighed(record)
    behind = _facts(play, action, record, weighed, silently=silently)
    for side in real:
        for text, rule in points.facts_behind(play, record, side):
            behind.setdefault(side, []).append(text)
            weighed.events.append((f"{text} supports {side}: Coins count double", rule, "doubles"))
    record.totals = {
        option: points.support(play, coins, len(behind.get(option, ())))
        for option, coins in real.items()
    }
    record.facts = {option: tuple(words) for option, words in behind.items()}
    weighed.totals = record.totals
    weighed.winner = _conceded(play, action, record) or _winner(play, record.totals, other_side)
    record.winner = weighed.winner if action.winner is None else _option(play, action.winner)
    known_case = play.known_decision
    if known_case is not None:
        # It was decided while what is struck now still stood.
        record.real, record.totals, record.facts = map(
            copy, (known_case.real, known_case.totals, known_case.facts)
        )
        record.winner = known_case.winner
    return weighed


def _option(play: Table, word: ScalarNode) -> str:
    """What a stated figure or winner means: a player, or a solution of its own."""
    named = play.names.find(word, (PLAYER,))
    return named.id if isinstance(named, Named) else str(word)


def _side(play: Table, word: ScalarNode, sides: Collection[str]) -> str:
    """Which side of a Challenge some words mean: that of a player, or a solution of its own."""
    named = play.names.find(word, (PLAYER,))
    if isinstance(named, Named):
        return named.id
    return next((side for side in sides if fold(side) == fold(word)), "")


def _facts(
    play: Table, action: Bids, record: ChallengeRecord, weighed: Weighed, *, silently: bool
) -> dict[str, list[str]]:
    """Facts that double a side's Coins (U3.51 to U3.53)."""
    points, behind = play.state.points, dict[str, list[str]]()

    def support_side(side: str, text: str) -> None:
        behind.setdefault(side, []).append(text)
        words = f"'{text}' supports {side}: Coins count double"
        weighed.events.append((words, "U3.51", "doubles"))

    for side, text in points.standing_facts(play, record.of):
        support_side(side, text)
    look_up = play.look_up_player if silently else play.player
    for support in action.facts:
        side = record.challenger
        if support.for_ is not None:
            side = _side(play, support.for_, record.real) or look_up(support.for_)
        fact_found, bar = _fact(play, support.fact, record.of, silently=silently)
        if bar is None:
            bar = points.bars_fact(play, support.fact, side, record.of, fact_found is not None)
        violations = [*violations_of(play, bar, support.fact)]
        weighed.violations.extend(violations)
        if violations or fact_found is None:
            continue
        text, step, id = fact_found
        if (step == record.of and step) or (record.rule and id == record.rule):
            message = (
                "a Fact under attack does not help in its own defence"
                if side == record.challenged
                else "a Challenged entry supports no side in its own Challenge"
            )
            attack = play.facts(step, "this is the Challenged entry")
            weighed.violations.append(Violation(message, support.fact, facts=attack, rule="U3.53"))
            continue
        if support.up is not None or support.down is not None:
            tally = count_votes(play, support.up, support.down, "U3.52", silently=silently)
            weighed.violations.extend(tally.violations)
            record.votes.append(f"'{text}': {tally.up} up, {tally.down} down")
            if tally.up <= tally.down:
                weighed.events.append((f"'{text}' does not apply, by vote", "U3.52", "vote"))
                continue
        if text not in behind.setdefault(side, []):
            support_side(side, text)
    return behind


def _fact(
    play: Table, word: ScalarNode, attacked_by: int, *, silently: bool
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
    if len(hits) > 1 and not silently:
        resolve_reference(play, word, hits, "Fact", "U3.51", merge_same_text=True)
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


def _conceded(play: Table, action: Bids, record: ChallengeRecord) -> str:
    """The side that prevails because the other side backed out of the Bidding; empty: nobody did."""
    conceding = action.conceding(play)
    if len(conceding) != 1:
        return ""
    record.conceded = conceding[0]
    parties = (record.challenger, record.challenged)
    return next((p for p in parties if p and p != record.conceded), "the other side")


def _return(play: Table, action: Bids, record: ChallengeRecord) -> None:
    """Bids are lost (U3.48), unless an add-on gives one back, or the table did."""
    stated = action.returned_to(play)
    for player in dict.fromkeys([*(player for player, _, _ in record.bids), *stated]):
        coins = record.bid_of(player)
        answer = play.state.points.bid_comes_back(play, record, player)
        if not coins or not (answer.yes or player in stated):
            continue
        record.recovered[player] = coins
        play.move(BANK, f"wealth:{player}", coins, COIN, answer.rule, "a bid taken back")
        if answer.yes:
            words = f"{player} gets {plural(coins, 'Coin')} of the bid back"
            play.event(words, answer.rule, "returned")
