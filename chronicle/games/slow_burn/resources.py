"""Resources become Job dice, and each but the first of a spy an Agency die (track 9)."""

from __future__ import annotations

from collections.abc import Mapping

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import listed, plural
from chronicle.core.fix import (
    RemoveItem,
    SetPair,
    add_entry,
    choose_reading,
    make_fix,
    replace_with,
)
from chronicle.core.kinds import Counted
from chronicle.core.names import fold
from chronicle.core.source import Place, ScalarNode
from chronicle.games.slow_burn.actions import Answer, OpenScene, PlayPush, UseResources
from chronicle.games.slow_burn.people import (
    each,
    in_mini,
    owner_of_resource,
    resource,
    resource_name,
)
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    CONTACT,
    FLOW,
    JOB_DIE,
    POOL,
    PUSHING,
    RESOURCE,
    ROAD,
    SPACE,
    Kind,
    SceneRecord,
    Spy,
    Table,
)

Framing = OpenScene | Answer | PlayPush


def use_resources(play: Table, action: UseResources) -> None:
    """S9.4: further resources, before the dice."""
    play.step.headline = "Resources"
    scene = play.state.scene
    if scene is None:
        return
    assign(play, action.resources, scene)
    shown = play.timeline.current
    if shown is not None:
        shown.cast = list(dict.fromkeys([*shown.cast, *scene.used]))


def assign(play: Table, use: Mapping[ScalarNode, tuple[Counted, ...]], scene: SceneRecord) -> None:
    """Resources become Job dice; each but the first of a spy brings the Agency a die (S9.5)."""
    scene.use_known = True
    for spy, word, items in each(play, use):
        _look_at_use(play, spy, word, scene)
        if any(item.name.strip().casefold() == "none" for item in items):
            continue
        chosen = _chosen(play, spy, items, scene)
        staked = scene.used.setdefault(spy.id, [])
        earlier = len(staked)
        staked.extend(chosen)
        play.move(BOX, f"job dice:{spy.id}", len(chosen), JOB_DIE, "S9.5a", "one for each resource")
        if chosen:
            names = listed(resource_name(spy, id) for id in chosen)
            play.event(
                f"{spy.id} uses {names}: {plural(len(chosen), 'Job die', 'Job dice')}",
                "S9.5a",
                "uses",
                spy.id,
            )
        if scene.kind is Kind.JOB:
            _earn(play, scene, spy, max(0, len(staked) - 1) - max(0, earlier - 1))


def _earn(play: Table, scene: SceneRecord, spy: Spy, dice: int) -> None:
    if dice <= 0:
        return
    scene.earned[spy.id] = scene.earned.get(spy.id, 0) + dice
    holder = POOL if play.ruling("agency_holder") == "handler" else f"agency:{spy.id}"
    play.move(BOX, holder, dice, AGENCY_DIE, "S9.5b", f"{spy.id}'s further resources")
    play.event(
        f"{spy.id}'s further resources bring the Agency {plural(dice, 'die', 'dice')}",
        "S9.5b",
        "earns",
        spy.id,
    )


def _look_at_use(play: Table, spy: Spy, word: ScalarNode, scene: SceneRecord) -> None:
    """Whether a character may take part in this scene at all: reported if not, and played."""
    state = play.state
    if not spy.introduced and not state.hole and not play.given:
        spy.introduced = play.step.index
        spy.placed = play.step.index
        if spy.is_spy:
            play.move(ROAD, f"path:{spy.id}", 1, SPACE, "S4.4", "in play")
    if scene.kind is Kind.JOB:
        segment = state.segment
        if segment is not None and spy.id in segment.pushes:
            play.illegal(
                "S16.3b",
                f"{spy.id} pushes for freedom; the resources are off the Job until Segment "
                f"{segment.number} ends",
                at=word,
                facts=(play.because(segment.pushes[spy.id], "declared here"),),
                after=(PUSHING, FLOW),
            )
    else:
        in_mini(play, spy, word)


def _chosen(play: Table, spy: Spy, items: tuple[Counted, ...], scene: SceneRecord) -> list[str]:
    """The ids of the resources named, each judged (S9.4)."""
    chosen: list[str] = []
    staked = list(scene.used.get(spy.id, ()))
    for item in items:
        at = place_of_word(play.step.action, item.name)
        if item.name.strip().casefold() in ("all", "everything"):
            free = [id for id in spy.resources() if _lost(play, spy, id, scene) is None]
            chosen.extend(id for id in free if id not in staked and id not in chosen)
            continue
        id = resource(play, spy, item.name) or _foreign(play, spy, item.name, at)
        lost = _lost(play, spy, id, scene)
        if lost is not None:
            play.illegal(
                "S14.7a",
                f"{resource_name(spy, id)} is lost to {spy.id} until the interference is answered",
                at=at,
                facts=(play.because(lost, "ignored here"),),
                fix=add_entry(f"answer: {spy.id}"),
                after=(FLOW,),
            )
        _once(play, spy, id, at, chosen + staked, item.count, scene)
        chosen.extend([id] * max(1, item.count))
    return chosen


