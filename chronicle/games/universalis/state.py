"""Everything that Universalis has to remember, and the questions that handlers ask of it.

Coins themselves are in the ledger: ``bank``, ``wealth:Ana``, ``bid:Ana`` (the winning bid on the
table) and ``bonus:Ana`` (Bonus Coins within an outcome). Everything here is plain data, so that
a state can be copied and stored; no handler keeps anything elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from chronicle.core.figures import with_times
from chronicle.core.names import fold
from chronicle.core.secrets import Secret
from chronicle.core.source import Place

COIN = "Coin"
BANK = "bank"
ELLIPSIS = "..."
"""A mark in a list of Traits for those that the record omits."""

CHARACTER = "character"
PLACE = "place"
PROP = "prop"
COMPONENT_KINDS = (CHARACTER, PLACE, PROP)
"""The three kinds of Components (U4.1), which are also the kinds of their names."""


class Phase(Enum):
    """The phase of play (the scene itself distinguishes framing and narrating)."""

    PREPARATION = "preparation"
    BIDDING = "bidding"
    SCENE = "scene"


class Sort(Enum):
    """What a Trait is to its Component."""

    ROLE = "role"
    NAME = "name"
    PLAIN = "trait"
    GROUP = "group"
    TIE = "tie"
    OWNS = "owns"
    OWNED = "owned by"
    MASTER = "master"
    MEMBER = "member"
    NEGATION = "negates"
    WOUND = "wound"


@dataclass(slots=True, eq=False)
class Trait:
    """One entry on a sheet: a Trait with all its copies.

    ``copies`` are the present copies, ``removed`` the crossed-off copies, which can be restored.
    ``paid`` is what its copies cost altogether; ``free`` marks a corollary (U4.17, U4.20), whose
    bought end is the Trait ``twin`` of Component ``other``. ``other`` also names the owner, the
    possession, the Master or another Component that the Trait points to: with a plain one, whom it was inherited
    from. ``id`` is its permanent name, if it was given one.
    """

    text: str
    sort: Sort
    copies: int
    step: int
    scene: int
    buyer: str
    paid: int = 0
    removed: int = 0
    free: bool = False
    other: str = ""
    twin: str = ""
    negates: str = ""
    event: int = 0
    id: str = ""
    history: list[tuple[int, str, int, str]] = field(default_factory=list)
    """(step, what, copies, player): ``adds``, ``removes``, ``restores``, ``uses`` ..."""

    @property
    def key(self) -> str:
        """What makes two mentions of it the same."""
        return fold(self.text)

    @property
    def label(self) -> str:
        """For readers, with its number: ``sure-footed (twice)``."""
        return with_times(self.text, self.copies or self.removed)


@dataclass(slots=True, eq=False)
class Turning:
    """An Elimination or a return: in which scene, at which step, by whom, for how many Coins."""

    kind: str
    scene: int
    step: int
    player: str
    coins: int
    words: str = ""
    facts: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Component:
    """A character, a place or a prop; a Master is any of them with the mark.

    ``own`` counts its Traits, ``total`` its Importance with possessions and Subs; both are kept up to
    date by :mod:`traits`, never recounted. ``open_list`` says that the record does not list all of
    its Traits, so that its Importance is unknown.
    """

    id: str
    kind: str
    name: str
    step: int
    scene: int
    creator: str
    traits: dict[str, Trait] = field(default_factory=dict)
    own: int = 0
    total: int = 0
    owner: str = ""
    owns: list[str] = field(default_factory=list)
    masters: list[str] = field(default_factory=list)
    subs: list[str] = field(default_factory=list)
    master: bool = False
    eliminated: bool = False
    turnings: list[Turning] = field(default_factory=list)
    towards: int = 0
    """Coins paid towards an Elimination that is not complete (U6.35)."""
    survives_as: str = ""
    """The wound it has if that Elimination stays incomplete."""
    open_list: bool = False
    unlisted: int = 0
    """How much of its Importance is in Traits that the record counts and does not list."""
    weighed: bool = False
    """Whether the table counted its Importance, so that it is known for any list."""
    open_role: bool = False
    placeholder: bool = False
    struck: bool = False
    creating_turn: int = 0
    curve: list[tuple[int, int]] = field(default_factory=list)
    control: list[tuple[int, int, str, str]] = field(default_factory=list)
    """(step, scene, player, how) each time Control was gained."""
    events: list[int] = field(default_factory=list)
    """Steps of Events that name it as performer or receiver."""
    separations: list[tuple[int, str]] = field(default_factory=list)

    def of_sort(self, sort: Sort) -> list[Trait]:
        """Its standing Traits of one sort."""
        return [t for t in self.traits.values() if t.sort is sort and t.copies]

    @property
    def role(self) -> str:
        """The Role in words; several Traits may make it up (U4.8)."""
        words = [t.text for t in self.traits.values() if t.sort in (Sort.ROLE, Sort.MEMBER)]
        return ", ".join(words)

    @property
    def has_numbered_name(self) -> bool:
        """Whether its name only counts it, as ``figure 2`` does."""
        return self.open_role and self.name[-1:].isdecimal()

    @property
    def shown_name(self) -> str:
        """Its name as a reader meets it: in place of a name that only counts it, the first of its other Traits."""
        if not self.has_numbered_name:
            return self.name
        words = (
            t.text
            for t in self.traits.values()
            if t.copies and t.sort is not Sort.WOUND and t.text not in self.name
        )
        return next(words, self.name)


class Life(Enum):
    """The history of a Fact or a Tenet, from the entry that buys it on."""

    IN_FORCE = "in force"
    STRUCK = "not carried out"
    REPLACED = "replaced"
    ENDED = "ended"


@dataclass(slots=True, eq=False)
class Fact:
    """A paid statement about a scene, the world or a Component: an Event or another detail.

    ``scope`` is ``scene``, ``world`` or the id of a Component; ``said_by`` the speaker of a statement
    made in Dialog (the Fact is that it was said, U3.35). ``replaces`` and ``exception_to`` are ids of
    other Facts, ``exceptions`` those of its own exceptions. ``over`` is the step that replaced it.
    """

    id: str
    text: str
    kind: str
    scope: str
    scene: int
    step: int
    player: str
    said_by: str = ""
    performers: tuple[str, ...] = ()
    receivers: tuple[str, ...] = ()
    replaces: str = ""
    exception_to: str = ""
    exceptions: list[str] = field(default_factory=list)
    over: int = 0
    struck: bool = False

    @property
    def life(self) -> Life:
        """Whether it is in force, and if not, how it ended."""
        if self.struck:
            return Life.STRUCK
        return Life.REPLACED if self.over else Life.IN_FORCE


@dataclass(slots=True, eq=False)
class Tenet:
    """A Fact of the game itself. ``kind`` is story, social, gimmick or empty if not stated."""

    id: str
    text: str
    kind: str
    step: int
    player: str
    about: str = ""
    status: str = "accepted"
    changed_by: int = 0
    wordings: list[tuple[int, str]] = field(default_factory=list)
    uses: list[int] = field(default_factory=list)
    scope: str = "game"
    scope_of: int = 0
    """The number of the scene or Complication that it is limited to."""
    ended: int = 0
    exception_to: str = ""
    exceptions: list[str] = field(default_factory=list)

    @property
    def has_a_name(self) -> bool:
        """Whether its id was given by the table, or by the book, and not counted out."""
        return not self.id.removeprefix("tenet-").isdigit()

    @property
    def life(self) -> Life:
        """Whether it is in force, and if not, how it ended."""
        if self.changed_by:
            return Life.REPLACED
        return Life.ENDED if self.ended or self.status != "accepted" else Life.IN_FORCE

    @property
    def over(self) -> int:
        """The step that changed or ended it; 0 if it is in force."""
        return self.changed_by or self.ended


@dataclass(slots=True, eq=False)
class Adoption:
    """An add-on in force: its key, the id that it can be cited and ended by, and the steps at which it
    was adopted and dropped (0: before play, or not yet)."""

    key: str
    id: str
    step: int
    ended: int = 0


@dataclass(slots=True, eq=False)
class SceneState:
    """A scene as it stands: who is there, who Controls whom, what was stated.

    ``number`` is its number on the timeline. ``present`` maps a Component to the step of its entry.
    ``turns`` lists how each turn began: (step, player, how).
    """

    number: int
    title: str
    framer: str
    step: int
    framing: bool = True
    mini: bool = False
    unsure: bool = False
    """Its framing falls into a hole of the record: who is there is known only as they are named."""
    location: str = ""
    located: bool = False
    present: dict[str, int] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    absent: dict[str, int] = field(default_factory=dict)
    left_places: dict[str, int] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    open: bool = True
    faded: int = 0
    ended: int = 0
    bids: dict[str, int] = field(default_factory=dict)
    bid_words: dict[str, str] = field(default_factory=dict)
    bid_step: int = 0
    tie_break: str = ""
    lost: int = 0
    framing_cost: int = 0
    cost: int = 0
    turns: list[tuple[int, str, str]] = field(default_factory=list)
    entries: list[tuple[int, str, str]] = field(default_factory=list)
    """(step, component, how): ``enters``, ``leaves``, ``is created`` ..."""
    frame: str = "now"
    spent: dict[str, int] = field(default_factory=dict)
    moved_step: int = 0
    """The last change of location, and how many left right after it (U5.8)."""
    left_after_move: int = 0
    complications: list[int] = field(default_factory=list)


MOST_DICE_FIRST = "most dice first"
AS_DIVIDED = "as divided"


class Stage(Enum):
    """Where a Complication is."""

    OPEN = "open"
    CLOSED = "closed"
    TIED = "tied"
    ROLLED = "rolled"
    RESOLVED = "resolved"
    ABANDONED = "abandoned"
    STRUCK = "struck"
    DIVIDED = "rolled in parts"


@dataclass(slots=True, eq=False)
class DiceEntry:
    """Some dice of a Pool: how many (negative: taken away), from where, by whom."""

    dice: int
    cause: str
    player: str
    step: int
    component: str = ""
    trait: str = ""
    coins: int = 0
    against: tuple[str, ...] = ()
    """The Target Players whom alone these dice meet; empty: all of them."""


@dataclass(slots=True, eq=False)
class Pool:
    """The dice of one player in a Complication. ``side`` is ``complication`` or ``target``; empty
    while a player with a Pool of their own has not declared (U6.7)."""

    player: str
    side: str
    dice: int = 0
    edge: int = 0
    entries: list[DiceEntry] = field(default_factory=list)
    coins: int = 0
    unsure: int = 0
    """How many Coins more there are by the faces than the table counted."""
    unknown: bool = False
    """Whether the number of its Bonus Coins is unknown."""
    dice_open: bool = False
    """Whether it holds an unrecorded number of dice: the next roll shows them."""
    edge_open: bool = False
    """Whether the holder of the Edge is not recorded: the next roll shows it."""
    cancelled: int = 0
    given_up: int = 0
    kept: int = 0
    told: bool = False


@dataclass(slots=True, eq=False)
class RollRound:
    """One throw: faces by player (Edge Dice last, ``edges`` of them), and to whom the Edge went."""

    step: int
    faces: dict[str, tuple[int, ...]]
    edges: dict[str, int]
    successes: dict[str, int]
    sums: dict[str, int]
    edge_to: tuple[str, ...] = ()
    shown: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The faces as a reader sees them: ``5♥``, ``K``."""
    hidden: tuple[str, ...] = ()
    """Whose faces the record does not have."""
    shares: dict[str, int] | None = None
    """How the Successes of one side were allocated to the Pools of the other."""


