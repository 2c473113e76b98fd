"""Pictures for publication: their kind is checked, and their metadata is removed.

A photograph can tell where, when and with what it was taken, and its preview may show parts that were cut
away. So only parts are kept that drawing needs, with known lengths. The pixels and the orientation do not
change. Drawings are handled in ``drawings.py``."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from chronicle.core.colour_profiles import strip_texts
from chronicle.core.drawings import PictureRefused as PictureRefused
from chronicle.core.drawings import sanitize_drawing

MAX_PICTURE_BYTES: Final = 32 * 1024 * 1024
"""The largest picture that is published, in bytes."""
IDENTIFYING_BYTES: Final = 64
"""Number of bytes that identify the kind of a photograph."""


class PictureKind(NamedTuple):
    """A kind of picture: its name, its file endings, and the function that removes metadata."""

    name: str
    endings: tuple[str, ...]
    clean: Callable[[bytes], bytes]


def picture_kind(data: bytes) -> PictureKind | None:
    """The kind of a photograph by its first bytes; None if unknown."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return KINDS["png"]
    if data.startswith(b"\xff\xd8\xff"):
        return KINDS["jpeg"]
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return KINDS["gif"]
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return KINDS["webp"]
    brands = data[8:IDENTIFYING_BYTES] if data[4:8] == b"ftyp" else b""
    if b"avif" in brands or b"avis" in brands:
        return KINDS["avif"]
    return None


def publishable_bytes(ending: str, data: bytes) -> bytes:
    """The bytes of a picture for publication.

    Args:
        ending: the end of its name (``.png``).
        data: the content of its file.

    Raises:
        Refused: if it is not of the kind its name says, is damaged, or cannot be made safe.
    """
    if len(data) > MAX_PICTURE_BYTES:
        raise PictureRefused(
            f"this picture is larger than {MAX_PICTURE_BYTES // 1024 // 1024} MB", "make it smaller"
        )
    if ending.casefold() == ".svg":
        return sanitize_drawing(data).data
    kind = check_picture_kind(ending, data)
    try:
        return kind.clean(data)
    except (struct.error, IndexError, ValueError):
        raise PictureRefused(
            f"this {kind.name} is damaged", "open it in a program for pictures and save it again"
        ) from None


def check_picture_kind(ending: str, data: bytes) -> PictureKind:
    """The kind of a photograph; its first bytes are enough.

    Raises:
        Refused: if the kind does not match the end of its name.
    """
    kind = picture_kind(data)
    if kind is None:
        raise PictureRefused(
            f"this is no picture, although its name ends in {ending}",
            "only PNG, JPEG, WebP, GIF, AVIF and SVG are published",
        )
    if ending.casefold() not in kind.endings:
        raise PictureRefused(
            f"this is a {kind.name}, and its name ends in {ending}",
            f"let its name end in {kind.endings[0]}",
        )
    return kind


# -- how large it is -------------------------------------------------------------------------------

_ROOT = re.compile(rb"<svg\b[^>]*>")
_VIEW_BOX = re.compile(rb"""\bviewBox=["']\s*\S+?[\s,]+\S+?[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']""")
_SIDE = rb"""\s%s=["']\s*([\d.]+)(?:px)?\s*["']"""
_SIDES = re.compile(_SIDE % b"width"), re.compile(_SIDE % b"height")
_FRAME_MARKERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The segments of a JPEG with its width and height."""


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a picture that ``publishable_bytes`` returned, in the orientation it is shown, so that a
    page can reserve its space; None if unknown."""
    try:
        kind = picture_kind(data)
        width_and_height = _SIZE_READERS[kind.name](data) if kind is not None else _svg_size(data)
    except (struct.error, IndexError, ValueError):
        return None
    return width_and_height if width_and_height is not None and min(width_and_height) > 0 else None


