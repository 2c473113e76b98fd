"""The Record: the result of a replay, which all pages and exports read."""

from __future__ import annotations

from collections.abc import Iterator, Set
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chronicle.core.anchors import Anchors
from chronicle.core.campaign import Campaign, Session
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, Severity
from chronicle.core.dice import ShownDie
from chronicle.core.emblems import ChosenEmblem
from chronicle.core.game_info import GameInfo, Readings
from chronicle.core.gaps import RecordGaps
from chronicle.core.house_rules import HouseRules
from chronicle.core.ledger import Ledger, Posting, kind_of, owner_of
from chronicle.core.names import Names
from chronicle.core.questions import Questions
from chronicle.core.sentences import FigureChange, Mention, Sentence, balance_changes
from chronicle.core.source import Place, ScalarNode
from chronicle.core.telling import TextRole
from chronicle.core.timeline import SceneNumber, StepNumber, Timeline

if TYPE_CHECKING:
    from fractions import Fraction


AGREES_EVENT_KIND: Final = "agrees"
"""The kind of events that only say that a stated figure is the computed one."""


class Event(NamedTuple):
    """An effect of an action, in a plain sentence, with its rule.

    ``kind`` is a word of the game (``enters``, ``moves``, ``gains trait``), ``subject`` the id of the affected
    person or object. The site links names inside the sentence."""

    text: str
    rule: str = ""
    kind: str = ""
    subject: str = ""


