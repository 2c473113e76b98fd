"""Chapter 3, third part: Challenges, apart from their Bidding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.fix import drop_key, set_key
from chronicle.core.gaps import SOMEBODY
from chronicle.core.names import PLAYER, Named
from chronicle.core.record import Step, Weighing
from chronicle.core.references import (
    Condition,
    ReferenceTarget,
    matching_targets,
    possible_entries,
    resolve_reference,
)
from chronicle.core.shared_verbs import COMMON_VERBS, Say, Tell
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import facts
from chronicle.games.universalis.actions import RaiseChallenge
from chronicle.games.universalis.bids import BidForScene
from chronicle.games.universalis.challenge_bids import BID, bidding
from chronicle.games.universalis.complications import CallClosing, Declare
from chronicle.games.universalis.control import EndDialog
from chronicle.games.universalis.fines import LevyFine
from chronicle.games.universalis.flow import EndTurn, PassTurn
from chronicle.games.universalis.gates import nothing_bars
from chronicle.games.universalis.outcomes import CancelCoins, KeepCoins
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import (
    ProposeGimmick,
    ProposeTenet,
    retire_rule,
)
from chronicle.games.universalis.refreshment import Refresh
from chronicle.games.universalis.state import (
    BANK,
    COIN,
    ChallengeRecord,
    Phase,
)
from chronicle.games.universalis.story_actions import RollDice
from chronicle.games.universalis.undo import strike

FORMALITIES = (
    *(RaiseChallenge, LevyFine, EndTurn, PassTurn, BidForScene, Refresh, EndDialog),
    *(CallClosing, RollDice, Declare, CancelCoins, KeepCoins),
)
"""Entries that say nothing of the story, so that an objection after them means the entry before."""


_JUDGMENTS = frozenset({"judgment", "decide", "overrule"})
"""Verbs of an add-on by which a Judge decides what is in dispute."""
_STANDS: Final = (
    Condition[Step](
        lambda step: not step.retracted_by,
        "U3.40",
        "this was struck already: there is nothing to object to",
    ),
)


def challenge(play: Table, action: RaiseChallenge) -> None:
    """An objection, its Negotiation and, if need be, its Bidding (U3.40 to U3.54)."""
    state = play.state
    step = play.step
    challenger = play.player(action.who)
    if not challenger:
        return
    step.player = challenger
    rule = _given_rule(play, action.of)
    item = None if rule else contested(play, action.of, action.against)
    challenged = play.player(action.against) if action.against is not None else ""
    if item is not None and not challenged:
        challenged = item.player or _accused_shown(play, action, item, challenger)
        play.require(
            challenged != challenger,
            "U3.40",
            f"{challenger} objects to what {challenger} did",
            facts=[play.because(item.number, "this is what a Challenge without 'of:' objects to")],
            fix=set_key("of"),
            help="name the entry that is contested by its id",
        )
    of = item.number if item is not None else 0
    record = ChallengeRecord(
        len(state.challenges) + 1,
        step.number,
        of,
        challenger,
        challenged,
        str(action.wants or ""),
        rule=rule,
    )
    state.challenges.append(record)
    if item is not None:
        play.link_steps(step.number, of)
        _may_be_challenged(play, item)
    if rule:
        _survived(play, rule)
    step.headline = f"{challenger} objects" + (f" to {challenged}" if challenged else "")
    if action.dropped is not None:
        record.ending, record.words = "dropped", str(action.dropped)
        record.winner = challenged
        play.event(f"{challenger} drops it: {action.dropped}", "U3.41", "challenge")
    elif isinstance(action.bids, str):
        _unrecorded_bids(play, action, record)
    elif action.bids is not None:
        _decide(play, action, record, stands=bidding(play, action, record))
        step.headline = f"{challenger} Challenges" + (f" {challenged}" if challenged else "")
    elif action.agreed is not None:
        record.ending, record.words = "agreed", str(action.agreed)
        play.step.weighing = Weighing(str(action.agreed), (), COIN, "U3.41")
        play.event(f"agreed: {action.agreed}", "U3.41", "challenge")
        _change(play, action, record)
    elif action.winner is not None:
        play.report(
            DiagnosticKind.UNKNOWN,
            "U3.42",
            f"a winner, and no bids: how {challenger}'s Challenge was decided is not recorded",
            at="winner",
            fix=(set_key("bids", "unrecorded"), set_key("agreed")),
        )
        _unrecorded_bids(play, action, record)
    else:
        _result_without_bids(play, action)
        record.ending = "open"
        play.event(f"{challenger} objects", "U3.40", "challenge")


def _accused_shown(play: Table, action: RaiseChallenge, item: Step, challenger: str) -> str:
    """The Challenged player, where the log does not say whose act it was: the one other player who bids for no
    other player's version."""
    if item.speaker != SOMEBODY:
        return ""
    bare = {
        play.player(word.like(bid["who"]))
        for word in action.written_bids
        if (bid := re.match(BID, word.strip())) and not bid["side"] and bid["coins"].strip("0")
    }
    candidates = bare - {challenger, ""}
    return candidates.pop() if len(candidates) == 1 else ""


