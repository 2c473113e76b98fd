"""``chronicle new``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronicle.cli.out import Cannot, TextStyler, cannot_write, recover_interrupted_edit
from chronicle.cli.place import OUTPUT_PATH
from chronicle.core.file_names import portable_name
from chronicle.games import SMALLEST, game_names
from chronicle.words import word

if TYPE_CHECKING:
    from chronicle.core.rules import Registry
    from chronicle.services.new_campaign import NewCampaignAnswers

SCHEMA_LINE = "# yaml-language-server: $schema={schema}\n"
"""The first line of every file of a campaign: it tells editors the schema."""

RECAP_COMMENT = """\
# When the session is over, tell it in your own words in the head of this file, above "log:":
#   recap: Two to six sentences that say what happened. [an-id]
#   about: {Name: "Who somebody is, in one sentence."}
#   end: {Name: "How things stand with them now."}
# [an-id] points at the entry that shows it, which has the key "id". Pages show these sentences first.
"""
"""The comment in a first session about recaps."""

DEFAULT_SESSIONS_FOLDER = "sessions"
"""The folder for campaigns in a project that names none."""

WRITTEN_DICE_COMMENT = """\
# If nobody rolls and you choose the faces for the story, say so; luck is not tested then:
# dice: written
"""
"""The comment in the settings about dice that are chosen, not rolled."""


class _GameName(click.Choice):  # type: ignore[type-arg]  # click 8.1 has no Choice[str]
    """The name of a game that can be played here."""

    name = "choice"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Take the name of a game.

        Raises:
            Cannot: when there is no such game.
        """
        from chronicle.core.diagnostic import did_you_mean

        if value not in self.choices:
            known_games = [*self.choices]
            raise Cannot(
                f"no game '{value}'{did_you_mean(value, known_games)}",
                f"games: {', '.join(known_games)}",
                "a game of your own is found when its package is installed, in the folder with its"
                " pyproject.toml: pip install --editable .",
            )
        game_name: str = super().convert(value, param, ctx)
        return game_name


@click.command()
@click.argument("folder", metavar="DIR", type=OUTPUT_PATH, required=False)
@click.option(
    "--game",
    type=_GameName(game_names()),
    help="The game you play. Without it, Chronicle asks about the campaign; in a script "
    "it takes Positive.",
)
def new(folder: Path | None, game: str | None) -> int:
    """Start a campaign in the new folder DIR.

    The folder is a complete project: a short first session that explains the format, a front page,
    settings for your editor, and settings to publish the site. Inside a project that exists, Chronicle
    adds only the campaign. If that is a MkDocs site without Chronicle, it asks whether to add the
    plug-in to mkdocs.yml. It never overwrites a file.

    \b
      chronicle new our-table
      chronicle new our-table --game slow-burn
    """  # noqa: D301
    from chronicle.games import rulebook

    if folder is None and _can_ask():
        folder = OUTPUT_PATH.convert(
            click.prompt("In which folder?", default="our-campaign"), None, None
        )
    if folder is None:
        raise Cannot("name a folder", "chronicle new our-campaign")
    setup_answers = _ask_setup_questions(folder.name) if game is None and _can_ask() else None
    rules = rulebook(setup_answers.game if setup_answers is not None else game or SMALLEST)
    campaign_folder = folder.resolve()
    project, campaign_folder = _project_and_folder(campaign_folder)
    recover_interrupted_edit(project or campaign_folder)
    text_by_file = _new_text_by_file(campaign_folder, project, rules, setup_answers)
    mkdocs_file = _mkdocs_file_lacking_plugin(project) if project is not None else None
    existing_files = [file for file in text_by_file if file.exists()]
    if existing_files:
        raise Cannot(
            f"'{_relative_path(existing_files[0])}' is there already, and nothing is overwritten",
            "choose another folder, or move what is there out of the way",
        )
    for parent in (campaign_folder, *campaign_folder.parents):
        if parent.exists():
            if not parent.is_dir():
                raise Cannot(f"'{_relative_path(parent)}' is a file, not a folder")
            break
    from chronicle.core.edits import edit
    from chronicle.core.files import ContentChange

    content_changes = [
        ContentChange(file, None, text.encode()) for file, text in text_by_file.items()
    ]
    new_settings = _settings_with_plugin(mkdocs_file) if mkdocs_file is not None else None
    if mkdocs_file is not None and new_settings is not None:
        content_changes.append(ContentChange(mkdocs_file, mkdocs_file.read_bytes(), new_settings))
    try:
        edit(project or campaign_folder, content_changes)
    except OSError as error:
        raise cannot_write(error) from None
    if campaign_folder != Path(folder).resolve():
        click.echo(
            f"The campaign is in {_relative_path(campaign_folder)}, where the site of this project finds it."
        )
    if mkdocs_file is not None and new_settings is None:
        settings_path = _relative_path(mkdocs_file)
        click.echo(
            f"To show it on the site, add  - chronicle  to the list plugins: in {settings_path}."
        )
        click.echo("If there is no such list, write")
        click.echo("\n  plugins:\n    - search\n    - chronicle\n")
    _print_next_steps(
        campaign_folder,
        project,
        rules.title,
        next(file for file in text_by_file if file.name == "01.yaml"),
    )
    return 0


