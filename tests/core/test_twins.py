"""Twins share what has not changed, are left alone by what changes later, and lead back."""

from __future__ import annotations

from typing import Any

import pytest

from chronicle.core.flat import FlatMap
from chronicle.core.packed import Packed
from chronicle.core.slotted import field, fields, slotted
from chronicle.core.twins import NoTwin, back, twin


@slotted
class Leaf:
    text: str
    copies: int = 1
    history: list[tuple[int, str]] = field(default_factory=list)
    marks: tuple[str, ...] = ()


@slotted
class Tree:
    name: str
    leaves: dict[str, Leaf] = field(default_factory=dict)
    order: list[Leaf] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    groups: dict[str, list[str]] = field(default_factory=dict)
    about: Any = None


class Index:
    def __init__(self) -> None:
        self.all: FlatMap[str, Leaf] = FlatMap()
        self.words: dict[str, list[str]] = {}


def _wood() -> tuple[dict[str, Tree], Index]:
    index = Index()
    index.all["one"] = Leaf("one")
    index.words["one"] = ["one"]
    trees = {
        name: Tree(
            name,
            {"a": Leaf("a", history=[(1, "grows")]), "b": Leaf("b")},
            [Leaf("first"), Leaf("last")],
            [1, 2],
            {name},
            {"both": ["a", "b"]},
            (Leaf("apart"), "told"),
        )
        for name in ("ash", "elm", "oak")
    }
    return trees, index


def _said(one: Any) -> Any:
    """All that something holds, in order, to be held against another."""
    if isinstance(one, dict):
        return type(one), [(key, _said(value)) for key, value in one.items()]
    if isinstance(one, list | tuple):
        return type(one), [_said(value) for value in one]
    if isinstance(one, Leaf | Tree):
        return type(one), [_said(getattr(one, name)) for name in fields(one)]
    if isinstance(one, set):
        return {*one}
    return _said(vars(one)) if isinstance(one, Index) else one


def _swap(wood: Any) -> None:
    leaves = wood[0]["elm"].leaves
    leaves["a"] = leaves.pop("a")


CHANGES: dict[str, Any] = {
    "a word": lambda wood: setattr(wood[0]["elm"], "name", "yew"),
    "a figure further down": lambda wood: setattr(wood[0]["elm"].leaves["a"], "copies", 2),
    "a tuple": lambda wood: setattr(wood[0]["elm"].leaves["a"], "marks", ("burnt",)),
    "a list of tuples": lambda wood: wood[0]["elm"].leaves["a"].history.append((2, "falls")),
    "a list, shorter": lambda wood: wood[0]["elm"].steps.pop(),
    "a set": lambda wood: wood[0]["elm"].taken.add("yew"),
    "a list in a dictionary": lambda wood: wood[0]["elm"].groups["both"].remove("a"),
    "a thing in a list": lambda wood: setattr(wood[0]["elm"].order[1], "copies", 3),
    "a list of things, shorter": lambda wood: wood[0]["elm"].order.pop(),
    "a list of things, longer": lambda wood: wood[0]["elm"].order.append(Leaf("more")),
    "a thing in a tuple": lambda wood: setattr(wood[0]["elm"].about[0], "copies", 3),
    "a thing in place of another": lambda wood: wood[0]["elm"].leaves.update(a=Leaf("a")),
    "the order alone": _swap,
    "a new one": lambda wood: wood[0].update(yew=Tree("yew")),
    "one less": lambda wood: wood[0].pop("elm"),
    "an attribute": lambda wood: setattr(wood[1], "words", {}),
    "a thing of an index": lambda wood: setattr(wood[1].all["one"], "text", "two"),
    "an empty one of another kind": lambda wood: setattr(wood[1], "words", FlatMap()),
    "nothing": lambda wood: None,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_has_changed_is_another_and_all_else_is_shared(change: Any) -> None:
    wood = _wood()
    first = twin(wood)
    was = _said(wood)
    change(wood)
    second = twin(wood, first)
    assert _said(first) == was
    assert _said(second) == _said(wood)
    assert (second is first) == (_said(wood) == was)
    assert second[0]["oak"] is first[0]["oak"]
    assert second[0]["oak"] is not wood[0]["oak"]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_it_leads_back_and_again_forth(change: Any) -> None:
    wood = _wood()
    kept = wood[0]["oak"]
    then = Packed(wood)
    before = _said(wood)
    change(wood)
    now = Packed(wood, before=then)
    after = _said(wood)
    wood = then.instead(wood, now)
    assert _said(wood) == before
    assert wood[0]["oak"] is kept, "what is the same in both is not made again"
    wood[0]["oak"].steps.append(5)
    wood[0]["ash"].leaves["a"].copies = 7
    changed = Packed(wood, before=now)
    assert _said(now.look()) == after
    assert _said(then.look()) == before
    assert _said(now.instead(wood, changed)) == after


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_it_is_packed_as_what_it_is_a_twin_of(change: Any) -> None:
    wood = _wood()
    first = Packed(wood)
    change(wood)
    second, alone = Packed(wood, before=first), Packed(wood)
    assert second.like(alone, lambda one, other: one is other)
    second.settle()
    assert _said(second.again()) == _said(wood)


def test_what_nobody_can_copy_is_packed_at_once() -> None:
    with pytest.raises(NoTwin):
        twin([range(3).__iter__()])

    wood = {"ash": frozenset({1}), "elm": bytearray(b"elm")}
    packed = Packed(wood)
    wood["elm"] += b"s"  # type: ignore[operator]
    assert packed.again() == {"ash": frozenset({1}), "elm": bytearray(b"elm")}


def test_nothing_goes_back_to_what_is_not_there() -> None:
    assert back({"a": 1}, [], []) == {"a": 1}
    assert back({"a": Leaf("a")}, {}, {})["a"].text == "a"
