"""Pictures as they may be published: what their name says they are, and nothing that came along.

A photograph tells where and when it was taken, with what, and often shows in its own small preview what
was cut away. All this goes, byte by byte, without touching the picture; only which side is up stays.
Drawings are made anew (``drawings.py``).
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

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


def _jpeg(data: bytes) -> bytes:
    kept: list[bytes] = []
    orientation = 1
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
            kept.append(_segment(0xE0, body[:12].ljust(12, b"\0") + b"\0\0"))
        elif not (0xE0 <= marker <= 0xEF or marker == 0xFE) or body.startswith(
            (b"ICC_PROFILE\0", b"Adobe")
        ):
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
    first = 1 if kept and kept[0][1] == 0xE0 else 0
    if exif:
        kept.insert(first, _segment(0xE1, b"Exif\0\0" + exif))
    return b"\xff\xd8" + b"".join(kept) + b"\xff\xd9"


def _segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


_PNG_KEPT: Final = frozenset(
    (
        *(b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB"),
        *(b"cICP", b"mDCV", b"cLLI", b"bKGD", b"hIST", b"pHYs", b"sPLT", b"acTL", b"fcTL", b"fdAT"),
    )
)


def _png(data: bytes) -> bytes:
    kept = [data[:8]]
    at = 8
    while True:
        length, name = struct.unpack_from(">I4s", data, at)
        end = at + 12 + length
        if end > len(data):
            raise ValueError
        if name in _PNG_KEPT:
            kept.append(data[at:end])
        elif name == b"eXIf":
            body = _exif(_orientation(data[at + 8 : end - 4]))
            if body:
                check = struct.pack(">I", zlib.crc32(name + body))
                kept.append(struct.pack(">I", len(body)) + name + body + check)
        if name == b"IEND":
            return b"".join(kept)
        at = end


_WEBP_KEPT: Final = frozenset((b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"))


def _webp(data: bytes) -> bytes:
    (size,) = struct.unpack_from("<I", data, 4)
    end = min(len(data), 8 + size)
    kept: list[tuple[bytes, bytes]] = []
    exif = b""
    at = 12
    while at + 8 <= end:
        name, length = struct.unpack_from("<4sI", data, at)
        body = data[at + 8 : at + 8 + length]
        if len(body) != length:
            raise ValueError
        if name == b"EXIF":
            exif = _exif(_orientation(body.removeprefix(b"Exif\0\0")))
        elif name in _WEBP_KEPT:
            kept.append((name, body))
        at += 8 + length + length % 2
    if not kept:
        raise ValueError
    if kept[0][0] == b"VP8X":
        # The flags say that EXIF (8) and XMP (4) are there.
        flags = kept[0][1][0] & ~0x0C | (0x08 if exif else 0)
        kept[0] = b"VP8X", bytes([flags]) + kept[0][1][1:]
        if exif:
            kept.append((b"EXIF", exif))
    chunks = b"".join(
        struct.pack("<4sI", name, len(body)) + body + b"\0" * (len(body) % 2) for name, body in kept
    )
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


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
            loops = data[at + 3 : at + 14] in (b"NETSCAPE2.0", b"ANIMEXTS1.0")
            at = _blocks(data, at + 2)
            # Text laid over the picture (1), how long a frame stands (0xF9), how often it repeats.
            if label in (0x01, 0xF9) or (label == 0xFF and loops):
                kept.append(data[start:at])
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


def _avif(data: bytes) -> bytes:
    """AVIF has its metadata woven in, so one that has any is not published.

    Raises:
        Refused: when it has.
    """
    for name, body in _boxes(data):
        if name == b"meta" and (b"Exif" in body or b"rdf+xml" in body):
            raise Refused(
                "this AVIF tells where, when or with what it was made",
                "save it without metadata, or as JPEG, PNG or WebP: there it is taken out",
            )
    return data


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        if length == 1:
            (length,) = struct.unpack_from(">Q", data, at + 8)
        end = len(data) if length == 0 else at + length
        if end < at + 8 or end > len(data):
            raise ValueError
        yield name, data[at:end]
        at = end


KINDS: Final[Mapping[str, Kind]] = {
    "png": Kind("PNG", (".png",), _png),
    "jpeg": Kind("JPEG", (".jpg", ".jpeg"), _jpeg),
    "gif": Kind("GIF", (".gif",), _gif),
    "webp": Kind("WebP", (".webp",), _webp),
    "avif": Kind("AVIF", (".avif",), _avif),
}
