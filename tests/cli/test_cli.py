"""The command line as a person meets it: whole runs, their words and their exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from chronicle.cli import main
from chronicle.games import GAMES
from tests.conftest import LINKS, ROOT

BOATHOUSE = ROOT / "sessions" / "the-boathouse"


class Run:
    """What a run said and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Chronicle = Callable[..., Run]


@pytest.fixture
def chronicle(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Chronicle:
    """Run a command in this process."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str | Path) -> Run:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Run(code, captured.out, captured.err)

    return run


@pytest.fixture
def project(chronicle: Chronicle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh project, entered."""
    folder = tmp_path / "our-game"
    assert chronicle("new", folder, "--game", "positive").code == 0
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def log(project: Path) -> Path:
    """The first session of a fresh project."""
    return project / "sessions" / "our-game" / "01.yaml"


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


# -- the whole -------------------------------------------------------------------------------------


@pytest.mark.smoke
def test_version(chronicle: Chronicle) -> None:
    from chronicle import __version__

    output = chronicle("--version").out
    assert re.fullmatch(
        rf"chronicle {re.escape(__version__)}( \(commit [0-9a-f]{{7}}\))?\n", output
    )


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"COMMIT": "0123456789abcdef\n"}, "0123456"),
        ({".git/HEAD": "fedcba9876543210\n"}, "fedcba9"),
        ({".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": "abcdef0123\n"}, "abcdef0"),
        ({".git/HEAD": "ref: refs/heads/x\n", ".git/packed-refs": "# pack\n1234567aaa refs/heads/x\n"}, "1234567"),
        ({".git": "gitdir: {here}/far\n", "far/HEAD": "ref: refs/heads/y\n", "far/commondir": "../all\n",
          "all/refs/heads/y": "7654321fff\n"}, "7654321"),
        ({".git/HEAD": "ref: refs/heads/none\n"}, ""),
        ({}, ""),
    ],
)  # fmt: skip
def test_a_copy_knows_its_commit(files: dict[str, str], found: str, tmp_path: Path) -> None:
    from chronicle.cli.revision import revision

    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text.replace("{here}", str(tmp_path)), encoding="utf-8")
    assert revision(tmp_path / "COMMIT", tmp_path) == found


def test_help_lists_every_command(chronicle: Chronicle) -> None:
    from chronicle.cli.app import COMMAND_GROUPS

    for arguments in ((), ("--help",), ("-h",)):
        run = chronicle(*arguments)
        assert run.code == 0
        for group in COMMAND_GROUPS.values():
            for name in group:
                assert f"  {name} " in run.out
                assert chronicle(name, "--help").code == 0


def test_help_begins_with_the_five_commands_one_needs_first(chronicle: Chronicle) -> None:
    out = chronicle("--help").out
    listed = re.findall(r"^  ([a-z]+)  ", out, re.MULTILINE)
    assert listed[:5] == ["new", "check", "desk", "serve", "build"]
    assert out.index("Start here:") < out.index("  new ")
    assert "chronicle new our-table" in out


def test_every_help_has_an_example_and_plain_options(chronicle: Chronicle) -> None:
    from chronicle.cli.app import COMMAND_GROUPS

    for name in (name for group in COMMAND_GROUPS.values() for name in group):
        out = chronicle(name, "--help").out
        assert re.search(rf"^    chronicle {name}\b", out, re.MULTILINE), name
        # Every option says what it is for: beside it, or on the next line.
        for option in re.split(r"\n  (?=-)", out.partition("\nOptions:")[2])[1:]:
            assert re.search(r"\S(?: {2,}|\n {10,})\w.*", option), (name, option)
        first = out.split("\n\n")[1]
        assert len(" ".join(first.split())) <= 110, (name, first)


def test_examples_in_help_parse(chronicle: Chronicle) -> None:
    import click

    from chronicle.cli.app import COMMAND_GROUPS
    from chronicle.cli.app import chronicle as group

    for name in (name for group_ in COMMAND_GROUPS.values() for name in group_):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        out = chronicle(name, "--help").out
        for line in re.findall(rf"^    chronicle {name}(.*)$", out, re.MULTILINE):
            words = shlex.split(re.split(r" {2,}|\|", line)[0])
            options = [word for word in words if word.startswith("-")]
            known_options = {opt for param in command.params for opt in param.opts}
            assert {*options} <= known_options, line


def test_a_misspelt_command_is_guessed(chronicle: Chronicle) -> None:
    run = chronicle("chek")
    assert run.code == 2
    assert "did you mean 'check'?" in run.err


def test_the_page_of_commands_shows_every_help(chronicle: Chronicle) -> None:
    from chronicle.cli.app import COMMAND_GROUPS
    from chronicle.cli.reference import commands_page

    page = commands_page()
    for group in COMMAND_GROUPS.values():
        for name in group:
            assert f"### chronicle {name}\n\n`chronicle {name} " in page
            assert page.count(f"| [`{name}`](#chronicle-{name}) | ") == 1
    head = page.split("| Start here |")[0]
    assert "PATH is a file or folder" in head and "PROJECT the folder with `mkdocs.yml`" in head
    # The table is in the groups of the page, and numbers are called so.
    assert [page.count(f"| {heading} | What it does |") for heading in COMMAND_GROUPS] == [1] * 5
    assert "INTEGER" not in page and "<=x" not in page and "[x&gt;" not in page
    assert "- `--port NUMBER`: Port to listen on.  [default: 8000]" in page
    # Options are a list, which a phone can break, with those for many campaigns apart.
    _, _, check = page.partition("### chronicle check\n")
    own, _, many = check.partition("For many campaigns:")
    assert "- `--strict`: Fail on warnings too." in own and "--jobs" not in own
    assert many.startswith("\n\n- `--jobs N`: ")


