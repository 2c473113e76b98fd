"""Pictures as they are published: what their name says, without what came along."""

import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from chronicle.core import drawings, pictures
from chronicle.core.drawings import drawing
from chronicle.core.pictures import Refused, publishable, size_of

HOSTILE = Path("tests/fixtures/hostile/art")
GPS = b"GPSLatitude 48.2082 N, 16.3738 E"


def exif(orientation: int, order: str = ">") -> bytes:
    """EXIF as a camera writes it: which side is up, and where it stood."""
    head = (b"MM\0*" if order == ">" else b"II*\0") + struct.pack(order + "I", 8)
    entries = struct.pack(order + "HHII", 0x8825, 4, 1, 38)
    entries += struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    return head + struct.pack(order + "H", 2) + entries + b"\0\0\0\0" + GPS


def segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


SCAN = segment(0xDA, b"\1\1\0\0\x3f\0") + b"\x12\xff\0\x34\xff\xd0\x56"
TABLES = segment(0xDB, b"\0" * 65) + segment(0xC2, b"\x08\0\1\0\1\1\1\x11\0")


def jpeg(orientation: int) -> bytes:
    return b"".join(
        (
            b"\xff\xd8",
            segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\2\1" + b"PREVIEW" + GPS),
            segment(0xE1, b"Exif\0\0" + exif(orientation)),
            segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + GPS),
            segment(0xE2, b"ICC_PROFILE\0\1\1colours"),
            segment(0xE2, b"MPF\0" + GPS),
            segment(0xED, b"Photoshop 3.0\0" + GPS),
            segment(0xEE, b"Adobe\0\x64\0\0\0\0\1"),
            segment(0xFE, GPS),
            TABLES,
            SCAN,
            segment(0xC4, b"\0" * 20),
            SCAN,
            b"\xff\xd9",
            b"\0\0\0\x18ftypmp42" + GPS,
        )
    )


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(orientation: int) -> bytes:
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
            chunk(b"eXIf", exif(orientation, "<")),
            *(chunk(name, b"Comment\0" + GPS) for name in (b"tEXt", b"zTXt", b"iTXt", b"tIME")),
            chunk(b"prVt", GPS),
            chunk(b"IDAT", zlib.compress(b"\0\x80")),
            chunk(b"IEND", b""),
            GPS,
        )
    )


