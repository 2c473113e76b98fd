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
    BUILD_ERRORS,
    Settings,
    addresses_taken,
    build,
    collect_warnings,
    plugin_in,
    plugins_started,
    read_settings,
    settings_digest,
)
from chronicle.adapters.campaigns import Scope
from chronicle.campaigns import fault_in, find_campaigns
from chronicle.cluster import pack_folder, unpack
from chronicle.core.corpus import FIGURE_KINDS, CampaignStatistics, Figures
from chronicle.core.errors import Refused
from chronicle.core.files import regular_file_content
from chronicle.core.output import (
    MARKER_FILE_NAME,
    check_fillable,
    complete_files,
    fill_folder,
    filling_folder,
    listed_files,
)
from chronicle.export.corpus import CampaignFigures, write_parquet, write_sqlite
from chronicle.plugin import ChroniclePlugin
from chronicle.publish import OtherCampaigns, fingerprint, refuse_harmful_output, shared_inputs_of
from chronicle.site.cards import CampaignCard, RuleUse, rank_for_new_readers
from chronicle.site.device import SUMMARY_FILE, can_have_desk
from chronicle.site.feed import SITEMAP, archive_feed, sitemap, sitemap_index
from chronicle.site.front import ARCHIVE_FOLDER, ArchiveData, sorted_by_title
from chronicle.site.library import ENTRIES_PER_CAMPAIGN
from chronicle.site.links import PageUrlBuilder, campaign_addresses
from chronicle.site.persons import PLAYERS_FILE, match_persons, read_persons
from chronicle.site.search import SEARCH_FILE, read_texts
from chronicle.site.shards import WordIndex, card_files, count_words

CARD_FILE: Final = "card.json"
"""What a campaign's pages leave for the front door, beside them."""
FIGURES_FILE: Final = "figures.json"
"""What its play comes to."""
CACHE_FOLDER: Final = ".chronicle-cache"
PROJECT_FOLDER: Final = "project"
"""Where the project lies for a worker."""
SQLITE_FILE: Final = "figures.sqlite"
"""The figures of all campaigns, below the front door."""


class NoArchive(Refused):
    """There is nothing that an archive could be made of."""


class BuildResult(NamedTuple):
    """What became of a campaign."""

    address: str
    was_built: bool
    """Whether it was built now. False: its pages were up to date."""
    is_shown: bool
    """Whether it can be shown."""
    messages: tuple[str, ...]
    """Messages about it for the user."""


class RemoteResult(NamedTuple):
    """What a worker made of a campaign: what became of it, and its pages in one piece."""

    build_result: BuildResult
    packed_pages: bytes


def build_on_worker(folder: Path, archive: Archive) -> RemoteResult:
    """Build a campaign on a worker."""
    build_result = archive.build_anew(folder)
    pages_folder = archive.site_folder / archive.address_by_folder[folder]
    return RemoteResult(build_result, pack_folder(pages_folder) if pages_folder.is_dir() else b"")


