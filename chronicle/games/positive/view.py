"""The pages of a game of Positive: the track, the conflicts, who backed whom."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator

from chronicle.core.campaign_view import (
    Bit,
    Block,
    Board,
    CampaignView,
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
    Row,
    Section,
    Series,
    Sheet,
    Slip,
    Slips,
    Stat,
    Stats,
    Steps,
    Stones,
    Table,
    Token,
    heads,
    step_ref,
    tabled,
)
from chronicle.core.diagnostic import either, listed, plural
from chronicle.core.dice import FUDGE
from chronicle.core.doubts import Doubt, doubts_of
from chronicle.core.ledger import Ledger
from chronicle.core.make_view import appearances, cards_of, curves_of, ticks_of_sessions
from chronicle.core.record import Record
from chronicle.core.telling import sentence, sentences
from chronicle.games.positive.state import (
    DIE,
    EXPELLED,
    FULL_POOL,
    INCLUSION,
    SQUARES,
    STEP,
    Conflict,
    Stage,
    State,
    square_name,
)

IN_FULL = 40
"""How many conflicts a page draws in full, however long a campaign grows."""
LISTED = 500
"""How many more it lists."""


def panel(state: State, ledger: Ledger) -> Iterator[Block]:
    """Tokens on the track, dice in hand, what is going on."""
    yield track(state, ledger)
    yield pools(state, ledger)
    if state.in_scene:
        yield Slips(
            tuple(
                Slip(character, player=state.player(character), of=character)
                for character in state.cast
            ),
            "In this scene",
        )
    if state.owed:
        yield Note(
            f"The next scene holds everybody: {', '.join(state.owed)} came to an end square."
        )


def track(state: State, ledger: Ledger) -> Board:
    """The ten squares with everybody's token."""
    last = len(SQUARES) - 1
    return Board(
        SQUARES,
        tuple(
            Token(character, min(max(_place(ledger, character) - EXPELLED, 0), last), player)
            for player, character in state.characters.items()
            if character not in state.ejected
        ),
        "The track",
    )


def pools(state: State, ledger: Ledger) -> Stones:
    """Commitment dice in hand."""
    return Stones(
        tuple(
            (player, max(0, ledger.balance(f"dice:{player}", DIE)), FULL_POOL)
            for player in state.characters
        ),
        "Commitment dice",
    )


def _place(ledger: Ledger, character: str) -> int:
    return ledger.balance(f"track:{character}", STEP)


def fill(view: CampaignView) -> None:
    """Everything that section 7 of the catalogue asks for."""
    record = view.record
    state: State = record.state
    view.dice = {"fudge": FUDGE}
    view.state = list(panel(state, record.ledger))
    view.overview = [track(state, record.ledger)]
    if not state.over:
        view.overview.append(_distances(state, record.ledger))
    view.curves = [_positions(record, state), _pools(record)]
    view.registries = [
        RegistryPage(
            "Characters",
            heads("Player | Part | Square # | Won # | Lost #"),
            "Everybody at the party. A character began as a name; the players told the rest in play.",
        )
    ]
    view.sheets = [
        _sheet(view, player, character) for player, character in state.characters.items()
    ]
    view.relations = [_support_map(state)]
    view.pages = [
        Page(
            "conflicts",
            "Conflicts",
            _conflicts(record, state),
            "Every conflict: what was disputed, who backed which side, what the dice said.",
            lists_contests=True,
        ),
        Page(
            "track",
            "The track",
            [
                track(state, record.ledger),
                _distances(state, record.ledger),
                *view.curves,
                _moments(record, state),
            ],
            "Where everybody stood, and after which conflict.",
        ),
        Page(
            "who-backed-whom",
            "Who backed whom",
            [
                *_support_in_short(state),
                Section("", (_support_table(state), _duels(state)), abreast=True),
            ],
            "Who laid down commitment dice for whom, and who won with them. Players may back a side even "
            "when their character is not there.",
            "Map",
        ),
        Page(
            "apologies",
            "Apologies",
            [_apologies(state)],
            "Admissions and apologies, and whether the others believed them.",
            lists_contests=True,
        ),
    ]
    if state.ejected:
        view.pages.append(_the_end(state))
    view.loose_ends = [*_loose_ends(record, state)]


