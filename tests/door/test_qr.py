"""A link as a QR code: the rows that the page and the terminal draw."""

import re

import pytest

from chronicle.cli.desk import qr_code_rows
from chronicle.cli.out import TextStyler
from chronicle.core.control_characters import printable_text
from chronicle.door.server import draw_qr_code

LINK = "http://192.168.178.23:4773/#ypDx3Mvy8zK0v1p0oJ8Qe2mT"
FINDER = ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111")


@pytest.mark.parametrize("link", [LINK, "http://10.0.0.7:4773/#12345678", f"http://{'x' * 200}/#1"])
def test_a_code_has_its_three_corners_and_no_margin(link: str) -> None:
    rows = draw_qr_code(link)
    # A larger size has four dots more on each side.
    assert (len(rows) - 17) % 4 == 0
    assert {len(row) for row in rows} == {len(rows)}
    assert set("".join(rows)) == {"0", "1"}
    assert tuple(row[:7] for row in rows[:7]) == FINDER
    assert tuple(row[-7:] for row in rows[:7]) == FINDER
    assert tuple(row[:7] for row in rows[-7:]) == FINDER


def test_another_link_has_another_code() -> None:
    assert draw_qr_code(LINK) == draw_qr_code(LINK) != draw_qr_code(LINK.replace("y", "z"))


def test_a_terminal_shows_it_light_on_dark() -> None:
    rows = draw_qr_code(LINK)
    inked = TextStyler(uses_colour=True)
    shown = printable_text(
        "".join(inked(row, "white", "on black") for row in qr_code_rows(rows)), keep_colours=True
    )
    assert shown.startswith("\x1b[97;40m\u2588\u2588")
    # Read back: half a sign for each dot.
    halves = {"\u2588": "00", "\u2580": "01", "\u2584": "10", " ": "11"}
    lines = [re.sub("\x1b\\[[0-9;]*m", "", row) for row in qr_code_rows(rows)]
    read = ["".join(halves[char][half] for char in line) for line in lines for half in (0, 1)]
    assert [row[2:-2] for row in read[2 : 2 + len(rows)]] == rows
    assert not {"1"} & {*read[0], *read[-1], *(row[0] for row in read)}
