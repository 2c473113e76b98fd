"""Run one revision of Chronicle over many logs, and answer with all that it says about them.

``python answer.py TREE`` takes the program from the checkout TREE. It knows the program only by its command
line: it calls what ``[project.scripts]`` of TREE's ``pyproject.toml`` names, again and again in one process. So
modules may be moved and renamed between two revisions. Only the standard library is imported here.

Each line of standard input is a JSON object: ``folder``, which holds campaign folders; ``pages``, whether to
render their pages; ``moments``, after how many entries of each log to ask how play stands. Each line of
standard output is the answer: the name of each campaign folder with what the program says about it, by field.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import shutil
import signal
import sys
import tempfile
import tomllib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any

SECONDS = 60
"""How many seconds of processor time one command may take."""

Main = Callable[[list[str]], object]


class TookTooLong(BaseException):
    """A command took longer than :data:`SECONDS`. The program must not catch it, so it is no Exception."""


def load_program(tree: Path) -> Main:
    """Import the program of a checkout.

    Returns:
        The function behind the command ``chronicle``.
    """
    sys.path.insert(0, str(tree))
    with (tree / "pyproject.toml").open("rb") as file:
        script = tomllib.load(file)["project"]["scripts"]["chronicle"]
    module, _, name = script.partition(":")
    program = importlib.import_module(module)
    assert Path(str(program.__file__)).is_relative_to(tree), f"{program.__file__} is not in {tree}"
    main: Main = getattr(program, name)
    return main


def run_command(main: Main, *arguments: str) -> tuple[object, str, str]:
    """Run one command in this process.

    Returns:
        Its exit code, its output and its messages.
    """
    output, messages = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages):
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                code: object = main(list(arguments))
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
    except SystemExit as error:
        code = error.code
    except TookTooLong:
        code = f"stopped after {SECONDS} s of processor time"
    except Exception as error:
        code = f"{type(error).__name__}: {error}"
    # The program ends its life by freezing all objects; here it lives on.
    gc.unfreeze()
    texts = []
    for stream in (output, messages):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8", "replace"))
    return code, texts[0], texts[1]


def json_of(main: Main, *arguments: str) -> dict[str, Any]:
    """Run a command that prints JSON.

    Returns:
        What it prints, with its exit code (``exit``) and its messages (``said``) where these say more.
    """
    code, output, messages = run_command(main, *arguments)
    try:
        answer = json.loads(output)
    except ValueError:
        answer = {"output": output.splitlines()} if output else {}
    if not isinstance(answer, dict):
        answer = {"output": answer}
    if code:
        answer["exit"] = code
    if messages:
        answer["said"] = messages.splitlines()
    return answer


def moments_of(entries: int, most: int) -> list[int]:
    """Numbers of entries after which to ask how play stands: at most so many, spread evenly, the last left
    out."""
    if entries - 1 <= most:
        return [*range(1, entries)]
    return sorted({round((at + 1) * entries / (most + 1)) for at in range(most)} - {0, entries})


def describe(main: Main, campaign: str, moments: int) -> dict[str, Any]:
    """All that the program says about one campaign, but for its pages."""
    answer: dict[str, Any] = {
        "check": json_of(main, "check", "--all", "--format", "json", campaign),
        "record": json_of(main, "export", "--format", "json", campaign),
    }
    last = json_of(main, "state", "--all", "--format", "json", campaign)
    entries = last.get("step")
    states = {}
    for number in moments_of(entries, moments) if isinstance(entries, int) else ():
        at = ("state", "--all", "--format", "json", "--at", str(number), campaign)
        states[f"after {number}"] = json_of(main, *at)
    answer["state"] = {**states, "at the end": last}
    return answer


def text_of(file: Path) -> list[str] | str:
    """The lines of a file, or a digest if it is no text."""
    data = file.read_bytes()
    try:
        return data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return f"{len(data)} bytes, SHA-256 {sha256(data).hexdigest()[:16]}"


def rendered(main: Main, folder: Path) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """Render the pages of all campaigns of a folder.

    Returns:
        The pages of each campaign by their places, and the other pages of the site.
    """
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        out = Path(scratch) / "site"
        code, output, messages = run_command(main, "render", "--out", str(out), str(folder))
        pages: dict[str, dict[str, Any]] = {}
        site: dict[str, Any] = {}
        if code:
            site["exit"] = code
        lines = [line.replace(scratch, "") for line in (output + messages).splitlines()]
        if lines:
            site["said"] = lines
        docs = out / "docs"
        for file in sorted(docs.rglob("*")):
            place = file.relative_to(docs)
            if file.is_file() and place.parts[0] != "assets":
                first, inner = place.parts[0], Path(*place.parts[1:]).as_posix()
                if (folder / first).is_dir():
                    pages.setdefault(first, {})[inner] = text_of(file)
                else:
                    site[place.as_posix()] = text_of(file)
        return pages, site


def answer_to(main: Main, question: dict[str, Any]) -> dict[str, Any]:
    """Everything about the campaigns of a folder, by the names of their folders."""
    folder = Path(question["folder"])
    os.chdir(folder)
    names = sorted(campaign.name for campaign in folder.iterdir())
    answers = {name: describe(main, name, question["moments"]) for name in names}
    if question["pages"]:
        pages, site = rendered(main, folder)
        if "exit" in site and len(names) > 1:
            # One campaign cannot be rendered; the pages of the others are still worth comparing.
            pages, site = {}, {}
            for name in names:
                with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                    alone = Path(scratch) / "alone"
                    shutil.copytree(folder / name, alone / name)
                    its_pages, its_site = rendered(main, alone)
                    pages |= its_pages
                    if "exit" in its_site:
                        pages[name] = {
                            "render": {key: its_site.get(key, "") for key in ("exit", "said")}
                        }
        for name in names:
            answers[name]["pages"] = pages.get(name, {})
        if question.get("site"):
            answers["the site around them"] = {"pages": site}
    # The program collects garbage rarely, because it usually ends soon.
    gc.collect()
    return answers


def _stop(number: int, frame: FrameType | None) -> None:
    raise TookTooLong


def main() -> None:
    """Answer every question of standard input."""
    # What the program prints past Python's own streams must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGPROF, _stop)
    program = load_program(Path(sys.argv[1]).resolve())
    for line in sys.stdin:
        answers.write(json.dumps(answer_to(program, json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
