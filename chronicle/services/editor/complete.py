"""What fits where somebody is typing: the moment decides on verbs, keys, names and words.

An editor types YAML over several lines; what fits is known of one line of the desk
(:mod:`chronicle.services.line_completion`). So the entry above the caret is put on one line, and what fits there is
put back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from textwrap import dedent
from time import process_time
from typing import Any, Final, NamedTuple

from chronicle.core.answers import Thrown
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, Finding, Severity, either, listed
from chronicle.core.kinds import TEXT, bare
from chronicle.core.replay import Replay
from chronicle.core.rulebook import Rulebook
from chronicle.core.source import MappingNode
from chronicle.services.choices import BEGUN, EXACT
from chronicle.services.diagnostic_data import keyed
from chronicle.services.editor.fits import Fits
from chronicle.services.editor.heads import in_head
from chronicle.services.editor.settings import KEY, indent_of, settings_choices
from chronicle.services.editor.verb_docs import key_told, verb_told
from chronicle.services.game_state import payments
from chronicle.services.line_completion import ANYTHING, Fitting
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.proposals import asked_for
from chronicle.services.snippets import CARET, FACE, snippets
from chronicle.services.writing import as_item
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.kinds import holds_entries
from chronicle.syntax.one_line import (
    LineError,
    close_brackets,
    find_verb,
    fold_entry,
    fold_entry_at,
    read_line,
    split_line,
)
from chronicle.syntax.reader import read_text
from chronicle.syntax.render import as_data
from chronicle.syntax.yaml_text import plain_data, write_entry, write_flow
from chronicle.words import word

_ITEM: Final = re.compile(r"(?P<indent>\s*)(?P<dash>-\s+|-\Z)?(?P<said>.*)")
MOST_BARRED: Final = 5
"""How many are offered that may not stand there, where nothing is typed."""
MOST_TRIED: Final = 8
PATIENCE: Final = 0.035
"""How many names are tried before they are offered, and for how many seconds after the question at most."""
_SIGN, _NUMBER = "ⓧ", "߀"
"""A sign and a digit that no die shows: games write the two in different ways."""


class _Typing(NamedTuple):
    """The entry somebody is in: its first line, the rows above the caret, and the row with it."""

    line: int
    above: list[str]
    row: str
    spare: list[Replay[Any]]
    """The play there, as long as nothing has been tried on it."""

    @property
    def so_far(self) -> str:
        """The entry without the row that is typed."""
        return dedent("\n".join(self.above))

    @property
    def in_a_key(self) -> bool:
        """Whether a row below the first one is typed, and is no deeper than the entry's keys."""
        return bool(self.above) and indent_of(self.row) <= indent_of(_undashed(self.above[0]))


def complete(opened: OpenCampaign, file: str, line: int, column: int) -> list[Fits]:
    """What fits at a place, the most likely first."""
    rows = opened.text(file).splitlines()
    row = rows[line - 1] if 0 < line <= len(rows) else ""
    head = row[: column - 1]
    further = "\n" + " " * indent_of(head)
    return [
        one._replace(insert=one.insert.replace("\n", further)) if "\n" in one.insert else one
        for one in _in_sight(_complete(opened, file, rows, head, line))
    ]


def _in_sight(found: Iterable[Fits]) -> Iterator[Fits]:
    """Of what may not stand there a few, as long as no letter asks for more of it."""
    barred = 0
    for one in found:
        barred += bool(one.why)
        if not one.why or one.over or barred <= MOST_BARRED:
            yield one


