"""Episodes, Segments, scenes, and the Path to Freedom."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign_view import (
    Block,
    Facts,
    Note,
    Page,
    Row,
    Series,
    Steps,
    Stones,
    Table,
    heads,
    tabled,
)
from chronicle.core.diagnostic import listed
from chronicle.core.ledger import Ledger
from chronicle.core.record import Record
from chronicle.games.slow_burn.show import (
    called,
    entry_link,
    scene_link,
    sheet_link,
    sheet_links,
    spies_of,
)
from chronicle.games.slow_burn.state import LAST_SEGMENT, LAST_SPACE, SPACE, Episode, Kind, State


def path_stones(state: State, ledger: Ledger) -> Stones:
    """Ten stones for every spy, filled up to where the spy stands."""
    spies = [spy for spy in spies_of(state) if spy.introduced]
    return Stones(
        tuple(
            (spy.id, max(0, ledger.balance(f"path:{spy.id}", SPACE)), LAST_SPACE) for spy in spies
        ),
        "Path to Freedom",
        players=tuple(spy.player for spy in spies),
    )


def episode_page(record: Record, state: State, number: int) -> Page:
    """One Job: client, Segments, scenes, the Opposition, the end."""
    episode = state.episodes[number - 1]
    done = sum(1 for segment in episode.segments if segment.over)
    blocks: list[Block] = [
        Facts(
            (
                ("Client", episode.client or "not named"),
                ("The Job", episode.job or "not written down"),
                ("Introduced", entry_link(episode.job_step)),
                ("Evenings", ", ".join(str(session) for session in episode.sessions)),
                (
                    "Ended",
                    entry_link(episode.closing or episode.over) if episode.over else "not yet",
                ),
            )
        ),
        Stones((("Segments", done, LAST_SEGMENT),), "How far the Job has come"),
        _segments(state, number),
    ]
    blocks.append(_scene_table(record, state, number))
    if any(scene.episode == number for scene in state.scenes):
        blocks.append(_episode_curve(state, number))
    blocks.append(_end_of_episode(state, number))
    return Page(
        f"episode-{number}",
        f"Episode {number}" + (f": {episode.title}" if episode.title else ""),
        blocks,
        "One Job, seven Segments.",
        "Sessions",
    )


def _segments(state: State, number: int) -> Table:
    episode = state.episodes[number - 1]
    rows = (
        (
            entry_link(segment.step, f"Segment {segment.number}"),
            segment.number + 1,
            segment.start,
            len(segment.scenes),
            sum(str(state.scenes[n - 1].verdict) == "favourable" for n in segment.scenes),
            sheet_links(state, segment.pushes) if segment.pushes else "",
            "over" if segment.over else "open",
        )
        for segment in episode.segments
    )
    return Table(
        heads(
            "Segment | Job dice need # | Opposition at its start # | "
            "Scenes # | Favourable # | Pushing | State"
        ),
        tuple(rows),
        "Segments",
        "A hole in the record" if any(segment.partial for segment in episode.segments) else "",
    )


@tabled(
    "Scene | In | Monologue | Resources | Job dice need | "
    "Successes | For the spies | Opposition left #",
    "Scenes",
)
def _scene_table(record: Record, state: State, number: int) -> Iterator[Row]:
    """One row a scene; the scene's own page holds the story and the dice."""
    for scene in state.scenes:
        if scene.episode != number:
            continue
        used = "; ".join(
            f"{id}: {', '.join(called(state.cast[id], name) for name in names)}"
            for id, names in scene.used.items()
            if names
        )
        where = {
            Kind.JOB: f"Segment {scene.segment}",
            Kind.INTERFERENCE: f"interference, scene {scene.mini_scene}",
            Kind.PUSH: f"push, scene {scene.mini_scene}",
        }[scene.kind]
        yield (
            scene_link(record, scene.number),
            where,
            listed(scene.speakers) or "not written down",
            used or "nothing",
            ", ".join(str(n) for n in sorted(set(scene.targets.values()))),
            f"{scene.successes} : {scene.opposed}" if scene.resolved else "",
            str(scene.verdict) if scene.resolved else "not rolled",
            scene.left if scene.resolved else "",
        )


def _episode_curve(state: State, number: int) -> Steps:
    """Opposition dice left after every scene of the Job, with the verdicts."""
    points: list[tuple[int, int]] = []
    marks: list[tuple[int, int, str]] = []
    ticks: list[tuple[int, str]] = []
    at = 0
    for segment in state.episodes[number - 1].segments:
        ticks.append((at, f"Segment {segment.number}"))
        points.append((at, segment.start))
        for count in segment.scenes:
            scene = state.scenes[count - 1]
            at += 1
            if not scene.resolved:
                continue
            points.append((at, scene.left))
            marks.append((at, scene.left, scene.title_and_verdict))
        at += 1
    return Steps(
        f"Opposition dice over the scenes of episode {number}",
        (Series("Opposition", tuple(points)),),
        tuple(ticks),
        ((0, "Segment over"),),
        tuple(marks),
        x_title="scenes of the Job",
        y_title="dice left",
    )


