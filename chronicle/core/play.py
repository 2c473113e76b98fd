"""The state of a replay: the data that handlers read, check, pay and change."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Final,
    Generic,
    NamedTuple,
    ParamSpec,
    TypedDict,
    TypeVar,
    Unpack,
)

from chronicle.core.anchors import Anchors
from chronicle.core.campaign import Campaign, Player
from chronicle.core.declare import (
    UNRECORDED,
    WHOLE,
    Action,
    Kind,
    Misread,
    place_of_word,
    read_value,
    unrecorded,
)
from chronicle.core.diagnostic import (
    Diagnostic,
    Fact,
    Finding,
    ask_whether,
    nearest_words,
    severity_of,
    verb_meant,
)
from chronicle.core.dice import written
from chronicle.core.emblems import Chosen
from chronicle.core.fix import (
    AddToHead,
    Fix,
    InsertEntry,
    RemoveItem,
    located,
    make_fix,
    mark_gap,
    replace_with,
)
from chronicle.core.game import Game, Readings
from chronicle.core.holes import SOMEBODY, RecordGap, RecordGaps, by_somebody, holding, is_bound
from chronicle.core.house import AdoptedRule, House, Point, formulas_of
from chronicle.core.ledger import Ledger, Posting
from chronicle.core.names import PLAYER, Miss, Named, Names, fold
from chronicle.core.questions import Questions
from chronicle.core.ranges import Range, exactly
from chronicle.core.record import Step
from chronicle.core.retractions import Retraction, Retractions
from chronicle.core.rules import tidy
from chronicle.core.secrets import Slots, Vault
from chronicle.core.source import Place, Word, place_of
from chronicle.core.timeline import Scene, Timeline

if TYPE_CHECKING:
    from random import Random

    from chronicle.core.book import Block

S = TypeVar("S")
V = TypeVar("V")
P = ParamSpec("P")

UNEXPLAINED = "unexplained"
"""The account that covers overdrafts, so that play can continue."""
ADJUSTMENT = "adjustment"
"""The account for corrections and stated figures."""

_DEPENDS_ON_RECORD = frozenset({Finding.ILLEGAL, Finding.BOOKKEEPING, Finding.SUSPICIOUS})
"""Kinds of problems that are certain only if the record is complete."""
NARRATION = frozenset({"tell", "say", "aside"})
"""Verbs that only change the story."""


_ONCE = r"(?:event|fact|fate|dialog|house-rule)-(\d{1,9})(?:-\d+)?"
NOBODY_ACTS = "T56"
"""The rule for an entry whose actor is missing."""
MOST_TRACED = 1_000
"""Number of latest postings that are traced to find the range of an unknown figure."""
FEW = 8
"""Maximum number of known names that the message about an unknown name lists."""


def away(player: str) -> str:
    """The doubt about a player who acts without being at the table."""
    return f"away:{player}"


def attends(play: Play[Any], player: str) -> tuple[Fix, ...]:
    """The fixes for a player who acts without being at the table: to arrive, or to be present from the
    start."""
    arrives = make_fix(InsertEntry(f"arrive: {player}"), safe=True)
    number = play.step.session
    session = next(
        (candidate for candidate in play.campaign.sessions if candidate.number == number), None
    )
    if session is None:
        return (arrives,)
    if session.header.present is not None:
        return arrives, make_fix(AddToHead("present", player))
    absences = [word for word in session.header.absent if fold(word) == fold(player)]
    places = [place_of(word, session.path) for word in absences]
    return arrives, *(make_fix(RemoveItem(player, place, "absent")) for place in places)


def once_numbered(play: Play[Any], word: str) -> int:
    """The step number in an id of the old form (``event-12``); 0 for other ids."""
    match = re.fullmatch(_ONCE, word)
    if match is None:
        return 0
    return int(match[1])


def _name_keys(name: str) -> list[str]:
    """The keys of doubts about a name: the whole name, its halves and its words."""
    parts = (name, *name.split("&"), *name.split()) if name else ()
    return [f"name:{fold(part)}" for part in parts]


def _is_form(code: str) -> bool:
    return code.startswith("T") and code[1:].isdigit()


def not_running(action: Action) -> Step:
    """The default for replaying nested entries outside of a replay.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError("nested entries are replayed by a Replay only")


class Refused(Exception):
    """A problem with an entry that is only tried (:attr:`Play.trying`): the rule and the message."""


class ReportOptions(TypedDict, total=False):
    """The optional arguments of :meth:`Play.report`."""

    at: Place | str | None
    label: str
    help: str | Sequence[str]
    fix: Fix | Sequence[Fix]
    facts: Sequence[Fact]
    after: Iterable[str]
    name: str
    since: int | None
    about: str
    lasting: bool


class Offer(NamedTuple):
    """A value that fits a key now: ``("draw", "Patience", "tarred twice")`` is a Trait under the name of its
    Component, under the verb. ``note`` describes its effect in a few words. ``why`` is the reason if it is
    not allowed but likely to be searched."""

    path: tuple[str, ...]
    note: str = ""
    why: str = ""
    opens: bool = False
    """Whether it is a key that needs a value of its own: ``{character: Ines}``."""


class Option(NamedTuple):
    """A possible next action: for ``explain``, completion and random play.

    ``entry`` makes a concrete, legal entry (a mapping as typed) with a seeded random source; its first key
    is the verb. ``price`` is the cost for the actor, with its unit (None: it depends on the entry, or does
    not matter). ``rare`` actions end something, so random play seldom uses them."""

    verb: str
    by: str
    hint: str
    rule: str
    entry: Callable[[Random], dict[str, Any]]
    price: tuple[int, str] | None = None
    rare: bool = False
    again: bool = False
    """Whether it only states something that has happened by itself: it is allowed, but nobody is asked for
    it."""
    said: str = ""
    """The words that were agreed on already; the players wait for them."""

    @classmethod
    def plain(
        cls, verb: str, by: str, hint: str, rule: str, value: Any, /, **further_keys: Any
    ) -> Option:
        """An option whose entry has the verb, its value, and further keys that are not None (``for_`` is
        ``for``). A value that varies is a function of the random source."""
        other_keys = {key.rstrip("_").replace("_", " "): item for key, item in further_keys.items()}
        keys = {verb: value, **other_keys}

        def entry(rng: Random) -> dict[str, Any]:
            entry_values = {
                key: item(rng) if callable(item) else item for key, item in keys.items()
            }
            return {
                key: item for key, item in entry_values.items() if item is not None or key == verb
            }

        return cls(verb, by, hint, rule, entry)


