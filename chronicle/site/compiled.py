"""Templates that are compiled once a process, not once a site."""

from __future__ import annotations

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class Compiled(BytecodeCache):
    """Compiled templates of one kind of environment, kept in memory; one that changed is compiled again."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket from memory, if its template is there and unchanged."""
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what has been compiled."""
        self._kept[bucket.key] = bucket.bytecode_to_string()
