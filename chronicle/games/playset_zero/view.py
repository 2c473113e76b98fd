"""What a reader of a game of Playset Zero is shown: scenario, sheets, rolls, marks, misfortunes."""

from __future__ import annotations

from chronicle.core.book import (
    Block,
    Book,
    Column,
    ContestCard,
    Edge,
    Facts,
    Graph,
    Inline,
    Item,
    Listing,
    Node,
    Note,
    Page,
    Prose,
    Ref,
    RegistryPage,
    Section,
    Sheet,
    Slip,
    Slips,
    Stat,
    Stats,
    Steps,
    Stones,
    Table,
    appearances,
    curves_of,
    ticks_of_sessions,
)
from chronicle.core.dice import D6, D8, D10
from chronicle.core.ledger import Ledger
from chronicle.core.record import Record
from chronicle.games.playset_zero.chances import pool_words
from chronicle.games.playset_zero.charts import chances_page, figures_page, tally
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

_OPTIONS = {
    "magic": "Features that are magical have three uses and a limitation (Z37, Z38)",
    "challenge": "An unusually tough goal takes a die of 6 or more (Z39)",
    "helping": "Others may help or hinder with two dice, before the roll (Z40 to Z44)",
    "questions": "The GM grades the situation: two, three or four questions (Z45)",
}


def panel(state: State, ledger: Ledger) -> tuple[Block, ...]:
    """Marks, advantages on the board, the roll at hand."""
    blocks: list[Block] = []
    roll = state.running()
    if roll is not None:
        blocks.append(_at_hand(roll))
    elif state.call is not None:
        asked = state.characters[state.call.asks]
        blocks.append(Note(f"{asked.owner} is asked to roll for {asked.name}: {state.call.what}"))
    if state.characters:
        blocks.append(_mark_stones(state, ledger))
    blocks.append(_board(state))
    return tuple(blocks)


def _at_hand(roll: RollRecord) -> Facts:
    rows: list[tuple[str, Inline]] = [
        ("Who", roll.name),
        ("Goal", roll.goal or "none stated"),
        *((f"Danger, named by {item.author}", item.text) for item in roll.dangers),
        ("Dice", pool_words(roll.pool.counts())),
    ]
    if roll.challenge:
        rows.append(("Challenge", "the goal takes a 6 or more"))
    rows.extend(
        (f"{effort.name} {_does(effort)}", effort.effect or "not rolled yet")
        for effort in roll.efforts
    )
    if roll.stage is Stage.ROLLED:
        rows.append(("Hits", roll.hits))
    return Facts(tuple(rows), "The roll at hand")


def _mark_stones(state: State, ledger: Ledger) -> Stones:
    return Stones(
        tuple(
            (who.name, max(0, have), max(TURN_FLAW_PRICE, have))
            for who in state.characters.values()
            for have in (ledger.balance(f"marks:{who.id}", MARK),)
            if not who.npc or have
        ),
        f"Marks ({NEW_FEATURE_PRICE} buy a Feature, {TURN_FLAW_PRICE} turn the flaw)",
    )


def _board(state: State) -> Slips:
    return Slips(
        tuple(
            Slip(f"{a.text} ({who.name})", step=a.step, player=who.owner)
            for who in state.characters.values()
            for a in who.held()
        ),
        "Advantages on the board",
    )


