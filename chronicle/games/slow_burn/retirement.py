"""Off the blacklist: freed spies, and contacts who take their players on (track 19)."""

from __future__ import annotations

from chronicle.core.diagnostic import listed
from chronicle.core.fix import set_key, set_setting, write_instead
from chronicle.games.slow_burn.actions import Develop, OffTheBlacklist
from chronicle.games.slow_burn.casting import add_contact
from chronicle.games.slow_burn.people import characters, gain_dice
from chronicle.games.slow_burn.state import CONTACT, RESOURCE, SPY, Spy, Table


def set_free(play: Table, spy: Spy, rule: str) -> None:
    """S19.1: the spy is off the blacklist."""
    episode = play.state.episode
    spy.free = play.step.index
    spy.free_episode = episode.number if episode else 0
    play.event(f"{spy.id} is off the blacklist", rule, "free", spy.id)


def off_the_blacklist(play: Table, action: OffTheBlacklist) -> None:
    """S19.2: how a life is put back together."""
    spies = characters(play, action.spies)
    play.step.headline = f"Off the blacklist: {listed(spy.id for spy in spies)}"
    for spy in spies:
        if not spy.free:
            set_free(play, spy, "S19.1")
        spy.free_told = play.step.index
        play.event(f"{spy.id}'s life is put back together", "S19.2", "epilogue", spy.id)


def develop(play: Table, action: Develop) -> None:
    """S19.5a, S19.5b: somebody else's contact becomes a main character without a Path."""
    state = play.state
    player = play.step.player
    play.step.headline = f"{player or 'Somebody'} develops {action.name}"
    old = state.of_player(player) if player else None
    play.require(
        play.given or (old is not None and bool(old.free)),
        "S19.5a",
        f"{player or 'somebody'} develops a contact; that is for a player whose spy is free",
        fix=set_key("by"),
    )
    play.suspect(
        str(getattr(play.campaign.settings, "series", "")) != "until free" and not play.given,
        "S19.5a",
        "this series is ongoing: a freed spy's player makes a new spy",
        fix=(
            set_setting("series", "until free", when="if the series ends so"),
            write_instead("spy: ...", when="if a new spy comes"),
        ),
    )
    wanted = action.name.strip().casefold()
    known = [
        (one, spy)
        for spy in state.cast.values()
        for one in spy.contacts
        if one.name.casefold() == wanted
    ]
    # Somebody else's contact of that name comes before the player's own.
    known.sort(key=lambda pair: pair[1].player == player)
    contact, owner = known[0] if known else (None, None)
    if contact is None or owner is None:
        play.illegal(
            "S19.5a",
            f"{action.name} is nobody's contact",
            at="main",
            help="name a contact of one of the other spies",
        )
    elif owner.player == player:
        play.suspect(
            True,
            "S19.5a",
            f"{contact.name} was {owner.id}'s own contact; the text says one of the other spies'",
            at="main",
            facts=(play.because(contact.step, "written here"),),
        )
    if contact is not None:
        # From now on the name means the main character; the sheet still lists the contact.
        play.names.forget(contact.id)
        play.names.add(contact.id, CONTACT, f"{contact.name}, the contact")
    id = play.names.free(play.names.mint(str(action.name), SPY))
    speciality = str(action.speciality or (contact.speciality if contact else ""))
    episode = state.episode
    made = Spy(
        id,
        player,
        speciality,
        play.step.index,
        episode.number if episode else 0,
        is_spy=False,
        introduced=play.step.index,
        developed_from=owner.id if owner else "",
    )
    state.cast[id] = made
    play.names.add(id, SPY, str(action.name))
    if speciality:
        play.names.add(made.resource, RESOURCE, speciality)
    for name, known_for in (action.contacts or {}).items():
        add_contact(play, made, name, str(known_for), player)
    play.event(f"{action.name} is a main character, with no Path to Freedom", "S19.5b", "made", id)
    if play.ruling("nonspy_character") == "player-with-die":
        gain_dice(play, made, 1, "SA41", "counts as a spy here")
