"""What ``explain`` and ``reference`` say of verbs: every example can be pasted into a log as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from chronicle.campaigns import load, run
from chronicle.core.ledger import kind_of
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
from chronicle.games import GAMES, rulebook
from chronicle.syntax.decode import Decoder
from chronicle.syntax.problems import Problems
from chronicle.syntax.reader import read_text
from tests.cli.test_cli import BOATHOUSE, Chronicle
from tests.cli.test_cli import chronicle as chronicle
from tests.conftest import ROOT
from tests.games.test_what_is_said import MISCOUNTED


def _examples(text: str) -> Iterator[str]:
    """The entries that a text shows: lines that begin with a dash, with what is indented below them."""
    entry_lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        indent = len(line) - len(line.lstrip())
        dash = len(entry_lines[0]) - len(entry_lines[0].lstrip()) if entry_lines else 0
        if entry_lines and (indent <= dash or not line.strip()):
            yield dedent("\n".join(entry_lines))
            entry_lines = []
        if entry_lines or re.match(r" *- [a-z ]+:( |$)", line):
            entry_lines.append(line)


def _fenced(text: str) -> str:
    return "\n\n".join(re.findall(r"(?s)```yaml\n(.*?)```", text))


def _problems(game: str, entry: str) -> list[str]:
    parsed = read_text(f"session: 1\nlog:\n{entry}\n", "x")
    assert isinstance(parsed.tree, MappingNode)
    log = parsed.tree[ScalarNode("log")]
    assert isinstance(log, SequenceNode)
    problems = Problems()
    Decoder(rulebook(game).by_verb).decode_entries(log, "x", 1, problems)
    return [f"{problem.code} {problem.message}" for problem in (*parsed.problems, *problems)]


@pytest.mark.parametrize("game", GAMES)
def test_every_example_of_a_verb_can_be_pasted_as_it_stands(
    game: str, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")  # no table is so narrow that a cell looks like an entry
    verbs = rulebook(game).by_verb
    listed = list(_examples(chronicle("explain", "verbs", "--game", game).out))
    paged = list(_examples(_fenced(chronicle("reference", game).out)))
    for verb in verbs.values():
        alone = list(_examples(chronicle("explain", verb.verb, "--game", game).out))
        entries = f"\n{verb.example}".count("\n- ") + bool(verb.example)
        assert len(alone) == entries, verb.verb
        for place in (listed, paged):
            assert not alone or alone[0] in place, (verb.verb, alone)
    for entry in {*listed, *paged}:
        assert not _problems(game, entry), entry
    several = [entry for entry in listed if "\n" in entry]
    assert several


def test_an_example_laid_out_wrongly_is_noticed() -> None:
    assert _problems("slow-burn", "- ignore: Magpie\n      target: Tia Rosa")


@pytest.mark.parametrize(
    "word", ["slow-burn", "slow burn", "Slow Burn", "fight sphere", "Fight Sphere:", "positive"]
)
def test_a_game_by_its_name_leads_to_its_words(word: str, chronicle: Chronicle) -> None:
    completed = chronicle("explain", *word.split())
    name = word.lower().rstrip(":").replace(" ", "-")
    assert completed.code == 0
    for command in (f"chronicle reference {name}", f"chronicle explain verbs --game {name}"):
        assert command in completed.out
        assert chronicle(*command.split()[1:]).code == 0
    rule = re.search(r"chronicle explain (\S+:\S+)", completed.out)
    assert rule is not None
    assert chronicle("explain", rule[1]).out.startswith(rule[1])


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_of_the_log_format_is_told_with_any_game(game: str, chronicle: Chronicle) -> None:
    assert chronicle("explain", "T67", "--game", game).out.startswith("T67  Acting while away")


@pytest.mark.parametrize("game", GAMES)
def test_an_exact_id_or_stem_wins_alone(game: str, chronicle: Chronicle) -> None:
    registry = rulebook(game).registry()
    ids = [*(rule.id for rule in registry.rules), *(ruling.id for ruling in registry.rulings)]
    stems = {re.sub(r"\.?(\d+|[a-z])$", "", id) for id in ids if re.search(r"\.\d+$|\d[a-z]$", id)}
    for code in [*ids, *sorted(stems - {*ids})]:
        explained = registry.get(code)
        assert (
            explained is None or explained.id == code or code in getattr(explained, "also", ())
        ), code
        if explained is None:
            output = chronicle("explain", f"{game}:{code}").out
            assert output.startswith(f"{code} of {rulebook(game).title} has parts:"), (code, output)
    forgiven = registry.get(ids[-1].replace(".", "").lower())
    assert forgiven is not None
    assert forgiven.id == ids[-1]


@pytest.mark.parametrize("page", ["index.md", "tutorial.md", "at-the-table.md"])
def test_the_documentation_leads_to_the_format_of_a_game(page: str, chronicle: Chronicle) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    assert "(format.md)" in text
    commands = re.findall(r"`chronicle (reference [a-z-]+)`", text)
    assert commands
    for command in commands:
        assert chronicle(*command.split()).code == 0


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of many campaigns, in which somebody stands, and the path of one that lies outside."""
    folder = tmp_path / "here"
    for number in range(30):
        (folder / f"{number:02}").mkdir(parents=True)
        (folder / f"{number:02}" / "campaign.yaml").write_text(
            "game: positive\ntitle: A\nplayers: [Ana, Bo, Cy, Dee]\n", "utf-8"
        )
    monkeypatch.chdir(folder)
    return ROOT / "sessions" / "the-dry-book"


