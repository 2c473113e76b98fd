"""Changes that an editor offers: renaming and formatting."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from chronicle.campaigns import load, run, run_recording_names
from chronicle.core.errors import Refused
from chronicle.core.source import Place
from chronicle.games import rulebook
from chronicle.services.editor.index import index_of
from chronicle.services.open_campaigns import OpenCampaign, Unanswerable
from chronicle.syntax.layout import format_layout
from chronicle.syntax.rename import find_changes, first_changed_step, plan_renaming
from chronicle.syntax.text_edit import EditRefused


class RenamableName(NamedTuple):
    """A subject that can be renamed: its place, and its name there."""

    place: Place
    name: str


def find_renamable(opened: OpenCampaign, file: str, line: int, column: int) -> RenamableName | None:
    """The subject at a position that can be renamed."""
    mention = index_of(opened).mention_at(file, line, column)
    if mention is None:
        return None
    row = index_of(opened).line(file, mention.place.line)
    return RenamableName(
        mention.place, row[mention.place.column - 1 : mention.place.end_column - 1]
    )


def texts_after_renaming(
    opened: OpenCampaign, file: str, line: int, column: int, new_name: str
) -> dict[str, str]:
    """The files of the campaign, with unsaved text, after renaming the subject at a position: {file: text}.
    The old name still leads to it (``renamed:``).

    Raises:
        Refused: if the name is not allowed, or an entry would change its meaning.
    """
    campaign_index = index_of(opened)
    mention = campaign_index.mention_at(file, line, column)
    subject = campaign_index.subject(mention.subject_id) if mention is not None else None
    campaign = opened.workspace.campaign
    if mention is None or subject is None or campaign is None:
        raise Unanswerable("nothing here has a name that you could change")
    record, names = run_recording_names(campaign)
    unsaved_sources = {
        opened.folder / known_file.name: opened.typed_source(known_file.name)
        for known_file in opened.files()
    }
    renaming = plan_renaming(campaign, names, subject.name, new_name.strip())
    refusal: Refused | None = None
    for renames_everywhere in (True, False):
        try:
            file_changes = list(
                find_changes(
                    record,
                    names,
                    renaming,
                    renames_all_equal_words=renames_everywhere,
                    root=opened.folder,
                    unsaved_sources=unsaved_sources,
                )
            )
        except EditRefused as error:
            refusal = error
            continue
        new_bytes_by_file = {
            file_change.file: file_change.source.bytes_of(file_change.new_text)
            for file_change in file_changes
        }
        unsaved_bytes = {
            path: source.bytes_of(source.text) for path, source in unsaved_sources.items()
        }
        renamed_record = run(
            load(
                opened.folder,
                root=opened.folder,
                content_by_file={**unsaved_bytes, **new_bytes_by_file},
            )
        )
        changed_step = first_changed_step(record, renamed_record)
        if changed_step is None:
            return {
                _name_in_campaign(opened, file_change.file): file_change.new_text
                for file_change in file_changes
            }
        refusal = Unanswerable(
            f"{changed_step.action.place()}: with the new name this entry would do something else",
            *(problem.message for problem in changed_step.diagnostics[:1]),
        )
    assert refusal is not None
    raise refusal


def _name_in_campaign(opened: OpenCampaign, file: Path) -> str:
    return file.resolve().relative_to(opened.folder.resolve()).as_posix()


def formatted_text(opened: OpenCampaign, file: str) -> str | None:
    """A file in the standard layout; None if it cannot be parsed."""
    campaign = opened.workspace.campaign
    verbs = frozenset(rulebook(campaign.game).by_verb) if campaign is not None else frozenset()
    try:
        return format_layout(opened.text(file), file, verbs)
    except EditRefused:
        return None
