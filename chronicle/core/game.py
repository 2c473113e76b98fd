"""The interface between a game and the core. A new game is a subclass of :class:`Game` with handlers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from chronicle.core.answers import Limits, Move, Obligation, Offer, Pad, Thrown
from chronicle.core.campaign import Session, Settings
from chronicle.core.declare import Action
from chronicle.core.figure_names import figure_key
from chronicle.core.game_context import GameContext, Measure, Playable
from chronicle.core.guards import carry_out
from chronicle.core.law import (
    CheckPlan,
    Law,
    check_plan_of,
    current_phase,
    default_actor,
    is_verb_allowed,
    missing_subject,
)
from chronicle.core.ledger import kind_of
from chronicle.core.moves import legal_moves
from chronicle.core.names import PLAYER, Names
from chronicle.core.rules import (
    Erratum,
    Registry,
    Rule,
    Ruling,
    read_errata,
    read_rules,
    read_rulings,
)
from chronicle.core.shared_verbs import COMMON_HANDLERS, COMMON_VERBS

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, CampaignView
    from chronicle.core.outcomes import Results
    from chronicle.core.record import Record

S = TypeVar("S")
V = TypeVar("V")

NOT_BELOW_ZERO = Limits(0)
_WORD_BOUNDARY = re.compile(r"(?<!^)(?=[A-Z])")
YES_WORDS = frozenset({"yes", "true", "y", "on"})

Handler = Callable[["GameContext[Any]", Any], None]
"""The effect of a verb: ``handler(play, action)`` checks, pays and changes."""


def by_name(verbs_module: ModuleType, *chapters: ModuleType) -> Mapping[type[Action], Handler]:
    """The verbs that a module declares, in order, each with its handler: the function in a chapter with the
    same name in snake case (``open_scene`` for ``OpenScene``, ``exit_`` for ``Exit``).

    Raises:
        LookupError: if a verb has no handler, or several.
    """
    handler_by_class: dict[type[Action], Handler] = {}
    for action_class in vars(verbs_module).values():
        if getattr(action_class, "__module__", "") != verbs_module.__name__ or not getattr(
            action_class, "verb", ""
        ):
            continue
        function_name = _WORD_BOUNDARY.sub("_", action_class.__name__).lower()
        possible_handlers: list[Any] = [
            function
            for chapter in chapters
            for function in map(vars(chapter).get, (function_name, f"{function_name}_"))
            if getattr(function, "__module__", "") == chapter.__name__
        ]
        if len(possible_handlers) != 1:
            raise LookupError(
                f"{len(possible_handlers)} functions of the chapters are called {function_name}, not one"
            )
        handler_by_class[action_class] = possible_handlers[0]
    return handler_by_class


def verbs_of(*chapters: ModuleType) -> tuple[type[Action], ...]:
    """The verbs that some chapters declare, with their guards and effects, in their order."""
    return tuple(
        chapter_member
        for chapter in chapters
        for chapter_member in vars(chapter).values()
        if isinstance(chapter_member, type)
        and issubclass(chapter_member, Action)
        and chapter_member.__module__ == chapter.__name__
        and chapter_member.verb
    )


def account_measure(
    doc: str,
    kinds: tuple[str, ...],
    account: str,
    unit: str,
    limits: Limits = NOT_BELOW_ZERO,
    *,
    sentence: str = "{of} has {amount}",
) -> Measure:
    """A figure that is the balance of ``account:ID`` (or of ``account``, without kinds). Setting it posts an
    adjustment. Its rule is the rule of the last posting. ``sentence`` says it in messages (see
    :class:`~chronicle.core.game_context.Measure`); without kinds the default is *the pot is 3*."""

    def account_of(owner_id: str) -> str:
        return f"{account}:{owner_id}" if owner_id else account

    def read(play: GameContext[Any], owner_id: str) -> int:
        return play.balance(account_of(owner_id), unit)

    def write(play: GameContext[Any], owner_id: str, stated_text: str) -> None:
        play.adjust(account_of(owner_id), stated_text, unit)

    return Measure(
        doc,
        kinds,
        read,
        write,
        lambda play, owner_id: play.ledger.last_rule(unit, account_of(owner_id)),
        lambda play, owner_id: limits,
        state_kind="purses",
        account=account,
        unit=unit,
        sentence=sentence if kinds or "{of}" not in sentence else "",
    )


def flag_measure(
    doc: str,
    kinds: tuple[str, ...],
    read: Callable[[GameContext[Any], str], bool],
    write: Callable[[GameContext[Any], str, bool], bool | None],
) -> Measure:
    """A yes-or-no figure. ``write`` gives False if it cannot be set so now."""

    def read_yes_or_no(play: GameContext[Any], owner_id: str) -> str:
        return "yes" if read(play, owner_id) else "no"

    def write_flag(play: GameContext[Any], owner_id: str, stated_text: str) -> bool | None:
        return write(play, owner_id, stated_text.strip().casefold() in YES_WORDS)

    return Measure(doc, kinds, read_yes_or_no, write_flag, words=("yes", "no"))


def _set_present(play: GameContext[Any], player: str, is_present: bool) -> None:
    if is_present and player not in play.present:
        play.present.append(player)
        play.present.sort(key=[player_at_table.name for player_at_table in play.players].index)
    elif not is_present and player in play.present:
        play.present.remove(player)


COMMON_MEASURES: Mapping[str, Measure] = {
    "present": flag_measure(
        "whether a player is at the table",
        (PLAYER,),
        lambda play, player_id: player_id in play.present,
        _set_present,
    )._replace(state_kind="cast", sentence="{of} is {not}present")
}
"""Figures of every game."""


class OnDemand(NamedTuple):
    """Words that belong to optional rules, each with the name of its extension. The module of an extension is
    imported when a log first uses one of its words."""

    extension_by_verb: Mapping[str, str] = MappingProxyType({})
    extension_by_measure: Mapping[str, str] = MappingProxyType({})
    extension_by_ruling: Mapping[str, str] = MappingProxyType({})


class Extension(NamedTuple):
    """The additions of an optional rule to its game."""

    verbs: Mapping[type[Action], Handler]
    measures: Mapping[str, Measure]
    rulings: tuple[Ruling, ...]


class LazyMapping(Mapping[str, V]):
    """An ordered mapping that may load its values on demand: ``fetch`` loads a value by calling
    :meth:`bring`."""

    def __init__(self, names: tuple[str, ...], fetch: Callable[[str], None]) -> None:
        self._names = dict.fromkeys(names)
        self._loaded: dict[str, V] = {}
        self._fetch = fetch

    def add_loaded(self, values: Mapping[str, V]) -> None:
        """Add loaded values."""
        self._loaded.update(values)

    def __getitem__(self, name: str) -> V:
        if name not in self._loaded and name in self._names:
            self._fetch(name)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _PlanCache(dict[type[Action], tuple[CheckPlan | None, Handler]]):
    """A cache of the plan and handler of each verb, filled when its first entry is replayed."""

    def __init__(
        self, find_plan_and_handler: Callable[[type[Action]], tuple[CheckPlan | None, Handler]]
    ) -> None:
        super().__init__()
        self._find = find_plan_and_handler

    def __missing__(self, action_class: type[Action]) -> tuple[CheckPlan | None, Handler]:
        plan_and_handler = self[action_class] = self._find(action_class)
        return plan_and_handler


class Game(Playable[S]):
    """A game: its verbs, state, handlers, rules and pages."""

    settings: ClassVar[type[Settings]] = Settings
    verbs: ClassVar[tuple[type[Action], ...]] = ()
    """Its verbs, in the order of the reference, each with its guards and its effect (:func:`verbs_of`)."""
    handlers: ClassVar[Mapping[type[Action], Handler]] = {}
    """The verbs whose effects are functions apart from them, each with its handler. A handler may replace that of
    a common verb."""
    measures: ClassVar[Mapping[str, Measure]] = {}
    rules: ClassVar[tuple[Rule, ...]] = ()
    """Its rules, for the default :meth:`registry`."""
    rulings: ClassVar[tuple[Ruling, ...]] = ()
    """The rulings of its rules."""
    law: ClassVar[Law | None] = None
    """Actors, roles and phases, checked before a handler runs."""
    on_demand: ClassVar[OnDemand] = OnDemand()
    """The verbs, measures and rulings of its optional rules; :meth:`extension` loads them."""

    def __init__(self) -> None:
        own_action_class_by_verb = {
            action_class.verb: action_class
            for action_class in (*self.handlers, *self.verbs)
            if action_class not in COMMON_HANDLERS
        }
        common_action_class_by_verb = {
            action_class.verb: action_class for action_class in COMMON_VERBS
        }
        on_demand = self.on_demand
        self.own_verbs: tuple[str, ...] = (*own_action_class_by_verb, *on_demand.extension_by_verb)
        """Names of the verbs that other games do not have."""
        self.by_verb: LazyMapping[type[Action]] = LazyMapping(
            (*self.own_verbs, *common_action_class_by_verb),
            lambda name: self._load_extension(on_demand.extension_by_verb[name]),
        )
        self.by_verb.add_loaded(common_action_class_by_verb | own_action_class_by_verb)
        self.by_measure: LazyMapping[Measure] = LazyMapping(
            (*COMMON_MEASURES, *self.measures, *on_demand.extension_by_measure),
            lambda name: self._load_extension(on_demand.extension_by_measure[name]),
        )
        self.by_measure.add_loaded({**COMMON_MEASURES, **self.measures})
        self.defaults: LazyMapping[str] = LazyMapping(
            (*(ruling.key for ruling in self.rulings), *on_demand.extension_by_ruling),
            lambda name: self._load_extension(on_demand.extension_by_ruling[name]),
        )
        self.defaults.add_loaded({ruling.key: ruling.default for ruling in self.rulings})
        carry_out_by_law = partial(carry_out, self.law)
        self._handlers: dict[type[Action], Handler] = {
            **COMMON_HANDLERS,
            **dict.fromkeys(self.verbs, carry_out_by_law),
            **self.handlers,
        }
        self.plan_and_handler_by_verb: Mapping[type[Action], tuple[CheckPlan | None, Handler]] = (
            _PlanCache(self._find_plan_and_handler)
        )
        """For each verb, its plan for the checks of the law (None: no checks) and its handler."""

    def __reduce__(self) -> tuple[type[Game[S]], tuple[()]]:
        # A rulebook has no state: a copied replay uses the same rules.
        return (type(self), ())

    def _load_extension(self, extension_name: str) -> None:
        extension = self.extension(extension_name)
        self.by_verb.add_loaded(
            {action_class.verb: action_class for action_class in extension.verbs}
        )
        self.by_measure.add_loaded(extension.measures)
        self.defaults.add_loaded({ruling.key: ruling.default for ruling in extension.rulings})
        self._handlers.update(extension.verbs)

    def _find_plan_and_handler(
        self, action_class: type[Action]
    ) -> tuple[CheckPlan | None, Handler]:
        if action_class not in self._handlers:
            self._load_extension(self.on_demand.extension_by_verb[action_class.verb])
        plan = check_plan_of(action_class, self.law) if self.law is not None else None
        return plan, self._handlers[action_class]

    def figure_key(self, figure: str) -> str:
        """The key of a figure by its name or account and its owner."""
        return figure_key(self.by_measure, self.accounts, figure)

    def state_of(self, figure: str) -> str:
        """The kind of state (``purses``) that a figure belongs to, by its key; empty if nobody counts it."""
        account_kind = kind_of(figure)
        return next(
            (
                measure.state_kind
                for measure_name, measure in self.by_measure.items()
                if account_kind in (measure_name, measure.account)
            ),
            "",
        )

    def extension(self, name: str) -> Extension:
        """Load an optional rule by the name in ``on_demand``."""
        raise NotImplementedError

    def embodied_character(self, play: GameContext[S], player: str) -> str:
        """The character that embodies the player, by the law of the game."""
        return self.law.embodied_character(play, player) if self.law is not None else ""

    def why_not_played(self, play: GameContext[S], verb: str) -> str:
        """The optional rule of a verb that the campaign does not play with, in a few words; empty for all others.
        Such a verb is neither a button nor among the actions, and no player can ask for it."""
        return ""

    def why_not(self, play: GameContext[S], verb: type[Action]) -> str:
        """The reason why a verb is not allowed now, in a few words; empty if it is possibly allowed."""
        if reason := self.why_not_played(play, verb.verb):
            return reason
        law = self.law
        if law is None:
            return ""
        if not is_verb_allowed(law, play, verb):
            return f"not now: {law.phases[current_phase(play, law)].words}"
        subject_words = missing_subject(law, play, verb)
        return f"not yet: it needs {subject_words}" if subject_words else ""

    def options(self, play: GameContext[S]) -> list[Move]:
        """What may come next, derived from the law and the guards of ``verbs``."""
        return legal_moves(play, self.law, self.verbs) if self.law is not None else []

    def besides(self, verb: str, path: tuple[str, ...]) -> Mapping[str, str]:
        """Further keys that an entry of a verb needs if it says the same as an offer: ``{"goals":
        "opposed"}``."""
        return {}

    def may_fall(self, play: GameContext[S]) -> list[Obligation]:
        """Dice that an entry may throw although they are not due: the throw it would make now."""
        return []

    def open_session(self, play: GameContext[S], session: Session) -> None:
        """A session begins."""

    def close_session(self, play: GameContext[S], session: Session) -> None:
        """A session ends. Open obligations are no error: the next session may continue."""

    def finish(self, play: GameContext[S]) -> None:
        """The replay has ended: report obligations that are still open."""

    def for_readers(self, play: GameContext[S]) -> None:
        """Called last if the record is read: add what readers see besides the final state. It reports no
        problems."""

    def other_names(self, play: GameContext[S]) -> Sequence[Names]:
        """The names of parts of the story that are not being told now, such as another branch."""
        return ()

    def actor(self, play: GameContext[S], action: Action) -> str:
        """The actor of an entry without ``by``: a player's name, or empty for the group."""
        return default_actor(play, action, self.law) if self.law is not None else ""

    def on_unrecorded_actor(self, play: GameContext[S], action: Action) -> None:
        """Called for an entry whose actor is not recorded. State that depends on the actor is unknown until
        a snapshot."""
        if action.verb in self.own_verbs:
            play.gaps.add(play.step.number, (), ("snapshot",))

    def may_be_struck(self, entries: Sequence[Action]) -> Iterable[tuple[Action, Action]]:
        """Pairs of an entry and a later entry of the same session or the next one that may retract it, if that is
        known before the replay. Other retractions work too, but take longer."""
        return ()

    def before(self, play: GameContext[S], action: Action) -> None:
        """Called before every handler; a game can check here whether the entry may come now."""

    def after(self, play: GameContext[S], action: Action) -> None:
        """Called after every entry's handler."""

    def fill(self, view: CampaignView) -> None:
        """Add the game's own views to a CampaignView with the general parts."""

    def stand(self, view: CampaignView) -> None:
        """Add the views that are kept for every session: the subjects with their words, their relations, and
        the loose ends. A game with many views should leave out the rest."""
        self.fill(view)

    def results(self) -> Results:
        """The events of the game that are outcomes, with the functions that describe them; by default none. A
        verb may give its outcomes itself."""
        from chronicle.core.outcomes import Results

        return Results()

    def registry(self) -> Registry:
        """All rules and rulings; by default ``rules`` and ``rulings`` of the class."""
        return Registry(self.name, self.rules, self.rulings)

    def new_campaign(self) -> dict[str, str]:
        """The files of a new campaign for ``chronicle new``: relative name to text. They pass the check, and
        comments explain them. By default these are the files of the folder ``first`` in the package of the game."""
        from importlib.resources import files  # It takes 10 ms, and no check needs it.

        folder = files(str(import_module(type(self).__module__).__package__)) / "first"
        return {
            file.name: file.read_text(encoding="utf-8")
            for file in folder.iterdir()
            if file.is_file()
        }


