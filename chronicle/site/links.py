"""Addresses and names: where every page lies, and how a name in a text becomes a link to it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from posixpath import relpath

from markupsafe import Markup, escape

from chronicle.core.file_names import portable_name
from chronicle.site.prose import TAG, typeset

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_UNFINISHED_TAG = re.compile(r"<[a-zA-Z/!?]")
"""An unfinished tag: text and markup behind it cannot be told from each other."""
_TAG_NAME = re.compile(r"</?([\w-]*)")
_WORD = re.compile(r"\w+")
_SPACE = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?…”’])(?<!Mr\.)(?<!Mrs\.)(?<!Dr\.) (?=[A-ZÀ-Þ“‘])")
MIN_BEGINNING_LETTERS = 40
"""Fewer letters say next to nothing of a story."""
_UNLINKED_ELEMENTS = ("a", "code", "pre", "button", "summary", "svg", "h1", "h2", "h3")


def slugify(text: str) -> str:
    """A name as part of an address: ASCII, lower case, safe on every file system; possibly empty."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    return _NOT_SLUG.sub("-", ascii_text).strip("-")[:60].rstrip("-")


def file_slug(name: str) -> str:
    """The slug of a name if it is free, and a file name on every system. A name without any Latin letter
    gives its code points."""
    name = unicodedata.normalize("NFC", name)
    return portable_name(slugify(name) or "n" + "-".join(f"{ord(letter):x}" for letter in name[:6]))


def shortened(text: str, max_letters: int = 90) -> str:
    """A text on one line, cut where it is longer than that many letters."""
    text = " ".join(text.split())
    return text if len(text) <= max_letters else text[: max_letters - 1] + "…"


def first_sentences(text: str, max_letters: int) -> str:
    """The sentences at the beginning of a text that have at most ``max_letters`` letters together; at least one, and a
    second one if the first says next to nothing."""
    sentences = _SENTENCE_END.split(" ".join(text.split()))
    beginning = sentences[0]
    for sentence in sentences[1:]:
        is_enough = len(beginning) >= MIN_BEGINNING_LETTERS
        if is_enough and len(beginning) + 1 + len(sentence) > max_letters:
            break
        beginning = f"{beginning} {sentence}"
    return beginning


class Slugs:
    """Slugs that are unique on file systems that ignore letter case, and stable: a name keeps its
    slug as long as nothing before it takes it."""

    def __init__(self, used_slugs: Iterable[str] = ()) -> None:
        self._taken_slugs = {used_slug.casefold() for used_slug in used_slugs}
        self._slug_by_key: dict[str, str] = {}

    def is_taken(self, slug: str) -> bool:
        """Whether a slug is in use."""
        return slug in self._taken_slugs

    def slug_of(self, slug_key: str, name: str) -> str:
        """The slug for ``slug_key``, made from its name at the first call."""
        if slug_key not in self._slug_by_key:
            base_slug = file_slug(name)
            slug, suffix_number = base_slug, 1
            while slug in self._taken_slugs:
                suffix_number += 1
                slug = f"{base_slug}-{suffix_number}"
            self._taken_slugs.add(slug)
            self._slug_by_key[slug_key] = slug
        return self._slug_by_key[slug_key]


RESERVED_ADDRESSES = frozenset(
    (
        *(
            "404",
            "archive",
            "assets",
            "commands",
            "desk",
            "feed",
            "fonts",
            "format",
            "images",
            "img",
            "index",
            "javascripts",
        ),
        *("rules", "search", "sitemap", "stylesheets", "tags"),
    )
)
"""Addresses at the root of a site that no campaign takes: the project's own pages and the builder's files."""


def campaign_addresses(folders: Iterable[Path], reserved: Iterable[str] = ()) -> dict[Path, str]:
    """The address of each campaign on the site, unique even if letter case is ignored.

    A folder whose name equals the address comes before folders with merely similar names, and a folder near
    the root before deeper ones. So a new folder never changes the address of an older campaign.

    Args:
        folders: the campaign folders.
        reserved: other names at the root of the site.
    """

    def sort_key(folder: Path) -> tuple[bool, int, str]:
        folder_name = folder.resolve().name
        return folder_name != slugify(folder_name), len(folder.parts), str(folder)

    slugs = Slugs(RESERVED_ADDRESSES.union(slug.casefold() for slug in reserved))
    return {
        folder: slugs.slug_of(str(folder), slugify(folder.resolve().name) or "campaign")
        for folder in sorted(folders, key=sort_key)
    }


_relative_path = lru_cache(maxsize=1 << 16)(relpath)
"""The same few folders and pages are asked for again and again."""


@dataclass(frozen=True, slots=True)
class PageUrlBuilder:
    """How page paths (``lamps/sessions/1``) become addresses relative to another page.

    ``uses_folder_urls`` is MkDocs's ``use_directory_urls``.
    """

    uses_folder_urls: bool = False

    def from_root(self, page_path: str) -> str:
        """The address of a page from the root of the site."""
        if not self.uses_folder_urls:
            return f"{page_path}.html"
        if page_path == "index" or page_path.endswith("/index"):
            return page_path.removesuffix("index") or "./"
        return f"{page_path}/"

    def between(self, from_path: str, to_path: str, anchor: str = "") -> str:
        """The address of page ``to_path`` (or of a file, if it has an ending) seen from ``from_path``."""
        fragment = f"#{anchor}" if anchor else ""
        if from_path == to_path:
            return fragment or "#"
        is_file = "." in to_path.rpartition("/")[2]
        target_file = to_path if is_file else self.from_root(to_path)
        from_folder = (
            from_path
            if self.uses_folder_urls and not from_path.endswith("index")
            else from_path.rpartition("/")[0]
        )
        if from_path == "index":
            from_folder = ""
        relative_path = _relative_path(target_file or ".", from_folder or ".")
        if target_file.endswith("/") and not relative_path.endswith("/"):
            relative_path += "/"
        return relative_path + fragment


