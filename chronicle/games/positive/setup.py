"""Before play: dice are handed out, the cast, the host, the accuser (P1 to P8)."""

from __future__ import annotations

from chronicle.core.declare import Action
from chronicle.core.diagnostic import listed
from chronicle.core.house import answer
from chronicle.core.names import PLAYER
from chronicle.games.positive.actions import Accuser, Cast, Host
from chronicle.games.positive.computed import POOL
from chronicle.games.positive.state import BOX, CHARACTER, DIE, FULL_POOL
from chronicle.games.positive.table import Table, character


def begin(play: Table) -> None:
    """Everybody takes four Fudge dice, one of them for conflicts, three for commitment (P2, P3)."""
    for name in play.seats:
        dice = answer(play, POOL, FULL_POOL, name)
        play.move(BOX, f"dice:{name}", dice, DIE, "P3", "the commitment pool")
    count = len(play.seats)
    play.require(
        4 <= count <= 5,
        "P1",
        f"Positive is for four or five players; this campaign has {count}",
        at=play.campaign.place(),
        help="players stand in campaign.yaml in seating order",
    )


def cast(play: Table, action: Cast) -> None:
    """P1, P8: one character a player, a name and nothing else."""
    state = play.state
    play.step.headline = "The cast"
    for who, guest in action.guests.items():
        found = play.find(who, (PLAYER,), "player")
        if found is None:
            continue
        play.require(
            found.id not in state.characters,
            "P1",
            f"{found.id} plays {state.characters.get(found.id)} already",
            at=who,
            help="each player has exactly one character",
        )
        for extra in ("traits", "history", "relationship"):
            if getattr(guest, extra) is not None:
                play.illegal(
                    "P8",
                    f"{guest.name} starts with {extra}; a character is a name and nothing else",
                    at=getattr(guest, extra),
                    help="tell it in play instead, once somebody narrates it",
                )
        name = str(guest.name)
        id = play.names.mint(name, CHARACTER)
        if id in play.names.all:
            play.illegal(
                "P1",
                f"two characters are called {name}",
                at=guest.name,
                help="give one of them another name",
            )
            continue
        play.names.add(id, CHARACTER, name)
        state.characters[found.id] = id
        play.event(f"{found.id} plays {name}", "P1", "enters", id)


def host(play: Table, action: Host) -> None:
    """P6: whose party it is, and who is accused without knowing it."""
    state = play.state
    who = character(play, action.host)
    play.require(
        not state.host,
        "P6",
        f"{state.host} is the host already; there is one accused",
        at="main",
        facts=play.facts(state.host_step, "named here"),
    )
    if not who:
        play.taint("host")
    else:
        state.host, state.host_step = who, play.step.index
        play.ruling("host_pick")
        play.step.headline = f"{who} gives the party"
        play.event(f"{who} is the host, and the one accused", "P6", "host", who)
    _accuser_is_not_host(play, action)


def accuser(play: Table, action: Accuser) -> None:
    """P7: a volunteer, never the host's player."""
    state = play.state
    who = character(play, action.accuser)
    play.require(not state.accuser, "P7", f"{state.accuser} is the accuser already", at="main")
    play.suspect(
        not action.volunteered,
        "P7",
        "the accuser was assigned; a player should volunteer",
        at="volunteered",
    )
    if not who:
        play.taint("accuser")
    else:
        state.accuser = who
        state.symptoms = action.symptoms
        play.step.headline = f"{who} accuses"
        shown = {True: ", and shows symptoms", False: ", and shows no symptoms", None: ""}
        play.event(f"{who} is the accuser{shown[action.symptoms]}", "P7", "accuser", who)
    _accuser_is_not_host(play, action)


def _accuser_is_not_host(play: Table, action: Action) -> None:
    state = play.state
    play.require(
        not state.host or state.host != state.accuser,
        "P7",
        f"{state.host} cannot be both the accused and the accuser",
        at="main",
        help=f"another player volunteers:  {action.verb}: the character of somebody else",
    )


def setup_is_done(play: Table) -> None:
    """Hold, before the first scene, that everybody has a part (P1, P6, P7)."""
    state = play.state
    if state.scenes or play.given or play.gap:
        return
    missing = [name for name in play.seats if name not in state.characters]
    play.require(
        not missing,
        "P1",
        f"{listed(missing)} {'has' if len(missing) == 1 else 'have'} no character",
        help="cast: {player: character} before the first scene",
        after=("dropped:cast",),
    )
    play.require(
        bool(state.host),
        "P6",
        "nobody is the host, so nobody is accused",
        help="host: the character of whoever has been in a relationship for longest",
        after=("host", "dropped:host"),
    )
    play.require(
        bool(state.accuser),
        "P7",
        "nobody volunteered as the accuser",
        help="accuser: the volunteer's character",
        after=("accuser", "dropped:accuser"),
    )
