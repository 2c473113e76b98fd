"""Conflict cards: the proposal, both readings, the levels, the effects, and other possible results."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign_view import Block, Facts, Inline, Item, Listing, Ref, Section, heads
from chronicle.core.campaign_view import Table as Grid
from chronicle.core.diagnostic import listed, plural
from chronicle.core.make_view import cards_of
from chronicle.core.record import Record
from chronicle.games.isolation.dice import GREEN, RED, Throw
from chronicle.games.isolation.mapview import sheet_ref
from chronicle.games.isolation.odds import percent
from chronicle.games.isolation.state import (
    RANK,
    WORDS_OF_DIFFICULTY,
    Conflict,
    Hand,
    Level,
    Scope,
    Side,
    State,
    level_of,
    signed,
)
from chronicle.games.isolation.verdicts import pooled

LADDER = (
    ("4 and more", Level.COMPLETE_SUCCESS),
    ("2, 3", Level.BASIC_SUCCESS),
    ("0, 1", Level.PARTIAL_SUCCESS),
    ("-1", Level.PARTIAL_FAILURE),
    ("-2, -3", Level.BASIC_FAILURE),
    ("-4 and less", Level.COMPLETE_FAILURE),
)


def card(record: Record, state: State, conflict: Conflict) -> Section:
    """Everything about one conflict."""
    blocks = cards_of(record, conflict.steps)
    blocks.append(_facts(record, conflict, drawn=bool(blocks)))
    blocks.append(_effects(state, conflict))
    if conflict.motives:
        blocks.append(
            Facts(tuple((character, words) for character, words in conflict.motives.items()), "Why")
        )
    read: list[Block] = []
    if conflict.scope is not Scope.ALONE and conflict.dice:
        read.append(_first(conflict))
    if conflict.level is not None and conflict.dice:
        read.append(_second(conflict))
        read.append(_ladder(conflict))
        if lines := tuple(map(Item, what_if(conflict))):
            read.append(Listing(lines, "What if"))
    if chains := tuple(map(Item, chains_of(conflict))):
        read.append(Listing(chains, "Chains"))
    if read:
        name = f"Both readings of conflict {conflict.number}, and other possible results"
        blocks.append(Section(name, tuple(read), folded=True))
    level = (
        str(conflict.level)
        if conflict.level is not None
        else ("taken back" if conflict.withdrawn else "open")
    )
    return Section(
        f"{conflict.number}. {conflict.active}: {conflict.words}",
        tuple(blocks),
        f"conflict-{conflict.number}",
        conflict.step,
        gist=level,
    )


def _facts(record: Record, conflict: Conflict, *, drawn: bool) -> Facts:
    """The facts before the roll. If a card of the dice is ``drawn``, it has the modifiers."""
    rows: list[tuple[str, Inline]] = [
        ("Asked", listed((*conflict.asked, *conflict.gone)) or "nobody")
    ]
    if conflict.against:
        rows.append(("Against", sheet_ref(conflict.against)))
    if conflict.defaulted:
        rows.append(("Neutral by default", listed(conflict.defaulted)))
    if conflict.absent:
        rows.append(("Elsewhere", listed(conflict.absent)))
    rows.append(("Physically threatening", "yes" if conflict.physical else "no"))
    for character, modifiers in () if drawn else conflict.modifiers.items():
        text = ", ".join(f"+{m.dice} {m.colour}: {m.why}" for m in modifiers)
        rows.append((f"Modifiers of {character}", text))
    if conflict.rating is not None:
        word = WORDS_OF_DIFFICULTY.get(conflict.rating.dice, "")
        rows.append(("Difficulty", f"{word} ({conflict.rating.dice})"))
    if conflict.threat_formula:
        rows.append(("Against them", conflict.threat_formula))
        rows.append(("Living Characters", conflict.living))
    if conflict.scene:
        scene = record.timeline.get(conflict.scene)
        rows.append(("Scene", Ref("scene", str(scene.number), scene.title)))
    return Facts(tuple(rows))


def _first(conflict: Conflict) -> Grid:
    """The first reading, with odds before the roll, downgrades and exceptions."""
    active = conflict.hands[conflict.active]
    rows: list[tuple[Inline, ...]] = []
    for hand in conflict.hands.values():
        if hand is active:
            continue
        if hand.defaulted:
            stance = f"turned {hand.final}" if hand.late else str(hand.final or "neutral")
            rows.append((sheet_ref(hand.character), *[""] * 4, "Neutral by default", stance))
            continue
        rows.append(
            (
                sheet_ref(hand.character),
                f"{hand.green} green, {hand.red} red",
                _chances(hand),
                hand.evens if hand.net is not None else "",
                signed(hand.net) if hand.net is not None else "",
                str(hand.best) + (" (no red link)" if hand.exempt else ""),
                _stance_of(hand),
            )
        )
    return Grid(
        heads("Passive | Dice | Odds before | Green evens # | Net # | Allowed | Stance"),
        tuple(rows),
        "First reading",
        f"{active.character}: {active.green} green, {active.red} red; "
        f"{plural(active.odds, 'red odd')} after cancelling",
    )


def _chances(hand: Hand) -> str:
    if hand.chances is None:
        return ""
    words = {Side.COOPERATIVE: "helps", Side.NEUTRAL: "is Neutral", Side.HOSTILE: "opposes"}
    return ", ".join(f"{words[side]} {percent(hand.chances.get(side, 0.0))}" for side in Side)


def _stance_of(hand: Hand) -> str:
    if hand.stance is None:
        return "not said"
    marks = []
    if hand.early:
        marks.append("said before the roll")
    elif RANK[hand.stance] < RANK[hand.best]:
        marks.append("by choice")
    if hand.stance is Side.COOPERATIVE and hand.exempt and (hand.net is None or hand.net < 2):
        marks.append("freely")
    return str(hand.stance) + (f" ({', '.join(marks)})" if marks else "")


def _second(conflict: Conflict) -> Facts:
    helping: list[str] = []
    against: list[str] = []
    for hand in conflict.hands.values():
        throw = hand.throw or Throw()
        if hand.character == conflict.active or hand.final is Side.COOPERATIVE:
            helping.append(
                f"{hand.character} {throw.of(GREEN)} ({throw.of(GREEN).counted(GREEN)} even)"
            )
        if hand.final is Side.HOSTILE or (
            hand.character == conflict.active and conflict.scope is Scope.ALONE
        ):
            against.append(f"{hand.character} {throw.of(RED)} ({throw.of(RED).counted(RED)} odd)")
    rows: list[tuple[str, Inline]] = [
        ("Pooled", "; ".join(helping)),
        ("Cancelled by", "; ".join(against) or "nobody"),
        ("Green evens", f"{conflict.evens} - {conflict.cancelled} = {conflict.pool}"),
        (
            conflict.against or "GM",
            f"{(conflict.threat or Throw()).of(RED)} ({plural(conflict.versus, 'odd')})",
        ),
    ]
    if conflict.threat_chance is not None:
        odds = f"{percent(conflict.threat_chance)} for success of any kind"
        rows.append((f"Odds before {conflict.against or 'the GM'}'s roll", odds))
    return Facts(tuple(rows), "Second reading")


def _ladder(conflict: Conflict) -> Facts:
    mark = f": here, {signed(conflict.difference)}"
    rows = (
        (str(level), f"{span}{mark}" if level is conflict.level else span) for span, level in LADDER
    )
    return Facts(tuple(rows), "The levels")


def what_if(conflict: Conflict) -> Iterator[str]:
    """The result of a conflict that dice have decided, with one character more or less on each side, from the same
    faces."""
    for hand in conflict.hands.values():
        if hand.character == conflict.active or hand.throw is None:
            continue
        greens = hand.throw.of(GREEN).counted(GREEN)
        odds = hand.throw.of(RED).counted(RED)
        side = hand.final or Side.NEUTRAL
        for partner in Side:
            if partner is side or (hand.defaulted and partner is Side.COOPERATIVE):
                continue
            evens = conflict.evens + greens * (
                (partner is Side.COOPERATIVE) - (side is Side.COOPERATIVE)
            )
            cancelled = conflict.cancelled + odds * (
                (partner is Side.HOSTILE) - (side is Side.HOSTILE)
            )
            pool = pooled(evens, cancelled)
            level = level_of(pool - conflict.versus)
            allowed = hand.defaulted or RANK[partner] <= RANK[hand.best]
            yield (
                f"Had {hand.character} been {partner}: {pool} against {conflict.versus}, a {level}"
                + ("" if allowed else " (the dice did not allow it)")
                + ("" if level is not conflict.level else ", the same")
            )


def chains_of(conflict: Conflict) -> Iterator[str]:
    """Throws that ran on: who, which colour, how many extra dice."""
    throws = [
        (hand.character, hand.throw) for hand in conflict.hands.values() if hand.throw is not None
    ]
    if conflict.threat is not None:
        throws.append((conflict.against or "GM", conflict.threat))
    for character, throw in throws:
        for colour in (GREEN, RED):
            rolled = throw.of(colour)
            chains = rolled.chains(colour)
            if chains:
                yield (
                    f"{character}, {colour}: {plural(chains, f'face {colour.chain}', f'faces {colour.chain}')} "
                    f"({rolled})"
                )


def _effects(state: State, conflict: Conflict) -> Facts:
    rows: list[tuple[str, Inline]] = []
    for character, count in conflict.wounds.items():
        blame = conflict.blame.get(character, ())
        blamed = f"; blamed on {listed(blame)}" if blame else ""
        rows.append((f"{character} wounded", plural(count, "level") + blamed))
    rows += [("Died", sheet_ref(character)) for character in conflict.deaths]
    rows += [
        (state.name_of(pair), f"unlabelled {signed(by)}") for pair, by in conflict.formed.items()
    ]
    if conflict.level is not None:
        rows.append(
            ("Stress", signed(conflict.stress_change) if conflict.stress_change else "unchanged")
        )
    return Facts(tuple(rows), "Effects")
