"""What was made of each evening, for as long as all that it was made from is what it was.

An evening's rows, moments and chapter are made from its own entries, from how things stood when it began, from
what later ones made of these, and from who and what is known in the whole campaign. All of this is compared:
an evening for which it differs is made again, and so are those after it unless only words were other words.
What is made from the words of the evenings before as well is made again from the first on that differs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import accumulate
from operator import and_, attrgetter
from typing import Any, NamedTuple, Protocol, TypeVar

from chronicle.core.book import Book, SessionView
from chronicle.core.ledger import Posting
from chronicle.core.record import Record
from chronicle.site.emblems import Emblem
from chronicle.site.findings import Redactor
from chronicle.site.pictures import Pictures
from chronicle.site.works import Works

K = TypeVar("K")
T = TypeVar("T")

_STEP = attrgetter(
    *("action", "action.step", "session", "player", "speaker", "scene", "parent", "headline"),
    *("fiction", "talk", "contest", "ladder", "weighing", "posting_range", "hidden", "unnamed"),
    *("struck", "undone", "bounds"),
)
_SCENE = attrgetter(
    *("title", "number", "frame", "time", "place", "opener", "kind", "parent", "branch"),
    *("first_step", "last_step", "closing", "continues"),
)
_MOVED = attrgetter("step", "source", "target", "amount", "unit")
_SHEET = attrgetter(
    "id", "names", "player", "registry", "shape", "spirit", "unnamed", "called", "weight"
)


class Known(Protocol):
    """What there is to know of a campaign on the site."""

    book: Book
    record: Record
    works: Works
    pictures: Pictures
    redactor: Redactor

    @property
    def ground(self) -> tuple[object, ...]:
        """What every page rests on."""

    @property
    def anchors(self) -> list[str]:
        """The anchor of each entry, in the order of the log."""

    @property
    def every_emblem(self) -> dict[str, Emblem]:
        """The emblems of all sheets, by their ids."""

    def opens(self, scene: int) -> int:
        """The entry that a scene's heading stands above."""


Evening = tuple[int, str, int]
"""How an evening is known: two may bear the same number."""
Made = dict[tuple[str, Evening], tuple[object, Any]]
"""By kind and evening: what else it was made from, and what was made."""


def _evening(session: SessionView) -> Evening:
    return session.number, session.title, session.steps[0].index if session.steps else 0


class _Sign(NamedTuple):
    """What an evening was made from, and the last evening that it looks at."""

    evening: Evening
    number: int
    made_from: tuple[Any, ...]
    scenes: tuple[Any, ...]
    """Its scenes, which may go on in later ones."""
    until: float


class _Own(NamedTuple):
    """What an evening says besides what pages are made from."""

    anchors: list[str]
    former: list[str]
    moved: list[Posting]
    places: list[tuple[str, int]]

    def moves_as(self, other: _Own) -> bool:
        """Whether it moves the same, whatever it says of it."""
        return self.moved == other.moved or [*map(_MOVED, self.moved)] == [
            *map(_MOVED, other.moved)
        ]


class Unchanged:
    """Keeps what was made of the evenings of a campaign, from one making of its pages to the next."""

    def __init__(self) -> None:
        self._setting: Any = None
        self._signs: list[_Sign] = []
        self._made: Made = {}
        """What was made of evenings and those before them."""
        self._own: list[_Own] = []
        """What each evening says by itself."""
        self._within: Made = {}
        """The same as what was made, of evenings and how things stood when they began."""
        self._alone: Made = {}
        """The same as what was made, of evenings by themselves."""
        self._whole: dict[str, tuple[object, Any]] = {}
        """By kind, what was made of the whole, and from what."""

    def begin(self, volume: Known) -> None:
        """Compare a campaign with what it was, and forget what holds no longer."""
        setting = _setting(volume)
        signs = [_sign(volume, one) for one in volume.book.sessions]
        own = [*_own(volume)]
        pairs = [*zip(signs, self._signs, own, self._own, strict=False)]
        like = [now == before and mine == its for now, before, mine, its in pairs]
        alike = {sign.evening for sign, same in zip(signs, like, strict=False) if same}
        _forget(self._alone, alike)
        if setting != self._setting:
            like = []
        first = like.index(False) if False in like else len(like)
        _forget(self._made, _seen_whole(signs, like[:first]))
        # Below an evening where something else moved, or other scenes began, nothing stands as it stood.
        stands = accumulate(
            (
                now.scenes == before.scenes and mine.moves_as(its)
                for now, before, mine, its in pairs
            ),
            and_,
            initial=True,
        )
        _forget(self._within, _seen_whole(signs, [*map(and_, like, stands)]))
        self._setting, self._signs, self._own = setting, signs, own

    def alone(self, kind: str, session: SessionView, besides: object, make: Callable[[], T]) -> T:
        """What is made of an evening and nothing else of the log: what there is of it, or else made now."""
        return _kept(self._alone, (kind, _evening(session)), besides, make)

    def within(self, kind: str, session: SessionView, besides: object, make: Callable[[], T]) -> T:
        """What is made of an evening and how things stood when it began: what there is of it, or else made
        now."""
        return _kept(self._within, (kind, _evening(session)), besides, make)

    def once(self, kind: str, session: SessionView, besides: object, make: Callable[[], T]) -> T:
        """What is made of an evening and those before it: what there is of it, or else made now. ``besides``
        is what else it is made from."""
        return _kept(self._made, (kind, _evening(session)), besides, make)

    def whole(self, kind: str, besides: object, make: Callable[[], T]) -> T:
        """What is made of nothing but ``besides``: what there is of it, or else made now."""
        return _kept(self._whole, kind, besides, make)


