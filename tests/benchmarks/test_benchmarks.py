"""The benchmarks: their campaigns are legal, their journals are valid, and the table says which bars hold."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks.open_campaign import measure_answers
from benchmarks.peers import write_beancount, write_hledger
from benchmarks.play import write_campaign
from benchmarks.processes import measure
from benchmarks.report import GAMES, Figure, Row, growth, table
from chronicle.campaigns import load, run
from chronicle.core.diagnostic import Severity

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("game", GAMES)
def test_a_written_campaign_has_its_size_and_is_legal(game: str, tmp_path: Path) -> None:
    write_campaign(game, 330, tmp_path / "first")
    record = run(load(tmp_path / "first"))
    assert sum(step.parent is None for step in record.steps) == 330
    assert len(record.sessions) == 4
    assert [d for d in record.diagnostics if d.severity >= Severity.WARNING] == []
    write_campaign(game, 330, tmp_path / "second")
    for file in (tmp_path / "first").iterdir():
        assert file.read_bytes() == (tmp_path / "second" / file.name).read_bytes()


@pytest.mark.peers
def test_peers_accept_their_journals(tmp_path: Path, bean_check: str, hledger: str) -> None:
    write_campaign("positive", 400, tmp_path / "campaign")
    record = run(load(tmp_path / "campaign"))
    write_beancount(record, tmp_path / "x.beancount")
    write_hledger(record, tmp_path / "x.journal")
    text = (tmp_path / "x.beancount").read_text()
    assert text.count('* "entry ') in (400, 401), "one transaction an entry"
    subprocess.run([bean_check, "-C", str(tmp_path / "x.beancount")], check=True)
    subprocess.run([hledger, "check", "-f", str(tmp_path / "x.journal")], check=True)


def test_an_open_campaign_is_measured(tmp_path: Path) -> None:
    write_campaign("positive", 60, tmp_path / "campaign", per_session=20)
    held = b"x" * (300 * 2**20)  # the memory of this process must not count
    answers, memory = measure_answers(tmp_path / "campaign", tmp_path)
    assert 0 < answers.append < answers.opening
    assert answers.first_session > 0
    assert 5 < memory < len(held) / 2**20


def test_a_command_is_measured_and_a_failing_one_is_refused(tmp_path: Path) -> None:
    usage = measure({"true": ["/bin/sh", "-c", "exit 0"]}, 1, tmp_path)["true"]
    assert usage.seconds >= 0 and usage.megabytes > 0
    with pytest.raises(RuntimeError, match="exit 3"):
        measure({"false": ["/bin/sh", "-c", "exit 3"]}, 1, tmp_path)


def test_the_table_says_which_bars_hold() -> None:
    rows = [
        Row("check", "s", (Figure(0.25, 0.3), Figure(0.29, 0.3))),
        Row("append", "ms", (Figure(20, 60.0), Figure(61, 60.0))),
        Row("memory", "MB", (Figure(20), Figure(31.4))),
        Row("replay", "ms", (Figure(80, 100.0), Figure(190, 200.0))),
    ]
    assert table(rows)[2:] == [
        "| check (s) | 0.25 | 0.29 | 0.30 | yes |",
        "| append (ms) | 20 | 61 | 60 | **no** |",
        "| memory (MB) | 20 | 31 |  |  |",
        "| replay (ms) | 80 | 190 | 100, 200 | yes |",
    ]


def test_growth_is_an_exponent() -> None:
    assert growth({3_000: 1.0, 30_000: 10.0}) == pytest.approx(1)
    assert growth({3_000: 1.0, 30_000: 100.0}) == pytest.approx(2)
