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
    TypeVar,
    Unpack,
)

from chronicle.core.anchors import Anchors
from chronicle.core.answers import Limits, Move, Obligation, Offer, Pad, Standing, Thrown
from chronicle.core.bookkeeping import Bookkeeping
from chronicle.core.campaign import Campaign, Player
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, most_likely_verb, unit_name
from chronicle.core.dice import faces_as_typed
from chronicle.core.emblems import ChosenEmblem
from chronicle.core.field_types import UNRECORDED, FieldType, is_unrecorded
from chronicle.core.figure_names import find_figure
from chronicle.core.fix import Fix, replace_with
from chronicle.core.game_info import GameInfo
from chronicle.core.gaps import SOMEBODY, is_upper_bound
from chronicle.core.house_rules import AdoptedRule, ExtensionPoint, formulas_of
from chronicle.core.names import PLAYER, Named, NameMiss, Names, fold
from chronicle.core.presence import presence_fixes, presence_key, start_of_presence_gap
from chronicle.core.questions import Questions
from chronicle.core.ranges import Range, exactly
from chronicle.core.record import StatedFigure, Step
from chronicle.core.reporter import NOBODY_ACTS, Reporter, ReportOptions
from chronicle.core.secrets import Vault
from chronicle.core.sentences import split_sentence
from chronicle.core.source import Place, ScalarNode
from chronicle.core.timeline import Scene, StepNumber, Timeline
from chronicle.core.unknown_players import explain_no_player

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block

S = TypeVar("S")
P = ParamSpec("P")

NARRATION_VERBS = frozenset({"tell", "say", "aside"})
"""Verbs that only change the story."""

MAX_POSTINGS = 1_000
"""Number of latest postings that are traced to find the range of an unknown figure."""
MAX_LISTED_NAMES = 8
"""Maximum number of known names that the message about an unknown name lists."""


def refuse_nested_entries(action: Action) -> Step:
    """The default for replaying nested entries outside of a replay.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError("nested entries are replayed by a Replay only")


class Measure(NamedTuple):
    """A figure that ``assert:`` can check and ``correct:`` can set.

    ``kinds`` are the kinds of names that have it (empty: one figure for the whole game). ``read(play, id)`` gives the
    figure, or None if it is unknown; ``write`` sets it by a visible adjustment (None: it cannot be set). ``rule(play,
    id)`` is the rule that last changed the figure; a wrong figure is reported under it. ``limits`` bounds its values,
    ``words`` are allowed words; ``apply_consequences(play, id, was)`` applies those of a new value. ``reveal(play,
    owner, stated)`` makes an owner that the log names first, if a gap can hide it; False: it reported why not.
    ``doc`` says in plain words which figure it is; its values follow behind a comma or a colon."""

    doc: str
    kinds: tuple[str, ...]
    read: Callable[[GameContext[Any], str], int | str | None]
    write: Callable[[GameContext[Any], str, str], bool | None] | None = None
    rule: Callable[[GameContext[Any], str], str] | None = None
    limits: Callable[[GameContext[Any], str], Limits] | None = None
    words: tuple[str, ...] = ()
    apply_consequences: Callable[[GameContext[Any], str, int | str | None], None] | None = None
    state_kind: str = "tracks"
    """The gaps that make it uncertain, by their names in ``gap:``."""
    account: str = ""
    """The kind of account whose balance it is, if it is one."""
    unit: str = ""
    """The unit of the ledger."""
    names: tuple[str, ...] = ()
    """The kinds of names that its value has, if it is a name."""
    sentence: str = ""
    """How messages say it: ``{of} has {amount} left``. ``{of}`` is its owner, ``{amount}`` the value with its
    noun, ``{value}`` the value alone, ``{not}`` is *not* where the value is *no*. By default: *Ana's wealth is 3*."""
    noun: str = ""
    """The noun for the counted units, in the singular (``commitment die``); by default the unit."""
    final: tuple[str, ...] = ()
    """Words that never change again by the rules (``dead``): no gap makes them uncertain."""
    reveal: Callable[[GameContext[Any], ScalarNode, str], bool | None] | None = None

    @property
    def title(self) -> str:
        """The figure in plain words, without its values: ``Coins in the purse``. The beginning of its ``doc``."""
        return re.split(r"[,:(]", self.doc)[0].strip()

    def in_words(self, name: str, owner: str, value: str) -> str:
        """The figure in a sentence without a full stop: ``Ana has 3 Coins``. ``value`` may begin with *at most*."""
        digits = "".join(re.findall(r"\d+$", value))
        is_flag = value in ("yes", "no")
        fits_sentence = (
            is_flag if "{not}" in self.sentence else digits or "{amount}" not in self.sentence
        )
        if not self.sentence or not fits_sentence:
            return f"{owner}'s {name} is {value}" if owner else f"the {name} is {value}"
        amount = f"{value} {unit_name(self.noun or self.unit, int(digits))}" if digits else value
        terms = {"of": owner, "value": value, "amount": amount}
        return self.sentence.format_map({**terms, "not": "not " if value == "no" else ""})

    def key(self, name: str, id: str) -> str:
        """The key of the figure in counts, doubts and gaps: ``wealth:Ana``."""
        return f"{self.account or name}:{id}"


