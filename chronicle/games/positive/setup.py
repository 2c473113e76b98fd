"""Before play: dice are handed out, the cast, the host, the accuser (P1 to P8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from chronicle.core.answers import Limits
from chronicle.core.declare import (
    Action,
    Decides,
    Moment,
    Offered,
    Part,
    PartOf,
    Refusal,
    main,
    option,
)
from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.field_types import NAME, TEXT, YES_NO, MapOf, in_role, label
from chronicle.core.fix import BLANK, InsertEntry, RemoveItem, make_fix, replace_with
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import SUBJECT_NAME, ExtensionPoint, answer
from chronicle.core.law import TABLE, Decider, Role
from chronicle.core.names import PLAYER, fold
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import place_of
from chronicle.games.positive.state import (
    BOX,
    CHARACTER,
    DIE,
    FULL_POOL,
    IN_PLAY,
    MEANS_CHARACTER,
    Table,
    dice_of,
    find_character,
)

RULES = """
# Setup
P1 Four or five players [checked]
  Four or five people play, each with exactly one character. A log with more or fewer players, with two characters
  for a player, or with a player without a character is refused.
P2 Fudge dice [checked]
  Every player has four Fudge dice. A Fudge die shows +, a blank or -, each as likely as the others. In the log a
  blank is written o.
P3 One die for conflicts, three for commitment [computed]
  One of the four dice is the conflict die; it is laid down to call or to answer a conflict and always comes back.
  The other three are the commitment pool, and they can be used up.
P4 The track [computed]
  Ten squares lead from Expelled to Inclusion. The track is lopsided: Expelled is four steps below Start,
  Inclusion is five steps above it.
P5 Everybody begins on Start [computed]
  Each character has a token on the track, and all tokens begin on Start, the accused's too.
P6 The host is the accused [checked]
  The player who has been in a relationship for longest plays the host of the party. Behind the host's back, that
  character is said to have passed on an infection.
P7 The accuser volunteers [checked]
  One of the other players volunteers to play the accuser, and decides whether the accuser has symptoms.
P8 A name and nothing else [checked]
  Characters start with a name. Who they are, whom they love and what they did is unknown until a player tells it
  in play.
"""

READINGS = """
PA12 expulsion_square: The text says Expelled and Expulsion. One square or two?
  - one: one square, drawn once
  - two: one more square beyond the drawn one
  because only one is drawn (P4)
PA21 host_pick: Two players have been in a relationship equally long, or no player is in one. Who hosts?
  - agreed: the group agrees; the log records the choice
  because the text is silent (P6)
