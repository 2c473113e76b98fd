"""Explain errors of YAML inside brackets and braces."""

from __future__ import annotations

import re

from chronicle.syntax.line import (
    ESCAPE,
    KEY,
    Answer,
    bad_escape,
    end_of_value,
    place_at,
    quote_end,
    replaced_at,
)
from chronicle.syntax.problems import problem
from chronicle.syntax.yaml_traps import CUT, quoted, value_text


def bracket_trap(
    lines: list[str], index: int, start: int, indent: int, first: int, path: str
) -> tuple[int, Answer | None]:
    """Skip brackets; an answer for the first trap inside them."""
    opened: list[tuple[str, int, int]] = []
    row, column = index, start
    value_may_start = True  # Or a key.
    word_at = word_row = -1
    had_colon = False
    comments: dict[int, int] = {}  # Where the comment of a line starts.
    while row < len(lines):
        line = lines[row]
        if row > index and line.strip():
            lead = len(line) - len(line.lstrip(" "))
            if lead <= indent and line.lstrip()[:1] not in "]}" and re.match(KEY, line):
                break
        while column < len(line):
            character = line[column]
            if character == "#" and (column == 0 or line[column - 1] in " \t[{,"):
                lost = re.split(r"[,\]}]", line[column:], maxsplit=1)[0].strip()
                end = column + len(lost)
                starts = -1
                if value_may_start and re.match(r"[^\s#>]", lost[1:]) and line[end:]:
                    starts = column
                elif word_row == row and word_at >= 0 and re.compile(CUT).match(line, column - 1):
                    starts = word_at
                if opened and starts >= 0:
                    text = f"{line[starts:column].strip()} {lost}".strip()
                    return row + 1, (
                        problem(
                            "T12",
                            f"'{lost}' starts a comment, and the rest of the line is lost",
                            place_at(path, first, row, column, end),
                            f"if it belongs to the text:  {quoted(text)}",
                        ),
                        replaced_at(lines, row, line[:starts] + quoted(text) + line[end:]),
                    )
                comments[row] = column
                break
            if character in "'\"" and value_may_start:
                end = quote_end(line, column)
                after_quote = line[end:].lstrip() if end > 0 else ""
                if end < 0:
                    stop = end_of_value(line, column)
                    text = line[column:stop].rstrip()
                    joined = "\n".join(lines[row:])
                    if (
                        quote_end(joined, column) > 0
                        and character == '"'
                        and stop == len(line.rstrip())
                    ):
                        return row + 1, None
                    return row + 1, (
                        problem(
                            "T14",
                            "this quotation is never closed",
                            place_at(path, first, row, column, column + 1),
                            f"if it belongs to the text:  {quoted(text)}",
                            label="opened here",
                        ),
                        replaced_at(lines, row, line[:column] + quoted(text) + line[stop:]),
                    )
                if after_quote and after_quote[0] not in ",:]}#":
                    stop = end_of_value(line, end)
                    text = line[column:stop].rstrip()
                    return row + 1, (
                        problem(
                            "T14",
                            "the quotation ends here, and the text goes on",
                            place_at(path, first, row, line.index(after_quote, end), stop),
                            f"quote the whole text:  {quoted(text)}",
                        ),
                        replaced_at(lines, row, line[:column] + quoted(text) + line[stop:]),
                    )
                bad_escape_match = (
                    re.compile(ESCAPE).search(line, column, end) if character == '"' else None
                )
                if bad_escape_match is not None:
                    mended = replaced_at(
                        lines,
                        row,
                        line[: bad_escape_match.start(1)]
                        + "\\"
                        + line[bad_escape_match.start(1) :],
                    )
                    return row + 1, (
                        bad_escape(
                            path, first, row, bad_escape_match.start(1), bad_escape_match.group(1)
                        ),
                        mended,
                    )
                column = end
                value_may_start = False
                continue
            if character in "{[" and value_may_start:
                opened.append((character, row, column))
                value_may_start, word_at, had_colon = True, -1, False
            elif character in "]}":
                if not opened or (opened[-1][0] == "{") != (character == "}"):
                    if not opened:
                        return row + 1, None
                    mark, opened_row, opened_column = opened[-1]
                    closing_sign = "}" if mark == "{" else "]"
                    # Either this bracket is the wrong one, or the right one is missing before it.
                    outer = any((opener == "{") == (character == "}") for opener, _, _ in opened)
                    skip = 0 if outer else 1
                    return row + 1, (
                        problem(
                            "T19",
                            f"'{character}' closes what '{mark}' opened; '{closing_sign}' is missing",
                            place_at(path, first, row, column, column + 1),
                            f"close every {mark} with {closing_sign}",
                            label=f"opened in line {first + opened_row}, column {opened_column + 1}",
                        ),
                        replaced_at(
                            lines, row, line[:column] + closing_sign + line[column + skip :]
                        ),
                    )
                opened.pop()
                value_may_start, word_at, had_colon = False, -1, False
                if not opened:
                    after_bracket = line[column + 1 :]
                    extra = re.match(r"[\s\]}]*[\]}]", after_bracket)
                    if extra is not None:
                        return row + 1, (
                            problem(
                                "T19",
                                f"'{after_bracket.strip()[0]}' closes nothing: a bracket too many",
                                place_at(path, first, row, column + 1, column + 1 + extra.end()),
                                "take it out",
                            ),
                            replaced_at(
                                lines, row, line[: column + 1] + after_bracket[extra.end() :]
                            ),
                        )
                    if after_bracket.strip() and not re.match(r"\s+#|\s*:(\s|$)", after_bracket):
                        text = value_text(line[start:]) if row == index else ""
                        noun = "bracket" if character == "]" else "brace"
                        return row + 1, (
                            problem(
                                "T15",
                                f"the {noun} ends the value here, and the text goes on",
                                place_at(
                                    path,
                                    first,
                                    row,
                                    column + 1 + len(after_bracket) - len(after_bracket.lstrip()),
                                    len(line.rstrip()),
                                ),
                                f"a text that starts with {line[start]} goes in quotes:  {quoted(text)}"
                                if text
                                else "take it out, or put the whole text in quotes",
                            ),
                            replaced_at(lines, row, line[:start] + quoted(text)) if text else None,
                        )
                    return row + 1, None
            elif character == ",":
                value_may_start, word_at, had_colon = True, -1, False
            elif character == ":" and line[column + 1 : column + 2] in (
                "",
                " ",
                "\t",
                ",",
                "]",
                "}",
            ):
                if had_colon and word_at >= 0 and word_row < row:
                    end = comments.get(word_row, len(lines[word_row]))
                    return row + 1, _line_run_on(lines, word_row, end, opened[-1], first, path)
                if had_colon and word_at >= 0:
                    stop = end_of_value(line, column)
                    text = line[word_at:stop].rstrip()
                    return row + 1, (
                        problem(
                            "T11",
                            "a colon inside a sentence: YAML takes what stands before it for a key",
                            place_at(path, first, row, column, column + 1),
                            f"put the text in quotes:  {quoted(text)}",
                        ),
                        replaced_at(lines, row, line[:word_at] + quoted(text) + line[stop:]),
                    )
                had_colon, value_may_start, word_at = True, True, -1
            elif not character.isspace():
                if value_may_start:
                    answer = _odd_start(lines, row, column, first, path)
                    if answer is not None:
                        return row + 1, answer
                    word_at, word_row = column, row
                value_may_start = False
            column += 1
        row, column = row + 1, 0
    if not opened:
        return row, None
    mark, opened_row, opened_column = opened[-1]
    closing_sign = "}" if mark == "{" else "]"
    last = row - 1
    while last > opened_row and not lines[last].strip():
        last -= 1
    closing = "".join("}" if opener == "{" else "]" for opener, _, _ in reversed(opened))
    cut_at = comments.get(last, len(lines[last]))
    return row, (
        problem(
            "T19",
            f"'{mark}' is opened here and never closed",
            place_at(path, first, opened_row, opened_column, opened_column + 1),
            f"close it with {closing_sign}",
            label="opened here",
        ),
        replaced_at(
            lines, last, f"{lines[last][:cut_at].rstrip()}{closing} {lines[last][cut_at:]}"
        ),
    )