def _can_ask() -> bool:
    import sys

    from chronicle.cli.out import on_terminal

    return on_terminal(sys.stdin) and on_terminal()


def _ask_setup_questions(folder_name: str) -> NewCampaignAnswers:
    """Ask everything needed before the first entry; return takes the value in brackets."""
    from chronicle.services.new_campaign import (
        STRICTNESS_DESCRIPTIONS,
        NewCampaignAnswers,
        game_forms,
    )

    games_by_name = {game_form["game"]: game_form for game_form in game_forms()}
    click.echo("Which game do you play?\n")
    for game, game_form in games_by_name.items():
        click.echo(f"  {game:15} {game_form['title']:16} {game_form['people']}")
    game = click.prompt(
        "\nGame", type=click.Choice(list(games_by_name)), default=SMALLEST, show_choices=False
    )
    chosen_form = games_by_name[game]
    title_words = folder_name.replace("-", " ").replace("_", " ").strip()
    campaign_title = click.prompt(
        "Title", default=f"{title_words[:1].upper()}{title_words[1:]}" or "Our table"
    )
    players = _ask_players(chosen_form["least_players"], chosen_form["too_few"])
    facilitator = (
        click.prompt(f"Who is the {chosen_form['runner']}?") if chosen_form["runner"] else ""
    )
    settings: dict[str, object] = {}
    for setting in chosen_form["settings"]:
        click.echo(f"\n{setting['doc']}: {', '.join(setting['choices'])}")
        chosen_value = _ask_choice(
            setting["choices"], is_several=setting["kind"] == "several", default=setting["default"]
        )
        if chosen_value:
            settings[setting["key"]] = chosen_value
    add_ons = _ask_add_ons(chosen_form["add_ons"])
    click.echo("\nHow is the log kept?")
    for strictness_level, description in STRICTNESS_DESCRIPTIONS.items():
        click.echo(f"  {strictness_level!s:11} {description}")
    strictness = click.prompt(
        "Strictness",
        type=click.Choice([str(strictness_level) for strictness_level in STRICTNESS_DESCRIPTIONS]),
        default="standard",
        show_choices=False,
    )
    return NewCampaignAnswers(
        game, campaign_title, tuple(players), facilitator, strictness, settings, tuple(add_ons)
    )