def webp(orientation: int) -> bytes:
    def part(name: bytes, body: bytes) -> bytes:
        return struct.pack("<4sI", name, len(body)) + body + b"\0" * (len(body) % 2)

    parts = b"".join(
        (
            part(b"VP8X", bytes([0x2C, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
            part(b"ICCP", b"colours"),
            part(b"VP8L", b"\x2f\0\0\0\0\1\2"),
            part(b"EXIF", exif(orientation)),
            part(b"XMP ", GPS),
            part(b"abcd", GPS),
        )
    )
    return b"RIFF" + struct.pack("<I", len(parts) + 4) + b"WEBP" + parts + GPS


def gif(_: int) -> bytes:
    head = b"GIF89a\1\0\1\0\x80\0\0" + b"\0\0\0\xff\xff\xff"
    loop = b"!\xff\x0bNETSCAPE2.0\3\1\0\0\0"
    comment = b"!\xfe" + bytes([len(GPS)]) + GPS + b"\0"
    xmp = b"!\xff\x0bXMP DataXMP" + bytes([len(GPS)]) + GPS + b"\0"
    image = b",\0\0\0\0\1\0\1\0\0\2\2D\1\0"
    return head + loop + comment + xmp + b"!\xf9\4\0\0\0\0\0" + image + b";" + GPS


MADE = {".jpg": jpeg, ".png": png, ".webp": webp, ".gif": gif}


@pytest.mark.parametrize("ending", MADE)
@pytest.mark.parametrize("orientation", [1, 6])
def test_nothing_tells_where_a_picture_was_taken(ending: str, orientation: int) -> None:
    before = MADE[ending](orientation)
    assert GPS in before
    made = publishable(ending, before)
    assert b"GPS" not in made
    assert publishable(ending, made) == made
    if ending == ".jpg":
        assert made.count(SCAN) == 2
        assert TABLES in made
        assert b"ICC_PROFILE" in made and b"Adobe" in made
        assert made.endswith(b"\xff\xd9")
    if ending == ".png":
        assert chunk(b"IDAT", zlib.compress(b"\0\x80")) in made
    if ending == ".webp":
        assert struct.unpack_from("<I", made, 4)[0] == len(made) - 8
        assert made[20] == (0x28 if orientation == 6 else 0x20)
    if ending != ".gif":
        # Tag, form, number and value of the one entry that may stay.
        kept = struct.pack(">HHIH", 0x0112, 3, 1, orientation)
        assert (kept in made) is (orientation == 6)
        assert (b"MM\0*" in made) is (orientation == 6)


@pytest.mark.parametrize("ending", MADE)
def test_a_damaged_picture_is_refused_and_breaks_nothing(ending: str) -> None:
    whole = MADE[ending](6)
    for length in range(13, len(whole), 3):
        try:
            publishable(ending, whole[:length])
        except Refused as refused:
            assert str(refused)
    for at in range(12, len(whole), 5):
        mutant = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        try:
            publishable(ending, mutant)
        except Refused:
            continue


@pytest.mark.parametrize(
    ("ending", "data", "said"),
    [
        (".png", b"<script>alert(1)</script>", "this is no picture"),
        (".jpg", png(1), "this is a PNG, and its name ends in .jpg"),
        (".JPEG", b"\xff\xd8\xff", "this JPEG is damaged"),
        (".avif", b"\0\0\0\x14ftypavif\0\0\0\0avif\0\0\0\x10metaExif....", "this AVIF tells where"),
        (".png", b"\x89PNG\r\n\x1a\n" + b"\0" * pictures.MOST, "this picture is larger than 32 MB"),
        (".svg", b"<svg/>" + b" " * drawings.MOST, "this drawing is larger than 4 MB"),
        (".svg", b"<svg/>", "its first element is not <svg xmlns="),
        (
            ".svg",
            b'<svg xmlns="http://www.w3.org/2000/svg"><g>',
            "this is no SVG: no element found",
        ),
    ],
)
def test_what_is_no_such_picture_is_refused(ending: str, data: bytes, said: str) -> None:
    with pytest.raises(Refused, match=re.escape(said)) as refused:
        publishable(ending, data)
    assert refused.value.help


def test_a_picture_without_secrets_stays_as_it_is() -> None:
    plain = b"\0\0\0\x14ftypavif\0\0\0\0avif\0\0\0\x10mdatExif...."
    assert publishable(".avif", plain) == plain


REFUSED = {
    *("attlist", "deep", "entity", "itself", "latin1", "laughs", "many", "many-by-class", "page"),
    *("utf16", "utf7"),
}


@pytest.mark.parametrize("file", sorted(HOSTILE.glob("*.svg")), ids=lambda file: file.stem)
def test_a_drawing_keeps_only_what_draws(file: Path) -> None:
    if file.stem in REFUSED:
        with pytest.raises(Refused):
            drawing(file.read_bytes())
        return
    made = drawing(file.read_bytes())
    assert made.lost or file.stem == "quotes"
    assert drawing(made.data) == (made.data, ())
    for element in ElementTree.fromstring(made.data).iter():
        assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in drawings._ELEMENTS
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name in ("id", "aria-label") or "//" not in value
    assert b"chronicle.invalid" not in made.data


@pytest.mark.parametrize(
    "kept",
    [
        '<path d="M0 0L1 1" fill="none" stroke="rgb(1, 2, 3)" transform="rotate(3) scale(2)"/>',
        '<linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient>'
        '<linearGradient id="b" href="#a"/><rect fill="url(#b)" width="1" height="1"/>',
        '<clipPath id="c"><rect class="x" width="1" height="1"/></clipPath>'
        '<style>.x{fill:red}\n.y, g.y path{clip-path:url(#c)}</style><g class="y"/>',
        '<text x="1" font-family="Georgia, serif">a &lt; b<tspan dy="1">c</tspan></text>',
        '<path id="p" d="M0 0"/><use href="#p" x="1"/><use href="#p" x="2"/>',
        '<g style="fill:#fff;stroke:none" role="img" aria-label="a &amp; b: //c"/>',
    ],
)
def test_what_draws_stays(kept: str) -> None:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">{kept}</svg>'
    made = drawing(text.encode())
    assert made.lost == ()
    before, after = (list(ElementTree.fromstring(one).iter()) for one in (text, made.data))
    assert [(one.tag, one.attrib, one.text) for one in before] == [
        (one.tag, one.attrib, one.text) for one in after
    ]


def test_every_picture_of_the_play_examples_is_published_whole(root: Path) -> None:
    for file in (root / "sessions").glob("*/art/*.svg"):
        assert drawing(file.read_bytes()).lost == (), file


SIDES = struct.pack(">HH", 300, 400)


def jpeg_of(orientation: int) -> bytes:
    return jpeg(orientation).replace(b"\x08\0\1\0\1\1", b"\x08" + SIDES + b"\1")


def png_of(orientation: int) -> bytes:
    old, new = (struct.pack(">IIBBBBB", *sides, 8, 0, 0, 0, 0) for sides in ((1, 1), (400, 300)))
    return png(orientation).replace(chunk(b"IHDR", old), chunk(b"IHDR", new))


def webp_of(orientation: int) -> bytes:
    return webp(orientation).replace(b"\x2c" + b"\0" * 9, b"\x2c\0\0\0\x8f\1\0\x2b\1\0")


@pytest.mark.parametrize(
    ("ending", "made"), [(".jpg", jpeg_of), (".png", png_of), (".webp", webp_of)]
)
def test_a_photograph_says_how_large_it_is_the_way_up_it_is_shown(
    ending: str, made: Callable[[int], bytes]
) -> None:
    assert size_of(publishable(ending, made(1))) == (400, 300)
    assert size_of(publishable(ending, made(6))) == (300, 400)


@pytest.mark.parametrize(
    ("data", "sides"),
    [
        (b"GIF89a\x90\1\x2c\1\0\0\0", (400, 300)),
        (b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + struct.pack("<I", 399 | 299 << 14), (400, 300)),
        (
            b"RIFF\0\0\0\0WEBPVP8 " + b"\0" * 7 + b"\x9d\1\x2a" + struct.pack("<HH", 400, 300),
            (400, 300),
        ),
        (b"\0\0\0\x18ftypavif....ispe\0\0\0\0" + struct.pack(">II", 400, 300), (400, 300)),
        (b"\0\0\0\x18ftypavif....ispe\0\0\0\0" + struct.pack(">II", 400, 300) + b"irot", None),
        (b'<svg viewBox="0 0 400 300">', (400, 300)),
        (b'<svg width="4" height="3px" viewBox="0 0 9 9">', (400, 300)),
        (b'<svg width="100%" viewBox="0,0,400,300">', (400, 300)),
        (b"<svg>", None),
        (b'<svg viewBox="0 0 0 300">', None),
        (b"\x89PNG\r\n\x1a\n", None),
        (b"\xff\xd8\xff\xd9", None),
    ],
)
def test_a_picture_says_how_large_it_is(data: bytes, sides: tuple[int, int] | None) -> None:
    assert size_of(data) == sides
