"""The game's own pages: Layers, Conflicts, Encounters, truces, cut-scenes, judges, pools, the end."""

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
    Table,
    comma_separated,
    heads,
    step_ref,
    tabled,
)
from chronicle.core.diagnostic import listed, plural
from chronicle.core.make_view import cards_of
from chronicle.core.odds import percent
from chronicle.core.record import Record
from chronicle.games.fight_sphere.falls import survivor
from chronicle.games.fight_sphere.odds import ordinary_odds
from chronicle.games.fight_sphere.state import (
    Conflict,
    Encounter,
    Episode,
    Layer,
    Round,
    Stage,
    State,
    Wager,
    judgment_of,
)
from chronicle.games.fight_sphere.verdicts import REROLL
from chronicle.games.fight_sphere.view import (
    cast_words,
    countdown,
    ended,
    kill_list,
    owner,
    pool_curve,
    pool_table,
    relations,
    relationships_table,
    rings,
    sheet_ref,
    turns,
)


def pages(record: Record) -> list[Page]:
    """All pages of the game's own."""
    rulings = record.rulings
    state: State = record.state
    all_pages = [
        Page(
            "layers",
            "The Layers",
            [
                countdown(state),
                *([rings(state)] if state.layers else []),
                kill_list(state),
                *(_layer(state, layer) for layer in state.layers),
            ],
            "From the surface inwards: who was cast where, against how many dice, and who was left.",
        ),
        Page(
            "conflicts",
            "Conflicts",
            [_conflict(record, c) for c in state.conflicts if c.stage is Stage.ROLLED]
            or [Note("No ordinary Conflict has been rolled yet.")],
            "Every ordinary Conflict: how the roll was built, the odds before it, what it brought.",
            lists_contests=True,
        ),
        Page(
            "encounters",
            "Encounters",
            [_encounter(record, e) for e in state.encounters]
            or [Note("No Gladiators have met yet.")],
            "Every clash of Gladiators, round by round: Initiative, limit, who beat whom, who paid.",
            lists_contests=True,
        ),
        Page(
            "pools",
            "Conflict Pools",
            [
                pool_curve(record, state.gladiators.values(), "All Conflict Pools"),
                *(
                    Section(g.name, (pool_table(record, g.id),), f"pool-of-{n}", folded=True)
                    for n, g in enumerate(state.gladiators.values(), 1)
                ),
            ],
            "Every die that came and went, with its cause.",
        ),
        Page(
            "relationships",
            "Relationships",
            [
                relations(state, record.ledger, rulings),
                relationships_table(state, record.ledger, rulings),
            ],
            "Who stands by whom now. The state of play after each Scene shows the same map as it was "
            "then.",
            "Map",
        ),
        Page(
            "turns",
            "Turn order",
            [turns(state, state.turn), _turns_taken(record, state)],
            "Whose turn it is, whose next Scene is bound, and how the turns went.",
        ),
        Page(
            "odds",
            "Odds and luck",
            [_odds_of_rolls(state), _odds_table()],
            "How likely each success was before the dice fell, and the odds in general.",
            lists_contests=True,
        ),
    ]
    if state.truces:
        all_pages.append(_truces(state))
    if state.cut_scenes:
        all_pages.append(_cut_scenes(record, state))
    if state.judgments:
        all_pages.append(_judges(record, state))
    if state.epilogue:
        all_pages.append(_epilogue(state))
    return all_pages


# --- Layers -----------------------------------------------------------------------------------------


def _layer(state: State, layer: Layer) -> Section:
    name = f"{layer.name[:1].upper()}{layer.name[1:]}: Threshold Value {layer.tv}"
    return Section(
        name,
        tuple(_episode(state, layer, episode) for episode in layer.episodes),
        f"layer-{layer.number}",
        layer.step,
        abreast=True,
    )


