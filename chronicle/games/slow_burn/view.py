"""What a reader of a series of Slow Burn is shown: sheets, Paths, Segments, the Agency, the tokens."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.book import (
    Block,
    Board,
    Book,
    Column,
    Edge,
    Facts,
    Graph,
    Inline,
    Item,
    Listing,
    Node,
    Note,
    Page,
    Ref,
    RegistryPage,
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
    appearances,
    curves_of,
    ticks_of_sessions,
)
from chronicle.core.diagnostic import listed, plural
from chronicle.core.dice import D12
from chronicle.core.ledger import Ledger
from chronicle.core.record import Record
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    FLEUR,
    HANDLER_TOKENS,
    LAST_SEGMENT,
    LAST_SPACE,
    MINI_OPPOSITION,
    MINI_SCENES,
    OPPOSITION,
    OPPOSITION_DIE,
    POOL,
    SPACE,
    TRACKS,
    Check,
    Kind,
    Mini,
    Phase,
    Spy,
    State,
    track_of,
)
from chronicle.games.slow_burn.state import (
    Slip as Fleur,
)

ACCOUNTS = {
    "persistent": "Persistent Agency dice",
    "agency": "Agency dice of the Segment",
    "opposition": "Opposition dice of the Segment",
    MINI_OPPOSITION: "Opposition dice of the mini segment",
    "job dice": "Job dice in the scene",
    "path": "Spaces on the Path to Freedom",
    "road": "The road ahead",
    "box": "The box of dice and tokens",
    HANDLER_TOKENS: "The Handler's Fleur-de-Lis tokens",
    "spent tokens": "Spent tokens",
    "envelope": "Shut envelopes",
    "envelopes": "The shuffled envelopes",
    "opened envelopes": "Opened envelopes",
    "scene tokens laid": "Scene tokens on the table",
}

FLOW = (
    (1, 2, "first session"),
    (2, 3, ""),
    (3, 4, ""),
    (4, 5, ""),
    (5, 6, ""),
    (6, 7, ""),
    (7, 8, "Segment 1"),
    (8, 16, "beginning of the Segment"),
    (16, 9, "somebody stays on the Job"),
    (8, 9, ""),
    (9, 10, ""),
    (10, 11, ""),
    (11, 12, "no 1 or 2, no token"),
    (11, 14, "a 1 or 2, or a token"),
    (14, 12, "ignored, or nobody implicated"),
    (14, 15, "somebody responds"),
    (15, 12, "back to the scene"),
    (12, 13, ""),
    (13, 9, "Opposition left"),
    (13, 8, "Opposition gone"),
    (13, 17, "pushes declared"),
    (17, 8, "next Segment"),
    (17, 19, "final push"),
    (13, 18, "after Segment 7"),
    (18, 7, "next episode"),
)


def panel(state: State, ledger: Ledger) -> tuple[Block, ...]:
    """Where play is, on the tracks and in the Job; the Path; dice; what is held against whom."""
    blocks: list[Block] = []
    segment = state.segment
    if segment is not None and state.phase not in (Phase.BETWEEN, Phase.SETUP):
        account = MINI_OPPOSITION if state.mini is not None else OPPOSITION
        blocks.append(
            Stats(
                (
                    Stat(str(segment.number), "Segment of 7"),
                    Stat(str(ledger.balance(account, OPPOSITION_DIE)), "Opposition dice"),
                    Stat(str(ledger.balance(POOL, AGENCY_DIE)), "Agency dice of the Segment"),
                    Stat(str(ledger.balance(HANDLER_TOKENS, FLEUR)), "Handler's tokens"),
                ),
                "The Job",
            )
        )
    spies = _spies(state)
    if spies:
        blocks.append(path_stones(state, ledger))
        blocks.append(
            Table(
                (
                    Column("Spy"),
                    Column("Persistent dice", True),
                    Column("Lower target", True),
                    Column("Lost"),
                    Column("Now"),
                ),
                tuple(
                    (
                        _ref(spy),
                        ledger.balance(f"persistent:{spy.id}", AGENCY_DIE),
                        _reduction(state, spy),
                        ", ".join(_called(spy, id) for id in state.lost(spy.id)) or "nothing",
                        _doing(state, spy),
                    )
                    for spy in state.active()
                ),
                "Who owes the Agency",
            )
        )
    blocks.append(track_board(state))
    return tuple(blocks)


def track_board(state: State) -> Board:
    """The nineteen tracks, with a token where play is."""
    return Board(
        tuple(f"{number}. {title}" for number, title in enumerate(TRACKS, 1)),
        (Token("play", track_of(state) - 1, ""),),
        "Where play is on the nineteen tracks",
    )


def path_stones(state: State, ledger: Ledger) -> Stones:
    """Ten stones for every spy, filled up to where the spy stands."""
    return Stones(
        tuple(
            (spy.id, max(0, ledger.balance(f"path:{spy.id}", SPACE)), LAST_SPACE)
            for spy in _spies(state)
            if spy.introduced
        ),
        "Path to Freedom",
    )


def _spies(state: State) -> list[Spy]:
    return [spy for spy in state.cast.values() if spy.is_spy]


def _ref(spy: Spy) -> Ref:
    return Ref("sheet", spy.id, spy.id)


def _refs(state: State, ids: Iterable[str]) -> Inline:
    found: list[str | int | Ref] = []
    for id in ids:
        if found:
            found.append(", ")
        found.append(_ref(state.cast[id]) if id in state.cast else id)
    return tuple(found) or "nobody"


def _entry(step: int, label: str = "") -> Inline:
    return Ref("step", str(step), label or f"entry {step}") if step else "not recorded"


def _scene(record: Record, number: int) -> Inline:
    if not 0 < number <= len(record.timeline.scenes):
        return ""
    return Ref("scene", str(number), record.timeline.get(number).title)


def _called(spy: Spy, id: str) -> str:
    return spy.resources().get(id, id)


def _reduction(state: State, spy: Spy) -> int:
    return sum(one.count for one in state.open_ignored(spy.id))


def _doing(state: State, spy: Spy) -> str:
    if state.phase in (Phase.SETUP, Phase.BETWEEN):
        return "between Jobs"
    segment = state.segment
    if segment is not None and not segment.over and spy.id in segment.pushes:
        return "pushes for freedom at the end of the Segment"
    check = state.check
    if check is not None and spy.id in check.undecided():
        return "must ignore or answer the Agency"
    if check is not None and spy.id in check.waiting:
        return "must roll whether the Agency has them"
    return "on the Job" if spy.is_spy else "on the Job, no spy"


# --- the book -------------------------------------------------------------------------------------


def fill(book: Book) -> None:
    """Everything that section 7 of the catalogue asks for."""
    record = book.record
    state: State = record.state
    ledger = record.ledger
    book.dice = {"d12": D12}
    book.accounts = dict(ACCOUNTS)
    book.state = list(panel(state, ledger))
    curves = [_opposition_curve(record, state), _persistent_curve(record), _pool_curve(record)]
    book.curves = [_path_curve(state), *curves]
    book.overview = [_setting(record, state), path_stones(state, ledger), track_board(state)]
    book.registries = [
        RegistryPage(
            "Spies",
            (
                Column("Player"),
                Column("Speciality"),
                Column("Space", True),
                Column("Persistent dice", True),
                Column("Lost"),
            ),
            "Everybody whom the Agency burned, and whoever took their places.",
        ),
        RegistryPage(
            "Contacts",
            (Column("Known by"), Column("Speciality"), Column("Written by")),
            "The few who still answer the telephone.",
        ),
    ]
    book.sheets = [_sheet(record, state, spy) for spy in state.cast.values()]
    book.sheets += _contact_sheets(record, state)
    book.relations = [_ring(state)]
    book.pages = [
        *(_episode_page(record, state, number) for number in range(1, len(state.episodes) + 1)),
        _path_page(record, state),
        _agency_page(record, state, curves),
        _gallery(record, state),
        _tracks_page(state),
    ]
    if any(spy.free for spy in state.cast.values()):
        book.pages.append(_departures(state))
    book.loose_ends = _loose_ends(record, state)


def _series(record: Record) -> str:
    return str(getattr(record.campaign.settings, "series", "ongoing"))


def _setting(record: Record, state: State) -> Facts:
    running = _series(record) == "ongoing"
    mode = "ongoing: whoever is freed makes a new spy" if running else "until all spies are free"
    tokens = record.ledger.balance(HANDLER_TOKENS, FLEUR)
    rows: list[tuple[str, Inline]] = [
        ("City", state.city or "not agreed yet"),
        ("Handler", record.campaign.runner),
        ("Series", mode),
        ("Episodes", len(state.episodes)),
        ("Handler's tokens left", tokens),
    ]
    return Facts(tuple(rows), "The series")


def _sheet(record: Record, state: State, spy: Spy) -> Sheet:
    ledger = record.ledger
    space = ledger.balance(f"path:{spy.id}", SPACE)
    dice = ledger.balance(f"persistent:{spy.id}", AGENCY_DIE)
    lost = state.lost(spy.id)
    names = [_called(spy, id) for id in lost]
    if spy.free:
        status = "off the blacklist"
    elif not spy.introduced:
        status = "not introduced yet"
    else:
        status = f"on space {space} of 10" if spy.is_spy else "no Path, no duty to push"
    sheet = Sheet(
        id=spy.id,
        name=record.names.all[spy.id].name,
        kind="spy" if spy.is_spy else "character",
        registry="Spies",
        player=spy.player,
        status=status,
        tagline=f"{spy.speciality or 'no speciality'}; played by {spy.player or 'nobody'}"
        + (f"; developed from a contact of {spy.developed_from}" if spy.developed_from else ""),
        row=(spy.player, spy.speciality, space if spy.is_spy else "none", dice, ", ".join(names)),
    )
    slips = [Slip(spy.speciality, state="name", step=spy.step, player=spy.player)]
    slips += [Slip(c.name, step=c.step, player=c.author) for c in spy.contacts]
    sheet.blocks = [
        Slips(
            tuple(
                slip._replace(state="removed") if slip.text in names else slip
                for slip in slips
                if slip.text
            ),
            "Resources",
        ),
        Table(
            (Column("Contact"), Column("Speciality"), Column("Written by"), Column("Entry")),
            tuple(
                (c.name, c.speciality, c.author or "given", _entry(c.step)) for c in spy.contacts
            ),
            "Contacts",
        ),
        Listing(
            tuple(
                Item(f"{c.other or c.author}: {c.text}", f"written by {c.author}", c.step)
                for c in spy.connections
            ),
            "Connections",
        ),
        _changes(record, f"persistent:{spy.id}", AGENCY_DIE, "Persistent Agency dice"),
    ]
    if spy.is_spy:
        sheet.blocks.append(
            _changes(record, f"path:{spy.id}", SPACE, "Steps on the Path to Freedom")
        )
        sheet.blocks.append(_push_table(record, state, spy.id))
    sheet.blocks.append(_penalties(record, state, spy.id))
    rows: list[tuple[str, Inline]] = [("Player", spy.player), ("Speciality", spy.speciality)]
    if names:
        rows.append(("Lost for now", ", ".join(names)))
    if _reduction(state, spy):
        rows.append(("Target number", f"{_reduction(state, spy)} lower"))
    sheet.aside = [
        Stats(
            (
                Stat(str(space) if spy.is_spy else "none", "space on the Path", spy.player),
                Stat(str(dice), "persistent Agency dice", spy.player),
            )
        ),
        Facts(tuple(rows)),
        appearances(record, spy.id),
    ]
    if spy.is_spy:
        sheet.aside.insert(1, Stones(((spy.id, max(0, space), LAST_SPACE),), "Path to Freedom"))
    return sheet


def _contact_sheets(record: Record, state: State) -> list[Sheet]:
    sheets: list[Sheet] = []
    for spy in state.cast.values():
        lost = state.lost(spy.id)
        for contact in spy.contacts:
            used = [scene for scene in state.scenes if contact.id in scene.used.get(spy.id, ())]
            sheet = Sheet(
                id=contact.id,
                name=contact.name,
                kind="contact",
                registry="Contacts",
                player=spy.player,
                status="lost until the Agency is answered" if contact.id in lost else "",
                tagline=f"{contact.speciality or 'no speciality'}; known by {spy.id}",
                row=(_ref(spy), contact.speciality, contact.author or "given"),
            )
            sheet.blocks = [
                Listing(
                    tuple(
                        Item(
                            _scene(record, scene.number),
                            f"{scene.verdict} for the spies",
                            scene.step,
                        )
                        for scene in used
                    ),
                    "Called upon in",
                    ordered=True,
                )
            ]
            sheet.aside = [
                Facts(
                    (
                        ("Known by", _ref(spy)),
                        ("Speciality", contact.speciality),
                        ("Written by", contact.author or "given"),
                    )
                )
            ]
            sheets.append(sheet)
    return sheets


def _changes(record: Record, account: str, unit: str, title: str) -> Table:
    rows: list[tuple[Inline, ...]] = []
    left = 0
    for posting in record.ledger.postings:
        if posting.unit != unit or account not in (posting.source, posting.target):
            continue
        change = posting.amount if posting.target == account else -posting.amount
        left += change
        rule: Inline = Ref("rule", posting.rule, posting.rule) if posting.rule else ""
        rows.append((_entry(posting.step), f"{change:+d}", left, posting.why, rule))
    return Table(
        (
            Column("Entry"),
            Column("Change", True),
            Column("Then", True),
            Column("Why"),
            Column("Rule"),
        ),
        tuple(rows),
        title,
    )


def _ring(state: State) -> Graph:
    """Spies, what connects them, and whom they know."""
    nodes = [
        Node(spy.id, spy.id, "character", _ref(spy), spy.player) for spy in state.cast.values()
    ]
    edges: list[Edge] = []
    for spy in state.cast.values():
        for connection in spy.connections:
            if connection.other and connection.other != spy.id:
                edges.append(Edge(spy.id, connection.other, connection.text, "connected"))
        for contact in spy.contacts:
            nodes.append(
                Node(contact.id, contact.name, "prop", Ref("sheet", contact.id, contact.name))
            )
            edges.append(Edge(spy.id, contact.id, contact.speciality, "knows"))
    return Graph(
        "Spies, contacts, connections",
        tuple(nodes),
        tuple(edges),
        (("connected", "how two spies are connected"), ("knows", "a contact and what it can do")),
        wide=True,
    )


# --- episodes -------------------------------------------------------------------------------------


def _episode_page(record: Record, state: State, number: int) -> Page:
    episode = state.episodes[number - 1]
    done = sum(1 for segment in episode.segments if segment.over)
    blocks: list[Block] = [
        Facts(
            (
                ("Client", episode.client or "not named"),
                ("The Job", episode.job or "not written down"),
                ("Introduced", _entry(episode.job_step)),
                ("Evenings", ", ".join(str(session) for session in episode.sessions)),
                ("Ended", _entry(episode.closing or episode.over) if episode.over else "not yet"),
            )
        ),
        Stones((("Segments", done, LAST_SEGMENT),), "How far the Job has come"),
        _segments(record, state, number),
    ]
    rows = [scene for scene in state.scenes if scene.episode == number]
    blocks.append(_scene_table(record, state, number))
    if rows:
        blocks.append(_episode_curve(state, number))
    blocks.append(_end_of_episode(state, number))
    return Page(
        f"episode-{number}",
        f"Episode {number}" + (f": {episode.title}" if episode.title else ""),
        blocks,
        "One Job, seven Segments.",
        "Play",
    )


def _segments(record: Record, state: State, number: int) -> Table:
    episode = state.episodes[number - 1]
    rows: list[tuple[Inline, ...]] = []
    for segment in episode.segments:
        scenes = [state.scenes[n - 1] for n in segment.scenes]
        won = sum(1 for scene in scenes if str(scene.verdict) == "favourable")
        rows.append(
            (
                _entry(segment.step, f"Segment {segment.number}"),
                segment.number + 1,
                segment.start,
                len(scenes),
                won,
                _refs(state, segment.pushes) if segment.pushes else "",
                "over" if segment.over else "open",
            )
        )
    return Table(
        (
            Column("Segment"),
            Column("Job dice need", True),
            Column("Opposition at its start", True),
            Column("Scenes", True),
            Column("Favourable", True),
            Column("Pushing"),
            Column("State"),
        ),
        tuple(rows),
        "Segments",
        "A hole in the record" if any(segment.partial for segment in episode.segments) else "",
    )


def _scene_table(record: Record, state: State, number: int) -> Table:
    """One row a scene; the scene's own page holds the story and the dice."""
    rows: list[tuple[Inline, ...]] = []
    for scene in state.scenes:
        if scene.episode != number:
            continue
        used = "; ".join(
            f"{id}: {', '.join(_called(state.cast[id], one) for one in names)}"
            for id, names in scene.used.items()
            if names
        )
        where = {
            Kind.JOB: f"Segment {scene.segment}",
            Kind.INTERFERENCE: f"interference, scene {scene.mini_scene}",
            Kind.PUSH: f"push, scene {scene.mini_scene}",
        }[scene.kind]
        rows.append(
            (
                _scene(record, scene.number),
                where,
                listed(scene.speakers) or "not written down",
                used or "nothing",
                ", ".join(str(n) for n in sorted(set(scene.targets.values()))),
                f"{scene.successes} : {scene.opposed}" if scene.resolved else "",
                str(scene.verdict) if scene.resolved else "not rolled",
                scene.left if scene.resolved else "",
            )
        )
    return Table(
        (
            Column("Scene"),
            Column("In"),
            Column("Monologue"),
            Column("Resources"),
            Column("Job dice need"),
            Column("Successes"),
            Column("For the spies"),
            Column("Opposition left", True),
        ),
        tuple(rows),
        "Scenes",
    )


