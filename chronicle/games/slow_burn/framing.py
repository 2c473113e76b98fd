"""Framing a scene: the monologue, the place and the resources that become dice (track 9).

What an entry says of a scene is put together on a :class:`Draft` first. The guards judge the draft; the effect makes
the same draft again, and books it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

from chronicle.core.declare import Action, option, place_of_word
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import (
    NAME,
    NAMES,
    TEXT,
    WHOLE,
    YES_NO,
    Counted,
    MapOf,
    in_role,
    label,
)
from chronicle.core.fix import (
    RemoveItem,
    SetPair,
    add_entry,
    choose_reading,
    drop_item,
    drop_key,
    make_fix,
    replace_with,
    set_key,
    write_word,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode
from chronicle.core.timeline import Scene
from chronicle.games.slow_burn.keys import DICE, USE
from chronicle.games.slow_burn.people import (
    each,
    gain_dice,
    is_sheet_whole,
    no_names,
    outside_mini,
    owner_of_resource,
    resource,
    resource_name,
)
from chronicle.games.slow_burn.segments import (
    begins_afresh,
    begins_episode,
    begins_segment,
    close_timeline,
    dice_at_start,
    next_number,
)
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    CONTACT,
    FLOW,
    JOB_DIE,
    LAID,
    MINI_OPPOSITION,
    OPPOSITION,
    OPPOSITION_DIE,
    POOL,
    PUSHING,
    RESOURCE,
    ROAD,
    SCENE_TOKEN,
    SPACE,
    USED,
    Ignored,
    Kind,
    Mini,
    Phase,
    SceneRecord,
    Spy,
    Table,
    Verdict,
    doubt_pool,
    in_play,
    is_reduction_unsure,
    opposition,
)
from chronicle.games.slow_burn.verdicts import verdict

NO_SCENE = "A scene without a name"
"""What a scene is called that the log does not frame."""

_AND = re.compile(r"\s+and\s+|\s*&\s*")
_ALL, _NONE = ("all", "everything"), "none"
_PLACES = (
    "A rooftop bar",
    "The container port",
    "Under the crane",
    "A stairwell",
    "The night tram",
)


class Gain(NamedTuple):
    """What a spy brings into a scene with one entry, and how many Agency dice that earns."""

    spy: Spy
    resources: list[str]
    agency_dice: int
    is_help: bool


@dataclass(slots=True, eq=False)
class Draft:
    """A scene as an entry frames it, before any effect."""

    scene: SceneRecord
    mini: Mini | None = None
    """The mini segment in which it is a scene; None for the Job."""
    pushes: Mapping[str, int] = field(default_factory=dict)
    """Who pushes in its Segment, with the entries."""
    opposition: int = 0
    """Opposition dice on the table, as the record has it."""
    is_known: bool = True
    """Whether the record tells how many these are."""
    has_hole: bool = False
    """Whether a gap has swallowed something of this Segment."""
    answered: list[Ignored] = field(default_factory=list)
    """Ignored interferences that the entry answers."""
    entered: list[Spy] = field(default_factory=list)
    """Who is named with resources, or with none."""
    gains: list[Gain] = field(default_factory=list)
    misspelt: dict[str, str] = field(default_factory=dict)
    """Names of resources under a wrong spelling, with the ids that they most likely mean."""
    wrong_use: list[Violation] = field(default_factory=list)
    """The breaches of the resources that are staked."""
    wrong_help: list[Violation] = field(default_factory=list)
    """The breaches of other help."""


def job_scene(play: Table, title: str, *, bare: bool = False) -> Draft:
    """The draft of a scene of the Job. A Segment begins for it where none is open."""
    state, segment = play.state, play.state.segment
    begins, over = begins_segment(play), begins_episode(play)
    is_fresh = begins_afresh(play)
    number = len(state.episodes) + over
    scene = SceneRecord(
        number=len(state.scenes) + 1,
        kind=Kind.JOB,
        episode=max(1, number),
        segment=1 if over else next_number(play) if begins else segment.number if segment else 1,
        title=title,
        bare=bare,
    )
    return Draft(
        scene,
        pushes=segment.pushes if segment is not None and not begins else {},
        opposition=dice_at_start(play, of_new_episode=over)[1] if begins else opposition(play),
        is_known=(is_fresh or not (state.hole or state.opposition_unsure)) and not play.given,
        has_hole=state.hole and not is_fresh,
    )


def mini_scene(play: Table, mini: Mini, title: str, *, bare: bool = False) -> Draft:
    """The draft of the next scene of a mini segment."""
    state = play.state
    scene = SceneRecord(
        number=len(state.scenes) + 1,
        kind=mini.kind,
        episode=mini.episode,
        segment=mini.segment,
        title=title,
        mini=mini.number,
        mini_scene=len(mini.scenes) + 1,
        bare=bare,
    )
    dice_left = opposition(play) if mini is state.mini else mini.left
    has_hole = state.hole or mini.is_open
    is_known = not (has_hole or state.opposition_unsure)
    return Draft(scene, mini, opposition=dice_left, is_known=is_known, has_hole=has_hole)


def open_draft(play: Table) -> Draft | None:
    """The draft of the scene that is framed already, for more resources."""
    state, scene = play.state, play.state.scene
    if scene is None:
        return None
    used = {id: [*staked] for id, staked in scene.used.items()}
    copy = replace(scene, used=used, earned={**scene.earned}, open_all=[*scene.open_all])
    pushes = state.segment.pushes if state.segment is not None else {}
    return Draft(copy, state.mini, pushes, has_hole=state.hole)


# --- resources on a draft -------------------------------------------------------------------------


def take_resources(
    play: Table, draft: Draft, use: Mapping[ScalarNode, tuple[Counted, ...]] | None
) -> None:
    """S9.4: put resources into a draft. It notes what is wrong with them."""
    if use is None:
        return
    scene = draft.scene
    scene.use_known = True
    for spy, word, items in each(play, use):
        draft.entered.append(spy)
        outside = _outside(play, draft, spy, word)
        if outside is not None:
            draft.wrong_use.append(outside)
        if any(item.name.strip().casefold() == _NONE for item in items):
            continue
        _stake(draft, spy, _chosen(play, draft, spy, items), is_help=False)


def take_help(
    play: Table, draft: Draft, because: Mapping[ScalarNode, tuple[ScalarNode, ...]] | None
) -> None:
    """SA45: gear, favours and the like are no resources, unless the table says so."""
    scene, wrong = draft.scene, draft.wrong_help
    for spy, _, help_words in each(play, because):
        brought = {fold(id) for id in scene.used.get(spy.id, ())}
        for help_word in help_words:
            if fold(help_word) in brought:
                wrong.append(_twice(play, scene, str(help_word), help_word))
            brought.add(fold(help_word))
            if play.ruling("other_resources") != "yes":
                wrong.append(
                    Violation(
                        f"{help_word} is no resource; only {spy.id}'s speciality and contacts are",
                        help_word,
                        choose_reading("other_resources", "yes"),
                    )
                )
        scene.use_known = True
        _stake(draft, spy, [str(help_word) for help_word in help_words], is_help=True)


def _stake(draft: Draft, spy: Spy, chosen: list[str], *, is_help: bool) -> None:
    """S9.5b: each resource but the first of a spy earns an Agency die, in scenes of the Job."""
    scene = draft.scene
    staked = scene.used.setdefault(spy.id, [])
    earlier = len(staked)
    staked.extend(chosen)
    dice = max(0, len(staked) - 1) - max(0, earlier - 1) if scene.kind is Kind.JOB else 0
    if dice > 0:
        scene.earned[spy.id] = scene.earned.get(spy.id, 0) + dice
    draft.gains.append(Gain(spy, chosen, dice, is_help))


def _outside(play: Table, draft: Draft, spy: Spy, word: ScalarNode) -> Violation | None:
    """S15.7, S16.3b, S17.6: that a spy cannot take part in this scene at all."""
    if draft.scene.kind is not Kind.JOB:
        return outside_mini(play, draft.mini, spy, word)
    if spy.id not in draft.pushes:
        return None
    return Violation(
        f"{spy.id} pushes for freedom; {spy.id}'s resources are off the Job until Segment "
        f"{draft.scene.segment} ends",
        word,
        facts=[play.because(draft.pushes[spy.id], "declared here")],
        help=f"take {spy.id} out of this entry",
        after=[PUSHING, FLOW],
        rule="S16.3b",
    )


def _chosen(play: Table, draft: Draft, spy: Spy, items: tuple[Counted, ...]) -> list[str]:
    """The ids of the resources named, each judged (S9.4)."""
    scene = draft.scene
    chosen: list[str] = []
    staked = [*scene.used.get(spy.id, ())]
    for item in items:
        if item.name.strip().casefold() in _ALL:
            chosen.extend(id for id in _at_hand(play, draft, spy) if id not in chosen)
            is_assumed = any(ignored.is_assumed for ignored in play.state.open_ignored(spy.id))
            if is_assumed or not is_sheet_whole(play, spy) or is_reduction_unsure(play, spy.id):
                scene.open_all.append(spy.id)
            continue
        id = resource(play, spy, item.name) or _foreign(play, draft, spy, item.name)
        lost = lost_since(play, draft, spy, id)
        if lost is not None and not play.state.lost(spy.id)[id].is_assumed:
            draft.wrong_use.append(
                Violation(
                    f"{resource_name(spy, id)} is lost to {spy.id} until the interference is answered",
                    item.name,
                    add_entry(f"answer: {spy.id}")
                    if play.step.action.verb == "scene" and scene.kind is Kind.JOB
                    else drop_item(str(item.name)),
                    help=()
                    if play.step.action.verb == "scene"
                    else f"leave it out, or write  answer: {spy.id}  above the scene",
                    facts=[play.because(lost, "ignored here")],
                    after=[FLOW],
                    rule="S14.7a",
                )
            )
        if id in staked or id in chosen or item.count != 1:
            draft.wrong_use.append(_twice(play, scene, resource_name(spy, id), item.name))
        draft.wrong_use += _used_before(play, draft, spy, id, item.name)
        chosen.extend([id] * max(1, item.count))
    return chosen


def _at_hand(play: Table, draft: Draft, spy: Spy) -> list[str]:
    """The resources of a spy that are neither lost nor in this scene already."""
    staked = draft.scene.used.get(spy.id, ())
    own = (id for id in spy.resources() if id not in staked)
    return [id for id in own if lost_since(play, draft, spy, id) is None]


def usable(play: Table, draft: Draft) -> Iterator[tuple[Spy, list[str]]]:
    """Who can still put resources into a scene, with the names of these resources."""
    for spy in in_play(play):
        word = ScalarNode(spy.id)
        if _outside(play, draft, spy, word) is None:
            free = (
                id
                for id in _at_hand(play, draft, spy)
                if not any(True for _ in _used_before(play, draft, spy, id, word))
            )
            yield spy, [*dict.fromkeys(resource_name(spy, id) for id in free)]


def possible_scenes(play: Table, draft: Draft) -> Iterator[dict[str, Any]]:
    """The place of a scene, with its speaker and some resources: a few, for each who can speak first."""
    random = Random(len(play.steps))
    speakers = [play.runner] if opens_interference(draft) else play.seats
    choices = [(spy.id, names) for spy, names in usable(play, draft) if names]
    for speaker in speakers:
        for _ in range(2):
            use = {id: random.sample(names, random.randint(1, len(names))) for id, names in choices}
            yield {"scene": random.choice(_PLACES), "voice over": speaker, "use": use}


def _twice(play: Table, scene: SceneRecord, name: str, word: ScalarNode) -> Violation:
    """S9.4: that a resource is assigned twice in one scene."""
    return Violation(
        f"{name} is assigned twice in this scene",
        word,
        help="name it once",
        facts=[play.because(scene.step, "the scene was framed here")],
    )


def _used_before(
    play: Table, draft: Draft, spy: Spy, id: str, word: ScalarNode
) -> Iterator[Violation]:
    """SA37: that a resource is used in a second scene of the Segment, where the table forbids that."""
    segment = play.state.segment
    if draft.scene.kind is not Kind.JOB or segment is None or begins_segment(play):
        return
    if play.ruling("resource_reuse") != "once-a-segment":
        return
    for number in segment.scenes:
        other = play.state.scenes[number - 1]
        if number != draft.scene.number and id in other.used.get(spy.id, ()):
            yield Violation(
                f"{resource_name(spy, id)} has been used in this Segment",
                word,
                facts=[play.because(other.step, "here")],
            )


def lost_since(play: Table, draft: Draft, spy: Spy, id: str) -> int | None:
    """The entry that cost a spy a resource, if it cannot be used in this scene."""
    ignored = play.state.lost(spy.id).get(id)
    if ignored is None:
        return None
    is_answered = bool(ignored.answered) or ignored in draft.answered
    if is_answered and play.ruling("penalty_ends") == "decision":
        return None
    if draft.scene.kind is not Kind.JOB:
        if play.ruling("lost_in_mini") == "available":
            return None
        if is_answered and draft.scene.kind is Kind.INTERFERENCE:
            return None
    return ignored.step


def _foreign(play: Table, draft: Draft, spy: Spy, word: ScalarNode) -> str:
    """A resource that is not the spy's: that of another spy is used all the same, a slip is not."""
    own = spy.resources()
    owner = owner_of_resource(play, word)
    if owner is not None:
        draft.wrong_use.append(
            Violation(
                f"{word} is {owner.id}'s; {spy.id} can use only {listed(own.values())}",
                word,
                make_fix(
                    SetPair("use", owner.id, str(word)),
                    RemoveItem(spy.id, place_of_word(play.step.action, word)),
                ),
                is_certain=is_sheet_whole(play, spy),
            )
        )
        return str(word)
    if draft.has_hole or not spy.contacts or not is_sheet_whole(play, spy):
        # The sheet is not wholly on record: the name is taken as written.
        return str(word)
    draft.wrong_use.append(
        Violation(
            f"{spy.id} has no resource '{word}'{play.names.suggest(word, [*own.values()])}",
            word,
            [*play.names.spelling_fixes(word, [*own.values()]), *replace_with(own.values())],
            kind=DiagnosticKind.UNREADABLE,
            name=word,
        )
    )
    likely = play.names.likely_subject(word, (RESOURCE, CONTACT), own)
    if likely is None:
        return str(word)
    draft.misspelt[str(word)] = likely.id
    return likely.id


