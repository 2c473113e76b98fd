"""``chronicle state``, ``show`` and ``find``: the record on a screen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronicle.cli import completing
from chronicle.cli.out import Cannot, Ink, campaign_at, width, workspace_at
from chronicle.cli.where import IN, at_path, placed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chronicle.cli.terminal import Terminal
    from chronicle.core.book import Block, Book, Sheet
    from chronicle.core.names import Named
    from chronicle.core.record import Record, Step
    from chronicle.workspace import Workspace

Finder = Callable[[str], tuple[int, int] | None]
"""Start and end of the first match in a line; None if there is none."""
LEAST = 20
"""How much of a headline is shown at least, however long the place before it."""


@click.command()
@at_path
@click.option(
    "--at",
    "moment",
    help="Show the state after this entry: a number, an id, or FILE:LINE. Default: the last entry.",
)
@click.option(
    "--what-if",
    "entry",
    metavar="ENTRY",
    help="Try an entry, in YAML: show its effects and its problems. Nothing is written.",
)
@click.option("--all", "everything", is_flag=True, help="List every move that may come next.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="text for people, json for programs.",
)
def state(path: Path, moment: str | None, entry: str | None, everything: bool, form: str) -> int:
    """Show the state of play: whose turn it is, who has what, open duties and possible moves.

    With --what-if, the exit code is 1 if the entry has an error.

    \b
      chronicle state
      chronicle state --at 01.yaml:27
      chronicle state --what-if "roll: {Ana: [3, 8], Ben: 7}"
    """  # noqa: D301
    from chronicle.cli.moments import step_at
    from chronicle.core.diagnostic import Severity, count_severities, plural

    workspace, record = workspace_at(campaign_at(path))
    number = len(record.steps) if moment is None else step_at(record, moment)
    if entry is not None:
        return _what_if(workspace, record, number, entry, form)
    with workspace.after(number) as play:
        if form == "json":
            _print(_as_data(play))
            return 0
        ink = Ink()
        position = f", after entry {number} of {len(record.steps)}"
        click.echo(ink(record.campaign.title, "bold") + position)
        tell_situation(play, terminal(), everything=everything)
        secrets = play.vault.unrevealed()
    if secrets:
        shut = [secret.secret_id for secret in secrets if secret.seal]
        sealed = f", {', '.join(shut)} among them" if shut else ""
        click.echo(f"\nNot revealed yet: {plural(len(secrets), 'secret')}{sealed}.")
    errors = count_severities(record.diagnostics)[Severity.ERROR]
    if errors:
        lists = "lists it" if errors == 1 else "lists them"
        words = f"The log has {plural(errors, 'error')}; 'chronicle check' {lists}."
        click.echo()
        click.echo(ink(words, "red"))
    return 0


def _print(data: Any) -> None:
    import json

    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _as_data(play: Any) -> dict[str, Any]:
    """The moment with every balance and figure, and the figures that are not certain."""
    from chronicle.core.state_data import figures, holdings, state_of_play, uncertain_figures

    measures = {**play.rulebook.measures}
    return state_of_play(play) | {
        "balances": holdings(play),
        "figures": figures(play, measures),
        "uncertain": uncertain_figures(play, measures),
    }


def _what_if(workspace: Workspace, record: Record, number: int, entry: str, form: str) -> int:
    """Replay another entry after the entry with this number, and print its effects."""
    from chronicle.cli.terminal import safe
    from chronicle.core.sentences import FigureChange

    if number:
        span = record.step(number).action.whole_place
        where, line = span.path, span.line
    elif record.campaign.sessions:
        where, line = record.campaign.sessions[0].path, 1
    else:
        raise Cannot(
            "no session is logged yet", "write the first file, with  session: 1  and  log:"
        )
    outcome = workspace.what_if(Path(where).resolve(), line, entry)
    if outcome is None:
        raise Cannot("nothing is played there, so nothing can be tried")
    has_error = any(problem["severity"] == "error" for problem in outcome["findings"])
    if form == "json":
        _print(outcome)
        return int(has_error)
    ink = Ink()
    click.echo(ink(f"After entry {number}, this would happen; nothing is written:", "bold"))
    for effect in outcome["did"]:
        _lines(f"  {effect}")
    for change in outcome["changes"]:
        _lines(f"  {FigureChange(**change)}".replace("→", "->"))
    if not outcome["did"]:
        click.echo("  nothing that counts")
    for problem in outcome["findings"]:
        head = ink(
            f"{problem['severity']}[{problem['code'].rpartition(':')[2]}]",
            "red" if problem["severity"] == "error" else "yellow",
        )
        click.echo(f"{head} {safe(problem['message'])}")
        for help in problem.get("help") or ():
            click.echo(f"  help: {safe(help)}")
    if not outcome["findings"]:
        click.echo(ink("No problems.", "green"))
    click.echo()
    _lines(outcome["situation"])
    return int(has_error)


def terminal() -> Terminal:
    """The terminal at hand."""
    from chronicle.cli.terminal import Terminal

    return Terminal(width(), Ink())


def tell_situation(play: Any, screen: Terminal, *, everything: bool = False) -> None:
    """The situation, the open duties, the panel, and the possible moves."""
    from chronicle.core.state_data import uncertainty_note

    situation = play.rulebook.situation(play)
    if situation:
        _lines(situation)
    duties = due_table(play)
    uncertain = uncertainty_note(play, {**play.rulebook.measures})
    drawn = screen.draw([*duties, *play.rulebook.panel(play), *uncertain])
    if drawn:
        click.echo(f"\n{drawn}")
    for text in told_options(play, screen, everything=everything):
        click.echo("\n" + text)


def due_table(play: Any) -> list[Block]:
    """Open duties with their sources; empty if there are none."""
    from chronicle.core.book import Column, Table

    obligations = play.rulebook.due(play)
    if not obligations:
        return []
    several = len({obligation.within for obligation in obligations}) > 1
    owing: dict[tuple[str, ...], list[str]] = {}
    for obligation in obligations:
        counted = f"{obligation.amount} {obligation.what}" if obligation.amount else obligation.what
        where = f" in '{obligation.within}'" if several and obligation.within else ""
        owing.setdefault(
            (counted + where, obligation.why(), obligation.verb, obligation.rule), []
        ).append(obligation.who)
    rows = tuple((", ".join(filter(None, debtors)), *duty) for duty, debtors in owing.items())
    columns = (Column("who"), Column("what"), Column("from"), Column("verb"), Column("rule"))
    return [Table(columns, rows, "What is due")]


def _lines(text: str) -> None:
    """A text in lines of the width at hand."""
    from chronicle.cli.terminal import safe, wrapped

    for line in wrapped(safe(text), width()):
        click.echo(line)


FEW = 8
"""How many kinds of moves are shown before the rest is folded."""


def told_options(play: Any, screen: Terminal, *, everything: bool = False) -> list[str]:
    """The possible moves; moves that settle an open duty come first. There is a line for each verb and
    effect. Beyond a few, the rest are only named, unless ``everything`` is set."""
    from chronicle.core.book import Column, Table
    from chronicle.core.state_data import likely_first

    obligations = play.rulebook.due(play)
    options = likely_first(play.rulebook.options(play), obligations)
    if not options:
        return []
    columns = (Column("verb"), Column("who"), Column("what"), Column("rule"))
    if everything:
        rows_of_moves = dict.fromkeys(
            (move.verb, move.by, move.hint, move.rule) for move in options
        )
        return [screen.draw([Table(columns, tuple(rows_of_moves), "What may come next")])]
    groups: dict[tuple[str, str], list[Any]] = {}
    for move in options:
        groups.setdefault((move.verb, move.rule), []).append(move)
    shown = dict(list(groups.items())[:FEW])
    rows = tuple(
        (verb, _actors(moves), _hint(moves), rule) for (verb, rule), moves in shown.items()
    )
    texts = [screen.draw([Table(columns, rows, "What may come next")])]
    other_verbs = list(
        dict.fromkeys(verb for verb, _ in groups if verb not in {key[0] for key in shown})
    )
    if other_verbs:
        texts.append(_folded(f"Also: {', '.join(other_verbs)}. '--all' tells everything."))
    elif len(options) > len(rows):
        texts.append(_folded("'--all' tells each of them apart."))
    return texts


def _actors(options: Sequence[Any]) -> str:
    names = list(dict.fromkeys(move.by for move in options if move.by))
    return ", ".join(names) if len(names) < 4 else f"{len(names)} players"


def _hint(options: Sequence[Any]) -> str:
    hints: list[str] = list(dict.fromkeys(move.hint for move in options))
    others_count = len(hints) - 1
    return hints[0] + (f" (or {others_count} more)" if others_count else "")


def _folded(text: str) -> str:
    from chronicle.cli.terminal import wrapped

    return "\n".join(wrapped(text, width()))


@click.command()
@click.argument("name", nargs=-1, required=True, shell_complete=completing.names)
@IN
def show(name: tuple[str, ...], path: Path) -> int:
    """Show the sheet of NAME: a character, a Component or a player.

    Names work as in a log: capitals do not matter, and aliases and single words are accepted. If two
    have the same name, Chronicle lists their ids; write the id instead.

    \b
      chronicle show Iben
      chronicle show the lighthouse --in sessions/our-table
    """  # noqa: D301
    from chronicle.campaigns import open_book
    from chronicle.cli.terminal import columns, safe, wrapped

    name, path = placed(name, path)
    book = open_book(campaign_at(path))
    match = _sheet(book, " ".join(name))
    screen, ink = terminal(), Ink()
    if isinstance(match, str):
        click.echo(ink(match, "bold") + "  player")
        click.echo("\n" + screen.draw([_player(book, match)]))
        return 0
    sheet = match
    head = " · ".join(filter(None, (sheet.kind, sheet.player, sheet.status)))
    if columns(sheet.name) + 2 + columns(head) <= width():
        click.echo(ink(sheet.name, "bold") + (f"  {head}" if head else ""))
    else:
        for line in wrapped(safe(sheet.name), width()):
            click.echo(ink(line, "bold"))
        for line in wrapped(safe(head), width() - 2):
            click.echo(f"  {line}")
    if sheet.aliases:
        _lines(f"also called {', '.join(sheet.aliases)}")
    if sheet.former_names:
        _lines(f"formerly {', '.join(sheet.former_names)}")
    if sheet.tagline:
        _lines(sheet.tagline)
    drawn = screen.draw([*sheet.aside, *sheet.blocks])
    if drawn:
        click.echo(f"\n{drawn}")
    return 0


def _player(book: Book, name: str) -> Block:
    """A player's characters and holdings, in a game without sheets for players."""
    from chronicle.core.book import Facts
    from chronicle.core.diagnostic import amount_in_units, plural
    from chronicle.core.gaps import at_most, is_upper_bound
    from chronicle.core.ledger import kind_of, owner_of

    rows = [("plays", ", ".join(s.name for s in book.sheets if s.player == name) or "nobody")]
    for account, unit, amount in book.record.ledger.balances():
        if owner_of(account) == name:
            label = book.accounts.get(kind_of(account), kind_of(account))
            bound = is_upper_bound(book.record, account, unit)
            rows.append((label, at_most(amount_in_units(amount, unit), bound)))
    acts = [step for step in book.record.visible_steps() if step.player == name]
    rows.append(("acted", plural(len(acts), "time")))
    return Facts(tuple(rows))


