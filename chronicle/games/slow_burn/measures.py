"""The figures of Slow Burn that ``assert:`` checks and ``correct:`` sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chronicle.core.answers import Limits
from chronicle.core.game import NOT_BELOW_ZERO
from chronicle.core.game_context import GameContext, Measure
from chronicle.core.house_rules import answer
from chronicle.core.names import PLAYER
from chronicle.core.ranges import exactly
from chronicle.games.slow_burn import computed, minis, segments
from chronicle.games.slow_burn.people import FIRST_CONTACTS
from chronicle.games.slow_burn.retirement import set_free
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    FLEUR,
    HANDLER_TOKENS,
    JOB_DIE,
    LAID,
    LAST_SEGMENT,
    LAST_SPACE,
    MINI_OPPOSITION,
    MINI_SCENES,
    OPPOSITION,
    OPPOSITION_DIE,
    POOL,
    SCENE_TOKEN,
    SPACE,
    SPY,
    Ignored,
    Phase,
    Spy,
    State,
    Verdict,
    number_unsure_since,
    opposition,
    reduction_of,
    target_of,
)

Reader = Callable[[GameContext[State], Spy], int | None]


def _spy(play: GameContext[State], id: str) -> Spy | None:
    """The spy, or the spy of a player."""
    spy = play.state.cast.get(id)
    named = play.names.all.get(id)
    if spy is None and named is not None and named.kind == PLAYER:
        spy = play.state.of_player(named.name)
    return spy


def _of_spy(
    doc: str,
    read: Reader,
    account: str = "",
    unit: str = "",
    rule: Callable[[GameContext[State], Spy], str] | None = None,
    limits: Limits | Callable[[GameContext[State], Spy], Limits] = NOT_BELOW_ZERO,
    crossed: Callable[[GameContext[State], Spy, int], None] | None = None,
    put: Callable[[GameContext[State], Spy, int], bool | None] | None = None,
) -> Measure:
    def figure(play: GameContext[State], id: str) -> int | None:
        spy = _spy(play, id)
        return None if spy is None else read(play, spy)

    def write(play: GameContext[State], id: str, stated: str) -> bool | None:
        spy = _spy(play, id)
        if spy is None:
            return False
        if put is not None:
            return put(play, spy, int(stated))
        play.adjust(f"{account}:{spy.id}", stated, unit)
        spy.unsure = False
        return None

    def why(play: GameContext[State], id: str) -> str:
        spy = _spy(play, id)
        return "" if spy is None or rule is None else rule(play, spy)

    def means(play: GameContext[State], id: str, was: int | str | None) -> None:
        spy = _spy(play, id)
        if spy is not None and crossed is not None:
            crossed(play, spy, was if isinstance(was, int) else 0)

    def bounds(play: GameContext[State], id: str) -> Limits:
        spy = _spy(play, id)
        if isinstance(limits, Limits):
            return limits
        return NOT_BELOW_ZERO if spy is None else limits(play, spy)

    return Measure(
        doc,
        (SPY, PLAYER),
        figure,
        write,
        why,
        bounds,
        apply_consequences=means,
    )


def _as_many_as_resources(rule: str) -> Callable[[GameContext[State], Spy], Limits]:
    """S2.5, S9.5a: at most one for each resource: the speciality and two contacts. A contact that was developed may
    have any number of contacts, and a table may take other help (SA45)."""

    def limits(play: GameContext[State], spy: Spy) -> Limits:
        if not spy.is_spy or play.ruling("other_resources") == "yes":
            return NOT_BELOW_ZERO
        return Limits(0, max(1 + FIRST_CONTACTS, len(spy.resources())), rule)

    return limits


def _available(play: GameContext[State], spy: Spy) -> int:
    lost = play.state.lost(spy.id)
    return sum(1 for id in spy.resources() if id not in lost) - spy.withheld


def _set_available(play: GameContext[State], spy: Spy, count: int) -> bool:
    """The number of lost resources counts, where the log does not say which."""
    spy.withheld += _available(play, spy) - count
    return True


def _set_reduction(play: GameContext[State], spy: Spy, count: int) -> None:
    """The first known interference takes the count; without any, an interference without further
    record does."""
    state = play.state
    changed = to_share = count - reduction_of(play, spy.id)
    running = state.open_ignored(spy.id)
    if not running and to_share:
        segment = state.segment.number if state.segment else 1
        scene = len(state.scenes)
        running = [Ignored(spy.id, (), scene, segment, len(state.episodes), play.step.number)]
        state.ignored += running
        state.ignoring += running
    for interference in running:
        change = max(-interference.count, to_share)
        interference.count += change
        to_share -= change
    if not count and changed:
        # An interference without any record was none.
        for ignored in (state.ignored, state.ignoring):
            ignored[:] = [
                interference
                for interference in ignored
                if interference.spy != spy.id or interference.resources
            ]


def _set_need(play: GameContext[State], spy: Spy, count: int) -> bool:
    """The target number is what the Segment asks for less what ignoring has cost."""
    earlier = reduction_of(play, spy.id)
    full = target_of(play, spy.id) + earlier
    if number_unsure_since(play) is not None:
        return True
    if play.state.segment is None or count > full:
        return False
    _set_reduction(play, spy, full - count)
    if target_of(play, spy.id) != count:
        # In a mini segment, ignored interferences do not always count.
        _set_reduction(play, spy, earlier)
        return False
    return True


def _as_low_as_ignored(play: GameContext[State], spy: Spy) -> Limits:
    """S12.4: what the Segment asks for, or less."""
    if play.state.segment is None or number_unsure_since(play) is not None:
        return Limits(0, LAST_SEGMENT + 1, "S12.4")
    return Limits(0, target_of(play, spy.id) + reduction_of(play, spy.id), "S12.4")


def _set_segment(play: GameContext[State], id: str, stated: str) -> None:
    """Another Segment is at work; it begins afresh."""
    segment, scene = play.state.segment, play.state.scene
    if segment is not None and scene is not None and number_unsure_since(play) is not None:
        # The scene at hand is played in that Segment.
        segment.number = scene.segment = int(stated)
    elif segment is None or segment.number != int(stated):
        has_hole = play.state.hole
        segments.begin_segment(play, int(stated))
        # Nobody says that it begins here: a gap can hold scenes of it.
        play.state.hole = play.state.opposition_unsure = play.state.pool_unsure = has_hole
    play.state.numbered = play.step.number


def _on_table(play: GameContext[State]) -> tuple[str, bool]:
    mini = play.state.mini is not None
    return (MINI_OPPOSITION if mini else OPPOSITION), mini


def _opposition(play: GameContext[State], id: str) -> int | None:
    account, mini = _on_table(play)
    scene = play.state.scene
    if (play.state.opposition_unsure and not mini) or (scene is not None and scene.rolled):
        return None
    return play.balance(account, OPPOSITION_DIE)


def _on_path(play: GameContext[State], spy: Spy) -> Limits:
    """S4.1, S19.5b: the spaces 1 to 10; a main character who is no spy has no Path."""
    return Limits(1, LAST_SPACE, "S4.1") if spy.is_spy else Limits(0, 0, "S19.5b")


def _arrived(play: GameContext[State], spy: Spy, was: int) -> None:
    """S17.12: the last space of the Path is off the blacklist, and any other is on it."""
    space = play.balance(f"path:{spy.id}", SPACE)
    if space < LAST_SPACE <= was and spy.free:
        spy.free = spy.free_episode = spy.free_told = 0
        play.event(f"{spy.id} is on the blacklist as before", "S17.12", "not free", spy.id)
    elif was < LAST_SPACE <= space and not spy.free and play.ruling("final_push") != "on-10":
        set_free(play, spy, "S17.12")


def _dice_gone(play: GameContext[State], id: str, was: int | str | None) -> None:
    """S8.3, S15.10a, S17.9: with no Opposition die left a Segment is over, and with one it is not."""
    state = play.state
    segment, dice_left = state.segment, opposition(play)
    if play.given or segment is None:
        return
    if not dice_left and state.phase in (Phase.NEXT, Phase.OPENING) and state.mini is None:
        segments.close_segment(play)
    elif (
        not dice_left and state.phase is Phase.MINI and state.mini is not None and state.mini.scenes
    ):
        minis.over(play, state.mini, Verdict.FAVOURABLE)
    elif dice_left and state.phase in (Phase.SEGMENT_OVER, Phase.PUSH_DUE, Phase.JOB_OVER):
        segment.over, state.phase = 0, Phase.NEXT
    if state.mini is not None:
        state.mini.left = dice_left


def _set_opposition(play: GameContext[State], id: str, stated: str) -> None:
    play.adjust(_on_table(play)[0], stated, OPPOSITION_DIE)
    play.state.opposition_unsure = False
    if play.state.mini is None:
        play.state.possible_left = exactly(int(stated))


def _set_pool(play: GameContext[State], id: str, stated: str) -> None:
    play.adjust(POOL, stated, AGENCY_DIE)
    play.state.pool_unsure = False


MEASURES: Mapping[str, Measure] = {
    "path": _of_spy(
        "the space on the Path to Freedom",
        lambda play, spy: play.balance(f"path:{spy.id}", SPACE) if spy.is_spy else None,
        "path",
        SPACE,
        lambda play, spy: spy.path_rule,
        _on_path,
        _arrived,
    ),
    "persistent": _of_spy(
        "persistent Agency dice",
        lambda play, spy: None if spy.unsure else play.balance(f"persistent:{spy.id}", AGENCY_DIE),
        "persistent",
        AGENCY_DIE,
        lambda play, spy: spy.dice_rule,
    )._replace(sentence="{of} has {amount}", noun="persistent die"),
    "reduction": _of_spy(
        "by how much ignored interferences lower the target number",
        lambda play, spy: reduction_of(play, spy.id),
        rule=lambda play, spy: "S14.7b",
        put=_set_reduction,
    ),
    "need": _of_spy(
        "the target number in the scene at work",
        lambda play, spy: (
            target_of(play, spy.id, None, answer)
            if play.state.segment is not None and number_unsure_since(play) is None
            else None
        ),
        rule=lambda play, spy: "S14.7b" if reduction_of(play, spy.id) else "S12.4",
        limits=_as_low_as_ignored,
        put=_set_need,
    ),
    "resources": _of_spy(
        "resources that can be assigned",
        _available,
        rule=lambda play, spy: "S14.7a",
        limits=_as_many_as_resources("S2.5"),
        put=_set_available,
    ),
    "job dice": _of_spy(
        "Job dice in this scene",
        lambda play, spy: play.balance(f"job dice:{spy.id}", JOB_DIE),
        "job dice",
        JOB_DIE,
        lambda play, spy: play.ledger.last_rule(JOB_DIE, f"job dice:{spy.id}") or "S9.5a",
        _as_many_as_resources("S9.5a"),
    ),
    "opposition": Measure(
        "Opposition dice on the table",
        (),
        _opposition,
        _set_opposition,
        lambda play, id: play.ledger.last_rule(OPPOSITION_DIE, _on_table(play)[0]) or "S8.2",
        lambda play, id: Limits(0, segments.most_at_start(play), "S8.2"),
        apply_consequences=_dice_gone,
    ),
    "agency": Measure(
        "the Handler's Agency dice of this Segment",
        (),
        lambda play, id: None if play.state.pool_unsure else play.balance(POOL, AGENCY_DIE),
        _set_pool,
        lambda play, id: play.ledger.last_rule(AGENCY_DIE, POOL) or "S9.5b",
        lambda play, id: NOT_BELOW_ZERO,
    ),
    "tokens": Measure(
        "the Handler's Fleur-de-Lis tokens left",
        (),
        lambda play, id: play.balance(HANDLER_TOKENS, FLEUR),
        lambda play, id, stated: play.adjust(HANDLER_TOKENS, stated, FLEUR),
        lambda play, id: "S11.3" if play.balance("spent tokens", FLEUR) else "S1.6",
        lambda play, id: Limits(0, answer(play, computed.TOKENS, segments.TOKENS), "S1.6"),
    ),
    "scene tokens": Measure(
        "scene tokens laid down in the mini segment",
        (),
        lambda play, id: play.balance(LAID, SCENE_TOKEN),
        lambda play, id, stated: play.adjust(LAID, stated, SCENE_TOKEN),
        lambda play, id: "S15.5",
        lambda play, id: Limits(0, MINI_SCENES, "S15.5"),
    ),
    "segment": Measure(
        "the number of the Segment",
        (),
        lambda play, id: play.state.segment.number if play.state.segment else None,
        _set_segment,
        lambda play, id: "S7.5",
        lambda play, id: Limits(1, LAST_SEGMENT, "S7.5"),
    ),
}