# --- what every entry can say of a scene ----------------------------------------------------------


class Framing(Action):
    """What opening a scene can say besides its place."""

    voice_over = option(
        in_role("speaks first", NAMES),
        "who speaks the monologue; 'nobody' if there was none",
        words=("nobody",),
    )
    use = option(USE, "resources assigned to the scene, each worth a Job die")
    because = option(
        MapOf(in_role("used", NAME), label(NAMES)),
        "help that is no resource of the rules (a ruling allows it): {spy: what}",
    )
    job_dice = option(
        DICE, "Job dice from resources; you need not write this, Chronicle checks it", computed=True
    )
    agency_dice = option(
        DICE,
        "Agency dice earned by further resources; you need not write this, Chronicle checks it",
        computed=True,
    )
    scene_token = option(
        WHOLE, "which scene token was laid down in a mini segment; checked", computed=True
    )
    opposition = option(
        WHOLE,
        "Opposition dice on the table; you need not write this, Chronicle checks it",
        computed=True,
    )
    time = option(TEXT, "when it happens, in your words")
    outside_town = option(YES_NO, "yes, if it plays outside the city")

    @property
    def frames(self) -> bool:
        """Whether the entry says something of a scene; Opposition dice alone do not count."""
        dice = (self.use, self.because, self.job_dice, self.agency_dice, self.scene_token)
        return any(
            value is not None for value in (*dice, self.voice_over, self.time, self.outside_town)
        )

    def draft(self, play: Table) -> Draft | None:
        """The scene that this entry frames, or the next one in its mini segment, without resources. None if no
        mini segment begins."""
        raise NotImplementedError

    def opens_scene(self) -> bool:
        """Whether the entry frames a scene at all."""
        return True

    def staked(self, play: Table) -> Draft | None:
        """The draft with the resources that the entry assigns."""
        draft = self.draft(play)
        if draft is not None:
            take_resources(play, draft, self.use)
            take_help(play, draft, self.because)
        return draft

    def speaker_names(self, play: Table) -> list[ScalarNode]:
        """The names of those who speak the monologue."""
        if self.voice_over is None or no_names(self.voice_over):
            return []
        return [part for word in self.voice_over for part in _apart(play, word)]

    def speakers(self, play: Table, draft: Draft) -> list[str]:
        """The players who speak the monologue; the Handler, where only the Handler can."""
        if self.voice_over is None:
            return [play.runner] if opens_interference(draft) else []
        names = self.speaker_names(play)
        return [player for word in names if (player := play.look_up_player(word))]

    @guard("S9.2", at="voice over")
    def monologue_is_spoken(self, play: Table) -> Violation | None:
        draft = self.draft(play) if self.opens_scene() else None
        if draft is None:
            return None
        title = draft.scene.title
        if self.voice_over is not None:
            if not no_names(self.voice_over):
                return None
            return Violation(
                f"'{title}' opens without a Voice Over Monologue", fix=set_key("voice over")
            )
        if opens_interference(draft):
            return None
        return Violation(
            f"the log does not say who speaks the monologue of '{title}'",
            self.place(),
            set_key("voice over"),
            kind=DiagnosticKind.UNKNOWN,
        )

    @guard("S15.6", at="voice over")
    def handler_speaks_first(self, play: Table) -> Violation | None:
        draft = self.draft(play)
        if draft is None or not opens_interference(draft):
            return None
        speakers = self.speakers(play, draft)
        if not speakers or speakers[0] == play.runner:
            return None
        return Violation(
            f"{listed(speakers)} speaks first in an Interference Segment; "
            "its first monologue is the Handler's",
            fix=set_key("voice over", play.runner),
        )

    @question("S9.2", at="voice over")
    def players_speak(self, play: Table) -> str | None:
        draft = self.draft(play)
        if draft is None or opens_interference(draft):
            return None
        is_theirs = play.runner in self.speakers(play, draft)
        if not is_theirs or play.ruling("handler_monologue") == "may":
            return None
        return f"{play.runner} speaks the monologue; the players choose one of themselves"

    @guard("S13.5", DiagnosticKind.BOOKKEEPING, at="opposition")
    def dice_on_table(self, play: Table) -> Violation | None:
        stated = self.opposition
        draft = self.draft(play) if stated is not None else None
        return other_dice(play, draft, stated) if draft is not None and stated is not None else None

    @guard("S15.5", at="scene token")
    def scene_token_is_next(self, play: Table) -> Violation | None:
        token = self.scene_token
        draft = self.draft(play) if token is not None else None
        if draft is None:
            return None
        if draft.mini is None:
            if draft.has_hole:
                return None
            return Violation(
                "scene tokens are laid down in mini segments only", kind=DiagnosticKind.SUSPICIOUS
            )
        number = draft.scene.mini_scene
        if token == number:
            return None
        return Violation(
            f"this is scene {number} of the mini segment; token {token} is laid down",
            rule="S17.5" if draft.mini.kind is Kind.PUSH else "S15.5",
            kind=DiagnosticKind.BOOKKEEPING,
        )

    @question("S5.1", at="outside town")
    def stays_in_town(self, play: Table) -> str | None:
        draft = self.draft(play) if self.outside_town else None
        if draft is None:
            return None
        return f"'{draft.scene.title}' is outside the city, where a manhunt waits for every spy"

    @guard("S9.4")
    def resources_can_be_used(self, play: Table) -> Iterator[Violation]:
        draft = self.staked(play) if self.use is not None else None
        yield from draft.wrong_use if draft is not None else ()

    @guard("S9.4")
    def help_is_allowed(self, play: Table) -> Iterator[Violation]:
        draft = self.staked(play) if self.because is not None else None
        yield from draft.wrong_help if draft is not None else ()

    @guard("S9.5a")
    def one_die_a_resource(self, play: Table) -> Iterator[Violation]:
        draft = self.staked(play) if self.job_dice is not None else None
        for spy, word, stated in each(play, self.job_dice) if draft is not None else ():
            assert draft is not None
            dice = len(draft.scene.used.get(spy.id, ()))
            if stated != dice and draft.scene.is_use_known(spy.id):
                yield Violation(
                    f"{plural(dice, 'resource')} of {spy.id} in this scene: "
                    f"{plural(dice, 'Job die', 'Job dice')}, not {stated}",
                    word,
                    help="each resource under  use:  is one Job die",
                    doubts=[f"job dice:{spy.id}"],
                )

    @guard("S9.5b")
    def further_resources_earn_dice(self, play: Table) -> Iterator[Violation]:
        draft = self.staked(play) if self.agency_dice is not None else None
        for spy, word, stated in each(play, self.agency_dice) if draft is not None else ():
            assert draft is not None
            if draft.mini is not None:
                if stated > 0:
                    yield Violation(
                        "no Agency dice are earned in a mini segment; all resources are free",
                        word,
                        rule="S17.7" if draft.mini.kind is Kind.PUSH else "S15.8",
                    )
                continue
            dice = draft.scene.earned.get(spy.id, 0)
            if stated != dice and draft.scene.is_use_known(spy.id):
                yield Violation(
                    f"{plural(len(draft.scene.used.get(spy.id, ())), 'resource')} of {spy.id} in this "
                    f"scene: {plural(dice, 'Agency die', 'Agency dice')} earned, not {stated}",
                    word,
                    help="every resource after the first earns one",
                    doubts=["agency:"],
                )


