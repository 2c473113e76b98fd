"""Explanations of the ``T...`` messages, with a mistake and its correction side by side.

The texts are in :mod:`chronicle.core.form`, where ``chronicle explain T11`` finds them; this module has the
examples and builds pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from chronicle.core.form import RULES
from chronicle.core.rules import Rule, comparable_id


class Example(NamedTuple):
    """Lines of a file with one mistake, and the correct lines; each is possibly empty."""

    wrong_lines: str
    right_lines: str


EXAMPLES: Final[Mapping[str, Example]] = {
    "T3": Example(
        "",
        "session: 1\nlog:\n- tell: It rains on the jetty",
    ),
    "T4": Example(
        "- tell: She leaves\n---\n- tell: Morning",
        "- tell: She leaves\n\n# next morning\n- tell: Morning",
    ),
    "T6": Example(
        "- tell: They argue\n  tell: They stop",
        "- tell: They argue\n- tell: They stop",
    ),
    "T7": Example(
        "- tell: !important news came",
        '- tell: "!important news came"',
    ),
    "T8": Example(
        "- tell: *nobody",
        '- tell: "*nobody"',
    ),
    "T9": Example(
        "- assert: {[Ana, Bo]: 3}",
        "- assert: {dice: {Ana: 3, Bo: 3}}",
    ),
    "T11": Example(
        "- tell: The scout says: ride",
        '- tell: "The scout says: ride"',
    ),
    "T12": Example(
        "- tell: Room #7 is locked",
        '- tell: "Room #7 is locked"',
    ),
    "T13": Example(
        "- tell: {Ines: half drowned, cold}",
        '- tell: {Ines: "half drowned, cold"}',
    ),
    "T14": Example(
        '- tell: "Halt!" she cried',
        "- tell: '\"Halt!\" she cried'",
    ),
    "T15": Example(
        "- tell: @Ana waves",
        '- tell: "@Ana waves"',
    ),
    "T16": Example(
        "- roll: -",
        '- roll: "-"',
    ),
    "T17": Example(
        "- tell: They argue\n  by:Ana",
        "- tell: They argue\n  by: Ana",
    ),
    "T18": Example(
        "- tell: |\n  The lamp goes out.",
        "- tell: |\n    The lamp goes out.",
    ),
    "T19": Example(
        "- scene: The ferry\n  with: [Ana, Bo",
        "- scene: The ferry\n  with: [Ana, Bo]",
    ),
    "T20": Example(
        "- barge in: Sunny\n  pays: one",
        "- barge in: Sunny\n  pays: 1",
    ),
    "T21": Example(
        "- whisper: He knows",
        "- tell: She whispers that he knows",
    ),
    "T22": Example(
        "- tell: They argue\n  nots: late",
        "- tell: They argue\n  note: late",
    ),
    "T23": Example(
        "- tell:",
        "- tell: They argue",
    ),
    "T24": Example(
        "- tell: They argue\n  gap: an hour",
        "- tell: They argue\n- gap: an hour",
    ),
    "T25": Example(
        "- Marit looks at the door",
        "- tell: Marit looks at the door",
    ),
    "T26": Example(
        "players: [Ana, Bo, ana]",
        "players: [Ana, Bo, Ana B.]",
    ),
    "T31": Example(
        "- roll: {Ana: 7}",
        "- roll: {Ana: 6}",
    ),
    "T40": Example(
        "",
        "game: positive\ntitle: The boathouse\nplayers: [Ana, Bo, Cleo, Dov]",
    ),
    "T41": Example(
        "",
        "session: 1\nlog:\n- tell: It rains on the jetty",
    ),
    "T45": Example(
        "",
        "---\ntitle: A letter\nvoice: Marit\n---\nDear all ...",
    ),
    "T46": Example(
        "",
        "title: The jetty\nalt: Five people on a jetty at dusk\nartist: Cleo",
    ),
    "T50": Example(
        "- tell: They argue\n  by: Martha",
        "- tell: They argue\n  by: Marit",
    ),
    "T52": Example(
        "",
        "house rules:\n  kindness: An apology in person gives a die back",
    ),
    "T55": Example(
        "",
        "- scene: The jetty\n- tell: It rains",
    ),
    "T56": Example(
        "- tell: I never liked you",
        "- tell: I never liked you\n  by: Marit",
    ),
    "T60": Example(
        "",
        "- assert: {dice: {Ana: 3, Bo: 5}}",
    ),
    "T61": Example(
        "",
        "- correct: last\n  to: {dice: {Ana: 3}}\n  note: we forgot the die for the barge-in",
    ),
    "T67": Example(
        "",
        "- arrive: Cleo",
    ),
    "T70": Example(
        "- secret: Marit has known since Easter",
        "- secret: Marit has known since Easter\n  id: marit-knows",
    ),
}
"""For each rule id, an example, if a few lines can show it."""


def explain(rule_id: str) -> tuple[Rule, Example | None] | None:
    """The rule with this id, ignoring letter case and spaces, and its example if there is one. None for an
    unknown id."""
    for rule in RULES:
        if comparable_id(rule.id) == comparable_id(rule_id):
            return rule, EXAMPLES.get(rule.id)
    return None


def as_markdown() -> str:
    """Every rule as a section of a page, with its id as the anchor."""
    page_lines: list[str] = []
    chapter = ""
    for rule in RULES:
        if rule.chapter != chapter:
            chapter = rule.chapter
            page_lines += [f"## {chapter}", ""]
        page_lines += [f"### {rule.id}: {rule.title} {{#{rule.id.lower()}}}", "", rule.text, ""]
        example = EXAMPLES.get(rule.id)
        if example is not None:
            page_lines += _example_lines(example)
    return "\n".join(page_lines)


def _example_lines(example: Example) -> list[str]:
    example_lines: list[str] = []
    if example.wrong_lines:
        example_lines += ["Instead of", "", "```yaml", *example.wrong_lines.split("\n"), "```", ""]
    if example.right_lines:
        example_lines += ["write" if example.wrong_lines else "Like this:", ""]
        example_lines += ["```yaml", *example.right_lines.split("\n"), "```", ""]
    return example_lines
