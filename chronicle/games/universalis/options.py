"""What may come next in Universalis: for ``explain``, for editors, and for random play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

from chronicle.core.answers import Option, one_of
from chronicle.core.shared_verbs import Aside
from chronicle.games.universalis.addons.catalogue import all_add_ons
from chronicle.games.universalis.divisions import parts_of
from chronicle.games.universalis.facts import last_event
from chronicle.games.universalis.narration import Event
from chronicle.games.universalis.offers import priced
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import due_player
from chronicle.games.universalis.presence import available, is_committed
from chronicle.games.universalis.state import (
    CHARACTER,
    COIN,
    PLACE,
    Complication,
    Component,
    Phase,
    SceneState,
    Sort,
    Stage,
)
from chronicle.games.universalis.table import lost_turn
from chronicle.games.universalis.traits import negated

_ROLES = ("ferryman", "scholar", "thief", "miller", "judge", "child", "captain", "widow")
_PLACES = ("mill", "quay", "attic", "chapel", "market", "marsh")
_PROP_NAMES = ("lamp", "ledger", "key", "violin", "boat", "letter")
_WORDS = ("stubborn", "left-handed", "well read", "in debt", "unlucky", "loud", "patient")
_EVENTS = ("The lights go out", "Somebody laughs", "The door gives", "It begins to rain")

Entry = dict[str, Any]

_HINTS: Mapping[str, tuple[str, str]] = {
    "buy": ("buy a die for 1 Coin", "U6.15"),
    "challenge": ("{by} may object", "U3.40"),
    "close": ("call for the dice", "U6.17"),
    "complication": ("Originate a Complication", "U6.1"),
    "create": ("create something that is not here", "U4.5"),
    "declare": ("declare the side of a Pool", "U6.7"),
    "draw": ("draw upon a Trait, free", "U6.11"),
    "end scene": ("end the scene", "U3.11"),
    "inherit": ("keep a Trait of a class", "U4.29"),
    "introduce": ("bring in a new Component", "U4.5"),
    "location": ("move the scene for 1 Coin", "U5.8"),
    "master": ("make a Component the Master of a class", "U4.27"),
    "mini scene": ("cut away to a small scene", "U3.21"),
    "negate": ("take a Master's Trait away", "U4.32"),
    "obstacle": ("{by} may put dice against the last Event", "U3.39"),
    "outcome": ("tell what comes of it", "U6.28"),
    "possess": ("tie a possession to its owner", "U4.20"),
    "roll": ("roll the dice", "U6.18"),
    "separate": ("part a possession from its owner", "U4.22"),
    "sub": ("make a Component a member of a class", "U4.28"),
}
"""The hint and the rule of each verb that is legal in a scene; ``by`` is the player who may act."""


def options(play: Table, derived_moves: list[Option]) -> list[Option]:
    """Every legal move of this moment, each with a way to write one: those given, and those of verbs without guards."""
    state = play.state
    if play.given or not play.present:
        return []
    if state.phase is Phase.PREPARATION:
        moves = _preparation(play)
    elif state.scene is None:
        moves = [*_between(play)]
    elif lost_turn(play):
        moves = [move for player in play.present for move in _Moment(play, player).all()]
    else:
        moves = _Moment(play, state.turn).all()
    moves += derived_moves
    for add_on in state.add_ons:
        moves = add_on.options(play, moves)
    for add_on in state.add_ons:
        moves = [option for option in moves if not add_on.rules_out(play, option)]
    return priced(play, _agreed(play, moves))


def _agreed(play: Table, moves: list[Option]) -> list[Option]:
    """Right after a Challenge that changed something: the same player writes its replacement in the agreed or
    winning words, if the turn is still theirs."""
    state = play.state
    last = state.challenges[-1] if state.challenges else None
    if (
        last is None
        or not last.struck
        or any(
            step.parent is None and not isinstance(step.action, Aside)
            for step in play.steps[last.step :]
        )
    ):
        return moves
    due = due_player(play) if state.phase is Phase.PREPARATION else state.turn
    if last.challenged != due or play.steps[last.step - 1].parent is not None:
        return moves
    verb = play.steps[last.of - 1].action.verb
    agreed_words = last.words if last.ending == "agreed" else last.wants
    return [
        move._replace(agreed_words=agreed_words) if move.verb == verb and move.by == due else move
        for move in moves
    ]


def _coins(play: Table, player: str, sort: str = "turn") -> int:
    """What a player can spend now: on what builds the ``scene``, or on anything on a ``turn`` (S8)."""
    purses = play.state.points.purses(play, player, sort)
    return sum(max(0, play.balance(purse, COIN)) for purse in purses)


def _wealth(play: Table, player: str) -> int:
    return play.balance(f"wealth:{player}", COIN)


def _adoption(play: Table, player: str) -> list[Option]:
    """Add-ons that fit beside those in force, with nothing that a group must set first."""
    adopted = {add_on.key: add_on for add_on in play.state.add_ons}
    fitting = [
        kind.key
        for kind in all_add_ons()
        if kind.key not in adopted
        and all(needed in adopted for needed in kind.needs)
        and not any(field.required for field in kind.parameters.fields.values())
        and not any(
            kind.key in rival.excludes or rival.key in kind.excludes for rival in adopted.values()
        )
    ]
    if not fitting or len(adopted) > 2:
        return []
    hint = "put an add-on in force for 1 Coin"
    return [Option.plain("adopt", player, hint, "U2.11", one_of(fitting))]


def _preparation(play: Table) -> list[Option]:
    player = due_player(play) or play.seats[0]
    moves: list[Option] = []
    if _wealth(play, player) > 0 and len(play.state.tenets) + len(play.state.components) < 9:
        moves += [
            *_adoption(play, player),
            Option.plain(
                "create",
                player,
                "create a Character, one Trait a turn",
                "U2.9",
                lambda rng: {"character": rng.choice(_ROLES)},
            ),
        ]
    return moves


def _between(play: Table) -> Iterator[Option]:
    state = play.state
    if state.bid_winner:
        winner = state.bid_winner
        yield Option(
            "scene",
            winner,
            "frame the scene: where, when, who",
            "U3.8",
            lambda rng: _frame(play, winner, rng, "scene"),
        )
        return
    bidders = [p for p in play.seats if p in play.present]
    if not any(_wealth(play, p) for p in bidders):
        return
    yield Option.plain(
        "bid",
        "",
        "everybody bids for the next scene",
        "U3.2",
        lambda rng: {p: rng.randint(0, min(4, max(0, _wealth(play, p)))) for p in bidders},
    )
    if state.refreshment_open:
        refreshed = dict(state.refreshed)
        yield Option.plain(
            "refreshment", "", "state what everybody took", "U3.14", refreshed
        )._replace(already_happened=True)


def _frame(play: Table, player: str, rng: Random, verb: str) -> Entry:
    state = play.state
    coins = (
        _coins(play, player, "scene")
        if verb != "scene"
        else _wealth(play, player) + play.balance(f"bid:{player}", COIN)
    )
    entry: Entry = {verb: f"Scene {len(state.scenes) + 1}"}
    places = [c for c in state.components.values() if c.kind == PLACE and _usable(c)]
    entry["at"] = (
        rng.choice(places).name
        if places and rng.random() < 0.4
        else {"new": f"{rng.choice(_PLACES)} {len(state.components) + 1}"}
    )
    coins_left = coins - 1
    other_players = len(play.present) - 1
    if verb == "mini scene":
        if coins_left >= 1:
            entry["past"] = "long before"
    elif coins_left > other_players and rng.random() < 0.1:
        entry["future"] = "in a year"
    elif coins_left >= 2 and rng.random() < 0.2:
        entry["past"] = "long before"
    return entry


def _usable(component: Component) -> bool:
    return not (
        component.eliminated
        or component.struck
        or component.master
        or component.placeholder
        or component.turnings
    )


class _Moment:
    """A scene at one moment, and what its player may do now."""

    def __init__(self, play: Table, player: str) -> None:
        self.play = play
        self.state = play.state
        scene = play.state.current_scene
        if scene is None:
            raise LookupError("no scene is open")
        self.scene: SceneState = scene
        self.player = player
        self.coins = _coins(play, self.player, "scene")
        self.other_coins = _coins(play, self.player)
        """Coins for entries that do not build the scene."""
        self.found: list[Option] = []
        components = play.state.components
        self.present = [components[id] for id in scene.present if not components[id].struck]
        self.mine = [c for c in self.present if scene.control.get(c.id) == self.player]
        self.theirs = [
            c for c in self.present if scene.control.get(c.id) not in (self.player, None)
        ]
        self.number = len(play.steps) + 1

    def add(
        self,
        verb: str,
        value: Any,
        hint_and_rule: tuple[str, str] | None = None,
        by: str | None = None,
        **keys: Any,
    ) -> None:
        """One more possibility, as :meth:`Option.plain` takes it; without ``by`` it is the turn player's.
        ``hint_and_rule`` replaces the usual hint and rule of the verb."""
        hint, rule = hint_and_rule or _HINTS[verb]
        by = self.player if by is None else by
        self.found.append(Option.plain(verb, by, hint.format(by=by), rule, value, **keys))

    def add_entry(self, verb: str, entry: Callable[[Random], Entry], by: str = "") -> None:
        """The same for an entry that is made as a whole."""
        hint, rule = _HINTS[verb]
        by = by or self.player
        self.found.append(Option(verb, by, hint.format(by=by), rule, entry))

    def one_of(self, verb: str, among: list[Component], least: int = 1) -> None:
        """The same for a verb and the name of one Component, where there are enough."""
        if len(among) >= least:
            self.add(verb, lambda rng: rng.choice(among).name)

    def all(self) -> list[Option]:
        """Everything that may come next."""
        self._gather()
        # What it offers knows the moment: else the two would keep each other, and the whole table.
        moves, self.found = self.found, []
        return moves

    def _gather(self) -> None:
        complication = self.state.current_complication()
        if complication is not None and complication.stage is Stage.ROLLED:
            self._outcome(complication)
            return
        if complication is not None and complication.stage in (Stage.CLOSED, Stage.TIED):
            self._roll(complication)
            return
        if self.scene.framing:
            self._framing()
            return
        self._turn(complication)
        if self.coins:
            self._narrate()
            self._build()
            self._change()
        barred = self.scene.mini and self.play.rulings["mini complication"] == "forbidden"
        if (complication is None or len(self.state.running) < 2) and not barred:
            self._originate()
        if complication is not None:
            self._pools(complication)
        self._disputes()
        self._tenets()

    def _framing(self) -> None:
        if self.coins < 1:
            return
        if not self.scene.located:
            self._place(("say where the scene is, for 1 Coin; before its first Event", "U3.8"))
        if not any(c.kind == CHARACTER for c in self.present) or self.coins > 3:
            self.add("introduce", self._newcomer, ("bring in a new Character", "U5.2"))

    def _place(self, hint_and_rule: tuple[str, str] | None = None) -> None:
        self.add(
            "location", lambda rng: {"new": f"{rng.choice(_PLACES)} {self.number}"}, hint_and_rule
        )

    def _newcomer(self, rng: Random) -> Entry:
        return {"character": f"{rng.choice(_ROLES)} {self.number}"}

    # -- turns ---------------------------------------------------------------------------------------

    def _turn(self, complication: Complication | None) -> None:
        play, state = self.play, self.state
        within = state.mini is not None and play.rulings["mini complication"] == "within turn"
        if within and complication is not None:
            return  # It is rolled before the turn, and the Mini Scene with it, ends.
        if state.mini is None:
            if (
                state.scene is not None
                and state.scene.framer == self.player
                and complication is None
            ):
                self.add("end scene", self._ending)
            if self.coins >= 3:
                self.add_entry(
                    "mini scene", lambda rng: _frame(play, self.player, rng, "mini scene")
                )
        elif state.mini.framer == self.player and complication is None:
            self.add("end scene", "Back to the others", ("end the Mini Scene", "U3.23"))

    def _ending(self, rng: Random) -> str:
        return "fade to black" if self.coins > 0 and rng.random() < 0.3 else "The lamps go out"

    # -- narration -----------------------------------------------------------------------------------

    def _narrate(self) -> None:
        self._place()

    def _build(self) -> None:
        self.add("introduce", self._new_character)
        self.add(
            "create",
            lambda rng: rng.choice(
                (
                    {"prop": f"{rng.choice(_PROP_NAMES)} {self.number}"},
                    {"character": f"{rng.choice(_ROLES)} {self.number}"},
                )
            ),
        )
        if self.coins >= 3:
            guild = {"master": f"Guild {self.number}", "traits": ["sworn"]}
            self.add("create", guild, ("create a Master", "U4.27"))
        if any(self._could_come()):
            hint_and_rule = ("bring in somebody known", "U5.2")
            self.add("introduce", lambda rng: rng.choice([*self._could_come()]).name, hint_and_rule)

    # Of many that are not here, one is enough to offer the entry; all are looked up when it is taken.

    def _could_come(self) -> Iterator[Component]:
        play, points = self.play, self.state.points
        for component in self.state.components.values():
            if (
                component.id not in self.scene.present
                and not (
                    component.eliminated or component.struck or component.master or component.owner
                )
                and available(play, component, self.scene)
                and points.bars_entry(play, self.player, component, ()) is None
            ):
                yield component

    def _new_character(self, rng: Random) -> Entry:
        kinds: list[Entry] = [{"character": f"{rng.choice(_ROLES)} {self.number}"}]
        if self.coins >= 2:
            kinds.append(
                {"character": f"{rng.choice(_ROLES)} {self.number}", "traits": [rng.choice(_WORDS)]}
            )
            kinds += [{"prop": "kit", "as": f"kit {self.number}", "traits": ["heals cuts"]}] * 2
            kinds.append({"character": f"figure {self.number}", "open": "yes"})
        masters = [c for c in self.state.components.values() if c.master and not c.eliminated]
        if masters:
            kinds.append({"sub": rng.choice(masters).name, "as": f"guard {self.number}"})
        return rng.choice(kinds)

    def _change(self) -> None:
        own = [c for c in self.mine if not c.eliminated]
        if not own:
            return
        self._possessions(own)
        self._classes(own)

    def _possessions(self, own: list[Component]) -> None:
        owners = [c for c in own if c.kind == CHARACTER and not c.owner]
        props = [c for c in own if c.kind == "prop" and not c.owner and not c.owns]
        if owners and props:
            self.add("possess", lambda rng: {rng.choice(owners).name: rng.choice(props).name})
        points, components = self.state.points, self.state.components
        held = [
            c
            for c in own
            if c.owner
            and points.bars_change(self.play, self.player, components[c.owner], "") is None
        ]
        self.one_of("separate", held)

    def _classes(self, own_components: list[Component]) -> None:
        components = self.state.components
        plain = [
            c
            for c in own_components
            if not (c.master or c.of_sort(Sort.NAME) or c.owner or c.owns or c.masters)
            and c.kind == CHARACTER
            and not is_committed(self.play, c)
        ]
        self.one_of("master", plain, least=2)
        masters = [c for c in components.values() if c.master and not c.eliminated and not c.struck]
        outside = [c for c in own_components if not c.master and not c.masters]
        if masters and outside:
            self.add("sub", lambda rng: {rng.choice(outside).name: rng.choice(masters).name})
        for sub in own_components:
            for id in sub.masters:
                plain_traits = [
                    t.text
                    for t in components[id].traits.values()
                    if t.copies and t.sort is Sort.PLAIN and not negated(sub, t.text)
                ]
                own = {trait.text for trait in sub.traits.values()}
                if inheritable := [{sub.name: text} for text in plain_traits if text not in own]:
                    self.add("inherit", one_of(inheritable), from_=components[id].name)
                if plain_traits:
                    lost = [{sub.name: text} for text in plain_traits]
                    self.add("negate", one_of(lost), as_=f"changed {self.number}")
                    return

    # -- Control, Complications -----------------------------------------------------------------------

    def _originate(self) -> None:
        play = self.play
        own, foreign = self.mine, self.theirs
        price = 1 if play.rulings["originating price"] == "one" else 0
        if own and foreign and self.other_coins >= price:
            self.add(
                "complication",
                lambda rng: {rng.choice(own).name: self._targets(rng, foreign)},
                pools=lambda rng: "everybody" if rng.random() < 0.6 else None,
            )
        last = last_event(self.scene)
        if last is None or last.performers:
            return
        least = 3 if play.rulings["obstacle price"] == "event" else 2
        for player in play.present:
            if player not in (last.player, self.player) and _coins(play, player) >= least:
                self.add("obstacle", "The ice is thin", by=player, dice=1, of=last.id)

    def _targets(self, rng: Random, foreign: list[Component]) -> list[str]:
        """One Component of a player, or one of each."""
        one_each = {self.scene.control[c.id]: c.name for c in foreign}
        return list(one_each.values()) if rng.random() < 0.7 else [rng.choice(foreign).name]

    def _pools(self, complication: Complication) -> None:
        # In a divided Complication, the named player says which part a Trait gives its die to.
        parts = parts_of(self.play, complication.part_of) if complication.part_of else ()
        open_ones = [complication, *(part for part in parts if part.stage is Stage.OPEN)]
        drawable = [
            {c.name: t.text}
            for c in self.present
            if c.id in complication.committed or self.play.rulings["drawable"] != "involved"
            for t in c.traits.values()
            if t.copies
            and t.sort in (Sort.PLAIN, Sort.WOUND, Sort.GROUP, Sort.ROLE)
            and all(part.used.get(f"{c.id}/{t.key}", 0) < t.copies for part in open_ones)
        ]
        to = one_of(list(complication.pools))
        if drawable:
            self.add("draw", one_of(drawable), to=to, for_="it helps")
        if self.other_coins:
            self.add("buy", 1, to=to, for_="a good moment")
        self.add("close", "agreed")
        undecided = [p.player for p in complication.pools.values() if not p.side]
        if complication.everybody:
            undeclared = undecided or [complication.originator]
            declared = [p.player for p in complication.pools.values() if p.side]
            if undeclared[0] == complication.originator:
                declared = [complication.originator]
            self.add("declare", lambda rng: {undeclared[0]: rng.choice(declared)})
        if not undecided:
            self._roll(complication)
        self.add("abandon", "the story has moved on", ("all agree to drop it", "U6.9"), by="")

    def _roll(self, complication: Complication) -> None:
        if complication.refused or any(not p.side for p in complication.pools.values()):
            return
        pools = list(complication.pools.values())
        singly = self.state.points.meets_singly(self.play, complication)
        if singly.rule:
            targets = complication.side("target")
            if not targets:
                return
            first = max(targets, key=lambda pool: pool.dice)
            pools = [*complication.side("complication"), first]
        self.add("roll", lambda rng: self.state.points.throw(self.play, pools, rng), by="")

    def _outcome(self, complication: Complication) -> None:
        play = self.play
        winners = [p for p in complication.order if p in complication.winners]
        losers = [p for p in complication.order if p not in complication.winners]
        who_told = complication.order[: complication.last_teller + 1]

        def tellers(rng: Random) -> dict[str, list[Entry]]:
            outcome: dict[str, list[Entry]] = {}
            cancelled: list[str] = []
            for player in complication.order:
                if player in who_told:
                    continue
                coins = play.balance(f"bonus:{player}", COIN)
                entries: list[Entry] = []
                if coins:
                    entries.append({"event": rng.choice(_EVENTS)})
                    coins -= 1
                if player in winners and losers and coins:
                    poor = [
                        p for p in losers if play.balance(f"bonus:{p}", COIN) and p not in who_told
                    ]
                    if poor:
                        entries.append({"cancel": {poor[0]: 1}})
                        coins -= 1
                        cancelled.append(poor[0])
                if not cancelled:
                    entries.append({"keep": coins})
                outcome[player] = entries
                if cancelled:
                    break
            return outcome

        self.add("outcome", tellers, by="")
        teller = next((p for p in complication.order if p not in who_told), "")
        if teller not in play.present:
            return  # no player is left, or the next player has left the table
        bonus_left = play.balance(f"bonus:{teller}", COIN)
        self.add("keep", bonus_left, ("keep all Bonus Coins", "U6.34"), by=teller)
        rich = [p for p in losers if p not in who_told and play.balance(f"bonus:{p}", COIN)]
        if teller in winners and rich and bonus_left:
            self.add("cancel", {rich[0]: 1}, ("void a Coin of a loser", "U6.29"), by=teller)

    # -- disputes, Tenets, Coins ----------------------------------------------------------------------

    def _disputes(self) -> None:
        play, state = self.play, self.state
        other_players = [p for p in play.present if p in play.seats and p != self.player]
        if not other_players:
            return
        last = play.steps[-1] if play.steps else None
        if (
            last is not None
            and last.parent is None
            and isinstance(last.action, Event)
            and last.player
            and last.number not in state.immune
            and not last.retracted_by
        ):
            for player in other_players:
                if player != last.player:
                    self.add_entry("challenge", partial(_objection, player), by=player)

    def _tenets(self) -> None:
        state = self.state
        if state.tenets_this_turn or not self.other_coins:
            return
        self.found += _adoption(self.play, self.player)


def _objection(player: str, rng: Random) -> Entry:
    how = rng.choice(("dropped", "agreed"))
    return {"challenge": player, "wants": "something else", how: "so be it"}
