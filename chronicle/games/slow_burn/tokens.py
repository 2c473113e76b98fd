"""Fleur-de-Lis tokens in their envelopes, and the introductions that open them (tracks 3, 4 and 6)."""

from __future__ import annotations

import re

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import Fact, Finding, listed
from chronicle.core.fix import add_entry, set_key
from chronicle.core.secrets import Proof, Secret
from chronicle.core.shared_verbs import Reveal
from chronicle.core.source import ScalarNode
from chronicle.games.slow_burn.actions import Deal, Envelope, Introduce
from chronicle.games.slow_burn.people import character
from chronicle.games.slow_burn.state import ENVELOPE, ROAD, SPACE, Slip, Spy, Table


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
        facts=play.facts(slip.written, "here"),
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


def shown_early(play: Table, action: Reveal) -> None:
    """S3.3: what is on a token is not shown before the introductions."""
    secret = play.vault.secrets.get(action.secret)
    if secret is not None and secret.kind == "token":
        play.require(
            bool(play.state.dealt) or play.state.hole,
            "S3.3",
            f"{secret.player or 'Somebody'}'s token is shown before the envelopes are dealt",
            at="main",
            facts=(play.because(secret.step, "put into its envelope here"),),
        )


def judge_token(play: Table, words: ScalarNode) -> None:
    """S3.2: one item, and neither a spy nor a contact by name."""
    text = words.casefold()
    for spy in play.state.cast.values():
        known = [play.names.all[spy.id].name, *(contact.name for contact in spy.contacts)]
        for name in known:
            if _mentions(text, name.casefold()):
                play.illegal(
                    "S3.2",
                    f"the token names {name}; a token refers to no spy and no contact",
                    at=words,
                    facts=(play.because(spy.step, f"{spy.id} was made here"),),
                )
                return
    items = [part for part in words.replace("\n", ";").split(";") if part.strip()]
    play.suspect(
        len(items) > 1,
        "S3.2",
        f"the token seems to hold {len(items)} items of information; one is all it takes",
        at=words,
        help="keep one of them",
    )


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", text) is not None


def deal(play: Table, action: Deal) -> None:
    """S6.2: shuffled, dealt at random, one each; whose is whose stays shut until they are opened."""
    state = play.state
    play.step.headline = "The envelopes are dealt"
    for word in action.picked_by:
        play.illegal(
            "S6.2", f"{word} picked an envelope; they are shuffled and dealt at random", at=word
        )
    dealt = action.envelopes
    pairs = dealt.items() if isinstance(dealt, dict) else [(word, None) for word in dealt]
    receivers = [(play.player(word), word, author) for word, author in pairs]
    if not receivers:
        receivers = [(player, action.key, None) for player in play.seats]
    authors: dict[str, ScalarNode] = {}
    for receiver, word, author in receivers:
        if not receiver:
            continue
        play.require(
            not play.balance(f"envelope:{receiver}", ENVELOPE)
            or play.ruling("own_token") == "redeal",
            "S6.2",
            f"{receiver} holds a shut envelope already, and is dealt one",
            at=word,
            facts=play.facts(state.dealt, "dealt here"),
        )
        play.move("envelopes", f"envelope:{receiver}", 1, ENVELOPE, "S6.2", "dealt")
        if author is not None:
            _dealt_from(play, action, receiver, author, authors)
    for player in play.present:
        spy = state.of_player(player)
        waiting = spy is not None and not spy.introduced
        play.require(
            not waiting or bool(play.balance(f"envelope:{player}", ENVELOPE)),
            "S6.2",
            f"{player} is dealt no envelope",
            at="main",
        )
    state.dealt = play.step.index
    if authors:
        play.step.hidden = True
    play.event("Everybody holds a shut envelope", "S6.2", "deal")


def _dealt_from(
    play: Table, action: Deal, receiver: str, word: ScalarNode, authors: dict[str, ScalarNode]
) -> None:
    author = play.player(word)
    if not author:
        return
    if not play.require(
        author not in authors,
        "S6.2",
        f"{author}'s envelope is dealt twice",
        at=word,
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
            at=word,
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
        _may_enter(play, spy, word)
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
    play.step.headline = f"Introducing {listed(spy.id for spy in spies) or 'nobody'}"
    _parts(play, action, spies)
    told = [action.before, action.arrival, action.meaning]
    story = [str(part) for part in told if part is not None]
    if story:
        play.step.fiction = "\n\n".join([*story, play.step.fiction]).strip()
    waiting = [spy for spy in play.state.cast.values() if not spy.introduced]
    if play.state.dealt and not waiting:
        play.reopen(play.state.dealt).hidden = False


def _may_enter(play: Table, spy: Spy, word: ScalarNode) -> None:
    state = play.state
    episode = state.episode
    newcomer = bool(spy.episode) and play.ruling("new_spy") == "no-token"
    if not newcomer and not state.hole and not spy.introduced:
        play.require(
            bool(play.balance(f"envelope:{spy.player}", ENVELOPE)),
            "S6.2",
            f"{spy.player} opens an envelope, but none has been dealt",
            at=word,
            fix=add_entry(f"deal: [{', '.join(play.seats)}]"),
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
            at=word,
            facts=[play.because(one.free, f"{one.id} got off the blacklist here") for one in same],
        )


def _open_envelope(
    play: Table, action: Introduce, spy: Spy, slip: Slip | None, text: ScalarNode | None
) -> None:
    step = play.step
    if slip is None and text is not None:
        # Whose token it was is not on record; the words are.
        slip = Slip("", receiver=spy.player)
        play.state.slips[f"? {spy.id}"] = slip
    if slip is None:
        return
    tokens = [one for one in play.vault.secrets.values() if one.kind == "token"]
    own = (one for one in tokens if one.player == slip.author and slip.author)
    secret = play.vault.secrets.get(slip.slot) or next(own, None)
    if play.balance(f"envelope:{spy.player}", ENVELOPE):
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


def _from_vault(play: Table, secret: Secret, text: ScalarNode | None) -> str:
    """What the vault knows of a token now that it is opened."""
    step = play.step
    if secret.seal and not secret.revealed:
        play.unknown(
            "T75",
            f"the sealed token of {secret.player} is opened without its opening",
            fix=add_entry(f"reveal: {secret.slot}\nopening: ..."),
        )
        return str(text) if text is not None else ""
    if not secret.revealed:
        secret.revealed = step.index
        made = play.reopen(secret.step)
        made.hidden = False
        made.headline = f"{secret.player} hands over an envelope"
        play.refer(step.index, made.index)
    if text is not None and " ".join(text.split()) != " ".join(secret.value.split()):
        play.report(
            Finding.BOOKKEEPING,
            "T74",
            "the token was written down in other words",
            at=text,
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
            fix=(set_key("text"), *(set_key(key) for key, _ in missing)),
        )
