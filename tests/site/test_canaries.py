"""No canary that stands in a hidden place is in anything made for readers."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import for_readers, load, run
from chronicle.cli import main
from chronicle.export import FORMATS, exports
from chronicle.export.log import logs, texts_outside_logs
from chronicle.games import GAMES, rulebook
from chronicle.publish import make_site
from tests.needs import pango
from tests.sample import some
from tests.site import canaries
from tests.site.canaries import Cage, escaped, files_below
from tests.site.lent import lent
from tests.site.project import build, make_project


def exported(folder: Path) -> Iterator[tuple[str, bytes]]:
    """What readers may take away of a campaign, or open at the desk."""
    record = run(for_readers(load(folder)))
    for name, _, data in exports(record):
        yield name, data
    for name, text in texts_outside_logs(record):
        yield name, text.encode()


@pytest.mark.integration
@pytest.mark.parametrize("game", some(GAMES, 2))
def test_no_way_to_write_a_secret_lets_it_out(game: str, tmp_path: Path) -> None:
    cage, out, hidden = Cage(), list[str](), 0
    for number, (_, entry) in enumerate(canaries.entries(cage, rulebook(game))):
        folder = canaries.campaign(tmp_path / str(number), game, entry)
        out += escaped(cage, exported(folder))
        verbs = [step.action for step in run(load(folder)).steps if step.hidden]
        assert all(action.hides is not None for action in verbs), verbs
        hidden += len(verbs)
    assert len(cage.stood) > 100
    assert hidden > 20
    assert out == []


@pytest.mark.integration
@pytest.mark.slow
def test_no_canary_is_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lent(tmp_path / "lent", monkeypatch)
    cage, tables = Cage(), []
    for game in GAMES:
        every = canaries.entries(cage, rulebook(game))
        log = "".join(entry for _, entry in every if not entry.startswith("---"))
        tables.append(canaries.campaign(tmp_path / f"a-{game}", game, log))
        canaries.around(cage, tables[-1])
    site = tmp_path / "out"
    project = make_project(tmp_path / "project", *tables)
    main(["build", str(project), "--each", "--jobs", "1", "--out", str(site)])
    for table in tables:
        assert (site / table.name / "find.js").stat().st_size > 1000
    assert [*(site / "archive" / "words").iterdir()]
    assert escaped(cage, files_below(site)) == []


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.slow
def test_no_canary_is_on_a_site_or_in_what_is_handed_on(
    game: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lent(tmp_path / "lent", monkeypatch)
    cage, rules, out = Cage(), rulebook(game), tmp_path / "out"
    every = [entry for _, entry in canaries.entries(cage, rules) if not entry.startswith("---")]
    table = canaries.campaign(tmp_path / "table", game, "".join(every))
    canaries.around(cage, table)
    site, _ = build(make_project(tmp_path / "project", table))
    assert len(list(files_below(site))) > 60
    steps = (site / "table" / "sessions" / "1-steps.html").read_text("utf-8")
    assert steps.count('<article class="ch-step') > 20
    assert [*(site / "desk" / "campaigns").iterdir()]
    assert escaped(cage, files_below(site)) == []
    main(["export", str(table), "--all", str(out / "all")])
    for form in FORMATS:
        main(["export", str(table), "--format", form, "--out", str(out / f"record.{form}")])
    main(["render", str(table), "--out", str(out / "pages")])
    main(["book", str(table), "--out", str(out / "story.epub")])
    capsys.readouterr()
    # What somebody pastes elsewhere, or shows of several campaigns.
    for form in ("markdown", "html", "text", "bbcode"):
        main(["excerpt", f"{table / '01.yaml'}:1-99999", "--in", str(table), "--format", form])
    main(["corpus", str(table), "--format", "json"])
    pasted = capsys.readouterr().out
    assert len(pasted) > 2000
    (out / "pasted").write_text(pasted, encoding="utf-8")
    assert (out / "story.epub").is_file()
    assert len(list(files_below(out))) > 60
    assert escaped(cage, files_below(out)) == []


@pytest.mark.integration
@pytest.mark.parametrize("game", list(GAMES))
def test_no_canary_of_a_later_evening_is_in_anything_that_stops_earlier(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cage, out = Cage(), tmp_path / "out"
    table = canaries.campaign(tmp_path / "table", game, "- tell: The door shuts\n")
    canaries.later(cage, table)
    out.mkdir()
    for through in (1, None):
        site = make_site(table, through=through, reference=False, book_endings=(".epub",))
        files = [
            (file.path, f"{file.path} {file.meta} {file.html}".encode() + (file.contents or b""))
            for file in site.files()
        ]
        files += [(campaign.folder, str(campaign).encode()) for campaign in site.desk_campaigns()]
        paths = [path for path, _ in files]
        assert "table/files/table.epub" in paths
        assert "table/sessions/1-steps.html" in paths
        assert "table/rules-used" in paths
        assert ("table/changes/index" in paths) is (through is None)
        assert ("table/sessions/2-steps.html" in paths) is (through is None)
        got_out = escaped(cage, files)
        assert got_out == [] if through else len(got_out) > 20
    for form in FORMATS:
        main(["export", str(table), "--format", form, "--out", str(out / form), "--through", "1"])
    main(["export", str(table), "--all", str(out / "all"), "--through", "1"])
    capsys.readouterr()
    assert len(list(files_below(out))) > 8
    assert escaped(cage, files_below(out)) == []


@pytest.mark.integration
@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.slow
def test_no_canary_is_on_paper(game: str, tmp_path: Path) -> None:
    pango()
    cage, rules = Cage(), rulebook(game)
    every = [entry for _, entry in canaries.entries(cage, rules) if not entry.startswith("---")]
    table = canaries.campaign(tmp_path / "table", game, "".join(every))
    canaries.around(cage, table)
    canaries.later(cage, table)
    book = tmp_path / "book.pdf"

    def out(*words: str) -> list[str]:
        main(["book", str(table), "--annotated", "--replace", "--out", str(book), *words])
        return escaped(cage, [(book.name, book.read_bytes())])

    assert out("--through", "1") == []
    # Nothing but what the second evening tells is in the whole of it.
    leak_lines = out()
    assert len(leak_lines) > 5
    assert [line for line in leak_lines if ": later: " not in line] == []


def test_what_is_read_by_mistake_is_told_to_the_keeper(tmp_path: Path) -> None:
    messages: list[str] = []
    text = "- tell: |\n    A door shuts\n    secret: it was Petra\n- tell: Rain\n"
    table = canaries.campaign(tmp_path / "table", "positive", text)
    pages = make_site(table, reference=False, warn=messages.append).campaign_files
    assert any("Rain" in page.html for page in pages)
    (message,) = messages
    assert "01.yaml" in message and "left out" in message and "Petra" not in message


@pytest.mark.smoke
def test_a_canary_is_seen_in_every_disguise() -> None:
    cage = Cage()
    word = cage.canary("here")
    for data in (
        word.encode(),
        word.upper().encode(),
        f"art/{word.lower()}.svg".encode(),
        base64.b64encode(f"some text, {word} and more".encode()),
        base64.b64encode(f"two {word.lower()}, all of it".encode()),
    ):
        assert cage.found_in(data) == ["here"], data
    assert cage.found_in(b"Quagbeet00 lezz") == []


def test_a_name_much_like_a_verb_that_hides_is_no_secret(tmp_path: Path) -> None:
    """Teal is somebody, and no ``seal`` that somebody misspelt."""
    (tmp_path / "campaign.yaml").write_text(
        "game: slow-burn\ntitle: Teal\nhandler: Hal\nplayers: [Ann, Ben]\n"
    )
    log = tmp_path / "01.yaml"
    head = "session: 1\nlog:\n- spy: Teal\n  by: Ann\n  speciality: locks\n"
    log.write_text(
        f"{head}- contacts: {{Teal: {{Zora: forger}}}}\n- tell: |\n    secret: the forger lies\n"
    )
    shown = {name: text for name, _, text in logs(run(for_readers(load(tmp_path))))}["01.yaml"]
    assert "Zora" in shown, "a key that is a name"
    assert "lies" not in shown
