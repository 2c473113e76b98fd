"""Guards: what the rules ask of an entry, checked before the entry has any effect.

A guard is a method of the verb's class, under the id of its rule::

    @guard("P15", at="against")
    def against_somebody_else(self, play: Play[State]) -> str | None:
        if who_acts(play) == character(play, self.against):
            return "nobody calls a conflict against themselves"
        return None

It gives the message of what is wrong, a :class:`Violation` that says more, several of them, or nothing. It changes
nothing. It can use unknown figures: where that decides, the guard stays silent
(:mod:`chronicle.core.ranges`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from chronicle.core.declare import GUARD, Action, GuardMark
from chronicle.core.diagnostic import Fact, Finding
from chronicle.core.fix import Edit, Fix, make_fix
from chronicle.core.law import Law, Role
from chronicle.core.names import PLAYER
from chronicle.core.play import Play
from chronicle.core.ranges import CannotTell
from chronicle.core.sentences import plain
from chronicle.core.source import Place, ScalarNode


class Violation(NamedTuple):
    """One breach of a rule.

    Attributes:
        message: the fact, with the names of the people in it.
        at: where: the key of the entry, or the very word. Nothing: where the guard says.
        fix: ways to solve it, as edits. The help is made from them.
        help: what to do, in words, where no edit can say it.
        label: a few words beside the place.
        facts: earlier entries that it rests on.
        since: the entry that made so what it rests on; the last one of ``facts`` if nothing is said.
        about: what a gap would have to be about to make it uncertain (``purses``, ``cast``).
        lasting: whether no gap can have changed it.
        after: doubts that it follows from.
        doubts: figures that are in doubt from then on.
        rule: the rule, if not that of the guard.
        finding: its class, if not that of the guard.
    """

    message: str
    at: Place | str | None = None
    fix: Fix | Sequence[Fix] = ()
    help: str | Sequence[str] = ()
    label: str = ""
    facts: Sequence[Fact] = ()
    since: int | None = None
    about: str = ""
    lasting: bool = False
    after: Sequence[str] = ()
    doubts: Sequence[str] = ()
    rule: str = ""
    finding: Finding | None = None


NO_GUARD = GuardMark("", Finding.ILLEGAL, "", "", ())
"""The mark of what no guard gives: it has a rule of its own."""
Verdict = str | Violation | Iterable[str | Violation] | None
"""What a guard gives: messages of what is wrong, or nothing."""


M = TypeVar("M", bound=Callable[..., Verdict])


def guard(
    rule: str,
    finding: Finding = Finding.ILLEGAL,
    *,
    at: str = "",
    help: str = "",
    fix: Edit | None = None,
) -> Callable[[M], M]:
    """Mark a method of a verb as a guard under a rule.

    Args:
        rule: the id of the rule.
        finding: the class of what it reports.
        at: the key of the entry at which it reports it; the verb by default.
        help: what to do, in words.
        fix: the edit that solves it, if it is always the same.
    """

    def mark(method: M) -> M:
        fixes = () if fix is None else (make_fix(fix),)
        setattr(method, GUARD, GuardMark(rule, finding, at, help, fixes))
        return method

    return mark


def question(
    rule: str, *, at: str = "", help: str = "", fix: Edit | None = None
) -> Callable[[M], M]:
    """Mark a guard against something that is allowed, but unusual enough to ask about."""
    return guard(rule, Finding.SUSPICIOUS, at=at, help=help, fix=fix)


def violations(
    play: Play[Any], action: Action
) -> Iterator[tuple[str, GuardMark, Violation | None]]:
    """The result of every guard of an entry, with the name of its method: None if it is satisfied.
    Undecidable guards are left out."""
    for name, mark in action.guards:
        broken: list[Violation] = []
        holds = True
        try:
            verdict: Verdict = getattr(action, name)(play)
            for broken_rule in [verdict] if isinstance(verdict, str | Violation) else verdict or ():
                broken.append(
                    Violation(broken_rule) if isinstance(broken_rule, str) else broken_rule
                )
        except CannotTell:
            holds = False
        for violation in broken:
            yield name, mark, violation
        if holds and not broken:
            yield name, mark, None


def hold_guards(play: Play[Any], action: Action) -> None:
    """Check all guards of an entry and report violations."""
    for _, mark, violation in violations(play, action):
        if violation is not None:
            report_violation(play, violation, mark)


def report_violation(
    play: Play[Any],
    violation: Violation,
    mark: GuardMark = NO_GUARD,
) -> None:
    """Report a breach of a rule. The mark of its guard says what the violation does not say."""
    play.report(
        violation.finding or mark.finding,
        violation.rule or mark.rule,
        violation.message,
        at=(mark.at or None) if violation.at is None else violation.at,
        label=violation.label,
        help=violation.help or mark.help or (),
        fix=violation.fix or mark.fixes,
        facts=violation.facts,
        after=violation.after,
        since=violation.since,
        about=violation.about,
        lasting=violation.lasting,
    )
    play.taint(*violation.doubts)


def resolve_names(play: Play[Any], action: Action, law: Law) -> None:
    """Look up the names that an entry has in a role, and report unknown ones. Guards and effects can then
    look them up silently."""
    for attribute, kind, default in action.naming:
        value = getattr(action, attribute)
        if value is default:
            continue
        for name_list in kind.lists(value):
            role = law.roles.get(name_list.role)
            for item in name_list.items if role is not None and not role.takes_new else ():
                for word in item:
                    if role is None or word.casefold() in role.groups:
                        continue
                    if role.of == PLAYER and PLAYER not in role.kinds[:1]:
                        play.player(word)
                        continue
                    named = play.find(word, role.kinds, role.kinds[0] if role.kinds else "name")
                    if named is not None and named.kind == PLAYER and role.of != PLAYER:
                        _require_character(play, law, role, named.id, word)


def _require_character(
    play: Play[Any], law: Law, role: Role, player: str, word: ScalarNode
) -> None:
    """Report a player's name that stands for the player's character, if the player has none."""
    kind = role.kinds[0] if role.kinds else ""
    if kind and kind != PLAYER and player in play.seats and not law.embodied(play, player):
        play.unreadable(
            "T50",
            f"{player} has no {kind}",
            at=word,
            help=f"write the name of a {kind}",
        )


def carry_out(law: Law | None, play: Play[Any], action: Action) -> None:
    """Handle an entry of a verb with an ``apply`` method: check its guards, then apply its effect in any
    case, because the log wins."""
    if law is not None:
        resolve_names(play, action, law)
    hold_guards(play, action)
    if play.read:
        play.step.sentence = action.sentence(play)
        play.step.headline = plain(play.step.sentence).rstrip(".")
    action.apply(play)
