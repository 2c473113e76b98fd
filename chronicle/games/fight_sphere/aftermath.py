"""What follows a roll: rewards, cut-scenes, resumptions (F30 to F39)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from chronicle.core.declare import Action, Decides, Offered, main, option, place_of_word
from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import (
    AddItem,
    Fix,
    RemoveItem,
    ReplaceWord,
    SetPair,
    add_entry,
    choose_reading,
    drop_entry,
    drop_key,
    make_fix,
    replace_with,
    write_word,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.kinds import NAME, NAMES, TEXT, in_role
from chronicle.core.law import Decider, Role, barred
from chronicle.core.reporter import NOBODY_ACTS
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import Place, ScalarNode
from chronicle.games.fight_sphere.actions import BENEFIT, Benefit
from chronicle.games.fight_sphere.needs import (
    GLADIATORS,
    NOT_GONE,
    is_not,
    is_npc,
    is_standing,
)
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    INHABITANT,
    POINT,
    Conflict,
    Encounter,
    Fate,
    Gladiator,
    Inhabitant,
    Round,
    Stage,
    bond_id,
)
from chronicle.games.fight_sphere.state import CutScene as ShownCutScene
from chronicle.games.fight_sphere.table import (
    Table,
    acting,
    bar,
    bonds_unknown_since,
    doubted_bond,
    find_gladiator,
    find_inhabitant,
    id_of,
    inhabitant,
    is_drive_known,
    is_gladiator,
    is_value_known,
    new_encounter,
    pass_turn,
    relate,
    scene_known_from,
    show_bond,
    told_name,
    told_of,
    value,
    whose_scene,
)
from chronicle.games.fight_sphere.throw import settle_sides

ROLES: Mapping[str, Role] = {
    "there": Role("an inhabitant, or somebody new", "", (NOT_GONE,), (INHABITANT,), takes_new=True),
    "shown": Role(
        "an NPC Gladiator", "be shown", (is_npc("F38"), is_not(Fate.DEAD, "F38")), GLADIATORS
    ),
    "comes back": Role(
        "an NPC Gladiator", "come back", (is_npc("F39"), *is_standing("F39")), GLADIATORS
    ),
}


# --- one of three benefits --------------------------------------------------------------------------


class Gain(NamedTuple):
    """A benefit as an entry gives it to a Gladiator.

    Attributes:
        gladiator: the Gladiator who gains.
        benefit: the benefit as typed.
        there: the ids of the inhabitants who are known to be there; None where the log does not name all.
        key: the key of the entry that holds it.
        is_reward: whether it is the reward of a success, and not the benefit of a cut-scene.
    """

    gladiator: Gladiator
    benefit: Benefit
    there: frozenset[str] | None
    key: str
    is_reward: bool

    def rule(self, of_reward: str) -> str:
        """The rule of a part of a reward; a cut-scene has one rule for all."""
        return of_reward if self.is_reward else "F38"

    @property
    def relationships(self) -> dict[ScalarNode, int | None]:
        """The new Relationships, each with the value that the log states."""
        return dict(self.benefit.relationship or {})

    @property
    def raised(self) -> dict[ScalarNode, int | None]:
        """The Relationships that grow, each with the value that the log states."""
        return dict(self.benefit.raise_ or {})

    def dice(self, play: Table) -> int | None:
        """The dice that the Conflict Pool grows by."""
        change = self.benefit.pool
        if change is None:
            return None
        if change.by is not None:
            return change.by
        return (change.to or 0) - play.balance(f"pool:{self.gladiator.id}", DIE)


def gain_violations(play: Table, gain: Gain, action: Action) -> Iterator[Violation]:
    """Breaches of F30 to F33, or F38: one of the three, of the right size, with an inhabitant who is there."""
    yield from _more_than_one(gain, action)
    dice = gain.dice(play)
    if dice not in (None, 1):
        yield Violation(
            f"{gain.gladiator.name}'s Conflict Pool grows by one die, not by {dice}",
            action.place(gain.key, "pool"),
            write_word("up 1"),
            doubts=[f"pool:{gain.gladiator.id}"],
            rule=gain.rule("F31"),
        )
    for word, worth in gain.relationships.items():
        yield from _new_bond_violations(play, gain, word, worth, action)
    for word, worth in gain.raised.items():
        yield from _raise_violations(play, gain, word, worth, action)


def _more_than_one(gain: Gain, action: Action) -> Iterator[Violation]:
    kinds = {
        "pool": gain.benefit.pool,
        "relationship": gain.benefit.relationship,
        "raise": gain.benefit.raise_,
    }
    granted = [kind for kind, amount in kinds.items() if amount]
    count = (gain.benefit.pool is not None) + len(gain.relationships) + len(gain.raised)
    if count == 1:
        return
    name = gain.gladiator.name
    message = f"nothing is gained by {name}"
    if count:
        message = f"{name} gains {plural(count, 'thing')} at once; it is one of the three"
    yield Violation(
        message,
        action.place(gain.key),
        [
            make_fix(
                *(
                    RemoveItem(kind, action.place(gain.key, kind))
                    for kind in granted
                    if kind != kept_kind
                )
            )
            for kept_kind in (granted if len(granted) > 1 else ())
        ],
        help="one of  pool: up 1,  relationship: somebody new  and  raise: somebody known",
        rule=gain.rule("F30"),
    )


def _among_them(play: Table, name: str, word: str = "") -> Fix:
    """The fix that adds an inhabitant to the Scene, and corrects a wrong ``word`` for the name."""
    scene = AddItem("npcs", name, play.place_of_entry(play.state.scene_step))
    return make_fix(scene, *([ReplaceWord(name, old=word)] if word else ()), safe=True)


def _instead(action: Action, gain: Gain, kind: str, name: str) -> Fix:
    """The fix that gains a bond in the other way, ``raise`` or ``relationship``."""
    key = action.verb if gain.is_reward else gain.key
    return make_fix(SetPair(key, kind, name), RemoveItem(name), safe=True)


def _intended(play: Table, gain: Gain, word: ScalarNode) -> Inhabitant | None:
    """The inhabitant of the Scene whom a new name most likely means."""
    if find_inhabitant(play, word) is not None:
        return None
    likely = play.names.likely_subject(word, (INHABITANT,), gain.there or ())
    first_step = play.state.scene_step
    if likely is None or (first_step and told_name(play, word, first_step, but=likely.name)):
        return None
    return play.state.inhabitants[likely.id]


def _was_there(
    play: Table, gain: Gain, id: str, name: str, rule: str, at: Place
) -> Violation | None:
    """F32, F33, F38: that an inhabitant was not in the Scene. Everybody in its text was there. Where the log
    lists no inhabitants, it does not say."""
    first_step = play.state.scene_step
    is_known = id in play.state.inhabitants
    is_told = first_step > 0 and (
        told_of(play, id, first_step) if is_known else told_name(play, name, first_step)
    )
    if gain.there is None or id in gain.there or is_told:
        return None
    return Violation(
        f"{name} was not in this Scene",
        at,
        _among_them(play, name),
        since=play.before_gap("cast", first_step),
        about="cast",
        rule=rule,
        finding=Finding.ILLEGAL if gain.there else Finding.UNKNOWN,
    )


def _unnamed(at: Place) -> Violation:
    """T56: that a benefit is with an inhabitant whom the log does not name."""
    message = "the record does not say which inhabitant it was"
    return Violation(message, at, rule=NOBODY_ACTS, finding=Finding.UNKNOWN)


def _new_bond_violations(
    play: Table, gain: Gain, word: ScalarNode, worth: int | None, action: Action
) -> Iterator[Violation]:
    gladiator, rule = gain.gladiator, gain.rule("F32")
    at = place_of_word(action, word)
    second = is_gladiator(play, word)
    if second is not None:
        message = f"{second.name} is a Gladiator; Relationships are with inhabitants only"
        yield Violation(message, at, rule="F40")
        return
    if play.is_unrecorded_name(word):
        yield _unnamed(at)
        return
    intended = _intended(play, gain, word)
    if intended is not None:
        message = f"{word} was not in this Scene; did you mean '{intended.name}'?"
        yield Violation(message, at, _among_them(play, intended.name, word), rule=rule)
    npc = intended or find_inhabitant(play, word)
    id, name = (npc.id, npc.name) if npc is not None else (id_of(play, word), str(word).strip())
    if npc is not None and npc.gone:
        facts = play.facts(npc.gone, "lost here")
        yield Violation(f"{name} is gone for good", at, facts=facts, rule="F54")
        return
    absent = _was_there(play, gain, id, name, rule, at)
    if absent is not None:
        yield absent
    bond = gladiator.bond(id)
    if bond is not None:
        yield Violation(
            f"{gladiator.name} has a Relationship with {name} already",
            at,
            _instead(action, gain, "raise", name),
            facts=[play.because(bond.step, "made here")],
            rule=rule,
        )
        return
    start = gladiator.drive.start_value if gladiator.drive is not None else 0
    if worth is not None and worth != start:
        drive = gladiator.drive or "no drive"
        yield Violation(
            f"a new Relationship of {gladiator.name} starts at {start} ({drive}), not at {worth}",
            at,
            write_word(start),
            since=None if is_drive_known(play, gladiator) else gladiator.step,
            about="tracks",
            doubts=[f"relationship:{bond_id(gladiator.id, id)}"],
            rule=rule,
        )


def _raise_violations(
    play: Table, gain: Gain, word: ScalarNode, worth: int | None, action: Action
) -> Iterator[Violation]:
    gladiator, rule = gain.gladiator, gain.rule("F33")
    at = place_of_word(action, word)
    if play.is_unrecorded_name(word):
        yield _unnamed(at)
        return
    npc = find_inhabitant(play, word)
    own = [bond.npc for bond in gladiator.living()]
    likely = play.names.likely_subject(word, (INHABITANT,), own) if npc is None else None
    if likely is not None:
        message = f"{gladiator.name} has no Relationship with {word} to raise; did you mean '{likely.name}'?"
        yield Violation(message, at, replace_with([likely.name], is_told=True), rule=rule)
        npc = play.state.inhabitants[likely.id]
    if npc is None or gladiator.bond(npc.id) is None:
        message = f"{gladiator.name} has no Relationship with {word} to raise"
        new = _instead(action, gain, "relationship", str(word))
        yield doubted_bond(play, gladiator, Violation(message, at, new, rule=rule))
        return
    absent = _was_there(play, gain, npc.id, npc.name, rule, at)
    if absent is not None:
        yield absent
    old = value(play, gladiator.id, npc.id)
    if worth is not None and worth != old + 1 and is_value_known(play, gladiator, npc.id):
        yield Violation(
            f"{gladiator.name}'s Relationship with {npc.name} grows from {old} to {old + 1}, "
            f"not to {worth}",
            at,
            write_word(old + 1),
            doubts=[f"relationship:{bond_id(gladiator.id, npc.id)}", "bonds"],
            rule=rule,
        )


def take_gain(play: Table, gain: Gain) -> str:
    """Give a Gladiator a benefit as the log has it.

    Returns:
        The benefit in words.
    """
    parts: list[str] = []
    dice = gain.dice(play)
    if dice is not None:
        parts.append(_gain_dice(play, gain, dice))
    for word, worth in gain.relationships.items():
        parts.append(_gain_bond(play, gain, word, worth))
    for word, worth in gain.raised.items():
        parts.append(_gain_point(play, gain, word, worth))
    return listed(part for part in parts if part)


def _gain_dice(play: Table, gain: Gain, dice: int) -> str:
    gladiator, rule = gain.gladiator, gain.rule("F31")
    play.move(BOX, f"pool:{gladiator.id}", dice, DIE, rule, "gained")
    gained = plural(dice, "die", "dice")
    play.event(f"{gladiator.name} gains {gained}", rule, "gains", gladiator.id)
    return plural(dice, "pool die", "pool dice")


def _gain_bond(play: Table, gain: Gain, word: ScalarNode, worth: int | None) -> str:
    gladiator, rule = gain.gladiator, gain.rule("F32")
    if is_gladiator(play, word) is not None:
        return ""
    if play.is_unrecorded_name(word):
        play.unrecorded(f"relationship:{gladiator.id}")
        return "a Relationship"
    if _intended(play, gain, word) is not None:
        play.resolve_misspelt(word, (INHABITANT,), gain.there or ())
    npc = inhabitant(play, word)
    if npc.gone or gladiator.bond(npc.id) is not None:
        return ""
    start = gladiator.drive.start_value if gladiator.drive is not None else 0
    start = worth if worth is not None else start
    relate(play, gladiator, npc, start, rule, "a new Relationship")
    gladiator.bonds[npc.id].is_untold = worth is None and not is_drive_known(play, gladiator)
    return f"a Relationship with {npc.name} at {start}"


def _gain_point(play: Table, gain: Gain, word: ScalarNode, worth: int | None) -> str:
    gladiator, rule = gain.gladiator, gain.rule("F33")
    bonds = [f"relationship:{bond_id(gladiator.id, bond.npc)}" for bond in gladiator.living()]
    if play.is_unrecorded_name(word):
        play.unrecorded(*bonds)
        return "one point more"
    if find_inhabitant(play, word) is None:
        own = [bond.npc for bond in gladiator.living()]
        is_misspelt = play.resolve_misspelt(word, (INHABITANT,), own) is not None
        if not is_misspelt and not bonds_unknown_since(play, gladiator):
            return ""
    npc = inhabitant(play, word)
    if gladiator.bond(npc.id) is None and not show_bond(play, gladiator, npc):
        return ""
    if worth is None and gladiator.bonds[npc.id].is_untold:
        return npc.name
    gladiator.bonds[npc.id].is_untold = False
    old = value(play, gladiator.id, npc.id)
    new = worth if worth is not None else old + 1
    account = f"relationship:{bond_id(gladiator.id, npc.id)}"
    play.move(BOX, account, new - old, POINT, rule, "grew by one")
    message = f"{gladiator.name}'s Relationship with {npc.name} is now {new}"
    play.event(message, rule, "grows", npc.id)
    return f"{npc.name} at {new}"


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


def doubts_of(play: Table, gladiator: Gladiator) -> list[str]:
    """The figures that are in doubt when a result is: the Gladiator's pool and rests, and what judges keep."""
    judges = [f"judgment:{player}" for player in play.seats]
    return [f"pool:{gladiator.id}", f"bars:{gladiator.id}", *judges]


