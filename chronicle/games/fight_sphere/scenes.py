"""Scenes: whose turn it is, who frames, who is there (F20 to F22, F45, F46, F54, F66)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from chronicle.core.declare import Decides, Offered, main, option, place_of_word
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import NAME, NAMES, TEXT, YES_NO, choice, in_role
from chronicle.core.fix import SetKey, drop_item, set_key, write_instead
from chronicle.core.guards import Violation, away_violation, guard
from chronicle.core.law import AT_TABLE, Role, is_barred
from chronicle.core.names import PLAYER
from chronicle.core.ranges import CannotTell
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import Place, ScalarNode
from chronicle.core.timeline import Scene
from chronicle.games.fight_sphere.actions import STAKES
from chronicle.games.fight_sphere.build import (
    Draft,
    Staked,
    begin_conflict,
    draft_conflict,
    possible_stakes,
)
from chronicle.games.fight_sphere.falls import facts_of_fall, is_survivor_known
from chronicle.games.fight_sphere.gladiators import INHABITANTS
from chronicle.games.fight_sphere.needs import GLADIATORS, is_standing
from chronicle.games.fight_sphere.phases import WHILE_PLAYED
from chronicle.games.fight_sphere.scene_close import ClosesScene, shut_scene
from chronicle.games.fight_sphere.state import Fate, Gladiator, Inhabitant
from chronicle.games.fight_sphere.table import (
    Table,
    acting,
    bound_to,
    find_gladiator,
    inhabitant,
    is_gladiator,
    is_turn_known,
    take_turn,
    turn_after_scene,
    turn_violations,
    unsure,
    who_may_begin,
)
from chronicle.games.fight_sphere.throw import Thrown

ROLES: Mapping[str, Role] = {
    "guest": Role(
        "a truce partner", "be in a Scene", is_standing("F52", dead="F17")[:2], GLADIATORS
    ),
    "frames": Role(
        "the player, the GM or a player who judges", "", (AT_TABLE,), resolves_to=PLAYER
    ),
}
_TITLES: Final = ("The pump fails", "A toll is asked", "The choir is hungry", "Rust rain")
_GO_ON: Final = write_instead("encounter: continued")


def possible_inhabitants(play: Table) -> list[str]:
    """Some inhabitants who can be in a Scene."""
    gone = {npc.name for npc in play.state.inhabitants.values() if npc.gone}
    return [name for name in INHABITANTS if name not in gone] or ["A passer-by"]


class Framed(Staked, ClosesScene):
    """What the verbs have in common that frame a Gladiator into a Scene."""

    moment = WHILE_PLAYED
    decides = Decides("turn")
    at = option(TEXT, "the place, in any words; the Episode is known without it", is_place=True)
    time = option(TEXT, "a label for the time")
    npcs = option(in_role("there", NAMES), "the inhabitants who are there", default=())
    told_by = option(
        in_role("frames", NAME), "who framed it, if not the player: the GM, or a player who judges"
    )
    disguise = option(choice("fails", "works"), "whether a Gladiator's disguise held (F46)")

    def whose(self, play: Table) -> Gladiator | None:
        """The Gladiator who is framed into the Scene: the actor's own. Where the log does not say who framed it,
        the dice tell it: it is the Gladiator whose dice fall with the GM's, or with those of Gladiators met."""
        rolling = play.step.action
        if rolling is self or not isinstance(rolling, Thrown):
            return None if play.is_actor_unrecorded else acting(play, self)
        named = [is_gladiator(play, word) for word in rolling.dice]
        met = [find_gladiator(play, word) for word in self.met()]
        first = [own for own in named if own is not None and not own.npc and own not in met]
        return first[0] if len(first) == 1 else None

    def builder(self, play: Table) -> Gladiator | None:
        return acting(play, self) or self.whose(play)

    def met(self) -> Sequence[ScalarNode]:
        """The names of the Gladiators whom it meets."""
        return ()

    def can_frame(self, play: Table) -> bool:
        """Whether there is anything to play: a Layer has begun, the game is not over."""
        state = play.state
        if not state.layers:
            return False
        return (not state.over and not is_survivor_known(play)) or play.is_excused("F70")

    @guard("F16", at="by")
    def is_in_play(self, play: Table) -> Violation | None:
        gladiator = self.whose(play)
        if gladiator is None or gladiator.npc or play.given or not self.can_frame(play):
            return None
        last = gladiator.fate is Fate.LAST
        if not last and gladiator.fate not in (Fate.OUT, Fate.DEAD):
            return None
        return Violation(
            f"{gladiator.name} is the last one standing; the Episode is over"
            if last
            else f"{gladiator.name} is {gladiator.fate} and plays no further Scene here",
            facts=facts_of_fall(play, gladiator),
            rule="F16" if last else "F52",
            kind=unsure(play, gladiator.fate_known_from),
        )

    @guard("F20")
    def on_their_turn(self, play: Table) -> Iterator[Violation]:
        gladiator = self.whose(play)
        if gladiator is not None and not gladiator.npc and self.can_frame(play):
            yield from turn_violations(play, gladiator.player, turn_after_scene(play))

    @guard("F21", at="told by")
    def gm_who_frames_is_at_the_table(self, play: Table) -> Violation | None:
        if self.told_by is None or play.look_up_player(self.told_by) != play.runner:
            return None
        return away_violation(play, play.runner, "told by")

    @guard("F46", at="disguise", fix=SetKey("disguise", "fails"))
    def no_disguise_works(self, play: Table) -> str | None:
        if self.disguise != "works" or self.draft(play) is None:
            return None
        return "a Gladiator's disguise never works on another; they recognise each other on sight"

    def present(self, play: Table) -> list[Inhabitant]:
        """The inhabitants who are there; a new name introduces an inhabitant. Who is gone stays gone (F54)."""
        words = [
            word
            for word in self.npcs
            if is_gladiator(play, word) is None and not play.is_unrecorded_name(word)
        ]
        return list({npc.id: npc for npc in (inhabitant(play, word) for word in words)}.values())

    def gladiators_there(self, play: Table) -> Iterator[tuple[ScalarNode, Gladiator]]:
        """The Gladiators whom it names among the inhabitants, each with the name as typed."""
        for word in self.npcs:
            gladiator = is_gladiator(play, word)
            if gladiator is not None:
                yield word, gladiator

    @guard("F17")
    def those_there_have_not_fallen(self, play: Table) -> Iterator[Violation]:
        for word, gladiator in self.gladiators_there(play):
            if gladiator.fate in (Fate.OUT, Fate.DEAD) and not play.given:
                yield Violation(
                    f"{gladiator.name} is {gladiator.fate} and cannot be in a Scene",
                    word,
                    drop_item(str(word)),
                    facts=facts_of_fall(play, gladiator),
                    since=play.before_gap("", gladiator.fate_known_from),
                    is_certain=gladiator.fate is Fate.DEAD,
                    rule="F17" if gladiator.fate is Fate.DEAD else "F52",
                )

    def has_unnamed(self, play: Table) -> bool:
        """Whether inhabitants are there whom the log does not name."""
        return any(play.is_unrecorded_name(word) for word in self.npcs)

    def stage(self, play: Table, title: str, gladiator: Gladiator | None = None) -> Scene:
        """The Scene in the timeline: a new Scene, or the open Scene without a framer."""
        state = play.state
        begun = play.timeline.current if state.scene_nobodys else None
        scene = begun or Scene(
            title,
            time=str(self.time or ""),
            place=str(self.at or ""),
            opener=play.step.player,
        )
        episode = None
        if gladiator is not None:
            scene.opener = play.step.player
            scene.cast.append(gladiator.id)
            episode = state.episode_of(gladiator.id)
        if state.layer is not None:
            scene.marks["Layer"] = "the Core" if state.layer.core else str(state.layer.number)
        if episode is not None:
            scene.marks["Episode"] = episode.title
        if begun is None:
            play.open_scene(scene)
            state.scene_step = play.step.number
        state.scene_nobodys = False
        return scene

    def close_the_last(self, play: Table) -> bool:
        """The Scene at hand is closed. Returns whether another one can begin."""
        can_frame = self.can_frame(play)
        shut_scene(play)
        if not play.state.layers:
            play.taint("no layer", "no scene")
        return can_frame

    def begin_nobodys(self, play: Table, title: str) -> None:
        """Begin a Scene whose framer is not on record; the dice will tell whose it is."""
        self.stage(play, title)
        play.state.scene_nobodys = True

    def frame(self, play: Table) -> None:
        """Begin the Scene of a Gladiator."""
        raise NotImplementedError


