"""Strip ICC colour profiles down to the numbers that colours are computed with.

A profile can also hold texts, dates and the serial number of a screen. Chronicle overwrites all other bytes
with zeros. No byte moves, and the profile keeps its length (format: ICC.1:2022, chapter 7).
"""

from __future__ import annotations

import struct
from typing import Final

HEADER_LENGTH: Final = 128
MAX_TAGS: Final = 100
_KEPT_HEADER_RANGES: Final = ((0, 4), (8, 24), (36, 40), (64, 80))
"""Size; version, class, colour spaces; signature; intent and illuminant. Without date, maker and device."""
_TAG_TYPES: Final = {
    **dict.fromkeys((b"rXYZ", b"gXYZ", b"bXYZ", b"wtpt", b"bkpt"), (b"XYZ ",)),
    **dict.fromkeys((b"rTRC", b"gTRC", b"bTRC", b"kTRC"), (b"curv", b"para")),
    **dict.fromkeys((b"A2B0", b"A2B1", b"A2B2"), (b"mft1", b"mft2", b"mAB ")),
    b"chad": (b"sf32",),
    b"cicp": (b"cicp",),
}
"""The tags that colours are computed with, and the types of each."""
_MAX_TAG_SIZE_BY_TYPE: Final = {b"XYZ ": 20, b"sf32": 44, b"para": 40, b"cicp": 12}
"""The longest tag of a type, in bytes."""


def strip_colour_profile(profile: bytes) -> bytes:
    """Return the profile with its numbers alone, or empty bytes if it is damaged."""
    if len(profile) < HEADER_LENGTH + 4 or profile[36:40] != b"acsp":
        return b""
    (tag_count,) = struct.unpack_from(">I", profile, HEADER_LENGTH)
    table_end = HEADER_LENGTH + 4 + 12 * tag_count
    if tag_count > MAX_TAGS or table_end > len(profile):
        return b""
    stripped_profile = bytearray(len(profile))
    for range_start, range_end in (*_KEPT_HEADER_RANGES, (HEADER_LENGTH, HEADER_LENGTH + 4)):
        stripped_profile[range_start:range_end] = profile[range_start:range_end]
    for tag_number, tag_offset in enumerate(range(HEADER_LENGTH + 4, table_end, 12)):
        tag_name, tag_start, tag_length = struct.unpack_from(">4sII", profile, tag_offset)
        if tag_start < table_end or tag_start + tag_length > len(profile) or tag_length < 8:
            return b""
        tag_type = profile[tag_start : tag_start + 4]
        if tag_type in _TAG_TYPES.get(tag_name, ()):
            stripped_profile[tag_offset : tag_offset + 12] = profile[tag_offset : tag_offset + 12]
            tag_length = min(tag_length, _MAX_TAG_SIZE_BY_TYPE.get(tag_type, tag_length))
            if tag_type == b"curv":
                (point_count,) = struct.unpack_from(
                    ">I", profile.ljust(tag_start + 12, b"\0"), tag_start + 8
                )
                tag_length = min(tag_length, 12 + 2 * point_count)
            stripped_profile[tag_start : tag_start + tag_length] = profile[
                tag_start : tag_start + tag_length
            ]
        elif tag_name in (b"desc", b"cprt"):
            # A profile needs both. They are possibly empty.
            stripped_profile[tag_offset : tag_offset + 12] = profile[tag_offset : tag_offset + 12]
            stripped_profile[tag_start : tag_start + 4] = (
                tag_type if tag_type in (b"desc", b"text", b"mluc") else b"text"
            )
            if tag_type == b"mluc" and tag_length >= 16:
                stripped_profile[tag_start + 15] = 12
        else:
            # Readers refuse a profile with two tags of one name.
            stripped_profile[tag_offset : tag_offset + 12] = struct.pack(
                ">4sII", b"no%02d" % tag_number, tag_start, tag_length
            )
    return bytes(stripped_profile)
