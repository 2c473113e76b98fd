"""Encounters begin and go on; truces hold or do not (F44, F47, F56, F58)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from chronicle.core.declare import Offered, main, option, place_of_word
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAMES, in_role
from chronicle.core.fix import AddItem, RemoveItem, RemoveKey, drop_item, make_fix, set_key
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import Role, is_barred
from chronicle.core.ranges import CannotTell
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere.actions import CONTINUED, NUMBERS, STAKES
from chronicle.games.fight_sphere.bonds import bonds_unknown_since, leave_open
from chronicle.games.fight_sphere.build import Draft
from chronicle.games.fight_sphere.falls import new_encounter
from chronicle.games.fight_sphere.needs import FALLEN, GLADIATORS, is_standing
from chronicle.games.fight_sphere.scenes import (
    Framed,
    apart_violations,
    is_at_peace,
    possible_inhabitants,
)
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    Drive,
    Encounter,
    Fate,
    Gladiator,
    Pair,
    Round,
    pair,
)
from chronicle.games.fight_sphere.table import (
    Table,
    bound_to,
    find_gladiator,
    find_gladiators,
    is_gladiator,
    is_turn_known,
    take_turn,
    upcoming,
    who_may_begin,
)

ROLES: Mapping[str, Role] = {
    "met": Role(
        "a Gladiator of the Episode",
        "be met",
        is_standing("F47", dead="F17"),
        GLADIATORS,
        groups=(CONTINUED,),
    ),
}


class Bonus(NamedTuple):
    """Dice that a first meeting brings a Gladiator, with the rule, and why."""

    gladiator: str
    dice: int
    rule: str
    why: str


class Meeting(NamedTuple):
    """A Scene of an Encounter as an entry frames it, in no state yet.

    Attributes:
        going_on: the Encounter that goes on; None for a new one.
        encounter: the Encounter as it is from now on.
        round_: its round, without stakes.
        bonuses: the dice of first meetings by the rules.
        is_by_gm: whether no player frames it.
    """

    going_on: Encounter | None
    encounter: Encounter
    round_: Round
    bonuses: Sequence[Bonus]
    is_by_gm: bool

    @property
    def due(self) -> dict[str, int]:
        """The dice of first meetings by Gladiator, without those who gain none."""
        totals: dict[str, int] = {}
        for bonus in self.bonuses:
            totals[bonus.gladiator] = totals.get(bonus.gladiator, 0) + bonus.dice
        return {id: dice for id, dice in totals.items() if dice}


class Meet(Framed):
    """Frame your Gladiator into a Scene with other Gladiators: start an Encounter, or go on with it."""

    verb = "encounter"
    synonyms = ("fight", "meet", "clash", "duel")
    offered = Offered("F47", "start an Encounter, or go on with it")
    example = "encounter: [Tam, Osei]\n  stake: {Ruiz: {gamble: 2, use: Mina}, Tam: {gamble: 1}}"
    others = main(in_role("met", NAMES), "the Gladiators met, or 'continued'")
    joins = option(
        in_role("met", NAMES),
        "further Gladiators who come into an Encounter that goes on",
        default=(),
    )
    bonus = option(
        NUMBERS,
        "{Gladiator: dice} of the first meeting; you need not write this, Chronicle checks it",
        computed=True,
    )
    stake = option(STAKES, "the stakes in the order they were built, the Initiative first")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        for seat in who_may_begin(play):
            own = state.played_by(seat)
            episode = state.episode_of(own.id) if own is not None else None
            if own is None or episode is None:
                continue
            if own.id in state.resumptions or bound_to(play, own.id) is not None:
                yield {"encounter": CONTINUED, "by": seat}
                continue
            rivals = [state.gladiators[id] for id in state.standing(episode) if id != own.id]
            opponents = [rival.name for rival in rivals if state.truce(own.id, rival.id) is None]
            there = possible_inhabitants(play)[:1]
            for name in opponents:
                yield {"encounter": [name], "by": seat, "at": "the gallery", "npcs": there}
            if opponents and len(rivals) > 1:
                yield {"encounter": [rival.name for rival in rivals], "by": seat}

    def sentence(self, play: Table) -> Sentence:
        meeting = self.meeting(play)
        if meeting is None:
            return ("An Encounter begins.",)
        first, *rivals = meeting.round_.members
        if not rivals:
            return said("{} goes on with the Encounter.", first)
        words = "{} meets {} again." if meeting.going_on is not None else "{} meets {}."
        return said(words, first, rivals)

    # -- who is in it --------------------------------------------------------------------------------

    @property
    def continues(self) -> bool:
        """Whether it says that the Encounter goes on, without naming the Gladiators."""
        return len(self.others) == 1 and self.others[0].strip().casefold() == CONTINUED

    def met(self) -> Sequence[ScalarNode]:
        return () if self.continues else self.others

    def whose(self, play: Table) -> Gladiator | None:
        """The Gladiator who meets others. Where the log does not say who frames, the stakes do: the Initiative builds
        first. An NPC Gladiator whose Encounter was resumed can be named as its framer."""
        gladiator = super().whose(play)
        if play.step.action is self:
            gladiator = self._first_to_build(play, gladiator)
        if gladiator is None or not gladiator.npc:
            return gladiator
        for id, (npc, _, _) in play.state.resumptions.items():
            own = play.state.gladiators[id]
            if npc == gladiator.id and own.player == upcoming(play):
                return own
        return gladiator

    def _first_to_build(self, play: Table, due: Gladiator | None) -> Gladiator | None:
        named = self._builders(play)
        is_said = self.by is not None and not play.is_actor_unrecorded
        if is_said or not named or named[0].npc:
            return due
        met = find_gladiators(play, self.met())
        is_due = due in named and due not in met and is_turn_known(play)
        return due if is_due else named[0]

    def _builders(self, play: Table) -> list[Gladiator]:
        """The Gladiators whose rolls it builds, in order."""
        named = [is_gladiator(play, word) for word in self.stake or {} if word]
        return [gladiator for gladiator in named if gladiator is not None]

    def unnamed(self, play: Table, ids: Sequence[str]) -> Sequence[str]:
        named = {gladiator.id for gladiator in (*self.rivals(play, None), *self._builders(play))}
        return () if self.continues else [id for id in ids if id not in named]

    def refused(self, play: Table) -> Sequence[Gladiator]:
        return find_gladiators(play, [word for word in self.met() if is_barred(play, word)])

    def rivals(self, play: Table, gladiator: Gladiator | None) -> list[Gladiator]:
        """The Gladiators whom it meets by name."""
        named = find_gladiators(play, self.met())
        return [rival for rival in named if rival is not gladiator]

    def is_resumed(self, play: Table, gladiator: Gladiator) -> bool:
        """Whether it is the Encounter that the GM has resumed."""
        resumed = play.state.resumptions.get(gladiator.id)
        rivals = self.rivals(play, gladiator)
        return resumed is not None and (not rivals or resumed[0] in [r.id for r in rivals])

    def meeting(self, play: Table) -> Meeting | None:
        """The Scene of an Encounter that it frames; None if it frames none."""
        state, gladiator = play.state, self.whose(play)
        if not self.can_frame(play) or (gladiator is None and play.is_actor_unrecorded):
            return None
        if gladiator is None or gladiator.npc:
            members = self._gathered_by_gm(play, gladiator)
            if len(members) < 2:
                return None
            return self._meeting(play, gathered(play, members), members, members[0], is_by_gm=True)
        going_on: Encounter | None
        if self.is_resumed(play, gladiator):
            npc, number, _ = state.resumptions[gladiator.id]
            going_on = state.encounters[number - 1]
            members = [state.gladiators[id] for id in (*going_on.members, gladiator.id, npc)]
            return self._meeting(play, going_on, members, state.gladiators[npc])
        if self.continues:
            going_on, builders = self._continued(play, gladiator), self._builders(play)
            is_certain = play.gap_since("cast") <= state.layer_step
            # Where the log says nothing, the GM can have resumed it.
            is_resumed = not is_certain and builders[:1] != [gladiator] and gladiator in builders
            first = builders[0] if is_resumed and builders[0].npc else gladiator
            if going_on is not None:
                return self._meeting(play, going_on, [], first)
            # Or it began there: those who build are in it.
            is_told = len(builders) > 1 and not is_certain
            return self._meeting(play, None, builders, first) if is_told else None
        rivals = self.rivals(play, gladiator)
        if not rivals:
            return None
        members = [gladiator, *rivals]
        intended = self._intended(play, gladiator) or gathered(play, members)
        return self._meeting(play, intended, members, gladiator)

    def _continued(self, play: Table, gladiator: Gladiator) -> Encounter | None:
        """The Encounter of the Gladiator that goes on; behind a gap, one in which all are who build."""
        going_on = bound_to(play, gladiator.id) or play.state.encounter_of(gladiator.id)
        if going_on is None or play.gap_since("cast") <= going_on.step:
            return going_on
        builders = {builder.id for builder in self._builders(play)}
        return going_on if builders <= {*going_on.members} else None

    def _intended(self, play: Table, gladiator: Gladiator) -> Encounter | None:
        """The Encounter of the Gladiator in which all are whom it meets. Who is in several goes on with any."""
        named = {rival.id for rival in self.rivals(play, gladiator)}
        intended = [e for e in play.state.encounters_of(gladiator.id) if named <= {*e.members}]
        return min(intended, key=lambda encounter: len(encounter.members), default=None)

    def _gathered_by_gm(self, play: Table, gladiator: Gladiator | None) -> list[Gladiator]:
        """F47: only players start Encounters. It happened all the same, so it is played on."""
        members = [*([gladiator] if gladiator is not None else []), *self.rivals(play, gladiator)]
        if len(members) != 1:
            return members
        turn = play.state.played_by(upcoming(play))
        episode = play.state.episode_of(members[0].id)
        if turn is None or episode is None or turn.id not in episode.cast or turn in members:
            return []
        return [turn, *members]

    def _meeting(
        self,
        play: Table,
        going_on: Encounter | None,
        gladiators: Sequence[Gladiator],
        first: Gladiator,
        *,
        is_by_gm: bool = False,
    ) -> Meeting:
        """The Scene of an Encounter that goes on, or of a new one, in which these meet."""
        state = play.state
        joining = [joined for joined in find_gladiators(play, self.joins) if joined is not first]
        before = [state.gladiators[id] for id in going_on.members] if going_on is not None else []
        everybody = list(dict.fromkeys([*before, *gladiators]))
        if going_on is not None and going_on.over:
            # A Gladiator who was left in it can have fallen since.
            everybody = [each for each in everybody if each.fate not in (Fate.OUT, Fate.DEAD)]
        members = list(dict.fromkeys(each.id for each in (*everybody, *joining)))
        encounter = (
            replace(going_on, members=members)
            if going_on is not None
            else new_encounter(play, [first.id, *(id for id in members if id != first.id)])
        )
        own = self.whose(play)
        round_ = Round(
            len(encounter.rounds) + 1,
            len(play.timeline.scenes) + 1,
            play.step.number,
            first.id,
            own.player if own is not None and not is_by_gm else upcoming(play),
            [first.id, *(id for id in members if id != first.id)],
            min(
                play.step.number,
                going_on.step if going_on is not None else play.step.number,
                state.layer_step if self.continues else play.step.number,
                state.turn_step
                if self.by is None and not is_turn_known(play)
                else play.step.number,
            ),
        )
        round_.truces = [both for both in map(_sorted, round_.pairs()) if state.truce(*both)]
        return Meeting(going_on, encounter, round_, bonuses_due(play, encounter, round_), is_by_gm)

    def draft(self, play: Table) -> Draft | None:
        meeting = self.meeting(play)
        if meeting is None:
            return None
        return Draft(round_=meeting.round_, bonuses=self.granted(play, meeting), begins=True)

    # -- guards --------------------------------------------------------------------------------------

    @guard("F47", at="by", help="after a failure the GM may resume one:  resume: NPC Gladiator")
    def players_start_it(self, play: Table) -> Violation | None:
        gladiator = self.whose(play)
        if not self.can_frame(play) or (gladiator is None and play.is_actor_unrecorded):
            return None
        if gladiator is not None and not gladiator.npc:
            return None
        if gladiator is None and not play.step.player and play.gap_since("turns"):
            raise CannotTell
        name = gladiator.name if gladiator is not None else play.step.player or "nobody"
        return Violation(
            f"{name} starts an Encounter; only a player does, for their own Gladiator",
            fix=set_key("by"),
            doubts=["no scene"],
        )

    def _own(self, play: Table) -> Gladiator | None:
        """The Gladiator of the player who frames it."""
        gladiator = self.whose(play)
        can_frame = gladiator is not None and not gladiator.npc and self.can_frame(play)
        return gladiator if can_frame else None

    @question("FA29", at="told by")
    def players_frame_their_own(self, play: Table) -> str | None:
        own = self._own(play)
        player = play.look_up_player(self.told_by) if self.told_by is not None else ""
        if own is None or not own.player or player in ("", own.player):
            return None
        if play.ruling("framed_encounter") != "no":
            return None
        return f"{player} frames an Encounter for {own.player}; players frame their own"

    @guard("F47")
    def they_can_meet(self, play: Table) -> Iterator[Violation]:
        own = self._own(play)
        for word in self.met() if own is not None else ():
            yield from self._can_meet(play, own, word)

    def _can_meet(
        self, play: Table, own: Gladiator | None, word: ScalarNode
    ) -> Iterator[Violation]:
        second, at = find_gladiator(play, word), place_of_word(self, word)
        if second is None or own is None:
            return
        if second is own:
            yield Violation(
                f"{own.name} meets nobody but {own.name}",
                at,
                help="name another Gladiator of the Episode",
                since=play.before_gap("turns", play.state.turn_step),
                state_kind="turns",
            )
        elif not is_barred(play, word):
            yield from apart_violations(play, own, second, at)

    @guard("F39", at="main")
    def resumed_one_goes_on(self, play: Table) -> Violation | None:
        own = self._own(play)
        resumed = play.state.resumptions.get(own.id) if own is not None else None
        if own is None or resumed is None or self.is_resumed(play, own):
            return None
        npc = play.state.gladiators[resumed[0]].name
        return Violation(
            f"{own.player or own.name}'s turn is the Encounter with {npc}, which was resumed",
            facts=[play.because(resumed[2], "resumed here")],
        )

    @guard("F56", at="main")
    def one_goes_on(self, play: Table) -> Violation | None:
        own = self._own(play)
        if own is None or not self.continues or self._continued(play, own) is not None:
            return None
        if self.is_resumed(play, own):
            return None
        return Violation(
            f"{own.name} is in no Encounter that could go on",
            fix=set_key("encounter"),
            after=["no scene", "dropped:encounter"],
            since=play.before_gap("", play.state.layer_step),
        )

    @guard("F56", at="main", help="joins:  names those who come in")
    def the_own_one_goes_on(self, play: Table) -> Violation | None:
        own = self._own(play)
        bound = bound_to(play, own.id) if own is not None else None
        if own is None or bound is None or play.given or self.continues:
            return None
        meeting = self.meeting(play)
        going_on = meeting.going_on if meeting is not None else None
        if meeting is None or self.is_resumed(play, own):
            return None
        if going_on is not None and own.id in going_on.members:
            return None
        return Violation(
            f"{own.name} is in an Encounter with {play.state.opponents(bound, own.id)} and must go "
            "on with it",
            fix=set_key("encounter", CONTINUED),
            facts=[play.because(bound.step, "begun here")],
            since=play.before_gap("", bound.known_from),
        )

    @guard("F47")
    def newcomers_can_join(self, play: Table) -> Iterator[Violation]:
        meeting = self.meeting(play)
        if meeting is None:
            return
        first = play.state.gladiators[meeting.round_.initiative]
        before = self.rivals(play, None)
        in_it = meeting.going_on.members if meeting.going_on is not None else ()
        for word in self.joins:
            yield from self._can_meet(play, first, word)
            second = find_gladiator(play, word)
            if second is None or second is first:
                continue
            if second.id in in_it or second in before:
                yield Violation(
                    f"{second.name} is in this Encounter already",
                    place_of_word(self, word),
                    drop_item(str(word)),
                    kind=DiagnosticKind.SUSPICIOUS,
                )

    @guard("F55")
    def those_there_are_in_it(self, play: Table) -> Iterator[Violation]:
        """F45, F55: who is there fights, unless truces with all who are in it keep the peace (F59)."""
        meeting = self.meeting(play)
        if meeting is None or play.given:
            return
        members = [play.state.gladiators[id] for id in meeting.round_.members]
        for word, gladiator in self.gladiators_there(play):
            if gladiator in members or gladiator.fate in (Fate.OUT, Fate.DEAD):
                continue
            apart = [*apart_violations(play, members[0], gladiator, place_of_word(self, word))]
            yield from apart
            rivals = [m.name for m in members if not is_at_peace(play, gladiator, m)]
            if apart or not rivals:
                continue
            into = "joins" if self.continues else "encounter"
            yield Violation(
                f"{gladiator.name} is there without a truce with {listed(rivals)}, and not in the Encounter",
                word,
                make_fix(AddItem(into, gladiator.name), RemoveItem(str(word), key="npcs")),
                "every possible pair is compared",
                since=play.before_gap("", play.state.layer_step),
            )

    # -- first meetings ------------------------------------------------------------------------------

    def stated_bonuses(self, play: Table) -> dict[str, int] | None:
        """The bonuses that the keeper wrote down."""
        if self.bonus is None:
            return None
        named = {find_gladiator(play, word): dice for word, dice in self.bonus.items()}
        return {gladiator.id: dice for gladiator, dice in named.items() if gladiator is not None}

    def granted(self, play: Table, meeting: Meeting) -> dict[str, int]:
        """The dice of first meetings as they were taken: what the log says, else what is due."""
        stated = self.stated_bonuses(play)
        if stated is None or not _wrong_bonuses(stated, meeting.due):
            return meeting.due
        return stated

    @guard("F44", at="bonus", fix=RemoveKey("bonus"))
    def bonuses_are_due(self, play: Table) -> Violation | None:
        meeting, stated = self.meeting(play), self.stated_bonuses(play)
        if meeting is None or stated is None or not is_bonus_known(play, meeting):
            return None
        due, state = meeting.due, play.state
        wrong = [state.gladiators[id] for id in _wrong_bonuses(stated, due)]
        if not wrong:
            return None
        selfish = [
            first
            for first in wrong
            if first.drive is Drive.DEATH_WISH
            and not due.get(first.id, 0)
            and stated.get(first.id, 0) == len(first.living()) > 0
        ]
        message = "; ".join(
            f"{first.name} gains nothing by their own Death wish, the opponents do"
            if first in selfish
            else f"{first.name} gains {due.get(first.id, 0)}, not {stated.get(first.id, 0)}"
            for first in wrong
        )
        if not due and not selfish and self._is_repeated(play, meeting):
            message += " (they have met in this Episode before)"
        return Violation(
            message,
            help="the number of Relationships counts, at the first meeting in an Episode only",
            after=() if selfish else ["bonds"],
            doubts=[f"pool:{first.id}" for first in wrong],
            rule="F5" if selfish else "F44",
        )

    def _is_repeated(self, play: Table, meeting: Meeting) -> bool:
        """Whether some of them have met before."""
        pairs = [pair(*both) for both in meeting.round_.pairs()]
        met = [e.met for e in play.state.encounters if e is not meeting.going_on]
        return bool(meeting.encounter.rounds) or any(both in each for each in met for both in pairs)

    @guard("F27")
    def rolls_can_be_built(self, play: Table) -> Iterator[Violation]:
        yield from self.stake_violations(play)

    # -- the effect ----------------------------------------------------------------------------------

    def apply(self, play: Table) -> None:
        play.taint(*(f"{FALLEN}{gladiator.id}" for gladiator in self.refused(play)))
        gladiator, is_unrecorded = self.whose(play), play.is_actor_unrecorded
        if not self.close_the_last(play):
            if play.gap > play.state.layer_step:
                leave_open(play, self._named(play))
            return
        if gladiator is None and is_unrecorded:
            self.begin_nobodys(play, "An Encounter")
        else:
            self.frame(play)

    def _named(self, play: Table) -> list[Gladiator]:
        """The Gladiators whom it names, each once."""
        gladiator = self.whose(play)
        named = [*self.rivals(play, gladiator), *self._builders(play), gladiator]
        return list({each.id: each for each in named if each is not None}.values())

    def frame(self, play: Table) -> None:
        state, own, meeting = play.state, self._own(play), self.meeting(play)
        bonuses = self.granted(play, meeting) if meeting is not None else {}
        stakes = []
        if meeting is not None:
            draft = Draft(round_=meeting.round_, bonuses=bonuses, begins=True)
            stakes = self.drafted(play, draft)
        if own is not None:
            take_turn(play, own.player)
            state.resumptions.pop(own.id, None)
        if meeting is None:
            play.taint("no scene")
            if play.gap_since("cast"):
                leave_open(play, self._named(play))
            return
        is_known = is_bonus_known(play, meeting)
        encounter, round_ = begin_or_go_on(play, meeting), meeting.round_
        first = state.gladiators[round_.initiative]
        names = listed(state.gladiators[id].name for id in round_.members)
        title = names if round_.number == 1 else f"{names}, round {round_.number}"
        scene = self.stage(play, title, first)
        scene.kind = "encounter"
        framer = play.look_up_player(self.told_by) if self.told_by is not None else ""
        if framer and framer != round_.player:
            scene.marks["framed by"] = framer
        state.scene_npcs = [npc.id for npc in self.present(play)]
        state.scene_has_unnamed = self.has_unnamed(play)
        scene.cast = [*round_.members, *state.scene_npcs]
        scene.continues = encounter.rounds[-1].scene if encounter.rounds else None
        round_.scene = scene.number
        encounter.rounds.append(round_)
        state.open_round = round_
        play.settle("gambles")
        message = f"{names}: {first.name} has the Initiative"
        play.event(message, "F48", "encounter", first.id)
        note_meetings(play, encounter, round_)
        if bonuses == meeting.due and self.bonus is not None:
            play.settle("bonds")
        grant_bonuses(play, encounter, round_, meeting.bonuses, bonuses)
        if self.bonus is None and not is_known:
            play.unrecorded(*(f"pool:{id}" for id in round_.members))
        self.apply_stakes(play, stakes)


def gathered(play: Table, members: Sequence[Gladiator]) -> Encounter | None:
    """F55, F56: an Encounter at hand all of whose Gladiators are here, the framing one's own before
    others: it goes on with newcomers, too."""
    ids = {member.id for member in members}
    encounters = [
        encounter
        for encounter in reversed(play.state.encounters)
        if not encounter.over and len(encounter.members) > 1 and ids.issuperset(encounter.members)
    ]
    return max(encounters, key=lambda e: members[0].id in e.members, default=None)


def begin_or_go_on(play: Table, meeting: Meeting) -> Encounter:
    """F55: the Encounter that they are in from now on. Who fights here fights everybody here: another Encounter of
    only these goes on here."""
    encounter = meeting.going_on
    if encounter is None:
        encounter = meeting.encounter
        play.state.encounters.append(encounter)
    encounter.over, encounter.members = 0, meeting.encounter.members
    for second in play.state.encounters:
        if second is encounter or second.over or not {*second.members} <= {*encounter.members}:
            continue
        second.over = play.step.number
        for id, dice in second.bonus_given.items():
            encounter.bonus_given[id] = encounter.bonus_given.get(id, 0) + dice
        second.bonus_given.clear()
        names = listed(play.state.gladiators[id].name for id in second.members)
        play.event(f"The Encounter of {names} goes on in this one", "F56", "encounter")
    return encounter


def _wrong_bonuses(stated: Mapping[str, int], due: Mapping[str, int]) -> list[str]:
    """The ids of the Gladiators whose bonuses the log has otherwise than the rules."""
    return [id for id in dict.fromkeys([*stated, *due]) if stated.get(id, 0) != due.get(id, 0)]


def bonuses_due(play: Table, encounter: Encounter, round_: Round) -> list[Bonus]:
    """F5, F6, F44: who meets for the first time in the Episode, and what that brings."""
    state = play.state
    is_by_episode = play.rulings["meeting_bonus"] != "every-encounter" and bool(state.layers)
    # Behind a gap two may meet who were in different Episodes above it.
    met_in_episodes = [both for episode in state.layer_now() for both in episode.met]
    met = met_in_episodes if is_by_episode else encounter.met
    bonuses: list[Bonus] = []
    for first, second in _meeting_pairs(play, round_):
        if (first, second) in met:
            continue
        for own, opposing in ((first, second), (second, first)):
            gladiator, rival = state.gladiators[own], state.gladiators[opposing]
            dice = len(gladiator.living())
            if gladiator.drive is Drive.DEATH_WISH:
                bonuses.append(Bonus(rival.id, dice, "F5", f"{gladiator.name}'s Death wish"))
            elif gladiator.drive is Drive.REASON:
                why = f"Reason to Live, against {rival.name}"
                bonuses.append(Bonus(gladiator.id, dice, "F6", why))
    return bonuses


def _meeting_pairs(play: Table, round_: Round) -> list[Pair]:
    """FA42: the pairs that meet in a round of an Encounter."""
    pairs = [*map(_sorted, round_.pairs())]
    if not round_.truces or play.ruling("truce_meeting") == "meets":
        return pairs
    return [both for both in pairs if both not in round_.truces]


def is_bonus_known(play: Table, meeting: Meeting) -> bool:
    """Whether the log gives all that the bonuses follow from: who has met before, and who is related to how many."""
    met = meeting.encounter.met
    last = meeting.encounter.rounds[-1:]
    may_have_ended = play.rulings["meeting_bonus"] == "every-encounter" and any(
        play.gap > round_.step for round_ in last
    )
    if (
        all(pair(*both) in met for both in _meeting_pairs(play, meeting.round_))
        and not may_have_ended
    ):
        return True
    if play.gap_since("cast") > play.state.layer_step:
        return False
    members = [play.state.gladiators[id] for id in meeting.round_.members]
    return not any(bonds_unknown_since(play, member) for member in members)


def _sorted(both: Pair) -> Pair:
    return pair(*both)


def note_meetings(play: Table, encounter: Encounter, round_: Round) -> None:
    """F44: who has met in the Encounter, and in the Episode."""
    play.ruling("meeting_bonus")
    episode = play.state.episode_of(round_.initiative)
    for both in _meeting_pairs(play, round_):
        encounter.met.append(both)
        if episode is not None and both not in episode.met:
            episode.met.append(both)


def grant_bonuses(
    play: Table,
    encounter: Encounter,
    round_: Round,
    due: Sequence[Bonus],
    granted: Mapping[str, int],
) -> None:
    """F5, F6, F44: pools grow at first meetings, as the log has it."""
    for id, dice in granted.items():
        round_.bonuses[id] = dice
        encounter.bonus_given[id] = encounter.bonus_given.get(id, 0) + dice
        parts = [bonus for bonus in due if bonus.gladiator == id]
        if dice != sum(bonus.dice for bonus in parts):
            parts = [Bonus(id, dice, "F44", "as the log has it")]
        for bonus in parts:
            play.move(BOX, f"pool:{id}", bonus.dice, DIE, bonus.rule, bonus.why)
        if dice:
            gained = plural(dice, "die", "dice")
            message = f"{play.state.gladiators[id].name} gains {gained} at the first meeting"
            play.event(message, "F44", "bonus", id)
