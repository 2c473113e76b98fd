"""The book as an EPUB 3 file, packed by the standard library. The same book always gives the same bytes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from types import MappingProxyType
from uuid import NAMESPACE_URL, uuid5

from markupsafe import Markup, escape

from chronicle.site.binding.manuscript import Leaf, Manuscript
from chronicle.site.binding.xhtml import xhtml
from chronicle.site.fonts import ASSETS, fonts_for
from chronicle.words import word

MEDIA = MappingProxyType(
    {
        ".css": "text/css",
        ".gif": "image/gif",
        ".jpeg": "image/jpeg",
        ".jpg": "image/jpeg",
        ".png": "image/png",
        ".svg": "image/svg+xml",
        ".webp": "image/webp",
        ".woff2": "font/woff2",
        ".xhtml": "application/xhtml+xml",
    }
)
_LANDMARKS = MappingProxyType({"contents": "toc", "chapter-1": "bodymatter", "notes": "endnotes"})
COVER = Leaf(
    "cover",
    word("site.cover"),
    '<section id="cover" epub:type="cover"><img class="jacket" src="images/jacket.svg" '
    f'alt="{word("site.cover")}"/></section>',
)


def epub(book: Manuscript) -> bytes:
    """The file."""
    files = dict(_files(book))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        _add_file(packed, "mimetype", b"application/epub+zip", zipfile.ZIP_STORED)
        for name, data in files.items():
            _add_file(packed, name, data)
    return buffer.getvalue()


def _add_file(
    packed: zipfile.ZipFile, name: str, data: bytes, how: int = zipfile.ZIP_DEFLATED
) -> None:
    # A fixed time: with the real one, the same book would give different bytes.
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type, info.create_system, info.external_attr = how, 3, 0o644 << 16
    packed.writestr(info, data)


def _files(book: Manuscript) -> Iterator[tuple[str, bytes]]:
    yield (
        "META-INF/container.xml",
        b'<?xml version="1.0" encoding="UTF-8"?>\n'
        b'<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        b'<rootfiles><rootfile full-path="book/content.opf" '
        b'media-type="application/oebps-package+xml"/></rootfiles></container>\n',
    )
    inner = {leaf.file: _document(book, leaf).encode() for leaf in (COVER, *book.leaves)}
    inner |= {"images/jacket.svg": book.jacket, **book.images}
    faces, fonts = faces_in(book)
    style = (ASSETS / "book/book.css").read_text(encoding="utf-8")
    inner["book.css"] = f"{faces}\n{style}".encode()
    inner |= {file: (ASSETS / file).read_bytes() for file in fonts}
    yield "book/content.opf", _package(book, inner).encode()
    for name, data in inner.items():
        yield f"book/{name}", data


def faces_in(book: Manuscript) -> tuple[str, tuple[str, ...]]:
    """The fonts that a book needs: their rules, and their files among the assets."""
    rules, files = fonts_for(frozenset[str]().union(*(leaf.html for leaf in book.leaves)))
    return "\n".join(rules).replace("  font-display: swap;\n", ""), files


def _document(book: Manuscript, leaf: Leaf) -> str:
    language = escape(book.language)
    landmarks = _landmarks(book) if leaf.name == "contents" else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'lang="{language}" xml:lang="{language}">\n'
        f'<head><meta charset="utf-8"/><title>{xhtml(escape(leaf.title))}</title>'
        '<link rel="stylesheet" href="book.css"/></head>\n'
        f'<body class="{leaf.name.partition("-")[0]}">\n{leaf.html}\n{landmarks}</body>\n</html>\n'
    )


def _landmarks(book: Manuscript) -> str:
    first = next(leaf.name for leaf in book.leaves if leaf.name.startswith("chapter-"))
    kinds = {**_LANDMARKS, first: "bodymatter"}
    items = "".join(
        f'<li><a epub:type="{kinds[leaf.name]}" href="{leaf.url}">{xhtml(escape(leaf.title))}</a></li>'
        for leaf in book.leaves
        if leaf.name in kinds
    )
    return f'<nav epub:type="landmarks" hidden="hidden" aria-label="Landmarks"><ol>{items}</ol></nav>\n'


def _package(book: Manuscript, files: dict[str, bytes]) -> str:
    id = uuid5(NAMESPACE_URL, f"chronicle:{book.slug}:{book.title}")
    creators = "".join(_element("dc:creator", name) for name in book.tellers)
    optional_elements = "".join(
        _element(name, text)
        for name, text in (("dc:description", book.summary), ("dc:rights", book.rights))
        if text
    )
    access = "".join(
        _element("meta", value, property=f"schema:{name}")
        for name, value in (
            ("accessMode", "textual"),
            ("accessMode", "visual"),
            ("accessModeSufficient", "textual"),
            ("accessibilityFeature", "structuralNavigation"),
            ("accessibilityFeature", "tableOfContents"),
            ("accessibilityFeature", "alternativeText"),
            ("accessibilityFeature", "readingOrder"),
            ("accessibilityHazard", "none"),
        )
    )
    items = "".join(_item(name, data) for name, data in files.items())
    spine = "".join(f'<itemref idref="{_id(leaf.file)}"/>' for leaf in (COVER, *book.leaves))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" '
        f'xml:lang="{escape(book.language)}">\n'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"{_element('dc:identifier', f'urn:uuid:{id}', id='id')}{_element('dc:title', book.title)}"
        f"{_element('dc:language', book.language)}{creators}{optional_elements}"
        f"{_element('dc:date', book.changed)}"
        f"{_element('meta', f'{book.changed}T00:00:00Z', property='dcterms:modified')}"
        f'{access}<meta name="cover" content="{_id("images/jacket.svg")}"/></metadata>\n'
        f"<manifest>{items}</manifest>\n<spine>{spine}</spine>\n</package>\n"
    )


def _element(name: str, text: str, **attributes: str) -> str:
    attribute_text = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{attribute_text}>{xhtml(escape(text))}</{name}>"


def _item(name: str, data: bytes) -> str:
    kinds = []
    if name == "nav.xhtml":
        kinds.append("nav")
    if name == "images/jacket.svg":
        kinds.append("cover-image")
    if name.endswith(".xhtml") and b"<svg" in data:
        kinds.append("svg")
    properties = f' properties="{" ".join(kinds)}"' if kinds else ""
    return Markup('<item id="{}" href="{}" media-type="{}"{}/>').format(
        _id(name), name, MEDIA[PurePosixPath(name).suffix], Markup(properties)
    )


def _id(name: str) -> str:
    return "f-" + re.sub(r"[^\w-]", "-", name)
