"""The settings of a campaign: its game, the version of the format, the players."""

from __future__ import annotations

from typing import Any, Final

from chronicle.core.campaign import (
    FORMAT,
    Settings,
)
from chronicle.core.diagnostic import (
    Fact,
    ask_whether,
    nearest_words,
)
from chronicle.core.figures import is_figure
from chronicle.core.fix import replace_with
from chronicle.core.game import GameUnavailable
from chronicle.core.names import fold
from chronicle.core.rulebook import Rulebook
from chronicle.core.source import MappingNode, Place, ScalarNode, place_of, whole_file
from chronicle.syntax.campaign_files import CampaignFiles, CampaignUnreadable
from chronicle.syntax.decode import read_part
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.problems import problem

MOST_PLAYERS: Final = 100
"""How many players a campaign may have."""


def find_game(files: CampaignFiles, path: str) -> tuple[Rulebook[Any], MappingNode]:
    """The rulebook of the game that is played, and the tree of ``campaign.yaml``."""
    file = files.folder / SETTINGS_FILE
    if files.kept.is_deleted(file) or (
        files.kept.known_content(file) is None and not file.is_file()
    ):
        files.problems.tell(
            "T40",
            f"there is no {SETTINGS_FILE} in this folder",
            whole_file(path),
            "chronicle new  makes one",
        )
        raise CampaignUnreadable(files.problems)
    tree = files.tree_of(file).tree
    if isinstance(tree, MappingNode):
        check_version(files, tree, path)
    if not isinstance(tree, MappingNode):
        for diagnostic in files.problems:
            if diagnostic.code == "T3":
                diagnostic.free_help = ("settings start with  game:  title:  players:",)
        if tree is not None:
            files.problems.tell(
                "T40",
                "the campaign's settings are 'key: value' lines",
                place_of(tree, path),
                "start with  game:  title:  players:",
            )
        raise CampaignUnreadable(files.problems)
    game = tree.get(ScalarNode("game"))
    if not isinstance(game, ScalarNode) or not game:
        start = Place(path, tree.line, tree.column, tree.line, tree.column + 1)
        session = "log" in tree
        files.problems.tell(
            "T40",
            "this is a session, and campaign.yaml holds the campaign's settings"
            if session
            else "'game' is missing: which game is played",
            start,
            f"write  game:  and one of {', '.join(files.rulebooks)}",
            "a session goes into a file of its own: 01.yaml" if session else "",
        )
        raise CampaignUnreadable(files.problems)
    game_name = game.strip().casefold().replace(" ", "-").replace("_", "-")
    if game_name not in files.rulebooks:
        names = list(files.rulebooks)
        similar = nearest_words(game, names)
        files.problems.tell(
            "T40",
            f"no game '{game}'{ask_whether(game, similar)}",
            place_of(game, path),
            f"games: {', '.join(names)}",
            ""
            if similar
            else "if it is a game plug-in, install its package: pip install -r requirements.txt",
            fixes=replace_with(similar, is_told=True),
        )
        raise CampaignUnreadable(files.problems)
    try:
        return files.rulebooks[game_name], tree
    except GameUnavailable as error:
        files.problems.tell("T40", str(error), place_of(game, path), *error.help)
        raise CampaignUnreadable(files.problems) from None


def check_version(files: CampaignFiles, tree: MappingNode, path: str) -> None:
    """Refuse a campaign that is written in a newer version of the format."""
    version = tree.get(ScalarNode("format"))
    if (
        not isinstance(version, ScalarNode)
        or not is_figure(version.strip())
        or int(version) <= FORMAT
    ):
        return
    newer = problem(
        "T87",
        f"this campaign is written in version {version} of the format, and this Chronicle knows "
        f"version {FORMAT}",
        place_of(version, path),
        "get a newer Chronicle; nothing of the campaign was read",
    )
    raise CampaignUnreadable([newer])


def read_settings(
    files: CampaignFiles, kind: type[Settings], tree: MappingNode, path: str
) -> Settings:
    """``campaign.yaml`` as the game reads it."""
    settings = read_part(kind, tree, path, files.problems)
    if settings is None:
        raise CampaignUnreadable(files.problems)
    if not settings.players:
        files.problems.tell(
            "T23",
            "nobody plays: 'players' names no one",
            place_of(settings.value_of("players"), path),
            "write who sits at the table, in order, as in  players: [Ana, Bo, Cy]",
        )
        raise CampaignUnreadable(files.problems)
    if len(settings.players) > MOST_PLAYERS:
        files.problems.tell(
            "T5",
            f"more than {MOST_PLAYERS} players are too many for one table",
            place_of(settings.value_of("players"), path),
            "name those who sit at this table; another table is a campaign of its own",
        )
        raise CampaignUnreadable(files.problems)
    spellings: dict[str, ScalarNode] = {}
    for player in settings.players:
        first = spellings.setdefault(fold(player), player)
        if first is not player:
            files.problems.tell(
                "T26",
                f"'{player}' sits at the table twice",
                place_of(player, path),
                "give them different names, Ana and Ana B.",
                facts=(Fact("first here", place_of(first, path)),),
            )
    return settings
