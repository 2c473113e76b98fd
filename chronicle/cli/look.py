"""``chronicle state``, ``show`` and ``find``: the record on a screen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronicle.cli import completing
from chronicle.cli.out import Cannot, TextStyler, campaign_at, line_width, workspace_at
from chronicle.cli.where import IN_OPTION, split_path, with_path_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chronicle.cli.terminal import TerminalRenderer
    from chronicle.core.campaign_view import Block, CampaignView, Sheet
    from chronicle.core.names import Named
    from chronicle.core.record import Record, Step
    from chronicle.workspace import Workspace

MatchFinder = Callable[[str], tuple[int, int] | None]
"""Start and end of the first match in a line; None if there is none."""
MIN_HEADLINE_WIDTH = 20
"""How much of a headline is shown at least, however long the place before it."""


@click.command()
@with_path_argument
@click.option(
    "--at",
    "entry_reference",
    help="Show the state after this entry: a number, an id, or FILE:LINE. Default: the last entry.",
)
@click.option(
    "--what-if",
    "what_if_text",
    metavar="ENTRY",
    help="Try an entry, in YAML: show its effects and its problems. Nothing is written.",
)
@click.option("--all", "shows_all_moves", is_flag=True, help="List every move that may come next.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="text for people, json for programs.",
)
def state(
    path: Path,
    entry_reference: str | None,
    what_if_text: str | None,
    shows_all_moves: bool,
    output_format: str,
) -> int:
    """Show the state of play: whose turn it is, who has what, open duties and possible moves.

    With --what-if, the exit code is 1 if the entry has an error.

    \b
      chronicle state
      chronicle state --at 01.yaml:27
      chronicle state --what-if "roll: {Ana: [3, 8], Ben: 7}"
    """  # noqa: D301
    from chronicle.cli.moments import step_number_at
    from chronicle.core.diagnostic import Severity, count_severities, plural

    workspace, record = workspace_at(campaign_at(path))
    step_number = (
        len(record.steps) if entry_reference is None else step_number_at(record, entry_reference)
    )
    if what_if_text is not None:
        return _what_if(workspace, record, step_number, what_if_text, output_format)
    with workspace.after(step_number) as context:
        if output_format == "json":
            _print_json(_state_data(context))
            return 0
        styler = TextStyler()
        position_text = f", after entry {step_number} of {len(record.steps)}"
        click.echo(styler(record.campaign.title, "bold") + position_text)
        print_situation(context, make_terminal_renderer(), shows_all_moves=shows_all_moves)
        unrevealed_secrets = context.vault.unrevealed()
    if unrevealed_secrets:
        sealed_ids = [secret.secret_id for secret in unrevealed_secrets if secret.seal]
        sealed_text = f", {', '.join(sealed_ids)} among them" if sealed_ids else ""
        click.echo(f"\nNot revealed yet: {plural(len(unrevealed_secrets), 'secret')}{sealed_text}.")
    error_count = count_severities(record.diagnostics)[Severity.ERROR]
    if error_count:
        list_phrase = "lists it" if error_count == 1 else "lists them"
        error_sentence = (
            f"The log has {plural(error_count, 'error')}; 'chronicle check' {list_phrase}."
        )
        click.echo()
        click.echo(styler(error_sentence, "red"))
    return 0


def _print_json(data: Any) -> None:
    import json

    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _state_data(context: Any) -> dict[str, Any]:
    """The moment with every balance and figure, and the figures that are not certain."""
    from chronicle.core.state_data import figures, holdings, state_of_play, uncertain_figures

    measures = {**context.rulebook.measures}
    return state_of_play(context) | {
        "balances": holdings(context),
        "figures": figures(context, measures),
        "uncertain": uncertain_figures(context, measures),
    }


def _what_if(
    workspace: Workspace, record: Record, step_number: int, entry_text: str, output_format: str
) -> int:
    """Replay another entry after the entry with this number, and print its effects."""
    from chronicle.cli.terminal import safe
    from chronicle.core.sentences import FigureChange

    if step_number:
        span = record.step(step_number).action.whole_place
        log_path, line_number = span.path, span.line
    elif record.campaign.sessions:
        log_path, line_number = record.campaign.sessions[0].path, 1
    else:
        raise Cannot(
            "no session is logged yet", "write the first file, with  session: 1  and  log:"
        )
    trial_result = workspace.what_if(Path(log_path).resolve(), line_number, entry_text)
    if trial_result is None:
        raise Cannot("nothing is played there, so nothing can be tried")
    has_error = any(finding["severity"] == "error" for finding in trial_result["findings"])
    if output_format == "json":
        _print_json(trial_result)
        return int(has_error)
    styler = TextStyler()
    click.echo(styler(f"After entry {step_number}, this would happen; nothing is written:", "bold"))
    for effect in trial_result["did"]:
        _print_wrapped(f"  {effect}")
    for change in trial_result["changes"]:
        _print_wrapped(f"  {FigureChange.from_data(change)}".replace("→", "->"))
    if not trial_result["did"]:
        click.echo("  nothing that counts")
    for finding in trial_result["findings"]:
        finding_label = styler(
            f"{finding['severity']}[{finding['code'].rpartition(':')[2]}]",
            "red" if finding["severity"] == "error" else "yellow",
        )
        click.echo(f"{finding_label} {safe(finding['message'])}")
        for help_line in finding.get("help") or ():
            click.echo(f"  help: {safe(help_line)}")
    if not trial_result["findings"]:
        click.echo(styler("No problems.", "green"))
    click.echo()
    _print_wrapped(trial_result["situation"])
    return int(has_error)


def make_terminal_renderer() -> TerminalRenderer:
    """A renderer for the terminal at hand, as wide as that is."""
    from chronicle.cli.terminal import TerminalRenderer

    return TerminalRenderer(line_width(), TextStyler())


def print_situation(
    context: Any, terminal_renderer: TerminalRenderer, *, shows_all_moves: bool = False
) -> None:
    """The situation, the open duties, the panel, and the possible moves."""
    from chronicle.core.state_data import uncertainty_note

    situation = context.rulebook.situation(context)
    if situation:
        _print_wrapped(situation)
    duty_tables = duties_table(context)
    uncertainty_blocks = uncertainty_note(context, {**context.rulebook.measures})
    state_text = terminal_renderer.draw(
        [*duty_tables, *context.rulebook.panel(context), *uncertainty_blocks]
    )
    if state_text:
        click.echo(f"\n{state_text}")
    for moves_text in moves_as_texts(context, terminal_renderer, shows_all_moves=shows_all_moves):
        click.echo("\n" + moves_text)


def duties_table(context: Any) -> list[Block]:
    """Open duties with their sources; empty if there are none."""
    from chronicle.core.campaign_view import Column, Table

    obligations = context.rulebook.due(context)
    if not obligations:
        return []
    has_several_contests = len({obligation.within for obligation in obligations}) > 1
    debtors_by_duty: dict[tuple[str, ...], list[str]] = {}
    for obligation in obligations:
        amount_text = (
            f"{obligation.amount} {obligation.what}" if obligation.amount else obligation.what
        )
        contest_text = (
            f" in '{obligation.within}'" if has_several_contests and obligation.within else ""
        )
        debtors_by_duty.setdefault(
            (amount_text + contest_text, obligation.why(), obligation.verb, obligation.rule), []
        ).append(obligation.who)
    duty_rows = tuple(
        (", ".join(filter(None, debtors)), *duty) for duty, debtors in debtors_by_duty.items()
    )
    columns = (Column("who"), Column("what"), Column("from"), Column("verb"), Column("rule"))
    return [Table(columns, duty_rows, "What is due")]


def _print_wrapped(text: str) -> None:
    """A text in lines of the width at hand."""
    from chronicle.cli.terminal import safe, wrap_to_columns

    for line in wrap_to_columns(safe(text), line_width()):
        click.echo(line)


MAX_MOVE_KINDS = 8
"""How many kinds of moves are shown before the rest is folded."""


def moves_as_texts(
    context: Any, terminal_renderer: TerminalRenderer, *, shows_all_moves: bool = False
) -> list[str]:
    """The possible moves; moves that settle an open duty come first. There is a line for each verb and
    effect. Beyond a few, the rest are only named, unless ``shows_all_moves`` is set."""
    from chronicle.core.campaign_view import Column, Table
    from chronicle.core.state_data import due_moves_first

    obligations = context.rulebook.due(context)
    possible_moves = due_moves_first(context.rulebook.options(context), obligations)
    if not possible_moves:
        return []
    columns = (Column("verb"), Column("who"), Column("what"), Column("rule"))
    if shows_all_moves:
        move_rows = dict.fromkeys(
            (move.verb, move.by, move.hint, move.rule) for move in possible_moves
        )
        return [terminal_renderer.draw([Table(columns, tuple(move_rows), "What may come next")])]
    moves_by_kind: dict[tuple[str, str], list[Any]] = {}
    for move in possible_moves:
        moves_by_kind.setdefault((move.verb, move.rule), []).append(move)
    shown_moves_by_kind = dict(list(moves_by_kind.items())[:MAX_MOVE_KINDS])
    move_kind_rows = tuple(
        (verb, _actors_of_moves(moves), _hint_of_moves(moves), rule)
        for (verb, rule), moves in shown_moves_by_kind.items()
    )
    move_texts = [terminal_renderer.draw([Table(columns, move_kind_rows, "What may come next")])]
    other_verbs = list(
        dict.fromkeys(
            verb
            for verb, _ in moves_by_kind
            if verb not in {verb_and_rule[0] for verb_and_rule in shown_moves_by_kind}
        )
    )
    if other_verbs:
        move_texts.append(
            _wrap_to_width(f"Also: {', '.join(other_verbs)}. '--all' tells everything.")
        )
    elif len(possible_moves) > len(move_kind_rows):
        move_texts.append(_wrap_to_width("'--all' lists each one."))
    return move_texts


def _actors_of_moves(moves: Sequence[Any]) -> str:
    player_names = list(dict.fromkeys(move.by for move in moves if move.by))
    return ", ".join(player_names) if len(player_names) < 4 else f"{len(player_names)} players"


def _hint_of_moves(moves: Sequence[Any]) -> str:
    hints: list[str] = list(dict.fromkeys(move.hint for move in moves))
    other_count = len(hints) - 1
    return hints[0] + (f" (or {other_count} more)" if other_count else "")


def _wrap_to_width(text: str) -> str:
    from chronicle.cli.terminal import wrap_to_columns

    return "\n".join(wrap_to_columns(text, line_width()))


@click.command()
@click.argument("name", nargs=-1, required=True, shell_complete=completing.complete_names)
@IN_OPTION
def show(name: tuple[str, ...], path: Path) -> int:
    """Show the sheet of NAME: a character, a Component or a player.

    Names work as in a log: capitals do not matter, and aliases and single words are accepted. If two
    have the same name, Chronicle lists their ids; write the id instead.

    \b
      chronicle show Iben
      chronicle show the lighthouse --in sessions/our-table
    """  # noqa: D301
    from chronicle.campaigns import open_view
    from chronicle.cli.terminal import display_width, safe, wrap_to_columns

    name_words, path = split_path(name, path)
    view = open_view(campaign_at(path))
    sheet_or_player = _find_sheet(view, " ".join(name_words))
    terminal_renderer, styler = make_terminal_renderer(), TextStyler()
    if isinstance(sheet_or_player, str):
        click.echo(styler(sheet_or_player, "bold") + "  player")
        click.echo("\n" + terminal_renderer.draw([_player_facts(view, sheet_or_player)]))
        return 0
    sheet = sheet_or_player
    subtitle = " · ".join(filter(None, (sheet.kind, sheet.player, sheet.status)))
    if display_width(sheet.name) + 2 + display_width(subtitle) <= line_width():
        click.echo(styler(sheet.name, "bold") + (f"  {subtitle}" if subtitle else ""))
    else:
        for line in wrap_to_columns(safe(sheet.name), line_width()):
            click.echo(styler(line, "bold"))
        for line in wrap_to_columns(safe(subtitle), line_width() - 2):
            click.echo(f"  {line}")
    if sheet.aliases:
        _print_wrapped(f"also called {', '.join(sheet.aliases)}")
    if sheet.former_names:
        _print_wrapped(f"formerly {', '.join(sheet.former_names)}")
    if sheet.tagline:
        _print_wrapped(sheet.tagline)
    sheet_text = terminal_renderer.draw([*sheet.aside, *sheet.blocks])
    if sheet_text:
        click.echo(f"\n{sheet_text}")
    return 0


def _player_facts(view: CampaignView, player_name: str) -> Block:
    """A player's characters and holdings, in a game without sheets for players."""
    from chronicle.core.campaign_view import Facts
    from chronicle.core.diagnostic import amount_in_units, plural
    from chronicle.core.gaps import at_most, is_upper_bound
    from chronicle.core.ledger import kind_of, owner_of

    fact_rows = [
        (
            "plays",
            ", ".join(sheet.name for sheet in view.sheets if sheet.player == player_name)
            or "nobody",
        )
    ]
    for account, unit, amount in view.record.ledger.balances():
        if owner_of(account) == player_name:
            account_title = view.accounts.get(kind_of(account), kind_of(account))
            is_upper_limit = is_upper_bound(view.record, account, unit)
            fact_rows.append(
                (account_title, at_most(amount_in_units(amount, unit), is_upper_limit))
            )
    steps_of_player = [step for step in view.record.visible_steps() if step.player == player_name]
    fact_rows.append(("acted", plural(len(steps_of_player), "time")))
    return Facts(tuple(fact_rows))


