"""The settings of the MkDocs plugin."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mkdocs.config import config_options as c
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError

from chronicle.site.binding.forms import BOOK_FORMATS
from chronicle.site.binding.manuscript import NoBook

SESSIONS = "sessions"
"""Where campaigns lie, unless a project says otherwise."""


class ChronicleConfig(Config):  # type: ignore[no-untyped-call]
    """The plugin's settings in ``mkdocs.yml``."""

    sessions = c.Type(str, default=SESSIONS)
    """The folder with the campaigns, relative to ``mkdocs.yml``."""
    look = c.Choice(("pages", "site"), default="pages")
    """Whether Chronicle's look is for the pages of campaigns alone or for the whole site."""
    through = c.Optional(c.Type(int))
    """Show every campaign only up to this session."""
    begin = c.Type(str, default="")
    """The folder of the campaign that readers are to begin with; by default, a finished one."""
    reference = c.Choice((True, False, "all"), default=True)
    """Whether the rules of the games that are played are pages of the site, or those of all games."""
    book = c.ListOfItems(c.Choice(tuple(kind[1:] for kind in BOOK_FORMATS)), default=["epub"])
    """The kinds of book that readers may take each story along as."""
    desk = c.Optional(c.Type(bool))
    """Whether the site has a desk; by default, where Python for browsers is installed."""


def require_binders(kinds: Iterable[str]) -> None:
    """Hold that every kind of book can be bound here.

    Raises:
        PluginError: when the program that binds one is missing.
    """
    try:
        for kind in kinds:
            BOOK_FORMATS[f".{kind}"].check_ready()
    except NoBook as error:
        raise PluginError(f"chronicle: {'; '.join((str(error), *error.help))}") from None


def project_of(config: MkDocsConfig) -> Path:
    """The folder of a project."""
    return Path(config.config_file_path or "mkdocs.yml").parent