def _episode_curve(state: State, number: int) -> Steps:
    """Opposition dice left after every scene of the Job, with the verdicts."""
    points: list[tuple[int, int]] = []
    marks: list[tuple[int, int, str]] = []
    ticks: list[tuple[int, str]] = []
    at = 0
    for segment in state.episodes[number - 1].segments:
        ticks.append((at, f"Segment {segment.number}"))
        points.append((at, segment.start))
        for count in segment.scenes:
            scene = state.scenes[count - 1]
            at += 1
            if not scene.resolved:
                continue
            points.append((at, scene.left))
            marks.append((at, scene.left, str(scene.verdict)))
        at += 1
    return Steps(
        f"Opposition dice over the scenes of episode {number}",
        (Series("Opposition", tuple(points)),),
        tuple(ticks),
        ((0, "Segment over"),),
        tuple(marks),
        x_title="scenes of the Job",
        y_title="dice left",
    )


def _end_of_episode(state: State, number: int) -> Block:
    episode = state.episodes[number - 1]
    if not episode.over:
        return Note("The episode is not over.")
    if episode.partial:
        return Note("The record of this episode has a hole; who pushed is not wholly known.")
    rows: list[tuple[Inline, ...]] = []
    for id in episode.spies:
        pushes = [p for p in state.pushes if p.spy == id and p.episode == number]
        missed = id in episode.missed
        rows.append(
            (
                _ref(state.cast[id]),
                ", ".join(p.result or "not played" for p in pushes) or "no push",
                "one space back, one die more" if missed else "nothing",
                episode.path.get(id, 0),
            )
        )
    return Table(
        (Column("Spy"), Column("Push"), Column("Price"), Column("Space then", True)),
        tuple(rows),
        "At the end of the episode",
    )


