"""What an editor may change for somebody: another name everywhere, one layout, an entry more."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from chronicle.campaigns import load, overhear, run
from chronicle.core.refused import Refused
from chronicle.core.source import Place
from chronicle.desk.editor.index import index
from chronicle.desk.room import Opened, Unanswerable
from chronicle.games import rulebook
from chronicle.transcript.edit import EditRefused
from chronicle.transcript.layout import laid_out
from chronicle.transcript.rename import changes, first_difference, renaming_of


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
                changes(record, names, renaming, wide=wide, root=opened.folder, texts=texts)
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