class SnapshotItem(NamedTuple):
    """Something that ``snapshot:`` can set and that is no single figure: cards, the open scene. ``apply(play,
    value)`` sets it and returns the differences in sentences; ``after_all_set`` does the rest after everything is
    set."""

    doc: str
    kind: FieldType[Any]
    apply: Callable[[GameContext[Any], Any], list[str]]
    after_all_set: Callable[[GameContext[Any], Any], list[str]] | None = None


class Playable(GameInfo, Generic[S]):
    """A game from the point of view of a replay: how it starts, what it counts, the state of play."""

    things: ClassVar[Mapping[str, SnapshotItem]] = MappingProxyType({})
    """State that a snapshot can set in addition to figures, in the order it is set."""

    by_measure: Mapping[str, Measure]
    """Every figure of the game, including those of all games."""

    @property
    def points(self) -> Sequence[ExtensionPoint]:
        """What a rule of the table's own may compute."""
        return ()

    def house_changed(self, play: GameContext[S]) -> None:
        """Called when a rule of the table's own was adopted or ended in play."""

    def start(self, play: GameContext[S]) -> S:
        """The state before the first entry. Players are already in ``play.names``."""
        raise NotImplementedError

    def player_of(self, play: GameContext[S], subject: Named) -> str:
        """Who speaks for a character; empty if no player does."""
        return ""

    def embodied_character(self, play: GameContext[S], player: str) -> str:
        """The id of the character that a player's name means; empty where it means none."""
        return ""

    def on_unrecorded_actor(self, play: GameContext[S], action: Action) -> None:
        """Called for an entry whose actor, or whose subject, is not recorded."""

    def left_out(self, play: GameContext[S], diagnostic: Diagnostic) -> None:
        """Called for every unreadable entry: marks state that it might have changed as doubtful; by default all."""
        if not self.stretch_verbs and diagnostic.dropped_words[0] not in NARRATION_VERBS:
            play.doubt = play.doubt or diagnostic

    def began(self, play: GameContext[S]) -> int:
        """The entry with which play began (by default it opened the first scene); 0 before that."""
        return play.timeline.scenes[0].first_step if play.timeline.scenes else 0

    def skip(self, play: GameContext[S], player: str) -> bool:
        """Pass a player's turn to the next player; False if it is not their turn."""
        return False

    def options(self, play: GameContext[S]) -> list[Move]:
        """The possible next actions. Every verb of the game appears here in some reachable state."""
        return []

    def offers(self, play: GameContext[S], verb: str, by: str) -> Iterable[Offer]:
        """The values that fit the keys of a verb now, beside those of its roles. ``by``: the actor, if known."""
        return ()

    def due(self, play: GameContext[S]) -> list[Obligation]:
        """The open obligations, the first one first: rolls, answers, payments. The game checks the next
        entry against these figures."""
        return []

    def pad(self, play: GameContext[S], due: Obligation) -> Pad | None:
        """The possible results of an obligation; None if nothing is rolled or drawn (an answer, a bid)."""
        return None

    def odds(self, play: GameContext[S], due: Sequence[Obligation]) -> list[str]:
        """The possible results of the due throws with their chances, one in each line, as on the card of the
        throw later."""
        return []

    def thrown(self, verb: str, dice: Sequence[Thrown], within: str = "") -> dict[str, Any]:
        """The entry for a result: by owner, and by kind if an owner has several. ``within`` names the contest
        if several are possible."""
        dice_by_owner: dict[str, Any] = {}
        for owner in dict.fromkeys(throw.who for throw in dice):
            faces_by_die = {
                throw.kind: faces_as_typed(throw.faces, throw.extra)
                for throw in dice
                if throw.who == owner
            }
            dice_by_owner[owner] = (
                next(iter(faces_by_die.values())) if len(faces_by_die) == 1 else faces_by_die
            )
        return {verb: dice_by_owner}

    def situation(self, play: GameContext[S]) -> str:
        """The state of play in one sentence: ``Ana speaks in scene 3, "The hall"``."""
        return ""

    def over(self, play: GameContext[S]) -> bool:
        """Whether the story is finished, by the rules of the game."""
        return False

    def standing(self, play: GameContext[S]) -> Standing:
        """The state of play in parts; by default those of the sentence of :meth:`situation`."""
        scene = play.timeline.current
        crumbs = (scene.numbered_label,) if scene is not None else ()
        sentence = self.situation(play)
        headline, details = split_sentence(sentence)
        is_outside = scene is None and sentence.startswith(f"{headline}:")
        if details and (
            is_outside or (scene is not None and scene.title and scene.title in headline)
        ):
            # The first part only names the place.
            return Standing(details.rstrip("."), "", crumbs or (headline,))
        return Standing(headline, details, crumbs)

    def owing(self, play: GameContext[S]) -> tuple[Block, ...]:
        """Long-term obligations apart from turns, for the keeper: loans, wages, unfinished work."""
        return ()

    def panel(self, play: GameContext[S]) -> tuple[Block, ...]:
        """The state of play, for the site, ``state`` and ``explain``."""
        return ()


