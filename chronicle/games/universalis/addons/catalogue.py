"""All add-ons, in the order of their ids, and what the game's own tables need to know of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from chronicle.core.declare import Action
from chronicle.core.rulebook import Handler, Measure
from chronicle.games.universalis.addons.all_or_none import AllOrNone
from chronicle.games.universalis.addons.alternate_reality import AlternateReality
from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.addons.best_effort import BestEffort
from chronicle.games.universalis.addons.between_sessions import BetweenSessions
from chronicle.games.universalis.addons.cards_as_coins import CardsAsCoins
from chronicle.games.universalis.addons.cards_instead_of_dice import CardsInsteadOfDice
from chronicle.games.universalis.addons.choice_of_pool_method import ChoiceOfPoolMethod
from chronicle.games.universalis.addons.coin_options import CoinOptions
from chronicle.games.universalis.addons.creation_phases import CreationPhases
from chronicle.games.universalis.addons.dice_only_added import DiceOnlyAdded
from chronicle.games.universalis.addons.durable import Durable
from chronicle.games.universalis.addons.endowment import Endowment
from chronicle.games.universalis.addons.enigma import Enigma
from chronicle.games.universalis.addons.everybody_present import EverybodyPresent
from chronicle.games.universalis.addons.extended_complications import ExtendedComplications
from chronicle.games.universalis.addons.first_refreshment import FirstRefreshment
from chronicle.games.universalis.addons.free_dialog import FreeDialog
from chronicle.games.universalis.addons.friendly_control import FriendlyControl
from chronicle.games.universalis.addons.greater_control import GreaterControl
from chronicle.games.universalis.addons.independent_target_pools import IndependentTargetPools
from chronicle.games.universalis.addons.individual_pools import IndividualPools
from chronicle.games.universalis.addons.jobs import Jobs
from chronicle.games.universalis.addons.judgment import Judgment
from chronicle.games.universalis.addons.losing_challenge_bids import LosingChallengeBids
from chronicle.games.universalis.addons.named_limit import NamedLimit
from chronicle.games.universalis.addons.nested_complications import NestedComplications
from chronicle.games.universalis.addons.new_players import NewPlayers
from chronicle.games.universalis.addons.no_duplicates import NoDuplicates
from chronicle.games.universalis.addons.no_new_traits import NoNewTraits
from chronicle.games.universalis.addons.one_trait import OneTrait
from chronicle.games.universalis.addons.open_scene_framing import OpenSceneFraming
from chronicle.games.universalis.addons.paragraph import Paragraph
from chronicle.games.universalis.addons.player_characters import PlayerCharacters
from chronicle.games.universalis.addons.plot_pools import PlotPools
from chronicle.games.universalis.addons.plot_protection import PlotProtection
from chronicle.games.universalis.addons.plot_threads import PlotThreads
from chronicle.games.universalis.addons.protagonist import Protagonist
from chronicle.games.universalis.addons.public_domain import PublicDomain
from chronicle.games.universalis.addons.refreshment_boost import RefreshmentBoost
from chronicle.games.universalis.addons.revisit_tenets import RevisitTenets
from chronicle.games.universalis.addons.royalty import Royalty
from chronicle.games.universalis.addons.seed_element import SeedElement
from chronicle.games.universalis.addons.serial_structure import SerialStructure
from chronicle.games.universalis.addons.several_tenets import SeveralTenets
from chronicle.games.universalis.addons.six_sided_dice import SixSidedDice
from chronicle.games.universalis.addons.split_allocation import SplitAllocation
from chronicle.games.universalis.addons.standard_intersession import StandardIntersession
from chronicle.games.universalis.addons.standard_pool import StandardPool
from chronicle.games.universalis.addons.story_drivers import StoryDrivers
from chronicle.games.universalis.addons.using_challenge_bids import UsingChallengeBids

CATALOGUE: tuple[type[AddOn], ...] = (
    FirstRefreshment,
    CreationPhases,
    SerialStructure,
    Jobs,
    SeveralTenets,
    SeedElement,
    OpenSceneFraming,
    Judgment,
    AlternateReality,
    FriendlyControl,
    FreeDialog,
    LosingChallengeBids,
    UsingChallengeBids,
    CardsAsCoins,
    GreaterControl,
    PublicDomain,
    Royalty,
    PlayerCharacters,
    Endowment,
    PlotProtection,
    Paragraph,
    StoryDrivers,
    Durable,
    Enigma,
    RefreshmentBoost,
    NoNewTraits,
    NamedLimit,
    OneTrait,
    NoDuplicates,
    Protagonist,
    PlotPools,
    PlotThreads,
    DiceOnlyAdded,
    ChoiceOfPoolMethod,
    StandardPool,
    IndependentTargetPools,
    SplitAllocation,
    IndividualPools,
    AllOrNone,
    BestEffort,
    NestedComplications,
    SixSidedDice,
    ExtendedComplications,
    CardsInsteadOfDice,
    StandardIntersession,
    EverybodyPresent,
    RevisitTenets,
    NewPlayers,
    CoinOptions,
    BetweenSessions,
)
"""Every add-on. A new one is a module and its name here."""

BY_KEY: Mapping[str, type[AddOn]] = MappingProxyType({one.key: one for one in CATALOGUE})
"""Add-ons by what logs call them."""

BY_VERB: Mapping[type[Action], type[AddOn]] = MappingProxyType(
    {verb: one for one in CATALOGUE for verb in one.verbs}
)
"""Which add-on an entry belongs to."""

HANDLERS: Mapping[type[Action], Handler] = MappingProxyType(
    {verb: handler for one in CATALOGUE for verb, handler in one.verbs.items()}
)
"""What their entries do."""

MEASURES: Mapping[str, Measure] = MappingProxyType(
    {name: measure for one in CATALOGUE for name, measure in one.measures.items()}
)
"""What can be asserted of them."""
