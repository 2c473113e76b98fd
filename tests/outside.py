"""Labels that stand outside of the catalogue of words: how many are left in each template and script.

``python -m tests.outside`` writes the list anew. The numbers may only go down.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
LIST: Final = Path(__file__).with_name("outside.txt")

_JINJA: Final = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_QUOTED: Final = re.compile(r'"([^"\n]*)"|\'([^\'\n]*)\'')
_WORD_CALL: Final = re.compile(r'\bword(?:ed)?\("[^"]*"')
_TAG: Final = re.compile(
    r"<(?:script|style|svg|code)\b.*?</(?:script|style|svg|code)>|<[^>]*>", re.DOTALL
)
_ATTRIBUTE: Final = re.compile(r'\s(?:aria-label|alt|title|placeholder)="([^"]*)"')
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")

_COMMENT: Final = re.compile(r"/\*[\s\S]*?\*/|(?<![:\"'])//[^\n]*|^import [^\n]*", re.MULTILINE)
_LITERAL: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
_PLACE: Final = re.compile(r"\$\{[^{}]*\}")
_SENTENCE: Final = re.compile(r"^[A-Z][a-z]+[ .:?!]|^[A-Z][a-z]+$|[a-z,;:'’]{2,} [a-z]{2,}")
_CODE: Final = re.compile(r"[=(){}<>\\]|^[.#\[]|^[a-z-]+\.[a-z]|^ch-|\.ch-|^chronicle-|var\(--")
_NAMES: Final = frozenset(
    {"Enter", "Tab", "Escape", "Home", "End", "Backspace", "Coin", "Coins", "Chronicle"}
    | {"moment campaign", "moment log waiting", "log moment", "evening now", "end session"}
    | {"campaign log", "campaign findings moment line waiting log", "button, summary"}
)
"""Names of keys, events and units, which are no labels."""


def labels_of_template(text: str) -> Iterator[str]:
    """Find the labels that a template holds itself."""
    for match in _JINJA.finditer(text):
        if match[0].startswith("{#") or "import " in match[0] or "include " in match[0]:
            continue
        for found in _QUOTED.findall(_WORD_CALL.sub("", match[0])):
            quoted = found[0] or found[1]
            if _SENTENCE.search(quoted) and not _CODE.search(quoted):
                yield quoted
    bare = _JINJA.sub("\0", text)
    for value in _ATTRIBUTE.findall(bare):
        if _WORDS.search(value):
            yield value
    for piece in _TAG.sub("\0", bare).split("\0"):
        if _WORDS.search(piece):
            yield piece.strip()


def labels_of_script(text: str) -> Iterator[str]:
    """Find the labels that a script of the desk or of the site holds itself."""
    for quoted, template in _LITERAL.findall(_COMMENT.sub("", text)):
        label = quoted or _PLACE.sub("…", template)
        if label not in _NAMES and _SENTENCE.search(label) and not _CODE.search(label):
            yield label


def count_labels() -> dict[str, int]:
    """Count the labels outside of the catalogue, by the path of each file that has any."""
    files = [
        *((file, labels_of_template) for file in ROOT.glob("templates/**/*.html")),
        *((file, labels_of_script) for file in ROOT.glob("page/src/**/*.js")),
        *((file, labels_of_script) for file in ROOT.glob("chronicle/site/assets/*.js")),
    ]
    found = {
        file.relative_to(ROOT).as_posix(): sum(1 for _ in labels(file.read_text(encoding="utf-8")))
        for file, labels in sorted(files)
    }
    return {file: count for file, count in found.items() if count}


def read_list() -> dict[str, int]:
    """Read how many labels each file may have."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return {file: int(count) for count, file in (line.split(" ", 1) for line in lines)}


if __name__ == "__main__":
    counts = count_labels()
    LIST.write_text(
        "".join(f"{count} {file}\n" for file, count in counts.items()),
        encoding="utf-8",
        newline="\n",
    )
    print(f"{sum(counts.values())} labels in {len(counts)} files")
