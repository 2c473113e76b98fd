"""The life of a sheet's subject in headlines, scene by scene."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import Item, Ref, Sheet
from chronicle.core.outcomes import Outcome, OutcomeKind, SentencePart
from chronicle.core.record import Step
from chronicle.core.sentences import with_capital
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

MAX_POINTS: Final = 20
"""The number of turning points that a sheet shows before the fold."""
MIN_FOLDED: Final = 10
"""Fewer turning points are not folded away: they stay in their places."""
MIN_POINTS_OF_FULL_LIFE: Final = 8
"""The number of turning points from which on an event that does not name the person is left out."""
FATE_KINDS: Final = (OutcomeKind.GONE, OutcomeKind.DIED, OutcomeKind.RETURNED)
CHIP_CLASSES: Final = {OutcomeKind.GAINED: "plain", OutcomeKind.LOST: "removed"}
"""Outcomes that are shown as a word beside the point before, with the look of that word."""
CREATING_EVENTS: Final = ("creates", "made", "named")
"""Events that make somebody."""
CITED_RANK: Final = 30
"""The rank of what the keepers' sentences about somebody rest on: it is never folded away."""
GAP_VERBS: Final = ("gap", "snapshot")


class Told(str):
    """What an entry tells, in Markdown, behind a built beginning."""

    __slots__ = ()


class Chip(NamedTuple):
    """A few words beside a turning point: a Trait gained or lost, or how the dice fell."""

    words: str
    look: str


class TurningPoint(NamedTuple):
    """A turning point of a life."""

    steps: tuple[int, ...]
    parts: tuple[SentencePart, ...]
    rank: int
    """Where space is short, the highest stay."""
    chips: tuple[Chip, ...] = ()
    is_record_gap: bool = False
    """Whether the record is silent here."""


class SceneOfLife(NamedTuple):
    """The turning points of one scene."""

    scene: Ref | None
    when: str
    session: int
    telling_position: int
    """Its place in the order of telling."""
    points: tuple[TurningPoint, ...]
    is_first_seen: bool


class Life(NamedTuple):
    """A person's turning points in the order of the story; the most important ones first, the rest in
    ``more``."""

    scenes: tuple[SceneOfLife, ...]
    folded_scenes: tuple[SceneOfLife, ...]
    is_reordered: bool
    """Whether the log tells the scenes in another order."""


def life_of(
    campaign_site: CampaignSite, sheet: Sheet, ties: Iterable[Tie], portrait: str = ""
) -> Life:
    """A person's life, from outcomes of the record and from the events that the game lists. A sentence of the
    ``portrait``, which stands above it, is not told again."""
    points = _once_beside(
        sorted(
            _turning_points(campaign_site, sheet, ties),
            key=lambda point: (point.steps[-1], not point.is_record_gap),
        ),
        portrait,
    )
    cited_count = sum(point.rank == CITED_RANK for point in points)
    ranked_points = sorted(points, key=lambda point: (-point.rank, point.steps))
    shown_count = max(MAX_POINTS, cited_count)
    main_points = ranked_points[: shown_count if len(points) - shown_count >= MIN_FOLDED else None]
    shown_points = [point for point in points if point in main_points]
    other_points = [point for point in points if point not in main_points]
    first_step = campaign_site.first_step_by_subject.get(sheet.id, 0)
    if first_step and _is_called_from(campaign_site, sheet, first_step):
        first_step = 0
    scenes = _scenes_of_life(campaign_site, shown_points, first_step)
    telling_order = [scene.telling_position for scene in scenes]
    return Life(
        scenes,
        _scenes_of_life(campaign_site, other_points, 0),
        telling_order != sorted(telling_order),
    )


