"""The kinds of book that there are."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from xml.etree import ElementTree

from chronicle.site.binding.epub import epub
from chronicle.site.binding.manuscript import Manuscript, NoBook


class Form:
    """What a kind of book is, in words, and what binds it."""

    def __init__(self, words: str, bind: Callable[[Manuscript], bytes]) -> None:
        self.words = words
        self.bind = bind


FORMS = MappingProxyType({".epub": Form("The story as a book, for e-readers", epub)})
"""The kinds of book, by how their files end."""


def bind(book: Manuscript, ending: str) -> bytes:
    """The file of a book.

    Raises:
        NoBook: when it cannot be bound so.
    """
    for leaf in book.leaves:
        try:
            ElementTree.fromstring(f'<leaf xmlns:epub="epub">{leaf.html}</leaf>')
        except ElementTree.ParseError as error:
            # Our own templates and what is cleaned of players' words are well formed.
            raise NoBook(
                f"the page '{leaf.title}' is no XHTML ({error}): a template of the project is at fault"
            ) from None
    return FORMS[ending].bind(book)
