"""The Record: the one value everything downstream reads."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from chronicle.core.anchors import Anchors
from chronicle.core.campaign import Campaign, Session
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, Severity
from chronicle.core.dice import ShownDie
from chronicle.core.emblems import Chosen
from chronicle.core.game import Game, Readings
from chronicle.core.holes import Holes
from chronicle.core.house import House
from chronicle.core.ledger import Ledger, Posting
from chronicle.core.names import Names
from chronicle.core.questions import Questions
from chronicle.core.source import Word
from chronicle.core.timeline import Timeline

if TYPE_CHECKING:
    from fractions import Fraction

    from chronicle.core.pieces import Once


class Event(NamedTuple):
    """One thing that an action did, in a plain sentence, with the rule behind it.

    ``kind`` is a word of the game (``enters``, ``moves``, ``gains trait``), ``subject`` the id of
    what it happened to. Names inside the sentence are linked by the site.
    """

    text: str
    rule: str = ""
    kind: str = ""
    subject: str = ""


class Source(str):
    """Where some dice of a side came from, in words; a card that has room says it part by part.

    Args:
        text: the whole of it (``+3 the cousins: Cousins``).
        of: who or what they came from (``the cousins``).
        what: the word that brought them (``Cousins``).
        dice: how many they are; fewer than none were taken away.
        ink: their colour, where that counts.
    """

    of: str
    what: str
    dice: int
    ink: str

    def __new__(
        cls, text: str, of: str = "", what: str = "", dice: int = 1, ink: str = ""
    ) -> Source:
        made = super().__new__(cls, text)
        made.of, made.what, made.dice, made.ink = of, what or text, dice, ink
        return made

    def __eq__(self, other: object) -> bool:
        """The same words may stand for other parts."""
        same = str.__eq__(self, other)
        return same and vars(self) == vars(other) if isinstance(other, Source) else same

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


class Rung(NamedTuple):
    """What one player bid. ``won``: it was the highest, or counted as such."""

    player: str
    amount: int
    won: bool = False


class Ladder(NamedTuple):
    """Bids that were made at once, the highest first, and how it was decided."""

    title: str
    rungs: tuple[Rung, ...]
    words: str
    unit: str
    rule: str = ""


class Weight(NamedTuple):
    """What one side of a dispute put down, and how often it counts."""

    name: str
    player: str
    paid: int
    total: int
    won: bool = False


class Weighing(NamedTuple):
    """A dispute: what it was about (in the words of whoever objected), and what the sides put down for
    it. Without sides it was agreed on."""

    words: str
    sides: tuple[Weight, ...]
    unit: str
    rule: str = ""


class Side(NamedTuple):
    """One side of a contest: who, which dice, where they came from, what they came to."""

    name: str
    player: str
    dice: tuple[ShownDie, ...]
    sources: tuple[str, ...] = ()
    result: str = ""
    won: bool = False


class HitOdds(NamedTuple):
    """How likely the first of two sides wins whose dice all hit on ``hits`` of ``faces`` faces. It is
    worked out when somebody reads it: as text it is ``Ana wins 62.5 %, tie 12.5 %``."""

    who: str
    one: int
    other: int
    hits: int
    faces: int

    def _odds(self) -> tuple[Fraction, Fraction, Fraction]:
        from chronicle.core.odds import hit_odds

        return hit_odds(self.one, self.other, self.hits, self.faces)

    def shares(self) -> tuple[float, float, float]:
        """How likely the first wins, both are even, and the other wins, of a hundred."""
        win, tie, lose = (float(share) * 100 for share in self._odds())
        return win, tie, lose

    def __str__(self) -> str:
        from chronicle.core.odds import percent

        win, tie, _ = self._odds()
        return f"{self.who} wins {percent(win)}, tie {percent(tie)}"


class Contest(NamedTuple):
    """A throw as a reader sees it. ``earlier`` are rounds that were tied and thrown again; ``odds``
    says how likely it was before the dice fell."""

    title: str
    sides: tuple[Side, ...]
    score: str = ""
    unit: str = ""
    outcome: tuple[str, ...] = ()
    earlier: tuple[tuple[Side, ...], ...] = ()
    odds: object = ""
    """Text, or what is text when somebody reads it."""
    rule: str = ""
    verdict: str = ""
    """What it decided, as the story says it in one line; empty where it decides nothing by itself."""

    @property
    def opposed(self) -> bool:
        """Whether its sides are against each other: only then does the one that ``won`` win."""
        return True


class Beside(Contest):
    """Throws beside one another: each comes to something, and nobody wins."""

    __slots__ = ()

    @property
    def opposed(self) -> bool:
        return False


class Throw(NamedTuple):
    """Raw material of the luck report: a die kind, the faces of one roller, who rolled."""

    die: str
    faces: tuple[str, ...]
    player: str


Used = dict[str, list[int]]
"""By rule, the numbers of the steps where it mattered."""
_LISTS = ("events", "throws", "links", "diagnostics")


@dataclass(slots=True, eq=False)
class Step:
    """One action as replayed, and everything it did.

    ``player`` is whose act it was (empty: the table's). ``scene`` is the number of the scene it
    belongs to. ``headline`` says in a few words what was done, ``fiction`` is the story it told
    (Markdown), ``talk`` what was said about it at the table. ``links`` are steps it refers to (a
    correction and what it corrects). ``hidden`` steps never reach any output.
    """

    index: int
    action: Action
    session: int
    anchors: Anchors
    player: str = ""
    speaker: str = ""
    scene: int | None = None
    parent: int | None = None
    headline: str = ""
    fiction: str = ""
    talk: str = ""
    contest: Contest | None = None
    ladder: Ladder | None = None
    weighing: Weighing | None = None
    events: list[Event] = field(init=False, default_factory=list)
    throws: list[Throw] = field(init=False, default_factory=list)
    links: list[int] = field(init=False, default_factory=list)
    diagnostics: list[Diagnostic] = field(init=False, default_factory=list)
    posting_range: tuple[int, int] = (0, 0)
    """Where in the ledger its postings (and those of its nested steps) begin and end."""
    hidden: bool = False
    unnamed: bool = False
    """Whether its anchor must not say what it is about: it was hidden when it was logged."""
    struck: int = 0
    """The step that struck it, so that it never happened; 0 if it stands."""
    undone: tuple[Posting, ...] = ()
    """What a struck entry had moved at the table. None of it stands in the ledger."""
    bounds: frozenset[tuple[str, str]] = frozenset()
    """Accounts, with their units, that may hold less after it than was computed."""

    @property
    def anchor(self) -> str:
        """Its stable anchor."""
        return self.anchors.now(self.index)

    @property
    def former(self) -> str:
        """The anchor it had before something was renamed, if that was another one."""
        return self.anchors.former(self.index)

    def tell(self, words: str | None) -> None:
        """Put words before whatever this entry tells already."""
        if words is not None:
            self.fiction = f"{words}\n\n{self.fiction}".strip()

    @property
    def taken_back(self) -> bool:
        """Whether it was struck, or not carried out."""
        return any(event.kind == "undone" for event in self.events)

    def twin(self) -> Step:
        """A step of its own that says the same."""
        made = copy(self)
        for name in _LISTS:
            setattr(made, name, [*getattr(self, name)])
        return made

    def book_from(self, first: int, last: int) -> None:
        """Take the postings from ``first`` to before ``last`` of the ledger for its own, after those
        that it has."""
        if first < last:
            self.posting_range = (self.posting_range[0] if self.posting_range[1] else first, last)

    def event(self, text: str, rule: str = "", kind: str = "", subject: str = "") -> None:
        """Note one thing this action did."""
        self.events.append(Event(text, rule, kind, subject))


@dataclass(slots=True, eq=False)
class SessionRecord:
    """One evening: its transcript, who was there, which steps it holds."""

    session: Session
    present: tuple[str, ...]
    first_step: int
    last_step: int = 0
    """Known once there is a Record."""
    ended: bool = False
    names_before: int = 0
    """How many names the log had given when the session began."""


@dataclass(slots=True, eq=False)
class Record:
    """A campaign, replayed. ``state`` is the game's own state after the last action."""

    campaign: Campaign
    rulebook: Game
    steps: list[Step]
    sessions: list[SessionRecord]
    diagnostics: list[Diagnostic]
    ledger: Ledger
    timeline: Timeline
    names: Names
    state: Any
    rulings: Readings
    """The reading in force of every silent point."""
    rulings_used: dict[str, list[int]]
    situation: str = ""
    """Where play stands after the last action, in one sentence."""
    over: bool = False
    """Whether the story is told."""
    house: House = field(default_factory=House)
    """The rules of the table's own, and what they did."""
    questions: Questions = field(default_factory=Questions)
    emblems: dict[str, Chosen] = field(default_factory=dict)
    """The drawings that the log has chosen, by the ids of those whom they stand for."""
    unrevealed: int = 0
    """How many secrets have not been revealed."""
    shut: tuple[int, ...] = ()
    """The steps whose seals have not been opened: that something was sealed is no secret."""
    holes: Holes = field(default_factory=Holes)
    """What it does not say."""
    counted: dict[str, int] = field(default_factory=dict)
    """Figures that the table counted, to the last entry for which they had not been known."""
    asked: tuple[Word, ...] = ()
    """The words of the log that were looked up as ids of entries."""

    def step(self, index: int) -> Step:
        """The step with this number, counted from 1 over the whole campaign."""
        return self.steps[index - 1]

    def steps_after(self, step: Step) -> Iterator[Step]:
        """The steps after one, in order."""
        return (self.steps[place] for place in range(step.index, len(self.steps)))

    def postings(self, step: Step) -> list[Posting]:
        """What a step moved (what its nested steps moved is theirs)."""
        first, last = step.posting_range
        return [p for p in self.ledger.postings[first:last] if p.step == step.index]

    def rules_used(self, once: Once | None = None) -> Used:
        """Every rule that mattered, with the steps where it did, in order. What an evening used may be known
        already: ``once`` says so."""
        from chronicle.core.pieces import anew

        made = once or anew
        used: Used = {}
        for number, evening in enumerate(self.sessions):
            for rule, steps in made(
                "rules", number, None, partial(self._rules_of, evening)
            ).items():
                used.setdefault(rule, []).extend(steps)
        return used

    def _rules_of(self, evening: SessionRecord) -> Used:
        used: Used = {}
        for step in self.steps[evening.first_step - 1 : evening.last_step]:
            here = dict.fromkeys(event.rule for event in step.events if event.rule)
            here.update(dict.fromkeys(p.rule for p in self.postings(step) if p.rule))
            if step.contest is not None and step.contest.rule:
                here[step.contest.rule] = None
            for rule in here:
                used.setdefault(rule, []).append(step.index)
        return used

    def curve(self, account: str, unit: str) -> list[tuple[int, int]]:
        """The balance of an account after each step that changed it: (step, balance)."""
        points: list[tuple[int, int]] = []
        balance = 0
        for posting in self.ledger.postings:
            if posting.unit != unit or account not in (posting.source, posting.target):
                continue
            balance += posting.amount if posting.target == account else -posting.amount
            if posting.source == posting.target:
                continue
            if points and points[-1][0] == posting.step:
                points[-1] = (posting.step, balance)
            else:
                points.append((posting.step, balance))
        return points

    def worst(self) -> Severity:
        """The highest severity of all findings; OFF when there are none."""
        return max((d.severity for d in self.diagnostics), default=Severity.OFF)

    def visible(self) -> Iterator[Step]:
        """The steps that may be shown."""
        return (step for step in self.steps if not step.hidden)
