"""Chapter 3, third part: Challenges, apart from their Bidding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from chronicle.core.declare import Action, Decides, Offered, PartOf, main, option
from chronicle.core.diagnostic import DiagnosticKind, most_likely_word
from chronicle.core.field_types import (
    NAME,
    NAMES,
    TEXT,
    UNRECORDED,
    YES_NO,
    EitherOf,
    OneOrMany,
    choice,
    in_role,
)
from chronicle.core.fix import drop_key, set_key
from chronicle.core.gaps import SOMEBODY
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import PLAYER, Named
from chronicle.core.record import Step, Weighing
from chronicle.core.references import (
    Condition,
    ReferenceTarget,
    matching_targets,
    possible_entries,
    resolve_reference,
)
from chronicle.core.reporter import number_in_old_id
from chronicle.core.shared_verbs import COMMON_VERBS, Say, Tell
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import facts
from chronicle.games.universalis.actions import COUNT_OF, ID, STATED
from chronicle.games.universalis.bids import BidForScene
from chronicle.games.universalis.challenge_bids import BID, Bids, BidsType, Support, bidding
from chronicle.games.universalis.complications import CallClosing, Declare
from chronicle.games.universalis.control import EndDialog
from chronicle.games.universalis.fines import LevyFine
from chronicle.games.universalis.flow import EndTurn, PassTurn
from chronicle.games.universalis.gates import violations_of
from chronicle.games.universalis.moves import open_scene
from chronicle.games.universalis.outcomes import CancelCoins, KeepCoins
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import (
    ProposeGimmick,
    ProposeTenet,
    retire_rule,
)
from chronicle.games.universalis.refreshment import Refresh
from chronicle.games.universalis.rolls import RollDice
from chronicle.games.universalis.state import (
    BANK,
    COIN,
    ChallengeRecord,
    Phase,
)
from chronicle.games.universalis.undo import strike

_JUDGMENTS = frozenset({"judgment", "decide", "overrule"})
"""Verbs of an add-on by which a Judge decides what is in dispute."""
_STANDS: Final = (
    Condition[Step](
        lambda step: not step.retracted_by,
        "U3.40",
        "this was struck already: there is nothing to object to",
    ),
)


class RaiseChallenge(Bids):
    """Object to what a player says or does. Talk first; then, if need be, bid. What is agreed or won
    strikes the entry, and whoever's turn it is tells the new version."""

    verb = "challenge"
    synonyms = ("object", "objection", "dispute")
    about_table = True
    objects = True
    decides = Decides("named", "U3.40")
    keeps_outcome = True
    example = "challenge: Ed\n  wants: the turtle only gets the rifle\n  bids: [Ed 1, Ana 0, Cleo 1 for Ed, Bob 0]"
    who = main(in_role("challenges", NAME), "the Challenger")
    of = option(
        ID, "the entry that is contested, by its id or words of it; without it, the one before"
    )
    against = option(
        in_role("is accused", NAME),
        "the player contested, where behaviour is at issue and no entry",
    )
    wants = option(TEXT, "what the Challenger would have instead")
    agreed = option(
        TEXT,
        "what both agreed on; the turn stays where it was, in preparation too, and the next entry tells it",
    )
    dropped = option(TEXT, "why it was dropped")
    stands = option(
        YES_NO, "yes, if the entry stays in force although something was agreed", default=False
    )
    bids = option(
        EitherOf(
            choice(UNRECORDED),
            BidsType(),
            words="[Ed 1, Ana 0, Cleo 1 for Ed ...], or unrecorded",
        ),
        "[Ed 1, Ana 0, Cleo 1 for Ed ...], in order; rounds repeat names; unrecorded where the log does not say",
    )
    facts = option(
        OneOrMany(PartOf(Support)),
        "Facts that count, by id or words: [{fact: sluice, for: Ed}, {fact: 'Ines: keen', for: Ana, up: 2}]",
        default=(),
    )
    winner = option(
        STATED,
        "whose version won; checked, and taken as said where bids are not recorded",
        computed=True,
    )
    totals = option(COUNT_OF, "what the sides came to; checked", computed=True)
    concedes = option(
        in_role("concedes", NAMES), "who of the two backs out of the Bidding", default=()
    )
    returned = option(
        in_role("stated", NAMES), "who took a bid back; checked", default=(), computed=True
    )
    relation = option(choice("replaces", "exception"), "how the new Fact relates to the old Fact")
    offered = Offered("U3.40", "object to the last Event")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        last = play.steps[-1] if play.steps else None
        if (
            open_scene(play) is None
            or last is None
            or last.parent is not None
            or last.action.verb != "event"
            or not last.player
            or last.retracted_by
            or last.number in play.state.immune
            or play.state.points.bars_challenge(play, last.number) is not None
        ):
            return
        for player in play.present:
            if player != last.player and player in play.seats:
                for how in ("dropped", "agreed"):
                    challenge = {"challenge": player, "wants": "something else", how: "so be it"}
                    yield {**challenge, "by": player}

    def rule(self, play: Table) -> str:
        """The rule in force that it is about, where no entry brought it."""
        return _given_rule(play, self.of)

    def item(self, play: Table) -> Step | None:
        """The entry that it is about; nothing is reported."""
        challenger = play.look_up_player(self.who)
        if not challenger or self.rule(play):
            return None
        return _contested(play, self.of, self.against, challenger)

    def parties(self, play: Table) -> tuple[str, str]:
        challenger, item = play.look_up_player(self.who), self.item(play)
        challenged = play.look_up_player(self.against) if self.against is not None else ""
        if item is not None and not challenged:
            challenged = item.player or _accused_shown(play, self, item, challenger)
        return challenger, challenged

    def record(self, play: Table) -> ChallengeRecord:
        (challenger, challenged), item = self.parties(play), self.item(play)
        return ChallengeRecord(
            len(play.state.challenges) + 1,
            play.step.number,
            item.number if item is not None else 0,
            challenger,
            challenged,
            str(self.wants or ""),
            rule=self.rule(play),
        )

    @guard("U3.40")
    def objects_to_something(self, play: Table) -> Iterable[Violation]:
        if self.rule(play) or not play.look_up_player(self.who):
            return ()
        return bars_no_object(self.item(play), self.of, self.against, "U3.40")

    @guard("U3.40")
    def objects_to_another(self, play: Table) -> Violation | None:
        (challenger, challenged), item = self.parties(play), self.item(play)
        is_named = self.against is not None and play.look_up_player(self.against)
        if item is None or is_named or challenger != challenged:
            return None
        return Violation(
            f"{challenger} objects to what {challenger} did",
            fix=set_key("of"),
            help="name the entry that is contested by its id",
            facts=[play.because(item.number, "this is what a Challenge without 'of:' objects to")],
        )

    @guard("U3.40")
    def may_be_raised(self, play: Table) -> Iterator[Violation]:
        item = self.item(play)
        if item is not None:
            yield from violations_of(play, play.state.points.bars_challenge(play, item.number))

    @guard("U3.47")
    def is_the_first_that_decides(self, play: Table) -> Violation | None:
        item = self.item(play)
        target = item.number if item is not None else self.rule(play)
        challenge_step = play.state.immune.get(target)
        if challenge_step is None:
            return None
        facts = [play.because(challenge_step, "that Challenge")]
        return Violation(
            "this has survived a Challenge and cannot be Challenged again", facts=facts
        )

    @question("U3.40")
    def comes_soon(self, play: Table) -> Violation | None:
        item, step = self.item(play), play.step
        is_timed = play.rulings["late challenge"] == "next action"
        if item is None or not is_timed or step.parent is not None or not item.player:
            return None
        later = [
            s
            for s in play.steps[item.number : step.number - 1]
            if s.parent is None
            and not s.retracted_by
            and _is_act(s)
            and s.player
            and s.player != item.player
        ]
        if len(later) < 2:
            return None
        play.ruling("late challenge")
        return Violation(
            f"{len(later)} acts of other players came after the Challenged entry",
            facts=[play.because(item.number, "the Challenged entry")],
        )

    @guard("U3.42")
    def has_bids_where_bids_decide(self, play: Table) -> Iterator[Violation]:
        """What only follows from bids is refused where none are written."""
        ways = (self.dropped, self.bids, self.agreed)
        if any(way is not None for way in ways):
            return
        challenger, _ = self.parties(play)
        if self.winner is not None:
            yield Violation(
                f"a winner, and no bids: how {challenger}'s Challenge was decided is not recorded",
                "winner",
                (set_key("bids", "unrecorded"), set_key("agreed")),
                kind=DiagnosticKind.UNKNOWN,
            )
            return
        for key in ("totals", "concedes", "returned"):
            if getattr(self, key):
                fixes = (set_key("bids", "unrecorded"), drop_key(key))
                yield Violation(f"'{key}' comes from bids, and none are written", key, fixes)

    @property
    def lacks_bids(self) -> bool:
        """Whether bids decided that the log does not give."""
        is_told = self.dropped is not None or self.is_bidding
        is_told = is_told or (self.agreed is not None and self.bids is None)
        return not is_told and (self.bids is not None or self.winner is not None)

    @guard("U3.45", DiagnosticKind.UNKNOWN)
    def says_who_won(self, play: Table) -> Violation | None:
        if not self.lacks_bids or not play.look_up_player(self.who) or self.stated_winner(play):
            return None
        return Violation("the bids and the winner are not recorded", fix=set_key("winner"))

    def stated_winner(self, play: Table) -> str:
        """Who won, as the log says; empty where it says nothing, or names no player."""
        named = play.names.find(self.winner, (PLAYER,)) if self.winner is not None else None
        return named.id if isinstance(named, Named) else ""

    def apply(self, play: Table) -> None:
        """An objection, its Negotiation and, if need be, its Bidding (U3.40 to U3.54)."""
        state, step = play.state, play.step
        challenger = play.player(self.who)
        if not challenger:
            return
        step.player = challenger
        record = self.record(play)
        if not record.rule:
            contested(play, self.of, self.against)
        play.player(self.against)
        challenged = record.challenged
        state.challenges.append(record)
        if record.of:
            play.link_steps(step.number, record.of)
        step.headline = f"{challenger} objects" + (f" to {challenged}" if challenged else "")
        if self.dropped is not None:
            record.ending, record.words = "dropped", str(self.dropped)
            record.winner = challenged
            play.event(f"{challenger} drops it: {self.dropped}", "U3.41", "challenge")
        elif self.is_bidding:
            _decide(play, self, record, stands=bidding(play, self, record))
            step.headline = f"{challenger} Challenges" + (f" {challenged}" if challenged else "")
        elif self.agreed is not None and self.bids is None:
            record.ending, record.words = "agreed", str(self.agreed)
            play.step.weighing = Weighing(str(self.agreed), (), COIN, "U3.41")
            play.event(f"agreed: {self.agreed}", "U3.41", "challenge")
            _change(play, self, record)
        elif self.lacks_bids:
            _unrecorded_bids(play, self, record)
        else:
            record.ending = "open"
            play.event(f"{challenger} objects", "U3.40", "challenge")


