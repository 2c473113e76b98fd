"""The files around a fresh campaign: what makes a folder a project that publishes itself.

Plain texts with slots like ``{title}``, filled by :func:`files`; braces of their own are doubled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from textwrap import indent
from typing import Final

from chronicle.cli.installed import Requirement

_INLINE_PLUGIN_LIST: Final = re.compile(r"(plugins:\s*\[)([^\[\]{}]*)\](\s*(?:#.*)?)")
"""A list of plug-ins on one line."""
_PLUGINS_KEY: Final = re.compile(r"plugins:\s*(?:#.*)?")
"""The key above a list of plug-ins with one on each line."""

MKDOCS_TEMPLATE: Final = """\
# How the site is built. `chronicle build` writes it, `chronicle serve` shows it while you write.
site_name: {quoted}
site_description: The record of our game
docs_dir: docs                  # pages written by hand; index.md is the front page
site_dir: site                  # the built site; never edit anything there
use_directory_urls: false       # pages can then be opened from a disk, without a server
theme:
  name: material
plugins:
  - chronicle:
      sessions: sessions        # the folder with the campaigns
      look: site                # Chronicle's look for every page; `pages`: for those of campaigns alone
      # through: 3              # show the campaigns only up to this session
markdown_extensions:
  - admonition
  - attr_list
  - tables
  - toc:
      permalink: true
nav:
  - index.md