# --- rewards ----------------------------------------------------------------------------------------


class Reward(Action):
    """What a success brings: one die, one new Relationship, or one point in one you have."""

    verb = "reward"
    also = ("gain", "win")
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
            for benefit in _benefits(play, gladiator, state.scene_npcs):
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
        if round_ is None:
            return None
        if gladiator is not None:
            return (round_, gladiator) if gladiator.id in round_.members else None
        winners = [id for id in round_.members if round_.won_against_all(id)]
        return round_, play.state.gladiators[(winners or [round_.initiative])[0]]

    def conflict(self, play: Table) -> Conflict | None:
        """The Conflict that is rewarded: that of the actor, else the last Conflict of the Scene."""
        conflicts, gladiator = play.state.open_conflicts, acting(play, self)
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
        if play.state.scene_has_unnamed or not play.state.scene_step:
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
        if self.of_encounter(play) is None or _encounters_are_ordinary(play):
            return None
        return Violation(
            "an Encounter brings no reward; its losers pay, its winners live",
            fix=choose_reading("encounter_rewards", "ordinary"),
            since=play.before_gap("turns", scene_known_from(play)),
            about="turns",
        )

    @guard("F30")
    def won_against_all(self, play: Table) -> Violation | None:
        of_encounter = self.of_encounter(play)
        if of_encounter is None or not _encounters_are_ordinary(play):
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
            doubts=doubts_of(play, gladiator),
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
            about="turns",
            doubts=[f"conflict:{conflict.number}", *doubts_of(play, gladiator)],
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


