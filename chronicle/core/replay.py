"""Replay: run a transcript through a rulebook and say what is true afterwards.

The log wins, the rules comment: an illegal action is reported and then, wherever it has a meaning,
still applied, so that one mistake gives one diagnostic and the rest is checked against what really
happened. Replay never raises on what a user wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from chronicle.core.anchors import Anchors
from chronicle.core.campaign import Campaign, Player, Session
from chronicle.core.common import common_session_end, common_session_start
from chronicle.core.declare import WHOLE, Action, Misread, place_of_word, read_value
from chronicle.core.diagnostic import (
    Diagnostic,
    Fact,
    Finding,
    Severity,
    did_you_mean,
    severity_of,
    verb_meant,
)
from chronicle.core.ledger import Ledger, Posting
from chronicle.core.names import PLAYER, Named, Names, fold
from chronicle.core.record import Record, SessionRecord, Step
from chronicle.core.rulebook import Rulebook
from chronicle.core.rules import tidy
from chronicle.core.secrets import Vault
from chronicle.core.source import Place, Word
from chronicle.core.timeline import Timeline

S = TypeVar("S")

UNEXPLAINED = "unexplained"
"""The account that meets an overdraft, so that play can go on."""
ADJUSTMENT = "adjustment"
"""The account that corrections and re-counts are posted against."""

NARRATION = frozenset({"tell", "say", "aside"})
"""Verbs that change nothing but the story."""


def _name_keys(name: str) -> list[str]:
    """What may have been in doubt before about a name: all of it, its halves and its words."""
    parts = (name, *name.split("&"), *name.split()) if name else ()
    return [f"name:{fold(part)}" for part in parts]


def _not_running(action: Action) -> Step:
    raise RuntimeError("nested entries are replayed by a Replay only")


class _Readings(dict[str, str]):
    """The reading of every silent point: what the campaign chose, else the default."""

    def __init__(self, rulebook: Rulebook[Any]) -> None:
        super().__init__()
        self._rulebook = rulebook

    def __missing__(self, key: str) -> str:
        reading = self[key] = self._rulebook.defaults[key]
        return reading


class Play(Generic[S]):
    """The table during a replay: what handlers read, require, pay and change.

    ``state`` belongs to the game. ``step`` is the entry at work. ``tainted`` remembers which figures
    an earlier mistake has put in doubt, so that what follows from it is folded under it.
    """

    def __init__(
        self, campaign: Campaign, rulebook: Rulebook[S], names: Names | None = None
    ) -> None:
        self.campaign = campaign
        self.rulebook = rulebook
        self.players: tuple[Player, ...] = campaign.players
        self.seats: tuple[str, ...] = tuple(p.name for p in self.players if p.seat >= 0)
        self.runner: str = campaign.runner
        self.ledger = Ledger()
        self.timeline = Timeline()
        self.names = names if names is not None else Names(campaign.renamed)
        self.vault = Vault()
        self.steps: list[Step] = []
        self.anchors = Anchors(self.steps, campaign.renamed)
        self.diagnostics: list[Diagnostic] = []
        self.present: list[str] = [p.name for p in self.players]
        self.rulings_used: dict[str, list[int]] = {}
        self.rulings: dict[str, str] = _Readings(rulebook)
        self.house_rules: dict[str, tuple[str, ...]] = {}
        """Ids that ``under:`` may cite, each with the rule ids it touches (none: any)."""
        self.ids: dict[str, int] = {}
        """Permanent ids of entries, to their steps."""
        self.gap: int = 0
        """The step of the last ``gap:`` that nothing has closed since, 0 if the record is whole."""
        self.counted: dict[str, int] = {}
        """Figures the table has counted (``wealth:Ana``), to the entry that did."""
        self.given: bool = False
        """Whether entries above ``play starts:`` are being read: given, free and outside turns."""
        self.tainted: dict[str, Diagnostic] = {}
        self.current: Step | None = None
        """The entry at work; None before the first one."""
        self.misnamed: Diagnostic | None = None
        """The last finding about a name that nobody has: the rest of its entry may look wrong for it."""
        self.lost: list[Diagnostic] = []
        """Findings about entries above that could not be read and were left out."""
        self.doubt: Diagnostic | None = None
        """The entry left out that makes all of this moment uncertain, so that what is found now is
        folded under it. A game sets it and takes it back, in ``before``."""
        self.lost_at: int = 0
        """How many entries had been read when the last of them was left out."""
        self.doubt_until: int = 0
        """Which of the rulebook's ``afresh`` verbs, or any after it, clears it up: none of them when
        what was left out prepared the game."""
        self.perform: Callable[[Action], Step] = _not_running
        """Replay a nested entry (one paid from the purse of another); set by the replay."""
        for player in self.players:
            self.names.add(player.name, PLAYER, player.name)
        self._take_rulings()
        for id, house_rule in (campaign.settings.house_rules or {}).items():
            self.house_rules[str(id)] = tuple(str(code) for code in house_rule.touches)
        self.state: S = rulebook.start(self)

    @property
    def step(self) -> Step:
        """The entry at work. Only handlers ask, and they run for an entry."""
        assert self.current is not None
        return self.current

    # -- asking ------------------------------------------------------------------------------------

    def ruling(self, key: str) -> str:
        """The reading in force for a silent point; remembered as having mattered here."""
        used = self.rulings_used.setdefault(key, [])
        index = self.current.index if self.current is not None else 0
        if not used or used[-1] != index:
            used.append(index)
        return self.rulings[key]

    def left_of(self, player: str, among: Sequence[str] | None = None) -> str:
        """The next player clockwise, among those given (all present by default)."""
        circle = [p for p in self.seats if p in (self.present if among is None else among)]
        if not circle:
            return player
        start = self.seats.index(player) if player in self.seats else -1
        return min(circle, key=lambda p: (self.seats.index(p) - start - 1) % len(self.seats))

    def balance(self, account: str, unit: str) -> int:
        """What an account holds now."""
        return self.ledger.balance(account, unit)

    def find(
        self,
        word: Word,
        kinds: Iterable[str],
        what: str,
        *,
        code: str = "T50",
        within: Iterable[str] | None = None,
        where: str = "",
    ) -> Named | None:
        """Who or what a name means. A miss is reported once (``what`` is 'player', 'character') and
        gives the one that was evidently meant, or None; the caller then does without."""
        found = self.names.find(word, kinds, within)
        if isinstance(found, Named) and not self._told(word, found):
            return found
        if isinstance(found, Named):
            message = f"no {what} '{word}'{where}; did you mean '{found.name}'?"
        elif found.candidates:
            message = f"{found.message}; write more of the name"
        else:
            message = f"no {what} '{word}'{where}{found.message}"
        self._blame_lost(word)
        at = place_of_word(self.step.action, word)
        miss = self.report(Finding.UNREADABLE, code, message, at=at, name=word)
        if isinstance(found, Named):
            return found
        if miss.cause is not None and miss.cause.dropped:
            return None
        return self.meant(word, kinds, within)

    def meant(
        self, word: str, kinds: Iterable[str] = (), within: Iterable[str] | None = None
    ) -> Named | None:
        """Who or what a name that leads nowhere evidently means; it means that from now on. What was
        found about the name is reported by whoever asks."""
        meant = self.names.meant(word, kinds, within)
        if meant is not None:
            self.names.misspelt(meant.id, word)
        return meant

    def _told(self, word: str, found: Named) -> bool:
        """Whether a word is a wrong spelling that has been told of."""
        if self.misnamed is None or f"name:{fold(word)}" not in self.tainted:
            return False
        return fold(word) not in map(fold, (found.name, *found.aliases))

    # -- saying what is wrong ----------------------------------------------------------------------

    def require(
        self,
        condition: bool,
        code: str,
        message: str,
        *,
        at: Place | None = None,
        label: str = "",
        help: str | Sequence[str] = (),
        facts: Sequence[Fact] = (),
        after: Iterable[str] = (),
        name: str = "",
        finding: Finding = Finding.ILLEGAL,
    ) -> bool:
        """Hold a rule: report ``message`` under ``code`` unless ``condition``. Returns the condition;
        the handler goes on either way. ``after`` names tainted figures: when one of them is in doubt
        because of an earlier mistake, this one is folded under it. ``name`` as in ``report``."""
        if not condition:
            self.report(
                finding,
                code,
                message,
                at=at,
                label=label,
                help=help,
                facts=facts,
                after=after,
                name=name,
            )
        return condition

    def suspect(self, condition: bool, code: str, message: str, **more: Any) -> bool:
        """Report something suspicious (not forbidden) if ``condition`` holds."""
        if condition:
            self.report(Finding.SUSPICIOUS, code, message, **more)
        return condition

    def report(
        self,
        finding: Finding,
        code: str,
        message: str,
        *,
        at: Place | None = None,
        label: str = "",
        help: str | Sequence[str] = (),
        facts: Sequence[Fact] = (),
        after: Iterable[str] = (),
        name: str = "",
    ) -> Diagnostic:
        """File a finding against the entry at work (or the campaign, outside entries). ``name`` is a
        name that leads nowhere: what follows from that is folded under it, here and further down."""
        step = self.current
        place = at or (step.action.place() if step is not None else self.campaign.place())
        excused = self._excuse(code, finding) if step is not None else ""
        if excused:
            finding = Finding.EXCUSED
        game = "" if code.startswith("T") and code[1:].isdigit() else self.rulebook.name
        found = Diagnostic(
            code=code,
            finding=finding,
            severity=severity_of(finding, self.campaign.strictness),
            message=message,
            place=place,
            game=game,
            label=label,
            facts=tuple(facts),
            help=(help,) if isinstance(help, str) else tuple(help),
            excused=excused,
            step=step.index if step is not None else 0,
        )
        for key in (*after, *_name_keys(name)):
            cause = self.tainted.get(key)
            if cause is not None and cause is not found:
                found.cause = cause.cause or cause
                break
        if found.cause is None and step is not None and step.action.problem is not None:
            found.cause = step.action.problem
        miss = self.misnamed if finding is not Finding.UNREADABLE else None
        if found.cause is None and miss is not None and miss.step == found.step:
            found.cause = miss.cause or miss
        if found.cause is None:
            found.cause = self.doubt
        if found.cause is not None:
            found.cause.dependents.append(found)
        self.diagnostics.append(found)
        if step is not None:
            step.diagnostics.append(found)
        if name:
            self.misnamed = found
            self.tainted.setdefault(f"name:{fold(name)}", found)
        return found

    def taint(self, *keys: str) -> None:
        """Put figures in doubt because of the last finding of this entry."""
        if self.step.diagnostics:
            for key in keys:
                self.tainted.setdefault(key, self.step.diagnostics[-1])

    def settle(self, *keys: str) -> None:
        """Take figures out of doubt (they were counted anew)."""
        for key in keys:
            self.tainted.pop(key, None)

    def because(self, step: int, text: str) -> Fact:
        """A fact that an earlier entry established, with its line."""
        return Fact(text, self.steps[step - 1].action.place()) if step else Fact(text)

    # -- doing -------------------------------------------------------------------------------------

    def event(self, text: str, rule: str = "", kind: str = "", subject: str = "") -> None:
        """Note one thing the entry did."""
        self.step.event(text, rule, kind, subject)

    def move(
        self, source: str, target: str, amount: int, unit: str, rule: str, why: str = ""
    ) -> None:
        """Book a movement between accounts."""
        index = self.current.index if self.current is not None else 0
        self.ledger.post(Posting(index, source, target, amount, unit, rule, why))

    def pay(
        self,
        source: str,
        target: str,
        amount: int,
        unit: str,
        rule: str,
        why: str = "",
        *,
        code: str = "",
        message: str = "",
        help: str | Sequence[str] = (),
        at: Place | None = None,
    ) -> bool:
        """Book a payment from a purse that must not run below zero. What is missing is met from
        ``unexplained`` and reported once, under ``code`` (default: the rule that asks the price)."""
        short = amount - self.balance(source, unit)
        paid = True
        if short > 0:
            key = source
            self.report(
                Finding.ILLEGAL,
                code or rule,
                message or f"{source} holds {amount - short} {unit} and pays {amount}",
                at=at,
                help=help,
                after=(key,),
            )
            self.taint(key)
            self.move(UNEXPLAINED, source, short, unit, code or rule, "met so that play can go on")
            paid = False
        self.move(source, target, amount, unit, rule, why)
        return paid

    def adjust(self, account: str, stated: str, unit: str, rule: str = "") -> None:
        """Set an account to a stated figure by a visible posting; no number, no change."""
        try:
            wanted = read_value(WHOLE, Word(stated))
        except Misread:
            return
        difference = wanted - self.balance(account, unit)
        self.move(ADJUSTMENT, account, difference, unit, rule, "counted anew")

    def excused(self, code: str) -> bool:
        """Whether this entry knowingly departs from a rule (``allow`` or ``under``)."""
        return bool(self._excuse(code, Finding.ILLEGAL))

    def at_the_table(self, player: str, at: Place) -> None:
        """Question an act of a player who is away (T67)."""
        if player and player not in self.present and not self.given:
            self.report(
                Finding.BOOKKEEPING,
                "T67",
                f"{player} is not at the table",
                at=at,
                help=f"write  arrive: {player}  first, or add the name to 'present:'",
            )

    def player(self, word: Word | None, code: str = "T50") -> str:
        """The player a name means, or the player behind a character; empty when unknown."""
        if word is None:
            return ""
        named = self.find(word, (), "player or character", code=code)
        if named is None:
            return ""
        return named.name if named.kind == PLAYER else self.rulebook.player_of(self, named)

    def lose(self, finding: Diagnostic) -> None:
        """Remember that an entry was left out. Handlers that miss what its verb would have done pass
        ``after=("dropped:VERB",)``."""
        self.lost.append(finding)
        self.tainted.setdefault(f"dropped:{finding.dropped[0]}", finding)
        self.tainted["lost:"] = finding
        self.lost_at = len(self.steps)
        afresh = self.rulebook.afresh
        if afresh and finding.dropped[0] not in NARRATION:
            self.doubt = self.doubt or finding
            meant = verb_meant(finding, self.rulebook.by_verb)
            if meant in afresh:
                self.doubt_until = max(self.doubt_until, afresh.index(meant))
            elif not self.timeline.scenes:
                self.doubt_until = len(afresh)

    # -- inside ------------------------------------------------------------------------------------

    def _blame_lost(self, word: str) -> None:
        """Blame a name that nobody knows on the entry that would have introduced it."""
        wanted = fold(word)
        for finding in reversed(self.lost):
            if any(wanted in fold(text) for text in finding.dropped[1:]):
                self.tainted.setdefault(f"name:{wanted}", finding)
                return

    def _excuse(self, code: str, finding: Finding) -> str:
        action = self.step.action
        if action.allow:
            for allowed, reason in action.allow.items():
                if tidy(allowed.rpartition(":")[2]) == tidy(code):
                    return str(reason) or "allowed"
        if finding in (Finding.ILLEGAL, Finding.SUSPICIOUS) and action.under:
            for word in action.under:
                touched = self.house_rules.get(word)
                if touched is not None and (
                    not touched or any(tidy(code) == tidy(other) for other in touched)
                ):
                    return f"under {word}"
        return ""

    def _take_rulings(self) -> None:
        chosen = self.campaign.settings.rulings or {}
        if not chosen:
            return
        points = self.rulebook.registry().rulings
        for word, value in chosen.items():
            point = next((p for p in points if word == p.key or tidy(word) == tidy(p.id)), None)
            at = Place(self.campaign.path, word.line, word.column, word.end_line, word.end_column)
            if point is None:
                hint = did_you_mean(word, [p.key for p in points if p.key])
                self.report(
                    Finding.UNREADABLE, "T51", f"no ruling '{word}' in this game{hint}", at=at
                )
            elif str(value) not in point.readings:
                self.report(
                    Finding.UNREADABLE,
                    "T51",
                    f"ruling '{word}' has no reading '{value}'"
                    + did_you_mean(value, list(point.readings)),
                    at=at,
                    help="possible readings: " + ", ".join(point.readings),
                )
            else:
                self.rulings[point.key] = str(value)


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
        self._broken = sorted(
            (
                found
                for found in play.campaign.diagnostics
                if found.dropped and found.place.path == session.path
            ),
            key=lambda found: -found.place.line,
        )
        self.rulebook.open_session(play, session)

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
        for finding in play.lost[self._followed :]:
            self.rulebook.left_out(play, finding)
        self._followed = len(play.lost)
        if action.problem is not None and action.problem.guessed and self.rulebook.afresh:
            play.doubt = play.doubt or action.problem
        self.rulebook.before(play, action)
        scene = play.timeline.current
        step.scene = scene.number if scene is not None else None
        self.rulebook.handler(type(action))(play, action)
        self.rulebook.after(play, action)
        if play.names.revived:
            self._revived()
        if step.hidden and (action.id is None or action.problem is not None):
            # An id that was not written well may have swallowed a part of the secret.
            step.unnamed = True
        play.tainted.pop(f"dropped:{action.verb}", None)
        if action.verb in self.rulebook.afresh[play.doubt_until :]:
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
            rulings_used=play.rulings_used,
            situation=self.rulebook.situation(play),
            unrevealed=len(play.vault.unrevealed()),
            shut=tuple(secret.step for secret in play.vault.unrevealed() if secret.seal),
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


def replay(campaign: Campaign, rulebook: Rulebook[S]) -> Record:
    """Replay a whole campaign."""
    run = Replay(campaign, rulebook)
    for session in campaign.sessions:
        run.open(session)
        do = run.do
        for action in session.actions:
            do(action)
        run.close()
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
