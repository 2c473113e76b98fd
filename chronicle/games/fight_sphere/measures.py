"""The figures that a log can assert and correct."""

from __future__ import annotations

from collections.abc import Callable

from chronicle.core.answers import Limits
from chronicle.core.declare import read_value
from chronicle.core.field_types import WHOLE
from chronicle.core.fix import drop_item
from chronicle.core.game_context import Measure
from chronicle.core.ledger import ADJUSTMENT
from chronicle.core.misread import Misread
from chronicle.core.names import PLAYER
from chronicle.core.set_figure import YES_NO_SYNONYMS
from chronicle.core.source import MappingNode, ScalarNode, place_of
from chronicle.core.stated_figures import Assert, Correct, Snapshot
from chronicle.games.fight_sphere.bonds import (
    barred_for,
    bonds_unknown_since,
    bring_back,
    find_out,
    remove,
)
from chronicle.games.fight_sphere.falls import (
    end_truce,
    end_untold_truce,
    fell,
    last_standing,
    leave_encounter,
    new_encounter,
    rose,
    settle_episode,
)
from chronicle.games.fight_sphere.state import (
    DIE,
    GLADIATOR,
    INHABITANT,
    POINT,
    RELATIONSHIP,
    Bond,
    Episode,
    Fate,
    Gladiator,
    JudgmentPool,
    Layer,
    Stage,
    Truce,
    bond_id,
    judgment_of,
    pair,
    threshold,
)
from chronicle.games.fight_sphere.table import Table, is_gladiator, newcomer, on_turn, pool, value

LOST, ALIVE, GONE = "lost", "alive", "gone"


def _number(stated: str) -> int | None:
    try:
        return read_value(WHOLE, ScalarNode(stated))
    except Misread:
        return None


def _write_pool(play: Table, id: str, stated: str) -> None:
    target = _number(stated)
    if target is not None:
        play.move(ADJUSTMENT, f"pool:{id}", target - pool(play, id), DIE, "", "counted anew")


def _pool_crossed(play: Table, id: str, was: int | str | None) -> None:
    """F52: a pool that is set below zero is a defeat; zero is not. Above ``play starts:`` the log says
    itself who has fallen."""
    if play.given:
        return
    g, now = play.state.gladiators[id], pool(play, id)
    earlier = was if isinstance(was, int) else 0
    if earlier >= 0 > now and g.fate in (Fate.STANDING, Fate.LAST):
        fell(play, g)
        episode = play.state.episode_of(id)
        if episode is not None:
            settle_episode(play, episode)
    elif earlier < 0 <= now and g.fate in (Fate.OUT, Fate.DEAD):
        rose(play, g)


def _judgment_id(play: Table, id: str) -> str:
    """Judgment Pools belong to players; a Gladiator's name means the player."""
    g = play.state.gladiators.get(id)
    return g.player if g is not None else id


def _write_judgment(play: Table, id: str, stated: str) -> None:
    gladiator_id, target = _judgment_id(play, id), _number(stated)
    if target is not None:
        change = target - judgment_of(play.ledger, gladiator_id)
        play.move(ADJUSTMENT, f"judgment:{gladiator_id}", change, DIE, "", "counted anew")
        g, layer = play.state.played_by(gladiator_id), play.state.layer
        if target > 0 and g is not None and play.state.judgment(gladiator_id) is None:
            name = layer.name if layer is not None else ""
            play.state.judgments.append(
                JudgmentPool(gladiator_id, g.id, target, play.step.number, name)
            )


def _judgment_rule(play: Table, id: str) -> str:
    gladiator_id = _judgment_id(play, id)
    return play.ledger.last_rule(DIE, f"judgment:{gladiator_id}", f"wager:{gladiator_id}") or "F65"


def _ends(play: Table, id: str) -> tuple[Gladiator, Bond] | None:
    """Whose Relationship it is, lost or not."""
    for g in play.state.gladiators.values():
        for bond in g.bonds.values():
            if bond_id(g.id, bond.npc) == id:
                return g, bond
    return None


