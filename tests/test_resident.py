"""The resident check says what a cold one says, whatever somebody types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.play import write_campaign
from chronicle.campaigns import find_campaigns, load, overhear
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.moment import figures
from chronicle.core.names import PLAYER, Overheard
from chronicle.core.record import Record
from chronicle.desk.counting import NOTHING
from chronicle.desk.counting import counted as stating
from chronicle.games import GAMES, rulebook
from chronicle.resident import FEWEST_BETWEEN, NEAR, Resident
from chronicle.transcript.folder import CampaignUnreadable
from chronicle.transcript.published import needed
from chronicle.transcript.render import as_data
from tests.counted import counted
from tests.golden import ROOT
from tests.table import record_text

EXAMPLES = find_campaigns(ROOT / "sessions")
EDITS = 6


def said(record: Any, found: Any) -> tuple[Any, ...]:
    """Everything that a check says, to compare."""
    findings = [as_data(one) for one in found]
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
        record.shut,
    )


def cold(folder: Path) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a cold check says of a folder, and whom it takes the words to mean."""
    try:
        record, _ = overhear(load(folder, root=folder))
    except CampaignUnreadable as error:
        return said(None, [one for one in error.diagnostics if one.severity]), {}
    return said(record, record.diagnostics), heard(record)


def told(found: Iterable[Diagnostic]) -> Counter[tuple[object, ...]]:
    """What is found, wherever it stands."""
    return Counter(
        (one.code, one.place.path, one.message, one.severity, one.excused, one.cause is None)
        for one in found
        if one.severity
    )


def foreseen(resident: Resident, name: str, text: str) -> Counter[tuple[object, ...]]:
    """What a trial of another text finds."""
    with resident.trial({name: text}) as found:
        return told(found)


