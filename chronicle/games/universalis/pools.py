"""Chapter 6, Pools: drawing upon Traits and Facts, buying dice."""

from __future__ import annotations

from dataclasses import replace

from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import Counted
from chronicle.core.fix import add_entry, drop_item, drop_key, replace_with, set_key, write_word
from chronicle.core.names import Named, fold
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins, facts, gates, presence, table, traits
from chronicle.games.universalis.divisions import complication_of, laid_into
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    COMPONENT_KINDS,
    Complication,
    Component,
    DiceEntry,
    Pool,
    SceneState,
    Sort,
    Stage,
    Trait,
)
from chronicle.games.universalis.story_actions import BuyDice, DrawTraits


def _building(
    play: Table, action: DrawTraits | BuyDice, code: str, doing: str
) -> Complication | None:
    """The Complication whose Pools are growing; dice need one (U6.11) that is not closed (U6.17)."""
    state = play.state
    complication = _complication_meant(play, action)
    if complication is None:
        play.require(
            play.gap > 0 and play.gap > state.ended_step and state.current_scene is None,
            code,
            f"{doing}, and no Complication is open",
            fix=add_entry("complication: ..."),
            since=0,
        )
        return None
    complication.steps.append(play.step.number)
    if complication.stage in (Stage.CLOSED, Stage.TIED, Stage.ROLLED) and not state.purses:
        closed_step = complication.closed_step or complication.steps[0]
        play.illegal(
            "U6.17",
            f"{doing} after the dice were called for",
            facts=[play.because(closed_step, "closed here")],
        )
    return complication


def _complication_meant(play: Table, action: DrawTraits | BuyDice) -> Complication | None:
    """The Complication that dice are for: the named Complication, or the Complication of their Pool."""
    word = action.from_ if action.from_ is not None else action.to
    players = [play.player(word)] if word is not None else []
    component_ids: list[str] = []
    if isinstance(action, DrawTraits):
        matches = [play.names.find(name, COMPONENT_KINDS) for name in action.traits]
        component_ids = [match.id for match in matches if isinstance(match, Named)]
    return complication_of(play, action, players, component_ids)


class _Laying:
    """Dice that an entry lays into the Pools of a Complication, or takes out of them."""

    def __init__(self, play: Table, action: DrawTraits | BuyDice, of: Complication) -> None:
        self.play, self.action, self.complication = play, action, of

    def pool(self, component: Component | None) -> Pool | None:
        """Whose Pool the dice go to or come from."""
        play, action, complication = self.play, self.action, self.complication
        word = action.from_ if action.from_ is not None else action.to
        player = play.step.player
        if word is not None:
            pool_player = play.player(word)
            if not pool_player:
                return None
        else:
            pool_player = side_of(play, complication, component, player)
            if not pool_player:
                play.illegal(
                    "U6.5",
                    "it is not clear whose Pool these dice go to",
                    fix=[
                        set_key("to", player, when=f"if they go to {player}'s Pool")
                        for player in complication.pools
                    ],
                )
                for player_name in complication.pools:
                    play.taint(f"pool:{complication.number}:{player_name}")
                return None
        pool = complication.pools.get(pool_player)
        if pool is None and complication.everybody:
            pool = complication.pools[pool_player] = Pool(pool_player, "")
        if pool is None:
            play.illegal(
                "U6.5",
                f"{pool_player} has no Pool in this Complication",
                at=word,
                fix=replace_with(complication.pools),
            )
        return pool

    def meets(self, pool: Pool, against: tuple[str, ...] = ()) -> list[tuple[Complication, Pool]]:
        """The Pools that the dice of an entry go to: what it names, or all that wait for them."""
        play, action, complication = self.play, self.action, self.complication
        if action.in_ is not None:
            return [(complication, pool)]
        return laid_into(play, complication, pool, against)

    def add_or_take(
        self, pool: Pool, dice: int, cause: str, component: Component | None, coins: int = 0
    ) -> None:
        """Add dice to a Pool, or remove them where the entry takes them ``from`` it, and why."""
        play, action, complication = self.play, self.action, self.complication
        step = play.step
        key = ""
        if component is not None:
            key = f"{component.id}/{fold(cause)}"
        added = play.state.points.only_added(play)
        if added:
            play.require(
                action.from_ is None,
                added,
                f"{step.player} takes {plural(dice, 'die', 'dice')} from {pool.player}'s Pool, "
                "and at this table dice are only added",
                at="from",
                help="lay them into an opposing Pool instead:  to: "
                + (" or ".join(p.player for p in against(complication, pool)) or "another player"),
            )
        sign = 1
        if action.from_ is not None:
            sign = -1
            if pool.dice < dice:
                play.illegal(
                    "U6.15",
                    f"{pool.player}'s Pool holds {plural(pool.dice, 'die', 'dice')}, so {dice} cannot be taken",
                    at="from",
                )
                dice = pool.dice
        entry = DiceEntry(
            sign * dice,
            cause,
            step.player,
            step.number,
            component.id if component is not None else "",
            key,
            coins,
            self._only_against(),
        )
        for number, (met, met_pool) in enumerate(self.meets(pool, entry.against)):
            fits = entry if entry.dice >= -met_pool.dice else replace(entry, dice=-met_pool.dice)
            lay_dice(play, met, met_pool, fits, announced=not number)

    def _only_against(self) -> tuple[str, ...]:
        """The Target Players whom alone bought dice meet, where each meets the Complication alone."""
        play, action, complication = self.play, self.action, self.complication
        if not isinstance(action, BuyDice) or not action.against:
            return ()
        play.require(
            bool(play.state.points.meets_singly(play, complication).rule),
            "UA.36",
            "all Target Pools meet this Complication together, so its dice meet them all",
            at="against",
            fix=drop_key("against"),
            help="or choose independent Target Pools before the roll",
        )
        return tuple(player for player in map(play.player, action.against) if player)


