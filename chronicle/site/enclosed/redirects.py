"""Pages under former and other names, that lead on to the page of today."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup, escape

from chronicle.core.campaign_view import Ref
from chronicle.core.names import PLAYER
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import message_markup
from chronicle.site.files import SiteFile
from chronicle.site.links import file_slug

_REDIRECT_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
    '<meta http-equiv="refresh" content="0; url={url}"><meta name="robots" content="noindex">'
    '<link rel="canonical" href="{url}"></head>'
    "<body><p>{moved}</p></body></html>"
)


def redirect_files(campaign_site: CampaignSite) -> Iterator[SiteFile]:
    """A file a name, unless a page has that address."""
    registry_folders = [
        campaign_site.registry_folder(registry.title) for registry in campaign_site.view.registries
    ]
    used_slugs: set[str] = set()
    for sheet in campaign_site.view.sheets:
        target_path = campaign_site.sheet_page_path(sheet)
        own_folder = target_path.rpartition("/")[0]
        for alias in sheet.names[1:]:
            slug = file_slug(alias)
            if campaign_site.sheet_slugs.is_taken(slug) or slug in used_slugs:
                continue
            used_slugs.add(slug)
            # A sheet that was merged into another kind of sheet had its page in another folder.
            for sheet_folder in registry_folders if alias in sheet.former_names else [own_folder]:
                yield _redirect(campaign_site, f"{sheet_folder}/{slug}", target_path, sheet.name)
    used_slugs.clear()
    for subject in campaign_site.record.names.all.values():
        if subject.kind == PLAYER:
            for former_name in campaign_site.record.names.former_names(subject):
                slug = file_slug(former_name)
                if not campaign_site.player_slugs.is_taken(slug) and slug not in used_slugs:
                    used_slugs.add(slug)
                    target_path = campaign_site.player_page_path(subject.name)
                    yield _redirect(campaign_site, f"players/{slug}", target_path, subject.name)


def _redirect(
    campaign_site: CampaignSite, old_path: str, target_path: str, target_name: str
) -> SiteFile:
    """A page that leads on to another, without script and from a disk too."""
    url = campaign_site.url(old_path, Ref("path", target_path, ""))
    link_html = Markup('<a href="{}">{}</a>').format(url, target_name)
    moved_html = message_markup("site.moved", link=link_html)
    page_html = _REDIRECT_PAGE.format(url=escape(url), name=escape(target_name), moved=moved_html)
    file_path = (
        f"{old_path}/index.html"
        if campaign_site.site_context.url_builder.uses_folder_urls
        else f"{old_path}.html"
    )
    return SiteFile(campaign_site.path_on_site(file_path), contents=page_html.encode())
