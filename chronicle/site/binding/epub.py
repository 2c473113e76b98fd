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
from chronicle.site.binding.xhtml import to_xhtml
from chronicle.site.fonts import ASSETS, fonts_for
from chronicle.words import word

MEDIA_TYPES = MappingProxyType(
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
_LANDMARK_TYPES = MappingProxyType(
    {"contents": "toc", "chapter-1": "bodymatter", "notes": "endnotes"}
)
COVER_LEAF = Leaf(
    "cover",
    word("site.cover"),
    '<section id="cover" epub:type="cover"><img class="jacket" src="images/jacket.svg" '
    f'alt="{word("site.cover")}"/></section>',
)


def pack_epub(book: Manuscript) -> bytes:
    """The file."""
    files = dict(_files(book))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        _add_file(archive, "mimetype", b"application/epub+zip", zipfile.ZIP_STORED)
        for name, data in files.items():
            _add_file(archive, name, data)
    return buffer.getvalue()


def _add_file(
    archive: zipfile.ZipFile, name: str, data: bytes, compression: int = zipfile.ZIP_DEFLATED
) -> None:
    # A fixed time: with the real one, the same book would give different bytes.
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type, info.create_system, info.external_attr = compression, 3, 0o644 << 16
    archive.writestr(info, data)


def _files(book: Manuscript) -> Iterator[tuple[str, bytes]]:
    yield (
        "META-INF/container.xml",
        b'<?xml version="1.0" encoding="UTF-8"?>\n'
        b'<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        b'<rootfiles><rootfile full-path="book/content.opf" '
        b'media-type="application/oebps-package+xml"/></rootfiles></container>\n',
    )
    book_files = {
        leaf.file: _leaf_document(book, leaf).encode() for leaf in (COVER_LEAF, *book.leaves)
    }
    book_files |= {"images/jacket.svg": book.jacket, **book.images}
    font_rules, font_files = font_rules_and_files(book)
    style = (ASSETS / "book/book.css").read_text(encoding="utf-8")
    book_files["book.css"] = f"{font_rules}\n{style}".encode()
    book_files |= {file: (ASSETS / file).read_bytes() for file in font_files}
    yield "book/content.opf", _package_document(book, book_files).encode()
    for name, data in book_files.items():
        yield f"book/{name}", data


def font_rules_and_files(book: Manuscript) -> tuple[str, tuple[str, ...]]:
    """The fonts that a book needs: their rules, and their files among the assets."""
    rules, files = fonts_for(frozenset[str]().union(*(leaf.html for leaf in book.leaves)))
    return "\n".join(rules).replace("  font-display: swap;\n", ""), files


def _leaf_document(book: Manuscript, leaf: Leaf) -> str:
    language = escape(book.language)
    landmarks = _landmarks(book) if leaf.name == "contents" else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'lang="{language}" xml:lang="{language}">\n'
        f'<head><meta charset="utf-8"/><title>{to_xhtml(escape(leaf.title))}</title>'
        '<link rel="stylesheet" href="book.css"/></head>\n'
        f'<body class="{leaf.name.partition("-")[0]}">\n{leaf.html}\n{landmarks}</body>\n</html>\n'
    )


def _landmarks(book: Manuscript) -> str:
    first = next(leaf.name for leaf in book.leaves if leaf.name.startswith("chapter-"))
    landmark_types = {**_LANDMARK_TYPES, first: "bodymatter"}
    items = "".join(
        f'<li><a epub:type="{landmark_types[leaf.name]}" href="{leaf.url}">{to_xhtml(escape(leaf.title))}</a></li>'
        for leaf in book.leaves
        if leaf.name in landmark_types
    )
    return f'<nav epub:type="landmarks" hidden="hidden" aria-label="Landmarks"><ol>{items}</ol></nav>\n'


def _package_document(book: Manuscript, files: dict[str, bytes]) -> str:
    id = uuid5(NAMESPACE_URL, f"chronicle:{book.slug}:{book.title}")
    creators = "".join(_element("dc:creator", name) for name in book.tellers)
    optional_elements = "".join(
        _element(name, text)
        for name, text in (("dc:description", book.summary), ("dc:rights", book.rights))
        if text
    )
    accessibility = "".join(
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
    spine = "".join(
        f'<itemref idref="{_manifest_id(leaf.file)}"/>' for leaf in (COVER_LEAF, *book.leaves)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" '
        f'xml:lang="{escape(book.language)}">\n'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"{_element('dc:identifier', f'urn:uuid:{id}', id='id')}{_element('dc:title', book.title)}"
        f"{_element('dc:language', book.language)}{creators}{optional_elements}"
        f"{_element('dc:date', book.changed)}"
        f"{_element('meta', f'{book.changed}T00:00:00Z', property='dcterms:modified')}"
        f'{accessibility}<meta name="cover" content="{_manifest_id("images/jacket.svg")}"/></metadata>\n'
        f"<manifest>{items}</manifest>\n<spine>{spine}</spine>\n</package>\n"
    )


def _element(name: str, text: str, **attributes: str) -> str:
    attribute_text = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{attribute_text}>{to_xhtml(escape(text))}</{name}>"


def _item(name: str, data: bytes) -> str:
    properties_list = []
    if name == "nav.xhtml":
        properties_list.append("nav")
    if name == "images/jacket.svg":
        properties_list.append("cover-image")
    if name.endswith(".xhtml") and b"<svg" in data:
        properties_list.append("svg")
    properties = f' properties="{" ".join(properties_list)}"' if properties_list else ""
    return Markup('<item id="{}" href="{}" media-type="{}"{}/>').format(
        _manifest_id(name), name, MEDIA_TYPES[PurePosixPath(name).suffix], Markup(properties)
    )


def _manifest_id(name: str) -> str:
    return "f-" + re.sub(r"[^\w-]", "-", name)
