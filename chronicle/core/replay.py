"""Replay: apply the actions of a transcript by the rules of its game, and build the Record.

The log wins, the rules comment: an illegal action is reported and then applied wherever it has a meaning. So
one mistake gives one diagnostic, and the rest is checked against the real state. Replay never raises because
of a user's text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from chronicle.core import keepers
from chronicle.core.anchors import Anchors
from chronicle.core.campaign import FINISHED, Campaign, Session
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, detach_diagnostics
from chronicle.core.fix import RemoveEntry, make_fix
from chronicle.core.game import Game
from chronicle.core.game_context import GameContext
from chronicle.core.gaps import SOMEBODY, insert_somebody, note_births, upper_bounds
from chronicle.core.house_rules import MAY_POINT, check_permission
from chronicle.core.late_entries import offer_entry_moves
from chronicle.core.law import check_law, note_phase, permitted_players
from chronicle.core.names import PLAYER, Named, Names, RecordingNames
from chronicle.core.record import Record, SessionRecord, Step
from chronicle.core.reports import (
    report_missing_house_rules,
    report_revived_names,
    report_unneeded_allowances,
)
from chronicle.core.retractions import (
    Retraction,
    RetractionRecord,
    Retractions,
    copy_effects,
    nested_entries,
)
from chronicle.core.shared_verbs import (
    close_questions,
    common_session_end,
    common_session_start,
    link_see_entries,
)
from chronicle.core.snapshots import Snapshot

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, SessionEnd

S = TypeVar("S")


MOST_REPLAYS_PER_ENTRY = 50
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
        scene_panels: the state of play after each finished scene, by its number.
        session_ends: how the game stood after each finished session except the last, by its number.
        entry_panels: the state of play after each entry, by its number; nested entries have none.
        retractions: the retractions known so far.
        left_out_count: the number of unreadable entries that :meth:`Game.left_out` was called for.
        replayed_count: how many entries were replayed again because of retractions.
    """

    def __init__(
        self,
        campaign: Campaign,
        rulebook: Game[S],
        names: Names | None = None,
        *,
        shows_retracted: bool = True,
        keeps_panels: bool = False,
        will_be_read: bool = True,
        start_snapshot: Snapshot | None = None,
        anchors: Anchors | None = None,
        snapshots: Iterable[Snapshot] = (),
    ) -> None:
        """Go to the start, or to a snapshot.

        Args:
            campaign: what to replay.
            rulebook: the rules of its game.
            names: the index of names to fill; a new one by default.
            shows_retracted: whether retracted entries show their effects.
            keeps_panels: whether to keep the state of play after each scene and each entry.
            will_be_read: whether the Steps will be read; otherwise only diagnostics matter.
            start_snapshot: the snapshot to start from, of the same game.
            anchors: the anchors of the replay that is replaced.
            snapshots: earlier snapshots that a retraction may return to.
        """
        self.campaign = campaign
        self.rulebook = rulebook
        self.shows_retracted = shows_retracted
        self.retractions = Retractions(start_snapshot.retractions if start_snapshot else ())
        self._snapshots = [*snapshots]
        self._depth = 0
        self._unreadable_ahead: list[Diagnostic] = []
        """Diagnostics of unreadable entries further down in the session, the next one last."""
        if start_snapshot is None:
            names = names if names is not None else Names(campaign.renamings)
            self._go_to_start(names, will_be_read=will_be_read, keeps_panels=keeps_panels)
        else:
            self._go_to(start_snapshot, anchors)

    def _go_to_start(self, names: Names, *, will_be_read: bool, keeps_panels: bool) -> None:
        """Go to the start, before the first entry."""
        self.play = GameContext[S](self.campaign, self.rulebook, names, will_be_read=will_be_read)
        if self.rulebook.law is not None:
            note_phase(self.play, self.rulebook.law)
        self.sessions: list[SessionRecord] = []
        self.history: list[Session | Action] = []
        self.scene_panels: dict[int, tuple[Block, ...]] | None = {} if keeps_panels else None
        self.session_ends: dict[int, SessionEnd] | None = {} if keeps_panels else None
        self.entry_panels: dict[int, tuple[Block, ...]] = {}
        self.left_out_count = 0
        self.replayed_count = 0
        self._connect_play()

    def _go_to(self, snapshot: Snapshot, anchors: Anchors | None) -> None:
        """Go to the state of a snapshot."""
        self.play, self.sessions, self.left_out_count = snapshot.restore(self.campaign, anchors)
        self.history = [*snapshot.history]
        self.scene_panels = None if snapshot.scene_panels is None else {**snapshot.scene_panels}
        self.session_ends = None if snapshot.session_ends is None else {**snapshot.session_ends}
        self.entry_panels = {**snapshot.entry_panels}
        self.replayed_count = snapshot.replayed_count
        self._connect_play()
        self._unreadable_ahead = self._find_unreadable_ahead()

    def _connect_play(self) -> None:
        self.play.perform = self._perform
        self.play.known_retractions = self.retractions
        self.play.is_between_entries = True

    @property
    def entry_count(self) -> int:
        """How many entries of the log were replayed; nested ones are not counted."""
        return len(self.history) - len(self.sessions)

    def replay_to_end(self) -> None:
        """Replay the whole campaign from the start."""
        for _, action in entries_from(self):
            self.do(action)

    def open(self, session: Session) -> None:
        """Begin a session."""
        # A replay that has just returned to this place has its snapshot already.
        has_snapshot = self._snapshots and len(self._snapshots[-1].history) == len(self.history)
        if not has_snapshot and self._may_be_retracted(session):
            self._snapshots = [*self._snapshots[-1:], Snapshot(self)]
        play = self.play
        play.is_between_entries = False
        self.history.append(session)
        self._go_between_entries(session)
        common_session_start(play, session)
        self.sessions.append(
            SessionRecord(
                session,
                tuple(play.present),
                len(play.steps) + 1,
                name_count_before=len(play.names.all),
            )
        )
        self._unreadable_ahead = self._find_unreadable_ahead()
        self.rulebook.open_session(play, session)
        play.is_between_entries = True

    def _go_between_entries(self, session: Session) -> None:
        """Go to the position between two entries, where effects belong to the previous entry."""
        play, last_step = self.play, self.play.current
        if last_step is not None and play.first_unshared_step_number > last_step.number:
            for step_number in range(last_step.number, len(play.steps) + 1):
                play.reopen(step_number)
            play.work_on(play.steps[last_step.number - 1])
            play.first_unshared_step_number = last_step.number
        if isinstance(play.names, RecordingNames):
            play.names.set_position(session.path)

    def _may_be_retracted(self, session: Session) -> bool:
        """Whether a later entry of the session, or the next session, can retract an entry."""
        sessions = self.campaign.sessions
        next_sessions = sessions[len(self.sessions) + 1 : len(self.sessions) + 2]
        next_entries = [entry for session_ahead in next_sessions for entry in session_ahead.actions]
        session_entry_ids = {id(entry) for entry in session.actions}
        retractable_pairs = self.rulebook.may_be_struck([*session.actions, *next_entries])
        return any(id(entry) in session_entry_ids for entry, _ in retractable_pairs)

    def _find_unreadable_ahead(self) -> list[Diagnostic]:
        """The diagnostics of unreadable entries that the replay has not passed in the current session, the
        next one last."""
        if not self.sessions:
            return []
        path = self.sessions[-1].session.path
        passed_problem_ids = {id(problem) for problem in self.play.unreadable_problems}
        return sorted(
            (
                problem
                for problem in self.campaign.diagnostics
                if problem.dropped_words
                and problem.place.path == path
                and id(problem) not in passed_problem_ids
            ),
            key=lambda problem: -problem.place.line,
        )

    def do(self, action: Action) -> Step:
        """Replay one entry. Never raises because of what it says."""
        items_to_replay = self._play(action)
        if not items_to_replay:
            return self.play.step
        items_left: list[Session | Action] = [*reversed(items_to_replay)]
        while items_left:
            session_or_action = items_left.pop()
            if isinstance(session_or_action, Action):
                items_left += reversed(self._play(session_or_action))
            else:
                if self.sessions:
                    self.close()
                self.open(session_or_action)
        return self.play.steps[action.step_number - 1]

    def _play(self, action: Action) -> Sequence[Session | Action]:
        """Replay one entry. Returns the items to replay next if this entry retracts another."""
        play = self.play
        self.history.append(action)
        play.first_unshared_step_number = len(play.steps) + 1
        if isinstance(play.names, RecordingNames):
            entry_place = action.whole_place
            play.names.set_position(action.path, entry_place.line, entry_place.end_line)
        retraction_count_before = len(play.retractions_so_far)
        play.is_between_entries = False
        self._replay_entry(action)
        play.is_between_entries = True
        if len(play.retractions_so_far) > retraction_count_before or (
            self.retractions.record_by_retracted_entry and self.retractions.records_at(action)
        ):
            items_to_replay = self._handle_retractions(action, retraction_count_before)
            if items_to_replay:
                return items_to_replay
        if play.refused_positions:
            play.refused_positions.clear()
        if self.scene_panels is not None:
            panel = self.entry_panels[action.step_number] = self.rulebook.panel(play)
            for scene in play.timeline.scenes[len(self.scene_panels) :]:
                if scene.is_open:
                    break
                self.scene_panels[scene.number] = panel
        return ()

    def _replay_entry(self, action: Action) -> Step:
        play, rulebook = self.play, self.rulebook
        session, steps, timeline = self.sessions[-1], play.steps, play.timeline
        step_number = len(steps) + 1
        while self._unreadable_ahead and self._unreadable_ahead[-1].place.line < action.key.line:
            play.note_unreadable(self._unreadable_ahead.pop())
        action.step_number = step_number
        step = Step(step_number, action, session.session.header.session, play.anchors)
        outer_step = play.current
        play.current = play.step = step
        steps.append(step)
        if self._depth and outer_step is not None:
            step.parent = outer_step.number
        postings = play.ledger.postings
        first_posting_index = len(postings)
        if action.text is not None:
            step.fiction = str(action.text)
        if action.note is not None:
            step.talk = str(action.note)
        if id(action) in self.retractions.record_by_retracted_entry:
            self._keep_without_effect(step)
            if self._depth:
                play.work_on(outer_step)
            return step
        if action.id is not None:
            play.register_id(action, step_number)
        if action.answers:
            close_questions(play, action)
        if action.see:
            link_see_entries(play, action)
        if action.under:
            report_missing_house_rules(play, action)
        actor_name = action.by
        if actor_name is not None and play.is_unrecorded_name(actor_name):
            step.speaker = SOMEBODY
            rulebook.on_unrecorded_actor(play, action)
        elif actor_name is not None:
            player = step.player = play.player(actor_name, entitled=self._players_entitled)
            step.speaker = player if actor_name == player else str(actor_name)
            if player not in play.present:
                play.check_presence(player, action.place("by"))
        else:
            step.player = rulebook.actor(play, action)
            if step.player == SOMEBODY:
                step.player, step.speaker = "", SOMEBODY
                rulebook.on_unrecorded_actor(play, action)
        if len(play.unreadable_problems) > self.left_out_count:
            for problem in play.unreadable_problems[self.left_out_count :]:
                rulebook.left_out(play, problem)
            self.left_out_count = len(play.unreadable_problems)
        if action.problem is not None and action.problem.is_guessed and rulebook.stretch_verbs:
            play.doubt = play.doubt or action.problem
        if play.gaps.all_gaps:
            play.gaps.end_gaps_waiting_for(step_number, (action.verb, str(action.id)))
        rulebook.before(play, action)
        scene = timeline.current
        if scene is not None:
            step.scene = scene.number
        was_applying_entry, play.is_applying_entry = play.is_applying_entry, True
        rules_by_point = play.adopted_rules.rules_by_point
        must_check_permission = (
            MAY_POINT.name in rules_by_point and action.verb in rulebook.own_verbs
        )
        if must_check_permission and step.player:
            check_permission(play, action.verb)
            must_check_permission = False
        law, plan, handler = rulebook.law, *rulebook.plan_and_handler_by_verb[type(action)]
        if law is None or plan is None or check_law(play, action, law, plan):
            handler(play, action)
        else:
            step.headline = step.headline or "Comes to nothing"
        rulebook.after(play, action)
        note_births(play.birth_step_numbers, play.names.all, step_number)
        if law is not None:
            note_phase(play, law)
        if must_check_permission:
            # The entry itself says who acted.
            check_permission(play, action.verb)
        play.is_applying_entry = was_applying_entry
        if play.names.subjects_with_reused_name:
            report_revived_names(self.play)
        if step.headline[:1] == " " or (play.gaps.all_gaps and step.headline[-1:] == " "):
            headline = insert_somebody(step.headline)
            step.headline = f"{headline[:1].upper()}{headline[1:]}"
        if step.hidden:
            # Its anchor stays after the reveal, so it must never name the subject.
            step.hides_subject = True
        if play.tainted:
            play.tainted.pop(f"dropped:{action.verb}", None)
        if play.doubt is not None and action.verb in rulebook.stretch_verbs[play.doubt_until :]:
            play.doubt, play.doubt_until = None, 0
        if step.scene is None:
            scene = timeline.current
            step.scene = scene.number if scene is not None else None
        if len(postings) > first_posting_index:
            step.extend_posting_range(first_posting_index, len(postings))
        if play.gaps.unknown_since:
            step.upper_bound_accounts = upper_bounds(play)
        if action.allow:
            report_unneeded_allowances(self.play, action, step)
        if self._depth:
            play.work_on(outer_step)
        return step

    def _players_entitled(self) -> Sequence[str]:
        """The players and characters who may have performed the current entry, by the law."""
        return permitted_players(self.play, self.play.step.action, self.rulebook.law)

    def _perform(self, action: Action) -> Step:
        self._depth += 1
        try:
            return self._replay_entry(action)
        finally:
            self._depth -= 1

    def close(self) -> None:
        """End the session at hand."""
        session = self.sessions[-1].session
        self._go_between_entries(session)
        while self._unreadable_ahead:
            self.play.note_unreadable(self._unreadable_ahead.pop())
        first_posting_index = len(self.play.ledger.postings)
        self.play.is_applying_entry, self.play.is_between_entries = True, False
        self.rulebook.close_session(self.play, session)
        self.play.is_applying_entry, self.play.is_between_entries = False, True
        last_step = self.play.current
        if last_step is not None:
            # Postings at the end of a session belong to its last entry.
            last_step.extend_posting_range(first_posting_index, len(self.play.ledger.postings))
        common_session_end(self.play, session)
        sessions_left = len(self.play.campaign.sessions) - len(self.sessions)
        if self.session_ends is not None:
            from chronicle.core.campaign_view import MOST_SESSION_ENDS

            if 0 < sessions_left < MOST_SESSION_ENDS:
                self.session_ends[session.number] = self._session_end_state()

    def _session_end_state(self) -> SessionEnd:
        """The state at the end of a session, computed on a copy of the replay."""
        from chronicle.core.campaign_view import CampaignView
        from chronicle.core.make_view import session_end_of

        snapshot = Snapshot(self)
        replay_copy = Replay(self.campaign, self.rulebook, start_snapshot=snapshot)
        view = CampaignView(replay_copy.finish())
        detach_diagnostics(replay_copy.play.diagnostics[snapshot.diagnostic_count :])
        self.rulebook.stand(view)
        return session_end_of(view)

    def finish(self) -> Record:
        """The record of all that was replayed."""
        play = self.play
        if self.sessions:
            self._go_between_entries(self.sessions[-1].session)
        play.is_between_entries = False
        self.rulebook.finish(play)
        play.is_between_entries = True
        if play.will_be_read:
            self.rulebook.for_readers(play)
        return self.record()

    def all_diagnostics(self, later_diagnostics: Iterable[Diagnostic] = ()) -> list[Diagnostic]:
        """The problems found so far, in file order, with ``later_diagnostics`` added."""
        play = self.play
        paths = [play.campaign.path, *(session.path for session in play.campaign.sessions)]
        rank_by_path = {path: path_rank for path_rank, path in enumerate(paths)}
        problems = (*play.campaign.diagnostics, *play.diagnostics, *later_diagnostics)
        return sorted(
            (problem for problem in problems if problem.severity),
            key=lambda problem: (
                rank_by_path.get(problem.place.path, len(paths)),
                problem.place.line,
                problem.place.column,
            ),
        )

    def record(self) -> Record:
        """The record of a finished replay."""
        play = self.play
        record = Record(
            campaign=play.campaign,
            rulebook=self.rulebook,
            steps=[*play.steps],
            sessions=[*self._session_records()],
            diagnostics=[],
            ledger=play.ledger,
            timeline=play.timeline,
            names=play.names,
            state=play.state,
            rulings=play.rulings,
            rulings_used=play.rulings_used,
            house_rules=play.adopted_rules,
            situation=self.rulebook.situation(play),
            is_over=self._is_over(),
            questions=play.questions,
            emblems=play.emblems,
            unrevealed_count=len(play.vault.unrevealed()),
            gaps=play.gaps,
            unknown_until=play.unknown_until,
            stated_figures=[*play.stated_figures],
            unopened_seal_numbers=tuple(
                secret.step_number for secret in play.vault.unrevealed() if secret.seal
            ),
            looked_up_words=(
                *play.vault.secrets.looked_up_words,
                *play.step_number_by_id.looked_up_words,
            ),
        )
        record.diagnostics = self.all_diagnostics(
            keepers.keepers_problems(record, lambda: self.rulebook.other_names(play))
        )
        offer_entry_moves(record.steps, record.diagnostics)
        return record

    def _session_records(self) -> Iterator[SessionRecord]:
        """The sessions so far, each with its last step: the step before the next session begins."""
        first_steps = [session.first_step for session in self.sessions[1:]]
        for session, next_first_number in zip(
            self.sessions, [*first_steps, len(self.play.steps) + 1], strict=False
        ):
            yield replace(session, last_step=next_first_number - 1)

    def _is_over(self) -> bool:
        """Whether the story is finished: by the settings, else by the rules of the game."""
        status = self.play.campaign.settings.status
        return status == FINISHED if status is not None else self.rulebook.over(self.play)

    # -- what is retracted --------------------------------------------------------------------------

    def _is_exhausted(self) -> bool:
        """Whether so many entries were replayed because of retractions that further ones are ignored."""
        return self.replayed_count > MOST_REPLAYS_PER_ENTRY * (len(self.history) + 1_000)

    def _keep_without_effect(self, step: Step) -> None:
        """Keep place, words and id of a retracted entry, without any effect."""
        play, action = self.play, step.action
        if action.by is not None:
            subject = play.names.find(action.by)
            if isinstance(subject, Named):
                is_player = subject.kind == PLAYER
                step.player = subject.name if is_player else self.rulebook.player_of(play, subject)
                step.speaker = subject.name if is_player else str(action.by)
        else:
            step.player = self.rulebook.actor(play, action)
        scene = play.timeline.current
        step.scene = scene.number if scene is not None else None
        if action.id is not None:
            play.step_number_by_id.setdefault(str(action.id), step.number)
        retraction_record = self.retractions.record_of(action)
        if retraction_record is not None and isinstance(play.names, RecordingNames):
            # It has no effect, but its words still name their subjects.
            play.names.record_lookups(action.path, retraction_record.name_lookups)
        for nested_entry in nested_entries(action):
            nested_step_number = len(play.steps) + 1
            nested_entry.step_number = nested_step_number
            nested_step = Step(
                nested_step_number, nested_entry, step.session, play.anchors, scene=step.scene
            )
            nested_step.parent = step.number
            nested_step.player = step.player
            play.steps.append(nested_step)
            if nested_entry.id is not None:
                play.step_number_by_id.setdefault(str(nested_entry.id), nested_step_number)

    def _handle_retractions(self, entry: Action, count_before: int) -> Sequence[Session | Action]:
        """Handle the retractions by an entry. Returns the items to replay next if the replay goes back."""
        play = self.play
        for retraction in play.retractions_so_far[count_before:]:
            retraction_record = self.retractions.record_of(retraction.retracted)
            if retraction_record is not None:
                self._compare_problems(retraction_record, retraction.retracting)
            elif not self._is_exhausted():
                return self._return_to_before(retraction)
            else:
                play.unreadable(
                    "T5",
                    "this log strikes more entries than Chronicle can follow; what this one strikes still counts",
                    fix=make_fix(RemoveEntry()),
                )
        for retraction_record in self.retractions.records_at(entry):
            retraction = retraction_record.retraction
            if not play.steps[retraction.retracted.step_number - 1].retracted_by:
                # The players retracted it, although it would look different without it.
                current_step = play.work_on(play.steps[retraction.retracting.step_number - 1])
                play.strike(
                    retraction.retracted.step_number, retraction.responsible, retraction.rule
                )
                play.work_on(current_step)
                self._compare_problems(retraction_record, retraction.retracting)
        return ()

    def _top_level_step(self, action: Action) -> Step:
        """The step of the top-level entry that an entry is, or is nested in."""
        step = self.play.steps[action.step_number - 1]
        while step.parent is not None:
            step = self.play.steps[step.parent - 1]
        return step

    def _return_to_before(self, retraction: Retraction) -> list[Session | Action]:
        """Return to the state before a retracted entry. Returns the items to replay."""
        retraction_record = self._record_retraction(retraction)
        self.retractions.add_record(retraction_record)
        history, earlier_replayed_count = self.history, self.replayed_count
        entry_position = next(
            position
            for position in range(len(history) - 1, -1, -1)
            if history[position] is retraction_record.retracted_entry
        )
        while self._snapshots and len(self._snapshots[-1].history) > entry_position:
            self._snapshots.pop()
        play = self.play
        if self._snapshots:
            snapshot = self._snapshots[-1]
            detach_diagnostics(play.diagnostics[snapshot.diagnostic_count :])
            self._go_to(snapshot, play.anchors)
        else:
            detach_diagnostics(play.diagnostics)
            names = type(play.names)(self.campaign.renamings)
            self._go_to_start(
                names, will_be_read=play.will_be_read, keeps_panels=self.scene_panels is not None
            )
        items_to_replay = history[len(self.history) :]
        self.replayed_count = earlier_replayed_count + len(items_to_replay)
        return items_to_replay

    def _record_retraction(self, retraction: Retraction) -> RetractionRecord:
        """Record the state at the moment of a retraction, when the retracted entry still counts."""
        play = self.play
        entry_step = self._top_level_step(retraction.retracted)
        retracting_step = play.steps[retraction.retracting.step_number - 1]
        steps_since = play.steps[entry_step.number - 1 :]
        own_entry_ids = {
            id(nested_entry)
            for nested_entry in (retraction.retracted, *nested_entries(retraction.retracted))
        }
        own_steps = {step.number: step for step in steps_since if id(step.action) in own_entry_ids}
        # The postings before the entry cannot belong to it.
        first_posting_index = min(
            (step.posting_range[0] for step in steps_since if any(step.posting_range)), default=0
        )
        postings = [
            posting
            for posting in play.ledger.postings[first_posting_index:]
            if posting.step_number in own_steps
        ]
        return RetractionRecord(
            retraction,
            entry_step.action,
            self._top_level_step(retraction.retracting).action,
            frozenset(
                (id(step.action), problem.code)
                for step in steps_since
                for problem in step.diagnostics
            ),
            tuple(retracting_step.diagnostics),
            tuple(postings),
            {id(step.action): step for step in own_steps.values()},
            play.names.lookups_within(retraction.retracted.whole_place)
            if isinstance(play.names, RecordingNames)
            else (),
        )

    def _compare_problems(self, record: RetractionRecord, retracting_entry: Action) -> None:
        """Compare the problems with and without a retracted entry: only problems that occur in both replays
        remain. The problems of the retracting entry are those that it had with the retracted entry, as the
        players saw it."""
        play = self.play
        first_step_index = self._top_level_step(record.retraction.retracted).number - 1
        problems = [
            problem
            for problem in play.diagnostics
            if problem.step_number > first_step_index and problem.severity
        ]
        for problem in problems:
            action = play.steps[problem.step_number - 1].action
            if action is retracting_entry or (id(action), problem.code) not in record.problem_keys:
                # It was correct when it was done.
                play.diagnostics.remove(problem)
                play.reopen(problem.step_number).diagnostics.remove(problem)
                detach_diagnostics([problem])
                if action is not retracting_entry and problem.kind is DiagnosticKind.ILLEGAL:
                    # But without the retracted entry it has become illegal.
                    play.reopen(retracting_entry.step_number).event(
                        f"without it: {problem.message}", problem.code
                    )
        retracting_step = play.reopen(retracting_entry.step_number)
        problem_ids = {id(problem) for problem in play.diagnostics}
        for problem in record.retracting_entry_problems:
            cause = problem.cause if id(problem.cause) in problem_ids else None
            problem_copy = replace(
                problem, step_number=retracting_step.number, cause=cause, dependents=[]
            )
            if cause is not None:
                cause.dependents.append(problem_copy)
            play.diagnostics.append(problem_copy)
            retracting_step.diagnostics.append(problem_copy)
        if self.shows_retracted:
            for current_step in play.steps[first_step_index:]:
                original_step = record.step_by_entry.get(id(current_step.action))
                if original_step is not None:
                    postings = [
                        posting
                        for posting in record.postings
                        if posting.step_number == original_step.number
                    ]
                    copy_effects(play.reopen(current_step.number), original_step, postings)


def entries_from(
    replay: Replay[Any], first_entry: int = 0, last_session_index: int | None = None
) -> Iterator[tuple[int, Action]]:
    """The entries to replay from ``first_entry`` on, each with its number (from 0, without nested ones). The
    caller calls ``do`` for each; sessions are opened and closed around them.

    Args:
        replay: the replay. It must be right before that entry with its session open, or at the start.
        first_entry: number of the first entry.
        last_session_index: index of the last session, which is not closed; None for all.
    """
    entry_count = 0
    opened_count = len(replay.sessions)
    for session_index, session in enumerate(replay.play.campaign.sessions):
        actions = session.actions
        if session_index >= opened_count:
            replay.open(session)
        if session_index >= opened_count - 1:
            start_index = first_entry - entry_count if session_index == opened_count - 1 else 0
            yield from enumerate(actions[start_index:], entry_count + start_index)
            if session_index == last_session_index:
                return
            replay.close()
        entry_count += len(actions)


def replay(campaign: Campaign, rulebook: Game[S]) -> Record:
    """Replay a whole campaign."""
    replay_run = Replay(campaign, rulebook)
    replay_run.replay_to_end()
    return replay_run.finish()