def _positions(record: Record, state: State) -> Steps:
    """Position against the number of the conflict (0: the start)."""
    fought = [fight for fight in state.conflicts if fight.moved]
    paths = _paths(record)
    places: dict[str, int] = dict.fromkeys(state.everybody(), 0)
    points: dict[str, list[tuple[int, int]]] = {character: [(0, 0)] for character in places}
    for number, fight in enumerate(fought, 1):
        for character in places:
            places[character] = _after(paths, character, fight.steps[-1])
            points[character].append((number, places[character]))
    return Steps(
        "Position on the track",
        tuple(
            Series(
                character,
                tuple(points[character]),
                state.player(character),
                (*_doubts_by_conflict(record, character, [fight.steps[-1] for fight in fought]),),
            )
            for character in places
        ),
        tuple((n, f"conflict {fight.number}") for n, fight in enumerate(fought, 1)),
        ((EXPELLED, "Expelled"), (0, "Start"), (INCLUSION, "Inclusion")),
        x_title="conflicts that were rolled",
        y_title="steps from Start",
    )


def _doubts_by_conflict(
    record: Record, character: str, conflict_ends: list[int]
) -> Iterator[Doubt]:
    """Where the position of a character is not known, by the numbers of the conflicts. ``conflict_ends`` are
    the last entries of the conflicts that were rolled."""
    for doubt in doubts_of(record, f"track:{character}"):
        start = bisect_right(conflict_ends, doubt.start)
        end = bisect_left(conflict_ends, doubt.end) + 1 if doubt.end else 0
        if end != start + 1:
            yield Doubt(start, end, doubt.is_bound)


Paths = dict[str, tuple[tuple[int, int], ...]]
"""Character to (entry, square) after every move."""


def _paths(record: Record) -> Paths:
    return {series.name: series.points for series in curves_of(record, "track", STEP)}


def _after(paths: Paths, character: str, step: int) -> int:
    """Where a character stood after an entry."""
    points = paths.get(character, ())
    at = bisect_right(points, step, key=lambda point: point[0])
    return points[at - 1][1] if at else 0


def _pools(record: Record) -> Steps:
    return Steps(
        "Commitment dice in hand",
        curves_of(record, "dice", DIE),
        ticks_of_sessions(record),
        ((FULL_POOL, "all three"), (0, "none left")),
        x_title="entries of the log",
        y_title="dice",
    )


@tabled(
    "Character | Player | Square | Losses until thrown out # | Wins to Inclusion #",
    "How far from the end",
)
def _distances(state: State, ledger: Ledger) -> Iterator[Row]:
    for player, character in state.characters.items():
        place = _place(ledger, character)
        yield (
            _sheet_ref(character),
            player,
            square_name(place),
            "out" if character in state.ejected else place - EXPELLED + 1,
            max(0, INCLUSION - place),
        )


def _sheet_ref(character: str) -> Ref:
    return Ref("sheet", character, character)


def _sheet(view: CampaignView, player: str, character: str) -> Sheet:
    record = view.record
    state: State = record.state
    ledger = record.ledger
    fights = [f for f in state.conflicts if character in f.principals]
    won = sum(1 for f in fights if f.winner == character)
    lost = sum(1 for f in fights if f.loser == character)
    parts = []
    if character == state.host:
        parts.append("host, and accused")
    if character == state.accuser:
        shown = {True: "with symptoms", False: "without symptoms", None: ""}[state.symptoms]
        parts.append(f"accuser {shown}".strip())
    place = _place(ledger, character)
    gone = character in state.ejected
    return Sheet(
        id=character,
        name=record.names.all[character].name,
        kind="character",
        registry="Characters",
        player=player,
        status="thrown out" if gone else f"on {square_name(place)}",
        tagline=f"Played by {player}" + (f"; {', '.join(parts)}" if parts else ""),
        row=(player, ", ".join(parts) or "guest", square_name(place), won, lost),
        role=", ".join(parts) or "guest",
        gone=gone,
        events=_facts_about(record, character),
        blocks=[
            Listing(
                tuple(
                    Item(
                        f"{f.caller} against {f.challenged}: {f.version}",
                        _outcome(f),
                        f.steps[0],
                    )
                    for f in fights
                ),
                "Conflicts",
            ),
            _dice_changes(record, player),
        ],
        aside=[
            Stats(
                (
                    Stat(square_name(place), "on the track", player),
                    Stat.of(
                        ledger.balance(f"dice:{player}", DIE), "die in hand", "dice in hand", player
                    ),
                    Stat(f"{won} : {lost}", "won : lost"),
                )
            ),
            Facts((("Player", player), ("Part", ", ".join(parts) or "guest"))),
            appearances(record, character),
        ],
    )


def _facts_about(record: Record, character: str) -> tuple[Item, ...]:
    """Facts about a character; a disputed version only if it won."""
    state: State = record.state
    name = record.names.all[character].name.casefold()
    items: list[Item] = []
    verdicts = {f.steps[0]: f for f in state.conflicts}
    for step in record.visible_steps():
        if step.scene is None:
            continue
        fight = verdicts.get(step.number)
        story = fight.version if fight is not None else step.fiction
        settled = fight is not None and fight.winner == fight.caller
        if name not in story.casefold() or (fight is not None and not settled):
            continue
        items.append(Item(_first_sentence(story), step=step.number))
    return tuple(items)


