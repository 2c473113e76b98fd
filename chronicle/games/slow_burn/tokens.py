"""Fleur-de-Lis tokens in their envelopes, and the introductions that open them (tracks 3, 4 and 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option, place_of_word
from chronicle.core.diagnostic import DiagnosticKind, Fact, listed
from chronicle.core.field_types import NAME, NAMES, TEXT, MapOf, MapOr, in_role
from chronicle.core.fix import BLANK, add_entry, drop_item, set_key
from chronicle.core.guards import Violation, guard, question
from chronicle.core.ranges import UNKNOWN
from chronicle.core.secrets import Proof, Secret
from chronicle.core.sentences import Sentence, said
from chronicle.core.shared_verbs import Reveal
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole, enter_lead_in
from chronicle.games.slow_burn.casting import is_sheet_open
from chronicle.games.slow_burn.people import ids_of, look_up
from chronicle.games.slow_burn.state import ENVELOPE, ROAD, SPACE, Slip, Spy, Table, path_of

TOKENS = "tokens:"
"""The doubt about whose token is which."""
_SLIPS = ("locker 114", "quay 9", "0412", "the blue door")


def slip_of(play: Table, author: str) -> Slip:
    """The token a player wrote last (a blank one if the log does not say)."""
    return play.state.slips.setdefault(author, Slip(author))


def holds_envelope(play: Table, player: str) -> bool:
    """Whether a player holds a shut envelope."""
    return bool(play.balance(f"envelope:{player}", ENVELOPE))


def has_token(play: Table, player: str) -> bool:
    """Whether the log has a token of a player, written or sealed, for the spy who waits for the introduction."""
    slip = play.state.slips.get(player)
    if slip is not None and slip.written:
        return not writes_again(play, slip)
    secrets = play.vault.secrets.values()
    return any(secret.kind == "token" and secret.player == player for secret in secrets)


def needs_envelope(play: Table, spy: Spy) -> bool:
    """SA40: whether the introduction of a spy opens an envelope."""
    return not (spy.episode and play.ruling("new_spy") == "no-token")


def waiting_players(play: Table) -> list[str]:
    """The players whose spies wait for an introduction with an envelope."""
    spies = (spy for spy in play.state.cast.values() if not spy.introduced)
    return [spy.player for spy in spies if needs_envelope(play, spy)]


def wanting(play: Table) -> tuple[str, tuple[str, ...]]:
    """What comes next between the sheets and the first Job: a sentence and the verbs; empty where nothing waits."""
    waiting = waiting_players(play)
    writers = [player for player in waiting if not has_token(play, player)]
    if writers:
        return f"Still to come: an envelope of {listed(writers)}.", (Envelope.verb,)
    if not all(holds_envelope(play, player) for player in waiting):
        return "Still to come: the Handler deals the envelopes.", (Deal.verb,)
    unknown = [spy.id for spy in play.state.cast.values() if not spy.introduced]
    if not unknown:
        return "", ()
    return f"Still to come: the introduction of {listed(unknown)}.", (Introduce.verb,)


# --- writing tokens -------------------------------------------------------------------------------


class Envelope(Action):
    """Put a Fleur-de-Lis token into its envelope and hand it to the Handler.

    Leave the value empty where only the writer knows it; write it and it is kept from every
    reader until the introduction; for proof, use `sealed` with `kind: token` instead.
    """

    verb = "envelope"
    synonyms = ("fleur-de-lis", "token")
    decides = Decides("author", "S3.4")
    offered = Offered("S3.3", "write a token and hand over the envelope")
    example = "envelope: locker 114, Rossio\n  by: Cal"
    hides = ("envelope",)
    words = main(TEXT, "the one item of information on the token", default=None)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for number, player in enumerate(play.seats, len(play.steps)):
            spy = play.state.of_player(player)
            if (spy is None or not spy.introduced) and not has_token(play, player):
                yield {"envelope": _SLIPS[number % len(_SLIPS)], "by": player}

    def sentence(self, play: Table) -> Sentence:
        return said("{} hands over an envelope.", play.step.player or UNKNOWN)

    def has_words(self) -> bool:
        """Whether the entry says what is on the token."""
        return self.words is not None and bool(self.words.strip())

    @guard("S3.2")
    def one_token_each(self, play: Table) -> Violation | None:
        slip = play.state.slips.get(play.step.player)
        if slip is None or not slip.written or writes_again(play, slip):
            return None
        facts = play.facts(slip.written, "here")
        message = f"{play.step.player} has written a token already"
        return Violation(message, facts=facts, doubts=[TOKENS])

    @guard("S3.2", at="main")
    def names_nobody(self, play: Table) -> Violation | None:
        return named_on_token(play, self.words) if self.has_words() and self.words else None

    @question("S3.2", at="main", help="keep one of them")
    def one_item(self, play: Table) -> str | None:
        return several_items(self.words) if self.words else None

    def apply(self, play: Table) -> None:
        player, step = play.step.player, play.step
        slips = play.state.slips
        slip = slip_of(play, player)
        if writes_again(play, slip):
            # The token of the spy who was freed stays in the gallery.
            slips[f"{player}: {slip.spy}"] = slip
            slip = slips[player] = Slip(player)
        slip.written = slip.written or step.number
        if self.words is None or not self.has_words():
            play.event(f"{player}'s token is in its envelope", "S3.3", "envelope")
            return
        earlier = sum(slip_before.author == player for slip_before in slips.values()) - 1
        slip.slot = f"token of {player}" + (f", {earlier + 1}" if earlier else "")
        step.hidden = True
        secret = Secret(
            slip.slot, player, "token", step.number, step.session, value=str(self.words)
        )
        play.vault.store(secret)


def writes_again(play: Table, slip: Slip) -> bool:
    """S19.4: whether the token is that of a freed spy, and the player's new spy gets another."""
    spy = play.state.of_player(slip.author)
    return bool(slip.opened) and spy is not None and not spy.introduced and slip.spy != spy.id


