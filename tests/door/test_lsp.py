"""A real client and the real program: what an editor is told while somebody types."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import IO, Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.workspace import Workspace
from pytest_lsp import ClientServerConfig, LanguageClient

from benchmarks.play import write_campaign
from chronicle.cli import main
from chronicle.door.lsp import server
from chronicle.services.editor import offers
from chronicle.services.editor.complete import MOST_BARRED_COMPLETIONS
from chronicle.syntax.text_edit import tree_of
from tests.conftest import ROOT
from tests.counted import counted

pytestmark = pytest.mark.integration

LOG = "02.yaml"
HESTER = "- draw: {Hester Teague: [name, patient"


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[sys.executable, "-m", "chronicle", "lsp"])
)  # type: ignore[untyped-decorator]
async def editor(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    shutil.copytree(ROOT / "sessions" / "the-lantern-coast", tmp_path / "coast")
    params = lsp.InitializeParams(
        capabilities=lsp.ClientCapabilities(),
        workspace_folders=[lsp.WorkspaceFolder(tmp_path.as_uri(), "sessions")],
    )
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


class File:
    """A file in the editor."""

    def __init__(self, client: LanguageClient, path: Path) -> None:
        self.client, self.path, self.version = client, path, 1
        self.uri = path.as_uri()
        self.text = path.read_text(encoding="utf-8")
        item = lsp.TextDocumentItem(self.uri, "yaml", 1, self.text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    @property
    def id(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    async def type(self, text: str) -> list[lsp.Diagnostic]:
        """Have another text, and wait for what is found in it."""
        if self.version == 1:
            await self.found()
        self.version += 1
        self.text = text
        self.client.diagnostics.pop(self.uri, None)
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.version, self.uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        return await self.found()

    async def found(self) -> list[lsp.Diagnostic]:
        """What is found in just this text."""
        for _ in range(600):
            if self.uri in self.client.diagnostics:
                return list(self.client.diagnostics[self.uri])
            await asyncio.sleep(0.05)
        raise AssertionError("nothing was found, and not even that was said")

    def at(self, words: str, offset: int = 0) -> lsp.Position:
        """The position of some words, or of the character so far behind their start."""
        where = self.text.index(words) + offset
        line = self.text.count("\n", 0, where)
        start = self.text.rfind("\n", 0, where) + 1
        return lsp.Position(line, len(self.text[start:where].encode("utf-16-le")) // 2)

    def applied(self, edits: list[lsp.TextEdit]) -> str:
        """The text with edits (in UTF-16 units, as the protocol has it)."""
        lines = [*self.text.splitlines(keepends=True), ""]
        for edit in sorted(
            edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True
        ):
            start, end = edit.range.start, edit.range.end
            head = lines[start.line].encode("utf-16-le")[: start.character * 2].decode("utf-16-le")
            tail = lines[end.line].encode("utf-16-le")[end.character * 2 :].decode("utf-16-le")
            lines[start.line : end.line + 1] = [head + edit.new_text + tail]
        return "".join(lines)

    def caret(self, words: str) -> lsp.TextDocumentPositionParams:
        """Somebody points at some words."""
        return lsp.TextDocumentPositionParams(self.id, self.at(words, 1))


def coast(client: LanguageClient, tmp_path: Path) -> File:
    return File(client, tmp_path / "coast" / LOG)


def without(text: str, line: str, words: str) -> str:
    """The text without the last such line above some words."""
    where = text.index(words)
    at = text.rindex(line, 0, where)
    return text[:at] + text[at + len(line) :]


@pytest.mark.asyncio
async def test_findings_are_those_of_check(editor: LanguageClient, tmp_path: Path) -> None:
    log = coast(editor, tmp_path)
    broken = without(log.text, "- end turn:\n", HESTER)
    problems = await log.type(broken)
    assert [problem.severity for problem in problems] == [lsp.DiagnosticSeverity.Error]
    assert str(problems[0].code).startswith("universalis:U")
    assert problems[0].range.start.line > log.at(HESTER).line
    assert problems[0].related_information
    log.path.write_text(broken, encoding="utf-8")
    messages: list[str] = []
    from chronicle.workspace import Workspace

    for finding in Workspace(log.path.parent).findings():
        messages += [finding["message"]]
    assert [problem.message.split("\n")[0] for problem in problems] == messages
    assert await log.type(log.text.replace(HESTER, f"- end turn:\n{HESTER}")) == []


@pytest.mark.asyncio
async def test_completion_knows_the_moment(editor: LanguageClient, tmp_path: Path) -> None:
    log = coast(editor, tmp_path)
    head = log.text[: log.text.index(HESTER)]

    async def fits(typed: str) -> list[lsp.CompletionItem]:
        await log.type(f"{head}{typed}\n")
        where = lsp.Position(f"{head}{typed}".count("\n"), len(typed.rpartition("\n")[2]))
        params = lsp.CompletionParams(log.id, where)
        completions = await editor.text_document_completion_async(params)
        assert isinstance(completions, lsp.CompletionList)
        assert [*completions.items] == sorted(
            completions.items, key=lambda item: item.sort_text or ""
        )
        return [*completions.items]

    verbs = await fits("- ")
    names = [verb.label for verb in verbs]
    assert names.index("draw") < names.index("buy")
    barred = [verb for verb in verbs if "add-on" in str(verb.label_details)]
    assert 0 < len(barred) <= MOST_BARRED_COMPLETIONS, "what may not come drowns nothing that may"
    verbs += await fits("- dr")
    notes = {verb.label: (verb.label_details and verb.label_details.description) for verb in verbs}
    assert notes["buy"] == "Joss pays 1 Coin" and "add-on" in str(notes["driver"])
    (patience, *_) = await fits("- draw: {Pat")
    assert patience.label == "Patience"
    assert isinstance(patience.text_edit, lsp.TextEdit)
    log.text = f"{head}- draw: {{Pat\n"
    assert log.applied([patience.text_edit]).endswith("- draw: {Patience: \n")
    traits = await fits("- draw: {Patience: ")
    assert "tarred twice" in [trait.label for trait in traits]
    keys = await fits("- draw: {Patience: tarred twice}\n  t")
    assert [key.label for key in keys] == ["to", "text"]
    fitting = await fits("- draw: {Patience: tarred twice}\n  to: ")
    assert "Joss" in [item.label for item in fitting]


def expanded(snippet: str) -> str:
    """What a snippet puts in, with ``|`` where the caret is afterwards."""
    sign = re.compile(
        r"\\(?P<own>.)|(?P<last>\$0)|\$\{\d+:(?P<word>(?:\\.|[^}\\])*)\}|(?P<bad>[$}\\])"
    )

    def expand(match: re.Match[str]) -> str:
        assert not match["bad"], f"{match[0]} means something in {snippet}"
        return match["own"] or (match["last"] and "|") or expanded(match["word"])

    return sign.sub(expand, snippet)


@pytest.mark.asyncio
async def test_no_name_is_read_as_a_snippet(editor: LanguageClient, tmp_path: Path) -> None:
    log = coast(editor, tmp_path)
    head = log.text[: log.text.index(HESTER)]
    names = ["Cash $0", "Cash $1 Bill", "Cash ${1:x}", "Cash }", "Cash \\$0"]
    for name in names:
        head += f"- introduce: {{character: payer, name: '{name}', traits: [rich]}}\n"
    for typed in ("- draw: {Cash ", "- draw: "):
        await log.type(f"{head}{typed}\n")
        where = lsp.Position(f"{head}{typed}".count("\n"), len(typed))
        completions = await editor.text_document_completion_async(
            lsp.CompletionParams(log.id, where)
        )
        assert isinstance(completions, lsp.CompletionList)
        items = {item.label: item for item in completions.items}
        for name in names:
            edit = items[name].text_edit
            assert isinstance(edit, lsp.TextEdit)
            text = edit.new_text
            stops = items[name].insert_text_format is lsp.InsertTextFormat.Snippet
            inserted = expanded(text) if stops else text
            written = re.sub("['\"]", "", inserted)
            assert written == (f"{name}: " if "Cash" in typed else f"{{{name}: |}}"), text


@pytest.mark.asyncio
async def test_settings_complete_too(editor: LanguageClient, tmp_path: Path) -> None:
    settings = File(editor, tmp_path / "coast" / "campaign.yaml")

    async def fits(typed: str) -> list[str]:
        text = "game: universalis\ntitle: x\nplayers: [A, B, C]\n" + typed
        await settings.type(text)
        where = lsp.Position(text.count("\n"), len(text.rpartition("\n")[2]))
        params = lsp.CompletionParams(settings.id, where)
        completions = await editor.text_document_completion_async(params)
        return (
            [item.label for item in completions.items]
            if isinstance(completions, lsp.CompletionList)
            else []
        )

    assert "strictness" in await fits("str")
    assert await fits("strictness: ") == ["meticulous", "standard", "relaxed"]
    assert await fits("dice: ") == ["rolled", "written"]
    assert "friendly control" in await fits("add ons: [fri")
    assert len(await fits("rulings:\n  ")) > 20


@pytest.mark.asyncio
async def test_names_lead_to_each_other(editor: LanguageClient, tmp_path: Path) -> None:
    log = coast(editor, tmp_path)
    await log.type(log.text)
    where = log.caret(HESTER)
    where.position = log.at("Hester Teague: [name", 2)
    hover = await editor.text_document_hover_async(
        lsp.HoverParams(where.text_document, where.position)
    )
    assert hover is not None and isinstance(hover.contents, lsp.MarkupContent)
    assert "Hester Teague" in hover.contents.value and "first named in" in hover.contents.value
    locations = await editor.text_document_definition_async(
        lsp.DefinitionParams(where.text_document, where.position)
    )
    assert isinstance(locations, lsp.Location)
    file = Path(locations.uri.removeprefix("file://"))
    assert (
        "Hester Teague" in file.read_text(encoding="utf-8").splitlines()[locations.range.start.line]
    )
    places = await editor.text_document_references_async(
        lsp.ReferenceParams(
            lsp.ReferenceContext(include_declaration=True), where.text_document, where.position
        )
    )
    assert places and len({place.uri for place in places}) > 1
    verb = await editor.text_document_hover_async(lsp.HoverParams(log.id, log.at(HESTER, 3)))
    assert verb is not None and isinstance(verb.contents, lsp.MarkupContent)
    assert "**draw**" in verb.contents.value and "Joss" in verb.contents.value


@pytest.mark.asyncio
async def test_another_name_in_all_files(editor: LanguageClient, tmp_path: Path) -> None:
    log = coast(editor, tmp_path)
    # What is typed and not saved is renamed as well.
    await log.type(log.text.replace("title: Who saw her go down", "title: Nobody saw her"))
    position = log.at("Hester Teague: [name", 2)
    ready = await editor.text_document_prepare_rename_async(
        lsp.PrepareRenameParams(log.id, position)
    )
    assert isinstance(ready, lsp.PrepareRenamePlaceholder) and ready.placeholder == "Hester Teague"
    rename_edit = await editor.text_document_rename_async(
        lsp.RenameParams(log.id, position, "Hester Toll")
    )
    assert (
        rename_edit is not None and rename_edit.changes is not None and len(rename_edit.changes) > 2
    )
    text_after = log.applied(list(rename_edit.changes[log.uri]))
    assert "{Hester Toll: [name, patient" in text_after and "title: Nobody saw her" in text_after
    with pytest.raises(Exception, match="there is a"):
        await editor.text_document_rename_async(lsp.RenameParams(log.id, position, "Patience"))


@pytest.mark.asyncio
async def test_the_shape_of_a_file(editor: LanguageClient, tmp_path: Path) -> None:
    log = coast(editor, tmp_path)
    await log.type(log.text)
    symbols = await editor.text_document_document_symbol_async(lsp.DocumentSymbolParams(log.id))
    top_level_symbols = [
        symbol for symbol in symbols or () if isinstance(symbol, lsp.DocumentSymbol)
    ]
    assert any("The Patience puts out" in symbol.name for symbol in top_level_symbols)
    folds = await editor.text_document_folding_range_async(lsp.FoldingRangeParams(log.id))
    assert folds and all(fold.start_line < fold.end_line for fold in folds)
    tokens = await editor.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(log.id))
    assert tokens is not None and len(tokens.data) % 5 == 0 and len(tokens.data) > 500
    lines = log.text.splitlines()
    line = character = 0
    for at in range(0, len(tokens.data), 5):
        down, right, length, _, _ = tokens.data[at : at + 5]
        line, character = line + down, right if down else character + right
        assert 0 < length <= len(lines[line].encode("utf-16-le")) // 2 - character
    whole_range = lsp.Range(lsp.Position(0, 0), lsp.Position(len(lines), 0))
    hints = await editor.text_document_inlay_hint_async(lsp.InlayHintParams(log.id, whole_range))
    assert any("Marit 9" in str(hint.label) and "Joss" in str(hint.label) for hint in hints or ())
    lenses = await editor.text_document_code_lens_async(lsp.CodeLensParams(log.id))
    assert lenses and all("entr" in lense.command.title for lense in lenses if lense.command)
    grown = await editor.text_document_selection_range_async(
        lsp.SelectionRangeParams(log.id, [log.at("Hester Teague: [name", 2)])
    )
    around: lsp.SelectionRange | None = grown[0] if grown else None
    depth = 0
    while around is not None:
        around, depth = around.parent, depth + 1
    assert depth >= 4


@pytest.mark.asyncio
async def test_a_file_is_laid_out(editor: LanguageClient, tmp_path: Path) -> None:
    log = coast(editor, tmp_path)
    untidy = log.text.replace("- end turn:", "-   end turn:")
    await log.type(untidy)
    params = lsp.DocumentFormattingParams(log.id, lsp.FormattingOptions(2, insert_spaces=True))
    edits = await editor.text_document_formatting_async(params)
    assert edits
    formatted = log.applied(list(edits))
    assert "-   end" not in formatted and tree_of(formatted, LOG) == tree_of(untidy, LOG)
    await log.type(log.text + "- tell: 'never closed\n")
    assert not await editor.text_document_formatting_async(params)


@pytest.mark.asyncio
async def test_what_mends_a_finding_is_offered_and_does(
    editor: LanguageClient, tmp_path: Path
) -> None:
    log = coast(editor, tmp_path)
    where = "- draw: {Hester Teague: [name, patient"
    by = log.text[: log.text.index("\n", log.text.index(where)) + 1] + "  by: Joss\n"
    broken = without(by + "- end turn:\n", "- end turn:\n", where)

    async def played(text: str) -> list[lsp.Diagnostic]:
        """What is wrong in the log, without the sentences of its head whose entries are missing now."""
        return [problem for problem in await log.type(text) if problem.code != "T89"]

    problems = await played(broken)
    assert problems
    offered = await editor.text_document_code_action_async(
        lsp.CodeActionParams(log.id, problems[0].range, lsp.CodeActionContext(problems))
    )
    fixes = [
        action
        for action in offered or ()
        if isinstance(action, lsp.CodeAction) and action.diagnostics
    ]
    assert fixes and "Leaves " in fixes[0].title
    # An end of the turn fits nowhere else: one entry above, Joss would lend Coins to Joss.
    assert [bool(fix.is_preferred) for fix in fixes] == [True, *[False] * (len(fixes) - 1)]
    assert fixes[0].edit is not None and fixes[0].edit.changes is not None
    (edits,) = fixes[0].edit.changes.values()
    problems_after = await played(log.applied(list(edits)))
    assert {problem.message for problem in problems_after} < {
        problem.message for problem in problems
    }
    titles = [action.title for action in offered or ()]
    assert any("id that stays" in title for title in titles)
    wrong = log.text.replace("{Hester Teague: [name", "{Hestor Teague: [name", 1)
    misspelt = await played(wrong)
    assert misspelt
    offered = await editor.text_document_code_action_async(
        lsp.CodeActionParams(log.id, misspelt[0].range, lsp.CodeActionContext(misspelt))
    )
    marked = [
        action
        for action in offered or ()
        if isinstance(action, lsp.CodeAction) and action.is_preferred
    ]
    assert any("Hester Teague" in action.title for action in marked)


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[sys.executable, "-m", "chronicle", "lsp"])
)  # type: ignore[untyped-decorator]
async def asking(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    write_campaign("universalis", offers.MOST_PROVED_ENTRIES + 100, tmp_path / "long")
    able = lsp.ClientCapabilities(
        text_document=lsp.TextDocumentClientCapabilities(
            code_action=lsp.CodeActionClientCapabilities(
                data_support=True,
                resolve_support=lsp.ClientCodeActionResolveOptions(["edit"]),
            )
        )
    )
    await lsp_client.initialize_session(lsp.InitializeParams(capabilities=able))
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_what_is_offered_in_a_long_log_is_played_through_when_it_is_taken(
    asking: LanguageClient, tmp_path: Path
) -> None:
    log = File(asking, tmp_path / "long" / "0003.yaml")
    problems = await log.found()

    async def offered(words: str) -> dict[str, lsp.CodeAction]:
        where = log.at(words)
        code_actions = await asking.text_document_code_action_async(
            lsp.CodeActionParams(log.id, lsp.Range(where, where), lsp.CodeActionContext([]))
        )
        return {
            action.title: action
            for action in code_actions or ()
            if isinstance(action, lsp.CodeAction)
        }

    actions = await offered("- take over")
    assert actions and not any(action.edit for action in actions.values())
    resolved = await asking.code_action_resolve_async(actions["Give this entry an id that stays"])
    assert resolved.edit is not None and resolved.edit.changes is not None
    (edits,) = resolved.edit.changes.values()
    assert len(await log.type(log.applied(list(edits)))) == len(problems)
    with pytest.raises(JsonRpcException, match="has changed since"):
        await asking.code_action_resolve_async(actions["Give this entry an id that stays"])


@pytest.mark.asyncio
async def test_whatever_is_typed_is_answered(editor: LanguageClient, tmp_path: Path) -> None:
    log = coast(editor, tmp_path)
    for text in (
        "",
        "x",
        "log:",
        "session: 2\nlog:\n- ",
        "session: 2\nlog:\n  -",
        "\t\n",
        "log: [\n",
        "🎲: {\n- 🎲",
    ):
        await log.type(text)
        end = lsp.Position(text.count("\n"), len(text.rpartition("\n")[2].encode("utf-16-le")) // 2)
        await editor.text_document_completion_async(lsp.CompletionParams(log.id, end))
        await editor.text_document_hover_async(lsp.HoverParams(log.id, end))
        await editor.text_document_document_symbol_async(lsp.DocumentSymbolParams(log.id))
        await editor.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(log.id))
        await editor.text_document_code_action_async(
            lsp.CodeActionParams(log.id, lsp.Range(end, end), lsp.CodeActionContext([]))
        )


def test_without_the_package_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("chronicle.door.lsp")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("pygls", "pygls.exceptions", "lsprotocol"):
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["lsp"]) == 2
    assert "pip install" in capsys.readouterr().err


@pytest.mark.asyncio
async def test_several_campaigns_and_files_that_come_and_go(
    editor: LanguageClient, tmp_path: Path
) -> None:
    log = coast(editor, tmp_path)
    await log.type(log.text)
    # Another campaign in the same workspace, begun while the editor is open.
    mill = tmp_path / "mill"
    mill.mkdir()
    (mill / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    file = mill / "01.yaml"
    file.write_text("session: 1\nlog:\n- call: x\n  by: Nobody\n")

    def changed(path: Path, kind: lsp.FileChangeType) -> None:
        editor.workspace_did_change_watched_files(
            lsp.DidChangeWatchedFilesParams([lsp.FileEvent(path.as_uri(), kind)])
        )

    async def wait_for_problems(path: Path, some: bool) -> None:
        for _ in range(600):
            if bool(editor.diagnostics.get(path.as_uri())) == some:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"{path}: {editor.diagnostics.get(path.as_uri())}")

    changed(file, lsp.FileChangeType.Created)
    await wait_for_problems(file, True)
    assert not editor.diagnostics[log.uri], "each campaign has its own findings"
    # The file gets another name: nothing is left at the old one.
    other_log = mill / "02.yaml"
    file.rename(other_log)
    editor.workspace_did_rename_files(
        lsp.RenameFilesParams([lsp.FileRename(file.as_uri(), other_log.as_uri())])
    )
    await wait_for_problems(other_log, True)
    await wait_for_problems(file, False)
    # The whole campaign goes, and what was found in it.
    shutil.rmtree(mill)
    changed(other_log, lsp.FileChangeType.Deleted)
    await wait_for_problems(other_log, False)
    # A session that nobody has saved yet is part of the campaign.
    new = File.__new__(File)
    new.client, new.path, new.version = editor, tmp_path / "coast" / "04.yaml", 1
    new.uri, new.text = new.path.as_uri(), "session: 4\nlog:\n- evnt: x\n"
    editor.text_document_did_open(
        lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(new.uri, "yaml", 1, new.text))
    )
    await wait_for_problems(new.path, True)
    symbols = await editor.workspace_symbol_async(lsp.WorkspaceSymbolParams("hester"))
    assert symbols and "coast" in str(symbols[0].container_name)


@pytest.mark.asyncio
async def test_a_text_that_has_changed_meanwhile_is_another_one(tmp_path: Path) -> None:
    desk = server()
    desk.protocol._workspace = Workspace(tmp_path.as_uri())
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    uri = (tmp_path / "01.yaml").as_uri()
    desk.workspace.put_text_document(lsp.TextDocumentItem(uri, "yaml", 1, "session: 1\nlog:\n- "))
    ask = desk.protocol.fm.features[lsp.TEXT_DOCUMENT_COMPLETION]
    params = lsp.CompletionParams(lsp.TextDocumentIdentifier(uri), lsp.Position(2, 2))
    answer = await ask(params)
    assert answer is not None and answer.items
    pending = asyncio.ensure_future(ask(params))
    await asyncio.sleep(0)
    desk.workspace.put_text_document(lsp.TextDocumentItem(uri, "yaml", 2, "session: 1\n"))
    with pytest.raises(JsonRpcException) as refused:
        await pending
    assert refused.value.code == lsp.LSPErrorCodes.ContentModified


def test_after_a_change_at_the_end_little_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "long"
    write_campaign("positive", 300, home)
    desk = server()
    desk.protocol._workspace = Workspace(home.as_uri())
    published: list[lsp.PublishDiagnosticsParams] = []
    monkeypatch.setattr(desk, "text_document_publish_diagnostics", published.append)
    log = home / "0003.yaml"
    text = log.read_text(encoding="utf-8")
    desk.workspace.put_text_document(lsp.TextDocumentItem(log.as_uri(), "yaml", 1, text))
    at = desk.find_file(log.as_uri())
    assert at is not None
    desk.publish(at.opened)
    played = counted(monkeypatch)
    longer_text = f"{text}- tell: Somebody waits\n"
    desk.workspace.put_text_document(lsp.TextDocumentItem(log.as_uri(), "yaml", 2, longer_text))
    desk.publish(at.opened)
    assert 0 < len(played) < 10
    assert published[-1].version == 2


@pytest.mark.asyncio
async def test_links_and_a_rule_of_the_house(editor: LanguageClient, tmp_path: Path) -> None:
    log = coast(editor, tmp_path)
    allow = "  by: Wen\n  allow: {U6.11: we were laughing}\n"
    text = (
        log.text
        + f"- question: Who rang?\n  id: rang\n- fact: Nobody did\n  answers: rang\n{allow}"
    )
    await log.type(text)
    links = await editor.text_document_document_link_async(lsp.DocumentLinkParams(log.id))
    last = [link for link in links or () if link.range.start.line > len(log.text.splitlines()) - 6]
    (entry,) = [link for link in last if link.target and "#L" in link.target]
    line = text[: text.index("- question: Who rang?")].count("\n") + 1
    assert entry.target == f"{log.uri}#L{line}"
    place = await editor.text_document_definition_async(
        lsp.DefinitionParams(log.id, log.at("answers: rang", 10))
    )
    assert isinstance(place, lsp.Location) and place.range.start.line == line - 1


def test_over_a_socket_and_what_is_taken_back_is_not_answered(
    tmp_path: Path, on_a_port: int
) -> None:
    talking = _connected(on_a_port)
    with talking, talking.makefile("rb") as stream:
        parameters: dict[str, Any] = {
            "processId": None,
            "rootUri": tmp_path.as_uri(),
            "capabilities": {},
        }
        talking.sendall(_message(method="initialize", id=1, params=parameters))
        able = _answer(stream, 1)["result"]
        uri = {"uri": (tmp_path / "campaign.yaml").as_uri()}
        ask = {"textDocument": uri, "position": {"line": 0, "character": 2}}
        talking.sendall(
            _message(method="textDocument/hover", id=2, params=ask)
            + _message(method="$/cancelRequest", params={"id": 2})
            + _message(method="textDocument/foldingRange", id=3, params=ask)
        )
        taken_back, folds = _answer(stream, 2), _answer(stream, 3)
    assert able["serverInfo"]["name"] == "chronicle"
    assert able["capabilities"]["completionProvider"]
    assert taken_back["error"]["code"] == lsp.LSPErrorCodes.RequestCancelled
    assert "error" not in folds


@pytest.fixture
def on_a_port(tmp_path: Path) -> Iterator[int]:
    """The port of a language server for one campaign."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    command = [sys.executable, "-m", "chronicle", "lsp", "--tcp", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as serving:
        try:
            yield port
        finally:
            serving.kill()