def _complete(opened: OpenCampaign, file: str, rows: list[str], head: str, line: int) -> list[Fits]:
    """What fits behind the ``head`` of a row, with further rows indented as if that had no indentation."""
    until = process_time() + PATIENCE
    if file == SETTINGS_FILE:
        return [*settings_choices(opened, rows[: line - 1], head)]
    typing = _typing(rows[: line - 1], head, line)
    if typing is None:
        return [*in_head(opened, file, rows[: line - 1], head)]
    nested = _told_in(rows[: typing.line], indent_of(typing.above[0] if typing.above else head))
    with opened.workspace.at(file, typing.line - 1) as replay:
        if replay is None:
            return []
        found = [*_entry(opened, replay, file, typing, nested=nested)]
        if nested:
            # What is told inside another entry, an outcome, is told while that one lasts: nobody can
            # say of a name what may be by what may be now.
            return [one if one.kind == "verb" else one._replace(why="") for one in found]
        # Nobody looks at this play any more: the first entry is tried on it.
        typing.spare.append(replay)
        if any(one.kind == "key" for one in found):
            return _lacking(opened, file, typing, found)
        return _proved(opened, file, typing, found, until)


def _lacking(opened: OpenCampaign, file: str, typing: _Typing, found: list[Fits]) -> list[Fits]:
    """Keys, those first that the entry lacks as it stands, with what is said of that."""
    said: dict[str, str] = {}
    tried = _tried(opened, file, typing, typing.so_far)
    for one in sorted(tried.found, key=lambda one: -one.severity):
        for key in asked_for(as_data(one)):
            said.setdefault(key, one.message)
    if tried.pays and "by" not in said:
        # Whoever wants somebody else to pay sees here that nobody has been named.
        found = [
            one._replace(note=word("server.unless_named", pays=tried.pays))
            if one.label == "by"
            else one
            for one in found
        ]
    told = [one._replace(note=said[one.label]) if one.label in said else one for one in found]
    return sorted(told, key=lambda one: one.label not in said)


class _Tried(NamedTuple):
    """What would be wrong with an entry, and who would pay or get how much."""

    found: list[Diagnostic]
    pays: str = ""


def _tried(opened: OpenCampaign, file: str, typing: _Typing, entry: str) -> _Tried:
    """What an entry would come to where somebody types."""
    if typing.spare:
        return _attempted(opened, typing.spare.pop(), entry)
    with opened.workspace.at(file, typing.line - 1) as replay:
        return _attempted(opened, replay, entry) if replay is not None else _Tried([])


def _attempted(opened: OpenCampaign, replay: Replay[Any], entry: str) -> _Tried:
    paid = len(replay.play.ledger.postings)
    found = opened.workspace.attempt(replay, entry)[1]
    return _Tried(found, ", ".join(payments(replay.play, paid)))


class _Fault(NamedTuple):
    """What would be wrong with an entry: in words, what of it may be said of another as well, and
    whether it is said of just the word that was tried."""

    message: str
    alike: str
    own: bool


def _proved(
    opened: OpenCampaign, file: str, typing: _Typing, found: list[Fits], until: float
) -> list[Fits]:
    """What fits, the names that would be wrong behind the others, with what would be said of them. The
    likeliest ones are tried, as long as nobody has to wait for it. What the entry still lacks, or what
    is wrong elsewhere in it, is said with each of them, and no fault of any."""
    faults: dict[int, list[_Fault]] = {}
    for number, one in enumerate(found[:MOST_TRIED]):
        begun = process_time()
        if one.line and not one.why:
            tried = _tried(opened, file, typing, as_item(one.line))
            faults[number] = [*_faults(tried.found, one)]
            note = " · ".join(part for part in (one.note, tried.pays) if part)
            found[number] = one._replace(note=note if one.kind != "verb" else one.note)
        if 2 * process_time() - begun > until:
            break
    said = [
        {one.alike for one in wrong} for at, wrong in faults.items() if found[at].kind != "verb"
    ]
    alone = sum(bool(one.line) for one in found) == 1
    if alone and len(said) == 1 and typing.in_a_key:
        # Of several that fit, one alone tells nothing of what it shares with them.
        (only,) = (one for at, one in enumerate(found) if at in faults and one.kind != "verb")
        without = _tried(opened, file, typing, typing.so_far).found
        said.append({_alike_in(one, only) for one in without})
    common = set.intersection(*said) if said else set()
    for number, wrong in faults.items():
        verb = found[number].kind == "verb"
        told = (one for one in wrong if one.own or not (verb or one.alike in common))
        found[number] = found[number]._replace(why=next((one.message for one in told), ""))
    # A name that would be wrong by itself, and right with something behind it, is offered once.
    right = {one.label for one in found if not one.why}
    found = [one for one in found if not one.why or one.label not in right]
    return sorted(found, key=lambda one: one.rank)


