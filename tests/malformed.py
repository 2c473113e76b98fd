"""Files that are wrong on purpose, and what ``chronicle check`` says about each.

``tests/fixtures/malformed/positive`` holds session files of one campaign, ``campaign`` settings files,
``folder`` whole campaign folders. Beside each lies ``NAME.expected``: every message as a terminal shows it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from chronicle.campaigns import run
from chronicle.core.diagnostic import Diagnostic
from chronicle.games import rulebook
from chronicle.syntax.campaign_files import CampaignUnreadable
from chronicle.syntax.characters import decode_bytes
from chronicle.syntax.folder import read_campaign
from chronicle.syntax.render import as_terminal_text, split_lines

MALFORMED = Path(__file__).resolve().parent / "fixtures" / "malformed"
SETTINGS = "game: positive\ntitle: The Boathouse\nplayers: [Ana, Bo, Cy, Dee, Eli]\n"
SESSION = "session: 1\nlog:\n- gap:\n"


def specimens() -> Iterator[Path]:
    """Every malformed file or folder."""
    for kind in ("positive", "campaign"):
        yield from sorted((MALFORMED / kind).glob("*.yaml"))
    yield from sorted(path for path in (MALFORMED / "folder").iterdir() if path.is_dir())


def report_of(specimen: Path) -> str:
    """Everything that is said about a specimen, as a terminal shows it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "campaign"
        return as_terminal_text(findings(specimen, folder), lambda path: _lines(folder / path))


def findings(specimen: Path, folder: Path) -> list[Diagnostic]:
    """What is found when a specimen is put into a campaign (made as ``folder``) and replayed."""
    if specimen.is_dir():
        shutil.copytree(specimen, folder)
    else:
        folder.mkdir()
        name = "campaign.yaml" if specimen.parent.name == "campaign" else "01.yaml"
        (folder / "campaign.yaml").write_text(SETTINGS, encoding="utf-8")
        (folder / "01.yaml").write_text(SESSION, encoding="utf-8")
        shutil.copyfile(specimen, folder / name)
    # Two games are enough to tell a verb of another one, and no message changes with a seventh.
    games = {name: rulebook(name) for name in ("positive", "slow-burn")}
    try:
        return run(read_campaign(folder, games, project_folder=folder)).diagnostics
    except CampaignUnreadable as error:
        return error.diagnostics


def _lines(file: Path) -> list[str]:
    text, _ = decode_bytes(file.read_bytes(), file.name) if file.is_file() else (None, [])
    return split_lines(text or "")
