"""Questions and answers of the desk."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.services.entry_effects import effect_of_line
from chronicle.services.writing import last_session_file
from tests.services.conftest import AtDesk
from tests.services.tellings import telling

SESSIONS = Path(__file__).resolve().parents[2] / "sessions"

Sit = Callable[..., AtDesk]
BOATHOUSE = "the-boathouse"


def test_what_is_written_is_on_the_disk_and_comes_back_byte_by_byte(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    file = at.folder / BOATHOUSE / "02.yaml"
    bytes_before = file.read_bytes()
    answer = at.ask(
        "write", campaign=BOATHOUSE, entry="aside: Who has the kettle?", text=" *Nobody*.\n\nNo"
    )
    assert file.read_bytes().startswith(bytes_before)
    assert "  text: |2-\n     *Nobody*.\n\n    No\n" in file.read_text(encoding="utf-8")
    assert answer["entry"]["verb"] == "aside"
    assert answer["step"] == answer["findings"]["entries"] == answer["table"]["step"]
    bytes_after = file.read_bytes()
    at.ask("undo", campaign=BOATHOUSE)
    assert file.read_bytes() == bytes_before
    at.ask("redo", campaign=BOATHOUSE)
    assert file.read_bytes() == bytes_after
    assert at.refused("redo", campaign=BOATHOUSE) == "there is nothing to redo"


def test_an_entry_goes_where_it_is_said_to_and_comments_stay(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    file = at.folder / BOATHOUSE / "01.yaml"
    text_before = file.read_text(encoding="utf-8")
    line = text_before.split("\n").index("- host: Ruth") + 1
    answer = at.ask("write", campaign=BOATHOUSE, file="01.yaml", line=line, entry="aside: Late")
    rows = file.read_text(encoding="utf-8").split("\n")
    assert rows[answer["line"] - 1] == "- aside: Late"
    assert answer["line"] == line + 2
    at.ask("edit", campaign=BOATHOUSE, file="01.yaml", line=answer["line"], entry="aside: Later")
    assert "- aside: Later\n" in file.read_text(encoding="utf-8")
    at.ask("remove", campaign=BOATHOUSE, file="01.yaml", line=answer["line"])
    assert file.read_text(encoding="utf-8") == text_before


def test_what_an_editor_wrote_meanwhile_stays(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    file = at.folder / BOATHOUSE / "02.yaml"
    text = file.read_text(encoding="utf-8")
    at.ask("write", campaign=BOATHOUSE, entry="aside: One")
    file.write_text(
        file.read_text(encoding="utf-8").replace("session: 2", "session: 2 # ours"),
        encoding="utf-8",
        newline="",
    )
    at.room.open(BOATHOUSE).workspace.reload()
    at.ask("undo", campaign=BOATHOUSE)
    assert file.read_text(encoding="utf-8") == text.replace("session: 2", "session: 2 # ours")


def test_what_is_typed_is_looked_at_and_saved_with_what_came_in_between(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    file = at.folder / BOATHOUSE / "02.yaml"
    text = at.ask("text", campaign=BOATHOUSE, file="02.yaml")
    typed = text["text"] + "- nonsense: 1\n"
    answer = at.ask(
        "change", campaign=BOATHOUSE, file="02.yaml", text=typed, version=text["version"]
    )
    assert [problem["code"] for problem in answer["findings"]] == ["T21"]
    assert answer["counts"]["error"] == 1
    file.write_text("# from an editor\n" + text["text"], encoding="utf-8", newline="")
    saved = at.ask("save", campaign=BOATHOUSE, file="02.yaml")
    assert saved["merged"]
    assert file.read_text(encoding="utf-8") == "# from an editor\n" + typed


def test_trying_writes_nothing(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    file = at.folder / BOATHOUSE / "01.yaml"
    bytes_before = file.read_bytes()
    line = (
        file.read_text(encoding="utf-8").split("\n").index("- match: One bed, the whole of Easter")
    )
    answer = at.ask("try", campaign=BOATHOUSE, file="01.yaml", line=line, entry="back down: Tomas")
    assert not answer["findings"]
    assert (
        answer["after"]["step"]
        == at.ask("table", campaign=BOATHOUSE, file="01.yaml", line=line)["step"] + 1
    )
    answer = at.ask("try", campaign=BOATHOUSE, file="01.yaml", line=line, entry="back down: Marek")
    assert [problem["severity"] for problem in answer["findings"]] == ["error"]
    assert file.read_bytes() == bytes_before


@pytest.mark.parametrize(
    ("ask", "more"),
    [
        ("dance", {}),
        ("table", {}),
        ("table", {"campaign": "nowhere"}),
        ("table", {"campaign": BOATHOUSE, "line": "3"}),
        ("table", {"campaign": BOATHOUSE, "colour": 3}),
        ("text", {"campaign": BOATHOUSE, "file": "../the-boathouse/01.yaml"}),
        ("text", {"campaign": BOATHOUSE, "file": "/etc/passwd"}),
        ("text", {"campaign": "../sessions", "file": "01.yaml"}),
        ("write", {"campaign": BOATHOUSE, "entry": ""}),
        ("write", {"campaign": BOATHOUSE, "entry": "tell: [", "file": "01.yaml"}),
        ("write", {"campaign": BOATHOUSE, "entry": "tell: x", "text": "\x00"}),
        ("edit", {"campaign": BOATHOUSE, "file": "campaign.yaml", "line": 3, "entry": "tell: x"}),
        ("undo", {"campaign": BOATHOUSE}),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    sit: Sit, ask: str, more: dict[str, object]
) -> None:
    at = sit(BOATHOUSE)
    files_before = {file: file.read_bytes() for file in at.folder.rglob("*") if file.is_file()}
    assert at.refused(ask, **more)
    assert {
        file: file.read_bytes() for file in at.folder.rglob("*") if file.is_file()
    } == files_before


def test_a_line_is_written_as_a_careful_keeper_types_it(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    at.ask(
        "session",
        campaign=BOATHOUSE,
        title="Once more: the lake",
        date="2026-07-11",
        present=["Ana", "Bo"],
    )
    text = (at.folder / BOATHOUSE / "03.yaml").read_text(encoding="utf-8")
    assert text.split("\n")[1:] == [
        "session: 3",
        'title: "Once more: the lake"',
        "date: 2026-07-11",
        "present: [Ana, Bo]",
        "",
        "log:",
        "",
    ]
    answer = at.ask(
        "write", campaign=BOATHOUSE, said='aside "Well," said Bo, and left', by="Bo", text="Rain."
    )
    assert (answer["file"], answer["line"]) == ("03.yaml", 8)
    at.ask("tell", campaign=BOATHOUSE, file="03.yaml", line=8, text="Snow.\n\nMore snow.")
    text = (at.folder / BOATHOUSE / "03.yaml").read_text(encoding="utf-8")
    assert text.split("log:\n")[1] == (
        "- aside: '\"Well,\" said Bo, and left'\n  by: Bo\n  text: |\n    Snow.\n\n    More snow.\n"
    )
    at.ask("tell", campaign=BOATHOUSE, file="03.yaml", line=8, text="")
    assert at.ask("entry", campaign=BOATHOUSE, file="03.yaml", line=8)["entry"] == (
        "aside: '\"Well,\" said Bo, and left'\nby: Bo"
    )


def test_an_entry_is_found_by_what_pages_call_it(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    log = at.ask("log", campaign=BOATHOUSE)["entries"]
    for step in run(load(at.folder / BOATHOUSE)).steps:
        answer = at.ask("place", campaign=BOATHOUSE, anchor=step.anchor)
        entry = log[answer["step"] - 1]
        assert (answer["file"], answer["line"]) == (entry["file"], entry["line"])
        assert step.parent or answer["step"] == step.number
    assert "no such entry" in at.refused("place", campaign=BOATHOUSE, anchor="s9-nothing")


def test_what_is_sent_twice_is_written_once(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    version = at.ask("text", campaign=BOATHOUSE, file="02.yaml")["version"]
    first = at.ask("write", campaign=BOATHOUSE, entry="aside: One", once="a", version=version)
    assert (
        at.ask("write", campaign=BOATHOUSE, entry="aside: One", once="a", version=version) == first
    )
    second_desk = AtDesk(at.folder)
    last = second_desk.ask(
        "write", campaign=BOATHOUSE, entry="aside: One", once="a", version=version
    )
    assert (last["step"], last["line"]) == (first["step"], first["line"])
    text = (at.folder / BOATHOUSE / "02.yaml").read_text(encoding="utf-8")
    assert text.count("aside: One") == 1
    second_desk.ask("write", campaign=BOATHOUSE, entry="aside: Two", once="b", version=version)
    assert (at.folder / BOATHOUSE / "02.yaml").read_text(encoding="utf-8").count("aside: Two") == 1


def test_what_was_counted_is_kept_below_a_gap(sit: Sit) -> None:
    at = sit("the-lantern-coast")
    where = {"campaign": "the-lantern-coast", "file": "02.yaml", "line": 335}
    groups = {group["measure"]: group for group in at.ask("count", **where)["groups"]}
    wealth = {row["name"]: row["value"] for row in groups["wealth"]["rows"]}
    assert list(wealth) == ["Marit", "Joss", "Pilar", "Tunde", "Wen"]
    answer = at.ask("counted", figures={"wealth": {"Joss": wealth["Joss"]}}, **where)
    assert answer["entry"] == f"assert: {{wealth: {{Joss: {wealth['Joss']}}}}}"
    assert not answer["findings"]
    answer = at.ask("hole", words="two draws", figures={"wealth": {"Joss": 8}}, **where)
    rows = (at.folder / "the-lantern-coast" / "02.yaml").read_text(encoding="utf-8").split("\n")
    assert rows[answer["line"] - 2 : answer["line"]] == [
        "- gap: two draws",
        "- assert: {wealth: {Joss: 8}}",
    ]


def test_an_evening_ends_with_what_was_counted_and_the_words_that_were_said(sit: Sit) -> None:
    at = sit("the-lantern-coast")
    where = {"campaign": "the-lantern-coast", "where": "evening"}
    assert at.ask("counted", figures={}, **where)["entry"] == "end session:"
    answer = at.ask("counted", figures={}, words="the biscuits: gone", **where)
    assert answer["entry"] == 'end session: "the biscuits: gone"'
    answer = at.ask("counted", figures={"wealth": {"Joss": 8}}, words="gone", **where)
    rows = ["- assert: {wealth: {Joss: 8}}", "- end session: gone"]
    assert answer["yaml"].split("\n") == rows
    done = at.ask("write", campaign="the-lantern-coast", entry=answer["entry"])
    log = (at.folder / "the-lantern-coast" / done["file"]).read_text(encoding="utf-8")
    assert log.rstrip("\n").split("\n")[-2:] == rows


def test_what_an_editor_asks_is_answered_at_every_door(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    rows = (at.folder / BOATHOUSE / "01.yaml").read_text(encoding="utf-8").split("\n")
    line = next(number for number, row in enumerate(rows, 1) if row.startswith("- match: "))
    answer = at.ask("hover", campaign=BOATHOUSE, file="01.yaml", line=line, column=4)
    assert "match" in answer["text"]
    assert answer["line"] == line
    assert at.ask("hover", campaign=BOATHOUSE, file="01.yaml", line=2, column=200) is None
    fits = at.ask("complete", campaign=BOATHOUSE, file="01.yaml", line=line, column=5)
    assert "match" in [fit["label"] for fit in fits]
    assert all(fit["over"] == len("ma") for fit in fits if fit["label"] == "match")


def test_a_card_says_in_short_who_somebody_is(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    card = at.ask("card", campaign=BOATHOUSE, name="Tomas")
    assert (card["name"], card["player"]) != ("", "")
    assert card["name"].startswith("Tomas")
    assert "out" in card["status"]
    assert card["blocks"]
    assert "nothing is called" in at.refused("card", campaign=BOATHOUSE, name="Nobody at all")


def test_a_purse_from_which_somebody_may_have_paid_is_counted_from_the_most_it_holds(
    sit: Sit,
) -> None:
    at = sit("the-lantern-coast")
    file = at.folder / "the-lantern-coast" / "02.yaml"
    rows = file.read_text(encoding="utf-8").split("\n")
    entry = rows.index("- fact: They are standing in the break, to the waist, in two fathoms")
    rows[entry:entry] = ["- create: {prop: a spare lamp}", "  by: unrecorded"]
    file.write_text("\n".join(rows), encoding="utf-8")
    where = {"campaign": "the-lantern-coast", "file": "02.yaml", "line": entry + 3}
    groups = {group["measure"]: group for group in at.ask("count", **where)["groups"]}
    computed = {row["computed"] for row in groups["wealth"]["rows"] if row["value"]}
    assert computed and all(words.startswith("at most ") for words in computed)


GAMES = [
    "the-lantern-coast",
    "snowshed-nine",
    "the-boathouse",
    "the-dry-book",
    "six-names",
    "gallery-nine",
]


@pytest.mark.integration
@pytest.mark.parametrize("campaign", GAMES)
def test_a_line_is_whole_or_says_what_it_lacks(campaign: str) -> None:
    """What is told of it is what the check says of the entry that would be written."""
    opened = AtDesk(SESSIONS).room.open(campaign)
    replay, last = opened.workspace.replay, last_session_file(opened)
    assert replay is not None
    lacking = 0
    for verb in replay.rulebook.by_verb.values():
        for line in (verb.verb, f"{verb.verb} no such thing: 1, by:"):
            with opened.workspace.at(last, 1 << 30) as replay_there:
                assert replay_there is not None
                effect, _ = effect_of_line(opened, replay_there, line, "")
            assert effect["complete"] is not bool(effect["lacks"]), line
            lacking += bool(effect["lacks"])
            if effect["lacks"] and effect["yaml"]:
                with opened.workspace.at(last, 1 << 30) as replay_there:
                    assert replay_there is not None
                    _, diagnostics = opened.workspace.attempt(replay_there, effect["yaml"])
                    messages = [
                        re.sub(r"[{}]", "", diagnostic.message) for diagnostic in diagnostics
                    ]
                assert {lack["message"] for lack in effect["lacks"]} <= {*messages}, line
    assert lacking > 20


def test_what_is_to_be_written_only_if_it_is_whole_is_refused_where_it_is_not(sit: Sit) -> None:
    at = sit("snowshed-nine")
    file = at.folder / "snowshed-nine" / "03.yaml"
    bytes_before = file.read_bytes()
    line = {"campaign": "snowshed-nine", "said": "motive he would not", "whole": True}
    assert at.refused("write", **line).startswith("finish the line: 'motive' takes name: text")
    assert file.read_bytes() == bytes_before
    assert at.ask("write", **line | {"said": "motive Wim: he would not"})["step"]
    assert at.ask("write", **line | {"whole": False})["findings"]["counts"]["error"] == 1


def test_what_is_no_entry_stands_in_the_log_where_it_was_written(sit: Sit) -> None:
    at = sit("snowshed-nine")
    first = at.ask("log", campaign="snowshed-nine", first=20, last=20)["entries"][0]
    where = {"file": first["file"], "line": first["line"]}
    at.ask(
        "write", campaign="snowshed-nine", entry="motive: He said so\ntext: |\n  A\n  B", **where
    )
    at.ask("write", campaign="snowshed-nine", entry="nonsense: {a: b}")
    at.ask("write", campaign="snowshed-nine", entry="aside: Late\nsays: Who\nby: {}")
    log = at.ask("log", campaign="snowshed-nine")
    assert log["entries"][-1]["verb"] == "aside" and log["entries"][-1]["findings"]
    unread_texts = [(unread["after"], unread["text"]) for unread in log["unread"]]
    assert unread_texts[0] == (20, "- motive: He said so\n  text: |\n    A\n    B")
    assert unread_texts[1] == (log["total"] - 1, "- nonsense: {a: b}")
    # Every finding about the log is with the entry, or with what is none.
    problems = at.ask("findings", campaign="snowshed-nine")["findings"]
    keys = [key for row in (*log["entries"], *log["unread"]) for key in row["findings"]]
    assert sorted(problem["key"] for problem in problems) == sorted(keys)
    assert at.ask("log", campaign="snowshed-nine", first=30)["unread"] == [log["unread"][1]]
    for unread_row in reversed(log["unread"]):
        at.ask("remove", campaign="snowshed-nine", file=unread_row["file"], line=unread_row["line"])
    assert at.ask("log", campaign="snowshed-nine")["unread"] == []


def test_an_evening_is_called_otherwise_and_all_else_stays(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    file = at.folder / BOATHOUSE / "02.yaml"
    text_before = file.read_text(encoding="utf-8").replace("\ndate:", "\n# as I heard it\ndate:")
    file.write_text(text_before, encoding="utf-8", newline="")
    session = at.ask("log", campaign=BOATHOUSE)["sessions"][1]
    head = {key: session[key] for key in ("file", "title", "date")}
    at.ask("evening", campaign=BOATHOUSE, **head, present=None)
    assert file.read_text(encoding="utf-8") == text_before
    at.ask(
        "evening", campaign=BOATHOUSE, **head | {"title": "The lake: again", "date": "2026-07-12"}
    )
    at.ask(
        "evening", campaign=BOATHOUSE, **head | {"title": "The lake: again"}, present=["Bo", "Ana"]
    )
    second_session = at.ask("log", campaign=BOATHOUSE)["sessions"][1]
    assert (second_session["title"], second_session["date"]) == ("The lake: again", session["date"])
    assert sorted(second_session["present"]) == ["Ana", "Bo"]
    text = file.read_text(encoding="utf-8")
    assert 'title: "The lake: again"\n# as I heard it\ndate: ' in text
    assert text.count("\npresent: [Ana, Bo]\n") == 1
    for _ in range(2):
        at.ask("undo", campaign=BOATHOUSE)
    assert file.read_text(encoding="utf-8") == text_before
    assert "no player" in at.refused("evening", campaign=BOATHOUSE, **head, present=["Nobody"])


@pytest.mark.parametrize("campaign", GAMES)
def test_whoever_is_named_has_a_card(campaign: str) -> None:
    """Two in one, a pair, are two names."""
    at = AtDesk(SESSIONS)

    def refs(answer: object) -> Iterator[tuple[str, str]]:
        if isinstance(answer, dict):
            if "ref" in answer:
                yield tuple(answer["ref"])
            for value in answer.values():
                yield from refs(value)
        elif isinstance(answer, list):
            for value in answer:
                yield from refs(value)

    refs_shown = {
        *refs(at.ask("log", campaign=campaign)),
        *refs(at.ask("table", campaign=campaign)),
    }
    names = {name for kind, name in refs_shown if kind not in ("step", "session")}
    assert names
    for name in sorted(names):
        assert at.ask("card", campaign=campaign, name=name)["name"]
        assert " & " not in name


def test_nobody_is_offered_who_would_be_wrong_there(sit: Sit) -> None:
    at = sit("snowshed-nine")
    entry = at.ask("log", campaign="snowshed-nine", first=48, last=48)["entries"][0]
    place = {"campaign": "snowshed-nine", "file": entry["file"], "line": entry["line"]}
    answer = at.ask("fit", said="propose We go, by: Hedda, ask: ", **place)
    last = answer["choices"][-1]
    assert (last["label"], last["eligible"]) == ("Hedda Brunn", False)
    assert last["why"] == "Hedda Brunn proposes this and need not be asked"
    assert answer["choices"][0]["eligible"]
    for line in ("roll 1, by: ", "bid ", "gap x, uncertain: ", "character X, goal: "):
        offered = [choice["line"] for choice in at.ask("fit", said=line, **place)["choices"]]
        assert len(offered) == len({*offered})
        assert not any(" & " in offered_line for offered_line in offered)
    used = at.ask("fit", said="propose We go, by: Hedda, use: Hedda: profession, goal", **place)
    assert [choice["label"] for choice in used["choices"]].count("against goal") == 1
    speakers = at.ask("fit", said="say ", **place)["choices"]
    assert "say Wim: " in [speaker["line"] for speaker in speakers]
    goals = at.ask("fit", said="character X, by: Tilda, goal: ", **place)["choices"]
    assert "get into the mailbag" in [goal["label"] for goal in goals]


def test_a_row_of_several_kinds_has_the_first_of_each_in_sight(sit: Sit) -> None:
    at = sit("snowshed-nine")
    entry = at.ask("log", campaign="snowshed-nine", first=8, last=8)["entries"][0]
    line = "green Hedda Brunn & Wim: strong + jumpy"
    place = {"campaign": "snowshed-nine", "file": entry["file"], "line": entry["line"]}
    choices = at.ask("fit", said=line, **place)["choices"]
    labels = [choice["label"] for choice in choices if choice["line"].startswith(line)]
    assert len(labels) > 20
    # More of these two, the next two, and what else can be said.
    assert " + " in labels[0]
    assert any(" & " in label for label in labels[:14])
    assert {"by", "goals"} & {*labels[:14]}


def test_fiction_on_an_empty_line_is_told(sit: Sit) -> None:
    at = sit(BOATHOUSE)
    at.ask(
        "write", campaign=BOATHOUSE, entry="tell:", text='The door shuts: "Fine."\nNobody laughs.'
    )
    text = (at.folder / BOATHOUSE / "02.yaml").read_text(encoding="utf-8")
    assert text.endswith('- tell: |\n    The door shuts: "Fine."\n    Nobody laughs.\n')
    assert at.ask("findings", campaign=BOATHOUSE)["counts"]["error"] == 0


@pytest.mark.parametrize(
    ("campaign", "verb", "words"),
    [
        ("six-names", "world", "ours, four years on"),
        ("gallery-nine", "mark", "She walks on past the red lamp"),
        ("the-valley-twice", "paragraph", "Lucas Ferrar surveys valleys"),
        # Nothing is told of what a Challenge has struck.
        ("the-lantern-coast", "tenet", "All the secrets are love affairs"),
    ],
)
def test_a_sentence_that_was_written_can_be_read_in_the_log(
    sit: Sit, campaign: str, verb: str, words: str
) -> None:
    at = sit(campaign)
    entries = at.ask("log", campaign=campaign)["entries"]
    written = [entry["written"] for entry in entries if entry["verb"] == verb]
    assert any(
        line["key"] == verb and line["text"].startswith(words)
        for written_lines in written
        for line in written_lines
    )


@pytest.mark.parametrize(
    ("campaign", "step", "written"),
    [
        ("snowshed-nine", 89, {}),
        ("snowshed-nine", 20, {"pool": "6", "versus": "6"}),
        ("six-names", 61, {"pools": "Halina: 6; Osei: 18; Wren: 9; Tamsin: 5"}),
        (
            "gallery-nine",
            59,
            {
                "conflict": "The auditors will sign whatever is read to them last",
                "with": "Dorrit, Superintendent Voss",
            },
        ),
        ("the-ferry-house", 19, {"target": "Beate"}),
        # Told in the headline, or in what followed, but for the pair that got nothing.
        (
            "snowshed-nine",
            91,
            {
                "spread": "Hedda & Anselm: 1; Hedda & Irena: 1; Hedda & Wim: 1; Anselm & Irena: 1; Irena & Wim: 1; "
                "Anselm & Wim: 0"
            },
        ),
    ],
)
def test_a_row_of_the_log_says_who_did_it_to_whom_and_for_how_much(
    sit: Sit, campaign: str, step: int, written: dict[str, str]
) -> None:
    entry = sit(campaign).ask("log", campaign=campaign, first=step, last=step)["entries"][0]
    texts = {part["key"]: part["text"] for part in entry["written"]}
    assert texts == written


def test_what_is_in_an_envelope_does_not_stand_on_the_page_of_the_table(sit: Sit) -> None:
    at = sit("the-dry-book")
    first, *later = sorted((at.folder / "the-dry-book").glob("[0-9]*.yaml"))
    for file in later:
        file.unlink()
    text_before, _, _ = first.read_text(encoding="utf-8").partition("- introduce:")
    first.write_text(text_before, encoding="utf-8", newline="")
    entries = at.ask("log", campaign="the-dry-book")["entries"]
    envelopes = [entry for entry in entries if entry["verb"] == "envelope"]
    assert envelopes
    assert all(envelope["hidden"] and not envelope["written"] for envelope in envelopes)


def test_who_is_implicated_and_what_is_targeted_stands_in_the_log(sit: Sit) -> None:
    at = sit("the-dry-book")
    _, second, *later = sorted((at.folder / "the-dry-book").glob("[0-9]*.yaml"))
    for file in later:
        file.unlink()
    text_before, _, _ = second.read_text(encoding="utf-8").partition("- check: {Quill: 1,")
    second.write_text(text_before, encoding="utf-8", newline="")
    where = {"campaign": "the-dry-book"}
    at.ask("write", entry="check: {Quill: 1, Marrow: 6, Tern: [4, 11], Agency: [2, 8, 9]}", **where)
    answer = at.ask(
        "write", entry="implicate: {Marrow: 3, Tern: 8}\ntarget: {Quill: handwriting}", **where
    )["entry"]
    assert answer["head"][0]["t"] + answer["head"][1] == "Marrow is implicated"
    texts = [
        "".join(s if isinstance(s, str) else s["t"] for s in e["text"]) for e in answer["follows"]
    ]
    assert "The interference is after Quill's handwriting" in texts


def test_a_part_of_an_outcome_is_told_and_taken_out_by_itself(sit: Sit) -> None:
    at = sit("the-lantern-coast")
    where = {"campaign": "the-lantern-coast", "file": "03.yaml"}
    file = at.folder / "the-lantern-coast" / "03.yaml"
    text_before = file.read_text(encoding="utf-8")
    rows = text_before.split("\n")
    line = rows.index("    - fact: The lamp is dark, then, as it must be") + 1
    table = at.ask("table", campaign="the-lantern-coast")
    answer = at.ask("tell", **where, line=line, text="Dark.")
    assert 0 < answer["step"] < table["step"]
    added = file.read_text(encoding="utf-8").split("\n")
    assert added[line + 1 : line + 3] == ["      text: |", "        Dark."]
    assert added[:line] == rows[:line]
    # Wherever a log is changed, how things stand is how they stand at its end.
    assert answer["table"] == table | {key: answer["table"][key] for key in ("line", "version")}
    at.ask("undo", campaign="the-lantern-coast")
    at.ask("remove", **where, line=line)
    lines_left = file.read_text(encoding="utf-8").split("\n")
    assert rows[line - 1] not in lines_left
    assert rows[line - 5] in lines_left, "nothing else is taken out"
    at.ask("undo", campaign="the-lantern-coast")
    assert file.read_text(encoding="utf-8") == text_before


def test_a_part_of_an_outcome_is_changed_by_itself(sit: Sit) -> None:
    at = sit("the-lantern-coast")
    where = {"campaign": "the-lantern-coast", "file": "03.yaml"}
    file = at.folder / "the-lantern-coast" / "03.yaml"
    text_before = file.read_text(encoding="utf-8")
    rows = text_before.split("\n")
    line = rows.index("    - fact: The lamp is dark, then, as it must be") + 1
    shown = at.ask("entry", **where, line=line)
    assert shown["entry"].split("\n")[:2] == [
        "fact: The lamp is dark, then, as it must be",
        "id: out",
    ]
    # Only what would be found about the part is told of it.
    assert at.ask("amend", **where, line=line, entry=shown["entry"])["findings"] == []
    wrong = at.ask("amend", **where, line=line, entry="event: He jumps\nperformer: Nobody At All")
    assert any("Nobody At All" in problem["message"] for problem in wrong["findings"])
    assert file.read_text(encoding="utf-8") == text_before
    fact = "fact: The lamp is dark\nid: out\ntext: |\n  Dark."
    answer = at.ask("edit", **where, line=line, entry=fact)
    assert answer["line"] == line and answer["entry"]["parent"]
    assert file.read_text(encoding="utf-8").split("\n") == [
        *rows[: line - 1],
        "    - fact: The lamp is dark",
        "      id: out",
        "      text: |",
        "        Dark.",
        *rows[shown["end_line"] :],
    ]
    at.ask("undo", campaign="the-lantern-coast")
    assert file.read_text(encoding="utf-8") == text_before


def test_what_a_change_makes_wrong_elsewhere_is_counted_before_it_is_written(sit: Sit) -> None:
    at = sit("the-lantern-coast")
    where = {"campaign": "the-lantern-coast", "file": "01.yaml"}
    rows = (at.folder / "the-lantern-coast" / "01.yaml").read_text(encoding="utf-8").split("\n")
    line = next(number for number, row in enumerate(rows, 1) if row.startswith("- introduce"))
    entry = at.ask("entry", **where, line=line)["entry"]
    assert at.ask("amend", **where, line=line, entry=entry)["elsewhere"] == 0
    assert at.ask("amend", **where, line=line, entry="aside: nobody came")["elsewhere"] > 0


def test_where_a_scene_is_stands_there_once(tmp_path: Path) -> None:
    telling("universalis").write(tmp_path / "library")
    log = AtDesk(tmp_path).ask("log", campaign="library")
    framed = [log_entry for log_entry in log["entries"] if log_entry["verb"] == "scene"]
    places = [scene["place"] for scene in log["scenes"]]
    for entry, place in zip(framed, places, strict=True):
        texts = {part["key"]: part["text"] for part in entry["written"]}
        assert place not in texts["at"] and texts["at"].startswith("traits: "), texts
