"""The state of the language server: the open campaigns, and their diagnostics while the user types."""

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
from chronicle.core.fix import fix_as_data
from chronicle.core.source import Place
from chronicle.services.diagnostic_data import diagnostics_by_key
from chronicle.services.editor import campaign_around, campaigns_below, relaxed_gc
from chronicle.services.editor.links import rule_page_template
from chronicle.services.open_campaigns import OpenCampaign, WorkingCopy

TYPING_PAUSE: Final = 0.12
"""The seconds without typing after which diagnostics are sent."""
ANSWER_DELAY: Final = 0.01
"""The seconds that a question waits, because the editor may cancel it or change the text."""
FILE_ENDINGS: Final = (".yaml", ".md")
WATCHED_FILES: Final = "**/*.{yaml,md}"
FILE_OPERATION_OPTIONS: Final = lsp.FileOperationRegistrationOptions(
    [lsp.FileOperationFilter(lsp.FileOperationPattern("**/*"), scheme="file")]
)

_SEVERITIES: Final = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}

T = TypeVar("T")


class OpenFile(NamedTuple):
    """A file of a campaign, as an editor names it."""

    opened: OpenCampaign
    file: str
    uri: str


class EditorServer(LanguageServer):
    """The language server of one editor. Several campaigns can be open."""

    def __init__(self) -> None:
        super().__init__("chronicle", __version__)
        self._campaigns: dict[Path, OpenCampaign] = {}
        self._uris_with_diagnostics: dict[Path, set[str]] = {}
        self._timers: dict[Path, asyncio.TimerHandle] = {}
        self.options: Mapping[str, Any] = {}

    # -- which campaign ----------------------------------------------------------------------------

    def find_file(self, uri: str) -> OpenFile | None:
        """The campaign of a file, with its unsaved changes; None for files outside campaigns."""
        file = real_file(uri)
        if file is None or not file.name.casefold().endswith(FILE_ENDINGS):
            return None
        folder = campaign_around(file)
        if folder is None:
            return None
        opened = self._open(folder)
        opened.check_for_outside_changes()
        opened.set_drafts(self._drafts(folder))
        return OpenFile(opened, file.relative_to(folder).as_posix(), uri)

    def _open(self, folder: Path) -> OpenCampaign:
        if folder not in self._campaigns:
            self._campaigns[folder] = OpenCampaign(folder.name, folder, _refuse_to_write)
        return self._campaigns[folder]

    def _drafts(self, folder: Path) -> dict[str, WorkingCopy]:
        drafts: dict[str, WorkingCopy] = {}
        for uri, document in self.workspace.text_documents.items():
            file = real_file(uri)
            if file is not None and file.is_relative_to(folder) and file.suffix in FILE_ENDINGS:
                drafts[file.relative_to(folder).as_posix()] = WorkingCopy("", document.source)
        return drafts

    def uri(self, opened: OpenCampaign, file: str) -> str:
        """The URI of a file of a campaign: that of the editor if the file is open there."""
        path = opened.folder / file
        for uri in self.workspace.text_documents:
            if real_file(uri) == path.resolve():
                return str(uri)
        return str(from_fs_path(str(path)) or path.as_uri())

    def campaigns(self) -> Iterable[OpenCampaign]:
        """The campaigns in the folders and files that the editor has open."""
        for folder in self.workspace.folders.values():
            path = real_file(folder.uri)
            for campaign_folder in campaigns_below(path) if path is not None else ():
                self._open(campaign_folder)
        return [*self._campaigns.values()]

    # -- places ------------------------------------------------------------------------------------

    def line_and_column(self, open_file: OpenFile, position: lsp.Position) -> tuple[int, int]:
        """Line and column of a position."""
        document = self.workspace.get_text_document(open_file.uri)
        server_position = document.position_from_client_units(position)
        return server_position.line + 1, server_position.character + 1

    def range(self, uri: str, place: Place) -> lsp.Range:
        """A place as a range in the units of the editor."""
        document = self.workspace.get_text_document(uri)
        last_line = max(len(document.lines) - 1, 0)

        def position(line: int, column: int) -> ServerTextPosition:
            return ServerTextPosition(min(max(line - 1, 0), last_line), max(column - 1, 0))

        server_range = ServerTextRange(
            position(place.line, place.column), position(place.end_line, place.end_column)
        )
        return document.range_to_client_units(server_range)

    def line_start(self, uri: str, line: int) -> lsp.Range:
        """The empty range at the start of a line."""
        return self.range(uri, Place("", line, 1, line, 1))

    def location(self, opened: OpenCampaign, place: Place) -> lsp.Location:
        """A place in a file of a campaign."""
        uri = self.uri(opened, place.path)
        return lsp.Location(uri, self.range(uri, place))

    def rule_address(self, opened: OpenCampaign) -> Callable[[str], str | None]:
        """A function from the id of a rule to its address, on the site in the options of the editor or on the
        published site of the project. It returns None if there is no such site."""
        campaign = opened.workspace.campaign
        site_address = str(self.options.get("rules") or "").rstrip("/")
        template = (
            f"{site_address}/{{game}}/#{{id}}"
            if site_address
            else rule_page_template(opened.folder)
        )
        if not template or campaign is None:
            return lambda id: None
        game = campaign.game
        return lambda id: template.format(game=game, id=id.casefold())

    # -- diagnostics--------------------------------------------------------------------------------

    def publish_soon(self, opened: OpenCampaign) -> None:
        """Send diagnostics after a short pause in typing."""
        folder = opened.folder
        if folder in self._timers:
            self._timers[folder].cancel()
        loop = asyncio.get_running_loop()
        self._timers[folder] = loop.call_later(TYPING_PAUSE, self.publish, opened)

    def reload_campaigns(self) -> None:
        """Reload all campaigns after files changed outside the editor."""
        for opened in self.campaigns():
            opened.workspace.reload()
            self.publish_soon(opened)

    def publish(self, opened: OpenCampaign) -> None:
        """Send the diagnostics of all files of a campaign with its unsaved changes; none if the campaign is deleted."""
        diagnostics_by_uri: dict[str, list[lsp.Diagnostic]] = {}
        drafts = self._drafts(opened.folder)
        if campaign_around(opened.folder / "campaign.yaml") is None:
            self._campaigns.pop(opened.folder, None)
        else:
            opened.set_drafts(drafts)
            with relaxed_gc():
                rule_address = self.rule_address(opened)
                for diagnostic in diagnostics_by_key(opened).values():
                    uri = self.uri(opened, diagnostic.place.path)
                    diagnostics_by_uri.setdefault(uri, []).append(
                        self._diagnostic(opened, uri, diagnostic, rule_address)
                    )
        previous_uris = self._uris_with_diagnostics.get(opened.folder, set())
        self._uris_with_diagnostics[opened.folder] = set(diagnostics_by_uri)
        open_uris = (self.uri(opened, name) for name in drafts)
        for uri in dict.fromkeys([*diagnostics_by_uri, *previous_uris, *open_uris]):
            document = self.workspace.text_documents.get(uri)
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(
                    uri, diagnostics_by_uri.get(uri, []), document.version if document else None
                )
            )

    def _diagnostic(
        self,
        opened: OpenCampaign,
        uri: str,
        diagnostic: Diagnostic,
        rule_address: Callable[[str], str | None],
    ) -> lsp.Diagnostic:
        related_information = [
            lsp.DiagnosticRelatedInformation(self.location(opened, fact.place), fact.text)
            for fact in diagnostic.facts
            if fact.place is not None and fact.place.line
        ]
        # Rules without a game have no page.
        address = rule_address(diagnostic.code) if ":" in diagnostic.full_code else None
        return lsp.Diagnostic(
            self.range(uri, diagnostic.place),
            "\n".join([diagnostic.message, *diagnostic.help]),
            severity=_SEVERITIES[diagnostic.severity],
            code=diagnostic.full_code,
            code_description=lsp.CodeDescription(address) if address else None,
            source="chronicle",
            related_information=related_information or None,
            data={"fixes": [fix_as_data(fix) for fix in diagnostic.fixes]}
            if diagnostic.fixes
            else None,
            tags=[lsp.DiagnosticTag.Unnecessary] if diagnostic.excuse else None,
        )


