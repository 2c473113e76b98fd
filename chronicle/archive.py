"""Many campaigns under one front door: each is built by itself, at the same addresses and with the same look
as a site of a few, and what all share stands there once.

A campaign that has not changed is not touched: neither its files, nor the rules of its game, the templates,
the settings of the site or the version of Chronicle. What is known of it for that lies in
``.chronicle-cache`` of the project and may be deleted; it is no part of the site, since a hash of what is
hidden would let readers try what they guess.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from markupsafe import escape
from mkdocs.commands.build import build as build_site
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, MkDocsException
from mkdocs.structure.files import get_files

from chronicle import __version__
from chronicle.campaigns import fault_in, find_campaigns
from chronicle.core.files import content
from chronicle.core.output import MARKER, fill, filling, fresh_or_ours, listed
from chronicle.core.refused import Refused
from chronicle.plugin import ChroniclePlugin, Quiet, settings_of, taken
from chronicle.publish import Others, fingerprint, keep_off, made_with
from chronicle.site.cards import Card, found_by
from chronicle.site.links import campaign_addresses
from chronicle.site.search import entries_of

CARD: Final = "card.json"
"""What a campaign's pages leave for the front door, beside them."""
WORDS: Final = "words.json"
"""What its pages are found by: entries of the search index."""
MOST_WORDS: Final = 16 * 1024 * 1024
"""How large these may be together for the front door to have them all: readers load its index whole. Where they
are more, it finds campaigns by their titles, players and summaries."""
CACHE: Final = ".chronicle-cache"


class NoArchive(Refused):
    """There is nothing that an archive could be made of."""


class Built(NamedTuple):
    """What became of a campaign."""

    at: str
    fresh: bool
    """Whether it was built now, and not as it is to be already."""
    whole: bool
    """Whether it can be shown."""
    said: tuple[str, ...]
    """What has to be told of it."""


@dataclass(frozen=True)
class Archive:
    """What an archive is made of; as small as what a process is told that builds a part of it."""

    file: Path
    """``mkdocs.yml``."""
    out: Path
    through: int | None
    at: dict[Path, str]
    """Where on the site each campaign lies."""
    made_with: str
    """What all their pages depend on."""

    @property
    def campaigns(self) -> list[Path]:
        """Their folders, in order."""
        return sorted(self.at)

    def begin(self) -> None:
        """See that there is a folder of ours to build into."""
        fresh_or_ours(self.out)
        if not listed(self.out):
            said = "<!doctype html><title>In the making</title><p>This archive is being built."
            fill(self.out, {"index.html": said.encode()})

    def build(self, folder: Path) -> Built:
        """Build one campaign, if it is not as it is to be already. Whatever is wrong with it is told, and
        stops no other."""
        at = self.at[folder]
        try:
            digest = fingerprint(folder, self.made_with, at)
            if self._known(at) == digest and self._stands(at):
                return Built(at, False, True, ())
            with heard() as said:
                card = self._pages(folder, at)
            if not said:
                self._know(at, digest)
        except (Abort, MkDocsException, Refused, OSError) as error:
            return Built(at, True, False, (f"error: {folder.name}: {error}",))
        except Exception as error:
            one = fault_in(folder, error)
            told = f"error: {one.place}: {one.message}; {'; '.join(one.help)}"
            return Built(at, True, False, (told,))
        return Built(at, True, card is not None, tuple(said))

    def _pages(self, folder: Path, at: str) -> Card | None:
        with TemporaryDirectory() as scratch:
            config = load_config(str(self.file), site_dir=scratch)
            plugin = plugin_of(config)
            plugin.through = self.through
            plugin.take(folder)
            config.plugins.on_startup(command="build", dirty=True)
            with Quiet():
                build_site(config, dirty=True)
            card = plugin.card
            words = entries_of(Path(scratch), f"{at}/")
            made = {"name": folder.resolve().name, "card": card and card.data()}
            with filling(self.out / at) as (staged, _):
                shutil.copytree(Path(scratch, at), staged, dirs_exist_ok=True)
                for name, data in ((CARD, made), (WORDS, words)):
                    (staged / name).write_text(json.dumps(data), encoding="utf-8", newline="\n")
        return card

    # -- the front door ----------------------------------------------------------------------------

    def others(self) -> Others:
        """What the front door shows: all campaigns that have pages."""
        cards: list[Card] = []
        fallen: dict[str, str] = {}
        for folder in self.campaigns:
            at = self.at[folder]
            try:
                made = json.loads(content(self.out / at / CARD) or b"{}")
                if made["card"] is None:
                    fallen[at] = str(made["name"])
                else:
                    cards.append(Card.of_data(made["card"]))
            except (KeyError, TypeError, ValueError, OSError):
                self._fallen(folder, at)
                fallen[at] = folder.resolve().name
        return Others(cards, fallen, tuple(self.words(cards)))

    def words(self, cards: Sequence[Card]) -> Iterator[dict[str, Any]]:
        """What is found from the front door: entries of its search index."""
        files = [self.out / self.at[folder] / WORDS for folder in self.campaigns]
        if sum(file.stat().st_size for file in files if file.is_file()) > MOST_WORDS:
            yield from map(found_by, cards)
            return
        for file in files:
            with contextlib.suppress(OSError, ValueError):
                yield from json.loads(content(file) or b"[]")

    def _fallen(self, folder: Path, at: str) -> None:
        """A page for a campaign of which there is none yet, and none can be made."""
        name = escape(folder.resolve().name)
        said = (
            f"<!doctype html><title>{name}</title><h1>{name}</h1><p>This campaign cannot be shown."
        )
        with contextlib.suppress(Refused, OSError):
            fill(self.out / at, {"index.html": said.encode()})

    def clear(self) -> list[Path]:
        """Take away the pages of campaigns that are no more; which these were."""
        gone = []
        for card in sorted(self.out.glob(f"*/{CARD}")):
            folder = card.parent
            if folder.name not in self.at.values() and (folder / MARKER).is_file():
                fill(folder, {})
                (folder / MARKER).unlink()
                with contextlib.suppress(OSError):
                    folder.rmdir()
                gone.append(folder)
        return gone

    # -- what is known of what was built ------------------------------------------------------------

    def _note(self, at: str) -> Path:
        place = hashlib.sha256(str(self.out.resolve()).encode()).hexdigest()[:12]
        return self.file.parent / CACHE / "archive" / place / at

    def _known(self, at: str) -> str:
        try:
            return (content(self._note(at)) or b"").decode("utf-8", "replace")
        except OSError:
            return ""

    def _know(self, at: str, digest: str) -> None:
        note = self._note(at)
        with contextlib.suppress(OSError):
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_bytes(digest.encode())

    def _stands(self, at: str) -> bool:
        """Whether all files of a campaign are there."""
        names = listed(self.out / at)
        return CARD in names and all(os.path.lexists(self.out / at / name) for name in names)


