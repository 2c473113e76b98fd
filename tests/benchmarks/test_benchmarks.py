"""The measurements themselves: honest campaigns, honest journals, honest verdicts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from mkdocs.config import load_config

from benchmarks import many, sites, words
from benchmarks.peers import write_beancount, write_hledger
from benchmarks.play import GOES_BACK, write_campaign
from benchmarks.run import GAMES_MEASURED, growth, main, table, verdict
from benchmarks.spent import Spent
from chronicle.archive import plugin_of
from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.diagnostic import Severity
from chronicle.games import GAMES

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("game", [game for game in GAMES_MEASURED if game in GAMES])
def test_campaigns_have_their_size_and_are_legal(game: str, tmp_path: Path) -> None:
    write_campaign(game, 330, tmp_path / "a")
    record = run(load(tmp_path / "a"))
    assert sum(step.parent is None for step in record.steps) == 330
    assert len(record.sessions) == 4
    assert [d for d in record.diagnostics if d.severity >= Severity.WARNING] == []
    write_campaign(game, 330, tmp_path / "b")
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


def test_play_that_only_goes_onward_strikes_and_mirrors_nothing(tmp_path: Path) -> None:
    found = {}
    for name, without in (("all", ()), ("onward", GOES_BACK)):
        write_campaign("universalis", 1_000, tmp_path / name, without=without)
        record = run(load(tmp_path / name))
        found[name] = {step.action.verb for step in record.steps} & set(GOES_BACK)
    assert found["all"]
    assert not found["onward"]


@pytest.mark.peers
def test_peers_accept_their_journals(tmp_path: Path, bean_check: str, hledger: str) -> None:
    write_campaign("positive", 400, tmp_path / "a")
    record = run(load(tmp_path / "a"))
    write_beancount(record, tmp_path / "x.beancount")
    write_hledger(record, tmp_path / "x.journal")
    text = (tmp_path / "x.beancount").read_text()
    assert text.count('* "entry ') in (400, 401), "one transaction an entry"
    subprocess.run([bean_check, "-C", str(tmp_path / "x.beancount")], check=True)
    subprocess.run([hledger, "check", "-f", str(tmp_path / "x.journal")], check=True)


def test_verdicts() -> None:
    found = {
        ("chronicle", 1_000): Spent(0.2, 0.2, 20),
        ("chronicle", 10_000): Spent(1.0, 1.0, 40),
        ("bean-check", 1_000): Spent(0.1, 0.1, 20),
        ("bean-check", 10_000): Spent(2.0, 2.0, 40),
    }
    sizes = (1_000, 10_000)
    assert growth(found, "chronicle", sizes) == pytest.approx(0.699, abs=0.001)
    assert verdict("g", found, sizes) == ["g, 1000 entries: 2.00 of bean-check's time"]
    lines = table(found, sizes)
    assert lines[1].split() == ["1000", "0.200", "s", "20", "MB", "0.100", "s", "20", "MB", "2.00"]
    slow = {**found, ("chronicle", 10_000): Spent(3.0, 3.0, 40)}
    assert len(verdict("g", slow, sizes)) == 3
    large = {**found, ("hledger", 10_000): Spent(1.0, 1.0, 50)}
    assert verdict("g", large, sizes)[1:] == ["g, 10000 entries: 0.80 of hledger's memory"]


def test_a_whole_measurement(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sizes", "20", "--rounds", "1", "--games", "positive", "--only-games"]) in (0, 1)
    told = capsys.readouterr().out
    assert "positive" in told and "chronicle" in told and "     20" in told


def test_names_are_measured_against_the_standard_library() -> None:
    lines, _ = words.measure((30, 60), 1)
    assert [line.split()[0] for line in lines[1:]] == ["30", "60"]
    assert len(set(words.names_of(500))) == 500


@pytest.mark.slow
def test_sites_are_measured_whole_and_after_one_line() -> None:
    lines, _ = sites.measure((30,), 2, ("positive",))
    figures = lines[1].split()
    assert figures[:2] == ["positive", "30"]
    whole, again, alone = sites._site("positive", 30, 1)
    assert 0 < again.pages < whole.pages
    assert 0 < whole.ours < whole.seconds and alone > 0


def test_an_archive_to_measure_is_a_project_of_chronicle(tmp_path: Path) -> None:
    root = many.write_archive(tmp_path / "archive", 2, seed=1)
    assert len(find_campaigns(root / "sessions")) == 2
    assert plugin_of(load_config(str(root / "mkdocs.yml"))).config.sessions == "sessions"