def _first_sentence(text: str) -> str:
    first = ""
    for words in sentences(text):
        first = f"{first} {words}".strip()
        if len(first) > 20:
            break
    return first if len(first) <= 180 else first[:177] + "..."


@tabled("Entry | Dice # | Why", "Commitment dice")
def _dice_changes(record: Record, player: str) -> Iterator[Row]:
    for posting, change, balance in record.ledger.moves(DIE, f"dice:{player}"):
        where: Inline = step_ref(posting.step_number) if posting.step_number else "the start"
        yield (
            where,
            balance,
            (f"{change:+d}: {posting.why} ", Ref("rule", posting.rule, posting.rule)),
        )


def _outcome(fight: Conflict) -> str:
    match fight.stage:
        case Stage.BACKED_DOWN:
            return f"{fight.challenged} backed down"
        case Stage.ROLLED if fight.winner:
            ties = f", after {fight.ties} tied" if fight.ties else ""
            return f"{fight.winner} won{ties}"
        case Stage.ROLLED:
            return "tied"
        case _:
            return "not settled"


def _conflicts(record: Record, state: State) -> list[Block]:
    """The latest conflicts in full; a long campaign's earlier ones as a table."""
    if not state.conflicts:
        return [Note("There is no conflict yet.")]
    earlier, latest = state.conflicts[:-IN_FULL], state.conflicts[-IN_FULL:]
    blocks: list[Block] = [_conflict_section(record, state, fight) for fight in latest]
    if earlier:
        rows = tuple(
            (
                step_ref(fight.steps[0], f"conflict {fight.number}"),
                str(fight.caller),
                str(fight.challenged),
                _outcome(fight),
            )
            for fight in earlier[-LISTED:]
        )
        columns = heads("Conflict | Caller | Challenged | Outcome")
        blocks.append(Table(columns, rows, "Earlier conflicts"))
    return blocks


def _conflict_section(record: Record, state: State, fight: Conflict) -> Section:
    blocks = cards_of(record, fight.steps)
    scene = record.timeline.get(fight.scene) if fight.scene else None
    rows: list[tuple[str, Inline]] = []
    if not blocks:
        rows.append((f"{fight.caller} says", fight.version))
    rows.append((f"{fight.challenged} says", fight.counter or "the opposite"))
    if scene is not None:
        rows.append(("Scene", Ref("scene", str(scene.number), scene.title)))
    for character in fight.principals:
        if fight.side(character) and not blocks:
            rows.append((f"Backed {character}", ", ".join(fight.side(character))))
    silent = [
        player
        for player, c in state.characters.items()
        if player not in fight.backers and c not in fight.principals
    ]
    if silent and fight.stage is Stage.ROLLED:
        rows.append(("Held back", ", ".join(silent)))
    if fight.odds and not blocks:
        rows.append(("Odds before the roll", str(fight.odds)))
    moved = ", ".join(
        f"{character} {steps:+d}" for character, steps in fight.moved.items() if steps
    )
    if moved:
        rows.append(("Moves", moved))
    return Section(
        f"{fight.number}. {fight.caller} against {fight.challenged}"
        + (f": “{sentence(fight.version)}”" if fight.version else ""),
        (*blocks, Facts(tuple(rows))),
        f"conflict-{fight.number}",
        fight.steps[0],
        gist=_outcome(fight),
    )


def _support_counts(state: State) -> Counter[tuple[str, str]]:
    return Counter(
        (state.characters.get(player, player), side)
        for fight in state.conflicts
        for player, side in fight.backers.items()
    )


def _support_map(state: State) -> Graph:
    counts = _support_counts(state)
    return Graph(
        "Who backed whom",
        tuple(
            Node(character, character, "character", _sheet_ref(character), player)
            for player, character in state.characters.items()
        ),
        tuple(
            Edge(first, second, f"{times} times" if times > 1 else "", "backs", True, times)
            for (first, second), times in counts.items()
        ),
        (("backs", "backed with a die"),),
        wide=True,
    )


def _wins_by_side(state: State) -> dict[str, list[bool]]:
    """For each side that was backed, by name: whether it won, for each die that was laid down for it."""
    wins_by_side: defaultdict[str, list[bool]] = defaultdict(list)
    for fight in state.conflicts:
        if fight.winner:
            for side in fight.backers.values():
                wins_by_side[side].append(fight.winner == side)
    return dict(sorted(wins_by_side.items()))