def _svg_size(data: bytes) -> tuple[int, int] | None:
    root = _ROOT.search(data)
    if root is None:
        return None
    side_matches = [match for side in _SIDES if (match := side.search(root[0]))]
    view_box = _VIEW_BOX.search(root[0])
    side_texts = (
        [length[1] for length in side_matches]
        if len(side_matches) == 2
        else view_box.groups()
        if view_box
        else ()
    )
    width, height = (float(side) for side in side_texts) if side_texts else (0.0, 0.0)
    # The unit of a small drawing is unknown: only the proportion counts.
    factor = 1 if min(width, height) >= 100 else 100
    return round(width * factor), round(height * factor)


def _turn_upright(sides: tuple[int, int], tiff: bytes) -> tuple[int, int]:
    return sides[::-1] if _orientation(tiff) > 4 else sides


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    tiff, offset = b"", 2
    while match := _MARKER.match(data, offset):
        marker, offset = match[1][0], match.end()
        (length,) = struct.unpack_from(">H", data, offset)
        if marker == 0xE1 and data.startswith(b"Exif\0\0", offset + 2):
            tiff = data[offset + 8 : offset + length]
        if marker in _FRAME_MARKERS:
            height, width = struct.unpack_from(">HH", data, offset + 3)
            return _turn_upright((width, height), tiff)
        offset += length
    return None


def _png_size(data: bytes) -> tuple[int, int]:
    offset = data.find(b"eXIf")
    return _turn_upright(
        struct.unpack_from(">II", data, 16), data[offset + 4 :] if offset > 0 else b""
    )


def _webp_size(data: bytes) -> tuple[int, int]:
    if data[12:16] == b"VP8X":
        sides = (
            1 + int.from_bytes(data[24:27], "little"),
            1 + int.from_bytes(data[27:30], "little"),
        )
        offset = data.rfind(b"EXIF")
        return _turn_upright(sides, data[offset + 8 :] if offset > 0 else b"")
    if data[12:16] == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _avif_size(data: bytes) -> tuple[int, int] | None:
    """The size of the largest picture in it; the others are its tiles. A rotated one gives its size
    elsewhere."""
    if b"irot" in data:
        return None
    offsets = (match.end() + 4 for match in re.finditer(b"ispe", data))
    return max((struct.unpack_from(">II", data, offset) for offset in offsets), default=None)


_SIZE_READERS: Final[Mapping[str, Callable[[bytes], tuple[int, int] | None]]] = {
    "PNG": _png_size,
    "JPEG": _jpeg_size,
    "GIF": lambda data: struct.unpack_from("<HH", data, 6),
    "WebP": _webp_size,
    "AVIF": _avif_size,
}

# -- which side is up ------------------------------------------------------------------------------


def _orientation(tiff: bytes) -> int:
    """The EXIF orientation of a picture (1 to 8); 1 if there is none."""
    byte_order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if byte_order is None:
        return 1
    try:
        (directory,) = struct.unpack_from(byte_order + "I", tiff, 4)
        (tag_count,) = struct.unpack_from(byte_order + "H", tiff, directory)
        for tag_offset in range(directory + 2, directory + 2 + 12 * min(tag_count, 200), 12):
            tag, value_type, value_count, value = struct.unpack_from(
                byte_order + "HHIH", tiff, tag_offset
            )
            if (tag, value_type, value_count) == (0x0112, 3, 1) and 1 <= value <= 8:
                return int(value)
    except struct.error:
        pass
    return 1


def _make_exif(orientation: int) -> bytes:
    """EXIF data with the orientation only; empty for the normal one."""
    if orientation == 1:
        return b""
    return b"MM\0*\0\0\0\x08\0\x01" + struct.pack(">HHIHHI", 0x0112, 3, 1, orientation, 0, 0)


# -- one function a kind ---------------------------------------------------------------------------

_MARKER = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
_NEXT_MARKER = re.compile(rb"\xff+([^\x00\xff\xd0-\xd7])", re.DOTALL)
_JPEG_SEGMENTS: Final = _FRAME_MARKERS | {0xC4, 0xCC, 0xDA, 0xDB, 0xDC, 0xDD}
"""Frames, tables and scans (ITU T.81, table B.1)."""
_PROFILE: Final = b"ICC_PROFILE\0"


