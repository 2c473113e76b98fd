"""What is secret is in no byte of the built site: pages, search index, downloads, pictures, maps."""

import gzip
import html
import json
from collections.abc import Iterator
from pathlib import Path
from string import Template

import pytest

from chronicle.campaigns import load, run
from chronicle.cli import main
from chronicle.core.secrets import make_opening, seal_of
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.export import FORMATS
from chronicle.games import GAMES, rulebook
from chronicle.site.links import slugify
from chronicle.site.prose import typeset
from tests.golden import ROOT
from tests.sample import some
from tests.site.project import build, make_project

SECRET = 'Quicksilver ran under the "west" stairs'
SEALED = "Vermilion & the ninth lamp's oil"
SECRET_TEXT = "Saffron under <every> floorboard"
SUBJECT = "Cinnabar Weatherby-Ng"
MISSPELT_SECRET = "Obsidian doors that nobody opened"
NOTED = "Tamarind in the keeper's margin"


def variants(text: str) -> set[bytes]:
    """A text as any file might spell it."""
    plain = {text, typeset(text), text.casefold()}
    spelt = (
        plain
        | {html.escape(spelling) for spelling in plain}
        | {json.dumps(spelling)[1:-1] for spelling in plain}
    )
    spelt |= {json.dumps(spelling, ensure_ascii=False)[1:-1] for spelling in plain}
    # As the beginning of an address.
    spelt.add(slugify(text)[:20].rstrip("-"))
    return {spelling.encode() for spelling in spelt}


def leaks(site: Path, *texts: str) -> list[str]:
    """Every file of a built site that holds one of the texts."""
    leaked = []
    for file in sorted(site.rglob("*")):
        if file.is_file():
            data = file.read_bytes()
            if file.suffix == ".gz":
                data = gzip.decompress(data)
            name = file.relative_to(site).as_posix()
            leaked += [
                f"{name}: {text}" for text in texts if any(v in data for v in variants(text))
            ]
    return leaked


def own_secrets(game: str) -> str:
    """Kinds of secrets that only one game has: entries in ``secrets.log`` beside its cases."""
    file = ROOT / "tests" / "games" / game.replace("-", "_") / "secrets.log"
    words = {"KEPT": SECRET, "MEANT": MISSPELT_SECRET, "NOTED": NOTED}
    text = file.read_text("utf-8") if file.exists() else ""
    return Template(text).substitute({key: json.dumps(word) for key, word in words.items()})


def campaign_with_secrets(folder: Path, game: str) -> str:
    """A fresh campaign of a game with every kind of secret in its log; gives the sealed line."""
    folder.mkdir(parents=True)
    for name, text in rulebook(game).new_campaign().items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    opening = make_opening(1, "two", "nobody", "secret", SEALED)
    # Where ``seal`` keeps it if nobody says otherwise.
    (folder / "two.opening").write_text(opening + "\n", encoding="utf-8")
    entries = (
        f"- secret: {json.dumps(SECRET)}\n  id: one\n  about: {SUBJECT}\n  note: {json.dumps(NOTED)}\n"
        f"  text: |\n    {SECRET_TEXT}\n"
        f"- sealed: {seal_of(opening)}\n  id: two\n{own_secrets(game)}"
        # Clumsy ones: without an id, misspelt, with an option too many, half undone by YAML.
        f"- secret: {json.dumps(MISSPELT_SECRET)}\n"
        f"- secrt: {json.dumps(MISSPELT_SECRET)}\n  id: three\n"
        f"- sekret: {json.dumps(MISSPELT_SECRET)}\n"
        f"- envelop: {json.dumps(MISSPELT_SECRET)}\n"
        f"- secret: {json.dumps(MISSPELT_SECRET)}\n  id: four\n  colour: {json.dumps(NOTED)}\n"
        f"- {{secret: {json.dumps(MISSPELT_SECRET)}, id: five, {NOTED}}}\n"
    )
    transcript = folder / "01.yaml"
    log, end, last_lines = transcript.read_text(encoding="utf-8").rpartition("\n- end session")
    transcript.write_text(f"{log}\n{entries}{end.lstrip()}{last_lines}", encoding="utf-8")
    return opening