def _find_sheet(view: CampaignView, searched_name: str) -> Sheet | str:
    """The sheet of a name; a player who has none is given as a name.

    Raises:
        Cannot: when there is no sheet or player of that name.
    """
    from chronicle.core.diagnostic import did_you_mean
    from chronicle.core.names import PLAYER, Named

    lookup_result = view.record.names.find_by_name_or_id(searched_name)
    if isinstance(lookup_result, Named):
        sheet = view.sheet(lookup_result.id)
        if sheet is not None:
            return sheet
        if lookup_result.kind == PLAYER:
            return lookup_result.name
    elif lookup_result.candidates:
        raise Cannot(lookup_result.message, *_states_of_namesakes(view, lookup_result.candidates))
    folded_name = searched_name.casefold()
    for sheet in view.sheets:
        if folded_name in (sheet_name.casefold() for sheet_name in sheet.names):
            return sheet
    sheet_names = [sheet.name for sheet in view.sheets]
    raise Cannot(
        f"no sheet for '{searched_name}'{did_you_mean(searched_name, sheet_names)}",
        f"there are: {', '.join(sheet_names)}"
        if sheet_names
        else "this campaign has no sheets yet",
    )


def _states_of_namesakes(view: CampaignView, components: Sequence[Named]) -> list[str]:
    """The state of all components with the same name, each below its id."""
    if len({component.name for component in components}) > 1:
        return []
    ids_and_sheets = [(component.id, view.sheet(component.id)) for component in components]
    return [
        f"{sheet_id}: {sheet.status}"
        for sheet_id, sheet in ids_and_sheets
        if sheet is not None and sheet.status
    ]


