"""An address as a QR code, for the cameras of telephones: bytes, the lowest correction, up to 106 of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_HELD: Final = ((19, 7), (34, 10), (55, 15), (80, 20), (108, 26))
"""How many words of data, and of correction, each size holds: the sizes that are one block."""
_FIELD: Final = 0x11D
_FORMAT: Final = 0b111011111000100
"""What a reader has to know first: the lowest correction, and the first of the eight masks."""
_FINDER: Final = ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111")

Dots = dict[tuple[int, int], bool]
"""By row and column, whether it is dark."""


def code(text: str) -> list[str]:
    """The rows of the code for a text, ``1`` for what is dark; the room around it is not in them.

    Raises:
        ValueError: when the text is too long.
    """
    data = text.encode()
    for version, (most, correction) in enumerate(_HELD, 1):
        if len(data) + 2 <= most:
            head = 4 << 8 | len(data)
            bits = (head << 8 * len(data) | int.from_bytes(data)) << 4
            words = [*bits.to_bytes(len(data) + 2)]
            words += [(0xEC, 0x11)[at % 2] for at in range(most - len(words))]
            return _drawn(17 + 4 * version, words + _correction(words, correction))
    raise ValueError(f"{len(data)} bytes are too many for a code")


def _times(one: int, other: int) -> int:
    """A product in the field that the correction is reckoned in."""
    made = 0
    for bit in range(7, -1, -1):
        made = made << 1 ^ (made >> 7) * _FIELD ^ (other >> bit & 1) * one
    return made


def _correction(words: list[int], many: int) -> list[int]:
    divisor, root = [1], 1
    for _ in range(many):
        divisor = [
            one ^ _times(root, before)
            for one, before in zip([*divisor, 0], [0, *divisor], strict=True)
        ]
        root = _times(root, 2)
    rest = words + [0] * many
    for at in range(len(words)):
        factor = rest[at]
        for place, one in enumerate(divisor, at):
            rest[place] ^= _times(factor, one)
    return rest[-many:]


def _drawn(size: int, words: list[int]) -> list[str]:
    dots = _fixed(size)
    bits = (word >> bit & 1 for word in words for bit in range(7, -1, -1))
    for row, column in _way(size):
        if (row, column) not in dots:
            dots[row, column] = bool(next(bits, 0)) ^ ((row + column) % 2 == 0)
    return ["".join(str(int(dots[row, column])) for column in range(size)) for row in range(size)]


def _way(size: int) -> Iterator[tuple[int, int]]:
    """The way of the bits: in pairs of columns from the right, up and down in turn."""
    columns = [*range(size - 1, 6, -2), *range(5, 0, -2)]
    for turn, right in enumerate(columns):
        for row in range(size) if turn % 2 else range(size - 1, -1, -1):
            yield from ((row, right), (row, right - 1))


def _fixed(size: int) -> Dots:
    """What every code of a size has: by what it is found, measured and read."""
    dots: Dots = {}
    for at in range(8, size - 8):
        dots[6, at] = dots[at, 6] = at % 2 == 0
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for row in range(-1, 8):
            for column in range(-1, 8):
                if 0 <= top + row < size and 0 <= left + column < size:
                    inner = 0 <= row < 7 and 0 <= column < 7
                    dots[top + row, left + column] = inner and _FINDER[row][column] == "1"
    if size > 21:
        for row in range(-2, 3):
            for column in range(-2, 3):
                dots[size - 7 + row, size - 7 + column] = max(abs(row), abs(column)) != 1
    # Around the first corner, past what measures; and along the other two.
    around = [
        *((row, 8) for row in (0, 1, 2, 3, 4, 5, 7, 8)),
        *((8, at) for at in (7, 5, 4, 3, 2, 1, 0)),
    ]
    for bit, first in enumerate(around):
        dark = bool(_FORMAT >> bit & 1)
        second = (8, size - 1 - bit) if bit < 8 else (size - 15 + bit, 8)
        dots[first] = dots[second] = dark
    dots[size - 8, 8] = True
    return dots
