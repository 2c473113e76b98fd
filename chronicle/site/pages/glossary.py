"""How to read this (``glossary.html``): what the marks on the pages mean, and the words of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.diagnostic import unit_name
from chronicle.core.rules import Term
from chronicle.site.campaign_site import GLOSSARY_PAGE, CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.emblems import Emblem
from chronicle.site.links import slugify
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.words import word

TITLE = word("site.how_to_read")


class GlossaryContents(NamedTuple):
    """What the page shows."""

    terms: tuple[Term, ...]
    has_dice: bool
    has_coins: bool
    unit_name: str
    """The first unit that moves; empty if none does."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("About", TITLE, GLOSSARY_PAGE)


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """One page."""
    terms = sorted(campaign_site.rule_registry.terms, key=lambda term: term.synonyms[0].casefold())
    description = word("site.how_to_read_about", story=campaign_site.view.title)
    view = campaign_site.view
    first_unit = next((posting.unit for posting in view.record.ledger.postings), "")
    glossary_contents = GlossaryContents(
        tuple(terms), campaign_site.throws_dice, bool(view.coin_word), first_unit
    )
    # Every campaign of a game has the same page, so it says nothing about this story.
    meta = {"search": {"exclude": True}}
    yield PageSpec(
        GLOSSARY_PAGE,
        TITLE,
        glossary_contents,
        _template_values,
        description=description,
        meta=meta,
        spoiler_rule="itself",
    )


def _template_values(renderer: Renderer, glossary_contents: GlossaryContents) -> dict[str, Any]:
    return {
        "dice": glossary_contents.has_dice,
        "coins": glossary_contents.has_coins,
        "cost": f"−2 {unit_name(glossary_contents.unit_name, 2)}"
        if glossary_contents.unit_name
        else "",
        "emblems": {
            emblem_name: renderer.draw_emblem(
                Emblem(word("site.somebody"), motif, shape, is_dark, False, tick_count)
            )
            for emblem_name, motif, shape, is_dark, tick_count in (
                ("person", "hat", "person", False, 5),
                ("other", "hat", "person", True, 0),
                ("kind", "hat", "kind", False, 0),
                ("thing", "book", "thing", False, 0),
            )
        },
        "terms": [
            {
                "anchor": slugify(term.synonyms[0]),
                "word": term.synonyms[0],
                "also": ", ".join(term.synonyms[1:]),
                "text": term.text,
                "rule": renderer.rule(term.rule),
            }
            for term in glossary_contents.terms
        ],
    }
