"""From a folder of campaigns to a whole site: where CampaignViews, pages and exports meet.

The MkDocs plugin and the command line both build sites through :func:`make_site`; :func:`render` writes
the same pages as plain files, for any builder that reads Markdown.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Any, NamedTuple

from jinja2 import Environment
from markupsafe import escape

from chronicle.campaigns import fault_in, find_campaigns, load, open_view, view_of
from chronicle.campaigns import relaxed_gc as relaxed_gc
from chronicle.core.campaign import Campaign
from chronicle.core.campaign_view import CampaignView
from chronicle.core.control_characters import safe
from chronicle.core.diagnostic import (
    Severity,
    count_severities,
    counts_in_words,
    plural,
    reported_diagnostics,
)
from chronicle.core.edits import read_as_finished
from chronicle.core.file_reading import read_file
from chronicle.core.output import OutputRefused, fill_folder
from chronicle.core.pictures import MAX_PICTURE_BYTES as MOST_PICTURE
from chronicle.core.record import Record
from chronicle.examples import Examples
from chronicle.export import exports
from chronicle.export.log import logs, texts_outside_logs
from chronicle.games import rulebooks
from chronicle.limited import LimitedProcess
from chronicle.site import pages, plain, whole
from chronicle.site.apart import TemplateFault
from chronicle.site.binding.forms import BOOK_FORMATS, bind_book
from chronicle.site.binding.manuscript import NoBook, compose_book
from chronicle.site.cache import BuildCache
from chronicle.site.campaign_site import CampaignSite, SiteContext
from chronicle.site.cards import CampaignCard, card_of
from chronicle.site.device import DeskCampaign
from chronicle.site.draw import make_environment
from chronicle.site.files import SiteFile, front_matter
from chronicle.site.front import ARCHIVE_FOLDER, CARDS_PER_SHARD, ArchiveData, ArchivePages
from chronicle.site.library import SharedPages
from chronicle.site.links import RESERVED_ADDRESSES, PageUrlBuilder, campaign_addresses, slugify
from chronicle.site.sandbox import BoundedEnvironment
from chronicle.site.search import (
    MAX_SEARCHED_STORIES,
    SEARCH_FILE,
    SearchDocument,
    search_script,
    section_documents_of_file,
)
from chronicle.site.template_files import template_folders
from chronicle.syntax.campaign_files import CampaignUnreadable
from chronicle.syntax.find import find_project
from chronicle.syntax.misplaced import logs_among_pages as logs_among_pages
from chronicle.syntax.reference import game_reference, shared_reference
from chronicle.syntax.render import split_lines
from chronicle.workspace import Workspace

PAGE_ENTRY_POINTS = "chronicle.pages"
"""The entry points that may add a page of Markdown to Chronicle's own site: ``commands``."""


def refuse_harmful_output(out: Path, path: Path, *, empties_folder: bool) -> None:
    """Check that a site for the campaigns at ``path`` overwrites none of their files.

    Args:
        out: the folder of the site.
        path: a campaign folder, a folder of campaigns, or a project.
        empties_folder: whether the build empties ``out`` first, like MkDocs; otherwise it only replaces files of the
            same names.

    Raises:
        OutputRefused: when the build would harm a file that a person wrote.
    """
    project = find_project(path)
    searched_paths = dict.fromkeys([path, *([project.folder] if project is not None else [])])
    guarded_folders = [
        (folder, "the campaign folder")
        for searched_path in searched_paths
        for folder in find_campaigns(searched_path)
    ]
    if project is not None:
        guarded_folders.append((project.campaigns_folder, "the folder of campaigns"))
        guarded_folders += [(project.folder / name, "the folder") for name in ("docs", "templates")]
    real_out = Path(out).resolve()
    real_project = project.folder.resolve() if project is not None else None
    for folder, label in guarded_folders:
        real_folder = folder.resolve()
        # A campaign can be the project itself; then its site is inside it.
        is_inside = real_out.is_relative_to(real_folder) and real_folder != real_project
        if (
            real_out == real_folder
            or is_inside
            or (empties_folder and real_folder.is_relative_to(real_out))
        ):
            raise OutputRefused(_harm_message(out, real_out, real_folder, label, empties_folder))
    if real_project is not None and (
        real_out == real_project or (empties_folder and real_project.is_relative_to(real_out))
    ):
        raise OutputRefused(
            _harm_message(out, real_out, real_project, "the project", empties_folder)
        )


