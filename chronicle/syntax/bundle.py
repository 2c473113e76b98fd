"""Bundles: campaigns as one zip file. Reading a bundle trusts nothing in it.

Only files of campaigns are extracted, under names that every system allows; nothing else is written. Reading
is limited in size, regardless of the sizes that the bundle claims."""

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

from chronicle.core.errors import Refused
from chronicle.core.file_names import portable
from chronicle.core.file_reading import MOST_BYTES, in_words, read_file
from chronicle.core.pictures import MOST as MOST_PICTURE
from chronicle.syntax.campaign_files import MOST_FILES
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.page_files import MOST_PAGE_BYTES, PICTURES

MOST_PACKED: Final = 64 * 1024 * 1024
"""The largest bundle that is opened, in bytes."""
MOST_UNPACKED: Final = 256 * 1024 * 1024
"""Maximum size of all extracted files together, in bytes."""
MOST_CAMPAIGNS: Final = 200
"""Maximum number of campaigns in a bundle."""
MOST_LISTED: Final = 8 * 1024 * 1024
"""Maximum length of the central directory, which is read as a whole, in bytes."""
DEEPEST: Final = 20
"""Maximum depth of folders in a bundle."""
_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a bundle, so that equal campaigns give equal bundles."""
_FOLDERS: Final[Mapping[str, Mapping[str, int]]] = {
    "": {".yaml": MOST_BYTES},
    "characters": {".yaml": MOST_BYTES},
    "journal": {".md": MOST_PAGE_BYTES},
    "notes": {".md": MOST_PAGE_BYTES},
    "art": {".yaml": MOST_BYTES, **dict.fromkeys(sorted(PICTURES), MOST_PICTURE)},
}
"""The folders of a campaign, with the allowed file endings and the maximum size of each."""


class BadBundle(Refused):
    """A file that is no bundle, or one that cannot be opened safely."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


class Bundle(NamedTuple):
    """The contents of a bundle: campaigns by folder name, each with its files; and files that were left out
    because no campaign has such a file."""

    campaigns: dict[str, dict[str, bytes]]
    left: list[str]


def size_limit(name: str) -> int:
    """Maximum size of a file of a campaign, by its name in the folder; 0 if a campaign has no such file."""
    path = PurePosixPath(name)
    folder = "" if len(path.parts) == 1 else path.parts[0]
    if len(path.parts) > 2 or path.name.startswith(".") or portable(path.name) != path.name:
        return 0
    return _FOLDERS.get(folder, {}).get(path.suffix.casefold(), 0)


def collect_files(folder: Path) -> dict[str, bytes]:
    """The files of a campaign with their contents, by name in the folder. Links are not followed.

    Raises:
        OSError: if a file cannot be read.
    """
    files: dict[str, bytes] = {}
    for subfolder in _FOLDERS:
        home = folder / subfolder
        if home.is_symlink() or not home.is_dir():
            continue
        for file in sorted(home.iterdir()):
            name = f"{subfolder}/{file.name}" if subfolder else file.name
            limit = size_limit(name)
            if limit and file.is_file() and not file.is_symlink():
                files[name] = read_file(file, limit)
    return files