def one_of(values: Sequence[V]) -> Callable[[Random], V]:
    """One of these values, chosen by the random source: for :meth:`Option.plain`."""
    return lambda rng: rng.choice(values)


class Due(NamedTuple):
    """An open obligation, with the figures that the game will check.

    ``who`` is a character or a player (empty: the group), ``what`` describes it (``green dice``, ``an
    answer``). If it is counted, there are ``amount`` of a ``kind``: the colour or the die of a throw, or a
    unit of the ledger. ``sources`` say where they come from. ``verb`` settles it, ``rule`` asks for it."""

    who: str
    what: str
    verb: str
    rule: str
    amount: int = 0
    kind: str = ""
    sources: tuple[tuple[str, int], ...] = ()
    within: str = ""
    """The title of the contest, if there may be several."""

    def __str__(self) -> str:
        counted = f"{self.amount} {self.what}" if self.amount else self.what
        text = f"{self.who}: {counted}" if self.who else counted
        return text + (f" ({self.why()})" if self.sources else "")

    def why(self) -> str:
        """The sources in words: ``links with Ruth 5, Stress 1``."""
        return ", ".join(f"{label} {count}" for label, count in self.sources)


class Standing(NamedTuple):
    """The position in play, for a page with one large line: what play waits for, further details, the
    surrounding parts from the outside in (a scene, a contest, its stage), and the player on turn."""

    headline: str
    more: str = ""
    crumbs: tuple[str, ...] = ()
    turn: str = ""


class Pad(NamedTuple):
    """The possible results of an obligation, for tapping in dice or cards. ``hits`` are the faces that count
    (empty if that depends on more than the face), ``chains`` those that earn another throw, ``colour`` is a
    word of the game, ``deed`` the action (rolls, plays, bids)."""

    faces: tuple[str, ...]
    hits: tuple[str, ...] = ()
    chains: tuple[str, ...] = ()
    colour: str = ""
    deed: str = "rolls"


class Thrown(NamedTuple):
    """The results for one kind of obligation, in order; ``extra`` are earned ones."""

    who: str
    kind: str
    faces: tuple[str, ...]
    extra: tuple[str, ...] = ()


class Limits(NamedTuple):
    """The lowest and the highest possible value of a figure (None: no limit), and the rule for them (empty:
    the rule that last changed the figure)."""

    least: int | None = None
    most: int | None = None
    rule: str = ""

    def hold(self, number: int) -> bool:
        """Whether the figure can be this number."""
        too_low = self.least is not None and number < self.least
        return not too_low and (self.most is None or number <= self.most)


class Measure(NamedTuple):
    """A figure that ``assert:`` can check and ``correct:`` can set.

    ``kinds`` are the kinds of names that have it (empty: one figure for the whole game). ``read(play, id)``
    gives the figure, or None if it is unknown; ``write`` sets it by a visible adjustment (None: it cannot be
    set). ``rule(play, id)`` is the rule that last changed the figure; a wrong figure is reported under it.
    ``limits`` bounds its values, ``words`` are allowed words; ``crossed(play, id, was)`` applies the
    consequences of a new value."""

    doc: str
    kinds: tuple[str, ...]
    read: Callable[[Play[Any], str], int | str | None]
    write: Callable[[Play[Any], str, str], bool | None] | None = None
    rule: Callable[[Play[Any], str], str] | None = None
    limits: Callable[[Play[Any], str], Limits] | None = None
    words: tuple[str, ...] = ()
    crossed: Callable[[Play[Any], str, int | str | None], None] | None = None
    about: str = "tracks"
    """The gaps that make it uncertain, by their names in ``gap:``."""
    account: str = ""
    """The kind of account whose balance it is, if it is one."""
    unit: str = ""
    """The unit of the ledger."""
    names: tuple[str, ...] = ()
    """The kinds of names its value may be, if it is a name."""

    def key(self, name: str, id: str) -> str:
        """The key of the figure in counts, doubts and gaps: ``wealth:Ana``."""
        return f"{self.account or name}:{id}"


class Thing(NamedTuple):
    """Something that ``snapshot:`` can set and that is no single figure: cards, the open scene. ``set(play,
    value)`` sets it and returns the differences in sentences; ``then`` does the rest after everything is
    set."""

    doc: str
    kind: Kind[Any]
    set: Callable[[Play[Any], Any], list[str]]
    then: Callable[[Play[Any], Any], list[str]] | None = None


def scene_label(scene: Scene) -> str:
    """``Scene 7, The Patience puts out``."""
    head = f"{scene.kind.capitalize()} {scene.number}"
    return f"{head}, {scene.title}" if scene.title and scene.title != head else head


def _parted(sentence: str) -> tuple[str, str]:
    """The first part of a sentence, and the rest."""
    match = re.match(r"(.+?)(: |; |\. |\.$)(.*)", sentence)
    if match is None:
        return sentence, ""
    remainder = match[3].rstrip(".")
    return match[1], f"{remainder[:1].upper()}{remainder[1:]}." if remainder else ""


