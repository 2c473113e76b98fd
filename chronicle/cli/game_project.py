"""The files of a new game plug-in: a package with one rule, its tests and a first session.

Plain texts with slots like ``{title}``, filled by :func:`files`; braces of their own are doubled.
"""

from __future__ import annotations

from typing import Final

from chronicle import __version__
from chronicle.core.game_info import API_VERSION

PYPROJECT_TEMPLATE: Final = """\
[build-system]
requires = ["hatchling>=1.26"]
build-backend = "hatchling.build"

[project]
name = "chronicle-{name}"
version = "0.1"
description = "{title}, a game for Chronicle."
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["chronicle-tabletop>={version}"]

[project.entry-points."chronicle.games"]
{name} = "chronicle_{module}:{kind}"
"""

README_TEMPLATE: Final = """\
# {title}

A game for Chronicle.

| where | what |
|---|---|
| `chronicle_{module}/__init__.py` | the class of the game |
| `chronicle_{module}/play.py` | a chapter of the rule book: its rules, and its verbs |
| `chronicle_{module}/cases/*.case` | tests, written as logs |
| `chronicle_{module}/first/` | the files of a new campaign |

    chronicle game check                       run the tests
    pip install --editable .                   let Chronicle find the game: install it where Chronicle is
    chronicle new our-table --game {name}

The page "Adding a game" of Chronicle's documentation goes on from here.
"""

GAME_TEMPLATE: Final = '''\
"""{title}: a game for Chronicle."""

from __future__ import annotations

from chronicle import api

from chronicle_{module} import play
from chronicle_{module}.play import TOKEN, State, Table


class {kind}(api.Game[State]):
    """The rules of {title}."""

    api_version = {api_version}
    name = "{name}"
    title = "{title}"
    summary = "Say here in two sentences what the game is about."
    rules = api.read_rules(play.RULES)
    rulings = api.read_rulings(play.READINGS)
    verbs = api.verbs_of(play)
    law = api.Law(roles=play.ROLES)
    accounts = {{"hand": "Tokens in hand", "table": "Tokens on the table", "box": "The box"}}
    supplies = frozenset({{"box"}})  # nobody counts what is in the box
    measures = {{
        "tokens": api.account_measure("tokens in hand", (api.PLAYER,), "hand", TOKEN),
        "on the table": api.account_measure(
            "tokens on the table", (), "table", TOKEN, sentence="{{amount}} on the table"
        ),
    }}

    def start(self, table: Table) -> State:
        """Put three tokens for each player on the table."""
        table.move("box", "table", 3 * len(table.seats), TOKEN, "R1", "at the start")
        return State()

    def situation(self, table: Table) -> str:
        """Where play is, in one sentence."""
        return f"{{api.plural(table.balance('table', TOKEN), 'token')}} on the table."

    def panel(self, table: Table) -> tuple[api.Block, ...]:
        """The state of play, for pages and for `chronicle state`."""
        held = tuple((player, table.balance(f"hand:{{player}}", TOKEN), 3) for player in table.seats)
        return (api.Stones(held, "Tokens"),)
'''

