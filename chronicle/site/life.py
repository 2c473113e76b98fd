"""The life of a sheet's subject in headlines, scene by scene."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from chronicle.core.campaign_view import Item, Ref, Sheet
from chronicle.core.outcomes import Outcome, OutcomeKind, Quoted, SentencePart
from chronicle.core.record import Step
from chronicle.core.telling import sentence
from chronicle.site.bonds import Tie
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.card_page import Card, CardPage, card_page
from chronicle.site.dates import day_and_month
from chronicle.site.draw import Renderer
from chronicle.site.lives import by_known_name, draw_parts, entry_links
from chronicle.site.prose import inline
from chronicle.site.told import tells, told_sentence, whole
from chronicle.words import word

MAX_POINTS: Final = 20
"""The number of turning points that a sheet shows before the fold."""
MIN_FOLDED: Final = 10
"""Fewer turning points are not folded away: they stay in their places."""
FULL_LIFE: Final = 8
"""The number of turning points from which on an event that does not name the person is left out."""
FATES: Final = (OutcomeKind.GONE, OutcomeKind.DIED, OutcomeKind.RETURNED)
CHIP_CLASSES: Final = {OutcomeKind.GAINED: "plain", OutcomeKind.LOST: "removed"}
"""Outcomes that are shown as a word beside the point before, with the look of that word."""
CREATING: Final = ("creates", "made", "named")
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
    telling_place: int
    """Its place in the order of telling."""
    points: tuple[TurningPoint, ...]
    first: bool


class Life(NamedTuple):
    """A person's turning points in the order of the story; the most important ones first, the rest in
    ``more``."""

    scenes: tuple[SceneOfLife, ...]
    more: tuple[SceneOfLife, ...]
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
    by_rank = sorted(points, key=lambda point: (-point.rank, point.steps))
    shown_count = max(MAX_POINTS, cited_count)
    main_points = by_rank[: shown_count if len(points) - shown_count >= MIN_FOLDED else None]
    shown_points = [point for point in points if point in main_points]
    other_points = [point for point in points if point not in main_points]
    first_step = campaign_site.first_appearances.get(sheet.id, 0)
    if first_step and _is_called_from(campaign_site, sheet, first_step):
        first_step = 0
    scenes = _scenes_of_life(campaign_site, shown_points, first_step)
    telling_order = [scene.telling_place for scene in scenes]
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
    points: dict[int, TurningPoint] = {}
    chips: list[Outcome] = []
    cited_steps = campaign_site.lives.keepers.steps_cited_about(sheet.id)
    names = {
        *sheet.names,
        *(name for name, id in campaign_site.short_names.items() if id == sheet.id),
    }
    for item in sheet.events:
        if item.step:
            points[item.step] = _point_of_event(campaign_site, item, names)
    for outcome in campaign_site.lives.life(sheet.id):
        if outcome.kind in CHIP_CLASSES:
            chips.append(outcome)
        elif outcome.kind is not OutcomeKind.HANDS:
            points[outcome.step_number] = _point_of_outcome(campaign_site, outcome, names)
    for outcome in _fates_of_others(campaign_site, sheet, ties):
        points.setdefault(outcome.step_number, _point_of_outcome(campaign_site, outcome))
    chips_by_step = {outcome.step_number: outcome for outcome in chips}
    gap_points = list(_gap_points(campaign_site, sheet))
    card_steps = {point.steps[-1] for point in gap_points if not point.is_record_gap}
    for number in cited_steps:
        if number in card_steps and number not in points:
            continue
        step, chip_outcome = record.step(number), chips_by_step.get(number)
        point = points.get(number)
        if point is None and chip_outcome is not None and not tells(campaign_site.teller, step):
            point = _point_of_outcome(campaign_site, chip_outcome)
            chips.remove(chip_outcome)
        if point is None and not tells(campaign_site.teller, step) and _makes(step, sheet):
            point = TurningPoint((number,), (_first_seen(campaign_site, sheet, number),), 1)
        point = point or _point_of_entry(campaign_site, step, names, sheet.tagline)
        points[number] = point._replace(rank=CITED_RANK)
    for outcome in chips:
        earlier_steps = [
            step
            for step in points
            if step <= outcome.step_number and record.step(step).scene == outcome.scene
        ]
        if not earlier_steps:
            point = _point_of_outcome(campaign_site, outcome)
            step = record.step(outcome.step_number)
            if tells(campaign_site.teller, step):
                told = _point_of_entry(campaign_site, step, names)
                chip = Chip(_changed_words(outcome), CHIP_CLASSES[outcome.kind])
                point = point._replace(parts=told.parts, chips=(chip,))
            points[outcome.step_number] = point
            continue
        point = points[max(earlier_steps)]
        chip = Chip(_changed_words(outcome), CHIP_CLASSES[outcome.kind])
        points[max(earlier_steps)] = point._replace(chips=(*point.chips, chip))
    if len(points) > FULL_LIFE:
        points = {n: p for n, p in points.items() if p.rank > 1 or _names_person(p, names)}
    first_step = campaign_site.first_appearances.get(sheet.id, 0)
    covered_steps = {*points, *(point.steps[-1] for point in gap_points)}
    if (
        first_step
        and min(covered_steps, default=first_step) >= first_step
        and first_step not in covered_steps
        and not _is_introduced(campaign_site, sheet, first_step, cited_steps)
    ):
        yield TurningPoint((first_step,), (_first_seen(campaign_site, sheet, first_step),), 18)
    yield from points.values()
    for point in gap_points:
        if point.is_record_gap:
            yield point
        elif point.steps[-1] not in points:
            yield point._replace(rank=CITED_RANK) if point.steps[-1] in cited_steps else point


def _is_introduced(
    campaign_site: CampaignSite, sheet: Sheet, first_step: int, cited_steps: Iterable[int]
) -> bool:
    """Whether one of these entries makes the person, in the scene where they are first seen."""
    scene = campaign_site.record.step(first_step).scene
    steps = (campaign_site.record.step(number) for number in cited_steps)
    return any(step.scene == scene and _makes(step, sheet) for step in steps)


def _makes(step: Step, sheet: Sheet) -> bool:
    """Whether an entry makes somebody."""
    return any(event.kind in CREATING and event.subject == sheet.id for event in step.events)


def _is_called_from(campaign_site: CampaignSite, sheet: Sheet, step: int) -> bool:
    """Whether the scene of an entry called upon somebody who was not there."""
    return campaign_site.record.step(step).scene in sheet.absent_scene_numbers


def _first_seen(campaign_site: CampaignSite, sheet: Sheet, first_step: int) -> str:
    """That somebody is first seen, and as what they were known by the end of that session."""
    session = campaign_site.record.step(first_step).session
    end = campaign_site.view.session_ends.get(session)
    state = end.subjects.get(sheet.id) if end is not None else None
    role = state.role if state is not None else ""
    if _is_called_from(campaign_site, sheet, first_step):
        return word("site.called_upon_for", role=role) if role else word("site.called_upon")
    return word("site.first_seen_as", role=role) if role else word("site.first_seen")


def _changed_words(outcome: Outcome) -> str:
    """The words that were gained or lost."""
    words = [part for part in outcome.sentence[1:] if not isinstance(part, Ref)]
    return (
        " ".join("".join(words).split()).removeprefix("gains ").removeprefix("loses ").strip(" .")
    )


def _point_of_event(
    campaign_site: CampaignSite, item: Item, names: Collection[str]
) -> TurningPoint:
    """A turning point from an event that the game lists; the sentence of its entry that names the person, if there
    is one."""
    text = item.text if isinstance(item.text, tuple) else (item.text,)
    words = "".join(part.label if isinstance(part, Ref) else str(part) for part in text)
    point = TurningPoint((item.step,), (sentence(words.strip()),), 1)
    step = campaign_site.record.step(item.step)
    # What somebody says is set as all that is said in a life.
    is_spoken = words.lstrip().startswith("**")
    if (is_spoken or not _names_person(point, names)) and tells(campaign_site.teller, step):
        told = _point_of_entry(campaign_site, step, names)
        point = told if _names_person(told, names) else point
    return point._replace(parts=tuple(p if isinstance(p, Ref) else whole(p) for p in point.parts))


def _names_person(point: TurningPoint, names: Collection[str]) -> bool:
    """Whether a turning point names the person."""
    words = "".join(part.label if isinstance(part, Ref) else part for part in point.parts)
    return any(name.casefold() in words.casefold() for name in names)


def _point_of_entry(
    campaign_site: CampaignSite, step: Step, names: Collection[str], tagline: str = ""
) -> TurningPoint:
    """A turning point in the words of its entry; those under somebody's name, if it tells nothing of them."""
    words = told_sentence(campaign_site.teller, step, names)
    point = TurningPoint((step.number,), (words,), 1)
    if _names_person(point, names):
        return point
    if not tells(campaign_site.teller, step):
        return point._replace(parts=(sentence(tagline) or words,))
    # An entry that makes something else tells of that.
    made = [event.subject for event in step.events if event.kind in CREATING]
    name = campaign_site.name(made[0]) if len(made) == 1 else ""
    if not name or name in names or name.casefold() in words.casefold():
        return point
    return point._replace(parts=(f"{name[:1].upper()}{name[1:]}: {words}",))


