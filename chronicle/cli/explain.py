"""``chronicle explain``: a rule by its number, the verbs of a game, or one line of a log."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronicle.cli import completing
from chronicle.cli.out import Cannot, Ink, line_width, load_playable
from chronicle.cli.where import IN_OPTION, split_path
from chronicle.core.file_reading import read_file

if TYPE_CHECKING:
    from chronicle.cli.lookup import Hit
    from chronicle.core.game import Game
    from chronicle.core.record import Record, SessionRecord, Step
    from chronicle.core.rules import Registry, Rule, Ruling


MOST_CAMPAIGNS_SEARCHED = 20
"""Maximum number of campaigns whose names are searched."""


@click.command()
@click.argument(
    "query",
    nargs=-1,
    required=True,
    metavar="ID | VERB | FILE:LINE | WORDS",
    shell_complete=completing.rules,
)
@click.option("--game", help="The game, if several games have this id.")
@click.option(
    "--all", "everything", is_flag=True, help="For a line: list every move that may come next."
)
@IN_OPTION
def explain(query: tuple[str, ...], game: str | None, everything: bool, path: Path) -> int:
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
    from chronicle.cli.moments import file_and_line
    from chronicle.core.field_types import UNRECORDED
    from chronicle.games import is_game

    if game is not None and not is_game(game):
        raise _no_game(game, game)
    query, path = split_path(query, path)
    word = " ".join(query).strip()
    if not word:
        raise Cannot("nothing to explain", "chronicle explain --help  shows what can be asked")
    file_line = file_and_line(word)
    if file_line is not None and (file_line[0].suffix or file_line[0].exists() or os.sep in word):
        return _print_line(*file_line, path, everything=everything)
    game_named = _find_game(word)
    if game_named:
        return _print_game(game_named)
    games = [game] if game else _games_here(path)
    if word.casefold() == UNRECORDED:
        click.echo(
            f"{UNRECORDED}:  a value for every key that may be unknown\n"
            "Write it where something happened and nobody wrote down what: the faces of dice, a name.\n"
            "Chronicle then takes it as unknown, and reports nothing that rests on it."
        )
        return 0
    if word.casefold() in ("verb", "verbs"):
        return _print_verbs(_only_game(games))
    if Path(word).is_file() or Path(word).suffix == ".yaml":
        raise Cannot(f"which line of {word}?", f"chronicle explain {word}:12")
    return 0 if _print_matches(word, games, path) else _print_rule(word, game, games)


def _no_game(game_word: str, game_key: str) -> Cannot:
    from chronicle.core.diagnostic import did_you_mean
    from chronicle.games import game_names

    names = game_names()
    return Cannot(f"no game '{game_word}'{did_you_mean(game_key, names)}", ", ".join(names))


def _game_key(word: str) -> str:
    """The name of a game, spelt like its key."""
    return "-".join(re.findall(r"\w+", word.casefold().replace("_", " ")))


def _find_game(word: str) -> str:
    """The game of that name, by its key or its title; empty if it is none."""
    from chronicle.games import is_game, rulebooks

    game_key = _game_key(word)
    if is_game(game_key):
        return game_key
    return next((rules.name for rules in rulebooks() if game_key == _game_key(rules.title)), "")


def _print_game(name: str) -> int:
    """Print where to find the words and the rules of a game."""
    from chronicle.games import rulebook
    from chronicle.services.new_campaign import group_in_words

    rules, ink = rulebook(name), Ink()
    click.echo(f"{ink(name, 'cyan', 'bold')}  {ink(rules.title, 'bold')}\n")
    _print_paragraphs(f"{group_in_words(rules)}. {rules.summary}")
    first = rules.registry().rules[0]
    rows = {
        f"chronicle explain verbs --game {name}": "its verbs, each with an example",
        f"chronicle reference {name}": "every verb with all its keys",
        f"chronicle explain {name}:{first.id}": f"a rule: {first.title}",
    }
    column_width = max(map(len, rows))
    click.echo(
        "\n"
        + "\n".join(f"  {command:{column_width}}  {purpose}" for command, purpose in rows.items())
    )
    return 0


def _only_game(games: list[str]) -> str:
    """The game of the campaigns here, if it is one.

    Raises:
        Cannot: when it is not.
    """
    from chronicle.games import game_names

    if len(games) == 1:
        return games[0]
    raise Cannot(
        "which game?" if not games else f"the campaigns here play {' and '.join(games)}",
        f"add  --game  and one of {', '.join(game_names())}",
        "or    --in    and the folder of a campaign",
    )


def _games_here(path: Path) -> list[str]:
    """The games of the campaigns at, below or around a folder, in order."""
    from chronicle.games import is_game
    from chronicle.syntax.find import MOST_FOLDERS_SEARCHED, find_campaigns

    names: dict[str, None] = {}
    for folder in find_campaigns(path, most_folders=MOST_FOLDERS_SEARCHED):
        try:
            head = read_file(folder / "campaign.yaml").decode("utf-8", "replace")[:20000]
        except OSError:
            continue
        match = re.search(r"(?m)^game:\s*['\"]?([\w -]+)", head)
        name = _game_key(match[1]) if match else ""
        if is_game(name):
            names[name] = None
    return list(names)


# -- ids -------------------------------------------------------------------------------------------


def _print_matches(word: str, games: list[str], path: Path) -> bool:
    """Print the verb of that name, else everything with these words, people and keys of files included,
    unless it is the id of a rule."""
    from chronicle.cli.lookup import (
        find_keys,
        find_verb,
        print_hits,
        print_keys,
        print_verb,
        print_verb_key,
        search,
        verbs_with_key,
    )
    from chronicle.cli.terminal import safe
    from chronicle.core.form import registry as form
    from chronicle.games import rulebook, rulebooks
    from chronicle.syntax.find import MOST_FOLDERS_SEARCHED, find_campaigns

    if ":" in word.rstrip(":"):
        return False
    rulebooks_searched = [*map(rulebook, games)] if games else [*rulebooks()]

    def is_rule_id() -> bool:
        return bool(form().get(word)) or any(
            _has_code(rules.registry(), word) for rules in rulebooks()
        )

    # No verb contains a digit; the key of a ruling can be a verb as well.
    if any(letter.isdigit() for letter in word) and is_rule_id():
        return False
    verbs = [(rules, verb) for rules in rulebooks_searched if (verb := find_verb(rules, word))]
    if verbs and (len(rulebooks_searched) == 1 or len({verb for _, verb in verbs}) == 1):
        print_verb(*verbs[0])
        if users := verbs_with_key(verbs[0][0], word):
            click.echo()
            print_verb_key(verbs[0][0], word, users, is_verb=True)
        return True
    if verbs:
        raise Cannot(
            f"'{word}' is a verb of {len(verbs)} games",
            *(f"chronicle explain {word} --game {rules.name}" for rules, _ in verbs),
        )
    if is_rule_id():
        return False
    folders = find_campaigns(path, most_folders=MOST_FOLDERS_SEARCHED)
    people = [*_find_in_campaigns(word, folders)]
    keys = find_keys(rulebooks_searched, word)
    has_key = _print_verb_keys(rulebooks_searched, word)
    # In several games one word alone leads everywhere.
    hits: list[tuple[Game[Any], list[Hit]]] = []
    for any_word in (
        (False, True) if len(rulebooks_searched) == 1 and not (people or keys) else (False,)
    ):
        if has_key:
            break
        hits = [
            (rules, search(rules, word, folders, any_word=any_word)) for rules in rulebooks_searched
        ]
        hits = [(rules, matches) for rules, matches in hits if matches]
        if hits:
            break
    for number, (rules, matches) in enumerate(hits):
        if number:
            click.echo()
        print_hits(rules, word, matches, is_known=bool(people or keys))
    if people:
        ink = Ink()
        click.echo(("\n" if hits or has_key else "") + ink("In your campaigns:", "bold"))
    for kind, name, command in people:
        click.echo(f"  {kind} {ink(safe(name), 'cyan')}   {command}")
    if keys and (hits or people or has_key):
        click.echo()
    print_keys(keys)
    return bool(hits or people or keys or has_key)


def _print_verb_keys(games: Sequence[Game[Any]], word: str) -> bool:
    """Print the keys of that name; whether there are any. A key of every entry is the same in all games."""
    from chronicle.cli.lookup import print_verb_key, verbs_with_key

    users_by_game = [(rules, users) for rules in games if (users := verbs_with_key(rules, word))]
    if users_by_game and not users_by_game[0][1][0].verb:
        users_by_game = users_by_game[:1]
    for number, (rules, users) in enumerate(users_by_game):
        if number:
            click.echo()
        print_verb_key(rules, word, users)
    return bool(users_by_game)


def _find_in_campaigns(word: str, folders: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    """Characters, Components and players with this name: kind, name, and the command that shows each."""
    import shlex

    from chronicle.campaigns import load, run
    from chronicle.core.names import Named
    from chronicle.syntax.campaign_files import CampaignUnreadable

    for folder in folders[:MOST_CAMPAIGNS_SEARCHED]:
        try:
            subject = run(load(folder), shown=False).names.find_by_name_or_id(word)
        except CampaignUnreadable:
            continue
        if isinstance(subject, Named):
            in_option = f" --in {shlex.quote(str(folder))}" if len(folders) > 1 else ""
            yield (
                subject.kind,
                subject.name,
                f"chronicle show {shlex.quote(subject.name)}{in_option}",
            )


def _print_rule(word: str, game: str | None, campaign_games: list[str]) -> int:
    from chronicle.core.form import registry as form
    from chronicle.games import is_game, rulebook, rulebooks

    prefix, colon, code = word.rpartition(":")
    if colon:
        game = _game_key(prefix)
        if not is_game(game):
            raise _no_game(prefix, game)
    form_rule = form().get(code)
    if form_rule is not None and not (game and _has_code(rulebook(game).registry(), code)):
        _print_item(form_rule, "", form())
        _print_example(
            form_rule.id, game or (campaign_games[0] if len(campaign_games) == 1 else "")
        )
        return 0
    wanted_games = [game] if game else campaign_games
    for names in (wanted_games, [] if game else [rules.name for rules in rulebooks()]):
        hits = [name for name in names if _has_code(rulebook(name).registry(), code)]
        if len(hits) == 1:
            if campaign_games and hits[0] not in campaign_games:
                titles = " and ".join(rulebook(name).title for name in campaign_games)
                intro = "the game here is" if len(campaign_games) == 1 else "the games here are"
                click.echo(f"A rule of {rulebook(hits[0]).title}; {intro} {titles}.\n")
            _print_items(rulebook(hits[0]).registry(), hits[0], code)
            return 0
        if hits:
            lines = []
            for name in hits:
                item = rulebook(name).registry().get(code)
                title = _title(item) if item is not None else "several parts"
                lines.append(f"chronicle explain {name}:{code.upper():8} {title}")
            raise Cannot(f"'{code}' stands in {len(hits)} games", *lines)
    names = wanted_games or [rules.name for rules in rulebooks()]
    known_ids = [item.id for name in names for item in _all_items(rulebook(name).registry())]
    known_ids += [item.id for item in form().rules]
    from chronicle.core.diagnostic import did_you_mean

    hint = did_you_mean(code, known_ids)
    of_game = f" in {rulebook(game).title}" if game else ""
    raise Cannot(
        f"no rule '{code}'{of_game}{hint}",
        "every rule has its page on the site, by number",
        f'people and things of a campaign:  chronicle show "{code}"',
    )


def _all_items(registry: Registry) -> Sequence[Rule | Ruling]:
    return (*registry.rules, *registry.rulings)


def _has_code(registry: Registry, code: str) -> bool:
    return (
        registry.get(code) is not None
        or _ruling_by_key(registry, code) is not None
        or bool(registry.parts(code))
    )


def _ruling_by_key(registry: Registry, key: str) -> Ruling | None:
    """A ruling by the key that campaign.yaml uses."""
    folded = key.strip().casefold()
    return next(
        (ruling for ruling in registry.rulings if ruling.key and ruling.key.casefold() == folded),
        None,
    )


def _print_items(registry: Registry, game: str, code: str) -> None:
    item = registry.get(code) or _ruling_by_key(registry, code)
    rules_below = registry.parts(code)
    if item is not None:
        _print_item(item, game, registry)
    if rules_below:
        from chronicle.games import rulebook

        ink = Ink()
        click.echo(
            "\nIts parts:" if item is not None else f"{code} of {rulebook(game).title} has parts:"
        )
        for part in rules_below:
            click.echo(f"  {ink(f'{part.id:8}', 'cyan')} {_title(part)}")


def _title(item: Rule | Ruling) -> str:
    from chronicle.core.rules import Rule

    return item.title if isinstance(item, Rule) else item.question


def _print_item(item: Rule | Ruling, game: str, registry: Registry) -> None:
    from chronicle.core.rules import Rule

    ink = Ink()
    code = f"{game}:{item.id}" if game else item.id
    click.echo(f"{ink(code, 'cyan', 'bold')}  {ink(_title(item), 'bold')}")
    if isinstance(item, Rule):
        if item.chapter:
            click.echo(ink(item.chapter, "dim"))
        click.echo()
        _print_paragraphs(item.text)
        click.echo()
        _print_paragraphs(_rule_class(item))
        rulings = [r for r in registry.rulings if item.id in r.rules]
        if rulings:
            click.echo("\nRulings that touch it:")
            for ruling in rulings:
                click.echo(f"  {ink(f'{ruling.id:8}', 'cyan')} {ruling.question}")
        return
    click.echo()
    for index, (reading, meaning) in enumerate(item.readings.items()):
        default_mark = " (default)" if index == 0 and len(item.readings) > 1 else ""
        _print_paragraphs(f"{reading}{default_mark}: {meaning}", first="  ")
    click.echo()
    _print_paragraphs(item.reason)
    if item.key and len(item.readings) > 1:
        second_reading = list(item.readings)[1]
        click.echo("\nTo choose another reading, write in campaign.yaml:\n")
        click.echo(f"  rulings:\n    {item.key}: {second_reading}")
    if item.rules:
        click.echo(f"\nIt touches {', '.join(item.rules)}.")


def _print_example(code: str, game: str) -> None:
    """Print the mistake and its correction, if there are any, in the words of a game."""
    from chronicle.cli.game_example import mistake_in_game
    from chronicle.games import rulebook
    from chronicle.syntax.explain import EXAMPLES

    example, ink = EXAMPLES.get(code), Ink()
    mistake = mistake_in_game(rulebook(game), code) if game else None
    if mistake is not None:
        click.echo(f"\nIn {rulebook(game).title} it reads, for example:\n\n{mistake.report}")
        click.echo(f"\nWrite:\n\n  {ink(mistake.right, 'green')}")
        return
    if example is None:
        return
    for head, text, colour in (
        ("Instead of", example.wrong, "red"),
        ("Write", example.right, "green"),
    ):
        if text:
            click.echo(f"\n{head}:\n")
            for line in text.splitlines():
                click.echo(f"  {ink(line, colour)}".rstrip())


def _rule_class(rule: Rule) -> str:
    from chronicle.core.rules import RuleClass

    match rule.kind:
        case RuleClass.COMPUTED:
            return "Worked out: Chronicle works it out, so the log need not write it down."
        case RuleClass.CHECKED:
            return f"Checked: 'chronicle check' reports an entry that breaks this rule, with [{rule.id}]."
        case RuleClass.RECORDED:
            return f"Not judged: {rule.why}"


def _print_paragraphs(text: str, first: str = "") -> None:
    import textwrap

    for paragraph in text.split("\n\n"):
        click.echo(
            textwrap.fill(
                paragraph,
                line_width(88),
                initial_indent=first,
                subsequent_indent=first * 2,
                break_on_hyphens=False,
                break_long_words=False,
            )
        )


def _print_verbs(game: str) -> int:
    """Every verb of a game with an example."""
    from chronicle.games import rulebook

    rules = rulebook(game)
    ink = Ink()
    own_count = len(rules.own_verbs)
    column_width = max(map(len, rules.by_verb))
    click.echo(ink(f"What a log of {rules.title} can say", "bold") + "\n")
    for index, verb in enumerate(rules.by_verb.values()):
        if index == own_count:
            click.echo("\n" + ink("In every game", "bold") + "\n")
        summary = " ".join((verb.__doc__ or "").split())
        lines = _wrap_hanging(summary, line_width() - column_width - 4)
        click.echo(f"  {ink(f'{verb.verb:{column_width}}', 'cyan')}  {lines[0]}")
        for line in lines[1:]:
            click.echo(f"  {' ' * column_width}  {line}")
        for line in verb.specimen():
            click.echo(f"  {' ' * column_width}  {ink(line, 'dim')}")
    click.echo(f"\nEvery option of every verb:  chronicle reference {game}")
    return 0


def _wrap_hanging(text: str, text_width: int) -> list[str]:
    from chronicle.cli.terminal import wrap_to_columns

    return wrap_to_columns(text, max(text_width, 30)) or [""]


# -- lines -----------------------------------------------------------------------------------------


def _print_line(file: Path, line: int, folder: Path, *, everything: bool = False) -> int:
    """What the entry on a line did: before, the change with its rules, after, what may come next."""
    from chronicle.cli.moments import find_file, opening_of, step_on
    from chronicle.cli.out import workspace_at
    from chronicle.syntax.find import MOST_FOLDERS_SEARCHED, find_campaigns

    relative_file = (folder.parent if folder.is_file() else folder) / file
    file = find_file(
        relative_file if relative_file.is_file() else file,
        find_campaigns(folder, most_folders=MOST_FOLDERS_SEARCHED),
    )
    folders = find_campaigns(file)
    if not folders:
        raise Cannot(f"'{file}' lies in no campaign", "a campaign is a folder with a campaign.yaml")
    workspace, record = workspace_at(load_playable(folders[0]))
    opening = opening_of(record, file)
    if opening is not None and line >= 1 and (line < opening[1] or not opening[1]):
        session, entry = opening
        with workspace.after(session.first_step - 1) as state:
            for text in _explain_session_start(session, entry, state, everything):
                click.echo(text)
        return 0
    step = record.step(step_on(record, file, line))
    with (
        workspace.after(step.number - 1) as state_before,
        workspace.after(step.number) as state_after,
    ):
        for text in _entry_explanation(record, step, state_before, state_after, everything):
            click.echo(text)
    return 0


def _explain_session_start(
    session: SessionRecord, entry: int, state: Any, everything: bool
) -> Iterator[str]:
    """The state of play when a session opens, before its first entry (on line ``entry``, if any)."""
    ink = Ink()
    path, number = session.session.path, session.session.number
    first_entry_text = (
        f"entry {session.first_step} is the first" if entry else "no entry follows yet"
    )
    yield ink(f"{path}:1", "cyan") + f"  the head of session {number}"
    yield from _numbered_lines(path, 1, entry - 1 if entry else 10)
    yield ""
    yield ink(f"Session {number} opens here; {first_entry_text}.", "bold")
    situation = state.rulebook.situation(state)
    if situation:
        yield from _labelled("before", [situation])
    yield from _duties_and_moves(state, everything=everything)


def _entry_explanation(
    record: Record, step: Step, state_before: Any, state_after: Any, everything: bool
) -> Iterator[str]:
    from chronicle.cli.look import terminal
    from chronicle.cli.terminal import safe
    from chronicle.core.outcomes import outcomes_of, plain_text
    from chronicle.core.record import sentence_of
    from chronicle.core.sentences import plain

    ink, screen = Ink(), terminal()
    place = step.action.place()
    yield (
        ink(f"{place.path}:{place.line}", "cyan") + f"  entry {step.number}, session {step.session}"
    )
    yield from _entry_lines(record, step)
    yield ""
    yield ink(safe(plain(sentence_of(step))), "bold")
    situation = state_before.rulebook.situation(state_before)
    if situation:
        yield from _labelled("before", [situation])
    if step.hidden:
        yield from _labelled("secret", ["readers do not see this entry until it is revealed"])
    yield from _labelled(
        "did", [f"{event.text}{f'  [{event.rule}]' if event.rule else ''}" for event in step.events]
    )
    if step.contest is not None:
        from chronicle.core.campaign_view import ContestCard

        yield screen.draw([ContestCard(step.contest, step.number)])
    results, index = state_before.rulebook.results(), step.number
    yield from _labelled("moved", _movements(record, step))
    yield from _labelled("changed", _figure_changes(record, step, state_before, state_after))
    yield from _labelled(
        "stands",
        [plain_text(outcome.sentence) for outcome in outcomes_of(record, results, index, index)],
    )
    yield from _labelled(
        "found",
        [
            f"{diagnostic.severity}[{diagnostic.code}] {diagnostic.message}"
            for diagnostic in step.diagnostics
            if diagnostic.severity
        ],
    )
    situation = state_after.rulebook.situation(state_after)
    if situation:
        yield from _labelled("after", [situation])
    yield from _duties_and_moves(state_after, everything=everything)


def _duties_and_moves(state: Any, *, everything: bool) -> Iterator[str]:
    """Print open duties and possible moves."""
    from chronicle.cli.look import duties_table, moves_as_texts, terminal

    screen = terminal()
    duties = duties_table(state)
    for text in [
        *([screen.draw(duties)] if duties else []),
        *moves_as_texts(state, screen, everything=everything),
    ]:
        yield "\n" + text


def _labelled(label: str, texts: Sequence[str]) -> Iterator[str]:
    from chronicle.cli.terminal import safe, wrap_to_columns

    ink = Ink()
    for index, text in enumerate(texts):
        label_column = f"{label if index == 0 else '':8}"
        for line_index, line in enumerate(wrap_to_columns(safe(text), line_width() - 10)):
            yield f"  {ink(label_column, 'dim') if line_index == 0 else ' ' * 8}{line}"


def _movements(record: Record, step: Step) -> list[str]:
    """Every movement with its rule, in the words of the game."""
    from chronicle.core.diagnostic import amount_in_units

    moves = []
    for posting in record.postings(step):
        reason = ", ".join(filter(None, (posting.why, posting.rule)))
        amount = amount_in_units(posting.amount, posting.unit)
        source, target = (
            record.account_in_words(name) for name in (posting.source, posting.target)
        )
        moves.append(f"{amount}: {source} -> {target}  [{reason}]")
    return moves


def _figure_changes(record: Record, step: Step, state_before: Any, state_after: Any) -> list[str]:
    """Every figure that changed, with its value before and after; of a range, its upper limit."""
    from chronicle.core.gaps import balance_in_words

    lines = []
    for change in record.changes(step):
        account = f"{change.name}:{change.owner_id}" if change.owner_id else change.name
        values: tuple[object, object] = change.in_words()
        if change.unit and change not in step.changes:
            values = (
                balance_in_words(state_before, account, change.unit),
                balance_in_words(state_after, account, change.unit),
            )
        lines.append(f"{record.account_in_words(account)}: {values[0]} -> {values[1]}")
    return lines


def _entry_lines(record: Record, step: Step) -> Iterator[str]:
    """The first ten lines of the entry in its file, without secrets."""
    secret = {
        line
        for hidden_step in record.steps
        if hidden_step.hidden and hidden_step.action.path == step.action.path
        for line in _lines_of_entry(hidden_step)
    }
    lines = _lines_of_entry(step)
    yield from _numbered_lines(step.action.path, lines[0], lines[-1], secret)


def _lines_of_entry(step: Step) -> range:
    """The lines of an entry."""
    span = step.action.whole_place
    last = span.end_line if span.end_column > 1 else span.end_line - 1
    return range(span.line, max(span.line, last) + 1)


def _numbered_lines(path: str, first: int, last: int, secret: Container[int] = ()) -> Iterator[str]:
    """Lines of a file with their numbers, at most ten; of secret ones their numbers alone."""
    from chronicle.cli.terminal import safe
    from chronicle.syntax.characters import decode_bytes
    from chronicle.syntax.render import split_lines

    try:
        text, _ = decode_bytes(read_file(Path(path)), path)
    except OSError:
        return
    lines = list(split_lines(text or "")[first - 1 : last])
    while lines and not lines[-1].strip():
        lines.pop()
    text_width = line_width() - 8
    for number, line in enumerate(lines[:10], first):
        shown_line = safe(line) if number not in secret else "(secret)"
        if len(shown_line) > text_width:
            shown_line = f"{shown_line[: text_width - 1]}…"
        yield f"  {number:>4} | {shown_line}".rstrip()
    if len(lines) > 10:
        yield "       | ..."
