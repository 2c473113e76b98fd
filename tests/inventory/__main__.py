"""``python -m tests.inventory``: write down what people rely on, in ``tests/inventory/*.txt``.

Each file is a list, a line for each thing that a keeper, a reader, an editor or a script may use by its name. A test
holds that all of it is there. New things are added by this command. A line goes away only if the section
``Unreleased`` of ``CHANGELOG.md`` quotes it in backticks: ``- `chronicle seal` is gone; use ...``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from chronicle import api, testkit
from chronicle.cli.app import chronicle
from chronicle.core.campaign import Header
from chronicle.core.declare import Action
from chronicle.export import FORMATS
from chronicle.games import GAMES, rulebook
from chronicle.services.desk import QUESTIONS
from chronicle.syntax.schema import session_schema

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent


def commands() -> Iterator[str]:
    """Every command with its arguments, its options and what these may be."""
    context = click.Context(chronicle)
    for name in chronicle.list_commands(context):
        command = chronicle.get_command(context, name)
        assert command is not None
        yield from _command(command, f"chronicle {name}")


def _command(command: click.Command, path: str) -> Iterator[str]:
    yield path
    for parameter in command.params:
        names = (
            parameter.opts
            if parameter.param_type_name == "option"
            else [parameter.human_readable_name]
        )
        for option in [*names, *parameter.secondary_opts]:
            yield f"{path} {option}"
            if isinstance(parameter.type, click.Choice):
                yield from (f"{path} {option} {choice}" for choice in parameter.type.choices)
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from _command(inner, f"{path} {name}")


def words() -> Iterator[str]:
    """Every verb of a log with its keys, and what stands inside of their values; every setting and figure."""
    of_games = {game: set(_words_of(game)) for game in GAMES}
    shared = set.intersection(*of_games.values())
    yield from (f"every game: {line}" for line in shared)
    for game, lines in of_games.items():
        yield from (f"{game}: {line}" for line in lines - shared)


def _words_of(game: str) -> Iterator[str]:
    rules = rulebook(game)
    for name, verb in rules.by_verb.items():
        yield f"verb {name}"
        yield from (f"verb {name}, key {key}" for key in verb.fields if key not in Action.fields)
    yield from (f"any verb, key {key}" for key in Action.fields)
    yield from (f"head of a session, key {key}" for key in Header.fields)
    yield from (f"campaign.yaml, key {key}" for key in rules.settings.fields)
    yield from (f"figure {name}" for name in rules.by_measure)
    entry = session_schema(rules)["definitions"]["entry"]["properties"]
    for name, schema in entry.items():
        yield from (f"inside {name}, key {key}" for key in sorted(set(_keys_inside(schema))))


def _keys_inside(schema: Any) -> Iterator[str]:
    """The keys of all mappings that a part of a JSON Schema describes."""
    if isinstance(schema, dict):
        for name, part in schema.items():
            if name == "properties":
                yield from part
                for inner in part.values():
                    yield from _keys_inside(inner)
            else:
                yield from _keys_inside(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _keys_inside(part)


def editor() -> Iterator[str]:
    """Every method that the language server answers."""
    # The oldest versions are tried without a language server.
    from chronicle.door.lsp import server

    features = server().protocol.fm
    yield from (f"method {name}" for name in features.features)
    yield from (f"command {name}" for name in features.commands)


def pages() -> Iterator[str]:
    """Every kind of page of a site or of a bound book, by the template that draws it."""
    for kind in ("pages", "book"):
        yield from (f"{kind}: {file.stem}" for file in (ROOT / "templates" / kind).glob("*.html"))


def desk() -> Iterator[str]:
    """Every question that the desk answers, with what it takes."""
    for name, (_, parameters) in QUESTIONS.items():
        yield f"question {name}"
        yield from (f"question {name}, key {key}" for key in parameters)


def exports() -> Iterator[str]:
    """Every export format with its file."""
    yield from (f"format {name}: {file_format.file}" for name, file_format in FORMATS.items())


def promises() -> Iterator[str]:
    """Every promise of ``docs/promises.md``: its heading, and what is set in bold at the start of a paragraph."""
    text = (ROOT / "docs" / "promises.md").read_text("utf-8")
    for section in re.split(r"(?m)^## (?=\d)", text)[1:]:
        number, _, subsection = section.partition(".")
        yield f"promise {number}: {subsection.partition(chr(10))[0].strip()}"
        for bold in re.findall(r"(?m)^(?:- )?\*\*([^*]+)\*\*", subsection.partition("\n## ")[0]):
            yield f"promise {number}, {bold.strip(' .')}"


def names() -> Iterator[str]:
    """Every name that a game plug-in may import."""
    yield from (f"chronicle.api.{name}" for name in api.__all__)
    yield from (f"chronicle.testkit.{name}" for name in testkit.__all__)


LISTS: dict[str, Callable[[], Iterator[str]]] = {
    "commands": commands,
    "words": words,
    "editor": editor,
    "pages": pages,
    "desk": desk,
    "exports": exports,
    "promises": promises,
    "api": names,
}
"""Each list with what makes it."""


def current(name: str) -> list[str]:
    """The lines of a list as the program has them now, sorted; without backticks, so that they can be quoted."""
    return sorted({" ".join(line.replace("`", "").split()) for line in LISTS[name]()})


def written(name: str, folder: Path = FOLDER) -> list[str]:
    """The lines of a list as they are written down."""
    file = folder / f"{name}.txt"
    return file.read_text("utf-8").splitlines() if file.is_file() else []


def unreleased(changelog: str) -> str:
    """The section of a changelog about the next release."""
    return changelog.partition("\n## Unreleased\n")[2].partition("\n## ")[0]


def missing(name: str, changelog: str, folder: Path = FOLDER) -> list[str]:
    """The lines of a list that are no longer so, and that the changelog does not quote in backticks."""
    section = unreleased(changelog)
    inventory_now = current(name)
    return [
        line
        for line in written(name, folder)
        if line not in inventory_now and f"`{line}`" not in section
    ]


def main(folder: Path = FOLDER) -> int:
    """Bring the lists up to date. What is gone and not in the changelog stays, and is printed."""
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    failed = 0
    for name in LISTS:
        gone = missing(name, changelog, folder)
        for line in gone:
            print(
                f"{name}.txt: `{line}` is gone. Bring it back, or quote it under Unreleased in CHANGELOG.md"
            )
        failed |= bool(gone)
        lines = sorted({*current(name), *gone})
        if lines != written(name, folder):
            (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
            print(f"wrote {name}.txt")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
