"""The table during a replay: what handlers read, require, pay and change."""

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
from chronicle.core.holes import SOMEBODY, Hole, Holes, by_somebody, holding, is_bound
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
"""The account that meets an overdraft, so that play can go on."""
ADJUSTMENT = "adjustment"
"""The account that corrections and re-counts are posted against."""

_HANGS_ON_THE_RECORD = frozenset({Finding.ILLEGAL, Finding.BOOKKEEPING, Finding.SUSPICIOUS})
"""Findings that hold only as far as the record is whole."""
NARRATION = frozenset({"tell", "say", "aside"})
"""Verbs that change nothing but the story."""


_ONCE = r"(?:event|fact|fate|dialog|house-rule)-(\d{1,9})(?:-\d+)?"
NOBODY_ACTS = "T56"
"""Under what it is told that an entry needs somebody whom the log does not name."""
MOST_TRACED = 1_000
"""How many movements back the range of a figure that is not known is traced."""
FEW = 8
"""Where no more names than these may stand, who is known is said of a name that is like none of them."""


def away(player: str) -> str:
    """What is in doubt once a player acts who is not at the table."""
    return f"away:{player}"


def attends(play: Play[Any], player: str) -> tuple[Fix, ...]:
    """The fixes for a player who acts and is not at the table: to arrive, or to be there from the start."""
    arrives = make_fix(InsertEntry(f"arrive: {player}"), safe=True)
    number = play.step.session
    session = next((one for one in play.campaign.sessions if one.number == number), None)
    if session is None:
        return (arrives,)
    if session.header.present is not None:
        return arrives, make_fix(AddToHead("present", player))
    away = [word for word in session.header.absent if fold(word) == fold(player)]
    places = [place_of(word, session.path) for word in away]
    return arrives, *(make_fix(RemoveItem(player, at, "absent")) for at in places)


def once_numbered(play: Play[Any], word: str) -> int:
    """The number in an id as it was once made (``event-12``): that of the step that made it. 0 if it is
    none."""
    found = re.fullmatch(_ONCE, word)
    if found is None:
        return 0
    return int(found[1])


def _name_keys(name: str) -> list[str]:
    """What may have been in doubt before about a name: all of it, its halves and its words."""
    parts = (name, *name.split("&"), *name.split()) if name else ()
    return [f"name:{fold(part)}" for part in parts]


def _is_form(code: str) -> bool:
    return code.startswith("T") and code[1:].isdigit()


