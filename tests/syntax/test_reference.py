"""The reference shows only what holds."""

import re
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.campaign import Settings
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Strictness
from chronicle.core.dice import D6, D10, FUDGE, read_faces
from chronicle.core.record import Record
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
from chronicle.games import GAMES, rulebook
from chronicle.syntax.decode import Decoder
from chronicle.syntax.problems import Problems
from chronicle.syntax.reader import read_text
from chronicle.syntax.reference import (
    DICE_NOTATIONS,
    SAMPLE_SESSION,
    TRAPS,
    Trap,
    game_reference,
    shared_reference,
)

HEAD = "session: 1\nlog:\n- "


def value(text: str) -> ScalarNode | SequenceNode | MappingNode:
    tree = read_text(f"a: {text}\n", "x").tree
    assert isinstance(tree, MappingNode)
    return tree[ScalarNode("a")]


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.wrong_entry)
def test_every_trap_of_the_table_bites_and_its_answer_does_not(trap: Trap) -> None:
    assert [problem.code for problem in read_text(f"{HEAD}{trap.wrong_entry}\n", "x").problems] == [
        trap.code
    ]
    assert read_text(f"{HEAD}{trap.right_entry}\n", "x").problems == []


def test_the_table_of_dice_holds() -> None:
    read = [
        " ".join(read_faces(value(typed), die))
        for (_, typed, _), die in zip(DICE_NOTATIONS, [D6, D10, D6, D6, FUDGE, FUDGE], strict=True)
    ]
    assert read == ["5", "4 10 2", "4 2 2", "1 6 6 2 6 4", "+ o -", "-"]


def test_the_specimen_is_read_without_a_word() -> None:
    parsed = read_text(SAMPLE_SESSION, "x")
    assert parsed.problems == []
    assert isinstance(parsed.tree, MappingNode)
    log = parsed.tree[ScalarNode("log")]
    assert isinstance(log, SequenceNode)
    for game in GAMES:
        problems = Problems()
        actions = Decoder(rulebook(game).by_verb).decode_entries(log, "x", 3, problems)
        assert problems == []
        assert len(actions) == len(log)


