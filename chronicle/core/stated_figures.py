"""Statements about the present state: figures that are compared, corrected or set.

``assert:`` compares, ``correct:`` repairs, ``snapshot:`` sets the present state, however it came about. All
three know the same figures, and set them in the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from chronicle.core.declare import BLOCK, Action, Part, PartOf, main, option, read_value
from chronicle.core.diagnostic import DiagnosticKind, Strictness, ask_whether, listed, nearest_words
from chronicle.core.field_types import NAME, Context, FieldType, MapOf
from chronicle.core.figures import is_figure
from chronicle.core.fix import (
    BLANK,
    Fix,
    InsertEntry,
    RemoveItem,
    ReplaceWord,
    SetKey,
    make_fix,
    mark_gap,
    replace_with,
)
from chronicle.core.game_context import NARRATION_VERBS, GameContext, Measure, SnapshotItem
from chronicle.core.gaps import at_most, is_upper_bound, note_births
from chronicle.core.misread import Misread, shown
from chronicle.core.record import AGREES_EVENT_KIND, Difference, StatedFigure
from chronicle.core.references import LAST, resolve_entry_reference
from chronicle.core.schemas import Schema
from chronicle.core.set_figure import YES_NO_SYNONYMS, is_same_figure, set_figure
from chronicle.core.source import MappingNode, ScalarNode, Value, place_of

_NON_PLAY_VERBS: Final = frozenset({"assert", "correct", "snapshot", "aside", "gap"})
"""Verbs that are no part of play."""
DIFFERS_FROM_COMPUTED: Final = "found otherwise"
"""The kind of events for differences between a snapshot and the computed state."""
MAX_LISTED_DIFFERENCES = 6
"""Maximum number of differences of a snapshot in one message."""


class _StatedFiguresType(FieldType[Value]):
    """Stated figures of a game, read one by one by its measures, so that a problem affects a single figure."""

    words = "figures"

    def read(self, value: Value, context: Context) -> Value:
        return value


FIGURES: Final[FieldType[Value]] = _StatedFiguresType()
"""Figures of a game."""
GAME_STATE: Final[FieldType[Value]] = _StatedFiguresType()
"""Figures of a game, and its other state."""


class _FigureType(FieldType[Value]):
    words = "a figure"

    def __init__(self, choices: tuple[str, ...]) -> None:
        self.choices = choices

    def read(self, value: Value, context: Context) -> Value:
        return value

    def schema(self) -> Schema:
        return {"type": ["integer", "string", "boolean"]}


def stated_figures_type(
    field_type: FieldType[Any],
    measures: Mapping[str, Measure],
    snapshot_items: Mapping[str, SnapshotItem],
) -> FieldType[Any]:
    """The kind of ``FIGURES`` or ``GAME_STATE`` in a game, key by key; other kinds unchanged."""
    if field_type is not FIGURES and field_type is not GAME_STATE:
        return field_type
    part_fields: dict[str, Any] = {}
    if field_type is GAME_STATE:
        for item_number, (item_name, snapshot_item) in enumerate(snapshot_items.items()):
            part_fields[f"thing_{item_number}"] = option(
                snapshot_item.kind, snapshot_item.doc, key=item_name
            )
    for item_number, (item_name, measure) in enumerate(measures.items()):
        if field_type is FIGURES or measure.write is not None:
            figure_type = _FigureType(measure.words)
            figures_type = MapOf(NAME, figure_type) if measure.kinds else figure_type
            part_fields[f"figure_{item_number}"] = option(figures_type, measure.doc, key=item_name)
    stated_class: type[Part] = type("Stated", (Part,), part_fields)
    return PartOf(stated_class, "{figure: number}, {figure: {who: number}}")


class Assert(Action):
    """State figures as they are now. Chronicle compares those that it can compute, and believes the others."""

    verb = "assert"
    synonyms = ("count", "tally", "total", "totals", "balance", "audit")
    about_table = True
    default_actor_text = "no player"
    example = "assert: {present: {Ana: yes, Dov: no}}"
    figures = main(FIGURES, "{figure: number} or {figure: {who: number}}")


class Correct(Action):
    """Repair an earlier mistake. The repair takes effect here, and both entries link to each other."""

    verb = "correct"
    about_table = True
    default_actor_text = "no player"
    example = "correct: last\n  to: {present: {Dov: no}}\n  note: he had left by then"
    what = main(
        NAME,
        "the entry that was wrong: its id, words of it, or 'last'",
        default="last",
        words=("last",),
    )
    to = option(FIGURES, "{figure: {who: number}}: the figures from now on")


class Snapshot(Action):
    """The state of play now: figures, and objects of the game. It costs nothing and belongs to no turn. If Chronicle
    had computed another figure, it reports that once."""

    verb = "snapshot"
    default_actor_text = "no player"
    example = "snapshot: {present: {Ana: yes, Dov: no}}"
    state = main(
        GAME_STATE, "{figure: number}, {figure: {who: number}}, {thing: ...}", default=None
    )
    given = option(
        BLOCK,
        "entries that have happened by now; like those above 'play starts:' they are free and outside turns",
        default=(),
    )


def stated_figures(
    play: GameContext[Any], stated_state: Value
) -> Iterator[tuple[str, Measure, str, ScalarNode, ScalarNode]]:
    """Every single figure in an entry: (figure, measure, id of its owner or "", the owner as typed, the
    value). Parts that cannot be understood are reported and left out."""
    measures = play.rulebook.by_measure
    path = play.step.action.path
    if not isinstance(stated_state, MappingNode):
        play.unreadable(
            "T60",
            f"write figures here, not {shown(stated_state)}",
            at=place_of(stated_state, path),
            help="write {figure: {who: number}}; figures: " + ", ".join(measures),
        )
        return
    for measure_name, figures_of_measure in stated_state.items():
        measure = measures.get(measure_name)
        if measure is None:
            similar_names = nearest_words(measure_name, list(measures))
            play.unreadable(
                "T60",
                f"this game has no figure '{measure_name}'{ask_whether(measure_name, similar_names)}",
                at=place_of(measure_name, path),
                fix=replace_with(similar_names, is_told=True),
                help=f"it stands beside '{play.step.action.verb}:', not in it:  {measure_name}: ..."
                if measure_name in play.step.action.fields
                else "figures: " + ", ".join(measures),
            )
        elif not measure.kinds:
            if isinstance(figures_of_measure, ScalarNode):
                yield str(measure_name), measure, "", measure_name, figures_of_measure
            else:
                _report_no_figure(play, figures_of_measure, f"{{{measure_name}: number}}")
        elif isinstance(figures_of_measure, MappingNode):
            for typed_owner, stated_value in figures_of_measure.items():
                reveal = measure.reveal if isinstance(stated_value, ScalarNode) else None
                if reveal is not None and reveal(play, typed_owner, str(stated_value)) is False:
                    continue
                subject = play.find(
                    typed_owner,
                    measure.kinds,
                    either_kind(measure.kinds),
                    fix=() if measure.reveal is None else (mark_gap(),),
                )
                if isinstance(stated_value, ScalarNode):
                    if subject is not None:
                        yield str(measure_name), measure, subject.id, typed_owner, stated_value
                else:
                    _report_no_figure(
                        play, stated_value, f"{{{measure_name}: {{{typed_owner}: number}}}}"
                    )
        else:
            _report_no_figure(play, figures_of_measure, f"{{{measure_name}: {{who: number}}}}")


def either_kind(kinds: tuple[str, ...]) -> str:
    """Kinds of names in words: ``player or character``."""
    return " or ".join(kinds)


def _report_no_figure(play: GameContext[Any], wrong_value: Value, example_text: str) -> None:
    play.unreadable(
        "T60",
        f"write a figure here, not {shown(wrong_value)}",
        at=place_of(wrong_value, play.step.action.path),
        help=f"write {example_text}",
    )


_NUMBER_PATTERN: Final = r"[+−-]?[0-9]+"


def assert_figures(play: GameContext[Any], action: Assert) -> None:
    """Compare figures; values that the record cannot know are accepted."""
    play.step.headline = "The table counts"
    for measure_name, measure, owner_id, typed_owner, stated_value in stated_figures(
        play, action.figures
    ):
        computed_value = measure.read(play, owner_id)
        figure_label = _owner_and_measure_in_words(play, measure_name, owner_id)
        figure_keys = (measure.key(measure_name, owner_id),)
        gap_step_number = play.uncertain_since(figure_keys[0], measure.state_kind)
        # By the rules the gap cannot have changed it.
        is_unaffected = bool(gap_step_number) and (
            computed_value in measure.final or play.figure(measure_name, owner_id).is_known
        )
        gap_step_number = 0 if is_unaffected else gap_step_number
        # A figure that was not counted since an unreadable entry is possibly wrong because of it.
        doubt_keys = (
            figure_keys
            if play.unknown_until.get(figure_keys[0], 0) >= play.last_unreadable_step_number
            else (*figure_keys, "lost:")
        )
        is_number = (
            isinstance(computed_value, int) and stated_value.strip().casefold() not in measure.words
        )
        if is_number and not re.fullmatch(_NUMBER_PATTERN, stated_value.strip()):
            play.unreadable(
                "T60",
                f"a whole number belongs to {figure_label}, not {shown(stated_value)}",
                at=place_of(stated_value, action.path),
                fix=Fix(
                    (ReplaceWord(str(computed_value)),), safe=True, writes_computed_figure=True
                ),
            )
            continue
        stated_text = _shorten_for_message(stated_value)
        stated_sentence = _figure_sentence(play, measure, measure_name, owner_id, stated_text)
        is_unsure = (
            bool(gap_step_number)
            and isinstance(computed_value, int)
            and is_figure(stated_value.strip().lstrip("-"))
        )
        is_impossible = is_unsure and not play.figure(measure_name, owner_id).may_be(
            int(stated_value)
        )
        if not play.given:
            is_compared = computed_value is not None and (not gap_step_number or is_impossible)
            _note_stated_figure(
                play, measure, figure_keys[0], figure_label, stated_value, is_compared=is_compared
            )
        if computed_value is None:
            if measure.write is not None and not set_figure(
                play, measure_name, measure, owner_id, stated_value, figure_label
            ):
                continue
            play.event(f"{stated_sentence}, says the table; the record does not say")
        elif play.given and measure.write is not None:
            is_equal = is_same_figure(play, measure, stated_value, computed_value)
            if not is_equal and not set_figure(
                play, measure_name, measure, owner_id, stated_value, figure_label
            ):
                continue
            play.event(f"{stated_sentence}, given", kind="given", subject=owner_id)
        elif is_same_figure(play, measure, stated_value, computed_value):
            play.event(f"{stated_sentence}, as computed", kind=AGREES_EVENT_KIND, subject=owner_id)
        elif (
            measure.unit
            and owner_id
            and isinstance(computed_value, int)
            and is_figure(stated_value.strip())
            and play.assign_unknown_payment(
                f"{measure.account}:{owner_id}", measure.unit, computed_value - int(stated_value)
            )
        ):
            play.event(f"{stated_sentence}, as counted", kind=AGREES_EVENT_KIND, subject=owner_id)
        elif gap_step_number and measure.write is not None and not is_impossible:
            # After a gap nobody made a mistake: the players' count becomes the known value.
            if not set_figure(play, measure_name, measure, owner_id, stated_value, figure_label):
                continue
            previous_text = f"was {computed_value}, and not all is recorded"
            play.event(
                f"{figure_label} is counted anew: {stated_text} ({previous_text})", kind="adjusted"
            )
        else:
            is_doubted = any(key in play.tainted for key in doubt_keys)
            computed_text = (
                str(play.figure(measure_name, owner_id))
                if is_impossible
                else computed_in_words(play, measure, owner_id)
            )
            play.report(
                DiagnosticKind.BOOKKEEPING,
                (measure.rule(play, owner_id) if measure.rule is not None else "") or "T61",
                _disagreement_message(
                    play, measure, measure_name, owner_id, computed_text, stated_text
                ),
                at=place_of(stated_value, action.path),
                place_label=f"computed: {computed_text}",
                fix=(
                    *(
                        ()
                        if is_impossible
                        else (
                            Fix(
                                (ReplaceWord(str(computed_value)),),
                                safe=True,
                                writes_computed_figure=True,
                            ),
                        )
                    ),
                    *(
                        (
                            _correction_fix(
                                f"{{{measure_name}: {{{typed_owner}: {stated_value.strip()}}}}}"
                            ),
                        )
                        if owner_id and measure.write is not None
                        else ()
                    ),
                ),
                after=doubt_keys,
                since=play.known_from(figure_keys[0], measure.state_kind),
                state_kind=measure.state_kind,
                is_certain=is_impossible or is_unaffected,
            )
            # If an earlier problem explains the difference, the players' count becomes the known value; the
            # doubt stays until a count agrees.
            is_relaxed = play.campaign.strictness is Strictness.RELAXED
            if measure.write is not None and (is_relaxed or is_doubted or play.doubt is not None):
                set_figure(play, measure_name, measure, owner_id, stated_value, figure_label)
                play.event(
                    f"{figure_label} is counted anew: {stated_text} (was {computed_value})",
                    kind="adjusted",
                )
            if measure.write is None or not is_relaxed:
                play.taint(*figure_keys)
                continue
        play.count(figure_keys[0])


def _note_stated_figure(
    play: GameContext[Any],
    measure: Measure,
    figure_key: str,
    figure_label: str,
    stated_value: ScalarNode,
    *,
    is_compared: bool,
) -> None:
    """Note that a figure is stated, and why it cannot be compared, if that is so."""
    reason_unknown, step_number = "", 0
    if not is_compared and play.uncertain_since(figure_key, measure.state_kind):
        reason_unknown, step_number = play.why_uncertain(figure_key, measure.state_kind)
    elif not is_compared:
        reason_unknown = "nothing in the log above says what it is"
    place = place_of(stated_value, play.step.action.path)
    cause_place = play.steps[step_number - 1].action.place() if step_number else None
    play.stated_figures.append(StatedFigure(figure_label, place, reason_unknown, cause_place))


def _correction_fix(figures_text: str) -> Fix:
    """The fix that adds a correction with the true figures."""
    entry_text = f"correct: last\nto: {figures_text}\nnote: {BLANK}"
    return make_fix(
        InsertEntry(entry_text), when="if the count of the table is right", is_open=True
    )


def _figure_sentence(
    play: GameContext[Any], measure: Measure, measure_name: str, owner_id: str, value_text: str
) -> str:
    """A figure in a sentence: ``Ana has 3 Coins``."""
    folded_value = " ".join(value_text.split()).casefold()
    owner_name = play.names.all[owner_id].name if owner_id else ""
    return measure.in_words(measure_name, owner_name, YES_NO_SYNONYMS.get(folded_value, value_text))


def _disagreement_message(
    play: GameContext[Any],
    measure: Measure,
    measure_name: str,
    owner_id: str,
    computed_text: str,
    stated_text: str,
) -> str:
    """The message about a figure that is stated otherwise than it was computed."""
    sentence = _figure_sentence(play, measure, measure_name, owner_id, computed_text)
    says_not = "{not}" in measure.sentence
    return (
        f"{sentence}; the log says {stated_text}" if says_not else f"{sentence}, not {stated_text}"
    )


def _owner_and_measure_in_words(play: GameContext[Any], measure_name: str, owner_id: str) -> str:
    return (
        f"{play.names.all[owner_id].name}'s {measure_name}" if owner_id else f"the {measure_name}"
    )


def computed_in_words(play: GameContext[Any], measure: Measure, owner_id: str) -> str:
    """A computed figure in words: ``at most 12`` for an upper bound."""
    is_upper_limit = bool(measure.unit) and is_upper_bound(
        play, f"{measure.account}:{owner_id}", measure.unit
    )
    return at_most(str(measure.read(play, owner_id)), is_upper_limit)


def _shorten_for_message(stated_value: ScalarNode) -> str:
    """A stated figure for messages, shortened if necessary."""
    return str(stated_value) if len(stated_value) <= 40 else shown(stated_value)


def correct_figures(play: GameContext[Any], action: Correct) -> None:
    """Set figures from here on."""
    step = play.step
    step.headline = "A correction"
    corrected_number = _corrected_step_number(play, action)
    if corrected_number:
        play.link_steps(step.number, corrected_number)
    if action.to is None:
        play.require(
            bool(action.note),
            "T62",
            "this correction changes nothing and says nothing",
            help="write what is true now under 'to:', and why:  note: ...",
            kind=DiagnosticKind.UNREADABLE,
        )
        return
    play.suspect(
        not action.note,
        "T63",
        "a correction without its reason",
        fix=make_fix(SetKey("note", BLANK), when="say why", is_open=True),
    )
    single_figures = [*stated_figures(play, action.to)]
    # One part of the entry can change what another one corrects, too (both sides of a truce), or change a figure that
    # another one sets back (a new Segment has all its dice).
    previous_values = [
        measure.read(play, owner_id) for _, measure, owner_id, _, _ in single_figures
    ]
    for (measure_name, measure, owner_id, _, stated_value), previous_value in zip(
        single_figures, previous_values, strict=True
    ):
        figure_label = _owner_and_measure_in_words(play, measure_name, owner_id)
        if measure.write is None:
            play.unreadable(
                "T64",
                f"{measure_name} cannot be set; it follows from other figures",
                at=place_of(stated_value, action.path),
                fix=make_fix(RemoveItem(measure_name)),
            )
            continue
        previous_text, figure_key = (
            computed_in_words(play, measure, owner_id),
            measure.key(measure_name, owner_id),
        )
        is_doubted = figure_key in play.tainted or play.uncertain_since(
            figure_key, measure.state_kind
        )
        was_changed_here = measure.read(play, owner_id) != previous_value
        if not set_figure(play, measure_name, measure, owner_id, stated_value, figure_label):
            continue
        play.suspect(
            # One problem is enough for an entry that cannot be found.
            bool(corrected_number)
            and previous_value is not None
            and measure.read(play, owner_id) == previous_value
            and not (was_changed_here or is_doubted),
            "T62",
            f"{_figure_sentence(play, measure, measure_name, owner_id, previous_text)} already, "
            "so this corrects nothing",
            at=place_of(stated_value, action.path),
            fix=make_fix(RemoveItem(measure_name)),
            help="or write what it is from now on",
        )
        play.event(
            f"{figure_label} is set to {_shorten_for_message(stated_value)} (was {previous_text})",
            kind="corrected",
            subject=owner_id,
        )
        play.count(figure_key)


def _corrected_step_number(play: GameContext[Any], action: Correct) -> int:
    if not isinstance(action.what, ScalarNode) or action.what.casefold() == LAST:
        for step in reversed(play.steps[:-1]):
            if step.action.verb not in _NON_PLAY_VERBS:
                return step.number
        return 0
    help_text = "give the entry an id, or write 'correct: last'"
    corrected_entry = resolve_entry_reference(play, action.what, "T65", help_text)
    return corrected_entry.step_number if corrected_entry is not None else 0


# --- snapshots ------------------------------------------------------------------------------------

_STATELESS_VERBS: Final = _NON_PLAY_VERBS | {"arrive", "leave", "end session"}
"""Verbs that do not change the state of the game."""


def take_snapshot(play: GameContext[Any], action: Snapshot) -> None:
    """Set the stated state, and report differences from the computed one."""
    step = play.step
    step.headline = "How things stand"
    last_snapshot = next(
        (step for step in reversed(play.steps[:-1]) if step.action.verb == action.verb), None
    )
    if last_snapshot is not None:
        step.headline = "How things stand, and what changed"
        play.link_steps(step.number, last_snapshot.number)
    item_by_name = play.rulebook.things
    stated_state = action.state
    differences: list[str] = []
    was_in_given, play.given = play.given, True
    for given_entry in action.given:
        play.perform(given_entry)
    if isinstance(stated_state, MappingNode):
        differences += _set_snapshot_items(play, stated_state)
        other_values = stated_state.without(key for key in stated_state if key in item_by_name)
        differences += _set_figures(play, other_values) if other_values else []
    elif stated_state is not None:
        differences += _set_figures(play, stated_state)
    # A snapshot does not tell all about the subjects that it names.
    note_births(play.birth_step_numbers, play.names.all, 0)
    play.given = was_in_given
    for difference in differences:
        play.event(difference, kind=DIFFERS_FROM_COMPUTED)
    if not was_in_given:
        _report_unrecorded_changes(play, differences)
    if not differences:
        play.event("as it was", kind=AGREES_EVENT_KIND)


def _set_snapshot_items(play: GameContext[Any], stated_state: MappingNode) -> list[str]:
    items_and_values: list[tuple[SnapshotItem, Any]] = []
    for item_name, snapshot_item in play.rulebook.things.items():
        item_key = stated_state.key(item_name)
        if item_key is None:
            continue
        try:
            items_and_values.append(
                (snapshot_item, read_value(snapshot_item.kind, stated_state[item_key]))
            )
        except Misread as error:
            play.unreadable(
                error.code,
                error.message,
                at=place_of(error.value, play.step.action.path),
                fix=replace_with(error.replacements, is_told=error.is_told)
                if isinstance(error.value, ScalarNode)
                else (),
                help=error.help or (),
            )
    differences = [
        difference
        for snapshot_item, item_value in items_and_values
        for difference in snapshot_item.apply(play, item_value)
    ]
    for snapshot_item, item_value in items_and_values:
        differences += (
            snapshot_item.after_all_set(play, item_value)
            if snapshot_item.after_all_set is not None
            else []
        )
    return differences


def _set_figures(play: GameContext[Any], stated_state: Value) -> list[str]:
    differences: list[str] = []
    for measure_name, measure, owner_id, _, stated_value in stated_figures(play, stated_state):
        figure_label, previous_value = (
            _owner_and_measure_in_words(play, measure_name, owner_id),
            measure.read(play, owner_id),
        )
        previous_text = computed_in_words(play, measure, owner_id)
        figure_key = measure.key(measure_name, owner_id)
        if previous_value is None or not is_same_figure(
            play, measure, stated_value, previous_value
        ):
            if measure.write is None:
                play.unreadable(
                    "T64",
                    f"{measure_name} cannot be set; it follows from other figures",
                    at=place_of(stated_value, play.step.action.path),
                    fix=make_fix(RemoveItem(measure_name)),
                )
                continue
            if not set_figure(play, measure_name, measure, owner_id, stated_value, figure_label):
                continue
            sentence = _figure_sentence(
                play, measure, measure_name, owner_id, _shorten_for_message(stated_value)
            )
            is_known = previous_value is not None
            differences.append(
                Difference(
                    sentence + (f" (was {previous_text})" if is_known else ""),
                    owner_id,
                    (measure_name,),
                    "figure",
                    str(previous_text) if is_known else "",
                    str(stated_value),
                )
            )
        play.count(figure_key)
    return differences


def _report_unrecorded_changes(play: GameContext[Any], differences: list[str]) -> None:
    """Report the differences once: unless nothing was played since the last statement, or the record has a
    known gap."""
    last_statement_step_number = 0
    for step in reversed(play.steps[:-1]):
        if step.action.verb in ("snapshot", "gap", "play starts"):
            last_statement_step_number = step.number
            break
        if step.action.verb not in _STATELESS_VERBS | NARRATION_VERBS and step.parent is None:
            break
    else:
        last_statement_step_number = play.step.number
    if not differences or last_statement_step_number:
        return
    further_count = len(differences) - MAX_LISTED_DIFFERENCES
    listed_differences = [
        *differences[:MAX_LISTED_DIFFERENCES],
        f"{further_count} more" if further_count > 0 else "",
    ]
    play.unknown(
        "T80",
        "the record lost something meanwhile: "
        + listed(difference for difference in listed_differences if difference),
        fix=mark_gap(),
        help="if nothing is missing, look for the mistake above",
    )
