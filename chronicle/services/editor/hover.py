"""Text that an editor shows: hover cards, effects of entries, balances, numbers of entries in scenes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from chronicle.core.campaign import Campaign
from chronicle.core.campaign_view import Block, Facts, Inline, Ref, Shares, Slips, Stats
from chronicle.core.declare import Action
from chronicle.core.diagnostic import amount_in_units
from chronicle.core.errors import Refused
from chronicle.core.figures import with_times
from chronicle.core.record import Side, Step
from chronicle.core.replay import Replay
from chronicle.core.source import MappingNode, Place, ScalarNode, Value, place_of, scalars
from chronicle.games import rulebook
from chronicle.services import campaign_facts
from chronicle.services.diagnostic_data import diagnostics_by_key
from chronicle.services.editor.index import Index, index_of
from chronicle.services.editor.verb_docs import describe_key, describe_verb
from chronicle.services.log import log_data
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.words import word
from chronicle.workspace import count_unchanged_entries

MOST_TRAITS = 12
"""Maximum number of words on a card, and of facts of a kind."""
MOST_FACTS = 4


class HoverText(NamedTuple):
    """Markdown for a place."""

    place: Place
    markdown: str


BALANCES_HINT, POOL_HINT, WINNER_HINT, TURN_HINT = HINT_KINDS = (
    "balances",
    "pool",
    "winner",
    "turn",
)
"""The kinds of hints; an editor may switch off each."""
MOST_VERDICT_LETTERS = 24
"""Maximum number of letters of a verdict behind a line."""


class Hint(NamedTuple):
    """A short label behind a line, of a kind in ``HINT_KINDS``."""

    line: int
    label: str
    kind: str


class Lens(NamedTuple):
    """A short label above a line."""

    line: int
    label: str


def hover(opened: OpenCampaign, file: str, line: int, column: int) -> HoverText | None:
    """The text for a position: the subject named there, the verb or key, the rule, else the effects of the
    entry."""
    scalar = _scalar_at(opened.tree(file), line, column)
    campaign_index = index_of(opened)
    mention = campaign_index.mention_at(file, line, column)
    if mention is not None:
        return HoverText(mention.place, _subject_markdown(campaign_index, mention.subject_id))
    step = campaign_index.step_at(file, line)
    if scalar is None or step is None:
        return None
    place = place_of(scalar, file)
    game = rulebook(campaign_index.record.campaign.game)
    if scalar == step.action.verb and scalar.line == step.action.whole_place.line:
        markdown_parts = [
            describe_verb(game, type(step.action)),
            _effects_markdown(campaign_index, step),
        ]
        return HoverText(place, "\n\n---\n\n".join(part for part in markdown_parts if part))
    field = step.action.fields.get(str(scalar))
    if field is not None and _is_mapping_key(opened, file, scalar):
        return HoverText(place, describe_key(type(step.action), field))
    rule_markdown = _rule_markdown(opened, str(scalar))
    if rule_markdown:
        return HoverText(place, rule_markdown)
    effects = _effects_markdown(campaign_index, step)
    return HoverText(place, effects) if effects else None


def _scalar_at(tree: Value | None, line: int, column: int) -> ScalarNode | None:
    if tree is None:
        return None
    scalars_at_place = [
        scalar
        for scalar in scalars(tree)
        if (scalar.line, scalar.column) <= (line, column) <= (scalar.end_line, scalar.end_column)
    ]
    return scalars_at_place[-1] if scalars_at_place else None


def _is_mapping_key(opened: OpenCampaign, file: str, scalar: ScalarNode) -> bool:
    row = opened.text(file).splitlines()[scalar.end_line - 1]
    return row[scalar.end_column - 1 :].lstrip().startswith(":")


def _subject_markdown(campaign_index: Index, subject_id: str) -> str:
    """The card of a subject: kind, status, words on slips, first place."""
    subject = campaign_index.subject(subject_id)
    assert subject is not None
    sheet = campaign_index.sheet(subject_id)
    lines = [f"**{_escape(subject.name)}** · {subject.kind}"]
    if sheet is not None:
        lines += [_escape(words) for words in (sheet.status, sheet.tagline) if words]
        for block in (*sheet.aside, *sheet.blocks):
            lines += _block_lines(block)
    first_place = campaign_index.first_place(subject_id)
    if first_place is not None:
        lines.append(word("server.first_named", file=first_place.path, line=first_place.line))
    return "  \n".join(lines)


def _block_lines(block: Block) -> Iterator[str]:
    """The lines of a card for a block of a sheet: figures, facts, words on slips."""
    if isinstance(block, Slips):
        slip_texts = [
            _escape(with_times(slip.text, slip.count))
            for slip in block.items
            if slip.state != "removed"
        ]
        trait_list, further_count = (
            ", ".join(slip_texts[:MOST_TRAITS]),
            len(slip_texts) - MOST_TRAITS,
        )
        if further_count > 0:
            trait_list = word("server.traits_and_more", traits=trait_list, count=further_count)
        if slip_texts:
            yield f"{_escape(block.title or word('server.traits'))}: {trait_list}"
    elif isinstance(block, Shares) and block.total:
        figure_note = f" ({_inline_markdown(block.note)})" if block.note else ""
        yield f"{_escape(block.title)}: {_escape(block.total)}{figure_note}"
    elif isinstance(block, Stats):
        yield " · ".join(f"{_escape(stat.label)}: {_escape(stat.value)}" for stat in block.items)
    elif isinstance(block, Facts):
        for label, value in block.rows[:MOST_FACTS]:
            yield f"{_escape(label)}: {_inline_markdown(value)}"


def _inline_markdown(part: Inline) -> str:
    """A line of a block as Markdown without formatting."""
    if isinstance(part, Ref):
        return _escape(part.label)
    return "".join(map(_inline_markdown, part)) if isinstance(part, tuple) else _escape(str(part))


def _effects_markdown(campaign_index: Index, step: Step) -> str:
    """The effects of an entry: sentences with their rules, payments, an explained roll."""
    if step.hidden:
        return ""
    lines = [
        f"**{_escape(step.player or word('server.the_table'))}**: {_escape(step.headline or step.action.verb)}"
    ]
    for event in step.events:
        lines.append(f"- {_escape(event.text)}" + (f" `{event.rule}`" if event.rule else ""))
    record = campaign_index.record
    for posting in record.postings(step):
        reason = f" ({_escape(posting.why)})" if posting.why else ""
        rule = f" `{posting.rule}`" if posting.rule else ""
        amount = amount_in_units(posting.amount, posting.unit)
        source, target = map(record.account_in_words, (posting.source, posting.target))
        lines.append(f"- {amount}: {_escape(source)} → {_escape(target)}{reason}{rule}")
    if step.contest is not None:
        lines += [f"- {_side_markdown(side)}" for side in step.contest.sides]
        lines += [f"- {_escape(outcome_sentence)}" for outcome_sentence in step.contest.outcome]
    return "\n".join(lines)


def _side_markdown(side: Side) -> str:
    faces = " ".join(f"**{die.face}**" if die.hit else die.face for die in side.dice)
    dice_text = f"{faces} = {_escape(side.result)}" if side.result else faces
    if side.sources:
        dice_text = word(
            "server.dice_from", dice=dice_text, sources=_escape(", ".join(side.sources))
        )
    return f"{_escape(side.name)}: {dice_text}"


def _rule_markdown(opened: OpenCampaign, rule_id: str) -> str:
    """The explanation of a rule, given by its id."""
    if not rule_id[:1].isalpha() or not any(sign.isdigit() for sign in rule_id) or " " in rule_id:
        return ""
    try:
        explanation = campaign_facts.rule_data(opened, rule_id)
    except Refused:
        return ""
    readings_markdown = "".join(
        f"\n- `{key}`: {reading_text}"
        for key, reading_text in explanation.get("readings", {}).items()
    )
    title, rule_text = _code_spans(explanation["title"]), _code_spans(explanation["text"])
    return f"**{explanation['id']}** {title}\n\n{rule_text}{readings_markdown}"


def _code_spans(rule_text: str) -> str:
    """The text of a rule as Markdown: parts in backticks are code, the rest has no formatting."""
    parts = rule_text.split("`")
    if len(parts) % 2 == 0:
        return _escape(rule_text)
    return "".join(f"`{part}`" if index % 2 else _escape(part) for index, part in enumerate(parts))


def _escape(player_text: str) -> str:
    """A player's text as Markdown without formatting."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#+!|~" else sign for sign in player_text)