def _once_beside(points: Iterable[TurningPoint], portrait: str) -> list[TurningPoint]:
    """Turning points, of which those that the portrait tells are one: it refers to the portrait."""
    shown: list[TurningPoint] = []
    portrait = " ".join(portrait.split())
    told_above = (word("site.told_above"),)
    for point in points:
        words = "".join(str(part) for part in point.parts if not isinstance(part, Ref))
        if words not in portrait:
            shown.append(point)
        elif shown and shown[-1].parts == told_above:
            shown[-1] = shown[-1]._replace(steps=(*shown[-1].steps, *point.steps))
        else:
            shown.append(point._replace(parts=told_above))
    return shown


def _turning_points(
    campaign_site: CampaignSite, sheet: Sheet, ties: Iterable[Tie]
) -> Iterator[TurningPoint]:
    record = campaign_site.record
    points_by_step: dict[int, TurningPoint] = {}
    chip_outcomes: list[Outcome] = []
    cited_steps = campaign_site.lives.cited_texts.steps_cited_about(sheet.id)
    names = {
        *sheet.names,
        *(
            name
            for name, sheet_id in campaign_site.sheet_id_by_short_name.items()
            if sheet_id == sheet.id
        ),
    }
    for item in sheet.events:
        if item.step:
            points_by_step[item.step] = _point_of_event(campaign_site, item, names)
    for outcome in campaign_site.lives.outcomes_of_life(sheet.id):
        if outcome.kind in CHIP_CLASSES:
            chip_outcomes.append(outcome)
        elif outcome.kind is not OutcomeKind.HANDS:
            points_by_step[outcome.step_number] = _point_of_outcome(campaign_site, outcome, names)
    for outcome in _fates_of_others(campaign_site, sheet, ties):
        points_by_step.setdefault(outcome.step_number, _point_of_outcome(campaign_site, outcome))
    chips_by_step = {outcome.step_number: outcome for outcome in chip_outcomes}
    gap_points = list(_gap_points(campaign_site, sheet))
    card_steps = {point.steps[-1] for point in gap_points if not point.is_record_gap}
    for step_number in cited_steps:
        if step_number in card_steps and step_number not in points_by_step:
            continue
        step, chip_outcome = record.step(step_number), chips_by_step.get(step_number)
        point = points_by_step.get(step_number)
        if (
            point is None
            and chip_outcome is not None
            and not tells_story(campaign_site.teller, step)
        ):
            point = _point_of_outcome(campaign_site, chip_outcome)
            chip_outcomes.remove(chip_outcome)
        if (
            point is None
            and not tells_story(campaign_site.teller, step)
            and _creates_subject(step, sheet)
        ):
            point = TurningPoint(
                (step_number,), (_first_seen_sentence(campaign_site, sheet, step_number),), 1
            )
        point = point or _point_told_by_entry(campaign_site, step, names, sheet.tagline)
        points_by_step[step_number] = point._replace(rank=CITED_RANK)
    for outcome in chip_outcomes:
        earlier_steps = [
            step
            for step in points_by_step
            if step <= outcome.step_number and record.step(step).scene == outcome.scene
        ]
        if not earlier_steps:
            point = _point_of_outcome(campaign_site, outcome)
            step = record.step(outcome.step_number)
            if tells_story(campaign_site.teller, step):
                told_point = _point_told_by_entry(campaign_site, step, names)
                chip = Chip(_changed_trait(outcome), CHIP_CLASSES[outcome.kind])
                point = point._replace(parts=told_point.parts, chips=(chip,))
            points_by_step[outcome.step_number] = point
            continue
        point = points_by_step[max(earlier_steps)]
        chip = Chip(_changed_trait(outcome), CHIP_CLASSES[outcome.kind])
        points_by_step[max(earlier_steps)] = point._replace(chips=(*point.chips, chip))
    if len(points_by_step) > MIN_POINTS_OF_FULL_LIFE:
        points_by_step = {
            step_number: p
            for step_number, p in points_by_step.items()
            if p.rank > 1 or _names_person(p, names)
        }
    first_step = campaign_site.first_step_by_subject.get(sheet.id, 0)
    covered_steps = {*points_by_step, *(point.steps[-1] for point in gap_points)}
    if (
        first_step
        and min(covered_steps, default=first_step) >= first_step
        and first_step not in covered_steps
        and not _is_introduced(campaign_site, sheet, first_step, cited_steps)
    ):
        yield TurningPoint(
            (first_step,), (_first_seen_sentence(campaign_site, sheet, first_step),), 18
        )
    yield from points_by_step.values()
    for point in gap_points:
        if point.is_record_gap:
            yield point
        elif point.steps[-1] not in points_by_step:
            yield point._replace(rank=CITED_RANK) if point.steps[-1] in cited_steps else point


