"""Everything that has a sheet, on one page: a table for each kind, and one for the people only spoken of."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign_view import Column, Inline, Ref, RegistryPage, Section, Table
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.links import slugify
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.site.pages.cast import CastMember, members_without_sheet
from chronicle.site.prose import markdown_to_text
from chronicle.words import word

PAGE_PATH = "everything"
TITLE = word("site.everything")


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if campaign_site.view.sheets:
        entry_count = len(campaign_site.view.sheets) + len(_members_without_sheet(campaign_site))
        yield NavPage("Cast", TITLE, PAGE_PATH, str(entry_count))


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """One page with all tables."""
    if campaign_site.view.sheets:
        ending_by_sheet = _ending_by_sheet(campaign_site)
        sections = [
            Section(
                f"{registry.title} {len(registry_rows)}",
                (
                    Table(
                        (
                            Column(word("site.name")),
                            *registry.columns,
                            Column(word("site.in_the_end")),
                        ),
                        registry_rows,
                        note=registry.intro,
                    ),
                ),
                slugify(registry.title),
            )
            for registry in campaign_site.view.registries
            if (registry_rows := tuple(_registry_rows(campaign_site, registry, ending_by_sheet)))
        ]
        if members := _members_without_sheet(campaign_site):
            columns = (Column(word("site.name")), Column(word("site.entry")))
            section_title = word("site.spoken_of_only")
            name_table = Table(columns, tuple(_rows_without_sheet(campaign_site, members)))
            sections.append(
                Section(f"{section_title} {len(members)}", (name_table,), slugify(section_title))
            )
        yield blocks_page(
            PAGE_PATH, TITLE, sections, intro=word("site.everything_intro"), spoiler_rule="rows"
        )


def _members_without_sheet(campaign_site: CampaignSite) -> tuple[CastMember, ...]:
    """The people of the cast who have no sheet."""
    session_ends = campaign_site.view.session_ends
    return members_without_sheet(campaign_site, max(session_ends)) if session_ends else ()


def _rows_without_sheet(
    campaign_site: CampaignSite, members: tuple[CastMember, ...]
) -> Iterator[tuple[Inline, ...]]:
    """A person a row, and the entry that tells of them; the last session, where no entry is named."""
    last_session = str(max(campaign_site.view.session_ends))
    for member in members:
        life_sentence = member.introduction or member.ending
        step_numbers = life_sentence.step_numbers if life_sentence is not None else ()
        entry_or_session = (
            Ref("step", str(step_numbers[0]), str(step_numbers[0]))
            if step_numbers
            else Ref("session", last_session, word("site.session_number", number=last_session))
        )
        yield member.ref, entry_or_session


def _ending_by_sheet(campaign_site: CampaignSite) -> dict[str, str]:
    """How things are in the end, in the keepers' words, by the ids of their sheets."""
    cited_texts = campaign_site.lives.cited_texts
    return {
        sheet.id: markdown_to_text(ending.text)
        for sheet in campaign_site.view.sheets
        if (ending := cited_texts.ending_of(sheet.id)) is not None
    }


def _registry_rows(
    campaign_site: CampaignSite, registry: RegistryPage, ending_by_sheet: dict[str, str]
) -> Iterator[tuple[Inline, ...]]:
    for sheet in campaign_site.view.sheets:
        if sheet.registry == registry.title:
            missing_count = len(registry.columns) - len(sheet.row)
            ending = ending_by_sheet.get(sheet.id, "")
            yield (Ref("sheet", sheet.id, sheet.name), *sheet.row, *([""] * missing_count), ending)
