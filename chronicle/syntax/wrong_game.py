"""A log that is of another game than ``campaign.yaml`` says: one problem instead of one for each entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from chronicle.core.file_reading import MOST_BYTES
from chronicle.core.fix import replace_with
from chronicle.core.game import Game
from chronicle.core.game_info import GameUnavailable
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, place_of
from chronicle.syntax.campaign_files import CampaignFiles, CampaignUnreadable
from chronicle.syntax.reader import read_bytes

LEAST_FOREIGN_ENTRIES: Final = 5
"""Fewer entries without a known verb can be slips."""
FOREIGN_FOR_EACH_OWN: Final = 4
"""So many entries with a verb of the other game there are, at least, for one with a verb of the own game."""


def check_game(files: CampaignFiles, rulebook: Game[Any], settings: MappingNode, path: str) -> None:
    """Report a log most of whose verbs belong to one other game (T40).

    Args:
        files: the files of the campaign, read before.
        rulebook: the rulebook of the game that the settings name.
        settings: the tree of ``campaign.yaml``.
        path: its path.

    Raises:
        CampaignUnreadable: if the log is of another game.
    """
    problem_count = len(files.problems)
    all_keys = [*_keys_of_entries(files)]
    # What reading them tells is told where they are read for the campaign.
    del files.problems[problem_count:]
    own_verbs = {*rulebook.by_verb}
    foreign_count, foreign_rulebook, own_count = 0, rulebook, 0
    for game_name in files.all_rulebooks:
        try:
            other_rulebook = files.all_rulebooks[game_name]
        except GameUnavailable:
            continue
        other_verbs = {*other_rulebook.by_verb}
        other_count = _count_entries(all_keys, other_verbs - own_verbs)
        if other_count > foreign_count:
            foreign_count, foreign_rulebook = other_count, other_rulebook
            own_count = _count_entries(all_keys, own_verbs - other_verbs)
    if foreign_count < max(LEAST_FOREIGN_ENTRIES, FOREIGN_FOR_EACH_OWN * own_count):
        return
    files.problems.clear()
    files.problems.tell(
        "T40",
        f"the game is {rulebook.title} here, but the sessions are of {foreign_rulebook.title}: "
        f"{foreign_count} entries have a verb of that game that {rulebook.title} does not have",
        place_of(settings[ScalarNode("game")], path),
        fixes=replace_with([foreign_rulebook.name]),
    )
    raise CampaignUnreadable(files.problems)


def _count_entries(all_keys: Iterable[set[str]], verbs: set[str]) -> int:
    return sum(not keys.isdisjoint(verbs) for keys in all_keys)


def _keys_of_entries(files: CampaignFiles) -> Iterator[set[str]]:
    """The keys of each entry in the folder that is a mapping."""
    for file in files.list_files(files.folder, ".yaml"):
        file_bytes = files.bytes_of(file, MOST_BYTES)
        if file_bytes is None:
            continue
        tree = read_bytes(file_bytes, files.display_path(file), files.cache.entry_cache(file)).tree
        log_node = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
        for entry in log_node if isinstance(log_node, SequenceNode) else ():
            if isinstance(entry, MappingNode):
                yield {*entry}