def _harm_message(
    out: Path, real_out: Path, real_folder: Path, label: str, empties_folder: bool
) -> str:
    relation = (
        "is"
        if real_out == real_folder
        else "lies in"
        if real_out.is_relative_to(real_folder)
        else "holds"
    )
    harm = "it would be emptied" if empties_folder else "files in it would be replaced"
    return f"'{out}' {relation} {label} '{real_folder.name}', and {harm}"


CampaignSiteAndFiles = tuple[CampaignSite, list[SiteFile]]
"""A campaign, and its files."""


@dataclass(slots=True)
class BuildState:
    """The results that a build keeps for the next build."""

    cache: BuildCache = field(default_factory=BuildCache)
    """What they made."""
    settings: str = ""
    """What all of it was made from."""
    env: Environment | None = None
    """The templates that drew them, where they are our own."""
    graphs: dict[str, str] = field(default_factory=dict)
    workspaces: dict[Path, Workspace] | None = None
    """Campaigns that stay in memory between builds. A build then reads and replays only from the first change
    on, and makes downloads on demand."""
    is_download_wanted: bool = False
    """Whether a reader asked for a download, so that the next build makes it."""
    limited_process: LimitedProcess = field(default_factory=LimitedProcess)
    """The child process that reads players' files, since these can be harmful."""


@dataclass(slots=True)
class Site:
    """Everything a site shows, ready to be written. ``problems`` are campaigns that could not be read."""

    site_context: SiteContext
    campaigns: list[CampaignSite]
    shared_pages: SharedPages
    problems: list[str]
    has_rule_pages: bool
    campaign_files: list[SiteFile]

    @property
    def has_files_on_demand(self) -> bool:
        """Whether any file waits until a reader asks for it."""
        return any(campaign_site.has_older_downloads for campaign_site in self.campaigns)

    def is_on_demand(self, address: str) -> bool:
        """Whether an address is a file that waits until a reader asks for it."""
        return address.startswith(
            tuple(
                campaign_site.path_on_site(subfolder)
                for campaign_site in self.campaigns
                for subfolder in ("files/", "downloads")
            )
        )

    def files(self) -> Iterator[SiteFile]:
        """Every page and file, the games' pages last."""
        yield from self.campaign_files
        if self.has_rule_pages:
            yield from self.shared_pages.files()
        if self.shared_pages.archive_pages is not None:
            yield from self.shared_pages.archive_pages.make_files()

    def search_file(
        self,
        project_page_rows: Iterable[SearchDocument] = (),
        reference_rows: Iterable[SearchDocument] = (),
        *,
        has_all_pages: bool = True,
    ) -> SiteFile:
        """The file that all but the campaigns is searched by.

        Args:
            project_page_rows: the sections of the pages that the project wrote.
            reference_rows: the sections of those that come after other pages.
            has_all_pages: whether these are all pages of the project. If not, the search tells readers that
                others exist.
        """
        shared_pages = self.shared_pages
        game_rows_by_name: dict[str, list[str]] = {}
        page_rows = [*project_page_rows]
        for file in shared_pages.files() if self.has_rule_pages else ():
            if file.contents is not None:
                name = file.path.removeprefix("rules/").removesuffix(".js")
                page = shared_pages.url_builder.from_root(f"rules/{name}")
                game_rows_by_name[name] = [shared_pages.games[name].title, file.path, page]
            else:
                page_rows += section_documents_of_file(
                    file, shared_pages.url_builder.from_root(file.path)
                )
        stories = [
            SearchDocument(
                card.title,
                card.summary,
                shared_pages.url_builder.from_root(card.page_path("index")),
                title_note=", ".join(card.players),
            )
            for card in shared_pages.cards
        ]
        lists_campaigns = len(stories) <= MAX_SEARCHED_STORIES
        script_bytes = search_script(
            "",
            {
                "stories": stories[:CARDS_PER_SHARD],
                "pages": page_rows,
                "reference": [*reference_rows],
            },
            campaigns=[f"{card.folder}/" for card in shared_pages.cards] if lists_campaigns else [],
            count=len(stories),
            rules=game_rows_by_name,
            archive=shared_pages.url_builder.from_root(f"{ARCHIVE_FOLDER}/index")
            if shared_pages.archive_pages
            else "",
            whole=has_all_pages,
        )
        return SiteFile(SEARCH_FILE, contents=script_bytes)

    def desk_campaigns(self) -> Iterator[DeskCampaign]:
        """The campaigns as the desk of the site hands them over: what readers may take away anyway."""
        for campaign_site in self.campaigns:
            record = campaign_site.record
            files = {name: text for name, _, text in logs(record)} | dict(
                texts_outside_logs(record)
            )
            shown_pictures = campaign_site.pictures.shown_pictures()
            pictures = {
                file: (f"{campaign_site.folder}/{address}", picture_bytes)
                for file, (address, picture_bytes) in shown_pictures
            }
            titles = (campaign_site.view.title, record.campaign.game, record.rulebook.title)
            counts = len(record.sessions), campaign_site.entry_count
            yield DeskCampaign(campaign_site.folder, *titles, *counts, files, pictures)


