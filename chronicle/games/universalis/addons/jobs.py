"""UA.4: players hired for work around the table, paid by the Bank on the schedule that was agreed.

Each contract is a Rules Gimmick of its own, so that it is changed and ended like any other. The log does not
list its payments: they are due by the scene or by the session, and the engine makes them. Work paid by the item
is delivered by an entry (``deliver:``), not found in the folder: the table takes a piece when it is shown, and
a picture added to the folder years later must not move a Coin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from chronicle.core.answers import Move
from chronicle.core.declare import Action, Decides, Part, main, option
from chronicle.core.diagnostic import DiagnosticKind, did_you_mean, listed, nearest_words
from chronicle.core.field_types import NAME, NAMES, MapOf, choice, label, whole
from chronicle.core.fix import add_entry, drop_entry, replace_with, set_key, write_word
from chronicle.core.guards import Violation, guard
from chronicle.core.names import fold
from chronicle.core.source import Place, ScalarNode
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, Table, memory
from chronicle.games.universalis.addons.contracts import (
    CONTRACTS,
    END,
    ITEM,
    SCENE,
    SCHEDULES,
    START,
    Contract,
    Payroll,
    Work,
    comes,
    contract_named,
    fall_due,
    is_by,
    pay,
    sentence,
    sign,
    stem_of,
    take_back,
    where,
    works,
)
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.gates import carry_out, report_all
from chronicle.games.universalis.preparation import (
    ChangesTenets,
    count_tenet,
    note_gimmick,
    pay_for_gimmick,
    retire,
)
from chronicle.games.universalis.state import SceneState, Tenet

if TYPE_CHECKING:
    from random import Random

    from chronicle.core.campaign import Session
    from chronicle.core.campaign_view import Block, CampaignView


class Agreed(Part):
    """The contracts that a campaign begins with."""

    contracts = option(CONTRACTS, "the contracts, each under a name: {name: {player, pays, per}}")


class Hire(AddOnEntry, ChangesTenets):
    """Hire a player for work around the table: a Rules Gimmick, 1 Coin, one Tenet a turn. The Bank pays
    as agreed from then on, until 'end gimmick:' with the contract's name."""

    verb = "hire"
    synonyms = ("librarian", "job")
    about_table = True
    decides = Decides("turn", "UA.4", action_phrase="hires somebody")
    example = "hire: {record keeper: {player: Dov, pays: 2, per: session end}}"
    what = main(CONTRACTS, "the contract under a name of its own: {name: {player, pays, per}}")
    scope = option(choice("game", "session"), "how long it holds", default="game")
    changes = option(label(NAME), "the contract that it replaces")

    def number(self) -> int:
        return len(self.what)

    @guard("UA.4")
    def has_a_name_of_its_own(self, play: Table) -> Iterator[Violation]:
        is_change = self.changes is not None and contract_named(play, self.changes) is not None
        for name in self.what if not is_change else ():
            yield from _bars_name(play, name)

    def apply(self, play: Table) -> None:
        """Each contract is a Gimmick out of the book (U2.11)."""
        for name, terms in self.what.items():
            pay_for_gimmick(play)
            text, scope = sentence(name, terms), str(self.scope)
            tenet = note_gimmick(play, self, text, self.changes, scope, str(name))
            sign(play, name, terms, tenet)
            play.event(f"Contract: {tenet.text}", "UA.4", "tenet", tenet.id)
        names = listed(str(terms.player) for terms in self.what.values())
        play.step.headline = f"Hired: {names}"


class Deliver(AddOnEntry):
    """Hand in what is paid for by the item: a text of journal/ or a picture of art/, by the name of its
    file, or anything else in words. The Bank pays immediately, and for each file only once."""

    verb = "deliver"
    about_table = True
    decides = Decides("hired")
    keeps_outcome = True
    example = "deliver: the-heron\n  earns: 2"
    what = main(label(NAMES), "the file (or files) without folder and ending, or what is handed in")
    for_ = option(label(NAME), "the contract, if several fit")
    earns = option(whole(0), "Coins that it earned, to be checked")


