"""Explain why YAML refuses a piece of a transcript, and correct the piece."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chronicle.core.diagnostic import Diagnostic, either, plural
from chronicle.core.source import Place
from chronicle.syntax.brackets import find_bracket_trap
from chronicle.syntax.key_line import (
    BAD_ESCAPE,
    BLOCK_TEXT_OPENER,
    KEY_LINE,
    Explanation,
    KeyLine,
    bad_escape_problem,
    comment_start_in,
    indent_of,
    place_at,
    quote_end,
    replace_line,
    split_key_line,
    text_before_value,
)
from chronicle.syntax.problems import problem
from chronicle.syntax.yaml_traps import (
    CAPITALISED_WORDS,
    COMMENT_IN_TEXT,
    colon_in_sentence,
    quote_text,
)

if TYPE_CHECKING:
    from yaml import YAMLError

_KEY_WITHOUT_SPACE = r"(?P<lead>[ ]*(?:-[ ]+)*)(?P<key>[A-Za-z][\w ]{0,30}?):(?P<value>[^\s/].*)"

_DICE_AFTER_COLON: Final = r"[\w ]{1,40}: +[\d\[{+-]"
"""A name with figures or dice behind a colon, as in ``d10: 6, d6: [5, 2]``."""
_TEXT_KEYS: Final = ("title", "scene", "tell", "text", "note", "recap")
"""Keys of sentences and titles, which hold no names with something of theirs."""
_EXPLANATION_BY_MESSAGE: Final = {
    "did not find expected key": "this line fits neither the entry above nor a new one",
    "while parsing a block mapping: expected <block end>": "this line fits neither the entry above nor a new one",
    "did not find expected '-' indicator": "an entry must start with '- ' here",
    "while parsing a block collection: expected <block end>": "an entry must start with '- ' here",
    "could not find expected ':'": "this line has no 'key: value'",
    "mapping values are not allowed": "a second ': ' is not possible here",
    "found unexpected end of stream": "a quote or bracket is still open at the end",
    "found invalid Unicode character escape code": "this escape stands for no character",
    "found character": "no text can start with this sign in YAML",
    "found a tab character that violates indentation": "a tab stands here; YAML wants spaces",
    "block sequence entries are not allowed": "no entry can start here",
    "sequence entries are not allowed": "no entry can start here",
    "mapping keys are not allowed": "no key can start here",
    "did not find expected ',' or ']'": "a comma is missing here, or the list is not closed",
    "expected ',' or ']'": "a comma is missing here, or the list is not closed",
    "did not find expected ',' or '}'": "a comma is missing here, or the brace is not closed",
    "expected ',' or '}'": "a comma is missing here, or the brace is not closed",
    "did not find expected node content": "a value is missing here",
    "expected the node content": "a value is missing here",
    "did not find expected alphabetic or numeric character": "a name must follow this sign",
    "expected alphabetic or numeric character": "a name must follow this sign",
    "did not find expected <document start>": "this line belongs to nothing above it",
    "expected '<document start>'": "this line belongs to nothing above it",
}
"""The beginnings of error messages of libyaml and PyYAML, with explanations."""


def explain_error(
    lines: list[str], first_line_number: int, path: str, yaml_error: YAMLError | None
) -> tuple[Diagnostic, list[str] | None]:
    """Explain why a piece cannot be read, and return it with that spot corrected (None: it cannot be
    corrected).

    ``first_line_number`` is the number of the piece's first line in the file."""
    error_mark = getattr(yaml_error, "problem_mark", None)
    parser_stop_index = error_mark.line if error_mark is not None else len(lines) - 1
    line_index = 0
    while line_index < len(lines):
        line = lines[line_index]
        if not line.strip() or line.lstrip().startswith("#"):
            line_index += 1
            continue
        explanation: Explanation | None = None
        key_line = split_key_line(line)
        if key_line.value and re.match(BLOCK_TEXT_OPENER, key_line.value):
            next_index, explanation = _check_block_text(
                lines, line_index, key_line, first_line_number, path
            )
            if explanation is None:
                line_index = next_index
                continue
        elif key_line.value:
            next_index, explanation = _check_value(
                lines, line_index, key_line, first_line_number, path
            )
            if explanation is None:
                explanation = _explain_odd_line(
                    lines, line_index, key_line, first_line_number, path
                )
            if explanation is None:
                line_index = next_index
                continue
        if explanation is not None:
            return explanation
        line_index += 1
    error_index = min(parser_stop_index, len(lines) - 1)
    column = (
        error_mark.column + 1 if error_mark is not None and error_mark.line == error_index else 1
    )
    if yaml_error is None and not any(quote_sign in "".join(lines) for quote_sign in "'\""):
        line_text = lines[0].strip()
        line_indent = indent_of(lines[0])
        return (
            problem(
                "T18",
                "this line is no 'key: value'",
                place_at(path, first_line_number, 0, line_indent, line_indent + len(line_text)),
                "a colon is missing, or the line belongs into a text further down",
            ),
            None,
        )
    message = _explain_message(yaml_error)
    dash_columns = sorted(
        {indent_of(line) for line in lines[:error_index] if line.lstrip()[:2] == "- "}
    )
    stop_line = lines[error_index]
    if dash_columns and stop_line.lstrip()[:2] == "- " and indent_of(stop_line) not in dash_columns:
        nearest_dash_column = min(
            dash_columns, key=lambda column: abs(column - indent_of(stop_line))
        )
        return (
            problem(
                "T18",
                f"this dash is indented by {indent_of(stop_line)} spaces; those above by "
                f"{either(map(str, dash_columns))}",
                place_at(
                    path,
                    first_line_number,
                    error_index,
                    indent_of(stop_line),
                    indent_of(stop_line) + 1,
                ),
                f"put it right under the dash above, {nearest_dash_column} spaces in",
            ),
            None,
        )
    return (
        problem(
            "T10",
            message,
            Place(
                path,
                first_line_number + error_index,
                column,
                first_line_number + error_index,
                column + 1,
            ),
            "check indentation, quotes and brackets here; text with odd signs goes in quotes",
        ),
        None,
    )