def _given_rule(play: Table, of: ScalarNode | None) -> str:
    """The id of the rule in force that a Challenge is about, if it is one that ``campaign.yaml`` brought
    and no entry: a rule of the table's own, or an add-on."""
    if of is None:
        return ""
    rules = [(rule.id, rule.text) for rule in facts.standing_rules(play) if not rule.step_number]
    for add_on in play.state.add_ons:
        if (
            add_on.id == of
            and (tenet := facts.tenet_with_id(play, str(of))) is not None
            and not tenet.step
        ):
            rules.append((add_on.id, add_on.title))
    targets = matching_targets(str(of), [ReferenceTarget(id, text, 0, id) for id, text in rules])
    return targets[0].id if targets else ""


def contested(
    play: Table,
    of: ScalarNode | None,
    against: ScalarNode | None,
    code: str = "U3.40",
    besides: tuple[type[Action], ...] = (),
) -> Step | None:
    """The entry that an objection is about: the named entry, else the last act before it. None where
    a player is named and no entry, or where there is none; ``besides`` are verbs that are no acts."""
    struck_record = play.known_retractions.first_record_by(play.step.action)
    if struck_record is not None:
        return play.steps[struck_record.retraction.retracted.step_number - 1]
    if against is not None and of is None:
        return None
    if of is not None and of.casefold() != "last":
        known_entries = [
            *possible_entries(play, of),
            *(
                ReferenceTarget(fact.id, "", fact.step, play.steps[fact.step - 1])
                for fact in play.state.facts.values()
                if fact.step and fact.id not in play.step_number_by_id
            ),
        ]
        reference = resolve_reference(play, of, known_entries, "entry", "T65", conditions=_STANDS)
        return reference.target if reference is not None else None
    parent = play.step.parent
    for step in reversed(play.steps[:-1]):
        is_speech = isinstance(step.action, Tell | Say) and step.player not in (
            "",
            play.step.player,
        )
        act = (_is_act(step) or is_speech) and not isinstance(step.action, besides)
        if step.parent == parent and act and not step.retracted_by:
            return _last_told(play, step, play.step.player)
        if step.number == parent:
            break
    play.illegal(
        code,
        "there is nothing to object to here",
        fix=(set_key("of"), set_key("against")),
    )
    return None


def _last_told(play: Table, step: Step, challenger: str) -> Step:
    """The entry right before a Challenge: of an outcome, the last entry of another player in it."""
    outcome_steps = [
        s
        for s in play.steps[step.number : play.step.number - 1]
        if s.parent == step.number and s.player != challenger and _is_act(s) and not s.retracted_by
    ]
    return outcome_steps[-1] if outcome_steps else step


def may_be_struck(entries: Sequence[Action]) -> Iterator[tuple[Action, Action]]:
    """What each Challenge and each Judgment of a session may strike, judged by the log alone: the
    entry that it names, or an act above it."""
    judged: Action | None = None
    for number, entry in enumerate(entries):
        if entry.verb == RaiseChallenge.verb:
            assert isinstance(entry, RaiseChallenge)
            outcome = (entry.agreed, entry.bids, entry.winner)
            won = any(outcome_part is not None for outcome_part in outcome)
            if won and not entry.stands and (item := _named_above(entries[:number], entry.of)):
                yield item, entry
        elif entry.verb in _JUDGMENTS:
            if entry.verb == "judgment":
                judged = _named_above(entries[:number], getattr(entry, "of", None))
            if judged is not None and getattr(entry, "decision", None) != "stands":
                yield judged, entry


