"""One mutant through the corridor, and what must hold of it whatever it says."""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from chronicle.campaigns import Games, open_view, run
from chronicle.core.campaign import Campaign
from chronicle.core.record import Record
from chronicle.core.source import MappingNode, SequenceNode, Value
from chronicle.games import rulebook
from chronicle.publish import downloads
from chronicle.site import pages
from chronicle.site.campaign_site import CampaignSite, SiteContext
from chronicle.site.draw import make_environment
from chronicle.site.links import PageUrlBuilder
from chronicle.syntax.campaign_files import CampaignUnreadable
from chronicle.syntax.folder import read_campaign
from chronicle.syntax.reading_cache import ReadingCache
from chronicle.syntax.render import (
    as_github_annotations,
    as_json,
    as_sarif,
    as_terminal_text,
    split_lines,
)
from chronicle.testkit.records import record_text
from tests.table import table_after

HANG: Final = 2.0
"""Seconds of the processor that one stage may take."""


class Hang(BaseException):
    """A stage took longer than :data:`HANG`. No handler of the program may swallow it."""


class Undone(Exception):
    """Something does not hold that holds of every log; the message says what."""


class NoGraphs(dict[str, str]):
    """Layouts that are all there already: what dot draws is tried elsewhere, and costs a process."""

    def __contains__(self, key: object) -> bool:
        return True

    def __getitem__(self, key: str) -> str:
        return "<svg></svg>"


class Trial:
    """Carries mutants through reading and replay, and on to the CampaignView, pages and exports."""

    def __init__(self, within: Path | None = None) -> None:
        memory = Path("/dev/shm")
        within = within or (memory if memory.is_dir() else None)
        self.home = Path(tempfile.mkdtemp(dir=within)).resolve()
        self.env = make_environment(None)
        self.laid: dict[Path, ReadingCache] = {}
        """What is known of each folder: which files it has, and that none is a link."""
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGPROF, _hang)

    def close(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self.home, ignore_errors=True)

    def folder(self, files: dict[str, bytes]) -> Path:
        """A campaign folder with files of these names, for :meth:`load` to be told what they hold."""
        folder = self.home / str(len(files))
        if not folder.is_dir():
            folder.mkdir()
            for name in files:
                (folder / name).touch()
        return folder

    def load(self, files: dict[str, bytes]) -> Campaign:
        """Read a campaign of these files."""
        folder = self.folder(files)
        cache = self.laid.setdefault(folder, ReadingCache())
        cache.contents = {folder / name: data for name, data in files.items()}
        return read_campaign(folder, Games(), project_folder=self.home, cache=cache)

    def read(self, files: dict[str, bytes], *, closely: bool) -> bool:
        """Read and replay; False if no game could be made out.

        ``closely``: what is found is also shown in every way there is, and a log that reads well is
        written anew and read again.
        """
        with bounded():
            try:
                campaign = self.load(files)
            except CampaignUnreadable as error:
                if not error.diagnostics:
                    raise Undone("nothing is said of a campaign that cannot be read") from error
                return False
            well = not campaign.diagnostics
            record = run(campaign)
            balanced(record)
        if closely:
            with bounded():
                self.shown(record, files)
            if well:
                with bounded():
                    reread = run(self.load(rewritten(campaign, files)))
                    if record_text(reread) != record_text(record):
                        raise Undone("written anew, it comes to something else")
        return True

    def shown(self, record: Record, files: dict[str, bytes]) -> None:
        """What was found, shown; every place is one of the file."""
        lines = {
            f"{len(files)}/{name}": split_lines(data.decode("utf-8", "replace"))
            for name, data in files.items()
        }
        for diagnostic in record.diagnostics:
            if (
                diagnostic.place.path in lines
                and diagnostic.place.line > len(lines[diagnostic.place.path]) + 1
            ):
                raise Undone(
                    f"a finding points at line {diagnostic.place.line}, which is not there"
                )
            if diagnostic.place.line < 0 or (diagnostic.place.line and diagnostic.place.column < 1):
                raise Undone(f"a finding points at {diagnostic.place}")
        as_terminal_text(record.diagnostics, lambda path: lines.get(path, []))
        for render in (as_json, as_sarif, as_github_annotations):
            render(record.diagnostics)

    def view(self, files: dict[str, bytes]) -> None:
        """Make the CampaignView, and ask what may come next."""
        with bounded():
            campaign = self.load(files)
            open_view(campaign)
        with bounded():
            campaign = self.load(files)
            rules = rulebook(campaign.game)
            total = sum(len(session.actions) for session in campaign.sessions)
            for step in {total, total // 2}:
                play = table_after(campaign, step)
                rules.options(play)
                rules.situation(play)
                rules.panel(play)

    def pages(self, files: dict[str, bytes]) -> None:
        """Make all pages, and what a reader may take away."""
        with bounded(5 * HANG):
            view = open_view(self.load(files))
            problems: list[str] = []
            lines = {
                f"{len(files)}/{n}": split_lines(d.decode("utf-8", "replace"))
                for n, d in files.items()
            }
            site_context = SiteContext(
                self.env,
                PageUrlBuilder(False),
                {},
                problems.append,
                NoGraphs(),
                downloads,
                lambda path: lines.get(path, []),
                self.home,
            )
            for _ in pages.files(CampaignSite(view, site_context)):
                pass


def balanced(record: Record) -> None:
    """Whatever was moved came from somewhere."""
    for unit, total in record.ledger.totals().items():
        if total:
            raise Undone(f"the ledger of {unit} sums to {total}")


def rewritten(campaign: Campaign, files: dict[str, bytes]) -> dict[str, bytes]:
    """The same files with their logs written anew from what was read."""
    new_files = dict(files)
    for session in campaign.sessions:
        name = session.path.rpartition("/")[2]
        text = files[name].decode("utf-8-sig")
        log = "".join(_block(action.source) for action in session.actions)
        new_files[name] = f"{text[: text.index('log:')]}log:\n{log}".encode()
    return new_files


def _block(entry: MappingNode) -> str:
    """An entry, one line a key."""
    lines = (
        f"  {_flow(key)}: {_flow(value)}\n".replace(": \n", ":\n") for key, value in entry.items()
    )
    return f"-{''.join(lines)[1:]}"


def _flow(value: Value) -> str:
    """A value as read, on one line: quoted where it was quoted."""
    if isinstance(value, MappingNode):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, SequenceNode):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if not value.style and all(c.isalnum() or c in " _-+" for c in value):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def _hang(number: int, frame: FrameType | None) -> None:
    raise Hang


@contextmanager
def bounded(seconds: float = HANG) -> Iterator[None]:
    """Raise :class:`Hang` in what takes longer, in time of the processor, where that can
    be asked for."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def signature(error: BaseException) -> str:
    """What kind of failure this is: what was raised, and where in the program."""
    frames = traceback.extract_tb(error.__traceback__)
    own_frames = [
        frame for frame in frames if f"{os.sep}chronicle{os.sep}" in frame.filename
    ] or frames
    # Where time ran out says little; the last step that belongs to a game or a page says more.
    where = own_frames[-1]
    suffix = f"-{error}" if isinstance(error, Undone) else ""
    file = Path(where.filename)
    return f"{type(error).__name__}-{file.parent.name}.{file.stem}.{where.name}{suffix}"[:120]
