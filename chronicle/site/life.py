"""The life of a sheet's subject in headlines, scene by scene."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import Item, Ref, Sheet
from chronicle.core.outcomes import Outcome, OutcomeKind, Quoted, SentencePart
from chronicle.core.record import Contest, Step
from chronicle.core.sentences import with_capital
from chronicle.core.shared_verbs import Gap
from chronicle.core.telling import sentence
from chronicle.site.bonds import Tie
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.card_page import ChangedCard, SnapshotPage, snapshot_page
from chronicle.site.dates import day_and_month
from chronicle.site.draw import Renderer
from chronicle.site.lives import (
    draw_sentence_parts,
    entry_links,
    with_known_name,
    without_scene,
)
from chronicle.site.prose import inline
from chronicle.site.told import tells_story, told_sentence, with_closed_marks
from chronicle.words import word

MAX_SHOWN_POINTS: Final = 20
"""The number of turning points that a sheet shows before the fold."""
MIN_FOLDED_POINTS: Final = 10
"""Fewer turning points are not folded away: they stay in their places."""
MIN_POINTS_OF_FULL_LIFE: Final = 8
"""The number of turning points from which on an event that does not name the person is left out."""
FATE_OUTCOME_KINDS: Final = (OutcomeKind.GONE, OutcomeKind.DIED, OutcomeKind.RETURNED)
CHIP_CLASSES: Final = {OutcomeKind.GAINED: "plain", OutcomeKind.LOST: "removed"}
"""Outcomes that are shown as a word beside the point before, with the look of that word."""
LEARNT_MESSAGE_KEYS: Final = {
    OutcomeKind.GAINED: "site.learnt_of",
    OutcomeKind.LOST: "site.no_longer_of",
}
"""The words before a name and a Trait, where a Trait gained or lost is all that an entry tells."""
CREATING_EVENTS: Final = ("creates", "made", "named")
"""Events that make somebody."""
CITED_IMPORTANCE: Final = 30
"""The rank of what the keepers' sentences about somebody rest on: it is never folded away."""
GAP_VERBS: Final = ("gap", "snapshot")


class ToldText(str):
    """What an entry tells, in Markdown, behind a built beginning."""

    __slots__ = ()


class FirstSeenSentence(str):
    """That somebody is first seen; a life shows it only where nothing beside it says so."""

    __slots__ = ()


class Chip(NamedTuple):
    """A few words beside a turning point: a Trait gained or lost, or how the dice fell."""

    words: str
    look: str


class TurningPoint(NamedTuple):
    """A turning point of a life."""

    step_numbers: tuple[int, ...]
    parts: tuple[SentencePart, ...]
    importance: int
    """Where space is short, the highest stay."""
    chips: tuple[Chip, ...] = ()
    is_record_gap: bool = False
    """Whether the record is silent here."""


class SceneOfLife(NamedTuple):
    """The turning points of one scene."""

    scene_ref: Ref | None
    time_text: str
    session_number: int
    telling_position: int
    """Its place in the order of telling."""
    turning_points: tuple[TurningPoint, ...]
    is_first_seen: bool


class Life(NamedTuple):
    """A person's turning points in the order of the story; the most important ones first, the rest in
    ``more``."""

    scenes: tuple[SceneOfLife, ...]
    folded_scenes: tuple[SceneOfLife, ...]
    is_reordered: bool
    """Whether the log tells the scenes in another order."""


