"""The shape of a file: scenes and what comes into play in them, what folds, what colour a word has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from chronicle.core.names import PLAYER
from chronicle.core.source import Entries, Items, Place, Value, Word, place_of
from chronicle.desk.editor.index import index
from chronicle.desk.editor.look import keys_of
from chronicle.desk.room import Opened
from chronicle.games import rulebook

MOST_COLOURS: Final = 8
TEXTS: Final = ("text", "note")


class Symbol(NamedTuple):
    """Something that an outline lists."""

    name: str
    detail: str
    kind: str
    place: Place
    inside: tuple[Symbol, ...] = ()


class Token(NamedTuple):
    """A coloured stretch of one line. ``player``: whose it is, by seat from 1; 0: nobody's."""

    line: int
    column: int
    length: int
    kind: str
    player: int = 0


def symbols(opened: Opened, file: str) -> list[Symbol]:
    """The scenes of a session with what got its name in them; what came before the first one stands
    beside them."""
    record = opened.resident.record
    if record is None:
        return []
    found = index(opened)
    steps = [*found.steps(file)]
    if not steps:
        return []
    new = list(found.introduced(file))
    scenes: list[Symbol] = []
    taken: set[int] = set()
    for scene in record.timeline.scenes:
        first = record.step(scene.first_step).action.whole
        if first.path != file:
            continue
        last = record.step(scene.last_step or steps[-1].index).action.whole
        end = last if last.path == file else steps[-1].action.whole
        place = Place(file, first.line, first.column, end.end_line, end.end_column)
        inside = [
            (at, named, where)
            for at, (named, where) in enumerate(new)
            if place.line <= where.line <= place.end_line and at not in taken
        ]
        taken.update(at for at, _, _ in inside)
        scenes.append(
            Symbol(
                scene.label,
                " · ".join(part for part in (scene.place, scene.when) if part),
                "scene",
                place,
                tuple(
                    Symbol(named.name, named.kind, named.kind, where) for _, named, where in inside
                ),
            )
        )
    before = [
        Symbol(named.name, named.kind, named.kind, where)
        for at, (named, where) in enumerate(new)
        if at not in taken
    ]
    return sorted([*before, *scenes], key=lambda one: one.place.line)


def everybody(opened: Opened, words: str) -> Iterator[Symbol]:
    """Everything with a name that has some words in it."""
    found = index(opened)
    wanted = words.casefold().split()
    for id, named in found.names.all.items():
        told = " ".join((named.name, *named.aliases)).casefold()
        place = found.given(id)
        if place is not None and all(word in told for word in wanted):
            yield Symbol(named.name, f"{named.kind} · {opened.id}", named.kind, place)


def folds(opened: Opened, file: str) -> Iterator[tuple[int, int]]:
    """First and last lines of what folds: scenes, and entries of more than one line."""
    for symbol in symbols(opened, file):
        if symbol.kind == "scene" and symbol.place.end_line > symbol.place.line:
            yield symbol.place.line, _last(symbol.place)
    for item in _log(opened, file):
        if _last(place_of(item, file)) > item.line:
            yield item.line, _last(place_of(item, file))


def _last(place: Place) -> int:
    return place.end_line if place.end_column > 1 else place.end_line - 1


def _log(opened: Opened, file: str) -> Items:
    tree = opened.tree(file)
    log = tree.get(Word("log")) if isinstance(tree, Entries) else None
    return log if isinstance(log, Items) else Items()


def around(opened: Opened, file: str, line: int, column: int) -> list[Place]:
    """What lies around a place, from the whole file to the word: each a step of a growing selection."""
    found: list[Place] = []
    value = opened.tree(file)
    while value is not None:
        found.append(place_of(value, file))
        value = next((one for one in _inner(value) if _holds(one, line, column)), None)
    return found


def _inner(value: Value) -> Iterator[Value]:
    if isinstance(value, Items):
        yield from value
    elif isinstance(value, Entries):
        for key, item in value.items():
            yield key
            yield item


def _holds(value: Value, line: int, column: int) -> bool:
    return (value.line, value.column) <= (line, column) <= (value.end_line, value.end_column)


def tokens(opened: Opened, file: str) -> list[Token]:
    """What the words of a session are: verbs, keys, names in the colour of their players, fiction."""
    record = opened.resident.record
    if record is None:
        return []
    rules = rulebook(record.campaign.game)
    found = index(opened)
    seats = {player.name: number for number, player in enumerate(record.campaign.players, 1)}
    replay = opened.resident.replay
    made: dict[tuple[int, int], Token] = {}
    for item in _log(opened, file):
        for key in keys_of(item):
            if key and key.line == key.end_line:
                kind = "verb" if key in rules.by_verb else "key"
                made[key.line, key.column] = Token(key.line, key.column, len(key), kind)
    for mention in found.mentions(file):
        named = found.named(mention.id)
        if named is None:
            continue
        player = named.name if named.kind == PLAYER else ""
        if not player and replay is not None:
            player = rules.player_of(replay.play, named)
        place = mention.place
        colour = seats.get(player, 0)
        made[place.line, place.column] = Token(
            place.line,
            place.column,
            place.end_column - place.column,
            "player" if named.kind == PLAYER else "name",
            colour if colour <= MOST_COLOURS else 0,
        )
    lines = opened.text(file).splitlines()
    for word in _told(_log(opened, file)):
        for number in range(word.line, min(word.end_line, len(lines)) + 1):
            row = lines[number - 1]
            at = word.column if number == word.line and word.style not in ("|", ">") else 1
            end = word.end_column if number == word.end_line else len(row) + 1
            at = max(at, len(row) - len(row.lstrip()) + 1)
            if number == word.line and word.style in ("|", ">"):
                continue
            if end > at:
                made[number, at] = Token(number, at, end - at, "fiction")
    return [made[at] for at in sorted(made)]


def _told(value: Value) -> Iterator[Word]:
    """The texts in which somebody tells something."""
    if isinstance(value, Items):
        for item in value:
            yield from _told(item)
    elif isinstance(value, Entries):
        for key, item in value.items():
            if isinstance(item, Word) and key in TEXTS:
                yield item
            else:
                yield from _told(item)
