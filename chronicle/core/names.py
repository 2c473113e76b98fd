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
_WORD_PATTERN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


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
        typed_name: the name as typed.
        message: the message for the user; if empty, it suggests similar names.
        candidates: the subjects of an ambiguous name.
        find_similar_names: returns similar names, the nearest first.
    """

    __slots__ = ("_find_nearest", "_message", "_similar_names", "candidates", "word")

    def __init__(
        self,
        typed_name: str,
        message: str = "",
        candidates: tuple[Named, ...] = (),
        find_similar_names: Callable[[], list[str]] = list,
    ) -> None:
        self.word = typed_name
        self.candidates = candidates
        self._message = message
        self._find_nearest = find_similar_names
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
    folded_names = [fold(subject.name) for subject in subjects]
    return [
        f"'{subject.name}'"
        + (f" ({subject.kind}, id {subject.id})" if folded_names.count(folded_name) > 1 else "")
        for subject, folded_name in zip(subjects, folded_names, strict=True)
    ]


def fold(name: str) -> str:
    """The form in which names are compared: NFC, without letter case and surrounding space."""
    return _fold_cached(name) if len(name) < _CACHED_LENGTH else _fold_cached.__wrapped__(name)


def only_words(statement: str) -> str:
    """The words of a text without the signs between them, folded: for comparing what was said."""
    return (
        _join_words_cached(statement)
        if len(statement) < _CACHED_LENGTH
        else _join_words_cached.__wrapped__(statement)
    )


@lru_cache(maxsize=4096)
def _join_words_cached(text: str) -> str:
    return " ".join(_ANY_WORD.findall(fold(text)))


@lru_cache(maxsize=4096)
def _fold_cached(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()


_CACHED_LENGTH: Final = 60
"""Only names shorter than this are cached: few names, looked up often."""


MOST_GUESSES = 200
"""Number of different unknown names that get suggestions."""
FEW_CANDIDATES = 40
"""Up to this number of ids or titles, suggestions cost no time."""


def _current_names(renamings: Iterable[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Map every former name, folded, to (the name as typed, the current name).

    Renamings apply in order: if a new name is renamed later, the older names lead to the latest one."""
    folded_renamings = [
        (str(former_name), str(current_name), fold(former_name), fold(current_name))
        for former_name, current_name in renamings
    ]
    final_names = [current_name for _, current_name, _, _ in folded_renamings]
    latest_names: dict[str, str] = {}
    for renaming_index in range(len(folded_renamings) - 1, -1, -1):
        _, current_name, former_key, current_key = folded_renamings[renaming_index]
        final_names[renaming_index] = latest_names.get(current_key, current_name)
        latest_names[former_key] = final_names[renaming_index]
    former_names: dict[str, str] = {}
    index_by_former: dict[str, int] = {}
    for renaming_index, (former_name, _, former_key, current_key) in enumerate(folded_renamings):
        former_names.setdefault(former_key, former_name)
        index_by_former[former_key] = renaming_index
        index_by_former.pop(current_key, None)
    return {
        folded_name: (former_names[folded_name], final_names[final_index])
        for folded_name, final_index in index_by_former.items()
    }


_INDEX_ATTRIBUTES = (
    "all",
    "_assumed_renamings",
    "_current_by_former",
    "_former_by_current",
    "_ids_by_exact_name",
    "_ids_by_folded_name",
    "_ids_by_word",
    "_names_missed",
)
"""The attributes that make up the index."""