class _GamePackage(Game[S]):
    """A game that is a package, with its pages in a module ``view`` and its first session in a module ``fresh``."""

    def submodule(self, module_name: str) -> Any:
        """A module of the game's package."""
        return import_module(f"{type(self).__module__}.{module_name}")

    def has_submodule(self, module_name: str) -> bool:
        """Whether the game's package has this module."""
        return find_spec(f"{type(self).__module__}.{module_name}") is not None

    def panel(self, play: GameContext[S]) -> tuple[Block, ...]:
        """The state of play, as shown at the top of its page."""
        return tuple(self.submodule("view").panel(play.state, play.ledger))

    def fill(self, view: CampaignView) -> None:
        """The game's own pages."""
        self.submodule("view").fill(view)

    def new_campaign(self) -> dict[str, str]:
        """A first session, explained in comments."""
        return dict(self.submodule("fresh").FILES)


class GameInModules(_GamePackage[S]):
    """A game that is a package. Rarely used parts are modules of the package, imported on first use:
    ``rules`` (``RULES``, ``ERRATA``), ``terms``, ``due``, ``view``, ``fresh``, and ``options`` if the game lists
    next actions by hand."""

    def registry(self) -> Registry:
        """All rules and rulings."""
        rules, terms = self.submodule("rules").RULES, self.submodule("terms").TERMS
        return Registry(self.name, rules, self.rulings, terms)

    def errata(self) -> tuple[Erratum, ...]:
        """Contradictions between the text of the book and its own rules."""
        errata: tuple[Erratum, ...] = self.submodule("rules").ERRATA
        return errata

    def due(self, play: GameContext[S]) -> list[Obligation]:
        """The open obligations."""
        obligations: list[Obligation] = self.submodule("due").due(play)
        return obligations

    def thrown(self, verb: str, dice: Sequence[Thrown], within: str = "") -> dict[str, Any]:
        """The entry for dice that fell, if the game writes it in its own way."""
        entry: dict[str, Any] = getattr(self.submodule("due"), "thrown", super().thrown)(
            verb, dice, within
        )
        return entry

    def pad(self, play: GameContext[S], due: Obligation) -> Pad | None:
        """The possible results of an obligation."""
        result_pad: Pad | None = self.submodule("due").pad(play, due)
        return result_pad

    def odds(self, play: GameContext[S], due: Sequence[Obligation]) -> list[str]:
        """The possible results of the due throws, and their chances."""
        odds_lines: list[str] = self.submodule("due").odds(play, due)
        return odds_lines

    def options(self, play: GameContext[S]) -> list[Move]:
        """The possible next actions: those that the game lists, then those derived from guards."""
        listed_options = (
            self.submodule("options").options(play) if self.has_submodule("options") else ()
        )
        return [*listed_options, *super().options(play)]

    def offers(self, play: GameContext[S], verb: str, by: str) -> Iterable[Offer]:
        """The values that fit the keys of a verb now, if the game lists any."""
        list_offers = getattr(self.submodule("options"), "offers", super().offers)
        return [*list_offers(play, verb, by)]

    def results(self) -> Results:
        """The events of the game that are outcomes, with the functions that describe them."""
        if not self.has_submodule("results"):
            return super().results()
        results: Results = self.submodule("results").RESULTS
        return results


