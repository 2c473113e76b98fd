"""The stylesheet for another site: Chronicle's own rules, each for our elements alone.

The same layers dress Chronicle's own sites, where they are also rules for the theme. Here the rules for the theme
go, those for text apply within the element ``ch-guest``, and lengths follow its own base, as themes differ in the
size of a ``rem``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

GUEST_CLASS: Final = "ch-guest"
"""The class of the element around what Chronicle drew."""
_GUEST: Final = f".{GUEST_CLASS}"
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_REM_LENGTH: Final = re.compile(r"(?<![\w.-])(-?)(\d*\.?\d+)rem\b")
_MATERIAL_PROPERTY: Final = re.compile(r"\s*--md-[\w-]+:[^;}]*;")
_CLASS_OF_CHRONICLE: Final = re.compile(r"[.#]ch-|\.p\d\b")
_LIGHT_SELECTORS: Final = (":root", "[data-md-color-scheme]")
_DARK_SELECTOR: Final = '[data-md-color-scheme="slate"]'
_BASE_RULES: Final = f"""\
{_GUEST} {{ --ch-rem: 1.25rem; --bar: 4rem; display: flow-root; padding: 0 1rem; background: var(--paper); \
font-family: var(--sans); text-align: left; }}
html:has(> body > .md-container) {_GUEST} {{ --ch-rem: 1rem; }}
:is({_GUEST}, {_GUEST} *, {_GUEST} *::before, {_GUEST} *::after) {{ box-sizing: border-box; }}
{_GUEST} button {{ font: inherit; color: inherit; background: none; border: 0; padding: 0; }}
{_GUEST} :is(img, svg) {{ max-width: 100%; padding: 0; border: 0; }}
{_GUEST} :is(dl dt, footer) {{ font-weight: inherit; }}
{_GUEST} [class*="ch-"]:is(ul, ol), {_GUEST} [class*="ch-"]:is(ul, ol) > li {{ list-style: none; }}
.ch-plain {{ margin: 0; background: #fbf8f1; }}
.ch-plain[data-md-color-scheme="slate"] {{ background: #14171a; }}
.ch-plain > .ch-guest-page {{ max-width: 80rem; margin: 0 auto; }}
.ch-guest-bar {{ display: flex; flex-wrap: wrap; align-items: stretch; min-height: 3rem; \
border-bottom: 1px solid var(--line); }}
.ch-guest-bar > :is(.ch-brand, .ch-seek-open) {{ align-self: center; }}
.ch-guest > :is(.ch-body, .ch-foot__home) {{ padding-block: 1.2rem; }}
.ch-guest .ch-body {{ margin: 0; }}
"""


class CssRule(NamedTuple):
    """A rule of a stylesheet: its head before the braces, and its body."""

    rule_head: str
    rule_body: str


def read_rules(css: str) -> Iterator[CssRule]:
    """Read the rules of a stylesheet, one after the other; those within ``@media`` stay in its body.

    Args:
        css: a stylesheet without braces in strings.
    """
    css = _COMMENT.sub("", css)
    rule_start = 0
    while (brace_index := css.find("{", rule_start)) >= 0:
        open_brace_count, rule_end = 1, brace_index + 1
        while open_brace_count:
            open_brace_count += {"{": 1, "}": -1}.get(css[rule_end], 0)
            rule_end += 1
        yield CssRule(
            css[rule_start:brace_index].strip(), css[brace_index + 1 : rule_end - 1].strip()
        )
        rule_start = rule_end


def stylesheet_for_guests(css: str) -> str:
    """The stylesheet for another site.

    Args:
        css: the stylesheet of Chronicle's own sites.
    """
    return _BASE_RULES + "".join(
        f"{css_rule.rule_head} {{ {css_rule.rule_body} }}\n" for css_rule in _guest_rules(css)
    )


def _guest_rules(css: str) -> Iterator[CssRule]:
    for rule_head, rule_body in read_rules(css):
        if rule_head.startswith(("@keyframes", "@font-face")):
            yield CssRule(rule_head, rule_body)
        elif rule_head.startswith("@page"):
            continue
        elif rule_head.startswith("@"):
            inner_css = "\n".join(
                f"{css_rule.rule_head} {{ {css_rule.rule_body} }}"
                for css_rule in _guest_rules(rule_body)
            )
            if inner_css:
                yield CssRule(rule_head, inner_css)
        else:
            all_selectors = [*_selectors(rule_head)]
            selectors = [
                selector
                for given_selector in all_selectors
                if (selector := _guest_selector(given_selector))
            ]
            if tuple(all_selectors) == _LIGHT_SELECTORS:
                selectors = [_GUEST]
            if selectors:
                yield CssRule(", ".join(selectors), _guest_declarations(rule_body))


def _selectors(rule_head: str) -> Iterator[str]:
    """The selectors of a list: commas within parentheses part none."""
    open_bracket_count, selector_start = 0, 0
    for letter_index, letter in enumerate(rule_head):
        open_bracket_count += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == "," and not open_bracket_count:
            yield rule_head[selector_start:letter_index].strip()
            selector_start = letter_index + 1
    yield rule_head[selector_start:].strip()


def _guest_selector(selector: str) -> str:
    """A selector for our elements alone; empty if it is for the theme's."""
    if selector == _DARK_SELECTOR:
        return f'{_DARK_SELECTOR} {_GUEST}, [data-bs-theme="dark"] {_GUEST}'
    selector = selector.replace(".md-typeset", _GUEST)
    if re.search(r"\.md-|__md|#__", selector) or not _CLASS_OF_CHRONICLE.search(selector):
        return ""
    if not re.search(r"[.#]ch-", selector):
        return f"{_GUEST} {selector}"
    return selector


def _guest_declarations(declarations: str) -> str:
    declarations = _MATERIAL_PROPERTY.sub(
        "",
        f"{declarations};"
        if declarations and not declarations.rstrip().endswith((";", "}"))
        else declarations,
    )
    return _REM_LENGTH.sub(r"calc(\g<1>\g<2> * var(--ch-rem))", declarations).strip()
