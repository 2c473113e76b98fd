"""The pages of a play example, made once in every process that runs tests, and nothing on a disk."""

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from chronicle.publish import make_site
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.files import SiteFile
from tests.golden import ROOT
from tests.heads import without_keepers_words

EXAMPLES = sorted(path.parent for path in (ROOT / "sessions").glob("*/campaign.yaml"))


class Made(NamedTuple):
    """A campaign as it is shown, and its pages and files by their paths."""

    campaign_site: CampaignSite
    files: dict[str, SiteFile]

    def html(self, page: str) -> str:
        """What a page of the campaign says."""
        return self.files[self.campaign_site.path_on_site(page)].html


@cache
def made(folder: Path) -> Made:
    """A play example as a site of its own."""
    site = make_site(folder, project=folder.parent, reference=False, warn=lambda message: None)
    (campaign_site,) = site.campaigns
    return Made(campaign_site, {file.path: file for file in site.campaign_files})


def example(name: str) -> Made:
    """A play example by the name of its folder."""
    return made(ROOT / "sessions" / name)


@cache
def untold(name: str) -> Made:
    """A play example whose keepers have told nothing: without ``recap:``, ``about:`` and ``end:``."""
    with TemporaryDirectory() as home:
        folder = Path(home) / name
        shutil.copytree(ROOT / "sessions" / name, folder)
        for path in folder.glob("*.yaml"):
            path.write_text(without_keepers_words(path.read_text("utf-8")), "utf-8")
        return made(folder)
