"""One editor at the desk: which campaigns it has open, and what is found in them as somebody types."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import ServerTextPosition, ServerTextRange

from chronicle import __version__
from chronicle.core.diagnostic import Diagnostic, Severity
from chronicle.core.errors import Refused
from chronicle.core.fix import as_data
from chronicle.core.source import Place
from chronicle.services.diagnostic_data import keyed
from chronicle.services.editor import campaign_around, campaigns_below, relaxed_gc
from chronicle.services.editor.links import pages
from chronicle.services.open_campaigns import OpenCampaign, WorkingCopy

PAUSE: Final = 0.12
"""Seconds without typing after which findings are sent."""
BREATH: Final = 0.01
"""Seconds that a question waits for what takes it back: a word more, or that nobody wants to know."""
ENDINGS: Final = (".yaml", ".md")
WATCHED: Final = "**/*.{yaml,md}"
FILES_MOVED: Final = lsp.FileOperationRegistrationOptions(
    [lsp.FileOperationFilter(lsp.FileOperationPattern("**/*"), scheme="file")]
)

_SEVERITIES: Final = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}

T = TypeVar("T")


class At(NamedTuple):
    """A file of a campaign, as an editor names it."""

    opened: OpenCampaign
    file: str
    uri: str


class Desk(LanguageServer):
    """One editor at the desk. Several campaigns may be open in it."""

    def __init__(self) -> None:
        super().__init__("chronicle", __version__)
        self._campaigns: dict[Path, OpenCampaign] = {}
        self._shown: dict[Path, set[str]] = {}
        self._waiting: dict[Path, asyncio.TimerHandle] = {}
        self.options: Mapping[str, Any] = {}

    # -- which campaign ----------------------------------------------------------------------------

    def at(self, uri: str) -> At | None:
        """The campaign that a file belongs to, with what is typed and not saved in it; None for other
        files."""
        file = real_file(uri)
        if file is None or not file.name.casefold().endswith(ENDINGS):
            return None
        folder = campaign_around(file)
        if folder is None:
            return None
        opened = self._open(folder)
        opened.look()
        opened.set_drafts(self._drafts(folder))
        return At(opened, file.relative_to(folder).as_posix(), uri)

    def _open(self, folder: Path) -> OpenCampaign:
        if folder not in self._campaigns:
            self._campaigns[folder] = OpenCampaign(folder.name, folder, _nothing_is_written)
        return self._campaigns[folder]

    def _drafts(self, folder: Path) -> dict[str, WorkingCopy]:
        found: dict[str, WorkingCopy] = {}
        for uri, document in self.workspace.text_documents.items():
            file = real_file(uri)
            if file is not None and file.is_relative_to(folder) and file.suffix in ENDINGS:
                found[file.relative_to(folder).as_posix()] = WorkingCopy("", document.source)
        return found

    def uri(self, opened: OpenCampaign, file: str) -> str:
        """A file of a campaign as the editor names it, if it has it open."""
        path = opened.folder / file
        for uri in self.workspace.text_documents:
            if real_file(uri) == path.resolve():
                return str(uri)
        return str(from_fs_path(str(path)) or path.as_uri())

    def campaigns(self) -> Iterable[OpenCampaign]:
        """Those of the folders that the editor has open, and those of the files that it has."""
        for folder in self.workspace.folders.values():
            named = real_file(folder.uri)
            for real in campaigns_below(named) if named is not None else ():
                self._open(real)
        return [*self._campaigns.values()]

    # -- places ------------------------------------------------------------------------------------

    def place(self, at: At, position: lsp.Position) -> tuple[int, int]:
        """Line and column of a position."""
        document = self.workspace.get_text_document(at.uri)
        found = document.position_from_client_units(position)
        return found.line + 1, found.character + 1

    def range(self, uri: str, place: Place) -> lsp.Range:
        """A place as the editor counts."""
        document = self.workspace.get_text_document(uri)
        last = max(len(document.lines) - 1, 0)

        def position(line: int, column: int) -> ServerTextPosition:
            return ServerTextPosition(min(max(line - 1, 0), last), max(column - 1, 0))

        found = ServerTextRange(
            position(place.line, place.column), position(place.end_line, place.end_column)
        )
        return document.range_to_client_units(found)

    def whole(self, uri: str, line: int) -> lsp.Range:
        """A line as a place of no width at its start."""
        return self.range(uri, Place("", line, 1, line, 1))

    def location(self, opened: OpenCampaign, place: Place) -> lsp.Location:
        """A place in a file of a campaign."""
        uri = self.uri(opened, place.path)
        return lsp.Location(uri, self.range(uri, place))

    def rule(self, opened: OpenCampaign) -> Callable[[str], str | None]:
        """The address of a rule by its id: among the pages that the editor names in its options, or that
        the project around a campaign publishes. None where there are no such pages."""
        campaign = opened.workspace.campaign
        named = str(self.options.get("rules") or "").rstrip("/")
        shape = f"{named}/{{game}}/#{{id}}" if named else pages(opened.folder)
        if not shape or campaign is None:
            return lambda id: None
        game = campaign.game
        return lambda id: shape.format(game=game, id=id.casefold())

    # -- findings ----------------------------------------------------------------------------------

    def soon(self, opened: OpenCampaign) -> None:
        """Send findings when nobody has typed for a moment."""
        folder = opened.folder
        if folder in self._waiting:
            self._waiting[folder].cancel()
        loop = asyncio.get_running_loop()
        self._waiting[folder] = loop.call_later(PAUSE, self.publish, opened)

    def look_again(self) -> None:
        """Files came, went, or were written by somebody else: read all campaigns anew."""
        for opened in self.campaigns():
            opened.workspace.reload()
            self.soon(opened)

    def publish(self, opened: OpenCampaign) -> None:
        """Send the findings of all files of a campaign, as it is typed now; of one that is gone, none."""
        found: dict[str, list[lsp.Diagnostic]] = {}
        drafts = self._drafts(opened.folder)
        if campaign_around(opened.folder / "campaign.yaml") is None:
            self._campaigns.pop(opened.folder, None)
        else:
            opened.set_drafts(drafts)
            with relaxed_gc():
                rule = self.rule(opened)
                for one in keyed(opened).values():
                    uri = self.uri(opened, one.place.path)
                    found.setdefault(uri, []).append(self._diagnostic(opened, uri, one, rule))
        gone = self._shown.get(opened.folder, set())
        self._shown[opened.folder] = set(found)
        typed = (self.uri(opened, name) for name in drafts)
        for uri in dict.fromkeys([*found, *gone, *typed]):
            document = self.workspace.text_documents.get(uri)
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(
                    uri, found.get(uri, []), document.version if document else None
                )
            )

    def _diagnostic(
        self, opened: OpenCampaign, uri: str, one: Diagnostic, rule: Callable[[str], str | None]
    ) -> lsp.Diagnostic:
        related = [
            lsp.DiagnosticRelatedInformation(self.location(opened, fact.place), fact.text)
            for fact in one.facts
            if fact.place is not None and fact.place.line
        ]
        # What every game shares is explained on no page of a game.
        told = rule(one.code) if ":" in one.full_code else None
        return lsp.Diagnostic(
            self.range(uri, one.place),
            "\n".join([one.message, *one.help]),
            severity=_SEVERITIES[one.severity],
            code=one.full_code,
            code_description=lsp.CodeDescription(told) if told else None,
            source="chronicle",
            related_information=related or None,
            data={"fixes": [as_data(fix) for fix in one.fixes]} if one.fixes else None,
            tags=[lsp.DiagnosticTag.Unnecessary] if one.excused else None,
        )


def real_file(uri: str) -> Path | None:
    """Where a file or a folder lies that an editor names; None if no disk can hold it."""
    name = to_fs_path(uri)
    return Path(name).resolve() if name and "\0" not in name else None


def _nothing_is_written(home: Path, changes: object) -> None:
    raise AssertionError("an editor writes its files itself")


def answered(ask: Callable[..., T]) -> Callable[..., Awaitable[T | None]]:
    """A question that may have no answer: the file is in no campaign, or nothing can be said of it.
    What has been taken back by the time it would be answered, or is about a text that is no more, costs
    nothing."""

    @wraps(ask)
    async def answer(desk: Desk, given: Any) -> T | None:
        uri = given.text_document.uri
        then = version(desk, uri)
        await asyncio.sleep(BREATH)
        at = still(desk, uri, then)
        if at is None:
            return None
        with relaxed_gc(), suppress(Refused):
            return ask(desk, at, given)
        return None

    return answer


async def one_by_one(
    desk: Desk, uri: str, ask: Callable[[At], Iterator[T]]
) -> AsyncIterator[tuple[At, T]]:
    """An answer of several parts, each of which takes its time: between them, others are heard, and what
    is asked for may be taken back."""
    then = version(desk, uri)
    await asyncio.sleep(BREATH)
    at = still(desk, uri, then)
    parts = iter(()) if at is None else ask(at)
    while at is not None:
        with relaxed_gc():
            try:
                part = next(parts, None)
            except Refused:
                part = None
        if part is None:
            return
        yield at, part
        await asyncio.sleep(0)
        at = still(desk, uri, then)


def still(desk: Desk, uri: str, then: int | None) -> At | None:
    """Where a text stands, if it is still the one that was asked about."""
    if version(desk, uri) != then:
        raise JsonRpcException("the text is another one now", lsp.LSPErrorCodes.ContentModified)
    return desk.at(uri)


def version(desk: Desk, uri: str) -> int | None:
    """Which version of a text an editor has; None for a text that it has not open."""
    document = desk.workspace.text_documents.get(uri)
    return document.version if document is not None else None


def documents(desk: Desk) -> None:
    """What an editor tells of its files."""

    @desk.feature(lsp.INITIALIZED)
    async def initialized(ls: Desk, params: lsp.InitializedParams) -> None:
        for opened in ls.campaigns():
            ls.publish(opened)
        asked = ls.client_capabilities.workspace
        watching = asked.did_change_watched_files if asked is not None else None
        if watching is not None and watching.dynamic_registration:
            files = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(WATCHED)])
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registered = lsp.RegistrationParams([lsp.Registration("files", method, files)])
            await ls.client_register_capability_async(registered)

    @desk.feature(lsp.INITIALIZE)
    def initialize(ls: Desk, params: lsp.InitializeParams) -> None:
        given = params.initialization_options
        ls.options = given if isinstance(given, dict) else {}

    def looked(ls: Desk, params: Any) -> None:
        at = ls.at(params.text_document.uri)
        if at is not None:
            ls.soon(at.opened)

    for method in (
        lsp.TEXT_DOCUMENT_DID_OPEN,
        lsp.TEXT_DOCUMENT_DID_CHANGE,
        lsp.TEXT_DOCUMENT_DID_CLOSE,
        lsp.TEXT_DOCUMENT_DID_SAVE,
    ):
        desk.feature(method)(looked)

    def moved(ls: Desk, params: object) -> None:
        ls.look_again()

    desk.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(moved)
    desk.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(moved)
    for method in (
        lsp.WORKSPACE_DID_CREATE_FILES,
        lsp.WORKSPACE_DID_RENAME_FILES,
        lsp.WORKSPACE_DID_DELETE_FILES,
    ):
        desk.feature(method, FILES_MOVED)(moved)