@pytest.mark.integration
@pytest.mark.parametrize("game", list(GAMES))
def test_no_secret_of_any_game_is_in_what_is_handed_on(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, out = tmp_path / "table", tmp_path / "out"
    campaign_with_secrets(table, game)
    assert main(["export", str(table), "--all", str(out / "all")]) == 0
    for form in FORMATS:
        assert main(["export", str(table), "--format", form, "--out", str(out / form)]) == 0
    assert main(["render", str(table), "--out", str(out / "pages")]) == 0
    capsys.readouterr()
    # What a person looks up to show to the others.
    answers = []
    counted = ["corpus", "--format", "json"]
    for words in (["find", "e"], ["find", "Quicksilver"], ["state"], ["stats"], counted):
        where = ["--in", str(table)] if words[0] == "find" else [str(table)]
        main([*words, *where])
        answers.append(capsys.readouterr().out)
    (out / "said").write_text("\n".join(answers), encoding="utf-8")
    assert len(list(out.rglob("*"))) > 20
    assert leaks(out, SECRET, SEALED, MISSPELT_SECRET, NOTED, SECRET_TEXT, SUBJECT) == []


@pytest.mark.parametrize("game", some(GAMES, 2))
def test_a_reveal_in_a_later_session_is_not_told_before_it(game: str, tmp_path: Path) -> None:
    opening = campaign_with_secrets(tmp_path / "table", game)
    (tmp_path / "table" / "02.yaml").write_text(
        "session: 2\nlog:\n- reveal: one\n"
        f"- reveal: two\n  opening: '{opening.replace(chr(39), chr(39) * 2)}'\n"
        f"- tell: {json.dumps('Afterwards ' + MISSPELT_SECRET)}\n",
        encoding="utf-8",
    )
    project = make_project(tmp_path / "early", tmp_path / "table", through=1)
    assert leaks(build(project)[0], SECRET, SEALED, MISSPELT_SECRET) == []
    site, _ = build(make_project(tmp_path / "late", tmp_path / "table"))
    leaking_files = {line.partition(":")[0] for line in leaks(site, SECRET, SEALED)}
    assert "table/sessions/2.html" in leaking_files
    evening = (site / "table" / "sessions" / "2.html").read_text(encoding="utf-8")
    assert "sealed beforehand, verified" in evening
    assert "stated at opening" in evening


def campaign_with_enigmas(folder: Path) -> tuple[int, str]:
    """A game in which a Trait in clear and a sealed one are bought in secret, one more is put away in
    an outcome, and a second evening reveals the two. Gives the lines of the first evening and the opening."""
    folder.mkdir()
    opening = make_opening(1, "two", "Ana", "trait", SEALED)
    (folder / "two.opening").write_text(opening + "\n", encoding="utf-8")
    (folder / "campaign.yaml").write_text(
        "game: universalis\ntitle: The ford\nplayers: [Ana, Bao]\npreparation: skipped\n"
        "add ons: [enigma]\n",
        encoding="utf-8",
    )
    first = (
        "session: 1\nlog:\n- bid: {Ana: 9, Bao: 0}\n- scene: The ford\n  at: {new: ford}\n"
        "  with: [{character: ranger, name: Ida}, {character: troll}]\n- event: Ida wades in\n"
        f"- secret: {json.dumps(SECRET)}\n  id: one\n  by: Ana\n  note: {json.dumps(NOTED)}\n"
        f"- sealed: {seal_of(opening)}\n  id: two\n  by: Ana\n"
        "- enigma: {Ida: one, troll: two}\n- take over: troll\n  by: Bao\n"
        "- complication: {Ida: troll}\n- draw: {Ida: ranger}\n- end turn:\n- buy: 1\n  for: a club\n"
        "- roll: {Ana: [1], Bao: [9]}\n- outcome:\n    Ana:\n"
        f"    - secret: {json.dumps(MISSPELT_SECRET)}\n      id: inside\n      note: {json.dumps(NOTED)}\n"
        "    - keep: 1\n- assert: {importance: {Ida: 2, troll: 1}}\n"
    )
    (folder / "01.yaml").write_text(first, encoding="utf-8")
    (folder / "02.yaml").write_text(
        "session: 2\nlog:\n- reveal: one\n  by: Ana\n"
        f"- reveal: two\n  by: Ana\n  opening: '{opening.replace(chr(39), chr(39) * 2)}'\n"
        "- assert: {importance: {Ida: 3, troll: 2}}\n",
        encoding="utf-8",
    )
    return first.count("\n"), opening


def test_an_enigma_is_in_nothing_before_it_is_revealed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, out = tmp_path / "table", tmp_path / "out"
    lines, opening = campaign_with_enigmas(table)
    words = (SECRET, SEALED, MISSPELT_SECRET, NOTED, opening)
    late, _ = build(make_project(tmp_path / "late", table))
    leaking_files = {line.partition(":")[0] for line in leaks(late, SECRET, SEALED)}
    assert {
        "table/enigmas.html",
        "table/characters/ida.html",
        "table/files/record.json",
    } <= leaking_files
    assert leaks(late, MISSPELT_SECRET) == []

    out.mkdir()
    early, _ = build(make_project(tmp_path / "through", table, through=1))
    assert leaks(early, *words) == []
    for form in FORMATS:
        file = str(out / f"through-{form}")
        assert main(["export", str(table), "--format", form, "--out", file, "--through", "1"]) == 0
    (table / "02.yaml").unlink()
    assert not run(load(table)).diagnostics
    never, _ = build(make_project(tmp_path / "never", table))
    assert leaks(never, *words) == []
    assert main(["export", str(table), "--all", str(out / "all")]) == 0
    assert main(["render", str(table), "--out", str(out / "pages")]) == 0
    capsys.readouterr()
    main(["state", str(table)])
    for text in ("e", "Quicksilver", "lamp", "Ida", "one"):
        main(["find", text, "--in", str(table)])
    for name in ("Ida", "troll", "Ana", "ford"):
        main(["show", name, "--in", str(table)])
    for line in range(1, lines + 1):
        main(["explain", f"{table / '01.yaml'}:{line}"])
    output = capsys.readouterr().out
    assert "an Enigma for Ida" in output
    (out / "said").write_text(output, encoding="utf-8")
    assert leaks(out, *words) == []


def words_of(value: Value) -> Iterator[str]:
    """Every long text inside an entry."""
    match value:
        case ScalarNode():
            yield from [str(value)] if len(value) > 20 else []
        case SequenceNode():
            for item in value:
                yield from words_of(item)
        case MappingNode():
            for item in value.values():
                yield from words_of(item)


@pytest.mark.slow
def test_what_the_play_examples_hide_at_any_evening_is_hidden(root: Path, tmp_path: Path) -> None:
    examples = sorted(p.parent for p in (root / "sessions").glob("*/campaign.yaml"))
    for folder in examples:
        for session in load(folder).sessions:
            record = run(load(folder), through=session.number)
            hidden = [step for step in record.steps if step.hidden]
            texts = [text for step in hidden for text in words_of(step.action.source)]
            if texts:
                name = f"{folder.name}-{session.number}"
                project = make_project(tmp_path / name, folder, through=session.number)
                assert leaks(build(project)[0], *texts) == [], name


def test_nothing_of_later_sessions_is_on_a_site_that_stops_earlier(
    root: Path, tmp_path: Path
) -> None:
    folder = root / "sessions" / "the-boathouse"
    project = make_project(tmp_path / "project", folder, through=1)
    site, _ = build(project)
    assert leaks(site, "Before the ferry", "Breakfast, one long table", "The ferry landing") == []
    assert not (site / "the-boathouse" / "sessions" / "2.html").exists()