def heard(record: Record | None) -> dict[str, Any]:
    """By file: what every word means, and which names are given where."""
    if record is None:
        return {}
    assert isinstance(record.names, Overheard)
    words, given = record.names.heard.words, record.names.heard.given
    return {
        file: (set(words.get(file, ())), given.get(file, [])) for file in {*words, *given} if file
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
    one = random.randrange(len(starts))
    at, end = starts[one], ends[one]
    match random.randrange(10):
        case 0:
            del lines[at:end]
        case 1:
            lines[at:at] = ["- tell: Somebody waits", "  text: A while"]
        case 2:
            lines[at:at] = lines[at:end]
        case 3:
            other = random.choice(starts)
            moved = lines[at:end]
            del lines[at:end]
            lines[min(other, len(lines)) : min(other, len(lines))] = moved
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
    name = random.choice([one for one in sessions if one != "campaign.yaml"])
    lines = texts[name].split("\n")
    number = random.choice([n for n, line in enumerate(lines) if ": " in line])
    line = lines[number]
    at = random.randrange(line.index(": ") + 2, len(line) + 1)
    new = random.choice(("", *"abcx .,'2"))
    lines[number] = line[:at] + new + line[at + random.randrange(2) :]
    return name, "\n".join(lines)


def test_what_is_kept_back_is_seen_when_it_is_written(root: Path, tmp_path: Path) -> None:
    texts = copied(root / "sessions" / "the-boathouse", tmp_path)
    resident = Resident(tmp_path, root=tmp_path, shown=True)
    shown, whole = "- tell: She knows", texts["01.yaml"]
    for entry in (shown, "- secret: She knows", shown, f"{shown}\n  secret: She knows", shown):
        resident.change({"01.yaml": f"{whole}{entry}\n"})
        assert resident.keeps_back == ("secret" in entry)


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_equal_to_a_cold_check_whatever_is_typed(folder: Path, tmp_path: Path) -> None:
    random = Random(folder.name)
    resident_home, home = tmp_path / "resident" / "c", tmp_path / "cold" / "c"
    texts = copied(folder, resident_home)
    copied(folder, home)
    mended = dict(texts)
    resident = Resident(resident_home, root=resident_home, shown=True)
    quick = Resident(resident_home, root=resident_home, listening=True)
    assert said(resident.record, resident.diagnostics) == cold(home)[0]
    for _ in range(EDITS):
        if random.random() < 0.5:
            resident.settle()
        name, text = random.choice((edited, typed))(texts, random)
        if random.random() < 0.3:
            # What was broken is mended, sooner or later.
            name = random.choice(sorted(texts))
            text = mended[name]
        texts[name] = text
        tried = [foreseen(one, name, text) for one in (resident, quick)]
        resident.change({name: text})
        (home / name).write_text(text, "utf-8")
        wanted, meant = cold(home)
        assert tried == [told(resident.diagnostics)] * 2, name
        assert said(resident.record, resident.diagnostics) == wanted, name
        campaign = resident.campaign
        hidden = campaign is not None and needed(campaign, rulebook(campaign.game))
        assert resident.keeps_back == hidden, name
        quick.change({name: text})
        assert quick.findings() == resident.findings()
        assert heard(quick.record) == meant, name
        if random.random() < 0.3:
            # Whoever looks changes nothing.
            resident.moment(name, random.randrange(60))
            resident.what_if(name, random.randrange(60), "- tell: A look")
            quick.what_if(name, random.randrange(60), "- tell: A look")
            assert said(resident.record, resident.diagnostics) == wanted, name
            assert heard(quick.record) == meant, name


def test_after_a_change_only_what_follows_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "c"
    write_campaign("positive", 500, home)
    resident = Resident(home, root=home)
    assert resident.record is not None
    resident.settle()
    played = counted(monkeypatch)
    last = home / "0005.yaml"
    text = last.read_text("utf-8")
    for more, most in ((text + "- tell: Somebody waits\n", 6), (text, 6)):
        resident.change({last.name: more})
        assert resident.record is not None
        assert 0 < len(played) <= most
        resident.settle()
        played.clear()
    assert resident.record.steps[-1].action.whole.end_line == len(text.splitlines())


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_what_comes_after_a_changed_word_is_kept(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "c"
    write_campaign(game, 300, home)
    resident = Resident(home, root=home, shown=True, listening=True, panels=True)
    assert resident.record is not None
    middle = home / "0002.yaml"
    lines = middle.read_text("utf-8").split("\n")
    for entry in range(60, 200):
        # Between two entries of the middle of the evening, whatever they are.
        if lines[entry].startswith("- "):
            break
    waits = "- tell: Somebody waits"
    for typed, most in (
        ([f"{waits}."], None),
        ([f"{waits}..."], 2 * NEAR + 2),
        # What is below stands in other lines from now on, down to the end of its file.
        ([waits, "  text: |", "    and waits", "    and goes home"], 2 * NEAR + 2),
        (["# Nobody knows whom for.", waits, "  text: They wait"], 2 * NEAR + 2),
        (["# Nobody knows whom for.", f"{waits}.", "  text: They wait"], 2 * NEAR + 2),
        # Somebody begins another entry, and goes back to the one above.
        (["# Nobody knows whom for.", f"{waits}.", "  text: They", "- "], None),
        (["# Nobody knows whom for.", f"{waits}.", "  text: Them", "- "], None),
        (["# Nobody knows whom for.", f"{waits}.", "  text: Then", "- "], FEWEST_BETWEEN // 2),
    ):
        text = "\n".join([*lines[:entry], *typed, *lines[entry:]])
        resident.change({middle.name: text})
        middle.write_text(text, "utf-8")
        with monkeypatch.context() as patched:
            played = counted(patched)
            assert resident.record is not None
        assert most is None or len(played) <= most, typed
        told = said(resident.record, resident.diagnostics)
        assert (told, heard(resident.record)) == cold(home)
        resident.settle()
    kept, anew = resident.replay, Resident(home, root=home, shown=True, panels=True).replay
    assert kept is not None
    assert anew is not None
    assert kept.moments == anew.moments
    assert (kept.panels, kept.evenings) == (anew.panels, anew.evenings)


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_what_comes_below_an_entry_put_in_or_taken_out_is_numbered_anew(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "c"
    write_campaign(game, 300, home)
    resident = Resident(home, root=home, shown=True)
    listening = Resident(home, root=home, listening=True)
    for one in (resident, listening):
        assert one.record is not None
        one.settle()
    middle = home / "0002.yaml"
    text = middle.read_text("utf-8")
    starts = [at for at in range(len(text)) if text.startswith("\n- ", at)]
    kept = 0
    for at in starts[40:60:4]:
        for put in ("\n- tell: Somebody waits", "\n- tell: They wait\n- aside: For whom?", ""):
            changed = text[:at] + put + text[at:]
            middle.write_text(changed, "utf-8")
            for one in (resident, listening):
                one.change({middle.name: changed})
            with monkeypatch.context() as patched:
                played = counted(patched)
                assert resident.record is not None
                kept += len(played) < 100
            told = said(resident.record, resident.diagnostics)
            assert (told, heard(listening.record)) == cold(home)
            assert [step.index for step in resident.record.steps] == [
                *range(1, len(resident.record.steps) + 1)
            ]
            resident.settle()
            listening.settle()
    # Here and there an entry is looked at by what follows it.
    assert kept >= 5


def stated(resident: Resident, file: str, line: int, known: set[tuple[str, str]]) -> str:
    """An entry that states the figures of players as they are after the entry on a line: all of them, or
    those that were ``known`` before, if there are any."""
    with resident.at(file, line) as replay:
        assert replay is not None
        of_players = {
            name: measure
            for name, measure in replay.rulebook.by_measure.items()
            if PLAYER in measure.kinds
        }
        resident.attempt(replay, NOTHING)
        all_said = figures(replay.play, of_players)
        said = {
            name: {who: one for who, one in found.items() if not known or (name, who) in known}
            for name, found in all_said.items()
        }
        known |= {(name, who) for name, found in said.items() for who in found}
        text = stating(replay, {name: found for name, found in said.items() if found})
    return "- " + text.replace("\n", "\n  ")


@pytest.mark.integration
@pytest.mark.parametrize(
    ("above", "end"),
    [
        ("", "\n"),
        # And somebody begins another entry, which nobody can read yet.
        ("\n- gap: what was said at the door", "\n- \n"),
    ],
    ids=["whole", "gap"],
)
@pytest.mark.parametrize("game", GAMES)
def test_what_comes_below_a_statement_of_what_is_so_is_kept(
    game: str, above: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "c"
    write_campaign(game, 300, home)
    first, middle = home / "0001.yaml", home / "0002.yaml"
    text = first.read_text("utf-8")
    at = text.index("\n- ", len(text) // 2)
    first.write_text(text[:at] + above + text[at:], "utf-8")
    resident = Resident(home, root=home, shown=True)
    assert resident.record is not None
    text = middle.read_text("utf-8").rstrip("\n")
    starts = [*(at for at in range(len(text)) if text.startswith("\n- ", at))]
    where = [*starts[60:-1:20], len(text)]
    known: set[tuple[str, str]] = set()
    if above:
        # Here it is counted for the first time.
        put = stated(resident, middle.name, text.count("\n", 0, starts[20]) + 1, known)
        text = f"{text[: starts[20]]}\n{put}{text[starts[20] :]}"
        where = [at + len(put) + 1 for at in where]
        resident.change({middle.name: text + end})
    resident.settle()
    assert resident.record is not None
    kept = 0
    for at in where:
        put = stated(resident, middle.name, text.count("\n", 0, at) + 1, known)
        changed = f"{text[:at]}\n{put}{text[at:]}{end}"
        middle.write_text(changed, "utf-8")
        wanted, _ = cold(home)
        with monkeypatch.context() as patched:
            played = counted(patched)
            found = foreseen(resident, middle.name, changed)
            tried = len(played)
            resident.change({middle.name: changed})
            assert resident.record is not None
            # A trial reads all of a file anew in which an entry cannot be read.
            kept += len(played) - tried < 100 and (tried < 100 or bool(above))
        assert found == told(resident.diagnostics)
        assert said(resident.record, resident.diagnostics) == wanted
        resident.settle()
        resident.change({middle.name: text + end})
        assert resident.record is not None
        resident.settle()
    # What a game does as an evening ends is done by its last entry.
    assert kept >= len(where) - 1


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_a_trial_plays_only_until_the_table_is_what_it_was(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "c"
    write_campaign(game, 300, home)
    resident = Resident(home, root=home)
    assert resident.record is not None
    middle = home / "0002.yaml"
    text = middle.read_text("utf-8")
    lines = text.split("\n")
    entry = next(at for at in range(60, 200) if lines[at].startswith("- "))
    met = 0
    for typed in (["- tell: Somebody waits"], ["- tel: Somebody waits"], ["- arrive: Nobody"]):
        broken = "\n".join([*lines[:entry], *typed, *lines[entry:]])
        resident.change({middle.name: broken})
        wanted = told(resident.diagnostics)
        resident.settle()
        played = counted(monkeypatch)
        found = foreseen(resident, middle.name, text)
        met += len(played) <= 2 * NEAR + 4
        assert told(resident.diagnostics) == wanted
        resident.change({middle.name: text})
        assert told(resident.diagnostics) == found
        resident.settle()
    assert met
