"""Replay: run a transcript through a rulebook and say what is true afterwards.

The log wins, the rules comment: an illegal action is reported and then, wherever it has a meaning,
still applied, so that one mistake gives one diagnostic and the rest is checked against what really
happened. Replay never raises on what a user wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from chronicle.core.campaign import Campaign, Session
from chronicle.core.common import common_session_end, common_session_start
from chronicle.core.declare import Action, place_of_word
from chronicle.core.diagnostic import Diagnostic, Fact, Finding, Severity, did_you_mean
from chronicle.core.law import hold
from chronicle.core.names import Names
from chronicle.core.play import Play
from chronicle.core.record import Record, SessionRecord, Step
from chronicle.core.rulebook import Rulebook
from chronicle.core.rules import tidy

S = TypeVar("S")


class Replay(Generic[S]):
    """A replay that can be stopped anywhere: feed it sessions, or entries one by one."""

    def __init__(
        self, campaign: Campaign, rulebook: Rulebook[S], names: Names | None = None
    ) -> None:
        self.play: Play[S] = Play(campaign, rulebook, names)
        self.rulebook = rulebook
        self.sessions: list[SessionRecord] = []
        self._depth = 0
        self._broken: list[Diagnostic] = []
        """Findings about entries further down that were left out, the next one last."""
        self._followed = 0
        """How many of the entries left out the rulebook has been told of."""
        self.play.perform = self._perform

    def open(self, session: Session) -> None:
        """Begin an evening."""
        play = self.play
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
        if action.id is not None:
            self._remember(action, index)
        for word in action.under:
            if word not in play.house_rules:
                hint = did_you_mean(word, list(play.house_rules))
                play.report(
                    Finding.UNREADABLE,
                    "T52",
                    f"no house rule '{word}'{hint}",
                    at=place_of_word(action, word),
                    help="name it in campaign.yaml under 'house rules:'",
                )
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
            return self.do(action)
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
            unrevealed=len(play.vault.unrevealed()),
            shut=tuple(secret.step for secret in play.vault.unrevealed() if secret.seal),
            asked=(*play.vault.secrets.asked, *play.ids.asked),
        )

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


def play_on(replay: Replay[Any], entry: int = 0) -> Iterator[tuple[int, Action]]:
    """The entries of the replay's campaign from ``entry`` on, each with its number (counted from 0,
    nested ones left out), for the caller to ``do``; evenings are opened and closed around them. The
    replay has to stand right before that entry, its evening open; or before everything."""
    number = 0
    opened = len(replay.sessions)
    for at, session in enumerate(replay.play.campaign.sessions):
        actions = session.actions
        if at >= opened:
            replay.open(session)
        if at >= opened - 1:
            start = entry - number if at == opened - 1 else 0
            yield from enumerate(actions[start:], number + start)
            replay.close()
        number += len(actions)


def replay(campaign: Campaign, rulebook: Rulebook[S]) -> Record:
    """Replay a whole campaign."""
    run = Replay(campaign, rulebook)
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
