"""What is shown in grey before anything is typed of a value of several parts."""

from pathlib import Path

import pytest

from chronicle.core.declare import PartOf
from chronicle.core.edits import edit
from chronicle.core.field_types import MapOf, alternatives
from chronicle.services.line_completion import Completer
from chronicle.services.open_campaigns import CampaignRoom
from chronicle.services.snippets import example_mapping
from chronicle.services.writing import last_session_file
from chronicle.syntax.kinds import recorded_type
from chronicle.syntax.one_line import LineError, read_line
from tests.services.tellings import telling

TELLINGS = ("universalis", "isolation", "slow-burn", "fight-sphere")


def sit(folder: Path, game: str, entries: int) -> CampaignRoom:
    script = telling(game)
    script._replace(kept=script.kept[:entries]).write(folder / "told")
    return CampaignRoom(folder, edit)


@pytest.mark.parametrize(
    ("game", "entries", "line", "shown"),
    [
        ("isolation", 19, "wounds Vera: 1, blame: ", "Vera: Kolb"),
        ("isolation", 12, "stance ", "Anselm: "),
        ("slow-burn", 3, "contacts ", "Wren: Father Duarte: hears confessions"),
        ("slow-burn", 9, "contacts Wren: ", "Father Duarte: hears confessions"),
        ("slow-burn", 9, "scene A bar, use: ", "Wren: forgery"),
        ("universalis", 30, "roll ", "Jon: 1, 4, 5, 10"),
    ],
)
def test_a_pair_is_shown_with_names_of_this_table(
    tmp_path: Path, game: str, entries: int, line: str, shown: str
) -> None:
    opened = sit(tmp_path, game, entries).open("told")
    with opened.workspace.at(last_session_file(opened), 1 << 30) as replay:
        assert replay is not None
        assert example_mapping(Completer(replay), line).startswith(shown)
        # Once something of it is typed, what is typed shows the way.
        assert not example_mapping(Completer(replay), f"{line}x")


@pytest.mark.parametrize("game", TELLINGS)
def test_every_mapping_shows_how_it_is_written(tmp_path: Path, game: str) -> None:
    """Of every key whose value names somebody each, with somebody of this table, and as it is read."""
    script = telling(game)
    opened = sit(tmp_path, game, len(script.kept) // 2).open("told")
    shapes_seen = 0
    with opened.workspace.at(last_session_file(opened), 1 << 30) as replay:
        assert replay is not None
        completer = Completer(replay)
        verbs = {verb: replay.rulebook.by_verb[verb] for verb in replay.rulebook.own_verbs}
        for verb in verbs.values():
            keys = [verb.main, *verb.fields.values()] if verb.main else [*verb.fields.values()]
            for key in keys:
                kinds = [*map(recorded_type, alternatives(completer.candidates.field_type_of(key)))]
                line = f"{verb.verb} " if key is verb.main else f"{verb.verb} x, {key.name}: "
                if (
                    not any(isinstance(kind, MapOf) for kind in kinds)
                    or completer.field_at(line) is not key
                ):
                    continue
                shown = example_mapping(completer, line)
                assert ": " in shown, line
                try:
                    read_line(line + shown, replay.rulebook.by_verb)
                except LineError as error:
                    pytest.fail(f"{line}{shown}: {error}")
                offered = [
                    choice["line"][len(line) :].rstrip(" :")
                    for choice in completer.find_choices(line, len(line))["choices"]
                    if choice["kind"] == "name" and choice["eligible"] and not choice["chosen"]
                ]
                if offered and not any(isinstance(kind, PartOf) for kind in kinds):
                    assert shown.startswith(offered[0]), (line, shown, offered)
                shapes_seen += 1
    assert shapes_seen > 1