class Names:
    """The index of everything in a campaign that has a name.

    ``renamings`` are former names, each with its replacement: a subject with the new name is found under the
    former one as well."""

    def __init__(self, renamings: Iterable[tuple[str, str]] = ()) -> None:
        self.all: dict[str, Named] = {}
        self.subjects_with_reused_name: list[tuple[Named, str]] = []
        """Subjects that got a name which another subject has given up, each with the present name of the
        other."""
        self._assumed_renamings: dict[str, tuple[str, str]] = {}
        self._current_by_former: dict[str, str] = {}
        self._former_by_current: dict[str, list[str]] = {}
        for folded_former_name, (former_name, current_name) in _current_names(renamings).items():
            self._current_by_former[folded_former_name] = current_name
            self._former_by_current.setdefault(fold(current_name), []).append(former_name)
        self._names_missed: set[str] = set()
        self._ids_by_exact_name: dict[str, tuple[str, ...]] = {}
        self._ids_by_folded_name: dict[str, tuple[str, ...]] = {}
        self._ids_by_word: dict[str, list[str]] = {}

    def add(
        self,
        subject_id: str,
        kind: str,
        name: str,
        aliases: Iterable[str] = (),
        *,
        index_words: bool = True,
    ) -> Named:
        """Register a subject; its name and aliases work from now on. Without ``index_words``, single words of them
        do not ('Ruth' never means the pair 'Ruth & Basil')."""
        current_name = self.current_name(name)
        subject = Named(subject_id, kind, name)
        self.all[subject_id] = subject
        if current_name != name and kind != PLAYER:
            # The log still uses a former name. It means the current name, unless another subject has that
            # name.
            if not self._ids_by_folded_name.get(fold(current_name)):
                self._assumed_renamings[fold(current_name)] = subject_id, name
                self._register(subject_id, current_name, index_words)
                subject.name = current_name
                return self._add_aliases(subject, aliases, index_words)
            self.subjects_with_reused_name.append((subject, current_name))
        self._register(subject_id, name, index_words)
        return self._add_aliases(subject, aliases, index_words)

    def mint(self, subject_name: str, kind: str) -> str:
        """The id for a new subject: its name, with the kind added if a subject of another kind has that id.
        If the id is in ``all``, that kind and name exist already."""
        namesake = self.all.get(subject_name)
        return (
            subject_name
            if namesake is None or namesake.kind == kind
            else f"{subject_name} ({kind})"
        )

    def free_id(self, wanted_id: str) -> str:
        """A free id that begins with this id."""
        while wanted_id in self.all:
            wanted_id += "'"
        return wanted_id

    def _add_aliases(self, subject: Named, aliases: Iterable[str], index_words: bool) -> Named:
        for alias in aliases:
            self.alias(subject.id, alias, index_words=index_words)
        return subject

    def _undo_renaming(self, name: str) -> None:
        """Give a subject its former name back: the current name, which it got by renaming, belongs to
        another subject."""
        subject_id, former_name = self._assumed_renamings.pop(fold(name))
        subject = self.all.get(subject_id)
        if subject is None or fold(subject.name) != fold(name):
            return
        self._remove_from_index(subject_id)
        other_aliases = [alias for alias in subject.aliases if fold(alias) != fold(former_name)]
        subject.name, subject.aliases = former_name, []
        self._add_to_index(subject_id, former_name, index_words=True)
        for alias in other_aliases:
            subject.aliases.append(alias)
            self._add_to_index(subject_id, alias, index_words=True)
        self.subjects_with_reused_name.append((subject, name))

    def current_name(self, name: str) -> str:
        """The current name for a former one; else the name itself."""
        return self._current_by_former.get(fold(name), name) if self._current_by_former else name

    def former_names(self, subject: Named) -> tuple[str, ...]:
        """The former names of a subject, in the order it had them."""
        former_names = self._former_by_current.get(fold(subject.name), ())
        return tuple(
            dict.fromkeys(former for former in former_names if fold(former) != fold(subject.name))
        )

    def alias(self, subject_id: str, alias: str, *, index_words: bool = True) -> None:
        """Add an alias of a known subject."""
        self.all[subject_id].aliases.append(alias)
        self._register(subject_id, alias, index_words)

    def accept_misspelling(self, subject_id: str, misspelling: str) -> None:
        """Accept a wrong spelling, which was reported, as this subject from now on."""
        self._register(subject_id, misspelling, index_words=False)

    def rename(self, subject_id: str, new_name: str) -> None:
        """Give a subject a new name; the old one goes on working as an alias."""
        subject = self.all[subject_id]
        subject.aliases.append(subject.name)
        subject.name = new_name
        self._register(subject_id, new_name)

    def forget(self, subject_id: str) -> None:
        """Remove a subject from the index."""
        self.all.pop(subject_id, None)
        self._remove_from_index(subject_id)

    def ids_named_exactly(self, typed_name: str) -> tuple[str, ...]:
        """The ids of subjects with exactly this name, letter case included."""
        return tuple(
            subject_id
            for subject_id in self._ids_by_exact_name.get(typed_name.strip(), ())
            if subject_id in self.all
        )

    def copy_from(self, other_index: Names) -> None:
        """Take over the contents of another index."""
        for attribute in _INDEX_ATTRIBUTES:
            setattr(self, attribute, getattr(other_index, attribute))

    def copy(self) -> Names:
        """An independent copy."""
        names_copy = Names()
        for attribute in _INDEX_ATTRIBUTES:
            index_content = getattr(self, attribute)
            if isinstance(index_content, dict):
                index_content = type(index_content)(
                    (index_key, [*ids] if type(ids) is list else ids)
                    for index_key, ids in index_content.items()
                )
            else:
                index_content = {*index_content}
            setattr(names_copy, attribute, index_content)
        for subject_id, subject in self.all.items():
            names_copy.all[subject_id] = Named(
                subject.id, subject.kind, subject.name, [*subject.aliases]
            )
        return names_copy

    def find(
        self, typed_name: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | NameMiss:
        """Look up a name.

        Args:
            typed_name: the name as typed.
            kinds: acceptable kinds; any if empty.
            within: acceptable ids; all if None.

        Returns:
            The subject, or a :class:`NameMiss` with the reason.
        """
        exact_ids = self._ids_by_exact_name.get(typed_name)
        if exact_ids is not None and len(exact_ids) == 1 and within is None:
            # By far the most frequent case: the exact name of one subject.
            only_subject = self.all.get(exact_ids[0])
            if only_subject is not None and (not kinds or only_subject.kind in kinds):
                return only_subject
        return self._find(typed_name, kinds, within)

    def _find(
        self, typed_name: str, kinds: Collection[str], within: Iterable[str] | None
    ) -> Named | NameMiss:
        kinds = tuple(kinds)
        allowed_ids = None if within is None else set(within)
        stripped_name = typed_name.strip()
        exact_ids = self._ids_by_exact_name.get(stripped_name)

        def usable_subjects(subject_ids: Sequence[str]) -> list[Named]:
            return [
                self.all[subject_id]
                for subject_id in dict.fromkeys(subject_ids)
                if subject_id in self.all
                and (not kinds or self.all[subject_id].kind in kinds)
                and (allowed_ids is None or subject_id in allowed_ids)
            ]

        folded_name = fold(stripped_name)
        for found_ids in (
            exact_ids,
            self._ids_by_folded_name.get(folded_name),
            self._ids_by_word.get(folded_name),
        ):
            matching_subjects = usable_subjects(found_ids) if found_ids else []
            if len(matching_subjects) == 1:
                return matching_subjects[0]
            if matching_subjects:
                # A current name wins over another subject's former alias.
                subjects_with_current_name = [
                    subject
                    for subject in matching_subjects
                    if fold(subject.name) == fold(stripped_name)
                ]
                if len(subjects_with_current_name) == 1:
                    return subjects_with_current_name[0]
                return NameMiss(
                    stripped_name,
                    f"'{stripped_name}' could be {either(quoted_names(matching_subjects))}",
                    tuple(matching_subjects),
                )
        if " " in stripped_name:
            # Several words in a row that only one name contains: ``van der Berg``.
            folded_phrase = f" {fold(stripped_name)} "
            matching_subjects = usable_subjects(
                [
                    subject_id
                    for folded_full_name, subject_ids in self._ids_by_folded_name.items()
                    if folded_phrase in f" {folded_full_name} "
                    for subject_id in subject_ids
                ]
            )
            if len(matching_subjects) == 1:
                return matching_subjects[0]
        return NameMiss(
            stripped_name,
            find_similar_names=lambda: self._find_similar(
                stripped_name, usable_subjects(list(self.all))
            ),
        )

    def _find_similar(self, unknown_name: str, candidates: list[Named]) -> list[str]:
        """The names of some subjects that are similar to an unknown name, the nearest first."""
        if not self._may_guess(fold(unknown_name)):
            return []
        known_names = [name for subject in candidates for name in (subject.name, *subject.aliases)]
        known_words = dict.fromkeys(
            word for name in known_names if "&" not in name for word in name.split()
        )
        return nearest_words(unknown_name, known_names) or nearest_words(
            unknown_name, list(known_words)
        )

    def suggest(self, unknown_word: str, known_words: Sequence[str]) -> str:
        """``; did you mean 'x'?`` for an unknown id, title or the like: see :meth:`nearest`."""
        return ask_whether(unknown_word, self.nearest(unknown_word, known_words))

    def spelling_fixes(self, unknown_word: str, known_words: Sequence[str]) -> tuple[Fix, ...]:
        """The fixes that write the words of :meth:`suggest`."""
        return replace_with(
            self.nearest(unknown_word, known_words), old=str(unknown_word), is_told=True
        )

    def nearest(self, unknown_word: str, known_words: Sequence[str]) -> list[str]:
        """The known ids, titles or the like that are similar to an unknown one. Among few it always searches;
        among many only as often as for names, because each search compares with all."""
        if len(known_words) > FEW_CANDIDATES and not self._may_guess(
            f"{len(self._names_missed)} {unknown_word}"
        ):
            return []
        return nearest_words(unknown_word, known_words)

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

    def find_by_name_or_id(self, name_or_id: str) -> Named | NameMiss:
        """The subject that a user at a terminal means by a name or an id. The message of a miss says how to
        be precise."""
        lookup_result = self.find(name_or_id)
        if isinstance(lookup_result, Named):
            return lookup_result
        subject_with_id = self.all.get(name_or_id.strip())
        if subject_with_id is not None:
            return subject_with_id
        if not lookup_result.candidates:
            return lookup_result
        is_name_shared = len({fold(subject.name) for subject in lookup_result.candidates}) < len(
            lookup_result.candidates
        )
        help_text = "write the id" if is_name_shared else "write more of the name"
        return NameMiss(
            name_or_id, f"{lookup_result.message}; {help_text}", lookup_result.candidates
        )

    def likely_subject(
        self, unknown_name: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | None:
        """The subject that an unknown name most likely means, among ``kinds`` and ids ``within``; None if no
        name is similar enough, or the name belongs to another kind."""
        lookup_result = self.find(unknown_name)
        if isinstance(lookup_result, Named) or lookup_result.candidates:
            return None
        if "&" in unknown_name:
            half_lookups = [self.find(half) for half in unknown_name.split("&")]
            half_names = [half.name for half in half_lookups if isinstance(half, Named)]
            pair_subject = self.find(" & ".join(half_names), kinds, within)
            return (
                pair_subject if len(half_names) == 2 and isinstance(pair_subject, Named) else None
            )
        if not self._may_guess(fold(unknown_name)):
            return None
        kinds = tuple(kinds)
        allowed_ids = None if within is None else set(within)
        names_and_subjects: list[tuple[str, Named]] = []
        words_and_subjects: list[tuple[str, Named]] = []
        for subject_id, subject in self.all.items():
            if (not kinds or subject.kind in kinds) and (
                allowed_ids is None or subject_id in allowed_ids
            ):
                for name in (subject.name, *subject.aliases):
                    names_and_subjects.append((name, subject))
                    words_and_subjects += [
                        (name_word, subject) for name_word in name.split() if "&" not in name
                    ]
        return most_likely_target(unknown_name, names_and_subjects) or most_likely_target(
            unknown_name, words_and_subjects
        )

    def _register(self, subject_id: str, name: str, index_words: bool = True) -> None:
        if self._assumed_renamings.get(fold(name), (subject_id,))[0] != subject_id:
            self._undo_renaming(name)
        self._add_to_index(subject_id, name, index_words)
        for former_name in self._former_by_current.get(fold(name), ()):
            self.all[subject_id].aliases.append(former_name)
            self._add_to_index(subject_id, former_name, index_words)

    def _remove_from_index(self, subject_id: str) -> None:
        for ids_by_name in (self._ids_by_exact_name, self._ids_by_folded_name):
            for indexed_name, subject_ids in ids_by_name.items():
                if subject_id in subject_ids:
                    ids_by_name[indexed_name] = tuple(
                        other_id for other_id in subject_ids if other_id != subject_id
                    )
        for ids_with_word in self._ids_by_word.values():
            if subject_id in ids_with_word:
                ids_with_word[:] = [
                    other_id for other_id in ids_with_word if other_id != subject_id
                ]

    def _add_to_index(self, subject_id: str, name: str, index_words: bool) -> None:
        for ids_by_name, indexed_name in (
            (self._ids_by_exact_name, name.strip()),
            (self._ids_by_folded_name, fold(name)),
        ):
            ids_by_name[indexed_name] = (*ids_by_name.get(indexed_name, ()), subject_id)
        for name_word in _WORD_PATTERN.findall(name) if index_words else ():
            if fold(name_word) != fold(name):
                self._ids_by_word.setdefault(fold(name_word), []).append(subject_id)


class LookupLog:
    """A log of look-ups, in their order: the word of a file that named a subject, and the entries that gave
    a name. It only grows; a replay that returns to a snapshot takes the log of the snapshot."""

    def __init__(self) -> None:
        self.lookups_by_file: dict[str, list[tuple[int, int, str, str]]] = {}
        """By file: line, column and text of a word, and the id of its subject."""
        self.given_names_by_file: dict[str, list[tuple[range, str, str]]] = {}
        """By file: the lines of an entry, an id, and the name given there."""

    def copy(self) -> LookupLog:
        """An independent copy."""
        log_copy = LookupLog()
        log_copy.lookups_by_file = {
            file_path: [*lookups] for file_path, lookups in self.lookups_by_file.items()
        }
        log_copy.given_names_by_file = {
            file_path: [*names_given] for file_path, names_given in self.given_names_by_file.items()
        }
        return log_copy


class RecordingNames(Names):
    """An index of names that records every look-up in a :class:`LookupLog`.

    The replay calls ``set_position`` to say where the next words are."""

    _file_and_lines = ("", range(0))

    def __init__(self, renamings: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(renamings)
        self.lookups = LookupLog()
        self.original_names: dict[str, str] = {}
        """The first name of each subject: two logs share it if one of them lacks a later renaming."""
        self.missed_words: dict[str, ScalarNode] = {}
        """Words that led nowhere, or to several subjects."""

    def add(
        self,
        subject_id: str,
        kind: str,
        name: str,
        aliases: Iterable[str] = (),
        *,
        index_words: bool = True,
    ) -> Named:
        """Register a subject and remember its first name."""
        subject = super().add(subject_id, kind, name, aliases, index_words=index_words)
        self.original_names.setdefault(subject_id, subject.name)
        return subject

    def ids_by_word(self, file_path: str) -> dict[tuple[int, int, str], set[str]]:
        """By line, column and text of a word of a file: the ids of its subjects."""
        ids_by_word: dict[tuple[int, int, str], set[str]] = {}
        for line, column, typed_name, subject_id in self.lookups.lookups_by_file.get(file_path, ()):
            ids_by_word.setdefault((line, column, typed_name), set()).add(subject_id)
        return ids_by_word

    def lookups_within(self, place: Place) -> tuple[tuple[int, int, str, str], ...]:
        """The look-ups within a part of a file."""
        line_numbers = range(place.line, place.end_line + 1)
        lookups_in_file = self.lookups.lookups_by_file.get(place.path, ())
        return tuple(lookup for lookup in lookups_in_file if lookup[0] in line_numbers)

    def record_lookups(self, file_path: str, lookups: Iterable[tuple[int, int, str, str]]) -> None:
        """Record look-ups of a file again whose subjects still exist."""
        valid_lookups = [lookup for lookup in lookups if lookup[-1] in self.all]
        if valid_lookups:
            self.lookups.lookups_by_file.setdefault(file_path, []).extend(valid_lookups)

    def words_meaning(self, subject_id: str) -> Iterator[str]:
        """Every word that means only this subject in the log."""
        for file_path in self.lookups.lookups_by_file:
            for (_, _, typed_name), subject_ids in self.ids_by_word(file_path).items():
                if subject_ids == {subject_id}:
                    yield typed_name

    def set_position(self, file_path: str, first_line: int = 0, last_line: int = 0) -> None:
        """Set the position of the current entry: file, first and last line."""
        self._file_and_lines = (file_path, range(first_line, last_line + 1))

    def find(
        self, typed_name: str, kinds: Collection[str] = (), within: Iterable[str] | None = None
    ) -> Named | NameMiss:
        """Look up a name and record the result."""
        lookup_result = super().find(typed_name, kinds, within)
        if (
            isinstance(lookup_result, Named)
            and isinstance(typed_name, ScalarNode)
            and typed_name.line
        ):
            lookups_in_file = self.lookups.lookups_by_file.setdefault(self._file_and_lines[0], [])
            lookups_in_file.append(
                (typed_name.line, typed_name.column, str(typed_name), lookup_result.id)
            )
        elif isinstance(lookup_result, NameMiss) and isinstance(typed_name, ScalarNode):
            self.missed_words.setdefault(str(typed_name), typed_name)
        return lookup_result

    def _add_to_index(self, subject_id: str, name: str, index_words: bool) -> None:
        super()._add_to_index(subject_id, name, index_words)
        self.lookups.given_names_by_file.setdefault(self._file_and_lines[0], []).append(
            (self._file_and_lines[1], subject_id, name)
        )
