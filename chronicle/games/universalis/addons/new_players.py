"""UA.48: newcomers, what they start with, and who has a seat when too many come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Action, Decides, Part, main, option
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import NAME, NAMES, EitherOf, MapOf, choice, in_role, whole
from chronicle.core.fix import add_entry, set_key
from chronicle.core.names import fold
from chronicle.games.universalis.actions import Entry
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, Table, in_force, memory
from chronicle.games.universalis.addons.standard_intersession import INTERSESSION
from chronicle.games.universalis.bids import BidForScene
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.flow import left_table
from chronicle.games.universalis.preparation import count_tenet
from chronicle.games.universalis.state import BANK, COIN
from chronicle.games.universalis.table import names_players, players_in

if TYPE_CHECKING:
    from random import Random

    from chronicle.core.campaign import Session

LEVELS = ("start", "richest", "poorest", "average")
COINS = EitherOf(whole(0), choice(*LEVELS), words="a number, or start, richest, poorest or average")


class Policy(Part):
    """What the group may set."""

    door = option(
        choice("gimmick", "open"),
        "gimmick (each newcomer is introduced by a Gimmick) or open (anybody may bring anybody)",
        default="gimmick",
    )
    coins = option(
        COINS,
        "Coins that newcomers start with: a number, start (as everybody did), richest, poorest or "
        "average (as the others have now, rounded down)",
    )
    most = option(whole(1), "how many players the story may have")
    seats = option(whole(1), "how many may play in one session; more bid for the seats")


@dataclass(slots=True, eq=False)
class Guests:
    """Who has played, who has been introduced, and whether seats must be bid for."""

    players: list[str] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)
    """Who came for the first time in the session in which the add-on was adopted, and can be introduced."""
    endowed: list[str] = field(default_factory=list)
    sessions: int = 0
    too_many: bool = False
    reported: bool = False


class Newcomer(AddOnEntry):
    """Introduce a new player by a Gimmick, so that others may object. 1 Coin."""

    verb = "newcomer"
    about_table = True
    decides = Decides("turn", "UA.48", action_phrase="introduces a new player")
    example = "newcomer: Edda\n  starts with: poorest"
    who = main(in_role("new at the table", NAMES), "the new player (or players)")
    starts_with = option(COINS, "Coins to start with, if not those of the policy")


class BidForSeats(AddOnEntry):
    """Too many have come: bid Coins, round robin, for a seat in this session. The lowest sit out."""

    verb = "bid for seats"
    about_table = True
    decides = Decides("table")
    example = "bid for seats: {Ana: 2, Bao: 1, Cleo: 3, Dov: 0}"
    bids = main(MapOf(in_role("bids", NAME), whole(0)), "{player: Coins}, the last bid of each")


def newcomer(play: Table, action: Newcomer) -> None:
    """A Gimmick of its own (U2.11)."""
    add_on = in_force(play, NewPlayers)
    guests = memory(play, Guests)
    play.require(
        bool(play.step.player) or play.given,
        "UA.48",
        "the log does not say who introduces the newcomer",
        fix=set_key("by"),
        help="the player who pays introduces the newcomer",
    )
    charge(play, "gimmick", "UA.48", "a newcomer")
    if play.state.scene is not None and (add_on is None or add_on.chosen.door != "open"):
        count_tenet(play)  # between scenes there is no turn that could hold only one
    for player in players_in(play, action.who):
        play.step.headline = f"{player} joins the game"
        if not play.require(
            player not in guests.players or player in guests.fresh,
            "UA.48",
            f"{player} has played before and is no newcomer",
            at="main",
        ):
            continue
        terms = action.starts_with
        if terms is None and add_on is not None:
            terms = add_on.chosen.coins
        _welcome(play, player, terms)


def _welcome(play: Table, player: str, terms: int | str | None) -> None:
    """Give a newcomer the Coins that the group has settled."""
    guests = memory(play, Guests)
    if player in guests.endowed:
        return
    if not play.require(
        terms is not None,
        "UA.48",
        f"nothing says with how many Coins {player} starts",
        fix=set_key("starts with", "start"),
        help="or set  coins:  of the add-on, for all",
    ):
        terms = "start"
    other_wealth = [play.balance(f"wealth:{name}", COIN) for name in guests.players] or [0]
    match terms:
        case "richest":
            coins = max(other_wealth)
        case "poorest":
            coins = min(other_wealth)
        case "average":
            coins = sum(other_wealth) // len(other_wealth)
        case int(number):
            coins = number
        case _:
            add_on = in_force(play, NewPlayers)
            points = add_on.inner if add_on is not None else play.state.points
            coins = points.starting_coins(play, player)
    account = f"wealth:{player}"
    play.move(
        BANK, account, coins - play.balance(account, COIN), COIN, "UA.48", "a newcomer's start"
    )
    guests.endowed.append(player)
    play.event(f"{player} starts with {plural(coins, 'Coin')}", "UA.48", "newcomer")


def bid_for_seats(play: Table, action: BidForSeats) -> None:
    """The lowest bidder does not play (their Coins are their own); the others pay."""
    add_on = in_force(play, NewPlayers)
    guests = memory(play, Guests)
    seats = add_on.chosen.seats if add_on is not None else None
    play.step.headline = "Bids for a seat"
    if not play.require(
        guests.too_many and seats is not None,
        "UA.48",
        "there are seats enough, so there are no bids for them",
        at="main",
    ):
        return
    bids: dict[str, int] = {}
    for word, player, amount in names_players(play, action.bids):
        play.require(
            amount <= play.balance(f"wealth:{player}", COIN),
            "UA.48",
            f"{player} bids {amount} and has {play.balance(f'wealth:{player}', COIN)}",
            at=action.place("main", str(word)),
        )
        bids[player] = amount
    missing = [player for player in play.present if player not in bids]
    play.require(not missing, "UA.48", f"no bid of {listed(missing)}", at="main")
    order = sorted(play.present, key=lambda player: -bids.get(player, 0))
    staying, going = order[: seats or 0], order[seats or 0 :]
    if going and staying and bids.get(staying[-1], 0) == bids.get(going[0], 0):
        play.illegal(
            "UA.48",
            f"{staying[-1]} and {going[0]} bid the same for the last seat",
            at="main",
            help="bid on, round by round, until one of them is lowest; write the last bids",
        )
    for player in staying:
        play.move(f"wealth:{player}", BANK, bids.get(player, 0), COIN, "UA.48", "a seat")
    for player in going:
        play.present.remove(player)
        play.event(f"{player} sits out this session", "UA.48", "leaves", player)
    left_table(play)
    guests.too_many = False


class NewPlayers(AddOn):
    """Newcomers."""

    summary = (
        "Newcomers join by a Gimmick (or through an open door) with Coins that the group has settled; "
        "the number of players can be capped, and seats can be bid for."
    )
    changes = ("U1.3", "U3.15")
    chosen: Policy
    bundle = INTERSESSION
    rule_text = """
        UA.48 Introduce new players [checked; V151]
          A new player needs a Gimmick, so that others may object, or an open door; and a number of Coins to start
          with. The players of the story and those of one session can be capped: if too many come, everybody bids
          for a seat, the lowest sit out and keep their Coins, the others pay what they bid.
        """
    verbs = {Newcomer: newcomer, BidForSeats: bid_for_seats}  # noqa: RUF012

    def starting_coins(self, play: Table, player: str) -> int:
        """Players absent from the first session have no Coins yet."""
        if not play.steps and player in _later(play):
            return 0
        return self.inner.starting_coins(play, player)

    def adopted(self, play: Table) -> None:
        """Players at the table by now are no newcomers."""
        if play.steps:
            guests = memory(play, Guests)
            guests.sessions = 1
            guests.players = [
                player
                for player in play.seats
                if player in play.present or player not in _later(play)
            ]
            earlier = _seen_before(play)
            guests.fresh = [
                player for player in guests.players if earlier and player not in earlier
            ]

    def session_opened(self, play: Table, session: Session) -> None:
        """Who is new, and whether there are seats enough."""
        guests = memory(play, Guests)
        if not guests.sessions:
            guests.players = list(play.present)
        guests.sessions += 1
        guests.fresh = []
        guests.reported = False
        guests.too_many = self.chosen.seats is not None and len(play.present) > self.chosen.seats

    def before_entry(self, play: Table, action: Action) -> None:
        """No player acts before the seats are settled, and no newcomer without an introduction."""
        if not isinstance(action, Entry) or play.given:
            return
        guests = memory(play, Guests)
        if (
            guests.too_many
            and not isinstance(action, BidForSeats | Newcomer)
            and not guests.reported
        ):
            guests.reported = True
            play.illegal(
                "UA.48",
                f"{len(play.present)} players have come, and {self.chosen.seats} can play",
                fix=add_entry(
                    f"bid for seats: {{{', '.join(f'{player}: ...' for player in play.present)}}}"
                ),
            )
        new = [player for player in play.present if player not in guests.players]
        if not new:
            return
        acting = {play.step.player, *(play.present if isinstance(action, BidForScene) else ())}
        named = players_in(play, action.who) if isinstance(action, Newcomer) else []
        new = [player for player in new if player in acting or player in named]
        if not new or isinstance(action, BidForSeats):
            return
        for player in new:
            if player not in named and player not in guests.endowed:
                play.require(
                    self.chosen.door == "open",
                    "UA.48",
                    f"{player} is new at the table, and no Gimmick has introduced them",
                    fix=add_entry(f"newcomer: {player}"),
                    help="it costs 1 Coin on your own turn",
                )
                _welcome(play, player, self.chosen.coins)
            if player not in named:
                guests.players.append(player)
        most = self.chosen.most
        play.require(
            most is None or len({*guests.players, *new}) <= most,
            "UA.48",
            f"{listed(new)} would make {len({*guests.players, *new})} players, and the story has at "
            f"most {most}",
        )

    def after_entry(self, play: Table, action: Action) -> None:
        """Who has been introduced is known."""
        if isinstance(action, Newcomer):
            guests = memory(play, Guests)
            for player in guests.endowed:
                if player in play.present and player not in guests.players:
                    guests.players.append(player)

    def _new(self, play: Table) -> list[str]:
        guests = memory(play, Guests)
        return [p for p in play.present if p not in guests.players and p not in guests.endowed]

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """Newcomers are introduced, then the seats are bid for."""
        state = play.state
        new = self._new(play)
        if memory(play, Guests).too_many and not new:

            def seats(rng: Random) -> dict[str, int]:
                able = {p: play.balance(f"wealth:{p}", COIN) for p in play.present}
                order = sorted(able, key=lambda player: (able[player], rng.random()))
                return {p: min(able[p], place) for place, p in enumerate(order)}

            yield self.offer("bid for seats", "", "bid for a seat", seats)
            return
        payers = [state.turn] if state.scene is not None else list(play.present)
        payers = [p for p in payers if p not in new and play.balance(f"wealth:{p}", COIN) > 0]
        counts = state.scene is not None and self.chosen.door != "open"
        if counts and state.tenets_this_turn >= state.points.tenets_a_turn(play):
            return
        if new and payers and not state.purses:
            keys = {"starts_with": one_of(LEVELS), "by": one_of(payers)}
            yield self.offer("newcomer", "", "introduce a new player", one_of(new), **keys)

    def rules_out(self, play: Table, option: Move) -> bool:
        """No player acts before the seats are settled, and no newcomer without an introduction."""
        new = self._new(play)
        if memory(play, Guests).too_many:
            return option.verb != ("newcomer" if new else "bid for seats")
        return bool(new) and (option.by in new or option.verb == "bid")


def _seen_before(play: Table) -> set[str]:
    """Players who were at the table in an earlier session than this; empty in the first one."""
    players: set[str] = set()
    for session in play.campaign.sessions:
        if session.path == play.step.action.path:
            return players
        listed_present = session.header.present
        named = {
            fold(word)
            for word in (session.header.absent if listed_present is None else listed_present)
        }
        players |= {
            player
            for player in play.seats
            if (fold(player) in named) is (listed_present is not None)
        }
    return set()


def _later(play: Table) -> set[str]:
    """Players who have a seat and are not at the first session."""
    if not play.campaign.sessions:
        return set()
    header = play.campaign.sessions[0].header
    if header.present is not None:
        present = {fold(word) for word in header.present}
        return {player for player in play.seats if fold(player) not in present}
    absent = {fold(word) for word in header.absent}
    return {player for player in play.seats if fold(player) in absent}
