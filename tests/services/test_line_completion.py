"""What the desk says may come, held against what tables did: over every play example."""

import itertools
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns
from chronicle.core.edits import edit
from chronicle.core.names import Named
from chronicle.core.record import Step
from chronicle.games import rulebook
from chronicle.services import nested
from chronicle.services.choices import (
    EXACT_MATCH,
    PREFIX_MATCH,
    SYNONYM_MATCH,
    WORD_PREFIX_MATCH,
    Candidate,
    match_quality,
    sort_key,
)
from chronicle.services.desk import Desk
from chronicle.services.editor.complete import complete
from chronicle.services.game_state import verbs_to_show_first
from chronicle.services.line_completion import Completer
from chronicle.services.open_campaigns import CampaignRoom
from chronicle.services.writing import as_list_item
from chronicle.syntax.one_line import LineError, read_line, split_line, write_line
from chronicle.syntax.yaml_text import plain_data, write_entry
from chronicle.workspace import Workspace
from tests.services.tellings import telling

SESSIONS = Path(__file__).resolve().parents[2] / "sessions"
NAMES = [folder.name for folder in find_campaigns(SESSIONS)]

AGREED = {("trait", "trait"), ("event", "performer"), ("scene", "with")}
"""Keys under which a table may name what somebody else Controls, who has agreed to it."""


