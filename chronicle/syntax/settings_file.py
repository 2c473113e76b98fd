"""The settings of a campaign: its game, the version of the format, the players."""

from __future__ import annotations

from typing import Any, Final

from chronicle.core.campaign import (
    LOG_FORMAT_VERSION,
    Settings,
)
from chronicle.core.diagnostic import (
    Fact,
    ask_whether,
    nearest_words,
)
from chronicle.core.figures import is_figure
from chronicle.core.fix import replace_with
from chronicle.core.game import Game
from chronicle.core.game_info import GameUnavailable
from chronicle.core.names import fold
from chronicle.core.source import MappingNode, Place, ScalarNode, place_of, whole_file
from chronicle.syntax.campaign_files import CampaignFiles, CampaignUnreadable
from chronicle.syntax.decode import decode_part
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.problems import problem

MAX_PLAYERS: Final = 100
"""How many players a campaign may have."""


def find_game(files: CampaignFiles, settings_path: str) -> tuple[Game[Any], MappingNode]:
    """The rulebook of the game that is played, and the tree of ``campaign.yaml``."""
    settings_file = files.folder / SETTINGS_FILE
    if files.cache.is_deleted(settings_file) or (
        files.cache.known_content(settings_file) is None and not settings_file.is_file()
    ):
        files.problems.tell(
            "T40",
            f"there is no {SETTINGS_FILE} in this folder",
            whole_file(settings_path),
            "chronicle new  makes one",
        )
        raise CampaignUnreadable(files.problems)
    tree = files.parse_file(settings_file).tree
    if isinstance(tree, MappingNode):
        check_version(files, tree, settings_path)
    if not isinstance(tree, MappingNode):
        for diagnostic in files.problems:
            if diagnostic.code == "T3":
                diagnostic.free_help = ("settings start with  game:  title:  players:",)
        if tree is not None:
            files.problems.tell(
                "T40",
                "the campaign's settings are 'key: value' lines",
                place_of(tree, settings_path),
                "start with  game:  title:  players:",
            )
        raise CampaignUnreadable(files.problems)
    game_node = tree.get(ScalarNode("game"))
    if not isinstance(game_node, ScalarNode) or not game_node:
        start_place = Place(settings_path, tree.line, tree.column, tree.line, tree.column + 1)
        is_session = "log" in tree
        files.problems.tell(
            "T40",
            "this is a session, and campaign.yaml holds the campaign's settings"
            if is_session
            else "'game' is missing: which game is played",
            start_place,
            f"write  game:  and one of {', '.join(files.all_rulebooks)}",
            "a session goes into a file of its own: 01.yaml" if is_session else "",
        )
        raise CampaignUnreadable(files.problems)
    game_name = game_node.strip().casefold().replace(" ", "-").replace("_", "-")
    if game_name not in files.all_rulebooks:
        game_names = list(files.all_rulebooks)
        similar_names = nearest_words(game_node, game_names)
        files.problems.tell(
            "T40",
            f"no game '{game_node}'{ask_whether(game_node, similar_names)}",
            place_of(game_node, settings_path),
            f"games: {', '.join(game_names)}",
            ""
            if similar_names
            else "if it is a game plug-in, install its package where chronicle is: pip install -r requirements.txt, or "
            "pip install --editable  and its folder; for pre-commit, name it in  additional_dependencies  of each hook",
            fixes=replace_with(similar_names, is_told=True),
        )
        raise CampaignUnreadable(files.problems)
    try:
        return files.all_rulebooks[game_name], tree
    except GameUnavailable as error:
        files.problems.tell("T40", str(error), place_of(game_node, settings_path), *error.help)
        raise CampaignUnreadable(files.problems) from None


def check_version(files: CampaignFiles, tree: MappingNode, settings_path: str) -> None:
    """Refuse a campaign that is written in a newer version of the format."""
    version_node = tree.get(ScalarNode("format"))
    if (
        not isinstance(version_node, ScalarNode)
        or not is_figure(version_node.strip())
        or int(version_node) <= LOG_FORMAT_VERSION
    ):
        return
    newer_version_problem = problem(
        "T87",
        f"this campaign is written in version {version_node} of the format, and this Chronicle knows "
        f"version {LOG_FORMAT_VERSION}",
        place_of(version_node, settings_path),
        "get a newer Chronicle; nothing of the campaign was read",
    )
    raise CampaignUnreadable([newer_version_problem])


def read_settings(
    files: CampaignFiles, settings_class: type[Settings], tree: MappingNode, settings_path: str
) -> Settings:
    """``campaign.yaml`` as the game reads it."""
    settings = decode_part(settings_class, tree, settings_path, files.problems)
    if settings is None:
        raise CampaignUnreadable(files.problems)
    if not settings.players:
        files.problems.tell(
            "T23",
            "nobody plays: 'players' names no one",
            place_of(settings.value_of("players"), settings_path),
            "write who sits at the table, in order, as in  players: [Ana, Bo, Cy]",
        )
        raise CampaignUnreadable(files.problems)
    if len(settings.players) > MAX_PLAYERS:
        files.problems.tell(
            "T5",
            f"more than {MAX_PLAYERS} players are too many for one table",
            place_of(settings.value_of("players"), settings_path),
            "name those who sit at this table; another table is a campaign of its own",
        )
        raise CampaignUnreadable(files.problems)
    player_by_folded_name: dict[str, ScalarNode] = {}
    for player in settings.players:
        first_player = player_by_folded_name.setdefault(fold(player), player)
        if first_player is not player:
            files.problems.tell(
                "T26",
                f"'{player}' sits at the table twice",
                place_of(player, settings_path),
                "give them different names, Ana and Ana B.",
                facts=(Fact("first here", place_of(first_player, settings_path)),),
            )
    return settings