def _point_of_outcome(
    campaign_site: CampaignSite, outcome: Outcome, names: Collection[str] = ()
) -> TurningPoint:
    """A turning point from an outcome. Where that says no more than how a scene came out, the entry tells it, under
    the names of the people if it does not name the person."""
    step = campaign_site.record.step(outcome.step_number)
    score = step.contest.score if step.contest is not None else ""
    parts = tuple(by_known_name(campaign_site.shown_names, part) for part in outcome.sentence)
    words = ""
    if outcome.brief:
        # The scene stands above it.
        parts = tuple(part for part in parts if part != " in " and not isinstance(part, Quoted))
        words = word("site.dice_score", score=score) if score else ""
        if tells(campaign_site.teller, step):
            told = _point_of_entry(campaign_site, step, names)
            words = ", ".join(filter(None, (outcome.brief, score)))
            parts = told.parts if _names_person(told, names) else _under(parts, told)
    elif score and step.contest is not None and outcome.kind is OutcomeKind.WON:
        won = step.contest.winners_score if outcome.is_against else score
        words = word("site.dice_score", score=won)
    chips = (Chip(words, "dice"),) if words else ()
    return TurningPoint(outcome.step_numbers, parts, 2 + outcome.kind, chips)


def _under(parts: Sequence[SentencePart], told: TurningPoint) -> tuple[SentencePart, ...]:
    """What an entry tells, under the names with which a built sentence begins."""
    last_name = max(place for place, part in enumerate(parts) if isinstance(part, Ref))
    return (*parts[: last_name + 1], ": ", Told("".join(map(str, told.parts))))