def _encounters_are_ordinary(play: Table) -> bool:
    return play.ruling("encounter_rewards") == "ordinary"


def _is_tied_failure(conflict: Conflict) -> bool:
    return conflict.success is False and conflict.is_tie


def _benefits(
    play: Table, gladiator: Gladiator, present_ids: Sequence[str]
) -> Iterator[Mapping[str, str]]:
    """The benefits that a Gladiator can have from a Scene with these inhabitants."""
    yield {"pool": "up 1"}
    for id in present_ids:
        npc = play.state.inhabitants[id]
        if not npc.gone:
            yield {"raise" if gladiator.bond(id) is not None else "relationship": npc.name}


# --- cut-scenes -------------------------------------------------------------------------------------


def failure(play: Table) -> Conflict | None:
    """The failed Conflict of the Scene at hand that a cut-scene or resumption answers."""
    failed = [
        conflict
        for conflict in play.state.open_conflicts
        if conflict.stage is Stage.ROLLED and conflict.success is False
    ]
    unanswered = [conflict for conflict in failed if not conflict.answer]
    return unanswered[0] if unanswered else failed[-1] if failed else None


def _no_failure_since(play: Table) -> int:
    """The entry from which it is known that nobody has failed: the Scene at hand, or the last turn."""
    state = play.state
    is_open = bool(state.open_conflicts) or state.open_round is not None
    return scene_known_from(play) if is_open else max(state.scene_step, state.turn_step)


