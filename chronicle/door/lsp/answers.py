"""The questions of an editor: completion, hover, definition, symbols and others."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import count
from typing import Final

from lsprotocol import types as lsp

from chronicle.core.errors import Refused
from chronicle.core.source import Place
from chronicle.door.lsp.desk import At, Desk, answered
from chronicle.services.editor import complete, outline
from chronicle.services.editor import hover as hover_text
from chronicle.services.editor.completion import Completion
from chronicle.services.editor.index import index_of
from chronicle.services.editor.links import link_at, links
from chronicle.services.snippets import CARET, FACE, STOP

_ITEMS: Final = {
    "verb": lsp.CompletionItemKind.Function,
    "key": lsp.CompletionItemKind.Property,
    "name": lsp.CompletionItemKind.Class,
    "rule": lsp.CompletionItemKind.Reference,
    "value": lsp.CompletionItemKind.Value,
    "shape": lsp.CompletionItemKind.Snippet,
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


def answers(desk: Desk) -> None:
    """Register the questions that change nothing."""

    @desk.feature(
        lsp.TEXT_DOCUMENT_COMPLETION,
        lsp.CompletionOptions(trigger_characters=["-", " ", ":", "{", "[", ","]),
    )
    @answered
    def completion(ls: Desk, at: At, params: lsp.CompletionParams) -> lsp.CompletionList:
        line, column = ls.place(at, params.position)
        completions = complete.complete(at.opened, at.file, line, column)
        items = [
            _item(ls, at, number, completion, line, column)
            for number, completion in enumerate(completions)
        ]
        return lsp.CompletionList(is_incomplete=True, items=items)

    @desk.feature(lsp.TEXT_DOCUMENT_HOVER)
    @answered
    def hover(ls: Desk, at: At, params: lsp.HoverParams) -> lsp.Hover | None:
        hover = hover_text.hover(at.opened, at.file, *ls.place(at, params.position))
        if hover is None:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, hover.markdown)
        return lsp.Hover(content, ls.range(at.uri, hover.place))

    @desk.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    @answered
    def definition(ls: Desk, at: At, params: lsp.DefinitionParams) -> lsp.Location | None:
        mentions = index_of(at.opened)
        position = ls.place(at, params.position)
        mention = mentions.at(at.file, *position)
        place = mentions.first_place(mention.id) if mention is not None else None
        if mention is None:
            link = link_at(at.opened, at.file, *position)
            place = link.to if link is not None else None
        return ls.location(at.opened, place) if place is not None else None

    @desk.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    @answered
    def references(ls: Desk, at: At, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        mentions = index_of(at.opened)
        mention = mentions.at(at.file, *ls.place(at, params.position))
        if mention is None:
            return None
        return [ls.location(at.opened, place) for place in mentions.references(mention.id)]

    @desk.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    @answered
    def highlight(
        ls: Desk, at: At, params: lsp.DocumentHighlightParams
    ) -> list[lsp.DocumentHighlight] | None:
        mentions = index_of(at.opened)
        mention = mentions.at(at.file, *ls.place(at, params.position))
        if mention is None:
            return None
        return [
            lsp.DocumentHighlight(ls.range(at.uri, same.place))
            for same in mentions.mentions(at.file)
            if same.id == mention.id
        ]

    @desk.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    @answered
    def symbols(ls: Desk, at: At, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        return [_symbol(ls, at, symbol) for symbol in outline.symbols(at.opened, at.file)]

    @desk.feature(lsp.WORKSPACE_SYMBOL)
    def names(ls: Desk, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        symbols = []
        for opened in ls.campaigns():
            with suppress(Refused):
                for named in outline.matching_names(opened, params.query):
                    kind = _SYMBOLS.get(named.kind, lsp.SymbolKind.Class)
                    location = ls.location(opened, named.place)
                    symbols.append(
                        lsp.SymbolInformation(
                            location, named.name, kind, container_name=named.detail
                        )
                    )
        return symbols

    @desk.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    @answered
    def folding(ls: Desk, at: At, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        folds = outline.folding_ranges(at.opened, at.file)
        return [lsp.FoldingRange(first - 1, last - 1) for first, last in folds]

    @desk.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    @answered
    def selection(ls: Desk, at: At, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        selections = []
        for position in params.positions:
            inner: lsp.SelectionRange | None = None
            for place in outline.enclosing_places(at.opened, at.file, *ls.place(at, position)):
                inner = lsp.SelectionRange(ls.range(at.uri, place), inner)
            selections.append(inner or lsp.SelectionRange(lsp.Range(position, position)))
        return selections

    @desk.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    @answered
    def tokens(ls: Desk, at: At, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        return lsp.SemanticTokens(_encoded(ls, at, outline.tokens(at.opened, at.file)))

    @desk.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    @answered
    def hints(ls: Desk, at: At, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        option = ls.options.get("inlayHints", {})
        is_on = option if isinstance(option, dict) else {}
        lines = at.opened.text(at.file).splitlines()
        hints = []
        first, last = params.range.start.line + 1, params.range.end.line + 1
        for hint in hover_text.hints(at.opened, at.file, first, last):
            if is_on.get(hint.kind, True) and hint.line <= len(lines):
                end = len(lines[hint.line - 1]) + 1
                position = ls.range(at.uri, Place("", hint.line, end, hint.line, end)).start
                hints.append(lsp.InlayHint(position, hint.text, padding_left=True))
        return hints

    @desk.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    @answered
    def document_links(ls: Desk, at: At, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        rule_address = ls.rule_address(at.opened)
        document_links = []
        for link in links(at.opened, at.file):
            if link.to is not None:
                target, tooltip = f"{ls.uri(at.opened, link.to.path)}#L{link.to.line}", "the entry"
            else:
                target, tooltip = rule_address(link.rule) or "", link.rule
            if target:
                document_links.append(
                    lsp.DocumentLink(ls.range(at.uri, link.place), target, tooltip)
                )
        return document_links

    @desk.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    @answered
    def lenses(ls: Desk, at: At, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        return [
            lsp.CodeLens(ls.line_start(at.uri, lens.line), lsp.Command(lens.text, ""))
            for lens in hover_text.lenses(at.opened, at.file)
        ]


def _item(
    ls: Desk, at: At, number: int, completion: Completion, line: int, column: int
) -> lsp.CompletionItem:
    replaced = ls.range(at.uri, Place("", line, column - completion.overwritten, line, column))
    stops = CARET in completion.insert
    return lsp.CompletionItem(
        completion.label,
        kind=_ITEMS.get(completion.kind, lsp.CompletionItemKind.Value),
        label_details=lsp.CompletionItemLabelDetails(
            description=completion.why_barred or completion.note or None
        ),
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, completion.documentation)
        if completion.documentation
        else None,
        sort_text=f"{number:04}",
        filter_text=" ".join(
            (
                f"- {completion.label}" if completion.insert.startswith("- ") else completion.label,
                *completion.synonyms,
            )
        ),
        insert_text_format=lsp.InsertTextFormat.Snippet
        if stops
        else lsp.InsertTextFormat.PlainText,
        insert_text_mode=lsp.InsertTextMode.AsIs if "\n" in completion.insert else None,
        text_edit=lsp.TextEdit(
            replaced, _snippet(completion.insert) if stops else completion.insert
        ),
    )


def _snippet(insert: str) -> str:
    """The inserted text in the snippet syntax of the protocol: a tab stop for each die and each word to replace, and
    the last stop at the caret. Other special characters are escaped."""
    stops = count(1)
    snippet = re.sub(r"[\\$}]", r"\\\g<0>", insert).replace(CARET, "$0")
    snippet = re.sub(f"{FACE}+", lambda match: f"${{{next(stops)}:{'_' * len(match[0])}}}", snippet)
    opening, closing = STOP
    return re.sub(
        f"{opening}(.*?){closing}", lambda match: f"${{{next(stops)}:{match[1]}}}", snippet
    )


def _symbol(ls: Desk, at: At, symbol: outline.Symbol) -> lsp.DocumentSymbol:
    symbol_range = ls.range(at.uri, symbol.place)
    return lsp.DocumentSymbol(
        symbol.name or symbol.kind,
        _SYMBOLS.get(symbol.kind, lsp.SymbolKind.Class),
        symbol_range,
        lsp.Range(symbol_range.start, symbol_range.start),
        detail=symbol.detail,
        children=[_symbol(ls, at, inner) for inner in symbol.children] or None,
    )


def _encoded(ls: Desk, at: At, tokens: list[outline.Token]) -> list[int]:
    """Encode tokens as the protocol does: each position is relative to the previous token."""
    numbers: list[int] = []
    line = character = 0
    for token in tokens:
        end = token.column + token.length
        token_range = ls.range(at.uri, Place("", token.line, token.column, token.line, end))
        start = token_range.start
        numbers += [
            start.line - line,
            start.character - (character if start.line == line else 0),
            token_range.end.character - start.character,
            TOKENS.index(token.kind),
            1 << (token.player - 1) if token.player else 0,
        ]
        line, character = start.line, start.character
    return numbers