def test_a_path_may_be_the_last_word(elsewhere: Path, chronicle: Chronicle) -> None:
    first = "01.yaml:70"
    for command in (
        ("show", "Quill"),
        ("show", "Nobody", "Here"),
        ("find", "the", "counter", "hall"),
        ("explain", first),
        ("explain", "S14.5"),
        ("explain", "verbs"),
        ("explain", "play", "push"),
        ("excerpt", "01.yaml:60-80"),
        ("rename", "Quill", "Kestrel Two", "--diff"),
    ):
        for path in (elsewhere, elsewhere / "01.yaml"):
            by_option = chronicle(*command, "--in", path)
            last = chronicle(*command, path)
            assert vars(last) == vars(by_option), command
            assert last.code == (2 if "Nobody" in command else 0), (command, last.err)


def test_what_is_not_there_is_no_word(elsewhere: Path, chronicle: Chronicle) -> None:
    completed = chronicle("show", "Quill", elsewhere / "nowhere")
    assert completed.code == 2
    assert "there is no" in completed.err and "nowhere" in completed.err
    # A name with a stroke in it is a name.
    assert "no sheet for 'the AC/DC'" in chronicle("show", "the", "AC/DC", "--in", elsewhere).err


def test_of_many_campaigns_only_some_are_named(elsewhere: Path, chronicle: Chronicle) -> None:
    completed = chronicle("show", "Quill")
    assert completed.code == 2
    assert "there are 30 campaigns" in completed.err
    assert "and 19 more" in completed.err
    assert len(completed.err.splitlines()) == 13


@pytest.mark.parametrize(
    "name", ["the-dry-book", "snowshed-nine", "six-names", "the-boathouse", "gallery-nine"]
)
def test_a_throw_is_told_in_the_words_of_the_game(name: str, chronicle: Chronicle) -> None:
    """What moved is counted and called as players do; of the box that all comes from nothing is told;
    only who is against somebody wins."""
    folder = ROOT / "sessions" / name
    record = run(load(folder))
    kinds = {kind_of(account) for p in record.ledger.postings for account in (p.source, p.target)}
    plain = {kind for kind in kinds if record.rulebook.accounts.get(kind, kind) != kind}
    assert "box" in plain or not {"box"} & kinds
    thrown = [step for step in record.steps if step.contest is not None]
    for step in [*thrown[:4], *thrown[-4:]]:
        place = step.action.place()
        output = chronicle("explain", f"{place.path}:{place.line}").out
        assert not MISCOUNTED.search(output), output
        moved = re.split(r"\n  (?:found|after) ", output.partition("\n  moved ")[2])[0]
        for kind in plain:
            assert not re.search(rf"(-> |: ){kind}\b", moved), (kind, moved)
        assert not re.search(r"(?i)(box|road|hits)\b.*: -?\d+ -> ", output), output
        assert ("interferes wins" in output) is ("implicated wins" in output) is False
        odds = step.contest is not None and str(step.contest.odds)
        assert ("the odds had been: " in " ".join(output.split())) is bool(odds)


