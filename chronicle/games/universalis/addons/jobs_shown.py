"""What readers see of contracts (UA.4): who is hired, what was paid for what."""

from __future__ import annotations

from collections import Counter

from chronicle.core.campaign_view import (
    Bars,
    Block,
    CampaignView,
    Facts,
    Inline,
    Item,
    Listing,
    Ref,
    Section,
    Table,
    heads,
    step_ref,
)
from chronicle.core.diagnostic import listed, plural
from chronicle.core.game_context import GameContext
from chronicle.core.names import fold
from chronicle.games.universalis.addons.base import add_page, add_to_overview, remembered
from chronicle.games.universalis.addons.contracts import (
    ITEM,
    Contract,
    Payment,
    Payroll,
    is_by,
    works,
)
from chronicle.games.universalis.points import State


def in_force(roll: Payroll) -> tuple[Block, ...]:
    """Who is hired now, for the state of play."""
    holding = [contract for contract in roll.contracts if contract.holds]
    return (_contracts(holding, "Contracts"),) if holding else ()


def contracts_of(state: State) -> list[Contract]:
    """All contracts that a game has seen, whether or not they still hold."""
    return remembered(state, Payroll).contracts


def fill(view: CampaignView) -> None:
    """A page with every contract and every payment; each text or picture shows its pay."""
    roll = remembered(view.record.state, Payroll)
    if not roll.contracts:
        return
    view.state += in_force(roll)
    hired = listed(
        f"{holding.player} as {holding.job}" for holding in roll.contracts if holding.holds
    )
    if hired:
        add_to_overview(view, ("Hired", (f"{hired}: ", Ref("page", "jobs", "what they were paid"))))
    for contract in roll.contracts:
        for payment in contract.payments:
            if payment.file in roll.delivered:
                view.payments[payment.file] = (
                    f"{contract.player} was paid {plural(payment.coins, 'Coin')}, ",
                    step_ref(payment.step, f"session {_session(view, payment.step)}"),
                )
    intro = "Who was hired for what around the table, and what the Bank paid for it."
    add_page(view, "jobs", "Jobs and wages", _blocks(view, roll), intro, "Coins")


def _session(view: CampaignView, step: int) -> int:
    return view.record.step(step).session


def _contracts(contracts: list[Contract], title: str) -> Table:
    return Table(
        heads("Job | Player | Pay | Payments # | Coins so far #"),
        tuple(
            (
                contract.job,
                contract.player,
                contract.terms,
                sum(1 for p in contract.payments if p.coins > 0),
                sum(p.coins for p in contract.payments),
            )
            for contract in contracts
        ),
        title,
    )


def _blocks(view: CampaignView, roll: Payroll) -> list[Block]:
    """All contracts, with what was paid under each."""
    earned: Counter[str] = Counter()
    for contract in roll.contracts:
        earned[contract.player] += sum(payment.coins for payment in contract.payments)
    blocks: list[Block] = [_contracts(roll.contracts, "Every contract")]
    if any(earned.values()):
        bars = tuple((p, earned[p], p) for p in view.players() if earned[p])
        blocks.append(Bars("Earned by working", bars))
    return [*blocks, *(_section(view, contract) for contract in roll.contracts)]


def _section(view: CampaignView, contract: Contract) -> Section:
    tenet = contract.tenet
    agreed: Inline = (
        step_ref(tenet.step, f"session {_session(view, tenet.step)}")
        if tenet.step
        else "before play"
    )
    rows: list[tuple[str, Inline]] = [
        ("Player", contract.player),
        ("Work", contract.duties or "not stated"),
        ("Pay", contract.terms + (", there or not" if contract.absent else "")),
        ("Agreed", agreed),
    ]
    if contract.until is not None:
        rows.append(("Until", f"session {contract.until}"))
    if tenet.changed_by:
        rows.append(("Changed", step_ref(tenet.changed_by, "here")))
    elif tenet.ended:
        rows.append(("Ended", step_ref(tenet.ended, "here")))
    elif not contract.holds:
        rows.append(("State", tenet.status))
    blocks: list[Block] = [Facts(tuple(rows))]
    if contract.payments:
        blocks.append(
            Listing(tuple(_paid(view, payment) for payment in contract.payments), "Payments")
        )
    return Section(
        _opening(contract.job), tuple(blocks), f"contract-{fold(contract.id).replace(' ', '-')}"
    )


def _opening(words: str) -> str:
    """Words with a capital letter first, as a heading has them; what follows stays as it was logged."""
    return words[:1].upper() + words[1:]


def _paid(view: CampaignView, payment: Payment) -> Item:
    """One payment, with the session it belongs to."""
    coins = plural(abs(payment.coins), "Coin")
    where = f"session {_session(view, payment.step)}" if payment.step else "before play"
    if payment.file[0]:
        work = payment.purpose.removeprefix("for ")
        return Item((f"{coins} for ", Ref(*payment.file, work)), where, payment.step)
    if payment.purpose == "for the session":
        return Item(f"{coins} for {where}", "", payment.step)
    return Item(f"{coins} {payment.purpose}", where, payment.step)


def owing(play: GameContext[State]) -> tuple[Block, ...]:
    """What everybody hired is due, and the work that they have not handed in yet."""
    roll = remembered(play.state, Payroll)
    holding = [contract for contract in roll.contracts if contract.holds]
    if not holding:
        return ()
    files = {file.key: file for file in works(play).values()}
    items = []
    for contract in holding:
        waiting = [
            file.title
            for key, file in files.items()
            if contract.per == ITEM
            and contract.items == key[0]
            and key not in roll.delivered
            and is_by(contract.player, file.by)
        ]
        note = f"not handed in yet: {listed(waiting)}" if waiting else ""
        player = Ref("player", contract.player, contract.player)
        items.append(Item((player, f", {contract.job}: {contract.terms}"), note))
    return (Listing(tuple(items), "Due for work around the table"),)