def test_a_fault_of_ours_is_owned(chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError("the fault")

    monkeypatch.setattr("chronicle.campaigns.load", broken)
    run = chronicle("check", BOATHOUSE)
    assert run.code == 2
    assert "a fault in Chronicle, not in your log" in run.err
    assert "ZeroDivisionError: the fault" in run.err
    assert "Traceback" not in run.err
    monkeypatch.setenv("CHRONICLE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        chronicle("check", BOATHOUSE)


def test_a_reader_who_leaves_early_is_no_fault() -> None:
    done = subprocess.run(
        f"{sys.executable} -m chronicle explain verbs --game positive | head -1",
        shell=True, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.startswith("What a log of Positive")
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("options", [(), ("--format", "json")])
def test_a_full_disk_is_said_in_one_line(options: tuple[str, ...], log: Path) -> None:
    edit(log, "- host: Iris", "- host: Nobody")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "chronicle", "check", str(log), *options],
            stdout=full, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == (
        "chronicle: cannot write, so the output is not whole: No space left on device\n"
    )


def test_a_reason_has_no_empty_lines(capsys: pytest.CaptureFixture[str]) -> None:
    from chronicle.cli.out import Cannot

    Cannot("cannot write here: No space left on device", "").show()
    assert capsys.readouterr().err == "chronicle: cannot write here: No space left on device\n"


# -- new -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_fresh_campaign_is_clean(game: str, chronicle: Chronicle, tmp_path: Path) -> None:
    folder = tmp_path / "Our Game"
    assert chronicle("new", folder, "--game", game).code == 0
    run = chronicle("check", folder, "--strict")
    assert (run.code, run.out, run.err) == (0, "", "")
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    assert {"mkdocs.yml", "docs/index.md", "README.md", ".gitignore", ".vscode/settings.json",
            ".github/workflows/publish.yml", "sessions/Our Game/campaign.yaml"} <= files  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_every_file_names_a_schema_that_accepts_it(
    game: str, chronicle: Chronicle, tmp_path: Path
) -> None:
    import yaml

    chronicle("new", tmp_path / "ours", "--game", game)
    logs = list((tmp_path / "ours" / "sessions").rglob("*.yaml"))
    assert len(logs) >= 2
    for log in logs:
        text = log.read_text(encoding="utf-8")
        first = text.splitlines()[0]
        assert first.startswith("# yaml-language-server: $schema=")
        schema = json.loads((log.parent / first.partition("=")[2]).read_text(encoding="utf-8"))
        jsonschema.Draft7Validator.check_schema(schema)
        if log.name == "campaign.yaml":
            jsonschema.validate(yaml.safe_load(text), schema)


def test_a_fresh_campaign_says_what_to_write_if_nobody_rolls(
    project: Path, chronicle: Chronicle
) -> None:
    settings = project / "sessions" / "our-game" / "campaign.yaml"
    text = settings.read_text(encoding="utf-8")
    assert text.count("# dice: written\n") == 1
    # As pasted.
    settings.write_text(text.replace("# dice: written", "dice: written"), encoding="utf-8")
    run = chronicle("check", project, "--strict")
    assert (run.code, run.out, run.err) == (0, "", "")


def test_nothing_is_ever_overwritten(project: Path, chronicle: Chronicle) -> None:
    files_before = {file: file.read_bytes() for file in project.rglob("*") if file.is_file()}
    run = chronicle("new", project, "--game", "positive")
    assert run.code == 2
    assert "nothing is overwritten" in run.err
    assert {
        file: file.read_bytes() for file in project.rglob("*") if file.is_file()
    } == files_before


def test_a_file_in_the_way_is_said(chronicle: Chronicle, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    run = chronicle("new", tmp_path / "taken" / "x")
    assert run.code == 2
    assert "is a file, not a folder" in run.err


def test_a_second_campaign_joins_a_project(project: Path, chronicle: Chronicle) -> None:
    files_before = {file for file in project.rglob("*") if file.is_file()}
    assert chronicle("new", project / "sessions" / "second", "--game", "positive").code == 0
    added = {f.name for f in project.rglob("*") if f.is_file() and f not in files_before}
    assert added == {"campaign.yaml", "01.yaml"}
    first = (project / "sessions" / "second" / "01.yaml").read_text().splitlines()[0]
    schema = project / "sessions" / "second" / first.partition("=")[2]
    assert schema.resolve() == project / ".chronicle" / "positive.schema.json"


def test_a_second_campaign_goes_where_the_site_finds_it(
    project: Path, chronicle: Chronicle
) -> None:
    run = chronicle("new", "second", "--game", "isolation")
    assert run.code == 0
    assert "is in sessions/second, where the site" in run.out
    assert not (project / "second").exists()
    assert chronicle("check").code == 0
    assert "say which one" in chronicle("state").err
    first = (project / "sessions" / "second" / "01.yaml").read_text().splitlines()[0]
    schema = project / "sessions" / "second" / first.partition("=")[2]
    assert schema.resolve() == project / ".chronicle" / "isolation.schema.json"
    edit(project / "mkdocs.yml", "sessions: sessions ", "sessions: evenings ")
    assert "evenings/third" in chronicle("new", project / "a" / "third", "--game", "isolation").out
    assert (project / "evenings" / "third" / "campaign.yaml").is_file()


@pytest.mark.parametrize("name", ["", " "])
def test_a_project_needs_a_name(
    name: str, chronicle: Chronicle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = chronicle("new", name)
    assert run.code == 2
    assert "folder" in run.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_readme_names_a_rule_of_its_game(
    game: str, chronicle: Chronicle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chronicle("new", tmp_path / "ours", "--game", game)
    monkeypatch.chdir(tmp_path / "ours")
    readme = (tmp_path / "ours" / "README.md").read_text(encoding="utf-8")
    line = next(row for row in readme.splitlines() if "a rule, by the number" in row)
    assert chronicle("explain", line.split()[2]).out.startswith(f"{game}:{line.split()[2]}  ")


@pytest.mark.parametrize("name", ["q\"uo'te", "{braces} {title}", "- dash: colon #", "ünïcode 💀"])
def test_a_hostile_folder_name_breaks_nothing(
    name: str, chronicle: Chronicle, tmp_path: Path
) -> None:
    import yaml

    assert chronicle("new", tmp_path / name).code == 0
    assert chronicle("check", tmp_path / name).out == ""
    settings = yaml.safe_load((tmp_path / name / "mkdocs.yml").read_text(encoding="utf-8"))
    assert settings["site_name"].casefold() == name.replace("-", " ").replace("_", " ").casefold()


# -- check -----------------------------------------------------------------------------------------


@pytest.mark.smoke
def test_all_is_well_in_silence(chronicle: Chronicle) -> None:
    run = chronicle("check", BOATHOUSE)
    assert (run.code, run.out, run.err) == (0, "", "")


def test_errors_are_shown_with_their_lines(log: Path, chronicle: Chronicle) -> None:
    edit(log, "host: Iris", "host: Irys")
    run = chronicle("check")
    assert run.code == 1
    assert "error[T50]" in run.out
    assert "sessions/our-game/01.yaml:" in run.out
    assert "| - host: Irys" in run.out
    assert "did you mean 'Iris'?" in run.out
    assert "1 error" in run.out.splitlines()[-1]
    assert "\x1b" not in run.out


def test_warnings_fail_only_when_strict(log: Path, chronicle: Chronicle) -> None:
    edit(log, "- end session:", "- assert: {dice: {Ana: 3}}\n- end session:")
    run = chronicle("check")
    assert run.code == 0
    assert "1 warning" in run.out
    assert chronicle("check", "--strict").code == 1


def test_formats_tell_the_same(log: Path, chronicle: Chronicle) -> None:
    edit(log, "host: Iris", "host: Irys")
    diagnostics = json.loads(chronicle("check", "--format", "json").out)["diagnostics"]
    sarif = json.loads(chronicle("check", "--format", "sarif").out)["runs"][0]["results"]
    github = chronicle("check", "--format", "github").out.splitlines()
    assert [diagnostic["code"] for diagnostic in diagnostics] == ["T50"]
    follow = [dependent["code"] for dependent in diagnostics[0]["dependents"]]
    assert sorted(result_row["ruleId"] for result_row in sarif) == sorted(["T50", *follow])
    assert len(github) == 1 and github[0].startswith("::error file=sessions/our-game/01.yaml,line=")
    for form in ("json", "sarif", "github", "text"):
        assert chronicle("check", "--format", form).code == 1


def test_formats_of_a_clean_log_can_be_read(chronicle: Chronicle) -> None:
    assert json.loads(chronicle("check", BOATHOUSE, "--format", "json").out)["diagnostics"] == []
    assert json.loads(chronicle("check", BOATHOUSE, "--format", "sarif").out)["version"] == "2.1.0"
    assert chronicle("check", BOATHOUSE, "--format", "github").out == ""


def test_any_file_inside_means_its_campaign(log: Path, chronicle: Chronicle) -> None:
    edit(log, "host: Iris", "host: Irys")
    assert chronicle("check", log).code == 1
    assert chronicle("check", log.parent / "campaign.yaml").code == 1


def test_nowhere_and_nothing(
    chronicle: Chronicle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "there is no 'nowhere' here" in chronicle("check", "nowhere").err
    run = chronicle("check")
    assert run.code == 2
    assert "chronicle new" in run.err


@pytest.mark.parametrize(
    "settings", ["", "game: chess\ntitle: x\nplayers: [A]\n", "[", "\x00", "game: positive\n"]
)
def test_a_campaign_that_cannot_be_read_is_told(
    settings: str, chronicle: Chronicle, tmp_path: Path
) -> None:
    (tmp_path / "campaign.yaml").write_text(settings)
    run = chronicle("check", tmp_path)
    assert run.code == 1
    assert "error[T" in run.out
    assert "fault in Chronicle" not in run.err
    for command in (("state",), ("stats",), ("export", "--format", "json"), ("ids",)):
        assert chronicle(*command, tmp_path).code in (0, 2)


def test_only_the_campaigns_of_the_site_are_checked(
    project: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    stray = project / "tests" / "broken"
    stray.mkdir(parents=True)
    (stray / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    (stray / "01.yaml").write_text("session: 1\nlog:\n- host: Nobody\n")
    assert chronicle("check").code == 0
    assert chronicle("state").code == 0
    assert chronicle("check", project.parent).code == 0
    assert chronicle("check", "tests").code == 1
    monkeypatch.chdir(project / "docs")
    assert chronicle("state").code == 0
    (project / "sessions").rename(project / "evenings")
    assert "no campaign in '../sessions'" in chronicle("check").err
    edit(project / "mkdocs.yml", "sessions: sessions ", "sessions: evenings ")
    assert chronicle("state").code == 0
    edit(project / "mkdocs.yml", "sessions: evenings ", "sessions: .. ")
    assert "no campaign in '../..'" in chronicle("check").err


# -- explain ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["positive:P11", "P11", "p11", "p.11", "Positive:p.11"])
def test_ids_are_forgiving(word: str, project: Path, chronicle: Chronicle) -> None:
    run = chronicle("explain", word)
    assert run.code == 0
    assert run.out.startswith("positive:P11")


@pytest.mark.parametrize("game", GAMES)
def test_every_id_of_every_game_is_explained(
    game: str, chronicle: Chronicle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chronicle.games import rulebook

    # Where no campaign lies, none is looked for each time.
    monkeypatch.chdir(tmp_path)
    registry = rulebook(game).registry()
    for code in [*(r.id for r in registry.rules), *(r.id for r in registry.rulings)]:
        run = chronicle("explain", f"{game}:{code}")
        assert run.code == 0, code
        assert run.out.startswith(f"{game}:")


def test_every_id_of_the_form_is_explained(chronicle: Chronicle) -> None:
    from chronicle.core.form import RULES

    for rule in RULES:
        run = chronicle("explain", rule.id)
        assert run.code == 0
        assert run.out.startswith(f"{rule.id}  {rule.title}")


def test_the_form_has_every_id_that_is_used() -> None:
    import re

    from chronicle.core.form import RULES

    used: set[str] = set()
    for file in (ROOT / "chronicle").rglob("*.py"):
        if file.name not in ("form.py", "explain.py"):
            used |= set(re.findall(r'"(T\d+)"', file.read_text(encoding="utf-8")))
    assert used == {rule.id for rule in RULES}


def test_an_ambiguous_id_lists_its_games(
    chronicle: Chronicle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chronicle.core.rules import CHECKED, Registry, Rule

    class Game:
        title = "A game"

        def __init__(self, name: str) -> None:
            self.name = name

        def registry(self) -> Registry:
            parts = (Rule(f"Q1.{letter}", f"Part {letter}", CHECKED, "Text.") for letter in "ab")
            rules = (Rule("Q7", f"Of {self.name}", CHECKED, "Text."), *parts)
            return Registry(self.name, rules if self.name in ("positive", "isolation") else (), ())

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("chronicle.games.rulebook", Game)
    run = chronicle("explain", "q7")
    assert run.code == 2
    assert "'q7' stands in 2 games" in run.err
    assert "chronicle explain positive:Q7" in run.err and "Of isolation" in run.err
    completed = chronicle("explain", "isolation:Q7")
    assert completed.code == 0 and completed.out.startswith("isolation:Q7  Of isolation")
    stem = chronicle("explain", "positive:Q1")
    assert stem.code == 0
    assert "Q1.a" in stem.out and "Part b" in stem.out


def test_unknown_ids_say_so(chronicle: Chronicle) -> None:
    run = chronicle("explain", "positive:P99")
    assert run.code == 2
    assert "no rule 'P99'" in run.err
    unrecorded = chronicle("explain", "unrecorded").out
    assert "nobody wrote down" in unrecorded, "messages ask people to write it"
    assert chronicle("explain", "chess:P1").code == 2
    assert (
        "no game 'posotive'; did you mean 'positive'?"
        in chronicle("explain", "verbs", "--game", "posotive").err
    )


def test_a_ruling_is_explained_by_its_key(project: Path, chronicle: Chronicle) -> None:
    run = chronicle("explain", "tie")
    assert run.code == 0
    assert "reroll (default)" in run.out
    assert "rulings:\n    tie:" in run.out


@pytest.mark.parametrize("game", GAMES)
def test_all_verbs_are_listed(game: str, chronicle: Chronicle) -> None:
    from chronicle.games import rulebook

    run = chronicle("explain", "verbs", "--game", game)
    assert run.code == 0
    for verb in rulebook(game).by_verb.values():
        assert f"  {verb.verb} " in run.out


def test_a_line_is_explained(chronicle: Chronicle) -> None:
    lines = (BOATHOUSE / "01.yaml").read_text(encoding="utf-8").splitlines()
    line = next(n for n, text in enumerate(lines, 1) if text.startswith("- roll:"))
    run = chronicle("explain", f"{BOATHOUSE / '01.yaml'}:{line}")
    assert run.code == 0
    for words in (
        "before",
        "did",
        "moved",
        "after",
        "P21",
        "Ana: Commitment dice in hand: 3 -> 2",
        "What may come next",
    ):
        assert words in run.out, words


def test_lines_that_are_no_entry(log: Path, chronicle: Chronicle) -> None:
    zero = chronicle("explain", f"{log}:0")
    assert zero.code == 2
    assert "counted from 1" in zero.err
    assert "holds no entry" in chronicle("explain", f"{log.parent / 'campaign.yaml'}:1").err
    assert "no file" in chronicle("explain", "no/such.yaml:3").err
    assert "which line" in chronicle("explain", log).err
    assert "which line" in chronicle("explain", "01.yaml").err
    # Below the last entry, the last one is meant.
    assert "entry 11" in chronicle("explain", f"{log}:999").out


def test_the_head_of_a_file_shows_how_the_session_opens(log: Path, chronicle: Chronicle) -> None:
    run = chronicle("explain", f"{log}:1")
    assert run.code == 0
    assert "the head of session 1" in run.out
    assert "Session 1 opens here; entry 1 is the first." in run.out
    assert "   1 | # yaml-language-server" in run.out
    (log.parent / "02.yaml").write_text("session: 2\nlog:\n", encoding="utf-8")
    empty = chronicle("explain", "02.yaml:2")
    assert empty.code == 0
    assert "Session 2 opens here; no entry follows yet." in empty.out
    assert "   2 | log:" in empty.out


def test_what_comes_next_as_the_fresh_log_says(log: Path, chronicle: Chronicle) -> None:
    text = log.read_text(encoding="utf-8")
    (command,) = re.findall("What comes next[?]  chronicle (.*)", text)
    run = chronicle(*command.split())
    assert run.code == 0
    assert "What may come next" in run.out


def test_a_file_is_found_by_the_end_of_its_path(project: Path, chronicle: Chronicle) -> None:
    chronicle("new", "second", "--game", "positive")
    both = chronicle("explain", "01.yaml:999")
    assert both.code == 2
    assert "one of 2 files" in both.err
    assert "sessions/our-game/01.yaml" in both.err and "sessions/second/01.yaml" in both.err
    run = chronicle("explain", "second/01.yaml:999")
    assert run.code == 0
    assert run.out.startswith("sessions/second/01.yaml:")
    assert "no file '1.yaml'" in chronicle("explain", "1.yaml:3").err
    assert chronicle("state", "sessions/second", "--at", "01.yaml:999").code == 0


def test_a_rule_of_another_game_is_said_to_be_one(project: Path, chronicle: Chronicle) -> None:
    run = chronicle("explain", "U6.21")
    assert run.code == 0
    assert run.out.startswith("A rule of Universalis; the game here is Positive")
    assert "universalis:U6.21" in run.out


# -- look ------------------------------------------------------------------------------------------


def test_state_now_and_then(chronicle: Chronicle) -> None:
    assert "The game is over" in chronicle("state", BOATHOUSE).out
    assert "after entry 30 of" in chronicle("state", BOATHOUSE, "--at", "30").out
    assert "after entry 0 of" in chronicle("state", BOATHOUSE, "--at", "0").out
    lines = (BOATHOUSE / "02.yaml").read_text(encoding="utf-8").split("\n")
    entry = next(number for number, text in enumerate(lines, 1) if text.startswith("- "))
    by_line = chronicle("state", BOATHOUSE, "--at", f"{BOATHOUSE / '02.yaml'}:{entry}")
    assert "after entry" in by_line.out
    assert chronicle("state", BOATHOUSE, "--at", "9999").code == 2
    assert chronicle("state", BOATHOUSE, "--at", "nobody").code == 2


@pytest.mark.parametrize("name", ["Wanda", "wanda", "Eli"])
def test_show_a_sheet(name: str, chronicle: Chronicle) -> None:
    run = chronicle("show", name, "--in", BOATHOUSE)
    assert run.code == 0
    assert "Wanda" in run.out


def test_show_nobody(chronicle: Chronicle) -> None:
    run = chronicle("show", "Wanba", "--in", BOATHOUSE)
    assert run.code == 2
    assert "did you mean 'Wanda'" in run.err


def test_find(chronicle: Chronicle) -> None:
    run = chronicle("find", "EASTER", "--in", BOATHOUSE)
    assert run.code == 0
    assert "01.yaml:" in run.out
    assert chronicle("find", "no such words anywhere", "--in", BOATHOUSE).code == 1


def test_find_finds_no_secret(log: Path, chronicle: Chronicle) -> None:
    edit(log, "- end session:", "- secret: the kestrel\n  id: s\n- end session:")
    assert chronicle("find", "kestrel").code == 1


def test_stats(chronicle: Chronicle) -> None:
    run = chronicle("stats", BOATHOUSE)
    assert "entries a second" in run.out and "MB" in run.out


def test_more_than_one_campaign_must_be_named(project: Path, chronicle: Chronicle) -> None:
    chronicle("new", project / "sessions" / "second", "--game", "positive")
    run = chronicle("state")
    assert run.code == 2
    assert "say which one" in run.err and "second" in run.err


# -- edit ------------------------------------------------------------------------------------------


def test_ids_are_added_once(log: Path, chronicle: Chronicle) -> None:
    text_before = log.read_text(encoding="utf-8")
    assert "+  id: " in chronicle("ids", "--diff").out
    assert log.read_text(encoding="utf-8") == text_before
    assert "wrote" in chronicle("ids").out
    text_after = log.read_text(encoding="utf-8")
    assert text_after.count("  id: ") == 11
    assert [x for x in text_after.splitlines() if "id: " not in x] == text_before.splitlines()
    assert chronicle("ids").out == ""
    assert chronicle("check").out == ""


def test_ids_tell_no_secret(log: Path, chronicle: Chronicle) -> None:
    edit(log, "- end session:", "- secret: the kestrel\n- end session:")
    chronicle("ids")
    assert "  id: secret\n" in log.read_text(encoding="utf-8")


def test_what_others_call_by_its_words_is_found_with_an_id_too(
    tmp_path: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "sessions" / "one-piece-a-house", tmp_path / "house")
    monkeypatch.chdir(tmp_path / "house")
    check_output = chronicle("check").out
    run = chronicle("ids")
    assert run.code == 0
    assert "wrote 02.yaml" in run.out
    assert chronicle("check").out == check_output
    assert "id: " in Path("02.yaml").read_text(encoding="utf-8")
    assert "wrote" not in chronicle("ids", "02.yaml").out


@pytest.mark.integration
@pytest.mark.parametrize(
    "name", sorted(f.name for f in (ROOT / "sessions").iterdir() if f.is_dir())
)
def test_ids_change_no_finding(name: str, tmp_path: Path, chronicle: Chronicle) -> None:
    shutil.copytree(ROOT / "sessions" / name, tmp_path / "x")
    output_before = chronicle("check", tmp_path / "x", "--format", "json").out
    chronicle("ids", tmp_path / "x")
    output_after = chronicle("check", tmp_path / "x", "--format", "json").out
    codes = [
        [diagnostic["code"] for diagnostic in json.loads(x)["diagnostics"]]
        for x in (output_before, output_after)
    ]
    assert codes[0] == codes[1]


@pytest.mark.parametrize("command", ["ids", "annotate"])
@pytest.mark.parametrize("name", ["campaign.yaml", "journal"])
def test_what_is_no_session_is_said(
    command: str, name: str, log: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    (log.parent / "journal").mkdir(exist_ok=True)
    files_before = contents(log.parent)
    monkeypatch.chdir(log.parent)
    run = chronicle(command, name)
    assert (run.code, run.out) == (2, "")
    assert f"'{name}' is no session of a campaign\n" in run.err
    assert "name a session file, like '01.yaml', or the whole campaign, '.'\n" in run.err
    assert contents(log.parent) == files_before
    monkeypatch.chdir("journal")
    assert "wrote" in chronicle(command).out


def test_annotate_and_strip(log: Path, chronicle: Chronicle) -> None:
    bytes_before = log.read_bytes()
    chronicle("annotate")
    text = log.read_text(encoding="utf-8")
    assert "Leo wins" in text and "#>" in text
    assert chronicle("annotate").out == ""
    assert chronicle("check").out == ""
    chronicle("annotate", "--strip")
    assert log.read_bytes() == bytes_before


def test_annotate_one_file_of_a_campaign(log: Path, chronicle: Chronicle) -> None:
    (log.parent / "02.yaml").write_text("session: 2\nlog:\n- tell: x\n", encoding="utf-8")
    run = chronicle("ids", log)
    assert run.out == f"wrote {log.relative_to(Path.cwd())}\n"


def test_a_broken_file_is_left_alone(log: Path, chronicle: Chronicle) -> None:
    edit(log, "- host: Iris", '- host: "Iris')
    bytes_before = log.read_bytes()
    assert chronicle("ids").code == 2
    assert chronicle("annotate").code == 2
    assert log.read_bytes() == bytes_before


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_keeps_its_mark_and_its_encoding(
    encoding: str, log: Path, chronicle: Chronicle
) -> None:
    text = log.read_text(encoding="utf-8")
    log.write_bytes(text.encode(encoding))
    mark = log.read_bytes()[:2]
    assert chronicle("check").code == 0
    for command in ("ids", "annotate"):
        assert "wrote" in chronicle(command).out
        assert log.read_bytes()[:2] == mark
    text_after = log.read_bytes().decode(encoding)
    assert "\ufeff" not in text_after
    assert text_after.count("  id: ") == 11 and "#>" in text_after
    assert sealed(log, "the kestrel").returncode == 0
    assert log.read_bytes()[:2] == mark
    assert "sealed: sha256" in log.read_bytes().decode(encoding)
    assert chronicle("check").code == 0


@pytest.mark.parametrize(
    ("encoding", "told"),
    [("latin-1", "this file is not UTF-8: byte 0xfc"), ("utf-32", "this file is UTF-32")],
)
def test_a_file_in_another_encoding_is_left_alone(
    encoding: str, told: str, log: Path, chronicle: Chronicle
) -> None:
    log.write_bytes((log.read_text(encoding="utf-8") + "- tell: für\n").encode(encoding))
    bytes_before = log.read_bytes()
    assert told in chronicle("check").out
    for error_output in (chronicle("ids").err, chronicle("annotate").err, sealed(log, "x").stderr):
        assert told in error_output and "UTF-8" in error_output
        assert "codec" not in error_output
    assert log.read_bytes() == bytes_before


def test_nothing_is_to_be_done_in_an_empty_log(log: Path, chronicle: Chronicle) -> None:
    log.write_text("session: 1\nlog:\n", encoding="utf-8")
    for command in ("ids", "annotate"):
        run = chronicle(command)
        assert (run.code, run.out, run.err) == (0, "", "")
    assert log.read_text(encoding="utf-8") == "session: 1\nlog:\n"


# -- seal ------------------------------------------------------------------------------------------


def sealed(log: Path, secret: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "chronicle", "seal", str(log), "--slot", "leo-did", "--by", "Bo", *arguments],
        input=secret, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def secret(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """What comes out of a pipe."""
    monkeypatch.setattr("sys.stdin", io.StringIO(text, newline=""))


def test_seal_verify_reveal(log: Path, chronicle: Chronicle) -> None:
    done = sealed(log, "Leo: did it, 'twas he\n")
    assert done.returncode == 0, done.stderr
    opening = log.parent / "leo-did.opening"
    assert opening.stat().st_mode & 0o077 == 0
    assert "Leo: did it" not in log.read_text(encoding="utf-8") + done.stdout
    assert chronicle("check", "--strict").code == 0
    assert chronicle("seal", log, "--verify", opening).code == 0
    line = opening.read_text(encoding="utf-8").rstrip("\n")
    with log.open("a", encoding="utf-8") as file:
        quoted = line.replace("'", "''")
        file.write(f"- reveal: leo-did\n  opening: '{quoted}'\n")
    assert chronicle("check", "--strict").out == ""
    run = chronicle("export", "--format", "json")
    assert "Leo: did it, 'twas he (sealed)" in run.out


def test_an_opening_goes_where_its_owner_says_and_is_not_written_over(
    log: Path, tmp_path: Path, chronicle: Chronicle
) -> None:
    keep = tmp_path / "pocket" / "mine.txt"
    keep.parent.mkdir()
    assert sealed(log, "nine", "--keep", str(keep)).returncode == 0
    assert not list(log.parent.glob("*.opening"))
    line = keep.read_text(encoding="utf-8")
    assert chronicle("seal", log, "--verify", keep).code == 0
    bytes_before = log.read_bytes()
    second_run = sealed(log, "ten", "--keep", str(keep), "--slot", "another")
    assert second_run.returncode == 2
    assert "nothing is overwritten" in second_run.stderr
    assert (keep.read_text(encoding="utf-8"), log.read_bytes()) == (line, bytes_before)


def test_a_changed_opening_does_not_match(log: Path, chronicle: Chronicle) -> None:
    sealed(log, "nine")
    opening = log.parent / "leo-did.opening"
    opening.write_text(opening.read_text().replace("nine", "ten"))
    run = chronicle("seal", log, "--verify", opening)
    assert run.code == 1
    assert "does not match" in run.out
    opening.write_text("[]")
    assert chronicle("seal", log, "--verify", opening).code == 2


def test_a_seal_is_never_written_over(log: Path) -> None:
    assert sealed(log, "one").returncode == 0
    bytes_before = log.read_bytes()
    second_run = sealed(log, "two")
    assert second_run.returncode == 2
    assert "taken" in second_run.stderr
    assert log.read_bytes() == bytes_before
    assert sealed(log.parent / "campaign.yaml", "x").returncode == 2


def test_nobody_seals_nothing(log: Path) -> None:
    files_before = contents(log.parent)
    run = sealed(log, "nine", "--by", "Nobody")
    assert run.returncode == 2
    assert "'Nobody'" in run.stderr and "nothing was sealed" in run.stderr
    assert "the players are " in run.stderr and "Bo" in run.stderr
    assert contents(log.parent) == files_before


def test_what_seal_prints_can_be_written(log: Path, chronicle: Chronicle) -> None:
    done = sealed(log, "it's \"nine\": 'twas # him")
    line = (log.parent / "leo-did.opening").read_text(encoding="utf-8").rstrip("\n")
    printed = done.stdout[done.stdout.index("  - reveal:") :]
    entry = printed.replace("...the line in leo-did.opening...", line)
    with log.open("a", encoding="utf-8") as file:
        file.write("".join(f"{row[2:]}\n" for row in entry.splitlines()))
    assert chronicle("check", "--strict").out == ""


def test_a_seal_that_cannot_be_written_leaves_no_opening(
    log: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied", "/tmp/.chronicle-edit/0.new")

    files_before = contents(log.parent)
    secret(monkeypatch, "nine")
    with monkeypatch.context() as patched:
        patched.setattr("chronicle.core.edits.write_new", full)
        run = chronicle("seal", log, "--slot", "bo-did", "--by", "Bo")
    opening = log.parent / "bo-did.opening"
    assert (run.code, run.err) == (2, f"chronicle: cannot write '{opening}': Permission denied\n")
    assert contents(log.parent) == files_before
    secret(monkeypatch, "nine")
    assert chronicle("seal", log, "--slot", "bo-did", "--by", "Bo").code == 0


def test_a_log_nobody_may_look_at_is_said(
    log: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.stat

    def closed(self: Path, **options: bool) -> os.stat_result:
        if self == log:
            raise PermissionError(13, "Permission denied", str(self))
        return real(self, **options)

    monkeypatch.setattr(Path, "stat", closed)
    for arguments in (
        ("seal", log, "--slot", "bo-did", "--by", "Bo"),
        ("ids", log),
        ("state", log),
    ):
        run = chronicle(*arguments)
        message = f"chronicle: '{log}' cannot be read: Permission denied\n"
        assert (run.code, run.err) == (2, message)


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_secret_ends_with_its_line(
    end: str, log: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret(monkeypatch, f"nine{end}")
    assert chronicle("seal", log, "--slot", "bo-did", "--by", "Bo").code == 0
    opening = json.loads((log.parent / "bo-did.opening").read_text(encoding="utf-8"))
    assert "nine" in opening


@pytest.mark.parametrize("command", ["annotate", "seal", "ids"])
def test_every_line_keeps_its_own_end(
    command: str, log: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = log.read_bytes().splitlines()
    lines_before = [row + (b"\r\n", b"\n")[number % 2] for number, row in enumerate(rows)]
    log.write_bytes(b"".join(lines_before))
    if command == "seal":
        secret(monkeypatch, "nine")
        assert chronicle("seal", log, "--slot", "bo-did", "--by", "Bo").code == 0
    else:
        assert "wrote" in chronicle(command).out
    lines_after = log.read_bytes().splitlines(keepends=True)
    if command != "annotate":
        assert [row for row in lines_after if row in lines_before] == lines_before
        return
    ends = [
        row[len(row.rstrip(b"\r\n")) :] for row in lines_after if not row.strip().startswith(b"#>")
    ]
    assert ends == [row[len(row.rstrip(b"\r\n")) :] for row in lines_before]
    chronicle("annotate", "--strip")
    assert log.read_bytes() == b"".join(lines_before)


# -- publish ---------------------------------------------------------------------------------------


def test_export_prints_or_writes(tmp_path: Path, chronicle: Chronicle) -> None:
    for form in ("json", "hledger", "beancount", "csv"):
        run = chronicle("export", BOATHOUSE, "--format", form)
        assert run.code == 0
        chronicle("export", BOATHOUSE, "--format", form, "--out", tmp_path / form)
        assert (tmp_path / form).read_text(encoding="utf-8") == run.out
    chronicle("export", BOATHOUSE, "--all", tmp_path / "all")
    assert {file.name for file in (tmp_path / "all").iterdir()} >= {"record.json", "01.yaml"}
    assert chronicle("export", BOATHOUSE).code == 2
    assert (
        chronicle("export", BOATHOUSE, "--format", "csv", "--out", tmp_path / "no" / "x").code == 2
    )


def test_export_through_a_session(chronicle: Chronicle) -> None:
    run = chronicle("export", BOATHOUSE, "--format", "json", "--through", "1")
    assert [session["number"] for session in json.loads(run.out)["sessions"]] == [1]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@LINKS
@pytest.mark.parametrize(
    "options",
    [
        ("--all", "."),
        ("--all", "sessions"),
        ("--all", "sessions/our-game"),
        ("--all", "sessions/our-game/journal/new"),
        ("--format", "csv", "--out", "sessions/our-game/01.yaml"),
        ("--format", "csv", "--out", "sessions/our-game/x.csv"),
        ("--format", "csv", "--out", "link/01.yaml"),
        ("--all", "link"),
    ],
)
def test_an_export_never_goes_among_the_logs(
    options: tuple[str, ...], project: Path, chronicle: Chronicle
) -> None:
    (project / "link").symlink_to("sessions/our-game", target_is_directory=True)
    files_before = contents(project)
    run = chronicle("export", "sessions/our-game", *options)
    assert (run.code, run.out) == (2, "")
    assert "campaign" in run.err and "\n  name a " in run.err
    assert contents(project) == files_before


def test_an_export_goes_where_an_export_was(log: Path, chronicle: Chronicle) -> None:
    (log.parent / "02.yaml").write_text("session: 2\nlog:\n- tell: x\n", encoding="utf-8")
    assert chronicle("export", "--all", "exports").code == 0
    full = contents(Path("exports"))
    assert chronicle("export", "--all", "exports").code == 0
    assert contents(Path("exports")) == full
    (Path("exports") / "own.txt").write_text("mine")
    run = chronicle("export", "--all", "exports", "--through", "1")
    assert (run.code, run.err) == (0, "")
    assert "removed exports/02.yaml\n" in run.out
    assert "02.yaml" not in contents(Path("exports"))
    assert (Path("exports") / "own.txt").read_text() == "mine"
    assert chronicle("export", "--format", "csv", "--out", "exports/more.csv").code == 0


def test_an_export_that_was_changed_is_kept(log: Path, chronicle: Chronicle) -> None:
    (log.parent / "02.yaml").write_text("session: 2\nlog:\n- tell: x\n", encoding="utf-8")
    chronicle("export", "--all", "exports")
    for name in ("01.yaml", "02.yaml", "campaign.yaml"):
        with (Path("exports") / name).open("a") as file:
            file.write("# mine\n")
        files_before = contents(Path("exports"))
        run = chronicle("export", "--all", "exports")
        assert run.code == 2
        assert "exports" in run.err
        assert contents(Path("exports")) == files_before
    Path("exports", "campaign.yaml").unlink()
    Path("exports", "01.yaml").unlink()
    assert chronicle("export", "--all", "exports", "--through", "1").code == 0
    assert Path("exports", "02.yaml").read_text().endswith("# mine\n")


def test_a_write_that_fails_names_the_file_that_was_meant(
    log: Path, chronicle: Chronicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied", "/tmp/.chronicle-edit/0.new")

    monkeypatch.setattr("chronicle.core.edits.write_new", full)
    for arguments, file in (
        (("export", "--format", "csv", "--out", "x.csv"), "x.csv"),
        (("ids",), "01.yaml"),
        (("rename", "Iris", "Irma"), ".yaml"),
    ):
        run = chronicle(*arguments)
        assert run.code == 2
        assert f"{file}': Permission denied\n" in run.err
        assert ".chronicle-edit" not in run.err


@pytest.mark.integration
def test_build_writes_a_site(project: Path, chronicle: Chronicle) -> None:
    run = chronicle("build", "--strict")
    assert (run.code, run.out) == (0, ""), run.err
    assert (project / "site" / "index.html").is_file()
    assert list((project / "site").rglob("our-game/sessions/1.html"))


def test_build_without_a_project(chronicle: Chronicle, tmp_path: Path) -> None:
    run = chronicle("build", tmp_path)
    assert run.code == 2
    assert "no mkdocs.yml" in run.err


def test_build_tells_what_mkdocs_refuses(project: Path, chronicle: Chronicle) -> None:
    edit(project / "mkdocs.yml", "plugins:\n", "plugins:\n  - no-such-plugin\n")
    run = chronicle("build")
    assert run.code == 2
    assert "no-such-plugin" in run.err
    assert "fault in Chronicle" not in run.err


def test_render_writes_pages(project: Path, chronicle: Chronicle) -> None:
    run = chronicle("render", "--out", project / "plain")
    assert (run.code, run.err) == (0, "")
    assert (project / "plain" / "mkdocs.yml").is_file()
    assert list((project / "plain" / "docs").rglob("*.md"))


@LINKS
@pytest.mark.parametrize(
    "out",
    [
        ".", "..", "sessions", "sessions/site", "sessions/our-game", "sessions/our-game/site",
        "docs", "docs/site", "templates", "link", "../pictures",
    ],
)  # fmt: skip
def test_build_fills_no_folder_of_ours(out: str, project: Path, chronicle: Chronicle) -> None:
    (project / "link").symlink_to("sessions", target_is_directory=True)
    (project / "templates").mkdir(exist_ok=True)
    (project.parent / "pictures").mkdir()
    (project.parent / "pictures" / "one.png").write_bytes(b"x")
    files_before = contents(project.parent)
    run = chronicle("build", "--out", out)
    assert (run.code, run.out) == (2, "")
    assert "\n  nothing was built: name a new or an empty folder" in run.err
    assert contents(project.parent) == files_before


@pytest.mark.parametrize("out", ["sessions", "sessions/our-game", "sessions/our-game/site", ".."])
def test_mkdocs_itself_empties_no_folder_of_ours(
    out: str, project: Path, chronicle: Chronicle
) -> None:
    edit(project / "mkdocs.yml", "site_dir: site ", f"site_dir: {out} ")
    files_before = contents(project)
    run = chronicle("build")
    assert run.code == 2
    assert "fault in Chronicle" not in run.err
    assert contents(project) == files_before


@pytest.mark.integration
def test_a_campaign_may_be_the_project_itself(project: Path, chronicle: Chronicle) -> None:
    for file in (project / "sessions" / "our-game").iterdir():
        file.rename(project / file.name)
    edit(project / "mkdocs.yml", "sessions: sessions", "sessions: .")
    for _ in range(2):
        run = chronicle("build")
        assert (run.code, run.err) == (0, "")
    (project / "journal").mkdir(exist_ok=True)
    (project / "journal" / "one.md").write_text("mine")
    assert chronicle("build", "--out", "journal").code == 2


@pytest.mark.integration
def test_a_site_may_be_built_again(project: Path, chronicle: Chronicle, tmp_path: Path) -> None:
    for _ in range(2):
        assert chronicle("build", "--out", tmp_path / "public").code == 0
    assert (tmp_path / "public" / "index.html").is_file()


@pytest.mark.parametrize("out", [".", "docs", "sessions", "sessions/our-game/plain", "../other"])
def test_render_replaces_nothing_of_ours(out: str, project: Path, chronicle: Chronicle) -> None:
    (project.parent / "other" / "docs").mkdir(parents=True)
    (project.parent / "other" / "docs" / "index.md").write_text("mine")
    files_before = contents(project.parent)
    run = chronicle("render", "--out", out)
    assert (run.code, run.out) == (2, "")
    assert "\n  nothing was written: name a new or an empty folder" in run.err
    assert contents(project.parent) == files_before


def test_pages_may_be_rendered_again(project: Path, chronicle: Chronicle) -> None:
    for _ in range(2):
        assert chronicle("render", "--out", project / "plain").code == 0


def test_serve_refuses_a_taken_port(project: Path, chronicle: Chronicle) -> None:
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        run = chronicle("serve", "--port", str(port))
    assert run.code == 2
    assert "another port" in run.err


# -- reference -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_schema_and_reference(game: str, chronicle: Chronicle) -> None:
    for extra in ((), ("--campaign",)):
        jsonschema.Draft7Validator.check_schema(json.loads(chronicle("schema", game, *extra).out))
    assert chronicle("reference", game).out.startswith("# ")
    assert "Where YAML bites" in chronicle("reference").out


def test_schemas_of_a_project_are_renewed(project: Path, chronicle: Chronicle) -> None:
    file = project / ".chronicle" / "positive.schema.json"
    fresh = file.read_text(encoding="utf-8")
    file.write_text("{}")
    assert chronicle("schema", "positive", "--project", project).code == 0
    assert file.read_text(encoding="utf-8") == fresh
