"""``python -m tests.site.template_tables``: write the tables of templates into ``docs/change-the-pages.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from jinja2 import meta, nodes

from chronicle.site.draw import make_environment
from chronicle.site.template_files import template_folders, template_names
from tests.conftest import ROOT

PAGE: Final = ROOT / "docs" / "change-the-pages.md"
KNOWN_TO_ALL: Final = frozenset(
    ("renderer", "book", "Ref", "title", "crumbs", "beside", "same_entry", "word")
)
"""The names that the page explains once for all templates of a campaign."""
_COMMENT: Final = re.compile(r"\{#-?\s*(.*?)\s*-?#\}", re.S)
_TABLES: Final = re.compile(r"(?<=<!-- templates -->\n).*(?=<!-- /templates -->)", re.S)


class Template:
    """A template of Chronicle, and what it says of itself."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._text = (template_folders()[0] / name).read_text(encoding="utf-8")
        self._tree = make_environment().parse(self._text)

    @property
    def summary(self) -> str:
        """Its first comment."""
        comment = _COMMENT.match(self._text)
        assert comment is not None, f"{self.name} does not begin with a comment"
        return " ".join(comment[1].split()).replace("|", "\\|")

    @property
    def parents(self) -> list[Template]:
        """The templates that it extends."""
        names = [node.template for node in self._tree.find_all(nodes.Extends)]
        return [Template(name.value) for name in names if isinstance(name, nodes.Const)]

    def values(self) -> list[str]:
        """What it knows beside what all know."""
        own = {name.name for name in self._tree.find_all(nodes.Name) if name.ctx == "store"}
        own |= {node.target for node in self._tree.find_all(nodes.Import)} | {*self.macros()}
        free_names = sorted(meta.find_undeclared_variables(self._tree) - own - KNOWN_TO_ALL)
        return [
            *dict.fromkeys([*free_names, *(name for up in self.parents for name in up.values())])
        ]

    def blocks(self) -> list[str]:
        """What can be replaced in it alone."""
        own = [block.name for block in self._tree.find_all(nodes.Block)]
        return [*dict.fromkeys([*own, *(name for up in self.parents for name in up.blocks())])]

    def macros(self) -> list[str]:
        """What other templates call."""
        names = [macro.name for macro in self._tree.find_all(nodes.Macro)]
        return [name for name in names if not name.startswith("_")]


def tables() -> Iterator[str]:
    """The lines of the tables."""
    templates = [Template(name) for name in template_names()]
    yield "| template | what it draws | blocks | values |"
    yield "|---|---|---|---|"
    for template in (template for template in templates if not template.name.startswith("macros/")):
        yield f"| `{template.name}` | {template.summary} | {_names(template.blocks())} | {_names(template.values())} |"
    yield ""
    yield "Macros draw parts of many pages. A file of them is replaced as a whole: copy it, and keep all its macros."
    yield ""
    yield "| template | what it draws | macros |"
    yield "|---|---|---|"
    for template in (template for template in templates if template.name.startswith("macros/")):
        yield f"| `{template.name}` | {template.summary} | {_names(template.macros())} |"


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def page() -> str:
    """The text of the page with its tables as they should be."""
    page_text = "\n".join(["", *tables(), "", ""])
    return _TABLES.sub(lambda _: page_text, PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    print(f"wrote {PAGE.relative_to(ROOT)}")
