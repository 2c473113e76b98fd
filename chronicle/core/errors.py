"""The error for requests that cannot be fulfilled although the program works correctly."""

from __future__ import annotations

from collections.abc import Callable


class Refused(Exception):
    """A request that cannot be fulfilled: the message names the reason, ``help`` says what to do. The
    command line shows both and exits with status 2; it does not report a fault of Chronicle."""

    help: tuple[str, ...] = ()


class GameCodeError(LookupError):
    """A mistake in the code of a game that shows only after the code has returned. ``function`` is the one that
    returned a wrong value."""

    def __init__(self, message: str, function: Callable[..., object]) -> None:
        super().__init__(message)
        self.function = function


class GameTextError(ValueError):
    """A mistake in a text of a game, such as its rules. ``line`` is the line of the text with the mistake."""

    def __init__(self, message: str, line: str) -> None:
        super().__init__(message)
        self.line = line
