"""A site that is built again after a change is, to the byte, the one that is built from nothing; and only
pages that change are made again."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronicle.limited import LimitedProcess, Message
from chronicle.publish import BuildState, make_site
from chronicle.site.files import SiteFile
from chronicle.site.links import as_in_page, may_mention
from chronicle.site.page_builder import CachedPage, PageBuilder, PageSpec
from tests.conftest import SOAK
from tests.needs import module
from tests.test_workspace import EXAMPLES, copied, edited

EDITS = 3 if SOAK else 1
DOWNLOAD = re.compile(r"/files/|/downloads$")
OTHER_CAMPAIGN = "the-boathouse"
"""Another campaign of the same project, in another game than most."""


def files_of(project: Path, build_state: BuildState) -> list[SiteFile]:
    site = make_site(
        project,
        project=project,
        build_state=build_state,
        reference=False,
        book_endings=(".epub",),
        warn=lambda message: None,
    )
    return list(site.files())


def with_downloads(project: Path, build_state: BuildState) -> list[SiteFile]:
    """The files once somebody has asked for what waits until then."""
    build_state.is_download_wanted = True
    files = files_of(project, build_state)
    build_state.is_download_wanted = False
    return files


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that templates have drawn, one after the other."""
    pages: list[str] = []
    draw = PageBuilder._render_page

    def noted(self: PageBuilder, page_spec: PageSpec, template: str) -> tuple[CachedPage, bool]:
        pages.append(page_spec.page_path)
        return draw(self, page_spec, template)

    monkeypatch.setattr(PageBuilder, "_render_page", noted)
    return pages


def difference(rebuilt: list[SiteFile], cold: list[SiteFile]) -> list[str]:
    """The pages that are not what they were to be."""
    if [file.path for file in rebuilt] != [file.path for file in cold]:
        return ["other pages"]
    return [file.path for file, cold_file in zip(rebuilt, cold, strict=True) if file != cold_file]


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_built_again_is_built_anew_whatever_is_typed(folder: Path, tmp_path: Path) -> None:
    random = Random(f"again {folder.name}")
    texts = {
        name: text
        for name, text in copied(folder, tmp_path / "all").items()
        if "/" in name or name <= "02.yaml" or name == "campaign.yaml"
    }
    for name, text in texts.items():
        (tmp_path / folder.name / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / folder.name / name).write_text(text, "utf-8")
    copied(folder.parent / OTHER_CAMPAIGN, tmp_path / OTHER_CAMPAIGN)
    for left_over in sorted((tmp_path / "all").rglob("*"), reverse=True):
        left_over.rmdir() if left_over.is_dir() else left_over.unlink()
    build_state = BuildState(workspaces={})
    files_of(tmp_path, build_state)
    for _ in range(EDITS):
        name, text = edited(texts, random)
        texts[name] = text
        (tmp_path / folder.name / name).write_text(text, "utf-8")
        rebuilt, from_scratch = (
            files_of(tmp_path, build_state),
            files_of(tmp_path, BuildState(graphs=build_state.graphs)),
        )
        # What a reader may take away waits, and with it the page that says how much it is.
        waiting = set(difference(rebuilt, from_scratch))
        assert {address for address in waiting if not DOWNLOAD.search(address)} <= {
            f"{folder.name}/story"
        }, name
        assert not difference(with_downloads(tmp_path, build_state), from_scratch), name


def test_one_changed_word_makes_few_pages_again(
    root: Path, tmp_path: Path, drawn: list[str]
) -> None:
    texts = copied(root / "sessions" / OTHER_CAMPAIGN, tmp_path / OTHER_CAMPAIGN)
    build_state = BuildState(workspaces={})
    files_before = files_of(tmp_path, build_state)
    pages = [file for file in files_before if file.html or file.path.endswith(".html")]
    assert len(drawn) == len(pages)
    drawn.clear()
    line = next(line for line in texts["01.yaml"].splitlines() if line.startswith("- tell: "))
    changed = texts["01.yaml"].replace(line, f"{line} indeed")
    (tmp_path / OTHER_CAMPAIGN / "01.yaml").write_text(changed, "utf-8")
    files_after = files_of(tmp_path, build_state)
    differing = [
        file.path
        for file, changed_file in zip(files_before, files_after, strict=True)
        if file.html != changed_file.html
    ]
    assert differing
    assert len(drawn) <= len(differing) + 1  # downloads may say the same figures


