"""Gladiators, the world they came from, and those who live in the Sphere (F1 to F9, F40, F42, F72)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any, Final

from chronicle.core.campaign import Settings
from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import NAME, TEXT, WHOLE, YES_NO, in_role, label
from chronicle.core.fix import drop_item, drop_key, set_key, write_word
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import answer, expected
from chronicle.core.law import TABLE, Decider, Role
from chronicle.core.play_field_types import CHANGE
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Slip, TextRole, introduction_lead_in, person_slips
from chronicle.games.fight_sphere import computed
from chronicle.games.fight_sphere.actions import BONDS, FightSphereSettings
from chronicle.games.fight_sphere.bonds import relate
from chronicle.games.fight_sphere.needs import GLADIATORS
from chronicle.games.fight_sphere.phases import SETUP
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    GLADIATOR,
    POINT,
    START_POOL,
    Drive,
    Episode,
    Fate,
    Gladiator,
    bond_id,
)
from chronicle.games.fight_sphere.table import (
    Table,
    find_gladiator,
    find_inhabitant,
    inhabitant,
    is_gladiator,
    value,
)

STORY_LEAST: Final = 50
STORY_MOST: Final = 100
LEAST_GLADIATORS: Final = 2

_NAMES: Final = (
    "Agate", "Birch", "Cobalt", "Dray", "Ember", "Flint", "Garnet", "Hollow", "Iron", "Jet",
)  # fmt: skip
INHABITANTS: Final = ("Mina", "Old Tom", "Sister Wick", "The Cook", "Little Ann")
"""Names of inhabitants that are proposed."""
_WORDS: Final = re.compile(r"\w+(?:[-'’.]\w+)*")
_ELSEWHERE: Final = re.compile(r"\banother (world|era|planet|time|century)\b", re.IGNORECASE)

ROLES: Mapping[str, Role] = {
    "chosen": Role("a Gladiator", "be played", (), GLADIATORS),
    "trades": Role("a Gladiator", "trade", (), GLADIATORS),
}


def least_made(settings: Settings) -> int:
    """How many Gladiators each player makes at least."""
    chosen = settings.gladiators if isinstance(settings, FightSphereSettings) else LEAST_GLADIATORS
    return max(LEAST_GLADIATORS, chosen)


def words_in(text: str) -> int:
    """How many words a back story has."""
    return len(_WORDS.findall(text))


class World(Action):
    """The world that everybody was taken from, as the table agrees on it."""

    verb = "world"
    decides = Decides("table")
    offered = Offered("F72", "agree on the former world", is_rare=True)
    example = "world: ours, some thirty years on, after the seas rose"
    words = main(TEXT, "what it was like there", text_role=TextRole.SENTENCE)

    def sentence(self, play: Table) -> Sentence:
        return ("The world they came from.",)

    def apply(self, play: Table) -> None:
        play.state.world = str(self.words)
        play.event("The table agrees on the world that everybody was taken from", "F72", "world")


# --- the drive --------------------------------------------------------------------------------------


def drive_violations(
    death_wish: ScalarNode | None, reason_to_live: ScalarNode | None
) -> Iterator[Violation]:
    """F4: that an entry names both drives, or none."""
    if death_wish is not None and reason_to_live is not None:
        yield Violation(
            "a Death wish and a Reason to Live at once; choose one",
            "reason to live",
            [
                drop_key("reason to live", when="for the Death wish"),
                drop_key("death wish", when="for the Reason to Live"),
            ],
        )
    elif death_wish is None and reason_to_live is None:
        yield Violation(
            "neither a Death wish nor a Reason to Live",
            fix=[set_key("death wish"), set_key("reason to live")],
        )


def drive_of(
    death_wish: ScalarNode | None, reason_to_live: ScalarNode | None
) -> tuple[Drive | None, str]:
    """The drive that an entry names, with its words. Of two, the Death wish counts."""
    if death_wish is not None:
        return Drive.DEATH_WISH, str(death_wish)
    return (Drive.REASON, str(reason_to_live)) if reason_to_live is not None else (None, "")


# --- making -----------------------------------------------------------------------------------------


class MakeGladiator(Action):
    """Make a Gladiator. The back story goes into text, 50 to 100 words."""

    verb = "gladiator"
    synonyms = ("character", "fighter", "pc")
    already_shown_kinds = frozenset({"makes"})
    decides = Decides("makes")
    moment = Moment(
        (SETUP,),
        Refusal(
            "F1",
            "a Gladiator is made when the game has begun",
            kind=DiagnosticKind.SUSPICIOUS,
        ),
    )
    offered = Offered("F1", "make a Gladiator")
    example = (
        "gladiator: Halina Brandt\n  by: Ana\n  death wish: she outlived the choir\n"
        "  weapon: a tuning hammer"
    )
    gladiator = main(label(NAME), "the Gladiator's name")
    death_wish = option(
        TEXT, "what drives the Gladiator towards death", text_role=TextRole.SENTENCE
    )
    reason_to_live = option(
        TEXT, "what drives the Gladiator towards life", text_role=TextRole.SENTENCE
    )
    weapon = option(TEXT, "the weapon found on waking; it has no effect on dice")
    looks = option(TEXT, "a line for the portrait", text_role=TextRole.SENTENCE)
    npc = option(YES_NO, "yes, if the GM will run the Gladiator", default=False)
    pool = option(
        CHANGE,
        "the Conflict Pool at the start, always 5; you need not write this, Chronicle checks it",
        computed=True,
    )
    relationships = option(
        BONDS, "Relationships of a game already under way (only above 'play starts:')"
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        numbered = (f"Rook {number}" for number in count(2))
        name = next(name for name in chain(_NAMES, numbered) if name not in play.names.all)
        for player in play.seats:
            entry_made = play.state.of_player(player)
            if len(entry_made) >= least_made(play.campaign.settings):
                continue
            kind = {"npc": "yes"} if any(not gladiator.npc for gladiator in entry_made) else {}
            for drive in ("death wish", "reason to live"):
                yield {
                    "gladiator": name,
                    "by": player,
                    drive: "a debt",
                    "weapon": "a chain",
                    **kind,
                }
            if kind:
                yield {"gladiator": name, "by": player, "death wish": "curiosity"}

    def lead_in(self) -> str:
        return introduction_lead_in(self.gladiator, self.weapon)

    def slips(self) -> Iterator[Slip]:
        yield from person_slips(self.gladiator, self.weapon)

    def sentence(self, play: Table) -> Sentence:
        return (f"A Gladiator: {self.name}.",)

    @property
    def name(self) -> str:
        """The Gladiator's name."""
        return str(self.gladiator).strip()

    def maker(self, play: Table) -> str:
        """The player who makes it; empty if the entry does not say, or names the GM."""
        return play.step.player if play.step.player != play.runner else ""

    def stated_pool(self, start: int) -> int:
        """The dice that the Gladiator starts with, as the log has it."""
        if self.pool is None:
            return start
        return (
            self.pool.new_value
            if self.pool.new_value is not None
            else start + (self.pool.difference or 0)
        )

    @guard("F1", at="by")
    def has_a_maker(self, play: Table) -> Violation | None:
        if self.maker(play):
            return None
        player = play.step.player
        message = f"nobody is named as the maker of {self.name}"
        if player:
            message = f"{player} runs the game; a player makes {self.name}"
        return Violation(message, fix=set_key("by"))

    @guard("F1", at="main", help="give one of them another name")
    def has_a_name_of_its_own(self, play: Table) -> Violation | None:
        existing = play.state.gladiators.get(play.names.mint(self.name, GLADIATOR))
        if existing is None:
            return None
        facts = [play.because(existing.step, "made here")]
        return Violation(f"{self.name} is a Gladiator already", facts=facts)

    @guard("F4")
    def has_one_drive(self, play: Table) -> Iterator[Violation]:
        yield from drive_violations(self.death_wish, self.reason_to_live)

    @question("F2", at="text")
    def story_is_as_long_as_it_should_be(self, play: Table) -> str | None:
        words = words_in(play.step.fiction)
        if not words or STORY_LEAST <= words <= STORY_MOST:
            return None
        return (
            f"{self.name}'s back story has {plural(words, 'word')}; it should have "
            f"{STORY_LEAST} to {STORY_MOST}"
        )

    @guard("F9", at="pool")
    def starts_with_five(self, play: Table) -> Violation | None:
        id = play.names.mint(self.name, GLADIATOR)
        start = expected(play, computed.START, START_POOL, id)
        stated = self.stated_pool(start)
        if play.given or stated == start:
            return None
        dice = plural(start, "die", "dice")
        message = f"{self.name} starts with {dice} in the Conflict Pool, not {stated}"
        return Violation(message, fix=write_word(start))

    @guard("F32", at="relationships", help="if the log begins in mid-game:  play starts:  below")
    def starts_without_relationships(self, play: Table) -> Violation | None:
        if not self.relationships or play.given:
            return None
        message = f"{self.name} starts with Relationships; they are made in play"
        return Violation(message, fix=drop_key("relationships"))

    @guard("F40")
    def is_related_to_inhabitants(self, play: Table) -> Iterator[Violation]:
        for word in self.relationships or {}:
            second = is_gladiator(play, word)
            if second is not None:
                message = f"{second.name} is a Gladiator; Relationships are with inhabitants only"
                yield Violation(message, word, drop_item(str(word)))

    @guard("F54")
    def keeps_nobody_below_zero(self, play: Table) -> Iterator[Violation]:
        for word, worth in (self.relationships or {}).items():
            if worth is not None and worth < 0:
                message = f"a Relationship at {worth} is lost; {word} is gone for good"
                yield Violation(message, word, drop_item(str(word)))

    def apply(self, play: Table) -> None:
        state, name = play.state, self.name
        id = play.names.mint(name, GLADIATOR)
        if id in state.gladiators:
            return
        maker = self.maker(play)
        drive, words = drive_of(self.death_wish, self.reason_to_live)
        gladiator = Gladiator(
            id,
            name,
            maker,
            self.npc,
            drive,
            words,
            str(self.weapon or ""),
            str(self.looks or ""),
            play.step.fiction,
            play.step.number,
        )
        play.names.add(id, GLADIATOR, name)
        state.gladiators[id] = gladiator
        dice = self.stated_pool(answer(play, computed.START, START_POOL, id))
        play.move(BOX, f"pool:{id}", dice, DIE, "F9", "the start")
        entry_made = f"{maker} makes {name}" if maker else f"{name} is made"
        play.event(f"{entry_made}, with {plural(dice, 'die', 'dice')}", "F1", "makes", id)
        start = drive.start_value if drive is not None else 0
        for word, worth in (self.relationships or {}).items():
            if is_gladiator(play, word) is None:
                worth = start if worth is None else worth
                relate(play, gladiator, inhabitant(play, word), worth, "F32", "given")


