"""What a reader of a game of Playset Zero is shown: scenario, sheets, state of play, options."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

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
    Page,
    Prose,
    Ref,
    RegistryPage,
    Row,
    Section,
    Sheet,
    Slip,
    Slips,
    Stat,
    Stats,
    Stones,
    heads,
    step_ref,
    tabled,
)
from chronicle.core.dice import D6, D8, D10
from chronicle.core.ledger import Ledger
from chronicle.core.make_view import appearances, readings_table
from chronicle.core.outcomes import (
    Outcome,
    OutcomeKind,
    Quoted,
    Results,
    Telling,
    main_value_words,
    quoted,
)
from chronicle.core.record import Event, Record, Step
from chronicle.core.rules import Ruling
from chronicle.games.playset_zero.cards import (
    advantages_page,
    board,
    does,
    magic_facts,
    magic_page,
    mark_curve,
    mark_rows,
    mark_table,
    marks_page,
    misfortunes_page,
    roll_section,
    which,
)
from chronicle.games.playset_zero.chances import pool_words
from chronicle.games.playset_zero.charts import chances_page, figures_page, tally
from chronicle.games.playset_zero.state import (
    MARK,
    NEW_FEATURE_PRICE,
    TURN_FLAW_PRICE,
    Character,
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


def panel(state: State, ledger: Ledger) -> Iterator[Block]:
    """Marks, advantages on the board, the roll at hand."""
    roll = state.running()
    if roll is not None:
        yield _at_hand(roll)
    elif state.call is not None:
        roller = state.characters[state.call.asks]
        yield Note(f"{roller.owner} is asked to roll for {roller.name}: {state.call.words}")
    if state.characters:
        yield _mark_stones(state, ledger)
    yield board(state)


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
        (f"{effort.name} {does(effort)}", effort.effect or "not rolled yet")
        for effort in roll.efforts
    )
    if roll.stage is Stage.ROLLED:
        rows.append(("Hits", roll.hits))
    return Facts(tuple(rows), "The roll at hand")


def _mark_stones(state: State, ledger: Ledger) -> Stones:
    return Stones(
        tuple(
            (character.name, max(0, have), max(TURN_FLAW_PRICE, have))
            for character in state.characters.values()
            for have in (ledger.balance(f"marks:{character.id}", MARK),)
            if not character.npc or have
        ),
        f"Marks ({NEW_FEATURE_PRICE} buy a Feature, {TURN_FLAW_PRICE} turn the flaw)",
    )


def fill(view: CampaignView, rulings: Sequence[Ruling]) -> None:
    """The pages of the game: the scenario, rolls, people, boards and figures."""
    record = view.record
    state: State = record.state
    view.dice = {"d6": D6, "d8": D8, "d10": D10}
    view.state = list(panel(state, record.ledger))
    view.overview = [*_overview(state)]
    view.curves = [mark_curve(record)]
    view.registries = [
        RegistryPage(
            "Characters",
            heads("Player | Concept | Main Feature | Rolls # | Marks #"),
            "Four Features of at least three kinds, one of them the Main one, and a flaw.",
        )
    ]
    view.sheets = [_sheet(view, character) for character in state.characters.values()]
    view.relations = [_help_map(state)]
    view.pages = [
        _scenario_page(state),
        Page(
            "rolls",
            "Rolls",
            [roll_section(record, state, roll) for roll in state.rolls]
            or [Note("Nobody has rolled yet.")],
            "Every roll: goal, dangers, dice, hits, and what was bought with them.",
            lists_contests=True,
        ),
        misfortunes_page(state),
        advantages_page(state),
        marks_page(record, state),
        magic_page(state),
        figures_page(state),
        chances_page(state),
        _table_page(record, rulings),
    ]
    view.loose_ends = [*_loose_ends(record, state)]


# --- scenario -------------------------------------------------------------------------------------


def _overview(state: State) -> Iterator[Block]:
    if state.scenario:
        yield Note(state.scenario)
    rolled = [roll for roll in state.rolls if roll.rolled]
    reached = sum(1 for roll in rolled if roll.goals and all(i.well for i in roll.goals))
    yield Stats(
        (
            Stat.of(len(rolled), "roll"),
            Stat.of(reached, "goal reached", "goals reached"),
            Stat.of(sum(1 for _ in state.misfortunes()), "danger came true", "dangers came true"),
        )
    )


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
            tuple(Item(d.text, f"found out by {d.finder}", d.step) for d in state.discoveries),
            "Discovered in play",
            ordered=True,
        )
        if state.discoveries
        else Note("Nothing else has been discovered yet.")
    )
    fits = [
        (character.name, character.fits)
        for character in state.characters.values()
        if character.fits
    ]
    if fits:
        blocks.append(Facts(tuple(fits), "How the characters fit in"))
    return Page(
        "scenario",
        "The scenario",
        blocks,
        "The situation, and the information for players.",
        "Sessions",
    )


# --- sheets ---------------------------------------------------------------------------------------


def _sheet(view: CampaignView, character: Character) -> Sheet:
    record = view.record
    state: State = record.state
    have = record.ledger.balance(f"marks:{character.id}", MARK)
    own_rolls = [roll for roll in state.rolls if roll.character == character.id and roll.rolled]
    main = next((feature.text for feature in character.present() if feature.main), "")
    sheet = Sheet(
        id=character.id,
        name=character.name,
        kind="character",
        registry="Characters",
        player=character.owner,
        status="the GM's" if character.npc else f"played by {character.owner}",
        tagline=character.concept,
        row=(character.owner, character.concept or "the GM's", main, len(own_rolls), have),
        role=character.concept,
        has_no_player=character.npc,
    )
    sheet.blocks = [_features(character)]
    if character.hint or character.flaw:
        rows: list[tuple[str, Inline]] = []
        if character.hint:
            rows.append(("What hints at the Main Feature", character.hint))
        if character.flaw:
            gone: Inline = character.flaw
            if character.flaw_gone:
                gone = (f"{character.flaw}, until ", step_ref(character.flaw_gone, "it turned"))
            rows.append(("Flaw", gone))
        if character.fits:
            rows.append(("In the situation", character.fits))
        sheet.blocks.append(Facts(tuple(rows)))
    if (history := _history(character)).rows:
        sheet.blocks.append(history)
    sheet.blocks += [
        Section(f"Magic: {feature.text}", (magic_facts(feature),), f"magic-{n}", feature.magic.step)
        for n, feature in enumerate(character.features, 1)
        if feature.magic is not None
    ]
    if character.advantages:
        slips = (
            Slip(advantage.text, state="removed" if advantage.used else "", step=advantage.step)
            for advantage in character.advantages
        )
        sheet.blocks.append(Slips(tuple(slips), "Established advantages"))
    if marks := tuple(mark_rows(record, character)):
        sheet.blocks.append(mark_table(marks, "Marks"))
    if own_rolls:
        sheet.blocks.append(_rolls_of(own_rolls))
    if (risks := _risks_of(state, character)).rows:
        sheet.blocks.append(risks)
    counts = tally(own_rolls)
    sheet.aside = [
        Stats(
            (
                Stat.of(have, "mark", player=character.owner),
                Stat(f"{counts.reached} of {counts.goals}", "goals reached"),
                Stat.of(counts.true, "danger came true", "dangers came true"),
            )
        ),
        appearances(record, character.id),
    ]
    return sheet


def _features(character: Character) -> Slips:
    slips: list[Slip] = []
    for feature in character.features:
        text = f"{feature.text} ({feature.kind or 'Feature'}{', Main' if feature.main else ''})"
        state = "removed" if feature.gone else "name" if feature.main else ""
        slips.append(Slip(text, state=state, step=feature.step, player=character.owner))
    if character.flaw:
        state = "removed" if character.flaw_gone else "flaw"
        slips.append(
            Slip(
                f"{character.flaw} (flaw)", state=state, step=character.step, player=character.owner
            )
        )
    return Slips(tuple(slips), "Features")


@tabled("Entry | Was | Became | Marks #", "How the Features changed")
def _history(character: Character) -> Iterator[Row]:
    for feature in character.features:
        if feature.origin == "turned":
            yield step_ref(feature.step), character.flaw, feature.text, TURN_FLAW_PRICE
        elif feature.origin == "bought":
            was = next((old.text for old in character.features if old.gone == feature.step), "")
            yield step_ref(feature.step), was, feature.text, NEW_FEATURE_PRICE


@tabled("Roll # | Goal | Hits # | Result | True", "Rolls")
def _rolls_of(rolls: list[RollRecord]) -> Iterator[Row]:
    for roll in rolls:
        yield (
            step_ref(roll.step, str(roll.number)),
            roll.goal + (" (Challenge)" if roll.challenge else ""),
            "?" if roll.unrecorded else roll.hits,
            which(_reached(roll), "reached", "missed"),
            ", ".join(i.text for i in roll.dangers if i.well is False) or "nothing",
        )


def _reached(roll: RollRecord) -> bool | None:
    if not roll.goals or any(item.well is None for item in roll.goals):
        return None
    return all(item.well for item in roll.goals)


@tabled("Entry | What | Effect | Own danger | Which", "For and against others")
def _risks_of(state: State, character: Character) -> Iterator[Row]:
    for roll, effort in state.efforts():
        if effort.character == character.id:
            yield (
                step_ref(effort.step),
                f"{does(effort)} {roll.name}",
                effort.effect or "no effect",
                effort.danger.text if effort.danger else "",
                which(effort.danger.well, "avoided", "came true") if effort.danger else "",
            )


def _help_map(state: State) -> Graph:
    counts = Counter(
        (effort.character, roll.character, does(effort))
        for roll, effort in state.efforts()
        if effort.character in state.characters and roll.character in state.characters
    )
    return Graph(
        "Who helped and hindered whom",
        tuple(
            Node(
                character.id,
                character.name,
                "character",
                Ref("sheet", character.id, character.name),
                character.owner,
            )
            for character in state.characters.values()
        ),
        tuple(
            Edge(
                helper,
                helped,
                kind if times == 1 else f"{kind} ({times})",
                "green" if kind == "helps" else "red",
                True,
                times,
            )
            for (helper, helped, kind), times in counts.items()
        ),
        (("green", "helps"), ("red", "hinders")),
    )


def _table_page(record: Record, rulings: Sequence[Ruling]) -> Page:
    settings = record.campaign.settings
    chosen = tuple(getattr(settings, "options", ()))
    findings = tuple(
        Item(problem.message, f"{problem.severity}, {problem.code}", problem.step_number)
        for problem in record.diagnostics
        if problem.cause is None
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
            readings_table(record, rulings, "Where the text is silent"),
            Listing(findings, "What the checker says")
            if findings
            else Note("The checker has nothing to say about this log."),
        ],
        "What this table plays with, and how it reads what the text leaves open.",
        "About",
    )


def _loose_ends(record: Record, state: State) -> Iterator[Item]:
    if state.call is not None:
        roller = state.characters[state.call.asks]
        yield Item(f"{roller.name} has been asked to roll", state.call.words, state.call.step)
    roll = state.running()
    if roll is not None:
        what = "has hits to spend" if roll.stage is Stage.ROLLED else "has not rolled yet"
        yield Item(f"{roll.name} {what}", roll.goal, roll.step)
    # What can still be spent counts only while there is play.
    for character in state.characters.values() if not state.over else ():
        for advantage in character.held():
            yield Item(
                f"{character.name} holds an advantage: {advantage.text}", "Z31", advantage.step
            )
        have = record.ledger.balance(f"marks:{character.id}", MARK)
        if have > 0:
            earned = character.marks[-1].step if character.marks else character.step
            yield Item(f"{character.name} has marks to spend: {have}", "Z34", earned)
    scene = record.timeline.current
    if scene is not None and not state.over:
        yield Item(f"A scene is open: {scene.title}", "", scene.first_step)


# --- outcomes -------------------------------------------------------------------------------------

_FEATURE = re.compile(r" has a new Feature: (?P<new>.+?)(?: in place of '(?P<old>.+)')?\Z")
_FLAW = re.compile(r"'s flaw '(?P<old>.+)' becomes '(?P<new>.+)'\Z")


def _goal(table: Telling, step: Step, reached: bool) -> Outcome | None:
    match = table.last("goal", step.scene)
    if match is None:
        return None
    first, event = match
    words = main_value_words(first.action)
    if not words.strip() or not event.subject:
        return None
    verb = " reaches the goal " if reached else " does not reach the goal "
    return table.outcome(
        OutcomeKind.WON,
        step,
        (event.subject,),
        table.name_of(event.subject),
        verb,
        Quoted(words),
        ".",
        earlier_numbers=(first.number,),
    )


def _goal_reached(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _goal(table, step, reached=True)


def _goal_missed(table: Telling, step: Step, event: Event) -> Outcome | None:
    return _goal(table, step, reached=False)


def _finds_out(table: Telling, step: Step, event: Event) -> Outcome | None:
    words = event.text.partition(" finds out: ")[2]
    if not words:
        return None
    return table.outcome(
        OutcomeKind.LEARNT,
        step,
        (event.subject,),
        table.name_of(event.subject),
        " finds out: ",
        quoted(words),
    )


def _feature(table: Telling, step: Step, event: Event) -> Outcome | None:
    match = _FEATURE.search(event.text)
    if match is None:
        return None
    old = (", in place of ", Quoted(match["old"])) if match["old"] else ()
    person = table.name_of(event.subject)
    return table.outcome(
        OutcomeKind.GAINED,
        step,
        (event.subject,),
        person,
        " gains ",
        Quoted(match["new"]),
        *old,
        ".",
    )


def _flaw(table: Telling, step: Step, event: Event) -> Outcome | None:
    match = _FLAW.search(event.text)
    if match is None:
        return None
    person = table.name_of(event.subject)
    return table.outcome(
        OutcomeKind.GAINED,
        step,
        (event.subject,),
        person,
        " loses ",
        Quoted(match["old"]),
        " and gains ",
        Quoted(match["new"]),
        ".",
    )


RESULTS = Results(
    {
        "reached": _goal_reached,
        "missed": _goal_missed,
        "discovers": _finds_out,
        "buys": _feature,
        "turns": _flaw,
    },
    creating_verbs=("character",),
)