def fill(book: Book) -> None:
    """Everything that section 7 of the catalogue asks for."""
    record = book.record
    state: State = record.state
    book.dice = {"d6": D6, "d8": D8, "d10": D10}
    book.accounts = {
        "marks": "Marks on the sheet",
        "trouble": "Trouble that earned them",
        "rolls": "Spent on rolls",
        "features": "Spent on Features",
        "advantages": "Established advantages",
        "hits": "Hits that established them",
    }
    book.state = list(panel(state, record.ledger))
    book.overview = _overview(state)
    book.curves = [_mark_curve(record)]
    book.registries = [
        RegistryPage(
            "Characters",
            (
                Column("Player"),
                Column("Concept"),
                Column("Main Feature"),
                Column("Rolls", True),
                Column("Marks", True),
            ),
            "Four Features of at least three kinds, one of them the Main one, and a flaw.",
        )
    ]
    book.sheets = [_sheet(book, who) for who in state.characters.values()]
    book.relations = [_help_map(state)]
    book.pages = [
        _scenario_page(state),
        Page(
            "rolls",
            "Rolls",
            [_roll_section(record, state, roll) for roll in state.rolls]
            or [Note("Nobody has rolled yet.")],
            "Every roll: goal, dangers, dice, hits, and what was bought with them.",
            "Play",
        ),
        _misfortunes_page(record, state),
        _advantages_page(state),
        _marks_page(record, state),
        _magic_page(state),
        figures_page(state),
        chances_page(state),
        _table_page(record),
    ]
    book.loose_ends = _loose_ends(record, state)


# --- small pieces ---------------------------------------------------------------------------------


def _step_ref(step: int, label: str = "") -> Ref:
    return Ref("step", str(step), label or f"entry {step}")


def _sheet_ref(state: State, id: str, name: str = "") -> Inline:
    who = state.characters.get(id)
    return Ref("sheet", id, who.name) if who is not None else name or id


def _does(effort: EffortRecord) -> str:
    return "hinders" if effort.hinders else "helps"


def _yes(well: bool | None, yes: str, no: str) -> str:
    return "open" if well is None else yes if well else no


# --- scenario -------------------------------------------------------------------------------------


def _overview(state: State) -> list[Block]:
    blocks: list[Block] = []
    if state.scenario:
        blocks.append(Note(state.scenario))
    rolled = [roll for roll in state.rolls if roll.rolled]
    reached = sum(1 for roll in rolled if roll.goals and all(i.well for i in roll.goals))
    blocks.append(
        Stats(
            (
                Stat(str(len(rolled)), "rolls"),
                Stat(str(reached), "goals reached"),
                Stat(str(sum(1 for _ in state.misfortunes())), "dangers came true"),
            )
        )
    )
    return blocks


def _scenario_page(state: State) -> Page:
    blocks: list[Block] = []
    if state.scenario:
        blocks.append(Prose(state.scenario))
    if state.sides:
        blocks.append(Facts(tuple(state.sides.items()), "Who wants what"))
    if state.hints:
        blocks.append(
            Listing(
                tuple(Item(hint, "", state.scenario_step) for hint in state.hints),
                "Known from the start",
            )
        )
    blocks.append(
        Listing(
            tuple(Item(d.text, f"found out by {d.who}", d.step) for d in state.discoveries),
            "Discovered in play",
            ordered=True,
        )
        if state.discoveries
        else Note("Nothing else has been discovered yet.")
    )
    fits = [(who.name, who.fits) for who in state.characters.values() if who.fits]
    if fits:
        blocks.append(Facts(tuple(fits), "How the characters fit in"))
    return Page("scenario", "The scenario", blocks, "What is going on, and what was known.", "Play")


# --- sheets ---------------------------------------------------------------------------------------


