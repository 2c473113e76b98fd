"""Labels that stand outside of the catalogue of words: ``python -m tests.outside`` lists them.

Templates and scripts are read for text that a person sees. Python of the site and the desk is read for string constants
that begin with a capital, or hold two words, where they are no docstring, key, pattern, markup or diagnostic.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent

_JINJA: Final = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_QUOTED: Final = re.compile(r'"([^"\n]*)"|\'([^\'\n]*)\'')
_WORD_CALL: Final = re.compile(r'\bword(?:ed)?\("[^"]*"')
_TAG: Final = re.compile(
    r"<(?:script|style|svg|code)\b.*?</(?:script|style|svg|code)>|<[^>]*>", re.DOTALL
)
_ATTRIBUTE: Final = re.compile(r'\s(?:aria-label|alt|title|placeholder)="([^"]*)"')
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")
_MESSAGE: Final = re.compile(r"\{desk\.\w+\}")
"""Where the build of the desk puts a message of the catalogue into a page."""

_INTERNAL: Final = re.compile(r"(?:new (?:Error|DOMException)|console\.warn)\([^)]*\)")
"""What a script says to its authors alone."""
_COMMENT: Final = re.compile(r"/\*[\s\S]*?\*/|(?<![:\"'])//[^\n]*|^import [^\n]*", re.MULTILINE)
_LITERAL: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
_PLACE: Final = re.compile(r"\$\{[^{}]*\}")
_SENTENCE: Final = re.compile(r"^[A-Z][a-z]+[ .:?!]|^[A-Z][a-z]+$|[a-z,;:'’]{2,} [a-z]{2,}")
_CODE: Final = re.compile(
    r"[=(){}<>\\]|^[.#\[]|^[a-z-]+\.[a-z]|^ch-|\.ch-|^cm-|^icon |^chronicle-|var\(--|\[[a-z]+\]|^use strict$"
)
_NAMES: Final = frozenset(
    {"Arrow", "Enter", "Tab", "Escape", "Home", "End", "Backspace", "Coin", "Coins"}
    | {"moment campaign", "moment log waiting", "log moment", "evening now", "end session"}
    | {"campaign log", "campaign findings moment line waiting log", "button, summary"}
    | {"Chronicle", "Material for MkDocs"}
)
"""Names of keys, events, units and products, which are no labels."""


def labels_of_template(text: str) -> Iterator[str]:
    """Find the labels that a template holds itself."""
    for match in _JINJA.finditer(text):
        if match[0].startswith("{#") or "import " in match[0] or "include " in match[0]:
            continue
        for groups in _QUOTED.findall(_WORD_CALL.sub("", match[0])):
            quoted = groups[0] or groups[1]
            if _SENTENCE.search(quoted) and not _CODE.search(quoted):
                yield quoted
    bare = _MESSAGE.sub("", _JINJA.sub("\0", text))
    for value in _ATTRIBUTE.findall(bare):
        if _WORDS.search(value):
            yield value
    for piece in _TAG.sub("\0", bare).split("\0"):
        if _WORDS.search(piece) and piece.strip() not in _NAMES:
            yield piece.strip()


def labels_of_script(text: str) -> Iterator[str]:
    """Find the labels that a script of the desk or of the site holds itself."""
    for quoted, template in _LITERAL.findall(_INTERNAL.sub("", _COMMENT.sub("", text))):
        label = quoted or _PLACE.sub("…", template)
        if label not in _NAMES and _SENTENCE.search(label) and not _CODE.search(label):
            yield label


FILES: Final[dict[str, Callable[[str], Iterator[str]]]] = {
    "templates/**/*.html": labels_of_template,
    "chronicle/site/theme/**/*.html": labels_of_template,
    "page/src/**/*.html": labels_of_template,
    "page/src/**/*.js": labels_of_script,
    "chronicle/site/assets/**/*.js": labels_of_script,
}
"""Which files are read for labels, and how."""
_BUILT: Final = ("assets/desk/", "assets/device/", "assets/vendor/")
"""Folders of scripts that are built from others, or that other people wrote."""


def find_labels() -> Iterator[str]:
    """Find every label outside of the catalogue, each as ``file: label``."""
    for pattern, find in FILES.items():
        for file in sorted(ROOT.glob(pattern)):
            name = file.relative_to(ROOT).as_posix()
            if not any(folder in name for folder in _BUILT):
                yield from (f"{name}: {label}" for label in find(file.read_text(encoding="utf-8")))


if __name__ == "__main__":
    print(*find_labels(), sep="\n")