def opens_interference(draft: Draft) -> bool:
    """S15.6: whether the Handler speaks first in this scene."""
    return draft.scene.kind is Kind.INTERFERENCE and draft.scene.mini_scene == 1


def _apart(play: Table, word: ScalarNode) -> list[ScalarNode]:
    """``Ada and Ben`` as a name, if the table knows it, else as two."""
    parts = _AND.split(word.strip())
    if len(parts) == 1 or word.strip() in play.names.all:
        return [word]
    return [word.like(part) for part in parts]


def is_first(play: Table, draft: Draft) -> bool:
    """Whether a scene is the first one of its Segment, or of its mini segment."""
    segment = play.state.segment
    if draft.mini is not None:
        return draft.scene.mini_scene == 1
    return segment is None or begins_segment(play) or segment.scenes in ([], [draft.scene.number])


def other_dice(play: Table, draft: Draft, stated: int) -> Violation | None:
    """S8.2, S13.5, S15.3, S17.3: that another number of Opposition dice is stated than the record has."""
    if not draft.is_known or stated == draft.opposition:
        return None
    mini, dice = draft.mini, draft.opposition
    on_table = f"{plural(dice, 'Opposition die', 'Opposition dice')} on the table, not {stated}"
    if mini is None:
        return Violation(
            on_table,
            fix=write_word(dice),
            after=["opposition:", FLOW],
            doubts=["opposition:"],
            rule="S8.2" if is_first(play, draft) else "S13.5",
        )
    if mini.scenes:
        return Violation(
            on_table,
            fix=write_word(dice),
            facts=[play.because(mini.step, f"it began with {mini.start}")],
            after=["opposition:", FLOW],
            doubts=["opposition:"],
        )
    is_push = mini.kind is Kind.PUSH
    return Violation(
        f"it starts with {plural(mini.start, 'Opposition die', 'Opposition dice')}, one for each spy "
        f"{'taking part' if is_push else 'implicated'}, not {stated}",
        fix=drop_key("opposition"),
        facts=[play.because(mini.step, f"it is about {listed(mini.spies) or 'nobody'}")],
        after=[PUSHING],
        doubts=["opposition:"],
        rule="S17.3" if is_push else "S15.3",
        kind=DiagnosticKind.ILLEGAL,
    )


