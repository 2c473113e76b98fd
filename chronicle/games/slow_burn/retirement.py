"""Off the blacklist: freed spies, and contacts who take their players on (track 19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.field_types import NAME, NAMES, in_role, label
from chronicle.core.fix import set_key, set_setting, write_instead
from chronicle.core.guards import Violation, guard, question
from chronicle.core.ranges import UNKNOWN
from chronicle.core.sentences import Sentence, said
from chronicle.games.slow_burn.casting import add_contact, is_until_free
from chronicle.games.slow_burn.people import CONTACTS, characters, gain_dice, ids_of
from chronicle.games.slow_burn.state import CONTACT, RESOURCE, SPY, Contact, Spy, Table


def set_free(play: Table, spy: Spy, rule: str) -> None:
    """S19.1: the spy is off the blacklist."""
    episode = play.state.episode
    spy.free = play.step.number
    spy.free_episode = episode.number if episode else 0
    play.event(f"{spy.id} is off the blacklist", rule, "free", spy.id)


class OffTheBlacklist(Action):
    """Tell how a freed spy's life is put back together."""

    verb = "free"
    synonyms = ("freed", "blacklist")
    lead_in_template = "{spies}, free"
    decides = Decides("player", "S19.2")
    offered = Offered("S19.2", "tell how a freed spy's life is put back together", tries=("text",))
    example = "free: Wren\n  text: She signs her own name, and it holds."
    spies = main(in_role("freed", NAMES), "the spies who are free")

    def sentence(self, play: Table) -> Sentence:
        return said("Off the blacklist: {}.", ids_of(play, self.spies) or UNKNOWN)

    @question("S19.2", at="main")
    def told_once(self, play: Table) -> Iterator[Violation]:
        for id in ids_of(play, self.spies):
            told_step = play.state.cast[id].free_told
            if told_step:
                facts = [play.because(told_step, "told here")]
                yield Violation(f"how {id}'s life goes on was told before", facts=facts)

    def apply(self, play: Table) -> None:
        for spy in characters(play, self.spies):
            if not spy.free:
                set_free(play, spy, "S19.1")
            spy.free_told = play.step.number
            play.event(f"{spy.id}'s life is put back together", "S19.2", "epilogue", spy.id)


class Develop(Action):
    """The player of a freed spy develops another spy's contact into a main character without a Path."""

    verb = "character"
    synonyms = ("develop", "main character")
    lead_in_template = "{name} comes to the fore"
    decides = Decides("freed")
    offered = Offered("S19.5a", "develop somebody's contact")
    example = "character: Tia Rosa\n  by: Ada\n  contacts: {The twins: lifting}"
    name = main(label(NAME), "the contact")
    speciality = option(label(NAME), "a speciality, if it is not the one on the sheet")
    contacts = option(CONTACTS, "contacts of its own, with specialities")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        spies = [spy for spy in play.state.cast.values() if spy.is_spy]
        contacts = [contact.name for spy in spies for contact in spy.contacts]
        for player in play.seats:
            own = play.state.of_player(player)
            for name in contacts if own is None or own.free else ():
                if name not in play.names.all:
                    yield {"character": name, "by": player}

    def sentence(self, play: Table) -> Sentence:
        return said("{} develops " + f"{self.name}.", play.step.player or UNKNOWN)

    def developed(self, play: Table) -> tuple[Contact | None, Spy | None]:
        """The contact of that name, with the spy whose sheet has it; another player's comes first."""
        name_folded, player = self.name.strip().casefold(), play.step.player
        pairs = [
            (contact, spy)
            for spy in play.state.cast.values()
            for contact in spy.contacts
            if contact.name.casefold() == name_folded
        ]
        pairs.sort(key=lambda pair: pair[1].player == player)
        return pairs[0] if pairs else (None, None)

    @guard("S19.5a")
    def by_a_freed_player(self, play: Table) -> Violation | None:
        player = play.step.player
        spy = play.state.of_player(player) if player else None
        if play.given or (spy is not None and spy.free):
            return None
        return Violation(
            f"{player or 'somebody'} develops a contact; that is for a player whose spy is free",
            fix=set_key("by"),
        )

    @question("S19.5a")
    def series_ends(self, play: Table) -> Violation | None:
        if play.given or is_until_free(play):
            return None
        return Violation(
            "this series is ongoing: the player of a freed spy makes a new spy",
            fix=[
                set_setting("series", "until free", when="if the series ends so"),
                write_instead("spy: ...", when="if a new spy comes"),
            ],
        )

    @guard("S19.5a", at="main", help="name a contact of one of the other spies")
    def is_a_contact(self, play: Table) -> str | None:
        return None if self.developed(play)[0] is not None else f"{self.name} is nobody's contact"

    @question("S19.5a", at="main")
    def of_another_spy(self, play: Table) -> Violation | None:
        contact, owner = self.developed(play)
        if contact is None or owner is None or owner.player != play.step.player:
            return None
        return Violation(
            f"{contact.name} was {owner.id}'s own contact; the text says one of the other spies'",
            facts=[play.because(contact.step, "written here")],
        )

    def apply(self, play: Table) -> None:
        state, player = play.state, play.step.player
        contact, owner = self.developed(play)
        if contact is not None:
            # From now on the name means the main character; the sheet still lists the contact.
            play.names.forget(contact.id)
            play.names.add(contact.id, CONTACT, f"{contact.name}, the contact")
        id = play.names.free_id(play.names.mint(str(self.name), SPY))
        speciality = str(self.speciality or (contact.speciality if contact else ""))
        episode = state.episode
        character = Spy(
            id,
            player,
            speciality,
            play.step.number,
            episode.number if episode else 0,
            is_spy=False,
            introduced=play.step.number,
            developed_from=owner.id if owner else "",
        )
        state.cast[id] = character
        play.names.add(id, SPY, str(self.name))
        if speciality:
            play.names.add(character.resource, RESOURCE, speciality)
        for name, known_for in (self.contacts or {}).items():
            add_contact(play, character, name, str(known_for), player)
        message = f"{self.name} is a main character, with no Path to Freedom"
        play.event(message, "S19.5b", "made", id)
        if play.ruling("nonspy_character") == "player-with-die":
            gain_dice(play, character, 1, "SA41", "counts as a spy here")
