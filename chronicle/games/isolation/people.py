"""The characters that names mean, and the needs that several roles share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.fix import Edit, RemoveEntry, RemoveItem, RemoveKey, make_fix
from chronicle.core.guards import Violation, guard
from chronicle.core.law import Decider, Need, Role
from chronicle.core.names import PLAYER, Named
from chronicle.core.play_field_types import Pair
from chronicle.core.source import ScalarNode, place_of
from chronicle.games.isolation.state import CHARACTER, OUTSIDER, PairKey
from chronicle.games.isolation.table import Table, embodied

MEANS_CHARACTER = (CHARACTER, OUTSIDER, PLAYER)
"""The kinds of names that can mean a character."""


def is_or_are(names: Collection[str]) -> str:
    """The verb after a list of names."""
    return "is" if len(names) == 1 else "are"


def has_or_have(names: Collection[str]) -> str:
    """The verb after a list of names."""
    return "has" if len(names) == 1 else "have"


# --- who is meant ---------------------------------------------------------------------------------


def find_character(play: Table, word: ScalarNode | None) -> str:
    """The character that a name means (a player's name means that player's); empty if there is none, or
    several. Nothing is reported."""
    named = play.look_up(word, MEANS_CHARACTER) if word is not None else None
    if named is None or named.kind == OUTSIDER:
        return ""
    return embodied(play, named.id) if named.kind == PLAYER else named.id


def find_pair(play: Table, pair: Pair) -> PairKey | None:
    """The two characters of a pair, in the order of the cast; None if one is unknown, or both are the same."""
    first, second = find_character(play, pair.first), find_character(play, pair.second)
    if not first or not second or first == second:
        return None
    return play.state.pair(first, second)


def paired_with_themselves(play: Table, pairs: Iterable[Pair]) -> Iterator[Violation]:
    """I7: pairs of a character and the same character."""
    for pair in pairs:
        character = find_character(play, pair.first)
        if character and character == find_character(play, pair.second):
            yield Violation(
                f"a link connects two characters; {character} cannot have one with {character}",
                pair.first,
                help="name another character as one of the two",
            )


class AboutPeople(Action):
    """An entry that names characters in a role. A name has to mean one of them who is in the same boat."""

    def named_words(self) -> Iterator[ScalarNode]:
        """The words of the entry that name a character in a role."""
        for attribute, kind, default in self.name_fields:
            value = getattr(self, attribute)
            for names in kind.name_lists(value) if value is not default else ():
                yield from (word for item in names.items for word in item)

    def without(self, word: ScalarNode) -> Edit:
        """The edit that takes a name out of the entry."""
        for key, value in self.source.items():
            if value is word:
                return RemoveEntry() if key == self.verb else RemoveKey(str(key))
        return RemoveItem(str(word), place_of(word, self.path))

    def _subjects(self, play: Table) -> Iterator[tuple[ScalarNode, Named]]:
        for word in self.named_words():
            named = play.look_up(word, MEANS_CHARACTER)
            if named is not None:
                yield word, named

    @guard("I15", help="the GM puts it into the Difficulty, or into the Stress Level")
    def named_are_in_the_boat(self, play: Table) -> Iterator[Violation]:
        for word, named in self._subjects(play):
            if named.kind == OUTSIDER:
                introduced = play.state.outsiders[named.id]
                yield Violation(
                    f"{named.name} is not in the same boat and has no links, dice or health",
                    word,
                    make_fix(self.without(word)),
                    facts=[play.because(introduced, "introduced as an outsider")],
                )

    @guard("T50", DiagnosticKind.UNREADABLE)
    def players_have_one_character(self, play: Table) -> Iterator[Violation]:
        """The actor, and the GM, who may have several characters. Other players are the engine's to report."""
        for word, named in self._subjects(play):
            is_meant = word is self.by or named.id not in play.seats
            if named.kind == PLAYER and is_meant and not embodied(play, named.id):
                own = [person for person in play.state.people.values() if person.player == named.id]
                has = "several characters" if own else "no character"
                yield Violation(f"{named.name} has {has}; name the character", word)


# --- needs ----------------------------------------------------------------------------------------


def gone(play: Table, id: str) -> str:
    """The key for doubt about a character who is dead or has left, and has a part in the last proposal anyway."""
    return f"gone:{id}:{len(play.state.conflicts)}"


def _is_gone(play: Table, id: str) -> tuple[str, ...]:
    return (gone(play, id),) if play.state.conflict is not None else ()


def alive(rule: str, message: str) -> Need:
    """The need to be alive."""
    return Need(
        "alive",
        rule,
        lambda play, id: id not in play.state.people or play.state.people[id].alive,
        message,
        since=lambda play, id: play.state.people[id].died,
        fact="died here",
        is_certain=True,
        doubts=_is_gone,
    )


ALIVE = alive("I64", "{who} is dead and cannot {doing}")
IN_SCENARIO = Need(
    "still in the scenario",
    "I42",
    lambda play, id: id not in play.state.people or not play.state.people[id].out,
    "{who} is out of the scenario and cannot {doing}",
    since=lambda play, id: play.state.people[id].out,
    fact="left here",
    is_certain=True,
    doubts=_is_gone,
)


def _is_own(play: Table, id: str) -> bool:
    person = play.state.people.get(id)
    player = play.step.player
    return person is None or play.step.action.by is None or player in ("", person.player)


OWN = Need(
    "one's own",
    "I50",
    _is_own,
    "only {player} decides for {who}, not {by}",
    fixes=(make_fix(RemoveKey("by")),),
    concerns_actor=True,
    doubts=lambda play, id: (f"by:{play.step.number}",),
)


def playing_role(words: str, doing: str = "", *needs: Need) -> Role:
    """A role for a character who is alive and still in the scenario."""
    return Role(words, doing, (ALIVE, IN_SCENARIO, *needs), MEANS_CHARACTER)


# --- deciders -------------------------------------------------------------------------------------


def gm(play: Table, action: Action) -> Sequence[str]:
    """The GM, if the campaign names one."""
    return (play.runner,) if play.runner else ()


GM = Decider("the GM", gm, "only the GM, {due}, may do this, not {by}")