# --- the Path -------------------------------------------------------------------------------------


def _path_curve(state: State) -> Steps:
    points: dict[str, list[tuple[int, int]]] = {
        spy.id: [(max(0, spy.episode), 1)] for spy in _spies(state) if spy.introduced
    }
    for episode in state.episodes:
        for id, space in episode.path.items():
            if id in points:
                points[id].append((episode.number, space))
    marks: list[tuple[int, int, str]] = []
    for push in state.pushes:
        episode = state.episodes[push.episode - 1]
        if push.spy in episode.path and push.result:
            marks.append((push.episode, episode.path[push.spy], f"{push.spy}: push {push.result}"))
    for episode in state.episodes:
        for id in episode.missed:
            marks.append((episode.number, episode.path.get(id, 1), f"{id}: no push"))
    return Steps(
        "Path to Freedom over the episodes",
        tuple(
            Series(id, tuple(dict(found).items()), state.cast[id].player)
            for id, found in points.items()
        ),
        tuple((episode.number, f"episode {episode.number}") for episode in state.episodes),
        ((1, "first contact"), (LAST_SPACE, "off the blacklist")),
        tuple(marks),
        x_title="episodes",
        y_title="space",
    )


def _path_page(record: Record, state: State) -> Page:
    ledger = record.ledger
    spies = [spy for spy in _spies(state) if spy.introduced]
    rows: list[tuple[Inline, ...]] = []
    for spy in spies:
        space = ledger.balance(f"path:{spy.id}", SPACE)
        pushes = [push for push in state.pushes if push.spy == spy.id]
        rows.append(
            (
                _ref(spy),
                spy.player,
                space,
                0 if spy.free else LAST_SPACE - space,
                sum(1 for push in pushes if push.result == "won"),
                sum(1 for push in pushes if push.result == "lost"),
                sum(1 for episode in state.episodes if spy.id in episode.missed),
            )
        )
    return Page(
        "path",
        "Path to Freedom",
        [
            path_stones(state, ledger),
            Table(
                (
                    Column("Spy"),
                    Column("Player"),
                    Column("Space", True),
                    Column("Steps left", True),
                    Column("Pushes won", True),
                    Column("Lost", True),
                    Column("Missed", True),
                ),
                tuple(rows),
                "How far from freedom",
            ),
            _path_curve(state),
            _push_table(record, state),
        ],
        "Ten spaces, one step for each push that is won, and one back for an episode without any.",
        "Play",
    )


