"""``chronicle new`` in a site that exists already: a campaign is added, and no project within the project."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from chronicle.cli import main
from chronicle.cli.project import add_plugin

LISTS = {
    "none": ("site_name: W\n", ["search", "chronicle"]),
    "on one line": (
        "plugins: [search, tags] # ours\nsite_name: W\n",
        ["search", "tags", "chronicle"],
    ),
    "empty": ("plugins: []\n", ["chronicle"]),
    "one a line": (
        "plugins:\n  - search\n  - blog:\n      blog_dir: news\n\n# The rest.\nsite_name: W\n",
        ["search", {"blog": {"blog_dir": "news"}}, "chronicle"],
    ),
    "not indented": ("plugins:\n- search\nsite_name: W\n", ["search", "chronicle"]),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_plug_in_is_added_and_nothing_else_changes(name: str) -> None:
    text, plugins = LISTS[name]
    added = add_plugin(text)
    assert added is not None
    settings_before, settings_after = yaml.safe_load(text), yaml.safe_load(added)
    assert settings_after["plugins"] == plugins
    assert {**settings_before, "plugins": plugins} == settings_after
    for line in text.splitlines():
        assert line in added or line.startswith("plugins: ["), line


@pytest.mark.parametrize(
    "text", ["INHERIT: base.yml\n", "plugins:\n  search: {}\n", "plugins: *all\n"]
)
def test_a_list_written_otherwise_is_left_alone(text: str) -> None:
    assert add_plugin(text) is None


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_campaign_is_added_to_a_site_that_exists(
    answer: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site = tmp_path / "wiki"
    (site / "docs").mkdir(parents=True)
    (site / "docs" / "index.md").write_text("# Home\n", encoding="utf-8")
    text = "site_name: W\nplugins:\n  - search\n"
    (site / "mkdocs.yml").write_text(text, encoding="utf-8")
    monkeypatch.setattr("chronicle.cli.new._can_ask", lambda: True)
    monkeypatch.setattr("chronicle.cli.new._ask_setup_questions", lambda name: None)
    monkeypatch.setattr("click.confirm", lambda *_, **__: answer == "yes")
    monkeypatch.chdir(site)
    assert main(["new", "our-table", "--game", "positive"]) == 0
    assert (site / "sessions" / "our-table" / "campaign.yaml").is_file()
    assert not (site / "our-table").exists()
    for file in ("README.md", ".gitignore", "requirements.txt", ".github", "docs/our-table"):
        assert not (site / file).exists(), file
    settings = (site / "mkdocs.yml").read_text(encoding="utf-8")
    output = capsys.readouterr().out
    if answer == "yes":
        assert settings == f"{text}  - chronicle\n"
    else:
        assert settings == text
        assert "- chronicle" in output
    assert main(["check", "."]) == 0


@pytest.mark.integration
def test_a_site_without_the_plug_in_is_built_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home\n", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text("site_name: W\n", encoding="utf-8")
    assert main(["build", str(tmp_path)]) == 0
    assert "add  - chronicle  under plugins:" in capsys.readouterr().err
    assert (tmp_path / "site" / "index.html").is_file()