class Choose(Action):
    """Pick which of your Gladiators you play. The others become NPC Gladiators."""

    verb = "choose"
    synonyms = ("play",)
    decides = Decides("maker", "F1")
    moment = Moment((SETUP,), Refusal("F1", "who is played was settled before the first Layer"))
    offered = Offered("F1", "pick the Gladiator to play")
    example = "choose: Halina"
    gladiator = main(in_role("chosen", NAME), "the Gladiator to be played")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for player in play.seats:
            entry_made = play.state.of_player(player)
            if len(entry_made) >= least_made(play.campaign.settings):
                yield from ({"choose": gladiator.name} for gladiator in entry_made)

    def sentence(self, play: Table) -> Sentence:
        chosen = find_gladiator(play, self.gladiator)
        player = chosen.player if chosen is not None else ""
        return said("{} plays {}.", player, chosen.id if chosen is not None else "")

    def apply(self, play: Table) -> None:
        chosen = find_gladiator(play, self.gladiator)
        if chosen is None:
            return
        for gladiator in play.state.of_player(chosen.player):
            gladiator.npc = gladiator.id != chosen.id
        player = chosen.player or "Somebody"
        play.event(f"{player} plays {chosen.name}", "F1", "plays", chosen.id)


class Inhabit(Action):
    """An inhabitant of the Sphere who is no Gladiator. Naming one in npcs is enough, too."""

    verb = "inhabitant"
    already_shown_kinds = frozenset({"enters"})
    synonyms = ("npc",)
    decides = Decides("gm")
    offered = Offered("F72", "introduce an inhabitant", is_rare=True)
    example = "inhabitant: Mother Cable\n  community: the Lamplighters, a cult"
    name = main(label(NAME), "the inhabitant's name")
    community = option(TEXT, "the gang, cult, crew or micro-nation of the inhabitant")
    from_ = option(TEXT, "the life before; everybody is from the same world")
    value = option(WHOLE, "not here: each Gladiator keeps a value of their own (F42)")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for name in INHABITANTS:
            if find_inhabitant(play, ScalarNode(name)) is None:
                yield {"inhabitant": name, "community": "the Lamplighters"}

    def lead_in(self) -> str:
        return introduction_lead_in(self.name, self.community)

    def slips(self) -> Iterator[Slip]:
        yield from person_slips(self.name, self.community)

    def sentence(self, play: Table) -> Sentence:
        return (f"An inhabitant: {str(self.name).strip()}.",)

    @guard("F40", at="main")
    def is_no_gladiator(self, play: Table) -> str | None:
        if is_gladiator(play, self.name) is None:
            return None
        return f"{self.name} is a Gladiator, no inhabitant"

    @guard("F42", at="value")
    def has_no_value(self, play: Table) -> Violation | None:
        if self.value is None or is_gladiator(play, self.name) is not None:
            return None
        return Violation(
            f"a value is no property of {self.name}; each Gladiator keeps one of their own",
            fix=drop_key("value"),
            help="a value belongs to a Relationship:  "
            "assert: {relationship: {Gladiator & inhabitant: 2}}",
        )

    @question("F72", at="from")
    def is_from_the_same_world(self, play: Table) -> str | None:
        elsewhere = _ELSEWHERE.search(str(self.from_ or ""))
        if elsewhere is None or is_gladiator(play, self.name) is not None:
            return None
        return (
            f"{self.name} is said to come from {elsewhere[0]}; "
            "everybody in the Sphere comes from the same one"
        )

    def apply(self, play: Table) -> None:
        if is_gladiator(play, self.name) is not None:
            return
        npc = inhabitant(play, self.name)
        npc.community = str(self.community or npc.community)
        npc.origin = str(self.from_ or npc.origin)