def _is_introduced(
    campaign_site: CampaignSite, sheet: Sheet, first_step: int, cited_steps: Iterable[int]
) -> bool:
    """Whether one of these entries makes the person, in the scene where they are first seen."""
    scene = campaign_site.record.step(first_step).scene
    steps = (campaign_site.record.step(step_number) for step_number in cited_steps)
    return any(step.scene == scene and _creates_subject(step, sheet) for step in steps)


def _creates_subject(step: Step, sheet: Sheet) -> bool:
    """Whether an entry makes somebody."""
    return any(event.kind in CREATING_EVENTS and event.subject == sheet.id for event in step.events)


def _is_called_from(campaign_site: CampaignSite, sheet: Sheet, step: int) -> bool:
    """Whether the scene of an entry called upon somebody who was not there."""
    return campaign_site.record.step(step).scene in sheet.absent_scene_numbers


def _first_seen_sentence(campaign_site: CampaignSite, sheet: Sheet, first_step: int) -> str:
    """That somebody is first seen, and as what they were known by the end of that session."""
    session = campaign_site.record.step(first_step).session
    session_end = campaign_site.view.session_ends.get(session)
    state = session_end.subjects.get(sheet.id) if session_end is not None else None
    role = state.role if state is not None else ""
    if _is_called_from(campaign_site, sheet, first_step):
        return word("site.called_upon_for", role=role) if role else word("site.called_upon")
    return word("site.first_seen_as", role=role) if role else word("site.first_seen")


def _changed_trait(outcome: Outcome) -> str:
    """The words that were gained or lost."""
    texts = [part for part in outcome.sentence[1:] if not isinstance(part, Ref)]
    return (
        " ".join("".join(texts).split()).removeprefix("gains ").removeprefix("loses ").strip(" .")
    )


def _point_of_event(
    campaign_site: CampaignSite, item: Item, names: Collection[str]
) -> TurningPoint:
    """A turning point from an event that the game lists; the sentence of its entry that names the person, if there
    is one."""
    parts = item.text if isinstance(item.text, tuple) else (item.text,)
    event_text = "".join(part.label if isinstance(part, Ref) else str(part) for part in parts)
    point = TurningPoint((item.step,), (sentence(event_text.strip()),), 1)
    step = campaign_site.record.step(item.step)
    # What somebody says is set as all that is said in a life.
    is_spoken = event_text.lstrip().startswith("**")
    if (is_spoken or not _names_person(point, names)) and tells_story(campaign_site.teller, step):
        told_point = _point_told_by_entry(campaign_site, step, names)
        point = told_point if _names_person(told_point, names) else point
    return point._replace(
        parts=tuple(p if isinstance(p, Ref) else with_closed_marks(p) for p in point.parts)
    )


def _names_person(point: TurningPoint, names: Collection[str]) -> bool:
    """Whether a turning point names the person."""
    point_text = "".join(part.label if isinstance(part, Ref) else part for part in point.parts)
    return any(name.casefold() in point_text.casefold() for name in names)


def _point_told_by_entry(
    campaign_site: CampaignSite, step: Step, names: Collection[str], tagline: str = ""
) -> TurningPoint:
    """A turning point in the words of its entry; those under somebody's name, if it tells nothing of them."""
    entry_sentence = told_sentence(campaign_site.teller, step, names)
    point = TurningPoint((step.number,), (entry_sentence,), 1)
    if _names_person(point, names):
        return point
    if not tells_story(campaign_site.teller, step):
        return point._replace(parts=(sentence(tagline) or entry_sentence,))
    # An entry that makes something else tells of that.
    created_ids = [event.subject for event in step.events if event.kind in CREATING_EVENTS]
    name = campaign_site.name(created_ids[0]) if len(created_ids) == 1 else ""
    if not name or name in names or name.casefold() in entry_sentence.casefold():
        return point
    return point._replace(parts=(f"{with_capital(name)}: {entry_sentence}",))


