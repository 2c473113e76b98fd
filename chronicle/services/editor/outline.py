"""The structure of a file: outline, folding ranges, semantic tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from chronicle.core.names import PLAYER
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value, place_of
from chronicle.games import rulebook
from chronicle.services.editor.hover import nested_keys
from chronicle.services.editor.index import index_of
from chronicle.services.open_campaigns import OpenCampaign

MOST_COLOURS: Final = 8
STORY_KEYS: Final = ("text", "note")


class OutlineSymbol(NamedTuple):
    """An item of the outline."""

    name: str
    detail: str
    kind: str
    place: Place
    children: tuple[OutlineSymbol, ...] = ()


class SemanticToken(NamedTuple):
    """A coloured part of one line. ``seat`` is that of its player, from 1; 0: none."""

    line: int
    column: int
    length: int
    kind: str
    seat: int = 0


def outline_symbols(opened: OpenCampaign, file: str) -> list[OutlineSymbol]:
    """The scenes of a session, each with the subjects that got their names in it; subjects before the first
    scene are on the top level."""
    record = opened.workspace.record
    if record is None:
        return []
    campaign_index = index_of(opened)
    steps = [*campaign_index.steps_in(file)]
    if not steps:
        return []
    introductions = list(campaign_index.introductions(file))
    scene_symbols: list[OutlineSymbol] = []
    introduction_numbers_in_scenes: set[int] = set()
    for scene in record.timeline.scenes:
        first_place = record.step(scene.first_step).action.whole_place
        if first_place.path != file:
            continue
        last_place = record.step(scene.last_step or steps[-1].number).action.whole_place
        scene_end = last_place if last_place.path == file else steps[-1].action.whole_place
        place = Place(
            file, first_place.line, first_place.column, scene_end.end_line, scene_end.end_column
        )
        introduced_in_scene = [
            (introduction_number, subject, name_place)
            for introduction_number, (subject, name_place) in enumerate(introductions)
            if place.line <= name_place.line <= place.end_line
            and introduction_number not in introduction_numbers_in_scenes
        ]
        introduction_numbers_in_scenes.update(
            introduction_number for introduction_number, _, _ in introduced_in_scene
        )
        scene_symbols.append(
            OutlineSymbol(
                scene.label,
                " · ".join(part for part in (scene.place, scene.when) if part),
                "scene",
                place,
                tuple(
                    OutlineSymbol(subject.name, subject.kind, subject.kind, name_place)
                    for _, subject, name_place in introduced_in_scene
                ),
            )
        )
    symbols_before_scenes = [
        OutlineSymbol(subject.name, subject.kind, subject.kind, name_place)
        for introduction_number, (subject, name_place) in enumerate(introductions)
        if introduction_number not in introduction_numbers_in_scenes
    ]
    return sorted([*symbols_before_scenes, *scene_symbols], key=lambda symbol: symbol.place.line)


def matching_names(opened: OpenCampaign, search_text: str) -> Iterator[OutlineSymbol]:
    """The subjects with names that contain all of some words."""
    campaign_index = index_of(opened)
    search_words = search_text.casefold().split()
    for subject_id, subject in campaign_index.names.all.items():
        names_text = " ".join((subject.name, *subject.aliases)).casefold()
        place = campaign_index.first_place(subject_id)
        if place is not None and all(word in names_text for word in search_words):
            yield OutlineSymbol(subject.name, f"{subject.kind} · {opened.id}", subject.kind, place)


def folding_ranges(opened: OpenCampaign, file: str) -> Iterator[tuple[int, int]]:
    """The first and last lines of folding ranges: scenes, and entries of several lines."""
    for symbol in outline_symbols(opened, file):
        if symbol.kind == "scene" and symbol.place.end_line > symbol.place.line:
            yield symbol.place.line, _last_line(symbol.place)
    for item in _log_node(opened, file):
        if _last_line(place_of(item, file)) > item.line:
            yield item.line, _last_line(place_of(item, file))


def _last_line(place: Place) -> int:
    return place.end_line if place.end_column > 1 else place.end_line - 1


def _log_node(opened: OpenCampaign, file: str) -> SequenceNode:
    tree = opened.tree(file)
    log_node = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
    return log_node if isinstance(log_node, SequenceNode) else SequenceNode()


def enclosing_places(opened: OpenCampaign, file: str, line: int, column: int) -> list[Place]:
    """The nodes around a position, from the whole file to the word: the steps of a growing selection."""
    places: list[Place] = []
    enclosing_node = opened.tree(file)
    while enclosing_node is not None:
        places.append(place_of(enclosing_node, file))
        enclosing_node = next(
            (child for child in _child_nodes(enclosing_node) if _contains(child, line, column)),
            None,
        )
    return places


def _child_nodes(parent_node: Value) -> Iterator[Value]:
    if isinstance(parent_node, SequenceNode):
        yield from parent_node
    elif isinstance(parent_node, MappingNode):
        for key, inner_value in parent_node.items():
            yield key
            yield inner_value


def _contains(node: Value, line: int, column: int) -> bool:
    return (node.line, node.column) <= (line, column) <= (node.end_line, node.end_column)


def semantic_tokens(opened: OpenCampaign, file: str) -> list[SemanticToken]:
    """The semantic tokens of a session: verbs, keys, names with the seats of their players, fiction."""
    record = opened.workspace.record
    if record is None:
        return []
    game = rulebook(record.campaign.game)
    campaign_index = index_of(opened)
    seat_by_player = {
        player.name: seat_number for seat_number, player in enumerate(record.campaign.players, 1)
    }
    replay = opened.workspace.replay
    tokens_by_place: dict[tuple[int, int], SemanticToken] = {}
    for item in _log_node(opened, file):
        for key in nested_keys(item):
            if key and key.line == key.end_line:
                token_kind = "verb" if key in game.by_verb else "key"
                tokens_by_place[key.line, key.column] = SemanticToken(
                    key.line, key.column, len(key), token_kind
                )
    for mention in campaign_index.mentions(file):
        subject = campaign_index.subject(mention.subject_id)
        if subject is None:
            continue
        player = subject.name if subject.kind == PLAYER else ""
        if not player and replay is not None:
            player = game.player_of(replay.play, subject)
        place = mention.place
        seat = seat_by_player.get(player, 0)
        tokens_by_place[place.line, place.column] = SemanticToken(
            place.line,
            place.column,
            place.end_column - place.column,
            "player" if subject.kind == PLAYER else "name",
            seat if seat <= MOST_COLOURS else 0,
        )
    lines = opened.text(file).splitlines()
    for story_text in _story_texts(_log_node(opened, file)):
        for line_number in range(story_text.line, min(story_text.end_line, len(lines)) + 1):
            row = lines[line_number - 1]
            start_column = (
                story_text.column
                if line_number == story_text.line and story_text.style not in ("|", ">")
                else 1
            )
            end_column = (
                story_text.end_column if line_number == story_text.end_line else len(row) + 1
            )
            start_column = max(start_column, len(row) - len(row.lstrip()) + 1)
            if line_number == story_text.line and story_text.style in ("|", ">"):
                continue
            if end_column > start_column:
                tokens_by_place[line_number, start_column] = SemanticToken(
                    line_number, start_column, end_column - start_column, "fiction"
                )
    return [tokens_by_place[position] for position in sorted(tokens_by_place)]


def _story_texts(node: Value) -> Iterator[ScalarNode]:
    """The texts of the story."""
    if isinstance(node, SequenceNode):
        for inner_node in node:
            yield from _story_texts(inner_node)
    elif isinstance(node, MappingNode):
        for key, inner_node in node.items():
            if isinstance(inner_node, ScalarNode) and key in STORY_KEYS:
                yield inner_node
            else:
                yield from _story_texts(inner_node)
