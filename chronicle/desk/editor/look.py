"""What an editor shows beside a text: cards of names, what an entry came to, balances, counts of scenes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Block, Facts, Inline, Ref, Shares, Slips, Stats
from chronicle.core.campaign import Campaign
from chronicle.core.declare import Action
from chronicle.core.diagnostic import plural
from chronicle.core.record import Side, Step
from chronicle.core.refused import Refused
from chronicle.core.replay import Replay
from chronicle.core.source import Entries, Place, Value, Word, place_of, scalars
from chronicle.desk import shelf
from chronicle.desk.editor.index import Index, index
from chronicle.desk.editor.told import key_told, verb_told
from chronicle.desk.findings import keyed
from chronicle.desk.log import log
from chronicle.desk.room import Opened
from chronicle.games import rulebook
from chronicle.resident import parting

MOST_TRAITS = 12
"""How many words a card shows, and how many facts of a kind."""
MOST_FACTS = 4


class Shown(NamedTuple):
    """Markdown about a place."""

    place: Place
    markdown: str


BALANCES, POOL, WINNER, TURN = HINTS = ("balances", "pool", "winner", "turn")
"""What a hint can be about; an editor may switch each off."""
SHORT = 24
"""How many letters behind a line are read in passing."""


class Hint(NamedTuple):
    """A few words behind a line, of a kind of ``HINTS``."""

    line: int
    text: str
    kind: str


class Lens(NamedTuple):
    """A few words above a line."""

    line: int
    text: str


def hover(opened: Opened, file: str, line: int, column: int) -> Shown | None:
    """What there is to say of a place: whoever is named there, the verb or key, the rule, else what the
    entry came to."""
    word = _word_at(opened.tree(file), line, column)
    found = index(opened)
    mention = found.at(file, line, column)
    if mention is not None:
        return Shown(mention.place, _card(found, mention.id))
    step = found.step(file, line)
    if word is None or step is None:
        return None
    place = place_of(word, file)
    rules = rulebook(found.record.campaign.game)
    if word == step.action.verb and word.line == step.action.whole.line:
        said = [verb_told(rules, type(step.action)), _came_to(found, step)]
        return Shown(place, "\n\n---\n\n".join(part for part in said if part))
    field = step.action.fields.get(str(word))
    if field is not None and _is_key(opened, file, word):
        return Shown(place, key_told(type(step.action), field))
    rule = _rule(opened, str(word))
    if rule:
        return Shown(place, rule)
    told = _came_to(found, step)
    return Shown(place, told) if told else None


def _word_at(tree: Value | None, line: int, column: int) -> Word | None:
    if tree is None:
        return None
    inside = [
        word
        for word in scalars(tree)
        if (word.line, word.column) <= (line, column) <= (word.end_line, word.end_column)
    ]
    return inside[-1] if inside else None


def _is_key(opened: Opened, file: str, word: Word) -> bool:
    row = opened.text(file).splitlines()[word.end_line - 1]
    return row[word.end_column - 1 :].lstrip().startswith(":")


def _card(found: Index, id: str) -> str:
    """Who or what somebody is: kind, where things stand, words on slips, where it came in."""
    named = found.named(id)
    assert named is not None
    sheet = found.sheet(id)
    lines = [f"**{_safe(named.name)}** · {named.kind}"]
    if sheet is not None:
        lines += [_safe(words) for words in (sheet.status, sheet.tagline) if words]
        for block in (*sheet.aside, *sheet.blocks):
            lines += _in_short(block)
    given = found.given(id)
    if given is not None:
        lines.append(f"*first named in {given.path}, line {given.line}*")
    return "  \n".join(lines)


def _in_short(block: Block) -> Iterator[str]:
    """What a card says of a block of a sheet: figures, facts, words on slips."""
    if isinstance(block, Slips):
        shown = [
            _safe(one.text) + (f" ×{one.count}" if one.count > 1 else "")
            for one in block.items
            if one.state != "removed"
        ]
        more = f", and {len(shown) - MOST_TRAITS} more" if len(shown) > MOST_TRAITS else ""
        if shown:
            yield f"{_safe(block.title or 'Traits')}: {', '.join(shown[:MOST_TRAITS])}{more}"
    elif isinstance(block, Shares) and block.figure:
        note = f" ({_told(block.note)})" if block.note else ""
        yield f"{_safe(block.title)}: {_safe(block.figure)}{note}"
    elif isinstance(block, Stats):
        yield " · ".join(f"{_safe(one.label)}: {_safe(one.value)}" for one in block.items)
    elif isinstance(block, Facts):
        for label, value in block.rows[:MOST_FACTS]:
            yield f"{_safe(label)}: {_told(value)}"


def _told(part: Inline) -> str:
    """What fits into a line, as Markdown that is nothing but text."""
    if isinstance(part, Ref):
        return _safe(part.label)
    return "".join(map(_told, part)) if isinstance(part, tuple) else _safe(str(part))


def _came_to(found: Index, step: Step) -> str:
    """What an entry came to: sentences with their rules, prices worked out, a roll explained."""
    if step.hidden:
        return ""
    lines = [f"**{_safe(step.player or 'The table')}**: {_safe(step.headline or step.action.verb)}"]
    for event in step.events:
        lines.append(f"- {_safe(event.text)}" + (f" `{event.rule}`" if event.rule else ""))
    for one in found.record.postings(step):
        why = f" ({_safe(one.why)})" if one.why else ""
        rule = f" `{one.rule}`" if one.rule else ""
        lines.append(
            f"- {one.amount} {one.unit}: {_safe(one.source)} → {_safe(one.target)}{why}{rule}"
        )
    if step.contest is not None:
        lines += [f"- {_side(side)}" for side in step.contest.sides]
        lines += [f"- {_safe(words)}" for words in step.contest.outcome]
    return "\n".join(lines)


def _side(side: Side) -> str:
    faces = " ".join(f"**{die.face}**" if die.hit else die.face for die in side.dice)
    sources = f" from {_safe(', '.join(side.sources))}" if side.sources else ""
    result = f" = {_safe(side.result)}" if side.result else ""
    return f"{_safe(side.name)}: {faces}{result}{sources}"


def _rule(opened: Opened, word: str) -> str:
    """A rule that is named by its id, explained."""
    if not word[:1].isalpha() or not any(sign.isdigit() for sign in word) or " " in word:
        return ""
    try:
        told = shelf.rule(opened, word)
    except Refused:
        return ""
    readings = "".join(f"\n- `{key}`: {text}" for key, text in told.get("readings", {}).items())
    return f"**{told['id']}** {_printed(told['title'])}\n\n{_printed(told['text'])}{readings}"


def _printed(text: str) -> str:
    """Words of a rule as Markdown: what they set in backticks is code, the rest nothing but text."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _safe(text)
    return "".join(f"`{part}`" if at % 2 else _safe(part) for at, part in enumerate(parts))


