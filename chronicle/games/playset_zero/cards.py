"""Cards and boards of Playset Zero: each roll, what came true, advantages, marks, magic."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign_view import (
    Block,
    Facts,
    Inline,
    Item,
    Listing,
    Note,
    Page,
    Prose,
    Ref,
    Row,
    Section,
    Slip,
    Slips,
    Steps,
    Table,
    heads,
    step_ref,
    tabled,
)
from chronicle.core.diagnostic import plural
from chronicle.core.make_view import cards_of, curves_of, ticks_of_sessions
from chronicle.core.record import Record
from chronicle.games.playset_zero.chances import pool_words
from chronicle.games.playset_zero.state import (
    MARK,
    NEW_FEATURE_PRICE,
    TURN_FLAW_PRICE,
    Character,
    EffortRecord,
    Feature,
    RollRecord,
    Stage,
    State,
)


def sheet_ref(state: State, id: str, name: str = "") -> Inline:
    """A link to a character's sheet; the bare name where there is none."""
    character = state.characters.get(id)
    return Ref("sheet", id, character.name) if character is not None else name or id


def does(effort: EffortRecord) -> str:
    """``helps`` or ``hinders``."""
    return "hinders" if effort.hinders else "helps"


def which(well: bool | None, yes: str, no: str) -> str:
    """``yes``, ``no``, or ``open`` if it is not decided."""
    return "open" if well is None else yes if well else no


# --- rolls ----------------------------------------------------------------------------------------


def roll_section(record: Record, state: State, roll: RollRecord) -> Section:
    """One roll: helpers and hinderers first, then the dice and what they bought on their card; what is on
    it is not told again."""
    blocks: list[Block] = []
    for effort in roll.efforts:
        blocks.extend(_strip(record, roll, effort))
    thrown = cards_of(record, (roll.rolled,))
    blocks += thrown
    rows: list[tuple[str, Inline]] = []
    if roll.asked_by:
        rows.append(("Asked by", roll.asked_by))
    if roll.challenge:
        rows.append(("Challenge", "the goal takes a die of 6 or more"))
    if roll.grade:
        rows.append(("The situation", f"{roll.grade}: {len(roll.items)} questions"))
    if not thrown:
        rows.append(("Roller", sheet_ref(state, roll.character, roll.name)))
        rows.append(("Dice", pool_words(roll.pool.counts())))
        if roll.pool.words():
            rows.append(("Where they come from", "; ".join(roll.pool.words())))
        if roll.odds:
            rows.append(("Chances before the roll", roll.odds))
    else:
        rows += _around(roll)
    blocks.append(Facts(tuple(rows)))
    if not thrown or not roll.settled:
        blocks.append(_questions(roll))
    if roll.gained and not thrown:
        gained = tuple(Slip(advantage.text, step=advantage.step) for advantage in roll.gained)
        blocks.append(Slips(gained, "Advantages established"))
    if roll.outcome_told:
        blocks.append(Prose(roll.outcome_told))
    if roll.stage is Stage.DROPPED:
        blocks.append(Note("This goal was never rolled for."))
    return Section(
        f"{roll.number}. {roll.name}: {roll.goal or 'no goal'}",
        tuple(blocks),
        f"roll-{roll.number}",
        roll.step,
        gist=gist_of(roll),
    )


def gist_of(roll: RollRecord) -> str:
    """What a roll came to, in a few words."""
    if not roll.rolled:
        return "never rolled" if roll.stage is Stage.DROPPED else "not rolled yet"
    goals = {which(item.well, "reached", "missed") for item in roll.goals}
    count = "hits not known" if roll.brought is None else plural(roll.brought, "hit")
    return ", ".join((count, *sorted(goals)))


def _around(roll: RollRecord) -> Iterator[tuple[str, Inline]]:
    """What the card of a roll leaves out: who named the dangers, and what stood in the way."""
    named: dict[str, list[str]] = {}
    for item in roll.dangers:
        named.setdefault(item.author, []).append(item.text)
    for author, dangers in named.items():
        yield f"Danger, named by {author}", "; ".join(dangers)
    for item in roll.items:
        if bar := max(item.bars.values(), default=0):
            yield "Hindered", f"{item.text}: a die above {bar}"


@tabled("Question | In words | Hindered | Bought by | Result", "Who bought what")
def _questions(roll: RollRecord) -> Iterator[Row]:
    for item in roll.items:
        question = "Goal" if item.goal else f"Danger, named by {item.author}"
        ends = ("reached", "missed") if item.goal else ("avoided", "came true")
        bar = max(item.bars.values(), default=0)
        yield (
            question,
            item.text,
            f"above {bar}" if bar else "",
            f"{item.paid.by}, {item.paid.die}" if item.paid else "nobody",
            which(item.well, *ends),
        )


def _strip(record: Record, roll: RollRecord, effort: EffortRecord) -> list[Block]:
    blocks = cards_of(record, (effort.rolled,) if effort.dice else ())
    aims = ", ".join(roll.items[index].text for index in effort.aims) or "none chosen"
    rows: list[tuple[str, Inline]] = [("Aim", aims)]
    if effort.how:
        rows.append(("How", effort.how))
    if effort.danger is not None:
        name = f"Own danger, named by {effort.danger.author}"
        result = which(effort.danger.well, "avoided", "came true")
        rows.append((name, f"{effort.danger.text}: {result}"))
    rows.append(("Effect", effort.effect or "none"))
    blocks.append(Facts(tuple(rows), f"{effort.name} {does(effort)}"))
    return blocks


