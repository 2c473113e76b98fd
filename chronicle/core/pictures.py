"""Pictures as they may be published: what their name says they are, and nothing that came along.

A photograph tells where and when it was taken, with what, and often shows in its own small preview what
was cut away. So only those parts of a file are kept that it cannot be drawn without, as far as each says
how long it is: nobody knows all the others. The picture itself is not touched, and which side is up stays.
Drawings are made anew (``drawings.py``).
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from chronicle.core.colour_profiles import without_words
from chronicle.core.drawings import Refused as Refused
from chronicle.core.drawings import drawing

MOST: Final = 32 * 1024 * 1024
"""The largest picture that is published, in bytes."""
ENOUGH: Final = 64
"""How many bytes of a photograph tell its kind."""


class Kind(NamedTuple):
    """A kind of picture: how it is called, how its files end, and how one without its secrets is made."""

    name: str
    endings: tuple[str, ...]
    clean: Callable[[bytes], bytes]


def kind_of(data: bytes) -> Kind | None:
    """The kind of a photograph by its first bytes; None if it is none that we know."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return KINDS["png"]
    if data.startswith(b"\xff\xd8\xff"):
        return KINDS["jpeg"]
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return KINDS["gif"]
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return KINDS["webp"]
    brands = data[8:ENOUGH] if data[4:8] == b"ftyp" else b""
    if b"avif" in brands or b"avis" in brands:
        return KINDS["avif"]
    return None


def publishable(ending: str, data: bytes) -> bytes:
    """The bytes of a picture as the site shows them.

    Args:
        ending: the end of its name (``.png``).
        data: all that its file holds.

    Raises:
        Refused: when it is not what its name says, is damaged, or cannot be made harmless.
    """
    if len(data) > MOST:
        raise Refused(f"this picture is larger than {MOST // 1024 // 1024} MB", "make it smaller")
    if ending.casefold() == ".svg":
        return drawing(data).data
    kind = expect(ending, data)
    try:
        return kind.clean(data)
    except (struct.error, IndexError, ValueError):
        raise Refused(
            f"this {kind.name} is damaged", "open it in a program for pictures and save it again"
        ) from None


def expect(ending: str, data: bytes) -> Kind:
    """The kind of a photograph, of which the first bytes are enough.

    Raises:
        Refused: when that is not what the end of its name says.
    """
    kind = kind_of(data)
    if kind is None:
        raise Refused(
            f"this is no picture, although its name ends in {ending}",
            "only PNG, JPEG, WebP, GIF, AVIF and SVG are published",
        )
    if ending.casefold() not in kind.endings:
        raise Refused(
            f"this is a {kind.name}, and its name ends in {ending}",
            f"let its name end in {kind.endings[0]}",
        )
    return kind


# -- how large it is -------------------------------------------------------------------------------

_ROOT = re.compile(rb"<svg\b[^>]*>")
_VIEW = re.compile(rb"""\bviewBox=["']\s*\S+?[\s,]+\S+?[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']""")
_SIDE = rb"""\s%s=["']\s*([\d.]+)(?:px)?\s*["']"""
_SIDES = re.compile(_SIDE % b"width"), re.compile(_SIDE % b"height")
_FRAME: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The segments of a JPEG that say how large it is."""


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height of a picture that ``publishable`` gave, the way up it is shown, so that a page can
    keep its place; None where it does not say."""
    try:
        kind = kind_of(data)
        sides = _MEASURES[kind.name](data) if kind is not None else _drawn(data)
    except (struct.error, IndexError, ValueError):
        return None
    return sides if sides is not None and min(sides) > 0 else None


def _drawn(data: bytes) -> tuple[int, int] | None:
    root = _ROOT.search(data)
    if root is None:
        return None
    given = [found for side in _SIDES if (found := side.search(root[0]))]
    view = _VIEW.search(root[0])
    sides = [one[1] for one in given] if len(given) == 2 else view.groups() if view else ()
    width, height = (float(side) for side in sides) if sides else (0.0, 0.0)
    # What is drawn in small numbers is no smaller: only their proportion counts.
    times = 1 if min(width, height) >= 100 else 100
    return round(width * times), round(height * times)


def _upright(sides: tuple[int, int], tiff: bytes) -> tuple[int, int]:
    return sides[::-1] if _orientation(tiff) > 4 else sides


