"""Old records: forum threads, chats, play reports and tables of entries, read into entries of a log.

Nothing is invented. What somebody wrote is kept word for word, under the name of who wrote it where that
is a player of the campaign; what may be more than a story (dice, figures, a scene, an entry of the game) is
a *guess*, to be tried by playing it; where it does not hold, the words stand as a story, and the keeper is
asked to look.
"""

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

from chronicle.transcript.traps import quoted

FORMS: Final = ("thread", "chat", "lonelog", "markdown", "csv")
MOST: Final = 20_000
"""How many entries one text is read into at most."""
_ROLLED: Final = re.compile(r"\broll(?:s|ed)?\b", re.IGNORECASE)
_DIGIT: Final = re.compile(r"\d")
_CONTROL: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)


@dataclass(slots=True, eq=False)
class Taken:
    """One entry to be: its verb and the value as YAML on one line (empty: the words are kept), who wrote
    it, the words as they stood, whether the keeper is asked to look, further options as YAML."""

    words: str
    author: str = ""
    verb: str = "tell"
    value: str = ""
    look: str = ""
    options: dict[str, str] = field(default_factory=dict)

    @property
    def guessed(self) -> bool:
        """Whether it is more than words, and has to be tried."""
        return bool(self.value)

    def as_words(self, why: str) -> None:
        """Keep the words, dice and figures beside the story, and ask the keeper to look."""
        self.verb = "aside" if self.verb in ("roll", "snapshot") else "tell"
        self.value, self.options, self.look = "", {}, why


@dataclass(slots=True, eq=False)
class Told:
    """A text as read: a title and a date, if it says them, and its entries."""

    title: str = ""
    date: str = ""
    entries: list[Taken] = field(default_factory=list)


class Names:
    """Who and what the campaign knows: players, and the words of its game."""

    def __init__(
        self, players: Iterable[str], verbs: Collection[str], figures: Collection[str]
    ) -> None:
        self._players = {name.casefold(): name for name in players}
        self.verbs, self.figures = verbs, figures

    def figure(self, word: str) -> str:
        """The figure that a word names, or speaks of; empty if none."""
        word = word.casefold()
        ones = (name for name in self.figures if {word, f"{word}s"} & {name, *name.split()})
        return word if word in self.figures else next(ones, "")

    def player(self, word: str) -> str:
        """The player that a name means, exactly; empty if none."""
        return self._players.get(word.strip().lstrip("@").casefold(), "")


def form_of(text: str, name: str = "") -> str:
    """What sort of text it is, by its name and its lines."""
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
"""How many of them nobody writes in a story; of the others only the name of a player makes a head."""
_SIGNS: Final[Mapping[str, re.Pattern[str]]] = {
    "chat": _CHAT,
    "thread": re.compile("|".join(re.sub(r"\?P<\w+>", "?:", one.pattern) for one in _HEADS)),
    "lonelog": re.compile(r"(?:@ |\(?@\(?[^)]+\) |d: |=> |-> |\? |(?:### )?S\d+\w*\b)"),
}


def take(text: str, form: str, names: Names) -> Told:
    """Read a text of some form."""
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    told = Told()
    text = _front(text, told)
    # A day within a story is none of an evening's.
    stamped = (line for line in text.split("\n") if _stamp(line.strip(), names))
    told.date = told.date or next(filter(None, map(_date, stamped)), "")
    readers = {"csv": _table, "chat": _chat, "thread": _thread, "lonelog": _lonelog}
    told.entries = list(islice(readers.get(form, _markdown)(text, told, names), MOST))
    return told


def _stamp(line: str, names: Names) -> bool:
    return bool(_CHAT.match(line) or _head(line, names) or re.match(r"\W*Date\W", line))


def _date(line: str) -> str:
    """The day that a line names beyond doubt, as a log writes it; empty if it names none."""
    if found := re.search(r"\d{4}-\d{2}-\d{2}", line):
        return found[0]
    for order in (
        rf"(?P<day>{_NTH})\s+(?P<month>{_WORD})",
        rf"(?P<month>{_WORD})\.?\s+(?P<day>{_NTH})",
    ):
        if found := re.search(order + r"[.,]*\s+(?P<year>\d{4})", line):
            month, day = found["month"][:3].casefold(), re.match(r"\d+", found["day"])
            with suppress(ValueError):
                at = _MONTHS.index(month) + 1
                return str(date(int(found["year"]), at, int(day[0] if day else 0)))
    return ""


