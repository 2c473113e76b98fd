"""One evening, annotated (``session.html``): the story in the column, and in the margin what each entry did."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.book import Ref, SessionView
from chronicle.core.diagnostic import Severity
from chronicle.core.record import Event, Ladder, Weighing
from chronicle.core.telling import Piece, Slip, Told, paragraphs, sentence
from chronicle.site import findings, pictures
from chronicle.site.draw import Pen
from chronicle.site.evening import (
    Beat,
    Close,
    Cost,
    Dispute,
    Findings,
    Hidden,
    Note,
    Opening,
    Row,
    Run,
    Spent,
    Throw,
    Turn,
    rows,
)
from chronicle.site.press import Draft
from chronicle.site.prose import inline, prose
from chronicle.site.tally import counted
from chronicle.site.volume import Volume
from chronicle.site.works import Work

_PROOF = re.compile(r"(.*) \((sealed|stated)\)\Z", re.S)
SHARES = 60
"""Into how many parts the picture of an evening is divided for its scenes."""
SHORT = 110
"""A remark of so many letters is shown without being opened."""


class Bar(NamedTuple):
    """An entry in the picture of the evening."""

    player: str
    kind: str
    """``throw``, ``quiet`` (nobody's, or only whose turn it is) or empty."""


class Evening(NamedTuple):
    """What the page of an evening shows."""

    number: int
    title: str
    date: str
    summary: str
    present: tuple[str, ...]
    absent: tuple[str, ...]
    steps: int
    errors: int
    warnings: int
    bars: tuple[Bar, ...]
    scenes: tuple[tuple[int, int, str], ...]
    """(which bar, number, title) of the scenes that open in it."""
    rows: tuple[Row, ...]
    told: bool
    """Whether it has a chapter of the story."""
    talk: bool
    """Whether it has table talk."""
    before: Ref | None
    after: Ref | None


def pages(volume: Volume) -> Iterator[Draft]:
    """A page an evening."""
    sources: dict[int, str] = {}
    for one in volume.record.sessions:
        sources.setdefault(one.session.number, one.session.path)
    talking = {one.number for one in volume.evenings if one.remarks}
    sessions = volume.book.sessions
    links = [Ref("session", str(session.number), session.title) for session in sessions]
    neighbours = zip([None, *links], [*links[1:], None], strict=False)
    for session, (before, after) in zip(sessions, neighbours, strict=False):
        counts = Counter(d.severity for step in session.steps for d in step.diagnostics)
        evening = Evening(
            session.number,
            session.title,
            session.date,
            session.summary,
            session.present,
            session.absent,
            len(session.steps),
            counts[Severity.ERROR],
            counts[Severity.WARNING],
            tuple(_bars(session)),
            tuple(_scenes(volume, session)),
            tuple(rows(volume, session)),
            session.number in volume.chapters,
            session.number in talking,
            before,
            after,
        )
        page, crumbs = f"sessions/{session.number}", (("Sessions", "sessions/index"),)
        source = sources.get(session.number, "")
        yield Draft(page, session.title, "session.html", evening, _fill, crumbs, source)


def _bars(session: SessionView) -> Iterator[Bar]:
    for step in session.steps:
        contest = None if step.hidden else step.contest
        quiet = step.hidden or step.action.quiet or not step.player or step.struck
        kind = "throw" if contest is not None else "quiet" if quiet else ""
        player = "" if step.hidden else step.player
        if contest is not None and not player:
            # Dice that everybody rolls are theirs to whom they gave it.
            player = next((side.player for side in contest.sides if side.won), "")
        yield Bar(player, kind)


def _scenes(volume: Volume, session: SessionView) -> Iterator[tuple[int, int, str]]:
    for place, step in enumerate(session.steps):
        if step.scene is not None and volume.opens(step.scene) == step.index and not step.hidden:
            yield place, step.scene, volume.record.timeline.get(step.scene).label


# -- drawing ---------------------------------------------------------------------------------------


def _fill(pen: Pen, evening: Evening) -> dict[str, Any]:
    def turn(ref: Ref | None) -> dict[str, str] | None:
        return {"title": ref.label, "url": pen.address(ref)} if ref is not None else None

    number = str(evening.number)
    views = [
        ("Story", pen.address(Ref("chapter", number, "")) if evening.told else ""),
        ("Annotated", ""),
        ("Table talk", pen.address(Ref("path", "table-talk", "")) if evening.talk else ""),
    ]
    return {
        **evening._asdict(),
        "date": long_date(evening.date),
        "summary": prose(evening.summary) if evening.summary else "",
        "players": [pen.player(name) for name in evening.present],
        "absent": [pen.player(name) for name in evening.absent],
        "views": [
            {"title": title, "url": f"{url}#session-{number}" if title == "Table talk" else url}
            for title, url in views
            if url or title == "Annotated"
        ],
        "barcode": _barcode(pen, evening),
        "rows": [_row(pen, row) for row in evening.rows],
        "check_url": pen.address(Ref("path", "check", "")),
        "before": turn(evening.before),
        "after": turn(evening.after),
    }


def _barcode(pen: Pen, evening: Evening) -> dict[str, Any]:
    return {
        "bars": [{"colour": pen.colour(bar.player), "kind": bar.kind} for bar in evening.bars],
        "scenes": list(_shares(evening)),
    }


def _shares(evening: Evening) -> Iterator[dict[str, Any]]:
    """The scenes below the picture of the evening, each as wide as its share of the entries."""
    entries = len(evening.bars) or 1
    opens = [0, *(place for place, _, _ in evening.scenes), entries]
    parts = [("", ""), *((title, f"#scene-{number}") for _, number, title in evening.scenes)]
    for (title, url), (first, last) in zip(parts, pairwise(opens), strict=True):
        share = round(SHARES * last / entries) - round(SHARES * first / entries)
        if share:
            yield {"share": share, "title": inline(title), "url": url}


def _row(pen: Pen, row: Row) -> dict[str, Any]:
    match row:
        case Hidden():
            return {"kind": "hidden", **row._asdict()}
        case Opening():
            return {"kind": "scene", **_opening(pen, row)}
        case Turn():
            who = pen.player(row.player) if pen.colour(row.player) else pen.text(row.player)
            speaker = pen.text(row.speaker) if row.speaker else ""
            colour = pen.colour(row.player)
            ended = row.ended._asdict() if row.ended is not None else None
            return {
                "kind": "turn",
                "who": who,
                "speaker": speaker,
                "colour": colour,
                "ended": ended,
            }
        case Beat():
            return {"kind": "beat", **_beat(pen, row)}
        case Run():
            notes = [_note(pen, note) for note in row.notes]
            return {"kind": "run", "words": inline(row.words), "notes": notes}
        case Throw():
            return {"kind": "throw", "card": _throw(pen, row), **row._asdict()}
        case Dispute():
            return {"kind": "dispute", **_dispute(pen, row.weighing)}
        case Findings():
            return {"kind": "findings", "found": [findings.draw(pen, one) for one in row.found]}
        case Close():
            return {"kind": "close", **_close(pen, row)}


def _opening(pen: Pen, row: Opening) -> dict[str, Any]:
    marks = [Markup("{} {}").format(label, pen.text(words)) for label, words in row.marks]
    marks += [_work(pen, work) for work in row.works]
    when = ", ".join(part for part in (row.place, row.time) if part)
    return {
        "number": row.number,
        "title": inline(row.title),
        "when": pen.text(f"{when}, continued" if when else "continued")
        if not row.first
        else pen.text(when),
        "entries": row.entries,
        "anchor": f"scene-{row.number}" if row.first else "",
        "url": "" if row.first else pen.address(Ref("scene", str(row.number), row.title)),
        "marks": marks,
        "ladder": _ladder(pen, row.ladder) if row.ladder is not None else None,
        "bid": {"anchor": row.bid.anchor, "former": row.bid.former} if row.bid else None,
    }


def _ladder(pen: Pen, ladder: Ladder) -> dict[str, Any]:
    return {
        "title": ladder.title,
        "rule": pen.rule(ladder.rule),
        "coins": ladder.unit.casefold() == "coin",
        "rungs": [
            {
                "who": pen.player(one.player),
                "amount": one.amount,
                "won": one.won,
                "said": f"{one.amount} {counted(ladder.unit, one.amount)}",
            }
            for one in ladder.rungs
        ],
        "words": pen.text(ladder.words) if ladder.words else "",
    }


def _dispute(pen: Pen, weighing: Weighing) -> dict[str, Any]:
    return {
        "words": inline(weighing.words),
        "rule": pen.rule(weighing.rule),
        "sides": [
            {
                "who": pen.player(side.player) if side.player else inline(side.name),
                "paid": side.paid,
                "total": side.total,
                "doubled": side.total // side.paid if side.paid and side.total > side.paid else 1,
                "colour": pen.colour(side.player),
            }
            for side in weighing.sides
        ],
    }


def _close(pen: Pen, row: Close) -> dict[str, Any]:
    most = max((max(one.start, one.before, one.end) for one in row.purses), default=1) or 1
    return {
        "scene": row.scene,
        "title": inline(row.title),
        "what": row.what,
        "most": most,
        "purses": [
            {**one._asdict(), "name": inline(one.name), "colour": pen.colour(one.player)}
            for one in row.purses
        ],
        "stood": pen.blocks(row.stood, 4) if row.stood else "",
    }


# -- the column ------------------------------------------------------------------------------------


def _beat(pen: Pen, row: Beat) -> dict[str, Any]:
    seen: set[str] = set()
    blocks: list[dict[str, Any]] = []
    speakers = iter(row.speakers)
    for piece in row.pieces:
        if piece.told is Told.SPOKEN:
            words = pen.names.link(str(inline(sentence(piece.text))), seen=seen)
            who = next(speakers, "")
            blocks.append(
                {"who": inline(piece.who), "html": words, "colour": pen.colour(who), "kind": "line"}
            )
            continue
        for part, (markup, plain) in enumerate(_words(pen, piece, seen)):
            last = blocks[-1] if blocks else None
            if plain and not part and last is not None and last["kind"] == "p":
                last["html"] += Markup(" ") + markup
            else:
                blocks.append({"html": markup, "kind": "p" if plain else "block"})
    return {
        "step": row.step,
        "anchor": row.anchor,
        "former": row.former,
        "player": row.player,
        "colour": pen.colour(row.player),
        "struck": row.struck,
        "indent": row.indent,
        "large": row.large,
        "blocks": blocks,
        "talk": _talk(pen, row.talk) if row.talk else None,
        "beside": [_note(pen, note) for note in row.beside],
        "below": [_note(pen, note) for note in row.below],
        "plates": [pictures.draw(pen, plate) for plate in row.plates],
    }


def _words(pen: Pen, piece: Piece, seen: set[str]) -> Iterator[tuple[Markup, bool]]:
    """The words of a piece, paragraph by paragraph, each with whether it is a plain one."""
    if piece.told is Told.SENTENCE:
        words = pen.names.link(str(inline(sentence(piece.text))), seen=seen)
        yield Markup('<span class="ch-said">{}</span>').format(words), True
        return
    for part in paragraphs(piece.text):
        markup = pen.names.link(str(prose(part)), seen=seen)
        plain = markup.startswith("<p>") and markup.endswith("</p>") and markup.count("<p>") == 1
        yield (markup[3:-4] if plain else markup), plain


def _talk(pen: Pen, texts: Sequence[str]) -> dict[str, Any]:
    """What was said at the table: all of it where it is short, else its beginning and the rest folded."""
    drawn = [pen.prose(text) for text in texts]
    whole = len(texts) == 1 and len(texts[0]) <= SHORT and drawn[0].count("<p>") == 1
    first = " ".join(drawn[0].striptags().split())
    return {
        "short": drawn[0][3:-4] if whole and drawn[0].startswith("<p>") else "",
        "first": first if len(first) <= 64 else f"{first[:62].rsplit(' ', 1)[0]} …",
        "more": len(texts) - 1,
        "texts": drawn,
    }


# -- the margin ------------------------------------------------------------------------------------


def _note(pen: Pen, note: Note) -> dict[str, Any]:
    # One chip a run of events under the same rule, at its end.
    rules = [event.rule for event in note.events]
    events = [
        _event(pen, event, rule != then)
        for event, rule, then in zip(note.events, rules, [*rules, ""][1:], strict=True)
    ]
    return {
        "step": note.step,
        "anchor": note.anchor,
        "former": note.former,
        "player": note.player,
        "title": note.title,
        "slips": Markup(" ").join(_slip(pen, slip) for slip in note.slips),
        "events": events,
        "moves": [
            Markup("{} {}").format(pen.text(words), pen.rule(rule)) for words, rule in note.moves
        ],
        "rules": Markup(" ").join(pen.rule(rule) for rule in note.rules),
        "costs": [_cost(pen, cost) for cost in note.costs],
        "links": [
            *(_link(pen, words, index) for words, index in note.links),
            *(_work(pen, work) for work in note.works),
        ],
    }


def _slip(pen: Pen, slip: Slip) -> Markup:
    """A word on a slip; names lead to their sheets."""
    drawn = pen.macro("bits", "slip", slip.text, slip.count, slip.state or "plain")
    return pen.names.link(str(drawn), every=True) if slip.state == "name" else drawn


def _event(pen: Pen, event: Event, chip: bool) -> Markup:
    rule = pen.rule(event.rule) if chip else Markup("")
    proof = _PROOF.match(event.text) if event.kind == "reveals" else None
    if proof is None:
        return Markup(f"{pen.text(event.text)} {rule}")
    return Markup("{} {} {}").format(
        pen.text(proof[1]), pen.macro("bits", "proof_badge", proof[2]), rule
    )


def _cost(pen: Pen, cost: Cost) -> dict[str, Any]:
    coin = cost.unit.casefold() == "coin"
    amount = f"{cost.amount}" if cost.amount > 0 else f"+{-cost.amount}"
    named = cost.purse and cost.purse != cost.unit.casefold()
    words = f"{amount} of the {cost.purse}" if named else amount
    unit = "" if coin else counted(cost.unit, abs(cost.amount))
    return {"words": words, "unit": unit, "left": cost.left, "coin": coin}


def _link(pen: Pen, words: str, index: int) -> Markup:
    url = pen.address(Ref("step", str(index), ""))
    return Markup('{} <a href="{}">entry {}</a>').format(words, url, index) if url else Markup("")


def _work(pen: Pen, work: Work) -> Markup:
    """A text or a picture about this moment."""
    where = "in the gallery:" if work.art is not None else "in the journal:"
    return Markup("{} {}").format(where, pen.ref(work.ref))


# -- throws ----------------------------------------------------------------------------------------


def _throw(pen: Pen, row: Throw) -> Markup:
    led = [_event(pen, event, bool(event.rule)) for event in row.led]
    return pen.contest(row.contest, spent=[_spent(pen, one) for one in row.spent], led=led)


def _spent(pen: Pen, spent: Spent) -> dict[str, Any]:
    return {
        "who": pen.player(spent.player),
        "amount": f"{spent.amount} {counted(spent.unit, spent.amount)}",
        "coins": spent.unit.casefold() == "coin",
        "rule": pen.rule(spent.rule),
        "rows": [
            {
                "amount": one.amount,
                "words": pen.macro("bits", "slip", one.words, 1, one.state)
                if one.state
                else inline(one.words),
                "step": one.step,
                "url": pen.address(Ref("step", str(one.step), "")),
            }
            for one in spent.rows
        ],
    }


def long_date(text: str) -> str:
    """``2026-06-20`` as ``20 June 2026``; any other date as it was written."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    return f"{day.day} {day:%B %Y}"