def _explain_message(yaml_error: YAMLError | None) -> str:
    if yaml_error is None:
        return "a quote is not closed"
    problem_text = str(getattr(yaml_error, "problem", ""))
    error_texts = (problem_text, f"{getattr(yaml_error, 'context', '')}: {problem_text}")
    matching_explanations = (
        explanation
        for message_start, explanation in _EXPLANATION_BY_MESSAGE.items()
        if any(error_text.startswith(message_start) for error_text in error_texts)
    )
    return next(matching_explanations, "this cannot be read as YAML")


def _check_block_text(
    lines: list[str], line_index: int, key_line: KeyLine, first_line_number: int, path: str
) -> tuple[int, Explanation | None]:
    """Skip a block text; an answer if its lines are not indented."""
    next_index = line_index + 1
    key_indent = key_line.indent
    while next_index < len(lines):
        line = lines[next_index]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= key_indent:
            break
        next_index += 1
    body_lines = [line for line in lines[line_index + 1 : next_index] if line.strip()]
    if body_lines or next_index >= len(lines):
        if next_index < len(lines) and body_lines:
            line = lines[next_index]
            if re.match(KEY_LINE, line) is None and not line.lstrip().startswith(("#", "- ")):
                return next_index, _explain_unindented_text(
                    lines, next_index, key_indent, first_line_number, path, key_line
                )
        return next_index, None
    line = lines[next_index]
    if line.lstrip().startswith(("#", "- ")) or (
        re.match(KEY_LINE, line) is not None and len(line) - len(line.lstrip(" ")) == key_indent
    ):
        return next_index, None
    return next_index, _explain_unindented_text(
        lines, next_index, key_indent, first_line_number, path, key_line
    )


def _explain_unindented_text(
    lines: list[str],
    start_index: int,
    key_indent: int,
    first_line_number: int,
    path: str,
    key_line: KeyLine,
) -> Explanation:
    end_index = start_index
    corrected_lines = list(lines)
    while end_index < len(lines):
        line = lines[end_index]
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and (
            line.lstrip().startswith("- ")
            or (
                re.match(KEY_LINE, line) is not None
                and indent == key_indent
                and end_index > start_index
            )
        ):
            break
        corrected_lines[end_index] = (
            " " * (key_indent + 2) + line.lstrip(" ") if line.strip() else line
        )
        end_index += 1
    owner_text = f"'{key_line.key}:'" if key_line.key else "the dash"
    return (
        problem(
            "T18",
            f"this line belongs to the text after {owner_text}, but is not indented under it",
            place_at(
                path,
                first_line_number,
                start_index,
                len(lines[start_index]) - len(lines[start_index].lstrip()),
                len(lines[start_index].rstrip()),
            ),
            f"indent every line of the text by {key_indent + 2} spaces",
        ),
        corrected_lines,
    )


