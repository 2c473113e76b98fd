"""Who may come in: a link that works once, the key that takes its place, a code to type."""

from __future__ import annotations

import secrets
from hmac import compare_digest
from typing import Final

MOST_WRONG: Final = 10
"""How many wrong keys and codes are borne before codes change."""
MOST_KEYS: Final = 64
"""How many keys of keepers, and how many of guests, are good at once; after that the oldest is not."""


class Keys:
    """The keys of one server. A token or a code lets somebody in and gives them a key, which goes on
    working until the server ends; none of them is ever written down."""

    def __init__(self) -> None:
        self._tokens: dict[str, bool] = {}
        self._keys: dict[str, bool] = {}
        self._code = ""
        self._wrong = 0

    def token(self, *, guest: bool = False) -> str:
        """A new token, which lets one desk in, once."""
        token = secrets.token_urlsafe(24)
        self._tokens[token] = guest
        return token

    def code(self) -> str:
        """The code with which guests come in, as often as they like; another one after too many wrong
        ones."""
        if not self._code:
            self._code = f"{secrets.randbelow(10**8):08}"
        return self._code

    def enter(self, word: str) -> tuple[str, bool] | None:
        """The key for a token, a key or a code, and whether it is a guest's; None if it is wrong."""
        for key, guest in self._keys.items():
            if _same(key, word):
                return key, guest
        found = next((token for token in self._tokens if _same(token, word)), None)
        if found is not None:
            return self._new(self._tokens.pop(found))
        if self._code and _same(self._code, word.replace(" ", "")):
            return self._new(guest=True)
        self._wrong += 1
        if self._wrong >= MOST_WRONG:
            self._wrong, self._code = 0, ""
        return None

    def _new(self, guest: bool) -> tuple[str, bool]:
        key = secrets.token_urlsafe(24)
        self._keys[key] = guest
        # A guest who comes in again and again takes no keeper's key away.
        alike = [one for one, of_guest in self._keys.items() if of_guest == guest]
        for oldest in alike[:-MOST_KEYS]:
            del self._keys[oldest]
        return key, guest


def _same(one: str, other: str) -> bool:
    return compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