def _sheet(book: Book, word: str) -> Sheet | str:
    """The sheet of a name; a player who has none is given as a name.

    Raises:
        Cannot: when there is no sheet or player of that name.
    """
    from chronicle.core.diagnostic import did_you_mean
    from chronicle.core.names import PLAYER, Named

    match = book.record.names.find_by_name_or_id(word)
    if isinstance(match, Named):
        sheet = book.sheet(match.id)
        if sheet is not None:
            return sheet
        if match.kind == PLAYER:
            return match.name
    elif match.candidates:
        raise Cannot(match.message, *_states(book, match.candidates))
    folded = word.casefold()
    for sheet in book.sheets:
        if folded in (name.casefold() for name in sheet.names):
            return sheet
    names = [sheet.name for sheet in book.sheets]
    raise Cannot(
        f"no sheet for '{word}'{did_you_mean(word, names)}",
        f"there are: {', '.join(names)}" if names else "this campaign has no sheets yet",
    )


def _states(book: Book, components: Sequence[Named]) -> list[str]:
    """The state of all components with the same name, each below its id."""
    if len({named.name for named in components}) > 1:
        return []
    sheets = [(named.id, book.sheet(named.id)) for named in components]
    return [f"{id}: {sheet.status}" for id, sheet in sheets if sheet is not None and sheet.status]


