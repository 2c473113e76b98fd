"""The kinds of book that there are."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple
from xml.etree import ElementTree

from chronicle.site.binding.epub import pack_epub
from chronicle.site.binding.manuscript import CACHED_LEAVES, Manuscript, NoBook
from chronicle.site.binding.pdf import check_weasyprint, make_pdf
from chronicle.words import word


class BookFormat(NamedTuple):
    """What a kind of book is, in words, and what binds it."""

    description: str
    bind: Callable[[Manuscript], bytes]
    check_ready: Callable[[], None] = lambda: None
    """Raises ``NoBook`` where something that binds it is missing."""


BOOK_FORMATS = MappingProxyType(
    {
        ".epub": BookFormat(word("site.book_epub"), pack_epub),
        ".pdf": BookFormat(word("site.book_pdf"), make_pdf, check_weasyprint),
    }
)
"""The kinds of book, by the extension of their files."""


def bind_book(book: Manuscript, file_extension: str) -> bytes:
    """The file of a book.

    Raises:
        NoBook: when it cannot be bound so.
    """
    for leaf in book.leaves:
        xml_error = _xml_error(leaf.html)
        if xml_error:
            # Our own templates and what is cleaned of players' words are well formed.
            template_name = leaf.file_stem.partition("-")[0]
            raise NoBook(
                f"the page '{leaf.title}' of the book is not well-formed XHTML ({xml_error}): look at "
                f"templates/book/{template_name}.html in your project, and at the templates that it includes"
            )
    return BOOK_FORMATS[file_extension].bind(book)


@lru_cache(maxsize=CACHED_LEAVES)
def _xml_error(leaf_html: str) -> str:
    """Why a page is not well-formed XHTML; empty if it is."""
    try:
        ElementTree.fromstring(f'<leaf xmlns:epub="epub">{leaf_html}</leaf>')
    except ElementTree.ParseError as error:
        # Its line and column are those of the finished page.
        return str(error).partition(": line")[0]
    return ""
