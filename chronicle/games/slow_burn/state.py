"""Everything that Slow Burn has to remember, and the questions that handlers ask of it.

Dice, tokens and spaces are in the ledger; the rest is here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from typing import Any

from chronicle.core.diagnostic import listed
from chronicle.core.dice import Faces
from chronicle.core.game_context import GameContext
from chronicle.core.house_rules import expected
from chronicle.core.ranges import Range, exactly
from chronicle.core.source import ScalarNode
from chronicle.core.word_enum import WordEnum
from chronicle.games.slow_burn.computed import TARGET

SPY = "spy"
"""The kind of name of a main character: a spy, or a contact developed into one."""
RESOURCE = "resource"
"""The kind of name of a speciality."""
CONTACT = "contact"

AGENCY_DIE = "Agency die"
OPPOSITION_DIE = "Opposition die"
JOB_DIE = "Job die"
SPACE = "space"
FLEUR = "Fleur-de-Lis"
ENVELOPE = "envelope"
SCENE_TOKEN = "scene token"

BOX = "box"
"""Where dice and tokens come from and go to."""
OPPOSITION = "opposition"
MINI_OPPOSITION = "opposition of the mini segment"
POOL = "agency"
"""The Handler's Agency dice of this Segment."""
HANDLER_TOKENS = "Handler's tokens"
LAID = "scene tokens laid"
ROAD = "road"
"""Where spaces of a Path to Freedom come from."""

FLOW = "flow:"
"""The doubt after an unreadable entry that moved play on."""
PUSHING = "pushing:"
"""The doubt after a push that could not be declared."""

USED = "used:"
"""The doubt about resources that were assigned too late, until the next scene."""

LAST_SEGMENT = 7
LAST_SPACE = 10
MINI_TARGET = 5
OPPOSITION_TARGET = 5
MINI_SCENES = 3
INTERFERES = 2
"""An Agency die showing this or less brings the Agency in."""

TRACKS = (
    "Introduction",
    "Character creation",
    "Fleur-de-Lis tokens",
    "Path to Freedom",
    "Setting",
    "Character introduction",
    "The Job",
    "Playing a Segment",
    "Playing a scene",
    "Preparing dice",
    "Interference check",
    "Rolling scene dice",
    "Resolving the scene",
    "The Agency interferes",
    "Interference Segment",
    "Pushing for freedom",
    "Push for Freedom segment",
    "Finishing the Job",
    "Off the Blacklist",
)
"""The nineteen tracks of the rules, by what they are about."""


class Phase(StrEnum):
    """Where play is. What may come next follows from it."""

    SETUP = "setup"
    BETWEEN = "between episodes"
    OPENING = "a Segment opens"
    NEXT = "between scenes"
    FRAMED = "a scene is framed"
    READY = "checked, about to roll"
    TRIGGERED = "the Agency interferes"
    MINI = "a mini segment is open"
    MINI_SCENE = "a scene of a mini segment"
    PUSH_DUE = "a push is due"
    SEGMENT_OVER = "a Segment is over"
    JOB_OVER = "the Job is done"


PUSH, PUSH_SCENE = "a push is played", "a scene of a push"
"""What :attr:`Phase.MINI` and :attr:`Phase.MINI_SCENE` are called where it matters that spies push."""


class Kind(WordEnum):
    """What a scene is part of."""

    JOB = "job"
    INTERFERENCE = "interference"
    PUSH = "push"


class Verdict(WordEnum):
    """How a scene (or a mini segment) came out for the spies."""

    FAVOURABLE = "favourable"
    UNFAVOURABLE = "unfavourable"
    STAND_OFF = "stand-off"
    UNKNOWN = "unknown"


@dataclass(slots=True, eq=False)
class Contact:
    """A minor character on a sheet. ``id`` is its name in the index of names."""

    id: str
    name: str
    speciality: str
    author: str
    step: int


