"""A desk that keeps campaigns on the device it runs on: in a browser, where there is no disk.

Files lie in a folder in memory; whatever holds them for longer is handed every change before the answer
goes out, and hands them back when the desk is opened again. Texts in, texts out: JSON, as over every
door.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final
from weakref import finalize

from chronicle.core.files import Change, changed, digest
from chronicle.core.portable import portable
from chronicle.desk.ask import WRITING, Desk
from chronicle.desk.room import Room
from chronicle.games import forget_plugins
from chronicle.transcript.parcel import (
    BadParcel,
    Parcel,
    gathered,
    of_files,
    packed,
    room_for,
    unpacked,
)
from chronicle.words import word

Files = dict[str, "bytes | None"]
Buffer = bytes | bytearray | memoryview
"""What a file holds, as JavaScript hands it over."""

OF_SITE: Final = "@"
"""The ids of the campaigns that the desk's own site publishes begin with it, and no others do."""
LATELY: Final = 60
"""How many entries back a page looks that opens a campaign."""


class Device:
    """The campaigns in a folder in memory, each a folder with its files, and the one desk over them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.room = Room(self.folder, self._write, lasting=False)
        self.desk = Desk(self.room)
        self._changed: dict[str, Files] = {}

    # -- questions -------------------------------------------------------------------------------

    def ask(self, question: str) -> str:
        """The answer to a question. What it changed is in :meth:`changes` then, and lasts nowhere yet."""
        answer = self.desk.ask(json.loads(question))
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def writes(question: str) -> bool:
        """Whether a question may change something."""
        return question in WRITING

    def changes(self) -> dict[str, Files]:
        """What files hold since the last question, by campaign and name (None: there is no such file any
        more)."""
        made, self._changed = self._changed, {}
        return made

    def _write(self, home: Path, changes: list[Change]) -> None:
        wanted = [one for one in changes if one.before != one.after]
        for one in wanted:
            now = one.file.read_bytes() if one.file.is_file() else None
            if now != one.before:
                raise changed(one.file, digest(one.before), digest(now))
        for one in wanted:
            _hold(one.file, one.after)
            path = one.file.relative_to(self.folder)
            self._changed.setdefault(path.parts[0], {})["/".join(path.parts[1:])] = one.after

    # -- what is kept elsewhere ------------------------------------------------------------------

    def hold(self, campaign: str, files: Mapping[str, Buffer]) -> None:
        """Let a campaign have just these files, as they are kept; none: have it no more."""
        home = self.folder / campaign
        for name in gathered(home):
            if name not in files:
                (home / name).unlink()
        for name, data in files.items():
            if room_for(name):
                _hold(home / name, bytes(data))
        if not files:
            for folder in sorted((one for one in home.rglob("*") if one.is_dir()), reverse=True):
                folder.rmdir()
            if home.is_dir():
                home.rmdir()
            self.room.close(campaign)
        for opened in self.room.opened():
            if opened.id == campaign:
                opened.resident.reload()

    def look(self, files: Mapping[str, Buffer]) -> str:
        """What there is to say of a campaign that is kept nowhere, as JSON: the answers to some questions
        by their names; of one that cannot be read, what refused it under ``open``."""
        id = self.free("tried")
        self.hold(id, files)
        try:
            return json.dumps(self._answers(id, ("findings", "log")))
        finally:
            self.hold(id, {})

    def first(self, campaign: str) -> str:
        """What a page asks that opens a campaign, answered, as JSON; ``since`` is the first entry that
        stands under ``log``. Of a campaign that cannot be read, or has no evening yet, there is nothing."""
        made = self._answers(campaign, ("table", "findings"))
        if "table" not in made:
            return "{}"
        del made["findings"]["took"]  # as long as it took once, elsewhere
        since = max(1, made["findings"]["entries"] - LATELY)
        log = self.desk.ask({"ask": "log", "campaign": campaign, "first": since})["answer"]
        return json.dumps({**made, "log": log, "since": since}, ensure_ascii=False)

    def _answers(self, campaign: str, asked: Iterable[str]) -> dict[str, Any]:
        """What ``open`` and those of other questions that have an answer are answered, by their names; of a
        campaign that cannot be read, what refused it."""
        opened = self.desk.ask({"ask": "open", "campaign": campaign})
        if "refused" in opened:
            return {"open": opened["refused"]}
        answers = {name: self.desk.ask({"ask": name, "campaign": campaign}) for name in asked}
        answered = {name: one["answer"] for name, one in answers.items() if "answer" in one}
        return {"open": opened["answer"], **answered}

    # -- parcels ---------------------------------------------------------------------------------

    def parcel(self, *campaigns: str) -> bytes:
        """A zip of campaigns, for :func:`receive` here, ``chronicle receive`` and everybody else."""
        return packed({one.lstrip(OF_SITE): gathered(self.folder / one) for one in campaigns})

    def receive(self, source: Buffer | Mapping[str, Buffer], name: str) -> str:
        """Take in the campaigns of a zip, or of a folder's files. Each gets a folder of its own, beside
        those that are here: nothing is overwritten. The answer, as JSON: their ids, and what was left."""
        try:
            if isinstance(source, Mapping):
                found = of_files({file: bytes(data) for file, data in source.items()}, name)
            else:
                found = unpacked(bytes(source), name)
        except BadParcel as refused:
            message = word("server.cannot_be_imported", name=name, reason=refused)
            return json.dumps({"refused": {"message": message, "help": [*refused.help]}})
        return json.dumps({"answer": {"campaigns": self._taken_in(found), "left": found.left}})

    def _taken_in(self, found: Parcel) -> list[str]:
        made: list[str] = []
        for called, files in found.campaigns.items():
            id = self.free(called)
            for name, data in files.items():
                _hold(self.folder / id / name, data)
            self._changed[id] = {**files}
            made.append(id)
        return made

    def free(self, name: str) -> str:
        """An id like a name that no campaign here has."""
        wanted = id = portable(name.lstrip(OF_SITE))
        count = 1
        taken = {one.name.casefold() for one in self.folder.iterdir()}
        while id.casefold() in taken:
            count += 1
            id = f"{wanted}-{count}"
        return id


def _hold(file: Path, data: bytes | None) -> None:
    if data is None:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


class FirstAnswers:
    """What :meth:`Device.first` says of campaigns that lie nowhere, again and again: whoever was asked about
    before is held in memory, so that only what has changed is read and played."""

    def __init__(self) -> None:
        folder = mkdtemp()
        finalize(self, rmtree, folder, ignore_errors=True)
        self._device = Device(Path(folder))

    def of(self, campaign: str, files: Mapping[str, Buffer]) -> bytes:
        """The answers about a campaign of these files."""
        self._device.hold(campaign, files)
        return self._device.first(campaign).encode()


def open_device(folder: str, games: str = "") -> Any:
    """A device over a folder, for a caller in JavaScript; ``games`` is a folder with game plug-ins."""
    if games:
        sys.path.append(games)
        forget_plugins()
    return Device(Path(folder))
