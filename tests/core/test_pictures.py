"""Pictures as they are published: what their name says, without what came along."""

import re
import struct
import time
import xml.etree.ElementTree as ElementTree
import zlib
from collections.abc import Callable
from importlib import import_module
from io import BytesIO
from pathlib import Path

import pytest

from chronicle.core import drawings, pictures
from chronicle.core.drawings import reword_drawing, sanitize_drawing
from chronicle.core.pictures import PictureRefused, picture_size, publishable_bytes
from chronicle.core.pseudonyms import Pseudonyms
from tests.needs import module

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


def profile() -> bytes:
    """A colour profile with the figure of its white, and with words in all other places."""
    white = b"XYZ \0\0\0\0" + struct.pack(">III", 0xF6D6, 0x10000, 0xD32D)
    words = b"text\0\0\0\0" + GPS
    tags = [(b"wtpt", white + GPS), (b"cprt", words), (b"desc", words), (b"meta", words)]
    at, table, data = 132 + 12 * len(tags), b"", b""
    for name, body in tags:
        table += struct.pack(">4sII", name, at + len(data), len(body))
        data += body
    head = struct.pack(">I", at + len(data)) + GPS[:4] + b"\4\0\0\0mntrRGB XYZ " + GPS[:12]
    head += b"acspAPPL" + GPS[:24] + b"\0\0\xf6\xd6\0\1\0\0\0\0\xd3\x2d"
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + data


SCAN = segment(0xDA, b"\1\1\0\0\x3f\0") + b"\x12\xff\0\x34\xff\xd0\x56"
TABLES = segment(0xDB, b"\0" * 65) + segment(0xC2, b"\x08\0\1\0\1\1\1\x11\0")