@click.command()
@click.argument("text", nargs=-1)
@IN
@click.option("--player", metavar="NAME", help="Only entries of this player.")
@click.option("--verb", metavar="VERB", help="Only entries with this verb.")
@click.option("--rule", metavar="ID", help="Only entries that this rule applies to.")
@click.option("--scene", metavar="SCENE", help="Only in this scene: a number or a title.")
@click.option("--session", type=click.IntRange(0), help="Only in this session.")
@click.option("-e", "--regex", is_flag=True, help="TEXT is a regular expression.")
def find(
    text: tuple[str, ...],
    path: Path,
    player: str | None,
    verb: str | None,
    rule: str | None,
    scene: str | None,
    session: int | None,
    regex: bool,
) -> int:
    """Search for TEXT in stories, moves and names. Capitals do not matter.

    Each result comes with its place in the log. Without TEXT, you see all entries that the other
    options select. The exit code is 1 if there are none.

    \b
      chronicle find the old mill
      chronicle find --verb roll --player Ana
      chronicle find -e "promise[sd]?" --session 3
    """  # noqa: D301
    from chronicle.campaigns import run
    from chronicle.cli.terminal import columns, safe, shortened

    text, path = placed(text, path)
    record = run(campaign_at(path))
    words = " ".join(text)
    accepts = _step_filter(record, player, verb, rule, scene, session)
    if not words.strip() and accepts is None:
        raise Cannot(
            "nothing to look for", "write some words, or --player, --verb, --rule, --scene"
        )
    search = _finder(words, regex)
    ink = Ink()
    count = 0
    for named in record.names.all.values() if words.strip() and accepts is None else ():
        for name_text in (named.name, *named.aliases):
            if search(unicodedata.normalize("NFC", name_text)):
                old = name_text in record.names.former_names(named)
                was = (
                    f", {'formerly' if old else 'also'} '{name_text}'"
                    if name_text != named.name
                    else ""
                )
                click.echo(f"{ink(named.kind, 'cyan')}: {named.name}{was}")
                count += 1
                break
    for step in record.visible_steps():
        if accepts is not None and not accepts(step):
            continue
        for told_text in _texts_of(record, step) or [step.action.verb]:
            excerpt = _surroundings(told_text, search, width() - 4)
            if excerpt is not None:
                place = step.action.place()
                where = f"{place.path}:{place.line}"
                room = max(LEAST, width() - columns(where) - 2)
                head = shortened(safe(step.headline or step.action.verb), room)
                click.echo(f"{ink(where, 'cyan')}  {head}")
                if words.strip():
                    click.echo(f"    {_with_match_marked(excerpt, search, ink)}")
                count += 1
                break
    return 0 if count else 1