def _sheet(book: Book, who: Character) -> Sheet:
    record = book.record
    state: State = record.state
    have = record.ledger.balance(f"marks:{who.id}", MARK)
    mine = [roll for roll in state.rolls if roll.character == who.id and roll.rolled]
    main = next((f.text for f in who.present() if f.main), "")
    sheet = Sheet(
        id=who.id,
        name=who.name,
        kind="character",
        registry="Characters",
        player=who.owner,
        status="the GM's" if who.npc else f"played by {who.owner}",
        tagline=who.concept,
        row=(who.owner, who.concept or "the GM's", main, len(mine), have),
    )
    sheet.blocks = [_features(who)]
    if who.hint or who.flaw:
        rows: list[tuple[str, Inline]] = []
        if who.hint:
            rows.append(("What hints at the Main Feature", who.hint))
        if who.flaw:
            gone: Inline = who.flaw
            if who.flaw_gone:
                gone = (f"{who.flaw}, until ", _step_ref(who.flaw_gone, "it turned"))
            rows.append(("Flaw", gone))
        if who.fits:
            rows.append(("In the situation", who.fits))
        sheet.blocks.append(Facts(tuple(rows)))
    history = _history(who)
    if history is not None:
        sheet.blocks.append(history)
    sheet.blocks.extend(_magic_sections(who))
    if who.advantages:
        sheet.blocks.append(
            Slips(
                tuple(
                    Slip(a.text, state="removed" if a.used else "", step=a.step)
                    for a in who.advantages
                ),
                "Established advantages",
            )
        )
    marks = _mark_rows(record, who)
    if marks:
        sheet.blocks.append(_mark_table(marks, "Marks"))
    if mine:
        sheet.blocks.append(_rolls_of(mine))
    risks = _risks_of(state, who)
    if risks is not None:
        sheet.blocks.append(risks)
    counts = tally(mine)
    sheet.aside = [
        Stats(
            (
                Stat(str(have), "marks", who.owner),
                Stat(f"{counts.reached} of {counts.goals}", "goals reached"),
                Stat(str(counts.true), "dangers came true"),
            )
        ),
        appearances(record, who.id),
    ]
    return sheet


def _features(who: Character) -> Slips:
    slips: list[Slip] = []
    for f in who.features:
        text = f"{f.text} ({f.kind or 'Feature'}{', Main' if f.main else ''})"
        state = "removed" if f.gone else "name" if f.main else ""
        slips.append(Slip(text, state=state, step=f.step, player=who.owner))
    if who.flaw:
        slips.append(
            Slip(
                f"{who.flaw} (flaw)",
                state="removed" if who.flaw_gone else "wound",
                step=who.step,
                player=who.owner,
            )
        )
    return Slips(tuple(slips), "Features")


def _history(who: Character) -> Table | None:
    rows: list[tuple[Inline, ...]] = []
    for f in who.features:
        if f.origin == "turned":
            rows.append((_step_ref(f.step), who.flaw, f.text, TURN_FLAW_PRICE))
        elif f.origin == "bought":
            old = next((o for o in who.features if o.gone == f.step), None)
            rows.append((_step_ref(f.step), old.text if old else "", f.text, NEW_FEATURE_PRICE))
    if not rows:
        return None
    return Table(
        (Column("Entry"), Column("Was"), Column("Became"), Column("Marks", True)),
        tuple(rows),
        "How the Features changed",
    )


def _magic_sections(who: Character) -> list[Block]:
    return [
        Section(f"Magic: {f.text}", (_magic_facts(f),), f"magic-{n}", f.magic.step)
        for n, f in enumerate(who.features, 1)
        if f.magic is not None
    ]


def _magic_facts(feature: Feature) -> Block:
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
    match count:
        case 0:
            return "not used yet"
        case 1:
            return "used once"
        case _:
            return f"used {count} times"


def _rolls_of(rolls: list[RollRecord]) -> Table:
    return Table(
        (
            Column("Roll", True),
            Column("Goal"),
            Column("Hits", True),
            Column("Result"),
            Column("True"),
        ),
        tuple(
            (
                Ref("step", str(roll.step), str(roll.number)),
                roll.goal + (" (Challenge)" if roll.challenge else ""),
                "?" if roll.unrecorded else roll.hits,
                _yes(_reached(roll), "reached", "missed"),
                ", ".join(i.text for i in roll.dangers if i.well is False) or "nothing",
            )
            for roll in rolls
        ),
        "Rolls",
    )


def _reached(roll: RollRecord) -> bool | None:
    if not roll.goals or any(item.well is None for item in roll.goals):
        return None
    return all(item.well for item in roll.goals)


