"""The pages of a play example, made once in every process that runs tests, and nothing on a disk."""

import re
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from chronicle.core.keepers import KEEPERS_KEYS
from chronicle.publish import make_site
from chronicle.site.files import SiteFile
from chronicle.site.volume import Volume
from tests.golden import ROOT

EXAMPLES = sorted(path.parent for path in (ROOT / "sessions").glob("*/campaign.yaml"))


class Made(NamedTuple):
    """A campaign as it is shown, and its pages and files by their paths."""

    volume: Volume
    files: dict[str, SiteFile]

    def html(self, page: str) -> str:
        """What a page of the campaign says."""
        return self.files[self.volume.path(page)].html


@cache
def made(folder: Path) -> Made:
    """A play example as a site of its own."""
    site = make_site(folder, project=folder.parent, reference=False, warn=lambda told: None)
    (volume,) = site.campaigns
    return Made(volume, {file.path: file for file in site.made})


def example(name: str) -> Made:
    """A play example by the name of its folder."""
    return made(ROOT / "sessions" / name)


@cache
def untold(name: str) -> Made:
    """A play example as it would be if its keepers had told nothing in the heads of its sessions."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / name
        shutil.copytree(ROOT / "sessions" / name, folder)
        for path in folder.glob("[0-9]*.yaml"):
            head, log = path.read_text(encoding="utf-8").split("\nlog:", 1)
            for key in KEEPERS_KEYS:
                head = re.sub(rf"^{key}:.*\n(?:[ ].*\n|\n(?=[ ]))*", "", f"{head}\n", flags=re.M)
            path.write_text(f"{head}\nlog:{log}", encoding="utf-8")
        return made(folder)
