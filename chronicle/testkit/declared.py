"""Check that what a game declares exists: rules, roles, phases, deciders, accounts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from chronicle.core.declare import Action
from chronicle.core.diagnostic import ask_whether, nearest_words
from chronicle.core.gaps import SOMEBODY
from chronicle.core.law import roles_of
from chronicle.core.ledger import ADJUSTMENT, UNEXPLAINED, kind_of
from chronicle.core.record import Record
from chronicle.core.rulebook import Rulebook
from chronicle.core.rules import Registry
from chronicle.testkit.cases import Case

_SHARED_RULE = re.compile(r"T[0-9]+[a-z]?\Z")
"""The rule ids of Chronicle itself."""
_SHARED_ROLES = frozenset({"speaks"})
_RULE_ID = re.compile(r"(?P<letters>[A-Za-z]+)[0-9][\w.]*\Z")


def misnamed(rules: Rulebook[Any], cases: Sequence[Case]) -> Iterator[str]:
    """Names in declarations and in the titles of cases that nothing in the game has, one line for each."""
    law, registry = rules.law, rules.registry()
    known = {
        "phase": [*law.phases] if law is not None else [],
        "decider": [*law.deciders] if law is not None else [],
        "role": [*law.roles, *_SHARED_ROLES] if law is not None else [],
    }
    for verb in map(rules.by_verb.__getitem__, rules.own_verbs):
        for where, rule in _rules_of(verb):
            if not _is_rule(registry, rule):
                yield f"'{verb.verb}' {where}: {_no_rule(registry, rule)}"
        for what, name in _names_of(verb):
            if name not in known[what]:
                remedy = _near(name, known[what])
                if what == "decider" and not remedy:
                    entry = "api.TABLE" if name == "table" else "api.Decider(...)"
                    remedy = f'; add  "{name}": {entry}  to the deciders of the law'
                yield f"'{verb.verb}': no {what} '{name}'{remedy}"
    letters = {match["letters"] for id in _ids(registry) if (match := _RULE_ID.match(id))}
    for case in cases if rules.verbs else ():
        code = case.name.partition(" ")[0]
        match = _RULE_ID.match(code)
        if match and match["letters"] in letters and not _is_rule(registry, code):
            yield f"{case.file.name}:{case.line}: the title '{case.name}': {_no_rule(registry, code)}"


def misposted(rules: Rulebook[Any], record: Record) -> Iterator[str]:
    """Rules and kinds of accounts that postings of a record name, and the game does not have."""
    registry = rules.registry()
    for kind in sorted(rules.supplies.difference(rules.accounts)):
        yield f"'{kind}' is in  supplies  and not in  accounts  of the game"
    accounts = {*rules.accounts, ADJUSTMENT, SOMEBODY, UNEXPLAINED}
    for posting in record.ledger.postings:
        if not _is_rule(registry, posting.rule):
            yield f"a movement of {posting.unit} names {_no_rule(registry, posting.rule)}"
        for kind in (kind_of(posting.source), kind_of(posting.target)):
            if kind not in accounts:
                remedy = _near(kind, [*accounts]) or f'; add  "{kind}": "its name in plain words"'
                yield f"no account '{kind}' in  accounts  of the game{remedy}"


def _rules_of(verb: type[Action]) -> Iterator[tuple[str, str]]:
    """The rules that a verb names, each with the place that names it."""
    if verb.offered is not None:
        yield "in offered", verb.offered.rule
    if verb.decides is not None:
        yield "in decides", verb.decides.rule
    for refusal in (verb.moment.refusal, *verb.moment.instead.values()):
        yield "in moment", refusal.rule
    for name, mark in verb.guards:
        yield f"in the guard {name}", mark.rule


def _names_of(verb: type[Action]) -> Iterator[tuple[str, str]]:
    """The phases, the decider and the roles that a verb names."""
    for phase in dict.fromkeys((*verb.moment.phases, *verb.moment.instead)):
        yield "phase", phase
    if verb.decides is not None:
        yield "decider", verb.decides.decider
    fields = (*((verb.main,) if verb.main is not None else ()), *verb.fields.values())
    for role in dict.fromkeys(role for field in fields for role in roles_of(field.kind)):
        yield "role", role


def _ids(registry: Registry) -> list[str]:
    return [
        *(id for rule in registry.rules for id in (rule.id, *rule.also)),
        *(ruling.id for ruling in registry.rulings),
    ]


def _is_rule(registry: Registry, code: str) -> bool:
    """Whether a rule has this id; true without an id."""
    is_known = registry.get(code) is not None or bool(registry.parts(code))
    return not code or is_known or _SHARED_RULE.match(code) is not None


def _no_rule(registry: Registry, code: str) -> str:
    return f"no rule '{code}'{_near(code, _ids(registry))}"


def _near(name: str, known: Sequence[str]) -> str:
    return ask_whether(name, nearest_words(name, known))