def _risks_of(state: State, who: Character) -> Table | None:
    rows = tuple(
        (
            _step_ref(effort.step),
            f"{_does(effort)} {roll.name}",
            effort.effect or "no effect",
            effort.danger.text if effort.danger else "",
            _yes(effort.danger.well, "avoided", "came true") if effort.danger else "",
        )
        for roll, effort in state.efforts()
        if effort.character == who.id
    )
    if not rows:
        return None
    return Table(
        (Column("Entry"), Column("What"), Column("Effect"), Column("Own danger"), Column("Which")),
        rows,
        "For and against others",
    )


# --- rolls ----------------------------------------------------------------------------------------


def _roll_section(record: Record, state: State, roll: RollRecord) -> Section:
    blocks: list[Block] = []
    for effort in roll.efforts:
        blocks.extend(_strip(record, roll, effort))
    if roll.rolled:
        contest = record.step(roll.rolled).contest
        if contest is not None:
            blocks.append(ContestCard(contest, roll.rolled))
    rows: list[tuple[str, Inline]] = [("Roller", _sheet_ref(state, roll.character, roll.name))]
    if roll.asked_by:
        rows.append(("Asked by", roll.asked_by))
    rows.append(("Goal", roll.goal or "none stated"))
    if roll.challenge:
        rows.append(("Challenge", "the goal takes a die of 6 or more"))
    if roll.grade:
        rows.append(("The situation", f"{roll.grade}: {len(roll.items)} questions"))
    rows.append(("Dice", pool_words(roll.pool.counts())))
    if roll.pool.words():
        rows.append(("Where they come from", "; ".join(roll.pool.words())))
    if roll.odds:
        rows.append(("Chances before the roll", roll.odds))
    if roll.rolled and not roll.unrecorded:
        rows.append(("Hits", roll.hits))
    blocks.append(Facts(tuple(rows)))
    blocks.append(_questions(roll))
    if roll.gained:
        blocks.append(
            Slips(tuple(Slip(a.text, step=a.step) for a in roll.gained), "Advantages established")
        )
    if roll.told:
        blocks.append(Prose(roll.told))
    if roll.stage is Stage.DROPPED:
        blocks.append(Note("This goal was never rolled for."))
    return Section(
        f"{roll.number}. {roll.name}: {roll.goal or 'no goal'}",
        tuple(blocks),
        f"roll-{roll.number}",
        roll.step,
    )


def _questions(roll: RollRecord) -> Table:
    rows: list[tuple[Inline, ...]] = []
    for item in roll.items:
        what = "Goal" if item.goal else f"Danger, named by {item.author}"
        result = (
            _yes(item.well, "reached", "missed")
            if item.goal
            else _yes(item.well, "avoided", "came true")
        )
        bar = max(item.bars.values(), default=0)
        rows.append(
            (
                what,
                item.text,
                f"above {bar}" if bar else "",
                f"{item.paid_by}, {item.paid}" if item.paid else "nobody",
                result,
            )
        )
    return Table(
        (
            Column("Question"),
            Column("In words"),
            Column("Hindered"),
            Column("Bought by"),
            Column("Result"),
        ),
        tuple(rows),
        "Who bought what",
    )


def _strip(record: Record, roll: RollRecord, effort: EffortRecord) -> list[Block]:
    blocks: list[Block] = []
    if effort.dice and effort.rolled:
        contest = record.step(effort.rolled).contest
        if contest is not None:
            blocks.append(ContestCard(contest, effort.rolled))
    aims = ", ".join(roll.items[index].text for index in effort.aims) or "none chosen"
    rows: list[tuple[str, Inline]] = [("Aim", aims)]
    if effort.how:
        rows.append(("How", effort.how))
    if effort.danger is not None:
        result = _yes(effort.danger.well, "avoided", "came true")
        rows.append(
            (f"Own danger, named by {effort.danger.author}", f"{effort.danger.text}: {result}")
        )
    rows.append(("Effect", effort.effect or "none"))
    blocks.append(Facts(tuple(rows), f"{effort.name} {_does(effort)}"))
    return blocks


