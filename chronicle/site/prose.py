"""Players' words: Markdown from people you may not know, made into HTML that cannot harm anybody."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

MAX_TEXT_LETTERS = 40_000
"""The longest text of one entry that is rendered; the rest is cut, with a remark."""

_BLOCKS = ("p", "br", "pre", "blockquote", "ul", "ol", "li", "hr", "h3", "h4", "h5", "h6")
_TAGS = frozenset((*_BLOCKS, "em", "strong", "del", "code", "a", "sup", "sub"))
_SCHEMES = frozenset({"http", "https", "mailto"})
_HEADING = re.compile(r"<(/?)h([1-6])>")
_NEWLINES = re.compile(r"\n\s*")
_OPENING_DOUBLE_QUOTE = re.compile(r'(^|[\s(\[{–—/])"')
_OPENING_SINGLE_QUOTE = re.compile(r"(^|[\s(\[{–—/“])'(?=\S)")
_MINUS = re.compile(r"(?<![\w.)-])-(?=\d)")
_LINK = re.compile(r'<a\b(?:( class="[^"]*")|[^>])*>')
_LINK_END = re.compile(r"</a>")
TAG = re.compile(r"""(<!--.*?-->|<[a-zA-Z/!?](?:[^<>"']|"[^"]*"|'[^']*')*>)""", re.DOTALL)
"""A whole tag or comment: in quotes an attribute may hold anything, ``>`` included."""
_STRAIGHT = re.compile(
    r"""(<(pre|code|kbd|samp|script|style|textarea)\b.*?</\2\s*>|<!--.*?-->|"""
    r"""</?[a-zA-Z!](?:[^<>"']|"[^"]*"|'[^']*')*>)|('|&\#39;|&\#x27;)|("|&quot;|&\#34;)|-&gt;""",
    re.DOTALL,
)
"""What :func:`curled` leaves as it is, and the signs of a typewriter that it replaces."""
_RUNS_ON = re.compile(r"</|<(a|abbr|b|del|em|i|mark|small|span|strong|sub|sup|tspan)\b")
"""Tags within a line."""
_OPENS = re.compile(r"(?!s\b)\S")
_OPENING_AFTER = frozenset(" \n\t([{–—/“‘\u00a0")
_STRONG = re.compile(r"\*\*(\S(?:[^*]*\S)?)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?![\w*])")


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "typographer": True, "breaks": False}).enable(
        ["strikethrough", "smartquotes"]
    )


@lru_cache(maxsize=1 << 13)
def prose(text: str) -> Markup:
    """Markdown as safe HTML: no script, style, picture, raw HTML, heading above level 3, or link within the
    site.

    The result has no blank lines and no line that looks like Markdown.
    """
    if len(text) > MAX_TEXT_LETTERS:
        text = text[:MAX_TEXT_LETTERS] + "\n\n*(cut here: too long for one entry)*"
    rendered = _parser().render(text)
    with_low_headings = _HEADING.sub(
        lambda heading: f"<{heading[1]}h{max(3, min(6, int(heading[2]) + 2))}>", rendered
    )
    clean = nh3.clean(
        with_low_headings,
        tags=set(_TAGS),
        attributes={"a": {"href", "title"}},
        attribute_filter=_attribute,
        url_schemes=set(_SCHEMES),
        link_rel="nofollow noopener noreferrer",
    )
    return Markup(one_line(curled(TAG.sub(_without_inner_brackets, clean))))


def _without_inner_brackets(match: re.Match[str]) -> str:
    """A tag without attributes that look like tags, for all versions of the sanitiser."""
    tag = match[0]
    return f"<{tag[1:-1].replace('<', '&lt;').replace('>', '&gt;')}>"


def _attribute(tag: str, name: str, value: str) -> str | None:
    """Only addresses that say where they lead: a relative one would mean another place on each page."""
    is_allowed = name != "href" or value.partition(":")[0].casefold() in _SCHEMES
    return value if is_allowed else None


def plain(text: str) -> str:
    """What a paragraph of Markdown says, in one line without any marks."""
    return " ".join(prose(text).striptags().split()) if text else ""


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


def curled(markup: str) -> str:
    """HTML with curly quotes, apostrophes and arrows in its text, except in code. Tags and attributes are kept."""
    after_word = False
    end = 0

    def sign(match: re.Match[str]) -> str:
        nonlocal after_word, end
        if match.start() > end:
            after_word = markup[match.start() - 1] not in _OPENING_AFTER
        end = match.end()
        if match[1]:
            after_word = bool(match[2]) or (after_word and _RUNS_ON.match(match[1]) is not None)
            return match[1]
        if match[0] == "-&gt;":
            after_word = False
            return "→"
        opens = not after_word and _OPENS.match(markup, end) is not None
        after_word = not opens
        if match[3]:
            return "‘" if opens else "’"
        return "“" if opens else "”"

    return _STRAIGHT.sub(sign, markup)


def unlinked(markup: str) -> Markup:
    """HTML with its links as mere words: for the head of something that opens when it is clicked."""
    return Markup(_LINK_END.sub("</span>", _LINK.sub(r"<span\1>", str(markup))))


def inline(text: str) -> Markup:
    """One computed line: typeset, escaped, and where it quotes a player's Markdown, bold and italic
    words are shown as such instead of with their marks."""
    html = str(escape(typeset(text)))
    if "*" in html:
        html = _EMPHASIS.sub(r"<em>\1</em>", _STRONG.sub(r"<strong>\1</strong>", html))
    return Markup(html)


def one_line(markup: str) -> str:
    """HTML without line breaks, except inside ``<pre>``, where they become character references, so
    that Markdown passes it through untouched."""
    parts = re.split(r"(<pre.*?</pre>)", markup, flags=re.S)
    return "".join(
        part.replace("\n", "&#10;") if part.startswith("<pre") else _NEWLINES.sub(" ", part)
        for part in parts
    ).strip()
