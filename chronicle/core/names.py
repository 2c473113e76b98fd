"""Names of people and objects as players write them.

A look-up tries the exact name, then ignores letter case, then tries any whole word of a name that is unique
in the cast (``Okafor`` for Dr. Emeka Okafor). Two matches are an error; a miss suggests a similar name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from chronicle.core.diagnostic import ask_whether, either, nearest_words, spelt
from chronicle.core.fix import Fix, replace_with
from chronicle.core.source import Place, ScalarNode

PLAYER = "player"

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(slots=True, eq=False)
class Named:
    """Something with a name: a player, a character, a Component, a scene.

    ``id`` never changes; ``name`` is the current one, ``aliases`` all other names that lead to it."""

    id: str
    kind: str
    name: str
    aliases: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return self.name


class Miss:
    """A name that leads nowhere, or to several candidates. Similar names are searched on first use, because
    most callers only ask whether a word is a name.

    Args:
        word: the name as typed.
        message: the message for the user; if empty, it suggests similar names.
        candidates: the subjects of an ambiguous name.
        nearest: returns similar names, the nearest first.
    """

    __slots__ = ("_meant", "_message", "_nearest", "candidates", "word")

    def __init__(
        self,
        word: str,
        message: str = "",
        candidates: tuple[Named, ...] = (),
        nearest: Callable[[], list[str]] = list,
    ) -> None:
        self.word = word
        self.candidates = candidates
        self._message = message
        self._nearest = nearest
        self._meant: list[str] | None = None

    @property
    def similar(self) -> list[str]:
        """Similar names, the nearest first."""
        if self._meant is None:
            self._meant = self._nearest()
        return self._meant

    @property
    def message(self) -> str:
        """The message for the user."""
        return self._message or ask_whether(self.word, self.similar)


def quoted_names(subjects: Sequence[Named]) -> list[str]:
    """Names in quotes. Where several are equal, their kind and id are added."""
    names = [fold(subject.name) for subject in subjects]
    return [
        f"'{subject.name}'"
        + (f" ({subject.kind}, id {subject.id})" if names.count(folded_name) > 1 else "")
        for subject, folded_name in zip(subjects, names, strict=True)
    ]


def fold(text: str) -> str:
    """The form in which names are compared: NFC, without letter case and surrounding space."""
    return _folded(text) if len(text) < _CACHED_LENGTH else _folded.__wrapped__(text)


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()


_CACHED_LENGTH: Final = 60
"""Only names shorter than this are cached: few names, looked up often."""


MOST_GUESSES = 200
"""Number of different unknown names that get suggestions."""
FEW = 40
"""Up to this number of ids or titles, suggestions cost no time."""


def _current_names(renamed: Iterable[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Map every former name, folded, to (the name as typed, the current name).

    Renamings apply in order: if a new name is renamed later, the older names lead to the latest one."""
    changes = [
        (str(former), str(current), fold(former), fold(current)) for former, current in renamed
    ]
    final_names = [current for _, current, _, _ in changes]
    later: dict[str, str] = {}
    for index in range(len(changes) - 1, -1, -1):
        _, current, former_key, current_key = changes[index]
        final_names[index] = later.get(current_key, current)
        later[former_key] = final_names[index]
    former_names: dict[str, str] = {}
    alive: dict[str, int] = {}
    for index, (former, _, former_key, current_key) in enumerate(changes):
        former_names.setdefault(former_key, former)
        alive[former_key] = index
        alive.pop(current_key, None)
    return {folded: (former_names[folded], final_names[index]) for folded, index in alive.items()}


_INDEX_ATTRIBUTES = (
    "all",
    "_assumed",
    "_current",
    "_former",
    "_exact",
    "_folded",
    "_words",
    "_missed_names",
)
"""The attributes that make up the index."""


