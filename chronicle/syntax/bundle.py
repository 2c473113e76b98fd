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
from chronicle.core.file_names import portable_name
from chronicle.core.file_reading import MOST_BYTES, read_file, size_in_words
from chronicle.core.pictures import MAX_PICTURE_BYTES as MOST_PICTURE
from chronicle.syntax.campaign_files import MOST_FILES
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.page_files import MOST_PAGE_BYTES, PICTURE_ENDINGS

MOST_PACKED_BYTES: Final = 64 * 1024 * 1024
"""The largest bundle that is opened, in bytes."""
MOST_UNPACKED_BYTES: Final = 256 * 1024 * 1024
"""Maximum size of all extracted files together, in bytes."""
MOST_CAMPAIGNS: Final = 200
"""Maximum number of campaigns in a bundle."""
MOST_DIRECTORY_BYTES: Final = 8 * 1024 * 1024
"""Maximum length of the central directory, which is read as a whole, in bytes."""
MOST_FOLDER_DEPTH: Final = 20
"""Maximum depth of folders in a bundle."""
_FILE_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a bundle, so that equal campaigns give equal bundles."""
_SIZE_LIMITS_BY_FOLDER: Final[Mapping[str, Mapping[str, int]]] = {
    "": {".yaml": MOST_BYTES},
    "characters": {".yaml": MOST_BYTES},
    "journal": {".md": MOST_PAGE_BYTES},
    "notes": {".md": MOST_PAGE_BYTES},
    "art": {".yaml": MOST_BYTES, **dict.fromkeys(sorted(PICTURE_ENDINGS), MOST_PICTURE)},
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
    ignored_paths: list[str]


def size_limit(relative_name: str) -> int:
    """Maximum size of a file of a campaign, by its name in the folder; 0 if a campaign has no such file."""
    path = PurePosixPath(relative_name)
    folder = "" if len(path.parts) == 1 else path.parts[0]
    if len(path.parts) > 2 or path.name.startswith(".") or portable_name(path.name) != path.name:
        return 0
    return _SIZE_LIMITS_BY_FOLDER.get(folder, {}).get(path.suffix.casefold(), 0)


def collect_files(folder: Path) -> dict[str, bytes]:
    """The files of a campaign with their contents, by name in the folder. Links are not followed.

    Raises:
        OSError: if a file cannot be read.
    """
    content_by_name: dict[str, bytes] = {}
    for subfolder in _SIZE_LIMITS_BY_FOLDER:
        subfolder_path = folder / subfolder
        if subfolder_path.is_symlink() or not subfolder_path.is_dir():
            continue
        for file in sorted(subfolder_path.iterdir()):
            relative_name = f"{subfolder}/{file.name}" if subfolder else file.name
            max_bytes = size_limit(relative_name)
            if max_bytes and file.is_file() and not file.is_symlink():
                content_by_name[relative_name] = read_file(file, max_bytes)
    return content_by_name


def pack_bundle(campaigns: Mapping[str, Mapping[str, bytes]]) -> bytes:
    """A bundle of campaigns: a folder for each, with its files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for campaign_name, content_by_path in campaigns.items():
            for relative_path, file_bytes in content_by_path.items():
                zip_info = zipfile.ZipInfo(
                    f"{portable_name(campaign_name)}/{relative_path}", _FILE_TIME
                )
                zip_info.external_attr = (stat.S_IFREG | 0o644) << 16
                zip_info.compress_type = zipfile.ZIP_DEFLATED
                zip_file.writestr(zip_info, file_bytes)
    return buffer.getvalue()


