"""What all chapters share: who is meant, whose turn it is, how a Scene closes, how a Gladiator falls."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Fact, Finding, listed, plural
from chronicle.core.fix import add_entry, set_key
from chronicle.core.guards import Violation, guard
from chronicle.core.names import PLAYER, Named
from chronicle.core.play import Play
from chronicle.core.presence import presence_gap
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    GLADIATOR,
    INHABITANT,
    POINT,
    RELATIONSHIP,
    Bond,
    Conflict,
    Due,
    Encounter,
    Episode,
    Fate,
    Gladiator,
    Inhabitant,
    JudgmentPool,
    Round,
    Stage,
    State,
    Truce,
    bond_id,
    judgment_of,
    pair,
    pool_of,
    resting,
    value_of,
)

Table = Play[State]

LEFT_ALONE = "only the two of them are left"
LEAST_STANDING = 3
"""F58: a truce needs a third Gladiator in the Episode."""

_WORD = re.compile(r"[^\W_]+")


# --- who is meant -----------------------------------------------------------------------------------


def is_gladiator(play: Table, word: ScalarNode) -> Gladiator | None:
    """The Gladiator of that very name, if there is one; nothing is reported."""
    named = play.names.find(word, (GLADIATOR,))
    return play.state.gladiators[named.id] if isinstance(named, Named) else None


def find_gladiator(play: Table, word: ScalarNode) -> Gladiator | None:
    """The Gladiator a name means (a player's name means the player's own); None if there is none. Nothing
    is reported."""
    named = play.look_up(word, (GLADIATOR, PLAYER))
    if named is None:
        return None
    return (
        play.state.gladiators[named.id]
        if named.kind == GLADIATOR
        else play.state.played_by(named.id)
    )


def find_gladiators(play: Table, words: Iterable[ScalarNode]) -> list[Gladiator]:
    """Several of them, each once. Nothing is reported."""
    gladiators = [find_gladiator(play, word) for word in words]
    return list({g.id: g for g in gladiators if g is not None}.values())


def find_inhabitant(play: Table, word: ScalarNode) -> Inhabitant | None:
    """The inhabitant a name means; None if there is none yet. Nothing is reported."""
    named = play.look_up(word, (INHABITANT,))
    return play.state.inhabitants[named.id] if named is not None else None


def inhabitant(play: Table, word: ScalarNode) -> Inhabitant:
    """The inhabitant a name means; a new name introduces an inhabitant."""
    state = play.state
    named = play.names.find(word, (INHABITANT,))
    if isinstance(named, Named):
        existing = state.inhabitants[named.id]
        existing.last_step = play.step.number
        return existing
    name = str(word).strip()
    id = play.names.mint(name, INHABITANT)
    if id in state.inhabitants:
        return state.inhabitants[id]
    play.names.add(id, INHABITANT, name)
    entry_made = Inhabitant(id, name, play.step.number, last_step=play.step.number)
    state.inhabitants[id] = entry_made
    play.event(f"{name} appears", "F41", "enters", id)
    return entry_made


def id_of(play: Table, word: ScalarNode) -> str:
    """The id of an inhabitant; for a new name the future id."""
    existing = find_inhabitant(play, word)
    return existing.id if existing is not None else play.names.mint(str(word).strip(), INHABITANT)


def newcomer(play: Table, word: ScalarNode) -> Inhabitant | None:
    """The inhabitant of that very name, or of a new one; None for a word that looks like a known name."""
    named = play.names.find(word, (INHABITANT,))
    if not isinstance(named, Named) and (named.similar or play.names.likely_subject(word)):
        return None
    return None if is_gladiator(play, word) is not None else inhabitant(play, word)


def acting(play: Table, action: Action) -> Gladiator | None:
    """Whose Gladiator an entry is about: that under ``by``, else the actor's own."""
    if action.by is not None:
        named = is_gladiator(play, action.by)
        if named is not None:
            return named
    return play.state.played_by(play.step.player)


def pool(play: Table, id: str) -> int:
    """A Gladiator's Conflict Pool."""
    return pool_of(play.ledger, id)


def value(play: Table, id: str, npc: str) -> int:
    """The value of a Relationship as logged."""
    return value_of(play.ledger, id, npc)


# --- Relationships ----------------------------------------------------------------------------------