def _shown_failure(play: Table) -> Conflict | None:
    """The Conflict whose failure an answer of the GM shows, because its roll or its result is missing."""
    conflicts = play.state.open_conflicts
    waiting = [conflict for conflict in conflicts if conflict.stage is Stage.BUILDING]
    if waiting:
        return waiting[0]
    unknown = [conflict for conflict in conflicts if conflict.success is None]
    return unknown[0] if unknown and failure(play) is None else None


def _failed_unrolled(play: Table) -> Violation | None:
    """F22: that an answer of the GM shows a failure whose roll is missing."""
    conflict = _shown_failure(play)
    if conflict is None or conflict.stage is not Stage.BUILDING:
        return None
    return not_rolled(play, conflict, success=False)


def _lost_encounter(play: Table) -> Round | None:
    """The roll of an Encounter just now in which a Gladiator who is played has lost."""
    round_ = play.state.open_round
    return round_ if round_ is not None and _players_lost(play, round_) else None


def _players_lost(play: Table, round_: Round) -> list[Gladiator]:
    losers = [play.state.gladiators[id] for id in round_.losses]
    return [gladiator for gladiator in losers if not gladiator.npc]


def _answers_encounter(play: Table, round_: Round, at: Place | str) -> Iterator[Violation]:
    """FA22: that the GM answers a lost Encounter where only failures in ordinary Conflicts are answered."""
    if play.ruling("cutscene") == "all" or _encounters_are_ordinary(play):
        return
    names = listed(gladiator.name for gladiator in _players_lost(play, round_))
    yield Violation(
        f"{names} lost an Encounter; at this table the GM answers failures in ordinary Conflicts only",
        at,
        choose_reading("cutscene", "all"),
        facts=[play.because(round_.result_step, "lost here")],
    )


