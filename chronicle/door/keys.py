"""Access to the server: a link that works once, the key that replaces it, a code to type."""

from __future__ import annotations

import secrets
from hmac import compare_digest
from typing import Final

MOST_WRONG: Final = 10
"""The number of wrong keys and codes after which the code changes."""
MOST_KEYS: Final = 64
"""The number of valid keys of keepers, and of guests. A new key makes the oldest invalid."""


class Keys:
    """The keys of one server. A visitor shows a token or a code and gets a key, which is valid until the server
    ends. Tokens, codes and keys are never written to a file."""

    def __init__(self) -> None:
        self._tokens: dict[str, bool] = {}
        self._keys: dict[str, bool] = {}
        self._code = ""
        self._wrong = 0

    def token(self, *, guest: bool = False) -> str:
        """Create a token for one desk. It works once."""
        token = secrets.token_urlsafe(24)
        self._tokens[token] = guest
        return token

    def code(self) -> str:
        """The code for guests. It works any number of times, and changes after too many wrong keys and codes."""
        if not self._code:
            self._code = f"{secrets.randbelow(10**8):08}"
        return self._code

    def enter(self, word: str) -> tuple[str, bool] | None:
        """Exchange a token, a key or a code for a key, and say whether it is a guest's. None if it is wrong."""
        for key, guest in self._keys.items():
            if _is_same(key, word):
                return key, guest
        match = next((token for token in self._tokens if _is_same(token, word)), None)
        if match is not None:
            return self._new_key(self._tokens.pop(match))
        if self._code and _is_same(self._code, word.replace(" ", "")):
            return self._new_key(guest=True)
        self._wrong += 1
        if self._wrong >= MOST_WRONG:
            self._wrong, self._code = 0, ""
        return None

    def _new_key(self, guest: bool) -> tuple[str, bool]:
        key = secrets.token_urlsafe(24)
        self._keys[key] = guest
        # Keepers and guests are counted separately: guests cannot push out the key of a keeper.
        keys_of_kind = [key for key, of_guest in self._keys.items() if of_guest == guest]
        for oldest in keys_of_kind[:-MOST_KEYS]:
            del self._keys[oldest]
        return key, guest


def _is_same(key: str, word: str) -> bool:
    return compare_digest(key.encode(), word.encode("utf-8", "surrogatepass"))