@dataclass(slots=True, eq=False)
class Complication:
    """A contest of dice between the Originator and those who Control the Targets."""

    number: int
    title: str
    kind: str
    scene: int
    step: int
    originator: str
    sources: list[str]
    targets: list[str]
    pools: dict[str, Pool] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    """Copies already drawn, by ``component/trait`` (U6.14)."""
    committed: dict[str, int] = field(default_factory=dict)
    """Components tied into it (U6.8), with the step that did so."""
    sides: dict[str, str] = field(default_factory=dict)
    """Component to the player whose Pool its dice went to first."""
    stage: Stage = Stage.OPEN
    closed_step: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    rounds: list[RollRound] = field(default_factory=list)
    winners: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    turns: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    tenets: dict[str, int] = field(default_factory=dict)
    event: int = 0
    last_teller: int = -1
    broken_in: int = 0
    """The step of an Interrupt between the roll and the end of its outcome."""
    everybody: bool = False
    """Every player keeps a Pool and declares a side (U6.7)."""
    part_of: int = 0
    """The Complication that contains it, where one is rolled in parts."""
    method: str = ""
    """How several Pools met, where the table chose a way."""
    order_of_parts: str = ""
    """How the order in which parts are rolled is fixed: :data:`MOST_DICE_FIRST`, :data:`AS_DIVIDED`, or
    empty where players choose."""
    divided_by: str = ""
    """The rule by which it was divided, or by which it is a part."""

    @property
    def unrecorded(self) -> bool:
        """Whether its payment to a player is unknown."""
        return any(pool.unknown for pool in self.pools.values())

    @property
    def running(self) -> bool:
        """Whether it still waits for dice, a roll or its outcome."""
        return self.stage in (Stage.OPEN, Stage.CLOSED, Stage.TIED, Stage.ROLLED)

    @property
    def rolled(self) -> int:
        """The step at which its dice fell last; 0 before they did."""
        return self.rounds[-1].step if self.rounds else 0

    def side(self, side: str) -> list[Pool]:
        """The Pools of one side, in the order they were made."""
        return [pool for pool in self.pools.values() if pool.side == side]


