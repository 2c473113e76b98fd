"""Many campaigns: what several processes say together is what one says after the other."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns
from chronicle.cli import main
from chronicle.cli.jobs import (
    MIN_CAMPAIGNS_PER_PROCESS,
    JobOptions,
    campaigns_of_share,
    process_count,
    run_each,
    run_for_each_campaign,
)
from chronicle.patience import TimedOut, run_within
from tests.conftest import ROOT
from tests.site.project import make_project


def ran(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "chronicle", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, cwd=ROOT)


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few campaigns: two as they are, one that has faults, one that nobody can read."""
    home = tmp_path_factory.mktemp("club")
    for number, folder in enumerate(find_campaigns(ROOT / "sessions")[:3]):
        copytree(folder, home / folder.name)
        if number == 1:
            first = min((home / folder.name).glob("[0-9]*.yaml"))
            first.write_text(first.read_text("utf-8") + "- correct: nobody\n- tel: x\n", "utf-8")
    (home / "unreadable").mkdir()
    (home / "unreadable" / "campaign.yaml").write_text("game: chess\nplayers: [Ana]\n")
    return home


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_a_check_says_the_same_with_any_number_of_processes(club: Path, form: str) -> None:
    one_process, two = (ran("check", club, "--format", form, "--jobs", jobs) for jobs in ("1", "3"))
    assert one_process.returncode == two.returncode == 1
    assert one_process.stdout == two.stdout
    assert b"chess" in one_process.stdout


def test_shares_are_all_campaigns_each_once(club: Path) -> None:
    every = ran("check", club, "-q").stdout.splitlines()
    shares = [ran("check", club, "-q", "--shard", f"{n}/3").stdout.splitlines() for n in (1, 2, 3)]
    assert len([share for share in shares if share]) > 1
    assert sorted(line for share in shares for line in share) == sorted(every)


@pytest.mark.parametrize("share", ["0/3", "4/3", "x", "1/", "²/3"])
def test_what_is_no_share_is_refused(share: str, club: Path) -> None:
    completed = ran("check", club, "--shard", share)
    assert completed.returncode == 2
    assert b"share" in completed.stderr
    assert b"Traceback" not in completed.stderr


def test_an_export_of_many_is_the_same_with_any_number_of_processes(
    club: Path, tmp_path: Path
) -> None:
    for jobs in ("1", "2"):
        completed = ran("export", club, "--all", tmp_path / jobs, "--jobs", jobs)
        assert completed.returncode == 1
        assert b"unreadable" in completed.stderr
    one_process_files, two = contents(tmp_path / "1"), contents(tmp_path / "2")
    assert one_process_files == two
    assert len({Path(name).parts[0] for name in one_process_files}) == 3


