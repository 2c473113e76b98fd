"""Parts of an excerpt in forms for other places: Markdown, HTML, plain text, forum code.

Players' words come as harmless HTML (:mod:`chronicle.site.prose`). Each form replaces its few tags by its
own and escapes everything else, so that a player's text cannot become markup of the form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from html.parser import HTMLParser
from types import MappingProxyType
from typing import Final

from markupsafe import Markup, escape

from chronicle.site.excerpt import ExcerptPart

_CONTROL_CHARACTER: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
_MARKDOWN_SIGNS: Final = re.compile(r"([\\`*_\[\]{}#|~!$^@])")
_LINE_START: Final = re.compile(r"^(\s*)([-+>]|\d+[.)])", re.M)
_BLOCK_TAGS: Final = frozenset({"p", "li", "br", "blockquote", "pre", "h3", "h4", "h5", "h6", "hr"})
_WORD_JOINER: Final = "\u2060"
"""A word joiner: it takes no room, and what follows it is no code."""


class InlineWriter(HTMLParser):
    """Inline HTML in the words of one form.

    Args:
        text_around_tags: for each tag, the text before and after its words.
        escape_text: escapes plain words.
    """

    def __init__(
        self,
        text_around_tags: Mapping[str, tuple[str, str]],
        escape_text: Callable[[str], str],
        link_format: str = "{0}",
    ) -> None:
        super().__init__(convert_charrefs=True)
        self._tags, self._escape, self._link_format = text_around_tags, escape_text, link_format
        self._output: list[str] = []
        self._hrefs: list[str] = []

    def write(self, html: str) -> str:
        """A part's HTML in this form, on one line or, where it had several paragraphs, on several."""
        self.reset()
        self._output, self._hrefs = [], []
        self.feed(str(html))
        self.close()
        written_text = _CONTROL_CHARACTER.sub("", "".join(self._output))
        return "\n".join(
            written_line.strip()
            for written_line in written_text.split("\n")
            if written_line.strip()
        )

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCK_TAGS:
            self._output.append("\n")
        if tag == "a":
            self._hrefs.append(dict(attrs).get("href") or "")
        self._output.append(self._tags.get(tag, ("", ""))[0])

    def handle_endtag(self, tag: str) -> None:
        self._output.append(self._tags.get(tag, ("", ""))[1])
        if tag == "a" and self._hrefs:
            href = self._hrefs.pop()
            if href:
                self._output.append(f" ({self._escape(href)})")
        if tag in _BLOCK_TAGS:
            self._output.append("\n")

    def handle_data(self, data: str) -> None:
        self._output.append(self._escape(data.replace("\n", " ")))


def _escape_markdown(text: str) -> str:
    escaped_text = _MARKDOWN_SIGNS.sub(r"\\\1", text)
    return escaped_text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _escape_bbcode(text: str) -> str:
    return text.replace("[", f"[{_WORD_JOINER}")


def _without_escaping(text: str) -> str:
    return text


_EMPHASIS: Final = ("em", "i"), ("strong", "b"), ("del", "s")


def _tags_for_emphasis(*texts_around: tuple[str, str]) -> Mapping[str, tuple[str, str]]:
    tag_names = (tag_name for group in _EMPHASIS for tag_name in group[:1])
    return MappingProxyType(dict(zip(tag_names, texts_around, strict=True)))


def write_markdown(excerpt_parts: Iterable[ExcerptPart]) -> str:
    """An excerpt as Markdown that any reader of it understands."""
    inline_writer = InlineWriter(
        _tags_for_emphasis(("*", "*"), ("**", "**"), ("~~", "~~")), _escape_markdown
    )

    def escaped_words(html: Markup) -> str:
        # No player's line begins a list, a quotation or a number of one.
        return _LINE_START.sub(r"\1\\\2", inline_writer.write(html))

    def write_part(excerpt_part: ExcerptPart) -> str:
        part_words, speaker = escaped_words(excerpt_part.html), escaped_words(excerpt_part.speaker)
        match excerpt_part.part_kind:
            case "scene":
                return f"### {part_words}" + (f"\n\n*{speaker}*" if speaker else "")
            case "turn":
                return f"**{part_words}**"
            case "line":
                return f"**{speaker}:** {part_words}"
            case "note" | "talk":
                return _prefix_lines(part_words, "> ")
            case "card":
                return f"> **{part_words}**"
            case "row":
                return _prefix_lines(f"{speaker}: {part_words}" if speaker else part_words, "> - ")
            case "wrong":
                return f"> **{part_words}**"
        return part_words.replace("\n", "\n\n")

    return _join_parts(
        excerpt_parts, write_part, kinds_without_gap=("card", "row"), separator="\n\n"
    )