def named_on_token(play: Table, words: ScalarNode) -> Violation | None:
    """S3.2: that a token names a spy or a contact."""
    text = words.casefold()
    for spy in play.state.cast.values():
        names = [play.names.all[spy.id].name, *(contact.name for contact in spy.contacts)]
        for name in names:
            if re.search(rf"(?<![^\W_]){re.escape(name.casefold())}(?![^\W_])", text):
                return Violation(
                    f"the token names {name}; a token refers to no spy and no contact",
                    words,
                    facts=[play.because(spy.step, f"{spy.id} was made here")],
                )
    return None


def several_items(words: ScalarNode) -> str | None:
    """S3.2: that a token seems to hold several items."""
    items = [part for part in words.replace("\n", ";").split(";") if part.strip()]
    if len(items) <= 1:
        return None
    return f"the token seems to hold {len(items)} items of information; one is all it takes"


def shown_early(play: Table, action: Reveal) -> None:
    """S3.3: the words on a token are not shown before the introductions."""
    secret = play.vault.secrets.get(action.secret)
    if secret is not None and secret.kind == "token":
        play.require(
            bool(play.state.dealt) or play.state.hole,
            "S3.3",
            f"{secret.player or 'Somebody'}'s token is shown before the envelopes are dealt",
            at="main",
            facts=(play.because(secret.step_number, "put into its envelope here"),),
        )


# --- dealing envelopes ----------------------------------------------------------------------------