@click.command()
@click.argument("text", nargs=-1)
@IN_OPTION
@click.option("--player", metavar="NAME", help="Only entries of this player.")
@click.option("--verb", metavar="VERB", help="Only entries with this verb.")
@click.option("--rule", "rule_id", metavar="ID", help="Only entries that this rule applies to.")
@click.option(
    "--scene",
    "scene_title_or_number",
    metavar="SCENE",
    help="Only in this scene: a number or a title.",
)
@click.option("--session", "session_number", type=click.IntRange(0), help="Only in this session.")
@click.option("-e", "--regex", "is_regex", is_flag=True, help="TEXT is a regular expression.")
def find(
    text: tuple[str, ...],
    path: Path,
    player: str | None,
    verb: str | None,
    rule_id: str | None,
    scene_title_or_number: str | None,
    session_number: int | None,
    is_regex: bool,
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
    from chronicle.cli.terminal import display_width, safe, shortened_to_width

    searched_words, path = split_path(text, path)
    record = run(campaign_at(path))
    searched_text = " ".join(searched_words)
    accepts_step = _make_step_filter(
        record, player, verb, rule_id, scene_title_or_number, session_number
    )
    if not searched_text.strip() and accepts_step is None:
        raise Cannot(
            "nothing to look for", "write some words, or --player, --verb, --rule, --scene"
        )
    find_match = _make_match_finder(searched_text, is_regex)
    styler = TextStyler()
    match_count = 0
    for named_item in (
        record.names.all.values() if searched_text.strip() and accepts_step is None else ()
    ):
        for name_text in (named_item.name, *named_item.aliases):
            if find_match(unicodedata.normalize("NFC", name_text)):
                is_former = name_text in record.names.former_names(named_item)
                other_name_text = (
                    f", {'formerly' if is_former else 'also'} '{name_text}'"
                    if name_text != named_item.name
                    else ""
                )
                click.echo(f"{styler(named_item.kind, 'cyan')}: {named_item.name}{other_name_text}")
                match_count += 1
                break
    for step in record.visible_steps():
        if accepts_step is not None and not accepts_step(step):
            continue
        for told_text in _searchable_texts(record, step) or [step.action.verb]:
            excerpt = _excerpt_around(told_text, find_match, line_width() - 4)
            if excerpt is not None:
                place = step.action.place()
                place_text = f"{place.path}:{place.line}"
                headline_width = max(
                    MIN_HEADLINE_WIDTH, line_width() - display_width(place_text) - 2
                )
                headline = shortened_to_width(
                    safe(step.headline or step.action.verb), headline_width
                )
                click.echo(f"{styler(place_text, 'cyan')}  {headline}")
                if searched_text.strip():
                    click.echo(f"    {_with_match_marked(excerpt, find_match, styler)}")
                match_count += 1
                break
    return 0 if match_count else 1


def _make_match_finder(searched_text: str, is_regex: bool) -> MatchFinder:
    """Find a text in a line, letter case aside.

    Raises:
        Cannot: when it is no regular expression.
    """
    from chronicle.core.names import fold

    if not is_regex:
        return lambda line: _folded_span(line, fold(searched_text))
    try:
        pattern = re.compile(unicodedata.normalize("NFC", searched_text), re.IGNORECASE)
    except re.error as error:
        marker_lines = [searched_text, " " * error.pos + "^"] if error.pos is not None else []
        raise Cannot(
            f"'{searched_text}' is no regular expression: {error.msg}", *marker_lines
        ) from None

    def find_by_pattern(line: str) -> tuple[int, int] | None:
        pattern_match = pattern.search(line)
        return pattern_match.span() if pattern_match is not None else None

    return find_by_pattern


def _no_player(record: Record, searched_name: str, message: str) -> Cannot:
    """The message for a name that is no player; for a character, with the player who speaks for it."""
    from chronicle.campaigns import view_of
    from chronicle.core.diagnostic import listed
    from chronicle.core.names import Named

    lookup_result = record.names.find(searched_name)
    if not isinstance(lookup_result, Named):
        return Cannot(f"no player '{searched_name}'{message}")
    sheet = view_of(record).sheet(lookup_result.id)
    speaking_players = [sheet.player] if sheet is not None and sheet.player else []
    speaking_players = speaking_players or [*dict.fromkeys(
        step.player for step in record.visible_steps() if step.player and step.speaker == lookup_result.name
    )]  # fmt: skip
    if not speaking_players:
        reason_and_hint = (
            f"nobody speaks for {lookup_result.name};",
            f"find the name:  chronicle find {lookup_result.name}",
        )
        return Cannot(f"'{searched_name}' is no player", " ".join(reason_and_hint))
    return Cannot(
        f"'{searched_name}' is no player",
        f"{listed(speaking_players)} {'speaks' if len(speaking_players) == 1 else 'speak'} for {lookup_result.name}:"
        f"  --player {speaking_players[0]}",
    )


def _make_step_filter(
    record: Record,
    player: str | None,
    verb: str | None,
    sought_rule: str | None,
    scene_title_or_number: str | None,
    session_number: int | None,
) -> Callable[[Step], bool] | None:
    """Whether an entry is one of those asked for; None if all are.

    Raises:
        Cannot: when there is no such player, verb or scene.
    """
    from chronicle.core.diagnostic import did_you_mean
    from chronicle.core.names import PLAYER, Named, fold
    from chronicle.core.rules import comparable_id

    conditions: list[Callable[[Step], bool]] = []
    if player is not None:
        lookup_result = record.names.find(player, (PLAYER,))
        if not isinstance(lookup_result, Named):
            raise _no_player(record, player, lookup_result.message)
        conditions.append(lambda step: step.player == lookup_result.name)
    if verb is not None:
        if verb.casefold() not in record.rulebook.by_verb:
            known_verbs = list(record.rulebook.by_verb)
            raise Cannot(f"no verb '{verb}' in this game{did_you_mean(verb, known_verbs)}")
        conditions.append(lambda step: step.action.verb == verb.casefold())
    if sought_rule is not None:
        rule_id = comparable_id(sought_rule.rpartition(":")[2])
        conditions.append(
            lambda step: (
                any(comparable_id(event.rule) == rule_id for event in step.events)
                or any(comparable_id(posting.rule) == rule_id for posting in record.postings(step))
                or any(comparable_id(diagnostic.code) == rule_id for diagnostic in step.diagnostics)
            )
        )
    if scene_title_or_number is not None:
        scenes = record.timeline.scenes
        scene_numbers = {
            known_scene.number
            for known_scene in scenes
            if str(known_scene.number) == scene_title_or_number
            or fold(scene_title_or_number) in fold(known_scene.title)
        }
        if not scene_numbers:
            raise Cannot(
                f"no scene '{scene_title_or_number}'"
                + did_you_mean(scene_title_or_number, [known_scene.title for known_scene in scenes])
            )
        conditions.append(lambda step: step.scene in scene_numbers)
    if session_number is not None:
        conditions.append(lambda step: step.session == session_number)
    return (lambda step: all(condition(step) for condition in conditions)) if conditions else None


def _searchable_texts(record: Record, step: Step) -> list[str]:
    """Everything an entry says, except secrets."""
    from chronicle.cli.terminal import without_marks

    entry_texts = [step.headline, step.fiction, step.talk, *(event.text for event in step.events)]
    scene = record.timeline.get(step.scene) if step.scene else None
    if scene is not None and scene.first_step == step.number:
        entry_texts.append(" ".join(filter(None, (scene.title, scene.place, scene.time))))
    return [without_marks(entry_text) for entry_text in entry_texts if entry_text]


def _excerpt_around(text: str, find_match: MatchFinder, max_width: int) -> str | None:
    """The surroundings of the first find in ``max_width`` columns; None if there is none."""
    from chronicle.cli.terminal import display_width, safe, shortened_to_width

    one_line_text = unicodedata.normalize("NFC", " ".join(safe(text).split()))
    match_span = find_match(one_line_text)
    if match_span is None:
        return None
    if display_width(one_line_text) <= max_width:
        return one_line_text
    excerpt_start = match_span[0]
    while (
        excerpt_start
        and display_width(one_line_text[excerpt_start - 1 : match_span[0]]) <= max_width // 3
    ):
        excerpt_start -= 1
    return shortened_to_width(
        ("…" if excerpt_start else "") + one_line_text[excerpt_start:], max_width
    )


def _folded_span(line: str, folded_text: str) -> tuple[int, int] | None:
    """Start and end of a folded text in a line, letter case aside."""
    folded_letters = [letter.casefold() for letter in line]
    folded_start = "".join(folded_letters).find(folded_text)
    if folded_start < 0:
        return None
    # A folded letter can become two (ß, İ), so positions are counted before folding.
    letter_indexes = [
        letter_index
        for letter_index, folded_letter in enumerate(folded_letters)
        for _ in folded_letter
    ]
    return (
        (letter_indexes[folded_start], letter_indexes[folded_start + len(folded_text) - 1] + 1)
        if folded_text
        else (0, 0)
    )


def _with_match_marked(line: str, find_match: MatchFinder, styler: TextStyler) -> str:
    match_start, match_end = find_match(line) or (0, 0)
    return (
        line[:match_start]
        + styler(line[match_start:match_end], "yellow", "bold")
        + line[match_end:]
    )