def life_of(
    campaign_site: CampaignSite, sheet: Sheet, ties: Iterable[Tie], portrait_text: str = ""
) -> Life:
    """A person's life, from outcomes of the record and from the events that the game lists. A sentence of the
    ``portrait``, which stands above it, is not told again."""
    turning_points = sorted(
        _turning_points(campaign_site, sheet, ties),
        key=lambda turning_point: (turning_point.step_numbers[-1], not turning_point.is_record_gap),
    )
    turning_points = _without_repetitions(campaign_site, sheet, turning_points, portrait_text)
    cited_count = sum(
        turning_point.importance == CITED_IMPORTANCE for turning_point in turning_points
    )
    ranked_points = sorted(
        turning_points,
        key=lambda turning_point: (-turning_point.importance, turning_point.step_numbers),
    )
    shown_count = max(MAX_SHOWN_POINTS, cited_count)
    main_points = ranked_points[
        : shown_count if len(turning_points) - shown_count >= MIN_FOLDED_POINTS else None
    ]
    shown_points = [
        turning_point for turning_point in turning_points if turning_point in main_points
    ]
    folded_points = [
        turning_point for turning_point in turning_points if turning_point not in main_points
    ]
    first_step = campaign_site.first_step_by_subject.get(sheet.id, 0)
    if first_step and _is_called_while_absent(campaign_site, sheet, first_step):
        first_step = 0
    scenes = _scenes_of_life(campaign_site, shown_points, first_step)
    telling_order = [scene.telling_position for scene in scenes]
    return Life(
        scenes,
        _scenes_of_life(campaign_site, folded_points, 0),
        telling_order != sorted(telling_order),
    )


def _without_repetitions(
    campaign_site: CampaignSite,
    sheet: Sheet,
    turning_points: list[TurningPoint],
    portrait_text: str,
) -> list[TurningPoint]:
    """Turning points without those that the portrait tells, and without a first sight where the keepers introduce
    somebody, or where an introduction says as whom and the head of the scene says that it is the first."""
    portrait_text = " ".join(portrait_text.split())
    unrepeated_points = [
        turning_point
        for turning_point in turning_points
        if turning_point.is_record_gap
        or "".join(str(part) for part in turning_point.parts if not isinstance(part, Ref))
        not in portrait_text
    ]
    introduction = campaign_site.lives.introduction(sheet.id)
    introduction_text = introduction.as_plain_text() if introduction is not None else ""
    told_scenes = {
        _scene_and_session(campaign_site, turning_point)
        for turning_point in unrepeated_points
        if not isinstance(turning_point.parts[0], FirstSeenSentence)
    }
    is_told_by_keepers = introduction is not None and introduction.is_from_session_head

    def says_nothing_new(turning_point: TurningPoint) -> bool:
        if not isinstance(turning_point.parts[0], FirstSeenSentence) or not told_scenes:
            return False
        if is_told_by_keepers and turning_point.importance != CITED_IMPORTANCE:
            return True
        role = _role_after(campaign_site, sheet, turning_point.step_numbers[0])
        return (
            is_said_in(role, introduction_text)
            and _scene_and_session(campaign_site, turning_point) in told_scenes
        )

    return [
        turning_point for turning_point in unrepeated_points if not says_nothing_new(turning_point)
    ]


def is_said_in(names: str, text: str) -> bool:
    """Whether a text has each of some names, which stand with commas between them."""
    return all(
        re.search(rf"\b{re.escape(name.strip())}\b", text, re.IGNORECASE)
        for name in names.split(",")
    )