FORMALITIES = (
    *(RaiseChallenge, LevyFine, EndTurn, PassTurn, BidForScene, Refresh, EndDialog),
    *(CallClosing, RollDice, Declare, CancelCoins, KeepCoins),
)
"""Entries that say nothing of the story, so that an objection after them means the entry before."""


def _accused_shown(play: Table, action: RaiseChallenge, item: Step, challenger: str) -> str:
    """The Challenged player, where the log does not say whose act it was: the one other player who bids for no
    other player's version."""
    if item.speaker != SOMEBODY:
        return ""
    bare = {
        play.look_up_player(word.like(bid["who"]))
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
    besides: tuple[type[Action], ...] = (),
) -> Step | None:
    """The entry that an objection is about: the named entry, else the last act before it. None where
    a player is named and no entry, or where there is none; ``besides`` are verbs that are no acts."""
    item = _contested(play, of, against, play.step.player, besides)
    is_struck = play.known_retractions.first_record_by(play.step.action) is not None
    if of is not None and of.casefold() != "last" and not (item is not None and is_struck):
        entries = _entries_named(play, of)
        resolve_reference(play, of, entries, "entry", "T65", conditions=_STANDS)
    return item


def bars_no_object(
    item: Step | None, of: ScalarNode | None, against: ScalarNode | None, rule: str
) -> Iterator[Violation]:
    """An objection is about an entry (``item``), or about the behaviour of a player."""
    if item is None and against is None and (of is None or of.casefold() == "last"):
        fixes = (set_key("of"), set_key("against"))
        yield Violation("there is nothing to object to here", fix=fixes, rule=rule)