class OtherCampaigns(NamedTuple):
    """Campaigns that got their pages elsewhere: their cards, those that cannot be shown (where their page
    is, and how their folder is called), and what the front door to them knows besides."""

    cards: Sequence[CampaignCard] = ()
    failed_campaigns: Mapping[str, str] = MappingProxyType({})
    archive_data: ArchiveData | None = None
    errors: Sequence[str] = ()
    """Errors in statements about them."""
    desk_summaries: Sequence[Mapping[str, Any]] = ()
    """What the desk of the site has to know of them."""


NO_OTHERS = OtherCampaigns()


def _holder_of(address: str, reserved_addresses: Iterable[str]) -> str:
    """Who has an address that a campaign cannot get."""
    if address in RESERVED_ADDRESSES:
        return "Chronicle or the site builder"
    if address in {name.casefold() for name in reserved_addresses}:
        return "a page or folder of yours"
    return "another campaign"


def make_site(
    path: Path,
    *,
    project: Path | None = None,
    uses_folder_urls: bool = False,
    through: int | None = None,
    reference: bool | str = True,
    book_endings: tuple[str, ...] = (),
    build_state: BuildState | None = None,
    first_campaign_folder: str = "",
    reserved_addresses: Iterable[str] = (),
    site_url: str = "",
    guest: bool = False,
    only_campaign: tuple[Path, str] | None = None,
    reason_unfinished: str = "",
    other_campaigns: OtherCampaigns = NO_OTHERS,
    warn: Callable[[str], object] = print,
    report: Callable[[str], object] = lambda message: None,
    after_file: Callable[[], object] = lambda: None,
) -> Site:
    """Replay every campaign at or below ``path`` and lay out the site.

    Args:
        path: a campaign folder, or a folder of campaigns.
        project: the project's root, whose ``templates/`` can override Chronicle's.
        uses_folder_urls: whether addresses end in folders (MkDocs's ``use_directory_urls``).
        through: show campaigns only up to this session.
        reference: include the rules of the games played in the campaigns, or of all games. A site
            without campaigns has all of them.
        book_endings: the kinds of book to offer for each campaign, by file ending (``.epub``).
        first_campaign_folder: the folder of the campaign for new readers; by default, a finished campaign.
        build_state: the results that an earlier build kept; only campaigns with changes are replayed.
        reserved_addresses: addresses at the root of the site that campaigns cannot have, such as pages of the project.
        site_url: the address of the site, if it is known.
        guest: whether the site has another look than Chronicle's.
        only_campaign: build a single campaign: its folder, and its address on the site.
        reason_unfinished: why that campaign could not be built, if it could not.
        other_campaigns: campaigns whose pages exist already. With it, only the campaign ``only_campaign`` is replayed.
        warn: receives a message for each page or picture that could not be drawn.
        report: receives a message for each replayed campaign.
        after_file: called after each file.
    """
    build_state = BuildState() if build_state is None else build_state
    url_builder = PageUrlBuilder(uses_folder_urls)
    games = {game.name: game for game in rulebooks()}
    rules_pages = {game_name: f"rules/{game_name}" for game_name in games} if reference else {}
    # Paths on the site are those within the project, wherever it is built from.
    real_project = (project or path).resolve()
    read_lines = _line_reader(real_project)
    shared_inputs = shared_inputs_of(
        project, uses_folder_urls, through, reference, site_url, book_endings, guest
    )
    if build_state.settings != shared_inputs:
        build_state.settings, build_state.env = shared_inputs, None
        build_state.cache.forget()
    env = build_state.env or make_environment(project, warn, build_state.graphs)
    if isinstance(env, BoundedEnvironment):
        warn = env.warn_keeper
    else:
        build_state.env = env
    offer_books = partial(make_books, book_endings)
    site_context = SiteContext(
        env, url_builder, rules_pages, warn, build_state.graphs, downloads, read_lines, real_project, site_url,
        offer_books, build_state.limited_process, build_state.cache, guest,
    )  # fmt: skip
    campaigns: list[CampaignSite] = []
    campaign_files: list[SiteFile] = []
    problems: list[str] = []
    failed_campaigns = dict(other_campaigns.failed_campaigns)
    if only_campaign is not None:
        folders_found, addresses = [only_campaign[0]], dict([only_campaign])
    else:
        folders_found = find_campaigns(path) if other_campaigns is NO_OTHERS else []
        addresses = campaign_addresses(folders_found, reserved_addresses)
    with relaxed_gc():
        for folder in folders_found:
            campaign_address, folder_name = addresses[folder], folder.resolve().name
            if campaign_address != (slugify(folder_name) or "campaign"):
                warn(
                    f"{_path_in_project(folder, real_project)}: its pages are at '{campaign_address}/', as "
                    f"{_holder_of(slugify(folder_name), reserved_addresses)}"
                    f" has the address '{slugify(folder_name)}/': rename the folder to choose another address"
                )
            if reason_unfinished:
                campaign_files.append(
                    _failure_page(folder_name, campaign_address, reason_unfinished)
                )
                continue
            cache_key, current_fingerprint = str(folder), ""
            # If something went away meanwhile, or may not be read, loading it says more.
            with suppress(OSError):
                current_fingerprint = fingerprint(folder, shared_inputs, campaign_address)
            last_result: CampaignSiteAndFiles | None = (
                build_state.cache.last_result(("campaign", cache_key))
                if current_fingerprint
                else None
            )
            unchanged_result: CampaignSiteAndFiles | None = (
                build_state.cache.find_result(("campaign", cache_key), current_fingerprint)
                if current_fingerprint
                else None
            )
            if unchanged_result is not None and not (
                unchanged_result[0].has_older_downloads and build_state.is_download_wanted
            ):
                campaign_site, files = unchanged_result
            else:
                try:
                    if unchanged_result is not None:
                        view = unchanged_result[0].view
                    else:
                        view = _view_for_readers(
                            folder, real_project, through, build_state.workspaces
                        )
                        for publishing_note in view.record.campaign.publishing_notes:
                            warn(publishing_note)
                        for rewording in view.record.campaign.rewordings:
                            report(rewording)
                        report(
                            f"{view.title}: {plural(len(view.record.steps), 'entry', 'entries')}"
                        )
                    waits_for_download = (
                        build_state.workspaces is not None and not build_state.is_download_wanted
                    )
                    earlier_downloads = (
                        last_result[0].downloads
                        if last_result is not None and waits_for_download
                        else None
                    )
                    campaign_site = CampaignSite(
                        view, site_context, campaign_address, earlier_downloads
                    )
                    files = []
                    for file in pages.files(campaign_site):
                        files.append(file)
                        after_file()
                except CampaignUnreadable as error:
                    problems.extend(
                        f"{diagnostic.place}: {diagnostic.message}"
                        for diagnostic in error.diagnostics
                    )
                    campaign_files.append(
                        _failure_page(folder_name, campaign_address, "Its files cannot be read.")
                    )
                    failed_campaigns[campaign_address] = folder_name
                    continue
                except Exception as error:
                    problems.append(fault_message(_path_in_project(folder, real_project), error))
                    campaign_files.append(
                        _failure_page(folder_name, campaign_address, "Chronicle failed at it.")
                    )
                    failed_campaigns[campaign_address] = folder_name
                    continue
                # A page with a template error is not cached, so that every build reports the error.
                if not (isinstance(env, BoundedEnvironment) and env.reported_faults):
                    build_state.cache.keep_result(
                        ("campaign", cache_key), current_fingerprint, (campaign_site, files)
                    )
            campaigns.append(campaign_site)
            campaign_files.extend(files)
    # Where one campaign alone gets pages, those about all are made elsewhere.
    cards = [*other_campaigns.cards, *map(card_of, campaigns)] if only_campaign is None else []
    played_games = {card.game for card in cards}
    if played_games and reference != "all":
        games = {game_name: game for game_name, game in games.items() if game_name in played_games}
        # Play examples of other games have no page of rules to lead to.
        for game_name in rules_pages.keys() - played_games:
            del rules_pages[game_name]
    shared_pages = SharedPages(
        env, url_builder, games, cards, failed_campaigns, build_state.cache, first_campaign_folder
    )
    shared_pages.draw_first_session = Examples(site_context, real_project).first_evening
    if other_campaigns.archive_data is not None:
        shared_pages.archive_pages = ArchivePages(
            env,
            url_builder,
            games,
            cards,
            other_campaigns.archive_data,
            has_rule_pages=bool(reference),
        )
    return Site(site_context, campaigns, shared_pages, problems, bool(reference), campaign_files)