def _turning_points(
    campaign_site: CampaignSite, sheet: Sheet, ties: Iterable[Tie]
) -> Iterator[TurningPoint]:
    record = campaign_site.record
    point_by_step: dict[int, TurningPoint] = {}
    chip_outcomes: list[Outcome] = []
    cited_step_numbers = campaign_site.lives.cited_texts.steps_cited_about(sheet.id)
    person_names = {
        *sheet.names,
        *(
            short_name
            for short_name, sheet_id in campaign_site.sheet_id_by_short_name.items()
            if sheet_id == sheet.id
        ),
    }
    for event_item in sheet.events:
        if event_item.step:
            point_by_step[event_item.step] = _point_of_event(
                campaign_site, event_item, person_names
            )
    for outcome in campaign_site.lives.outcomes_of_life(sheet.id):
        if outcome.kind in CHIP_CLASSES:
            chip_outcomes.append(outcome)
        elif outcome.kind is not OutcomeKind.HANDS:
            point_by_step[outcome.step_number] = _point_of_outcome(
                campaign_site, outcome, person_names
            )
    for outcome in _fates_of_others(campaign_site, sheet, ties):
        point_by_step.setdefault(outcome.step_number, _point_of_outcome(campaign_site, outcome))
    chip_outcome_by_step = {
        chip_outcome.step_number: chip_outcome for chip_outcome in chip_outcomes
    }
    gap_points = list(_gap_points(campaign_site, sheet))
    card_step_numbers = {
        turning_point.step_numbers[-1]
        for turning_point in gap_points
        if not turning_point.is_record_gap
    }
    for step_number in cited_step_numbers:
        if step_number in card_step_numbers and step_number not in point_by_step:
            continue
        step, outcome_of_step = record.step(step_number), chip_outcome_by_step.get(step_number)
        turning_point = point_by_step.get(step_number)
        if (
            turning_point is None
            and outcome_of_step is not None
            and not tells_story(campaign_site.teller, step)
        ):
            turning_point = _point_of_outcome(campaign_site, outcome_of_step)
            chip_outcomes.remove(outcome_of_step)
        if (
            turning_point is None
            and not tells_story(campaign_site.teller, step)
            and _creates_subject(step, sheet)
        ):
            turning_point = TurningPoint(
                (step_number,), (_first_seen_sentence(campaign_site, sheet, step_number),), 1
            )
        turning_point = turning_point or _point_told_by_entry(
            campaign_site, step, person_names, sheet.tagline
        )
        point_by_step[step_number] = turning_point._replace(importance=CITED_IMPORTANCE)
    for chip_outcome in chip_outcomes:
        earlier_step_numbers = [
            step_number
            for step_number in point_by_step
            if step_number <= chip_outcome.step_number
            and record.step(step_number).scene == chip_outcome.scene
        ]
        if not earlier_step_numbers:
            turning_point = _point_of_outcome(campaign_site, chip_outcome)
            step = record.step(chip_outcome.step_number)
            if tells_story(campaign_site.teller, step):
                told_point = _point_told_by_entry(campaign_site, step, person_names)
                chip = Chip(_changed_trait(chip_outcome), CHIP_CLASSES[chip_outcome.kind])
                turning_point = turning_point._replace(parts=told_point.parts, chips=(chip,))
            point_by_step[chip_outcome.step_number] = turning_point
            continue
        turning_point = point_by_step[max(earlier_step_numbers)]
        chip = Chip(_changed_trait(chip_outcome), CHIP_CLASSES[chip_outcome.kind])
        point_by_step[max(earlier_step_numbers)] = turning_point._replace(
            chips=(*turning_point.chips, chip)
        )
    if len(point_by_step) > MIN_POINTS_OF_FULL_LIFE:
        point_by_step = {
            step_number: turning_point
            for step_number, turning_point in point_by_step.items()
            if turning_point.importance > 1 or _names_person(turning_point, person_names)
        }
    first_step = campaign_site.first_step_by_subject.get(sheet.id, 0)
    covered_step_numbers = {
        *point_by_step,
        *(turning_point.step_numbers[-1] for turning_point in gap_points),
    }
    if (
        first_step
        and min(covered_step_numbers, default=first_step) >= first_step
        and first_step not in covered_step_numbers
        and not _is_introduced(campaign_site, sheet, first_step, cited_step_numbers)
    ):
        yield TurningPoint(
            (first_step,), (_first_seen_sentence(campaign_site, sheet, first_step),), 18
        )
    yield from point_by_step.values()
    for turning_point in gap_points:
        if turning_point.is_record_gap:
            yield turning_point
        elif turning_point.step_numbers[-1] not in point_by_step:
            yield (
                turning_point._replace(importance=CITED_IMPORTANCE)
                if turning_point.step_numbers[-1] in cited_step_numbers
                else turning_point
            )


