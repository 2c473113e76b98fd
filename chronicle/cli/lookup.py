"""The search of ``explain``: a verb with its keys, and rules with given words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from chronicle.cli.out import TextStyler, line_width

if TYPE_CHECKING:
    from chronicle.core.declare import Action, Field, Part
    from chronicle.core.game import Game

MAX_HITS = 12
"""How many hits a search shows; the rest is counted."""


MAX_UNSEARCHED_LETTERS = 3
"""Of several words, one of so few letters says by itself nothing of what is looked for."""


class Hit(NamedTuple):
    """A search result: the id or verb to read on, and its first line."""

    id_or_verb: str
    title: str
    is_best: bool
    """Whether the title itself has all the words."""


def find_verb(rules: Game[Any], word: str) -> type[Action] | None:
    """The verb of a game that is called so, letter case aside."""
    verb = word.strip().rstrip(":").casefold()
    return rules.by_verb.get(verb)


def print_verb(rules: Game[Any], action_class: type[Action]) -> None:
    """One verb on one screen: what it does, who acts, an example, its keys."""
    from chronicle.cli.terminal import TerminalRenderer, wrap_to_columns
    from chronicle.core.campaign_view import Column, Table
    from chronicle.core.declare import Action as AnyAction
    from chronicle.core.law import deciders_in_words

    styler = TextStyler()
    verb_owner_text = rules.title if action_class.verb in rules.own_verbs else "every game"
    click.echo(
        styler(f"{action_class.verb}:", "cyan", "bold")
        + styler(f"  a verb of {verb_owner_text}", "dim")
    )
    for doc_line in wrap_to_columns(" ".join((action_class.__doc__ or "").split()), line_width(88)):
        click.echo(doc_line)
    click.echo(f"\n  {styler('who acts', 'dim')}  {deciders_in_words(rules.law, action_class)}\n")
    for specimen_line in action_class.specimen():
        click.echo(f"  {specimen_line}")
    own_fields = [
        field
        for field in action_class.fields.values()
        if field.name not in AnyAction.fields or field.required
    ]
    key_rows = [
        _field_row(field)
        for field in ([action_class.main] if action_class.main is not None else []) + own_fields
    ]
    if key_rows:
        columns = (Column("key"), Column("value"), Column("meaning"))
        click.echo(
            "\n" + TerminalRenderer(line_width(), styler).draw([Table(columns, tuple(key_rows))])
        )
    other_keys = [
        key_name
        for key_name in AnyAction.fields
        if key_name not in {field.name for field in own_fields}
    ]
    click.echo(f"\nEvery entry may have {', '.join(other_keys)} as well.")


def verbs_with_key(rules: Game[Any], key_word: str) -> list[type[Action]]:
    """The verbs of a game that take a key of this name, letter case aside; of a key that every entry may
    have, only the class of all entries."""
    from chronicle.core.declare import Action as AnyAction

    key = _folded_words(key_word).rstrip(":")
    if key in AnyAction.fields:
        return [AnyAction]
    return [
        action_class
        for action_class in rules.by_verb.values()
        if key in action_class.fields and key != action_class.verb
    ]


def print_verb_key(
    rules: Game[Any],
    key_word: str,
    action_classes: Sequence[type[Action]],
    *,
    is_verb: bool = False,
) -> None:
    """A key on one screen: the verbs that take it, its values and meanings; unless the word ``is_verb`` as
    well, an entry with it."""
    from chronicle.cli.terminal import TerminalRenderer
    from chronicle.core.campaign_view import Column, Table
    from chronicle.core.declare import Action as AnyAction
    from chronicle.core.misread import mapping_as_written

    styler, key = TextStyler(), _folded_words(key_word).rstrip(":")
    is_shared = action_classes[0] is AnyAction
    key_owner_text = "every entry" if is_shared else rules.title
    click.echo(
        styler(f"{key}:", "cyan", "bold") + styler(f"  a key of {key_owner_text}", "dim") + "\n"
    )
    names_by_row: dict[tuple[str, str], list[str]] = {}
    for action_class in action_classes:
        field = action_class.fields[key]
        row = (mapping_as_written(field.kind.words), field.doc)
        names_by_row.setdefault(row, []).append(action_class.verb or "any verb")
    table_rows = tuple((", ".join(verb_names), *row) for row, verb_names in names_by_row.items())
    columns = (Column("verb"), Column("value"), Column("meaning"))
    click.echo(TerminalRenderer(line_width(), styler).draw([Table(columns, table_rows)]))
    if is_shared or is_verb:
        return
    best_class = next(
        (action_class for action_class in action_classes if _shows_key(action_class, key)),
        action_classes[0],
    )
    if _shows_key(best_class, key):
        click.echo(
            "\n" + "\n".join(f"  {specimen_line}" for specimen_line in best_class.specimen())
        )
    click.echo(f"\nRead on:  chronicle explain {best_class.verb}")


def _shows_key(action_class: type[Action], key: str) -> bool:
    """Whether the example of a verb has a key."""
    return any(
        specimen_line.strip().startswith(f"{key}:") for specimen_line in action_class.specimen()
    )


class HeadKey(NamedTuple):
    """A key outside the entries of a log: the file it belongs to, and the command with its reference."""

    place_words: str
    field: Field
    reference_command: str


def find_keys(rulebooks: Sequence[Game[Any]], searched_word: str) -> list[HeadKey]:
    """The keys called so of ``campaign.yaml``, session heads, captions and journals, letter case aside."""
    from chronicle.core.campaign import Header, Settings
    from chronicle.syntax.page_files import Caption, JournalHead

    key = _folded_words(searched_word).rstrip(":")
    settings_parts = [
        (f"campaign.yaml in {rules.title}", rules.settings, f"chronicle reference {rules.name}")
        for rules in rulebooks
        if key not in Settings.fields
    ]
    file_parts: list[tuple[str, type[Part], str]] = [
        ("campaign.yaml", Settings, "chronicle reference"),
        *settings_parts,
        ("the head of a session", Header, "chronicle reference"),
        ("the caption of a picture", Caption, "chronicle reference"),
        ("the head of a journal entry", JournalHead, "chronicle reference"),
    ]
    return [
        HeadKey(place_words, part.fields[key], reference_command)
        for place_words, part, reference_command in file_parts
        if key in part.fields
    ]


def print_keys(head_keys: Sequence[HeadKey]) -> None:
    """Each key with its place, its meaning and where to read on."""
    from chronicle.cli.terminal import wrap_to_columns

    for head_key in head_keys:
        click.echo(
            f"'{head_key.field.name}' is a key of {head_key.place_words}: {head_key.reference_command}"
        )
        for line in wrap_to_columns(head_key.field.doc, line_width(88) - 2):
            click.echo(f"  {line}")


def _field_row(field: Field) -> tuple[str, str, str]:
    from chronicle.core.misread import mapping_as_written

    value_text = mapping_as_written(field.kind.words)
    return (field.name, value_text, field.doc + (" (needed)" if field.required else ""))


def _folded_words(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def search_rules(
    rules: Game[Any], query_text: str, folders: list[Path], *, any_word: bool = False
) -> list[Hit]:
    """Everything in a game, and in the house rules of the campaigns in ``folders``, with all of the words;
    matches in titles first. With ``any_word``: everything with any of the words in its title."""
    search_words = _folded_words(query_text).split()
    if any_word:
        search_words = [
            search_word
            for search_word in search_words
            if len(search_word) > MAX_UNSEARCHED_LETTERS and len(search_words) > 1
        ]
    hits: dict[str, Hit] = {}
    for id_or_verb, title, text in _searchable_items(rules, folders):
        folded_title = _folded_words(title)
        is_best = all(search_word in folded_title for search_word in search_words)
        if (
            any(search_word in folded_title for search_word in search_words)
            if any_word
            else is_best
            or all(
                search_word in folded_title or search_word in text for search_word in search_words
            )
        ):
            hits.setdefault(id_or_verb, Hit(id_or_verb, title, is_best))
    return sorted(hits.values(), key=lambda hit: not hit.is_best)


def _searchable_items(rules: Game[Any], folders: list[Path]) -> Iterator[tuple[str, str, str]]:
    """Everything that a search can find: id or verb, title, and folded text."""
    from chronicle.cli.out import Cannot, load_playable

    for verb_name, action_class in rules.by_verb.items():
        key_docs = " ".join(field.doc for field in action_class.fields.values())
        main_field_doc = action_class.main.doc if action_class.main is not None else ""
        verb_title = f"{verb_name}: {' '.join((action_class.__doc__ or '').split())}"
        yield (
            verb_name,
            verb_title,
            _folded_words(f"{action_class.example} {main_field_doc} {key_docs}"),
        )
    for folder in folders:
        try:
            house_rules = load_playable(folder).settings.house_rules or {}
        except Cannot:
            continue
        for house_rule_id, house_rule in house_rules.items():
            yield (
                str(house_rule_id),
                f"{house_rule.rule} (a house rule of {folder.name})",
                _folded_words(str(house_rule_id)),
            )
    registry = rules.registry()
    for rule in registry.rules:
        yield rule.id, rule.title, _folded_words(f"{rule.text} {rule.chapter}")
    for ruling in registry.rulings:
        readings = " ".join([*ruling.readings, *ruling.readings.values()])
        yield ruling.id, ruling.question, _folded_words(f"{ruling.key} {readings} {ruling.reason}")
    for add_on in rules.optional_rules():
        yield add_on.id, f"{add_on.title}: {add_on.summary}", _folded_words(add_on.key)


def print_hits(
    rules: Game[Any], searched_text: str, hits: list[Hit], *, is_known: bool = False
) -> None:
    """The hits as lines to read on from; unless ``is_known`` as something else, a word in no title is told to be
    neither verb nor key."""
    from chronicle.cli.terminal import display_width, safe, shortened_to_width

    styler = TextStyler()
    is_one_word = len(searched_text.split()) == 1
    if is_one_word and not is_known and not any(hit.is_best for hit in hits):
        heading = (
            f"'{safe(searched_text)}' is no verb and no key of {rules.title}. The word occurs in:"
        )
    else:
        heading = f"'{safe(searched_text)}' in {rules.title}"
    click.echo(styler(heading, "bold") + "\n")
    shown_hits = hits[:MAX_HITS]
    id_width = max(display_width(hit.id_or_verb) for hit in shown_hits)
    for hit in shown_hits:
        padding = " " * (id_width - display_width(hit.id_or_verb))
        shown_title = shortened_to_width(safe(hit.title), max(line_width() - id_width - 4, 30))
        click.echo(f"  {styler(safe(hit.id_or_verb), 'cyan')}{padding}  {shown_title}")
    if len(hits) > MAX_HITS:
        click.echo(f"\n{len(hits) - MAX_HITS} more; another word makes them fewer.")
    click.echo(f"\nRead on:  chronicle explain {shown_hits[0].id_or_verb}")