def relate(play: Table, g: Gladiator, npc: Inhabitant, worth: int, rule: str, why: str) -> None:
    """A new Relationship (or one that is given)."""
    _make_bond(play, g, npc, Bond(npc.id, play.step.number))
    play.move(BOX, f"relationship:{bond_id(g.id, npc.id)}", worth, POINT, rule, why)
    play.event(f"{g.name} has a Relationship with {npc.name} at {worth}", rule, "relates", npc.id)


def find_out(play: Table, g: Gladiator, npc: Inhabitant) -> None:
    """A Relationship shows that was made where the log says nothing. Its value is unknown until it is counted."""
    _make_bond(play, g, npc, Bond(npc.id, play.step.number, gone=npc.gone, is_untold=not npc.gone))
    play.event(f"{g.name} has a Relationship with {npc.name}", "", "relates", npc.id)


def show_bond(play: Table, g: Gladiator, npc: Inhabitant) -> bool:
    """An entry uses a Relationship that is not on record. Returns whether it can have been made where the log says
    nothing; it then exists from now on."""
    if npc.gone or npc.id in g.bonds or not bonds_unknown_since(play, g):
        return False
    find_out(play, g, npc)
    return True


def untold_bond(play: Table, g: Gladiator, word: ScalarNode) -> str:
    """The id of an inhabitant with whom a Gladiator can have made a Relationship where the log says nothing; empty if
    there is none."""
    npc = find_inhabitant(play, word)
    is_possible = bool(bonds_unknown_since(play, g)) and is_gladiator(play, word) is None
    if (
        not is_possible
        or play.is_unrecorded_name(word)
        or (npc is not None and (npc.gone or npc.id in g.bonds))
    ):
        return ""
    return id_of(play, word)


def bonds_unknown_since(play: Table, g: Gladiator) -> int:
    """The entry since which a Gladiator may have made or lost Relationships that the log does not name; 0 if it names
    all."""
    return play.uncertain_since(f"relationship:{g.id}", "tracks")


def doubted_bond(play: Table, g: Gladiator, violation: Violation) -> Violation:
    """A breach that rests on a Relationship not being on record: unknown, where it may have been made unrecorded."""
    if play.gap_since("tracks") > g.step:
        return violation._replace(since=g.step, about="tracks")
    return (
        violation._replace(finding=Finding.UNKNOWN) if bonds_unknown_since(play, g) else violation
    )


def is_drive_known(play: Table, g: Gladiator) -> bool:
    """F7: Whether no gap can hide that a Gladiator has traded the drive, which is done once."""
    return bool(g.traded) or play.gap_since("tracks") <= g.step


def is_value_known(play: Table, g: Gladiator, npc: str) -> bool:
    """Whether the log gives the value of a Relationship."""
    bond = g.bonds[npc]
    key = f"relationship:{bond_id(g.id, npc)}"
    return not bond.is_untold and not play.uncertain_since(key, "tracks")


def _make_bond(play: Table, g: Gladiator, npc: Inhabitant, bond: Bond) -> None:
    id = bond_id(g.id, npc.id)
    g.bonds[npc.id] = bond
    if id not in play.names.all:
        own = [g.name, *_WORD.findall(g.name)]
        opposing = [npc.name, *_WORD.findall(npc.name)]
        rivals = [f"{a} & {b}" for a in own for b in opposing] + [
            f"{b} & {a}" for a in own for b in opposing
        ]
        play.names.add(
            id, RELATIONSHIP, id, [o for o in dict.fromkeys(rivals) if o != id], index_words=False
        )


def barred_for(play: Table, g: Gladiator, bond: Bond) -> int:
    """F36: for how many more Conflicts a Relationship is no modifier."""
    return resting(play.state, play.ledger, play.rulings, g, bond)


def bar(play: Table, g: Gladiator, npcs: Iterable[str]) -> None:
    """F36: Relationships used in a failed Conflict rest for as many Conflicts as their value."""
    for npc in npcs:
        bond = g.bond(npc)
        if bond is None:
            continue
        bond.barred_value = value(play, g.id, npc)
        bond.barred_own, bond.barred_all = g.conflicts, play.state.conflict_count
        bond.barred_step = play.step.number
        if bond.barred_value > 0:
            name = play.names.all[npc].name
            play.event(
                f"{name} is barred as {g.name}'s modifier for "
                f"{plural(bond.barred_value, 'Conflict')}",
                "F36",
                "barred",
                npc,
            )