@dataclass(frozen=True)
class Archive:
    """The plan of an archive: its campaigns and settings. It is small, since every process that builds a part
    receives a copy."""

    settings_file: Path
    """``mkdocs.yml``."""
    site_folder: Path
    through: int | None
    address_by_folder: dict[Path, str]
    """Where on the site each campaign lies."""
    shared_inputs: str
    """What all their pages depend on."""
    first_campaign_folder: str = ""
    """The folder of the campaign that readers are to begin with."""
    keeps_output: bool = True
    """Whether its pages stay where they are built."""
    has_desk: bool = False
    """Whether it has a desk."""

    @property
    def campaigns(self) -> list[Path]:
        """Their folders, in order."""
        return sorted(self.address_by_folder)

    def prepare_site_folder(self) -> None:
        """See that there is a folder of ours to build into."""
        check_fillable(self.site_folder)
        if not listed_files(self.site_folder):
            placeholder = (
                "<!doctype html><title>In the making</title><p>This archive is being built."
            )
            fill_folder(self.site_folder, {"index.html": placeholder.encode()})

    def build_if_changed(self, folder: Path) -> BuildResult:
        """Build one campaign, unless its pages are up to date. Its problems are reported, and the other campaigns
        are built all the same."""
        return self.find_current_result(folder) or self.build_anew(folder)

    def builder_of(self, folder: Path) -> Callable[[Path], BuildResult]:
        """:meth:`build` for one campaign, that carries no others along."""
        return replace(
            self, address_by_folder={folder: self.address_by_folder[folder]}
        ).build_if_changed

    def find_current_result(self, folder: Path) -> BuildResult | None:
        """The result for a campaign whose pages are up to date; None if it needs a build."""
        address = self.address_by_folder[folder]
        with contextlib.suppress(OSError, ValueError, TypeError):
            cached_fingerprint, is_shown, *cached_messages = json.loads(
                regular_file_content(self._cache_file_of(address)) or b"[]"
            )
            if cached_fingerprint == fingerprint(
                folder, self.shared_inputs, address
            ) and CARD_FILE in complete_files(self.site_folder / address):
                return BuildResult(address, False, bool(is_shown), tuple(map(str, cached_messages)))
        return None

    def build_anew(self, folder: Path) -> BuildResult:
        """Build one campaign."""
        address = self.address_by_folder[folder]
        try:
            digest = fingerprint(folder, self.shared_inputs, address)
            with collect_warnings() as messages:
                card = self._build_pages(folder, address)
            build_result = BuildResult(address, True, card is not None, tuple(messages))
            self._cache_result(build_result, digest)
            return build_result
        except (*BUILD_ERRORS, Refused, OSError) as error:
            return BuildResult(address, True, False, (f"error: {folder.name}: {error}",))
        except Exception as error:
            diagnostic = fault_in(folder, error)
            message = (
                f"error: {diagnostic.place}: {diagnostic.message}; {'; '.join(diagnostic.help)}"
            )
            return BuildResult(address, True, False, (message,))

    def build_placeholder(self, folder: Path, reason: str) -> BuildResult:
        """Write a page with the reason for a campaign that could not be built in time."""
        address = self.address_by_folder[folder]
        self._build_page_with_reason(folder, address, "It could not be finished.")
        return BuildResult(address, True, False, (f"error: {folder.name}: {reason}",))

    def for_worker(self, folder: Path) -> tuple[Archive, Path]:
        """The archive as seen by a worker that builds this campaign, and the campaign's folder there.

        Raises:
            NoArchive: when the campaign is outside the project.
        """
        project = self.settings_file.parent.resolve()
        real_folder = folder.resolve()
        if not real_folder.is_relative_to(project):
            raise NoArchive(
                f"'{folder}' lies outside of the project, and cannot be built elsewhere"
            )
        remote_folder = Path(PROJECT_FOLDER) / real_folder.relative_to(project)
        settings_file = Path(PROJECT_FOLDER) / self.settings_file.name
        address_by_folder = {remote_folder: self.address_by_folder[folder]}
        return (
            replace(
                self,
                settings_file=settings_file,
                site_folder=Path("out"),
                address_by_folder=address_by_folder,
                keeps_output=False,
            ),
            remote_folder,
        )

    def pack_project_files(self) -> bytes:
        """What a worker needs of the project besides a campaign."""
        config = read_settings(self.settings_file)
        excluded_folders = [
            Path(config.site_dir),
            self.site_folder,
            self.settings_file.parent / plugin_of(config).config.sessions,
        ]
        excluded_paths = {path.resolve() for path in excluded_folders}
        with TemporaryDirectory() as temporary_folder:
            unpack(
                pack_folder(
                    self.settings_file.parent, lambda path: path.resolve() in excluded_paths
                ),
                Path(temporary_folder, PROJECT_FOLDER),
            )
            return pack_folder(Path(temporary_folder))

    def unpack_result(self, folder: Path, result: RemoteResult) -> BuildResult:
        """Put the pages that a worker made of a campaign where they belong."""
        address, build_result = self.address_by_folder[folder], result.build_result
        try:
            if result.packed_pages:
                with filling_folder(self.site_folder / address) as (staging_folder, _):
                    unpack(result.packed_pages, staging_folder)
                # Of what failed there are no files, and it is tried again.
                self._cache_result(build_result, fingerprint(folder, self.shared_inputs, address))
        except (Refused, OSError) as error:
            return BuildResult(address, True, False, (f"error: {folder.name}: {error}",))
        return build_result

    def _build_pages(
        self, folder: Path, address: str, reason_unfinished: str = ""
    ) -> CampaignCard | None:
        """Make the pages of a campaign; with ``reason_unfinished``, only a page with the reason."""
        with TemporaryDirectory() as temporary_folder:
            config = read_settings(self.settings_file, site_dir=temporary_folder)
            plugin = plugin_of(config)
            plugin.campaigns.through = self.through
            plugin.limit(Scope((folder, address), reason_unfinished, self.has_desk), config)
            with plugins_started(config):
                build(config, partial=True)
            card = plugin.campaigns.card
            figures = plugin.campaigns.figures
            card_data = {"name": folder.resolve().name, "card": card and card.as_data()}
            extra_files = {
                CARD_FILE: json.dumps(card_data).encode(),
                FIGURES_FILE: json.dumps(figures and figures.to_data()).encode(),
            }
            if config.site_url:
                extra_files[SITEMAP] = sitemap(plugin.addresses)
            with filling_folder(self.site_folder / address, flush_to_disk=self.keeps_output) as (
                staging_folder,
                _,
            ):
                shutil.copytree(Path(temporary_folder, address), staging_folder, dirs_exist_ok=True)
                for file_name, file_bytes in extra_files.items():
                    (staging_folder / file_name).write_bytes(file_bytes)
        self._cache_word_counts(address, self._count_words(address))
        return card

    # -- the front door ----------------------------------------------------------------------------

    def other_pages(self) -> OtherCampaigns:
        """What the front door shows: all campaigns that have pages."""
        statistics, card_reducer = CampaignStatistics(), CardReducer(self.first_campaign_folder)
        cards: list[CampaignCard] = []
        cards_by_folder_name: dict[str, list[CampaignCard]] = {}
        folder_name_by_failed_address: dict[str, str] = {}
        for folder in self.campaigns:
            address, folder_name = self.address_by_folder[folder], folder.resolve().name
            try:
                card_data = json.loads(
                    regular_file_content(self.site_folder / address / CARD_FILE) or b"{}"
                )
                if card_data["card"] is None:
                    folder_name_by_failed_address[address] = str(card_data["name"])
                else:
                    card = card_reducer.reduce(CampaignCard.from_data(card_data["card"]))
                    statistics.add(self._read_figures(address))
                    cards.append(card)
                    cards_by_folder_name.setdefault(folder_name, []).append(card)
            except (KeyError, TypeError, ValueError, OSError):
                self._build_page_with_reason(folder, address, "Chronicle failed at it.")
                folder_name_by_failed_address[address] = folder_name
        # If several folders have the same name, their addresses on the site distinguish them.
        card_by_unique_name = {
            folder_name: same_name_cards[0]
            for folder_name, same_name_cards in cards_by_folder_name.items()
            if len(same_name_cards) == 1
        }
        players, player_errors = match_persons(
            self._read_persons(), {card.folder: card for card in cards} | card_by_unique_name
        )
        reduced_cards = card_reducer.restore_first_card(cards)
        archive_data = ArchiveData(statistics, players, downloads())
        return OtherCampaigns(
            reduced_cards,
            folder_name_by_failed_address,
            archive_data,
            tuple(player_errors),
            tuple(self._desk_data_of(reduced_cards)),
        )

    def _desk_data_of(self, cards: Sequence[CampaignCard]) -> Iterator[dict[str, Any]]:
        """What the desk has to know of the campaigns."""
        for card in cards if self.has_desk else ():
            with contextlib.suppress(OSError, ValueError):
                yield json.loads(
                    regular_file_content(self.site_folder / card.folder / SUMMARY_FILE) or b""
                )

    def _read_persons(self) -> dict[str, dict[str, tuple[str, ...]]]:
        return read_persons(regular_file_content(self.settings_file.parent / PLAYERS_FILE) or b"")

    def _read_figures(self, address: str) -> Figures:
        return Figures.from_data(
            json.loads(regular_file_content(self.site_folder / address / FIGURES_FILE) or b"{}")
        )

    def _count_words(self, address: str) -> Counter[str]:
        """Count how often each word occurs in the search texts of a campaign."""
        try:
            search_script_bytes = (
                regular_file_content(self.site_folder / address / SEARCH_FILE) or b""
            )
        except OSError:
            return Counter()
        return count_words(read_texts(search_script_bytes))

    def write_front_files(
        self, site_folder: Path, config: Settings, other_campaigns: OtherCampaigns
    ) -> None:
        """Write the files of the front page and the downloads: the campaigns and their search words, in
        pieces, the feed, the figures."""
        archive_folder = site_folder / ARCHIVE_FOLDER
        sorted_cards = sorted_by_title(other_campaigns.cards)
        url_builder = PageUrlBuilder(config.use_directory_urls)
        with TemporaryDirectory() as temporary_folder:
            word_index = WordIndex(Path(temporary_folder))
            for number, card in enumerate(sorted_cards):
                word_index.add_campaign(number, self._word_counts_of(card.folder))
            for file_name, file_bytes in (*card_files(sorted_cards), *word_index.files()):
                file = archive_folder / file_name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(file_bytes)
        feed_data = archive_feed(
            sorted_cards,
            config.site_name,
            config.site_url or "",
            f"{ARCHIVE_FOLDER}/feed.xml",
            url_builder,
        )
        (archive_folder / "feed.xml").write_bytes(feed_data)
        if config.site_url:
            self._write_sitemap_index(site_folder, config.site_url)
        write_sqlite(
            archive_folder / SQLITE_FILE, self._figures_of_campaigns(other_campaigns.cards)
        )
        if can_write_parquet():
            (archive_folder / "figures").mkdir(exist_ok=True)
            write_parquet(
                archive_folder / "figures", self._figures_of_campaigns(other_campaigns.cards)
            )

    def _write_sitemap_index(self, site_folder: Path, site_url: str) -> None:
        """Have the sitemap lead to that of each campaign."""
        own_sitemap = f"{ARCHIVE_FOLDER}/{SITEMAP}"
        (site_folder / SITEMAP).replace(site_folder / own_sitemap)
        campaign_sitemaps = [
            f"{address}/{SITEMAP}" for address in sorted(self.address_by_folder.values())
        ]
        sitemap_paths = [
            own_sitemap,
            *(
                sitemap_path
                for sitemap_path in campaign_sitemaps
                if (self.site_folder / sitemap_path).is_file()
            ),
        ]
        index_bytes = sitemap_index(
            f"{site_url.rstrip('/')}/{sitemap_path}" for sitemap_path in sitemap_paths
        )
        (site_folder / SITEMAP).write_bytes(index_bytes)
        (site_folder / f"{SITEMAP}.gz").write_bytes(gzip.compress(index_bytes, mtime=0))

    def _figures_of_campaigns(self, cards: Iterable[CampaignCard]) -> Iterator[CampaignFigures]:
        for card in cards:
            yield CampaignFigures(card.folder, card.title, self._read_figures(card.folder))

    def _word_counts_of(self, address: str) -> Mapping[str, int]:
        """How often each word occurs on the pages of a campaign."""
        with contextlib.suppress(OSError, ValueError):
            cached_text = (
                regular_file_content(self._cache_file_of(address).with_suffix(".words")) or b""
            ).decode()
            if cached_text:
                cached_digest, joined_words, joined_counts = cached_text.split("\n")
                if cached_digest == _digest(
                    regular_file_content(self.site_folder / address / SEARCH_FILE)
                ):
                    counts = [*map(int, joined_counts.split())]
                    if min(counts, default=1) > 0:
                        return dict(zip(joined_words.split(), counts, strict=True))
        word_counts = self._count_words(address)
        self._cache_word_counts(address, word_counts)
        return word_counts

    def _cache_word_counts(self, address: str, word_counts: Mapping[str, int]) -> None:
        """Spare the front door to count the words of a campaign again."""
        with contextlib.suppress(OSError):
            digest = _digest(regular_file_content(self.site_folder / address / SEARCH_FILE))
            cache_lines = (digest, " ".join(word_counts), " ".join(map(str, word_counts.values())))
            cache_file = self._cache_file_of(address).with_suffix(".words")
            cache_file.parent.mkdir(parents=True, exist_ok=True)
            cache_file.write_bytes("\n".join(cache_lines).encode())

    def _build_page_with_reason(self, folder: Path, address: str, reason: str) -> None:
        """A page for a campaign that cannot be shown."""
        with contextlib.suppress(*BUILD_ERRORS, Refused, OSError), collect_warnings():
            self._build_pages(folder, address, reason)

    def remove_old_pages(self) -> list[Path]:
        """Take away the pages of campaigns that are no more; which these were."""
        removed_folders = []
        for card_file in sorted(self.site_folder.glob(f"*/{CARD_FILE}")):
            folder = card_file.parent
            if (
                folder.name not in self.address_by_folder.values()
                and (folder / MARKER_FILE_NAME).is_file()
            ):
                fill_folder(folder, {})
                (folder / MARKER_FILE_NAME).unlink()
                with contextlib.suppress(OSError):
                    folder.rmdir()
                removed_folders.append(folder)
        return removed_folders

    # -- what is known of what was built ------------------------------------------------------------

    def _cache_file_of(self, address: str) -> Path:
        return self._cache_folder / address

    @cached_property
    def _cache_folder(self) -> Path:
        # Those who share the work may have the project in different places.
        site_folder, project = self.site_folder.resolve(), self.settings_file.parent.resolve()
        site_path = (
            site_folder.relative_to(project) if site_folder.is_relative_to(project) else site_folder
        )
        site_path_hash = hashlib.sha256(site_path.as_posix().encode()).hexdigest()[:12]
        return self.settings_file.parent / CACHE_FOLDER / "archive" / site_path_hash

    def _cache_result(self, build_result: BuildResult, current_fingerprint: str) -> None:
        """Keep what became of a campaign, to tell it again as long as nothing has changed."""
        cache_file = self._cache_file_of(build_result.address)
        with contextlib.suppress(OSError):
            cache_file.parent.mkdir(parents=True, exist_ok=True)
            cache_file.write_bytes(
                json.dumps(
                    [current_fingerprint, build_result.is_shown, *build_result.messages]
                ).encode()
            )