class Wages(AddOnEntry):
    """State what was paid under a contract by the scene or by the session, to be checked; 0 says that the
    work was not done this time, and nothing is paid."""

    verb = "wages"
    about_table = True
    decides = Decides("anybody")
    keeps_outcome = True
    example = "wages: {record keeper: 2}"
    amounts = main(MapOf(label(NAME), whole(0)), "{contract: Coins}")

    @guard("UA.4")
    def is_due(self, play: Table) -> Iterator[Violation]:
        for name, amount in self.amounts.items():
            contract = contract_named(play, name)
            if contract is None:
                yield from _bars_contract(play, name)
            else:
                yield from _bars_wages(play, contract, name, amount)

    def apply(self, play: Table) -> None:
        """The log states a payment."""
        payments: list[str] = []
        for name, amount in self.amounts.items():
            contract = contract_named(play, name)
            if contract is not None:
                payments.append(f"{contract.player} {amount}")
                _state(play, contract, amount)
        play.step.headline = f"Wages: {', '.join(payments)}" if payments else "Wages"


# --- signing ------------------------------------------------------------------------------------------


def _bars_name(play: Table, name: ScalarNode) -> Iterator[Violation]:
    """A contract has a name of its own."""
    old = contract_named(play, name)
    tenet = play.state.tenets.get(str(name))
    if old is not None:
        yield Violation(
            f"the contract '{old.id}' is in force already: {old.player}, {old.terms}",
            where(play, name),
            set_key("changes", old.id, when="if this changes it"),
            "or give this contract another name",
            facts=play.facts(old.tenet.step, "agreed here"),
        )
    elif tenet is not None and not tenet.ended:
        yield Violation(
            f"'{name}' is the id of another Tenet",
            where(play, name),
            help="give the contract another name",
            facts=[play.because(tenet.step, "accepted here")],
        )


# --- paying -------------------------------------------------------------------------------------------


def _bars_contract(play: Table, name: ScalarNode) -> Iterator[Violation]:
    """What is in force no longer pays nothing."""
    contracts = memory(play, Payroll).contracts
    old = next(
        (candidate for candidate in reversed(contracts) if fold(candidate.id) == fold(name)), None
    )
    if contract_named(play, name) is not None:
        return
    if old is None:
        ids = [candidate.id for candidate in contracts]
        in_force = [candidate.id for candidate in contracts if candidate.holds]
        yield Violation(
            f"no contract '{name}'{play.names.suggest(name, ids)}",
            where(play, name),
            (*play.names.spelling_fixes(name, ids), *replace_with(in_force)),
            () if in_force else "no contract is in force",
            rule="UA.4",
            kind=DiagnosticKind.UNREADABLE,
        )
        return
    yield Violation(
        f"the contract '{old.id}' of {old.player} is no longer in force, and pays nothing",
        where(play, name),
        help="hire again:  - hire: {" + old.id + ": {player: " + old.player + ", ...}}",
        facts=play.facts(max(old.tenet.ended or old.tenet.changed_by, 0), "it ended here"),
        rule="UA.4",
    )


def _bars_wages(
    play: Table, contract: Contract, name: ScalarNode, amount: int
) -> Iterator[Violation]:
    """A payment must be due now, and of this size."""
    at = where(play, name)
    if contract.per == ITEM:
        yield Violation(
            f"{contract.player} is paid as {contract.job} by the item, when one is handed in",
            at,
            help="write  - deliver: NAME OF THE FILE",
        )
    elif not contract.per:
        yield Violation(
            f"the contract '{contract.id}' does not say when it is paid",
            at,
            help=f"agree on a time:  per: session end, in a contract with  changes: {contract.id}",
        )
    elif amount and play.gap <= contract.tenet.step:
        bars = [*_bars_payment(play, contract, at)]
        yield from bars or _bars_sum(play, contract, amount, at)


def _number(play: Table, contract: Contract) -> int:
    """The scene or the session for which a contract pays now."""
    roll, scene = memory(play, Payroll), play.state.scene
    if contract.per != SCENE:
        return roll.session
    return scene.number if scene is not None else roll.scene


def _bars_payment(play: Table, contract: Contract, at: Place) -> Iterator[Violation]:
    """Why nothing is due under a contract now."""
    subject, number = f"{contract.player}, {contract.job},", _number(play, contract)
    first = contract.stated.get(number)
    if first:
        yield Violation(
            f"{subject} was paid for this {'scene' if contract.per == SCENE else 'session'} already",
            at,
            drop_entry(),
            "the Bank pays once each time",
            facts=[play.because(first, "paid here")],
        )
    elif play.state.scene is not None and contract.per in (SCENE, END):
        yield Violation(
            f"{subject} is paid {SCHEDULES[contract.per]}, and a scene is still open",
            at,
            help="write it after  - end scene:",
        )
    elif not comes(play, contract):
        yield Violation(
            f"{subject} was not at the table, so the work was not done",
            at,
            drop_entry(),
            "or let the contract say  absent: yes",
        )
    elif number not in contract.settled and contract.per != END:
        yield Violation(
            f"nothing is due to {contract.player} as {contract.job} now: {contract.terms}",
            at,
            drop_entry(),
            "the Bank pays by itself when the time comes",
        )


