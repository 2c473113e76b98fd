"""Diagnostics: problems as values, with severity, place and fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple, TypeVar

from chronicle.core.fix import Fix, help_lines
from chronicle.core.source import Place
from chronicle.core.word_enum import Worded

T = TypeVar("T")


class Severity(IntEnum):
    """The severity of a problem in this campaign, from silent to error."""

    OFF = 0
    NOTE = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


class Finding(Worded):
    """The kind of a problem. Three kinds are always distinguished: *unreadable* (cannot be understood),
    *illegal* (against a rule in force) and *unknown* (the record does not say)."""

    UNREADABLE = "unreadable"
    ILLEGAL = "illegal"
    BOOKKEEPING = "bookkeeping"
    SUSPICIOUS = "suspicious"
    UNKNOWN = "unknown"
    EXCUSED = "excused"


class Strictness(Worded):
    """How carefully a group keeps its log; chosen in ``campaign.yaml``."""

    METICULOUS = "meticulous"
    STANDARD = "standard"
    RELAXED = "relaxed"


def severity_of(finding: Finding, strictness: Strictness) -> Severity:
    """The severity of each kind of problem, by strictness."""
    meticulous = strictness is Strictness.METICULOUS
    relaxed = strictness is Strictness.RELAXED
    match finding:
        case Finding.UNREADABLE:
            return Severity.ERROR
        case Finding.ILLEGAL:
            return Severity.WARNING if relaxed else Severity.ERROR
        case Finding.BOOKKEEPING:
            return Severity.ERROR if meticulous else Severity.WARNING
        case Finding.SUSPICIOUS | Finding.UNKNOWN:
            if meticulous:
                return Severity.WARNING
            return Severity.OFF if relaxed else Severity.NOTE
        case Finding.EXCUSED:
            return Severity.NOTE if meticulous else Severity.OFF


class Fact(NamedTuple):
    """A related fact of the record, with the place that established it."""

    text: str
    place: Place | None = None
    step: int = 0
    """The entry that established it, if any."""


@dataclass(slots=True, eq=False)
class Diagnostic:
    """One problem.

    ``code`` is a rule id of ``game`` (``P11``) or of the log format (``T4``, game ``""``). ``cause`` is the
    earlier diagnostic that it follows from; such dependents are folded under it. ``excused`` names the
    exception that covers the problem (a house rule, an ``allow``)."""

    code: str
    finding: Finding
    severity: Severity
    message: str
    place: Place
    game: str = ""
    label: str = ""
    facts: tuple[Fact, ...] = ()
    free_help: tuple[str, ...] = ()
    """Help in words, where no fix is possible."""
    fixes: tuple[Fix, ...] = ()
    """Edits that solve the problem, as data."""
    excused: str = ""
    step: int = 0
    subject: str = ""
    """The id of the person or object that it is about, if a later check wants to know."""
    cause: Diagnostic | None = None
    dropped: tuple[str, ...] = ()
    """The words of an entry that was left out because of this problem, its verb first. Problems caused by its
    absence are folded under this problem."""
    guessed: bool = False
    """Whether the entry was read with a guessed value."""
    dependents: list[Diagnostic] = field(default_factory=list)

    @property
    def help(self) -> tuple[str, ...]:
        """Help for the user: fixes in words and free help; last, fixes that are right under a condition."""
        if not self.fixes:
            return self.free_help
        unconditional = [fix for fix in self.fixes if not fix.when]
        conditional = [fix for fix in self.fixes if fix.when]
        return (*help_lines(unconditional), *self.free_help, *help_lines(conditional))

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
        kind = (self.code, self.finding, self.severity, self.guessed)
        return (
            *kind,
            self.message,
            self.label,
            self.fixes,
            self.free_help,
            self.facts,
            self.dropped,
        )


def reported(diagnostics: Iterable[Diagnostic], folded: bool = True) -> list[Diagnostic]:
    """The diagnostics to report: without silent and folded problems.

    A diagnostic whose cause is not among ``diagnostics``, or is silent, is reported."""
    not_silent = [diagnostic for diagnostic in diagnostics if diagnostic.severity]
    shown_ids = {id(diagnostic) for diagnostic in not_silent} if folded else ()
    return [diagnostic for diagnostic in not_silent if id(diagnostic.cause) not in shown_ids]


def count_severities(diagnostics: Iterable[Diagnostic]) -> Counter[Severity]:
    """The number of :func:`reported` diagnostics by severity, as every part of Chronicle shows it."""
    return Counter(diagnostic.severity for diagnostic in reported(diagnostics))


def say_counts(counts: Mapping[Severity, int]) -> str:
    """The numbers of problems in words, worst first (``1 error and 2 notes``); empty if there are none."""
    worst_first = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
    return listed(
        plural(counts[severity], str(severity)) for severity in worst_first if counts.get(severity)
    )


def detach(diagnostics: Sequence[Diagnostic]) -> None:
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
SUGGESTED = 0.66
"""Minimum similarity for a suggestion; also for reading the word if the rest of the entry fits."""
MIN_LEAD = 0.08
"""Minimum lead in similarity over every other known word."""
LONGEST = 80
"""Maximum length of a word that gets suggestions."""
MOST_KNOWN = 2_000
"""Maximum number of known words of similar length that are compared."""
CLOSEST = 40
"""Number of these that are compared exactly: those that share most letters."""


def verb_meant(lost: Diagnostic, verbs: Iterable[str]) -> str:
    """The verb that an unreadable entry most likely has; empty if none is similar."""
    similar = _most_similar(lost.dropped[0].casefold(), ((verb, verb) for verb in verbs), 0.6)
    return max(similar)[2] if similar else ""


def _most_similar(
    word: str, candidates: Iterable[tuple[str, T]], minimum: float
) -> list[tuple[float, str, T]]:
    """Words with at least a minimum similarity to a folded word: (similarity, word, its object). Exact
    comparison is slow and logs may contain many long words, so the work is limited.

    Args:
        word: the folded word.
        candidates: folded words with their objects.
        minimum: the minimum similarity.
    """
    if len(word) > LONGEST:
        return []
    from collections import Counter
    from difflib import SequenceMatcher
    from heapq import nlargest
    from itertools import islice

    short, long = len(word) * minimum / (2 - minimum), len(word) * (2 - minimum) / minimum
    matcher: SequenceMatcher[str] = SequenceMatcher(b=word)
    similar: list[tuple[float, str, T]] = []
    fitting = (candidate for candidate in candidates if short <= len(candidate[0]) <= long)
    letters = [*Counter(word).items()]
    for spelling, target in islice(fitting, MOST_KNOWN):
        shared = 0
        for letter, times in letters:
            count = spelling.count(letter)
            shared += count if count < times else times
        # The upper bound of ``SequenceMatcher.quick_ratio``, which is ten times slower.
        upper_bound = 2.0 * shared / ((len(spelling) + len(word)) or 1)
        if upper_bound >= minimum:
            similar.append((upper_bound, spelling, target))
    if len(similar) > CLOSEST:
        similar = nlargest(CLOSEST, similar, key=lambda entry: entry[0])
    results: list[tuple[float, str, T]] = []
    for _, spelling, target in similar:
        matcher.set_seq1(spelling)
        ratio = matcher.ratio()
        if ratio >= minimum:
            results.append((ratio, spelling, target))
    return results


def one_meant(
    word: str,
    words: Iterable[str],
    fits: Callable[[str], bool] = bool,
    minimum: float = MIN_SIMILARITY,
) -> str:
    """The known word that an unknown one most likely means; empty if there is none, or more than one.

    It must be similar, must satisfy ``fits``, and no other such word is nearly as similar. Letter case
    is ignored."""
    return spelt(word, ((name, name) for name in words), fits, minimum) or ""


def spelt(
    word: str,
    candidates: Iterable[tuple[str, T]],
    fits: Callable[[T], bool] = bool,
    least: float = MIN_SIMILARITY,
) -> T | None:
    """The object that a misspelt word stands for, or None; as :func:`one_meant`."""
    from difflib import SequenceMatcher

    folded = ((spelling.casefold(), (spelling, target)) for spelling, target in candidates)
    similar: list[tuple[float, T]] = []
    for ratio, _, (spelling, target) in _most_similar(word.casefold(), folded, least):
        if fits(target):
            to_the_letter = SequenceMatcher(a=spelling, b=word).ratio()
            similar.append(((ratio + to_the_letter) / 2, target))
    if not similar:
        return None
    ratio, nearest = max(similar, key=lambda rated: rated[0])
    is_unique = all(
        target is nearest or ratio - other_ratio >= MIN_LEAD for other_ratio, target in similar
    )
    return nearest if is_unique else None


_NOT: Final = ("un", "in", "non", "dis", "not ")
"""Prefixes that turn a word into its opposite."""


def nearest_words(word: str, words: Sequence[str], limit: int = 3) -> list[str]:
    """The known words similar to a misspelt one, the nearest first, ignoring letter case."""
    if len(word) > LONGEST:
        return []
    folded_word = word.casefold()
    folded: dict[str, str] = {}
    for name in words:
        folded.setdefault(name.casefold(), name)
    for prefix in _NOT:
        # 'uncooperative' never means 'cooperative'.
        if folded_word.startswith(prefix):
            folded.pop(folded_word.removeprefix(prefix), None)
    close = sorted(_most_similar(folded_word, folded.items(), SUGGESTED), reverse=True)[:limit]
    return [name for _, _, name in close]


def did_you_mean(word: str, words: Sequence[str], limit: int = 3) -> str:
    """``; did you mean 'x' or 'y'?``, or empty; letter case is ignored."""
    return ask_whether(word, nearest_words(word, words, limit))


def ask_whether(word: str, suggestions: Sequence[str]) -> str:
    """``; did you mean 'x' or 'y'?`` for suggested words; empty if there are none."""
    if not suggestions:
        return ""
    return "; did you mean " + either(f"'{name}'" for name in suggestions) + "?" + strange(word)


def strange(word: str) -> str:
    """A remark about a word that contains a similar-looking letter from another script: `` ('е' is a
    Cyrillic letter)``. Empty for other words."""
    from unicodedata import name, normalize

    letters = [sign for sign in word if sign.isalpha()]
    foreign_letters = [sign for sign in letters if not normalize("NFKD", sign)[0].isascii()]
    if not foreign_letters or len(foreign_letters) * 2 > len(letters):
        return ""
    script = name(foreign_letters[0], "foreign").split()[0].capitalize()
    return f" ('{foreign_letters[0]}' is a {script} letter here)"


def listed(words: Iterable[object], last: str = "and") -> str:
    """``a, b and c``."""
    items = [str(word) for word in words]
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def either(words: Iterable[object]) -> str:
    """``a, b or c``."""
    return listed(words, "or")


def an(word: object) -> str:
    """``a prop``, ``an outsider``."""
    return f"{'an' if str(word)[:1].casefold() in 'aeiou' else 'a'} {word}"


def plural(count: int, singular: str, plural_form: str = "") -> str:
    """``1 die``, ``3 dice``."""
    return f"{count} {singular if count == 1 else (plural_form or singular + 's')}"


def counted(unit: str, count: int) -> str:
    """The name of a ledger's unit after an amount: ``die``, ``commitment dice``, ``Coins``,
    ``measures of oil``, ``Fleur-de-Lis``."""
    if abs(count) == 1 or unit.endswith("s"):
        return unit
    noun, of, rest = unit.partition(" of ")
    return f"{noun[:-3]}dice{of}{rest}" if noun.endswith("die") else f"{noun}s{of}{rest}"


def units(count: int, unit: str) -> str:
    """An amount of a ledger's unit: ``10 Coins``, ``1 commitment die``, ``3 commitment dice``."""
    return f"{count} {counted(unit, count)}"