def _reveal_relationship(play: Table, word: ScalarNode, stated: str) -> bool:
    """A Relationship that is counted for the first time, and was made where the log says nothing. F40: one of two
    Gladiators is none."""
    halves = [word.like(half.strip()) for half in word.split("&")]
    if play.look_up(word, (RELATIONSHIP,)) is not None or len(halves) != len(("one", "other")):
        return True
    both = [gladiator for half in halves if (gladiator := is_gladiator(play, half)) is not None]
    if len(both) == len(halves):
        play.illegal(
            "F40",
            f"{both[0].name} and {both[1].name} are Gladiators; Relationships are with inhabitants",
            at=place_of(word, play.step.action.path),
            fix=drop_item(str(word)),
        )
        return False
    for own, opposing in (halves, halves[::-1]):
        gladiator = is_gladiator(play, own)
        if gladiator is None:
            continue
        if not play.given and not bonds_unknown_since(play, gladiator):
            continue
        npc = newcomer(play, opposing)
        is_lost = stated.strip().casefold() == LOST
        if npc is not None and bool(npc.gone) <= is_lost and npc.id not in gladiator.bonds:
            find_out(play, gladiator, npc)
            break
    return True


def _reveal_inhabitant(play: Table, word: ScalarNode, stated: str) -> None:
    """An inhabitant whose fate is told, and who came where the log says nothing."""
    is_of_inhabitant = " ".join(stated.split()).casefold() in (ALIVE, GONE)
    if is_of_inhabitant and (play.given or play.gap_since("cast")):
        newcomer(play, word)


def _read_relationship(play: Table, id: str) -> int | str | None:
    ends = _ends(play, id)
    if ends is None:
        return None
    g, bond = ends
    if bond.is_untold:
        return None
    return LOST if bond.gone else value(play, g.id, bond.npc)


def _write_relationship(play: Table, id: str, stated: str) -> None:
    ends = _ends(play, id)
    if ends is None:
        return
    g, bond = ends
    target = _number(stated)
    if target is None:
        if not bond.gone:
            remove(play, bond.npc, None)
    else:
        if bond.gone:
            bring_back(play, bond.npc)
        change = target - value(play, g.id, bond.npc)
        play.move(ADJUSTMENT, f"relationship:{id}", change, POINT, "", "counted anew")
        bond.is_untold = False


def _relationship_rule(play: Table, id: str) -> str:
    ends = _ends(play, id)
    if ends is not None and ends[1].gone:
        return "F54"
    return play.ledger.last_rule(POINT, f"relationship:{id}")


def _read_barred(play: Table, id: str) -> int | None:
    ends = _ends(play, id)
    if ends is None:
        return None
    g, bond = ends
    return 0 if bond.gone else barred_for(play, g, bond)


def _read_fate(play: Table, id: str) -> str | None:
    g = play.state.gladiators.get(id)
    if g is not None:
        return str(g.fate)
    npc = play.state.inhabitants.get(id)
    return None if npc is None else GONE if npc.gone else ALIVE


def _write_fate(play: Table, id: str, stated: str) -> bool:
    g, npc = play.state.gladiators.get(id), play.state.inhabitants.get(id)
    if npc is not None and stated in (ALIVE, GONE):
        if npc.gone and stated == ALIVE:
            bring_back(play, id)
        elif stated == GONE and not npc.gone:
            remove(play, id, None)
        return True
    if g is None or stated in (ALIVE, GONE):
        return False
    target = Fate(stated)
    stands = g.fate in (Fate.STANDING, Fate.LAST)
    if target in (Fate.STANDING, Fate.LAST):
        if not stands:
            rose(play, g)
    elif stands:
        fell(play, g)
    g.fate, g.fate_step = target, play.step.number
    g.fate_known_from = play.step.number
    return True


def _fate_crossed(play: Table, id: str, was: int | str | None) -> None:
    """F16: fates that are set can end an Episode. Above ``play starts:`` the log says so itself."""
    g = play.state.gladiators.get(id)
    episode = play.state.episode_of(id) if g is not None else None
    if play.given or g is None or episode is None or str(g.fate) == was:
        return
    if g.fate is Fate.LAST and not episode.over:
        last_standing(play, episode, g)
    elif g.fate in (Fate.OUT, Fate.DEAD):
        settle_episode(play, episode)


