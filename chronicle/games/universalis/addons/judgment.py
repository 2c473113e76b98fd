"""UA.8: a Judge decides what is disputed, in place of Challenges."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Action, Decides, main, option
from chronicle.core.diagnostic import listed
from chronicle.core.field_types import NAME, NAMES, TEXT, choice, in_role, label
from chronicle.core.fix import add_entry, drop_key, replace_with, set_key, write_instead, write_word
from chronicle.core.guards import Violation, guard
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.addons.base import (
    AddOn,
    AddOnEntry,
    Table,
    add_page,
    memory,
    remembered,
)
from chronicle.games.universalis.addons.friendly_control import FriendlyControl
from chronicle.games.universalis.bids import BidForScene
from chronicle.games.universalis.disputes import RaiseChallenge, bars_no_object, contested
from chronicle.games.universalis.flow import BreakIn, EndTurn, PassTurn
from chronicle.games.universalis.gates import carry_out, report_all
from chronicle.games.universalis.narration import Event
from chronicle.games.universalis.scenes import EndScene
from chronicle.games.universalis.state import BANK, COIN
from chronicle.games.universalis.table import players_in
from chronicle.games.universalis.undo import strike

if TYPE_CHECKING:
    from random import Random

    from chronicle.core.campaign_view import Block, CampaignView, Inline

DECISION = choice("stands", "struck")


class InvokeJudgment(AddOnEntry):
    """Insist that a Judge decides: the last other player to spend Coins before this turn. Without a
    decision the question is pending, until 'decide:'."""

    verb = "judgment"
    about_table = True
    decides = Decides("named", "UA.8")
    keeps_outcome = True
    example = (
        "judgment: Cleo\n  question: Can a ghost carry a lantern?\n  judge: Bao\n  decision: struck"
    )
    who = main(in_role("challenges", NAME), "who insists on it")
    of = option(label(NAME), "the id of the entry in question; without it, the one before")
    against = option(
        in_role("is accused", NAME), "the player in question, where it is about no entry"
    )
    question = option(TEXT, "what is in dispute")
    judge = option(in_role("judges", NAME), "who judges; checked", computed=True)
    decision = option(DECISION, "what the Judge decides")
    words = option(TEXT, "what the Judge says")


class Decide(AddOnEntry):
    """The Judge of a pending question decides it."""

    verb = "decide"
    about_table = True
    decides = Decides("judge")
    keeps_outcome = True
    example = "decide: stands\n  words: A lantern weighs nothing to the dead"
    decision = main(DECISION, "stands or struck")
    of = option(label(NAME), "the id of the entry that is decided; checked", computed=True)
    words = option(TEXT, "what the Judge says")

    def stated(self, play: Table) -> str:
        """Who decides, as the log says; empty where it does not."""
        return play.step.player if self.by is not None else ""

    @guard("UA.8")
    def is_pending(self, play: Table) -> Violation | None:
        case = remembered(play.state, Docket).last
        if case is not None and case.pending:
            return None
        words, fix = "the last one was decided here", add_entry("judgment: ...")
        facts = [play.because(case.sittings[-1].step, words)] if case is not None else []
        return Violation("no Judgment is pending", fix=fix, facts=facts)

    @guard("UA.8", at="by")
    def is_decided_by_the_judge(self, play: Table) -> Violation | None:
        case, stated = remembered(play.state, Docket).last, self.stated(play)
        if case is None or not case.pending or stated in ("", case.sittings[-1].judge):
            return None
        judge = case.sittings[-1].judge
        facts = [play.because(case.step, "invoked here")]
        message = f"{judge} is the Judge of this, not {stated}"
        return Violation(message, fix=write_word(judge), facts=facts)

    @guard("UA.8", help="or call for a Judgment on the other entry")
    def is_the_question_at_hand(self, play: Table) -> Violation | None:
        case = remembered(play.state, Docket).last
        if self.of is None or case is None or not case.pending:
            return None
        if play.step_number_by_id.get(str(self.of), 0) == case.of:
            return None
        facts = [play.because(case.step, case.question or "this is the question")]
        message = "a Judge decides only the question at hand"
        return Violation(message, self.of, drop_key("of"), facts=facts)

    def apply(self, play: Table) -> None:
        """A pending question is decided."""
        case = memory(play, Docket).last
        if case is None or not case.pending:
            return
        judge = case.sittings.pop().judge
        play.step.player = self.stated(play) or judge
        play.step.headline = f"{judge} decides"
        _sit(play, case, judge, str(self.decision), str(self.words or ""))


class Overrule(AddOnEntry):
    """All players but the Judge set a decision aside, before another Coin is spent. The next Judge is
    drawn by lot; when no Judge is left the action goes ahead, free from Judgment."""

    verb = "overrule"
    about_table = True
    decides = Decides("voters")
    keeps_outcome = True
    example = "overrule: [Ana, Cleo, Dov]\n  judge: Dov\n  decision: stands"
    votes = main(in_role("sets aside", NAMES), "who votes for it: all but the Judge")
    judge = option(in_role("judges", NAME), "who was drawn as the next Judge")
    decision = option(DECISION, "what the next Judge decides")
    words = option(TEXT, "what the next Judge says")

    def decided(self, play: Table) -> Case | None:
        """The case of which the decision is set aside."""
        case = remembered(play.state, Docket).last
        is_open = case is None or not case.sittings or case.free or case.pending
        return None if is_open else case

    @guard("UA.8", help="a Judge decides first")
    def has_a_decision(self, play: Table) -> Violation | None:
        fix = add_entry("decide: stands", when="if it stands")
        message = "there is no decision to overrule"
        return Violation(message, fix=fix) if self.decided(play) is None else None

    @guard("UA.8", at="main")
    def is_voted_by_all_others(self, play: Table) -> Violation | None:
        case, voters = self.decided(play), {*map(play.look_up_player, self.votes)}
        if case is None or "" in voters:
            return None
        judge = case.sittings[-1].judge
        electorate = [p for p in play.seats if p in play.present and p != judge]
        missing = [p for p in electorate if p not in voters]
        if not missing and judge not in voters:
            return None
        return Violation(
            f"{judge} judged this and has no vote"
            if not missing
            else f"a Judge is overruled by all the others together, and {listed(missing)} did not vote for it",
            help=f"it takes {listed(electorate)}",
        )

    @guard("UA.8", help="vote before anybody spends a Coin")
    def comes_before_another_coin(self, play: Table) -> Violation | None:
        case = self.decided(play)
        sitting = case.sittings[-1] if case is not None else None
        spent = _spent_since(play, sitting.step) if sitting is not None else 0
        if sitting is None or not spent:
            return None
        facts = [play.because(sitting.step, "decided here"), play.because(spent, "spent here")]
        message = f"{sitting.judge}'s decision holds since the next Coin was spent"
        return Violation(message, facts=facts)

    @guard("UA.8")
    def has_another_judge(self, play: Table) -> Iterator[Violation]:
        case = self.decided(play)
        candidates = _candidates(play, case) if case is not None else []
        judge = play.look_up_player(self.judge) if self.judge is not None else ""
        if case is not None and judge and self.judge is not None:
            yield from _bars_judge(play, case, judge, self.judge)
        elif len(candidates) > 1 and all(map(play.look_up_player, self.votes)):
            drawn = f"nothing says who was drawn as the next Judge: {' or '.join(candidates)}"
            yield Violation(drawn, fix=set_key("judge", candidates[0]))

    def apply(self, play: Table) -> None:
        """A decision is set aside by all the others; another Judge is drawn."""
        play.step.player = ""
        play.step.headline = "The Judge is overruled"
        case = self.decided(play)
        if case is None:
            return
        players_in(play, self.votes)
        sitting = case.sittings[-1]
        sitting.overruled = play.step.number
        play.event(f"{sitting.judge}'s decision is set aside", "UA.8", "overruled")
        stated = play.player(self.judge) if self.judge is not None else ""
        judge = stated or next(iter(_candidates(play, case)), "")
        if judge:
            play.event(f"{judge} is drawn as the next Judge", "UA.8", "judgment")
            _sit(play, case, judge, str(self.decision or ""), str(self.words or ""))
            return
        case.free = True
        _goes_ahead(play, case, "every Judge was set aside: it goes ahead, free from Judgment")


@dataclass(slots=True, eq=False)
class Sitting:
    """One Judge's part: the decision (empty: none yet), and whether it was set aside."""

    judge: str
    step: int
    decision: str = ""
    words: str = ""
    overruled: int = 0


