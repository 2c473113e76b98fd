"""Campaigns on one site: none takes another's address, none stops the others."""

import os
from pathlib import Path

import pytest

from chronicle.cli import main
from chronicle.publish import make_site
from chronicle.site.links import campaign_addresses
from tests.site.lent import lent
from tests.site.project import build, make_project

pytestmark = pytest.mark.integration

LOG = "session: 1\nlog:\n- cast: {Ana: Nim, Bo: Wim, Cy: Rue}\n"


def campaign(folder: Path, title: str) -> Path:
    folder.mkdir(parents=True)
    settings = f"game: positive\ntitle: {title}\nplayers: [Ana, Bo, Cy, Dee]\n"
    (folder / "campaign.yaml").write_text(settings, encoding="utf-8")
    (folder / "01.yaml").write_text(LOG, encoding="utf-8")
    return folder


def test_whoever_is_called_like_an_address_has_it() -> None:
    names = [
        "A Lamp",
        "a-lamp",
        "A_LAMP",
        "deep/a-lamp",
        "a-lamp-2",
        "rules",
        "Rules",
        "ASSETS",
        "Ёлка",
    ]
    addresses = campaign_addresses([Path("/s", name) for name in names], ["Tutorial"])
    address_of = {str(folder.relative_to("/s")): at for folder, at in addresses.items()}
    assert address_of["a-lamp"] == "a-lamp"
    assert address_of["a-lamp-2"] == "a-lamp-2"
    assert len({at.casefold() for at in address_of.values()}) == len(names)
    assert not {"rules", "assets", "tutorial"} & set(address_of.values())


@pytest.mark.parametrize("folders", [False, True])
def test_no_campaign_takes_the_address_of_another_or_of_a_page(
    tmp_path: Path, folders: bool
) -> None:
    project = make_project(tmp_path / "p", campaign(tmp_path / "a-lamp", "Honest"))
    names = ["A Lamp", "rules", "HOUSE", "search", "404", "tables"]
    for name in names:
        campaign(project / "sessions" / name, f"Not honest: {name}".replace(":", ""))
    (project / "docs" / "house.md").write_text("# House rules of ours\n", encoding="utf-8")
    (project / "docs" / "tables").mkdir()
    (project / "docs" / "tables" / "index.md").write_text("# Tables of ours\n", encoding="utf-8")
    site, messages = build(project, folders=folders)
    for page, words in {
        "a-lamp/index.html": "Honest",
        "rules/index.html": "The games by number",
        "house/index.html" if folders else "house.html": "House rules of ours",
        "tables/index.html": "Tables of ours",
    }.items():
        text = (site / page).read_text(encoding="utf-8")
        assert words in text, page
        assert "Not honest" not in text.partition("<h1")[2].partition("</h1>")[0], page
    address_lines = [line for line in messages if "its pages are at" in line]
    assert len(address_lines) == len(names)
    assert any("sessions/A Lamp: its pages are at 'a-lamp-2/'" in line for line in address_lines)
    files = [file.relative_to(site).as_posix().casefold() for file in site.rglob("*.html")]
    assert len(set(files)) == len(files)


@pytest.mark.parametrize("folders", [False, True])
@pytest.mark.parametrize("look", ["pages", "site"])
def test_a_page_of_the_owner_stays_at_the_address_of_one_of_ours(
    tmp_path: Path, look: str, folders: bool
) -> None:
    project = make_project(tmp_path / "p", campaign(tmp_path / "a-lamp", "Honest"), look=look)
    docs = project / "docs"
    (docs / "rules").mkdir()
    (docs / "rules.md").write_text("# House rules of ours\n", encoding="utf-8")
    (docs / "rules" / "positive.md").write_text("# How we read it\n", encoding="utf-8")
    site, messages = build(project, folders=folders)
    own_pages = {
        "docs/rules/positive.md": ("rules/positive", "How we read it"),
        **({"docs/rules.md": ("rules", "House rules of ours")} if folders else {}),
    }
    for own_file, (page, words) in own_pages.items():
        file = site / page / "index.html" if folders else site / f"{page}.html"
        assert words in file.read_text(encoding="utf-8"), page
        assert any(f"{own_file} has the address" in line for line in messages), messages
    assert sum("has the address" in line for line in messages) == len(own_pages)


