"""The log as it grows: each entry with what it said and what followed from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from textwrap import dedent
from typing import Any, Final

from chronicle.core.campaign import Header
from chronicle.core.common import COMMON_VERBS
from chronicle.core.declare import TEXT, Action, PartOf, alternatives, bare
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.holes import at_most
from chronicle.core.keepers import PERSONAL
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.names import Named
from chronicle.core.record import Record, SessionRecord, Step
from chronicle.core.refused import Refused
from chronicle.core.secrets import VERSION
from chronicle.core.source import Entries, Items, Value, Word
from chronicle.desk import plain
from chronicle.desk.findings import keyed
from chronicle.desk.room import Opened, Unanswerable, version_of
from chronicle.desk.spans import Speller
from chronicle.transcript.edit import end_of
from chronicle.transcript.kinds import holds_entries

EVERYTHING: Final = ("everybody", "all")
"""Words of which it is told whom or what they mean."""
SEALED: Final = f'["{VERSION}"'
PAGE: Final = 256
"""After how many postings it is noted again what everybody holds."""


def log(opened: Opened, first: int, last: int) -> dict[str, Any]:
    """The entries from number ``first`` to ``last``, with the evenings and scenes they lie in."""
    record = opened.resident.record
    if record is None:
        raise opened.unreadable()
    first = max(first, 1)
    steps = record.steps[first - 1 : max(last, 0)]
    spell = opened.speller()
    keys: dict[int, list[str]] = {}
    apart: dict[str, Diagnostic] = {}
    for key, one in keyed(opened).items():
        keys.setdefault(one.step, []).append(key)
        if not one.step:
            apart[key] = one
    moved = _moved(opened, record, spell)
    unread = [*_unread(opened, record, apart, keys)] if apart else []
    return {
        "total": len(record.steps),
        "entries": [_entry(record, step, spell, moved, keys.get(step.index, [])) for step in steps],
        "unread": [one for one in unread if first - 1 <= one["after"] <= last],
        "sessions": [
            {
                "number": one.session.number,
                "title": str(one.session.header.title or ""),
                "date": str(one.session.header.date or ""),
                "file": one.session.path,
                "version": _version(opened, one) if one.last_step + 1 >= first else "",
                "first_step": one.first_step,
                "last_step": one.last_step,
                "present": [*one.present],
                "told": _told(one.session.header),
            }
            for one in record.sessions
        ],
        "scenes": [
            {
                "number": scene.number,
                "title": scene.title,
                "kind": scene.kind,
                "session": scene.session,
                "first_step": scene.first_step,
                "last_step": scene.last_step or 0,
                "place": scene.place,
                "time": scene.when,
                "cast": [
                    record.names.all[who].name for who in scene.cast if who in record.names.all
                ],
            }
            for scene in record.timeline.scenes
        ],
    }


def _version(opened: Opened, played: SessionRecord) -> str:
    """Which version of its file a session was read from."""
    with suppress(Refused):
        return version_of(opened.text(played.session.path))
    return ""


def at_step(opened: Opened, number: int) -> dict[str, Any]:
    """One entry."""
    found: list[dict[str, Any]] = log(opened, number, number)["entries"]
    if not found:
        raise Unanswerable(f"there is no entry {number}")
    return found[0]


def _moved(opened: Opened, record: Record, spell: Speller) -> _Moved:
    """What every entry of a record moved, worked out once."""
    kept = opened.kept.get("moved")
    if not isinstance(kept, _Moved) or kept.record is not record:
        before = kept if isinstance(kept, _Moved) else None
        kept = opened.kept["moved"] = _Moved(record, spell, before)
    return kept


class _Moved:
    """What every entry moved, with what was left. ``before`` is what was so of how the record was: what
    has been worked out down to the first posting that is another one now is taken from there."""

    def __init__(self, record: Record, spell: Speller, before: _Moved | None = None) -> None:
        self.record = record
        # The record's own list goes on with the play.
        self._postings = [*record.ledger.postings]
        self._spell = spell
        self._left: list[tuple[int, int]] = []
        """What giver and taker hold after each posting."""
        self._pages: list[dict[tuple[str, str], int]] = []
        """What everybody holds before each of so many postings."""
        if before is not None:
            pairs = zip(before._postings, self._postings, strict=False)
            alike = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
            self._pages = before._pages[: alike // PAGE + 1]
            self._left = before._left[: max(len(self._pages) - 1, 0) * PAGE]
        balances = {**self._pages.pop()} if self._pages else {}
        for at in range(len(self._left), len(self._postings)):
            if at % PAGE == 0:
                self._pages.append({**balances})
            one = self._postings[at]
            giver, taker = (one.source, one.unit), (one.target, one.unit)
            balances[giver] = balances.get(giver, 0) - one.amount
            balances[taker] = balances.get(taker, 0) + one.amount
            self._left.append((balances[giver], balances[taker]))

    def by(self, step: Step) -> list[dict[str, Any]]:
        """Who got or lost how much of what under which rule, and what they hold now."""
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for at in range(*step.posting_range):
            one = self._postings[at]
            if one.step != step.index:
                continue
            for account, sign, left in (
                (one.source, -1, self._left[at][0]),
                (one.target, 1, self._left[at][1]),
            ):
                owner = owner_of(account)
                if not owner:
                    continue
                told = found.setdefault(
                    (account, one.unit),
                    {
                        "who": self._spell.each(owner),
                        "of": kind_of(account),
                        "unit": one.unit,
                        "change": 0,
                    },
                )
                told["change"] += sign * one.amount
                bound = (account, one.unit) in step.bounds
                told |= {"balance": at_most(left, True) if bound else left, "rule": one.rule}
        return [*found.values()]


def _told(header: Header) -> dict[str, Any]:
    """The keepers' words in the head of a session."""
    return {
        "recap": "\n\n".join(text.strip() for text in header.recap),
        **{
            key: {str(name): str(text) for name, text in (getattr(header, key) or {}).items()}
            for key in PERSONAL
        },
    }


