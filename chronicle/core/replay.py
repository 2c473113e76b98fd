"""Replay: run a transcript through a rulebook and say what is true afterwards.

The log wins, the rules comment: an illegal action is reported and then, wherever it has a meaning,
still applied, so that one mistake gives one diagnostic and the rest is checked against what really
happened. Replay never raises on what a user wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from chronicle.core import keepers
from chronicle.core.anchors import Anchors
from chronicle.core.campaign import FINISHED, Campaign, Session
from chronicle.core.common import answered, belongs_with, common_session_end, common_session_start
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, Fact, Finding, Severity, ask_whether, detach
from chronicle.core.fix import RemoveEntry, RemoveItem, RemoveKey, make_fix, replace_with
from chronicle.core.holes import SOMEBODY, bounds, by_somebody
from chronicle.core.house import MAY, hold_may
from chronicle.core.law import decided_by, hold
from chronicle.core.ledger import Posting
from chronicle.core.names import PLAYER, Named, Names, Overheard, fold
from chronicle.core.play import Play
from chronicle.core.record import Record, SessionRecord, Step
from chronicle.core.rulebook import Rulebook
from chronicle.core.rules import tidy
from chronicle.core.snapshots import Snapshot
from chronicle.core.strikes import Strike, Strikes, Struck, inside

if TYPE_CHECKING:
    from chronicle.core.book import Block, Evening

S = TypeVar("S")


MOST_REPLAYED = 50
"""How often an entry is replayed again at most, on the average of a log, because something was retracted."""


def _show(step: Step, was: Step, moved: Sequence[Posting]) -> None:
    """Let a struck step show what it had done."""
    step.headline, step.fiction, step.talk = was.headline, was.fiction, was.talk
    step.player, step.speaker, step.contest = was.player, was.speaker, was.contest
    step.ladder, step.weighing = was.ladder, was.weighing
    step.throws[:] = was.throws
    step.events[:0] = [one for one in was.events if one.kind != "undone"]
    step.undone = tuple(moved)


class Replay(Generic[S]):
    """Replays a campaign: feed it sessions, or entries one by one.

    Replay goes forward only. When an entry retracts an earlier one, the replay returns to the latest snapshot before
    the retracted entry and replays from there without it (:mod:`chronicle.core.strikes`).

    Attributes:
        play: the game context, with the state of the game.
        sessions: the sessions opened so far.
        history: the sessions and entries replayed so far, in order.
        panels: the state of play after each finished scene, by its number.
        evenings: how the game stood after each finished session except the last, by its number.
        moments: the state of play after each entry, by its number; nested entries have none.
        strikes: the retractions known so far.
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
        """Stand before the first entry, or at a snapshot.

        Args:
            campaign: what to replay.
            rulebook: the rules of its game.
            names: the index of names to fill; a new one by default.
            shown: whether retracted entries show what they had done.
            panels: whether to keep the state of play after each scene and each entry.
            read: whether somebody reads the Steps; otherwise only the diagnostics count.
            start: the snapshot to start from, of the same game.
            anchors: the anchors of the replay that this one takes the place of.
            snapshots: earlier snapshots that a retraction may return to.
        """
        self.campaign = campaign
        self.rulebook = rulebook
        self.shown = shown
        self.strikes: Strikes = Strikes(() if start is None else start.strikes)
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
        """Stand before the first entry."""
        self.play: Play[S] = Play(self.campaign, self.rulebook, names, read=read)
        self.sessions: list[SessionRecord] = []
        self.history: list[Session | Action] = []
        self.panels: dict[int, tuple[Block, ...]] | None = {} if panels else None
        self.evenings: dict[int, Evening] | None = {} if panels else None
        self.moments: dict[int, tuple[Block, ...]] = {}
        self.followed = 0
        self.replayed = 0
        self._take_the_table()

    def _go_to(self, snapshot: Snapshot, anchors: Anchors | None) -> None:
        """Stand where a snapshot was taken."""
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
        self.play.foreseen = self.strikes
        self.play.asked = True

    @property
    def entries(self) -> int:
        """How many entries of the log were replayed; nested ones are not counted."""
        return len(self.history) - len(self.sessions)

    def to_the_end(self) -> None:
        """Replay the whole campaign, from before everything."""
        for _, action in play_on(self):
            self.do(action)

    def open(self, session: Session) -> None:
        """Begin a session."""
        if self._may_be_retracted(session):
            self._snapshots = [*self._snapshots[-1:], Snapshot(self)]
        play = self.play
        play.asked = False
        self.history.append(session)
        self._between(session)
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

    def _between(self, session: Session) -> None:
        """Be between two entries, where what happens belongs to the last one."""
        play, last = self.play, self.play.current
        if last is not None and play.since > last.index:
            for index in range(last.index, len(play.steps) + 1):
                play.reopen(index)
            play.work_on(play.steps[last.index - 1])
            play.since = last.index
        if isinstance(play.names, Overheard):
            play.names.stand(session.path)

    def _may_be_retracted(self, session: Session) -> bool:
        """Whether an entry of a session may be retracted later in it, or in the next one."""
        sessions = self.campaign.sessions
        follows = sessions[len(self.sessions) + 1 : len(self.sessions) + 2]
        later = [entry for one in follows for entry in one.actions]
        here = {id(entry) for entry in session.actions}
        pairs = self.rulebook.may_be_struck([*session.actions, *later])
        return any(id(entry) in here for entry, _ in pairs)

    def _unreadable_below(self) -> list[Diagnostic]:
        """The diagnostics of entries of the session at hand that could not be read and that the replay has
        not passed, the next one last."""
        if not self.sessions:
            return []
        path = self.sessions[-1].session.path
        passed = {id(found) for found in self.play.lost}
        return sorted(
            (
                found
                for found in self.campaign.diagnostics
                if found.dropped and found.place.path == path and id(found) not in passed
            ),
            key=lambda found: -found.place.line,
        )

    def do(self, action: Action) -> Step:
        """Replay one entry. Never raises because of what it says."""
        again = self._play(action)
        if not again:
            return self.play.step
        todo: list[Session | Action] = [*reversed(again)]
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
        """Replay one entry: what has to be replayed next, if this one retracts another."""
        play = self.play
        self.history.append(action)
        play.since = len(play.steps) + 1
        if isinstance(play.names, Overheard):
            whole = action.whole
            play.names.stand(action.path, whole.line, whole.end_line)
        retracted_before = len(play.taken_back)
        play.asked = False
        self._do(action)
        play.asked = True
        strikes = self.strikes
        if len(play.taken_back) > retracted_before or (strikes.known and strikes.at(action)):
            again = self._look_back(action, retracted_before)
            if again:
                return again
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
        before = play.current
        play.current = play.step = step
        steps.append(step)
        if self._depth and before is not None:
            step.parent = before.index
        postings = play.ledger.postings
        first_posting = len(postings)
        if action.text is not None:
            step.fiction = str(action.text)
        if action.note is not None:
            step.talk = str(action.note)
        if id(action) in self.strikes.known:
            self._set_aside(step)
            if self._depth:
                play.work_on(before)
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
                near = play.names.nearest(word, list(play.house_rules))
                key = f"house rule:{fold(word)}"
                missing = play.unreadable(
                    "T52",
                    f"no house rule '{word}'{ask_whether(word, near)}",
                    at=word,
                    fix=replace_with(near, is_told=True),
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
            for finding in play.lost[self.followed :]:
                rulebook.left_out(play, finding)
            self.followed = len(play.lost)
        if action.problem is not None and action.problem.guessed and rulebook.afresh:
            play.doubt = play.doubt or action.problem
        if play.holes.found:
            play.holes.meet(index, (action.verb, str(action.id)))
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
        if bound:
            # Who it was is said in the entry itself.
            hold_may(play, action.verb)
        play.counting = counting
        if play.names.revived:
            self._revived()
        if step.headline[:1] == " " or (play.holes.found and step.headline[-1:] == " "):
            told = by_somebody(step.headline)
            step.headline = f"{told[:1].upper()}{told[1:]}"
        if step.hidden:
            # Its anchor outlives the reveal, so it never says what the entry is about.
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
        if play.holes.figures:
            step.bounds = bounds(play)
        if action.allow:
            self._unused(action, step)
        if self._depth:
            play.work_on(before)
        return step

    def _entitled(self) -> Sequence[str]:
        """Whose act the entry at work may be, by the law."""
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
        self._between(session)
        while self._broken:
            self.play.lose(self._broken.pop())
        first_posting = len(self.play.ledger.postings)
        self.play.counting, self.play.asked = True, False
        self.rulebook.close_session(self.play, session)
        self.play.counting, self.play.asked = False, True
        last = self.play.current
        if last is not None:
            # What moves as the evening ends belongs to its last entry.
            last.book_from(first_posting, len(self.play.ledger.postings))
        common_session_end(self.play, session)
        left = len(self.play.campaign.sessions) - len(self.sessions)
        if self.evenings is not None:
            from chronicle.core.book import MOST_EVENINGS

            if 0 < left < MOST_EVENINGS:
                self.evenings[session.number] = self._stand()

    def _stand(self) -> Evening:
        """How things stand for somebody to whom no more is told."""
        from chronicle.core.book import Book, evening_of

        now = Snapshot(self)
        then = Replay(self.campaign, self.rulebook, start=now)
        book = Book(then.finish())
        detach(then.play.diagnostics[now.diagnostics :])
        self.rulebook.stand(book)
        return evening_of(book)

    def finish(self) -> Record:
        """The record of everything fed so far."""
        play = self.play
        if self.sessions:
            self._between(self.sessions[-1].session)
        play.asked = False
        self.rulebook.finish(play)
        play.asked = True
        if play.read:
            self.rulebook.for_readers(play)
        return self.record()

    def found(self, later: Iterable[Diagnostic] = ()) -> list[Diagnostic]:
        """What was found so far, in file order; with what is found ``later``, where that is known."""
        play = self.play
        paths = [play.campaign.path, *(session.path for session in play.campaign.sessions)]
        order = {path: number for number, path in enumerate(paths)}
        found = sorted(
            [*play.campaign.diagnostics, *play.diagnostics, *later],
            key=lambda d: (order.get(d.place.path, len(order)), d.place.line, d.place.column),
        )
        return [one for one in found if one.severity is not Severity.OFF]

    def record(self) -> Record:
        """The record of a play that is over."""
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
            holes=play.holes,
            counted=play.counted,
            shut=tuple(secret.step for secret in play.vault.unrevealed() if secret.seal),
            asked=(*play.vault.secrets.asked, *play.ids.asked),
        )
        record.diagnostics = self.found(keepers.problems(record))
        return record

    def _evenings(self) -> Iterator[SessionRecord]:
        """The evenings so far, each with its last step: the one before the next begins."""
        firsts = [one.first_step for one in self.sessions[1:]]
        for one, first in zip(self.sessions, [*firsts, len(self.play.steps) + 1], strict=False):
            yield replace(one, last_step=first - 1)

    def _over(self) -> bool:
        """Whether the story is told: as the settings say, or else by the rules of the game."""
        said = self.play.campaign.settings.status
        return said == FINISHED if said is not None else self.rulebook.over(self.play)

    # -- what is retracted --------------------------------------------------------------------------

    def _tired(self) -> bool:
        """Whether so much was replayed again that further retractions are left as they are."""
        return self.replayed > MOST_REPLAYED * (len(self.history) + 1_000)

    def _set_aside(self, step: Step) -> None:
        """A struck entry keeps its place, its words and its id, and does nothing."""
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
        strike = self.strikes.of(action)
        if strike is not None and isinstance(play.names, Overheard):
            # It does nothing, but its words mean whom they mean.
            play.names.hear(action.path, strike.heard)
        for inner in inside(action):
            index = len(play.steps) + 1
            inner.step = index
            within = Step(index, inner, step.session, play.anchors, scene=step.scene)
            within.parent = step.index
            within.player = step.player
            play.steps.append(within)
            if inner.id is not None:
                play.ids.setdefault(str(inner.id), index)

    def _look_back(self, entry: Action, first: int) -> Sequence[Session | Action]:
        """Take in what an entry has struck: what has to be played next, if play goes back."""
        play = self.play
        for said in play.taken_back[first:]:
            known = self.strikes.of(said.struck)
            if known is not None:
                self._weigh(known, said.by)
            elif not self._tired():
                return self._go_back(said)
            else:
                play.unreadable(
                    "T5",
                    "so much is struck in this log that what this one strikes is not played again",
                    fix=make_fix(RemoveEntry()),
                )
        for strike in self.strikes.at(entry):
            said = strike.said
            if not play.steps[said.struck.step - 1].struck:
                # The table has struck it, whatever it looks like without it.
                now = play.work_on(play.steps[said.by.step - 1])
                play.strike(said.struck.step, said.who, said.rule)
                play.work_on(now)
                self._weigh(strike, said.by)
        return ()

    def _entry_of(self, action: Action) -> Step:
        """The step of the entry of the log that an entry is, or lies in."""
        step = self.play.steps[action.step - 1]
        while step.parent is not None:
            step = self.play.steps[step.parent - 1]
        return step

    def _go_back(self, said: Struck) -> list[Session | Action]:
        """Go back to before a struck entry: what has to be played again."""
        strike = self._witnessed(said)
        self.strikes.add(strike)
        history, replayed = self.history, self.replayed
        entry = next(at for at in range(len(history) - 1, -1, -1) if history[at] is strike.entry)
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
        again = history[len(self.history) :]
        self.replayed = replayed + len(again)
        return again

    def _witnessed(self, said: Struck) -> Strike:
        """What it is like at the table, where what is struck now still stands."""
        play = self.play
        entry, judge = self._entry_of(said.struck), play.steps[said.by.step - 1]
        since = play.steps[entry.index - 1 :]
        mine = {id(one) for one in (said.struck, *inside(said.struck))}
        own = {one.index: one for one in since if id(one.action) in mine}
        # Nothing of it was booked before it came.
        booked = min((one.posting_range[0] for one in since if any(one.posting_range)), default=0)
        moved = [one for one in play.ledger.postings[booked:] if one.step in own]
        return Strike(
            said,
            entry.action,
            self._entry_of(said.by).action,
            frozenset((id(one.action), found.code) for one in since for found in one.diagnostics),
            tuple(judge.diagnostics),
            tuple(moved),
            {id(one.action): one for one in own.values()},
            play.names.within(said.struck.whole) if isinstance(play.names, Overheard) else (),
        )

    def _weigh(self, strike: Strike, by: Action) -> None:
        """Now that an entry is struck: tell what was wrong both at the table, where it stood, and
        without it. What struck it is judged as the table did."""
        play = self.play
        step = self._entry_of(strike.said.struck).index - 1
        found = [one for one in play.diagnostics if one.step > step and one.severity]
        if found or strike.said.weighed:
            for finding in found:
                action = play.steps[finding.step - 1].action
                if action is by or (id(action), finding.code) not in strike.wrong:
                    # Nothing was wrong when it was done.
                    play.diagnostics.remove(finding)
                    play.reopen(finding.step).diagnostics.remove(finding)
                    detach([finding])
                    if action is not by and finding.finding is Finding.ILLEGAL:
                        # But it is something else by now.
                        play.reopen(by.step).event(f"without it: {finding.message}", finding.code)
            judge = play.reopen(by.step)
            known = {id(one) for one in play.diagnostics}
            for finding in strike.verdict:
                cause = finding.cause if id(finding.cause) in known else None
                copy = replace(finding, step=judge.index, cause=cause, dependents=[])
                if cause is not None:
                    cause.dependents.append(copy)
                play.diagnostics.append(copy)
                judge.diagnostics.append(copy)
        if self.shown:
            for now in play.steps[step:]:
                was = strike.steps.get(id(now.action))
                if was is not None:
                    moved = [one for one in strike.moved if one.step == was.index]
                    _show(play.reopen(now.index), was, moved)

    # -- inside ------------------------------------------------------------------------------------

    def _remember(self, action: Action, index: int) -> None:
        id = str(action.id)
        play = self.play
        if id in play.ids:
            first = play.steps[play.ids[id] - 1].action
            play.unreadable(
                "T53",
                f"the id '{id}' is taken",
                at=action.place("id"),
                fix=replace_with(
                    [next(free for n in count(2) if (free := f"{id}-{n}") not in play.ids)]
                ),
                facts=(Fact("first used here", first.place("id")),),
            )
        else:
            play.ids[id] = index

    def _revived(self) -> None:
        for named, now in self.play.names.revived:
            self.play.report(
                Finding.SUSPICIOUS,
                "T57",
                f"'{named.name}' is called '{now}' now, and this makes a second one",
                help=f"write {now} if it is the same, or take the old name out of 'renamed:'",
            )
        self.play.names.revived.clear()

    def _unused(self, action: Action, step: Step) -> None:
        found = {tidy(d.code) for d in step.diagnostics}
        for code in action.allow or {}:
            if tidy(code.rpartition(":")[2]) not in found:
                self.play.report(
                    Finding.SUSPICIOUS,
                    "T54",
                    f"nothing here needs 'allow: {{{code}: ...}}'",
                    at=code,
                    fix=make_fix(
                        RemoveItem(str(code)) if len(action.allow or {}) > 1 else RemoveKey("allow")
                    ),
                    help="or check the id",
                )


def play_on(
    replay: Replay[Any], entry: int = 0, last: int | None = None
) -> Iterator[tuple[int, Action]]:
    """The entries of the replay's campaign from ``entry`` on, each with its number (counted from 0,
    nested ones left out), for the caller to ``do``; evenings are opened and closed around them. The
    replay has to stand right before that entry, its evening open; or before everything. The evening
    ``last``, counted from 0, is not closed, and none after it is opened."""
    number = 0
    opened = len(replay.sessions)
    for at, session in enumerate(replay.play.campaign.sessions):
        actions = session.actions
        if at >= opened:
            replay.open(session)
        if at >= opened - 1:
            start = entry - number if at == opened - 1 else 0
            yield from enumerate(actions[start:], number + start)
            if at == last:
                return
            replay.close()
        number += len(actions)


def replay(campaign: Campaign, rulebook: Rulebook[S], *, shown: bool = True) -> Record:
    """Replay a whole campaign. ``shown``: with what struck entries had done at the table."""
    run = Replay(campaign, rulebook, shown=shown)
    run.to_the_end()
    return run.finish()
