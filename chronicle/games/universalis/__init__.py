"""Universalis: every player is an author, and every statement that counts costs a Coin.

In reading order: ``actions`` and ``story_actions`` (what entries of several chapters have in common), ``state`` (what
is remembered), ``points`` (every price and permission that an optional rule may change), the gates of effects
(``coins``, ``presence``, ``facts``, ``traits``: see ``docs/gates.md``), ``table`` and ``turns`` (who is meant, who
acts when), ``moves`` (who may act now, and on what), then the chapters: ``preparation`` (2); ``bids``, ``framing``,
``scenes``, ``refreshment``, ``flow``, ``control``, ``disputes``, ``fines`` and ``transfers`` (3); ``authority``,
``components``, ``alterations``, ``removals``, ``belongings`` and ``fates`` over ``traits`` (4); ``narration`` (5);
``complications``, ``pools``, ``drawing``, ``rolls`` with ``contests``, and ``outcomes`` (6), with ``divisions`` where
one is rolled in parts; ``undo`` (what a Challenge strikes); ``addons`` (fifty layers on the rule points, one module
each); ``rulings`` and ``rules`` (why); ``proposals`` (what may come next), ``view`` (what a reader is shown). This
file ties them together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from chronicle.core.answers import Move, Offer, Standing
from chronicle.core.campaign import Session, Settings
from chronicle.core.declare import Action, option
from chronicle.core.diagnostic import did_you_mean, nearest_words
from chronicle.core.field_types import NAME, EitherOf, MapOf, choice, whole
from chronicle.core.fix import replace_with
from chronicle.core.game import Extension, GameInModules, Handler
from chronicle.core.game_context import GameContext
from chronicle.core.moves import legal_moves
from chronicle.core.names import PLAYER, Named, Names
from chronicle.core.rules import OptionalRule, Registry
from chronicle.core.shared_verbs import Gap, Leave, PlayStarts, Reveal, Say, Sealed, Tell
from chronicle.core.source import ScalarNode, place_of
from chronicle.games.universalis import (
    alterations,
    belongings,
    bids,
    complications,
    components,
    control,
    disputes,
    drawing,
    fates,
    fines,
    flow,
    framing,
    narration,
    outcomes,
    pools,
    preparation,
    refreshment,
    removals,
    rolls,
    scenes,
    sealed_bids,
    transfers,
    turns,
)
from chronicle.games.universalis.addons.adopting import ADD_ONS, Adopt, adopt_all
from chronicle.games.universalis.addons.catalogue import ON_DEMAND, add_on, all_add_ons
from chronicle.games.universalis.gates import carry_out
from chronicle.games.universalis.law import LAW
from chronicle.games.universalis.measures import MEASURES, situation, standing_of
from chronicle.games.universalis.points import CoreRules, State
from chronicle.games.universalis.preparation import retire_scope
from chronicle.games.universalis.questions import QUESTIONS
from chronicle.games.universalis.rulings import RULINGS
from chronicle.games.universalis.standing import THINGS
from chronicle.games.universalis.state import BANK, COIN

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, CampaignView
    from chronicle.core.house_rules import ExtensionPoint


class UniversalisSettings(Settings):
    """What a campaign of Universalis settles before it begins (U1.3)."""

    start_coins = option(
        EitherOf(whole(0), MapOf(NAME, whole(0)), words="a number, or {player: Coins}"),
        "Coins that each player starts with",
        default=25,
    )
    refreshment = option(whole(0), "Coins for each player after a scene", default=5)
    preparation = option(
        choice("played", "skipped"),
        "Do you begin with Tenets (rules of the story that all agree on)? played: yes; skipped: no",
        default="played",
    )
    first = option(NAME, "the starting player; without it, the player who acts first")
    add_ons = option(ADD_ONS, "add-ons of the book in force from the start", default=())


class Universalis(GameInModules[State]):
    """The rules of Universalis."""

    name = "universalis"
    title = "Universalis"
    least_players = 3
    summary = (
        "There is no game master. You bid Coins to begin a scene, and each fact of the story "
        "costs a Coin. If two players want different things, dice decide who tells what happens; "
        "the facts that were paid for give the dice."
    )
    settings = UniversalisSettings
    law = LAW
    buttons = (
        {
            "bid": "Bid",
            "scene": "Scene",
            "tenet": "Tenet",
            "gimmick": "Gimmick",
            "pass": "Pass",
            "tell": "Tell",
            "say": "Say",
            "fine": "Fine",
            "aside": "Aside",
        },
        {
            "event": "Event",
            "fact": "Fact",
            "introduce": "Introduce",
            "draw": "Draw",
            "buy": "Buy dice",
            "roll": "Roll dice",
            "end turn": "End turn",
            "tell": "Tell",
            "say": "Say",
            "trait": "Trait",
            "take over": "Take over",
            "complication": "Complication",
            "challenge": "Challenge",
        },
    )
    questions = QUESTIONS
    requests = ("interrupt", "challenge")
    accounts: ClassVar[Mapping[str, str]] = {
        "wealth": "Coins",
        "bid": "Bids on the table",
        "bonus": "Bonus Coins being told",
        BANK: "The Bank",
        # Accounts of optional rules:
        "challenge": "Lost bids that pay for a change",
        "endowment": "Endowments",
        "phase": "Coins of a phase",
        "plot": "Plot Pools",
        "between": "Coins for work between sessions",
    }
    supplies = frozenset({BANK})
    stretch_verbs = ("mirror", "scene")
    handlers: ClassVar[Mapping[type[Action], Handler]] = {
        preparation.ProposeTenet: carry_out,
        preparation.ProposeGimmick: carry_out,
        Adopt: carry_out,
        preparation.EndGimmick: carry_out,
        flow.PassTurn: carry_out,
        flow.EndTurn: carry_out,
        bids.BidForScene: carry_out,
        framing.FrameScene: carry_out,
        framing.MiniScene: carry_out,
        scenes.EndScene: carry_out,
        refreshment.Refresh: carry_out,
        flow.BreakIn: carry_out,
        components.Introduce: carry_out,
        components.Create: carry_out,
        alterations.AddTrait: carry_out,
        alterations.AddWound: carry_out,
        alterations.AddGroup: carry_out,
        alterations.GiveName: carry_out,
        alterations.WordRole: carry_out,
        alterations.Tie: carry_out,
        belongings.Possess: carry_out,
        belongings.Separate: carry_out,
        belongings.MakeMaster: carry_out,
        belongings.MakeSub: carry_out,
        belongings.Negate: carry_out,
        belongings.Inherit: carry_out,
        removals.RemoveTrait: carry_out,
        removals.RestoreTrait: carry_out,
        removals.UseUp: carry_out,
        fates.Reduce: carry_out,
        fates.Eliminate: carry_out,
        fates.BringBack: carry_out,
        narration.MoveLocation: carry_out,
        narration.JumpTime: carry_out,
        narration.LeaveScene: carry_out,
        narration.StateAbsent: carry_out,
        narration.Event: carry_out,
        narration.StateFact: carry_out,
        control.TakeOver: carry_out,
        control.StartDialog: carry_out,
        control.EndDialog: carry_out,
        Say: control.say,
        Sealed: sealed_bids.seal,
        Reveal: sealed_bids.reveal,
        complications.Complicate: carry_out,
        complications.PlaceObstacle: carry_out,
        drawing.DrawTraits: carry_out,
        pools.BuyDice: carry_out,
        complications.Declare: carry_out,
        complications.CallClosing: carry_out,
        rolls.RollDice: carry_out,
        outcomes.TellOutcome: carry_out,
        outcomes.CancelCoins: carry_out,
        outcomes.KeepCoins: carry_out,
        complications.Abandon: carry_out,
        disputes.RaiseChallenge: carry_out,
        fines.LevyFine: carry_out,
        transfers.Lend: carry_out,
        transfers.Repay: carry_out,
        transfers.Give: carry_out,
    }
    verbs = tuple(verb for verb, handler in handlers.items() if handler is carry_out)
    rulings = RULINGS
    on_demand = ON_DEMAND
    measures = MEASURES
    things = THINGS

    def extension(self, name: str) -> Extension:
        """What an add-on brings in."""
        optional_rule = add_on(name)
        return Extension(optional_rule.verbs, optional_rule.measures, optional_rule.rulings)

    def registry(self) -> Registry:
        """All rules and rulings: of the core game, then of the add-ons."""
        add_ons = all_add_ons()
        rules = [
            *self.submodule("rules").RULES,
            *(rule for add_on in add_ons for rule in add_on.rules),
        ]
        rulings = [*RULINGS, *(ruling for add_on in add_ons for ruling in add_on.rulings)]
        return Registry(self.name, rules, rulings, self.submodule("terms").TERMS)

    def optional_rules(self) -> tuple[OptionalRule, ...]:
        """The add-ons."""
        from chronicle.games.universalis.addons.specimens import specimen

        return tuple(
            OptionalRule(
                kind.code,
                kind.key,
                kind.title,
                kind.summary,
                kind.changes,
                tuple((name, field.doc) for name, field in kind.parameters.fields.items()),
                specimen(kind.key),
                tuple(name for name, field in kind.parameters.fields.items() if field.required),
            )
            for kind in all_add_ons()
        )

    def start(self, play: GameContext[State]) -> State:
        """Coins are handed out (U1.3)."""
        settings = play.campaign.settings
        coins = getattr(settings, "start_coins", 25)
        each: dict[str, int] = {}
        if isinstance(coins, dict):
            for word, amount in coins.items():
                seat = self._set_for(play, word, "start coins")
                if seat is not None:
                    each[seat.id] = amount
        default = coins if isinstance(coins, int) else 25
        state = State(CoreRules(each, default, int(getattr(settings, "refreshment", 5))))
        play.state = state
        adopt_all(play, getattr(settings, "add_ons", ()))
        self.house_changed(play)
        for player in play.seats:
            amount = state.points.starting_coins(play, player)
            play.move(BANK, f"wealth:{player}", amount, COIN, "U1.3", "start")
        play.suspect(
            len({each.get(p, default) for p in play.seats}) > 1,
            "U1.3",
            "players start with different numbers of Coins",
            at=play.campaign.settings_place(),
            help="a Gimmick may say so; otherwise all start alike",
        )
        first = getattr(settings, "first", None)
        named = self._set_for(play, first, "first") if first is not None else None
        state.turn = named.id if named is not None else (play.seats[0] if play.seats else "")
        if named is not None:
            state.starter = state.turn
            state.begun = False
        return state

    @property
    def points(self) -> Sequence[ExtensionPoint]:
        """Every question that has a figure or a yes or no for an answer."""
        return tuple(self.submodule("computed").POINTS)

    def house_changed(self, play: GameContext[State]) -> None:
        """A rule of the table's own is a layer on the others, where it has a formula."""
        if any(rule.formulas for rule in play.adopted_rules.rules.values()):
            self.submodule("computed").lay_house_rules(play)

    @staticmethod
    def _set_for(play: GameContext[State], word: ScalarNode, setting: str) -> Named | None:
        """The player whom a setting names; reports a name that no player has."""
        match = play.names.find(word, (PLAYER,))
        if isinstance(match, Named):
            return match
        play.unreadable(
            "T50",
            f"'{setting}' names '{word}', who is no player of this campaign"
            f"{did_you_mean(word, list(play.seats))}",
            at=play.campaign.settings_place(),
            help=f"players: {', '.join(play.seats)}",
            fix=replace_with(
                nearest_words(word, list(play.seats)),
                place_of(word, play.campaign.path),
                is_told=True,
            ),
        )
        return None

    def open_session(self, play: GameContext[State], session: Session) -> None:
        """Coins and open scenes are carried over; who has the turn and is not there hands it on."""
        flow.left_table(play)
        for layer in play.state.add_ons:
            layer.session_opened(play, session)
        turns.between_sessions(play)

    def close_session(self, play: GameContext[State], session: Session) -> None:
        """Gimmicks limited to the session end with it."""
        for layer in play.state.add_ons:
            layer.session_closed(play, session)
        retire_scope(play, "session")

    def finish(self, play: GameContext[State]) -> None:
        """Coins of a last outcome that no player told are kept."""
        if play.state.running and not play.state.purses:
            outcomes.outcome_over(play)

    def for_readers(self, play: GameContext[State]) -> None:
        """What waits on other branches is seen as well."""
        for key in dict.fromkeys(adoption.key for adoption in play.state.adoptions):
            add_on(key).finished(play)

    def other_names(self, play: GameContext[State]) -> Sequence[Names]:
        """The names of other branches."""
        keys = dict.fromkeys(adoption.key for adoption in play.state.adoptions)
        return [names for key in keys for names in add_on(key).other_names(play)]

    def actor(self, play: GameContext[State], action: Action) -> str:
        """Who acts when the log does not say: whose outcome is told, who speaks or has the turn, or
        whoever decides by the law."""
        if play.state.purses:
            return play.state.purses[-1].player
        if play.given:
            return ""
        if isinstance(action, Tell | Say):
            return next(iter(turns.on_turn(play, action)), "")
        return super().actor(play, action)

    def skip(self, play: GameContext[State], player: str) -> bool:
        """Somebody is away: the next player clockwise goes on."""
        return flow.pass_over(play, player)

    def on_unrecorded_actor(self, play: GameContext[State], action: Action) -> None:
        """A statement counts for every player; anything else leaves open who has what until a scene is
        framed."""
        if type(action) in turns.ANY_PLAYER_VERBS:
            play.gaps.add(play.step.number, ("turns",))
        elif action.verb in self.own_verbs:
            play.gaps.add(play.step.number, (), (*self.stretch_verbs, "snapshot"))

    def player_of(self, play: GameContext[State], named: Named) -> str:
        """Who speaks for a Component: its Controller in the scene at hand."""
        return turns.player_of(play, named)

    def may_be_struck(self, entries: Sequence[Action]) -> Iterator[tuple[Action, Action]]:
        """The entry that is Challenged or judged: the entry named, or the last act above."""
        return disputes.may_be_struck(entries)

    def before(self, play: GameContext[State], action: Action) -> None:
        """Hold what may come now, and from whom."""
        turns.before_entry(play, action)
        for layer in play.state.add_ons:
            layer.before_entry(play, action)
        play.state.bill_from = len(play.ledger.postings)

    def after(self, play: GameContext[State], action: Action) -> None:
        """The bill is paid."""
        turns.after_entry(play, action)
        if isinstance(action, Gap):
            turns.gap(play, action)
        elif isinstance(action, PlayStarts):
            turns.play_starts(play, action)
        elif isinstance(action, Leave):
            flow.left_table(play)
        for layer in play.state.add_ons:
            layer.after_entry(play, action)

    def situation(self, play: GameContext[State]) -> str:
        """Where play is."""
        return situation(play)

    def standing(self, play: GameContext[State]) -> Standing:
        """Where play is, in parts."""
        return standing_of(play)

    def options(self, play: GameContext[State]) -> list[Move]:
        """What may come next, by the declarations and guards of the verbs; add-ons have a say."""
        if play.given or not play.present:
            return []
        moves = legal_moves(play, LAW, self.handlers)
        proposed_moves: list[Move] = self.submodule("proposals").proposed(play, moves)
        return proposed_moves

    def offers(self, play: GameContext[State], verb: str, by: str) -> Iterable[Offer]:
        """Components, Traits, Pools and purses that fit."""
        offered: Iterable[Offer] = self.submodule("offers").offers(play, verb, by)
        return offered

    def why_not_played(self, play: GameContext[State], verb: str) -> str:
        """The add-on of a verb that is not in force."""
        owner = ON_DEMAND.extension_by_verb.get(verb)
        is_in_force = owner is None or any(owner == layer.key for layer in play.state.add_ons)
        return "" if is_in_force else f"only with the add-on {owner}"

    def why_not(self, play: GameContext[State], verb: type[Action]) -> str:
        """Why a verb may not come now."""
        return super().why_not(play, verb) or str(self.submodule("offers").why_not(play, verb))

    def owing(self, play: GameContext[State]) -> tuple[Block, ...]:
        """Loans, and what is due for work around the table."""
        return tuple(self.submodule("view").owing(play))

    def panel(self, play: GameContext[State]) -> tuple[Block, ...]:
        """Coins, the turn, the palette of the open scene, open Complications."""
        return tuple(self.submodule("view").panel(play))

    def stand(self, view: CampaignView) -> None:
        """Every Component in a few words, and how they hang together."""
        self.submodule("view").stand(view)


RULEBOOK = Universalis