def _view_for_readers(
    folder: Path, real_project: Path, through: int | None, workspaces: dict[Path, Workspace] | None
) -> CampaignView:
    """The CampaignView of a campaign, as readers may have it.

    Raises:
        CampaignUnreadable: when not even its game can be made out.
    """
    if workspaces is not None and through is None:
        workspace = workspaces.pop(folder, None) or Workspace(
            folder, root=real_project, shows_retracted=True, keeps_panels=True
        )
        workspace.reload()
        record, replay = workspace.record, workspace.replay
        if record is not None and not workspace.has_hidden_entries:
            # One at which something fails is not gone on with.
            workspaces[folder] = workspace
            return view_of(record, replay)
    return open_view(load(folder, root=real_project), through=through)


def _path_in_project(folder: Path, real_project: Path) -> str:
    """A folder for messages: its path in the project."""
    real_folder = folder.resolve()
    return (
        real_folder.relative_to(real_project)
        if real_folder.is_relative_to(real_project)
        else folder
    ).as_posix()


def _failure_page(folder_name: str, address: str, reason: str) -> SiteFile:
    """The page of a campaign that cannot be shown. It leaves out the error, which only its keeper gets: the
    error could quote secret text."""
    page_body = f"<h1>{escape(folder_name)}</h1><p>This campaign cannot be shown. {reason} Its keeper is told why.</p>"
    placeholder_data = {"title": folder_name, "home": f"{address}/index.md", "folder": address}
    page_meta = {"title": folder_name, "campaign": placeholder_data}
    return SiteFile(
        f"{address}/index", folder_name, f'<div class="ch-body">{page_body}</div>', meta=page_meta
    )