# --- the boards -----------------------------------------------------------------------------------


def board(state: State) -> Slips:
    """The advantages not erased yet."""
    return Slips(
        tuple(
            Slip(
                f"{advantage.text} ({character.name})", step=advantage.step, player=character.owner
            )
            for character in state.characters.values()
            for advantage in character.held()
        ),
        "Advantages on the board",
    )


def misfortunes_page(state: State) -> Page:
    """Every danger that came true, as a thread."""
    items: list[Item] = []
    for roll, effort, danger in state.misfortunes():
        name = effort.name if effort is not None else roll.name
        when = (effort.spent if effort is not None else roll.settled) or roll.step
        why = f"{name} {does(effort)} {roll.name}" if effort is not None else f"{name}: {roll.goal}"
        items.append(Item(danger.text, f"{why}; named by {danger.author}", when))
    blocks: list[Block] = [
        Listing(tuple(items), ordered=True) if items else Note("Nothing has gone wrong yet.")
    ]
    return Page(
        "what-came-true",
        "What came true",
        blocks,
        "Every danger without a hit, in the order in which it struck: a story of its own.",
    )


def advantages_page(state: State) -> Page:
    """Established advantages: held, used, erased."""
    return Page(
        "advantages",
        "Advantage board",
        [board(state), _all_advantages(state)],
        "An advantage is bought with a hit, written down, and erased when it adds its red die.",
    )


@tabled("Advantage | Whose | Established | Used and erased", "All of them")
def _all_advantages(state: State) -> Iterator[Row]:
    for character in state.characters.values():
        for advantage in character.advantages:
            yield (
                advantage.text,
                sheet_ref(state, character.id),
                step_ref(advantage.step),
                (step_ref(advantage.used), f" {advantage.used_for}")
                if advantage.used
                else "on the sheet",
            )


def mark_rows(record: Record, character: Character) -> Iterator[Row]:
    """What a character earned and spent, with causes, as rows of a table."""
    entries = {(entry.step, entry.change > 0): entry for entry in character.marks}
    for posting, change, balance in record.ledger.moves(MARK, f"marks:{character.id}"):
        entry = entries.get((posting.step_number, change > 0))
        yield (
            step_ref(posting.step_number) if posting.step_number else "the start",
            f"{change:+d}",
            balance,
            posting.why,
            entry.feature if entry is not None else "",
            {"Z33": "the GM's offer", "Z32": "own act"}.get(posting.rule, ""),
            Ref("rule", posting.rule, posting.rule) if posting.rule else "",
        )


def mark_table(rows: tuple[tuple[Inline, ...], ...], title: str) -> Table:
    """Marks as a table."""
    return Table(
        heads("Entry | Change # | Left # | What happened | Because of | Earned by | Rule"),
        tuple(rows),
        title,
    )


def mark_curve(record: Record) -> Steps:
    """Marks over the course of play."""
    return Steps(
        "Marks",
        curves_of(record, "marks", MARK),
        ticks_of_sessions(record),
        ((NEW_FEATURE_PRICE, "a new Feature"), (TURN_FLAW_PRICE, "the flaw turns")),
        x_title="entries of the log",
        y_title="marks",
    )


def marks_page(record: Record, state: State) -> Page:
    """The ledger of marks per character, and offers that were declined."""
    blocks: list[Block] = [mark_curve(record)]
    for character in state.characters.values():
        rows = tuple(mark_rows(record, character))
        if rows:
            blocks.append(mark_table(rows, character.name))
    declined = tuple(
        Item(entry.why, f"declined by {state.characters[id].owner}", entry.step)
        for entry, id in zip(state.offers_refused, state.refusers, strict=True)
    )
    if declined:
        blocks.append(Listing(declined, "Offers that were declined"))
    return Page(
        "marks",
        "Marks",
        blocks,
        "Trouble that a Feature leads into earns a mark; marks become red dice or new Features.",
    )


def magic_page(state: State) -> Page:
    """Magical Features with their uses and limitations."""
    blocks: list[Block] = [
        Section(
            f"{character.name}: {feature.text}",
            (magic_facts(feature),),
            f"magic-{character.id}-{n}",
            feature.magic.step,
        )
        for character in state.characters.values()
        for n, feature in enumerate(character.features, 1)
        if feature.magic is not None
    ]
    return Page(
        "magic",
        "Magic",
        blocks or [Note("Nobody has a magical Feature.")],
        "What each magical Feature is useful for, what limits it, and how often it was used.",
        "Cast",
    )


def magic_facts(feature: Feature) -> Block:
    """What one magical Feature is useful for, how often it was, and what limits it."""
    note = feature.magic
    if note is None:
        return Note("Nothing magical.")
    rows: list[tuple[str, Inline]] = [
        (f"Useful for {use}", _times(note.used.get(use, 0))) for use in note.uses
    ]
    rows.append(("Limitation", note.limitation or "none written down"))
    if note.refused_by:
        rows.append(("Not accepted by", ", ".join(note.refused_by)))
    return Facts(tuple(rows))


def _times(count: int) -> str:
    return {0: "not used yet", 1: "used once"}.get(count, f"used {count} times")
