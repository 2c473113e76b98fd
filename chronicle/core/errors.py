"""The error for requests that cannot be fulfilled although the program works correctly."""

from __future__ import annotations


class Refused(Exception):
    """A request that cannot be fulfilled: the message names the reason, ``help`` says what to do. The
    command line shows both and exits with status 2; it does not report a fault of Chronicle."""

    help: tuple[str, ...] = ()
