"""UA.9: players replay an ended scene with another outcome; from there the story forks.

A branch begins with copies of what stood when the framing of the mirrored scene was over, so that it
starts as that scene did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Action, Decides, Part, main, option, required
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import NAME, TEXT, in_role, label
from chronicle.core.fix import add_entry, replace_with, set_key, write_instead, write_word
from chronicle.core.names import Named, Names, fold
from chronicle.core.snapshots import Frozen
from chronicle.core.source import ScalarNode
from chronicle.core.timeline import Scene
from chronicle.games.universalis.actions import NOT_PREPARING
from chronicle.games.universalis.addons import branches
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, Table, memory
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.scenes import close_scene
from chronicle.games.universalis.state import (
    COIN,
    COMPONENT_KINDS,
    Component,
    Phase,
    SceneState,
)
from chronicle.games.universalis.table import begin_turn, placeholder

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, CampaignView
    from chronicle.core.record import Record


class Mirror(AddOnEntry):
    """Play the scene that has just ended once more, on a new branch: same time, same place, the same
    Components, no framing to pay. 1 Coin for every fork between it and the first scene of the game."""

    verb = "mirror"
    decides = Decides("by")
    moment = NOT_PREPARING
    example = "mirror: The ferry\n  branch: the ferry waits\n  by: Dov"
    what = main(label(NAME), "the title of the scene to replay")
    branch = required(label(NAME), "what the new branch is called")
    title = option(TEXT, "the title of the mirror scene; without it, both names together")


class GoTo(AddOnEntry):
    """Go on with the story of another branch. Between scenes; the next scene is framed there."""

    verb = "branch"
    decides = Decides("next framer")
    moment = NOT_PREPARING
    example = "branch: the ferry waits"
    label = main(in_role("", NAME), "the branch on which the next scene plays")


class Realities(Part):
    """What a group settles about its branches."""

    original = option(TEXT, "what the branch is called on which the game begins")


# --- mirror scenes -------------------------------------------------------------------------------------


def mirror(play: Table, action: Mirror) -> None:
    """Split a branch off and begin its first scene."""
    branch_memory = branches.known_branches(play)
    _between_scenes(play, "a mirror scene is split off when a scene has ended", at_bids=False)
    old = _named(play, action)
    if old is None:
        return
    framer = play.step.player if action.by is not None else ""
    if not framer:
        play.unknown(
            "UA.9",
            "the record does not say who splits this branch off, and so frames the mirror scene",
            fix=set_key("by"),
        )
    play.step.player = framer
    label = _free_label(play, action)
    forks = len(branches.forks_to(play, old.number)) + 1
    branches.put_aside(play, branch_memory)
    parent = branch_memory.branches[play.timeline.get(old.number).branch]
    begun = branch_memory.beginnings.get(old.number) or _guessed(play, old, parent)
    branch = branches.Branch(
        label, old.number, len(play.timeline.scenes) + 1, framer, forks, play.step.number
    )
    branch_memory.branches[label] = branch
    line = play.timeline.get(old.number).branch
    for scene in play.timeline.scenes:
        # From the fork on, the scenes of the branch that was left belong to that branch alone.
        if scene.branch == line and scene.number >= old.number:
            scene.marks["branch"] = line
    branches.tell(play, branch, begun.frozen_story)
    title = str(action.title or f"{old.title} ({label})")
    _begin(play, branch, title, old, begun)
    charge(
        play,
        "mirror",
        "UA.9",
        f"{plural(forks, 'fork')} from the first scene to this one",
        amount=forks,
        player=framer,
    )


def _between_scenes(play: Table, doing: str, *, at_bids: bool = True) -> bool:
    state = play.state
    scene = state.scene
    if scene is not None:
        if play.gap > scene.step:
            close_scene(play, refreshes=False)
        else:
            return play.illegal(
                "UA.9",
                f"{doing}, and '{scene.title}' is still open",
                facts=[play.because(scene.step, "it began here and has not ended")],
                fix=add_entry("end scene:"),
            )
    if state.bid_winner and not at_bids:
        winner = state.bid_winner
        play.illegal(
            "UA.9",
            f"{winner} has won the next scene already; a mirror scene comes before the bids",
            facts=[play.because(state.bid_step, "the bids")],
            help="let the bids follow the mirror scene; there are no bids for that",
        )
        unspent = play.balance(f"bid:{winner}", COIN)
        play.move(f"bid:{winner}", f"wealth:{winner}", unspent, COIN, "U3.3", "the bid, taken back")
        state.bids, state.bid_winner = {}, ""
    return True


def _named(play: Table, action: Mirror) -> SceneState | None:
    """The scene to be mirrored, and the checks that may forbid it."""
    state = play.state
    if state.scene is not None:
        # It was said to be open still: play goes on as if it had been ended.
        close_scene(play, refreshes=True)
    key = fold(action.what)
    named = [s for s in state.scenes.values() if fold(s.title) == key]
    if not named:
        titles = [scene.title for scene in state.scenes.values()]
        play.unreadable(
            "T50",
            f"no scene '{action.what}'{play.names.suggest(action.what, titles)}",
            at=action.what,
            fix=play.names.spelling_fixes(action.what, titles),
        )
        return None
    may = branches.may_be_mirrored(play)
    old = next((s for s in named if s.number in may), named[-1])
    parent = play.timeline.get(old.number).parent
    if parent is not None:
        old = state.scenes[parent]
        play.illegal(
            "UA.9",
            f"'{action.what}' is a Mini Scene and belongs to a turn of '{old.title}'",
            at=action.what,
            fix=write_word(old.title),
        )
    first = min(s.number for s in state.scenes.values() if not s.mini)
    if play.require(
        old.number != first,
        "UA.9",
        f"'{old.title}' is the first scene of the game; it is part of every branch and cannot be mirrored",
        at=action.what,
        help="the first fork can lie before the second scene",
    ):
        play.require(
            old.number in may or play.gap > state.ended_step,
            "UA.9",
            f"'{old.title}' is not the scene that has just ended",
            at=action.what,
            facts=[play.because(old.ended, "it ended here")],
            fix=replace_with(state.scenes[n].title for n in may if n != first),
            help=() if any(n != first for n in may) else "mirror a scene right after its end",
            since=state.ended_step,
        )
    if old.faded:
        _faded(play, action, old)
    return old


def _faded(play: Table, action: Mirror, old: SceneState) -> None:
    """A scene that faded to black cannot be taken up; its mirror does not take it up (S84)."""
    faded = [play.because(old.faded, "it faded here")]
    if play.ruling("mirror of faded") == "no":
        play.illegal(
            "U3.13",
            f"'{old.title}' faded to black and cannot be mirrored at this table",
            at=action.what,
            facts=faded,
        )
    else:
        play.suspect(
            True,
            "UA.9",
            f"'{old.title}' faded to black; mirrored, it is played once more",
            at=action.what,
            facts=faded,
        )


def _free_label(play: Table, action: Mirror) -> str:
    branch_memory = memory(play, branches.Memory)
    label = str(action.branch)
    used_labels = {fold(used): branch for used, branch in branch_memory.branches.items()}
    old = used_labels.get(fold(label))
    if old is not None:
        play.illegal(
            "UA.9",
            f"there is a branch '{old.label}' already",
            at="branch",
            facts=play.facts(old.step, "split off here"),
            fix=write_instead(f"branch: {old.label}", when="if the story goes on there"),
            help="or give this branch another label",
        )
        count = 2
        while fold(f"{label} {count}") in used_labels:
            count += 1
        label = f"{label} {count}"
    return label


def _guessed(play: Table, old: SceneState, parent: branches.Branch) -> branches.Beginning:
    """How a scene began that was framed before the add-on was in force: it was not noted."""
    play.unknown(
        "UA.9",
        f"'{old.title}' was framed before there were alternate realities, so how it began is not noted",
        help="its mirror begins with everything as it stood when that scene ended",
        after=("add-on:alternate reality",),
    )
    return branches.Beginning(
        parent.frozen_story or Frozen(branches.telling(play)),
        tuple(old.present),
        old.location,
        dict(old.absent),
        play.timeline.get(old.number).time,
        old.ended,
    )


def _begin(
    play: Table, branch: branches.Branch, title: str, old: SceneState, begun: branches.Beginning
) -> None:
    """The mirror scene begins as the other scene did. The player who split it off Controls all Components in it."""
    state = play.state
    step = play.step
    mirror_scene = SceneState(branch.first, title, branch.keeper, step.number, framing=False)
    mirror_scene.unsure, mirror_scene.frame = old.unsure, old.frame
    mirror_scene.located, mirror_scene.location = True, begun.location
    mirror_scene.absent = dict(begun.absent)
    place = state.components.get(begun.location)
    scene = Scene(
        title,
        frame=play.timeline.get(old.number).frame,
        time=begun.time,
        place=place.name if place is not None else "",
        opener=branch.keeper,
        kind="mirror scene",
        branch=branch.label,
    )
    scene.marks["mirror of"] = old.title
    play.open_scene(scene, fork_of=old.number)
    for id in begun.present:
        component = state.components[id]
        if component.struck or component.eliminated:
            continue
        player = state.points.keeper(play, component, branch.keeper)
        mirror_scene.present[id] = step.number
        mirror_scene.control[id] = player
        mirror_scene.entries.append((step.number, id, "is there, as before"))
        component.control.append((step.number, mirror_scene.number, player, "mirrors the scene"))
        scene.cast.append(id)
    state.scenes[mirror_scene.number] = state.scene = mirror_scene
    state.phase = Phase.SCENE
    state.interrupted = ""
    begin_turn(play, branch.keeper, "mirrors")
    state.turn_sure = bool(branch.keeper)
    subject = f"{branch.keeper} plays" if branch.keeper else "The table plays"
    step.headline = f"{subject} {old.title} again: {branch.label}"
    cast = listed(state.components[id].name for id in mirror_scene.present)
    play.event(f"it begins as before, with {cast or 'nobody'}", "UA.9", "mirrors")
    play.event(
        f"a fork before {old.title}; {branch.keeper or 'nobody'} keeps the records of {branch.label}",
        "UA.9",
        "fork",
    )
    for add_on in state.add_ons:
        add_on.scene_opened(play, mirror_scene)


# --- from branch to branch -----------------------------------------------------------------------------


def go_to(play: Table, action: GoTo) -> None:
    """The story continues on another branch."""
    branch_memory = branches.known_branches(play)
    play.step.headline = f"Another reality: {action.label}"
    if not _between_scenes(play, "the story changes to another branch between scenes"):
        return
    by_label = {fold(label): branch for label, branch in branch_memory.branches.items()}
    branch = by_label.get(fold(action.label))
    if branch is None:
        hint = play.names.suggest(action.label, list(branch_memory.branches))
        play.unreadable(
            "T50",
            f"no branch '{action.label}'{hint}",
            at=action.label,
            fix=play.names.spelling_fixes(action.label, list(branch_memory.branches)),
            help="a mirror scene begins one:  - mirror: the scene  /  branch: its label",
        )
        return
    play.step.headline = f"Another reality: {branch.label}"
    if branch.frozen_story is None:
        play.suspect(
            True, "UA.9", f"the story is on the branch '{branch.label}' already", at=action.label
        )
        return
    _go_on(play, branch)


def _go_on(play: Table, branch: branches.Branch) -> None:
    """Continue on another branch; the current branch waits."""
    frozen_story = branch.frozen_story
    assert frozen_story is not None
    branches.put_aside(play, branches.known_branches(play))
    branches.tell(play, branch, frozen_story)
    play.event(f"the story goes on as it went on the branch {branch.label}", "UA.9", "branch")


class AlternateReality(AddOn):
    """Mirror scenes, and the branches that begin with them."""

    summary = (
        "When a scene has ended, players can replay it from the same beginning for 1 Coin a fork. "
        "Both ways it went are true, each on a branch of its own, and so is what becomes of the "
        "Components there."
    )
    changes = ("U3.1", "U3.2", "U3.8", "U5.6", "U5.12", "U4.37")
    chosen: Realities
    rule_text = """
        UA.9 Alternate Reality [checked; V135 V136]
          Players can mirror a scene that has just ended: the number line forks right before it. The mirror scene
          begins like the original, at the same time and place and with the Components of its frame, all free. It
          costs 1 Coin for each fork between it and the first scene of the game, the new one included. Players can
          mirror a scene again, or mirror a mirror scene; but not the first scene of the game. Every branch has a
          label and a keeper: the player who split it off. A Component belongs to all branches that leave after its
          Creation; later alterations affect one branch only.
        """
    ruling_text = """
        S84 mirror of faded: May a scene that faded to black be mirrored?
          - yes: yes; it is reported, for everybody to see
          - no: no: a faded scene is closed for good
          because a mirror scene is a replay, no continuation (UA.9, U3.13)
        S88 mirror scenes: Who may mirror a scene, who frames the mirror, and which forks count?
          - any: any player who pays; that player is its framer; Refreshment follows every scene; every fork on the
            way from the first scene counts, and a second mirror of one scene is a further fork
          because the book names a price and a keeper of records, and nothing else (UA.9, U3.8, U3.14)
        """
    verbs = {Mirror: mirror, GoTo: go_to}  # noqa: RUF012

    def adopted(self, play: Table) -> None:
        """The scenes so far form the first branch."""
        branch_memory = memory(play, branches.Memory)
        if branch_memory.branches:
            return
        label = str(getattr(self.chosen, "original", None) or "original")
        play.timeline.rename_branch(play.state.branch, label)
        play.state.branch = label
        branch_memory.branches[label] = branches.Branch(label)

    def after_entry(self, play: Table, action: Action) -> None:
        """The current scene determines the current branch."""
        scene = play.state.scene
        branch_memory = memory(play, branches.Memory)
        if scene is None or len(branch_memory.branches) < 2:
            return
        branch = branch_memory.branches.get(play.timeline.get(scene.number).branch)
        if branch is not None and branch.frozen_story is not None:
            _go_on(play, branch)

    def scene_opened(self, play: Table, scene: SceneState) -> None:
        """How a scene begins is noted, in case it is mirrored."""
        if scene.mini:
            return
        branch_memory = memory(play, branches.Memory)
        branch_memory.beginnings[scene.number] = (
            None if scene.framing else branches.noted(play, scene)
        )
        if len(branch_memory.branches) > 1:
            play.timeline.get(scene.number).marks["branch"] = play.state.branch

    def framed(self, play: Table, scene: SceneState) -> None:
        """Only now its beginning is complete."""
        if not scene.mini:
            branch_memory = memory(play, branches.Memory)
            branch_memory.beginnings[scene.number] = branches.noted(play, scene)

    def scene_ended(self, play: Table, scene: SceneState) -> None:
        """A scene may end while it is being framed."""
        if memory(play, branches.Memory).beginnings.get(scene.number, True) is None:
            self.framed(play, scene)

    def elsewhere(self, play: Table, word: ScalarNode) -> Component | None:
        """What a name means on another branch: it exists there only, or is called so there only."""
        state = play.state
        for branch in reversed(memory(play, branches.Memory).branches.values()):
            if branch.frozen_story is None:
                continue
            story, names = branch.frozen_story.view()
            match = names.find(word, COMPONENT_KINDS)
            if not isinstance(match, Named):
                continue
            branch_component = story.components[match.id]
            own_component = state.components[match.id]
            created = own_component.struck
            scene = state.scenes.get(branch_component.scene)
            play.illegal(
                "UA.9",
                f"{branch_component.name} was created on the branch '{branch.label}'"
                + (f", in '{scene.title}'" if scene is not None else "")
                + f", and does not exist on '{state.branch}'"
                if created
                else f"{own_component.name} is called '{word}' on the branch '{branch.label}' only",
                at=word,
                facts=[play.because(branch_component.step, "created there")] if created else (),
                fix=add_entry(f"branch: {branch.label}", when="if this happens on that branch")
                if created
                else replace_with([own_component.name]),
                help="or create it here as well" if created else "or buy the name here as well",
                after=(f"name:Component:{word}",),
            )
            return placeholder(play, str(word)) if created else own_component
        return self.inner.elsewhere(play, word)

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """Between scenes players can mirror the last scene or change the branch."""
        state = play.state
        if state.scene is not None or state.phase is not Phase.BIDDING:
            return
        branch_memory = memory(play, branches.Memory)
        waiting_labels = [label for label in branch_memory.branches if label != state.branch]
        if waiting_labels:
            hint = "go on with another branch of the story"
            yield self.offer("branch", "", hint, one_of(waiting_labels))
        if not state.bid_winner:
            yield from self._mirrors(play, branch_memory)

    def _mirrors(self, play: Table, branch_memory: branches.Memory) -> Iterator[Move]:
        state = play.state
        first = min((s.number for s in state.scenes.values() if not s.mini), default=0)
        for number in branches.may_be_mirrored(play):
            scene = state.scenes[number]
            price = len(branches.forks_to(play, number)) + 1
            rich = [p for p in play.present if play.balance(f"wealth:{p}", COIN) >= price]
            if number == first or scene.faded or not rich or number not in branch_memory.beginnings:
                continue
            hint = f"play {scene.title} again, on a new branch, for {plural(price, 'Coin')}"
            label = f"branch {len(branch_memory.branches) + 1}"
            yield self.offer("mirror", "", hint, scene.title, branch=label, by=one_of(rich))

    @classmethod
    def finished(cls, play: Table) -> None:
        """Readers see every Component and every Fact, of all branches."""
        state = play.state
        branch_memory = memory(play, branches.Memory)
        if len(branch_memory.branches) < 2 or branch_memory.over:
            return
        branch_memory.over = True
        told_branch = branch_memory.branches[state.branch]
        told_branch.frozen_story = Frozen(branches.telling(play))
        state.components, state.facts = dict(state.components), dict(state.facts)
        play.names.copy_from(play.names.copy())
        for branch in reversed(branch_memory.branches.values()):
            if branch is told_branch or branch.frozen_story is None:
                continue
            story, names = branch.frozen_story.view()
            for id in [id for id, candidate in state.components.items() if candidate.struck]:
                component = story.components.get(id)
                if component is not None and not component.struck:
                    state.components[id] = component
            if not story.facts.keys() <= state.facts.keys():
                state.facts = {**story.facts, **state.facts}
            mine_all = play.names.all
            for id, named in names.all.items():
                own_named = mine_all.get(id)
                if own_named is None:
                    play.names.add(id, named.kind, named.name, named.aliases)
                    continue
                if own_named.name == named.name and own_named.aliases == named.aliases:
                    continue
                for name in (named.name, *named.aliases):
                    if name not in (own_named.name, *own_named.aliases):
                        play.names.alias(id, name)

    @classmethod
    def other_names(cls, play: Table) -> Iterable[Names]:
        """The names of all waiting branches."""
        waiting = (
            branch.frozen_story for branch in memory(play, branches.Memory).branches.values()
        )
        return [frozen_story.view()[1] for frozen_story in waiting if frozen_story is not None]

    def panel(self, play: Table) -> tuple[Block, ...]:
        """The current branch, and the price to mirror the last scene."""
        from chronicle.games.universalis.addons.alternate_pages import panel

        return panel(play)

    @classmethod
    def shown_record(cls, record: Record) -> Record:
        """The events of the current branch."""
        from chronicle.games.universalis.addons.alternate_pages import shown_record

        return shown_record(record)

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """The branches as a graph, and what is true of a Component on each."""
        from chronicle.games.universalis.addons.alternate_pages import fill

        fill(view)