def _faults(found: Iterable[Diagnostic], one: Fits) -> Iterator[_Fault]:
    """What of all that was found is said of an entry that a name or a word is tried in."""
    rows = as_item(one.line).split("\n")
    for each in found:
        place = each.place
        if each.severity > Severity.NOTE and 0 < place.line <= len(rows):
            word = rows[place.line - 1][place.column - 1 : place.end_column - 1].strip("'\"")
            if word not in (ANYTHING, "1") or word == one.label:
                # A name may stand there by another word than the one it is offered by.
                names = (one.label, one.insert.replace(CARET, "").strip(" :,{}'\""))
                told = any(word.endswith(name) for name in names if name)
                own = bool(word) and told and not _of_a_figure(each, one)
                yield _Fault(each.message, _alike_in(each, one), own)


def _of_a_figure(found: Diagnostic, tried: Fits) -> bool:
    """A figure is wrong with the rest of its entry, which may not be all there yet."""
    return tried.kind == "value" and found.finding is not Finding.UNREADABLE


def _alike_in(found: Diagnostic, tried: Fits) -> str:
    """What a finding would say as well if another were tried."""
    return found.code if _of_a_figure(found, tried) else found.message.replace(tried.label, "…")


def _told_in(rows: list[str], indent: int) -> str:
    """The verb of the entry that an entry with such an indent is told in; empty for one of the log."""
    for row in reversed(rows):
        found = re.match(r"(?P<in>\s*)- (?P<verb>[^:]*):", row)
        if found and len(found["in"]) < indent:
            return found["verb"].strip().casefold()
        if re.match(r"log\s*:", row):
            break
    return ""


def _typing(above: list[str], head: str, line: int) -> _Typing | None:
    """The entry of the log that the caret is in."""
    if not any(re.match(r"log\s*:", row) for row in above):
        return None
    if not head or re.match(r"\s*-", head):
        return _Typing(line, [], head, [])
    for number in range(len(above), 0, -1):
        row = above[number - 1]
        if re.match(r"log\s*:", row):
            return _Typing(line, [], head, [])
        if re.match(r"\s*- ", row) and indent_of(row) < indent_of(head):
            return _Typing(number, above[number - 1 :], head, [])
    return None


def _entry(
    opened: OpenCampaign, replay: Replay[Any], file: str, typing: _Typing, *, nested: str
) -> Iterator[Fits]:
    verbs = replay.rulebook.by_verb
    if not typing.above:
        yield from _first_row(replay, typing.row, nested=nested)
        return
    tree = read_text(_dedented(typing.above), file).tree
    if not isinstance(tree, MappingNode) or not tree:
        return
    data = plain_data(tree)
    verb = next((verbs[key] for key in data if key in verbs), None)
    if verb is None:
        return
    row = typing.row
    inner = indent_of(_undashed(typing.above[0]))
    said = row.strip()
    if indent_of(row) > inner:
        # Where the row begins, as columns are counted in what is above it.
        column = indent_of(row) - inner + next(iter(tree)).column
        yield from _deeper(replay, verb, tree, column, row.lstrip())
        return
    typed = KEY.match(row[inner:])
    if typed is None:
        yield from _keys(replay, verb, data, said)
        return
    key, value = typed["key"], typed["value"] or ""
    # Behind a colon comes a space first.
    space = " " if row.endswith(":") else ""
    for one in _values(opened, replay, file, typing, verb, data, key, value):
        yield (
            one._replace(insert=f"{space}{one.insert}") if not one.insert.startswith("\n") else one
        )


