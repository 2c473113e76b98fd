"""Guards: what the rules ask of an entry, checked before the entry has any effect.

A guard is a method of the verb's class, under the id of its rule::

    @guard("P15", at="against")
    def against_somebody_else(self, play: GameContext[State]) -> str | None:
        if who_acts(play) == character(play, self.against):
            return "nobody calls a conflict against themselves"
        return None

It gives the message of what is wrong, a :class:`Violation` that says more, several of them, or nothing. It changes
nothing. It can use unknown figures: where that decides, the guard stays silent
(:mod:`chronicle.core.ranges`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from chronicle.core.declare import GUARD_ATTRIBUTE, Action, GuardMark
from chronicle.core.diagnostic import DiagnosticKind, Fact
from chronicle.core.errors import GameCodeError
from chronicle.core.fix import BLANK, Edit, Fix, SetKey, fill_terms, make_fix
from chronicle.core.game_context import GameContext
from chronicle.core.law import Law, Role
from chronicle.core.names import PLAYER
from chronicle.core.new_names import check_new_names
from chronicle.core.presence import presence_fixes, presence_key, start_of_presence_gap
from chronicle.core.ranges import CannotTell
from chronicle.core.sentences import plain
from chronicle.core.source import Place, ScalarNode
from chronicle.core.timeline import StepNumber


class Violation(NamedTuple):
    """One breach of a rule.

    Attributes:
        message: the fact, with the names of the people in it.
        at: where: the key of the entry, or the very word. Nothing: where the guard says.
        fix: ways to solve it, as edits. The help is made from them.
        help: what to do, in words, where no edit can say it.
        place_label: a few words beside the place.
        facts: earlier entries that it rests on.
        since: the number of the entry that made it so. After a later gap the problem is a note. By default the last
            one of ``facts``, and without facts the entry that began the phase of play.
        state_kind: the kind of state that it rests on, as a gap names it (``purses``, ``cast``). A gap about another
            kind leaves it as it is.
        is_certain: whether no gap can have changed it.
        after: names of doubts. If one is open, it is folded under the problem that opened it: ``dropped:vote`` is open
            after a ``vote:`` that could not be read.
        doubts: names of doubts that it opens.
        rule: the rule, if not that of the guard.
        kind: its class, if not that of the guard.
        name: an unknown name; its consequences are folded under this.
        subject: the id of the person or object it is about, for a check that reports once for each.
    """

    message: str
    at: Place | str | None = None
    fix: Fix | Sequence[Fix] = ()
    help: str | Sequence[str] = ()
    place_label: str = ""
    facts: Sequence[Fact] = ()
    since: StepNumber | None = None
    state_kind: str = ""
    is_certain: bool = False
    after: Sequence[str] = ()
    doubts: Sequence[str] = ()
    rule: str = ""
    kind: DiagnosticKind | None = None
    name: str = ""
    subject: str = ""


NO_GUARD_MARK = GuardMark("", DiagnosticKind.ILLEGAL, "", "", ())
"""The mark of what no guard gives: it has a rule of its own."""
Verdict = str | Violation | Iterable[str | Violation] | None
"""What a guard gives: messages of what is wrong, or nothing."""
_SINGLE_RESULT_TYPES: Final = (str, Violation)
_NON_ITERABLE_TYPES: Final = (*_SINGLE_RESULT_TYPES, bool, int)
"""What a guard gives that is not several results; numbers are a mistake."""

M = TypeVar("M", bound=Callable[..., Verdict])


def guard(
    rule: str,
    kind: DiagnosticKind = DiagnosticKind.ILLEGAL,
    *,
    at: str = "",
    help: str = "",
    fix: Edit | None = None,
) -> Callable[[M], M]:
    """Mark a method of a verb as a guard under a rule.

    Args:
        rule: the id of the rule.
        kind: the class of what it reports.
        at: the key of the entry at which it reports it; the verb by default.
        help: what to do, in words.
        fix: the edit that solves it, if it is always the same.

    Raises:
        TypeError: without a rule, or if the fix is no edit.
    """
    if not isinstance(rule, str):
        raise TypeError(
            'a guard needs the id of its rule, in brackets:  @api.guard("C7")  above the method'
        )

    def mark_method(method: M) -> M:
        if fix is not None and not isinstance(fix, Edit):
            raise TypeError(
                f"the fix of {method.__name__} is {fix!r}; a guard takes an edit:  fix=api.RemoveEntry()"
            )
        edit_texts = () if fix is None else (word for word in fix if isinstance(word, str))
        is_open = any(BLANK in word for word in edit_texts)
        fixes = () if fix is None else (make_fix(fix, is_open=is_open),)
        setattr(method, GUARD_ATTRIBUTE, GuardMark(rule, kind, at, help, fixes))
        return method

    return mark_method


def question(
    rule: str, *, at: str = "", help: str = "", fix: Edit | None = None
) -> Callable[[M], M]:
    """Mark a guard that asks about something unusual which the rules allow: a warning, not an error."""
    return guard(rule, DiagnosticKind.SUSPICIOUS, at=at, help=help, fix=fix)


def violations(
    play: GameContext[Any], action: Action
) -> Iterator[tuple[str, GuardMark, Violation | None]]:
    """The result of every guard of an entry, with the name of its method: None if it is satisfied.
    Undecidable guards are left out."""
    for guard_name, guard_mark in action.guards:
        found_violations: list[Violation] = []
        is_decidable = True
        try:
            verdict: Verdict = getattr(action, guard_name)(play)
            if verdict is not None:
                for violation_or_message in (
                    [verdict] if isinstance(verdict, _NON_ITERABLE_TYPES) else verdict
                ):
                    if not isinstance(violation_or_message, _SINGLE_RESULT_TYPES):
                        raise _wrong_result_error(action, guard_name, violation_or_message)
                    violation = (
                        Violation(violation_or_message)
                        if isinstance(violation_or_message, str)
                        else violation_or_message
                    )
                    _check_violation_types(action, guard_name, violation)
                    if violation.fix:
                        _check_fixes(action, guard_name, violation.fix)
                    found_violations.append(violation)
        except CannotTell:
            is_decidable = False
        for violation in found_violations:
            yield guard_name, guard_mark, violation
        if is_decidable and not found_violations:
            yield guard_name, guard_mark, None


def _check_violation_types(action: Action, guard_name: str, violation: Violation) -> None:
    """Refuse parts of a Violation that cannot be shown."""
    at: object = violation.at
    facts: object = violation.facts
    help: object = violation.help
    if at is not None and not isinstance(at, str | Place):
        attribute_name, remedy = "at", "a key of the entry, or  api.place_of(self.key, self.path)"
    elif not isinstance(facts, list | tuple) or isinstance(facts, Fact):
        attribute_name, remedy = "facts", "a list of what  table.because(number, words)  makes"
    elif not isinstance(help, str | list | tuple):
        attribute_name, remedy = "help", "a text or a list of texts"
    else:
        return
    raise GameCodeError(
        f"{attribute_name} of a Violation of {guard_name} of '{action.verb}' is "
        f"{getattr(violation, attribute_name)!r}: give {remedy}",
        getattr(type(action), guard_name),
    )


def _check_fixes(action: Action, guard_name: str, fixes: object) -> None:
    """Refuse what is no fix in the result of a guard."""
    for fix in fixes if isinstance(fixes, list | tuple) and not isinstance(fixes, Fix) else [fixes]:
        if not isinstance(fix, Fix):
            raise GameCodeError(
                f"the fix of {guard_name} of '{action.verb}' is {fixes!r}: a Violation takes what  "
                'api.make_fix(api.SetKey("a key", "its value"))  makes',
                getattr(type(action), guard_name),
            )
        for edit in fix.edits:
            if isinstance(edit, SetKey) and not isinstance(edit.value, str):
                raise GameCodeError(
                    f"the fix of {guard_name} of '{action.verb}' sets '{edit.key}' to {edit.value!r}: write it as "
                    "in a log,  str(...)",
                    getattr(type(action), guard_name),
                )


def _wrong_result_error(action: Action, guard_name: str, guard_result: object) -> GameCodeError:
    """The mistake of a guard that gives something else than messages."""
    return GameCodeError(
        f"{guard_name} of '{action.verb}' gave {guard_result!r}: a guard gives the message of what is wrong, or None",
        getattr(type(action), guard_name),
    )


def check_guards(play: GameContext[Any], action: Action) -> None:
    """Check the new names and all guards of an entry, and report violations."""
    check_new_names(play, action)
    for _, guard_mark, violation in violations(play, action):
        if violation is not None:
            report_violation(play, violation, guard_mark)


def report_violation(
    play: GameContext[Any],
    violation: Violation,
    guard_mark: GuardMark = NO_GUARD_MARK,
) -> None:
    """Report a breach of a rule. The mark of its guard says what the violation does not say."""
    play.report(
        violation.kind or guard_mark.kind,
        violation.rule or guard_mark.rule,
        violation.message,
        at=(guard_mark.at or None) if violation.at is None else violation.at,
        place_label=violation.place_label,
        help=violation.help or guard_mark.help or (),
        fix=violation.fix or guard_mark.fixes,
        facts=violation.facts,
        after=violation.after,
        since=violation.since,
        state_kind=violation.state_kind,
        is_certain=violation.is_certain,
        name=violation.name,
        subject=violation.subject,
    )
    play.taint(*violation.doubts)


def away_violation(play: GameContext[Any], player: str, at: Place | str) -> Violation | None:
    """T67: that somebody acts who is not at the table: a player, or the facilitator where the log says that the
    facilitator is away."""
    if not player or player in play.present or play.given:
        return None
    return Violation(
        f"{player} is not at the table",
        at,
        presence_fixes(play, player),
        since=start_of_presence_gap(play),
        state_kind="cast",
        after=("present:", presence_key(player)),
        doubts=(presence_key(player),),
        rule="T67",
        kind=DiagnosticKind.BOOKKEEPING,
    )


def resolve_names(play: GameContext[Any], action: Action, game_law: Law) -> None:
    """Look up the names that an entry has in a role, and report unknown ones. Guards and effects can then
    look them up silently."""
    for attribute, field_type, default in action.name_fields:
        field_value = getattr(action, attribute)
        if field_value is default:
            continue
        for name_list in field_type.name_lists(field_value):
            role = game_law.roles.get(name_list.role)
            for typed_names in name_list.items if role is not None and not role.takes_new else ():
                for typed_name in typed_names:
                    if role is None or typed_name.casefold() in role.groups:
                        continue
                    if role.resolves_to == PLAYER and PLAYER not in role.kinds[:1]:
                        play.player(typed_name)
                        continue
                    named_subject = play.find(
                        typed_name, role.kinds, role.kinds[0] if role.kinds else "name"
                    )
                    if (
                        named_subject is not None
                        and named_subject.kind == PLAYER
                        and role.resolves_to != PLAYER
                    ):
                        _require_character(play, game_law, role, named_subject.id, typed_name)


def _require_character(
    play: GameContext[Any], game_law: Law, role: Role, player: str, typed_name: ScalarNode
) -> None:
    """Report a player's name that stands for the player's character, if the player has none. The facilitator, who may
    run several, has none either."""
    character_kind = role.kinds[0] if role.kinds else ""
    is_facilitator = player not in play.seats
    may_be_named = is_facilitator and not (
        game_law.facilitator_plays_nobody and not role.accepts_facilitator
    )
    if (
        not character_kind
        or character_kind == PLAYER
        or may_be_named
        or game_law.embodied_character(play, player)
    ):
        return
    # A character whose player is not recorded may be this player's.
    is_certain = all(
        play.rulebook.player_of(play, subject)
        for subject in play.names.all.values()
        if subject.kind == character_kind
    )
    if not is_certain:
        return
    applicable_creation_fixes = () if is_facilitator else role.creation_fixes
    problem = play.unreadable(
        "T50",
        f"{player} has no {character_kind}",
        at=typed_name,
        since=0,
        state_kind="cast",
        fix=fill_terms(applicable_creation_fixes, {"who": player}),
        help=() if applicable_creation_fixes else f"write the name of a {character_kind}",
    )
    if is_facilitator:
        # Whom it means is unknown, and so is what this entry says of them.
        play.last_name_problem = problem


def carry_out(game_law: Law | None, play: GameContext[Any], action: Action) -> None:
    """Handle an entry of a verb with an ``apply`` method: check its guards, then apply its effect in any
    case, because the log wins."""
    if game_law is not None:
        resolve_names(play, action, game_law)
    check_guards(play, action)
    if play.will_be_read:
        play.step.sentence = action.sentence(play)
        returned_sentence: object = play.step.sentence
        if not isinstance(returned_sentence, tuple):
            raise GameCodeError(
                f"the sentence of '{action.verb}' is {returned_sentence!r}: return its parts, "
                "as  api.said(...)  makes them",
                type(action).sentence,
            )
        play.step.headline = plain(play.step.sentence).rstrip(".")
    action.apply(play)
