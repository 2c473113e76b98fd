"""The campaigns of a folder, open on a desk: their files, and the way that changes take to the disk."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple, TypeVar

from chronicle.campaigns import find_campaigns
from chronicle.core.edits import as_finished
from chronicle.core.files import Change, Changed, stamps
from chronicle.core.refused import Refused
from chronicle.core.replay import Replay
from chronicle.core.source import Value
from chronicle.desk.merge import rebased
from chronicle.desk.spans import Speller
from chronicle.resident import Resident
from chronicle.transcript.edit import Source, opened
from chronicle.transcript.folder import SETTINGS_FILE
from chronicle.transcript.kept import EntryCache
from chronicle.transcript.reader import Parsed, read_text
from chronicle.words import word

T = TypeVar("T")

Write = Callable[[Path, list[Change]], None]
"""Puts changes of files in a folder where they last, all of them or none: ``write(home, changes)``."""

Lend = Callable[[Path], Mapping[str, str]]
"""Gives the files of a campaign as readers may see them, by their names."""

FOLDERS: Final = (("journal", ".md"), ("notes", ".md"), ("characters", ".yaml"), ("art", ".yaml"))
MOST_SEEN: Final = 64
"""How many texts of a campaign are remembered that somebody may still be looking at."""
MOST_LENT: Final = 4
"""The number of campaigns that are held ready for guests."""
MOST_ANSWERS: Final = 256
"""How many answers about a half-typed line are kept."""
LONGEST_NAME: Final = 80
"""How many letters of a name from outside a message repeats."""
MOST_TRIES: Final = 20
"""How often a write starts again because somebody saved the file in that moment."""


class Unanswerable(Refused):
    """A question that has no answer: the message says why, ``help`` what to do instead."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