def _end_of_episode(state: State, number: int) -> Block:
    episode = state.episodes[number - 1]
    if not episode.over:
        return Note("The episode is not over.")
    if episode.partial:
        return Note("The record of this episode has a hole; who pushed is not wholly known.")
    return _prices(state, episode)


@tabled("Spy | Push | Price | Space then #", "At the end of the episode")
def _prices(state: State, episode: Episode) -> Iterator[Row]:
    for id in episode.spies:
        pushes = [p for p in state.pushes if p.spy == id and p.episode == episode.number]
        yield (
            sheet_link(state.cast[id]),
            ", ".join(p.result or "not played" for p in pushes) or "no push",
            "one space back, one die more" if id in episode.missed else "nothing",
            episode.path.get(id, 0),
        )


def path_curve(state: State) -> Steps:
    """Spaces over episodes, with pushes won, lost and missed marked in the Segment they belong to."""
    length = LAST_SEGMENT + 1
    points: dict[str, dict[int, int]] = {
        spy.id: {max(0, spy.episode) * length: 1} for spy in spies_of(state) if spy.introduced
    }
    marks: list[tuple[int, int, str]] = []
    for episode in state.episodes:
        first = (episode.number - 1) * length
        for push in state.pushes:
            parts = points.get(push.spy)
            if (
                push.episode != episode.number
                or parts is None
                or push.result not in ("won", "lost")
            ):
                continue
            space = min(LAST_SPACE, list(parts.values())[-1] + (push.result == "won"))
            parts[first + push.segment] = space
            marks.append((first + push.segment, space, f"{push.spy} {push.result}"))
        for id, space in episode.path.items():
            if id in points:
                points[id][first + length] = space
        for id in episode.missed:
            if id in episode.path:
                marks.append((first + length, episode.path[id], f"{id} missed"))
    return Steps(
        "Path to Freedom over the episodes",
        tuple(
            Series(id, tuple(parts.items()), state.cast[id].player) for id, parts in points.items()
        ),
        tuple(((e.number - 1) * length, f"episode {e.number}") for e in state.episodes),
        ((1, "first contact"), (LAST_SPACE, "off the blacklist")),
        tuple(marks),
        x_title="Segments, episode by episode",
        y_title="space",
    )


def path_page(record: Record, state: State) -> Page:
    """The Path to Freedom of everybody."""
    return Page(
        "path",
        "Path to Freedom",
        [
            path_stones(state, record.ledger),
            _how_far(state, record.ledger),
            path_curve(state),
            push_table(state),
        ],
        "Ten spaces, one step for each push that is won, and one back for an episode without any.",
    )


@tabled(
    "Spy | Player | Space # | Steps left # | Pushes won # | Lost # | Missed #",
    "How far from freedom",
)
def _how_far(state: State, ledger: Ledger) -> Iterator[Row]:
    for spy in spies_of(state):
        if not spy.introduced:
            continue
        space = ledger.balance(f"path:{spy.id}", SPACE)
        results = [push.result for push in state.pushes if push.spy == spy.id]
        yield (
            sheet_link(spy),
            spy.player,
            space,
            0 if spy.free else LAST_SPACE - space,
            results.count("won"),
            results.count("lost"),
            sum(1 for episode in state.episodes if spy.id in episode.missed),
        )


@tabled("Declared | Spy | Held the Job | Scenes # | Result", "Pushes for freedom")
def push_table(state: State, spy: str = "") -> Iterator[Row]:
    """Every push (of one spy): who held the Job, how it went."""
    for push in state.pushes:
        if spy and push.spy != spy:
            continue
        episode = state.episodes[push.episode - 1]
        segment = next((s for s in episode.segments if push.declared in s.pushes.values()), None)
        stayed = [
            other
            for other in episode.spies or [s.id for s in state.active()]
            if segment is not None and other not in segment.pushes
        ]
        mini = state.minis[push.mini - 1] if push.mini else None
        yield (
            entry_link(push.declared, f"episode {push.episode}, Segment {push.segment}"),
            sheet_links(state, [push.spy]),
            sheet_links(state, stayed),
            len(mini.scenes) if mini else 0,
            entry_link(mini.step, push.result or "being played") if mini else push.result or "due",
        )