def remove(play: Table, npc: str, round_: Round | None) -> None:
    """F54: a value below zero takes an inhabitant out of the game, for everybody."""
    state = play.state
    lost = state.inhabitants[npc]
    lost.gone = play.step.number
    if round_ is not None:
        round_.removed.append(npc)
    for g in state.sharers(npc):
        g.bonds[npc].gone = play.step.number
        id = bond_id(g.id, npc)
        play.move(f"relationship:{id}", BOX, value(play, g.id, npc), POINT, "F54", "lost for good")
        judge = state.judgment(g.player)
        if judge is None or judge.gladiator != g.id:
            continue
        same_roll = round_ is not None and judge.step == round_.result_step
        if same_roll or play.ruling("judgment_count") == "current":
            judge.size -= 1
            if play.balance(f"judgment:{g.player}", DIE) < 1:
                continue  # All its dice are lost already.
            play.move(f"judgment:{g.player}", BOX, 1, DIE, "F65", f"{lost.name} is lost")
    play.event(f"{lost.name} is gone for good", "F54", "leaves", npc)


def bring_back(play: Table, npc: str) -> None:
    """F54: a corrected value is not below zero: the inhabitant was never lost."""
    returning = play.state.inhabitants[npc]
    step, returning.gone, returning.fate = returning.gone, 0, ""
    returned = [f"relationship:{bond_id(g.id, npc)}" for g in play.state.gladiators.values()]
    for posting in list(play.ledger.postings):
        lost = posting.rule == "F54" and (posting.source in returned or posting.target in returned)
        if posting.step_number == step and (lost or posting.why == f"{returning.name} is lost"):
            play.reverse(posting, f"{returning.name} is not lost")
    for g in play.state.gladiators.values():
        if npc in g.bonds and g.bonds[npc].gone == step:
            g.bonds[npc].gone = 0
    play.event(f"{returning.name} was not lost", "F54", "returns", npc)


def doubts_of_roll(play: Table, ids: Iterable[str]) -> list[str]:
    """What is in doubt when it is in doubt how an Encounter went: what Gladiators won and lost by it, their
    Relationships, and what hangs on that."""
    doubts: list[str] = []
    for id in ids:
        doubts += [f"pool:{id}", f"bars:{id}", *(f"judgment:{player}" for player in play.seats)]
        for npc in play.state.gladiators[id].bonds:
            doubts += ["bonds", f"relationship:{bond_id(id, npc)}", f"fate:{npc}"]
    return doubts


# --- turns ------------------------------------------------------------------------------------------


def unsure(play: Table, first_step: int) -> Finding:
    """What a hole in the record may have changed since an entry is unknown, not wrong."""
    return Finding.UNKNOWN if play.gap > first_step else Finding.ILLEGAL


def resting_on(
    play: Table, step: int, found: Iterable[Violation], about: str = ""
) -> Iterator[Violation]:
    """Breaches that rest on an earlier entry, unless they say themselves since when: a gap after it may have changed
    that."""
    since = play.before_gap(about, step)
    for violation in found:
        is_dated = since is None or violation.since is not None or violation.lasting
        yield violation if is_dated else violation._replace(since=since, about=about)


def order_from(play: Table, player: str) -> list[str]:
    """The seats in turn order, beginning after ``player``."""
    seats = list(play.seats)
    if player not in seats:
        return seats
    start = seats.index(player) + 1
    return seats[start:] + seats[:start]


def next_player(play: Table, later: str) -> str:
    """F20: who is next in the round; those who cannot take part or are not at the table are passed."""
    waiting = [p for p in order_from(play, later) if play.state.active(p)]
    return next((p for p in waiting if p in play.present), waiting[0] if waiting else "")


class Turn(NamedTuple):
    """Whose turn it is, the entry that made it so, and whose turn was over then. The player is empty while anybody
    may begin."""

    player: str
    step: int
    last: str


def _present_or_next(play: Table, player: str) -> str:
    return player if player in play.present else next_player(play, player)


def on_turn(play: Table) -> str:
    """Whose turn it is: the player due, else the first who may begin the Layer."""
    return _present_or_next(play, play.state.turn)


