"""Read a campaign folder into a :class:`Campaign`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from chronicle.core.campaign import (
    Campaign,
    Header,
    Session,
)
from chronicle.core.declare import Action
from chronicle.core.diagnostic import (
    Diagnostic,
    either,
    severity_of,
)
from chronicle.core.file_reading import MOST_BYTES
from chronicle.core.game import Game
from chronicle.core.game_info import GameUnavailable
from chronicle.core.pin_file import pinned_version
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, place_of
from chronicle.syntax.campaign_files import CampaignFiles, CampaignUnreadable
from chronicle.syntax.decode import Decoder
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.page_files import read_art, read_journal, read_notes
from chronicle.syntax.problems import Problems
from chronicle.syntax.reader import read_text
from chronicle.syntax.reading_cache import ReadingCache
from chronicle.syntax.session_files import read_session, read_sessions
from chronicle.syntax.settings_file import find_game, read_settings
from chronicle.syntax.slug import slug_of
from chronicle.syntax.wrong_game import LEAST_FOREIGN_ENTRIES, check_game


def read_campaign(
    folder: Path,
    all_rulebooks: Mapping[str, Game[Any]],
    *,
    project_folder: Path | None = None,
    cache: ReadingCache | None = None,
) -> Campaign:
    """Read a campaign folder.

    Args:
        folder: the folder.
        all_rulebooks: the rulebooks by game; only the rulebook of the game is loaded.
        project_folder: paths in diagnostics are relative to it; the current folder by default.
        cache: contents that replace those on the disk, and earlier results.

    Returns:
        The campaign. Its ``diagnostics`` are the problems of its files.

    Raises:
        CampaignUnreadable: if its game is unknown.
    """
    files = CampaignFiles(
        Path(folder), all_rulebooks, project_folder or Path.cwd(), cache or ReadingCache()
    )
    return _read_files(files)


def read_session_alone(
    file: Path, all_rulebooks: Mapping[str, Game[Any]], rulebook: Game[Any], project_folder: Path
) -> tuple[Session | None, list[Diagnostic]]:
    """Read a session file outside of its campaign: the session (None if it is none), and its problems."""
    files = CampaignFiles(file.parent, all_rulebooks, project_folder, ReadingCache())
    session = read_session(
        files, file, Decoder(rulebook.by_verb, OtherVerbs(all_rulebooks, rulebook))
    )
    return session, files.problems


def read_entries(
    log_text: str, campaign: Campaign, all_rulebooks: Mapping[str, Game[Any]], session_number: int
) -> tuple[list[Action], list[Diagnostic]]:
    """Read entries that are in no file, as in a campaign: the actions, and the problems. Lines are counted
    within ``log_text``; the path is empty."""
    rulebook = all_rulebooks[campaign.game]
    parsed = read_text(log_text, "")
    problems = Problems(parsed.problems)
    tree = parsed.tree
    entry_nodes = (
        tree if isinstance(tree, SequenceNode) else SequenceNode([tree] if tree is not None else [])
    )
    decoder = Decoder(rulebook.by_verb, OtherVerbs(all_rulebooks, rulebook))
    actions = decoder.decode_entries(entry_nodes, "", session_number, problems, parsed.problems)
    for diagnostic in problems:
        diagnostic.severity = severity_of(diagnostic.kind, campaign.strictness)
    return actions, problems


class OtherVerbs(Mapping[str, str]):
    """Verbs of the other games, with the titles of their games, loaded when an unknown verb occurs."""

    def __init__(self, all_rulebooks: Mapping[str, Game[Any]], rulebook: Game[Any]) -> None:
        self.all_rulebooks = all_rulebooks
        self.rulebook = rulebook
        self._verbs: dict[str, str] | None = None

    def _all_verbs(self) -> dict[str, str]:
        if self._verbs is None:
            titles_by_verb: dict[str, list[str]] = {}
            for game_name in self.all_rulebooks:
                try:
                    other_rulebook = self.all_rulebooks[game_name]
                except GameUnavailable:
                    continue
                for verb in other_rulebook.by_verb:
                    if verb not in self.rulebook.by_verb:
                        titles_by_verb.setdefault(verb, []).append(other_rulebook.title)
            self._verbs = {
                verb: either(game_titles) for verb, game_titles in titles_by_verb.items()
            }
        return self._verbs

    def __getitem__(self, verb: str) -> str:
        return self._all_verbs()[verb]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all_verbs())

    def __len__(self) -> int:
        return len(self._all_verbs())


def _read_files(files: CampaignFiles) -> Campaign:
    """The readable part of the campaign."""
    path = files.display_path(files.folder / SETTINGS_FILE)
    rulebook, tree = find_game(files, path)
    files.game = rulebook.name
    try:
        settings = read_settings(files, rulebook.settings, tree, path)
    except CampaignUnreadable:
        check_game(files, rulebook, tree, path)
        raise
    decoder = Decoder(rulebook.by_verb, OtherVerbs(files.all_rulebooks, rulebook))
    sessions = read_sessions(files, decoder)
    if sum(problem.code == "T21" for problem in files.problems) >= LEAST_FOREIGN_ENTRIES:
        check_game(files, rulebook, tree, path)
    read_characters(files, decoder, sessions)
    campaign = Campaign(
        folder=files.display_path(files.folder),
        slug=slug_of(files.real_folder.name),
        game=rulebook.name,
        settings=settings,
        sessions=sessions,
        path=path,
        journal=read_journal(files, sessions),
        art=read_art(files, sessions),
        notes=read_notes(files, sessions),
        pinned_version=pinned_version(files.folder),
    )
    for diagnostic in files.problems:
        diagnostic.severity = severity_of(diagnostic.kind, campaign.strictness)
    campaign.diagnostics = [diagnostic for diagnostic in files.problems if diagnostic.severity]
    return campaign


def read_characters(files: CampaignFiles, decoder: Decoder, sessions: list[Session]) -> None:
    """``characters/*.yaml``: entries that come before those of the first session."""
    character_actions: list[Action] = []
    first_session_number = sessions[0].number if sessions else 1
    for file in files.list_files(files.folder / "characters", ".yaml"):
        character_bytes = files.bytes_of(file, MOST_BYTES)
        if character_bytes is None:
            continue
        read_character = partial(
            _read_character, files, file, character_bytes, decoder, first_session_number
        )
        character_actions += files.cache.cached_result(
            "character",
            file,
            character_bytes,
            (files.game, first_session_number),
            files.problems,
            read_character,
        )
    if not character_actions:
        return
    if sessions:
        sessions[0] = replace(sessions[0], actions=[*character_actions, *sessions[0].actions])
        return
    header = Header()
    header.source = MappingNode()
    header.source.line = header.source.column = 0
    header.source.end_line = header.source.end_column = 0
    header.session = first_session_number
    sessions.append(Session(header, character_actions, character_actions[0].path))


def _read_character(
    files: CampaignFiles, file: Path, character_bytes: bytes, decoder: Decoder, session_number: int
) -> list[Action]:
    parsed = files.parse(file, character_bytes)
    tree = parsed.tree
    path = files.display_path(file)
    if isinstance(tree, MappingNode):
        log_node = tree.get(ScalarNode("log"))
        entry_nodes = log_node if isinstance(log_node, SequenceNode) else SequenceNode([tree])
    elif isinstance(tree, SequenceNode):
        entry_nodes = tree
    else:
        if tree is not None:
            files.problems.tell(
                "T41",
                "a character file holds one entry or a list of entries",
                place_of(tree, path),
            )
        return []
    return decoder.decode_entries(
        entry_nodes, path, session_number, files.problems, parsed.problems
    )
