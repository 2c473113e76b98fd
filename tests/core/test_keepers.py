"""The keepers' words in the heads of sessions: what they lead to, and what `check` says of them."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from chronicle.campaigns import for_readers, load, run, run_recording_names
from chronicle.core.keepers import (
    CHANGED_ENTRY,
    EntryFinder,
    Reference,
    cited_stretch,
    entry_digest,
    find_references,
    read_keepers_texts,
    without_references,
)
from chronicle.core.names import Named, RecordingNames
from chronicle.core.record import Record
from chronicle.export.log import logs
from chronicle.games import rulebook
from chronicle.services.editor.complete import complete
from chronicle.services.editor.offers import QUICK_KIND, REWRITE_KIND, offered_changes
from chronicle.services.fixes import prove_fixes
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.syntax.rename import find_changes, plan_renaming
from chronicle.syntax.schema import session_schema
from tests.golden import ROOT

MILL = ROOT / "tests" / "fixtures" / "keepers"


def mill(home: Path, texts: Mapping[str, tuple[str, str]] | None = None) -> Path:
    """A copy of the fixture; ``texts`` replaces something in some of its files."""
    folder = home / "mill"
    shutil.copytree(MILL, folder)
    for name, (old, new) in (texts or {}).items():
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    return folder


def record_of(home: Path, name: str = "", old: str = "", new: str = "") -> Record:
    record, _ = run_recording_names(load(mill(home, {name: (old, new)} if name else None)))
    return record


def messages(record: Record) -> list[str]:
    return [
        diagnostic.message
        for diagnostic in record.diagnostics
        if diagnostic.code in ("T50", "T89", "T90")
    ]


# -- reading ----------------------------------------------------------------------------------


def test_recaps_hold_for_their_session_and_people_from_there_on(tmp_path: Path) -> None:
    record = record_of(tmp_path)
    assert messages(record) == []
    words = read_keepers_texts(record)
    first, second = words.recaps[1], words.recaps[2]
    assert first[0].text.startswith(
        "**Ida** came to the mill by the weir and heard the wheel stop.\n"
    )
    steps = [record.step(index).action.id for index in first[0].step_numbers]
    assert steps == ["ida-comes", "stops", "rope"]
    assert [recap.text for recap in second] == [
        "Old Tam told Ida who had cut the rope.",
        "Ida has the rope, and walks to the town with it.",
    ]
    tam = next(subject.id for subject in record.names.all.values() if subject.name == "Old Tam")
    introduction = words.introduction_of(tam)
    assert introduction is not None and introduction.text == "Old Tam stopped the wheel himself."
    introduction_before = words.introduction_of(tam, 1)
    assert (
        introduction_before is not None
        and introduction_before.text == "Old Tam has kept the mill since the flood."
    )
    ida = next(subject.id for subject in record.names.all.values() if subject.name == "Ida")
    first_introduction = words.introduction_of(ida)
    assert first_introduction is not None and first_introduction.text.startswith("Ida carries")
    assert words.ending_of(tam) is None


def test_a_reference_at_the_start_of_a_line_leaves_no_space(tmp_path: Path) -> None:
    words = without_references(
        "Ida came\n  [ida-comes], and [stops]\nwent.", EntryFinder(record_of(tmp_path))
    )
    assert words.text == "Ida came, and\nwent."
    assert [words.text[:at] for at, _ in words.marks] == ["Ida came,", "Ida came, and"]


def test_as_of_an_earlier_session_nothing_later_is_told(tmp_path: Path) -> None:
    words = read_keepers_texts(run(load(mill(tmp_path)), through=1))
    assert set(words.recaps) == {1}
    assert {
        text.text for description in words.descriptions.values() for _, text in description
    } == {
        "Ida carries other people's letters, and has never opened one.",
        "Old Tam has kept the mill since the flood.",
    }


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("A. [one] [two@3f2a] B [three].", [("one", ""), ("two", "3f2a"), ("three", "")]),
        (r"See [the map](x.md), \[sic\], [two words] and [text][ref].", [("ref", "")]),
        ("No reference [] here [a b]", []),
    ],
)
def test_references_are_told_from_brackets_and_links(text: str, ids: list[tuple[str, str]]) -> None:
    assert [(reference.id, reference.digest) for reference in find_references(text)] == ids


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("A was. B told it. [a] Then C [x] did it. And D [b].", " Then C [x] did it."),
        ("A was. B told it. [a] [x] [c] Then D.", "A was. B told it. [a] [x] [c]"),
        ("One.\n\nTwo was. [x] Three.", "Two was. [x]"),
        ("One [x]", "One [x]"),
    ],
)
def test_what_rests_on_a_reference(text: str, gone: str) -> None:
    reference = next(each for each in find_references(text) if each.id == "x")
    start, end = cited_stretch(text, reference)
    assert text[start:end] == gone


# -- checking ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("01.yaml", "[rope]", "[ropes]", "no entry has the id 'ropes'; did you mean 'rope'?"),
        ("01.yaml", "[rope]", "[kettle]", "'kettle' is a gap"),
        ("01.yaml", "[rope]", "[walks]", "the entry 'walks' belongs to session 2"),
        ("01.yaml", "[rope]", "[rope@zz]", "'@zz' is no digest"),
        ("01.yaml", "[rope]", "[rope@0000]", "the entry 'rope' has changed"),
        ("01.yaml", "- event: Old Tam finds", "- evnt: Old Tam finds", ""),
        ("01.yaml", "- event: Old Tam finds", "- zzz: Old Tam finds", "'rope' could not be read"),
        ("02.yaml", "[walks]\n\n", "[opened-it]\n\n", "'opened-it' is a secret"),
        (
            "01.yaml",
            "  Ida: Ida sleeps",
            "  Idda: Ida sleeps",
            "no person of the story is called 'Idda'",
        ),
        ("01.yaml", "  Ida: Ida sleeps", "  Bao: Bao sleeps", "'Bao' is a player"),
    ],
)
def test_check_says_what_a_sentence_cannot_rest_on(
    name: str, old: str, new: str, told: str, tmp_path: Path
) -> None:
    record = record_of(tmp_path, name, old, new)
    diagnostics = [
        diagnostic for diagnostic in record.diagnostics if diagnostic.code in ("T50", "T89", "T90")
    ]
    assert [message for message in messages(record) if told and told in message] or not told
    assert len(diagnostics) == bool(told)
    for found_diagnostic in diagnostics:
        assert (
            found_diagnostic.place.line and found_diagnostic.help
        ) or "could not be read" in found_diagnostic.message


def test_a_withdrawn_entry_carries_no_sentence(tmp_path: Path) -> None:
    challenge = "  id: rope\n- challenge: Ana\n  wants: the rope is whole\n  agreed: it is whole\n  by: Bao\n"
    record = record_of(tmp_path, "01.yaml", "  id: rope\n", challenge)
    (message,) = messages(record)
    assert message == "the entry 'rope' was withdrawn, so this sentence rests on nothing"


def test_a_person_is_not_told_of_before_they_come(tmp_path: Path) -> None:
    folder = mill(tmp_path)
    late = (folder / "02.yaml").read_text(encoding="utf-8")
    new = "- introduce: {character: clerk, name: Mirren}\n- end session:"
    (folder / "02.yaml").write_text(late.replace("- end session:", new), encoding="utf-8")
    early = (folder / "01.yaml").read_text(encoding="utf-8")
    (folder / "01.yaml").write_text(early.replace("end:\n", "end:\n  Mirren: Mirren waits.\n"))
    record, _ = run_recording_names(load(folder))
    (message,) = messages(record)
    assert message.startswith("Mirren comes into the story in session 2")


def test_somebody_whom_the_log_only_tells_of_may_be_introduced(tmp_path: Path) -> None:
    folder = mill(
        tmp_path,
        {
            "01.yaml": ("about:\n", "about:\n  the smith: The smith made the wheel. [stops]\n"),
            "02.yaml": ("end:\n", "gone:\n  The Smith: The smith drowned.\nend:\n"),
        },
    )
    path = folder / "01.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Ida hears the wheel", "Ida hears the smith's wheel"), "utf-8")
    record, _ = run_recording_names(load(folder))
    assert messages(record) == []
    words = read_keepers_texts(record)
    (smith,) = words.told_of.values()
    introduction = words.introduction_of(smith.id)
    assert introduction is not None and introduction.text == "The smith made the wheel."
    assert words.ending_of(smith.id, 1) is None and not words.is_gone(smith.id, 1)
    assert words.is_gone(smith.id)
    # The name stands in no entry as a whole word.
    path.write_text(text.replace("Ida hears the wheel", "Ida hears the smiths' wheel"), "utf-8")
    assert [
        message
        for message in messages(run(load(folder)))
        if "no person of the story is called" in message
    ]


def test_somebody_is_not_told_of_before_the_log_tells_of_them(tmp_path: Path) -> None:
    folder = mill(tmp_path, {"01.yaml": ("end:\n", "end:\n  the miller's son: He waits.\n")})
    path = folder / "02.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Ida walks to", "The miller's son walks to"), "utf-8")
    (message,) = messages(run(load(folder)))
    assert message.startswith("the miller's son comes into the story in session 2")


@pytest.mark.parametrize("sentence", ["end", "gone"])
def test_the_last_sentence_says_whether_somebody_is_gone(sentence: str, tmp_path: Path) -> None:
    folder = mill(
        tmp_path,
        {
            "01.yaml": ("end:\n  Ida:", "gone:\n  Ida:"),
            "02.yaml": ("end:\n  Ida:", f"{sentence}:\n  Ida:"),
        },
    )
    words = read_keepers_texts(run(load(folder)))
    (ida,) = words.departures
    assert words.is_gone(ida, 1)
    assert words.is_gone(ida) == (sentence == "gone")


@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize(
    ("person", "told"),
    [
        ("riggers", ""),
        ("Hannah Garth", ""),
        ("regatta", "no person of the story is called 'regatta'"),
        ("Obi", "'Obi' is a player"),
    ],
)
def test_a_person_of_another_branch_is_known(
    person: str, told: str, shown: bool, tmp_path: Path
) -> None:
    """The story ends on the branch on which nobody came for the bell."""
    folder = tmp_path / "valley"
    shutil.copytree(ROOT / "sessions" / "the-valley-twice", folder)
    head = (folder / "02.yaml").read_text(encoding="utf-8")
    assert head.count("\nend:\n") == 1
    text = head.replace("\nend:\n", f"\nend:\n  {person}: They went home.\n")
    (folder / "02.yaml").write_text(text, encoding="utf-8")
    new_messages = messages(run(load(folder), shown=shown))
    assert [message for message in new_messages if told in message] == new_messages
    assert len(new_messages) == bool(told)


def test_a_digest_says_what_an_entry_says_and_not_how_it_is_typed(tmp_path: Path) -> None:
    def of(text: str) -> str:
        record = record_of(tmp_path / str(len(list(tmp_path.iterdir()))), "01.yaml", ROPE, text)
        return entry_digest(next(s for s in record.steps if s.action.id == "rope").action.source)

    ROPE = "- event: Old Tam finds the rope cut\n  id: rope"
    plain = of(ROPE)
    assert plain == of(
        '- event: "Old Tam finds the  rope cut"   # so it was\n  id: rope\n  note: hm'
    )
    assert plain != of("- event: Old Tam finds the rope whole\n  id: rope")


# -- other names, and what readers may not see --------------------------------------------------


def test_a_new_name_moves_the_sentence_and_keeps_digests_true(tmp_path: Path) -> None:
    folder = mill(tmp_path)
    record, names = run_recording_names(load(folder))
    scene = next(s for s in record.steps if s.action.id == "ida-comes")
    mark = f"[ida-comes@{entry_digest(scene.action.source)}]"
    text = (folder / "01.yaml").read_text(encoding="utf-8").replace("[ida-comes]", mark)
    (folder / "01.yaml").write_text(text, encoding="utf-8")
    record, names = run_recording_names(load(folder))
    assert isinstance(names, RecordingNames)
    renaming = plan_renaming(record.campaign, names, "Ida", "Ida Quill")
    new_texts = {
        change.file: change.source.bytes_of(change.new_text)
        for change in find_changes(record, names, renaming)
    }
    record_after, _ = run_recording_names(load(folder, content_by_file=new_texts))
    assert messages(record_after) == []
    head = next(text for file, text in new_texts.items() if file.name == "01.yaml").decode()
    assert "  Ida Quill: Ida carries other people's letters" in head
    assert mark not in head
    assert "[ida-comes@" in head
    assert isinstance(record_after.names.find("Ida Quill"), Named)


def test_readers_see_no_sentence_that_rests_on_a_secret(tmp_path: Path) -> None:
    folder = mill(
        tmp_path,
        {
            "02.yaml": (
                "- Ida has the rope,",
                "- Ida read the letter. [opened-it] Bao laughed [s2-event-old-tam-says-who-cut@12ab].\n"
                "- Ida has the rope,",
            ),
            "campaign.yaml": ("Bao, ", "{name: Bao, publish as: Kim}, "),
        },
    )
    public = for_readers(load(folder))
    text = "\n".join(text for _, _, text in logs(run(public)))
    assert "read the letter" not in text
    assert "opened-it" not in text
    assert "Kim laughed [s2-event-old-tam-says-who-cut]." in text
    assert "Bao" not in text
    assert messages(run(public)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  The rope was cut. [rope]\n", "  The rope was cut.\n  secret: Ida stole one\n"),
        ("end:\n  Ida: Ida sleeps at the mill.", "end:\n  secret: Ida stole one"),
    ],
)
def test_a_secret_that_lost_its_dash_is_no_word_of_the_keepers(
    old: str, new: str, tmp_path: Path
) -> None:
    public = for_readers(load(mill(tmp_path, {"01.yaml": (old, new)})))
    assert "stole one" not in "\n".join(text for _, _, text in logs(run(public)))


# -- writing ----------------------------------------------------------------------------------


def test_editors_note_the_entries_as_they_are_now(tmp_path: Path) -> None:
    def nothing(home: Path, find_changes: object) -> None:
        raise AssertionError("nothing is written")

    opened = OpenCampaign("mill", mill(tmp_path, {"01.yaml": ("[rope]", "[rope@0000]")}), nothing)
    line = opened.text("01.yaml").split("\n").index("recap: |") + 1
    (offered,) = offered_changes(opened, "01.yaml", line, lambda kind: kind == REWRITE_KIND)
    assert (offered.title, offered.solved_code) == (
        "Note the entries as they are now",
        CHANGED_ENTRY,
    )
    with opened.with_texts(dict(offered.texts)):
        assert [
            diagnostic.code
            for diagnostic in opened.workspace.diagnostics
            if diagnostic.code == CHANGED_ENTRY
        ] == []
        marks = find_references(opened.text("01.yaml"))
        assert len([mark for mark in marks if len(mark.digest) == 4]) == 4


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[rope]", "[rope@0000]"),
        ("[rope]", "[rope@zz]"),
        ("Ida sleeps at the mill.", "Ida sleeps at the mill. [rope@0000]"),
        ("has never opened one.", "has never opened one. [ida-comes@0000]"),
    ],
)
def test_check_desk_and_editors_offer_to_note_an_entry_that_has_changed(
    old: str, new: str, tmp_path: Path
) -> None:
    opened = OpenCampaign("mill", mill(tmp_path, {"01.yaml": (old, new)}), lambda *_: None)
    (outdated,) = [
        diagnostic
        for diagnostic in opened.workspace.diagnostics
        if diagnostic.code in ("T89", "T90")
    ]
    (fix,) = outdated.fixes
    assert not fix.safe
    assert outdated.help[-1] == f"{fix.when}:  write  {fix.edits[0][0]}"
    (proved, *_) = prove_fixes(opened, "01.yaml", opened.text("01.yaml"), [outdated])
    assert proved.remaining_counts == {"error": 0, "warning": 0, "note": 1}, "a note about a frame"
    (offered,) = offered_changes(
        opened, "01.yaml", outdated.place.line, lambda kind: kind == QUICK_KIND
    )
    assert not offered.is_preferred, "somebody has to read the sentence first"
    assert dict(offered.texts) == {"01.yaml": proved.new_text}
    (marked,) = [reference for reference in find_references(proved.new_text) if reference.digest]
    with opened.with_texts({"01.yaml": proved.new_text}):
        record = opened.workspace.record
        assert record is not None
        step = next(step for step in record.steps if step.action.id == marked.id)
        assert marked.digest == entry_digest(step.action.source)
        assert messages(record) == []


def test_editors_note_a_sentence_that_runs_over_two_lines(tmp_path: Path) -> None:
    """And offer nothing, without an error, where a sentence is laid out so that they leave it alone."""
    sentence = "  Ida: Ida carries other people's letters, and has never opened one. [ida-comes]"
    for layout, offers in (
        (sentence.replace(", and", ",\n    and"), 1),
        (f"{sentence}\n".replace("Ida: Ida", "Ida: >\n    Ida"), 0),
    ):
        home = tmp_path / str(offers)
        home.mkdir()
        opened = OpenCampaign(
            "mill", mill(home, {"01.yaml": (sentence, layout)}), lambda home, find_changes: None
        )
        line = opened.text("01.yaml").split("\n").index("recap: |") + 1
        offered = [*offered_changes(opened, "01.yaml", line, lambda kind: kind == REWRITE_KIND)]
        assert len(offered) == offers
        for change in offered:
            assert "letters,\n    and has never opened one. [ida-comes@" in change.texts["01.yaml"]


def test_the_schema_has_the_keys() -> None:
    properties = session_schema(rulebook("universalis"))["properties"]
    assert {"recap", "about", "end", "gone"} <= set(properties)
    assert properties["about"]["type"] == "object"


@pytest.mark.parametrize(
    ("above", "head", "fits"),
    [
        ("session: 3\n", "re", "recap"),
        ("session: 3\nabout:\n", "  Old", "Old Tam"),
        ("session: 3\nend: {", "end: {I", "Ida"),
        ("session: 3\nrecap: |\n", "  Ida walks. [wal", "walks"),
        ("session: 3\nabout:\n", "  Ida: Ida walks. [", "walks"),
    ],
)
def test_editors_offer_keys_people_and_entries(
    above: str, head: str, fits: str, tmp_path: Path
) -> None:
    def nothing(home: Path, find_changes: object) -> None:
        raise AssertionError("nothing is written")

    opened = OpenCampaign("mill", mill(tmp_path), nothing)
    rows = [*above.rstrip("\n").split("\n"), head] if above.endswith("\n") else [head]
    with opened.with_texts({"03.yaml": "\n".join([*rows, "", "log:", ""])}):
        completions = {
            completion.label: completion
            for completion in complete(opened, "03.yaml", len(rows), len(head) + 1)
        }
    assert fits in completions
    if fits == "walks":
        (mark,) = find_references(f"[{completions[fits].insert}")
        assert mark.id == "walks" and len(mark.digest) == 4
        assert str(Reference("walks", mark.digest, 0, 0)) == f"[{completions[fits].insert}"
