"""Check what the methods of a game give, and what its pages and cards hold: types, columns and names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, Final

from chronicle.campaigns import load, view_of
from chronicle.core.campaign import Campaign
from chronicle.core.campaign_view import CampaignView, Section, Table
from chronicle.core.declare import Action
from chronicle.core.diagnostic import did_you_mean, plural
from chronicle.core.fix import RemoveKey, SetKey
from chronicle.core.game import Game
from chronicle.core.game_context import GameContext
from chronicle.core.outcomes import Outcome, Telling
from chronicle.core.record import Record, Step
from chronicle.core.replay import Replay, entries_from
from chronicle.testkit.cases import Case, write_case
from chronicle.testkit.sources import Sources
from chronicle.testkit.value_types import declared_types, mismatches, result_type, shown

_CORE: Final = "chronicle.core."
_LISTS_OF_A_VIEW: Final = (
    "sheets", "registries", "relations", "curves", "pages", "overview", "state", "loose_ends", "dice", "coin_word",
)  # fmt: skip
"""What a game adds to its view."""
_NOT_ASKED: Final = ("start", "fill", "stand", "finish", "for_readers", "house_changed")
"""Methods that change something."""
_MOST: Final = 3
"""The most problems that are listed: one mistake is found at many places."""


def misshown(rules: Game[Any], cases: Sequence[Case], scratch_folder: Path) -> Iterator[str]:
    """What methods, pages, cards and outcomes of a game hold that cannot be shown, one line for each, with its place.
    Mistakes for which a replay fails are left to other checks."""
    sources, problems = Sources(rules), dict[str, None]()
    campaigns = [
        write_case(case, scratch_folder / f"{number}") for number, case in enumerate(cases)
    ]
    for path in campaigns:
        campaign = load(path)
        start = _no_state(rules, campaign, sources)
        if start:
            yield start
            return
        try:
            replay: Replay[Any] = Replay(campaign, rules)
            for _, action in entries_from(replay):
                replay.do(action)
        except Exception:  # the check of the cases tells it
            return
        wrong_results = [*_wrong_results(rules, replay, sources)]
        problems |= dict.fromkeys(wrong_results)
        if not wrong_results:
            problems |= dict.fromkeys(_in_record(rules, replay.finish(), sources))
        if problems:
            break
    yield from [*problems][:_MOST]


def _no_state(rules: Game[Any], campaign: Campaign, sources: Sources) -> str:
    """The line about a method ``start`` without a state, although it is declared with one; else empty."""
    game: Any = type(rules)
    start = game.start
    declared, states = start.__annotations__.get("return"), list[object]()
    if declared in (None, "None") or "start" not in vars(game):
        return ""

    def watched_start(self: Game[Any], play: GameContext[Any]) -> Any:
        states.append(start(self, play))
        return states[-1]

    game.start = watched_start
    try:
        Replay(campaign, rules)
    except Exception:  # perhaps for want of the state
        pass
    finally:
        game.start = start
    if states != [None]:
        return ""
    return f"{sources.of_function(start)}start gave None: it returns the state of the game,  return {declared}()"


def _wrong_results(rules: Game[Any], replay: Replay[Any], sources: Sources) -> Iterator[str]:
    """The methods of a game about the state of play that give something of a wrong type."""
    names = replay.play.names.all
    for subject in names.values():
        spoken_for: object = rules.player_of(replay.play, subject)
        if not isinstance(spoken_for, str):
            place = sources.of_function(type(rules).player_of)
            yield f"{place}player_of gave {shown(spoken_for)} for {subject.name}; write a text, empty for nobody"
            break
    for name, method in _own_methods(type(rules)):
        declared = _declared_result(type(rules), name)
        if declared is None or name in _NOT_ASKED or len(signature(method).parameters) != 2:
            continue
        for mismatch in [
            *mismatches(method(rules, replay.play), declared, f"the result of {name}")
        ][:1]:
            yield f"{sources.of_function(method)}{mismatch}"


def _own_methods(game: type) -> Iterator[tuple[str, Callable[..., object]]]:
    """The methods of a game that replace those of Chronicle."""
    for owner in game.__mro__:
        if owner.__module__.startswith(_CORE):
            return
        for name, member in vars(owner).items():
            if callable(member) and not name.startswith("_"):
                yield name, member


def _declared_result(game: type, method: str) -> Any:
    owners = [owner for owner in game.__mro__ if owner.__module__.startswith(_CORE)]
    found = (result_type(owner, method) for owner in owners if method in vars(owner))
    return next(found, None)


# -- records ---------------------------------------------------------------------------------------


def _in_record(rules: Game[Any], record: Record, sources: Sources) -> Iterator[str]:
    """What is wrong in the steps, the outcomes and the view of a record."""
    ids, rule_ids = record.names.all, [rule.id for rule in rules.registry().rules]
    for step in record.steps:
        verb = step.action.verb
        place = sources.of_function(type(step.action).apply)
        for words, value in (
            *((("the contest", step.contest),) if step.contest is not None else ()),
            *(("the throw", throw) for throw in step.throws),
            *(("the event", event) for event in step.events),
        ):
            yield from _wrong(value, type(value), words, verb, place)
        rule = step.contest.rule if step.contest is not None else ""
        if rule and rules.registry().get(rule) is None:
            remedy = did_you_mean(rule, rule_ids)
            yield f"{sources.of_word(rule)}the contest of '{verb}' names no rule '{rule}'{remedy}"
        for throw in step.throws:
            if throw.player and throw.player not in ids:
                remedy = did_you_mean(throw.player, [*ids])
                yield f"{place}a throw of '{verb}' names no player '{throw.player}'{remedy}"
        for event in step.events:
            is_of_game = verb in rules.own_verbs and event.kind != "computed"
            if is_of_game and event.subject and event.subject not in ids:
                yield f"{place}the event '{event.kind}' of '{verb}' is about the id '{event.subject}', which nobody has"
        keys = [*step.action.field_readers]
        for key in _changed_keys(step):
            if key not in keys:
                remedy = did_you_mean(key, keys)
                yield f"{sources.of_word(key)}a fix changes the key '{key}', which '{verb}' does not have{remedy}"
    wrong_outcomes = [*_wrong_outcomes(record, sources)]
    yield from wrong_outcomes
    if not wrong_outcomes:  # The view is made of outcomes, too.
        yield from _wrong_view(rules, view_of(record), sources)


def _changed_keys(step: Step) -> Iterator[str]:
    """The keys of an entry that the fixes of its problems change."""
    for diagnostic in step.diagnostics:
        for edit in (edit for fix in diagnostic.declared_fixes for edit in fix.edits):
            if isinstance(edit, SetKey | RemoveKey) and edit.place == step.action.whole_place:
                yield edit.key


def _wrong(value: object, hint: Any, words: str, verb: str, place: str) -> Iterator[str]:
    for mismatch in [*mismatches(value, hint, words)][:1]:
        yield f"{place}'{verb}': {mismatch}"


def _wrong_outcomes(record: Record, sources: Sources) -> Iterator[str]:
    """The outcomes of verbs that no page can tell."""
    telling = Telling(record)
    for step in record.steps:
        telling.note_all(step)
        method = type(step.action).outcomes
        if method is Action.outcomes:
            continue
        place, verb = sources.of_function(method), step.action.verb
        outcomes: object = step.action.outcomes(telling, step)
        if isinstance(outcomes, Outcome) or not isinstance(outcomes, Iterable):
            yield f"{place}outcomes of '{verb}' gave {shown(outcomes)}: write  yield telling.outcome(...)"
            continue
        for outcome in outcomes:
            yield from _wrong(outcome, Outcome, "the outcome", verb, place)
            if isinstance(outcome, Outcome):
                for id in outcome.subject_ids:
                    if id not in record.names.all:
                        yield f"{place}the outcome of '{verb}' is about the id '{id}', which nobody has"


# -- pages -----------------------------------------------------------------------------------------


def _wrong_view(rules: Game[Any], view: CampaignView, sources: Sources) -> Iterator[str]:
    """What is wrong on the pages that a game fills."""
    place = sources.of_function(type(rules).fill)
    types = declared_types(CampaignView)
    problems = [
        mismatch
        for name in _LISTS_OF_A_VIEW
        for mismatch in [*mismatches(getattr(view, name), types[name], f"view.{name}")][:1]
    ]
    yield from (f"{place}{mismatch}" for mismatch in problems)
    if problems:
        return
    blocks = [
        *(
            (f"the sheet of {sheet.name}", block)
            for sheet in view.sheets
            for block in (*sheet.blocks, *sheet.aside)
        ),
        *((f"the page '{page.title}'", block) for page in view.pages for block in page.blocks),
        *(("the page About", block) for block in view.overview),
        *(("the page State of play", block) for block in view.state),
    ]
    for where, block in blocks:
        yield from (f"{place}{where}: {problem}" for problem in _wrong_tables(block))
    columns = {registry.title: len(registry.columns) for registry in view.registries}
    for sheet in view.sheets:
        count = columns.get(sheet.registry, 0)
        if sheet.row and len(sheet.row) != count:
            cells, heads = plural(len(sheet.row), "cell"), plural(count, "column")
            yield f"{place}the row of the sheet of {sheet.name} has {cells}, and '{sheet.registry}' {heads}"
    registries = [sheet.registry for sheet in view.sheets]
    for title in columns:
        remedy = did_you_mean(title, registries) if title not in registries else ""
        if remedy:
            yield f"{place}no sheet has the registry '{title}'{remedy}"
    slugs = [page.slug for page in view.pages]
    for page in view.pages:
        if page.within and page.within not in slugs:
            remedy = did_you_mean(page.within, slugs)
            yield f"{place}the page '{page.title}' is within '{page.within}', which is no page{remedy}"


def _wrong_tables(block: object) -> Iterator[str]:
    if isinstance(block, Section):
        for inner in block.blocks:
            yield from _wrong_tables(inner)
    if isinstance(block, Table):
        for number, row in enumerate(block.rows, 1):
            if len(row) != len(block.columns):
                cells, heads = plural(len(row), "cell"), plural(len(block.columns), "column")
                yield f"row {number} of a table has {cells}, and the table {heads}"
                return