@dataclass(slots=True, eq=False)
class Connection:
    """How two spies are connected, as the neighbour on the right wrote it."""

    other: str
    text: str
    author: str
    step: int


@dataclass(slots=True, eq=False)
class Spy:
    """One sheet: a spy, or a contact developed into a main character (``is_spy`` False)."""

    id: str
    player: str
    speciality: str
    step: int
    episode: int
    is_spy: bool = True
    contacts: list[Contact] = field(default_factory=list)
    connections: list[Connection] = field(default_factory=list)
    introduced: int = 0
    free: int = 0
    free_told: int = 0
    free_episode: int = 0
    placed: int = 0
    """The entry that put the spy on the Path to Freedom."""
    path_rule: str = "S4.4"
    """The rule that had the last word about the space of the spy."""
    dice_rule: str = "S2.7a"
    """The rule that had the last word about the persistent Agency dice."""
    dice_before: int = 0
    """How many persistent Agency dice there were before that."""
    unsure: bool = False
    """Whether a hole in the record has put the number of dice in doubt."""
    withheld: int = 0
    """How many resources less it has than the record explains."""
    developed_from: str = ""
    is_assumed: bool = False
    """Whether the spy is in play although the log has not introduced them."""

    @property
    def resource(self) -> str:
        """The id of the speciality in the index of names."""
        return f"{self.id}: {self.speciality}"

    def resources(self) -> dict[str, str]:
        """Everything that can be assigned: id to what people call it."""
        own = {self.resource: self.speciality} if self.speciality else {}
        return {**own, **{contact.id: contact.name for contact in self.contacts}}


@dataclass(slots=True, eq=False)
class Slip:
    """One Fleur-de-Lis token of a player, from the blank to its meaning.

    ``text`` stays empty until the envelope is opened; ``slot`` names the secret in the vault.
    """

    author: str
    written: int = 0
    slot: str = ""
    receiver: str = ""
    spy: str = ""
    text: str = ""
    meaning: str = ""
    opened: int = 0


@dataclass(slots=True, eq=False)
class Ignored:
    """An interference that a spy ignores: the price grows with every scene until it is answered."""

    spy: str
    resources: tuple[str, ...]
    scene: int
    segment: int
    episode: int
    step: int
    count: int = 0
    """How many scenes it has been ignored in, which is how much the target number has fallen."""
    dice: int = 0
    """Persistent Agency dice it has brought so far."""
    answered: int = 0
    closed: int = 0
    """The entry that ended the penalty."""
    is_assumed: bool = False
    """Whether the log does not name the resource, and the only one in the scene is taken for it."""


@dataclass(slots=True, eq=False)
class Check:
    """One interference check and what came of it."""

    step: int
    scene: int
    episode: int
    segment: int
    booked: int = 0
    """The entry that brought its consequences."""
    faces: dict[str, tuple[int, ...]] = field(default_factory=dict)
    pool: tuple[int, ...] = ()
    chance: str = ""
    own: list[str] = field(default_factory=list)
    """Spies whose own dice brought the Agency in."""
    by_pool: bool = False
    token: int = 0
    """The entry that spent a Handler's token, if one did."""
    automatic: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    """Spies who still have to roll whether they are implicated."""
    rolls: dict[str, int] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    """Spies whose rolls have no recorded face."""
    implicated: list[str] = field(default_factory=list)
    choices: dict[str, str] = field(default_factory=dict)
    chosen: dict[str, int] = field(default_factory=dict)
    """The entry in which each spy chose."""
    targets: dict[str, list[str]] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    deferred: list[str] = field(default_factory=list)
    """Spies whose triggered dice leave only after they have chosen (a ruling)."""
    unknown: bool = False
    """Whether the record leaves open what the dice showed."""
    choosing: bool = False
    """Whether the Handler chooses whom it implicates (a ruling)."""
    touched: bool = False
    """Whether any entry has dealt with the interference."""
    mini: int = 0
    note: str = ""

    @property
    def triggered(self) -> bool:
        """Whether the Agency interferes."""
        return bool(self.own) or self.by_pool or bool(self.token)

    def undecided(self) -> list[str]:
        """Implicated spies who have neither ignored nor answered."""
        return [spy for spy in self.implicated if spy not in self.choices]

    def how(self) -> str:
        """What brought the Agency in, in words."""
        parts = [f"{listed(self.own)}'s own dice"] * bool(self.own)
        parts += ["the Handler's dice"] * self.by_pool
        return " and ".join([*parts, *["a Fleur-de-Lis token"] * bool(self.token)])