def find_hints(opened: OpenCampaign, file: str, first_line: int, last_line: int) -> Iterator[Hint]:
    """The hints behind the entries of some lines: balances with changes, the winner of a roll, dice that lie
    ready, and the next turn."""
    record = opened.workspace.record
    if record is None:
        return
    step_numbers = [
        step.number
        for step in index_of(opened).steps_in(file)
        if first_line <= step.action.whole_place.line <= last_line
    ]
    if not step_numbers:
        return
    hints_by_line = _dice_and_turn_hints(opened, record.campaign).hints_by_line(
        opened, file, first_line, last_line
    )
    for entry in log_data(opened, step_numbers[0], step_numbers[-1])["entries"]:
        if entry["file"] != file or entry["hidden"] or not first_line <= entry["line"] <= last_line:
            continue
        balances = [
            f"{_text_of_spans(movement['who'])} {movement['balance']} ({movement['change']:+})"
            for movement in entry["moved"]
        ]
        if balances:
            yield Hint(entry["line"], " · ".join(balances), BALANCES_HINT)
        if entry["dice"] is not None:
            winners = [side["name"] for side in entry["dice"]["sides"] if side["won"]]
            verdict = entry["dice"]["verdict"].rpartition(": ")[2]
            # A supporter of the winner has not won: a game with a word for the result of a throw uses it.
            if verdict and len(verdict) <= MOST_VERDICT_LETTERS:
                yield Hint(entry["line"], verdict, WINNER_HINT)
            elif winners:
                yield Hint(entry["line"], word("server.won", names=", ".join(winners)), WINNER_HINT)
        yield from hints_by_line.pop(entry["line"], ())


