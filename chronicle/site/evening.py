"""One evening, annotated: what stands in each row, and in the margin beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from chronicle.core.book import Ref, SessionView
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.record import Event, Step
from chronicle.core.timeline import Frame, Scene
from chronicle.site.draw import Pen
from chronicle.site.links import slugify
from chronicle.site.prose import inline, typeset
from chronicle.site.works import Work

if TYPE_CHECKING:
    from chronicle.site.pages import CampaignPages

_WORD = re.compile(r"\w+")
_PROOF = re.compile(r"(.*) \((sealed|stated)\)\Z", re.S)
_SMALL = re.compile(r"\b(?:an?|and|at|by|for|from|in|is|it|of|on|or|the|their|to|with)\b")
STEM = 4
"""Two words of this many equal letters at their start count as the same."""


def rows(pages: CampaignPages, pen: Pen, session: SessionView) -> Iterator[dict[str, Any]]:
    """The rows of a session page, as ``session.html`` draws them: scenes, steps, what is hidden."""
    scene_now: int | None = None
    speaker = ""
    anchors = {step.anchor for step in session.steps}
    for step in session.steps:
        if step.hidden:
            yield {"kind": "hidden", "anchor": step.anchor, "number": step.index}
            continue
        if step.scene is not None and step.scene != scene_now:
            scene_now, speaker = step.scene, ""
            yield _scene_row(pages, pen, pages.record.timeline.get(step.scene), step)
        old = step.former if step.former not in anchors else ""
        anchors.add(old)
        yield {**_step_row(pages, pen, step, speaker), "former": old}
        speaker = step.player


def _scene_row(pages: CampaignPages, pen: Pen, scene: Scene, step: Step) -> dict[str, Any]:
    marks = [Markup("{} {}").format(label, pen.text(words)) for label, words in scene.marks.items()]
    first = pages.opens(scene.number) == step.index
    works = pages.works.about("scene", str(scene.number)) if first else []
    marks += [_work(pen, work) for work in works]
    return {
        "kind": "scene",
        "number": scene.number,
        "title": scene.title or f"Scene {scene.number}",
        "place": pen.text(scene.place),
        "time": scene.time or ("" if scene.frame is Frame.NOW else str(scene.frame)),
        "anchor": f"scene-{scene.number}" if first else "",
        "url": "" if first else pen.address(Ref("scene", str(scene.number), scene.title)),
        "aside": Markup("<br>").join(marks),
        "again": not first,
    }


def _step_row(pages: CampaignPages, pen: Pen, step: Step, speaker: str) -> dict[str, Any]:
    head, events = _margin(pen, step)
    works = pages.works.about("step", str(step.index))
    return {
        "kind": "step",
        "verb": slugify(step.action.verb),
        "number": step.index,
        "anchor": step.anchor,
        "player": step.player,
        "colour": pages.colour(step.player),
        "speaker": pen.text(step.player) if step.player and step.player != speaker else "",
        "fiction": pen.prose(step.fiction) if step.fiction else "",
        "talk": pen.prose(step.talk) if step.talk else "",
        "head": head,
        "events": events,
        "moves": _moves(pages, pen, step),
        "balance": _balance(pages, pen, step),
        "after": pages.tally.after(step.index),
        "links": [
            *(_link(pages, step, index) for index in step.links),
            *(_work(pen, work) for work in works),
        ],
        "plates": pages.plates(pen, works),
        "indent": step.parent is not None,
        "contest": pen.contest(step.contest) if step.contest is not None else "",
        "diagnostics": [
            pages.finding(pen, found)
            for found in step.diagnostics
            if found.cause is None and found.severity
        ],
    }


def _margin(pen: Pen, step: Step) -> tuple[Markup, list[Markup]]:
    """The head of a margin note and the events below it. A headline that its only event says over
    again gives way to the event."""
    # One chip a run of events under the same rule, at its end.
    rules = [event.rule for event in step.events]
    drawn = [
        _event(pen, event, rule != then)
        for event, rule, then in zip(step.events, rules, [*rules, ""][1:], strict=True)
    ]
    if not step.headline:
        return (drawn[0] if drawn else Markup("")), drawn[1:]
    head = Markup(f"<b>{pen.text(step.headline)}</b>")
    if drawn and _says(step.events[0].text, step.headline, whole=len(drawn) > 1):
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


def _moves(pages: CampaignPages, pen: Pen, step: Step) -> list[Markup]:
    """What a step moved, in few words: who, how much, of what; one chip a rule. Movements that an
    event of the step tells already (under the same rule) are left to it."""
    told = {event.rule for event in step.events}
    groups: dict[tuple[str, str], list[str]] = {}
    for p in pages.record.postings(step):
        if p.rule in told:
            continue
        to, source = owner_of(p.target), owner_of(p.source)
        who, sign = (to, "+") if to else (source, "−")
        words = f"{pages.thing(who)} {sign}{p.amount}" if who else f"{p.amount}"
        if to and source and to != source:
            words = f"{pages.thing(source)} → {pages.thing(to)} {p.amount}"
        groups.setdefault((p.rule, _counted(p.unit, p.amount)), []).append(words)
    return [
        Markup("{} {} {}").format(pen.text(", ".join(words)), unit, pen.rule(rule))
        for (rule, unit), words in groups.items()
    ]


def _balance(pages: CampaignPages, pen: Pen, step: Step) -> Markup:
    """What the acting player holds after a step that moved something of theirs."""
    for p in pages.record.postings(step):
        for account in (p.source, p.target):
            if step.player and owner_of(account) == step.player:
                left = pages.tally.balance(step.index, account, p.unit)
                if left is None:
                    continue
                if p.unit.casefold() == "coin":
                    return pen.macro("bits", "balance", step.player, left)
                return Markup('<span class="ch-balance">{} {}</span>').format(
                    step.player, typeset(f"{left} {_counted(p.unit, left)}")
                )
    return Markup("")


def _counted(unit: str, amount: int) -> str:
    """A unit as it follows a number: ``1 die``, ``5 dice``, ``3 Coins``."""
    if amount == 1:
        return unit
    return f"{unit[:-3]}dice" if unit.endswith("die") else f"{unit}s"


def _link(pages: CampaignPages, step: Step, index: int) -> Markup:
    """A step that this one refers to, with what they have to do with each other."""
    other = pages.record.step(index)
    corrects = "correct"
    if step.action.verb == corrects and index < step.index:
        words = "corrects"
    elif other.action.verb == corrects and index > step.index:
        words = "corrected by"
    elif step.action.verb == "reveal" and index < step.index:
        words = "kept secret in"
    elif other.action.verb == "reveal" and index > step.index:
        words = "revealed in"
    else:
        words = "see"
    url = pages.url(Ref("step", str(index), ""))
    if not url:
        return Markup("")
    return Markup('{} <a href="{}">entry {}</a>').format(words, url, index)


def _work(pen: Pen, work: Work) -> Markup:
    """A text or a picture about this moment."""
    where = "in the gallery:" if work.art is not None else "in the journal:"
    return Markup("{} {}").format(where, pen.ref(work.ref))


class Tally:
    """Balances after every step that moved something: the players' accounts, and what it touched."""

    def __init__(self, pages: CampaignPages) -> None:
        self._pages = pages
        self._after: dict[int, dict[tuple[str, str], int]] = {}
        players = set(pages.book.players())
        balances: dict[tuple[str, str], int] = {}
        theirs: dict[tuple[str, str], int] = {}
        touched: dict[tuple[str, str], int] = {}
        now = 0
        for p in pages.record.ledger.postings:
            if p.step != now:
                if now:
                    self._after[now] = {**theirs, **touched}
                now, touched = p.step, {}
            for account, change in ((p.source, -p.amount), (p.target, p.amount)):
                key = (account, p.unit)
                balances[key] = balances.get(key, 0) + change
                owner = owner_of(account)
                if owner in players:
                    theirs[key] = balances[key]
                elif owner:
                    touched[key] = balances[key]
        if now:
            self._after[now] = {**theirs, **touched}

    def balance(self, step: int, account: str, unit: str) -> int | None:
        """What an account held after a step; None if the step did not move anything."""
        return self._after.get(step, {}).get((account, unit))

    def after(self, step: int) -> Markup:
        """How the accounts stood after a step, one line a kind of account; empty if it moved none."""
        lines: dict[str, list[str]] = {}
        for (account, _), amount in self._after.get(step, {}).items():
            kind = self._pages.book.accounts.get(kind_of(account), kind_of(account))
            lines.setdefault(kind, []).append(f"{self._pages.thing(owner_of(account))} {amount}")
        return Markup("<br>").join(
            Markup(f"<b>{inline(kind)}</b> {inline(' · '.join(who))}")
            for kind, who in lines.items()
        )


def findings_in(session: SessionView) -> Counter[Any]:
    """How many findings of each severity the entries of a session have."""
    return Counter(d.severity for step in session.steps for d in step.diagnostics)