def _bars_sum(play: Table, contract: Contract, amount: int, at: Place) -> Iterator[Violation]:
    """A sum that the log states is what the contract says."""
    if not contract.pays:
        yield Violation(
            f"the contract '{contract.id}' does not say how many Coins it pays",
            at,
            add_entry(
                f"hire: {{{contract.id}: {{player: {contract.player}, pays: {amount}, "
                f"per: {contract.per}}}}}\nchanges: {contract.id}"
            ),
            rule="UA.4",
        )
    elif amount != contract.pays:
        yield Violation(
            f"{contract.player} earns {contract.pays} as {contract.job}, not {amount}",
            at,
            write_word(contract.pays),
            "write what was agreed, or change the contract with  changes: " + contract.id,
            f"agreed: {contract.pays}",
            rule="UA.4",
            kind=DiagnosticKind.BOOKKEEPING,
        )


def _state(play: Table, contract: Contract, amount: int) -> None:
    """The log wins: a second payment is paid besides, any other sum instead of the one agreed."""
    if not contract.per or contract.per == ITEM:
        return
    work = "for the scene" if contract.per == SCENE else "for the session"
    number = _number(play, contract)
    paid = contract.settled.get(number, 0)
    change = amount if number in contract.stated else amount - paid
    contract.settled[number] = paid + change
    contract.stated[number] = play.step.number
    if change > 0:
        pay(play, contract, work, change)
    elif change < 0:
        take_back(play, contract, -change, "taken back")
    if not amount:
        play.event(
            f"Nothing for {contract.player} as {contract.job} this time: the work was not done",
            "UA.4",
            "wages",
            contract.id,
        )


# --- by the item --------------------------------------------------------------------------------------


def deliver(play: Table, action: Deliver) -> None:
    """Work by the item is handed in, and paid."""
    titles: list[str] = []
    makers: set[str] = set()
    for word in action.what:
        file = _file(play, word)
        contract = _contract_for(play, action, word, file)
        if contract is None:
            continue
        makers.add(contract.player)
        if contract.items != "named" and file is None:
            _missing(play, contract, word)
        play.require(
            action.by is None or play.step.player == contract.player,
            "UA.4",
            f"the contract '{contract.id}' is {contract.player}'s, so {play.step.player} is not paid",
            at="by",
            fix=set_key("by", contract.player),
            help=f"or hire {play.step.player}:  - hire: {{{contract.job}: {{player: {play.step.player}, ...}}}}",
        )
        if file is not None:
            _is_theirs(play, contract, word, file)
        coins = contract.pays
        if action.earns is not None:
            report_all(play, _bars_sum(play, contract, action.earns, action.place("earns")))
            coins = action.earns
        title = file.title if file is not None else str(word)
        key = file.key if file is not None else ("", "")
        titles.append(title)
        roll = memory(play, Payroll)
        first = file is not None and key not in roll.delivered
        if first:
            roll.delivered[key] = play.step.number
        if coins:
            pay(play, contract, f"for {title}", coins, key)
    if action.by is None and makers:
        play.step.player = makers.pop() if len(makers) == 1 else ""
    play.step.headline = f"Delivered: {listed(titles)}" if titles else "A delivery"


def _file(play: Table, word: ScalarNode) -> Work | None:
    """The text or picture that a name means."""
    files = works(play)
    folder = PurePosixPath(word.strip()).parent.name
    for shelf in [folder] if folder in ("journal", "art") else ["journal", "art"]:
        work = files.get((shelf, stem_of(word)))
        if work is not None:
            return work
    return None