def _episode(state: State, layer: Layer, episode: Episode) -> Facts:
    conflicts = [
        c for c in state.conflicts if c.layer == layer.number and c.episode == episode.title
    ]
    fights = [e for e in state.encounters if e.layer == layer.number and e.episode == episode.title]
    fallen = [sheet_ref(state, id) for e in fights for round_ in e.rounds for id in round_.fallen]
    rows: list[tuple[str, Inline]] = [
        ("Cast", cast_words(state, episode)),
        ("Conflicts", len(conflicts)),
        ("Encounters", len(fights)),
        ("Fell", comma_separated(fallen) or "nobody"),
        (
            "Result",
            (ended(state, episode), " ", step_ref(episode.over))
            if episode.over
            else "still running",
        ),
    ]
    return Facts(tuple(rows), episode.title)


# --- Conflicts --------------------------------------------------------------------------------------


def _conflict(record: Record, conflict: Conflict) -> Section:
    state: State = record.state
    scene = record.timeline.get(conflict.scene)
    name = state.gladiators[conflict.who].name
    blocks = cards_of(record, (conflict.result_step,))
    outcome = "success" if conflict.success else "failure"
    rows: list[tuple[str, Inline]] = [
        ("Scene", Ref("scene", str(scene.number), scene.title)),
        ("Framed by", conflict.framer),
    ]
    if not blocks:
        rows += [
            ("Built from", f"{' + '.join(conflict.build.sources())} = {conflict.build.dice}"),
            ("Threshold Value", conflict.tv),
            ("Odds before the roll", conflict.odds),
        ]
    rows += [("Judges", words) for words in _wagers(state, conflict.wagers)]
    if conflict.success:
        points_taken: Inline = "none taken"
        if conflict.reward:
            points_taken = (conflict.reward, " ", step_ref(conflict.reward_step))
        rows.append(("Reward", points_taken))
    else:
        rows.append(("Lost", conflict.losses or "nothing"))
        for npc in conflict.harm_due:
            stated = [
                text for step, text in state.inhabitants[npc].harms if step >= conflict.result_step
            ]
            rows.append(
                (f"{state.inhabitants[npc].name} suffers", stated[0] if stated else "as told")
            )
        answer: Inline = "none"
        if conflict.answer:
            answer = (conflict.answer, " ", step_ref(conflict.answer_step))
        rows.append(("What the GM did", answer))
    return Section(
        f"{conflict.number}. {name}: {scene.title}",
        (*blocks, Facts(tuple(rows))),
        f"conflict-{conflict.number}",
        conflict.step,
        gist=f"{conflict.ones[0]} : {conflict.ones[1]}, {outcome}",
    )


def _wagers(state: State, wagers: list[Wager]) -> Iterator[str]:
    for wager in wagers:
        g = state.gladiators.get(wager.side)
        side = g.name if g is not None else "the GM"
        kept_kind = (
            "lost, for that side succeeded" if wager.lost else "kept, for that side did not succeed"
        )
        yield f"{wager.player} put {plural(wager.dice, 'die', 'dice')} on {side}: {kept_kind}"


# --- Encounters -------------------------------------------------------------------------------------


def _encounter(record: Record, encounter: Encounter) -> Section:
    state: State = record.state
    everybody = dict.fromkeys(id for round_ in encounter.rounds for id in round_.members)
    names = listed(state.gladiators[id].name for id in everybody)
    blocks: list[Block] = [_round(record, round_) for round_ in encounter.rounds]
    remaining = [
        Item((sheet_ref(state, id), " disengaged"), "", step) for id, step in encounter.left
    ]
    if remaining:
        blocks.append(Listing(tuple(remaining), "Who got away"))
    if not encounter.over:
        blocks.append(Note("This Encounter is not over."))
    fallen = [state.gladiators[id].name for round_ in encounter.rounds for id in round_.fallen]
    ends = [f"{listed(fallen)} fell"] if fallen else []
    ends += [f"{listed(state.gladiators[id].name for id, _ in encounter.left)} got away"] * bool(
        remaining
    )
    return Section(
        f"{encounter.number}. {names}, in {encounter.episode}",
        tuple(blocks),
        f"encounter-{encounter.number}",
        encounter.step,
        gist="; ".join([plural(len(encounter.rounds), "round"), *ends]),
    )