def _values(
    opened: OpenCampaign,
    replay: Replay[Any],
    file: str,
    typing: _Typing,
    verb: type[Action],
    data: dict[str, Any],
    key: str,
    value: str,
) -> Iterator[Fits]:
    """What fits behind the colon of a key."""
    if key == "allow":
        yield from _allowed(opened, file, typing, value)
    elif key == "under":
        yield from _house_rules(opened, value)
    else:
        rolls = not value and key in replay.rulebook.by_verb and key in verb.fields
        due = [*_rolled_in(opened, file, typing, key)] if rolls else []
        yield from due
        yield from _fitting(replay, f"{fold_entry(verb, data)}, {key}: ", value, shaped=not due)


def _rolled_in(opened: OpenCampaign, file: str, typing: _Typing, key: str) -> Iterator[Fits]:
    """The faces of what an entry says that is thrown at once: the dice that are due when the rest of it has
    been played."""
    with opened.workspace.at(file, typing.line - 1) as replay:
        if replay is None:
            return
        opened.workspace.attempt(replay, typing.so_far)
        rules = replay.rulebook
        for (verb, within), dice in _owed(replay).items():
            if verb == key:
                value = rules.thrown(verb, dice, within)[verb]
                is_by_person = (
                    {one.who for one in dice} == {*value} if isinstance(value, dict) else False
                )
                if is_by_person and len(value) == 1 and not isinstance(value[dice[0].who], dict):
                    # Who throws is said by the key itself.
                    (value,) = value.values()
                fell = _places(write_flow(value))
                label, told = fell.replace(FACE, "_"), _earned(replay, verb)
                yield Fits(label, f"{fell}{CARET}", 0, "value", word("server.dice_due"), told)


def _places(fell: str) -> str:
    """Faces with a place for each in what is inserted."""
    return fell.replace(_SIGN, FACE).replace(_NUMBER, FACE)


def _dedented(rows: list[str]) -> str:
    first = _undashed(rows[0])
    width = min((indent_of(row) for row in (first, *rows[1:]) if row.strip()), default=0)
    return "\n".join(row[width:] for row in (first, *rows[1:])) + "\n"


def _undashed(row: str) -> str:
    return row.replace("-", " ", 1)


def _first_row(replay: Replay[Any], row: str, *, nested: str) -> Iterator[Fits]:
    """The row with the dash: a verb, or its value."""
    found = _ITEM.match(row)
    assert found is not None
    said = found["said"]
    dash = "" if found["dash"] else "- "
    space = " " if found["dash"] == "-" else ""
    name = find_verb(said, replay.rulebook.by_verb)
    if name and re.match(rf"{re.escape(name)}\s*:\s", said, re.IGNORECASE):
        thrown = [] if said.partition(":")[2].strip() else [*_thrown(replay, said, "", name)]
        yield from thrown
        yield from _fitting(replay, "", said, shaped=not thrown)
        return
    fitting = Fitting(replay)
    if not nested:
        yield from _thrown(replay, said, f"{space}{dash}")
    choices = fitting.verbs(said.rstrip(":"))
    if nested:
        apt = partial(_aptness, replay.rulebook, nested)
        choices.sort(key=lambda one: (one["met"], apt(one)))
    turn = replay.rulebook.standing(replay.play).turn
    for choice in choices:
        verb = replay.rulebook.by_verb[choice["label"]]
        note, paying = _paying(fitting, verb.verb, choice["note"], turn)
        colon = f": {CARET}" if verb.main is not None else f":{CARET}"
        yield Fits(
            choice["label"],
            f"{space}{dash}{choice['label']}{colon}",
            len(said),
            "verb",
            note,
            "\n\n".join(
                part for part in (paying, choice["hint"], verb_told(replay.rulebook, verb)) if part
            ),
            choice["why"],
            # What says all that it has to can be tried; else nobody knows yet.
            "" if verb.main is not None and verb.main.required else f"{choice['label']}:",
            verb.also,
            choice["met"],
        )