def whose_scene(play: Table) -> str:
    """Whose Scene is at hand: theirs who framed what is, or was, rolled in it. Empty if unknown."""
    state = play.state
    if state.open_round is not None:
        return state.open_round.player
    return state.open_conflicts[0].player if state.open_conflicts else ""


def scene_known_from(play: Table) -> int:
    """The entry from which it is known which Conflict is at hand, and whose; a gap after it leaves that open."""
    rests_on = (contest.rests_on for contest in play.state.open_contests)
    return min(rests_on, default=play.state.scene_step)


def turn_now(play: Table) -> Turn:
    """Whose turn it is."""
    return Turn(play.state.turn, play.state.turn_step, play.state.turn_after)


def turn_after_scene(play: Table) -> Turn:
    """F20: whose turn it is once the Scene at hand is closed. A Scene that was never rolled was a turn. A gap may have
    swallowed its end, and the turns after it."""
    state = play.state
    turn, catches_up = turn_now(play), state.catching_up
    for contest in state.open_contests if not play.given else ():
        if isinstance(contest, Conflict) and contest.guest:
            continue
        if contest.stage is Stage.ROLLED or play.gap_since("turns") > contest.step:
            continue
        is_kept = catches_up and state.active(turn.player)
        player = turn.player if is_kept else next_player(play, contest.player)
        turn, catches_up = Turn(player, play.step.number, contest.player), False
    return turn


def upcoming(play: Table) -> str:
    """Whose Scene comes next, once the Scene at hand is closed."""
    return _present_or_next(play, turn_after_scene(play).player)


def who_may_begin(play: Table) -> list[str]:
    """F20: the players whose Scene can come next; all who take part where nobody has begun the Layer."""
    if turn_after_scene(play).player:
        return [upcoming(play)]
    return [player for player in play.seats if play.state.active(player)]


def _is_out_of_turn(play: Table, player: str, turn: Turn) -> bool:
    """Whether a player takes the turn of another who is at the table. Where the turn passed over somebody who was
    away, and nobody has had a turn since, nothing says whether it is theirs now."""
    if play.given or not turn.player or not player or player == turn.player:
        return False
    if not play.state.active(player) or turn.player not in play.present:
        return False
    passed = order_from(play, turn.last)
    return turn.player not in passed or player not in passed[: passed.index(turn.player)]


def turn_violations(play: Table, player: str, turn: Turn) -> Iterator[Violation]:
    """F20: one turn each, in the order of the seats. A player whose turn was taken may catch up."""
    if not _is_out_of_turn(play, player, turn) or player in play.state.skipped:
        return
    may_have_left = presence_gap(play, turn.player) is not None
    yield Violation(
        f"it is {turn.player}'s turn, not {player}'s",
        "by",
        set_key("by", turn.player),
        f"players take turns in the order {', '.join(play.seats)}",
        facts=play.facts(turn.step, "the turn before"),
        after=["turn"],
        doubts=["turn"],
        rule="F20",
        finding=Finding.UNKNOWN if may_have_left else unsure(play, turn.step),
    )


def take_turn(play: Table, player: str) -> None:
    """A player takes a turn: the own, or that of those who are skipped."""
    state, due = play.state, play.state.turn
    if player == due:
        play.settle("turn")
    if not _is_out_of_turn(play, player, turn_now(play)):
        return
    if player in state.skipped:
        state.skipped.remove(player)
        state.catching_up = True
        return
    seats = order_from(play, due)
    state.skipped += [due, *(p for p in seats[: seats.index(player)] if state.active(p))]


def is_turn_known(play: Table) -> bool:
    """Whether no gap hides whose turn it is."""
    gap, state = play.gap_since("turns"), play.state
    return gap <= state.turn_step and (bool(state.turn) or gap <= state.layer_step)


def pass_turn(play: Table, player: str, rests_on: int | None = None) -> None:
    """The Conflict is resolved: the next player. After a turn that was caught up the order goes on.

    Args:
        play: the state of play.
        player: whose turn is over.
        rests_on: the entry that makes so that it was theirs, if not this one.
    """
    state = play.state
    if play.given:
        return
    is_known = rests_on is None or play.gap_since("turns") <= rests_on
    if not (state.catching_up and state.active(state.turn)):
        state.turn = next_player(play, player)
    state.catching_up = False
    state.turn_after = player
    if is_known:
        state.turn_step = play.step.number


