"""The language server. It translates between the messages of an editor and the answers of
:mod:`chronicle.services.editor`, and knows no game."""

from __future__ import annotations

from chronicle.door.lsp.answers import answers
from chronicle.door.lsp.changes import changes
from chronicle.door.lsp.desk import Desk, documents


def server() -> Desk:
    """Create the language server for one editor."""
    desk = Desk()
    documents(desk)
    answers(desk)
    changes(desk)
    return desk
