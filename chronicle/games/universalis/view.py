"""What a reader of a game of Universalis is shown: registries, scenes, Tenets, contests, Coins, loose ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from chronicle.core.campaign_view import (
    Bars,
    Block,
    CampaignView,
    Edge,
    Facts,
    Graph,
    Inline,
    Item,
    Listing,
    Note,
    Ref,
    RegistryPage,
    Slip,
    Slips,
    Stat,
    Stats,
    Steps,
    Stones,
)
from chronicle.core.diagnostic import plural
from chronicle.core.dice import D10
from chronicle.core.game_context import GameContext
from chronicle.core.gaps import CountedState, held_in_words
from chronicle.core.make_view import curves_of, ticks_of_sessions
from chronicle.core.record import Record
from chronicle.games.universalis import pages
from chronicle.games.universalis.addons.catalogue import ADD_ONS, add_on
from chronicle.games.universalis.addons.jobs_shown import contracts_of
from chronicle.games.universalis.addons.jobs_shown import owing as work_owing
from chronicle.games.universalis.divisions import sides_of
from chronicle.games.universalis.odds import win_odds
from chronicle.games.universalis.points import State
from chronicle.games.universalis.sheets import (
    COLUMNS,
    KEY,
    MASTERS,
    PROPS,
    Sheets,
    edges_of,
    importance_series,
    is_group,
    named,
    node,
    ref,
    registry_of,
    scene_ref,
    shown,
)
from chronicle.games.universalis.state import (
    CHARACTER,
    COIN,
    Complication,
    Component,
    Pool,
    SceneState,
    Stage,
)


def panel(play: GameContext[State]) -> tuple[Block, ...]:
    """Coins, whose turn, the palette of the open scene, open Complications."""
    blocks = [
        *_panel(play, play.state, play.seats, lambda complication: told_odds(play, complication))
    ]
    for layer in play.state.add_ons:
        blocks += layer.panel(play)
    return tuple(blocks)


def owing(play: GameContext[State]) -> tuple[Block, ...]:
    """Loans that are not paid back, and what is due for work."""
    debts = tuple(
        Item(
            (
                Ref("player", debt.debtor, debt.debtor),
                " owes ",
                Ref("player", debt.lender, debt.lender),
                f" {plural(debt.owed, 'Coin')}",
            ),
            step=debt.step,
        )
        for debt in play.state.debts
        if debt.owed
    )
    return (*((Listing(debts, "Loans"),) if debts else ()), *work_owing(play))


def told_odds(play: GameContext[State], complication: Complication) -> str:
    """How likely it is who wins, if the dice fell now."""
    sides = [side for side in sides_of(complication) if sum(pool.dice for pool in side)]
    if len(sides) != 2 or complication.stage is Stage.ROLLED:
        return ""
    own_dice, other_dice = (sum(pool.dice + pool.edge for pool in side) for side in sides)
    return str(win_odds(play, complication, sides[0][0].player, own_dice, other_dice) or "")


def _panel(
    table: CountedState,
    state: State,
    seats: tuple[str, ...],
    odds: Callable[[Complication], str] = lambda running: "",
) -> Iterator[Block]:
    ledger = table.ledger
    turn = state.turn if state.turn_sure and state.scene is not None else ""
    stats = tuple(
        Stat(
            held_in_words(table, f"wealth:{p}", COIN),
            f"{p}, on turn" * (p == turn) or p,
            p,
            p == turn,
        )
        for p in seats
    )
    yield Stats(stats, "Coins")
    scene = state.scene
    if scene is not None and scene.framer:
        bid_left = ledger.balance(f"bid:{scene.framer}", COIN)
        if bid_left:
            yield Note(f"{scene.framer} has {plural(bid_left, 'Coin')} of the bid on the table.")
    for scene_state in (state.scene, state.mini):
        if scene_state is not None:
            yield _palette(state, scene_state)
    for number in state.running:
        complication = state.complications[number - 1]
        yield _stones(state, complication, odds(complication))
    owed = [d for d in state.debts if d.owed]
    if owed:
        yield Listing(
            tuple(
                Item(f"{d.debtor} owes {d.lender} {plural(d.owed, 'Coin')}", step=d.step)
                for d in owed
            ),
            "Loans",
        )


def _palette(state: State, scene: SceneState) -> Slips:
    return Slips(
        tuple(
            Slip(
                f"{state.components[id].shown_name} ({state.components[id].total})",
                state="name" if id == scene.location else "",
                step=step,
                player=scene.control.get(id, ""),
                of=id,
            )
            for id, step in scene.present.items()
            if not state.components[id].struck
        ),
        f"In {scene.title}",
    )


def _stones(state: State, complication: Complication, odds: str) -> Stones:
    most = max((p.dice + p.edge for p in complication.pools.values()), default=0)
    return Stones(
        tuple((p.player, p.dice + p.edge, max(most, 1)) for p in complication.pools.values()),
        f"Pools: {complication.title}",
        tuple(_sources(state, pool) for pool in complication.pools.values()),
        odds and f"Rolled now: {odds}",
    )


def _sources(state: State, pool: Pool) -> str:
    """What the dice of a Pool come from, together by Component: ``figure 2 4, the bar 2``."""
    dice_by_name: dict[str, int] = {}
    for entry in pool.entries:
        name = state.components[entry.component].shown_name if entry.component else entry.cause
        dice_by_name[name] = dice_by_name.get(name, 0) + entry.dice
    return ", ".join(f"{name} {dice}" for name, dice in dice_by_name.items() if dice)


def fill(view: CampaignView) -> None:
    """Everything that a published campaign of Universalis shows."""
    record = view.record
    state: State = record.state
    seats = tuple(p.name for p in record.campaign.players if p.seat >= 0)
    view.dice = {"d10": D10}
    view.state = list(_panel(record, state, seats))
    view.registries = [
        RegistryPage(
            "Characters", COLUMNS, "Everybody in the story, with what each is worth to it."
        ),
        RegistryPage("Places", COLUMNS, "Where it happens."),
        RegistryPage(
            PROPS, COLUMNS, "Objects, and everything else that is neither a person nor a place."
        ),
        RegistryPage(MASTERS, COLUMNS, "Templates of whole classes; they are never in a scene."),
    ]
    used = {registry_of(c) for c in shown(state)}
    view.registries = [r for r in view.registries if r.title in used]
    edges = edges_of(state)
    view.sheets = [*map(_sheets(view).of, shown(state))]
    view.overview = _overview(record, state)
    view.relations = [*_maps(state, edges)]
    view.curves = [*_curves(record, state)]
    view.coin_word = "Coins"
    view.pages = [
        page
        for page in (
            pages.scenes_page(record, state),
            pages.tenets_page(record, state),
            pages.contests_page(record, state),
            pages.disputes_page(record, state),
            pages.facts_page(record, state),
            pages.coins_page(record, state),
        )
        if page.blocks
    ]
    view.loose_ends = [*_loose_ends(record, state)]
    view.known_gaps = _unwritten(state)
    _add_ons(view)


def stand(view: CampaignView) -> None:
    """Of all that, what is kept of every session."""
    state: State = view.record.state
    components = [
        component for component in shown(state) if view.only_subject in ("", component.id)
    ]
    sheets = _sheets(view)
    view.sheets = [
        sheets.of(component) if view.only_subject else sheets.outline(component)
        for component in components
    ]
    if not view.only_subject:
        view.relations = [*_maps(state, edges_of(state))]
        view.loose_ends = [*_loose_ends(view.record, state)]
    _add_ons(view)


def _sheets(view: CampaignView) -> Sheets:
    """The sheets of a CampaignView, limited to what the add-ons in force show now."""
    for adoption in view.record.state.adoptions:
        view.adopting_steps.setdefault(adoption.key, adoption.step)
    shown_record = view.record
    for key in ADD_ONS:
        if key in view.adopting_steps:
            shown_record = add_on(key).shown_record(shown_record)
    return Sheets(shown_record)


def _add_ons(view: CampaignView) -> None:
    """What the add-ons in force have to say."""
    for key in ADD_ONS:
        if key in view.adopting_steps:
            add_on(key).fill(view)


def _overview(record: Record, state: State) -> list[Block]:
    settings = record.campaign.settings
    played = [s for s in state.scenes.values() if not s.mini]
    mini_count = len(state.scenes) - len(played)
    scenes = str(len(played))
    if mini_count:
        scenes += f", and {plural(mini_count, 'Mini Scene')}"
    rows: list[tuple[str, Inline]] = [
        ("Scenes", scenes),
        ("Components", len(shown(state))),
        ("Tenets", sum(1 for t in state.tenets.values() if t.status == "accepted")),
        ("Complications", sum(1 for c in state.complications if c.stage is not Stage.STRUCK)),
        ("Refreshment", plural(getattr(settings, "refreshment", 5), "Coin")),
    ]
    if played:
        rows.append(
            (
                "Last scene" if record.is_over else "Latest scene",
                scene_ref(record, played[-1].number),
            )
        )
    keys = {adoption.key for adoption in state.adoptions if not adoption.ended}
    adopted = [add_on(key) for key in ADD_ONS if key in keys]
    if adopted:
        links = [(" ", Ref("rule", kind.code, kind.title)) for kind in adopted]
        rows.append(("Add-ons", tuple(part for pair in links for part in pair)[1:]))
    hired = {contract.id for contract in contracts_of(state)}
    gimmicks = [
        t
        for t in state.tenets.values()
        if t.kind == "gimmick" and not t.ended and t.status == "accepted" and t.id not in hired
    ]
    leading = sorted(
        (c for c in shown(state) if c.kind == CHARACTER and not c.master and not c.eliminated),
        key=lambda c: -c.total,
    )[:6]
    return [
        Facts(tuple(rows), "In figures"),
        *(
            [Listing(tuple(Item(t.text, "", t.step) for t in gimmicks), "Gimmicks in force")]
            if gimmicks
            else []
        ),
        Bars(
            "Who matters most",
            tuple((c.shown_name, c.total, "") for c in leading),
        ),
    ]


def _maps(state: State, edges: Sequence[Edge]) -> Iterator[Graph]:
    for title, kinds in (
        ("Relationships", ("tie", "corollary")),
        ("Possessions", ("owns",)),
        ("Masters and Subs", ("member",)),
    ):
        chosen = [e for e in edges if e.kind in kinds]
        if chosen:
            ids = dict.fromkeys(id for e in chosen for id in (e.start, e.end))
            yield Graph(
                title,
                tuple(node(state.components[id]) for id in ids),
                tuple(chosen),
                tuple(k for k in KEY if k[0] in kinds),
                wide=True,
            )


def _curves(record: Record, state: State) -> Iterator[Steps]:
    yield Steps(
        "Coins",
        curves_of(record, "wealth", COIN),
        ticks_of_sessions(record),
        marks=(),
        x_title="play",
        y_title="Coins",
    )
    leading = sorted((c for c in shown(state) if c.kind == CHARACTER), key=lambda c: -c.total)[:6]
    series = tuple(importance_series(record, c) for c in leading if len(c.curve) > 1)
    if series:
        yield Steps(
            "Importance",
            series,
            ticks_of_sessions(record),
            x_title="play",
            y_title="Importance",
        )


def _who(record: Record, component: Component) -> tuple[Inline, str]:
    """The question who somebody without a Role in words is, and a note."""
    one, several = ("was", "were") if record.is_over else ("is", "are")
    verb = several if is_group(component) else one
    link = ref(component)._replace(label=named(component))
    return (f"Who {verb} ", link, "?"), "Never named." if record.is_over else "Not named yet."


def _loose_ends(record: Record, state: State) -> Iterator[Item]:
    """What the story leaves open, as a reader would ask it."""
    met = {id for scene in record.timeline.scenes for id in scene.cast}
    for component in shown(state):
        created_step = component.step
        if component.eliminated:
            continue
        if component.open_role:
            yield Item(*_who(record, component), created_step)
        if component.placeholder:
            note = "mentioned, and not paid for"
            yield Item(("What is it about ", ref(component), "?"), note, created_step)
        elif not component.master and component.id not in met and not component.control:
            note = "created, and in no scene yet"
            yield Item(("Where does ", ref(component), " come in?"), note, created_step)
    for number in state.running:
        complication = state.complications[number - 1]
        note = "a Complication that is open"
        yield Item(f"“{complication.title}”: how does it end?", note, complication.step)
    for debt in state.debts:
        if debt.owed and not record.is_over:
            owed = f"Will {debt.debtor} give {debt.lender} {plural(debt.owed, 'Coin')} back?"
            yield Item(owed, "a loan", debt.step)
    for scene in state.scenes.values():
        if scene.frame == "future" and not record.is_over:
            link = scene_ref(record, scene.number)
            note = "it lies ahead: what it shows binds every scene before it"
            yield Item((link, ": how does it come to that?"), note, scene.step)


def _unwritten(state: State) -> list[Item]:
    """The known gaps of the record."""
    items = [
        Item((ref(component), " has Traits that the record does not list"), step=component.step)
        for component in shown(state)
        if component.open_list and not component.placeholder
    ]
    for challenge in state.challenges:
        if challenge.ending == "open":
            words = f"{challenge.challenger}'s objection has no end on record"
            items.append(Item(words, step=challenge.step))
    return items