def _paying(fitting: Fitting, verb: str, price: str, turn: str) -> tuple[str, str]:
    """What a verb costs and whom, and how to say that it is somebody else: in a word, and in a sentence."""
    options = [
        one for one in fitting.candidates.options if one.verb == verb and one.price and one.price[0]
    ]
    payers = [*dict.fromkeys(one.by or turn for one in options)]
    if not price or not all(payers) or not payers:
        return price, ""
    first = [turn] if turn in payers else payers
    others = either(f"`by: {one}`" for one in payers if one not in first)
    key = "server.pays_told_else" if others else "server.pays_told"
    told = word(key, payers=either(first), price=price, others=others)
    return word("server.pays", payers=either(first), price=price), told


def _aptness(rules: Rulebook[Any], outer: str, choice: dict[str, Any]) -> tuple[object, ...]:
    """How well a verb fits into an entry that tells others. Those come last that may only stand where
    that one may; what the game has for no other moment comes first."""
    verb, law, around = rules.by_verb[choice["label"]], rules.law, rules.by_verb.get(outer)
    within = {*law.phases} if law is not None else set()
    within -= {*around.moment.phases} if around is not None else set()
    phases = verb.moment.phases
    barred = bool(phases and within and not within & {*phases}) or verb is around
    return barred, verb.verb not in rules.own_verbs, not verb.by_dice, len(phases) or len(within)


def _thrown(replay: Replay[Any], said: str, lead: str, behind: str = "") -> Iterator[Fits]:
    """Entries for what is due to fall, with a place for every die. ``behind``: the verb that is there
    already, with its colon."""
    rules = replay.rulebook
    for (verb, within), dice in _owed(replay, behind).items():
        counts = Counter[str]()
        for thrown in dice:
            counts[thrown.who] += len(thrown.faces)
        label = f"{verb} {', '.join(f'{who} {count}'.strip() for who, count in counts.items())}"
        if behind == verb or (not behind and label.casefold().startswith(said.casefold())):
            entry = write_entry(rules.thrown(verb, dice, within)).replace("\n", "\n  ")
            if behind:
                label, entry = (
                    label.removeprefix(f"{verb} "),
                    entry.removeprefix(f"{verb}:").lstrip(" "),
                )
            insert = f"{lead}{_places(entry)}{CARET}"
            over = 0 if behind else len(said)
            told = _earned(replay, verb)
            met = EXACT if said == verb else BEGUN
            yield Fits(label, insert, over, "verb", word("server.dice_due"), told, met=met)


def _owed(replay: Replay[Any], verb: str = "") -> dict[tuple[str, str], list[Thrown]]:
    """The dice that are due, by the verb and within what they are thrown; and those that a ``verb`` throws
    which nobody owes."""
    play, rules = replay.play, replay.rulebook
    owed: dict[tuple[str, str], list[Thrown]] = {}
    for one in (*rules.due(play), *(one for one in rules.may_fall(play) if one.verb == verb)):
        pad = rules.pad(play, one) if one.amount else None
        if pad is not None:
            face = _NUMBER if any(map(str.isdigit, pad.faces)) else _SIGN
            faces = Thrown(one.who, one.kind, (face,) * one.amount)
            owed.setdefault((one.verb, one.within), []).append(faces)
    return owed


def _earned(replay: Replay[Any], verb: str) -> str:
    """Which faces earn another die, and where that is written; empty where none does."""
    play, rules = replay.play, replay.rulebook
    owed = (one for one in (*rules.due(play), *rules.may_fall(play)) if one.verb == verb)
    pads = {one.kind: rules.pad(play, one) for one in owed}
    chains = [f"{kind} {face}" for kind, pad in pads.items() if pad for face in pad.chains]
    if not chains:
        return ""
    return word("server.earns_more", count=len(chains), faces=listed(chains))


