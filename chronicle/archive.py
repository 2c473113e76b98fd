"""An archive: many campaigns under a shared front page, each built on its own. Addresses and look are those
of a site with few campaigns. Shared files exist once.

A campaign is built again only if its files, the rules of its game, the templates, the settings of the site
or the version of Chronicle changed. Chronicle keeps the fingerprints for this in ``.chronicle-cache`` of the
project; you can delete that folder. They are no part of the site: a hash of secret text would let readers
test their guesses.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from chronicle import __version__
from chronicle.adapters.build import (
    GAVE_UP,
    Settings,
    addresses_taken,
    build,
    plugin_in,
    read_settings,
    settings_of,
    started,
    warnings_heard,
)
from chronicle.adapters.campaigns import Scope
from chronicle.campaigns import fault_in, find_campaigns
from chronicle.cluster import packed, unpack
from chronicle.core.corpus import FIGURE_KINDS, CampaignStatistics, Figures
from chronicle.core.errors import Refused
from chronicle.core.files import regular_file_content
from chronicle.core.output import (
    MARKER,
    check_fillable,
    complete_files,
    fill_folder,
    filling,
    listed_files,
)
from chronicle.export.corpus import CampaignFigures, write_parquet, write_sqlite
from chronicle.plugin import ChroniclePlugin
from chronicle.publish import OtherCampaigns, fingerprint, keep_off, made_with
from chronicle.site.cards import CampaignCard, PageTarget, rank_for_new_readers
from chronicle.site.device import SUMMARY_FILE, can_have_desk
from chronicle.site.feed import SITEMAP, archive_feed, sitemap, sitemap_index
from chronicle.site.front import ARCHIVE_FOLDER, ArchiveData, sorted_by_title
from chronicle.site.library import ENTRIES_PER_CAMPAIGN
from chronicle.site.links import PageUrls, campaign_addresses
from chronicle.site.persons import PLAYERS_FILE as PERSONS
from chronicle.site.persons import match_persons, read_persons
from chronicle.site.search import SEARCH_FILE as FIND
from chronicle.site.search import read_texts
from chronicle.site.shards import WordIndex, count_words
from chronicle.site.shards import card_files as cards_of

CARD: Final = "card.json"
"""What a campaign's pages leave for the front door, beside them."""
FIGURES: Final = "figures.json"
"""What its play comes to."""
CACHE: Final = ".chronicle-cache"
PROJECT_FOLDER: Final = "project"
"""Where the project lies for a worker."""
SQLITE: Final = "figures.sqlite"
"""The figures of all campaigns, below the front door."""


class NoArchive(Refused):
    """There is nothing that an archive could be made of."""


class Built(NamedTuple):
    """What became of a campaign."""

    at: str
    fresh: bool
    """Whether it was built now. False: its pages were up to date."""
    is_shown: bool
    """Whether it can be shown."""
    messages: tuple[str, ...]
    """Messages about it for the user."""


class Afar(NamedTuple):
    """What a worker made of a campaign: what became of it, and its pages in one piece."""

    built: Built
    files: bytes


def built_afar(folder: Path, plan: Archive) -> Afar:
    """Build a campaign on a worker."""
    built = plan.make(folder)
    out = plan.out / plan.at[folder]
    return Afar(built, packed(out) if out.is_dir() else b"")


