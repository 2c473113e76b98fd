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

from chronicle.core.colour_profiles import strip_colour_profile
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


def picture_kind(picture_bytes: bytes) -> PictureKind | None:
    """The kind of a photograph by its first bytes; None if unknown."""
    if picture_bytes.startswith(b"\x89PNG\r\n\x1a\n"):
        return PICTURE_KINDS["png"]
    if picture_bytes.startswith(b"\xff\xd8\xff"):
        return PICTURE_KINDS["jpeg"]
    if picture_bytes[:6] in (b"GIF87a", b"GIF89a"):
        return PICTURE_KINDS["gif"]
    if picture_bytes[:4] == b"RIFF" and picture_bytes[8:12] == b"WEBP":
        return PICTURE_KINDS["webp"]
    brand_bytes = picture_bytes[8:IDENTIFYING_BYTES] if picture_bytes[4:8] == b"ftyp" else b""
    if b"avif" in brand_bytes or b"avis" in brand_bytes:
        return PICTURE_KINDS["avif"]
    return None


def publishable_bytes(file_ending: str, picture_bytes: bytes) -> bytes:
    """The bytes of a picture for publication.

    Args:
        file_ending: the end of its name (``.png``).
        picture_bytes: the content of its file.

    Raises:
        Refused: if it is not of the kind its name says, is damaged, or cannot be made safe.
    """
    if len(picture_bytes) > MAX_PICTURE_BYTES:
        raise PictureRefused(
            f"this picture is larger than {MAX_PICTURE_BYTES // 1024 // 1024} MB", "make it smaller"
        )
    if file_ending.casefold() == ".svg":
        return sanitize_drawing(picture_bytes).svg_bytes
    kind = check_picture_kind(file_ending, picture_bytes)
    try:
        return kind.clean(picture_bytes)
    except (struct.error, IndexError, ValueError):
        raise PictureRefused(
            f"this {kind.name} is damaged", "open it in a program for pictures and save it again"
        ) from None


def check_picture_kind(file_ending: str, picture_bytes: bytes) -> PictureKind:
    """The kind of a photograph; its first bytes are enough.

    Raises:
        Refused: if the kind does not match the end of its name.
    """
    kind = picture_kind(picture_bytes)
    if kind is None:
        raise PictureRefused(
            f"this is no picture, although its name ends in {file_ending}",
            "only PNG, JPEG, WebP, GIF, AVIF and SVG are published",
        )
    if file_ending.casefold() not in kind.endings:
        raise PictureRefused(
            f"this is a {kind.name}, and its name ends in {file_ending}",
            f"let its name end in {kind.endings[0]}",
        )
    return kind


# -- how large it is -------------------------------------------------------------------------------