def _front(text: str, told: Told) -> str:
    head = re.match(r"---\n(.*?)\n---\n", text, re.S)
    if head is None:
        return text
    for key, value in re.findall(r"(?m)^(title|date):\s*(.+)$", head[1]):
        setattr(told, key, value.strip().strip("\"'"))
    return text[head.end() :]


# --- forums, chats, reports --------------------------------------------------------------------------


def _posts(
    lines: list[str], names: Names, opens: Callable[[int], tuple[str, str] | None]
) -> Iterator[Taken]:
    """What each person wrote: ``opens`` says of a line by its number who begins a post there, and with
    what words."""
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
            yield Taken(words, verb="aside", look="nobody says who wrote this")
        author, body = opened[0], [opened[1]]


def _thread(text: str, told: Told, names: Names) -> Iterator[Taken]:
    lines = text.strip().split("\n")
    # A first line of its own above all posts is the title of the thread.
    if not told.title and len(lines[0]) <= 100 and not _head(lines[0], names):
        told.title = lines.pop(0).strip("# ").strip()

    def opens(number: int) -> tuple[str, str] | None:
        head = _head(lines[number], names)
        # What is quoted below its writer's name is part of the post around it.
        below = next((one for one in lines[number + 1 :] if one.strip()), "")
        quoted = number and lines[number].rstrip().endswith("wrote:") and below.startswith(">")
        return (head, "") if head and not quoted else None

    return _posts(lines, names, opens)


def _head(line: str, names: Names) -> str:
    for number, pattern in enumerate(_HEADS):
        found = pattern.match(line.strip())
        if found is not None and (number < _BARE or names.player(found["who"])):
            return found["who"].strip()
    return ""


def _chat(text: str, told: Told, names: Names) -> Iterator[Taken]:
    lines = [line.strip() for line in text.split("\n")]

    def opens(number: int) -> tuple[str, str] | None:
        found = _CHAT.match(lines[number]) or _DOES.match(lines[number])
        if found is not None:
            return (found["who"] or found["nick"]).strip(), found["said"]
        return ("", lines[number]) if _STAMPED.match(lines[number]) else None

    return _posts(lines, names, opens)


def _markdown(text: str, told: Told, names: Names) -> Iterator[Taken]:
    for block in re.split(r"\n\s*\n", text):
        body = block.strip()
        heading = re.match(r"(#{1,6})\s+(.+)", body)
        if heading is not None:
            body = body[heading.end() :].strip()
            if not told.title and len(heading[1]) == 1:
                told.title = heading[2].strip()
            elif re.match(r"\W*scene\b", heading[2], re.I):
                yield _scene(heading[2].strip(), names)
            else:
                yield Taken(heading[2].strip(), look="is this a scene?")
        said = _SAID.match(body)
        author = names.player(said["who"]) if said is not None else ""
        yield from _post(body[said.end() :] if said and author else body, author, names)


_SAID: Final = re.compile(rf"\*\*{_WHO}(?::\*\*|\*\*:)\s+")
"""The name of who wrote a paragraph, before it."""


def _scene(title: str, names: Names) -> Taken:
    return Taken(title, verb="scene", value=_bare(title) if "scene" in names.verbs else "")


_ASIDE: Final = re.compile(r"(?:\(\(.*\)\)|\(?OOC\b.*|\[OOC\].*|//.*)$", re.S | re.I)


def _post(body: str, author: str, names: Names) -> Iterator[Taken]:
    """What one person wrote: paragraph by paragraph, so that a throw in the middle stands by itself."""
    story: list[str] = []
    for paragraph in re.split(r"\n\s*\n", body):
        for piece in _pieces(paragraph.strip(), author, names):
            if isinstance(piece, str):
                story.append(piece)
                continue
            if story:
                yield Taken("\n\n".join(story), author)
                story = []
            yield piece
    if story:
        yield Taken("\n\n".join(story), author)


def _pieces(paragraph: str, author: str, names: Names) -> Iterator[str | Taken]:
    if _ASIDE.fullmatch(paragraph):
        yield Taken(paragraph, author, verb="aside")
        return
    plain: list[str] = []
    for line in [*paragraph.split("\n"), ""]:
        found = _dice(line, author, names) or _figures(line, author, names)
        if _ASIDE.fullmatch(line.strip()):
            found = Taken(line.strip(), author, verb="aside")
        if line and found is None:
            plain.append(line)
            continue
        if plain:
            yield _looked_at("\n".join(plain), author, names)
            plain = []
        if found is not None:
            yield found


