"""What an editor may be given to change: edits, which it makes itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.workspace import ServerTextPosition

from chronicle.core.errors import Refused
from chronicle.core.source import same_ends
from chronicle.door.lsp.desk import At, Desk, answered, one_by_one, still, version
from chronicle.services.editor import change, offers
from chronicle.services.open_campaigns import OpenCampaign

REFUSED: Final = -32803
"""What the protocol calls a question that was understood and cannot be done."""


def changes(desk: Desk) -> None:
    """What an editor may be given to change."""

    @desk.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    @answered
    def formatting(
        ls: Desk, at: At, given: lsp.DocumentFormattingParams
    ) -> list[lsp.TextEdit] | None:
        made = change.formatted(at.opened, at.file)
        return None if made is None else _edits(ls, at.uri, made)

    @desk.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    @answered
    def nameable(
        ls: Desk, at: At, given: lsp.PrepareRenameParams
    ) -> lsp.PrepareRenamePlaceholder | None:
        found = change.nameable(at.opened, at.file, *ls.place(at, given.position))
        if found is None:
            return None
        return lsp.PrepareRenamePlaceholder(ls.range(at.uri, found.place), found.name)

    @desk.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(ls: Desk, given: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        at = ls.at(given.text_document.uri)
        if at is None:
            return None
        try:
            line, column = ls.place(at, given.position)
            made = change.renamed(at.opened, at.file, line, column, given.new_name)
        except Refused as refused:
            said = "; ".join([str(refused), *refused.help])
            raise JsonRpcException(said, REFUSED) from None
        return _workspace_edit(ls, at.opened, made)

    @desk.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions([*offers.KINDS], resolve_provider=True),
    )
    async def actions(ls: Desk, given: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        only = given.context.only
        if given.context.trigger_kind == lsp.CodeActionTriggerKind.Automatic and only is None:
            # Nobody has asked: an editor wants to know whether there is something to mend.
            only = [offers.QUICK]
        # To mend everything is asked for by its name, by a command or when a file is saved.
        wanted = _among(only) if only is not None else lambda kind: kind != offers.ALL
        uri, line, later = given.text_document.uri, given.range.start.line + 1, _may_ask_again(ls)
        made: list[lsp.CodeAction] = []
        async for at, one in one_by_one(
            ls,
            uri,
            lambda at: offers.actions(at.opened, at.file, line, wanted, later=later),
        ):
            if one.new and not _may_create(ls):
                continue
            action = lsp.CodeAction(one.title, one.kind, is_preferred=one.preferred or None)
            if one.mends:
                action.diagnostics = [
                    each for each in given.context.diagnostics if each.code == one.mends
                ] or None
            if not one.proved:
                # To play a long campaign through for every offer would let somebody wait.
                action.data = {"uri": uri, "version": version(ls, uri), "line": line}
            else:
                action.edit = _workspace_edit(ls, at.opened, one.texts, one.new)
            made.append(action)
        return made

    @desk.feature(lsp.CODE_ACTION_RESOLVE)
    def taken(ls: Desk, given: lsp.CodeAction) -> lsp.CodeAction:
        """The edit of something offered that somebody takes: only now is it played through."""
        data = given.data
        at = still(ls, data["uri"], data["version"]) if isinstance(data, dict) else None
        if at is None or not isinstance(data, dict):
            return given
        kind = str(given.kind)
        for one in offers.actions(at.opened, at.file, data["line"], _among([kind]), later=True):
            if one.title == given.title:
                try:
                    harm = offers.harm(at.opened, one)
                except Refused as refused:
                    raise JsonRpcException(str(refused), REFUSED) from None
                if harm:
                    raise JsonRpcException(f"played through, this makes a finding: {harm}", REFUSED)
                given.edit = _workspace_edit(ls, at.opened, one.texts, one.new)
        return given


def _may_ask_again(ls: Desk) -> bool:
    """Whether this editor asks for the edit of what is offered when somebody takes it."""
    text = ls.client_capabilities.text_document
    asked = text.code_action if text is not None else None
    able = asked.resolve_support if asked is not None and asked.data_support else None
    return able is not None and "edit" in able.properties


def _among(asked: Sequence[str]) -> Callable[[str], bool]:
    """Whether a kind is one of those that were asked for, or of a narrower kind."""
    return lambda kind: any(kind == one or kind.startswith(f"{one}.") for one in asked if one)


def _may_create(ls: Desk) -> bool:
    """Whether this editor makes files that an edit asks for."""
    workspace = ls.client_capabilities.workspace
    edits = workspace.workspace_edit if workspace is not None else None
    able = edits.resource_operations if edits is not None and edits.document_changes else None
    return lsp.ResourceOperationKind.Create in (able or ())


def _edits(ls: Desk, uri: str, text: str) -> list[lsp.TextEdit]:
    """The edit that makes a file hold another text: from the first line that differs to the last."""
    document = ls.workspace.get_text_document(uri)
    before, after = document.source.splitlines(keepends=True), text.splitlines(keepends=True)
    if before == after:
        return []
    first, last = same_ends(before, after)
    start, end = lsp.Position(first, 0), lsp.Position(len(before) - last, 0)
    if end.line == len(before) and before and not before[-1].endswith(("\n", "\r")):
        end = document.position_to_client_units(
            ServerTextPosition(len(before) - 1, len(before[-1]))
        )
    return [lsp.TextEdit(lsp.Range(start, end), "".join(after[first : len(after) - last]))]


def _workspace_edit(
    ls: Desk, opened: OpenCampaign, texts: Mapping[str, str], new: Mapping[str, str] | None = None
) -> lsp.WorkspaceEdit:
    """The edit that lets files hold other texts, and lets ``new`` ones come into being."""
    edits = {
        uri: _edits(ls, uri, text) for file, text in texts.items() for uri in [ls.uri(opened, file)]
    }
    if not new:
        return lsp.WorkspaceEdit(changes=edits)
    whole: list[lsp.CreateFile | lsp.TextDocumentEdit] = []
    for file, text in new.items():
        uri = ls.uri(opened, file)
        whole += [
            lsp.CreateFile(uri, options=lsp.CreateFileOptions(overwrite=False)),
            _document(
                ls, uri, [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)), text)]
            ),
        ]
    whole += [_document(ls, uri, made) for uri, made in edits.items()]
    return lsp.WorkspaceEdit(document_changes=whole)


def _document(ls: Desk, uri: str, edits: list[lsp.TextEdit]) -> lsp.TextDocumentEdit:
    document = ls.workspace.text_documents.get(uri)
    version = document.version if document is not None else None
    return lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, version), edits)