CHAPTER_TEMPLATE: Final = '''\
"""Taking tokens: a chapter of the rule book, with its rules and its verbs."""

from __future__ import annotations

from dataclasses import dataclass

from chronicle import api

TOKEN = "token"

RULES = """
# Play
R1 Taking a token [checked]
  A player takes a token from the table and says why. Nobody takes two in a row.
"""
READINGS = ""
ROLES = {{"player": api.Role("a player", kinds=(api.PLAYER,), resolves_to=api.PLAYER)}}


@dataclass
class State:
    """What the game remembers, apart from the tokens."""

    last: str = ""


Table = api.GameContext[State]


class Take(api.Action):
    """Take a token from the table."""

    verb = "take"
    example = "take: I found it first\\n  by: Ana"
    offered = api.Offered("R1", "take a token")
    why = api.main(api.TEXT, "why you take it", text_role=api.TextRole.SPOKEN)
    by = api.required(api.in_role("player", api.NAME), "the player who takes it")

    def sentence(self, table: Table) -> api.Sentence:
        """One sentence for the log and for pages."""
        return api.said("{{}} takes a token.", table.step.player)

    @api.guard("R1", help="the game is over when the table is empty")
    def a_token_is_left(self, table: Table) -> str | None:
        """A token can only be taken from the table."""
        left = table.figure("on the table", "")
        return None if left.at_least(1) else "the table is empty"

    @api.guard("R1", at="by", help="another player takes the next one")
    def not_two_in_a_row(self, table: Table) -> str | None:
        """Nobody takes two in a row."""
        player = table.step.player
        return f"{{player}} took the last token as well" if player == table.state.last else None

    def apply(self, table: Table) -> None:
        """The token moves into the player's hand."""
        player = table.step.player
        table.spend("table", f"hand:{{player}}", 1, TOKEN, "R1", "taken")
        table.state.last = player
        table.step.tell(self.why)  # for exports and the search; pages take what text_role= declares
'''

CASES_TEMPLATE: Final = """\
game: {name}
players: [Ana, Bo]

## R1 a token goes into the hand
- take: I found it first
  by: Ana
- assert: {{tokens: {{Ana: 1, Bo: 0}}}}

## R1 nobody takes two in a row
- take: I found it first
  by: Ana
- take: This one, too      #! R1 Ana took the last token as well
  by: Ana

## R1 the table may be empty
- snapshot: {{on the table: 0}}
- take: One more      #! R1 the table is empty
  by: Ana
"""

CAMPAIGN_TEMPLATE: Final = """\
game: {name}
title: Our first table
players: [Ana, Bo]
format: 1
"""

SESSION_TEMPLATE: Final = """\
session: 1
title: The first evening
log:
# Each entry is a dash, a verb, and keys on the lines below.
- take: I found it first
  by: Ana
- take: Then this is mine
  by: Bo
- tell: They look at each other across the table.
- assert: {{tokens: {{Ana: 1, Bo: 1}}}}
"""

TESTS_TEMPLATE: Final = '''\
"""Chronicle's test kit, run on this game: `python -m pytest`."""

from pathlib import Path

import pytest
from chronicle.testkit import CHECKS, game_under_test, run_check

GAME = game_under_test(Path(__file__).parents[1])


@pytest.mark.parametrize("check", CHECKS)
def test_game(check: str) -> None:
    """Each check of the kit finds nothing."""
    assert not run_check(check, GAME)
'''


def game_package_files(game_name: str) -> dict[str, str]:
    """The files of a package for a game, by relative path.

    Args:
        game_name: the name of the game, as ``campaign.yaml`` writes it.
    """
    name_words = game_name.split("-")
    module_name = "_".join(name_words)
    value_by_placeholder = {
        "name": game_name,
        "module": module_name,
        "kind": "".join(name_word.capitalize() for name_word in name_words),
        "title": " ".join(name_words).capitalize(),
        "version": __version__,
        "api_version": API_VERSION,
    }
    package_name = f"chronicle_{module_name}"
    template_by_file = {
        "pyproject.toml": PYPROJECT_TEMPLATE,
        "README.md": README_TEMPLATE,
        f"{package_name}/__init__.py": GAME_TEMPLATE,
        f"{package_name}/play.py": CHAPTER_TEMPLATE,
        f"{package_name}/py.typed": "",
        f"{package_name}/cases/play.case": CASES_TEMPLATE,
        f"{package_name}/first/campaign.yaml": CAMPAIGN_TEMPLATE,
        f"{package_name}/first/01.yaml": SESSION_TEMPLATE,
        "tests/test_game.py": TESTS_TEMPLATE,
    }
    return {
        file: template_text.format_map(value_by_placeholder)
        for file, template_text in template_by_file.items()
    }
