"""What play changes and writes down: payments, events, links between entries and entries that were retracted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chronicle.core.campaign import Campaign
from chronicle.core.declare import read_value
from chronicle.core.diagnostic import Finding
from chronicle.core.game import Game
from chronicle.core.gaps import SOMEBODY, by_somebody, holding
from chronicle.core.kinds import WHOLE, Misread
from chronicle.core.ledger import ADJUSTMENT, UNEXPLAINED, Ledger, Posting
from chronicle.core.record import Step
from chronicle.core.reporter import Reporter
from chronicle.core.retractions import Retraction, Retractions
from chronicle.core.secrets import Slots
from chronicle.core.source import Place, ScalarNode


class Bookkeeping(Reporter):
    """The part of a replay that pays, tells and links."""

    __slots__ = (
        "foreseen",
        "ids",
        "ledger",
        "minted",
        "since",
        "taken_back",
    )

    def __init__(self, campaign: Campaign, rulebook: Game) -> None:
        super().__init__(campaign, rulebook)
        self.ledger = Ledger()
        self.ids: Slots[int] = Slots()
        """Permanent ids of entries, with their steps."""
        self.minted: dict[str, int] = {}
        """Number of ids made of each kind in each session."""
        self.foreseen = Retractions()
        """The known retractions by later entries."""
        self.taken_back: list[Retraction] = []
        """The retractions so far."""
        self.since = 1
        """The first step of the current top-level entry: earlier steps are changed by :meth:`reopen`."""

    def balance(self, account: str, unit: str) -> int:
        """The present balance of an account."""
        return self.ledger.balance(account, unit)

    def outstanding(self, unit: str) -> int:
        """The amount that unknown players have paid: a player who was not counted since may have less."""
        return -self.balance(SOMEBODY, unit)

    def event(self, text: str, rule: str = "", kind: str = "", subject: str = "") -> None:
        """Note an effect of the entry."""
        if self.gaps.recorded:
            text = by_somebody(text)
            text = text[:1].upper() + text[1:] if text.startswith(SOMEBODY) else text
        self.step.event(text, rule, kind, subject)

    def move(
        self, source: str, target: str, amount: int, unit: str, rule: str, why: str = ""
    ) -> None:
        """Post a movement between accounts."""
        index = self.current.index if self.current is not None else 0
        self.ledger.post(Posting(index, source, target, amount, unit, rule, why))

    def empty(self, source: str, target: str, unit: str, rule: str, why: str = "") -> None:
        """Post the whole balance of an account to another account."""
        self.move(source, target, self.balance(source, unit), unit, rule, why)

    def reverse(self, posting: Posting, why: str) -> None:
        """Post the reverse of a posting, which did not happen after all."""
        source, target = posting.target, posting.source
        self.move(source, target, posting.amount, posting.unit, posting.rule, why)

    def pay(
        self,
        source: str,
        target: str,
        amount: int,
        unit: str,
        rule: str,
        why: str = "",
        *,
        code: str = "",
        message: str = "",
        help: str | Sequence[str] = (),
        at: Place | str | None = None,
    ) -> bool:
        """Post a payment from a purse that must not become negative. A missing amount comes from
        ``unexplained`` and is reported once, under ``code`` (default: the rule of the price)."""
        missing = amount - self.balance(source, unit)
        is_covered = True
        if missing > 0 < amount:
            key = source
            self.report(
                Finding.ILLEGAL,
                code or rule,
                message or f"{source} holds {holding(self, source, unit)} {unit} and pays {amount}",
                at=at,
                help=help,
                after=(key,),
                since=self.counted.get(key, 0),
                about="purses",
            )
            self.taint(key)
            self.move(
                UNEXPLAINED, source, missing, unit, code or rule, "met so that play can go on"
            )
            is_covered = False
        self.move(source, target, amount, unit, rule, why)
        return is_covered

    def spend(
        self, source: str, target: str, amount: int, unit: str, rule: str, why: str = ""
    ) -> None:
        """Post a payment that a guard has checked. If the log pays more than there is, the rest comes from
        ``unexplained``."""
        missing = amount - max(0, self.balance(source, unit))
        if missing > 0:
            self.move(UNEXPLAINED, source, missing, unit, rule, "met so that play can go on")
        self.move(source, target, amount, unit, rule, why)

    def adjust(self, account: str, stated: str, unit: str, rule: str = "") -> None:
        """Set an account to a stated figure by a visible posting; ignored if it is no number."""
        try:
            stated_number = read_value(WHOLE, ScalarNode(stated))
        except Misread:
            return
        difference = stated_number - self.balance(account, unit)
        self.move(ADJUSTMENT, account, difference, unit, rule, "counted anew")

    def reopen(self, index: int) -> Step:
        """A step that the caller may change. A step that a snapshot shares is replaced by a copy."""
        step = self.steps[index - 1]
        if index < self.since:
            step = self.steps[index - 1] = step.copy()
        return step

    def strike(self, index: int, by: str, rule: str, *, decided: Any = None) -> bool:
        """Retract an entry with its nested entries: it never happened. False if it was retracted before.
        ``by`` and ``rule`` tell the reader what retracted it; ``decided`` is the game's record of the
        decision, for the replay without the retracted entry (:attr:`decided`)."""
        step, current = self.steps[index - 1], self.step
        if step.struck:
            return False
        inner = {index}
        for later_step in self.steps[index : current.index - 1]:
            if later_step.parent in inner:
                inner.add(later_step.index)
        for inner_index in inner:
            inner_step = self.reopen(inner_index)
            inner_step.struck = current.index
            if (
                inner_step.action.id is not None
                and self.ids.get(str(inner_step.action.id)) == inner_index
            ):
                # The new version may have the same id.
                del self.ids[str(inner_step.action.id)]
        step = self.steps[index - 1]
        step.event(f"struck by {by}", rule, "undone")
        self.refer(current.index, index)
        self.taken_back.append(Retraction(step.action, current.action, by, rule, decided))
        return True

    def refer(self, index: int, other_index: int) -> None:
        """Link two steps to each other."""
        for from_index, to_index in ((index, other_index), (other_index, index)):
            step = self.reopen(from_index)
            if to_index not in step.links:
                step.links.append(to_index)

    @property
    def decided(self) -> Any:
        """The decision about the retraction by the current entry; None if none is known yet."""
        strike = self.foreseen.by(self.step.action)
        return None if strike is None else strike.retraction.decided

    def mint(self, stem: str) -> str:
        """An id for an entry without one, numbered within its session, so that insertions elsewhere do not
        change it."""
        stem = f"{stem}-s{self.step.session}"
        self.minted[stem] = count = self.minted.get(stem, 0) + 1
        return f"{stem}-{count}"
