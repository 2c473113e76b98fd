"""A table that plays by itself: random games through a rulebook's own options, and records as text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.play import read_entry
from chronicle.core.campaign import Campaign, Session
from chronicle.core.play import Option, Play
from chronicle.core.record import Record
from chronicle.core.replay import Replay
from chronicle.core.rulebook import Rulebook
from chronicle.games import rulebook
from chronicle.transcript.decode import Decoder


def entry_text(entry: dict[str, Any]) -> str:
    """An entry as one line of YAML (JSON is YAML; every scalar is quoted, so nothing is resolved)."""
    return "- " + json.dumps(_strings(entry), ensure_ascii=False)


def _strings(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _strings(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strings(item) for item in value]
    return str(value)


def write_campaign(folder: Path, settings: str, logs: list[list[str]]) -> Path:
    """A campaign folder with these settings and one session per list of entry lines."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "campaign.yaml").write_text(settings, encoding="utf-8")
    for number, lines in enumerate(logs, 1):
        text = f"session: {number}\nlog:\n" + "".join(f"{line}\n" for line in lines)
        (folder / f"{number:02}.yaml").write_text(text, encoding="utf-8")
    return folder


def settings_of(campaign: Campaign) -> str:
    """The text of a campaign's settings file."""
    return Path(campaign.path).read_text(encoding="utf-8")


def table_after(campaign: Campaign, step: int) -> Play[Any]:
    """The table right after an entry (0: before the first one), played from the beginning to there."""
    run = Replay(campaign, rulebook(campaign.game))
    for session in campaign.sessions:
        if len(run.play.steps) >= step:
            break
        run.open(session)
        for action in session.actions:
            if len(run.play.steps) >= step:
                return run.play
            run.do(action)
        run.close()
    return run.play


class RandomTable:
    """Plays a game at random, entry by entry, after an ``opening`` of fixed ones."""

    def __init__(
        self,
        campaign: Campaign,
        rules: Rulebook[Any],
        seed: int,
        opening: Sequence[str] = (),
    ) -> None:
        self.rules = rules
        self.random = Random(seed)
        self.lines: list[str] = []
        self.replay: Replay[Any] = Replay(campaign, rules)
        self.campaign = campaign
        self.decoder = Decoder(rules.by_verb)
        header = campaign.sessions[0].header
        given = [read_entry(line, self.decoder) for line in opening]
        self.replay.open(Session(header, given, campaign.sessions[0].path))
        for line, action in zip(opening, given, strict=True):
            self.replay.do(action)
            self.lines.append(line)
        self.seen: set[str] = set()
        self.played: Counter[str] = Counter()

    def options(self) -> list[Option]:
        """What may come next."""
        return self.rules.options(self.replay.play)

    def step(self) -> bool:
        """Play one entry. False if nothing may come next."""
        options = self.options()
        self.seen.update(option.verb for option in options)
        if not options:
            return False
        # Verbs that were played less often are likelier, so that a short game reaches them all.
        weights = [
            (0.01 if option.rare else 1) / (1 + self.played[option.verb]) for option in options
        ]
        option = self.random.choices(options, weights)[0]
        self.played[option.verb] += 1
        entry = option.entry(self.random)
        assert next(iter(entry)) == option.verb, (option.verb, entry)
        if option.by and "by" not in entry:
            entry["by"] = option.by
        line = entry_text(entry)
        action = read_entry(line, self.decoder)
        self.replay.do(action)
        self.lines.append(line)
        return True


def record_text(record: Record, *, options: list[int] | None = None) -> str:
    """A Record as text that a person can review: what every entry did."""
    lines = [f"{record.rulebook.name}: {record.campaign.title}", ""]
    for step in record.steps:
        scene = f" scene {step.scene}" if step.scene else ""
        who = f" {step.player}" if step.player else ""
        lines.append(
            f"{step.index}. [{step.anchor}]{scene}{who}: {step.action.verb}: {step.headline}"
        )
        lines += [f"    {e.text}{f' ({e.rule})' if e.rule else ''}" for e in step.events]
        lines += [
            f"    {p.source} -> {p.target}: {p.amount} {p.unit} ({p.rule})"
            for p in record.postings(step)
        ]
        lines += [
            f"    ({p.source} -> {p.target}: {p.amount} {p.unit} ({p.rule}), taken back)"
            for p in step.undone
        ]
        if step.contest is not None:
            sides = " / ".join(
                f"{s.name} {' '.join(d.face for d in s.dice)} {s.result}{' *' if s.won else ''}"
                for s in step.contest.sides
            )
            lines.append(f"    [{step.contest.score} {step.contest.unit}] {sides}")
        lines += [f"    !{d.severity} {d.code}: {d.message}" for d in step.diagnostics]
        if options is not None:
            lines.append(f"    {options[step.index - 1]} may come next")
    lines += ["", "Balances"]
    lines += [f"    {a}: {n} {u}" for a, u, n in sorted(record.ledger.balances()) if n]
    lines += ["", "In the order of the story"]
    lines += [f"    {scene.number}. {scene.title}" for scene in record.timeline.story_order()]
    lines += ["", record.situation, ""]
    return "\n".join(lines)


def option_counts(campaign: Campaign, rules: Rulebook[Any]) -> list[int]:
    """How many things may come next after every entry."""
    run: Replay[Any] = Replay(campaign, rules)
    counts: list[int] = []
    for session in campaign.sessions:
        run.open(session)
        for action in session.actions:
            run.do(action)
            while len(counts) < len(run.play.steps):
                counts.append(len(rules.options(run.play)))
        run.close()
    return counts
