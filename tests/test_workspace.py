"""The check of a workspace says what a cold one says, whatever somebody types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.play import write_campaign
from chronicle.campaigns import find_campaigns, load, run_recording_names
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.names import RecordingNames
from chronicle.core.record import Record
from chronicle.games import GAMES, rulebook
from chronicle.syntax.campaign_files import CampaignUnreadable
from chronicle.syntax.redaction import needs_redaction
from chronicle.syntax.render import diagnostic_as_data
from chronicle.testkit.records import record_text
from chronicle.workspace import MAX_SNAPSHOTS, Workspace
from tests.counted import counted
from tests.golden import ROOT

EXAMPLES = find_campaigns(ROOT / "sessions")
EDITS = 6


def answers_of(record: Any, diagnostics: Any) -> tuple[Any, ...]:
    """Everything that a check says, to compare."""
    findings = [diagnostic_as_data(diagnostic) for diagnostic in diagnostics]
    if record is None:
        return (findings,)
    play = [(s.session.path, s.present, s.first_step, s.last_step) for s in record.sessions]
    links = [(s.links, s.hidden, s.speaker, s.talk, s.throws) for s in record.steps if s.links]
    return (
        findings,
        record_text(record),
        play,
        links,
        record.rulings_used,
        record.unopened_seal_numbers,
    )


def cold(folder: Path) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a cold check says of a folder, and whom it takes the words to mean."""
    try:
        record, _ = run_recording_names(load(folder, root=folder))
    except CampaignUnreadable as error:
        return answers_of(
            None, [diagnostic for diagnostic in error.diagnostics if diagnostic.severity]
        ), {}
    return answers_of(record, record.diagnostics), heard(record)


def counts_of(diagnostics: Iterable[Diagnostic]) -> Counter[tuple[object, ...]]:
    """What is found, wherever it stands."""
    return Counter(
        (
            diagnostic.code,
            diagnostic.place.path,
            diagnostic.message,
            diagnostic.severity,
            diagnostic.excuse,
            diagnostic.cause is None,
        )
        for diagnostic in diagnostics
        if diagnostic.severity
    )


def foreseen(workspace: Workspace, name: str, text: str) -> Counter[tuple[object, ...]]:
    """What a trial of another text finds."""
    with workspace.trial({name: text}) as diagnostics:
        return counts_of(diagnostics)


def heard(record: Record | None) -> dict[str, Any]:
    """By file: what every word means, and which names are given where."""
    if record is None:
        return {}
    assert isinstance(record.names, RecordingNames)
    words, namings = record.names.lookups.lookups_by_file, record.names.lookups.given_names_by_file
    return {
        file: (set(words.get(file, ())), namings.get(file, []))
        for file in {*words, *namings}
        if file
    }


def copied(folder: Path, to: Path) -> dict[str, str]:
    """A copy of the texts of a campaign, and these texts."""
    texts = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix in (".yaml", ".md"):
            name = file.relative_to(folder).as_posix()
            texts[name] = file.read_text("utf-8")
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            (to / name).write_text(texts[name], "utf-8")
    return texts


def edited(texts: dict[str, str], random: Random) -> tuple[str, str]:
    """A file and what it is to hold: a line or an entry less, more, elsewhere, or other."""
    sessions = [name for name in texts if name.endswith(".yaml") and "/" not in name]
    name = random.choice(sessions if random.random() < 0.85 else sorted(texts))
    lines = texts[name].split("\n")
    starts = [n for n, line in enumerate(lines) if line.startswith("- ")] or [0]
    ends = [*starts[1:], len(lines)]
    index = random.randrange(len(starts))
    at, end = starts[index], ends[index]
    match random.randrange(10):
        case 0:
            del lines[at:end]
        case 1:
            lines[at:at] = ["- tell: Somebody waits", "  text: A while"]
        case 2:
            lines[at:at] = lines[at:end]
        case 3:
            other_start = random.choice(starts)
            moved = lines[at:end]
            del lines[at:end]
            lines[min(other_start, len(lines)) : min(other_start, len(lines))] = moved
        case 4:
            number = random.randrange(len(lines))
            lines[number] = lines[number].replace(":", "", 1)
        case 5:
            number = random.randrange(len(lines))
            lines[number] = f"{lines[number]} x"
        case 6:
            number = random.randrange(len(lines))
            lines[number] = lines[number][: random.randrange(len(lines[number]) + 1)] + '"{'
        case 7:
            del lines[random.randrange(len(lines))]
        case 8:
            lines[at:at] = ["- correct: last", "  note: we talked about it"]
        case _:
            lines[at:at] = ["- assert: {present: {Ana: yes}}"]
    return name, "\n".join(lines)


def typed(texts: dict[str, str], random: Random) -> tuple[str, str]:
    """A file and what it is to hold: a letter more, less or other somewhere in a value."""
    sessions = [name for name in texts if name.endswith(".yaml") and "/" not in name]
    name = random.choice([session for session in sessions if session != "campaign.yaml"])
    lines = texts[name].split("\n")
    number = random.choice([n for n, line in enumerate(lines) if ": " in line])
    line = lines[number]
    at = random.randrange(line.index(": ") + 2, len(line) + 1)
    new = random.choice(("", *"abcx .,'2"))
    lines[number] = line[:at] + new + line[at + random.randrange(2) :]
    return name, "\n".join(lines)


