"""Errors as values: what was found, how bad it is here, where, and what to write instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple, TypeVar

from chronicle.core.fix import Fix, help_lines
from chronicle.core.source import Place
from chronicle.core.worded import Worded

T = TypeVar("T")


class Severity(IntEnum):
    """How a finding weighs in this campaign, from silent to fatal."""

    OFF = 0
    NOTE = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


class Finding(Worded):
    """What kind of thing was found. The three classes of truth stay apart: *unreadable* (cannot be
    understood), *illegal* (against a rule in force) and *unknown* (the record does not say)."""

    UNREADABLE = "unreadable"
    ILLEGAL = "illegal"
    BOOKKEEPING = "bookkeeping"
    SUSPICIOUS = "suspicious"
    UNKNOWN = "unknown"
    EXCUSED = "excused"


class Strictness(Worded):
    """How carefully a table keeps its log; chosen in ``campaign.yaml``."""

    METICULOUS = "meticulous"
    STANDARD = "standard"
    RELAXED = "relaxed"


def severity_of(finding: Finding, strictness: Strictness) -> Severity:
    """The severity table of the house, in one place."""
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
    """A fact of the record that makes a finding so, with the place that established it."""

    text: str
    place: Place | None = None
    step: int = 0
    """The entry that established it, if one did."""


@dataclass(slots=True, eq=False)
class Diagnostic:
    """One finding.

    ``code`` is a rule id of ``game`` (``P11``) or a format id (``T4``, game ``""``).
    ``cause`` is the earlier diagnostic this one merely follows from; such dependents are shown
    folded under it. ``excused`` says what covers the finding (a house rule, an ``allow``).
    """

    code: str
    finding: Finding
    severity: Severity
    message: str
    place: Place
    game: str = ""
    label: str = ""
    facts: tuple[Fact, ...] = ()
    free_help: tuple[str, ...] = ()
    """Help in words, for what no fix can do."""
    fixes: tuple[Fix, ...] = ()
    """Ways to solve it, as data."""
    excused: str = ""
    step: int = 0
    cause: Diagnostic | None = None
    dropped: tuple[str, ...] = ()
    """The words of the entry that had to be left out because of this, its verb first: what follows
    from its absence is folded under it."""
    guessed: bool = False
    """Whether the entry was read all the same, with a value that nobody can be sure of."""
    dependents: list[Diagnostic] = field(default_factory=list)

    @property
    def help(self) -> tuple[str, ...]:
        """What the reader can do: fixes in words and free help; last, fixes that are right under a condition."""
        if not self.fixes:
            return self.free_help
        plain = [one for one in self.fixes if not one.when]
        conditional = [one for one in self.fixes if one.when]
        return (*help_lines(plain), *self.free_help, *help_lines(conditional))

    @property
    def full_code(self) -> str:
        """``game:ID``, which always resolves."""
        return f"{self.game}:{self.code}" if self.game else self.code

    @property
    def is_reported(self) -> bool:
        """Whether it is reported in its own right: neither silent nor folded under its cause."""
        return bool(self.severity) and not (self.cause is not None and self.cause.severity)

    @property
    def told(self) -> tuple[object, ...]:
        """All that it says of whatever stands at its place."""
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


def reported(found: Iterable[Diagnostic], folded: bool = True) -> list[Diagnostic]:
    """Return the diagnostics that are reported in their own right: all but those ``folded`` under another one.

    A diagnostic whose cause is not among ``found``, or is silent, is reported.
    """
    told = [one for one in found if one.severity]
    here = {id(one) for one in told} if folded else ()
    return [one for one in told if id(one.cause) not in here]


def count_severities(found: Iterable[Diagnostic]) -> Counter[Severity]:
    """Count the :func:`reported` by severity: the one count of problems that every part of Chronicle shows."""
    return Counter(one.severity for one in reported(found))


def say_counts(counts: Mapping[Severity, int]) -> str:
    """Say how many problems there are, worst first (``1 error and 2 notes``); empty where there are none."""
    worst_first = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
    return listed(plural(counts[one], str(one)) for one in worst_first if counts.get(one))


def detach(findings: Sequence[Diagnostic]) -> None:
    """Take findings off whatever they were hung on, and whatever was hung on them, for they are no
    longer true."""
    gone = {id(one) for one in findings}
    for one in findings:
        cause = one.cause
        if cause is not None and id(cause) not in gone:
            cause.dependents[:] = [other for other in cause.dependents if other is not one]
        for other in one.dependents:
            if id(other) not in gone and other.cause is one:
                other.cause = None


NEAR = 0.75
"""How like a known word one must be to be read as it (1: letter by letter)."""
SUGGESTED = 0.66
"""How like a known word one must be to be asked about; enough to read it so where the rest fits."""
APART = 0.08
"""How much less like it every other known word must be."""
LONGEST = 80
"""How many letters a word has at most that a guess is made about."""
MOST_KNOWN = 2_000
"""How many words of about its length it is compared with at most."""
CLOSEST = 40
"""How many of these are compared with it to the letter, those that share most letters with it."""


def verb_meant(lost: Diagnostic, verbs: Iterable[str]) -> str:
    """Which of some verbs an entry that was left out was meant to have; empty when none is near."""
    near = _likest(lost.dropped[0].casefold(), ((verb, verb) for verb in verbs), 0.6)
    return max(near)[2] if near else ""


def _likest(word: str, known: Iterable[tuple[str, T]], least: float) -> list[tuple[float, str, T]]:
    """What is at least so like a folded word, of folded words and what they stand for: (how like it
    is, the word, the thing). To compare two words to the letter takes long, and everybody may write
    long words and many of them; so that is bounded, and nothing is guessed about what nobody says."""
    if len(word) > LONGEST:
        return []
    from collections import Counter
    from difflib import SequenceMatcher
    from heapq import nlargest
    from itertools import islice

    short, long = len(word) * least / (2 - least), len(word) * (2 - least) / least
    matcher: SequenceMatcher[str] = SequenceMatcher(b=word)
    about: list[tuple[float, str, T]] = []
    fitting = (one for one in known if short <= len(one[0]) <= long)
    letters = [*Counter(word).items()]
    for spelling, thing in islice(fitting, MOST_KNOWN):
        shared = 0
        for letter, often in letters:
            count = spelling.count(letter)
            shared += count if count < often else often
        # As ``SequenceMatcher.quick_ratio`` has it, which takes ten times as long.
        most = 2.0 * shared / ((len(spelling) + len(word)) or 1)
        if most >= least:
            about.append((most, spelling, thing))
    if len(about) > CLOSEST:
        about = nlargest(CLOSEST, about, key=lambda one: one[0])
    found: list[tuple[float, str, T]] = []
    for _, spelling, thing in about:
        matcher.set_seq1(spelling)
        ratio = matcher.ratio()
        if ratio >= least:
            found.append((ratio, spelling, thing))
    return found


def one_meant(
    word: str, known: Iterable[str], fits: Callable[[str], bool] = bool, near: float = NEAR
) -> str:
    """The one word of those known that was evidently meant; empty if none or more than one may be.

    It is near, it ``fits``, and no other that fits is nearly as near, letter case aside.
    """
    return spelt(word, ((name, name) for name in known), fits, near) or ""


def spelt(
    word: str,
    known: Iterable[tuple[str, T]],
    fits: Callable[[T], bool] = bool,
    least: float = NEAR,
) -> T | None:
    """What a misspelt word stands for, among spellings of things: as :func:`one_meant` has it."""
    from difflib import SequenceMatcher

    folded = ((spelling.casefold(), (spelling, thing)) for spelling, thing in known)
    near: list[tuple[float, T]] = []
    for ratio, _, (spelling, thing) in _likest(word.casefold(), folded, least):
        if fits(thing):
            to_the_letter = SequenceMatcher(a=spelling, b=word).ratio()
            near.append(((ratio + to_the_letter) / 2, thing))
    if not near:
        return None
    ratio, nearest = max(near, key=lambda one: one[0])
    alone = all(thing is nearest or ratio - other >= APART for other, thing in near)
    return nearest if alone else None


_NOT: Final = ("un", "in", "non", "dis", "not ")
"""What turns a word into its opposite."""


def nearest_words(word: str, known: Sequence[str], limit: int = 3) -> list[str]:
    """The known words that a misspelt one may stand for, the nearest first, letter case aside."""
    if len(word) > LONGEST:
        return []
    said = word.casefold()
    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(name.casefold(), name)
    for prefix in _NOT:
        # Whoever writes 'uncooperative' means anything but 'cooperative'.
        if said.startswith(prefix):
            folded.pop(said.removeprefix(prefix), None)
    close = sorted(_likest(said, folded.items(), SUGGESTED), reverse=True)[:limit]
    return [name for _, _, name in close]


def did_you_mean(word: str, known: Sequence[str], limit: int = 3) -> str:
    """``; did you mean 'x' or 'y'?`` or nothing, letter case aside."""
    return ask_whether(word, nearest_words(word, known, limit))


def ask_whether(word: str, meant: Sequence[str]) -> str:
    """``; did you mean 'x' or 'y'?``, of the words that a misspelt one may stand for; nothing of none."""
    if not meant:
        return ""
    return "; did you mean " + either(f"'{name}'" for name in meant) + "?" + strange(word)


def strange(word: str) -> str:
    """What to say of a word that looks like another because of a letter from another script, among
    plain ones: `` ('е' is a Cyrillic letter)``. Nothing of any other word."""
    from unicodedata import name, normalize

    letters = [sign for sign in word if sign.isalpha()]
    odd = [sign for sign in letters if not normalize("NFKD", sign)[0].isascii()]
    if not odd or len(odd) * 2 > len(letters):
        return ""
    script = name(odd[0], "foreign").split()[0].capitalize()
    return f" ('{odd[0]}' is a {script} letter here)"


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


def plural(count: int, one: str, many: str = "") -> str:
    """``1 die``, ``3 dice``."""
    return f"{count} {one if count == 1 else (many or one + 's')}"


def counted(unit: str, count: int) -> str:
    """A ledger's unit as it follows an amount: ``die``, ``commitment dice``, ``Coins``, ``Fleur-de-Lis``."""
    if abs(count) == 1 or unit.endswith("s"):
        return unit
    return f"{unit[:-3]}dice" if unit.endswith("die") else f"{unit}s"


def units(count: int, unit: str) -> str:
    """``10 Coins``, ``1 commitment die``, ``3 commitment dice``: an amount of a ledger's unit."""
    return f"{count} {counted(unit, count)}"
