"""Explain in plain words how play decided something: payments, bids, dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby

from chronicle.core.diagnostic import unit_name
from chronicle.core.dice import ShownDie
from chronicle.core.figures import times_in_words, with_times
from chronicle.core.record import BidRanking, Contest, Side, Step, Weighing
from chronicle.core.telling import Slip
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.chapters import OBJECTED
from chronicle.site.notes import BalanceChange, DiceWinnings, MarginNote, MarginNotes
from chronicle.words import word


class DecisionWriter:
    """Says of the entries of a campaign how they came about.

    Args:
        campaign_site: the campaign.
        explains_payments: whether it also says what was only paid for, and decided by nothing else.
    """

    def __init__(self, campaign_site: CampaignSite, *, explains_payments: bool) -> None:
        self._campaign_site = campaign_site
        self._explains_payments = explains_payments
        self._record = campaign_site.record
        self._margin_notes = MarginNotes(campaign_site)

    def explain_marks(self, kinds_and_steps: Iterable[tuple[str, int]]) -> str:
        """The sentences that explain some marks, each given as (kind, step)."""
        sentences: dict[str, None] = {}
        # An objection came before what it was made to, and what that cost comes last.
        for kind_and_step in sorted(
            kinds_and_steps,
            key=lambda kind_and_step: (kind_and_step[0] != OBJECTED, kind_and_step[1]),
        ):
            for sentence in self._sentences_of_step(self._record.step(kind_and_step[1])):
                sentences[sentence] = None
        return " ".join(filter(None, sentences))

    def bid_sentence_of_scene(self, scene_number: int) -> str:
        """The bids for a scene; empty without bids."""
        bid_ranking = self._bid_ranking_by_scene.get(scene_number)
        return "" if bid_ranking is None else _bid_sentence(bid_ranking)

    @cached_property
    def _bid_ranking_by_scene(self) -> dict[int, BidRanking]:
        ranking_by_scene: dict[int, BidRanking] = {}
        ranking_for_next_scene: BidRanking | None = None
        for step in self._record.visible_steps():
            if step.bid_ranking is not None and step.bid_ranking not in ranking_by_scene.values():
                ranking_for_next_scene = step.bid_ranking
            if (
                ranking_for_next_scene
                and step.scene is not None
                and self._campaign_site.first_step_of_scene(step.scene) == step.number
            ):
                ranking_by_scene[step.scene], ranking_for_next_scene = ranking_for_next_scene, None
        return ranking_by_scene

    # -- one entry ---------------------------------------------------------------------------------

    def _sentences_of_step(self, step: Step) -> Iterator[str]:
        if step.weighing is not None:
            yield _objection_sentences(step.weighing)
        if step.contest is not None:
            yield from _contest_sentences(step.contest)
            for winnings in self._margin_notes.winnings_of_throw(step):
                yield from _spending_sentences(winnings)
        if self._explains_payments and step.contest is None and step.weighing is None:
            yield _margin_note_sentence(self._margin_notes.margin_note_of_step(step), step)


def _margin_note_sentence(margin_note: MarginNote, step: Step) -> str:
    """Who did it, and the cost; empty if there is neither a person nor a cost."""
    slips_text = _slips_text(margin_note.slips)
    note_title = f"{margin_note.title} {slips_text}" if slips_text else margin_note.title
    if slips_text and not margin_note.title:
        note_title = slips_text
    costs_text = "; ".join(_cost_text(cost) for cost in margin_note.costs if cost.amount)
    actor = margin_note.player or step.speaker
    actor_and_title = f"{actor}: {note_title}" if actor and note_title else actor or note_title
    return (
        _as_sentence(", ".join(filter(None, (actor_and_title, costs_text))))
        if actor or slips_text or costs_text
        else ""
    )


def _slips_text(slips: Iterable[Slip]) -> str:
    """``Nim (apprentice, cannot keep a secret (twice))``."""
    name_slips: list[str] = []
    trait_slips: list[str] = []
    for slip in slips:
        slip_text = with_times(slip.text, slip.count)
        (name_slips if slip.state == "name" else trait_slips).append(slip_text)
    if name_slips and trait_slips:
        return f"{', '.join(name_slips)} ({', '.join(trait_slips)})"
    return ", ".join([*name_slips, *trait_slips])


def _cost_text(cost: BalanceChange) -> str:
    amount = abs(cost.amount)
    amount_text = f"{amount} {unit_name(cost.unit, amount)}"
    if cost.amount < 0:
        amount_text = word("site.decided_gets", amount=amount_text)
    elif cost.purse and cost.purse != cost.unit.casefold():
        amount_text = word("site.decided_of", amount=amount_text, purse=cost.purse)
    return (
        amount_text
        if cost.balance_after is None
        else word("site.decided_left", amount=amount_text, left=cost.balance_after)
    )


def _bid_sentence(bid_ranking: BidRanking) -> str:
    bids_text = ", ".join(f"{bid.player} {bid.amount}" for bid in bid_ranking.bids)
    return " ".join(
        filter(
            None,
            (_as_sentence(f"{bid_ranking.title}: {bids_text}"), _as_sentence(bid_ranking.words)),
        )
    )


def _objection_sentences(weighing: Weighing) -> str:
    sides_text = " against ".join(
        f"{side.player or side.name} {side.total}"
        + (
            f" ({word('site.counts_times', times=times_in_words(side.total // side.paid))})"
            if 0 < side.paid < side.total
            else ""
        )
        for side in weighing.sides
    )
    votes_text = (
        f"{unit_name(weighing.unit, 2)}: {sides_text}"
        if sides_text
        else word("site.decided_agreed")
    )
    return f"{_as_sentence(word('site.decided_objection', words=weighing.words))} {_as_sentence(votes_text)}"


def _contest_sentences(contest: Contest) -> Iterator[str]:
    """The dice of all sides. The story itself tells the outcome, except where the outcome had no effect."""
    die_sizes = {die.die for side in contest.sides for die in side.dice}
    for side in contest.sides:
        yield _as_sentence(_side_text(side, shows_die_sizes=len(die_sizes) > 1))
    if not contest.verdict:
        yield _as_sentence("; ".join(contest.outcome[:1]) or contest.score)


def _side_text(side: Side, *, shows_die_sizes: bool) -> str:
    side_label = side.player or side.name
    side_name = (
        word("site.decided_for", player=side_label, name=side.name)
        if side.player and side.name not in ("", side_label)
        else side_label
    )
    dice_by_colour = groupby(
        side.dice, lambda die: (die.colour, die.die if shows_die_sizes else "")
    )
    dice_text = "; ".join(
        _dice_text(" ".join(filter(None, group_label)), dice_of_group)
        for group_label, dice_of_group in dice_by_colour
    )
    return ": ".join(filter(None, (f"{side_name} {dice_text}".strip(), side.result)))


def _dice_text(group_label: str, dice: Iterable[ShownDie]) -> str:
    faces_text = ", ".join(f"({die.face})" if die.void else die.face for die in dice)
    return f"{group_label} {faces_text}".strip()


def _spending_sentences(winnings: DiceWinnings) -> Iterator[str]:
    """The purchases paid with the winnings of a throw. Purchases that the story tells itself are left out."""
    amount_text = f"{winnings.amount} {unit_name(winnings.unit, winnings.amount)}"
    kept_amount = sum(purchase.amount for purchase in winnings.purchases if purchase.text == "kept")
    message_key = "site.decided_paid_kept" if kept_amount else "site.decided_paid"
    yield _as_sentence(
        word(message_key, player=winnings.player, amount=amount_text, kept=kept_amount)
    )


def _as_sentence(text: str) -> str:
    """Words with a capital and a full stop."""
    text = " ".join(text.split())
    if not text:
        return text
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?…" else f"{text}."