def _round(record: Record, round_: Round) -> Section:
    state: State = record.state
    # Who builds, gains or loses need not be one of those it was written for.
    names = {id: gladiator.name for id, gladiator in state.gladiators.items()}
    rows: list[tuple[str, Inline]] = [
        ("Initiative", sheet_ref(state, round_.initiative)),
        ("Gamble limit", round_.limit if round_.limit is not None else "not set"),
    ]
    cards = cards_of(record, (round_.result_step,))
    if not cards:
        rows += [
            (f"{names[id]} builds", f"{' + '.join(build.sources())} = {build.dice}")
            for id, build in round_.builds.items()
        ]
    leaving = [names[id] for id, build in round_.builds.items() if build.disengage]
    if leaving:
        rows.append(("To disengage", listed(leaving)))
    rows += [
        (f"{names[id]} gains", f"{plural(dice, 'die', 'dice')} at the first meeting")
        for id, dice in round_.bonuses.items()
        if dice
    ]
    rows += [
        ("Betrayal", f"{names[traitor]} betrays {names[partner]}: {plural(dice, 'die', 'dice')}")
        for traitor, partner, dice in round_.betrayals
    ]
    rows += [("Judges", words) for words in _wagers(state, round_.wagers)]
    if round_.odds and not cards:
        rows.append(("Odds before the roll", round_.odds))
    for id, (gamble, victories) in round_.losses.items():
        rows.append(
            (f"{names[id]} loses", f"{gamble} gambled and {plural(victories, 'die', 'dice')} more")
        )
    for due in round_.dues.values():
        points_taken = ", ".join(
            f"{points} off {state.inhabitants[npc].name}"
            for npc, points in due.settled.items()
            if points
        )
        rows.append((f"{names[due.who]}'s Relationships", points_taken or "not settled"))
    rows += [("Lost for good", sheet_ref(state, npc)) for npc in round_.removed]
    rows += [("Fell", sheet_ref(state, id)) for id in round_.fallen]
    rows += [("Disengaged", sheet_ref(state, id)) for id in round_.away]
    rows += [
        ("Did not get away", sheet_ref(state, id))
        for id, build in round_.builds.items()
        if build.disengage and id not in round_.away and round_.stage is Stage.ROLLED
    ]
    return Section(f"Round {round_.number}", (*cards, Facts(tuple(rows))), step=round_.step)


# --- truces, cut-scenes, judges ---------------------------------------------------------------------


@tabled("Between | Episode | Declared | Ended | How", "Truces in the order they were declared")
def _declared(state: State) -> Iterator[Row]:
    for truce in state.truces:
        yield (
            (sheet_ref(state, truce.pair[0]), " and ", sheet_ref(state, truce.pair[1])),
            truce.episode,
            step_ref(truce.step),
            step_ref(truce.ended) if truce.ended else "holds",
            truce.how,
        )


def _truces(state: State) -> Page:
    betrayals = [
        Item(
            (sheet_ref(state, traitor), " betrays ", sheet_ref(state, partner)),
            f"gains {plural(dice, 'die', 'dice')}",
            round_.result_step or round_.step,
        )
        for encounter in state.encounters
        for round_ in encounter.rounds
        for traitor, partner, dice in round_.betrayals
    ]
    blocks: list[Block] = [_declared(state)]
    if betrayals:
        blocks.append(Listing(tuple(betrayals), "Betrayals", ordered=True))
    return Page("truces", "Truces", blocks, "Who spared whom, and for how long.", "Map")


def _cut_scenes(record: Record, state: State) -> Page:
    blocks: list[Block] = []
    for number, shown in enumerate(state.cut_scenes, 1):
        g = state.gladiators[shown.gladiator]
        story = record.step(shown.step).fiction
        later = state.gladiators[shown.after].name if shown.after else "nobody in particular"
        facts = Facts(
            (
                ("Gladiator", sheet_ref(state, g.id)),
                ("After a failure of", later),
                ("Gains", shown.gain or "nothing"),
            )
        )
        stated = (Prose(story), facts) if story else (facts,)
        blocks.append(Section(f"{number}. {g.name}", stated, f"cut-scene-{number}", shown.step))
    return Page(
        "cut-scenes",
        "Meanwhile",
        blocks,
        "The NPC Gladiators, seen when another Gladiator had failed.",
        "Sessions",
    )


