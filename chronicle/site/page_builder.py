"""From what a page is made of to the page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

from markupsafe import escape

from chronicle.core.campaign_view import Block, Ref, Section
from chronicle.site.apart import DrawingTask, TemplateFault, draw_in_child_process, failed_page_html
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer, compact_html
from chronicle.site.emblems import Emblem, reuse_equal_emblems
from chronicle.site.files import SiteFile, digest_of
from chronicle.site.links import as_in_page, may_mention, shortened, slugify
from chronicle.site.navigation import Navigation, NavPage, PageFrame
from chronicle.site.news import FEED_FILE, dated_sessions
from chronicle.site.prose import typeset
from chronicle.site.sandbox import BoundedEnvironment
from chronicle.words import word

MAX_DESCRIPTION_LETTERS = 200
"""How many letters the description of a page has; those who show it cut what is longer."""

MIN_PARTS_WITH_JUMPS = 4
"""A page of so many parts begins with links to them."""


class CampaignData(NamedTuple):
    """The data of a campaign that every template gets, beside its own page."""

    title: str
    game: str
    players: Sequence[str]


@dataclass(frozen=True, slots=True)
class PageSpec:
    """A page before it is made."""

    page_path: str
    """Its path within the campaign."""
    title: str
    page_content: Any
    """All that it shows of the campaign, as values that can be compared: where they are what they
    were, so is the page."""
    make_template_values: Callable[[Renderer, Any], dict[str, Any]]
    """Gives what the template is filled with, from a renderer and the parts, and from nothing else."""
    crumbs: tuple[tuple[str, str], ...] | None = ()
    """The pages between the front page of the campaign and this page: (title, page). None: it is the front
    page."""
    source_path: str = ""
    """The file of the project it comes from."""
    previous_and_next: tuple[Ref | None, Ref | None] = (None, None)
    """The previous and the next page of the same kind."""
    siblings: tuple[Ref, ...] = ()
    """Pages of the same kind, with this page among them, for its head."""
    description: str = ""
    """A sentence about the page, for readers who have only a link to it. Default: the story's description."""
    last_session: int = 0
    """The last session that it tells; 0: to the end."""
    spoiler_rule: Literal["whole", "rows", "itself"] = "whole"
    """What becomes of it where a reader does not want to know the end: it is covered as a ``whole``, unless
    it tells no further; its ``rows`` that tell of later evenings are left out; or it sees to that
    ``itself``."""
    meta: dict[str, Any] = field(default_factory=dict)
    draws_full_html: bool = False
    """Whether its template draws a whole document, with nothing of the theme around it."""

    @property
    def cache_inputs(self) -> tuple[object, ...]:
        """All that decides how it looks."""
        spoiler_inputs = self.last_session, self.spoiler_rule
        return (
            self.title,
            self.crumbs,
            self.page_content,
            self.previous_and_next,
            self.siblings,
            spoiler_inputs,
        )


def previous_and_next_refs(refs: Sequence[Ref]) -> Iterator[tuple[Ref | None, Ref | None]]:
    """For each page of a kind, the previous and the next page."""
    return zip([None, *refs[:-1]], [*refs[1:], None], strict=True) if refs else iter(())


def blocks_page(
    page_path: str,
    title: str,
    blocks: Iterable[Block],
    *,
    intro: str = "",
    crumbs: tuple[tuple[str, str], ...] = (),
    previous_and_next: tuple[Ref | None, Ref | None] = (None, None),
    siblings: tuple[Ref, ...] = (),
    spoiler_rule: Literal["whole", "rows", "itself"] = "whole",
    **meta: Any,
) -> PageSpec:
    """A page of blocks, one below the other, as ``page.html`` sets them."""
    intro_and_blocks = intro, tuple(blocks)
    return PageSpec(
        page_path,
        title,
        intro_and_blocks,
        _blocks_values,
        crumbs,
        previous_and_next=previous_and_next,
        siblings=siblings,
        spoiler_rule=spoiler_rule,
        meta=meta,
    )


def _blocks_values(
    renderer: Renderer, intro_and_blocks: tuple[str, tuple[Block, ...]]
) -> dict[str, Any]:
    intro, blocks = intro_and_blocks
    return {
        "intro": renderer.game_text(intro) if intro else "",
        "blocks": blocks,
        "jumps": _section_jumps(blocks),
    }


