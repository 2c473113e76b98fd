"""What an entry of the log did, in a line or two: slips, sentences, what it cost, what a throw paid for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from chronicle.core.diagnostic import unit_name
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.record import Contest, Event, Step
from chronicle.core.telling import Piece, Slip, TextRole
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.works import Work
from chronicle.words import word

LETTERS_PER_SLIP = 5
"""How many letters' room a slip takes beside its words."""


class BalanceChange(NamedTuple):
    """A payment or receipt of the actor: the purse (empty: the usual purse), and its balance afterwards."""

    amount: int
    unit: str
    purse: str
    balance_after: int | str | None


class MarginNote(NamedTuple):
    """What an entry did, for the margin."""

    step_number: int
    anchor: str
    """Its address, if it has none in the column."""
    former_anchor: str
    player: str
    title: str
    slips: tuple[Slip, ...]
    events: tuple[Event, ...]
    movements: tuple[tuple[str, str], ...]
    """Further movements, in words, with their rules."""
    further_rule_ids: tuple[str, ...]
    """The rules of what the slips and the cost show."""
    costs: tuple[BalanceChange, ...]
    worded_links: tuple[tuple[str, int], ...]
    works: tuple[Work, ...]

    @property
    def letter_count(self) -> int:
        """About how much room it takes, in letters."""
        slip_letters = sum(len(slip.text) + LETTERS_PER_SLIP for slip in self.slips)
        text_letters = sum(len(event.text) + 1 for event in self.events)
        text_letters += sum(
            len(movement_text) + 8 for movement_text, _ in self.movements
        ) + 14 * len(self.worded_links)
        text_letters += sum(len(work.ref.label) + 16 for work in self.works)
        rule_count = len(self.further_rule_ids) + len(
            {event.rule for event in self.events if event.rule}
        )
        return (
            len(self.title)
            + 2
            + slip_letters
            + text_letters
            + 7 * rule_count
            + 15 * len(self.costs)
        )


class DiceWinnings(NamedTuple):
    """What a player was paid for a throw, and what they told with it."""

    player: str
    amount: int
    unit: str
    rule_id: str
    purchases: tuple[Purchase, ...]


class Purchase(NamedTuple):
    """A purchase that was told with it."""

    amount: int
    text: str
    slip_state: str
    step_number: int


