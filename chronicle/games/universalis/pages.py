"""Pages of a published campaign: scenes and bids, Control, Tenets, contests, disputes, Facts, ends, Coins."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from chronicle.core.campaign_view import (
    Bars,
    Bit,
    Block,
    Facts,
    Inline,
    Item,
    Listing,
    NavEntry,
    Page,
    Ref,
    Section,
    Table,
    comma_separated,
    heads,
    numeric,
    step_ref,
)
from chronicle.core.diagnostic import listed, plural
from chronicle.core.make_view import cards_of
from chronicle.core.record import Record, Step
from chronicle.core.sentences import with_capital
from chronicle.core.source import MappingNode, SequenceNode, Value
from chronicle.games.universalis import sheets
from chronicle.games.universalis.answers import CARD
from chronicle.games.universalis.points import State
from chronicle.games.universalis.preparation import ProposeGimmick
from chronicle.games.universalis.state import (
    BANK,
    COIN,
    ChallengeRecord,
    Complication,
    Component,
    Fact,
    Life,
    SceneState,
    Stage,
    Tenet,
)

_PURPOSE = {
    "U2.3": "Tenets",
    "U2.11": "Tenets",
    "U2.7": "Tenets",
    "U3.17": "Interrupts",
    "U3.29": "Control",
    "U3.33": "Events, details",
    "U5.21": "Events, details",
    "U5.26": "Events, details",
    "U4.26": "Events, details",
    "U3.35": "Events, details",
    "U3.48": "Challenges, Fines",
    "U3.56": "Challenges, Fines",
    "U6.15": "Dice",
    "U6.29": "Cancelled Coins",
    "U3.7": "Bids that were lost",
    "U4.36": "Eliminations",
    "U4.40": "Eliminations",
    "UA.18": "Control",
    "UA.20": "Eliminations",
    "UA.23": "Traits",
    "UA.24": "Traits",
}

_SCOPES = {
    "game": "the whole game",
    "session": "one session",
    "scene": "one scene",
    "complication": "one Complication",
}


IN_FULL = 40
"""How many scenes, Complications or Challenges a page shows in full, however long a campaign grows."""
LISTED = 500
"""How many more it lists."""


def _page(
    slug: str,
    title: str,
    intro: str = "",
    group: NavEntry = "Contests",
    *,
    lists_contests: bool = False,
) -> Callable[[Callable[[Record, State], Iterator[Block]]], Callable[[Record, State], Page]]:
    """A page of the blocks that a function yields."""

    def page_of(
        blocks: Callable[[Record, State], Iterator[Block]],
    ) -> Callable[[Record, State], Page]:
        return lambda record, state: Page(
            slug, title, [*blocks(record, state)], intro, group, lists_contests=lists_contests
        )

    return page_of


@_page(
    "scenes-and-bids",
    "Bids and turns",
    "Who opened each scene and after which bids, whose turns it was made of, who came and went. "
    "“Coins in all” includes what it cost to open the scene.",
    "Sessions",
)
def scenes_page(record: Record, state: State) -> Iterator[Block]:
    """The latest scenes with their bids, turns, entries and changes; of earlier ones the table."""
    players = [p.name for p in record.campaign.players if p.seat >= 0]
    scenes = list(state.scenes.values())
    if scenes:
        # A dash, not a 0: a column of dashes is left out.
        yield Table(
            heads(
                "Scene | Kind | Opened by | Location | Coins to open it # | Coins in all # | Bid lost # | State"
            ),
            tuple(
                (
                    sheets.scene_ref(record, scene.number),
                    "Mini Scene" if scene.mini else "-",
                    scene.framer or "-",
                    record.timeline.get(scene.number).place or "-",
                    scene.framing_cost,
                    scene.cost,
                    scene.lost or "-",
                    "faded" if scene.faded else "open" if scene.open else "-",
                )
                for scene in scenes[-LISTED:]
            ),
            "All scenes, in the order of play"
            if len(scenes) <= LISTED
            else f"The last {LISTED} scenes, in the order of play",
        )
    bids = [s for s in scenes[-LISTED:] if s.bids]
    if bids:
        yield Table(
            heads("Scene", *(numeric(p) for p in players)),
            tuple(
                (
                    _scene_and_winner(record, s),
                    *(s.bid_words.get(p, s.bids.get(p, "-")) for p in players),
                )
                for s in bids
            ),
            "Bids",
            _without_bids(scenes),
        )
    in_full = tuple(_scene_in_full(state, scene) for scene in scenes[-IN_FULL:])
    if in_full:
        yield Section("Scene by scene", in_full, "scene-by-scene")


def _without_bids(scenes: Sequence[SceneState]) -> str:
    """Which scenes the table of bids does not have; nothing for many."""
    titles = [f"“{scene.title}”" for scene in scenes if not scene.bids and not scene.mini]
    return f"No bids are on record for {listed(titles)}." if 0 < len(titles) < 5 else ""


def _scene_in_full(state: State, scene: SceneState) -> Section:
    """A row that opens: a scene with its turns, who came and went, and what changed."""
    blocks = tuple(_scene(state, scene))
    came = len(_entries(state, scene))
    parts = (
        plural(len([step for step, _, _ in scene.turns if step]), "turn"),
        plural(came, "entrance or exit", "entrances and exits") if came else "",
        f"{plural(scene.cost, 'Coin')} spent",
    )
    gist = ", ".join(filter(None, parts))
    return Section(scene.title, blocks, f"scene-{scene.number}", scene.step, gist=gist)


def _scene_and_winner(record: Record, scene: SceneState) -> Inline:
    """A scene, and who won the bids for it; one cell, so that the bids stay a table on a phone."""
    won = (sheets.scene_ref(record, scene.number), f", won by {scene.framer}")
    # The entry of the bids says how a tie was decided.
    return (*won, " (", step_ref(scene.bid_step, "tie"), ")") if scene.tie_break else won


def _entries(state: State, scene: SceneState) -> list[tuple[int, str, str]]:
    """Who came and went in a scene: the entry, the Component, and how."""
    return [entry for entry in scene.entries if not state.components[entry[1]].struck]


def _scene(state: State, scene: SceneState) -> Iterator[Block]:
    if scene.turns:
        yield Listing(
            tuple(
                Item((f"{player} ", how), step=step) for step, player, how in scene.turns if step
            ),
            "Turns",
            ordered=True,
        )
    if scene.entries:
        yield Listing(
            tuple(
                Item((sheets.ref(state.components[id]), f" {how}"), step=step)
                for step, id, how in _entries(state, scene)
            ),
            "Who came and went",
        )
    changes = [
        (c, [value for step, value in c.curve if scene.step <= step <= (scene.ended or step)])
        for c in sheets.shown(state)
        if c.curve and c.curve[-1][0] >= scene.step
    ]
    rows = tuple(
        (sheets.ref(c), _total_before(c, scene.step), values[-1])
        for c, values in changes
        if values and values[-1] != _total_before(c, scene.step)
    )
    if rows and not scene.mini:
        yield Table(
            heads("Component | before # | after #"),
            rows,
            "What changed in Importance",
        )


def _total_before(component: Component, step: int) -> int:
    value = 0
    for at, total in component.curve:
        if at >= step:
            break
        value = total
    return value


@_page("tenets", "Tenets", "What the table agreed on, and when.", group="About")
def tenets_page(record: Record, state: State) -> Iterator[Block]:
    """All Tenets, with their wordings and uses."""
    for title, kind in (
        ("Story Elements", "story"),
        ("Social Contract", "social"),
        ("Rules Gimmicks", "gimmick"),
        ("Without a type", ""),
    ):
        tenets = [t for t in state.tenets.values() if t.kind == kind]
        if tenets:
            inner = (
                tuple(_gimmick(record, state, t) for t in tenets)
                if kind == "gimmick"
                else (_tenets(state, tenets),)
            )
            yield Section(title, inner, kind or "other")


def _tenets(state: State, tenets: list[Tenet]) -> Listing:
    """Tenets of words alone: who proposed them, and what became of them."""
    items: list[Item] = []
    for tenet in tenets:
        words: list[str | int | Ref] = [tenet.text]
        for step, wording in tenet.wordings[:-1]:
            words += ["; before: ", step_ref(step, wording)]
        for part in _disputed(state, tenet):
            words += ["; ", part]
        if tenet.uses:
            words += ["; cited ", *_links(tenet.uses)]
        if tenet.exception_to:
            words += [f"; an exception to {tenet.exception_to}"]
        if tenet.exceptions:
            words += [f"; but {listed(tenet.exceptions)}"]
        details = (tenet.about, f"by {tenet.player or 'the table'}", tenet.status)
        items.append(Item(tuple(words), ", ".join(part for part in details if part), tenet.step))
    return Listing(tuple(items))


def _disputed(state: State, tenet: Tenet) -> list[Ref]:
    """The Challenges that a Tenet met."""
    return [
        step_ref(challenge.step, f"Challenged by {challenge.challenger}")
        for challenge in state.challenges
        if (tenet.step and challenge.of == tenet.step) or challenge.rule == tenet.id
    ]


def _figures(record: Record, tenet: Tenet) -> str:
    """What a Gimmick changes in figures, as the log says it."""
    action = record.step(tenet.step).action if tenet.step else None
    if not isinstance(action, ProposeGimmick) or action.sets is None:
        return ""
    source = action.sets.source
    return (
        "; ".join(f"{key}: {_plain(value)}" for key, value in source.items())
        if isinstance(source, MappingNode)
        else ""
    )


def _plain(value: Value) -> str:
    """A value of the log in a line."""
    if isinstance(value, MappingNode):
        return ", ".join(f"{key} {_plain(inner)}" for key, inner in value.items())
    return (
        ", ".join(_plain(inner) for inner in value)
        if isinstance(value, SequenceNode)
        else str(value)
    )


def _gimmick(record: Record, state: State, tenet: Tenet) -> Block:
    bends = record.step(tenet.step).action if tenet.step else None
    touches = bends.touches if isinstance(bends, ProposeGimmick) else ()
    earlier_wordings = [
        ("Before", (words, " ", step_ref(step, "there")) if step else f"{words}, before play")
        for step, words in tenet.wordings[:-1]
    ]
    by = f"by {tenet.player or 'the table'} "
    rows = _filled_rows(
        ("Proposed", (by, step_ref(tenet.step, "here")) if tenet.step else "before play"),
        ("State", tenet.status),
        ("Holds for", _SCOPES[tenet.scope]),
        ("Cited as", tenet.id if tenet.has_a_name else ""),
        ("In figures", _figures(record, tenet)),
        ("Bends", ", ".join(touches)),
        *(("Disputed", challenge) for challenge in _disputed(state, tenet)),
        *earlier_wordings,
        ("Changed", step_ref(tenet.changed_by, "here") if tenet.changed_by else ""),
        ("Ended", step_ref(tenet.ended, "here") if tenet.ended else ""),
        ("Used", tuple(_links(tenet.uses)) if tenet.uses else ""),
    )
    return Facts(rows, tenet.text)


def _filled_rows(*rows: tuple[str, Inline]) -> tuple[tuple[str, Inline], ...]:
    """The lines that say something."""
    return tuple(row for row in rows if row[1] != "")


def _links(steps: list[int]) -> list[str | int | Ref]:
    links: list[str | int | Ref] = []
    for number, step in enumerate(steps, 1):
        links += [step_ref(step, str(number)), " "]
    return links


def contests_page(record: Record, state: State) -> Page:
    """The latest Complications, die by die and Coin by Coin; of earlier ones a table."""
    thrown = {throw.die for step in record.visible_steps() for throw in step.throws}
    # The contents of Pools here, one and many: cards where nothing else was ever turned or thrown.
    chance = ("card", "cards") if thrown == {CARD} else ("die", "dice")
    intro = f"Every contest: where each {chance[0]} came from, how it fell, and the narration that the Coins paid for."
    blocks = [*_contests(record, state, chance)]
    return Page("complications", "Complications", blocks, intro, lists_contests=True)


def _contests(record: Record, state: State, chance: tuple[str, str]) -> Iterator[Block]:
    fought = [c for c in state.complications if c.stage is not Stage.STRUCK]
    earlier, latest = fought[:-IN_FULL], fought[-IN_FULL:]
    steps_by_parent: dict[int, list[Step]] = {}
    for step in record.visible_steps():
        if step.parent is not None:
            steps_by_parent.setdefault(step.parent, []).append(step)
    for complication in latest:
        yield _contest(record, state, complication, steps_by_parent, chance)
    if earlier:
        yield Table(
            heads("Complication | Scene | Originator | Outcome"),
            tuple(
                (
                    step_ref(c.step, c.title),
                    sheets.scene_ref(record, c.scene),
                    c.originator or "-",
                    f"{listed(c.winners)} won" if c.winners else c.stage.value,
                )
                for c in earlier[-LISTED:]
            ),
            "Earlier Complications",
        )
    if state.complications:
        wins: Counter[str] = Counter()
        dice: Counter[str] = Counter()
        for complication in state.complications:
            wins.update(complication.winners)
            if complication.stage is Stage.DIVIDED:
                continue
            for pool in complication.pools.values():
                for entry in pool.entries:
                    if entry.dice > 0:
                        dice[entry.cause] += entry.dice
        won = tuple((p, wins[p], p) for p in (q.name for q in record.campaign.players) if wins[p])
        # Ones and twos are counted at a glance.
        if any(count > 2 for _, count, _ in won):
            yield Bars("Complications won", won)
        yield Bars(f"What gave most {chance[1]}", tuple((c, n, "") for c, n in dice.most_common(8)))


def _contest(
    record: Record,
    state: State,
    complication: Complication,
    nested: dict[int, list[Step]],
    chance: tuple[str, str],
) -> Section:
    parent = state.complications[complication.part_of - 1] if complication.part_of else None
    rows = _filled_rows(
        ("Kind", complication.kind),
        ("Originator", complication.originator or "-"),
        ("Scene", sheets.scene_ref(record, complication.scene)),
        ("Part of", step_ref(parent.step, parent.title) if parent is not None else ""),
        ("From", _refs(state, complication.sources) or ""),
        ("Against", _refs(state, complication.targets) or ""),
        ("Pools meet by", complication.method),
        ("State", complication.stage.value),
    )
    blocks = cards_of(record, (round_.step for round_ in complication.rounds))
    drawn = bool(blocks)
    blocks.append(Facts(rows))
    if complication.order and any(p.coins for p in complication.pools.values()):
        blocks.append(
            Table(
                heads("Player | won # | told # | given up # | cancelled # | kept #"),
                tuple(
                    (
                        player,
                        pool.coins,
                        max(0, pool.coins - pool.cancelled - pool.given_up - pool.kept),
                        pool.given_up,
                        pool.cancelled,
                        pool.kept,
                    )
                    for player, pool in ((p, complication.pools[p]) for p in complication.order)
                ),
                "Bonus Coins, in the order of narration",
            )
        )
    told_items = _told_items(record, complication, nested)
    if told_items:
        blocks.append(Listing(told_items, "What was told, in order", ordered=True))
    sources = _sources(state, complication, chance)
    if sources.rows:
        name = f"Where each {chance[0]} of complication {complication.number} came from"
        blocks.append(Section(name, (sources,), folded=drawn))
    if not complication.winners:
        gist = complication.stage.value
    else:
        last = [record.step(round_.step).contest for round_ in complication.rounds[-1:]]
        scores = [first.score for first in last if first is not None and first.score]
        gist = ", ".join([*scores, f"{listed(complication.winners)} won"])
    return Section(
        f"{complication.number}. {complication.title}",
        tuple(blocks),
        f"complication-{complication.number}",
        complication.step,
        gist=gist,
    )


def _sources(state: State, complication: Complication, chance: tuple[str, str]) -> Table:
    """Where each die of the Pools came from, and who paid for it."""
    components = state.components
    entries = [
        (pool.player, entry) for pool in complication.pools.values() for entry in pool.entries
    ]
    return Table(
        heads(f"From | {chance[1].capitalize()} # | Pool | Added by | Coins # | Where"),
        tuple(
            (
                f"{components[entry.component].name}: {entry.cause}"
                if entry.component
                else entry.cause,
                entry.dice,
                player,
                entry.player or "-",
                entry.coins,
                step_ref(entry.step, "here"),
            )
            for player, entry in entries
        ),
    )


def _told_items(
    record: Record, complication: Complication, nested: dict[int, list[Step]]
) -> tuple[Item, ...]:
    """Every entry of its outcome, with what it cost."""
    items: list[Item] = []
    for step in (s for outcome in complication.steps for s in nested.get(outcome, ())):
        if step.retracted_by:
            continue
        coins = sum(p.amount for p in record.postings(step) if p.target == BANK)
        named = not step.player or step.headline.startswith(step.player)
        words = step.headline if named else f"{step.player}: {step.headline}"
        items.append(Item(words, plural(coins, "Coin") if coins else "", step.number))
    return tuple(items)


def _refs(state: State, ids: list[str]) -> Inline:
    return comma_separated(sheets.ref(state.components[id]) for id in ids)


@_page("challenges", "Challenges and Fines", lists_contests=True)
def disputes_page(record: Record, state: State) -> Iterator[Block]:
    """The latest Challenges, of earlier ones a table; and the Fines."""
    words = {t.step: t.text for t in state.tenets.values() if t.step}
    for challenge in state.challenges[-IN_FULL:]:
        subject = _subject_of(record, challenge, words)
        bids = (f"{p} {n}" + (f" for {o}" if o != p and n else "") for p, n, o in challenge.bids)
        totals = challenge.totals if challenge.bids else {}
        survived = challenge.ending == "bidding" and challenge.of and not challenge.struck
        rows = _filled_rows(
            ("Between", f"{challenge.challenger} and {challenge.challenged or 'the table'}"),
            ("About", step_ref(challenge.of, f"entry {challenge.of}") if challenge.of else ""),
            ("Instead", challenge.wants),
            ("End", challenge.ending + (f": {challenge.words}" if challenge.words else "")),
            ("Bids", ", ".join(bids)),
            ("Totals", ", ".join(f"{o} {t}" for o, t in totals.items())),
            ("Backed out", challenge.conceded),
            ("Bids taken back", ", ".join(f"{p} {n}" for p, n in challenge.recovered.items())),
            *((f"Facts behind {side}", listed(facts)) for side, facts in challenge.facts.items()),
            ("Whether they apply", "; ".join(challenge.votes)),
            ("What stands", _stands(challenge) if challenge.winner else ""),
            ("Afterwards", "it cannot be Challenged again" if survived else ""),
        )
        yield Section(
            subject or f"{challenge.challenger} objects",
            (Facts(rows),),
            f"challenge-{challenge.number}",
            challenge.step,
            gist=f"{_stands(challenge)} stands" if challenge.winner else challenge.ending,
        )
    if len(state.challenges) > IN_FULL:
        yield Table(
            heads("Challenge | by | against | End"),
            tuple(
                (
                    step_ref(c.step, _subject_of(record, c, words) or "an objection"),
                    c.challenger,
                    c.challenged or "the table",
                    f"{_stands(c)} stands" if c.winner else c.ending,
                )
                for c in state.challenges[:-IN_FULL][-LISTED:]
            ),
            "Earlier Challenges",
        )
    if state.fines:
        yield Table(
            heads("Accused | by | up # | down # | Who | pays | Where"),
            tuple(
                (
                    fine.accused,
                    fine.accuser or "-",
                    fine.up,
                    fine.down,
                    "; ".join(
                        event.text.removeprefix("thumbs ")
                        for event in record.step(fine.step).events
                        if event.kind == "thumbs"
                    ),
                    f"{fine.payer} {fine.amount}" if fine.payer else "nobody",
                    step_ref(fine.step, "here"),
                )
                for fine in state.fines
            ),
            "Fines",
        )


def _subject_of(record: Record, challenge: ChallengeRecord, words: dict[int, str]) -> str:
    """What a Challenge was about, in the words of the contested entry."""
    if challenge.of:
        step = record.step(challenge.of)
        return words.get(challenge.of) or step.headline or "an entry"
    if challenge.rule:
        tenet = record.house_rules.rules.get(challenge.rule)
        return tenet.text if tenet is not None else challenge.rule
    return challenge.wants


def _stands(challenge: ChallengeRecord) -> str:
    """The version that prevails, or the third solution that bidders opened."""
    sides = (challenge.challenger, challenge.challenged)
    return f"{challenge.winner}'s version" if challenge.winner in sides else challenge.winner


@_page("facts", "Facts", "What players paid Coins to make true, scene by scene.", "Sessions")
def facts_page(record: Record, state: State) -> Iterator[Block]:
    """All Events and details that were paid for."""
    facts = [fact for fact in state.facts.values() if not fact.struck]
    facts_per_step = Counter(fact.step for fact in facts)
    paid_by_step: Counter[int] = Counter()
    for posting in record.ledger.postings:
        if posting.step_number in facts_per_step and posting.unit == COIN:
            paid_by_step[posting.step_number] += (posting.target == BANK) * posting.amount
    rows: defaultdict[int, list[tuple[Inline, ...]]] = defaultdict(list)
    for fact in facts:
        # That a Fact is about its scene goes without saying.
        about = state.components[fact.scope].name if fact.scope in state.components else fact.scope
        paid = paid_by_step[fact.step]
        shared = facts_per_step[fact.step]
        rows[fact.scene].append(
            (
                step_ref(fact.step, with_capital(fact.text)),
                f"said by {state.components[fact.said_by].name}" if fact.said_by else fact.kind,
                "" if about == "scene" else about,
                fact.player or "-",
                f"{paid} for {shared} Facts" if shared > 1 else paid or "-",
                _relations(state, fact),
            )
        )
    columns = heads("Fact | What it is | About | Paid by | Coins # | Beside other Facts")
    for number, cells in rows.items():
        scene = sheets.scene_ref(record, number)
        title = scene.label if isinstance(scene, Ref) else str(scene)
        yield Section(title, (Table(columns, tuple(cells)),), f"facts-{number}")


def _relations(state: State, fact: Fact) -> tuple[Bit, ...]:
    """The relations of a Fact to others, in the order of its life, each in the words of the other."""
    replacing = next((other for other in state.facts.values() if other.replaces == fact.id), None)
    # A Fact can be an exception to a Tenet, too.
    by_id: dict[str, Fact | Tenet] = {**state.tenets, **state.facts}
    parts = [
        ("replaces ", by_id.get(fact.replaces)),
        ("an exception to ", by_id.get(fact.exception_to)),
        *(("but ", by_id.get(exception)) for exception in fact.exceptions),
        ("replaced by ", replacing if fact.life is Life.REPLACED else None),
    ]
    bits: list[Bit] = []
    for words, other in parts:
        if other is not None:
            bits += [*(["; "] if bits else []), words, step_ref(other.step, f"“{other.text}”")]
    return tuple(bits)


@_page("what-coins-bought", "What Coins bought", group="Coins")
def coins_page(record: Record, state: State) -> Iterator[Block]:
    """The spent Coins by purpose and player."""
    spent: Counter[str] = Counter()
    players: dict[str, Counter[str]] = {}
    for posting in record.ledger.postings:
        if posting.unit != COIN or posting.target != BANK:
            continue
        kind, _, owner = posting.source.partition(":")
        if kind not in ("wealth", "bid", "bonus", "endowment"):
            continue
        purpose = _PURPOSE.get(posting.rule)
        if purpose is None:
            purpose = "Traits" if posting.rule.startswith("U4") else "Scenes"
        spent[purpose] += posting.amount
        players.setdefault(owner, Counter())[purpose] += posting.amount
    if not spent:
        return
    purposes = [p for p, _ in spent.most_common()]
    created = Counter(c.creator for c in sheets.shown(state) if c.creator)
    yield Bars("Spent in all", tuple((p, spent[p], "") for p in purposes))
    yield Table(
        heads("Player", *(numeric(p) for p in purposes), numeric("Together")),
        tuple(
            (
                p.name,
                *(players.get(p.name, Counter())[k] for k in purposes),
                sum(players.get(p.name, Counter()).values()),
            )
            for p in record.campaign.players
        ),
        "By player",
    )
    yield Bars(
        "Components created",
        tuple(
            (p.name, created[p.name], p.name) for p in record.campaign.players if created[p.name]
        ),
    )
    yield Facts(
        (
            ("The Bank has paid out, net", -record.ledger.balance(BANK, COIN)),
            ("Lost from bids", sum(s.lost for s in state.scenes.values())),
        )
    )