def test_a_log_among_the_pages_is_not_published(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p", campaign(tmp_path / "a-lamp", "Honest"))
    docs = project / "docs"
    hidden = "- secret: The lamp was never lit\n  id: lamp\n"
    stray = campaign(docs / "strayed", "Strayed") / "01.yaml"
    stray.write_text(LOG + hidden, encoding="utf-8")
    (docs / "02.yaml").write_text(LOG + hidden, encoding="utf-8")
    (docs / "data.yaml").write_text("oil: 3\n", encoding="utf-8")
    site, messages = build(project)
    assert (site / "data.yaml").is_file()
    assert not (site / "strayed").exists() and not (site / "02.yaml").exists()
    assert [line for line in messages if "among the pages" in line] == [
        f"chronicle: docs/{name} is a {kind} among the pages of the site; it is left out, since readers could open it "
        "with all its secrets: move it to sessions/"
        for name, kind in (("02.yaml", "session"), ("strayed", "campaign"))
    ]


def test_campaigns_may_be_kept_among_the_pages(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p", sessions="docs/tables")
    log = campaign(project / "docs" / "tables" / "a-lamp", "Honest") / "01.yaml"
    log.write_text(f"{LOG}- secret: The lamp was never lit\n  id: lamp\n", encoding="utf-8")
    site, messages = build(project)
    assert (site / "a-lamp" / "index.html").is_file()
    assert not [
        file for file in site.rglob("*") if file.is_file() and b"never lit" in file.read_bytes()
    ]
    assert not [line for line in messages if "among the pages" in line]


def test_nothing_else_in_a_campaign_folder_is_published(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "a-lamp", "Honest")
    mark = "Nobody is to read this."
    for name in (
        *("letter.txt", "page.html", "script.js", ".env", "mkdocs.yml", "02.yml", "archive.zip"),
        *(
            "art/page.html",
            "art/letter.txt",
            "journal/page.html",
            "notes/letter.txt",
            "files/01.yaml",
        ),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"# {mark}\n", encoding="utf-8")
    site, _ = build(make_project(tmp_path / "p", folder))
    assert (site / "a-lamp" / "index.html").is_file()
    published = [file for file in site.rglob("*") if file.is_file()]
    assert [file for file in published if mark.encode() in file.read_bytes()] == []
    assert not (site / "a-lamp" / "page.html").exists()


@pytest.fixture
def broken_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours that one campaign alone brings about."""
    from chronicle.campaigns import open_view as made

    def failing(campaign: object, **kwargs: object) -> object:
        if getattr(campaign, "title", "") == "Bad":
            raise KeyError("nobody-may-read-this")
        return made(campaign, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr("chronicle.publish.open_view", failing)


@pytest.mark.usefixtures("broken_view")
def test_a_fault_inside_one_campaign_is_its_finding_and_its_page(tmp_path: Path) -> None:
    project = make_project(
        tmp_path / "p", campaign(tmp_path / "good", "Good"), campaign(tmp_path / "bad", "Bad")
    )
    (project / "sessions" / "lost").mkdir()
    (project / "sessions" / "lost" / "campaign.yaml").write_text("game: no-such-game\n")
    site, messages = build(project)
    assert (site / "good" / "sessions" / "1.html").is_file()
    for name in ("bad", "lost"):
        page = (site / name / "index.html").read_text(encoding="utf-8")
        assert "This campaign cannot be shown." in page
        assert "nobody-may-read-this" not in page
    home = (site / "index.html").read_text(encoding="utf-8")
    assert 'href="bad/index.html"' in home and 'href="good/index.html"' in home
    (fault,) = [line for line in messages if "fault in Chronicle" in line]
    assert "sessions/bad/campaign.yaml" in fault and "KeyError" in fault and " at " in fault


def test_a_campaign_without_an_evening_is_shown_as_one(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p", campaign(tmp_path / "good", "Good"))
    (campaign(project / "sessions" / "new", "New") / "01.yaml").unlink()
    site, messages = build(project)
    assert (site / "good" / "sessions" / "1.html").is_file()
    assert "New" in (site / "new" / "index.html").read_text(encoding="utf-8")
    assert not [line for line in messages if "fault" in line]


def test_a_fault_in_what_the_desk_begins_with_stops_no_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> bytes:
        raise KeyError("nobody-may-read-this")

    lent(tmp_path / "lent", monkeypatch)
    monkeypatch.setattr("chronicle.services.device.FirstAnswers.of", failing)
    project = make_project(tmp_path / "p", campaign(tmp_path / "good", "Good"))
    site, messages = build(project)
    assert (site / "good" / "sessions" / "1.html").is_file()
    assert len([line for line in messages if "fault in Chronicle" in line]) == 1
    begun = [*(site / "desk" / "campaigns").glob("*.first.json")]
    assert [file.read_text(encoding="utf-8") for file in begun] == ["{}"]


def test_a_fault_inside_one_campaign_stops_no_check_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import chronicle.campaigns

    original_run = chronicle.campaigns.run

    def failing(campaign_or_folder: object, **kwargs: object) -> object:
        if getattr(campaign_or_folder, "title", "") == "Bad":
            raise RecursionError("too deep")
        return original_run(campaign_or_folder, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(chronicle.campaigns, "run", failing)
    campaign(tmp_path / "s" / "bad", "Bad")
    good_folder = campaign(tmp_path / "s" / "good", "Good")
    (good_folder / "01.yaml").write_text(LOG + "- hots: Ana\n")
    assert main(["check", str(tmp_path / "s")]) == 1
    output = capsys.readouterr().out
    assert "T49" in output and "RecursionError" in output
    assert "'hots'" in output


@pytest.mark.parametrize(
    ("template", "text", "line", "why"),
    [
        ("pages/overview.html", "a\n{% for %}\n", 2, "expected token|Expected|unexpected"),
        ("pages/overview.html", "a\nb\n{{ nobody.knows }}\n", 3, "nobody"),
        pytest.param("pages/state.html", "", 0, "", marks=pytest.mark.slow),
        pytest.param(
            "pages/page.html", "{{ 1 / 0 }}", 1, "division by zero", marks=pytest.mark.slow
        ),
        pytest.param(
            "pages/page.html",
            "{% include 'pages/nowhere.html' %}",
            1,
            "nowhere",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_a_template_of_the_project_does_wrong_is_told_as_the_templates(
    template: str, text: str, line: int, why: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    project = make_project(tmp_path / "p", campaign(tmp_path / "ours", "Ours"))
    file = project / "templates" / template
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    build, render = ["build", str(project)], ["render", str(project), "--out", str(tmp_path / "o")]
    for words in (build, [*build, "--strict"], render):
        code = main(words)
        errors = capfd.readouterr().err
        assert (code != 0) == (bool(line) and "--strict" in words), errors
        if not line:
            continue
        assert errors.count(f"templates/{template}:{line}: ") == 1, errors
        assert any(reason in errors for reason in why.split("|")), errors
        assert "fault in Chronicle" not in errors
    page = (tmp_path / "o/docs/ours/state.md").read_text(encoding="utf-8")
    assert ("This page cannot be shown" in page) == (template == "pages/page.html")
    assert "Ours" in (tmp_path / "o/docs/ours/cast/index.md").read_text(encoding="utf-8")
    assert not os.environ.get("CHRONICLE_DEBUG")


def test_a_site_of_nothing_but_a_bad_campaign_is_made(tmp_path: Path) -> None:
    (tmp_path / "lost").mkdir()
    (tmp_path / "lost" / "campaign.yaml").write_text("game: no-such-game\n")
    site = make_site(tmp_path, reference=False)
    assert [file.path for file in site.files()] == ["lost/index"]
