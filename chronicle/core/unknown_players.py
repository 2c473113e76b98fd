"""Names that no player has: what they are instead, and the fixes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from chronicle.core.diagnostic import with_article
from chronicle.core.fix import Fix, add_player
from chronicle.core.names import PLAYER, Named
from chronicle.core.source import ScalarNode


def explain_no_player(
    look_up: Callable[[ScalarNode, Collection[str]], Named | None],
    typed_name: ScalarNode,
    kinds: Collection[str],
    message: str,
    fixes: Sequence[Fix],
) -> tuple[str, Sequence[Fix]]:
    """Add to the message about an unknown name and its fixes what holds where only a player may be named."""
    if {*kinds} != {PLAYER}:
        return message, fixes
    other_subject = look_up(typed_name, ())
    if other_subject is None:
        return message, (*fixes, add_player(typed_name))
    return (
        f"no player '{typed_name}': {other_subject.name} is {with_article(other_subject.kind)}",
        fixes,
    )