_SVG_ROOT_TAG = re.compile(rb"<svg\b[^>]*>")
_VIEW_BOX = re.compile(rb"""\bviewBox=["']\s*\S+?[\s,]+\S+?[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']""")
_SIDE_PATTERN_TEXT = rb"""\s%s=["']\s*([\d.]+)(?:px)?\s*["']"""
_SIDE_PATTERNS = (
    re.compile(_SIDE_PATTERN_TEXT % b"width"),
    re.compile(_SIDE_PATTERN_TEXT % b"height"),
)
_FRAME_MARKERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The segments of a JPEG with its width and height."""


def picture_size(picture_bytes: bytes) -> tuple[int, int] | None:
    """Width and height of a picture that ``publishable_bytes`` returned, in the orientation it is shown, so that a
    page can reserve its space; None if unknown."""
    try:
        kind = picture_kind(picture_bytes)
        width_and_height = (
            _SIZE_READERS[kind.name](picture_bytes)
            if kind is not None
            else _svg_size(picture_bytes)
        )
    except (struct.error, IndexError, ValueError):
        return None
    return width_and_height if width_and_height is not None and min(width_and_height) > 0 else None


def _svg_size(svg_bytes: bytes) -> tuple[int, int] | None:
    root_tag_match = _SVG_ROOT_TAG.search(svg_bytes)
    if root_tag_match is None:
        return None
    side_length_matches = [
        match
        for side_pattern in _SIDE_PATTERNS
        if (match := side_pattern.search(root_tag_match[0]))
    ]
    view_box_match = _VIEW_BOX.search(root_tag_match[0])
    side_texts = (
        [length_match[1] for length_match in side_length_matches]
        if len(side_length_matches) == 2
        else view_box_match.groups()
        if view_box_match
        else ()
    )
    width, height = (float(side_text) for side_text in side_texts) if side_texts else (0.0, 0.0)
    # The unit of a small drawing is unknown: only the proportion counts.
    scale_factor = 1 if min(width, height) >= 100 else 100
    return round(width * scale_factor), round(height * scale_factor)


def _turn_upright(width_and_height: tuple[int, int], exif_tiff: bytes) -> tuple[int, int]:
    return width_and_height[::-1] if _exif_orientation(exif_tiff) > 4 else width_and_height


def _jpeg_size(jpeg_bytes: bytes) -> tuple[int, int] | None:
    exif_tiff, offset = b"", 2
    while match := _SEGMENT_MARKER.match(jpeg_bytes, offset):
        marker, offset = match[1][0], match.end()
        (segment_length,) = struct.unpack_from(">H", jpeg_bytes, offset)
        if marker == 0xE1 and jpeg_bytes.startswith(b"Exif\0\0", offset + 2):
            exif_tiff = jpeg_bytes[offset + 8 : offset + segment_length]
        if marker in _FRAME_MARKERS:
            height, width = struct.unpack_from(">HH", jpeg_bytes, offset + 3)
            return _turn_upright((width, height), exif_tiff)
        offset += segment_length
    return None


def _png_size(png_bytes: bytes) -> tuple[int, int]:
    exif_offset = png_bytes.find(b"eXIf")
    return _turn_upright(
        struct.unpack_from(">II", png_bytes, 16),
        png_bytes[exif_offset + 4 :] if exif_offset > 0 else b"",
    )


def _webp_size(webp_bytes: bytes) -> tuple[int, int]:
    if webp_bytes[12:16] == b"VP8X":
        width_and_height = (
            1 + int.from_bytes(webp_bytes[24:27], "little"),
            1 + int.from_bytes(webp_bytes[27:30], "little"),
        )
        exif_offset = webp_bytes.rfind(b"EXIF")
        return _turn_upright(
            width_and_height, webp_bytes[exif_offset + 8 :] if exif_offset > 0 else b""
        )
    if webp_bytes[12:16] == b"VP8L":
        (size_bits,) = struct.unpack_from("<I", webp_bytes, 21)
        return 1 + (size_bits & 0x3FFF), 1 + (size_bits >> 14 & 0x3FFF)
    width, height = struct.unpack_from("<HH", webp_bytes, 26)
    return width & 0x3FFF, height & 0x3FFF


def _avif_size(avif_bytes: bytes) -> tuple[int, int] | None:
    """The size of the largest picture in it; the others are its tiles. A rotated one gives its size
    elsewhere."""
    if b"irot" in avif_bytes:
        return None
    size_offsets = (match.end() + 4 for match in re.finditer(b"ispe", avif_bytes))
    return max(
        (struct.unpack_from(">II", avif_bytes, size_offset) for size_offset in size_offsets),
        default=None,
    )


_SIZE_READERS: Final[Mapping[str, Callable[[bytes], tuple[int, int] | None]]] = {
    "PNG": _png_size,
    "JPEG": _jpeg_size,
    "GIF": lambda gif_bytes: struct.unpack_from("<HH", gif_bytes, 6),
    "WebP": _webp_size,
    "AVIF": _avif_size,
}

# -- which side is up ------------------------------------------------------------------------------


def _exif_orientation(exif_tiff: bytes) -> int:
    """The EXIF orientation of a picture (1 to 8); 1 if there is none."""
    byte_order = {b"II*\0": "<", b"MM\0*": ">"}.get(exif_tiff[:4])
    if byte_order is None:
        return 1
    try:
        (directory_offset,) = struct.unpack_from(byte_order + "I", exif_tiff, 4)
        (tag_count,) = struct.unpack_from(byte_order + "H", exif_tiff, directory_offset)
        for tag_offset in range(
            directory_offset + 2, directory_offset + 2 + 12 * min(tag_count, 200), 12
        ):
            tag, value_type, value_count, tag_value = struct.unpack_from(
                byte_order + "HHIH", exif_tiff, tag_offset
            )
            if (tag, value_type, value_count) == (0x0112, 3, 1) and 1 <= tag_value <= 8:
                return int(tag_value)
    except struct.error:
        pass
    return 1


def _make_exif(orientation: int) -> bytes:
    """EXIF data with the orientation only; empty for the normal one."""
    if orientation == 1:
        return b""
    return b"MM\0*\0\0\0\x08\0\x01" + struct.pack(">HHIHHI", 0x0112, 3, 1, orientation, 0, 0)


# -- one function a kind ---------------------------------------------------------------------------

_SEGMENT_MARKER = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
_NEXT_MARKER = re.compile(rb"\xff+([^\x00\xff\xd0-\xd7])", re.DOTALL)
_JPEG_SEGMENTS: Final = _FRAME_MARKERS | {0xC4, 0xCC, 0xDA, 0xDB, 0xDC, 0xDD}
"""Frames, tables and scans (ITU T.81, table B.1)."""
_PROFILE_SIGNATURE: Final = b"ICC_PROFILE\0"


def _remove_jpeg_metadata(jpeg_bytes: bytes) -> bytes:
    segments: list[bytes] = []
    profile_part_by_number: dict[int, bytes] = {}
    orientation = 1
    jfif_segment = adobe_segment = b""
    offset = 2
    while True:
        marker_match = _SEGMENT_MARKER.match(jpeg_bytes, offset)
        if marker_match is None:
            raise ValueError
        marker, offset = marker_match[1][0], marker_match.end()
        if marker == 0xD9:
            break
        (segment_length,) = struct.unpack_from(">H", jpeg_bytes, offset)
        segment_body = jpeg_bytes[offset + 2 : offset + segment_length]
        if segment_length < 2 or len(segment_body) != segment_length - 2:
            raise ValueError
        offset += segment_length
        if marker == 0xE1 and segment_body.startswith(b"Exif\0\0"):
            orientation = _exif_orientation(segment_body[6:])
        elif marker == 0xE0 and segment_body.startswith(b"JFIF\0"):
            # Its preview may show parts that were cut away.
            jfif_segment = _make_segment(0xE0, segment_body[:12].ljust(12, b"\0") + b"\0\0")
        elif marker == 0xEE and segment_body.startswith(b"Adobe") and len(segment_body) >= 12:
            # The colour transform, without further data.
            adobe_segment = _make_segment(0xEE, segment_body[:12])
        elif (
            marker == 0xE2
            and segment_body.startswith(_PROFILE_SIGNATURE)
            and len(segment_body) > 14
        ):
            profile_part_by_number[segment_body[12]] = segment_body[14:]
        elif marker in _JPEG_SEGMENTS:
            segments.append(_make_segment(marker, segment_body))
        if marker == 0xDA:
            next_marker_match = _NEXT_MARKER.search(jpeg_bytes, offset)
            if next_marker_match is None:
                # The file is truncated; browsers show the part that exists.
                segments.append(jpeg_bytes[offset:])
                break
            segments.append(jpeg_bytes[offset : next_marker_match.start()])
            offset = next_marker_match.start()
    exif_data = _make_exif(orientation)
    leading_segments = [
        jfif_segment,
        _make_segment(0xE1, b"Exif\0\0" + exif_data) if exif_data else b"",
        *_profile_segments(profile_part_by_number),
        adobe_segment,
    ]
    return b"\xff\xd8" + b"".join([*leading_segments, *segments]) + b"\xff\xd9"


def _profile_segments(profile_part_by_number: Mapping[int, bytes]) -> Iterator[bytes]:
    """The segments of a colour profile, which may need several."""
    if [*sorted(profile_part_by_number)] != [*range(1, len(profile_part_by_number) + 1)]:
        return
    colour_profile = strip_colour_profile(
        b"".join(
            profile_part_by_number[part_number] for part_number in sorted(profile_part_by_number)
        )
    )
    part_size = 0xFFFF - 2 - len(_PROFILE_SIGNATURE) - 2
    part_count = -(-len(colour_profile) // part_size)
    for part_index in range(part_count):
        profile_part = colour_profile[part_index * part_size : (part_index + 1) * part_size]
        yield _make_segment(
            0xE2, _PROFILE_SIGNATURE + bytes([part_index + 1, part_count]) + profile_part
        )


def _make_segment(marker: int, segment_body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(segment_body) + 2) + segment_body


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
MAX_PROFILE_BYTES: Final = 4 * 1024 * 1024
"""The largest colour profile, in bytes."""


def _remove_png_metadata(png_bytes: bytes) -> bytes:
    chunks = [png_bytes[:8]]
    offset = 8
    while True:
        chunk_length, chunk_name = struct.unpack_from(">I4s", png_bytes, offset)
        chunk_end = offset + 12 + chunk_length
        if chunk_end > len(png_bytes):
            raise ValueError
        chunk_body = png_bytes[offset + 8 : chunk_end - 4]
        if chunk_name == b"eXIf":
            chunk_body = _make_exif(_exif_orientation(chunk_body))
        elif chunk_name == b"iCCP":
            chunk_body = _clean_png_profile(chunk_body)
        elif chunk_length > _PNG_CHUNKS.get(chunk_name, -1):
            chunk_body = b""
        if chunk_body or chunk_name == b"IEND":
            checksum = struct.pack(">I", zlib.crc32(chunk_name + chunk_body))
            chunks.append(struct.pack(">I", len(chunk_body)) + chunk_name + chunk_body + checksum)
        if chunk_name == b"IEND":
            return b"".join(chunks)
        offset = chunk_end


def _clean_png_profile(chunk_body: bytes) -> bytes:
    """The chunk of a colour profile, reduced to its numbers, without its name; empty if it is damaged."""
    _, _, compressed_profile = chunk_body.partition(b"\0")
    try:
        colour_profile = strip_colour_profile(
            zlib.decompressobj().decompress(compressed_profile[1:], MAX_PROFILE_BYTES)
        )
    except zlib.error:
        return b""
    return b"icc\0\0" + zlib.compress(colour_profile, 9) if colour_profile else b""


_WEBP_CHUNKS: Final[Mapping[bytes, int]] = {
    **dict.fromkeys((b"VP8 ", b"VP8L", b"ALPH"), MAX_PICTURE_BYTES),
    b"VP8X": 10,
    b"ANIM": 6,
}
"""The chunks of a WebP that draw, with the maximum length of each."""
_WEBP_FRAME_HEADER: Final = 16
"""Number of header bytes of an animation frame."""


def _remove_webp_metadata(webp_bytes: bytes) -> bytes:
    (riff_size,) = struct.unpack_from("<I", webp_bytes, 4)
    kept_chunks: list[tuple[bytes, bytes]] = []
    exif_data = b""
    for chunk_name, chunk_body in _read_chunks(webp_bytes[12 : 8 + riff_size]):
        if chunk_name == b"EXIF":
            exif_data = _make_exif(_exif_orientation(chunk_body.removeprefix(b"Exif\0\0")))
        elif chunk_name == b"ICCP":
            colour_profile = strip_colour_profile(chunk_body)
            if colour_profile:
                kept_chunks.append((chunk_name, colour_profile))
        elif chunk_name == b"ANMF":
            frame_chunks = _read_chunks(chunk_body[_WEBP_FRAME_HEADER:])
            drawn_chunks = [
                chunk for chunk in frame_chunks if chunk[0] in (b"ALPH", b"VP8 ", b"VP8L")
            ]
            kept_chunks.append(
                (chunk_name, chunk_body[:_WEBP_FRAME_HEADER] + _join_chunks(drawn_chunks))
            )
        elif len(chunk_body) <= _WEBP_CHUNKS.get(chunk_name, -1):
            kept_chunks.append((chunk_name, chunk_body))
    if not kept_chunks:
        raise ValueError
    if kept_chunks[0][0] == b"VP8X":
        # The flags for a profile (32), EXIF (8) and XMP (4).
        feature_flags = kept_chunks[0][1][0] & ~0x2C | (0x08 if exif_data else 0)
        if any(kept_name == b"ICCP" for kept_name, _ in kept_chunks):
            feature_flags |= 0x20
        kept_chunks[0] = b"VP8X", bytes([feature_flags]) + kept_chunks[0][1][1:]
        if exif_data:
            kept_chunks.append((b"EXIF", exif_data))
    chunks = _join_chunks(kept_chunks)
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def _read_chunks(chunk_bytes: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a RIFF file."""
    offset = 0
    while offset + 8 <= len(chunk_bytes):
        chunk_name, chunk_length = struct.unpack_from("<4sI", chunk_bytes, offset)
        chunk_body = chunk_bytes[offset + 8 : offset + 8 + chunk_length]
        if len(chunk_body) != chunk_length:
            raise ValueError
        yield chunk_name, chunk_body
        offset += 8 + chunk_length + chunk_length % 2