def test_a_name_leads_to_whoever_has_it(chronicle: Chronicle) -> None:
    """What ``show`` finds, ``explain`` finds: by name, by alias, by a word of the name."""
    completed = chronicle("explain", "Iben", "--in", BOATHOUSE)
    assert completed.code == 0
    assert "character Iben   chronicle show Iben" in completed.out
    assert chronicle("show", "Iben", "--in", BOATHOUSE).code == 0
    unknown = chronicle("explain", "Xyzzy", "--in", BOATHOUSE)
    assert unknown.code != 0
    assert "In your campaigns" not in unknown.out


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("licence", "'licence' is a key of campaign.yaml: chronicle reference\n  the licence of"),
        ("recap:", "'recap' is a key of the head of a session: chronicle reference"),
        ("artist", "'artist' is a key of the caption of a picture: chronicle reference"),
        ("players", "'players' is a key of campaign.yaml: chronicle reference"),
    ],
)
def test_a_key_outside_the_entries_is_explained(word: str, said: str, chronicle: Chronicle) -> None:
    completed = chronicle("explain", word, "--in", BOATHOUSE)
    assert completed.code == 0
    assert said in completed.out


def test_a_key_that_one_game_adds_leads_to_the_reference_of_the_game(chronicle: Chronicle) -> None:
    universalis = rulebook("universalis")
    output = chronicle("explain", "start coins", "--game", universalis.name).out
    assert (
        f"a key of campaign.yaml in {universalis.title}: chronicle reference {universalis.name}"
        in output
    )


def test_a_key_is_explained_with_the_verbs_that_take_it(chronicle: Chronicle) -> None:
    told = chronicle("explain", "dangers", "--game", "playset-zero").out
    assert told.startswith("dangers:  a key of Playset Zero\n")
    assert "goal  {name: text or a list of them}" in told
    assert "dangers: {Gil: the air runs out, Bo: the rope is cut}" in told
    assert told.endswith("Read on:  chronicle explain goal\n")
    # A verb that is a key as well is told as both, and a key of every entry once for all games.
    told = chronicle("explain", "mark", "--game", "playset-zero").out
    assert "mark:  a verb of Playset Zero" in told
    assert "goal, roll, help, hinder" in told
    assert chronicle("explain", "by").out.count("by:  a key of every entry") == 1


def test_a_word_that_is_neither_verb_nor_key_is_told_so(chronicle: Chronicle) -> None:
    told = chronicle("explain", "skill", "--game", "slow-burn").out
    assert told.startswith("'skill' is no verb and no key of Slow Burn. The word occurs in:")


@pytest.mark.parametrize("game", GAMES)
def test_a_value_of_another_kind_is_shown_in_the_words_of_the_game(
    chronicle: Chronicle, game: str
) -> None:
    told = chronicle("explain", "T20", "--game", game).out
    assert f"In {rulebook(game).title} it reads, for example:\n\nerror[T20]: '" in told
    assert "-->" not in told
    assert "barge in: Sunny" not in told
    line = told.rstrip().splitlines()[-1].strip()
    assert line in rulebook(game).new_campaign()["01.yaml"]


@pytest.mark.parametrize("game", GAMES)
def test_no_text_about_a_verb_has_the_marks_of_a_docstring(game: str) -> None:
    for name, verb in rulebook(game).by_verb.items():
        assert "``" not in (verb.__doc__ or ""), name
        assert not [field.name for field in verb.fields.values() if "``" in field.doc], name
