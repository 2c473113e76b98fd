"""Explain errors of YAML inside brackets and braces."""

from __future__ import annotations

import re

from chronicle.syntax.key_line import (
    BAD_ESCAPE,
    KEY_LINE,
    Explanation,
    bad_escape_problem,
    end_of_bracketed_value,
    place_at,
    quote_end,
    replace_line,
)
from chronicle.syntax.problems import problem
from chronicle.syntax.yaml_traps import (
    CAPITALISED_WORDS,
    COMMENT_IN_TEXT,
    colon_in_sentence,
    quote_text,
    without_comment,
)


def find_bracket_trap(
    lines: list[str],
    start_row: int,
    bracket_column: int,
    key_indent: int,
    first_line_number: int,
    path: str,
) -> tuple[int, Explanation | None]:
    """Skip brackets; an answer for the first trap inside them."""
    open_brackets: list[tuple[str, int, int]] = []
    row, column = start_row, bracket_column
    value_may_start = True  # Or a key.
    word_column = word_row = -1
    had_colon = False
    comment_columns: dict[int, int] = {}  # Where the comment of a line starts.
    while row < len(lines):
        line = lines[row]
        if row > start_row and line.strip():
            line_indent = len(line) - len(line.lstrip(" "))
            if (
                line_indent <= key_indent
                and line.lstrip()[:1] not in "]}"
                and re.match(KEY_LINE, line)
            ):
                break
        while column < len(line):
            character = line[column]
            if character == "#" and (column == 0 or line[column - 1] in " \t[{,"):
                lost_text = re.split(r"[,\]}]", line[column:], maxsplit=1)[0].strip()
                end_column = column + len(lost_text)
                text_start = -1
                if value_may_start and re.match(r"[^\s#>]", lost_text[1:]) and line[end_column:]:
                    text_start = column
                elif (
                    word_row == row
                    and word_column >= 0
                    and re.compile(COMMENT_IN_TEXT).match(line, column - 1)
                ):
                    text_start = word_column
                if open_brackets and text_start >= 0:
                    text_to_quote = f"{line[text_start:column].strip()} {lost_text}".strip()
                    return row + 1, (
                        problem(
                            "T12",
                            f"'{lost_text}' starts a comment, and the rest of the line is lost",
                            place_at(path, first_line_number, row, column, end_column),
                            f"if it belongs to the text:  {quote_text(text_to_quote)}",
                        ),
                        replace_line(
                            lines,
                            row,
                            line[:text_start] + quote_text(text_to_quote) + line[end_column:],
                        ),
                    )
                comment_columns[row] = column
                break
            if character in "'\"" and value_may_start:
                end_column = quote_end(line, column)
                after_quote = line[end_column:].lstrip() if end_column > 0 else ""
                if end_column < 0:
                    value_end = end_of_bracketed_value(line, column)
                    text_to_quote = line[column:value_end].rstrip()
                    text_from_here = "\n".join(lines[row:])
                    if (
                        quote_end(text_from_here, column) > 0
                        and character == '"'
                        and value_end == len(line.rstrip())
                    ):
                        return row + 1, None
                    return row + 1, (
                        problem(
                            "T14",
                            "this quotation is never closed",
                            place_at(path, first_line_number, row, column, column + 1),
                            f"if it belongs to the text:  {quote_text(text_to_quote)}",
                            label="opened here",
                        ),
                        replace_line(
                            lines, row, line[:column] + quote_text(text_to_quote) + line[value_end:]
                        ),
                    )
                if after_quote and after_quote[0] not in ",:]}#":
                    value_end = end_of_bracketed_value(line, end_column)
                    text_to_quote = line[column:value_end].rstrip()
                    return row + 1, (
                        problem(
                            "T14",
                            "the quotation ends here, and the text goes on",
                            place_at(
                                path,
                                first_line_number,
                                row,
                                line.index(after_quote, end_column),
                                value_end,
                            ),
                            f"quote the whole text:  {quote_text(text_to_quote)}",
                        ),
                        replace_line(
                            lines, row, line[:column] + quote_text(text_to_quote) + line[value_end:]
                        ),
                    )
                bad_escape_match = (
                    re.compile(BAD_ESCAPE).search(line, column, end_column)
                    if character == '"'
                    else None
                )
                if bad_escape_match is not None:
                    corrected_lines = replace_line(
                        lines,
                        row,
                        line[: bad_escape_match.start(1)]
                        + "\\"
                        + line[bad_escape_match.start(1) :],
                    )
                    return row + 1, (
                        bad_escape_problem(
                            path,
                            first_line_number,
                            row,
                            bad_escape_match.start(1),
                            bad_escape_match.group(1),
                        ),
                        corrected_lines,
                    )
                column = end_column
                value_may_start = False
                continue
            if character in "{[" and value_may_start:
                open_brackets.append((character, row, column))
                value_may_start, word_column, had_colon = True, -1, False
            elif character in "]}":
                if not open_brackets or (open_brackets[-1][0] == "{") != (character == "}"):
                    if not open_brackets:
                        return row + 1, None
                    opening_sign, opened_row, opened_column = open_brackets[-1]
                    closing_sign = "}" if opening_sign == "{" else "]"
                    # Either this bracket is the wrong one, or the right one is missing before it.
                    closes_outer = any(
                        (open_sign == "{") == (character == "}")
                        for open_sign, _, _ in open_brackets
                    )
                    skipped_count = 0 if closes_outer else 1
                    return row + 1, (
                        problem(
                            "T19",
                            f"'{character}' closes what '{opening_sign}' opened; '{closing_sign}' is missing",
                            place_at(path, first_line_number, row, column, column + 1),
                            f"close every {opening_sign} with {closing_sign}",
                            label=f"opened in line {first_line_number + opened_row}, column {opened_column + 1}",
                        ),
                        replace_line(
                            lines,
                            row,
                            line[:column] + closing_sign + line[column + skipped_count :],
                        ),
                    )
                open_brackets.pop()
                value_may_start, word_column, had_colon = False, -1, False
                if not open_brackets:
                    after_bracket = line[column + 1 :]
                    extra_brackets_match = re.match(r"[\s\]}]*[\]}]", after_bracket)
                    if extra_brackets_match is not None:
                        return row + 1, (
                            problem(
                                "T19",
                                f"'{after_bracket.strip()[0]}' closes nothing: a bracket too many",
                                place_at(
                                    path,
                                    first_line_number,
                                    row,
                                    column + 1,
                                    column + 1 + extra_brackets_match.end(),
                                ),
                                "take it out",
                            ),
                            replace_line(
                                lines,
                                row,
                                line[: column + 1] + after_bracket[extra_brackets_match.end() :],
                            ),
                        )
                    if after_bracket.strip() and not re.match(r"\s+#|\s*:(\s|$)", after_bracket):
                        text_to_quote = (
                            without_comment(line[bracket_column:]) if row == start_row else ""
                        )
                        bracket_noun = "bracket" if character == "]" else "brace"
                        return row + 1, (
                            problem(
                                "T15",
                                f"the {bracket_noun} ends the value here, and the text goes on",
                                place_at(
                                    path,
                                    first_line_number,
                                    row,
                                    column + 1 + len(after_bracket) - len(after_bracket.lstrip()),
                                    len(line.rstrip()),
                                ),
                                f"a text that starts with {line[bracket_column]} goes in quotes:  "
                                f"{quote_text(text_to_quote)}"
                                if text_to_quote
                                else "take it out, or put the whole text in quotes",
                            ),
                            replace_line(
                                lines, row, line[:bracket_column] + quote_text(text_to_quote)
                            )
                            if text_to_quote
                            else None,
                        )
                    return row + 1, None
            elif character == ",":
                value_may_start, word_column, had_colon = True, -1, False
            elif character == ":" and line[column + 1 : column + 2] in (
                "",
                " ",
                "\t",
                ",",
                "]",
                "}",
            ):
                if had_colon and word_column >= 0 and word_row < row:
                    end_column = comment_columns.get(word_row, len(lines[word_row]))
                    return row + 1, _explain_missing_comma(
                        lines, word_row, end_column, open_brackets[-1], first_line_number, path
                    )
                if had_colon and word_column >= 0:
                    value_end = end_of_bracketed_value(line, column)
                    text_to_quote = line[word_column:value_end].rstrip()
                    help_texts = [f"put the text in quotes:  {quote_text(text_to_quote)}"]
                    if re.fullmatch(CAPITALISED_WORDS, line[word_column:column]):
                        help_texts = [
                            f"put it in braces:  {{{text_to_quote}}}",
                            f"if it is one sentence, in quotes:  {quote_text(text_to_quote)}",
                        ]
                    return row + 1, (
                        problem(
                            "T11",
                            colon_in_sentence(line[word_column:column]),
                            place_at(path, first_line_number, row, column, column + 1),
                            *help_texts,
                        ),
                        replace_line(
                            lines,
                            row,
                            line[:word_column] + quote_text(text_to_quote) + line[value_end:],
                        ),
                    )
                had_colon, value_may_start, word_column = True, True, -1
            elif not character.isspace():
                if value_may_start:
                    explanation = _explain_odd_start(lines, row, column, first_line_number, path)
                    if explanation is not None:
                        return row + 1, explanation
                    word_column, word_row = column, row
                value_may_start = False
            column += 1
        row, column = row + 1, 0
    if not open_brackets:
        return row, None
    opening_sign, opened_row, opened_column = open_brackets[-1]
    closing_sign = "}" if opening_sign == "{" else "]"
    last_row = row - 1
    while last_row > opened_row and not lines[last_row].strip():
        last_row -= 1
    closing_signs = "".join(
        "}" if open_sign == "{" else "]" for open_sign, _, _ in reversed(open_brackets)
    )
    comment_column = comment_columns.get(last_row, len(lines[last_row]))
    return row, (
        problem(
            "T19",
            f"'{opening_sign}' is opened here and never closed",
            place_at(path, first_line_number, opened_row, opened_column, opened_column + 1),
            f"close it with {closing_sign}",
            label="opened here",
        ),
        replace_line(
            lines,
            last_row,
            f"{lines[last_row][:comment_column].rstrip()}{closing_signs} {lines[last_row][comment_column:]}",
        ),
    )