def pack_bundle(campaigns: Mapping[str, Mapping[str, bytes]]) -> bytes:
    """A bundle of campaigns: a folder for each, with its files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, files in campaigns.items():
            for file, data in files.items():
                info = zipfile.ZipInfo(f"{portable(name)}/{file}", _TIME)
                info.external_attr = (stat.S_IFREG | 0o644) << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, data)
    return buffer.getvalue()


def read_bundle(source: bytes | BinaryIO, name: str = "") -> Bundle:
    """Read a bundle.

    Args:
        source: the zip file.
        name: name of a campaign whose files are in no folder.

    Raises:
        BadBundle: if it is no bundle, has no campaign, or exceeds a limit.
    """
    stream = io.BytesIO(source) if isinstance(source, bytes) else source
    stream.seek(0, io.SEEK_END)
    if stream.tell() > MOST_PACKED:
        raise BadBundle(f"it is larger than {in_words(MOST_PACKED)}")
    try:
        if _directory_length(stream) > MOST_LISTED:
            raise BadBundle(f"its list of files is longer than {in_words(MOST_LISTED)}")
        with zipfile.ZipFile(stream) as archive:
            return _by_campaign(_read(archive), name)
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
        raise BadBundle("it is no zip file, or a broken one") from error


def _directory_length(stream: BinaryIO) -> int:
    """The length of the central directory, from the end of the zip (APPNOTE.TXT, 4.3.14 and 4.3.16)."""
    end, end_of_large, locator = 22, 56, 20
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(size - (1 << 16) - end - end_of_large - locator, 0))
    tail = stream.read()
    offset = len(tail) - end
    if tail[offset : offset + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
        offset = tail.rfind(b"PK\5\6")
    if offset < 0 or offset + end > len(tail):
        return 0
    (length,) = struct.unpack_from("<L", tail, offset + 12)
    zip64_offset = offset - locator - end_of_large
    if zip64_offset >= 0 and tail[zip64_offset : zip64_offset + 4] == b"PK\6\6":
        length = max(length, *struct.unpack_from("<Q", tail, zip64_offset + 40))
    return int(length)


def _too_many(noun: str, limit: int) -> str:
    return f"there are more than {limit:,} {noun} in it"


def bundle_of_files(files: Mapping[str, bytes], name: str = "") -> Bundle:
    """Read a folder of uploaded files, like :func:`read_bundle` a zip."""
    if sum(map(len, files.values())) > MOST_UNPACKED:
        raise BadBundle(f"there is more than {in_words(MOST_UNPACKED)} in it")
    data_by_path = {
        path: data
        for path_as_given, data in files.items()
        if (path := _normal_path(path_as_given)) is not None
    }
    return _by_campaign(data_by_path, name)


def _read(archive: zipfile.ZipFile) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path, data in _files(archive):
        if path in files:
            raise BadBundle(f"two files in it have one name: '{path}'")
        files[path] = data
    return files


def _files(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """The files of a zip that may belong to a campaign: normalised paths, and contents."""
    remaining = MOST_UNPACKED
    members = archive.infolist()
    if len(members) > 4 * MOST_FILES:
        raise BadBundle(_too_many("files", 4 * MOST_FILES))
    for member in members:
        path = _normal_path(member.filename)
        kind = stat.S_IFMT(member.external_attr >> 16)
        if path is None or member.is_dir() or kind not in (0, stat.S_IFREG):
            continue
        if member.flag_bits & 1:
            raise BadBundle("it is encrypted", "unpack it, and hand over the folder")
        limit = _size_limit(path)
        if not limit:
            yield path, b""
            continue
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadBundle(
                f"'{path}' in it is packed in a way that is not opened here",
                "unpack it, and hand over the folder",
            )
        # The size it claims is not trusted.
        with archive.open(member) as stream:
            data = stream.read(min(limit, remaining) + 1)
        if len(data) > limit:
            raise BadBundle(f"'{path}' in it is larger than {in_words(limit)}")
        remaining -= len(data)
        if remaining < 0:
            raise BadBundle(f"there is more than {in_words(MOST_UNPACKED)} in it")
        yield path, data


def _normal_path(path_as_given: str) -> str | None:
    """A path in a bundle in normal form; None if it leads elsewhere."""
    path = unicodedata.normalize("NFC", path_as_given.replace("\\", "/"))
    parts = [part for part in path.split("/") if part != "."]
    if path.startswith("/") or ":" in path or not all(parts) or ".." in parts or parts[DEEPEST:]:
        return None
    return "/".join(parts) if all(portable(part) == part for part in parts) else None


def _size_limit(path: str) -> int:
    """Maximum size of a file, for every possible parent folder."""
    parts = path.split("/")
    return max(size_limit("/".join(parts[-2:])), size_limit(parts[-1]))


def _by_campaign(files: dict[str, bytes], name: str) -> Bundle:
    """Assign the files to campaigns."""
    heads = sorted(
        (path.rpartition("/")[0] for path in files if path.rpartition("/")[2] == SETTINGS_FILE),
        key=lambda head: (head.count("/"), head),
    )
    homes: dict[str, str] = {}
    used_names: set[str] = set()
    count: Counter[str] = Counter()
    for head in heads:
        if _home_of(head, homes) is None:
            stem = campaign_name = head.rpartition("/")[2] or portable(name or "campaign")
            while campaign_name.casefold() in used_names:
                count[stem] += 1
                campaign_name = f"{stem}-{count[stem] + 1}"
            used_names.add(campaign_name.casefold())
            homes[head] = campaign_name
    if len(homes) > MOST_CAMPAIGNS:
        raise BadBundle(_too_many("campaigns", MOST_CAMPAIGNS), "hand them over in several")
    if not homes:
        raise BadBundle(
            f"there is no campaign in it: no '{SETTINGS_FILE}'",
            "the desk exports campaigns as they can be received",
        )
    campaigns: dict[str, dict[str, bytes]] = {campaign_name: {} for campaign_name in homes.values()}
    left_out: list[str] = []
    folded_paths: set[tuple[str, str]] = set()
    for path, data in sorted(files.items()):
        home = _home_of(path.rpartition("/")[0], homes)
        relative = path[len(home) + 1 if home else 0 :]
        if home is None or not size_limit(relative) or len(data) > size_limit(relative):
            left_out.append(path)
            continue
        campaign_name = homes[home]
        # Most systems ignore letter case: one of two files would overwrite the other.
        if (campaign_name, relative.casefold()) in folded_paths:
            raise BadBundle(f"two files in it have one name: '{path}'")
        folded_paths.add((campaign_name, relative.casefold()))
        campaigns[campaign_name][relative] = data
    return Bundle(campaigns, left_out)


def _home_of(folder: str, homes: Mapping[str, str]) -> str | None:
    """The folder of the campaign that contains a folder, or None."""
    while folder not in homes:
        if not folder:
            return None
        folder = folder.rpartition("/")[0]
    return folder
