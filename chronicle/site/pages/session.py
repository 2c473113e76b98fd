"""One evening, annotated (``session.html``): a row an entry, and in the margin beside it what it did."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.book import Block, Ref, Section, SessionView
from chronicle.core.diagnostic import Severity
from chronicle.core.holes import SOMEBODY
from chronicle.core.ledger import owner_of
from chronicle.core.record import Contest, Event, Step
from chronicle.core.timeline import Scene
from chronicle.site import findings, pictures
from chronicle.site.draw import Pen
from chronicle.site.findings import Found
from chronicle.site.links import slugify
from chronicle.site.press import Draft
from chronicle.site.prose import inline, prose, typeset
from chronicle.site.volume import Volume
from chronicle.site.works import Work

_WORD = re.compile(r"\w+")
_PROOF = re.compile(r"(.*) \((sealed|stated)\)\Z", re.S)
_SMALL = re.compile(r"\b(?:an?|and|at|by|for|from|in|is|it|of|on|or|the|their|to|with)\b")
STEM = 4
"""Two words of this many equal letters at their start count as the same."""


class Opening(NamedTuple):
    """The head of a scene, above its first entry, or above the one with which it goes on."""

    number: int
    title: str
    place: str
    time: str
    first: bool
    marks: tuple[tuple[str, str], ...]
    works: tuple[Work, ...]


class Move(NamedTuple):
    """Who got or gave how much of what, and under which rule."""

    words: str
    unit: str
    rule: str


class Moment(NamedTuple):
    """What a row shows of an entry."""

    number: int
    anchor: str
    former: str
    verb: str
    player: str
    speaker: str
    fiction: str
    talk: str
    headline: str
    events: tuple[Event, ...]
    moves: tuple[Move, ...]
    balance: tuple[str, int, str] | None
    """Who holds how much of what after it."""
    after: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, int], ...]
    works: tuple[Work, ...]
    plates: tuple[pictures.Plate, ...]
    indent: bool
    contest: Contest | None
    found: tuple[Found, ...]


class Hidden(NamedTuple):
    """An entry that is kept secret: that it is there, and nothing else."""

    number: int
    anchor: str


Row = Opening | Moment | Hidden


class Evening(NamedTuple):
    """What the page of an evening shows."""

    number: int
    title: str
    date: str
    game: str
    summary: str
    present: tuple[str, ...]
    absent: tuple[str, ...]
    steps: int
    errors: int
    warnings: int
    rows: tuple[Row, ...]
    stood: tuple[Block, ...]
    before: Ref | None
    after: Ref | None


def pages(volume: Volume) -> Iterator[Draft]:
    """A page an evening."""
    sessions = volume.book.sessions
    sources: dict[int, str] = {}
    for one in volume.record.sessions:
        sources.setdefault(one.session.number, one.session.path)
    ended: dict[str, list[tuple[Scene, tuple[Block, ...]]]] = {}
    for scene in volume.record.timeline.scenes:
        if panel := volume.book.scene_panels.get(scene.number):
            ended.setdefault(volume.session_of(scene.number), []).append((scene, panel))
    links = [Ref("session", str(session.number), session.title) for session in sessions]
    neighbours = zip([None, *links], [*links[1:], None], strict=False)
    for session, (before, after) in zip(sessions, neighbours, strict=False):
        counts = Counter(d.severity for step in session.steps for d in step.diagnostics)
        evening = Evening(
            session.number,
            session.title,
            session.date,
            volume.record.rulebook.title,
            session.summary,
            session.present,
            session.absent,
            len(session.steps),
            counts[Severity.ERROR],
            counts[Severity.WARNING],
            tuple(_rows(volume, session)),
            _stood(ended.get(f"sessions/{session.number}", [])),
            before,
            after,
        )
        page, crumbs = f"sessions/{session.number}", (("Sessions", "sessions/index"),)
        source = sources.get(session.number, "")
        yield Draft(page, session.title, "session.html", evening, _fill, crumbs, source)


def _rows(volume: Volume, session: SessionView) -> Iterator[Row]:
    scene_now: int | None = None
    speaker = ""
    anchors = {step.anchor for step in session.steps}
    for step in session.steps:
        if step.hidden:
            yield Hidden(step.index, step.anchor)
            continue
        if step.scene is not None and step.scene != scene_now:
            scene_now, speaker = step.scene, ""
            yield _opening(volume, volume.record.timeline.get(step.scene), step)
        former = step.former if step.former not in anchors else ""
        anchors.add(former)
        who = step.player or ("Somebody" if step.speaker == SOMEBODY else "")
        yield _moment(volume, step, former, who if who != speaker else "")
        speaker = who


def _opening(volume: Volume, scene: Scene, step: Step) -> Opening:
    first = volume.opens(scene.number) == step.index
    works = volume.works.about("scene", str(scene.number)) if first else ()
    return Opening(
        scene.number,
        scene.label,
        scene.place,
        scene.when,
        first,
        tuple(scene.marks.items()),
        tuple(works),
    )


def _moment(volume: Volume, step: Step, former: str, speaker: str) -> Moment:
    works = tuple(volume.works.about("step", str(step.index)))
    return Moment(
        step.index,
        step.anchor,
        former,
        step.action.verb,
        step.player,
        speaker,
        step.fiction,
        step.talk,
        step.headline,
        tuple(step.events),
        tuple(_moves(volume, step)),
        _balance(volume, step),
        tuple(volume.tally.after(step.index)),
        tuple((_why(volume, step, index), index) for index in step.links),
        works,
        volume.pictures.beside(works),
        step.parent is not None,
        step.contest,
        tuple(
            volume.redactor.shown(found)
            for found in step.diagnostics
            if found.cause is None and found.severity
        ),
    )


def _moves(volume: Volume, step: Step) -> Iterator[Move]:
    """What a step moved, in few words: who, how much, of what; one chip a rule. Movements that an
    event of the step tells already (under the same rule) are left to it."""
    told = {event.rule for event in step.events}
    groups: dict[tuple[str, str], list[str]] = {}
    for p in volume.record.postings(step):
        if p.rule in told:
            continue
        to, source = owner_of(p.target), owner_of(p.source)
        who, sign = (to, "+") if to else (source, "−")
        words = f"{volume.name(who)} {sign}{p.amount}" if who else f"{p.amount}"
        if to and source and to != source:
            words = f"{volume.name(source)} → {volume.name(to)} {p.amount}"
        groups.setdefault((p.rule, _counted(p.unit, p.amount)), []).append(words)
    for (rule, unit), moved in groups.items():
        yield Move(", ".join(moved), unit, rule)


def _balance(volume: Volume, step: Step) -> tuple[str, int, str] | None:
    """What the acting player holds after a step that moved something of theirs."""
    for p in volume.record.postings(step):
        for account in (p.source, p.target):
            if step.player and owner_of(account) == step.player:
                left = volume.tally.balance(step.index, account, p.unit)
                if left is not None:
                    return step.player, left, p.unit
    return None


def _counted(unit: str, amount: int) -> str:
    """A unit as it follows a number: ``1 die``, ``5 dice``, ``3 Coins``."""
    if amount == 1:
        return unit
    return f"{unit[:-3]}dice" if unit.endswith("die") else f"{unit}s"


def _why(volume: Volume, step: Step, index: int) -> str:
    """What a step and one that it refers to have to do with each other."""
    mine, other = step.action.verb, volume.record.step(index).action.verb
    if mine == "correct" and index < step.index:
        return "corrects"
    if other == "correct" and index > step.index:
        return "corrected by"
    if mine == "reveal" and index < step.index:
        return "kept secret in"
    if other == "reveal" and index > step.index:
        return "revealed in"
    return "see"


def _stood(ended: list[tuple[Scene, tuple[Block, ...]]]) -> tuple[Block, ...]:
    """The state of play as each scene of the evening ended; the last one stands open."""
    return tuple(
        Section(
            f"After scene {scene.number}, {scene.title}",
            panel,
            f"after-{scene.number}",
            folded=scene is not ended[-1][0],
        )
        for scene, panel in ended
    )


# -- drawing ---------------------------------------------------------------------------------------


def _fill(pen: Pen, evening: Evening) -> dict[str, Any]:
    def turn(ref: Ref | None) -> dict[str, str] | None:
        return {"title": ref.label, "url": pen.address(ref)} if ref is not None else None

    return {
        **evening._asdict(),
        "date": long_date(evening.date),
        "summary": prose(evening.summary) if evening.summary else "",
        "players": [pen.player(name) for name in evening.present],
        "absent": [pen.player(name) for name in evening.absent],
        "rows": [_row(pen, row) for row in evening.rows],
        "check_url": pen.address(Ref("path", "check", "")),
        "before": turn(evening.before),
        "after": turn(evening.after),
    }


def _row(pen: Pen, row: Row) -> dict[str, Any]:
    match row:
        case Hidden():
            return {"kind": "hidden", **row._asdict()}
        case Opening():
            return {"kind": "scene", **_drawn_opening(pen, row)}
        case Moment():
            return {"kind": "step", **_drawn_moment(pen, row)}


def _drawn_opening(pen: Pen, row: Opening) -> dict[str, Any]:
    marks = [Markup("{} {}").format(label, pen.text(words)) for label, words in row.marks]
    marks += [_work(pen, work) for work in row.works]
    return {
        "number": row.number,
        "title": row.title,
        "place": pen.text(row.place),
        "time": row.time,
        "anchor": f"scene-{row.number}" if row.first else "",
        "url": "" if row.first else pen.address(Ref("scene", str(row.number), row.title)),
        "aside": Markup("<br>").join(marks),
        "again": not row.first,
    }


def _drawn_moment(pen: Pen, row: Moment) -> dict[str, Any]:
    head, events = _margin(pen, row)
    return {
        "verb": slugify(row.verb),
        "number": row.number,
        "anchor": row.anchor,
        "former": row.former,
        "player": row.player,
        "colour": pen.colour(row.player),
        "speaker": pen.text(row.speaker),
        "fiction": pen.prose(row.fiction) if row.fiction else "",
        "talk": pen.prose(row.talk) if row.talk else "",
        "head": head,
        "events": events,
        "moves": [
            Markup("{} {} {}").format(pen.text(move.words), move.unit, pen.rule(move.rule))
            for move in row.moves
        ],
        "balance": _drawn_balance(pen, *row.balance) if row.balance is not None else "",
        "after": Markup("<br>").join(
            Markup(f"<b>{inline(kind)}</b> {inline(who)}") for kind, who in row.after
        ),
        "links": [
            *(_link(pen, words, index) for words, index in row.links),
            *(_work(pen, work) for work in row.works),
        ],
        "plates": [pictures.draw(pen, plate) for plate in row.plates],
        "indent": row.indent,
        "contest": pen.contest(row.contest) if row.contest is not None else "",
        "diagnostics": [findings.draw(pen, found) for found in row.found],
    }


def _margin(pen: Pen, row: Moment) -> tuple[Markup, list[Markup]]:
    """The head of a margin note and the events below it. A headline that its only event says over
    again gives way to the event."""
    # One chip a run of events under the same rule, at its end.
    rules = [event.rule for event in row.events]
    drawn = [
        _event(pen, event, rule != then)
        for event, rule, then in zip(row.events, rules, [*rules, ""][1:], strict=True)
    ]
    if not row.headline:
        return (drawn[0] if drawn else Markup("")), drawn[1:]
    head = Markup(f"<b>{pen.text(row.headline)}</b>")
    if drawn and _says(row.events[0].text, row.headline, whole=len(drawn) > 1):
        return drawn[0], drawn[1:]
    return head, drawn


def _event(pen: Pen, event: Event, chip: bool) -> Markup:
    rule = pen.rule(event.rule) if chip else Markup("")
    proof = _PROOF.match(event.text) if event.kind == "reveals" else None
    if proof is None:
        return Markup(f"{pen.text(event.text)} {rule}")
    return Markup("{} {} {}").format(
        pen.text(proof[1]), pen.macro("bits", "proof_badge", proof[2]), rule
    )


def _says(text: str, headline: str, *, whole: bool) -> bool:
    """Whether a sentence tells what a headline tells: at least half of its words, or all of them."""
    told = {word[:STEM] for word in _words(text)}
    words = [word[:STEM] for word in _words(headline)]
    found = sum(word in told for word in words)
    return bool(words) and (found == len(words) if whole else 2 * found >= len(words))


def _words(text: str) -> list[str]:
    return _WORD.findall(_SMALL.sub("", text.casefold()))


def _drawn_balance(pen: Pen, player: str, left: int, unit: str) -> Markup:
    if unit.casefold() == "coin":
        return pen.macro("bits", "balance", player, left)
    return Markup('<span class="ch-balance">{} {}</span>').format(
        player, typeset(f"{left} {_counted(unit, left)}")
    )


def _link(pen: Pen, words: str, index: int) -> Markup:
    url = pen.address(Ref("step", str(index), ""))
    return Markup('{} <a href="{}">entry {}</a>').format(words, url, index) if url else Markup("")


def _work(pen: Pen, work: Work) -> Markup:
    """A text or a picture about this moment."""
    where = "in the gallery:" if work.art is not None else "in the journal:"
    return Markup("{} {}").format(where, pen.ref(work.ref))


def long_date(text: str) -> str:
    """``2026-06-20`` as ``20 June 2026``; any other date as it was written."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    return f"{day.day} {day:%B %Y}"