def _answered_before(play: Table, round_: Round) -> Violation | None:
    if not round_.answered:
        return None
    return Violation(
        "this loss has had its cut-scene or resumption",
        fix=drop_entry(),
        facts=[play.because(round_.result_step, "lost here")],
        help="a cut-scene or a resumption, one for a lost Encounter",
    )


class CutScene(Action):
    """After a failure the GM shows an NPC Gladiator elsewhere, who may gain one benefit."""

    verb = "cut scene"
    also = ("cutscene", "cut")
    led_in = "Elsewhere, {gladiator}"
    decides = Decides("gm", "F38")
    offered = Offered("F38", "show an NPC Gladiator elsewhere")
    example = (
        "cut scene: Tam\n  text: Tam teaches the children to count in ones.\n  gain: {pool: up 1}"
    )
    gladiator = main(in_role("shown", NAME), "the NPC Gladiator who is shown")
    npcs = option(in_role("there", NAMES), "the inhabitants who are there", default=())
    at = option(TEXT, "the place, in any words; the Episode is known without it", is_place=True)
    gain = option(BENEFIT, "{pool: up 1}, {relationship: Mina} or {raise: Mina}")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        has_failed = failure(play) is not None or _lost_encounter(play) is not None
        for npc in state.npc_gladiators():
            yield {"cut scene": npc.name}
            for benefit in _benefits(play, npc, state.scene_npcs) if has_failed else ():
                yield {"cut scene": npc.name, "gain": benefit}

    def sentence(self, play: Table) -> Sentence:
        shown = find_gladiator(play, self.gladiator)
        return said("Meanwhile: {}.", shown.id if shown is not None else "")

    def failed(self, play: Table) -> Conflict | None:
        """The failure that it answers."""
        return failure(play) or (_shown_failure(play) if self.shows_failure(play) else None)

    def shows_failure(self, play: Table) -> bool:
        """Whether it shows that a Conflict failed whose roll or result is missing."""
        conflict = _shown_failure(play)
        if conflict is None:
            return False
        return conflict.stage is Stage.BUILDING or self.gain is not None

    def benefit(self, play: Table) -> Gain | None:
        """The benefit, and who has it."""
        shown = find_gladiator(play, self.gladiator)
        if shown is None or self.gain is None:
            return None
        if play.state.scene_has_unnamed or any(play.is_unrecorded_name(word) for word in self.npcs):
            return Gain(shown, self.gain, None, "gain", is_reward=False)
        present_ids = [*play.state.scene_npcs, *(id_of(play, word) for word in self.present(play))]
        failed, lost = self.failed(play), _lost_encounter(play)
        if failed is not None:
            present_ids += failed.build.used()
        elif lost is not None:
            present_ids += [npc for build in lost.builds.values() for npc in build.used()]
        raised = [word for word in self.gain.raise_ or () if is_gladiator(play, word) is None]
        present_ids += [
            npc.id for word in raised if (npc := find_inhabitant(play, word)) is not None
        ]
        return Gain(shown, self.gain, frozenset(present_ids), "gain", is_reward=False)

    def present(self, play: Table) -> list[ScalarNode]:
        """The inhabitants whom it names as being there."""
        return [
            word
            for word in self.npcs
            if is_gladiator(play, word) is None and not play.is_unrecorded_name(word)
        ]

    @guard("F22")
    def rolled_before(self, play: Table) -> Violation | None:
        return _failed_unrolled(play)

    @guard("F38", at="gain", help="a cut-scene follows the failure, before the next Scene")
    def gain_follows_a_failure(self, play: Table) -> Violation | None:
        shown = find_gladiator(play, self.gladiator)
        if self.gain is None or shown is None or self.failed(play) is not None:
            return None
        if _lost_encounter(play) is not None:
            return None
        return Violation(
            f"{shown.name} gains by a cut-scene, but nobody has failed",
            fix=drop_key("gain"),
            since=play.before_gap("turns", _no_failure_since(play)),
            about="turns",
            after=["no scene", "dropped:roll", "rounds:"],
        )

    @question("FA22", at="gain")
    def ordinary_failures_only(self, play: Table) -> Iterator[Violation]:
        lost = _lost_encounter(play)
        if lost is not None and self.gain is not None and self.failed(play) is None:
            yield from _answers_encounter(play, lost, "gain")

    @guard("F38", at="gain")
    def one_for_an_encounter(self, play: Table) -> Violation | None:
        lost = _lost_encounter(play)
        if lost is None or self.gain is None or self.failed(play) is not None:
            return None
        return _answered_before(play, lost)

    @guard("F38", at="main", help="a cut-scene or a resumption, one for a failure")
    def one_for_a_failure(self, play: Table) -> Violation | None:
        failed = self.failed(play)
        if failed is None or not failed.answer:
            return None
        return Violation(
            f"this failure has had its {failed.answer}",
            facts=play.facts(failed.answer_step, "here"),
            fix=drop_entry(),
            rule="F39" if failed.answer == "resumption" else "F38",
        )

    @guard("F38")
    def one_of_three(self, play: Table) -> Iterator[Violation]:
        gain = self.benefit(play)
        if gain is not None:
            yield from gain_violations(play, gain, self)

    def apply(self, play: Table) -> None:
        state, shown = play.state, find_gladiator(play, self.gladiator)
        if shown is None:
            return
        gain, failed = self.benefit(play), self.failed(play)
        for word in self.present(play):
            inhabitant(play, word)
        if failed is not None and self.shows_failure(play) and failed.success is None:
            learn_result(play, failed, success=False)
        if failed is not None:
            failed.answer = failed.answer or "cut-scene"
            failed.answer_step = failed.answer_step or play.step.number
        gained = take_gain(play, gain) if gain is not None else ""
        later = failed.who if failed is not None else ""
        state.cut_scenes.append(ShownCutScene(play.step.number, shown.id, gained, later))
        if state.open_round is not None:
            state.open_round.answered = True
        play.event(f"A cut-scene shows {shown.name}", "F38", "cut-scene", shown.id)