def real_file(uri: str) -> Path | None:
    """The path of a file or folder from its URI; None if it cannot be a path on disk."""
    path_text = to_fs_path(uri)
    return Path(path_text).resolve() if path_text and "\0" not in path_text else None


def _refuse_to_write(campaign_folder: Path, changes: object) -> None:
    raise AssertionError("the editor writes its files itself")


def answer_about_file(find_answer: Callable[..., T]) -> Callable[..., Awaitable[T | None]]:
    """Wrap the answer to a question about a file. It returns None for a file outside campaigns or without a state.
    A question that the editor has cancelled, or whose text has changed, is not answered."""

    @wraps(find_answer)
    async def answer(editor_server: EditorServer, params: Any) -> T | None:
        uri = params.text_document.uri
        version = document_version(editor_server, uri)
        await asyncio.sleep(ANSWER_DELAY)
        open_file = unchanged_file(editor_server, uri, version)
        if open_file is None:
            return None
        with relaxed_gc(), suppress(Refused):
            return find_answer(editor_server, open_file, params)
        return None

    return answer


async def answer_in_parts(
    editor_server: EditorServer, uri: str, find_parts: Callable[[OpenFile], Iterator[T]]
) -> AsyncIterator[tuple[OpenFile, T]]:
    """An answer in several slow parts. Between two parts other questions are served, and the editor can cancel."""
    version = document_version(editor_server, uri)
    await asyncio.sleep(ANSWER_DELAY)
    open_file = unchanged_file(editor_server, uri, version)
    parts = iter(()) if open_file is None else find_parts(open_file)
    while open_file is not None:
        with relaxed_gc():
            try:
                part = next(parts, None)
            except Refused:
                part = None
        if part is None:
            return
        yield open_file, part
        await asyncio.sleep(0)
        open_file = unchanged_file(editor_server, uri, version)