def _support_in_short(state: State) -> Iterator[Note]:
    """Whom it paid to back, in a sentence."""
    wins_by_side = _wins_by_side(state)
    if not wins_by_side:
        return
    wins = [won for side_wins in wins_by_side.values() for won in side_wins]
    lucky = [side for side, side_wins in wins_by_side.items() if all(side_wins)]
    luckless = [side for side, side_wins in wins_by_side.items() if not any(side_wins)]
    parts = [
        f"Of {plural(len(wins), 'commitment die', 'commitment dice')}, {sum(wins)} lay with the winner"
    ]
    if lucky:
        parts.append(f"whoever backed {either(lucky)} always won")
    if luckless:
        parts.append(f"whoever backed {either(luckless)} always lost")
    yield Note(f"{'; '.join(parts)}.")


@tabled("Who | Backed by | Won", "Who was backed, and by whom")
def _support_table(state: State) -> Iterator[Row]:
    counts = _support_counts(state)
    wins_by_side = _wins_by_side(state)
    for side in sorted({side for _, side in counts}):
        backers: list[Bit] = []
        for backer, times in sorted(
            (backer, times) for (backer, backed), times in counts.items() if backed == side
        ):
            link = _sheet_ref(backer) if backer in state.characters.values() else backer
            backers += [*([", "] if backers else []), link]
            if times > 1:
                backers.append(f" ({times} times)")
        side_wins = wins_by_side.get(side, [])
        yield (_sheet_ref(side), tuple(backers), f"{sum(side_wins)} of {len(side_wins)}")


@tabled("Winner | Loser | Times #", "Against each other")
def _duels(state: State) -> Iterator[Row]:
    pairs = Counter((first.winner, first.loser) for first in state.conflicts if first.winner)
    for (a, b), n in pairs.items():
        yield (_sheet_ref(a), _sheet_ref(b), n)


@tabled("Who | What was said | Believed | Die | Where")
def _apologies(state: State) -> Iterator[Row]:
    for a in state.apologies:
        yield (
            _sheet_ref(a.character) if a.character else "somebody",
            a.words,
            "by all" if not a.doubted_by else f"not by {', '.join(a.doubted_by)}",
            "regained" if a.regained else "none",
            step_ref(a.step),
        )


def _moments(record: Record, state: State) -> Section:
    """The board after every conflict that moved a token."""
    paths = _paths(record)
    last = len(SQUARES) - 1
    boards = tuple(
        Board(
            SQUARES,
            tuple(
                Token(character, min(max(square - EXPELLED, 0), last), player)
                for player, character in state.characters.items()
                if (square := _after(paths, character, fight.steps[-1])) >= EXPELLED
            ),
            f"After conflict {fight.number}: {_outcome(fight)}",
        )
        for fight in [fight for fight in state.conflicts if fight.moved][-IN_FULL:]
    )
    return Section("The board, conflict by conflict", boards, "moments", folded=True)


def _the_end(state: State) -> Page:
    out = listed(state.ejected)
    rolled = sum(1 for fight in state.conflicts if fight.stage is Stage.ROLLED)
    return Page(
        "the-end",
        "The end",
        [
            *(
                Section(
                    f"{player}, who plays {state.characters[player]}"
                    if player in state.characters
                    else player,
                    (Prose(story),),
                    f"told-by-{n}",
                )
                for n, (player, story) in enumerate(state.told.items(), 1)
                if story
            ),
            Note(
                (
                    f"{out} moved beyond Expelled after {len(state.conflicts)} conflicts, "
                    f"{rolled} of them rolled. ",
                    step_ref(state.ejected_step, "The roll"),
                )
            ),
        ],
        f"{out} {'has' if len(state.ejected) == 1 else 'have'} to leave. The others each tell how.",
        "Sessions",
    )


def _loose_ends(record: Record, state: State) -> Iterator[Item]:
    fight = state.running()
    if fight is not None:
        yield Item(
            f"{fight.caller} called {fight.challenged}; nobody has rolled", "", fight.steps[0]
        )
    if state.owed and not state.ejected and not state.over:
        yield Item(
            f"A scene with everybody is due: {', '.join(state.owed)}", "P24", state.owed_step
        )
    if state.in_scene:
        scene = record.timeline.scenes[-1]
        title = Ref("scene", str(scene.number), scene.title)
        yield Item(("A scene is open: ", title), "", state.scene_step)
    if state.ejected and not state.over:
        waiting = [
            player
            for player, character in state.characters.items()
            if character not in state.ejected and player not in state.told
        ]
        if waiting:
            names = ", ".join(waiting)
            yield Item(f"{names} has not told the ejection yet", "P26", state.ejected_step)
