"""The verb ``roll``: which Conflict the dice are about, and which dice are due (F20, F22 to F25, F50, F55)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from chronicle.core.answers import Obligation, Pad
from chronicle.core.declare import Decides, Offered
from chronicle.core.diagnostic import plural
from chronicle.core.dice import D6
from chronicle.core.fix import add_entry
from chronicle.core.guards import Violation, away_violation, guard, violations
from chronicle.core.law import Role
from chronicle.core.names import PLAYER
from chronicle.core.sentences import Sentence
from chronicle.core.timeline import Scene
from chronicle.games.fight_sphere import clash, conflict
from chronicle.games.fight_sphere.bonds import leave_open
from chronicle.games.fight_sphere.build import (
    GM_SIDE,
    SECOND_ROLL,
    SPHERE,
    Draft,
    begin_conflict,
    build_order,
    draft_at_hand,
    draft_conflict,
    is_gm,
    pay_build,
    place_build,
)
from chronicle.games.fight_sphere.scene_close import scene_debts, shut_scene
from chronicle.games.fight_sphere.scenes import Framed
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    GLADIATOR,
    Build,
    Conflict,
    Gladiator,
    Round,
    Stage,
)
from chronicle.games.fight_sphere.table import (
    Table,
    find_gladiators,
    is_gladiator,
    is_turn_known,
    resting_on,
    scene_known_from,
    take_turn,
    turn_now,
    turn_violations,
)
from chronicle.games.fight_sphere.throw import Thrown, judges, ones_of, wagered

ROLES: Mapping[str, Role] = {
    "rolls": Role(
        "a Gladiator, the GM, or a player who judges",
        "",
        (),
        (GLADIATOR, PLAYER),
        accepts_facilitator=True,
    ),
}
_FRAME_ONE: Final = (add_entry("scene: ..."), add_entry("encounter: ..."))
_TRIED: Final = 12
"""How many throws are proposed."""


class Roll(Thrown):
    """Roll the Conflict that was built. Only ones count."""

    verb = "roll"
    synonyms = ("dice", "throw")
    already_shown_kinds = frozenset({"success", "failure"})
    decides = Decides("scene")
    offered = Offered("F24", "roll")
    example = "roll: {Halina: [1, 4, 1], GM: [1, 2, 3, 3, 6]}"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        random = Random(len(play.steps))
        for dice in _dice_at_hand(play):
            for _ in range(_TRIED):
                yield {
                    "roll": {
                        name: [random.randint(1, D6.sides) for _ in range(count)]
                        for name, count in dice.items()
                    }
                }

    def sentence(self, play: Table) -> Sentence:
        return ("The dice fall.",)

    # -- which Conflict it is about ------------------------------------------------------------------

    def named(self, play: Table) -> list[Gladiator]:
        """The Gladiators whose dice it has."""
        named = [is_gladiator(play, word) for word in self.dice]
        return [gladiator for gladiator in named if gladiator is not None]

    def concerned(self, play: Table) -> list[Gladiator]:
        """The Gladiators that it says anything about; all if it names none."""
        pairs = [word for both in self.pairs or {} for word in (both.first, both.second)]
        words = (*self.dice, *(self.ones or {}), *pairs, *(self.disengaged or ()))
        return find_gladiators(play, words) or [*play.state.gladiators.values()]

    def framed(self, play: Table) -> Framed | None:
        """The entry that framed the Scene at hand, if only the dice say whose Scene it is."""
        if not play.state.scene_nobodys:
            return None
        framed = play.steps[play.state.scene_step - 1].action
        return framed if isinstance(framed, Framed) and framed.whose(play) is not None else None

    def draft(self, play: Table) -> Draft:
        """The Conflicts that can be rolled, with the stakes of a Scene that the dice begin."""
        framed = self.framed(play)
        draft = framed.draft(play) if framed is not None else None
        if framed is None or draft is None:
            return draft_at_hand(play)
        conflicts = [*draft.conflicts]
        for built in framed.drafted(play, draft):
            place_build(built)
            if isinstance(built.contest, Conflict) and built.contest not in conflicts:
                conflicts.append(built.contest)
        return draft._replace(conflicts=conflicts)

    def is_of_another(self, play: Table, contest: Conflict | Round) -> bool:
        """Whether a gap may have swallowed the end of a Conflict, and the dice are not those of its Gladiators."""
        # Dice show whose a Scene is that the turn order alone gave to somebody.
        step = contest.rests_on if isinstance(contest, Round) else contest.step
        if play.gap_since("turns") <= step or not self.dice:
            return False
        named = {gladiator.id for gladiator in self.named(play)}
        if isinstance(contest, Round):
            return self.rolls_gm(play) or (self.all_shown and named != {*contest.members})
        return not self.rolls_gm(play) or (
            bool(named) and not named & {contest.who, *self.draft(play).guests}
        )

    def rolls_gm(self, play: Table) -> bool:
        """Whether it has dice of the GM."""
        return any(is_gm(play, word) for word in self.dice)

    def waiting_round(self, play: Table) -> Round | None:
        """The round of the Encounter that waits for these dice."""
        round_ = self.draft(play).round_
        if round_ is None or round_.stage is not Stage.BUILDING:
            return None
        return None if self.is_of_another(play, round_) else round_

    def round_(self, play: Table) -> Round | None:
        """The round of an Encounter that it is about, as its dice fall."""
        round_ = self.waiting_round(play)
        return clash.shared_round(play, round_) if round_ is not None else None

    def chosen(self, play: Table) -> Conflict | None:
        """The ordinary Conflict that waits for these dice: that of a Gladiator named, else the next."""
        draft, named = self.draft(play), self.named(play)
        if self.waiting_round(play) is not None:
            return None
        waiting = [
            each
            for each in draft.conflicts
            if each.stage is Stage.BUILDING and not self.is_of_another(play, each)
        ]
        for gladiator in named:
            own = [each for each in waiting if each.who == gladiator.id]
            if own:
                return own[0]
        for gladiator in named:
            contest = draft.contest_of(play, gladiator)
            if not isinstance(contest, Conflict) or contest in draft.conflicts:
                continue
            if not self.is_of_another(play, replace(contest, step=play.state.scene_step)):
                return contest
        return waiting[0] if waiting else None

    def conflict(self, play: Table) -> Conflict | None:
        """The ordinary Conflict that it is about, as its dice fall. Where the log did not say whose Scene it was,
        the dice do."""
        chosen = self.chosen(play)
        if chosen is None:
            return self.without_scene(play)
        gladiator = self.taken_over(play, chosen)
        return _of_another(play, chosen, gladiator) if gladiator is not None else chosen

    def without_scene(self, play: Table) -> Conflict | None:
        """F22: a Conflict for a roll against the GM without a Scene, so that play goes on."""
        state, named = play.state, self.named(play)
        if self.chosen(play) is not None or self.round_(play) is not None:
            return None
        is_ordinary = len(named) == 1 and self.rolls_gm(play)
        if not is_ordinary or named[0].npc or not state.active(named[0].player):
            return None
        gladiator = named[0]
        done = next(reversed(state.open_conflicts), None)
        if state.open_round is None and done is not None and done.who == gladiator.id:
            return None
        number = len(play.timeline.scenes) + 1
        missing = draft_conflict(play, gladiator, number, gladiator.player)
        missing.build.doubtful = True
        missing.rests_on = min(state.scene_step, state.turn_step)
        return missing

    def taken_over(self, play: Table, chosen: Conflict) -> Gladiator | None:
        """F20: the Gladiator whose Conflict it was, where the log did not say so, and the dice are another
        player's."""
        named = self.named(play)
        if chosen.named or len(named) != 1 or named[0].id == chosen.who or named[0].npc:
            return None
        gladiator = named[0]
        is_guest = gladiator.id in self.draft(play).guests
        return gladiator if not is_guest and play.state.active(gladiator.player) else None

    # -- guards --------------------------------------------------------------------------------------

    @guard("F21")
    def scene_was_framed_as_it_may(self, play: Table) -> Iterator[Violation]:
        framed = self.framed(play)
        if framed is None:
            return
        for _, mark, breach in violations(play, framed):
            if breach is not None:
                yield breach._replace(
                    rule=breach.rule or mark.rule,
                    kind=breach.kind or mark.kind,
                    at=breach.at or mark.at or None,
                    fix=breach.fix or mark.fixes,
                    help=breach.help or mark.help,
                )

    @guard("F22")
    def last_scene_is_complete(self, play: Table) -> Iterator[Violation]:
        if self.without_scene(play) is not None:
            yield from scene_debts(play)

    @guard("F22")
    def there_is_a_conflict(self, play: Table) -> Violation | None:
        state, missing = play.state, self.without_scene(play)
        if missing is not None:
            gladiator = state.gladiators[missing.who]
            name, player = gladiator.name, gladiator.player
            is_clear = is_turn_known(play) or not player
            return Violation(
                f"{name} rolls, but no Scene was framed",
                fix=add_entry(f"scene: {name}" if is_clear else f"{{scene: {name}, by: {player}}}"),
                after=["no scene", "dropped:scene"],
                since=0,
                doubts=[f"pool:{missing.who}", f"conflict:{missing.number}"],
            )
        if self.chosen(play) is not None or self.round_(play) is not None:
            return None
        done = next(reversed(state.open_conflicts), None) or state.open_round
        if done is not None and done.stage is Stage.ROLLED:
            return Violation(
                "this Scene has had its Conflict; the next roll needs a Scene of its own",
                facts=[play.because(done.result_step, "rolled here")],
                fix=_FRAME_ONE,
                after=[SECOND_ROLL],
            )
        return Violation(
            "there is no Conflict to roll for",
            fix=_FRAME_ONE,
            after=["no scene", "dropped:scene", "dropped:encounter"],
            since=0,
        )

    @guard("F20")
    def it_was_their_turn(self, play: Table) -> Iterator[Violation]:
        chosen = self.chosen(play)
        gladiator = self.taken_over(play, chosen) if chosen is not None else None
        if chosen is None or gladiator is None:
            return
        word = next(word for word in self.dice if is_gladiator(play, word) is gladiator)
        away = away_violation(play, gladiator.player, word)
        if away is not None:
            yield away
        for violation in turn_violations(play, gladiator.player, turn_now(play)):
            doubts = [*violation.doubts, f"pool:{gladiator.id}", f"pool:{chosen.who}"]
            # The dice say whose turn it was, so that of the player who was due is missing.
            missing = add_entry(f"skip: {turn_now(play).player}")
            yield violation._replace(fix=missing, doubts=doubts)

    @guard("F24")
    def dice_are_those_of_the_conflict(self, play: Table) -> Iterator[Violation]:
        rolled = self.conflict(play)
        if rolled is not None:
            breaches = conflict.conflict_violations(play, self, rolled)
            yield from resting_on(play, rolled.rests_on, breaches)

    @guard("F50")
    def dice_are_those_of_the_encounter(self, play: Table) -> Iterator[Violation]:
        round_ = self.round_(play)
        if round_ is not None:
            breaches = clash.round_violations(play, self, round_)
            yield from resting_on(play, round_.rests_on, breaches)

    # -- the effect ----------------------------------------------------------------------------------

    def apply(self, play: Table) -> None:
        framed = self.framed(play)
        if framed is not None:
            gladiator = framed.whose(play)
            play.step.player = gladiator.player if gladiator is not None else ""
            framed.frame(play)
        round_, chosen, missing = (
            self.waiting_round(play),
            self.chosen(play),
            self.without_scene(play),
        )
        if round_ is not None:
            clash.roll_round(play, self, round_)
        elif chosen is not None:
            if chosen not in play.state.open_conflicts:
                begin_conflict(play, chosen)
            gladiator = self.taken_over(play, chosen)
            if gladiator is not None:
                _take_over(play, chosen, gladiator)
            conflict.roll_conflict(play, self, chosen)
        elif missing is not None:
            shut_scene(play)
            play.open_scene(Scene("A Scene that is missing", cast=[missing.who]))
            play.state.scene_step = play.step.number
            conflict.roll_conflict(play, self, begin_conflict(play, missing))
        elif play.gap_since("turns") > scene_known_from(play):
            _roll_of_lost_scene(play, self.concerned(play))


