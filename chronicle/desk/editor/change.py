"""What an editor may change for somebody: another name everywhere, one layout, an entry more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from chronicle.campaigns import load, overhear, run
from chronicle.core.refused import Refused
from chronicle.core.replay import Replay
from chronicle.core.source import Place
from chronicle.desk.counting import count, counted
from chronicle.desk.editor.index import index
from chronicle.desk.findings import keyed
from chronicle.desk.fixes import fixes
from chronicle.desk.room import Opened, Unanswerable
from chronicle.games import rulebook
from chronicle.transcript.edit import EditRefused, add_ids, entry_at, insert_entry
from chronicle.transcript.layout import laid_out
from chronicle.transcript.rename import changes, first_difference, renaming_of

MOST_OFFERED = 4
"""How many ways to mend a finding are offered, the best first."""


class Named(NamedTuple):
    """What would get another name: where it is named, and by which name."""

    place: Place
    name: str


def nameable(opened: Opened, file: str, line: int, column: int) -> Named | None:
    """What can get another name where somebody points."""
    mention = index(opened).at(file, line, column)
    if mention is None:
        return None
    row = index(opened).line(file, mention.place.line)
    return Named(mention.place, row[mention.place.column - 1 : mention.place.end_column - 1])


def renamed(opened: Opened, file: str, line: int, column: int, new: str) -> dict[str, str]:
    """The files of the campaign, as they are being typed, with another name for what is meant at a
    place: {file: text}. What had been called otherwise still leads there (``renamed:``).

    Raises:
        Refused: when the name is no good, or an entry would do something else with it.
    """
    found = index(opened)
    mention = found.at(file, line, column)
    named = found.named(mention.id) if mention is not None else None
    campaign = opened.resident.campaign
    if mention is None or named is None or campaign is None:
        raise Unanswerable("nothing here has a name that could be another one")
    record, names = overhear(campaign)
    texts = {opened.folder / one.name: opened.typed(one.name) for one in opened.files()}
    renaming = renaming_of(campaign, names, named.name, new.strip())
    refused: Refused | None = None
    for wide in (True, False):
        try:
            made = list(
                changes(campaign, names, renaming, wide=wide, root=opened.folder, texts=texts)
            )
        except EditRefused as error:
            refused = error
            continue
        done = {one.file: one.before.bytes_of(one.after) for one in made}
        kept = {path: source.bytes_of(source.text) for path, source in texts.items()}
        after = run(load(opened.folder, root=opened.folder, instead={**kept, **done}))
        step = first_difference(record, after)
        if step is None:
            return {_below(opened, one.file): one.after for one in made}
        refused = Unanswerable(
            f"{step.action.place()}: with the new name this entry would do something else",
            *(one.message for one in step.diagnostics[:1]),
        )
    assert refused is not None
    raise refused


def _below(opened: Opened, file: Path) -> str:
    return file.resolve().relative_to(opened.folder.resolve()).as_posix()


def formatted(opened: Opened, file: str) -> str | None:
    """A file in the layout of the house; None where it is broken, and left alone."""
    campaign = opened.resident.campaign
    verbs = frozenset(rulebook(campaign.game).by_verb) if campaign is not None else frozenset()
    try:
        return laid_out(opened.text(file), file, verbs)
    except EditRefused:
        return None


def with_id(opened: Opened, file: str, line: int) -> str:
    """A file with a permanent id for the entry on a line.

    Raises:
        Refused: when it has one, or nothing is there.
    """
    text = opened.text(file)
    found = entry_at(text, file, line)
    if found is None:
        raise Unanswerable("there is no entry here")
    made = add_ids(text, file, _taken(opened), only=frozenset({found[0]}))
    if made == text:
        raise Unanswerable("this entry has an id")
    return made


def _taken(opened: Opened) -> frozenset[str]:
    campaign = opened.resident.campaign
    actions = [one for session in campaign.sessions for one in session.actions] if campaign else []
    return frozenset(str(action.id) for action in actions if action.id)


def with_entry(opened: Opened, file: str, line: int, entry: str) -> str:
    """A file with one more entry (YAML without its dash) after the one on a line."""
    text = opened.text(file)
    found = entry_at(text, file, line)
    return insert_entry(text, file, entry, found[0] + 1 if found is not None else 0)


class Action(NamedTuple):
    """A change that is offered: what it does in words, the files as they would be, the code of the
    finding that it mends (empty: none)."""

    title: str
    texts: dict[str, str]
    mends: str = ""
    preferred: bool = False


def actions(opened: Opened, file: str, line: int) -> Iterator[Action]:
    """What may be changed on a line: what mends a finding there, each proved by replay, then what is
    always possible."""
    for one in keyed(opened).values():
        if one.place.path == file and one.place.line <= line <= one.place.end_line:
            made = fixes(opened, file, opened.text(file), [one])
            for number, fix in enumerate(made[:MOST_OFFERED]):
                title = "".join(part if isinstance(part, str) else part["t"] for part in fix.title)
                effect = str(fix.plain(preferred=False)["effect"])
                yield Action(
                    f"{title} ({effect})", {file: fix.text}, one.full_code, preferred=not number
                )
    with suppress(Refused):
        yield Action("Give this entry an id that stays", {file: with_id(opened, file, line)})
    with suppress(Refused), opened.resident.at(file, line) as replay:
        if replay is not None:
            entry = _so_now(replay)
            if entry:
                yield Action(
                    "Say after this entry what is so now",
                    {file: with_entry(opened, file, line, entry)},
                )
    laid = formatted(opened, file)
    if laid is not None and laid != opened.text(file):
        yield Action("Lay this file out alike", {file: laid})


def _so_now(replay: Replay[Any]) -> str:
    """The entry that states what every player has; empty where players have nothing that is counted."""
    said = {
        group["measure"]: {row["name"]: row["value"] for row in group["rows"]}
        for group in count(replay)
        if group["of"] == "player" and not all(row["words"] for row in group["rows"])
    }
    return counted(replay, said, "", hole=False) if said else ""