def _contract_for(
    play: Table, action: Deliver, word: ScalarNode, file: Work | None
) -> Contract | None:
    """The contract under which an item is paid."""
    if action.for_ is not None:
        report_all(play, _bars_contract(play, action.for_))
        contract = contract_named(play, action.for_)
        if contract is not None and contract.per != ITEM:
            play.illegal(
                "UA.4",
                f"{contract.player} is paid as {contract.job} {SCHEDULES.get(contract.per, '')},"
                " not by the item",
                at="for",
            )
            return None
        return contract
    fitting = memory(play, Payroll).in_force(ITEM)
    everybody = fitting
    if file is not None:
        fitting = [candidate for candidate in fitting if candidate.items == file.key[0]]
        authors = [candidate for candidate in fitting if is_by(candidate.player, file.by)]
        fitting = authors or fitting
    elif action.by is None:
        fitting = [candidate for candidate in fitting if candidate.items == "named"] or fitting
    if action.by is not None:
        fitting = [candidate for candidate in fitting if candidate.player == play.step.player]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        play.unreadable(
            "UA.4",
            f"several contracts fit: {', '.join(candidate.id for candidate in fitting)}",
            at=where(play, word),
            fix=set_key("for", fitting[0].id),
        )
        return None
    player = play.step.player if action.by is not None else file.by if file is not None else ""
    play.illegal(
        "UA.4",
        f"no contract in force pays {player or 'anybody'} for '{word}'",
        at=where(play, word),
        help="contracts by the item: "
        + ", ".join(f"{candidate.id} ({candidate.player})" for candidate in everybody)
        if everybody
        else "hire a player first:  - hire: {illustrator: {player: "
        + (player or play.seats[0])
        + ", pays: 2, per: item}}",
    )
    return None


def _missing(play: Table, contract: Contract, word: ScalarNode) -> None:
    """Report work that is not in the folder; an empty folder possibly means that only the log was copied."""
    names = [name for shelf, name in works(play) if shelf == contract.items]
    noun = "text" if contract.items == "journal" else "picture"
    ending = ".md" if contract.items == "journal" else ".svg with its caption file"
    help = f"put it there first: {contract.items}/{stem_of(word)}{ending}"
    if not names:
        play.suspect(
            True,
            "UA.4",
            f"there is nothing in {contract.items}/, so nobody can see the {noun} '{word}'",
            at=where(play, word),
            help=help,
        )
        return
    play.illegal(
        "UA.4",
        f"there is no {noun} '{word}' in {contract.items}/{did_you_mean(word, names)},"
        f" and {contract.player} is paid for {noun}s",
        at=where(play, word),
        help=help,
        fix=replace_with(nearest_words(word, names), is_told=True),
    )


def _is_theirs(play: Table, contract: Contract, word: ScalarNode, file: Work) -> None:
    """Hold that a file is what a contract pays for: of its kind, by its player, not paid yet."""
    at = where(play, word)
    shelf = file.key[0]
    step = memory(play, Payroll).delivered.get(file.key, 0)
    play.require(
        not step,
        "UA.4",
        f"'{file.title}' was paid for already",
        at=at,
        facts=play.facts(step, "paid here"),
        fix=drop_entry(),
        help="each piece is paid once",
    )
    play.require(
        contract.items in ("named", shelf),
        "UA.4",
        f"{contract.player} is paid as {contract.job} for what lies in {contract.items}/, "
        f"and '{file.title}' lies in {shelf}/",
        at=at,
    )
    key = "author" if shelf == "journal" else "artist"
    play.suspect(
        not file.by,
        "UA.4",
        f"'{file.title}' does not say whose it is",
        at=at,
        help=f"add  {key}: {contract.player}  to its head"
        if shelf == "journal"
        else f"add  {key}: {contract.player}  to its caption file",
    )
    play.require(
        not file.by or is_by(contract.player, file.by),
        "UA.4",
        f"'{file.title}' is by {file.by}, and the contract '{contract.id}' pays {contract.player}",
        at=at,
        help=f"hire {file.by}, or correct  {key}:  if it is {contract.player}'s",
    )
    play.suspect(
        file.session is not None and file.session > memory(play, Payroll).session,
        "UA.4",
        f"'{file.title}' is of session {file.session}, and it is paid in session"
        f" {memory(play, Payroll).session}",
        at=at,
    )


# --- the add-on ---------------------------------------------------------------------------------------