def test_an_address_that_moves_is_another_wherever_it_stands(root: Path, tmp_path: Path) -> None:
    texts = copied(root / "sessions" / OTHER_CAMPAIGN, tmp_path / OTHER_CAMPAIGN)
    build_state = BuildState(workspaces={})
    files_of(tmp_path, build_state)
    text = texts["01.yaml"]
    line = next(line for line in text.splitlines() if line.startswith("- call: "))
    for oath in ("Zounds", "Gadzooks"):
        # Its address is made of its first words; where only a number leads there, nothing else is another.
        changed = text.replace(line, line.replace("- call: ", f"- call: {oath}, "))
        (tmp_path / OTHER_CAMPAIGN / "01.yaml").write_text(changed, "utf-8")
        from_scratch = files_of(tmp_path, BuildState())
        rules = next(file for file in from_scratch if file.path == f"{OTHER_CAMPAIGN}/rules-used")
        assert f"#s1-call-{oath.casefold()}" in rules.html
        assert not difference(with_downloads(tmp_path, build_state), from_scratch), line


def test_a_story_that_begins_an_evening_earlier_has_other_addresses(tmp_path: Path) -> None:
    game = "game: positive\ntitle: T\nplayers: [Ana, Bo, Cleo]\n"
    cast = "- cast: {Ana: Ruth, Bo: Tomas, Cleo: Iben}\n"
    begun = f"session: 1\nlog:\n{cast}- scene: The porch\n"
    story_log = "session: 2\nlog:\n- scene: The jetty\n- tell: Ruth looks at the lake and says nothing of it.\n"
    (tmp_path / "c").mkdir()
    for name, text in (("campaign", game), ("01", begun), ("02", story_log)):
        (tmp_path / "c" / f"{name}.yaml").write_text(text, "utf-8")
    build_state = BuildState(workspaces={})
    first = {file.path for file in files_of(tmp_path, build_state)}
    (tmp_path / "c" / "01.yaml").write_text(f"{begun}  text: Ruth is cold.\n", "utf-8")
    rebuilt = with_downloads(tmp_path, build_state)
    assert {file.path for file in rebuilt} - first == {"c/story/2", "c/story/all"}
    assert not difference(rebuilt, files_of(tmp_path, BuildState()))


def test_nothing_is_made_again_where_nothing_changed(
    root: Path, tmp_path: Path, drawn: list[str]
) -> None:
    texts = copied(root / "sessions" / OTHER_CAMPAIGN, tmp_path / OTHER_CAMPAIGN)
    build_state = BuildState(workspaces={})
    files_of(tmp_path, build_state)
    (tmp_path / OTHER_CAMPAIGN / "01.yaml").write_text(texts["01.yaml"] + "\n# a remark\n", "utf-8")
    drawn.clear()
    files_of(tmp_path, build_state)
    assert not drawn


def test_the_picture_for_links_is_drawn_again_only_if_it_shows_something_else(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module("PIL")
    module("resvg_py")
    texts = copied(root / "sessions" / OTHER_CAMPAIGN, tmp_path / OTHER_CAMPAIGN)
    tasks: list[str] = []
    ask = LimitedProcess.ask

    def noted(self: LimitedProcess, task: str, *args: Any) -> Message:
        tasks.append(task)
        return ask(self, task, *args)

    monkeypatch.setattr(LimitedProcess, "ask", noted)
    build_state = BuildState(workspaces={})
    for name, text, drawn in (
        ("01.yaml", texts["01.yaml"], True),
        ("01.yaml", texts["01.yaml"].replace("- tell: ", "- tell: Then ", 1), False),
        ("campaign.yaml", texts["campaign.yaml"].replace("title: ", "title: On ", 1), True),
    ):
        (tmp_path / OTHER_CAMPAIGN / name).write_text(text, "utf-8")
        tasks.clear()
        site = make_site(
            tmp_path, build_state=build_state, reference=False, site_url="https://a.example/"
        )
        assert [file for file in site.files() if file.path.endswith("share.png")]
        assert ("share" in tasks) is drawn, name


@pytest.mark.integration
def test_a_new_name_makes_again_whatever_mentions_it(root: Path, tmp_path: Path) -> None:
    folder = root / "sessions" / "the-lantern-coast"
    copied(folder, tmp_path / folder.name)
    build_state = BuildState(workspaces={})
    files_of(tmp_path, build_state)
    settings = tmp_path / folder.name / "campaign.yaml"
    settings.write_text(
        settings.read_text("utf-8").replace("players: [", "players: [Ōe, ", 1), "utf-8"
    )
    files_of(tmp_path, build_state)
    rebuilt = with_downloads(tmp_path, build_state)
    assert not difference(rebuilt, files_of(tmp_path, BuildState(graphs=build_state.graphs)))


@pytest.mark.parametrize(
    ("html", "name", "found"),
    [
        ("<p>the Old <a href='m'>Mill</a> Bridge</p>", "Old Mill Bridge", True),
        ("<p>O’Hara left</p>", "O'Hara", True),
        ("<p>Salt &amp; Co</p>", "Salt & Co", True),
        ("<p>the old mill</p>", "Old Mill", False),
        ('<p title="Mill">nothing</p>', "Mill", False),
    ],
)
def test_a_page_that_mentions_a_name_is_found(html: str, name: str, found: bool) -> None:
    assert may_mention(html, [as_in_page(name)]) is found
