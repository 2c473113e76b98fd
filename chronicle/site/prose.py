"""Players' words: Markdown from people you may not know, made into HTML that cannot harm anybody."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

MAX_TEXT_LETTERS = 40_000
"""The longest text of one entry that is rendered; the rest is cut, with a remark."""

_BLOCK_TAGS = ("p", "br", "pre", "blockquote", "ul", "ol", "li", "hr", "h3", "h4", "h5", "h6")
_ALLOWED_TAGS = frozenset((*_BLOCK_TAGS, "em", "strong", "del", "code", "a", "sup", "sub"))
_ALLOWED_SCHEMES = frozenset({"http", "https", "mailto"})
_HEADING = re.compile(r"<(/?)h([1-6])>")
_NEWLINES = re.compile(r"\n\s*")
_OPENING_DOUBLE_QUOTE = re.compile(r'(^|[\s(\[{–—/])"')
_OPENING_SINGLE_QUOTE = re.compile(r"(^|[\s(\[{–—/“])'(?=\S)")
_MINUS = re.compile(r"(?<![\w.)-])-(?=\d)")
_LINK = re.compile(r'<a\b(?:( class="[^"]*")|[^>])*>')
_LINK_END = re.compile(r"</a>")
TAG = re.compile(r"""(<!--.*?-->|<[a-zA-Z/!?](?:[^<>"']|"[^"]*"|'[^']*')*>)""", re.DOTALL)
"""A whole tag or comment: in quotes an attribute may hold anything, ``>`` included."""
_STRAIGHT_SIGN = re.compile(
    r"""(<(pre|code|kbd|samp|script|style|textarea)\b.*?</\2\s*>|<!--.*?-->|"""
    r"""</?[a-zA-Z!](?:[^<>"']|"[^"]*"|'[^']*')*>)|('|&\#39;|&\#x27;)|("|&quot;|&\#34;)|-&gt;""",
    re.DOTALL,
)
"""What :func:`with_curly_quotes` leaves as it is, and the signs of a typewriter that it replaces."""
_INLINE_TAG = re.compile(r"</|<(a|abbr|b|del|em|i|mark|small|span|strong|sub|sup|tspan)\b")
"""Tags within a line."""
_TEXT_AFTER_OPENING = re.compile(r"(?!s\b)\S")
_SIGNS_BEFORE_OPENING = frozenset(" \n\t([{–—/“‘\u00a0")
_STRONG = re.compile(r"\*\*(\S(?:[^*]*\S)?)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?![\w*])")


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "typographer": True, "breaks": False}).enable(
        ["strikethrough", "smartquotes"]
    )


@lru_cache(maxsize=1 << 13)
def prose(markdown: str) -> Markup:
    """Markdown as safe HTML: no script, style, picture, raw HTML, heading above level 3, or link within the
    site.

    The result has no blank lines and no line that looks like Markdown.
    """
    if len(markdown) > MAX_TEXT_LETTERS:
        markdown = markdown[:MAX_TEXT_LETTERS] + "\n\n*(cut here: too long for one entry)*"
    rendered_html = _parser().render(markdown)
    with_low_headings = _HEADING.sub(
        lambda heading_match: f"<{heading_match[1]}h{max(3, min(6, int(heading_match[2]) + 2))}>",
        rendered_html,
    )
    clean_html = nh3.clean(
        with_low_headings,
        tags=set(_ALLOWED_TAGS),
        attributes={"a": {"href", "title"}},
        attribute_filter=_allowed_attribute,
        url_schemes=set(_ALLOWED_SCHEMES),
        link_rel="nofollow noopener noreferrer",
    )
    return Markup(one_line(with_curly_quotes(TAG.sub(_without_inner_brackets, clean_html))))


def _without_inner_brackets(tag_match: re.Match[str]) -> str:
    """A tag without attributes that look like tags, for all versions of the sanitiser."""
    tag = tag_match[0]
    return f"<{tag[1:-1].replace('<', '&lt;').replace('>', '&gt;')}>"


def _allowed_attribute(tag: str, attribute_name: str, attribute_value: str) -> str | None:
    """Only addresses that say where they lead: a relative one would mean another place on each page."""
    is_allowed = (
        attribute_name != "href" or attribute_value.partition(":")[0].casefold() in _ALLOWED_SCHEMES
    )
    return attribute_value if is_allowed else None


def markdown_to_text(markdown: str) -> str:
    """What a paragraph of Markdown says, in one line without any marks."""
    return " ".join(prose(markdown).striptags().split()) if markdown else ""


def typeset(text: str) -> str:
    """Plain text with the signs of a printer: curly quotes, a true minus before a figure. Markup and other
    values come back unchanged."""
    if isinstance(text, Markup) or not isinstance(text, str):
        return text
    # Most words have none of these, and every word of every page comes through here.
    if '"' in text:
        text = _OPENING_DOUBLE_QUOTE.sub(r"\1“", text).replace('"', "”")
    if "'" in text:
        text = _OPENING_SINGLE_QUOTE.sub(r"\1‘", text).replace("'", "’")
    return _MINUS.sub("−", text) if "-" in text else text


def with_curly_quotes(markup: str) -> str:
    """HTML with curly quotes, apostrophes and arrows in its text, except in code. Tags and attributes are kept."""
    is_after_word = False
    last_end = 0

    def curl_sign(sign_match: re.Match[str]) -> str:
        nonlocal is_after_word, last_end
        if sign_match.start() > last_end:
            is_after_word = markup[sign_match.start() - 1] not in _SIGNS_BEFORE_OPENING
        last_end = sign_match.end()
        if sign_match[1]:
            is_after_word = bool(sign_match[2]) or (
                is_after_word and _INLINE_TAG.match(sign_match[1]) is not None
            )
            return sign_match[1]
        if sign_match[0] == "-&gt;":
            is_after_word = False
            return "→"
        is_opening = not is_after_word and _TEXT_AFTER_OPENING.match(markup, last_end) is not None
        is_after_word = not is_opening
        if sign_match[3]:
            return "‘" if is_opening else "’"
        return "“" if is_opening else "”"

    return _STRAIGHT_SIGN.sub(curl_sign, markup)


def without_links(markup: str) -> Markup:
    """HTML with its links as mere words: for the head of something that opens when it is clicked."""
    return Markup(_LINK_END.sub("</span>", _LINK.sub(r"<span\1>", str(markup))))


def inline(text: str) -> Markup:
    """One computed line: typeset, escaped, and where it quotes a player's Markdown, bold and italic
    words are shown as such instead of with their marks."""
    inline_html = str(escape(typeset(text)))
    if "*" in inline_html:
        inline_html = _EMPHASIS.sub(
            r"<em>\1</em>", _STRONG.sub(r"<strong>\1</strong>", inline_html)
        )
    return Markup(inline_html)


def one_line(markup: str) -> str:
    """HTML without line breaks, except inside ``<pre>``, where they become character references, so
    that Markdown passes it through untouched."""
    html_parts = re.split(r"(<pre.*?</pre>)", markup, flags=re.S)
    return "".join(
        html_part.replace("\n", "&#10;")
        if html_part.startswith("<pre")
        else _NEWLINES.sub(" ", html_part)
        for html_part in html_parts
    ).strip()
