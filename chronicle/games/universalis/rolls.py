"""Chapter 6, the roll: Successes, ties and the Edge, Bonus Coins."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.dice import ShownDie
from chronicle.core.figures import comparison_in_words, is_figure
from chronicle.core.fix import add_entry, drop_item, drop_key, set_pair, write_word
from chronicle.core.game_context import only_for_readers
from chronicle.core.record import NOT_RECORDED, Contest, HitOdds, Side, Source, Throw
from chronicle.games.universalis import unrecorded
from chronicle.games.universalis.answers import CARD, Verdict
from chronicle.games.universalis.coins import doubt_purses
from chronicle.games.universalis.complications import open_complication
from chronicle.games.universalis.divisions import divide_by_target, facing
from chronicle.games.universalis.odds import win_odds
from chronicle.games.universalis.playing_cards import RANKS, number_of
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    AS_DIVIDED,
    BANK,
    COIN,
    MOST_DICE_FIRST,
    Complication,
    Component,
    DiceEntry,
    Pool,
    RollRound,
    Stage,
)
from chronicle.games.universalis.story_actions import RollDice
from chronicle.games.universalis.table import names_players


def roll(play: Table, action: RollDice) -> None:
    """Everybody with a Pool rolls; 1 to 5 is a Success (U6.18 to U6.24)."""
    state = play.state
    complication = _to_roll(play, action) or _just_rolled(play)
    step = play.step
    step.headline = "The dice"
    if complication is None:
        play.require(
            play.gap > 0 and state.current_scene is None,
            "U6.17",
            "a roll, and no Complication is open",
            fix=add_entry("complication: ..."),
            since=0,
        )
        if play.gap and unrecorded.pools_named(play, action):
            play.taint("event")
            title = "A Complication that is missing"
            complication = open_complication(play, title, "interaction", "", [], [])
    if complication is None:
        return
    complication.steps.append(step.number)
    if play.gap_since("pools") > complication.step:
        unrecorded.known_by_roll(play, action, complication)
    if complication.refused and not play.given:
        objectors = listed(player for player in complication.refused if player)
        last = max(complication.refused.values())
        play.require(
            # A full round without new dice makes it closable (S73).
            len([t for t in complication.turns if t > last]) >= len(play.present),
            "U6.17",
            f"{objectors or 'somebody'} did not agree to close the Complication",
            facts=[play.because(last, "refused here")],
            fix=add_entry("close: agreed"),
            help="let them add their dice first",
        )
    if complication.stage is Stage.ROLLED:
        play.illegal(
            "U6.22",
            "these dice have fallen already, and it was no tie",
            facts=[play.because(complication.rounds[-1].step, "rolled here")],
            after=[f"roll:{complication.number}"],
        )
        _undecided(play, complication)
    for pool in complication.pools.values():
        if not pool.side:
            play.illegal(
                "U6.7",
                f"{pool.player} has not declared a side",
                fix=add_entry(f"declare: {{{pool.player}: {complication.originator}}}"),
            )
            pool.side = "target"
    complication.stage = Stage.CLOSED if complication.stage is Stage.OPEN else complication.stage
    complication.closed_step = complication.closed_step or step.number
    hidden = unrecorded.hidden_pools(play, action, complication)
    thrown = _thrown(play, action, complication, hidden)
    thrown.shares = _shares(play, action, complication)
    allocator = state.points.allocator(play, complication)
    if allocator and thrown.shares is None and not hidden:
        side = complication.side(complication.pools[allocator].side)
        if any(thrown.successes.get(pool.player) for pool in side):
            rule = state.points.pool_method(play, complication).rule
            unrecorded.nobody_knows(play, complication, rule, "how the Successes were allocated is")
            return
    _judge(play, action, complication, thrown)


def _to_roll(play: Table, action: RollDice) -> Complication | None:
    """The Complication whose dice fall, or the part of it whose Pools the roll names."""
    complication = action.meant(play)
    if complication is not None and complication.stage in (Stage.OPEN, Stage.CLOSED):
        singly = play.state.points.meets_singly(play, complication)
        if singly.rule and len(complication.side("target")) > 1:
            complication.steps.append(play.step.number)
            divide_by_target(play, complication, singly)
            complication = action.meant(play)
        if complication is not None:
            _hold_order(play, complication)
    return complication


def _hold_order(play: Table, complication: Complication) -> None:
    """Where the order of parts is fixed: as they were divided, or most dice first; among equals the player
    closest to the Originator's left."""
    state = play.state
    running = [state.complications[number - 1] for number in reversed(state.running)]
    waiting = [part for part in running if part.part_of == complication.part_of]
    tied = [part for part in waiting if part.stage is Stage.TIED and part is not complication]
    singly = state.points.meets_singly(play, complication).rule
    if complication.part_of and complication.divided_by == singly and tied:
        play.illegal(
            complication.divided_by,
            f"'{tied[0].title}' is tied, and is decided before '{complication.title}' is rolled",
            facts=[play.because(tied[0].rounds[-1].step, "the tie")],
            help="roll it again first, with its Edge Dice",
        )
    if complication.order_of_parts == AS_DIVIDED:
        play.require(
            waiting[0] is complication,
            complication.divided_by,
            f"'{waiting[0].title}' has the fewest dice that wait and is rolled first",
            help="the smallest Pools are rolled first",
        )
    elif complication.order_of_parts == MOST_DICE_FIRST:
        dice = {pool.player: pool.dice for part in waiting for pool in part.side("target")}
        most = max(dice.values())
        first = play.left_of(complication.originator, [p for p in dice if dice[p] == most])
        play.require(
            first in complication.pools,
            complication.divided_by,
            f"{first} has {plural(most, 'die', 'dice')} and rolls first, before "
            f"{listed(pool.player for pool in complication.side('target'))}",
            help="most dice first; among equals the player closest to the Originator's left",
        )


