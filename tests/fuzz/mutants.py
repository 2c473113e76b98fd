"""Mutants of legal logs: what people, editors and enemies do to a file, one to a few times over.

Mutant number ``n`` of a seed is always the same one, as long as the corpus is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from chronicle.core.campaign import Header
from chronicle.core.declare import Action
from chronicle.games import GAMES, rulebook
from tests.fuzz.corpus import MOST, Corpus, data_of

NUMBERS = (
    "0", "1", "2", "3", "-1", "+1", "-0", "00", "007", "7", "13", "99", "1000", "99999", "999999", "999999999",
    "-999999999", "9999999999", "10000000000000000000000000000000000000000", "1.5", "1e9", "0x10", "1_000",
    "1,5", "inf", "nan", "-", "+", "--1", "1/2", "3 of 2", "up 2", "down 99999", "x2", "2x", "x0", "x99999",
    "²", "2²", "x2²", "٣", "１２", "½", "①", "Ⅷ", "−3", "𝟗", "৪", "3\u200b", "\xa03",
)  # fmt: skip
"""Figures as they are, as they are mistyped, and what looks like one and is none."""
WORDS = (
    "", " ", "yes", "no", "true", "none", "null", "~", "unrecorded", "nobody", "all", "everybody", "last",
    "first", "new", "continued", "table", "bank", "player", "scene", "&", "a & b", "a &", "A, B", "A,,B", ",",
    ":", "a: b", "#", "- a", "d-1", "d6", "2d6", "green", "+", "o", "-o+-", "1 2 3", "Аna", "Ana\u202e",
    "Ána", "ANA", "ana ", "ß", "İ", "ﬁ", "\u200d", "\xad", "\ud83d", "👩\u200d👩\u200d👧", "\x1b[31mred", "\x07",
    "\x9b2J", "<script>", "{{ x }}", "{% x %}", "](javascript:x)", "`", "|", "\\", "../../etc", "con", "a/b",
    "%s", "{0}", "${x}", "__class__", "x" * 300, "word " * 80,
)  # fmt: skip
"""Names and words that are none, look like others, or mean something to somebody else."""
RAW = (
    "&a x", "*a", "*b", "&a [*a]", "&a {b: *a}", "!!int 3", "!x y", "!!python/object:os.system x",
    "[[[[[[[[[[[[]]]]]]]]]]]]", "[" * 60 + "]" * 60, "{a: " * 20 + "1" + "}" * 20, "{? a : b}", "{: a}",
    "{[a]: b}", "{<<: {a: b}}", "[]", "{}", "[[]]", "[{}]", "{'': ''}", "''", '""', "{a: 1, a: 2}", "[,]", "{",
    "]", '"',
)  # fmt: skip
"""What YAML has besides plain values."""
SNIPPETS = (
    ": ", " #", "- ", "'", '"', "{", "}", "[", "]", ",", "|", ">", "*a", "&a ", "!x ", "%", "@", "`", "\t",
    "\n", "\n\n", "  ", "---\n", "...\n", "<<: ", "? ", "\\", "\x00", "\x85", "\u2028", "\ufeff", "é", "東",
    "²", "by:Ana", "\r", "\n  by: Bo", "<<<<<<< x\n", "=======\n", ">>>>>>> x\n", "\x1b[2J",
)  # fmt: skip

LETTERS = (
    "²", "x", "&", ",", ":", "'", '"', " ", "\t", "\n", "-", "#", "а", "́", "\u202e", "ß", "_", "*",
)  # fmt: skip

_FIGURE = re.compile(r"\d+")
_PLAIN = re.compile(r"[^\W_][\w .'’&+-]*(?<! )\Z")


class Raw(str):
    """A text that goes into the file as it is."""

    __slots__ = ()


@dataclass(slots=True)
class Mutant:
    """A campaign: the text of its settings, and of its evenings."""

    name: str
    settings: str
    evenings: list[tuple[str, list[str]]]

    def files(self) -> dict[str, bytes]:
        """The files of its folder."""
        files = {"campaign.yaml": self.settings}
        for number, (head, entries) in enumerate(self.evenings, 1):
            files[f"{number:02}.yaml"] = f"{head}log:\n{''.join(entries)}"
        return {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}


def emit(value: Any) -> str:
    """Plain data as YAML on one line; simple words without quotes, as people write them."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, dict):
        return "{" + ", ".join(f"{emit(key)}: {emit(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(emit, value)) + "]"
    text = str(value)
    return text if _PLAIN.match(text) else json.dumps(text, ensure_ascii=False)


