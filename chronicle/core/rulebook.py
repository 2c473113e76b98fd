"""What a game tells the core about itself. A seventh game is one subclass and its handlers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from chronicle.core.campaign import Session, Settings
from chronicle.core.common import COMMON_HANDLERS, COMMON_VERBS
from chronicle.core.declare import Action
from chronicle.core.law import Law, Plan, actor_by_law, allows, plan_of
from chronicle.core.names import PLAYER
from chronicle.core.play import Due, Limits, Measure, Offer, Option, Pad, Play, Playable, Thrown
from chronicle.core.rules import Erratum, Registry, Ruling

if TYPE_CHECKING:
    from chronicle.core.book import Block, Book
    from chronicle.core.outcomes import Results

S = TypeVar("S")
V = TypeVar("V")

NOT_BELOW_ZERO = Limits(0)
_NEXT_WORD = re.compile(r"(?<!^)(?=[A-Z])")
YES = frozenset({"yes", "true", "y", "on"})

Handler = Callable[["Play[Any]", Any], None]
"""What one verb does: ``handler(play, action)`` requires, pays and changes."""


def by_name(verbs: ModuleType, *chapters: ModuleType) -> Mapping[type[Action], Handler]:
    """The verbs that a module declares, in their order, each with the function of one of the chapters that
    is called as it is: ``open_scene`` is what ``OpenScene`` does (and ``exit_`` what ``Exit`` does)."""
    found: dict[type[Action], Handler] = {}
    for kind in vars(verbs).values():
        if getattr(kind, "__module__", "") != verbs.__name__ or not getattr(kind, "verb", ""):
            continue
        name = _NEXT_WORD.sub("_", kind.__name__).lower()
        does: list[Any] = [
            thing
            for chapter in chapters
            for thing in map(vars(chapter).get, (name, f"{name}_"))
            if getattr(thing, "__module__", "") == chapter.__name__
        ]
        if len(does) != 1:
            raise LookupError(f"{len(does)} functions of the chapters are called {name}, not one")
        found[kind] = does[0]
    return found


def account_measure(
    doc: str, kinds: tuple[str, ...], account: str, unit: str, limits: Limits = NOT_BELOW_ZERO
) -> Measure:
    """A figure that is the balance of ``account:ID`` (or of ``account``, without kinds). It is set
    by an adjustment in the ledger and answers to the rule of its last movement."""

    def name(id: str) -> str:
        return f"{account}:{id}" if id else account

    def read(play: Play[Any], id: str) -> int:
        return play.balance(name(id), unit)

    def write(play: Play[Any], id: str, stated: str) -> None:
        play.adjust(name(id), stated, unit)

    return Measure(
        doc,
        kinds,
        read,
        write,
        lambda play, id: play.ledger.last_rule(unit, name(id)),
        lambda play, id: limits,
        about="purses",
        account=account,
        unit=unit,
    )


def flag_measure(
    doc: str,
    kinds: tuple[str, ...],
    read: Callable[[Play[Any], str], bool],
    write: Callable[[Play[Any], str, bool], None],
) -> Measure:
    """Something that is so or not: stated as yes or no."""

    def said(play: Play[Any], id: str) -> str:
        return "yes" if read(play, id) else "no"

    def set_to(play: Play[Any], id: str, stated: str) -> None:
        write(play, id, stated.strip().casefold() in YES)

    return Measure(doc, kinds, said, set_to, words=("yes", "no"))


def _set_present(play: Play[Any], id: str, here: bool) -> None:
    if here and id not in play.present:
        play.present.append(id)
        play.present.sort(key=[p.name for p in play.players].index)
    elif not here and id in play.present:
        play.present.remove(id)


COMMON_MEASURES: Mapping[str, Measure] = {
    "present": flag_measure(
        "whether a player is at the table",
        (PLAYER,),
        lambda play, id: id in play.present,
        _set_present,
    )._replace(about="cast")
}
"""Figures of every game."""


class OnDemand(NamedTuple):
    """Words that only an optional rule knows, each with the name of that rule: what belongs to it is
    imported when a log first says one of them."""

    verbs: Mapping[str, str] = MappingProxyType({})
    measures: Mapping[str, str] = MappingProxyType({})
    rulings: Mapping[str, str] = MappingProxyType({})


class Extension(NamedTuple):
    """What an optional rule brings into its game."""

    verbs: Mapping[type[Action], Handler]
    measures: Mapping[str, Measure]
    rulings: tuple[Ruling, ...]


class Table(Mapping[str, V]):
    """Things by name, in order. Some are only named until somebody asks for them: ``fetch`` brings
    them, by :meth:`bring`."""

    def __init__(self, names: tuple[str, ...], fetch: Callable[[str], None]) -> None:
        self._names = dict.fromkeys(names)
        self._known: dict[str, V] = {}
        self._fetch = fetch

    def bring(self, things: Mapping[str, V]) -> None:
        """Know some of them from now on."""
        self._known.update(things)

    def __getitem__(self, name: str) -> V:
        if name not in self._known and name in self._names:
            self._fetch(name)
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _AtWork(dict[type[Action], tuple[Plan | None, Handler]]):
    """What is found out of each verb when its first entry is played."""

    def __init__(self, find: Callable[[type[Action]], tuple[Plan | None, Handler]]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, kind: type[Action]) -> tuple[Plan | None, Handler]:
        found = self[kind] = self._find(kind)
        return found


class Rulebook(Playable[S]):
    """One game: its verbs, its state, its handlers, its rules, its Book."""

    settings: ClassVar[type[Settings]] = Settings
    handlers: ClassVar[Mapping[type[Action], Handler]] = {}
    """Its verbs, in the order of the reference, and what each does; or one of all games does otherwise."""
    measures: ClassVar[Mapping[str, Measure]] = {}
    rulings: ClassVar[tuple[Ruling, ...]] = ()
    """The silent points of its rules."""
    law: ClassVar[Law | None] = None
    """Who decides, who may be named and when, held before a handler runs."""
    on_demand: ClassVar[OnDemand] = OnDemand()
    """What its optional rules add to the verbs, measures and rulings; :meth:`extension` has the rest."""

    def __init__(self) -> None:
        own = {verb.verb: verb for verb in self.handlers if verb not in COMMON_HANDLERS}
        common = {verb.verb: verb for verb in COMMON_VERBS}
        late = self.on_demand
        self.own_verbs: tuple[str, ...] = (*own, *late.verbs)
        """Names of the verbs that other games do not have."""
        self.by_verb: Table[type[Action]] = Table(
            (*self.own_verbs, *common), lambda name: self._extend(late.verbs[name])
        )
        self.by_verb.bring(common | own)
        self.by_measure: Table[Measure] = Table(
            (*COMMON_MEASURES, *self.measures, *late.measures),
            lambda name: self._extend(late.measures[name]),
        )
        self.by_measure.bring({**COMMON_MEASURES, **self.measures})
        self.defaults: Table[str] = Table(
            (*(ruling.key for ruling in self.rulings), *late.rulings),
            lambda name: self._extend(late.rulings[name]),
        )
        self.defaults.bring({ruling.key: ruling.default for ruling in self.rulings})
        self._handlers: dict[type[Action], Handler] = {**COMMON_HANDLERS, **self.handlers}
        self.at_work: Mapping[type[Action], tuple[Plan | None, Handler]] = _AtWork(self._work_of)
        """What the law looks at in the entries of a verb (None: at nothing), and what they do."""

    def __reduce__(self) -> tuple[type[Rulebook[S]], tuple[()]]:
        # A rulebook has no state of its own: a copy of a game is played by the same rules.
        return (type(self), ())

    def _extend(self, name: str) -> None:
        extension = self.extension(name)
        self.by_verb.bring({verb.verb: verb for verb in extension.verbs})
        self.by_measure.bring(extension.measures)
        self.defaults.bring({ruling.key: ruling.default for ruling in extension.rulings})
        self._handlers.update(extension.verbs)

    def _work_of(self, kind: type[Action]) -> tuple[Plan | None, Handler]:
        if kind not in self._handlers:
            self._extend(self.on_demand.verbs[kind.verb])
        plan = plan_of(kind, self.law) if self.law is not None else None
        return plan, self._handlers[kind]

    def extension(self, name: str) -> Extension:
        """What an optional rule brings in, by the name that ``on_demand`` gives it."""
        raise NotImplementedError

    def embodied(self, play: Play[S], player: str) -> str:
        """As the law of the game has it."""
        return self.law.embodied(play, player) if self.law is not None else ""

    def why_not(self, play: Play[S], verb: type[Action]) -> str:
        """Why a verb may not come now, in a few words; empty where nobody can say that it may not."""
        law = self.law
        if law is None or allows(law, play, verb):
            return ""
        return f"now {law.phases[law.phase(play)].words}"

    def besides(self, verb: str, path: tuple[str, ...]) -> Mapping[str, str]:
        """What an entry of a verb says under further keys where it says what an offer does:
        ``{"goals": "opposed"}``."""
        return {}

    def may_fall(self, play: Play[S]) -> list[Due]:
        """The dice that an entry throws which nobody owes: what each would throw if it came now."""
        return []

    def open_session(self, play: Play[S], session: Session) -> None:
        """A new evening begins."""

    def close_session(self, play: Play[S], session: Session) -> None:
        """The log of an evening is over (which is no fault: the next one may go on from here)."""

    def finish(self, play: Play[S]) -> None:
        """The whole record has been read: what is still owed is asked here."""

    def for_readers(self, play: Play[S]) -> None:
        """Called last, where somebody is to read the record: what they see besides what stands now is
        put there. Nothing is found here."""

    def actor(self, play: Play[S], action: Action) -> str:
        """Whose act an entry without ``by`` is: a player's name, or empty for the table's."""
        return actor_by_law(play, action, self.law) if self.law is not None else ""

    def by_somebody(self, play: Play[S], action: Action) -> None:
        """Called for an entry of which nobody wrote down whose it is: what hangs on that is not known
        until somebody says how things stand."""
        if action.verb in self.own_verbs:
            play.holes.open(play.step.index, (), ("snapshot",))

    def may_be_struck(self, entries: Sequence[Action]) -> Iterable[tuple[Action, Action]]:
        """Entries of one evening that may be struck, each with the one further down that may do so, as
        far as can be told before any is played. To strike another one takes longer, and no more."""
        return ()

    def before(self, play: Play[S], action: Action) -> None:
        """Called before every entry's handler (state machines ask here whether it may come now)."""

    def after(self, play: Play[S], action: Action) -> None:
        """Called after every entry's handler."""

    def fill(self, book: Book) -> None:
        """Add the game's own views to a Book whose general parts are made."""

    def stand(self, book: Book) -> None:
        """Add what is kept of every evening: who and what there is, with all that can be said of them,
        their relations, and the loose ends. A game with much to show leaves out the rest."""
        self.fill(book)

    def results(self) -> Results:
        """Which events of the game are outcomes, and how each is told; by default none."""
        from chronicle.core.outcomes import Results

        return Results()

    def new_campaign(self) -> dict[str, str]:
        """The files of a fresh campaign for ``chronicle new``: relative name to text. They check
        clean and explain themselves in comments."""
        raise NotImplementedError