@dataclass(slots=True, eq=False)
class Case:
    """One disputed question from its invocation to its end."""

    number: int
    step: int
    of: int
    caller: str
    judged: str
    question: str
    sittings: list[Sitting] = field(default_factory=list)
    free: bool = False
    """Every Judge was set aside."""

    @property
    def pending(self) -> bool:
        """Whether a Judge still has to decide."""
        return bool(self.sittings) and not (self.sittings[-1].decision or self.free)


@dataclass(slots=True, eq=False)
class Docket:
    """All Judgments."""

    cases: list[Case] = field(default_factory=list)

    @property
    def last(self) -> Case | None:
        """The last invoked case."""
        return self.cases[-1] if self.cases else None


def invoke(play: Table, action: InvokeJudgment) -> None:
    """A question comes before a Judge."""
    docket = memory(play, Docket)
    caller = play.player(action.who)
    if not caller:
        return
    step = play.step
    step.player = caller
    old = docket.last
    if old is not None and old.pending:
        play.illegal(
            "UA.8",
            "another question is pending, and a Judge decides only the current question",
            facts=[play.because(old.step, old.question or "invoked here")],
            fix=add_entry("decide: stands", when="if it stands"),
            help="let it be decided first",
        )
    item = contested(play, action.of, action.against, (InvokeJudgment, Decide, Overrule))
    report_all(play, bars_no_object(item, action.of, action.against, "UA.8"))
    judged = play.player(action.against) if action.against is not None else ""
    if item is not None:
        judged = judged or item.player
        play.link_steps(step.number, item.number)
        _may_be_judged(play, docket, item.number)
    case = Case(
        len(docket.cases) + 1,
        step.number,
        item.number if item is not None else 0,
        caller,
        judged,
        str(action.question or action.text or ""),
    )
    docket.cases.append(case)
    due = first_judge(play, judged)
    judge = due
    if action.judge is not None:
        stated = play.player(action.judge)
        if not stated or not report_all(play, _bars_judge(play, case, stated, action.judge)):
            pass  # reported; the log wins all the same
        elif due and stated != due:
            play.require(
                play.gap > 0,
                "UA.8",
                f"{due} was the last to spend Coins before this turn and is the Judge, not {stated}",
                at=action.judge,
                fix=write_word(due),
                since=0,
            )
        judge = stated or due
    judge = judge or play.left_of(judged)
    step.headline = f"{caller} calls for a Judge" + (f" on {judged}" if judged else "")
    play.event(f"{judge} is the Judge", "UA.8", "judgment")
    _sit(play, case, judge, str(action.decision or ""), str(action.words or ""))