def _ask_players(least_players: int, too_few_message: str) -> list[str]:
    """The players, asked again while they are too few for the game, unless they want to start anyway."""
    while True:
        players = _ask_words("Who plays, in seating order? (Ana, Bo, ...)")
        if len(players) >= least_players:
            return players
        click.echo(too_few_message)
        if click.confirm(word("server.start_anyway"), default=False):
            return players


def _ask_words(question: str) -> list[str]:
    """A list of words with commas between them."""
    while True:
        answer: str = click.prompt(question, default="", show_default=False)
        answer_parts = [
            answer_part.strip() for answer_part in answer.split(",") if answer_part.strip()
        ]
        if answer_parts:
            return answer_parts
        click.echo(word("server.name_one"))


def _ask_choice(choices: list[str], *, is_several: bool, default: object) -> object:
    """Ask for one of some words, or for several; empty if the user wants none."""
    default_text = ", ".join(default) if isinstance(default, list) else str(default)
    while True:
        answer = click.prompt(
            "Your choice" + (" (or none)" if is_several else ""), default=default_text or "-"
        )
        chosen_words = [
            chosen_word.strip().casefold()
            for chosen_word in answer.split(",")
            if chosen_word.strip(" -")
        ]
        if all(chosen_word in choices for chosen_word in chosen_words) and (
            is_several or len(chosen_words) < 2
        ):
            return chosen_words if is_several else "".join(chosen_words)
        click.echo(f"One of: {', '.join(choices)}")


def _ask_add_ons(offered_add_ons: list[dict[str, str]]) -> list[str]:
    """The optional rules that a group takes; most take none."""
    if not offered_add_ons or not click.confirm("\nPlay with optional rules?", default=False):
        return []
    for add_on_number, add_on in enumerate(offered_add_ons, 1):
        click.echo(f"  {add_on_number:2}  {add_on['label']}")
    while True:
        answer = click.prompt("Their numbers", default="none")
        number_texts = [
            number_text.strip()
            for number_text in answer.split(",")
            if number_text.strip() != "none"
        ]
        if all(
            number_text.isdecimal() and 0 < int(number_text) <= len(offered_add_ons)
            for number_text in number_texts
        ):
            return [offered_add_ons[int(number_text) - 1]["key"] for number_text in number_texts]


def _project_and_folder(campaign_folder: Path) -> tuple[Path | None, Path]:
    """The project around a folder, if there is one, and the folder for a campaign of this name in it."""
    from chronicle.syntax.find import find_project, site_settings_around

    project = find_project(campaign_folder.parent)
    mkdocs_file = site_settings_around(campaign_folder.parent)
    if project is not None:
        project_folder = project.folder.resolve()
        campaigns_folder = project.campaigns_folder.resolve()
    elif mkdocs_file is not None:
        project_folder = mkdocs_file.parent.resolve()
        campaigns_folder = project_folder / DEFAULT_SESSIONS_FOLDER
    else:
        return None, campaign_folder
    return (
        project_folder,
        campaign_folder
        if campaigns_folder in campaign_folder.parents
        else campaigns_folder / portable_name(campaign_folder.name),
    )


def _mkdocs_file_lacking_plugin(project: Path) -> Path | None:
    """The ``mkdocs.yml`` of a project that does not use Chronicle yet."""
    from chronicle.syntax.find import campaigns_folder_of, site_settings_around

    return site_settings_around(project) if campaigns_folder_of(project) is None else None


def _settings_with_plugin(mkdocs_file: Path) -> bytes | None:
    """A ``mkdocs.yml`` with the plug-in added; None if the user declines, or the list cannot be parsed."""
    from chronicle.cli.project import add_plugin

    try:
        settings_text = mkdocs_file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
    new_settings_text = add_plugin(settings_text)
    if new_settings_text is None or not _can_ask():
        return None
    if not click.confirm(
        f"Add Chronicle to the plug-ins in {_relative_path(mkdocs_file)}?", default=True
    ):
        return None
    return new_settings_text.encode()