def _push_table(record: Record, state: State, spy: str = "") -> Table:
    rows: list[tuple[Inline, ...]] = []
    for push in state.pushes:
        if spy and push.spy != spy:
            continue
        episode = state.episodes[push.episode - 1]
        segment = next((s for s in episode.segments if push.declared in s.pushes.values()), None)
        stayed = [
            other
            for other in episode.spies or [s.id for s in state.active()]
            if segment is not None and other not in segment.pushes
        ]
        mini = state.minis[push.mini - 1] if push.mini else None
        rows.append(
            (
                _entry(push.declared, f"episode {push.episode}, Segment {push.segment}"),
                _refs(state, [push.spy]),
                _refs(state, stayed),
                len(mini.scenes) if mini else 0,
                _entry(mini.step, push.result or "being played") if mini else push.result or "due",
            )
        )
    return Table(
        (
            Column("Declared"),
            Column("Spy"),
            Column("Held the Job"),
            Column("Scenes", True),
            Column("Result"),
        ),
        tuple(rows),
        "Pushes for freedom",
    )


# --- the Agency -----------------------------------------------------------------------------------


def _opposition_curve(record: Record, state: State) -> Steps:
    return Steps(
        "Opposition dice",
        (
            Series("the Job", tuple(record.curve(OPPOSITION, OPPOSITION_DIE))),
            Series("mini segments", tuple(record.curve(MINI_OPPOSITION, OPPOSITION_DIE))),
        ),
        ticks_of_sessions(record),
        ((0, "gone"),),
        tuple(
            (scene.resolved, scene.left, str(scene.verdict))
            for scene in state.scenes
            if scene.resolved and scene.kind is Kind.JOB
        ),
        x_title="entries of the log",
        y_title="dice",
    )


