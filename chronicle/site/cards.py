"""What the pages that belong to no campaign show of each: small, and the same wherever it was made, so that
a front door can be built for more campaigns than fit into memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import Ref
from chronicle.site.campaign_site import COVER_FILE, CampaignSite
from chronicle.site.emblems import draw_emblem
from chronicle.site.news import FeedSession, dated_sessions

EMBLEMS_SHOWN = 5
"""The number of emblems below the story on the home page."""
ENTRIES_PER_RULE = 2
"""How many entries of a campaign are named for each rule."""

PageTarget = tuple[str, ...]
"""A page of the site, and perhaps an anchor on it."""


class RuleUse(NamedTuple):
    """An entry that used a rule: its number, its place on the site, and the title of its scene, if it has one."""

    step_number: int
    target: PageTarget
    scene_title: str


@dataclass(frozen=True, slots=True)
class CampaignCard:
    """A campaign as all others see it. ``cover_path`` is a path on the site, ``""`` is not possible."""

    folder: str
    title: str
    game: str
    """The name of its rulebook."""
    players: tuple[str, ...]
    summary: str
    cover_path: str
    cover_alt: str
    has_own_cover: bool
    """Whether the cover is a picture of its own."""
    is_over: bool
    session_count: int
    chapter_count: int
    entry_count: int
    word_count: int
    minutes: int
    """How long it takes to read."""
    session_dates: tuple[str, ...]
    """The days of play that the log tells, in order."""
    emblems: tuple[Markup, ...]
    opening_quote: tuple[str, ...]
    target_by_adopted_rule: Mapping[str, PageTarget]
    """The optional rules that were in force at any time, each with where it was adopted."""
    uses_by_rule: Mapping[str, tuple[RuleUse, ...]]
    """For each rule, the first entries that used it."""
    dated_sessions: tuple[FeedSession, ...] = ()
    """Those whose day is known."""
    share_picture_path: str = ""
    """The picture that goes with links to it, a path on the site; empty: there is none."""

    def page_path(self, page_name: str) -> str:
        """Where one of its pages is."""
        return f"{self.folder}/{page_name}"

    def as_data(self) -> dict[str, Any]:
        """What ``json.dumps`` takes."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> CampaignCard:
        """A card from what :meth:`data` gave, by way of JSON.

        Raises:
            KeyError, TypeError, ValueError: when it is anything else.
        """
        field_values = {field.name: data[field.name] for field in fields(cls)}
        for field_name in ("players", "session_dates", "opening_quote"):
            field_values[field_name] = tuple(field_values[field_name])
        field_values["dated_sessions"] = tuple(
            FeedSession(*feed_session_values)
            for feed_session_values in field_values["dated_sessions"]
        )
        field_values["emblems"] = tuple(map(Markup, field_values["emblems"]))
        field_values["target_by_adopted_rule"] = {
            rule_id: tuple(target)
            for rule_id, target in field_values["target_by_adopted_rule"].items()
        }
        field_values["uses_by_rule"] = {
            rule_id: tuple(
                RuleUse(step_number, tuple(target), scene_title)
                for step_number, target, scene_title in rule_uses
            )
            for rule_id, rule_uses in field_values["uses_by_rule"].items()
        }
        return cls(**field_values)


def card_of(campaign_site: CampaignSite) -> CampaignCard:
    """The card of a campaign."""
    view, record = campaign_site.view, campaign_site.record
    cover_file, cover_alt = campaign_site.cover_and_alt
    target_by_adopted_rule: dict[str, PageTarget] = {}
    for rule_id, step_number in view.adopting_steps.items():
        target = campaign_site.target_of(Ref("step", str(step_number), "")) if step_number else None
        target_by_adopted_rule[rule_id] = target or (campaign_site.path_on_site("index"),)
    uses_by_rule: dict[str, tuple[RuleUse, ...]] = {}
    for rule_id, step_numbers in campaign_site.step_numbers_by_rule.items():
        uses_by_rule[rule_id] = tuple(
            RuleUse(step_number, target, _scene_title(campaign_site, step_number))
            for step_number in filter(None, step_numbers[:ENTRIES_PER_RULE])
            if (target := campaign_site.target_of(Ref("step", str(step_number), ""))) is not None
        )
    return CampaignCard(
        folder=campaign_site.folder,
        title=view.title,
        game=record.rulebook.name,
        players=tuple(view.players()),
        summary=campaign_site.description,
        cover_path=campaign_site.path_on_site(cover_file),
        cover_alt=cover_alt,
        has_own_cover=cover_file != COVER_FILE,
        is_over=record.is_over,
        session_count=len(view.sessions),
        chapter_count=len(campaign_site.chapters_by_session),
        entry_count=campaign_site.entry_count,
        word_count=campaign_site.word_count,
        minutes=campaign_site.reading_minutes,
        session_dates=tuple(
            sorted(
                str(session.header.date)
                for session in record.campaign.sessions
                if session.header.date
            )
        ),
        emblems=tuple(
            draw_emblem(campaign_site.emblem(sheet.id))
            for sheet in campaign_site.cast[:EMBLEMS_SHOWN]
        ),
        opening_quote=campaign_site.opening_quote,
        target_by_adopted_rule=target_by_adopted_rule,
        uses_by_rule=uses_by_rule,
        dated_sessions=dated_sessions(campaign_site),
        share_picture_path=campaign_site.share_picture,
    )


def rank_for_new_readers(
    card: CampaignCard, first_folder: str = ""
) -> tuple[bool, bool, bool, int]:
    """How well a campaign suits new readers: the chosen campaign (by its folder) first, then finished stories
    with a picture, then the longest."""
    return (card.folder == first_folder, card.is_over, card.has_own_cover, card.word_count)


def _scene_title(campaign_site: CampaignSite, step_number: int) -> str:
    record = campaign_site.record
    scene_number = record.step(step_number).scene
    return record.timeline.get(scene_number).label if scene_number else ""