MAX_QUOTED_ERRORS = 3
"""How many errors of each campaign a build quotes."""


def summarise_problems(record: Record, project: Path) -> str:
    """Sum up the problems of a campaign, with the first errors; empty without problems.

    The record is the public record: build logs are often public, so they quote no secret text.
    """
    campaign = record.campaign
    counts = count_severities(record.diagnostics)
    if not counts:
        return ""
    entries = plural(len(record.steps), "entry", "entries")
    lines = [f"{campaign.folder}: {counts_in_words(counts)} in {entries}"]
    errors = [
        diagnostic
        for diagnostic in reported_diagnostics(record.diagnostics)
        if diagnostic.severity is Severity.ERROR
    ]
    for diagnostic in errors[:MAX_QUOTED_ERRORS]:
        shown_place = diagnostic.place._replace(
            path=campaign.real_paths.get(diagnostic.place.path, diagnostic.place.path)
        )
        lines.append(safe(f"  {shown_place}: error[{diagnostic.code}]: {diagnostic.message}"))
    if errors:
        folder = (project / campaign.folder).resolve()
        current_folder = Path.cwd()
        shown_folder = (
            folder.relative_to(current_folder) if folder.is_relative_to(current_folder) else folder
        )
        left_out = len(errors) - MAX_QUOTED_ERRORS
        more_errors = f"{plural(left_out, 'more error')}; " if left_out > 0 else ""
        lines.append(f"  {more_errors}show all:  chronicle check {quote(shown_folder.as_posix())}")
    return "\n".join(lines)


