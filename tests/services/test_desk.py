"""Questions and answers of the desk."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.services.line_help import effect_of
from chronicle.services.writing import last_session
from tests.services.conftest import AtDesk
from tests.services.tellings import telling

SESSIONS = Path(__file__).resolve().parents[2] / "sessions"

Sit = Callable[..., AtDesk]
HERE = "the-boathouse"


def test_what_is_written_is_on_the_disk_and_comes_back_byte_by_byte(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "02.yaml"
    before = file.read_bytes()
    told = at.ask(
        "write", campaign=HERE, entry="aside: Who has the kettle?", text=" *Nobody*.\n\nNo"
    )
    assert file.read_bytes().startswith(before)
    assert "  text: |2-\n     *Nobody*.\n\n    No\n" in file.read_text(encoding="utf-8")
    assert told["entry"]["verb"] == "aside"
    assert told["step"] == told["findings"]["entries"] == told["table"]["step"]
    after = file.read_bytes()
    at.ask("undo", campaign=HERE)
    assert file.read_bytes() == before
    at.ask("redo", campaign=HERE)
    assert file.read_bytes() == after
    assert at.refused("redo", campaign=HERE) == "there is nothing to redo"


def test_an_entry_goes_where_it_is_said_to_and_comments_stay(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "01.yaml"
    before = file.read_text(encoding="utf-8")
    line = before.split("\n").index("- host: Ruth") + 1
    told = at.ask("write", campaign=HERE, file="01.yaml", line=line, entry="aside: Late")
    rows = file.read_text(encoding="utf-8").split("\n")
    assert rows[told["line"] - 1] == "- aside: Late"
    assert told["line"] == line + 2
    at.ask("edit", campaign=HERE, file="01.yaml", line=told["line"], entry="aside: Later")
    assert "- aside: Later\n" in file.read_text(encoding="utf-8")
    at.ask("remove", campaign=HERE, file="01.yaml", line=told["line"])
    assert file.read_text(encoding="utf-8") == before


def test_what_an_editor_wrote_meanwhile_stays(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "02.yaml"
    text = file.read_text(encoding="utf-8")
    at.ask("write", campaign=HERE, entry="aside: One")
    file.write_text(
        file.read_text(encoding="utf-8").replace("session: 2", "session: 2 # ours"),
        encoding="utf-8",
        newline="",
    )
    at.room.open(HERE).workspace.reload()
    at.ask("undo", campaign=HERE)
    assert file.read_text(encoding="utf-8") == text.replace("session: 2", "session: 2 # ours")


def test_what_is_typed_is_looked_at_and_saved_with_what_came_in_between(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "02.yaml"
    text = at.ask("text", campaign=HERE, file="02.yaml")
    typed = text["text"] + "- nonsense: 1\n"
    found = at.ask("change", campaign=HERE, file="02.yaml", text=typed, version=text["version"])
    assert [one["code"] for one in found["findings"]] == ["T21"]
    assert found["counts"]["error"] == 1
    file.write_text("# from an editor\n" + text["text"], encoding="utf-8", newline="")
    saved = at.ask("save", campaign=HERE, file="02.yaml")
    assert saved["merged"]
    assert file.read_text(encoding="utf-8") == "# from an editor\n" + typed


def test_trying_writes_nothing(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "01.yaml"
    before = file.read_bytes()
    line = (
        file.read_text(encoding="utf-8").split("\n").index("- match: One bed, the whole of Easter")
    )
    told = at.ask("try", campaign=HERE, file="01.yaml", line=line, entry="back down: Tomas")
    assert not told["findings"]
    assert (
        told["after"]["step"]
        == at.ask("table", campaign=HERE, file="01.yaml", line=line)["step"] + 1
    )
    told = at.ask("try", campaign=HERE, file="01.yaml", line=line, entry="back down: Marek")
    assert [one["severity"] for one in told["findings"]] == ["error"]
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("ask", "more"),
    [
        ("dance", {}),
        ("table", {}),
        ("table", {"campaign": "nowhere"}),
        ("table", {"campaign": HERE, "line": "3"}),
        ("table", {"campaign": HERE, "colour": 3}),
        ("text", {"campaign": HERE, "file": "../the-boathouse/01.yaml"}),
        ("text", {"campaign": HERE, "file": "/etc/passwd"}),
        ("text", {"campaign": "../sessions", "file": "01.yaml"}),
        ("write", {"campaign": HERE, "entry": ""}),
        ("write", {"campaign": HERE, "entry": "tell: [", "file": "01.yaml"}),
        ("write", {"campaign": HERE, "entry": "tell: x", "text": "\x00"}),
        ("edit", {"campaign": HERE, "file": "campaign.yaml", "line": 3, "entry": "tell: x"}),
        ("undo", {"campaign": HERE}),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    sit: Sit, ask: str, more: dict[str, object]
) -> None:
    at = sit(HERE)
    before = {file: file.read_bytes() for file in at.folder.rglob("*") if file.is_file()}
    assert at.refused(ask, **more)
    assert {file: file.read_bytes() for file in at.folder.rglob("*") if file.is_file()} == before


def test_a_line_is_written_as_a_careful_keeper_types_it(sit: Sit) -> None:
    at = sit(HERE)
    at.ask(
        "session",
        campaign=HERE,
        title="Once more: the lake",
        date="2026-07-11",
        present=["Ana", "Bo"],
    )
    text = (at.folder / HERE / "03.yaml").read_text(encoding="utf-8")
    assert text.split("\n")[1:] == [
        "session: 3",
        'title: "Once more: the lake"',
        "date: 2026-07-11",
        "present: [Ana, Bo]",
        "",
        "log:",
        "",
    ]
    told = at.ask(
        "write", campaign=HERE, said='aside "Well," said Bo, and left', by="Bo", text="Rain."
    )
    assert (told["file"], told["line"]) == ("03.yaml", 8)
    at.ask("tell", campaign=HERE, file="03.yaml", line=8, text="Snow.\n\nMore snow.")
    text = (at.folder / HERE / "03.yaml").read_text(encoding="utf-8")
    assert text.split("log:\n")[1] == (
        "- aside: '\"Well,\" said Bo, and left'\n  by: Bo\n  text: |\n    Snow.\n\n    More snow.\n"
    )
    at.ask("tell", campaign=HERE, file="03.yaml", line=8, text="")
    assert at.ask("entry", campaign=HERE, file="03.yaml", line=8)["entry"] == (
        "aside: '\"Well,\" said Bo, and left'\nby: Bo"
    )


def test_an_entry_is_found_by_what_pages_call_it(sit: Sit) -> None:
    at = sit(HERE)
    log = at.ask("log", campaign=HERE)["entries"]
    for step in run(load(at.folder / HERE)).steps:
        found = at.ask("place", campaign=HERE, anchor=step.anchor)
        entry = log[found["step"] - 1]
        assert (found["file"], found["line"]) == (entry["file"], entry["line"])
        assert step.parent or found["step"] == step.number
    assert "no such entry" in at.refused("place", campaign=HERE, anchor="s9-nothing")


def test_what_is_sent_twice_is_written_once(sit: Sit) -> None:
    at = sit(HERE)
    version = at.ask("text", campaign=HERE, file="02.yaml")["version"]
    first = at.ask("write", campaign=HERE, entry="aside: One", once="a", version=version)
    assert at.ask("write", campaign=HERE, entry="aside: One", once="a", version=version) == first
    again = AtDesk(at.folder)
    last = again.ask("write", campaign=HERE, entry="aside: One", once="a", version=version)
    assert (last["step"], last["line"]) == (first["step"], first["line"])
    text = (at.folder / HERE / "02.yaml").read_text(encoding="utf-8")
    assert text.count("aside: One") == 1
    again.ask("write", campaign=HERE, entry="aside: Two", once="b", version=version)
    assert (at.folder / HERE / "02.yaml").read_text(encoding="utf-8").count("aside: Two") == 1


def test_what_was_counted_is_kept_below_a_hole(sit: Sit) -> None:
    at = sit("the-lantern-coast")
    where = {"campaign": "the-lantern-coast", "file": "02.yaml", "line": 335}
    groups = {one["measure"]: one for one in at.ask("count", **where)["groups"]}
    wealth = {row["name"]: row["value"] for row in groups["wealth"]["rows"]}
    assert list(wealth) == ["Marit", "Joss", "Pilar", "Tunde", "Wen"]
    told = at.ask("counted", figures={"wealth": {"Joss": wealth["Joss"]}}, **where)
    assert told["entry"] == f"assert: {{wealth: {{Joss: {wealth['Joss']}}}}}"
    assert not told["findings"]
    told = at.ask("hole", words="two draws", figures={"wealth": {"Joss": 8}}, **where)
    rows = (at.folder / "the-lantern-coast" / "02.yaml").read_text(encoding="utf-8").split("\n")
    assert rows[told["line"] - 2 : told["line"]] == [
        "- gap: two draws",
        "- assert: {wealth: {Joss: 8}}",
    ]


def test_an_evening_ends_with_what_was_counted_and_the_words_that_were_said(sit: Sit) -> None:
    at = sit("the-lantern-coast")
    where = {"campaign": "the-lantern-coast", "where": "evening"}
    assert at.ask("counted", figures={}, **where)["entry"] == "end session:"
    told = at.ask("counted", figures={}, words="the biscuits: gone", **where)
    assert told["entry"] == 'end session: "the biscuits: gone"'
    told = at.ask("counted", figures={"wealth": {"Joss": 8}}, words="gone", **where)
    rows = ["- assert: {wealth: {Joss: 8}}", "- end session: gone"]
    assert told["yaml"].split("\n") == rows
    done = at.ask("write", campaign="the-lantern-coast", entry=told["entry"])
    log = (at.folder / "the-lantern-coast" / done["file"]).read_text(encoding="utf-8")
    assert log.rstrip("\n").split("\n")[-2:] == rows


def test_what_an_editor_asks_is_answered_at_every_door(sit: Sit) -> None:
    at = sit(HERE)
    rows = (at.folder / HERE / "01.yaml").read_text(encoding="utf-8").split("\n")
    line = next(number for number, row in enumerate(rows, 1) if row.startswith("- match: "))
    told = at.ask("hover", campaign=HERE, file="01.yaml", line=line, column=4)
    assert "match" in told["text"]
    assert told["line"] == line
    assert at.ask("hover", campaign=HERE, file="01.yaml", line=2, column=200) is None
    fits = at.ask("complete", campaign=HERE, file="01.yaml", line=line, column=5)
    assert "match" in [fit["label"] for fit in fits]
    assert all(fit["over"] == len("ma") for fit in fits if fit["label"] == "match")


def test_a_card_says_in_short_who_somebody_is(sit: Sit) -> None:
    at = sit(HERE)
    card = at.ask("card", campaign=HERE, name="Tomas")
    assert (card["name"], card["player"]) != ("", "")
    assert card["name"].startswith("Tomas")
    assert "out" in card["status"]
    assert card["blocks"]
    assert "nothing is called" in at.refused("card", campaign=HERE, name="Nobody at all")


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
    groups = {one["measure"]: one for one in at.ask("count", **where)["groups"]}
    told = {row["computed"] for row in groups["wealth"]["rows"] if row["value"]}
    assert told and all(words.startswith("at most ") for words in told)


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
    replay, last = opened.workspace.replay, last_session(opened)
    assert replay is not None
    lacking = 0
    for verb in replay.rulebook.by_verb.values():
        for said in (verb.verb, f"{verb.verb} no such thing: 1, by:"):
            with opened.workspace.at(last, 1 << 30) as now:
                assert now is not None
                told, _ = effect_of(opened, now, said, "")
            assert told["complete"] is not bool(told["lacks"]), said
            lacking += bool(told["lacks"])
            if told["lacks"] and told["yaml"]:
                with opened.workspace.at(last, 1 << 30) as now:
                    assert now is not None
                    _, found = opened.workspace.attempt(now, told["yaml"])
                    messages = [one.message for one in found]
                assert {one["message"] for one in told["lacks"]} <= {*messages}, said
    assert lacking > 20


def test_what_is_to_be_written_only_if_it_is_whole_is_refused_where_it_is_not(sit: Sit) -> None:
    at = sit("snowshed-nine")
    file = at.folder / "snowshed-nine" / "03.yaml"
    before = file.read_bytes()
    line = {"campaign": "snowshed-nine", "said": "motive he would not", "whole": True}
    assert at.refused("write", **line).startswith("finish the line: a mapping from a name to text")
    assert file.read_bytes() == before
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
    there = [(one["after"], one["text"]) for one in log["unread"]]
    assert there[0] == (20, "- motive: He said so\n  text: |\n    A\n    B")
    assert there[1] == (log["total"] - 1, "- nonsense: {a: b}")
    # Every finding about the log is with the entry, or with what is none.
    found = at.ask("findings", campaign="snowshed-nine")["findings"]
    told = [key for one in (*log["entries"], *log["unread"]) for key in one["findings"]]
    assert sorted(one["key"] for one in found) == sorted(told)
    assert at.ask("log", campaign="snowshed-nine", first=30)["unread"] == [log["unread"][1]]
    for one in reversed(log["unread"]):
        at.ask("remove", campaign="snowshed-nine", file=one["file"], line=one["line"])
    assert at.ask("log", campaign="snowshed-nine")["unread"] == []


def test_an_evening_is_called_otherwise_and_all_else_stays(sit: Sit) -> None:
    at = sit(HERE)
    file = at.folder / HERE / "02.yaml"
    before = file.read_text(encoding="utf-8").replace("\ndate:", "\n# as I heard it\ndate:")
    file.write_text(before, encoding="utf-8", newline="")
    session = at.ask("log", campaign=HERE)["sessions"][1]
    head = {key: session[key] for key in ("file", "title", "date")}
    at.ask("evening", campaign=HERE, **head, present=None)
    assert file.read_text(encoding="utf-8") == before
    at.ask("evening", campaign=HERE, **head | {"title": "The lake: again", "date": "2026-07-12"})
    at.ask("evening", campaign=HERE, **head | {"title": "The lake: again"}, present=["Bo", "Ana"])
    told = at.ask("log", campaign=HERE)["sessions"][1]
    assert (told["title"], told["date"]) == ("The lake: again", session["date"])
    assert sorted(told["present"]) == ["Ana", "Bo"]
    text = file.read_text(encoding="utf-8")
    assert 'title: "The lake: again"\n# as I heard it\ndate: ' in text
    assert text.count("\npresent: [Ana, Bo]\n") == 1
    for _ in range(2):
        at.ask("undo", campaign=HERE)
    assert file.read_text(encoding="utf-8") == before
    assert "no player" in at.refused("evening", campaign=HERE, **head, present=["Nobody"])


@pytest.mark.parametrize("campaign", GAMES)
def test_whoever_is_named_has_a_card(campaign: str) -> None:
    """Two in one, a pair, are two names."""
    at = AtDesk(SESSIONS)

    def refs(told: object) -> Iterator[tuple[str, str]]:
        if isinstance(told, dict):
            if "ref" in told:
                yield tuple(told["ref"])
            for one in told.values():
                yield from refs(one)
        elif isinstance(told, list):
            for one in told:
                yield from refs(one)

    told = {*refs(at.ask("log", campaign=campaign)), *refs(at.ask("table", campaign=campaign))}
    names = {name for kind, name in told if kind not in ("step", "session")}
    assert names
    for name in sorted(names):
        assert at.ask("card", campaign=campaign, name=name)["name"]
        assert " & " not in name


def test_nobody_is_offered_who_would_be_wrong_there(sit: Sit) -> None:
    at = sit("snowshed-nine")
    entry = at.ask("log", campaign="snowshed-nine", first=48, last=48)["entries"][0]
    here = {"campaign": "snowshed-nine", "file": entry["file"], "line": entry["line"]}
    asked = at.ask("fit", said="propose We go, by: Hedda, ask: ", **here)
    last = asked["choices"][-1]
    assert (last["label"], last["eligible"]) == ("Hedda Brunn", False)
    assert last["why"] == "Hedda Brunn proposes this and need not be asked"
    assert asked["choices"][0]["eligible"]
    for said in ("roll 1, by: ", "bid ", "gap x, uncertain: ", "character X, goal: "):
        offered = [one["line"] for one in at.ask("fit", said=said, **here)["choices"]]
        assert len(offered) == len({*offered})
        assert not any(" & " in one for one in offered)
    used = at.ask("fit", said="propose We go, by: Hedda, use: Hedda: profession, goal", **here)
    assert [one["label"] for one in used["choices"]].count("against goal") == 1
    speakers = at.ask("fit", said="say ", **here)["choices"]
    assert "say Wim: " in [speaker["line"] for speaker in speakers]
    goals = at.ask("fit", said="character X, by: Tilda, goal: ", **here)["choices"]
    assert "get into the mailbag" in [goal["label"] for goal in goals]


def test_a_row_of_several_kinds_has_the_first_of_each_in_sight(sit: Sit) -> None:
    at = sit("snowshed-nine")
    entry = at.ask("log", campaign="snowshed-nine", first=8, last=8)["entries"][0]
    said = "green Hedda Brunn & Wim: strong + jumpy"
    here = {"campaign": "snowshed-nine", "file": entry["file"], "line": entry["line"]}
    choices = at.ask("fit", said=said, **here)["choices"]
    labels = [choice["label"] for choice in choices if choice["line"].startswith(said)]
    assert len(labels) > 20
    # More of these two, the next two, and what else can be said.
    assert " + " in labels[0]
    assert any(" & " in label for label in labels[:14])
    assert {"by", "goals"} & {*labels[:14]}


def test_fiction_on_an_empty_line_is_told(sit: Sit) -> None:
    at = sit(HERE)
    at.ask("write", campaign=HERE, entry="tell:", text='The door shuts: "Fine."\nNobody laughs.')
    text = (at.folder / HERE / "02.yaml").read_text(encoding="utf-8")
    assert text.endswith('- tell: |\n    The door shuts: "Fine."\n    Nobody laughs.\n')
    assert at.ask("findings", campaign=HERE)["counts"]["error"] == 0


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
        line["key"] == verb and line["text"].startswith(words) for one in written for line in one
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
    told = {one["key"]: one["text"] for one in entry["written"]}
    assert told == written


def test_what_is_in_an_envelope_does_not_stand_on_the_page_of_the_table(sit: Sit) -> None:
    at = sit("the-dry-book")
    first, *later = sorted((at.folder / "the-dry-book").glob("[0-9]*.yaml"))
    for file in later:
        file.unlink()
    before, _, _ = first.read_text(encoding="utf-8").partition("- introduce:")
    first.write_text(before, encoding="utf-8", newline="")
    entries = at.ask("log", campaign="the-dry-book")["entries"]
    envelopes = [entry for entry in entries if entry["verb"] == "envelope"]
    assert envelopes
    assert all(envelope["hidden"] and not envelope["written"] for envelope in envelopes)


def test_who_is_implicated_and_what_is_targeted_stands_in_the_log(sit: Sit) -> None:
    at = sit("the-dry-book")
    _, second, *later = sorted((at.folder / "the-dry-book").glob("[0-9]*.yaml"))
    for file in later:
        file.unlink()
    before, _, _ = second.read_text(encoding="utf-8").partition("- check: {Quill: 1,")
    second.write_text(before, encoding="utf-8", newline="")
    here = {"campaign": "the-dry-book"}
    at.ask("write", entry="check: {Quill: 1, Marrow: 6, Tern: [4, 11], Agency: [2, 8, 9]}", **here)
    told = at.ask(
        "write", entry="implicate: {Marrow: 3, Tern: 8}\ntarget: {Quill: handwriting}", **here
    )["entry"]
    assert told["head"][0]["t"] + told["head"][1] == "Marrow is implicated"
    said = [
        "".join(s if isinstance(s, str) else s["t"] for s in e["text"]) for e in told["follows"]
    ]
    assert "The interference is after Quill's handwriting" in said


def test_a_part_of_an_outcome_is_told_and_taken_out_by_itself(sit: Sit) -> None:
    at = sit("the-lantern-coast")
    where = {"campaign": "the-lantern-coast", "file": "03.yaml"}
    file = at.folder / "the-lantern-coast" / "03.yaml"
    before = file.read_text(encoding="utf-8")
    rows = before.split("\n")
    line = rows.index("    - fact: The lamp is dark, then, as it must be") + 1
    now = at.ask("table", campaign="the-lantern-coast")
    told = at.ask("tell", **where, line=line, text="Dark.")
    assert 0 < told["step"] < now["step"]
    added = file.read_text(encoding="utf-8").split("\n")
    assert added[line + 1 : line + 3] == ["      text: |", "        Dark."]
    assert added[:line] == rows[:line]
    # Wherever a log is changed, how things stand is how they stand at its end.
    assert told["table"] == now | {key: told["table"][key] for key in ("line", "version")}
    at.ask("undo", campaign="the-lantern-coast")
    at.ask("remove", **where, line=line)
    left = file.read_text(encoding="utf-8").split("\n")
    assert rows[line - 1] not in left
    assert rows[line - 5] in left, "nothing else is taken out"
    at.ask("undo", campaign="the-lantern-coast")
    assert file.read_text(encoding="utf-8") == before


def test_a_part_of_an_outcome_is_changed_by_itself(sit: Sit) -> None:
    at = sit("the-lantern-coast")
    where = {"campaign": "the-lantern-coast", "file": "03.yaml"}
    file = at.folder / "the-lantern-coast" / "03.yaml"
    before = file.read_text(encoding="utf-8")
    rows = before.split("\n")
    line = rows.index("    - fact: The lamp is dark, then, as it must be") + 1
    shown = at.ask("entry", **where, line=line)
    assert shown["entry"].split("\n")[:2] == [
        "fact: The lamp is dark, then, as it must be",
        "id: out",
    ]
    # Only what would be found about the part is told of it.
    assert at.ask("amend", **where, line=line, entry=shown["entry"])["findings"] == []
    wrong = at.ask("amend", **where, line=line, entry="event: He jumps\nperformer: Nobody At All")
    assert any("Nobody At All" in one["message"] for one in wrong["findings"])
    assert file.read_text(encoding="utf-8") == before
    fact = "fact: The lamp is dark\nid: out\ntext: |\n  Dark."
    told = at.ask("edit", **where, line=line, entry=fact)
    assert told["line"] == line and told["entry"]["parent"]
    assert file.read_text(encoding="utf-8").split("\n") == [
        *rows[: line - 1],
        "    - fact: The lamp is dark",
        "      id: out",
        "      text: |",
        "        Dark.",
        *rows[shown["end_line"] :],
    ]
    at.ask("undo", campaign="the-lantern-coast")
    assert file.read_text(encoding="utf-8") == before


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
    framed = [one for one in log["entries"] if one["verb"] == "scene"]
    places = [one["place"] for one in log["scenes"]]
    for entry, place in zip(framed, places, strict=True):
        said = {one["key"]: one["text"] for one in entry["written"]}
        assert place not in said["at"] and said["at"].startswith("traits: "), said