@dataclass(slots=True, eq=False)
class SceneRecord:
    """One scene of a Job or of a mini segment, with everything that was staked and rolled in it."""

    number: int
    kind: Kind
    episode: int
    segment: int
    title: str
    step: int = 0
    mini: int = 0
    mini_scene: int = 0
    speakers: list[str] = field(default_factory=list)
    use_known: bool = False
    used: dict[str, list[str]] = field(default_factory=dict)
    """Spy to the ids (or free words) of the resources assigned."""
    open_all: list[str] = field(default_factory=list)
    """Spies who use everything, where a gap leaves open how much that is."""
    earned: dict[str, int] = field(default_factory=dict)
    distracted: list[str] = field(default_factory=list)
    distracted_used: dict[str, list[str]] = field(default_factory=dict)
    check: int = 0
    """The entry of the interference check."""
    checked: dict[ScalarNode, Faces | None] = field(default_factory=dict)
    """Agency dice that entries have told, while others are still due."""
    checked_at: int = 0
    """The last of these entries."""
    rolled: dict[ScalarNode, Faces | None] = field(default_factory=dict)
    """Dice of the scene that entries have told, while others are still due."""
    told_hits: dict[ScalarNode, int] = field(default_factory=dict)
    """Successes that these entries state."""
    bare: bool = False
    """Dice were rolled without any scene; what it lacks has been said once."""
    targets: dict[str, int] = field(default_factory=dict)
    successes: int = 0
    opposed: int = 0
    before: int = 0
    left: int = 0
    verdict: Verdict = Verdict.UNKNOWN
    resolved: int = 0
    goes_on: bool = False
    """Whether, after the roll, Opposition dice of the Segment were left for certain."""

    @property
    def title_and_verdict(self) -> str:
        """The scene with its result, for the key of a curve."""
        return f"{self.title}: {self.verdict}" if self.title else str(self.verdict)

    def is_use_known(self, spy: str) -> bool:
        """Whether the record has all that a spy uses in the scene."""
        return self.use_known and spy not in self.open_all


@dataclass(slots=True, eq=False)
class Mini:
    """An Interference Segment or a Push for Freedom segment."""

    number: int
    kind: Kind
    episode: int
    segment: int
    step: int
    spies: list[str]
    """The spies who can be used in it."""
    responders: list[str] = field(default_factory=list)
    start: int = 0
    late: bool = False
    scenes: list[int] = field(default_factory=list)
    verdict: Verdict = Verdict.UNKNOWN
    over: int = 0
    left: int = 0
    check: int = 0
    told: int = 0
    """The entry that tells its end, where an interrupted scene waits below it."""
    is_open: bool = False
    """Whether a gap leaves open whom it is about."""


@dataclass(slots=True, eq=False)
class Segment:
    """One of the seven Segments of a Job."""

    number: int
    step: int
    players: int
    start: int
    pushes: dict[str, int] = field(default_factory=dict)
    """Spies who declared a push, with the entry."""
    scenes: list[int] = field(default_factory=list)
    over: int = 0
    partial: bool = False
    is_told: bool = False
    """Whether an entry of its own says that it begins."""


@dataclass(slots=True, eq=False)
class Push:
    """One push for freedom of one spy."""

    spy: str
    episode: int
    segment: int
    declared: int
    mini: int = 0
    result: str = ""


