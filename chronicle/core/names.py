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

from chronicle.core.diagnostic import ask_whether, either, most_likely_target, nearest_words
from chronicle.core.fix import Fix, replace_with
from chronicle.core.source import Place, ScalarNode

PLAYER = "player"

_ANY_WORD = re.compile(r"\w+")
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


class NameMiss:
    """A name that leads nowhere, or to several candidates. Similar names are searched on first use, because
    most callers only ask whether a word is a name.

    Args:
        word: the name as typed.
        message: the message for the user; if empty, it suggests similar names.
        candidates: the subjects of an ambiguous name.
        find_nearest: returns similar names, the nearest first.
    """

    __slots__ = ("_find_nearest", "_message", "_similar_names", "candidates", "word")

    def __init__(
        self,
        word: str,
        message: str = "",
        candidates: tuple[Named, ...] = (),
        find_nearest: Callable[[], list[str]] = list,
    ) -> None:
        self.word = word
        self.candidates = candidates
        self._message = message
        self._find_nearest = find_nearest
        self._similar_names: list[str] | None = None

    @property
    def similar(self) -> list[str]:
        """Similar names, the nearest first."""
        if self._similar_names is None:
            self._similar_names = self._find_nearest()
        return self._similar_names

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


def only_words(text: str) -> str:
    """The words of a text without the signs between them, folded: for comparing what was said."""
    return _words_only(text) if len(text) < _CACHED_LENGTH else _words_only.__wrapped__(text)


@lru_cache(maxsize=4096)
def _words_only(text: str) -> str:
    return " ".join(_ANY_WORD.findall(fold(text)))


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()


_CACHED_LENGTH: Final = 60
"""Only names shorter than this are cached: few names, looked up often."""


MOST_GUESSES = 200
"""Number of different unknown names that get suggestions."""
FEW_CANDIDATES = 40
"""Up to this number of ids or titles, suggestions cost no time."""