def _is_introduced(
    campaign_site: CampaignSite, sheet: Sheet, first_step: int, cited_step_numbers: Iterable[int]
) -> bool:
    """Whether one of these entries makes the person, in the scene where they are first seen."""
    scene = campaign_site.record.step(first_step).scene
    steps = (campaign_site.record.step(step_number) for step_number in cited_step_numbers)
    return any(step.scene == scene and _creates_subject(step, sheet) for step in steps)


def _creates_subject(step: Step, sheet: Sheet) -> bool:
    """Whether an entry makes somebody."""
    return any(event.kind in CREATING_EVENTS and event.subject == sheet.id for event in step.events)


def _is_called_while_absent(campaign_site: CampaignSite, sheet: Sheet, step_number: int) -> bool:
    """Whether the scene of an entry called upon somebody who was not there."""
    return campaign_site.record.step(step_number).scene in sheet.absent_scene_numbers


def _first_seen_sentence(campaign_site: CampaignSite, sheet: Sheet, first_step: int) -> str:
    """That somebody is first seen, and as what they were known by the end of that session."""
    role = _role_after(campaign_site, sheet, first_step)
    if _is_called_while_absent(campaign_site, sheet, first_step):
        return word("site.called_upon_for", role=role) if role else word("site.called_upon")
    return FirstSeenSentence(
        word("site.first_seen_as", role=role) if role else word("site.first_seen")
    )


def _role_after(campaign_site: CampaignSite, sheet: Sheet, step_number: int) -> str:
    """As what somebody was known by the end of the session of an entry; empty if as nothing."""
    session_end = campaign_site.view.session_ends.get(
        campaign_site.record.step(step_number).session
    )
    subject_state = session_end.subjects.get(sheet.id) if session_end is not None else None
    return subject_state.role if subject_state is not None else ""


def _changed_trait(outcome: Outcome) -> str:
    """The words that were gained or lost."""
    trait_texts = [part for part in outcome.sentence[1:] if not isinstance(part, Ref)]
    return (
        " ".join("".join(trait_texts).split())
        .removeprefix("gains ")
        .removeprefix("loses ")
        .strip(" .")
    )


def _point_of_event(
    campaign_site: CampaignSite, item: Item, person_names: Collection[str]
) -> TurningPoint:
    """A turning point from an event that the game lists; the sentence of its entry that names the person, if there
    is one."""
    sentence_parts = item.text if isinstance(item.text, tuple) else (item.text,)
    event_text = "".join(
        sentence_part.label if isinstance(sentence_part, Ref) else str(sentence_part)
        for sentence_part in sentence_parts
    )
    turning_point = TurningPoint((item.step,), (sentence(event_text.strip()),), 1)
    step = campaign_site.record.step(item.step)
    # What somebody says is set as all that is said in a life.
    is_spoken = event_text.lstrip().startswith("**")
    if (is_spoken or not _names_person(turning_point, person_names)) and tells_story(
        campaign_site.teller, step
    ):
        told_point = _point_told_by_entry(campaign_site, step, person_names)
        turning_point = told_point if _names_person(told_point, person_names) else turning_point
    return turning_point._replace(
        parts=tuple(
            sentence_part if isinstance(sentence_part, Ref) else with_closed_marks(sentence_part)
            for sentence_part in turning_point.parts
        )
    )


def _names_person(turning_point: TurningPoint, person_names: Collection[str]) -> bool:
    """Whether a turning point names the person."""
    point_text = "".join(
        sentence_part.label if isinstance(sentence_part, Ref) else sentence_part
        for sentence_part in turning_point.parts
    )
    return any(person_name.casefold() in point_text.casefold() for person_name in person_names)