class Source(str):
    """The source of some dice of a side, in words; a card with enough space shows it part by part.

    It is the whole text (``+3 the cousins: Cousins``).

    Attributes:
        giver: the person or object that gave the dice (``the cousins``).
        word: the word that gave them (``Cousins``).
        dice: the number of dice; negative if dice were removed.
        colour: their colour, if it matters.
    """

    giver: str
    word: str
    dice: int
    colour: str

    def __new__(
        cls, text: str, giver: str = "", word: str = "", dice: int = 1, colour: str = ""
    ) -> Source:
        source = super().__new__(cls, text)
        source.giver, source.word, source.dice, source.colour = (
            giver,
            word or text,
            dice,
            colour,
        )
        return source

    def __eq__(self, other: object) -> bool:
        """Equal texts with different parts are different."""
        has_same_text = str.__eq__(self, other)
        return (
            has_same_text and vars(self) == vars(other)
            if isinstance(other, Source)
            else has_same_text
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


class Difference(str):
    """A difference between a snapshot and the computed state, in a sentence; pages show it part by part.

    Attributes:
        owner_id: the id of the person or object that differs; empty for the story.
        words: the words on a card that differ, or the name of the figure.
        state: how they differ: ``""`` (gained), ``wound`` (gained), ``removed``, ``new`` (a new card), ``control``
            or ``figure``.
        before: the value of a figure, or who had control, before; empty if there was none.
        after: the same now.
    """

    owner_id: str
    words: tuple[str, ...]
    state: str
    before: str
    after: str

    def __new__(
        cls,
        text: str,
        owner_id: str = "",
        words: tuple[str, ...] = (),
        state: str = "",
        before: str = "",
        after: str = "",
    ) -> Difference:
        difference = super().__new__(cls, text)
        difference.owner_id, difference.words, difference.state = owner_id, words, state
        difference.before, difference.after = before, after
        return difference


class RankedBid(NamedTuple):
    """A player's bid. ``won``: it was the highest, or counted as such."""

    player: str
    amount: int
    won: bool = False


class BidRanking(NamedTuple):
    """Simultaneous bids, the highest first, and how they were decided."""

    title: str
    bids: tuple[RankedBid, ...]
    words: str
    unit: str
    rule: str = ""


class WeighedSide(NamedTuple):
    """The payment of a side of a dispute, and the weight it counts with."""

    name: str
    player: str
    paid: int
    total: int
    won: bool = False


class Weighing(NamedTuple):
    """A dispute: its subject (in the words of the objector), and the payments of its sides. Without sides it
    was settled by agreement."""

    words: str
    sides: tuple[WeighedSide, ...]
    unit: str
    rule: str = ""


class Side(NamedTuple):
    """A side of a contest: its name, its dice, their sources, their result."""

    name: str
    player: str
    dice: tuple[ShownDie, ...]
    sources: tuple[str, ...] = ()
    result: str = ""
    won: bool = False


NOT_RECORDED = "not recorded"
"""The result of a side whose dice nobody wrote down."""


class ContestOdds(NamedTuple):
    """The odds of the first of two sides, whose dice all hit on ``hit_face_count`` of ``face_count`` faces. They are
    computed when they are read: the text is ``Ana wins 62.5 %, tie 12.5 %``."""

    name: str
    dice_count: int
    opposing_dice_count: int
    hit_face_count: int
    face_count: int

    def _odds(self) -> tuple[Fraction, Fraction, Fraction]:
        from chronicle.core.odds import hit_odds

        return hit_odds(
            self.dice_count, self.opposing_dice_count, self.hit_face_count, self.face_count
        )

    def chances_in_percent(self) -> tuple[float, float, float]:
        """The chances that the first side wins, that both tie, and that the other wins, in percent."""
        win_chance, tie_chance, loss_chance = (float(chance) * 100 for chance in self._odds())
        return win_chance, tie_chance, loss_chance

    def __str__(self) -> str:
        from chronicle.core.odds import percent

        win_chance, tie_chance, _ = self._odds()
        return f"{self.name} wins {percent(win_chance)}, tie {percent(tie_chance)}"


class Contest(NamedTuple):
    """A throw as a reader sees it. ``earlier`` are tied rounds that were thrown again; ``odds`` are the
    chances before the throw."""

    title: str
    sides: tuple[Side, ...]
    score: str = ""
    """The results of the sides in one text: ``3 : 1``."""
    unit: str = ""
    outcome: tuple[str, ...] = ()
    earlier: tuple[tuple[Side, ...], ...] = ()
    odds: object = ""
    """Text, or an object that computes its text."""
    rule: str = ""
    verdict: str = ""
    """The decision as the story tells it, in one line; empty if the throw alone decides nothing."""

    @property
    def is_unrecorded(self) -> bool:
        """Whether nobody wrote down what any of its dice showed."""
        shown_faces = [die.face for side in self.sides for die in side.dice]
        side_results = [side.result for side in self.sides]
        has_unknown_side = any(result.startswith(NOT_RECORDED) for result in side_results)
        return all(face == "?" for face in shown_faces) and (bool(shown_faces) or has_unknown_side)

    @property
    def is_opposed(self) -> bool:
        """Whether its sides compete: only then does the side that ``won`` win."""
        return True

    def with_winner_first(self) -> Contest:
        """The contest with the winners' sides and their number first, as a sentence names them."""
        win_flags = [side.won for side in self.sides]
        if not self.is_opposed or not any(win_flags) or win_flags[0]:
            return self
        side_order = sorted(range(len(win_flags)), key=lambda index: not win_flags[index])
        side_scores = self.score.split(" : ")
        return self._replace(
            sides=tuple(self.sides[index] for index in side_order),
            score=" : ".join(side_scores[::-1]) if len(side_scores) == 2 else self.score,
            earlier=tuple(
                tuple(sides[index] for index in side_order)
                if len(sides) == len(side_order)
                else sides
                for sides in self.earlier
            ),
        )


class SideBySide(Contest):
    """Throws side by side without a winner."""

    __slots__ = ()

    @property
    def is_opposed(self) -> bool:
        return False


class Throw(NamedTuple):
    """Raw data of the luck report: a kind of die, the faces, the player who rolled."""

    die: str
    faces: tuple[str, ...]
    player: str


RuleUses = dict[str, list[int]]
"""For each rule, the numbers of the steps where it mattered."""
_LISTS_OF_A_STEP = ("events", "throws", "links", "diagnostics", "changes")
"""The lists that a copy of a Step has of its own."""


@dataclass(slots=True, eq=False)
class Step:
    """A replayed action with all its effects.

    ``player`` is the player who acted (empty: the group). ``scene`` is the number of its scene. ``headline``
    is a summary in a few words, ``fiction`` the text of the story (Markdown), ``talk`` remarks made at the
    table. ``links`` are steps it refers to (a correction and the corrected step). ``hidden`` steps never
    appear in output."""

    number: int
    action: Action
    session: int
    anchors: Anchors
    player: str = ""
    speaker: str = ""
    scene: SceneNumber | None = None
    parent: StepNumber | None = None
    headline: str = ""
    sentence: Sentence = ()
    fiction: str = ""
    talk: str = ""
    contest: Contest | None = None
    bid_ranking: BidRanking | None = None
    weighing: Weighing | None = None
    events: list[Event] = field(init=False, default_factory=list)
    throws: list[Throw] = field(init=False, default_factory=list)
    links: list[StepNumber] = field(init=False, default_factory=list)
    diagnostics: list[Diagnostic] = field(init=False, default_factory=list)
    changes: list[FigureChange] = field(init=False, default_factory=list)
    """What it changed apart from the accounts of the ledger."""
    posting_range: tuple[int, int] = (0, 0)
    """The range of its postings in the ledger, including those of nested steps."""
    hidden: bool = False
    hides_subject: bool = False
    """Whether its anchor must not name its subject: it was hidden when it was logged."""
    retracted_by: StepNumber = 0
    """The step that retracted it; 0 if it counts."""
    retracted_postings: tuple[Posting, ...] = ()
    """The postings of a retracted entry. None of them is in the ledger."""
    upper_bound_accounts: frozenset[tuple[str, str]] = frozenset()
    """Accounts, with their units, whose real balance after it is possibly lower than computed."""

    @property
    def anchor(self) -> str:
        """Its anchor."""
        return self.anchors.anchor_of(self.number)

    @property
    def former_anchor(self) -> str:
        """Another anchor that leads to it: from before a renaming, or after a reveal the one made of its id."""
        return self.anchors.former_anchor(self.number)

    def tell(self, words: str | None) -> None:
        """Put words before the text of this entry, for exports, the search and the log of the desk. Pages show what a
        verb declares with ``told``."""
        if words is not None:
            self.fiction = f"{words}\n\n{self.fiction}".strip()

    @property
    def is_undone(self) -> bool:
        """Whether it was retracted or not carried out."""
        return any(event.kind == "undone" for event in self.events)

    def copy(self) -> Step:
        """An independent copy."""
        step_copy = copy(self)
        for list_name in _LISTS_OF_A_STEP:
            setattr(step_copy, list_name, [*getattr(self, list_name)])
        return step_copy

    def extend_posting_range(self, start: int, end: int) -> None:
        """Add the postings from ``start`` up to, not including, ``end`` to its range."""
        if start < end:
            self.posting_range = (self.posting_range[0] if self.posting_range[1] else start, end)

    def note_change(
        self, figure_name: str, owner_id: str, before: int | str, after: int | str, unit: str = ""
    ) -> None:
        """Note a figure that it changed; several changes of the same figure become one."""
        for change_index, change in enumerate(self.changes):
            if (change.name, change.owner_id, change.unit) == (figure_name, owner_id, unit):
                before = self.changes.pop(change_index).before
                break
        if before != after:
            self.changes.append(FigureChange(figure_name, owner_id, before, after, unit))

    def event(self, text: str, rule: str = "", kind: str = "", subject: str = "") -> None:
        """Note an effect of this action."""
        self.events.append(Event(text, rule, kind, subject))


def sentence_of(step: Step) -> Sentence:
    """What an entry did, in one plain sentence with names marked. A verb without a sentence of its own gives the
    name of the player, the words that it tells, and its headline."""
    if step.sentence:
        return step.sentence
    player, headline = step.player, step.headline
    told_pieces = () if step.hidden else step.action.told()
    told_text = next((piece.text for piece in told_pieces if piece.role is TextRole.SENTENCE), "")
    if told_text and told_text not in headline:
        headline = f"{told_text} ({headline[:1].lower()}{headline[1:]})" if headline else told_text
    headline = headline or step.action.verb
    if not player:
        return (headline,)
    if headline.startswith((f"{player} ", f"{player}'s ")):
        return (Mention(player), headline.removeprefix(player))
    return (Mention(player), f": {headline}")


def changes_of(step: Step, ledger: Ledger, supplies: Set[str]) -> list[FigureChange]:
    """Every figure that a step changed, with its value before and after: balances first, without those of the
    ``supplies`` of the game."""
    return [*balance_changes(ledger, supplies, *step.posting_range, step.number), *step.changes]


@dataclass(slots=True, eq=False)
class SessionRecord:
    """One session: its transcript, who was present, and its steps."""

    session: Session
    present: tuple[str, ...]
    first_step: StepNumber
    last_step: StepNumber = 0
    """Known once there is a Record."""
    ended: bool = False
    name_count_before: int = 0
    """Number of names in the index when the session began."""


class StatedFigure(NamedTuple):
    """A figure that the log states for comparison (``assert:``).

    Attributes:
        figure_text: its name in words (``Ana's wealth``).
        place: where it is stated.
        reason_unknown: why it could not be compared with the computed one, with ``{place}`` for the place of
            ``cause_place``; empty if it was compared.
        cause_place: the entry that made it unknown; None if no entry did.
    """

    figure_text: str
    place: Place
    reason_unknown: str = ""
    cause_place: Place | None = None


@dataclass(slots=True, eq=False)
class Record:
    """A replayed campaign. ``state`` is the game's own state after the last action."""

    campaign: Campaign
    rulebook: GameInfo
    steps: list[Step]
    sessions: list[SessionRecord]
    diagnostics: list[Diagnostic]
    ledger: Ledger
    timeline: Timeline
    names: Names
    state: Any
    rulings: Readings
    """The reading in force of every ruling."""
    rulings_used: dict[str, list[int]]
    situation: str = ""
    """The state of play after the last action, in one sentence."""
    is_over: bool = False
    """Whether the story is finished."""
    house_rules: HouseRules = field(default_factory=HouseRules)
    """The house rules and their effects."""
    questions: Questions = field(default_factory=Questions)
    emblems: dict[str, ChosenEmblem] = field(default_factory=dict)
    """The emblems that the log has chosen, by the ids of their subjects."""
    unrevealed_count: int = 0
    """Number of secrets that have not been revealed."""
    unopened_seal_numbers: tuple[int, ...] = ()
    """The steps with seals that have not been opened: it is no secret that they exist."""
    gaps: RecordGaps = field(default_factory=RecordGaps)
    """The gaps in the record."""
    unknown_until: dict[str, StepNumber] = field(default_factory=dict)
    """Figures that the players stated, each with the last entry where it was unknown."""
    stated_figures: list[StatedFigure] = field(default_factory=list)
    """The figures that the log states for comparison."""
    looked_up_words: tuple[ScalarNode, ...] = ()
    """The words of the log that were looked up as ids of entries."""

    @property
    def uncompared_figures(self) -> list[StatedFigure]:
        """The stated figures that could not be compared: they rest on what the record does not say."""
        return [figure for figure in self.stated_figures if figure.reason_unknown]

    def step(self, number: int) -> Step:
        """The step with this number, counted from 1 over the whole campaign."""
        return self.steps[number - 1]

    def steps_after(self, step: Step) -> Iterator[Step]:
        """The steps after one, in order."""
        return (self.steps[step_index] for step_index in range(step.number, len(self.steps)))

    def postings(self, step: Step) -> list[Posting]:
        """The postings of a step, without those of its nested steps."""
        first_posting_index, end_posting_index = step.posting_range
        return [
            posting
            for posting in self.ledger.postings[first_posting_index:end_posting_index]
            if posting.step_number == step.number
        ]

    def changes(self, step: Step) -> list[FigureChange]:
        """Every figure that a step changed, with its value before and after."""
        return changes_of(step, self.ledger, self.rulebook.supplies)

    def rules_used(self) -> RuleUses:
        """Every rule that mattered, with the steps where it did, in order."""
        rule_uses: RuleUses = {}
        for session_record in self.sessions:
            for rule_id, step_numbers in self._rules_of(session_record).items():
                rule_uses.setdefault(rule_id, []).extend(step_numbers)
        return rule_uses

    def _rules_of(self, session_record: SessionRecord) -> RuleUses:
        rule_uses: RuleUses = {}
        for step in self.steps[session_record.first_step - 1 : session_record.last_step]:
            rule_ids = dict.fromkeys(event.rule for event in step.events if event.rule)
            rule_ids.update(
                dict.fromkeys(posting.rule for posting in self.postings(step) if posting.rule)
            )
            if step.contest is not None and step.contest.rule:
                rule_ids[step.contest.rule] = None
            for rule_id in rule_ids:
                rule_uses.setdefault(rule_id, []).append(step.number)
        return rule_uses

    def account_in_words(self, account: str) -> str:
        """An account in the words of the game: ``Ana: the purse``."""
        account_kind, owner_id = kind_of(account), owner_of(account)
        account_label, subject = (
            self.rulebook.accounts.get(account_kind, account_kind),
            self.names.all.get(owner_id),
        )
        return (
            f"{subject.name if subject is not None else owner_id}: {account_label}"
            if owner_id
            else account_label
        )

    def curve(self, account: str, unit: str) -> list[tuple[int, int]]:
        """The balance of an account after each step that changed it: (step, balance)."""
        balance_points: list[tuple[int, int]] = []
        balance = 0
        for posting in self.ledger.postings:
            if posting.unit != unit or account not in (posting.source, posting.target):
                continue
            balance += posting.amount if posting.target == account else -posting.amount
            if posting.source == posting.target:
                continue
            if balance_points and balance_points[-1][0] == posting.step_number:
                balance_points[-1] = (posting.step_number, balance)
            else:
                balance_points.append((posting.step_number, balance))
        return balance_points

    def worst_severity(self) -> Severity:
        """The highest severity of all problems; OFF if there are none."""
        return max((diagnostic.severity for diagnostic in self.diagnostics), default=Severity.OFF)

    def visible_steps(self) -> Iterator[Step]:
        """The steps that readers see."""
        return (step for step in self.steps if not step.hidden)
