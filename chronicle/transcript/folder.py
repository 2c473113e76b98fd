"""A campaign folder to a Campaign: settings, sessions, journal, art, notes. Nothing outside is read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from chronicle.core.campaign import (
    Artwork,
    Campaign,
    Header,
    JournalEntry,
    KeeperNote,
    Session,
)
from chronicle.core.declare import NAMES, TEXT, Action, Part, option, required, whole
from chronicle.core.diagnostic import Diagnostic, Fact, Finding, Severity, did_you_mean
from chronicle.core.rulebook import Rulebook
from chronicle.core.source import Entries, Items, Place, Value, Word, place_of, whole_file
from chronicle.transcript.decode import Decoder, read_part
from chronicle.transcript.reader import find_cut_names, read

MOST_PICTURE = 5_000_000
MOST_PAGE = 500_000
PICTURES = frozenset({".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif"})


class CampaignUnreadable(Exception):
    """A folder that is no campaign at all; ``diagnostics`` say why."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.diagnostics = diagnostics


class PageHead(Part):
    """Front matter of a journal entry or a note."""

    title = option(TEXT, "its title")
    author = option(TEXT, "who wrote it")
    voice = option(TEXT, "the character whose voice it is in")
    session = option(whole(0), "the session it belongs to")
    about = option(NAMES, "characters or Components it is about", default=())
    date = option(TEXT, "a date")


class Caption(Part):
    """The caption file of a picture."""

    title = required(TEXT, "its title")
    alt = required(TEXT, "what it shows, for people who cannot see it")
    artist = option(TEXT, "who made it")
    licence = option(TEXT, "its licence")
    about = option(NAMES, "characters or Components it shows", default=())
    session = option(whole(0), "the session it belongs to")


def find_campaigns(path: Path) -> list[Path]:
    """Folders with a ``campaign.yaml`` at or below a path (or around it, if it lies inside one)."""
    path = Path(path)
    if path.is_file():
        path = path.parent
    for folder in (path, *path.resolve().parents):
        if (folder / "campaign.yaml").is_file():
            return [folder]
    found = [Path(top) for top, _, files in os.walk(path) if "campaign.yaml" in files]
    return sorted(found)


def read_campaign(folder: Path, rulebooks: Mapping[str, Rulebook[Any]]) -> Campaign:
    """Read a campaign folder.

    Args:
        folder: the folder with ``campaign.yaml``.
        rulebooks: the known games by name.

    Returns:
        The campaign; what could not be read is in its ``diagnostics``.

    Raises:
        CampaignUnreadable: when not even the game can be made out.
    """
    return _Folder(Path(folder), rulebooks).read()


def _shown(path: Path) -> str:
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return path.as_posix()