def _just_rolled(play: Table) -> Complication | None:
    """The Complication that was over with its last roll, before anybody told what came of it."""
    complications = play.state.complications
    last = complications[-1] if complications else None
    if last is None or not last.rounds or play.state.current_scene is None:
        return None
    if last.stage is not Stage.RESOLVED or any(pool.told for pool in last.pools.values()):
        return None
    if last.scene != play.state.current_scene.number:
        return None
    play.state.running.append(last.number)
    last.stage = Stage.ROLLED
    return last


def _undecided(play: Table, complication: Complication) -> None:
    """The table rolls again: for it the last roll decided nothing, and brought no Coins."""
    for pool in complication.pools.values():
        for account, coins in (
            (f"bonus:{pool.player}", play.balance(f"bonus:{pool.player}", COIN)),
            (f"wealth:{pool.player}", pool.kept),
        ):
            play.move(account, BANK, coins, COIN, "U6.22", "rolled again")
        pool.coins = pool.kept = 0
        play.taint(f"pool:{complication.number}:{pool.player}")
    play.taint(f"roll:{complication.number}")
    complication.winners = complication.order = ()
    complication.last_teller = -1


def _thrown(
    play: Table, action: RollDice, complication: Complication, hidden: tuple[str, ...]
) -> RollRound:
    faces: dict[str, tuple[int, ...]] = {}
    edges: dict[str, int] = {}
    shown_faces: dict[str, tuple[str, ...]] = {}
    rerolled = complication.stage is Stage.TIED
    die = play.state.points.die(play)
    for word, shown in action.faces.items() if isinstance(action.faces, dict) else ():
        player = play.player(word)
        if not player or shown is None or player in hidden:
            continue
        pool = complication.pools.get(player)
        if pool is None:
            play.illegal(
                complication.divided_by or "U6.6",
                f"{player} has no Pool in this Complication and rolls nothing"
                if facing(play, complication, player) is None
                else f"{player} rolls alone against the Complication, not in '{complication.title}'",
                at=word,
                fix=drop_item(str(word)),
                help="Pools: " + ", ".join(complication.pools),
            )
            continue
        texts = (*shown, *((action.edge or {}).get(word) or ()))
        numbers = tuple(number_of(text) for text in texts)
        wrong = [
            text
            for text, number in zip(texts, numbers, strict=True)
            if number > die.sides or not (is_figure(text) or die.name == CARD)
        ]
        play.require(
            not wrong,
            die.rule,
            f"{player} shows {listed(wrong)}, and "
            + (die.instead or f"the dice at this table are {die.name}s"),
            at=action.place("main", str(word)),
            help=die.words if die.name == CARD else f"faces run from 1 to {die.sides}; {die.words}",
        )
        if pool.dice_open:
            pool.dice = max(pool.dice, len(numbers) - pool.edge)
            pool.dice_open = False
        expected = pool.dice + pool.edge
        if pool.edge_open and len(numbers) == expected + 1:
            pool.edge += 1
            expected += 1
        if len(numbers) != expected:
            lost = rerolled and pool.edge and len(numbers) == pool.dice
            play.illegal(
                "U6.22" if lost else "U6.20",
                f"{player} {'turns' if die.name == CARD else 'rolls'} {die.counted(len(numbers))}, "
                f"and the Pool holds {expected}"
                + (", the Edge Dice among them" if pool.edge else ""),
                at=action.place("main", str(word)),
                facts=[
                    play.because(e.step, f"{'+' if e.dice > 0 else ''}{e.dice}: {e.cause}")
                    for e in pool.entries
                ],
                help="check what was drawn and bought, or correct the faces",
                after=(f"pool:{complication.number}:{player}",),
                since=max((e.step for e in pool.entries), default=complication.step),
                state_kind="pools",
            )
            play.taint(f"pool:{complication.number}:{player}")
            # A die more or less may have been paid for.
            play.taint(f"wealth:{player}", f"dice:{complication.number}")
        faces[player] = numbers
        shown_faces[player] = texts
        edges[player] = min(pool.edge, len(numbers))
    for pool in complication.pools.values():
        if pool.player not in (*faces, *hidden) and pool.dice + pool.edge:
            play.illegal(
                "U6.22" if rerolled else "U6.18",
                f"{pool.player} has {die.counted(pool.dice + pool.edge)} in the Pool and does not "
                + ("turn them" if die.name == CARD else "roll"),
                fix=set_pair("roll", pool.player),
                help="both sides roll everything" if rerolled else (),
            )
        faces.setdefault(pool.player, ())
        edges.setdefault(pool.player, 0)
    points = play.state.points
    successes = {p: points.score(play, shown) for p, shown in faces.items() if p not in hidden}
    sums = {p: sum(f for f in shown if points.success(play, f)) for p, shown in faces.items()}
    return RollRound(
        play.step.number, faces, edges, successes, sums, shown=shown_faces, hidden=hidden
    )