def _fates_of_others(
    campaign_site: CampaignSite, sheet: Sheet, ties: Iterable[Tie]
) -> Iterator[Outcome]:
    """The departures and returns of connected people while the person was there."""
    tied_ids = {tie.partner.id for tie in ties}
    scenes = {
        scene.number for scene in campaign_site.record.timeline.scenes if sheet.id in scene.cast
    }
    for outcome in campaign_site.lives.outcomes:
        if (
            outcome.kind in FATES
            and tied_ids.intersection(outcome.subject_ids)
            and outcome.scene in scenes
        ):
            yield outcome


def _gap_points(campaign_site: CampaignSite, sheet: Sheet) -> Iterator[TurningPoint]:
    """Where the record is silent during a life, and what a snapshot then says of it."""
    first_step = campaign_site.first_appearances.get(sheet.id, 0)
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
            page = card_page(campaign_site.view, step)
            yield from (
                _point_of_card(page, card) for card in page.cards if card.sheet_id == sheet.id
            )


def _point_of_card(page: CardPage, card: Card) -> TurningPoint:
    """A turning point from a page of cards: the holder, and the gained or lost Traits."""
    date = day_and_month(page.date)
    text = word("site.on_page_of", date=date) if date else word("site.on_the_page")
    if card.control_change is not None and card.control_change[1]:
        text = word("site.now_with", said=text, player=card.control_change[1])
    chips = tuple(Chip(slip.text, slip.state or "plain") for slip in card.slips)
    return TurningPoint((page.step,), (sentence(text), *map(sentence, card.lines)), 19, chips)