def _join_chunks(chunks: Iterable[tuple[bytes, bytes]]) -> bytes:
    return b"".join(
        struct.pack("<4sI", chunk_name, len(chunk_body))
        + chunk_body
        + b"\0" * (len(chunk_body) % 2)
        for chunk_name, chunk_body in chunks
    )


def _remove_gif_metadata(gif_bytes: bytes) -> bytes:
    offset = 13 + _colour_table_length(gif_bytes[10])
    blocks = [gif_bytes[:offset]]
    while True:
        block_start, block_type = offset, gif_bytes[offset]
        if block_type == 0x3B:
            break
        if block_type == 0x2C:
            offset = _end_of_blocks(
                gif_bytes, offset + 10 + _colour_table_length(gif_bytes[offset + 9]) + 1
            )
            blocks.append(gif_bytes[block_start:offset])
        elif block_type == 0x21:
            extension_label = gif_bytes[offset + 1]
            application_block = gif_bytes[offset + 2 : offset + 17]
            offset = _end_of_blocks(gif_bytes, offset + 2)
            # The duration of a frame, and the number of repetitions; each has a fixed length.
            if extension_label == 0xF9 and gif_bytes[block_start + 2] == 4:
                blocks.append(gif_bytes[block_start : block_start + 7] + b"\0")
            elif extension_label == 0xFF and application_block in (
                b"\x0bNETSCAPE2.0\3\1",
                b"\x0bANIMEXTS1.0\3\1",
            ):
                blocks.append(gif_bytes[block_start : block_start + 19] + b"\0")
        else:
            raise ValueError
    return b"".join(blocks) + b";"