def read_bundle(zip_source: bytes | BinaryIO, default_name: str = "") -> Bundle:
    """Read a bundle.

    Args:
        zip_source: the zip file.
        default_name: name of a campaign whose files are in no folder.

    Raises:
        BadBundle: if it is no bundle, has no campaign, or exceeds a limit.
    """
    stream = io.BytesIO(zip_source) if isinstance(zip_source, bytes) else zip_source
    stream.seek(0, io.SEEK_END)
    if stream.tell() > MOST_PACKED_BYTES:
        raise BadBundle(f"it is larger than {size_in_words(MOST_PACKED_BYTES)}")
    try:
        if _directory_length(stream) > MOST_DIRECTORY_BYTES:
            raise BadBundle(
                f"its list of files is longer than {size_in_words(MOST_DIRECTORY_BYTES)}"
            )
        with zipfile.ZipFile(stream) as zip_file:
            return _sort_into_campaigns(_read_zip(zip_file), default_name)
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
    end_record_size, zip64_record_size, zip64_locator_size = 22, 56, 20
    file_size = stream.seek(0, io.SEEK_END)
    stream.seek(
        max(file_size - (1 << 16) - end_record_size - zip64_record_size - zip64_locator_size, 0)
    )
    file_end = stream.read()
    end_record_offset = len(file_end) - end_record_size
    if file_end[end_record_offset : end_record_offset + 4] != b"PK\5\6" or file_end[-2:] != b"\0\0":
        end_record_offset = file_end.rfind(b"PK\5\6")
    if end_record_offset < 0 or end_record_offset + end_record_size > len(file_end):
        return 0
    (directory_length,) = struct.unpack_from("<L", file_end, end_record_offset + 12)
    zip64_offset = end_record_offset - zip64_locator_size - zip64_record_size
    if zip64_offset >= 0 and file_end[zip64_offset : zip64_offset + 4] == b"PK\6\6":
        directory_length = max(
            directory_length, *struct.unpack_from("<Q", file_end, zip64_offset + 40)
        )
    return int(directory_length)


def _too_many_message(noun: str, limit: int) -> str:
    return f"there are more than {limit:,} {noun} in it"


def bundle_of_files(content_by_given_path: Mapping[str, bytes], default_name: str = "") -> Bundle:
    """Read a folder of uploaded files, like :func:`read_bundle` a zip."""
    if sum(map(len, content_by_given_path.values())) > MOST_UNPACKED_BYTES:
        raise BadBundle(f"there is more than {size_in_words(MOST_UNPACKED_BYTES)} in it")
    content_by_path = {
        path: content
        for given_path, content in content_by_given_path.items()
        if (path := _normal_path(given_path)) is not None
    }
    return _sort_into_campaigns(content_by_path, default_name)


def _read_zip(zip_file: zipfile.ZipFile) -> dict[str, bytes]:
    content_by_path: dict[str, bytes] = {}
    for path, file_bytes in _files_in_zip(zip_file):
        if path in content_by_path:
            raise BadBundle(f"two files in it have one name: '{path}'")
        content_by_path[path] = file_bytes
    return content_by_path


