"""The book as a tagged PDF: the same leaves on paper, set by WeasyPrint. The same book is the same bytes."""

from __future__ import annotations

import os
import re
import sys
from base64 import b64encode
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from subprocess import TimeoutExpired, run

from markupsafe import escape

from chronicle.site.binding.epub import MEDIA, faces_in
from chronicle.site.binding.manuscript import Manuscript, NoBook
from chronicle.site.binding.setting import NO_PANGO
from chronicle.site.fonts import ASSETS

SETTING = Path(__file__).with_name("setting.py")
SECONDS, LETTERS = 120, 500
"""How long setting may take at least, and for how many letters it gets another second: some fifty times
what it takes. What does not end by then does not end."""
LACKING = "install it:  pip install 'chronicle-tabletop[book]'"
PANGO = "how to get it:  https://doc.courtbouillon.org/weasyprint/stable/first_steps.html"
OR_EPUB = "an EPUB needs neither"
REPRODUCIBLE = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "946684800"}
"""What would tell one making from another: the order of sets, and the hour that is written into fonts."""
_LEADS = re.compile(r'href="[\w-]+\.xhtml#')
_FIRST = re.compile(r'<p class="first">(\w)')
_HEAD = "<h1 "
_SHOWN = re.compile(r'src="(images/[^"]+)"')
_FONT = re.compile(r'url\("(fonts/[^"]+)"\)')


def pdf(book: Manuscript) -> bytes:
    """The file.

    Raises:
        NoBook: where it cannot be set, as :func:`ready` says, or because it takes too long.
    """
    name = sha256(f"{book.slug}\0{book.title}".encode()).hexdigest()[:32]
    return _set(paper(book), name)


def ready() -> None:
    """Hold that books can be set here.

    Raises:
        NoBook: where WeasyPrint, or what it needs of the system, is missing; it says which, and what to do.
    """
    _set("", "")


def _set(html: str, identifier: str) -> bytes:
    if find_spec("weasyprint") is None:
        raise NoBook("a PDF needs WeasyPrint, which is not installed here", LACKING, OR_EPUB)
    try:
        completed = run(
            # Leave out the script's own folder: its modules must not shadow those that WeasyPrint imports.
            [sys.executable, "-P", str(SETTING), identifier],
            input=html.encode(),
            capture_output=True,
            env=os.environ | REPRODUCIBLE,
            timeout=SECONDS + len(html) / LETTERS,
            check=False,
        )
    except TimeoutExpired:
        raise NoBook("this book takes too long to set on paper", OR_EPUB) from None
    if completed.returncode == NO_PANGO:
        message = "a PDF needs Pango, a library of the system that WeasyPrint draws letters with"
        raise NoBook(message, PANGO, OR_EPUB)
    if completed.returncode:
        why = completed.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise NoBook(f"WeasyPrint cannot set this book on paper: {why}", OR_EPUB)
    return completed.stdout


def paper(book: Manuscript) -> str:
    """The book as one document with all that it shows."""
    faces, _ = faces_in(book)
    faces = _FONT.sub(
        lambda font: f'url("{_data(font[1], (ASSETS / font[1]).read_bytes())}")', faces
    )
    styles = "\n".join(
        (ASSETS / f"book/{name}.css").read_text(encoding="utf-8") for name in ("book", "paper")
    )
    leaves = "\n".join(leaf.html for leaf in book.leaves)
    leaves = leaves.replace(_HEAD, f'{_HEAD} data-book="{escape(book.title)}"')
    # WeasyPrint floats no ::first-letter of one letter.
    leaves = _FIRST.sub(r'<p class="first"><span class="initial">\1</span>', leaves)
    leaves = _LEADS.sub('href="#', leaves)
    leaves = _SHOWN.sub(lambda src: f'src="{_data(src[1], book.images[src[1]])}"', leaves)
    day, tellers = escape(book.changed), escape(", ".join(book.tellers))
    return (
        f'<!DOCTYPE html><html lang="{escape(book.language)}"><head><meta charset="utf-8">'
        f"<title>{escape(book.title)}</title>"
        f'<meta name="author" content="{tellers}"><meta name="generator" content="Chronicle">'
        f'<meta name="description" content="{escape(book.summary)}">'
        f'<meta name="dcterms.created" content="{day}"><meta name="dcterms.modified" content="{day}">'
        f"<style>{faces}\n{styles}</style></head><body>"
        f'<section class="jacketpage"><img src="{_data("jacket.svg", book.jacket)}" alt="Cover"></section>'
        f"{leaves}</body></html>"
    )


def _data(file: str, data: bytes) -> str:
    return f"data:{MEDIA[PurePosixPath(file).suffix]};base64,{b64encode(data).decode()}"