def _roll_of_lost_scene(play: Table, named: Sequence[Gladiator]) -> None:
    """Dice of a Conflict that nobody wrote down: what it came to is unknown, and whose turn comes next."""
    shut_scene(play)
    leave_open(play, named)
    play.taint("rounds:")
    play.state.turn, play.state.turn_after = "", ""


def _of_another(play: Table, taken: Conflict, gladiator: Gladiator) -> Conflict:
    """A Conflict as that of another Gladiator, in no state yet: built from what that Gladiator has."""
    built = taken.build
    own = Build(
        gladiator.id, built.step, base=built.base, background=built.background, doubtful=True
    )
    own.paid = {npc: dice for npc, dice in built.paid.items() if gladiator.bond(npc) is not None}
    left = play.balance(f"pool:{gladiator.id}", DIE) - len(own.paid)
    own.gamble = min(built.gamble, max(0, left))
    return replace(taken, who=gladiator.id, player=gladiator.player, build=own)


def _take_over(play: Table, taken: Conflict, gladiator: Gladiator) -> None:
    """F20: a Conflict was that of another Gladiator, who pays for it."""
    take_turn(play, gladiator.player)
    old, built = taken.who, taken.build
    play.move(f"gamble:{old}", f"pool:{old}", built.gamble, DIE, "F20", "another's turn")
    play.move(BOX, f"pool:{old}", built.price, DIE, "F20", "another's turn")
    own = _of_another(play, taken, gladiator)
    pay_build(play, own.build)
    taken.who, taken.player, taken.build = own.who, own.player, own.build
    play.taint(f"pool:{gladiator.id}", f"pool:{old}")
    play.timeline.get(taken.scene).cast.insert(0, gladiator.id)


