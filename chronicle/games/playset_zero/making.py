"""Before play: the scenario, the characters, and what is found out later (Z1 to Z11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, did_you_mean, listed, nearest_words, plural
from chronicle.core.field_types import NAME, TEXT, YES_NO, MapOf, OneOrMany, label
from chronicle.core.fix import RemoveFromSettings, add_entry, make_fix, replace_with, set_key
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import TABLE, Decider, Role
from chronicle.core.names import only_words
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Slip, TextRole, introduction_lead_in
from chronicle.games.playset_zero.state import (
    CHARACTER,
    FEATURES,
    KINDS,
    LEAST_KINDS,
    Character,
    Discovery,
    Feature,
)
from chronicle.games.playset_zero.table import (
    Table,
    acting,
    feature_of,
    features_hint,
    participants,
    pick,
    write_a_feature,
)

RULES = """
# Before play
Z1 A GM and two players [checked]
  Three people take part: one is the GM, the other two have one character each. A player who has none when the first
  conflict comes, or two, is reported; other table sizes are noted (ZA1).
Z2 The scenario [checked]
  The GM comes with a situation in which something bad is going on or close to it, and with one or two sides whose
  wants differ. Play does not begin without it.
Z3 Only hints at first [checked]
  Players know what the GM hints at. The rest becomes known when a character discovers it, so a character who starts
  out knowing more is questioned.
Z5 Concept and name [checked]
  A character starts as an idea in a few words, with a name.
Z6 Four Features [checked; V1]
  Four Features, neither more nor fewer, say what a character succeeds by.
Z7 Five categories [checked]
  A Feature is a drive, a trait of character, something of the background, a skill, or a possession that matters.
Z8 At least three kinds [checked; V2 V3]
  One category may give two of the four Features. Two and two, or three of a kind, are not allowed.
Z9 One Main Feature [checked; V4 V5]
  Exactly one of the four Features counts for more than the others. The flaw cannot be it.
Z10 The hint [checked; V6]
  Some visible detail lets everybody who meets the character guess at the Main Feature.
Z11 The flaw [checked; V7 V8]
  A fifth entry gets the character into trouble: a fear, a shortcoming, a pain. It hardly ever helps, so a die taken
  for it is questioned.
"""

READINGS = """
ZA1 participants: More or fewer than three people play. How many dangers has a roll?
  - one-each: one from each of the other participants
  - two: two, at tables of any size
  because the text counts the other two and lets each name one (Z1, Z15)
"""

TERMS = """\
Scenario [Z2]: The situation the GM comes with: something bad is going on, and sides want different things.
Feature [Z6]: A reason for a character's success. There are four, and one brings a d8.
Main Feature [Z9]: The one of the four that counts for more; it brings a d10.
Hint [Z10]: A visible detail that lets everybody guess at the Main Feature.
Flaw [Z11]: What gets the character into trouble. Five marks turn it.
"""


def _makes(play: Table, action: Action) -> Sequence[str]:
    """Z1: the GM has every character who is not a player's."""
    return (play.runner,) if isinstance(action, MakeCharacter) and action.npc else ()


ROLES: Mapping[str, Role] = {}
ACTORS: Mapping[str, Decider] = {
    "gm": Decider(
        "the GM",
        lambda play, action: (play.runner,),
        "{by} does this; only the GM does, {due}",
    ),
    "table": TABLE,
    "finder": TABLE._replace(words="the character who finds out: name it with by"),
    "maker": Decider(
        "the player whose character it is: name the player with by; the GM for all others",
        _makes,
        "{by} makes a character of the GM's; each player has one of their own",
        acts_by_default=False,
    ),
}

NAMES_TO_TRY = ("Asta Roe", "Bram", "Ciss", "Dagny Vale", "Emil")
FEATURES_TO_TRY = ("patient", "well read", "owes a debt", "an old key", "swims", "lies well")
"""Names and Features of the characters that are proposed."""


