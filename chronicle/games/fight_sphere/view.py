"""What a reader of a game of Fight Sphere is shown first: pools, rings, Relationships, sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chronicle.core.campaign_view import (
    Block,
    CampaignView,
    Edge,
    Facts,
    Graph,
    Inline,
    Item,
    Listing,
    Node,
    Note,
    Prose,
    Ref,
    RegistryPage,
    Rings,
    Row,
    Sector,
    Series,
    Sheet,
    Slip,
    Slips,
    Stat,
    Stats,
    Steps,
    Stones,
    heads,
    step_ref,
    tabled,
)
from chronicle.core.diagnostic import listed, plural
from chronicle.core.dice import D6
from chronicle.core.doubts import doubts_of
from chronicle.core.game_info import Readings
from chronicle.core.ledger import Ledger, Posting
from chronicle.core.make_view import appearances, ticks_of_sessions
from chronicle.core.record import Record
from chronicle.games.fight_sphere.state import (
    DIE,
    POINT,
    Episode,
    Fate,
    Gladiator,
    Inhabitant,
    Layer,
    Stage,
    State,
    bond_id,
    judgment_of,
    pool_of,
    resting,
    value_of,
)


def sheet_ref(state: State, id: str) -> Ref:
    """A link to somebody's sheet."""
    existing: Gladiator | Inhabitant | None = state.gladiators.get(id) or state.inhabitants.get(id)
    return Ref("sheet", id, existing.name if existing is not None else id)


def owner(state: State, id: str) -> str:
    """The player whose colour a Gladiator has, if it is played."""
    g = state.gladiators.get(id)
    return g.player if g is not None and not g.npc else ""


# --- the state of play ------------------------------------------------------------------------------


def panel(state: State, ledger: Ledger, rulings: Readings, turn: str) -> Iterator[Block]:
    """Pools and fates, what each Relationship is worth, whose turn it is and what binds it."""
    yield pools_table(state, ledger)
    if any(g.bonds for g in state.gladiators.values()):
        yield relations(state, ledger, rulings)
        yield relationships_table(state, ledger, rulings)
    yield turns(state, turn)
    judging = [j for j in state.judgments if not j.closed]
    if judging:
        yield Stones(
            tuple((j.player, max(0, judgment_of(ledger, j.player)), j.size) for j in judging),
            "Judgment Pools",
        )


@tabled("Gladiator | Played by | Episode | Conflict Pool # | Relationships # | Fate", "Gladiators")
def pools_table(state: State, ledger: Ledger) -> Iterator[Row]:
    """Who is where, with how many dice."""
    for g in state.gladiators.values():
        episode = state.episode_of(g.id)
        yield (
            sheet_ref(state, g.id),
            g.player if not g.npc else "NPC Gladiator",
            episode.title if episode is not None and g.fate is not Fate.DEAD else "",
            pool_of(ledger, g.id),
            len(g.living()),
            str(g.fate),
        )


@tabled("Gladiator | Inhabitant | Value # | Barred | Shared with | Since", "Relationships")
def relationships_table(state: State, ledger: Ledger, rulings: Readings) -> Iterator[Row]:
    """Every Relationship: value, rest, who shares the inhabitant."""
    for g in state.gladiators.values():
        for bond in g.bonds.values():
            remainder = 0 if bond.gone else resting(state, ledger, rulings, g, bond)
            sharers = [s.name for s in state.sharers(bond.npc) if s.id != g.id]
            yield (
                sheet_ref(state, g.id),
                sheet_ref(state, bond.npc),
                "lost" if bond.gone else value_of(ledger, g.id, bond.npc),
                f"for {plural(remainder, 'Conflict')}" if remainder else "",
                listed(sharers),
                step_ref(bond.gone or bond.step),
            )


