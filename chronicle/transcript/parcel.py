"""Campaigns as one zip file, to hand to somebody else: packed, and opened without trust.

Who sent a parcel is anybody. What is taken out of one are the files of campaigns, by names that every
system can hold; nothing else in it is ever written anywhere, and reading ends within bounds, whatever
the parcel says of itself.
"""

from __future__ import annotations

import io
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, NamedTuple

from chronicle.core.intake import MOST_BYTES, in_words, read_file
from chronicle.core.pictures import MOST as MOST_PICTURE
from chronicle.core.portable import portable
from chronicle.core.refused import Refused
from chronicle.transcript.folder import MOST_FILES, MOST_PAGE_BYTES, PICTURES, SETTINGS_FILE

MOST_PACKED: Final = 64 * 1024 * 1024
"""The largest parcel that is opened."""
MOST_UNPACKED: Final = 256 * 1024 * 1024
"""How much all that is taken out of one may hold."""
MOST_CAMPAIGNS: Final = 200
"""How many campaigns are taken out of one."""
MOST_LISTED: Final = 8 * 1024 * 1024
"""How long the list of its files may be, which is read as a whole."""
DEEPEST: Final = 20
"""In how many folders a file in one may lie."""
_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a parcel, so that the same campaign is the same parcel."""
_FOLDERS: Final[Mapping[str, Mapping[str, int]]] = {
    "": {".yaml": MOST_BYTES},
    "characters": {".yaml": MOST_BYTES},
    "journal": {".md": MOST_PAGE_BYTES},
    "notes": {".md": MOST_PAGE_BYTES},
    "art": {".yaml": MOST_BYTES, **dict.fromkeys(sorted(PICTURES), MOST_PICTURE)},
}
"""The folders of a campaign, with the endings of its files in each and how large one may be."""


class BadParcel(Refused):
    """A file that is no parcel, or one that cannot be opened safely."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


class Parcel(NamedTuple):
    """What was in a parcel: campaigns by the names of their folders, each with what its files hold; and
    what was left in it, since no campaign has such a file."""

    campaigns: dict[str, dict[str, bytes]]
    left: list[str]


def room_for(name: str) -> int:
    """How many bytes a file of a campaign may hold, by its name below the folder; 0 if a campaign has no
    such file."""
    path = PurePosixPath(name)
    folder = "" if len(path.parts) == 1 else path.parts[0]
    if len(path.parts) > 2 or path.name.startswith(".") or portable(path.name) != path.name:
        return 0
    return _FOLDERS.get(folder, {}).get(path.suffix.casefold(), 0)


def gathered(folder: Path) -> dict[str, bytes]:
    """What the files of a campaign hold, by their names below its folder. Links are not followed.

    Raises:
        OSError: when one of them cannot be read.
    """
    found: dict[str, bytes] = {}
    for below in _FOLDERS:
        home = folder / below
        if home.is_symlink() or not home.is_dir():
            continue
        for file in sorted(home.iterdir()):
            name = f"{below}/{file.name}" if below else file.name
            most = room_for(name)
            if most and file.is_file() and not file.is_symlink():
                found[name] = read_file(file, most)
    return found


