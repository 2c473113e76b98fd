"""The questions of an editor for edits: format, rename, code actions. The editor applies them itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.workspace import ServerTextPosition

from chronicle.core.errors import Refused
from chronicle.core.source import count_equal_ends
from chronicle.door.lsp.desk import (
    EditorServer,
    OpenFile,
    answer_about_file,
    answer_in_parts,
    document_version,
    unchanged_file,
)
from chronicle.services.editor import change, offers
from chronicle.services.open_campaigns import OpenCampaign

REQUEST_FAILED_CODE: Final = -32803
"""The error code of the protocol for a request that was understood and failed."""


def register_changes(editor_server: EditorServer) -> None:
    """Register the questions for edits."""

    @editor_server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    @answer_about_file
    def formatting(
        ls: EditorServer, open_file: OpenFile, params: lsp.DocumentFormattingParams
    ) -> list[lsp.TextEdit] | None:
        text = change.formatted_text(open_file.opened, open_file.file)
        return None if text is None else _text_edits(ls, open_file.uri, text)

    @editor_server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    @answer_about_file
    def prepare_rename(
        ls: EditorServer, open_file: OpenFile, params: lsp.PrepareRenameParams
    ) -> lsp.PrepareRenamePlaceholder | None:
        renamable = change.find_renamable(
            open_file.opened, open_file.file, *ls.line_and_column(open_file, params.position)
        )
        if renamable is None:
            return None
        return lsp.PrepareRenamePlaceholder(
            ls.range(open_file.uri, renamable.place), renamable.name
        )

    @editor_server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(ls: EditorServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        open_file = ls.find_file(params.text_document.uri)
        if open_file is None:
            return None
        try:
            line, column = ls.line_and_column(open_file, params.position)
            texts = change.texts_after_renaming(
                open_file.opened, open_file.file, line, column, params.new_name
            )
        except Refused as refused:
            message = "; ".join([str(refused), *refused.help])
            raise JsonRpcException(message, REQUEST_FAILED_CODE) from None
        return _workspace_edit(ls, open_file.opened, texts)

    @editor_server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions([*offers.CHANGE_KINDS], resolve_provider=True),
    )
    async def actions(
        ls: EditorServer, params: lsp.CodeActionParams
    ) -> list[lsp.CodeAction] | None:
        wanted_kinds = params.context.only
        if (
            params.context.trigger_kind == lsp.CodeActionTriggerKind.Automatic
            and wanted_kinds is None
        ):
            # The user did not ask: the editor wants to know whether there are fixes.
            wanted_kinds = [offers.QUICK_KIND]
        # "Fix all" is only offered when an editor asks for it by name, by a command or on saving.
        is_wanted = (
            _is_kind_among(wanted_kinds)
            if wanted_kinds is not None
            else lambda kind: kind != offers.FIX_ALL_KIND
        )
        uri, line, may_defer_trial = (
            params.text_document.uri,
            params.range.start.line + 1,
            _may_ask_again(ls),
        )
        code_actions: list[lsp.CodeAction] = []
        async for open_file, offer in answer_in_parts(
            ls,
            uri,
            lambda open_file: offers.offered_changes(
                open_file.opened, open_file.file, line, is_wanted, may_defer_trial=may_defer_trial
            ),
        ):
            if offer.new_files and not _may_create(ls):
                continue
            action = lsp.CodeAction(
                offer.title, offer.kind, is_preferred=offer.is_preferred or None
            )
            if offer.solved_code:
                action.diagnostics = [
                    diagnostic
                    for diagnostic in params.context.diagnostics
                    if diagnostic.code == offer.solved_code
                ] or None
            if not offer.is_proved:
                # Replaying a long campaign for every offer would take too long.
                action.data = {"uri": uri, "version": document_version(ls, uri), "line": line}
            else:
                action.edit = _workspace_edit(ls, open_file.opened, offer.texts, offer.new_files)
            code_actions.append(action)
        return code_actions

    @editor_server.feature(lsp.CODE_ACTION_RESOLVE)
    def resolve(ls: EditorServer, params: lsp.CodeAction) -> lsp.CodeAction:
        """Complete an offer that the user chose with its edit, and prove it by a replay."""
        data = params.data
        open_file = (
            unchanged_file(ls, data["uri"], data["version"]) if isinstance(data, dict) else None
        )
        if open_file is None or not isinstance(data, dict):
            return params
        kind = str(params.kind)
        for offer in offers.offered_changes(
            open_file.opened,
            open_file.file,
            data["line"],
            _is_kind_among([kind]),
            may_defer_trial=True,
        ):
            if offer.title == params.title:
                try:
                    new_problem_message = offers.new_problem_message(open_file.opened, offer)
                except Refused as refused:
                    raise JsonRpcException(str(refused), REQUEST_FAILED_CODE) from None
                if new_problem_message:
                    raise JsonRpcException(
                        f"this would cause a new problem: {new_problem_message}",
                        REQUEST_FAILED_CODE,
                    )
                params.edit = _workspace_edit(ls, open_file.opened, offer.texts, offer.new_files)
        return params


def _may_ask_again(ls: EditorServer) -> bool:
    """Whether this editor asks for the edit of an action when the user chooses it."""
    text_capabilities = ls.client_capabilities.text_document
    capability = text_capabilities.code_action if text_capabilities is not None else None
    resolve_support = (
        capability.resolve_support if capability is not None and capability.data_support else None
    )
    return resolve_support is not None and "edit" in resolve_support.properties


def _is_kind_among(kinds: Sequence[str]) -> Callable[[str], bool]:
    """A test whether a kind of action is one of ``kinds`` or a part of one."""
    return lambda kind: any(
        kind == wanted_kind or kind.startswith(f"{wanted_kind}.")
        for wanted_kind in kinds
        if wanted_kind
    )


def _may_create(ls: EditorServer) -> bool:
    """Whether this editor can create files."""
    workspace = ls.client_capabilities.workspace
    edit_capability = workspace.workspace_edit if workspace is not None else None
    operations = (
        edit_capability.resource_operations
        if edit_capability is not None and edit_capability.document_changes
        else None
    )
    return lsp.ResourceOperationKind.Create in (operations or ())


def _text_edits(ls: EditorServer, uri: str, new_text: str) -> list[lsp.TextEdit]:
    """The edit that replaces the text of a file, from the first different line to the last."""
    document = ls.workspace.get_text_document(uri)
    old_lines, new_lines = (
        document.source.splitlines(keepends=True),
        new_text.splitlines(keepends=True),
    )
    if old_lines == new_lines:
        return []
    equal_start_count, equal_end_count = count_equal_ends(old_lines, new_lines)
    start, end = (
        lsp.Position(equal_start_count, 0),
        lsp.Position(len(old_lines) - equal_end_count, 0),
    )
    if end.line == len(old_lines) and old_lines and not old_lines[-1].endswith(("\n", "\r")):
        end = document.position_to_client_units(
            ServerTextPosition(len(old_lines) - 1, len(old_lines[-1]))
        )
    return [
        lsp.TextEdit(
            lsp.Range(start, end),
            "".join(new_lines[equal_start_count : len(new_lines) - equal_end_count]),
        )
    ]


def _workspace_edit(
    ls: EditorServer,
    opened: OpenCampaign,
    text_by_file: Mapping[str, str],
    new_text_by_file: Mapping[str, str] | None = None,
) -> lsp.WorkspaceEdit:
    """The edit that replaces the texts of files and creates those in ``new_text_by_file``."""
    edits = {
        uri: _text_edits(ls, uri, text)
        for file, text in text_by_file.items()
        for uri in [ls.uri(opened, file)]
    }
    if not new_text_by_file:
        return lsp.WorkspaceEdit(changes=edits)
    document_changes: list[lsp.CreateFile | lsp.TextDocumentEdit] = []
    for file, text in new_text_by_file.items():
        uri = ls.uri(opened, file)
        document_changes += [
            lsp.CreateFile(uri, options=lsp.CreateFileOptions(overwrite=False)),
            _document_edit(
                ls, uri, [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)), text)]
            ),
        ]
    document_changes += [_document_edit(ls, uri, text_edits) for uri, text_edits in edits.items()]
    return lsp.WorkspaceEdit(document_changes=document_changes)


def _document_edit(ls: EditorServer, uri: str, edits: list[lsp.TextEdit]) -> lsp.TextDocumentEdit:
    document = ls.workspace.text_documents.get(uri)
    version = document.version if document is not None else None
    return lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, version), edits)