def _files_in_zip(zip_file: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """The files of a zip that may belong to a campaign: normalised paths, and contents."""
    bytes_left = MOST_UNPACKED_BYTES
    members = zip_file.infolist()
    if len(members) > 4 * MOST_FILES:
        raise BadBundle(_too_many_message("files", 4 * MOST_FILES))
    for member in members:
        path = _normal_path(member.filename)
        file_type = stat.S_IFMT(member.external_attr >> 16)
        if path is None or member.is_dir() or file_type not in (0, stat.S_IFREG):
            continue
        if member.flag_bits & 1:
            raise BadBundle("it is encrypted", "unpack it, and hand over the folder")
        max_bytes = _size_limit_below_any_folder(path)
        if not max_bytes:
            yield path, b""
            continue
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadBundle(
                f"'{path}' in it is packed in a way that is not opened here",
                "unpack it, and hand over the folder",
            )
        # The size it claims is not trusted.
        with zip_file.open(member) as stream:
            file_bytes = stream.read(min(max_bytes, bytes_left) + 1)
        if len(file_bytes) > max_bytes:
            raise BadBundle(f"'{path}' in it is larger than {size_in_words(max_bytes)}")
        bytes_left -= len(file_bytes)
        if bytes_left < 0:
            raise BadBundle(f"there is more than {size_in_words(MOST_UNPACKED_BYTES)} in it")
        yield path, file_bytes


def _normal_path(given_path: str) -> str | None:
    """A path in a bundle in normal form; None if it leads elsewhere."""
    path = unicodedata.normalize("NFC", given_path.replace("\\", "/"))
    path_parts = [path_part for path_part in path.split("/") if path_part != "."]
    if (
        path.startswith("/")
        or ":" in path
        or not all(path_parts)
        or ".." in path_parts
        or path_parts[MOST_FOLDER_DEPTH:]
    ):
        return None
    return (
        "/".join(path_parts)
        if all(portable_name(path_part) == path_part for path_part in path_parts)
        else None
    )


def _size_limit_below_any_folder(path: str) -> int:
    """Maximum size of a file, for every possible parent folder."""
    path_parts = path.split("/")
    return max(size_limit("/".join(path_parts[-2:])), size_limit(path_parts[-1]))


def _sort_into_campaigns(content_by_path: dict[str, bytes], default_name: str) -> Bundle:
    """Assign the files to campaigns."""
    settings_folders = sorted(
        (
            path.rpartition("/")[0]
            for path in content_by_path
            if path.rpartition("/")[2] == SETTINGS_FILE
        ),
        key=lambda folder: (folder.count("/"), folder),
    )
    name_by_folder: dict[str, str] = {}
    used_names: set[str] = set()
    count_by_stem: Counter[str] = Counter()
    for folder in settings_folders:
        if _campaign_folder_of(folder, name_by_folder) is None:
            stem = campaign_name = folder.rpartition("/")[2] or portable_name(
                default_name or "campaign"
            )
            while campaign_name.casefold() in used_names:
                count_by_stem[stem] += 1
                campaign_name = f"{stem}-{count_by_stem[stem] + 1}"
            used_names.add(campaign_name.casefold())
            name_by_folder[folder] = campaign_name
    if len(name_by_folder) > MOST_CAMPAIGNS:
        raise BadBundle(_too_many_message("campaigns", MOST_CAMPAIGNS), "hand them over in several")
    if not name_by_folder:
        raise BadBundle(
            f"there is no campaign in it: no '{SETTINGS_FILE}'",
            "the desk exports campaigns as they can be received",
        )
    contents_by_campaign: dict[str, dict[str, bytes]] = {
        campaign_name: {} for campaign_name in name_by_folder.values()
    }
    ignored_paths: list[str] = []
    folded_paths: set[tuple[str, str]] = set()
    for path, file_bytes in sorted(content_by_path.items()):
        campaign_folder = _campaign_folder_of(path.rpartition("/")[0], name_by_folder)
        relative_path = path[len(campaign_folder) + 1 if campaign_folder else 0 :]
        if (
            campaign_folder is None
            or not size_limit(relative_path)
            or len(file_bytes) > size_limit(relative_path)
        ):
            ignored_paths.append(path)
            continue
        campaign_name = name_by_folder[campaign_folder]
        # Most systems ignore letter case: one of two files would overwrite the other.
        if (campaign_name, relative_path.casefold()) in folded_paths:
            raise BadBundle(f"two files in it have one name: '{path}'")
        folded_paths.add((campaign_name, relative_path.casefold()))
        contents_by_campaign[campaign_name][relative_path] = file_bytes
    return Bundle(contents_by_campaign, ignored_paths)


def _campaign_folder_of(folder: str, campaign_folders: Mapping[str, str]) -> str | None:
    """The folder of the campaign that contains a folder, or None."""
    while folder not in campaign_folders:
        if not folder:
            return None
        folder = folder.rpartition("/")[0]
    return folder