def only_for_readers(
    add_text: Callable[Concatenate[GameContext[S], P], None],
) -> Callable[Concatenate[GameContext[S], P], None]:
    """Mark a function that only adds text for readers and reports no problems: it is skipped if the record
    is not read."""

    @wraps(add_text)
    def add_text_if_read(play: GameContext[S], /, *args: P.args, **kwargs: P.kwargs) -> None:
        if play.will_be_read:
            add_text(play, *args, **kwargs)

    return add_text_if_read


_NOT_IN_SNAPSHOTS: Final = frozenset(
    {"steps", "diagnostics", "anchors", "campaign", "word_index", "known_retractions", "perform"}
)


class GameContext(Bookkeeping, Generic[S]):
    """The state of a replay: the data that handlers read, check, pay and change.

    ``state`` belongs to the game. ``step`` is the current entry. ``tainted`` has the figures that an earlier
    problem made doubtful; consequences are folded under that problem."""

    rulebook: Playable[S]
    # Slots, because there are more attributes than fit inline in an instance, and they are read constantly.
    __slots__ = (
        "anchors",
        "doubt_until",
        "emblems",
        "given",
        "is_applying_entry",
        "is_between_entries",
        "names",
        "perform",
        "players",
        "present",
        "questions",
        "refused_positions",
        "rulings_used",
        "runner",
        "seats",
        "state",
        "stated_figures",
        "timeline",
        "vault",
        "will_be_read",
        "word_index",
    )

    def __init__(
        self,
        campaign: Campaign,
        rulebook: Playable[S],
        names: Names | None = None,
        *,
        will_be_read: bool = True,
    ) -> None:
        super().__init__(campaign, rulebook)
        self.will_be_read = will_be_read
        """Whether the steps will be read; otherwise only diagnostics matter (:func:`only_for_readers`)."""
        self.players: tuple[Player, ...] = campaign.players
        self.seats: tuple[str, ...] = tuple(
            player.name for player in self.players if player.seat >= 0
        )
        self.runner: str = campaign.facilitator_name
        self.timeline = Timeline()
        self.names = names if names is not None else Names(campaign.renamings)
        self.vault = Vault()
        self.anchors = Anchors(self.steps, campaign.renamings)
        self.present: list[str] = [player.name for player in self.players]
        self.rulings_used: dict[str, list[int]] = {}
        self.is_applying_entry = False
        """Whether an entry is being applied, so that house rules note their effects."""
        self.is_between_entries = False
        """Whether no entry is being replayed, so that questions about rulings leave no trace."""
        self.questions = Questions()
        self.emblems: dict[str, ChosenEmblem] = {}
        """The chosen emblems, by the ids of their subjects."""
        self.given: bool = False
        """Whether the entries above ``play starts:`` are being replayed: given, free and outside turns."""
        self.refused_positions: set[tuple[str, int, int]] = set()
        """The positions of names that the law has refused (:func:`chronicle.core.law.is_barred`)."""
        self.doubt_until: StepNumber = 0
        """The index of the first ``stretch_verbs`` verb that ends the doubt, or past the end."""
        self.perform: Callable[[Action], Step] = refuse_nested_entries
        """Replays a nested entry (one paid from the purse of another); set by the replay."""
        self.word_index: Any = None
        """The index of words for references to entries (:mod:`chronicle.core.references`)."""
        self.stated_figures: list[StatedFigure] = []
        """The figures that the log has stated for comparison."""
        for player in self.players:
            self.names.add(player.name, PLAYER, player.name)
        self._choose_readings()
        for id, house_rule in (campaign.settings.house_rules or {}).items():
            self._check_house_rule(id, house_rule)
            self.adopt(
                str(id), house_rule.rule, house_rule.touches, house_rule.computes, campaign.path
            )
        self.state: S = rulebook.start(self)

    # -- asking ------------------------------------------------------------------------------------

    def ruling(self, key: str) -> str:
        """The reading in force for a ruling. It is noted that the ruling mattered here, except for mere
        questions."""
        if self.is_between_entries:
            return self.rulings[key]
        step_numbers = self.rulings_used.setdefault(key, [])
        step_number = self.current.number if self.current is not None else 0
        if not step_numbers or step_numbers[-1] != step_number:
            step_numbers.append(step_number)
        return self.rulings[key]

    def left_of(self, player: str, players: Sequence[str] | None = None) -> str:
        """The next player clockwise among those given (all present by default)."""
        seated_players, eligible_players = self.seats, self.present if players is None else players
        next_seat_index = seated_players.index(player) + 1 if player in seated_players else 0
        for neighbour in (*seated_players[next_seat_index:], *seated_players[:next_seat_index]):
            if neighbour in eligible_players:
                return neighbour
        return player

    def figure(self, name: str, id: str = "") -> Range:
        """A figure as a range: of the owner with that id, or of the whole game. Unknown, it has only its limits."""
        measure = find_figure(self.rulebook.by_measure, name)
        if measure.kinds and not id:
            return Range()  # Nobody knows whose it is.
        key, value = measure.key(name, id), measure.read(self, id)
        if not isinstance(value, int):
            return Range()
        is_only_upper_bound = bool(measure.unit) and is_upper_bound(self, key, measure.unit)
        unknown_since = self.uncertain_since(key, measure.state_kind)
        if not is_only_upper_bound and not unknown_since:
            return exactly(value)
        limits = measure.limits(self, id) if measure.limits is not None else Limits()
        if is_only_upper_bound:
            return Range(limits.least, value)
        return self._range_since(unknown_since, key, measure.unit, limits)

    def _range_since(self, unknown_since: int, account: str, unit: str, limits: Limits) -> Range:
        """The possible balance of an account if only its limits and its later postings are known."""
        postings = self.ledger.postings[-MAX_POSTINGS:]
        possible_range = Range(limits.least, limits.most)
        if not unit or (len(postings) == MAX_POSTINGS and postings[0].step_number > unknown_since):
            return possible_range
        for posting in postings:
            if posting.step_number > unknown_since and posting.unit == unit:
                sign = (posting.target == account) - (posting.source == account)
                shifted_range = (
                    possible_range.plus(sign * posting.amount) if sign else possible_range
                )
                possible_range = shifted_range.within(limits.least, limits.most)
        return possible_range

    def find(
        self,
        typed_name: ScalarNode,
        kinds: Collection[str],
        noun: str,
        *,
        code: str = "T50",
        within: Iterable[str] | None = None,
        place_phrase: str = "",
        choose: Callable[[Sequence[Named]], Named | None] | None = None,
        fix: Sequence[Fix] = (),
    ) -> Named | None:
        """The subject of a name. If several share it, ``choose`` may select the only possible one. A miss is reported
        (``noun`` is 'player', 'character'; ``fix`` is further fixes), and returns the most likely subject, or None."""
        lookup = self._look_up_name(typed_name, kinds, within, choose)
        if isinstance(lookup, Named) and not self._is_reported_misspelling(typed_name, lookup):
            return lookup
        if is_unrecorded(typed_name):
            self._report_unrecorded_name(typed_name, noun)
            return None
        if isinstance(lookup, Named):
            message = f"no {noun} '{typed_name}'{place_phrase}; did you mean '{lookup.name}'?"
            fixes = replace_with([lookup.name], old=str(typed_name), is_told=True)
        elif lookup.candidates:
            message = f"{lookup.message}; write more of the name"
            candidate_names = [subject.name for subject in lookup.candidates]
            fixes = replace_with(candidate_names, old=str(typed_name))
        else:
            message = f"no {noun} '{typed_name}'{place_phrase}{lookup.message}"
            wanted_kinds = {*kinds} - {PLAYER} or {PLAYER}
            known_names = [
                subject.name for subject in self.names.all.values() if subject.kind in wanted_kinds
            ]
            fixes = replace_with(lookup.similar, old=str(typed_name), is_told=True)
            if 0 < len(known_names) <= MAX_LISTED_NAMES and within is None and not lookup.similar:
                fixes = replace_with(known_names, old=str(typed_name))
            message, fix = explain_no_player(self.look_up, typed_name, kinds, message, fix)
        self._blame_on_unreadable_entry(typed_name)
        fix = (*fixes, *fix)
        since = None if isinstance(lookup, Named) or lookup.candidates or lookup.similar else 0
        problem = self.unreadable(
            code, message, at=typed_name, fix=fix, name=typed_name, since=since, state_kind="cast"
        )
        if isinstance(lookup, Named):
            return lookup
        if problem.cause is not None and problem.cause.dropped_words:
            return None
        return self.resolve_misspelt(typed_name, kinds, within)

    def look_up(self, typed_name: ScalarNode, kinds: Collection[str]) -> Named | None:
        """The subject of a name; None if unknown. Nothing is reported."""
        lookup = self._look_up_name(typed_name, kinds, None, None)
        return lookup if isinstance(lookup, Named) else None

    def _look_up_name(
        self,
        typed_name: ScalarNode,
        kinds: Collection[str],
        within: Iterable[str] | None,
        choose: Callable[[Sequence[Named]], Named | None] | None,
    ) -> Named | NameMiss:
        lookup = self.names.find(typed_name, kinds, within)
        if isinstance(lookup, Named) or not lookup.candidates:
            return lookup
        if choose is None and PLAYER in kinds:
            choose = self._only_possible_character
        chosen_subject = choose(lookup.candidates) if choose is not None else None
        return chosen_subject if chosen_subject is not None else lookup

    def _report_unrecorded_name(self, typed_name: ScalarNode, noun: str) -> None:
        """An entry that does not say whom it concerns: state that depends on it is unknown, as for an
        unrecorded actor."""
        problem = self.last_name_problem
        was_reported = problem is not None and problem.step_number == self.step.number
        if self.is_actor_unrecorded or was_reported:
            return
        self.rulebook.on_unrecorded_actor(self, self.step.action)
        message = f"the record does not say which {noun} it was"
        self.last_name_problem = self.report(
            DiagnosticKind.UNKNOWN, NOBODY_ACTS, message, at=typed_name
        )

    def is_unrecorded_name(self, typed_name: ScalarNode) -> bool:
        """Whether a name says that the person is not recorded."""
        # This is called for every name, and most names are shorter.
        return (
            len(typed_name) >= len(UNRECORDED)
            and is_unrecorded(typed_name)
            and not isinstance(self.names.find(typed_name), Named)
        )

    def assign_unknown_payment(self, account: str, unit: str, shortfall: int) -> bool:
        """Whether a purse with ``shortfall`` less than computed may have made an unknown payment; if so, the payment
        is assigned to it."""
        if not 0 < shortfall <= self.outstanding(unit) or not is_upper_bound(self, account, unit):
            return False
        self.move(account, SOMEBODY, shortfall, unit, "", "as counted")
        self.event(f"{shortfall} of what somebody paid was theirs", kind="adjusted")
        return True

    def resolve_misspelt(
        self, typed_name: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | None:
        """The most likely subject of an unknown name, which means it from now on. The caller reports the
        problem."""
        likely_subject = self.names.likely_subject(typed_name, kinds, within)
        if likely_subject is not None:
            self.names.accept_misspelling(likely_subject.id, typed_name)
        return likely_subject

    def _is_reported_misspelling(self, typed_name: str, subject: Named) -> bool:
        """Whether a word is a wrong spelling that was reported."""
        if self.last_name_problem is None or f"name:{fold(typed_name)}" not in self.tainted:
            return False
        return fold(typed_name) not in map(fold, (subject.name, *subject.aliases))

    def untold(self, code: str, message: str, **options: Unpack[ReportOptions]) -> Diagnostic:
        """Report that the record does not tell an outcome: state that depends on it is unknown in this
        scene, and later consequences are treated as if the entry were unreadable."""
        diagnostic = self.unknown(code, message, **options)
        diagnostic.dropped_words = (self.step.action.verb,)
        self.rulebook.left_out(self, diagnostic)
        self.mark_outcome_unknown()
        return diagnostic

    # -- doing -------------------------------------------------------------------------------------

    def open_scene(self, scene: Scene, *, anchored: bool = False, fork_of: int = 0) -> Scene:
        """Open a scene that begins with the current entry. ``anchored`` scenes get their place in the story
        by :func:`~chronicle.core.references.anchor`; ``fork_of`` is the number of a scene that this scene tells
        another way."""
        scene.number = len(self.timeline.scenes) + 1
        scene.session, scene.first_step = self.step.session, self.step.number
        self.step.scene = scene.number
        if fork_of:
            return self.timeline.fork(scene, fork_of)
        return self.timeline.open(scene, anchored=anchored)

    def is_excused(self, code: str) -> bool:
        """Whether this entry knowingly departs from a rule (``allow`` or ``under``)."""
        return bool(self._excuse(code, DiagnosticKind.ILLEGAL))

    def check_presence(self, player: str, at: Place | str) -> None:
        """Report an action of a player who is away (T67), once until that player arrives."""
        if player and player not in self.present and not self.given:
            self.report(
                DiagnosticKind.BOOKKEEPING,
                "T67",
                f"{player} is not at the table",
                at=at,
                fix=presence_fixes(self, player),
                since=start_of_presence_gap(self),
                state_kind="cast",
                after=("present:", presence_key(player)),
            )
            self.taint(presence_key(player))

    def player(
        self,
        typed_name: ScalarNode | None,
        code: str = "T50",
        entitled: Callable[[], Iterable[str]] = tuple,
    ) -> str:
        """The player that a name means, or the player of a character; empty if unknown. Where both share a name, it is
        the player above ``play starts:``, and later the player who is ``entitled``, or present, if there is one."""
        if typed_name is None:
            return ""
        subject = self.names.find(typed_name) if self.last_name_problem is None else None
        if isinstance(subject, Named):
            return self._player_of(subject)
        return self._resolve_player(typed_name, code, entitled)

    def look_up_player(
        self, typed_name: ScalarNode, entitled: Callable[[], Iterable[str]] = tuple
    ) -> str:
        """The player that a name means, or the player of a character; empty if unknown. Nothing is reported."""
        lookup = self._look_up_name(
            typed_name,
            (),
            None,
            lambda candidates: self._only_possible_subject(candidates, entitled),
        )
        return self._player_of(lookup) if isinstance(lookup, Named) else ""

    def _resolve_player(
        self, typed_name: ScalarNode, code: str, entitled: Callable[[], Iterable[str]]
    ) -> str:
        subject = self.find(
            typed_name,
            (),
            "player or character",
            code=code,
            choose=lambda candidates: self._only_possible_subject(candidates, entitled),
        )
        return "" if subject is None else self._player_of(subject)

    def _only_possible_subject(
        self, candidates: Sequence[Named], entitled: Callable[[], Iterable[str]]
    ) -> Named | None:
        """The only one of several subjects with one name whose player can be meant."""
        player_by_id = {candidate.id: self._player_of(candidate) for candidate in candidates}
        if self.given:
            player_by_id = {
                candidate.id: candidate.name for candidate in candidates if candidate.kind == PLAYER
            }
        players = {player for player in player_by_id.values() if player}
        for possible_players in (
            players,
            players.intersection(entitled()),
            players.intersection(self.present),
        ):
            if len(possible_players) == 1:
                return next(
                    candidate
                    for candidate in candidates
                    if player_by_id.get(candidate.id) in possible_players
                )
        return None

    def _only_possible_character(self, candidates: Sequence[Named]) -> Named | None:
        """Of a player and a character with the same name, the character: not a player
        without a character, or with another character than the present one."""
        embody = self.rulebook.embodied_character
        character_by_id = {
            candidate.id: embody(self, candidate.id) if candidate.kind == PLAYER else candidate.id
            for candidate in candidates
        }
        embodied_subjects = [candidate for candidate in candidates if character_by_id[candidate.id]]
        for possible_candidates in (
            embodied_subjects,
            [
                candidate
                for candidate in embodied_subjects
                if self._player_of(candidate) in self.present
            ],
        ):
            if len({character_by_id[candidate.id] for candidate in possible_candidates}) == 1:
                return min(possible_candidates, key=lambda candidate: candidate.kind == PLAYER)
        return None

    def _player_of(self, subject: Named) -> str:
        return subject.name if subject.kind == PLAYER else self.rulebook.player_of(self, subject)

    def note_unreadable(self, diagnostic: Diagnostic) -> None:
        """Record that an entry was left out. What depends on its verb says ``after=("dropped:VERB",)``."""
        self.unreadable_problems.append(diagnostic)
        self.tainted.setdefault(f"dropped:{diagnostic.dropped_words[0]}", diagnostic)
        self.tainted["lost:"] = diagnostic
        self.last_unreadable_step_number = len(self.steps) + 1
        stretch_verbs = self.rulebook.stretch_verbs
        if stretch_verbs and diagnostic.dropped_words[0] not in NARRATION_VERBS:
            self.doubt = self.doubt or diagnostic
            likely_verb = most_likely_verb(diagnostic, self.rulebook.by_verb)
            if likely_verb in stretch_verbs:
                self.doubt_until = max(self.doubt_until, stretch_verbs.index(likely_verb))
            elif not self.timeline.scenes:
                self.doubt_until = len(stretch_verbs)

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """The attributes that a snapshot copies (:mod:`chronicle.core.snapshots`)."""
        copied_slots = (
            name
            for name in (*Reporter.__slots__, *Bookkeeping.__slots__, *self.__slots__)
            if name not in _NOT_IN_SNAPSHOTS
        )
        return None, {name: getattr(self, name) for name in copied_slots if hasattr(self, name)}

    def adopt(
        self,
        id: str,
        text: str,
        touches: Iterable[str],
        computes: Mapping[ScalarNode, ScalarNode] | None,
        path: str,
    ) -> None:
        """Put a house rule in force; its formulas are in the file ``path``."""
        formulas = formulas_of(self, computes, path) if computes else {}
        step_number = self.current.number if self.current is not None else 0
        self.touched_by_rule[id] = touched_codes = tuple(str(code) for code in touches)
        self.adopted_rules.adopt(AdoptedRule(id, str(text), step_number, touched_codes, formulas))
        if step_number:
            self.rulebook.house_changed(self)

    def abandon(self, id: str) -> None:
        """End a house rule: it excuses nothing, and computes nothing."""
        self.adopted_rules.drop(id, self.step.number)
        self.touched_by_rule[id] = ("ended",)
        self.always_excused_by = {
            code: rule_id for code, rule_id in self.always_excused_by.items() if rule_id != id
        }
        self.rulebook.house_changed(self)