def _persistent_curve(record: Record) -> Steps:
    return Steps(
        "Persistent Agency dice",
        curves_of(record, "persistent", AGENCY_DIE),
        ticks_of_sessions(record),
        ((0, "none"),),
        x_title="entries of the log",
        y_title="dice",
    )


def _pool_curve(record: Record) -> Steps:
    state: State = record.state
    return Steps(
        "The Handler's Agency dice",
        (Series("Agency", tuple(record.curve(POOL, AGENCY_DIE))),),
        ticks_of_sessions(record),
        ((0, "none"),),
        tuple((check.step, 0, "interference") for check in state.checks if check.triggered),
        x_title="entries of the log",
        y_title="dice",
    )


def _agency_page(record: Record, state: State, curves: list[Steps]) -> Page:
    return Page(
        "agency",
        "The Agency",
        [
            Stats(
                (
                    Stat(str(len(state.checks)), "checks"),
                    Stat(str(sum(1 for c in state.checks if c.triggered)), "interferences"),
                    Stat(
                        str(record.ledger.balance(HANDLER_TOKENS, FLEUR)), "Handler's tokens left"
                    ),
                )
            ),
            _interferences(record, state),
            _penalties(record, state),
            *curves[1:],
            _check_table(record, state),
        ],
        "What it knew, whom it wanted, and what that cost.",
        "Play",
    )


