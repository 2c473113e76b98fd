"""The second reading: Difficulty, the threat's dice, pools, the level (I40 to I49, I77)."""

from __future__ import annotations

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import listed, plural
from chronicle.core.figures import compared
from chronicle.core.fix import add_entry, drop_item, replace_with, write_instead, write_word
from chronicle.core.house_rules import answer
from chronicle.core.play import drawn
from chronicle.core.record import Contest
from chronicle.core.record import Side as CardSide
from chronicle.core.source import Place, ScalarNode
from chronicle.games.isolation import harm, table
from chronicle.games.isolation.actions import Difficulty, Roll
from chronicle.games.isolation.base_dice import count_base
from chronicle.games.isolation.counted import as_counted, lucks, threat_total
from chronicle.games.isolation.counting import Guess, judge
from chronicle.games.isolation.dice import GREEN, RED, THREAT, Colour, Throw, shown_dice
from chronicle.games.isolation.effects import done, plan, take_effect
from chronicle.games.isolation.odds import chance_against, percent
from chronicle.games.isolation.persuasion import card_side, roll_first
from chronicle.games.isolation.state import (
    WORDS_OF_DIFFICULTY,
    Conflict,
    Hand,
    Scope,
    Side,
    Source,
    Stage,
    level_of,
    signed,
)
from chronicle.games.isolation.table import Table
from chronicle.games.isolation.verdicts import against_them, pooled


def roll(play: Table, action: Roll) -> None:
    """Whatever is rolled now: the first throw, late Hostiles, the GM or a defender."""
    state = play.state
    conflict = state.conflict
    play.step.headline = "The dice"
    if conflict is None or conflict.level is not None:
        return
    play.suspect(
        state.stress == 0 and not conflict.rolled_step and not conflict.unrecorded,
        "I63",
        "dice at Stress 0: nobody needs to roll",
        after=("stress:",),
        fix=write_instead("result: basic success", when="if it went so"),
    )
    if any(throw.hidden for throw in action.throws.values()):
        _not_recorded(play, conflict)
        return
    first: dict[str, tuple[ScalarNode, Throw]] = {}
    late: dict[str, tuple[ScalarNode, Throw]] = {}
    threat: tuple[ScalarNode, Throw] | None = None
    for word, throw in action.throws.items():
        if _is_threat(play, word):
            threat = (word, throw)
            continue
        who = table.character(play, word)
        if not who:
            continue
        hand = conflict.hands.get(who)
        if who == conflict.against and (conflict.rolled_step or conflict.scope is Scope.ALONE):
            # Nobody has a stance to take where one goes alone, so both may roll at once.
            threat = (word, throw)
        elif hand is not None and hand.late:
            late[who] = (word, throw)
        else:
            first[who] = (word, throw)
    if first or late:
        roll_first(play, action, {**first, **late})
    if threat is not None:
        _throw_threat(play, conflict, *threat)


def _not_recorded(play: Table, conflict: Conflict) -> None:
    """Nobody wrote down all that fell: where everybody stands and the result are as they are stated;
    until that is done, and where it never is, nobody knows what came of it."""
    conflict.unrecorded = True
    conflict.steps.append(play.step.index)
    play.miss()
    play.event("not all faces are recorded; the result counts as it is stated", "I49", "unrecorded")


def _is_threat(play: Table, word: ScalarNode) -> bool:
    return word.casefold() in (
        THREAT.casefold(),
        "threat",
        play.runner.casefold() or "gm",
    ) and not any(word.casefold() == id.casefold() for id in play.state.people)


# --- Difficulty -----------------------------------------------------------------------------------