# --- closing a Scene --------------------------------------------------------------------------------


def scene_debts(play: Table, words: str = "", harmed: Collection[str] = ()) -> Iterator[Violation]:
    """The obligations that are still open when the Scene at hand closes.

    Args:
        play: the state of play.
        words: the words that the closing entry tells.
        harmed: the ids of the inhabitants whose harm it tells.
    """
    state = play.state
    if play.given or play.gap > scene_known_from(play):
        return
    for conflict in state.open_conflicts:
        yield from _debts_of_conflict(play, conflict, words, harmed)
    if state.open_round is not None:
        yield from _debts_of_round(play, state.open_round)


class ClosesScene(Action):
    """What every verb guards that begins something new: the Scene at hand is complete."""

    @guard("F22")
    def last_scene_is_complete(self, play: Table) -> Iterator[Violation]:
        yield from scene_debts(play)


def shut_scene(play: Table, closing: str = "") -> None:
    """Close the Scene at hand. Dice gambled on a Conflict that was never rolled go back."""
    state, turn = play.state, turn_after_scene(play)
    if turn != turn_now(play):
        state.turn, state.turn_step, state.turn_after = turn
        state.catching_up = False
    _end_of_telling(play, closing)
    for contest in state.open_contests:
        if contest.stage is not Stage.BUILDING:
            continue
        for id in contest.members if isinstance(contest, Round) else [contest.who]:
            play.empty(f"gamble:{id}", f"pool:{id}", DIE, "F27", "not rolled")
        wagers_back(play, contest)
    state.open_conflicts, state.open_round = [], None
    state.scene_npcs, state.scene_guests, state.scene_step = [], [], 0
    state.scene_has_unnamed = False
    state.scene_closed = state.scene_nobodys = False


def is_waiting(state: State) -> bool:
    """Whether a Conflict of the Scene at hand waits for its dice."""
    return any(contest.stage is Stage.BUILDING for contest in state.open_contests)


def tell_close(play: Table, closing: str) -> None:
    """F29: close the story of the Scene. Rewards and cut-scenes can follow until the next Scene."""
    if is_waiting(play.state):
        shut_scene(play, closing)
        return
    _end_of_telling(play, closing)
    play.state.scene_guests, play.state.scene_closed = [], True


def _end_of_telling(play: Table, closing: str) -> None:
    scene = play.timeline.current
    if scene is not None:
        scene.last_step = play.step.number - (0 if closing else 1)
        scene.closing = closing


def _debts_of_conflict(
    play: Table, conflict: Conflict, words: str, harmed: Collection[str]
) -> Iterator[Violation]:
    name = play.state.gladiators[conflict.who].name
    key = f"conflict:{conflict.number}"
    if conflict.stage is Stage.BUILDING:
        if not conflict.guest or conflict.built:
            yield Violation(
                f"{name}'s Scene ends without its Conflict being rolled",
                rule="F22",
                finding=Finding.ILLEGAL,
                facts=[play.because(conflict.step, "the Scene began here")],
                fix=add_entry(f"roll: {{{name}: ..., GM: ...}}"),
                after=["dropped:roll", key],
            )
        return
    if conflict.success is not False:
        return
    silent = [
        play.names.all[id].name
        for id in conflict.harm_due
        if id not in harmed
        and not told_of(play, id, conflict.result_step)
        and not mentions(words, play.names.all[id].name)
    ]
    failed = [play.because(conflict.result_step, "failed here")]
    if silent:
        harm = ", ".join(f"{name}: ..." for name in silent)
        yield Violation(
            f"nothing bad is told of {listed(silent)}, who stood by {name} in a failure",
            rule="F37",
            finding=Finding.SUSPICIOUS,
            facts=failed,
            fix=add_entry(f"end scene:\nharm: {{{harm}}}"),
            after=["dropped:end scene", key],
        )
    if conflict.answer or play.ruling("cutscene") == "optional" or not play.state.npc_gladiators():
        return
    yield Violation(
        f"{name} failed, and no cut-scene with an NPC Gladiator followed",
        rule="FA22",
        finding=Finding.SUSPICIOUS,
        facts=failed,
        fix=add_entry("cut scene: ...\ntext: ..."),
        after=["dropped:cut scene", "dropped:resume", "rounds:", key],
    )


