"""What a shell completes: campaigns, names in play, rules and verbs. ``shell_complete`` of arguments."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _completer(find: Callable[[click.Context, str], Iterator[tuple[str, str]]]) -> Completer:
    """A completer of words with what helps to choose among them. A shell that asks gets an answer or none,
    never a message between the typed words."""

    def complete(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
        typed_start = typed.casefold()
        try:
            return [
                CompletionItem(_quoted_for_shell(word), help=" ".join(description.split()) or None)
                for word, description in find(ctx, typed)
                if word.casefold().startswith(typed_start)
            ]
        except Exception:
            if os.environ.get("CHRONICLE_DEBUG"):
                raise
            return []

    return complete


def _quoted_for_shell(word: str) -> str:
    """A word as the shell needs it; only bash leaves the quoting to the program."""
    if os.environ.get("_CHRONICLE_COMPLETE", "").startswith("bash"):
        # Its script reads the answer in a way that takes one backslash of two.
        return re.sub(r"([^\w./:@%+=,-])", r"\\\\\1", word)
    return word


def _campaigns(ctx: click.Context) -> Iterator[Campaign]:
    """The campaigns of the command that is typed so far."""
    from chronicle.campaigns import load
    from chronicle.syntax.find import MOST_FOLDERS_SEARCHED, find_campaigns

    for folder in find_campaigns(
        Path(ctx.params.get("path") or "."), most_folders=MOST_FOLDERS_SEARCHED
    ):
        yield load(folder)


def _find_paths(ctx: click.Context, typed: str) -> Iterator[tuple[str, str]]:
    from chronicle.syntax.find import MOST_FOLDERS_SEARCHED, find_campaigns

    head = typed.rpartition("/")[0]
    for folder in find_campaigns(Path(head or "."), most_folders=MOST_FOLDERS_SEARCHED):
        if folder != Path(head or "."):
            yield folder.as_posix(), ""


def _find_names(ctx: click.Context, typed: str) -> Iterator[tuple[str, str]]:
    from chronicle.campaigns import run

    for campaign in _campaigns(ctx):
        for subject in run(campaign).names.all.values():
            for name in dict.fromkeys((subject.name, *subject.aliases)):
                yield name, subject.kind


def _find_players(ctx: click.Context, typed: str) -> Iterator[tuple[str, str]]:
    for campaign in _campaigns(ctx):
        for player in campaign.players:
            yield player.name, ""


def _find_explainable(ctx: click.Context, typed: str) -> Iterator[tuple[str, str]]:
    from chronicle.games import rulebook, rulebooks

    campaign_games = dict.fromkeys(campaign.game for campaign in _campaigns(ctx))
    for rules in map(rulebook, campaign_games) if campaign_games else rulebooks():
        registry = rules.registry()
        for name, verb in rules.by_verb.items():
            yield name, (verb.__doc__ or "").split(". ")[0]
        for rule in registry.rules:
            yield rule.id, rule.title
        for ruling in registry.rulings:
            yield ruling.id, ruling.question
        for add_on in rules.optional_rules():
            yield add_on.id, add_on.title


def with_files(find: Completer) -> Completer:
    """The matches of a completer; without a match, the files that the shell knows."""

    def complete(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
        return find(ctx, param, typed) or [CompletionItem(typed, type="file")]

    return complete


campaigns: Any = with_files(_completer(_find_paths))
names: Any = _completer(_find_names)
players: Any = _completer(_find_players)
rules: Any = with_files(_completer(_find_explainable))
