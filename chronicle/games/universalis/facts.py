"""Facts: paid statements, from the entry that buys them to the entry that ends them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.fix import replace_with
from chronicle.core.house_rules import AdoptedRule
from chronicle.core.names import fold
from chronicle.core.references import (
    LAST,
    Condition,
    ReferenceTarget,
    matching_targets,
    resolve_reference,
)
from chronicle.core.reporter import number_in_old_id
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import gates
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import Fact, Life, SceneState, Tenet


def note(
    play: Table, id: ScalarNode | None, mint: str, text: str, kind: str, scope: str, **details: Any
) -> Fact:
    """A paid statement, noted under the id that it was given, or else one that is minted; but for a fate
    it hangs on the scene at hand as well."""
    state, scene = play.state, play.state.current_scene
    key = str(id) if id is not None else play.mint(mint)
    number = scene.number if scene is not None else 0
    step = play.step
    fact = Fact(key, text, kind, scope, number, step.number, step.player, **details)
    state.facts[key] = fact
    if scene is not None and kind != "fate":
        scene.facts.append(fact)
    return fact


def last_event(scene: SceneState) -> Fact | None:
    """The last Event of a scene."""
    return next((f for f in reversed(scene.facts) if f.kind == "event" and not f.struck), None)


def _earlier(fact: Fact) -> ReferenceTarget[Fact]:
    return ReferenceTarget(fact.id, fact.text, fact.step, fact)


def _events(scene: SceneState) -> list[ReferenceTarget[Fact]]:
    return [_earlier(f) for f in scene.facts if f.kind == "event" and not f.struck]


def event_named(scene: SceneState, word: ScalarNode) -> Fact | None:
    """The Event of a scene that a word means, for guards; nothing is reported."""
    if fold(word) == LAST:
        return last_event(scene)
    matches = matching_targets(str(word), _events(scene), number_in_old_id(word))
    return matches[0].target if len(matches) == 1 else None


def event_meant(
    play: Table,
    scene: SceneState,
    word: ScalarNode,
    rule: str,
    *further: Condition[Fact],
    applies: bool = False,
) -> Fact | None:
    """The Event of the scene at hand that a word means. Another meaning is reported, and with
    ``applies`` it is used all the same."""
    events = _events(scene)
    every = (_earlier(f) for f in play.state.facts.values() if f.kind == "event")
    last = last_event(scene)
    reference = resolve_reference(
        play,
        word,
        events if matching_targets(str(word), events, number_in_old_id(word)) else every,
        "Event",
        rule,
        last_target=_earlier(last) if last is not None else None,
        conditions=(
            Condition(lambda fact: not fact.struck, rule, "this Event was struck"),
            Condition(
                lambda fact: fact.scene == scene.number,
                rule,
                "this Event belongs to a scene that is over",
                "it is about what has just been told in the scene at hand",
            ),
            *further,
        ),
        kind=DiagnosticKind.ILLEGAL,
        keep_unfit_target=applies,
    )
    return reference.target if reference is not None else None


# --- what is in force ---------------------------------------------------------------------------------


AnyFact: TypeAlias = "Fact | Tenet | AdoptedRule"


def facts_in_force(play: Table, *, attacked_by: int = 0) -> Iterator[ReferenceTarget[AnyFact]]:
    """Everything that was paid for or agreed on and holds: Facts, Tenets, rules of the table's own. A Fact that
    the entry ``attacked_by`` replaced or changed still supports a Challenge of that entry (U2.7, U3.54)."""
    for fact in _facts_and_tenets(play):
        if fact.life is Life.IN_FORCE or (attacked_by and fact.over == attacked_by):
            yield _target(fact)
    yield from standing_rules(play)


def standing_rules(play: Table) -> Iterator[ReferenceTarget[AnyFact]]:
    """The rules of the table's own that are in force, and no Gimmicks."""
    for rule in play.adopted_rules.rules.values():
        if not rule.ending_step_number and rule.id not in play.state.tenets:
            yield ReferenceTarget(rule.id, rule.text, rule.adopting_step_number, rule)


def tenets_in_force(play: Table) -> Iterator[ReferenceTarget[AnyFact]]:
    """The Tenets that hold."""
    return (_target(tenet) for tenet in play.state.tenets.values() if tenet.life is Life.IN_FORCE)


def facts_of(play: Table, scope: str, word: str) -> Iterator[ReferenceTarget[AnyFact]]:
    """Facts that players can draw upon as ``scene``, ``world`` or ``tenet``: by an id, any Fact."""
    if scope.startswith("tenet"):
        yield from tenets_in_force(play)
        return
    scene, once = play.state.current_scene, number_in_old_id(word)
    own = scene.facts if scene is not None and scope != "world" else ()
    for fact in play.state.facts.values():
        in_scope = fact.scope == "world" if scope == "world" else fact in own
        named = word == fact.id or (once and once == fact.step)
        if fact.life is Life.IN_FORCE and (in_scope or named):
            yield _target(fact)