def _current_names(renamed: Iterable[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Map every former name, folded, to (the name as typed, the current name).

    Renamings apply in order: if a new name is renamed later, the older names lead to the latest one."""
    folded_renamings = [
        (str(former), str(current), fold(former), fold(current)) for former, current in renamed
    ]
    final_names = [current for _, current, _, _ in folded_renamings]
    latest_names: dict[str, str] = {}
    for position in range(len(folded_renamings) - 1, -1, -1):
        _, current, former_key, current_key = folded_renamings[position]
        final_names[position] = latest_names.get(current_key, current)
        latest_names[former_key] = final_names[position]
    former_names: dict[str, str] = {}
    index_by_former: dict[str, int] = {}
    for position, (former, _, former_key, current_key) in enumerate(folded_renamings):
        former_names.setdefault(former_key, former)
        index_by_former[former_key] = position
        index_by_former.pop(current_key, None)
    return {
        folded: (former_names[folded], final_names[position])
        for folded, position in index_by_former.items()
    }


_INDEX_ATTRIBUTES = (
    "all",
    "_assumed_renamings",
    "_current_by_former",
    "_former_by_current",
    "_ids_by_exact_name",
    "_folded",
    "_ids_by_word",
    "_names_missed",
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
        self._assumed_renamings: dict[str, tuple[str, str]] = {}
        self._current_by_former: dict[str, str] = {}
        self._former_by_current: dict[str, list[str]] = {}
        for folded, (former_name, current_name) in _current_names(renamed).items():
            self._current_by_former[folded] = current_name
            self._former_by_current.setdefault(fold(current_name), []).append(former_name)
        self._names_missed: set[str] = set()
        self._ids_by_exact_name: dict[str, tuple[str, ...]] = {}
        self._folded: dict[str, tuple[str, ...]] = {}
        self._ids_by_word: dict[str, list[str]] = {}

    def add(
        self,
        id: str,
        kind: str,
        name: str,
        aliases: Iterable[str] = (),
        *,
        index_words: bool = True,
    ) -> Named:
        """Register a subject; its name and aliases work from now on. Without ``index_words``, single words of them
        do not ('Ruth' never means the pair 'Ruth & Basil')."""
        current_name = self.current_name(name)
        subject = Named(id, kind, name)
        self.all[id] = subject
        if current_name != name and kind != PLAYER:
            # The log still uses a former name. It means the current name, unless another subject has that
            # name.
            if not self._folded.get(fold(current_name)):
                self._assumed_renamings[fold(current_name)] = id, name
                self._register(id, current_name, index_words)
                subject.name = current_name
                return self._add_aliases(subject, aliases, index_words)
            self.revived.append((subject, current_name))
        self._register(id, name, index_words)
        return self._add_aliases(subject, aliases, index_words)

    def mint(self, name: str, kind: str) -> str:
        """The id for a new subject: its name, with the kind added if a subject of another kind has that id.
        If the id is in ``all``, that kind and name exist already."""
        namesake = self.all.get(name)
        return name if namesake is None or namesake.kind == kind else f"{name} ({kind})"

    def free_id(self, id: str) -> str:
        """A free id that begins with this id."""
        while id in self.all:
            id += "'"
        return id

    def _add_aliases(self, subject: Named, aliases: Iterable[str], index_words: bool) -> Named:
        for alias in aliases:
            self.alias(subject.id, alias, index_words=index_words)
        return subject

    def _undo_renaming(self, name: str) -> None:
        """Give a subject its former name back: the current name, which it got by renaming, belongs to
        another subject."""
        id, former_name = self._assumed_renamings.pop(fold(name))
        subject = self.all.get(id)
        if subject is None or fold(subject.name) != fold(name):
            return
        self._remove_from_index(id)
        aliases = [alias for alias in subject.aliases if fold(alias) != fold(former_name)]
        subject.name, subject.aliases = former_name, []
        self._add_to_index(id, former_name, index_words=True)
        for alias in aliases:
            subject.aliases.append(alias)
            self._add_to_index(id, alias, index_words=True)
        self.revived.append((subject, name))

    def current_name(self, name: str) -> str:
        """The current name for a former one; else the name itself."""
        return self._current_by_former.get(fold(name), name) if self._current_by_former else name

    def former_names(self, subject: Named) -> tuple[str, ...]:
        """The former names of a subject, in the order it had them."""
        former_names = self._former_by_current.get(fold(subject.name), ())
        return tuple(
            dict.fromkeys(former for former in former_names if fold(former) != fold(subject.name))
        )

    def alias(self, id: str, alias: str, *, index_words: bool = True) -> None:
        """Add an alias of a known subject."""
        self.all[id].aliases.append(alias)
        self._register(id, alias, index_words)

    def accept_misspelling(self, id: str, word: str) -> None:
        """Accept a wrong spelling, which was reported, as this subject from now on."""
        self._register(id, word, index_words=False)

    def rename(self, id: str, name: str) -> None:
        """Give a subject a new name; the old one goes on working as an alias."""
        subject = self.all[id]
        subject.aliases.append(subject.name)
        subject.name = name
        self._register(id, name)

    def forget(self, id: str) -> None:
        """Remove a subject from the index."""
        self.all.pop(id, None)
        self._remove_from_index(id)

    def ids_named_exactly(self, word: str) -> tuple[str, ...]:
        """The ids of subjects with exactly this name, letter case included."""
        return tuple(id for id in self._ids_by_exact_name.get(word.strip(), ()) if id in self.all)

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
        for id, subject in self.all.items():
            copy.all[id] = Named(subject.id, subject.kind, subject.name, [*subject.aliases])
        return copy

    def find(
        self, word: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | NameMiss:
        """Look up a name.

        Args:
            word: the name as typed.
            kinds: acceptable kinds; any if empty.
            within: acceptable ids; all if None.

        Returns:
            The subject, or a :class:`NameMiss` with the reason.
        """
        exact_ids = self._ids_by_exact_name.get(word)
        if exact_ids is not None and len(exact_ids) == 1 and within is None:
            # By far the most frequent case: the exact name of one subject.
            only_subject = self.all.get(exact_ids[0])
            if only_subject is not None and (not kinds or only_subject.kind in kinds):
                return only_subject
        return self._find(word, kinds, within)

    def _find(
        self, word: str, kinds: Collection[str], within: Iterable[str] | None
    ) -> Named | NameMiss:
        kinds = tuple(kinds)
        allowed_ids = None if within is None else set(within)
        text = word.strip()
        exact_ids = self._ids_by_exact_name.get(text)

        def usable_subjects(ids: Sequence[str]) -> list[Named]:
            return [
                self.all[id]
                for id in dict.fromkeys(ids)
                if id in self.all
                and (not kinds or self.all[id].kind in kinds)
                and (allowed_ids is None or id in allowed_ids)
            ]

        folded_name = fold(text)
        for ids in (exact_ids, self._folded.get(folded_name), self._ids_by_word.get(folded_name)):
            matches = usable_subjects(ids) if ids else []
            if len(matches) == 1:
                return matches[0]
            if matches:
                # A current name wins over another subject's former alias.
                currently_so_named = [
                    subject for subject in matches if fold(subject.name) == fold(text)
                ]
                if len(currently_so_named) == 1:
                    return currently_so_named[0]
                return NameMiss(
                    text, f"'{text}' could be {either(quoted_names(matches))}", tuple(matches)
                )
        if " " in text:
            # Several words in a row that only one name contains: ``van der Berg``.
            phrase = f" {fold(text)} "
            matches = usable_subjects(
                [id for name, ids in self._folded.items() if phrase in f" {name} " for id in ids]
            )
            if len(matches) == 1:
                return matches[0]
        return NameMiss(
            text, find_nearest=lambda: self._find_similar(text, usable_subjects(list(self.all)))
        )

    def _find_similar(self, text: str, candidates: list[Named]) -> list[str]:
        """The names of some subjects that are similar to an unknown name, the nearest first."""
        if not self._may_guess(fold(text)):
            return []
        names = [name for subject in candidates for name in (subject.name, *subject.aliases)]
        words = dict.fromkeys(word for name in names if "&" not in name for word in name.split())
        return nearest_words(text, names) or nearest_words(text, list(words))

    def suggest(self, word: str, known_words: Sequence[str]) -> str:
        """``; did you mean 'x'?`` for an unknown id, title or the like: see :meth:`nearest`."""
        return ask_whether(word, self.nearest(word, known_words))

    def spelling_fixes(self, word: str, known_words: Sequence[str]) -> tuple[Fix, ...]:
        """The fixes that write the words of :meth:`suggest`."""
        return replace_with(self.nearest(word, known_words), old=str(word), is_told=True)

    def nearest(self, word: str, known_words: Sequence[str]) -> list[str]:
        """The known ids, titles or the like that are similar to an unknown one. Among few it always searches;
        among many only as often as for names, because each search compares with all."""
        if len(known_words) > FEW_CANDIDATES and not self._may_guess(
            f"{len(self._names_missed)} {word}"
        ):
            return []
        return nearest_words(word, known_words)

    @property
    def remaining_guesses(self) -> int:
        """Number of further suggestions that will be computed."""
        return MOST_GUESSES - len(self._names_missed)

    def _may_guess(self, folded_name: str) -> bool:
        """Whether to compute a suggestion for an unknown name. The number is limited because each search
        compares with all names, and no user corrects that many one by one."""
        if folded_name in self._names_missed:
            return True
        if self.remaining_guesses <= 0:
            return False
        self._names_missed.add(folded_name)
        return True

    def find_by_name_or_id(self, word: str) -> Named | NameMiss:
        """The subject that a user at a terminal means by a name or an id. The message of a miss says how to
        be precise."""
        result = self.find(word)
        if isinstance(result, Named):
            return result
        subject_with_id = self.all.get(word.strip())
        if subject_with_id is not None:
            return subject_with_id
        if not result.candidates:
            return result
        is_name_shared = len({fold(subject.name) for subject in result.candidates}) < len(
            result.candidates
        )
        advice = "write the id" if is_name_shared else "write more of the name"
        return NameMiss(word, f"{result.message}; {advice}", result.candidates)

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
            pair_subject = self.find(" & ".join(names), kinds, within)
            return pair_subject if len(names) == 2 and isinstance(pair_subject, Named) else None
        if not self._may_guess(fold(word)):
            return None
        kinds = tuple(kinds)
        allowed_ids = None if within is None else set(within)
        full_names: list[tuple[str, Named]] = []
        single_words: list[tuple[str, Named]] = []
        for id, subject in self.all.items():
            if (not kinds or subject.kind in kinds) and (allowed_ids is None or id in allowed_ids):
                for name in (subject.name, *subject.aliases):
                    full_names.append((name, subject))
                    single_words += [
                        (name_word, subject) for name_word in name.split() if "&" not in name
                    ]
        return most_likely_target(word, full_names) or most_likely_target(word, single_words)

    def _register(self, id: str, name: str, index_words: bool = True) -> None:
        if self._assumed_renamings.get(fold(name), (id,))[0] != id:
            self._undo_renaming(name)
        self._add_to_index(id, name, index_words)
        for former_name in self._former_by_current.get(fold(name), ()):
            self.all[id].aliases.append(former_name)
            self._add_to_index(id, former_name, index_words)

    def _remove_from_index(self, id: str) -> None:
        for index in (self._ids_by_exact_name, self._folded):
            for key, ids in index.items():
                if id in ids:
                    index[key] = tuple(other_id for other_id in ids if other_id != id)
        for word_ids in self._ids_by_word.values():
            if id in word_ids:
                word_ids[:] = [other_id for other_id in word_ids if other_id != id]

    def _add_to_index(self, id: str, name: str, index_words: bool) -> None:
        for index, key in ((self._ids_by_exact_name, name.strip()), (self._folded, fold(name))):
            index[key] = (*index.get(key, ()), id)
        for word in _WORD.findall(name) if index_words else ():
            if fold(word) != fold(name):
                self._ids_by_word.setdefault(fold(word), []).append(id)


class LookupLog:
    """A log of look-ups, in their order: the word of a file that named a subject, and the entries that gave
    a name. It only grows; a replay that returns to a snapshot takes the log of the snapshot."""

    def __init__(self) -> None:
        self.lookups_by_file: dict[str, list[tuple[int, int, str, str]]] = {}
        """By file: line, column and text of a word, and the id of its subject."""
        self.namings_by_file: dict[str, list[tuple[range, str, str]]] = {}
        """By file: the lines of an entry, an id, and the name given there."""

    def copy(self) -> LookupLog:
        """An independent copy."""
        copy = LookupLog()
        copy.lookups_by_file = {file: [*lookups] for file, lookups in self.lookups_by_file.items()}
        copy.namings_by_file = {
            file: [*names_given] for file, names_given in self.namings_by_file.items()
        }
        return copy


class RecordingNames(Names):
    """An index of names that records every look-up in a :class:`LookupLog`.

    The replay calls ``set_position`` to say where the next words are."""

    _position = ("", range(0))

    def __init__(self, renamed: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(renamed)
        self.lookups = LookupLog()
        self.first_names: dict[str, str] = {}
        """The first name of each subject: two logs share it if one of them lacks a later renaming."""
        self.missed_words: dict[str, ScalarNode] = {}
        """Words that led nowhere, or to several subjects."""

    def add(
        self,
        id: str,
        kind: str,
        name: str,
        aliases: Iterable[str] = (),
        *,
        index_words: bool = True,
    ) -> Named:
        """Register a subject and remember its first name."""
        subject = super().add(id, kind, name, aliases, index_words=index_words)
        self.first_names.setdefault(id, subject.name)
        return subject

    def ids_by_word(self, file: str) -> dict[tuple[int, int, str], set[str]]:
        """By line, column and text of a word of a file: the ids of its subjects."""
        ids_by_word: dict[tuple[int, int, str], set[str]] = {}
        for line, column, word, id in self.lookups.lookups_by_file.get(file, ()):
            ids_by_word.setdefault((line, column, word), set()).add(id)
        return ids_by_word

    def lookups_within(self, place: Place) -> tuple[tuple[int, int, str, str], ...]:
        """The look-ups within a part of a file."""
        lines = range(place.line, place.end_line + 1)
        lookups_in_file = self.lookups.lookups_by_file.get(place.path, ())
        return tuple(lookup for lookup in lookups_in_file if lookup[0] in lines)

    def record_lookups(self, file: str, lookups: Iterable[tuple[int, int, str, str]]) -> None:
        """Record look-ups of a file again whose subjects still exist."""
        valid_lookups = [lookup for lookup in lookups if lookup[-1] in self.all]
        if valid_lookups:
            self.lookups.lookups_by_file.setdefault(file, []).extend(valid_lookups)

    def words_meaning(self, id: str) -> Iterator[str]:
        """Every word that means only this subject in the log."""
        for file in self.lookups.lookups_by_file:
            for (_, _, word), ids in self.ids_by_word(file).items():
                if ids == {id}:
                    yield word

    def set_position(self, file: str, first_line: int = 0, last_line: int = 0) -> None:
        """Set the position of the current entry: file, first and last line."""
        self._position = (file, range(first_line, last_line + 1))

    def find(
        self, word: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | NameMiss:
        """Look up a name and record the result."""
        result = super().find(word, kinds, within)
        if isinstance(result, Named) and isinstance(word, ScalarNode) and word.line:
            lookups_in_file = self.lookups.lookups_by_file.setdefault(self._position[0], [])
            lookups_in_file.append((word.line, word.column, str(word), result.id))
        elif isinstance(result, NameMiss) and isinstance(word, ScalarNode):
            self.missed_words.setdefault(str(word), word)
        return result

    def _add_to_index(self, id: str, name: str, index_words: bool) -> None:
        super()._add_to_index(id, name, index_words)
        self.lookups.namings_by_file.setdefault(self._position[0], []).append(
            (self._position[1], id, name)
        )
