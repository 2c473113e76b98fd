"""Some of many parameters for `make test`, and all of them for `make slow` and .ci/run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some(values: Iterable[Any], count: int = 1) -> list[Any]:
    """Mark all but the first values of a parameter as slow.

    Args:
        values: The values of the parameter; none of them is a ``pytest.param``.
        count: Number of values that `make test` tries, too.

    Returns:
        The same values, in the same order.
    """
    return [
        value if n < count else pytest.param(value, marks=pytest.mark.slow)
        for n, value in enumerate(values)
    ]
