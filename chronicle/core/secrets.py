"""Secrets by commitment: sealed now, opened later, verified then.

A seal is ``sha256:`` over one verbatim line, the *opening*: a JSON array of version tag, session,
slot, player, kind, value and a salt. The string itself is hashed, never a re-serialisation of it.
Nothing that has not been revealed ever leaves the vault.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from chronicle.core.source import Word
from chronicle.core.worded import Worded

T = TypeVar("T")

VERSION = "chronicle-seal-1"
SALT_BYTES = 16

_SEAL = r"sha256:[0-9a-f]{64}\Z"
_SALT = rf"[0-9a-f]{{{2 * SALT_BYTES},}}\Z"
_ITEM = r'[ \t\r\n]*+(?:"(?:[^"\\]|\\.)*+"|[^][{}",\s]++)[ \t\r\n]*+'
_FLAT = rf"[ \t\r\n]*+\[{_ITEM}(?:,{_ITEM})*+\][ \t\r\n]*+"


class Proof(Worded):
    """How far a claim about a secret is proven."""

    STATED = "stated"
    """Only the log says so; it was written down at opening, or kept in clear by the keeper."""
    SEALED = "sealed"
    """A seal was in the log before, and the opening matches it."""


@dataclass(slots=True, eq=False)
class Secret:
    """Something the log holds back. ``seal`` is empty for a secret kept in clear in the transcript.

    ``kind`` is a word of the game (``bid``, ``trait``, ``token``), ``subject`` what it is about.
    """

    slot: str
    player: str
    kind: str
    step: int
    session: int
    seal: str = ""
    value: str = ""
    subject: str = ""
    revealed: int = 0
    proof: Proof = Proof.STATED


class Slots(dict[str, T]):
    """What stands under ids. It remembers by which words of the log it was asked for: those have to
    read otherwise where an id may not be seen."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Word] = []

    def __contains__(self, id: object) -> bool:
        self._hear(id)
        return super().__contains__(id)

    def __getitem__(self, id: str) -> T:
        self._hear(id)
        return super().__getitem__(id)

    if not TYPE_CHECKING:

        def get(self, id: str, default: T | None = None) -> T | None:
            self._hear(id)
            return super().get(id, default)

    def _hear(self, id: object) -> None:
        if isinstance(id, Word) and id.line:
            self.asked.append(id)


class Vault:
    """All secrets of a campaign by slot (the ``id`` of the entry that made them)."""

    def __init__(self) -> None:
        self.secrets: Slots[Secret] = Slots()

    def keep(self, secret: Secret) -> None:
        """Put a secret away."""
        self.secrets[secret.slot] = secret

    def unrevealed(self) -> list[Secret]:
        """What is still secret, in the order it was made."""
        return [secret for secret in self.secrets.values() if not secret.revealed]


def well_formed(seal: str) -> bool:
    """Whether a text looks like a seal."""
    return re.match(_SEAL, seal) is not None


def seal_of(opening: str) -> str:
    """The seal over an opening, taken verbatim as UTF-8."""
    import hashlib

    return "sha256:" + hashlib.sha256(opening.encode("utf-8")).hexdigest()


def make_opening(session: int, slot: str, player: str, kind: str, value: str) -> str:
    """A new opening with fresh salt: the line its owner keeps and shows at the reveal."""
    import json
    import secrets as random_bytes

    salt = random_bytes.token_hex(SALT_BYTES)
    return json.dumps([VERSION, session, slot, player, kind, value, salt], ensure_ascii=False)


class Opening(NamedTuple):
    """The parts of an opening."""

    session: int
    slot: str
    player: str
    kind: str
    value: str


def read_opening(text: str) -> Opening | None:
    """The parts of an opening, or None if it is not one."""
    import json

    # One flat list: what lies in each other without end would end a browser.
    if not re.fullmatch(_FLAT, text):
        return None
    try:
        parts = json.loads(text)
    except ValueError:
        return None
    match parts:
        case [str(version), int(session), str(slot), str(player), str(kind), str(value), str(salt)]:
            if version == VERSION and re.match(_SALT, salt) and not isinstance(session, bool):
                return Opening(session, slot, player, kind, value)
    return None


def reworded(opening: str, reword: Callable[[str], str]) -> str:
    """An opening in other words, for readers who may not see a name in it: what it says is the same, its
    salt another, so that nobody can try names on the seal of the first one."""
    import hashlib
    import json

    parts = read_opening(opening)
    if parts is None:
        return reword(opening)
    words = [parts.slot, parts.player, parts.kind, parts.value]
    told = [reword(word) for word in words]
    if told == words:
        return opening
    salt = hashlib.sha256(str(json.loads(opening)[-1]).encode("utf-8")).hexdigest()
    return json.dumps([VERSION, parts.session, *told, salt[: 2 * SALT_BYTES]], ensure_ascii=False)
