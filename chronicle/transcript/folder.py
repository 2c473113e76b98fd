"""A campaign folder on disk, read into a :class:`Campaign`. Nothing outside the folder is opened."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any, Final

from chronicle.core.campaign import (
    FORMAT,
    Artwork,
    Campaign,
    Header,
    JournalEntry,
    KeeperNote,
    Session,
    Settings,
)
from chronicle.core.declare import LONG_DASHES, NAME, NAMES, TEXT, Action, Part, option, whole
from chronicle.core.diagnostic import (
    Diagnostic,
    Fact,
    Finding,
    ask_whether,
    nearest_words,
    severity_of,
)
from chronicle.core.figures import is_figure
from chronicle.core.files import EDITING
from chronicle.core.fix import ReplaceText, make_fix, replace_with
from chronicle.core.game import GameUnavailable
from chronicle.core.intake import MOST_BYTES, lies_at, read_file
from chronicle.core.names import fold
from chronicle.core.pinned import pinned_with
from chronicle.core.refused import Refused
from chronicle.core.rulebook import Rulebook
from chronicle.core.source import Entries, Items, Place, Value, Word, place_of, same, whole_file
from chronicle.transcript.decode import Decoder, read_part
from chronicle.transcript.kept import Kept
from chronicle.transcript.problems import Problems, problem
from chronicle.transcript.reader import Parsed, read_bytes, read_text
from chronicle.transcript.strays import stray_sessions
from chronicle.transcript.traps import dash_missing

SETTINGS_FILE: Final = "campaign.yaml"
SITE_SETTINGS: Final = ("mkdocs.yml", "mkdocs.yaml")
PICTURES: Final = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif", ".svg"))
MOST_PLAYERS: Final = 100
"""How many sit at a table at most."""
SOON: Final = 92
"""How many days after one another two evenings lie where a day was evidently written wrong."""
MOST_FILES: Final = 5_000
"""How many files of one kind a campaign may have."""
MOST_PAGE_BYTES: Final = 1024 * 1024
"""The largest journal entry or note."""


class JournalHead(Part):
    """The head of a journal entry."""

    title = option(TEXT, "the title")
    author = option(NAME, "who wrote it")
    voice = option(NAME, "the character who speaks")
    session = option(whole(0), "after which session it was written")
    about = option(
        NAMES, "whom or what it is about: names, titles of scenes, ids of entries", default=()
    )
    date = option(TEXT, "when it was written")


class _NoteFront(Part):
    """The head of a keeper's note."""

    title = option(TEXT, "the title")
    about = option(NAMES, "whom or what it is about", default=())
    session = option(whole(0), "after which session it was written")


class Caption(Part):
    """What stands in ``art/NAME.yaml`` beside a picture."""

    title = option(TEXT, "the title")
    alt = option(TEXT, "what the picture shows, for those who cannot see it")
    artist = option(TEXT, "who made it")
    licence = option(TEXT, "under which licence it may be shown")
    about = option(
        NAMES, "whom or what it shows: names, titles of scenes, ids of entries", default=()
    )
    session = option(whole(0), "the session it belongs to")