def _held(play: Table, id: str) -> list[Truce]:
    return [t for t in play.state.truces if id in t.pair and not t.ended]


def _write_truce(play: Table, id: str, stated: str) -> bool:
    held = _held(play, id)
    if stated == "no":
        for truce in held:
            end_truce(play, truce, "as the table says")
        play.state.gladiators[id].has_untold_truce = False
        for rival in play.state.gladiators.values():
            end_untold_truce(play, rival)
        return True
    if held:
        return True
    episode = play.state.episode_of(id)
    rivals = [first for first in episode.cast if first != id] if episode is not None else []
    survivors = [first for first in rivals if play.state.gladiators[first].fate is Fate.STANDING]
    partners = _said_to_have_truces(play) - {id} or {*survivors}
    if len(partners) == 1:
        title = episode.title if episode is not None else ""
        play.state.truces.append(Truce(pair(id, *partners), play.step.number, title))
        return True
    # The table names the partner:  given: [{truce: [...]}].  Behind a gap, and beside others, it is believed without.
    if play.gap > play.state.layer_step or _said_to_have_truces(play) - {id}:
        play.state.gladiators[id].has_untold_truce = True
    return play.state.gladiators[id].has_untold_truce


def _said_to_have_truces(play: Table) -> set[str]:
    """The ids of the Gladiators who have truces by the words of the entry at hand, and none on record so far. Where
    they are two, they have it with each other."""
    action = play.step.action
    stated = (
        action.to
        if isinstance(action, Correct)
        else action.state
        if isinstance(action, Snapshot)
        else action.figures
        if isinstance(action, Assert)
        else None
    )
    truces = stated.get(ScalarNode("truce")) if isinstance(stated, MappingNode) else None
    named = {
        gladiator.id
        for owner, word in (truces.items() if isinstance(truces, MappingNode) else ())
        if (gladiator := is_gladiator(play, owner)) is not None
        and isinstance(word, ScalarNode)
        and YES_NO_SYNONYMS.get(word.strip().casefold(), word.strip().casefold()) == "yes"
    }
    return {id for id in named if not _held(play, id)}


def _read_truce(play: Table, id: str) -> str:
    return "yes" if _held(play, id) or play.state.gladiators[id].has_untold_truce else "no"


def _read_encounter(play: Table, id: str) -> str | None:
    if play.state.encounter_of(id) is not None:
        return "yes"
    # Behind a gap, without an Episode: the partner would be unknown.
    is_hidden = play.state.episode_of(id) is None and play.gap > play.state.layer_step
    return None if is_hidden else "no"


def _write_encounter(play: Table, id: str, stated: str) -> bool:
    state = play.state
    present_ids = state.encounter_of(id)
    if stated == "no":
        if present_ids is not None:
            leave_encounter(play, present_ids, id)
        return True
    episode, layer = state.episode_of(id), state.layer
    if episode is None or layer is None:
        # Behind a gap it is believed, and the partner is unknown.
        return play.gap > state.layer_step
    if present_ids is None:
        same = (e for e in state.encounters if not e.over and e.episode == episode.title)
        encounter = next(same, None)
        if encounter is None:
            encounter = new_encounter(play, [id])
            state.encounters.append(encounter)
        if id not in encounter.members:
            encounter.members.append(id)
        round_ = state.open_round
        if round_ and round_ in encounter.rounds and round_.stage is Stage.BUILDING:
            round_.members.append(id)
    return True


def _write_barred(play: Table, id: str, stated: str) -> bool:
    ends = _ends(play, id)
    if ends is None or ends[1].gone:
        return False
    g, bond = ends
    remaining = int(stated)
    is_complete = (
        value(play, g.id, bond.npc) if play.ruling("cooldown_value") == "current" else remaining
    )
    bond.barred_value, bond.barred_step = is_complete, play.step.number
    bond.barred_own = g.conflicts - (is_complete - remaining)
    bond.barred_all = play.state.conflict_count - (is_complete - remaining)
    return True


def _write_tv(play: Table, id: str, stated: str) -> bool:
    layer = play.state.layer
    if layer is None:
        return False
    layer.tv, layer.known_from = int(stated), play.step.number
    return True


