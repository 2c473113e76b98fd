"""What an entry did: a sentence with names marked, and figures before and after."""

from __future__ import annotations

from chronicle.core.ledger import Ledger, Posting
from chronicle.core.ranges import UNKNOWN
from chronicle.core.sentences import FigureChange, Mention, balance_changes, plain, said


def test_names_are_marked() -> None:
    sentence = said("{} calls {}.", "Petra", "Jonas")
    assert sentence == (Mention("Petra"), " calls ", Mention("Jonas"), ".")
    assert plain(sentence) == "Petra calls Jonas."


def test_a_list_of_names_reads_as_one() -> None:
    sentence = said("{} back a side.", ["Ana", "Bo", "Cy"])
    assert plain(sentence) == "Ana, Bo and Cy back a side."


def test_nobody_is_nameless() -> None:
    assert plain(said("{} calls {}.", UNKNOWN, "Jonas")) == "Somebody calls Jonas."
    assert plain(said("{} tells the end.", "")) == "Somebody tells the end."


def test_changes_are_those_of_the_entry_itself() -> None:
    ledger = Ledger()
    for step, source, target, amount in (
        (1, "box", "dice:Ana", 3),
        (2, "dice:Ana", "box", 1),
        (3, "dice:Ana", "dice:Bo", 1),
        (2, "dice:Ana", "box", 1),
        (4, "box", "dice:Ana", 2),
    ):
        ledger.post(Posting(step, source, target, amount, "die", ""))
    assert balance_changes(ledger, {"box"}, 1, 4, 4) == []
    assert balance_changes(ledger, {"box"}, 2, 3, 3) == [
        FigureChange("dice", "Ana", 2, 1, "die"),
        FigureChange("dice", "Bo", 0, 1, "die"),
    ]
    assert balance_changes(ledger, {"box"}, 0, 1, 1) == [FigureChange("dice", "Ana", 0, 3, "die")]
    assert str(FigureChange("opener", "", "", "Jonas")) == "opener nobody → Jonas"
