"""What fits an entry that is told inside another one, an outcome: it is looked for where that one has got
to, while it lasts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from chronicle.core.common import Aside
from chronicle.core.declare import Action
from chronicle.core.record import Step
from chronicle.core.replay import Replay
from chronicle.desk.fit import BEGUN, Fitting, ranked
from chronicle.desk.typed import (
    THEN,
    Inner,
    Misspoken,
    entry_in,
    entry_text,
    inner_entries,
    take_apart,
    tells_entries,
    things_in,
)
from chronicle.desk.usage import LATELY
from chronicle.desk.writing import as_item
from chronicle.resident import Resident

HERE: Final = "\ue0d2"
"""A remark that nobody makes: where it stands, somebody looks around."""


class Told(NamedTuple):
    """A line up to the caret, in an entry that others are told inside of."""

    verb: type[Action]
    done: tuple[Inner, ...]
    """What is told already."""
    teller: str
    start: int
    """Where in the line the one begins that is typed."""


def told_at(head: str, verbs: Mapping[str, type[Action]]) -> Told | None:
    """Which entry inside another one somebody types; None where it is none, or nobody tells it yet."""
    line = take_apart(head, verbs)
    if line is None or len(line.parts) > 1 or not tells_entries(line.verb.main):
        return None
    (part,) = line.parts
    *done, last = inner_entries(part.text, verbs)
    told = Told(line.verb, tuple(done), last.teller, part.start + last.start)
    return told if last.teller else None


def choices(
    resident: Resident, replay: Replay[Any], told: Told, said: str, caret: int
) -> dict[str, Any]:
    """The choices for a caret in an entry that is told inside another (what :func:`told_at` found up to
    it), as :meth:`chronicle.desk.fit.Fitting.choices` gives them. The replay goes on."""
    head, tail = said[:caret], said[caret:]
    before, typed = head[: told.start], head[told.start :]
    ahead = f"{told.verb.verb} "
    tellers = Fitting(replay).choices(ahead, len(ahead))["choices"]
    found = _looked(resident, replay, told, typed)
    for one in found["choices"]:
        one.update(line=f"{before}{one['line']}{tail}", caret=one["caret"] + len(before))
    if _whole(typed, replay.rulebook.by_verb):
        there = {one.teller for one in told.done} | {told.teller}
        more = [
            one["line"].removeprefix(ahead)
            for one in tellers
            if one["eligible"] and one["label"] not in there
        ]
        begin = f"{head.rstrip()} {THEN} "
        found["choices"][:0] = [
            {"line": begin + one + tail, "caret": len(begin + one), "label": one or "and then"}
            | {"note": "", "hint": "", "kind": "next", "eligible": True, "why": "", "chosen": False}
            | {"met": BEGUN}
            for one in ("", *more)
        ]
    return found


def parts(said: str, verbs: Mapping[str, type[Action]]) -> list[dict[str, Any]]:
    """What a line lists one after the other, where that is more than one: the entries told in it, or things
    that come by it. Each with its words, where they ``start`` and ``end``, and the line ``without`` it."""
    line = take_apart(said, verbs)
    if line is None:
        return []
    part = line.parts[0]
    field = line.verb.main
    found: list[tuple[str, str, int]] = []
    if tells_entries(field):
        sign = f" {THEN} "
        found = [(one.teller, one.text, one.start) for one in inner_entries(part.text, verbs)]
    elif field is not None:
        sign = ", "
        things = things_in(field.kind, part.text)
        if any(one.keys for one in things):
            lead = [len(one.text) - len(one.text.lstrip()) for one in things]
            found = [
                ("", one.text.strip(), one.start + at) for one, at in zip(things, lead, strict=True)
            ]
    found = [one for one in found if one[1]]
    if len(found) < 2:
        return []
    made = []
    for number, (teller, text, start) in enumerate(found):
        rest = [*found[:number], *found[number + 1 :]]
        before = ["", *(one[0] for one in rest)]
        told = (
            f"{who}: {words}" if who != last else words
            for (who, words, _), last in zip(rest, before, strict=False)
        )
        tail = said[part.start + len(part.text) :]
        made.append(
            {
                "who": teller if number == 0 or teller != found[number - 1][0] else "",
                "text": text,
                "start": part.start + start,
                "end": part.start + start + len(text),
                "without": f"{said[: part.start]}{sign.join(told)}{tail}",
            }
        )
    return made


def _whole(typed: str, verbs: Mapping[str, type[Action]]) -> bool:
    try:
        return any(value != "" for value in entry_in(typed, verbs).values())
    except Misspoken:
        return False


def _looked(resident: Resident, replay: Replay[Any], told: Told, typed: str) -> dict[str, Any]:
    """What fits inside, where what is told already has been told."""
    found: dict[str, Any] = {}
    perform = replay.play.perform

    def performed(action: Action) -> Step:
        if isinstance(action, Aside) and str(action.source.get("aside", "")) == HERE:  # type: ignore[call-overload]
            found.update(Fitting(replay, told.teller).choices(typed, len(typed)))
        return perform(action)

    data: dict[str, list[dict[str, Any]]] = {}
    verbs = replay.rulebook.by_verb
    try:
        for one in told.done:
            if one.text:
                data.setdefault(one.teller, []).append(entry_in(one.text, verbs))
    except Misspoken:
        pass  # what is wrong with it is said of the line
    data.setdefault(told.teller, []).append({"aside": HERE})
    replay.play.perform = performed
    resident.attempt(replay, as_item(entry_text({told.verb.verb: data})))
    if not found:
        found.update(Fitting(replay, told.teller).choices(typed, len(typed)))
    within = _used_inside(replay, told.verb)
    found["choices"] = [one for one in found["choices"] if one["label"] != told.verb.verb]
    own = replay.rulebook.own_verbs
    if all(one["kind"] == "verb" for one in found["choices"]):
        lately = (one for one in replay.play.steps[-LATELY:] if one.scene and not _looks(one))
        often = Counter(one.action.verb for one in lately)
        found["choices"].sort(
            key=lambda one: (
                *ranked(one),
                -within[one["label"]],
                one["label"] not in own,
                -often[one["label"]],
            )
        )
    return found


def _looks(step: Step) -> bool:
    """Whether an entry is the remark that nobody makes."""
    return isinstance(step.action, Aside) and str(step.action.source.get("aside", "")) == HERE  # type: ignore[call-overload]


def _used_inside(replay: Replay[Any], verb: type[Action]) -> Counter[str]:
    """How often each verb was told inside such an entry lately."""
    steps = replay.play.steps[-LATELY:]
    outer = {one.index for one in steps if isinstance(one.action, verb)}
    return Counter(one.action.verb for one in steps if one.parent in outer and not _looks(one))