class Names:
    """The index of everything in a campaign that has a name.

    ``renamed`` are former names, each with its replacement: a subject with the new name is found under the
    former one as well."""

    def __init__(self, renamed: Iterable[tuple[str, str]] = ()) -> None:
        self.all: dict[str, Named] = {}
        self.revived: list[tuple[Named, str]] = []
        """Subjects that got a name which another subject has given up, each with the present name of the
        other."""
        self._assumed: dict[str, tuple[str, str]] = {}
        self._current: dict[str, str] = {}
        self._former: dict[str, list[str]] = {}
        for folded, (old, name) in _current_names(renamed).items():
            self._current[folded] = name
            self._former.setdefault(fold(name), []).append(old)
        self._missed_names: set[str] = set()
        self._exact: dict[str, tuple[str, ...]] = {}
        self._folded: dict[str, tuple[str, ...]] = {}
        self._words: dict[str, list[str]] = {}

    def add(
        self, id: str, kind: str, name: str, aliases: Iterable[str] = (), *, words: bool = True
    ) -> Named:
        """Register a subject; its name and aliases work from now on. Without ``words``, single words of them
        do not ('Ruth' never means the pair 'Ruth & Basil')."""
        current = self.current_name(name)
        named = Named(id, kind, name)
        self.all[id] = named
        if current != name and kind != PLAYER:
            # The log still uses a former name. It means the current name, unless another subject has that
            # name.
            if not self._folded.get(fold(current)):
                self._assumed[fold(current)] = id, name
                self._index(id, current, words)
                named.name = current
                return self._add_aliases(named, aliases, words)
            self.revived.append((named, current))
        self._index(id, name, words)
        return self._add_aliases(named, aliases, words)

    def mint(self, name: str, kind: str) -> str:
        """The id for a new subject: its name, with the kind added if a subject of another kind has that id.
        If the id is in ``all``, that kind and name exist already."""
        namesake = self.all.get(name)
        return name if namesake is None or namesake.kind == kind else f"{name} ({kind})"

    def free(self, id: str) -> str:
        """A free id that begins with this id."""
        while id in self.all:
            id += "'"
        return id

    def _add_aliases(self, named: Named, aliases: Iterable[str], words: bool) -> Named:
        for alias in aliases:
            self.alias(named.id, alias, words=words)
        return named

    def _undo_renaming(self, name: str) -> None:
        """Give a subject its former name back: the current name, which it got by renaming, belongs to
        another subject."""
        id, former = self._assumed.pop(fold(name))
        subject = self.all.get(id)
        if subject is None or fold(subject.name) != fold(name):
            return
        self._unlist(id)
        aliases = [alias for alias in subject.aliases if fold(alias) != fold(former)]
        subject.name, subject.aliases = former, []
        self._enter(id, former, words=True)
        for alias in aliases:
            subject.aliases.append(alias)
            self._enter(id, alias, words=True)
        self.revived.append((subject, name))

    def current_name(self, name: str) -> str:
        """The current name for a former one; else the name itself."""
        return self._current.get(fold(name), name) if self._current else name

    def former_names(self, named: Named) -> tuple[str, ...]:
        """The former names of a subject, in the order it had them."""
        former_names = self._former.get(fold(named.name), ())
        return tuple(
            dict.fromkeys(former for former in former_names if fold(former) != fold(named.name))
        )

    def alias(self, id: str, alias: str, *, words: bool = True) -> None:
        """Add an alias of a known subject."""
        self.all[id].aliases.append(alias)
        self._index(id, alias, words)

    def misspelt(self, id: str, word: str) -> None:
        """Accept a wrong spelling, which was reported, as this subject from now on."""
        self._index(id, word, words=False)

    def rename(self, id: str, name: str) -> None:
        """Give a subject a new name; the old one goes on working as an alias."""
        named = self.all[id]
        named.aliases.append(named.name)
        named.name = name
        self._index(id, name)

    def forget(self, id: str) -> None:
        """Remove a subject from the index."""
        self.all.pop(id, None)
        self._unlist(id)

    def exactly(self, word: str) -> tuple[str, ...]:
        """The ids of subjects with exactly this name, letter case included."""
        return tuple(id for id in self._exact.get(word.strip(), ()) if id in self.all)

    def copy_from(self, source: Names) -> None:
        """Take over the contents of another index."""
        for attribute in _INDEX_ATTRIBUTES:
            setattr(self, attribute, getattr(source, attribute))

    def copy(self) -> Names:
        """An independent copy."""
        copy = Names()
        for attribute in _INDEX_ATTRIBUTES:
            index = getattr(self, attribute)
            if isinstance(index, dict):
                index = type(index)(
                    (key, [*ids] if type(ids) is list else ids) for key, ids in index.items()
                )
            else:
                index = {*index}
            setattr(copy, attribute, index)
        for id, named in self.all.items():
            copy.all[id] = Named(named.id, named.kind, named.name, [*named.aliases])
        return copy

    def find(
        self, word: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | Miss:
        """Look up a name.

        Args:
            word: the name as typed.
            kinds: acceptable kinds; any if empty.
            within: acceptable ids; all if None.

        Returns:
            The subject, or a :class:`Miss` with the reason.
        """
        exact = self._exact.get(word)
        if exact is not None and len(exact) == 1 and within is None:
            # By far the most frequent case: the exact name of one subject.
            only = self.all.get(exact[0])
            if only is not None and (not kinds or only.kind in kinds):
                return only
        return self._find(word, kinds, within)

    def _find(
        self, word: str, kinds: Collection[str], within: Iterable[str] | None
    ) -> Named | Miss:
        kind_set = tuple(kinds)
        allowed = None if within is None else set(within)
        text = word.strip()
        exact = self._exact.get(text)

        def usable(ids: Sequence[str]) -> list[Named]:
            return [
                self.all[id]
                for id in dict.fromkeys(ids)
                if id in self.all
                and (not kind_set or self.all[id].kind in kind_set)
                and (allowed is None or id in allowed)
            ]

        folded = fold(text)
        for ids in (exact, self._folded.get(folded), self._words.get(folded)):
            matches = usable(ids) if ids else []
            if len(matches) == 1:
                return matches[0]
            if matches:
                # A current name wins over another subject's former alias.
                current = [named for named in matches if fold(named.name) == fold(text)]
                if len(current) == 1:
                    return current[0]
                return Miss(
                    text, f"'{text}' could be {either(quoted_names(matches))}", tuple(matches)
                )
        if " " in text:
            # Several words in a row that only one name contains: ``van der Berg``.
            phrase = f" {fold(text)} "
            matches = usable(
                [id for name, ids in self._folded.items() if phrase in f" {name} " for id in ids]
            )
            if len(matches) == 1:
                return matches[0]
        return Miss(text, nearest=lambda: self._similar(text, usable(list(self.all))))

    def _similar(self, text: str, candidates: list[Named]) -> list[str]:
        """The names of some subjects that are similar to an unknown name, the nearest first."""
        if not self._may_guess(fold(text)):
            return []
        names = [name for named in candidates for name in (named.name, *named.aliases)]
        words = dict.fromkeys(word for name in names if "&" not in name for word in name.split())
        return nearest_words(text, names) or nearest_words(text, list(words))

    def suggest(self, word: str, words: Sequence[str]) -> str:
        """``; did you mean 'x'?`` for an unknown id, title or the like: see :meth:`nearest`."""
        return ask_whether(word, self.nearest(word, words))

    def spellings(self, word: str, words: Sequence[str]) -> tuple[Fix, ...]:
        """The fixes that write the words of :meth:`suggest`."""
        return replace_with(self.nearest(word, words), old=str(word), is_told=True)

    def nearest(self, word: str, words: Sequence[str]) -> list[str]:
        """The known ids, titles or the like that are similar to an unknown one. Among few it always searches;
        among many only as often as for names, because each search compares with all."""
        if len(words) > FEW and not self._may_guess(f"{len(self._missed_names)} {word}"):
            return []
        return nearest_words(word, words)

    @property
    def guesses(self) -> int:
        """Number of further suggestions that will be computed."""
        return MOST_GUESSES - len(self._missed_names)

    def _may_guess(self, folded: str) -> bool:
        """Whether to compute a suggestion for an unknown name. The number is limited because each search
        compares with all names, and no user corrects that many one by one."""
        if folded in self._missed_names:
            return True
        if self.guesses <= 0:
            return False
        self._missed_names.add(folded)
        return True

    def find_by_name_or_id(self, word: str) -> Named | Miss:
        """The subject that a user at a terminal means by a name or an id. The message of a miss says how to
        be precise."""
        result = self.find(word)
        if isinstance(result, Named):
            return result
        by_id = self.all.get(word.strip())
        if by_id is not None:
            return by_id
        if not result.candidates:
            return result
        shared = len({fold(named.name) for named in result.candidates}) < len(result.candidates)
        advice = "write the id" if shared else "write more of the name"
        return Miss(word, f"{result.message}; {advice}", result.candidates)

    def likely_subject(
        self, word: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | None:
        """The subject that an unknown name most likely means, among ``kinds`` and ids ``within``; None if no
        name is similar enough, or the name belongs to another kind."""
        result = self.find(word)
        if isinstance(result, Named) or result.candidates:
            return None
        if "&" in word:
            halves = [self.find(half) for half in word.split("&")]
            names = [half.name for half in halves if isinstance(half, Named)]
            pair = self.find(" & ".join(names), kinds, within)
            return pair if len(names) == 2 and isinstance(pair, Named) else None
        if not self._may_guess(fold(word)):
            return None
        kind_set = tuple(kinds)
        allowed = None if within is None else set(within)
        full_names: list[tuple[str, Named]] = []
        single_words: list[tuple[str, Named]] = []
        for id, named in self.all.items():
            if (not kind_set or named.kind in kind_set) and (allowed is None or id in allowed):
                for name in (named.name, *named.aliases):
                    full_names.append((name, named))
                    single_words += [(part, named) for part in name.split() if "&" not in name]
        return spelt(word, full_names) or spelt(word, single_words)

    def _index(self, id: str, name: str, words: bool = True) -> None:
        if self._assumed.get(fold(name), (id,))[0] != id:
            self._undo_renaming(name)
        self._enter(id, name, words)
        for former in self._former.get(fold(name), ()):
            self.all[id].aliases.append(former)
            self._enter(id, former, words)

    def _unlist(self, id: str) -> None:
        for index in (self._exact, self._folded):
            for key, ids in index.items():
                if id in ids:
                    index[key] = tuple(other_id for other_id in ids if other_id != id)
        for listed in self._words.values():
            if id in listed:
                listed[:] = [other_id for other_id in listed if other_id != id]

    def _enter(self, id: str, name: str, words: bool) -> None:
        for index, key in ((self._exact, name.strip()), (self._folded, fold(name))):
            index[key] = (*index.get(key, ()), id)
        for part in _WORD.findall(name) if words else ():
            if fold(part) != fold(name):
                self._words.setdefault(fold(part), []).append(id)


class LookupLog:
    """A log of look-ups, in their order: the word of a file that named a subject, and the entries that gave
    a name. It only grows; a replay that returns to a snapshot takes the log of the snapshot."""

    def __init__(self) -> None:
        self.words: dict[str, list[tuple[int, int, str, str]]] = {}
        """By file: line, column and text of a word, and the id of its subject."""
        self.names_given: dict[str, list[tuple[range, str, str]]] = {}
        """By file: the lines of an entry, an id, and the name given there."""

    def copy(self) -> LookupLog:
        """An independent copy."""
        copy = LookupLog()
        copy.words = {file: [*words] for file, words in self.words.items()}
        copy.names_given = {file: [*names_given] for file, names_given in self.names_given.items()}
        return copy


class RecordingNames(Names):
    """An index of names that records every look-up in a :class:`LookupLog`.

    The replay calls ``set_position`` to say where the next words are."""

    _position = ("", range(0))

    def __init__(self, renamed: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(renamed)
        self.lookups = LookupLog()
        self.first: dict[str, str] = {}
        """The first name of each subject: two logs share it if one of them lacks a later renaming."""
        self.missed: dict[str, ScalarNode] = {}
        """Words that led nowhere, or to several subjects."""

    def add(
        self, id: str, kind: str, name: str, aliases: Iterable[str] = (), *, words: bool = True
    ) -> Named:
        """Register a subject and remember its first name."""
        named = super().add(id, kind, name, aliases, words=words)
        self.first.setdefault(id, named.name)
        return named

    def meanings(self, file: str) -> dict[tuple[int, int, str], set[str]]:
        """By line, column and text of a word of a file: the ids of its subjects."""
        ids_by_word: dict[tuple[int, int, str], set[str]] = {}
        for line, column, word, id in self.lookups.words.get(file, ()):
            ids_by_word.setdefault((line, column, word), set()).add(id)
        return ids_by_word

    def within(self, place: Place) -> tuple[tuple[int, int, str, str], ...]:
        """The look-ups within a part of a file."""
        lines = range(place.line, place.end_line + 1)
        words = self.lookups.words.get(place.path, ())
        return tuple(lookup for lookup in words if lookup[0] in lines)

    def record_lookups(self, file: str, words: Iterable[tuple[int, int, str, str]]) -> None:
        """Record look-ups of a file again whose subjects still exist."""
        valid = [lookup for lookup in words if lookup[-1] in self.all]
        if valid:
            self.lookups.words.setdefault(file, []).extend(valid)

    def called(self, id: str) -> Iterator[str]:
        """Every word that means only this subject in the log."""
        for file in self.lookups.words:
            for (_, _, word), ids in self.meanings(file).items():
                if ids == {id}:
                    yield word

    def set_position(self, file: str, first: int = 0, last: int = 0) -> None:
        """Set the position of the current entry: file, first and last line."""
        self._position = (file, range(first, last + 1))

    def find(
        self, word: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | Miss:
        """Look up a name and record the result."""
        result = super().find(word, kinds, within)
        if isinstance(result, Named) and isinstance(word, ScalarNode) and word.line:
            words = self.lookups.words.setdefault(self._position[0], [])
            words.append((word.line, word.column, str(word), result.id))
        elif isinstance(result, Miss) and isinstance(word, ScalarNode):
            self.missed.setdefault(str(word), word)
        return result

    def _enter(self, id: str, name: str, words: bool) -> None:
        super()._enter(id, name, words)
        self.lookups.names_given.setdefault(self._position[0], []).append(
            (self._position[1], id, name)
        )