def relations(
    state: State, ledger: Ledger, rulings: Readings, title: str = "Who stands by whom"
) -> Graph:
    """Gladiators, inhabitants, and what binds them."""
    nodes = [
        Node(
            g.id,
            g.name if g.fate is not Fate.DEAD else f"{g.name} (dead)",
            "character" if not g.npc else "group",
            sheet_ref(state, g.id),
            owner(state, g.id),
        )
        for g in state.gladiators.values()
    ]
    edges: list[Edge] = []
    existing: dict[str, None] = {}
    for g in state.gladiators.values():
        for bond in g.bonds.values():
            existing[bond.npc] = None
            if bond.gone:
                edges.append(Edge(g.id, bond.npc, "lost", "lost"))
                continue
            remainder = resting(state, ledger, rulings, g, bond)
            label = str(value_of(ledger, g.id, bond.npc)) + (
                f", barred {remainder}" if remainder else ""
            )
            edges.append(Edge(g.id, bond.npc, label, "barred" if remainder else "relationship"))
    for npc in existing:
        lost = state.inhabitants[npc]
        name, kind = (f"{lost.name} (gone)", "prop") if lost.gone else (lost.name, "place")
        nodes.append(Node(npc, name, kind, sheet_ref(state, npc)))
    edges += [Edge(t.pair[0], t.pair[1], "truce", "truce") for t in state.truces if not t.ended]
    return Graph(
        title,
        tuple(nodes),
        tuple(edges),
        (
            ("relationship", "a Relationship and its value"),
            ("barred", "used in a failure; no modifier for so many Conflicts"),
            ("lost", "lost with the inhabitant"),
            ("truce", "a truce of two Gladiators"),
        ),
    )


@tabled("Player | Gladiator | On turn | Next Scene", "Turn order")
def turns(state: State, turn: str) -> Iterator[Row]:
    """Turn order, and whose next Scene is bound."""
    for g in state.played():
        bound = ""
        if g.id in state.resumptions:
            npc = state.gladiators[state.resumptions[g.id][0]].name
            bound = f"the Encounter with {npc}, who has the Initiative"
        elif rivals := state.bound_with(g.id):
            bound = f"the Encounter with {rivals}"
        elif not state.active(g.player):
            bound = "judges" if state.judgment(g.player) is not None else "waits"
        yield (g.player, sheet_ref(state, g.id), "now" if g.player == turn else "", bound or "free")


# --- the Sphere -------------------------------------------------------------------------------------


def rings(state: State) -> Rings:
    """The Layers from the surface inwards, each divided into its Episodes, with everybody where they got to."""
    last = {id: e.step for layer in state.layers for e in layer.episodes for id in e.cast}
    return Rings(
        "The Sphere",
        tuple(
            (
                f"{layer.name[:1].upper()}{layer.name[1:]}, TV {layer.tv}",
                tuple(
                    Sector(
                        e.title,
                        "on" if not e.over else ended(state, e),
                        tuple(sheet_ref(state, id) for id in e.cast if last[id] == e.step),
                    )
                    for e in layer.episodes
                ),
            )
            for layer in state.layers
        ),
    )


def cast_words(state: State, episode: Episode) -> str:
    """The cast of an Episode in words."""
    return listed(state.gladiators[id].name for id in episode.cast)


def ended(state: State, episode: Episode) -> str:
    """How an Episode ended."""
    if not episode.over:
        return "still running"
    if episode.last:
        return f"{listed(state.gladiators[id].name for id in episode.last)} left standing"
    return "left to NPC Gladiators"


def kill_list(state: State, without: str = "") -> Slips:
    """The names that a Gladiator's hand shows, the dead crossed out."""
    return Slips(
        tuple(
            Slip(
                g.name,
                state="removed" if g.fate is Fate.DEAD else "",
                step=g.fate_step if g.fate is Fate.DEAD else g.step,
                player=owner(state, g.id),
            )
            for g in state.gladiators.values()
            if g.id != without
        ),
        "The names in the hand",
    )


