"""``chronicle explain``: a rule by its number, the verbs of a game, or one line of a log."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronicle.cli import completing
from chronicle.cli.out import Cannot, TextStyler, line_width
from chronicle.cli.where import IN_OPTION, split_path
from chronicle.core.file_reading import read_file

if TYPE_CHECKING:
    from chronicle.cli.lookup import Hit
    from chronicle.core.game import Game
    from chronicle.core.rules import Registry, Rule, Ruling


MOST_CAMPAIGNS_SEARCHED = 20
"""Maximum number of campaigns whose names are searched."""


@click.command()
@click.argument(
    "query",
    nargs=-1,
    required=True,
    metavar="ID | VERB | FILE:LINE | WORDS",
    shell_complete=completing.complete_rule_ids,
)
@click.option("--game", "chosen_game", help="The game, if several games have this id.")
@click.option(
    "--all", "shows_all_moves", is_flag=True, help="For a line: list every move that may come next."
)
@IN_OPTION
def explain(
    query: tuple[str, ...], chosen_game: str | None, shows_all_moves: bool, path: Path
) -> int:
    """Explain a rule, a verb, or one line of a log; or search the rules for words.

    Capitals and dots do not matter. The beginning of an id, such as S1.3, lists everything under it.
    For a file, the end of its path is enough. A line in the head of a session shows how things are when
    the session opens.

    \b
      chronicle explain P11              a rule of your campaign's game
      chronicle explain positive:P11     a rule of another game
      chronicle explain T11              a rule about the form of logs, the same in all games
      chronicle explain slow-burn        a game
      chronicle explain verbs            all verbs of your game
      chronicle explain take over        one verb and its keys
      chronicle explain against          a key: the verbs that take it, and its meaning
      chronicle explain licence          a key of campaign.yaml or of the head of a session
      chronicle explain backing down     rules, rulings, house rules and people with these words
      chronicle explain 01.yaml:27       one line: before, its effects, after, possible moves
    """  # noqa: D301
    from chronicle.cli.explain_line import print_line
    from chronicle.cli.moments import file_and_line
    from chronicle.core.field_types import UNRECORDED
    from chronicle.games import is_game

    if chosen_game is not None and not is_game(chosen_game):
        raise _no_game(chosen_game, chosen_game)
    query, path = split_path(query, path)
    query_text = " ".join(query).strip()
    if not query_text:
        raise Cannot("nothing to explain", "chronicle explain --help  shows what can be asked")
    file_line = file_and_line(query_text)
    if file_line is not None and (
        file_line[0].suffix or file_line[0].exists() or os.sep in query_text
    ):
        return print_line(*file_line, path, shows_all_moves=shows_all_moves)
    game_name = _find_game(query_text)
    if game_name:
        return _print_game(game_name)
    game_names = [chosen_game] if chosen_game else _find_game_names(path)
    if query_text.casefold() == UNRECORDED:
        click.echo(
            f"{UNRECORDED}:  a value for every key that may be unknown\n"
            "Write it where something happened and nobody wrote down what: the faces of dice, a name.\n"
            "Chronicle then takes it as unknown, and reports nothing that rests on it."
        )
        return 0
    if query_text.casefold() in ("verb", "verbs"):
        return _print_verbs(_only_game(game_names))
    if Path(query_text).is_file() or Path(query_text).suffix == ".yaml":
        raise Cannot(f"which line of {query_text}?", f"chronicle explain {query_text}:12")
    return (
        0
        if _print_matches(query_text, game_names, path)
        else _print_rule(query_text, chosen_game, game_names)
    )


def _no_game(game_word: str, game_key: str) -> Cannot:
    from chronicle.core.diagnostic import did_you_mean
    from chronicle.games import game_names

    known_games = game_names()
    return Cannot(
        f"no game '{game_word}'{did_you_mean(game_key, known_games)}", ", ".join(known_games)
    )


def _game_key(game_word: str) -> str:
    """The name of a game, spelt like its key."""
    return "-".join(re.findall(r"\w+", game_word.casefold().replace("_", " ")))


def _find_game(game_word: str) -> str:
    """The game of that name, by its key or its title; empty if it is none."""
    from chronicle.games import is_game, rulebooks

    game_key = _game_key(game_word)
    if is_game(game_key):
        return game_key
    return next((rules.name for rules in rulebooks() if game_key == _game_key(rules.title)), "")


def _print_game(game_name: str) -> int:
    """Print where to find the words and the rules of a game."""
    from chronicle.games import rulebook
    from chronicle.services.new_campaign import group_in_words

    rules, styler = rulebook(game_name), TextStyler()
    click.echo(f"{styler(game_name, 'cyan', 'bold')}  {styler(rules.title, 'bold')}\n")
    _print_paragraphs(f"{group_in_words(rules)}. {rules.summary}")
    first_rule = rules.registry().rules[0]
    purpose_by_command = {
        f"chronicle explain verbs --game {game_name}": "its verbs, each with an example",
        f"chronicle reference {game_name}": "every verb with all its keys",
        f"chronicle explain {game_name}:{first_rule.id}": f"a rule: {first_rule.title}",
    }
    column_width = max(map(len, purpose_by_command))
    click.echo(
        "\n"
        + "\n".join(
            f"  {command:{column_width}}  {purpose}"
            for command, purpose in purpose_by_command.items()
        )
    )
    return 0


def _only_game(campaign_games: list[str]) -> str:
    """The game of the campaigns here, if it is one.

    Raises:
        Cannot: when it is not.
    """
    from chronicle.games import game_names

    if len(campaign_games) == 1:
        return campaign_games[0]
    raise Cannot(
        "which game?"
        if not campaign_games
        else f"the campaigns here play {' and '.join(campaign_games)}",
        f"add  --game  and one of {', '.join(game_names())}",
        "or    --in    and the folder of a campaign",
    )


def _find_game_names(path: Path) -> list[str]:
    """The games of the campaigns at, below or around a folder, in order."""
    from chronicle.games import is_game
    from chronicle.syntax.find import MOST_FOLDERS_SEARCHED, find_campaigns

    game_names: dict[str, None] = {}
    for folder in find_campaigns(path, max_folders=MOST_FOLDERS_SEARCHED):
        try:
            settings_text = read_file(folder / "campaign.yaml").decode("utf-8", "replace")[:20000]
        except OSError:
            continue
        game_line_match = re.search(r"(?m)^game:\s*['\"]?([\w -]+)", settings_text)
        game_name = _game_key(game_line_match[1]) if game_line_match else ""
        if is_game(game_name):
            game_names[game_name] = None
    return list(game_names)


# -- ids -------------------------------------------------------------------------------------------


def _print_matches(query_text: str, game_names: list[str], path: Path) -> bool:
    """Print the verb of that name, else everything with these words, people and keys of files included,
    unless it is the id of a rule."""
    from chronicle.cli.lookup import (
        find_keys,
        find_verb,
        print_hits,
        print_keys,
        print_verb,
        print_verb_key,
        search_rules,
        verbs_with_key,
    )
    from chronicle.cli.terminal import safe
    from chronicle.core.form import registry as form_registry
    from chronicle.games import rulebook, rulebooks
    from chronicle.syntax.find import MOST_FOLDERS_SEARCHED, find_campaigns

    if ":" in query_text.rstrip(":"):
        return False
    rulebooks_searched = [*map(rulebook, game_names)] if game_names else [*rulebooks()]

    def is_rule_id() -> bool:
        return bool(form_registry().get(query_text)) or any(
            _has_rule(rules.registry(), query_text) for rules in rulebooks()
        )

    # No verb contains a digit; the key of a ruling can be a verb as well.
    if any(letter.isdigit() for letter in query_text) and is_rule_id():
        return False
    games_and_verbs = [
        (rules, action_class)
        for rules in rulebooks_searched
        if (action_class := find_verb(rules, query_text))
    ]
    if games_and_verbs and (
        len(rulebooks_searched) == 1
        or len({action_class for _, action_class in games_and_verbs}) == 1
    ):
        print_verb(*games_and_verbs[0])
        if action_classes := verbs_with_key(games_and_verbs[0][0], query_text):
            click.echo()
            print_verb_key(games_and_verbs[0][0], query_text, action_classes, is_verb=True)
        return True
    if games_and_verbs:
        raise Cannot(
            f"'{query_text}' is a verb of {len(games_and_verbs)} games",
            *(
                f"chronicle explain {query_text} --game {rules.name}"
                for rules, _ in games_and_verbs
            ),
        )
    if is_rule_id():
        return False
    folders = find_campaigns(path, max_folders=MOST_FOLDERS_SEARCHED)
    named_items = [*_find_in_campaigns(query_text, folders)]
    head_keys = find_keys(rulebooks_searched, query_text)
    has_key = _print_verb_keys(rulebooks_searched, query_text)
    # In several games one word alone leads everywhere.
    hits_of_games: list[tuple[Game[Any], list[Hit]]] = []
    for matches_any_word in (
        (False, True)
        if len(rulebooks_searched) == 1 and not (named_items or head_keys)
        else (False,)
    ):
        if has_key:
            break
        hits_of_games = [
            (rules, search_rules(rules, query_text, folders, any_word=matches_any_word))
            for rules in rulebooks_searched
        ]
        hits_of_games = [
            (rules, hits_of_game) for rules, hits_of_game in hits_of_games if hits_of_game
        ]
        if hits_of_games:
            break
    for game_index, (rules, hits_of_game) in enumerate(hits_of_games):
        if game_index:
            click.echo()
        print_hits(rules, query_text, hits_of_game, is_known=bool(named_items or head_keys))
    if named_items:
        styler = TextStyler()
        click.echo(
            ("\n" if hits_of_games or has_key else "") + styler("In your campaigns:", "bold")
        )
    for item_kind, item_name, command in named_items:
        click.echo(f"  {item_kind} {styler(safe(item_name), 'cyan')}   {command}")
    if head_keys and (hits_of_games or named_items or has_key):
        click.echo()
    print_keys(head_keys)
    return bool(hits_of_games or named_items or head_keys or has_key)


def _print_verb_keys(games: Sequence[Game[Any]], key: str) -> bool:
    """Print the keys of that name; whether there are any. A key of every entry is the same in all games."""
    from chronicle.cli.lookup import print_verb_key, verbs_with_key

    games_with_key = [
        (rules, action_classes) for rules in games if (action_classes := verbs_with_key(rules, key))
    ]
    if games_with_key and not games_with_key[0][1][0].verb:
        games_with_key = games_with_key[:1]
    for game_index, (rules, action_classes) in enumerate(games_with_key):
        if game_index:
            click.echo()
        print_verb_key(rules, key, action_classes)
    return bool(games_with_key)


def _find_in_campaigns(
    searched_name: str, folders: Sequence[Path]
) -> Iterator[tuple[str, str, str]]:
    """Characters, Components and players with this name: kind, name, and the command that shows each."""
    import shlex

    from chronicle.campaigns import load, run
    from chronicle.core.names import Named
    from chronicle.syntax.campaign_files import CampaignUnreadable

    for folder in folders[:MOST_CAMPAIGNS_SEARCHED]:
        try:
            lookup_result = run(load(folder), shown=False).names.find_by_name_or_id(searched_name)
        except CampaignUnreadable:
            continue
        if isinstance(lookup_result, Named):
            in_option = f" --in {shlex.quote(str(folder))}" if len(folders) > 1 else ""
            yield (
                lookup_result.kind,
                lookup_result.name,
                f"chronicle show {shlex.quote(lookup_result.name)}{in_option}",
            )


def _print_rule(query_text: str, game: str | None, campaign_games: list[str]) -> int:
    from chronicle.core.form import registry as form_registry
    from chronicle.games import is_game, rulebook, rulebooks

    prefix, colon, rule_id = query_text.rpartition(":")
    if colon:
        game = _game_key(prefix)
        if not is_game(game):
            raise _no_game(prefix, game)
    form_rule = form_registry().get(rule_id)
    if form_rule is not None and not (game and _has_rule(rulebook(game).registry(), rule_id)):
        _print_item(form_rule, "", form_registry())
        _print_example(
            form_rule.id, game or (campaign_games[0] if len(campaign_games) == 1 else "")
        )
        return 0
    wanted_games = [game] if game else campaign_games
    for candidate_games in (wanted_games, [] if game else [rules.name for rules in rulebooks()]):
        games_with_rule = [
            game_name
            for game_name in candidate_games
            if _has_rule(rulebook(game_name).registry(), rule_id)
        ]
        if len(games_with_rule) == 1:
            if campaign_games and games_with_rule[0] not in campaign_games:
                game_titles = " and ".join(
                    rulebook(game_name).title for game_name in campaign_games
                )
                intro_text = (
                    "the game here is" if len(campaign_games) == 1 else "the games here are"
                )
                click.echo(
                    f"A rule of {rulebook(games_with_rule[0]).title}; {intro_text} {game_titles}.\n"
                )
            _print_items(rulebook(games_with_rule[0]).registry(), games_with_rule[0], rule_id)
            return 0
        if games_with_rule:
            explain_commands = []
            for game_name in games_with_rule:
                rule_or_ruling = rulebook(game_name).registry().get(rule_id)
                item_title = (
                    _item_title(rule_or_ruling) if rule_or_ruling is not None else "several parts"
                )
                explain_commands.append(
                    f"chronicle explain {game_name}:{rule_id.upper():8} {item_title}"
                )
            raise Cannot(f"'{rule_id}' stands in {len(games_with_rule)} games", *explain_commands)
    candidate_games = wanted_games or [rules.name for rules in rulebooks()]
    known_ids = [
        rule_or_ruling.id
        for game_name in candidate_games
        for rule_or_ruling in _rules_and_rulings(rulebook(game_name).registry())
    ]
    known_ids += [rule_or_ruling.id for rule_or_ruling in form_registry().rules]
    from chronicle.core.diagnostic import did_you_mean

    hint = did_you_mean(rule_id, known_ids)
    game_text = f" in {rulebook(game).title}" if game else ""
    raise Cannot(
        f"no rule '{rule_id}'{game_text}{hint}",
        "every rule has its page on the site, by number",
        f'people and things of a campaign:  chronicle show "{rule_id}"',
    )


def _rules_and_rulings(registry: Registry) -> Sequence[Rule | Ruling]:
    return (*registry.rules, *registry.rulings)


def _has_rule(registry: Registry, rule_id: str) -> bool:
    return (
        registry.get(rule_id) is not None
        or _ruling_by_key(registry, rule_id) is not None
        or bool(registry.parts(rule_id))
    )


def _ruling_by_key(registry: Registry, ruling_key: str) -> Ruling | None:
    """A ruling by the key that campaign.yaml uses."""
    folded_key = ruling_key.strip().casefold()
    return next(
        (
            ruling
            for ruling in registry.rulings
            if ruling.key and ruling.key.casefold() == folded_key
        ),
        None,
    )


def _print_items(registry: Registry, game: str, rule_id: str) -> None:
    rule_or_ruling = registry.get(rule_id) or _ruling_by_key(registry, rule_id)
    rules_below = registry.parts(rule_id)
    if rule_or_ruling is not None:
        _print_item(rule_or_ruling, game, registry)
    if rules_below:
        from chronicle.games import rulebook

        styler = TextStyler()
        click.echo(
            "\nIts parts:"
            if rule_or_ruling is not None
            else f"{rule_id} of {rulebook(game).title} has parts:"
        )
        for part_rule in rules_below:
            click.echo(f"  {styler(f'{part_rule.id:8}', 'cyan')} {_item_title(part_rule)}")


def _item_title(rule_or_ruling: Rule | Ruling) -> str:
    from chronicle.core.rules import Rule

    return rule_or_ruling.title if isinstance(rule_or_ruling, Rule) else rule_or_ruling.question


def _print_item(rule_or_ruling: Rule | Ruling, game: str, registry: Registry) -> None:
    from chronicle.core.rules import Rule

    styler = TextStyler()
    qualified_id = f"{game}:{rule_or_ruling.id}" if game else rule_or_ruling.id
    click.echo(
        f"{styler(qualified_id, 'cyan', 'bold')}  {styler(_item_title(rule_or_ruling), 'bold')}"
    )
    if isinstance(rule_or_ruling, Rule):
        if rule_or_ruling.chapter:
            click.echo(styler(rule_or_ruling.chapter, "dim"))
        click.echo()
        _print_paragraphs(rule_or_ruling.text)
        click.echo()
        _print_paragraphs(_rule_class_text(rule_or_ruling))
        rulings_on_rule = [
            other_ruling
            for other_ruling in registry.rulings
            if rule_or_ruling.id in other_ruling.rules
        ]
        if rulings_on_rule:
            click.echo("\nRulings that touch it:")
            for ruling in rulings_on_rule:
                click.echo(f"  {styler(f'{ruling.id:8}', 'cyan')} {ruling.question}")
        return
    click.echo()
    for reading_index, (reading, reading_text) in enumerate(rule_or_ruling.readings.items()):
        default_mark = (
            " (default)" if reading_index == 0 and len(rule_or_ruling.readings) > 1 else ""
        )
        _print_paragraphs(f"{reading}{default_mark}: {reading_text}", first_indent="  ")
    click.echo()
    _print_paragraphs(rule_or_ruling.reason)
    if rule_or_ruling.key and len(rule_or_ruling.readings) > 1:
        second_reading = list(rule_or_ruling.readings)[1]
        click.echo("\nTo choose another reading, write in campaign.yaml:\n")
        click.echo(f"  rulings:\n    {rule_or_ruling.key}: {second_reading}")
    if rule_or_ruling.rules:
        click.echo(f"\nIt touches {', '.join(rule_or_ruling.rules)}.")


def _print_example(rule_id: str, game: str) -> None:
    """Print the mistake and its correction, if there are any, in the words of a game."""
    from chronicle.cli.game_example import mistake_in_game
    from chronicle.games import rulebook
    from chronicle.syntax.explain import EXAMPLES

    example, styler = EXAMPLES.get(rule_id), TextStyler()
    mistake = mistake_in_game(rulebook(game), rule_id) if game else None
    if mistake is not None:
        click.echo(f"\nIn {rulebook(game).title} it reads, for example:\n\n{mistake.report}")
        click.echo(f"\nWrite:\n\n  {styler(mistake.correct_line, 'green')}")
        return
    if example is None:
        return
    for heading, example_text, colour in (
        ("Instead of", example.wrong_lines, "red"),
        ("Write", example.right_lines, "green"),
    ):
        if example_text:
            click.echo(f"\n{heading}:\n")
            for example_line in example_text.splitlines():
                click.echo(f"  {styler(example_line, colour)}".rstrip())


def _rule_class_text(rule: Rule) -> str:
    from chronicle.core.rules import RuleClass

    match rule.kind:
        case RuleClass.COMPUTED:
            return "Worked out: Chronicle works it out, so the log need not write it down."
        case RuleClass.CHECKED:
            return f"Checked: 'chronicle check' reports an entry that breaks this rule, with [{rule.id}]."
        case RuleClass.RECORDED:
            return f"Not judged: {rule.why}"


def _print_paragraphs(text: str, first_indent: str = "") -> None:
    import textwrap

    for paragraph in text.split("\n\n"):
        click.echo(
            textwrap.fill(
                paragraph,
                line_width(88),
                initial_indent=first_indent,
                subsequent_indent=first_indent * 2,
                break_on_hyphens=False,
                break_long_words=False,
            )
        )


def _print_verbs(game: str) -> int:
    """Every verb of a game with an example."""
    from chronicle.games import rulebook

    rules = rulebook(game)
    styler = TextStyler()
    own_verb_count = len(rules.own_verbs)
    column_width = max(map(len, rules.by_verb))
    click.echo(styler(f"What a log of {rules.title} can say", "bold") + "\n")
    for verb_index, action_class in enumerate(rules.by_verb.values()):
        if verb_index == own_verb_count:
            click.echo("\n" + styler("In every game", "bold") + "\n")
        verb_summary = " ".join((action_class.__doc__ or "").split())
        summary_lines = _wrap_hanging(verb_summary, line_width() - column_width - 4)
        click.echo(f"  {styler(f'{action_class.verb:{column_width}}', 'cyan')}  {summary_lines[0]}")
        for summary_line in summary_lines[1:]:
            click.echo(f"  {' ' * column_width}  {summary_line}")
        for specimen_line in action_class.specimen():
            click.echo(f"  {' ' * column_width}  {styler(specimen_line, 'dim')}")
    click.echo(f"\nEvery option of every verb:  chronicle reference {game}")
    return 0


def _wrap_hanging(text: str, text_width: int) -> list[str]:
    from chronicle.cli.terminal import wrap_to_columns

    return wrap_to_columns(text, max(text_width, 30)) or [""]
