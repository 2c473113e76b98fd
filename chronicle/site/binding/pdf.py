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

from chronicle.core.installation import install_command
from chronicle.site.binding.epub import MEDIA_TYPES, font_rules_and_files
from chronicle.site.binding.manuscript import Manuscript, NoBook
from chronicle.site.binding.setting import NO_PANGO_EXIT_CODE
from chronicle.site.fonts import ASSETS

TYPESETTING_SCRIPT = Path(__file__).with_name("setting.py")
MIN_TIMEOUT_SECONDS, LETTERS_PER_SECOND = 120, 500
"""How long setting may take at least, and for how many letters it gets another second: some fifty times
what it takes. What does not end by then does not end."""
PANGO_HELP = "how to get it:  https://doc.courtbouillon.org/weasyprint/stable/first_steps.html"
EPUB_HELP = "an EPUB needs neither WeasyPrint nor Pango"
REPRODUCIBLE_ENV = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "946684800"}
"""What would tell one making from another: the order of sets, and the hour that is written into fonts."""
_LINK_TO_LEAF = re.compile(r'href="[\w-]+\.xhtml#')
_FIRST_LETTER = re.compile(r'<p class="first">(\w)')
_HEADING_START = "<h1 "
_IMAGE_SOURCE = re.compile(r'src="(images/[^"]+)"')
_FONT_URL = re.compile(r'url\("(fonts/[^"]+)"\)')


def make_pdf(book: Manuscript) -> bytes:
    """The file.

    Raises:
        NoBook: where it cannot be set, as :func:`check_weasyprint` says, or because it takes too long.
    """
    identifier = sha256(f"{book.slug}\0{book.title}".encode()).hexdigest()[:32]
    return _run_typesetting_script(paper_html(book), identifier)


def check_weasyprint() -> None:
    """Hold that books can be set here.

    Raises:
        NoBook: where WeasyPrint, or what it needs of the system, is missing; it says which, and what to do.
    """
    _run_typesetting_script("", "")


def _run_typesetting_script(html: str, identifier: str) -> bytes:
    if find_spec("weasyprint") is None:
        raise NoBook(
            "a PDF needs WeasyPrint, which is not installed here",
            f"install it:  {install_command('book')}",
            EPUB_HELP,
        )
    try:
        completed_process = run(
            # Leave out the script's own folder: its modules must not shadow those that WeasyPrint imports.
            [sys.executable, "-P", str(TYPESETTING_SCRIPT), identifier],
            input=html.encode(),
            capture_output=True,
            env=os.environ | REPRODUCIBLE_ENV,
            timeout=MIN_TIMEOUT_SECONDS + len(html) / LETTERS_PER_SECOND,
            check=False,
        )
    except TimeoutExpired:
        raise NoBook("this book takes too long to set on paper", EPUB_HELP) from None
    if completed_process.returncode == NO_PANGO_EXIT_CODE:
        message = "a PDF needs Pango, a library of the system that WeasyPrint draws letters with"
        raise NoBook(message, PANGO_HELP, EPUB_HELP)
    if completed_process.returncode:
        reason = completed_process.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise NoBook(f"WeasyPrint cannot set this book on paper: {reason}", EPUB_HELP)
    return completed_process.stdout


def paper_html(book: Manuscript) -> str:
    """The book as one document with all that it shows."""
    font_rules, _ = font_rules_and_files(book)
    font_rules = _FONT_URL.sub(
        lambda font_match: (
            f'url("{_data_url(font_match[1], (ASSETS / font_match[1]).read_bytes())}")'
        ),
        font_rules,
    )
    styles = "\n".join(
        (ASSETS / f"book/{stylesheet_name}.css").read_text(encoding="utf-8")
        for stylesheet_name in ("book", "paper")
    )
    leaves_html = "\n".join(leaf.html for leaf in book.leaves)
    leaves_html = leaves_html.replace(
        _HEADING_START, f'{_HEADING_START} data-book="{escape(book.title)}"'
    )
    # WeasyPrint floats no ::first-letter of one letter.
    leaves_html = _FIRST_LETTER.sub(
        r'<p class="first"><span class="initial">\1</span>', leaves_html
    )
    leaves_html = _LINK_TO_LEAF.sub('href="#', leaves_html)
    leaves_html = _IMAGE_SOURCE.sub(
        lambda source_match: (
            f'src="{_data_url(source_match[1], book.contents_by_image_path[source_match[1]])}"'
        ),
        leaves_html,
    )
    created_day, authors = escape(book.last_session_day), escape(", ".join(book.players))
    return (
        f'<!DOCTYPE html><html lang="{escape(book.language)}"><head><meta charset="utf-8">'
        f"<title>{escape(book.title)}</title>"
        f'<meta name="author" content="{authors}"><meta name="generator" content="Chronicle">'
        f'<meta name="description" content="{escape(book.summary)}">'
        f'<meta name="dcterms.created" content="{created_day}"><meta name="dcterms.modified" content="{created_day}">'
        f"<style>{font_rules}\n{styles}</style></head><body>"
        f'<section class="jacketpage"><img src="{_data_url("jacket.svg", book.cover_svg)}" alt="Cover"></section>'
        f"{leaves_html}</body></html>"
    )


def _data_url(file_name: str, contents: bytes) -> str:
    return (
        f"data:{MEDIA_TYPES[PurePosixPath(file_name).suffix]};base64,{b64encode(contents).decode()}"
    )