def _once(
    play: Table, spy: Spy, id: str, at: Place, staked: list[str], count: int, scene: SceneRecord
) -> None:
    if id in staked or count != 1:
        play.illegal(
            "S9.4",
            f"{resource_name(spy, id)} is assigned twice in this scene",
            at=at,
            facts=(play.because(scene.step, "the scene was framed here"),),
        )
    if scene.kind is Kind.JOB and play.ruling("resource_reuse") == "once-a-segment":
        segment = play.state.segment
        for number in segment.scenes if segment else ():
            other = play.state.scenes[number - 1]
            play.require(
                other is scene or id not in other.used.get(spy.id, ()),
                "S9.4",
                f"{resource_name(spy, id)} has been used in this Segment",
                at=at,
                facts=(play.because(other.step, "here"),),
            )


def _lost(play: Table, spy: Spy, id: str, scene: SceneRecord) -> int | None:
    """The entry that cost the spy this resource, if it cannot be used in this scene."""
    ignored = play.state.lost(spy.id).get(id)
    if ignored is None:
        return None
    if ignored.answered and play.ruling("penalty_ends") == "decision":
        return None
    if scene.kind is not Kind.JOB:
        if play.ruling("lost_in_mini") == "available":
            return None
        if ignored.answered and scene.kind is Kind.INTERFERENCE:
            return None
    return ignored.step


def _foreign(play: Table, spy: Spy, word: ScalarNode, at: Place) -> str:
    """A resource that is not the spy's: that of another spy is used all the same, a slip is not."""
    owner = owner_of_resource(play, word)
    if owner is not None:
        play.illegal(
            "S9.4",
            f"{word} is {owner.id}'s; {spy.id} can use only {listed(spy.resources().values())}",
            at=at,
            fix=make_fix(SetPair("use", owner.id, str(word)), RemoveItem(spy.id, at)),
        )
        return str(word)
    if play.state.hole or not spy.contacts:
        # The sheet is not wholly on record: the name is taken as written.
        return str(word)
    play.unreadable(
        "S9.4",
        f"{spy.id} has no resource '{word}'{play.names.suggest(word, [*spy.resources().values()])}",
        at=at,
        fix=(
            *play.names.spellings(word, [*spy.resources().values()]),
            *replace_with(spy.resources().values()),
        ),
        name=word,
    )
    likely = play.resolve_misspelt(word, (RESOURCE, CONTACT), spy.resources())
    return likely.id if likely is not None else str(word)


def other_help(play: Table, action: Framing, scene: SceneRecord) -> None:
    """SA45: gear, favours and the like are no resources, unless the table says so."""
    for spy, _, help_words in each(play, action.because):
        brought = {fold(id) for id in scene.used.get(spy.id, ())}
        for help_word in help_words:
            play.require(
                fold(help_word) not in brought,
                "S9.4",
                f"{help_word} is assigned twice in this scene",
                at=help_word,
                facts=(play.because(scene.step, "the scene was framed here"),),
            )
            brought.add(fold(help_word))
            play.require(
                play.ruling("other_resources") == "yes",
                "S9.4",
                f"{help_word} is no resource; only {spy.id}'s speciality and contacts are",
                at=help_word,
                fix=choose_reading("other_resources", "yes"),
            )
        staked = scene.used.setdefault(spy.id, [])
        earlier = len(staked)
        staked.extend(str(help_word) for help_word in help_words)
        scene.use_known = True
        play.move(BOX, f"job dice:{spy.id}", len(help_words), JOB_DIE, "S9.5a", "other help")
        if scene.kind is Kind.JOB:
            _earn(play, scene, spy, max(0, len(staked) - 1) - max(0, earlier - 1))


def stated_dice(play: Table, action: Framing, scene: SceneRecord) -> None:
    """Stated numbers of dice gained are checked (S9.5a, S9.5b, S15.8, S17.7)."""
    for spy, word, stated in each(play, action.job_dice):
        dice = len(scene.used.get(spy.id, ()))
        if not play.require(
            stated == dice or not scene.use_known,
            "S9.5a",
            f"{plural(dice, 'resource')} of {spy.id} in this scene: "
            f"{plural(dice, 'Job die', 'Job dice')}, not {stated}",
            at=word,
        ):
            play.adjust(f"job dice:{spy.id}", str(max(0, stated)), JOB_DIE, "S9.5a")
            play.taint(f"job dice:{spy.id}")
    for spy, word, stated in each(play, action.agency_dice):
        at = place_of_word(action, word)
        if scene.kind is not Kind.JOB:
            play.require(
                stated <= 0,
                "S17.7" if scene.kind is Kind.PUSH else "S15.8",
                "no Agency dice are earned in a mini segment; all resources are free",
                at=at,
            )
            continue
        dice = scene.earned.get(spy.id, 0)
        if not play.require(
            stated == dice or not scene.use_known,
            "S9.5b",
            f"{plural(len(scene.used.get(spy.id, ())), 'resource')} of {spy.id} in this scene: "
            f"{plural(dice, 'Agency die', 'Agency dice')} earned, not {stated}",
            at=at,
            help="every resource after the first earns one",
        ):
            play.move(BOX, POOL, stated - dice, AGENCY_DIE, "S9.5b", "as the table had it")
            play.taint("agency:")
