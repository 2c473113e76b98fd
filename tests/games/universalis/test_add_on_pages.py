"""What readers are shown of add-ons: the pages of player characters, and who paid whom a royalty."""

from __future__ import annotations

from pathlib import Path

from chronicle.campaigns import load, open_view
from chronicle.core.campaign_view import CampaignView, Facts, Listing, Prose, Section, Stats, Table

SPECIMENS = Path(__file__).parents[3] / "chronicle/games/universalis/addons/specimens"


def view_of(name: str) -> CampaignView:
    """The book of an add-on's specimen."""
    return open_view(load(SPECIMENS / name))


def rows(view: CampaignView, slug: str) -> dict[str, str]:
    """The lines about the first character on a page, in plain words."""
    page = next(page for page in view.pages if page.slug == slug)
    section = next(block for block in page.blocks if isinstance(block, Section))
    facts = section.blocks[0]
    assert isinstance(facts, Facts)
    return {key: str(getattr(value, "label", value)) for key, value in facts.rows}


def test_a_player_character_has_owner_endowment_and_driver() -> None:
    view = view_of("story-drivers")
    assert rows(view, "player-characters") == {
        "Character": "Wen",
        "Player": "Bao",
        "Since": "bought here",
        "Endowment": "29 Coins left",
        "Story Driver": "To find out who opened the sluice (resolved)",
    }
    sheet = next(sheet for sheet in view.sheets if sheet.name == "Wen")
    own = sheet.aside[0]
    assert isinstance(own, Facts) and ("Player", "Bao") in own.rows
    assert any(isinstance(block, Stats) and block.title == "Endowments" for block in view.state)
    assert any(curve.title == "Endowments" for curve in view.curves)


def test_the_paragraph_stands_on_the_sheet_with_what_was_taken_from_it() -> None:
    sheet = next(sheet for sheet in view_of("descriptive-paragraph").sheets if sheet.name == "Wen")
    section = sheet.blocks[0]
    assert isinstance(section, Section)
    assert section.title == "Who Wen is"
    assert len(section.blocks) == 2


def test_the_page_of_player_characters_tells_the_paragraph_and_what_the_endowment_paid() -> None:
    view = view_of("descriptive-paragraph")
    page = next(page for page in view.pages if page.slug == "player-characters")
    (wen, *_) = (block for block in page.blocks if isinstance(block, Section))
    _, paragraph, moves = wen.blocks
    assert isinstance(paragraph, Prose) and "Wen" in paragraph.markdown
    assert isinstance(moves, Listing) and moves.items[-1].note.endswith("holds 21")


def test_royalties_are_listed() -> None:
    page = next(page for page in view_of("royalty").pages if page.slug == "royalties")
    (table,) = page.blocks
    assert isinstance(table, Table)
    assert table.rows[0][:2] == ("Bao", "Ana")


def test_what_an_endowment_bought_is_counted() -> None:
    page = next(page for page in view_of("endowment").pages if page.slug == "what-coins-bought")
    table = next(block for block in page.blocks if isinstance(block, Table))
    titles = [column.title for column in table.columns]
    bao = dict(zip(titles, next(row for row in table.rows if row[0] == "Bao"), strict=True))
    assert (bao["Control"], bao["Dice"], bao["Together"]) == (5, 2, 10)
