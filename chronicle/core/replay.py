"""Replay: apply the actions of a transcript by the rules of its game, and build the Record.

The log wins, the rules comment: an illegal action is reported and then applied wherever it has a meaning. So
one mistake gives one diagnostic, and the rest is checked against the real state. Replay never raises because
of a user's text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from chronicle.core import keepers
from chronicle.core.anchors import Anchors
from chronicle.core.campaign import FINISHED, Campaign, Session
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, Fact, Finding, Severity, ask_whether, detach
from chronicle.core.fix import RemoveEntry, RemoveItem, RemoveKey, make_fix, replace_with
from chronicle.core.gaps import SOMEBODY, bounds, by_somebody, note_births
from chronicle.core.house_rules import MAY, hold_may
from chronicle.core.law import decided_by, hold, note_phase
from chronicle.core.names import PLAYER, Named, Names, RecordingNames, fold
from chronicle.core.play import Play
from chronicle.core.record import Record, SessionRecord, Step
from chronicle.core.reports import report_revived_names, report_unused_allowances
from chronicle.core.retractions import (
    Retraction,
    RetractionRecord,
    Retractions,
    copy_effects,
    inside,
)
from chronicle.core.rulebook import Rulebook
from chronicle.core.shared_verbs import (
    answered,
    belongs_with,
    common_session_end,
    common_session_start,
)
from chronicle.core.snapshots import Snapshot

if TYPE_CHECKING:
    from chronicle.core.book import Block, SessionEnd

S = TypeVar("S")


MOST_REPLAYED = 50
"""How often an entry is replayed again at most because of retractions, on average, in a log with 1,000
entries more than this one has."""


class Replay(Generic[S]):
    """Replays a campaign: feed it sessions, or entries one by one.

    Replay goes forward only. When an entry retracts an earlier one, the replay returns to the latest snapshot before
    the retracted entry and replays from there without it (:mod:`chronicle.core.retractions`).

    Attributes:
        play: the game context, with the state of the game.
        sessions: the sessions opened so far.
        history: the sessions and entries replayed so far, in order.
        panels: the state of play after each finished scene, by its number.
        evenings: how the game stood after each finished session except the last, by its number.
        moments: the state of play after each entry, by its number; nested entries have none.
        retractions: the retractions known so far.
        followed: how many unreadable entries the rulebook has been told of.
        replayed: how many entries were replayed again because of retractions.
    """

    def __init__(
        self,
        campaign: Campaign,
        rulebook: Rulebook[S],
        names: Names | None = None,
        *,
        shown: bool = True,
        panels: bool = False,
        read: bool = True,
        start: Snapshot | None = None,
        anchors: Anchors | None = None,
        snapshots: Iterable[Snapshot] = (),
    ) -> None:
        """Go to the start, or to a snapshot.

        Args:
            campaign: what to replay.
            rulebook: the rules of its game.
            names: the index of names to fill; a new one by default.
            shown: whether retracted entries show their effects.
            panels: whether to keep the state of play after each scene and each entry.
            read: whether the Steps will be read; otherwise only diagnostics matter.
            start: the snapshot to start from, of the same game.
            anchors: the anchors of the replay that is replaced.
            snapshots: earlier snapshots that a retraction may return to.
        """
        self.campaign = campaign
        self.rulebook = rulebook
        self.shown = shown
        self.retractions: Retractions = Retractions(() if start is None else start.retractions)
        self._snapshots = [*snapshots]
        self._depth = 0
        self._broken: list[Diagnostic] = []
        """Diagnostics of unreadable entries further down in the session, the next one last."""
        if start is None:
            names = names if names is not None else Names(campaign.renamed)
            self._begin(names, read=read, panels=panels)
        else:
            self._go_to(start, anchors)

    def _begin(self, names: Names, *, read: bool, panels: bool) -> None:
        """Go to the start, before the first entry."""
        self.play: Play[S] = Play(self.campaign, self.rulebook, names, read=read)
        if self.rulebook.law is not None:
            note_phase(self.play, self.rulebook.law)
        self.sessions: list[SessionRecord] = []
        self.history: list[Session | Action] = []
        self.panels: dict[int, tuple[Block, ...]] | None = {} if panels else None
        self.evenings: dict[int, SessionEnd] | None = {} if panels else None
        self.moments: dict[int, tuple[Block, ...]] = {}
        self.followed = 0
        self.replayed = 0
        self._take_the_table()

    def _go_to(self, snapshot: Snapshot, anchors: Anchors | None) -> None:
        """Go to the state of a snapshot."""
        self.play, self.sessions, self.followed = snapshot.restore(self.campaign, anchors)
        self.history = [*snapshot.history]
        self.panels = None if snapshot.panels is None else {**snapshot.panels}
        self.evenings = None if snapshot.evenings is None else {**snapshot.evenings}
        self.moments = {**snapshot.moments}
        self.replayed = snapshot.replayed
        self._take_the_table()
        self._broken = self._unreadable_below()

    def _take_the_table(self) -> None:
        self.play.perform = self._perform
        self.play.foreseen = self.retractions
        self.play.asked = True

    @property
    def entries(self) -> int:
        """How many entries of the log were replayed; nested ones are not counted."""
        return len(self.history) - len(self.sessions)

    def to_the_end(self) -> None:
        """Replay the whole campaign from the start."""
        for _, action in play_on(self):
            self.do(action)

    def open(self, session: Session) -> None:
        """Begin a session."""
        if self._may_be_retracted(session):
            self._snapshots = [*self._snapshots[-1:], Snapshot(self)]
        play = self.play
        play.asked = False
        self.history.append(session)
        self._go_between_entries(session)
        common_session_start(play, session)
        self.sessions.append(
            SessionRecord(
                session,
                tuple(play.present),
                len(play.steps) + 1,
                names_before=len(play.names.all),
            )
        )
        self._broken = self._unreadable_below()
        self.rulebook.open_session(play, session)
        play.asked = True

    def _go_between_entries(self, session: Session) -> None:
        """Go to the position between two entries, where effects belong to the previous entry."""
        play, last = self.play, self.play.current
        if last is not None and play.since > last.index:
            for index in range(last.index, len(play.steps) + 1):
                play.reopen(index)
            play.work_on(play.steps[last.index - 1])
            play.since = last.index
        if isinstance(play.names, RecordingNames):
            play.names.set_position(session.path)

    def _may_be_retracted(self, session: Session) -> bool:
        """Whether a later entry of the session, or the next session, can retract an entry."""
        sessions = self.campaign.sessions
        next_session = sessions[len(self.sessions) + 1 : len(self.sessions) + 2]
        later = [entry for session_ahead in next_session for entry in session_ahead.actions]
        own_entries = {id(entry) for entry in session.actions}
        pairs = self.rulebook.may_be_struck([*session.actions, *later])
        return any(id(entry) in own_entries for entry, _ in pairs)

    def _unreadable_below(self) -> list[Diagnostic]:
        """The diagnostics of unreadable entries that the replay has not passed in the current session, the
        next one last."""
        if not self.sessions:
            return []
        path = self.sessions[-1].session.path
        passed_ids = {id(problem) for problem in self.play.lost}
        return sorted(
            (
                problem
                for problem in self.campaign.diagnostics
                if problem.dropped and problem.place.path == path and id(problem) not in passed_ids
            ),
            key=lambda problem: -problem.place.line,
        )

    def do(self, action: Action) -> Step:
        """Replay one entry. Never raises because of what it says."""
        to_replay = self._play(action)
        if not to_replay:
            return self.play.step
        todo: list[Session | Action] = [*reversed(to_replay)]
        while todo:
            item = todo.pop()
            if isinstance(item, Action):
                todo += reversed(self._play(item))
            else:
                if self.sessions:
                    self.close()
                self.open(item)
        return self.play.steps[action.step - 1]

    def _play(self, action: Action) -> Sequence[Session | Action]:
        """Replay one entry. Returns the items to replay next if this entry retracts another."""
        play = self.play
        self.history.append(action)
        play.since = len(play.steps) + 1
        if isinstance(play.names, RecordingNames):
            span = action.whole
            play.names.set_position(action.path, span.line, span.end_line)
        retracted_before = len(play.taken_back)
        play.asked = False
        self._do(action)
        play.asked = True
        if len(play.taken_back) > retracted_before or (
            self.retractions.known and self.retractions.at(action)
        ):
            to_replay = self._handle_retractions(action, retracted_before)
            if to_replay:
                return to_replay
        if play.barred:
            play.barred.clear()
        if self.panels is not None:
            panel = self.moments[action.step] = self.rulebook.panel(play)
            for scene in play.timeline.scenes[len(self.panels) :]:
                if scene.open:
                    break
                self.panels[scene.number] = panel
        return ()

    def _do(self, action: Action) -> Step:
        play, rulebook = self.play, self.rulebook
        session, steps, timeline = self.sessions[-1], play.steps, play.timeline
        index = len(steps) + 1
        while self._broken and self._broken[-1].place.line < action.key.line:
            play.lose(self._broken.pop())
        action.step = index
        step = Step(index, action, session.session.header.session, play.anchors)
        outer_step = play.current
        play.current = play.step = step
        steps.append(step)
        if self._depth and outer_step is not None:
            step.parent = outer_step.index
        postings = play.ledger.postings
        first_posting = len(postings)
        if action.text is not None:
            step.fiction = str(action.text)
        if action.note is not None:
            step.talk = str(action.note)
        if id(action) in self.retractions.known:
            self._set_aside(step)
            if self._depth:
                play.work_on(outer_step)
            return step
        if action.id is not None:
            self._remember(action, index)
        if action.answers:
            answered(play, action)
        if action.see:
            belongs_with(play, action)
        for word in action.under:
            cited = play.cited(word)
            if cited not in play.house_rules:
                similar = play.names.nearest(word, list(play.house_rules))
                key = f"house rule:{fold(word)}"
                missing = play.unreadable(
                    "T52",
                    f"no house rule '{word}'{ask_whether(word, similar)}",
                    at=word,
                    fix=replace_with(similar, is_told=True),
                    help="name it in campaign.yaml under 'house rules:'",
                    after=(key,),
                )
                play.tainted.setdefault(key, missing)
            elif (rule := play.house.rules.get(cited)) is not None and rule.ended:
                play.report(
                    Finding.BOOKKEEPING,
                    "T52",
                    f"the house rule '{word}' is no longer in force",
                    at=word,
                    facts=[play.because(rule.ended, "it ended here")],
                    fix=make_fix(
                        RemoveItem(str(word)) if len(action.under) > 1 else RemoveKey("under")
                    ),
                    help="or agree on it again:  - house rule: ...",
                )
        by = action.by
        if by is not None and play.unnamed(by):
            step.speaker = SOMEBODY
            rulebook.by_somebody(play, action)
        elif by is not None:
            player = step.player = play.player(by, entitled=self._entitled)
            step.speaker = player if by == player else str(by)
            if player not in play.present:
                play.at_the_table(player, action.place("by"))
        else:
            step.player = rulebook.actor(play, action)
            if step.player == SOMEBODY:
                step.player, step.speaker = "", SOMEBODY
                rulebook.by_somebody(play, action)
        if len(play.lost) > self.followed:
            for problem in play.lost[self.followed :]:
                rulebook.left_out(play, problem)
            self.followed = len(play.lost)
        if action.problem is not None and action.problem.guessed and rulebook.afresh:
            play.doubt = play.doubt or action.problem
        if play.gaps.recorded:
            play.gaps.end_waiting(index, (action.verb, str(action.id)))
        rulebook.before(play, action)
        scene = timeline.current
        if scene is not None:
            step.scene = scene.number
        counting, play.counting = play.counting, True
        by_point = play.house.by_point
        bound = bool(by_point) and MAY.name in by_point and action.verb in rulebook.own_verbs
        if bound and step.player:
            hold_may(play, action.verb)
            bound = False
        law, plan, handle = rulebook.law, *rulebook.at_work[type(action)]
        if law is None or plan is None or hold(play, action, law, plan):
            handle(play, action)
        else:
            step.headline = step.headline or "Comes to nothing"
        rulebook.after(play, action)
        note_births(play.born, play.names.all, index)
        if law is not None:
            note_phase(play, law)
        if bound:
            # The entry itself says who acted.
            hold_may(play, action.verb)
        play.counting = counting
        if play.names.revived:
            report_revived_names(self.play)
        if step.headline[:1] == " " or (play.gaps.recorded and step.headline[-1:] == " "):
            headline = by_somebody(step.headline)
            step.headline = f"{headline[:1].upper()}{headline[1:]}"
        if step.hidden:
            # Its anchor stays after the reveal, so it must never name the subject.
            step.unnamed = True
        if play.tainted:
            play.tainted.pop(f"dropped:{action.verb}", None)
        if play.doubt is not None and action.verb in rulebook.afresh[play.doubt_until :]:
            play.doubt, play.doubt_until = None, 0
        if step.scene is None:
            scene = timeline.current
            step.scene = scene.number if scene is not None else None
        if len(postings) > first_posting:
            step.book_from(first_posting, len(postings))
        if play.gaps.figures:
            step.bounds = bounds(play)
        if action.allow:
            report_unused_allowances(self.play, action, step)
        if self._depth:
            play.work_on(outer_step)
        return step

    def _entitled(self) -> Sequence[str]:
        """The players and characters who may have performed the current entry, by the law."""
        return decided_by(self.play, self.play.step.action, self.rulebook.law)

    def _perform(self, action: Action) -> Step:
        self._depth += 1
        try:
            return self._do(action)
        finally:
            self._depth -= 1

    def close(self) -> None:
        """End the session at hand."""
        session = self.sessions[-1].session
        self._go_between_entries(session)
        while self._broken:
            self.play.lose(self._broken.pop())
        first_posting = len(self.play.ledger.postings)
        self.play.counting, self.play.asked = True, False
        self.rulebook.close_session(self.play, session)
        self.play.counting, self.play.asked = False, True
        last = self.play.current
        if last is not None:
            # Postings at the end of a session belong to its last entry.
            last.book_from(first_posting, len(self.play.ledger.postings))
        common_session_end(self.play, session)
        sessions_left = len(self.play.campaign.sessions) - len(self.sessions)
        if self.evenings is not None:
            from chronicle.core.book import MOST_SESSION_ENDS

            if 0 < sessions_left < MOST_SESSION_ENDS:
                self.evenings[session.number] = self._session_end_state()

    def _session_end_state(self) -> SessionEnd:
        """The state at the end of a session, computed on a copy of the replay."""
        from chronicle.core.book import Book
        from chronicle.core.make_book import evening_of

        snapshot = Snapshot(self)
        copy = Replay(self.campaign, self.rulebook, start=snapshot)
        book = Book(copy.finish())
        detach(copy.play.diagnostics[snapshot.diagnostics :])
        self.rulebook.stand(book)
        return evening_of(book)

    def finish(self) -> Record:
        """The record of all that was replayed."""
        play = self.play
        if self.sessions:
            self._go_between_entries(self.sessions[-1].session)
        play.asked = False
        self.rulebook.finish(play)
        play.asked = True
        if play.read:
            self.rulebook.for_readers(play)
        return self.record()

    def all_diagnostics(self, later: Iterable[Diagnostic] = ()) -> list[Diagnostic]:
        """The problems found so far, in file order, with ``later`` ones added."""
        play = self.play
        paths = [play.campaign.path, *(session.path for session in play.campaign.sessions)]
        order = {path: number for number, path in enumerate(paths)}
        problems = sorted(
            [*play.campaign.diagnostics, *play.diagnostics, *later],
            key=lambda d: (order.get(d.place.path, len(order)), d.place.line, d.place.column),
        )
        return [problem for problem in problems if problem.severity is not Severity.OFF]

    def record(self) -> Record:
        """The record of a finished replay."""
        play = self.play
        record = Record(
            campaign=play.campaign,
            rulebook=self.rulebook,
            steps=[*play.steps],
            sessions=[*self._evenings()],
            diagnostics=[],
            ledger=play.ledger,
            timeline=play.timeline,
            names=play.names,
            state=play.state,
            rulings=play.rulings,
            rulings_used=play.rulings_used,
            house=play.house,
            situation=self.rulebook.situation(play),
            over=self._over(),
            questions=play.questions,
            emblems=play.emblems,
            unrevealed=len(play.vault.unrevealed()),
            gaps=play.gaps,
            counted=play.counted,
            figures=[*play.figures],
            shut=tuple(secret.step for secret in play.vault.unrevealed() if secret.seal),
            looked_up=(*play.vault.secrets.asked, *play.ids.asked),
        )
        record.diagnostics = self.all_diagnostics(
            keepers.problems(record, lambda: self.rulebook.other_names(play))
        )
        return record

    def _evenings(self) -> Iterator[SessionRecord]:
        """The sessions so far, each with its last step: the step before the next session begins."""
        first_steps = [session.first_step for session in self.sessions[1:]]
        for session, next_first in zip(
            self.sessions, [*first_steps, len(self.play.steps) + 1], strict=False
        ):
            yield replace(session, last_step=next_first - 1)

    def _over(self) -> bool:
        """Whether the story is finished: by the settings, else by the rules of the game."""
        status = self.play.campaign.settings.status
        return status == FINISHED if status is not None else self.rulebook.over(self.play)

    # -- what is retracted --------------------------------------------------------------------------

    def _is_exhausted(self) -> bool:
        """Whether so many entries were replayed because of retractions that further ones are ignored."""
        return self.replayed > MOST_REPLAYED * (len(self.history) + 1_000)

    def _set_aside(self, step: Step) -> None:
        """Keep place, words and id of a retracted entry, without any effect."""
        play, action = self.play, step.action
        if action.by is not None:
            named = play.names.find(action.by)
            if isinstance(named, Named):
                by = named.kind == PLAYER
                step.player = named.name if by else self.rulebook.player_of(play, named)
                step.speaker = named.name if by else str(action.by)
        else:
            step.player = self.rulebook.actor(play, action)
        scene = play.timeline.current
        step.scene = scene.number if scene is not None else None
        if action.id is not None:
            play.ids.setdefault(str(action.id), step.index)
        record = self.retractions.of(action)
        if record is not None and isinstance(play.names, RecordingNames):
            # It has no effect, but its words still name their subjects.
            play.names.record_lookups(action.path, record.lookups)
        for inner in inside(action):
            index = len(play.steps) + 1
            inner.step = index
            nested_step = Step(index, inner, step.session, play.anchors, scene=step.scene)
            nested_step.parent = step.index
            nested_step.player = step.player
            play.steps.append(nested_step)
            if inner.id is not None:
                play.ids.setdefault(str(inner.id), index)

    def _handle_retractions(self, entry: Action, first: int) -> Sequence[Session | Action]:
        """Handle the retractions by an entry. Returns the items to replay next if the replay goes back."""
        play = self.play
        for retraction in play.taken_back[first:]:
            record = self.retractions.of(retraction.retracted)
            if record is not None:
                self._compare(record, retraction.by)
            elif not self._is_exhausted():
                return self._return_to_before(retraction)
            else:
                play.unreadable(
                    "T5",
                    "so much is struck in this log that what this one strikes is not played again",
                    fix=make_fix(RemoveEntry()),
                )
        for record in self.retractions.at(entry):
            retraction = record.retraction
            if not play.steps[retraction.retracted.step - 1].struck:
                # The players retracted it, although it would look different without it.
                current_step = play.work_on(play.steps[retraction.by.step - 1])
                play.strike(retraction.retracted.step, retraction.responsible, retraction.rule)
                play.work_on(current_step)
                self._compare(record, retraction.by)
        return ()

    def _entry_of(self, action: Action) -> Step:
        """The step of the top-level entry that an entry is, or is nested in."""
        step = self.play.steps[action.step - 1]
        while step.parent is not None:
            step = self.play.steps[step.parent - 1]
        return step

    def _return_to_before(self, retraction: Retraction) -> list[Session | Action]:
        """Return to the state before a retracted entry. Returns the items to replay."""
        record = self._record_retraction(retraction)
        self.retractions.add(record)
        history, replayed = self.history, self.replayed
        entry = next(
            position
            for position in range(len(history) - 1, -1, -1)
            if history[position] is record.entry
        )
        while self._snapshots and len(self._snapshots[-1].history) > entry:
            self._snapshots.pop()
        play = self.play
        if self._snapshots:
            snapshot = self._snapshots[-1]
            detach(play.diagnostics[snapshot.diagnostics :])
            self._go_to(snapshot, play.anchors)
        else:
            detach(play.diagnostics)
            names = type(play.names)(self.campaign.renamed)
            self._begin(names, read=play.read, panels=self.panels is not None)
        to_replay = history[len(self.history) :]
        self.replayed = replayed + len(to_replay)
        return to_replay

    def _record_retraction(self, retraction: Retraction) -> RetractionRecord:
        """Record the state at the moment of a retraction, when the retracted entry still counts."""
        play = self.play
        entry, judge = self._entry_of(retraction.retracted), play.steps[retraction.by.step - 1]
        steps_since = play.steps[entry.index - 1 :]
        own_ids = {id(nested) for nested in (retraction.retracted, *inside(retraction.retracted))}
        own_steps = {step.index: step for step in steps_since if id(step.action) in own_ids}
        # The postings before the entry cannot belong to it.
        first_posting = min(
            (step.posting_range[0] for step in steps_since if any(step.posting_range)), default=0
        )
        postings = [
            posting for posting in play.ledger.postings[first_posting:] if posting.step in own_steps
        ]
        return RetractionRecord(
            retraction,
            entry.action,
            self._entry_of(retraction.by).action,
            frozenset(
                (id(step.action), problem.code)
                for step in steps_since
                for problem in step.diagnostics
            ),
            tuple(judge.diagnostics),
            tuple(postings),
            {id(step.action): step for step in own_steps.values()},
            play.names.within(retraction.retracted.whole)
            if isinstance(play.names, RecordingNames)
            else (),
        )

    def _compare(self, record: RetractionRecord, by: Action) -> None:
        """Compare the problems with and without a retracted entry: only problems that occur in both replays
        remain. The problems of the retracting entry are those that it had with the retracted entry, as the
        players saw it."""
        play = self.play
        first_index = self._entry_of(record.retraction.retracted).index - 1
        problems = [
            problem
            for problem in play.diagnostics
            if problem.step > first_index and problem.severity
        ]
        for problem in problems:
            action = play.steps[problem.step - 1].action
            if action is by or (id(action), problem.code) not in record.problems:
                # It was correct when it was done.
                play.diagnostics.remove(problem)
                play.reopen(problem.step).diagnostics.remove(problem)
                detach([problem])
                if action is not by and problem.finding is Finding.ILLEGAL:
                    # But without the retracted entry it has become illegal.
                    play.reopen(by.step).event(f"without it: {problem.message}", problem.code)
        judge = play.reopen(by.step)
        problem_ids = {id(problem) for problem in play.diagnostics}
        for problem in record.own_problems:
            cause = problem.cause if id(problem.cause) in problem_ids else None
            copy = replace(problem, step=judge.index, cause=cause, dependents=[])
            if cause is not None:
                cause.dependents.append(copy)
            play.diagnostics.append(copy)
            judge.diagnostics.append(copy)
        if self.shown:
            for current in play.steps[first_index:]:
                original = record.steps.get(id(current.action))
                if original is not None:
                    postings = [
                        posting for posting in record.moved if posting.step == original.index
                    ]
                    copy_effects(play.reopen(current.index), original, postings)

    # -- inside ------------------------------------------------------------------------------------

    def _remember(self, action: Action, index: int) -> None:
        id, play = str(action.id), self.play
        if id not in play.ids:
            play.ids[id] = index
            return
        first = play.steps[play.ids[id] - 1].action
        free = next(other for n in count(2) if (other := f"{id}-{n}") not in play.ids)
        facts = (Fact("first used here", first.place("id")),)
        fix = replace_with([free])
        play.unreadable(
            "T53", f"the id '{id}' is taken", at=action.place("id"), fix=fix, facts=facts
        )


def play_on(
    replay: Replay[Any], entry: int = 0, last: int | None = None
) -> Iterator[tuple[int, Action]]:
    """The entries to replay from ``entry`` on, each with its number (from 0, without nested ones). The
    caller calls ``do`` for each; sessions are opened and closed around them.

    Args:
        replay: the replay. It must be right before that entry with its session open, or at the start.
        entry: number of the first entry.
        last: index of the last session, which is not closed; None for all.
    """
    number = 0
    opened = len(replay.sessions)
    for index, session in enumerate(replay.play.campaign.sessions):
        actions = session.actions
        if index >= opened:
            replay.open(session)
        if index >= opened - 1:
            start = entry - number if index == opened - 1 else 0
            yield from enumerate(actions[start:], number + start)
            if index == last:
                return
            replay.close()
        number += len(actions)


def replay(campaign: Campaign, rulebook: Rulebook[S]) -> Record:
    """Replay a whole campaign."""
    run = Replay(campaign, rulebook)
    run.to_the_end()
    return run.finish()