def archive(file: Path, out: Path | None, through: int | None) -> Archive:
    """What the archive of a project is made of.

    Args:
        file: its ``mkdocs.yml``.
        out: where to; by default, where that says.
        through: show campaigns only up to this session.

    Raises:
        NoArchive: when the project has no campaigns.
        OutputRefused: when it would go among the files it is made of.
    """
    config = load_config(str(file))
    plugin = plugin_of(config)
    project = file.parent
    sessions = project / plugin.config.sessions
    found = find_campaigns(sessions) if sessions.is_dir() else []
    if not found:
        raise NoArchive(f"there is no campaign in '{sessions}'")
    made = Path(os.path.relpath(config.site_dir)) if out is None else out
    keep_off(made, project, emptied=False)
    config = config.plugins.on_config(config)
    files = get_files(config)
    files.add_files_from_theme(config.theme.get_env(), config)
    at = campaign_addresses(found, taken(files))
    through = plugin.config.through if through is None else through
    folders = config.use_directory_urls
    depends = made_with(project, folders, through, plugin.config.reference, __version__)
    return Archive(file, made, through, at, f"{depends}{settings_of(config)}")


def plugin_of(config: MkDocsConfig) -> ChroniclePlugin:
    """Chronicle's plugin in a project.

    Raises:
        NoArchive: when it is not used there.
    """
    plugin: Any = config.plugins.get("chronicle")
    if not isinstance(plugin, ChroniclePlugin):
        raise NoArchive("this site has no campaigns: its mkdocs.yml names no plugin 'chronicle'")
    return plugin


@contextlib.contextmanager
def heard() -> Iterator[list[str]]:
    """What MkDocs and its plugins warn of meanwhile."""
    said: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(f"{record.levelname.lower()}: {record.getMessage()}")

    ear, log = Ear(logging.WARNING), logging.getLogger("mkdocs")
    log.addHandler(ear)
    try:
        yield said
    finally:
        log.removeHandler(ear)
