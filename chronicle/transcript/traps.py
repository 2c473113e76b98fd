"""The traps YAML sets for people who write sentences, where it accepts what nobody meant: each detected, named,
answered. What it refuses is for :mod:`chronicle.transcript.refused`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from chronicle.core.declare import LONG_DASHES
from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.fix import ReplaceText, make_fix
from chronicle.core.source import Entries, Items, Place, Value, Word, place_of
from chronicle.transcript.problems import Problems, problem

BREAK: Final = re.compile("\r\n|\r|\n")
"""Where YAML 1.2 breaks lines."""

MERGE: Final = re.compile(r"(?m)^(?:<{7} .*|={7}\r?$|>{7} .*|\|{7} .*)")
"""The lines that a version control system leaves where it could not merge two versions."""

CUT: Final = r"(?<=[^\s#]) #(?=[^\s#>])"
"""Where YAML takes the rest of a line for a comment, and nobody meant one."""
_ASKS = r"\?(?!\S)(?<![^\s\[{,-]\?)"
"""A question mark that YAML takes for the sign of a key."""


class Bare(NamedTuple):
    """A key of a mapping in braces whose value is empty."""

    inside: Entries
    key: Word


def quoted(text: str) -> str:
    """The text in quotes, as YAML takes it back unchanged."""
    if not text.isprintable():
        return '"' + "".join(map(_escaped, text)) + '"'
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def _escaped(letter: str) -> str:
    """A letter as it stands between double quotes, on one line."""
    if letter.isprintable():
        return f"\\{letter}" if letter in '"\\' else letter
    known = {"\n": "\\n", "\t": "\\t"}.get(letter)
    return known or (f"\\u{ord(letter):04x}" if letter <= "\uffff" else f"\\U{ord(letter):08x}")


def value_text(source: str) -> str:
    """The value that starts a stretch of a line, without a comment that follows it."""
    return re.split(r"(?<!\s)\s+#\s", source, maxsplit=1)[0].strip()


def second_document(path: str, line: int) -> Diagnostic:
    """What is said of a line ``---`` in the middle of a file."""
    return problem(
        "T4",
        "a line --- starts a second document here; what follows is not read",
        Place(path, line, 1, line, 4),
        "a file is one session",
        fixes=[
            make_fix(ReplaceText("", Place(path, line, 1, line + 1, 1))),
            make_fix(ReplaceText("# ---")),
        ],
    )


def dash_missing(path: str, key: Word) -> Diagnostic:
    """What is said of an entry of the log that stands there as a key of the file: nothing stands before it, or
    a longer dash."""
    verb = key.lstrip(LONG_DASHES).strip()
    said = (
        f"'{key}' seems to start an entry, but the dash is missing"
        if verb == key
        else f"an entry starts with a hyphen; '{key[:1]}' is a dash"
    )
    return problem(
        "T18",
        said,
        place_of(key, path),
        fixes=[make_fix(ReplaceText(f"- {verb}:", with_colon(place_of(key, path))), safe=True)],
    )


def with_colon(key: Place) -> Place:
    """The place of a key together with the colon behind it."""
    return key._replace(end_column=key.end_column + 1)


class _Found(NamedTuple):
    """A scalar with what holds it, so that it can be replaced there; ``key`` is None for a key."""

    word: Word
    inside: Items | Entries | None
    key: Word | int | None


def _words(tree: Value) -> Iterator[_Found]:
    if isinstance(tree, Word):
        yield _Found(tree, None, None)
    waiting = [tree]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, Word) or id(one) in seen:
            continue
        seen.add(id(one))
        held: list[tuple[Word | int, Value]]
        if isinstance(one, Items):
            held = list(enumerate(one))
        else:
            held = list(one.items())
            for key in one:
                yield _Found(key, one, None)
        for at, value in held:
            if isinstance(value, Word):
                yield _Found(value, one, at)
            else:
                waiting.append(value)


def silent(
    tree: Value, text: str, first: int, lines: list[str], path: str, bare: list[Bare]
) -> list[Diagnostic]:
    """What was misread without a word in ``text``, which starts in the line ``first``. ``lines`` are those of
    the whole file."""
    found = Problems()
    hits: dict[tuple[int, int], str] = {}
    if " #" in text and re.compile(CUT).search(text):
        last = first + text.count("\n")
        for number, line in enumerate(lines[first - 1 : last], first):
            for cut in re.compile(CUT).finditer(line):
                hits[number, cut.start() + 1] = line
    if hits:
        found.extend(_cut_comments(tree, hits, path))
    if hits or ("?" in text and re.search(_ASKS, text)):
        found.extend(_question_keys(tree, lines, path))
    found.extend(_lost_lines(tree, lines, path, text))
    found.extend(_commas(bare, lines, path))
    return found


def _cut_comments(tree: Value, hits: dict[tuple[int, int], str], path: str) -> Iterator[Diagnostic]:
    for word, inside, key in _words(tree):
        line = hits.get((word.end_line, word.end_column))
        if line is None or word.style or not any(c.isalpha() for c in word):
            continue
        rest = line[word.end_column :]
        lost = re.split(r"[\],}]|\s{2,}", rest, maxsplit=1)[0].strip()
        sure = rest[1:2].isdigit()
        if sure:
            # Nothing else shall follow from the cut: from here on the text is whole.
            whole = word.like(f"{word} {lost}")
            match inside, key:
                case Items(), int():
                    inside[key] = whole
                case Entries(), Word():
                    inside[key] = whole
        place = Place(
            path, word.end_line, word.end_column + 1, word.end_line, word.end_column + 1 + len(lost)
        )
        place_of_text = Place(path, word.line, word.column, place.end_line, place.end_column)
        yield problem(
            "T12",
            f"'{lost}' is read as a comment: only '{_short(word)}' is left",
            place,
            fixes=[
                make_fix(
                    ReplaceText(quoted(f"{word} {lost}"), place_of_text),
                    when="if it belongs to the text",
                ),
                make_fix(ReplaceText(f"# {lost.lstrip('#')}"), when="if it is a comment"),
            ],
            finding=Finding.UNREADABLE if sure else Finding.SUSPICIOUS,
        )


def _question_keys(tree: Value, lines: list[str], path: str) -> Iterator[Diagnostic]:
    waiting: list[Value] = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Items):
            waiting.extend(one)
        elif isinstance(one, Entries):
            for key, value in one.items():
                before = lines[key.line - 1][: key.column - 1] if key.line <= len(lines) else ""
                if re.search(r"(?:^|[\s\[{,-])\?\s+$", before):
                    column = before.rindex("?") + 1
                    yield problem(
                        "T16",
                        "a bare ? starts a complex key in YAML",
                        Place(path, key.line, column, key.line, column + 1),
                        fixes=[
                            make_fix(
                                ReplaceText(
                                    quoted(f"? {key}"),
                                    Place(path, key.line, column, key.end_line, key.end_column),
                                )
                            )
                        ],
                    )
                waiting.append(value)


def _lost_lines(tree: Value, lines: list[str], path: str, text: str) -> Iterator[Diagnostic]:
    """``by:Ana`` on a line of its own below a value is taken for more of that value."""
    if not re.search(r"(?m)^[ ]+[a-z][a-z ]{0,20}:[^\s/:]", text):
        return
    for word, _, _ in _words(tree):
        if word.style or word.end_line <= word.line:
            continue
        for number in range(word.line, word.end_line):
            match = re.match(r"[ ]+([a-z][a-z ]{0,20}):([^\s/:].*)", lines[number])
            if match is not None:
                column = match.start(1) + 1
                yield problem(
                    "T17",
                    f"a space is missing after '{match[1]}:', so the line counts as more of the text above",
                    Place(path, number + 1, column, number + 1, column + len(match[1]) + 1),
                    f"write  {match[1]}: {match[2].strip()}  at the depth of the entry's other keys",
                    finding=Finding.SUSPICIOUS,
                )


def _commas(bare: list[Bare], lines: list[str], path: str) -> Iterator[Diagnostic]:
    told: set[int] = set()
    orders: dict[int, tuple[list[Word], dict[int, int]]] = {}
    for inside, key in bare:
        after = lines[key.end_line - 1][key.end_column - 1 :] if key.end_line else ""
        if after.lstrip().startswith(":"):
            continue
        if id(inside) not in orders:
            keys = list(inside)
            orders[id(inside)] = keys, {id(one): at for at, one in enumerate(keys)}
        keys, order = orders[id(inside)]
        index = order.get(id(key), 0)
        glued = re.match(r"([^:]+):(\S.*)$", key) if not key.style else None
        if glued is not None and "//" not in key:
            yield problem(
                "T17",
                f"a space is missing after '{glued[1]}:', so the whole is read as one key",
                place_of(key, path),
                fixes=[make_fix(ReplaceText(f"{glued[1]}: {glued[2]}"))],
            )
            continue
        if index == 0:
            nobody = [one for one in keys if not _has_colon(one, lines)]
            if len(keys) > 1 and len(nobody) == len(keys):
                told.add(id(inside))
                yield problem(
                    "T13",
                    "braces hold pairs; here are names alone",
                    place_of(inside, path),
                    "a list has brackets",
                    fixes=[make_fix(ReplaceText(f"[{', '.join(keys)}]"))],
                )
            continue
        if id(inside) in told:
            continue
        before = keys[index - 1]
        value = inside[before]
        # Parts of one sentence cut by several commas are one mistake.
        run = [key]
        for later in keys[index + 1 :]:
            if inside[later] == "" and not _has_colon(later, lines):
                run.append(later)
            else:
                break
        told.add(id(inside))
        if isinstance(value, Word) and value:
            sentence = ", ".join([value, *run])
            last = run[-1]
            whole = Place(path, value.line, value.column, last.end_line, last.end_column)
            # From here on the text is whole, so that nothing else follows from the comma.
            inside[before] = value.like(sentence)
            for part in run:
                del inside[part]
            yield problem(
                "T13",
                f"the comma ends the text: '{_short(key)}' is read as a key of its own",
                place_of(key, path),
                fixes=[
                    make_fix(ReplaceText(quoted(sentence), whole), when="if this is one text"),
                    make_fix(ReplaceText(f"[{sentence}]", whole), when="if these are several"),
                ],
            )
        else:
            yield problem(
                "T13",
                f"'{_short(key)}' stands in braces without a value",
                place_of(key, path),
                f"write  {key}: ...  or take it out",
            )


def _has_colon(key: Word, lines: list[str]) -> bool:
    return lines[key.end_line - 1][key.end_column - 1 :].lstrip().startswith(":")


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 40 else flat[:37] + "..."