class Mutator:
    """Makes mutants of what a corpus holds."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.games = tuple(GAMES)
        common = (*Action.fields, *Header.fields)
        self.keys: dict[str, tuple[str, ...]] = {}
        self.settings: dict[str, tuple[str, ...]] = {}
        self.readings: dict[str, dict[str, tuple[str, ...]]] = {}
        for game in GAMES:
            rules = rulebook(game)
            keys = [key for verb in rules.by_verb.values() for key in verb.fields]
            self.keys[game] = (*rules.by_verb, *rules.by_measure, *dict.fromkeys(keys), *common)
            self.settings[game] = tuple(rules.settings.fields)
            self.readings[game] = {
                ruling.key: tuple(ruling.readings) for ruling in rules.registry().rulings
            }
        self.acts: tuple[Callable[[list[str], str, Random], None], ...] = (
            *(swap, drop, double, move),
            *[self.change] * 8,
            *[self.graft] * 3,
        )

    def make(self, seed: int, number: int) -> Mutant:
        """One mutant."""
        random = Random(seed * 1_000_000_007 + number)
        game = random.choice(self.games)
        start = random.choice(self.corpus.starts[game])
        mutant = Mutant(
            start.name, start.settings, [(head, list(log)) for head, log in start.evenings]
        )
        if not random.randrange(4):
            self.reset(mutant, game, random)
        if not random.randrange(8):
            self.head(mutant, random)
        for _ in range(random.choice((1, 1, 1, 2, 2, 3, 5))):
            random.choice(self.acts)(random.choice(mutant.evenings)[1], game, random)
        if not random.randrange(10):
            self.typed(mutant, random)
        room = MOST
        for _, entries in mutant.evenings:
            del entries[room:]
            room -= len(entries)
        return mutant

    def graft(self, entries: list[str], game: str, random: Random) -> None:
        """An entry of another log, now and then of another game."""
        if not random.randrange(5):
            game = random.choice(self.games)
        entries.insert(random.randint(0, len(entries)), random.choice(self.corpus.entries[game]))

    def change(self, entries: list[str], game: str, random: Random) -> None:
        """Something else at one place of an entry."""
        if not entries:
            return
        at = random.randrange(len(entries))
        data = data_of(entries[at])
        if not isinstance(data, dict) or not data:
            entries[at] = f"- {random.choice(RAW)}\n"
            return
        data = deepcopy(data)
        self.mutate(data, game, random, self.keys[game])
        entries[at] = f"- {emit(data)}\n"

    def reset(self, mutant: Mutant, game: str, random: Random) -> None:
        """Other settings."""
        data = data_of(mutant.settings)
        if not isinstance(data, dict):
            return
        data = deepcopy(data)
        match random.randrange(6):
            case 0:
                data["strictness"] = random.choice(("meticulous", "standard", "relaxed"))
            case 1 | 2 if self.readings[game]:
                keys = random.sample(sorted(self.readings[game]), min(3, len(self.readings[game])))
                data["rulings"] = {key: random.choice(self.readings[game][key]) for key in keys}
            case 3:
                other_settings = data_of(random.choice(self.corpus.starts[game]).settings)
                if isinstance(other_settings, dict):
                    key = random.choice(sorted(other_settings))
                    data[key] = deepcopy(other_settings[key])
            case _:
                game_name = data.pop("game", game)
                self.mutate(data, game, random, self.settings[game])
                data.setdefault("game", game_name)
        mutant.settings = "".join(f"{emit(key)}: {emit(value)}\n" for key, value in data.items())

    def head(self, mutant: Mutant, random: Random) -> None:
        """Another head of an evening."""
        at = random.randrange(len(mutant.evenings))
        head, entries = mutant.evenings[at]
        data = data_of(head)
        data = deepcopy(data) if isinstance(data, dict) else {}
        self.mutate(data, random.choice(self.games), random, tuple(Header.fields))
        head = "".join(f"{emit(key)}: {emit(value)}\n" for key, value in data.items())
        mutant.evenings[at] = head, entries

    def typed(self, mutant: Mutant, random: Random) -> None:
        """A slip of the finger anywhere in a file."""
        at = random.randrange(len(mutant.evenings))
        head, entries = mutant.evenings[at]
        text = "".join(entries)
        start = random.randint(0, len(text))
        snippet = random.choice(SNIPPETS)
        mutant.evenings[at] = head, [text[:start] + snippet + text[start + random.randrange(4) :]]

    def mutate(self, data: Any, game: str, random: Random, keys: tuple[str, ...]) -> None:
        """Change plain data at one place."""
        places = list(_places(data))
        if not places or not random.randrange(10):
            if isinstance(data, dict):
                data[random.choice(keys)] = self.value(game, random)
            return
        holder, key = random.choice(places)
        value = holder[key]
        match random.randrange(16):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                # The same under another name, which may be a number, a player, a verb.
                name = random.choice((random.choice(keys), self.word(random), emit(value)[:40]))
                items = [
                    (Raw(name) if isinstance(name, Raw) else name, v) if k == key else (k, v)
                    for k, v in holder.items()
                ]
                holder.clear()
                holder.update(items)
            case 2 if isinstance(holder, dict):
                holder[random.choice(keys)] = deepcopy(value)
            case 3:
                holder[key] = [value] * random.choice((1, 2, 2, 30))
            case 4:
                holder[key] = {random.choice((self.word(random), *keys[:5])): value}
            case 5 if isinstance(value, list | dict) and value:
                holder[key] = random.choice(
                    list(value) if isinstance(value, list) else [*value, *value.values()]
                )
            case 6 if isinstance(value, list | dict):
                holder[key] = "" if random.randrange(2) else type(value)()
            case 7 | 8:
                other_holder, name = random.choice(places)
                holder[key], other_holder[name] = deepcopy(other_holder[name]), deepcopy(value)
            case 9 | 10 if isinstance(value, str):
                holder[key] = respelt(value, random)
            case 11:
                holder[key] = random.choice(NUMBERS)
            case _:
                holder[key] = self.value(game, random, key if isinstance(holder, dict) else "")

    def word(self, random: Random) -> str:
        """A figure or a word."""
        return random.choice(random.choice((NUMBERS, WORDS)))

    def value(self, game: str, random: Random, key: str = "") -> Any:
        """Something from elsewhere, if may be what stands under the same key."""
        match random.randrange(8):
            case 0:
                return self.word(random)
            case 1:
                return Raw(random.choice(RAW))
        value: Any = ""
        for _ in range(4 if key else 1):
            data = data_of(random.choice(self.corpus.entries[game]))
            if isinstance(data, dict):
                value = data[key] if key in data else random.choice(list(data.values()))
                if key in data:
                    break
        return deepcopy(value)


def respelt(text: str, random: Random) -> str:
    """A text with one thing in it written otherwise: a figure, a letter, a word."""
    figures = list(_FIGURE.finditer(text))
    words = text.split(" ")
    match random.randrange(6):
        case 0 | 1 | 2 if figures:
            figure = random.choice(figures)
            return text[: figure.start()] + random.choice(NUMBERS) + text[figure.end() :]
        case 3:
            return " ".join((*words, random.choice(NUMBERS)))
        case 4:
            words[random.randrange(len(words))] = random.choice(WORDS)
            return " ".join(words)
    at = random.randrange(len(text) + 1)
    match random.randrange(4):
        case 0:
            return text[:at] + random.choice(LETTERS) + text[at:]
        case 1:
            return text[:at] + text[at + 1 :]
        case 2:
            return text.swapcase()
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of plain data: what holds it, and under which key."""
    if isinstance(data, dict | list):
        for key in list(data) if isinstance(data, dict) else range(len(data)):
            yield data, key
            yield from _places(data[key])


def swap(entries: list[str], game: str, random: Random) -> None:
    """Two entries in each other's place."""
    if len(entries) > 1:
        first, second = random.sample(range(len(entries)), 2)
        entries[first], entries[second] = entries[second], entries[first]


def drop(entries: list[str], game: str, random: Random) -> None:
    """One entry less, or a stretch of them."""
    if entries:
        at = random.randrange(len(entries))
        del entries[at : at + random.choice((1, 1, 1, 2, 5))]


def double(entries: list[str], game: str, random: Random) -> None:
    """One entry twice, side by side or far apart."""
    if entries:
        entries.insert(random.randrange(len(entries)), random.choice(entries))


def move(entries: list[str], game: str, random: Random) -> None:
    """One entry elsewhere."""
    if entries:
        entry = entries.pop(random.randrange(len(entries)))
        entries.insert(random.randint(0, len(entries)), entry)
