"""A link checker for a built site: every address in HTML and SVG leads somewhere, anchors included."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SCHEMES_THAT_LEAVE = frozenset({"http", "https", "mailto"})


@dataclass
class Page(HTMLParser):
    """The ids of a page and the addresses it names."""

    ids: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        for name in ("href", "src", "xlink:href", "data", "poster", "action"):
            value = found.get(name)
            if value is not None and tag != "base":
                self.links.append((f"{tag}[{name}]", value))
                if tag in ("script", "img", "link", "iframe", "source", "object", "image", "use"):
                    self.loads.append(value)
        if tag == "meta" and found.get("http-equiv") == "refresh":
            self.links.append(("meta[refresh]", str(found["content"]).partition("url=")[2]))


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
    pages = read(root)
    for file, page in pages.items():
        here = file.relative_to(root)
        seen: dict[str, int] = defaultdict(int)
        for id in page.ids:
            seen[id] += 1
        yield from (f"{here}: id '{id}' stands {n} times" for id, n in seen.items() if n > 1)
        for load in page.loads:
            if urlsplit(load).scheme in SCHEMES_THAT_LEAVE and "canonical" not in load:
                yield f"{here}: loads {load}"
        if file.name == "404.html":
            continue  # Served from anywhere, it speaks in absolute addresses.
        for where, link in page.links:
            problem = _problem(root, file, link, pages)
            if problem:
                yield f"{here}: {where} {link!r}: {problem}"


def _problem(root: Path, file: Path, link: str, pages: dict[Path, Page]) -> str:
    parts = urlsplit(link)
    if parts.scheme in SCHEMES_THAT_LEAVE or parts.netloc:
        return ""
    if parts.scheme:
        return f"a scheme {parts.scheme!r}"
    target = file if not parts.path else (file.parent / unquote(parts.path)).resolve()
    if target != root and not target.is_relative_to(root):
        return "leaves the site"
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file():
        return "no such file"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].ids and anchor != "__skip":
        return "no such anchor"
    return ""
