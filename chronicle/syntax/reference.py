"""The format reference as Markdown, from the same declarations that decoding and completion use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from chronicle.core.campaign import Header, Seat, Settings
from chronicle.core.declare import Action, Field, Part, PartOf
from chronicle.core.diagnostic import either, listed
from chronicle.core.field_types import FieldType, MapOf, OrUnrecorded, alternatives, roleless
from chronicle.core.formula import ALLOWED_PARTS
from chronicle.core.game import Game
from chronicle.core.game_context import Measure
from chronicle.core.house_rules import COMMON_NAMES, MAY_POINT, USUAL
from chronicle.core.law import Law, deciders_in_words, role_in_words, roles_of
from chronicle.core.misread import mapping_as_written
from chronicle.core.schemas import UNIQUE_KEY
from chronicle.core.shared_verbs import COMMON_VERBS
from chronicle.syntax.examples import value_examples
from chronicle.syntax.explain import as_markdown
from chronicle.syntax.page_files import Caption, JournalHead
from chronicle.syntax.schema import with_list_rules
from chronicle.syntax.verb_stems import first_sentence


class Trap(NamedTuple):
    """Text that YAML reads otherwise than meant: the id of the message, a description, an entry with the
    mistake, and the corrected entry."""

    code: str
    description: str
    wrong_entry: str
    right_entry: str


TRAPS: Final = (
    Trap("T11", "a colon and a space in a sentence",
         "tell: The scout says: ride", 'tell: "The scout says: ride"'),
    Trap("T12", "a space before a #",
         "tell: Room #7 is locked", 'tell: "Room #7 is locked"'),
    Trap("T13", "a comma inside braces",
         "tell: {Ines: half drowned, cold}", 'tell: {Ines: "half drowned, cold"}'),
    Trap("T13", "names alone in braces",
         "tell: {Ana, Bo}", "tell: [Ana, Bo]"),
    Trap("T14", "an apostrophe at the start",
         "tell: 'twas the night", 'tell: "\'twas the night"'),
    Trap("T14", "speech, and then more",
         'tell: "Halt!" she cried', "tell: '\"Halt!\" she cried'"),
    Trap("T14", "a backslash in double quotes",
         'tell: "C:\\Users"', "tell: 'C:\\Users'"),
    Trap("T15", "an @ at the start", "tell: @Ana waves", 'tell: "@Ana waves"'),
    Trap("T15", "a * or & at the start", "tell: *bold* words", 'tell: "*bold* words"'),
    Trap("T7", "a ! at the start", "tell: !important news", 'tell: "!important news"'),
    Trap("T15", "a % or ` at the start", "tell: %5 of it", 'tell: "%5 of it"'),
    Trap("T15", "a | or > at the start", "tell: > 5 dice", 'tell: "> 5 dice"'),
    Trap("T15", "a bracket at the start", "tell: [sic] he wrote", 'tell: "[sic] he wrote"'),
    Trap("T16", "a dash alone", "tell: -", 'tell: "-"'),
    Trap("T16", "a question mark alone", "tell: ?", 'tell: "?"'),
    Trap("T17", "no space after a colon", "roll: {Ana:3, Bo: 2}", "roll: {Ana: 3, Bo: 2}"),
    Trap("T19", "a bracket left open", "tell: [Ana, Bo", "tell: [Ana, Bo]"),
)  # fmt: skip
"""Every row is tested: the left side gets its message, the right side none."""

DICE_NOTATIONS: Final = (
    ("one die", "5", "the five"),
    ("ordinary dice, in the order they fell", "[4, 10, 2]", "a four, a ten, a two"),
    ("six-sided dice, run together", "422", "a four and two twos"),
    ("dice that explosions earned, after a space", "1662 64", "four dice, then two more"),
    ("Fudge dice, `o` for a blank", "+o-", "a plus, a blank, a minus"),
    ("one Fudge die that shows a minus", "'-'", "a minus, in quotes because it stands alone"),
)  # fmt: skip
"""(dice, how they are written, how they are read)"""

SAMPLE_SESSION: Final = """\
session: 3
title: The lamps go out
date: 2026-10-03
present: [Ana, Bo, Cleo]

log:
# Comments start with a # and are yours alone.
- tell: The pump has stopped, and nobody knows since when
- tell: Ines goes down the ladder, lamp in hand
  by: Ana
  text: |
    She lifts the lamp. The great wheel stands *as if* it had never turned.