class Playable(Game, Generic[S]):
    """A game from the point of view of a replay: how it starts, what it counts, the state of play."""

    things: ClassVar[Mapping[str, Thing]] = MappingProxyType({})
    """State that a snapshot can set in addition to figures, in the order it is set."""

    by_measure: Mapping[str, Measure]
    """Every figure of the game, including those of all games."""

    @property
    def points(self) -> Sequence[Point]:
        """What a rule of the table's own may compute."""
        return ()

    def house_changed(self, play: Play[S]) -> None:
        """Called when a rule of the table's own was adopted or ended in play."""

    def start(self, play: Play[S]) -> S:
        """The state before the first entry. Players are already in ``play.names``."""
        raise NotImplementedError

    def player_of(self, play: Play[S], named: Named) -> str:
        """Who speaks for a character; empty where nobody does."""
        return ""

    def embodied(self, play: Play[S], player: str) -> str:
        """The id of the character that a player's name means; empty where it means none."""
        return ""

    def by_somebody(self, play: Play[S], action: Action) -> None:
        """Called for an entry whose actor, or whose subject, is not recorded."""

    def left_out(self, play: Play[S], finding: Diagnostic) -> None:
        """Called for every unreadable entry: marks state that it might have changed as doubtful."""

    def skip(self, play: Play[S], player: str) -> bool:
        """Pass a player's turn to the next player; False if it is not their turn."""
        return False

    def options(self, play: Play[S]) -> list[Option]:
        """The possible next actions. Every verb of the game appears here in some reachable state."""
        return []

    def offers(self, play: Play[S], verb: str, by: str) -> Iterable[Offer]:
        """The values that fit the keys of a verb now, if the roles of the law do not determine them; ``by``
        is the actor, if known."""
        return ()

    def due(self, play: Play[S]) -> list[Due]:
        """The open obligations, the first one first: rolls, answers, payments. The game checks the next
        entry against these figures."""
        return []

    def pad(self, play: Play[S], due: Due) -> Pad | None:
        """The possible results of an obligation; None if nothing is rolled or drawn (an answer, a bid)."""
        return None

    def odds(self, play: Play[S], due: Sequence[Due]) -> list[str]:
        """The possible results of the due throws with their chances, one in each line, as on the card of the
        throw later."""
        return []

    def thrown(self, verb: str, dice: Sequence[Thrown], within: str = "") -> dict[str, Any]:
        """The entry for a result: by owner, and by kind if an owner has several. ``within`` names the
        contest if there may be several."""
        value: dict[str, Any] = {}
        for owner in dict.fromkeys(throw.who for throw in dice):
            by_kind = {
                throw.kind: written(throw.faces, throw.extra)
                for throw in dice
                if throw.who == owner
            }
            value[owner] = next(iter(by_kind.values())) if len(by_kind) == 1 else by_kind
        return {verb: value}

    def situation(self, play: Play[S]) -> str:
        """The state of play in one sentence: ``Ana speaks in scene 3, "The hall"``."""
        return ""

    def over(self, play: Play[S]) -> bool:
        """Whether the story is finished, by the rules of the game."""
        return False

    def standing(self, play: Play[S]) -> Standing:
        """The state of play in parts; by default those of the sentence of :meth:`situation`."""
        scene = play.timeline.current
        crumbs = (scene_label(scene),) if scene is not None else ()
        sentence = self.situation(play)
        headline, details = _parted(sentence)
        is_outside = scene is None and sentence.startswith(f"{headline}:")
        if details and (
            is_outside or (scene is not None and scene.title and scene.title in headline)
        ):
            # The first part only names the place.
            return Standing(details.rstrip("."), "", crumbs or (headline,))
        return Standing(headline, details, crumbs)

    def owing(self, play: Play[S]) -> tuple[Block, ...]:
        """Long-term obligations apart from turns, for the keeper: loans, wages, unfinished work."""
        return ()

    def panel(self, play: Play[S]) -> tuple[Block, ...]:
        """The state of play, for the site, ``state`` and ``explain``."""
        return ()


def drawn(draw: Callable[Concatenate[Play[S], P], None]) -> Callable[Concatenate[Play[S], P], None]:
    """Mark a function that only adds text for readers and reports no problems: it is skipped if the record
    is not read."""

    @wraps(draw)
    def only_if_read(play: Play[S], /, *args: P.args, **kwargs: P.kwargs) -> None:
        if play.read:
            draw(play, *args, **kwargs)

    return only_if_read


_NOT_IN_A_SNAPSHOT: Final = frozenset(
    {"steps", "diagnostics", "anchors", "campaign", "entry_index", "foreseen", "perform"}
)


