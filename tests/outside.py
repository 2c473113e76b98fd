"""Labels that stand outside of the catalogue of words: ``python -m tests.outside`` lists them.

Templates and scripts are read for text that a person sees. Python of the site and the desk is read for string constants
that begin with a capital, or hold two words, where they are no docstring, key, pattern, markup or diagnostic.
"""

import ast
import re
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Final, get_args

from chronicle.core.campaign_view import NavEntry

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
_SENTENCE: Final = re.compile(
    r"^[A-Z][a-z]*[ .:?!]|^[A-Z][a-z]+$|[a-z,;:'’]{2,} [a-z]{2,}|… [a-z]{3,}|^ ?[a-z]{3,} …"
)
_CODE: Final = re.compile(
    r"[=(){}<>\\]|^[.#\[]|^- |^[a-z-]+\.[a-z]|^ch-|\.ch-|^cm-|^icon |^chronicle[ -]|--|var\(--|\[[a-z]+\]|"
    r"^ *font-|^'self'|^ *\"?use strict"
)
_NAMES: Final = frozenset(
    {"Arrow", "Enter", "Tab", "Escape", "Home", "End", "Backspace", "Coin", "Coins"}
    | {
        "moment campaign",
        "moment log waiting",
        "log moment",
        "raised moment",
        "campaign moment log raised",
        "evening now",
        "end session",
    }
    | {"campaign log", "campaign moment", "campaign findings moment line waiting log", "draft fit"}
    | {"button, summary", "button, a, summary"}
    | {"Chronicle", "Material for MkDocs", "Helvetica", "Courier", "Type"}
    | {"curve dash…", "nofollow noopener noreferrer"}
)
"""Names of keys, events, units, products, typefaces and attributes, which are no labels."""
_ENTRIES: Final = frozenset(get_args(NavEntry))
"""Names of entries of the navigation, as modules and games give them. Pages take their titles from the catalogue."""
_SETTINGS: Final = frozenset({"add ons", "house rules"})
"""Keys of ``campaign.yaml``."""
ALLOWED: Final = {
    "chronicle/services/desk.py: a question is a mapping": "answers a program that asks in a wrong form",
    "chronicle/services/desk.py: this cannot be written: …": "leads a diagnostic",
    "chronicle/services/line_completion.py: whatever comes": "stands for an answer while the rest of a line is tried",
    "chronicle/services/receiving.py: only one": "a kind of difference between two logs",
    "chronicle/services/receiving.py: only other": "a kind of difference between two logs",
    "page/src/log.js: draft …": "the classes of a row",
}
"""Single strings that are no labels, and why."""
REPORTS: Final = {
    "chronicle/services/fixes.py": "fixes, whose titles are the words of their diagnostics",
    "chronicle/services/proposals.py": "fixes that the desk makes itself",
    "chronicle/site/apart.py": "why a template of a project fails",
    "chronicle/site/binding/pdf.py": "what a computer lacks that binds a PDF",
    "chronicle/site/enclosed/feed.py": "which cover is not on the picture for links",
    "chronicle/site/persons.py": "what is wrong in players.yaml",
    "chronicle/site/progress.py": "how far a build is, on a terminal",
    "chronicle/site/sandbox.py": "which template of a project takes too much",
    "chronicle/site/template_files.py": "which template of a project replaces nothing",
}
"""Modules that besides labels hold reports, with what these tell: they are diagnostics, and stay with the code."""


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


_PATTERN_CALLS: Final = frozenset({"compile", "search", "match", "sub", "findall", "split"})
"""Functions whose strings are patterns."""
_DIAGNOSTIC_CALLS: Final = frozenset(
    {
        "Diagnostic",
        "Refused",
        "log",
        "warn",
        "_warn_once",
        "warning",
        "error",
        "fail",
        "exit",
        "_miss",
        "Unanswerable",
        "__init__",
    }
)
"""Functions whose strings are diagnostics: what Chronicle reports stays with the code that finds it."""


def labels_of_python(text: str) -> Iterator[str]:
    """Find the labels that a module of the site or the desk holds itself."""
    tree = ast.parse(text)
    skipped = {
        inner for node in ast.walk(tree) for part in _not_shown(node) for inner in ast.walk(part)
    }
    parts = {
        inner for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for inner in node.values
    }
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            label = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            label = node.value
        else:
            continue
        is_markup = label.lstrip().startswith("<")
        shown = _WORDS if is_markup else _SENTENCE
        for piece in _TAG.sub("\0", label).split("\0") if "<" in label else [label]:
            is_name = piece in _NAMES | _ENTRIES | _SETTINGS or _CODE.search(piece)
            if shown.search(piece) and not is_name:
                yield piece


def _not_shown(node: ast.AST) -> Iterator[ast.AST]:
    """Parts of a node whose strings nobody sees as a label: docstrings, annotations, keys, errors, patterns."""
    match node:
        case ast.Expr(value=ast.Constant()):
            yield node.value
        case ast.Raise() | ast.Assert():
            yield node
        case ast.arg(annotation=ast.AST() as annotation) | ast.AnnAssign(annotation=annotation):
            yield annotation
        case ast.FunctionDef(returns=ast.AST() as returns):
            yield returns
        case ast.Subscript():
            yield node.slice
        case ast.Compare():
            yield from (node.left, *node.comparators)
        case ast.MatchValue():
            yield node.value
        case ast.Dict():
            yield from filter(None, node.keys)
        case ast.Call():
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in _PATTERN_CALLS or name in _DIAGNOSTIC_CALLS:
                yield from node.args
            if name == "cast":
                yield node.args[0]


FILES: Final[dict[str, Callable[[str], Iterator[str]]]] = {
    "templates/**/*.html": labels_of_template,
    "chronicle/site/theme/**/*.html": labels_of_template,
    "page/src/**/*.html": labels_of_template,
    "page/src/**/*.js": labels_of_script,
    "chronicle/site/assets/**/*.js": labels_of_script,
    "chronicle/site/**/*.py": labels_of_python,
    "chronicle/services/**/*.py": labels_of_python,
}
"""Which files are read for labels, and how."""
_BUILT: Final = ("assets/desk/", "assets/device/", "assets/vendor/")
"""Folders of scripts that are built from others, or that other people wrote."""


def find_labels(allowed: Container[str] = ALLOWED) -> Iterator[str]:
    """Find every label outside of the catalogue but those ``allowed``, each as ``file: label``."""
    for pattern, find in FILES.items():
        for file in sorted(ROOT.glob(pattern)):
            name = file.relative_to(ROOT).as_posix()
            if name in REPORTS or any(folder in name for folder in _BUILT):
                continue
            for label in find(file.read_text(encoding="utf-8")):
                if f"{name}: {label}" not in allowed:
                    yield f"{name}: {label}"


if __name__ == "__main__":
    print(*find_labels(), sep="\n")