def _sit(play: Table, case: Case, judge: str, decision: str, words: str) -> None:
    """A Judge takes the case, and decides it if a decision is on record."""
    case.sittings.append(Sitting(judge, play.step.number, decision, words))
    quoted_words = f": {words}" if words else ""
    if decision == "struck":
        if case.of and not play.steps[case.of - 1].retracted_by:
            known_case = play.known_decision
            strike(
                *(play, case.of),
                refund=True,
                responsible="a Judgment",
                rule="UA.8",
                decision=case,
            )
            if known_case is not None:
                # Who judged was settled while what is struck now still stood.
                memory(play, Docket).cases[case.number - 1] = deepcopy(known_case)
        play.event(f"{judge} decides against it{quoted_words}", "UA.8", "judgment")
    elif decision:
        _goes_ahead(play, case, f"{judge} decides that it stands{quoted_words}")


def _goes_ahead(play: Table, case: Case, words: str) -> None:
    play.event(words, "UA.8", "judgment")
    if case.of and play.steps[case.of - 1].retracted_by:
        play.event("struck before, it is narrated again", "UA.8", "judgment")


def _may_be_judged(play: Table, docket: Docket, item: int) -> None:
    """An action is judged once."""
    for case in docket.cases:
        if case.of != item or case.pending:
            continue
        play.illegal(
            "UA.8",
            "this was left free from Judgment" if case.free else "this was judged already",
            facts=[play.because(case.sittings[-1].step, "decided here")],
            help="a decision is only set aside by all the others:  - overrule: [everybody else]",
        )
        return