def _entries_named(play: Table, of: ScalarNode) -> list[ReferenceTarget[Step]]:
    """The entries that an objection may name, and those of Facts."""
    return [
        *possible_entries(play, of),
        *(
            ReferenceTarget(fact.id, "", fact.step, play.steps[fact.step - 1])
            for fact in play.state.facts.values()
            if fact.step and fact.id not in play.step_number_by_id
        ),
    ]


def _contested(
    play: Table,
    of: ScalarNode | None,
    against: ScalarNode | None,
    challenger: str,
    besides: tuple[type[Action], ...] = (),
) -> Step | None:
    """The same, for guards; nothing is reported."""
    struck_record = play.known_retractions.first_record_by(play.step.action)
    if struck_record is not None:
        return play.steps[struck_record.retraction.retracted.step_number - 1]
    if against is not None and of is None:
        return None
    if of is not None and of.casefold() != "last":
        entries = _entries_named(play, of)
        matches = matching_targets(str(of), entries, number_in_old_id(of))
        if not matches:
            likely_id = most_likely_word(of, [entry.id for entry in entries if entry.id])
            return next((e.target for e in entries if e.id and e.id == likely_id), None)
        item = matches[0].target
        is_unfit = item.retracted_by and not play.is_excused("U3.40")
        return None if len(matches) > 1 or is_unfit else item
    parent = play.step.parent
    for step in reversed(play.steps[: play.step.number - 1]):
        is_speech = isinstance(step.action, Tell | Say) and step.player not in ("", challenger)
        act = (_is_act(step) or is_speech) and not isinstance(step.action, besides)
        if step.parent == parent and act and not step.retracted_by:
            return _last_told(play, step, challenger)
        if step.number == parent:
            break
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


def _unrecorded_bids(play: Table, action: RaiseChallenge, record: ChallengeRecord) -> None:
    """The log does not say who bid how much: the winner is taken as said, and no purse is sure (U3.42)."""
    for player in play.present:
        play.unrecorded(f"wealth:{player}", BANK)
    record.ending = "bidding"
    winner = record.winner = action.stated_winner(play)
    if winner:
        play.event(f"bids not recorded; {winner} wins", "U3.45", "challenge")
        _decide(play, action, record, stands=winner != record.challenger)


def _decide(play: Table, action: RaiseChallenge, record: ChallengeRecord, *, stands: bool) -> None:
    """The contested entry holds and cannot be Challenged again (U3.47), or is changed (U3.46)."""
    if not stands:
        _change(play, action, record)
        return
    if target := record.rule or record.of:
        play.state.immune[target] = play.step.number
    play.event("it stands, and cannot be Challenged again", "U3.47", "immune")