def _shares(play: Table, action: RollDice, complication: Complication) -> dict[str, int] | None:
    """The allocated Successes, where the pool method lets them be allocated."""
    if action.shares is None:
        return None
    play.require(
        bool(play.state.points.allocator(play, complication)),
        "UA.37",
        "the Pools of a side meet the other side together, so no Successes are allocated",
        at="shares",
        fix=drop_key("shares"),
        help="or choose split allocation before the roll",
    )
    return {player: share for _, player, share in names_players(play, action.shares)}


def _judge(play: Table, action: RollDice, complication: Complication, thrown: RollRound) -> None:
    state = play.state
    step = play.step
    complication.rounds.append(thrown)
    for add_on in state.add_ons:
        add_on.fell(play, complication, thrown)
    for player, shown in thrown.faces.items():
        if shown:
            die = state.points.die(play).name
            face_words = RANKS if die == CARD else tuple(str(n + 1) for n in range(13))
            step.throws.append(Throw(die, tuple(face_words[face - 1] for face in shown), player))
    method = state.points.pool_method(play, complication)
    if method.name and (len(complication.pools) > 2 or complication.part_of):
        complication.method = method.name
        if len(complication.rounds) == 1:
            play.event(f"the Pools meet by the method '{method.name}'", method.rule, "method")
    stated = (
        unrecorded.stated_verdict(play, action, complication, thrown) if thrown.hidden else None
    )
    if thrown.hidden and stated is None:
        _check_successes(play, action, complication, thrown)
        unrecorded.nobody_knows(play, complication, "U6.21", "the faces are")
        _show(play, complication, thrown, None, ())
        return
    verdict = stated or state.points.verdict(play, complication, thrown)
    _check_successes(play, action, complication, thrown)
    if not verdict.winners and not thrown.hidden:
        verdict = _stated_winner(play, action, complication, verdict)
    if not verdict.winners:
        complication.stage = Stage.TIED
        thrown.edge_to = verdict.edge_to
        for player in verdict.edge_to:
            complication.pools[player].edge += 1
        both = len(verdict.edge_to) > 1
        edge = f"an Edge Die for {listed(verdict.edge_to) or 'whoever had the higher sum'}"
        if thrown.hidden:
            play.event(f"a tie, as the record says; {edge}", "U6.22", "tie")
            if not verdict.edge_to:
                unrecorded.edge_unknown(complication)
        else:
            _check_edge(play, action, verdict.edge_to, "with the higher sum of Successes")
            play.event(
                f"{verdict.scores[0]} : {verdict.scores[1]}, a tie; the sums are "
                f"{verdict.sums[0]} and {verdict.sums[1]}, {edge}",
                "U6.23" if both else "U6.22",
                "tie",
            )
        step.headline = "A tie"
        _show(play, complication, thrown, verdict, ())
        return
    if not thrown.hidden and not any(pool.edge_open for pool in complication.pools.values()):
        had = [player for player, pool in complication.pools.items() if pool.edge]
        _check_edge(play, action, verdict.edge_to or had, "this roll is no tie")
    complication.winners = verdict.winners
    complication.stage = Stage.ROLLED
    outcome: list[str] = []
    bonus = {play.player(word): coins for word, coins in (action.bonus or {}).items()}
    for player, pool in complication.pools.items():
        coins = unrecorded.coins_of(play, complication, pool, thrown, won=player in verdict.winners)
        if coins is None:
            coins = bonus.get(player)
        pool.coins, pool.unknown = coins or 0, coins is None
    _share_edge(play, complication, thrown)
    for player, pool in complication.pools.items():
        won = player in verdict.winners
        rule = "U6.26" if won else "U6.25"
        if pool.coins:
            play.move(BANK, f"bonus:{player}", pool.coins, COIN, rule, "Bonus Coins")
        came_to = "unrecorded Bonus Coins" if pool.unknown else plural(pool.coins, "Bonus Coin")
        outcome.append(f"{player}: {came_to}")
        play.event(f"{player} {'wins' if won else 'loses'}: {came_to}", rule, "bonus")
        _check_bonus(play, action, complication, pool, thrown.edges[player])
    unrecorded.tell_unknown(play, complication)
    if action.winner is not None:
        named = play.player(action.winner) if action.winner.casefold() != "tie" else "a tie"
        play.require(
            not named or named in verdict.winners,
            "U6.21",
            f"{listed(verdict.winners)} wins with {max(verdict.scores)} : {min(verdict.scores)}, not {named}",
            at="winner",
            after=(f"roll:{complication.number}", f"dice:{complication.number}"),
        )
    complication.order = state.points.narration_order(play, complication)
    step.headline = f"{listed(verdict.winners)} {'win' if len(verdict.winners) > 1 else 'wins'}"
    _show(play, complication, thrown, verdict, tuple(outcome))