def packed(campaigns: Mapping[str, Mapping[str, bytes]]) -> bytes:
    """A parcel of campaigns: each a folder with its files."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as parcel:
        for name, files in campaigns.items():
            for file, data in files.items():
                about = zipfile.ZipInfo(f"{portable(name)}/{file}", _TIME)
                about.external_attr = (stat.S_IFREG | 0o644) << 16
                about.compress_type = zipfile.ZIP_DEFLATED
                parcel.writestr(about, data)
    return whole.getvalue()


def unpacked(source: bytes | BinaryIO, name: str = "") -> Parcel:
    """What is in a parcel. ``name`` is what a campaign is called whose files lie in no folder of it.

    Raises:
        BadParcel: when it is none, holds no campaign, or more than it may.
    """
    stream = io.BytesIO(source) if isinstance(source, bytes) else source
    stream.seek(0, io.SEEK_END)
    if stream.tell() > MOST_PACKED:
        raise BadParcel(f"it is larger than {in_words(MOST_PACKED)}")
    try:
        if _listed(stream) > MOST_LISTED:
            raise BadParcel(f"its list of files is longer than {in_words(MOST_LISTED)}")
        with zipfile.ZipFile(stream) as parcel:
            return _sorted(_read(parcel), name)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        OSError,
        OverflowError,
        RuntimeError,
        ValueError,
        struct.error,
    ) as error:
        raise BadParcel("it is no zip file, or a broken one") from error


def _listed(stream: BinaryIO) -> int:
    """How long the list of files is, by what stands at the end of a zip (APPNOTE.TXT, 4.3.14 and 4.3.16)."""
    end, end_of_large, locator = 22, 56, 20
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(size - (1 << 16) - end - end_of_large - locator, 0))
    tail = stream.read()
    at = len(tail) - end
    if tail[at : at + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
        at = tail.rfind(b"PK\5\6")
    if at < 0 or at + end > len(tail):
        return 0
    (length,) = struct.unpack_from("<L", tail, at + 12)
    large = at - locator - end_of_large
    if large >= 0 and tail[large : large + 4] == b"PK\6\6":
        length = max(length, *struct.unpack_from("<Q", tail, large + 40))
    return int(length)


def _too_many(what: str, most: int) -> str:
    return f"there are more than {most:,} {what} in it"


def of_files(files: Mapping[str, bytes], name: str = "") -> Parcel:
    """What is in a folder whose files somebody has handed over, as :func:`unpacked` says it of a zip."""
    if sum(map(len, files.values())) > MOST_UNPACKED:
        raise BadParcel(f"there is more than {in_words(MOST_UNPACKED)} in it")
    plain = {path: data for given, data in files.items() if (path := _plain(given)) is not None}
    return _sorted(plain, name)


def _read(parcel: zipfile.ZipFile) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path, data in _files(parcel):
        if path in files:
            raise BadParcel(f"two files in it have one name: '{path}'")
        files[path] = data
    return files


def _files(parcel: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """The files of a zip that might be some campaign's: their plain paths, and what they hold."""
    room = MOST_UNPACKED
    listed = parcel.infolist()
    if len(listed) > 4 * MOST_FILES:
        raise BadParcel(_too_many("files", 4 * MOST_FILES))
    for one in listed:
        path = _plain(one.filename)
        kind = stat.S_IFMT(one.external_attr >> 16)
        if path is None or one.is_dir() or kind not in (0, stat.S_IFREG):
            continue
        if one.flag_bits & 1:
            raise BadParcel("it is encrypted", "unpack it, and hand over the folder")
        most = _largest(path)
        if not most:
            yield path, b""
            continue
        if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadParcel(
                f"'{path}' in it is packed in a way that is not opened here",
                "unpack it, and hand over the folder",
            )
        # What it says of its size is not relied on.
        with parcel.open(one) as stream:
            data = stream.read(min(most, room) + 1)
        if len(data) > most:
            raise BadParcel(f"'{path}' in it is larger than {in_words(most)}")
        room -= len(data)
        if room < 0:
            raise BadParcel(f"there is more than {in_words(MOST_UNPACKED)} in it")
        yield path, data


def _plain(given: str) -> str | None:
    """A path in a parcel as it is written everywhere; None if it leads anywhere else."""
    path = unicodedata.normalize("NFC", given.replace("\\", "/"))
    parts = [part for part in path.split("/") if part != "."]
    if path.startswith("/") or ":" in path or not all(parts) or ".." in parts or parts[DEEPEST:]:
        return None
    return "/".join(parts) if all(portable(part) == part for part in parts) else None


def _largest(path: str) -> int:
    """How large a file may be, whichever of the folders above it is the campaign."""
    parts = path.split("/")
    return max(room_for("/".join(parts[-2:])), room_for(parts[-1]))


def _sorted(files: dict[str, bytes], name: str) -> Parcel:
    """Which file belongs to which campaign."""
    heads = sorted(
        (path.rpartition("/")[0] for path in files if path.rpartition("/")[2] == SETTINGS_FILE),
        key=lambda head: (head.count("/"), head),
    )
    homes: dict[str, str] = {}
    taken: set[str] = set()
    count: Counter[str] = Counter()
    for head in heads:
        if _home_of(head, homes) is None:
            stem = called = head.rpartition("/")[2] or portable(name or "campaign")
            while called.casefold() in taken:
                count[stem] += 1
                called = f"{stem}-{count[stem] + 1}"
            taken.add(called.casefold())
            homes[head] = called
    if len(homes) > MOST_CAMPAIGNS:
        raise BadParcel(_too_many("campaigns", MOST_CAMPAIGNS), "hand them over in several")
    if not homes:
        raise BadParcel(
            f"there is no campaign in it: no '{SETTINGS_FILE}'",
            "the desk exports campaigns as they can be received",
        )
    made: dict[str, dict[str, bytes]] = {called: {} for called in homes.values()}
    left: list[str] = []
    alike: set[tuple[str, str]] = set()
    for path, data in sorted(files.items()):
        home = _home_of(path.rpartition("/")[0], homes)
        below = path[len(home) + 1 if home else 0 :]
        if home is None or not room_for(below) or len(data) > room_for(below):
            left.append(path)
            continue
        called = homes[home]
        # Most systems tell no letter case apart: one of two would overwrite the other.
        if (called, below.casefold()) in alike:
            raise BadParcel(f"two files in it have one name: '{path}'")
        alike.add((called, below.casefold()))
        made[called][below] = data
    return Parcel(made, left)


def _home_of(folder: str, homes: Mapping[str, str]) -> str | None:
    """The folder of the campaign in which another folder lies, if it lies in one."""
    while folder not in homes:
        if not folder:
            return None
        folder = folder.rpartition("/")[0]
    return folder