def _point_told_by_entry(
    campaign_site: CampaignSite, step: Step, person_names: Collection[str], tagline: str = ""
) -> TurningPoint:
    """A turning point in the words of its entry; those under somebody's name, if it tells nothing of them."""
    entry_sentence = told_sentence(campaign_site.teller, step, person_names)
    turning_point = TurningPoint((step.number,), (entry_sentence,), 1)
    if _names_person(turning_point, person_names):
        return turning_point
    if not tells_story(campaign_site.teller, step):
        return turning_point._replace(parts=(sentence(tagline) or entry_sentence,))
    # An entry that makes something else tells of that.
    created_ids = [event.subject for event in step.events if event.kind in CREATING_EVENTS]
    created_name = campaign_site.name(created_ids[0]) if len(created_ids) == 1 else ""
    if (
        not created_name
        or created_name in person_names
        or created_name.casefold() in entry_sentence.casefold()
    ):
        return turning_point
    return turning_point._replace(parts=(f"{with_capital(created_name)}: {entry_sentence}",))


def _point_of_outcome(
    campaign_site: CampaignSite, outcome: Outcome, person_names: Collection[str] = ()
) -> TurningPoint:
    """A turning point from an outcome. Where that says no more than how a scene came out, the entry tells it, under
    the names of the people if it does not name the person."""
    step = campaign_site.record.step(outcome.step_number)
    score = step.contest.score if step.contest is not None else ""
    sentence_parts = tuple(
        with_known_name(campaign_site.shown_name_by_name, sentence_part)
        for sentence_part in outcome.sentence
    )
    dice_text = ""
    if outcome.kind in LEARNT_MESSAGE_KEYS and len(sentence_parts) == 4:
        name, _, trait, _ = sentence_parts
        if isinstance(name, Ref) and isinstance(trait, Quoted):
            sentence_parts = (word(LEARNT_MESSAGE_KEYS[outcome.kind]), " ", name, ": ", trait, ".")
    if outcome.brief:
        # The scene stands above it.
        sentence_parts = without_scene(sentence_parts)
        dice_text = word("site.dice_score", score=score) if score else ""
        if tells_story(campaign_site.teller, step):
            told_point = _point_told_by_entry(campaign_site, step, person_names)
            dice_text = ", ".join(filter(None, (outcome.brief, score)))
            sentence_parts = (
                told_point.parts
                if _names_person(told_point, person_names)
                else _put_told_text_after_names(sentence_parts, told_point)
            )
    elif score and outcome.kind is OutcomeKind.WON:
        dice_text = word("site.dice_score", score=score)
    chips = (
        (Chip(dice_text, _chip_class_of_throw(step.contest, person_names)),) if dice_text else ()
    )
    return TurningPoint(outcome.step_numbers, sentence_parts, 2 + outcome.kind, chips)


def _chip_class_of_throw(contest: Contest | None, person_names: Collection[str]) -> str:
    """The look of how a throw came out for somebody: a defeat does not look like a victory."""
    if contest is None or not contest.is_opposed:
        return "dice"
    if not any(side.won for side in contest.sides):
        return "plain"
    own_sides = [side for side in contest.sides if side.name in person_names]
    return "lost" if own_sides and not any(side.won for side in own_sides) else "dice"


def _put_told_text_after_names(
    sentence_parts: Sequence[SentencePart], told_point: TurningPoint
) -> tuple[SentencePart, ...]:
    """What an entry tells, under the names with which a built sentence begins."""
    last_name_index = max(
        part_index
        for part_index, sentence_part in enumerate(sentence_parts)
        if isinstance(sentence_part, Ref)
    )
    return (
        *sentence_parts[: last_name_index + 1],
        ": ",
        ToldText("".join(map(str, told_point.parts))),
    )


def _fates_of_others(
    campaign_site: CampaignSite, sheet: Sheet, ties: Iterable[Tie]
) -> Iterator[Outcome]:
    """The departures and returns of connected people while the person was there."""
    tied_ids = {tie.partner.id for tie in ties}
    scene_numbers = {
        scene.number for scene in campaign_site.record.timeline.scenes if sheet.id in scene.cast
    }
    for outcome in campaign_site.lives.outcomes:
        if (
            outcome.kind in FATE_OUTCOME_KINDS
            and tied_ids.intersection(outcome.subject_ids)
            and outcome.scene in scene_numbers
        ):
            yield outcome


