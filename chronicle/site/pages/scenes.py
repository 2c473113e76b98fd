"""The list of all scenes, and how each came out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from chronicle.core.campaign_view import Bit, Column, Inline, Ref, Table
from chronicle.core.outcomes import Outcome, OutcomeKind
from chronicle.core.timeline import Scene
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.lives import sentence_for_blocks, with_known_name, without_scene
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.words import word

MAX_OUTCOMES: Final = 3
"""The most outcomes of a scene in its row: those of the highest kinds."""
LEAST_OUTCOME_KIND: Final = OutcomeKind.LEARNT
"""What somebody has from now on is said only where nothing else came of a scene."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage(
        "Timeline", word("site.scenes"), "scenes", str(len(campaign_site.record.timeline.scenes))
    )


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """All scenes in one table."""
    outcomes_by_scene: defaultdict[int, list[Outcome]] = defaultdict(list)
    for outcome in campaign_site.lives.outcomes:
        if outcome.scene is not None:
            outcomes_by_scene[outcome.scene].append(outcome)
    scene_rows = tuple(
        _scene_row(campaign_site, scene, outcomes_by_scene[scene.number])
        for scene in campaign_site.record.timeline.scenes
    )
    columns = (
        Column(word("site.scene")),
        Column(word("site.session"), True),
        Column(word("site.how_it_came_out")),
        Column(word("site.in_it")),
        Column(word("site.time")),
        Column(word("site.opened_by")),
        Column(word("site.after_it")),
    )
    yield blocks_page(
        "scenes",
        word("site.scenes"),
        [Table(columns, scene_rows)],
        intro=word("site.scenes_intro"),
        spoiler_rule="rows",
    )


def _scene_row(
    campaign_site: CampaignSite, scene: Scene, outcomes: Sequence[Outcome]
) -> tuple[Inline, ...]:
    number_text = str(scene.number)
    return (
        Ref("scene", number_text, f"{number_text}. {scene.label}"),
        scene.session,
        word("site.scene_open") if scene.is_open else _outcome_cell(campaign_site, scene, outcomes),
        ", ".join(campaign_site.name(sheet_id) for sheet_id in scene.cast),
        scene.when,
        scene.opener,
        Ref("after", number_text, word("site.state_of_play"))
        if scene.number in campaign_site.view.scene_panels
        else "",
    )


def _outcome_cell(
    campaign_site: CampaignSite, scene: Scene, outcomes: Sequence[Outcome]
) -> tuple[Bit, ...]:
    """How a scene came out: its most important outcomes in the order of the log."""
    outcomes = [outcome for outcome in outcomes if outcome.kind >= LEAST_OUTCOME_KIND] or outcomes
    if [outcome.kind for outcome in outcomes] == [OutcomeKind.WON] and outcomes[0].brief:
        return (outcomes[0].brief,)
    chosen_outcomes = sorted(outcomes, key=lambda outcome: -outcome.kind)[:MAX_OUTCOMES]
    chosen_outcomes.sort(key=lambda outcome: (outcome.step_number, outcome.kind))
    outcome_bits: list[Bit] = []
    for outcome in chosen_outcomes:
        sentence_parts = tuple(
            with_known_name(campaign_site.shown_name_by_name, sentence_part)
            for sentence_part in outcome.sentence
        )
        if outcome.brief:
            # The row has the title.
            sentence_parts = without_scene(sentence_parts)
        # The table links each name in a text.
        sentence_bits = (
            sentence_bit.label
            if isinstance(sentence_bit, Ref) and sentence_bit.kind == "sheet"
            else sentence_bit
            for sentence_bit in sentence_for_blocks(sentence_parts)
        )
        outcome_bits += [*([" "] if outcome_bits else ()), *sentence_bits]
    last_outcome = chosen_outcomes[-1] if chosen_outcomes else None
    if last_outcome is not None and last_outcome.session != scene.session:
        # The link keeps the row from readers who have not read as far.
        entry_label = f"{word('site.entry')} {last_outcome.step_number}"
        outcome_bits += [" (", Ref("step", str(last_outcome.step_number), entry_label), ")"]
    return tuple(outcome_bits)
