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


def _completer(
    find_matches: Callable[[click.Context, str], Iterator[tuple[str, str]]],
) -> Completer:
    """A completer of words with what helps to choose among them. A shell that asks gets an answer or none,
    never a message between the typed words."""

    def complete(
        ctx: click.Context, param: click.Parameter, typed_text: str
    ) -> list[CompletionItem]:
        folded_start = typed_text.casefold()
        try:
            return [
                CompletionItem(_quoted_for_shell(word), help=" ".join(description.split()) or None)
                for word, description in find_matches(ctx, typed_text)
                if word.casefold().startswith(folded_start)
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


def _campaigns_of_command(ctx: click.Context) -> Iterator[Campaign]:
    """The campaigns of the command that is typed so far."""
    from chronicle.campaigns import load
    from chronicle.syntax.find import MOST_FOLDERS_SEARCHED, find_campaigns

    for folder in find_campaigns(
        Path(ctx.params.get("path") or "."), max_folders=MOST_FOLDERS_SEARCHED
    ):
        yield load(folder)


def _find_paths(ctx: click.Context, typed_text: str) -> Iterator[tuple[str, str]]:
    from chronicle.syntax.find import MOST_FOLDERS_SEARCHED, find_campaigns

    typed_folder = typed_text.rpartition("/")[0]
    for folder in find_campaigns(Path(typed_folder or "."), max_folders=MOST_FOLDERS_SEARCHED):
        if folder != Path(typed_folder or "."):
            yield folder.as_posix(), ""


def _find_names(ctx: click.Context, typed_text: str) -> Iterator[tuple[str, str]]:
    from chronicle.campaigns import run

    for campaign in _campaigns_of_command(ctx):
        for named_item in run(campaign).names.all.values():
            for name in dict.fromkeys((named_item.name, *named_item.aliases)):
                yield name, named_item.kind


def _find_players(ctx: click.Context, typed_text: str) -> Iterator[tuple[str, str]]:
    for campaign in _campaigns_of_command(ctx):
        for player in campaign.players:
            yield player.name, ""


def _find_explainable(ctx: click.Context, typed_text: str) -> Iterator[tuple[str, str]]:
    from chronicle.games import rulebook, rulebooks

    campaign_games = dict.fromkeys(campaign.game for campaign in _campaigns_of_command(ctx))
    for rules in map(rulebook, campaign_games) if campaign_games else rulebooks():
        registry = rules.registry()
        for verb_name, action_class in rules.by_verb.items():
            yield verb_name, (action_class.__doc__ or "").split(". ")[0]
        for rule in registry.rules:
            yield rule.id, rule.title
        for ruling in registry.rulings:
            yield ruling.id, ruling.question
        for add_on in rules.optional_rules():
            yield add_on.id, add_on.title


def with_file_fallback(completer: Completer) -> Completer:
    """The matches of a completer; without a match, the files that the shell knows."""

    def complete(
        ctx: click.Context, param: click.Parameter, typed_text: str
    ) -> list[CompletionItem]:
        return completer(ctx, param, typed_text) or [CompletionItem(typed_text, type="file")]

    return complete


complete_campaigns: Any = with_file_fallback(_completer(_find_paths))
complete_names: Any = _completer(_find_names)
complete_players: Any = _completer(_find_players)
complete_rule_ids: Any = with_file_fallback(_completer(_find_explainable))