def _write_layer(play: Table, id: str, stated: str) -> None:
    if _read_layer(play, "") != int(stated):
        step = play.step.number
        layer = Layer(int(stated), threshold(int(stated)), step, known_from=step)
        cast = [g.id for g in play.state.gladiators.values() if g.fate is not Fate.DEAD]
        layer.episodes.append(Episode("as it stands", layer.number, play.step.number, cast))
        play.state.layers.append(layer)


def _write_turn(play: Table, id: str, stated: str) -> None:
    play.state.turn, play.state.turn_step = stated, play.step.number
    play.settle("turn")


def _from(least: int, rule: str) -> Callable[[Table, str], Limits]:
    return lambda play, id: Limits(least, rule=rule)


def _read_layer(play: Table, id: str) -> int:
    return play.state.layers[-1].number if play.state.layers else 0


MEASURES = {
    "pool": Measure(
        "dice in the Conflict Pool, those gambled at the moment included",
        (GLADIATOR,),
        pool,
        _write_pool,
        lambda play, id: play.ledger.last_rule(DIE, f"pool:{id}", f"gamble:{id}"),
        # F52: it has no least. Below zero its Gladiator has fallen, which follows.
        lambda play, id: Limits(None),
        apply_consequences=_pool_crossed,
        state_kind="pools",
    ),
    "judgment": Measure(
        "dice in the Judgment Pool",
        (PLAYER, GLADIATOR),
        lambda play, id: judgment_of(play.ledger, _judgment_id(play, id)),
        _write_judgment,
        _judgment_rule,
        _from(0, "F65"),
        state_kind="pools",
    ),
    "relationship": Measure(
        "the value of a Relationship ('Halina & Mina'), or 'lost'",
        (RELATIONSHIP,),
        _read_relationship,
        _write_relationship,
        _relationship_rule,
        _from(0, "F54"),
        (LOST,),
        reveal=_reveal_relationship,
    ),
    "barred": Measure(
        "for how many more Conflicts a Relationship is no modifier",
        (RELATIONSHIP,),
        _read_barred,
        _write_barred,
        lambda play, id: "F36",
        _from(0, "F36"),
        sentence="{of} is barred for {amount}",
        noun="more Conflict",
        reveal=_reveal_relationship,
    ),
    "fate": Measure(
        "the fate: standing, knocked out, last one standing or dead; of inhabitants alive or gone",
        (GLADIATOR, INHABITANT),
        _read_fate,
        _write_fate,
        lambda play, id: "F52" if id in play.state.gladiators else "F54",
        words=(*map(str, Fate), ALIVE, GONE),
        final=(str(Fate.DEAD),),
        reveal=_reveal_inhabitant,
        apply_consequences=_fate_crossed,
    ),
    "truce": Measure(
        "whether a Gladiator has a truce: yes or no",
        (GLADIATOR,),
        _read_truce,
        _write_truce,
        lambda play, id: "F58",
        words=("yes", "no"),
        sentence="{of} is {not}under a truce",
    ),
    "encounter": Measure(
        "whether a Gladiator is in an Encounter: yes or no",
        (GLADIATOR,),
        _read_encounter,
        _write_encounter,
        lambda play, id: "F56",
        words=("yes", "no"),
        sentence="{of} is {not}in an Encounter",
        state_kind="cast",
    ),
    "tv": Measure(
        "the Threshold Value",
        (),
        lambda play, id: play.state.tv,
        _write_tv,
        lambda play, id: "F23",
        _from(1, "F23"),
    ),
    "layer": Measure(
        "the Layer, counted from 1 on the surface",
        (),
        _read_layer,
        _write_layer,
        lambda play, id: "F10",
        _from(1, "F10"),
    ),
    "npc gladiators": Measure(
        "how many NPC Gladiators are alive",
        (),
        lambda play, id: len(play.state.npc_gladiators()),
        rule=lambda play, id: "F19",
    ),
    "turn": Measure(
        "the player whose turn it is",
        (),
        lambda play, id: on_turn(play) if play.state.turn else None,
        _write_turn,
        lambda play, id: "F20",
        state_kind="turns",
        names=(PLAYER,),
    ),
}
