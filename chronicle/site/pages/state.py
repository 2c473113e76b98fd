"""Where play stands now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from chronicle.core.campaign_view import (
    Bars,
    Block,
    Facts,
    Item,
    Listing,
    Note,
    Ref,
    Section,
    Stones,
    Table,
    holds_nothing,
)
from chronicle.core.outcomes import OutcomeKind
from chronicle.core.record import Step
from chronicle.core.shared_verbs import Aside, Say, Tell
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.links import shortened
from chronicle.site.lives import sentence_for_blocks
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.words import word

MAX_LAST_ITEMS = 4
"""How many sentences of the story, or entries where there are none, count as the last ones."""
MINOR_OUTCOME_KINDS = (OutcomeKind.HANDS, OutcomeKind.GAINED, OutcomeKind.LOST)
MAX_NARROW_STONES = 6
"""In half of a page there is room for a row of so many stones."""
MAX_NARROW_COLUMNS = 3
OVER_TEXT = word("site.state_over")


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("Catch up", word("site.state"), "state")


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The state of play."""
    intro = OVER_TEXT if campaign_site.record.is_over else campaign_site.view.situation
    yield blocks_page("state", word("site.state"), _abreast(_blocks(campaign_site)), intro=intro)


def _abreast(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, those that need no more than half of the width side by side."""
    for is_narrow, blocks_of_width in groupby(blocks, _is_narrow):
        narrow_blocks = tuple(blocks_of_width)
        if is_narrow and len(narrow_blocks) > 1:
            yield Section("", narrow_blocks, abreast=True)
        else:
            yield from narrow_blocks


def _is_narrow(block: Block) -> bool:
    match block:
        case Facts() | Bars() | Listing():
            return True
        case Stones():
            return all(total <= MAX_NARROW_STONES for _, _, total in block.rows)
        case Table():
            return len(block.columns) <= MAX_NARROW_COLUMNS
    return False


def _blocks(campaign_site: CampaignSite) -> Iterator[Block]:
    view = campaign_site.view
    scene = campaign_site.record.timeline.current
    if scene is not None:
        cast_text = ", ".join(campaign_site.name(sheet_id) for sheet_id in scene.cast)
        yield Facts(
            (
                (word("site.open_scene"), Ref("scene", str(scene.number), scene.label)),
                (word("site.opened_by"), scene.opener or word("site.nobody_in_particular")),
                (word("site.in_it"), cast_text or word("site.nobody_yet")),
            ),
            word("site.the_scene"),
        )
    last_listing = _last_listing(campaign_site)
    if campaign_site.record.is_over:
        yield last_listing
    # A note of the overview is how the story began.
    blocks = [
        *view.state,
        *(
            block
            for block in view.overview
            if block not in view.state and not isinstance(block, Note)
        ),
    ]
    yield from (block for block in blocks if not holds_nothing(block))
    if not campaign_site.record.is_over:
        yield last_listing
    if view.loose_ends:
        yield Listing(tuple(view.loose_ends), word("site.left_open"))
    empty_titles = [
        *filter(None, (_short_title(block) for block in blocks if holds_nothing(block)))
    ]
    if empty_titles:
        yield Note(word("site.none_at_this_point", titles=", ".join(empty_titles)))


def _short_title(block: Block) -> str:
    """The title of a block without what it explains in brackets."""
    title: str = getattr(block, "title", "")
    return title.partition(" (")[0]


def _last_listing(campaign_site: CampaignSite) -> Listing:
    """What was settled last, the newest first; where nothing was, the last entries."""
    view = campaign_site.view
    last_steps = view.sessions[-1].steps[-MAX_LAST_ITEMS:] if view.sessions else []
    outcomes = campaign_site.lives.outcomes
    # What the dice decided and who came and went, rather than a Trait or a thing that changed hands; but these, too,
    # where they are what came last.
    major_outcomes = [outcome for outcome in outcomes if outcome.kind not in MINOR_OUTCOME_KINDS]
    last_major_step = major_outcomes[-1].step_number if major_outcomes else 0
    last_minor_outcomes = [
        outcome for outcome in outcomes if outcome.step_number > last_major_step
    ][-MAX_LAST_ITEMS:]
    last_outcomes = major_outcomes[-MAX_LAST_ITEMS:] + last_minor_outcomes
    if last_outcomes:
        return Listing(
            tuple(
                Item(sentence_for_blocks(outcome.sentence), "", outcome.step_number)
                for outcome in reversed(last_outcomes)
            ),
            word("site.settled_last"),
        )
    return Listing(
        tuple(Item(_step_text(step), "", step.number) for step in last_steps if not step.hidden),
        word("site.last_entries"),
    )


def _step_text(step: Step) -> str:
    """Who did what, the name once."""
    told_text = step.fiction or step.talk if isinstance(step.action, Tell | Say | Aside) else ""
    summary = step.headline or shortened(told_text.replace("*", "")) or step.action.verb
    player = step.player or word("site.the_table")
    return summary if summary.startswith(player) else f"{player}: {summary}"