not_in_nav: |
  /*/
validation:
  nav:
    omitted_files: ignore
"""

INDEX_TEMPLATE: Final = """\
---
title: {quoted}
hide: [toc, navigation]
---

# {title}

This is the front page, and it is yours: write here who you are and what you play. Other Markdown
files in the folder `docs/`, such as `docs/house-rules.md`, become pages of the site, too.

<!-- The next line becomes the list of campaigns. -->

<!-- chronicle:campaigns -->

<!-- The next line becomes a button that leads to the desk, if the site has one. -->

<!-- chronicle:desk -->
"""

README_TEMPLATE: Final = """\
# {title}

The log of a game of {game}, checked and published with Chronicle.

| what | where |
|---|---|
| the log, one file for each session | `sessions/{slug}/01.yaml`, `02.yaml` ... |
| players, add-ons, house rules | `sessions/{slug}/campaign.yaml` |
| journal entries, written after play | `sessions/{slug}/journal/*.md` |
| pictures, each with a caption file | `sessions/{slug}/art/` |
| notes of the keeper | `sessions/{slug}/notes/*.md` |
| pages written by hand | `docs/` |

While you write:

    chronicle desk               write the log in the browser
    chronicle check --watch      check the log after every save
    chronicle state              show the state of play: whose turn it is, and what may come next
    chronicle serve              show the site at http://127.0.0.1:8000, built again after every save

If you do not know how to go on:

    chronicle explain verbs                            what can be written in this game
    chronicle explain {line:<33}what that line did, and what may come next
    chronicle explain {rule:<33}a rule, by the number a message names

In VS Code the extension Chronicle checks and completes while you type; other editors find their
settings in Chronicle's documentation (`In your editor`).

To publish, push this folder to GitHub and choose *Settings, Pages, Source: GitHub Actions*. The file
`.github/workflows/publish.yml` tells GitHub to check the log and to publish the site whenever you push.
`.gitlab-ci.yml` does the same on GitLab. `requirements.txt` lists what they install; its first line says
whether you have to add something. For any other web space, run `chronicle build` and copy the folder
`site/`.

The site leaves secrets out (`secret:`), but the log contains them. If others can read the log, write
secrets as seals (`chronicle seal`).
"""

GITIGNORE_TEMPLATE: Final = """\
# The built site, and what the tools keep for themselves.
/site/
/.venv/
/.chronicle-cache/
.chronicle-edit/
# Openings of seals are for their owners only.
*.opening
"""

GITHUB_WORKFLOW_TEMPLATE: Final = """\
# Checks the log on every push and in every pull request, and publishes the site from main.
# Switch it on under Settings, Pages, Source: GitHub Actions.
name: Publish
on:
  push:
    branches: [main]
  pull_request:
  workflow_dispatch:
permissions:
  contents: read
jobs:
  check:
    strategy:
      fail-fast: false
      matrix:
        share: [1]              # many campaigns: [1, 2, 3, 4] starts four checks at the same time
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install -r requirements.txt
      - run: chronicle check --format github --shard ${{{{ matrix.share }}}}/${{{{ strategy.job-total }}}}
  publish:
    needs: check
    if: github.event_name != 'pull_request'
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pages: write
      id-token: write
    concurrency:
      group: pages
      cancel-in-progress: true
    environment:
      name: github-pages
      url: ${{{{ steps.pages.outputs.page_url }}}}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install -r requirements.txt
      - run: chronicle build
      - uses: actions/upload-pages-artifact@v3
        with:
          path: site
      - id: pages
        uses: actions/deploy-pages@v4
"""

GITLAB_TEMPLATE: Final = """\
# Checks the log on every push, and publishes the site with GitLab Pages from the default branch.
image: python:3.12
before_script:
  - pip install -r requirements.txt
check:
  # parallel: 4                 # many campaigns: this starts four checks at the same time
  script:
    - chronicle check --shard "${{CI_NODE_INDEX:-1}}/${{CI_NODE_TOTAL:-1}}"
pages:
  needs: [check]
  script:
    - chronicle build
    - mv site public
  artifacts:
    paths:
      - public
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
"""

VSCODE_EXTENSIONS_TEMPLATE: Final = """\
{{
  "recommendations": ["chronicle.chronicle-tabletop"],
  "unwantedRecommendations": ["redhat.vscode-yaml"]
}}
"""

VSCODE_SETTINGS_TEMPLATE: Final = """\
// Chronicle's own extension checks and completes here. Another one for YAML would say it all twice,
// and its formatter rewrites what was typed: -0 becomes 0, and a die is lost.
{{
  "yaml.validate": false,
  "yaml.completion": false,
  "yaml.hover": false,
  "yaml.format.enable": false,
  "[yaml]": {{
    "editor.defaultFormatter": "chronicle.chronicle-tabletop",
    "editor.formatOnSave": false,
    "editor.wordWrap": "on",
    "editor.tabSize": 2
  }}
}}
"""


def new_project_files(
    *,
    site_title: str,
    game_title: str,
    campaign_slug: str,
    requirements: Iterable[Requirement],
    rule_id: str,
) -> dict[str, str]:
    """Every file of a project but the campaign's own, by relative name. ``requirements`` are the packages that its
    workflow installs; ``rule`` is the id of a rule of the game, as an example."""
    value_by_placeholder = {
        "line": f"sessions/{campaign_slug}/01.yaml:12  ",
        "title": site_title,
        "quoted": json.dumps(site_title, ensure_ascii=False),
        "game": game_title,
        "slug": campaign_slug,
        "rule": rule_id,
    }
    template_by_file_name = {
        "mkdocs.yml": MKDOCS_TEMPLATE,
        "docs/index.md": INDEX_TEMPLATE,
        "README.md": README_TEMPLATE,
        ".gitignore": GITIGNORE_TEMPLATE,
        ".github/workflows/publish.yml": GITHUB_WORKFLOW_TEMPLATE,
        ".gitlab-ci.yml": GITLAB_TEMPLATE,
        ".vscode/extensions.json": VSCODE_EXTENSIONS_TEMPLATE,
        ".vscode/settings.json": VSCODE_SETTINGS_TEMPLATE,
    }
    file_texts = {
        file_name: template_text.format_map(value_by_placeholder)
        for file_name, template_text in template_by_file_name.items()
    }
    requirement_texts = [
        f"{indent(requirement.reason, '# ')}\n{requirement.requirement_line}\n"
        for requirement in requirements
    ]
    return {**file_texts, "requirements.txt": "".join(requirement_texts)}


def add_plugin(settings_text: str) -> str | None:
    """Add Chronicle to the plug-ins of a ``mkdocs.yml``, and change nothing else.

    Returns:
        The text with the plug-in; None if this function cannot parse the list of plug-ins.
    """
    newline = "\r\n" if "\r\n" in settings_text else "\n"
    settings_lines = settings_text.splitlines()
    plugins_line_index = next(
        (
            index
            for index, settings_line in enumerate(settings_lines)
            if settings_line.startswith("plugins:")
        ),
        None,
    )
    if plugins_line_index is None:
        # Settings that inherit may have their plug-ins from there.
        if any(settings_line.startswith("INHERIT:") for settings_line in settings_lines):
            return None
        # Without a list, MkDocs has its search.
        settings_lines += ["plugins:", "  - search", "  - chronicle"]
        return newline.join(settings_lines) + newline
    inline_list = _INLINE_PLUGIN_LIST.fullmatch(settings_lines[plugins_line_index])
    if inline_list is not None:
        plugin_list = (
            f"{inline_list[2].strip()}, chronicle" if inline_list[2].strip() else "chronicle"
        )
        settings_lines[plugins_line_index] = f"{inline_list[1]}{plugin_list}]{inline_list[3]}"
        return newline.join(settings_lines) + newline
    if _PLUGINS_KEY.fullmatch(settings_lines[plugins_line_index]) is None:
        return None
    end_index = plugins_line_index + 1
    last_item_index = plugins_line_index
    while end_index < len(settings_lines) and (
        not settings_lines[end_index].strip() or settings_lines[end_index][0] in " -#"
    ):
        if settings_lines[end_index].strip() and not settings_lines[end_index].lstrip().startswith(
            "#"
        ):
            last_item_index = end_index
        end_index += 1
    first_item_line = next(
        (
            settings_line
            for settings_line in settings_lines[plugins_line_index + 1 : last_item_index + 1]
            if settings_line.lstrip().startswith("-")
        ),
        None,
    )
    if first_item_line is None:
        return None
    indentation = first_item_line[: len(first_item_line) - len(first_item_line.lstrip())]
    settings_lines.insert(last_item_index + 1, f"{indentation}- chronicle")
    return newline.join(settings_lines) + newline