class Conflict(Unanswerable):
    """Somebody has saved a file meanwhile, and changed the lines that were to be written."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} was changed on the disk meanwhile, in the same lines; nothing was written",
            "copy your text, look at the file as it is now, then make your change again",
        )


def no_file(name: str) -> Unanswerable:
    """A campaign has no file of this name."""
    return Unanswerable(f"no file {quoted_name(name)} in this campaign")


def quoted_name(name: str) -> str:
    """A name from outside in a message: short, and without signs that cannot be seen."""
    shown = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
    return f"'{shown}'" if shown.isprintable() else ascii(shown)


class Edit(NamedTuple):
    """A change of one file: the text on the disk that it was made from, and the new text. None stands for
    no file."""

    base: str | None
    text: str | None


class WorkingCopy(NamedTuple):
    """The text of a file as it was handed out, with the text that the disk held then (``base``). The two
    differ while somebody is typing."""

    base: str
    text: str

    def edit(self, text: str) -> Edit:
        """The change of the file to another text, made from this one."""
        return Edit(self.base, text)


class File(NamedTuple):
    """A file of a campaign: its name below the folder, and what it is for."""

    name: str
    kind: str


class Opened:
    """One campaign. ``resident`` holds what its files say, and what somebody has typed and not saved."""

    def __init__(self, id: str, folder: Path, write: Write) -> None:
        self.id, self.folder, self._write = id, folder.resolve(), write
        self._stamps = stamps([self.folder])
        self.outside_changes = 0
        """How often its files were found changed by somebody else than the desks here."""
        self.resident = Resident(self.folder, root=self.folder, listening=True)
        self._drafts: dict[str, WorkingCopy] = {}
        self._seen: OrderedDict[str, str] = OrderedDict()
        self._trees: dict[str, Parsed] = {}
        self._speller: tuple[object, Speller] | None = None
        self._answers_of: object = None
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        self.kept: dict[str, object] = {}
        """What was made of its record and is good as long as that is."""

    # -- files -----------------------------------------------------------------------------------

    def files(self) -> list[File]:
        """Its files, settings first, then the sessions by name, then texts."""
        return [*self._files()]

    def _files(self) -> Iterator[File]:
        yield File(SETTINGS_FILE, "campaign")
        for file in _in(self.folder, ".yaml"):
            if file.name.casefold() != SETTINGS_FILE:
                yield File(file.name, "session")
        for name, ending in FOLDERS:
            for file in _in(self.folder / name, ending):
                yield File(f"{name}/{file.name}", name)

    def path(self, name: str) -> Path:
        """Where a file of this campaign is. Only names that :meth:`files` gives lead anywhere."""
        if not any(one.name == name for one in self._files()):
            raise no_file(name)
        return self.folder / name

    def source(self, name: str) -> Source:
        """What a file holds on the disk."""
        return opened(as_finished(self.path(name)), name)

    def typed(self, name: str) -> Source:
        """What a file holds, as it is being typed if somebody does, in the encoding it is kept in."""
        source = self.source(name)
        draft = self._drafts.get(name)
        return source if draft is None else source._replace(text=draft.text)

    def working_copy(self, name: str) -> WorkingCopy:
        """The text of a file, as it is being typed if somebody does, to be changed and given to
        :meth:`put`."""
        copy = self._drafts.get(name)
        if copy is None:
            text = self.source(name).text
            copy = WorkingCopy(text, text)
        self._remember(copy.text)
        return copy

    def seen_copy(self, name: str, version: str) -> WorkingCopy:
        """The text of a file as somebody saw it, to be changed; without a ``version``, as it is now.

        Raises:
            Conflict: when nobody remembers that version, and the file holds another.
        """
        copy = self.working_copy(name)
        if not version or version == version_of(copy.text):
            return copy
        seen = self.seen(version)
        if seen is None or copy.text != copy.base:
            raise Conflict(name)
        return WorkingCopy(seen, seen)

    def text(self, name: str) -> str:
        """What a file holds, as it is being typed if somebody does."""
        return self.working_copy(name).text

    def tree(self, name: str) -> Value | None:
        """What a file says, as it is being typed if somebody does; the same one for the same text. None
        where nothing can be read of it."""
        text = self.text(name)
        known = self._trees.get(name)
        if known is None or known.text != text:
            known = self._trees[name] = read_text(text, name, self.entry_cache(name))
        return known.tree

    def entry_cache(self, name: str) -> EntryCache | None:
        """The entries of a file that were parsed last."""
        return self.resident.entry_cache(self.folder / name)

    def put(self, edits: Mapping[str, Edit]) -> dict[str, tuple[str | None, str | None]]:
        """Write changes of files to the disk, all of them or none. Where somebody has saved a file since its
        ``base`` was read, both changes are merged. Texts of these files that are being typed go with it.

        Returns:
            The text of every changed file before and after.

        Raises:
            Conflict: when somebody has changed the same lines; nothing is written.
            OSError: when the disk refuses; nothing is written.
        """
        for _ in range(MOST_TRIES):
            changes, done = self._against_the_disk(edits)
            try:
                self._write(self.folder, changes)
                break
            except Changed:
                # Saved between our reading and our writing: merge with the newer text.
                continue
        else:
            raise Conflict(", ".join(edits))
        for name in edits:
            self._drafts.pop(name, None)
        # Own changes are no news. Whoever wrote asks for the log again, so that a save of this moment is seen.
        self._stamps = stamps([self.folder])
        self.resident.revert(*(self.folder / name for name in edits))
        return done

    def _against_the_disk(
        self, edits: Mapping[str, Edit]
    ) -> tuple[list[Change], dict[str, tuple[str | None, str | None]]]:
        """The changes that bring edits into the files as the disk holds them now.

        Raises:
            Conflict: when an edit does not fit into what a file holds by now.
        """
        changes: list[Change] = []
        done: dict[str, tuple[str | None, str | None]] = {}
        known = {one.name for one in self._files()}
        for name, edit in edits.items():
            now = self.source(name) if name in known else None
            fits = rebased(edit.base, edit.text, now.text if now else None)
            if fits is None:
                raise Conflict(name)
            (text,) = fits
            old = now.bytes_of(now.text) if now else None
            after = None if text is None else now.bytes_of(text) if now else text.encode()
            if old != after:
                changes.append(Change(self.folder / name, old, after))
                done[name] = (now.text if now else None, text)
        return changes, done

    def look(self) -> None:
        """Notice what was saved from outside: if a file has changed, the campaign is read again."""
        now = stamps([self.folder])
        if now != self._stamps:
            self._stamps = now
            self.outside_changes += 1
            self.resident.reload()

    def stand(self, drafts: Mapping[str, WorkingCopy]) -> None:
        """Hold just these texts that are not saved."""
        gone = [name for name in self._drafts if name not in drafts]
        if gone:
            self.resident.revert(*(self.folder / name for name in gone))
        new = {name: copy for name, copy in drafts.items() if self._drafts.get(name) != copy}
        if new:
            self.resident.change({self.folder / name: copy.text for name, copy in new.items()})
        self._drafts = {**drafts}

    def restore(self, name: str) -> None:
        """Read a file again as it is held here, whatever the resident was told meanwhile."""
        draft = self._drafts.get(name)
        if draft is None:
            self.resident.revert(self.folder / name)
        else:
            self.resident.change({self.folder / name: draft.text})

    @contextmanager
    def holding(self, texts: Mapping[str, str]) -> Iterator[None]:
        """Look at other texts for a while. Nothing may be written meanwhile."""
        before = dict(self._drafts)
        self.stand({**before, **{name: WorkingCopy("", text) for name, text in texts.items()}})
        try:
            yield
        finally:
            self.stand(before)

    # -- versions --------------------------------------------------------------------------------

    def _remember(self, text: str) -> str:
        version = version_of(text)
        self._seen[version] = text
        self._seen.move_to_end(version)
        while len(self._seen) > MOST_SEEN:
            self._seen.popitem(last=False)
        return version

    def seen(self, version: str) -> str | None:
        """A text that somebody was shown, by its version; None if that was long ago."""
        return self._seen.get(version)

    # -- what is so ------------------------------------------------------------------------------

    def once(self, asked: Hashable, answer: Callable[[], T]) -> T:
        """An answer about its record; whoever asks the same again is given the same, as long as nothing
        has changed."""
        record = self.resident.record
        if self._answers_of is not record:
            self._answers_of, self._answers = record, OrderedDict()
        if asked not in self._answers:
            self._answers[asked] = answer()
            while len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        kept: T = self._answers[asked]
        return kept

    def speller(self) -> Speller:
        """Marks whom the sentences of its record name."""
        record = self.resident.record
        if record is None:
            raise self.unreadable()
        if self._speller is None or self._speller[0] is not record:
            self._speller = record, Speller(record.names, self._player_of())
        return self._speller[1]

    def speller_at(self, replay: Replay[Any]) -> Speller:
        """Marks whom sentences name, at one moment of play."""
        play = replay.play
        return Speller(play.names, lambda named: play.rulebook.player_of(play, named))

    def _player_of(self) -> Callable[[Any], str]:
        replay = self.resident.replay
        assert replay is not None
        play = replay.play
        return lambda named: play.rulebook.player_of(play, named)

    def unreadable(self) -> Unanswerable:
        """Why there is no play: not even the game can be made out."""
        said = [f"{one.place}: {one.message}" for one in self.resident.diagnostics[:3]]
        return Unanswerable(f"'{self.id}' cannot be replayed", *said)


class Lent(Opened):
    """A campaign as guests see it: the files that ``lend`` gives, and nothing of the campaign's own folder.

    Its folder is a path below a file, where nothing can lie: no name of a file, no comment and no line
    number of the keeper's files can reach a guest.
    """

    def __init__(self, id: str, home: Path, lend: Lend) -> None:
        home = home.resolve()
        super().__init__(id, home / SETTINGS_FILE / home.name, _nothing)
        self.home = home
        self._lend = lend
        self._renewed_from: object = None
        self._texts: Mapping[str, str] = {}

    def renew(self) -> None:
        """Take over what was written since."""
        now = stamps([self.home])
        if now == self._renewed_from:
            return
        texts = self._lend(self.home)
        gone = {name: None for name in self._texts if name not in texts}
        self.resident.change(
            {self.folder / name: text for name, text in (gone | {**texts}).items()}
        )
        self._texts, self._renewed_from = texts, now

    def _files(self) -> Iterator[File]:
        for name in sorted(
            self._texts, key=lambda name: (name != SETTINGS_FILE, "/" in name, name)
        ):
            kind = name.partition("/")[0] if "/" in name else "session"
            if (kind, PurePosixPath(name).suffix) in FOLDERS or kind == "session":
                yield File(name, "campaign" if name == SETTINGS_FILE else kind)

    def source(self, name: str) -> Source:
        """The content of a file, as guests may see it."""
        self.path(name)
        return opened(self._texts[name].encode(), name)

    def stand(self, drafts: Mapping[str, WorkingCopy]) -> None:
        """Guests type nothing."""


def _nothing(home: Path, changes: list[Change]) -> None:
    raise Unanswerable(word("server.guest_may_not_edit"))


class Room:
    """The campaigns at or below a folder. ``write`` is the door to the disk, or to whatever keeps files
    here; ``lend`` gives the files of a campaign for guests, without what is held back. ``lasting``: where the
    folder lies tells its campaigns from others of their names."""

    def __init__(
        self, folder: Path, write: Write, lend: Lend | None = None, *, lasting: bool = True
    ) -> None:
        self.folder = Path(folder).resolve()
        """Resolved here, once: whoever compares paths at the desk compares absolute ones."""
        self.write = write
        self._lasting = lasting
        self._lend = lend
        self._lent: OrderedDict[str, Lent] = OrderedDict()
        self._open: dict[str, Opened] = {}
        self.answered: OrderedDict[str, Any] = OrderedDict()
        """Answers to what was to be done once, by the word that the asker gave to it."""

    def ids(self) -> dict[str, Path]:
        """The campaigns by their ids: the names of their folders, with as much of the way to them as
        tells them apart."""
        found: dict[str, Path] = {}
        for folder in find_campaigns(self.folder):
            here = folder.resolve()
            id, above = here.name, here.parent
            while id in found and above.name:
                id, above = f"{above.name}/{id}", above.parent
            found[id] = folder
        return found

    def open(self, id: str) -> Opened:
        """A campaign by its id."""
        if id not in self._open:
            folder = self.ids().get(id)
            if folder is None:
                raise Unanswerable(f"no campaign {quoted_name(id)} here")
            self._open[id] = Opened(id, folder, self.write)
        return self._open[id]

    def look(self) -> list[Opened]:
        """Notice what was saved from outside into the open campaigns; these are read again."""
        for one in self._open.values():
            one.look()
        return self.opened()

    def key(self, opened: Opened) -> str:
        """What a page keeps drafts of a campaign under."""
        return version_of(str(opened.folder) if self._lasting else opened.id)

    def lent(self, id: str) -> Opened:
        """A campaign as guests see it, as it is on the disk now."""
        folder = self.ids().get(id)
        if folder is None:
            raise Unanswerable(f"no campaign '{id}' here")
        if self._lend is None:
            raise Unanswerable("there is nothing for guests to see here yet")
        known = self._lent.get(id)
        if known is None or known.home != folder.resolve():
            known = Lent(id, folder, self._lend)
        try:
            known.renew()
        except (Refused, OSError):
            raise Unanswerable("there is nothing for guests to see here yet") from None
        self._lent[id] = known
        self._lent.move_to_end(id)
        while len(self._lent) > MOST_LENT:
            self._lent.popitem(last=False)
        return known

    def is_lent(self, id: str) -> bool:
        """Whether a guest has opened a campaign lately."""
        return id in self._lent

    def found(self, home: Path, files: Mapping[str, str]) -> str:
        """Begin a campaign in a folder that is not there yet; its id."""
        self.write(
            home.parent, [Change(home / name, None, text.encode()) for name, text in files.items()]
        )
        here = home.resolve()
        return next(id for id, folder in self.ids().items() if folder.resolve() == here)

    def close(self, id: str) -> None:
        """Have a campaign open no more."""
        self._open.pop(id, None)

    def opened(self) -> list[Opened]:
        """Those that are open."""
        return [*self._open.values()]


def version_of(text: str) -> str:
    """What tells one text of a file from another."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _in(folder: Path, ending: str) -> list[Path]:
    """The files of a folder with an ending, by name; links do not count."""
    try:
        found = sorted(folder.iterdir())
    except OSError:
        return []
    return [
        file
        for file in found
        if file.suffix.casefold() == ending
        and not file.name.startswith(".")
        and not file.is_symlink()
        and file.is_file()
    ]