def _check_value(
    lines: list[str], line_index: int, key_line: KeyLine, first_line_number: int, path: str
) -> tuple[int, Explanation | None]:
    """Skip one value; an answer if it is a trap."""
    line = lines[line_index]
    value, column = key_line.value, key_line.value_column
    first_character = value[0]
    if first_character in "'\"":
        return _check_quote(lines, line_index, key_line, first_line_number, path)
    if first_character in "{[":
        return find_bracket_trap(
            lines, line_index, column, key_line.indent, first_line_number, path
        )
    comment_start = comment_start_in(value)
    text_to_quote = value[:comment_start].rstrip()
    comment_text = value[comment_start:]
    corrected_lines = replace_line(
        lines, line_index, line[:column] + quote_text(text_to_quote) + comment_text
    )
    sign_place = place_at(path, first_line_number, line_index, column, column + 1)
    help_text = (
        f"put the text in quotes:  {text_before_value(key_line.key)}{quote_text(text_to_quote)}"
    )
    if first_character in "@`%":
        return line_index + 1, (
            problem(
                "T15", f"a text cannot start with {first_character} in YAML", sign_place, help_text
            ),
            corrected_lines,
        )
    if (
        first_character in "*&!"
        and not re.fullmatch(r"[*&][\w-]+", text_to_quote)
        and not re.match(r"[&!][\w-]+ +\S", text_to_quote)
    ):
        meaning = {"*": "an alias", "&": "an anchor", "!": "a tag"}[first_character]
        return line_index + 1, (
            problem(
                "T15",
                f"a text cannot start with {first_character} in YAML, where it makes {meaning}",
                sign_place,
                help_text,
            ),
            corrected_lines,
        )
    if first_character in "|>":
        if line_index + 1 < len(lines) and indent_of(lines[line_index + 1]) > key_line.indent:
            corrected_lines = replace_line(lines, line_index, line[:column] + first_character)
        return line_index + 1, (
            problem(
                "T15",
                f"a text cannot start with {first_character}: in YAML it announces lines below",
                sign_place,
                help_text,
                f"or write  {text_before_value(key_line.key)}|  and the text on the next line, indented",
            ),
            corrected_lines,
        )
    if (text_to_quote in ("-", "?") or text_to_quote.startswith(("- ", "? "))) and key_line.key:
        sign_name = "dash" if first_character == "-" else "question mark"
        return line_index + 1, (
            problem(
                "T16",
                f"a bare {sign_name} means something else in YAML",
                sign_place,
                help_text.replace("the text", "it" if len(text_to_quote) == 1 else "the text"),
            ),
            corrected_lines,
        )
    if text_to_quote and first_character in ",]}":
        return line_index + 1, (
            problem(
                "T15", f"a text cannot start with {first_character} in YAML", sign_place, help_text
            ),
            corrected_lines,
        )
    colon_match = re.search(r":(?=\s|$)", text_to_quote)
    if colon_match is not None and key_line.key:
        colon_column = column + colon_match.start()
        extra_help = ""
        value_in_braces = f"{text_before_value(key_line.key)}{{{text_to_quote}}}"
        if key_line.key not in _TEXT_KEYS and re.match(_DICE_AFTER_COLON, text_to_quote):
            extra_help = help_text.replace("put the text", "or, if it is a text,")
            help_text = f"put it in braces:  {value_in_braces}"
            corrected_lines = replace_line(
                lines, line_index, f"{line[:column]}{{{text_to_quote}}}{comment_text}"
            )
        elif key_line.key == "say":
            extra_help = f"or as a block:  say: |  and below it, indented:  {text_to_quote}"
        elif key_line.key not in _TEXT_KEYS and re.fullmatch(
            CAPITALISED_WORDS, text_to_quote[: colon_match.start()]
        ):
            extra_help = (
                f"if it is somebody and what belongs to them, in braces:  {value_in_braces}"
            )
        return line_index + 1, (
            problem(
                "T11",
                colon_in_sentence(text_to_quote[: colon_match.start()]),
                place_at(path, first_line_number, line_index, colon_column, colon_column + 1),
                help_text,
                extra_help,
            ),
            corrected_lines,
        )
    comment_match = re.compile(COMMENT_IN_TEXT).search(value)
    if comment_match is not None and _goes_on_below(lines, line_index, key_line):
        return line_index + 1, (
            problem(
                "T12",
                "the comment here ends the text, and the next line cannot continue it",
                place_at(
                    path,
                    first_line_number,
                    line_index,
                    column + comment_match.start() + 1,
                    column + len(value),
                ),
                help_text,
            ),
            None,
        )
    return line_index + 1, None