# --- resuming an Encounter --------------------------------------------------------------------------


def broken_off(play: Table, gladiator: Gladiator, npc: Gladiator) -> Encounter | None:
    """The Encounter of this Layer that either of the two left by disengaging from the other."""
    layer = play.state.layer
    for encounter in reversed(play.state.encounters):
        remaining = encounter.opponents_left
        is_broken = npc.id in remaining.get(gladiator.id, ()) or gladiator.id in remaining.get(
            npc.id, ()
        )
        if is_broken and (layer is None or encounter.layer == layer.number):
            return encounter
    return None


def may_come_back(play: Table, gladiator: Gladiator) -> list[Gladiator]:
    """F39: the NPC Gladiators whose Encounter with a Gladiator the GM can resume after a failure."""
    episode = play.state.episode_of(gladiator.id)
    return [
        npc
        for npc in play.state.npc_gladiators()
        if npc.fate is Fate.STANDING
        and episode is not None
        and npc.id in episode.cast
        and broken_off(play, gladiator, npc) is not None
    ]


class Resume(Action):
    """Instead of a cut-scene: the Encounter that was broken off goes on at the player's next turn."""

    verb = "resume"
    also = ("resumption",)
    decides = Decides("gm", "F39")
    offered = Offered("F39", "let an Encounter go on that was broken off")
    example = "resume: Tam"
    gladiator = main(
        in_role("comes back", NAME), "the NPC Gladiator who comes back, with the Initiative"
    )

    def sentence(self, play: Table) -> Sentence:
        npc = find_gladiator(play, self.gladiator)
        return said("{} comes back.", npc.id if npc is not None else "")

    def failed(self, play: Table) -> Conflict | None:
        """The failure that it answers, or shows because the roll or its result is missing."""
        shown, npc = _shown_failure(play), find_gladiator(play, self.gladiator)
        if shown is not None and play.gap_since("turns") > scene_known_from(play):
            # A gap may hide another Scene, and it failed there.
            loser = play.state.gladiators[shown.who]
            shown = shown if npc is not None and broken_off(play, loser, npc) else None
        return failure(play) or shown

    def loser(self, play: Table) -> Gladiator | None:
        """The Gladiator who failed, and whose Encounter goes on."""
        failed, lost, npc = (
            self.failed(play),
            _lost_encounter(play),
            find_gladiator(play, self.gladiator),
        )
        if failed is not None:
            return play.state.gladiators[failed.who]
        if lost is None:
            return None
        losers = _players_lost(play, lost)
        with_npc = [first for first in losers if npc is not None and broken_off(play, first, npc)]
        return (with_npc or losers)[0]

    def is_answered(self, play: Table) -> bool:
        """Whether the failure has had its cut-scene or resumption."""
        failed, lost = self.failed(play), _lost_encounter(play)
        if failed is not None:
            return bool(failed.answer)
        return lost is not None and lost.answered

    @guard("F22")
    def rolled_before(self, play: Table) -> Violation | None:
        return _failed_unrolled(play)

    @guard("F39", at="main", help="a resumption follows a failure, in place of a cut-scene")
    def follows_a_failure(self, play: Table) -> Violation | None:
        if self.loser(play) is not None:
            return None
        return Violation(
            "nobody has failed, so the GM resumes nothing",
            fix=drop_entry(),
            since=play.before_gap("turns", _no_failure_since(play)),
            about="turns",
            after=["no scene", "dropped:roll", "rounds:"],
        )

    @guard("F39", at="main", help="a cut-scene or a resumption, one for a failure")
    def one_for_a_failure(self, play: Table) -> Violation | None:
        failed = self.failed(play)
        if failed is None or not failed.answer:
            return None
        facts = play.facts(failed.answer_step, "here")
        message = f"this failure has had its {failed.answer}"
        return Violation(message, facts=facts, fix=drop_entry())

    @question("FA22", at="main")
    def ordinary_failures_only(self, play: Table) -> Iterator[Violation]:
        lost = _lost_encounter(play)
        if lost is not None and self.failed(play) is None:
            yield from _answers_encounter(play, lost, "main")

    @guard("F39", at="main")
    def one_for_an_encounter(self, play: Table) -> Violation | None:
        lost = _lost_encounter(play)
        return (
            _answered_before(play, lost) if lost is not None and self.failed(play) is None else None
        )

    @guard("F39", at="main")
    def was_broken_off(self, play: Table) -> Violation | None:
        npc, loser = find_gladiator(play, self.gladiator), self.loser(play)
        if npc is None or not npc.npc or loser is None or self.is_answered(play):
            return None
        if broken_off(play, loser, npc) is not None:
            return None
        return Violation(
            f"{loser.name} and {npc.name} have broken off no Encounter by disengaging; the GM starts none",
            fix=drop_entry(),
            since=play.before_gap("", play.state.layer_step),
            after=["rounds:"],
        )

    @guard("F39", at="main")
    def loser_stands(self, play: Table) -> Violation | None:
        loser = self.loser(play)
        if loser is None or self.failed(play) is not None or not self._was_broken_off(play):
            return None
        if loser.fate is Fate.STANDING:
            return None
        return Violation(
            f"{loser.name} is {loser.fate}",
            facts=play.facts(loser.fate_step, f"{loser.name} fell here"),
        )

    def _was_broken_off(self, play: Table) -> bool:
        npc, loser = find_gladiator(play, self.gladiator), self.loser(play)
        if npc is None or loser is None or not npc.npc or self.is_answered(play):
            return False
        return broken_off(play, loser, npc) is not None

    def _can_come_back(self, play: Table) -> bool:
        """Whether the Encounter was broken off, or can have been where the log says nothing."""
        npc = find_gladiator(play, self.gladiator)
        if npc is None or not npc.npc or self.is_answered(play):
            return False
        return self._was_broken_off(play) or play.gap > play.state.layer_step

    def apply(self, play: Table) -> None:
        npc, loser = find_gladiator(play, self.gladiator), self.loser(play)
        if npc is None or loser is None or not self._can_come_back(play):
            return
        encounter = broken_off(play, loser, npc)
        if encounter is None:
            # It was broken off where the log says nothing.
            encounter = new_encounter(play, [loser.id, npc.id])
            encounter.over = play.step.number
            play.state.encounters.append(encounter)
        failed, lost = self.failed(play), _lost_encounter(play)
        if failed is not None and failed.success is None:
            learn_result(play, failed, success=False)
        if failed is not None:
            failed.answer, failed.answer_step = "resumption", play.step.number
        elif lost is not None:
            lost.answered = True
        is_possible = npc.fate is Fate.STANDING and not barred(play, self.gladiator)
        is_possible = is_possible and (failed is not None or loser.fate is Fate.STANDING)
        if is_possible:
            play.state.resumptions[loser.id] = (npc.id, encounter.number, play.step.number)
        play.event(
            f"{loser.player or loser.name}'s next turn is the Encounter with {npc.name}, "
            "who has the Initiative",
            "F39",
            "resumes",
            npc.id,
        )


# --- who acts ---------------------------------------------------------------------------------------


def _winners(play: Table, action: Action) -> Sequence[str]:
    """The players of the Scene, who can have won."""
    state = play.state
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
        "{by} takes a reward; {due} can, for an own success",
        default=_of_scene,
    ),
}