def as_in_page(name: str) -> str:
    """A name in the form that it has in a finished page."""
    return str(escape(typeset(name)))


def may_mention(page_html: str, names_in_page: Iterable[str]) -> bool:
    """Whether a finished page may hold any of these names, links within them notwithstanding."""
    likely_names = [
        name_in_page
        for name_in_page in names_in_page
        if max(_WORD.findall(name_in_page), key=len, default=name_in_page) in page_html
    ]
    if not likely_names:
        return False
    page_text = _SPACE.sub(" ", TAG.sub("", page_html))
    return any(_SPACE.sub(" ", name_in_page) in page_text for name_in_page in likely_names)


class NameLinker:
    """Turns names in finished HTML into links: the first mention of each name in a block.

    ``tags_by_name`` maps a name to the opening and closing tag around it. Headings, links and code are
    left alone. Names are matched as whole words, longest first, letter case counts.
    ``only_inside_sentences``: not where a sentence or what is quoted begins, since any word can have a capital
    there; plurals count.
    ``shown_name_by_name`` has names in the log that readers meet as others: a name that only counts a person.
    """

    def __init__(
        self,
        tags_by_name: Mapping[str, tuple[str, str]],
        *,
        only_inside_sentences: bool = False,
        shown_name_by_name: Mapping[str, str] | None = None,
    ) -> None:
        self._shown_name_by_name = {
            as_in_page(name): as_in_page(f"“{shown_name}”")
            for name, shown_name in (shown_name_by_name or {}).items()
        }
        self._tags_by_name = {
            as_in_page(name): opening_and_closing
            for name, opening_and_closing in tags_by_name.items()
            if name.strip()
        }
        self._linked_texts: dict[str, Markup] = {}
        """Texts that were linked already."""
        known_names = sorted(
            {*self._tags_by_name, *self._shown_name_by_name}, key=len, reverse=True
        )
        names_pattern = "|".join(re.escape(known_name) for known_name in known_names)
        lookbehind, plural_ending = (
            (r"(?<![.:;!?“‘] )(?<![“‘\-])", "s?") if only_inside_sentences else ("", "")
        )
        self._pattern = (
            re.compile(rf"{lookbehind}(?<![\w&#])({names_pattern}){plural_ending}(?!\w)")
            if known_names
            else None
        )

    def link(
        self,
        page_html: str,
        *,
        every_mention: bool = False,
        linked_tags: set[str] | None = None,
        only_capitalised: bool = False,
    ) -> Markup:
        """The same HTML with names linked. With ``every_mention``, each mention is linked. ``linked_tags`` are links
        further up on the page; this method adds its new links. ``only_capitalised``: skip mentions that
        begin with a small letter."""
        if self._pattern is None:
            return Markup(page_html)
        if linked_tags is not None or every_mention or only_capitalised:
            return self._link_names(
                page_html,
                every_mention,
                set() if linked_tags is None else linked_tags,
                only_capitalised,
            )
        # The pages of an evening say much of it twice.
        linked_html = self._linked_texts.get(page_html)
        if linked_html is None:
            linked_html = self._linked_texts[page_html] = self._link_names(
                page_html, False, set(), False
            )
        return linked_html

    def shown_name(self, name: str) -> str:
        """A name as readers meet it."""
        return self._shown_name_by_name.get(as_in_page(name), name)

    def _link_names(
        self, page_html: str, every_mention: bool, linked_tags: set[str], only_capitalised: bool
    ) -> Markup:
        def add_link(name_match: re.Match[str]) -> str:
            mention_text = self._shown_name_by_name.get(name_match[1], name_match.group())
            opening_tag, closing_tag = self._tags_by_name.get(name_match[1], ("", ""))
            if (not every_mention and opening_tag in linked_tags) or (
                only_capitalised and mention_text[0].islower()
            ):
                return mention_text
            linked_tags.add(opening_tag)
            return f"{opening_tag}{mention_text}{closing_tag}"

        assert self._pattern is not None
        if self._pattern.search(page_html) is None:
            return Markup(page_html)
        texts_and_tags = TAG.split(page_html)
        open_element_count = 0
        for part_index, text_or_tag in enumerate(texts_and_tags):
            if part_index % 2:
                element_name = _TAG_NAME.match(text_or_tag)[1].casefold()  # type: ignore[index]  # it may be empty
                if element_name in _UNLINKED_ELEMENTS and not text_or_tag.endswith("/>"):
                    open_element_count = max(
                        0, open_element_count + (-1 if text_or_tag.startswith("</") else 1)
                    )
            elif text_or_tag and not open_element_count:
                unfinished_tag = _UNFINISHED_TAG.search(text_or_tag)
                if unfinished_tag is not None:
                    texts_and_tags[part_index] = self._pattern.sub(
                        add_link, text_or_tag[: unfinished_tag.start()]
                    )
                    texts_and_tags[part_index] += text_or_tag[unfinished_tag.start() :]
                    break
                texts_and_tags[part_index] = self._pattern.sub(add_link, text_or_tag)
        return Markup("".join(texts_and_tags))