def _point_of_outcome(
    campaign_site: CampaignSite, outcome: Outcome, names: Collection[str] = ()
) -> TurningPoint:
    """A turning point from an outcome. Where that says no more than how a scene came out, the entry tells it, under
    the names of the people if it does not name the person."""
    step = campaign_site.record.step(outcome.step_number)
    score = step.contest.score if step.contest is not None else ""
    parts = tuple(
        with_known_name(campaign_site.shown_name_by_name, part) for part in outcome.sentence
    )
    dice_text = ""
    if outcome.brief:
        # The scene stands above it.
        parts = without_scene(parts)
        dice_text = word("site.dice_score", score=score) if score else ""
        if tells_story(campaign_site.teller, step):
            told_point = _point_told_by_entry(campaign_site, step, names)
            dice_text = ", ".join(filter(None, (outcome.brief, score)))
            parts = (
                told_point.parts
                if _names_person(told_point, names)
                else _after_last_name(parts, told_point)
            )
    elif score and step.contest is not None and outcome.kind is OutcomeKind.WON:
        winners_score = step.contest.winners_score if outcome.is_against else score
        dice_text = word("site.dice_score", score=winners_score)
    chips = (Chip(dice_text, "dice"),) if dice_text else ()
    return TurningPoint(outcome.step_numbers, parts, 2 + outcome.kind, chips)


def _after_last_name(
    parts: Sequence[SentencePart], told_point: TurningPoint
) -> tuple[SentencePart, ...]:
    """What an entry tells, under the names with which a built sentence begins."""
    last_name = max(place for place, part in enumerate(parts) if isinstance(part, Ref))
    return (*parts[: last_name + 1], ": ", Told("".join(map(str, told_point.parts))))


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
            outcome.kind in FATE_KINDS
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
            yield TurningPoint(
                (step.number,), (word("site.record_silent"),), 20, is_record_gap=True
            )
        if step.action.verb == "snapshot":
            changed_cards = snapshot_page(campaign_site.view, step)
            yield from (
                _point_of_card(changed_cards, card)
                for card in changed_cards.cards
                if card.sheet_id == sheet.id
            )


def _point_of_card(changed_cards: SnapshotPage, card: ChangedCard) -> TurningPoint:
    """A turning point from a page of cards: the holder, and the gained or lost Traits."""
    date = day_and_month(changed_cards.date)
    text = word("site.on_page_of", date=date) if date else word("site.on_the_page")
    if card.control_change is not None and card.control_change[1]:
        text = word("site.now_with", said=text, player=card.control_change[1])
    chips = tuple(Chip(slip.text, slip.state or "plain") for slip in card.slips)
    return TurningPoint(
        (changed_cards.step,), (sentence(text), *map(sentence, card.lines)), 19, chips
    )


def _scenes_of_life(
    campaign_site: CampaignSite, points: Sequence[TurningPoint], first_step: int
) -> tuple[SceneOfLife, ...]:
    """Points by scene, in the order of the story."""
    record = campaign_site.record
    story_order = {scene.number: place for place, scene in enumerate(record.timeline.story_order())}

    points_by_scene: dict[tuple[int, int, int], list[TurningPoint]] = {}
    for (scene_number, session), group in groupby(
        points, key=lambda point: _scene_and_session(campaign_site, point)
    ):
        # What happens outside of the scenes stays where it is.
        position = 0 if scene_number else len(points_by_scene)
        points_by_scene.setdefault((scene_number, session, position), []).extend(group)
    scenes = [
        _scene_of_life(campaign_site, number, tuple(scene_points), place, first_step)
        for place, ((number, _, _), scene_points) in enumerate(points_by_scene.items())
    ]
    last_position = -1
    ordered_scenes: list[tuple[int, int, SceneOfLife]] = []
    for scene in scenes:
        scene_number = int(scene.scene.id) if scene.scene is not None else 0
        last_position = story_order.get(scene_number, last_position)
        ordered_scenes.append((last_position, scene.telling_position, scene))
    return tuple(scene for _, _, scene in sorted(ordered_scenes, key=lambda place: place[:2]))