def plan_archive(settings_file: Path, out: Path | None, through: int | None) -> Archive:
    """What the archive of a project is made of.

    Args:
        settings_file: its ``mkdocs.yml``.
        out: the folder of the site; by default, the one that ``mkdocs.yml`` names.
        through: show campaigns only up to this session.

    Raises:
        NoArchive: when the project has no campaigns.
        OutputRefused: when it would go among the files it is made of.
    """
    config = read_settings(settings_file)
    plugin = plugin_of(config)
    project = settings_file.parent
    campaigns_folder = project / plugin.config.sessions
    campaign_folders = find_campaigns(campaigns_folder) if campaigns_folder.is_dir() else []
    if not campaign_folders:
        raise NoArchive(f"there is no campaign in '{campaigns_folder}'")
    site_folder = Path(os.path.relpath(config.site_dir)) if out is None else out
    refuse_harmful_output(site_folder, project, empties_folder=False)
    address_by_folder = campaign_addresses(campaign_folders, addresses_taken(config))
    through = plugin.config.through if through is None else through
    has_desk = plugin.config.desk is not False and can_have_desk()
    shared_inputs = shared_inputs_of(
        project,
        config.use_directory_urls,
        through,
        plugin.config.reference,
        plugin.config.book,
        __version__,
        has_desk,
    )
    shared_inputs = f"{shared_inputs}{settings_digest(config)}"
    return Archive(
        settings_file,
        site_folder,
        through,
        address_by_folder,
        shared_inputs,
        plugin.config.begin,
        has_desk=has_desk,
    )


