"""Explain in plain words how play decided something: payments, bids, dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby

from chronicle.core.diagnostic import unit_name
from chronicle.core.dice import ShownDie
from chronicle.core.record import Contest, Ladder, Side, Step, Weighing
from chronicle.core.telling import Slip
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.chapters import OBJECTED
from chronicle.site.notes import Cost, Note, Notes, Spent
from chronicle.words import word


class Decided:
    """Says of the entries of a campaign how they came about.

    Args:
        campaign_site: the campaign.
        payments: whether it also says what was only paid for, and decided by nothing else.
    """

    def __init__(self, campaign_site: CampaignSite, *, payments: bool) -> None:
        self._campaign_site = campaign_site
        self._payments = payments
        self._record = campaign_site.record
        self._notes = Notes(campaign_site)

    def of(self, marks: Iterable[tuple[str, int]]) -> str:
        """The sentences that explain some marks, each given as (kind, step)."""
        sentences: dict[str, None] = {}
        # An objection came before what it was made to, and what that cost comes last.
        for mark in sorted(marks, key=lambda mark: (mark[0] != OBJECTED, mark[1])):
            for line in self._lines(self._record.step(mark[1])):
                sentences[line] = None
        return " ".join(filter(None, sentences))

    def bids(self, scene: int) -> str:
        """The bids for a scene; empty without bids."""
        ladder = self._ladders.get(scene)
        return "" if ladder is None else _bid(ladder)

    @cached_property
    def _ladders(self) -> dict[int, Ladder]:
        ladders: dict[int, Ladder] = {}
        last: Ladder | None = None
        for step in self._record.visible_steps():
            if step.ladder is not None and step.ladder not in ladders.values():
                last = step.ladder
            if (
                last
                and step.scene is not None
                and self._campaign_site.opens(step.scene) == step.number
            ):
                ladders[step.scene], last = last, None
        return ladders

    # -- one entry ---------------------------------------------------------------------------------

    def _lines(self, step: Step) -> Iterator[str]:
        if step.weighing is not None:
            yield _weighed(step.weighing)
        if step.contest is not None:
            yield from _thrown(step.contest)
            for spent in self._notes.spent(step):
                yield from _spent(spent)
        if self._payments and step.contest is None and step.weighing is None:
            yield _noted(self._notes.of(step), step)


def _noted(note: Note, step: Step) -> str:
    """Who did it, and the cost; empty if there is neither a person nor a cost."""
    slips = _slips(note.slips)
    title = f"{note.title} {slips}" if slips else note.title
    if slips and not note.title:
        title = slips
    costs = "; ".join(_cost(cost) for cost in note.costs if cost.amount)
    actor = note.player or step.speaker
    head = f"{actor}: {title}" if actor and title else actor or title
    return _ended(", ".join(filter(None, (head, costs)))) if actor or slips or costs else ""


def _slips(slips: Iterable[Slip]) -> str:
    """``Nim (apprentice, cannot keep a secret ×2)``."""
    names: list[str] = []
    words: list[str] = []
    for slip in slips:
        text = f"{slip.text} ×{slip.count}" if slip.count > 1 else slip.text
        (names if slip.state == "name" else words).append(text)
    if names and words:
        return f"{', '.join(names)} ({', '.join(words)})"
    return ", ".join([*names, *words])


def _cost(cost: Cost) -> str:
    amount = abs(cost.amount)
    words = f"{amount} {unit_name(cost.unit, amount)}"
    if cost.amount < 0:
        words = word("site.decided_gets", amount=words)
    elif cost.purse and cost.purse != cost.unit.casefold():
        words = word("site.decided_of", amount=words, purse=cost.purse)
    return words if cost.left is None else word("site.decided_left", amount=words, left=cost.left)


def _bid(ladder: Ladder) -> str:
    rungs = ", ".join(f"{bid.player} {bid.amount}" for bid in ladder.rungs)
    return " ".join(filter(None, (_ended(f"{ladder.title}: {rungs}"), _ended(ladder.words))))


def _weighed(weighing: Weighing) -> str:
    sides = " against ".join(
        f"{side.player or side.name} {side.total}"
        + (f" (×{side.total // side.paid})" if 0 < side.paid < side.total else "")
        for side in weighing.sides
    )
    weighed = f"{unit_name(weighing.unit, 2)}: {sides}" if sides else word("site.decided_agreed")
    return f"{_ended(word('site.decided_objection', words=weighing.words))} {_ended(weighed)}"


def _thrown(contest: Contest) -> Iterator[str]:
    """The dice of all sides. The story itself tells the outcome, except where the outcome had no effect."""
    sizes = {die.die for side in contest.sides for die in side.dice}
    for side in contest.sides:
        yield _ended(_side(side, sized=len(sizes) > 1))
    if not contest.verdict:
        yield _ended("; ".join(contest.outcome[:1]) or contest.score)


def _side(side: Side, *, sized: bool) -> str:
    label = side.player or side.name
    named = (
        word("site.decided_for", player=label, name=side.name)
        if side.player and side.name not in ("", label)
        else label
    )
    kinds = groupby(side.dice, lambda die: (die.colour, die.die if sized else ""))
    dice = "; ".join(_dice(" ".join(filter(None, kind)), dice) for kind, dice in kinds)
    return ": ".join(filter(None, (f"{named} {dice}".strip(), side.result)))


def _dice(kind: str, dice: Iterable[ShownDie]) -> str:
    faces = ", ".join(f"({die.face})" if die.void else die.face for die in dice)
    return f"{kind} {faces}".strip()


def _spent(spent: Spent) -> Iterator[str]:
    """The purchases paid with the winnings of a throw. Purchases that the story tells itself are left out."""
    amount = f"{spent.amount} {unit_name(spent.unit, spent.amount)}"
    kept_amount = sum(row.amount for row in spent.rows if row.words == "kept")
    key = "site.decided_paid_kept" if kept_amount else "site.decided_paid"
    yield _ended(word(key, player=spent.player, amount=amount, kept=kept_amount))


def _ended(words: str) -> str:
    """Words with a capital and a full stop."""
    words = " ".join(words.split())
    if not words:
        return words
    words = words[0].upper() + words[1:]
    return words if words[-1] in ".!?…" else f"{words}."