def unchanged_file(editor_server: EditorServer, uri: str, version: int | None) -> OpenFile | None:
    """The file with this URI, if its text is still the version that the question was about."""
    if document_version(editor_server, uri) != version:
        raise JsonRpcException("the text has changed since", lsp.LSPErrorCodes.ContentModified)
    return editor_server.find_file(uri)


def document_version(editor_server: EditorServer, uri: str) -> int | None:
    """The version of a text in the editor; None if it is not open there."""
    document = editor_server.workspace.text_documents.get(uri)
    return document.version if document is not None else None


def register_notifications(editor_server: EditorServer) -> None:
    """Register the notifications about files."""

    @editor_server.feature(lsp.INITIALIZED)
    async def initialized(ls: EditorServer, params: lsp.InitializedParams) -> None:
        for opened in ls.campaigns():
            ls.publish(opened)
        capabilities = ls.client_capabilities.workspace
        watch_capability = (
            capabilities.did_change_watched_files if capabilities is not None else None
        )
        if watch_capability is not None and watch_capability.dynamic_registration:
            watcher_options = lsp.DidChangeWatchedFilesRegistrationOptions(
                [lsp.FileSystemWatcher(WATCHED_FILES)]
            )
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registration = lsp.RegistrationParams(
                [lsp.Registration("files", method, watcher_options)]
            )
            await ls.client_register_capability_async(registration)

    @editor_server.feature(lsp.INITIALIZE)
    def initialize(ls: EditorServer, params: lsp.InitializeParams) -> None:
        options = params.initialization_options
        ls.options = options if isinstance(options, dict) else {}

    def text_changed(ls: EditorServer, params: Any) -> None:
        open_file = ls.find_file(params.text_document.uri)
        if open_file is not None:
            ls.publish_soon(open_file.opened)

    for method in (
        lsp.TEXT_DOCUMENT_DID_OPEN,
        lsp.TEXT_DOCUMENT_DID_CHANGE,
        lsp.TEXT_DOCUMENT_DID_CLOSE,
        lsp.TEXT_DOCUMENT_DID_SAVE,
    ):
        editor_server.feature(method)(text_changed)

    def files_changed(ls: EditorServer, params: object) -> None:
        ls.reload_campaigns()

    editor_server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(files_changed)
    editor_server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(files_changed)
    for method in (
        lsp.WORKSPACE_DID_CREATE_FILES,
        lsp.WORKSPACE_DID_RENAME_FILES,
        lsp.WORKSPACE_DID_DELETE_FILES,
    ):
        editor_server.feature(method, FILE_OPERATION_OPTIONS)(files_changed)
