"""Before the first Job: the table, sheets, contacts, connections, the city (tracks 1, 2 and 5)."""

from __future__ import annotations

from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import RemoveFromSettings, add_entry, drop_item, drop_key, make_fix, set_key
from chronicle.core.names import Named, fold
from chronicle.core.play import Play
from chronicle.core.source import ScalarNode
from chronicle.games.slow_burn import actions
from chronicle.games.slow_burn.people import each, gain_dice
from chronicle.games.slow_burn.state import (
    CONTACT,
    ENVELOPE,
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

FIRST_CONTACTS = 2


def check_table(play: Play[State]) -> None:
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
    known = {spy.player for spy in play.state.cast.values()}
    return [player for player in play.seats if player in play.present and player not in known]


def circle(play: Table) -> list[str]:
    """Who sits in the circle that sheets are passed round, clockwise."""
    with_handler = play.ruling("handler_in_circle") == "yes" and play.runner
    return [*play.seats, play.runner] if with_handler else [*play.seats]


def passed(play: Table, owner: str, places: int) -> str:
    """Who holds the owner's sheet after it went ``places`` to the left (negative: to the right)."""
    seats = circle(play)
    if owner not in seats:
        return ""
    return seats[(seats.index(owner) + places) % len(seats)]


def make_spy(play: Table, action: actions.MakeSpy) -> None:
    """S2.2 to S2.4, S2.7a: one spy for each player, with one speciality of its own."""
    state = play.state
    player = play.step.player
    name = str(action.name)
    play.step.headline = f"{player or 'Somebody'} makes a spy: {name}"
    play.require(
        bool(player),
        "S2.2",
        f"whose spy is {name}?",
        at="main",
        fix=set_key("by"),
        finding=Finding.UNREADABLE,
    )
    play.require(
        not player or player != play.runner,
        "S1.3b",
        f"{player} is the Handler, who plays the Opposition and the Agency and no spy",
        at="by",
    )
    old = state.of_player(player) if player else None
    if old is not None:
        play.suspect(
            not old.free,
            "S2.1",
            f"{player} plays {old.id} already",
            facts=(play.because(old.step, "made here"),),
        )
        if old.free and str(getattr(play.campaign.settings, "series", "")) == "until free":
            play.suspect(
                True,
                "S19.5a",
                "this series ends when all spies are free; a freed spy's player makes no new one",
                facts=(play.because(old.free, f"{old.id} got off the blacklist here"),),
                help="character: a contact  develops somebody else's contact",
            )
    known = play.names.find(ScalarNode(name), (SPY,))
    play.suspect(
        isinstance(known, Named) and known.name.casefold() == name.casefold(),
        "S2.2",
        f"there is a spy called {name} already",
        at="main",
    )
    id = play.names.free(play.names.mint(name, SPY))
    speciality = str(action.speciality or "")
    episode = state.episode
    spy = Spy(id, player, speciality, play.step.index, episode.number if episode else 0)
    _speciality(play, spy)
    state.cast[id] = spy
    play.names.add(id, SPY, name)
    if speciality:
        play.names.add(spy.resource, RESOURCE, speciality)
    play.event(f"{name} is a spy", "S2.2", "made", id)
    if speciality:
        play.event(f"{name}'s speciality is {speciality}", "S2.3", "speciality", id)
    _first_dice(play, action, spy)
    for contact, known_for in (action.contacts or {}).items():
        add_contact(play, spy, contact, str(known_for), "")
    if play.given:
        _given(play, action, spy)
    elif action.space is not None:
        play.require(
            action.space == 1,
            "S4.4",
            f"{name} starts on space 1 of the Path to Freedom, after the introduction, "
            f"not on {action.space}",
            at="path",
            fix=drop_key("path"),
        )


def _speciality(play: Table, spy: Spy) -> None:
    if not play.require(
        bool(spy.speciality),
        "S2.3",
        f"{spy.id} has no speciality",
        fix=set_key("speciality"),
    ):
        return
    for other in play.state.cast.values():
        if other.is_spy and not other.free:
            play.require(
                other.speciality.casefold() != spy.speciality.casefold(),
                "S2.3",
                f"{other.id} has the speciality '{other.speciality}' already",
                at="speciality",
                facts=(play.because(other.step, f"{other.id} was made here"),),
                help="choose another one",
            )


def _first_dice(play: Table, action: actions.MakeSpy, spy: Spy) -> None:
    dice = 1
    if action.persistent is not None:
        if play.given or not play.require(
            action.persistent == 1,
            "S2.7a",
            f"{spy.id} starts with one persistent Agency die, not {action.persistent}",
            at="persistent",
            fix=drop_key("persistent"),
        ):
            dice = max(0, action.persistent)
        if dice != 1 and not play.given:
            play.taint(f"persistent:{spy.id}")
    gain_dice(play, spy, dice, "S2.7a", "on the sheet from the start")


def _given(play: Table, action: actions.MakeSpy, spy: Spy) -> None:
    """A spy above ``play starts`` has been introduced before the log begins."""
    spy.introduced = play.step.index
    spy.placed = play.step.index
    play.move(
        ROAD,
        f"path:{spy.id}",
        1 if action.space is None else action.space,
        SPACE,
        "S4.4",
        "as given",
    )


def write_contacts(play: Table, action: actions.WriteContacts) -> None:
    """S2.5: the sheet goes left twice, and each time a contact is added."""
    author_given = play.step.player if action.by is not None else ""
    names: list[str] = []
    for spy, word, sheet in each(play, action.sheets):
        _before_tokens(play, spy, word)
        entries = (
            sheet.items() if isinstance(sheet, dict) else [(name, ScalarNode("")) for name in sheet]
        )
        for name, speciality in entries:
            place = len(spy.contacts) + 1
            author = _writer(play, spy, place)
            if author_given and author and not play.given:
                _right_writer(play, spy, place, author, author_given)
                author = author_given
            play.require(
                bool(speciality.strip()),
                "S2.5",
                f"{name} has no speciality",
                at=name,
                help=f"write  {name}: what {name} is good for",
            )
            play.require(
                all(fold(contact.name) != fold(str(name)) for contact in spy.contacts),
                "S2.5",
                f"{name} is on {spy.id}'s sheet already",
                at=name,
            )
            play.require(
                place <= FIRST_CONTACTS or not spy.is_spy,
                "S2.5",
                f"{name} is contact number {place} of {spy.id}; a spy starts with two",
                at=name,
                facts=[
                    play.because(
                        contact.step, f"{contact.name}, from {contact.author or 'the start'}"
                    )
                    for contact in spy.contacts
                ],
            )
            add_contact(play, spy, name, str(speciality), author)
        names.append(spy.id)
    play.step.headline = f"Contacts for {listed(names) or 'nobody'}"


def _before_tokens(play: Table, spy: Spy, word: ScalarNode) -> None:
    """S2.8: sheets are finished before envelopes are dealt and spies are introduced."""
    dealt = bool(play.balance(f"envelope:{spy.player}", ENVELOPE))
    play.suspect(
        spy.is_spy and (dealt or bool(spy.introduced)) and not play.given and not play.state.hole,
        "S2.8",
        f"{spy.id} "
        + ("has been introduced" if spy.introduced else "waits for the introduction")
        + "; contacts and connections are written before the envelopes are dealt",
        at=word,
        facts=play.facts(spy.introduced or play.state.dealt, "here"),
    )


def _writer(play: Table, spy: Spy, place: int) -> str:
    """Who writes contact number ``place`` on a spy's sheet."""
    writer = passed(play, spy.player, place)
    if (
        writer == spy.player
        and len(circle(play)) == 2
        and play.ruling("two_spy_contacts") == "neighbour"
    ):
        return passed(play, spy.player, 1)
    return writer


def _right_writer(play: Table, spy: Spy, place: int, author: str, stated: str) -> None:
    play.require(
        stated == author,
        "S2.5",
        f"{stated} writes on {spy.id}'s sheet; passed {plural(place, 'place')} to the left "
        f"it lies before {author}",
        at="by",
        fix=set_key("by", author),
        finding=Finding.SUSPICIOUS if len(circle(play)) == 2 else Finding.ILLEGAL,
    )


def add_contact(play: Table, spy: Spy, name: ScalarNode, speciality: str, author: str) -> None:
    """Write a contact on a sheet."""
    id = play.names.free(f"{spy.id}: {name}")
    spy.contacts.append(Contact(id, str(name), speciality.strip(), author, play.step.index))
    play.names.add(id, CONTACT, str(name), [speciality.strip()] if speciality.strip() else [])
    told = f"{spy.id} knows {name}" + (f" ({speciality.strip()})" if speciality.strip() else "")
    play.event(f"{told}, writes {author}" if author else told, "S2.5", "contact", spy.id)


def write_connections(play: Table, action: actions.WriteConnections) -> None:
    """S2.6: the sheet goes right once, and the ring is closed."""
    stated = play.step.player if action.by is not None else ""
    names: list[str] = []
    for spy, word, text in each(play, action.sheets):
        author = passed(play, spy.player, -1)
        if stated:
            play.require(
                play.given or stated == author,
                "S2.6",
                f"{stated} connects {spy.id}; passed to the right the sheet lies before {author}",
                at="by",
                fix=set_key("by", author),
            )
            author = stated
        _before_tokens(play, spy, word)
        play.require(
            not spy.connections,
            "S2.6",
            f"{spy.id}'s sheet has a connection already",
            at=word,
            facts=[play.because(one.step, f"from {one.author}") for one in spy.connections],
        )
        other = play.state.of_player(author)
        own = other.id if other else ""
        meant = play.names.find(str(text).partition(":")[0], (SPY,)) if ":" in text else None
        play.suspect(
            isinstance(meant, Named) and meant.id not in (own, spy.id),
            "S2.6",
            f"{author} connects {spy.id} with {own or 'the own spy'}; the words name somebody else",
            at=text,
            help=f"write it of {own or author}, or on another sheet",
        )
        spy.connections.append(Connection(own, str(text), author, play.step.index))
        play.event(f"{spy.id} and {own or author}: {text}", "S2.6", "connection", spy.id)
        names.append(spy.id)
    play.step.headline = f"Connections for {listed(names) or 'nobody'}"


def city(play: Table, action: actions.City) -> None:
    """S5.2: one city, agreed by everybody."""
    state = play.state
    play.step.headline = f"The city is {action.city}"
    for word in action.refused_by:
        play.illegal(
            "S5.2",
            f"{word} does not agree; everybody has to",
            at=word,
            fix=drop_item(str(word)),
            help="go on talking until all agree",
        )
    play.suspect(
        bool(state.city) and state.city.casefold() != action.city.casefold(),
        "S5.2",
        f"the city has been {state.city} so far",
        at="main",
        facts=play.facts(state.city_step, "agreed here"),
    )
    state.city, state.city_step = str(action.city), play.step.index
    play.event(f"It all happens in {action.city}", "S5.2", "city")


def _was_given(play: Table) -> bool:
    """Whether the record does not show how the spies were made."""
    state = play.state
    made = state.cast.values()
    return play.given or state.hole or any(spy.introduced == spy.step for spy in made)


def check_seats(play: Table) -> None:
    """S1.8: everybody at the table has a spy when a Segment begins; whoever has none is told of once."""
    state = play.state
    for player in without_spy(play) if state.cast and not play.given else ():
        play.require(
            player in state.spyless,
            "S1.8",
            f"a Segment begins, and {player} has no spy",
            fix=add_entry(f"spy: ...\nby: {player}"),
            help="'present:' says who is not there",
            finding=Finding.UNKNOWN if _was_given(play) else Finding.ILLEGAL,
            after=("dropped:spy",),
        )
        state.spyless.append(player)


def check_setup(play: Table) -> None:
    """Before the first Segment: whatever the tracks before it ask for has to be there."""
    state = play.state
    if state.setup_checked:
        return
    state.setup_checked = True
    if _was_given(play):
        return
    play.require(
        bool(state.cast),
        "S1.8",
        "an episode begins, but no spy has been made",
        fix=add_entry("spy: ..."),
    )
    for spy in state.cast.values():
        play.require(
            len(spy.contacts) >= FIRST_CONTACTS,
            "S2.5",
            f"{spy.id} has {plural(len(spy.contacts), 'contact')}; a spy starts with two",
            facts=(play.because(spy.step, f"{spy.id} was made here"),),
            fix=add_entry(f"contacts: {{{spy.id}: {{...: ...}}}}"),
        )
        play.require(
            bool(spy.connections) or len(play.seats) < 2,
            "S2.6",
            f"{spy.id} is connected with nobody",
            facts=(play.because(spy.step, f"{spy.id} was made here"),),
            fix=add_entry(f"connections: {{{spy.id}: ...}}"),
        )
    if state.cast:
        play.require(
            bool(state.city),
            "S5.2",
            "an episode begins, but no city is agreed",
            fix=add_entry("city: ..."),
        )


def wanting(play: Table) -> str:
    """What the tracks before the first Job still ask for, in a sentence; empty where nothing is."""
    state = play.state
    seated = {spy.player for spy in state.cast.values() if spy.is_spy}
    spies = [spy for spy in state.cast.values() if spy.is_spy]
    without = [player for player in play.seats if player not in seated]
    alone = [spy.id for spy in spies if not spy.connections and len(play.seats) > 1]
    few = [spy.id for spy in spies if len(spy.contacts) < FIRST_CONTACTS]
    lacking = [
        f"a spy of {listed(without)}" if without else "",
        f"contacts of {listed(few)}, who each start with two" if few else "",
        f"a connection of {listed(alone)} with somebody" if alone else "",
        "" if state.city else "the city",
    ]
    found = [one for one in lacking if one]
    return f"Still to be said: {'; '.join(found)}." if found else ""


def arbitrate(play: Table, action: actions.Arbitrate) -> None:
    """S1.3c: the Handler settles disagreements."""
    play.step.headline = f"{play.step.player or 'The Handler'} decides"
    play.event(str(action.words), "S1.3c", "decides")