@dataclass(frozen=True)
class Archive:
    """The plan of an archive: its campaigns and settings. It is small, since every process that builds a part
    receives a copy."""

    file: Path
    """``mkdocs.yml``."""
    out: Path
    through: int | None
    at: dict[Path, str]
    """Where on the site each campaign lies."""
    made_with: str
    """What all their pages depend on."""
    first: str = ""
    """The folder of the campaign that readers are to begin with."""
    lasting: bool = True
    """Whether its pages stay where they are built."""
    desk: bool = False
    """Whether it has a desk."""

    @property
    def campaigns(self) -> list[Path]:
        """Their folders, in order."""
        return sorted(self.at)

    def begin(self) -> None:
        """See that there is a folder of ours to build into."""
        check_fillable(self.out)
        if not listed_files(self.out):
            placeholder = (
                "<!doctype html><title>In the making</title><p>This archive is being built."
            )
            fill_folder(self.out, {"index.html": placeholder.encode()})

    def build(self, folder: Path) -> Built:
        """Build one campaign, unless its pages are up to date. Its problems are reported, and the other campaigns
        are built all the same."""
        return self.done(folder) or self.make(folder)

    def building(self, folder: Path) -> Callable[[Path], Built]:
        """:meth:`build` for one campaign, that carries no others along."""
        return replace(self, at={folder: self.at[folder]}).build

    def done(self, folder: Path) -> Built | None:
        """The result for a campaign whose pages are up to date; None if it needs a build."""
        at = self.at[folder]
        with contextlib.suppress(OSError, ValueError, TypeError):
            digest, is_shown, *messages = json.loads(regular_file_content(self._note(at)) or b"[]")
            if digest == fingerprint(folder, self.made_with, at) and CARD in complete_files(
                self.out / at
            ):
                return Built(at, False, bool(is_shown), tuple(map(str, messages)))
        return None

    def make(self, folder: Path) -> Built:
        """Build one campaign."""
        at = self.at[folder]
        try:
            digest = fingerprint(folder, self.made_with, at)
            with warnings_heard() as messages:
                card = self._pages(folder, at)
            built = Built(at, True, card is not None, tuple(messages))
            self._know(built, digest)
            return built
        except (*GAVE_UP, Refused, OSError) as error:
            return Built(at, True, False, (f"error: {folder.name}: {error}",))
        except Exception as error:
            diagnostic = fault_in(folder, error)
            message = (
                f"error: {diagnostic.place}: {diagnostic.message}; {'; '.join(diagnostic.help)}"
            )
            return Built(at, True, False, (message,))

    def give_up(self, folder: Path, why: str) -> Built:
        """Write a page with the reason for a campaign that could not be built in time."""
        at = self.at[folder]
        self._leave(folder, at, "It could not be finished.")
        return Built(at, True, False, (f"error: {folder.name}: {why}",))

    def elsewhere(self, folder: Path) -> tuple[Archive, Path]:
        """The archive as seen by a worker that builds this campaign, and the campaign's folder there.

        Raises:
            NoArchive: when the campaign is outside the project.
        """
        project = self.file.parent.resolve()
        real = folder.resolve()
        if not real.is_relative_to(project):
            raise NoArchive(
                f"'{folder}' lies outside of the project, and cannot be built elsewhere"
            )
        remote_folder = Path(PROJECT_FOLDER) / real.relative_to(project)
        file = Path(PROJECT_FOLDER) / self.file.name
        at = {remote_folder: self.at[folder]}
        return replace(self, file=file, out=Path("out"), at=at, lasting=False), remote_folder

    def around(self) -> bytes:
        """What a worker needs of the project besides a campaign."""
        config = read_settings(self.file)
        excluded = [
            Path(config.site_dir),
            self.out,
            self.file.parent / plugin_of(config).config.sessions,
        ]
        excluded_paths = {path.resolve() for path in excluded}
        with TemporaryDirectory() as scratch:
            unpack(
                packed(self.file.parent, lambda path: path.resolve() in excluded_paths),
                Path(scratch, PROJECT_FOLDER),
            )
            return packed(Path(scratch))

    def take_in(self, folder: Path, result: Afar) -> Built:
        """Put the pages that a worker made of a campaign where they belong."""
        at, built = self.at[folder], result.built
        try:
            if result.files:
                with filling(self.out / at) as (staged, _):
                    unpack(result.files, staged)
                # Of what failed there are no files, and it is tried again.
                self._know(built, fingerprint(folder, self.made_with, at))
        except (Refused, OSError) as error:
            return Built(at, True, False, (f"error: {folder.name}: {error}",))
        return built

    def _pages(self, folder: Path, at: str, undone: str = "") -> CampaignCard | None:
        """Make the pages of a campaign; with ``undone``, only a page with the reason."""
        with TemporaryDirectory() as scratch:
            config = read_settings(self.file, site_dir=scratch)
            plugin = plugin_of(config)
            plugin.campaigns.through = self.through
            plugin.limit(Scope((folder, at), undone, self.desk), config)
            with started(config):
                build(config, partial=True)
            card = plugin.campaigns.card
            figures = plugin.campaigns.figures
            card_data = {"name": folder.resolve().name, "card": card and card.as_data()}
            extra_files = {
                CARD: json.dumps(card_data).encode(),
                FIGURES: json.dumps(figures and figures.to_data()).encode(),
            }
            if config.site_url:
                extra_files[SITEMAP] = sitemap(plugin.addresses)
            with filling(self.out / at, flush_to_disk=self.lasting) as (staged, _):
                shutil.copytree(Path(scratch, at), staged, dirs_exist_ok=True)
                for name, data in extra_files.items():
                    (staged / name).write_bytes(data)
        self._keep_words(at, self._count_words(at))
        return card

    # -- the front door ----------------------------------------------------------------------------

    def other_pages(self) -> OtherCampaigns:
        """What the front door shows: all campaigns that have pages."""
        statistics, slim = CampaignStatistics(), Slim(self.first)
        cards: list[CampaignCard] = []
        called: dict[str, list[CampaignCard]] = {}
        fallen: dict[str, str] = {}
        for folder in self.campaigns:
            at, name = self.at[folder], folder.resolve().name
            try:
                card_data = json.loads(regular_file_content(self.out / at / CARD) or b"{}")
                if card_data["card"] is None:
                    fallen[at] = str(card_data["name"])
                else:
                    card = slim.of(CampaignCard.from_data(card_data["card"]))
                    statistics.add(self._figures(at))
                    cards.append(card)
                    called.setdefault(name, []).append(card)
            except (KeyError, TypeError, ValueError, OSError):
                self._leave(folder, at, "Chronicle failed at it.")
                fallen[at] = name
        # If several folders have the same name, their addresses on the site distinguish them.
        alone = {name: same_name[0] for name, same_name in called.items() if len(same_name) == 1}
        people, wrong = match_persons(
            self._persons(), {card.folder: card for card in cards} | alone
        )
        shown = slim.restored(cards)
        door = ArchiveData(statistics, people, downloads())
        return OtherCampaigns(shown, fallen, door, tuple(wrong), tuple(self._handed(shown)))

    def _handed(self, cards: Sequence[CampaignCard]) -> Iterator[dict[str, Any]]:
        """What the desk has to know of the campaigns."""
        for card in cards if self.desk else ():
            with contextlib.suppress(OSError, ValueError):
                yield json.loads(regular_file_content(self.out / card.folder / SUMMARY_FILE) or b"")

    def _persons(self) -> dict[str, dict[str, tuple[str, ...]]]:
        return read_persons(regular_file_content(self.file.parent / PERSONS) or b"")

    def _figures(self, at: str) -> Figures:
        return Figures.from_data(json.loads(regular_file_content(self.out / at / FIGURES) or b"{}"))

    def _count_words(self, at: str) -> Counter[str]:
        """Count how often each word occurs in the search texts of a campaign."""
        try:
            data = regular_file_content(self.out / at / FIND) or b""
        except OSError:
            return Counter()
        return count_words(read_texts(data))

    def furnish(self, site: Path, config: Settings, contents: OtherCampaigns) -> None:
        """Write the files of the front page and the downloads: the campaigns and their search words, in
        pieces, the feed, the figures."""
        door = site / ARCHIVE_FOLDER
        every = sorted_by_title(contents.cards)
        address = PageUrls(config.use_directory_urls)
        with TemporaryDirectory() as scratch:
            words = WordIndex(Path(scratch))
            for number, card in enumerate(every):
                words.add_campaign(number, self._words_of(card.folder))
            for name, data in (*cards_of(every), *words.files()):
                file = door / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
        feed_data = archive_feed(
            every, config.site_name, config.site_url or "", f"{ARCHIVE_FOLDER}/feed.xml", address
        )
        (door / "feed.xml").write_bytes(feed_data)
        if config.site_url:
            self._map(site, config.site_url)
        write_sqlite(door / SQLITE, self._counted(contents.cards))
        if parquet():
            (door / "figures").mkdir(exist_ok=True)
            write_parquet(door / "figures", self._counted(contents.cards))

    def _map(self, site: Path, url: str) -> None:
        """Have the sitemap lead to that of each campaign."""
        own_sitemap = f"{ARCHIVE_FOLDER}/{SITEMAP}"
        (site / SITEMAP).replace(site / own_sitemap)
        campaign_sitemaps = [f"{at}/{SITEMAP}" for at in sorted(self.at.values())]
        every = [own_sitemap, *(name for name in campaign_sitemaps if (self.out / name).is_file())]
        data = sitemap_index(f"{url.rstrip('/')}/{name}" for name in every)
        (site / SITEMAP).write_bytes(data)
        (site / f"{SITEMAP}.gz").write_bytes(gzip.compress(data, mtime=0))

    def _counted(self, cards: Iterable[CampaignCard]) -> Iterator[CampaignFigures]:
        for card in cards:
            yield CampaignFigures(card.folder, card.title, self._figures(card.folder))

    def _words_of(self, at: str) -> Mapping[str, int]:
        """How often each word occurs on the pages of a campaign."""
        with contextlib.suppress(OSError, ValueError):
            cached = (regular_file_content(self._note(at).with_suffix(".words")) or b"").decode()
            if cached:
                digest, words, times = cached.split("\n")
                if digest == _digest(regular_file_content(self.out / at / FIND)):
                    often = [*map(int, times.split())]
                    if min(often, default=1) > 0:
                        return dict(zip(words.split(), often, strict=True))
        word_counts = self._count_words(at)
        self._keep_words(at, word_counts)
        return word_counts

    def _keep_words(self, at: str, word_counts: Mapping[str, int]) -> None:
        """Spare the front door to count the words of a campaign again."""
        with contextlib.suppress(OSError):
            digest = _digest(regular_file_content(self.out / at / FIND))
            lines = (digest, " ".join(word_counts), " ".join(map(str, word_counts.values())))
            note = self._note(at).with_suffix(".words")
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_bytes("\n".join(lines).encode())

    def _leave(self, folder: Path, at: str, why: str) -> None:
        """A page for a campaign that cannot be shown."""
        with contextlib.suppress(*GAVE_UP, Refused, OSError), warnings_heard():
            self._pages(folder, at, why)

    def clear(self) -> list[Path]:
        """Take away the pages of campaigns that are no more; which these were."""
        gone = []
        for card in sorted(self.out.glob(f"*/{CARD}")):
            folder = card.parent
            if folder.name not in self.at.values() and (folder / MARKER).is_file():
                fill_folder(folder, {})
                (folder / MARKER).unlink()
                with contextlib.suppress(OSError):
                    folder.rmdir()
                gone.append(folder)
        return gone

    # -- what is known of what was built ------------------------------------------------------------

    def _note(self, at: str) -> Path:
        return self._notes / at

    @cached_property
    def _notes(self) -> Path:
        # Those who share the work may have the project in different places.
        out, project = self.out.resolve(), self.file.parent.resolve()
        site_path = out.relative_to(project) if out.is_relative_to(project) else out
        place = hashlib.sha256(site_path.as_posix().encode()).hexdigest()[:12]
        return self.file.parent / CACHE / "archive" / place

    def _know(self, built: Built, digest: str) -> None:
        """Keep what became of a campaign, to tell it again as long as nothing has changed."""
        note = self._note(built.at)
        with contextlib.suppress(OSError):
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_bytes(json.dumps([digest, built.is_shown, *built.messages]).encode())


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
    config = read_settings(file)
    plugin = plugin_of(config)
    project = file.parent
    sessions = project / plugin.config.sessions
    campaign_folders = find_campaigns(sessions) if sessions.is_dir() else []
    if not campaign_folders:
        raise NoArchive(f"there is no campaign in '{sessions}'")
    site_folder = Path(os.path.relpath(config.site_dir)) if out is None else out
    keep_off(site_folder, project, emptied=False)
    at = campaign_addresses(campaign_folders, addresses_taken(config))
    through = plugin.config.through if through is None else through
    folders = config.use_directory_urls
    shown = (plugin.config.reference, plugin.config.book)
    desk = plugin.config.desk is not False and can_have_desk()
    depends = made_with(project, folders, through, *shown, __version__, desk)
    depends = f"{depends}{settings_of(config)}"
    return Archive(file, site_folder, through, at, depends, plugin.config.begin, desk=desk)


