"""Renaming: the words that mean a thing change, in every game, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.campaigns import load, run, run_recording_names
from chronicle.core.names import Named
from chronicle.core.record import Record
from chronicle.syntax.edit_head import add_pair_to_mapping
from chronicle.syntax.edit_words import replace_words
from chronicle.syntax.rename import FileChange, Renaming, find_changes, first_changed_step
from chronicle.syntax.text_edit import EditRefused
from chronicle.testkit.random_play import write_campaign
from tests.conftest import ROOT, SOAK

AWKWARD = """O'Brien: the "2nd" #1"""
"""A name with everything that YAML has a meaning for."""


def changed(folder: Path, name: str, new: str) -> tuple[Record, Record, list[FileChange]]:
    """The campaign before and after a renaming that nobody has written yet."""
    campaign = load(folder)
    record_before, names = run_recording_names(campaign)
    named = names.find(name)
    assert isinstance(named, Named), name
    changes = list(
        find_changes(
            record_before, names, Renaming(named, named.name, new), renames_all_equal_words=True
        )
    )
    texts = {change.file: change.source.bytes_of(change.new_text) for change in changes}
    return record_before, run(load(folder, content_by_file=texts)), changes


def examples() -> list[Path]:
    return sorted(file.parent for file in (ROOT / "sessions").glob("*/campaign.yaml"))


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("folder", examples(), ids=lambda folder: folder.name)
@pytest.mark.longer
def test_whatever_has_a_name_can_have_another(
    folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    campaign = load(folder)
    record_before, names = run_recording_names(campaign)
    for named in list(names.all.values())[:: 1 if SOAK else 3]:
        renaming = Renaming(named, named.name, AWKWARD)
        for wide in (True, False):
            changes = list(
                find_changes(record_before, names, renaming, renames_all_equal_words=wide)
            )
            texts = {change.file: change.source.bytes_of(change.new_text) for change in changes}
            record_after = run(load(folder, content_by_file=texts))
            if first_changed_step(record_before, record_after) is None:
                break
        missed = first_changed_step(record_before, record_after)
        # What a paragraph says of somebody is prose, and no renaming touches prose.
        assert missed is None or {d.code for d in missed.diagnostics} == {"UA.21"}, named
        assert any(subject.name == AWKWARD for subject in record_after.names.all.values()), named
        for change in changes:
            # Only whole lines with the name in them differ, and as many lines are there.
            olds, news = change.source.text.splitlines(), change.new_text.splitlines()
            assert len(news) - len(olds) in (
                (1, 2) if change.file.name == "campaign.yaml" else (0,)
            )


SETTINGS = "game: positive\ntitle: T\nplayers: [Ana, Bo, Cy, Dee]\n"
LOG = [
    "- cast: {Ana: Marit Holm, Bo: Jonas, Cy: Petra, Dee: Sunny}  # the four",
    '- host: "marit holm"',
    "- accuser: 'Jonas'",
    "- tell: Marit Holm was never there",
    "- scene: The hall",
    "  with: [Petra, Sunny]",
    "- say: |",
    "    Petra: Marit Holm: that is who. Ask Holm.",
    "    Holm: I?   # no comment",
    "- call: Holm",
    "  by: Sunny",
    "  against: Petra",
]


def lines(changes: list[FileChange], file: str = "01.yaml") -> list[str]:
    found_change = next(change for change in changes if change.file.name == file)
    olds, news = found_change.source.text.splitlines(), found_change.new_text.splitlines()
    return [new for old, new in zip(olds, news, strict=False) if old != new] + news[len(olds) :]


def test_words_that_mean_it_change_and_stories_do_not(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path, SETTINGS, [LOG])
    _, _, changes = changed(folder, "Holm", "Marit Berg")
    assert lines(changes) == [
        "- cast: {Ana: Marit Berg, Bo: Jonas, Cy: Petra, Dee: Sunny}  # the four",
        '- host: "Marit Berg"',
        "    Marit Berg: I?   # no comment",
    ]
    assert lines(changes, "campaign.yaml") == ["renamed:", "  Marit Holm: Marit Berg"]


def test_who_speaks_in_a_text_within_quotes_is_not_missed(tmp_path: Path) -> None:
    log = [*LOG[:6], r'- say: "Petra: Holm? Ask Holm.\nHolm: I?\n"']
    folder = write_campaign(tmp_path, SETTINGS, [log])
    with pytest.raises(EditRefused, match=r"01\.yaml:9: .* change it by hand"):
        changed(folder, "Holm", "Berg")


def test_a_word_that_still_leads_there_may_stay(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path, SETTINGS, [LOG])
    _, _, changes = changed(folder, "Holm", "Dr. Marit Holm")
    assert [line.strip()[:12] for line in lines(changes)] == ["- cast: {Ana", '- host: "Dr.']


def test_a_player_changes_in_the_settings_and_in_who_was_there(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path, SETTINGS, [LOG])
    log = folder / "01.yaml"
    text = log.read_text(encoding="utf-8").replace("log:", "present: [Ana, Bo, Cy, Dee]\nlog:")
    log.write_text(text, encoding="utf-8")
    _, record_after, changes = changed(folder, "Ana", "Anna")
    assert lines(changes, "campaign.yaml")[0] == "players: [Anna, Bo, Cy, Dee]"
    assert lines(changes)[0] == "present: [Anna, Bo, Cy, Dee]"
    assert record_after.sessions[0].present[0] == "Anna"
    assert record_after.names.find("Ana") is record_after.names.all["Anna"]


def test_journals_notes_and_captions_follow(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path, SETTINGS, [LOG])
    for place, name, text in (
        ("journal", "a.md", "---\nvoice: Marit Holm\nauthor: Marit Holm\n---\nMarit Holm\n"),
        ("notes", "b.md", "---\nabout: [Petra, marit holm]\n---\nMarit Holm\n"),
        ("notes", "c.md", "No head. about: Marit Holm\n"),
        ("art", "d.yaml", "title: Marit Holm\nalt: x\nabout: Marit Holm\n"),
    ):
        (folder / place).mkdir(exist_ok=True)
        (folder / place / name).write_text(text, encoding="utf-8")
    _, _, changes = changed(folder, "Holm", "Marit Berg")
    assert lines(changes, "a.md") == ["voice: Marit Berg"]
    assert lines(changes, "b.md") == ["about: [Petra, Marit Berg]"]
    assert lines(changes, "d.yaml") == ["about: Marit Berg"]
    assert "c.md" not in {change.file.name for change in changes}


# -- the editing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "new", "after"),
    [
        ("a: Foo  # why\n", (1, 4), "Bar", "a: Bar  # why\n"),
        ("a: Foo\n", (1, 4), "no: yes", 'a: "no: yes"\n'),
        ("a: 'Foo'\n", (1, 4), "O'B", "a: 'O''B'\n"),
        ('a: "Foo"\n', (1, 4), 'a "b"', "a: 'a \"b\"'\n"),
        ("{Foo: 1, b: [Foo]}\n", (1, 2), "B, c", '{"B, c": 1, b: [Foo]}\n'),
        ("a: Foo & Bar\n", (1, 4), "Fox & Bar", "a: Fox & Bar\n"),
        ("a: |\n  Foo: x\n  y\n", (1, 4), "Bar: x\ny\n", "a: |\n  Bar: x\n  y\n"),
        ("a: Foo\n  goes on\n", (1, 4), "Bar goes on", "a: Bar\n  goes on\n"),
    ],
)
def test_a_scalar_gets_another_text(
    text: str, place: tuple[int, int], new: str, after: str
) -> None:
    assert replace_words(text, "x", {place: new}) == after


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("{Foo: 1, Bar: 2}\n", (1, 2), "'Bar' would stand here twice"),
        ('a: "Foo\n  goes on"\n', (1, 4), "several lines"),
        ("a: >\n  Foo\n", (1, 4), "several lines"),
        ("a: Foo\n", (1, 5), "changed since"),
        ("a: [Foo\n", (1, 5), "fix that first"),
    ],
)
def test_what_cannot_be_done_without_harm_is_refused(
    text: str, place: tuple[int, int], told: str
) -> None:
    with pytest.raises(EditRefused, match=told):
        replace_words(text, "x", {place: "Bar"})


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a: 1", "a: 1\nrenamed:\n  A: B\n"),
        ("renamed:\na: 1\n", "renamed:\n  A: B\na: 1\n"),
        (
            "renamed:   # old\n  X: Y   # why\n# end\n",
            "renamed:   # old\n  X: Y   # why\n  A: B\n# end\n",
        ),
        ("renamed: {X: Y}\n", "renamed: {X: Y, A: B}\n"),
        ("renamed:\n  A: C\n  C: A\n", "renamed:\n  C: A\n  A: B\n"),
    ],
)
def test_the_old_name_is_kept_at_the_end(text: str, after: str) -> None:
    assert add_pair_to_mapping(text, "x", "renamed", "A", "B") == after


@pytest.mark.parametrize("text", ["renamed: no\n", "renamed: {A: C, C: A}\n"])
def test_a_list_of_old_names_that_cannot_be_added_to(text: str) -> None:
    with pytest.raises(EditRefused):
        add_pair_to_mapping(text, "x", "renamed", "A", "B")