def _stated_winner(
    play: Table, action: RollDice, complication: Complication, verdict: Verdict
) -> Verdict:
    """A tie with a winner in the log: then that side has won, and the faces are in doubt."""
    if action.winner is None or action.winner.casefold() == "tie":
        return verdict
    winner = complication.pools.get(play.player(action.winner))
    play.illegal(
        "U6.22",
        f"{verdict.scores[0]} : {verdict.scores[1]} is a tie; both sides roll again",
        at="winner",
        after=(f"roll:{complication.number}",),
    )
    play.taint(f"roll:{complication.number}")
    if winner is None:
        return verdict
    return verdict._replace(winners=tuple(p.player for p in complication.side(winner.side)))


def _share_edge(play: Table, complication: Complication, thrown: RollRound) -> None:
    """Edge Coins belong to the Pool that got the die, or are shared by its side (S68)."""
    for side in ("complication", "target"):
        pools = complication.side(side)
        if len(pools) < 2 or not any(thrown.edges[p.player] for p in pools):
            continue
        if play.ruling("edge coins") == "pool":
            continue
        extra = 0
        for pool in pools:
            shown, edges = thrown.faces[pool.player], thrown.edges[pool.player]
            won = pool.player in complication.winners
            coins = play.state.points.winner_coins if won else play.state.points.loser_coins
            own = coins(play, shown, edges) - coins(play, shown, 0)
            pool.coins -= own
            extra += own
        for place, pool in enumerate(pools):
            pool.coins += extra // len(pools) + (1 if place < extra % len(pools) else 0)