@dataclass(slots=True, eq=False)
class Dialog:
    """A conversation in first person: who started it, which Components speak."""

    step: int
    starter: str
    speakers: list[str]
    speaking: str = ""
    voice: str = ""


@dataclass(slots=True, eq=False)
class ChallengeRecord:
    """A Challenge from the objection to its end."""

    number: int
    step: int
    of: int
    challenger: str
    challenged: str
    wants: str
    ending: str = ""
    words: str = ""
    bids: list[tuple[str, int, str]] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)
    real: dict[str, int] = field(default_factory=dict)
    facts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    votes: list[str] = field(default_factory=list)
    conceded: str = ""
    """Which of the two backed out of the Bidding."""
    recovered: dict[str, int] = field(default_factory=dict)
    """Who got a bid back, under an add-on."""
    winner: str = ""
    struck: tuple[int, ...] = ()
    rule: str = ""
    """The id of what it is about, where that is a rule that ``campaign.yaml`` brought: no entry did."""

    def bid_of(self, player: str) -> int:
        """The Coins that a player bid."""
        return sum(coins for bidder, coins, _ in self.bids if bidder == player)


@dataclass(slots=True, eq=False)
class FineRecord:
    """A Fine, its vote and who paid."""

    step: int
    accuser: str
    accused: str
    up: int
    down: int
    payer: str
    amount: int


