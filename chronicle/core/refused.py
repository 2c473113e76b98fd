"""What cannot be done for a reason that is no fault of the program."""

from __future__ import annotations


class Refused(Exception):
    """Something that was asked for cannot be done: the message says what is in the way, ``help`` what
    to do about it. The command line shows both and ends with 2; it is never called a fault."""

    help: tuple[str, ...] = ()
