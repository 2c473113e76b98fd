"""The end of a session: pair rolls, new labels, recovery (I55, I56, I70)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from chronicle.core.declare import Decides, Moment, Offered, Part, PartOf, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import (
    NAME,
    TEXT,
    UNRECORDED,
    MapOf,
    MapOr,
    OrUnrecorded,
    choice,
    in_role,
)
from chronicle.core.fix import drop_item, replace_with, set_pair
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import answer, expected
from chronicle.core.law import TABLE, Decider, Role
from chronicle.core.play_field_types import PAIR, Pair
from chronicle.core.record import Side as CardSide
from chronicle.core.record import SideBySide
from chronicle.core.sentences import Sentence
from chronicle.core.source import Place, ScalarNode, place_of
from chronicle.games.isolation.bounds import counted_range
from chronicle.games.isolation.counted import as_counted, faces_that_count, lucks
from chronicle.games.isolation.counting import compare
from chronicle.games.isolation.deaths import heal
from chronicle.games.isolation.dice import GREEN, RED, ROLLED, Colour, Rolled, Throw, shown_dice
from chronicle.games.isolation.harm import WaitsForWounds
from chronicle.games.isolation.linkmap import find_link
from chronicle.games.isolation.odds import pair_chances, percent
from chronicle.games.isolation.people import (
    MEANS_CHARACTER,
    alive,
    find_character,
    find_pair,
    paired_with_themselves,
)
from chronicle.games.isolation.phases import (
    AFTER,
    ALWAYS,
    DEATHS,
    DECISION,
    ENDING,
    MIDWAY,
    NOT_DECIDED,
    SETUP,
    START,
    UNDECIDED_DOUBTED,
    WOUNDS,
)
from chronicle.games.isolation.rolls import throw_of
from chronicle.games.isolation.state import CHARACTER, Health, Link, PairKey, PairRolled, Topic
from chronicle.games.isolation.table import (
    Table,
    add_link,
    doubt_pairs,
    erase_link,
    known_before_gap,
    labels_known,
    links_known,
    note_throw,
    pair_keys,
    set_health,
)

RULES = """
# Changes of the map
I55 Pair rolls [checked; V40 V41]
  At the end of a session each pair can roll its green links against its red links. With more green evens the pair can
  erase a red label or add a green one. With more red odds it must erase a green label or add a red one. Otherwise
  labelled links do not change.
I56 New labels [checked; V42]
  A new label can name any event of the game, or of the time between two sessions. Chronicle points out a label without
  an event on record.

# Injury, death, recovery
I70 Recovery [checked; V56 V57]
  When all red links with the label of a level are gone, the character recovers from that level. All Dying links go
  before any Injured link, and only between sessions.
"""

READINGS = """
IA25 wound_links_dead: The last wound link of a level was shared with a character who died. Is the level healed?
  - session_end: at the next end of a session, if no such link is left
  - at_once: immediately
  because the condition is met, but recovery belongs between sessions (I58, I70)
IA26 injury_pair_rolls: Do pairs also roll when a character is wounded?
  - only_links: no, only the wound links are drawn
  - also: yes, in mid-session too
  because the next sentence on injuries says what happens (I55, I57)
IA27 pair_roll: Which links does a pair roll?
  - all: all of them, open-ended, without modifiers
  - labelled: labelled links only
  because the text speaks of its existing links (I55)
IA28 pair_tie: A pair roll is a tie.
  - nothing: nothing changes
  because both results need more (I55)
IA29 no_green_to_erase: Red odds win a pair roll and there is no labelled green link.
  - add: a labelled red link must be added
  because there is no other option (I55)
IA30 wound_by_pair_roll: Can a pair roll erase a wound link?
  - yes: yes; that is how recovery works
  because the text describes recovery that way (I55, I70)
