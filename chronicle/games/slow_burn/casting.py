"""Before the first Job: the table, sheets, contacts, connections, the city (tracks 1, 2 and 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, NAMES, TEXT, WHOLE, EitherOf, MapOf, in_role, label
from chronicle.core.fix import (
    RemoveFromSettings,
    add_entry,
    drop_item,
    drop_key,
    make_fix,
    set_key,
)
from chronicle.core.game_context import GameContext
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import Named, fold
from chronicle.core.ranges import UNKNOWN
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Slip, TextRole, person_slips
from chronicle.games.slow_burn.people import (
    CONTACTS,
    FIRST_CONTACTS,
    each,
    gain_dice,
    ids_of,
    look_up,
)
from chronicle.games.slow_burn.state import (
    CONTACT,
    ENVELOPE,
    LAST_SPACE,
    RESOURCE,
    ROAD,
    SPACE,
    SPY,
    Connection,
    Contact,
    Spy,
    State,
    Table,
)

FIRST_DICE = 1
NOTHING = ScalarNode("")

_SPIES = ("Wren", "Magpie", "Heron", "Kite", "Linnet", "Rook", "Swift", "Dunlin", "Shrike", "Teal")
_CRAFTS = (
    "forgery",
    "demolitions",
    "gadget tech",
    "disguise",
    "locks",
    "long guns",
    "small talk",
    "radio",
    "poisons",
    "driving",
)
_CONTACTS = {
    "Father Duarte": "hears confessions",
    "Tia Rosa": "safe houses",
    "The Ferryman": "smuggling",
    "Odile": "burglary",
    "Nuno": "getaways",
    "Inspector Lobo": "police files",
}
_TIES = ("a debt", "a shared enemy")
_CITIES = ("Lisbon", "Riga")


def check_table(play: GameContext[State]) -> None:
    """S1.3a, S1.3b: three or more people, one of them the Handler, who plays no spy."""
    people = {player.name for player in play.players}
    play.require(
        bool(play.runner),
        "S1.3a",
        "nobody is the Handler",
        help="add  handler: a name  to campaign.yaml",
    )
    if play.runner:
        play.require(
            len(people) >= 3,
            "S1.3a",
            f"{plural(len(people), 'person', 'people')} at the table, the Handler included; "
            "Slow Burn needs three or more",
            help="name everybody under  players:",
        )
        play.require(
            play.runner not in play.seats,
            "S1.3b",
            f"{play.runner} is the Handler and one of the players as well",
            fix=make_fix(RemoveFromSettings("players", play.runner)),
        )


def without_spy(play: Table) -> list[str]:
    """Players at the table of whose characters the record has never said anything."""
    seated = {spy.player for spy in play.state.cast.values()}
    return [player for player in play.seats if player in play.present and player not in seated]


def circle(play: Table) -> list[str]:
    """Who sits in the circle that sheets are passed round, clockwise."""
    with_handler = play.ruling("handler_in_circle") == "yes" and play.runner
    return [*play.seats, play.runner] if with_handler else [*play.seats]


def signed(play: Table, player: str) -> dict[str, str]:
    """The key that signs an entry for a player; none for a player who is away."""
    return {"by": player} if player in play.present else {}


def passed(play: Table, owner: str, places: int) -> str:
    """Who holds the owner's sheet after it went ``places`` to the left (negative: to the right)."""
    seats = circle(play)
    if owner not in seats:
        return ""
    return seats[(seats.index(owner) + places) % len(seats)]