# --- effects --------------------------------------------------------------------------------------

_WHERE = {
    Kind.JOB: "A scene of Segment {0}",
    Kind.INTERFERENCE: "Scene {1} of the Interference Segment",
    Kind.PUSH: "Scene {1} of the push for freedom",
}


def frame(play: Table, action: Framing | None, draft: Draft, parent: int | None = None) -> None:
    """Open the scene of a draft, with what an entry says of it; without one for dice that have no scene."""
    state, scene = play.state, draft.scene
    if parent is None:
        close_timeline(play)
    if action is not None:
        take_resources(play, draft, action.use)
        take_help(play, draft, action.because)
        for word in action.speaker_names(play):
            play.player(word)
        scene.speakers = action.speakers(play, draft)
    elif opens_interference(draft):
        scene.speakers = [play.runner]
    scene.before = opposition(play)
    scene.step = play.step.number
    state.scenes.append(scene)
    state.scene = scene
    time = str(action.time or "") if action is not None else ""
    shown = play.open_scene(Scene(scene.title, time=time, kind=str(scene.kind), parent=parent))
    if action is not None and action.voice_over is not None and scene.speakers:
        verb = "speaks" if len(scene.speakers) == 1 else "speak"
        play.event(f"{listed(scene.speakers)} {verb} the monologue", "S9.2", "monologue")
    shown.opener = scene.speakers[0] if scene.speakers else ""
    shown.marks["segment"] = str(scene.segment)
    if scene.kind is Kind.JOB:
        _enter_job(play, draft, action.opposition if action is not None else None)
    where = _WHERE[scene.kind].format(scene.segment, scene.mini_scene)
    play.event(f"{where}: {scene.title}", "S9.3", "scene")
    if action is not None:
        book(play, draft)
        _take_stated(play, draft, action)
    shown.cast = [*(scene.used or (draft.mini.spies if draft.mini is not None else ()))]