def _interferences(record: Record, state: State) -> Table:
    rows: list[tuple[Inline, ...]] = []
    for check in state.checks:
        if not check.triggered:
            continue
        minis = [m for m in state.minis if m.check == check.step]
        rows.append(
            (
                _entry(check.step, f"episode {check.episode}, Segment {check.segment}"),
                _scene(record, check.scene),
                check.how(),
                _refs(state, check.implicated),
                _chose(state, check),
                _how_it_went(state, check, minis),
            )
        )
    for mini in state.minis:
        if mini.late:
            rows.append(
                (
                    _entry(mini.step, f"episode {mini.episode}, Segment {mini.segment}"),
                    "",
                    "a late answer",
                    _refs(state, mini.spies),
                    "answered",
                    _mini_words(mini),
                )
            )
    return Table(
        (
            Column("When"),
            Column("Scene"),
            Column("Through"),
            Column("Implicated"),
            Column("Choice"),
            Column("Outcome"),
        ),
        tuple(rows),
        "Interferences",
    )


def _chose(state: State, check: Check) -> str:
    if not check.implicated:
        return ""
    return "; ".join(
        f"{id} {check.choices.get(id, 'has not chosen')}"
        + (
            f" (after {', '.join(_called(state.cast[id], one) for one in check.targets[id])})"
            if check.targets.get(id)
            else ""
        )
        for id in check.implicated
    )


