"""What a rule of the table's own may compute."""

from __future__ import annotations

from typing import Final

from chronicle.core.house_rules import SUBJECT_NAME, ExtensionPoint, FormulaName

_SEGMENT: Final = FormulaName(
    "the number of the Segment",
    lambda play, *_: play.state.segment.number if play.state.segment is not None else 1,
)
TARGET: Final = ExtensionPoint(
    "target number",
    "what a spy's Job dice must show, or less",
    ("S12.4",),
    {"who": SUBJECT_NAME, "segment": _SEGMENT},
    most=12,
)
TOKENS: Final = ExtensionPoint(
    "handler tokens", "the Fleur-de-Lis tokens that are laid before the Handler", ("S1.6",), most=20
)
PERSISTENT: Final = ExtensionPoint(
    "ignored dice",
    "the persistent Agency dice that a spy gains by ignoring the Agency",
    ("S14.7c",),
    {"who": SUBJECT_NAME, "segment": _SEGMENT},
    most=20,
)
POINTS: Final = (TARGET, TOKENS, PERSISTENT)