def difficulty(play: Table, action: Difficulty) -> None:
    """I40 and I41: how hard it is, said when all stances are known."""
    conflict = play.state.conflict
    rating = action.rating
    dice = rating.dice
    play.step.headline = f"Difficulty: {WORDS_OF_DIFFICULTY.get(dice, dice)}"
    if conflict is None or conflict.level is not None:
        return
    conflict.touch(play.step.index)
    at = action.place("main")
    if rating.word and WORDS_OF_DIFFICULTY.get(dice) != rating.word:
        due = next(n for n, word in WORDS_OF_DIFFICULTY.items() if word == rating.word)
        play.illegal(
            "I41",
            f"'{rating.word}' is {plural(due, 'die', 'dice')}, not {dice}",
            at=at,
            fix=replace_with(
                (rating.word, *([WORDS_OF_DIFFICULTY[dice]] if dice in WORDS_OF_DIFFICULTY else ()))
            ),
        )
        rating = rating._replace(dice=due)
    else:
        play.require(
            1 <= dice <= 6,
            "I41",
            f"a Difficulty is 1 to 6 dice, easy to impossible, not {dice}",
            at=at,
        )
    alone = conflict.scope is Scope.ALONE
    if not conflict.needs_rating:
        play.illegal(
            "I77",
            f"no Difficulty against {conflict.against}: {conflict.against} rolls instead",
            at=at,
        )
        rating = rating._replace(dice=0)
    if conflict.rating is not None:
        play.illegal(
            "I40",
            "the Difficulty was set before",
            facts=(play.because(conflict.rating_step, "here"),),
        )
    waiting = [hand.who for hand in conflict.passives() if hand.stance is None]
    if not alone and action.roll is None:
        play.suspect(
            bool(waiting),
            "I40",
            f"the Difficulty is set before {listed(waiting)} has taken a stance",
            help="the GM decides it when everybody's stance is known",
        )
    conflict.rating = rating
    conflict.rating_step = play.step.index
    word = WORDS_OF_DIFFICULTY.get(rating.dice, str(rating.dice))
    play.event(f"{word}: {plural(rating.dice, 'die', 'dice')}", "I41", "difficulty")
    if alone and conflict.hands[conflict.active].throw is None:
        count_base(play, conflict)
    if action.living is not None:
        living = table.living_count(play)
        if not play.require(
            action.living == living,
            "I42",
            f"{plural(living, 'character is', 'characters are')} alive and in the scenario, "
            f"not {action.living}",
            at="living",
            facts=tuple(
                play.because(p.died or p.out, f"{p.id} {'died' if p.died else 'left'} here")
                for p in play.state.people.values()
                if not p.playing
            ),
            fix=write_word(living),
            help="everybody alive and still in it counts, present or not; the dead do not",
        ):
            play.taint(f"living:{conflict.number}")
    if any(throw.hidden for throw in (action.roll or {}).values()):
        _not_recorded(play, conflict)
    elif action.roll is not None:
        for name, throw in action.roll.items():
            if _is_threat(play, name):
                _throw_threat(play, conflict, name, throw)
            else:
                play.illegal(
                    "I22",
                    f"only the GM rolls here, not {name}",
                    at=name,
                    fix=drop_item(str(name)),
                    help="late Hostiles roll in an entry of their own, before the GM",
                )


# --- the threat -----------------------------------------------------------------------------------


def _throw_threat(play: Table, conflict: Conflict, word: ScalarNode, throw: Throw) -> None:
    """I42 to I44, I77: the GM's dice, or the defender's, and with them the second reading."""
    at = place_of_word(play.step.action, word)
    conflict.touch(play.step.index)
    defending = bool(conflict.against) and not _is_threat(play, word)
    if conflict.against and not defending:
        play.illegal(
            "I77",
            f"{conflict.against} rolls instead of the GM: red links, the others alive, Stress",
            at=at,
        )
        conflict.threat_base = (0, len(throw.of(RED).faces) - throw.of(RED).chains(RED))
    elif defending:
        _defence(play, conflict, throw, at)
    else:
        _gm_dice(play, conflict, throw, at)
    conflict.threat = as_counted(play, throw)
    who = play.state.people[conflict.against].player if defending else play.runner
    table.note_throw(play, throw, who)
    if not conflict.unrecorded:
        read_second(play, conflict)


