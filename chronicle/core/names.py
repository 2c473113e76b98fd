"""Who is meant: names as people use them at the table.

Exact first, then letter case aside, then any whole word of a name that is unique in the cast
(``Okafor`` for Dr. Emeka Okafor). Two matches are an error, a miss says what was probably meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from chronicle.core.diagnostic import ask_whether, either, nearest_words, spelt
from chronicle.core.source import Place, Word

PLAYER = "player"

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(slots=True, eq=False)
class Named:
    """Something that has a name: a player, a character, a Component, a scene.

    ``id`` never changes; ``name`` is the current one, ``aliases`` all others that ever worked.
    """

    id: str
    kind: str
    name: str
    aliases: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return self.name


class Miss:
    """A name that led nowhere: what to say, and what was close (several: it was ambiguous). Many ask
    only whether a word is a name, so that what was meant is worked out when somebody wants to know it.

    Args:
        word: the name that led nowhere.
        message: what to say; empty: to ask whether one of the names that are near was meant.
        candidates: the things that it may name, if there are several.
        nearest: gives the names that may have been meant, the nearest first.
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
    def meant(self) -> list[str]:
        """The names that may have been meant, the nearest first."""
        if self._meant is None:
            self._meant = self._nearest()
        return self._meant

    @property
    def message(self) -> str:
        """What to say."""
        return self._message or ask_whether(self.word, self.meant)


def apart(found: Sequence[Named]) -> list[str]:
    """Things by their names; of those that share one, what they are and their ids."""
    names = [fold(named.name) for named in found]
    return [
        f"'{one.name}'" + (f" ({one.kind}, id {one.id})" if names.count(name) > 1 else "")
        for one, name in zip(found, names, strict=True)
    ]


def fold(text: str) -> str:
    """A name made comparable: composed alike, letter case and surrounding space aside."""
    return _folded(text) if len(text) < _SHORT else _folded.__wrapped__(text)


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()


_SHORT: Final = 60
"""How long a name is that is worth being remembered: the same few are asked about all the time."""


MOST_GUESSES = 200
"""About how many different names that nobody has a campaign is told what was probably meant."""
FEW = 40
"""Among so many ids or titles it takes no time to see which was probably meant."""