class _DiceAndTurnHints:
    """Hints about dice and turns, by entry number. They are valid as long as earlier entries are unchanged;
    valid ones of ``previous`` are kept."""

    def __init__(self, campaign: Campaign, previous: _DiceAndTurnHints | None = None) -> None:
        self.campaign = campaign
        unchanged_count = (
            0 if previous is None else count_unchanged_entries(previous.campaign, campaign)
        )
        previous_hints = previous.hints_by_entry.items() if previous is not None else ()
        self.hints_by_entry: dict[int, list[tuple[str, str]]] = {
            number: entry_hints
            for number, entry_hints in previous_hints
            if number < unchanged_count
        }

    def hints_by_line(
        self, opened: OpenCampaign, file: str, first_line: int, last_line: int
    ) -> dict[int, list[Hint]]:
        """Hints by line: dice that an entry has laid ready, and the turn that begins with it."""
        all_entries = (action for session in self.campaign.sessions for action in session.actions)
        numbered_entries = [
            (entry_number, action)
            for entry_number, action in enumerate(all_entries)
            if action.path == file and first_line <= action.whole_place.line <= last_line
        ]
        missing_numbers = [
            entry_number
            for entry_number, _ in numbered_entries
            if entry_number not in self.hints_by_entry
        ]
        if missing_numbers:
            entries_to_replay = [
                numbered_entry
                for numbered_entry in numbered_entries
                if missing_numbers[0] <= numbered_entry[0] <= missing_numbers[-1]
            ]
            with opened.workspace.at(file, entries_to_replay[0][1].whole_place.line - 1) as replay:
                if replay is not None:
                    self._compute_hints(replay, entries_to_replay)
        return {
            action.whole_place.line: [
                Hint(action.whole_place.line, *hint_parts)
                for hint_parts in self.hints_by_entry.get(entry_number, ())
            ]
            for entry_number, action in numbered_entries
        }

    def _compute_hints(
        self, replay: Replay[Any], numbered_entries: Iterable[tuple[int, Action]]
    ) -> None:
        player_on_turn, due_dice = _turn_and_dice(replay)
        for entry_number, action in numbered_entries:
            replay.do(action)
            new_player_on_turn, new_due_dice = _turn_and_dice(replay)
            dice_texts = [f"{owner} {count} {kind}".strip() for (owner, kind), count in new_due_dice.items()
                    if due_dice.get((owner, kind)) != count]  # fmt: skip
            entry_hints = [(" · ".join(dice_texts), POOL_HINT)] if dice_texts else []
            if new_player_on_turn and new_player_on_turn != player_on_turn:
                entry_hints.append((word("server.turn_of", name=new_player_on_turn), TURN_HINT))
            self.hints_by_entry[entry_number] = entry_hints
            player_on_turn, due_dice = new_player_on_turn, new_due_dice


