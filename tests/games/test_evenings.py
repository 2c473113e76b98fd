"""Play examples and sessions at random come to the same in every process of the program, field by field.

``CHRONICLE_BASE=REV`` compares with the program of another revision instead of the unchanged one.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chronicle.games import GAMES
from tests.compare.__main__ import Request, compare, write_logs
from tests.compare.revisions import here, revision
from tests.conftest import SOAK
from tests.sample import some

BASE = os.environ.get("CHRONICLE_BASE", "")


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("game", some(GAMES))
def test_evenings_come_to_the_same(game: str) -> None:
    request = Request(("examples", "random"), (game,), count=60 if SOAK else 6)
    # Sets and hashes have another order there.
    older = revision(BASE) if BASE else here()._replace(name="again", hash_seed=1)
    report = compare(older, here(), request)
    assert not report.groups, "\n".join(report.lines(3))


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_plays_the_same_session(game: str, tmp_path: Path) -> None:
    request = Request(("random",), (game,), count=3)
    for name, hash_seed in (("one", 0), ("other", 1)):
        write_logs(here()._replace(hash_seed=hash_seed), "random", tmp_path / name, request)
    logs = [
        {file.relative_to(tmp_path / name): file.read_text("utf-8") for file in files}
        for name in ("one", "other")
        for files in [[*(tmp_path / name).rglob("*.yaml")]]
    ]
    assert len(logs[0]) == 6
    assert logs[0] == logs[1]