def _goes_on_below(lines: list[str], line_index: int, key_line: KeyLine) -> bool:
    if line_index + 1 >= len(lines):
        return False
    next_line = lines[line_index + 1]
    return (
        len(next_line) - len(next_line.lstrip(" ")) > key_line.indent
        and re.match(KEY_LINE, next_line) is None
    )


def _check_quote(
    lines: list[str], line_index: int, key_line: KeyLine, first_line_number: int, path: str
) -> tuple[int, Explanation | None]:
    line, quote_start = lines[line_index], key_line.value_column
    quote_sign = line[quote_start]
    index_after_quote = quote_end(line, quote_start)
    next_index = line_index + 1
    joined_lines = line
    while index_after_quote < 0 and next_index < len(lines):
        next_line = lines[next_index]
        if next_line.strip() and len(next_line) - len(next_line.lstrip(" ")) <= key_line.indent:
            break
        joined_lines += "\n" + next_line
        next_index += 1
        index_after_quote = quote_end(joined_lines, quote_start)
    comment_start = comment_start_in(line[quote_start:])
    text_to_quote = line[quote_start : quote_start + comment_start].rstrip()
    # Somebody quoted the whole text, and it contains an apostrophe: 'It's open'
    is_whole_quoted = (
        quote_sign == "'"
        and text_to_quote[-1:] == "'"
        and re.search(r"\w'\w", text_to_quote) is not None
    )
    quoted_text = quote_text(text_to_quote[1:-1] if is_whole_quoted else text_to_quote)
    corrected_lines = replace_line(
        lines, line_index, line[:quote_start] + quoted_text + line[quote_start + comment_start :]
    )
    if index_after_quote < 0:
        sign_name = "an apostrophe" if quote_sign == "'" else "a quotation mark"
        help_texts = [
            f"if it belongs to the text:  {text_before_value(key_line.key)}{quote_text(text_to_quote)}"
        ]
        if quote_sign == '"':
            help_texts.append('if you wanted to quote the whole text, put a " at its end')
        return line_index + 1, (
            problem(
                "T14",
                f"the text starts with {sign_name}, which opens a quotation that is never closed",
                place_at(path, first_line_number, line_index, quote_start, quote_start + 1),
                *help_texts,
                label="opened here",
            ),
            corrected_lines,
        )
    bad_escape_match = (
        re.compile(BAD_ESCAPE).search(joined_lines, quote_start, index_after_quote)
        if quote_sign == '"'
        else None
    )
    if bad_escape_match is not None:
        escape_line_index = line_index + joined_lines.count("\n", 0, bad_escape_match.start(1))
        escape_column = bad_escape_match.start(1) - (
            joined_lines.rfind("\n", 0, bad_escape_match.start(1)) + 1
        )
        return next_index, (
            bad_escape_problem(
                path, first_line_number, escape_line_index, escape_column, bad_escape_match.group(1)
            ),
            replace_line(
                lines,
                escape_line_index,
                lines[escape_line_index][:escape_column]
                + "\\"
                + lines[escape_line_index][escape_column:],
            ),
        )
    rest_of_line = joined_lines[index_after_quote:].split("\n")[0]
    if rest_of_line.strip() and not re.match(r"\s+#|\s*:(\s|$)", rest_of_line):
        if "\n" in joined_lines[quote_start:index_after_quote]:
            return next_index, (
                problem(
                    "T14",
                    "the quotation ends here, and the line goes on",
                    place_at(
                        path,
                        first_line_number,
                        next_index - 1,
                        len(lines[next_index - 1]) - len(rest_of_line.rstrip()),
                        len(lines[next_index - 1].rstrip()),
                    ),
                    "put the whole text after  |  on lines of its own",
                ),
                None,
            )
        rest_start = index_after_quote + len(rest_of_line) - len(rest_of_line.lstrip())
        return line_index + 1, (
            problem(
                "T14",
                "the quotation ends here, and the text goes on",
                place_at(
                    path,
                    first_line_number,
                    line_index,
                    rest_start,
                    quote_start + len(text_to_quote),
                ),
                f"quote the whole text:  {text_before_value(key_line.key)}{quoted_text}",
            ),
            corrected_lines,
        )
    return next_index, None