class OpenScene(Framed):
    """Frame your Gladiator into a Scene. It holds one Conflict and ends when that is resolved."""

    verb = "scene"
    offered = Offered("F21", "frame a Scene")
    example = (
        "scene: The winch slips\n  npcs: [Mother Cable]\n"
        "  stake: {gamble: 2, background: crane driver}"
    )
    title = main(TEXT, "what it is about, as a title")
    with_ = option(
        in_role("guest", NAMES), "Gladiators under a truce who share the Scene", default=()
    )
    asked = option(YES_NO, "no, if the player did not ask for it", default=True)
    stake = option(STAKES, "what the roll is built from")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state, there = play.state, possible_inhabitants(play)
        for seat in who_may_begin(play):
            gladiator = state.played_by(seat)
            if gladiator is None:
                continue
            partners = [
                state.gladiators[id].name
                for truce in state.truces
                if gladiator.id in truce.pair and not truce.ended
                for id in truce.pair
                if id != gladiator.id and state.encounter_of(id) is None
            ]
            judges = [judgment.player for judgment in state.judgments if not judgment.closed]
            stakes = [*possible_stakes(play, gladiator, None)][:2]
            for number, title in enumerate(_TITLES):
                entry = {"scene": title, "by": seat, "npcs": there[number : number + 2]}
                yield entry
                if number < len(partners):
                    yield {**entry, "with": [partners[number]]}
                if number < len(judges):
                    yield {**entry, "told by": judges[number]}
                if number < len(stakes):
                    yield {**entry, "stake": stakes[number]}

    def sentence(self, play: Table) -> Sentence:
        gladiator = self.whose(play)
        if gladiator is None:
            return ("A Scene begins.",)
        return said("{} is framed into a Scene.", gladiator.id)

    def draft(self, play: Table) -> Draft | None:
        gladiator = self.whose(play)
        if gladiator is None or gladiator.npc or not self.can_frame(play):
            return None
        number = len(play.timeline.scenes) + 1
        conflict = draft_conflict(play, gladiator, number, self.framer(play, gladiator))
        conflict.named = self.by is not None
        if not conflict.named and not is_turn_known(play):
            conflict.rests_on = play.state.turn_step
        return Draft(
            [conflict], guests=[guest.id for guest in self.guests(play, gladiator)], begins=True
        )

    def framer(self, play: Table, gladiator: Gladiator) -> str:
        """F21: who frames the Scene of a Gladiator: the player, unless the log says otherwise."""
        told_by = play.look_up_player(self.told_by) if self.told_by is not None else ""
        return told_by or gladiator.player

    def partners(self, play: Table, gladiator: Gladiator) -> Iterator[tuple[Place, Gladiator]]:
        """The Gladiators whom it names beside their own one, each with the place of the name."""
        named = [
            word
            for word, guest in self.gladiators_there(play)
            if guest.fate not in (Fate.OUT, Fate.DEAD)
        ]
        for word in (*self.with_, *named):
            guest = is_gladiator(play, word) if word in self.npcs else find_gladiator(play, word)
            if guest is not None and guest.id != gladiator.id and not is_barred(play, word):
                yield place_of_word(self, word), guest

    def guests(self, play: Table, gladiator: Gladiator) -> list[Gladiator]:
        """The Gladiators who share the Scene: those of the same Episode."""
        return [
            guest
            for at, guest in self.partners(play, gladiator)
            if not is_elsewhere(play, gladiator, guest) or play.is_excused("F47")
        ]

    @guard("F21", at="by")
    def has_a_gladiator(self, play: Table) -> Violation | None:
        gladiator = self.whose(play)
        if play.is_actor_unrecorded or not self.can_frame(play):
            return None
        if gladiator is None and not play.step.player and play.gap_since("turns"):
            raise CannotTell
        if gladiator is None:
            player = play.step.player or "somebody"
            return Violation(f"{player} has no Gladiator to frame into a Scene", fix=set_key("by"))
        if not gladiator.npc:
            return None
        message = f"{gladiator.name} is an NPC Gladiator; players frame their own into Scenes"
        return Violation(message, fix=[set_key("by", player) for player in who_may_begin(play)])

    @guard("F56")
    def is_free(self, play: Table) -> Violation | None:
        """F56, F39: who is in an Encounter goes on with it."""
        state, gladiator = play.state, self.whose(play)
        if play.given or gladiator is None or gladiator.npc or not self.can_frame(play):
            return None
        resumed = state.resumptions.get(gladiator.id)
        encounter = bound_to(play, gladiator.id)
        if resumed is not None:
            npc = state.gladiators[resumed[0]]
            return Violation(
                f"{gladiator.player or gladiator.name}'s turn is the Encounter with {npc.name}, "
                "which was resumed",
                fix=_GO_ON,
                facts=[play.because(resumed[2], "resumed here")],
                rule="F39",
                kind=unsure(play, resumed[2]),
            )
        if encounter is None:
            return None
        rivals = state.opponents(encounter, gladiator.id)
        return Violation(
            f"{gladiator.name} is in an Encounter with {rivals} and must go on with it",
            fix=_GO_ON,
            help="disengaging is the way out",
            facts=[play.because(encounter.step, "begun here")],
            since=play.before_gap("", encounter.known_from),
        )

    @guard("F45")
    def guests_are_partners(self, play: Table) -> Iterator[Violation]:
        """F45, F58, F59: only truce partners share a Scene in peace."""
        state, gladiator = play.state, self.whose(play)
        if gladiator is None or self.draft(play) is None:
            return
        guests = self.guests(play, gladiator)
        for at, guest in self.partners(play, gladiator):
            yield from apart_violations(play, gladiator, guest, at)
            if guest not in guests:
                continue
            if not is_at_peace(play, gladiator, guest):
                yield Violation(
                    f"{gladiator.name} and {guest.name} meet without a truce; their Conflict is an "
                    "Encounter",
                    at,
                    write_instead(f"encounter: {guest.name}"),
                    facts=[
                        play.because(truce.ended, f"their truce ended: {truce.how}")
                        for truce in state.truces
                        if {*truce.pair} == {gladiator.id, guest.id} and truce.ended
                    ],
                    after=["cast", "dropped:truce"],
                    kind=unsure(play, state.layers[-1].step),
                )
            if (
                state.encounter_of(guest.id) is not None
                and play.ruling("encounter_guest") == "suspect"
            ):
                message = f"{guest.name} is in an Encounter and guests in another Scene"
                yield Violation(message, at, rule="FA37", kind=DiagnosticKind.SUSPICIOUS)

    @guard("F21", at="told by")
    def who_frames_may(self, play: Table) -> Violation | None:
        told_by = self._told_by_another(play)
        if told_by is None or play.state.judgment(told_by[0]) is not None:
            return None
        player, own = told_by
        return Violation(
            f"{player} frames a Scene for {own}; only the player, the GM or a player with a "
            "Judgment Pool does",
            since=play.before_gap("cast", play.state.layer_step),
            state_kind="cast",
        )

    @guard("F66", at="told by")
    def judges_are_asked(self, play: Table) -> str | None:
        told_by = self._told_by_another(play)
        if told_by is None or self.asked or play.state.judgment(told_by[0]) is None:
            return None
        return f"{told_by[0]} frames a Scene that {told_by[1]} did not ask for"

    def _told_by_another(self, play: Table) -> tuple[str, str] | None:
        """The player who frames the Scene of another player, and that player."""
        gladiator = self.whose(play)
        if gladiator is None or not gladiator.player or self.draft(play) is None:
            return None
        player = self.framer(play, gladiator)
        if player in (gladiator.player, play.runner):
            return None
        return player, gladiator.player

    @guard("F27")
    def rolls_can_be_built(self, play: Table) -> Iterator[Violation]:
        yield from self.stake_violations(play)

    def apply(self, play: Table) -> None:
        if not self.close_the_last(play):
            return
        if play.is_actor_unrecorded:
            self.begin_nobodys(play, str(self.title))
        else:
            self.frame(play)

    def frame(self, play: Table) -> None:
        """F20, F21, F22, F45: a turn, a Gladiator, and a Conflict to come."""
        state, gladiator, draft = play.state, self.whose(play), self.draft(play)
        if gladiator is None or draft is None:
            return
        stakes = self.drafted(play, draft)
        take_turn(play, gladiator.player)
        state.resumptions.pop(gladiator.id, None)
        scene = self.stage(play, str(self.title), gladiator)
        state.scene_npcs = [npc.id for npc in self.present(play)]
        state.scene_has_unnamed = self.has_unnamed(play)
        state.scene_guests = [*draft.guests]
        scene.cast += [*state.scene_guests, *state.scene_npcs]
        conflict = draft.conflicts[0]
        conflict.scene = scene.number
        if conflict.framer != gladiator.player:
            scene.marks["framed by"] = conflict.framer
        begin_conflict(play, conflict)
        play.event(
            f"{gladiator.name} is in a Scene of {conflict.episode or 'no Episode'}, against "
            f"{plural(conflict.tv, 'die', 'dice')}",
            "F21",
            "frames",
            gladiator.id,
        )
        self.apply_stakes(play, stakes)


