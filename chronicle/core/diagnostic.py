"""Diagnostics: problems as values, with severity, place and fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple, TypeVar

from chronicle.core.fix import Fix, help_lines
from chronicle.core.source import Place
from chronicle.core.word_enum import WordEnum

T = TypeVar("T")


class Severity(IntEnum):
    """The severity of a problem in this campaign, from silent to error."""

    OFF = 0
    NOTE = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


class DiagnosticKind(WordEnum):
    """The kind of a problem. Three kinds are always distinguished: *unreadable* (cannot be understood),
    *illegal* (against a rule in force) and *unknown* (the record does not say)."""

    UNREADABLE = "unreadable"
    ILLEGAL = "illegal"
    BOOKKEEPING = "bookkeeping"
    SUSPICIOUS = "suspicious"
    UNKNOWN = "unknown"
    EXCUSED = "excused"


class Strictness(WordEnum):
    """How carefully a group keeps its log; chosen in ``campaign.yaml``."""

    METICULOUS = "meticulous"
    STANDARD = "standard"
    RELAXED = "relaxed"


def severity_of(kind: DiagnosticKind, strictness: Strictness) -> Severity:
    """The severity of each kind of problem, by strictness."""
    is_meticulous = strictness is Strictness.METICULOUS
    is_relaxed = strictness is Strictness.RELAXED
    match kind:
        case DiagnosticKind.UNREADABLE:
            return Severity.ERROR
        case DiagnosticKind.ILLEGAL:
            return Severity.WARNING if is_relaxed else Severity.ERROR
        case DiagnosticKind.BOOKKEEPING:
            return Severity.ERROR if is_meticulous else Severity.WARNING
        case DiagnosticKind.SUSPICIOUS | DiagnosticKind.UNKNOWN:
            if is_meticulous:
                return Severity.WARNING
            return Severity.OFF if is_relaxed else Severity.NOTE
        case DiagnosticKind.EXCUSED:
            return Severity.NOTE if is_meticulous else Severity.OFF


class Fact(NamedTuple):
    """A related fact of the record, with the place that established it."""

    text: str
    place: Place | None = None
    step_number: int = 0
    """The entry that established it, if any."""


@dataclass(slots=True, eq=False)
class Diagnostic:
    """One problem.

    ``code`` is a rule id of ``game`` (``P11``) or of the log format (``T4``, game ``""``). ``cause`` is the
    earlier diagnostic that it follows from; such dependents are folded under it. ``excuse`` names the
    exception that covers the problem (a house rule, an ``allow``)."""

    code: str
    kind: DiagnosticKind
    severity: Severity
    message: str
    place: Place
    game: str = ""
    place_label: str = ""
    facts: tuple[Fact, ...] = ()
    free_help: tuple[str, ...] = ()
    """Help in words, where no fix is possible."""
    declared_fixes: tuple[Fix, ...] = ()
    """Edits that solve the problem, as data, as the rule declares them."""
    excuse: str = ""
    step_number: int = 0
    subject: str = ""
    """The id of the person or object that it is about, if a later check wants to know."""
    state_kind: str = ""
    """The kind of state that it depends on (``purses``): a gap about that alone makes it unknown."""
    cause: Diagnostic | None = None
    dropped_words: tuple[str, ...] = ()
    """The words of an entry that was left out because of this problem, its verb first. Problems caused by its
    absence are folded under this problem."""
    is_guessed: bool = False
    """Whether the entry was read with a guessed value."""
    dependents: list[Diagnostic] = field(default_factory=list)
    move: Fix | None = None
    """The fix that moves the entry up which the rule asks for, if that follows below."""

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """Edits that solve the problem, as data: no new entry where one that follows is to be moved."""
        if self.move is None:
            return self.declared_fixes
        other_fixes = (fix for fix in self.declared_fixes if fix.is_gap or not fix.inserts)
        return (self.move, *other_fixes)

    @property
    def help(self) -> tuple[str, ...]:
        """Help for the user: fixes in words and free help; last, fixes that are right under a condition."""
        if not self.fixes:
            return self.free_help
        # Words that the message does not name are in the free help already.
        unconditional_fixes = [
            fix
            for fix in self.fixes
            if not fix.when
            and (not fix.is_told or any(word in self.message for word in fix.words[1::2]))
        ]
        conditional_fixes = [fix for fix in self.fixes if fix.when]
        first_line, *other_lines = [*help_lines(unconditional_fixes)] or [""]
        alternative_lines = filter(None, (first_line, *(f"or {line}" for line in other_lines)))
        return (*alternative_lines, *self.free_help, *help_lines(conditional_fixes))

    @property
    def full_code(self) -> str:
        """``game:ID``, which is always unambiguous."""
        return f"{self.game}:{self.code}" if self.game else self.code

    @property
    def is_reported(self) -> bool:
        """Whether it is reported in its own right: neither silent nor folded under its cause."""
        return bool(self.severity) and not (self.cause is not None and self.cause.severity)

    @property
    def content(self) -> tuple[object, ...]:
        """All that it says, for comparison, except its place."""
        classification = (self.code, self.kind, self.severity, self.is_guessed)
        return (
            *classification,
            self.message,
            self.place_label,
            self.fixes,
            self.free_help,
            self.facts,
            self.dropped_words,
        )


def reported_diagnostics(
    diagnostics: Iterable[Diagnostic], is_condensed: bool = True
) -> list[Diagnostic]:
    """The diagnostics to report: without silent problems and, if ``is_condensed``, without dependents.

    A diagnostic whose cause is not among ``diagnostics``, or is silent, is reported."""
    audible_diagnostics = [diagnostic for diagnostic in diagnostics if diagnostic.severity]
    shown_ids = {id(diagnostic) for diagnostic in audible_diagnostics} if is_condensed else ()
    return [
        diagnostic for diagnostic in audible_diagnostics if id(diagnostic.cause) not in shown_ids
    ]


def count_severities(diagnostics: Iterable[Diagnostic]) -> Counter[Severity]:
    """The number of diagnostics that are shown, by severity, as every part of Chronicle shows it."""
    return Counter(diagnostic.severity for diagnostic in reported_diagnostics(diagnostics))


def counts_in_words(count_by_severity: Mapping[Severity, int]) -> str:
    """The numbers of problems in words, worst first (``1 error and 2 notes``); empty if there are none."""
    severities_worst_first = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
    return listed(
        plural(count_by_severity[severity], str(severity))
        for severity in severities_worst_first
        if count_by_severity.get(severity)
    )


def detach_diagnostics(diagnostics: Sequence[Diagnostic]) -> None:
    """Detach diagnostics that are no longer valid from their causes and dependents."""
    removed_ids = {id(diagnostic) for diagnostic in diagnostics}
    for diagnostic in diagnostics:
        cause = diagnostic.cause
        if cause is not None and id(cause) not in removed_ids:
            cause.dependents[:] = [
                dependent for dependent in cause.dependents if dependent is not diagnostic
            ]
        for dependent in diagnostic.dependents:
            if id(dependent) not in removed_ids and dependent.cause is diagnostic:
                dependent.cause = None


MIN_SIMILARITY = 0.75
"""Minimum similarity at which an unknown word is read as a known one (1: equal)."""
MIN_SUGGESTION_SIMILARITY = 0.66
"""Minimum similarity for a suggestion; also for reading the word if the rest of the entry fits."""
MIN_SIMILARITY_LEAD = 0.08
"""Minimum lead in similarity over every other known word."""
LONGEST_COMPARED_WORD = 80
"""Maximum length of a word that gets suggestions."""
MAX_COMPARED_WORDS = 2_000
"""Maximum number of known words of similar length that are compared."""
MAX_EXACT_COMPARISONS = 40
"""Number of these that are compared exactly: those that share most letters."""


def most_likely_verb(diagnostic: Diagnostic, verbs: Iterable[str]) -> str:
    """The verb that an unreadable entry most likely has; empty if none is similar."""
    similar_verbs = _most_similar_words(
        diagnostic.dropped_words[0].casefold(), ((verb, verb) for verb in verbs), 0.6
    )
    return max(similar_verbs)[2] if similar_verbs else ""


def _most_similar_words(
    word: str, candidates: Iterable[tuple[str, T]], min_similarity: float
) -> list[tuple[float, str, T]]:
    """Words with at least a minimum similarity to a folded word: (similarity, word, its object). Exact
    comparison is slow and logs may contain many long words, so the work is limited.

    Args:
        word: the folded word.
        candidates: folded words with their objects.
        min_similarity: the minimum similarity.
    """
    if len(word) > LONGEST_COMPARED_WORD:
        return []
    from collections import Counter
    from difflib import SequenceMatcher
    from heapq import nlargest
    from itertools import islice

    min_length, max_length = (
        len(word) * min_similarity / (2 - min_similarity),
        len(word) * (2 - min_similarity) / min_similarity,
    )
    matcher: SequenceMatcher[str] = SequenceMatcher(b=word)
    roughly_similar_words: list[tuple[float, str, T]] = []
    candidates_of_fit_length = (
        candidate for candidate in candidates if min_length <= len(candidate[0]) <= max_length
    )
    letter_counts = [*Counter(word).items()]
    for spelling, candidate_object in islice(candidates_of_fit_length, MAX_COMPARED_WORDS):
        shared_letter_count = 0
        for letter, count_in_word in letter_counts:
            shared_count = spelling.count(letter)
            shared_letter_count += shared_count if shared_count < count_in_word else count_in_word
        # The upper bound of ``SequenceMatcher.quick_ratio``, which is ten times slower.
        upper_bound = 2.0 * shared_letter_count / ((len(spelling) + len(word)) or 1)
        if upper_bound >= min_similarity:
            roughly_similar_words.append((upper_bound, spelling, candidate_object))
    if len(roughly_similar_words) > MAX_EXACT_COMPARISONS:
        roughly_similar_words = nlargest(
            MAX_EXACT_COMPARISONS,
            roughly_similar_words,
            key=lambda bound_and_candidate: bound_and_candidate[0],
        )
    similar_words: list[tuple[float, str, T]] = []
    for _, spelling, candidate_object in roughly_similar_words:
        matcher.set_seq1(spelling)
        similarity = matcher.ratio()
        if similarity >= min_similarity:
            similar_words.append((similarity, spelling, candidate_object))
    return similar_words


def most_likely_word(
    word: str,
    known_words: Iterable[str],
    fits: Callable[[str], bool] = bool,
    min_similarity: float = MIN_SIMILARITY,
) -> str:
    """The known word that an unknown one most likely means; empty if there is none, or more than one.

    It must be similar, must satisfy ``fits``, and no other such word is nearly as similar. Letter case
    is ignored."""
    return (
        most_likely_target(
            word, ((known_word, known_word) for known_word in known_words), fits, min_similarity
        )
        or ""
    )


def most_likely_target(
    word: str,
    candidates: Iterable[tuple[str, T]],
    fits: Callable[[T], bool] = bool,
    min_similarity: float = MIN_SIMILARITY,
) -> T | None:
    """The object that a misspelt word stands for, or None; as :func:`most_likely_word`."""
    from difflib import SequenceMatcher

    folded_candidates = (
        (spelling.casefold(), (spelling, target)) for spelling, target in candidates
    )
    similar_targets: list[tuple[float, T]] = []
    for similarity, _, (spelling, target) in _most_similar_words(
        word.casefold(), folded_candidates, min_similarity
    ):
        if fits(target):
            case_sensitive_similarity = SequenceMatcher(a=spelling, b=word).ratio()
            similar_targets.append(((similarity + case_sensitive_similarity) / 2, target))
    if not similar_targets:
        return None
    similarity, best_target = max(
        similar_targets, key=lambda similarity_and_target: similarity_and_target[0]
    )
    has_clear_lead = all(
        target is best_target or similarity - other_similarity >= MIN_SIMILARITY_LEAD
        for other_similarity, target in similar_targets
    )
    return best_target if has_clear_lead else None


_NEGATIVE_PREFIXES: Final = ("un", "in", "non", "dis", "not ")
"""Prefixes that turn a word into its opposite."""


def nearest_words(
    word: str,
    known_words: Sequence[str],
    limit: int = 3,
    min_similarity: float = MIN_SUGGESTION_SIMILARITY,
) -> list[str]:
    """The known words similar to a misspelt one, the nearest first, ignoring letter case."""
    if len(word) > LONGEST_COMPARED_WORD:
        return []
    folded_word = word.casefold()
    word_by_folded_word: dict[str, str] = {}
    for known_word in known_words:
        word_by_folded_word.setdefault(known_word.casefold(), known_word)
    for prefix in _NEGATIVE_PREFIXES:
        # 'uncooperative' never means 'cooperative'.
        if folded_word.startswith(prefix):
            word_by_folded_word.pop(folded_word.removeprefix(prefix), None)
    similar_words = sorted(
        _most_similar_words(folded_word, word_by_folded_word.items(), min_similarity), reverse=True
    )[:limit]
    return [known_word for _, _, known_word in similar_words]


def did_you_mean(word: str, known_words: Sequence[str], limit: int = 3) -> str:
    """``; did you mean 'x' or 'y'?``, or empty; letter case is ignored."""
    return ask_whether(word, nearest_words(word, known_words, limit))


def ask_whether(word: str, suggestions: Sequence[str]) -> str:
    """``; did you mean 'x' or 'y'?`` for suggested words; empty if there are none."""
    if not suggestions:
        return ""
    return (
        "; did you mean "
        + either(f"'{suggestion}'" for suggestion in suggestions)
        + "?"
        + foreign_letter_remark(word)
    )


def foreign_letter_remark(word: str) -> str:
    """A remark about a word that contains a similar-looking letter from another script: `` ('е' is a
    Cyrillic letter)``. Empty for other words."""
    from unicodedata import name, normalize

    word_letters = [character for character in word if character.isalpha()]
    foreign_letters = [
        character for character in word_letters if not normalize("NFKD", character)[0].isascii()
    ]
    if not foreign_letters or len(foreign_letters) * 2 > len(word_letters):
        return ""
    script_name = name(foreign_letters[0], "foreign").split()[0].capitalize()
    return f" ('{foreign_letters[0]}' is a {script_name} letter here)"


def listed(words: Iterable[object], last: str = "and") -> str:
    """``a, b and c``."""
    word_texts = [str(word) for word in words]
    if len(word_texts) < 2:
        return "".join(word_texts)
    return f"{', '.join(word_texts[:-1])} {last} {word_texts[-1]}"


def either(words: Iterable[object]) -> str:
    """``a, b or c``."""
    return listed(words, "or")


def with_article(word: object) -> str:
    """``a prop``, ``an outsider``."""
    return f"{'an' if str(word)[:1].casefold() in 'aeiou' else 'a'} {word}"


def plural(count: int, singular: str, plural_form: str = "") -> str:
    """``1 die``, ``3 dice``."""
    return f"{count} {singular if count == 1 else (plural_form or singular + 's')}"


def unit_name(unit: str, count: int) -> str:
    """The name of a ledger's unit after an amount: ``die``, ``commitment dice``, ``Coins``,
    ``measures of oil``, ``Fleur-de-Lis``."""
    if abs(count) == 1 or unit.endswith("s"):
        return unit
    noun, separator, words_after_of = unit.partition(" of ")
    return (
        f"{noun[:-3]}dice{separator}{words_after_of}"
        if noun.endswith("die")
        else f"{noun}s{separator}{words_after_of}"
    )


def amount_in_units(count: int, unit: str) -> str:
    """An amount of a ledger's unit: ``10 Coins``, ``1 commitment die``, ``3 commitment dice``."""
    return f"{count} {unit_name(unit, count)}"
