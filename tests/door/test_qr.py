"""An address as a QR code, against what other encoders draw (version by version, with the first mask)."""

import re
from hashlib import sha256

import pytest

from chronicle.cli.desk import in_print
from chronicle.cli.out import Ink
from chronicle.core.safe import printed
from chronicle.door.qr import code

DRAWN = {
    "http://[::1]:1/#1": (1, "3d17495c5f67ffef"),
    "http://10.0.0.7:4773/#12345678": (2, "8190a1bab1177633"),
    "http://192.168.178.23:4773/#ypDx3Mvy8zK0v1p0oJ8Qe2mT": (3, "765d261dc692561b"),
    "http://keeper.at-the-table.example:4773/#ypDx3Mvy8zK0v1p0oJ8Qe2mTabcd": (
        4,
        "016ac576918b7f4a",
    ),
    "http://long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-name/": (
        5,
        "78ab7bfd4a4795c5",
    ),
}


@pytest.mark.parametrize("text", DRAWN)
def test_a_code_is_drawn_as_others_draw_it(text: str) -> None:
    version, drawn = DRAWN[text]
    rows = code(text)
    assert [len(row) for row in rows] == [17 + 4 * version] * len(rows)
    assert sha256("\n".join(rows).encode()).hexdigest()[:16] == drawn


def test_what_is_too_long_has_no_code() -> None:
    code("x" * 106)
    with pytest.raises(ValueError, match="107 bytes"):
        code("x" * 107)


def test_a_terminal_shows_it_light_on_dark() -> None:
    rows = code("http://10.0.0.7:4773/#12345678")
    inked = Ink(colour=True)
    shown = printed("".join(inked(row, "white", "on black") for row in in_print(rows)), colour=True)
    assert shown.startswith("\x1b[97;40m\u2588\u2588")
    # Read back: half a sign for each dot.
    halves = {"\u2588": "00", "\u2580": "01", "\u2584": "10", " ": "11"}
    lines = [re.sub("\x1b\\[[0-9;]*m", "", row) for row in in_print(rows)]
    read = ["".join(halves[one][half] for one in line) for line in lines for half in (0, 1)]
    assert [row[2:-2] for row in read[2 : 2 + len(rows)]] == rows
    assert not {"1"} & {*read[0], *read[-1], *(row[0] for row in read)}