def _fitting(
    replay: Replay[Any], before: str, said: str, *, braces: bool = True, shaped: bool = True
) -> Iterator[Fits]:
    """What fits a value that is typed in YAML, behind what stands before it on the one line. ``braces``:
    a name with something behind it has to stand in some. ``shaped``: shapes of it are offered."""
    text = before + said
    within = close_brackets(said) != said
    fitting = Fitting(replay)
    choices = fitting.choices(text, len(text))["choices"]
    value = (said if before else said.partition(":")[2]).strip()
    keys = _keys_of_new(fitting, text) if braces and (value or "[")[-1] in "[," else {}
    named = {one["label"] for one in choices if one["line"].endswith(": ")}
    if not named:
        # What may stand there as it is begins nothing.
        keys = {one: keys[one] for one in keys.keys() - {one["label"] for one in choices}}
    told = _about(fitting, text)
    falling = [*_falling(fitting, text)]
    for fell in falling:
        earned = _earned(replay, find_verb(text, fitting.rules.by_verb))
        more = "\n\n".join(part for part in (earned, told) if part)
        yield Fits(
            fell.replace(FACE, "_"), f"{fell}{CARET}", 0, "value", word("server.dice_due"), more
        )
    for number, choice in enumerate([*choices, *(keys[one] for one in keys if one not in named)]):
        kind, line, label = choice["kind"], choice["line"], choice["label"]
        if kind in ("verb", "key") or (kind == "next" and not within) or choice["chosen"]:
            continue
        same = _alike(text, line)
        over = len(text) - same
        if over > len(said):
            continue
        insert = line[same:]
        # An editor compares what is typed with the label, so that it takes the place of all of it.
        typed = next((n for n in range(min(len(said), len(label)), over, -1)
                      if label.casefold().startswith(said[-n:].casefold())), over)  # fmt: skip
        insert, over = said[len(said) - typed : len(said) - over] + insert, typed
        colon = said.rstrip().endswith(":")
        if insert.endswith(": ") and (braces or colon):
            # Between braces a comma would end what is told.
            behind = f'"{CARET}"' if fitting.tells(line) else ""
            if holds_entries(fitting.field_at(text)):
                insert = (
                    f"{insert}[{{{CARET}}}]"
                    if within
                    else f"\n    {insert.rstrip()}\n    - {CARET}"
                )
            elif fitting.speaks(line):
                # Whose words they are stands before them, a line each.
                insert = f"|\n    {insert}{CARET}" if len(value) <= over else f"{insert}{CARET}"
            elif (not within or label in keys or colon) and kind != "next":
                insert = f"{{{insert}{behind or CARET}}}"
            else:
                insert += behind
        tried = number < MOST_TRIED and not choice["why"] and kind in ("name", "value")
        # Of a name with more names behind it nobody can say what is wrong before they are there.
        tried = tried and not any(one.naming for one in fitting.slots_at(line))
        whole = _entry_of(replay, fitting.complete_line(line)) if tried else ""
        yield Fits(
            label,
            insert,
            over,
            kind if kind == "value" else "name",
            choice["note"],
            "\n\n".join(part for part in (choice["hint"], told) if part),
            choice["why"],
            whole,
            met=choice["met"],
        )
    for shape in () if falling or not shaped else snippets(fitting, text):
        one = Fits("", f"{shape}{CARET}", 0, "shape", word("server.in_this_shape"), told)
        yield one._replace(label=one.plain[0])


def _about(fitting: Fitting, text: str) -> str:
    """What there is to say of the key that a line ends in."""
    line, field = split_line(text, fitting.rules.by_verb), fitting.field_at(text)
    return key_told(line.verb, field) if line is not None and field is not None else ""