class _Folder:
    def __init__(self, folder: Path, rulebooks: Mapping[str, Rulebook[Any]]) -> None:
        self.folder = folder
        self.rulebooks = rulebooks
        self.found: list[Diagnostic] = []

    def read(self) -> Campaign:
        path = _shown(self.folder / "campaign.yaml")
        top = self._tree(self.folder / "campaign.yaml")
        rulebook = self._game(top, path)
        settings = read_part(rulebook.settings, top, path, self.found) if top is not None else None
        if settings is None:
            raise CampaignUnreadable(self.found)
        campaign = Campaign(
            folder=_shown(self.folder),
            slug=self.folder.resolve().name,
            game=rulebook.name,
            settings=settings,
            sessions=[],
            path=path,
            diagnostics=self.found,
        )
        campaign.sessions = self._sessions(rulebook)
        campaign.journal = [
            JournalEntry(
                file.stem,
                str(head.title or file.stem.replace("-", " ")),
                body,
                str(head.author or ""),
                str(head.voice or ""),
                head.session,
                tuple(map(str, head.about)),
                str(head.date or ""),
                _shown(file),
            )
            for file, head, body in self._pages("journal")
        ]
        campaign.journal.sort(key=lambda e: (e.session is None, e.session or 0, e.date, e.slug))
        campaign.notes = [
            KeeperNote(
                file.stem,
                str(head.title or file.stem.replace("-", " ")),
                body,
                tuple(map(str, head.about)),
                _shown(file),
            )
            for file, head, body in self._pages("notes")
        ]
        campaign.art = self._art()
        return campaign

    # -- files -------------------------------------------------------------------------------------

    def _inside(self, file: Path) -> bool:
        if file.resolve().is_relative_to(self.folder.resolve()):
            return True
        self._say("T27", "this link leads out of the campaign folder and is not followed", whole_file(_shown(file)), "copy the file into the folder")
        return False

    def _bytes(self, file: Path, most: int) -> bytes | None:
        if not self._inside(file):
            return None
        try:
            with file.open("rb") as stream:
                data = stream.read(most + 1)
        except OSError as error:
            self._say("T28", f"this file cannot be read: {error.strerror}", whole_file(_shown(file)))
            return None
        if len(data) > most:
            self._say("T4", f"this file is larger than {most:,} bytes", whole_file(_shown(file)))
            return None
        return data

    def _tree(self, file: Path) -> Value | None:
        data = self._bytes(file, 50_000_000)
        if data is None:
            return None
        tree = read(data, _shown(file))
        find_cut_names(tree)
        self.found.extend(tree.diagnostics)
        return tree.top

    def _say(self, code: str, message: str, place: Place, help: str = "", facts: tuple[Fact, ...] = ()) -> None:
        self.found.append(
            Diagnostic(code, Finding.UNREADABLE, Severity.ERROR, message, place, help=(help,) if help else (), facts=facts)
        )

    # -- the game ----------------------------------------------------------------------------------

    def _game(self, top: Value | None, path: str) -> Rulebook[Any]:
        known = ", ".join(self.rulebooks)
        if not isinstance(top, Entries):
            if top is not None or not self.found:
                self._say("T26", "campaign.yaml holds keys and values", whole_file(path), "start with  game: ...  and  title: ...")
            raise CampaignUnreadable(self.found)
        game = top.get(Word("game"))
        if not isinstance(game, Word) or not game:
            self._say("T23", "'game' is missing: which game is played", place_of(top, path), f"write  game:  and one of {known}")
            raise CampaignUnreadable(self.found)
        name = game.strip().casefold().replace(" ", "-").replace("_", "-")
        if name not in self.rulebooks:
            hint = did_you_mean(game, list(self.rulebooks))
            self._say("T29", f"no game '{game}'{hint}", place_of(game, path), f"games: {known}")
            raise CampaignUnreadable(self.found)
        return self.rulebooks[name]

    # -- sessions ----------------------------------------------------------------------------------

    def _sessions(self, rulebook: Rulebook[Any]) -> list[Session]:
        sessions: list[Session] = []
        places: dict[int, Place] = {}
        for file in sorted(self.folder.iterdir(), key=lambda f: f.name):
            if file.suffix == ".yml" and file.is_file():
                self._say("T34", "only files named .yaml are read", whole_file(_shown(file)), f"rename it to {file.stem}.yaml")
            if file.suffix != ".yaml" or file.name == "campaign.yaml" or not file.is_file():
                continue
            session = self._session(file, rulebook)
            if session is None:
                continue
            word = session.header.value_of("session")
            place = place_of(word, session.path)
            if session.number in places:
                self._say("T35", f"two files are session {session.number}", place, "number the sessions in the order they were played", (Fact("the other one", places[session.number]),))
            places.setdefault(session.number, place)
            sessions.append(session)
        sessions.sort(key=lambda s: (s.number, s.path))
        if sessions:
            sessions[0].actions[:0] = self._characters(rulebook, sessions[0])
        return sessions

    def _session(self, file: Path, rulebook: Rulebook[Any]) -> Session | None:
        top = self._tree(file)
        path = _shown(file)
        if top is None:
            return None
        if not isinstance(top, Entries):
            self._say("T36", "this is no session: it has no header and no log", whole_file(path), "start with  session: 1  and  log:")
            return None
        log = top.get(Word("log"))
        head = Entries((key, value) for key, value in top.items() if key != "log")
        head.line, head.column, head.end_line, head.end_column = top.line, top.column, top.line, top.column
        if log is None:
            self._say("T36", "this file has no 'log', so it is no session", place_of(next(iter(top), top), path), "write  log:  and the entries below it, or move the file elsewhere")
            return None
        header = read_part(Header, head, path, self.found)
        if header is None:
            return None
        actions: list[Action] = []
        if isinstance(log, Items):
            actions = Decoder(rulebook, path, header.session, self.found).entries(log)
        elif not (isinstance(log, Word) and not log):
            self._say("T37", "the log is a list of entries", place_of(log, path), "start each entry with '- '")
        return Session(header, actions, path)

    def _characters(self, rulebook: Rulebook[Any], first: Session) -> list[Action]:
        actions: list[Action] = []
        folder = self.folder / "characters"
        if not folder.is_dir():
            return actions
        for file in sorted(folder.glob("*.yaml")):
            top = self._tree(file)
            decoder = Decoder(rulebook, _shown(file), first.number, self.found)
            if isinstance(top, Items):
                actions.extend(decoder.entries(top))
            elif isinstance(top, Entries):
                made = decoder.entry(top)
                if made is not None:
                    actions.append(made)
            elif top is not None:
                self._say("T37", "a character file holds entries", place_of(top, _shown(file)), "start with  - character: ...")
        return actions

    # -- journal, notes, art -----------------------------------------------------------------------

    def _pages(self, name: str) -> list[tuple[Path, PageHead, str]]:
        folder = self.folder / name
        pages: list[tuple[Path, PageHead, str]] = []
        if not folder.is_dir() or not self._inside(folder):
            return pages
        for file in sorted(folder.glob("*.md")):
            data = self._bytes(file, MOST_PAGE)
            if data is None:
                continue
            text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
            head, body = PageHead(), text
            if text.startswith("---\n") and "\n---" in text[4:]:
                front, _, rest = text[4:].partition("\n---")
                body = rest.partition("\n")[2]
                tree = read(b"\n" + front.encode("utf-8"), _shown(file))
                self.found.extend(tree.diagnostics)
                if tree.top is not None:
                    head = read_part(PageHead, tree.top, _shown(file), self.found) or PageHead()
            pages.append((file, head, body.strip()))
        return pages

    def _art(self) -> list[Artwork]:
        folder = self.folder / "art"
        art: list[Artwork] = []
        if not folder.is_dir() or not self._inside(folder):
            return art
        for file in sorted(folder.iterdir()):
            if file.suffix.casefold() not in PICTURES or self._bytes(file, MOST_PICTURE) is None:
                continue
            caption_file = file.with_suffix(".yaml")
            if not caption_file.is_file():
                self._say("T38", "this picture has no caption file, so it is not shown", whole_file(_shown(file)), f"write {caption_file.name} beside it, with title: and alt:")
                continue
            top = self._tree(caption_file)
            caption = read_part(Caption, top, _shown(caption_file), self.found) if top is not None else None
            if caption is not None:
                art.append(
                    Artwork(
                        PurePosixPath(file.relative_to(self.folder).as_posix()),
                        str(caption.title),
                        str(caption.alt),
                        str(caption.artist or ""),
                        str(caption.licence or ""),
                        tuple(map(str, caption.about)),
                        caption.session,
                        _shown(file),
                    )
                )
        return art

