"""The keeper's notes: a page each, and the list of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chronicle.core.campaign_view import Ref
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.links import Slugs
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, previous_and_next_refs
from chronicle.words import word

INDEX = "notes/index"


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if campaign_site.record.campaign.notes:
        yield NavPage(
            "Journal", word("site.notes"), INDEX, str(len(campaign_site.record.campaign.notes))
        )


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The list, then the notes."""
    notes = campaign_site.record.campaign.notes
    if not notes:
        return
    slugs = Slugs(("index",))
    page_path_by_file = {
        note.path: f"notes/{slugs.slug_of(note.path, note.slug)}" for note in notes
    }
    note_refs = tuple(Ref("path", page_path_by_file[note.path], note.title) for note in notes)
    yield PageSpec(INDEX, word("site.notes"), note_refs, _list_values)
    for note, previous_and_next in zip(notes, previous_and_next_refs(note_refs), strict=True):
        page_path, crumbs = page_path_by_file[note.path], ((word("site.notes"), INDEX),)
        yield PageSpec(
            page_path,
            note.title,
            note.body,
            _note_values,
            crumbs,
            source_path=note.path,
            previous_and_next=previous_and_next,
        )


def _list_values(renderer: Renderer, note_refs: tuple[Ref, ...]) -> dict[str, Any]:
    return {"notes": [(ref.label, renderer.address(ref)) for ref in note_refs], "body": ""}


def _note_values(renderer: Renderer, note_body: str) -> dict[str, Any]:
    return {"notes": (), "body": renderer.prose(note_body)}
