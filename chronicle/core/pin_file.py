"""The pin file: the results of a campaign as one version of Chronicle computed them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from chronicle.core.file_reading import read_file, real_path
from chronicle.core.untrusted_json import read_json

PIN_FILE: Final = "chronicle.pin"
PIN_FORMAT: Final = 1
"""The version of the format of the pin file."""
_MAX_PIN_BYTES: Final = 50_000_000
_SCENE_SHAPE: Final = {"line": int, "figures": {"*": {"*": str}}}
_SESSION_SHAPE: Final = {
    "file": str,
    "text": str,
    "findings": [(int, str)],
    "scenes": [_SCENE_SHAPE],
}
_PIN_SHAPE: Final = {"pin": int, "chronicle": str, "given": str, "sessions": [_SESSION_SHAPE]}


class Unpinned(Exception):
    """There is no pin file, or it cannot be read."""


def pin_path(folder: Path) -> Path:
    """The path of a campaign's pin file.

    Raises:
        Unpinned: if it is a link that leads out of the campaign.
    """
    pin_file = folder / PIN_FILE
    if not real_path(pin_file).is_relative_to(real_path(folder)):
        raise Unpinned(f"{PIN_FILE} is a link that leaves the campaign folder: take it out")
    return pin_file


def read_pin(folder: Path) -> dict[str, Any]:
    """The contents of a pin file.

    Raises:
        Unpinned: if there is none, or it cannot be read; the message says why.
    """
    pin_file = pin_path(folder)
    try:
        if not pin_file.exists():
            raise Unpinned("this campaign is not pinned")
        pin_data = read_json(read_file(pin_file, _MAX_PIN_BYTES))
    except (OSError, ValueError):
        raise Unpinned(f"{PIN_FILE} cannot be read") from None
    if not _has_shape(pin_data, _PIN_SHAPE) or pin_data["pin"] != PIN_FORMAT:
        raise Unpinned(f"{PIN_FILE} is no pin, or one of a newer Chronicle")
    contents: dict[str, Any] = pin_data
    return contents


def _has_shape(value: Any, expected_shape: Any) -> bool:
    """Whether data has a shape: a type, ``[shape of each item]``, ``(shape of the first, ...)``, or ``{key:
    shape of its value}``, where ``*`` means any key."""
    if isinstance(expected_shape, dict):
        return isinstance(value, dict) and all(
            _has_shape(item_value, item_shape)
            for key, item_shape in expected_shape.items()
            for item_value in (value.values() if key == "*" else [value.get(key)])
        )
    if isinstance(expected_shape, list):
        return isinstance(value, list) and all(
            _has_shape(item_value, expected_shape[0]) for item_value in value
        )
    if isinstance(expected_shape, tuple):
        return (
            _has_shape(value, [object])
            and len(value) == len(expected_shape)
            and all(map(_has_shape, value, expected_shape))
        )
    return isinstance(value, expected_shape)


def pinned_version(folder: Path) -> str:
    """The version that pinned a campaign; empty without a readable pin, ``?`` for an invalid one."""
    if not (folder / PIN_FILE).exists():
        return ""
    try:
        return str(read_pin(folder)["chronicle"])
    except Unpinned:
        return "?"