def countdown(state: State) -> Stats:
    """How far it is to the Core, and who is left in it. Of a game that is over: where it ended."""
    alive = len(state.npc_gladiators())
    remaining = sum(1 for g in state.played() if g.fate is not Fate.DEAD)
    layer = state.layer
    place = layer.name if layer is not None else "before the first Layer"
    items = [Stat(place, "where it ended" if state.over else "where play is")]
    if not state.over:
        npcs = "NPC Gladiator left until the Core", "NPC Gladiators left until the Core"
        items += [Stat(str(state.tv), "Threshold Value"), Stat.of(alive, *npcs)]
    if state.over:
        items.append(Stat.of(remaining, "survivor", "survivors"))
    elif state.in_core:
        items.append(Stat.of(remaining, "survivor in the Core", "survivors in the Core"))
    return Stats(tuple(items))


# --- Conflict Pools over time -----------------------------------------------------------------------


def pool_changes(record: Record, id: str) -> Iterator[tuple[Posting, int, int]]:
    """Each change of a Conflict Pool, with the new balance. Dice on the table are still in
    it until they are lost."""
    return record.ledger.moves(DIE, f"pool:{id}", f"gamble:{id}")


def pool_curve(record: Record, gladiators: Iterable[Gladiator], title: str) -> Steps:
    """Conflict Pools over the entries of the log, with what moved them most."""
    state: State = record.state
    series: list[Series] = []
    marks: list[tuple[int, int, str]] = []
    for g in gladiators:
        points: dict[int, int] = {}
        for first, _, dice in pool_changes(record, g.id):
            points[first.step_number] = dice
            if first.rule in ("F62", "F63", "F64"):
                marks.append((first.step_number, dice, f"{g.name}: {first.why}"))
        if g.fate in (Fate.DEAD, Fate.OUT) and g.fate_step in points:
            marks.append((g.fate_step, points[g.fate_step], f"{g.name}: {g.fate}"))
        doubts = doubts_of(record, f"pool:{g.id}")
        series.append(Series(g.name, tuple(points.items()), owner(state, g.id), doubts))
    layers = tuple((layer.step, layer.name) for layer in state.layers)
    return Steps(
        title,
        tuple(series),
        layers or ticks_of_sessions(record),
        ((0, "below this, out"),),
        tuple(marks),
        "entries of the log",
        "dice",
    )


@tabled("Entry | Change | Pool # | Cause | Rule", "Conflict Pool")
def pool_table(record: Record, id: str) -> Iterator[Row]:
    """Every change of a Conflict Pool with its cause."""
    for first, change, dice in pool_changes(record, id):
        yield (
            step_ref(first.step_number) if first.step_number else "the start",
            f"{change:+d}",
            dice,
            first.why or "counted",
            Ref("rule", first.rule, first.rule) if first.rule else "",
        )


# --- the CampaignView --------------------------------------------------------------------------------


def fill(view: CampaignView) -> None:
    """Everything that a reader of a published game wants to see."""
    record = view.record
    state: State = record.state
    rulings = record.rulings
    turn = state.turn or next((p.name for p in record.campaign.players if state.active(p.name)), "")
    view.dice = {"d6": D6}
    view.state = [countdown(state), *panel(state, record.ledger, rulings, turn)]
    view.overview = [countdown(state), *([rings(state)] if state.layers else []), kill_list(state)]
    if state.world:
        view.overview.append(Note(f"The world they came from: {state.world}"))
    npcs = [g for g in state.gladiators.values() if g.npc]
    view.curves = [pool_curve(record, state.played(), "Conflict Pools of those who are played")]
    if npcs:
        view.curves.append(pool_curve(record, npcs, "Conflict Pools of NPC Gladiators"))
    if state.judgments:
        view.curves.append(_judgment_curve(record))
    view.registries = [
        RegistryPage(
            "Gladiators",
            heads("Played by | Drive | Weapon | Pool # | Fate"),
            "Everybody who woke with a weapon, and what became of them.",
        ),
        RegistryPage(
            "Inhabitants",
            heads("Community | First seen | Last seen | Fate"),
            "Those who live in the Sphere and are not marked.",
        ),
    ]
    view.sheets = [
        *(_gladiator_sheet(record, rulings, g) for g in state.gladiators.values()),
        *(_inhabitant_sheet(record, npc) for npc in state.inhabitants.values()),
    ]
    view.relations = [relations(state, record.ledger, rulings)]
    view.loose_ends = [*_loose_ends(record)]