def _now_called(renamed: Iterable[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """What every name that was given up has become: folded name to (the name, the one it has now).

    In the order of the changes: what had become an old name becomes the new one as well.
    """
    changes = [(str(old), str(new), fold(old), fold(new)) for old, new in renamed]
    ends = [new for _, new, _, _ in changes]
    later: dict[str, str] = {}
    for at in range(len(changes) - 1, -1, -1):
        _, new, before, after = changes[at]
        ends[at] = later.get(after, new)
        later[before] = ends[at]
    olds: dict[str, str] = {}
    alive: dict[str, int] = {}
    for at, (old, _, before, after) in enumerate(changes):
        olds.setdefault(before, old)
        alive[before] = at
        alive.pop(after, None)
    return {folded: (olds[folded], ends[at]) for folded, at in alive.items()}


_INDEX = ("all", "_lent", "_now", "_former", "_exact", "_folded", "_words", "_missed")
"""What makes an index of names: who there is, and what finds them."""


class Names:
    """The index of everything that can be referred to in a campaign.

    ``renamed`` are names that were given up, each with the one that took its place: whatever has the
    new name is found by the old one as well.
    """

    def __init__(self, renamed: Iterable[tuple[str, str]] = ()) -> None:
        self.all: dict[str, Named] = {}
        self.revived: list[tuple[Named, str]] = []
        """Things that were given a name that something else has given up, with its present name."""
        self._lent: dict[str, tuple[str, str]] = {}
        self._now: dict[str, str] = {}
        self._former: dict[str, list[str]] = {}
        for folded, (old, name) in _now_called(renamed).items():
            self._now[folded] = name
            self._former.setdefault(fold(name), []).append(old)
        self._missed: set[str] = set()
        self._exact: dict[str, tuple[str, ...]] = {}
        self._folded: dict[str, tuple[str, ...]] = {}
        self._words: dict[str, list[str]] = {}

    def add(
        self, id: str, kind: str, name: str, aliases: Iterable[str] = (), *, words: bool = True
    ) -> Named:
        """Register something; its name and aliases work from now on. Without ``words`` a single word
        of them does not ('Ruth' never means the pair 'Ruth & Basil')."""
        now = self.now(name)
        named = Named(id, kind, name)
        self.all[id] = named
        if now != name and kind != PLAYER:
            # Somebody still writes the name that was given up. There is nothing else that could be
            # meant by the new one, unless both are there.
            if not self._folded.get(fold(now)):
                self._lent[fold(now)] = id, name
                self._index(id, now, words)
                named.name = now
                return self._with(named, aliases, words)
            self.revived.append((named, now))
        self._index(id, name, words)
        return self._with(named, aliases, words)

    def mint(self, name: str, kind: str) -> str:
        """The id of something of a kind that is about to get a name: the name, and the kind with it where
        something of another kind has that id. If it is in ``all``, there is one of that kind and name."""
        other = self.all.get(name)
        return name if other is None or other.kind == kind else f"{name} ({kind})"

    def free(self, id: str) -> str:
        """An id like this one that nothing has."""
        while id in self.all:
            id += "'"
        return id

    def _with(self, named: Named, aliases: Iterable[str], words: bool) -> Named:
        for alias in aliases:
            self.alias(named.id, alias, words=words)
        return named

    def _take_back(self, name: str) -> None:
        """What was made under the old name, and got the new one, is not what has the new one."""
        id, old = self._lent.pop(fold(name))
        other = self.all.get(id)
        if other is None or fold(other.name) != fold(name):
            return
        self._unlist(id)
        aliases = [alias for alias in other.aliases if fold(alias) != fold(old)]
        other.name, other.aliases = old, []
        self._put(id, old, words=True)
        for alias in aliases:
            other.aliases.append(alias)
            self._put(id, alias, words=True)
        self.revived.append((other, name))

    def now(self, name: str) -> str:
        """What is called by a name today, if the name was given up; else the name itself."""
        return self._now.get(fold(name), name) if self._now else name

    def formerly(self, named: Named) -> tuple[str, ...]:
        """The names of a thing that were given up, in the order it had them."""
        olds = self._former.get(fold(named.name), ())
        return tuple(dict.fromkeys(old for old in olds if fold(old) != fold(named.name)))

    def alias(self, id: str, alias: str, *, words: bool = True) -> None:
        """Another name for something known."""
        self.all[id].aliases.append(alias)
        self._index(id, alias, words)

    def misspelt(self, id: str, word: str) -> None:
        """A wrong spelling that has been told of: it means the same thing from now on."""
        self._index(id, word, words=False)

    def rename(self, id: str, name: str) -> None:
        """A new current name; the old one goes on working as an alias."""
        named = self.all[id]
        named.aliases.append(named.name)
        named.name = name
        self._index(id, name)

    def forget(self, id: str) -> None:
        """Take something out of the index (it never existed after all)."""
        self.all.pop(id, None)
        self._unlist(id)

    def exactly(self, word: str) -> tuple[str, ...]:
        """The ids of what is called just so, letter case included."""
        return tuple(id for id in self._exact.get(word.strip(), ()) if id in self.all)

    def become(self, other: Names) -> None:
        """Mean from now on what another index means."""
        for name in _INDEX:
            setattr(self, name, getattr(other, name))

    def twin(self) -> Names:
        """An index of its own that means the same."""
        made = Names()
        for name in _INDEX:
            index = getattr(self, name)
            if isinstance(index, dict):
                index = type(index)(
                    (key, [*ids] if type(ids) is list else ids) for key, ids in index.items()
                )
            else:
                index = {*index}
            setattr(made, name, index)
        for id, one in self.all.items():
            made.all[id] = Named(one.id, one.kind, one.name, [*one.aliases])
        return made

    def find(
        self, word: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | Miss:
        """What ``word`` refers to, among ``kinds`` (any if empty) and ids ``within`` (all if None)."""
        exact = self._exact.get(word)
        if exact is not None and len(exact) == 1 and within is None:
            # By far the most frequent case: exactly what one thing is called.
            only = self.all.get(exact[0])
            if only is not None and (not kinds or only.kind in kinds):
                return only
        return self._find(word, kinds, within)

    def _find(
        self, word: str, kinds: Collection[str], within: Iterable[str] | None
    ) -> Named | Miss:
        wanted = tuple(kinds)
        allowed = None if within is None else set(within)
        text = word.strip()
        exact = self._exact.get(text)

        def usable(ids: Sequence[str]) -> list[Named]:
            return [
                self.all[id]
                for id in dict.fromkeys(ids)
                if id in self.all
                and (not wanted or self.all[id].kind in wanted)
                and (allowed is None or id in allowed)
            ]

        folded = fold(text)
        for ids in (exact, self._folded.get(folded), self._words.get(folded)):
            found = usable(ids) if ids else []
            if len(found) == 1:
                return found[0]
            if found:
                # A current name beats an alias that something else used to have.
                current = [named for named in found if fold(named.name) == fold(text)]
                if len(current) == 1:
                    return current[0]
                return Miss(text, f"'{text}' could be {either(apart(found))}", tuple(found))
        if " " in text:
            # Several words in a row that only one name has: ``van der Berg``.
            phrase = f" {fold(text)} "
            found = usable(
                [id for name, ids in self._folded.items() if phrase in f" {name} " for id in ids]
            )
            if len(found) == 1:
                return found[0]
        return Miss(text, nearest=lambda: self._near(text, usable(list(self.all))))

    def _near(self, text: str, near: list[Named]) -> list[str]:
        """The names that were probably meant by one that leads nowhere, among those of some things."""
        if not self._guess(fold(text)):
            return []
        known = [name for named in near for name in (named.name, *named.aliases)]
        words = dict.fromkeys(word for name in known if "&" not in name for word in name.split())
        return nearest_words(text, known) or nearest_words(text, list(words))

    def suggest(self, word: str, known: Sequence[str]) -> str:
        """``; did you mean 'x'?`` of an id, a title or the like that leads nowhere: see :meth:`nearest`."""
        return ask_whether(word, self.nearest(word, known))

    def nearest(self, word: str, known: Sequence[str]) -> list[str]:
        """The ids, titles or the like that were probably meant by one that leads nowhere. Among few always;
        among many about as often as of names, since each is held against all."""
        if len(known) > FEW and not self._guess(f"{len(self._missed)} {word}"):
            return []
        return nearest_words(word, known)

    @property
    def guesses(self) -> int:
        """How often it will still be guessed what was meant."""
        return MOST_GUESSES - len(self._missed)

    def _guess(self, folded: str) -> bool:
        """Whether it is worth a thought who was meant: of so many wrong names no log is mended one by
        one, and each is held against all that are right."""
        if folded in self._missed:
            return True
        if self.guesses <= 0:
            return False
        self._missed.add(folded)
        return True

    def pointed(self, word: str) -> Named | Miss:
        """What somebody at a terminal means: by a name, or by the id that tells apart what shares one.
        The message of a miss says what to write instead."""
        found = self.find(word)
        if isinstance(found, Named):
            return found
        one = self.all.get(word.strip())
        if one is not None:
            return one
        if not found.candidates:
            return found
        shared = len({fold(named.name) for named in found.candidates}) < len(found.candidates)
        more = "write the id" if shared else "write more of the name"
        return Miss(word, f"{found.message}; {more}", found.candidates)

    def meant(
        self, word: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | None:
        """Who or what a name that nobody has evidently means, among ``kinds`` and ids ``within``;
        None if it may be anybody, or the name of somebody else."""
        found = self.find(word)
        if isinstance(found, Named) or found.candidates:
            return None
        if "&" in word:
            halves = [self.find(half) for half in word.split("&")]
            names = [half.name for half in halves if isinstance(half, Named)]
            pair = self.find(" & ".join(names), kinds, within)
            return pair if len(names) == 2 and isinstance(pair, Named) else None
        if not self._guess(fold(word)):
            return None
        wanted = tuple(kinds)
        allowed = None if within is None else set(within)
        whole: list[tuple[str, Named]] = []
        words: list[tuple[str, Named]] = []
        for id, named in self.all.items():
            if (not wanted or named.kind in wanted) and (allowed is None or id in allowed):
                for name in (named.name, *named.aliases):
                    whole.append((name, named))
                    words += [(part, named) for part in name.split() if "&" not in name]
        return spelt(word, whole) or spelt(word, words)

    def _index(self, id: str, name: str, words: bool = True) -> None:
        if self._lent.get(fold(name), (id,))[0] != id:
            self._take_back(name)
        self._put(id, name, words)
        for old in self._former.get(fold(name), ()):
            self.all[id].aliases.append(old)
            self._put(id, old, words)

    def _unlist(self, id: str) -> None:
        for index in (self._exact, self._folded):
            for called, ids in index.items():
                if id in ids:
                    index[called] = tuple(one for one in ids if one != id)
        for listed in self._words.values():
            if id in listed:
                listed[:] = [one for one in listed if one != id]

    def _put(self, id: str, name: str, words: bool) -> None:
        for index, called in ((self._exact, name.strip()), (self._folded, fold(name))):
            index[called] = (*index.get(called, ()), id)
        for part in _WORD.findall(name) if words else ():
            if fold(part) != fold(name):
                self._words.setdefault(fold(part), []).append(id)


class Heard:
    """What was heard in the course of a log, in this order: by which word of which file somebody was meant,
    and where names were given. It only grows, and is cut back when play goes back."""

    def __init__(self) -> None:
        self.words: dict[str, list[tuple[int, int, str, str]]] = {}
        """By file: line, column and text of a word, and the id of what was meant by it."""
        self.given: dict[str, list[tuple[range, str, str]]] = {}
        """By file: the lines of an entry, an id, and the name it got there."""

    def copy(self) -> Heard:
        """The same, to go on from independently."""
        made = Heard()
        made.words = {file: [*words] for file, words in self.words.items()}
        made.given = {file: [*given] for file, given in self.given.items()}
        return made


class Overheard(Names):
    """Names that remember by which word of which file somebody was meant, and where names were given.

    ``stand`` says where the words stand that are asked about next; whoever replays a log calls it.
    """

    _here = ("", range(0))

    def __init__(self, renamed: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(renamed)
        self.heard = Heard()
        self.first: dict[str, str] = {}
        """What each thing was called first: a name that two logs share, if one of them lacks a later
        one."""
        self.missed: dict[str, Word] = {}
        """Words that led nowhere, or to more than one thing."""

    def add(
        self, id: str, kind: str, name: str, aliases: Iterable[str] = (), *, words: bool = True
    ) -> Named:
        """As every index does it, and remember the first name."""
        named = super().add(id, kind, name, aliases, words=words)
        self.first.setdefault(id, named.name)
        return named

    def meanings(self, file: str) -> dict[tuple[int, int, str], set[str]]:
        """By line, column and text of a word of a file: the ids of what was meant by it."""
        found: dict[tuple[int, int, str], set[str]] = {}
        for line, column, word, id in self.heard.words.get(file, ()):
            found.setdefault((line, column, word), set()).add(id)
        return found

    def within(self, place: Place) -> tuple[tuple[int, int, str, str], ...]:
        """What was heard within a stretch of a file."""
        lines = range(place.line, place.end_line + 1)
        words = self.heard.words.get(place.path, ())
        return tuple(one for one in words if one[0] in lines)

    def hear(self, file: str, words: Iterable[tuple[int, int, str, str]]) -> None:
        """Hear in a file again what was heard there, as far as it still means anything."""
        known = [one for one in words if one[-1] in self.all]
        if known:
            self.heard.words.setdefault(file, []).extend(known)

    def called(self, id: str) -> Iterator[str]:
        """Every word by which the log means this one thing."""
        for file in self.heard.words:
            for (_, _, word), ids in self.meanings(file).items():
                if ids == {id}:
                    yield word

    def stand(self, file: str, first: int = 0, last: int = 0) -> None:
        """The entry at hand stands in these lines of a file."""
        self._here = (file, range(first, last + 1))

    def find(
        self, word: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | Miss:
        """As every index does it, and remember the find."""
        found = super().find(word, kinds, within)
        if isinstance(found, Named) and isinstance(word, Word) and word.line:
            words = self.heard.words.setdefault(self._here[0], [])
            words.append((word.line, word.column, str(word), found.id))
        elif isinstance(found, Miss) and isinstance(word, Word):
            self.missed.setdefault(str(word), word)
        return found

    def _put(self, id: str, name: str, words: bool) -> None:
        super()._put(id, name, words)
        self.heard.given.setdefault(self._here[0], []).append((self._here[1], id, name))