def _line_run_on(
    lines: list[str], row: int, end: int, opener: tuple[str, int, int], first: int, path: str
) -> Answer:
    """Inside brackets, a value that ends in ``row`` at ``end`` seems to continue in the key on the next
    line."""
    mark, opened_row, opened_column = opener
    closes = "}" if mark == "{" else "]"
    if any(closes in line for line in lines[opened_row:]):
        text = lines[row][:end].rstrip()
        return (
            problem(
                "T19",
                "a comma is missing at the end of this line",
                place_at(path, first, row, len(text) - 1, len(text)),
                f"what '{mark}' opened goes on below: write  {text.strip()},",
            ),
            replaced_at(lines, row, f"{text},{lines[row][len(text) :]}"),
        )
    return (
        problem(
            "T19",
            f"'{mark}' is opened here and never closed",
            place_at(path, first, opened_row, opened_column, opened_column + 1),
            f"close it with {closes}, or take it out: indented lines need no brackets",
            label="opened here",
        ),
        None,
    )


def _odd_start(lines: list[str], row: int, column: int, first: int, path: str) -> Answer | None:
    """The problem of a word in brackets that starts with a sign reserved by YAML, or None."""
    line = lines[row]
    first_sign = line[column]
    stop = end_of_value(line, column)
    text = line[column:stop].rstrip()
    bare = text in ("-", "?") or text.startswith(("- ", "? "))
    is_reserved = first_sign in "@`%|>" or (
        first_sign == "*" and not re.fullmatch(r"\*[\w-]+", text)
    )
    is_reserved = is_reserved or (first_sign in "&!" and not re.match(r"[&!][\w-]+( |$)", text))
    if not (bare or is_reserved) or (
        text == "-" and stop < len(line.rstrip()) and not line[column + 1].isspace()
    ):
        return None
    return (
        problem(
            "T16" if bare else "T15",
            f"a bare {first_sign} means something else in YAML"
            if bare
            else f"a text cannot start with {first_sign} in YAML",
            place_at(path, first, row, column, column + 1),
            f"put it in quotes:  {quoted(text)}",
        ),
        replaced_at(lines, row, line[:column] + quoted(text) + line[stop:]),
    )