class Jobs(AddOn):
    """Contracts of players with the game."""

    summary = (
        "Players are hired for work around the table, from the record to the food, and the Bank pays them "
        "on a fixed schedule."
    )
    changes = ("U1.4",)
    chosen: Agreed
    rule_text = """
        UA.4 Metagame Jobs [checked; V20]
          A player has a title and duties, and takes Coins from the Bank for them: after each scene, at the start or
          the end of each session, or for each item that is handed in. The contract says what, how much and when; it
          is a Rules Gimmick, and ends by another. Players who are absent (without an agreement to be paid all the
          same) or have not done the work are not paid.
        """
    verbs = {Hire: carry_out, Deliver: deliver, Wages: carry_out}  # noqa: RUF012

    def adopted(self, play: Table) -> None:
        """The contracts agreed with it are signed; in mid-play each further one is a Gimmick more."""
        agreed = getattr(self.chosen, "contracts", None) or {}
        for number, (name, terms) in enumerate(agreed.items()):
            if play.current is not None and number and not play.given:
                count_tenet(play)
                charge(play, "gimmick", "U2.11", "a further contract")
            step, player = (0, "") if play.current is None else (play.step.number, play.step.player)
            words = sentence(name, terms)
            tenet = Tenet(str(name), words, "gimmick", step, player, wordings=[(step, words)])
            play.state.tenets[tenet.id] = tenet
            sign(play, name, terms, tenet)

    def dropped(self, play: Table) -> None:
        """All contracts end with it."""
        for contract in memory(play, Payroll).contracts:
            if contract.holds:
                retire(play, contract.tenet)

    def session_opened(self, play: Table, session: Session) -> None:
        """Wages due at the start are paid with the first entry."""
        roll = memory(play, Payroll)
        roll.session = session.number
        roll.begins = True
        roll.attendees = set()

    def before_entry(self, play: Table, action: Action) -> None:
        """The start of a session is its first entry that counts."""
        roll = memory(play, Payroll)
        roll.attendees.update(play.present)
        if roll.begins and not play.given:
            roll.begins = False
            fall_due(play, START, roll.session, "for the session")

    def scene_ended(self, play: Table, scene: SceneState) -> None:
        """Players who work by the scene are paid."""
        if scene.mini or play.given:
            return
        memory(play, Payroll).scene = scene.number
        fall_due(play, SCENE, scene.number, f"for {scene.title}")

    def session_closed(self, play: Table, session: Session) -> None:
        """Players who work until the end are paid; contracts that run until now are over."""
        roll = memory(play, Payroll)
        roll.attendees.update(play.present)
        fall_due(play, END, session.number, "for the session")
        for contract in roll.contracts:
            if contract.holds and contract.until is not None and contract.until <= session.number:
                contract.tenet.status = "run out"
                if play.current is not None:
                    retire(play, contract.tenet)

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """Hiring when a Gimmick can be proposed, a delivery at any time, wages after a scene."""
        roll = memory(play, Payroll)
        if roll.begins and roll.in_force(START):
            # Wages come first, and a loan is paid back from them by itself.
            options = [option for option in options if option.verb != "repay"]
        for gimmick in [o for o in options if o.verb == "gimmick"]:
            options.append(
                self.offer("hire", gimmick.by, "hire a player for 1 Coin", _hiring(play))
            )
        if play.state.purses or play.state.running:
            return options
        for contract in roll.in_force(ITEM):
            if contract.items == "named" and contract.player in play.present:
                by, hint = contract.player, "hand in work"
                options.append(self.offer("deliver", by, hint, ["a loaf"], for_=contract.id))
        scene = play.state.scene
        for contract in roll.in_force(SCENE):
            # In a scene only that the work is not being done; after it, what was paid.
            number = scene.number if scene is not None else roll.scene
            coins = 0 if scene is not None else contract.settled.get(number)
            if coins is not None and number not in contract.stated:
                sums = {contract.id: coins}
                options.append(self.offer("wages", "", "state what was paid", sums))
        return options

    def panel(self, play: Table) -> tuple[Block, ...]:
        """Who is hired for what, and what it has brought."""
        from chronicle.games.universalis.addons.jobs_shown import in_force

        return in_force(memory(play, Payroll))

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """A page with every contract and every payment; each text or picture shows its pay."""
        from chronicle.games.universalis.addons.jobs_shown import fill

        fill(view)


def _hiring(play: Table) -> Callable[[Random], dict[str, Any]]:
    """A contract that anybody may propose."""
    number = len(memory(play, Payroll).contracts) + 1

    def entry(rng: Random) -> dict[str, Any]:
        terms = {
            "player": rng.choice(play.seats),
            "duties": "whatever comes up",
            "pays": rng.randint(1, 2),
            "per": rng.choice((SCENE, START, END, ITEM)),
        }
        return {f"errand {number}": terms}

    return entry
