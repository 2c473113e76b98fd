"""The desk in an editor: a language server. It translates between an editor's messages and the answers of
:mod:`chronicle.desk.editor`, and knows nothing of games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
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
from chronicle.core.refused import Refused
from chronicle.core.source import Place
from chronicle.desk.editor import (
    at_ease,
    campaign_around,
    campaigns_below,
    change,
    complete,
    look,
    outline,
)
from chronicle.desk.editor.index import index
from chronicle.desk.findings import keyed
from chronicle.desk.room import Opened

PAUSE: Final = 0.12
"""Seconds without typing after which findings are sent."""
ENDINGS: Final = (".yaml", ".md")

_SEVERITIES: Final = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}
_ITEMS: Final = {
    "verb": lsp.CompletionItemKind.Function,
    "key": lsp.CompletionItemKind.Property,
    "name": lsp.CompletionItemKind.Class,
    "rule": lsp.CompletionItemKind.Reference,
    "value": lsp.CompletionItemKind.Value,
}
_SYMBOLS: Final = {
    "scene": lsp.SymbolKind.Namespace,
    "character": lsp.SymbolKind.Class,
    "player": lsp.SymbolKind.Constant,
    "place": lsp.SymbolKind.Field,
    "prop": lsp.SymbolKind.Object,
}
TOKENS: Final = ("verb", "key", "name", "player", "fiction")
PLAYERS: Final = tuple(f"player{seat}" for seat in range(1, outline.MOST_COLOURS + 1))
LEGEND: Final = lsp.SemanticTokensLegend(
    token_types=["keyword", "property", "class", "variable", "string"],
    token_modifiers=[*PLAYERS],
)

T = TypeVar("T")


class At(NamedTuple):
    """A file of a campaign, as an editor names it."""

    opened: Opened
    file: str
    uri: str


class Desk(LanguageServer):
    """One editor at the desk. Several campaigns may be open in it."""

    def __init__(self) -> None:
        super().__init__("chronicle", __version__)
        self._campaigns: dict[Path, Opened] = {}
        self._shown: dict[Path, set[str]] = {}
        self._waiting: dict[Path, asyncio.TimerHandle] = {}
        self.options: Mapping[str, Any] = {}

    # -- which campaign ----------------------------------------------------------------------------

    def at(self, uri: str) -> At | None:
        """The campaign that a file belongs to, with what is typed and not saved in it; None for other
        files."""
        name = to_fs_path(uri)
        if name is None or not name.casefold().endswith(ENDINGS):
            return None
        file = Path(name).resolve()
        folder = campaign_around(file)
        if folder is None:
            return None
        if folder not in self._campaigns:
            self._campaigns[folder] = Opened(folder.name, folder, _nothing_is_written)
        opened = self._campaigns[folder]
        opened.stand(self._drafts(folder))
        return At(opened, file.relative_to(folder).as_posix(), uri)

    def _drafts(self, folder: Path) -> dict[str, str]:
        found: dict[str, str] = {}
        for uri, document in self.workspace.text_documents.items():
            name = to_fs_path(uri)
            file = Path(name).resolve() if name else None
            if file is not None and file.is_relative_to(folder) and file.suffix in ENDINGS:
                found[file.relative_to(folder).as_posix()] = document.source
        return found

    def uri(self, opened: Opened, file: str) -> str:
        """A file of a campaign as the editor names it, if it has it open."""
        path = opened.folder / file
        for uri in self.workspace.text_documents:
            name = to_fs_path(uri)
            if name and Path(name).resolve() == path.resolve():
                return str(uri)
        return str(from_fs_path(str(path)) or path.as_uri())

    def campaigns(self) -> Iterable[Opened]:
        """Those of the folders that the editor has open."""
        for folder in self.workspace.folders.values():
            name = to_fs_path(folder.uri)
            for real in campaigns_below(Path(name)) if name else ():
                if real not in self._campaigns:
                    self._campaigns[real] = Opened(real.name, real, _nothing_is_written)
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

    # -- findings ----------------------------------------------------------------------------------

    def soon(self, at: At) -> None:
        """Send findings when nobody has typed for a moment."""
        folder = at.opened.folder
        if folder in self._waiting:
            self._waiting[folder].cancel()
        loop = asyncio.get_running_loop()
        self._waiting[folder] = loop.call_later(PAUSE, self.publish, at.opened)

    def publish(self, opened: Opened) -> None:
        """Send the findings of all files of a campaign, as it is typed now."""
        opened.stand(self._drafts(opened.folder))
        found: dict[str, list[lsp.Diagnostic]] = {}
        with at_ease():
            for one in keyed(opened).values():
                uri = self.uri(opened, one.place.path)
                found.setdefault(uri, []).append(self._diagnostic(opened, uri, one))
        gone = self._shown.get(opened.folder, set())
        self._shown[opened.folder] = set(found)
        typed = (self.uri(opened, name) for name in self._drafts(opened.folder))
        for uri in dict.fromkeys([*found, *gone, *typed]):
            document = self.workspace.text_documents.get(uri)
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(
                    uri, found.get(uri, []), document.version if document else None
                )
            )

    def _diagnostic(self, opened: Opened, uri: str, one: Diagnostic) -> lsp.Diagnostic:
        related = [
            lsp.DiagnosticRelatedInformation(
                lsp.Location(
                    self.uri(opened, fact.place.path),
                    self.range(self.uri(opened, fact.place.path), fact.place),
                ),
                fact.text,
            )
            for fact in one.facts
            if fact.place is not None and fact.place.line
        ]
        site = str(self.options.get("rules", "")).rstrip("/")
        game = opened.resident.campaign.game if opened.resident.campaign is not None else ""
        told = f"{site}/{game}/#{one.code.casefold()}" if site and game else None
        return lsp.Diagnostic(
            self.range(uri, one.place),
            "\n".join([one.message, *one.help]),
            severity=_SEVERITIES[one.severity],
            code=one.full_code,
            code_description=lsp.CodeDescription(told) if told else None,
            source="chronicle",
            related_information=related or None,
            tags=[lsp.DiagnosticTag.Unnecessary] if one.excused else None,
        )


def _nothing_is_written(home: Path, changes: object) -> None:
    raise AssertionError("an editor writes its files itself")


def answered(ask: Callable[..., T]) -> Callable[..., T | None]:
    """A question that may have no answer: the file is in no campaign, or nothing can be said of it."""

    @wraps(ask)
    def answer(desk: Desk, given: Any) -> T | None:
        at = desk.at(given.text_document.uri)
        if at is None:
            return None
        with at_ease(), suppress(Refused):
            return ask(desk, at, given)
        return None

    return answer


def server() -> Desk:
    """A desk for one editor."""
    desk = Desk()
    _documents(desk)
    _answers(desk)
    _changes(desk)
    return desk


def _documents(desk: Desk) -> None:
    """What an editor tells of its files."""

    @desk.feature(lsp.INITIALIZED)
    def initialized(ls: Desk, params: lsp.InitializedParams) -> None:
        for opened in ls.campaigns():
            ls.publish(opened)

    @desk.feature(lsp.INITIALIZE)
    def initialize(ls: Desk, params: lsp.InitializeParams) -> None:
        given = params.initialization_options
        ls.options = given if isinstance(given, dict) else {}

    def looked(ls: Desk, params: Any) -> None:
        at = ls.at(params.text_document.uri)
        if at is not None:
            ls.soon(at)

    for method in (
        lsp.TEXT_DOCUMENT_DID_OPEN,
        lsp.TEXT_DOCUMENT_DID_CHANGE,
        lsp.TEXT_DOCUMENT_DID_CLOSE,
        lsp.TEXT_DOCUMENT_DID_SAVE,
    ):
        desk.feature(method)(looked)

    @desk.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def moved(ls: Desk, params: lsp.DidChangeWatchedFilesParams) -> None:
        """Files appeared, vanished, or were written by somebody else."""
        for one in params.changes:
            at = ls.at(one.uri)
            if at is not None:
                at.opened.resident.reload()
                ls.soon(at)


def _answers(desk: Desk) -> None:
    """What an editor may ask."""

    @desk.feature(
        lsp.TEXT_DOCUMENT_COMPLETION,
        lsp.CompletionOptions(trigger_characters=["-", " ", ":", "{", "[", ","]),
    )
    @answered
    def completion(ls: Desk, at: At, given: lsp.CompletionParams) -> lsp.CompletionList:
        line, column = ls.place(at, given.position)
        found = complete.complete(at.opened, at.file, line, column)
        items = [_item(ls, at, number, one, line, column) for number, one in enumerate(found)]
        return lsp.CompletionList(is_incomplete=True, items=items)

    @desk.feature(lsp.TEXT_DOCUMENT_HOVER)
    @answered
    def hover(ls: Desk, at: At, given: lsp.HoverParams) -> lsp.Hover | None:
        shown = look.hover(at.opened, at.file, *ls.place(at, given.position))
        if shown is None:
            return None
        told = lsp.MarkupContent(lsp.MarkupKind.Markdown, shown.markdown)
        return lsp.Hover(told, ls.range(at.uri, shown.place))

    @desk.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    @answered
    def definition(ls: Desk, at: At, given: lsp.DefinitionParams) -> lsp.Location | None:
        found = index(at.opened)
        mention = found.at(at.file, *ls.place(at, given.position))
        place = found.given(mention.id) if mention is not None else None
        return _location(ls, at.opened, place) if place is not None else None

    @desk.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    @answered
    def references(ls: Desk, at: At, given: lsp.ReferenceParams) -> list[lsp.Location] | None:
        found = index(at.opened)
        mention = found.at(at.file, *ls.place(at, given.position))
        if mention is None:
            return None
        return [_location(ls, at.opened, place) for place in found.references(mention.id)]

    @desk.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    @answered
    def highlight(
        ls: Desk, at: At, given: lsp.DocumentHighlightParams
    ) -> list[lsp.DocumentHighlight] | None:
        found = index(at.opened)
        mention = found.at(at.file, *ls.place(at, given.position))
        if mention is None:
            return None
        return [
            lsp.DocumentHighlight(ls.range(at.uri, one.place))
            for one in found.mentions(at.file)
            if one.id == mention.id
        ]

    @desk.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    @answered
    def symbols(ls: Desk, at: At, given: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        return [_symbol(ls, at, one) for one in outline.symbols(at.opened, at.file)]

    @desk.feature(lsp.WORKSPACE_SYMBOL)
    def everybody(ls: Desk, given: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        made = []
        for opened in ls.campaigns():
            with suppress(Refused):
                for one in outline.everybody(opened, given.query):
                    kind = _SYMBOLS.get(one.kind, lsp.SymbolKind.Class)
                    where = _location(ls, opened, one.place)
                    made.append(
                        lsp.SymbolInformation(where, one.name, kind, container_name=one.detail)
                    )
        return made

    @desk.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    @answered
    def folding(ls: Desk, at: At, given: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        found = outline.folds(at.opened, at.file)
        return [lsp.FoldingRange(first - 1, last - 1) for first, last in found]

    @desk.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    @answered
    def selection(ls: Desk, at: At, given: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        made = []
        for position in given.positions:
            inner: lsp.SelectionRange | None = None
            for place in outline.around(at.opened, at.file, *ls.place(at, position)):
                inner = lsp.SelectionRange(ls.range(at.uri, place), inner)
            made.append(inner or lsp.SelectionRange(lsp.Range(position, position)))
        return made

    @desk.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    @answered
    def tokens(ls: Desk, at: At, given: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        return lsp.SemanticTokens(_packed(ls, at, outline.tokens(at.opened, at.file)))

    @desk.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    @answered
    def hints(ls: Desk, at: At, given: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        off = ls.options.get("inlayHints", {})
        wanted = off if isinstance(off, dict) else {}
        lines = at.opened.text(at.file).splitlines()
        made = []
        first, last = given.range.start.line + 1, given.range.end.line + 1
        for one in look.hints(at.opened, at.file, first, last):
            if wanted.get(one.kind, True) and one.line <= len(lines):
                end = len(lines[one.line - 1]) + 1
                where = ls.range(at.uri, Place("", one.line, end, one.line, end)).start
                made.append(lsp.InlayHint(where, one.text, padding_left=True))
        return made

    @desk.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    @answered
    def lenses(ls: Desk, at: At, given: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        return [
            lsp.CodeLens(ls.whole(at.uri, one.line), lsp.Command(one.text, ""))
            for one in look.lenses(at.opened, at.file)
        ]


def _changes(desk: Desk) -> None:
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
            raise JsonRpcException(said, -32803) from None
        return _workspace_edit(ls, at.opened, made)

    @desk.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.Refactor]),
    )
    @answered
    def actions(ls: Desk, at: At, given: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        line, _ = ls.place(at, given.range.start)
        return [
            lsp.CodeAction(
                one.title,
                lsp.CodeActionKind.QuickFix if one.mends else lsp.CodeActionKind.Refactor,
                diagnostics=[
                    each
                    for each in given.context.diagnostics
                    if one.mends and each.code == one.mends
                ]
                or None,
                is_preferred=one.preferred or None,
                edit=_workspace_edit(ls, at.opened, one.texts),
            )
            for one in change.actions(at.opened, at.file, line)
        ]


def _item(
    ls: Desk, at: At, number: int, one: complete.Fits, line: int, column: int
) -> lsp.CompletionItem:
    where = ls.range(at.uri, Place("", line, column - one.over, line, column))
    escaped = one.insert.replace("\\", "\\\\").replace("}", "\\}")
    snippet = "$0" in one.insert
    return lsp.CompletionItem(
        one.label,
        kind=_ITEMS.get(one.kind, lsp.CompletionItemKind.Value),
        label_details=lsp.CompletionItemLabelDetails(description=one.why or one.note or None),
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, one.told) if one.told else None,
        sort_text=f"{complete.LATER if one.why else ''}{number:04}",
        filter_text=f"- {one.label}" if one.insert.startswith("- ") else one.label,
        insert_text_format=lsp.InsertTextFormat.Snippet
        if snippet
        else lsp.InsertTextFormat.PlainText,
        text_edit=lsp.TextEdit(where, escaped if snippet else one.insert),
    )


def _location(ls: Desk, opened: Opened, place: Place) -> lsp.Location:
    uri = ls.uri(opened, place.path)
    return lsp.Location(uri, ls.range(uri, place))


def _symbol(ls: Desk, at: At, one: outline.Symbol) -> lsp.DocumentSymbol:
    where = ls.range(at.uri, one.place)
    return lsp.DocumentSymbol(
        one.name or one.kind,
        _SYMBOLS.get(one.kind, lsp.SymbolKind.Class),
        where,
        lsp.Range(where.start, where.start),
        detail=one.detail,
        children=[_symbol(ls, at, inner) for inner in one.inside] or None,
    )


def _packed(ls: Desk, at: At, tokens: list[outline.Token]) -> list[int]:
    """Tokens as numbers, each counted from the one before."""
    made: list[int] = []
    line = character = 0
    for one in tokens:
        end = one.column + one.length
        where = ls.range(at.uri, Place("", one.line, one.column, one.line, end))
        start = where.start
        made += [
            start.line - line,
            start.character - (character if start.line == line else 0),
            where.end.character - start.character,
            TOKENS.index(one.kind),
            1 << (one.player - 1) if one.player else 0,
        ]
        line, character = start.line, start.character
    return made


def _edits(ls: Desk, uri: str, text: str) -> list[lsp.TextEdit]:
    """The edit that makes a file hold another text: from the first line that differs to the last."""
    document = ls.workspace.get_text_document(uri)
    before, after = document.source.splitlines(keepends=True), text.splitlines(keepends=True)
    if before == after:
        return []
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    start, end = lsp.Position(first, 0), lsp.Position(len(before) - last, 0)
    if end.line == len(before) and before and not before[-1].endswith(("\n", "\r")):
        end = document.position_to_client_units(
            ServerTextPosition(len(before) - 1, len(before[-1]))
        )
    return [lsp.TextEdit(lsp.Range(start, end), "".join(after[first : len(after) - last]))]


def _workspace_edit(ls: Desk, opened: Opened, texts: Mapping[str, str]) -> lsp.WorkspaceEdit:
    made = {}
    for file, text in texts.items():
        uri = ls.uri(opened, file)
        made[uri] = _edits(ls, uri, text)
    return lsp.WorkspaceEdit(changes=made)