class _Drawing(_Laying):
    """Traits and Facts that are drawn upon."""

    action: DrawTraits

    def traits_named(
        self, component: Component, words: tuple[Counted, ...]
    ) -> list[tuple[Trait, int, str]]:
        """The Traits that a draw names on one Component, each with the key that holds U6.14."""
        play, complication = self.play, self.complication
        drawn: list[tuple[Trait, int, str]] = []
        drawn_now: dict[str, int] = {}
        """How many copies this entry has drawn already, by key."""
        left_out = {fold(word[1:]) for word, _ in words if word.startswith("-")}
        for word, count in words:
            if word.startswith("-"):
                continue
            if fold(word) == "all":
                for trait in _all_traits(play, component):
                    if trait.key in left_out or any(part in trait.key for part in left_out if part):
                        continue
                    if trait.sort is Sort.NAME and (
                        play.state.points.name_gives_die(play, component) is None
                    ):
                        continue
                    key = f"{component.id}/{trait.key}"
                    copies_left = (
                        trait.copies - complication.used.get(key, 0) - drawn_now.get(key, 0)
                    )
                    if copies_left > 0:
                        drawn.append((trait, copies_left, key))
                        drawn_now[key] = drawn_now.get(key, 0) + copies_left
                continue
            named_trait = self._one_trait(component, word)
            if named_trait is None:
                continue
            trait, key, copies = named_trait
            used = complication.used.get(key, 0)
            again_here = key in drawn_now and used + drawn_now[key] + count > copies
            if again_here:
                play.illegal(
                    "U6.14",
                    f"{trait.text} of {component.name} is drawn twice in this entry",
                    at=word,
                    fix=drop_item(str(word)),
                    help="each copy gives one die in a Complication",
                )
                count = max(0, copies - used - drawn_now[key])
            elif used + count > copies:
                drawn_before = (
                    f"{trait.text} of {component.name} was drawn already in this Complication"
                )
                too_many = f"{component.name} has {trait.text} {plural(copies, 'time')}, not {used + count}"
                first = next(
                    (e for p in complication.pools.values() for e in p.entries if e.trait == key),
                    None,
                )
                play.illegal(
                    "U6.14",
                    drawn_before if used >= copies else too_many,
                    at=word,
                    facts=[play.because(first.step, "drawn here")]
                    if first is not None and used
                    else [],
                    fix=drop_item(str(word)),
                    help="each copy gives one die in a Complication",
                )
            if count or not again_here:
                drawn.append((trait, count, key))
            drawn_now[key] = drawn_now.get(key, 0) + count
        return drawn

    def _one_trait(self, component: Component, word: ScalarNode) -> tuple[Trait, str, int] | None:
        play = self.play
        state = play.state
        trait = traits.find_trait(component, word, exact=True)
        if trait is None and traits.inherited(play, component, word, exact=True) is None:
            trait = traits.find_trait(component, word)
        if trait is not None:
            if trait.sort is Sort.NAME:
                self._name_die(component, word)
            if trait.sort is Sort.ROLE and component.open_role:
                play.suspect(
                    self.action.for_ is None,
                    "U5.28",
                    f"the Role of {component.name} has not been worded yet, so it gives no die",
                    at=word,
                    fix=(add_entry(f"role: {{{component.name}: ...}}"), set_key("for")),
                )
            copies = trait.copies
            if (
                trait.sort is Sort.MEMBER
                and component.masters
                and play.ruling("member and role") == "two"
            ):
                copies += sum(
                    r.copies
                    for id in component.masters
                    for r in state.components[id].of_sort(Sort.ROLE)
                    if r.key == trait.key
                )
            return trait, f"{component.id}/{trait.key}", copies
        inherited_trait = traits.inherited(play, component, word)
        if inherited_trait is not None:
            _master, master_trait = inherited_trait
            against = traits.negated(component, master_trait.text)
            if against is not None:
                play.illegal(
                    "U4.32",
                    f"{component.name} has '{against.text}', which takes {master_trait.text} away from it",
                    at=word,
                    facts=[play.because(against.step, "bought here")],
                )
            copies = master_trait.copies
            copies_by_master = [
                state.components[id].traits[master_trait.key].copies
                for id in component.masters
                if master_trait.key in state.components[id].traits
            ]
            if len(copies_by_master) > 1 and play.ruling("two masters") == "each":
                copies = sum(copies_by_master)
            return master_trait, f"{component.id}/{master_trait.key}", copies
        sheets = (component, *(state.components[id] for id in component.masters))
        counted = max(component.step, play.unknown_until.get(f"importance:{component.id}", 0))
        may_be_new = play.gap > counted and not traits.spellings(play, component, word)
        if may_be_new or any(sheet.open_list for sheet in sheets):
            # The sheet is not written out in full, or the Trait may have been bought in a gap.
            added = traits.add_trait(play, component, str(word), Sort.PLAIN, paid=0)
            traits.reveal(play, component, added, 1)
            return added, f"{component.id}/{fold(word)}", 99
        bar = play.state.points.unseen(play, component, word)
        if not gates.nothing_bars(play, bar, word):
            return None
        full_name = traits.trait_meant(play, "U6.11", component, word)
        return self._one_trait(component, full_name) if full_name is not None else None

    def _name_die(self, component: Component, word: ScalarNode) -> None:
        """A Character's name gives a die in each Complication with the Character (U4.12, S79, S80)."""
        play, action, complication = self.play, self.action, self.complication
        granted = play.state.points.name_gives_die(play, component)
        if granted is None:
            kind = "place" if component.kind == "place" else "prop"
            play.illegal(
                "U4.12",
                f"{component.name} is a {kind}; its name gives no die",
                at=word,
                fix=add_entry(f"gimmick: ...\nsets: {{name die: [{component.name}]}}"),
            )
            return
        if granted:
            play.event(f"the name of {component.name} gives a die under {granted}", "UG.4")
        takes_part = (
            granted != ""
            or component.id in complication.committed
            or action.for_ is not None
            or action.text is not None
            or sum(len(words) for words in action.traits.values()) > 1
        )
        play.require(
            takes_part or play.given,
            "U4.12",
            f"{component.name} takes no part in this Complication",
            at=word,
            fix=set_key("for"),
            help="say what part it takes",
        )

    def draw_facts(self, scope: str, words: tuple[Counted, ...], drawn: list[str]) -> int:
        """Events, details and Tenets may give a die each (U1.6, S31)."""
        play, complication = self.play, self.complication
        scene = play.state.current_scene
        total = 0
        for word, count in words:
            candidates = facts.facts_of(play, scope, str(word))
            fact = facts.find_fact(play, word, "U6.11", candidates)
            if fact is None:
                continue
            text = fact.text
            play.require(
                play.ruling("fact dice") == "yes",
                "U6.11",
                "only Traits of Components give dice at this table",
                at=word,
            )
            key = f"{scope}/{fold(text)}"
            used = complication.used.get(key, 0)
            play.require(
                used + count <= 1,
                "U6.14",
                f"'{text}' gives one die in a Complication",
                at=word,
                fix=drop_item(str(word)),
            )
            pool = self.pool(None)
            if pool is None or scene is None:
                return total
            self.use(pool, key, count)
            self.add_or_take(pool, count, text, None)
            drawn.append(text)
            total += count
        return total

    def use(self, pool: Pool, key: str, count: int) -> None:
        for met in {id(c.used): c for c, _ in self.meets(pool)}.values():
            met.used[key] = met.used.get(key, 0) + count


