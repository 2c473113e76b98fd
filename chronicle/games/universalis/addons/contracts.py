"""Contracts of players with the game (UA.4): what they say, and what was paid under them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from chronicle.core.declare import Part, PartOf, option, place_of_word, required
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import NAME, TEXT, YES_NO, MapOf, choice, in_role, label, whole
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.source import Place, ScalarNode, place_of
from chronicle.games.universalis.addons.base import Table, memory
from chronicle.games.universalis.coins import income
from chronicle.games.universalis.state import BANK, COIN, Tenet

_WORD = re.compile(r"\w+")
SCENE, START, END, ITEM = "scene", "session start", "session end", "item"


DUTIES: Mapping[str, str] = {
    "record keeper": "writes down every Component, Trait and Fact, and reads back what is asked",
    "librarian": "keeps the notes between sessions and has them at the table",
    "illustrator": "draws what the story shows",
    "journal writer": "writes down between sessions what a character thinks",
    "disc jockey": "finds the music and the noises",
    "host": "has the players in the house",
    "caterer": "brings the food",
    "prop master": "makes items to hand around",
}
"""The jobs that the book names: their titles name the duty."""


SCHEDULES: Mapping[str, str] = {
    SCENE: "after each scene",
    START: "at the start of each session",
    END: "at the end of each session",
    ITEM: "for each item",
}


SHELVES: Mapping[str, str] = {"journal writer": "journal", "illustrator": "art"}
"""Where the items of a job lie, unless the contract says otherwise."""


class Terms(Part):
    """What a contract says: who does what, for how many Coins, and when they are paid."""

    player = required(in_role("hired", NAME), "who is hired")
    job = option(TEXT, "the title of the job, if it is not the contract's name")
    duties = option(TEXT, "what is to be done; the jobs that the book names say it themselves")
    pays = option(whole(1), "Coins from the Bank each time")
    per = option(choice(SCENE, START, END, ITEM), "when they are paid")
    items = option(
        choice("journal", "art", "named"),
        "what an item is: a text in journal/, a picture in art/, or anything that is named",
    )
    until = option(whole(0), "the last session in which it holds")
    absent = option(YES_NO, "yes, if it is paid whether the player comes or not", default=False)


CONTRACTS = MapOf(label(NAME), PartOf(Terms), "{contract: {player, pays, per ...}}")


class Payment(NamedTuple):
    """Coins paid under a contract: at which step, how many, what for; ``file`` where it was one."""

    step: int
    coins: int
    purpose: str
    file: tuple[str, str] = ("", "")


@dataclass(slots=True, eq=False)
class Contract:
    """A contract and what was paid under it. It is in force as long as its Tenet is."""

    id: str
    player: str
    job: str
    duties: str
    pays: int
    per: str
    items: str
    until: int | None
    absent: bool
    tenet: Tenet
    payments: list[Payment] = field(default_factory=list)
    settled: dict[int, int] = field(default_factory=dict)
    """Scenes (or sessions) by number that were paid for, with the Coins."""
    stated: dict[int, int] = field(default_factory=dict)
    """Those whose payment the log states, with the step that does."""

    @property
    def holds(self) -> bool:
        """Whether it is in force."""
        return self.tenet.status == "accepted" and not self.tenet.ended

    @property
    def terms(self) -> str:
        """The payment and its time, in words."""
        when = SCHEDULES.get(self.per, "at no stated time")
        return f"{plural(self.pays, 'Coin') if self.pays else 'an unstated number of Coins'} {when}"


@dataclass(slots=True, eq=False)
class Payroll:
    """What the table remembers of its contracts."""

    contracts: list[Contract] = field(default_factory=list)
    delivered: dict[tuple[str, str], int] = field(default_factory=dict)
    """Files that were paid for, ("journal", slug) or ("art", file), with the step."""
    session: int = 0
    begins: bool = False
    """Whether a session has begun whose first entry is still to come."""
    attendees: set[str] = field(default_factory=set)
    """Who was at the table at any time of the session."""
    scene: int = 0
    """The last scene that ended."""

    def in_force(self, *schedules: str) -> list[Contract]:
        """The contracts in force with one of these schedules."""
        return [
            contract for contract in self.contracts if contract.holds and contract.per in schedules
        ]


def contract_named(play: Table, name: ScalarNode) -> Contract | None:
    """The contract in force that a name means, or None."""
    key = fold(name)
    contracts = [
        contract for contract in memory(play, Payroll).contracts if fold(contract.id) == key
    ]
    return next((contract for contract in reversed(contracts) if contract.holds), None)


def where(play: Table, word: ScalarNode) -> Place:
    """Where a word of the entry at work, or of campaign.yaml, is written."""
    if play.current is None:
        return place_of(word, play.campaign.path)
    return place_of_word(play.step.action, word)


def sentence(name: ScalarNode, terms: Terms) -> str:
    """A contract as a Tenet."""
    job = str(terms.job or name)
    duties = str(terms.duties or DUTIES.get(fold(job), ""))
    coins = plural(terms.pays, "Coin") if terms.pays else "Coins"
    when = SCHEDULES.get(str(terms.per), "")
    paid = f"{terms.player} is paid {coins} {when}".rstrip() + f" as {job}"
    return f"{paid}: {duties}" if duties else paid


def sign(play: Table, name: ScalarNode, terms: Terms, tenet: Tenet) -> None:
    """A contract is in force, if it says whom it binds."""
    match = play.names.find(terms.player, (PLAYER,))
    job = str(terms.job or name)
    at = where(play, terms.player)
    if not isinstance(match, Named):
        play.unreadable("T50", f"no player '{terms.player}'{match.message}", at=at)
        return
    # V20: a contract without a figure or a date moves no Coin, but Chronicle cannot check the payment.
    lacking = [
        words
        for value, words in (
            (terms.pays, "how many Coins it pays ('pays: 2')"),
            (terms.per, "when ('per: session end')"),
            (terms.duties or fold(job) in DUTIES, "what is to be done ('duties: ...')"),
        )
        if not value
    ]
    play.suspect(
        bool(lacking),
        "UA.4",
        f"the contract '{name}' does not say {listed(lacking)}",
        at=where(play, name),
        help="state the work, the Coins and the time; until then nothing is paid"
        if not (terms.pays and terms.per)
        else "state the work, so that the table can tell when it was done",
    )
    play.touched_by_rule.setdefault(tenet.id, ("cited",))
    memory(play, Payroll).contracts.append(
        Contract(
            id=tenet.id,
            player=match.name,
            job=job,
            duties=str(terms.duties or DUTIES.get(fold(job), "")),
            pays=terms.pays or 0,
            per=str(terms.per or ""),
            items=str(terms.items or SHELVES.get(fold(job), "named")),
            until=terms.until,
            absent=bool(terms.absent),
            tenet=tenet,
        )
    )


def pay(
    play: Table, contract: Contract, work: str, coins: int, file: tuple[str, str] = ("", "")
) -> None:
    """The Bank pays a player for work."""
    income(play, BANK, contract.player, coins, "UA.4", f"{contract.job}: {work}")
    step = play.current.number if play.current is not None else 0
    contract.payments.append(Payment(step, coins, work, file))
    if play.current is not None:
        play.event(
            f"The Bank pays {contract.player} {plural(coins, 'Coin')} as {contract.job}, {work}",
            "UA.4",
            "wages",
            contract.id,
        )


def take_back(play: Table, contract: Contract, coins: int, why: str) -> None:
    """The payment goes back to the Bank."""
    play.move(f"wealth:{contract.player}", BANK, coins, COIN, "UA.4", why)
    contract.payments.append(Payment(play.step.number, -coins, why))


def comes(play: Table, contract: Contract) -> bool:
    """Whether the player is there to do the work: now, or (by the session) at any time of it."""
    players = memory(play, Payroll).attendees if contract.per == END else play.present
    return contract.absent or contract.player in players


def fall_due(play: Table, schedule: str, number: int, work: str) -> None:
    """Pay the wages due for a scene or a session, once."""
    for contract in memory(play, Payroll).in_force(schedule):
        if contract.pays and number not in contract.settled and comes(play, contract):
            contract.settled[number] = contract.pays
            pay(play, contract, work, contract.pays)


class Work(NamedTuple):
    """A text or a picture of the campaign."""

    key: tuple[str, str]
    title: str
    by: str
    session: int | None


def works(play: Table) -> dict[tuple[str, str], Work]:
    """Every text and picture, by folder and by the name of its file."""
    works_by_key: dict[tuple[str, str], Work] = {}
    for entry in play.campaign.journal:
        work = Work(("journal", entry.slug), entry.title, entry.author, entry.session)
        works_by_key["journal", entry.slug] = works_by_key["journal", stem_of(entry.path)] = work
    for art in play.campaign.art:
        name = stem_of(str(art.file))
        works_by_key["art", name] = Work(("art", str(art.file)), art.title, art.artist, art.session)
    return works_by_key


def stem_of(word: str) -> str:
    """The name of a file without its ending, made comparable."""
    return fold(PurePosixPath(word.strip()).stem)


def is_by(player: str, credit: str) -> bool:
    """Whether a credit (``Wen, in ink``) names a player."""
    name, credited = (" ".join(_WORD.findall(fold(text))) for text in (player, credit))
    return f" {name} " in f" {credited} "