def fault_message(folder: str, error: Exception) -> str:
    """What a build says of a campaign at which Chronicle itself failed."""
    diagnostic = fault_in(Path(folder), error)
    return f"{diagnostic.place}: {diagnostic.message}; {'; '.join(diagnostic.help)}"


def fingerprint(folder: Path, *further_inputs: str) -> str:
    """A hash of the inputs of a campaign's pages: the contents of its files, not their times. Links that lead
    out of the folder are not followed, as in a build."""
    folder_hash = hashlib.sha256("\0".join(further_inputs).encode())
    real_folder = folder.resolve()
    for file in sorted(folder.rglob("*")):
        if any(part.startswith(".") for part in file.parts):
            continue
        if file.is_file() and (not file.is_symlink() or file.resolve().is_relative_to(real_folder)):
            folder_hash.update(f"\0{file.relative_to(folder)}\0".encode())
            byte_count = file.stat().st_size
            # Files above the size limit are never shown, so the hash leaves out their contents.
            hashed_bytes = (
                str(byte_count).encode()
                if byte_count > MOST_PICTURE
                else read_file(file, MOST_PICTURE)
            )
            folder_hash.update(hashlib.sha256(hashed_bytes).digest())
    return folder_hash.hexdigest()


def shared_inputs_of(project: Path | None, *further_inputs: object) -> str:
    """What all pages of a site depend on besides the campaigns."""
    return json.dumps([*further_inputs, _template_fingerprints(project)])


def _template_fingerprints(project: Path | None) -> str:
    folders = [*template_folders(), *([project / "templates"] if project is not None else [])]
    return " ".join(fingerprint(folder) for folder in folders if folder.is_dir())


def _line_reader(real_project: Path) -> Callable[[str], Sequence[str]]:
    """Gives the lines of transcripts, each read once."""

    @lru_cache(maxsize=64)
    def read_lines(path: str) -> tuple[str, ...]:
        file = real_project / path
        try:
            file_bytes = read_as_finished(file) if path else b""
        except OSError:
            return ()
        return tuple(split_lines(file_bytes.decode("utf-8", "replace")))

    return read_lines


def open_campaign_site(
    campaign: Campaign,
    *,
    project: Path | None = None,
    through: int | None = None,
    warn: Callable[[str], object] = print,
) -> CampaignSite:
    """A campaign as readers may see it, to be drawn by itself.

    Args:
        campaign: the campaign.
        project: the project's root, whose ``templates/`` may override Chronicle's.
        through: show it only up to this session.
        warn: told what could not be drawn.
    """
    view = open_view(campaign, through=through)
    for publishing_note in view.record.campaign.publishing_notes:
        warn(publishing_note)
    env = make_environment(project, warn)
    if isinstance(env, BoundedEnvironment):
        warn = env.warn_keeper
    return CampaignSite(view, SiteContext(env, PageUrlBuilder(), {}, warn))


def downloads(campaign_site: CampaignSite) -> Iterator[tuple[str, str, bytes]]:
    """What a reader may take away: (file name, what it is, bytes). Unrevealed secrets are left out."""
    yield from exports(campaign_site.record)


def make_books(
    file_endings: tuple[str, ...], campaign_site: CampaignSite
) -> Iterator[tuple[str, str, bytes]]:
    """The books of a campaign for download: (file name, description, bytes). If a book cannot be made, the
    keeper gets a message and readers no link."""
    if file_endings and campaign_site.chapters_by_session:
        try:
            book = compose_book(campaign_site)
        except TemplateFault as fault:
            campaign_site.site_context.warn(
                f"{campaign_site.view.title} is offered as no book: {fault}"
            )
            return
        for file_ending in file_endings:
            try:
                yield (
                    f"{campaign_site.folder}{file_ending}",
                    BOOK_FORMATS[file_ending].description,
                    bind_book(book, file_ending),
                )
            except NoBook as error:
                campaign_site.site_context.warn(
                    f"{campaign_site.view.title}: no {file_ending[1:].upper()}: {error}"
                )


