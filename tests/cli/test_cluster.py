"""Campaigns on many machines: a scheduler and two workers, one of them killed in the middle, say what one
process says; and an object storage holds what a folder does."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from chronicle.cli import main
from chronicle.cluster import (
    NoCluster,
    Parcel,
    connect,
    fetch_files,
    find_campaigns_at,
    open_file_system,
    pack_folder,
    run_on_workers,
    run_task,
    unpack,
)
from tests.conftest import ROOT
from tests.site.project import make_project
from tests.site.test_archive import contents

pytestmark = [pytest.mark.integration, pytest.mark.slow]

SMALL = ("a-room-by-post", "left-luggage", "the-long-siding")


def project_with(root: Path, copies: int = 1) -> Path:
    """Small campaigns, one of them with faults, and one that nobody can read."""
    make_project(root)
    for n in range(copies):
        for name in SMALL:
            copytree(ROOT / "sessions" / name, root / "sessions" / f"{name}-{n}")
    first = min((root / "sessions" / f"{SMALL[0]}-0").glob("[0-9]*.yaml"))
    first.write_text(first.read_text("utf-8") + "- correct: nobody\n- tel: x\n", "utf-8")
    (root / "sessions" / "unreadable").mkdir()
    settings = "game: chess\nplayers: [Ana]\n"
    (root / "sessions" / "unreadable" / "campaign.yaml").write_text(settings, "utf-8")
    return root


class Cluster:
    """A scheduler and workers as processes of their own, which see none of our files."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.file = home / "scheduler.json"
        self.running: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                    "--scheduler-file", str(self.file))  # fmt: skip
        until = time.monotonic() + 60
        while not self.file.is_file() and time.monotonic() < until:
            time.sleep(0.05)

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        folder = self.home / f"at-{len(self.running)}"
        folder.mkdir()
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "5"},
        )
        self.running.append(process)
        return process

    def worker(self) -> subprocess.Popen[bytes]:
        """One more worker."""
        return self._start("worker", "--scheduler-file", str(self.file), "--nthreads", "1",
                           "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")  # fmt: skip

    def close(self) -> None:
        """End all processes."""
        for process in reversed(self.running):
            process.kill()
        for process in self.running:
            process.wait(30)


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that speaks S3, with an empty bucket."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    variables = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "FSSPEC_S3": json.dumps({"endpoint_url": f"http://{host}:{port}"}),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        import fsspec.config

        fsspec.config.set_conf_env(fsspec.config.conf)
        open_file_system("s3://club")[0].mkdir("club")
        yield "s3://club"
        fsspec.config.conf.pop("s3", None)
    server.stop()