def _check_successes(
    play: Table, action: RollDice, complication: Complication, thrown: RollRound
) -> None:
    die = play.state.points.die(play)
    for word, player, stated in names_players(play, action.successes or {}):
        if player not in thrown.hidden and thrown.successes.get(player, 0) != stated:
            play.report(
                DiagnosticKind.BOOKKEEPING,
                die.rule,
                f"{player} has {plural(thrown.successes.get(player, 0), 'Success', 'Successes')}, not {stated}",
                at=action.place("successes", str(word)),
                fix=write_word(thrown.successes.get(player, 0)),
                help=die.words,
                after=(f"roll:{complication.number}", f"dice:{complication.number}"),
            )
            play.taint(f"roll:{complication.number}")


def _check_edge(play: Table, action: RollDice, has: Collection[str], why: str) -> None:
    """Who has the Edge, as stated: after a tie the player who gets it, else who got it with the tie before."""
    if not action.edge_to:
        return
    stated = [player for player in dict.fromkeys(map(play.player, action.edge_to)) if player]
    play.require(
        not stated or set(stated) == set(has),
        "U6.22",
        f"the Edge is {listed(has) or 'nobody'}'s, {why}, not {listed(stated)}'s",
        at="edge to",
    )


def _check_bonus(
    play: Table, action: RollDice, complication: Complication, pool: Pool, edges: int
) -> None:
    won = pool.player in complication.winners
    for word, stated in (action.bonus or {}).items():
        if play.player(word) == pool.player and stated != pool.coins:
            code = "U6.27" if edges else "U6.26" if won else "U6.25"
            how = "the sum of the Successes" if won else "one a die"
            if edges:
                how += ", and the Edge Dice that are not in it" if won else ", and the Edge Dice"
            play.report(
                DiagnosticKind.BOOKKEEPING,
                code,
                f"{pool.player} gets {plural(pool.coins, 'Bonus Coin')}, not {stated}: {how}",
                at=action.place("bonus", str(word)),
                after=(f"roll:{complication.number}", f"dice:{complication.number}"),
                fix=write_word(pool.coins),
            )
            # The log wins: these are the Coins that were taken.
            play.taint(f"roll:{complication.number}")
            doubt_purses(play, [pool.player])
            play.move(BANK, f"bonus:{pool.player}", stated - pool.coins, COIN, code, "as stated")
            pool.coins, pool.unsure = stated, max(0, pool.coins - stated)