def _rolls(sentence: str) -> bool:
    """Whether a sentence speaks of rolling, and of a number after that."""
    found = _ROLLED.search(sentence)
    return found is not None and _DIGIT.search(sentence, found.end()) is not None


def _looked_at(words: str, author: str, names: Names) -> str | Taken:
    """A piece of a story; with a mark where it speaks of dice or of figures."""
    if _DICE.search(words) or any(map(_rolls, re.split(r"[.\n]", words))):
        # Nobody in a story says "2d10"; in the midst of other lines the words stay together.
        verb = "aside" if _DICE.search(words) and "\n" not in words else "tell"
        return Taken(words, author, verb, look="are these dice of the game?")
    counted = re.findall(r"\b\d+ ([a-z]+)\b", words, re.I)
    figure = next((name for one in counted if (name := names.figure(one))), "")
    return Taken(words, author, look=f"does this change the {figure}?") if figure else words


_NUMBERS: Final = r"\d{1,3}(?:\s*[,+]\s*\d{1,3}|\s+\d{1,3})*"
_ROLLS: Final = re.compile(
    r"(?:\[?/?roll\]?:?\s*)?(?:(?P<who>[\w' -]{1,40}?)\s+(?:rolls?|rolled|threw|throws)\s+)?"
    rf"(?:(?P<count>\d{{0,2}})d(?P<sides>\d{{1,3}})\s*(?:=|:|→|->)\s*)\[?(?P<faces>{_NUMBERS})\]?\.?$",
    re.I,
)
_DICE: Final = re.compile(r"\b\d{0,2}d\d{1,3}\b", re.I)


def _dice(line: str, author: str, names: Names) -> Taken | None:
    """A line that is nothing but a throw: who, so many dice of that sort, and what they show."""
    words = line.strip()
    found = _ROLLS.fullmatch(words)
    if found is None:
        return None
    faces = [int(one) for one in re.findall(r"\d+", found["faces"])]
    who = names.player(author if (found["who"] or "I") in "Ii" else found["who"])
    count, sides = int(found["count"] or 1), int(found["sides"])
    sure = who and len(faces) == count and all(0 < face <= sides for face in faces)
    if not sure or "roll" not in names.verbs:
        return Taken(words, author, "aside", look="whose dice are these, and for what?")
    shown = ", ".join(map(str, faces))
    return Taken(words, author, verb="roll", value=f"{{{_bare(who)}: [{shown}]}}")


_COUNT: Final = re.compile(r"(?P<what>[A-Za-z ]{2,30}?)\s*:\s*(?P<each>.+)$")


def _figures(line: str, author: str, names: Names) -> Taken | None:
    """A line that is nothing but figures: ``Wealth: Ana 20, Bao 18``."""
    words = line.strip().strip("*_")
    found = _COUNT.fullmatch(words)
    if found is None:
        return None
    what = " ".join(found["what"].casefold().split())
    what = what if what in names.figures else what.removesuffix(" now").removesuffix(" left")
    figure = names.figure(what)
    if figure == what and re.fullmatch(r"-?\d{1,6}", found["each"]):
        return Taken(words, author, verb="snapshot", value=f"{{{what}: {found['each']}}}")
    each = [one.strip() for one in re.split("[,;]", found["each"].strip(" .,;"))]
    pairs = [re.fullmatch(r"(.*[^\s:=])[\s:=]+(-?\d{1,6})", one) for one in each]
    told = [(names.player(one[1]), one[2]) for one in pairs if one is not None]
    if not figure or not told:
        return None
    if figure != what or len(told) < len(pairs) or not all(who for who, _ in told):
        return Taken(line.strip(), author, "aside", look=f"is this the {figure}, and whose?")
    said = ", ".join(f"{_bare(who)}: {number}" for who, number in told)
    return Taken(line.strip(), author, verb="snapshot", value=f"{{{what}: {{{said}}}}}")


# --- Lonelog ------------------------------------------------------------------------------------------


def _lonelog(text: str, told: Told, names: Names) -> Iterator[Taken]:
    story: list[str] = []
    for line in [*text.split("\n"), ""]:
        words = line.strip()
        found = _noted(words, told, names)
        if found is None:
            story.append(words.removeprefix("=>").strip())
            continue
        if story:
            yield Taken("\n".join(story))
            story = []
        if found.words:
            yield found