def _gm_dice(play: Table, conflict: Conflict, throw: Throw, at: Place) -> None:
    state = play.state
    living = table.living_count(play)
    stress = max(0, state.stress)
    rating = conflict.rating
    if rating is None:
        play.illegal(
            "I40",
            "the GM rolls, and the Difficulty is not set",
            at=at,
            after=(f"dice:{conflict.number}:{conflict.active}",),
            fix=add_entry("difficulty: average"),
        )
        implied = len(throw.of(RED).faces) - throw.of(RED).chains(RED)
        conflict.threat_base = (0, implied)
        conflict.living = living
        conflict.threat_formula = plural(implied, "die", "dice")
        return
    base = threat_total(play, rating.dice, answer)
    more = base - rating.dice - living - stress
    conflict.living = living
    conflict.threat_base = (0, base)
    conflict.threat_formula = (
        f"Difficulty {rating.dice} + {living} living + Stress {state.stress}"
        + (f" {more:+d} by a rule of the table" if more else "")
        + f" = {plural(base, 'die', 'dice')}"
    )
    play.event(f"The GM rolls {conflict.threat_formula}", "I44", "threat")
    involved = sum(not hand.defaulted for hand in conflict.hands.values())
    dead = sum(not p.alive for p in state.people.values())
    present = living - len(conflict.absent)
    guesses = [
        Guess(
            -stress, "I43", f"the GM's dice lack the Stress Level, {plural(stress, 'die', 'dice')}"
        ),
        Guess(
            involved - living,
            "I42",
            f"the GM counts the {plural(involved, 'character')} who take part; "
            f"all {living} alive in the scenario count",
        ),
        Guess(
            present - living,
            "I42",
            f"the GM counts the {plural(present, 'character')} who are there; "
            f"all {living} alive in the scenario count",
        ),
        Guess(dead, "I42", f"the GM counts the dead; {living} are alive in the scenario"),
        Guess(-living, "I42", f"the GM's dice lack the {living} Living Characters"),
        Guess(-rating.dice, "I44", f"the GM's dice lack the Difficulty, {rating.dice}"),
    ]
    right = judge(
        play,
        "the GM",
        RED,
        throw.of(RED),
        base,
        [f"Difficulty {rating.dice}", f"Living Characters {living}", f"Stress {state.stress}"],
        "I44",
        _only_one(guesses),
        at,
        (f"living:{conflict.number}", "stress:", *(f"health:{who}" for who in state.people)),
    )
    if not right:
        play.taint(f"conflict:{conflict.number}", f"threat:{conflict.number}")
    if throw.green is not None and throw.green.faces:
        play.illegal("I44", "the GM rolls red dice only", at=at)


def _only_one(guesses: list[Guess]) -> list[Guess]:
    """Slips that cannot be told apart by the number of dice are not guessed at."""
    rules: dict[int, set[str]] = {}
    for guess in guesses:
        rules.setdefault(guess.dice, set()).add(guess.rule)
    return [guess for guess in guesses if guess.dice and len(rules[guess.dice]) == 1]


def defence_sources(play: Table, conflict: Conflict) -> list[Source]:
    """I77: where the defender's dice come from at this moment."""
    _, links = table.counted_links(play, play.state.pair(conflict.against, conflict.active))
    return [
        Source(RED, links, f"links with {conflict.active}"),
        Source(RED, table.living_count(play) - 1, "Living Characters less one"),
        Source(RED, max(0, play.state.stress), "Stress"),
        *(Source(m.colour, m.dice, m.why) for m in conflict.modifiers.get(conflict.against, ())),
    ]


def defence_dice(play: Table, conflict: Conflict) -> tuple[int, int]:
    """I77: the defender's green and red dice at this moment."""
    sources = defence_sources(play, conflict)
    green = sum(source.dice for source in sources if source.colour is GREEN)
    return green, sum(source.dice for source in sources) - green


