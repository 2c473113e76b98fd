"""Mistakes in the declarations of a game are said in words: wrong figures, classes of rules, incomplete rulings."""

from __future__ import annotations

import pytest

from chronicle.core.figure_names import check_account, figure_key, find_figure
from chronicle.core.game import account_measure
from chronicle.core.names import PLAYER
from chronicle.core.rules import RuleClass, read_rules, read_rulings

MEASURES = {
    "purse": account_measure("coins", (PLAYER,), "wealth", "Coin"),
    "pool": account_measure("coins on the table", (), "pool", "Coin"),
}
ACCOUNTS = ("wealth", "pool", "bank")


@pytest.mark.parametrize(
    ("figure", "key"),
    [
        ("purse:Ana", "wealth:Ana"),
        ("wealth:Ana", "wealth:Ana"),
        ("pool", "pool:"),
        ("pool:", "pool:"),
        ("bank", "bank"),
    ],
)
def test_a_figure_is_named_as_itself_or_by_its_account(figure: str, key: str) -> None:
    assert figure_key(MEASURES, ACCOUNTS, figure) == key


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        ("pol:", "no figure 'pol'; did you mean 'pool'? (this game has purse, pool)"),
        ("purse", "the figure 'purse' needs its owner: 'purse:' and an id"),
        ("pool:Ana", "the figure 'pool' has no owner: write 'pool'"),
    ],
)
def test_a_figure_that_the_game_does_not_have_is_refused(figure: str, said: str) -> None:
    with pytest.raises(LookupError) as caught:
        figure_key(MEASURES, ACCOUNTS, figure)
    assert str(caught.value) == said


def test_a_wrong_name_of_a_figure_or_an_account_lists_the_right_ones() -> None:
    with pytest.raises(LookupError, match="no figure 'pol'; did you mean 'pool'"):
        find_figure(MEASURES, "pol")
    with pytest.raises(LookupError, match="no account 'welth'; did you mean 'wealth'"):
        check_account(ACCOUNTS, "welth:Ana")
    check_account(ACCOUNTS, "wealth:Ana")


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        (
            "H5 Sailing",
            "the rule H5 has no class: its first line ends with [computed], [checked] or",
        ),
        ("H5 Sailing [cheked]", "the rule H5 has no class 'cheked'; did you mean 'checked'?"),
        ("H5 Sailing [V2]", "the rule H5 has no class 'V2': its first line ends with [computed]"),
    ],
)
def test_a_rule_without_a_class_is_named(heading: str, said: str) -> None:
    with pytest.raises(ValueError, match="the rule H5") as caught:
        read_rules(f"# Sea\n{heading}\n  A boat sails.\n")
    assert str(caught.value).startswith(said)
    (rule,) = read_rules("# Sea\nH5 Sailing [checked; V2]\n  A boat sails.\n")
    assert (rule.kind, rule.other_ids) == (RuleClass.CHECKED, ("V2",))


@pytest.mark.parametrize(
    "text",
    [
        "HA1 tie: Who wins?\n  - none: nobody\n",
        "HA1 Who wins?\n  - none: nobody\n  because it is open (H8)\n",
        "HA1 tie: Who wins?\n  because it is open (H8)\n",
    ],
)
def test_an_incomplete_ruling_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="the ruling HA1 is incomplete"):
        read_rulings(text)