class CampaignUnreadable(Refused):
    """A folder that is no campaign at all; ``diagnostics`` say why."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("; ".join(one.message for one in diagnostics))
        self.diagnostics = diagnostics


def sessions_of(project: Path) -> Path | None:
    """The folder in which the site of a project looks for campaigns; None for any other folder.

    A project has a ``mkdocs.yml`` that names the plugin ``chronicle``. Whether that file counts where
    it stands is for :func:`project_around` to say.
    """
    file = _site_settings(project)
    for _ in range(5):  # as deep as settings may inherit from others
        if file is None:
            return None
        try:
            tree = read_bytes(read_file(file), file.name).tree
        except OSError:
            return None
        if not isinstance(tree, Entries):
            return None
        plugins = tree.get(Word("plugins"))
        if plugins is not None:
            break
        parent = tree.get(Word("INHERIT"))
        file = file.parent / str(parent) if isinstance(parent, Word) and parent else None
    else:
        return None
    for plugin in plugins if isinstance(plugins, Items) else [plugins]:
        if plugin == "chronicle":
            return project / "sessions"
        if isinstance(plugin, Entries) and "chronicle" in plugin:
            options = plugin[Word("chronicle")]
            sessions = options.get(Word("sessions")) if isinstance(options, Entries) else None
            return project / (str(sessions) if isinstance(sessions, Word) else "sessions")
    return None


def _site_settings(folder: Path) -> Path | None:
    """The ``mkdocs.yml`` in a folder."""
    files = (folder / name for name in SITE_SETTINGS)
    return next((file for file in files if os.path.isfile(file)), None)  # noqa: PTH113 - no raising


def site_settings_around(path: Path, *, ours: bool = False) -> Path | None:
    """The nearest ``mkdocs.yml`` at or above a path that counts; with ``ours``, that names Chronicle.

    ``mkdocs.yml``, ``templates/`` and hooks are code, and those who write campaigns are not asked for
    code. So the file does not count below a campaign folder, nor among the campaigns of a project:
    whoever stands there means the project around it.
    """
    path = Path(path)
    found: Path | None = None
    campaigns: Path | None = None
    for folder in reversed((path, *path.resolve().parents)):
        file = _site_settings(folder)
        if file is not None and (
            campaigns is None or not folder.resolve().is_relative_to(campaigns)
        ):
            sessions = sessions_of(folder)
            if sessions is not None:
                campaigns = sessions.resolve()
            if sessions is not None or not ours:
                found = file
        if os.path.isfile(folder / SETTINGS_FILE):  # noqa: PTH113 - no raising
            break
    return found


def project_around(path: Path) -> tuple[Path, Path] | None:
    """The project at or above a path, and its folder of campaigns; None if there is none."""
    file = site_settings_around(path, ours=True)
    sessions = sessions_of(file.parent) if file is not None else None
    return (file.parent, sessions) if file is not None and sessions is not None else None


NEAR: Final = 1_000
"""How many folders are looked into for campaigns that nobody has named."""


def find_campaigns(path: Path, *, most: int | None = None) -> list[Path]:
    """The folders with a ``campaign.yaml`` at or below a path, in order (or the one around it, if the
    path lies inside a campaign). Hidden folders and links are skipped.

    Of a project only the folder counts that its site is built from. Where there is nothing at or
    below a path inside a project, the project's campaigns are meant.
    """
    path = Path(path)
    if path.is_file():
        path = path.parent
    for folder in (path, *path.resolve().parents):
        if (folder / SETTINGS_FILE).is_file():
            return [folder]
    around = project_around(path)
    if around is None:
        return _campaigns_below(path, None, most)
    project, sessions = around
    found = [] if project == path else _campaigns_below(path, project, most)
    if not found and path.is_dir():
        found = _campaigns_below(sessions, project, most)
    return found


def _campaigns_below(path: Path, project: Path | None, most: int | None) -> list[Path]:
    """The campaigns in a folder, of which ``most`` folders are looked into, the nearest first. In a
    ``project`` no other project counts; elsewhere one that is found leads to its own campaigns, and never
    out of its folder: nobody chose to stand in it."""
    found: list[Path] = []
    waiting = deque([(path, project is not None)])
    root = project.resolve() if project is not None else None
    seen = 0
    while waiting and (most is None or seen < most):
        folder, inside = waiting.popleft()
        seen += 1
        if folder != path and folder.resolve() == root:
            continue
        try:
            campaign = (folder / SETTINGS_FILE).is_file()
            sessions = None if inside else sessions_of(folder)
            if sessions is not None:
                inside = True
                if sessions != folder and sessions.resolve().is_relative_to(folder.resolve()):
                    waiting.append((sessions, inside))
                    continue
            if campaign:
                found.append(folder)
            waiting.extend(
                (one, inside or campaign)
                for one in folder.iterdir()
                if one.is_dir()
                and not one.is_symlink()
                and one.name[:1] not in "._"
                and one.name not in ("node_modules", "site")
            )
        except (OSError, RuntimeError):
            continue
    return sorted(found)


def read_campaign(
    folder: Path,
    rulebooks: Mapping[str, Rulebook[Any]],
    *,
    root: Path | None = None,
    kept: Kept | None = None,
) -> Campaign:
    """Read a campaign folder.

    ``rulebooks`` maps the name of a game to its rulebook; only the one that is played is asked for.
    Paths in diagnostics are relative to ``root`` (the current folder, by default). What could not be
    read is in ``diagnostics`` of the campaign. ``kept`` says what files hold that are not to be looked
    for on the disk, and keeps what was read, for the next time.

    Raises:
        CampaignUnreadable: when not even the game can be made out.
    """
    return _Folder(Path(folder), rulebooks, root or Path.cwd(), kept or Kept()).read()


def read_session(
    file: Path, rulebooks: Mapping[str, Rulebook[Any]], rules: Rulebook[Any], root: Path
) -> tuple[Session | None, list[Diagnostic]]:
    """A session file that lies outside of its campaign, and what is wrong with it; None if it is no
    session at all."""
    reader = _Folder(file.parent, rulebooks, root, Kept())
    session = reader.session(file, Decoder(rules.by_verb, _Others(rulebooks, rules)))
    return session, reader.found


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
    decoder = Decoder(rules.by_verb, _Others(rulebooks, rules))
    actions = decoder.entries(items, "", session, found, parsed.problems)
    for one in found:
        one.severity = severity_of(one.finding, campaign.strictness)
    return actions, found


class _Folder:
    def __init__(
        self,
        folder: Path,
        rulebooks: Mapping[str, Rulebook[Any]],
        root: Path,
        kept: Kept,
    ) -> None:
        if os.path.lexists(folder / EDITING):
            from chronicle.core.edits import unfinished

            kept = Kept({**unfinished(folder), **kept.texts})
        self.kept = kept
        self.playing = ""
        """The name of the game, once it is known."""
        self.folder = folder
        self.home = folder.resolve()
        self.rulebooks = rulebooks
        self.root = root.resolve()
        self._shown: dict[Path, str] = {}
        self.found = Problems()

    # --- files --------------------------------------------------------------------------------

    def shown(self, file: Path) -> str:
        """The path of a file as diagnostics show it."""
        known = self._shown.get(file)
        if known is None:
            absolute = self.home / file.relative_to(self.folder)
            rooted = absolute.is_relative_to(self.root)
            known = (absolute.relative_to(self.root) if rooted else absolute).as_posix()
            self._shown[file] = known
        return known

    def leaves(self, file: Path, what: str) -> bool:
        """Whether a link leads out of the campaign; told, if it does (T44)."""
        if lies_at(file).is_relative_to(self.home):
            return False
        where = whole_file(self.shown(file))
        # The folder of pictures is looked into twice: for captions, then for the pictures.
        if not any(one.code == "T44" and one.place == where for one in self.found):
            told = "this link leaves the campaign folder, and is not followed"
            self.found.tell("T44", told, where, f"copy the {what} into the folder")
        return True

    def bytes_of(self, file: Path, most: int) -> bytes | None:
        """What a file holds; None (and a diagnostic) if it may not or cannot be read."""
        held = self.kept.held(file)
        if held is not None and self.kept.real(file).is_relative_to(self.home):
            return held
        path = self.shown(file)
        try:
            if self.leaves(file, "file"):
                return None
            if not file.is_file():
                self.found.tell("T47", "this is no ordinary file", whole_file(path))
                return None
            with file.open("rb") as stream:
                data = stream.read(most + 1)
        except (OSError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or "it links to itself"
            self.found.tell("T47", f"this file cannot be read: {reason}", whole_file(path))
            return None
        self.kept.hold(file, data)
        return data

    def tree_of(self, file: Path) -> Parsed:
        """A YAML file, its problems kept."""
        data = self.bytes_of(file, MOST_BYTES)
        return Parsed(None, [], "") if data is None else self.parsed(file, data)

    def parsed(self, file: Path, data: bytes) -> Parsed:
        """The bytes of a YAML file as a tree, its problems kept."""
        parsed = read_bytes(data, self.shown(file), self.kept.entry_cache(file))
        self.found.extend(parsed.problems)
        return parsed

    def files(self, folder: Path, *endings: str) -> list[Path]:
        """The files of a folder with one of these endings, by name."""
        known = self.kept.listing(folder)
        if known is None:
            if not folder.is_dir():
                self.kept.fill(folder, [])
            elif self.leaves(folder, "files"):
                return []
            else:
                try:
                    self.kept.fill(folder, [one for one in folder.iterdir() if not one.is_dir()])
                except OSError:
                    return []
            known = self.kept.listing(folder) or []
        names = sorted(
            one
            for one in known
            if one.suffix.casefold() in endings and not one.name.startswith(".")
        )
        if len(names) > MOST_FILES:
            self.found.tell(
                "T47",
                f"more than {MOST_FILES} files; the rest is not read",
                whole_file(self.shown(folder)),
            )
        return names[:MOST_FILES]

    def _settings_again(self, file: Path) -> bool:
        """Whether a file is ``campaign.yaml``, in whatever letters a disk has it that tells no letter
        case apart."""
        if file.name == SETTINGS_FILE:
            return True
        try:
            return file.name.casefold() == SETTINGS_FILE and file.samefile(
                self.folder / SETTINGS_FILE
            )
        except OSError:
            return False

    # --- the whole ----------------------------------------------------------------------------

    def read(self) -> Campaign:
        """The campaign, as far as it can be read."""
        path = self.shown(self.folder / SETTINGS_FILE)
        rules, tree = self.game(path)
        self.playing = rules.name
        settings = self.settings(rules.settings, tree, path)
        decoder = Decoder(rules.by_verb, _Others(self.rulebooks, rules))
        sessions = self.sessions(decoder)
        self.characters(decoder, sessions)
        campaign = Campaign(
            folder=self.shown(self.folder),
            slug=slug_of(self.home.name),
            game=rules.name,
            settings=settings,
            sessions=sessions,
            path=path,
            journal=self.journal(),
            art=self.art(),
            notes=self.notes(),
            pinned=pinned_with(self.folder),
        )
        for one in self.found:
            one.severity = severity_of(one.finding, campaign.strictness)
        campaign.diagnostics = [one for one in self.found if one.severity]
        return campaign

    def game(self, path: str) -> tuple[Rulebook[Any], Entries]:
        """The rulebook of the game that is played, and the tree of ``campaign.yaml``."""
        file = self.folder / SETTINGS_FILE
        if self.kept.gone(file) or (self.kept.held(file) is None and not file.is_file()):
            self.found.tell(
                "T40",
                f"there is no {SETTINGS_FILE} in this folder",
                whole_file(path),
                "chronicle new  makes one",
            )
            raise CampaignUnreadable(self.found)
        tree = self.tree_of(file).tree
        if isinstance(tree, Entries):
            self.version(tree, path)
        if not isinstance(tree, Entries):
            for one in self.found:
                if one.code == "T3":
                    one.free_help = ("settings start with  game:  title:  players:",)
            if tree is not None:
                self.found.tell(
                    "T40",
                    "the campaign's settings are 'key: value' lines",
                    place_of(tree, path),
                    "start with  game:  title:  players:",
                )
            raise CampaignUnreadable(self.found)
        game = tree.get(Word("game"))
        if not isinstance(game, Word) or not game:
            start = Place(path, tree.line, tree.column, tree.line, tree.column + 1)
            session = "log" in tree
            self.found.tell(
                "T40",
                "this is a session, and campaign.yaml holds the campaign's settings"
                if session
                else "'game' is missing: which game is played",
                start,
                f"write  game:  and one of {', '.join(self.rulebooks)}",
                "a session goes into a file of its own: 01.yaml" if session else "",
            )
            raise CampaignUnreadable(self.found)
        wanted = game.strip().casefold().replace(" ", "-").replace("_", "-")
        if wanted not in self.rulebooks:
            names = list(self.rulebooks)
            near = nearest_words(game, names)
            self.found.tell(
                "T40",
                f"no game '{game}'{ask_whether(game, near)}",
                place_of(game, path),
                f"games: {', '.join(names)}",
                fixes=replace_with(near, is_told=True),
            )
            raise CampaignUnreadable(self.found)
        try:
            return self.rulebooks[wanted], tree
        except GameUnavailable as error:
            self.found.tell("T40", str(error), place_of(game, path), *error.help)
            raise CampaignUnreadable(self.found) from None

    def version(self, tree: Entries, path: str) -> None:
        """Nothing is read of what is written for a newer Chronicle."""
        said = tree.get(Word("format"))
        if not isinstance(said, Word) or not is_figure(said.strip()) or int(said) <= FORMAT:
            return
        newer = problem(
            "T87",
            f"this campaign is written in version {said} of the format, and this Chronicle knows "
            f"version {FORMAT}",
            place_of(said, path),
            "get a newer Chronicle; nothing of the campaign was read",
        )
        raise CampaignUnreadable([newer])

    def settings(self, kind: type[Settings], tree: Entries, path: str) -> Settings:
        """``campaign.yaml`` as the game reads it."""
        settings = read_part(kind, tree, path, self.found)
        if settings is None:
            raise CampaignUnreadable(self.found)
        if not settings.players:
            self.found.tell(
                "T23",
                "nobody plays: 'players' names no one",
                place_of(settings.value_of("players"), path),
                "write who sits at the table, in order, as in  players: [Ana, Bo, Cy]",
            )
            raise CampaignUnreadable(self.found)
        if len(settings.players) > MOST_PLAYERS:
            self.found.tell(
                "T5",
                f"more than {MOST_PLAYERS} players are too many for one table",
                place_of(settings.value_of("players"), path),
                "name those who sit at this table; another table is a campaign of its own",
            )
            raise CampaignUnreadable(self.found)
        seen: dict[str, Word] = {}
        for player in settings.players:
            first = seen.setdefault(fold(player), player)
            if first is not player:
                self.found.tell(
                    "T26",
                    f"'{player}' sits at the table twice",
                    place_of(player, path),
                    "give them different names, Ana and Ana B.",
                    facts=(Fact("first here", place_of(first, path)),),
                )
        return settings

    def sessions(self, decoder: Decoder) -> list[Session]:
        """All session files, in order of their numbers."""
        made: list[Session] = []
        for file in self.files(self.folder, ".yml"):
            if file.name in SITE_SETTINGS:
                self.site_settings(file)
                continue
            self.found.tell(
                "T43",
                "files ending in .yml are not read",
                whole_file(self.shown(file)),
                f"rename it to {file.stem}.yaml",
                finding=Finding.UNREADABLE,
            )
        for file in self.files(self.folder, ".yaml"):
            if self._settings_again(file):
                continue
            if file.name in SITE_SETTINGS:
                self.site_settings(file)
                continue
            session = self.session(file, decoder)
            if session is not None:
                made.append(session)
        made.sort(key=lambda one: one.number)
        self.strays()
        self.in_order(made)
        for before, after in pairwise(made):
            if before.number == after.number:
                place = _place_of_key(after, "session")
                self.found.tell(
                    "T42",
                    f"there are two sessions {after.number}: {before.path} and {after.path}",
                    place,
                    "give each session a number of its own",
                    facts=(Fact("the other one", _place_of_key(before, "session")),),
                )
        return made

    def site_settings(self, file: Path) -> None:
        """Say that a ``mkdocs.yml`` in a campaign folder does nothing, where it does nothing."""
        counts = site_settings_around(file.parent)
        if counts is None or counts.resolve() != file.resolve():
            self.found.tell(
                "T44",
                "settings of a site count only at the root of a project, and not in a campaign",
                whole_file(self.shown(file)),
                "take it out of the campaign folder",
                finding=Finding.SUSPICIOUS,
            )

    def session(self, file: Path, decoder: Decoder) -> Session | None:
        """One session file; None if it is none."""
        data = self.bytes_of(file, MOST_BYTES)
        if data is None:
            return None
        read = partial(self._again, file, data, decoder)
        return self.kept.once("session", file, data, self.playing, self.found, read)

    def _again(self, file: Path, data: bytes, decoder: Decoder) -> Session | None:
        """A session file that may have been read before: entries that are the same at its beginning stay the
        same objects, so that a snapshot below them still holds."""
        before, found = self.kept.made("session", file), self.kept.found("session", file)
        first = len(self.found)
        session = self._session(file, data, decoder)
        if isinstance(before, Session) and session is not None:
            _share(before, session)
            known = {(one.place, one.told): one for one in found if _is_lost(one)}
            self.found[first:] = [
                known.get((one.place, one.told), one) if _is_lost(one) else one
                for one in self.found[first:]
            ]
        return session

    def _session(self, file: Path, data: bytes, decoder: Decoder) -> Session | None:
        path = self.shown(file)
        parsed = self.parsed(file, data)
        tree = parsed.tree
        if tree is None:
            return None
        log = tree.get(Word("log")) if isinstance(tree, Entries) else None
        if not isinstance(tree, Entries) or log is None:
            if not parsed.problems:
                self.found.append(_no_session(tree, path))
            return None
        head = Entries((key, value) for key, value in tree.items() if key != "log")
        head.line, head.column = tree.line, tree.column
        # Where the log ends is no matter of the head's.
        last: Value = next(reversed(head.values()), tree)
        head.end_line, head.end_column = last.end_line, last.end_column
        for key in list(head):
            if key not in Header.fields and key.lstrip(LONG_DASHES).strip() in decoder.verbs:
                self.found.append(dash_missing(path, key))
                del head[key]
        before = len(self.found)
        header = read_part(Header, head, path, self.found)
        if header is None:
            header = Header()
            header.source = head
            header.session = _number_in(file.stem)
            if not any(one.code in ("T23", "T20") for one in self.found[before:]):
                return None
        elif header.date is not None:
            self.day(header, path)
        actions: list[Action] = []
        if isinstance(log, Items):
            actions = decoder.entries(log, path, header.session, self.found, parsed.problems)
        elif not (isinstance(log, Word) and not log):
            self.found.tell(
                "T41",
                "'log' is a list of entries",
                place_of(log, path),
                "start each entry with '- ' on a line of its own",
            )
        return Session(header, actions, path)

    def day(self, header: Header, path: str) -> None:
        """Doubt a date that looks like year, month and day and is no day of any calendar."""
        said = re.fullmatch(r"\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*", str(header.date))
        if said is None:
            self.other_day(header, path)
        elif not _is_day("{:04}-{:02}-{:02}".format(*map(int, said.groups()))):
            self.found.tell(
                "T20",
                f"there is no such day: {str(header.date).strip()}",
                place_of(header.value_of("date"), path),
                "write the day of play as year-month-day, as in  date: 2026-02-28",
                finding=Finding.SUSPICIOUS,
            )

    def other_day(self, header: Header, path: str) -> None:
        """Name a day that is written in another order, or with dashes for hyphens."""
        text = str(header.date).strip()
        numbers = re.fullmatch(r"(\d{1,4})([./\u2013\u2014-])\s*(\d{1,2})\2\s*(\d{1,4})", text)
        if numbers is None:
            return
        parts = [int(numbers[group]) for group in (1, 3, 4)]
        one, month, last = parts
        day = f"{one:04}-{month:02}-{last:02}" if one > 31 else f"{last:04}-{month:02}-{one:02}"
        other = f"{last:04}-{one:02}-{month:02}"
        slashes = numbers[2] == "/" and max(one, month) < 13
        self.found.tell(
            "T20",
            f"a day is written as year-month-day, not as {text}",
            place_of(header.value_of("date"), path),
            fixes=replace_with([day, *([other] if slashes and one <= 31 and last > 31 else [])]),
            finding=Finding.SUSPICIOUS,
        )

    def in_order(self, made: list[Session]) -> None:
        """Say once if days, or the numbers in the names of files, run against the numbers inside."""
        for number, (before, after) in enumerate(pairwise(made)):
            days = [_iso(str(one.header.date or "")) for one in (before, after)]
            named = [re.fullmatch(r"\D*(\d+)\D*", Path(one.path).stem) for one in (before, after)]
            back = bool(days[0] and days[1]) and days[1] < days[0]
            swapped = all(named) and int(named[1][1]) < int(named[0][1])  # type: ignore[index]
            if before.number == after.number or not (back or swapped):
                continue
            first, second = Path(before.path).name, Path(after.path).name
            said = (
                f"session {after.number} was played on {days[1]}, before session {before.number} "
                f"on {days[0]}"
                if back
                else f"{first} is session {before.number} and {second} is session {after.number}"
            )
            below = (_iso(str(one.header.date or "")) for one in made[number + 2 :])
            meant = _days_meant(days[1], days[0], next(filter(None, below), "")) if back else []
            slip = f"; did you mean {' or '.join(map(repr, meant))}?" if meant else ""
            self.found.tell(
                "T42",
                f"{said}; the number inside counts{slip}",
                _place_of_key(after, "date" if back else "session"),
                "put the numbers behind 'session:' in the order of play",
                fixes=replace_with(meant, is_told=True),
                facts=tuple(
                    Fact(f"session {one.number}", _place_of_key(one, "session"))
                    for one in (before, after)
                ),
                finding=Finding.SUSPICIOUS,
            )
            return

    def strays(self) -> None:
        """Name sessions that lie where nobody looks: in a folder below, or under another ending."""
        for file in stray_sessions(self.folder):
            inside = file.parent == self.folder
            self.found.tell(
                "T43",
                f"files ending in {file.suffix} are not read"
                if inside
                else f"sessions in a folder of their own, {file.parent.name}/, are not read",
                whole_file(self.shown(file)),
                f"rename it to {file.stem}.yaml"
                if inside
                else "put it beside campaign.yaml, if it is one of this campaign",
                finding=Finding.UNREADABLE if inside else Finding.SUSPICIOUS,
            )

    def characters(self, decoder: Decoder, sessions: list[Session]) -> None:
        """``characters/*.yaml``: entries read as if they stood at the top of the first session."""
        given: list[Action] = []
        number = sessions[0].number if sessions else 1
        for file in self.files(self.folder / "characters", ".yaml"):
            data = self.bytes_of(file, MOST_BYTES)
            if data is None:
                continue
            read = partial(self._character, file, data, decoder, number)
            given += self.kept.once(
                "character", file, data, (self.playing, number), self.found, read
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

    def _character(self, file: Path, data: bytes, decoder: Decoder, number: int) -> list[Action]:
        parsed = self.parsed(file, data)
        tree = parsed.tree
        path = self.shown(file)
        if isinstance(tree, Entries):
            log = tree.get(Word("log"))
            entries = log if isinstance(log, Items) else Items([tree])
        elif isinstance(tree, Items):
            entries = tree
        else:
            if tree is not None:
                self.found.tell(
                    "T41",
                    "a character file holds one entry or a list of entries",
                    place_of(tree, path),
                )
            return []
        return decoder.entries(entries, path, number, self.found, parsed.problems)

    # --- Markdown and pictures ----------------------------------------------------------------

    def pages(self, folder: str, front: type[Any]) -> Iterator[tuple[Path, Any, str]]:
        """Markdown files with their front matter read: (file, front, body)."""
        for file in self.files(self.folder / folder, ".md"):
            data = self.bytes_of(file, MOST_PAGE_BYTES)
            if data is None:
                continue
            read = partial(self._page, self.shown(file), data, front)
            page = self.kept.once("page", file, data, front, self.found, read)
            if page is not None:
                yield file, *page

    def _page(self, path: str, data: bytes, front: type[Any]) -> tuple[Any, str] | None:
        if len(data) > MOST_PAGE_BYTES:
            self.found.tell("T47", "this text is larger than 1 MB", whole_file(path))
            return None
        try:
            text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self.found.tell(
                "T1",
                "this file is not UTF-8",
                Place(path, line, 1, line, 2),
                "save the file as UTF-8",
            )
            return None
        head, body = self.front_matter(text, path)
        made = read_part(front, head, path, self.found)
        return made if made is not None else front(), body

    def front_matter(self, text: str, path: str) -> tuple[Entries, str]:
        """The YAML between two lines ``---`` at the top, and what follows it."""
        none = Entries()
        none.line = none.column = none.end_line = none.end_column = 1
        match = re.match(r"---[ \t]*\n", text)
        if match is None:
            return none, text
        end = re.compile(r"^---[ \t]*$\n?", re.MULTILINE).search(text, match.end())
        if end is None:
            self.found.tell(
                "T45",
                "the head opened with --- is never closed",
                Place(path, 1, 1, 1, 4),
                "write  ---  below the last line of the head",
            )
            return none, text
        # A blank first line keeps the numbers of the lines.
        parsed = read_text("\n" + text[match.end() : end.start()], path)
        self.found.extend(one for one in parsed.problems if one.code != "T3")
        if isinstance(parsed.tree, Entries):
            return parsed.tree, text[end.end() :].lstrip("\n")
        if parsed.tree is not None:
            self.found.tell(
                "T45",
                "the head of a text is made of 'key: value' lines",
                place_of(parsed.tree, path),
            )
        return none, text[end.end() :].lstrip("\n")

    def journal(self) -> list[JournalEntry]:
        """``journal/*.md``."""
        pages = [*self.pages("journal", JournalHead)]
        made = [
            JournalEntry(
                slug=slug,
                title=str(front.title or "") or _title_in(body) or file.stem.replace("-", " "),
                body=body,
                author=str(front.author or ""),
                voice=str(front.voice or ""),
                session=front.session,
                about=tuple(str(name) for name in front.about),
                date=str(front.date or ""),
                path=self.shown(file),
            )
            for (file, front, body), slug in zip(pages, _slugs(pages), strict=True)
        ]
        return sorted(made, key=lambda e: (e.session is None, e.session or 0, e.date, e.slug))

    def notes(self) -> list[KeeperNote]:
        """``notes/*.md``."""
        pages = [*self.pages("notes", _NoteFront)]
        return [
            KeeperNote(
                slug=slug,
                title=str(front.title or "") or _title_in(body) or file.stem.replace("-", " "),
                body=body,
                about=tuple(str(name) for name in front.about),
                session=front.session,
                path=self.shown(file),
            )
            for (file, front, body), slug in zip(pages, _slugs(pages), strict=True)
        ]

    def art(self) -> list[Artwork]:
        """``art/*`` with captions."""
        made: list[Artwork] = []
        folder = self.folder / "art"
        captions = {file.stem: file for file in self.files(folder, ".yaml")}
        # A picture and its caption that came by way of different systems spell their name differently.
        alike = {fold(stem): file for stem, file in captions.items()}
        used: set[str] = set()
        for file in self.files(folder, *PICTURES):
            path = self.shown(file)
            if self.leaves(file, "picture"):
                continue
            self.picture(file)
            front: Any = Caption()
            caption = (
                captions.get(file.stem)
                or captions.get(file.name)
                or alike.get(fold(file.stem))
                or alike.get(fold(file.name))
            )
            if caption is None:
                self.found.tell(
                    "T46",
                    "this picture has no caption file",
                    whole_file(path),
                    f"write  art/{file.stem}.yaml  with  title:  and  alt:",
                    finding=Finding.SUSPICIOUS,
                )
            else:
                used.add(caption.stem)
                tree = self.tree_of(caption).tree
                if isinstance(tree, Entries):
                    front = read_part(Caption, tree, self.shown(caption), self.found) or front
                elif tree is not None:
                    self.found.tell(
                        "T46",
                        "a caption is made of 'key: value' lines",
                        place_of(tree, self.shown(caption)),
                    )
            made.append(
                Artwork(
                    file=PurePosixPath("art", file.name),
                    title=str(front.title or "") or file.stem.replace("-", " "),
                    alt=str(front.alt or ""),
                    artist=str(front.artist or ""),
                    licence=str(front.licence or ""),
                    about=tuple(str(name) for name in front.about),
                    session=front.session,
                    path=path,
                )
            )
        for stem, file in captions.items():
            if stem not in used:
                self.found.tell(
                    "T46",
                    "there is no picture for this caption",
                    whole_file(self.shown(file)),
                    f"it belongs to art/{stem}.png, .jpg, .webp ...",
                    finding=Finding.SUSPICIOUS,
                )
        return sorted(made, key=lambda a: (a.session is None, a.session or 0, str(a.file)))

    def picture(self, file: Path) -> None:
        """Say of a picture that the site will not show it, or will not show all of it."""
        from chronicle.core import pictures
        from chronicle.core.drawings import MOST, drawing

        ending = file.suffix.casefold()
        whole = {".svg": MOST, ".avif": pictures.MOST}.get(ending)
        data = self.bytes_of(file, whole or pictures.ENOUGH)
        if data is None:
            return
        path = whole_file(self.shown(file))
        try:
            if ending == ".svg":
                lost = drawing(data).lost
                if lost:
                    message = f"what may do harm is left out of this drawing: {', '.join(lost[:6])}"
                    self.found.tell("T48", message, path, finding=Finding.SUSPICIOUS)
            elif whole:
                pictures.publishable(ending, data)
            else:
                pictures.expect(ending, data)
                if file.stat().st_size > pictures.MOST:
                    pictures.publishable(ending, bytes(pictures.MOST + 1))
        except pictures.Refused as refused:
            message = f"{refused}; it is not published"
            # The log is whole without it: a word too loud would keep everything else offline.
            self.found.tell("T48", message, path, refused.help, finding=Finding.BOOKKEEPING)
        except OSError:
            return  # it went away meanwhile


def _share(before: Session, session: Session) -> None:
    """Let a session that was read again have the same entries as before, down to the first that differs."""
    if before.number != session.number:
        return
    for at, (old, new) in enumerate(zip(before.actions, session.actions, strict=False)):
        if not _same_entry(old, new):
            break
        session.actions[at] = old


def _is_lost(found: Diagnostic) -> bool:
    """Whether a diagnostic is about an entry that was left out, and stands for itself."""
    return bool(found.dropped) and found.cause is None and not found.dependents


def _same_entry(one: Action, other: Action) -> bool:
    doubtful = one.problem is not None or other.problem is not None
    return not doubtful and type(one) is type(other) and same(one.source, other.source)


class _Others(Mapping[str, str]):
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


def slug_of(name: str) -> str:
    """A name as part of an address: letters and digits of any script, joined by hyphens."""
    folded = unicodedata.normalize("NFC", name).casefold()
    return re.sub(r"[^\w]+", "-", folded.replace("_", "-")).strip("-") or "campaign"


def _slugs(pages: Iterable[tuple[Path, Any, str]]) -> list[str]:
    """The slug of each text, by the name of its file: another one where an earlier text has it."""
    made: dict[str, None] = {}
    for file, _, _ in pages:
        stem = slug = slug_of(file.stem)
        count = 1
        while slug in made:
            count += 1
            slug = f"{stem}-{count}"
        made[slug] = None
    return [*made]


def _iso(day: str) -> str:
    return day.strip() if re.fullmatch(r"\s*\d{4}-\d{2}-\d{2}\s*", day) else ""


def _days_meant(day: str, before: str, after: str) -> list[str]:
    """Which days somebody may have meant who wrote one that lies before the session above: the year of
    that one, the next year where it had changed, day and month the other way round. Not long after it,
    and not after the session below."""
    year, month, of_month = day.split("-")
    first = before[:4]
    said = (
        f"{first}-{month}-{of_month}",
        f"{int(first) + 1:04}-{month}-{of_month}",
        f"{year}-{of_month}-{month}",
    )
    from datetime import date, timedelta

    try:
        soon = (date.fromisoformat(before) + timedelta(days=SOON)).isoformat()
    except (ValueError, OverflowError):
        return []
    fits = [one for one in said if before <= one <= min(soon, after or soon) and _is_day(one)]
    return list(dict.fromkeys(fits))


def _is_day(text: str) -> bool:
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _no_session(tree: Value, path: str) -> Diagnostic:
    """What is said of a file beside ``campaign.yaml`` that is no session."""
    if isinstance(tree, Entries):
        for key in tree:
            near = nearest_words(key, ["log"])
            if near:
                message = f"no key '{key}' here{ask_whether(key, near)}"
                fixes = replace_with(near, is_told=True)
                return problem("T22", message, place_of(key, path), fixes=fixes)
    if isinstance(tree, Items) and tree and isinstance(tree[0], Entries):
        return problem(
            "T41",
            "this list of entries has no head",
            place_of(tree, path)._replace(end_line=tree.line, end_column=tree.column + 1),
            fixes=[
                make_fix(ReplaceText("session: 1\nlog:\n", Place(path, tree.line, 1, tree.line, 1)))
            ],
        )
    return problem(
        "T41",
        "this file is no session: it has no 'log'",
        whole_file(path),
        "a session starts with  session: 1  and has a list  log:",
        "character files lie in characters/, captions in art/",
    )


def _number_in(stem: str) -> int:
    digits = re.search(r"\d{1,6}", stem)
    return int(digits.group()) if digits else 0


def _title_in(body: str) -> str:
    match = re.match(r"\s*#[ \t]+(.+)", body)
    return match.group(1).strip() if match else ""


def _place_of_key(session: Session, key: str) -> Place:
    value = session.header.value_of(key)
    return place_of(value, session.path) if value.line else whole_file(session.path)
