"""Heads of session files, as tests change them."""

import re

from chronicle.core.keepers import KEEPERS_KEYS


def without_keepers_words(text: str) -> str:
    """A session file without what its keepers tell in its head."""
    head, log, entries = text.partition("\nlog:")
    kept_lines: list[str] = []
    dropping = False
    for line in head.split("\n"):
        if re.match("[a-z]", line):
            dropping = line.partition(":")[0] in KEEPERS_KEYS
        if not dropping:
            kept_lines.append(line)
    return "\n".join(kept_lines) + log + entries