def _debts_of_round(play: Table, round_: Round) -> Iterator[Violation]:
    names = play.names.all
    if round_.stage is Stage.BUILDING:
        dice = ", ".join(f"{names[id].name}: ..." for id in round_.members)
        yield Violation(
            "the Scene ends without the Encounter being rolled",
            rule="F22",
            finding=Finding.ILLEGAL,
            facts=[play.because(round_.step, "framed here")],
            fix=add_entry(f"roll: {{{dice}}}"),
            after=["dropped:roll", "no roll"],
        )
        return
    lost = [play.because(round_.result_step, "lost here")]
    for due in round_.dues.values():
        if due.settled:
            continue
        points = plural(due.points, "point")
        are = "is" if due.points == 1 else "are"
        yield Violation(
            f"{names[due.who].name} has not said how {points} {are} taken off the Relationships used",
            rule="F53",
            finding=Finding.ILLEGAL,
            facts=lost,
            fix=add_entry(f"lose: {{{names[due.who].name}: {{...: ...}}}}"),
            after=["dropped:lose"],
        )
    losers = [names[id].name for id in round_.losses if not play.state.gladiators[id].npc]
    if play.ruling("cutscene") != "all" or round_.answered:
        return
    if losers and play.state.npc_gladiators():
        yield Violation(
            f"{listed(losers)} lost, and no cut-scene followed",
            rule="FA22",
            finding=Finding.SUSPICIOUS,
            facts=lost,
        )


def mentions(words: str, name: str, but: str = "") -> bool:
    """Whether words contain a word of a name that the name ``but`` does not have."""
    target = {word.casefold() for word in _WORD.findall(name)}
    target -= {word.casefold() for word in _WORD.findall(but)}
    return bool(target & {word.casefold() for word in _WORD.findall(words)})


def told_of(play: Table, npc: str, first_step: int) -> bool:
    """Whether anything told since a step speaks of an inhabitant."""
    inhabitant_ = play.state.inhabitants[npc]
    return any(step >= first_step for step, _ in inhabitant_.harms) or told_name(
        play, inhabitant_.name, first_step
    )


def told_name(play: Table, name: str, first_step: int, but: str = "") -> bool:
    """Whether a text since a step has a word of a name that the name ``but`` does not have."""
    steps = (*play.steps[first_step - 1 :], play.step)
    return any(mentions(step.fiction, name, but) for step in steps)


def wagers_back(play: Table, contest: Conflict | Round) -> None:
    """F67: what judges gambled on a Conflict that was not decided is theirs again."""
    for wager in contest.wagers:
        id = wager.player
        play.move(f"wager:{id}", f"judgment:{id}", wager.dice, DIE, "F67", "not rolled")


# --- falling, and the end of Episodes ---------------------------------------------------------------


def fell(play: Table, g: Gladiator) -> None:
    """F52, F17, F65: a pool below zero. NPC Gladiators die; those played wait, or die in the Core."""
    state = play.state
    dies = g.npc or state.in_core
    g.fate = Fate.DEAD if dies else Fate.OUT
    g.fate_step = g.fate_known_from = play.step.number
    rule = "F17" if g.npc else "F69" if state.in_core else "F52"
    description = "is dead" if dies else "is knocked out of the Episode"
    play.event(f"{g.name} {description}", rule, "falls", g.id)
    for encounter in state.encounters:
        if g.id in encounter.members and not encounter.over:
            leave_encounter(play, encounter, g.id)
    for truce in state.truces:
        if g.id in truce.pair and not truce.ended:
            end_truce(play, truce, f"{g.name} fell")
    g.has_untold_truce = False
    for id, (npc, _, _) in list(state.resumptions.items()):
        if g.id in (id, npc):
            del state.resumptions[id]
    if not g.npc:
        judge(play, g)


