"""What a reader of a series of Slow Burn is shown: where play is, tokens, tracks, who got out."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign_view import (
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
    RegistryPage,
    Row,
    Stat,
    Stats,
    Token,
    heads,
    tabled,
)
from chronicle.core.diagnostic import listed, plural
from chronicle.core.dice import D12
from chronicle.core.ledger import Ledger
from chronicle.core.record import Record
from chronicle.games.slow_burn import show
from chronicle.games.slow_burn.pages_agency import (
    agency_page,
    opposition_curve,
    persistent_curve,
    pool_curve,
)
from chronicle.games.slow_burn.pages_job import episode_page, path_curve, path_page, path_stones
from chronicle.games.slow_burn.sheets import contact_sheets, ring_of, spy_sheet
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    FLEUR,
    HANDLER_TOKENS,
    MINI_OPPOSITION,
    OPPOSITION,
    OPPOSITION_DIE,
    POOL,
    TRACKS,
    Phase,
    Spy,
    State,
    track_of,
)

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


def panel(state: State, ledger: Ledger) -> Iterator[Block]:
    """Where play is, on the tracks and in the Job; the Path; dice; what is held against whom."""
    segment = state.segment
    if segment is not None and state.phase not in (Phase.BETWEEN, Phase.SETUP):
        account = MINI_OPPOSITION if state.mini is not None else OPPOSITION
        yield Stats(
            (
                Stat(str(segment.number), "Segment of 7"),
                Stat.of(ledger.balance(account, OPPOSITION_DIE), OPPOSITION_DIE, "Opposition dice"),
                Stat.of(
                    ledger.balance(POOL, AGENCY_DIE),
                    "Agency die of the Segment",
                    "Agency dice of the Segment",
                ),
                Stat.of(ledger.balance(HANDLER_TOKENS, FLEUR), "Handler's token"),
            ),
            "The Job",
        )
    spies = show.spies_of(state)
    if spies:
        yield path_stones(state, ledger)
        yield _who_owes(state, ledger)
    yield track_board(state)


@tabled("Spy | Persistent Agency dice # | Target lowered by # | Lost | Now", "Who owes the Agency")
def _who_owes(state: State, ledger: Ledger) -> Iterator[Row]:
    for spy in state.active():
        yield (
            show.sheet_link(spy),
            ledger.balance(f"persistent:{spy.id}", AGENCY_DIE),
            show.reduction_shown(state, spy) or "",
            ", ".join(show.called(spy, id) for id in state.lost(spy.id)),
            _doing(state, spy),
        )


def track_board(state: State) -> Board:
    """The nineteen tracks, with a token where play is."""
    return Board(
        tuple(f"{number}. {title}" for number, title in enumerate(TRACKS, 1)),
        (Token("now here", track_of(state) - 1, ""),),
        "Where play is on the nineteen tracks",
    )


def _doing(state: State, spy: Spy) -> str:
    if state.phase in (Phase.SETUP, Phase.BETWEEN):
        return ""
    segment = state.segment
    if segment is not None and not segment.over and spy.id in segment.pushes:
        return "pushes for freedom at the end of the Segment"
    check = state.check
    if check is not None and spy.id in check.undecided():
        return "must ignore or answer the Agency"
    if check is not None and spy.id in check.waiting:
        return "must roll whether the Agency has them"
    return "on the Job" if spy.is_spy else "on the Job, no spy"


def fill(view: CampaignView) -> None:
    """Everything that section 7 of the catalogue asks for."""
    record = view.record
    state: State = record.state
    ledger = record.ledger
    view.dice = {"d12": D12}
    # The tracks have a page of their own; the head of the page says where play is.
    view.state = [block for block in panel(state, ledger) if not isinstance(block, Board)]
    curves = [opposition_curve(record, state), persistent_curve(record), pool_curve(record)]
    view.curves = [path_curve(state), *curves]
    view.overview = [_setting(record, state), path_stones(state, ledger)]
    view.registries = [
        RegistryPage(
            "Spies",
            heads("Player | Speciality | Space # | Persistent dice # | Lost"),
            "Everybody whom the Agency burned, and whoever took their places.",
        ),
        RegistryPage(
            "Contacts",
            heads("Known by | Speciality | Written by"),
            "The few who still answer the telephone.",
        ),
    ]
    view.sheets = [spy_sheet(record, state, spy) for spy in state.cast.values()]
    view.sheets += contact_sheets(record, state)
    view.relations = [ring_of(state)]
    view.pages = [
        *(episode_page(record, state, number) for number in range(1, len(state.episodes) + 1)),
        path_page(record, state),
        agency_page(record, state, curves),
        _gallery(record, state),
        _tracks_page(state, record.is_over),
    ]
    if any(spy.free for spy in state.cast.values()):
        who = "Who got out, and who took the empty chair."
        view.pages.append(Page("departures", "Off the blacklist", [_freed(state)], who, "Cast"))
    view.loose_ends = [*_loose_ends(state)]


def _setting(record: Record, state: State) -> Facts:
    running = str(getattr(record.campaign.settings, "series", "ongoing")) == "ongoing"
    mode = (
        "ongoing: a player whose spy gets free makes a new one"
        if running
        else "until all spies are free"
    )
    tokens = record.ledger.balance(HANDLER_TOKENS, FLEUR)
    rows: list[tuple[str, Inline]] = [
        ("City", state.city or "not agreed yet"),
        ("Handler", record.campaign.facilitator_name),
        ("Series", mode),
        ("Episodes", len(state.episodes)),
        ("Handler's tokens left", tokens),
    ]
    return Facts(tuple(rows), "The series")


def _gallery(record: Record, state: State) -> Page:
    """The Fleur-de-Lis tokens. This page does not know the words of a shut envelope."""
    shut = sum(not slip.opened for slip in state.slips.values())
    spent = [check for check in state.checks if check.token]
    return Page(
        "fleur-de-lis",
        "Fleur-de-Lis",
        [
            _opened(record, state),
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


@tabled("Token | Written by | Found by | What it means | Opened", "The players' tokens")
def _opened(record: Record, state: State) -> Iterator[Row]:
    for slip in state.slips.values():
        if slip.opened:
            meaning = slip.meaning or show.first_words(record.step(slip.opened).fiction)
            yield (
                slip.text or "not written down",
                slip.author or "not written down",
                show.sheet_links(state, [slip.spy]),
                meaning or "told at the table",
                show.entry_link(slip.opened),
            )


def _tracks_page(state: State, is_over: bool) -> Page:
    here = track_of(state)
    here_words = "ended here" if is_over else "now here"
    return Page(
        "tracks",
        "The nineteen tracks",
        [
            Graph(
                "From track to track",
                tuple(
                    Node(
                        str(number),
                        f"▶ {number}. {title} ({here_words})"
                        if number == here
                        else f"{number}. {title}",
                        "current" if number == here else "place",
                    )
                    for number, title in enumerate(TRACKS, 1)
                ),
                tuple(Edge(str(a), str(b), words, "flow", True) for a, b, words in FLOW),
                (("flow", "leads on to"),),
                wide=True,
            ),
        ],
        "The rules are nineteen recordings, each of which leads on to others. "
        f"Play {'ended' if is_over else 'is now'} at number {here}, {TRACKS[here - 1]}.",
    )


@tabled("Spy | Freed in | By | New life | Followed by | As")
def _freed(state: State) -> Iterator[Row]:
    for spy in state.cast.values():
        if not spy.free:
            continue
        after = [
            other
            for other in state.cast.values()
            if other.player == spy.player and other.step > spy.step
        ]
        yield (
            show.sheet_link(spy),
            f"episode {spy.free_episode}",
            show.entry_link(spy.free),
            show.entry_link(spy.free_told, "told here") if spy.free_told else "not told yet",
            show.sheet_links(state, [after[0].id]) if after else "nobody yet",
            "" if not after else "a new spy" if after[0].is_spy else "a contact, developed",
        )


def _loose_ends(state: State) -> Iterator[Item]:
    for entry in state.ignored:
        if not entry.closed:
            yield Item(f"How long will {entry.spy} ignore the Agency?", "S14.7a", entry.step)
    for push in state.pushes:
        if not push.result:
            yield Item(
                f"What comes of {push.spy}'s push?",
                "S16.5",
                push.declared,
            )
    episode = state.episode
    if episode is not None and not episode.over:
        pushed = {p.spy for p in state.pushes if p.episode == episode.number}
        for spy in state.active():
            if spy.is_spy and spy.id not in pushed and not episode.partial:
                yield Item(f"{spy.id} has not pushed in this episode", "S16.1", episode.step)
        if not episode.job:
            yield Item("What is the Job?", "S7.3", episode.step)
    for spy in state.cast.values():
        if spy.free and not spy.free_told:
            yield Item(f"What is {spy.id} free of?", "S19.2", spy.free)
        if not spy.introduced:
            yield Item(f"Who is {spy.id}?", "not introduced yet, S6.1", spy.step)
    if state.scene is not None and not state.scene.resolved:
        yield Item(
            f"{state.scene.title}: how does it end?",
            "nobody has rolled, S12.1",
            state.scene.step,
        )