def _defence(play: Table, conflict: Conflict, throw: Throw, at: Place) -> None:
    """I77: red links with the Active, the Living Characters but one, Stress, modifiers."""
    state = play.state
    who = conflict.against
    _, links = table.counted_links(play, state.pair(who, conflict.active))
    living = table.living_count(play)
    stress = max(0, state.stress)
    green, red = defence_dice(play, conflict)
    sources = {
        colour: [
            f"{modifier.dice}: {modifier.why}"
            for modifier in conflict.modifiers.get(who, ())
            if modifier.colour is colour
        ]
        for colour in (GREEN, RED)
    }
    reds = [
        f"{plural(links, 'red link')} with {conflict.active}",
        f"Living Characters {living} - 1",
        f"Stress {state.stress}",
        *sources[RED],
    ]
    conflict.living = living
    conflict.threat_base = (green, red)
    conflict.threat_formula = " + ".join(reds) + f" = {plural(red, 'red die', 'red dice')}"
    if green:
        conflict.threat_formula += f", {green} green"
    play.event(f"{who} defends with {conflict.threat_formula}", "I77", "defends", who)
    guesses = [
        Guess(1, "I77", f"{who} counts everybody alive; one less counts"),
        Guess(-stress, "I77", f"{who}'s dice lack the Stress Level"),
        Guess(-links, "I77", f"{who}'s dice lack the red links with {conflict.active}"),
    ]
    guesses += [
        Guess(
            more,
            "I77",
            f"{who} rolls {plural(more, 'die', 'dice')} more, as many as a Difficulty; a defence has none",
        )
        for more in range(2, 7)
    ]
    pair = state.pair(who, conflict.active)
    doubts = (f"dice:{conflict.number}:{who}", "stress:", *table.pair_keys(pair)[:1])
    judge(play, who, RED, throw.of(RED), red, reds, "I77", guesses, at, doubts)
    judge(play, who, GREEN, throw.of(GREEN), green, sources[GREEN], "I77", (), at, doubts)


# --- pools ----------------------------------------------------------------------------------------


def read_second(play: Table, conflict: Conflict) -> None:
    """I45 to I49: who pools, what is cancelled, which level it is."""
    _everybody_stands(play, conflict)
    pool_of(conflict)
    threat = conflict.threat or Throw()
    greens = threat.of(GREEN).counted(GREEN) if conflict.against else 0
    conflict.versus = against_them(threat.of(RED).counted(RED), greens)
    conflict.level = level_of(conflict.difference)
    conflict.result_step = play.step.index
    green, red = conflict.threat_base
    if green or red:
        conflict.threat_chance = chance_against(conflict.pool, red, green, *lucks(play))
    play.event(
        f"Green evens {conflict.evens} - {conflict.cancelled} = {conflict.pool} against "
        f"{plural(conflict.versus, 'red odd')}",
        "I46" if conflict.cancelled else "I45",
        "pools",
    )
    play.event(f"{signed(conflict.difference)}: {conflict.level}", "I49", "level")
    play.step.headline = f"{conflict.level} ({conflict.pool} against {conflict.versus})"
    _card(play, conflict)
    follow(play, conflict)


def _everybody_stands(play: Table, conflict: Conflict) -> None:
    """I28, I25, I72: nobody may be missing when the second reading begins."""
    active = conflict.hands[conflict.active]
    roll = f"{{{active.who}: {{green: ..., red: ...}}}}"
    alone = conflict.scope is Scope.ALONE
    if active.throw is None and active.green + active.red:
        play.illegal(
            "I22",
            f"{active.who} has not rolled",
            fix=() if alone else add_entry(f"roll: {roll}"),
            help=f"set the Difficulty without the GM's dice;  - roll: {roll}  stands between the two"
            if alone
            else (),
        )
        play.taint(f"pools:{conflict.number}")
    for hand in conflict.hands.values():
        if hand is active:
            continue
        hand.final = final_of(hand)
        if hand.defaulted:
            if hand.late and hand.throw is None and hand.red:
                play.illegal(
                    "I74" if conflict.scope is Scope.ALONE else "I72",
                    f"{hand.who} turned Hostile and has not rolled "
                    f"{plural(hand.red, 'red die', 'red dice')}",
                    fix=add_entry(f"roll: {{{hand.who}: {{red: ...}}}}"),
                    facts=(play.because(hand.stance_step, "turned here"),),
                )
            continue
        if hand.stance is None:
            play.illegal(
                "I28",
                f"the record does not say where {hand.who} stands; taken as Neutral"
                if hand.net is None or hand.best is not Side.HOSTILE
                else f"{hand.who} has taken no stance; the dice leave only Hostile",
                fix=add_entry(f"stance: {{{hand.who}: ...}}"),
            )
            hand.stance = hand.final
        elif hand.throw is None and hand.green + hand.red and hand.stance is Side.HOSTILE:
            play.illegal(
                "I25",
                f"{hand.who} has not rolled; all red dice of a Hostile count",
                fix=add_entry(f"roll: {{{hand.who}: {{green: ..., red: ...}}}}"),
            )