@tabled("Player | Gladiator | Layer | Size # | Left | Since", "Pools")
def _pools(record: Record, state: State) -> Iterator[Row]:
    for j in state.judgments:
        yield (
            j.player,
            sheet_ref(state, j.gladiator),
            j.layer,
            j.size,
            "closed" if j.closed else judgment_of(record.ledger, j.player),
            step_ref(j.step),
        )


def _judges(record: Record, state: State) -> Page:
    contests: list[tuple[int, list[Wager]]] = [
        (c.result_step, c.wagers) for c in state.conflicts if c.wagers
    ]
    contests += [
        (round_.result_step, round_.wagers)
        for e in state.encounters
        for round_ in e.rounds
        if round_.wagers
    ]
    gambles = [
        Item(words, "", step)
        for step, wagers in sorted(contests, key=lambda contest: contest[0])
        for words in _wagers(state, wagers)
    ]
    framed = [
        Item(
            (c.framer, " framed a Scene for ", c.player, ": ", _scene_ref(record, c.scene)),
            "",
            c.step,
        )
        for c in state.conflicts
        if c.framer not in (c.player, record.campaign.facilitator_name)
    ]
    return Page(
        "judges",
        "Judgment Pools",
        [
            _pools(record, state),
            Listing(tuple(gambles), "Gambles: lost when the side succeeds", ordered=True),
            Listing(tuple(framed), "Scenes framed by players who judge"),
        ],
        "Those who could not take part, and whom they backed.",
    )


# --- turns, odds, the end ---------------------------------------------------------------------------


@tabled("Player | Scene | What | Framed by", "Turns in the order of play")
def _turns_taken(record: Record, state: State) -> Iterator[Row]:
    turns: list[Conflict | Round] = [first for first in state.conflicts if not first.guest]
    turns += [round_ for encounter in state.encounters for round_ in encounter.rounds]
    for first in sorted(turns, key=lambda first: first.step):
        if isinstance(first, Conflict):
            description, framer = "a Scene", first.framer
        else:
            description = (
                "starts an Encounter" if first.number == 1 else f"Encounter, round {first.number}"
            )
            framer = owner(state, first.initiative) or "the GM"
        yield first.player, _scene_ref(record, first.scene), description, framer


def _scene_ref(record: Record, number: int) -> Ref:
    return Ref("scene", str(number), record.timeline.get(number).title)


@tabled("Gladiator | Dice # | Against # | Before the roll | Result | Where", "Ordinary Conflicts")
def _odds_of_rolls(state: State) -> Iterator[Row]:
    for c in state.conflicts:
        if c.stage is Stage.ROLLED:
            yield (
                sheet_ref(state, c.who),
                c.build.dice,
                c.tv,
                c.odds,
                "success" if c.success else "failure",
                step_ref(c.result_step),
            )


def _odds_table() -> Table:
    """Success and tie for these numbers of dice against each Threshold Value, worked out exactly."""
    tvs = (5, 6, 7, 8)
    counts = (1, 2, 3, 4, 5, 6, 8, 10)
    odds = {dice: [ordinary_odds(dice, tv, REROLL) for tv in tvs] for dice in counts}
    return Table(
        heads("Dice #", *(f"against {tv}" for tv in tvs)),
        tuple(
            (dice, *(f"{percent(first[True])}, tie {percent(first[None])}" for first in each))
            for dice, each in odds.items()
        ),
        "The odds of success",
    )


def _epilogue(state: State) -> Page:
    last = survivor(state)
    blocks: list[Block] = [Prose(state.epilogue)]
    if last is not None:
        blocks.insert(
            0, Note(("The survivor is ", sheet_ref(state, last.id), f", played by {last.player}."))
        )
    blocks.append(kill_list(state))
    return Page("epilogue", "The epilogue", blocks, "What it was all for.", "Sessions")
