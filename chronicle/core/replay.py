"""Replay: run a transcript through a rulebook and say what is true afterwards.

The log wins, the rules comment: an illegal action is reported and then, wherever it has a meaning,
still applied, so that one mistake gives one diagnostic and the rest is checked against what really
happened. Replay never raises on what a user wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from chronicle.core.campaign import FINISHED, Campaign, Session
from chronicle.core.common import answered, common_session_end, common_session_start
from chronicle.core.declare import Action, place_of_word
from chronicle.core.diagnostic import Diagnostic, Fact, Finding, Severity, detach, did_you_mean
from chronicle.core.law import hold
from chronicle.core.ledger import Posting
from chronicle.core.names import PLAYER, Named, Names, fold
from chronicle.core.play import Play
from chronicle.core.record import Record, SessionRecord, Step
from chronicle.core.rulebook import Rulebook
from chronicle.core.rules import tidy
from chronicle.core.strikes import Strike, Strikes, inside

if TYPE_CHECKING:
    from chronicle.core.checkpoint import Checkpoint

S = TypeVar("S")


MOST_PASSES = 6
"""How often a log is replayed at most until its strikes hold."""


def _show(step: Step, was: Step, postings: Sequence[Posting]) -> None:
    """Let a struck step show what it had done."""
    step.headline, step.fiction, step.talk = was.headline, was.fiction, was.talk
    step.player, step.speaker, step.contest = was.player, was.speaker, was.contest
    step.throws[:] = was.throws
    step.events[:0] = [one for one in was.events if one.kind != "undone"]
    first, last = was.posting_range
    step.undone = tuple(one for one in postings[first:last] if one.step == was.index)


class Replay(Generic[S]):
    """A replay that can be stopped anywhere: feed it sessions, or entries one by one."""

    apart: ClassVar = frozenset({"strikes", "found", "_history", "_before", "_tables", "_broken"})
    """What is not part of a checkpoint."""

    def __init__(
        self,
        campaign: Campaign,
        rulebook: Rulebook[S],
        names: Names | None = None,
        *,
        strikes: Strikes | None = None,
        shown: bool = True,
    ) -> None:
        """``strikes`` are the entries that are known to be struck further down; without any, what
        turns out to be struck is replayed without at once. ``shown``: whether it is to be seen
        what a struck entry had done at the table."""
        self.play: Play[S] = Play(campaign, rulebook, names)
        self.rulebook = rulebook
        self.sessions: list[SessionRecord] = []
        self.live = strikes is None
        self.shown = shown
        self.strikes = strikes if strikes is not None else Strikes()
        self.found = self.strikes.asking()
        """The strikes that there were, and what has to be known about them: what to replay with, if
        that is something else than was known."""
        self._history: list[Session | Action] = []
        self._before: dict[int, Checkpoint] = {}
        """The table right before it."""
        self._tables: dict[int, Replay[S]] = {}
        """The table with it, as it was then."""
        self._depth = 0
        self._broken: list[Diagnostic] = []
        """Findings about entries further down that were left out, the next one last."""
        self._followed = 0
        """How many of the entries left out the rulebook has been told of."""
        self.play.perform = self._perform
        self.play.recall = self._recall
        self.play.foreseen = self.strikes

    def open(self, session: Session) -> None:
        """Begin an evening."""
        play = self.play
        self._history.append(session)
        common_session_start(play, session)
        first = len(play.steps) + 1
        self.sessions.append(SessionRecord(session, tuple(play.present), first, first - 1))
        self.look_ahead()
        self.rulebook.open_session(play, session)

    def look_ahead(self) -> None:
        """See which entries further down in the evening at hand were left out."""
        play = self.play
        path = self.sessions[-1].session.path
        done = {id(found) for found in play.lost}
        self._broken = sorted(
            (
                found
                for found in play.campaign.diagnostics
                if found.dropped and found.place.path == path and id(found) not in done
            ),
            key=lambda found: -found.place.line,
        )

    def do(self, action: Action) -> Step:
        """Replay one entry. Never raises because of what it says."""
        self._history.append(action)
        if self.strikes.involve(action):
            self._look_out(action)
            self._catch_up(action)
        back = len(self.play.taken_back)
        step = self._do(action)
        if len(self.play.taken_back) > back:
            self._look_back(back)
        elif self.play.table is not None:
            self.play.table = None
        return self.play.steps[step.index - 1]

    def _do(self, action: Action) -> Step:
        play = self.play
        session = self.sessions[-1]
        index = len(play.steps) + 1
        while self._broken and self._broken[-1].place.line < action.key.line:
            play.lose(self._broken.pop())
        action.step = index
        step = Step(index, action, session.session.number, play.anchors)
        before, play.current = play.current, step
        play.steps.append(step)
        step.parent = before.index if self._depth and before is not None else None
        first_posting = len(play.ledger.postings)
        if action.text is not None:
            step.fiction = str(action.text)
        if action.note is not None:
            step.talk = str(action.note)
        if action in self.strikes:
            self._set_aside(step)
            if self._depth:
                play.current = before
            return step
        if action.id is not None:
            self._remember(action, index)
        if action.answers:
            answered(play, action)
        for word in action.under:
            if word not in play.house_rules:
                hint = did_you_mean(word, list(play.house_rules))
                key = f"house rule:{fold(word)}"
                missing = play.report(
                    Finding.UNREADABLE,
                    "T52",
                    f"no house rule '{word}'{hint}",
                    at=place_of_word(action, word),
                    help="name it in campaign.yaml under 'house rules:'",
                    after=(key,),
                )
                play.tainted.setdefault(key, missing)
        if action.by is not None:
            step.player = play.player(action.by)
            step.speaker = step.player if action.by == step.player else str(action.by)
            if step.player not in play.present:
                play.at_the_table(step.player, action.place("by"))
        else:
            step.player = self.rulebook.actor(play, action)
        if len(play.lost) > self._followed:
            for finding in play.lost[self._followed :]:
                self.rulebook.left_out(play, finding)
            self._followed = len(play.lost)
        if action.problem is not None and action.problem.guessed and self.rulebook.afresh:
            play.doubt = play.doubt or action.problem
        if play.holes.found:
            play.holes.meet(index, (action.verb, str(action.id)))
        self.rulebook.before(play, action)
        scene = play.timeline.current
        step.scene = scene.number if scene is not None else None
        law, plan = self.rulebook.law, self.rulebook.plan(type(action))
        if law is None or plan is None or hold(play, action, law, plan):
            self.rulebook.handler(type(action))(play, action)
        else:
            step.headline = step.headline or "Comes to nothing"
        self.rulebook.after(play, action)
        if play.names.revived:
            self._revived()
        if step.hidden:
            # Its anchor outlives the reveal, so it never says what the entry is about.
            step.unnamed = True
        if play.tainted:
            play.tainted.pop(f"dropped:{action.verb}", None)
        if play.doubt is not None and action.verb in self.rulebook.afresh[play.doubt_until :]:
            play.doubt, play.doubt_until = None, 0
        if step.scene is None:
            scene = play.timeline.current
            step.scene = scene.number if scene is not None else None
        step.book_from(first_posting, len(play.ledger.postings))
        session.last_step = len(play.steps)
        if action.allow:
            self._unused(action, step)
        if self._depth:
            play.current = before
        return step

    def _perform(self, action: Action) -> Step:
        self._depth += 1
        try:
            return self._do(action)
        finally:
            self._depth -= 1

    def close(self) -> None:
        """End the evening at hand."""
        while self._broken:
            self.play.lose(self._broken.pop())
        session = self.sessions[-1].session
        first_posting = len(self.play.ledger.postings)
        self.rulebook.close_session(self.play, session)
        last = self.play.current
        if last is not None:
            # What moves as the evening ends belongs to its last entry.
            last.book_from(first_posting, len(self.play.ledger.postings))
        common_session_end(self.play, session)

    def finish(self) -> Record:
        """The record of everything fed so far."""
        play = self.play
        self.rulebook.finish(play)
        paths = [play.campaign.path, *(session.path for session in play.campaign.sessions)]
        order = {path: number for number, path in enumerate(paths)}
        found = sorted(
            [*play.campaign.diagnostics, *play.diagnostics],
            key=lambda d: (order.get(d.place.path, len(order)), d.place.line, d.place.column),
        )
        return Record(
            campaign=play.campaign,
            rulebook=self.rulebook,
            steps=play.steps,
            sessions=self.sessions,
            diagnostics=[d for d in found if d.severity is not Severity.OFF],
            ledger=play.ledger,
            timeline=play.timeline,
            names=play.names,
            state=play.state,
            rulings=play.rulings,
            rulings_used=play.rulings_used,
            situation=self.rulebook.situation(play),
            over=self._over(),
            questions=play.questions,
            emblems=play.emblems,
            unrevealed=len(play.vault.unrevealed()),
            shut=tuple(secret.step for secret in play.vault.unrevealed() if secret.seal),
            asked=(*play.vault.secrets.asked, *play.ids.asked),
        )

    def _over(self) -> bool:
        """Whether the story is told: as the settings say, or else by the rules of the game."""
        said = self.play.campaign.settings.status
        return said == FINISHED if said is not None else self.rulebook.over(self.play)

    # -- what is struck -----------------------------------------------------------------------------

    def resume(self, base: Replay[S]) -> None:
        """Go on from a checkpoint, on the way that ``base`` has gone."""
        self.strikes = base.strikes
        self.found = self.strikes.asking()
        for struck, by, _ in self.play.taken_back:
            self.found.add(self._strike(struck, by))
        done = sum(step.parent is None for step in self.play.steps) + len(self.sessions)
        self._history = base._history[:done]
        self._before = dict(base._before)
        self._tables = {}
        self.play.foreseen = self.strikes
        self.look_ahead()

    def knowing(self, strikes: Strikes, *, shown: bool) -> None:
        """Go on with other strikes known further down."""
        self.strikes = self.play.foreseen = strikes
        self.shown, self.live = shown, False

    def _look_out(self, action: Action) -> None:
        """Keep the table before an entry of which something is struck, if that will be asked about."""
        from chronicle.core.checkpoint import checkpoint

        for one in (action, *inside(action)):
            if one in self.strikes and (self.shown or self.strikes.asked(one)):
                self._before[id(one)] = checkpoint(self, 0)

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
        self.sessions[-1].last_step = len(play.steps)
        for inner in inside(action):
            index = len(play.steps) + 1
            inner.step = index
            within = Step(index, inner, step.session, play.anchors, scene=step.scene)
            within.parent = step.index
            within.player = step.player
            play.steps.append(within)
            if inner.id is not None:
                play.ids.setdefault(str(inner.id), index)
            self.sessions[-1].last_step = index

    def _catch_up(self, action: Action) -> None:
        """Before an entry that is known to strike another: see what it was like at the table, where
        the other still stood."""
        self.play.table = None
        for one in (action, *inside(action)):
            struck = self.strikes.target(one)
            if struck is None or id(struck) not in self._before:
                continue
            mark = self._before[id(struck)]
            table = self._tables[id(struck)] = mark.on(self.play.campaign, self, apart=True)
            table.knowing(self.strikes.without(struck), shown=False)
            for entry in self._since(self.strikes.entry(struck)):
                if isinstance(entry, Session):
                    table.close()
                    table.open(entry)
                else:
                    table.do(entry)
            self.play.table = table.play

    def _look_back(self, first: int) -> None:
        """Take in what an entry has struck."""
        for struck, by, weighed in self.play.taken_back[first:]:
            self.found.add(self._strike(struck, by))
            if struck in self.strikes:
                self._weigh(struck, by, weighed)
            elif weighed:
                self.found.ask(struck)
        self.play.table = None
        if self.live and len(self.play.taken_back) > first:
            self._replay()

    def _entry_of(self, action: Action) -> Step:
        """The step of the entry of the log that an entry is, or lies in."""
        step = self.play.steps[action.step - 1]
        while step.parent is not None:
            step = self.play.steps[step.parent - 1]
        return step

    def _strike(self, struck: Action, by: Action) -> Strike:
        return Strike(struck, by, self._entry_of(struck).action, self._entry_of(by).action)

    def _since(self, entry: Action) -> list[Session | Action]:
        """What was played from an entry of the log on."""
        places = reversed(range(len(self._history)))
        first = next((at for at in places if self._history[at] is entry), len(self._history))
        return self._history[first:]

    def _weigh(self, struck: Action, by: Action, weighed: bool) -> None:
        """Now that an entry is struck: tell what was wrong both at the table, where it stood, and
        without it. What struck it is judged as the table did."""
        play = self.play
        step = self._entry_of(struck).index - 1
        found = [one for one in play.diagnostics if one.step > step and one.severity]
        table = self._tables.pop(id(struck), None)
        mark = self._before.pop(id(struck), None)
        if table is None or mark is None:
            if found or weighed:
                self.found.ask(struck)
            return
        there = {id(one.action): one for one in table.play.steps[step:]}
        new = table.play.diagnostics[mark.findings :]
        detach(new)
        if found or weighed:
            wrong = {(id(one.action), d.code) for one in there.values() for d in one.diagnostics}
            for finding in found:
                here = play.steps[finding.step - 1]
                if here.action is by or (id(here.action), finding.code) not in wrong:
                    # Nothing was wrong when it was done.
                    play.diagnostics.remove(finding)
                    here.diagnostics.remove(finding)
                    detach([finding])
            judge = next(one for one in reversed(play.steps) if one.action is by)
            known = {id(one) for one in play.diagnostics}
            for finding in there[id(by)].diagnostics if id(by) in there else ():
                cause = finding.cause if id(finding.cause) in known else None
                copy = replace(finding, step=judge.index, cause=cause, dependents=[])
                if cause is not None:
                    cause.dependents.append(copy)
                play.diagnostics.append(copy)
                judge.diagnostics.append(copy)
        if self.shown:
            mine = {id(one) for one in (struck, *inside(struck))}
            for now in play.steps[step:]:
                if id(now.action) in mine and id(now.action) in there:
                    _show(now, there[id(now.action)], table.play.ledger.postings)

    def _recall(self, step: int, *, asked: bool) -> Sequence[Posting]:
        struck = self.play.steps[step - 1].action
        if struck not in self.strikes:
            return ()
        table = self._tables.get(id(struck))
        if table is None:
            if asked:
                self.found.ask(struck)
            return ()
        mine = {id(one) for one in (struck, *inside(struck))}
        steps = {one.index for one in table.play.steps[step - 1 :] if id(one.action) in mine}
        return [one for one in table.play.ledger.postings if one.step in steps]

    def _replay(self) -> None:
        """Replay all of it, with what is known now."""
        campaign = self.play.campaign
        history = self._history
        for _ in range(MOST_PASSES):
            detach(self.play.diagnostics)
            names = type(self.play.names)(campaign.renamed)
            again = Replay(campaign, self.rulebook, names, strikes=self.found, shown=self.shown)
            for at, one in enumerate(history):
                if isinstance(one, Action):
                    again.do(one)
                else:
                    if at:
                        again.close()
                    again.open(one)
            settled = again.found == self.found
            vars(self).update(vars(again))
            if settled:
                break
        self.live = True
        self.play.perform, self.play.recall = self._perform, self._recall

    # -- inside ------------------------------------------------------------------------------------

    def _remember(self, action: Action, index: int) -> None:
        id = str(action.id)
        play = self.play
        if id in play.ids:
            first = play.steps[play.ids[id] - 1].action
            play.report(
                Finding.UNREADABLE,
                "T53",
                f"the id '{id}' is taken",
                at=action.place("id"),
                help="give this entry an id of its own",
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
                    at=place_of_word(action, code),
                    help="take it out, or check the id",
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


def passes(
    campaign: Campaign,
    rulebook: Rulebook[S],
    names: Callable[[], Names] | None = None,
    *,
    shown: bool = True,
) -> Iterator[Replay[S]]:
    """Replays for the caller to play through, until one has known from the start all that is struck
    further down: the last one counts. A log in which nothing is struck takes one."""
    strikes = Strikes()
    for left in reversed(range(MOST_PASSES)):
        run = Replay(campaign, rulebook, names and names(), strikes=strikes, shown=shown)
        yield run
        if run.found == strikes or not left:
            return
        strikes = run.found
        detach(run.play.diagnostics)
        # Two of them at once would take twice the memory.
        vars(run).clear()


def replay(campaign: Campaign, rulebook: Rulebook[S], *, shown: bool = True) -> Record:
    """Replay a whole campaign. ``shown``: with what struck entries had done at the table."""
    for run in passes(campaign, rulebook, shown=shown):
        do = run.do
        for _, action in play_on(run):
            do(action)
    return run.finish()


def replay_until(campaign: Campaign, rulebook: Rulebook[S], step: int) -> Play[S]:
    """The table right after step ``step`` (0: before the first entry)."""
    run = Replay(campaign, rulebook)
    for session in campaign.sessions:
        if len(run.play.steps) >= step:
            break
        run.open(session)
        for action in session.actions:
            if len(run.play.steps) >= step:
                return run.play
            run.do(action)
        run.close()
    return run.play