def reference_pages() -> Iterator[SiteFile]:
    """The pages of Chronicle's own reference: how a log is written, game by game, and the commands."""
    game_links = "\n".join(f"- [{game.title}](format/{game.name}.md)" for game in rulebooks())
    shared_text = shared_reference().rstrip()
    yield SiteFile(
        "format",
        "The format of a log",
        markdown=f"{shared_text}\n\n## The words of each game\n\n{game_links}\n",
        meta={"title": "Format"},
    )
    for game in rulebooks():
        yield SiteFile(
            f"format/{game.name}",
            f"{game.title}: what you can write in a log",
            markdown=game_reference(game),
            meta={"title": f"{game.title}: format"},
        )
    for entry_point in entry_points(group=PAGE_ENTRY_POINTS):
        yield SiteFile(
            entry_point.name,
            entry_point.name.capitalize(),
            markdown=str(entry_point.load()()),
            meta={"title": entry_point.name.capitalize()},
        )


def render(
    path: Path,
    out: Path,
    *,
    project: Path | None = None,
    through: int | None = None,
    title: str = "",
    warn: Callable[[str], object] = print,
) -> list[Path]:
    """Write the pages as Markdown with front matter, their styles and a ``mkdocs.yml``, into a folder that
    MkDocs, ProperDocs and Zensical build without Chronicle.

    Args:
        path: a campaign folder, or a folder of campaigns.
        out: the target: a new or empty folder, or the folder of an earlier run.
        project: the project's root, whose ``templates/`` can override Chronicle's.
        through: show campaigns only up to this session.
        title: the site's name; by default, the title of a single campaign.
        warn: receives a message for each file or page that fails.

    Returns:
        Every new or changed file.

    Raises:
        OSError: when the folder cannot be written to.
        OutputRefused: when it would harm a file that a person wrote.
    """
    site, site_files, site_name = _render_site(
        path, out, project, through, title, warn, guest=False
    )
    files: dict[str, bytes] = {}
    for file in plain.plain_site_files(site_files, site.shared_pages, site_name):
        if file.contents is not None:
            files[f"docs/{file.path}"] = file.contents
        else:
            # Macros of the site must not run on the text of these pages.
            front_matter_text = front_matter({**file.meta, "render_macros": False})
            text = f"{front_matter_text}\n{file.html or file.markdown}\n"
            files[f"docs/{file.path}.md"] = text.encode()
    for file_path, text in plain.mkdocs_settings(site_name, site.campaigns).items():
        files[file_path] = text.encode()
    return fill_folder(out, files).written


def write_html(
    path: Path,
    out: Path,
    *,
    project: Path | None = None,
    through: int | None = None,
    title: str = "",
    warn: Callable[[str], object] = print,
) -> list[Path]:
    """Write the site as finished HTML files, which any web host serves and a browser opens from a disk.

    Args:
        path: a campaign folder, or a folder of campaigns.
        out: the target: a new or empty folder, or the folder of an earlier run.
        project: the project's root, whose ``templates/`` can override Chronicle's.
        through: show campaigns only up to this session.
        title: the site's name; by default, the title of a single campaign.
        warn: receives a message for each file or page that fails.

    Returns:
        Every new or changed file.

    Raises:
        OSError: when the folder cannot be written to.
        OutputRefused: when it would harm a file that a person wrote.
    """
    site, site_files, site_name = _render_site(path, out, project, through, title, warn, guest=True)
    files = {
        file.path: file.contents or b""
        for file in whole.html_files(site_files, site.shared_pages, site_name)
    }
    return fill_folder(out, files).written


def _render_site(
    path: Path,
    out: Path,
    project: Path | None,
    through: int | None,
    title: str,
    warn: Callable[[str], object],
    *,
    guest: bool,
) -> tuple[Site, list[SiteFile], str]:
    """Render a site for a folder: the campaigns, every page and file, and the name of the site.

    Raises:
        OutputRefused: when the folder holds files that the site is made of.
    """
    refuse_harmful_output(out, path, empties_folder=False)
    site = make_site(
        path, project=project, through=through, book_endings=(".epub",), guest=guest, warn=warn
    )
    site_files = [*site.files(), site.search_file()]
    for problem in site.problems:
        warn(problem)
    for campaign_site in site.campaigns:
        if count_severities(campaign_site.record.diagnostics)[Severity.ERROR]:
            warn(summarise_problems(campaign_site.record, project or path))
    site_name = title or (site.campaigns[0].view.title if len(site.campaigns) == 1 else "Chronicle")
    return site, site_files, site_name
