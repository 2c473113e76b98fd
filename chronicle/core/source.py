"""What a transcript is made of before anybody knows what it means: raw text with places.

The reader in ``transcript/`` builds these three classes; everything downstream may treat them as the
``str``, ``list`` and ``dict`` they are, and ask them for their place when something is wrong.
No scalar is ever resolved: ``no``, ``007``, ``12:30`` and ``-`` stay what the person typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple


class Place(NamedTuple):
    """A stretch of a file. Lines and columns count from 1; the end column is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path


class Word(str):
    """One scalar: the text as typed, where it stands, and how it was quoted. Most are plain and end where
    they do by their letters; any other one is a :class:`Laid`."""

    __slots__ = ("column", "line")

    line: int
    column: int

    def __new__(
        cls,
        text: str,
        line: int = 0,
        column: int = 0,
        end_line: int = 0,
        end_column: int = 0,
        style: str = "",
    ) -> Word:
        if style or end_line != line or end_column != column + len(text):
            laid = super().__new__(Laid, text)
            laid.end_line, laid.end_column, laid.style = end_line, end_column, style
            word: Word = laid
        else:
            word = super().__new__(cls, text)
        word.line, word.column = line, column
        return word

    @property
    def end_line(self) -> int:
        """The line it ends in."""
        return self.line

    @property
    def end_column(self) -> int:
        """The column behind its last letter."""
        return self.column + len(self)

    @property
    def style(self) -> str:
        """The YAML indicator (``'``, ``"``, ``|``, ``>``); empty for plain text."""
        return ""

    def __reduce__(self) -> tuple[type[Word], tuple[str, int, int, int, int, str]]:
        # str subclasses with slots do not pickle by themselves; a resumed replay needs them to.
        return (
            Word,
            (str(self), self.line, self.column, self.end_line, self.end_column, self.style),
        )

    def like(self, text: str) -> Word:
        """Another text at the same place (a name found inside a longer scalar, say)."""
        return Word(text, self.line, self.column, self.end_line, self.end_column, self.style)


class Laid(Word):
    """A scalar that is quoted, or that ends elsewhere than its letters say."""

    __slots__ = ("end_column", "end_line", "style")

    end_line: int
    end_column: int
    style: str


class Items(list["Value"]):
    """A sequence with its place."""

    __slots__ = ("column", "end_column", "end_line", "line")

    line: int
    column: int
    end_line: int
    end_column: int


class Entries(dict[Word, "Value"]):
    """A mapping with its place, in the order typed. Keys are unique; the reader reports repeats."""

    __slots__ = ("column", "end_column", "end_line", "line")

    line: int
    column: int
    end_line: int
    end_column: int

    def key(self, name: str) -> Word | None:
        """The key as typed, with its place, or None."""
        for key in self:
            if key == name:
                return key
        return None

    def without(self, keys: Iterable[Word]) -> Entries:
        """The same mapping without some of its keys."""
        gone = {(key.line, key.column) for key in keys}
        kept = (pair for pair in self.items() if (pair[0].line, pair[0].column) not in gone)
        made = Entries(kept)
        made.line, made.column = self.line, self.column
        made.end_line, made.end_column = self.end_line, self.end_column
        return made

    def renamed(self, key: Word, name: str) -> Entries:
        """The same mapping with one key read as another word, still where it was typed."""
        made = Entries((key.like(name) if one is key else one, at) for one, at in self.items())
        made.line, made.column = self.line, self.column
        made.end_line, made.end_column = self.end_line, self.end_column
        return made


Value = Word | Items | Entries


def scalars(value: Value, but: Callable[[str], bool] = lambda key: False) -> Iterator[Word]:
    """Every scalar in a value, keys included, but nothing of a mapping with a key that is ``but``."""
    if isinstance(value, Word):
        yield value
    elif isinstance(value, Items):
        for item in value:
            yield from scalars(item, but)
    elif not any(map(but, value)):
        for key, item in value.items():
            yield key
            yield from scalars(item, but)


def place_of(value: Value, path: str) -> Place:
    """Where a value stands in the file ``path``."""
    return Place(path, value.line, value.column, value.end_line, value.end_column)


def whole_file(path: str) -> Place:
    """A place for what concerns a file as a whole."""
    return Place(path, 0, 0, 0, 0)


def copied(tree: Entries) -> Entries:
    """The same mapping, that may be changed at any depth."""
    made = shifted(tree, 0)
    assert isinstance(made, Entries)
    return made


def shifted(value: Value, by: int) -> Value:
    """The same value, so many lines further down."""
    if isinstance(value, Word):
        line, end_line = value.line + by, value.end_line + by
        return Word(str(value), line, value.column, end_line, value.end_column, value.style)
    made: Items | Entries
    if isinstance(value, Items):
        made = Items([shifted(item, by) for item in value])
    else:
        made = Entries()
        for key, item in value.items():
            moved = shifted(key, by)
            assert isinstance(moved, Word)
            made[moved] = shifted(item, by)
    made.line, made.column = value.line + by, value.column
    made.end_line, made.end_column = value.end_line + by, value.end_column
    return made


def same(one: Value, other: Value) -> bool:
    """Whether two values say the same, in the same places."""
    if type(one) is not type(other) or one != other:
        return False
    pairs: list[tuple[Value, Value]] = [(one, other)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            continue
        if place_of(one, "") != place_of(other, ""):
            return False
        if isinstance(one, Word) and isinstance(other, Word):
            if one.style != other.style:
                return False
        elif isinstance(one, Items) and isinstance(other, Items):
            pairs += zip(one, other, strict=True)
        elif isinstance(one, Entries) and isinstance(other, Entries):
            pairs += zip(one, other, strict=True)
            pairs += zip(one.values(), other.values(), strict=True)
    return True


def same_ends(one: Sequence[object], other: Sequence[object]) -> tuple[int, int]:
    """How many items (lines, letters) two sequences have in common at their beginning, and how many of
    the rest at their end."""
    most = min(len(one), len(other))
    ahead = next((at for at in range(most) if one[at] != other[at]), most)
    most -= ahead
    return ahead, next((at for at in range(most) if one[-1 - at] != other[-1 - at]), most)