class InRooms(Rulebook[S]):
    """A game that is a package. What is asked for now and then stands in modules of their own there, which
    are imported then: ``rules`` (``RULES``, ``ERRATA``), ``terms``, ``due``, ``options``, ``view``, ``fresh``."""

    def room(self, name: str) -> Any:
        """A module of the game's package."""
        return import_module(f"{type(self).__module__}.{name}")

    def registry(self) -> Registry:
        """All rules and rulings."""
        rules, terms = self.room("rules").RULES, self.room("terms").TERMS
        return Registry(self.name, rules, self.rulings, terms)

    def errata(self) -> tuple[Erratum, ...]:
        """Where the text and its own rules disagree."""
        found: tuple[Erratum, ...] = self.room("rules").ERRATA
        return found

    def due(self, play: Play[S]) -> list[Due]:
        """What is owed now."""
        owed: list[Due] = self.room("due").due(play)
        return owed

    def thrown(self, verb: str, dice: Sequence[Thrown], within: str = "") -> dict[str, Any]:
        """The entry for what fell, as the game writes it, if it does so in its own way."""
        found: dict[str, Any] = getattr(self.room("due"), "thrown", super().thrown)(
            verb, dice, within
        )
        return found

    def pad(self, play: Play[S], due: Due) -> Pad | None:
        """What a thing that is due can show."""
        shown: Pad | None = self.room("due").pad(play, due)
        return shown

    def odds(self, play: Play[S], due: Sequence[Due]) -> list[str]:
        """What may come of what is due to be thrown, and how likely."""
        lines: list[str] = self.room("due").odds(play, due)
        return lines

    def options(self, play: Play[S]) -> list[Option]:
        """What may come next."""
        return [*self.room("options").options(play)]

    def offers(self, play: Play[S], verb: str, by: str) -> Iterable[Offer]:
        """The values that fit the keys of a verb now, if the game says any."""
        found = getattr(self.room("options"), "offers", super().offers)
        return [*found(play, verb, by)]

    def panel(self, play: Play[S]) -> tuple[Block, ...]:
        """The state of play, as its own page begins."""
        return tuple(self.room("view").panel(play.state, play.ledger))

    def fill(self, book: Book) -> None:
        """The game's own pages."""
        self.room("view").fill(book)

    def results(self) -> Results:
        """Which events of the game are outcomes, and how each is told."""
        if find_spec(f"{type(self).__module__}.results") is None:
            return super().results()
        found: Results = self.room("results").RESULTS
        return found

    def new_campaign(self) -> dict[str, str]:
        """A first evening, explained in comments."""
        return dict(self.room("fresh").FILES)
