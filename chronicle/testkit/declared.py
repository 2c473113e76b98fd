"""Check what a game declares: its form, and that rules, roles, phases, deciders, accounts, units and dice exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from chronicle.campaigns import view_of
from chronicle.core.answers import Obligation
from chronicle.core.declare import Action, Decides, Field, Moment, Offered, Refusal
from chronicle.core.diagnostic import ask_whether, did_you_mean, either, listed, nearest_words
from chronicle.core.game import Game
from chronicle.core.game_context import Measure, Playable
from chronicle.core.gaps import SOMEBODY
from chronicle.core.law import Decider, Need, Phase, Role, roles_of
from chronicle.core.ledger import ADJUSTMENT, UNEXPLAINED, kind_of
from chronicle.core.make_view import dice_of
from chronicle.core.new_names import NewName
from chronicle.core.record import Record
from chronicle.core.rules import Registry
from chronicle.core.shared_verbs import COMMON_HANDLERS, COMMON_VERBS
from chronicle.core.telling import TextRole
from chronicle.games import is_built_in
from chronicle.testkit.cases import Case
from chronicle.testkit.sources import Sources
from chronicle.testkit.value_types import declared_types, mismatches, result_type

_SHARED_RULE = re.compile(r"T[0-9]+[a-z]?\Z")
"""The rule ids of Chronicle itself."""
_SHARED_ROLES = frozenset({"speaks"})
_CORE = "chronicle.core."
"""Where Chronicle declares the attributes that it reads."""
_DECLARED: Mapping[str, type] = {"moment": Moment, "decides": Decides, "offered": Offered}
"""Attributes of a verb with their types."""
_MISSPELT = 0.9
"""How similar the name of an attribute is to one that Chronicle reads, to count as misspelt."""
_IN_A_SENTENCE = ("of", "amount", "value", "not")
"""What the sentence of a measure may name in braces."""
_RULE_ID = re.compile(r"(?P<letters>[A-Za-z]+)[0-9][\w.]*\Z")


# -- form ------------------------------------------------------------------------------------------


def malformed(rules: Game[Any]) -> Iterator[str]:
    """Declarations of a game that cannot work, one line for each, with its place in the code."""
    sources = Sources(rules)
    yield from _malformed_verbs(rules, sources)
    yield from _malformed_attributes(rules, sources)
    yield from _misspelt_attributes(rules, sources)
    if is_built_in(rules.name):
        return
    game = type(rules)
    if not hasattr(game, "api_version"):
        yield (
            f"{sources.of_class(game)}{game.__name__} does not say for which version of the API it is written: add  "
            "api_version = 1"
        )
    for place, module in sources.foreign_imports():
        yield f"{place}{module} may change at any time: import  chronicle.api  and nothing else of Chronicle"


def _malformed_verbs(rules: Game[Any], sources: Sources) -> Iterator[str]:
    verbs = [verb for verb in (*rules.verbs, *rules.handlers) if verb not in COMMON_HANDLERS]
    if not rules.own_verbs:
        yield f"{sources.of_class(type(rules))}the game has no verbs: add  verbs = api.verbs_of(play)"
    by_name: dict[str, type[Action]] = {}
    common_names = {verb.verb for verb in COMMON_VERBS}
    for verb in verbs:
        place = sources.of_attribute(verb, "verb")
        if verb.verb in common_names:
            yield f"{place}'{verb.verb}' is a verb of every game: choose another word"
        first = by_name.setdefault(verb.verb, verb)
        if first is not verb:
            yield f"{place}{first.__name__} and {verb.__name__} have the same verb, '{verb.verb}'"
    for verb in {*sources.verb_classes()}.difference(verbs) if rules.verbs else ():
        if "apply" not in vars(verb) or verb.__subclasses__() or verb.verb in rules.own_verbs:
            continue
        place = sources.of_class(verb)
        if verb.verb:
            yield f"{place}'{verb.verb}' is not among the  verbs  of the game: add its module to  api.verbs_of(...)"
        else:
            yield f'{place}the class {verb.__name__} has no verb: add  verb = "{verb.__name__.lower()}"'
    for verb in rules.verbs:
        yield from _malformed_verb(rules, verb, sources)


def _malformed_verb(rules: Game[Any], verb: type[Action], sources: Sources) -> Iterator[str]:
    name = verb.verb
    if verb.main is None:
        yield f"{sources.of_class(verb)}'{name}' has no value: declare it with  api.main(...)"
    if verb.sentence is Action.sentence:
        yield f"{sources.of_class(verb)}'{name}' has no sentence: add a method  sentence(self, table)"
    if verb.apply is Action.apply:
        yield f"{sources.of_class(verb)}'{name}' has no effect: add a method  apply(self, table)"
    # A method that is no class method is a plain function in its class.
    if not hasattr(verb.candidates, "__self__"):
        place = sources.of_attribute(verb, "candidates")
        yield f"{place}the candidates of '{name}' are asked of the class: write  @classmethod  above the method"
    keys = [*verb.fields]
    for method, mark in verb.guards:
        function = getattr(verb, method)
        # A guard may be shared with a verb that has the key.
        verbs_with_guard = [
            sharer for sharer in rules.verbs if getattr(sharer, method, None) is function
        ]
        if not any(
            mark.at in ("", "main", sharer.verb, *sharer.fields) for sharer in verbs_with_guard
        ):
            place = sources.of_function(function)
            yield f"{place}'{name}' has no key '{mark.at}', at which {method} reports{did_you_mean(mark.at, keys)}"
    for attribute, kind in _DECLARED.items():
        value = getattr(verb, attribute)
        if value is not None and not isinstance(value, kind):
            place = sources.of_attribute(verb, attribute)
            yield f"{place}'{name}': {attribute} is {_shown(value)}; write  api.{kind.__name__}(...)"
    types = declared_types(Action)
    for attribute in (
        "example",
        "synonyms",
        "hides",
        "heading",
        "lead_in_template",
        "default_actor_text",
    ):
        for mismatch in [*mismatches(getattr(verb, attribute), types.get(attribute), attribute)][
            :1
        ]:
            yield f"{sources.of_attribute(verb, attribute)}'{name}': {mismatch}"
    for field in _fields(verb):
        role: object = field.text_role
        if role is not None and not isinstance(role, TextRole):
            place = sources.of_attribute(verb, field.attribute)
            words = f"text_role of {field.attribute} is {_shown(role)}"
            yield f"{place}'{name}': {words}; write  api.TextRole.PROSE"
    if isinstance(verb.offered, Offered):
        place = sources.of_attribute(verb, "offered")
        for mismatch in [*mismatches(verb.offered, Offered, "offered")][:1]:
            yield f"{place}'{name}': {mismatch}"
    if isinstance(verb.moment, Moment):
        place = sources.of_attribute(verb, "moment")
        yield from (
            f"{place}'{name}' in moment: {problem}" for problem in _malformed_moment(verb.moment)
        )


def _malformed_moment(moment: Moment) -> Iterator[str]:
    yield from _no_tuple("the phases", moment.phases)
    refusals: list[object] = [moment.refusal]
    instead: object = moment.refusals_by_phase
    if isinstance(instead, Mapping):
        refusals += instead.values()
    else:
        yield f'the third argument is {_shown(instead)}; write  {{"over": api.Refusal(...)}}'
    for refusal in refusals:
        if not isinstance(refusal, Refusal):
            yield f'the message is {_shown(refusal)}; write  api.Refusal("the id of the rule", "the message")'


def _malformed_attributes(rules: Game[Any], sources: Sources) -> Iterator[str]:
    """What is wrong in the law, the measures and the accounts of a game."""
    game, law = type(rules), rules.law
    place = sources.of_attribute(game, "supplies")
    yield from (
        f"{place}supplies: {problem}"
        for problem in _no_tuple("it", rules.supplies, 'frozenset({{"{}"}})')
    )
    place = sources.of_attribute(game, "measures")
    measures: Mapping[str, object] = rules.measures
    for name, measure in measures.items():
        if not isinstance(measure, Measure):
            yield f"{place}the measure '{name}' is {_shown(measure)}; write  api.account_measure(...)"
            continue
        yield from (
            f"{place}the measure '{name}': {problem}"
            for problem in _no_tuple("kinds", measure.kinds)
        )
        for word in re.findall(r"\{(.*?)\}", measure.sentence):
            if word not in _IN_A_SENTENCE:
                yield f"{place}the measure '{name}': its sentence has no {{{word}}}; it knows {listed(_IN_A_SENTENCE)}"
        if measure.account and measure.account not in rules.accounts:
            remedy = did_you_mean(measure.account, [*rules.accounts])
            yield f"{place}the measure '{name}': no account '{measure.account}'{remedy}"
    yield from _wrong_values(game, sources)
    if law is None:
        if rules.verbs:
            yield f"{sources.of_class(game)}the game has no law: add  law = api.Law(roles=play.ROLES)"
        return
    groups: tuple[tuple[str, Mapping[str, object], type], ...] = (
        ("role", law.roles, Role), ("phase", law.phases, Phase), ("decider", law.deciders, Decider),
    )  # fmt: skip
    for word, members, kind in groups:
        for name, value in members.items():
            place = sources.of_word(name)
            if not isinstance(value, kind):
                yield f"{place}the {word} '{name}' is {_shown(value)}; write  api.{kind.__name__}(...)"
    for name, role in law.roles.items():
        if isinstance(role, Role):
            place = sources.of_word(name)
            yield from (
                f"{place}the role '{name}': {problem}"
                for problem in (*_no_tuple("kinds", role.kinds), *_no_tuple("needs", role.needs))
            )


def _wrong_values(game: Any, sources: Sources) -> Iterator[str]:
    """Attributes of the class of a game whose values have another type than Chronicle declares, and those it needs."""
    types = declared_types(game)
    points = result_type(Playable, "points")
    for owner in game.__mro__:
        if owner.__module__.startswith(_CORE):
            break
        for name, value in vars(owner).items():
            hint = (
                points if name == "points" and not isinstance(value, property) else types.get(name)
            )
            if hint is None or name in ("supplies", "measures"):
                continue
            for mismatch in [*mismatches(value, hint, name)][:1]:
                yield f"{sources.of_attribute(owner, name)}{mismatch}"
    for name in ("title", "summary"):
        if not hasattr(game, name):
            yield f'{sources.of_class(game)}the game has no {name}: add  {name} = "..."'


def _misspelt_attributes(rules: Game[Any], sources: Sources) -> Iterator[str]:
    """Attributes of the class of a game or of a verb that nothing reads, and that are nearly called as one that
    Chronicle reads."""
    reported: set[tuple[type, str]] = set()
    for cls in (type(rules), *rules.verbs):
        of_chronicle = [base for base in cls.__mro__ if base.__module__.startswith(_CORE)]
        known = {name for base in of_chronicle for name in (*vars(base), *_annotations(base))}
        keys = (
            {field.attribute for field in _fields(cls)} if issubclass(cls, Action) else set[str]()
        )
        for owner in (base for base in cls.__mro__ if base not in of_chronicle):
            for name, value in vars(owner).items():
                if name.startswith("_") or name in known | keys or (owner, name) in reported:
                    continue
                kind = next((key for key, kind in _DECLARED.items() if isinstance(value, kind)), "")
                swapped = [word for word in known if sorted(word) == sorted(name)]
                near = (
                    [kind] if kind else swapped or nearest_words(name, sorted(known), 1, _MISSPELT)
                )
                if near:
                    reported.add((owner, name))
                    remedy = ask_whether(name, near)
                    yield f"{sources.of_attribute(owner, name)}{owner.__name__}.{name} has no effect{remedy}"


def _fields(verb: type[Action]) -> tuple[Field, ...]:
    """The value of a verb and its keys."""
    return (*((verb.main,) if verb.main is not None else ()), *verb.fields.values())


def _annotations(cls: type) -> Mapping[str, Any]:
    annotations: Mapping[str, Any] = vars(cls).get("__annotations__", {})
    return annotations


def _no_tuple(words: str, value: object, form: str = '("{}",)') -> Iterator[str]:
    """What to write where one value stands for several."""
    if isinstance(value, str) and value:
        yield f"{words} is the text '{value}'; write  {form.format(value)}"
    elif isinstance(value, Need):
        yield f"{words} is one Need; write a comma behind it, in brackets"


def _shown(value: object) -> str:
    return f"the text '{value}'" if isinstance(value, str) else repr(value)


# -- names -----------------------------------------------------------------------------------------


def misnamed(rules: Game[Any], cases: Sequence[Case]) -> Iterator[str]:
    """Names in declarations and in the titles of cases that nothing in the game has, one line for each."""
    law, registry, sources = rules.law, rules.registry(), Sources(rules)
    declared_names = {
        "phase": [*law.phases] if law is not None else [],
        "decider": [*law.deciders] if law is not None else [],
        "role": [*law.roles, *_SHARED_ROLES] if law is not None else [],
    }
    for verb in map(rules.by_verb.__getitem__, rules.own_verbs):
        for place, where, rule in _rules_of(verb, sources):
            if not _is_rule(registry, rule):
                yield f"{place}'{verb.verb}' {where}: {_no_rule(registry, rule)}"
        for place, word, name in _names_of(verb, sources):
            if name not in declared_names[word]:
                remedy = did_you_mean(name, declared_names[word])
                if word == "decider" and not remedy:
                    entry = "api.TABLE" if name == "table" else "api.Decider(...)"
                    remedy = f'; add  "{name}": {entry}  to the deciders of the law'
                yield f"{place}'{verb.verb}': no {word} '{name}'{remedy}"
    for attribute in ("stretch_verbs", "requests"):
        for name in getattr(rules, attribute):
            yield from _no_verb(
                rules, name, f"{sources.of_attribute(type(rules), attribute)}{attribute}"
            )
    for name in (name for buttons in rules.buttons for name in buttons):
        yield from _no_verb(rules, name, f"{sources.of_attribute(type(rules), 'buttons')}buttons")
    for point in rules.points:
        for rule in point.rules:
            if not _is_rule(registry, rule):
                place = sources.of_word(point.name)
                yield f"{place}the point '{point.name}': {_no_rule(registry, rule)}"
    for question in rules.questions:
        place = f"{sources.of_attribute(type(rules), 'questions')}questions"
        yield from _no_question(rules, question, place)
    letters = {match["letters"] for id in _ids(registry) if (match := _RULE_ID.match(id))}
    for case in cases if rules.verbs else ():
        code = case.name.partition(" ")[0]
        place = f"{case.file.name}:{case.line}: the title '{case.name}'"
        match = _RULE_ID.match(code)
        if match and match["letters"] in letters and not _is_rule(registry, code):
            yield f"{place}: {_no_rule(registry, code)}"


def _no_verb(rules: Game[Any], name: str, where: str) -> Iterator[str]:
    if name not in rules.by_verb:
        yield f"{where}: no verb '{name}'{did_you_mean(name, [*rules.by_verb])}"


def _no_question(rules: Game[Any], question: str, where: str) -> Iterator[str]:
    """A question of the desk about a verb or a key that the game does not have."""
    words = question.rstrip(":")
    verb = max(
        (name for name in rules.by_verb if f"{words} ".startswith(f"{name} ")), key=len, default=""
    )
    if not verb:
        yield from _no_verb(rules, words.partition(" ")[0], where)
        return
    key = words.removeprefix(verb).strip()
    keys = [*rules.by_verb[verb].fields]
    if key and key not in keys:
        yield f"{where}: '{verb}' has no key '{key}'{did_you_mean(key, keys)}"


def misnamed_obligations(rules: Game[Any], obligations: Iterable[Obligation]) -> Iterator[str]:
    """Verbs and rules that some obligations name, and the game does not have."""
    registry, sources = rules.registry(), Sources(rules)
    for obligation in dict.fromkeys(obligations):
        where = f"what is due ({obligation.what})"
        problems = [*_no_verb(rules, obligation.verb, where)]
        if not _is_rule(registry, obligation.rule):
            problems.append(f"{where}: {_no_rule(registry, obligation.rule)}")
        yield from (f"{sources.of_word(obligation.verb)}{problem}" for problem in problems)


def misposted(rules: Game[Any], record: Record) -> Iterator[str]:
    """Rules, accounts, units and dice that a record names, and the game does not have."""
    registry, sources = rules.registry(), Sources(rules)
    for kind in sorted(rules.supplies.difference(rules.accounts)):
        place = sources.of_attribute(type(rules), "supplies")
        yield f"{place}'{kind}' is in  supplies  and not in  accounts  of the game"
    accounts = {*rules.accounts, ADJUSTMENT, SOMEBODY, UNEXPLAINED}
    for posting in record.ledger.postings:
        if not _is_rule(registry, posting.rule):
            place = sources.of_word(posting.rule)
            yield f"{place}a movement of {posting.unit} names {_no_rule(registry, posting.rule)}"
        for kind in (kind_of(posting.source), kind_of(posting.target)):
            if kind not in accounts:
                remedy = (
                    did_you_mean(kind, [*accounts]) or f'; add  "{kind}": "its name in plain words"'
                )
                yield f"no account '{kind}' in  accounts  of the game{remedy}"
    for event in (event for step in record.steps for event in step.events):
        if not _is_rule(registry, event.rule):
            place = sources.of_word(event.rule)
            yield f"{place}the event '{event.kind or event.text}' names {_no_rule(registry, event.rule)}"
    yield from _wrong_units(rules, record, sources)
    yield from _wrong_dice(rules, record, sources)


def _wrong_units(rules: Game[Any], record: Record, sources: Sources) -> Iterator[str]:
    """Units that no figure of their account counts, and accounts that go below zero without a declaration."""
    units_by_account: dict[str, list[str]] = {}
    for measure in rules.measures.values():
        if measure.account:
            units_by_account.setdefault(measure.account, []).append(measure.unit)
    counted_units = {unit for units in units_by_account.values() for unit in units}
    for name, measure in rules.measures.items():
        moved = {
            posting.unit
            for posting in record.ledger.postings
            if measure.account in (kind_of(posting.source), kind_of(posting.target))
        }
        if measure.unit and moved and moved.isdisjoint(units_by_account[measure.account]):
            place = sources.of_attribute(type(rules), "measures")
            remedy = did_you_mean(measure.unit, [*moved]) or f" ({either(sorted(moved))})"
            yield (
                f"{place}the measure '{name}' counts '{measure.unit}', and no movement of the account "
                f"'{measure.account}' does{remedy}"
            )
    for posting in record.ledger.postings:
        for kind in (kind_of(posting.source), kind_of(posting.target)):
            units = units_by_account.get(kind, [])
            if units and posting.unit not in counted_units:
                place = sources.of_word(posting.unit)
                remedy = did_you_mean(posting.unit, units) or f" ({either(units)})"
                yield f"{place}no figure of the account '{kind}' counts '{posting.unit}'{remedy}"
    known_kinds = {*units_by_account, *rules.supplies, ADJUSTMENT, SOMEBODY, UNEXPLAINED}
    known_kinds.update(kind_of(posting.target) for posting in record.ledger.postings)
    for account, unit, balance in record.ledger.balances():
        kind = kind_of(account)
        if balance < 0 and account == kind and kind not in known_kinds:
            place = sources.of_attribute(type(rules), "accounts")
            yield (
                f"{place}the account '{kind}' has less than nothing of {unit}: if units only come from it, write  "
                f'supplies = frozenset({{"{kind}"}})'
            )


def _wrong_dice(rules: Game[Any], record: Record, sources: Sources) -> Iterator[str]:
    """The dice of throws that neither verbs nor pages have."""
    thrown = {throw.die for step in record.steps for throw in step.throws}
    unknown = sorted(thrown.difference(dice_of(rules.by_verb.values())))
    known_dice = [*view_of(record).dice] if unknown else []
    for die in unknown:
        if die not in known_dice:
            names = f" ({either(known_dice)})" if known_dice else ""
            yield f"{sources.of_word(die)}a throw names the die '{die}', which no key of a verb takes{names}"


def _rules_of(verb: type[Action], sources: Sources) -> Iterator[tuple[str, str, str]]:
    """The rules that a verb names, each with its place in the code and in words."""
    if verb.offered is not None:
        yield sources.of_attribute(verb, "offered"), "in offered", verb.offered.rule
    if verb.decides is not None:
        yield sources.of_attribute(verb, "decides"), "in decides", verb.decides.rule
    for refusal in (verb.moment.refusal, *verb.moment.refusals_by_phase.values()):
        yield sources.of_attribute(verb, "moment"), "in moment", refusal.rule
    for name, mark in verb.guards:
        yield sources.of_function(getattr(verb, name)), f"in the guard {name}", mark.rule
    for field in _fields(verb):
        if isinstance(field.kind, NewName):
            yield sources.of_attribute(verb, field.attribute), "in new_name", field.kind.rule


def _names_of(verb: type[Action], sources: Sources) -> Iterator[tuple[str, str, str]]:
    """The phases, the decider and the roles that a verb names, each with its place in the code."""
    for phase in dict.fromkeys((*verb.moment.phases, *verb.moment.refusals_by_phase)):
        yield sources.of_attribute(verb, "moment"), "phase", phase
    if verb.decides is not None:
        yield sources.of_attribute(verb, "decides"), "decider", verb.decides.decider
    fields = _fields(verb)
    for role in dict.fromkeys(role for field in fields for role in roles_of(field.kind)):
        attribute = next(field.attribute for field in fields if role in roles_of(field.kind))
        yield sources.of_attribute(verb, attribute), "role", role


def _ids(registry: Registry) -> list[str]:
    return [
        *(id for rule in registry.rules for id in (rule.id, *rule.other_ids)),
        *(ruling.id for ruling in registry.rulings),
    ]


def _is_rule(registry: Registry, code: str) -> bool:
    """Whether a rule has this id; true without an id."""
    is_known = registry.get(code) is not None or bool(registry.parts(code))
    return not code or is_known or _SHARED_RULE.match(code) is not None


def _no_rule(registry: Registry, code: str) -> str:
    return f"no rule '{code}'{did_you_mean(code, _ids(registry))}"