def draw(play: Table, action: DrawTraits) -> None:
    """Draw upon Traits: a die each, free (U6.11)."""
    complication = _building(play, action, "U6.11", "Traits are drawn")
    if complication is None:
        return
    scene = play.state.current_scene
    drawing = _Drawing(play, action, complication)
    total = 0
    drawn_names: list[str] = []
    for word, words in action.traits.items():
        scope = word.casefold()
        if scope in ("scene", "world", "tenet", "tenets"):
            total += drawing.draw_facts(scope, words, drawn_names)
            continue
        for component in table.find_all(play, word):
            drawn: list[str] = []
            if scene is not None and not _drawable(play, complication, scene, component, word):
                pass  # reported; the dice are on the table all the same
            for trait, count, key in drawing.traits_named(component, words):
                pool = drawing.pool(component)
                if pool is None:
                    return
                _hinders(play, action, complication, component, trait, pool)
                dice = count * play.state.points.dice_of_draw(play, component, trait)
                drawing.use(pool, key, count)
                complication.committed.setdefault(component.id, play.step.number)
                drawing.add_or_take(pool, dice, trait.text, component)
                total += dice
                words_of = "name" if trait.sort is Sort.NAME else trait.text
                drawn.append(f"{words_of} x{count}" if count > 1 else words_of)
                if action.from_ is None:
                    # A latecomer keeps to the side that it was first brought in for.
                    complication.sides.setdefault(component.id, pool.player)
            if drawn:
                drawn_names.append(f"{component.name}: {', '.join(drawn)}")
    play.step.headline = "; ".join(drawn_names) if drawn_names else "Nothing drawn"
    if action.dice is not None and action.dice != total:
        play.report(
            DiagnosticKind.BOOKKEEPING,
            "U6.11",
            f"this comes to {plural(total, 'die', 'dice')}, not {action.dice}",
            at="dice",
            place_label=f"computed: {total}",
            fix=write_word(total),
        )


