"""Two desks and an editor write into one log at once."""

from __future__ import annotations

import os
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path
from threading import Event, Thread

import pytest

from chronicle.core import files
from chronicle.core.edits import edit
from chronicle.core.files import EDIT_FOLDER
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom

SETTINGS = "game: positive\ntitle: Lamps\nplayers: [Ana, Bo, Cy, Dee]\n"
PER_SESSION = 100
"""After how many entries a desk begins a new session."""
WORD = re.compile(r"tell: (\w+)")


class Editor:
    """Appends lines, or saves the whole file under its name. If a desk wrote in that very moment, an editor
    that looks at what it replaces knows it, and adds these lines again."""

    def __init__(self, folder: Path, done: Event, seed: int) -> None:
        self.folder, self.done, self.random = folder, done, random.Random(seed)
        self.saved: list[str] = []
        self.again: set[str] = set()

    def run(self) -> None:
        while not self.done.is_set():
            time.sleep(self.random.uniform(0.05, 0.3))
            word, log = f"editor{len(self.saved)}", logs(self.folder)[-1]
            if self.random.random() < 0.5:
                self._append(log, [word])
            else:
                self._replace(log, word)
            self.saved.append(word)

    def _append(self, log: Path, words: list[str]) -> None:
        handle = os.open(log, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(handle, "".join(f"- tell: {word}\n" for word in words).encode())
            replaced = not os.path.samestat(os.fstat(handle), log.stat())
        finally:
            os.close(handle)
        if replaced:
            # A desk replaced the file between our opening and our writing. It notices that until it deletes the old
            # file; who keeps that open for longer writes into nothing, and has to look.
            time.sleep(0.5)
            lost = {*words} - {*WORD.findall(log.read_text(encoding="utf-8"))}
            self.again |= lost
            if lost:
                self._append(log, sorted(lost))

    def _replace(self, log: Path, word: str) -> None:
        text_before = log.read_text(encoding="utf-8")
        swap_file = log.with_name(".saving.swp")
        swap_file.write_text(f"{text_before}- tell: {word}\n", encoding="utf-8")
        assert files._exchange_files(swap_file, log)
        replaced = {*WORD.findall(swap_file.read_text(encoding="utf-8"))} - {
            *WORD.findall(text_before)
        }
        self.again |= replaced
        if replaced:
            self._append(log, sorted(replaced))


def logs(folder: Path) -> list[Path]:
    return sorted(file for file in folder.glob("*.yaml") if file.name != "campaign.yaml")


def write(
    folder: Path, name: str, count: int, written: list[str], refused: list[str], begun: list[str]
) -> None:
    """Write some entries at a desk of its own; what is refused is asked again. ``begun`` gets the files of the
    sessions that it began."""
    desk = Desk(CampaignRoom(folder, edit))
    while len(written) < count:
        word = f"{name}{len(written)}"
        answer = desk.ask({"id": 1, "ask": "write", "campaign": "c", "entry": f"tell: {word}"})
        if "answer" in answer:
            written.append(word)
            if len(written) % PER_SESSION == 0:
                begun.append(
                    desk.ask({"id": 1, "ask": "session", "campaign": "c"})["answer"]["file"]
                )
        else:
            refused.append(answer["refused"]["message"])


@pytest.mark.skipif(
    not sys.platform.startswith(("linux", "darwin")),
    reason="elsewhere there is a moment between the look and the replacement",
)
@pytest.mark.parametrize(
    "count", [100, pytest.param(2000, marks=[pytest.mark.soak, pytest.mark.slow], id="2000")]
)
def test_two_desks_and_an_editor_lose_nothing(count: int, tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "campaign.yaml").write_text(SETTINGS, encoding="utf-8")
    first = "session: 1\nlog:\n- tell: begin\n"
    (tmp_path / "c" / "01.yaml").write_text(first, encoding="utf-8")
    done = Event()
    refused: list[str] = []
    begun = ["01.yaml"]
    written: dict[str, list[str]] = {"a": [], "b": []}
    editor = Editor(tmp_path / "c", done, count)
    desks = [
        Thread(target=write, args=(tmp_path, name, count // 2, words, refused, begun))
        for name, words in written.items()
    ]
    editing = Thread(target=editor.run)
    for thread in (editing, *desks):
        thread.start()
    for thread in desks:
        thread.join()
    done.set()
    editing.join()

    text = "".join(log.read_text(encoding="utf-8") for log in logs(tmp_path / "c"))
    counts = Counter(WORD.findall(text))
    words_written = [*written["a"], *written["b"], *editor.saved]
    assert len(words_written) > count
    assert [word for word in words_written if not counts[word]] == []
    assert [word for word in counts if counts[word] > 1 and word not in editor.again] == []
    assert len(refused) <= count // 10, refused
    assert not (tmp_path / "c" / EDIT_FOLDER).exists()
    # Two desks that begin the same session at one moment share its file.
    assert len(begun) == 1 + 2 * (count // 2 // PER_SESSION)
    assert [log.name for log in logs(tmp_path / "c")] == sorted({*begun})
