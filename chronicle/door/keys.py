"""Access to the server: a link that works once, the key that replaces it, a code to type."""

from __future__ import annotations

import secrets
from hmac import compare_digest
from typing import Final

MAX_WRONG_CREDENTIALS: Final = 10
"""The number of wrong keys and codes after which the code changes."""
MAX_KEYS: Final = 64
"""The number of valid keys of keepers, and of guests. A new key makes the oldest invalid."""


class Keys:
    """The keys of one server. A visitor shows a token or a code and gets a key, which is valid until the server
    ends. Tokens, codes and keys are never written to a file."""

    def __init__(self) -> None:
        self._is_guest_by_token: dict[str, bool] = {}
        self._is_guest_by_key: dict[str, bool] = {}
        self._code = ""
        self._wrong_count = 0

    def token(self, *, is_guest: bool = False) -> str:
        """Create a token for one desk. It works once."""
        token = secrets.token_urlsafe(24)
        self._is_guest_by_token[token] = is_guest
        return token

    def code(self) -> str:
        """The code for guests. It works any number of times, and changes after too many wrong keys and codes."""
        if not self._code:
            self._code = f"{secrets.randbelow(10**8):08}"
        return self._code

    def enter(self, credential: str) -> tuple[str, bool] | None:
        """Exchange a token, a key or a code for a key, and say whether it is a guest's. None if it is wrong."""
        for key, is_guest in self._is_guest_by_key.items():
            if _is_same(key, credential):
                return key, is_guest
        known_token = next(
            (token for token in self._is_guest_by_token if _is_same(token, credential)), None
        )
        if known_token is not None:
            return self._new_key(self._is_guest_by_token.pop(known_token))
        if self._code and _is_same(self._code, credential.replace(" ", "")):
            return self._new_key(is_guest=True)
        self._wrong_count += 1
        if self._wrong_count >= MAX_WRONG_CREDENTIALS:
            self._wrong_count, self._code = 0, ""
        return None

    def _new_key(self, is_guest: bool) -> tuple[str, bool]:
        key = secrets.token_urlsafe(24)
        self._is_guest_by_key[key] = is_guest
        # Keepers and guests are counted separately: guests cannot push out the key of a keeper.
        keys_of_kind = [
            key for key, key_is_guests in self._is_guest_by_key.items() if key_is_guests == is_guest
        ]
        for old_key in keys_of_kind[:-MAX_KEYS]:
            del self._is_guest_by_key[old_key]
        return key, is_guest


def _is_same(secret: str, credential: str) -> bool:
    return compare_digest(secret.encode(), credential.encode("utf-8", "surrogatepass"))