def _hinders(
    play: Table,
    action: DrawTraits,
    complication: Complication,
    component: Component,
    trait: Trait,
    pool: Pool,
) -> None:
    """A wound takes a die from its bearer's Pool or gives one to the opponents (U7.7, S81)."""
    helps = (
        action.from_ is None and action.for_ is None and trait.sort is Sort.WOUND and not play.given
    )
    if not helps or side_of(play, complication, component, pool.player) != pool.player:
        return
    opponents = [
        other_pool.player
        for other_pool in complication.pools.values()
        if other_pool.side != pool.side
    ]
    play.suspect(
        True,
        "U7.7",
        f"{trait.text} is a wound of {component.name}, and gives {pool.player} a die on the same side",
        at="main",
        fix=(
            *(set_key("to", opponent) for opponent in opponents),
            *((set_key("from", pool.player),) if pool.dice else ()),
            set_key("for", when="if this once it helps"),
        ),
        help="a wound hinders: it gives a die to the other side, or takes one from its own",
    )


def _drawable(
    play: Table,
    complication: Complication,
    scene: SceneState,
    component: Component,
    word: ScalarNode,
) -> bool:
    """Only what is in the scene can be drawn upon (U5.3), and only the present location (U5.9)."""
    if play.given or component.placeholder:
        return True
    if component.id in scene.left_places and component.id not in scene.present:
        return play.illegal(
            "U5.9",
            f"the scene has moved on from {component.name}",
            at=word,
            facts=[play.because(scene.left_places[component.id], "left here")],
        )
    if not presence.is_here(play, scene, component):
        master = " It is a Master: draw through one of its Subs." if component.master else ""
        return play.illegal(
            "U5.3",
            f"{component.name} is not in the scene.{master}"
            if master
            else f"{component.name} is not in the scene",
            at=word,
            fix=add_entry(f"introduce: {component.name}"),
        )
    if component.id not in complication.committed and play.ruling("drawable") == "involved":
        return play.illegal(
            "U3.27", f"{component.name} takes no part in this Complication", at=word
        )
    return True