def _dice_and_turn_hints(opened: OpenCampaign, campaign: Campaign) -> _DiceAndTurnHints:
    cached_hints = opened.cached_values.get("moments")
    if not isinstance(cached_hints, _DiceAndTurnHints) or cached_hints.campaign is not campaign:
        previous_hints = cached_hints if isinstance(cached_hints, _DiceAndTurnHints) else None
        cached_hints = opened.cached_values["moments"] = _DiceAndTurnHints(campaign, previous_hints)
    return cached_hints


def _turn_and_dice(replay: Replay[Any]) -> tuple[str, dict[tuple[str, str], int]]:
    """The player on turn, and the dice to throw: by owner and kind, how many."""
    play, game = replay.play, replay.rulebook
    due_dice = {
        (obligation.who, obligation.what): obligation.amount
        for obligation in game.due(play)
        if obligation.amount
    }
    return game.standing(play).turn, due_dice


def _text_of_spans(spans: Any) -> str:
    return "".join(span if isinstance(span, str) else str(span["t"]) for span in spans)


def find_lenses(opened: OpenCampaign, file: str) -> Iterator[Lens]:
    """Above the first entry of each scene: the numbers of its entries and problems."""
    record = opened.workspace.record
    if record is None:
        return
    problem_count_by_step: dict[int, int] = {}
    for diagnostic in diagnostics_by_key(opened).values():
        if diagnostic.step_number:
            problem_count_by_step[diagnostic.step_number] = (
                problem_count_by_step.get(diagnostic.step_number, 0) + 1
            )
    for scene in record.timeline.scenes:
        step = record.step(scene.first_step)
        if step.action.path != file:
            continue
        last_step = scene.last_step or len(record.steps)
        problem_count = sum(
            count
            for step_number, count in problem_count_by_step.items()
            if scene.first_step <= step_number <= last_step
        )
        lens_texts = [word("server.problems", count=problem_count)] if problem_count else []
        lens_texts.append(word("server.entries", count=last_step - scene.first_step + 1))
        yield Lens(step.action.whole_place.line, ", ".join(lens_texts))


def nested_keys(value: Value) -> Iterator[ScalarNode]:
    """The keys of a mapping and of all nested mappings."""
    if isinstance(value, MappingNode):
        for key, inner_value in value.items():
            yield key
            yield from nested_keys(inner_value)
    elif isinstance(value, list):
        for inner_value in value:
            yield from nested_keys(inner_value)
