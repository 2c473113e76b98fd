"""Everything that a desk will import, imported, so that a memory can be kept in which it is."""

from __future__ import annotations

from chronicle.desk.device import Device as Device
from chronicle.games import GAMES, rulebook


def warmed() -> None:
    """Import the desk and every game."""
    for name in GAMES:
        rulebook(name)