def test_the_shared_page_names_every_key_and_id() -> None:
    page = shared_reference()
    for name in Action.fields:
        assert f"| `{name}` |" in page
    assert "{#t11}" in page
    assert "#### tell" in page
    check_page(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_is_whole(game: str) -> None:
    rules = rulebook(game)
    page = game_reference(rules)
    for verb in rules.by_verb.values():
        assert f"\n### {verb.verb}\n" in page
        for field in verb.fields.values():
            assert field.name in Action.fields or f"| `{field.name}` |" in page
    for name in rules.by_measure:
        assert f"| `{name}` |" in page
    for name in rules.own_verbs:
        anchor = re.search(rf"\[`{re.escape(name)}`\]\(#([\w-]+)\)", page)
        assert anchor is not None
        assert anchor[1] == name.replace(" ", "-")
    check_page(page)


@pytest.mark.parametrize("game", GAMES)
def test_a_reference_says_first_what_it_is_for(game: str) -> None:
    head = game_reference(rulebook(game)).split("\n## ")[0]
    assert "what you can write in a log" in head
    assert "Every verb that a log of" in head and "each leads to what is said of it below" in head


@pytest.mark.parametrize("game", GAMES)
def test_what_stands_in_braces_and_the_keys_of_all_verbs_are_told_once(game: str) -> None:
    page = game_reference(rulebook(game))
    tables = re.findall(r"(?m)^In braces after .*:\n\n((?:\|.*\n)+)", page)
    assert sorted(tables) == sorted(set(tables))
    assert tables or game not in ("fight-sphere", "universalis")
    of_all = page.split("\n## Each verb with its keys\n")[1].split("\n### ")[0]
    for verb in rulebook(game).by_verb.values():
        for part in re.findall(r"stands what \[`[^`]+`\]\((#[\w-]+)\)", page):
            assert f"\n### {part[1:].replace('-', ' ')}\n" in page
        section = page.split(f"\n### {verb.verb}\n")[1].split("\n### ")[0]
        for name in verb.fields:
            key = f"| `{name}` |"
            assert name in Action.fields or (key in section) != (
                key in of_all and key not in section
            )


@pytest.mark.parametrize("game", GAMES)
def test_a_value_gives_its_form_once(game: str) -> None:
    """Not as a description, a form in brackets and an example that is the same again."""
    page = game_reference(rulebook(game))
    values = re.findall(r"(?m)^- Value: .*$", page)
    assert len(values) > 20
    for line in values:
        forms = re.findall(r"`([^`]+)`", line)
        assert len(forms) == len(set(forms)), line
        described, _, further = line.partition(" It can also be written ")
        assert not re.search(r"`\{.*\([^()]*`\{", described), line
        for form in re.findall(r"`([^`]+)`", further):
            assert form not in described, line
            section = page[: page.index(line)].rpartition("\n### ")[2]
            assert form not in section, line


def played(folder: Path, game: str, log: str) -> Record:
    """A log of four players that is read without a word."""
    entries = "".join(f"- {entry}\n" for entry in log.strip().split("\n"))
    settings = f"game: {game}\ntitle: T\nplayers: [Ana, Bao, Cleo, Dov]\nstrictness: meticulous\n"
    settings += "gm: Gil\n" if game == "fight-sphere" else ""
    (folder / "campaign.yaml").write_text(settings, "utf-8")
    (folder / "01.yaml").write_text(f"session: 1\nlog:\n{entries}", "utf-8")
    record = run(load(folder))
    assert not record.diagnostics, [diagnostic.message for diagnostic in record.diagnostics]
    return record


def test_what_both_agreed_on_in_preparation_is_told_by_whose_turn_it_was(tmp_path: Path) -> None:
    record = played(
        tmp_path,
        "universalis",
        """
{tenet: It rains, kind: story, by: Ana}
{tenet: No dragons, kind: story}
{challenge: Cleo, wants: some dragons, agreed: one dragon}
{tenet: One dragon, kind: story}
{tenet: It is night, kind: story}
""",
    )
    assert [step.player for step in record.steps] == ["Ana", "Bao", "Cleo", "Bao", "Cleo"]


def test_a_sub_needs_no_role_a_talk_no_name_and_a_challenge_takes_facts_by_id(
    tmp_path: Path,
) -> None:
    record = played(
        tmp_path,
        "universalis",
        """
play starts:
bid: {Ana: 3, Bao: 0, Cleo: 0, Dov: 0}
{scene: The hall, at: {new: hall}}
introduce: [{character: thief}, {master: guard, traits: [armed]}]
introduce: {sub: guard, as: the Nephews, group: Nephews x3}
{event: They wait, performer: the Nephews}
{take over: thief, by: Bao}
dialog: [thief, the Nephews]
say: "the Nephews: Who is there?\\n\\nthief: I am."
trait: {the Nephews: scared}
{fact: The door is locked, id: locked}
end dialog:
{event: The door opens, id: opens}
{challenge: Bao, of: opens, wants: it stays shut, facts: {fact: locked, for: Bao}, bids: [Bao 1, Ana 1, Cleo 0, Dov 0]}
""",
    )
    players = {step.action.verb: step.player for step in record.steps}
    assert (players["trait"], players["fact"], players["end dialog"]) == ("Ana", "Bao", "Ana")
    assert "bids: Bao 2, Ana 1; Bao wins" in [event.text for event in record.steps[-1].events]


def test_the_gm_goes_by_name_and_who_is_not_played_may_be_in_no_episode(tmp_path: Path) -> None:
    gladiators = "\n".join(
        f"{{gladiator: {name}{n}, by: {player}, death wish: a debt}}"
        for n in (1, 2)
        for name, player in (("Asa", "Ana"), ("Ben", "Bao"), ("Cal", "Cleo"), ("Dis", "Dov"))
    )
    record = played(
        tmp_path,
        "fight-sphere",
        gladiators
        + """
choose: Asa1
choose: Ben1
choose: Cal1
choose: Dis1
{layer: 1, episodes: {Rust: [Asa1, Ben1, Cal1, Dis1, Asa2]}}
{scene: The ladder, by: Ana, npcs: [Father Wick], at: a ladder}
stake: {gamble: 1, background: a debt}
roll: {Ana: [1, 1], Gil: [2, 3, 4, 5, 6]}
reward: {relationship: {Father Wick: 2}}
""",
    )
    assert record.timeline.scenes[0].marks["Episode"] == "Rust"
    assert record.timeline.scenes[0].place == "a ladder"


def test_strictness_says_what_each_word_does() -> None:
    doc = Settings.fields["strictness"].doc
    for level in Strictness:
        assert f"{level}" in doc
    # No word is stricter about the rules than another one.
    assert "the same rules hold" in doc


def check_page(page: str) -> None:
    """Tables have as many cells in each row, fences close, nothing in braces is taken for an order."""
    assert page.count("```") % 2 == 0
    cells = 0
    inside = False
    for line in page.split("\n"):
        inside ^= line.startswith("```")
        if inside or not line.startswith("|"):
            cells = 0
            if not line.startswith("#"):
                assert inside or not re.search(r"[^`]\}$", line), line
            continue
        count = len(re.findall(r"(?<!\\)\|", line))
        assert cells in (0, count), line
        cells = count
        assert not re.search(r"[^`]\} \|", line), line
