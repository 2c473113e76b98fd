"""The kinds of book that there are."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple
from xml.etree import ElementTree

from chronicle.site.binding.epub import epub
from chronicle.site.binding.manuscript import LEAVES, Manuscript, NoBook
from chronicle.site.binding.pdf import pdf, ready
from chronicle.words import word


class Form(NamedTuple):
    """What a kind of book is, in words, and what binds it."""

    words: str
    bind: Callable[[Manuscript], bytes]
    ready: Callable[[], None] = lambda: None
    """Raises ``NoBook`` where something that binds it is missing."""


FORMS = MappingProxyType(
    {
        ".epub": Form(word("site.book_epub"), epub),
        ".pdf": Form(word("site.book_pdf"), pdf, ready),
    }
)
"""The kinds of book, by how their files end."""


def bind(book: Manuscript, ending: str) -> bytes:
    """The file of a book.

    Raises:
        NoBook: when it cannot be bound so.
    """
    for leaf in book.leaves:
        error = _ill_formed(leaf.html)
        if error:
            # Our own templates and what is cleaned of players' words are well formed.
            raise NoBook(
                f"the page '{leaf.title}' is no XHTML ({error}): a template of the project is at fault"
            )
    return FORMS[ending].bind(book)


@lru_cache(maxsize=LEAVES)
def _ill_formed(html: str) -> str:
    """Why a page is not well-formed XHTML; empty if it is."""
    try:
        ElementTree.fromstring(f'<leaf xmlns:epub="epub">{html}</leaf>')
    except ElementTree.ParseError as error:
        return str(error)
    return ""
