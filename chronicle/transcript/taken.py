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
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from chronicle.transcript.traps import quoted

FORMS: Final = ("thread", "chat", "lonelog", "markdown", "csv")
MOST: Final = 20_000
"""How many entries one text is read into at most."""
_CONTROL: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)


@dataclass
class Taken:
    """One entry to be: its verb and the value as YAML on one line (empty: the words are a story), who wrote
    it, the words as they stood, whether the keeper is asked to look, further options as YAML."""

    words: str
    author: str = ""
    verb: str = "tell"
    value: str = ""
    look: str = ""
    options: dict[str, str] = field(default_factory=dict)

    @property
    def guessed(self) -> bool:
        """Whether it is more than a story, and has to be tried."""
        return bool(self.value)

    def as_story(self, why: str) -> None:
        """Keep the words as a story, and ask the keeper to look."""
        self.verb, self.value, self.options = "tell", "", {}
        self.look = why


@dataclass
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

    def player(self, word: str) -> str:
        """The player that a name means, exactly; empty if none."""
        return self._players.get(word.strip().lstrip("@").casefold(), "")


def form_of(text: str, name: str = "") -> str:
    """What sort of text it is, by its name and its lines."""
    if name.lower().endswith(".csv"):
        return "csv"
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    counts = Counter(
        form for line in lines for form, pattern in _SIGNS.items() if pattern.match(line)
    )
    if counts["lonelog"] > max(1, len(lines) // 8):
        return "lonelog"
    if counts["chat"] > len(lines) // 2:
        return "chat"
    if counts["thread"] > 1:
        return "thread"
    return "markdown"


_DATE: Final = r"(?P<date>\d{4}-\d{2}-\d{2})"
_TIME: Final = r"\[?(?:\d{4}-\d{2}-\d{2}[ T,]+)?\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?\]?"
_WHO: Final = r"(?P<who>[^\s:<>\[\]][^:<>\[\]\n]{0,39}?)"
_CHAT: Final = re.compile(
    rf"(?:{_TIME}\s*[-–]?\s*<?{_WHO}>?(?::|>|\s-)\s+|<{_WHO.replace('who', 'nick')}>\s+)(?P<said>.*)"
)
_HEADS: Final = (
    re.compile(rf"#\d+\s+(?:by\s+)?{_WHO}(?:\s*[»|,-].*)?$"),
    re.compile(rf"(?:Posted|Written) by:?\s+{_WHO}(?:\s+(?:on|at|»)\s.*|,\s.*)?$"),
    re.compile(rf"{_WHO}\s+(?:wrote|said|posted):\s*$"),
    re.compile(rf"{_WHO}\s+»\s+.*\d.*$"),
    re.compile(rf"\*\*{_WHO}\*\*(?:\s*[,(·-].*\d.*)?$"),
)
_SIGNS: Final[Mapping[str, re.Pattern[str]]] = {
    "chat": _CHAT,
    "thread": re.compile("|".join(re.sub(r"\?P<\w+>", "?:", one.pattern) for one in _HEADS)),
    "lonelog": re.compile(r"(?:@ |\(@[^)]+\) |d: |=> |-> |\? |### S\d)"),
}


def take(text: str, form: str, names: Names) -> Told:
    """Read a text of some form."""
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    told = Told()
    text = _front(text, told)
    date = re.search(_DATE, text)
    if date is not None and not told.date:
        told.date = date["date"]
    readers = {"csv": _table, "chat": _chat, "thread": _thread, "lonelog": _lonelog}
    told.entries = list(_bounded(readers.get(form, _markdown)(text, told, names)))
    return told


def _bounded(found: Iterable[Taken]) -> Iterator[Taken]:
    for number, one in enumerate(found):
        if number == MOST:
            return
        yield one


def _front(text: str, told: Told) -> str:
    head = re.match(r"---\n(.*?)\n---\n", text, re.S)
    if head is None:
        return text
    for key, value in re.findall(r"(?m)^(title|date):\s*(.+)$", head[1]):
        setattr(told, key, value.strip().strip("\"'"))
    return text[head.end() :]


# --- forums, chats, reports --------------------------------------------------------------------------


def _thread(text: str, told: Told, names: Names) -> Iterator[Taken]:
    author, lines = "", []
    first = True
    for line in [*text.split("\n"), None]:
        head = _head(line) if line is not None else ""
        if line is not None and not head:
            lines.append(line)
            continue
        body = "\n".join(lines).strip()
        if first and not author and body:
            told.title, body = _title(body, told.title)
        if body:
            yield from _post(body, author, names)
        first, author, lines = False, head or "", []


def _title(body: str, title: str) -> tuple[str, str]:
    """A first line of its own above all posts is the title of the thread."""
    line, _, rest = body.partition("\n")
    if title or len(line) > 100:
        return title, body
    return line.strip("# ").strip(), rest.strip()


def _head(line: str) -> str:
    for pattern in _HEADS:
        found = pattern.match(line.strip())
        if found is not None:
            return found["who"].strip()
    return ""


def _chat(text: str, told: Told, names: Names) -> Iterator[Taken]:
    last: tuple[str, list[str]] | None = None
    for line in text.split("\n"):
        found = _CHAT.match(line.strip())
        if found is not None:
            if last is not None:
                yield from _post("\n".join(last[1]).strip(), last[0], names)
            last = ((found["who"] or found["nick"]).strip(), [found["said"]])
        elif last is not None:
            last[1].append(line)
        elif line.strip():
            yield Taken(line.strip(), look="nobody says who wrote this")
    if last is not None:
        yield from _post("\n".join(last[1]).strip(), last[0], names)


def _markdown(text: str, told: Told, names: Names) -> Iterator[Taken]:
    for block in re.split(r"\n\s*\n", text):
        body = block.strip()
        heading = re.match(r"(#{1,6})\s+(.+)", body)
        if heading is not None and not told.title and len(heading[1]) == 1:
            told.title = heading[2].strip()
            body = body[heading.end() :].strip()
        elif heading is not None:
            yield _scene(heading[2].strip(), names)
            body = body[heading.end() :].strip()
        if body:
            yield from _post(body, "", names)


def _scene(title: str, names: Names) -> Taken:
    if "scene" not in names.verbs:
        return Taken(title)
    return Taken(title, verb="scene", value=_bare(title))


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
    if not paragraph:
        return
    if _ASIDE.fullmatch(paragraph):
        yield Taken(paragraph, author, verb="aside")
        return
    plain: list[str] = []
    for line in paragraph.split("\n"):
        found = _dice(line, author, names) or _figures(line, author, names)
        if found is None:
            plain.append(line)
            continue
        if plain:
            yield "\n".join(plain)
            plain = []
        yield found
    if plain:
        yield "\n".join(plain)


_NUMBERS: Final = r"\d{1,3}(?:\s*[,+]\s*\d{1,3}|\s+\d{1,3})*"
_ROLLS: Final = re.compile(
    r"(?:\[?/?roll\]?:?\s*)?(?:(?P<who>[\w' -]{1,40}?)\s+(?:rolls?|rolled|threw|throws)\s+)?"
    rf"(?:(?P<count>\d{{0,2}})d(?P<sides>\d{{1,3}})\s*(?:=|:|→|->)\s*)\[?(?P<faces>{_NUMBERS})\]?\.?$",
    re.I,
)
_DICE_LIKE: Final = re.compile(r"\b\d{0,2}d\d{1,3}\b|\broll(?:s|ed)?\b.*\d", re.I)


def _dice(line: str, author: str, names: Names) -> Taken | None:
    """A line that is nothing but a throw: who, so many dice of that sort, and what they show."""
    words = line.strip()
    found = _ROLLS.fullmatch(words)
    if found is None:
        if _DICE_LIKE.search(words):
            return Taken(words, author, look="are these dice of the game?")
        return None
    faces = [int(one) for one in re.findall(r"\d+", found["faces"])]
    who = names.player(found["who"] or author)
    count, sides = int(found["count"] or 1), int(found["sides"])
    sure = who and len(faces) == count and all(0 < face <= sides for face in faces)
    if not sure or "roll" not in names.verbs:
        return Taken(words, author, look="whose dice are these, and for what?")
    shown = ", ".join(map(str, faces))
    return Taken(words, author, verb="roll", value=f"{{{_bare(who)}: [{shown}]}}")


_COUNT: Final = re.compile(r"(?P<what>[A-Za-z ]{2,30}?)\s*(?:now|left)?\s*:\s*(?P<each>.+)$")


def _figures(line: str, author: str, names: Names) -> Taken | None:
    """A line that is nothing but figures: ``Wealth: Ana 20, Bao 18``."""
    words = line.strip().strip("*_")
    found = _COUNT.fullmatch(words)
    if found is None:
        return None
    what = " ".join(found["what"].casefold().split())
    if what not in names.figures:
        return None
    each = [one.strip() for one in re.split(r"[,;]", found["each"].rstrip("."))]
    pairs = [re.fullmatch(r"(.+?)[\s:=]+(-?\d{1,6})", one) for one in each if one]
    if not pairs or not all(pairs):
        return Taken(line.strip(), author, look=f"is this the {what}?")
    told = [(names.player(one[1]), one[2]) for one in pairs if one is not None]
    if not all(who for who, _ in told):
        return Taken(line.strip(), author, look=f"whose {what} is this?")
    said = ", ".join(f"{_bare(who)}: {number}" for who, number in told)
    return Taken(line.strip(), author, verb="snapshot", value=f"{{{what}: {{{said}}}}}")


# --- Lonelog ------------------------------------------------------------------------------------------


def _lonelog(text: str, told: Told, names: Names) -> Iterator[Taken]:
    story: list[str] = []

    def over() -> Iterator[Taken]:
        if story:
            yield Taken("\n".join(story))
            story.clear()

    for line in text.split("\n"):
        words = line.strip()
        if not words or words.startswith("```"):
            yield from over()
            continue
        heading = re.match(r"(#{1,6})\s+(.+)", words)
        if heading is not None and len(heading[1]) < 3:
            yield from over()
            told.title = told.title or heading[2].strip()
        elif heading is not None:
            yield from over()
            yield _scene(
                re.sub(r"^S\d+[a-z]?(?:\.\d+)?\s*[-:*]?\s*", "", heading[2]).strip(" *") or words,
                names,
            )
        elif words.startswith("=>"):
            story.append(words[2:].strip())
        elif (acted := re.match(r"(?:\(@(?P<who>[^)]+)\)|@)\s*(?P<what>.+)", words)) is not None:
            yield from over()
            yield Taken(acted["what"].strip(), acted["who"] or "")
        elif words.startswith(("d:", "?", "->", "tbl:", "gen:")):
            yield from over()
            look = "are these dice of the game?" if words.startswith("d:") else ""
            yield Taken(words, verb="aside", look=look)
        elif re.match(r"\((?:note|reflection|house ?rule|reminder)[:)]", words, re.I):
            yield from over()
            yield Taken(words.strip("()"), verb="aside")
        else:
            story.append(words)
    yield from over()


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
        str(key).strip().casefold(): str(value).strip()
        for key, value in row.items()
        if key is not None and isinstance(value, str) and value.strip()
    }
    verb, value = cells.pop("verb", ""), cells.pop("value", "")
    words = ", ".join(f"{key}: {one}" for key, one in {verb or "entry": value, **cells}.items())
    author = cells.get("by", "")
    odd = [key for key in cells if not re.fullmatch("[a-z][a-z ]{0,30}", key)]
    if odd:
        return Taken(words, author, look="this row has a column that is no option")
    if verb not in names.verbs:
        return Taken(value or words, author, look=f"no verb '{verb}' here" if verb else "no verb")
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
