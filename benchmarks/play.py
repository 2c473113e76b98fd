"""Write campaigns of any size, played at random through the options that the game itself offers.

The same game, size and seed always give the same campaign.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

from chronicle.campaigns import load
from chronicle.core.campaign import Campaign, Header, Session
from chronicle.core.game import Game
from chronicle.core.game_context import GameContext
from chronicle.core.replay import Replay
from chronicle.core.source import ScalarNode
from chronicle.games import rulebook
from chronicle.syntax.decode import Decoder
from chronicle.testkit.random_play import read_entry

PER_SESSION = 100
"""Entries of a long session."""
TRIES = 20
"""Attempts at a session that must not end the story."""
TALK = {"tell": "They sit and talk"}
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _'+")


def write_campaign(
    game: str,
    size: int,
    folder: Path,
    seed: int = 1,
    per_session: int = PER_SESSION,
) -> None:
    """Write a campaign of ``size`` legal entries into a new folder, ``per_session`` in each session."""
    folder.mkdir(parents=True)
    rules = rulebook(game)
    settings = rules.new_campaign()["campaign.yaml"]
    (folder / "campaign.yaml").write_text(settings, encoding="utf-8")
    entries = played(rules, folder, seed, per_session)
    for number in range(1, -(-size // per_session) + 1):
        lines = islice(entries, min(per_session, size - (number - 1) * per_session))
        text = f"session: {number}\ntitle: Evening {number}\nlog:\n" + "".join(lines)
        (folder / f"{number:04}.yaml").write_text(text, encoding="utf-8")


def played(
    rules: Game[Any],
    folder: Path,
    seed: int,
    per_session: int = PER_SESSION,
) -> Iterator[str]:
    """Yield entries as YAML without end, each of them legal after those before it."""
    first = folder / "01.yaml"
    first.write_text("session: 1\nlog:\n", encoding="utf-8")
    campaign = load(folder)
    first.unlink()
    table = _Table(campaign, rules, Random(seed), per_session)
    for number in count(1):
        yield from table.evening(number)


class _Table:
    """Plays one session after another. A session that would end the story is played again with other choices;
    after :data:`TRIES` of them the players only talk."""

    def __init__(self, campaign: Campaign, rules: Game[Any], rng: Random, per_session: int) -> None:
        self.per_session = per_session
        self.run = Replay(campaign, rules)
        self.rng = rng
        self.decoder = Decoder(rules.by_verb, {})
        self.before: list[list[str]] = []
        """The entries of the sessions that were played."""

    def evening(self, number: int) -> list[str]:
        """Play a session; return its entries."""
        for attempt in range(TRIES + 1):
            lines: list[str] = []
            self._open(number)
            while len(lines) < self.per_session:
                text = entry_text(TALK if attempt == TRIES else self._chosen())
                self.run.do(read_entry(text, self.decoder))
                if self.run.rulebook.over(self.run.play):
                    break
                lines.append(text)
            else:
                self.run.close()
                self.before.append(lines)
                return lines
            self._go_back()
        raise AssertionError(self.run.rulebook.situation(self.run.play))

    def _chosen(self) -> dict[str, Any]:
        play, rng = self.run.play, self.rng
        options = play.rulebook.options(play)
        options = [option for option in options if not option.is_rare] or options
        assert options, play.rulebook.situation(play)
        if play.rulebook.name == "positive" and (again := _set_anew(play)):
            return again
        # Stories are mostly told; the rules come in now and then.
        tellings = [option for option in options if option.verb == "tell"]
        option = rng.choice(tellings if tellings and rng.random() < 0.5 else options)
        entry = option.make_entry(rng)
        if option.by and "by" not in entry:
            entry["by"] = option.by
        return entry

    def _open(self, number: int) -> None:
        header = Header()
        header.session, header.title = number, ScalarNode(f"Evening {number}")
        self.run.open(Session(header, [], "played.yaml"))

    def _go_back(self) -> None:
        """Return to the start of the session."""
        self.run = Replay(self.run.play.campaign, self.run.rulebook)
        for number, lines in enumerate(self.before, 1):
            self._open(number)
            for text in lines:
                self.run.do(read_entry(text, self.decoder))
            self.run.close()


def _set_anew(play: GameContext[Any]) -> dict[str, Any]:
    """Set all tokens of Positive back to Start before one leaves the track, which would end the story."""
    tokens = {
        account.partition(":")[2]: amount
        for account, unit, amount in play.ledger.balances()
        if account.startswith("track:")
    }
    if all(abs(amount) < 3 for amount in tokens.values()):
        return {}
    start = {"track": dict.fromkeys(tokens, 0)}
    return {"correct": "last", "to": start, "note": "another party begins"}


def entry_text(entry: dict[str, Any]) -> str:
    """Write an entry as YAML: the verb first, one option a line."""
    lines = [f"{key}: {_value(value)}".rstrip() for key, value in entry.items()]
    return "- " + "\n  ".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_value(k)}: {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    text = str(value)
    if text and set(text) <= _PLAIN and text[0].isalnum() and text == text.strip():
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