def _all_traits(play: Table, component: Component) -> list[Trait]:
    traits_by_key = {
        t.key: t for t in component.traits.values() if t.copies and t.sort is not Sort.OWNED
    }
    for id in component.masters:
        master = play.state.components[id]
        for trait in master.traits.values():
            if (
                trait.copies
                and trait.sort is not Sort.MASTER
                and not traits.negated(component, trait.text)
            ):
                if trait.sort is Sort.ROLE and trait.text == master.name:
                    continue
                traits_by_key.setdefault(trait.key, trait)
    return list(traits_by_key.values())


def side_of(
    play: Table, complication: Complication, component: Component | None, player: str
) -> str:
    """Whose Pool dice for a Component go to, where ``player`` draws; empty where that is not clear."""
    state = play.state
    scene = state.current_scene
    if component is not None and not (complication.everybody and player not in complication.pools):
        id = component.id
        if id in complication.sources:
            return complication.originator
        holder = scene.control.get(id, "") if scene is not None else ""
        if id in complication.targets and holder in complication.pools:
            return holder
        if id in complication.sides:
            return complication.sides[id]
        if component.owner and component.owner in complication.committed:
            return side_of(play, complication, state.components[component.owner], player)
        # A bystander serves the player who draws upon it, or else its Controller.
        if player not in complication.pools and holder in complication.pools:
            return holder
    if player in complication.pools or complication.everybody:
        return player
    return ""


def against(complication: Complication, pool: Pool) -> list[Pool]:
    """The Pools that oppose one; as long as its player has not declared a side, all others."""
    return [p for p in complication.pools.values() if p is not pool and p.side != pool.side]


def lay_dice(
    play: Table, complication: Complication, pool: Pool, entry: DiceEntry, *, announced: bool = True
) -> None:
    """Lay dice into a Pool, or take them out; ``announced`` notes an event."""
    play.step.note_change("Pool", pool.player, pool.dice, pool.dice + entry.dice, "die")
    pool.dice += entry.dice
    pool.entries.append(entry)
    if entry.dice and announced:
        dice_words = play.state.points.die(play).counted(abs(entry.dice))
        direction = "to" if entry.dice > 0 else "from"
        rule = "U6.15" if entry.coins else "U6.11"
        play.event(
            f"{dice_words} {direction} {pool.player}'s Pool ({pool.dice})",
            rule,
            "dice",
            entry.component,
        )


def buy(play: Table, action: BuyDice) -> None:
    """Dice for Coins, each with its reason (U6.15, U6.16)."""
    complication = _building(play, action, "U6.15", "dice are bought")
    if complication is None:
        coins.charge(play, "buy", "U6.15", "dice bought", times=action.dice or 0)
        return
    play.require(
        action.for_ is not None or action.text is not None,
        "U6.16",
        "the record does not say what the bought dice stand for",
        fix=set_key("for"),
        kind=DiagnosticKind.UNKNOWN,
    )
    laying = _Laying(play, action, complication)
    pool = laying.pool(None)
    reason = str(action.for_ or action.text or "no reason given")
    if action.dice is None:
        play.step.headline = f"Dice: {reason}"
        coins.unknown_amount(play, play.step.player)
        if pool is not None:
            pool.dice_open = True
        return
    coins.charge(play, "buy", "U6.15", "dice bought", times=action.dice)
    play.step.headline = f"{play.state.points.die(play).counted(action.dice)}: {reason}"
    if pool is not None:
        laying.add_or_take(pool, action.dice, reason, None, coins=action.dice)
