"""The three benefits of a success or a cut-scene: a die, a new Relationship, a point in one (F30 to F33, F38, F40)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from chronicle.core.declare import Action, place_of_word
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.fix import (
    AddItem,
    Fix,
    RemoveItem,
    ReplaceWord,
    SetPair,
    make_fix,
    replace_with,
    write_word,
)
from chronicle.core.guards import Violation
from chronicle.core.reporter import NOBODY_ACTS
from chronicle.core.source import Place, ScalarNode
from chronicle.games.fight_sphere.actions import Benefit
from chronicle.games.fight_sphere.bonds import (
    bonds_unknown_since,
    doubted_bond,
    is_drive_known,
    is_value_known,
    relate,
    show_bond,
)
from chronicle.games.fight_sphere.scene_close import told_name, told_of
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    INHABITANT,
    POINT,
    Gladiator,
    Inhabitant,
    bond_id,
)
from chronicle.games.fight_sphere.table import (
    Table,
    find_inhabitant,
    id_of,
    inhabitant,
    is_gladiator,
    value,
)


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
        if change.difference is not None:
            return change.difference
        return (change.new_value or 0) - play.balance(f"pool:{self.gladiator.id}", DIE)


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
            for kept_kind in granted
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
        state_kind="cast",
        rule=rule,
        kind=DiagnosticKind.ILLEGAL if gain.there else DiagnosticKind.UNKNOWN,
    )


def _unnamed(at: Place) -> Violation:
    """T56: that a benefit is with an inhabitant whom the log does not name."""
    message = "the record does not say which inhabitant it was"
    return Violation(message, at, rule=NOBODY_ACTS, kind=DiagnosticKind.UNKNOWN)


def _gone(play: Table, npc: Inhabitant, at: Place) -> Violation:
    """F54: that a benefit is with an inhabitant who is lost."""
    facts = play.facts(npc.gone, "lost here")
    return Violation(f"{npc.name} is gone for good", at, facts=facts, rule="F54")


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
        yield _gone(play, npc, at)
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
            state_kind="tracks",
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
    if npc is not None and npc.gone:
        yield _gone(play, npc, at)
        return
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
    if worth is None and not is_drive_known(play, gladiator):
        gladiator.bonds[npc.id].is_untold = True
        play.unrecorded(f"relationship:{bond_id(gladiator.id, npc.id)}")
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


def possible_benefits(
    play: Table, gladiator: Gladiator, present_ids: Sequence[str]
) -> Iterator[Mapping[str, str]]:
    """The benefits that a Gladiator can have from a Scene with these inhabitants."""
    yield {"pool": "up 1"}
    for id in present_ids:
        npc = play.state.inhabitants[id]
        if not npc.gone:
            yield {"raise" if gladiator.bond(id) is not None else "relationship": npc.name}