def write_text(excerpt_parts: Iterable[ExcerptPart]) -> str:
    """An excerpt as plain text."""
    inline_writer = InlineWriter(
        _tags_for_emphasis(("", ""), ("", ""), ("", "")), _without_escaping
    )

    def write_part(excerpt_part: ExcerptPart) -> str:
        part_words, speaker = (
            inline_writer.write(excerpt_part.html),
            inline_writer.write(excerpt_part.speaker),
        )
        match excerpt_part.part_kind:
            case "scene":
                underline = "-" * min(len(part_words), 72)
                return f"{part_words}\n{underline}" + (f"\n{speaker}" if speaker else "")
            case "turn":
                return f"{part_words}:"
            case "line":
                return f"{speaker}: {part_words}"
            case "note" | "talk" | "wrong":
                return _prefix_lines(part_words, "    ")
            case "card":
                return f"    {part_words}"
            case "row":
                return _prefix_lines(
                    f"{speaker}: {part_words}" if speaker else part_words, "      "
                )
        return part_words.replace("\n", "\n\n")

    return _join_parts(
        excerpt_parts, write_part, kinds_without_gap=("card", "row"), separator="\n\n"
    )


def write_bbcode(excerpt_parts: Iterable[ExcerptPart]) -> str:
    """An excerpt in the code of forums."""
    inline_writer = InlineWriter(
        _tags_for_emphasis(("[i]", "[/i]"), ("[b]", "[/b]"), ("[s]", "[/s]")), _escape_bbcode
    )

    def write_part(excerpt_part: ExcerptPart) -> str:
        part_words, speaker = (
            inline_writer.write(excerpt_part.html),
            inline_writer.write(excerpt_part.speaker),
        )
        match excerpt_part.part_kind:
            case "scene":
                return f"[b][u]{part_words}[/u][/b]" + (f"\n[i]{speaker}[/i]" if speaker else "")
            case "turn":
                return f"[b]{part_words}[/b]"
            case "line":
                return f"[b]{speaker}:[/b] {part_words}"
            case "note" | "talk":
                return f"[i]{part_words}[/i]" if excerpt_part.part_kind == "talk" else part_words
            case "card" | "wrong":
                return f"[b]{part_words}[/b]"
            case "row":
                return f"• {speaker}: {part_words}" if speaker else f"• {part_words}"
        return part_words.replace("\n", "\n\n")

    return _join_parts(
        excerpt_parts, write_part, kinds_without_gap=("card", "row"), separator="\n\n"
    )


def write_html(excerpt_parts: Iterable[ExcerptPart]) -> str:
    """An excerpt as HTML with plain tags and no style: it takes the look of the page it is put on."""
    html_parts: list[str] = []
    is_in_list = False
    for excerpt_part in excerpt_parts:
        if is_in_list and excerpt_part.part_kind != "row":
            html_parts.append("</ul>")
        part_html, speaker = (
            _without_control_characters(excerpt_part.html),
            _without_control_characters(excerpt_part.speaker),
        )
        match excerpt_part.part_kind:
            case "scene":
                html_parts.append(
                    f"<h3>{part_html}</h3>" + (f"\n<p><em>{speaker}</em></p>" if speaker else "")
                )
            case "turn":
                html_parts.append(f"<p><b>{part_html}</b></p>")
            case "line":
                html_parts.append(f"<p><b>{speaker}:</b> {part_html}</p>")
            case "note" | "talk" | "wrong":
                html_parts.append(f"<p><small>{part_html}</small></p>")
            case "card":
                html_parts.append(f"<p><b>{part_html}</b></p>")
            case "row":
                if not is_in_list:
                    html_parts.append("<ul>")
                html_parts.append(
                    f"<li>{speaker}: {part_html}</li>" if speaker else f"<li>{part_html}</li>"
                )
            case _:
                html_parts.append(part_html if part_html.startswith("<") else f"<p>{part_html}</p>")
        is_in_list = excerpt_part.part_kind == "row"
    if is_in_list:
        html_parts.append("</ul>")
    return "\n".join(["<section>", *html_parts, "</section>", ""])


def _without_control_characters(markup: Markup) -> str:
    return _CONTROL_CHARACTER.sub("", str(escape(markup)))


def _prefix_lines(text: str, prefix: str) -> str:
    return "\n".join(prefix + text_line for text_line in text.split("\n"))


def _join_parts(
    excerpt_parts: Iterable[ExcerptPart],
    write_part: Callable[[ExcerptPart], str],
    *,
    kinds_without_gap: tuple[str, ...],
    separator: str,
) -> str:
    joined_text, last_kind = "", ""
    for excerpt_part in excerpt_parts:
        if joined_text:
            joined_text += (
                "\n"
                if excerpt_part.part_kind == "row" and last_kind in kinds_without_gap
                else separator
            )
        joined_text += write_part(excerpt_part)
        last_kind = excerpt_part.part_kind
    return joined_text + "\n"


WRITERS: Final[Mapping[str, Callable[[Iterable[ExcerptPart]], str]]] = MappingProxyType(
    {"markdown": write_markdown, "html": write_html, "text": write_text, "bbcode": write_bbcode}
)
"""Every form, by its name on the command line."""
