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
from chronicle.export.log import logs, texts
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
from chronicle.site.library import Library
from chronicle.site.links import RESERVED_ADDRESSES, PageUrls, campaign_addresses, slugify
from chronicle.site.sandbox import BoundedEnvironment
from chronicle.site.search import (
    MAX_STORIES,
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

PAGES = "chronicle.pages"
"""The entry points that may add a page of Markdown to Chronicle's own site: ``commands``."""


def keep_off(out: Path, path: Path, *, emptied: bool) -> None:
    """Check that a site for the campaigns at ``path`` overwrites none of their files.

    Args:
        out: the folder of the site.
        path: a campaign folder, a folder of campaigns, or a project.
        emptied: whether the build empties ``out`` first, like MkDocs; otherwise it only replaces files of the
            same names.

    Raises:
        OutputRefused: when the build would harm a file that a person wrote.
    """
    project = find_project(path)
    searched_paths = dict.fromkeys([path, *([project.folder] if project is not None else [])])
    guarded = [
        (folder, "the campaign folder")
        for searched_path in searched_paths
        for folder in find_campaigns(searched_path)
    ]
    if project is not None:
        guarded.append((project.campaigns_folder, "the folder of campaigns"))
        guarded += [(project.folder / name, "the folder") for name in ("docs", "templates")]
    place = Path(out).resolve()
    root = project.folder.resolve() if project is not None else None
    for folder, label in guarded:
        real = folder.resolve()
        # A campaign can be the project itself; then its site is inside it.
        inside = place.is_relative_to(real) and real != root
        if place == real or inside or (emptied and real.is_relative_to(place)):
            raise OutputRefused(_refused(out, place, real, label, emptied))
    if root is not None and (place == root or (emptied and root.is_relative_to(place))):
        raise OutputRefused(_refused(out, place, root, "the project", emptied))


def _refused(out: Path, place: Path, real: Path, label: str, emptied: bool) -> str:
    how = "is" if place == real else "lies in" if place.is_relative_to(real) else "holds"
    harm = "it would be emptied" if emptied else "files in it would be replaced"
    return f"'{out}' {how} {label} '{real.name}', and {harm}"


CampaignFiles = tuple[CampaignSite, list[SiteFile]]
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
    child: LimitedProcess = field(default_factory=LimitedProcess)
    """The child process that reads players' files, since these can be harmful."""


@dataclass(slots=True)
class Site:
    """Everything a site shows, ready to be written. ``problems`` are campaigns that could not be read."""

    site_context: SiteContext
    campaigns: list[CampaignSite]
    library: Library
    problems: list[str]
    has_rule_pages: bool
    campaign_files: list[SiteFile]

    @property
    def late(self) -> bool:
        """Whether any file waits until a reader asks for it."""
        return any(campaign_site.has_older_downloads for campaign_site in self.campaigns)

    def is_on_demand(self, address: str) -> bool:
        """Whether an address is a file that waits until a reader asks for it."""
        return address.startswith(
            tuple(v.path_on_site(at) for v in self.campaigns for at in ("files/", "downloads"))
        )

    def files(self) -> Iterator[SiteFile]:
        """Every page and file, the games' pages last."""
        yield from self.campaign_files
        if self.has_rule_pages:
            yield from self.library.files()
        if self.library.archive_pages is not None:
            yield from self.library.archive_pages.files()

    def search_file(
        self, pages: Iterable[SearchDocument] = (), *, has_all_pages: bool = True
    ) -> SiteFile:
        """The file that all but the campaigns is searched by.

        Args:
            pages: the sections of the pages that the project wrote.
            has_all_pages: whether these are all pages of the project. If not, the search tells readers that
                others exist.
        """
        library = self.library
        rules: dict[str, list[str]] = {}
        page_rows = [*pages]
        for file in library.files() if self.has_rule_pages else ():
            if file.contents is not None:
                name = file.path.removeprefix("rules/").removesuffix(".js")
                page = library.address.from_root(f"rules/{name}")
                rules[name] = [library.games[name].title, file.path, page]
            else:
                page_rows += section_documents_of_file(file, library.address.from_root(file.path))
        stories = [
            SearchDocument(
                card.title,
                card.summary,
                library.address.from_root(card.page("index")),
                title_note=", ".join(card.players),
            )
            for card in library.campaigns
        ]
        few = len(stories) <= MAX_STORIES
        data = search_script(
            "",
            {"stories": stories[:CARDS_PER_SHARD], "pages": page_rows},
            campaigns=[f"{card.folder}/" for card in library.campaigns] if few else [],
            count=len(stories),
            rules=rules,
            archive=library.address.from_root(f"{ARCHIVE_FOLDER}/index")
            if library.archive_pages
            else "",
            whole=has_all_pages,
        )
        return SiteFile(SEARCH_FILE, contents=data)

    def handed(self) -> Iterator[DeskCampaign]:
        """The campaigns as the desk of the site hands them over: what readers may take away anyway."""
        for campaign_site in self.campaigns:
            record = campaign_site.record
            files = {name: text for name, _, text in logs(record)} | dict(texts(record))
            shown = campaign_site.pictures.shown_pictures()
            pictures = {file: (f"{campaign_site.folder}/{at}", data) for file, (at, data) in shown}
            titles = (campaign_site.view.title, record.campaign.game, record.rulebook.title)
            count = len(record.sessions), campaign_site.entry_count
            yield DeskCampaign(campaign_site.folder, *titles, *count, files, pictures)


class OtherCampaigns(NamedTuple):
    """Campaigns that got their pages elsewhere: their cards, those that cannot be shown (where their page
    is, and how their folder is called), and what the front door to them knows besides."""

    cards: Sequence[CampaignCard] = ()
    fallen: Mapping[str, str] = MappingProxyType({})
    door: ArchiveData | None = None
    wrong: Sequence[str] = ()
    """Errors in statements about them."""
    desk: Sequence[Mapping[str, Any]] = ()
    """What the desk of the site has to know of them."""


NO_OTHERS = OtherCampaigns()


def _holder_of(slug: str, reserved: Iterable[str]) -> str:
    """Who has an address that a campaign cannot get."""
    if slug in RESERVED_ADDRESSES:
        return "Chronicle or the site builder"
    if slug in {name.casefold() for name in reserved}:
        return "a page or folder of yours"
    return "another campaign"


def make_site(
    path: Path,
    *,
    project: Path | None = None,
    folders: bool = False,
    through: int | None = None,
    reference: bool | str = True,
    books: tuple[str, ...] = (),
    build_state: BuildState | None = None,
    begin: str = "",
    reserved: Iterable[str] = (),
    url: str = "",
    guest: bool = False,
    only: tuple[Path, str] | None = None,
    undone: str = "",
    other_campaigns: OtherCampaigns = NO_OTHERS,
    warn: Callable[[str], object] = print,
    report: Callable[[str], object] = lambda message: None,
    drawn: Callable[[], object] = lambda: None,
) -> Site:
    """Replay every campaign at or below ``path`` and lay out the site.

    Args:
        path: a campaign folder, or a folder of campaigns.
        project: the project's root, whose ``templates/`` can override Chronicle's.
        folders: whether addresses end in folders (MkDocs's ``use_directory_urls``).
        through: show campaigns only up to this session.
        reference: include the rules of the games played in the campaigns, or of all games. A site
            without campaigns has all of them.
        books: the kinds of book to offer for each campaign, by file ending (``.epub``).
        begin: the folder of the campaign for new readers; by default, a finished campaign.
        build_state: the results that an earlier build kept; only campaigns with changes are replayed.
        reserved: addresses at the root of the site that campaigns cannot have, such as pages of the project.
        url: the address of the site, if it is known.
        guest: whether the site has another look than Chronicle's.
        only: build a single campaign: its folder, and its address on the site.
        undone: why that campaign could not be built, if it could not.
        other_campaigns: campaigns whose pages exist already. With it, only the campaign ``only`` is replayed.
        warn: receives a message for each page or picture that could not be drawn.
        report: receives a message for each replayed campaign.
        drawn: called after each file.
    """
    build_state = BuildState() if build_state is None else build_state
    address = PageUrls(folders)
    games = {rules.name: rules for rules in rulebooks()}
    rules = {name: f"rules/{name}" for name in games} if reference else {}
    # Paths on the site are those within the project, wherever it is built from.
    root = (project or path).resolve()
    lines = _lines(root)
    settings = made_with(project, folders, through, reference, url, books, guest)
    if build_state.settings != settings:
        build_state.settings, build_state.env = settings, None
        build_state.cache.forget()
    env = build_state.env or make_environment(project, warn, build_state.graphs)
    if isinstance(env, BoundedEnvironment):
        warn = env.warn_keeper
    else:
        build_state.env = env
    bind_book = partial(bound, books)
    site_context = SiteContext(
        env, address, rules, warn, build_state.graphs, downloads, lines, root, url, bind_book, build_state.child,
        build_state.cache, guest,
    )  # fmt: skip
    campaigns: list[CampaignSite] = []
    campaign_files: list[SiteFile] = []
    problems: list[str] = []
    fallen = dict(other_campaigns.fallen)
    if only is not None:
        folders_found, addresses = [only[0]], dict([only])
    else:
        folders_found = find_campaigns(path) if other_campaigns is NO_OTHERS else []
        addresses = campaign_addresses(folders_found, reserved)
    with relaxed_gc():
        for folder in folders_found:
            at, name = addresses[folder], folder.resolve().name
            if at != (slugify(name) or "campaign"):
                warn(
                    f"{_within(folder, root)}: its pages are at '{at}/', as {_holder_of(slugify(name), reserved)}"
                    f" has the address '{slugify(name)}/': rename the folder to choose another address"
                )
            if undone:
                campaign_files.append(_fallen(name, at, undone))
                continue
            key, digest = str(folder), ""
            # If something went away meanwhile, or may not be read, loading it says more.
            with suppress(OSError):
                digest = fingerprint(folder, settings, at)
            last: CampaignFiles | None = (
                build_state.cache.last_result(("campaign", key)) if digest else None
            )
            unchanged: CampaignFiles | None = (
                build_state.cache.find_result(("campaign", key), digest) if digest else None
            )
            if unchanged is not None and not (
                unchanged[0].has_older_downloads and build_state.is_download_wanted
            ):
                campaign_site, files = unchanged
            else:
                try:
                    if unchanged is not None:
                        view = unchanged[0].view
                    else:
                        view = _view(folder, root, through, build_state.workspaces)
                        for remark in view.record.campaign.publishing_notes:
                            warn(remark)
                        for rewording in view.record.campaign.rewordings:
                            report(rewording)
                        report(
                            f"{view.title}: {plural(len(view.record.steps), 'entry', 'entries')}"
                        )
                    waits = (
                        build_state.workspaces is not None and not build_state.is_download_wanted
                    )
                    offered = last[0].downloads if last is not None and waits else None
                    campaign_site = CampaignSite(view, site_context, at, offered)
                    files = []
                    for file in pages.files(campaign_site):
                        files.append(file)
                        drawn()
                except CampaignUnreadable as error:
                    problems.extend(f"{d.place}: {d.message}" for d in error.diagnostics)
                    campaign_files.append(_fallen(name, at, "Its files cannot be read."))
                    fallen[at] = name
                    continue
                except Exception as error:
                    problems.append(fault_told(_within(folder, root), error))
                    campaign_files.append(_fallen(name, at, "Chronicle failed at it."))
                    fallen[at] = name
                    continue
                # A page with a template error is not cached, so that every build reports the error.
                if not (isinstance(env, BoundedEnvironment) and env.reported_faults):
                    build_state.cache.keep_result(("campaign", key), digest, (campaign_site, files))
            campaigns.append(campaign_site)
            campaign_files.extend(files)
    # Where one campaign alone gets pages, those about all are made elsewhere.
    cards = [*other_campaigns.cards, *map(card_of, campaigns)] if only is None else []
    played = {card.game for card in cards}
    if played and reference != "all":
        games = {name: game for name, game in games.items() if name in played}
        # Play examples of other games have no page of rules to lead to.
        for name in rules.keys() - played:
            del rules[name]
    library = Library(env, address, games, cards, fallen, build_state.cache, begin)
    library.draw_first_session = Examples(site_context, root).first_evening
    if other_campaigns.door is not None:
        library.archive_pages = ArchivePages(
            env, address, games, cards, other_campaigns.door, has_rule_pages=bool(reference)
        )
    return Site(site_context, campaigns, library, problems, bool(reference), campaign_files)


def _view(
    folder: Path, root: Path, through: int | None, workspaces: dict[Path, Workspace] | None
) -> CampaignView:
    """The CampaignView of a campaign, as readers may have it.

    Raises:
        CampaignUnreadable: when not even its game can be made out.
    """
    if workspaces is not None and through is None:
        workspace = workspaces.pop(folder, None) or Workspace(
            folder, root=root, shown=True, panels=True
        )
        workspace.reload()
        record, replay = workspace.record, workspace.replay
        if record is not None and not workspace.keeps_back:
            # One at which something fails is not gone on with.
            workspaces[folder] = workspace
            return view_of(record, replay)
    return open_view(load(folder, root=root), through=through)


def _within(folder: Path, root: Path) -> str:
    """A folder for messages: its path in the project."""
    real = folder.resolve()
    return (real.relative_to(root) if real.is_relative_to(root) else folder).as_posix()


def _fallen(name: str, at: str, why: str) -> SiteFile:
    """The page of a campaign that cannot be shown. It leaves out the error, which only its keeper gets: the
    error could quote secret text."""
    body = f"<h1>{escape(name)}</h1><p>This campaign cannot be shown. {why} Its keeper is told why.</p>"
    placeholder_data = {"title": name, "home": f"{at}/index.md", "folder": at}
    meta = {"title": name, "campaign": placeholder_data}
    return SiteFile(f"{at}/index", name, f'<div class="ch-body">{body}</div>', meta=meta)


FIRST_ERRORS = 3
"""How many errors of each campaign a build quotes."""


def problems_said(record: Record, project: Path) -> str:
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
    for diagnostic in errors[:FIRST_ERRORS]:
        place = diagnostic.place._replace(
            path=campaign.real_paths.get(diagnostic.place.path, diagnostic.place.path)
        )
        lines.append(safe(f"  {place}: error[{diagnostic.code}]: {diagnostic.message}"))
    if errors:
        folder = (project / campaign.folder).resolve()
        current_folder = Path.cwd()
        shown = (
            folder.relative_to(current_folder) if folder.is_relative_to(current_folder) else folder
        )
        left_out = len(errors) - FIRST_ERRORS
        more_errors = f"{plural(left_out, 'more error')}; " if left_out > 0 else ""
        lines.append(f"  {more_errors}show all:  chronicle check {quote(shown.as_posix())}")
    return "\n".join(lines)


def fault_told(folder: str, error: Exception) -> str:
    """What a build says of a campaign at which Chronicle itself failed."""
    diagnostic = fault_in(Path(folder), error)
    return f"{diagnostic.place}: {diagnostic.message}; {'; '.join(diagnostic.help)}"


def fingerprint(folder: Path, *further_inputs: str) -> str:
    """A hash of the inputs of a campaign's pages: the contents of its files, not their times. Links that lead
    out of the folder are not followed, as in a build."""
    digest = hashlib.sha256("\0".join(further_inputs).encode())
    home = folder.resolve()
    for file in sorted(folder.rglob("*")):
        if any(part.startswith(".") for part in file.parts):
            continue
        if file.is_file() and (not file.is_symlink() or file.resolve().is_relative_to(home)):
            digest.update(f"\0{file.relative_to(folder)}\0".encode())
            size = file.stat().st_size
            # Files above the size limit are never shown, so the hash leaves out their contents.
            data = str(size).encode() if size > MOST_PICTURE else read_file(file, MOST_PICTURE)
            digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()


def made_with(project: Path | None, *further_inputs: object) -> str:
    """What all pages of a site depend on besides the campaigns."""
    return json.dumps([*further_inputs, _templates(project)])


def _templates(project: Path | None) -> str:
    folders = [*template_folders(), *([project / "templates"] if project is not None else [])]
    return " ".join(fingerprint(folder) for folder in folders if folder.is_dir())


def _lines(root: Path) -> Callable[[str], Sequence[str]]:
    """Gives the lines of transcripts, each read once."""

    @lru_cache(maxsize=64)
    def lines(path: str) -> tuple[str, ...]:
        file = root / path
        try:
            data = read_as_finished(file) if path else b""
        except OSError:
            return ()
        return tuple(split_lines(data.decode("utf-8", "replace")))

    return lines


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
    for remark in view.record.campaign.publishing_notes:
        warn(remark)
    env = make_environment(project, warn)
    if isinstance(env, BoundedEnvironment):
        warn = env.warn_keeper
    return CampaignSite(view, SiteContext(env, PageUrls(), {}, warn))


def downloads(campaign_site: CampaignSite) -> Iterator[tuple[str, str, bytes]]:
    """What a reader may take away: (file name, what it is, bytes). Unrevealed secrets are left out."""
    yield from exports(campaign_site.record)


def bound(kinds: tuple[str, ...], campaign_site: CampaignSite) -> Iterator[tuple[str, str, bytes]]:
    """The books of a campaign for download: (file name, description, bytes). If a book cannot be made, the
    keeper gets a message and readers no link."""
    if kinds and campaign_site.chapters_by_session:
        try:
            view = compose_book(campaign_site)
        except TemplateFault as fault:
            campaign_site.site_context.warn(
                f"{campaign_site.view.title} is offered as no book: {fault}"
            )
            return
        for kind in kinds:
            try:
                yield (
                    f"{campaign_site.folder}{kind}",
                    BOOK_FORMATS[kind].description,
                    bind_book(view, kind),
                )
            except NoBook as error:
                campaign_site.site_context.warn(
                    f"{campaign_site.view.title}: no {kind[1:].upper()}: {error}"
                )


def reference_pages() -> Iterator[SiteFile]:
    """The pages of Chronicle's own reference: how a log is written, game by game, and the commands."""
    games = "\n".join(f"- [{rules.title}](format/{rules.name}.md)" for rules in rulebooks())
    words = shared_reference().rstrip()
    yield SiteFile(
        "format",
        "The format of a log",
        markdown=f"{words}\n\n## The words of each game\n\n{games}\n",
        meta={"title": "Format"},
    )
    for rules in rulebooks():
        yield SiteFile(
            f"format/{rules.name}",
            f"{rules.title}: the words of its log",
            markdown=game_reference(rules),
            meta={"title": f"{rules.title}: format"},
        )
    for entry in entry_points(group=PAGES):
        yield SiteFile(
            entry.name,
            entry.name.capitalize(),
            markdown=str(entry.load()()),
            meta={"title": entry.name.capitalize()},
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
    site, site_files, name = _rendered(path, out, project, through, title, warn, guest=False)
    files: dict[str, bytes] = {}
    for file in plain.plain_site_files(site_files, site.library, name):
        if file.contents is not None:
            files[f"docs/{file.path}"] = file.contents
        else:
            # Macros of the site must not run on the text of these pages.
            head = front_matter({**file.meta, "render_macros": False})
            text = f"{head}\n{file.html or file.markdown}\n"
            files[f"docs/{file.path}.md"] = text.encode()
    for place, text in plain.mkdocs_settings(name, site.campaigns).items():
        files[place] = text.encode()
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
    site, site_files, name = _rendered(path, out, project, through, title, warn, guest=True)
    files = {
        file.path: file.contents or b"" for file in whole.html_files(site_files, site.library, name)
    }
    return fill_folder(out, files).written


def _rendered(
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
    keep_off(out, path, emptied=False)
    site = make_site(
        path, project=project, through=through, books=(".epub",), guest=guest, warn=warn
    )
    site_files = [*site.files(), site.search_file()]
    for problem in site.problems:
        warn(problem)
    for campaign_site in site.campaigns:
        if count_severities(campaign_site.record.diagnostics)[Severity.ERROR]:
            warn(problems_said(campaign_site.record, project or path))
    name = title or (site.campaigns[0].view.title if len(site.campaigns) == 1 else "Chronicle")
    return site, site_files, name