def _judgment_curve(record: Record) -> Steps:
    state: State = record.state
    moves = record.ledger.moves
    points = {
        id: {
            first.step_number: dice
            for first, _, dice in moves(DIE, f"judgment:{id}", f"wager:{id}")
        }
        for id in dict.fromkeys(judgment.player for judgment in state.judgments)
    }
    return Steps(
        "Judgment Pools",
        tuple(
            Series(id, tuple(dice.items()), id, doubts_of(record, f"judgment:{id}"))
            for id, dice in points.items()
        ),
        tuple((layer.step, layer.name) for layer in state.layers),
        x_title="entries of the log",
        y_title="dice",
    )


def _drive(g: Gladiator) -> str:
    return f"{g.drive}: {g.driven_by}" if g.drive is not None else "no drive"


def _gladiator_sheet(record: Record, rulings: Readings, g: Gladiator) -> Sheet:
    state: State = record.state
    dice = pool_of(record.ledger, g.id)
    played = "NPC Gladiator" if g.npc else f"played by {g.player}"
    status = str(g.fate)
    if g.fate is Fate.STANDING and (episode := state.episode_of(g.id)) is not None:
        status = f"standing in {episode.title}"
    sheet = Sheet(
        id=g.id,
        name=g.name,
        kind="gladiator",
        registry="Gladiators",
        player=owner(state, g.id),
        status=status,
        tagline=g.looks or f"{played}; {g.drive or 'no drive'}",
        row=(g.player if not g.npc else "the GM", str(g.drive or ""), g.weapon, dice, str(g.fate)),
        role=f"armed with {g.weapon}" if g.weapon else "",
        has_no_player=g.npc,
        gone=g.fate is Fate.DEAD,
    )
    facts: list[tuple[str, Inline]] = [
        ("Made by", g.player or "nobody"),
        ("Run by", "the GM" if g.npc else g.player),
        (str(g.drive or "Drive"), g.driven_by),
        ("Switch", step_ref(g.traded, "used") if g.traded else "not used"),
        ("Weapon", g.weapon or "none named"),
        ("Fate", (str(g.fate), " ", step_ref(g.fate_step)) if g.fate_step else str(g.fate)),
    ]
    sheet.blocks = [Facts(tuple(facts))]
    if g.story:
        sheet.blocks.append(Prose(g.story))
    if state.falls.get(g.id):
        sheet.blocks.append(Prose(state.falls[g.id]))
    if g.bonds:
        sheet.blocks.append(_bonds_of(record, rulings, g))
    sheet.blocks += [pool_curve(record, [g], "Conflict Pool over time"), pool_table(record, g.id)]
    sheet.blocks.append(_record_of(state, g))
    sheet.aside = [
        Stats(
            (
                Stat.of(
                    dice,
                    "die in the Conflict Pool",
                    "dice in the Conflict Pool",
                    owner(state, g.id),
                ),
                Stat.of(len(g.living()), "Relationship"),
                Stat.of(g.conflicts, "Conflict"),
            )
        ),
        kill_list(state, g.id),
        appearances(record, g.id),
    ]
    return sheet


@tabled("Inhabitant | Value # | Was | Barred | Since | Lost", "Relationships")
def _bonds_of(record: Record, rulings: Readings, g: Gladiator) -> Iterator[Row]:
    state: State = record.state
    for bond in g.bonds.values():
        account = f"relationship:{bond_id(g.id, bond.npc)}"
        history = ", ".join(str(n) for _, n in record.curve(account, POINT))
        remainder = 0 if bond.gone else resting(state, record.ledger, rulings, g, bond)
        yield (
            sheet_ref(state, bond.npc),
            "lost" if bond.gone else value_of(record.ledger, g.id, bond.npc),
            history,
            f"for {plural(remainder, 'Conflict')}" if remainder else "",
            step_ref(bond.step),
            step_ref(bond.gone) if bond.gone else "",
        )