- say: |
    Ines: Who is there?
    Ringer: Only the water.
- {tell: Something answers, by: Bo, note: we all shivered}
- end session: the last tram
"""

FOLDER_TREE: Final = """\
our-campaign/
  campaign.yaml      what is played, by whom, and how strictly
  01.yaml            a session; the number inside it counts, not the name
  02.yaml
  characters/*.yaml  optional: sheets, read before the first session
  journal/*.md       letters and diaries, written after play
  notes/*.md         the keeper's pages about people and places
  art/*              pictures, each with a caption file of the same name
"""


_BRACKETED_YAML = re.compile(r"\{(?:[^{}`]|\{[^{}`]*\})*\}|\[[^\[\]`]+\](?!\()")


def _escape_text(text: str) -> str:
    """A text in which YAML is marked as code, and HTML is escaped."""
    text_on_one_line = " ".join(text.split()).replace("<", "&lt;")
    return _BRACKETED_YAML.sub(lambda yaml_match: f"`{yaml_match.group()}`", text_on_one_line)


def _table_cell(cell_text: str) -> str:
    return _escape_text(cell_text).replace("|", "\\|")


def _code_span(code_text: str) -> str:
    fence = "``" if "`" in code_text else "`"
    space_inside_fence = " " if "`" in code_text else ""
    return f"{fence}{space_inside_fence}{code_text.replace('|', chr(92) + '|')}{space_inside_fence}{fence}"


def _fields_table(
    fields: list[Field], find_examples: Callable[[Field], Iterable[str]] = lambda field: ()
) -> list[str]:
    table_rows = ["| key | value | meaning |", "|---|---|---|"]
    for field in fields:
        required_mark = " **(needed)**" if field.required else ""
        value_cell = f"{_table_cell(field.kind.words)}{_examples_text(find_examples(field))}"
        table_rows.append(
            f"| `{field.name}` | {value_cell} | {_table_cell(field.doc)}{required_mark} |"
        )
    return [*table_rows, ""]


def _examples_text(examples: Iterable[str]) -> str:
    examples_list = either(map(_code_span, examples))
    return f": {examples_list}" if examples_list else ""


SAMPLE_HEAD: Final = """\
session: 3
recap: |
  Aud told the Guest what her light burned on. [aud-says-it] The Guest thanked her and is gone. [gone@3f2a]
about:
  Aud: Aud kept the Ninth for eleven years, on a secret. [keeper]
end:
  Aud: Aud rowed out to bring the ship in, and has not been seen since. [rows-out] [sunrise]

log:
"""


def _fenced_code(code_text: str, language: str = "yaml") -> list[str]:
    return [f"```{language}", *code_text.rstrip("\n").split("\n"), "```", ""]


def shared_reference() -> str:
    """The reference of the parts that every game shares: files, header, options of every entry, dice, traps."""
    page_lines = [
        "# The format of a log",
        "",
        "A log is a text file that one of you writes while the others talk. It looks like this:",
        "",
        *_fenced_code(SAMPLE_SESSION),
        "A head says which evening it was; below `log:` stands what happened, from top to bottom. Every",
        "dash starts an **entry**, every entry has one **verb** with its value, and whatever else there is",
        "to say about it stands below as **options**. That is all there is to the format; the rest of this",
        "page is for looking things up.",
        "",
        "## A campaign is a folder",
        "",
        *_fenced_code(FOLDER_TREE, "text"),
        "### campaign.yaml",
        "",
        *_fields_table(list(Settings.fields.values())),
        "",
        "Somebody at the table, if readers are to know them by another name (a `gm` or `handler` likewise):",
        "",
        *_fields_table(list(Seat.fields.values())),
        "### The head of a session",
        "",
        *_fields_table(list(Header.fields.values())),
        "When the session is over, tell it in your own words:",
        "",
        *_fenced_code(SAMPLE_HEAD),
        "`recap` is about this session. `about` and `end` hold from this session on, until a later session",
        "has another sentence for the same person; a reader who stops at session 2 sees those of sessions 1",
        "and 2. The pages show these sentences before anything that Chronicle can build from the record.",
        "",
        "`[id]` names the entry that a sentence rests on, by its `id` or by the last part of its address on",
        "the site. The pages print its number and link it. Write as many as you like, side by side. The desk",
        "and the editors add a digest, `[id@3f2a]`; if the entry changes later, `check` asks you to read the",
        "sentence again. You never have to write a digest yourself. `check` also reports a reference to an",
        "entry that is missing, withdrawn or a gap. Brackets that are no reference take a backslash:",
        "`\\[sic\\]`. A sentence that rests on a secret stays hidden until the secret is revealed.",
        "",
        "### The head of a text in journal/",
        "",
        "It stands above the text, between two lines `---`. What the text is about links to it.",
        "",
        *_fields_table(list(JournalHead.fields.values())),
        "### The caption file of a picture in art/",
        "",
        "`art/heron.yaml` beside `art/heron.svg`. What the picture shows links to it.",
        "",
        *_fields_table(list(Caption.fields.values())),
        "## Entries",
        "",
        "The verb is by habit the first key. A short entry may be written in braces on one line. A longer",
        "text goes after `|`, on lines indented under it. Nothing that the rules determine has to be",
        "written: prices, turns, winners and purses are computed. What you write down all the same is",
        "checked.",
        "",
        "### Options of every entry",
        "",
        *_fields_table(list(Action.fields.values())),
        "### Verbs of every game",
        "",
    ]
    for action_class in COMMON_VERBS:
        page_lines += _verb_section(action_class, "####")
    page_lines += [
        "## Names",
        "",
        "Write the names you use at the table. A name is found exactly as typed, then with letter case",
        "aside, then by any whole word that only one person has: `Okafor` is enough for Dr. Emeka Okafor.",
        "A name that nobody has gets a message with a guess. `x2` after a name means two of it, and",
        "`Ruth & Basil` is a pair, in either order.",
        "",
        "## Numbers",
        "",
        "A plain number states or sets a figure: `stress: 2`. A change is said in words: `up 2`, `down 1`.",
        "",
        "## Dice",
        "",
        "Write what the dice showed, in the order they fell; what it means is worked out. Who rolled stands",
        "before the faces: `{Ana: [4, 10], Bo: 7}`.",
        "",
        "| what fell | write | read as |",
        "|---|---|---|",
        *(
            f"| {dice_kind} | {_code_span(dice_as_typed)} | {dice_as_read} |"
            for dice_kind, dice_as_typed, dice_as_read in DICE_NOTATIONS
        ),
        "",
        "Dice of several colours or kinds have names: `{green: 422, red: 6}`, `{d10: 9, d6: [4, 2]}`.",
        "",
        "## Where YAML bites",
        "",
        "The files are YAML, which is friendly to lists and unfriendly to sentences. Each of these is",
        "noticed and answered with the right spelling, so there is no need to learn them. If you want one",
        "rule: **when in doubt, put the sentence in quotes, or after `|` on lines of its own.**",
        "",
        "| what bites | instead of | write | message |",
        "|---|---|---|---|",
        *(
            f"| {_table_cell(trap.description)} | {_code_span(trap.wrong_entry)} | "
            f"{_code_span(trap.right_entry)} | {trap.code} |"
            for trap in TRAPS
        ),
        "",
        "Indentation counts as well: all dashes of the log stand in one column, the options of an entry right",
        "under its verb, the lines of a text further in, and always with spaces. Words like `no`, `007`,",
        "`1e3` and `12:30` are safe: they stay what you typed.",
        "",
        "## What the messages mean",
        "",
        *re.sub(r"(?m)^##", "###", as_markdown()).rstrip("\n").split("\n"),
        "",
    ]
    return "\n".join(page_lines)


def _verbs_table(action_classes: tuple[type[Action], ...]) -> list[str]:
    table_rows = ["| verb | what it is for |", "|---|---|"]
    table_rows += [
        f"| [`{action_class.verb}`]({_anchor_of(action_class.verb)}) | {_table_cell(first_sentence(action_class))} |"
        for action_class in action_classes
    ]
    return [*table_rows, ""]


def _figure_row(figure_name: str, measure: Measure) -> str:
    owner_kinds = either(measure.kinds) if measure.kinds else "the game"
    can_be_set_text = "yes" if measure.write is not None else "follows from others"
    return f"| `{figure_name}` | {_table_cell(measure.doc)} | {owner_kinds} | {can_be_set_text} |"


def _snapshot_section(game: Game[Any]) -> list[str]:
    """The parts of a snapshot of a game in addition to figures, with their keys."""
    page_lines = [
        "## What a snapshot says",
        "",
        "`snapshot:` sets every figure above that can be set"
        + (", and:" if game.things else "; what has no figure stands under `given:`."),
        "",
    ]
    for item_name, snapshot_item in game.things.items():
        page_lines += [
            f"### `{item_name}` in a snapshot",
            "",
            f"{_escape_text(snapshot_item.doc)}.",
            "",
        ]
        for mapping_class in _mapping_classes_of(snapshot_item.kind):
            page_lines += _fields_table([*mapping_class.fields.values()])
    return page_lines


def _mapping_classes_of(field_type: FieldType[Any]) -> Iterator[type[Part]]:
    """The classes of the mappings with declared keys that a field type accepts."""
    for alternative in map(roleless, alternatives(field_type)):
        if isinstance(alternative, PartOf):
            yield alternative.part
        elif isinstance(alternative, MapOf):
            yield from _mapping_classes_of(alternative.value)
        elif isinstance(alternative, OrUnrecorded):
            yield from _mapping_classes_of(alternative.kind)


def _house_rule_section(game: Game[Any]) -> list[str]:
    """The points that a house rule may compute, and the names its formulas may use."""
    page_lines = [
        "## What a house rule may compute",
        "",
        "Under `computes:`, in a house rule of `campaign.yaml` or in an entry `house rule:`, a formula may",
        f"stand for each of these. It is made of {ALLOWED_PARTS}, words in quotes, and of names: "
        "those of its row and",
        f"{listed(f'`{name}` ({formula_name.doc})' for name, formula_name in COMMON_NAMES.items())}; `{USUAL}` is what",
        "holds without the rule.",
        "",
        "| what | its meaning | gives | names |",
        "|---|---|---|---|",
    ]
    for extension_point in (*game.points, MAY_POINT):
        formula_names_text = "; ".join(
            f"`{name}`: {formula_name.doc}" for name, formula_name in extension_point.names.items()
        )
        rule_ids = f" ({listed(extension_point.rules)})" if extension_point.rules else ""
        page_lines.append(
            f"| `{extension_point.name}` | {_table_cell(extension_point.doc)}{rule_ids} | "
            f"{extension_point.value_type} | {_table_cell(formula_names_text)} |"
        )
    return [*page_lines, ""]


def _example_of_figures(measures: Mapping[str, Measure]) -> list[str]:
    """An example of stated figures in the form that this game has."""
    owned_figure_name = next(
        (name for name, measure in measures.items() if measure.kinds and name != "present"),
        "present",
    )
    game_figure_name = next((name for name, measure in measures.items() if not measure.kinds), "")
    assignment_texts = [
        f"{owned_figure_name}: {{Ana: 2, Bo: 0}}",
        *([f"{game_figure_name}: 3"] if game_figure_name else []),
    ]
    return _fenced_code(
        "- assert: {" + ", ".join(assignment_texts) + "}\n"
        f"- correct: last\n  to: {{{owned_figure_name}: {{Ana: 1}}}}\n  note: we forgot one"
    )


def game_reference(game: Game[Any]) -> str:
    """The reference of one game: its verbs with example, default actor, value and options; its figures."""
    page_lines = [
        f"# {game.title}: what you can write in a log",
        "",
        f"Every verb that a log of {game.title} may use, with its keys and an example. A *verb* is the first word of",
        "an entry. The table lists all verbs; each leads to what is said of it below.",
        "",
    ]
    own_action_classes = tuple(game.by_verb[verb_name] for verb_name in game.own_verbs)
    extra_settings = [
        settings_field
        for setting_key, settings_field in game.settings.fields.items()
        if setting_key not in Settings.fields
    ]
    page_lines += ["## All verbs", "", *_verbs_table(own_action_classes)]
    if extra_settings:
        page_lines += ["## Settings", "", "Keys of `campaign.yaml` that this game adds:", ""]
        page_lines += _fields_table(extra_settings)
    common_keys, verbs_without_common_keys = _common_keys(own_action_classes)
    page_lines += ["## Each verb with its keys", ""]
    page_lines += [
        f"Every verb may also have the keys {listed(f'`{key_name}`' for key_name in Action.fields)}: the page",
        "*Format* explains them, and so does `chronicle reference`."
        + (" All verbs of this game may have these, too:" if common_keys else ""),
        "",
    ]
    if common_keys:
        page_lines += _fields_table([*common_keys.values()])
    if verbs_without_common_keys:
        page_lines += [
            f"Without these: {listed(f'`{verb_name}`' for verb_name in verbs_without_common_keys)}.",
            "",
        ]
    verb_by_described_part: dict[type[Part], str] = {}
    for action_class in own_action_classes:
        page_lines += _verb_section(
            action_class, game=game, common_keys=common_keys, verb_by_part=verb_by_described_part
        )
    page_lines += [
        "## Figures",
        "",
        "What the game counts can be stated with `assert`, which is checked, and repaired with `correct`,",
        "which is dated, gives its reason and rewrites nothing.",
        "",
        *_example_of_figures(game.by_measure),
        "| figure | what it is | of whom | can be set |",
        "|---|---|---|---|",
        *(_figure_row(measure_name, measure) for measure_name, measure in game.by_measure.items()),
        "",
        *_snapshot_section(game),
        *_house_rule_section(game),
        "## Verbs of every game",
        "",
    ]
    for verb_name, action_class in game.by_verb.items():
        if verb_name not in game.own_verbs:
            page_lines += _verb_section(action_class)
    return "\n".join(page_lines)


def short_reference(game: Game[Any], frequent_verbs: Collection[str] = ()) -> str:
    """A short reference of one game for beginners: the most frequent verbs (``frequent_verbs``) with an example each,
    then every verb with its keys and an example."""
    own_action_classes = tuple(game.by_verb[name] for name in game.own_verbs)
    all_action_classes = (
        *own_action_classes,
        *(
            action_class
            for action_class in game.by_verb.values()
            if action_class not in own_action_classes
        ),
    )
    common_keys, _ = _common_keys(own_action_classes)
    page_lines = [f"# {game.title}: how its log is written", ""]
    if frequent_verbs:
        page_lines += [
            "Most entries of a session look like these. All verbs and keys are listed below.",
            "",
        ]
        example_lines = []
        for action_class in (game.by_verb[name] for name in frequent_verbs):
            example_lines += [f"# {first_sentence(action_class)}", *action_class.specimen(), ""]
        page_lines += _fenced_code("\n".join(example_lines))
    page_lines += [
        "An entry is a dash, a verb with its value, and further keys on lines below the verb. The names here are",
        "examples. Chronicle computes prices, turns and winners. Each verb says in italics who acts by default. `by:`",
        "names another player, who then also pays. Every entry can have "
        f"{listed(f'`{name}`' for name in Action.fields)}"
        + (
            f", and every one of this game {listed(f'`{name}`' for name in common_keys)}."
            if common_keys
            else "."
        ),
        "",
        f"`chronicle reference {game.name}` explains every key, `chronicle explain VERB` explains one verb, and",
        "`chronicle reference` explains the verbs and keys of all games.",
        "",
        *(
            row
            for action_class in all_action_classes
            for row in _short_verb_section(action_class, game, common_keys)
        ),
    ]
    return "\n".join(page_lines)


def _short_verb_section(
    action_class: type[Action], game: Game[Any], common_keys: Container[str]
) -> Iterator[str]:
    """A verb in a few lines."""
    law = game.law if action_class.verb in game.own_verbs else None
    deciders_text = _escape_text(deciders_in_words(law, action_class))
    yield f"**{action_class.verb}**: {_escape_text(first_sentence(action_class))} *{deciders_text}*"
    key_texts = [
        f"`{field.name}`{' (needed)' if field.required else ''}: {_escape_text(_value_description(field))}"
        for field in action_class.fields.values()
        if field.name not in Action.fields and field.name not in common_keys
    ]
    yield ""
    yield from [f"Keys: {'; '.join(key_texts)}.", ""] if key_texts else []
    yield from _fenced_code("\n".join(action_class.specimen())) if action_class.example else ()


def _common_keys(action_classes: tuple[type[Action], ...]) -> tuple[dict[str, Field], list[str]]:
    """The keys that nearly all of some verbs share with one meaning, and the verbs that lack them."""
    verb_count_by_key_and_meaning = Counter(
        (name, field.doc)
        for action_class in action_classes
        for name, field in action_class.fields.items()
        if name not in Action.fields
    )
    shared_keys_and_meanings = {
        key_and_meaning
        for key_and_meaning, verb_count in verb_count_by_key_and_meaning.items()
        if verb_count > len(action_classes) * 0.9
    }
    shared_field_by_key = {
        name: field
        for action_class in action_classes
        for name, field in action_class.fields.items()
        if (name, field.doc) in shared_keys_and_meanings
    }
    return shared_field_by_key, [
        action_class.verb
        for action_class in action_classes
        if shared_field_by_key.keys() - action_class.fields.keys()
    ]


def _verb_section(
    action_class: type[Action],
    heading_marks: str = "###",
    game: Game[Any] | None = None,
    common_keys: Container[str] = (),
    verb_by_part: dict[type[Part], str] | None = None,
) -> list[str]:
    """The section of a verb, without the keys shared by all verbs (``common_keys``). A mapping is described
    only once, with the verb that has it first."""
    law = game.law if game is not None else None
    section_lines = [
        f"{heading_marks} {action_class.verb}",
        "",
        _escape_text(action_class.__doc__ or ""),
        "",
    ]
    if action_class.example:
        section_lines += _fenced_code("\n".join(action_class.specimen()))
    if action_class.main is not None:
        may_be_empty_text = "" if action_class.main.required else " It may be left empty."
        section_lines += [
            f"- Value: {_escape_text(_value_description(action_class.main))}."
            f"{_further_forms(action_class, action_class.main)}{may_be_empty_text}"
        ]
    section_lines += [f"- Who acts: {_escape_text(deciders_in_words(law, action_class))}."]
    section_lines += [f"- {requirement}." for requirement in law_requirements(action_class, law)]
    section_lines.append("")
    option_fields = [
        field
        for name, field in action_class.fields.items()
        if name not in Action.fields and name not in common_keys
    ]
    if option_fields:
        section_lines += _fields_table(
            option_fields, lambda field: value_examples(action_class, field)
        )
    verb_by_described_part = {} if verb_by_part is None else verb_by_part
    keys_by_mapping_class: dict[type[Part], dict[str, None]] = {}
    for field in (*([action_class.main] if action_class.main is not None else []), *option_fields):
        for mapping_class in _mapping_classes_of(field.kind):
            keys_by_mapping_class.setdefault(mapping_class, {})[f"`{field.name}:`"] = None
    for mapping_class, key_names in keys_by_mapping_class.items():
        describing_verb = verb_by_described_part.setdefault(mapping_class, action_class.verb)
        introduction = f"In braces after {either(key_names)}"
        if describing_verb == action_class.verb:
            section_lines += [
                f"{introduction}:",
                "",
                *_fields_table([*mapping_class.fields.values()]),
            ]
        else:
            section_lines += [
                f"{introduction} stands what [`{describing_verb}`]({_anchor_of(describing_verb)}) has there.",
                "",
            ]
    return section_lines


def _further_forms(action_class: type[Action], main_field: Field) -> str:
    """Forms of a value that neither the example above nor the description shows. A list needs no example where
    the description says that it is one."""
    shown_text = "\n".join([*action_class.specimen(), main_field.doc])
    is_list_mentioned = "list of" in main_field.kind.words
    example_forms = [
        example_form
        for example_form in value_examples(action_class, main_field)
        if example_form not in shown_text
        and example_form.strip("[], …")
        and ("{" in example_form or not is_list_mentioned)
    ]
    return (
        f" It can also be written {either(map(_code_span, example_forms))}."
        if example_forms
        else ""
    )


def _anchor_of(verb: str) -> str:
    return f"#{verb.replace(' ', '-')}"


def law_requirements(action_class: type[Action], law: Law | None) -> Iterator[str]:
    """The requirements of the game's law for a verb: the phases, and the roles of its names."""
    if law is None:
        return
    phases = action_class.moment.phases
    if phases:
        barred_phases = [
            phase.words for phase_name, phase in law.phases.items() if phase_name not in phases
        ]
        if barred_phases and len(barred_phases) <= len(phases):
            yield f"When: at any time, but not when {either(barred_phases)}"
        elif barred_phases:
            yield f"When: {either(law.phases[phase_name].words for phase_name in phases)}"
    for field in (
        *([action_class.main] if action_class.main is not None else []),
        *action_class.fields.values(),
    ):
        is_unique_list = UNIQUE_KEY in str(with_list_rules(field.kind.schema(), law))
        for role in roles_of(field.kind):
            if role in law.roles and law.roles[role].needs:
                value_label = "the value" if field is action_class.main else f"`{field.name}`"
                no_repeats_text = (
                    "; nobody twice" if is_unique_list and law.roles[role].repeat_rule else ""
                )
                yield f"Named in {value_label}: {_escape_text(role_in_words(law, role))}{no_repeats_text}"


def _value_description(field: Field) -> str:
    """The description of a value, then its form if the description does not give it."""
    words, doc = mapping_as_written(field.kind.words), field.doc
    if words.startswith(doc):
        return words
    return doc if "{" in doc or words == doc or words == "text" else f"{doc} ({words})"
