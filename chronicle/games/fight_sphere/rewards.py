"""Rewards of a success, and results that were not written down (F30 to F33)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main
from chronicle.core.fix import (
    MoveEntry,
    add_entry,
    choose_reading,
    drop_entry,
    make_fix,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import Decider, Role
from chronicle.core.sentences import Sentence, said
from chronicle.games.fight_sphere.actions import BENEFIT
from chronicle.games.fight_sphere.benefits import (
    Gain,
    gain_violations,
    possible_benefits,
    take_gain,
)
from chronicle.games.fight_sphere.bonds import (
    bar,
)
from chronicle.games.fight_sphere.needs import (
    NOT_GONE,
)
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    INHABITANT,
    Conflict,
    Gladiator,
    Round,
    Stage,
    bond_id,
)
from chronicle.games.fight_sphere.table import (
    Table,
    acting,
    pass_turn,
    scene_known_from,
    whose_scene,
)
from chronicle.games.fight_sphere.throw import settle_sides

ROLES: Mapping[str, Role] = {
    "there": Role("an inhabitant, or somebody new", "", (NOT_GONE,), (INHABITANT,), takes_new=True),
}


# --- a result that was not written down -------------------------------------------------------------


def not_rolled(play: Table, conflict: Conflict, *, success: bool) -> Violation:
    """F22: that an entry shows how a Conflict went whose roll is missing."""
    key = f"conflict:{conflict.number}"
    return Violation(
        f"{play.state.gladiators[conflict.who].name}'s Conflict was not rolled before this",
        facts=[play.because(conflict.step, "the Scene began here")],
        since=conflict.step,
        fix=add_entry(f"roll: unrecorded\nresult: {'success' if success else 'failure'}"),
        after=["dropped:roll", key],
        doubts=[key, f"pool:{conflict.who}"],
    )


def learn_result(play: Table, conflict: Conflict, *, success: bool) -> None:
    """An entry shows how a Conflict went whose roll, or whose result, is missing."""
    gladiator = play.state.gladiators[conflict.who]
    if conflict.stage is Stage.BUILDING:
        gamble, pool = f"gamble:{conflict.who}", f"pool:{conflict.who}"
        staked = play.balance(gamble, DIE)
        play.move(gamble, pool if success else BOX, staked, DIE, "F35", "not rolled")
        settle_sides(play, conflict, success=success)
        conflict.stage, conflict.result_step = Stage.ROLLED, play.step.number
        if not conflict.guest:
            pass_turn(play, conflict.player, conflict.step)
    elif conflict.success is None and not success:
        lost = conflict.build.gamble - conflict.build.borrowed
        play.move(f"pool:{conflict.who}", BOX, lost, DIE, "F35", "gamble lost")
        bar(play, gladiator, conflict.build.used())
    conflict.success = success


def call_it_success(play: Table, gladiator: Gladiator, conflict: Conflict) -> None:
    """The log took a tie for a success: the gamble comes back, and no Relationship rests."""
    conflict.success = True
    gamble = conflict.build.gamble
    play.move(BOX, f"pool:{gladiator.id}", gamble, DIE, "F35", "gamble kept")
    for npc in conflict.harm_due:
        gladiator.bonds[npc].barred_step = 0
    conflict.harm_due, conflict.losses = [], ""


def doubts_of_gain(play: Table, gladiator: Gladiator) -> list[str]:
    """The figures that are in doubt when a result is: the Gladiator's pool and rests, and what judges keep."""
    judges = [f"judgment:{player}" for player in play.seats]
    return [f"pool:{gladiator.id}", f"bars:{gladiator.id}", *judges]


# --- rewards ----------------------------------------------------------------------------------------


