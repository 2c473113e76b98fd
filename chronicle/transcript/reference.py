"""The format reference as Markdown, from the declarations that also decode and complete."""

from __future__ import annotations

from typing import Any, Final

from chronicle.core.campaign import Header, Settings
from chronicle.core.declare import Action, Field
from chronicle.core.rulebook import Rulebook

TRAPS: Final = (
    ("a colon and a space inside a sentence", "event: The scout says: ride", 'event: "The scout says: ride"'),
    ("a space before #", "name: General #2", 'name: "General #2"'),
    ("a comma inside braces", "{Ines: half drowned, cold}", '{Ines: "half drowned, cold"}'),
    ("a leading apostrophe", "event: 'twas the night", "event: \"'twas the night\""),
    ("quoted speech and more", 'event: "Halt!" she cried', "event: '\"Halt!\" she cried'"),
    ("a leading @ ` * & ! % | >", "event: *bold* words", 'event: "*bold* words"'),
    ("a lone - or ?", "roll: -", 'roll: "-"'),
    ("no space after a colon", "by:Ana", "by: Ana"),
    ("text that is not indented below |", "text: |", "indent every line below it"),
)  # fmt: skip
"""(what it is, as people write it, as YAML wants it)"""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text.replace('|', chr(92) + '|')}{pad}{fence}"


def _table(fields: list[Field]) -> list[str]:
    rows = ["| key | value | meaning |", "|---|---|---|"]
    for field in fields:
        need = " **(needed)**" if field.required else ""
        rows.append(f"| `{field.name}` | {_cell(field.kind.words)} | {_cell(field.doc)}{need} |")
    return [*rows, ""]


def shared_reference() -> str:
    """What every game shares: the files, the header, options of every entry, dice, traps."""
    page = [
        "# The transcript",
        "",
        "A campaign is a folder. `campaign.yaml` says what is played and by whom; every other `.yaml`",
        "file in it is one session: a header, and a list `log` of entries from top to bottom.",
        "",
        "## campaign.yaml",
        "",
        *_table(list(Settings.fields.values())),
        "## The head of a session",
        "",
        *_table(list(Header.fields.values())),
        "## Options of every entry",
        "",
        "An entry is one mapping with exactly one verb, by habit its first key.",
        "",
        *_table(list(Action.fields.values())),
        "## Dice",
        "",
        "Dice are written in the order they fell: a list (`[4, 10, 2]`), or run together where every",
        "face is one sign (`422`, Fudge dice `+o-`). A space may stand before dice that explosions",
        "earned. A single die needs no brackets; a lone minus does need quotes.",
        "",
        "## Where YAML bites",
        "",
        "| trap | instead of | write |",
        "|---|---|---|",
        *(f"| {_cell(what)} | {_code(wrong)} | {_code(right)} |" for what, wrong, right in TRAPS),
        "",
    ]
    return "\n".join(page)


def game_reference(rules: Rulebook[Any]) -> str:
    """The verbs of one game: example, who acts by default, value and options."""
    page = [f"# {rules.title}: the words of its log", ""]
    extra = [f for name, f in rules.settings.fields.items() if name not in Settings.fields]
    if extra:
        page += ["## Settings of its own", "", *_table(extra)]
    own = set(rules.verbs)
    page += ["## Its verbs", ""]
    for verb in rules.verbs:
        page += _verb(verb)
    page += ["## Verbs of every game", ""]
    for verb in rules.all_verbs:
        if verb not in own:
            page += _verb(verb)
    return "\n".join(page)


def _verb(verb: type[Action]) -> list[str]:
    page = [f"### {verb.verb}", "", " ".join((verb.__doc__ or "").split()), ""]
    if verb.example:
        first, *rest = verb.example.split("\n")
        page += ["```yaml", f"- {first}", *rest, "```", ""]
    page += [f"Acts: {verb.acts}.", ""]
    if verb.main is not None:
        need = "" if verb.main.required else " It may be left empty."
        page += [f"Value: {verb.main.kind.words}: {verb.main.doc}.{need}", ""]
    options = [field for name, field in verb.fields.items() if name not in Action.fields]
    if options:
        page += _table(options)
    return page