def _entry(
    record: Record, step: Step, spell: Speller, moved: _Moved, findings: list[str]
) -> dict[str, Any]:
    whole = step.action.whole
    return {
        "step": step.index,
        "parent": step.parent or 0,
        "file": whole.path,
        "line": whole.line,
        "end_line": whole.end_line if whole.end_column > 1 else whole.end_line - 1,
        "session": step.session,
        "scene": step.scene or 0,
        "player": step.player,
        "speaker": spell(step.speaker) if step.speaker else [],
        "verb": step.action.verb,
        "head": spell(step.headline),
        "fiction": step.fiction,
        "talk": step.talk,
        "follows": [
            {"text": spell(event.text), "rule": event.rule, "kind": event.kind}
            for event in step.events
        ],
        "moved": moved.by(step),
        "written": _written(record, step),
        "dice": plain.contest(step.contest) if step.contest is not None else None,
        "struck": step.struck,
        "hidden": step.hidden,
        "links": [_leading(record, index) for index in step.links],
        "findings": findings,
    }


def _written(record: Record, step: Step) -> list[dict[str, str]]:
    """What an entry says and nothing that is told of it does: a sentence, the lines of a sheet, figures, who
    does something to whom, by their keys; a sealed text is none to be read, and what nobody else at the
    table may see yet does not stand on its page."""
    action = step.action
    if step.contest is not None:
        return []
    told = [step.headline, step.fiction, step.talk, *(event.text for event in step.events)]
    scene = record.timeline.get(step.scene) if step.scene else None
    if scene is not None and scene.first_step == step.index:
        told += [scene.title, scene.place, scene.when]
        told += [record.names.all[who].name for who in scene.cast if who in record.names.all]
    known = _flat(" ".join(filter(None, (*told, *EVERYTHING))))
    # What others tell within it, and what was counted, is told of each.
    counted = type(action) in COMMON_VERBS or holds_entries(type(action).main)
    # A word of the game is told by what it does; a sentence is somebody's own.
    head = type(action).main
    own = head is not None and bare(head.kind) is TEXT
    found = []
    for key, value in action.source.items():
        name = str(key)
        main = name == action.verb and (own or not isinstance(value, Word)) and not counted
        if name in Action.fields or not (main or name in action.fields):
            continue
        if step.hidden and name in (action.hides or ()):
            continue
        if not main and isinstance(value, Entries) and {*map(str, value)} <= _keys_of(action, name):
            # Of something made of keys, what is told elsewhere is not said again: where it is.
            value = Entries(
                (part, one)
                for part, one in value.items()
                if any(not _known(record, word, known) for word in _leaves(one))
            )
            if not value:
                continue
        if _untold(record, value, told, known, own=not main and action.hides is None):
            text = _said(value)
            if not text.startswith(SEALED):
                found.append({"key": name, "text": text})
    return found