@dataclass(slots=True, eq=False)
class Episode:
    """One episode: one Job in seven Segments."""

    number: int
    step: int
    title: str = ""
    job: str = ""
    client: str = ""
    job_step: int = 0
    segments: list[Segment] = field(default_factory=list)
    sessions: list[int] = field(default_factory=list)
    over: int = 0
    closing: int = 0
    partial: bool = False
    """Whether the record of it has a hole, so that a missing push proves nothing."""
    is_told: bool = False
    """Whether an entry of its own says that it begins."""
    missed: list[str] = field(default_factory=list)
    spies: list[str] = field(default_factory=list)
    path: dict[str, int] = field(default_factory=dict)
    """Where every spy stood when the episode was over."""


@dataclass(slots=True, eq=False)
class State:
    """A game of Slow Burn at one moment."""

    phase: Phase = Phase.SETUP
    cast: dict[str, Spy] = field(default_factory=dict)
    slips: dict[str, Slip] = field(default_factory=dict)
    """Author to token."""
    dealt: int = 0
    city: str = ""
    city_step: int = 0
    episodes: list[Episode] = field(default_factory=list)
    scenes: list[SceneRecord] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    minis: list[Mini] = field(default_factory=list)
    pushes: list[Push] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    ignoring: list[Ignored] = field(default_factory=list)
    """Those of them whose penalty is still running."""
    scene: SceneRecord | None = None
    """The scene at work; during a mini segment, the mini segment's."""
    check: Check | None = None
    mini: Mini | None = None
    interrupted: SceneRecord | None = None
    """The Job scene that waits while an Interference Segment is played."""
    hole: bool = False
    """A gap has swallowed something, and no Segment has been opened since."""
    hole_step: int = 0
    """The entry of that gap, or of the last one."""
    adrift: bool = False
    """The gap lies between two Segments: the next one may have begun in it."""
    numbered: int = 0
    """The last entry since which the number of the Segment is known."""
    pool_unsure: bool = False
    pool_capped: bool = False
    """Whether, all the same, the Handler has no more Agency dice than the ledger says."""
    last_pool: int = 0
    """The Handler's Agency dice when the last Segment ended."""
    opposition_unsure: bool = False
    possible_left: Range | None = None
    """How many Opposition dice of the Job can be left where their number is in doubt; None: any number."""
    carried: int = 0
    setup_checked: bool = False
    spyless: list[str] = field(default_factory=list)
    """Players who were reported as having no spy."""

    @property
    def episode(self) -> Episode | None:
        """The episode being played, or the last one."""
        return self.episodes[-1] if self.episodes else None

    @property
    def segment(self) -> Segment | None:
        """The Segment being played, or the last one of this episode."""
        episode = self.episode
        return episode.segments[-1] if episode and episode.segments else None

    def of_player(self, player: str) -> Spy | None:
        """The character a player plays now: the latest one that is not free, else the latest."""
        own = [spy for spy in self.cast.values() if spy.player == player]
        active = [spy for spy in own if not spy.free]
        latest = active or own
        return latest[-1] if latest else None

    def active(self) -> list[Spy]:
        """Everybody who has been introduced and is not free, in the order of the sheets."""
        return [spy for spy in self.cast.values() if spy.introduced and not spy.free]

    def open_ignored(self, spy: str) -> list[Ignored]:
        """The interferences that a spy is still ignoring."""
        return [ignored for ignored in self.ignoring if ignored.spy == spy]

    def recent_pushes(self) -> list[Push]:
        """The pushes of the episode at hand, in the order of their declaration."""
        now = len(self.episodes)
        return [*takewhile(lambda push: push.episode == now, reversed(self.pushes))][::-1]

    def pushing(self) -> list[str]:
        """Spies who declared a push in this Segment."""
        segment = self.segment
        return list(segment.pushes) if segment else []

    def unplayed(self) -> list[str]:
        """Those of them who have not played it."""
        declared = self.segment.pushes if self.segment else {}
        ended = [push for push in self.recent_pushes() if push.result]
        done = {push.spy for push in ended if push.declared in declared.values()}
        return [spy for spy in declared if spy not in done]

    def lost(self, spy: str) -> dict[str, Ignored]:
        """Resources that a spy cannot assign, with the interference that took each."""
        return {name: ignored for ignored in self.open_ignored(spy) for name in ignored.resources}