def _colour_table_length(packed_flags: int) -> int:
    """The length of a colour table in bytes."""
    return 3 << ((packed_flags & 7) + 1) if packed_flags & 0x80 else 0


def _end_of_blocks(gif_bytes: bytes, offset: int) -> int:
    """The offset after a chain of blocks."""
    while gif_bytes[offset]:
        offset += gif_bytes[offset] + 1
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


def _remove_avif_metadata(avif_bytes: bytes) -> bytes:
    """Remove metadata from an AVIF. It refers to its parts by offset, so nothing may move: a box that is not
    needed keeps its length and is filled with zeros.

    Raises:
        Refused: if metadata cannot be separated.
    """
    return b"".join(_clean_avif_boxes(avif_bytes))


def _clean_avif_boxes(box_bytes: bytes) -> Iterator[bytes]:
    for box_name, box_header, box_body in _read_boxes(box_bytes):
        if box_name in _AVIF_CONTAINERS or box_name == b"ipco":
            yield box_header + b"".join(_clean_avif_boxes(box_body))
        elif box_name == b"meta":
            yield box_header + box_body[:4] + b"".join(_clean_avif_boxes(box_body[4:]))
        elif box_name == b"iinf":
            # The count of items has two bytes, or four in later versions.
            header_length = 6 if box_body[:1] == b"\0" else 8
            yield (
                box_header
                + box_body[:header_length]
                + b"".join(_clean_avif_boxes(box_body[header_length:]))
            )
        elif box_name == b"infe":
            yield box_header + _clean_avif_item(box_body)
        elif box_name == b"hdlr":
            yield box_header + box_body[:24].ljust(len(box_body), b"\0")
        elif box_name == b"colr":
            is_profile = box_body[:4] in (b"prof", b"rICC")
            yield box_header + (
                box_body[:4] + strip_colour_profile(box_body[4:]).ljust(len(box_body) - 4, b"\0")
                if is_profile
                else box_body[:11].ljust(len(box_body), b"\0")
            )
        elif box_name in _AVIF_BOXES:
            yield box_header + box_body
        else:
            yield box_header[:4] + b"free" + b"\0" * (len(box_header) + len(box_body) - 8)


