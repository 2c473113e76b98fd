"""A campaign that comes back from elsewhere: what of it is new here, and what contradicts.

Sessions are compared by what their entries do (:mod:`chronicle.transcript.compare`), whatever their
files are called; everything else by what it holds. Nothing is written: :class:`Arrival` says what each
file would become.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from chronicle.campaigns import evening, load, run
from chronicle.core.campaign import Campaign
from chronicle.core.diagnostic import Severity, count_severities
from chronicle.core.files import changed
from chronicle.transcript.compare import Comparison, compare, logs_of, merged
from chronicle.transcript.edit import EditRefused, opened
from chronicle.transcript.folder import SETTINGS_FILE
from chronicle.transcript.parcel import gathered


class Arrival(NamedTuple):
    """A file that came, and what becomes of it.

    ``name`` is where it goes, below the campaign's folder. ``before`` is what is there now (None:
    nothing). ``kind`` is ``same``, ``new`` (there is none here), ``more`` (it has all that ours has, and
    more), ``less`` (ours has all that it has), ``both`` (each has entries of its own) or ``contradicts``.
    ``theirs`` is what came, ``draft`` ours with what only theirs has (None where there is none).
    ``found`` compares the two logs of a session.
    """

    name: str
    kind: str
    before: bytes | None
    theirs: bytes
    draft: bytes | None = None
    found: Comparison | None = None
    why: str = ""

    @property
    def settled(self) -> bool:
        """Whether there is nothing to ask."""
        return self.kind in ("same", "less", "new") or (
            self.kind == "more" and self.draft is not None
        )

    @property
    def after(self) -> bytes | None:
        """What the file is to hold if nobody has anything against it."""
        match self.kind:
            case "new":
                return self.theirs
            case "more":
                return self.draft
        return self.before


def arrivals(mine: Path, theirs: Path, ours: Mapping[str, bytes] | None = None) -> list[Arrival]:
    """What came in the folder ``theirs`` for the campaign in the folder ``mine``, file by file. ``ours`` is
    what the files of that were read to hold; without it, they are read now.

    Raises:
        CampaignUnreadable: when the game of either cannot be made out.
        OSError: when a file cannot be read, or a session was saved meanwhile under a new name.
    """
    ours, came = gathered(mine) if ours is None else ours, gathered(theirs)
    # Both are read from these very texts, whatever is saved meanwhile: an edit is made from them.
    here = load(mine, instead={mine / name: data for name, data in ours.items()})
    there = load(theirs)
    evenings = {session.number: _name(session.path, mine) for session in here.sessions}
    read: list[Arrival] = []
    for session in there.sessions:
        name = _name(session.path, theirs)
        data = came.pop(name, None)
        if data is None:
            continue
        home = evenings.get(session.number)
        if home is None:
            read.append(_new(name, data, ours))
        elif home not in ours:
            raise changed(mine / home, "", "")
        elif ours[home] == data:
            read.append(Arrival(home, "same", data, data))
        else:
            read.append(_compared((here, mine, home), (there, theirs, name), ours[home], data))
    rest = [_other(name, data, ours.get(name)) for name, data in came.items()]
    return sorted([*rest, *read], key=lambda one: (one.name != SETTINGS_FILE, one.name))


def _name(path: str, folder: Path) -> str:
    """A file of a campaign by its name below the folder."""
    return Path(path).resolve().relative_to(folder.resolve()).as_posix()


def _new(name: str, data: bytes, ours: Mapping[str, bytes]) -> Arrival:
    """A file that nothing here answers to, under a name that is free."""
    stem, dot, ending = name.rpartition(".")
    free, count = name, 1
    taken = {one.casefold() for one in ours}
    while free.casefold() in taken:
        count += 1
        free = f"{stem}-{count}{dot}{ending}"
    return Arrival(free, "new", None, data)


def _other(name: str, data: bytes, here: bytes | None) -> Arrival:
    if here is None:
        return Arrival(name, "new", None, data)
    return Arrival(name, "same" if here == data else "contradicts", here, data)


Place = tuple[Campaign, Path, str]
"""A campaign, the folder it was read from, and one of its files."""


def _compared(mine: Place, theirs: Place, here: bytes, data: bytes) -> Arrival:
    """Two logs of one evening."""
    name = mine[2]
    reads = [
        evening(campaign, (folder / file).resolve()) for campaign, folder, file in (mine, theirs)
    ]
    if reads[0] is None or reads[1] is None:
        return Arrival(name, "contradicts", here, data)
    found = compare(*logs_of(reads[0], reads[1]))
    kind = _kind(found)
    if kind in ("same", "less"):
        return Arrival(name, kind, here, data, None, found)
    draft, why = None, ""
    try:
        source = opened(here, name)
        draft = source.bytes_of(merged(found, source.text, opened(data, theirs[2]).text))
    except EditRefused as error:
        why = str(error)
    return Arrival(name, kind, here, data, draft, found, why)


def _kind(found: Comparison) -> str:
    """How two logs stand to each other."""
    if found.head or found.of("conflict", "moved", "unreadable"):
        return "contradicts"
    mine, theirs = bool(found.of("only one")), bool(found.of("only other"))
    return {(False, False): "same", (True, False): "less", (False, True): "more"}.get(
        (mine, theirs), "both"
    )


def errors_with(folder: Path, files: dict[str, bytes]) -> tuple[int, int]:
    """How many errors a check finds in a campaign now, and with other contents of some files."""
    here = run(load(folder))
    there = run(load(folder, instead={folder / name: data for name, data in files.items()}))
    now, then = count_severities(here.diagnostics), count_severities(there.diagnostics)
    return now[Severity.ERROR], then[Severity.ERROR]


def same_campaign(folders: Iterable[Path], name: str, theirs: Path) -> Iterator[Path]:
    """The campaigns among some folders that one that came may belong to: the one in a folder of its name,
    or else those of its title and game."""
    named = [folder for folder in folders if folder.resolve().name.casefold() == name.casefold()]
    if named:
        yield from named
        return
    came = load(theirs)
    for folder in folders:
        here = load(folder)
        if (here.title, here.game) == (came.title, came.game):
            yield folder
