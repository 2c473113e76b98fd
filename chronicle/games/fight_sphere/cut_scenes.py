"""What the GM does after a failure: cut-scenes, and Encounters that go on (F37 to F39)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.field_types import NAME, NAMES, TEXT, in_role, is_unrecorded
from chronicle.core.fix import (
    AddItem,
    choose_reading,
    drop_entry,
    drop_key,
    make_fix,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import Role, is_barred
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import Place, ScalarNode
from chronicle.games.fight_sphere.actions import BENEFIT
from chronicle.games.fight_sphere.benefits import (
    Gain,
    gain_violations,
    possible_benefits,
    take_gain,
)
from chronicle.games.fight_sphere.falls import new_encounter
from chronicle.games.fight_sphere.needs import GLADIATORS, is_not, is_npc, is_standing
from chronicle.games.fight_sphere.rewards import encounters_are_ordinary, learn_result, not_rolled
from chronicle.games.fight_sphere.scene_close import mentions
from chronicle.games.fight_sphere.state import (
    Conflict,
    Encounter,
    Fate,
    Gladiator,
    Round,
    Stage,
)
from chronicle.games.fight_sphere.state import CutScene as ShownCutScene
from chronicle.games.fight_sphere.table import (
    Table,
    find_gladiator,
    find_inhabitant,
    id_of,
    inhabitant,
    is_gladiator,
    scene_known_from,
)

ROLES: Mapping[str, Role] = {
    "shown": Role(
        "an NPC Gladiator", "be shown", (is_npc("F38"), is_not(Fate.DEAD, "F38")), GLADIATORS
    ),
    "comes back": Role(
        "an NPC Gladiator", "come back", (is_npc("F39"), *is_standing("F39")), GLADIATORS
    ),
}


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
    if play.ruling("cutscene") == "all" or encounters_are_ordinary(play):
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
    synonyms = ("cutscene", "cut")
    lead_in_template = "Elsewhere, {gladiator}"
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
            for benefit in possible_benefits(play, npc, state.scene_npcs) if has_failed else ():
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
            state_kind="turns",
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

    @guard("F38", DiagnosticKind.SUSPICIOUS)
    def shows_whom_it_raises(self, play: Table) -> Iterator[Violation]:
        """A Relationship grows that the cut-scene shows. Where it says nothing of who is there, nothing is said."""
        if self.gain is None or not (self.npcs or self.text) or play.given:
            return
        shown = [*map(str, self.npcs), str(self.text or "")]
        for word in self.gain.raise_ or () if not any(map(is_unrecorded, self.npcs)) else ():
            npc = find_inhabitant(play, word)
            if npc is None or npc.gone or any(mentions(words, npc.name) for words in shown):
                continue
            yield Violation(
                f"{npc.name} is not in this cut-scene, and the Relationship grows that it shows",
                word,
                make_fix(AddItem("npcs", npc.name)),
                rule="F38",
            )

    @guard("F38")
    def one_of_three(self, play: Table) -> Iterator[Violation]:
        gain = self.benefit(play)
        if gain is not None:
            yield from gain_violations(play, gain, self)

    def apply(self, play: Table) -> None:
        state, shown = play.state, find_gladiator(play, self.gladiator)
        gain, failed = self.benefit(play), self.failed(play)
        if shown is None:
            if failed is not None and not failed.answer:
                failed.answer, failed.answer_step = "cut-scene", play.step.number
            return
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
    synonyms = ("resumption",)
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
            state_kind="turns",
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
        is_possible = npc.fate is Fate.STANDING and not is_barred(play, self.gladiator)
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