class MarginNotes:
    """Writes the notes of a campaign's entries."""

    def __init__(self, campaign_site: CampaignSite) -> None:
        self._campaign_site = campaign_site
        self._record = campaign_site.record
        self._players = set(campaign_site.view.players())
        self._usual_purse = campaign_site.balance_history.usual_purse

    def margin_note_of_step(
        self,
        step: Step,
        anchor: str = "",
        former_anchor: str = "",
        card_texts: Collection[str] = (),
        next_throw_title: str = "",
    ) -> MarginNote:
        """The note of an entry.

        Args:
            step: the entry.
            anchor: its address, where it has none in the column; it then says what it is about.
            former_anchor: the address it had before.
            card_texts: what the card of the last throw says, line by line.
            next_throw_title: the title of the card of the next one.
        """
        action, has_anchor = step.action, bool(anchor)
        slips = tuple(action.slips())
        event_texts = {event.text for event in step.events}
        told_pieces = [*action.told()]
        has_sentence = slips or any(
            text_piece.role is TextRole.SENTENCE for text_piece in told_pieces
        )
        told_events = [
            event
            for event in step.events
            if event.kind in action.already_shown_kinds
            and (has_sentence or (next_throw_title and event.text.endswith(next_throw_title)))
        ]
        told_events += [
            event for event in step.events if _repeats_told_text(event, told_pieces, card_texts)
        ]
        shown_texts = [text_piece.text for text_piece in told_pieces]
        if step.scene and self._campaign_site.first_step_of_scene(step.scene) == step.number:
            shown_texts.append(self._record.timeline.get(step.scene).label)
        events = [
            _without_quotation(event, shown_texts)
            for event in step.events
            if event not in told_events
        ]
        rule_ids = dict.fromkeys(event.rule for event in told_events if event.rule)
        balance_changes = tuple(self._balance_changes(step))
        if balance_changes:
            rule_ids.update(
                dict.fromkeys(
                    posting.rule for posting in self._record.postings(step) if posting.rule
                )
            )
        shown_rule_ids = {event.rule for event in events}
        note_title = action.caption()
        if (
            has_anchor
            and not (slips or events or told_events or action.quiet or step.headline in event_texts)
            and step.headline
            and not _is_told_by(told_pieces, step.headline)
        ):
            events = [Event(step.headline)]
        if action.quiet:
            events, note_title = [], step.headline
        if events and not slips:
            # The title stands before it.
            events[0] = events[0]._replace(text=events[0].text.removeprefix(f"{note_title} "))
        return MarginNote(
            step.number,
            anchor,
            former_anchor,
            step.player,
            note_title,
            slips,
            tuple(events),
            tuple(self.movements_of_step(step)),
            tuple(rule_id for rule_id in rule_ids if rule_id not in shown_rule_ids),
            balance_changes,
            tuple(
                (self._link_words(step, linked_step_number), linked_step_number)
                for linked_step_number in step.links
            ),
            tuple(self._campaign_site.works.works_about("step", str(step.number))),
        )

    def _balance_changes(self, step: Step) -> Iterator[BalanceChange]:
        """The actor's payments and receipts, by purse."""
        amount_by_account_unit: dict[tuple[str, str], int] = {}
        for posting in self._record.postings(step):
            is_payment = owner_of(posting.source) == step.player
            is_receipt = owner_of(posting.target) == step.player
            if not step.player or is_payment == is_receipt:
                continue
            account = posting.source if is_payment else posting.target
            account_and_unit = (account, posting.unit)
            amount_by_account_unit[account_and_unit] = amount_by_account_unit.get(
                account_and_unit, 0
            ) + (posting.amount if is_payment else -posting.amount)
        for (account, unit), paid_amount in amount_by_account_unit.items():
            is_usual_purse = kind_of(account) == self._usual_purse
            balance_history = self._campaign_site.balance_history
            balance_if_moved = (
                balance_history.balance_if_moved(step.number, account, unit)
                if is_usual_purse
                else None
            )
            shown_balance: int | str | None = None
            if balance_if_moved is not None and balance_history.is_known(step.number, account):
                shown_balance = balance_history.balance_in_words(
                    step.number, account, balance_if_moved
                )
            yield BalanceChange(
                paid_amount, unit, "" if is_usual_purse else kind_of(account), shown_balance
            )

    def movements_of_step(self, step: Step) -> Iterator[tuple[str, str]]:
        """The movements of a step between other people than the actor, in few words, rule by rule. Movements
        that an event of the step tells already (under the same rule) are left out."""
        event_rules = {event.rule for event in step.events}
        movements_by_rule_and_unit: dict[tuple[str, str], list[str]] = {}
        for posting in self._record.postings(step):
            receiver, payer = owner_of(posting.target), owner_of(posting.source)
            is_own = step.player in (receiver, payer) and bool(step.player)
            if posting.rule in event_rules or is_own:
                continue
            account_owner, sign = (receiver, "+") if receiver else (payer, "−")
            if not account_owner:
                # More or less of it, if one side of it is where it comes from and goes to.
                supplies = self._record.rulebook.supplies
                comes_from_supply, goes_to_supply = (
                    kind_of(posting.source) in supplies,
                    kind_of(posting.target) in supplies,
                )
                sign = (
                    "" if comes_from_supply is goes_to_supply else "+" if comes_from_supply else "−"
                )
            name_text = f"{self._campaign_site.name(account_owner)} " if account_owner else ""
            movement_text = f"{name_text}{sign}{posting.amount}"
            if receiver and payer and receiver != payer:
                payer_name, receiver_name = map(self._campaign_site.name, (payer, receiver))
                movement_text = f"{payer_name} → {receiver_name} {posting.amount}"
            movements_by_rule_and_unit.setdefault(
                (posting.rule, unit_name(posting.unit, posting.amount)), []
            ).append(movement_text)
        for (rule_id, unit), movements in movements_by_rule_and_unit.items():
            yield f"{', '.join(movements)} {unit}", rule_id

    def _link_words(self, step: Step, linked_step_number: int) -> str:
        """What a step and one that it refers to have to do with each other."""
        own_verb, other_verb = step.action.verb, self._record.step(linked_step_number).action.verb
        if own_verb == "correct" and linked_step_number < step.number:
            return word("site.why_corrects")
        if other_verb == "correct" and linked_step_number > step.number:
            return word("site.why_corrected")
        if own_verb == "reveal" and linked_step_number < step.number:
            return word("site.why_secret")
        if other_verb == "reveal" and linked_step_number > step.number:
            return word("site.why_revealed")
        return word("site.why_see")

    def effects_of_throw(self, step: Step, contest: Contest) -> list[Event]:
        """What a throw led to, beside what its card says anyway."""
        shown_lines = {outcome_line.casefold() for outcome_line in contest.outcome}
        effects = [
            event for event in step.events if event.kind not in step.action.already_shown_kinds
        ]
        effects = [event for event in effects if event.text.casefold() not in shown_lines]
        effects += self._payments_to_nobody(step)
        if not contest.outcome:
            effects += [
                Event(movement_text, rule_id)
                for movement_text, rule_id in self.movements_of_step(step)
            ]
        return effects

    def _payments_to_nobody(self, step: Step) -> Iterator[Event]:
        """What the actor paid to nobody in particular, such as the price of more dice."""
        amount_by_unit_rule: dict[tuple[str, str], int] = {}
        for posting in self._record.postings(step):
            is_own = bool(step.player) and owner_of(posting.source) == step.player
            if is_own and not owner_of(posting.target):
                unit_and_rule = posting.unit, posting.rule
                amount_by_unit_rule[unit_and_rule] = (
                    amount_by_unit_rule.get(unit_and_rule, 0) + posting.amount
                )
        for (unit, rule_id), paid_amount in amount_by_unit_rule.items():
            price_text = f"{paid_amount} {unit_name(unit, paid_amount)}"
            yield Event(str(word("site.has_paid", who=step.player, amount=price_text)), rule_id)

    def winnings_of_throw(self, step: Step) -> Iterator[DiceWinnings]:
        """What each player was paid for a throw and told with it."""
        record = self._record
        payments = [
            posting
            for posting in record.postings(step)
            if owner_of(posting.target) in self._players and not owner_of(posting.source)
        ]
        if not payments:
            return
        outcome_step = next(
            (
                later_step
                for later_step in record.steps_after(step)
                if later_step.action.by_dice or later_step.contest is not None
            ),
            None,
        )
        # Entries inside another entry directly follow it.
        steps_within = takewhile(
            lambda inner_step: inner_step.parent is not None,
            record.steps_after(outcome_step) if outcome_step is not None else (),
        )
        inner_steps = [
            inner_step
            for inner_step in steps_within
            if outcome_step is not None and inner_step.parent == outcome_step.number
        ]
        for payment in payments:
            player = owner_of(payment.target)
            purchases = [
                Purchase(amount, *_purchase_text(inner_step), inner_step.number)
                for inner_step in inner_steps
                if not inner_step.hidden
                and (
                    amount := sum(
                        posting.amount
                        for posting in record.postings(inner_step)
                        if posting.source == payment.target
                    )
                )
            ]
            if outcome_step is not None and outcome_step.contest is None:
                kept_amount = sum(
                    posting.amount
                    for posting in record.postings(outcome_step)
                    if posting.source == payment.target and owner_of(posting.target) == player
                )
                if kept_amount:
                    purchases.append(Purchase(kept_amount, "kept", "", outcome_step.number))
            yield DiceWinnings(player, payment.amount, payment.unit, payment.rule, tuple(purchases))