def plugin_of(config: Settings) -> ChroniclePlugin:
    """Chronicle's plugin in a project.

    Raises:
        NoArchive: when it is not used there.
    """
    plugin = plugin_in(config)
    if plugin is None:
        raise NoArchive("this site has no campaigns: its mkdocs.yml names no plugin 'chronicle'")
    return plugin


class CardReducer:
    """Keeps of the cards of all campaigns what the front door shows: of most of them no emblems, no quotation
    and no places at which a rule was used.

    Args:
        first_campaign_folder: the folder of the campaign that readers are to begin with.
    """

    def __init__(self, first_campaign_folder: str) -> None:
        self._first_campaign_folder = first_campaign_folder
        self._target_count_by_rule: Counter[tuple[str, str]] = Counter()
        self._first_card: CampaignCard | None = None

    def reduce(self, card: CampaignCard) -> CampaignCard:
        """A card reduced to the data that the front page needs. Cards come in the order of the pages of the
        rules."""
        targets_by_rule: dict[str, tuple[RuleUse, ...]] = {}
        for rule, targets in card.uses_by_rule.items():
            targets_by_rule[rule] = targets[
                : max(0, ENTRIES_PER_CAMPAIGN - self._target_count_by_rule[card.game, rule])
            ]
            self._target_count_by_rule[card.game, rule] += len(targets_by_rule[rule])
        card = replace(card, uses_by_rule=targets_by_rule)
        if self._first_card is None or rank_for_new_readers(
            card, self._first_campaign_folder
        ) > rank_for_new_readers(self._first_card, self._first_campaign_folder):
            self._first_card = card
        return replace(card, emblems=(), opening_quote=())

    def restore_first_card(self, cards: list[CampaignCard]) -> list[CampaignCard]:
        """The cards, with the complete card of the campaign for new readers."""
        first_card = self._first_card
        return [
            first_card if first_card and card.folder == first_card.folder else card
            for card in cards
        ]


def _digest(data: bytes | None) -> str:
    return hashlib.sha256(data or b"").hexdigest()


def can_write_parquet() -> bool:
    """Whether Parquet can be written here."""
    return find_spec("pyarrow") is not None


def downloads() -> list[tuple[str, str]]:
    """The downloads of figures: their paths below the front page, and their labels."""
    files = [(SQLITE_FILE, "all figures as a database")]
    if can_write_parquet():
        files += [
            (f"figures/{name}.parquet", figure_kind.description)
            for name, figure_kind in FIGURE_KINDS.items()
        ]
        files.append(("figures/campaigns.parquet", "the campaigns"))
    return files
