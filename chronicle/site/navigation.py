"""The navigation of a campaign: at most ten entries above every page, and a line at its foot.

Each kind of page names its entry (``nav_pages`` in its module). An entry leads to its first page; each of
its pages lists all of them in its head. An entry with too few pages moves into the entry before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from markupsafe import Markup, escape

from chronicle.core.campaign_view import NavEntry, Ref
from chronicle.core.diagnostic import Severity, count_severities
from chronicle.core.timeline import Frame
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.search import SEARCH_FILE
from chronicle.words import word

NAV_ENTRY_GROUPS: Final[tuple[tuple[NavEntry, ...], ...]] = (
    ("Story", "Sessions", "Journal"),
    ("Cast", "Map"),
    ("Catch up", "Timeline", "Contests", "Coins"),
    ("About",),
)
"""All entries, in order, as the navigation groups them."""
ALL_NAV_ENTRIES: Final = tuple(entry for group in NAV_ENTRY_GROUPS for entry in group)
FALLBACK_NAV_ENTRY: Final[dict[NavEntry, NavEntry]] = {
    "Journal": "Sessions",
    "Map": "Cast",
    "Catch up": "Sessions",
    "Timeline": "Sessions",
    "Contests": "Sessions",
    "Coins": "Contests",
}
"""For each entry, the entry that takes its pages if there are too few."""
SHORT_STORY_WORDS: Final = 880
"""A story of at most this many words has four entries."""
SMALL_STORY_WORDS: Final = 2200
"""A story of at most this many words and two sessions has no entries for its journal, map and timeline."""
MIN_JOURNAL_TEXTS: Final = 2
MIN_PEOPLE_ON_MAP: Final = 4
MIN_SCENES: Final = 6
MIN_CONTESTS: Final = 4


class NavPage(NamedTuple):
    """A page that the navigation leads to: its entry, its title, and a count or sign beside the title."""

    nav_entry: NavEntry
    title: str
    page_path: str
    badge: str = ""


class PageFrame(NamedTuple):
    """The frame of a page: the navigation above it, and the line at its foot."""

    html_above: str
    html_below: str


def is_short(campaign_site: CampaignSite) -> bool:
    """Whether a story is so short that four entries are enough."""
    return campaign_site.word_count <= SHORT_STORY_WORDS


def nav_entries_of(campaign_site: CampaignSite) -> frozenset[NavEntry]:
    """The navigation entries that a campaign has enough pages for."""
    nav_entries: set[NavEntry] = {"Story", "Sessions", "Cast", "About"}
    if is_short(campaign_site):
        return frozenset(nav_entries)
    record = campaign_site.record
    session_count = len(campaign_site.view.sessions)
    scenes = record.timeline.scenes
    connected_ids = {
        ref.id
        for bond in campaign_site.bonds.latest_bonds
        for ref in (bond.first_ref, bond.second_ref)
    }
    people_count = sum(1 for sheet in campaign_site.cast if sheet.id in connected_ids)
    contest_count = sum(1 for step in record.visible_steps() if step.contest is not None)
    has_flashback = any(scene.frame is Frame.PAST for scene in scenes)
    if session_count > 1:
        nav_entries.add("Catch up")
    if contest_count >= MIN_CONTESTS:
        nav_entries.add("Contests")
    if campaign_site.view.coin_word:
        nav_entries.add("Coins")
    if session_count <= 2 and campaign_site.word_count <= SMALL_STORY_WORDS:
        return frozenset(nav_entries)
    if len(record.campaign.journal) >= MIN_JOURNAL_TEXTS:
        nav_entries.add("Journal")
    if people_count >= MIN_PEOPLE_ON_MAP:
        nav_entries.add("Map")
    if has_flashback or len(scenes) >= MIN_SCENES:
        nav_entries.add("Timeline")
    return frozenset(nav_entries)


class Navigation:
    """The navigation of one campaign.

    Args:
        campaign_site: the campaign.
        nav_pages: the pages that it leads to.
    """

    def __init__(self, campaign_site: CampaignSite, nav_pages: Iterable[NavPage]) -> None:
        self._campaign_site = campaign_site
        shown_entries = nav_entries_of(campaign_site)
        self._pages_by_nav_entry: dict[NavEntry, list[NavPage]] = {
            nav_entry: [] for nav_entry in ALL_NAV_ENTRIES
        }
        for nav_page in sorted(
            nav_pages, key=lambda nav_page: ALL_NAV_ENTRIES.index(nav_page.nav_entry)
        ):
            nav_entry = nav_page.nav_entry
            while nav_entry not in shown_entries:
                nav_entry = FALLBACK_NAV_ENTRY[nav_entry]
            self._pages_by_nav_entry[nav_entry].append(nav_page)
        problem_counts = count_severities(campaign_site.record.diagnostics)
        error_and_warning_counts = problem_counts[Severity.ERROR], problem_counts[Severity.WARNING]
        licence = str(campaign_site.record.campaign.settings.licence or "")
        self._foot_data = campaign_site.record.rulebook.title, error_and_warning_counts, licence
        cache_inputs = (
            campaign_site.page_inputs,
            self._pages_by_nav_entry,
            self._foot_data,
            bool(campaign_site.view.sheets),
            is_short(campaign_site),
        )
        self._unmarked_frames: dict[str, PageFrame]
        self._marked_frames: dict[tuple[str, tuple[str, ...]], PageFrame]
        self._unmarked_frames, self._marked_frames = (
            campaign_site.site_context.build_cache.find_or_make(
                ("navigation", campaign_site.folder), cache_inputs, lambda: ({}, {})
            )
        )

    def frame_of(self, page_path: str, parent_paths: tuple[str, ...] = ()) -> PageFrame:
        """The navigation as seen from a page, with its entry marked.

        Args:
            page_path: its path within the campaign.
            parent_paths: the pages between the front page of the campaign and this page.
        """
        cached_frame = self._marked_frames.get((page_path, parent_paths))
        if cached_frame is None:
            cached_frame = self._marked_frames[page_path, parent_paths] = self._make_marked_frame(
                page_path, parent_paths
            )
        return cached_frame

    def _make_marked_frame(self, page_path: str, parent_paths: tuple[str, ...]) -> PageFrame:
        links_above, links_below = self._unmarked_frame(page_path)
        own_nav_entry = self._nav_entry_of(page_path) or next(
            filter(None, map(self._nav_entry_of, parent_paths)), None
        )
        if own_nav_entry is not None:
            first_page_path = self._pages_by_nav_entry[own_nav_entry][0].page_path
            url = escape(self._url(self._folder_path(page_path), first_page_path))
            aria_current = "page" if first_page_path == page_path else "true"
            href_attribute = f'href="{url}"'
            list_start = links_above.index("<ul")
            marked_list = links_above[list_start:].replace(
                href_attribute, f'{href_attribute} aria-current="{aria_current}"', 1
            )
            links_above = links_above[:list_start] + marked_list
        return PageFrame(links_above, links_below)

    def _nav_entry_of(self, page_path: str) -> NavEntry | None:
        """The entry that a page belongs to."""
        return next(
            (
                nav_entry
                for nav_entry, nav_pages in self._pages_by_nav_entry.items()
                if any(nav_page.page_path == page_path for nav_page in nav_pages)
            ),
            None,
        )

    def pages_of_same_nav_entry(self, page_path: str) -> tuple[NavPage, ...]:
        """All pages of the entry that a page belongs to; none if it is the only one."""
        nav_entry = self._nav_entry_of(page_path)
        nav_pages = self._pages_by_nav_entry[nav_entry] if nav_entry is not None else []
        return tuple(nav_pages) if len(nav_pages) > 1 else ()

    def _folder_path(self, page_path: str) -> str:
        """A path in the page's folder that is no page. Links seen from it fit every page of the folder, and
        none is shortened to the page itself."""
        is_folder_url = (
            self._campaign_site.site_context.url_builder.uses_folder_urls
            and not page_path.endswith("index")
        )
        folder = page_path if is_folder_url else page_path.rpartition("/")[0]
        return f"{folder}/ index".removeprefix("/")

    def _unmarked_frame(self, page_path: str) -> PageFrame:
        """The navigation with no entry marked."""
        folder_path = self._folder_path(page_path)
        if folder_path not in self._unmarked_frames:
            campaign_site, site_context = self._campaign_site, self._campaign_site.site_context
            navigation_macros: Any = site_context.env.get_template("macros/navigation.html").module
            home_url = self._url(folder_path, "index")
            site_url = site_context.url_builder.between(
                campaign_site.path_on_site(folder_path), "index"
            )
            cards_url, rules_url = campaign_site.card_script_urls(folder_path)
            search_files = {
                "story": self._url(folder_path, SEARCH_FILE),
                "site": site_context.url_builder.between(
                    campaign_site.path_on_site(folder_path), SEARCH_FILE
                ),
            }
            game, (errors, warnings), licence = self._foot_data
            foot_values = {
                "game": game,
                "errors": errors,
                "warnings": warnings,
                "licence": licence,
                "check": self._url(folder_path, "check"),
                "files": self._url(folder_path, "downloads"),
                "site": site_url,
                # The home page of another site need not list the stories.
                "home": word("site.home_page")
                if site_context.has_guest_style
                else word("site.all_stories"),
            }
            story_title = campaign_site.view.title
            self._unmarked_frames[folder_path] = PageFrame(
                str(
                    Markup(
                        navigation_macros.above(
                            story_title,
                            home_url,
                            self._group_data(folder_path),
                            cards_url,
                            rules_url,
                            search_files,
                        )
                    )
                ),
                str(Markup(navigation_macros.below(foot_values))),
            )
        return self._unmarked_frames[folder_path]

    def _group_data(self, folder_path: str) -> list[list[dict[str, str]]]:
        """The entries group by group, each with its title and address; empty groups are left out."""
        is_short_story = is_short(self._campaign_site)
        nav_groups = (
            (("Story", "Cast", "Sessions", "About"),) if is_short_story else NAV_ENTRY_GROUPS
        )
        entry_groups = (
            [
                {
                    "title": self._nav_entry_title(nav_entry),
                    "url": self._url(folder_path, self._pages_by_nav_entry[nav_entry][0].page_path),
                }
                for nav_entry in entry_group
                if self._pages_by_nav_entry[nav_entry]
            ]
            for entry_group in nav_groups
        )
        return [entry_group for entry_group in entry_groups if entry_group]

    def _nav_entry_title(self, nav_entry: NavEntry) -> str:
        if nav_entry == "Coins":
            return self._campaign_site.view.coin_word
        if nav_entry == "Sessions" and is_short(self._campaign_site):
            return word("site.how_it_was_played")
        return word(f"site.entry_{nav_entry.casefold().replace(' ', '_')}")

    def _url(self, from_path: str, target_path: str) -> str:
        return self._campaign_site.url(from_path, Ref("path", target_path, ""))