def _jpeg_sides(data: bytes) -> tuple[int, int] | None:
    tiff, at = b"", 2
    while match := _MARKER.match(data, at):
        marker, at = match[1][0], match.end()
        (length,) = struct.unpack_from(">H", data, at)
        if marker == 0xE1 and data.startswith(b"Exif\0\0", at + 2):
            tiff = data[at + 8 : at + length]
        if marker in _FRAME:
            height, width = struct.unpack_from(">HH", data, at + 3)
            return _upright((width, height), tiff)
        at += length
    return None


def _png_sides(data: bytes) -> tuple[int, int]:
    at = data.find(b"eXIf")
    return _upright(struct.unpack_from(">II", data, 16), data[at + 4 :] if at > 0 else b"")


def _webp_sides(data: bytes) -> tuple[int, int]:
    if data[12:16] == b"VP8X":
        sides = (
            1 + int.from_bytes(data[24:27], "little"),
            1 + int.from_bytes(data[27:30], "little"),
        )
        at = data.rfind(b"EXIF")
        return _upright(sides, data[at + 8 :] if at > 0 else b"")
    if data[12:16] == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _avif_sides(data: bytes) -> tuple[int, int] | None:
    """The largest picture in it: others are its tiles. One that is turned says so elsewhere."""
    if b"irot" in data:
        return None
    found = (match.end() + 4 for match in re.finditer(b"ispe", data))
    return max((struct.unpack_from(">II", data, at) for at in found), default=None)


_MEASURES: Final[Mapping[str, Callable[[bytes], tuple[int, int] | None]]] = {
    "PNG": _png_sides,
    "JPEG": _jpeg_sides,
    "GIF": lambda data: struct.unpack_from("<HH", data, 6),
    "WebP": _webp_sides,
    "AVIF": _avif_sides,
}

# -- which side is up ------------------------------------------------------------------------------