def _gap_points(campaign_site: CampaignSite, sheet: Sheet) -> Iterator[TurningPoint]:
    """Where the record is silent during a life, and what a snapshot then says of it."""
    first_step = campaign_site.first_step_by_subject.get(sheet.id, 0)
    if not first_step:
        return
    for step in campaign_site.record.visible_steps():
        if step.number < first_step or step.action.verb not in GAP_VERBS:
            continue
        if step.number > first_step or step.action.verb == "gap":
            missing_text = str(step.action.missing or "") if isinstance(step.action, Gap) else ""
            yield TurningPoint(
                (step.number,),
                (word("site.record_silent"), *filter(None, (missing_text,))),
                20,
                is_record_gap=True,
            )
        if step.action.verb == "snapshot":
            cards_page = snapshot_page(campaign_site.view, step)
            yield from (
                _point_of_card(cards_page, card)
                for card in cards_page.cards
                if card.sheet_id == sheet.id
            )


def _point_of_card(cards_page: SnapshotPage, card: ChangedCard) -> TurningPoint:
    """A turning point from a page of cards: the holder, and the gained or lost Traits."""
    date_text = day_and_month(cards_page.date)
    sentence_text = (
        word("site.on_page_of", date=date_text) if date_text else word("site.on_the_page")
    )
    if card.control_change is not None and card.control_change[1]:
        sentence_text = word("site.now_with", said=sentence_text, player=card.control_change[1])
    chips = tuple(Chip(slip.text, slip.state or "plain") for slip in card.slips)
    return TurningPoint(
        (cards_page.step_number,),
        (sentence(sentence_text), *map(sentence, card.difference_lines)),
        19,
        chips,
    )


def _scenes_of_life(
    campaign_site: CampaignSite, turning_points: Sequence[TurningPoint], first_step: int
) -> tuple[SceneOfLife, ...]:
    """Points by scene, in the order of the story."""
    record = campaign_site.record
    story_position_by_scene = {
        scene.number: story_position
        for story_position, scene in enumerate(record.timeline.story_order())
    }

    points_by_scene: dict[tuple[int, int, int], list[TurningPoint]] = {}
    for (scene_number, session_number), points_of_scene in groupby(
        turning_points, key=lambda turning_point: _scene_and_session(campaign_site, turning_point)
    ):
        # What happens outside of the scenes stays where it is.
        group_number = 0 if scene_number else len(points_by_scene)
        points_by_scene.setdefault((scene_number, session_number, group_number), []).extend(
            points_of_scene
        )
    scenes = [
        _scene_of_life(
            campaign_site, scene_number, tuple(scene_points), telling_position, first_step
        )
        for telling_position, ((scene_number, _, _), scene_points) in enumerate(
            points_by_scene.items()
        )
    ]
    last_position = -1
    ordered_scenes: list[tuple[int, int, SceneOfLife]] = []
    for scene in scenes:
        scene_number = int(scene.scene_ref.id) if scene.scene_ref is not None else 0
        last_position = story_position_by_scene.get(scene_number, last_position)
        ordered_scenes.append((last_position, scene.telling_position, scene))
    return tuple(
        scene for _, _, scene in sorted(ordered_scenes, key=lambda ordered_scene: ordered_scene[:2])
    )


def _scene_and_session(campaign_site: CampaignSite, turning_point: TurningPoint) -> tuple[int, int]:
    """The scene that a turning point belongs to (0: none), and its session. A throw belongs to the scene that it
    is for, which another may have interrupted."""
    step = campaign_site.record.step(turning_point.step_numbers[-1])
    scene_number = step.scene or 0
    contest_title = step.contest.title if step.contest is not None else ""
    scenes = campaign_site.record.timeline.scenes
    if (
        scene_number
        and contest_title
        and campaign_site.record.timeline.get(scene_number).title != contest_title
    ):
        scene_number = next(
            (
                scene.number
                for scene in reversed(scenes)
                if scene.title == contest_title and scene.first_step <= step.number
            ),
            scene_number,
        )
    return scene_number, step.session


