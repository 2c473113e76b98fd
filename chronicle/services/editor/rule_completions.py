"""Completions of rules in an entry: those that it may be allowed to break, and house rules that it follows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chronicle.services.diagnostic_data import diagnostics_by_key
from chronicle.services.editor.completion import Completion
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.snippets import CARET_MARK
from chronicle.syntax.one_line import close_brackets


def accused_rule_completions(
    opened: OpenCampaign, file: str, line_range: range, typed_value: str
) -> Iterator[Completion]:
    """The rules that the entry on these lines is accused under."""
    typed_word = re.split(r"[{,]\s*", typed_value)[-1]
    if ":" in typed_word:
        return
    opening_brace = "" if close_brackets(typed_value) != typed_value else "{"
    closing_brace = "" if opening_brace == "" else "}"
    for diagnostic in diagnostics_by_key(opened).values():
        place = diagnostic.place
        if place.path == file and place.line in line_range:
            yield Completion(
                diagnostic.code,
                f"{opening_brace}{diagnostic.code}: {CARET_MARK}{closing_brace}",
                len(typed_word),
                "rule",
                "",
                diagnostic.message,
            )


def house_rule_completions(opened: OpenCampaign, typed_value: str) -> Iterator[Completion]:
    """The house rules of a campaign."""
    campaign = opened.workspace.campaign
    house_rules = campaign.settings.house_rules if campaign is not None else None
    typed_word = re.split(r"[\[,]\s*", typed_value)[-1]
    for house_rule_id, house_rule in (house_rules or {}).items():
        if str(house_rule_id).startswith(typed_word):
            yield Completion(
                str(house_rule_id),
                str(house_rule_id),
                len(typed_word),
                "rule",
                "",
                str(house_rule.rule),
            )