# --- what is due ------------------------------------------------------------------------------------


def _dice_at_hand(play: Table) -> Iterator[dict[str, int]]:
    """The rolls that can come next, each with its dice by the names that it has them by. Who has not built rolls
    without a gamble."""
    state, round_ = play.state, play.state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        builds = clash.shared_round(play, round_).builds
        own = {state.gladiators[id].name: build.dice for id, build in builds.items()}
        yield {**own, **judges(round_)}
        return
    guests = [state.gladiators[id] for id in state.guests_without_conflict()]
    begun = [draft_at_hand(play).contest_of(play, guest) for guest in guests]
    for contest in (*state.open_conflicts, *begun):
        if isinstance(contest, Conflict) and contest.stage is Stage.BUILDING:
            name = state.gladiators[contest.who].name
            yield {name: contest.build.dice, GM_SIDE: contest.tv, **judges(contest)}


def due(play: Table) -> list[Obligation]:
    """The open obligations: rolls to build, dice, points of the losers."""
    state, round_ = play.state, play.state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        waiting = [id for id in build_order(play, round_) if id not in round_.builds]
        names = {id: state.gladiators[id].name for id in round_.members}
        if waiting:
            return [Obligation(names[id], "a roll to build", "stake", "F48") for id in waiting]
        builds = clash.shared_round(play, round_).builds
        dice = [_dice(names[id], build, "F55") for id, build in builds.items()]
        return [*dice, *_judging(round_)]
    obligations: list[Obligation] = []
    for lost in round_.dues.values() if round_ is not None else ():
        if not lost.settled:
            words = plural(lost.points, "point").partition(" ")[2] + " off Relationships"
            name = state.gladiators[lost.who].name
            obligations.append(Obligation(name, words, "lose", "F53", lost.points, "point"))
    for contest in state.open_conflicts:
        if contest.stage is Stage.BUILDING:
            tv = contest.tv
            parts = (("Threshold Value", tv),)
            obligations += [
                _dice(state.gladiators[contest.who].name, contest.build, "F25"),
                Obligation(SPHERE, _words(tv), "roll", "F23", tv, "d6", parts),
                *_judging(contest),
            ]
    return obligations