def _orientation(tiff: bytes) -> int:
    """Which way a picture is to be turned (1 to 8), by its EXIF; 1 if it does not say."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None:
        return 1
    try:
        (at,) = struct.unpack_from(order + "I", tiff, 4)
        (count,) = struct.unpack_from(order + "H", tiff, at)
        for entry in range(at + 2, at + 2 + 12 * min(count, 200), 12):
            tag, form, number, value = struct.unpack_from(order + "HHIH", tiff, entry)
            if (tag, form, number) == (0x0112, 3, 1) and 1 <= value <= 8:
                return int(value)
    except struct.error:
        pass
    return 1


def _exif(orientation: int) -> bytes:
    """EXIF that says which side is up, and nothing else; empty where nothing has to be said."""
    if orientation == 1:
        return b""
    return b"MM\0*\0\0\0\x08\0\x01" + struct.pack(">HHIHHI", 0x0112, 3, 1, orientation, 0, 0)


# -- one function a kind ---------------------------------------------------------------------------

_MARKER = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
_NEXT = re.compile(rb"\xff+([^\x00\xff\xd0-\xd7])", re.DOTALL)
_JPEG_KEPT: Final = _FRAME | {0xC4, 0xCC, 0xDA, 0xDB, 0xDC, 0xDD}
"""Frames, tables and scans (ITU T.81, table B.1)."""
_PROFILE: Final = b"ICC_PROFILE\0"


def _jpeg(data: bytes) -> bytes:
    kept: list[bytes] = []
    profile: dict[int, bytes] = {}
    orientation = 1
    jfif = adobe = b""
    at = 2
    while True:
        match = _MARKER.match(data, at)
        if match is None:
            raise ValueError
        marker, at = match[1][0], match.end()
        if marker == 0xD9:
            break
        (length,) = struct.unpack_from(">H", data, at)
        body = data[at + 2 : at + length]
        if length < 2 or len(body) != length - 2:
            raise ValueError
        at += length
        if marker == 0xE1 and body.startswith(b"Exif\0\0"):
            orientation = _orientation(body[6:])
        elif marker == 0xE0 and body.startswith(b"JFIF\0"):
            # Its preview may show what was cut away.
            jfif = _segment(0xE0, body[:12].ljust(12, b"\0") + b"\0\0")
        elif marker == 0xEE and body.startswith(b"Adobe") and len(body) >= 12:
            # How its colours are mixed, and nothing after it.
            adobe = _segment(0xEE, body[:12])
        elif marker == 0xE2 and body.startswith(_PROFILE) and len(body) > 14:
            profile[body[12]] = body[14:]
        elif marker in _JPEG_KEPT:
            kept.append(_segment(marker, body))
        if marker == 0xDA:
            following = _NEXT.search(data, at)
            if following is None:
                # Cut short; browsers show as much as there is.
                kept.append(data[at:])
                break
            kept.append(data[at : following.start()])
            at = following.start()
    exif = _exif(orientation)
    head = [jfif, _segment(0xE1, b"Exif\0\0" + exif) if exif else b"", *_profile(profile), adobe]
    return b"\xff\xd8" + b"".join([*head, *kept]) + b"\xff\xd9"


def _profile(parts: Mapping[int, bytes]) -> Iterator[bytes]:
    """The segments of a colour profile, which may need several."""
    if [*sorted(parts)] != [*range(1, len(parts) + 1)]:
        return
    whole = without_words(b"".join(parts[number] for number in sorted(parts)))
    size = 0xFFFF - 2 - len(_PROFILE) - 2
    many = -(-len(whole) // size)
    for number in range(many):
        part = whole[number * size : (number + 1) * size]
        yield _segment(0xE2, _PROFILE + bytes([number + 1, many]) + part)


def _segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


_PNG_KEPT: Final[Mapping[bytes, int]] = {
    **dict.fromkeys((b"IDAT", b"fdAT"), MOST),
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
"""The chunks of a PNG that draw or say how its colours are meant, and how long each is at most."""
MOST_PROFILE: Final = 4 * 1024 * 1024
"""The largest colour profile, in bytes."""


def _png(data: bytes) -> bytes:
    kept = [data[:8]]
    at = 8
    while True:
        length, name = struct.unpack_from(">I4s", data, at)
        end = at + 12 + length
        if end > len(data):
            raise ValueError
        body = data[at + 8 : end - 4]
        if name == b"eXIf":
            body = _exif(_orientation(body))
        elif name == b"iCCP":
            body = _png_profile(body)
        elif length > _PNG_KEPT.get(name, -1):
            body = b""
        if body or name == b"IEND":
            check = struct.pack(">I", zlib.crc32(name + body))
            kept.append(struct.pack(">I", len(body)) + name + body + check)
        if name == b"IEND":
            return b"".join(kept)
        at = end


def _png_profile(body: bytes) -> bytes:
    """The chunk of a colour profile, without its name and with its figures alone; empty if it is none."""
    _, _, packed = body.partition(b"\0")
    try:
        profile = without_words(zlib.decompressobj().decompress(packed[1:], MOST_PROFILE))
    except zlib.error:
        return b""
    return b"icc\0\0" + zlib.compress(profile, 9) if profile else b""


_WEBP_KEPT: Final[Mapping[bytes, int]] = {
    **dict.fromkeys((b"VP8 ", b"VP8L", b"ALPH"), MOST),
    b"VP8X": 10,
    b"ANIM": 6,
}
"""The chunks of a WebP that draw, and how long each is at most."""
_FRAME_OF_WEBP: Final = 16
"""How many bytes of an animation's frame stand above its own chunks."""