def final_of(hand: Hand) -> Side:
    """Where somebody who was asked stands when the second reading begins."""
    if hand.defaulted:
        return Side.HOSTILE if hand.late else hand.stance or Side.NEUTRAL
    return hand.stance or (Side.HOSTILE if hand.best is Side.HOSTILE else Side.NEUTRAL)


def pool_of(conflict: Conflict) -> None:
    """Green evens of the cooperating side, less red odds of the Hostile; never below 0."""
    evens = cancelled = 0
    for hand in conflict.hands.values():
        throw = hand.throw or Throw()
        if hand.who == conflict.active:
            evens += throw.of(GREEN).counted(GREEN)
            if conflict.scope is Scope.ALONE:
                cancelled += throw.of(RED).counted(RED)
        elif hand.final is Side.COOPERATIVE:
            evens += throw.of(GREEN).counted(GREEN)
        elif hand.final is Side.HOSTILE:
            cancelled += throw.of(RED).counted(RED)
    conflict.evens, conflict.cancelled = evens, cancelled
    conflict.pool = pooled(evens, cancelled)


def told_odds(conflict: Conflict, chance: float) -> str:
    """How likely it is that a proposal goes well, before the GM or the defender rolls."""
    return (
        f"Partial Success or better before {conflict.against or 'the GM'}'s roll: {percent(chance)}"
    )


@drawn
def _card(play: Table, conflict: Conflict) -> None:
    sides: list[CardSide] = []
    success = conflict.level is not None and not conflict.level.failure
    for hand in conflict.hands.values():
        if hand.throw is None:
            continue
        throw = hand.throw
        if hand.who == conflict.active:
            colours: tuple[Colour, ...] = (GREEN,)
            part = plural(throw.of(GREEN).counted(GREEN), "even")
            if conflict.scope is Scope.ALONE:
                colours = (GREEN, RED)
                part += f", less {plural(throw.of(RED).counted(RED), 'own odd')}"
        elif hand.final is Side.COOPERATIVE:
            colours, part = (GREEN,), f"adds {plural(throw.of(GREEN).counted(GREEN), 'even')}"
        elif hand.final is Side.HOSTILE:
            colours, part = (RED,), f"cancels {throw.of(RED).counted(RED)}"
        else:
            colours, part = (), "stands by"
        helps = hand.who == conflict.active or hand.final is Side.COOPERATIVE
        sides.append(card_side(play, hand, part, success and helps, *colours))
    green, red = conflict.threat_base
    name = conflict.against or THREAT
    owner = play.state.people[conflict.against].player if conflict.against else play.runner
    sides.append(
        CardSide(
            name,
            owner,
            shown_dice(conflict.threat or Throw(), {GREEN: green, RED: red}, GREEN, RED),
            (conflict.threat_formula,),
            plural(conflict.versus, "odd"),
            not success,
        )
    )
    chance = conflict.threat_chance
    play.step.contest = Contest(
        conflict.words,
        tuple(sides),
        f"{conflict.pool} : {conflict.versus}",
        "second reading: green evens against red odds",
        (f"{signed(conflict.difference)}: {conflict.level}",),
        odds=told_odds(conflict, chance) if chance is not None else "",
        rule="I49",
        verdict=f"{compared(conflict.pool, conflict.versus)}: {str(conflict.level).lower()}",
    )


# --- effects --------------------------------------------------------------------------------------


def follow(play: Table, conflict: Conflict) -> None:
    """What a result brings, in the order of this table: wounds, deaths, links, Stress."""
    plan(play, conflict)
    wounds = harm.wounds_due(play, conflict)
    if wounds:
        conflict.wounds_due = wounds
        conflict.stage = Stage.RESULT
        play.event(f"{plural(wounds, 'wound')} to share out", "I66", "wounds due")
        if play.ruling("effect_order") == "links_first":
            take_effect(play, conflict)
        return
    take_effect(play, conflict)
    done(play, conflict)
