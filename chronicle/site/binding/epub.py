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
    contents_by_path = dict(_epub_files(book))
    zip_buffer = io.BytesIO()
    with zipfile.ZipFile(zip_buffer, "w") as zip_archive:
        _add_file(zip_archive, "mimetype", b"application/epub+zip", zipfile.ZIP_STORED)
        for file_path, contents in contents_by_path.items():
            _add_file(zip_archive, file_path, contents)
    return zip_buffer.getvalue()


def _add_file(
    zip_archive: zipfile.ZipFile,
    file_path: str,
    contents: bytes,
    compression: int = zipfile.ZIP_DEFLATED,
) -> None:
    # A fixed time: with the real one, the same book would give different bytes.
    zip_info = zipfile.ZipInfo(file_path, (1980, 1, 1, 0, 0, 0))
    zip_info.compress_type, zip_info.create_system, zip_info.external_attr = (
        compression,
        3,
        0o644 << 16,
    )
    zip_archive.writestr(zip_info, contents)


def _epub_files(book: Manuscript) -> Iterator[tuple[str, bytes]]:
    yield (
        "META-INF/container.xml",
        b'<?xml version="1.0" encoding="UTF-8"?>\n'
        b'<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        b'<rootfiles><rootfile full-path="book/content.opf" '
        b'media-type="application/oebps-package+xml"/></rootfiles></container>\n',
    )
    book_files = {
        leaf.file_name: _leaf_document(book, leaf).encode() for leaf in (COVER_LEAF, *book.leaves)
    }
    book_files |= {"images/jacket.svg": book.cover_svg, **book.contents_by_image_path}
    font_rules, font_files = font_rules_and_files(book)
    css = (ASSETS / "book/book.css").read_text(encoding="utf-8")
    book_files["book.css"] = f"{font_rules}\n{css}".encode()
    book_files |= {file: (ASSETS / file).read_bytes() for file in font_files}
    yield "book/content.opf", _package_document(book, book_files).encode()
    for file_path, contents in book_files.items():
        yield f"book/{file_path}", contents


def font_rules_and_files(book: Manuscript) -> tuple[str, tuple[str, ...]]:
    """The fonts that a book needs: their rules, and their files among the assets."""
    font_rules, font_files = fonts_for(frozenset[str]().union(*(leaf.html for leaf in book.leaves)))
    return "\n".join(font_rules).replace("  font-display: swap;\n", ""), font_files


def _leaf_document(book: Manuscript, leaf: Leaf) -> str:
    language = escape(book.language)
    landmarks = _landmarks(book) if leaf.file_stem == "contents" else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'lang="{language}" xml:lang="{language}">\n'
        f'<head><meta charset="utf-8"/><title>{to_xhtml(escape(leaf.title))}</title>'
        '<link rel="stylesheet" href="book.css"/></head>\n'
        f'<body class="{leaf.file_stem.partition("-")[0]}">\n{leaf.html}\n{landmarks}</body>\n</html>\n'
    )


def _landmarks(book: Manuscript) -> str:
    first_chapter_stem = next(
        leaf.file_stem for leaf in book.leaves if leaf.file_stem.startswith("chapter-")
    )
    landmark_types = {**_LANDMARK_TYPES, first_chapter_stem: "bodymatter"}
    list_items = "".join(
        f'<li><a epub:type="{landmark_types[leaf.file_stem]}" href="{leaf.url}">{to_xhtml(escape(leaf.title))}</a></li>'
        for leaf in book.leaves
        if leaf.file_stem in landmark_types
    )
    return f'<nav epub:type="landmarks" hidden="hidden" aria-label="Landmarks"><ol>{list_items}</ol></nav>\n'


def _package_document(book: Manuscript, book_files: dict[str, bytes]) -> str:
    book_id = uuid5(NAMESPACE_URL, f"chronicle:{book.slug}:{book.title}")
    creator_elements = "".join(_element("dc:creator", player) for player in book.players)
    optional_elements = "".join(
        _element(tag_name, tag_text)
        for tag_name, tag_text in (("dc:description", book.summary), ("dc:rights", book.rights))
        if tag_text
    )
    accessibility_elements = "".join(
        _element("meta", property_value, property=f"schema:{tag_name}")
        for tag_name, property_value in (
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
    manifest_items = "".join(
        _manifest_item(file_path, contents) for file_path, contents in book_files.items()
    )
    spine_items = "".join(
        f'<itemref idref="{_manifest_id(leaf.file_name)}"/>' for leaf in (COVER_LEAF, *book.leaves)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" '
        f'xml:lang="{escape(book.language)}">\n'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"{_element('dc:identifier', f'urn:uuid:{book_id}', id='id')}{_element('dc:title', book.title)}"
        f"{_element('dc:language', book.language)}{creator_elements}{optional_elements}"
        f"{_element('dc:date', book.last_session_day)}"
        f"{_element('meta', f'{book.last_session_day}T00:00:00Z', property='dcterms:modified')}"
        f'{accessibility_elements}<meta name="cover" content="{_manifest_id("images/jacket.svg")}"/></metadata>\n'
        f"<manifest>{manifest_items}</manifest>\n<spine>{spine_items}</spine>\n</package>\n"
    )


def _element(tag_name: str, tag_text: str, **attributes: str) -> str:
    attribute_text = "".join(
        f' {attribute_name}="{escape(attribute_value)}"'
        for attribute_name, attribute_value in attributes.items()
    )
    return f"<{tag_name}{attribute_text}>{to_xhtml(escape(tag_text))}</{tag_name}>"


def _manifest_item(file_path: str, contents: bytes) -> str:
    property_names = []
    if file_path == "nav.xhtml":
        property_names.append("nav")
    if file_path == "images/jacket.svg":
        property_names.append("cover-image")
    if file_path.endswith(".xhtml") and b"<svg" in contents:
        property_names.append("svg")
    properties_attribute = f' properties="{" ".join(property_names)}"' if property_names else ""
    return Markup('<item id="{}" href="{}" media-type="{}"{}/>').format(
        _manifest_id(file_path),
        file_path,
        MEDIA_TYPES[PurePosixPath(file_path).suffix],
        Markup(properties_attribute),
    )


def _manifest_id(file_path: str) -> str:
    return "f-" + re.sub(r"[^\w-]", "-", file_path)