def _clean_jpeg(data: bytes) -> bytes:
    segments: list[bytes] = []
    profile_parts: dict[int, bytes] = {}
    orientation = 1
    jfif = adobe = b""
    offset = 2
    while True:
        match = _MARKER.match(data, offset)
        if match is None:
            raise ValueError
        marker, offset = match[1][0], match.end()
        if marker == 0xD9:
            break
        (length,) = struct.unpack_from(">H", data, offset)
        body = data[offset + 2 : offset + length]
        if length < 2 or len(body) != length - 2:
            raise ValueError
        offset += length
        if marker == 0xE1 and body.startswith(b"Exif\0\0"):
            orientation = _orientation(body[6:])
        elif marker == 0xE0 and body.startswith(b"JFIF\0"):
            # Its preview may show parts that were cut away.
            jfif = _make_segment(0xE0, body[:12].ljust(12, b"\0") + b"\0\0")
        elif marker == 0xEE and body.startswith(b"Adobe") and len(body) >= 12:
            # The colour transform, without further data.
            adobe = _make_segment(0xEE, body[:12])
        elif marker == 0xE2 and body.startswith(_PROFILE) and len(body) > 14:
            profile_parts[body[12]] = body[14:]
        elif marker in _JPEG_SEGMENTS:
            segments.append(_make_segment(marker, body))
        if marker == 0xDA:
            next_marker = _NEXT_MARKER.search(data, offset)
            if next_marker is None:
                # The file is truncated; browsers show the part that exists.
                segments.append(data[offset:])
                break
            segments.append(data[offset : next_marker.start()])
            offset = next_marker.start()
    exif = _make_exif(orientation)
    head = [
        jfif,
        _make_segment(0xE1, b"Exif\0\0" + exif) if exif else b"",
        *_profile_segments(profile_parts),
        adobe,
    ]
    return b"\xff\xd8" + b"".join([*head, *segments]) + b"\xff\xd9"