PAGE = b"Host: 127.0.0.1\r\nOrigin: https://evil.example\r\nContent-Type: text/plain\r\n"


@pytest.mark.parametrize(
    "first",
    [
        b"POST / HTTP/1.1\r\n" + PAGE,
        b"GET / HTTP/1.1\r\n" + PAGE,
        b"OPTIONS * HTTP/1.1\r\n",
        b"\r\nPOST / HTTP/1.1\r\n" + PAGE,
        b"X: 1\r\n",
        b"content of a page\n",
        b"Content-Length: 9999999999\r\n",
        b"\x16\x03\x01\x02\x00",
        b"x" * 100_000,
    ],
)
def test_no_page_in_a_browser_is_answered_on_a_port(on_a_port: int, first: bytes) -> None:
    parameters: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
    request = _message(method="initialize", id=1, params=parameters)
    received = b""
    with _connected(on_a_port) as page, contextlib.suppress(ConnectionError):
        page.sendall(first + request + _message(method="exit"))
        page.shutdown(socket.SHUT_WR)
        while data := page.recv(1000):
            received += data
    assert received == b""
    # An editor is served all the same.
    with _connected(on_a_port) as talking, talking.makefile("rb") as stream:
        talking.sendall(request)
        assert _answer(stream, 1)["result"]["serverInfo"]["name"] == "chronicle"


