"""The desk in an editor: a language server. It translates between an editor's messages and the answers of
:mod:`chronicle.services.editor`, and knows nothing of games."""

from __future__ import annotations

from chronicle.door.lsp.answers import answers
from chronicle.door.lsp.changes import changes
from chronicle.door.lsp.desk import Desk, documents


def server() -> Desk:
    """A desk for one editor."""
    desk = Desk()
    documents(desk)
    answers(desk)
    changes(desk)
    return desk
