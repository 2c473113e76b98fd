"""What play changes and writes down: payments, events, links between entries and entries that were retracted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from chronicle.core.campaign import Campaign
from chronicle.core.declare import Action, read_value
from chronicle.core.diagnostic import DiagnosticKind, Fact
from chronicle.core.field_types import WHOLE
from chronicle.core.figure_names import check_account
from chronicle.core.fix import replace_with
from chronicle.core.game_info import GameInfo
from chronicle.core.gaps import SOMEBODY, balance_in_words, insert_somebody
from chronicle.core.ledger import ADJUSTMENT, UNEXPLAINED, Ledger, Posting
from chronicle.core.misread import Misread
from chronicle.core.record import Step, changes_of
from chronicle.core.reporter import Reporter
from chronicle.core.retractions import Retraction, Retractions
from chronicle.core.secrets import RecordingDict
from chronicle.core.sentences import FigureChange
from chronicle.core.source import Place, ScalarNode


class Bookkeeping(Reporter):
    """The part of a replay that pays, tells and links."""

    __slots__ = (
        "first_unshared_step_number",
        "known_retractions",
        "ledger",
        "minted_id_counts",
        "retractions_so_far",
        "step_number_by_id",
    )

    def __init__(self, campaign: Campaign, game: GameInfo) -> None:
        super().__init__(campaign, game)
        self.ledger = Ledger()
        self.step_number_by_id: RecordingDict[int] = RecordingDict()
        """Permanent ids of entries, with their steps."""
        self.minted_id_counts: dict[str, int] = {}
        """Number of ids made of each kind in each session."""
        self.known_retractions = Retractions()
        """The known retractions by later entries."""
        self.retractions_so_far: list[Retraction] = []
        """The retractions so far."""
        self.first_unshared_step_number = 1
        """The first step of the current top-level entry: earlier steps are changed by :meth:`reopen`."""

    def changes(self, step: Step) -> list[FigureChange]:
        """Every figure that a step changed, with its value before and after."""
        return changes_of(step, self.ledger, self.rulebook.supplies)

    def balance(self, account: str, unit: str) -> int:
        """The present balance of an account: ``wealth:Ana``, or ``bank`` without an owner."""
        balance = self.ledger.balance(account, unit)
        if not balance:
            check_account(self.rulebook.accounts, account)
        return balance

    def outstanding(self, unit: str) -> int:
        """The amount that unknown players have paid: a player who was not counted since may have less."""
        return -self.balance(SOMEBODY, unit)

    def event(self, text: str, rule: str = "", kind: str = "", subject: str = "") -> None:
        """Note an effect of the entry."""
        if self.gaps.all_gaps:
            text = insert_somebody(text)
            text = text[:1].upper() + text[1:] if text.startswith(SOMEBODY) else text
        self.step.event(text, rule, kind, subject)

    def move(
        self, source: str, target: str, amount: int, unit: str, rule: str, why: str = ""
    ) -> None:
        """Post a movement between accounts."""
        step_number = self.current.number if self.current is not None else 0
        self.ledger.post(Posting(step_number, source, target, amount, unit, rule, why))

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
        missing_amount = amount - self.balance(source, unit)
        is_covered = True
        if missing_amount > 0 < amount:
            payer_account = source
            self.report(
                DiagnosticKind.ILLEGAL,
                code or rule,
                message
                or f"{source} holds {balance_in_words(self, source, unit)} {unit} and pays {amount}",
                at=at,
                help=help,
                after=(payer_account,),
                since=self.unknown_until.get(payer_account, 0),
                state_kind="purses",
            )
            self.taint(payer_account)
            self.move(
                UNEXPLAINED,
                source,
                missing_amount,
                unit,
                code or rule,
                "met so that play can go on",
            )
            is_covered = False
        self.move(source, target, amount, unit, rule, why)
        return is_covered

    def spend(
        self, source: str, target: str, amount: int, unit: str, rule: str, why: str = ""
    ) -> None:
        """Post a payment that a guard has checked. If the log pays more than there is, the rest comes from
        ``unexplained``."""
        missing_amount = amount - max(0, self.balance(source, unit))
        if missing_amount > 0:
            self.move(UNEXPLAINED, source, missing_amount, unit, rule, "met so that play can go on")
        self.move(source, target, amount, unit, rule, why)

    def adjust(self, account: str, stated_figure: str, unit: str, rule: str = "") -> None:
        """Set an account to a stated figure by a visible posting; ignored if it is no number."""
        try:
            stated_number = read_value(WHOLE, ScalarNode(stated_figure))
        except Misread:
            return
        difference = stated_number - self.balance(account, unit)
        self.move(ADJUSTMENT, account, difference, unit, rule, "counted anew")

    def reopen(self, step_number: int) -> Step:
        """A step that the caller may change. A step that a snapshot shares is replaced by a copy."""
        step = self.steps[step_number - 1]
        if step_number < self.first_unshared_step_number:
            step = self.steps[step_number - 1] = step.copy()
        return step

    def strike(
        self, step_number: int, responsible: str, rule: str, *, decision: Any = None
    ) -> bool:
        """Retract an entry with its nested entries: it never happened. False if it was retracted before.
        ``responsible`` and ``rule`` tell the reader what retracted it; ``decision`` is the game's record of the
        decision, for the replay without the retracted entry (:attr:`decided`)."""
        current_step = self.step
        if self.steps[step_number - 1].retracted_by:
            return False
        retracted_step_numbers = {step_number}
        for later_step in self.steps[step_number : current_step.number - 1]:
            if later_step.parent in retracted_step_numbers:
                retracted_step_numbers.add(later_step.number)
        for retracted_step_number in retracted_step_numbers:
            retracted_step = self.reopen(retracted_step_number)
            retracted_step.retracted_by = current_step.number
            if (
                retracted_step.action.id is not None
                and self.step_number_by_id.get(str(retracted_step.action.id))
                == retracted_step_number
            ):
                # The new version may have the same id.
                del self.step_number_by_id[str(retracted_step.action.id)]
        struck_step = self.steps[step_number - 1]
        struck_step.event(f"struck by {responsible}", rule, "undone")
        self.link_steps(current_step.number, step_number)
        self.retractions_so_far.append(
            Retraction(struck_step.action, current_step.action, responsible, rule, decision)
        )
        return True

    def link_steps(self, step_number: int, other_number: int) -> None:
        """Link two steps to each other."""
        for from_step_number, to_step_number in (
            (step_number, other_number),
            (other_number, step_number),
        ):
            step = self.reopen(from_step_number)
            if to_step_number not in step.links:
                step.links.append(to_step_number)

    @property
    def known_decision(self) -> Any:
        """The decision about the retraction by the current entry; None if none is known yet."""
        retraction_record = self.known_retractions.first_record_by(self.step.action)
        return None if retraction_record is None else retraction_record.retraction.decision

    def register_id(self, action: Action, step_number: int) -> None:
        """Note the permanent id of an entry; report it if another entry has it."""
        entry_id = str(action.id)
        if entry_id not in self.step_number_by_id:
            self.step_number_by_id[entry_id] = step_number
            return
        first_action = self.steps[self.step_number_by_id[entry_id] - 1].action
        candidate_ids = (f"{entry_id}-{number}" for number in count(2))
        unused_id = next(
            candidate_id
            for candidate_id in candidate_ids
            if candidate_id not in self.step_number_by_id
        )
        facts = (Fact("first used here", first_action.place("id")),)
        fixes = replace_with([unused_id])
        self.unreadable(
            "T53", f"the id '{entry_id}' is taken", at=action.place("id"), fix=fixes, facts=facts
        )

    def mint(self, stem: str) -> str:
        """An id for an entry without one, numbered within its session, so that insertions elsewhere do not
        change it."""
        stem = f"{stem}-s{self.step.session}"
        self.minted_id_counts[stem] = occurrence_number = self.minted_id_counts.get(stem, 0) + 1
        return f"{stem}-{occurrence_number}"
