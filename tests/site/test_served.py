"""While a site is served only what changed is built, and what is served is what a build would give."""

from pathlib import Path

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from chronicle.plugin import ChroniclePlugin
from tests.site.project import fresh, make_project

BUILT = ("sitemap.xml.gz",)
"""What holds the time of the build."""


def started(project: Path, site: Path) -> tuple[ChroniclePlugin, MkDocsConfig]:
    """A site as it stands when serving begins."""
    fresh()
    config = load_config(str(project / "mkdocs.yml"), site_dir=str(site))
    config.plugins.on_startup(command="serve", dirty=False)
    mkdocs_build(config, serve_url="/")
    plugin = config.plugins["chronicle"]
    assert isinstance(plugin, ChroniclePlugin)
    return plugin, config


def files_of(site: Path) -> dict[str, bytes]:
    found = {file.relative_to(site).as_posix(): file for file in site.rglob("*") if file.is_file()}
    return {name: file.read_bytes() for name, file in found.items() if name not in BUILT}


def test_what_is_served_is_what_a_build_gives(root: Path, tmp_path: Path) -> None:
    names = ("the-boathouse", "the-dry-book")
    project = make_project(tmp_path / "p", *(root / "sessions" / name for name in names))
    plugin, config = started(project, tmp_path / "served")
    first = project / "sessions" / names[0] / "01.yaml"
    text = first.read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith("- tell: "))
    settings = project / "sessions" / names[1] / "campaign.yaml"
    changes = (
        (first, text.replace(line, f"{line} indeed")),
        (first, text),
        (settings, settings.read_text("utf-8").replace("title: ", "title: On ", 1)),
        (project / "sessions" / names[0] / "notes" / "a-word.md", "# A word\n\nOf ours.\n"),
    )
    for number, (file, changed) in enumerate(changes):
        file.parent.mkdir(exist_ok=True)
        file.write_text(changed, "utf-8")
        plugin.rebuild(config)
        served = files_of(tmp_path / "served")
        _, _ = started(project, tmp_path / f"built-{number}")
        built = files_of(tmp_path / f"built-{number}")
        assert served.keys() == built.keys()
        assert [name for name in built if built[name] != served[name]] == []
        fresh_plugin(config)
    (project / "sessions" / names[0] / "notes" / "a-word.md").unlink()
    plugin.rebuild(config)
    assert not list((tmp_path / "served").rglob("a-word.html"))


def fresh_plugin(config: MkDocsConfig) -> None:
    """Let MkDocs go on with the plugins of this configuration."""
    fresh()
    cache = vars(MkDocsConfig)["plugins"].plugin_cache
    cache.update(config.plugins)