def _bars_judge(play: Table, case: Case, judge: str, word: ScalarNode) -> Iterator[Violation]:
    """Neither the judged player judges nor anybody who has judged this before."""
    former = [sitting.judge for sitting in case.sittings]
    candidates = _candidates(play, case)
    if judge == case.judged or judge in former:
        yield Violation(
            f"{judge} is judged here and cannot be the Judge"
            if judge == case.judged
            else f"{judge} has judged this already",
            word,
            replace_with(candidates) if candidates else drop_key("judge"),
            facts=[play.because(case.step, "the question")]
            if case.step != play.step.number
            else (),
            rule="UA.8",
        )


def _candidates(play: Table, case: Case) -> list[str]:
    """Who may still judge a case."""
    former = {case.judged, *(sitting.judge for sitting in case.sittings)}
    return [p for p in play.seats if p in play.present and p not in former]


def first_judge(play: Table, judged: str) -> str:
    """The last player but the judged one who spent Coins before the running turn; empty if there is none."""
    for posting in reversed(play.ledger.postings):
        if (
            posting.step_number >= play.state.turn_step
            or posting.target != BANK
            or posting.unit != COIN
        ):
            continue
        player = posting.source.partition(":")[2]
        if player in play.present and player in play.seats and player != judged:
            return player
    return ""


def _spent_since(play: Table, step: int) -> int:
    """The step at which a Coin was spent after another step; 0 if none was."""
    first = 0
    for posting in reversed(play.ledger.postings):
        if posting.step_number <= step:
            break
        if posting.target == BANK and posting.source.partition(":")[2] in play.seats:
            first = posting.step_number
    return first