# --- the boards -----------------------------------------------------------------------------------


def _misfortunes_page(record: Record, state: State) -> Page:
    items: list[Item] = []
    for roll, effort, danger in state.misfortunes():
        who = effort.name if effort is not None else roll.name
        when = (effort.spent if effort is not None else roll.settled) or roll.step
        why = f"{who} {_does(effort)} {roll.name}" if effort is not None else f"{who}: {roll.goal}"
        items.append(Item(danger.text, f"{why}; named by {danger.author}", when))
    blocks: list[Block] = [
        Listing(tuple(items), ordered=True) if items else Note("Nothing has gone wrong yet.")
    ]
    return Page(
        "what-came-true",
        "What came true",
        blocks,
        "Every danger that nobody paid off, in the order in which it struck: a story of its own.",
        "Play",
    )


def _advantages_page(state: State) -> Page:
    rows: list[tuple[Inline, ...]] = []
    for who in state.characters.values():
        for a in who.advantages:
            used: Inline = (_step_ref(a.used), f" {a.used_for}") if a.used else "on the sheet"
            rows.append((a.text, _sheet_ref(state, who.id), _step_ref(a.step), used))
    blocks: list[Block] = [
        _board(state),
        Table(
            (
                Column("Advantage"),
                Column("Whose"),
                Column("Established"),
                Column("Used and erased"),
            ),
            tuple(rows),
            "All of them",
        ),
    ]
    return Page(
        "advantages",
        "Advantage board",
        blocks,
        "An advantage is bought with a hit, written down, and erased when it adds its red die.",
        "Record",
    )


def _mark_rows(record: Record, who: Character) -> list[tuple[Inline, ...]]:
    account = f"marks:{who.id}"
    entries = {(entry.step, entry.change > 0): entry for entry in who.marks}
    rows: list[tuple[Inline, ...]] = []
    left = 0
    for posting in record.ledger.postings:
        if posting.unit != MARK or account not in (posting.source, posting.target):
            continue
        change = posting.amount if posting.target == account else -posting.amount
        left += change
        entry = entries.get((posting.step, change > 0))
        cause = entry.feature if entry is not None else ""
        kind = ""
        if posting.rule == "Z33":
            kind = "the GM's offer"
        elif posting.rule == "Z32":
            kind = "own act"
        rows.append(
            (
                _step_ref(posting.step) if posting.step else "the start",
                f"{change:+d}",
                left,
                posting.why,
                cause,
                kind,
                Ref("rule", posting.rule, posting.rule) if posting.rule else "",
            )
        )
    return rows


def _mark_table(rows: list[tuple[Inline, ...]], title: str) -> Table:
    return Table(
        (
            Column("Entry"),
            Column("Change", True),
            Column("Left", True),
            Column("What happened"),
            Column("Because of"),
            Column("Earned by"),
            Column("Rule"),
        ),
        tuple(rows),
        title,
    )


def _mark_curve(record: Record) -> Steps:
    return Steps(
        "Marks",
        curves_of(record, "marks", MARK),
        ticks_of_sessions(record),
        ((NEW_FEATURE_PRICE, "a new Feature"), (TURN_FLAW_PRICE, "the flaw turns")),
        x_title="entries of the log",
        y_title="marks",
    )


def _marks_page(record: Record, state: State) -> Page:
    blocks: list[Block] = [_mark_curve(record)]
    for who in state.characters.values():
        rows = _mark_rows(record, who)
        if rows:
            blocks.append(_mark_table(rows, who.name))
    if state.offers_refused:
        blocks.append(
            Listing(
                tuple(
                    Item(entry.why, f"declined by {state.characters[id].owner}", entry.step)
                    for entry, id in zip(state.offers_refused, state.refusers, strict=True)
                ),
                "Offers that were declined",
            )
        )
    return Page(
        "marks",
        "Marks",
        blocks,
        "Trouble that a Feature leads into earns a mark; marks become red dice or new Features.",
        "Record",
    )