_HEADING: Final = re.compile(r"(#{1,6}\s+)?(S\d+\w*(?:\.\d+)?\b\s*[-:*]?\s*)?(.*)")
_ACTED: Final = re.compile(r"(?:\(@(?P<who>[^)]+)\)|@\((?P<whose>[^)]+)\)|@)\s*(?P<what>.+)")
_BESIDE: Final = re.compile(
    r"(?:d:|\?|->|tbl:|gen:|\((?:note|reflection|house ?rule|reminder)[:)]).*|(?:\[[^\]]+\]\s*)+",
    re.I,
)


def _noted(words: str, told: Told, names: Names) -> Taken | None:
    """What a line of signs says; without a word where it only parts others, None if it is the story."""
    head, acted = _HEADING.match(words), _ACTED.match(words)
    if head is not None and head[2]:
        return _scene(head[3].strip(" *") or words, names)
    if head is not None and head[1]:
        if told.title or len(head[1].strip()) > 2:
            return Taken(head[3].strip(), look="is this a scene?")
        told.title = head[3].strip()
        return Taken("")
    if acted is not None:
        who = names.player(acted["who"] or acted["whose"] or "")
        return Taken(acted["what"].strip() if who or words[1] == " " else words, who)
    if _BESIDE.fullmatch(words):
        look = "are these dice of the game?" if words.startswith("d:") else ""
        return Taken(words, verb="aside", look=look)
    return None if words and not words.startswith("```") else Taken("")


# --- tables -------------------------------------------------------------------------------------------


def _table(text: str, told: Told, names: Names) -> Iterator[Taken]:
    """One entry a row: a column for the verb, one for its value, one for each option."""
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text[:5000], delimiters=",;\t")
    except csv.Error:
        dialect = "excel"
    csv.field_size_limit(1_000_000)
    rows = csv.DictReader(io.StringIO(text), dialect=dialect)
    try:
        yield from (_row(row, names) for row in rows)
    except csv.Error:
        yield Taken("", look="the rest of the table cannot be read")


def _row(row: Mapping[str | None, object], names: Names) -> Taken:
    cells = {
        str(key or "more").strip().casefold(): text
        for key, value in row.items()
        if (text := ", ".join(value if isinstance(value, list) else [str(value or "")]).strip())
    }
    verb, value = cells.pop("verb", ""), cells.pop("value", "")
    words = ", ".join(f"{key}: {one}" for key, one in {verb or "entry": value, **cells}.items())
    author = cells.get("by", "")
    odd = [key for key in cells if not re.fullmatch("[a-z][a-z ]{0,30}", key)]
    if odd:
        return Taken(words, author, look="this row has a column that is no option")
    if verb not in names.verbs:
        words = words if cells.keys() - {"by"} else value or words
        return Taken(words, author, look=f"no verb '{verb}' here" if verb else "no verb")
    options = {key: _typed(one) for key, one in cells.items()}
    return Taken(words, author, verb=verb, value=_typed(value) or "~", options=options)


def _bare(text: str) -> str:
    """A text on one line, in quotes only where it may need them."""
    return text if re.fullmatch(r"[^\W\d][\w ]*", text) else quoted(text)


def _typed(cell: str) -> str:
    """A cell as YAML: what stands in brackets is taken as it is, everything else is one text."""
    return cell if cell[:1] in ("{", "[") and "\n" not in cell else _bare(cell) if cell else ""


# --- out ----------------------------------------------------------------------------------------------


def as_log(told: Told, names: Names, session: int, title: str = "") -> tuple[str, list[int]]:
    """The session file, and the line on which each entry begins."""
    head = [f"session: {session}"]
    if told.title or title:
        head.append(f"title: {_bare(told.title or title)}")
    if told.date:
        head.append(f"date: {told.date}")
    lines, starts = [*head, "", "log:"], []
    for one in told.entries:
        if one.look:
            lines.append(f"# Look here: {' '.join(one.look.split())}")
        starts.append(len(lines) + 1)
        lines += _entry(one, names)
    return "\n".join(lines) + "\n", starts


def _entry(one: Taken, names: Names) -> Iterator[str]:
    player = names.player(one.author)
    if one.guessed:
        yield f"- {one.verb}: {'' if one.value == '~' else one.value}".rstrip()
        yield from (f"  {key}: {value}" for key, value in one.options.items())
    else:
        yield f"- {one.verb}: |"
        yield from (f"    {line.strip()}".rstrip() for line in (one.words or "...").split("\n"))
    if one.author and "by" not in one.options and "note" not in one.options:
        if player and one.verb in ("tell", "roll"):
            yield f"  by: {_bare(player)}"
        elif not (player and one.verb == "snapshot"):
            yield f"  note: {_bare(f'written by {one.author}')}"
