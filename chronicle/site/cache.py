"""The cache of builds: results by the content of their inputs."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")
CacheKey = tuple[Hashable, ...]
"""The kind of a result, and its name within the kind."""


class BuildCache:
    """Keeps the results of builds with their inputs. A result is made again only if its inputs differ.

    Inputs are any comparable values. The cache keeps them whole and not as hashes: a comparison ends at the
    first difference, and immediately if both are the same object.
    """

    def __init__(self) -> None:
        self._inputs_and_results: dict[CacheKey, tuple[object, Any]] = {}

    def find_result(self, cache_key: CacheKey, inputs: object) -> Any:
        """Return what was made under a name of the same inputs; None if they were others."""
        inputs_and_result = self._inputs_and_results.get(cache_key)
        return (
            inputs_and_result[1]
            if inputs_and_result is not None and inputs_and_result[0] == inputs
            else None
        )

    def last_result(self, cache_key: CacheKey) -> Any:
        """Return what was made last under a name, of any inputs; None if nothing was."""
        inputs_and_result = self._inputs_and_results.get(cache_key)
        return None if inputs_and_result is None else inputs_and_result[1]

    def keep_result(self, cache_key: CacheKey, inputs: object, result: T) -> T:
        """Keep a value in place of what was made under this name before, and return it."""
        self._inputs_and_results[cache_key] = inputs, result
        return result

    def find_or_make(self, cache_key: CacheKey, inputs: object, make_result: Callable[[], T]) -> T:
        """Return what was made of the same inputs, or make it now."""
        cached_result: T | None = self.find_result(cache_key, inputs)
        return (
            self.keep_result(cache_key, inputs, make_result())
            if cached_result is None
            else cached_result
        )

    def forget(self, *, kept_kind: str = "") -> None:
        """Forget all results, ``kept_kind`` those of one kind."""
        self._inputs_and_results = {
            cache_key: inputs_and_result
            for cache_key, inputs_and_result in self._inputs_and_results.items()
            if cache_key[0] == kept_kind
        }