@dataclass(slots=True, eq=False)
class Debt:
    """A loan under a Gimmick: what the debtor owes when Coins next come in."""

    step: int
    lender: str
    debtor: str
    lent: int
    owed: int
    gimmick: str
    is_open: bool = False
    """Whether the amount of the loan is not recorded."""
    paid_step: int = 0
    """The entry at which it was last paid back by itself, because Coins came in."""


@dataclass(slots=True, eq=False)
class Charge:
    """A price due for the entry at work, paid when its handler is done."""

    player: str
    amount: int
    rule: str
    why: str
    sort: str
    target: str = BANK
    what: str = ""
    """The purchase: a word of the price list, or an add-on's own."""
    component: str = ""


@dataclass(slots=True, eq=False)
class Purse:
    """The purse that pays within an outcome."""

    player: str
    account: str
    complication: int
    stated: tuple[int, Place] | None = None
    """What the player says is kept, and where it says so."""


@dataclass(slots=True, eq=False)
class BidRound:
    """Bids that are sealed apart and opened together. ``scene`` is how many scenes had been played
    when it began; the next scene ends it, and so does an entry that uses the bids."""

    scene: int
    bids: list[Secret] = field(default_factory=list)

    def of(self, player: str) -> Secret | None:
        """The bid of a player, if it is sealed."""
        return next((bid for bid in self.bids if bid.player == player), None)

    def opened(self) -> list[Secret]:
        """The bids that have been opened."""
        return [bid for bid in self.bids if bid.revealed_by]

    def shut(self) -> list[Secret]:
        """The bids that have not."""
        return [bid for bid in self.bids if not bid.revealed_by]