class Deal(Action):
    """The Handler shuffles the envelopes and deals one to each player."""

    verb = "deal"
    synonyms = ("shuffle",)
    decides = Decides("handler", "S6.2")
    offered = Offered("S6.2", "shuffle and deal the envelopes")
    example = "deal: {Ada: Cal, Ben: Ada, Cal: Ben}"
    hides = ()
    envelopes = main(
        MapOr(
            MapOf(in_role("dealt to", NAME), in_role("wrote", NAME)),
            in_role("dealt to", NAMES),
            words="the players, or {player: whose envelope}",
        ),
        "who got one; with whose it was, if that is known (kept back until they are opened)",
        default=(),
    )
    picked_by = option(
        in_role("dealt to", NAMES),
        "players who picked an envelope instead of being dealt one",
        default=(),
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        waiting = waiting_players(play)
        without = [player for player in waiting if not holds_envelope(play, player)]
        # At some tables envelopes are dealt again (SA27).
        for players in (without, waiting) if without and without != waiting else (waiting,):
            yield from ({"deal": players} for _ in players[:1])
            for shift in range(len(players)):
                yield {"deal": dict(zip(players, players[shift:] + players[:shift], strict=True))}

    @classmethod
    def is_early(cls, play: Table) -> bool:
        """Whether something should come first: sheets are written on before (S2.8), and so are the tokens of all, or
        nobody writes them down."""
        waiting = waiting_players(play)
        told = [player for player in waiting if has_token(play, player)]
        held = [player for player in waiting if holds_envelope(play, player)]
        spies = (spy for spy in play.state.cast.values() if not spy.introduced)
        return any(map(is_sheet_open, spies)) or told not in ([], waiting) or held == waiting

    def sentence(self, play: Table) -> Sentence:
        return ("The envelopes are dealt.",)

    def dealt(self, play: Table) -> list[tuple[str, ScalarNode, ScalarNode | None]]:
        """Each player who gets an envelope, as named, with whose it is if that is said."""
        named = self.envelopes
        pairs = named.items() if isinstance(named, dict) else [(word, None) for word in named]
        dealt = [(play.look_up_player(word), word, author) for word, author in pairs]
        if not dealt:
            return [(player, self.key, None) for player in play.seats]
        return [receiver for receiver in dealt if receiver[0]]

    @guard("S6.2")
    def none_is_picked(self, play: Table) -> Iterator[Violation]:
        for word in self.picked_by:
            message = f"{word} picked an envelope; they are shuffled and dealt at random"
            yield Violation(message, word, help="if your table picks them, write a house rule")

    @guard("S6.2")
    def none_is_the_handlers(self, play: Table) -> Iterator[Violation]:
        for player, word, _ in self.dealt(play):
            if player == play.runner and player not in play.seats:
                yield Violation(
                    f"{player} is the Handler and is dealt no envelope; they are the players'",
                    word,
                    drop_item(str(word)) if not isinstance(self.envelopes, dict) else (),
                    is_certain=True,
                )

    @guard("S3.3", DiagnosticKind.UNKNOWN, at="main")
    def all_were_handed_over(self, play: Table) -> Iterator[Violation]:
        waiting = waiting_players(play)
        told = [player for player in waiting if has_token(play, player)]
        if not told or play.state.hole or play.given:
            return
        silent = [player for player in waiting if player and player not in told]
        if silent:
            one = "one" if len(silent) == 1 else "theirs"
            yield Violation(
                f"the envelopes are dealt, and the log does not say that {listed(silent)} handed {one} over",
                after=[TOKENS],
                fix=[add_entry(f"envelope:\nby: {player}") for player in silent],
            )

    @guard("S6.2", at="main")
    def one_each(self, play: Table) -> Iterator[Violation]:
        facts = play.facts(play.state.dealt, "dealt here")
        for player, word, _ in self.dealt(play):
            if holds_envelope(play, player) and play.ruling("own_token") != "redeal":
                message = f"{player} holds a shut envelope already, and is dealt one"
                yield Violation(
                    message,
                    word,
                    facts=facts,
                    help=f"leave {player} out of this entry",
                    doubts=[TOKENS],
                )

    @guard("S6.2", at="main")
    def each_envelope_once(self, play: Table) -> Iterator[Violation]:
        words: dict[str, ScalarNode] = {}
        for player, _, word in self.dealt(play):
            author = play.look_up_player(word) if word is not None else ""
            if not author or word is None:
                continue
            if author in words:
                earlier = Fact("dealt before", place_of_word(self, words[author]))
                yield Violation(
                    f"{author}'s envelope is dealt twice",
                    word,
                    facts=[earlier],
                    help="name another player here",
                )
            elif author == player and play.ruling("own_token") != "yes":
                message = f"{player} is dealt their own envelope; at this table it is dealt again"
                yield Violation(message, word, help="name another player here")
            words.setdefault(author, word)

    @guard("S6.2", at="main")
    def nobody_is_left_out(self, play: Table) -> Iterator[Violation]:
        receivers = {player for player, _, _ in self.dealt(play)}
        for player in play.present:
            spy = play.state.of_player(player)
            is_waiting = spy is not None and not spy.introduced and not holds_envelope(play, player)
            if is_waiting and player not in receivers:
                yield Violation(
                    f"{player} is dealt no envelope", help=f"add {player} to this entry"
                )

    def apply(self, play: Table) -> None:
        authors: set[str] = set()
        for player, _, word in self.dealt(play):
            if player == play.runner and player not in play.seats:
                continue
            play.move("envelopes", f"envelope:{player}", 1, ENVELOPE, "S6.2", "dealt")
            author = play.player(word) if word is not None else ""
            if author and author not in authors:
                slip_of(play, author).receiver = player
                authors.add(author)
        if len(self.dealt(play)) < len(self.envelopes):
            play.taint("envelopes:")
        play.state.dealt = play.step.number
        if authors:
            play.step.hidden = True
        play.event("Everybody holds a shut envelope", "S6.2", "deal")


# --- introductions --------------------------------------------------------------------------------


class Introduce(Action):
    """Introduce one spy or several together, and say what the token in the envelope means."""

    verb = "introduce"
    synonyms = ("introduction",)
    decides = Decides("player", "S6.4")
    offered = Offered("S6.4", "a spy comes into play")
    example = "introduce: {Wren: locker 114}\n  text: She woke with a key in her shoe."
    spies = main(
        MapOr(
            MapOf(in_role("introduced", NAME), TEXT),
            in_role("introduced", NAMES),
            words="a spy, or {spy: what the token says}",
        ),
        "the spies, each with what the token says",
    )
    before = option(
        TEXT, "what the spy did just before the blacklisting (Markdown)", text_role=TextRole.PROSE
    )
    arrival = option(
        TEXT, "how the spy came to the city, remembered or not (Markdown)", text_role=TextRole.PROSE
    )
    meaning = option(
        TEXT, "what the token means and how the spy learned it (Markdown)", text_role=TextRole.PROSE
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for spy in play.state.cast.values():
            yield {"introduce": [spy.id], "text": "It began with a phone call."}

    def lead_in(self) -> str:
        if not isinstance(self.spies, dict):
            return enter_lead_in(self.spies)
        return ". ".join(f"{spy}: {token}" for spy, token in self.spies.items())

    def sentence(self, play: Table) -> Sentence:
        return said("Introducing {}.", ids_of(play, self.spies) or UNKNOWN)

    def introduced(self, play: Table) -> Iterator[tuple[Spy, ScalarNode, ScalarNode | None]]:
        """Each spy, as named, with what the token says; unknown names are left out."""
        texts: Mapping[ScalarNode, ScalarNode] = self.spies if isinstance(self.spies, dict) else {}
        for word in self.spies:
            spy = look_up(play, word)
            if spy is not None:
                yield spy, word, texts.get(word)

    @guard("S6.2")
    def envelope_is_dealt(self, play: Table) -> Iterator[Violation]:
        for spy, word, _ in self.introduced(play):
            if play.state.hole or spy.introduced or holds_envelope(play, spy.player):
                continue
            if not needs_envelope(play, spy):
                continue
            yield Violation(
                f"{spy.player} opens an envelope, but none has been dealt",
                word,
                add_entry(f"deal: [{', '.join(play.seats)}]"),
                after=["envelopes:"],
            )

    @guard("S19.4")
    def next_episode(self, play: Table) -> Iterator[Violation]:
        episode = play.state.episode
        if episode is None or episode.over:
            return
        for spy, word, _ in self.introduced(play):
            for former in play.state.cast.values():
                is_former = former.player == spy.player and former.free and former is not spy
                if is_former and former.free_episode == episode.number:
                    yield Violation(
                        f"{spy.id} enters in the episode in which {former.id} got free; "
                        "a new spy is introduced at the beginning of the next",
                        word,
                        facts=[
                            play.because(former.free, f"{former.id} got off the blacklist here")
                        ],
                    )
                    break

    @guard("S19.4")
    def at_the_beginning(self, play: Table) -> Iterator[Violation]:
        state, episode = play.state, play.state.episode
        if episode is None or episode.over or state.hole:
            return
        scenes = [scene for scene in state.scenes if scene.episode == episode.number]
        for spy, word, _ in self.introduced(play) if scenes else ():
            former = [
                other_spy
                for other_spy in state.cast.values()
                if other_spy.player == spy.player and other_spy.free
            ]
            if any(
                other_spy is not spy and other_spy.free_episode != episode.number
                for other_spy in former
            ):
                yield Violation(
                    f"{spy.id} enters in the middle of episode {episode.number}; a new spy is introduced at "
                    "the beginning of an episode",
                    word,
                    facts=[play.because(scenes[0].step, "its first scene")],
                    help="introduce the spy above the first scene, or in the next episode",
                )

    @guard("S3.2")
    def token_names_nobody(self, play: Table) -> Iterator[Violation]:
        for spy, _, words in self.introduced(play):
            violation = (
                named_on_token(play, words)
                if words is not None and secret_of(play, slip_for(play, spy)) is None
                else None
            )
            if violation is not None:
                yield violation

    @question("S3.2", help="keep one of them")
    def token_has_one_item(self, play: Table) -> Iterator[Violation]:
        for spy, _, words in self.introduced(play):
            if words is not None and secret_of(play, slip_for(play, spy)) is None:
                message = several_items(words)
                if message:
                    yield Violation(message, words)

    @guard("T75", DiagnosticKind.UNKNOWN)
    def seal_is_opened(self, play: Table) -> Iterator[Violation]:
        for spy, _, _ in self.introduced(play):
            secret = secret_of(play, slip_for(play, spy))
            if secret is not None and secret.seal and not secret.revealed_by:
                yield Violation(
                    f"the sealed token of {secret.player} is opened without its opening",
                    fix=add_entry(f"reveal: {secret.secret_id}\nopening: {BLANK}"),
                )

    @guard("T74", DiagnosticKind.BOOKKEEPING)
    def words_are_as_written(self, play: Table) -> Iterator[Violation]:
        for spy, _, words in self.introduced(play):
            secret = secret_of(play, slip_for(play, spy))
            if secret is None or words is None or (secret.seal and not secret.revealed_by):
                continue
            if " ".join(words.split()) != " ".join(secret.value.split()):
                whose = author_of(play, words)
                if whose and whose != secret.player:
                    yield Violation(
                        f"the words are those of {whose}'s token; {spy.player} was dealt {secret.player}'s",
                        words,
                        facts=play.facts(play.state.dealt, "dealt here"),
                        after=[TOKENS],
                        is_certain=True,
                        rule="S6.2",
                        kind=DiagnosticKind.ILLEGAL,
                    )
                    continue
                facts = [play.because(secret.step_number, f"{secret.player}'s token")]
                message = "the token was written down in other words"
                yield Violation(message, words, facts=facts, after=[TOKENS])

    @question("S6.4")
    def three_things_are_told(self, play: Table) -> Violation | None:
        spies = ids_of(play, self.spies)
        if self.text is not None or not spies:
            return None
        parts = {
            "before": (self.before, "what the spy did just before the blacklisting"),
            "arrival": (self.arrival, "how the spy came to the city"),
            "meaning": (self.meaning, "what the token means and how the spy learned it"),
        }
        missing = {key: words for key, (words_told, words) in parts.items() if words_told is None}
        if not missing:
            return None
        return Violation(
            f"{listed(spies)}: the log does not tell {listed(missing.values(), 'nor')}",
            fix=[set_key("text"), *map(set_key, missing)],
        )

    def apply(self, play: Table) -> None:
        texts: Mapping[ScalarNode, ScalarNode] = self.spies if isinstance(self.spies, dict) else {}
        for word in self.spies:
            spy = look_up(play, word)
            if spy is None:
                continue
            open_envelope(play, spy, texts.get(word), str(self.meaning or ""))
            spy.is_assumed = False
            if not spy.introduced:
                spy.introduced = spy.placed = play.step.number
                space = path_of(play, spy.id)
                first = 0 if space else 1
                play.move(ROAD, f"path:{spy.id}", first, SPACE, "S4.4", "after the introduction")
            play.event(
                f"{spy.id} comes into play, on space 1 of the Path to Freedom",
                "S4.4",
                "enters",
                spy.id,
            )
        story = [
            str(part) for part in (self.before, self.arrival, self.meaning) if part is not None
        ]
        if story:
            play.step.fiction = "\n\n".join([*story, play.step.fiction]).strip()
        waiting = [spy for spy in play.state.cast.values() if not spy.introduced]
        if play.state.dealt and not waiting:
            play.reopen(play.state.dealt).hidden = False


def slip_for(play: Table, spy: Spy) -> Slip | None:
    """The token in the envelope that was dealt to the player of a spy."""
    for slip in play.state.slips.values():
        if slip.receiver == spy.player and (not slip.opened or slip.spy == spy.id):
            return slip
    return None


def author_of(play: Table, words: ScalarNode) -> str:
    """Who wrote a token with just these words, if one player did."""
    told = " ".join(words.split()).casefold()
    tokens = (
        token for token in play.vault.secrets.values() if token.kind == "token" and not token.seal
    )
    authors = {token.player for token in tokens if " ".join(token.value.split()).casefold() == told}
    return authors.pop() if len(authors) == 1 else ""


def secret_of(play: Table, slip: Slip | None) -> Secret | None:
    """What the vault holds of a token."""
    if slip is None:
        return None
    tokens = [secret for secret in play.vault.secrets.values() if secret.kind == "token"]
    own = (secret for secret in tokens if secret.player == slip.author and slip.author)
    return play.vault.secrets.get(slip.slot) or next(own, None)


def open_envelope(play: Table, spy: Spy, words: ScalarNode | None, meaning: str) -> None:
    """S6.4: a spy's player opens the envelope and says what the token says."""
    slip = slip_for(play, spy)
    if slip is None and words is not None:
        # The author of the token is not on record; the words are.
        slip = play.state.slips[f"? {spy.id}"] = Slip("", receiver=spy.player)
    if slip is None:
        return
    if holds_envelope(play, spy.player):
        play.move(f"envelope:{spy.player}", "opened envelopes", 1, ENVELOPE, "S6.4", "opened")
    slip.spy, slip.opened, slip.meaning = spy.id, play.step.number, meaning
    secret = secret_of(play, slip)
    if secret is not None:
        slip.text = _text_of_secret(play, secret, str(words or ""))
    elif words is not None:
        slip.text = str(words)
    if slip.text:
        play.event(f"{spy.id}'s token says: {slip.text}", "S6.4", "token", spy.id)


def _text_of_secret(play: Table, secret: Secret, stated: str) -> str:
    """The words on a token that is opened; a sealed one without its opening has only what is ``stated``."""
    if secret.seal and not secret.revealed_by:
        return stated
    if not secret.revealed_by:
        secret.revealed_by = play.step.number
        step = play.reopen(secret.step_number)
        step.hidden = False
        step.headline = f"{secret.player} hands over an envelope"
        play.link_steps(play.step.number, step.number)
    return secret.value + (" (sealed before)" if secret.proof is Proof.SEALED else "")