def _finder(words: str, regex: bool) -> Finder:
    """Find a text in a line, letter case aside.

    Raises:
        Cannot: when it is no regular expression.
    """
    from chronicle.core.names import fold

    if not regex:
        return lambda line: _folded_span(line, fold(words))
    try:
        pattern = re.compile(unicodedata.normalize("NFC", words), re.IGNORECASE)
    except re.error as error:
        marker = [words, " " * error.pos + "^"] if error.pos is not None else []
        raise Cannot(f"'{words}' is no regular expression: {error.msg}", *marker) from None

    def search(line: str) -> tuple[int, int] | None:
        match = pattern.search(line)
        return match.span() if match is not None else None

    return search


def _no_player(record: Record, word: str, message: str) -> Cannot:
    """The message for a name that is no player; for a character, with the player who speaks for it."""
    from chronicle.campaigns import book_of
    from chronicle.core.diagnostic import listed
    from chronicle.core.names import Named

    named = record.names.find(word)
    if not isinstance(named, Named):
        return Cannot(f"no player '{word}'{message}")
    sheet = book_of(record).sheet(named.id)
    players = [sheet.player] if sheet is not None and sheet.player else []
    players = players or [*dict.fromkeys(
        step.player for step in record.visible_steps() if step.player and step.speaker == named.name
    )]  # fmt: skip
    if not players:
        explanation = (
            f"nobody speaks for {named.name};",
            f"find the name:  chronicle find {named.name}",
        )
        return Cannot(f"'{word}' is no player", " ".join(explanation))
    return Cannot(
        f"'{word}' is no player",
        f"{listed(players)} {'speaks' if len(players) == 1 else 'speak'} for {named.name}:  --player {players[0]}",
    )