def _bare(step: Step) -> dict[str, object]:
    """An entry without what is told beside it."""
    data = plain_data(step.action.source)
    return {
        key: value.rstrip() if isinstance(value, str) else value
        for key, value in data.items()
        if key not in ("text", "note")
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_can_be_said_in_yaml_and_most_in_a_line(name: str) -> None:
    record = Workspace(SESSIONS / name).record
    assert record is not None
    verbs = record.rulebook.by_verb
    lines = 0
    for step in record.steps:
        if step.parent is None:
            data = _bare(step)
            line = write_line(data, verbs)
            assert not line or read_line(line, verbs) == _trimmed(data)
            texts = [value for value in data.values() if isinstance(value, str)]
            several = any("\n" in value for value in texts)
            assert line or several or step.action.verb == "outcome", data
            text = write_entry(plain_data(step.action.source))
            assert data_of_text(text) == _trimmed(plain_data(step.action.source)), text
            lines += bool(line)
    assert lines > 0.7 * sum(step.parent is None for step in record.steps)


def test_a_snapshot_is_completed_key_by_key() -> None:
    workspace = Workspace(SESSIONS / "left-luggage")
    record = workspace.record
    assert record is not None
    file = Path(record.campaign.sessions[-1].path).name
    with workspace.at(file, 1 << 20) as replay:
        assert replay is not None
        completer = Completer(replay)

        def offered(line: str) -> list[str]:
            return [
                choice["label"] for choice in completer.find_choices(line, len(line))["choices"]
            ]

        assert {"cards", "scene", "wealth"} <= {*offered("snapshot {")}
        player = record.campaign.players[0].name
        assert player in offered("snapshot {wealth: {")
        card = offered("snapshot {cards: {")[0]
        assert {"traits", "controller", "eliminated"} <= {
            *offered(f"snapshot {{cards: {{{card}: {{")
        }
        assert player in offered(f"snapshot {{cards: {{{card}: {{controller: ")
        assert offered("snapshot {scene: {")[:3] == ["title", "framer", "at"]


def test_a_formula_is_completed_by_what_it_may_compute_and_its_names() -> None:
    workspace = Workspace(SESSIONS / "the-weighing-house")
    record = workspace.record
    assert record is not None
    file = Path(record.campaign.sessions[-1].path).name
    with workspace.at(file, 1 << 20) as replay:
        assert replay is not None
        completer = Completer(replay)

        def offered(line: str) -> dict[str, str]:
            shown = completer.find_choices(line, len(line))["choices"]
            return {choice["label"]: choice["line"] for choice in shown}

        begun = "house rule Late ones pay, computes: {"
        assert {"price", "refreshment"} <= {*offered(begun + "re"), *offered(begun + "pri")}
        assert {"usual", "players", "wealth"} <= {*offered(begun + "price: ")}
        formula = begun + "price: 2 * usual if pla"
        assert offered(formula)["players"] == begun + "price: 2 * usual if players"
        assert "refreshment" in offered("gimmick Less, sets: {computes: {re")


def data_of_text(text: str) -> object:
    from chronicle.syntax.reader import read_text

    tree = read_text(text + "\n", "").tree
    assert tree is not None
    return _trimmed(plain_data(tree))


def _trimmed(value: object) -> object:
    if isinstance(value, dict):
        return {key: _trimmed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_trimmed(item) for item in value]
    return value.rstrip("\n") if isinstance(value, str) else value


@pytest.mark.integration
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.longer
def test_nobody_whom_a_table_named_is_called_barred(name: str) -> None:
    """At every entry with which nothing is wrong: its verb is not said to be impossible, and whoever it
    names is offered under that key, or nobody is."""
    workspace = Workspace(SESSIONS / name, root=SESSIONS / name)
    record = workspace.record
    assert record is not None
    verbs = rulebook(record.campaign.game).by_verb
    offered: Counter[bool] = Counter()
    # Half of them, since every one costs a walk.
    for step in record.steps[::2]:
        wrong = any(diagnostic.severity for diagnostic in step.diagnostics)
        span = step.action.whole_place
        if (
            step.parent
            or step.retracted_by
            or wrong
            or span.path not in {session.session.path for session in record.sessions}
        ):
            continue
        with workspace.at(span.path, span.line - 1) as replay:
            assert replay is not None
            completer = Completer(replay)
            barred = {
                choice["label"]
                for choice in completer.find_choices("", 0)["choices"]
                if not choice["eligible"]
            }
            assert step.action.verb not in barred, (span, step.action.verb)
            line = write_line(_bare(step), verbs)
            split = split_line(line, verbs) if line else None
            for part in split.typed_fields if split is not None else ():
                field = step.action.fields.get(part.key) or step.action.main
                if field is None or part.key == "by":
                    continue
                for item in field.kind.names_in(getattr(step.action, field.attribute)):
                    for word in (" & ".join(item),):
                        at = line.find(str(item[0]), part.start)
                        choices = [
                            choice
                            for choice in completer.find_choices(line[:at], at)["choices"]
                            if choice["kind"] != "key"
                        ]
                        if at < 0 or not choices:
                            continue
                        named = replay.play.names.find(word)

                        def is_same_name(
                            label: str, word: str = word, named: object = named
                        ) -> bool:
                            subject = replay.play.names.find(label)
                            return label.casefold() == word.casefold() or (
                                isinstance(subject, Named) and subject is named
                            )

                        hits = [choice for choice in choices if is_same_name(choice["label"])]
                        if hits and (step.action.verb, part.key) not in AGREED:
                            assert any(hit["eligible"] for hit in hits), (span, hits)
                        offered[bool(hits)] += 1
    assert offered[True] >= 0.7 * offered.total()


def test_what_is_told_inside_an_outcome_fits_while_it_lasts() -> None:
    workspace = Workspace(SESSIONS / "the-lantern-coast")
    text = (SESSIONS / "the-lantern-coast" / "02.yaml").read_text(encoding="utf-8")
    line = text[: text.index("Tunde: [1, 3, 4, 5, 9, 9]")].count("\n") + 1

    def fits(typed_line: str) -> dict[str, tuple[str, str]]:
        # Nothing of this outcome is told yet: the dice fell right above.
        with workspace.at("02.yaml", line) as replay:
            assert replay is not None
            unfinished = nested.find_unfinished_nested_entry(typed_line, replay.rulebook.by_verb)
            assert unfinished is not None
            answer = nested.nested_choices(
                workspace, replay, unfinished, typed_line, len(typed_line)
            )
            return {
                choice["label"]: (choice["line"], choice["why"]) for choice in answer["choices"]
            }

    assert list(fits("outcome Joss: "))[:2] == ["event", "fact"]
    typed_line = "outcome Joss: event The mast breaks / take over Nim"
    choices = fits(typed_line)
    assert choices["and then"][0] == f"{typed_line} / "
    assert choices["Wen: "][0] == f"{typed_line} / Wen: "
    assert "Joss: " not in choices
    # Whoever is there may be altered with the Coins of an outcome, once they are there.
    begun = "outcome Joss: trait "
    begun_later = "outcome Joss: introduce character: diver, traits: wet / trait "
    assert fits(begun)["Aud Hallam"] == (f"{begun}Aud Hallam: ", "")
    assert "diver" not in fits(begun)
    assert fits(begun_later)["diver"] == (f"{begun_later}diver: ", "")
    # What is told is paid for; the rest is kept.
    coins_kept = [
        next(iter(fits(f"outcome Joss: {outcome_part}keep ")))
        for outcome_part in ("", "event He hits / ")
    ]
    assert [int(coins) for coins in coins_kept] == [int(coins_kept[1]) + 1, int(coins_kept[1])]


def test_an_outcome_is_told_in_one_line() -> None:
    record = Workspace(SESSIONS / "the-lantern-coast").record
    assert record is not None
    verbs = record.rulebook.by_verb
    line = (
        "outcome Joss: event She jumps, performer: Aud, text: In, at last / keep 3"
        " / Marit: fact It is cold / in: The tide"
    )
    assert read_line(line, verbs) == {
        "outcome": {
            "Joss": [
                {"event": "She jumps", "performer": "Aud", "text": "In, at last"},
                {"keep": "3"},
            ],
            "Marit": [{"fact": "It is cold"}],
        },
        "in": "The tide",
    }
    assert write_line(read_line(line, verbs), verbs) == line
    for wrong in ("outcome Joss: ", "outcome keep 3", "outcome Joss: she jumps"):
        with pytest.raises(LineError):
            read_line(wrong, verbs)


def _desk_before(tmp_path: Path, evening: str, next_entry: str) -> Desk:
    """A desk at an evening that was told, before an entry that begins so."""
    evening_told = telling(evening)
    evening_told.found(tmp_path / evening)
    entries = itertools.takewhile(
        lambda told_entry: not told_entry.entry.startswith(next_entry), evening_told.kept
    )
    with (tmp_path / evening / "01.yaml").open("a", encoding="utf-8") as log:
        log.writelines(f"{as_list_item(told_entry.entry)}\n" for told_entry in entries)
    return Desk(CampaignRoom(tmp_path, edit))


@pytest.mark.parametrize(
    ("evening", "before", "said", "barred"),
    [
        # Words of the game that stand elsewhere.
        (
            "isolation-2",
            "propose: In",
            "propose Go, by: Sand, use: {Sand: observant",
            "not to Doctor",
        ),
        ("isolation-2", "green", "green: {Brandt & Sand: calm", "no link of the first map"),
        ("isolation-2", "green", "green: {Brandt & Sand: cal", ""),
        ("isolation-2", "green", "green: {Brandt & Sand: calm + patient", ""),
        # A number that is too large, and no number that may be one yet.
        (
            "fight-sphere-2",
            "encounter: P",
            "encounter Petar, stake: {Marta: {gamble: 9",
            "of a pool",
        ),
        ("fight-sphere-2", "encounter: P", "encounter Petar, stake: {Marta: {gamble: 2", ""),
        ("fight-sphere-2", "encounter: P", "encounter Petar, stake: {Marta: 1, Petar: 2", ""),
        (
            "fight-sphere-2",
            "encounter: P",
            "encounter Petar, stake: {Marta: {gamble: 1}, Petar: {gamble: 2",
            "nobody may gamble more",
        ),
        ("fight-sphere-2", "encounter: P", "assert: {pool: {Marta: 1", ""),
        # Somebody whose turn it is not.
        (
            "universalis",
            "interrupt: Ilse",
            "draw cat: sees what is lost, to: Jon, by: Ilse",
            "Mara's",
        ),
        ("universalis", "interrupt: Ilse", "draw cat: sees what is lost, to: Jon, by: Mara", ""),
        ("universalis", "interrupt: Ilse", "tell So it is, by: Ilse", ""),
        # A resource that is lost.
        ("slow-burn", "scene: The quay", "scene Now, use: {Wren: Father Duarte", "lost to Wren"),
        ("slow-burn", "scene: The quay", "scene Now, use: {Wren: all", ""),
        ("slow-burn", "scene: The quay", "scene Now, use: {Wren: forg", ""),
    ],
)
def test_what_cannot_stand_there_is_barred_as_it_is_typed(
    tmp_path: Path, evening: str, before: str, said: str, barred: str
) -> None:
    desk = _desk_before(tmp_path, evening, before)
    fit = desk.ask({"id": 1, "ask": "fit", "campaign": evening, "said": said})["answer"]
    token = re.split(r"[:{] ", said)[-1]
    stands = [
        choice for choice in fit["choices"] if choice["label"] == token and not choice["eligible"]
    ]
    assert [choice["why"] for choice in stands if barred in choice["why"]] or not barred, fit[
        "choices"
    ]
    assert bool(stands) == bool(barred), stands


def test_whose_turn_it_is_not_is_barred_before_it_is_named(tmp_path: Path) -> None:
    desk = _desk_before(tmp_path, "universalis", "interrupt: Ilse")

    def named(line: str) -> dict[str, str]:
        fit = desk.ask({"id": 1, "ask": "fit", "campaign": "universalis", "said": line})["answer"]
        return {
            choice["label"]: choice["why"] for choice in fit["choices"] if choice["kind"] == "name"
        }

    drawn = named("draw cat: sees what is lost, to: Jon, by: ")
    assert next(iter(drawn)) == "Mara" and not drawn["Mara"]
    assert "Mara's turn" in drawn["Ilse"]
    signs = named("interrupt Jon, by: ")
    assert not signs["Jon"] and signs["Ilse"] == "Ilse signs what Jon does"
    assert not named("tell So it is, by: ")["Ilse"]


def test_only_who_can_be_met_is_offered_and_of_the_others_it_is_said_why(tmp_path: Path) -> None:
    desk = _desk_before(tmp_path, "fight-sphere-2", "encounter: Petar")

    def named(line: str) -> dict[str, str]:
        question = {"id": 1, "ask": "fit", "campaign": "fight-sphere-2", "said": line, "by": "Ines"}
        fit = desk.ask(question)["answer"]
        return {
            choice["label"]: choice["why"] for choice in fit["choices"] if choice["kind"] == "name"
        }

    met = named("encounter ")
    assert {name for name, why in met.items() if not why} == {"Petar Wolk", "Lotte Amsel"}
    assert met["Hugo Dorn"] == "Hugo Dorn is in The Theatre"
    guests = named("scene The salt, with: ")
    assert guests["Lotte Amsel"] == "Marta Lind and Lotte Amsel have no truce"


def test_table_talk_is_answered_by_players_and_speech_by_characters(tmp_path: Path) -> None:
    shutil.copytree(SESSIONS / "the-lantern-coast", tmp_path / "the-lantern-coast")
    desk = Desk(CampaignRoom(tmp_path, edit))

    def speakers(line: str) -> set[str]:
        question = {"id": 1, "ask": "fit", "campaign": "the-lantern-coast", "said": line}
        choices = desk.ask(question)["answer"]["choices"]
        return {choice["label"] for choice in choices if "\n" in choice["line"]}

    players = {"Marit", "Joss", "Pilar", "Tunde", "Wen"}
    assert speakers("aside Marit: I was never here.") == players - {"Marit"}
    answers = speakers("say Hester Teague: I was never here.")
    assert "Patience" in answers and not answers & players


def test_what_a_line_lacks_is_asked_for_and_offered(tmp_path: Path) -> None:
    shutil.copytree(SESSIONS / "gallery-nine", tmp_path / "gallery-nine")
    desk = Desk(CampaignRoom(tmp_path, edit))

    def fit(line: str) -> dict[str, Any]:
        question = {"id": 1, "ask": "fit", "campaign": "gallery-nine", "said": line}
        answer: dict[str, Any] = desk.ask(question)["answer"]
        return answer

    marked = fit("mark ")
    assert [problem.get("asks") for problem in marked["findings"]] == [["by"]]
    assert "mark, by: Dorrit" in [choice["line"] for choice in marked["choices"]]
    assert not any(
        "by" in problem.get("asks", ()) for problem in fit("mark, by: Dorrit")["findings"]
    )


def test_a_key_that_is_begun_is_still_asked_for(tmp_path: Path) -> None:
    desk = _desk_before(tmp_path, "isolation", "scenario")
    question = {"id": 1, "ask": "fit", "campaign": "isolation", "said": "scenario Up, threat: "}
    assert [problem.get("asks") for problem in desk.ask(question)["answer"]["findings"]] == [
        ["threat"]
    ]


def test_a_question_is_about_the_place_where_somebody_types(tmp_path: Path) -> None:
    desk = _desk_before(tmp_path, "slow-burn", "contacts:")

    def question_at(line: str) -> str:
        question = {"id": 1, "ask": "fit", "campaign": "slow-burn", "said": line}
        return str(desk.ask(question)["answer"]["title"])

    assert question_at("contacts Vesper: ") == "Which contacts does Vesper have?"
    assert question_at("contacts Vesper: Ilse: ") == "What is the speciality of Ilse?"


def test_wounds_go_on_until_all_are_shared_out_among_those_who_may_take_them(
    tmp_path: Path,
) -> None:
    desk = _desk_before(tmp_path, "isolation-2", "wounds: {Finn: 1, Ole")

    def fit(line: str) -> dict[str, Any]:
        question = {"id": 1, "ask": "fit", "campaign": "isolation-2", "said": line}
        answer: dict[str, Any] = desk.ask(question)["answer"]
        return answer

    named = [choice["label"] for choice in fit("wounds ")["choices"] if choice["eligible"]]
    assert sorted(named) == ["Finn", "Ole"]
    # One of two: the line goes on. Four of two is wrong, and so is somebody who was not there.
    assert [problem.get("asks") for problem in fit("wounds Finn: 1")["findings"]] == [[""]]
    assert [problem.get("asks") for problem in fit("wounds Finn: 1, ")["findings"]] == [[""]]
    assert [problem.get("asks") for problem in fit("wounds Brandt: 2")["findings"]] == [None]
    assert fit("wounds Finn: 1, Ole: 1")["findings"] == []


def test_only_what_a_further_key_settles_is_asked_for(tmp_path: Path) -> None:
    desk = _desk_before(tmp_path, "universalis", "interrupt: Ilse")

    def asks(line: str) -> list[str]:
        question = {"id": 1, "ask": "fit", "campaign": "universalis", "said": line}
        problems = desk.ask(question)["answer"]["findings"]
        return [key for problem in problems for key in problem.get("asks", ())]

    # Somebody whose turn it is not is wrong, whatever is added.
    assert desk.ask(
        {"id": 2, "ask": "fit", "campaign": "universalis", "said": "draw cat: name, by: Ilse"}
    )["answer"]["findings"]
    assert not asks("draw cat: name, by: Ilse")


def test_an_answer_about_a_line_is_kept_until_the_log_is_another(tmp_path: Path) -> None:
    desk = _desk_before(tmp_path, "universalis", "interrupt: Ilse")

    def fit() -> Any:
        line = "draw cat: sees what is lost, to: Jon, by: "
        question = {"id": 1, "ask": "fit", "campaign": "universalis", "said": line}
        return desk.ask(question)["answer"]

    answer_before = fit()
    assert fit() is answer_before
    desk.ask({"id": 2, "ask": "write", "campaign": "universalis", "entry": "interrupt: Ilse"})
    answer_after = fit()
    assert answer_after is not answer_before and answer_after != answer_before


def test_what_is_written_all_the_time_comes_before_what_nobody_has_written(tmp_path: Path) -> None:
    """Verbs of every game stand among those of this one, by how likely they come now; what may not come
    stands last."""
    shutil.copytree(SESSIONS / "the-boathouse", tmp_path / "c")
    opened = CampaignRoom(tmp_path, edit).open("c")
    rows = opened.text("01.yaml").splitlines()
    line = next(n for n, row in enumerate(rows, 1) if row.startswith("- scene:"))
    entries = "- tell: The lake is black\n" * 9
    text = "\n".join([*rows[: line - 1], entries.rstrip("\n"), *rows[line - 1 :]])
    with opened.with_texts({"01.yaml": text}), opened.workspace.at("01.yaml", line + 8) as replay:
        assert replay is not None
        choices = Completer(replay).verb_choices("")
    labels = [choice["label"] for choice in choices]
    assert labels.index("tell") < labels.index("assert")
    # The headline asks for the first scene.
    assert labels[:2] == ["scene", "tell"]
    barred = [bool(choice["why"]) for choice in choices]
    assert barred == sorted(barred)


@pytest.mark.parametrize(
    ("typed", "how"),
    [
        ("", PREFIX_MATCH),
        ("take over", EXACT_MATCH),
        ("Take", PREFIX_MATCH),
        ("ov", WORD_PREFIX_MATCH),
        ("gr", SYNONYM_MATCH),
        ("ake", None),
    ],
)
def test_how_well_something_is_met(typed: str, how: int | None) -> None:
    quality = match_quality(
        Candidate("take over", insert="take over ", synonyms=("grab", "seize")), typed
    )
    assert quality == how if how is not None else quality > SYNONYM_MATCH


@pytest.mark.integration
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.longer
def test_what_is_due_comes_first_then_the_most_used_and_legal_at_the_desk_and_in_an_editor(
    name: str,
) -> None:
    """Both doors have one order. With letters it is what they say, then what they begin."""
    room = CampaignRoom(SESSIONS, edit)
    desk, opened = Desk(room), room.open(name)
    record = opened.workspace.record
    assert record is not None
    tops = [top_step for top_step in record.steps if top_step.parent is None]
    owing = exact = 0
    for step in tops[len(tops) // 6 :: max(1, len(tops) // 6)]:
        file, line = step.action.path, step.action.whole_place.line - 1
        rows = opened.text(file).splitlines()

        def at_desk(typed: str, file: str = file, line: int = line) -> list[dict[str, Any]]:
            question = {"campaign": name, "said": typed, "file": file, "line": line}
            answer: dict[str, Any] = desk.ask({"id": 1, "ask": "fit", **question})
            choices: list[dict[str, Any]] = answer["answer"]["choices"]
            return [choice for choice in choices if choice["kind"] == "verb"]

        def in_editor(
            typed: str, file: str = file, line: int = line, rows: list[str] = rows
        ) -> list[str]:
            text = "\n".join([*rows[:line], f"- {typed}"]) + "\n"
            with opened.with_texts({file: text}):
                completions = complete(opened, file, line + 1, len(typed) + 3)
            assert completions == sorted(completions, key=lambda completion: completion.rank)
            # What is due to fall has an entry of its own there, dice and all; and what is said by its
            # verb alone is tried there, so that less may be.
            fell = "the dice that are due"
            return [
                completion.label
                for completion in completions
                if not completion.why_barred and completion.note != fell
            ]

        with opened.workspace.at(file, line) as replay:
            assert replay is not None
            completer = Completer(replay)
            due = verbs_to_show_first(replay, completer.candidates.obligations) & {
                option.verb for option in completer.candidates.moves
            }
            usage, ready = (
                completer.candidates.usage,
                {option.verb for option in completer.candidates.moves},
            )
        shown = at_desk("")
        legal = [choice["label"] for choice in shown if choice["eligible"]]
        assert [choice["label"] for choice in shown[: len(legal)]] == legal, (
            "what may not be comes last"
        )
        owing += bool(due & {*legal})
        first = [verb in due for verb in legal]
        assert first == sorted(first, reverse=True), (due, legal)
        own = [verb for verb in legal if verb in ready - due and verb in completer.game.own_verbs]
        likely = [usage.likelihood(verb) for verb in own]
        assert len(likely) < 4 or likely[-1] <= max(likely[:2]), "the most used come first"
        for typed in ("", "e", step.action.verb[:2], step.action.verb):
            shown = at_desk(typed)
            labels = [choice["label"] for choice in shown if choice["eligible"]]
            editor_labels = in_editor(typed)
            assert [label for label in labels if label in editor_labels] == [
                label for label in editor_labels if label in labels
            ]
            assert shown == sorted(shown, key=sort_key)
        if step.action.verb in labels:
            exact += 1
            assert shown[0]["label"] == step.action.verb
    assert exact and owing


def test_the_parts_of_a_line_are_told_one_by_one_and_taken_out() -> None:
    verbs = rulebook("universalis").by_verb
    line = "outcome Joss: event She jumps, over it / keep 3 / Marit: fact It is cold"
    parts = nested.list_parts(line, verbs)
    assert [(part["who"], part["text"]) for part in parts] == [
        ("Joss", "event She jumps, over it"),
        ("", "keep 3"),
        ("Marit", "fact It is cold"),
    ]
    assert all(line[part["start"] : part["end"]] == part["text"] for part in parts)
    assert [part["without"] for part in parts] == [
        "outcome Joss: keep 3 / Marit: fact It is cold",
        "outcome Joss: event She jumps, over it / Marit: fact It is cold",
        "outcome Joss: event She jumps, over it / keep 3",
    ]
    line = "introduce Tom, character: ferryman, traits: old, deaf, by: Joss"
    assert [list_part["text"] for list_part in nested.list_parts(line, verbs)] == [
        "Tom",
        "character: ferryman, traits: old, deaf",
    ]
    assert nested.list_parts(line, verbs)[0]["without"] == (
        "introduce character: ferryman, traits: old, deaf, by: Joss"
    )
    assert nested.list_parts("event She jumps, over it", verbs) == []