def jpeg(orientation: int) -> bytes:
    return b"".join(
        (
            b"\xff\xd8",
            segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\2\1" + b"PREVIEW" + GPS),
            segment(0xE1, b"Exif\0\0" + exif(orientation)),
            segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + GPS),
            segment(0xE2, b"ICC_PROFILE\0\1\1" + profile()),
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
            part(b"ICCP", profile()),
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


PICTURES = {".jpg": jpeg, ".png": png, ".webp": webp, ".gif": gif}


@pytest.mark.parametrize("ending", PICTURES)
@pytest.mark.parametrize("orientation", [1, 6])
def test_nothing_tells_where_a_picture_was_taken(ending: str, orientation: int) -> None:
    picture = PICTURES[ending](orientation)
    assert GPS in picture
    published = publishable_bytes(ending, picture)
    assert b"GPS" not in published
    assert publishable_bytes(ending, published) == published
    if ending == ".jpg":
        assert published.count(SCAN) == 2
        assert TABLES in published
        assert b"ICC_PROFILE" in published and b"Adobe" in published
        assert published.endswith(b"\xff\xd9")
    if ending == ".png":
        assert chunk(b"IDAT", zlib.compress(b"\0\x80")) in published
    if ending == ".webp":
        assert struct.unpack_from("<I", published, 4)[0] == len(published) - 8
        assert published[20] == (0x28 if orientation == 6 else 0x20)
    if ending != ".gif":
        # Tag, form, number and value of the one entry that may stay.
        orientation_entry = struct.pack(">HHIH", 0x0112, 3, 1, orientation)
        assert (orientation_entry in published) is (orientation == 6)
        assert (b"MM\0*" in published) is (orientation == 6)


@pytest.mark.parametrize("ending", PICTURES)
def test_a_damaged_picture_is_refused_and_breaks_nothing(ending: str) -> None:
    picture = PICTURES[ending](6)
    for length in range(13, len(picture), 3):
        try:
            publishable_bytes(ending, picture[:length])
        except PictureRefused as refused:
            assert str(refused)
    for at in range(12, len(picture), 5):
        mutant = picture[:at] + bytes([picture[at] ^ 0xFF]) + picture[at + 1 :]
        try:
            publishable_bytes(ending, mutant)
        except PictureRefused:
            continue


@pytest.mark.parametrize(
    ("ending", "data", "said"),
    [
        (".png", b"<script>alert(1)</script>", "this is no picture"),
        (".jpg", png(1), "this is a PNG, and its name ends in .jpg"),
        (".JPEG", b"\xff\xd8\xff", "this JPEG is damaged"),
        (".avif", b"\0\0\0\x14ftypavif\0\0\0\0avif\0\0\0\x10metaExif....", "this AVIF is damaged"),
        (
            ".png",
            b"\x89PNG\r\n\x1a\n" + b"\0" * pictures.MAX_PICTURE_BYTES,
            "this picture is larger than 32 MB",
        ),
        (".svg", b"<svg/>" + b" " * drawings.MAX_DRAWING_BYTES, "this drawing is larger than 4 MB"),
        (".svg", b"<svg/>", "its first element is not <svg xmlns="),
        (
            ".svg",
            b'<svg xmlns="http://www.w3.org/2000/svg"><g>',
            "this is no SVG: no element found",
        ),
    ],
)
def test_what_is_no_such_picture_is_refused(ending: str, data: bytes, said: str) -> None:
    with pytest.raises(PictureRefused, match=re.escape(said)) as refused:
        publishable_bytes(ending, data)
    assert refused.value.help


def box(name: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", len(body) + 8, name) + body


def avif(item: bytes) -> bytes:
    """An AVIF of one item, with words where words may be."""
    entry = box(b"infe", b"\2\0\0\0\0\1\0\0", item, GPS + b"\0")
    hdlr = box(b"hdlr", b"\0" * 8 + b"pict" + b"\0" * 12, GPS + b"\0")
    meta = box(b"meta", b"\0" * 4, hdlr, box(b"iinf", b"\0" * 4, b"\0\1", entry), box(b"abcd", GPS))
    udta = box(b"moov", box(b"mvhd", b"kept"), box(b"udta", box(b"meta", GPS)))
    head = box(b"ftyp", b"avif\0\0\0\0avifmif1")
    return b"".join(
        (head, meta, udta, box(b"free", GPS), box(b"uuid", GPS), box(b"mdat", b"drawn"))
    )


def test_nothing_moves_in_an_avif_from_which_words_are_taken() -> None:
    published = publishable_bytes(".avif", avif(b"av01"))
    assert b"GPS" not in published and len(published) == len(avif(b"av01"))
    assert published.index(b"drawn") == avif(b"av01").index(b"drawn") and b"kept" in published
    assert publishable_bytes(".avif", published) == published


@pytest.mark.parametrize("item", [b"Exif", b"mime", b"uri "])
def test_an_avif_whose_metadata_is_woven_in_is_refused(item: bytes) -> None:
    with pytest.raises(PictureRefused, match="this AVIF tells where"):
        publishable_bytes(".avif", avif(item))


def sub_block(data: bytes) -> bytes:
    return bytes([len(data)]) + data


GIF = b"GIF89a\1\0\1\0\0\0\0", b",\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
JPEG = b"\xff\xd8" + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
HEADER = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
WEBP = b"VP8X\x0a\0\0\0" + b"\x2c" + b"\0" * 9
HIDDEN = {
    **{
        f"segment {marker:x} of a JPEG, {name!r}": (
            ".jpg",
            JPEG + segment(marker, name + GPS) + TABLES + SCAN + b"\xff\xd9",
        )
        for marker in (*range(0xE0, 0xF0), 0x02, 0xF0, 0xFD, 0xFE)
        for name in (b"", b"JFXX\0\x10", b"Adobe\0\x64\0\0\0\0\0", b"Adobe_CM\0", b"Exif\0\0")
    },
    "a preview in a JPEG after its first scan": (
        ".jpg",
        JPEG + TABLES + SCAN + segment(0xFE, GPS) + segment(0xE1, b"Exif\0\0" + GPS) + b"\xff\xd9",
    ),
    **{
        f"chunk {name!r} of a PNG": (
            ".png",
            HEADER + chunk(name, GPS + GPS) + chunk(b"IDAT", b"x") + chunk(b"IEND", b""),
        )
        for name in re.findall(
            rb"\w+",
            b"tEXt iTXt zTXt eXIf tIME caBX prVt iCCP sPLT hIST sBIT bKGD pHYs gAMA sRGB cHRM acTL fcTL cICP",
        )
    },
    **{
        f"chunk {name!r} of a WebP": (
            ".webp",
            b"RIFF" + struct.pack("<I", 22 + len(body)) + b"WEBP" + WEBP + body,
        )
        for name in (b"EXIF", b"XMP ", b"ICCP", b"UNKN", b"ANIM")
        for body in (name + struct.pack("<I", len(GPS)) + GPS,)
    },
    "within a frame of a WebP": (
        ".webp",
        b"RIFF" + struct.pack("<I", 22 + 32 + len(GPS)) + b"WEBP" + WEBP + b"ANMF"
        + struct.pack("<I", 24 + len(GPS)) + b"\0" * 16 + b"XMP " + struct.pack("<I", len(GPS)) + GPS,
    ),
    **{
        f"extension {name} of a GIF": (".gif", GIF[0] + b"!" + head + sub_block(GPS) + b"\0" + GIF[1])
        for name, head in {
            "comment": b"\xfe", "text": b"\1" + sub_block(b"\0" * 12),
            "XMP": b"\xff" + sub_block(b"XMP DataXMP"),
            "loops": b"\xff" + sub_block(b"NETSCAPE2.0") + sub_block(b"\1\0\0"),
            "delay": b"\xf9" + sub_block(b"\0" * 4), "unknown": b"\x77",
        }.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("name", HIDDEN)
def test_only_what_draws_is_kept_of_a_photograph(name: str) -> None:
    ending, data = HIDDEN[name]
    assert GPS in data
    published = publishable_bytes(ending, data)
    assert GPS not in published
    assert publishable_bytes(ending, published) == published


# Browsers have no Pillow that draws.
@pytest.mark.integration
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WebP", "GIF", "AVIF"])
def test_a_photograph_looks_as_it_did(kind: str) -> None:
    module("PIL")
    image, cms = import_module("PIL.Image"), import_module("PIL.ImageCms")
    picture = image.new("RGB", (64, 48))
    picture.putdata([(x * 4, y * 5, 128) for y in range(48) for x in range(64)])
    colours = cms.ImageCmsProfile(cms.createProfile("sRGB")).tobytes()
    saved = BytesIO()
    metadata = {} if kind == "AVIF" else {"exif": exif(6)}
    picture.save(saved, kind, icc_profile=colours, comment=GPS, **metadata)
    published = publishable_bytes(
        pictures.PICTURE_KINDS[kind.casefold()].endings[0], saved.getvalue()
    )
    assert GPS not in published
    with (
        image.open(BytesIO(published)) as picture_after,
        image.open(BytesIO(saved.getvalue())) as picture_before,
    ):
        assert picture_after.convert("RGB").tobytes() == picture_before.convert("RGB").tobytes()
        kept_profile = picture_after.info.get("icc_profile", b"")
    if kind not in ("GIF", "AVIF"):
        converted = cms.profileToProfile(picture, BytesIO(kept_profile), BytesIO(colours))
        assert (
            converted.tobytes()
            == cms.profileToProfile(picture, BytesIO(colours), BytesIO(colours)).tobytes()
        )
        assert len(kept_profile) == len(colours) and kept_profile != colours


REFUSED = {
    *("attlist", "deep", "entity", "itself", "latin1", "laughs", "many", "many-by-class", "page"),
    *("utf16", "utf7"),
}


@pytest.mark.parametrize("file", sorted(HOSTILE.glob("*.svg")), ids=lambda file: file.stem)
def test_a_drawing_keeps_only_what_draws(file: Path) -> None:
    if file.stem in REFUSED:
        with pytest.raises(PictureRefused):
            sanitize_drawing(file.read_bytes())
        return
    drawing = sanitize_drawing(file.read_bytes())
    assert drawing.dropped_names or file.stem == "quotes"
    assert sanitize_drawing(drawing.svg_bytes) == (drawing.svg_bytes, ())
    for element in ElementTree.fromstring(drawing.svg_bytes).iter():
        assert (
            element.tag.removeprefix("{http://www.w3.org/2000/svg}") in drawings._ALLOWED_ELEMENTS
        )
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name in ("id", "aria-label") or "//" not in value
    assert b"chronicle.invalid" not in drawing.svg_bytes


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
    drawing = sanitize_drawing(text.encode())
    assert drawing.dropped_names == ()
    elements_before, elements_after = (
        list(ElementTree.fromstring(markup).iter()) for markup in (text, drawing.svg_bytes)
    )
    assert [(element.tag, element.attrib, element.text) for element in elements_before] == [
        (element.tag, element.attrib, element.text) for element in elements_after
    ]


def test_every_picture_of_the_play_examples_is_published_whole(root: Path) -> None:
    for file in (root / "sessions").glob("*/art/*.svg"):
        assert sanitize_drawing(file.read_bytes()).dropped_names == (), file


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
    assert picture_size(publishable_bytes(ending, made(1))) == (400, 300)
    assert picture_size(publishable_bytes(ending, made(6))) == (300, 400)


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
    assert picture_size(data) == sides


HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">'


def points(count: int) -> str:
    return " ".join(f"{number * 37 % 1000},{number * 91 % 1000}" for number in range(count))


def nested_markers(depth: int, count: int, *, styled: str = "") -> str:
    """Markers whose own lines have markers, each at every point."""
    markup = ""
    for level in range(1, depth + 1):
        marker = f'marker-mid="url(#m{level + 1})"' if level < depth else ""
        markup += f'<marker id="m{level}"><polyline points="{points(count)}" {marker}/></marker>'
    line = f'<polyline points="{points(count)}"/>'
    if styled:
        return (
            f"{HEAD}<style>{styled}{{marker-mid:url(#m1)}}</style><defs>{markup}</defs>{line}</svg>"
        )
    return f'{HEAD}<defs>{markup}</defs><g marker-mid="url(#m1)">{line}</g></svg>'


def inherited_patterns(depth: int, count: int) -> str:
    """Patterns that fill all shapes of a group, which are patterns in turn."""
    shapes = '<rect width="300" height="300"/>' * count
    markup = "".join(
        f'<pattern id="p{level}"><g fill="url(#p{level + 1})">{shapes}</g></pattern>'
        for level in range(1, depth + 1)
    )
    return f'{HEAD}<defs>{markup}</defs><g fill="url(#p1)">{shapes}</g></svg>'


def nested_masks(depth: int) -> str:
    markup = "".join(
        f'<mask id="k{level}"><g mask="url(#k{level + 1})">'
        f'<rect width="9" height="9" mask="url(#k{level + 1})"/></g></mask>'
        for level in range(depth)
    )
    return f'{HEAD}<defs>{markup}</defs><rect width="9" height="9" mask="url(#k0)"/></svg>'


def nested_uses(depth: int) -> str:
    markup = '<path id="u0" d="M0 0"/>'
    for level in range(1, depth + 1):
        markup += f'<g id="u{level}">' + f'<use href="#u{level - 1}"/>' * 10 + "</g>"
    return f'{HEAD}<defs>{markup}</defs><use href="#u{depth}"/></svg>'


LONG = "M0 0" + "".join(f"L{number % 1000} {number * 7 % 1000}" for number in range(20_000))
COSTLY = {
    "markers": nested_markers(5, 100),
    "markers of a style": nested_markers(4, 100, styled="polyline"),
    "markers of a style for all": nested_markers(4, 100, styled="*"),
    "a marker of many shapes": f'{HEAD}<defs><marker id="m">' + '<circle r="9"/>' * 3000
    + f'</marker></defs><polyline points="{points(3000)}" marker-mid="url(#m)"/></svg>',
    "a marker at every end of a path": f'{HEAD}<marker id="m">' + '<circle r="9"/>' * 3000
    + f'</marker><path d="M0 0{"z" * 3000}" marker-mid="url(#m)"/></svg>',
    "patterns": inherited_patterns(4, 60),
    "masks": nested_masks(12),
    "uses": nested_uses(7),
    "a long text that is used often": f'{HEAD}<text id="t">{"letters " * 50_000}</text>'
    + '<use href="#t"/>' * 60 + "</svg>",
    "a long path that is used often": f'{HEAD}<path id="t" d="{LONG}"/>'
    + '<use href="#t"/>' * 600 + "</svg>",
    "small dashes": f'{HEAD}<path d="{LONG}" stroke="red" stroke-dasharray="0.01 0.01"/></svg>',
    "dashes by their number": f'{HEAD}<path d="M0 0H9" pathLength="1e9" stroke-dasharray="1"/></svg>',
    "dashes of a group": f'{HEAD}<g style="stroke-dasharray:1e-7"><circle r="400"/></g></svg>',
    "rules for everything": f"{HEAD}<style>"
    + "*{fill:url(#a)}" * 3000 + "</style>" + "<g/>" * 3000 + "</svg>",
}  # fmt: skip


@pytest.mark.parametrize("name", COSTLY)
def test_a_drawing_that_is_slow_to_draw_is_refused_at_once(name: str) -> None:
    start = time.process_time()
    with pytest.raises(PictureRefused, match=r"too long to draw|too many parts|to itself"):
        sanitize_drawing(COSTLY[name].encode())
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    "drawn",
    [
        "".join(f'<path d="{LONG[:2000]}" fill="url(#g)"/>' for _ in range(500))
        + '<linearGradient id="g"><stop offset="0"/><stop offset="1"/></linearGradient>',
        f'<path d="{LONG}" stroke-dasharray="4 4"/>',
        '<marker id="a"><path d="M0 0L9 9"/></marker>'
        + f'<polyline points="{points(400)}" marker-mid="url(#a)"/>' * 20,
        '<mask id="m"><rect width="9" height="9"/></mask>' + '<rect mask="url(#m)"/>' * 200,
        f"<text>{'a long letter ' * 5000}</text>",
    ],
)
def test_a_large_drawing_is_published(drawn: str) -> None:
    assert sanitize_drawing(f"{HEAD}{drawn}</svg>".encode()).dropped_names == ()


NAMED = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90" fill="red">
<title>Cy &amp; Red at the greenhouse</title><style>.cy { fill: red } #red > .ana { clip-path: url(#cy) }</style>
<g id="cy" class="cy" aria-label="Cy and Ana"><circle cx="50" cy="70" r="9" fill="#fade00"/></g>
<use id="red" href="#cy" clip-path="url(#cy)"/><path d="M 1 1 L 2 2" fill="red"/>
<text class="ana" x="1">RED, Fade</text></svg>"""


def test_names_of_players_leave_the_words_of_a_drawing_and_nothing_else() -> None:
    players = ("Ana", "Cy", "Red", "Fade", "M", "L")
    pseudonyms = Pseudonyms({name: f"Player {n}" for n, name in enumerate(players, 1)})
    drawn = sanitize_drawing(NAMED.encode())
    assert drawn.dropped_names == ()
    data = reword_drawing(drawn.svg_bytes, pseudonyms.replace_in_text)
    assert sanitize_drawing(data).svg_bytes == data, "it is a safe drawing still"
    text = data.decode()
    assert "<title>Player 2 &amp; Player 3 at the greenhouse</title>" in text
    assert '<g id="player-2" class="player-2" aria-label="Player 2 and Player 1">' in text
    assert '<circle cx="50" cy="70" r="9" fill="#fade00"/>' in text
    assert '<use id="player-3" href="#player-2" clip-path="url(#player-2)"/>' in text
    assert '<path d="M 1 1 L 2 2" fill="red"/>' in text
    assert "PLAYER 3, Player 4" in text
    assert ".player-2{fill:red}\n#player-3 &gt; .player-1{clip-path:url(#player-2)}" in text
    assert reword_drawing(drawn.svg_bytes, lambda words: words) == drawn.svg_bytes
