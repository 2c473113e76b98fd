"""About a story: what it is, who played it when, how strictly its log is checked, and what stands beside it. It tells
no more than the front page, so it is open to who has not begun to read."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle import __version__
from chronicle.core.campaign_view import Facts, Inline, Item, Listing, Ref, comma_separated
from chronicle.site.campaign_site import GLOSSARY_PAGE, CampaignSite
from chronicle.site.dates import date_span
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.words import word

PAGE_PATH = "about"
TITLE = word("site.about")


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("About", TITLE, PAGE_PATH)


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The page."""
    summary = campaign_site.record.campaign.settings.summary
    yield blocks_page(
        PAGE_PATH,
        TITLE,
        [
            Facts(tuple(_facts(campaign_site))),
            Listing(tuple(_related_pages(campaign_site)), word("site.about_more")),
        ],
        intro=" ".join(str(summary or "").split()),
        spoiler_rule="itself",
        search={"exclude": True},
    )


def _facts(campaign_site: CampaignSite) -> Iterator[tuple[str, Inline]]:
    """Who played what and when, how it was checked, and what was agreed before play."""
    record, campaign, view = campaign_site.record, campaign_site.record.campaign, campaign_site.view
    settings = campaign.settings
    rulebook = record.rulebook
    game_ref = Ref("game", rulebook.name, rulebook.title)
    yield word("site.game"), (game_ref, f". {rulebook.summary}".rstrip())
    session_dates = [session.date for session in view.sessions if session.date]
    if view.players():
        player_refs = comma_separated(
            Ref("player", player_name, player_name) for player_name in view.players()
        )
        yield word("site.players"), player_refs
    if session_dates:
        yield word("site.played"), date_span(session_dates[0], session_dates[-1])
    if campaign_site.reading_minutes:
        length_texts = (
            word("site.sessions_count", count=len(view.sessions)),
            word("site.minutes", count=campaign_site.reading_minutes),
        )
        yield word("site.length"), ", ".join(length_texts)
    ruling_by_key = {ruling.key: ruling for ruling in campaign_site.rule_registry.rulings}
    chosen_readings = record.rulings
    for ruling_key in chosen_readings.chosen_keys:
        ruling = ruling_by_key[ruling_key]
        yield (
            word("site.reading"),
            f"{ruling.question} {ruling.readings[chosen_readings[ruling_key]]}",
        )
    pinned_version = campaign.pinned_version
    version_message_key = (
        "site.version" if pinned_version in ("", __version__) else "site.version_pinned"
    )
    version_text = word(version_message_key, version=__version__, pinned=pinned_version)
    strictness_text = word(f"site.checked_{campaign.strictness}")
    yield word("site.checked_with"), f"{version_text}. {strictness_text}"
    if settings.authors:
        yield word("site.written_by"), ", ".join(settings.authors)
    if settings.licence:
        yield word("site.licence"), str(settings.licence)


def _related_pages(campaign_site: CampaignSite) -> Iterator[Item]:
    """The pages beside this one, each with what it holds."""
    for game_page in campaign_site.view.pages:
        if game_page.group == "About" and not game_page.within:
            yield Item(Ref("page", game_page.slug, game_page.title), game_page.intro)
    for page_path, title, description in (
        (GLOSSARY_PAGE, word("site.how_to_read"), word("site.about_how_to_read")),
        ("rules-used", word("site.rules_used"), word("site.about_rules_used")),
        ("check", word("site.what_was_checked"), word("site.about_what_was_checked")),
        ("downloads", word("site.downloads"), word("site.about_downloads")),
    ):
        yield Item(Ref("path", page_path, title), description)