Table = GameContext[State]


def drifting(play: Table) -> list[str]:
    """The doubts where the log goes another way than the dice: all that depends on the phase, until the next
    Segment begins."""
    of_spies = [f"{figure}:{id}" for id in play.state.cast for figure in ("persistent", "path")]
    return [*of_spies, FLOW, "opposition:", "agency:", "interference:"]


def persistent_of(play: Table, spy: str) -> int:
    """A spy's persistent Agency dice."""
    return play.balance(f"persistent:{spy}", AGENCY_DIE)


def path_of(play: Table, spy: str) -> int:
    """The space of a spy; 0 before the introduction."""
    return play.balance(f"path:{spy}", SPACE)


def opposition(play: Table) -> int:
    """Opposition dice on the table: those of the mini segment while one is played."""
    return play.balance(
        MINI_OPPOSITION if play.state.mini is not None else OPPOSITION, OPPOSITION_DIE
    )


def held_pool(play: Table, spy: str) -> int:
    """Segment Agency dice that a spy holds (only where the table plays it so, SA3)."""
    return play.balance(f"agency:{spy}", AGENCY_DIE)


def in_play(play: Table) -> list[Spy]:
    """Characters that are in play here and now: introduced, not free, their player present."""
    return [
        spy
        for spy in play.state.cast.values()
        if may_be_active(play, spy) and (spy.player in play.present or not spy.player)
    ]


def may_be_active(play: Table, spy: Spy) -> bool:
    """Whether a character has been introduced, or may have been in a gap, and is not free."""
    return not spy.free and (bool(spy.introduced) or play.gap > spy.step)


def reduction_of(play: Table, spy: str, scene: SceneRecord | None = None) -> int:
    """By how much ignored interferences lower a spy's target number; in a scene that has no entry yet, by one more
    for each."""
    open_ones = play.state.open_ignored(spy)
    if not open_ones:
        return 0
    more = 0
    if scene is not None and scene is not play.state.scene:
        more = int(scene.kind is Kind.JOB or play.ruling("ignore_in_mini") == "yes")
    if play.ruling("ignored_stack") == "one-at-a-time":
        return open_ones[0].count + more
    return sum(ignored.count + more for ignored in open_ones)


def base_target(play: Table, scene: SceneRecord | None = None) -> int:
    """S12.4, S15.9, S17.8: what Job dice need in a scene (the next one, if none is given), or less, if nothing
    lowers it."""
    segment = play.state.segment
    is_mini = play.state.mini is not None if scene is None else scene.kind is not Kind.JOB
    if is_mini:
        return MINI_TARGET
    return (scene.segment if scene is not None else segment.number if segment else 1) + 1


def target_of(
    play: Table,
    spy: str,
    scene: SceneRecord | None = None,
    work_out: Callable[..., Any] = expected,
) -> int:
    """What a spy's Job dice must show, or less, in a scene. ``work_out`` asks the rules of the table."""
    target, reduction = base_target(play, scene), reduction_of(play, spy, scene)
    is_mini = play.state.mini is not None if scene is None else scene.kind is not Kind.JOB
    if is_mini and reduction and play.ruling("ignore_in_mini") == "no":
        reduction = 0
    floor = 0
    if reduction >= target:
        floor = 1 if play.ruling("target_floor") == "one" else 0
    lowered: int = work_out(play, TARGET, max(floor, target - reduction), spy)
    return lowered


