"""A link checker for a built site: every address in HTML and SVG leads somewhere, anchors included."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

SCHEMES_THAT_LEAVE = frozenset({"http", "https", "mailto"})


TAG = re.compile(
    r"<!--.*?-->|<(script|style)\b([^>]*)>.*?</\1\s*>|<([a-zA-Z][^\s/>]*)((?:[^\"'>]|\"[^\"]*\"|'[^']*')*)>",
    re.DOTALL | re.IGNORECASE,
)
ATTRIBUTE = re.compile(r"""([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


@dataclass
class Page:
    """The ids of a page and the addresses it names."""

    ids: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)

    def feed(self, html: str) -> None:
        """Read a page that is well made, as ours are."""
        for match in TAG.finditer(html):
            tag = (match[1] or match[3] or "").lower()
            attributes = match[2] or match[4]
            if tag and attributes and "=" in attributes:
                named = ATTRIBUTE.finditer(attributes)
                self._tag(
                    tag,
                    {
                        attribute[1]: attribute[2] or attribute[3] or attribute[4] or ""
                        for attribute in named
                    },
                )

    def _tag(self, tag: str, attributes: dict[str, str]) -> None:
        if attributes.get("id"):
            self.ids.append(unescape(attributes["id"]))
        for name in ("href", "src", "xlink:href", "data", "poster", "action"):
            if name in attributes and tag != "base":
                value = unescape(attributes[name])
                self.links.append((f"{tag}[{name}]", value))
                if tag in ("script", "img", "link", "iframe", "source", "object", "image", "use"):
                    self.loads.append(value)
        if tag == "meta" and attributes.get("http-equiv") == "refresh":
            self.links.append(
                ("meta[refresh]", unescape(attributes["content"]).partition("url=")[2])
            )


def read(root: Path) -> dict[Path, Page]:
    """Every page of a built site."""
    pages: dict[Path, Page] = {}
    for file in sorted([*root.rglob("*.html"), *root.rglob("*.svg")]):
        page = Page()
        page.feed(file.read_text(encoding="utf-8"))
        pages[file.resolve()] = page
    return pages


def broken(root: Path) -> Iterator[str]:
    """What does not lead anywhere, what leads out of the folder, what is loaded from elsewhere, and ids
    that stand twice on a page; one line each."""
    root = root.resolve()
    site = _Site(root)
    for file, page in site.pages.items():
        page_path = Path(file).relative_to(root)
        id_counts = Counter(page.ids)
        yield from (
            f"{page_path}: id '{id}' stands {n} times" for id, n in id_counts.items() if n > 1
        )
        for load in page.loads:
            if urlsplit(load).scheme in SCHEMES_THAT_LEAVE and "canonical" not in load:
                yield f"{page_path}: loads {load}"
        if page_path.name == "404.html":
            continue  # Served from anywhere, it speaks in absolute addresses.
        for where, link in page.links:
            problem = site.problem(file, link)
            if problem:
                yield f"{page_path}: {where} {link!r}: {problem}"


class _Site:
    """What is in a folder, asked of the disk once."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.pages = {str(file): page for file, page in read(root).items()}
        self._ids = {file: {*page.ids, "", "__skip"} for file, page in self.pages.items()}
        self._files = {os.path.join(at, name) for at, _, names in os.walk(root) for name in names}  # noqa: PTH118
        self._known: dict[tuple[str, str], tuple[str, str]] = {}

    def problem(self, file: str, link: str) -> str:
        """What is wrong with a link of a file; empty if it leads somewhere."""
        path, _, fragment = link.partition("#")
        at = (os.path.dirname(file) if path else file, path)  # noqa: PTH120
        target_problem = self._known.get(at)
        if target_problem is None:
            target_problem = self._known[at] = self._target(*at)
        target, problem = target_problem
        if problem or not target:
            return problem
        if unquote(fragment) not in self._ids.get(target, {unquote(fragment)}):
            return "no such anchor"
        return ""

    def _target(self, base: str, path: str) -> tuple[str, str]:
        """The file an address without its anchor leads to, seen from a folder or a file; none if it leads out
        of the site as it may; and what is wrong with it."""
        parts = urlsplit(path)
        if parts.scheme in SCHEMES_THAT_LEAVE or parts.netloc:
            return "", ""
        if parts.scheme:
            return "", f"a scheme {parts.scheme!r}"
        target = os.path.normpath(os.path.join(base, unquote(parts.path))) if parts.path else base  # noqa: PTH118
        if target != self.root and not target.startswith(self.root + os.sep):
            return "", "leaves the site"
        for file in (target, os.path.join(target, "index.html")):  # noqa: PTH118
            if file in self._files:
                return file, ""
        return "", "no such file"
