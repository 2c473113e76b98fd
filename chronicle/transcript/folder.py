"""A campaign folder on disk, read into a :class:`Campaign`."""

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
    severity_of,
)
from chronicle.core.game import GameUnavailable
from chronicle.core.intake import MOST_BYTES
from chronicle.core.pinned import pinned_with
from chronicle.core.rulebook import Rulebook
from chronicle.core.source import Entries, Items, Word, place_of
from chronicle.transcript.campaign_files import CampaignFiles
from chronicle.transcript.decode import Decoder
from chronicle.transcript.find import SETTINGS_FILE
from chronicle.transcript.page_files import read_art, read_journal, read_notes
from chronicle.transcript.problems import Problems
from chronicle.transcript.reader import read_text
from chronicle.transcript.reading_cache import ReadingCache
from chronicle.transcript.session_files import read_session, read_sessions
from chronicle.transcript.settings_file import find_game, read_settings
from chronicle.transcript.slug import slug_of


def read_campaign(
    folder: Path,
    rulebooks: Mapping[str, Rulebook[Any]],
    *,
    root: Path | None = None,
    kept: ReadingCache | None = None,
) -> Campaign:
    """Read a campaign folder.

    ``rulebooks`` maps the name of a game to its rulebook; only the one that is played is asked for.
    Paths in diagnostics are relative to ``root`` (the current folder, by default). What could not be
    read is in ``diagnostics`` of the campaign. ``kept`` says what files hold that are not to be looked
    for on the disk, and keeps what was read, for the next time.

    Raises:
        CampaignUnreadable: when not even the game can be made out.
    """
    files = CampaignFiles(Path(folder), rulebooks, root or Path.cwd(), kept or ReadingCache())
    return _read(files)


def read_session_alone(
    file: Path, rulebooks: Mapping[str, Rulebook[Any]], rules: Rulebook[Any], root: Path
) -> tuple[Session | None, list[Diagnostic]]:
    """A session file that lies outside of its campaign, and what is wrong with it; None if it is no
    session at all."""
    files = CampaignFiles(file.parent, rulebooks, root, ReadingCache())
    session = read_session(files, file, Decoder(rules.by_verb, OtherVerbs(rulebooks, rules)))
    return session, files.problems


def read_entries(
    text: str, campaign: Campaign, rulebooks: Mapping[str, Rulebook[Any]], session: int
) -> tuple[list[Action], list[Diagnostic]]:
    """Entries that stand in no file, as they would be read in a campaign, and what is wrong with them.
    Lines are counted within ``text``; the path is empty."""
    rules = rulebooks[campaign.game]
    parsed = read_text(text, "")
    found = Problems(parsed.problems)
    tree = parsed.tree
    items = tree if isinstance(tree, Items) else Items([tree] if tree is not None else [])
    decoder = Decoder(rules.by_verb, OtherVerbs(rulebooks, rules))
    actions = decoder.entries(items, "", session, found, parsed.problems)
    for one in found:
        one.severity = severity_of(one.finding, campaign.strictness)
    return actions, found


class OtherVerbs(Mapping[str, str]):
    """Verbs of the other games, gathered only when an unknown verb is met."""

    def __init__(self, rulebooks: Mapping[str, Rulebook[Any]], rules: Rulebook[Any]) -> None:
        self.rulebooks = rulebooks
        self.rules = rules
        self._known: dict[str, str] | None = None

    def _all(self) -> dict[str, str]:
        if self._known is None:
            self._known = {}
            for name in self.rulebooks:
                try:
                    book = self.rulebooks[name]
                except GameUnavailable:
                    continue
                for verb in book.by_verb:
                    if verb not in self.rules.by_verb:
                        self._known.setdefault(verb, book.title)
        return self._known

    def __getitem__(self, verb: str) -> str:
        return self._all()[verb]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def _read(files: CampaignFiles) -> Campaign:
    """The campaign, as far as it can be read."""
    path = files.shown(files.folder / SETTINGS_FILE)
    rules, tree = find_game(files, path)
    files.game = rules.name
    settings = read_settings(files, rules.settings, tree, path)
    decoder = Decoder(rules.by_verb, OtherVerbs(files.rulebooks, rules))
    sessions = read_sessions(files, decoder)
    read_characters(files, decoder, sessions)
    campaign = Campaign(
        folder=files.shown(files.folder),
        slug=slug_of(files.home.name),
        game=rules.name,
        settings=settings,
        sessions=sessions,
        path=path,
        journal=read_journal(files),
        art=read_art(files),
        notes=read_notes(files),
        pinned=pinned_with(files.folder),
    )
    for one in files.problems:
        one.severity = severity_of(one.finding, campaign.strictness)
    campaign.diagnostics = [one for one in files.problems if one.severity]
    return campaign


def read_characters(files: CampaignFiles, decoder: Decoder, sessions: list[Session]) -> None:
    """``characters/*.yaml``: entries read as if they stood at the top of the first session."""
    given: list[Action] = []
    number = sessions[0].number if sessions else 1
    for file in files.list_files(files.folder / "characters", ".yaml"):
        data = files.bytes_of(file, MOST_BYTES)
        if data is None:
            continue
        read = partial(_read_character, files, file, data, decoder, number)
        given += files.kept.cached_result(
            "character", file, data, (files.game, number), files.problems, read
        )
    if not given:
        return
    if sessions:
        sessions[0] = replace(sessions[0], actions=[*given, *sessions[0].actions])
        return
    header = Header()
    header.source = Entries()
    header.source.line = header.source.column = 0
    header.source.end_line = header.source.end_column = 0
    header.session = number
    sessions.append(Session(header, given, given[0].path))


def _read_character(
    files: CampaignFiles, file: Path, data: bytes, decoder: Decoder, number: int
) -> list[Action]:
    parsed = files.parse(file, data)
    tree = parsed.tree
    path = files.shown(file)
    if isinstance(tree, Entries):
        log = tree.get(Word("log"))
        entries = log if isinstance(log, Items) else Items([tree])
    elif isinstance(tree, Items):
        entries = tree
    else:
        if tree is not None:
            files.problems.tell(
                "T41",
                "a character file holds one entry or a list of entries",
                place_of(tree, path),
            )
        return []
    return decoder.entries(entries, path, number, files.problems, parsed.problems)