def rose(play: Table, g: Gladiator) -> None:
    """F52: a corrected pool is not below zero: the Gladiator did not fall, and nothing ended."""
    state = play.state
    step = g.fate_step
    g.fate, g.fate_step, g.fate_known_from = Fate.STANDING, 0, play.step.number
    state.falls.pop(g.id, None)
    play.event(f"{g.name} did not fall", "F52", "rises", g.id)
    judges_no_more(play, g)
    episode = state.episode_of(g.id)
    for encounter in state.encounters:
        if not encounter.rounds:
            continue
        last = encounter.rounds[-1]
        fell_in_it = g.id in last.members and g.id not in (*last.away, *encounter.members)
        if not fell_in_it or episode is None or encounter.over not in (0, step):
            continue
        returned = [id for id in last.members if id not in last.away]
        encounter.members = [id for id in returned if state.gladiators[id].fate is not Fate.DEAD]
        encounter.over = 0
        last.fallen = [id for id in last.fallen if id != g.id]
    for truce in state.truces:
        if truce.ended == step and (g.id in truce.pair or truce.how == LEFT_ALONE):
            truce.ended, truce.how = 0, ""
    if episode is None:
        play.unrecorded(*(f"fate:{id}" for id in state.gladiators if id != g.id))
        play.unrecorded(*(f"judgment:{player}" for player in play.seats if player != g.player))
    if episode is None or episode.over < step:
        return
    episode.over, episode.needs_survivors = 0, False
    for id in episode.last:
        state.gladiators[id].fate = Fate.STANDING
        judges_no_more(play, state.gladiators[id])
    episode.last.clear()
    settle_episode(play, episode)


def judges_no_more(play: Table, g: Gladiator) -> None:
    """F65: a Gladiator takes part again, so the player does not judge."""
    judgment = play.state.judgment(g.player)
    if judgment is None or judgment.gladiator != g.id:
        return
    play.state.judgments.remove(judgment)
    remaining = judgment_of(play.ledger, g.player)
    play.move(f"judgment:{g.player}", BOX, remaining, DIE, "F65", f"{g.name} takes part")


def judge(play: Table, g: Gladiator) -> None:
    """F65: whose Gladiator cannot take part judges, with as many dice as the Threshold Value and
    the Gladiator's Relationships."""
    state = play.state
    if state.judgment(g.player) is not None:
        return
    layer = state.layer
    size = state.tv + len(g.living())
    remaining = judgment_of(play.ledger, g.player)
    state.judgments.append(
        JudgmentPool(
            g.player, g.id, size + remaining, play.step.number, layer.name if layer else ""
        )
    )
    if play.gap > min(state.tv_known_from, g.fate_known_from) or bonds_unknown_since(play, g):
        play.unrecorded(f"judgment:{g.player}")
    why = f"TV {state.tv} + {plural(len(g.living()), 'Relationship')}"
    play.move(BOX, f"judgment:{g.player}", size, DIE, "F65", why)
    play.event(
        f"{g.player or g.name} judges with {plural(size, 'die', 'dice')} ({why})",
        "F65",
        "judges",
        g.id,
    )


def new_encounter(play: Table, members: Sequence[str]) -> Encounter:
    """An Encounter of this Layer and of the Episode of its first member, in no state yet.

    Args:
        play: the state of play.
        members: the ids of the Gladiators in it.
    """
    state = play.state
    episode, layer = state.episode_of(members[0]), state.layer
    return Encounter(
        len(state.encounters) + 1,
        episode.title if episode is not None else "",
        layer.number if layer is not None else 1,
        play.step.number,
        [*members],
    )


def leave_encounter(play: Table, encounter: Encounter, id: str) -> None:
    """A Gladiator leaves an Encounter. It is over when a single Gladiator is left."""
    encounter.members.remove(id)
    _return_bonus(play, encounter, id)
    if len(encounter.members) < 2:
        close_encounter(play, encounter)


def close_encounter(play: Table, encounter: Encounter) -> None:
    """An Encounter is over."""
    encounter.over = encounter.over or play.step.number
    for id in encounter.members:
        _return_bonus(play, encounter, id)


def _return_bonus(play: Table, encounter: Encounter, id: str) -> None:
    granted = encounter.bonus_given.pop(id, 0)
    if not granted or play.ruling("bonus_lasting") != "encounter":
        return
    returned = min(granted, max(0, play.balance(f"pool:{id}", DIE)))
    play.move(f"pool:{id}", BOX, returned, DIE, "FA6", "the bonus was for the Encounter only")