def _enter_job(play: Table, draft: Draft, stated: int | None) -> None:
    """A scene of the Job begins: ignored interferences count once more (S14.7b)."""
    state, segment = play.state, play.state.segment
    state.phase = Phase.FRAMED
    state.check = None
    play.settle(USED)
    if segment is not None:
        segment.scenes.append(draft.scene.number)
    each_scene = play.ruling("ignore_dice").endswith("each-scene") if state.ignoring else False
    for ignored in state.ignoring:
        if ignored.closed or (ignored.answered and play.ruling("penalty_ends") == "decision"):
            continue
        ignored.count += 1
        play.event(
            f"{ignored.spy} ignores the Agency: a target number {ignored.count} lower, for {ignored.spy} alone",
            "S14.7b",
            "reduction",
            ignored.spy,
        )
        if each_scene and ignored.count > 1:
            ignored.dice += 2
            gain_dice(play, state.cast[ignored.spy], 2, "S14.7c", "ignored in another scene")
    if stated is not None and not draft.is_known:
        play.adjust(OPPOSITION, str(stated), OPPOSITION_DIE, "S8.2")


def book(play: Table, draft: Draft) -> None:
    """Resources become Job dice; each but the first of a spy brings the Agency a die (S9.5)."""
    state = play.state
    for word, id in draft.misspelt.items():
        play.names.accept_misspelling(id, word)
    for spy in draft.entered:
        if draft.mini is not None and draft.mini.is_open and spy.id not in draft.mini.spies:
            draft.mini.spies.append(spy.id)
        if not spy.introduced and not state.hole and not play.given:
            spy.introduced = spy.placed = play.step.number
            spy.is_assumed = True
            if spy.is_spy:
                play.move(ROAD, f"path:{spy.id}", 1, SPACE, "S4.4", "in play")
    if draft.scene.open_all and draft.mini is None:
        doubt_pool(play)
    for spy, chosen, agency_dice, is_help in draft.gains:
        why = "other help" if is_help else "one for each resource"
        play.move(BOX, f"job dice:{spy.id}", len(chosen), JOB_DIE, "S9.5a", why)
        if chosen and not is_help:
            names = listed(resource_name(spy, id) for id in chosen)
            dice = plural(len(chosen), "Job die", "Job dice")
            play.event(f"{spy.id} uses {names}: {dice}", "S9.5a", "uses", spy.id)
        if agency_dice <= 0:
            continue
        holder = POOL if play.ruling("agency_holder") == "handler" else f"agency:{spy.id}"
        why = f"{spy.id}'s further resources"
        play.move(BOX, holder, agency_dice, AGENCY_DIE, "S9.5b", why)
        dice = plural(agency_dice, "die", "dice")
        play.event(f"{why} bring the Agency {dice}", "S9.5b", "earns", spy.id)