def look_up(
    play: Table, word: str, among: Sequence[ReferenceTarget[AnyFact]]
) -> tuple[list[ReferenceTarget[AnyFact]], Bar | None]:
    """The Facts in force that an id or some words mean; or why they mean none, if they mean one that is over.

    The id of a Fact that is over means that Fact, even if another has the word among its words.
    """
    if any(fact.id == word for fact in among):
        return matching_targets(word, among), None
    matches = matching_targets(word, among, number_in_old_id(word))
    bar = _over(play, word, by_id=bool(matches))
    return ([], bar) if bar is not None else (matches, None)


def _over(play: Table, word: str, *, by_id: bool) -> Bar | None:
    """Why words mean no Fact: what they mean was replaced, changed or ended. ``by_id``: an id alone."""
    gone = [
        ReferenceTarget(fact.id, fact.text, fact.step, fact)
        for fact in _facts_and_tenets(play)
        if fact.life is not Life.IN_FORCE and (fact.id == word or not by_id)
    ]
    matches = matching_targets(word, gone, number_in_old_id(word))
    if not matches:
        return None
    fact = matches[-1].target
    how = {
        Life.REPLACED: "was replaced and is no longer in force",
        Life.STRUCK: "was not carried out, so it is no Fact",
    }.get(fact.life, "is no longer in force")
    later = (
        replacement.id
        for replacement in _facts_and_tenets(play)
        if fact.over and replacement.step == fact.over
    )
    successor = next(later, "")
    return Bar(
        "U3.54",
        f"'{fact.text}' {how}",
        fact.over,
        "here",
        fixes=tuple(replace_with((successor,), old=word)) if successor else (),
        help="name a Fact that is in force",
    )


def text_of_fact(play: Table, word: ScalarNode, among: Iterable[ReferenceTarget[AnyFact]]) -> str:
    """The Fact in force that an id or some words mean, for guards; empty if there is none, and nothing is reported."""
    texts = {fact.text for fact in look_up(play, word, [*among])[0]}
    return texts.pop() if len(texts) == 1 else ""


def find_fact(
    play: Table,
    word: ScalarNode,
    rule: str,
    among: Iterable[ReferenceTarget[AnyFact]],
    noun: str = "Fact",
    help: str = "name a Fact by its id or its words",
) -> ReferenceTarget[AnyFact] | None:
    """The Fact in force that an id or some words mean; where there is none, that is reported."""
    candidates = list(among)
    _, bar = look_up(play, word, candidates)
    if bar is not None:
        gates.nothing_bars(play, bar._replace(rule=rule), word)
        return None
    return resolve_reference(
        play,
        word,
        candidates,
        noun,
        rule,
        merge_same_text=True,
        kind=DiagnosticKind.ILLEGAL,
        help=help,
    )


def tenet_with_id(play: Table, id: str) -> Tenet | None:
    """The Tenet of an id. An add-on that ``campaign.yaml`` adopted becomes one when it is spoken of."""
    tenets = play.state.tenets
    add_on = next((candidate for candidate in play.state.add_ons if candidate.id == id), None)
    if add_on is not None and id not in tenets:
        tenets[id] = Tenet(id, add_on.title, "gimmick", 0, "", wordings=[(0, add_on.title)])
    return tenets.get(id)


def _possible_tenets(play: Table) -> tuple[ReferenceTarget[AnyFact], ...]:
    """The Tenets in force, and the add-ons that nobody has spoken of yet."""
    unspoken = (
        Tenet(add_on.id, add_on.title, "gimmick", 0, "")
        for add_on in play.state.add_ons
        if add_on.id not in play.state.tenets
    )
    return (*tenets_in_force(play), *map(_target, unspoken))


def id_of_tenet(play: Table, word: ScalarNode | None) -> str:
    """The id of the Tenet in force that an id or some words mean, for guards; nothing is reported."""
    tenets = look_up(play, word, _possible_tenets(play))[0] if word is not None else []
    return tenets[0].id if len(tenets) == 1 else ""


def find_tenet(play: Table, word: ScalarNode, help: str) -> Tenet | None:
    """The Tenet in force that an id or some words mean; where there is none, that is reported (U2.7)."""
    candidates = _possible_tenets(play)
    target = find_fact(play, word, "U2.7", candidates, "Tenet in force", help)
    # A Tenet that a misspelt id can mean is proposed as a fix, and not changed.
    if target is None or not matching_targets(str(word), candidates, number_in_old_id(word)):
        return None
    return tenet_with_id(play, target.id)


def relate(play: Table, new: Fact | Tenet, old: AnyFact, how: str) -> None:
    """A new Fact replaces an older one, or is an exception to it (U3.54)."""
    if isinstance(old, AdoptedRule):
        return
    if how == "exception to":
        old.exceptions.append(new.id)
    elif isinstance(old, Fact):
        old.over = new.step
    if old.step:
        play.link_steps(play.step.number, old.step)


def _facts_and_tenets(play: Table) -> Iterator[Fact | Tenet]:
    yield from play.state.facts.values()
    yield from play.state.tenets.values()


def _target(fact: Fact | Tenet) -> ReferenceTarget[AnyFact]:
    return ReferenceTarget(fact.id, fact.text, fact.step, fact)