@pytest.fixture(scope="module")
def cluster(bucket: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    # Workers are started after the storage, and know where it is.
    new_cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    new_cluster.worker()
    new_cluster.worker()
    yield new_cluster
    new_cluster.close()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project_with(tmp_path_factory.mktemp("many") / "p")


def run_quietly(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capfd.readouterr()
    code = main([*words])
    return code, capfd.readouterr().out


def test_a_cluster_says_what_one_process_says(
    cluster: Cluster,
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(project)
    on_cluster = ("--scheduler", str(cluster.file))
    for words in (("check", "sessions"), ("check", "sessions", "--format", "json"),
                  ("corpus", "sessions", "--format", "json")):  # fmt: skip
        local_output, cluster_output = (
            run_quietly(capsys, *words, "--jobs", "1"),
            run_quietly(capsys, *words, *on_cluster),
        )
        assert local_output == cluster_output
        assert local_output[0] == 1
        assert local_output[1]
    for out, how in (("near", ("--jobs", "1")), ("far", on_cluster)):
        assert run_quietly(capsys, "export", "sessions", "--all", f"exports-{out}", *how)[0] == 1
        assert run_quietly(capsys, "build", ".", "--each", "--out", f"site-{out}", *how)[0] == 1
    assert contents(project / "exports-near") == contents(project / "exports-far")
    local_files, afar = contents(project / "site-near"), contents(project / "site-far")
    for files in (local_files, afar):
        for name in [name for name in files if name.endswith((".chronicle-output", ".gz"))]:
            del files[name]
    assert local_files == afar
    # What is as it is to be goes nowhere, so that nobody has to be there.
    assert run_quietly(capsys, "build", ".", "--each", "--out", "site-far", *on_cluster)[0] == 1


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_what_a_killed_worker_had_is_done_again(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = project_with(tmp_path / "p", copies=12)
    monkeypatch.chdir(home)
    words = [sys.executable, "-m", "chronicle", "corpus", "sessions", "--format", "json"]
    local_run = subprocess.run([*words, "--jobs", "1"], capture_output=True)
    doomed = cluster.worker()
    # Nothing is read ahead: what stood in a buffer would be lost on the rest.
    running = subprocess.Popen(
        [*words, "--scheduler", str(cluster.file)],
        bufsize=0,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdout is not None
    # The first line is out, so that all workers are at it.
    first = running.stdout.readline()
    doomed.send_signal(signal.SIGKILL)
    remaining_output, _ = running.communicate(timeout=240)
    assert doomed.wait(30) == -signal.SIGKILL
    assert first + remaining_output == local_run.stdout
    assert len(local_run.stdout.splitlines()) == 36
    assert running.returncode == local_run.returncode == 1


def test_who_takes_too_long_holds_no_worker(cluster: Cluster) -> None:
    def shown(folder: Path) -> str:
        while folder.name == "endless":
            pass
        return folder.name

    names = ("a", "endless", "b", "endless", "c")
    pairs = ((shown, Parcel(name, pack_folder(Path("nowhere")))) for name in names)
    with connect(str(cluster.file)) as client:
        answers = [*run_on_workers(client, pairs, 0.3, lambda parcel, why: why)]
    assert [answer[:5] for answer in answers] == ["a", "0.3 s", "b", "0.3 s", "c"]


def test_one_that_is_too_large_to_travel_stops_nobody(
    cluster: Cluster,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = make_project(tmp_path / "p", *(ROOT / "sessions" / name for name in SMALL))
    large = root / "sessions" / SMALL[1]
    (large / "notes.txt").write_bytes(bytes(2**20))
    monkeypatch.chdir(root)
    monkeypatch.setattr("chronicle.cluster.MAX_PACKED_BYTES", 2**20)
    on_cluster = ("--scheduler", str(cluster.file))
    source = ("--from", (root / "sessions").as_uri())
    for words in (("check", "sessions", *on_cluster), ("check", *source, "--jobs", "1")):
        code, output = run_quietly(capsys, *words, "-q")
        assert code == 1
        assert output.count("T88") == 1
        assert f"sessions/{SMALL[1]}/campaign.yaml: error[T88]" in output
    assert run_quietly(capsys, "build", ".", "--each", "--out", "site", *on_cluster)[0] == 1
    for name in SMALL:
        page = (root / "site" / name / "index.html").read_text("utf-8")
        assert ("could not be finished" in page) == (name == SMALL[1])


def test_who_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chronicle.cluster.CONNECTION_TIMEOUT", 1)
    monkeypatch.chdir(ROOT)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    assert main(["check", "sessions/six-names", "--scheduler", address]) == 2
    assert "no scheduler answers" in capsys.readouterr().err
    assert main(["check", "--from", "nowhere://x"]) == 2
    assert main(["check", "--from", str(tmp_path)]) == 2
    assert "no campaign" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["check", "sessions", "--scheduler", address]) == 2
    assert '[cluster]"' in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "fsspec", None)
    assert main(["check", "--from", "s3://club"]) == 2
    assert '[cluster]"' in capsys.readouterr().err
    assert main(["check", str(tmp_path.parent), "--watch", "--from", "x"]) == 2


# -- an object storage -----------------------------------------------------------------------------


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, where somebody stands in it."""
    monkeypatch.chdir(project)
    return project


def test_an_object_storage_is_a_folder(
    bucket: str, cluster: Cluster, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system, _ = open_file_system(bucket)
    for file in sorted((here / "sessions").rglob("*")):
        if file.is_file():
            name = file.relative_to(here).as_posix()
            system.pipe_file(f"club/{name}", file.read_bytes())
    for words in (("check",), ("corpus", "--format", "json")):
        code, local_output = run_quietly(capsys, words[0], "sessions", *words[1:], "--jobs", "1")
        # What lies in a storage is not corrected there.
        expected_lines = [line for line in local_output.splitlines() if "--fix" not in line]
        for how in (("--jobs", "1"), ("--scheduler", str(cluster.file))):
            answer = run_quietly(capsys, *words, "--from", f"{bucket}/sessions", *how)
            assert (answer[0], answer[1].splitlines()) == (code, expected_lines)
    out = tmp_path / "out"
    export = ("export", "--from", f"{bucket}/sessions", "--all", str(out), "--jobs", "1")
    code, output = run_quietly(capsys, *export, "--to", f"{bucket}/exports")
    assert code == 1
    assert output.count(f"to {bucket}/exports/") == len(SMALL)
    fetch_files(f"{bucket}/exports", tmp_path / "back")
    shown = {name: data for name, data in contents(out).items() if not name.endswith("output")}
    assert contents(tmp_path / "back") == shown
    # Again there is nothing to send, whoever makes it.
    export_on_cluster = (*export[:-2], "--scheduler", str(cluster.file))
    for command in (export, export_on_cluster):
        assert run_quietly(capsys, *command, "--to", f"{bucket}/exports")[1] == ""


def test_an_object_storage_holds_a_site(
    bucket: str, cluster: Cluster, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to_bucket = ("--scheduler", str(cluster.file), "--to", f"{bucket}/site")
    words = ("build", ".", "--each", "--out", "site-far", *to_bucket)
    code, output = run_quietly(capsys, *words)
    assert code == 1
    assert f"to {bucket}/site/{SMALL[0]}-0" in output

    def held(folder: Path) -> dict[str, bytes]:
        return {name: data for name, data in contents(folder).items() if "/." not in f"/{name}"}

    fetch_files(f"{bucket}/site", tmp_path / "before")
    assert held(here / "site-far") == held(tmp_path / "before")
    first = min((here / "sessions" / f"{SMALL[1]}-0").glob("[0-9]*.yaml"))
    text = first.read_text("utf-8")
    first.write_text(text + "- tell: A lamp is lit\n", "utf-8")
    output = run_quietly(capsys, *words)[1]
    first.write_text(text, "utf-8")
    assert f"/site/{SMALL[1]}-0" in output
    assert f"/site/{SMALL[0]}-0" not in output
    fetch_files(f"{bucket}/site", tmp_path / "after")
    assert held(here / "site-far") == held(tmp_path / "after")
    # One that is no more is nowhere any more; what somebody else put there stays.
    system, _ = open_file_system(bucket)
    gone = f"club/site/{SMALL[2]}-0"
    for name in (f"{gone}/mine.txt", "club/site/others/mine.txt"):
        system.pipe_file(name, b"mine")
    (here / "sessions" / f"{SMALL[2]}-0").rename(tmp_path / "away")
    output = run_quietly(capsys, *words)[1]
    (tmp_path / "away").rename(here / "sessions" / f"{SMALL[2]}-0")
    assert "of campaigns that are no more" in output
    system.invalidate_cache()
    assert [*system.find(gone)] == [f"{gone}/mine.txt"]
    assert [*system.find("club/site/others")] == ["club/site/others/mine.txt"]
    assert system.exists(f"club/site/{SMALL[0]}-0/index.html")


# -- the way ---------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_campaign_travels_as_it_is_and_nothing_else(tmp_path: Path) -> None:
    home = tmp_path / "home"
    copytree(ROOT / "sessions" / "a-room-by-post", home)
    (tmp_path / "outside").write_text("not yours", "utf-8")
    (home / "link.yaml").symlink_to(tmp_path / "outside")
    (home / ".hidden").write_text("x", "utf-8")
    data = pack_folder(home)
    assert data == pack_folder(home)
    assert b"not yours" not in data
    unpack(data, tmp_path / "there")
    unpacked = contents(tmp_path / "there")
    assert unpacked == {
        k: v for k, v in contents(home).items() if k not in ("link.yaml", ".hidden")
    }
    assert (tmp_path / "there" / "link.yaml").is_symlink()

    def listing(folder: Path) -> tuple[str, list[str]]:
        return str(folder), sorted(path.name for path in Path().iterdir())

    folder_before = Path.cwd()
    assert run_task(listing, Parcel("sessions/x", data)) == ("sessions/x", ["sessions"])
    assert Path.cwd() == folder_before


def test_campaigns_are_found_as_in_a_folder(tmp_path: Path) -> None:
    for name in ("b/deep", "a", "a/inner", ".git/x"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "campaign.yaml").write_text("", "utf-8")
    assert find_campaigns_at(tmp_path.as_uri()) == ["a", "b/deep"]
    with pytest.raises(NoCluster):
        find_campaigns_at((tmp_path / "none").as_uri())