def _section_jumps(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    """The ids and titles of the parts of a long page that is nothing but parts."""
    titled_sections = [
        block
        for block in blocks
        if isinstance(block, Section) and block.title and block.id and not block.gist
    ]
    is_long = len(titled_sections) == len(blocks) >= MIN_PARTS_WITH_JUMPS
    return [(slugify(section.id), section.title) for section in titled_sections] if is_long else []


class SharedFrame(NamedTuple):
    """The frame of every page of a campaign, beside the navigation."""

    cache_inputs: tuple[object, ...]
    story_description: str
    """What the story is about."""
    share_picture_path: str
    """The picture that goes with links to it, and the feed: paths within the site, or empty."""
    feed_path: str
    source_paths: Collection[str]
    """The files that it is read from."""


@dataclass(slots=True)
class CachedPage:
    """A page as it was made, and what it was found to rest on besides its specification."""

    urls_by_ref: dict[Ref, str]
    """Every reference that was looked up for it, and its address from there."""
    emblems_by_sheet: dict[str, Emblem | None]
    """Every sheet whose emblem was asked for, and the emblem."""
    pages_of_same_nav_entry: tuple[NavPage, ...]
    """The pages of its entry of the navigation, listed at its head."""
    html: str
    digest: str
    file_contents: bytes
    """The contents, if the page is a finished file."""
    frame_inputs: Any = None
    """What stands around it."""
    site_file: SiteFile | None = None
    """The page with that."""


class PageBuilder:
    """Makes the pages of one campaign. A page that would come out the same is taken from the cache.

    A page depends on its specification, the addresses of its references, its emblems, the pages beside it in the
    navigation, and the linked names in its texts. Templates of the project can depend on more, so with them
    every page is drawn each time.
    """

    def __init__(self, campaign_site: CampaignSite, navigation: Navigation) -> None:
        self._campaign_site = campaign_site
        self._navigation = navigation
        site_context = campaign_site.site_context
        self._cache = site_context.build_cache
        feed_path = (
            campaign_site.path_on_site(FEED_FILE)
            if site_context.site_url and dated_sessions(campaign_site)
            else ""
        )
        source_paths = campaign_site.record.campaign.real_paths
        self._shared_frame = SharedFrame(
            campaign_site.page_inputs,
            campaign_site.description,
            campaign_site.share_picture,
            feed_path,
            source_paths,
        )
        target_by_name = {
            linked_name: campaign_site.target_of(ref)
            for linked_name, ref in campaign_site.refs_by_linked_name.items()
        }
        last_target_by_name = (
            self._cache.last_result(("names", campaign_site.folder)) or target_by_name
        )
        changed_names = {
            linked_name for linked_name, _ in last_target_by_name.items() ^ target_by_name.items()
        }
        self._changed_names = [as_in_page(linked_name) for linked_name in changed_names]
        self._target_by_name = target_by_name

    def make_all(self, page_specs: Iterable[tuple[PageSpec | SiteFile, str]]) -> Iterator[SiteFile]:
        """Draw each page with its template in ``templates/pages/``, and pass on files, in order."""
        env = self._campaign_site.site_context.env
        if not isinstance(env, BoundedEnvironment):
            for spec_or_file, template_name in page_specs:
                yield (
                    spec_or_file
                    if isinstance(spec_or_file, SiteFile)
                    else self.make(spec_or_file, template_name)
                )
            # Not before every page has been held against them.
            self._cache.keep_result(
                ("names", self._campaign_site.folder), None, self._target_by_name
            )
            return
        specs_and_templates = [*page_specs]
        drawn_texts = draw_in_child_process(
            env,
            [
                DrawingTask(
                    partial(self._render_texts, spec_or_file, template_name),
                    f"pages/{template_name}",
                )
                for spec_or_file, template_name in specs_and_templates
                if isinstance(spec_or_file, PageSpec)
            ],
        )
        for spec_or_file, _ in specs_and_templates:
            yield (
                spec_or_file
                if isinstance(spec_or_file, SiteFile)
                else self._assemble_page(env, spec_or_file, next(drawn_texts))
            )

    def _render_texts(self, page_spec: PageSpec, template_name: str) -> list[str]:
        """Return the texts of a page: its body, and the navigation above and below it."""
        page_html = self._render_page(page_spec, template_name)[0].html
        return [page_html] if page_spec.draws_full_html else [page_html, *self._frame_of(page_spec)]

    def _assemble_page(
        self, env: BoundedEnvironment, page_spec: PageSpec, page_texts: list[str] | TemplateFault
    ) -> SiteFile:
        if isinstance(page_texts, TemplateFault):
            env.report(str(page_texts))
            page_texts = [failed_page_html(page_spec.title), "", ""]
        page_html, *html_above_and_below = page_texts
        contents = page_html.encode()
        if page_spec.draws_full_html:
            return self._document_file(page_spec, contents)
        return self._page_with_frame(
            page_spec, page_html, digest_of(page_html), PageFrame(*html_above_and_below)
        )

    def make(self, page_spec: PageSpec, template_name: str) -> SiteFile:
        """The page that a specification describes, drawn by a file in ``templates/pages/``."""
        cache_key = "page", self._campaign_site.folder, page_spec.page_path
        reading_time = self._reading_time_text(page_spec)
        cache_inputs = (
            self._campaign_site.page_inputs,
            template_name,
            page_spec.cache_inputs,
            reading_time,
        )
        cached_page: CachedPage | None = self._cache.find_result(cache_key, cache_inputs)
        if cached_page is None or not self._is_current(cached_page, page_spec):
            cached_page, is_complete = self._render_page(page_spec, template_name)
            # A graph that could not be laid out is tried again.
            self._cache.keep_result(cache_key, cache_inputs if is_complete else None, cached_page)
        if page_spec.draws_full_html:
            return self._document_file(page_spec, cached_page.file_contents)
        page_frame = self._frame_of(page_spec)
        frame_inputs = (
            self._shared_frame,
            page_frame,
            page_spec.description,
            page_spec.source_path,
            page_spec.meta,
        )
        # The same object tells later steps that the file did not change.
        if cached_page.site_file is None or cached_page.frame_inputs != frame_inputs:
            cached_page.frame_inputs = frame_inputs
            cached_page.site_file = self._page_with_frame(
                page_spec, cached_page.html, cached_page.digest, page_frame
            )
        return cached_page.site_file

    def _frame_of(self, page_spec: PageSpec) -> PageFrame:
        return self._navigation.frame_of(
            page_spec.page_path, tuple(crumb_path for _, crumb_path in page_spec.crumbs or ())
        )

    def _page_with_frame(
        self, page_spec: PageSpec, page_html: str, digest: str, page_frame: PageFrame
    ) -> SiteFile:
        """A page with its frame."""
        return SiteFile(
            self._campaign_site.path_on_site(page_spec.page_path),
            page_spec.title,
            page_html,
            digest,
            meta=self._front_matter(page_spec),
            # A link to edit a file would tell the name it really has.
            source_path=""
            if page_spec.source_path in self._campaign_site.record.campaign.real_paths
            else page_spec.source_path,
            html_above=page_frame.html_above,
            html_below=page_frame.html_below,
        )

    def _document_file(self, page_spec: PageSpec, contents: bytes) -> SiteFile:
        """A page that is a finished file."""
        uses_folder_urls = self._campaign_site.site_context.url_builder.uses_folder_urls
        file_path = (
            f"{page_spec.page_path}/index.html"
            if uses_folder_urls
            else f"{page_spec.page_path}.html"
        )
        return SiteFile(self._campaign_site.path_on_site(file_path), contents=contents)

    def _is_current(self, cached_page: CachedPage, page_spec: PageSpec) -> bool:
        """Whether what a page rests on besides its specification is what it was."""
        find_url, page_path, find_emblem = (
            self._campaign_site.url,
            page_spec.page_path,
            self._campaign_site.find_emblem,
        )
        return (
            all(
                find_url(page_path, ref) == former_url
                for ref, former_url in cached_page.urls_by_ref.items()
            )
            and all(
                find_emblem(sheet_id) == former_emblem
                for sheet_id, former_emblem in cached_page.emblems_by_sheet.items()
            )
            and cached_page.pages_of_same_nav_entry
            == self._navigation.pages_of_same_nav_entry(page_path)
            and not (self._changed_names and may_mention(cached_page.html, self._changed_names))
        )

    def _render_page(self, page_spec: PageSpec, template_name: str) -> tuple[CachedPage, bool]:
        """A page as its template draws it, and whether all that is on it could be drawn."""
        campaign_site = self._campaign_site
        urls_by_ref: dict[Ref, str] = {}
        emblems_by_sheet: dict[str, Emblem | None] = {}
        pages_of_same_nav_entry = self._navigation.pages_of_same_nav_entry(page_spec.page_path)
        renderer = campaign_site.renderer(page_spec.page_path, urls_by_ref, emblems_by_sheet)
        template = campaign_site.site_context.env.get_template(f"pages/{template_name}")
        template_values = {
            "renderer": renderer,
            "book": CampaignData(
                campaign_site.view.title,
                campaign_site.record.rulebook.title,
                campaign_site.view.players(),
            ),
            "Ref": Ref,
            "title": page_spec.title,
            "crumbs": self._crumb_links(page_spec),
            "beside": self._head_links(renderer, page_spec, page_spec.siblings),
            "same_entry": [
                {**link, "badge": entry_page.badge}
                for link, entry_page in zip(
                    self._head_links(
                        renderer,
                        page_spec,
                        [
                            Ref("path", entry_page.page_path, entry_page.title)
                            for entry_page in pages_of_same_nav_entry
                        ],
                    ),
                    pages_of_same_nav_entry,
                    strict=False,
                )
            ],
            **page_spec.make_template_values(renderer, page_spec.page_content),
        }
        body_html = template.render(template_values)
        if any(page_spec.previous_and_next):
            neighbour_links = [
                {"title": ref.label, "url": renderer.address(ref)} if ref is not None else None
                for ref in page_spec.previous_and_next
            ]
            body_html = f"{body_html}{renderer.macro('page', 'turn', *neighbour_links)}"
        div_attributes = (
            f'data-through="{page_spec.last_session}"'
            if page_spec.last_session
            else f'data-tells="{page_spec.spoiler_rule}"'
        )
        if page_spec.title != campaign_site.view.title:
            # On paper, where the header does not stand above it.
            div_attributes += f' data-of="{escape(campaign_site.view.title)}"'
        reading_time = self._reading_time_text(page_spec)
        if reading_time:
            div_attributes += f' data-length="{escape(reading_time)}"'
        page_html = reuse_equal_emblems(
            compact_html(
                body_html
                if page_spec.draws_full_html
                else f'<div class="ch-body" {div_attributes}>{body_html}</div>'
            )
        )
        file_contents = page_html.encode() if page_spec.draws_full_html else b""
        return CachedPage(
            urls_by_ref,
            emblems_by_sheet,
            pages_of_same_nav_entry,
            page_html,
            digest_of(page_html),
            file_contents,
        ), not renderer.graphs.has_failed

    def _reading_time_text(self, page_spec: PageSpec) -> str:
        """How long the story takes, for readers who have not begun it and are shown the way to it."""
        minutes = self._campaign_site.reading_minutes if page_spec.spoiler_rule != "itself" else 0
        return word("site.minutes", count=minutes) if minutes else ""

    def _crumb_links(self, page_spec: PageSpec) -> list[dict[str, str]]:
        if not page_spec.crumbs:
            return []
        return [
            *(
                {
                    "title": crumb_title,
                    "url": self._campaign_site.url(
                        page_spec.page_path, Ref("path", crumb_path, crumb_title)
                    ),
                }
                for crumb_title, crumb_path in page_spec.crumbs
            ),
            {"title": page_spec.title},
        ]

    def _head_links(
        self, renderer: Renderer, page_spec: PageSpec, refs: Iterable[Ref]
    ) -> list[dict[str, Any]]:
        """Links for the head of a page. The link to the page itself is marked."""
        target_of = self._campaign_site.target_of
        own_target = self._campaign_site.path_on_site(page_spec.page_path), ""
        return [
            {
                "title": ref.label,
                "url": renderer.address(ref),
                "here": target_of(ref) == own_target,
            }
            for ref in refs
        ]

    def _page_description(self, page_spec: PageSpec) -> str:
        page_title, story_title = page_spec.title, self._campaign_site.view.title
        story_description = self._shared_frame.story_description or word(
            "site.about_story", story=story_title
        )
        if page_spec.description:
            return shortened(page_spec.description, MAX_DESCRIPTION_LETTERS)
        return shortened(
            story_description
            if page_spec.crumbs is None
            else f"{page_title}: {story_title}. {story_description}",
            MAX_DESCRIPTION_LETTERS,
        )

    def _front_matter(self, page_spec: PageSpec) -> dict[str, Any]:
        """Front matter: whose page it is."""
        campaign_site, shared_frame = self._campaign_site, self._shared_frame
        home_file = f"{campaign_site.path_on_site('index')}.md"
        campaign_meta = {
            "title": campaign_site.view.title,
            "home": home_file,
            "folder": campaign_site.folder,
        }
        if shared_frame.feed_path:
            campaign_meta["feed"] = shared_frame.feed_path
        return {
            "title": typeset(page_spec.title),
            "hide": ["navigation", "toc"],
            # Themes write this text into an attribute without escaping it.
            "description": str(escape(self._page_description(page_spec))),
            **(
                {"image": shared_frame.share_picture_path}
                if shared_frame.share_picture_path
                else {}
            ),
            "campaign": campaign_meta,
            **page_spec.meta,
        }