def _connected(port: int) -> socket.socket:
    for _ in range(600):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=60)
        except OSError:
            time.sleep(0.05)
    raise AssertionError("nobody listens")


def _message(**body: Any) -> bytes:
    sent = json.dumps({"jsonrpc": "2.0", **body}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(sent), sent)


def _answer(stream: IO[bytes], id: int) -> Any:
    while True:
        size = int(stream.readline().split(b":")[1])
        while stream.readline().strip():
            pass
        message = json.loads(stream.read(size))
        if message.get("id") == id:
            return message


def test_a_file_is_found_again_whatever_else_is_open_and_saved(tmp_path: Path) -> None:
    """A name that no disk holds belongs to no campaign; what others save is seen without being told of."""
    desk = server()
    desk.protocol._workspace = Workspace(tmp_path.as_uri())
    (tmp_path / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [A, B, C, D]\n")
    log = tmp_path / "01.yaml"
    log.write_text("session: 1\nlog:\n- tell: one\n")
    odd = f"{tmp_path.as_uri()}/a%00b.yaml"
    desk.workspace.put_text_document(lsp.TextDocumentItem(odd, "yaml", 1, "x: 1\n"))
    assert desk.find_file(odd) is None
    at = desk.find_file(log.as_uri())
    assert at is not None and at.file == "01.yaml"
    assert len(at.opened.workspace.record.steps) == 1  # type: ignore[union-attr]
    log.write_text("session: 1\nlog:\n- tell: one\n- tell: two\n")
    at = desk.find_file(log.as_uri())
    assert at is not None
    assert len(at.opened.workspace.record.steps) == 2  # type: ignore[union-attr]