@only_for_readers
def _show(
    play: Table,
    complication: Complication,
    thrown: RollRound,
    verdict: Verdict | None,
    outcome: tuple[str, ...],
) -> None:
    sides = tuple(_sides(play, complication, thrown, verdict))
    rounds = complication.rounds[:-1]
    earlier = tuple(tuple(_sides(play, complication, round, None)) for round in rounds)
    own_dice = sum(len(thrown.faces[p.player]) for p in complication.side("complication"))
    other_dice = sum(len(thrown.faces[p.player]) for p in complication.side("target"))
    odds: HitOdds | str = ""
    if not thrown.hidden:
        odds = win_odds(play, complication, complication.originator, own_dice, other_dice) or ""
    score = ""
    if verdict is not None and set(thrown.successes) >= set(complication.pools):
        score = f"{verdict.scores[0]} : {verdict.scores[1]}"
    chances = "the dice" if all(die.die for side in sides for die in side.dice) else "the cards"
    decided = _decided(chances, complication.title, sides)
    scored = f"{comparison_in_words(*verdict.scores)}: " if verdict is not None and score else ""
    play.step.contest = Contest(
        complication.title,
        sides,
        score,
        "Successes" if score else "",
        outcome,
        earlier,
        odds,
        "U6.21",
        f"{scored}{decided}" if verdict is not None else "",
    )


def _decided(chances: str, title: str, sides: tuple[Side, ...]) -> str:
    """Whom the throw favoured: those in the story, not who rolled for them, nor what stood in the way."""
    won, lost = (
        [side.name for side in sides if side.won == how and side.name not in (side.player, title)]
        for how in (True, False)
    )
    if not any(side.won for side in sides):
        return "a tie"
    if not won and lost:
        return f"{chances} went against {listed(lost)}"
    return f"{chances} gave it to {listed(won or (side.name for side in sides if side.won))}"


def _source(components: Mapping[str, Component], entry: DiceEntry) -> Source:
    """Where some dice of a Pool came from."""
    component = components[entry.component] if entry.component else None
    of = component.shown_name if component is not None else "bought" if entry.coins else ""
    counted = f"{entry.dice:+d} " if abs(entry.dice) > 1 or entry.dice < 0 else ""
    cause = "its name" if component is not None and entry.cause == component.name else entry.cause
    text = counted + (f"{of}: " if of else "") + entry.cause
    return Source(text, of, cause, entry.dice)


def _sides(
    play: Table, complication: Complication, thrown: RollRound, verdict: Verdict | None
) -> Iterator[Side]:
    components = play.state.components
    for player, pool in complication.pools.items():
        shown = thrown.faces.get(player, ())
        first_edge = len(shown) - thrown.edges.get(player, 0)
        texts = thrown.shown.get(player) or tuple(str(face) for face in shown)
        dice = tuple(
            ShownDie(
                texts[place],
                hit=play.state.points.success(play, face),
                die="" if not is_figure(texts[place]) else play.state.points.die(play).name,
                colour="edge" if place >= first_edge else "",
                extra=place >= first_edge,
            )
            for place, face in enumerate(shown)
        )
        hidden = player in thrown.hidden
        if hidden:
            dice = (ShownDie("?"),) * (pool.dice + pool.edge)
        sources = tuple(_source(components, entry) for entry in pool.entries)
        names = []
        if pool.side == "target":
            control = play.state.scenes[complication.scene].control
            own = [id for id in complication.targets if control.get(id) == player]
            if not own and len(complication.side("target")) == 1:
                own = complication.targets
            names = [components[id].shown_name for id in own]
        if pool.side == "complication":
            names = [components[id].shown_name for id in complication.sources] or [
                complication.title
            ]
        result_words = NOT_RECORDED
        if player in thrown.successes:
            result_words = plural(thrown.successes[player], "Success", "Successes")
        if not hidden:
            result_words += f", sum {thrown.sums.get(player, 0)}"
        won = verdict is not None and player in verdict.winners
        yield Side(listed(names) or player, player, dice, sources, result_words, won=won)