def _scene_and_session(campaign_site: CampaignSite, point: TurningPoint) -> tuple[int, int]:
    """The scene that a turning point belongs to (0: none), and its session. A throw belongs to the scene that it
    is for, which another may have interrupted."""
    step = campaign_site.record.step(point.steps[-1])
    scene_number = step.scene or 0
    title = step.contest.title if step.contest is not None else ""
    scenes = campaign_site.record.timeline.scenes
    if scene_number and title and campaign_site.record.timeline.get(scene_number).title != title:
        scene_number = next(
            (
                scene.number
                for scene in reversed(scenes)
                if scene.title == title and scene.first_step <= step.number
            ),
            scene_number,
        )
    return scene_number, step.session


def _scene_of_life(
    campaign_site: CampaignSite,
    scene_number: int,
    points: tuple[TurningPoint, ...],
    telling_position: int,
    first_step: int,
) -> SceneOfLife:
    scene = campaign_site.record.timeline.get(scene_number) if scene_number else None
    session = campaign_site.record.step(points[0].steps[-1]).session
    is_first = bool(first_step) and campaign_site.record.step(first_step).scene == (
        scene_number or None
    )
    is_first = is_first and campaign_site.record.step(first_step).session == session
    ref = Ref("scene", str(scene_number), scene.label) if scene is not None else None
    return SceneOfLife(
        ref, scene.when if scene is not None else "", session, telling_position, points, is_first
    )


# -- drawing ---------------------------------------------------------------------------------------


def life_data(renderer: Renderer, life: Life, name: str) -> dict[str, Any]:
    """A life as the template of a sheet takes it."""
    linked_names = renderer.links_in_heading(name)
    return {
        "scenes": [_scene_data(renderer, scene, linked_names) for scene in life.scenes],
        "more": [_scene_data(renderer, scene, linked_names) for scene in life.folded_scenes],
        "more_count": sum(len(scene.points) for scene in life.folded_scenes),
        "reordered": life.is_reordered,
    }


def _scene_data(renderer: Renderer, scene: SceneOfLife, linked_names: set[str]) -> dict[str, Any]:
    facts = (
        scene.when,
        word("site.session_number", number=scene.session),
        word("site.first_seen_here") if scene.is_first_seen else "",
    )
    return {
        "title": renderer.text(scene.scene) if scene.scene is not None else "",
        "facts": inline(" · ".join(fact for fact in facts if fact)),
        "told": scene.telling_position,
        "points": [
            {
                "text": _draw_point(renderer, point, linked_names),
                "marks": Markup("") if point.is_record_gap else entry_links(renderer, point.steps),
                "chips": point.chips,
                "hole": point.is_record_gap,
                "url": renderer.address(Ref("step", str(point.steps[-1]), "")),
            }
            for point in scene.points
        ],
    }


def _draw_point(renderer: Renderer, point: TurningPoint, linked_names: set[str]) -> Markup:
    if isinstance(told := point.parts[-1], Told):
        built = draw_sentence_parts(renderer, point.parts[:-1], linked_names)
        return built + Markup(
            renderer.name_linker.link(str(inline(told)), linked_tags=linked_names)
        )
    if any(isinstance(part, Ref) for part in point.parts):
        return draw_sentence_parts(renderer, point.parts, linked_names)
    return Markup(
        renderer.name_linker.link(
            str(inline("".join(map(str, point.parts)))), linked_tags=linked_names
        )
    )