def _record_of(state: State, g: Gladiator) -> Listing:
    items = [
        Item(
            f"Against {plural(c.tv, 'die', 'dice')}: {c.ones[0]} to {c.ones[1]}",
            "success" if c.success else "failure",
            c.result_step,
        )
        for c in state.conflicts
        if c.who == g.id and c.stage is Stage.ROLLED
    ]
    for encounter in state.encounters:
        for round_ in encounter.rounds:
            if g.id in round_.members and round_.stage is Stage.ROLLED:
                rivals = listed(state.gladiators[w].name for w in round_.members if w != g.id)
                lost = sum(round_.losses.get(g.id, (0, 0)))
                ones = round_.ones.get(g.id)
                rolled = plural(ones, "one") if ones is not None else "dice not recorded"
                items.append(
                    Item(
                        f"Encounter with {rivals or 'nobody'}: {rolled}",
                        f"lost {plural(lost, 'die', 'dice')}" if lost else "lost nothing",
                        round_.result_step,
                    )
                )
    items.sort(key=lambda item: item.step)
    return Listing(tuple(items), "Conflicts and Encounters", ordered=True)


def _inhabitant_sheet(record: Record, npc: Inhabitant) -> Sheet:
    state: State = record.state
    related = [g for g in state.gladiators.values() if npc.id in g.bonds]
    fate = (npc.fate or "gone for good") if npc.gone else "alive"
    first, last = step_ref(npc.step), step_ref(npc.gone or npc.last_step)
    return Sheet(
        id=npc.id,
        name=npc.name,
        kind="inhabitant",
        registry="Inhabitants",
        status="gone for good" if npc.gone else "alive",
        tagline=npc.community or "an inhabitant of the Sphere",
        row=(npc.community, first, last, fate),
        role=f"of {npc.community}" if npc.community else "",
        has_no_player=True,
        gone=bool(npc.gone),
        blocks=[
            Facts(
                (
                    ("Community", npc.community or "not named"),
                    ("Before the Sphere", npc.origin or "not told"),
                    ("First seen", first),
                    ("Last seen", last),
                    ("Fate", (fate, " ", step_ref(npc.gone)) if npc.gone else fate),
                )
            ),
            _related(record, npc, related),
            Listing(tuple(Item(text, "", step) for step, text in npc.harms), "What befell them"),
        ],
        aside=[appearances(record, npc.id)],
    )


@tabled("Gladiator | Value #", "Related to")
def _related(record: Record, npc: Inhabitant, related: list[Gladiator]) -> Iterator[Row]:
    for g in related:
        value = "lost" if g.bonds[npc.id].gone else value_of(record.ledger, g.id, npc.id)
        yield sheet_ref(record.state, g.id), value


def _loose_ends(record: Record) -> Iterator[Item]:
    state: State = record.state
    for g in state.gladiators.values():
        if not g.story:
            yield Item(f"{g.name} has no back story in this log", "F2", g.step)
    if state.over:
        return
    for encounter in state.encounters:
        if not encounter.over:
            id = listed(state.gladiators[w].name for w in encounter.members)
            yield Item(f"{id} are still in an Encounter", "F56", encounter.step)
    for truce in state.truces:
        if not truce.ended:
            id = listed(state.gladiators[w].name for w in truce.pair)
            yield Item(f"{id} have a truce", "F58", truce.step)
    for who_, (npc, _, step) in state.resumptions.items():
        name = state.gladiators[npc].name
        yield Item(f"{name} comes back at {state.gladiators[who_].name}'s next turn", "F39", step)
    layer: Layer | None = state.layer
    for episode in layer.episodes if layer is not None else ():
        if episode.needs_survivors:
            yield Item(f"Nobody says who comes out of {episode.title}", "FA23", episode.over)
    if state.open_round is not None:
        for due in state.open_round.dues.values():
            if not due.settled:
                name = state.gladiators[due.who].name
                yield Item(f"{name} owes {plural(due.points, 'point')}", "F53", due.step)
