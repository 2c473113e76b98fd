"""Secrets by commitment: sealed first, opened later, verified then.

A seal is ``sha256:`` and the digest of one line, the *opening*: a JSON array of version tag, session, slot,
player, kind, value and a salt. The line is hashed as written, never a re-serialisation of it. The vault
gives out no secret before it is revealed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from chronicle.core.source import ScalarNode
from chronicle.core.timeline import StepNumber
from chronicle.core.word_enum import WordEnum

T = TypeVar("T")

SEAL_FORMAT = "chronicle-seal-1"
SALT_BYTES = 16

_SEAL_PATTERN = r"sha256:[0-9a-f]{64}\Z"
_SALT_PATTERN = rf"[0-9a-f]{{{2 * SALT_BYTES},}}\Z"
_JSON_ITEM = r'[ \t\r\n]*+(?:"(?:[^"\\]|\\.)*+"|[^][{}",\s]++)[ \t\r\n]*+'
_FLAT_LIST = rf"[ \t\r\n]*+\[{_JSON_ITEM}(?:,{_JSON_ITEM})*+\][ \t\r\n]*+"


class Proof(WordEnum):
    """How well a claim about a secret is proven."""

    STATED = "stated"
    """Only the log says so: it was written down at the reveal, or the keeper stored it in clear text."""
    SEALED = "sealed"
    """The log had a seal before, and the opening matches it."""


@dataclass(slots=True, eq=False)
class Secret:
    """A secret in the log. ``seal`` is empty for a secret that the transcript has in clear text.

    ``kind`` is a word of the game (``bid``, ``trait``, ``token``), ``subject`` the id of its subject."""

    secret_id: str
    player: str
    kind: str
    step_number: int
    session: int
    seal: str = ""
    value: str = ""
    subject: str = ""
    revealed_by: StepNumber = 0
    proof: Proof = Proof.STATED


class RecordingDict(dict[str, T]):
    """A mapping by ids that records the words of the log it was looked up with: readers must see other words
    for an id that is secret."""

    def __init__(self) -> None:
        super().__init__()
        self.looked_up_words: list[ScalarNode] = []

    def __contains__(self, secret_id: object) -> bool:
        self._record_lookup(secret_id)
        return super().__contains__(secret_id)

    def __getitem__(self, secret_id: str) -> T:
        self._record_lookup(secret_id)
        return super().__getitem__(secret_id)

    if not TYPE_CHECKING:

        def get(self, secret_id: str, default: T | None = None) -> T | None:
            self._record_lookup(secret_id)
            return super().get(secret_id, default)

    def _record_lookup(self, secret_id: object) -> None:
        if isinstance(secret_id, ScalarNode) and secret_id.line:
            self.looked_up_words.append(secret_id)


class Vault:
    """All secrets of a campaign by slot (the id of the entry that made them)."""

    def __init__(self) -> None:
        self.secrets: RecordingDict[Secret] = RecordingDict()

    def store(self, secret: Secret) -> None:
        """Store a secret."""
        self.secrets[secret.secret_id] = secret

    def unrevealed(self) -> list[Secret]:
        """The secrets that are not revealed, in the order they were made."""
        return [secret for secret in self.secrets.values() if not secret.revealed_by]


def is_seal(seal: str) -> bool:
    """Whether a text has the form of a seal."""
    return re.match(_SEAL_PATTERN, seal) is not None


def seal_of(opening_line: str) -> str:
    """The seal of an opening, taken verbatim as UTF-8."""
    import hashlib

    return "sha256:" + hashlib.sha256(opening_line.encode("utf-8")).hexdigest()


def make_opening(session: int, secret_id: str, player: str, kind: str, secret_value: str) -> str:
    """A new opening with a new salt: the line that its owner keeps and shows at the reveal."""
    import json
    import secrets as random_bytes

    salt = random_bytes.token_hex(SALT_BYTES)
    return json.dumps(
        [SEAL_FORMAT, session, secret_id, player, kind, secret_value, salt], ensure_ascii=False
    )


class Opening(NamedTuple):
    """The parts of an opening."""

    session: int
    secret_id: str
    player: str
    kind: str
    value: str


def read_opening(opening_line: str) -> Opening | None:
    """The parts of an opening, or None if it is no opening."""
    import json

    # Only a flat list: deep nesting could crash a browser.
    if not re.fullmatch(_FLAT_LIST, opening_line):
        return None
    try:
        opening_parts = json.loads(opening_line)
    except ValueError:
        return None
    match opening_parts:
        case [
            str(version),
            int(session),
            str(secret_id),
            str(player),
            str(kind),
            str(value),
            str(salt),
        ]:
            if (
                version == SEAL_FORMAT
                and re.match(_SALT_PATTERN, salt)
                and not isinstance(session, bool)
            ):
                return Opening(session, secret_id, player, kind, value)
    return None


def reword_opening(opening_line: str, reword: Callable[[str], str]) -> str:
    """An opening in other words, for readers who may not see a name in it. It has another salt, so that a
    reader cannot test names against the original seal."""
    import hashlib
    import json

    opening = read_opening(opening_line)
    if opening is None:
        return reword(opening_line)
    opening_words = [
        opening.secret_id,
        opening.player,
        opening.kind,
        opening.value,
    ]
    new_words = [reword(word) for word in opening_words]
    if new_words == opening_words:
        return opening_line
    new_salt = hashlib.sha256(str(json.loads(opening_line)[-1]).encode("utf-8")).hexdigest()
    return json.dumps(
        [SEAL_FORMAT, opening.session, *new_words, new_salt[: 2 * SALT_BYTES]],
        ensure_ascii=False,
    )
