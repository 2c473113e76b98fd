"""Declarations between building and rolling: judges take sides, Gladiators leave or betray (F57, F62, F67)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import NAME, WHOLE, MapOf, in_role
from chronicle.core.fix import (
    add_entry,
    choose_reading,
    drop_entry,
    drop_item,
    set_key,
    write_instead,
    write_word,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import AT_TABLE, TABLE, Decider, Role, is_barred
from chronicle.core.names import PLAYER
from chronicle.core.ranges import CannotTell
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere.actions import NUMBERS
from chronicle.games.fight_sphere.build import (
    GM_SIDE,
    contest_of,
    draft_at_hand,
    initiative_leaves,
    is_gm,
    npc_leaves,
)
from chronicle.games.fight_sphere.falls import end_truce, end_untold_truce, may_have_truce
from chronicle.games.fight_sphere.needs import BACKS, GLADIATORS, IN_ENCOUNTER, JUDGES
from chronicle.games.fight_sphere.phases import CLASH, CLASHED
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    Conflict,
    Gladiator,
    Round,
    Stage,
    Truce,
    Wager,
    pair,
)
from chronicle.games.fight_sphere.table import Table, acting, find_gladiator, scene_known_from

ROLES: Mapping[str, Role] = {
    "judges": Role("a player", "", (AT_TABLE, JUDGES), GLADIATORS, resolves_to=PLAYER),
    "side": Role("a Gladiator, or the GM"),
    "leaves": Role("a Gladiator", "leave", (IN_ENCOUNTER,), GLADIATORS),
    "betrayed": Role("a truce partner", "", (), GLADIATORS),
}


# --- judges -----------------------------------------------------------------------------------------


class Side(NamedTuple):
    """The side of a Conflict that a judge backs: the id of a Gladiator, or ``GM_SIDE``, and the Conflict."""

    id: str
    contest: Conflict | Round


class Back(Action):
    """Gamble dice of a Judgment Pool on a side of any Conflict. They are lost if that side succeeds."""

    verb = "back"
    synonyms = ("support", "side")
    decides = Decides("judges", "F67")
    offered = Offered("F67", "gamble dice of judgment on a side")
    example = "back: {Cy: {Halina: 3}}"
    sides = main(
        MapOf(
            in_role("judges", NAME),
            MapOf(in_role("side", NAME), WHOLE),
            "a mapping from a player to {side: dice}",
        ),
        "{player: {Gladiator or GM: dice}}",
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        for judgment in state.judgments:
            dice = play.balance(f"judgment:{judgment.player}", DIE)
            for contest in state.open_contests:
                has_laid = any(wager.player == judgment.player for wager in contest.wagers)
                ids = contest.members if isinstance(contest, Round) else [contest.who]
                sides = [state.gladiators[id].name for id in ids]
                if isinstance(contest, Conflict):
                    sides.append(GM_SIDE)
                for side in sides:
                    for staked in {1} if has_laid else {1, dice}:
                        yield {"back": {judgment.player: {side: staked}}}

    def sentence(self, play: Table) -> Sentence:
        judges = [play.look_up_player(word) for word in self.sides]
        return said("{} take sides." if len(judges) > 1 else "{} takes a side.", judges)

    def wagers(self, play: Table) -> Iterator[tuple[str, ScalarNode, int]]:
        """Each wager: the player, the side as typed, the dice."""
        for word, sides in self.sides.items():
            player = play.look_up_player(word)
            # Behind a gap nobody knows that there is no Judgment Pool.
            is_possible = play.gap > 0 and play.state.judgment(player) is None
            if player and (is_possible or not is_barred(play, word)):
                for side, dice in sides.items():
                    yield player, side, dice

    @guard("F67")
    def in_a_conflict(self, play: Table) -> Iterator[Violation]:
        for _, word, _ in self.wagers(play):
            if side_of(play, word) is not None:
                continue
            if is_gm(play, word) and play.state.open_round is not None:
                yield Violation(
                    "an Encounter has no GM's side; back a Gladiator",
                    word,
                    since=play.before_gap("turns", scene_known_from(play)),
                    state_kind="turns",
                )
            elif is_gm(play, word) or find_gladiator(play, word) is not None:
                yield Violation(
                    f"{word} is in no Conflict",
                    word,
                    since=play.before_gap("turns", scene_known_from(play)),
                    state_kind="turns",
                    after=["no scene"],
                )

    @guard("F67")
    def before_the_roll(self, play: Table) -> Iterator[Violation]:
        for _, word, _ in self.wagers(play):
            side = side_of(play, word)
            if side is not None and side.contest.stage is not Stage.BUILDING:
                message = "the dice have fallen; nobody can back a side any more"
                facts = play.facts(side.contest.result_step, "rolled here")
                yield Violation(message, word, facts=facts)

    @guard("F67")
    def with_dice(self, play: Table) -> Iterator[Violation]:
        for player, word, dice in self.wagers(play):
            if dice <= 0:
                staked = plural(dice, "die", "dice")
                yield Violation(f"{player} backs {word} with {staked}", word, drop_item(str(word)))

    @question("FA25")
    def up_to_the_initiative(self, play: Table) -> Iterator[Violation]:
        for player, word, dice in self.wagers(play):
            side = side_of(play, word)
            limit = side.contest.limit if side and isinstance(side.contest, Round) else None
            if limit is None or dice <= limit or play.ruling("judge_limits") != "initiative":
                continue
            yield Violation(
                f"{player} backs with {dice}; at this table judges keep to the Initiative's {limit}",
                word,
                choose_reading("judge_limits", "none"),
            )

    @guard("F67")
    def pool_holds_them(self, play: Table) -> Iterator[Violation]:
        laid: dict[str, int] = {}
        for player, word, dice in self.wagers(play):
            side = side_of(play, word)
            if dice <= 0 or side is None or side.contest.stage is not Stage.BUILDING:
                continue
            wagered = play.balance(f"wager:{player}", DIE) + laid.get(player, 0)
            laid[player] = laid.get(player, 0) + dice
            held = play.figure("judgment", player).plus(-wagered)
            if not held.at_least(dice):
                key = f"judgment:{player}"
                yield Violation(
                    f"{player}'s Judgment Pool holds {held}, not {dice}",
                    word,
                    after=[key],
                    since=play.unknown_until.get(key, 0),
                    state_kind="purses",
                    doubts=[key],
                )

    def apply(self, play: Table) -> None:
        refused = [play.look_up_player(word) for word in self.sides if is_barred(play, word)]
        play.taint(*(f"{BACKS}{player}" for player in refused))
        for player, word, dice in self.wagers(play):
            side = side_of(play, word)
            if side is None or dice <= 0 or side.contest.stage is not Stage.BUILDING:
                continue
            gladiator = find_gladiator(play, word) if not is_gm(play, word) else None
            contest = contest_of(play, gladiator) if gladiator is not None else side.contest
            if contest is not None:
                lay_wager(play, contest, player, Side(side.id, contest), str(word), dice)


def lay_wager(
    play: Table, contest: Conflict | Round, player: str, side: Side, name: str, dice: int
) -> None:
    """F67: lay dice of a Judgment Pool on a side until the roll."""
    play.spend(f"judgment:{player}", f"wager:{player}", dice, DIE, "F67", f"on {name}'s side")
    contest.wagers.append(Wager(player, side.id, dice, play.step.number))
    play.event(f"{player} backs {name} with {plural(dice, 'die', 'dice')}", "F67", "backs", player)


def side_of(play: Table, word: ScalarNode) -> Side | None:
    """The side that a name means, in the Conflict at hand; None if there is none."""
    state = play.state
    if is_gm(play, word):
        conflict = next(reversed(state.open_conflicts), None)
        return Side(GM_SIDE, conflict) if conflict is not None else None
    gladiator = find_gladiator(play, word)
    contest = draft_at_hand(play).contest_of(play, gladiator) if gladiator is not None else None
    return Side(gladiator.id, contest) if gladiator is not None and contest is not None else None


# --- leaving ----------------------------------------------------------------------------------------


class Disengage(Action):
    """Declare that this Conflict is an attempt to leave the Encounter."""

    verb = "disengage"
    synonyms = ("flee", "escape", "retreat", "leave encounter")
    decides = Decides("runs", "F57")
    moment = Moment(
        (CLASH,),
        Refusal(
            "F57",
            "nobody is in an Encounter at the moment, and there is nothing to leave",
            fixes=(add_entry("encounter: ..."),),
        ),
        {CLASHED: Refusal("F57", "the dice have fallen; disengaging is declared before the roll")},
    )
    offered = Offered("F57", "try to leave the Encounter")
    example = "disengage: Ruiz"
    gladiator = main(in_role("leaves", NAME), "who tries to leave")

    def sentence(self, play: Table) -> Sentence:
        gladiator = find_gladiator(play, self.gladiator)
        return said("{} tries to disengage.", gladiator.id if gladiator is not None else "")

    def leaver(self, play: Table) -> tuple[Round, Gladiator] | None:
        """The Encounter that waits for its dice, and who leaves it."""
        round_, gladiator = play.state.open_round, find_gladiator(play, self.gladiator)
        if round_ is None or gladiator is None or round_.stage is Stage.ROLLED:
            return None
        return (round_, gladiator) if gladiator.id in round_.members else None

    @guard("F57", at="main")
    def once(self, play: Table) -> Violation | None:
        leaver = self.leaver(play)
        if leaver is None or not has_declared(*leaver):
            return None
        name = leaver[1].name
        return Violation(f"{name} has declared to disengage already", fix=drop_entry())

    @guard("F57", at="main")
    def after_the_limit(self, play: Table) -> Violation | None:
        leaver = self.leaver(play)
        if leaver is None or leaver[0].limit is not None:
            return None
        initiative = play.names.all[leaver[0].initiative].name
        return Violation(
            f"{leaver[1].name} declares before the gamble limit is set",
            help=f"{initiative} has the Initiative and builds first",
            since=play.before_gap("", leaver[0].step),
        )

    @question("FA12", at="main")
    def players_only(self, play: Table) -> str | None:
        leaver = self.leaver(play)
        return npc_leaves(play, leaver[1]) if leaver is not None else None

    @question("FA14", at="main")
    def without_the_initiative(self, play: Table) -> str | None:
        leaver = self.leaver(play)
        return initiative_leaves(play, *leaver) if leaver is not None else None

    def apply(self, play: Table) -> None:
        leaver = self.leaver(play)
        if leaver is None or has_declared(*leaver):
            return
        round_, gladiator = leaver
        if gladiator.id in round_.builds:
            round_.builds[gladiator.id].disengage = True
        else:
            round_.leaving.append(gladiator.id)
        play.event(f"{gladiator.name} tries to get away", "F57", "declares", gladiator.id)


def has_declared(round_: Round, gladiator: Gladiator) -> bool:
    """Whether a Gladiator has declared to leave an Encounter with the next roll."""
    build = round_.builds.get(gladiator.id)
    return gladiator.id in round_.leaving or (build is not None and build.disengage)


# --- betrayal ---------------------------------------------------------------------------------------


class Betrayal(NamedTuple):
    """A betrayal as an entry tells it: the traitor, the partner, and the truce that it breaks."""

    traitor: Gladiator
    partner: Gladiator
    truce: Truce | None
    is_untold: bool
    """Whether a gap may hide the truce."""
    round_: Round | None
    is_mutual: bool
    """Whether the partner betrayed first, in the same roll."""
    is_second: bool
    """Whether the traitor has betrayed the partner already, in the same roll."""

    @property
    def is_together(self) -> bool:
        """Whether both are in the Encounter at hand."""
        ids = {self.traitor.id, self.partner.id}
        return self.round_ is not None and ids <= {*self.round_.members}


class Betray(Action):
    """Break a truce in the middle of an Encounter, after all have built and before the dice fall."""

    verb = "betray"
    synonyms = ("betrayal",)
    decides = Decides("traitor")
    offered = Offered("F62", "betray a truce")
    example = "betray: Halina\n  by: Osei"
    partner = main(in_role("betrayed", NAME), "the truce partner who is betrayed")
    bonus = option(
        NUMBERS, "{traitor: pool dice}; you need not write this, Chronicle checks it", computed=True
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        round_ = play.state.open_round
        for both in round_.pairs() if round_ is not None else ():
            betrayals = round_.betrayals if round_ is not None else ()
            is_betrayed = any({*betrayal[:2]} == {*both} for betrayal in betrayals)
            if is_betrayed or play.state.truce(*both) is not None:
                for traitor, partner in (both, both[::-1]):
                    names = play.names.all
                    yield {"betray": names[partner].name, "by": names[traitor].name}

    def lead_in(self) -> str:
        return (
            f"{self.partner} betrayed" if self.by is None else f"{self.by} betrays {self.partner}"
        )

    def sentence(self, play: Table) -> Sentence:
        traitor, partner = self.traitor(play), find_gladiator(play, self.partner)
        ids = [gladiator.id if gladiator is not None else "" for gladiator in (traitor, partner)]
        return said("{} betrays {}.", *ids)

    def traitor(self, play: Table) -> Gladiator | None:
        """The Gladiator who betrays. Where the GM signs, it is the only NPC Gladiator with a truce with the partner."""
        traitor, partner = acting(play, self), find_gladiator(play, self.partner)
        if traitor is not None or partner is None or play.step.player != play.runner:
            return traitor
        round_ = play.state.open_round
        npcs = [
            npc
            for npc in play.state.npc_gladiators()
            if play.state.truce(npc.id, partner.id) is not None
            or (
                round_ is not None
                and npc.id in round_.members
                and may_have_truce(play, npc.id, partner.id)
            )
        ]
        return npcs[0] if len(npcs) == 1 else None

    def betrayal(self, play: Table) -> Betrayal | None:
        """The betrayal, if the entry says who betrays whom."""
        traitor, partner = self.traitor(play), find_gladiator(play, self.partner)
        if traitor is None or partner is None or traitor is partner:
            return None
        round_ = play.state.open_round
        earlier = [both[:2] for both in round_.betrayals] if round_ is not None else []
        return Betrayal(
            traitor,
            partner,
            play.state.truce(traitor.id, partner.id),
            may_have_truce(play, traitor.id, partner.id),
            round_,
            (partner.id, traitor.id) in earlier,
            (traitor.id, partner.id) in earlier,
        )

    @guard("F62")
    def somebody_betrays(self, play: Table) -> Violation | None:
        if play.is_actor_unrecorded:
            raise CannotTell
        partner = find_gladiator(play, self.partner)
        if partner is None or self.betrayal(play) is not None:
            return None
        is_own = self.traitor(play) is partner
        message = f"the entry does not say who betrays {partner.name}"
        if is_own:
            message = f"{partner.name} cannot betray {partner.name}"
        return Violation(message, fix=set_key("by"))

    @question("FA11")
    def first_one_gains(self, play: Table) -> Violation | None:
        betrayal = self.betrayal(play)
        if betrayal is None or not betrayal.is_mutual or betrayal.is_second:
            return None
        if play.ruling("double_betrayal") != "first":
            return None
        name = betrayal.partner.name
        return Violation(
            f"{name} betrayed first; at this table only the first one gains",
            fix=choose_reading("double_betrayal", "both"),
        )

    @guard("F62")
    def once(self, play: Table) -> Violation | None:
        betrayal = self.betrayal(play)
        if betrayal is None or not betrayal.is_second:
            return None
        names = f"{betrayal.traitor.name} has betrayed {betrayal.partner.name} in this roll already"
        return Violation(names, fix=drop_entry())

    @guard("F62")
    def there_is_a_truce(self, play: Table) -> Violation | None:
        betrayal = self.betrayal(play)
        if betrayal is None or betrayal.truce or betrayal.is_mutual or betrayal.is_second:
            return None
        traitor, partner = betrayal.traitor, betrayal.partner
        return Violation(
            f"{traitor.name} and {partner.name} have no truce to betray",
            fix=drop_entry(),
            since=max(traitor.step, partner.step),
            after=["cast", "dropped:truce"],
        )

    @question("FA12")
    def players_only(self, play: Table) -> str | None:
        betrayal = self.betrayal(play)
        if betrayal is None or not betrayal.traitor.npc or play.ruling("npc_options") != "no":
            return None
        name = betrayal.traitor.name
        return f"{name} is an NPC Gladiator; at this table only players betray"

    @guard("F62")
    def in_an_encounter(self, play: Table) -> Violation | None:
        betrayal = self.betrayal(play)
        if betrayal is None or betrayal.truce is None or betrayal.is_together:
            return None
        traitor, partner = betrayal.traitor.name, betrayal.partner.name
        return Violation(
            f"{traitor} and {partner} are in no Encounter together; a truce is betrayed in one",
            fix=write_instead(f"end truce: [{traitor}, {partner}]"),
            since=play.before_gap("", scene_known_from(play)),
        )

    @guard("F62")
    def before_the_roll(self, play: Table) -> Violation | None:
        round_ = play.state.open_round
        if not self._breaks_a_truce(play) or round_ is None or round_.stage is not Stage.ROLLED:
            return None
        return Violation(
            "the dice have fallen; betrayal is declared after all have built and before the roll",
            facts=[play.because(round_.result_step, "rolled here")],
        )

    @guard("F62", help="write  betray:  below the last stake")
    def after_all_have_built(self, play: Table) -> Violation | None:
        round_ = play.state.open_round
        if not self._breaks_a_truce(play) or round_ is None or round_.stage is Stage.ROLLED:
            return None
        unbuilt = [play.names.all[id].name for id in round_.members if id not in round_.builds]
        if not unbuilt:
            return None
        have = "has" if len(unbuilt) == 1 else "have"
        return Violation(
            f"{listed(unbuilt)} {have} not built yet; betrayal comes after all have",
            since=play.before_gap("", round_.step),
        )

    @guard("F62")
    def the_traitor_gains(self, play: Table) -> Iterator[Violation]:
        betrayal = self.betrayal(play)
        if betrayal is None:
            return
        for word in self.bonus or {}:
            gladiator = find_gladiator(play, word)
            if gladiator is not None and gladiator is not betrayal.traitor:
                yield Violation(
                    f"{gladiator.name} gains nothing; {betrayal.traitor.name} is the traitor",
                    self.place_of_key("bonus", str(word)),
                    drop_item(str(word)),
                )

    @guard("F62")
    def bonus_is_the_threshold_value(self, play: Table) -> Iterator[Violation]:
        betrayal, tv = self.betrayal(play), play.state.tv
        if betrayal is None:
            return
        for word, dice in (self.bonus or {}).items():
            gladiator = find_gladiator(play, word)
            if gladiator is not betrayal.traitor or dice == tv:
                continue
            yield Violation(
                f"betrayal brings {plural(tv, 'die', 'dice')}, the Threshold Value, not {dice}",
                self.place_of_key("bonus", str(word)),
                write_word(tv),
                since=play.before_gap("", play.state.tv_known_from),
                after=["layer"],
                doubts=[f"pool:{betrayal.traitor.id}"],
            )

    def _breaks_a_truce(self, play: Table) -> bool:
        """Whether it is a betrayal in the Encounter at hand, so that the traitor gains."""
        betrayal = self.betrayal(play)
        if betrayal is None or betrayal.is_second or not betrayal.is_together:
            return False
        if betrayal.is_mutual:
            return play.ruling("double_betrayal") != "first"
        return betrayal.truce is not None or betrayal.is_untold

    def apply(self, play: Table) -> None:
        betrayal = self.betrayal(play)
        if betrayal is None or betrayal.round_ is None or not self._breaks_a_truce(play):
            return
        dice = play.state.tv
        for word, stated in (self.bonus or {}).items():
            if find_gladiator(play, word) is betrayal.traitor:
                dice = stated
        break_truce(play, betrayal, betrayal.round_, dice)


def break_truce(play: Table, betrayal: Betrayal, round_: Round, dice: int) -> None:
    """F62: the traitor's pool gains dice, and the truce is over."""
    traitor, partner = betrayal.traitor, betrayal.partner
    play.move(BOX, f"pool:{traitor.id}", dice, DIE, "F62", f"betrayed {partner.name}")
    round_.betrayals.append((traitor.id, partner.id, dice))
    gained = plural(dice, "die", "dice")
    play.event(f"{traitor.name} gains {gained} for the betrayal", "F62", "betrays", traitor.id)
    if round_.stage is not Stage.ROLLED:
        if play.ruling("betrayal_dice") == "yes" and traitor.id in round_.builds:
            round_.builds[traitor.id].extra += dice
        both = pair(traitor.id, partner.id)
        if play.ruling("betrayal_compare") == "yes" and both in round_.truces:
            round_.truces.remove(both)
    if betrayal.truce is not None:
        end_truce(play, betrayal.truce, f"{traitor.name} betrayed {partner.name}")
    else:
        end_untold_truce(play, traitor)
        end_untold_truce(play, partner)


# --- who acts ---------------------------------------------------------------------------------------


def _judges(play: Table, action: Action) -> Sequence[str]:
    words = action.sides if isinstance(action, Back) else ()
    return [player for word in words if (player := play.look_up_player(word))]


def _leaver(play: Table, action: Action) -> Sequence[str]:
    leaver = find_gladiator(play, action.gladiator) if isinstance(action, Disengage) else None
    return [leaver.id] if leaver is not None else []


ACTORS: Mapping[str, Decider] = {
    "runs": Decider("the Gladiator's player; the GM for an NPC Gladiator", _leaver),
    "judges": Decider(
        "each player named",
        _judges,
        "{by} gambles dice of a Judgment Pool; only {due} can",
        acts_by_default=False,
    ),
    "traitor": TABLE._replace(words="the traitor's player: name the Gladiator with by"),
}