def _how_it_went(state: State, check: Check, minis: list[Mini]) -> str:
    if minis:
        return _mini_words(minis[0])
    if not check.implicated:
        rolls = ", ".join(f"{id} {face}" for id, face in check.rolls.items())
        return f"nobody was implicated ({rolls})" if rolls else check.note
    return check.note


def _mini_words(mini: Mini) -> str:
    played = f"{plural(len(mini.scenes), 'scene token')} of {MINI_SCENES}"
    if not mini.over:
        return f"being played, {played}"
    return f"{mini.verdict}, {played}"


def _penalties(record: Record, state: State, spy: str = "") -> Table:
    rows: list[tuple[Inline, ...]] = []
    for one in state.ignored:
        if spy and one.spy != spy:
            continue
        sheet = state.cast[one.spy]
        rows.append(
            (
                _refs(state, [one.spy]),
                _entry(one.step, f"episode {one.episode}, Segment {one.segment}"),
                ", ".join(_called(sheet, id) for id in one.resources) or "not written down",
                one.count,
                one.dice,
                _entry(one.closed, "answered") if one.closed else "still ignored",
            )
        )
    return Table(
        (
            Column("Spy"),
            Column("Since"),
            Column("Resource"),
            Column("Target lower by", True),
            Column("Dice gained", True),
            Column("State"),
        ),
        tuple(rows),
        "Ignored interferences",
    )


def _check_table(record: Record, state: State) -> Table:
    rows: list[tuple[Inline, ...]] = []
    for check in state.checks:
        own = "; ".join(f"{id} {' '.join(map(str, faces))}" for id, faces in check.faces.items())
        rows.append(
            (
                _entry(check.step),
                _scene(record, check.scene),
                own or "none",
                " ".join(map(str, check.pool)) or "none",
                check.chance,
                check.how() if check.triggered else "quiet",
            )
        )
    return Table(
        (
            Column("Entry"),
            Column("Scene"),
            Column("Persistent dice"),
            Column("Handler's dice"),
            Column("Chance of interference", True),
            Column("Result"),
        ),
        tuple(rows),
        "Every check",
    )


# --- tokens, tracks, ends -------------------------------------------------------------------------


