"""Truces: two Gladiators who do not fight each other for a while (F58)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import listed
from chronicle.core.field_types import NAMES, in_role
from chronicle.core.fix import drop_entry, drop_item, write_instead
from chronicle.core.guards import Violation, away_violation, guard, question
from chronicle.core.law import Decider, Role, is_barred
from chronicle.core.sentences import Sentence, said
from chronicle.games.fight_sphere.falls import LEAST_STANDING, end_truce, end_untold_truce
from chronicle.games.fight_sphere.needs import GLADIATORS, is_standing
from chronicle.games.fight_sphere.state import Gladiator, Stage, Truce, pair
from chronicle.games.fight_sphere.table import (
    Table,
    find_gladiator,
    find_gladiators,
    on_turn,
)

ROLES: Mapping[str, Role] = {
    "makes a truce": Role("a Gladiator", "make a truce", is_standing("F58"), GLADIATORS),
    "refuses": Role("one of the two", "", (), GLADIATORS),
    "ends a truce": Role("a Gladiator with a truce", "", (), GLADIATORS),
}


def _partners(play: Table, action: Action) -> Sequence[str]:
    words = action.gladiators if isinstance(action, MakeTruce | EndTruce) else ()
    return [gladiator.id for gladiator in find_gladiators(play, words)]


ACTORS: Mapping[str, Decider] = {
    "both": Decider(
        "both players",
        _partners,
        "{by} runs no Gladiator of this truce; {due} decides",
        acts_by_default=False,
    ),
    "one of two": Decider(
        "one of the two players",
        _partners,
        "{by} runs no Gladiator of this truce; {due} decides",
        acts_by_default=False,
    ),
}


def is_building(play: Table) -> bool:
    """Whether an Encounter waits for its dice."""
    round_ = play.state.open_round
    return round_ is not None and round_.stage is Stage.BUILDING


def _began(play: Table, *gladiators: Gladiator) -> int:
    """The entry since which two Gladiators can have made, or ended, a truce."""
    return max(play.state.layer_step, *(gladiator.step for gladiator in gladiators))


class MakeTruce(Action):
    """Two Gladiators agree not to fight each other for a while. A third must be in the Episode."""

    verb = "truce"
    synonyms = ("peace", "alliance")
    decides = Decides("both", "F58")
    offered = Offered("F58", "make a truce")
    example = "truce: [Halina, Osei]"
    gladiators = main(in_role("makes a truce", NAMES), "the two Gladiators")
    refused_by = option(
        in_role("refuses", NAMES), "who does not agree (silence agrees)", default=()
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for episode in play.state.layer_now():
            survivors = play.state.standing(episode)
            if episode.over or len(survivors) < LEAST_STANDING:
                continue
            for both in combinations(survivors, 2):
                if not any(
                    both[1] in encounter.members for encounter in play.state.encounters_of(both[0])
                ):
                    yield {"truce": [play.names.all[id].name for id in both]}

    def lead_in(self) -> str:
        return "" if self.refused_by else f"A truce between {listed(self.gladiators)}"

    def sentence(self, play: Table) -> Sentence:
        partners = [gladiator.id for gladiator in find_gladiators(play, self.gladiators)]
        if self.refused_by:
            refusing = [gladiator.id for gladiator in find_gladiators(play, self.refused_by)]
            return said(
                "{} refuse a truce." if len(refusing) > 1 else "{} refuses a truce.", refusing
            )
        return said("{} make a truce.", partners)

    def partners(self, play: Table) -> list[Gladiator]:
        """The Gladiators of the truce, without those who cannot make one."""
        return find_gladiators(
            play, [word for word in self.gladiators if not is_barred(play, word)]
        )

    def made(self, play: Table) -> list[tuple[Gladiator, Gladiator]]:
        """Each two Gladiators who make a truce by it."""
        return [] if self.refused_by else list(combinations(self.partners(play), 2))

    @guard("F58", at="main", help="truce: [one, other]")
    def has_two_sides(self, play: Table) -> str | None:
        named, able = find_gladiators(play, self.gladiators), self.partners(play)
        if len(able) >= 2 or len(named) > len(able):
            return None
        return "a truce takes two Gladiators"

    @guard("F58")
    def partners_refuse(self, play: Table) -> Iterator[Violation]:
        named = find_gladiators(play, self.gladiators)
        for word in self.refused_by:
            gladiator = find_gladiator(play, word)
            if gladiator is not None and gladiator not in named:
                message = (
                    f"{gladiator.name} is no side of this truce, so there is nothing to refuse"
                )
                yield Violation(message, word, drop_item(str(word)))

    @guard("F58")
    def both_are_at_the_table(self, play: Table) -> Iterator[Violation]:
        made = {gladiator.id for both in self.made(play) for gladiator in both}
        for word in self.gladiators:
            gladiator = find_gladiator(play, word)
            if gladiator is None or gladiator.npc or gladiator.id not in made:
                continue
            away = away_violation(play, gladiator.player, word)
            if away is not None and gladiator.player != play.step.player:
                yield away

    @question("FA32", at="main")
    def two_at_this_table(self, play: Table) -> str | None:
        if len(self.partners(play)) <= 2 or self.refused_by:
            return None
        return (
            "at this table a truce has two sides"
            if play.ruling("truce_multi") == "two-only"
            else None
        )

    @question("FA31", at="main")
    def outside_a_roll(self, play: Table) -> str | None:
        if not is_building(play) or not self.made(play):
            return None
        return "a truce is declared outside a roll"

    @question("FA31", at="main")
    def on_their_turn(self, play: Table) -> str | None:
        entry_made = self.made(play)
        if not entry_made or play.ruling("truce_time") != "own-turn":
            return None
        if on_turn(play) in [gladiator.player for both in entry_made for gladiator in both]:
            return None
        return "at this table one of the two is on turn when a truce is declared"

    @question("FA12", at="main")
    def players_only(self, play: Table) -> Iterator[str]:
        npcs = {g.name: g for both in self.made(play) for g in both if g.npc}
        if npcs and play.ruling("npc_options") == "no":
            for name in npcs:
                yield f"{name} is an NPC Gladiator; at this table only players make truces"

    @guard("F58", at="main")
    def not_twice(self, play: Table) -> Iterator[Violation]:
        for first, second in self.made(play):
            held = play.state.truce(first.id, second.id)
            if held is not None:
                yield Violation(
                    f"{first.name} and {second.name} have a truce already",
                    fix=drop_entry(),
                    facts=[play.because(held.step, "declared here")],
                )

    @question("F58", at="main")
    def in_one_episode(self, play: Table) -> Iterator[str]:
        for first, second in [] if play.given else self.made(play):
            episode = play.state.episode_of(first.id)
            if episode is not None and second.id not in episode.cast:
                yield f"{first.name} and {second.name} are in different Episodes"

    @guard("F58", at="main", help="a truce needs a third Gladiator in the Episode")
    def with_a_third(self, play: Table) -> Iterator[Violation]:
        for first, second in [] if play.given else self.made(play):
            episode = play.state.episode_of(first.id)
            if (
                episode is None
                or second.id not in episode.cast
                or play.state.truce(first.id, second.id) is not None
            ):
                continue
            if not {*play.state.standing(episode)} - {first.id, second.id}:
                yield Violation(
                    f"{first.name} and {second.name} are the only two Gladiators in {episode.title}",
                    fix=drop_entry(),
                    after=["cast"],
                )

    def apply(self, play: Table) -> None:
        if self.refused_by and len(self.partners(play)) > 1:
            names = listed(str(word) for word in self.refused_by)
            play.event(f"{names} refuses the truce", "F58", "refused")
        for first, second in self.made(play):
            if play.state.truce(first.id, second.id) is None:
                begin_truce(play, first, second)


def begin_truce(play: Table, first: Gladiator, second: Gladiator) -> None:
    """Two Gladiators have a truce from now on."""
    episode = play.state.episode_of(first.id)
    play.state.truces.append(
        Truce(pair(first.id, second.id), play.step.number, episode.title if episode else "")
    )
    play.event(f"{first.name} and {second.name} have a truce", "F58", "truce", first.id)


class EndTruce(Action):
    """Two Gladiators end their truce in the open, outside any roll."""

    verb = "end truce"
    synonyms = ("break truce",)
    lead_in_template = "The end of a truce between {gladiators}"
    decides = Decides("one of two", "F58")
    offered = Offered("F58", "end a truce")
    example = "end truce: [Halina, Osei]"
    gladiators = main(in_role("ends a truce", NAMES), "the two Gladiators")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for truce in play.state.truces:
            if not truce.ended:
                yield {"end truce": [play.names.all[id].name for id in truce.pair]}

    def sentence(self, play: Table) -> Sentence:
        partners = [gladiator.id for gladiator in find_gladiators(play, self.gladiators)]
        return said("{} end their truce.", partners)

    def truce(self, play: Table) -> Truce | None:
        """The truce that it ends, if there is one."""
        partners = find_gladiators(play, self.gladiators)
        if len(partners) != 2:
            return None
        return play.state.truce(partners[0].id, partners[1].id)

    @guard("F58", at="main", help="end truce: [one, other]")
    def has_two_sides(self, play: Table) -> str | None:
        sides = len(find_gladiators(play, self.gladiators))
        return "a truce has two sides" if sides != 2 else None

    @guard("F58", at="main")
    def they_have_one(self, play: Table) -> Violation | None:
        partners = find_gladiators(play, self.gladiators)
        if len(partners) != 2 or self.truce(play) is not None:
            return None
        first, second = partners
        return Violation(
            f"{first.name} and {second.name} have no truce",
            fix=drop_entry(),
            facts=[
                play.because(truce.ended, f"it ended here: {truce.how}")
                for truce in play.state.truces
                if truce.pair == pair(first.id, second.id)
            ][-1:],
            since=_began(play, first, second),
            after=["cast", "dropped:truce"],
        )

    @guard("F58")
    def one_is_at_the_table(self, play: Table) -> Violation | None:
        """Either of the two can end it; the GM speaks for NPC Gladiators."""
        partners = find_gladiators(play, self.gladiators)
        if self.by is not None or any(partner.npc for partner in partners):
            return None
        absences = [away_violation(play, partner.player, "main") for partner in partners]
        return absences[0] if absences and None not in absences else None

    @question("FA31", at="main")
    def outside_a_roll(self, play: Table) -> Violation | None:
        if self.truce(play) is None or not is_building(play):
            return None
        first, second = find_gladiators(play, self.gladiators)
        return Violation(
            "in the middle of an Encounter a truce is not ended but betrayed",
            fix=[
                write_instead(f"betray: {second.name}\nby: {first.name}"),
                write_instead(f"betray: {first.name}\nby: {second.name}"),
            ],
        )

    def apply(self, play: Table) -> None:
        truce, partners = self.truce(play), find_gladiators(play, self.gladiators)
        if truce is None:
            for gladiator in partners:
                end_untold_truce(play, gladiator)
            return
        first, second = partners
        end_truce(play, truce, f"{first.name} and {second.name} part")
