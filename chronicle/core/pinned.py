"""The file that says what a version of Chronicle made of a campaign: where it is, which version wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

PIN_FILE: Final = "chronicle.pin"
FORMAT: Final = 1
"""The format of that file."""
_MOST: Final = 50_000_000


class Unpinned(Exception):
    """There is no pin, or none that can be read."""


def read_pin(folder: Path) -> dict[str, Any]:
    """What a pin says.

    Raises:
        Unpinned: when there is none, or none that can be read; the message says why.
    """
    import json

    file = folder / PIN_FILE
    try:
        if not file.exists():
            raise Unpinned("this campaign is not pinned")
        if file.stat().st_size > _MOST:
            raise Unpinned(f"{PIN_FILE} is too large to be a pin")
        pin = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise Unpinned(f"{PIN_FILE} cannot be read") from None
    if not _whole(pin):
        raise Unpinned(f"{PIN_FILE} is no pin, or one of a newer Chronicle")
    found: dict[str, Any] = pin
    return found


def _whole(pin: Any) -> bool:
    if (
        not isinstance(pin, dict)
        or pin.get("pin") != FORMAT
        or not isinstance(pin.get("sessions"), list)
    ):
        return False
    if not isinstance(pin.get("chronicle"), str) or not isinstance(pin.get("given"), str):
        return False
    for one in pin["sessions"]:
        if not isinstance(one, dict) or not {"file", "text", "findings", "scenes"} <= one.keys():
            return False
        findings, scenes = one["findings"], one["scenes"]
        if not isinstance(findings, list) or not isinstance(scenes, list):
            return False
        if not all(
            isinstance(each, list)
            and len(each) == 2
            and isinstance(each[0], int)
            and isinstance(each[1], str)
            for each in findings
        ):
            return False
        for scene in scenes:
            if not isinstance(scene, dict) or not isinstance(scene.get("line"), int):
                return False
            figures = scene.get("figures")
            if not isinstance(figures, dict) or not all(
                isinstance(each, dict) and all(isinstance(value, str) for value in each.values())
                for each in figures.values()
            ):
                return False
    return True


def pinned_with(folder: Path) -> str:
    """The version that pinned a campaign; empty where none did, or its pin cannot be read; ``?`` where it
    is no whole pin."""
    if not (folder / PIN_FILE).exists():
        return ""
    try:
        return str(read_pin(folder)["chronicle"])
    except Unpinned:
        return "?"