def _gallery(record: Record, state: State) -> Page:
    """The Fleur-de-Lis tokens. What has not been opened is not even known to this page."""
    rows: list[tuple[Inline, ...]] = []
    shut = 0
    for slip in state.slips.values():
        if not slip.opened:
            shut += 1
            continue
        rows.append(_slip_row(record, state, slip))
    spent = [check for check in state.checks if check.token]
    return Page(
        "fleur-de-lis",
        "Fleur-de-Lis",
        [
            Table(
                (
                    Column("Token"),
                    Column("Written by"),
                    Column("Found by"),
                    Column("What it means"),
                    Column("Opened"),
                ),
                tuple(rows),
                "The players' tokens",
            ),
            Note(
                f"{plural(shut, 'envelope is', 'envelopes are')} still shut."
                if shut
                else "Every envelope has been opened."
            ),
            Listing(
                tuple(
                    Item(
                        f"Spent in episode {check.episode}, Segment {check.segment}",
                        f"{listed(check.implicated) or 'nobody'} implicated",
                        check.token,
                    )
                    for check in spent
                ),
                "The Handler's tokens",
            ),
        ],
        "One scrap of information each, written by one player and explained by another.",
        "Cast",
    )


def _slip_row(record: Record, state: State, slip: Fleur) -> tuple[Inline, ...]:
    step = record.step(slip.opened)
    meaning = slip.meaning or _first_words(step.fiction)
    return (
        slip.text or "not written down",
        slip.author or "not written down",
        _refs(state, [slip.spy]),
        meaning or "told at the table",
        _entry(slip.opened),
    )


def _first_words(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 220 else line[:217].rsplit(" ", 1)[0] + " ..."


def _tracks_page(state: State) -> Page:
    here = track_of(state)
    return Page(
        "tracks",
        "The nineteen tracks",
        [
            track_board(state),
            Graph(
                "From track to track",
                tuple(
                    Node(
                        str(number),
                        f"{'▶ ' if number == here else ''}{number}. {title}",
                        "current" if number == here else "place",
                    )
                    for number, title in enumerate(TRACKS, 1)
                ),
                tuple(Edge(str(a), str(b), words, "flow", True) for a, b, words in FLOW),
                (("flow", "leads on to"),),
                wide=True,
            ),
        ],
        f"The rules are nineteen recordings; play is at number {here}.",
        "Record",
    )


def _departures(state: State) -> Page:
    rows: list[tuple[Inline, ...]] = []
    for spy in state.cast.values():
        if not spy.free:
            continue
        after = [
            other
            for other in state.cast.values()
            if other.player == spy.player and other.step > spy.step
        ]
        rows.append(
            (
                _ref(spy),
                f"episode {spy.free_episode}",
                _entry(spy.free),
                _entry(spy.free_told, "told here") if spy.free_told else "not told yet",
                _refs(state, [after[0].id]) if after else "nobody yet",
                "" if not after else "a new spy" if after[0].is_spy else "a contact, developed",
            )
        )
    return Page(
        "departures",
        "Off the blacklist",
        [
            Table(
                (
                    Column("Spy"),
                    Column("Freed in"),
                    Column("By"),
                    Column("New life"),
                    Column("Followed by"),
                    Column("As"),
                ),
                tuple(rows),
            )
        ],
        "Who got out, and who took the empty chair.",
        "Cast",
    )


def _loose_ends(record: Record, state: State) -> list[Item]:
    ends: list[Item] = []
    for one in state.ignored:
        if not one.closed:
            ends.append(Item(f"{one.spy} still ignores the Agency", "S14.7a", one.step))
    for push in state.pushes:
        if not push.result:
            ends.append(Item(f"{push.spy}'s push has not been played", "S16.5", push.declared))
    episode = state.episode
    if episode is not None and not episode.over:
        pushed = {p.spy for p in state.pushes if p.episode == episode.number}
        for spy in state.active():
            if spy.is_spy and spy.id not in pushed and not episode.partial:
                ends.append(Item(f"{spy.id} has not pushed in this episode", "S16.1", episode.step))
        if not episode.job:
            ends.append(Item("Nobody has said what the Job is", "S7.3", episode.step))
    for spy in state.cast.values():
        if spy.free and not spy.free_told:
            ends.append(Item(f"{spy.id} is free; nobody has told what of", "S19.2", spy.free))
        if not spy.introduced:
            ends.append(Item(f"{spy.id} has not been introduced", "S6.1", spy.step))
    if state.scene is not None and not state.scene.resolved:
        ends.append(Item(f"{state.scene.title}: nobody has rolled", "S12.1", state.scene.step))
    return ends