def _keys_of(action: Action, name: str) -> set[str]:
    """The keys that something may be made of under a key of an entry."""
    field = action.fields.get(name)
    kinds = map(bare, alternatives(field.kind)) if field is not None else ()
    return {key for one in kinds if isinstance(one, PartOf) for key in one.part.fields}


def _untold(
    record: Record, value: Value, told: Sequence[str | None], known: str, *, own: bool
) -> bool:
    """Whether something in a value of a key is not told (``known``, in sentences). Of what an entry is
    about (not a key of its ``own``) names and figures are told in other ways."""
    words = [one for one in _leaves(value) if own or any(map(str.isalpha, one))]
    apart = [one for one in words if not _known(record, one, known)]
    if not own:
        return any(not isinstance(record.names.find(one), Named) for one in apart)
    if apart or not isinstance(value, Entries):
        return bool(apart)
    # Both may be told, and not what the one has to do with the other.
    sentences = [_flat(one) for one in told if one]
    for key, one in value.items():
        there = [sentence for sentence in sentences if _known(record, str(key), sentence)]
        if any(
            isinstance(record.names.find(word), Named)
            and not any(_known(record, word, sentence) for sentence in there)
            for word in _leaves(one)
        ):
            return True
    return False


def _known(record: Record, word: str, told: str) -> bool:
    """Whether a word is told: as it stands, or somebody by another of their names."""
    found = record.names.find(word)
    if not isinstance(found, Named):
        figure = word.lstrip("-").isdigit()
        return _token(word, told) if figure else _flat(word) in told
    names = {word, found.name}
    # Whoever is called by one of their names is named.
    names |= {part for name in names for part in name.split() if part[:1].isupper()}
    return any(_token(_flat(one), told) for one in names)


def _token(word: str, told: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", told) is not None


def _leaves(value: Value) -> Iterator[str]:
    if isinstance(value, Word):
        yield str(value)
    elif isinstance(value, Items):
        for one in value:
            yield from _leaves(one)
    else:
        for key, one in value.items():
            yield str(key)
            yield from _leaves(one)


def _said(value: Value) -> str:
    """A value in words, without the marks of a file."""
    if isinstance(value, Word):
        return " ".join(str(value).split())
    if isinstance(value, Items):
        return ", ".join(map(_said, value))
    return "; ".join(f"{key}: {_said(one)}" for key, one in value.items())


def _flat(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def _unread(
    opened: Opened,
    record: Record,
    found: Mapping[str, Diagnostic],
    about_steps: dict[int, list[str]],
) -> Iterator[dict[str, Any]]:
    """What stands in the log and could not be read as an entry: where, ``after`` which entry, and what is
    found about it (of findings that are no entry's, by their keys). What was read for all that is found
    ``about_steps``."""
    campaign = opened.resident.campaign
    files = [session.path for session in campaign.sessions] if campaign is not None else []
    about: dict[tuple[int, int], list[str]] = {}
    ends: dict[tuple[int, int], int] = {}
    for key, one in found.items():
        place = one.place
        tree = opened.tree(place.path) if place.path in files else None
        log = tree.get(Word("log")) if isinstance(tree, Entries) else None
        for item in log if isinstance(log, Items) else ():
            if item.line <= place.line <= end_of(item):
                at = files.index(place.path), item.line
                about.setdefault(at, []).append(key)
                ends[at] = end_of(item)
    for (file, line), keys in sorted(about.items()):
        evening = record.sessions[file]
        steps = [
            (one.action.whole.line, one.index)
            for one in record.steps[evening.first_step - 1 : evening.last_step]
            if one.action.path == files[file]
        ]
        there = next((number for row, number in steps if row == line), 0)
        if there:
            about_steps.setdefault(there, []).extend(keys)
        else:
            rows = opened.text(files[file]).splitlines()[line - 1 : ends[file, line]]
            above = evening.first_step - 1 if file else 0
            yield {
                "after": max((number for row, number in steps if row < line), default=above),
                "file": files[file],
                "line": line,
                "text": dedent("\n".join(rows)),
                "findings": keys,
            }


def _leading(record: Record, index: int) -> dict[str, Any]:
    """Where another entry is."""
    whole = record.step(index).action.whole
    return {"step": index, "file": whole.path, "line": whole.line}
