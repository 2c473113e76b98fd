"""How Scenes, Gladiators, Episodes and the game end: points of losers, falls, survivors, the epilogue
(F17, F29, F37, F52 to F54, F70, F71, FA23)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, NAMES, TEXT, WHOLE, YES_NO, MapOf, in_role
from chronicle.core.fix import (
    choose_reading,
    drop_entry,
    drop_item,
    drop_key,
    replace_with,
    write_word,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import Decider, Need, Role
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.fight_sphere.actions import WORDS
from chronicle.games.fight_sphere.bonds import doubted_bond, settle_points
from chronicle.games.fight_sphere.falls import (
    fell,
    last_standing,
    settle_episode,
    survived_from,
    survivor,
)
from chronicle.games.fight_sphere.needs import GLADIATORS
from chronicle.games.fight_sphere.phases import ALONE, ENDED, OVER
from chronicle.games.fight_sphere.scene_close import is_waiting, scene_debts, shut_scene, tell_close
from chronicle.games.fight_sphere.state import (
    GLADIATOR,
    INHABITANT,
    Due,
    Episode,
    Fate,
    Gladiator,
    Inhabitant,
    Round,
    bond_id,
)
from chronicle.games.fight_sphere.table import (
    Table,
    find_gladiator,
    find_gladiators,
    find_inhabitant,
    inhabitant,
    is_gladiator,
    pool,
    scene_known_from,
)


def _was_left_to_npcs(play: Table, id: str) -> bool:
    if play.state.gladiators[id].fate is Fate.LAST:
        return True
    return any(id in play.state.standing(episode) for episode in _left_to_npcs(play))


def _left_to_npcs(play: Table) -> list[Episode]:
    """The Episodes of this Layer in which only NPC Gladiators are left, without survivors so far."""
    return [episode for episode in play.state.layer_now() if episode.needs_survivors]


LEFT = Need(
    "standing where only NPC Gladiators are left",
    "FA23",
    _was_left_to_npcs,
    "{who} is in no Episode that was left to NPC Gladiators",
    applies=lambda play, id: bool(_left_to_npcs(play)),
)
ROLES: Mapping[str, Role] = {
    "loses": Role("a Gladiator who lost", "", (), GLADIATORS),
    "pays": Role("an inhabitant who was used", "", (), (INHABITANT, GLADIATOR), takes_new=True),
    "told of": Role("an inhabitant", "", (), (INHABITANT,), takes_new=True),
    "falls": Role("a Gladiator who is beaten", "", (), GLADIATORS),
    "lives": Role("an NPC Gladiator", "", (LEFT,), GLADIATORS),
}


# --- fates of inhabitants ---------------------------------------------------------------------------


def fate_violations(
    play: Table, fates: Mapping[ScalarNode, ScalarNode] | None, lost: Sequence[str] = ()
) -> Iterator[Violation]:
    """F54: fates of inhabitants who are not lost, and fates without words.

    Args:
        play: the state of play.
        fates: the fates as typed.
        lost: the ids of the inhabitants who are lost by the same entry.
    """
    for word, fate in (fates or {}).items():
        gladiator = is_gladiator(play, word)
        if gladiator is not None:
            yield _fate_of_gladiator(gladiator, word)
            continue
        npc = find_inhabitant(play, word)
        name = npc.name if npc is not None else str(word).strip()
        id = npc.id if npc is not None else ""
        if not fate.strip():
            yield Violation(
                f"the fate of {name} has no words", word, drop_item(str(word)), rule="F54"
            )
        elif (npc is None or not npc.gone) and id not in lost:
            yield Violation(
                f"{name} is lost only below zero; no Relationship with {name} has fallen so far",
                word,
                drop_item(str(word)),
                help="what hurts without taking away goes into  harm:",
                since=play.before_gap("tracks", npc.step if npc is not None else 0),
                state_kind="tracks",
                after=[f"fate:{id}"],
                rule="F54",
            )


def _fate_of_gladiator(gladiator: Gladiator, word: ScalarNode) -> Violation:
    """F17, F52: that the fate of a Gladiator is told as that of an inhabitant."""
    return Violation(
        f"{gladiator.name} is a Gladiator, whose fall is told by itself"
        if is_beaten(gladiator)
        else f"{gladiator.name} is a Gladiator; only a pool below zero "
        + ("kills" if gladiator.npc else "is a defeat"),
        word,
        drop_item(str(word)),
        help=f"fall: {gladiator.name}" if is_beaten(gladiator) else (),
        rule="F17" if gladiator.npc else "F52",
    )


def tell_fates(play: Table, fates: Mapping[ScalarNode, ScalarNode] | None) -> None:
    """Note what became of inhabitants. Of those who are not lost, it is a harm."""
    for word, fate in (fates or {}).items():
        if is_gladiator(play, word) is not None:
            continue
        npc = inhabitant(play, word)
        if npc.gone and fate.strip():
            npc.fate = str(fate)
        elif fate.strip():
            npc.harms.append((play.step.number, str(fate)))


# --- points of losers -------------------------------------------------------------------------------


class Lose(Action):
    """Take the Victories off the Relationships you used in the roll you lost."""

    verb = "lose"
    about_whom = "What became of {who}"
    synonyms = ("loss", "victories")
    decides = Decides("losers")
    offered = Offered("F53", "take points off Relationships")
    example = "lose: {Ruiz: {Mina: 2, Old Tom: 1}}"
    points = main(
        MapOf(
            in_role("loses", NAME),
            MapOf(in_role("pays", NAME), WHOLE),
            "a mapping from a Gladiator to {inhabitant: points}",
        ),
        "{Gladiator: {inhabitant: points}}",
    )
    fate = option(
        WORDS,
        "{inhabitant: what became of a lost inhabitant}",
        text_role=TextRole.SENTENCE,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        round_ = play.state.open_round
        yield from cls._of_the_unnamed(play)
        for due in round_.dues.values() if round_ is not None else ():
            loser, names = play.state.gladiators[due.who], play.names.all
            if due.settled and not due.forced:
                continue
            first, *rivals = [names[id].name for id in due.used]
            if not rivals:
                yield {"lose": {loser.name: {first: due.points}}}
            for rival in rivals:
                for points in range(due.points + 1):
                    yield {"lose": {loser.name: {first: points, rival: due.points - points}}}

    @classmethod
    def _of_the_unnamed(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        """The points of losers who used inhabitants whom the log does not name."""
        round_ = play.state.open_round
        if round_ is None:
            return
        for id, (_, points) in round_.losses.items():
            loser, is_open = play.state.gladiators[id], bool(round_.builds[id].unnamed)
            for bond in loser.living() if is_open and id not in round_.dues else ():
                yield {"lose": {loser.name: {play.names.all[bond.npc].name: points}}}

    def sentence(self, play: Table) -> Sentence:
        losers = [gladiator.id for gladiator in find_gladiators(play, self.points)]
        take = "take" if len(losers) > 1 else "takes"
        return said(f"{{}} {take} points off Relationships.", losers)

    def owed(self, play: Table) -> Iterator[tuple[ScalarNode, Gladiator, Due, Round]]:
        """Each loser who owes points: the name as typed, the Gladiator, the debt, the roll."""
        round_ = play.state.open_round
        for word in self.points:
            loser = find_gladiator(play, word)
            due = round_.dues.get(loser.id) if round_ is not None and loser is not None else None
            if loser is not None and due is not None and round_ is not None:
                yield word, loser, due, round_

    def taken(self, play: Table, word: ScalarNode) -> dict[str, int]:
        """The points that a loser takes off, by inhabitant."""
        points_taken: dict[str, int] = {}
        for name, points in self.points[word].items():
            named = play.look_up(name, (INHABITANT, GLADIATOR))
            if named is not None:
                points_taken[named.id] = points
        return points_taken

    def _of_lost_rolls(self, play: Table) -> Iterator[tuple[Gladiator, str]]:
        """Each loser who owes nothing on record, with each inhabitant who lost points by it."""
        owed = {loser.id for _, loser, _, _ in self.owed(play)}
        for word in self.points:
            loser = find_gladiator(play, word)
            for npc in self.taken(play, word) if loser is not None else ():
                if loser is not None and loser.id not in owed:
                    yield loser, npc

    def is_clear(self, play: Table, word: ScalarNode) -> bool:
        """Whether each inhabitant is known and no number of points is negative."""
        points = self.points[word]
        return len(self.taken(play, word)) == len(points) and min(points.values(), default=0) >= 0

    @guard("F53")
    def owes_points(self, play: Table) -> Iterator[Violation]:
        round_ = play.state.open_round
        for word in self.points:
            loser = find_gladiator(play, word)
            if loser is None or (round_ is not None and loser.id in round_.dues):
                continue
            if round_ is not None and loser.id in round_.losses and round_.builds[loser.id].unnamed:
                continue  # Whose points these are, only the log could say.
            has_lost = round_ is not None and loser.id in round_.losses
            why = "none was used in this roll" if has_lost else "no Encounter roll was lost"
            violation = Violation(
                f"{loser.name} has no points to take off Relationships: {why}",
                word,
                drop_entry() if len(self.points) == 1 else drop_item(str(word)),
                since=play.before_gap("", scene_known_from(play)),
                after=["rounds:"],
            )
            yield doubted_bond(play, loser, violation) if has_lost else violation

    @guard("F53", at="by")
    def the_loser_decides(self, play: Table) -> Iterator[Violation]:
        player = play.step.player
        for _, loser, _, _ in self.owed(play):
            owner = play.runner if loser.npc else loser.player
            if self.by is not None and player and player != owner:
                yield Violation(
                    f"{player} takes points off {loser.name}'s Relationships; {owner} decides that",
                    fix=drop_key("by"),
                )

    @guard("F53")
    def off_those_who_were_used(self, play: Table) -> Iterator[Violation]:
        for word, loser, due, round_ in self.owed(play):
            for name in self.points[word]:
                named = play.look_up(name, (INHABITANT, GLADIATOR))
                used = (*due.used, *round_.builds[loser.id].free)
                is_possible = named is not None and named.id in used
                if is_possible or round_.builds[loser.id].unnamed:
                    continue
                yield Violation(
                    f"{loser.name} did not use {named.name if named else name} in this roll",
                    name,
                    replace_with(play.names.all[id].name for id in due.used),
                    since=play.before_gap("", round_.step),
                )

    @question("FA17")
    def off_those_who_were_paid(self, play: Table) -> Iterator[Violation]:
        for word, loser, due, round_ in self.owed(play):
            for name in self.points[word]:
                named = play.look_up(name, (INHABITANT, GLADIATOR))
                if named is None or named.id in due.used:
                    continue
                if named.id in round_.builds[loser.id].free:
                    yield Violation(
                        f"{named.name} came in without payment; at this table only those paid for lose",
                        name,
                        choose_reading("free_shared_loss", "allowed"),
                    )

    @guard("F53")
    def none_is_negative(self, play: Table) -> Iterator[Violation]:
        for word, *_ in self.owed(play):
            for name, points in self.points[word].items():
                if points < 0:
                    yield Violation(f"{points} points are no loss", name)

    @guard("F53")
    def as_many_as_victories(self, play: Table) -> Iterator[Violation]:
        for word, loser, due, round_ in self.owed(play):
            points_taken = self.taken(play, word)
            if not self.is_clear(play, word) or not {*points_taken} <= {*due.used}:
                continue
            total = sum(points_taken.values())
            if total == due.points or self._is_settled(due):
                continue
            bonds = [
                bond_id(id, npc) for id in round_.members for npc in play.state.gladiators[id].bonds
            ]
            yield Violation(
                f"{loser.name} takes off {plural(total, 'point')}; "
                f"the Victories come to {due.points}",
                next(iter(self.points[word]), word),
                write_word(due.points) if len(points_taken) == 1 else (),
                facts=[play.because(due.step, "lost here")],
                since=None if due.is_certain else 0,
                after=[f"pool:{loser.id}"],
                doubts=["bonds", *(f"relationship:{id}" for id in bonds)],
            )

    def _is_settled(self, due: Due) -> bool:
        return bool(due.settled) and not due.forced

    @guard("F53")
    def once(self, play: Table) -> Iterator[Violation]:
        for word, loser, due, _ in self.owed(play):
            if self._is_settled(due):
                yield Violation(
                    f"{loser.name} has taken the points off already",
                    word,
                    drop_entry() if len(self.points) == 1 else drop_item(str(word)),
                    facts=[play.because(due.step, "here")],
                )

    @question("FA19")
    def none_is_piled_on(self, play: Table) -> Iterator[Violation]:
        for word, _, due, _ in self.owed(play):
            if self._is_settled(due) or due.forced or play.ruling("overkill_points") != "no":
                continue
            points_taken = self.taken(play, word)
            piled = [
                play.names.all[id].name
                for id, points in points_taken.items()
                if points > due.worth.get(id, 0) + 1
                and any(
                    points_taken.get(second, 0) <= worth
                    for second, worth in due.worth.items()
                    if second != id
                )
            ]
            if piled:
                yield Violation(
                    f"{listed(piled)} is below zero already; at this table further points go to another",
                    word,
                )

    @guard("F54")
    def fates_of_those_who_are_lost(self, play: Table) -> Iterator[Violation]:
        lost = [
            id
            for word, _, due, _ in self.owed(play)
            for id, points in self.taken(play, word).items()
            if points > due.worth.get(id, 0)
        ]
        if play.gap_since("tracks"):
            lost += [npc for _, npc in self._of_lost_rolls(play)]
        yield from fate_violations(play, self.fate, lost)

    def apply(self, play: Table) -> None:
        for loser, npc in self._of_lost_rolls(play):
            play.unrecorded(f"relationship:{bond_id(loser.id, npc)}")
        for word, loser, due, round_ in [*self.owed(play)]:
            points_taken = self.taken(play, word)
            if not self.is_clear(play, word) or self._is_settled(due):
                continue
            if due.forced:
                # The log wins: this is what the table took off.
                additional = {
                    id: points - due.settled.get(id, 0) for id, points in points_taken.items()
                }
                settle_points(play, loser, due, additional, round_)
                due.settled, due.forced = points_taken or {"": 0}, False
                continue
            settle_points(play, loser, due, points_taken, round_)
            parts = [
                f"{points} off {play.names.all[id].name}" for id, points in points_taken.items()
            ]
            play.event(f"{loser.name} takes {listed(parts)}", "F53", "shrinks", loser.id)
        tell_fates(play, self.fate)


# --- falls ------------------------------------------------------------------------------------------


class Fall(Action):
    """Tell how a defeated Gladiator leaves: dead, left for dead, through the floor into the dark."""

    verb = "fall"
    synonyms = ("die", "death", "dies", "defeat")
    lead_in_template = "The fall of {gladiator}"
    decides = Decides("player")
    offered = Offered("F52", "tell how a beaten Gladiator falls")
    example = "fall: Ruiz\n  text: The grating gives, and there is nobody to catch him."
    gladiator = main(in_role("falls", NAME), "who falls")
    dies = option(YES_NO, "whether it is death; you need not write this, Chronicle computes it")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        for gladiator in state.gladiators.values():
            if is_beaten(gladiator) and not state.is_fall_told(gladiator):
                yield {"fall": gladiator.name}

    def sentence(self, play: Table) -> Sentence:
        gladiator = find_gladiator(play, self.gladiator)
        return said("{} falls.", gladiator.id if gladiator is not None else "")

    @guard("F52", at="main")
    def is_below_zero(self, play: Table) -> Violation | None:
        gladiator = find_gladiator(play, self.gladiator)
        if gladiator is None or is_beaten(gladiator) or play.given:
            return None
        state = play.state
        rounds = state.encounters[-1].rounds if state.encounters else []
        is_in_it = bool(rounds) and gladiator.id in rounds[-1].builds
        doubtful = rounds[-1].members if is_in_it else [gladiator.id]
        dice, key = plural(pool(play, gladiator.id), "die", "dice"), f"pool:{gladiator.id}"
        since = play.before_gap("pools", play.known_from(key, "pools"))
        return Violation(
            f"{gladiator.name} has {dice} in the Conflict Pool and is not beaten; only below zero is",
            facts=[play.because(rounds[-1].result_step, "the last roll")] if rounds else [],
            since=since,
            kind=DiagnosticKind.UNKNOWN
            if since is None and play.uncertain_since(key, "pools")
            else None,
            state_kind="pools",
            after=[f"pool:{gladiator.id}", "rounds:"],
            doubts=["turn", *_doubts_of_all(play, doubtful)],
        )

    @guard("F52", at="main")
    def once(self, play: Table) -> Violation | None:
        gladiator = find_gladiator(play, self.gladiator)
        if gladiator is None or not is_beaten(gladiator) or play.given:
            return None
        if not play.state.is_fall_told(gladiator):
            return None
        return Violation(
            f"the fall of {gladiator.name} has been told",
            fix=drop_entry(),
            facts=play.facts(gladiator.fate_step, "fell here"),
        )

    @guard("F52", DiagnosticKind.UNKNOWN, at="main")
    def is_on_record(self, play: Table) -> str | None:
        gladiator = find_gladiator(play, self.gladiator)
        if gladiator is None or is_beaten(gladiator) or not _is_in_snapshot(play):
            return None
        return f"the record does not tell how {gladiator.name} was beaten"

    @guard("F17", at="dies")
    def played_ones_live(self, play: Table) -> Violation | None:
        gladiator = find_gladiator(play, self.gladiator)
        if gladiator is None or not self.dies or not is_beaten(gladiator):
            return None
        if gladiator.fate is Fate.DEAD:
            return None
        return Violation(
            f"{gladiator.name} is played and dies in the Core only; outside it the Gladiator comes "
            "back on the next Layer",
            fix=drop_key("dies"),
            since=play.before_gap("", play.state.layer_step),
        )

    @guard("F17", at="dies")
    def dead_ones_stay_dead(self, play: Table) -> Violation | None:
        gladiator = find_gladiator(play, self.gladiator)
        if gladiator is None or self.dies is not False or gladiator.fate is not Fate.DEAD:
            return None
        if gladiator.npc:
            message = f"{gladiator.name} is an NPC Gladiator, and a defeated one is dead for good"
            return Violation(message, fix=drop_key("dies"))
        message = f"{gladiator.name} falls in the Core, where death is final"
        return Violation(message, fix=drop_key("dies"), rule="F69")

    def apply(self, play: Table) -> None:
        state, gladiator = play.state, find_gladiator(play, self.gladiator)
        if gladiator is None:
            return
        if not is_beaten(gladiator):
            # The table says who fell, against the dice.
            fell(play, gladiator)
            episode = state.episode_of(gladiator.id)
            if episode is not None:
                settle_episode(play, episode)
        gladiator.fate_known_from = play.step.number
        if not state.is_fall_told(gladiator):
            rule = "F17" if gladiator.npc else "F52"
            play.event(f"{gladiator.name} leaves: {gladiator.fate}", rule, "leaves", gladiator.id)
        state.falls[gladiator.id] = play.step.fiction
        state.falls_told[gladiator.id] = gladiator.fate_step


def is_beaten(gladiator: Gladiator) -> bool:
    """Whether a Gladiator is knocked out or dead."""
    return gladiator.fate in (Fate.OUT, Fate.DEAD)


def _is_in_snapshot(play: Table) -> bool:
    """Whether the entry is one of those that a snapshot gives."""
    return play.given and play.step.parent is not None


def _doubts_of_all(play: Table, ids: Sequence[str]) -> Iterator[str]:
    """The figures of Gladiators that are in doubt when a roll of theirs is."""
    for id in ids:
        yield from (f"pool:{id}", f"bars:{id}")
        for npc in play.state.gladiators[id].bonds:
            yield from ("bonds", f"relationship:{bond_id(id, npc)}", f"fate:{npc}")
    yield from (f"judgment:{player}" for player in play.seats)


class Survivors(Action):
    """Only NPC Gladiators are left in an Episode: the GM names who comes out alive."""

    verb = "survivors"
    decides = Decides("gm", "FA23")
    offered = Offered("FA23", "name the NPC Gladiators who live")
    example = "survivors: [Tam]"
    gladiators = main(in_role("lives", NAMES), "the NPC Gladiators who live on")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        for episode in state.layer_now():
            standing = [state.gladiators[id] for id in state.standing(episode)]
            is_won = bool(episode.over) and all(gladiator.npc for gladiator in standing)
            for gladiator in standing if is_won and not episode.has_told_survivors else ():
                yield {"survivors": [gladiator.name]}

    def sentence(self, play: Table) -> Sentence:
        living = [gladiator.id for gladiator in find_gladiators(play, self.gladiators)]
        return said("{} live on." if len(living) > 1 else "{} lives on.", living)

    def living(self, play: Table, episode: Episode) -> list[Gladiator]:
        """The survivors of an Episode."""
        survivors = play.state.standing(episode)
        named = find_gladiators(play, self.gladiators)
        return [gladiator for gladiator in named if gladiator.id in survivors]

    @guard("FA23", at="main")
    def an_episode_was_left(self, play: Table) -> Violation | None:
        if _left_to_npcs(play):
            return None
        named = find_gladiators(play, self.gladiators)
        if named and all(gladiator.fate is Fate.LAST for gladiator in named):
            return None
        return Violation(
            "no Episode was left to NPC Gladiators alone",
            fix=drop_entry(),
            since=play.before_gap("", play.state.layer_step),
        )

    @question("FA23", at="main")
    def one_at_this_table(self, play: Table) -> Iterator[Violation]:
        for episode in _left_to_npcs(play):
            living = self.living(play, episode)
            if len(living) > 1 and play.ruling("npc_only_episode") == "one":
                names = listed(gladiator.name for gladiator in living)
                yield Violation(
                    f"{names} all live; at this table one does",
                    fix=choose_reading("npc_only_episode", "gm-names"),
                )

    def apply(self, play: Table) -> None:
        for episode in play.state.layer_now():
            named = {gladiator.id for gladiator in find_gladiators(play, self.gladiators)}
            episode.has_told_survivors |= bool(named & {*episode.last, *episode.cast})
        for episode in _left_to_npcs(play):
            living = self.living(play, episode)
            if not living:
                continue
            episode.needs_survivors = False
            for id in play.state.standing(episode):
                if play.state.gladiators[id] not in living:
                    fell(play, play.state.gladiators[id])
            for gladiator in living:
                last_standing(play, episode, gladiator)
                # Nobody of several is the only Gladiator left (F64).
                gladiator.owed_tv &= len(living) == 1


# --- the end of a Scene and of the game -------------------------------------------------------------


class EndScene(Action):
    """Play the Scene to its close and show the consequences."""

    verb = "end scene"
    about_whom = "What became of {who}"
    synonyms = ("close",)
    decides = Decides("scene")
    offered = Offered("F29", "close the Scene")
    example = "end scene: The water takes the stair\n  harm: {Mina: a broken wrist}"
    words = main(TEXT, "how it closes", default=None, text_role=TextRole.SENTENCE)
    harm = option(
        WORDS,
        "{inhabitant: the harm that happened} after a failure",
        text_role=TextRole.SENTENCE,
    )
    fate = option(
        WORDS,
        "{inhabitant: what became of a lost inhabitant}",
        text_role=TextRole.SENTENCE,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        names = play.state.inhabitants
        harmed = {
            names[id].name: "hurt in the fall"
            for conflict in play.state.open_conflicts
            for id in conflict.harm_due
        }
        yield (
            {"end scene": "It ends badly", "harm": harmed}
            if harmed
            else {"end scene": "Steam closes over it"}
        )

    def sentence(self, play: Table) -> Sentence:
        return ("The Scene closes.",)

    def harmed(self, play: Table) -> list[Inhabitant]:
        """The inhabitants whose harm it tells, without those who are named for the first time."""
        named = [find_inhabitant(play, word) for word, harm in (self.harm or {}).items() if harm]
        return [npc for npc in named if npc is not None]

    @guard("F37")
    def harm_has_words(self, play: Table) -> Iterator[Violation]:
        for word, harm in (self.harm or {}).items():
            if not harm.strip():
                yield Violation(f"the harm of {word} has no words", word, drop_item(str(word)))

    @guard("F54")
    def fates_of_those_who_are_lost(self, play: Table) -> Iterator[Violation]:
        yield from fate_violations(play, self.fate)

    @guard("F22")
    def a_scene_is_open(self, play: Table) -> Violation | None:
        state = play.state
        if play.given or (state.scene_step and not state.scene_closed):
            return None
        return Violation("no Scene is open", fix=drop_entry(), since=0)

    @guard("F22")
    def all_is_rolled(self, play: Table) -> Iterator[Violation]:
        if is_waiting(play.state):
            words = f"{play.step.fiction} {self.words or ''}"
            yield from scene_debts(play, words, [npc.id for npc in self.harmed(play)])

    def apply(self, play: Table) -> None:
        words = str(self.words or "")
        play.step.tell(words or None)
        for word, harm in (self.harm or {}).items():
            npc = inhabitant(play, word)
            if harm.strip():
                npc.harms.append((play.step.number, str(harm)))
                play.event(f"{npc.name}: {harm}", "F37", "harm", npc.id)
        tell_fates(play, self.fate)
        tell_close(play, words or "closed")


class Epilogue(Action):
    """The survivor's player tells what comes after, and what it was all for."""

    verb = "epilogue"
    synonyms = ("aftermath", "ending")
    decides = Decides("survivor", "F71")
    moment = Moment(
        (ALONE, ENDED),
        Refusal(
            "F70",
            "the game ends in the Core, with one survivor; {living} still live",
            any_gap=True,
        ),
        {OVER: Refusal("F70", "the game is over; its epilogue has been told")},
        void=True,
    )
    offered = Offered("F71", "tell what comes after", is_rare=True)
    example = "epilogue: The door was never locked"
    story = main(TEXT, "the epilogue (Markdown)", text_role=TextRole.PROSE)

    def sentence(self, play: Table) -> Sentence:
        last = survivor(play.state)
        return said("The epilogue of {}.", last.id if last is not None else "")

    @guard("F22")
    def last_scene_is_complete(self, play: Table) -> Iterator[Violation]:
        yield from scene_debts(play, str(self.story))

    def apply(self, play: Table) -> None:
        shut_scene(play)
        play.step.tell(self.story)
        play.state.epilogue, play.state.over = str(self.story), True
        play.event("The game is over", "F71", "over")


# --- who acts ---------------------------------------------------------------------------------------


def _losers(play: Table, action: Action) -> Sequence[str]:
    words = action.points if isinstance(action, Lose) else ()
    return [gladiator.id for gladiator in find_gladiators(play, words)]


def _survivor(play: Table, action: Action) -> Sequence[str]:
    last = survivor(play.state)
    return [last.player] if last is not None else []


ACTORS: Mapping[str, Decider] = {
    "losers": Decider("the losers' players", _losers),
    "survivor": Decider(
        "the survivor's player",
        _survivor,
        "{by} tells the epilogue; {survivor} survived, so {due} does",
        since=survived_from,
        fact="survived here",
    ),
}
