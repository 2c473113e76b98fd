"""Before play: the three elements of a scenario, and the characters (I1 to I6, I14, I15, I59, I79)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from random import Random
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.field_types import NAME, NAMES, TEXT, UNRECORDED, YES_NO, label
from chronicle.core.fix import BLANK, RemoveItem, SetKey, drop_key, make_fix, set_key
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import TABLE, Decider
from chronicle.core.names import fold
from chronicle.core.play_field_types import CHANGE
from chronicle.core.sentences import Sentence
from chronicle.core.source import place_of
from chronicle.core.telling import Slip, TextRole, introduction_lead_in, person_slips
from chronicle.games.isolation.phases import WHILE_RUNNING
from chronicle.games.isolation.pressure import AT_START
from chronicle.games.isolation.state import CHARACTER, OUTSIDER, PAIR, STRESS, Person, StressChange
from chronicle.games.isolation.table import THREAT_ACCOUNT, Table

RULES = """
# Characters
I1 The character sheet [checked; V1]
  Each player writes a sheet with a Profession, Positive and Negative Descriptors, a Bias and a Goal. Chronicle
  reports a sheet that lacks one of them, and a player without a character.
I2 Three of each [checked]
  The book recommends one Profession, three Positive and three Negative Descriptors, one Bias and one Goal. Chronicle
  points out other numbers, unless the campaign chooses free sheets.
I3 At most twice as many Positive Descriptors [checked; V2]
  Chronicle points out a sheet with more than two Positive Descriptors for each Negative one.
I4 The Profession [recorded]
  The Profession covers everything that the character has learnt. The other descriptors should be about personality.
  why: only readers can judge whether a word describes a skill or a temper
I5 The Bias matters [checked; V3]
  A Bias needs an object among these people. Chronicle reports a Bias that labels no link of the finished map.
I6 The Goal belongs to the scenario [recorded]
  The Goal concerns the situation that all characters are in.
  why: no program can tell how a sentence relates to a situation

# The relationship map
I14 Trapped from the start [checked]
  When the map is nearly done, the GM adds the characters who are trapped together with those of the players.
  Chronicle points out a character who joins later.
I15 In the same boat [checked; V9]
  Only characters in the same boat have figures and links. The threat, and everybody elsewhere, has a name at most and
  never rolls.

# Special cases
I79 The three elements of a scenario [checked]
  A scenario needs a cast, a small place that is cut off from the world, and a threat that keeps the cast there. One
  element can serve as two of them.
"""

READINGS = """
IA34 npc_roles: Do characters of the GM propose, and are they asked?
  - full: yes, like the players' characters; the GM decides for them
  because they have a full sheet and links (I15)
IA44 late_character: Can a character join after play has begun?
  - allowed: yes, and Chronicle points it out
  - refused: no
  because the text only discourages it (I14)