def _webp(data: bytes) -> bytes:
    (size,) = struct.unpack_from("<I", data, 4)
    kept: list[tuple[bytes, bytes]] = []
    exif = b""
    for name, body in _chunks(data[12 : 8 + size]):
        if name == b"EXIF":
            exif = _exif(_orientation(body.removeprefix(b"Exif\0\0")))
        elif name == b"ICCP":
            profile = without_words(body)
            if profile:
                kept.append((name, profile))
        elif name == b"ANMF":
            parts = _chunks(body[_FRAME_OF_WEBP:])
            drawn = [one for one in parts if one[0] in (b"ALPH", b"VP8 ", b"VP8L")]
            kept.append((name, body[:_FRAME_OF_WEBP] + _riff(drawn)))
        elif len(body) <= _WEBP_KEPT.get(name, -1):
            kept.append((name, body))
    if not kept:
        raise ValueError
    if kept[0][0] == b"VP8X":
        # The flags say that a profile (32), EXIF (8) and XMP (4) are there.
        flags = kept[0][1][0] & ~0x2C | (0x08 if exif else 0)
        if any(name == b"ICCP" for name, _ in kept):
            flags |= 0x20
        kept[0] = b"VP8X", bytes([flags]) + kept[0][1][1:]
        if exif:
            kept.append((b"EXIF", exif))
    chunks = _riff(kept)
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a RIFF file."""
    at = 0
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        body = data[at + 8 : at + 8 + length]
        if len(body) != length:
            raise ValueError
        yield name, body
        at += 8 + length + length % 2


def _riff(chunks: Iterable[tuple[bytes, bytes]]) -> bytes:
    return b"".join(
        struct.pack("<4sI", name, len(body)) + body + b"\0" * (len(body) % 2)
        for name, body in chunks
    )


def _gif(data: bytes) -> bytes:
    at = 13 + _colours(data[10])
    kept = [data[:at]]
    while True:
        start, kind = at, data[at]
        if kind == 0x3B:
            break
        if kind == 0x2C:
            at = _blocks(data, at + 10 + _colours(data[at + 9]) + 1)
            kept.append(data[start:at])
        elif kind == 0x21:
            label = data[at + 1]
            loops = data[at + 2 : at + 17]
            at = _blocks(data, at + 2)
            # How long a frame stands, and how often all of them repeat: each of one length.
            if label == 0xF9 and data[start + 2] == 4:
                kept.append(data[start : start + 7] + b"\0")
            elif label == 0xFF and loops in (b"\x0bNETSCAPE2.0\3\1", b"\x0bANIMEXTS1.0\3\1"):
                kept.append(data[start : start + 19] + b"\0")
        else:
            raise ValueError
    return b"".join(kept) + b";"


def _colours(flags: int) -> int:
    """The length of a table of colours."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _blocks(data: bytes, at: int) -> int:
    """Where a chain of blocks ends."""
    while data[at]:
        at += data[at] + 1
    return at + 1


_AVIF_AROUND: Final = frozenset((b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"iprp"))
"""The boxes of an AVIF that hold others and nothing else."""
_AVIF_KEPT: Final = frozenset(
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


def _avif(data: bytes) -> bytes:
    """AVIF says where each part of it begins, so nothing may move: a box that does not draw stays as long
    as it is, and is empty.

    Raises:
        Refused: when metadata is woven into it.
    """
    return b"".join(_avif_boxes(data))


def _avif_boxes(data: bytes) -> Iterator[bytes]:
    for name, head, body in _boxes(data):
        if name in _AVIF_AROUND or name == b"ipco":
            yield head + b"".join(_avif_boxes(body))
        elif name == b"meta":
            yield head + body[:4] + b"".join(_avif_boxes(body[4:]))
        elif name == b"iinf":
            # The count of items has two bytes, or four in later versions.
            above = 6 if body[:1] == b"\0" else 8
            yield head + body[:above] + b"".join(_avif_boxes(body[above:]))
        elif name == b"infe":
            yield head + _avif_item(body)
        elif name == b"hdlr":
            yield head + body[:24].ljust(len(body), b"\0")
        elif name == b"colr":
            profile = body[:4] in (b"prof", b"rICC")
            yield head + (
                body[:4] + without_words(body[4:]).ljust(len(body) - 4, b"\0")
                if profile
                else body[:11].ljust(len(body), b"\0")
            )
        elif name in _AVIF_KEPT:
            yield head + body
        else:
            yield head[:4] + b"free" + b"\0" * (len(head) + len(body) - 8)


def _avif_item(body: bytes) -> bytes:
    """What an AVIF says of one of its items: its kind, without its name.

    Raises:
        Refused: when it does not draw.
    """
    at = {2: 8, 3: 10}.get(body[0], 0)
    if not at or body[at : at + 4] not in _AVIF_ITEMS:
        raise Refused(
            "this AVIF tells where, when or with what it was made",
            "save it without metadata, or as JPEG, PNG or WebP: there it is taken out",
        )
    return body[: at + 4].ljust(len(body), b"\0")


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The boxes of an AVIF: the name of each, its head, and what is in it."""
    at = 0
    while at < len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        head = 8
        if length == 1:
            head = 16
            (length,) = struct.unpack_from(">Q", data, at + 8)
        end = len(data) if length == 0 else at + length
        if end < at + head or end > len(data):
            raise ValueError
        yield name, data[at : at + head], data[at + head : end]
        at = end


KINDS: Final[Mapping[str, Kind]] = {
    "png": Kind("PNG", (".png",), _png),
    "jpeg": Kind("JPEG", (".jpg", ".jpeg"), _jpeg),
    "gif": Kind("GIF", (".gif",), _gif),
    "webp": Kind("WebP", (".webp",), _webp),
    "avif": Kind("AVIF", (".avif",), _avif),
}
