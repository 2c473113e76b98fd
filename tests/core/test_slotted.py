"""Classes that are nothing but their annotated names: filled as a dataclass is."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from chronicle.core.slotted import field, fields, is_slotted, replace, slotted


@slotted
class Purse:
    """Whose, how much, and what for."""

    owner: str
    coins: int = 5
    spent: list[str] = field(default_factory=list)
    _known: set[str] = field(default_factory=set, init=False)
    late: dict[str, int] = field(init=False)

    def __getattr__(self, name: str) -> Any:
        if name != "late":
            raise AttributeError(name)
        self.late = {"owed": 1}
        return self.late


@slotted
class Locked(Purse):
    """One that nothing is taken from."""

    key: str = "none"


@dataclasses.dataclass(slots=True, eq=False)
class Plain:
    """What :mod:`dataclasses` makes of the same names."""

    owner: str
    coins: int = 5
    spent: list[str] = dataclasses.field(default_factory=list)


@pytest.mark.parametrize("kind", [Purse, Locked])
@pytest.mark.parametrize(
    ("given", "named"),
    [(("Mara",), {}), (("Mara", 3), {}), (("Mara",), {"spent": ["a mill"]}), ((), {"owner": "J"})],
)
def test_it_is_filled_as_a_dataclass_is(
    kind: type[Purse], given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    one, other = kind(*given, **named), Plain(*given, **named)
    assert (one.owner, one.coins, one.spent) == (other.owner, other.coins, other.spent)


@pytest.mark.parametrize("given", [((), {}), (("Mara",), {"_known": {1}}), (("Mara",), {"x": 1})])
def test_what_cannot_be_filled_is_refused(given: tuple[tuple[Any, ...], dict[str, Any]]) -> None:
    with pytest.raises(TypeError):
        Purse(*given[0], **given[1])


def test_nothing_is_shared_and_nothing_else_fits() -> None:
    one, other = Purse("Mara"), Purse("Mara")
    one.spent.append("a mill")
    assert other.spent == [] and one != other
    with pytest.raises(AttributeError):
        one.colour = "red"  # type: ignore[attr-defined]
    assert not hasattr(one, "__dict__")


def test_a_slot_stays_empty_until_the_class_fills_it() -> None:
    assert Purse("Mara").late == {"owed": 1}


def test_its_names_are_told_in_order_with_those_of_what_it_derives_from() -> None:
    assert [*fields(Locked("Mara"))] == ["owner", "coins", "spent", "_known", "late", "key"]
    assert is_slotted(Locked) and not is_slotted(Plain)


def test_one_more_with_something_changed_is_of_the_same_kind() -> None:
    one = Locked("Mara", 3, key="brass")
    more = replace(one, coins=4)
    assert type(more) is Locked
    assert (more.owner, more.coins, more.key, one.coins) == ("Mara", 4, "brass", 3)
    assert more.spent is one.spent
