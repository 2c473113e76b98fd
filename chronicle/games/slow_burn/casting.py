"""Before the first Job: sheets, contacts, connections, tokens, the city, introductions (tracks 1 to 6).

Retired spies and those who come after them (track 19) are here as well.
"""

from __future__ import annotations

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import Fact, Finding, listed, plural
from chronicle.core.names import Named
from chronicle.core.replay import Play
from chronicle.core.secrets import Proof, Secret
from chronicle.core.source import Word
from chronicle.games.slow_burn.actions import (
    Arbitrate,
    City,
    Deal,
    Develop,
    Envelope,
    Introduce,
    MakeSpy,
    OffTheBlacklist,
    WriteConnections,
    WriteContacts,
)
from chronicle.games.slow_burn.people import acts_for, character, characters, gain_dice
from chronicle.games.slow_burn.state import (
    CONTACT,
    ENVELOPE,
    RESOURCE,
    ROAD,
    SPACE,
    SPY,
    Connection,
    Contact,
    Slip,
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
            help="take the Handler out of  players:",
        )


def circle(play: Table) -> list[str]:
    """Who sits in the circle that sheets are passed round, clockwise."""
    seats = list(play.seats)
    if play.ruling("handler_in_circle") == "yes" and play.runner:
        seats.append(play.runner)
    return seats


def passed(play: Table, owner: str, places: int) -> str:
    """Who holds the owner's sheet after it went ``places`` to the left (negative: to the right)."""
    seats = circle(play)
    if owner not in seats:
        return ""
    return seats[(seats.index(owner) + places) % len(seats)]


# --- sheets ---------------------------------------------------------------------------------------