def _take_stated(play: Table, draft: Draft, action: Framing) -> None:
    """The dice are as many as the table counted (S9.5a, S9.5b)."""
    scene = draft.scene
    if not scene.use_known:
        return
    for spy, _, stated in each(play, action.job_dice):
        if stated != len(scene.used.get(spy.id, ())):
            play.adjust(f"job dice:{spy.id}", str(max(0, stated)), JOB_DIE, "S9.5a")
    for spy, _, stated in each(play, action.agency_dice) if scene.kind is Kind.JOB else ():
        more = stated - scene.earned.get(spy.id, 0)
        if more:
            play.move(BOX, POOL, more, AGENCY_DIE, "S9.5b", "as the table had it")


def frame_lost(play: Table) -> None:
    """Frame, without a name, the scene that an interference interrupts and a gap has swallowed."""
    if play.state.hole and play.state.phase is Phase.NEXT:
        headline = play.step.headline
        frame(play, None, job_scene(play, NO_SCENE, bare=True))
        play.step.headline = headline


def frame_in_mini(play: Table, action: Framing | None, draft: Draft) -> None:
    """S15.4 to S15.8, S17.4 to S17.7: a scene token, a monologue, all resources free."""
    state, mini = play.state, draft.mini
    if mini is None:
        return
    parent = state.interrupted.number if state.interrupted is not None else None
    if parent is not None:
        close_timeline(play, keep=parent)
    frame(play, action, draft, parent)
    mini.scenes.append(draft.scene.number)
    number = len(mini.scenes)
    rule = "S17.5" if mini.kind is Kind.PUSH else "S15.5"
    play.move(BOX, LAID, 1, SCENE_TOKEN, rule, f"scene {number}")
    state.phase = Phase.MINI_SCENE
    if play.ruling("ignore_in_mini") == "yes":
        for ignored in state.ignoring:
            if not ignored.answered:
                ignored.count += 1