def plugin_of(config: Settings) -> ChroniclePlugin:
    """Chronicle's plugin in a project.

    Raises:
        NoArchive: when it is not used there.
    """
    plugin = plugin_in(config)
    if plugin is None:
        raise NoArchive("this site has no campaigns: its mkdocs.yml names no plugin 'chronicle'")
    return plugin


class Slim:
    """Keeps of the cards of all campaigns what the front door shows: of most of them no emblems, no quotation
    and no places at which a rule was used.

    Args:
        begin: the folder of the campaign that readers are to begin with.
    """

    def __init__(self, begin: str) -> None:
        self._begin = begin
        self._places: Counter[tuple[str, str]] = Counter()
        self._first: CampaignCard | None = None

    def of(self, card: CampaignCard) -> CampaignCard:
        """A card reduced to the data that the front page needs. Cards come in the order of the pages of the
        rules."""
        used: dict[str, tuple[tuple[int, PageTarget], ...]] = {}
        for rule, places in card.used.items():
            used[rule] = places[: max(0, ENTRIES_PER_CAMPAIGN - self._places[card.game, rule])]
            self._places[card.game, rule] += len(used[rule])
        card = replace(card, used=used)
        if self._first is None or rank_for_new_readers(card, self._begin) > rank_for_new_readers(
            self._first, self._begin
        ):
            self._first = card
        return replace(card, emblems=(), quote=())

    def restored(self, cards: list[CampaignCard]) -> list[CampaignCard]:
        """The cards, with the complete card of the campaign for new readers."""
        first = self._first
        return [first if first and card.folder == first.folder else card for card in cards]


def _digest(data: bytes | None) -> str:
    return hashlib.sha256(data or b"").hexdigest()


def parquet() -> bool:
    """Whether Parquet can be written here."""
    return find_spec("pyarrow") is not None


def downloads() -> list[tuple[str, str]]:
    """The downloads of figures: their paths below the front page, and their labels."""
    files = [(SQLITE, "all figures as a database")]
    if parquet():
        files += [
            (f"figures/{name}.parquet", kind.description) for name, kind in FIGURE_KINDS.items()
        ]
        files.append(("figures/campaigns.parquet", "the campaigns"))
    return files