def _dice(name: str, build: Build, rule: str) -> Obligation:
    return Obligation(
        name, _words(build.dice), "roll", rule, build.dice, "d6", tuple(build.parts())
    )


def _judging(contest: Conflict | Round) -> Iterator[Obligation]:
    for player, dice in judges(contest).items():
        yield Obligation(player, f"{_words(dice)} of judgment", "roll", "F67", dice, "judge")


def _words(dice: int) -> str:
    return plural(dice, "die", "dice").partition(" ")[2]


def odds(play: Table, due: Sequence[Obligation]) -> list[str]:
    """How likely it is who shows more ones."""
    round_ = play.state.open_round
    if {each.verb for each in due} != {"roll"}:
        return []
    if round_ is not None and round_.stage is Stage.BUILDING:
        builds = clash.shared_round(play, round_).builds
        dice = {id: build.dice + wagered(round_, id) for id, build in builds.items()}
        told = clash.told_odds(play, round_, dice)
        return [told] if told else []
    waiting = [each for each in play.state.open_conflicts if each.stage is Stage.BUILDING]
    return [conflict.told_odds(play, each) for each in waiting] if len(waiting) == 1 else []


def pad(play: Table, due: Obligation) -> Pad | None:
    """Six-sided dice. Only ones count."""
    return Pad(D6.faces, ones_of(play)) if due.kind in ("d6", "judge") else None
