"""The campaigns of a project as a site builder asks for them: all of them, one alone, or what leads to all."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import PrefixedLogger
from mkdocs.structure.files import Files

from chronicle.adapters.config import SESSIONS, ChronicleConfig, project_of
from chronicle.adapters.desk import DeskFile, SiteDesk
from chronicle.adapters.settings import reference_of, roots_of
from chronicle.core.corpus import Figures, campaign_figures
from chronicle.core.diagnostic import Severity, count_severities, did_you_mean, plural
from chronicle.core.installation import install_command
from chronicle.publish import (
    NO_OTHERS,
    BuildState,
    OtherCampaigns,
    Site,
    make_site,
    summarise_problems,
)
from chronicle.site import device
from chronicle.site.cache import BuildCache
from chronicle.site.cards import CampaignCard, card_of
from chronicle.site.files import SiteFile
from chronicle.site.news import FEED_FILE as FEED
from chronicle.site.progress import Progress
from chronicle.site.share import can_draw

NO_PICTURES = "links to this site are shown without a picture; to have one:  {}"


@dataclass(frozen=True)
class Scope:
    """The campaigns that builds make pages of; by default, all of the project."""

    only_campaign: tuple[Path, str] | None = None
    """The only campaign that gets pages, and its folder; other builds make the rest of the site."""
    reason_unfinished: str = ""
    """The reason why that campaign is not tried; empty if it is."""
    gets_desk_later: bool = False
    """Whether the site that it becomes a part of will have a desk."""
    other_campaigns: OtherCampaigns = NO_OTHERS
    """The campaigns that have their pages already, for a site that is all but these."""


class Campaigns:
    """Renders the campaigns of a project, and keeps from build to build what has not changed.

    Args:
        log: told what goes wrong.
    """

    def __init__(self, log: PrefixedLogger) -> None:
        self.through: int | None = None
        """The last session that the command line wants to see of every campaign; wins over the setting."""
        self.scope = Scope()
        self.progress = Progress()
        self.site: Site | None = None
        self.desk_files: list[DeskFile] = []
        self._log = log
        self._serving = False
        self._build_state = BuildState()
        self._desk: SiteDesk | None = None
        self._reported: dict[str, str] = {}
        """What the last build said of the problems in each campaign, by the campaign's address."""

    def set_serving(self, is_serving: bool) -> None:
        """Say whether one build follows another, as it does while a site is served."""
        self._serving = is_serving
        self._build_state.workspaces = {} if is_serving else None

    def limit(self, scope: Scope) -> None:
        """Choose the campaigns that the next builds make pages of."""
        self.scope = scope
        if scope.only_campaign is not None:
            build_state = self._build_state
            build_state.cache.forget(kept_kind="library")
            self._build_state = BuildState(
                cache=build_state.cache,
                settings=build_state.settings,
                limited_process=build_state.limited_process,
            )
        # The command that builds campaigns one by one shows the progress itself.
        self.progress = Progress(StringIO()) if scope.only_campaign is not None else Progress()

    def render(
        self, files: Files, config: MkDocsConfig, chosen: ChronicleConfig, *, guest: bool
    ) -> list[SiteFile]:
        """Render every page and file.

        Args:
            files: the hand-written files, whose addresses no campaign may take.
            config: MkDocs's configuration.
            chosen: the settings of the plugin.
            guest: whether the site has another look than ours.

        Raises:
            PluginError: when there is no campaign to show, or there are errors in a strict build.
        """
        project, scope = project_of(config), self.scope
        folder = project / chosen.sessions
        if not folder.is_dir():
            missing_message = f"there is no folder '{chosen.sessions}' with campaigns"
            if chosen.sessions != SESSIONS:
                folders = [path.name for path in project.iterdir() if path.is_dir()]
                suggestion = did_you_mean(chosen.sessions, folders)
                raise PluginError(
                    f"chronicle: {missing_message}{suggestion or ';'} mkdocs.yml names it with "
                    f"'sessions: {chosen.sessions}'"
                )
            # The site of a rule book may have play examples alone.
            self._log.info("%s: play examples and rules alone", missing_message)
        site = self.site = make_site(
            folder,
            project=project,
            uses_folder_urls=config.use_directory_urls,
            through=chosen.through if self.through is None else self.through,
            first_campaign_folder=chosen.begin,
            reference=chosen.reference,
            book_endings=tuple(f".{kind}" for kind in chosen.book),
            build_state=self._build_state,
            reserved_addresses=roots_of(files),
            site_url=config.site_url or "",
            guest=guest,
            only_campaign=scope.only_campaign,
            reason_unfinished=scope.reason_unfinished,
            other_campaigns=scope.other_campaigns,
            warn=self._log.warning,
            report=self._log.info,
            after_file=lambda: self.progress.count_item("pages drawn"),
        )
        rendered_files = [*(site.files() if scope.only_campaign is None else site.campaign_files)]
        if scope.only_campaign is None:
            rendered_files += [*reference_of(config), *self._feed(site, config)]
            if guest:
                rendered_files.append(site.search_file(has_all_pages=False))
        for problem in site.problems:
            self._log.warning(problem)
        self._report_errors(site, project, strict=config.strict)
        if not site.has_files_on_demand or not self.desk_files:
            self.desk_files = [*self._files_of_desk(site, chosen)]
        site.shared_pages.has_desk = bool(self.desk_files) or scope.gets_desk_later
        self.progress.begin_stage()
        return rendered_files

    def _report_errors(self, site: Site, project: Path, *, strict: bool) -> None:
        """Log what the check finds in each campaign that is new or changed since the last build: as errors if the build
        fails for them, else as warnings.

        Raises:
            PluginError: when there is an error and the build is ``strict``. While serving, and where campaigns are
                built one by one, the build goes on, and its log shows the errors.
        """
        is_failing = strict and not self._serving
        last_reports, self._reported = self._reported, {}
        error_count = campaign_count = 0
        for campaign_site in site.campaigns:
            record = campaign_site.record
            counts = count_severities(record.diagnostics)
            error_count += counts[Severity.ERROR]
            campaign_count += bool(counts[Severity.ERROR])
            self._reported[campaign_site.folder] = message = summarise_problems(record, project)
            if message and last_reports.get(campaign_site.folder) != message:
                level = logging.ERROR if is_failing else logging.WARNING
                self._log.log(level if counts[Severity.ERROR] else logging.INFO, message)
        if error_count and is_failing and self.scope.only_campaign is None:
            campaign_count_text = plural(campaign_count, "campaign")
            raise PluginError(
                f"chronicle: {plural(error_count, 'error')} in the logs of {campaign_count_text}"
            )

    def _feed(self, site: Site, config: MkDocsConfig) -> Iterator[SiteFile]:
        """The feed of all campaigns, where the site's address is known, and what to say if its links are
        shown without pictures."""
        if not config.site_url:
            return
        feed = site.shared_pages.feed(config.site_url, config.site_name)
        if feed is not None:
            yield SiteFile(FEED, contents=feed)
        if not can_draw():
            self._log.info(NO_PICTURES.format(install_command("cards")))

    def _files_of_desk(self, site: Site, chosen: ChronicleConfig) -> Iterator[DeskFile]:
        """The files of the desk; of a campaign that is made alone, what it gives to the desk of all."""
        if self._desk is None:
            self._desk = SiteDesk(chosen.sessions, self._log.warning, self._log.info)
        if self.scope.only_campaign is None:
            other_summaries = self.scope.other_campaigns.desk_summaries
            return self._desk.files(
                site.desk_campaigns(), other_summaries, chosen.desk, keep=self._serving
            )
        return self._desk.separate_files(
            site.desk_campaigns() if self.scope.gets_desk_later else (), keep=self._serving
        )

    # -- the last build -- -----------------------------------------------------------

    @property
    def rendered_site(self) -> Site:
        """The site of the last build. There has been a build."""
        assert self.site is not None
        return self.site

    @property
    def card(self) -> CampaignCard | None:
        """The campaign that was built alone, as all others see it; None if it cannot be shown."""
        return next(map(card_of, self.rendered_site.campaigns), None)

    @property
    def figures(self) -> Figures | None:
        """What the play of that campaign comes to; None if it cannot be shown."""
        campaigns = self.rendered_site.campaigns
        return next((campaign_figures(campaign_site.view) for campaign_site in campaigns), None)

    @property
    def cache(self) -> BuildCache:
        """What builds made."""
        return self._build_state.cache

    @property
    def late(self) -> bool:
        """Whether downloads are still to be made."""
        return self.site is not None and self.site.has_files_on_demand

    def takes(self, address: str) -> bool:
        """Whether a request for this address needs files that may not be made yet."""
        site = self.site
        return site is not None and (
            address.startswith(f"{device.DESK_FOLDER}/") or site.is_on_demand(address)
        )

    @contextmanager
    def complete(self) -> Iterator[None]:
        """Make the files that have waited, in the builds within this context."""
        self._build_state.is_download_wanted = True
        try:
            yield
        finally:
            self._build_state.is_download_wanted = False