"""

TERMS = """\
Track [P4]: Ten squares from Expelled to Inclusion. Every character has a token on it.
Start [P5]: The square on which all tokens begin.
Host [P6]: The character who gives the party, and is said to have passed on an infection.
Accuser [P7]: The character of a player who volunteers to accuse the host.
Fudge die, Fudge dice [P2]: A die that shows +, a blank or −, each as likely.
Conflict die [P3]: The die of a player that calls or answers a conflict, and always comes back.
Commitment [P3]: A player's other three dice. They can be used up.
"""

POOL = ExtensionPoint(
    "commitment pool",
    "the commitment dice that a player starts with",
    ("P3",),
    {"who": SUBJECT_NAME},
    most=20,
)
ROLES: Mapping[str, Role] = {
    "seat": Role("a player", kinds=(PLAYER,), resolves_to=PLAYER),
    "named": Role("a character", kinds=MEANS_CHARACTER),
}
MOST_WORDS = 4
"""A name of more words than this says more than a name."""
IN_PLAY_ONLY = Moment(IN_PLAY, Refusal("P25"))


def begin(play: Table) -> None:
    """P2, P3: everybody takes four Fudge dice, one of them for conflicts, three for commitment."""
    for name in play.seats:
        dice = answer(play, POOL, FULL_POOL, name)
        play.move(BOX, f"dice:{name}", dice, DIE, "P3", "the commitment pool")
    count = len(play.seats)
    play.require(
        4 <= count <= 5,
        "P1",
        f"Positive is for four or five players; this campaign has {count}",
        at=play.campaign.settings_place(),
        help="list the players in campaign.yaml in seating order",
    )


def dice_limits(play: Table, player: str) -> Limits:
    """P3: the possible numbers of commitment dice."""
    return Limits(0, FULL_POOL if play.ruling("regain_cap") == "3" else None, "P3")


# Every commitment die that comes or goes passes one of the next two functions.


def regain_dice(play: Table, player: str, count: int, why: str) -> None:
    """P14: commitment dice come back out of the box. A pool that is not known becomes full at most."""
    most = dice_limits(play, player).most
    if most is not None and not dice_of(play, player).is_known:
        count = min(count, max(0, most - dice_left(play, player)))
    play.move(BOX, f"dice:{player}", count, DIE, "P14", why)


def spend_dice(play: Table, player: str, count: int, rule: str, why: str) -> None:
    """P13, P23: commitment dice go to the box. A missing die counts as paid, so that play can go on."""
    play.spend(f"dice:{player}", BOX, count, DIE, rule, why)


def dice_left(play: Table, player: str) -> int:
    """The commitment dice that a player has left, as computed."""
    return play.balance(f"dice:{player}", DIE)


def no_die_left(play: Table, player: str, message: str, *, needed: int = 1) -> Violation | None:
    """Whether a player has fewer commitment dice than are ``needed`` to pay one."""
    if dice_of(play, player).at_least(needed):
        return None
    key = f"dice:{player}"
    counted_at = play.unknown_until.get(key, 0)
    return Violation(message, since=counted_at, state_kind="purses", after=[key], doubts=[key])


# --- the cast -------------------------------------------------------------------------------------


class Guest(Part):
    """A character at the start: a name and nothing else."""

    name = main(label(NAME), "the character's name")
    traits = option(TEXT, "not at the start: all else is found out in play (P8)")
    history = option(TEXT, "not at the start: all else is found out in play (P8)")
    relationship = option(TEXT, "not at the start: all else is found out in play (P8)")


class Cast(Action):
    """Who plays whom. A character is a name and nothing else."""

    verb = "cast"
    synonyms = ("character", "play")
    about_table = True
    decides = Decides("table")
    moment = IN_PLAY_ONLY
    offered = Offered("P1", "say who plays whom")
    example = "cast: {Ana: Marit, Bo: Jonas, Cy: Petra, Dee: Sunny, Eli: Gus}"
    guests = main(
        MapOf(in_role("seat", NAME), PartOf(Guest), "a mapping from each player to a character"),
        "{player: character}",
    )

    @classmethod
    def candidates(cls, play: Table) -> Sequence[Mapping[str, Any]]:
        names = ("Marit", "Jonas", "Petra", "Sunny", "Gus")
        free = [name for name in names if name not in play.names.all]
        seats = [name for name in play.seats if name not in play.state.characters]
        return [{"cast": dict(zip(seats, free, strict=False))}] if seats else []

    def sentence(self, play: Table) -> Sentence:
        return ("The cast",)

    @guard("P1")
    def one_character_each(self, play: Table) -> Iterator[Violation]:
        for word in self.guests:
            player = play.look_up(word, (PLAYER,))
            if player is not None and player.id in play.state.characters:
                own = play.state.characters[player.id]
                fix = make_fix(RemoveItem(str(word), place_of(word, self.path)))
                yield Violation(f"{player.id} plays {own} already", word, fix)

    @guard("P1", help="give one of them another name")
    def no_name_twice(self, play: Table) -> Iterator[Violation]:
        names_taken = {fold(character) for character in play.state.everybody()}
        for guest in self.guests.values():
            name = fold(str(guest.name))
            if name in names_taken:
                yield Violation(f"two characters are called {guest.name}", guest.name)
            names_taken.add(name)

    @guard("P8", help="tell it in play instead, in a scene")
    def a_name_and_nothing_else(self, play: Table) -> Iterator[Violation]:
        for guest in self.guests.values():
            for extra in ("traits", "history", "relationship"):
                detail = getattr(guest, extra)
                if detail is not None:
                    message = (
                        f"{guest.name} starts with {extra}; a character is a name and nothing else"
                    )
                    yield Violation(message, detail)

    @question("P8", help="write the name alone, and tell the rest in a scene")
    def a_name_is_short(self, play: Table) -> Iterator[Violation]:
        for guest in self.guests.values():
            name = str(guest.name)
            if "," in name or len(name.split()) > MOST_WORDS:
                alone = " ".join(name.partition(",")[0].split()[:MOST_WORDS])
                yield Violation(
                    f"'{name}' says more than a name", guest.name, replace_with([alone])
                )

    def apply(self, play: Table) -> None:
        state = play.state
        for word, guest in self.guests.items():
            player = play.look_up(word, (PLAYER,))
            name = str(guest.name)
            id = play.names.mint(name, CHARACTER)
            if player is None or id in play.names.all:
                continue
            play.names.add(id, CHARACTER, name)
            state.characters[player.id] = id
            play.event(f"{player.id} plays {name}", "P1", "enters", id)


# --- host and accuser -----------------------------------------------------------------------------


class Host(Action):
    """Whose character gives the party, and is accused without knowing it."""

    verb = "host"
    synonyms = ("party",)
    about_table = True
    decides = Decides("table")
    moment = IN_PLAY_ONLY
    offered = Offered("P6", "name the host, who is the accused")
    example = "host: Marit"
    host = main(
        in_role("named", NAME), "the character of the player who has been longest in a relationship"
    )

    def sentence(self, play: Table) -> Sentence:
        return said("{} gives the party.", find_character(play, self.host) or str(self.host))

    @guard("P6", at="main")
    def only_one(self, play: Table) -> Violation | None:
        host, step = play.state.host, play.state.host_step
        if not host:
            return None
        message = f"{host} is the host already; there is one accused"
        return Violation(message, facts=play.facts(step, "named here"))

    @guard(
        "P7", at="main", help="another player volunteers:  host: the character of another player"
    )
    def not_the_accuser(self, play: Table) -> str | None:
        return _in_both_parts(find_character(play, self.host), play.state.accuser)

    def apply(self, play: Table) -> None:
        character = find_character(play, self.host)
        if not character:
            play.taint("host")
            return
        play.ruling("host_pick")
        play.state.host, play.state.host_step = character, play.step.number
        play.event(f"{character} is the host, and the accused", "P6", "host", character)


class Accuser(Action):
    """Who volunteers to play the accuser."""

    verb = "accuser"
    synonyms = ("accuse",)
    about_table = True
    decides = Decides("volunteer", "P7", kind=DiagnosticKind.SUSPICIOUS)
    moment = IN_PLAY_ONLY
    offered = Offered("P7", "somebody volunteers as the accuser", tries=("symptoms",))
    example = "accuser: Jonas\n  symptoms: no"
    accuser = main(in_role("named", NAME), "the accusing character")
    symptoms = option(YES_NO, "whether the accuser shows symptoms")
    volunteered = option(YES_NO, "no, if the part was assigned", default=True)

    def sentence(self, play: Table) -> Sentence:
        return said("{} accuses.", find_character(play, self.accuser) or str(self.accuser))

    @guard("P7", at="main")
    def only_one(self, play: Table) -> str | None:
        accuser = play.state.accuser
        return f"{accuser} is the accuser already" if accuser else None

    @question("P7", at="volunteered")
    def of_their_own_will(self, play: Table) -> str | None:
        return None if self.volunteered else "the accuser was assigned; a player should volunteer"

    @guard(
        "P7", at="main", help="another player volunteers:  accuser: the character of another player"
    )
    def not_the_host(self, play: Table) -> str | None:
        return _in_both_parts(play.state.host, find_character(play, self.accuser))

    def apply(self, play: Table) -> None:
        character = find_character(play, self.accuser)
        if not character:
            play.taint("accuser")
            return
        play.state.accuser, play.state.symptoms = character, self.symptoms
        shown = {True: ", and shows symptoms", False: ", and shows no symptoms", None: ""}
        play.event(f"{character} is the accuser{shown[self.symptoms]}", "P7", "accuser", character)


def _in_both_parts(host: str, accuser: str) -> str | None:
    is_same = bool(host) and host == accuser
    return f"{host} cannot be both the accused and the accuser" if is_same else None


def _volunteer(play: Table, action: Action) -> Sequence[str]:
    character = find_character(play, action.accuser) if isinstance(action, Accuser) else ""
    return [character] if character else []


ACTORS: Mapping[str, Decider] = {
    "table": TABLE,
    "volunteer": Decider(
        "the volunteer",
        _volunteer,
        "{by} makes a character of {due}'s the accuser; a player should volunteer",
        acts_by_default=False,
    ),
}


def still_missing(play: Table) -> Iterable[Violation]:
    """P1, P6, P7: missing entries before the first scene can open."""
    state = play.state
    if state.scenes or play.given or play.gap:
        return
    without = [name for name in play.seats if name not in state.characters]
    if without:
        yield Violation(
            f"{listed(without)} {'has' if len(without) == 1 else 'have'} no character",
            fix=make_fix(InsertEntry(f"cast: {{{without[0]}: {BLANK}}}"), is_open=True),
            after=("dropped:cast",),
            rule="P1",
        )
    if not state.host:
        yield Violation(
            "there is no host, so there is no accused",
            fix=make_fix(InsertEntry(f"host: {BLANK}"), is_open=True),
            help="the host is the character of the player who has been in a relationship for longest",
            after=("host", "dropped:host"),
            rule="P6",
        )
    if not state.accuser:
        yield Violation(
            "nobody volunteered as the accuser",
            fix=make_fix(InsertEntry(f"accuser: {BLANK}"), is_open=True),
            after=("accuser", "dropped:accuser"),
            rule="P7",
        )