class MakeSpy(Action):
    """Make a spy: a name, a speciality of its own, a description if you like."""

    verb = "spy"
    synonyms = ("agent", "pc")
    already_shown_kinds = frozenset({"made", "speciality"})
    decides = Decides("maker")
    offered = Offered("S2.2", "make a spy")
    example = "spy: Wren\n  by: Ada\n  speciality: forgery"
    name = main(label(NAME), "the spy's name")
    speciality = option(label(NAME), "the one speciality, unique in the group")
    contacts = option(
        CONTACTS, "contacts with their specialities, if you log no  contacts:  entries"
    )
    persistent = option(
        WHOLE,
        "persistent Agency dice on the sheet; you need not write this, Chronicle checks it",
        computed=True,
    )
    space = option(
        WHOLE, "the space on the Path to Freedom; needed above 'play starts' only", key="path"
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        cast = play.state.cast
        crafts = {spy.speciality for spy in cast.values()}
        name = next((name for name in _SPIES if name not in play.names.all), f"Spy {len(cast) + 1}")
        craft = next((craft for craft in _CRAFTS if craft not in crafts), f"trick {len(cast) + 1}")
        for player in play.seats:
            yield {"spy": name, "by": player, "speciality": craft}

    def lead_in(self) -> str:
        return (
            f"{self.name}'s speciality is {self.speciality}" if self.speciality else str(self.name)
        )

    def slips(self) -> Iterable[Slip]:
        return person_slips(self.name, self.speciality)

    def sentence(self, play: Table) -> Sentence:
        player = play.step.player
        return (
            said("{} makes a spy" + f": {self.name}.", player)
            if player
            else (f"{self.name} is a spy.",)
        )

    def earlier_spy(self, play: Table) -> Spy | None:
        """The main character that the same player has had so far."""
        player = play.step.player
        return play.state.of_player(player) if player else None

    @guard("S2.2", DiagnosticKind.UNREADABLE, at="main")
    def player_is_known(self, play: Table) -> Violation | None:
        if play.step.player:
            return None
        return Violation(f"whose spy is {self.name}?", fix=set_key("by"))

    @guard("S1.3b", at="by", help="the Handler plays the Opposition and the Agency")
    def handler_plays_none(self, play: Table) -> str | None:
        player = play.step.player
        return (
            f"{player} is the Handler and plays no spy"
            if player and player == play.runner
            else None
        )

    @question("S2.1")
    def one_at_a_time(self, play: Table) -> Violation | None:
        spy = self.earlier_spy(play)
        if spy is None or spy.free:
            return None
        message = f"{play.step.player} plays {spy.id} already"
        return Violation(message, facts=[play.because(spy.step, "made here")])

    @question("S19.5a", help="character: a contact  develops a contact of another spy")
    def series_goes_on(self, play: Table) -> Violation | None:
        spy = self.earlier_spy(play)
        if spy is None or not spy.free or not is_until_free(play):
            return None
        return Violation(
            "this series ends when all spies are free; the player of a freed spy makes no new one",
            facts=[play.because(spy.free, f"{spy.id} got off the blacklist here")],
        )

    @question("S2.2", at="main")
    def name_is_new(self, play: Table) -> str | None:
        namesake = play.names.find(ScalarNode(str(self.name)), (SPY,))
        if isinstance(namesake, Named) and namesake.name.casefold() == self.name.casefold():
            return f"there is a spy called {self.name} already"
        return None

    @guard("S2.3")
    def has_speciality(self, play: Table) -> Violation | None:
        if self.speciality:
            return None
        return Violation(f"{self.name} has no speciality", fix=set_key("speciality"))

    @guard("S2.3", at="speciality", help="choose another one")
    def speciality_is_unique(self, play: Table) -> Iterator[Violation]:
        for spy in play.state.cast.values():
            if not spy.is_spy or spy.free or not self.speciality:
                continue
            if fold(spy.speciality) == fold(self.speciality):
                yield Violation(
                    f"{spy.id} has the speciality '{spy.speciality}' already",
                    facts=[play.because(spy.step, f"{spy.id} was made here")],
                )

    @guard("S2.7a", at="persistent")
    def starts_with_one_die(self, play: Table) -> Violation | None:
        if play.given and self.persistent is not None and self.persistent < 0:
            return Violation(
                f"{self.name} has no fewer than 0 persistent Agency dice, not {self.persistent}",
                fix=set_key("persistent", 0),
                doubts=[f"persistent:{self.new_id(play)}"],
            )
        if play.given or self.persistent in (None, FIRST_DICE):
            return None
        return Violation(
            f"{self.name} starts with one persistent Agency die, not {self.persistent}",
            fix=drop_key("persistent"),
            doubts=[f"persistent:{self.new_id(play)}"],
        )

    @guard("S2.5", at="contacts")
    def two_contacts_at_most(self, play: Table) -> Iterator[Violation]:
        yield from few_contacts(play, str(self.name), (), (self.contacts or {}).items(), "{}")

    @guard("S4.4", at="path")
    def starts_on_space_1(self, play: Table) -> Violation | None:
        if play.given and self.space is not None and not 1 <= self.space <= LAST_SPACE:
            return Violation(
                f"the Path to Freedom has the spaces 1 to {LAST_SPACE}; {self.name} cannot be on {self.space}",
                fix=set_key("path", max(1, min(LAST_SPACE, self.space))),
                rule="S4.1",
            )
        if play.given or self.space in (None, 1):
            return None
        return Violation(
            f"{self.name} starts on space 1 of the Path to Freedom, after the introduction, "
            f"not on {self.space}",
            fix=drop_key("path"),
        )

    def new_id(self, play: Table) -> str:
        """The id that the spy gets."""
        return play.names.free_id(play.names.mint(str(self.name), SPY))

    def apply(self, play: Table) -> None:
        state, name = play.state, str(self.name)
        episode = state.episode
        spy = Spy(
            self.new_id(play),
            play.step.player,
            str(self.speciality or ""),
            play.step.number,
            episode.number if episode else 0,
        )
        state.cast[spy.id] = spy
        play.names.add(spy.id, SPY, name)
        if spy.speciality:
            play.names.add(spy.resource, RESOURCE, spy.speciality)
        play.event(f"{name} is a spy", "S2.2", "made", spy.id)
        if spy.speciality:
            play.event(f"{name}'s speciality is {spy.speciality}", "S2.3", "speciality", spy.id)
        dice = FIRST_DICE if self.persistent is None else max(0, self.persistent)
        gain_dice(play, spy, dice, "S2.7a", "on the sheet from the start")
        for contact, known_for in (self.contacts or {}).items():
            add_contact(play, spy, contact, str(known_for), "")
        if play.given:
            spy.introduced = spy.placed = play.step.number
            space = 1 if self.space is None else self.space
            play.move(ROAD, f"path:{spy.id}", space, SPACE, "S4.4", "as given")


def is_until_free(play: Table) -> bool:
    """Whether the series ends when all spies are free."""
    return str(getattr(play.campaign.settings, "series", "")) == "until free"


# --- contacts and connections ---------------------------------------------------------------------


def few_contacts(
    play: Table,
    spy: str,
    earlier: Sequence[Contact],
    written: Iterable[tuple[ScalarNode, ScalarNode]],
    form: str,
) -> Iterator[Violation]:
    """S2.5: the breaches of contacts that are written on a sheet, beside ``earlier`` contacts. ``form`` is what is
    written around them."""
    names = [contact.name for contact in earlier]
    pairs = [*written]
    for name, speciality in pairs:
        if not speciality.strip():
            sheet = ", ".join(": ".join(_with_speciality(*pair)) for pair in pairs)
            yield Violation(
                f"{_with_speciality(name, speciality)[0]} has no speciality",
                name,
                help=f"write  {form.format(f'{{{sheet}}}')}",
            )
        if any(fold(name) == fold(earlier_name) for earlier_name in names):
            yield Violation(f"{name} is on {spy}'s sheet already", name)
        names.append(str(name))
        if len(names) > FIRST_CONTACTS:
            yield Violation(
                f"{name} is contact number {len(names)} of {spy}; a spy starts with two",
                name,
                facts=[
                    play.because(
                        contact.step, f"{contact.name}, from {contact.author or 'the start'}"
                    )
                    for contact in earlier
                ],
            )


def _with_speciality(name: ScalarNode, speciality: ScalarNode) -> tuple[str, str]:
    """A contact with its speciality, which may have been written into the name (``"Magda: sells papers"``)."""
    person, _, ability = (part.strip() for part in name.partition(": "))
    return person or name, speciality.strip() or ability or f"what {person or name} can do"


def after_tokens(play: Table, spy: Spy, word: ScalarNode) -> Violation | None:
    """S2.8: that a sheet is written on after the envelopes were dealt."""
    dealt = bool(play.balance(f"envelope:{spy.player}", ENVELOPE))
    if not spy.is_spy or not (dealt or spy.introduced) or play.given or play.state.hole:
        return None
    state = "has been introduced" if spy.introduced else "waits for the introduction"
    return Violation(
        f"{spy.id} {state}; contacts and connections are written before the envelopes are dealt",
        word,
        facts=play.facts(spy.introduced or play.state.dealt, "here"),
    )


class WriteContacts(Action):
    """Write contacts on sheets that were passed to the left. Each needs a speciality."""

    verb = "contacts"
    synonyms = ("contact",)
    decides = Decides("writer")
    offered = Offered("S2.5", "write a contact on a sheet")
    example = "contacts:\n    Wren: {Father Duarte: hears confessions}\n    Heron: {Nuno: getaways}"
    sheets = main(
        MapOf(
            in_role("sheet", NAME), EitherOf(CONTACTS, label(NAMES)), "{spy: {contact: speciality}}"
        ),
        "{spy: {contact: speciality}}",
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        random = Random(len(play.steps))
        cast = play.state.cast.values()
        known = {contact.name for spy in cast for contact in spy.contacts}
        for spy in cast:
            number = len(spy.contacts) + 1
            if number <= FIRST_CONTACTS:
                own = [contact.name for contact in spy.contacts]
                unknown = [name for name in _CONTACTS if name not in known]
                name = random.choice(unknown or [name for name in _CONTACTS if name not in own])
                sheet = {spy.id: {name: _CONTACTS[name]}}
                yield {"contacts": sheet, **signed(play, writer_of(play, spy, number))}

    def written(self) -> Iterator[tuple[ScalarNode, list[tuple[ScalarNode, ScalarNode]]]]:
        """Each name of a spy, with the contacts and their specialities."""
        for word, sheet in self.sheets.items():
            pairs = (
                sheet.items() if isinstance(sheet, dict) else ((name, NOTHING) for name in sheet)
            )
            yield word, list(pairs)

    def sentence(self, play: Table) -> Sentence:
        return said("Contacts for {}.", ids_of(play, self.sheets) or UNKNOWN)

    @guard("S2.5", at="by")
    def sheet_lies_before_the_writer(self, play: Table) -> Iterator[Violation]:
        stated = play.step.player if self.by is not None else ""
        for word, contacts in self.written() if stated and not play.given else ():
            spy = look_up(play, word)
            for number, _ in enumerate(contacts if spy is not None else (), 1):
                assert spy is not None
                places = len(spy.contacts) + number
                writer = writer_of(play, spy, places)
                if writer and writer != stated:
                    yield Violation(
                        f"{stated} writes on {spy.id}'s sheet; passed {plural(places, 'place')} to the "
                        f"left it lies before {writer}",
                        facts=[play.because(spy.step, f"{spy.id} was made here")],
                        fix=set_key("by", writer),
                        kind=DiagnosticKind.SUSPICIOUS if len(circle(play)) == 2 else None,
                    )

    @guard("S2.5", at="main")
    def two_contacts_at_most(self, play: Table) -> Iterator[Violation]:
        for word, contacts in self.written():
            spy = look_up(play, word)
            if spy is not None and spy.is_spy:
                form = f"{{{{{word}: {{}}}}}}"
                yield from few_contacts(play, spy.id, spy.contacts, contacts, form)

    @question("S2.8", at="main")
    def before_tokens(self, play: Table) -> Iterator[Violation]:
        for word in self.sheets:
            spy = look_up(play, word)
            violation = after_tokens(play, spy, word) if spy is not None else None
            if violation is not None:
                yield violation

    def apply(self, play: Table) -> None:
        stated = play.step.player if self.by is not None else ""
        for word, contacts in self.written():
            spy = look_up(play, word)
            for name, speciality in contacts if spy is not None else ():
                assert spy is not None
                writer = writer_of(play, spy, len(spy.contacts) + 1)
                signed = stated if stated and writer and not play.given else writer
                add_contact(play, spy, name, str(speciality), signed)


def writer_of(play: Table, spy: Spy, places: int) -> str:
    """Who writes the contact with a number on a spy's sheet, which goes as many places to the left."""
    writer = passed(play, spy.player, places)
    if (
        writer == spy.player
        and len(circle(play)) == 2
        and play.ruling("two_spy_contacts") == "neighbour"
    ):
        return passed(play, spy.player, 1)
    return writer


class WriteConnections(Action):
    """Write on sheets that were passed to the right how that spy and your own are connected."""

    verb = "connections"
    about_whom = "How {who} is connected"
    synonyms = ("connection",)
    decides = Decides("neighbour")
    offered = Offered("S2.6", "write how two spies are connected")
    example = "connections: {Wren: Heron built the press she works on}"
    sheets = main(
        MapOf(in_role("sheet", NAME), TEXT),
        "{spy: how the writer's own spy and this one are connected}",
        text_role=TextRole.SENTENCE,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for spy in play.state.cast.values() if len(circle(play)) > 1 else ():
            if spy.is_spy:
                tie = _TIES[len(play.steps) % len(_TIES)]
                author = passed(play, spy.player, -1)
                yield {"connections": {spy.id: tie}, **signed(play, author)}

    def sentence(self, play: Table) -> Sentence:
        return said("Connections for {}.", ids_of(play, self.sheets) or UNKNOWN)

    def author(self, play: Table, spy: Spy) -> str:
        """Who writes the connection of a spy."""
        stated = play.step.player if self.by is not None else ""
        return stated or passed(play, spy.player, -1)

    @guard("S2.6", at="by")
    def sheet_lies_before_the_writer(self, play: Table) -> Iterator[Violation]:
        stated = play.step.player if self.by is not None else ""
        for word in self.sheets if stated and not play.given else ():
            spy = look_up(play, word)
            author = passed(play, spy.player, -1) if spy is not None else stated
            if spy is not None and author != stated:
                yield Violation(
                    f"{stated} connects {spy.id}; passed to the right the sheet lies before {author}",
                    fix=set_key("by", author),
                )

    @question("S2.8", at="main")
    def before_tokens(self, play: Table) -> Iterator[Violation]:
        for word in self.sheets:
            spy = look_up(play, word)
            violation = after_tokens(play, spy, word) if spy is not None else None
            if violation is not None:
                yield violation

    @guard("S2.6")
    def one_connection(self, play: Table) -> Iterator[Violation]:
        for word in self.sheets:
            spy = look_up(play, word)
            if spy is not None and spy.connections:
                facts = [
                    play.because(connection.step, f"from {connection.author}")
                    for connection in spy.connections
                ]
                yield Violation(f"{spy.id}'s sheet has a connection already", word, facts=facts)

    @question("S2.6")
    def of_the_neighbour(self, play: Table) -> Iterator[Violation]:
        for word, text in self.sheets.items():
            spy = look_up(play, word)
            if spy is None or ":" not in text:
                continue
            author = self.author(play, spy)
            neighbour = play.state.of_player(author)
            own = neighbour.id if neighbour else ""
            named = play.names.find(str(text).partition(":")[0], (SPY,))
            if isinstance(named, Named) and named.id not in (own, spy.id):
                yield Violation(
                    f"{author} connects {spy.id} with {own or 'their own spy'}; "
                    "the words name somebody else",
                    text,
                    help=f"write it of {own or author}, or on another sheet",
                )

    def apply(self, play: Table) -> None:
        for spy, _, text in each(play, self.sheets):
            author = self.author(play, spy)
            neighbour = play.state.of_player(author)
            own = neighbour.id if neighbour else ""
            spy.connections.append(Connection(own, str(text), author, play.step.number))
            play.event(f"{spy.id} and {own or author}: {text}", "S2.6", "connection", spy.id)


# --- the city, and what the Handler settles -------------------------------------------------------


class City(Action):
    """Agree on the city where it all happens."""

    verb = "city"
    lead_in_template = "The city is {city}"
    decides = Decides("table")
    offered = Offered("S5.2", "agree on the city")
    example = "city: Lisbon"
    city = main(label(NAME), "the city")
    refused_by = option(
        in_role("refuses", NAMES), "who does not agree (silence agrees)", default=()
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        yield from ({"city": city} for city in _CITIES if not play.state.city)

    def sentence(self, play: Table) -> Sentence:
        return (f"The city is {self.city}.",)

    @guard("S5.2", help="go on talking until all agree")
    def everybody_agrees(self, play: Table) -> Iterator[Violation]:
        for word in self.refused_by:
            message = f"{word} does not agree; everybody has to"
            yield Violation(message, word, drop_item(str(word)))

    @question("S5.2", at="main")
    def city_stays(self, play: Table) -> Violation | None:
        state = play.state
        if not state.city or fold(state.city) == fold(self.city):
            return None
        facts = play.facts(state.city_step, "agreed here")
        return Violation(f"the city has been {state.city} so far", facts=facts)

    def apply(self, play: Table) -> None:
        state = play.state
        state.city, state.city_step = str(self.city), play.step.number
        play.event(f"It all happens in {self.city}", "S5.2", "city")


class Arbitrate(Action):
    """The Handler settles a disagreement."""

    verb = "arbitrate"
    synonyms = ("ruling", "disagreement")
    about_table = True
    decides = Decides("handler", "S1.3c", kind=DiagnosticKind.SUSPICIOUS)
    offered = Offered("S1.3c", "settle a disagreement", is_rare=True, weight=-1)
    example = "arbitrate: The crane counts as noise"
    words = main(TEXT, "what was decided")

    def sentence(self, play: Table) -> Sentence:
        return (
            said("{} decides.", play.step.player) if play.step.player else ("The Handler decides.",)
        )

    def apply(self, play: Table) -> None:
        play.event(str(self.words), "S1.3c", "decides")


def add_contact(play: Table, spy: Spy, name: ScalarNode, speciality: str, author: str) -> None:
    """Write a contact on a sheet."""
    id = play.names.free_id(f"{spy.id}: {name}")
    spy.contacts.append(Contact(id, str(name), speciality.strip(), author, play.step.number))
    play.names.add(id, CONTACT, str(name), [speciality.strip()] if speciality.strip() else [])
    message = f"{spy.id} knows {name}" + (f" ({speciality.strip()})" if speciality.strip() else "")
    play.event(f"{author} writes: {message}" if author else message, "S2.5", "contact", spy.id)


def is_sheet_open(spy: Spy) -> bool:
    """S2.5, S2.6: whether a spy's sheet still lacks contacts or a connection."""
    return spy.is_spy and (len(spy.contacts) < FIRST_CONTACTS or not spy.connections)


def _was_given(play: Table) -> bool:
    """Whether the record does not show how the spies were made."""
    state = play.state
    sheets = state.cast.values()
    return play.given or state.hole or any(spy.introduced == spy.step for spy in sheets)


def unseated(play: Table) -> list[str]:
    """S1.8: players at the table who have no spy when a Segment begins, and were not reported before."""
    state = play.state
    if not state.cast or play.given:
        return []
    return [player for player in without_spy(play) if player not in state.spyless]


def without_spies(play: Table) -> Iterator[Violation]:
    """S1.8: everybody at the table has a spy when a Segment begins."""
    for player in unseated(play):
        yield Violation(
            f"a Segment begins, and {player} has no spy",
            fix=add_entry(f"spy: ...\nby: {player}"),
            help="'present:' says who is not there",
            after=["dropped:spy"],
            rule="S1.8",
            kind=DiagnosticKind.UNKNOWN if _was_given(play) else DiagnosticKind.ILLEGAL,
        )


def before_first_job(play: Table) -> Iterator[Violation]:
    """The breaches of the tracks before the first Segment."""
    state = play.state
    if state.setup_checked or _was_given(play):
        return
    if not state.cast:
        yield Violation(
            "an episode begins, but no spy has been made", fix=add_entry("spy: ..."), rule="S1.8"
        )
        return
    for spy in state.cast.values():
        facts = [play.because(spy.step, f"{spy.id} was made here")]
        if len(spy.contacts) < FIRST_CONTACTS:
            yield Violation(
                f"{spy.id} has {plural(len(spy.contacts), 'contact')}; a spy starts with two",
                facts=facts,
                fix=add_entry(f"contacts: {{{spy.id}: {{...: ...}}}}"),
                rule="S2.5",
            )
        if not spy.connections and len(play.seats) > 1:
            yield Violation(
                f"{spy.id} is connected with nobody",
                facts=facts,
                fix=add_entry(f"connections: {{{spy.id}: ...}}"),
                rule="S2.6",
            )
    if not state.city:
        message = "an episode begins, but no city is agreed"
        yield Violation(message, fix=add_entry("city: ..."), rule="S5.2")


def wanting(play: Table) -> tuple[str, tuple[str, ...]]:
    """What the tracks before the first Job still ask for: a sentence and the verbs; empty where nothing is."""
    state = play.state
    seated = {spy.player for spy in state.cast.values() if spy.is_spy}
    spies = [spy for spy in state.cast.values() if spy.is_spy]
    without = [player for player in play.seats if player not in seated]
    alone = [spy.id for spy in spies if not spy.connections and len(play.seats) > 1]
    few = [spy.id for spy in spies if len(spy.contacts) < FIRST_CONTACTS]
    few_text = f"two contacts for {'each of ' if len(few) > 1 else ''}{listed(few)}"
    lacking = {
        MakeSpy.verb: [f"a spy of {listed(without)}"] if without else [],
        WriteContacts.verb: [few_text] if few else [],
        WriteConnections.verb: [f"who knows {name}, and how" for name in alone],
        City.verb: [] if state.city else ["the city"],
    }
    parts = [part for parts_of_verb in lacking.values() for part in parts_of_verb]
    sentence = f"Still to be said: {'; '.join(parts)}." if parts else ""
    return sentence, tuple(verb for verb, parts_of_verb in lacking.items() if parts_of_verb)