def _scenes_of_life(
    campaign_site: CampaignSite, points: Sequence[TurningPoint], first_step: int
) -> tuple[SceneOfLife, ...]:
    """Points by scene, in the order of the story."""
    record = campaign_site.record
    story_order = {scene.number: place for place, scene in enumerate(record.timeline.story_order())}

    points_by_scene: dict[tuple[int, int, int], list[TurningPoint]] = {}
    for (number, session), group in groupby(
        points, key=lambda point: _scene_and_session(campaign_site, point)
    ):
        # What happens outside of the scenes stays where it is.
        place = 0 if number else len(points_by_scene)
        points_by_scene.setdefault((number, session, place), []).extend(group)
    scenes = [
        _scene_of_life(campaign_site, number, tuple(scene_points), place, first_step)
        for place, ((number, _, _), scene_points) in enumerate(points_by_scene.items())
    ]
    last_place = -1
    ordered_scenes: list[tuple[int, int, SceneOfLife]] = []
    for scene in scenes:
        number = int(scene.scene.id) if scene.scene is not None else 0
        last_place = story_order.get(number, last_place)
        ordered_scenes.append((last_place, scene.telling_place, scene))
    return tuple(scene for _, _, scene in sorted(ordered_scenes, key=lambda place: place[:2]))


def _scene_and_session(campaign_site: CampaignSite, point: TurningPoint) -> tuple[int, int]:
    """The scene that a turning point belongs to (0: none), and its session. A throw belongs to the scene that it
    is for, which another may have interrupted."""
    step = campaign_site.record.step(point.steps[-1])
    number = step.scene or 0
    title = step.contest.title if step.contest is not None else ""
    scenes = campaign_site.record.timeline.scenes
    if number and title and campaign_site.record.timeline.get(number).title != title:
        number = next(
            (
                scene.number
                for scene in reversed(scenes)
                if scene.title == title and scene.first_step <= step.number
            ),
            number,
        )
    return number, step.session


def _scene_of_life(
    campaign_site: CampaignSite,
    number: int,
    points: tuple[TurningPoint, ...],
    telling_place: int,
    first_step: int,
) -> SceneOfLife:
    scene = campaign_site.record.timeline.get(number) if number else None
    session = campaign_site.record.step(points[0].steps[-1]).session
    is_first = bool(first_step) and campaign_site.record.step(first_step).scene == (number or None)
    is_first = is_first and campaign_site.record.step(first_step).session == session
    ref = Ref("scene", str(number), scene.label) if scene is not None else None
    return SceneOfLife(
        ref, scene.when if scene is not None else "", session, telling_place, points, is_first
    )


# -- drawing ---------------------------------------------------------------------------------------


def life_data(renderer: Renderer, life: Life, name: str) -> dict[str, Any]:
    """A life as the template of a sheet takes it."""
    linked = renderer.links_in_heading(name)
    return {
        "scenes": [_scene_data(renderer, scene, linked) for scene in life.scenes],
        "more": [_scene_data(renderer, scene, linked) for scene in life.more],
        "more_count": sum(len(scene.points) for scene in life.more),
        "reordered": life.is_reordered,
    }


def _scene_data(renderer: Renderer, scene: SceneOfLife, linked: set[str]) -> dict[str, Any]:
    facts = (
        scene.when,
        word("site.session_number", number=scene.session),
        word("site.first_seen_here") if scene.first else "",
    )
    return {
        "title": renderer.text(scene.scene) if scene.scene is not None else "",
        "facts": inline(" · ".join(fact for fact in facts if fact)),
        "told": scene.telling_place,
        "points": [
            {
                "text": _draw_point(renderer, point, linked),
                "marks": Markup("") if point.is_record_gap else entry_links(renderer, point.steps),
                "chips": point.chips,
                "hole": point.is_record_gap,
                "url": renderer.address(Ref("step", str(point.steps[-1]), "")),
            }
            for point in scene.points
        ],
    }


def _draw_point(renderer: Renderer, point: TurningPoint, linked: set[str]) -> Markup:
    if isinstance(told := point.parts[-1], Told):
        built = draw_parts(renderer, point.parts[:-1], linked)
        return built + Markup(renderer.names.link(str(inline(told)), linked=linked))
    if any(isinstance(part, Ref) for part in point.parts):
        return draw_parts(renderer, point.parts, linked)
    return Markup(renderer.names.link(str(inline("".join(map(str, point.parts)))), linked=linked))