def may_have_truce(play: Table, first: str, second: str) -> bool:
    """Whether two Gladiators may have a truce that a gap hides, because the log tells none."""
    state = play.state
    both = [state.gladiators[id] for id in (first, second)]
    ended = [truce.ended for truce in state.truces if truce.pair == pair(first, second)]
    since = max(state.layer_step, *(gladiator.step for gladiator in both), *ended)
    return state.truce(first, second) is None and all(
        gladiator.has_untold_truce or play.uncertain_since(f"truce:{gladiator.id}", "") > since
        for gladiator in both
    )


def end_untold_truce(play: Table, g: Gladiator) -> None:
    """A truce ends of which the log does not say whose it was: whether a Gladiator has another one is unknown."""
    if g.has_untold_truce:
        g.has_untold_truce = False
        play.unrecorded(f"truce:{g.id}")


def end_truce(play: Table, truce: Truce, how: str) -> None:
    """A truce is over."""
    truce.ended, truce.how = play.step.number, how
    first, second = (play.names.all[id].name for id in truce.pair)
    play.event(f"The truce of {first} and {second} is over: {how}", "F58", "truce ends")


def settle_episode(play: Table, episode: Episode) -> None:
    """F16, F58: an Episode ends with one Gladiator standing; a truce ends with just two."""
    state = play.state
    survivors = state.standing(episode)
    for truce in state.truces:
        if not truce.ended and len(survivors) == 2 and set(truce.pair) == set(survivors):
            end_truce(play, truce, LEFT_ALONE)
    for id in survivors if len(survivors) == 2 else ():
        state.gladiators[id].has_untold_truce = False
    if episode.over or not survivors:
        return
    if len(survivors) == 1:
        last_standing(play, episode, state.gladiators[survivors[0]])
    elif all(state.gladiators[id].npc for id in survivors):
        episode.over = play.step.number
        episode.needs_survivors = True
        play.event(
            f"Only NPC Gladiators are left in {episode.title}: the GM names who lives",
            "FA23",
            "ends",
        )
        _close_all(play, episode)


def last_standing(play: Table, episode: Episode, g: Gladiator) -> None:
    """F16, F64, F70: the last one standing goes on with more; in the Core it is the survivor."""
    episode.over = episode.over or play.step.number
    episode.last.append(g.id)
    g.fate, g.fate_step = Fate.LAST, play.step.number
    others = (play.state.gladiators[id] for id in episode.cast)
    g.fate_known_from = min(
        (other.fate_known_from for other in others if other.fate_step and other is not g),
        default=play.step.number,
    )
    _close_all(play, episode)
    if play.state.in_core:
        play.event(f"{g.name} is the survivor", "F70", "survives", g.id)
        return
    play.event(f"{g.name} is the last one standing in {episode.title}", "F16", "stands", g.id)
    if g.npc:
        g.owed_tv = play.ruling("npc_lms") == "yes"
    else:
        judge(play, g)


def _close_all(play: Table, episode: Episode) -> None:
    for encounter in play.state.encounters:
        if not encounter.over and encounter.episode == episode.title:
            close_encounter(play, encounter)
    for id in [id for id in play.state.resumptions if id in episode.cast]:
        del play.state.resumptions[id]


def survivor(state: State) -> Gladiator | None:
    """Who came out of the Core, if that is decided."""
    if not state.in_core or not state.layers[-1].episodes[:1]:
        return None
    last = state.layers[-1].episodes[0].last
    return state.gladiators[last[0]] if last else None


def facts_of_fall(play: Table, g: Gladiator) -> list[Fact]:
    """Where a Gladiator fell, for a message."""
    return play.facts(g.fate_step, f"{g.name} fell here")


def settle_points(
    play: Table, g: Gladiator, due: Due, points: dict[str, int], round_: Round
) -> None:
    """F53, F54: take points off; an inhabitant below zero is gone."""
    for npc, amount in points.items():
        if not amount or g.bond(npc) is None:
            continue
        account = f"relationship:{bond_id(g.id, npc)}"
        play.move(account, BOX, amount, POINT, "F53", "Victories of the winner")
    due.settled = dict(points)
    due.step = play.step.number
    for npc in points:
        if g.bond(npc) is not None and value(play, g.id, npc) < 0:
            remove(play, npc, round_)