def is_elsewhere(play: Table, gladiator: Gladiator, second: Gladiator) -> bool:
    """Whether two Gladiators are in different Episodes."""
    own, opposing = play.state.episode_of(gladiator.id), play.state.episode_of(second.id)
    return not play.given and own is not None and opposing is not None and own is not opposing


def is_at_peace(play: Table, first: Gladiator, second: Gladiator) -> bool:
    """Whether two Gladiators have a truce, or each has one of which the table does not say with whom."""
    is_untold = first.has_untold_truce and second.has_untold_truce
    return is_untold or play.state.truce(first.id, second.id) is not None


def apart_violations(
    play: Table, gladiator: Gladiator, second: Gladiator, at: Place
) -> Iterator[Violation]:
    """F15, F47: only Gladiators of the same Episode meet, and all of them are known."""
    own, opposing = play.state.episode_of(gladiator.id), play.state.episode_of(second.id)
    if play.given or own is None or own is opposing:
        return
    if opposing is None:
        yield Violation(
            f"{second.name} appears unannounced: nobody cast {second.name} in an Episode of this Layer",
            at,
            facts=[play.because(own.step, "the Layer began here")],
            after=["cast"],
            rule="F15",
        )
    else:
        yield Violation(
            f"{second.name} is in {opposing.title}, not in {own.title} with {gladiator.name}",
            at,
            help=f"name somebody who is in {own.title}",
            facts=[play.because(own.step, "cast here")],
            rule="F47",
        )
