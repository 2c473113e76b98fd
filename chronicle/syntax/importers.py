"""Import old records: forum threads, chats, play reports and tables become entries of a log.

Nothing is invented. Texts are kept word for word, with the writer if the writer is a player of the campaign.
Dice, figures, scenes and entries of the game are *guesses* that are tested by replay; if a guess fails, its
words are kept as story, and the keeper is asked to look."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Final

from chronicle.syntax.yaml_traps import quoted

FORMS: Final = ("thread", "chat", "lonelog", "markdown", "csv")
MOST: Final = 20_000
"""Maximum number of entries of a text."""
_ROLLED: Final = re.compile(r"\broll(?:s|ed)?\b", re.IGNORECASE)
_DIGIT: Final = re.compile(r"\d")
_CONTROL: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)


@dataclass(slots=True, eq=False)
class ImportedEntry:
    """An imported entry: its verb and its value as YAML on one line (empty: the words are kept), the writer,
    the original words, a question for the keeper, further options as YAML."""

    words: str
    author: str = ""
    verb: str = "tell"
    value: str = ""
    question: str = ""
    options: dict[str, str] = field(default_factory=dict)

    @property
    def guessed(self) -> bool:
        """Whether it is more than words, so that a replay must test it."""
        return bool(self.value)

    def as_words(self, question: str) -> None:
        """Keep the words only, dice and figures as an aside, and ask the keeper to look."""
        self.verb = "aside" if self.verb in ("roll", "snapshot") else "tell"
        self.value, self.options, self.question = "", {}, question


@dataclass(slots=True, eq=False)
class ImportedText:
    """An imported text: title and date, if it has them, and its entries."""

    title: str = ""
    date: str = ""
    entries: list[ImportedEntry] = field(default_factory=list)


class Names:
    """The names that the campaign knows: players, verbs and figures of its game."""

    def __init__(
        self, players: Iterable[str], verbs: Collection[str], figures: Collection[str]
    ) -> None:
        self._players = {name.casefold(): name for name in players}
        self.verbs, self.figures = verbs, figures

    def figure(self, word: str) -> str:
        """The figure that a word names or mentions; empty if none."""
        word = word.casefold()
        matches = (name for name in self.figures if {word, f"{word}s"} & {name, *name.split()})
        return word if word in self.figures else next(matches, "")

    def player(self, word: str) -> str:
        """The player with exactly this name; empty if none."""
        return self._players.get(word.strip().lstrip("@").casefold(), "")


def form_of(text: str, name: str = "") -> str:
    """The form of a text, by its file name and its lines."""
    if name.lower().endswith(".csv"):
        return "csv"
    lines = [line.strip() for line in _CONTROL.sub("", text).split("\n") if line.strip()]
    counts = Counter(
        form for line in lines for form, pattern in _SIGNS.items() if pattern.match(line)
    )
    if counts["lonelog"] > max(1, len(lines) // 8):
        return "lonelog"
    if counts["chat"] > max(1, counts["thread"]):
        return "chat"
    return "thread" if counts["thread"] > 1 else "markdown"


_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_WORD: Final = r"[^\W\d]{2,9}"
_NTH: Final = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_DAY: Final = (
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|[Tt]oday|[Yy]esterday|"
    rf"(?:{_WORD}[.,]*\s+)?(?:{_NTH}\s+{_WORD}|{_WORD}\.?\s+{_NTH})[.,]*\s+\d{{4}})"
)
_TIME: Final = (
    rf"\[?(?:{_DAY}(?:,|T| at)?\s*)?\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\s?[AaPp]\.?[Mm]\.?)?\]?"
)
_WHO: Final = r"(?P<who>[^\s:<>\[\]*=—–-][^:<>\[\]\n—–]{0,39}?)"
_CHAT: Final = re.compile(
    rf"(?:{_TIME}\s*[-–]?\s*{_WHO}(?::|\s-)|(?:{_TIME}\s*)?<[\s@+]?(?P<nick>[^\s<>]{{1,40}})>)\s+(?P<said>.*)"
)
_DOES: Final = re.compile(rf"{_TIME}\s*\*\s+(?P<said>(?P<who>\S+)\s.*)")
_STAMPED: Final = re.compile(rf"{_TIME}\s+\S")
_HEADS: Final = (
    re.compile(rf"#\d+\s+(?:by\s+)?{_WHO}(?:\s*[»|,-].*)?$"),
    re.compile(rf"(?:Posted|Written) by:?\s+{_WHO}(?:\s+(?:on|at|»)\s.*|,\s.*)?$"),
    re.compile(rf"{_WHO}\s+»\s+.*\d.*$"),
    re.compile(rf"{_WHO}(?:,?\s+[—–-]\s*|,?\s+(?=\[)){_TIME}:?$"),
    re.compile(rf"{_WHO}\s+(?:wrote|posted)(?:,?\s+(?:on|at)\s+[^:]*{_TIME})?:\s*$"),
    re.compile(rf"\*\*{_WHO}\*\*(?:\s*[,(·-].*\d.*)?$"),
)
_BARE: Final = 4
"""The first patterns never occur in a story; the others count only if they name a player."""
_SIGNS: Final[Mapping[str, re.Pattern[str]]] = {
    "chat": _CHAT,
    "thread": re.compile(
        "|".join(re.sub(r"\?P<\w+>", "?:", head_pattern.pattern) for head_pattern in _HEADS)
    ),
    "lonelog": re.compile(r"(?:@ |\(?@\(?[^)]+\) |d: |=> |-> |\? |(?:### )?S\d+\w*\b)"),
}


def import_text(text: str, form: str, names: Names) -> ImportedText:
    """Read a text of a known form."""
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    imported = ImportedText()
    text = _take_front_matter(text, imported)
    # A date inside a story is not the date of a session.
    stamped = (line for line in text.split("\n") if _is_stamped(line.strip(), names))
    imported.date = imported.date or next(filter(None, map(_date, stamped)), "")
    readers = {"csv": _table, "chat": _chat, "thread": _thread, "lonelog": _lonelog}
    imported.entries = list(islice(readers.get(form, _markdown)(text, imported, names), MOST))
    return imported


def _is_stamped(line: str, names: Names) -> bool:
    return bool(_CHAT.match(line) or _head(line, names) or re.match(r"\W*Date\W", line))


def _date(line: str) -> str:
    """The date that a line states clearly, in the form of a log; empty if none."""
    if match := re.search(r"\d{4}-\d{2}-\d{2}", line):
        return match[0]
    for order in (
        rf"(?P<day>{_NTH})\s+(?P<month>{_WORD})",
        rf"(?P<month>{_WORD})\.?\s+(?P<day>{_NTH})",
    ):
        if match := re.search(order + r"[.,]*\s+(?P<year>\d{4})", line):
            month, day = match["month"][:3].casefold(), re.match(r"\d+", match["day"])
            with suppress(ValueError):
                month_number = _MONTHS.index(month) + 1
                return str(date(int(match["year"]), month_number, int(day[0] if day else 0)))
    return ""


def _take_front_matter(text: str, imported: ImportedText) -> str:
    head = re.match(r"---\n(.*?)\n---\n", text, re.S)
    if head is None:
        return text
    for key, value in re.findall(r"(?m)^(title|date):\s*(.+)$", head[1]):
        setattr(imported, key, value.strip().strip("\"'"))
    return text[head.end() :]


# --- forums, chats, reports --------------------------------------------------------------------------


def _posts(
    lines: list[str], names: Names, opens: Callable[[int], tuple[str, str] | None]
) -> Iterator[ImportedEntry]:
    """Split lines into posts. ``opens`` tells for the number of a line whether a post begins there: its
    author, and its first words."""
    author, body = "", list[str]()
    for number, line in enumerate([*lines, ""]):
        opened = opens(number) if number < len(lines) else ("", "")
        if opened is None:
            body.append(line)
            continue
        words = "\n".join(body).strip()
        if author:
            yield from _post(words, author, names)
        elif words:
            yield ImportedEntry(words, verb="aside", question="nobody says who wrote this")
        author, body = opened[0], [opened[1]]


def _thread(text: str, imported: ImportedText, names: Names) -> Iterator[ImportedEntry]:
    lines = text.strip().split("\n")
    # A separate first line above all posts is the title of the thread.
    if not imported.title and len(lines[0]) <= 100 and not _head(lines[0], names):
        imported.title = lines.pop(0).strip("# ").strip()

    def opens(number: int) -> tuple[str, str] | None:
        head = _head(lines[number], names)
        # A quotation after the name of its writer belongs to the surrounding post.
        next_line = next(
            (later_line for later_line in lines[number + 1 :] if later_line.strip()), ""
        )
        quoted = number and lines[number].rstrip().endswith("wrote:") and next_line.startswith(">")
        return (head, "") if head and not quoted else None

    return _posts(lines, names, opens)


def _head(line: str, names: Names) -> str:
    for number, pattern in enumerate(_HEADS):
        match = pattern.match(line.strip())
        if match is not None and (number < _BARE or names.player(match["who"])):
            return match["who"].strip()
    return ""


def _chat(text: str, imported: ImportedText, names: Names) -> Iterator[ImportedEntry]:
    lines = [line.strip() for line in text.split("\n")]

    def opens(number: int) -> tuple[str, str] | None:
        match = _CHAT.match(lines[number]) or _DOES.match(lines[number])
        if match is not None:
            return (match["who"] or match["nick"]).strip(), match["said"]
        return ("", lines[number]) if _STAMPED.match(lines[number]) else None

    return _posts(lines, names, opens)


def _markdown(text: str, imported: ImportedText, names: Names) -> Iterator[ImportedEntry]:
    for block in re.split(r"\n\s*\n", text):
        body = block.strip()
        heading = re.match(r"(#{1,6})\s+(.+)", body)
        if heading is not None:
            body = body[heading.end() :].strip()
            if not imported.title and len(heading[1]) == 1:
                imported.title = heading[2].strip()
            elif re.match(r"\W*scene\b", heading[2], re.I):
                yield _scene(heading[2].strip(), names)
            else:
                yield ImportedEntry(heading[2].strip(), question="is this a scene?")
        attribution = _SPOKEN.match(body)
        author = names.player(attribution["who"]) if attribution is not None else ""
        yield from _post(
            body[attribution.end() :] if attribution and author else body, author, names
        )


_SPOKEN: Final = re.compile(rf"\*\*{_WHO}(?::\*\*|\*\*:)\s+")
"""The bold name of the writer before a paragraph."""


def _scene(title: str, names: Names) -> ImportedEntry:
    return ImportedEntry(
        title, verb="scene", value=_as_yaml(title) if "scene" in names.verbs else ""
    )


_ASIDE: Final = re.compile(r"(?:\(\(.*\)\)|\(?OOC\b.*|\[OOC\].*|//.*)$", re.S | re.I)


def _post(body: str, author: str, names: Names) -> Iterator[ImportedEntry]:
    """The entries of one post, paragraph by paragraph; a throw between paragraphs becomes an entry of its
    own."""
    story: list[str] = []
    for paragraph in re.split(r"\n\s*\n", body):
        for piece in _pieces(paragraph.strip(), author, names):
            if isinstance(piece, str):
                story.append(piece)
                continue
            if story:
                yield ImportedEntry("\n\n".join(story), author)
                story = []
            yield piece
    if story:
        yield ImportedEntry("\n\n".join(story), author)


def _pieces(paragraph: str, author: str, names: Names) -> Iterator[str | ImportedEntry]:
    if _ASIDE.fullmatch(paragraph):
        yield ImportedEntry(paragraph, author, verb="aside")
        return
    plain: list[str] = []
    for line in [*paragraph.split("\n"), ""]:
        imported = _dice(line, author, names) or _figures(line, author, names)
        if _ASIDE.fullmatch(line.strip()):
            imported = ImportedEntry(line.strip(), author, verb="aside")
        if line and imported is None:
            plain.append(line)
            continue
        if plain:
            yield _with_question("\n".join(plain), author, names)
            plain = []
        if imported is not None:
            yield imported


def _rolls(sentence: str) -> bool:
    """Whether a sentence mentions rolling, followed by a number."""
    match = _ROLLED.search(sentence)
    return match is not None and _DIGIT.search(sentence, match.end()) is not None


def _with_question(words: str, author: str, names: Names) -> str | ImportedEntry:
    """A part of a story, with a question for the keeper if it mentions dice or figures."""
    if _DICE.search(words) or any(map(_rolls, re.split(r"[.\n]", words))):
        # No story says "2d10"; among other lines the words stay together.
        verb = "aside" if _DICE.search(words) and "\n" not in words else "tell"
        return ImportedEntry(words, author, verb, question="are these dice of the game?")
    nouns = re.findall(r"\b\d+ ([a-z]+)\b", words, re.I)
    figure = next((name for noun in nouns if (name := names.figure(noun))), "")
    return (
        ImportedEntry(words, author, question=f"does this change the {figure}?")
        if figure
        else words
    )


_NUMBERS: Final = r"\d{1,3}(?:\s*[,+]\s*\d{1,3}|\s+\d{1,3})*"
_ROLLS: Final = re.compile(
    r"(?:\[?/?roll\]?:?\s*)?(?:(?P<who>[\w' -]{1,40}?)\s+(?:rolls?|rolled|threw|throws)\s+)?"
    rf"(?:(?P<count>\d{{0,2}})d(?P<sides>\d{{1,3}})\s*(?:=|:|→|->)\s*)\[?(?P<faces>{_NUMBERS})\]?\.?$",
    re.I,
)
_DICE: Final = re.compile(r"\b\d{0,2}d\d{1,3}\b", re.I)


def _dice(line: str, author: str, names: Names) -> ImportedEntry | None:
    """A line that consists of a throw: the roller, the number and kind of dice, the faces."""
    words = line.strip()
    match = _ROLLS.fullmatch(words)
    if match is None:
        return None
    faces = [int(number) for number in re.findall(r"\d+", match["faces"])]
    player = names.player(author if (match["who"] or "I") in "Ii" else match["who"])
    count, sides = int(match["count"] or 1), int(match["sides"])
    is_certain = player and len(faces) == count and all(0 < face <= sides for face in faces)
    if not is_certain or "roll" not in names.verbs:
        return ImportedEntry(words, author, "aside", question="whose dice are these, and for what?")
    shown = ", ".join(map(str, faces))
    return ImportedEntry(words, author, verb="roll", value=f"{{{_as_yaml(player)}: [{shown}]}}")


_COUNT: Final = re.compile(r"(?P<what>[A-Za-z ]{2,30}?)\s*:\s*(?P<each>.+)$")


def _figures(line: str, author: str, names: Names) -> ImportedEntry | None:
    """A line that consists of figures: ``Wealth: Ana 20, Bao 18``."""
    words = line.strip().strip("*_")
    match = _COUNT.fullmatch(words)
    if match is None:
        return None
    subject = " ".join(match["what"].casefold().split())
    subject = (
        subject if subject in names.figures else subject.removesuffix(" now").removesuffix(" left")
    )
    figure = names.figure(subject)
    if figure == subject and re.fullmatch(r"-?\d{1,6}", match["each"]):
        return ImportedEntry(
            words, author, verb="snapshot", value=f"{{{subject}: {match['each']}}}"
        )
    parts = [part.strip() for part in re.split("[,;]", match["each"].strip(" .,;"))]
    pairs = [re.fullmatch(r"(.*[^\s:=])[\s:=]+(-?\d{1,6})", part) for part in parts]
    amounts = [(names.player(pair[1]), pair[2]) for pair in pairs if pair is not None]
    if not figure or not amounts:
        return None
    if figure != subject or len(amounts) < len(pairs) or not all(player for player, _ in amounts):
        return ImportedEntry(
            line.strip(), author, "aside", question=f"is this the {figure}, and whose?"
        )
    assignments = ", ".join(f"{_as_yaml(player)}: {number}" for player, number in amounts)
    return ImportedEntry(
        line.strip(), author, verb="snapshot", value=f"{{{subject}: {{{assignments}}}}}"
    )


# --- Lonelog ------------------------------------------------------------------------------------------


def _lonelog(text: str, imported: ImportedText, names: Names) -> Iterator[ImportedEntry]:
    story: list[str] = []
    for line in [*text.split("\n"), ""]:
        words = line.strip()
        noted = _noted(words, imported, names)
        if noted is None:
            story.append(words.removeprefix("=>").strip())
            continue
        if story:
            yield ImportedEntry("\n".join(story))
            story = []
        if noted.words:
            yield noted


_HEADING: Final = re.compile(r"(#{1,6}\s+)?(S\d+\w*(?:\.\d+)?\b\s*[-:*]?\s*)?(.*)")
_ACTED: Final = re.compile(r"(?:\(@(?P<who>[^)]+)\)|@\((?P<whose>[^)]+)\)|@)\s*(?P<what>.+)")
_NOTE_BESIDE: Final = re.compile(
    r"(?:d:|\?|->|tbl:|gen:|\((?:note|reflection|house ?rule|reminder)[:)]).*|(?:\[[^\]]+\]\s*)+",
    re.I,
)


def _noted(words: str, imported: ImportedText, names: Names) -> ImportedEntry | None:
    """Read a line with Lonelog signs. An entry without words only divides others; None if the line is story."""
    head, acted = _HEADING.match(words), _ACTED.match(words)
    if head is not None and head[2]:
        return _scene(head[3].strip(" *") or words, names)
    if head is not None and head[1]:
        if imported.title or len(head[1].strip()) > 2:
            return ImportedEntry(head[3].strip(), question="is this a scene?")
        imported.title = head[3].strip()
        return ImportedEntry("")
    if acted is not None:
        player = names.player(acted["who"] or acted["whose"] or "")
        return ImportedEntry(acted["what"].strip() if player or words[1] == " " else words, player)
    if _NOTE_BESIDE.fullmatch(words):
        question = "are these dice of the game?" if words.startswith("d:") else ""
        return ImportedEntry(words, verb="aside", question=question)
    return None if words and not words.startswith("```") else ImportedEntry("")


# --- tables -------------------------------------------------------------------------------------------


def _table(text: str, imported: ImportedText, names: Names) -> Iterator[ImportedEntry]:
    """One entry for each row: a column for the verb, one for its value, one for each option."""
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text[:5000], delimiters=",;\t")
    except csv.Error:
        dialect = "excel"
    csv.field_size_limit(1_000_000)
    rows = csv.DictReader(io.StringIO(text), dialect=dialect)
    try:
        yield from (_row(row, names) for row in rows)
    except csv.Error:
        yield ImportedEntry("", question="the rest of the table cannot be read")


def _row(row: Mapping[str | None, object], names: Names) -> ImportedEntry:
    cells = {
        str(key or "more").strip().casefold(): text
        for key, value in row.items()
        if (text := ", ".join(value if isinstance(value, list) else [str(value or "")]).strip())
    }
    verb, value = cells.pop("verb", ""), cells.pop("value", "")
    words = ", ".join(f"{key}: {cell}" for key, cell in {verb or "entry": value, **cells}.items())
    author = cells.get("by", "")
    unknown_columns = [key for key in cells if not re.fullmatch("[a-z][a-z ]{0,30}", key)]
    if unknown_columns:
        return ImportedEntry(words, author, question="this row has a column that is no option")
    if verb not in names.verbs:
        words = words if cells.keys() - {"by"} else value or words
        return ImportedEntry(
            words, author, question=f"no verb '{verb}' here" if verb else "no verb"
        )
    options = {key: _typed(cell) for key, cell in cells.items()}
    return ImportedEntry(words, author, verb=verb, value=_typed(value) or "~", options=options)


def _as_yaml(text: str) -> str:
    """A text as YAML on one line, quoted only if needed."""
    return text if re.fullmatch(r"[^\W\d][\w ]*", text) else quoted(text)


def _typed(cell: str) -> str:
    """A cell as YAML: bracketed values are copied, everything else is one text."""
    return cell if cell[:1] in ("{", "[") and "\n" not in cell else _as_yaml(cell) if cell else ""


# --- out ----------------------------------------------------------------------------------------------


def as_log(
    imported: ImportedText, names: Names, session: int, title: str = ""
) -> tuple[str, list[int]]:
    """The text of the session file, and the line on which each entry begins."""
    head = [f"session: {session}"]
    if imported.title or title:
        head.append(f"title: {_as_yaml(imported.title or title)}")
    if imported.date:
        head.append(f"date: {imported.date}")
    lines, starts = [*head, "", "log:"], []
    for entry in imported.entries:
        if entry.question:
            lines.append(f"# Look here: {' '.join(entry.question.split())}")
        starts.append(len(lines) + 1)
        lines += _entry(entry, names)
    return "\n".join(lines) + "\n", starts


def _entry(entry: ImportedEntry, names: Names) -> Iterator[str]:
    player = names.player(entry.author)
    if entry.guessed:
        yield f"- {entry.verb}: {'' if entry.value == '~' else entry.value}".rstrip()
        yield from (f"  {key}: {value}" for key, value in entry.options.items())
    else:
        yield f"- {entry.verb}: |"
        yield from (f"    {line.strip()}".rstrip() for line in (entry.words or "...").split("\n"))
    if entry.author and "by" not in entry.options and "note" not in entry.options:
        if player and entry.verb in ("tell", "roll"):
            yield f"  by: {_as_yaml(player)}"
        elif not (player and entry.verb == "snapshot"):
            yield f"  note: {_as_yaml(f'written by {entry.author}')}"
