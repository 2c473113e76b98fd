"""The search of ``explain``: a verb with its keys, and rules with given words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from chronicle.cli.out import Ink, line_width

if TYPE_CHECKING:
    from chronicle.core.declare import Action, Field, Part
    from chronicle.core.game import Game

MAX_HITS = 12
"""How many hits a search shows; the rest is counted."""


MAX_UNSEARCHED_LETTERS = 3
"""Of several words, one of so few letters says by itself nothing of what is looked for."""


class Hit(NamedTuple):
    """A search result: the id or verb to read on, and its first line."""

    read_on: str
    title: str
    is_best: bool
    """Whether the title itself has all the words."""


def find_verb(rules: Game[Any], word: str) -> type[Action] | None:
    """The verb of a game that is called so, letter case aside."""
    name = word.strip().rstrip(":").casefold()
    return rules.by_verb.get(name)


def print_verb(rules: Game[Any], verb: type[Action]) -> None:
    """One verb on one screen: what it does, who acts, an example, its keys."""
    from chronicle.cli.terminal import Terminal, wrap_to_columns
    from chronicle.core.campaign_view import Column, Table
    from chronicle.core.declare import Action as Any_
    from chronicle.core.law import deciders_in_words

    ink = Ink()
    origin = rules.title if verb.verb in rules.own_verbs else "every game"
    click.echo(ink(f"{verb.verb}:", "cyan", "bold") + ink(f"  a verb of {origin}", "dim"))
    for line in wrap_to_columns(" ".join((verb.__doc__ or "").split()), line_width(88)):
        click.echo(line)
    click.echo(f"\n  {ink('who acts', 'dim')}  {deciders_in_words(rules.law, verb)}\n")
    for line in verb.specimen():
        click.echo(f"  {line}")
    own_fields = [
        field for field in verb.fields.values() if field.name not in Any_.fields or field.required
    ]
    rows = [
        _field_row(field) for field in ([verb.main] if verb.main is not None else []) + own_fields
    ]
    if rows:
        columns = (Column("key"), Column("value"), Column("meaning"))
        click.echo("\n" + Terminal(line_width(), ink).draw([Table(columns, tuple(rows))]))
    further = [name for name in Any_.fields if name not in {field.name for field in own_fields}]
    click.echo(f"\nEvery entry may have {', '.join(further)} as well.")


def verbs_with_key(rules: Game[Any], word: str) -> list[type[Action]]:
    """The verbs of a game that take a key of this name, letter case aside; of a key that every entry may
    have, only the class of all entries."""
    from chronicle.core.declare import Action as Any_

    name = _fold(word).rstrip(":")
    if name in Any_.fields:
        return [Any_]
    return [verb for verb in rules.by_verb.values() if name in verb.fields and name != verb.verb]


def print_verb_key(
    rules: Game[Any], word: str, verbs: Sequence[type[Action]], *, is_verb: bool = False
) -> None:
    """A key on one screen: the verbs that take it, its values and meanings; unless the word ``is_verb`` as
    well, an entry with it."""
    from chronicle.cli.terminal import Terminal
    from chronicle.core.campaign_view import Column, Table
    from chronicle.core.declare import Action as Any_
    from chronicle.core.misread import mapping_as_written

    ink, name = Ink(), _fold(word).rstrip(":")
    is_shared = verbs[0] is Any_
    origin = "every entry" if is_shared else rules.title
    click.echo(ink(f"{name}:", "cyan", "bold") + ink(f"  a key of {origin}", "dim") + "\n")
    names_by_row: dict[tuple[str, str], list[str]] = {}
    for verb in verbs:
        field = verb.fields[name]
        row = (mapping_as_written(field.kind.words), field.doc)
        names_by_row.setdefault(row, []).append(verb.verb or "any verb")
    rows = tuple((", ".join(names), *row) for row, names in names_by_row.items())
    columns = (Column("verb"), Column("value"), Column("meaning"))
    click.echo(Terminal(line_width(), ink).draw([Table(columns, rows)]))
    if is_shared or is_verb:
        return
    best = next((verb for verb in verbs if _shows_key(verb, name)), verbs[0])
    if _shows_key(best, name):
        click.echo("\n" + "\n".join(f"  {line}" for line in best.specimen()))
    click.echo(f"\nRead on:  chronicle explain {best.verb}")


def _shows_key(verb: type[Action], name: str) -> bool:
    """Whether the example of a verb has a key."""
    return any(line.strip().startswith(f"{name}:") for line in verb.specimen())


class HeadKey(NamedTuple):
    """A key outside the entries of a log: the file it belongs to, and the command with its reference."""

    place: str
    field: Field
    reference: str


def find_keys(books: Sequence[Game[Any]], word: str) -> list[HeadKey]:
    """The keys called so of ``campaign.yaml``, session heads, captions and journals, letter case aside."""
    from chronicle.core.campaign import Header, Settings
    from chronicle.syntax.page_files import Caption, JournalHead

    name = _fold(word).rstrip(":")
    settings = [
        (f"campaign.yaml in {rules.title}", rules.settings, f"chronicle reference {rules.name}")
        for rules in books
        if name not in Settings.fields
    ]
    parts: list[tuple[str, type[Part], str]] = [
        ("campaign.yaml", Settings, "chronicle reference"),
        *settings,
        ("the head of a session", Header, "chronicle reference"),
        ("the caption of a picture", Caption, "chronicle reference"),
        ("the head of a journal entry", JournalHead, "chronicle reference"),
    ]
    return [
        HeadKey(place, part.fields[name], reference)
        for place, part, reference in parts
        if name in part.fields
    ]


def print_keys(keys: Sequence[HeadKey]) -> None:
    """Each key with its place, its meaning and where to read on."""
    from chronicle.cli.terminal import wrap_to_columns

    for key in keys:
        click.echo(f"'{key.field.name}' is a key of {key.place}: {key.reference}")
        for line in wrap_to_columns(key.field.doc, line_width(88) - 2):
            click.echo(f"  {line}")


def _field_row(field: Field) -> tuple[str, str, str]:
    from chronicle.core.misread import mapping_as_written

    value = mapping_as_written(field.kind.words)
    return (field.name, value, field.doc + (" (needed)" if field.required else ""))


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def search(
    rules: Game[Any], words: str, folders: list[Path], *, any_word: bool = False
) -> list[Hit]:
    """Everything in a game, and in the house rules of the campaigns in ``folders``, with all of the words;
    matches in titles first. With ``any_word``: everything with any of the words in its title."""
    search_words = _fold(words).split()
    if any_word:
        search_words = [
            word
            for word in search_words
            if len(word) > MAX_UNSEARCHED_LETTERS and len(search_words) > 1
        ]
    hits: dict[str, Hit] = {}
    for read_on, title, text in _searchable(rules, folders):
        head = _fold(title)
        is_best = all(word in head for word in search_words)
        if (
            any(word in head for word in search_words)
            if any_word
            else is_best or all(word in head or word in text for word in search_words)
        ):
            hits.setdefault(read_on, Hit(read_on, title, is_best))
    return sorted(hits.values(), key=lambda hit: not hit.is_best)


def _searchable(rules: Game[Any], folders: list[Path]) -> Iterator[tuple[str, str, str]]:
    """Everything that a search can find: id or verb, title, and folded text."""
    from chronicle.cli.out import Cannot, load_playable

    for name, verb in rules.by_verb.items():
        key_docs = " ".join(field.doc for field in verb.fields.values())
        main_doc = verb.main.doc if verb.main is not None else ""
        title = f"{name}: {' '.join((verb.__doc__ or '').split())}"
        yield name, title, _fold(f"{verb.example} {main_doc} {key_docs}")
    for folder in folders:
        try:
            house = load_playable(folder).settings.house_rules or {}
        except Cannot:
            continue
        for id, house_rule in house.items():
            yield str(id), f"{house_rule.rule} (a house rule of {folder.name})", _fold(str(id))
    registry = rules.registry()
    for rule in registry.rules:
        yield rule.id, rule.title, _fold(f"{rule.text} {rule.chapter}")
    for ruling in registry.rulings:
        readings = " ".join([*ruling.readings, *ruling.readings.values()])
        yield ruling.id, ruling.question, _fold(f"{ruling.key} {readings} {ruling.reason}")
    for optional in rules.optional_rules():
        yield optional.id, f"{optional.title}: {optional.summary}", _fold(optional.key)


def print_hits(rules: Game[Any], words: str, hits: list[Hit], *, is_known: bool = False) -> None:
    """The hits as lines to read on from; unless ``is_known`` as something else, a word in no title is told to be
    neither verb nor key."""
    from chronicle.cli.terminal import columns, safe, shortened_to_width

    ink = Ink()
    is_one_word = len(words.split()) == 1
    if is_one_word and not is_known and not any(hit.is_best for hit in hits):
        head = f"'{safe(words)}' is no verb and no key of {rules.title}. The word occurs in:"
    else:
        head = f"'{safe(words)}' in {rules.title}"
    click.echo(ink(head, "bold") + "\n")
    shown = hits[:MAX_HITS]
    id_width = max(columns(hit.read_on) for hit in shown)
    for hit in shown:
        padding = " " * (id_width - columns(hit.read_on))
        title = shortened_to_width(safe(hit.title), max(line_width() - id_width - 4, 30))
        click.echo(f"  {ink(safe(hit.read_on), 'cyan')}{padding}  {title}")
    if len(hits) > MAX_HITS:
        click.echo(f"\n{len(hits) - MAX_HITS} more; another word makes them fewer.")
    click.echo(f"\nRead on:  chronicle explain {shown[0].read_on}")
