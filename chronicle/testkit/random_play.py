"""Play a game at random, through the moves that the game itself offers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from chronicle.core.answers import Move
from chronicle.core.campaign import Campaign, Session
from chronicle.core.declare import Action
from chronicle.core.game import Game
from chronicle.core.replay import Replay
from chronicle.core.source import MappingNode, SequenceNode
from chronicle.syntax.decode import Decoder
from chronicle.syntax.problems import Problems
from chronicle.syntax.reader import read_text


def entry_text(entry: dict[str, Any]) -> str:
    """Write an entry as one line of YAML (JSON is YAML; each scalar is quoted, so YAML changes none)."""
    return "- " + json.dumps(_as_strings(entry), ensure_ascii=False)


def _as_strings(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _as_strings(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_strings(item) for item in value]
    return str(value)


def write_campaign(folder: Path, settings: str, logs: list[list[str]]) -> Path:
    """Write a campaign folder with these settings and one session for each list of entry lines; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "campaign.yaml").write_text(settings, encoding="utf-8", newline="\n")
    for number, lines in enumerate(logs, 1):
        text = f"session: {number}\nlog:\n" + "".join(f"{line}\n" for line in lines)
        (folder / f"{number:02}.yaml").write_text(text, encoding="utf-8", newline="\n")
    return folder


def settings_of(campaign: Campaign) -> str:
    """The text of the settings file of a campaign."""
    return Path(campaign.path).read_text(encoding="utf-8")


def read_entries(text: str, decoder: Decoder) -> list[Action]:
    """Read entries in YAML as every log is read.

    Raises:
        ValueError: when one cannot be read.
    """
    problems = Problems()
    tree = read_text(f"log:\n{text.rstrip()}\n", "played.yaml").tree
    log = next(iter(tree.values())) if isinstance(tree, MappingNode) else None
    actions = (
        decoder.decode_entries(log, "played.yaml", 1, problems)
        if isinstance(log, SequenceNode)
        else []
    )
    if not actions or problems:
        reasons = [problem.message for problem in problems]
        remedy = "; ".join(reasons) or "write an entry with its dash, such as  - {tell: It rains.}"
        raise ValueError(f"{text!r} cannot be read: {remedy}")
    return actions


def read_entry(text: str, decoder: Decoder) -> Action:
    """Read one entry in YAML.

    Raises:
        ValueError: when it cannot be read, or is not one.
    """
    actions = read_entries(text, decoder)
    if len(actions) != 1:
        raise ValueError(f"{text!r} holds {len(actions)} entries, not 1")
    return actions[0]


class RandomTable:
    """Plays a game at random, entry by entry.

    Args:
        campaign: a campaign with the head of one session; its entries are not played.
        rules: the game.
        seed: the same seed plays the same entries.
        opening: entries, one a line, that are played first.
    """

    def __init__(
        self,
        campaign: Campaign,
        rules: Game[Any],
        seed: int,
        opening: Sequence[str] = (),
    ) -> None:
        self.rules = rules
        self.random = Random(seed)
        self.lines: list[str] = []
        """The entries so far, one a line."""
        self.replay: Replay[Any] = Replay(campaign, rules)
        self.campaign = campaign
        self.decoder = Decoder(rules.by_verb)
        header = campaign.sessions[0].header
        actions = [read_entry(line, self.decoder) for line in opening]
        self.replay.open(Session(header, actions, campaign.sessions[0].path))
        for line, action in zip(opening, actions, strict=True):
            self.replay.do(action)
            self.lines.append(line)
        self.seen: set[str] = set()
        """The verbs that were offered so far."""
        self.played: Counter[str] = Counter()

    def options(self) -> list[Move]:
        """The moves that the game offers now."""
        return self.rules.options(self.replay.play)

    def step(self) -> bool:
        """Play one entry. False if the game offers no move.

        Raises:
            ValueError: when a move makes an entry that cannot be read, or that starts with another verb.
        """
        options = self.options()
        self.seen.update(option.verb for option in options)
        if not options:
            return False
        # Verbs that were played less often are likelier, so that a short game reaches them all.
        weights = [
            (0.01 if option.is_rare else 1) / (1 + self.played[option.verb]) for option in options
        ]
        option = self.random.choices(options, weights)[0]
        self.played[option.verb] += 1
        entry = option.make_entry(self.random)
        if next(iter(entry)) != option.verb:
            raise ValueError(
                f"the first key of a move of '{option.verb}' has to be the verb: {entry}"
            )
        if option.by and "by" not in entry:
            entry["by"] = option.by
        line = entry_text(entry)
        action = read_entry(line, self.decoder)
        self.replay.do(action)
        self.lines.append(line)
        return True