def test_what_is_kept_back_is_seen_when_it_is_written(root: Path, tmp_path: Path) -> None:
    texts = copied(root / "sessions" / "the-boathouse", tmp_path)
    workspace = Workspace(tmp_path, root=tmp_path, shows_retracted=True)
    shown, full_text = "- tell: She knows", texts["01.yaml"]
    for entry in (shown, "- secret: She knows", shown, f"{shown}\n  secret: She knows", shown):
        workspace.change({"01.yaml": f"{full_text}{entry}\n"})
        assert workspace.has_hidden_entries == ("secret" in entry)


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_equal_to_a_cold_check_whatever_is_typed(folder: Path, tmp_path: Path) -> None:
    random = Random(folder.name)
    warm_home, home = tmp_path / "resident" / "c", tmp_path / "cold" / "c"
    texts = copied(folder, warm_home)
    copied(folder, home)
    mended = dict(texts)
    workspace = Workspace(warm_home, root=warm_home, shows_retracted=True)
    quick = Workspace(warm_home, root=warm_home, records_names=True)
    assert answers_of(workspace.record, workspace.diagnostics) == cold(home)[0]
    for _ in range(EDITS):
        name, text = random.choice((edited, typed))(texts, random)
        if random.random() < 0.3:
            # What was broken is mended, sooner or later.
            name = random.choice(sorted(texts))
            text = mended[name]
        texts[name] = text
        tried = [foreseen(each_workspace, name, text) for each_workspace in (workspace, quick)]
        workspace.change({name: text})
        (home / name).write_text(text, "utf-8")
        expected, expected_diagnostics = cold(home)
        assert tried == [counts_of(workspace.diagnostics)] * 2, name
        assert answers_of(workspace.record, workspace.diagnostics) == expected, name
        campaign = workspace.campaign
        hidden = campaign is not None and needs_redaction(campaign, rulebook(campaign.game))
        assert workspace.has_hidden_entries == hidden, name
        quick.change({name: text})
        assert quick.findings() == workspace.findings()
        assert heard(quick.record) == expected_diagnostics, name
        if random.random() < 0.3:
            # Whoever looks changes nothing.
            workspace.moment(name, random.randrange(60))
            workspace.what_if(name, random.randrange(60), "- tell: A look")
            quick.what_if(name, random.randrange(60), "- tell: A look")
            assert answers_of(workspace.record, workspace.diagnostics) == expected, name
            assert heard(quick.record) == expected_diagnostics, name


def test_after_a_change_at_the_end_only_what_follows_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "c"
    write_campaign("positive", 500, home)
    workspace = Workspace(home, root=home)
    assert workspace.record is not None
    played = counted(monkeypatch)
    last = home / "0005.yaml"
    text = last.read_text("utf-8")
    for new_text, most in ((text + "- tell: Somebody waits\n", 6), (text, 6)):
        workspace.change({last.name: new_text})
        assert workspace.record is not None
        assert len(played) <= most
        played.clear()
    assert workspace.record.steps[-1].action.whole_place.end_line == len(text.splitlines())


@pytest.mark.parametrize("game", GAMES)
def test_a_change_in_the_middle_is_replayed_from_a_snapshot_above_it(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "c"
    write_campaign(game, 300, home)
    workspace = Workspace(
        home, root=home, shows_retracted=True, records_names=True, keeps_panels=True
    )
    assert workspace.record is not None
    total = len(workspace.record.steps)
    middle = home / "0002.yaml"
    lines = middle.read_text("utf-8").split("\n")
    entry = next(at for at in range(60, 200) if lines[at].startswith("- "))
    for number, typed in enumerate(
        (
            ["- tell: Somebody waits."],
            ["- tell: Somebody waits", "  text: |", "    and waits", "    and goes home"],
            ["# Nobody knows whom for.", "- tell: Somebody waits.", "  text: Them", "- "],
        )
    ):
        text = "\n".join([*lines[:entry], *typed, *lines[entry:]])
        workspace.change({middle.name: text})
        middle.write_text(text, "utf-8")
        with monkeypatch.context() as patched:
            played = counted(patched)
            assert workspace.record is not None
        assert not number or len(played) < total - 60, typed
        answers_before = answers_of(workspace.record, workspace.diagnostics)
        assert (answers_before, heard(workspace.record)) == cold(home)
        assert len(workspace._snapshots) <= MAX_SNAPSHOTS
    kept_replay, cold_replay = (
        workspace.replay,
        Workspace(home, root=home, shows_retracted=True, keeps_panels=True).replay,
    )
    assert kept_replay is not None
    assert cold_replay is not None
    assert kept_replay.entry_panels == cold_replay.entry_panels
    assert (kept_replay.scene_panels, kept_replay.session_ends) == (
        cold_replay.scene_panels,
        cold_replay.session_ends,
    )