"""

TERMS = """\
Pair rolls [I55]: At the end of a session each pair can roll its green links against its red ones, and change a label.
"""

ROLES: Mapping[str, Role] = {
    "pair": Role(
        "two characters who roll their links",
        "",
        (alive("I58", "{who} is dead and keeps no links to roll"),),
        MEANS_CHARACTER,
        repeat_rule="",
    ),
}
ACTORS: Mapping[str, Decider] = {
    "pairs": TABLE._replace(words="the players of each pair"),
}
_ALLOWED: Mapping[Colour | None, tuple[str, ...]] = {
    GREEN: ("erase", "add green"),
    RED: ("erase", "add red"),
    None: (),
}
_MAY: Mapping[Colour | None, str] = {
    GREEN: "green evens won: erase a red label, or add green",
    RED: "red odds won: erase a green label, or add red",
    None: "a tie changes nothing",
}
_NO_LABEL = ("", "unlabelled", "unlabeled")


class PairRoll(Part):
    """One pair's roll at the end of a session, and its choice."""

    green = option(ROLLED, "faces of the green dice")
    red = option(ROLLED, "faces of the red dice")
    erase = option(TEXT, "the label that is erased: a red one after green evens, else a green one")
    add_green = option(TEXT, "the new green label, if green evens won")
    add_red = option(TEXT, "the new red label, if red odds won")
    for_ = option(TEXT, "what happened in the game that the new label stands for")

    def choices(self) -> list[tuple[str, ScalarNode]]:
        """The choices of the pair, each with its words."""
        chosen = {"erase": self.erase, "add green": self.add_green, "add red": self.add_red}
        return [(key, words) for key, words in chosen.items() if words is not None]


def base_of(play: Table, pair: PairKey) -> tuple[int, int]:
    """Green and red dice of a pair's roll: its links, by default the unlabelled ones too."""
    links = play.state.labelled(pair)
    green = sum(1 for link in links if link.colour is GREEN)
    red = len(links) - green
    if play.ruling("pair_roll") == "labelled":
        return green, red
    loose = play.state.unlabelled(pair)
    return green + loose.green, red + loose.red


def rolled_before(play: Table, pair: PairKey) -> int:
    """The entry in which a pair has rolled for the session that is now due; 0 if it has not. Rolls at the top of a
    session, before its first proposal, can belong to the session before."""
    state, last = play.state, play.state.rolled_for.get(pair, 0)
    if pair not in state.rolled:
        return 0
    is_rolled = last >= _session_of(play, pair) or _is_same_moment(play, state.rolled[pair])
    return state.rolled[pair] if is_rolled else 0


def _is_same_moment(play: Table, step_number: int) -> bool:
    """Whether nothing but pair rolls and recoveries lies between an entry of this session and now."""
    steps = play.steps[step_number - 1 :]
    return all(
        step.session == play.step.session and isinstance(step.action, PairRolls | Recover)
        for step in steps
    )


def _is_played(play: Table) -> bool:
    """Whether play has gone on in this session: a proposal, or an event that has raised Stress."""
    state, session = play.state, play.state.session
    steps = [change.step for change in state.stress_history if change.kind == "event"]
    is_tense = any(step and play.steps[step - 1].session == session for step in steps)
    return is_tense or any(conflict.session == session for conflict in state.conflicts)


def _session_of(play: Table, pair: PairKey) -> int:
    """The session that a pair rolls for now. A log that begins in mid-play has a session before its first one."""
    state = play.state
    last = state.rolled_for.get(pair, -1 if state.given else 0)
    is_between = not _is_played(play) and last < state.session - 1
    return state.session - 1 if is_between else state.session


class Rolling(NamedTuple):
    """The roll of a pair as the entry has it.

    Attributes:
        pair: the two characters.
        typed: the pair as typed.
        roll: the faces and the choice.
        base: green and red dice that are due.
        throw: the faces.
        winners: the colours that can have won; None for a tie.
        link: the link that it erases; None if it erases none, or no such link is there.
        is_found: whether the link has the colour that this roll erases.
    """

    pair: PairKey
    typed: Pair
    roll: PairRoll
    base: tuple[int, int]
    throw: Throw
    winners: frozenset[Colour | None]
    link: Link | None = None
    is_found: bool = True

    @property
    def winner(self) -> Colour | None:
        """The colour that won; None for a tie, and if it is unknown."""
        return next(iter(self.winners)) if len(self.winners) == 1 else None

    @property
    def is_open(self) -> bool:
        """Whether the record does not say who won."""
        return len(self.winners) > 1

    @property
    def erased(self) -> Colour | None:
        """The colour of the label that the roll erases."""
        return None if self.winner is None else RED if self.winner is GREEN else GREEN


