"""Which entries are played: what stays as it was is not played again."""

from __future__ import annotations

from typing import Any

import pytest

from chronicle.core.declare import Action
from chronicle.core.replay import Replay


def counted(patched: pytest.MonkeyPatch) -> list[Action]:
    """Every action that is played from now on."""
    played: list[Action] = []
    do = Replay.do

    def noted(replay: Replay[Any], action: Action) -> Any:
        played.append(action)
        return do(replay, action)

    patched.setattr(Replay, "do", noted)
    return played
