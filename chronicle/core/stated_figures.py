"""Statements about the present state: figures that are compared, corrected or set.

``assert:`` compares, ``correct:`` repairs, ``snapshot:`` sets the present state, however it came about. All
three know the same figures, and set them in the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from chronicle.core.declare import BLOCK, Action, Part, PartOf, main, option, read_value
from chronicle.core.diagnostic import Finding, Strictness, ask_whether, listed, nearest_words
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
from chronicle.core.gaps import at_most, is_bound, note_births
from chronicle.core.kinds import NAME, Context, Kind, MapOf, Misread, shown
from chronicle.core.play import NARRATION, Measure, Play, Thing
from chronicle.core.record import StatedFigure
from chronicle.core.references import LAST, refer_to_entry
from chronicle.core.schemas import Schema
from chronicle.core.set_figure import SYNONYMS, same_figure, set_figure
from chronicle.core.source import MappingNode, ScalarNode, Value, place_of

_COUNTS: Final = frozenset({"assert", "correct", "snapshot", "aside", "gap"})
"""Verbs that are no part of play."""
DIFFERS_FROM_COMPUTED: Final = "found otherwise"
"""The kind of events for differences between a snapshot and the computed state."""
MOST_TOLD = 6
"""Maximum number of differences of a snapshot in one message."""


class _Stated(Kind[Value]):
    """Stated figures of a game, read one by one by its measures, so that a problem affects a single figure."""

    words = "figures"

    def read(self, value: Value, context: Context) -> Value:
        return value


FIGURES: Final[Kind[Value]] = _Stated()
"""Figures of a game."""
STANDING: Final[Kind[Value]] = _Stated()
"""Figures of a game, and its other state."""


class _Figure(Kind[Value]):
    words = "a figure"

    def __init__(self, words: tuple[str, ...]) -> None:
        self.choices = words

    def read(self, value: Value, context: Context) -> Value:
        return value

    def schema(self) -> Schema:
        return {"type": ["integer", "string", "boolean"]}


def kind_of_stated(
    kind: Kind[Any], measures: Mapping[str, Measure], facts: Mapping[str, Thing]
) -> Kind[Any]:
    """The kind of ``FIGURES`` or ``STANDING`` in a game, key by key; other kinds unchanged."""
    if kind is not FIGURES and kind is not STANDING:
        return kind
    keys: dict[str, Any] = {}
    if kind is STANDING:
        for number, (name, fact) in enumerate(facts.items()):
            keys[f"thing_{number}"] = option(fact.kind, fact.doc, key=name)
    for number, (name, measure) in enumerate(measures.items()):
        if kind is FIGURES or measure.write is not None:
            figure = _Figure(measure.words)
            each = MapOf(NAME, figure) if measure.kinds else figure
            keys[f"figure_{number}"] = option(each, measure.doc, key=name)
    part: type[Part] = type("Stated", (Part,), keys)
    return PartOf(part, "{figure: number}, {figure: {who: number}}")


class Assert(Action):
    """State what is true now; the engine compares. What it cannot know is taken as said."""

    verb = "assert"
    also = ("count", "tally", "total", "totals", "balance", "audit")
    about_table = True
    acts = "nobody"
    example = "assert: {present: {Ana: yes, Dov: no}}"
    figures = main(FIGURES, "{figure: number} or {figure: {who: number}}")


class Correct(Action):
    """Repair an earlier mistake in the open. The effect is dated here; both entries link up."""

    verb = "correct"
    about_table = True
    acts = "nobody"
    example = "correct: last\n  to: {present: {Dov: no}}\n  note: he had left by then"
    what = main(
        NAME,
        "the entry that was wrong: its id, words of it, or 'last'",
        default="last",
        words=("last",),
    )
    to = option(FIGURES, "{figure: {who: number}}: what is true from now on")


class Snapshot(Action):
    """The state of play now: figures, and objects of the game. It costs nothing and belongs to no turn. If Chronicle
    had computed another figure, it reports that once."""

    verb = "snapshot"
    acts = "nobody"
    example = "snapshot: {present: {Ana: yes, Dov: no}}"
    state = main(STANDING, "{figure: number}, {figure: {who: number}}, {thing: ...}", default=None)
    given = option(
        BLOCK,
        "entries that are so by now: read like what stands above 'play starts:', free and outside turns",
        default=(),
    )


def figures(
    play: Play[Any], value: Value
) -> Iterator[tuple[str, Measure, str, ScalarNode, ScalarNode]]:
    """Every single figure in an entry: (figure, measure, id of its owner or "", the owner as typed, the
    value). Parts that cannot be understood are reported and left out."""
    measures = play.rulebook.by_measure
    path = play.step.action.path
    if not isinstance(value, MappingNode):
        play.unreadable(
            "T60",
            f"figures expected here, found {shown(value)}",
            at=place_of(value, path),
            help="write {figure: {who: number}}; figures: " + ", ".join(measures),
        )
        return
    for name, stated in value.items():
        measure = measures.get(name)
        if measure is None:
            similar = nearest_words(name, list(measures))
            play.unreadable(
                "T60",
                f"this game has no figure '{name}'{ask_whether(name, similar)}",
                at=place_of(name, path),
                fix=replace_with(similar, is_told=True),
                help=f"it stands beside '{play.step.action.verb}:', not in it:  {name}: ..."
                if name in play.step.action.fields
                else "figures: " + ", ".join(measures),
            )
        elif not measure.kinds:
            if isinstance(stated, ScalarNode):
                yield str(name), measure, "", name, stated
            else:
                _not_a_figure(play, stated, f"{{{name}: number}}")
        elif isinstance(stated, MappingNode):
            for owner, figure in stated.items():
                subject = play.find(owner, measure.kinds, either_kind(measure.kinds))
                if isinstance(figure, ScalarNode):
                    if subject is not None:
                        yield str(name), measure, subject.id, owner, figure
                else:
                    _not_a_figure(play, figure, f"{{{name}: {{{owner}: number}}}}")
        else:
            _not_a_figure(play, stated, f"{{{name}: {{who: number}}}}")


def either_kind(kinds: tuple[str, ...]) -> str:
    """Kinds of names in words: ``player or character``."""
    return " or ".join(kinds)


def _not_a_figure(play: Play[Any], value: Value, example: str) -> None:
    play.unreadable(
        "T60",
        f"a figure expected here, found {shown(value)}",
        at=place_of(value, play.step.action.path),
        help=f"write {example}",
    )


_NUMBER: Final = r"[+−-]?[0-9]+"


def assert_figures(play: Play[Any], action: Assert) -> None:
    """Compare figures; values that the record cannot know are accepted."""
    play.step.headline = "The table counts"
    for name, measure, id, owner, stated in figures(play, action.figures):
        actual = measure.read(play, id)
        whose = _owner_of_figure(play, name, id)
        keys = (measure.key(name, id),)
        gap = play.uncertain_since(keys[0], measure.about)
        # By the rules the gap cannot have changed it.
        lasts = bool(gap) and (actual in measure.final or play.figure(name, id).is_known)
        gap = 0 if lasts else gap
        # A figure that was not counted since an unreadable entry is possibly wrong because of it.
        doubts = keys if play.counted.get(keys[0], 0) >= play.lost_at else (*keys, "lost:")
        counted = isinstance(actual, int) and stated.strip().casefold() not in measure.words
        if counted and not re.fullmatch(_NUMBER, stated.strip()):
            play.unreadable(
                "T60",
                f"a whole number expected for {whose}, found {shown(stated)}",
                at=place_of(stated, action.path),
                fix=Fix((ReplaceWord(str(actual)),), safe=True, is_computed=True),
            )
            continue
        stated_text = _shortened(stated)
        stated_sentence = _sentence(play, measure, name, id, stated_text)
        unsure = bool(gap) and isinstance(actual, int) and is_figure(stated.strip().lstrip("-"))
        impossible = unsure and not play.figure(name, id).may_be(int(stated))
        if not play.given:
            is_compared = actual is not None and (not gap or impossible)
            _note_stated(play, measure, keys[0], whose, stated, is_compared=is_compared)
        if actual is None:
            if measure.write is not None and not set_figure(play, name, measure, id, stated, whose):
                continue
            play.event(f"{stated_sentence}, says the table; the record does not say")
        elif play.given and measure.write is not None:
            agrees = same_figure(play, measure, stated, actual)
            if not agrees and not set_figure(play, name, measure, id, stated, whose):
                continue
            play.event(f"{stated_sentence}, given", kind="given", subject=id)
        elif same_figure(play, measure, stated, actual):
            play.event(f"{stated_sentence}, as computed", kind="agrees", subject=id)
        elif (
            measure.unit
            and id
            and isinstance(actual, int)
            and is_figure(stated.strip())
            and play.was_theirs(f"{measure.account}:{id}", measure.unit, actual - int(stated))
        ):
            play.event(f"{stated_sentence}, as counted", kind="agrees", subject=id)
        elif gap and measure.write is not None and not impossible:
            # After a gap nobody made a mistake: the players' count becomes the known value.
            if not set_figure(play, name, measure, id, stated, whose):
                continue
            message_anew = (
                f"{whose} is counted anew: {stated_text} (was {actual}, and not all is recorded)"
            )
            play.event(message_anew, kind="adjusted")
        else:
            doubted = any(key in play.tainted for key in doubts)
            computed_text = (
                str(play.figure(name, id)) if impossible else computed(play, measure, id)
            )
            play.report(
                Finding.BOOKKEEPING,
                (measure.rule(play, id) if measure.rule is not None else "") or "T61",
                _disagreement(play, measure, name, id, computed_text, stated_text),
                at=place_of(stated, action.path),
                label=f"computed: {computed_text}",
                fix=(
                    *(
                        ()
                        if impossible
                        else (Fix((ReplaceWord(str(actual)),), safe=True, is_computed=True),)
                    ),
                    *(
                        (_correction_fix(f"{{{name}: {{{owner}: {stated.strip()}}}}}"),)
                        if id and measure.write is not None
                        else ()
                    ),
                ),
                after=doubts,
                since=play.known_from(keys[0], measure.about),
                about=measure.about,
                lasting=impossible or lasts,
            )
            # If an earlier problem explains the difference, the players' count becomes the known value; the
            # doubt stays until a count agrees.
            relaxed = play.campaign.strictness is Strictness.RELAXED
            if measure.write is not None and (relaxed or doubted or play.doubt is not None):
                set_figure(play, name, measure, id, stated, whose)
                play.event(
                    f"{whose} is counted anew: {stated_text} (was {actual})", kind="adjusted"
                )
            if measure.write is None or not relaxed:
                play.taint(*keys)
                continue
        play.count(keys[0])


def _note_stated(
    play: Play[Any],
    measure: Measure,
    key: str,
    whose: str,
    stated: ScalarNode,
    *,
    is_compared: bool,
) -> None:
    """Note that a figure is stated, and why it cannot be compared, if that is so."""
    unknown, step = "", 0
    if not is_compared and play.uncertain_since(key, measure.about):
        unknown, step = play.why_uncertain(key, measure.about)
    elif not is_compared:
        unknown = "nothing in the log above says what it is"
    place = place_of(stated, play.step.action.path)
    cause = play.steps[step - 1].action.place() if step else None
    play.figures.append(StatedFigure(whose, place, unknown, cause))


def _correction_fix(figures: str) -> Fix:
    """The fix that adds a correction with the true figures."""
    entry = f"correct: last\nto: {figures}\nnote: {BLANK}"
    return make_fix(InsertEntry(entry), when="if the count of the table is right", is_open=True)


def _sentence(play: Play[Any], measure: Measure, name: str, id: str, value: str) -> str:
    """A figure in a sentence: ``Ana has 3 Coins``."""
    word = " ".join(value.split()).casefold()
    owner = play.names.all[id].name if id else ""
    return measure.in_words(name, owner, SYNONYMS.get(word, value))


def _disagreement(
    play: Play[Any], measure: Measure, name: str, id: str, computed: str, stated: str
) -> str:
    """The message about a figure that is stated otherwise than it was computed."""
    sentence = _sentence(play, measure, name, id, computed)
    says_not = "{not}" in measure.sentence
    return f"{sentence}; the log says {stated}" if says_not else f"{sentence}, not {stated}"


def _owner_of_figure(play: Play[Any], name: str, id: str) -> str:
    return f"{play.names.all[id].name}'s {name}" if id else f"the {name}"


def computed(play: Play[Any], measure: Measure, id: str) -> str:
    """A computed figure in words: ``at most 12`` for an upper bound."""
    bound = bool(measure.unit) and is_bound(play, f"{measure.account}:{id}", measure.unit)
    return at_most(str(measure.read(play, id)), bound)


def _shortened(stated: ScalarNode) -> str:
    """A stated figure for messages, shortened if necessary."""
    return str(stated) if len(stated) <= 40 else shown(stated)


def correct_figures(play: Play[Any], action: Correct) -> None:
    """Set figures from here on."""
    step = play.step
    step.headline = "A correction"
    target = _count_corrected(play, action)
    if target:
        play.refer(step.index, target)
    if action.to is None:
        play.require(
            bool(action.note),
            "T62",
            "this correction changes nothing and says nothing",
            help="write what is true now under 'to:', and why:  note: ...",
            finding=Finding.UNREADABLE,
        )
        return
    play.suspect(
        not action.note,
        "T63",
        "a correction without its reason",
        fix=make_fix(SetKey("note", BLANK), when="say why", is_open=True),
    )
    for name, measure, id, _, stated in figures(play, action.to):
        whose = _owner_of_figure(play, name, id)
        if measure.write is None:
            play.unreadable(
                "T64",
                f"{name} cannot be set; it follows from other figures",
                at=place_of(stated, action.path),
                fix=make_fix(RemoveItem(name)),
            )
            continue
        was, previous = computed(play, measure, id), measure.read(play, id)
        key = measure.key(name, id)
        doubted = key in play.tainted or play.uncertain_since(key, measure.about)
        if not set_figure(play, name, measure, id, stated, whose):
            continue
        play.suspect(
            # One problem is enough for an entry that cannot be found.
            bool(target)
            and previous is not None
            and measure.read(play, id) == previous
            and not doubted,
            "T62",
            f"{_sentence(play, measure, name, id, was)} already, so this corrects nothing",
            at=place_of(stated, action.path),
            fix=make_fix(RemoveItem(name)),
            help="or write what it is from now on",
        )
        play.event(
            f"{whose} is set to {_shortened(stated)} (was {was})", kind="corrected", subject=id
        )
        play.count(key)


def _count_corrected(play: Play[Any], action: Correct) -> int:
    if not isinstance(action.what, ScalarNode) or action.what.casefold() == LAST:
        for step in reversed(play.steps[:-1]):
            if step.action.verb not in _COUNTS:
                return step.index
        return 0
    help = "give the entry an id, or write 'correct: last'"
    corrected_entry = refer_to_entry(play, action.what, "T65", help)
    return corrected_entry.step if corrected_entry is not None else 0


# --- snapshots ------------------------------------------------------------------------------------

_STATES_ONLY: Final = _COUNTS | {"arrive", "leave", "end session"}
"""Verbs that do not change the state of the game."""


def take_snapshot(play: Play[Any], action: Snapshot) -> None:
    """Set the stated state, and report differences from the computed one."""
    step = play.step
    step.headline = "How things stand"
    last_same = next(
        (step for step in reversed(play.steps[:-1]) if step.action.verb == action.verb), None
    )
    if last_same is not None:
        step.headline = "How things stand, and what changed"
        play.refer(step.index, last_same.index)
    facts = play.rulebook.things
    stated = action.state
    differences: list[str] = []
    was_given, play.given = play.given, True
    for entry in action.given:
        play.perform(entry)
    if isinstance(stated, MappingNode):
        differences += _set_things(play, stated)
        other_values = stated.without(key for key in stated if key in facts)
        differences += _set_figures(play, other_values) if other_values else []
    elif stated is not None:
        differences += _set_figures(play, stated)
    # A snapshot does not tell all about the subjects that it names.
    note_births(play.born, play.names.all, 0)
    play.given = was_given
    for text in differences:
        play.event(text, kind=DIFFERS_FROM_COMPUTED)
    if not was_given:
        _lost_meanwhile(play, differences)
    if not differences:
        play.event("as it was", kind="agrees")


def _set_things(play: Play[Any], stated: MappingNode) -> list[str]:
    read: list[tuple[Thing, Any]] = []
    for name, fact in play.rulebook.things.items():
        key = stated.key(name)
        if key is None:
            continue
        try:
            read.append((fact, read_value(fact.kind, stated[key])))
        except Misread as wrong:
            play.unreadable(
                wrong.code,
                wrong.message,
                at=place_of(wrong.value, play.step.action.path),
                fix=replace_with(wrong.instead, is_told=wrong.is_told)
                if isinstance(wrong.value, ScalarNode)
                else (),
                help=wrong.help or (),
            )
    differences = [text for fact, value in read for text in fact.set(play, value)]
    for fact, value in read:
        differences += fact.then(play, value) if fact.then is not None else []
    return differences


def _set_figures(play: Play[Any], stated: Value) -> list[str]:
    changed: list[str] = []
    for name, measure, id, _, value in figures(play, stated):
        whose, was = _owner_of_figure(play, name, id), measure.read(play, id)
        previous = computed(play, measure, id)
        key = measure.key(name, id)
        if was is None or not same_figure(play, measure, value, was):
            if measure.write is None:
                play.unreadable(
                    "T64",
                    f"{name} cannot be set; it follows from other figures",
                    at=place_of(value, play.step.action.path),
                    fix=make_fix(RemoveItem(name)),
                )
                continue
            if not set_figure(play, name, measure, id, value, whose):
                continue
            changed.append(
                _sentence(play, measure, name, id, _shortened(value))
                + (f" (was {previous})" if was is not None else "")
            )
        play.count(key)
    return changed


def _lost_meanwhile(play: Play[Any], changed: list[str]) -> None:
    """Report the differences once: unless nothing was played since the last statement, or the record has a
    known gap."""
    last_stated = 0
    for step in reversed(play.steps[:-1]):
        if step.action.verb in ("snapshot", "gap", "play starts"):
            last_stated = step.index
            break
        if step.action.verb not in _STATES_ONLY | NARRATION and step.parent is None:
            break
    else:
        last_stated = play.step.index
    if not changed or last_stated:
        return
    further = len(changed) - MOST_TOLD
    texts = [*changed[:MOST_TOLD], f"{further} more" if further > 0 else ""]
    play.unknown(
        "T80",
        "the record lost something meanwhile: " + listed(text for text in texts if text),
        fix=mark_gap(),
        help="if nothing is missing, look for the mistake above",
    )
