"""The questions of an editor: completion, hover, definition, symbols and others."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import count
from typing import Final

from lsprotocol import types as lsp

from chronicle.core.errors import Refused
from chronicle.core.source import Place
from chronicle.door.lsp.desk import EditorServer, OpenFile, answer_about_file
from chronicle.services.editor import complete, outline
from chronicle.services.editor import hover as hover_text
from chronicle.services.editor.completion import Completion
from chronicle.services.editor.index import index_of
from chronicle.services.editor.links import find_links, link_at
from chronicle.services.snippets import CARET_MARK, FACE_MARK, STOP_MARKS

_COMPLETION_KINDS: Final = {
    "verb": lsp.CompletionItemKind.Function,
    "key": lsp.CompletionItemKind.Property,
    "name": lsp.CompletionItemKind.Class,
    "rule": lsp.CompletionItemKind.Reference,
    "value": lsp.CompletionItemKind.Value,
    "shape": lsp.CompletionItemKind.Snippet,
}
_SYMBOL_KINDS: Final = {
    "scene": lsp.SymbolKind.Namespace,
    "character": lsp.SymbolKind.Class,
    "player": lsp.SymbolKind.Constant,
    "place": lsp.SymbolKind.Field,
    "prop": lsp.SymbolKind.Object,
}
TOKEN_KINDS: Final = ("verb", "key", "name", "player", "fiction")
PLAYER_MODIFIERS: Final = tuple(f"player{seat}" for seat in range(1, outline.MOST_COLOURS + 1))
LEGEND: Final = lsp.SemanticTokensLegend(
    token_types=["keyword", "property", "class", "variable", "string"],
    token_modifiers=[*PLAYER_MODIFIERS],
)


def register_answers(editor_server: EditorServer) -> None:
    """Register the questions that change nothing."""

    @editor_server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION,
        lsp.CompletionOptions(trigger_characters=["-", " ", ":", "{", "[", ","]),
    )
    @answer_about_file
    def completion(
        ls: EditorServer, open_file: OpenFile, params: lsp.CompletionParams
    ) -> lsp.CompletionList:
        line, column = ls.line_and_column(open_file, params.position)
        completions = complete.complete(open_file.opened, open_file.file, line, column)
        items = [
            _completion_item(ls, open_file, rank, completion, line, column)
            for rank, completion in enumerate(completions)
        ]
        return lsp.CompletionList(is_incomplete=True, items=items)

    @editor_server.feature(lsp.TEXT_DOCUMENT_HOVER)
    @answer_about_file
    def hover(ls: EditorServer, open_file: OpenFile, params: lsp.HoverParams) -> lsp.Hover | None:
        shown_text = hover_text.hover(
            open_file.opened, open_file.file, *ls.line_and_column(open_file, params.position)
        )
        if shown_text is None:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, shown_text.markdown)
        return lsp.Hover(content, ls.range(open_file.uri, shown_text.place))

    @editor_server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    @answer_about_file
    def definition(
        ls: EditorServer, open_file: OpenFile, params: lsp.DefinitionParams
    ) -> lsp.Location | None:
        campaign_index = index_of(open_file.opened)
        line_and_column = ls.line_and_column(open_file, params.position)
        mention = campaign_index.mention_at(open_file.file, *line_and_column)
        place = campaign_index.first_place(mention.subject_id) if mention is not None else None
        if mention is None:
            link = link_at(open_file.opened, open_file.file, *line_and_column)
            place = link.target_place if link is not None else None
        return ls.location(open_file.opened, place) if place is not None else None

    @editor_server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    @answer_about_file
    def references(
        ls: EditorServer, open_file: OpenFile, params: lsp.ReferenceParams
    ) -> list[lsp.Location] | None:
        campaign_index = index_of(open_file.opened)
        mention = campaign_index.mention_at(
            open_file.file, *ls.line_and_column(open_file, params.position)
        )
        if mention is None:
            return None
        return [
            ls.location(open_file.opened, place)
            for place in campaign_index.references(mention.subject_id)
        ]

    @editor_server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    @answer_about_file
    def highlight(
        ls: EditorServer, open_file: OpenFile, params: lsp.DocumentHighlightParams
    ) -> list[lsp.DocumentHighlight] | None:
        campaign_index = index_of(open_file.opened)
        mention = campaign_index.mention_at(
            open_file.file, *ls.line_and_column(open_file, params.position)
        )
        if mention is None:
            return None
        return [
            lsp.DocumentHighlight(ls.range(open_file.uri, other_mention.place))
            for other_mention in campaign_index.mentions(open_file.file)
            if other_mention.subject_id == mention.subject_id
        ]

    @editor_server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    @answer_about_file
    def symbols(
        ls: EditorServer, open_file: OpenFile, params: lsp.DocumentSymbolParams
    ) -> list[lsp.DocumentSymbol]:
        return [
            _symbol(ls, open_file, symbol)
            for symbol in outline.outline_symbols(open_file.opened, open_file.file)
        ]

    @editor_server.feature(lsp.WORKSPACE_SYMBOL)
    def names(ls: EditorServer, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        symbols = []
        for opened in ls.campaigns():
            with suppress(Refused):
                for symbol in outline.matching_names(opened, params.query):
                    kind = _SYMBOL_KINDS.get(symbol.kind, lsp.SymbolKind.Class)
                    location = ls.location(opened, symbol.place)
                    symbols.append(
                        lsp.SymbolInformation(
                            location, symbol.name, kind, container_name=symbol.detail
                        )
                    )
        return symbols

    @editor_server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    @answer_about_file
    def folding(
        ls: EditorServer, open_file: OpenFile, params: lsp.FoldingRangeParams
    ) -> list[lsp.FoldingRange]:
        folds = outline.folding_ranges(open_file.opened, open_file.file)
        return [lsp.FoldingRange(first - 1, last - 1) for first, last in folds]

    @editor_server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    @answer_about_file
    def selection(
        ls: EditorServer, open_file: OpenFile, params: lsp.SelectionRangeParams
    ) -> list[lsp.SelectionRange]:
        selections = []
        for position in params.positions:
            selection_range: lsp.SelectionRange | None = None
            for place in outline.enclosing_places(
                open_file.opened, open_file.file, *ls.line_and_column(open_file, position)
            ):
                selection_range = lsp.SelectionRange(
                    ls.range(open_file.uri, place), selection_range
                )
            selections.append(selection_range or lsp.SelectionRange(lsp.Range(position, position)))
        return selections

    @editor_server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    @answer_about_file
    def tokens(
        ls: EditorServer, open_file: OpenFile, params: lsp.SemanticTokensParams
    ) -> lsp.SemanticTokens:
        return lsp.SemanticTokens(
            _encode_tokens(ls, open_file, outline.semantic_tokens(open_file.opened, open_file.file))
        )

    @editor_server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    @answer_about_file
    def hints(
        ls: EditorServer, open_file: OpenFile, params: lsp.InlayHintParams
    ) -> list[lsp.InlayHint]:
        inlay_option = ls.options.get("inlayHints", {})
        is_enabled_by_kind = inlay_option if isinstance(inlay_option, dict) else {}
        lines = open_file.opened.text(open_file.file).splitlines()
        inlay_hints = []
        first_line, last_line = params.range.start.line + 1, params.range.end.line + 1
        for hint in hover_text.find_hints(open_file.opened, open_file.file, first_line, last_line):
            if is_enabled_by_kind.get(hint.kind, True) and hint.line <= len(lines):
                end_column = len(lines[hint.line - 1]) + 1
                position = ls.range(
                    open_file.uri, Place("", hint.line, end_column, hint.line, end_column)
                ).start
                inlay_hints.append(lsp.InlayHint(position, hint.label, padding_left=True))
        return inlay_hints

    @editor_server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    @answer_about_file
    def document_links(
        ls: EditorServer, open_file: OpenFile, params: lsp.DocumentLinkParams
    ) -> list[lsp.DocumentLink]:
        rule_address = ls.rule_address(open_file.opened)
        document_links = []
        for link in find_links(open_file.opened, open_file.file):
            if link.target_place is not None:
                target, tooltip = (
                    f"{ls.uri(open_file.opened, link.target_place.path)}#L{link.target_place.line}",
                    "the entry",
                )
            else:
                target, tooltip = rule_address(link.rule_id) or "", link.rule_id
            if target:
                document_links.append(
                    lsp.DocumentLink(ls.range(open_file.uri, link.place), target, tooltip)
                )
        return document_links

    @editor_server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    @answer_about_file
    def lenses(
        ls: EditorServer, open_file: OpenFile, params: lsp.CodeLensParams
    ) -> list[lsp.CodeLens]:
        return [
            lsp.CodeLens(ls.line_start(open_file.uri, lens.line), lsp.Command(lens.label, ""))
            for lens in hover_text.find_lenses(open_file.opened, open_file.file)
        ]


def _completion_item(
    ls: EditorServer, open_file: OpenFile, rank: int, completion: Completion, line: int, column: int
) -> lsp.CompletionItem:
    replaced_range = ls.range(
        open_file.uri, Place("", line, column - completion.overwritten_length, line, column)
    )
    has_tab_stops = CARET_MARK in completion.insert
    return lsp.CompletionItem(
        completion.label,
        kind=_COMPLETION_KINDS.get(completion.kind, lsp.CompletionItemKind.Value),
        label_details=lsp.CompletionItemLabelDetails(
            description=completion.why_barred or completion.note or None
        ),
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, completion.documentation)
        if completion.documentation
        else None,
        sort_text=f"{rank:04}",
        filter_text=" ".join(
            (
                f"- {completion.label}" if completion.insert.startswith("- ") else completion.label,
                *completion.synonyms,
            )
        ),
        insert_text_format=lsp.InsertTextFormat.Snippet
        if has_tab_stops
        else lsp.InsertTextFormat.PlainText,
        insert_text_mode=lsp.InsertTextMode.AsIs if "\n" in completion.insert else None,
        text_edit=lsp.TextEdit(
            replaced_range, _snippet_text(completion.insert) if has_tab_stops else completion.insert
        ),
    )


def _snippet_text(inserted_text: str) -> str:
    """The inserted text in the snippet syntax of the protocol: a tab stop for each die and each word to replace, and
    the last stop at the caret. Other special characters are escaped."""
    stop_numbers = count(1)
    snippet = re.sub(r"[\\$}]", r"\\\g<0>", inserted_text).replace(CARET_MARK, "$0")
    snippet = re.sub(
        f"{FACE_MARK}+", lambda match: f"${{{next(stop_numbers)}:{'_' * len(match[0])}}}", snippet
    )
    opening, closing = STOP_MARKS
    return re.sub(
        f"{opening}(.*?){closing}", lambda match: f"${{{next(stop_numbers)}:{match[1]}}}", snippet
    )


def _symbol(
    ls: EditorServer, open_file: OpenFile, symbol: outline.OutlineSymbol
) -> lsp.DocumentSymbol:
    symbol_range = ls.range(open_file.uri, symbol.place)
    return lsp.DocumentSymbol(
        symbol.name or symbol.kind,
        _SYMBOL_KINDS.get(symbol.kind, lsp.SymbolKind.Class),
        symbol_range,
        lsp.Range(symbol_range.start, symbol_range.start),
        detail=symbol.detail,
        children=[_symbol(ls, open_file, child) for child in symbol.children] or None,
    )


def _encode_tokens(
    ls: EditorServer, open_file: OpenFile, tokens: list[outline.SemanticToken]
) -> list[int]:
    """Encode tokens as the protocol does: each position is relative to the previous token."""
    encoded_numbers: list[int] = []
    previous_line = previous_character = 0
    for token in tokens:
        end_column = token.column + token.length
        token_range = ls.range(
            open_file.uri, Place("", token.line, token.column, token.line, end_column)
        )
        start_position = token_range.start
        encoded_numbers += [
            start_position.line - previous_line,
            start_position.character
            - (previous_character if start_position.line == previous_line else 0),
            token_range.end.character - start_position.character,
            TOKEN_KINDS.index(token.kind),
            1 << (token.seat - 1) if token.seat else 0,
        ]
        previous_line, previous_character = start_position.line, start_position.character
    return encoded_numbers