class Judgment(AddOn):
    """Judges in place of bids."""

    summary = (
        "Challenges are off. On any player's insistence a Judge decides what is disputed: the last "
        "other player who spent Coins before the turn. Only all the others together set it aside."
    )
    changes = ("U3.12", "U3.16", "U3.17", "U3.40", "U5.24", "U6.13")
    idle_with = MappingProxyType(
        {
            "losing challenge bids": "there are no bids, so there is no bid to recover",
            "using challenge bids": "there are no bids, so no bid is lost",
            "greater control": "there are no bids, so a Control Trait doubles nothing",
            "royalty": "there are no Challenges, so a royalty protects no player",
        }
    )
    rule_text = """
        UA.8 Judgment [checked; V133 V134]
          When players disagree about a move, a Gimmick or a Fact, any of them may insist on a Judgment. The Judge
          is the last player, other than the judged player, to spend Coins before the turn began. While it is
          pending, an Interrupt or a pass takes the consent of most of the others. All others together may overrule
          a decision before another Coin is spent; then a Judge is drawn who has not judged this yet. When none is
          left the action goes ahead, free from Judgment. There are no bids, and a decision binds no later Judge.
        """
    verbs = {InvokeJudgment: invoke, Decide: carry_out, Overrule: carry_out}  # noqa: RUF012

    def adopted(self, play: Table) -> None:
        """Without Challenges players cannot defend their Components."""
        play.suspect(
            any(
                isinstance(add_on, FriendlyControl) and add_on.taking
                for add_on in play.state.add_ons
            ),
            self.code,
            "Components are taken for free under 'friendly control', and players cannot Challenge it",
        )

    def before_entry(self, play: Table, action: Action) -> None:
        """No Challenges; and while a question is pending, no turn ends without consent."""
        if play.given:
            return
        if isinstance(action, RaiseChallenge):
            play.illegal(
                self.code,
                "a Challenge, and at this table a Judge decides what is disputed",
                fix=write_instead(f"judgment: {action.who}"),
            )
        case = memory(play, Docket).last
        if case is None:
            return
        if isinstance(action, EndScene | BidForScene):
            play.require(
                not case.pending,
                self.code,
                f"the scene ends while a Judgment is pending, and {case.sittings[-1].judge} has not decided"
                if isinstance(action, EndScene)
                else "a scene is bid for while a Judgment is pending",
                facts=[play.because(case.step, case.question or "invoked here")],
                fix=add_entry("decide: stands", when="if it stands"),
                help="let it be decided first",
            )
            return
        if not isinstance(action, BreakIn | EndTurn | PassTurn):
            return
        named = players_in(play, action.who)
        actor = named[0] if named else play.step.player or play.state.turn
        electorate = [p for p in play.seats if p in play.present and p != actor]
        consent = (
            action.consent
            if isinstance(action.consent, int)
            else len(set(players_in(play, action.consent)) & set(electorate))
        )
        play.require(
            not case.pending or 2 * consent > len(electorate),
            self.code,
            f"a Judgment is pending, and {consent} of {len(electorate)} others agree that {actor} "
            + ("Interrupts" if isinstance(action, BreakIn) else "passes the turn"),
            facts=[play.because(case.step, case.question or "invoked here")],
            fix=set_key("consent"),
            help="or let it be decided first",
        )

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """A Judgment wherever the core rules would have a Challenge."""
        options = [option for option in options if option.verb != "challenge"]
        state = play.state
        case = memory(play, Docket).last
        if case is not None and case.pending:
            judge = case.sittings[-1].judge
            remaining = [
                option
                for option in options
                if option.verb not in ("interrupt", "end turn", "end scene", "pass")
            ]
            decision = one_of(("stands", "struck"))
            return [*remaining, self.offer("decide", judge, f"{judge} decides", decision)]
        last = play.steps[-1] if play.steps else None
        if last is None or last.parent is not None or state.current_scene is None or state.purses:
            return options
        if isinstance(last.action, (InvokeJudgment, Decide, Overrule)):
            if case is not None and case.sittings and not case.free:
                options.append(self._overrule(play, case))
            return options
        if isinstance(last.action, Event) and last.player and not last.retracted_by:
            callers = [p for p in play.present if p in play.seats and p != last.player]

            def entry(rng: Random) -> dict[str, object]:
                call: dict[str, object] = {"judgment": rng.choice(callers), "question": "May it?"}
                if rng.random() < 0.4:
                    call["decision"] = rng.choice(("stands", "struck"))
                return call

            if callers:
                options.append(Move("judgment", "", "insist on a Judge", self.code, entry))
        return options

    def _overrule(self, play: Table, case: Case) -> Move:
        judge = case.sittings[-1].judge
        electorate = [p for p in play.seats if p in play.present and p != judge]
        candidates = _candidates(play, case)
        next_one = {"judge": one_of(candidates), "decision": "stands"} if candidates else {}
        return self.offer("overrule", "", "set the decision aside", electorate, **next_one)

    def panel(self, play: Table) -> tuple[Block, ...]:
        """Whom a decision is waited for."""
        from chronicle.core.campaign_view import Note

        case = memory(play, Docket).last
        if case is None or not case.pending:
            return ()
        question = f": {case.question}" if case.question else "."
        return (Note(f"{case.sittings[-1].judge} has to judge{question}"),)

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """The log of Judgments."""
        from chronicle.core.campaign_view import Facts, Section, step_ref

        blocks: list[Block] = []
        for case in remembered(view.record.state, Docket).cases:
            rows: list[tuple[str, Inline]] = [
                ("Between", f"{case.caller} and {case.judged or 'the table'}")
            ]
            if case.question:
                rows.append(("Question", case.question))
            if case.of:
                headline = view.record.step(case.of).headline or "an entry"
                rows.append(("About", step_ref(case.of, headline)))
            for sitting in case.sittings:
                decision = {"stands": "it stands", "struck": "it is struck"}
                words = decision.get(sitting.decision, "no decision on record")
                words += f": {sitting.words}" if sitting.words else ""
                words += " (set aside by all the others)" if sitting.overruled else ""
                rows.append((f"Judge {sitting.judge}", words))
            if case.free:
                rows.append(("End", "no Judge is left; it goes ahead, free from Judgment"))
            title, id = f"{case.caller} calls for a Judge", f"judgment-{case.number}"
            blocks.append(Section(title, (Facts(tuple(rows)),), id, case.step))
        if blocks:
            add_page(view, "judgments", "Judgments", blocks, "Every question that was judged.")
