"""The structure of a file: outline, folding ranges, semantic tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from chronicle.core.names import PLAYER
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value, place_of
from chronicle.games import rulebook
from chronicle.services.editor.hover import keys_of
from chronicle.services.editor.index import index
from chronicle.services.open_campaigns import OpenCampaign

MOST_COLOURS: Final = 8
TEXTS: Final = ("text", "note")


class Symbol(NamedTuple):
    """An item of the outline."""

    name: str
    detail: str
    kind: str
    place: Place
    inside: tuple[Symbol, ...] = ()


class Token(NamedTuple):
    """A coloured part of one line. ``player`` is the seat of its player, from 1; 0: none."""

    line: int
    column: int
    length: int
    kind: str
    player: int = 0


def symbols(opened: OpenCampaign, file: str) -> list[Symbol]:
    """The scenes of a session, each with the subjects that got their names in it; subjects before the first
    scene are on the top level."""
    record = opened.workspace.record
    if record is None:
        return []
    campaign_index = index(opened)
    steps = [*campaign_index.steps(file)]
    if not steps:
        return []
    introduced = list(campaign_index.introduced(file))
    scenes: list[Symbol] = []
    placed: set[int] = set()
    for scene in record.timeline.scenes:
        first = record.step(scene.first_step).action.whole_place
        if first.path != file:
            continue
        last = record.step(scene.last_step or steps[-1].number).action.whole_place
        end = last if last.path == file else steps[-1].action.whole_place
        place = Place(file, first.line, first.column, end.end_line, end.end_column)
        in_scene = [
            (number, named, name_place)
            for number, (named, name_place) in enumerate(introduced)
            if place.line <= name_place.line <= place.end_line and number not in placed
        ]
        placed.update(number for number, _, _ in in_scene)
        scenes.append(
            Symbol(
                scene.label,
                " · ".join(part for part in (scene.place, scene.when) if part),
                "scene",
                place,
                tuple(
                    Symbol(named.name, named.kind, named.kind, name_place)
                    for _, named, name_place in in_scene
                ),
            )
        )
    before_scenes = [
        Symbol(named.name, named.kind, named.kind, name_place)
        for number, (named, name_place) in enumerate(introduced)
        if number not in placed
    ]
    return sorted([*before_scenes, *scenes], key=lambda symbol: symbol.place.line)


def matching_names(opened: OpenCampaign, words: str) -> Iterator[Symbol]:
    """The subjects with names that contain all of some words."""
    campaign_index = index(opened)
    sought = words.casefold().split()
    for id, named in campaign_index.names.all.items():
        all_names = " ".join((named.name, *named.aliases)).casefold()
        place = campaign_index.first_place(id)
        if place is not None and all(word in all_names for word in sought):
            yield Symbol(named.name, f"{named.kind} · {opened.id}", named.kind, place)


def folds(opened: OpenCampaign, file: str) -> Iterator[tuple[int, int]]:
    """The first and last lines of folding ranges: scenes, and entries of several lines."""
    for symbol in symbols(opened, file):
        if symbol.kind == "scene" and symbol.place.end_line > symbol.place.line:
            yield symbol.place.line, _last(symbol.place)
    for item in _log(opened, file):
        if _last(place_of(item, file)) > item.line:
            yield item.line, _last(place_of(item, file))


def _last(place: Place) -> int:
    return place.end_line if place.end_column > 1 else place.end_line - 1


def _log(opened: OpenCampaign, file: str) -> SequenceNode:
    tree = opened.tree(file)
    log = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
    return log if isinstance(log, SequenceNode) else SequenceNode()


def around(opened: OpenCampaign, file: str, line: int, column: int) -> list[Place]:
    """The nodes around a position, from the whole file to the word: the steps of a growing selection."""
    places: list[Place] = []
    value = opened.tree(file)
    while value is not None:
        places.append(place_of(value, file))
        value = next((inner for inner in _inner(value) if _holds(inner, line, column)), None)
    return places


def _inner(value: Value) -> Iterator[Value]:
    if isinstance(value, SequenceNode):
        yield from value
    elif isinstance(value, MappingNode):
        for key, item in value.items():
            yield key
            yield item


def _holds(value: Value, line: int, column: int) -> bool:
    return (value.line, value.column) <= (line, column) <= (value.end_line, value.end_column)


def tokens(opened: OpenCampaign, file: str) -> list[Token]:
    """The semantic tokens of a session: verbs, keys, names with the seats of their players, fiction."""
    record = opened.workspace.record
    if record is None:
        return []
    rules = rulebook(record.campaign.game)
    campaign_index = index(opened)
    seats = {player.name: number for number, player in enumerate(record.campaign.players, 1)}
    replay = opened.workspace.replay
    tokens_by_place: dict[tuple[int, int], Token] = {}
    for item in _log(opened, file):
        for key in keys_of(item):
            if key and key.line == key.end_line:
                kind = "verb" if key in rules.by_verb else "key"
                tokens_by_place[key.line, key.column] = Token(key.line, key.column, len(key), kind)
    for mention in campaign_index.mentions(file):
        named = campaign_index.named(mention.id)
        if named is None:
            continue
        player = named.name if named.kind == PLAYER else ""
        if not player and replay is not None:
            player = rules.player_of(replay.play, named)
        place = mention.place
        colour = seats.get(player, 0)
        tokens_by_place[place.line, place.column] = Token(
            place.line,
            place.column,
            place.end_column - place.column,
            "player" if named.kind == PLAYER else "name",
            colour if colour <= MOST_COLOURS else 0,
        )
    lines = opened.text(file).splitlines()
    for word in _story_texts(_log(opened, file)):
        for number in range(word.line, min(word.end_line, len(lines)) + 1):
            row = lines[number - 1]
            start = word.column if number == word.line and word.style not in ("|", ">") else 1
            end = word.end_column if number == word.end_line else len(row) + 1
            start = max(start, len(row) - len(row.lstrip()) + 1)
            if number == word.line and word.style in ("|", ">"):
                continue
            if end > start:
                tokens_by_place[number, start] = Token(number, start, end - start, "fiction")
    return [tokens_by_place[position] for position in sorted(tokens_by_place)]


def _story_texts(value: Value) -> Iterator[ScalarNode]:
    """The texts of the story."""
    if isinstance(value, SequenceNode):
        for item in value:
            yield from _story_texts(item)
    elif isinstance(value, MappingNode):
        for key, item in value.items():
            if isinstance(item, ScalarNode) and key in TEXTS:
                yield item
            else:
                yield from _story_texts(item)