def begin(play: Table) -> None:
    """Z1: one GM, two players. Other numbers may play, and it is noted (ZA1)."""
    play.require(
        play.runner not in play.seats,
        "Z1",
        f"{play.runner} is both the GM and a player",
        at=play.campaign.settings_place(),
        fix=make_fix(RemoveFromSettings("players", play.runner)),
    )
    count = len(participants(play))
    play.suspect(
        count != 3,
        "ZA1",
        f"the text is written for a GM and two players; here {count} people take part",
        at=play.campaign.settings_place(),
        help="each of the others names one danger, unless 'rulings: {participants: two}'",
    )


class BeginsPlay(Action):
    """An entry with which play may begin: before it there is a scenario, and every player has a character."""

    def may_begin(self, play: Table) -> bool:
        """Whether play begins with this entry."""
        return not (play.state.has_begun or play.given or play.gap)

    @guard("Z2")
    def scenario_comes_first(self, play: Table) -> Violation | None:
        if play.state.scenario or not self.may_begin(play):
            return None
        return Violation(
            "play begins without a scenario",
            after=("dropped:scenario",),
            fix=add_entry("scenario: ..."),
        )

    @guard("Z1")
    def everybody_has_a_character(self, play: Table) -> Violation | None:
        if not self.may_begin(play):
            return None
        without = [name for name in play.present if name in without_character(play)]
        if not without:
            return None
        return Violation(
            f"{listed(without)} {'has' if len(without) == 1 else 'have'} no character",
            fix=[add_entry(f"character: ...\nby: {player}") for player in without],
        )


def without_character(play: Table) -> list[str]:
    """The players who have no character yet."""
    return [name for name in play.seats if not play.state.of(name)]


# --- the scenario ---------------------------------------------------------------------------------


