"""Names of new things: no two things of one sort have the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.field_types import NAME, FieldType, InRole, is_unrecorded
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode

if TYPE_CHECKING:
    from chronicle.core.game_context import GameContext


class NewName(InRole[ScalarNode]):
    """The kind of a name that nothing of its sort has yet."""

    def __init__(self, sort: str, rule: str) -> None:
        super().__init__("", NAME)
        self.sort, self.rule = sort, rule


def new_name(sort: str, rule: str) -> FieldType[ScalarNode]:
    """Declare that a value is the name of something new: ``main(new_name("lantern", "L2"), "its name")``. A name that
    something of this sort has already is reported; letter case makes no difference.

    Args:
        sort: what it is, as in ``names.add``.
        rule: the id of the rule under which a second one is reported.

    Raises:
        TypeError: if the arguments are of other types.
    """
    sort_and_rule: tuple[object, object] = (sort, rule)
    if not all(isinstance(argument, str) for argument in sort_and_rule):
        raise TypeError('write the sort first, then the rule:  new_name("lantern", "L2")')
    return NewName(sort, rule)


def check_new_names(play: GameContext[Any], action: Action) -> None:
    """Report each name of an entry that should be new, and is not."""
    for attribute, name_type in _new_name_fields(action):
        typed_name = getattr(action, attribute)
        if typed_name is None or is_unrecorded(typed_name):
            continue
        folded_name = fold(typed_name)
        namesake = next(
            (
                subject
                for subject in play.names.all.values()
                if subject.kind == name_type.sort and fold(subject.name) == folded_name
            ),
            None,
        )
        if namesake is not None:
            play.report(
                DiagnosticKind.ILLEGAL,
                name_type.rule,
                f"there is a {name_type.sort} {namesake.name} already",
                at=typed_name,
                help="write another name, or add a word to this one",
                is_certain=True,
            )


def _new_name_fields(action: Action) -> tuple[tuple[str, NewName], ...]:
    """The keys of an entry that name something new: attribute and kind."""
    verb_fields = (*((action.main,) if action.main is not None else ()), *action.fields.values())
    return tuple(
        (field.attribute, field.kind) for field in verb_fields if isinstance(field.kind, NewName)
    )
