"""Editors rename and find a name from the place where it is introduced, in every game."""

from __future__ import annotations

import pytest

from chronicle.campaigns import find_campaigns, load
from chronicle.core.edits import edit
from chronicle.core.names import PLAYER
from chronicle.services.editor.change import find_renamable, texts_after_renaming
from chronicle.services.editor.index import index_of
from chronicle.services.open_campaigns import CampaignRoom
from tests.conftest import ROOT

SMALLEST = {
    load(folder).game: folder.name
    for folder in sorted(
        find_campaigns(ROOT / "sessions"),
        key=lambda folder: -sum(file.stat().st_size for file in folder.glob("[0-9]*.yaml")),
    )
}
"""The smallest play example of each game."""


@pytest.mark.parametrize("game", SMALLEST)
def test_a_name_is_renamed_and_found_where_it_is_introduced(game: str) -> None:
    opened = CampaignRoom(ROOT / "sessions", edit).open(SMALLEST[game])
    index = index_of(opened)
    tried = 0
    for file in index.names.lookups.given_names_by_file:
        for named, place in index.introductions(file) if file else ():
            line = index.line(file, place.line)
            written = line[place.column - 1 : place.end_column - 1]
            if named.kind == PLAYER or written != named.name or tried >= 3:
                continue
            tried += 1
            assert find_renamable(opened, file, place.line, place.column) is not None, (
                file,
                named.name,
            )
            assert place in index.references(named.id), (file, named.name)
            texts = texts_after_renaming(opened, file, place.line, place.column, "Zebedee Quonk")
            assert "Zebedee Quonk" in texts[file].splitlines()[place.line - 1], named.name
    assert tried
