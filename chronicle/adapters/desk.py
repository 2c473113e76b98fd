"""The files of the desk on a site, where it is wanted and the package it runs on is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from chronicle.core.installation import install_command, installed_from, source_folder
from chronicle.game_files import browser_files
from chronicle.publish import fault_message
from chronicle.site import device
from chronicle.site.device import DeskCampaign

if TYPE_CHECKING:
    from chronicle.services.device import FirstAnswers

Say = Callable[[str], object]
DeskFile = tuple[str, Path | bytes]
"""A path on the site, and the file or its content."""

NO_DESK = "this site has no desk; to have one:  {}  (or write 'desk: false' under 'chronicle:' in mkdocs.yml)"
OPENS_SLOWLY = (
    "the desk opens slowly, as chronicle-desk-data belongs to another version of Chronicle; "
    "to get the right one:  {}"
)


def _how_to_install(*, upgrade: bool = False) -> str:
    """The command that installs the data of the desk, which source code packs by itself."""
    folder = source_folder(installed_from())
    if folder is not None:
        return f'make -C "{folder}" device'
    command = install_command("desk")
    return command.replace("install", "install --upgrade", 1) if upgrade else command


class SiteDesk:
    """Makes the files of the desk, and keeps from build to build what takes long.

    Args:
        sessions: the folder with the campaigns, as messages name it.
        warn: told what could not be made.
        inform: told what a keeper may like to know.
    """

    def __init__(self, sessions: str, warn: Say, inform: Say) -> None:
        self._sessions = sessions
        self._warn, self._inform = warn, inform
        self._data: device.DeskPackage | None = None
        self._answers: dict[str, bytes] = {}
        """The first answers about each campaign, by the name of their file."""
        self._answerer: FirstAnswers | None = None

    def separate_files(
        self, campaigns: Iterable[DeskCampaign], *, keep: bool
    ) -> Iterator[DeskFile]:
        """The files that a campaign which is built alone gives to the desk of all.

        Args:
            campaigns: the campaigns.
            keep: whether another build follows.
        """
        first_answers = self._first(keep)
        for campaign in campaigns:
            yield from device.separate_files(campaign, first_answers)

    def files(
        self,
        campaigns: Iterable[DeskCampaign],
        other_campaigns: Sequence[Mapping[str, Any]],
        is_wanted: bool | None,
        *,
        keep: bool,
    ) -> Iterator[DeskFile]:
        """Every file of the desk.

        Args:
            campaigns: the campaigns that it opens.
            other_campaigns: what it knows of campaigns with files elsewhere.
            is_wanted: whether the site is to have a desk; None: where that is possible.
            keep: whether another build follows.
        """
        if is_wanted is False:
            return
        campaigns = [*campaigns]
        played_games = {
            *(campaign.game for campaign in campaigns),
            *(str(campaign.get("game")) for campaign in other_campaigns),
        }

        def report(game: str, message: str) -> None:
            (self._warn if game in played_games else self._inform)(message)

        try:
            desk_package = (
                self._data
                if keep and self._data
                else device.DeskPackage(partial(browser_files, report))
            )
        except device.DeskDataMissing:
            (self._warn if is_wanted else self._inform)(NO_DESK.format(_how_to_install()))
            return
        self._data = desk_package
        if not desk_package.is_current:
            self._inform(OPENS_SLOWLY.format(_how_to_install(upgrade=True)))
        yield from device.desk_files(desk_package, campaigns, self._first(keep), other_campaigns)

    def _first(self, keep: bool) -> Callable[[str, DeskCampaign], bytes]:
        last_answers, self._answers = self._answers, {}

        def first(name: str, campaign: DeskCampaign) -> bytes:
            from chronicle.services.device import FirstAnswers

            try:
                answers = last_answers.get(name)
                if answers is None:
                    answerer = self._answerer or FirstAnswers()
                    answers = answerer.of(campaign.id, campaign.contents_by_name)
                    self._answerer = answerer if keep else None
            except Exception as error:
                self._answerer = None
                # This campaign opens only when Chronicle runs in the browser; others show theirs immediately.
                self._warn(fault_message(f"{self._sessions}/{campaign.folder}", error))
                answers = b"{}"
            self._answers[name] = answers
            return answers

        return first


def add_desk(desk_files: Iterable[DeskFile], files: Files, config: MkDocsConfig) -> None:
    """Add the files of the desk to those of the site."""
    for uri, content in desk_files:
        if isinstance(content, bytes):
            files.append(File.generated(config, uri, content=content))
        else:
            files.append(File.generated(config, uri, abs_src_path=str(content)))