def _scene_of_life(
    campaign_site: CampaignSite,
    scene_number: int,
    turning_points: tuple[TurningPoint, ...],
    telling_position: int,
    first_step: int,
) -> SceneOfLife:
    scene = campaign_site.record.timeline.get(scene_number) if scene_number else None
    session_number = campaign_site.record.step(turning_points[0].step_numbers[-1]).session
    is_first = bool(first_step) and campaign_site.record.step(first_step).scene == (
        scene_number or None
    )
    is_first = is_first and campaign_site.record.step(first_step).session == session_number
    scene_ref = Ref("scene", str(scene_number), scene.label) if scene is not None else None
    return SceneOfLife(
        scene_ref,
        scene.when if scene is not None else "",
        session_number,
        telling_position,
        turning_points,
        is_first,
    )


# -- drawing ---------------------------------------------------------------------------------------


def life_data(renderer: Renderer, life: Life, person_name: str) -> dict[str, Any]:
    """A life as the template of a sheet takes it."""
    linked_names = renderer.links_in_heading(person_name)
    return {
        "scenes": _scenes_data(renderer, life.scenes, linked_names, life.is_reordered),
        "more": _scenes_data(renderer, life.folded_scenes, linked_names, life.is_reordered),
        "more_count": sum(len(scene.turning_points) for scene in life.folded_scenes),
        "reordered": life.is_reordered,
    }


def _scenes_data(
    renderer: Renderer,
    scenes: Sequence[SceneOfLife],
    linked_names: set[str],
    is_reordered: bool,
) -> list[dict[str, Any]]:
    """Scenes, each with its session where another one begins; with every one if readers can change their order."""
    last_sessions = [0, *(scene.session_number for scene in scenes)]
    return [
        _scene_data(
            renderer, scene, linked_names, is_reordered or scene.session_number != last_session
        )
        for scene, last_session in zip(scenes, last_sessions, strict=False)
    ]


def _scene_data(
    renderer: Renderer, scene: SceneOfLife, linked_names: set[str], shows_session: bool
) -> dict[str, Any]:
    fact_texts = (
        scene.time_text,
        word("site.session_number", number=scene.session_number) if shows_session else "",
        word("site.first_seen_here") if scene.is_first_seen else "",
    )
    return {
        "title": renderer.text(scene.scene_ref) if scene.scene_ref is not None else "",
        "facts": inline(" · ".join(fact_text for fact_text in fact_texts if fact_text)),
        "told": scene.telling_position,
        "points": [
            {
                "text": _draw_point(renderer, turning_point, linked_names),
                "marks": Markup("")
                if turning_point.is_record_gap
                else entry_links(renderer, turning_point.step_numbers),
                "chips": turning_point.chips,
                "hole": turning_point.is_record_gap,
                "url": renderer.address(Ref("step", str(turning_point.step_numbers[-1]), "")),
            }
            for turning_point in scene.turning_points
        ],
    }


def _draw_point(renderer: Renderer, turning_point: TurningPoint, linked_names: set[str]) -> Markup:
    if turning_point.is_record_gap:
        url = renderer.address(Ref("step", str(turning_point.step_numbers[-1]), ""))
        gap_text, *missing_texts = map(str, turning_point.parts)
        return Markup('<a href="{}">{}</a>').format(url, gap_text) + Markup("").join(
            Markup(" ") + inline(missing_text) for missing_text in missing_texts
        )
    if isinstance(told_text := turning_point.parts[-1], ToldText):
        built_html = draw_sentence_parts(renderer, turning_point.parts[:-1], linked_names)
        return built_html + Markup(
            renderer.name_linker.link(str(inline(told_text)), linked_tags=linked_names)
        )
    if any(isinstance(sentence_part, Ref) for sentence_part in turning_point.parts):
        return draw_sentence_parts(renderer, turning_point.parts, linked_names)
    return Markup(
        renderer.name_linker.link(
            str(inline("".join(map(str, turning_point.parts)))), linked_tags=linked_names
        )
    )