def number_unsure_since(play: Table) -> int | None:
    """The last entry where the number of the Segment was known, if a gap after it hides the number; else None."""
    numbered = max(play.state.numbered, play.unknown_until.get("segment:", 0))
    unsure = max(play.gap_since("pools"), play.gaps.unknown_since.get("segment:", 0))
    return numbered if unsure > numbered else None


def entry_before_gap(play: Table) -> int:
    """An entry before the gap: what rests on it may have changed in the gap. -1 before the first entry."""
    return play.state.hole_step - 1 or -1


def is_lost(play: Table) -> bool:
    """Whether a gap leaves open what is being played: no scene has been framed below it."""
    state = play.state
    framed = next((scene.step for scene in reversed(state.scenes) if not scene.bare), 0)
    return state.hole and framed < state.hole_step


def is_cut(play: Table, scene: SceneRecord) -> bool:
    """Whether a gap lies between the framing of a scene and now: it may hold the check, more resources, a whole
    interference."""
    return scene.step < play.state.hole_step


def doubt_pool(play: Table) -> None:
    """Nobody knows how many Agency dice the Handler has."""
    play.state.pool_unsure, play.state.pool_capped = True, False


def is_behind(play: Table, check: Check | None) -> bool:
    """Whether a gap leaves open what has come of an interference check since, or what was checked."""
    return play.state.hole and (check is None or check.step < play.state.hole_step)


def is_checked(play: Table, scene: SceneRecord) -> bool:
    """Whether the record shows, with nothing missing since, that a scene is one of the Job: only these are
    checked."""
    return scene.check > play.state.hole_step


def is_reduction_unsure(play: Table, spy: str) -> bool:
    """S14.7b: whether a spy may have ignored, or answered, an interference in a gap."""
    return not play.figure("reduction", spy).is_known


def target_range(play: Table, spy: str, scene: SceneRecord) -> Range:
    """The target numbers that are possible for a spy in a scene; a gap can leave several."""
    is_open = is_reduction_unsure(play, spy)
    if scene.kind is not Kind.JOB:
        if not is_open or play.ruling("ignore_in_mini") == "no":
            return exactly(target_of(play, spy, scene))
        highest = MINI_TARGET
    elif number_unsure_since(play) is not None:
        highest = LAST_SEGMENT + 1
    elif play.state.hole and not is_checked(play, scene):
        # Possibly a scene of a mini segment.
        highest = max(MINI_TARGET, base_target(play, scene))
    elif is_open:
        highest = base_target(play, scene)
    else:
        return exactly(target_of(play, spy, scene))
    targets = [expected(play, TARGET, target, spy) for target in range(highest + 1)]
    return Range(min(targets), max(targets))


_MINI = (Phase.MINI, Phase.MINI_SCENE)
_TRACK = {
    Phase.BETWEEN: 7,
    Phase.OPENING: 8,
    Phase.SEGMENT_OVER: 8,
    Phase.NEXT: 9,
    Phase.FRAMED: 10,
    Phase.READY: 12,
    Phase.TRIGGERED: 14,
    **dict.fromkeys(_MINI, 15),
    Phase.PUSH_DUE: 16,
    Phase.JOB_OVER: 18,
}


def track_of(state: State) -> int:
    """The number of the track where play is."""
    if state.phase in (Phase.BETWEEN, Phase.SEGMENT_OVER) and any(
        spy.free and not spy.free_told for spy in state.cast.values()
    ):
        return 19
    if state.phase is Phase.SETUP:
        return _setup_track(state)
    if state.mini is not None and state.mini.kind is Kind.PUSH and state.phase in _MINI:
        return 17
    return _TRACK[state.phase]


def _setup_track(state: State) -> int:
    if not state.cast:
        return 1
    spies = list(state.cast.values())
    if any(len(spy.contacts) < 2 or not spy.connections for spy in spies):
        return 2
    written = [slip.author for slip in state.slips.values() if slip.written]
    if not state.dealt and not all(spy.player in written for spy in spies):
        return 3
    if not state.city:
        return 5
    return 6 if not all(spy.introduced for spy in spies) else 7