def _safe(text: str) -> str:
    """Players' words as Markdown that is nothing but text."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#+!|~" else sign for sign in text)


def hints(opened: Opened, file: str, first: int, last: int) -> Iterator[Hint]:
    """What stands behind the entries of some lines: balances after whatever moved, with what was paid or
    got, who won a roll, dice that have come to lie ready, and whose turn it is from then on."""
    record = opened.resident.record
    if record is None:
        return
    steps = [
        step.index for step in index(opened).steps(file) if first <= step.action.whole.line <= last
    ]
    if not steps:
        return
    moments = _moments(opened, record.campaign).between(opened, file, first, last)
    for one in log(opened, steps[0], steps[-1])["entries"]:
        if one["file"] != file or one["hidden"] or not first <= one["line"] <= last:
            continue
        left = [
            f"{_plainly(moved['who'])} {moved['balance']} ({moved['change']:+})"
            for moved in one["moved"]
        ]
        if left:
            yield Hint(one["line"], " · ".join(left), BALANCES)
        if one["dice"] is not None:
            won = [side["name"] for side in one["dice"]["sides"] if side["won"]]
            came_to = one["dice"]["verdict"].rpartition(": ")[2]
            # Who has helped has not won: a game that has a word for what a throw came to means that.
            if came_to and len(came_to) <= SHORT:
                yield Hint(one["line"], came_to, WINNER)
            elif won:
                yield Hint(one["line"], f"{', '.join(won)} won", WINNER)
        yield from moments.pop(one["line"], ())


class _Moments:
    """What there is to say beside entries of dice and turns, by the numbers of the entries. It is good as
    long as nothing above them is another thing; what is still good of ``before`` is kept."""

    def __init__(self, campaign: Campaign, before: _Moments | None = None) -> None:
        self.campaign = campaign
        alike = 0 if before is None else parting(before.campaign, campaign)
        told = before.told.items() if before is not None else ()
        self.told: dict[int, list[tuple[str, str]]] = {
            number: one for number, one in told if number < alike
        }

    def between(self, opened: Opened, file: str, first: int, last: int) -> dict[int, list[Hint]]:
        """By lines: dice that an entry has laid ready, and the turn that begins with it."""
        entries = (entry for session in self.campaign.sessions for entry in session.actions)
        seen = [
            (number, entry)
            for number, entry in enumerate(entries)
            if entry.path == file and first <= entry.whole.line <= last
        ]
        new = [number for number, _ in seen if number not in self.told]
        if new:
            again = [one for one in seen if new[0] <= one[0] <= new[-1]]
            with opened.resident.at(file, again[0][1].whole.line - 1) as replay:
                if replay is not None:
                    self._play(replay, again)
        return {
            entry.whole.line: [Hint(entry.whole.line, *one) for one in self.told.get(number, ())]
            for number, entry in seen
        }

    def _play(self, replay: Replay[Any], entries: Iterable[tuple[int, Action]]) -> None:
        turn, ready = _standing(replay)
        for number, entry in entries:
            replay.do(entry)
            now, lying = _standing(replay)
            more = [f"{who} {count} {what}".strip() for (who, what), count in lying.items()
                    if ready.get((who, what)) != count]  # fmt: skip
            told = [(" · ".join(more), POOL)] if more else []
            if now and now != turn:
                told.append((f"{now}’s turn", TURN))
            self.told[number] = told
            turn, ready = now, lying


def _moments(opened: Opened, campaign: Campaign) -> _Moments:
    kept = opened.kept.get("moments")
    if not isinstance(kept, _Moments) or kept.campaign is not campaign:
        before = kept if isinstance(kept, _Moments) else None
        kept = opened.kept["moments"] = _Moments(campaign, before)
    return kept


def _standing(replay: Replay[Any]) -> tuple[str, dict[tuple[str, str], int]]:
    """Whose turn it is, and who has how many of what to throw."""
    play, rules = replay.play, replay.rulebook
    lying = {(one.who, one.what): one.amount for one in rules.due(play) if one.amount}
    return rules.standing(play).turn, lying


def _plainly(spans: Any) -> str:
    return "".join(one if isinstance(one, str) else str(one["t"]) for one in spans)


def lenses(opened: Opened, file: str) -> Iterator[Lens]:
    """Above the first entry of each scene: how many entries it has, and how many findings."""
    record = opened.resident.record
    if record is None:
        return
    wrong: dict[int, int] = {}
    for one in keyed(opened).values():
        if one.step:
            wrong[one.step] = wrong.get(one.step, 0) + 1
    for scene in record.timeline.scenes:
        step = record.step(scene.first_step)
        if step.action.path != file:
            continue
        last = scene.last_step or len(record.steps)
        found = sum(count for step, count in wrong.items() if scene.first_step <= step <= last)
        said = [plural(found, "finding")] if found else []
        said.append(plural(last - scene.first_step + 1, "entry", "entries"))
        yield Lens(step.action.whole.line, ", ".join(said))


def keys_of(value: Value) -> Iterator[Word]:
    """The keys of a mapping and of all mappings in it."""
    if isinstance(value, Entries):
        for key, item in value.items():
            yield key
            yield from keys_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys_of(item)