def _winners(base: tuple[int, int], throw: Throw) -> frozenset[Colour | None]:
    """I55: the colours that can have won, by the faces on record."""
    evens = counted_range(throw, base[0], GREEN)
    odds = counted_range(throw, base[1], RED)
    winners: set[Colour | None] = set()
    if evens.highest is None or evens.highest > (odds.lowest or 0):
        winners.add(GREEN)
    if odds.highest is None or odds.highest > (evens.lowest or 0):
        winners.add(RED)
    is_apart = evens.highest is not None and evens.highest < (odds.lowest or 0)
    is_apart = is_apart or (odds.highest is not None and odds.highest < (evens.lowest or 0))
    if not is_apart:
        winners.add(None)
    return frozenset(winners)


class PairRolls(WaitsForWounds):
    """At the end of a session each pair may roll its green links against its red ones."""

    verb = "pair rolls"
    synonyms = ("pair links",)
    already_shown_kinds = frozenset({"pair roll"})
    decides = Decides("pairs")
    moment = Moment(
        (SETUP, START, MIDWAY, DECISION, WOUNDS, DEATHS, ENDING, AFTER),
        Refusal(
            "I55",
            NOT_DECIDED + "pairs roll at the end of the session",
            after=(UNDECIDED_DOUBTED,),
        ),
    )
    offered = Offered("I55", "a pair rolls at the end of the session", is_rare=True, weight=1)
    example = (
        "pair rolls:\n    Ruth & Dagny: {green: 623 4, red: 35246, erase: Ruth Dying}\n"
        "    Ruth & Cormac: {green: 4, red: 233, add red: you cut the rope, for: the mast}"
    )
    rolls = main(
        MapOr(
            MapOf(in_role("pair", PAIR), OrUnrecorded(PartOf(PairRoll))),
            choice(UNRECORDED),
            words="{one & other: faces and choice}, or unrecorded",
        ),
        "{one & other: faces and choice}; unrecorded",
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state, random = play.state, Random(len(play.steps))
        if not (state.links or state.given):
            return
        pairs = [pair for pair in state.pairs(state.playing()) if not rolled_before(play, pair)]
        random.shuffle(pairs)
        for pair in pairs[:6]:
            yield {"pair rolls": {state.name_of(pair): _some_roll(play, random, pair)}}

    def lead_in(self) -> str:
        labels = {
            f"{pair.first} & {pair.second}": roll.add_green or roll.add_red
            for pair, roll in self._typed().items()
            if roll is not None
        }
        return ". ".join(f"{pair}: {label}" for pair, label in labels.items() if label is not None)

    def sentence(self, play: Table) -> Sentence:
        rolls = self._typed()
        return (
            f"{plural(len(rolls), 'pair')} {'rolls' if len(rolls) == 1 else 'roll'}."
            if rolls
            else "Pairs roll.",
        )

    def _typed(self) -> Mapping[Pair, PairRoll | None]:
        return {} if isinstance(self.rolls, str) else self.rolls

    def rollings(self, play: Table, *, is_draft: bool = True) -> list[Rolling]:
        """The rolls of all pairs, in order: a link that a roll erases is gone for the next roll."""
        rollings: list[Rolling] = []
        for typed, roll in self._typed().items():
            pair = find_pair(play, typed)
            if pair is None or not all(play.state.people[id].alive for id in pair):
                continue
            rollings.append(
                self._rolling(play, typed, pair, roll, is_draft=is_draft, earlier=rollings)
            )
        return rollings

    def _rolling(
        self,
        play: Table,
        typed: Pair,
        pair: PairKey,
        roll: PairRoll | None,
        *,
        is_draft: bool,
        earlier: Sequence[Rolling],
    ) -> Rolling:
        if roll is None:
            roll = PairRoll()
            roll.green = roll.red = Rolled(hidden=True)
        is_hidden = any(part is not None and part.hidden for part in (roll.green, roll.red))
        ask = expected if is_draft else answer
        throw = as_counted(play, Throw(roll.green, roll.red, is_hidden), ask)
        base = base_of(play, pair)
        rolling = Rolling(pair, typed, roll, base, throw, _winners(base, throw))
        if roll.erase is None:
            return rolling
        gone = [earlier_step.link for earlier_step in earlier if earlier_step.link is not None]
        colour, text = rolling.erased, str(roll.erase)
        link = find_link(play, pair, text, colour, without=gone) or _wound_by_name(play, pair, text)
        if link is not None and (colour is None or link.colour is colour):
            return rolling._replace(link=link)
        link = find_link(play, pair, text, without=gone)
        return rolling._replace(link=link, is_found=False)

    def _place(self, rolling: Rolling) -> Place:
        return place_of(rolling.typed.first, self.path)

    # Guards.

    @guard("I55")
    def there_is_a_map(self, play: Table) -> Violation | None:
        """Pairs roll once the map has a link, also in a session without a proposal."""
        if play.state.links or play.state.given or not self._typed():
            return None
        return Violation("pairs roll their links, and no link is on the map yet", since=0)

    @guard("I7")
    def between_two(self, play: Table) -> Iterator[Violation]:
        return paired_with_themselves(play, self._typed())

    @guard("I55", DiagnosticKind.UNKNOWN, at="main")
    def rolls_are_on_record(self, play: Table) -> Violation | None:
        if not isinstance(self.rolls, str):
            return None
        pairs = play.state.pairs(play.state.playing())
        return Violation(
            "the record does not say how the pairs rolled",
            doubts=[key for pair in pairs for key in pair_keys(pair)],
        )

    @guard("I55")
    def each_pair_rolls_once(self, play: Table) -> Iterator[Violation]:
        for rolling in self.rollings(play):
            earlier_step = rolled_before(play, rolling.pair)
            if earlier_step:
                yield Violation(
                    f"{play.state.name_of(rolling.pair)} have rolled for this session",
                    rolling.typed.first,
                    facts=play.facts(earlier_step, "here"),
                )

    @guard("I55", at="by")
    def own_links(self, play: Table) -> Iterator[Violation]:
        """A pair decides about its own links."""
        player = play.step.player
        if self.by is None or player in ("", play.runner):
            return
        for rolling in self.rollings(play):
            owners = [play.state.people[id].player for id in rolling.pair]
            if player not in owners:
                yield Violation(
                    f"{player} rolls for {play.state.name_of(rolling.pair)}; "
                    f"that is for {listed(dict.fromkeys(owners), 'or')} to do"
                )

    @guard("I55")
    def each_link_is_a_die(self, play: Table) -> Iterator[Violation]:
        for rolling in self.rollings(play):
            name = play.state.name_of(rolling.pair)
            for colour, dice in zip((GREEN, RED), rolling.base, strict=True):
                if rolling.throw.of(colour).hidden:
                    continue
                violation = compare(
                    play,
                    name,
                    colour,
                    rolling.throw.of(colour),
                    dice,
                    [plural(dice, f"{colour} link")] if dice else [],
                    "I55",
                    (),
                    self._place(rolling),
                    pair_keys(rolling.pair),
                )
                if violation is not None:
                    yield violation._replace(
                        since=links_known(play, rolling.pair, colour),
                        doubts=pair_keys(rolling.pair),
                    )

    @guard("I55")
    def one_change_for_one_roll(self, play: Table) -> Iterator[Violation]:
        for rolling in self.rollings(play):
            choices = rolling.roll.choices()
            if len(choices) > 1:
                yield self._violation(
                    play,
                    rolling,
                    f"one change for one roll, not {listed(key for key, _ in choices)}",
                    self._place(rolling),
                )

    def _violation(
        self, play: Table, rolling: Rolling, message: str, at: Place | ScalarNode
    ) -> Violation:
        name = play.state.name_of(rolling.pair)
        return Violation(
            f"{name}: {message}", at, after=[f"map:{name}"], doubts=pair_keys(rolling.pair)
        )

    @guard("I55")
    def red_odds_change_the_map(self, play: Table) -> Iterator[Violation]:
        for rolling in self.rollings(play):
            if rolling.roll.choices():
                continue
            if rolling.winners == {RED}:
                evens = plural(rolling.throw.of(GREEN).counted(GREEN), "green even")
                odds = plural(rolling.throw.of(RED).counted(RED), "red odd")
                greens = play.state.labelled(rolling.pair, GREEN)
                violation = self._violation(
                    play, rolling, f"{odds} beat {evens}, and nothing changed", self._place(rolling)
                )
                yield violation._replace(
                    fix=[
                        *(set_pair("", "erase", link.label) for link in greens),
                        set_pair("", "add red"),
                    ]
                )
            elif rolling.throw.hidden and RED in rolling.winners:
                name = play.state.name_of(rolling.pair)
                yield Violation(
                    f"the record does not say how {name} rolled",
                    self._place(rolling),
                    kind=DiagnosticKind.UNKNOWN,
                    doubts=pair_keys(rolling.pair),
                )

    @guard("I55")
    def choice_is_the_winners(self, play: Table) -> Iterator[Violation]:
        for rolling in self.rollings(play):
            allowed = {key for winner in rolling.winners for key in _ALLOWED[winner]}
            for key, words in rolling.roll.choices():
                if key not in allowed:
                    may = (
                        _MAY[rolling.winner]
                        if not rolling.is_open
                        else f"the faces on record do not allow '{key}'"
                    )
                    yield self._violation(play, rolling, may, words)

    @guard("I55")
    def erased_link_is_there(self, play: Table) -> Iterator[Violation]:
        for rolling in self.rollings(play):
            words, colour = rolling.roll.erase, rolling.erased
            if words is None or rolling.is_found or colour is None:
                continue
            link, name = rolling.link, play.state.name_of(rolling.pair)
            yield Violation(
                f"'{link.label}' is {link.colour}; this roll erases a {colour} label"
                if link is not None
                else f"{name} have no {colour} link '{words}'",
                words,
                replace_with(link.label for link in play.state.labelled(rolling.pair, colour)),
                since=labels_known(play, [rolling.pair]),
                state_kind="tracks",
                after=[f"map:{name}"],
                doubts=pair_keys(rolling.pair),
            )

    @guard("I70")
    def dying_links_go_first(self, play: Table) -> Iterator[Violation]:
        gone: list[Link] = []
        for rolling in self.rollings(play):
            link = rolling.link
            if link is None:
                continue
            gone.append(link)
            if link.topic is not Topic.WOUND or link.level is not Health.INJURED:
                continue
            dying_links = [
                dying
                for dying in play.state.wound_links(link.owner, Health.DYING)
                if dying not in gone
            ]
            if dying_links:
                yield Violation(
                    f"{link.owner} is Dying: all links '{Health.DYING.label}' go before any "
                    f"'{link.level.label}'",
                    rolling.roll.erase,
                    replace_with(
                        dying.label for dying in dying_links if dying.pair == rolling.pair
                    ),
                    help="a roll erases those first",
                    facts=[
                        play.because(
                            dying.since, f"{play.state.name_of(dying.pair)}: {dying.label}"
                        )
                        for dying in dying_links[:2]
                    ],
                    after=[f"map:{play.state.name_of(rolling.pair)}", f"health:{link.owner}"],
                    doubts=pair_keys(rolling.pair),
                )

    @guard("I56", help="label it with something that happened")
    def new_link_has_a_label(self, play: Table) -> Iterator[Violation]:
        for rolling in self.rollings(play):
            for key, words in rolling.roll.choices():
                if key != "erase" and words.strip().casefold() in _NO_LABEL:
                    message = "a new link from a pair roll has a label"
                    yield Violation(message, words, doubts=pair_keys(rolling.pair))

    @question("I56", help="add  for: the event, or something between two sessions")
    def label_stands_for_something(self, play: Table) -> Iterator[Violation]:
        for rolling in self.rollings(play):
            for key, words in rolling.roll.choices():
                is_label = key != "erase" and words.strip().casefold() not in _NO_LABEL
                if is_label and rolling.roll.for_ is None:
                    yield Violation(
                        f"'{words}': the record does not say what happened that this label "
                        "stands for",
                        words,
                    )

    # Effect.

    def apply(self, play: Table) -> None:
        self.settle_harm(play)
        state = play.state
        is_mid = play.ruling("injury_pair_rolls") == "also" and state.injured_step > 0
        is_free = state.conflict is None or state.conflict.level is not None
        # Rolls at the top of a session file happened between the sessions, if the pair has not rolled for the last one.
        pairs = [rolling.pair for rolling in self.rollings(play)] or state.pairs()
        is_ending = any(
            _session_of(play, pair) == state.session and not rolled_before(play, pair)
            for pair in pairs
        )
        is_whole = _is_played(play) or not play.gaps.latest_step_number()
        if is_ending and is_whole and is_free and not is_mid:
            state.ending = state.ending or play.step.number
        if isinstance(self.rolls, str):
            doubt_pairs(play, state.pairs(state.playing()))
        cards: list[CardSide] = []
        for rolling in self.rollings(play, is_draft=False):
            cards.append(self._roll(play, rolling))
            heal(play)
        if cards:
            play.step.contest = SideBySide(
                "The pairs roll",
                tuple(cards),
                unit="green evens against red odds",
                odds="; ".join(
                    f"{state.name_of(rolled.pair)} {percent(rolled.chances.get(GREEN, 0.0))} green, "
                    f"{percent(rolled.chances.get(RED, 0.0))} red"
                    for rolled in state.pair_rolls
                    if rolled.step == play.step.number and rolled.chances is not None
                ),
                rule="I55",
            )

    def _roll(self, play: Table, rolling: Rolling) -> CardSide:
        state, throw, name = play.state, rolling.throw, play.state.name_of(rolling.pair)
        state.rolled_for[rolling.pair] = _session_of(play, rolling.pair)
        state.rolled[rolling.pair] = play.step.number
        note_throw(play, throw, state.people[rolling.pair[0]].player)
        rolled = PairRolled(
            rolling.pair,
            state.session,
            play.step.number,
            rolling.base,
            throw,
            throw.of(GREEN).counted(GREEN),
            throw.of(RED).counted(RED),
            behind=str(rolling.roll.for_ or ""),
            chances=pair_chances(*rolling.base, *lucks(play)),
        )
        state.pair_rolls.append(rolled)
        for key, words in rolling.roll.choices():
            if key != "erase":
                _add(play, rolled, key, words, self.path)
            elif rolling.link is not None and rolling.link in state.labelled(rolling.pair):
                erase_link(play, rolling.link, "I55")
                rolled.choice, rolled.label = "erase", rolling.link.label
        chosen = f"{rolled.choice} '{rolled.label}'" if rolled.choice else ""
        won = {GREEN: "green evens win", RED: "red odds win", None: "a tie"}[rolled.winner]
        fell = f"{rolled.evens} green evens, {rolled.odds} red odds: {won}"
        if rolled.unrecorded:
            fell = "not all faces are recorded"
        nothing = "" if rolled.unrecorded else "nothing changes"
        text = "; ".join(filter(None, (fell, chosen or nothing)))
        play.event(f"{name}: {text}", "I55", "pair roll")
        green, red = rolling.base
        return CardSide(
            name,
            "",
            shown_dice(throw, {GREEN: green, RED: red}, GREEN, RED),
            (f"{green} green, {plural(red, 'red link')}",),
            rolled.counted + (f", {chosen}" if chosen else ""),
            rolled.winner is GREEN,
        )


def _add(play: Table, rolled: PairRolled, key: str, words: ScalarNode, path: str) -> None:
    """I56: a new labelled link."""
    colour, text = GREEN if key == "add green" else RED, words.strip()
    label = "(no label)" if text.casefold() in _NO_LABEL else text
    at = place_of(words, path)
    add_link(play, rolled.pair, colour, label, Topic.EVENT, "I56", place=at, behind=rolled.behind)
    rolled.choice, rolled.label = key, label


def _wound_by_name(play: Table, pair: PairKey, text: str) -> Link | None:
    """'Ruth's Dying' and 'Dying' mean a wound link as well."""
    words = text.replace("'s", "").replace("’s", "").split()
    if not words:
        return None
    level = words[-1].casefold()
    links = [
        link
        for link in play.state.labelled(pair, RED)
        if link.topic is Topic.WOUND and link.level.label.casefold() == level
    ]
    if len(words) > 1:
        named = play.names.find(" ".join(words[:-1]), (CHARACTER,))
        owner = getattr(named, "id", "")
        links = [link for link in links if link.owner == owner]
    return links[0] if len({link.owner for link in links}) == 1 else None


def _some_roll(play: Table, random: Random, pair: PairKey) -> dict[str, Any]:
    """A roll of a pair, with a choice that it allows."""
    state = play.state
    entry: dict[str, Any] = throw_of(random, *base_of(play, pair))
    green, red = faces_that_count(play, GREEN), faces_that_count(play, RED)
    evens = sum(1 for face in entry["green"] if face in green)
    odds = sum(1 for face in entry["red"] if face in red)
    if evens > odds:
        reds = [
            link
            for link in state.labelled(pair, RED)
            if link.level is not Health.INJURED or not state.wound_links(link.owner, Health.DYING)
        ]
        wounds = [link for link in reds if link.topic is Topic.WOUND]
        if reds and random.random() < 0.8:
            entry["erase"] = (wounds or [random.choice(reds)])[0].label
        elif random.random() < 0.7:
            entry |= {"add green": f"the quiet hour ({len(play.steps)})", "for": "a quiet hour"}
    elif odds > evens:
        labels = [link.label for link in state.labelled(pair, GREEN)]
        if labels and random.random() < 0.5:
            entry["erase"] = random.choice(labels)
        else:
            entry |= {"add red": "left me out there", "for": "the last conflict"}
    return entry


# --- recovery -------------------------------------------------------------------------------------


class Recover(WaitsForWounds):
    """State a recovery: it follows from the pair rolls, and is checked."""

    verb = "recover"
    synonyms = ("heal", "recovery")
    decides = Decides("table")
    moment = ALWAYS
    offered = Offered("I70", "state a recovery", weight=-1)
    example = "recover: {Ruth: dying}"
    levels = main(
        MapOf(in_role("named", NAME), choice("dying", "injured")), "{who: the level that is healed}"
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        people = play.state.people
        for recovery in reversed(play.state.recoveries) if not play.state.over else ():
            if people[recovery.character].health < recovery.level:
                yield {"recover": {recovery.character: str(recovery.level)}}

    def sentence(self, play: Table) -> Sentence:
        return (f"Recovery: {listed(map(str, self.levels))}.",)

    def stated(self, play: Table) -> Iterator[tuple[ScalarNode, str, Health, bool]]:
        """Each level that it states as healed, and whether it has been healed."""
        for word, text in self.levels.items():
            id = find_character(play, word)
            if id:
                level, health = Health[text.upper()], play.state.people[id].health
                is_healed = health < level and any(
                    recovery.character == id and recovery.level is level
                    for recovery in play.state.recoveries
                )
                yield word, id, level, is_healed

    @guard("I70")
    def has_that_level(self, play: Table) -> Iterator[Violation]:
        for word, id, level, is_healed in self.stated(play):
            person = play.state.people[id]
            if not is_healed and person.health is not level:
                yield Violation(
                    f"{id} is {person.health}, not {level}",
                    word,
                    drop_item(str(word)),
                    facts=[play.because(entry[0], str(entry[1])) for entry in person.history[-1:]],
                    since=known_before_gap(play, [f"health:{id}"]),
                    state_kind="tracks",
                    after=[f"health:{id}"],
                )

    @guard("I70", help="a pair roll with more green evens may erase one such link")
    def links_are_gone(self, play: Table) -> Iterator[Violation]:
        for word, id, level, is_healed in self.stated(play):
            if is_healed or play.state.people[id].health is not level:
                continue
            dying_links = play.state.wound_links(id, level)
            names = listed(play.state.name_of(link.pair) for link in dying_links)
            yield Violation(
                f"{id} is still {level}: a link '{level.label}' is left with {names}"
                if dying_links
                else f"{id} recovers between sessions, when the pairs have rolled",
                word,
                drop_item(str(word)),
                facts=[play.because(dying_links[0].since, "drawn here")] if dying_links else [],
                after=[f"health:{id}", *(pair_keys(link.pair)[0] for link in dying_links)],
                doubts=[f"health:{id}"],
            )

    def apply(self, play: Table) -> None:
        self.settle_harm(play)
        for _, id, level, is_healed in [*self.stated(play)]:
            person = play.state.people[id]
            if is_healed:
                play.event(f"{id} has recovered from {level}", "I70", "agrees", id)
            elif person.health is level:
                set_health(play, person, Health(int(level) - 1), "I70", "as stated")
