"""Layers and Episodes: who meets whom on which level of the Sphere (F10 to F19, F63, F64, F69)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Decides, Offered, main, option, place_of_word, required
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, NAMES, WHOLE, EitherOf, MapOf, choice, in_role, label
from chronicle.core.fix import Fix, RemoveItem, add_entry, drop_item, make_fix, set_pair, write_word
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import answer, expected
from chronicle.core.law import Role
from chronicle.core.sentences import Sentence
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere import computed
from chronicle.games.fight_sphere.actions import CORE, NUMBERS
from chronicle.games.fight_sphere.falls import close_encounter, end_truce, settle_episode
from chronicle.games.fight_sphere.gladiators import least_made
from chronicle.games.fight_sphere.needs import GLADIATORS, is_not
from chronicle.games.fight_sphere.scene_close import ClosesScene, shut_scene
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    Episode,
    Fate,
    Gladiator,
    Layer,
    judgment_of,
    threshold,
)
from chronicle.games.fight_sphere.table import Table, find_gladiator, pool

EVERYBODY: Final = "everybody"
TWICE_CAST: Final = "twice cast:"
"""The doubt about who is alone in an Episode, once somebody is cast in two."""
ROLES: Mapping[str, Role] = {
    "cast": Role(
        "a Gladiator", "be cast", (is_not(Fate.DEAD, "F17"),), GLADIATORS, groups=(EVERYBODY,)
    ),
    "counted": Role("a Gladiator", "", (), GLADIATORS),
}
_TITLES: Final = ("The upper gallery", "The drowned street", "The long stair", "The choir")


class StartPool(NamedTuple):
    """The Conflict Pool of a Gladiator at the start of a Layer, and its rule."""

    dice: int
    rule: str


class StartLayer(ClosesScene):
    """A new Layer begins: who is in which Episode. The Core is a Layer with one Episode."""

    verb = "layer"
    synonyms = ("floor", "round", "level")
    decides = Decides("table")
    offered = Offered("F12", "begin the next Layer")
    example = "layer: 1\n  episodes: {The Cannery: [Halina, Osei], The Long Stair: [Ruiz, Tam]}"
    number = main(
        EitherOf(WHOLE, choice(CORE), words="the number of the Layer, or 'core'"),
        "the number of the Layer (1 is the surface), or 'core'",
        default=None,
    )
    episodes = required(
        MapOf(label(NAME), in_role("cast", NAMES)),
        "{title of the Episode: the Gladiators in it, NPC Gladiators included}; everybody who is played is "
        "in one, an NPC Gladiator can be in none",
    )
    tv = option(
        WHOLE, "the Threshold Value; you need not write this, Chronicle checks it", computed=True
    )
    pools = option(
        NUMBERS,
        "{Gladiator: Conflict Pool} at the start; you need not write this, Chronicle checks it",
        computed=True,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        played = [gladiator.name for gladiator in state.played()]
        npcs = [gladiator.name for gladiator in state.npc_gladiators()]
        if not npcs:
            yield {"layer": CORE, "episodes": {"The Core": played}}
            return
        number = next_number(play)
        half = len(played) // 2
        pairs = [[player, npc] for player, npc in zip(played, npcs, strict=False)]
        without = played[len(pairs) :]
        castings = (
            [*pairs[:-1], [*pairs[-1], *without]] if pairs else [],
            [played],
            [played + npcs],
            [group for group in (played[:half] + npcs, played[half:]) if len(group) > 1],
        )
        for groups in castings:
            episodes = dict(zip(_TITLES, groups, strict=False))
            if episodes and {*played} <= {name for group in groups for name in group}:
                yield {"layer": number, "episodes": episodes}

    def sentence(self, play: Table) -> Sentence:
        name = self.layer(play).name
        return (f"{name[:1].upper()}{name[1:]} begins.",)

    # -- the Layer as the entry makes it -------------------------------------------------------------

    @property
    def is_core(self) -> bool:
        """Whether it begins the Core."""
        return self.number == CORE

    def layer(self, play: Table) -> Layer:
        """The Layer as the entry makes it, with its Episodes, in no state yet."""
        number = next_number(play)
        if isinstance(self.number, int):
            is_right = play.given or self.number == number
            if is_right or play.gap or play.is_excused("F10"):
                number = max(1, self.number)
        layer = Layer(
            number,
            self.threshold_value(play, number),
            play.step.number,
            self.is_core,
            self.known_from(play),
        )
        cast: set[str] = set()
        for title, words in self.episodes.items():
            episode = Episode(str(title), number, play.step.number, [])
            layer.episodes.append(episode)
            for gladiator in self.named(play, words):
                is_gone = layer.core and gladiator.npc and gladiator.fate is Fate.DEAD
                if gladiator.id not in cast and not is_gone:
                    cast.add(gladiator.id)
                    episode.cast.append(gladiator.id)
        return layer

    def known_from(self, play: Table) -> int:
        """The entry from which the Threshold Value is known: this one, unless nothing but earlier Layers says it, and a
        gap may hide some of them."""
        if self.tv is None and self._counts_on_from_gap(play):
            return play.state.tv_known_from
        return play.step.number

    def _counts_on_from_gap(self, play: Table) -> bool:
        return not isinstance(self.number, int) and play.gap > play.state.tv_known_from

    def threshold_value(self, play: Table, number: int) -> int:
        """F23, FA33: the Threshold Value of a Layer by the rules of the book."""
        layers = play.state.layers
        is_same = self.is_core and bool(layers) and play.ruling("core_tv") == "same"
        tv = layers[-1].tv if is_same else threshold(number)
        # Behind a gap it is possibly some Layers more.
        return max(tv, self.tv or 0) if self._counts_on_from_gap(play) else tv

    def named(self, play: Table, words: Sequence[ScalarNode]) -> list[Gladiator]:
        """The Gladiators whom an Episode names; ``everybody`` means all who are played."""
        if len(words) == 1 and words[0].strip().casefold() == EVERYBODY:
            return play.state.played()
        named = [find_gladiator(play, word) for word in words]
        return [gladiator for gladiator in named if gladiator is not None]

    # -- the Layer before ----------------------------------------------------------------------------

    @guard("F1")
    def everybody_made_enough_and_plays_one(self, play: Table) -> Iterator[Violation]:
        if play.state.layers or play.given:
            return
        least = least_made(play.campaign.settings)
        for player in play.seats:
            own = play.state.of_player(player)
            played = [gladiator.name for gladiator in own if not gladiator.npc]
            if len(own) < least:
                additional = " or more" if least <= 2 else ""
                yield Violation(
                    f"{player} has made {plural(len(own), 'Gladiator')}; "
                    f"everybody makes {least}{additional}",
                    fix=add_entry(f"gladiator: ...\nby: {player}\nnpc: yes"),
                    since=play.before_gap("cast", 0),
                    state_kind="cast",
                )
            elif len(played) != 1:
                yield Violation(
                    f"{player} plays {listed(played) or 'none of the Gladiators made'}; "
                    "everybody plays exactly one",
                    fix=[
                        add_entry(f"choose: {name}")
                        for name in played or [gladiator.name for gladiator in own]
                    ],
                    since=play.before_gap("cast", 0),
                    state_kind="cast",
                )

    @guard("F18", at="main", help="an Episode ends when one Gladiator is left standing")
    def last_layer_is_over(self, play: Table) -> Violation | None:
        state = play.state
        if play.given or not state.layers:
            return None
        # A snapshot can leave one standing: nothing runs there any more (F16).
        running = [
            episode
            for episode in state.layers[-1].episodes
            if not episode.over and len(state.standing(episode)) != 1
        ]
        if not running:
            return None
        run = "runs" if len(running) == 1 else "run"
        return Violation(
            f"{listed(episode.title for episode in running)} still {run}; "
            "nobody goes on before everybody is done",
            facts=[
                play.because(
                    episode.step,
                    f"{listed(_names(play, state.standing(episode))) or 'nobody'} still stands"
                    if len(state.standing(episode)) < 2
                    else f"{listed(_names(play, state.standing(episode)))} still stand",
                )
                for episode in running
            ],
            since=state.layers[-1].step,
        )

    @guard("FA23", DiagnosticKind.UNKNOWN, at="main", help="or say who of them")
    def survivors_are_named(self, play: Table) -> Iterator[Violation]:
        layers = play.state.layers
        for episode in layers[-1].episodes if layers and not play.given else ():
            if episode.needs_survivors:
                names = _names(play, play.state.standing(episode))
                yield Violation(
                    f"nobody says who of {listed(names)} comes out of {episode.title}",
                    fix=add_entry(f"survivors: [{', '.join(names)}]"),
                )

    @guard("F19", at="main")
    def core_is_the_last(self, play: Table) -> str | None:
        if not play.state.in_core or play.given:
            return None
        return "the Core was the last Episode; there is no further Layer"

    # -- its number ----------------------------------------------------------------------------------

    @guard("F10", at="main")
    def skips_no_layer(self, play: Table) -> Violation | None:
        number = next_number(play)
        if play.given or not isinstance(self.number, int) or self.number == number:
            return None
        return Violation(
            f"this is Layer {number}, not {self.number}; nobody skips one",
            since=0,
            fix=write_word(number),
            doubts=["layer"],
        )

    @guard("F19", at="main")
    def core_comes_when_npcs_are_dead(self, play: Table) -> Violation | None:
        living = play.state.npc_gladiators()
        if play.given or not self.is_core or not living:
            return None
        names = listed(gladiator.name for gladiator in living)
        live = "lives" if len(living) == 1 else "live"
        return Violation(
            f"{names} still {live}; the Core comes when the last NPC Gladiator is dead",
            since=min(_alive_since(play, gladiator) for gladiator in living),
            fix=write_word(next_number(play)),
        )

    @guard("F19", at="main")
    def core_comes_at_once(self, play: Table) -> Violation | None:
        state = play.state
        if play.given or self.is_core or not state.layers or state.in_core:
            return None
        if state.npc_gladiators():
            return None
        return Violation(
            "no NPC Gladiator is left; the next Episode takes place in the Core",
            fix=write_word(CORE),
            since=play.before_gap("cast", state.layers[0].step),
            state_kind="cast",
        )

    @guard("F23", at="tv")
    def threshold_value_is_right(self, play: Table) -> Violation | None:
        layer = self.layer(play)
        tv = expected(play, computed.THRESHOLD, layer.tv, layer.number)
        if self.tv is None or self.tv == tv:
            return None
        return Violation(
            f"the Threshold Value is {tv} here, not {self.tv}: five on the surface, one more with every Layer",
            since=play.before_gap("", layer.known_from),
            after=["layer"],
            fix=write_word(tv),
        )

    # -- who is where --------------------------------------------------------------------------------

    @guard("F10")
    def nobody_is_in_two_episodes(self, play: Table) -> Iterator[Violation]:
        layer, shown_sides = self.layer(play), dict[str, str]()
        for title, words in self.episodes.items():
            for word in words:
                gladiator = find_gladiator(play, word)
                if gladiator is None or shown_sides.setdefault(gladiator.id, str(title)) == str(
                    title
                ):
                    continue
                twice = [
                    (item, name, len(cast) > 2)
                    for name, cast in self.episodes.items()
                    for item in cast
                    if find_gladiator(play, item) is gladiator
                ]
                # Nobody is left alone by it, if that can be.
                one_of = [each for each in twice if each[2]] or [(word, title, False)]
                yield Violation(
                    f"{gladiator.name} is cast in two Episodes of {layer.name}; everybody has one",
                    word,
                    [
                        make_fix(RemoveItem(str(item), place_of_word(self, item), str(name)))
                        for item, name, _ in one_of
                    ],
                    doubts=[TWICE_CAST],
                )

    @guard("F69", at="episodes")
    def core_is_one_episode(self, play: Table) -> str | None:
        if not self.is_core or play.given or len(self.episodes) == 1:
            return None
        return "the Core is one single Episode"

    @guard("F12", at="episodes")
    def everybody_is_in_one(self, play: Table) -> Violation | None:
        layer = self.layer(play)
        missing = [
            gladiator.name
            for gladiator in play.state.played()
            if layer.episode_of(gladiator.id) is None
        ]
        if not missing or play.given:
            return None
        are = "is" if len(missing) == 1 else "are"
        return Violation(
            f"{listed(missing)} {are} in no Episode of {layer.name}",
            fix=[_with_them(play, episode, missing) for episode in layer.episodes],
            after=["cast"],
            rule="F69" if layer.core else "F12",
        )

    @guard("F11")
    def nobody_is_alone(self, play: Table) -> Iterator[Violation]:
        """F11, F14: an NPC Gladiator who is free fills a gap; where none is free, Episodes are merged."""
        layer = self.layer(play)
        npcs = [npc.name for npc in play.state.npc_gladiators() if not layer.episode_of(npc.id)]
        for title, episode in zip(self.episodes, layer.episodes, strict=True):
            if len(episode.cast) > 1 or play.given:
                continue
            names = listed(_names(play, episode.cast))
            alone = f"{episode.title} has {names} alone" if names else f"{episode.title} is empty"
            is_twice = (
                len({gladiator.id for gladiator in self.named(play, self.episodes[title])}) > 1
            )
            yield Violation(
                f"{alone}; an Episode holds two Gladiators or more"
                if npcs
                else f"{alone}, and no NPC Gladiator is free: merge Episodes",
                place_of_word(self, title),
                [_with_them(play, episode, [name]) for name in npcs]
                if episode.cast
                else drop_item(str(title)),
                after=["cast", *([TWICE_CAST] if is_twice else ())],
                rule="F11" if npcs else "F14",
            )

    @question("F13")
    def players_are_in_each(self, play: Table) -> Iterator[Violation]:
        if play.given:
            return
        for title, episode in zip(self.episodes, self.layer(play).episodes, strict=True):
            living = [id for id in episode.cast if play.state.gladiators[id].fate is not Fate.DEAD]
            if len(living) < 2 or not all(play.state.gladiators[id].npc for id in living):
                continue
            yield Violation(
                f"nobody is played in {episode.title}; NPC Gladiators fill the Episodes of players",
                title,
                drop_item(str(title)),
                help=f"or tell who lives:  survivors: [{', '.join(_names(play, living))}]",
            )

    # -- pools ---------------------------------------------------------------------------------------

    def start_pool(self, play: Table, layer: Layer, gladiator: Gladiator) -> StartPool:
        """F63, F64: the knocked-out come back with the Threshold Value, the last ones standing add it."""
        dice = pool(play, gladiator.id) - _bonus_due_back(play, gladiator)
        tv = expected(play, computed.THRESHOLD, layer.tv, layer.number)
        if layer.episode_of(gladiator.id) is None:
            return StartPool(dice, "F9")
        if gladiator.fate is Fate.OUT:
            return StartPool(tv, "F63")
        if gladiator.fate is Fate.LAST and (not gladiator.npc or gladiator.owed_tv):
            return StartPool(dice + tv, "F64")
        return StartPool(dice, "F9")

    def is_start_known(
        self, play: Table, layer: Layer, gladiator: Gladiator, start: StartPool
    ) -> bool:
        """Whether the log gives all that the Conflict Pool at the start follows from: the fate, the Threshold Value and
        the pool before."""
        if play.uncertain_since(f"fate:{gladiator.id}", "tracks"):
            return False
        if start.rule != "F9" and play.gap > layer.known_from:
            return False
        return start.rule == "F63" or not play.uncertain_since(f"pool:{gladiator.id}", "pools")

    def stated_pools(self, play: Table) -> Iterator[tuple[ScalarNode, Gladiator, int]]:
        """The pools that the log states: the name as typed, the Gladiator, the dice."""
        for word, dice in (self.pools or {}).items() if not play.given else ():
            gladiator = find_gladiator(play, word)
            if gladiator is not None:
                yield word, gladiator, dice

    @guard("F9")
    def pools_are_right(self, play: Table) -> Iterator[Violation]:
        layer = self.layer(play)
        tv = expected(play, computed.THRESHOLD, layer.tv, layer.number)
        why = {
            "F9": "nothing has changed since the last Layer",
            "F63": f"after a knock-out the Conflict Pool is the Threshold Value, {tv}",
            "F64": f"who stood last adds the Threshold Value, {tv}, to what was left",
        }
        for word, gladiator, dice in self.stated_pools(play):
            start = self.start_pool(play, layer, gladiator)
            if dice == start.dice or not self.is_start_known(play, layer, gladiator, start):
                continue
            have, key = plural(start.dice, "die", "dice"), f"pool:{gladiator.id}"
            is_cast = layer.episode_of(gladiator.id) is not None
            yield Violation(
                f"{gladiator.name} begins with {have}, not {dice}"
                if is_cast
                else f"{gladiator.name} is in no Episode of {layer.name} and keeps {have}, not {dice}",
                self.place_of_key("pools", str(word)),
                write_word(start.dice),
                help=why[start.rule] if is_cast else (),
                after=["layer", key],
                doubts=[key] if is_cast else (),
                rule=start.rule,
            )

    # -- effect --------------------------------------------------------------------------------------

    def apply(self, play: Table) -> None:
        shut_scene(play)
        layer = self.layer(play)
        layer.tv = answer(play, computed.THRESHOLD, layer.tv, layer.number)
        stated = {gladiator.id: dice for _, gladiator, dice in self.stated_pools(play)}
        starts = {
            id: self.start_pool(play, layer, play.state.gladiators[id])
            for episode in layer.episodes
            for id in episode.cast
        }
        unknown = [
            f"pool:{id}"
            for id, start in starts.items()
            if id not in stated
            and not self.is_start_known(play, layer, play.state.gladiators[id], start)
        ]
        play.state.layers.append(layer)
        name = f"{layer.name[:1].upper()}{layer.name[1:]}"
        play.event(f"{name} begins, with a Threshold Value of {layer.tv}", "F23", "layer")
        _wind_up(play)
        for episode in layer.episodes:
            names = listed(_names(play, episode.cast)) or "nobody"
            play.event(f"{episode.title}: {names}", "F12", "casts")
        words = [word for words in self.episodes.values() for word in words]
        if any(word.casefold() != EVERYBODY and not find_gladiator(play, word) for word in words):
            play.taint("cast")
        if not play.given:
            for id, start in starts.items():
                _come_back(play, play.state.gladiators[id], start, layer.tv, stated.get(id))
        play.unrecorded(*unknown, *(("tv", "layer") if play.gap > layer.known_from else ()))
        _leave_to_npcs(play, layer)
        play.state.turn, play.state.turn_step = "", play.step.number
        play.state.turn_after = ""
        play.state.skipped, play.state.catching_up = [], False


def next_number(play: Table) -> int:
    """The number of the next Layer."""
    layers = play.state.layers
    return layers[-1].number + 1 if layers else 1


def _alive_since(play: Table, gladiator: Gladiator) -> int:
    """The last entry that shows that a Gladiator is alive: the last casting, or the making."""
    cast = [layer.step for layer in play.state.layers if layer.episode_of(gladiator.id)]
    return max([gladiator.step, *cast])


def _names(play: Table, ids: Iterable[str]) -> list[str]:
    return [play.names.all[id].name for id in ids]


def _with_them(play: Table, episode: Episode, names: Sequence[str]) -> Fix:
    """The fix that adds some to an Episode of the Layer."""
    cast = [*_names(play, episode.cast), *names]
    return set_pair("episodes", episode.title, f"[{', '.join(cast)}]")


def _bonus_due_back(play: Table, gladiator: Gladiator) -> int:
    """FA6: the dice of first meetings that go back when the open Encounters close."""
    if play.ruling("bonus_lasting") != "encounter":
        return 0
    open_ = [encounter for encounter in play.state.encounters if not encounter.over]
    granted = sum(encounter.bonus_given.get(gladiator.id, 0) for encounter in open_)
    return min(granted, max(0, play.balance(f"pool:{gladiator.id}", DIE)))


def _wind_up(play: Table) -> None:
    """End what does not outlive a Layer: Judgment Pools, truces, Encounters."""
    state = play.state
    for truce in state.truces:
        if not truce.ended:
            end_truce(play, truce, "the Layer is over")
    for gladiator in state.gladiators.values():
        gladiator.has_untold_truce = False
    for encounter in state.encounters:
        if not encounter.over:
            close_encounter(play, encounter)
    state.resumptions.clear()
    lasts = play.ruling("judgment_lasts") == "yes"
    for judgment in state.judgments:
        if judgment.closed:
            continue
        judgment.closed = play.step.number
        if not lasts:
            dice = judgment_of(play.ledger, judgment.player)
            play.move(f"judgment:{judgment.player}", BOX, dice, DIE, "F65", "back in play")


def _come_back(
    play: Table, gladiator: Gladiator, start: StartPool, tv: int, stated: int | None
) -> None:
    """A Gladiator begins the Layer with the pool that the rules give, or that the log states."""
    key, name = f"pool:{gladiator.id}", gladiator.name
    why = {"F63": f"comes back with TV {tv}", "F64": f"stood last: + TV {tv}"}.get(start.rule)
    if why is not None:
        change = start.dice - pool(play, gladiator.id)
        play.move(BOX, key, change, DIE, start.rule, why)
        have = plural(start.dice, "die", "dice")
        words = f"{name} comes back with {have}"
        if start.rule == "F64":
            words = f"{name} goes on with {have}, {change} more"
        play.event(words, start.rule, "returns", gladiator.id)
    gladiator.owed_tv = False
    if gladiator.fate is not Fate.DEAD:
        gladiator.fate, gladiator.fate_known_from = Fate.STANDING, play.step.number
    if stated is not None:
        change = stated - pool(play, gladiator.id)
        play.move(BOX, key, change, DIE, start.rule, "as the log has it")


def _leave_to_npcs(play: Table, layer: Layer) -> None:
    """FA23: Episodes without players have no turns; the GM says who comes out."""
    for episode in layer.episodes:
        survivors = play.state.standing(episode)
        if len(survivors) > 1 and all(play.state.gladiators[id].npc for id in survivors):
            settle_episode(play, episode)
