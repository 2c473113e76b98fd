"""What a rule of the table's own may compute."""

from __future__ import annotations

from typing import Final

from chronicle.core.formula import YES_NO
from chronicle.core.house_rules import SUBJECT_NAME, ExtensionPoint, FormulaName

START: Final = ExtensionPoint(
    "start pool",
    "the dice of the Conflict Pool that a Gladiator starts with",
    ("F9",),
    {"who": SUBJECT_NAME},
)
THRESHOLD: Final = ExtensionPoint(
    "threshold value",
    "the Threshold Value of a Layer, as it opens",
    ("F23",),
    {
        "layer": FormulaName(
            "how many Layers were opened, with the new Layer", lambda play, layer: layer
        )
    },
    least=1,
    most=99,
)
ONE: Final = ExtensionPoint(
    "one",
    "whether a die counts as a one",
    ("F24", "F50"),
    {"face": FormulaName("what the die shows", lambda play, face: face)},
    value_type=YES_NO,
)
POINTS: Final = (START, THRESHOLD, ONE)