class Reward(Action):
    """What a success brings: one die, one new Relationship, or one point in one you have."""

    verb = "reward"
    synonyms = ("gain", "win")
    decides = Decides("winner", "F30")
    offered = Offered("F30", "take a reward")
    example = "reward: {relationship: Mina}"
    benefit = main(BENEFIT, "{pool: up 1}, {relationship: Mina} or {raise: Mina}")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        for conflict in state.open_conflicts:
            if conflict.stage is not Stage.ROLLED or conflict.success is False or conflict.reward:
                continue
            gladiator = state.gladiators[conflict.who]
            for benefit in possible_benefits(play, gladiator, state.scene_npcs):
                yield {"reward": benefit, "by": gladiator.name}
        round_ = state.open_round
        if round_ is not None and play.ruling("encounter_rewards") == "ordinary":
            for id in round_.members:
                yield {"reward": {"pool": "up 1"}, "by": state.gladiators[id].name}

    def sentence(self, play: Table) -> Sentence:
        gladiator = self.gladiator(play)
        return said("{} takes a reward.", gladiator.id if gladiator is not None else "")

    def of_encounter(self, play: Table) -> tuple[Round, Gladiator] | None:
        """The Encounter, and the Gladiator in it who takes the reward."""
        round_, gladiator = play.state.open_round, acting(play, self)
        if round_ is None or self.late(play) is not None:
            return None
        if gladiator is not None:
            return (round_, gladiator) if gladiator.id in round_.members else None
        winners = [id for id in round_.members if round_.won_against_all(id)]
        return round_, play.state.gladiators[(winners or [round_.initiative])[0]]

    def late(self, play: Table) -> Conflict | None:
        """The last Conflict of the Gladiator of the actor, where that Scene is over and others are in this one."""
        gladiator = acting(play, self) if self.by is not None else None
        contests = play.state.open_contests
        if gladiator is None or not contests:
            return None
        here = [contest for contest in contests if gladiator.id in _who(contest)]
        own = [each for each in play.state.conflicts if each.who == gladiator.id]
        is_open = bool(own) and own[-1].success is not False and not own[-1].reward
        return own[-1] if is_open and not here and own[-1].stage is Stage.ROLLED else None

    def conflict(self, play: Table) -> Conflict | None:
        """The Conflict that is rewarded: that of the actor, else the last Conflict of the Scene."""
        conflicts, gladiator = play.state.open_conflicts, acting(play, self)
        late = self.late(play)
        if late is not None:
            return late
        if self.of_encounter(play) is not None or not conflicts:
            return None
        own = [
            conflict
            for conflict in conflicts
            if gladiator is not None and conflict.who == gladiator.id
        ]
        return (own or conflicts)[-1]

    def gladiator(self, play: Table) -> Gladiator | None:
        """The Gladiator who takes the reward. Without a Scene on record it is that of the player who acts."""
        of_encounter, conflict = self.of_encounter(play), self.conflict(play)
        if of_encounter is not None:
            return of_encounter[1]
        if conflict is not None:
            return play.state.gladiators[conflict.who]
        return acting(play, self) if play.state.layers else None

    def figures_of(self, gladiator: Gladiator) -> list[str]:
        """The figures of a Gladiator that the benefit may have changed."""
        if self.benefit.pool is not None:
            return [f"pool:{gladiator.id}"]
        bonds = [f"relationship:{bond_id(gladiator.id, bond.npc)}" for bond in gladiator.living()]
        return [f"relationship:{gladiator.id}", *bonds]

    def gain(self, play: Table) -> Gain | None:
        """The benefit, and who takes it."""
        of_encounter, conflict = self.of_encounter(play), self.conflict(play)
        gladiator, present_ids = self.gladiator(play), [*play.state.scene_npcs]
        if gladiator is None:
            return None
        is_here = bool(play.state.scene_step) and self.late(play) is None
        if play.state.scene_has_unnamed or not is_here:
            return Gain(gladiator, self.benefit, None, "main", is_reward=True)
        if of_encounter is not None:
            present_ids += [
                npc for build in of_encounter[0].builds.values() for npc in build.used()
            ]
        elif conflict is not None:
            present_ids += conflict.build.used()
        return Gain(gladiator, self.benefit, frozenset(present_ids), "main", is_reward=True)

    @question("FA15")
    def none_in_encounters(self, play: Table) -> Violation | None:
        if self.of_encounter(play) is None or encounters_are_ordinary(play):
            return None
        return Violation(
            "an Encounter brings no reward; its losers pay, its winners live",
            fix=choose_reading("encounter_rewards", "ordinary"),
            since=play.before_gap("turns", scene_known_from(play)),
            state_kind="turns",
        )

    @guard("F30")
    def won_against_all(self, play: Table) -> Violation | None:
        of_encounter = self.of_encounter(play)
        if of_encounter is None or not encounters_are_ordinary(play):
            return None
        round_, gladiator = of_encounter
        if round_.won_against_all(gladiator.id) and gladiator.id not in round_.rewarded:
            return None
        return Violation(
            f"{gladiator.name} did not win against everyone, or has taken a reward already",
            facts=[play.because(round_.result_step, "rolled here")],
        )

    @guard("F30", help="a reward follows the roll, before the next Scene")
    def there_is_a_success(self, play: Table) -> Violation | None:
        if self.of_encounter(play) is not None or self.conflict(play) is not None:
            return None
        return Violation(
            "there is no success to be rewarded",
            fix=drop_entry(),
            since=play.state.scene_step,
            after=["no scene", "dropped:scene", "dropped:roll"],
        )

    @guard("F30")
    def in_its_scene(self, play: Table) -> Violation | None:
        late = self.late(play)
        if late is None:
            return None
        gladiator, scene_step = play.state.gladiators[late.who], play.state.scene_step
        up = sum(1 for step in play.steps[scene_step - 1 : -1] if step.parent is None)
        is_here = play.steps[scene_step - 1].session == play.step.session
        return Violation(
            f"{gladiator.player or gladiator.name}'s Scene is over; a reward is taken before the next one",
            fix=make_fix(MoveEntry(-up), safe=True) if is_here else (),
            facts=[play.because(late.result_step, "rolled here")],
            since=play.before_gap("turns", late.result_step),
            state_kind="turns",
        )

    @guard("F22")
    def rolled_before(self, play: Table) -> Violation | None:
        conflict = self.conflict(play)
        if conflict is None or conflict.stage is not Stage.BUILDING:
            return None
        return not_rolled(play, conflict, success=True)

    @question("FA1")
    def not_for_a_tie(self, play: Table) -> Violation | None:
        conflict = self.conflict(play)
        if conflict is None or not _is_tied_failure(conflict):
            return None
        gladiator = play.state.gladiators[conflict.who]
        return Violation(
            f"{gladiator.name} is rewarded for a tie, which is a failure at this table",
            facts=[play.because(conflict.result_step, "tied here")],
            fix=choose_reading("ordinary_tie", "success"),
            doubts=doubts_of_gain(play, gladiator),
        )

    @guard("F30")
    def not_for_a_failure(self, play: Table) -> Violation | None:
        conflict = self.conflict(play)
        if conflict is None or conflict.success is not False or _is_tied_failure(conflict):
            return None
        gladiator = play.state.gladiators[conflict.who]
        return Violation(
            f"{gladiator.name} failed; only a success is rewarded",
            fix=drop_entry(),
            facts=[play.because(conflict.result_step, "failed here")],
            since=play.before_gap("turns", scene_known_from(play)),
            state_kind="turns",
            doubts=[f"conflict:{conflict.number}", *doubts_of_gain(play, gladiator)],
        )

    @guard("F30", help="one reward a success")
    def once(self, play: Table) -> Violation | None:
        conflict = self.conflict(play)
        if conflict is None or not conflict.reward:
            return None
        name = play.state.gladiators[conflict.who].name
        return Violation(
            f"{name} has taken the reward: {conflict.reward}",
            facts=play.facts(conflict.reward_step, "taken here"),
            fix=drop_entry(),
        )

    @guard("F30")
    def one_of_three(self, play: Table) -> Iterator[Violation]:
        gain = self.gain(play)
        if gain is not None:
            yield from gain_violations(play, gain, self)

    def apply(self, play: Table) -> None:
        gain, conflict, of_encounter = self.gain(play), self.conflict(play), self.of_encounter(play)
        if gain is None:
            # It is some Gladiator's, and the log does not say whose.
            for gladiator in play.state.played():
                play.unrecorded(*self.figures_of(gladiator))
            return
        if of_encounter is not None:
            of_encounter[0].rewarded.append(gain.gladiator.id)
        elif conflict is not None:
            if conflict.stage is Stage.BUILDING or conflict.success is None:
                learn_result(play, conflict, success=True)
            elif _is_tied_failure(conflict):
                call_it_success(play, gain.gladiator, conflict)
        words = take_gain(play, gain)
        if conflict is not None:
            conflict.reward, conflict.reward_step = words, play.step.number


def encounters_are_ordinary(play: Table) -> bool:
    """FA15: whether an Encounter brings rewards and cut-scenes as an ordinary Conflict does."""
    return play.ruling("encounter_rewards") == "ordinary"


def _is_tied_failure(conflict: Conflict) -> bool:
    return conflict.success is False and conflict.is_tie


# --- who acts ---------------------------------------------------------------------------------------


def _who(contest: Conflict | Round) -> Sequence[str]:
    """The ids of the Gladiators in a Conflict."""
    return contest.members if isinstance(contest, Round) else [contest.who]


def _winners(play: Table, action: Action) -> Sequence[str]:
    """The players of the Scene, who can have won; or the one who comes late."""
    state = play.state
    late = action.late(play) if isinstance(action, Reward) else None
    if late is not None:
        return [late.who]
    if state.open_round is not None:
        return [*state.open_round.members]
    return [conflict.who for conflict in state.open_conflicts]


def _of_scene(play: Table, action: Action) -> Sequence[str]:
    player = whose_scene(play)
    return [player] if player else []


ACTORS: Mapping[str, Decider] = {
    "winner": Decider(
        "the player who won",
        _winners,
        "{by} takes a reward; {due} can, for their own success",
        default=_of_scene,
    ),
}
