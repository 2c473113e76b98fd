"""Renaming by any of the names of a thing (a Role, a former name) drops no other word of a log."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load, run_recording_names
from chronicle.core.names import PLAYER
from chronicle.syntax.rename import Renaming, find_changes
from tests.conftest import ROOT

NEW = "Qqq Zzz"


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))


@pytest.mark.integration
@pytest.mark.parametrize(
    "folder", find_campaigns(ROOT / "sessions"), ids=lambda folder: folder.name
)
@pytest.mark.longer
def test_no_word_but_the_name_goes(folder: Path) -> None:
    campaign = load(folder)
    record, names = run_recording_names(campaign)
    called = [
        subject for subject in names.all.values() if subject.kind != PLAYER and subject.aliases
    ]
    for named in called[:12]:
        for old in named.aliases:
            for change in find_changes(
                record, names, Renaming(named, old, NEW), renames_all_equal_words=True
            ):
                rows = zip(
                    change.source.text.splitlines(), change.new_text.splitlines(), strict=False
                )
                for line_before, line_after in rows:
                    gone = _words(line_before) - _words(line_after.replace(NEW, ""))
                    assert gone.keys() <= _words(old).keys(), (line_before, line_after)
