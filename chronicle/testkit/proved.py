"""Find the guards and moments of verbs that no case proves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

from chronicle.core.declare import Action, Moment
from chronicle.core.game import Game
from chronicle.core.guards import Violation
from chronicle.core.record import Record
from chronicle.testkit.cases import Case, problems_of
from chronicle.testkit.sources import Sources


def unproved(rules: Game[Any], cases: Sequence[Case], scratch_folder: Path) -> Iterator[str]:
    """A line for each guard that reports nothing in any case, and for each moment in which no case plays one of its
    verbs too early or too late."""
    reporting: set[str] = set()
    refused: list[Moment] = []
    with ExitStack() as stack:
        for verb in rules.verbs:
            for name, _ in verb.guards:
                stack.enter_context(_watched(verb, name, reporting))
        for number, case in enumerate(cases):
            try:
                record, _ = problems_of(case, scratch_folder / f"{number}")
            except Exception:  # the check of the cases tells it
                return
            refused += _refused_moments(rules, record)
    sources, named = Sources(rules), set[str]()
    for verb in rules.verbs:
        for name, mark in verb.guards:
            guard = getattr(verb, name).__qualname__
            if guard not in reporting and guard not in named:
                named.add(guard)
                yield (
                    f"{sources.of_function(getattr(verb, name))}no case in which {name} of '{verb.verb}' reports "
                    f"something: write one with  #! {mark.rule}"
                )
    phases = {*rules.law.phases} if rules.law is not None else set[str]()
    for verb in rules.verbs:
        moment = verb.moment
        if moment.phases and phases.difference(moment.phases) and moment not in refused:
            refused.append(moment)
            yield (
                f"{sources.of_attribute(verb, 'moment')}no case plays '{verb.verb}' in a phase in which it is refused: "
                f"write one with  #! {moment.refusal.rule}"
            )


@contextmanager
def _watched(verb: type[Action], name: str, reporting: set[str]) -> Iterator[None]:
    """Note the name of a guard when it reports something."""
    guard: Callable[..., Any] = getattr(verb, name)

    @wraps(guard)
    def watched(self: Action, play: Any) -> Any:
        verdict = guard(self, play)
        if verdict is not None and not isinstance(verdict, (str, Violation, bool, int)):
            verdict = [*verdict]
        if verdict:
            reporting.add(guard.__qualname__)
        return verdict

    is_own = name in vars(verb)
    setattr(verb, name, watched)
    try:
        yield
    finally:
        if is_own:
            setattr(verb, name, guard)
        else:
            delattr(verb, name)


def _refused_moments(rules: Game[Any], record: Record) -> Iterator[Moment]:
    """The moments of the entries of a record that are refused in their phase."""
    phases = rules.law.phases.values() if rules.law is not None else ()
    for diagnostic in record.diagnostics if phases else ():
        if not diagnostic.step_number:
            continue
        moment = record.step(diagnostic.step_number).action.moment
        for refusal in (
            moment.refusal,
            *moment.refusals_by_phase.values(),
            *(phase.refusal for phase in phases),
        ):
            if refusal is None or refusal.rule != diagnostic.code:
                continue
            if diagnostic.message.startswith(refusal.message.partition("{")[0]):
                yield moment
