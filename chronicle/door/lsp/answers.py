"""What an editor may ask: what fits, who is meant, what stands where."""

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
from chronicle.services.editor.index import index
from chronicle.services.editor.links import linked, links
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
        shown = hover_text.hover(at.opened, at.file, *ls.place(at, given.position))
        if shown is None:
            return None
        told = lsp.MarkupContent(lsp.MarkupKind.Markdown, shown.markdown)
        return lsp.Hover(told, ls.range(at.uri, shown.place))

    @desk.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    @answered
    def definition(ls: Desk, at: At, given: lsp.DefinitionParams) -> lsp.Location | None:
        found = index(at.opened)
        where = ls.place(at, given.position)
        mention = found.at(at.file, *where)
        place = found.first_place(mention.id) if mention is not None else None
        if mention is None:
            link = linked(at.opened, at.file, *where)
            place = link.to if link is not None else None
        return ls.location(at.opened, place) if place is not None else None

    @desk.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    @answered
    def references(ls: Desk, at: At, given: lsp.ReferenceParams) -> list[lsp.Location] | None:
        found = index(at.opened)
        mention = found.at(at.file, *ls.place(at, given.position))
        if mention is None:
            return None
        return [ls.location(at.opened, place) for place in found.references(mention.id)]

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
                for one in outline.matching_names(opened, given.query):
                    kind = _SYMBOLS.get(one.kind, lsp.SymbolKind.Class)
                    where = ls.location(opened, one.place)
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
        for one in hover_text.hints(at.opened, at.file, first, last):
            if wanted.get(one.kind, True) and one.line <= len(lines):
                end = len(lines[one.line - 1]) + 1
                where = ls.range(at.uri, Place("", one.line, end, one.line, end)).start
                made.append(lsp.InlayHint(where, one.text, padding_left=True))
        return made

    @desk.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    @answered
    def leading(ls: Desk, at: At, given: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        rule = ls.rule(at.opened)
        made = []
        for one in links(at.opened, at.file):
            if one.to is not None:
                target, told = f"{ls.uri(at.opened, one.to.path)}#L{one.to.line}", "the entry"
            else:
                target, told = rule(one.rule) or "", one.rule
            if target:
                made.append(lsp.DocumentLink(ls.range(at.uri, one.place), target, told))
        return made

    @desk.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    @answered
    def lenses(ls: Desk, at: At, given: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        return [
            lsp.CodeLens(ls.whole(at.uri, one.line), lsp.Command(one.text, ""))
            for one in hover_text.lenses(at.opened, at.file)
        ]


def _item(
    ls: Desk, at: At, number: int, one: Completion, line: int, column: int
) -> lsp.CompletionItem:
    where = ls.range(at.uri, Place("", line, column - one.overwritten, line, column))
    stops = CARET in one.insert
    return lsp.CompletionItem(
        one.label,
        kind=_ITEMS.get(one.kind, lsp.CompletionItemKind.Value),
        label_details=lsp.CompletionItemLabelDetails(description=one.why or one.note or None),
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, one.documentation)
        if one.documentation
        else None,
        sort_text=f"{number:04}",
        filter_text=" ".join(
            (f"- {one.label}" if one.insert.startswith("- ") else one.label, *one.also)
        ),
        insert_text_format=lsp.InsertTextFormat.Snippet
        if stops
        else lsp.InsertTextFormat.PlainText,
        insert_text_mode=lsp.InsertTextMode.AsIs if "\n" in one.insert else None,
        text_edit=lsp.TextEdit(where, _snippet(one.insert) if stops else one.insert),
    )


def _snippet(insert: str) -> str:
    """What is inserted, in the language of snippets: a stop for each die and each word to replace, and the last
    where the caret is afterwards. Whatever else means something there stands for itself."""
    stops = count(1)
    told = re.sub(r"[\\$}]", r"\\\g<0>", insert).replace(CARET, "$0")
    told = re.sub(f"{FACE}+", lambda found: f"${{{next(stops)}:{'_' * len(found[0])}}}", told)
    before, after = STOP
    return re.sub(f"{before}(.*?){after}", lambda found: f"${{{next(stops)}:{found[1]}}}", told)


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
