"""The language server. It translates between the messages of an editor and the answers of
:mod:`chronicle.services.editor`, and knows no game."""

from __future__ import annotations

from chronicle.door.lsp.answers import register_answers
from chronicle.door.lsp.changes import register_changes
from chronicle.door.lsp.desk import EditorServer, register_notifications


def server() -> EditorServer:
    """Create the language server for one editor."""
    editor_server = EditorServer()
    register_notifications(editor_server)
    register_answers(editor_server)
    register_changes(editor_server)
    return editor_server