class Play(Generic[S]):
    """The state of a replay: the data that handlers read, check, pay and change.

    ``state`` belongs to the game. ``step`` is the current entry. ``tainted`` has the figures that an earlier
    problem made doubtful; consequences are folded under that problem."""

    # Slots, because there are more attributes than fit inline in an instance, and they are read constantly.
    __slots__ = (
        "_allowed",
        "always",
        "anchors",
        "asked",
        "barred",
        "campaign",
        "counted",
        "counting",
        "current",
        "diagnostics",
        "doubt",
        "doubt_until",
        "emblems",
        "entry_index",
        "figures_compared",
        "figures_stated",
        "foreseen",
        "gaps",
        "given",
        "house",
        "house_rules",
        "ids",
        "ledger",
        "lost",
        "lost_at",
        "minted",
        "misnamed",
        "names",
        "perform",
        "phase",
        "phase_began",
        "players",
        "present",
        "questions",
        "read",
        "rulebook",
        "rulings",
        "rulings_used",
        "runner",
        "seats",
        "since",
        "state",
        "step",
        "steps",
        "tainted",
        "taken_back",
        "timeline",
        "trying",
        "vault",
    )

    def __init__(
        self,
        campaign: Campaign,
        rulebook: Playable[S],
        names: Names | None = None,
        *,
        read: bool = True,
    ) -> None:
        self.campaign = campaign
        self.read = read
        """Whether the steps will be read; otherwise only diagnostics matter (:func:`drawn`)."""
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
        self.rulings = Readings(rulebook)
        self.house_rules: dict[str, tuple[str, ...]] = {}
        """Ids that ``under:`` may cite, each with the rule ids it touches (empty: any)."""
        self.house = House()
        """The same rules with their formulas and effects."""
        self.counting = False
        """Whether an entry is being applied, so that house rules note their effects."""
        self.asked = False
        """Whether no entry is being replayed, so that questions about rulings leave no trace."""
        self.always: dict[str, str] = {}
        """For each rule id (normalised), the house rule that always excuses it."""
        self.questions = Questions()
        self.emblems: dict[str, Chosen] = {}
        """The chosen emblems, by the ids of their subjects."""
        self.ids: Slots[int] = Slots()
        """Permanent ids of entries, with their steps."""
        self.minted: dict[str, int] = {}
        """Number of ids made of each kind in each session."""
        self.gaps = RecordGaps()
        """The gaps in the record."""
        self.counted: dict[str, int] = {}
        """Figures that the players counted (``wealth:Ana``), each with the last entry for which it had been
        unknown, not with the counting entry: so that a repeated count changes nothing."""
        self.given: bool = False
        """Whether the entries above ``play starts:`` are being replayed: given, free and outside turns."""
        self.tainted: dict[str, Diagnostic] = {}
        self.current: Step | None = None
        """The current entry; None before the first one."""
        self.step: Step
        """The same for handlers, which run only with a current entry (:meth:`work_on`)."""
        self.barred: set[tuple[str, int, int]] = set()
        """The positions of names that the law has refused (:func:`chronicle.core.law.barred`)."""
        self._allowed: tuple[Action | None, dict[str, str]] = (None, {})
        """Cache: the ids that an entry allows by itself (normalised), with the reasons."""
        self.misnamed: Diagnostic | None = None
        """The last problem with an unknown name: the rest of its entry may look wrong because of it."""
        self.lost: list[Diagnostic] = []
        """The problems of unreadable entries so far."""
        self.doubt: Diagnostic | None = None
        """The unreadable entry that makes the whole present state uncertain; problems are folded under it. A
        game sets and clears it in ``before``."""
        self.lost_at: int = 0
        """The entry before which the last unreadable one was."""
        self.doubt_until: int = 0
        """The index of the first of the rulebook's ``afresh`` verbs that ends the doubt; past the end if the
        unreadable entry was part of the preparation."""
        self.perform: Callable[[Action], Step] = not_running
        """Replays a nested entry (one paid from the purse of another); set by the replay."""
        self.foreseen = Retractions()
        """The known retractions by later entries."""
        self.taken_back: list[Retraction] = []
        """The retractions so far."""
        self.entry_index: Any = None
        """The index of words for references to entries (:mod:`chronicle.core.earlier`)."""
        self.figures_stated = 0
        """Number of figures stated in the log for comparison."""
        self.figures_compared = 0
        """Number of them that could be compared with computed ones."""
        self.trying = False
        """Whether an entry is only tried: the first problem raises :class:`Refused`, and nothing is
        recorded."""
        self.phase = ""
        """The phase of play after the last entry, as the law of the game names it."""
        self.phase_began = 0
        """The entry that started it; 0 if play began with it."""
        self.since = 1
        """The first step of the current top-level entry: earlier steps are changed by :meth:`reopen`."""
        for player in self.players:
            self.names.add(player.name, PLAYER, player.name)
        self._take_rulings()
        for id, house_rule in (campaign.settings.house_rules or {}).items():
            if house_rule.always:
                self._hold_always(id, house_rule.touches)
            self.adopt(
                str(id), house_rule.rule, house_rule.touches, house_rule.computes, campaign.path
            )
        self.state: S = rulebook.start(self)

    def work_on(self, step: Step | None) -> Step | None:
        """Make another entry the current one. Returns the previous one."""
        previous, self.current = self.current, step
        if step is not None:
            self.step = step
        return previous

    # -- asking ------------------------------------------------------------------------------------

    def ruling(self, key: str) -> str:
        """The reading in force for a ruling. It is noted that the ruling mattered here, except for mere
        questions."""
        if self.asked:
            return self.rulings[key]
        used = self.rulings_used.setdefault(key, [])
        index = self.current.index if self.current is not None else 0
        if not used or used[-1] != index:
            used.append(index)
        return self.rulings[key]

    def left_of(self, player: str, circle_given: Sequence[str] | None = None) -> str:
        """The next player clockwise among those given (all present by default)."""
        seats, circle = self.seats, self.present if circle_given is None else circle_given
        next_seat = seats.index(player) + 1 if player in seats else 0
        for neighbour in (*seats[next_seat:], *seats[:next_seat]):
            if neighbour in circle:
                return neighbour
        return player

    def balance(self, account: str, unit: str) -> int:
        """The present balance of an account."""
        return self.ledger.balance(account, unit)

    def figure(self, name: str, id: str) -> Range:
        """A figure as a range; if it is unknown, only its limits are known."""
        measure = self.rulebook.by_measure[name]
        key, value = measure.key(name, id), measure.read(self, id)
        if not isinstance(value, int):
            return Range()
        bound = bool(measure.unit) and is_bound(self, key, measure.unit)
        unknown_since = self.uncertain_since(key, measure.about)
        if not bound and not unknown_since:
            return exactly(value)
        limits = measure.limits(self, id) if measure.limits is not None else Limits()
        if bound:
            return Range(limits.least, value)
        return self._moved_since(unknown_since, key, measure.unit, limits)

    def _moved_since(self, unknown_since: int, account: str, unit: str, limits: Limits) -> Range:
        """The possible balance of an account if only its limits and its later postings are known."""
        postings = self.ledger.postings[-MOST_TRACED:]
        range_known = Range(limits.least, limits.most)
        if not unit or (len(postings) == MOST_TRACED and postings[0].step > unknown_since):
            return range_known
        for posting in postings:
            if posting.step > unknown_since and posting.unit == unit:
                change = (posting.target == account) - (posting.source == account)
                shifted = range_known.plus(change * posting.amount) if change else range_known
                range_known = shifted.within(limits.least, limits.most)
        return range_known

    def find(
        self,
        word: Word,
        kinds: Collection[str],
        what: str,
        *,
        code: str = "T50",
        within: Iterable[str] | None = None,
        where: str = "",
        choose: Callable[[Sequence[Named]], Named | None] | None = None,
    ) -> Named | None:
        """The subject of a name. If several share it, ``choose`` may select the only possible one. A miss is
        reported once (``what`` is 'player', 'character') and returns the most likely subject, or None; the
        caller then does without."""
        result = self._look(word, kinds, within, choose)
        if isinstance(result, Named) and not self._is_reported_misspelling(word, result):
            return result
        if unrecorded(word):
            self._nobody_wrote(word, what)
            return None
        if isinstance(result, Named):
            message = f"no {what} '{word}'{where}; did you mean '{result.name}'?"
            fixes = replace_with([result.name], old=str(word), is_told=True)
        elif result.candidates:
            message = f"{result.message}; write more of the name"
            names = [named.name for named in result.candidates]
            fixes = replace_with(names, old=str(word))
        else:
            message = f"no {what} '{word}'{where}{result.message}"
            wanted_kinds = {*kinds} - {PLAYER} or {PLAYER}
            known_names = [
                named.name for named in self.names.all.values() if named.kind in wanted_kinds
            ]
            fixes = replace_with(result.similar, old=str(word), is_told=True)
            if 0 < len(known_names) <= FEW and within is None and not result.similar:
                fixes = replace_with(known_names, old=str(word))
        self._blame_lost(word)
        miss = self.report(Finding.UNREADABLE, code, message, at=word, fix=fixes, name=word)
        if isinstance(result, Named):
            return result
        if miss.cause is not None and miss.cause.dropped:
            return None
        return self.resolve_misspelt(word, kinds, within)

    def look_up(self, word: Word, kinds: Collection[str]) -> Named | None:
        """The subject of a name; None if unknown. Nothing is reported."""
        result = self._look(word, kinds, None, None)
        return result if isinstance(result, Named) else None

    def _look(
        self,
        word: Word,
        kinds: Collection[str],
        within: Iterable[str] | None,
        choose: Callable[[Sequence[Named]], Named | None] | None,
    ) -> Named | Miss:
        result = self.names.find(word, kinds, within)
        if isinstance(result, Named) or not result.candidates:
            return result
        if choose is None and PLAYER in kinds:
            choose = self._embodied
        chosen = choose(result.candidates) if choose is not None else None
        return chosen if chosen is not None else result

    def _nobody_wrote(self, word: Word, what: str) -> None:
        """An entry that does not say whom it concerns: state that depends on it is unknown, as for an
        unrecorded actor."""
        was_reported = self.misnamed is not None and self.misnamed.step == self.step.index
        if self.is_actor_unrecorded or was_reported:
            return
        self.rulebook.by_somebody(self, self.step.action)
        message = f"the record does not say which {what} it was"
        self.misnamed = self.report(Finding.UNKNOWN, NOBODY_ACTS, message, at=word)

    @property
    def is_actor_unrecorded(self) -> bool:
        """Whether the actor of the current entry is not recorded."""
        step = self.current
        return step is not None and step.speaker == SOMEBODY and not step.player

    def unnamed(self, word: Word) -> bool:
        """Whether a name says that the person is not recorded."""
        # This is called for every name, and most names are shorter.
        return (
            len(word) >= len(UNRECORDED)
            and unrecorded(word)
            and not isinstance(self.names.find(word), Named)
        )

    def outstanding(self, unit: str) -> int:
        """The amount that unknown players have paid: a player who was not counted since may have less."""
        return -self.balance(SOMEBODY, unit)

    def was_theirs(self, account: str, unit: str, shortfall: int) -> bool:
        """Whether a purse with ``less`` than computed may have made an unknown payment; if so, the payment
        is assigned to it."""
        if not 0 < shortfall <= self.outstanding(unit) or not is_bound(self, account, unit):
            return False
        self.move(account, SOMEBODY, shortfall, unit, "", "as counted")
        self.event(f"{shortfall} of what somebody paid was theirs", kind="adjusted")
        return True

    def resolve_misspelt(
        self, word: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | None:
        """The most likely subject of an unknown name, which means it from now on. The caller reports the
        problem."""
        likely = self.names.likely_subject(word, kinds, within)
        if likely is not None:
            self.names.misspelt(likely.id, word)
        return likely

    def _is_reported_misspelling(self, word: str, subject: Named) -> bool:
        """Whether a word is a wrong spelling that was reported."""
        if self.misnamed is None or f"name:{fold(word)}" not in self.tainted:
            return False
        return fold(word) not in map(fold, (subject.name, *subject.aliases))

    # -- saying what is wrong ----------------------------------------------------------------------

    def require(
        self,
        condition: bool,
        code: str,
        message: str,
        *,
        finding: Finding = Finding.ILLEGAL,
        **options: Unpack[ReportOptions],
    ) -> bool:
        """Check a rule: report ``message`` under ``code`` unless ``condition`` holds. Returns the condition;
        the handler continues in both cases. If a figure in ``after`` is doubtful because of an earlier
        problem, the report is folded under that. Other options as in :meth:`report`."""
        if not condition:
            self.report(finding, code, message, **options)
        return condition

    def illegal(self, code: str, message: str, **options: Unpack[ReportOptions]) -> bool:
        """Report a violation of a rule. Returns False."""
        return self.require(False, code, message, **options)

    def unreadable(self, code: str, message: str, **options: Unpack[ReportOptions]) -> Diagnostic:
        """Report that a part of the entry cannot be understood."""
        return self.report(Finding.UNREADABLE, code, message, **options)

    def unknown(self, code: str, message: str, **options: Unpack[ReportOptions]) -> Diagnostic:
        """Report that the record does not say something."""
        return self.report(Finding.UNKNOWN, code, message, **options)

    def untold(self, code: str, message: str, **options: Unpack[ReportOptions]) -> Diagnostic:
        """Report that the record does not tell an outcome: state that depends on it is unknown in this
        scene, and later consequences are treated as if the entry were unreadable."""
        diagnostic = self.unknown(code, message, **options)
        diagnostic.dropped = (self.step.action.verb,)
        self.rulebook.left_out(self, diagnostic)
        self.miss()
        return diagnostic

    def miss(self) -> None:
        """State that depends on the current entry is unknown in this scene, unless it is ``told`` later."""
        self.gaps.open(self.step.index, (), ("scene", "snapshot"), outcome=True)

    def record_outcomes(self, steps: Collection[int]) -> None:
        """Take the missing outcomes of these entries as known from now on."""
        self.gaps.close_outcomes(steps)

    def suspect(
        self, condition: bool, code: str, message: str, **options: Unpack[ReportOptions]
    ) -> bool:
        """Report something unusual that is not forbidden, if ``condition`` holds."""
        if condition:
            self.report(Finding.SUSPICIOUS, code, message, **options)
        return condition

    def report(
        self,
        finding: Finding,
        code: str,
        message: str,
        *,
        at: Place | str | None = None,
        label: str = "",
        help: str | Sequence[str] = (),
        fix: Fix | Sequence[Fix] = (),
        facts: Sequence[Fact] = (),
        after: Iterable[str] = (),
        name: str = "",
        since: int | None = None,
        about: str = "",
        lasting: bool = False,
    ) -> Diagnostic:
        """Report a problem with the current entry (or with the campaign, outside of entries).

        Args:
            finding: the kind of problem.
            code: the rule.
            message: the message.
            at: a place, a word, or the key of a value in the entry; by default the verb.
            label: a few words beside the place.
            help: help in words, for what no fix can do.
            fix: ways to solve it; edits without a place are made in this entry, those of words at ``at``.
            facts: related locations.
            after: doubts that it may follow from.
            name: an unknown name; its consequences are folded under this problem.
            since: the entry that caused the condition (by default the last one of ``facts``).
            about: the kind of state it depends on: after a gap about that the condition is unknown.
            lasting: whether a gap cannot have changed the condition.

        Raises:
            Refused: while an entry is only tried.
        """
        if self.trying:
            raise Refused(code, message)
        step = self.current
        if isinstance(at, str):
            action = self.step.action
            at = place_of_word(action, at) if isinstance(at, Word) else action.place(at)
        place = at or (step.action.place() if step is not None else self.campaign.place())
        excused = self._excuse(code, finding) if step is not None else ""
        gap = None
        if excused:
            finding = Finding.EXCUSED
        elif finding is Finding.UNREADABLE and (self.is_actor_unrecorded or code == NOBODY_ACTS):
            # Who it was is just what the record does not say.
            open_gap = self.gaps.last_concerning("", len(self.steps))
            gap = open_gap if open_gap is not None and open_gap.open else None
            finding = Finding.UNKNOWN if self.is_actor_unrecorded else finding
        elif self.gaps.recorded and not lasting and finding in _DEPENDS_ON_RECORD:
            gap = self._gap_after(code, since, facts, about)
        if gap is not None:
            finding = Finding.UNKNOWN
            message = by_somebody(message)
            if all(fact.step != gap.step for fact in facts):
                facts = (*facts, self.because(gap.step, "the record does not say all here"))
        elif since is not None and not lasting and not excused:
            gap_fix = mark_gap()
            fix = (*((fix,) if isinstance(fix, Fix) else fix), gap_fix)
        game = "" if _is_form(code) else self.rulebook.name
        diagnostic = Diagnostic(
            code=code,
            finding=finding,
            severity=severity_of(finding, self.campaign.strictness),
            message=message,
            place=place,
            game=game,
            label=label,
            facts=tuple(facts),
            free_help=(help,) if isinstance(help, str) else tuple(help),
            fixes=located(
                (fix,) if isinstance(fix, Fix) else fix,
                place,
                step.action.whole if step is not None else place,
            ),
            excused=excused,
            step=step.index if step is not None else 0,
        )
        cause = self._cause_of(diagnostic, (*after, *_name_keys(name)))
        if gap is not None and cause is None:
            cause, gap.diagnostic = gap.diagnostic, gap.diagnostic or diagnostic
        unknown = cause is not None and cause.finding is Finding.UNKNOWN
        if cause is not None and unknown and finding is not Finding.UNREADABLE:
            # What the record does not say may well make this right.
            diagnostic.finding, diagnostic.severity = cause.finding, cause.severity
        if cause is not None and cause.severity >= diagnostic.severity:
            diagnostic.cause = cause
            cause.dependents.append(diagnostic)
        self.diagnostics.append(diagnostic)
        if step is not None:
            step.diagnostics.append(diagnostic)
        if name:
            self.misnamed = diagnostic
            self.tainted.setdefault(f"name:{fold(name)}", diagnostic)
        return diagnostic

    def _cause_of(self, diagnostic: Diagnostic, keys: Iterable[str]) -> Diagnostic | None:
        """The cause of a problem: an earlier one that made its subject doubtful."""
        for key in keys:
            cause = self.tainted.get(key)
            if cause is not None and cause is not diagnostic:
                return cause.cause or cause
        step = self.current
        if step is not None and step.action.problem is not None:
            return step.action.problem
        miss = self.misnamed if diagnostic.finding is not Finding.UNREADABLE else None
        if miss is not None and miss.step == diagnostic.step:
            return miss.cause or miss
        return self.doubt

    def _gap_after(
        self, code: str, since: int | None, facts: Sequence[Fact], about: str
    ) -> RecordGap | None:
        """The gap because of which the condition of a problem is unknown."""
        steps = [fact.step for fact in facts if fact.step]
        rests_on = since if since is not None else max(steps, default=None)
        gap = self.gaps.last_concerning(about, len(self.steps))
        if gap is None:
            return None
        if rests_on is None:
            # A problem with the form of an entry, or with the entry alone, does not depend on gaps.
            return gap if gap.open and not _is_form(code) else None
        return gap if self.gaps.reach(gap, len(self.steps)) > rests_on else None

    @property
    def gap(self) -> int:
        """The entry up to which a gap about everything makes state uncertain; 0 without a gap."""
        return self.gap_since("") if self.gaps.recorded else 0

    def gap_since(self, state: str) -> int:
        """The entry up to which a gap about this kind of state, or about everything, makes it uncertain; 0
        without a gap."""
        gap = self.gaps.last_concerning(state, len(self.steps)) if self.gaps.recorded else None
        return self.gaps.reach(gap, len(self.steps)) if gap is not None else 0

    def uncertain_since(self, figure: str, state: str) -> int:
        """The entry since which a figure (``wealth:Ana``) is uncertain; 0 if it is known."""
        since = max(self.gap_since(state), self.gaps.figures.get(figure, 0))
        return since if since > self.counted.get(figure, 0) else 0

    def unrecorded(self, *figures: str) -> None:
        """Some figures changed in the current entry by unrecorded amounts: they are unknown until they are
        counted."""
        self.gaps.figures.update(dict.fromkeys(figures, self.step.index))

    def count(self, figure: str) -> None:
        """The players count a figure: earlier uncertainty about it ends."""
        since = max(self.lost_at, self.gaps.uncertain_since())
        if since > self.counted.get(figure, 0):
            self.counted[figure] = since
        self.settle(figure)

    def taint(self, *keys: str) -> None:
        """Make figures doubtful because of the last problem of this entry, or of all before the first."""
        problems = self.diagnostics if self.current is None else self.current.diagnostics
        if problems:
            for key in keys:
                self.tainted.setdefault(key, problems[-1])

    def settle(self, *keys: str) -> None:
        """End the doubt about figures that were counted."""
        for key in keys:
            self.tainted.pop(key, None)

    def because(self, step: int, text: str) -> Fact:
        """A related location: an earlier entry."""
        return Fact(text, self.steps[step - 1].action.place(), step) if step else Fact(text)

    def place_of_entry(self, step: int) -> Place | None:
        """The place of an earlier entry; None for entry 0."""
        return self.steps[step - 1].action.whole if step else None

    def facts(self, step: int, text: str) -> list[Fact]:
        """The same as a list; empty for entry 0."""
        return [self.because(step, text)] if step else []

    # -- doing -------------------------------------------------------------------------------------

    def event(self, text: str, rule: str = "", kind: str = "", subject: str = "") -> None:
        """Note an effect of the entry."""
        if self.gaps.recorded:
            text = by_somebody(text)
            text = text[:1].upper() + text[1:] if text.startswith(SOMEBODY) else text
        self.step.event(text, rule, kind, subject)

    def move(
        self, source: str, target: str, amount: int, unit: str, rule: str, why: str = ""
    ) -> None:
        """Post a movement between accounts."""
        index = self.current.index if self.current is not None else 0
        self.ledger.post(Posting(index, source, target, amount, unit, rule, why))

    def empty(self, source: str, target: str, unit: str, rule: str, why: str = "") -> None:
        """Post the whole balance of an account to another one."""
        self.move(source, target, self.balance(source, unit), unit, rule, why)

    def reverse(self, posting: Posting, why: str) -> None:
        """Post the reverse of a posting, which did not happen after all."""
        source, target = posting.target, posting.source
        self.move(source, target, posting.amount, posting.unit, posting.rule, why)

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
        at: Place | str | None = None,
    ) -> bool:
        """Post a payment from a purse that must not become negative. A missing amount comes from
        ``unexplained`` and is reported once, under ``code`` (default: the rule of the price)."""
        missing = amount - self.balance(source, unit)
        is_covered = True
        if missing > 0 < amount:
            key = source
            self.report(
                Finding.ILLEGAL,
                code or rule,
                message or f"{source} holds {holding(self, source, unit)} {unit} and pays {amount}",
                at=at,
                help=help,
                after=(key,),
                since=self.counted.get(key, 0),
                about="purses",
            )
            self.taint(key)
            self.move(
                UNEXPLAINED, source, missing, unit, code or rule, "met so that play can go on"
            )
            is_covered = False
        self.move(source, target, amount, unit, rule, why)
        return is_covered

    def spend(
        self, source: str, target: str, amount: int, unit: str, rule: str, why: str = ""
    ) -> None:
        """Post a payment that a guard has checked. If the log pays more than there is, the rest comes from
        ``unexplained``."""
        missing = amount - max(0, self.balance(source, unit))
        if missing > 0:
            self.move(UNEXPLAINED, source, missing, unit, rule, "met so that play can go on")
        self.move(source, target, amount, unit, rule, why)

    def open_scene(self, scene: Scene, *, anchored: bool = False, fork_of: int = 0) -> Scene:
        """Open a scene that begins with the current entry. ``anchored`` scenes get their place in the story
        by :func:`~chronicle.core.earlier.anchor`; ``fork_of`` is the number of a scene that this one tells
        another way."""
        scene.number = len(self.timeline.scenes) + 1
        scene.session, scene.first_step = self.step.session, self.step.index
        self.step.scene = scene.number
        if fork_of:
            return self.timeline.fork(scene, fork_of)
        return self.timeline.open(scene, anchored=anchored)

    def adjust(self, account: str, stated: str, unit: str, rule: str = "") -> None:
        """Set an account to a stated figure by a visible posting; ignored if it is no number."""
        try:
            stated_number = read_value(WHOLE, Word(stated))
        except Misread:
            return
        difference = stated_number - self.balance(account, unit)
        self.move(ADJUSTMENT, account, difference, unit, rule, "counted anew")

    def excused(self, code: str) -> bool:
        """Whether this entry knowingly departs from a rule (``allow`` or ``under``)."""
        return bool(self._excuse(code, Finding.ILLEGAL))

    def at_the_table(self, player: str, at: Place | str) -> None:
        """Report an action of a player who is away (T67), once until that player arrives."""
        if player and player not in self.present and not self.given:
            self.report(
                Finding.BOOKKEEPING,
                "T67",
                f"{player} is not at the table",
                at=at,
                fix=attends(self, player),
                after=("present:", away(player)),
            )
            self.taint(away(player))

    def player(
        self,
        word: Word | None,
        code: str = "T50",
        entitled: Callable[[], Iterable[str]] = tuple,
    ) -> str:
        """The player that a name means, or the player of a character; empty if unknown. A player and a
        character may share a name: above ``play starts:`` it is the player; later it is the one who is
        ``entitled``, or present, if only one is."""
        if word is None:
            return ""
        subject = self.names.find(word) if self.misnamed is None else None
        if isinstance(subject, Named):
            return (
                subject.name if subject.kind == PLAYER else self.rulebook.player_of(self, subject)
            )
        return self._player(word, code, entitled)

    def look_up_player(self, word: Word, entitled: Callable[[], Iterable[str]] = tuple) -> str:
        """The player that a name means, or the player of a character; empty if unknown. Nothing is reported."""
        result = self._look(
            word, (), None, lambda candidates: self._of_players(candidates, entitled)
        )
        return self._player_of(result) if isinstance(result, Named) else ""

    def _player(self, word: Word, code: str, entitled: Callable[[], Iterable[str]]) -> str:
        named = self.find(
            word,
            (),
            "player or character",
            code=code,
            choose=lambda candidates: self._of_players(candidates, entitled),
        )
        return "" if named is None else self._player_of(named)

    def _of_players(
        self, candidates: Sequence[Named], entitled: Callable[[], Iterable[str]]
    ) -> Named | None:
        """The only one of several subjects with one name whose player can be meant."""
        player_by_id = {candidate.id: self._player_of(candidate) for candidate in candidates}
        if self.given:
            player_by_id = {
                candidate.id: candidate.name for candidate in candidates if candidate.kind == PLAYER
            }
        players = {player for player in player_by_id.values() if player}
        for possible in (
            players,
            players.intersection(entitled()),
            players.intersection(self.present),
        ):
            if len(possible) == 1:
                return next(
                    candidate
                    for candidate in candidates
                    if player_by_id.get(candidate.id) in possible
                )
        return None

    def _embodied(self, candidates: Sequence[Named]) -> Named | None:
        """Of a player and a character with one name, the one who can be meant as a character: not a player
        without a character, or with another character than the present one."""
        embodied = self.rulebook.embodied
        ids = {
            candidate.id: embodied(self, candidate.id) if candidate.kind == PLAYER else candidate.id
            for candidate in candidates
        }
        embodied_ones = [candidate for candidate in candidates if ids[candidate.id]]
        for choices in (
            embodied_ones,
            [
                candidate
                for candidate in embodied_ones
                if self._player_of(candidate) in self.present
            ],
        ):
            if len({ids[candidate.id] for candidate in choices}) == 1:
                return min(choices, key=lambda candidate: candidate.kind == PLAYER)
        return None

    def _player_of(self, named: Named) -> str:
        return named.name if named.kind == PLAYER else self.rulebook.player_of(self, named)

    def lose(self, finding: Diagnostic) -> None:
        """Record that an unreadable entry was left out. Handlers that depend on its verb pass
        ``after=("dropped:VERB",)``."""
        self.lost.append(finding)
        self.tainted.setdefault(f"dropped:{finding.dropped[0]}", finding)
        self.tainted["lost:"] = finding
        self.lost_at = len(self.steps) + 1
        afresh = self.rulebook.afresh
        if afresh and finding.dropped[0] not in NARRATION:
            self.doubt = self.doubt or finding
            likely_verb = verb_meant(finding, self.rulebook.by_verb)
            if likely_verb in afresh:
                self.doubt_until = max(self.doubt_until, afresh.index(likely_verb))
            elif not self.timeline.scenes:
                self.doubt_until = len(afresh)

    def reopen(self, index: int) -> Step:
        """A step that may be changed. A step that a snapshot shares is replaced by a copy."""
        step = self.steps[index - 1]
        if index < self.since:
            step = self.steps[index - 1] = step.twin()
        return step

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """The attributes that a snapshot copies (:mod:`chronicle.core.snapshots`)."""
        slots = (name for name in self.__slots__ if name not in _NOT_IN_A_SNAPSHOT)
        return None, {name: getattr(self, name) for name in slots if hasattr(self, name)}

    def strike(
        self, index: int, by: str, rule: str, *, weighed: bool = False, decided: Any = None
    ) -> bool:
        """Retract an entry with its nested entries: it never happened. False if it was retracted before.
        ``by`` and ``rule`` tell the reader what retracted it; ``weighed``: the retraction depended on its
        effects, so both are judged as they were before. ``decided`` is the game's record of the decision,
        for the replay without the retracted entry (:attr:`decided`)."""
        step, current = self.steps[index - 1], self.step
        if step.struck:
            return False
        inner = {index}
        for later_step in self.steps[index : current.index - 1]:
            if later_step.parent in inner:
                inner.add(later_step.index)
        for inner_index in inner:
            inner_step = self.reopen(inner_index)
            inner_step.struck = current.index
            if (
                inner_step.action.id is not None
                and self.ids.get(str(inner_step.action.id)) == inner_index
            ):
                # The new version may have the same id.
                del self.ids[str(inner_step.action.id)]
        step = self.steps[index - 1]
        step.event(f"struck by {by}", rule, "undone")
        self.refer(current.index, index)
        self.taken_back.append(Retraction(step.action, current.action, by, rule, weighed, decided))
        return True

    def refer(self, index: int, other_index: int) -> None:
        """Link two steps to each other."""
        for from_index, to_index in ((index, other_index), (other_index, index)):
            step = self.reopen(from_index)
            if to_index not in step.links:
                step.links.append(to_index)

    @property
    def decided(self) -> Any:
        """The decision about the retraction by the current entry; None if none is known yet."""
        strike = self.foreseen.by(self.step.action)
        return None if strike is None else strike.retraction.decided

    # -- inside ------------------------------------------------------------------------------------

    def _blame_lost(self, word: str) -> None:
        """Attribute an unknown name to the unreadable entry that would have introduced it."""
        folded = fold(word)
        for finding in reversed(self.lost):
            if any(folded in fold(text) for text in finding.dropped[1:]):
                self.tainted.setdefault(f"name:{folded}", finding)
                return

    def _excuse(self, code: str, finding: Finding) -> str:
        action = self.step.action
        if action.allow:
            if self._allowed[0] is not action:
                reasons = {
                    tidy(id.rpartition(":")[2]): str(reason_given)
                    for id, reason_given in action.allow.items()
                }
                self._allowed = action, reasons
            reason = self._allowed[1].get(tidy(code))
            if reason is not None:
                return reason or "allowed"
        if finding not in _DEPENDS_ON_RECORD:
            return ""
        if self.always and (always := self.always.get(tidy(code))):
            return f"under {always}"
        if action.under:
            for word in action.under:
                touched = self.house_rules.get(self.cited(word))
                if touched is not None and (
                    not touched or any(tidy(code) == tidy(touched_rule) for touched_rule in touched)
                ):
                    return f"under {word}"
        return ""

    def mint(self, stem: str) -> str:
        """An id for an entry without one, numbered within its session, so that insertions elsewhere do not
        change it."""
        stem = f"{stem}-s{self.step.session}"
        self.minted[stem] = count = self.minted.get(stem, 0) + 1
        return f"{stem}-{count}"

    def cited(self, word: str) -> str:
        """The id of the house rule that a word of the log means; else the word itself."""
        if word not in self.house_rules and (number := once_numbered(self, word)):
            rules = self.house.rules.values()
            return next((rule.id for rule in rules if rule.step == number), str(word))
        return str(word)

    def adopt(
        self,
        id: str,
        words: str,
        touches: Iterable[str],
        computes: Mapping[Word, Word] | None,
        path: str,
    ) -> None:
        """Put a house rule in force; its formulas are in the file ``path``."""
        formulas = formulas_of(self, computes, path) if computes else {}
        step = self.current.index if self.current is not None else 0
        self.house_rules[id] = bent = tuple(str(code) for code in touches)
        self.house.adopt(AdoptedRule(id, str(words), step, bent, formulas))
        if step:
            self.rulebook.house_changed(self)

    def abandon(self, id: str) -> None:
        """End a house rule: it excuses nothing, and computes nothing."""
        self.house.drop(id, self.step.index)
        self.house_rules[id] = ("ended",)
        self.always = {code: rule_id for code, rule_id in self.always.items() if rule_id != id}
        self.rulebook.house_changed(self)

    def _hold_always(self, id: Word, touches: Sequence[Word]) -> None:
        self.always.update((tidy(code), str(id)) for code in touches)
        if not touches:
            self.report(
                Finding.UNREADABLE,
                "T52",
                f"the house rule '{id}' holds always and names no rule that it touches",
                at=Place(self.campaign.path, id.line, id.column, id.end_line, id.end_column),
                help="write the ids of the rules it bends:  touches: [U3.14]",
            )

    def _take_rulings(self) -> None:
        chosen = self.campaign.settings.rulings or {}
        if not chosen:
            return
        points = self.rulebook.registry().rulings
        for word, value in chosen.items():
            point = next((p for p in points if word == p.key or tidy(word) == tidy(p.id)), None)
            word_place = Place(
                self.campaign.path, word.line, word.column, word.end_line, word.end_column
            )
            if point is None:
                similar = nearest_words(word, [p.key for p in points if p.key])
                self.report(
                    Finding.UNREADABLE,
                    "T51",
                    f"no ruling '{word}' in this game{ask_whether(word, similar)}",
                    at=word_place,
                    fix=replace_with(similar, is_told=True),
                )
            elif str(value) not in point.readings:
                similar = nearest_words(value, list(point.readings))
                place = place_of(value, self.campaign.path)
                self.report(
                    Finding.UNREADABLE,
                    "T51",
                    f"ruling '{word}' has no reading '{value}'{ask_whether(value, similar)}",
                    at=word_place,
                    fix=replace_with(similar or point.readings, place, is_told=bool(similar)),
                    help="possible readings: " + ", ".join(point.readings) if similar else (),
                )
            else:
                self.rulings.choose(point.key, str(value))