def _sort_key(rule_or_ruling: Rule | Ruling) -> list[tuple[int, str]]:
    """The number of a rule or ruling, to sort by: ``P9`` comes before ``P10``."""
    rule_number_parts = re.findall(r"\d+|[^\d.]+", rule_or_ruling.id)
    return [(int(part), "") if part.isdigit() else (0, part) for part in rule_number_parts]


class GameInChapters(_GamePackage[S]):
    """A game with a module for each chapter of its rule book. A chapter holds ``RULES``, ``READINGS``, ``TERMS`` and
    ``ERRATA`` as texts (none of them has to be there), and its verbs with their guards and effects. ``view``
    and ``fresh`` are modules of their own."""

    chapters: ClassVar[tuple[ModuleType, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.rulings = tuple(sorted(read_rulings(cls._join_texts("READINGS")), key=_sort_key))

    @classmethod
    def _join_texts(cls, attribute_name: str) -> str:
        """A text of all chapters."""
        chapter_texts = (
            getattr(chapter, attribute_name, "").strip("\n") for chapter in cls.chapters
        )
        return "\n".join(chapter_text for chapter_text in chapter_texts if chapter_text)

    def registry(self) -> Registry:
        """All rules and rulings."""
        rules = sorted(read_rules(self._join_texts("RULES")), key=_sort_key)
        return Registry(self.name, rules, self.rulings, self._join_texts("TERMS"))

    def errata(self) -> tuple[Erratum, ...]:
        """Where the text and its own rules disagree."""
        return read_errata(self._join_texts("ERRATA"))

    def results(self) -> Results:
        """The events of the game that are outcomes, each with its words."""
        results: Results = getattr(self.submodule("view"), "RESULTS", None) or super().results()
        return results


def results_of(record: Record) -> Results:
    """The events that are outcomes in the game of a record, besides those that its verbs give."""
    rulebook = record.rulebook
    if not isinstance(rulebook, Game):
        raise TypeError(f"{rulebook.name} is no rulebook")
    return rulebook.results()