def _named_above(above: Sequence[Action], of: ScalarNode | None) -> Action | None:
    formal = (*COMMON_VERBS, *FORMALITIES)
    for entry in reversed(above):
        if of is not None and of.casefold() != "last":
            if entry.id == of:
                return entry
        elif not isinstance(entry, formal) and entry.verb not in _JUDGMENTS:
            return entry
    return None


def _is_act(step: Step) -> bool:
    return not isinstance(step.action, (*COMMON_VERBS, *FORMALITIES))


def _may_be_challenged(play: Table, item: Step) -> None:
    step = play.step
    nothing_bars(play, play.state.points.bars_challenge(play, item.number))
    _survived(play, item.number)
    if step.parent is None and item.player and play.rulings["late challenge"] == "next action":
        later = [
            s
            for s in play.steps[item.number : step.number - 1]
            if s.parent is None
            and not s.retracted_by
            and _is_act(s)
            and s.player
            and s.player != item.player
        ]
        if len(later) > 1:
            play.ruling("late challenge")
            play.suspect(
                True,
                "U3.40",
                f"{len(later)} acts of other players came after the Challenged entry",
                facts=[play.because(item.number, "the Challenged entry")],
            )


def _survived(play: Table, target: int | str) -> None:
    challenge_step = play.state.immune.get(target)
    if challenge_step is not None:
        play.illegal(
            "U3.47",
            "this has survived a Challenge and cannot be Challenged again",
            facts=[play.because(challenge_step, "that Challenge")],
        )


def _change(play: Table, action: RaiseChallenge, record: ChallengeRecord) -> None:
    """The contested item is changed: it is struck, its price recalculated (U3.46, U3.49). A rule without an
    entry no longer holds."""
    if record.rule and not action.stands:
        retire_rule(play, record.rule)
    if not record.of or action.stands:
        return
    refund = play.ruling("refund") == "yes"
    item = play.steps[record.of - 1]
    tenet = isinstance(item.action, ProposeTenet | ProposeGimmick)
    if tenet and play.ruling("lost proposal") == "spent":
        refund = False
    strike(play, record.of, refund=refund, decision=record)
    record.struck = (record.of,)
    if tenet and play.state.phase is Phase.PREPARATION:
        play.state.withdrawn = item.player
    play.event("struck; what follows is the new version", "U3.46", "struck")
    if action.relation is not None:
        play.event(
            "the new Fact "
            + (
                "replaces the old one"
                if action.relation == "replaces"
                else "is an exception to the old one"
            ),
            "U3.54",
        )


def _result_without_bids(play: Table, action: RaiseChallenge) -> None:
    """What only follows from bids is refused where none are written (U3.42)."""
    for key in ("totals", "concedes", "returned"):
        play.require(
            not getattr(action, key),
            "U3.42",
            f"'{key}' comes from bids, and none are written",
            at=key,
            fix=(set_key("bids", "unrecorded"), drop_key(key)),
        )


def _unrecorded_bids(play: Table, action: RaiseChallenge, record: ChallengeRecord) -> None:
    """The log does not say who bid how much: the winner is taken as said, and no purse is sure (U3.42)."""
    for player in play.present:
        play.unrecorded(f"wealth:{player}", BANK)
    record.ending = "bidding"
    named = play.names.find(action.winner, (PLAYER,)) if action.winner is not None else None
    if not isinstance(named, Named):
        play.unknown("U3.45", "the bids and the winner are not recorded", fix=set_key("winner"))
        return
    record.winner = named.id
    play.event(f"bids not recorded; {named.id} wins", "U3.45", "challenge")
    _decide(play, action, record, stands=named.id != record.challenger)


def _decide(play: Table, action: RaiseChallenge, record: ChallengeRecord, *, stands: bool) -> None:
    """The contested entry holds and cannot be Challenged again (U3.47), or is changed (U3.46)."""
    if not stands:
        _change(play, action, record)
        return
    if target := record.rule or record.of:
        play.state.immune[target] = play.step.number
    play.event("it stands, and cannot be Challenged again", "U3.47", "immune")