def _explain_missing_comma(
    lines: list[str],
    row: int,
    end_column: int,
    open_bracket: tuple[str, int, int],
    first_line_number: int,
    path: str,
) -> Explanation:
    """Inside brackets, a value that ends in ``row`` at ``end_column`` seems to continue in the key on the next
    line."""
    opening_sign, opened_row, opened_column = open_bracket
    closing_sign = "}" if opening_sign == "{" else "]"
    if any(closing_sign in line for line in lines[opened_row:]):
        text_to_quote = lines[row][:end_column].rstrip()
        return (
            problem(
                "T19",
                "a comma is missing at the end of this line",
                place_at(path, first_line_number, row, len(text_to_quote) - 1, len(text_to_quote)),
                f"what '{opening_sign}' opened goes on below: write  {text_to_quote.strip()},",
            ),
            replace_line(lines, row, f"{text_to_quote},{lines[row][len(text_to_quote) :]}"),
        )
    return (
        problem(
            "T19",
            f"'{opening_sign}' is opened here and never closed",
            place_at(path, first_line_number, opened_row, opened_column, opened_column + 1),
            f"close it with {closing_sign}, or take it out: indented lines need no brackets",
            label="opened here",
        ),
        None,
    )


def _explain_odd_start(
    lines: list[str], row: int, word_column: int, first_line_number: int, path: str
) -> Explanation | None:
    """The problem of a word in brackets that starts with a sign reserved by YAML, or None."""
    line = lines[row]
    first_character = line[word_column]
    value_end = end_of_bracketed_value(line, word_column)
    text = line[word_column:value_end].rstrip()
    is_bare_sign = text in ("-", "?") or text.startswith(("- ", "? "))
    is_reserved = first_character in "@`%|>" or (
        first_character == "*" and not re.fullmatch(r"\*[\w-]+", text)
    )
    is_reserved = is_reserved or (
        first_character in "&!" and not re.match(r"[&!][\w-]+( |$)", text)
    )
    if not (is_bare_sign or is_reserved) or (
        text == "-" and value_end < len(line.rstrip()) and not line[word_column + 1].isspace()
    ):
        return None
    return (
        problem(
            "T16" if is_bare_sign else "T15",
            f"a bare {first_character} means something else in YAML"
            if is_bare_sign
            else f"a text cannot start with {first_character} in YAML",
            place_at(path, first_line_number, row, word_column, word_column + 1),
            f"put it in quotes:  {quote_text(text)}",
        ),
        replace_line(lines, row, line[:word_column] + quote_text(text) + line[value_end:]),
    )