class Scenario(Action):
    """Set the scenario: a bad situation, and the aims of its sides."""

    verb = "scenario"
    synonyms = ("situation", "setting")
    decides = Decides("gm", "Z2")
    offered = Offered("Z2", "say what is wrong")
    example = "scenario: The town wants its bell raised\n  sides: {the town: the bell by Friday}"
    situation = main(TEXT, "the bad situation", text_role=TextRole.PROSE)
    sides = option(MapOf(label(NAME), TEXT), "{side: what it wants}; one or two, if possible")
    hints = option(
        OneOrMany(TEXT),
        "the information for players before they make characters",
        default=(),
        text_role=TextRole.SENTENCE,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        if not play.state.scenario:
            yield {
                "scenario": "The dam will not hold, and somebody counts on it",
                "sides": {"the board": "one quiet week", "the valley": "the truth"},
                "hints": ["the valley was sold last spring"],
            }

    def sentence(self, play: Table) -> Sentence:
        return said("{} brings the scenario.", play.step.player)

    @question("Z2", at="sides", help="sides of a scenario have different wants and needs")
    def sides_want_different_things(self, play: Table) -> str | None:
        wants = [only_words(want) for want in (self.sides or {}).values()]
        return "all sides want the same" if len(wants) > 1 and len(set(wants)) == 1 else None

    def apply(self, play: Table) -> None:
        state = play.state
        state.scenario = str(self.situation)
        state.scenario_step = play.step.number
        state.sides = {str(side): str(want) for side, want in (self.sides or {}).items()}
        state.hints = [str(hint) for hint in self.hints]
        play.event(f"The situation: {self.situation}", "Z2", "scenario")
        for side, want in state.sides.items():
            play.event(f"At stake for {side}: {want}", "Z2", "side")
        for hint in state.hints:
            play.event(f"Known from the start: {hint}", "Z3", "hint")


class Discover(Action):
    """A character finds out something of the scenario that was not known before."""

    verb = "discover"
    synonyms = ("learn", "clue", "find out")
    decides = Decides("finder")
    offered = Offered("Z3", "find something out")
    example = "discover: The bell was never lost; it was sold\n  by: Oriel"
    words = main(TEXT, "the discovery", text_role=TextRole.SENTENCE)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for character in play.state.characters.values():
            words = f"A name on the back, {len(play.steps) + 1}"
            yield {"discover": words, "by": character.name}

    def sentence(self, play: Table) -> Sentence:
        character = acting(play)
        finder = character.id if character is not None else play.step.player
        return (
            said("{} finds something out.", finder)
            if finder
            else ("The table finds something out.",)
        )

    def apply(self, play: Table) -> None:
        character = acting(play)
        name = character.name if character is not None else play.step.player or "The table"
        play.state.discoveries.append(Discovery(play.step.number, str(self.words), name))
        play.event(
            f"{name} finds out: {self.words}", "Z3", "discovers", character.id if character else ""
        )


# --- characters -----------------------------------------------------------------------------------


def wrong_kind(word: ScalarNode | None) -> Violation | None:
    """That a word names no category of Features (Z7)."""
    if word is None or only_words(word) in KINDS:
        return None
    similar = nearest_words(word, KINDS)
    return Violation(
        f"'{word}' is no category of Features{did_you_mean(word, KINDS)}",
        word,
        fix=replace_with(similar or KINDS, is_told=bool(similar)),
    )


class MakeCharacter(Action):
    """Make a character: concept, four Features of three kinds, a Main one, a hint, a flaw."""

    verb = "character"
    synonyms = ("pc", "person")
    already_shown_kinds = frozenset({"enters", "feature", "main"})
    decides = Decides("maker", "Z1", kind=DiagnosticKind.SUSPICIOUS)
    offered = Offered("Z5", "make a character")
    example = (
        "character: Oriel Vance\n  by: Ana\n  concept: disgraced lighthouse engineer\n"
        "  features: {drive: owes the drowned a debt, trait: unnervingly calm, "
        "skill: reads currents, possession: a diving helmet}\n"
        "  main: a diving helmet\n  hint: a ring of green around her neck\n"
        "  flaw: cannot refuse a dare"
    )
    name = main(label(NAME), "the character's name", default=None)
    npc = option(YES_NO, "yes for a character of the GM, who needs no Features", default=False)
    concept = option(TEXT, "the basic idea, in a few words")
    features = option(
        MapOf(label(NAME), OneOrMany(TEXT)),
        "{drive, trait, background, skill or possession: the Feature, or a list of them}",
    )
    main_feature = option(OneOrMany(TEXT), "which Feature is the Main one", default=(), key="main")
    hint = option(
        TEXT,
        "what hints at the Main Feature to anyone who meets the character",
        text_role=TextRole.SENTENCE,
    )
    flaw = option(TEXT, "a shortcoming, a fear or a source of pain")
    fits = option(TEXT, "how the character fits into the situation", text_role=TextRole.SENTENCE)
    knows = option(
        OneOrMany(TEXT), "details of the scenario that the character knows at the start", default=()
    )

    def lead_in(self) -> str:
        return "" if self.name is None else introduction_lead_in(self.name, self.concept)

    def slips(self) -> Iterable[Slip]:
        if self.name is not None:
            yield Slip(self.name, state="name")
        for features in (self.features or {}).values():
            yield from (
                Slip(text, state="role" if text in self.main_feature else "") for text in features
            )
        if self.flaw is not None:
            yield Slip(self.flaw, state="flaw")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        count = len(play.state.characters)
        name = NAMES_TO_TRY[count % len(NAMES_TO_TRY)]
        name += f" {count}" if count >= len(NAMES_TO_TRY) else ""
        for number, player in enumerate(play.seats):
            if not play.state.of(player):
                words = [*FEATURES_TO_TRY[number:], *FEATURES_TO_TRY[:number]]
                first, second, third = [*KINDS[number:], *KINDS[:number]][:3]
                for main_feature in words[:FEATURES]:
                    yield {
                        "character": name,
                        "by": player,
                        "concept": "a person with a past",
                        "features": {first: words[:2], second: words[2], third: words[3]},
                        "main": main_feature,
                        "hint": "a look that gives it away",
                        "flaw": "never lets go",
                    }
        if len(play.state.of(play.runner)) < len(play.seats):
            yield {
                "character": name,
                "by": play.runner,
                "npc": "yes",
                "features": {"skill": "knows the law"},
            }

    def sentence(self, play: Table) -> Sentence:
        name = str(self.name or "").strip()
        return said("{} makes a character" + (f", {name}." if name else "."), self.owner(play))

    def owner(self, play: Table) -> str:
        """The player whose character it is."""
        return play.runner if self.npc else play.step.player

    def is_npc(self, play: Table) -> bool:
        """Whether it is a character of the GM."""
        return bool(self.npc) or self.owner(play) == play.runner

    def draft(self, play: Table) -> Character | None:
        """The character as this entry makes it; None without a name, or if the name is taken."""
        name = str(self.name or "").strip()
        id = play.names.mint(str(self.name), CHARACTER) if name else ""
        if not id or id in play.names.all:
            return None
        character = Character(
            id,
            str(self.name),
            self.owner(play),
            play.step.number,
            self.is_npc(play),
            str(self.concept or ""),
            str(self.fits or ""),
            str(self.hint or ""),
            str(self.flaw or ""),
        )
        for kind, texts in (self.features or {}).items():
            character.features += [
                Feature(str(text), only_words(kind), play.step.number)
                for text in texts
                if text.strip()
            ]
        for word in self.main_feature:
            for feature in feature_of(character, word)[:1]:
                feature.main = True
        return character

    def full_draft(self, play: Table) -> Character | None:
        """The same if it is a player's, which has to be complete."""
        return None if self.is_npc(play) else self.draft(play)

    @guard("Z5")
    def has_a_name(self, play: Table) -> Violation | None:
        if str(self.name or "").strip():
            return None
        return Violation("this character has no name", fix=set_key("character"))

    @guard("T56", DiagnosticKind.UNREADABLE)
    def belongs_to_a_player(self, play: Table) -> Violation | None:
        name = str(self.name or "").strip()
        if not name or self.owner(play) or self.by is not None:
            return None
        return Violation(
            f"whose character is {self.name}?",
            fix=(set_key("by"), set_key("npc", "yes", when="if the GM plays it")),
        )

    @guard("Z1", at="main")
    def is_the_first_of_the_player(self, play: Table) -> Violation | None:
        owner = self.owner(play)
        if not owner or self.is_npc(play) or not str(self.name or "").strip():
            return None
        for character in play.state.of(owner)[:1]:
            return Violation(
                f"{owner} plays {character.name} already; each player has one character",
                facts=(play.because(character.step, "made here"),),
                fix=set_key("by", play.runner, when="if the GM plays it"),
            )
        return None

    @guard("Z5", at="main", help="give this one another name")
    def name_is_new(self, play: Table) -> str | None:
        name = str(self.name or "").strip()
        if not name or self.draft(play) is not None:
            return None
        return f"there is a character called {self.name} already"

    @guard("Z7")
    def kinds_are_categories(self, play: Table) -> Iterator[Violation]:
        for kind in (self.features or {}) if self.draft(play) is not None else ():
            wrong = wrong_kind(kind)
            if wrong is not None:
                yield wrong

    @guard("Z9")
    def main_is_one_of_the_four(self, play: Table) -> Iterator[Violation]:
        character = self.draft(play)
        if character is None:
            return
        for word in self.main_feature:
            if feature_of(character, word) or not word.strip():
                continue
            message = "the flaw cannot be the Main Feature; it is one of the four"
            fix = write_a_feature(character, word)
            if only_words(word) not in ("flaw", only_words(character.flaw)):
                hint = features_hint(character, word)
                message = f"{character.name} has no Feature '{word}' to be the Main one{hint}"
            yield Violation(message, word, fix=fix, doubts=[f"main:{character.id}"])

    @guard("Z5", at="main")
    def has_a_concept(self, play: Table) -> Violation | None:
        character = self.full_draft(play)
        if character is None or character.concept.strip():
            return None
        return Violation(f"{character.name} has no concept", fix=set_key("concept"))

    @guard("Z6", at="features")
    def has_four_features(self, play: Table) -> Violation | None:
        character = self.full_draft(play)
        if character is None or len(character.features) == FEATURES:
            return None
        count = plural(len(character.features), "Feature")
        return Violation(
            f"{character.name} has {count}; a character has exactly four",
            fix=() if character.features else set_key("features"),
        )

    @guard("Z6", at="features")
    def features_differ(self, play: Table) -> Iterator[str]:
        character = self.full_draft(play)
        texts = [feature.text for feature in character.features] if character is not None else []
        for index, text in enumerate(texts):
            if only_words(text) in map(only_words, texts[:index]):
                yield f"'{text}' is written twice; the four Features are four things"

    @guard("Z8", at="features", help="one category may give two Features, no more")
    def has_three_kinds(self, play: Table) -> str | None:
        character = self.full_draft(play)
        if character is None or len(character.features) != FEATURES:
            return None
        kinds = {feature.kind for feature in character.features}
        if len(kinds) >= LEAST_KINDS:
            return None
        return (
            f"the four Features of {character.name} are of {plural(len(kinds), 'kind')}; "
            "at least three kinds must occur"
        )

    @guard("Z9")
    def has_one_main_feature(self, play: Table) -> Violation | None:
        character = self.draft(play)
        if character is None:
            return None
        count = sum(feature.main for feature in character.features)
        # A character of the GM's needs none; without Features there is none to choose.
        if count == 1 or (not count and (character.npc or not character.features)):
            return None
        return Violation(
            f"{character.name} has {count} Main Features; choose one"
            if count
            else f"{character.name} has no Main Feature",
            "main",
            fix=[set_key("main", feature.text) for feature in character.features],
            after=(f"main:{character.id}",),
            kind=DiagnosticKind.SUSPICIOUS if character.npc else None,
        )

    @guard("Z10", at="main")
    def has_a_hint(self, play: Table) -> Violation | None:
        character = self.full_draft(play)
        if character is None or character.hint.strip():
            return None
        message = f"nothing about {character.name} hints at the Main Feature"
        return Violation(message, fix=set_key("hint"))

    @guard("Z11", at="main")
    def has_a_flaw(self, play: Table) -> Violation | None:
        character = self.full_draft(play)
        if character is None or character.flaw.strip():
            return None
        return Violation(f"{character.name} has no flaw", fix=set_key("flaw"))

    @question("Z3")
    def knows_only_hints(self, play: Table) -> Iterator[Violation]:
        state, character = play.state, self.full_draft(play)
        if character is None:
            return
        hinted = [(text,) for text in (state.scenario, *state.hints)]
        hinted += [(discovery.text,) for discovery in state.discoveries]
        for word in self.knows:
            if not pick(word, hinted):
                yield Violation(
                    f"{character.name} knows something that the GM has not hinted at",
                    word,
                    after=("dropped:scenario", "dropped:discover"),
                    help="add it to the hints of the scenario, or let it be found out:  discover: ...",
                )

    def apply(self, play: Table) -> None:
        character = self.draft(play)
        if str(self.name or "").strip():
            play.step.player = self.owner(play)
        if character is None:
            return
        id = character.id
        play.names.add(id, CHARACTER, character.name)
        play.state.characters[id] = character
        play.event(f"{character.owner or 'Somebody'} makes {character.name}", "Z5", "enters", id)
        for feature in character.features:
            play.event(f"{character.name}: {feature.text}", "Z7", "feature", id)
        for feature in character.features:
            if feature.main:
                play.event(f"Main Feature: {feature.text}", "Z9", "main", id)
        for detail in self.knows if character.npc else ():
            play.event(f"{character.name} knows: {detail}", "Z3", "knows", id)