def take_dice(play: Table, draft: Draft, stated: int | None) -> None:
    """The Opposition dice of a mini segment are as many as the table counted."""
    mini = draft.mini
    if mini is None or stated is None or (draft.is_known and mini.scenes):
        return
    if draft.is_known:
        if stated != mini.start:
            play.adjust(MINI_OPPOSITION, str(max(0, stated)), OPPOSITION_DIE, "S15.3")
            mini.start = max(0, stated)
        return
    play.adjust(MINI_OPPOSITION, str(max(0, stated)), OPPOSITION_DIE, "S13.5")
    play.state.opposition_unsure = False


def verdict_of(play: Table, spies: int, opposition: int) -> Verdict:
    """How a scene ends at this table with the successes of both sides (S13.1, S13.2, SA2)."""
    tie = play.ruling("scene_tie") if spies == opposition else play.rulings["scene_tie"]
    return verdict(spies, opposition, tie)


def clear(play: Table, scene: SceneRecord, rule: str, why: str) -> None:
    """The Job dice of a scene go back."""
    for spy in scene.used:
        play.empty(f"job dice:{spy}", BOX, JOB_DIE, rule, why)


def end_unrolled(play: Table, rule: str, why: str) -> None:
    """A scene that a ruling ends without any roll: nothing is compared, nothing discarded."""
    state = play.state
    scene = state.scene
    if scene is None:
        return
    scene.resolved = play.step.number
    scene.left = play.balance(OPPOSITION, OPPOSITION_DIE)
    scene.verdict = verdict_of(play, 0, 0)
    clear(play, scene, rule, why)
    state.phase = Phase.NEXT
    state.interrupted = None
    play.event(f"The scene is over: {why}", rule, "scene over")