def test_processes_are_started_where_they_are_worth_it() -> None:
    folders = [Path(str(n)) for n in range(10)]
    assert process_count(1, None) == process_count(MIN_CAMPAIGNS_PER_PROCESS, None) == 1
    assert process_count(10_000, None) == (os.cpu_count() or 1)
    assert process_count(3, 16) == 3
    assert process_count(0, None) == 1
    assert (
        campaigns_of_share(folders, (1, 20)) + campaigns_of_share(folders, (11, 20)) == folders[:1]
    )


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[int]]]:
    """A check by two processes in the middle: when they are there, and long before they are done. It, and who
    they are, where the system tells."""
    for number in range(150):
        copytree(ROOT / "sessions" / "the-lantern-coast", tmp_path / str(number))
    command = [sys.executable, "-m", "chronicle", "check", str(tmp_path), "--jobs", "2"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as running:
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        until, helpers = time.monotonic() + 30, list[int]()
        while children.is_file() and len(helpers) < 2 and time.monotonic() < until:
            time.sleep(0.01)
            helpers = [*map(int, children.read_text().split())]
        time.sleep(0.5 if helpers else 2)
        yield running, helpers
        running.kill()


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_whoever_stops_it_is_told_nothing_but_that(
    begun: tuple[subprocess.Popen[bytes], list[int]],
) -> None:
    running, _ = begun
    os.killpg(running.pid, signal.SIGINT)
    out, error_output = running.communicate(timeout=60)
    assert running.returncode == 130
    assert (out, error_output.strip()) == (b"", b"Stopped.")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_nobody_works_on_for_one_that_was_ended(
    begun: tuple[subprocess.Popen[bytes], list[int]],
) -> None:
    running, helpers = begun
    assert len(helpers) == 2
    running.kill()
    # Both hold the other end of this: it ends with the last of them.
    running.communicate(timeout=60)
    assert not [pid for pid in helpers if Path(f"/proc/{pid}/exe").exists()]


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_one_process_finishes_what_it_is_at_unless_it_is_stopped_twice() -> None:
    done: list[str] = []

    def stopped(folder: Path) -> str:
        for _ in range(int(folder.name)):
            os.kill(os.getpid(), signal.SIGINT)
        done.append(folder.name)
        return folder.name

    for names, ended in ((["0", "1", "0"], ["0", "1"]), (["0", "2", "0"], ["0"])):
        done.clear()
        with pytest.raises(KeyboardInterrupt):
            [
                *run_for_each_campaign(
                    stopped, [*map(Path, names)], JobOptions(1), "done", lambda folder, why: why
                )
            ]
        assert done == ended


def sleeps(folder: Path) -> str:
    time.sleep(100)
    return ""


def slept() -> None:
    """Be stopped twice while two processes sleep."""
    for seconds in (2, 4):
        threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        [
            *run_for_each_campaign(
                sleeps, [Path("a"), Path("b")], JobOptions(2), "done", lambda folder, why: why
            )
        ]
    except KeyboardInterrupt:
        print("Stopped.")


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_whoever_stops_several_processes_twice_waits_for_none() -> None:
    code = "from tests.cli.test_jobs import slept; slept()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == (b"Stopped.\n", b"")


def called(folder: Path, by: str) -> str:
    return f"{folder.name} {by}"


def test_each_campaign_may_have_a_task_of_its_own() -> None:
    pairs = [(partial(called, by=str(n)), Path(f"{n}")) for n in range(9)]
    for jobs in (1, 2):
        answers = run_each(pairs, JobOptions(jobs), "done", lambda folder, why: why)
        assert [*answers] == [f"{n} {n}" for n in range(9)]


@pytest.mark.slow
@pytest.mark.integration
def test_what_goes_with_a_campaign_does_not_grow_with_their_number(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is handed to a process with each of them: else ten thousand would be handed over ten thousand times."""
    sizes: list[int] = []

    def pooled(calls: Sequence[Callable[[], Any]], count: int) -> Iterator[Any]:
        sizes.append(max(len(pickle.dumps(call)) for call in calls))
        return (call() for call in calls)

    monkeypatch.setattr("chronicle.cli.jobs._results_of_pool", pooled)
    root = make_project(tmp_path / "p")
    for number in range(60):
        (root / "sessions" / f"unreadable-{number}").mkdir(parents=True)
        settings = root / "sessions" / f"unreadable-{number}" / "campaign.yaml"
        settings.write_text("game: chess\nplayers: [Ana]\n")
    source = f"file://{root / 'sessions'}"
    for words in (["check", str(root)], ["check", "--from", source], ["corpus", str(root)],
                  ["export", str(root), "--all", str(tmp_path / "out")],
                  ["build", str(root), "--each", "--out", str(tmp_path / "site")]):  # fmt: skip
        main([*words, "--jobs", "2"])
    assert len(sizes) == 5
    assert max(sizes) < 2_000


# -- a share of time -------------------------------------------------------------------------------


def goes_on(folder: Path) -> str:
    """What never ends, and heeds no error."""
    while True:
        try:
            sum(range(1000))
        except Exception:
            continue


def odd(folder: Path) -> str:
    """Some end their process, some go on and on, and some hear nothing at all."""
    if folder.name == "ends":
        os._exit(9)
    if folder.name == "slow":
        return goes_on(folder)
    while folder.name == "deaf":
        try:
            goes_on(folder)
        except BaseException:
            continue
    return folder.name


def test_what_takes_too_long_is_ended() -> None:
    assert run_within(odd, 60, Path("x")) == "x"
    assert run_within(odd, 0.1, Path("slow")) == TimedOut(0.1)
    answers: list[object] = []
    thread = threading.Thread(target=lambda: answers.append(run_within(odd, 0.1, Path("slow"))))
    thread.start()
    thread.join(60)
    assert answers == [TimedOut(0.1)]
    with pytest.raises(ZeroDivisionError):
        run_within(lambda folder: 1 / 0, 60, Path("x"))


@pytest.mark.integration
@pytest.mark.usefixtures("forked")
def test_nobody_waits_for_one_that_is_slow_deaf_or_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    # By the clock, so that on a busy machine there is little left of it.
    monkeypatch.setattr("chronicle.patience.KILL_DELAY", 2)
    names = ["a", "ends", "b", "slow", "c", "deaf", *(f"d{n}" for n in range(20)), "ends"]
    folders = [Path(name) for name in names]
    answers = [
        *run_for_each_campaign(
            odd, folders, JobOptions(2, 0.1), "done", lambda folder, why: f"{folder}: {why}"
        )
    ]
    assert [answer.partition(":")[0] for answer in answers] == names
    lost = {name: answer for name, answer in zip(names, answers, strict=True) if name != answer}
    assert lost.keys() == {"ends", "slow", "deaf"}
    assert "0.1 s" in lost["slow"]
    assert "ended" in lost["ends"]
    assert [
        *run_for_each_campaign(
            odd, folders[3:5], JobOptions(1, 0.2), "done", lambda folder, why: "late"
        )
    ] == [
        "late",
        "c",
    ]
