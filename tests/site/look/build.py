"""Builds the living style guide: every macro and chart on two pages, as MkDocs would show them.

Run `python -m tests.site.look.build FOLDER` to look at it with your own eyes.
"""

import sys
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import Files

from chronicle.adapters.theme import asset_files, dress_site
from chronicle.core.figures import times_in_words
from chronicle.site.draw import join_names, message_markup
from chronicle.site.links import slugify
from chronicle.site.prose import typeset

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
PAGES = ("guide", "sheet")
WALL = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" '
    'fill="#d8cdb6"/><path d="M0 2h4v1H0z" fill="#6b8c93"/><path d="M.5 1h3v1.2h-3z" '
    'fill="#7d7466"/></svg>\n'
)


def bold(text: str) -> Markup:
    return Markup("<b>{}</b>").format(text)


def environment() -> Environment:
    """The templates as pages are rendered: escaping on, a missing name is an error."""
    loader = FileSystemLoader([str(ROOT / "templates"), str(FOLDER)])
    env = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    env.filters.update(
        bold=bold, listed=join_names, slug=slugify, times=times_in_words, typeset=typeset
    )
    env.globals["word"] = message_markup
    return env


class NoSettings(Config):  # type: ignore[no-untyped-call]
    pass


class Look(BasePlugin[NoSettings]):  # type: ignore[no-untyped-call]
    """What Chronicle's plugin does for the look, and nothing else."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        dress_site(config, print)
        return config

    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        env.globals["word"] = message_markup
        return env

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        for file in asset_files(config, guest=False):
            files.append(file)
        return files


def build_guide(folder: Path, values: dict[str, Any]) -> Path:
    """Write the guide's sources into `folder`, build them with MkDocs, return the built site."""
    docs = folder / "docs"
    (docs / "guide").mkdir(parents=True, exist_ok=True)
    env = environment()
    for name in PAGES:
        page = env.get_template(f"{name}.md.j2").render(values)
        (docs / "guide" / f"{name}.md").write_text(page, encoding="utf-8")
    campaign = "campaign:\n  title: The Salt Orchard\n  home: guide/index.md\n"
    front = f"---\ntitle: State of play\n{campaign}---\n\n# State of play\n\nMira is to frame.\n"
    (docs / "guide" / "index.md").write_text(front, encoding="utf-8")
    (docs / "guide" / "wall.svg").write_text(WALL, encoding="utf-8")
    (docs / "index.md").write_text((FOLDER / "plain.md").read_text(encoding="utf-8"), "utf-8")
    (docs / "reference").mkdir(exist_ok=True)
    reference = "# Reference\n\n## Verbs\n\nWords of the log.\n\n## Dice\n\nAs they fell.\n"
    (docs / "reference" / "index.md").write_text(reference, encoding="utf-8")
    settings = folder / "mkdocs.yml"
    settings.write_text("site_name: Chronicle\n", encoding="utf-8")
    config = load_config(
        config_file=str(settings),
        docs_dir=str(docs),
        site_dir=str(folder / "site"),
        use_directory_urls=False,
        theme={"name": "material"},
        plugins=["search"],
        markdown_extensions=[
            "admonition",
            "attr_list",
            "tables",
            {"toc": {"permalink": True}},
            {"pymdownx.tabbed": {"alternate_style": True}},
        ],
        nav=[{"Home": "index.md"}, {"Reference": ["reference/index.md"]}],
        not_in_nav="guide/*",
    )
    plugin = Look()
    plugin.load_config({})
    config.plugins["look"] = plugin
    build(config)
    return folder / "site"


def main() -> None:
    from tests.site.look.samples import charts

    print(build_guide(Path(sys.argv[1]), charts()))


if __name__ == "__main__":
    main()