class Standing:
    """The state of a game at one moment, under any rules in force."""

    def __init__(self) -> None:
        self.adoptions: list[Adoption] = []
        self.memory: dict[type, object] = {}
        """What add-ons remember, each under a class of its own."""
        self.phase: Phase = Phase.PREPARATION
        self.starter = ""
        self.starter_sure = True
        """Whether the record says who began; not if somebody did, nobody knows who."""
        self.turn = ""
        self.turn_number = 1
        self.turn_step = 0
        self.turn_how = "first"
        self.turn_sure = True
        """Whether the record says whose turn it is; a gap makes it unsure."""
        self.tenets_this_turn = 0
        self.withdrawn = ""
        """The player whose Tenet a Challenge struck in preparation, and who may propose another."""
        self.passed: list[str] = []
        self.begun = False
        """Whether anything was played yet."""
        self.last_framer = ""
        self.bid_winner = ""
        self.bids: dict[str, int] = {}
        self.bid_words: dict[str, str] = {}
        """The recorded part of incomplete bids: ``9+``, ``?``."""
        self.bid_step = 0
        self.sealed_bids: dict[str, BidRound] = {}
        """The rounds of sealed bids at hand, by what they are for."""
        self.tie_break = ""
        self.refreshed_step = 0
        self.refreshment_open = False
        """Whether the last Refreshment may still be stated in the log: once, before the next bid."""
        self.refreshed: dict[str, int] = {}
        self.refreshed_rule = ""
        """The rule that the last Refreshment came by."""
        self.ended_step = 0
        self.unfaded_step = 0
        """The end of a scene that was to fade until a Challenge struck that."""
        self.mini_step = 0
        """The step at which the last Mini Scene ended."""
        self.interrupted = ""
        """Whose turn the running turn broke into; empty if it came round by itself."""
        self.scene: SceneState | None = None
        self.mini: SceneState | None = None
        self.scenes: dict[int, SceneState] = {}
        self.branch = ""
        """The branch of the timeline on which scenes are framed."""
        self.components: dict[str, Component] = {}
        self.mains: list[str] = []
        """The ids of those on whose sheet it was ever written that they are a main Character; whoever it
        was taken from, or is on another branch, is still among them."""
        self.groups: dict[str, list[str]] = {}
        """A plural to its Components: ``general`` to General 1, General 2, General 3."""
        self.used_names: set[str] = set()
        """Folded names that a Component is called by now; a further one of that name is numbered."""
        self.labels: set[str] = set()
        """Folded names and Roles that mean a Component already."""
        self.tenets: dict[str, Tenet] = {}
        self.facts: dict[str, Fact] = {}
        self.complications: list[Complication] = []
        self.running: list[int] = []
        """Numbers of the Complications that are not over."""
        self.dialog: Dialog | None = None
        self.dialogs: list[Dialog] = []
        self.challenges: list[ChallengeRecord] = []
        self.fines: list[FineRecord] = []
        self.debts: list[Debt] = []
        self.immune: dict[int | str, int] = {}
        """Steps that survived a Challenge, to the step of that Challenge (U3.47)."""
        self.purses: list[Purse] = []
        self.charges: list[Charge] = []
        self.settled_step = 0
        """The last entry whose stated price was checked."""
        self.bill_from = 0
        """Where in the ledger begins what the entry at work pays itself; earlier payments (wages, and loans
        paid back from them) are booked above."""
        self.event_this_turn = 0
        """Step of the last Event in the running turn; 0 if there was none (U4.42)."""
        self.reduced: list[str] = []
        """Components with Coins paid towards an Elimination that is not complete."""
        self.lapsed: tuple[int, int] = (0, 0)
        """The Complication whose Coins were last taken as kept because play went on, and the step at which."""

    @property
    def current_scene(self) -> SceneState | None:
        """The scene of the next Event: a Mini Scene, else the main scene."""
        return self.mini or self.scene

    def current_complication(self) -> Complication | None:
        """The Complication whose outcome is due, else the last opened that is not over; of its parts the tied
        one, if any."""
        open_ones = [self.complications[number - 1] for number in reversed(self.running)]
        rolled = next(
            (complication for complication in open_ones if complication.stage is Stage.ROLLED), None
        )
        if rolled is not None or not open_ones:
            return rolled
        last = open_ones[0]
        tied = (
            complication
            for complication in open_ones
            if complication.stage is Stage.TIED and complication.part_of == last.part_of
        )
        return next(tied, last) if last.part_of else last