def _kept(known: dict[K, tuple[object, Any]], key: K, besides: object, make: Callable[[], T]) -> T:
    found = known.get(key)
    if found is None or found[0] != besides:
        found = known[key] = besides, make()
    made: T = found[1]
    return made


def _setting(volume: Known) -> tuple[Any, ...]:
    """Who and what is known in the whole campaign, as far as evenings are made from it."""
    book, record = volume.book, volume.record
    campaign = record.campaign
    first = next(iter(record.steps), None)
    return (
        volume.ground,
        campaign.players,
        campaign.art,
        campaign.journal,
        [(id, one.kind, one.name, tuple(one.aliases)) for id, one in record.names.all.items()],
        [_SHEET(sheet) for sheet in book.sheets],
        volume.every_emblem,
        volume.works.everything,
        dict(volume.pictures.shown()),
        dict(book.accounts),
        first.anchors.renamed if first is not None else (),
    )


def _forget(made: Made, but: Collection[Evening]) -> None:
    """Forget what was made of all evenings but these."""
    for key in [key for key in made if key[1] not in but]:
        del made[key]


def _seen_whole(signs: Sequence[_Sign], same: Sequence[bool]) -> set[Evening]:
    """The evenings that are the same as all that they look at."""
    found: set[Evening] = set()
    for at, sign in enumerate(signs[: len(same)]):
        ends = (n for n in range(at, len(same)) if signs[n].number == sign.until)
        last = next(ends, len(signs))
        if last < len(same) and all(same[at : last + 1]):
            found.add(sign.evening)
    return found


def _own(volume: Known) -> Iterator[_Own]:
    """What each evening says besides what pages are made from: addresses, lines, what moved."""
    postings, ended = volume.record.ledger.postings, 0
    for session in volume.book.sessions:
        steps, begun = session.steps, ended
        before = steps[0].index - 1 if steps else 0
        # Nested steps' postings lie among those of the step around them, but for what closes an evening.
        ended = max((step.posting_range[1] for step in steps), default=0) or begun
        anchors = volume.anchors[before : before + len(steps)]
        former = [step.former for step in steps] if steps and steps[0].anchors.renamed else []
        places = [(step.action.path, step.action.key.line) for step in steps]
        yield _Own(anchors, former, postings[begun:ended], places)


def _sign(volume: Known, session: SessionView) -> _Sign:
    """What an evening is made from, beside those before it."""
    book, record, steps = volume.book, volume.record, session.steps
    scenes = [one for one in record.timeline.scenes if one.session == session.number]
    found = [step for step in steps if step.diagnostics]
    made_from = (
        (session.title, session.date, session.present, session.absent, session.summary),
        [(*_STEP(step), (*step.events,), (*step.throws,)) for step in steps],
        [(index, record.step(index).action.verb) for step in steps for index in step.links],
        [
            (one.content, one.place, volume.redactor.excerpt(one))
            for step in found
            for one in step.diagnostics
        ],
        [book.moments.get(step.index) for step in steps],
    )
    begun = (
        [(*_SCENE(one), (*one.cast,), (*one.marks.items(),)) for one in scenes],
        [(record.timeline.branch_of(one), volume.opens(one.number)) for one in scenes],
        [book.scene_panels.get(one.number) for one in scenes],
    )
    # What a throw was paid for and led to is told with the next that is decided.
    throw = next((step for step in reversed(steps) if step.contest is not None), None)
    until: float = session.number
    if throw is not None:
        later = record.steps_after(throw)
        decided = (one for one in later if one.action.by_dice or one.contest is not None)
        until = next((one.session for one in decided), float("inf"))
    return _Sign(_evening(session), session.number, made_from, begun, until)