def _explain_odd_line(
    lines: list[str], line_index: int, key_line: KeyLine, first_line_number: int, path: str
) -> Explanation | None:
    """A line at the wrong depth, or without ``key: value``."""
    line = lines[line_index]
    glued_match = re.match(_KEY_WITHOUT_SPACE, line)
    if glued_match is not None and re.match(KEY_LINE, line) is None:
        key, value = glued_match["key"], glued_match["value"]
        key_column = glued_match.start("key")
        return (
            problem(
                "T17",
                f"a space is missing after '{key}:'",
                place_at(
                    path, first_line_number, line_index, key_column, key_column + len(key) + 1
                ),
                f"write  {key}: {value.strip()}",
            ),
            replace_line(lines, line_index, f"{glued_match['lead']}{key}: {value}"),
        )
    if line_index == 0:
        return _explain_missing_colon(lines, key_line, first_line_number, path)
    key_indent = _key_indent(lines)
    line_indent = len(line) - len(line.lstrip(" "))
    if re.match(r"[ ]*:\s", line):
        return (
            problem(
                "T9",
                "there is no key before this colon",
                place_at(path, first_line_number, line_index, line_indent, line_indent + 1),
                "write the key, as in  by: Ana",
            ),
            [*lines[:line_index], *lines[line_index + 1 :]],
        )
    key_match = re.match(KEY_LINE, line)
    if key_match is not None and key_match["lead"].strip() == "":
        line_above = _previous_line(lines, line_index)
        if (
            line_above is not None
            and line_indent != key_indent
            and split_key_line(line_above).value
            and not _fits_keys_above(lines, line_index, line_indent)
        ):
            return (
                problem(
                    "T18",
                    f"'{key_line.key}' is indented by {plural(line_indent, 'space')}; the other keys by {key_indent}",
                    place_at(
                        path,
                        first_line_number,
                        line_index,
                        line_indent,
                        line_indent + len(key_line.key),
                    ),
                    f"put '{key_line.key}:' right under the other keys",
                ),
                replace_line(lines, line_index, " " * key_indent + line.lstrip(" ")),
            )
        return None
    if key_match is None and not line.lstrip().startswith("- ") and line_indent <= key_indent:
        line_text = line.strip()
        return (
            problem(
                "T18",
                "this line is no 'key: value', and is not indented as part of a text",
                place_at(
                    path, first_line_number, line_index, line_indent, line_indent + len(line_text)
                ),
                "a colon is missing, or the text needs  |  and indented lines",
                f"an entry of its own starts with a dash:  - tell: {quote_text(line_text)}",
            ),
            [*lines[:line_index], *lines[line_index + 1 :]],
        )
    return None


def _explain_missing_colon(
    lines: list[str], key_line: KeyLine, first_line_number: int, path: str
) -> Explanation | None:
    """``- tell They argue`` with an option below it."""
    next_key_match = re.match(KEY_LINE, lines[1]) if len(lines) > 1 else None
    if key_line.key or next_key_match is None or len(next_key_match["lead"]) != key_line.indent:
        return None
    line_text = key_line.value.strip()
    verb_match = re.fullmatch(r"(?P<verb>[a-z]+(?: [a-z]+)*) (?P<rest>[^a-z].*)", line_text)
    return (
        problem(
            "T25",
            "this line has no colon after its first word",
            place_at(
                path,
                first_line_number,
                0,
                key_line.value_column,
                key_line.value_column + len(line_text),
            ),
            f"write  - {verb_match['verb']}: {verb_match['rest']}"
            if verb_match is not None
            else "write a colon and a space after the verb, as in  - tell: They argue",
        ),
        None,
    )


def _key_indent(lines: list[str]) -> int:
    indent_match = re.match(r"[ ]*(?:-[ ]+)?", lines[0])
    return indent_match.end() if indent_match else 0


def _previous_line(lines: list[str], line_index: int) -> str | None:
    for line in reversed(lines[:line_index]):
        if line.strip() and not line.lstrip().startswith("#"):
            return line
    return None


def _fits_keys_above(lines: list[str], line_index: int, indent: int) -> bool:
    """Whether a line with this indentation can follow the keys above it."""
    for line in reversed(lines[:line_index]):
        if not line.strip():
            continue
        key_match = re.match(KEY_LINE, line)
        if key_match is None:
            continue
        if len(key_match["lead"]) == indent:
            return True
        if len(key_match["lead"]) < indent:
            return not key_match["value"]
    return False
