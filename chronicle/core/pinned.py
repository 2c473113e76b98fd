"""The file that says what a version of Chronicle made of a campaign: where it is, which version wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from chronicle.core.intake import lies_at, read_file
from chronicle.core.jsons import read_json

PIN_FILE: Final = "chronicle.pin"
FORMAT: Final = 1
"""The format of that file."""
_MOST: Final = 50_000_000
_SCENE: Final = {"line": int, "figures": {"*": {"*": str}}}
_SESSION: Final = {"file": str, "text": str, "findings": [(int, str)], "scenes": [_SCENE]}
_PIN: Final = {"pin": int, "chronicle": str, "given": str, "sessions": [_SESSION]}


class Unpinned(Exception):
    """There is no pin, or none that can be read."""


def pin_of(folder: Path) -> Path:
    """Where a campaign is pinned.

    Raises:
        Unpinned: when a link there leads out of the campaign: nothing is read or written through it.
    """
    file = folder / PIN_FILE
    if not lies_at(file).is_relative_to(lies_at(folder)):
        raise Unpinned(f"{PIN_FILE} is a link that leaves the campaign folder: take it out")
    return file


def read_pin(folder: Path) -> dict[str, Any]:
    """What a pin says.

    Raises:
        Unpinned: when there is none, or none that can be read; the message says why.
    """
    file = pin_of(folder)
    try:
        if not file.exists():
            raise Unpinned("this campaign is not pinned")
        pin = read_json(read_file(file, _MOST))
    except (OSError, ValueError):
        raise Unpinned(f"{PIN_FILE} cannot be read") from None
    if not _fits(pin, _PIN) or pin["pin"] != FORMAT:
        raise Unpinned(f"{PIN_FILE} is no pin, or one of a newer Chronicle")
    found: dict[str, Any] = pin
    return found


def _fits(value: Any, shape: Any) -> bool:
    """Whether something read has a shape: a type, ``[of each]``, ``(of the first, ...)``, or ``{key: of its
    value}``, where ``*`` stands for any key."""
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(
            _fits(one, inner)
            for key, inner in shape.items()
            for one in (value.values() if key == "*" else [value.get(key)])
        )
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(one, shape[0]) for one in value)
    if isinstance(shape, tuple):
        return _fits(value, [object]) and len(value) == len(shape) and all(map(_fits, value, shape))
    return isinstance(value, shape)


def pinned_with(folder: Path) -> str:
    """The version that pinned a campaign; empty where none did, or its pin cannot be read; ``?`` where it
    is no whole pin."""
    if not (folder / PIN_FILE).exists():
        return ""
    try:
        return str(read_pin(folder)["chronicle"])
    except Unpinned:
        return "?"
