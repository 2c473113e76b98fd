"""The moment: where play stands after an entry, who owes what, what may come next and what not."""

from __future__ import annotations

from random import Random
from typing import Any

from chronicle.core.common import COMMON_VERBS
from chronicle.core.law import allows, player_named
from chronicle.core.moment import likely_first
from chronicle.core.names import Named
from chronicle.core.play import Due, Option, Play
from chronicle.core.replay import Replay
from chronicle.desk import plain
from chronicle.desk.spans import Spans, Speller


def table(replay: Replay[Any], spell: Speller, *, panel: bool = True) -> dict[str, Any]:
    """The table as a replay stands; without its ``panel`` where only what may come is asked."""
    play = replay.play
    rules = replay.rulebook
    due = rules.due(play)
    options = likely_first(rules.options(play), due)
    wanted = {one.verb for one in due}
    made: dict[str, Any] = {
        "step": len(play.steps),
        **_place(replay, spell),
        "due": [_due(play, one, spell) for one in due],
        "next": [_option(one, one.verb in wanted) for one in options],
        "always": [verb.verb for verb in COMMON_VERBS],
        "not_now": _not_now(replay, options),
    }
    if panel:
        made["panel"] = plain.blocks(rules.panel(play), spell)
    return made


def _place(replay: Replay[Any], spell: Speller) -> dict[str, Any]:
    play, law = replay.play, replay.rulebook.law
    scene = play.timeline.current
    crumbs = []
    if scene is not None:
        title = f", {scene.title}" if scene.title else ""
        crumbs.append(f"{scene.kind.capitalize()} {scene.number}{title}")
    if law is not None and law.phases:
        crumbs.append(law.phases[law.phase(play)].words)
    headline = play.rulebook.situation(play)
    return {
        "crumbs": crumbs,
        "headline": spell(headline),
        "sub": [],
        "present": [*play.present],
    }


def _due(play: Play[Any], one: Due, spell: Speller) -> dict[str, Any]:
    found = play.names.find(one.who) if one.who else None
    player = player_named(play, found.id) if isinstance(found, Named) else ""
    return {
        "who": one.who,
        "player": player,
        "what": one.what,
        "amount": one.amount,
        "kind": one.kind,
        "verb": one.verb,
        "rule": one.rule,
        "within": one.within,
        "sources": [{"label": label, "amount": amount} for label, amount in one.sources],
        "said": spell(str(one)),
    }


def _option(one: Option, settles: bool) -> dict[str, Any]:
    return {
        "verb": one.verb,
        "by": one.by,
        "label": one.verb,
        "price": None,
        "hint": one.hint,
        "rule": one.rule,
        "settles_due": settles,
        "entry": one.entry(Random(1)),
    }


def _not_now(replay: Replay[Any], options: list[Option]) -> list[dict[str, str]]:
    """The verbs of the game that may not come, with what is in the way as far as it is declared."""
    play, law = replay.play, replay.rulebook.law
    legal = {one.verb for one in options}
    found: list[dict[str, str]] = []
    for name in replay.rulebook.own_verbs:
        if name in legal:
            continue
        verb = replay.rulebook.by_verb[name]
        why = ""
        if law is not None and not allows(law, play, verb):
            phase = law.phases[law.phase(play)]
            why = f"now {phase.words}"
        found.append({"verb": name, "why": why})
    return found


def sentence(spans: Spans) -> str:
    """The text of spans."""
    return "".join(span if isinstance(span, str) else str(span["t"]) for span in spans)