def _new_text_by_file(
    folder: Path, project: Path | None, rules: Any, setup_answers: NewCampaignAnswers | None
) -> dict[Path, str]:
    """Every file to write, with its text: a first evening that explains itself, or, by the answers of
    a group, an empty one."""
    from chronicle.cli import project as project_files
    from chronicle.cli.installed import requirement
    from chronicle.cli.reference import schema_file, schema_files
    from chronicle.games import find_plugins, is_built_in
    from chronicle.services.new_campaign import files_of_campaign

    campaign_slug = portable_name(folder.name or "campaign")
    campaign_folder = folder if project else folder / "sessions" / campaign_slug
    project_folder = project or folder
    schema_by_file = {
        project_folder / relative_path: text for relative_path, text in schema_files(rules).items()
    }
    root_prefix = Path(os.path.relpath(project_folder, campaign_folder)).as_posix() + "/"
    text_by_file: dict[Path, str] = {}
    text_by_campaign_file = (
        files_of_campaign(setup_answers) if setup_answers is not None else rules.new_campaign()
    )
    for relative_path, text in text_by_campaign_file.items():
        if relative_path == "campaign.yaml":
            text += WRITTEN_DICE_COMMENT
        elif relative_path.endswith(".yaml"):
            # Comments of a first session name its lines, so nothing is put above them.
            text = (
                f"{text}\n{RECAP_COMMENT}"
                if setup_answers is None
                else text.replace("log:", f"{RECAP_COMMENT}log:")
            )
        if relative_path.endswith(".yaml"):
            text = (
                SCHEMA_LINE.format(
                    schema=root_prefix
                    + schema_file(rules.name, for_settings=relative_path == "campaign.yaml")
                )
                + text
            )
        text_by_file[campaign_folder / relative_path] = text
    # Other campaigns of the same game have the same schemas already.
    text_by_file.update((file, text) for file, text in schema_by_file.items() if not file.exists())
    if project is None:
        folder_name_words = folder.name.replace("-", " ").replace("_", " ")
        site_title = (
            setup_answers.title
            if setup_answers is not None
            else folder_name_words[:1].upper() + folder_name_words[1:]
        )
        game_requirements = [
            requirement(plugin.package, plugin.version)
            for plugin in ([] if is_built_in(rules.name) else find_plugins()[rules.name])
        ]
        for relative_path, text in project_files.new_project_files(
            site_title=site_title,
            game_title=rules.title,
            campaign_slug=campaign_slug,
            requirements=[requirement(), *game_requirements],
            rule_id=_example_rule(rules.registry()),
        ).items():
            text_by_file[folder / relative_path] = text
    return text_by_file


def _example_rule(registry: Registry) -> str:
    """The id of a rule that logs of the game often break."""
    from chronicle.core.rules import RuleClass

    return next(
        (rule.id for rule in registry.rules if rule.kind is RuleClass.CHECKED),
        registry.rules[0].id,
    )


def _relative_path(file: Path) -> str:
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def _print_next_steps(folder: Path, project: Path | None, game_title: str, log_file: Path) -> None:
    from chronicle.cli.out import on_terminal

    if not on_terminal():
        return
    styler = TextStyler()
    folder_text = _relative_path(folder)
    cd_command = f"cd {folder_text}" if folder_text != "." else ""
    click.echo(
        f"A campaign of {game_title} is ready in {styler(folder_text, 'bold')}. What to type next:"
    )
    click.echo()
    if project is None and cd_command:
        click.echo(f"  {cd_command}")
    log_path = (
        log_file.relative_to(folder).as_posix()
        if project is None and cd_command
        else _relative_path(log_file)
    )
    click.echo("  chronicle desk             log at the table, in the browser")
    click.echo("  chronicle check --watch    show problems after every save")
    click.echo("  chronicle serve            show the site, built again after every save")
    click.echo()
    click.echo(f"Or open {log_path} in a text editor: it is a short first session.")