def make_spy(play: Table, action: MakeSpy) -> None:
    """S2.2 to S2.4, S2.7a: one spy for each player, with one speciality of its own."""
    state = play.state
    player = play.step.player
    name = str(action.name)
    play.step.headline = f"{player or 'Somebody'} makes a spy: {name}"
    play.require(
        bool(player),
        "S2.2",
        f"whose spy is {name}?",
        at=action.place("main"),
        help="add  by: the player's name",
        finding=Finding.UNREADABLE,
    )
    play.require(
        not player or player != play.runner,
        "S1.3b",
        f"{player} is the Handler, who plays the Opposition and the Agency and no spy",
        at=action.place("by"),
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
    _unique_name(play, action, name)
    id = name if name not in play.names.all else f"{name} (spy)"
    while id in play.names.all:
        id += "'"
    speciality = str(action.speciality or "")
    episode = state.episode
    spy = Spy(id, player, speciality, play.step.index, episode.number if episode else 0)
    _speciality(play, action, spy)
    state.cast[id] = spy
    play.names.add(id, SPY, name)
    if speciality:
        play.names.add(spy.resource, RESOURCE, speciality)
    play.event(f"{name} is a spy", "S2.2", "made", id)
    if speciality:
        play.event(f"{name}'s speciality is {speciality}", "S2.3", "speciality", id)
    _first_dice(play, action, spy)
    for contact, known_for in (action.contacts or {}).items():
        _add_contact(play, spy, contact, str(known_for), "")
    if play.given:
        _given(play, action, spy)
    elif action.space is not None:
        play.require(
            action.space == 1,
            "S4.4",
            f"{name} starts on space 1 of the Path to Freedom, after the introduction, "
            f"not on {action.space}",
            at=action.place("path"),
            help="leave it out",
        )


def _unique_name(play: Table, action: MakeSpy, name: str) -> None:
    known = play.names.find(Word(name), (SPY,))
    play.suspect(
        isinstance(known, Named) and known.name.casefold() == name.casefold(),
        "S2.2",
        f"there is a spy called {name} already",
        at=action.place("main"),
    )


def _speciality(play: Table, action: MakeSpy, spy: Spy) -> None:
    if not play.require(
        bool(spy.speciality),
        "S2.3",
        f"{spy.id} has no speciality",
        help="add  speciality: one thing nobody else in the group is best at",
    ):
        return
    for other in play.state.cast.values():
        if other.is_spy and not other.free:
            play.require(
                other.speciality.casefold() != spy.speciality.casefold(),
                "S2.3",
                f"{other.id} has the speciality '{other.speciality}' already",
                at=action.place("speciality"),
                facts=(play.because(other.step, f"{other.id} was made here"),),
                help="choose another one",
            )


def _first_dice(play: Table, action: MakeSpy, spy: Spy) -> None:
    dice = 1
    if action.persistent is not None:
        if play.given or not play.require(
            action.persistent == 1,
            "S2.7a",
            f"{spy.id} starts with one persistent Agency die, not {action.persistent}",
            at=action.place("persistent"),
            help="leave it out",
        ):
            dice = max(0, action.persistent)
        if dice != 1 and not play.given:
            play.taint(f"persistent:{spy.id}")
    gain_dice(play, spy, dice, "S2.7a", "on the sheet from the start")


def _given(play: Table, action: MakeSpy, spy: Spy) -> None:
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


def write_contacts(play: Table, action: WriteContacts) -> None:
    """S2.5: the sheet goes left twice, and each time a contact is added."""
    author_given = play.step.player if action.by is not None else ""
    names: list[str] = []
    for word, sheet in action.sheets.items():
        spy = character(play, word)
        entries = sheet.items() if isinstance(sheet, dict) else [(name, Word("")) for name in sheet]
        if spy is None:
            continue
        for name, speciality in entries:
            place = len(spy.contacts) + 1
            author = _writer(play, spy, place)
            if author_given and author and not play.given:
                _right_writer(play, action, spy, place, author, author_given)
                author = author_given
            play.require(
                bool(speciality.strip()),
                "S2.5",
                f"{name} has no speciality",
                at=place_of_word(action, name),
                help=f"write  {name}: what {name} is good for",
            )
            play.require(
                place <= FIRST_CONTACTS or not spy.is_spy,
                "S2.5",
                f"{name} is contact number {place} of {spy.id}; a spy starts with two",
                at=place_of_word(action, name),
                facts=[
                    play.because(
                        contact.step, f"{contact.name}, from {contact.author or 'the start'}"
                    )
                    for contact in spy.contacts
                ],
            )
            _add_contact(play, spy, name, str(speciality), author)
        names.append(spy.id)
    play.step.headline = f"Contacts for {listed(names)}"


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


def _right_writer(
    play: Table, action: WriteContacts, spy: Spy, place: int, author: str, stated: str
) -> None:
    play.require(
        stated == author,
        "S2.5",
        f"{stated} writes on {spy.id}'s sheet; passed {plural(place, 'place')} to the left "
        f"it lies before {author}",
        at=action.place("by"),
        help=f"by: {author}",
        finding=Finding.SUSPICIOUS if len(circle(play)) == 2 else Finding.ILLEGAL,
    )


def _add_contact(play: Table, spy: Spy, name: Word, speciality: str, author: str) -> None:
    id = f"{spy.id}: {name}"
    while id in play.names.all:
        id += "'"
    spy.contacts.append(Contact(id, str(name), speciality.strip(), author, play.step.index))
    play.names.add(id, CONTACT, str(name), [speciality.strip()] if speciality.strip() else [])
    told = f"{spy.id} knows {name}" + (f" ({speciality.strip()})" if speciality.strip() else "")
    play.event(f"{told}, writes {author}" if author else told, "S2.5", "contact", spy.id)


def write_connections(play: Table, action: WriteConnections) -> None:
    """S2.6: the sheet goes right once, and the ring is closed."""
    stated = play.step.player if action.by is not None else ""
    names: list[str] = []
    for word, text in action.sheets.items():
        spy = character(play, word)
        if spy is None:
            continue
        author = passed(play, spy.player, -1)
        if stated:
            play.require(
                play.given or stated == author,
                "S2.6",
                f"{stated} connects {spy.id}; passed to the right the sheet lies before {author}",
                at=action.place("by"),
                help=f"by: {author}",
            )
            author = stated
        play.require(
            not spy.connections,
            "S2.6",
            f"{spy.id}'s sheet has a connection already",
            at=place_of_word(action, word),
            facts=[play.because(one.step, f"from {one.author}") for one in spy.connections],
        )
        other = play.state.of_player(author)
        spy.connections.append(
            Connection(other.id if other else "", str(text), author, play.step.index)
        )
        play.event(
            f"{spy.id} and {other.id if other else author}: {text}", "S2.6", "connection", spy.id
        )
        names.append(spy.id)
    play.step.headline = f"Connections for {listed(names)}"


# --- tokens ---------------------------------------------------------------------------------------


def slip_of(play: Table, author: str) -> Slip:
    """The token a player wrote (a blank one if the log does not say)."""
    return play.state.slips.setdefault(author, Slip(author))


def envelope(play: Table, action: Envelope) -> None:
    """S3.2, S3.3: one item of information goes into the envelope, unseen."""
    player = play.step.player
    play.step.headline = f"{player} hands over an envelope"
    slip = slip_of(play, player)
    play.require(
        not slip.written,
        "S3.2",
        f"{player} has written a token already",
        facts=(play.because(slip.written, "here"),) if slip.written else (),
    )
    slip.written = slip.written or play.step.index
    if action.words is None or not action.words.strip():
        play.event(f"{player}'s token is in its envelope", "S3.3", "envelope")
        return
    slip.slot = f"token of {player}"
    step = play.step
    step.hidden = True
    play.vault.keep(
        Secret(slip.slot, player, "token", step.index, step.session, value=str(action.words))
    )
    judge_token(play, action.words)


def judge_token(play: Table, words: Word) -> None:
    """S3.2: one item, and neither a spy nor a contact by name."""
    text = words.casefold()
    at = place_of_word(play.step.action, words)
    for spy in play.state.cast.values():
        known = [play.names.all[spy.id].name, *(contact.name for contact in spy.contacts)]
        for name in known:
            if _mentions(text, name.casefold()):
                play.require(
                    False,
                    "S3.2",
                    f"the token names {name}; a token refers to no spy and no contact",
                    at=at,
                    facts=(play.because(spy.step, f"{spy.id} was made here"),),
                )
                return
    items = [part for part in words.replace("\n", ";").split(";") if part.strip()]
    play.suspect(
        len(items) > 1,
        "S3.2",
        f"the token seems to hold {len(items)} items of information; one is all it takes",
        at=at,
        help="keep one of them",
    )


def _mentions(text: str, name: str) -> bool:
    start = text.find(name)
    while start >= 0:
        before = text[start - 1 : start]
        after = text[start + len(name) : start + len(name) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        start = text.find(name, start + 1)
    return False


def deal(play: Table, action: Deal) -> None:
    """S6.2: shuffled, dealt at random, one each; whose is whose stays shut until they are opened."""
    state = play.state
    play.step.headline = "The envelopes are dealt"
    if action.by is not None:
        play.require(
            play.step.player == play.runner,
            "S6.2",
            f"{play.step.player} deals; the Handler shuffles the envelopes",
            at=action.place("by"),
        )
    for word in action.picked_by:
        play.require(
            False,
            "S6.2",
            f"{word} picked an envelope; they are shuffled and dealt at random",
            at=place_of_word(action, word),
        )
    dealt = action.envelopes
    pairs = dealt.items() if isinstance(dealt, dict) else [(word, None) for word in dealt]
    receivers = [(play.player(word), word, author) for word, author in pairs]
    if not receivers:
        receivers = [(player, action.key, None) for player in play.seats]
    authors: dict[str, Word] = {}
    for receiver, _, author in receivers:
        if not receiver:
            continue
        play.move("envelopes", f"envelope:{receiver}", 1, ENVELOPE, "S6.2", "dealt")
        if author is not None:
            _dealt_from(play, action, receiver, author, authors)
    for player in play.seats:
        spy = state.of_player(player)
        waiting = spy is not None and not spy.introduced
        play.require(
            not waiting or any(receiver == player for receiver, _, _ in receivers),
            "S6.2",
            f"{player} is dealt no envelope",
            at=action.place("main"),
        )
    state.dealt = play.step.index
    if authors:
        play.step.hidden = True
    play.event("Everybody holds a shut envelope", "S6.2", "deal")


def _dealt_from(
    play: Table, action: Deal, receiver: str, word: Word, authors: dict[str, Word]
) -> None:
    author = play.player(word)
    if not author:
        return
    if not play.require(
        author not in authors,
        "S6.2",
        f"{author}'s envelope is dealt twice",
        at=place_of_word(action, word),
        facts=(Fact("dealt before", place_of_word(action, authors[author])),)
        if author in authors
        else (),
    ):
        return
    authors[author] = word
    if author == receiver:
        play.require(
            play.ruling("own_token") == "yes",
            "S6.2",
            f"{receiver} is dealt the own envelope; at this table it is dealt again",
            at=place_of_word(action, word),
        )
    slip_of(play, author).receiver = receiver


def introduce(play: Table, action: Introduce) -> None:
    """S6.1 to S6.4: how the spy came here, and what the token means."""
    named = action.spies
    pairs = list(named.items()) if isinstance(named, dict) else [(word, None) for word in named]
    spies: list[Spy] = []
    for word, text in pairs:
        spy = character(play, word)
        if spy is None:
            continue
        spies.append(spy)
        _may_enter(play, action, spy, word)
        slip = next((s for s in play.state.slips.values() if s.receiver == spy.player), None)
        if slip is not None and slip.opened and slip.spy != spy.id:
            slip = None
        _open_envelope(play, action, spy, slip, text)
        if not spy.introduced:
            spy.introduced = play.step.index
            spy.placed = play.step.index
            play.move(ROAD, f"path:{spy.id}", 1, SPACE, "S4.4", "after the introduction")
        play.event(
            f"{spy.id} comes into play, on space 1 of the Path to Freedom", "S4.4", "enters", spy.id
        )
    acts_for(play, spies)
    play.step.headline = f"Introducing {listed(spy.id for spy in spies)}"
    _parts(play, action, spies)
    told = [action.before, action.arrival, action.meaning]
    story = [str(part) for part in told if part is not None]
    if story:
        play.step.fiction = "\n\n".join([*story, play.step.fiction]).strip()
    waiting = [spy for spy in play.state.cast.values() if not spy.introduced]
    if play.state.dealt and not waiting:
        play.steps[play.state.dealt - 1].hidden = False


def _may_enter(play: Table, action: Introduce, spy: Spy, word: Word) -> None:
    state = play.state
    at = place_of_word(action, word)
    play.require(
        not spy.introduced,
        "S6.1",
        f"{spy.id} was introduced before",
        at=at,
        facts=(play.because(spy.introduced, "here"),) if spy.introduced else (),
    )
    episode = state.episode
    newcomer = bool(spy.episode) and play.ruling("new_spy") == "no-token"
    if not newcomer and not state.hole and not spy.introduced:
        play.require(
            bool(play.balance(f"envelope:{spy.player}", ENVELOPE)),
            "S6.2",
            f"{spy.player} opens an envelope, but none has been dealt",
            at=at,
            help="deal: [everybody]  comes before the introductions",
        )
    if episode is not None and not episode.over:
        before = [
            one
            for one in state.cast.values()
            if one.player == spy.player and one.free and one is not spy
        ]
        same = [one for one in before if one.free_episode == episode.number]
        play.require(
            not same,
            "S19.4",
            f"{spy.id} enters in the episode in which {same[0].id if same else ''} got free; "
            "a new spy is introduced at the beginning of the next",
            at=at,
            facts=[play.because(one.free, f"{one.id} got off the blacklist here") for one in same],
        )


def _open_envelope(
    play: Table, action: Introduce, spy: Spy, slip: Slip | None, text: Word | None
) -> None:
    step = play.step
    if slip is None and text is not None:
        # Whose token it was is not on record; the words are.
        slip = Slip("", receiver=spy.player)
        play.state.slips[f"? {spy.id}"] = slip
    if slip is None:
        return
    secret = play.vault.secrets.get(slip.slot) or next(
        (
            s
            for s in play.vault.secrets.values()
            if s.kind == "token" and s.player == slip.author and slip.author
        ),
        None,
    )
    play.move(f"envelope:{spy.player}", "opened envelopes", 1, ENVELOPE, "S6.4", "opened")
    slip.spy = spy.id
    slip.opened = step.index
    slip.meaning = str(action.meaning or "")
    if secret is not None:
        slip.text = _from_vault(play, secret, text)
    elif text is not None:
        slip.text = str(text)
        judge_token(play, text)
    if slip.text:
        play.event(f"{spy.id}'s token says: {slip.text}", "S6.4", "token", spy.id)


def _from_vault(play: Table, secret: Secret, text: Word | None) -> str:
    """What the vault knows of a token now that it is opened."""
    step = play.step
    if secret.seal and not secret.revealed:
        play.report(
            Finding.UNKNOWN,
            "T75",
            f"the sealed token of {secret.player} is opened without its opening",
            help=f"reveal: {secret.slot}  with  opening:  proves it",
        )
        return str(text) if text is not None else ""
    if not secret.revealed:
        secret.revealed = step.index
        made = play.steps[secret.step - 1]
        made.hidden = False
        made.headline = f"{secret.player} hands over an envelope"
        made.links.append(step.index)
        step.links.append(made.index)
    if text is not None and " ".join(text.split()) != " ".join(secret.value.split()):
        play.report(
            Finding.BOOKKEEPING,
            "T74",
            "the token was written down in other words",
            at=place_of_word(step.action, text),
            facts=(play.because(secret.step, f"{secret.player}'s token"),),
        )
    return secret.value + (" (sealed before)" if secret.proof is Proof.SEALED else "")


def _parts(play: Table, action: Introduce, spies: list[Spy]) -> None:
    """S6.4: three things are told. Where the story stands in ``text``, nobody counts them."""
    if action.text is not None or not spies:
        return
    parts = {
        "before": (action.before, "what the spy did just before the blacklisting"),
        "arrival": (action.arrival, "how the spy came to the city"),
        "meaning": (action.meaning, "what the token means and how the spy learned it"),
    }
    missing = [(key, doc) for key, (said, doc) in parts.items() if said is None]
    if missing:
        play.suspect(
            True,
            "S6.4",
            f"{listed(spy.id for spy in spies)}: the log does not tell "
            f"{listed((doc for _, doc in missing), 'nor')}",
            help="tell it under  text:, or under  " + ":, ".join(key for key, _ in missing) + ":",
        )


# --- the city -------------------------------------------------------------------------------------


def city(play: Table, action: City) -> None:
    """S5.2: one city, agreed by everybody."""
    state = play.state
    play.step.headline = f"The city is {action.city}"
    for word in action.refused_by:
        play.require(
            False,
            "S5.2",
            f"{word} does not agree; everybody has to",
            at=place_of_word(action, word),
            help="go on talking",
        )
    play.suspect(
        bool(state.city) and state.city.casefold() != action.city.casefold(),
        "S5.2",
        f"the city has been {state.city} so far",
        at=action.place("main"),
        facts=(play.because(state.city_step, "agreed here"),) if state.city_step else (),
    )
    state.city, state.city_step = str(action.city), play.step.index
    play.event(f"It all happens in {action.city}", "S5.2", "city")


def check_setup(play: Table) -> None:
    """Before the first Segment: whatever the tracks before it ask for has to be there."""
    state = play.state
    if state.setup_checked:
        return
    state.setup_checked = True
    if play.given or state.hole or any(spy.introduced == spy.step for spy in state.cast.values()):
        return
    play.require(
        bool(state.cast),
        "S1.8",
        "an episode begins, but no spy has been made",
        help="spy: a name  comes first",
    )
    for spy in state.cast.values():
        play.require(
            len(spy.contacts) >= FIRST_CONTACTS,
            "S2.5",
            f"{spy.id} has {plural(len(spy.contacts), 'contact')}; a spy starts with two",
            facts=(play.because(spy.step, f"{spy.id} was made here"),),
            help=f"contacts: {{{spy.id}: {{name: speciality}}}}",
        )
        play.require(
            bool(spy.connections) or len(play.seats) < 2,
            "S2.6",
            f"{spy.id} is connected with nobody",
            facts=(play.because(spy.step, f"{spy.id} was made here"),),
            help=f"connections: {{{spy.id}: how}}",
        )
    if state.cast:
        play.require(
            bool(state.city),
            "S5.2",
            "an episode begins, but no city is agreed",
            help="city: a name",
        )


def arbitrate(play: Table, action: Arbitrate) -> None:
    """S1.3c: the Handler settles disagreements."""
    play.step.headline = f"{play.step.player or 'The Handler'} decides"
    play.suspect(
        bool(play.step.player) and play.step.player != play.runner,
        "S1.3c",
        f"{play.step.player} settles a disagreement; that is the Handler's part",
        at=action.place("by"),
    )
    play.event(str(action.words), "S1.3c", "decides")


# --- off the blacklist ----------------------------------------------------------------------------


def set_free(play: Table, spy: Spy, rule: str) -> None:
    """S19.1: the spy is off the blacklist."""
    episode = play.state.episode
    spy.free = play.step.index
    spy.free_episode = episode.number if episode else 0
    play.event(f"{spy.id} is off the blacklist", rule, "free", spy.id)


def off_the_blacklist(play: Table, action: OffTheBlacklist) -> None:
    """S19.2: how a life is put back together."""
    spies = characters(play, action.spies)
    acts_for(play, spies)
    play.step.headline = f"Off the blacklist: {listed(spy.id for spy in spies)}"
    for spy in spies:
        if not spy.free:
            space = play.balance(f"path:{spy.id}", SPACE)
            play.require(
                play.given,
                "S17.12",
                f"{spy.id} stands on space {space} of the Path to Freedom; "
                "only a final push that is won leads off the blacklist",
                at=action.place("main"),
                facts=(play.because(spy.placed, "the last step was here"),) if spy.placed else (),
            )
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
        f"{player or 'nobody'} develops a contact; that is for a player whose spy is free",
        help="by: the player whose spy got off the blacklist",
    )
    play.suspect(
        str(getattr(play.campaign.settings, "series", "")) != "until free" and not play.given,
        "S19.5a",
        "this series is ongoing: a freed spy's player makes a new spy",
        help="series: until free  in campaign.yaml, or  spy: a name",
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
        play.require(
            False,
            "S19.5a",
            f"{action.name} is nobody's contact",
            at=action.place("main"),
            help="name a contact of one of the other spies",
        )
    elif owner.player == player:
        play.suspect(
            True,
            "S19.5a",
            f"{contact.name} was {owner.id}'s own contact; the text says one of the other spies'",
            at=action.place("main"),
            facts=(play.because(contact.step, "written here"),),
        )
    id = str(action.name)
    while id in play.names.all:
        id += " (character)" if not id.endswith(")") else "'"
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
        _add_contact(play, made, name, str(known_for), player)
    play.event(f"{action.name} is a main character, with no Path to Freedom", "S19.5b", "made", id)
    if play.ruling("nonspy_character") == "player-with-die":
        gain_dice(play, made, 1, "SA41", "counts as a spy here")


def default_player(play: Table, action: object) -> str:
    """Whose entry it is during setup when the log does not say: the next in seating order."""
    state = play.state
    if isinstance(action, MakeSpy):
        free = [s for s in play.seats if state.of_player(s) is None]
        if not free:
            free = [s for s in play.seats if (spy := state.of_player(s)) is not None and spy.free]
        return free[0] if free else ""
    if isinstance(action, Develop):
        free = [s for s in play.seats if (spy := state.of_player(s)) is not None and spy.free]
        return free[0] if free else ""
    waiting = [s for s in play.seats if s not in state.slips or not state.slips[s].written]
    return waiting[0] if waiting else ""