def _clean_avif_item(item_body: bytes) -> bytes:
    """The description of an item of an AVIF: its kind, without its name.

    Raises:
        Refused: if the item does not draw.
    """
    item_type_offset = {2: 8, 3: 10}.get(item_body[0], 0)
    if (
        not item_type_offset
        or item_body[item_type_offset : item_type_offset + 4] not in _AVIF_ITEMS
    ):
        raise PictureRefused(
            "this AVIF tells where, when or with what it was made",
            "save it without metadata, or as JPEG, PNG or WebP: there it is taken out",
        )
    return item_body[: item_type_offset + 4].ljust(len(item_body), b"\0")


def _read_boxes(box_bytes: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The boxes of an AVIF: name, header and content of each."""
    offset = 0
    while offset < len(box_bytes):
        box_length, box_name = struct.unpack_from(">I4s", box_bytes, offset)
        header_length = 8
        if box_length == 1:
            header_length = 16
            (box_length,) = struct.unpack_from(">Q", box_bytes, offset + 8)
        box_end = len(box_bytes) if box_length == 0 else offset + box_length
        if box_end < offset + header_length or box_end > len(box_bytes):
            raise ValueError
        yield (
            box_name,
            box_bytes[offset : offset + header_length],
            box_bytes[offset + header_length : box_end],
        )
        offset = box_end


PICTURE_KINDS: Final[Mapping[str, PictureKind]] = {
    "png": PictureKind("PNG", (".png",), _remove_png_metadata),
    "jpeg": PictureKind("JPEG", (".jpg", ".jpeg"), _remove_jpeg_metadata),
    "gif": PictureKind("GIF", (".gif",), _remove_gif_metadata),
    "webp": PictureKind("WebP", (".webp",), _remove_webp_metadata),
    "avif": PictureKind("AVIF", (".avif",), _remove_avif_metadata),
}