def _falling(fitting: Fitting, text: str) -> Iterator[str]:
    """Faces for the dice that are due from whoever they are typed behind, or from all who are due within
    a brace, with a place for every die."""
    rules, line = fitting.rules, split_line(text, fitting.rules.by_verb)
    verb, inside = find_verb(text, rules.by_verb), text.rstrip().endswith("{")
    if not text.rstrip().endswith(("{", ":")) or line is None or line.parts[-1].key != verb:
        return
    there = [one for one in fitting.slots_at(text) if not one.typed.strip()]
    for path in dict.fromkeys(one.path for one in there if one.path or inside):
        for (owed, within), dice in _owed(fitting.replay, verb).items():
            value: Any = rules.thrown(owed, dice, within).get(verb) if owed == verb else None
            for name in path:
                pairs = value.items() if isinstance(value, dict) else ()
                value = next(
                    (one for key, one in pairs if fitting.candidates.is_same_path((key,), (name,))),
                    None,
                )
            if value is not None:
                fell = write_flow(value)[inside:-1] if inside else write_flow(value)
                yield _places(fell)


def _entry_of(replay: Replay[Any], line: str) -> str:
    """A line of the desk in YAML; empty where it is no entry."""
    try:
        return write_entry(read_line(line, replay.rulebook.by_verb))
    except LineError:
        return ""


def _keys_of_new(fitting: Fitting, text: str) -> dict[str, dict[str, Any]]:
    """What may begin something new between braces, where a name may stand as well."""
    found = fitting.choices(f"{text}{{", len(text) + 1)["choices"]
    return {
        one["label"]: one | {"line": text + one["line"][len(text) + 1 :]}
        for one in found
        if one["line"].endswith(": ")
    }


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _deeper(
    replay: Replay[Any], verb: type[Action], tree: MappingNode, column: int, said: str
) -> Iterator[Fits]:
    """What fits in a mapping on lines of its own that begins in a column, under the last key of an
    entry or under keys of what stands there."""
    key = str(list(tree)[-1])
    field = verb.main if key == verb.verb else verb.fields.get(key)
    if field is not None and bare(field.kind) is not TEXT:
        yield from _fitting(replay, fold_entry_at(verb, tree, column), said, braces=False)


def _keys(
    replay: Replay[Any], verb: type[Action], data: dict[str, Any], said: str
) -> Iterator[Fits]:
    """The keys that an entry may have besides: what it needs, then its verb's own, most used first."""
    fitting = Fitting(replay)
    for one in sorted(verb.fields.values(), key=lambda one: fitting.candidates.order(verb, one)):
        if one.name in data or not one.name.startswith(said.casefold()):
            continue
        told = key_told(verb, one)
        insert = f"{one.name}: {CARET}" if one.name not in ("text",) else f"text: |\n  {CARET}"
        yield Fits(one.name, insert, len(said), "key", "needed" if one.required else "", told)


def _allowed(opened: OpenCampaign, file: str, typing: _Typing, value: str) -> Iterator[Fits]:
    """The rules that this entry is accused under, first of all."""
    word = re.split(r"[{,]\s*", value)[-1]
    if ":" in word:
        return
    brace = "" if close_brackets(value) != value else "{"
    close = "" if brace == "" else "}"
    for one in keyed(opened).values():
        place = one.place
        if place.path == file and typing.line <= place.line <= typing.line + len(typing.above):
            yield Fits(
                one.code, f"{brace}{one.code}: {CARET}{close}", len(word), "rule", "", one.message
            )


def _house_rules(opened: OpenCampaign, value: str) -> Iterator[Fits]:
    campaign = opened.workspace.campaign
    rules = campaign.settings.house_rules if campaign is not None else None
    word = re.split(r"[\[,]\s*", value)[-1]
    for id, rule in (rules or {}).items():
        if str(id).startswith(word):
            yield Fits(str(id), str(id), len(word), "rule", "", str(rule.rule))