# --- trading the drive ------------------------------------------------------------------------------


class Trade(Action):
    """Trade a Death wish for a Reason to Live, or the reverse. Once a game, between Episodes."""

    verb = "trade"
    synonyms = ("swap", "exchange")
    decides = Decides("player", "F7")
    offered = Offered("F7", "trade the drive", is_rare=True)
    example = "trade: Halina\n  reason to live: the children of the choir\n  because: they sang"
    gladiator = main(in_role("trades", NAME), "whose drive changes")
    death_wish = option(TEXT, "the new Death wish", text_role=TextRole.SENTENCE)
    reason_to_live = option(TEXT, "the new Reason to Live", text_role=TextRole.SENTENCE)
    because = option(TEXT, "what happened in play that led to it", text_role=TextRole.SENTENCE)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for gladiator in play.state.gladiators.values():
            if gladiator.drive is not None:
                drive = str(gladiator.drive.other).casefold()
                yield {
                    "trade": gladiator.name,
                    drive: "what happened here",
                    "because": "it happened in play",
                }

    def lead_in(self) -> str:
        lives = self.reason_to_live is not None
        return f"{self.gladiator} has a reason to {'live' if lives else 'die'}"

    def sentence(self, play: Table) -> Sentence:
        trader, drive = find_gladiator(play, self.gladiator), self.drive()[0]
        return said(f"{{}} now has a {drive}.", trader.id if trader is not None else "")

    def drive(self) -> tuple[Drive | None, str]:
        """The new drive, with its words."""
        return drive_of(self.death_wish, self.reason_to_live)

    def episode(self, play: Table) -> Episode | None:
        """The Episode that the Gladiator is in the middle of."""
        trader = find_gladiator(play, self.gladiator)
        if trader is None or trader.fate is not Fate.STANDING:
            return None
        episode = play.state.episode_of(trader.id)
        return episode if episode is not None and not episode.over else None

    @guard("F17", at="main")
    def is_alive(self, play: Table) -> Violation | None:
        trader = find_gladiator(play, self.gladiator)
        if trader is None or trader.fate is not Fate.DEAD or play.given:
            return None
        facts = play.facts(trader.fate_step, f"{trader.name} fell here")
        return Violation(f"{trader.name} is dead and cannot trade", facts=facts)

    @guard("F7", at="main")
    def is_between_episodes(self, play: Table) -> Violation | None:
        trader, episode = find_gladiator(play, self.gladiator), self.episode(play)
        if trader is None or episode is None or play.given:
            return None
        return Violation(
            f"{trader.name} is in the middle of {episode.title}; "
            "a drive is traded between Episodes",
            facts=[play.because(episode.step, "the Episode began here")],
        )

    @guard("F7", at="main")
    def is_the_first_trade(self, play: Table) -> Violation | None:
        trader = find_gladiator(play, self.gladiator)
        if trader is None or not trader.traded:
            return None
        facts = play.facts(trader.traded, "traded here")
        return Violation(f"{trader.name} has traded once already", facts=facts)

    @guard("F4")
    def names_one_drive(self, play: Table) -> Iterator[Violation]:
        yield from drive_violations(self.death_wish, self.reason_to_live)

    @guard("F7")
    def brings_the_other_drive(self, play: Table) -> Violation | None:
        trader, (drive, _) = find_gladiator(play, self.gladiator), self.drive()
        if trader is None or drive is None or drive is not trader.drive:
            return None
        return Violation(
            f"{trader.name} has a {drive} already; a trade brings the other one",
            self.place(str(drive).casefold()),
            since=play.before_gap("tracks", max(trader.step, trader.traded)),
            state_kind="tracks",
        )

    @question("F7")
    def has_a_reason(self, play: Table) -> Violation | None:
        trader, (drive, _) = find_gladiator(play, self.gladiator), self.drive()
        if trader is None or drive in (None, trader.drive):
            return None
        if self.because is not None or play.step.fiction:
            return None
        message = f"nothing is told of why {trader.name} trades"
        return Violation(message, fix=set_key("because"))

    def apply(self, play: Table) -> None:
        trader, (drive, words) = find_gladiator(play, self.gladiator), self.drive()
        if trader is None or drive is None or drive is trader.drive:
            return
        trader.drive, trader.driven_by, trader.traded = drive, words, play.step.number
        play.event(f"{trader.name} trades for a {drive}: {words}", "F7", "trades", trader.id)
        if play.ruling("switch_shift") == "none":
            return
        shift = 2 if drive is Drive.DEATH_WISH else -2
        for bond in trader.living():
            change = max(shift, -value(play, trader.id, bond.npc))
            account = f"relationship:{bond_id(trader.id, bond.npc)}"
            play.move(BOX, account, change, POINT, "F7", f"now a {drive}")


# --- who acts ---------------------------------------------------------------------------------------


def _maker(play: Table, action: Action) -> Sequence[str]:
    chosen = find_gladiator(play, action.gladiator) if isinstance(action, Choose) else None
    return [chosen.player] if chosen is not None and chosen.player else []


ACTORS: Mapping[str, Decider] = {
    "makes": TABLE._replace(words="the player who makes the Gladiator: name the player with by"),
    "maker": Decider(
        "the player who made the Gladiator",
        _maker,
        "{by} cannot choose here; {due} made this Gladiator",
    ),
}