def _magic_page(state: State) -> Page:
    blocks: list[Block] = [
        Section(f"{who.name}: {f.text}", (_magic_facts(f),), f"magic-{who.id}-{n}", f.magic.step)
        for who in state.characters.values()
        for n, f in enumerate(who.features, 1)
        if f.magic is not None
    ]
    return Page(
        "magic",
        "Magic",
        blocks or [Note("Nobody has a magical Feature.")],
        "What each magical Feature is useful for, what limits it, and how often it was used.",
        "Cast",
    )


def _help_map(state: State) -> Graph:
    counts: dict[tuple[str, str, str], int] = {}
    for roll, effort in state.efforts():
        if effort.character in state.characters and roll.character in state.characters:
            key = (effort.character, roll.character, _does(effort))
            counts[key] = counts.get(key, 0) + 1
    return Graph(
        "Who helped and hindered whom",
        tuple(
            Node(who.id, who.name, "character", Ref("sheet", who.id, who.name), who.owner)
            for who in state.characters.values()
        ),
        tuple(
            Edge(
                one,
                other,
                kind if times == 1 else f"{kind} ({times})",
                "green" if kind == "helps" else "red",
                True,
                times,
            )
            for (one, other, kind), times in counts.items()
        ),
        (("green", "helps"), ("red", "hinders")),
    )


def _table_page(record: Record) -> Page:
    settings = record.campaign.settings
    chosen = tuple(getattr(settings, "options", ()))
    registry = record.rulebook.registry()
    rulings = settings.rulings or {}
    readings: list[tuple[Inline, ...]] = []
    for ruling in registry.rulings:
        value = next(
            (str(v) for k, v in rulings.items() if str(k) in (ruling.key, ruling.id)),
            ruling.default,
        )
        readings.append(
            (
                Ref("rule", ruling.id, ruling.id),
                ruling.question,
                ruling.readings.get(value, value),
                "the table's choice" if value != ruling.default else "default",
                len(record.rulings_used.get(ruling.key, ())),
            )
        )
    findings = tuple(
        Item(found.message, f"{found.severity}, {found.code}", found.step)
        for found in record.diagnostics
        if found.cause is None
    )
    return Page(
        "at-this-table",
        "Options and rulings",
        [
            Facts(
                tuple(
                    (words, "in force" if option in chosen else "not used")
                    for option, words in _OPTIONS.items()
                ),
                "Optional rules",
            ),
            Table(
                (
                    Column("Point"),
                    Column("Question"),
                    Column("Reading"),
                    Column("Chosen"),
                    Column("Mattered", True),
                ),
                tuple(readings),
                "Where the text is silent",
            ),
            Listing(findings, "What the checker says")
            if findings
            else Note("The checker has nothing to say about this log."),
        ],
        "What this table plays with, and how it reads what the text leaves open.",
        "Record",
    )


def _loose_ends(record: Record, state: State) -> list[Item]:
    ends: list[Item] = []
    if state.call is not None:
        asked = state.characters[state.call.asks]
        ends.append(Item(f"{asked.name} has been asked to roll", state.call.what, state.call.step))
    roll = state.running()
    if roll is not None:
        what = "has hits to spend" if roll.stage is Stage.ROLLED else "has not rolled yet"
        ends.append(Item(f"{roll.name} {what}", roll.goal, roll.step))
    for who in state.characters.values():
        for a in who.held():
            ends.append(Item(f"{who.name} holds an advantage: {a.text}", "Z31", a.step))
        have = record.ledger.balance(f"marks:{who.id}", MARK)
        if have and who.marks:
            ends.append(Item(f"{who.name} has marks to spend: {have}", "Z34", who.marks[-1].step))
    scene = record.timeline.current
    if scene is not None and not state.over:
        ends.append(Item(f"A scene is open: {scene.title}", "", scene.first_step))
    return ends