def _step_filter(
    record: Record,
    player: str | None,
    verb: str | None,
    rule: str | None,
    scene: str | None,
    session: int | None,
) -> Callable[[Step], bool] | None:
    """Whether an entry is one of those asked for; None if all are.

    Raises:
        Cannot: when there is no such player, verb or scene.
    """
    from chronicle.core.diagnostic import did_you_mean
    from chronicle.core.names import PLAYER, Named, fold
    from chronicle.core.rules import comparable_id

    tests: list[Callable[[Step], bool]] = []
    if player is not None:
        match = record.names.find(player, (PLAYER,))
        if not isinstance(match, Named):
            raise _no_player(record, player, match.message)
        tests.append(lambda step: step.player == match.name)
    if verb is not None:
        if verb.casefold() not in record.rulebook.by_verb:
            known_verbs = list(record.rulebook.by_verb)
            raise Cannot(f"no verb '{verb}' in this game{did_you_mean(verb, known_verbs)}")
        tests.append(lambda step: step.action.verb == verb.casefold())
    if rule is not None:
        code = comparable_id(rule.rpartition(":")[2])
        tests.append(
            lambda step: (
                any(comparable_id(event.rule) == code for event in step.events)
                or any(comparable_id(posting.rule) == code for posting in record.postings(step))
                or any(comparable_id(diagnostic.code) == code for diagnostic in step.diagnostics)
            )
        )
    if scene is not None:
        scenes = record.timeline.scenes
        numbers = {
            scene_record.number
            for scene_record in scenes
            if str(scene_record.number) == scene or fold(scene) in fold(scene_record.title)
        }
        if not numbers:
            raise Cannot(
                f"no scene '{scene}'{did_you_mean(scene, [scene_record.title for scene_record in scenes])}"
            )
        tests.append(lambda step: step.scene in numbers)
    if session is not None:
        tests.append(lambda step: step.session == session)
    return (lambda step: all(test(step) for test in tests)) if tests else None


def _texts_of(record: Record, step: Step) -> list[str]:
    """Everything an entry says, except secrets."""
    from chronicle.cli.terminal import unmarked

    texts = [step.headline, step.fiction, step.talk, *(event.text for event in step.events)]
    scene = record.timeline.get(step.scene) if step.scene else None
    if scene is not None and scene.first_step == step.number:
        texts.append(" ".join(filter(None, (scene.title, scene.place, scene.time))))
    return [unmarked(text) for text in texts if text]


def _surroundings(text: str, search: Finder, room: int) -> str | None:
    """The surroundings of the first find in ``room`` columns; None if there is none."""
    from chronicle.cli.terminal import columns, safe, shortened

    line = unicodedata.normalize("NFC", " ".join(safe(text).split()))
    match = search(line)
    if match is None:
        return None
    if columns(line) <= room:
        return line
    start = match[0]
    while start and columns(line[start - 1 : match[0]]) <= room // 3:
        start -= 1
    return shortened(("…" if start else "") + line[start:], room)


def _folded_span(line: str, folded_text: str) -> tuple[int, int] | None:
    """Start and end of a folded text in a line, letter case aside."""
    folded = [letter.casefold() for letter in line]
    start = "".join(folded).find(folded_text)
    if start < 0:
        return None
    # A folded letter can become two (ß, İ), so positions are counted before folding.
    origin = [n for n, letters in enumerate(folded) for _ in letters]
    return (origin[start], origin[start + len(folded_text) - 1] + 1) if folded_text else (0, 0)


def _with_match_marked(line: str, search: Finder, ink: Ink) -> str:
    start, end = search(line) or (0, 0)
    return line[:start] + ink(line[start:end], "yellow", "bold") + line[end:]