"""

TERMS = """\
Bias [I5]: A strong feeling for or against certain people.
Goal [I6]: The character's aim in the situation that everybody is in.
Profession [I4]: Everything that a character has learnt, in one descriptor.
Descriptor [I2]: A word about a character, Positive or Negative. Compatible and incompatible descriptors make links.
"""

ACTORS: Mapping[str, Decider] = {
    "owner": TABLE._replace(
        words="the player whose character it is: name the player with by",
    ),
}

# --- the elements ---------------------------------------------------------------------------------


class Scenario(Action):
    """Name the place where the characters are cut off, the threat that keeps them there, and the Stress Level."""

    verb = "scenario"
    synonyms = ("setting", "premise")
    decides = Decides("table")
    moment = WHILE_RUNNING
    offered = Offered("I79", "name the place, the threat and the Stress Level")
    example = "scenario: A lighthouse in a week of storm\n  threat: the sea\n  stress: 2"
    place_ = main(
        TEXT,
        "the small cut-off place, or a title if 'at' names the place",
        text_role=TextRole.SENTENCE,
    )
    at = option(
        TEXT, "the place, if the title does not say", text_role=TextRole.SENTENCE, is_place=True
    )
    threat = option(TEXT, "what keeps the cast there", text_role=TextRole.SENTENCE)
    overlap = option(TEXT, "the place is the threat, or the threat is in the cast: say which")
    stress = option(CHANGE, "the Stress Level at the start, 1 to 3")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        if not play.state.scenario_step:
            entry = {"scenario": "A hut above the tree line", "threat": "the avalanche"}
            yield from ({**entry, "stress": level} for level in AT_START)

    def sentence(self, play: Table) -> Sentence:
        return (f"The scenario: {self.place_}.",)

    def level(self) -> int | None:
        """The Stress Level that it states."""
        if self.stress is None:
            return None
        return (
            self.stress.new_value
            if self.stress.new_value is not None
            else self.stress.difference or 0
        )

    @guard("I79", DiagnosticKind.BOOKKEEPING)
    def only_once(self, play: Table) -> Violation | None:
        earlier = play.state.scenario_step
        if not earlier:
            return None
        return Violation("the scenario was set before", facts=play.facts(earlier, "here"))

    @guard(
        "I79",
        fix=SetKey("threat", BLANK),
        help="if the place itself is the threat, write  overlap:",
    )
    def has_a_threat(self, play: Table) -> str | None:
        if self.threat or self.overlap:
            return None
        return "the scenario has no threat to keep the characters there"

    @guard("I59", at="stress")
    def starts_at_one_to_three(self, play: Table) -> Violation | None:
        level = self.level()
        if level is None or level in AT_START or play.given:
            return None
        message = f"the Stress Level starts at 1, 2 or 3, not at {level}"
        return Violation(message, doubts=["stress:"])

    def apply(self, play: Table) -> None:
        state, level = play.state, self.level()
        state.scenario_step = state.scenario_step or play.step.number
        state.place = str(self.at or self.place_)
        state.threat = str(self.threat or "")
        state.overlap = str(self.overlap or "")
        if level is not None:
            level = max(0, level)
            play.move(THREAT_ACCOUNT, STRESS, level - state.stress, STRESS, "I59", "the start")
            state.stress = level
            state.stress_history.append(StressChange(play.step.number, level, "start", "the start"))
            play.event(f"Stress starts at {level}", "I59", "stress")
        play.event(f"{state.place}; {state.threat or state.overlap}", "I79", "scenario")


# --- characters -----------------------------------------------------------------------------------

ENTRIES: Mapping[str, str] = {
    "profession": "profession",
    "plus": "Positive Descriptors",
    "minus": "Negative Descriptors",
    "bias": "bias",
    "goal": "goal",
}
"""The five parts of a sheet, and their names."""
_LISTS: Mapping[str, str] = dict.fromkeys(("plus", "minus"), "[..., ..., ...]")
"""The blanks of entries that are lists."""
_USUAL = 3
"""I2: how many Positive and how many Negative Descriptors are recommended."""


class Sheet(Action):
    """Put a character on paper: yours, or the GM's if it is in the same boat."""

    verb = "character"
    synonyms = ("pc", "npc", "person")
    already_shown_kinds = frozenset({"joins the cast"})
    decides = Decides("owner")
    moment = WHILE_RUNNING
    offered = Offered("I1", "put a character on paper, or name one elsewhere")
    example = (
        "character: Ruth\n  by: Ana\n  profession: radio operator\n"
        "  plus: [patient, funny, brave]\n  minus: [blunt, vain, secretive]\n"
        "  bias: looks down on soldiers\n  goal: get everybody out"
    )
    name = main(label(NAME), "the character's name")
    profession = option(TEXT, "one descriptor for everything learnt")
    plus = option(label(NAMES), "Positive Descriptors", default=())
    minus = option(label(NAMES), "Negative Descriptors", default=())
    bias = option(TEXT, "the emotional blind spot; two red links with each who falls under it")
    goal = option(TEXT, "what the character wants in this scenario")
    npc = option(YES_NO, "yes, if the GM plays this character", default=False)
    outside = option(
        YES_NO,
        "yes, for a character who is not in the same boat: a name without figures and links",
        default=False,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state, by = play.state, {"by": play.runner} if play.runner else {}
        without = [] if state.map_step else without_character(play)
        for player in without[:1]:
            yield {**_some_sheet(play), "by": player}
        if state.conflict is None and not state.ending:
            yield {"character": f"Stranger {len(state.outsiders) + 1}", **by, "outside": "yes"}
        if without or state.links or state.map_step:
            return
        # The book does not say that each player has one character only; one more is proposed, not any number.
        if sum(not person.npc for person in state.people.values()) <= len(play.seats):
            yield {**_some_sheet(play), "by": play.seats[0]}
        if play.runner and not any(person.npc for person in state.people.values()):
            yield {**_some_sheet(play), **by, "npc": "yes"}

    def lead_in(self) -> str:
        return introduction_lead_in(self.name, self.profession)

    def slips(self) -> Iterable[Slip]:
        yield from person_slips(self.name, self.profession)
        yield from map(Slip, self.plus)
        yield from (Slip(descriptor, state="wound") for descriptor in self.minus)
        if self.bias is not None:
            yield Slip(self.bias, state="wound")

    def sentence(self, play: Table) -> Sentence:
        if self.outside:
            return (f"Elsewhere: {self.name}.",)
        return (f"{self.name}, {self.profession or 'of no known profession'}.",)

    # The character as the entry makes it.

    def id_of(self, play: Table) -> str:
        """The id that the character gets."""
        return play.names.mint(str(self.name), OUTSIDER if self.outside else CHARACTER)

    def owner(self, play: Table) -> str:
        """Who plays the character; empty if the entry does not say."""
        return play.step.player or (play.runner if self.npc else "")

    def draft(self, play: Table) -> Person:
        """The character, which is not in the state yet."""
        owner = self.owner(play)
        return Person(
            self.id_of(play),
            owner,
            bool(self.npc) or (bool(play.runner) and owner == play.runner),
            play.step.number,
            str(self.profession or ""),
            tuple(map(str, self.plus)),
            tuple(map(str, self.minus)),
            str(self.bias or ""),
            str(self.goal or ""),
            self.place("bias"),
            late=bool(play.state.map_step) and not play.given,
        )

    def introduced_before(self, play: Table) -> int:
        """The entry that introduced a character of this name; 0 if there is none."""
        state = play.state
        steps = {**state.outsiders, **{id: person.step for id, person in state.people.items()}}
        return steps.get(self.id_of(play)) or steps.get(str(self.name)) or 0

    def written(self) -> list[str]:
        """The entries of the sheet that it has."""
        return [key for key in ENTRIES if getattr(self, key)]

    def is_readable(self, play: Table) -> bool:
        """Whether it makes a character at all."""
        return not self.introduced_before(play) and "&" not in str(self.name)

    # Guards.

    @guard("T53", DiagnosticKind.UNREADABLE, at="main", help="give this one another name")
    def name_is_new(self, play: Table) -> Violation | None:
        earlier = self.introduced_before(play)
        if not earlier:
            return None
        fact = play.because(earlier, "introduced here")
        return Violation(f"there is a {self.name} already", facts=[fact])

    @guard("T50", DiagnosticKind.UNREADABLE, at="main", help="a character's name has no & in it")
    def name_is_no_pair(self, play: Table) -> str | None:
        is_pair = "&" in str(self.name) and not self.introduced_before(play)
        return f"'{self.name}' reads like a pair of characters" if is_pair else None

    @guard("I15", help="or take 'outside' out if it is trapped with the others")
    def outsiders_have_no_sheet(self, play: Table) -> Violation | None:
        written = self.written()
        if not self.outside or not written or not self.is_readable(play):
            return None
        return Violation(
            f"{self.name} is not in the same boat and has no {listed(written, 'or')}",
            fix=drop_key(*written),
        )

    @guard("T56", DiagnosticKind.UNREADABLE)
    def somebody_plays_it(self, play: Table) -> Violation | None:
        if self.outside or self.npc or self.by is not None or play.step.player:
            return None
        if not self.is_readable(play):
            return None
        return Violation(
            f"whose character is {self.name}?",
            fix=[set_key("by"), set_key("npc", "yes")],
        )

    @guard("I14", at="by")
    def gm_adds_the_others(self, play: Table) -> Violation | None:
        player, is_anybody = play.step.player, not play.runner or self.by is None
        if not self.npc or self.outside or is_anybody or player in ("", play.runner):
            return None
        return Violation(
            f"{player} adds {self.name}, whom the GM plays; only {play.runner} may do that",
            fix=[
                drop_key("by"),
                drop_key("npc", when=f"if {player} plays {self.name}"),
            ],
        )

    @guard("I1")
    def sheet_is_complete(self, play: Table) -> Violation | None:
        missing = [key for key in ENTRIES if key not in self.written()]
        if not missing or not self._is_judged(play):
            return None
        return Violation(
            f"{self.name}'s sheet has no {listed((ENTRIES[key] for key in missing), 'or')}",
            fix=make_fix(*(SetKey(key, _LISTS.get(key, BLANK)) for key in missing), is_open=True),
            doubts=[f"sheet:{self.id_of(play)}"],
        )

    @question("I3", at="plus")
    def has_bad_sides(self, play: Table) -> Violation | None:
        plus, minus = len(self.plus), len(self.minus)
        if not self._is_counted(play) or plus <= 2 * minus:
            return None
        return Violation(
            f"{self.name} has {plus} Positive Descriptors for {minus} Negative ones; "
            "at most twice as many are recommended",
            doubts=[f"sheet:{self.id_of(play)}"],
        )

    @question("I2")
    def three_of_each(self, play: Table) -> Violation | None:
        plus, minus = len(self.plus), len(self.minus)
        if not self._is_counted(play) or plus > 2 * minus or plus == minus == _USUAL:
            return None
        return Violation(
            f"{self.name} has {plus} Positive and {minus} Negative Descriptors; "
            "three of each are recommended",
            "plus" if plus != _USUAL else "minus",
            doubts=[f"sheet:{self.id_of(play)}"],
        )

    @guard("I2", DiagnosticKind.BOOKKEEPING)
    def descriptors_differ(self, play: Table) -> Iterator[Violation]:
        """A descriptor written twice is one descriptor."""
        words: set[str] = set()
        descriptors = (*self.plus, *self.minus) if self._is_judged(play) else ()
        for word in (word for word in descriptors if fold(word) != UNRECORDED):
            if fold(word) in words:
                yield Violation(
                    f"'{word}' is on {self.name}'s sheet twice; it counts once",
                    word,
                    make_fix(RemoveItem(str(word), place_of(word, self.path))),
                )
            words.add(fold(word))

    @question("I14")
    def trapped_from_the_start(self, play: Table) -> Violation | None:
        map_step = play.state.map_step
        if not map_step or play.given or self.outside or not self.is_readable(play):
            return None
        is_refused = play.ruling("late_character") != "allowed"
        return Violation(
            f"{self.name} joins after play has begun; trapped characters are there from the start",
            kind=DiagnosticKind.ILLEGAL if is_refused else None,
            facts=[play.because(map_step, "the map was finished here")],
        )

    def _is_judged(self, play: Table) -> bool:
        """Whether the rules of a sheet hold for it."""
        return not self.outside and not play.given and self.is_readable(play)

    def _is_counted(self, play: Table) -> bool:
        """Whether the size of the sheet is judged."""
        is_free = getattr(play.campaign.settings, "sheet", "recommended") == "free"
        return self._is_judged(play) and not is_free and len(self.written()) == len(ENTRIES)

    def apply(self, play: Table) -> None:
        state, name = play.state, str(self.name)
        if not self.is_readable(play):
            return
        id = self.id_of(play)
        if self.outside:
            state.outsiders[id] = play.step.number
            play.names.add(id, OUTSIDER, name)
            play.event(f"{name} has no figures", "I15", "outsider", id)
            return
        if play.step.fiction:
            profession = self.profession or "of no known profession"
            play.step.fiction = f"**{name}, {profession}.** {play.step.fiction}"
        person = self.draft(play)
        play.step.player = person.player
        play.names.add(id, CHARACTER, name)
        for member in state.people:
            _name_pair(play, member, id)
        state.people[id] = person
        play.event(
            f"{name} is in it, played by {person.player or 'somebody'}", "I1", "joins the cast", id
        )


def without_character(play: Table) -> list[str]:
    """I1: the players who have no character yet."""
    owners = {person.player for person in play.state.people.values()}
    return [player for player in play.seats if player not in owners]


_NAMES = ("Ida", "Paul", "Rosa", "Viktor", "Nele", "Sam")
_PLUS = ("kind", "brave", "patient", "witty", "loyal", "quick")
_MINUS = ("vain", "blunt", "timid", "jealous", "greedy", "restless")


def _some_sheet(play: Table) -> Mapping[str, Any]:
    """A random sheet of a character with a new name."""
    random, known = Random(len(play.steps)), {*play.state.outsiders, *play.names.all}
    numbered = (f"Guest {number}" for number in count(1))
    name = next(name for name in chain(_NAMES, numbered) if name not in known)
    return {
        "character": name,
        "profession": f"{name.casefold()}'s trade",
        "plus": random.sample(_PLUS, _USUAL),
        "minus": random.sample(_MINUS, _USUAL),
        "bias": f"cannot stand what {name} is not",
        "goal": f"get {name} out of here",
    }


def _name_pair(play: Table, first: str, second: str) -> None:
    """Register 'Ruth & Basil' (either order, any word of each name) for figures of pairs."""

    def words_of(id: str) -> list[str]:
        return list(dict.fromkeys([id, *id.split()]))

    aliases = [
        f"{first_word} & {second_word}"
        for ids in ((first, second), (second, first))
        for first_word in words_of(ids[0])
        for second_word in words_of(ids[1])
    ]
    pair = f"{first} & {second}"
    play.names.add(pair, PAIR, pair, aliases[1:], index_words=False)
