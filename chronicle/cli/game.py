"""``chronicle game``: start a game of your own as a package, and test it."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.out import Cannot, TextStyler, cannot_write

if TYPE_CHECKING:
    from chronicle.testkit import GameUnderTest


@click.group()
def game() -> None:
    """Write a game of your own as a package, and test it.

    \b
      chronicle game new lanterns
      chronicle game check
    """  # noqa: D301


@game.command()
@click.argument("name")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write. By default a new folder with the name of the game.",
)
def new(name: str, out: Path | None) -> int:
    """Start a package for the game NAME: one rule, its tests, and a first session.

    NAME is the name of the game in campaign.yaml: lower-case letters, digits and hyphens.

    \b
      chronicle game new lanterns
      cd lanterns
      chronicle game check
    """  # noqa: D301
    from chronicle.cli.game_project import game_package_files
    from chronicle.core.edits import edit
    from chronicle.core.files import ContentChange
    from chronicle.games import GAME_NAME, is_game

    if not GAME_NAME.fullmatch(name):
        raise Cannot(
            f"'{name}' cannot be the name of a game",
            "use lower-case letters, digits and hyphens: chronicle game new my-game",
        )
    if is_game(name):
        raise Cannot(f"there is a game '{name}' already", "choose another name")
    folder = out or Path(name)
    text_by_file = {folder / file: text for file, text in game_package_files(name).items()}
    existing_file = next((file for file in text_by_file if file.exists()), None)
    if existing_file is not None:
        raise Cannot(
            f"'{existing_file}' is there already, and nothing is overwritten",
            "choose another --out",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        edit(
            folder,
            [ContentChange(file, None, text.encode()) for file, text in text_by_file.items()],
        )
    except OSError as error:
        raise cannot_write(error) from None
    click.echo(f"The package of your game is in {folder}. Go on with\n")
    click.echo(f"  cd {folder}")
    click.echo("  chronicle game check                run its tests")
    click.echo("  pip install --editable .            where chronicle is installed; then:")
    click.echo(f"  chronicle new our-table --game {name}")
    return 0


@game.command()
@click.argument("game_or_folder", metavar="[GAME]", default=".")
@click.option(
    "--cases",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The folder with the case files. By default 'cases' in the package of the game.",
)
@click.option(
    "--seeds",
    "game_count",
    type=click.IntRange(1, 10_000),
    default=8,
    show_default=True,
    help="How many games to play at random.",
)
def check(game_or_folder: str, cases: Path | None, game_count: int) -> int:
    """Test GAME: a game by its name, or the folder of a package (by default this folder).

    The tests are those that each game of Chronicle passes: its rules, its cases, its first session, and play at
    random. A table shows the cases of each rule.

    \b
      chronicle game check
      chronicle game check lanterns
    """  # noqa: D301
    from chronicle.core.diagnostic import listed, plural
    from chronicle.core.game_info import GameUnavailable
    from chronicle.testkit import CHECKS, game_under_test, run_check

    try:
        tested_game = game_under_test(game_or_folder, cases=cases)
    except GameUnavailable as error:
        _show_traceback(game_or_folder)
        raise error
    tested_game.seeds = game_count
    styler, failed_count = TextStyler(), 0
    first_check_by_problem: dict[str, str] = {}
    repeats_by_check: dict[str, list[str]] = {}
    click.echo(styler(tested_game.rules.title, "bold"))
    for check_name in CHECKS:
        problems = run_check(check_name, tested_game)
        failed_count += bool(problems)
        if problems and all(problem in first_check_by_problem for problem in problems):
            first_check = first_check_by_problem[problems[0]]
            repeats_by_check.setdefault(first_check, []).append(check_name)
            continue
        click.echo(
            f"  {styler('failed', 'red') if problems else styler('ok', 'green') + '    '}  {check_name}"
        )
        for problem in problems:
            first_check = first_check_by_problem.setdefault(problem, check_name)
            click.echo(
                f"          {problem if first_check == check_name else f'the same as under {first_check}'}"
            )
        if problems and check_name == "declarations":
            click.echo("\nThe other checks rest on this one. Correct it, and run the checks again.")
            return 1
    for first_check, check_names in repeats_by_check.items():
        click.echo(f"  {styler('failed', 'red')}  {listed(check_names)}, as {first_check}")
    _print_rules_and_cases(tested_game)
    click.echo(
        f"\n{plural(failed_count, 'check')} failed."
        if failed_count
        else f"\nAll {len(CHECKS)} checks passed."
    )
    return 1 if failed_count else 0


def _print_rules_and_cases(tested_game: GameUnderTest) -> None:
    """Print each rule with its class and its cases."""
    from chronicle.cli.out import line_width
    from chronicle.cli.terminal import TerminalRenderer
    from chronicle.core.campaign_view import Table, heads
    from chronicle.testkit import cases_without_rule, proof_table

    class_by_rule_id = {rule.id: str(rule.kind) for rule in tested_game.rules.registry().rules}
    table_rows = tuple(
        (
            rule_id,
            class_by_rule_id.get(rule_id, "ruling"),
            "; ".join(case_name.partition(": ")[2] for case_name in case_names),
        )
        for rule_id, case_names in proof_table(tested_game).items()
    )
    click.echo("\nRules and their cases\n")
    click.echo(
        TerminalRenderer(line_width(), TextStyler()).draw(
            [Table(heads("Rule | Class | Cases"), table_rows)]
        )
    )
    for case in cases_without_rule(tested_game):
        place_text = f"{case.file.name}:{case.line}"
        click.echo(
            f"{place_text}: the title '{case.name}' does not begin with a rule, so the case counts for none"
        )


def _show_traceback(plugin_name: str) -> None:
    """Print where the code of an installed game fails, without the lines of Python's own import."""
    from chronicle.games import find_plugins

    for plugin in find_plugins().get(plugin_name, ()):
        try:
            plugin.entry.load()()
        except (Exception, SystemExit) as error:
            frames = traceback.extract_tb(error.__traceback__)
            shown_frames = [frame for frame in frames if "importlib" not in frame.filename][1:]
            traceback_lines = traceback.format_list(shown_frames or frames[-1:])
            traceback_lines += traceback.format_exception_only(error)
            print("".join(traceback_lines), file=sys.stderr)
