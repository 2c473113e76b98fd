"""The navigation of a site on pages that it does not list."""

import re
from pathlib import Path

from tests.site.project import build, make_project


def test_the_format_of_a_game_opens_the_navigation_where_it_belongs(tmp_path: Path) -> None:
    """A reader of a page that is not listed sees what it belongs to; the next page has no such mark left."""
    project = make_project(tmp_path, reference="all")
    settings = project / "mkdocs.yml"
    listed = settings.read_text("utf-8").replace(
        'nav: ["index.md"]', 'nav: ["index.md", {"Reference": ["format.md"]}]'
    )
    settings.write_text(listed, "utf-8")
    site, _ = build(project)
    for page, is_open in (("format/positive", True), ("format", True), ("index", False)):
        html = (site / f"{page}.html").read_text("utf-8")
        tabs = re.findall(r'<li class="md-nav__item md-nav__item--active[^"]*--nested', html)
        assert bool(tabs) is is_open, page