def _repeats_told_text(
    event: Event, text_pieces: Sequence[Piece], card_texts: Collection[str]
) -> bool:
    """Whether the words in the column say what an event says, or the card of the last throw."""
    if event.kind == "reveals":
        return False
    return _is_told_by(text_pieces, event.text) or event.text.casefold() in card_texts


def _without_quotation(event: Event, quotable_texts: Sequence[str]) -> Event:
    """An event without its quotation of words in the column or of its heading, if the quotation is at its end."""
    for quotable_text in quotable_texts:
        if len(quotable_text) > 12 and event.text.endswith(f": {quotable_text}"):
            return event._replace(text=event.text.removesuffix(f": {quotable_text}"))
    return event


def _is_told_by(text_pieces: Sequence[Piece], event_text: str) -> bool:
    return any(event_text == text_piece.text for text_piece in text_pieces)


def _purchase_text(step: Step) -> tuple[str, str]:
    """A purchase in few words, and the state in which to show it."""
    slips = [slip for slip in step.action.slips() if slip.state != "name"]
    if slips and not any(text_piece.role is TextRole.SENTENCE for text_piece in step.action.told()):
        owner_name = next((slip.text for slip in step.action.slips() if slip.state == "name"), "")
        slips_text = ", ".join(slip.text for slip in slips)
        return (f"{owner_name}: {slips_text}" if owner_name else slips_text), slips[0].state
    return step.headline or step.action.caption(), ""
