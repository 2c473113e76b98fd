"""Answers are compared field by field, and differences that are alike are counted together."""

from __future__ import annotations

from typing import Any

from tests.compare.fields import ABSENT, Report, differences, left_out


def record(*texts: str) -> dict[str, Any]:
    return {"record": {"steps": [{"number": n, "headline": t} for n, t in enumerate(texts, 1)]}}


def test_answers_that_are_alike_have_no_differences() -> None:
    assert [*differences(record("A", "B"), record("A", "B"))] == []


def test_a_difference_names_its_field_and_its_place() -> None:
    (only,) = differences(record("A", "B"), record("A", "C"))
    assert only.field == ("record", "steps", "*", "headline")
    assert (only.place, only.older, only.newer) == ("record.steps[2].headline", "B", "C")


def test_an_item_put_in_is_the_only_difference() -> None:
    older = {"check": {"diagnostics": [{"code": c, "line": 1} for c in ("P1", "P3")]}}
    newer = {"check": {"diagnostics": [{"code": c, "line": 1} for c in ("P1", "P2", "P3")]}}
    (only,) = differences(older, newer)
    assert (only.older, only.newer) == (ABSENT, {"code": "P2", "line": 1})


def test_a_moment_or_a_page_is_no_field() -> None:
    older = {"state": {"after 3": {"figures": {"wealth": {"Ana": 3}}}}}
    newer = {"state": {"after 3": {"figures": {"wealth": {"Ana": 4}}}}}
    (only,) = differences(older, newer)
    assert only.field == ("state", "*", "figures", "wealth", "*")
    assert only.place == "state[after 3].figures.wealth[Ana]"


def test_zero_false_and_the_empty_text_are_not_alike() -> None:
    changes = differences({"a": [0, 1, ""]}, {"a": [False, True, None]})
    assert [change.newer for change in changes] == [False, True, None]


def test_a_field_left_out_takes_what_is_below_it_along() -> None:
    (only,) = differences(record("A"), record("B"))
    for field in (["headline"], ["record"], ["steps", "headline"], ["record", "steps"]):
        assert left_out(only, [field])
    for field in (["head"], ["check", "headline"], ["record", "headline"], ["steps", "number"]):
        assert not left_out(only, [field])


def test_differences_that_are_alike_are_counted_together() -> None:
    report = Report()
    for log, name, count in (("cases/one", "Ana", 3), ("cases/two", "Bo", 12)):
        older, newer = record(f"{name} pays {count}"), record(f"{name} is paid {count}")
        report.add(log, differences(older, newer))
    (group,) = report.groups.values()
    assert (group.count, group.log, group.logs) == (2, "cases/one", {"cases/one", "cases/two"})
    text = "\n".join(report.lines(5))
    assert "record.steps[].headline: 2 times in 2 logs" in text
    assert (
        "cases/one: record.steps[1].headline\n    before: Ana pays 3\n    after:  Ana is paid 3"
        in (text)
    )


def test_each_difference_can_be_shown() -> None:
    report = Report(each=True)
    for name in ("Ana", "Bo"):
        report.add(name, differences(record(f"{name} pays"), record(f"{name} is paid")))
    assert len(report.groups) == 2