def not_running(action: Action) -> Step:
    """What replays a nested entry where nothing is replayed.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError("nested entries are replayed by a Replay only")


class Refused(Exception):
    """Something is wrong with an entry that is only tried (:attr:`Play.trying`): the rule and the message."""


class Said(TypedDict, total=False):
    """What may be said with a finding, as :meth:`Play.report` takes it."""

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
    """A value that fits a key now: ``("draw", "Patience", "tarred twice")`` is a Trait under the name of
    its Component, under the verb. ``note`` says in a few words what it brings. Where it is only
    named because people look for it, ``why`` says what is in the way."""

    path: tuple[str, ...]
    note: str = ""
    why: str = ""
    opens: bool = False
    """Whether it is a key, with a value of its own behind it: ``{character: Ines}``."""


class Option(NamedTuple):
    """Something that may come next: for ``explain``, completion and random play.

    ``entry`` makes a concrete, legal entry (a mapping as it would be typed), given a seeded random
    source; its first key is the verb. ``price`` is what it costs whoever does it, and in which unit
    (None: that depends on what is written, or is nobody's question). ``rare`` is what random play seldom
    does, for it ends what would else go on.
    """

    verb: str
    by: str
    hint: str
    rule: str
    entry: Callable[[Random], dict[str, Any]]
    price: tuple[int, str] | None = None
    rare: bool = False
    again: bool = False
    """Whether it only states what has come about by itself: it may, and nobody is asked for it."""
    said: str = ""
    """In which words it is told, where those were agreed on already: that is what everybody waits for."""

    @classmethod
    def plain(cls, verb: str, by: str, hint: str, rule: str, value: Any, /, **more: Any) -> Option:
        """One whose entry is the verb, its value, and whatever further keys are not None (``for_`` is
        ``for``). What is not always the same is a function that makes it, given the random source."""
        named = {key.rstrip("_").replace("_", " "): one for key, one in more.items()}
        keys = {verb: value, **named}

        def entry(rng: Random) -> dict[str, Any]:
            made = {key: one(rng) if callable(one) else one for key, one in keys.items()}
            return {key: one for key, one in made.items() if one is not None or key == verb}

        return cls(verb, by, hint, rule, entry)


def one_of(among: Sequence[V]) -> Callable[[Random], V]:
    """One of these, as the random source has it: a value for :meth:`Option.plain`."""
    return lambda rng: rng.choice(among)


class Due(NamedTuple):
    """Something that somebody owes the table now, by the figures the game holds it against.

    ``who`` is a character or a player (empty: the table), ``what`` says it in a few words (``green
    dice``, ``an answer``). Where it is counted, there are ``amount`` of a ``kind``: the colour or else the
    die that a throw shows, a unit of the ledger. ``sources`` say where they come from. ``verb`` settles
    it, ``rule`` asks for it.
    """

    who: str
    what: str
    verb: str
    rule: str
    amount: int = 0
    kind: str = ""
    sources: tuple[tuple[str, int], ...] = ()
    within: str = ""
    """In which contest, by its title, where several may be at hand."""

    def __str__(self) -> str:
        counted = f"{self.amount} {self.what}" if self.amount else self.what
        told = f"{self.who}: {counted}" if self.who else counted
        return told + (f" ({self.why()})" if self.sources else "")

    def why(self) -> str:
        """The sources in words: ``links with Ruth 5, Stress 1``."""
        return ", ".join(f"{label} {count}" for label, count in self.sources)


class Standing(NamedTuple):
    """Where play is, for a page that shows one line large: what is waited for, what else is known of it,
    in what that lies from the outside in (a scene, a contest, its stage), and whose turn it is."""

    headline: str
    more: str = ""
    crumbs: tuple[str, ...] = ()
    turn: str = ""


class Pad(NamedTuple):
    """What one of the things can show that are due: for whoever taps in what fell. ``hits`` are the faces
    that count (none: that depends on more than the face), ``chains`` those that earn another throw,
    ``colour`` is a word of the game, ``deed`` what somebody does with it (rolls, plays, bids)."""

    faces: tuple[str, ...]
    hits: tuple[str, ...] = ()
    chains: tuple[str, ...] = ()
    colour: str = ""
    deed: str = "rolls"


class Thrown(NamedTuple):
    """What fell of one kind of thing that was due, in order: ``extra`` are those that were earned."""

    who: str
    kind: str
    faces: tuple[str, ...]
    extra: tuple[str, ...] = ()


class Limits(NamedTuple):
    """The lowest and the highest that a figure can be (None: no end), and the rule that says so (none:
    the one that made it what it is)."""

    least: int | None = None
    most: int | None = None
    rule: str = ""

    def hold(self, number: int) -> bool:
        """Whether the figure can be this number."""
        low = self.least is not None and number < self.least
        return not low and (self.most is None or number <= self.most)


class Measure(NamedTuple):
    """A figure that ``assert:`` can check and ``correct:`` can set.

    ``kinds`` are the kinds of names it is asked of (empty: one figure for the whole game).
    ``read(play, id)`` gives the figure, or None where the record does not say; ``write`` sets it by
    a visible adjustment (None: it cannot be set). ``rule(play, id)`` names the rule that made the
    figure what it is, so that a wrong figure is reported under it. ``limits`` are what it can be set
    to, ``words`` what else it may be; ``crossed(play, id, was)`` is what its new value means, in play
    and wherever it is set.
    """

    doc: str
    kinds: tuple[str, ...]
    read: Callable[[Play[Any], str], int | str | None]
    write: Callable[[Play[Any], str, str], bool | None] | None = None
    rule: Callable[[Play[Any], str], str] | None = None
    limits: Callable[[Play[Any], str], Limits] | None = None
    words: tuple[str, ...] = ()
    crossed: Callable[[Play[Any], str, int | str | None], None] | None = None
    about: str = "tracks"
    """Which holes make it uncertain, as ``gap:`` names them."""
    account: str = ""
    """The kind of account whose balance it is, if it is one."""
    unit: str = ""
    """In which unit of the ledger."""
    names: tuple[str, ...] = ()
    """The kinds of names that its value is one of, if it is a name."""

    def key(self, name: str, id: str) -> str:
        """What the figure is called where it is counted, doubted or not known: ``wealth:Ana``."""
        return f"{self.account or name}:{id}"


class Thing(NamedTuple):
    """Something of a game that ``snapshot:`` says as it is and that is no single figure: cards, the open
    scene. ``set(play, value)`` makes it so, and gives what had been otherwise, in sentences; ``then`` does
    the rest of it, when all things are set."""

    doc: str
    kind: Kind[Any]
    set: Callable[[Play[Any], Any], list[str]]
    then: Callable[[Play[Any], Any], list[str]] | None = None


def scene_label(scene: Scene) -> str:
    """``Scene 7, The Patience puts out``."""
    head = f"{scene.kind.capitalize()} {scene.number}"
    return f"{head}, {scene.title}" if scene.title and scene.title != head else head


def _parted(sentence: str) -> tuple[str, str]:
    """What a sentence says first, and the rest of it."""
    found = re.match(r"(.+?)(: |; |\. |\.$)(.*)", sentence)
    if found is None:
        return sentence, ""
    rest = found[3].rstrip(".")
    return found[1], f"{rest[:1].upper()}{rest[1:]}." if rest else ""


class Playable(Game, Generic[S]):
    """A game as far as the table asks it: how it starts, what it counts, where it stands."""

    things: ClassVar[Mapping[str, Thing]] = MappingProxyType({})
    """What a snapshot can set besides figures, in the order in which it is set."""

    by_measure: Mapping[str, Measure]
    """Every figure of the game, those of all games among them."""

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
        """Called for an entry of which nobody wrote down whose it is, or whom it means."""

    def left_out(self, play: Play[S], finding: Diagnostic) -> None:
        """Called for every entry that could not be read: puts in doubt what it would have changed."""

    def skip(self, play: Play[S], player: str) -> bool:
        """Let a player's turn pass over to the next; False if it is not theirs."""
        return False

    def options(self, play: Play[S]) -> list[Option]:
        """What may come next. Every verb of the game appears here in some reachable state."""
        return []

    def offers(self, play: Play[S], verb: str, by: str) -> Iterable[Offer]:
        """The values that fit the keys of a verb now, where the roles of the law do not say it; ``by``:
        whose entry it would be, where that is known."""
        return ()

    def due(self, play: Play[S]) -> list[Due]:
        """What is owed now, the first thing first: who rolls what, who answers, who pays. What is
        counted here is what the game holds the next entry against."""
        return []

    def pad(self, play: Play[S], due: Due) -> Pad | None:
        """What a thing that is due can show; None where nothing falls (an answer, a bid)."""
        return None

    def odds(self, play: Play[S], due: Sequence[Due]) -> list[str]:
        """What may come of what is ``due`` to be thrown, and how likely, a line each: what stands on the
        card of the throw afterwards."""
        return []

    def thrown(self, verb: str, dice: Sequence[Thrown], within: str = "") -> dict[str, Any]:
        """The entry for what fell: by who threw it, and by kind where somebody threw several.
        ``within`` names the contest where several are at hand."""
        value: dict[str, Any] = {}
        for who in dict.fromkeys(one.who for one in dice):
            own = {one.kind: written(one.faces, one.extra) for one in dice if one.who == who}
            value[who] = next(iter(own.values())) if len(own) == 1 else own
        return {verb: value}

    def situation(self, play: Play[S]) -> str:
        """Where play is, in one sentence: ``Ana speaks in scene 3, "The hall"``."""
        return ""

    def over(self, play: Play[S]) -> bool:
        """Whether the story is told, by the rules of the game."""
        return False

    def standing(self, play: Play[S]) -> Standing:
        """Where play is, in parts: by default those of the sentence of :meth:`situation`."""
        scene = play.timeline.current
        crumbs = (scene_label(scene),) if scene is not None else ()
        sentence = self.situation(play)
        headline, more = _parted(sentence)
        outside = scene is None and sentence.startswith(f"{headline}:")
        if more and (outside or (scene is not None and scene.title and scene.title in headline)):
            # The first part says only where that is.
            return Standing(more.rstrip("."), "", crumbs or (headline,))
        return Standing(headline, more, crumbs)

    def owing(self, play: Play[S]) -> tuple[Block, ...]:
        """What is owed beside the game's own turns, for whoever keeps the record: loans, wages, work
        that waits to be handed in."""
        return ()

    def panel(self, play: Play[S]) -> tuple[Block, ...]:
        """The state of play now, for the site, ``state`` and ``explain``."""
        return ()


def drawn(draw: Callable[Concatenate[Play[S], P], None]) -> Callable[Concatenate[Play[S], P], None]:
    """What only draws an entry for those who read it, and finds nothing: left out where nobody does."""

    @wraps(draw)
    def only_if_read(play: Play[S], /, *args: P.args, **more: P.kwargs) -> None:
        if play.read:
            draw(play, *args, **more)

    return only_if_read


_NOT_IN_A_SNAPSHOT: Final = frozenset(
    {"steps", "diagnostics", "anchors", "campaign", "entry_index", "foreseen", "perform"}
)


class Play(Generic[S]):
    """The table during a replay: what handlers read, require, pay and change.

    ``state`` belongs to the game. ``step`` is the entry at work. ``tainted`` remembers which figures
    an earlier mistake has put in doubt, so that what follows from it is folded under it.
    """

    # More attributes than an instance keeps in places of their own without this; they are read all the time.
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
        "given",
        "holes",
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
        """Whether somebody reads the steps; else only what is found counts (:func:`drawn`)."""
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
        """Ids that ``under:`` may cite, each with the rule ids it touches (none: any)."""
        self.house = House()
        """The same rules, as far as they compute, and what they did."""
        self.counting = False
        """Whether an entry is at work, so that what is asked of the rules is done by them."""
        self.asked = False
        """Whether nothing is played now, so that what is asked of the rules is somebody's question."""
        self.always: dict[str, str] = {}
        """Rule ids, made comparable, to the house rule that holds against them in the whole campaign."""
        self.questions = Questions()
        self.emblems: dict[str, Chosen] = {}
        """The drawings that were chosen, by the ids of those whom they stand for."""
        self.ids: Slots[int] = Slots()
        """Permanent ids of entries, to their steps."""
        self.minted: dict[str, int] = {}
        """How many ids of each kind were made in each evening."""
        self.holes = Holes()
        """What the record does not say."""
        self.counted: dict[str, int] = {}
        """Figures the table has counted (``wealth:Ana``), to the last entry for which they had not been
        known: not to the one that counted, so that one more count where all is known changes nothing."""
        self.given: bool = False
        """Whether entries above ``play starts:`` are being read: given, free and outside turns."""
        self.tainted: dict[str, Diagnostic] = {}
        self.current: Step | None = None
        """The entry at work; None before the first one."""
        self.step: Step
        """The same for handlers, which run for an entry and ask all the time (:meth:`work_on`)."""
        self.barred: set[tuple[str, int, int]] = set()
        """Where the names stand that the law has spoken against (:func:`chronicle.core.law.barred`)."""
        self._allowed: tuple[Action | None, dict[str, str]] = (None, {})
        """What the entry asked about last allows by itself: the ids, made comparable, and why."""
        self.misnamed: Diagnostic | None = None
        """The last finding about a name that nobody has: the rest of its entry may look wrong for it."""
        self.lost: list[Diagnostic] = []
        """Findings about entries above that could not be read and were left out."""
        self.doubt: Diagnostic | None = None
        """The entry left out that makes all of this moment uncertain, so that what is found now is
        folded under it. A game sets it and takes it back, in ``before``."""
        self.lost_at: int = 0
        """The entry above which the last of them was left out."""
        self.doubt_until: int = 0
        """Which of the rulebook's ``afresh`` verbs, or any after it, clears it up: none of them when
        what was left out prepared the game."""
        self.perform: Callable[[Action], Step] = not_running
        """Replay a nested entry (one paid from the purse of another); set by the replay."""
        self.foreseen = Retractions()
        """What is known to be struck further down."""
        self.taken_back: list[Retraction] = []
        """The entries that were struck."""
        self.entry_index: Any = None
        """The index of words that the references of this log were found with (:mod:`chronicle.core.earlier`)."""
        self.figures_stated = 0
        """How many figures the log has stated for comparison."""
        self.figures_compared = 0
        """How many of them could be compared with what was computed."""
        self.trying = False
        """Whether an entry is only tried: the first problem raises :class:`Refused`, and nothing is filed."""
        self.phase = ""
        """The phase of play after the last entry, as the law of the game names it."""
        self.phase_began = 0
        """The entry that brought it; 0 if play began with it."""
        self.since = 1
        """The first step of the entry of the log at work: one above it is changed by :meth:`reopen`."""
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
        """Let another entry be the one at work: the one that was."""
        before, self.current = self.current, step
        if step is not None:
            self.step = step
        return before

    # -- asking ------------------------------------------------------------------------------------

    def ruling(self, key: str) -> str:
        """The reading in force for a silent point; remembered as having mattered here, if it did: whoever
        asks how things stand changes nothing."""
        if self.asked:
            return self.rulings[key]
        used = self.rulings_used.setdefault(key, [])
        index = self.current.index if self.current is not None else 0
        if not used or used[-1] != index:
            used.append(index)
        return self.rulings[key]

    def left_of(self, player: str, among: Sequence[str] | None = None) -> str:
        """The next player clockwise, among those given (all present by default)."""
        seats, circle = self.seats, self.present if among is None else among
        next_seat = seats.index(player) + 1 if player in seats else 0
        for one in (*seats[next_seat:], *seats[:next_seat]):
            if one in circle:
                return one
        return player

    def balance(self, account: str, unit: str) -> int:
        """What an account holds now."""
        return self.ledger.balance(account, unit)

    def figure(self, name: str, id: str) -> Range:
        """A figure of somebody, as far as the record says: within its limits where it is not known."""
        measure = self.rulebook.by_measure[name]
        key, value = measure.key(name, id), measure.read(self, id)
        if not isinstance(value, int):
            return Range()
        bound = bool(measure.unit) and is_bound(self, key, measure.unit)
        since = self.unsure(key, measure.about)
        if not bound and not since:
            return exactly(value)
        limits = measure.limits(self, id) if measure.limits is not None else Limits()
        if bound:
            return Range(limits.least, value)
        return self._moved_since(since, key, measure.unit, limits)

    def _moved_since(self, since: int, account: str, unit: str, limits: Limits) -> Range:
        """What an account can hold if nothing is known of it but its limits and its movements after an entry."""
        postings = self.ledger.postings[-MOST_TRACED:]
        known = Range(limits.least, limits.most)
        if not unit or (len(postings) == MOST_TRACED and postings[0].step > since):
            return known
        for posting in postings:
            if posting.step > since and posting.unit == unit:
                change = (posting.target == account) - (posting.source == account)
                moved = known.plus(change * posting.amount) if change else known
                known = moved.within(limits.least, limits.most)
        return known

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
        """Who or what a name means; of several who are called so, the one to ``choose``, if only one can
        be meant. A miss is reported once (``what`` is 'player', 'character') and gives the one that was
        evidently meant, or None; the caller then does without."""
        found = self._look(word, kinds, within, choose)
        if isinstance(found, Named) and not self._told(word, found):
            return found
        if unrecorded(word):
            self._nobody_wrote(word, what)
            return None
        if isinstance(found, Named):
            message = f"no {what} '{word}'{where}; did you mean '{found.name}'?"
            fixes = replace_with([found.name], old=str(word), is_told=True)
        elif found.candidates:
            message = f"{found.message}; write more of the name"
            names = [one.name for one in found.candidates]
            fixes = replace_with(names, old=str(word))
        else:
            message = f"no {what} '{word}'{where}{found.message}"
            asked = {*kinds} - {PLAYER} or {PLAYER}
            known = [one.name for one in self.names.all.values() if one.kind in asked]
            fixes = replace_with(found.similar, old=str(word), is_told=True)
            if 0 < len(known) <= FEW and within is None and not found.similar:
                fixes = replace_with(known, old=str(word))
        self._blame_lost(word)
        miss = self.report(Finding.UNREADABLE, code, message, at=word, fix=fixes, name=word)
        if isinstance(found, Named):
            return found
        if miss.cause is not None and miss.cause.dropped:
            return None
        return self.meant(word, kinds, within)

    def look_up(self, word: Word, kinds: Collection[str]) -> Named | None:
        """Who or what a name means; None if that is not known. Nothing is reported."""
        found = self._look(word, kinds, None, None)
        return found if isinstance(found, Named) else None

    def _look(
        self,
        word: Word,
        kinds: Collection[str],
        within: Iterable[str] | None,
        choose: Callable[[Sequence[Named]], Named | None] | None,
    ) -> Named | Miss:
        found = self.names.find(word, kinds, within)
        if isinstance(found, Named) or not found.candidates:
            return found
        if choose is None and PLAYER in kinds:
            choose = self._embodied
        only = choose(found.candidates) if choose is not None else None
        return only if only is not None else found

    def _nobody_wrote(self, word: Word, what: str) -> None:
        """Nobody wrote down who it was whom an entry names: what hangs on that is not known, as where
        nobody wrote down whose act it is."""
        told = self.misnamed is not None and self.misnamed.step == self.step.index
        if self.somebody or told:
            return
        self.rulebook.by_somebody(self, self.step.action)
        message = f"the record does not say which {what} it was"
        self.misnamed = self.report(Finding.UNKNOWN, NOBODY_ACTS, message, at=word)

    @property
    def somebody(self) -> bool:
        """Whether nobody wrote down whose act the entry at work is."""
        step = self.current
        return step is not None and step.speaker == SOMEBODY and not step.player

    def unnamed(self, word: Word) -> bool:
        """Whether a name says that nobody wrote down who it was."""
        # Asked of every name, and most are shorter.
        return (
            len(word) >= len(UNRECORDED)
            and unrecorded(word)
            and not isinstance(self.names.find(word), Named)
        )

    def outstanding(self, unit: str) -> int:
        """What somebody has paid and nobody knows who: whoever was not counted since may have less."""
        return -self.balance(SOMEBODY, unit)

    def was_theirs(self, account: str, unit: str, less: int) -> bool:
        """Whether a purse that holds so much less than was computed may have paid what somebody did; if
        so, it has."""
        if not 0 < less <= self.outstanding(unit) or not is_bound(self, account, unit):
            return False
        self.move(account, SOMEBODY, less, unit, "", "as counted")
        self.event(f"{less} of what somebody paid was theirs", kind="adjusted")
        return True

    def meant(
        self, word: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | None:
        """Who or what a name that leads nowhere evidently means; it means that from now on. What was
        found about the name is reported by whoever asks."""
        meant = self.names.likely_subject(word, kinds, within)
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
        finding: Finding = Finding.ILLEGAL,
        **more: Unpack[Said],
    ) -> bool:
        """Hold a rule: report ``message`` under ``code`` unless ``condition``. Returns the condition;
        the handler goes on either way. ``after`` names tainted figures: when one of them is in doubt
        because of an earlier mistake, this one is folded under it. ``name``, ``since``, ``about`` and
        ``lasting`` as in ``report``."""
        if not condition:
            self.report(finding, code, message, **more)
        return condition

    def illegal(self, code: str, message: str, **more: Unpack[Said]) -> bool:
        """Report ``message`` under a rule that the handler has found broken. Returns False."""
        return self.require(False, code, message, **more)

    def unreadable(self, code: str, message: str, **more: Unpack[Said]) -> Diagnostic:
        """Report that something of the entry cannot be made out."""
        return self.report(Finding.UNREADABLE, code, message, **more)

    def unknown(self, code: str, message: str, **more: Unpack[Said]) -> Diagnostic:
        """Report that the record does not say something."""
        return self.report(Finding.UNKNOWN, code, message, **more)

    def untold(self, code: str, message: str, **more: Unpack[Said]) -> Diagnostic:
        """Report that the record does not say how something went: what rests on it is as little known
        in this scene, and what it would have changed later on, as if the entry could not be read."""
        found = self.unknown(code, message, **more)
        found.dropped = (self.step.action.verb,)
        self.rulebook.left_out(self, found)
        self.miss()
        return found

    def miss(self) -> None:
        """What rests on the entry at work is not known in this scene, unless it is ``told`` after all."""
        self.holes.open(self.step.index, (), ("scene", "snapshot"), outcome=True)

    def told(self, steps: Collection[int]) -> None:
        """How it went at these entries, which was lost, is known now."""
        self.holes.close_outcomes(steps)

    def suspect(self, condition: bool, code: str, message: str, **more: Unpack[Said]) -> bool:
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
        """File a finding against the entry at work (or the campaign, outside entries): its verb, or
        ``at`` a place, a word or the value of a key in it. ``fix`` are ways to solve it: edits without a
        place are made in this entry, those of words ``at`` the place. The help is made from them, and
        ``help`` says in words what no fix can do. ``name`` is a
        name that leads nowhere: what follows from that is folded under it, here and further down.
        ``since`` is the entry that made so what this rests on (without it, the last one of ``facts``),
        and ``about`` what it is about: after a hole in the record nobody knows whether it is so still,
        unless it is ``lasting``.

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
        hole = None
        if excused:
            finding = Finding.EXCUSED
        elif finding is Finding.UNREADABLE and (self.somebody or code == NOBODY_ACTS):
            # Who it was is just what the record does not say.
            found_open = self.holes.last("", len(self.steps))
            hole = found_open if found_open is not None and found_open.open else None
            finding = Finding.UNKNOWN if self.somebody else finding
        elif self.holes.found and not lasting and finding in _HANGS_ON_THE_RECORD:
            hole = self._hole_after(code, since, facts, about)
        if hole is not None:
            finding = Finding.UNKNOWN
            message = by_somebody(message)
            if all(fact.step != hole.step for fact in facts):
                facts = (*facts, self.because(hole.step, "the record does not say all here"))
        elif since is not None and not lasting and not excused:
            gap = mark_gap()
            fix = (*((fix,) if isinstance(fix, Fix) else fix), gap)
        game = "" if _is_form(code) else self.rulebook.name
        found = Diagnostic(
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
        cause = self._cause_of(found, (*after, *_name_keys(name)))
        if hole is not None and cause is None:
            cause, hole.told = hole.told, hole.told or found
        unknown = cause is not None and cause.finding is Finding.UNKNOWN
        if cause is not None and unknown and finding is not Finding.UNREADABLE:
            # What the record does not say may well make this right.
            found.finding, found.severity = cause.finding, cause.severity
        if cause is not None and cause.severity >= found.severity:
            found.cause = cause
            cause.dependents.append(found)
        self.diagnostics.append(found)
        if step is not None:
            step.diagnostics.append(found)
        if name:
            self.misnamed = found
            self.tainted.setdefault(f"name:{fold(name)}", found)
        return found

    def _cause_of(self, found: Diagnostic, keys: Iterable[str]) -> Diagnostic | None:
        """What a finding follows from: an earlier one that put in doubt what it is about."""
        for key in keys:
            cause = self.tainted.get(key)
            if cause is not None and cause is not found:
                return cause.cause or cause
        step = self.current
        if step is not None and step.action.problem is not None:
            return step.action.problem
        miss = self.misnamed if found.finding is not Finding.UNREADABLE else None
        if miss is not None and miss.step == found.step:
            return miss.cause or miss
        return self.doubt

    def _hole_after(
        self, code: str, since: int | None, facts: Sequence[Fact], about: str
    ) -> Hole | None:
        """The hole for which nobody knows whether something wrong was so."""
        steps = [fact.step for fact in facts if fact.step]
        rests_on = since if since is not None else max(steps, default=None)
        hole = self.holes.last(about, len(self.steps))
        if hole is None:
            return None
        if rests_on is None:
            # A finding of the form of an entry, or one of the entry by itself, is no less sure for it.
            return hole if hole.open and not _is_form(code) else None
        return hole if self.holes.reach(hole, len(self.steps)) > rests_on else None

    @property
    def gap(self) -> int:
        """Until which entry the record has a hole about everything; 0 if it is whole."""
        return self.hole("") if self.holes.found else 0

    def hole(self, about: str) -> int:
        """The same, about something in particular or about everything."""
        hole = self.holes.last(about, len(self.steps)) if self.holes.found else None
        return self.holes.reach(hole, len(self.steps)) if hole is not None else 0

    def unsure(self, figure: str, about: str) -> int:
        """Since which entry nobody knows a figure (``wealth:Ana``) for certain; 0 if it is known."""
        since = max(self.hole(about), self.holes.figures.get(figure, 0))
        return since if since > self.counted.get(figure, 0) else 0

    def unrecorded(self, *figures: str) -> None:
        """What happens to some figures in the entry at work is not recorded: nobody knows them until
        they are counted."""
        self.holes.figures.update(dict.fromkeys(figures, self.step.index))

    def count(self, figure: str) -> None:
        """The table counts a figure: whatever has made it uncertain by now is over."""
        since = max(self.lost_at, self.holes.since())
        if since > self.counted.get(figure, 0):
            self.counted[figure] = since
        self.settle(figure)

    def taint(self, *keys: str) -> None:
        """Put figures in doubt because of the last finding of this entry, or of all before the first."""
        found = self.diagnostics if self.current is None else self.current.diagnostics
        if found:
            for key in keys:
                self.tainted.setdefault(key, found[-1])

    def settle(self, *keys: str) -> None:
        """Take figures out of doubt (they were counted anew)."""
        for key in keys:
            self.tainted.pop(key, None)

    def because(self, step: int, text: str) -> Fact:
        """A fact that an earlier entry established, with its line."""
        return Fact(text, self.steps[step - 1].action.place(), step) if step else Fact(text)

    def place_of_entry(self, step: int) -> Place | None:
        """Where an earlier entry stands; None where there was no such entry (0)."""
        return self.steps[step - 1].action.whole if step else None

    def facts(self, step: int, text: str) -> list[Fact]:
        """The same as a list; an empty one where there was no such entry (0)."""
        return [self.because(step, text)] if step else []

    # -- doing -------------------------------------------------------------------------------------

    def event(self, text: str, rule: str = "", kind: str = "", subject: str = "") -> None:
        """Note one thing the entry did."""
        if self.holes.found:
            text = by_somebody(text)
            text = text[:1].upper() + text[1:] if text.startswith(SOMEBODY) else text
        self.step.event(text, rule, kind, subject)

    def move(
        self, source: str, target: str, amount: int, unit: str, rule: str, why: str = ""
    ) -> None:
        """Book a movement between accounts."""
        index = self.current.index if self.current is not None else 0
        self.ledger.post(Posting(index, source, target, amount, unit, rule, why))

    def empty(self, source: str, target: str, unit: str, rule: str, why: str = "") -> None:
        """Book all that an account holds to another one."""
        self.move(source, target, self.balance(source, unit), unit, rule, why)

    def reverse(self, posting: Posting, why: str) -> None:
        """Book a movement the other way round: it did not happen after all."""
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
        """Book a payment from a purse that must not run below zero. What is missing is met from
        ``unexplained`` and reported once, under ``code`` (default: the rule that asks the price)."""
        short = amount - self.balance(source, unit)
        paid = True
        if short > 0 < amount:
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
            self.move(UNEXPLAINED, source, short, unit, code or rule, "met so that play can go on")
            paid = False
        self.move(source, target, amount, unit, rule, why)
        return paid

    def spend(
        self, source: str, target: str, amount: int, unit: str, rule: str, why: str = ""
    ) -> None:
        """Book a payment that a guard has checked. Where the log pays more than there is, the rest comes from
        ``unexplained``, so that play can go on."""
        short = amount - max(0, self.balance(source, unit))
        if short > 0:
            self.move(UNEXPLAINED, source, short, unit, rule, "met so that play can go on")
        self.move(source, target, amount, unit, rule, why)

    def open_scene(self, scene: Scene, *, anchored: bool = False, fork_of: int = 0) -> Scene:
        """Open a scene; the entry at work is its first. ``anchored`` scenes get their place in the story
        by :func:`~chronicle.core.earlier.anchor`; ``fork_of`` is the number of a scene that this one
        tells another way."""
        scene.number = len(self.timeline.scenes) + 1
        scene.session, scene.first_step = self.step.session, self.step.index
        self.step.scene = scene.number
        if fork_of:
            return self.timeline.fork(scene, fork_of)
        return self.timeline.open(scene, anchored=anchored)

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

    def at_the_table(self, player: str, at: Place | str) -> None:
        """Question an act of a player who is away (T67), once until that player comes."""
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
        """The player a name means, or the player behind a character; empty when unknown. A player and a
        character may have one name: above ``play starts:`` nobody acts as a character, and later on it is
        whoever is ``entitled``, or is there, if only one of them is."""
        if word is None:
            return ""
        only = self.names.find(word) if self.misnamed is None else None
        if isinstance(only, Named):
            return only.name if only.kind == PLAYER else self.rulebook.player_of(self, only)
        return self._player(word, code, entitled)

    def look_up_player(self, word: Word, entitled: Callable[[], Iterable[str]] = tuple) -> str:
        """The player a name means, or the player behind a character; empty if that is not known.
        Nothing is reported."""
        found = self._look(word, (), None, lambda several: self._of_players(several, entitled))
        return self._behind(found) if isinstance(found, Named) else ""

    def _player(self, word: Word, code: str, entitled: Callable[[], Iterable[str]]) -> str:
        named = self.find(
            word,
            (),
            "player or character",
            code=code,
            choose=lambda several: self._of_players(several, entitled),
        )
        return "" if named is None else self._behind(named)

    def _of_players(
        self, several: Sequence[Named], entitled: Callable[[], Iterable[str]]
    ) -> Named | None:
        """Of several of one name, the one whose player alone can be meant."""
        behind = {one.id: self._behind(one) for one in several}
        if self.given:
            behind = {one.id: one.name for one in several if one.kind == PLAYER}
        players = {player for player in behind.values() if player}
        for who in (
            players,
            players.intersection(entitled()),
            players.intersection(self.present),
        ):
            if len(who) == 1:
                return next(one for one in several if behind.get(one.id) in who)
        return None

    def _embodied(self, several: Sequence[Named]) -> Named | None:
        """Of a player and a character of one name, the one who can be meant as a character: not a player
        who has none, or another one than who is there."""
        embodied = self.rulebook.embodied
        ids = {one.id: embodied(self, one.id) if one.kind == PLAYER else one.id for one in several}
        able = [one for one in several if ids[one.id]]
        for among in (able, [one for one in able if self._behind(one) in self.present]):
            if len({ids[one.id] for one in among}) == 1:
                return min(among, key=lambda one: one.kind == PLAYER)
        return None

    def _behind(self, named: Named) -> str:
        return named.name if named.kind == PLAYER else self.rulebook.player_of(self, named)

    def lose(self, finding: Diagnostic) -> None:
        """Remember that an entry was left out. Handlers that miss what its verb would have done pass
        ``after=("dropped:VERB",)``."""
        self.lost.append(finding)
        self.tainted.setdefault(f"dropped:{finding.dropped[0]}", finding)
        self.tainted["lost:"] = finding
        self.lost_at = len(self.steps) + 1
        afresh = self.rulebook.afresh
        if afresh and finding.dropped[0] not in NARRATION:
            self.doubt = self.doubt or finding
            meant = verb_meant(finding, self.rulebook.by_verb)
            if meant in afresh:
                self.doubt_until = max(self.doubt_until, afresh.index(meant))
            elif not self.timeline.scenes:
                self.doubt_until = len(afresh)

    def reopen(self, index: int) -> Step:
        """A step, to be changed. One that a snapshot may share is replaced by a copy."""
        step = self.steps[index - 1]
        if index < self.since:
            step = self.steps[index - 1] = step.twin()
        return step

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """What a snapshot copies (:mod:`chronicle.core.snapshots`)."""
        slots = (name for name in self.__slots__ if name not in _NOT_IN_A_SNAPSHOT)
        return None, {name: getattr(self, name) for name in slots if hasattr(self, name)}

    def strike(
        self, index: int, by: str, rule: str, *, weighed: bool = False, decided: Any = None
    ) -> bool:
        """Take an entry back, and whatever was nested in it: it never happened. False if that was
        done before. ``by`` and ``rule`` say for a reader what struck it; ``weighed``: what was done to
        strike it depended on what it had done, so both are looked at as they were at the table.
        ``decided`` is what the game wants to know of that, when it comes here again without the struck
        entry (:attr:`decided`)."""
        step, now = self.steps[index - 1], self.step
        if step.struck:
            return False
        inner = {index}
        for other in self.steps[index : now.index - 1]:
            if other.parent in inner:
                inner.add(other.index)
        for its in inner:
            one = self.reopen(its)
            one.struck = now.index
            if one.action.id is not None and self.ids.get(str(one.action.id)) == its:
                # The new version may have the same id.
                del self.ids[str(one.action.id)]
        step = self.steps[index - 1]
        step.event(f"struck by {by}", rule, "undone")
        self.refer(now.index, index)
        self.taken_back.append(Retraction(step.action, now.action, by, rule, weighed, decided))
        return True

    def refer(self, index: int, other: int) -> None:
        """Link two steps to each other."""
        for one, elsewhere in ((index, other), (other, index)):
            step = self.reopen(one)
            if elsewhere not in step.links:
                step.links.append(elsewhere)

    @property
    def decided(self) -> Any:
        """How the entry at work, which strikes another, was decided at the table; None where nothing is
        known of that yet."""
        strike = self.foreseen.by(self.step.action)
        return None if strike is None else strike.retraction.decided

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
            if self._allowed[0] is not action:
                given = {tidy(id.rpartition(":")[2]): str(why) for id, why in action.allow.items()}
                self._allowed = action, given
            reason = self._allowed[1].get(tidy(code))
            if reason is not None:
                return reason or "allowed"
        if finding not in _HANGS_ON_THE_RECORD:
            return ""
        if self.always and (always := self.always.get(tidy(code))):
            return f"under {always}"
        if action.under:
            for word in action.under:
                touched = self.house_rules.get(self.cited(word))
                if touched is not None and (
                    not touched or any(tidy(code) == tidy(other) for other in touched)
                ):
                    return f"under {word}"
        return ""

    def mint(self, stem: str) -> str:
        """An id for something to which the log gives none: counted within its evening, so that it stays
        the same when an entry is put in elsewhere."""
        stem = f"{stem}-s{self.step.session}"
        self.minted[stem] = count = self.minted.get(stem, 0) + 1
        return f"{stem}-{count}"

    def cited(self, word: str) -> str:
        """The id of a rule of the table's own that a word of the log means; the word itself, if none."""
        if word not in self.house_rules and (number := once_numbered(self, word)):
            rules = self.house.rules.values()
            return next((one.id for one in rules if one.step == number), str(word))
        return str(word)

    def adopt(
        self,
        id: str,
        words: str,
        touches: Iterable[str],
        computes: Mapping[Word, Word] | None,
        path: str,
    ) -> None:
        """A rule of the table's own holds from now on; what it computes stands in the file ``path``."""
        formulas = formulas_of(self, computes, path) if computes else {}
        step = self.current.index if self.current is not None else 0
        self.house_rules[id] = bent = tuple(str(code) for code in touches)
        self.house.adopt(AdoptedRule(id, str(words), step, bent, formulas))
        if step:
            self.rulebook.house_changed(self)

    def abandon(self, id: str) -> None:
        """A rule of the table's own holds no longer: it excuses nothing, and computes nothing."""
        self.house.drop(id, self.step.index)
        self.house_rules[id] = ("ended",)
        self.always = {code: one for code, one in self.always.items() if one != id}
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
            at = Place(self.campaign.path, word.line, word.column, word.end_line, word.end_column)
            if point is None:
                near = nearest_words(word, [p.key for p in points if p.key])
                self.report(
                    Finding.UNREADABLE,
                    "T51",
                    f"no ruling '{word}' in this game{ask_whether(word, near)}",
                    at=at,
                    fix=replace_with(near, is_told=True),
                )
            elif str(value) not in point.readings:
                near = nearest_words(value, list(point.readings))
                place = place_of(value, self.campaign.path)
                self.report(
                    Finding.UNREADABLE,
                    "T51",
                    f"ruling '{word}' has no reading '{value}'{ask_whether(value, near)}",
                    at=at,
                    fix=replace_with(near or point.readings, place, is_told=bool(near)),
                    help="possible readings: " + ", ".join(point.readings) if near else (),
                )
            else:
                self.rulings.choose(point.key, str(value))
