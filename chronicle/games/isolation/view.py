"""The pages of a scenario: links, Stress, wounds, who helped whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chronicle.core.campaign_view import (
    Block,
    CampaignView,
    Facts,
    Inline,
    Item,
    Lanes,
    Listing,
    Note,
    Page,
    RegistryPage,
    Row,
    Section,
    Series,
    Sheet,
    Slip,
    Slips,
    Stat,
    Stats,
    Steps,
    Table,
    heads,
    step_ref,
    tabled,
)
from chronicle.core.diagnostic import listed, plural
from chronicle.core.doubts import doubts_of
from chronicle.core.figures import is_figure
from chronicle.core.ledger import Ledger
from chronicle.core.make_view import appearances, readings_table, ticks_of_sessions
from chronicle.core.record import Record
from chronicle.core.rules import Ruling
from chronicle.games.isolation import mapview
from chronicle.games.isolation.cards import card, chains_of
from chronicle.games.isolation.dice import GREEN, GREEN_DIE, RED, RED_DIE
from chronicle.games.isolation.odds import percent
from chronicle.games.isolation.results import RESULTS as RESULTS
from chronicle.games.isolation.state import (
    WORDS_OF_DIFFICULTY,
    Conflict,
    Health,
    Person,
    Side,
    State,
    Topic,
    signed,
)

END = 1 << 60
"""After every entry there is."""


def panel(state: State, ledger: Ledger) -> Iterator[Block]:
    """The state of play: Stress, health, every pair, the conflict at hand."""
    yield Stats(
        (
            Stat(str(state.stress), "Stress"),
            Stat.of(len(state.playing()), "Living Character"),
            Stat.of(len(state.conflicts), "conflict"),
        )
    )
    yield Slips(
        tuple(
            Slip(f"{p.id}: {p.health}", state=_slip(p), player=p.player, of=p.id)
            for p in state.people.values()
        ),
        "Health",
    )
    conflict = state.conflict
    if conflict is not None:
        yield Facts(
            (
                ("Said aloud", f"{conflict.active}: {conflict.words}"),
                ("Asked", listed((*conflict.asked, *conflict.gone)) or "nobody"),
                *(
                    (hand.character, str(hand.final or hand.stance or "not said"))
                    for hand in conflict.hands.values()
                    if hand.character != conflict.active
                ),
            ),
            "On the table",
        )
    if state.links or state.loose:
        yield mapview.table_at(state, END, "Links")


def _slip(person: Person) -> str:
    if not person.alive:
        return "removed"
    return "wound" if person.health is not Health.HEALTHY else ""


def fill(view: CampaignView, rulings: Sequence[Ruling]) -> None:
    """Add the pages of a scenario to a book."""
    record = view.record
    state: State = record.state
    view.dice = {"green": GREEN_DIE, "red": RED_DIE}
    fever = stress_curve(record, state)
    view.curves = [fever]
    view.relations = [mapview.graph_at(state, END, "The map now")]
    # The map shows the links, so their table is left out.
    view.state = [
        *(b for b in panel(state, record.ledger) if not isinstance(b, Table)),
        *view.relations,
    ]
    view.overview = [_elements(state), fever, _outcomes(state)]
    view.registries = [*_registries(state)]
    view.sheets = [_sheet(view, person) for person in state.people.values()]
    view.sheets += [_outsider(record, id, step) for id, step in state.outsiders.items()]
    view.pages = [
        _conflict_list(state),
        *_conflict_pages(record, state),
        Page(
            "stress",
            "Stress",
            [fever, _causes(state)],
            "The Stress Level over time, and the causes of each change.",
        ),
        Page(
            "health",
            "Health",
            [_lanes(record, state), _wounds(state), *_deaths(state)],
            "Who was hurt when, who was blamed for it, and who died.",
        ),
        Page(
            "session-ends",
            "Session ends",
            [*_ends(state)] or [Note("No pair has rolled yet.")],
            "At the end of a session each pair can roll its links.",
        ),
        Page(
            "who-helped-whom",
            "Who helped whom",
            [_matrix(state), _table_of_stances(state)],
            "Rows asked; columns helped, were Neutral, or opposed.",
            "Map",
        ),
        *mapview.map_pages(record, state),
        Page(
            "difficulties",
            "Place, threat, difficulty",
            [_elements(state), _difficulties(record, state), _highlights(state)],
            "The Difficulty of each conflict, and the dice against it.",
        ),
        Page(
            "readings",
            "Readings in force",
            [readings_table(record, (r for r in rulings if len(r.readings) > 1))],
            "How this table reads points that the rule book leaves open.",
            "About",
        ),
    ]
    view.loose_ends = [*_loose_ends(state)]


def _conflict_list(state: State) -> Page:
    rows: list[tuple[Inline, ...]] = [
        (
            step_ref(conflict.step, f"{conflict.number}. {conflict.words}"),
            mapview.sheet_ref(conflict.active),
            f"against {conflict.against}" if conflict.against else str(conflict.scope),
            f"{conflict.pool} : {conflict.versus}" if conflict.level and conflict.dice else "",
            str(conflict.level or "open"),
        )
        for conflict in state.conflicts
    ]
    table = Table(
        heads("Proposal | Said by | Asked | Evens : odds | Result"),
        tuple(rows),
    )
    return Page(
        "conflicts",
        "Conflicts",
        [table if rows else Note("There is no proposal yet.")],
        "Every proposal as it was said. The pages of each session hold both readings of the roll.",
        lists_contests=True,
    )


def _conflict_pages(record: Record, state: State) -> list[Page]:
    """One page a session, so that no page grows with the campaign."""
    return [
        Page(
            f"conflicts-session-{session}",
            f"Conflicts of session {session}",
            [
                card(record, state, conflict)
                for conflict in state.conflicts
                if conflict.session == session
            ],
            "Who was asked, both readings of the roll, the effects, and other possible results.",
            "Contests",
            "conflicts",
        )
        for session in dict.fromkeys(conflict.session for conflict in state.conflicts)
    ]


# --- overview -------------------------------------------------------------------------------------


def _elements(state: State) -> Facts:
    rows: list[tuple[str, Inline]] = [
        ("Place", state.place or "not said"),
        ("Threat", state.threat or "not said"),
    ]
    if state.overlap:
        rows.append(("One and the same", state.overlap))
    rows.append(("Cast", listed(state.people) or "nobody yet"))
    if state.outsiders:
        rows.append(("Elsewhere", listed(state.outsiders)))
    return Facts(tuple(rows), "Three things")


def _outcomes(state: State) -> Stats:
    dead = [p.id for p in state.people.values() if not p.alive]
    out = [p.id for p in state.people.values() if p.alive and p.out]
    alive = [p.id for p in state.people.values() if p.alive] if state.over else []
    # The log says who got out; at the end it is known who is alive.
    text = ((out, "got out"), (alive, "alive at the end"))
    return Stats(
        (
            Stat.of(
                len([c for c in state.conflicts if c.level is not None]),
                "conflict decided",
                "conflicts decided",
            ),
            Stat(str(len(dead)), "dead" + (f": {listed(dead)}" if dead else "")),
            *(Stat(str(len(names)), f"{words}: {listed(names)}") for names, words in text if names),
            Stat(str(state.stress), "Stress"),
        )
    )


# --- Stress ---------------------------------------------------------------------------------------


def stress_curve(record: Record, state: State) -> Steps:
    """The Stress Level over the entries of the log, with its causes."""
    points = {change.step: change.level for change in state.stress_history}
    return Steps(
        "Stress",
        (Series("Stress", tuple(points.items()), doubts=doubts_of(record, "stress:")),),
        ticks_of_sessions(record),
        ((0, "no dice needed"),),
        tuple((change.step, change.level, change.why) for change in state.stress_history),
        x_title="entries of the log",
        y_title="Stress Level",
    )


@tabled("Entry | Change # | Level # | Kind | Cause", "Causes")
def _causes(state: State) -> Iterator[Row]:
    levels = (0, *(change.level for change in state.stress_history))
    for level, change in zip(levels, state.stress_history, strict=False):
        yield (
            step_ref(change.step),
            signed(change.level - level) if change.kind != "start" else "",
            change.level,
            change.kind,
            change.why,
        )


# --- sheets ---------------------------------------------------------------------------------------


def _registries(state: State) -> Iterator[RegistryPage]:
    yield RegistryPage(
        "Characters",
        heads("Player | Profession | Health | Green # | Red # | Proposals #"),
        "The characters who are trapped together.",
    )
    if state.outsiders:
        yield RegistryPage("Outsiders", heads("First named"), "Names without figures or links.")


def _sheet(view: CampaignView, person: Person) -> Sheet:
    record = view.record
    state: State = record.state
    name = record.names.all[person.id].name
    green = red = 0
    for pair in state.pairs():
        if person.id in pair:
            green += len(state.labelled(pair, GREEN)) + state.unlabelled(pair).green
            red += len(state.labelled(pair, RED)) + state.unlabelled(pair).red
    own = [c for c in state.conflicts if c.active == person.id]
    status = str(person.health) + (", out of the scenario" if person.out and person.alive else "")
    return Sheet(
        id=person.id,
        name=name,
        kind="character",
        registry="Characters",
        player=person.player,
        status=status,
        tagline=f"{person.profession}; {'the GM' if person.npc else person.player} plays {name}",
        row=(person.player, person.profession, status, green, red, len(own)),
        role=person.profession,
        has_no_player=person.npc,
        gone=bool(person.died),
        blocks=[
            Slips(tuple(Slip(word) for word in person.plus), "Positive"),
            Slips(tuple(Slip(word) for word in person.minus), "Negative"),
            _links(state, person),
            _history(person),
            _part_in(state, person),
        ],
        aside=[
            Stats(
                (
                    Stat(str(person.health), "health", person.player),
                    Stat(f"{green} : {red}", "green : red links"),
                )
            ),
            Facts(
                (
                    ("Player", person.player or "nobody"),
                    ("Profession", person.profession),
                    ("Bias", person.bias),
                    ("Goal", person.goal),
                )
            ),
            appearances(record, person.id),
            *([Note("Played by the GM, and trapped with the others.")] * person.npc),
        ],
    )


@tabled(f"With | {mapview.LINKS}", "Links")
def _links(state: State, person: Person) -> Iterator[Row]:
    for pair in state.pairs():
        if person.id in pair:
            yield mapview.row_of(
                mapview.sheet_ref(pair[0] if pair[1] == person.id else pair[1]),
                state.labelled(pair),
                state.unlabelled(pair),
            )


def _history(person: Person) -> Listing:
    return Listing(
        tuple(Item(str(level).capitalize(), why, step) for step, level, why in person.history)
        or (Item("Healthy all along"),),
        "Health",
        ordered=True,
    )


def _part_in(state: State, person: Person) -> Listing:
    items: list[Item] = []
    for conflict in state.conflicts:
        hand = conflict.hands.get(person.id)
        if conflict.active == person.id:
            part = "proposed"
        elif conflict.against == person.id:
            part = f"was the target of {conflict.active}"
        elif hand is not None and conflict.dice:
            part = f"{hand.final or hand.stance or 'undecided'} to {conflict.active}"
        else:
            continue
        level = str(conflict.level or "open")
        items.append(Item(f"{part}: {conflict.words}", level, conflict.step))
    return Listing(tuple(items), "In conflicts", ordered=True)


def _outsider(record: Record, id: str, step: int) -> Sheet:
    name = record.names.all[id].name
    return Sheet(
        id=id,
        name=name,
        kind="outsider",
        registry="Outsiders",
        status="elsewhere",
        tagline="No figures, no links: the GM sees to it by Difficulty and Stress.",
        row=(step_ref(step),),
        has_no_player=True,
        blocks=[appearances(record, id)],
    )


# --- health ---------------------------------------------------------------------------------------


def _lanes(record: Record, state: State) -> Block:
    moments = sorted({step for p in state.people.values() for step, _, _ in p.history})
    if not moments:
        return Note("No character has been hurt yet.")
    rows: list[str] = []
    cells: list[tuple[int, int, str, str]] = []
    for person in state.people.values():
        levels = [
            next((to for step, to, _ in reversed(person.history) if step <= moment), Health.HEALTHY)
            for moment in moments
        ]
        for level in sorted({*levels} - {Health.HEALTHY}):
            cells += [
                (len(rows), column, str(level), person.player)
                for column, level_then in enumerate(levels)
                if level_then is level
            ]
            rows.append(f"{person.id}: {level}")
    return Lanes(
        "Health over time",
        tuple(rows),
        tuple(
            step_ref(step, f"session {record.step(step).session}, entry {step}") for step in moments
        ),
        tuple(cells),
    )


@tabled("Who | Wounds # | In | Result | Blamed on", "Wounds")
def _wounds(state: State) -> Iterator[Row]:
    for conflict in state.conflicts:
        for character, count in conflict.wounds.items():
            yield (
                mapview.sheet_ref(character),
                count,
                step_ref(conflict.wounds_step, conflict.words),
                str(conflict.level),
                listed(conflict.blame.get(character, ())) or "nobody named",
            )


def _deaths(state: State) -> Iterator[Block]:
    for number, spread in enumerate(state.spreads):
        rows = tuple(
            (
                state.name_of(pair),
                signed(spread.before.get(pair, 0)),
                spread.given.get(pair, 0),
                signed(spread.before.get(pair, 0) + spread.given.get(pair, 0)),
            )
            for pair in spread.pairs
        )
        text = Note(
            f"{plural(spread.erased_red, 'red link')} erased; "
            f"{plural(spread.greens, 'green link')} passed on without their labels."
        )
        table = Table(
            heads("Pair | Unlabelled before # | Received # | After #"), rows, "The spread"
        )
        name = f"death-{spread.step}-{number}"
        yield Section(f"{spread.character} dies", (text, table), name, spread.step)


# --- session ends ---------------------------------------------------------------------------------


def _ends(state: State) -> Iterator[Block]:
    for session in sorted({rolled.session for rolled in state.pair_rolls}):
        rows = tuple(
            (
                step_ref(rolled.step, state.name_of(rolled.pair)),
                f"{rolled.base[0]} green, {rolled.base[1]} red",
                f"green {percent(rolled.chances.get(GREEN, 0.0))}, "
                f"red {percent(rolled.chances.get(RED, 0.0))}"
                if rolled.chances is not None
                else "",
                f"{rolled.throw.of(GREEN)} / {rolled.throw.of(RED)}",
                rolled.counted,
                f"{rolled.choice} '{rolled.label}'" if rolled.choice else "nothing",
                rolled.behind,
            )
            for rolled in state.pair_rolls
            if rolled.session == session
        )
        columns = heads(
            "Pair | Links | Odds before | Green / red | Evens : odds | Change | What it stands for"
        )
        healed = [
            Item(f"{r.character} is no longer {r.level}", "", r.step)
            for r in state.recoveries
            if r.session == session
        ]
        blocks = (
            Table(columns, rows, "Pair rolls"),
            Listing(tuple(healed) or (Item("No character recovered"),), "Recoveries"),
        )
        yield Section(f"The end of session {session}", blocks, f"end-{session}")


# --- who helped whom ------------------------------------------------------------------------------


def _stances(state: State) -> dict[tuple[str, str], dict[Side, int]]:
    counts: dict[tuple[str, str], dict[Side, int]] = {}
    for conflict in state.conflicts:
        if conflict.level is None or not conflict.dice:
            continue
        for hand in conflict.hands.values():
            side = hand.final or hand.stance
            if hand.character != conflict.active and side is not None:
                cell = counts.setdefault((conflict.active, hand.character), dict.fromkeys(Side, 0))
                cell[side] += 1
    return counts


def _matrix(state: State) -> Table:
    counts = _stances(state)
    names = list(state.people)

    def text(active: str, partner: str) -> str:
        if active == partner:
            return "·"
        return " / ".join(map(str, counts.get((active, partner), {}).values()))

    rows: Iterator[tuple[Inline, ...]] = (
        (mapview.sheet_ref(active), *(text(active, partner) for partner in names))
        for active in names
    )
    return Table(
        heads("Asked by", *names),
        tuple(rows),
        "Helped / Neutral / opposed",
        "Characters who defaulted to Neutral count as Neutral.",
    )


@tabled("Who | Towards | Helped # | Neutral # | Opposed # | Help #", "Pair by pair")
def _table_of_stances(state: State) -> Iterator[Row]:
    for (active, partner), cell in _stances(state).items():
        yield (
            mapview.sheet_ref(partner),
            mapview.sheet_ref(active),
            *(cell[side] for side in Side),
            percent(cell[Side.COOPERATIVE] / sum(cell.values())),
        )


# --- record ---------------------------------------------------------------------------------------


@tabled(
    "Proposal | Where | Difficulty | Living # | Stress # | Against them | Odds before # | Result",
    "Difficulty over time",
)
def _difficulties(record: Record, state: State) -> Iterator[Row]:
    for conflict in state.conflicts:
        scene = record.timeline.get(conflict.scene) if conflict.scene else None
        rating = conflict.rating
        yield (
            step_ref(conflict.step, f"{conflict.number}. {conflict.words}"),
            (scene.place or scene.title) if scene is not None else state.place,
            WORDS_OF_DIFFICULTY.get(rating.dice, str(rating.dice))
            if rating is not None
            else (f"against {conflict.against}" if conflict.against else ""),
            conflict.living or "",
            conflict.stress,
            conflict.threat_formula,
            percent(conflict.threat_chance) if conflict.threat_chance is not None else "",
            str(conflict.level) if conflict.level is not None else "open",
        )


def _highlights(state: State) -> Listing:
    chains = [
        Item(line, conflict.words, conflict.result_step)
        for conflict in state.conflicts
        for line in chains_of(conflict)
    ]
    chains.sort(key=lambda item: -_length(str(item.text)))
    return Listing(tuple(chains[:10]), "The longest chains")


def _length(line: str) -> int:
    _, _, faces = line.partition(": ")
    count = faces.split(" ", 1)[0]
    return int(count) if is_figure(count) else 0


def _loose_ends(state: State) -> Iterator[Item]:
    conflict: Conflict | None = state.conflict
    if conflict is not None:
        yield Item(f"{conflict.active}'s proposal is open: {conflict.words}", "", conflict.step)
    if state.over:
        return
    for person in state.people.values():
        if person.health in (Health.INJURED, Health.DYING) and not person.out:
            links = len(state.wound_links(person.id, person.health))
            yield Item(
                f"Will {person.id} recover?",
                f"{person.health}; {plural(links, 'wound link')} to be erased",
                person.history[-1][0],
            )
    for spread in state.spreads:
        if not spread.settled:
            yield Item(f"{spread.character}'s last green links are not placed", "", spread.step)
    if state.map_step and state.playing():
        goals = sum(1 for link in state.links if link.topic is Topic.GOAL and not link.until)
        if goals:
            yield Item(f"{plural(goals, 'link')} about Goals are left", "")