def _profile_segments(parts: Mapping[int, bytes]) -> Iterator[bytes]:
    """The segments of a colour profile, which may need several."""
    if [*sorted(parts)] != [*range(1, len(parts) + 1)]:
        return
    profile = strip_texts(b"".join(parts[number] for number in sorted(parts)))
    part_size = 0xFFFF - 2 - len(_PROFILE) - 2
    part_count = -(-len(profile) // part_size)
    for number in range(part_count):
        part = profile[number * part_size : (number + 1) * part_size]
        yield _make_segment(0xE2, _PROFILE + bytes([number + 1, part_count]) + part)


def _make_segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


_PNG_CHUNKS: Final[Mapping[bytes, int]] = {
    **dict.fromkeys((b"IDAT", b"fdAT"), MAX_PICTURE_BYTES),
    b"IHDR": 13,
    b"PLTE": 768,
    b"tRNS": 256,
    b"IEND": 0,
    b"acTL": 8,
    b"fcTL": 26,
    b"cHRM": 32,
    b"gAMA": 4,
    b"sRGB": 1,
    b"cICP": 4,
    b"mDCV": 24,
    b"cLLI": 8,
}
"""The chunks of a PNG that draw or define its colours, with the maximum length of each."""
MOST_PROFILE: Final = 4 * 1024 * 1024
"""The largest colour profile, in bytes."""


def _clean_png(data: bytes) -> bytes:
    chunks = [data[:8]]
    offset = 8
    while True:
        length, name = struct.unpack_from(">I4s", data, offset)
        end = offset + 12 + length
        if end > len(data):
            raise ValueError
        body = data[offset + 8 : end - 4]
        if name == b"eXIf":
            body = _make_exif(_orientation(body))
        elif name == b"iCCP":
            body = _clean_png_profile(body)
        elif length > _PNG_CHUNKS.get(name, -1):
            body = b""
        if body or name == b"IEND":
            checksum = struct.pack(">I", zlib.crc32(name + body))
            chunks.append(struct.pack(">I", len(body)) + name + body + checksum)
        if name == b"IEND":
            return b"".join(chunks)
        offset = end


def _clean_png_profile(body: bytes) -> bytes:
    """The chunk of a colour profile, reduced to its numbers, without its name; empty if it is damaged."""
    _, _, compressed_profile = body.partition(b"\0")
    try:
        profile = strip_texts(zlib.decompressobj().decompress(compressed_profile[1:], MOST_PROFILE))
    except zlib.error:
        return b""
    return b"icc\0\0" + zlib.compress(profile, 9) if profile else b""


_WEBP_CHUNKS: Final[Mapping[bytes, int]] = {
    **dict.fromkeys((b"VP8 ", b"VP8L", b"ALPH"), MAX_PICTURE_BYTES),
    b"VP8X": 10,
    b"ANIM": 6,
}
"""The chunks of a WebP that draw, with the maximum length of each."""
_WEBP_FRAME_HEADER: Final = 16
"""Number of header bytes of an animation frame."""


def _clean_webp(data: bytes) -> bytes:
    (riff_size,) = struct.unpack_from("<I", data, 4)
    kept_chunks: list[tuple[bytes, bytes]] = []
    exif = b""
    for name, body in _read_chunks(data[12 : 8 + riff_size]):
        if name == b"EXIF":
            exif = _make_exif(_orientation(body.removeprefix(b"Exif\0\0")))
        elif name == b"ICCP":
            profile = strip_texts(body)
            if profile:
                kept_chunks.append((name, profile))
        elif name == b"ANMF":
            frame_chunks = _read_chunks(body[_WEBP_FRAME_HEADER:])
            drawn_chunks = [
                chunk for chunk in frame_chunks if chunk[0] in (b"ALPH", b"VP8 ", b"VP8L")
            ]
            kept_chunks.append((name, body[:_WEBP_FRAME_HEADER] + _join_chunks(drawn_chunks)))
        elif len(body) <= _WEBP_CHUNKS.get(name, -1):
            kept_chunks.append((name, body))
    if not kept_chunks:
        raise ValueError
    if kept_chunks[0][0] == b"VP8X":
        # The flags for a profile (32), EXIF (8) and XMP (4).
        flags = kept_chunks[0][1][0] & ~0x2C | (0x08 if exif else 0)
        if any(name == b"ICCP" for name, _ in kept_chunks):
            flags |= 0x20
        kept_chunks[0] = b"VP8X", bytes([flags]) + kept_chunks[0][1][1:]
        if exif:
            kept_chunks.append((b"EXIF", exif))
    chunks = _join_chunks(kept_chunks)
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def _read_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a RIFF file."""
    offset = 0
    while offset + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, offset)
        body = data[offset + 8 : offset + 8 + length]
        if len(body) != length:
            raise ValueError
        yield name, body
        offset += 8 + length + length % 2


def _join_chunks(chunks: Iterable[tuple[bytes, bytes]]) -> bytes:
    return b"".join(
        struct.pack("<4sI", name, len(body)) + body + b"\0" * (len(body) % 2)
        for name, body in chunks
    )


def _clean_gif(data: bytes) -> bytes:
    offset = 13 + _colour_table_length(data[10])
    blocks = [data[:offset]]
    while True:
        start, block_type = offset, data[offset]
        if block_type == 0x3B:
            break
        if block_type == 0x2C:
            offset = _end_of_blocks(data, offset + 10 + _colour_table_length(data[offset + 9]) + 1)
            blocks.append(data[start:offset])
        elif block_type == 0x21:
            extension_label = data[offset + 1]
            application_block = data[offset + 2 : offset + 17]
            offset = _end_of_blocks(data, offset + 2)
            # The duration of a frame, and the number of repetitions; each has a fixed length.
            if extension_label == 0xF9 and data[start + 2] == 4:
                blocks.append(data[start : start + 7] + b"\0")
            elif extension_label == 0xFF and application_block in (
                b"\x0bNETSCAPE2.0\3\1",
                b"\x0bANIMEXTS1.0\3\1",
            ):
                blocks.append(data[start : start + 19] + b"\0")
        else:
            raise ValueError
    return b"".join(blocks) + b";"


def _colour_table_length(flags: int) -> int:
    """The length of a colour table in bytes."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _end_of_blocks(data: bytes, offset: int) -> int:
    """The offset after a chain of blocks."""
    while data[offset]:
        offset += data[offset] + 1
    return offset + 1


_AVIF_CONTAINERS: Final = frozenset((b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"iprp"))
"""The boxes of an AVIF that only hold other boxes."""
_AVIF_BOXES: Final = frozenset(
    (
        *(b"ftyp", b"mdat", b"pitm", b"iloc", b"iref", b"idat", b"infe", b"ipma", b"dinf", b"grpl"),
        *(b"ispe", b"pixi", b"av1C", b"auxC", b"irot", b"imir", b"clap", b"pasp", b"a1op", b"a1lx"),
        *(b"lsel", b"clli", b"mdcv", b"cclv", b"mvhd", b"tkhd", b"mdhd", b"vmhd", b"stsd", b"stts"),
        *(b"stsc", b"stsz", b"stz2", b"stco", b"co64", b"ctts", b"stss", b"elst", b"sbgp", b"sgpd"),
    )
)
"""The boxes that draw."""
_AVIF_ITEMS: Final = frozenset((b"av01", b"grid", b"iovl", b"iden", b"tmap"))
"""The items that draw."""


def _clean_avif(data: bytes) -> bytes:
    """Remove metadata from an AVIF. It refers to its parts by offset, so nothing may move: a box that is not
    needed keeps its length and is filled with zeros.

    Raises:
        Refused: if metadata cannot be separated.
    """
    return b"".join(_clean_avif_boxes(data))


def _clean_avif_boxes(data: bytes) -> Iterator[bytes]:
    for name, header, body in _read_boxes(data):
        if name in _AVIF_CONTAINERS or name == b"ipco":
            yield header + b"".join(_clean_avif_boxes(body))
        elif name == b"meta":
            yield header + body[:4] + b"".join(_clean_avif_boxes(body[4:]))
        elif name == b"iinf":
            # The count of items has two bytes, or four in later versions.
            header_length = 6 if body[:1] == b"\0" else 8
            yield header + body[:header_length] + b"".join(_clean_avif_boxes(body[header_length:]))
        elif name == b"infe":
            yield header + _clean_avif_item(body)
        elif name == b"hdlr":
            yield header + body[:24].ljust(len(body), b"\0")
        elif name == b"colr":
            is_profile = body[:4] in (b"prof", b"rICC")
            yield header + (
                body[:4] + strip_texts(body[4:]).ljust(len(body) - 4, b"\0")
                if is_profile
                else body[:11].ljust(len(body), b"\0")
            )
        elif name in _AVIF_BOXES:
            yield header + body
        else:
            yield header[:4] + b"free" + b"\0" * (len(header) + len(body) - 8)


def _clean_avif_item(body: bytes) -> bytes:
    """The description of an item of an AVIF: its kind, without its name.

    Raises:
        Refused: if the item does not draw.
    """
    offset = {2: 8, 3: 10}.get(body[0], 0)
    if not offset or body[offset : offset + 4] not in _AVIF_ITEMS:
        raise PictureRefused(
            "this AVIF tells where, when or with what it was made",
            "save it without metadata, or as JPEG, PNG or WebP: there it is taken out",
        )
    return body[: offset + 4].ljust(len(body), b"\0")


def _read_boxes(data: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The boxes of an AVIF: name, header and content of each."""
    offset = 0
    while offset < len(data):
        length, name = struct.unpack_from(">I4s", data, offset)
        header_length = 8
        if length == 1:
            header_length = 16
            (length,) = struct.unpack_from(">Q", data, offset + 8)
        end = len(data) if length == 0 else offset + length
        if end < offset + header_length or end > len(data):
            raise ValueError
        yield name, data[offset : offset + header_length], data[offset + header_length : end]
        offset = end


KINDS: Final[Mapping[str, PictureKind]] = {
    "png": PictureKind("PNG", (".png",), _clean_png),
    "jpeg": PictureKind("JPEG", (".jpg", ".jpeg"), _clean_jpeg),
    "gif": PictureKind("GIF", (".gif",), _clean_gif),
    "webp": PictureKind("WebP", (".webp",), _clean_webp),
    "avif": PictureKind("AVIF", (".avif",), _clean_avif),
}
