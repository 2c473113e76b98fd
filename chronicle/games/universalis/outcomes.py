"""Chapter 6, second part: the roll, ties and the Edge, Bonus Coins and what they tell."""

from __future__ import annotations

from fractions import Fraction

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.dice import ShownDie, compare_odds, hits_distribution, percent
from chronicle.core.record import Contest, Side, Throw
from chronicle.core.source import Word
from chronicle.games.universalis.components import end_reductions
from chronicle.games.universalis.points import Table, Verdict
from chronicle.games.universalis.preparation import retire_scope
from chronicle.games.universalis.state import (
    BANK,
    COIN,
    Complication,
    Pool,
    Purse,
    RollRound,
    Stage,
)
from chronicle.games.universalis.story_actions import CancelCoins, KeepCoins, RollDice, TellOutcome
from chronicle.games.universalis.table import (
    at,
    close_outcome,
    finish_pending,
    in_outcome,
    keep_rest,
    purse_of,
)

HALF = Fraction(1, 2)


# --- the roll ------------------------------------------------------------------------------------------------


def roll(play: Table, action: RollDice) -> None:
    """Everybody with a Pool rolls; 1 to 5 is a Success (U6.18 to U6.24)."""
    state = play.state
    complication = state.current_complication()
    step = play.step
    step.headline = "The dice"
    if complication is None:
        play.require(
            play.gap > 0 and state.here is None,
            "U6.17",
            "a roll, and no Complication is open",
            help="begin one:  - complication: ...",
        )
        return
    complication.steps.append(step.index)
    if complication.refused and not play.given:
        who = listed(player for player in complication.refused if player)
        last = max(complication.refused.values())
        play.require(
            # A full round in which nobody added dice makes it closable (S73).
            len([t for t in complication.turns if t > last]) >= len(play.present),
            "U6.17",
            f"{who or 'somebody'} did not agree to close the Complication",
            facts=[play.because(last, "refused here")],
            help="let them add their dice, then  - close: agreed",
        )
    if complication.stage is Stage.ROLLED:
        play.require(
            False,
            "U6.22",
            "these dice have fallen already, and it was no tie",
            facts=[play.because(complication.rounds[-1].step, "rolled here")],
        )
        return
    for pool in complication.pools.values():
        if not pool.side:
            play.require(
                False,
                "U6.7",
                f"{pool.player} has not declared a side",
                help=f"write  - declare: {{{pool.player}: {complication.originator}}}",
            )
            pool.side = "target"
    complication.stage = Stage.CLOSED if complication.stage is Stage.OPEN else complication.stage
    complication.closed_step = complication.closed_step or step.index
    if isinstance(action.faces, str):
        _unrecorded(play, complication)
        return
    thrown = _thrown(play, action, complication)
    _judge(play, action, complication, thrown)


def _unrecorded(play: Table, complication: Complication) -> None:
    complication.unrecorded = True
    complication.stage = Stage.ROLLED
    complication.order = tuple(complication.pools)
    play.report(
        Finding.UNKNOWN,
        "U6.21",
        "the faces are not recorded, so who won and with how many Coins is not known",
    )
    play.event("the faces are not recorded", "U6.20")


def _thrown(play: Table, action: RollDice, complication: Complication) -> RollRound:
    faces: dict[str, tuple[int, ...]] = {}
    edges: dict[str, int] = {}
    rerolled = complication.stage is Stage.TIED
    if not isinstance(action.faces, dict):
        return RollRound(play.step.index, {}, {}, {}, {})
    for word, shown in action.faces.items():
        player = play.player(word)
        if not player:
            continue
        pool = complication.pools.get(player)
        if pool is None:
            play.require(
                False,
                "U6.6",
                f"{player} has no Pool in this Complication and rolls nothing",
                at=at(play, word),
                help="Pools: " + ", ".join(complication.pools),
            )
            continue
        numbers = shown.numbers
        extra = (action.edge or {}).get(word)
        if extra is not None:
            numbers = (*numbers, *extra.numbers)
        expected = pool.dice + pool.edge
        if len(numbers) != expected:
            lost = rerolled and pool.edge and len(numbers) == pool.dice
            play.require(
                False,
                "U6.22" if lost else "U6.20",
                f"{player} rolls {plural(len(numbers), 'die', 'dice')}, and the Pool holds {expected}"
                + (", the Edge Dice among them" if pool.edge else ""),
                at=action.place("main", str(word)),
                facts=[
                    play.because(e.step, f"{'+' if e.dice > 0 else ''}{e.dice}: {e.cause}")
                    for e in pool.entries
                ],
                help="check what was drawn and bought, or correct the faces",
                after=(f"pool:{complication.number}:{player}",),
            )
            play.taint(f"pool:{complication.number}:{player}")
        faces[player] = numbers
        edges[player] = min(pool.edge, len(numbers))
    for pool in complication.pools.values():
        if pool.player not in faces and pool.dice + pool.edge:
            play.require(
                False,
                "U6.22" if rerolled else "U6.18",
                f"{pool.player} has {plural(pool.dice + pool.edge, 'die', 'dice')} in the Pool and does not roll",
                help="both sides roll everything" if rerolled else "write the faces of every Pool",
            )
        faces.setdefault(pool.player, ())
        edges.setdefault(pool.player, 0)
    points = play.state.points
    successes = {p: sum(1 for f in shown if points.success(f)) for p, shown in faces.items()}
    sums = {p: sum(f for f in shown if points.success(f)) for p, shown in faces.items()}
    return RollRound(play.step.index, faces, edges, successes, sums)


def _judge(play: Table, action: RollDice, complication: Complication, thrown: RollRound) -> None:
    state = play.state
    step = play.step
    complication.rounds.append(thrown)
    for player, shown in thrown.faces.items():
        if shown:
            step.throws.append(Throw("d10", tuple(str(f) for f in shown), player))
    verdict = state.points.verdict(play, complication, thrown)
    _check_successes(play, action, complication, thrown)
    if not verdict.winners:
        complication.stage = Stage.TIED
        thrown.edge_to = verdict.edge_to
        for player in verdict.edge_to:
            complication.pools[player].edge += 1
        if action.winner is not None and action.winner.casefold() != "tie":
            play.require(
                False,
                "U6.22",
                f"{verdict.scores[0]} : {verdict.scores[1]} is a tie; both sides roll again",
                at=action.place("winner"),
            )
        _check_edge(play, action, verdict)
        both = len(verdict.edge_to) > 1
        play.event(
            f"{verdict.scores[0]} : {verdict.scores[1]}, a tie; the sums are {verdict.sums[0]} and "
            f"{verdict.sums[1]}, an Edge Die for {listed(verdict.edge_to)}",
            "U6.23" if both else "U6.22",
            "tie",
        )
        step.headline = "A tie"
        step.contest = _contest(play, complication, thrown, verdict, ())
        return
    complication.winners = verdict.winners
    complication.stage = Stage.ROLLED
    outcome: list[str] = []
    for player, pool in complication.pools.items():
        shown, edges = thrown.faces[player], thrown.edges[player]
        won = player in verdict.winners
        pool.coins = (
            state.points.winner_coins(play, shown, edges)
            if won
            else state.points.loser_coins(play, shown, edges)
        )
    _share_edge(play, complication, thrown)
    for player, pool in complication.pools.items():
        won = player in verdict.winners
        rule = "U6.26" if won else "U6.25"
        if pool.coins:
            play.move(BANK, f"bonus:{player}", pool.coins, COIN, rule, "Bonus Coins")
        outcome.append(f"{player}: {plural(pool.coins, 'Bonus Coin')}")
        play.event(
            f"{player} {'wins' if won else 'loses'}: {plural(pool.coins, 'Bonus Coin')}",
            rule,
            "bonus",
        )
        _check_bonus(play, action, pool, won, thrown.edges[player])
    if action.winner is not None:
        stated = play.player(action.winner) if action.winner.casefold() != "tie" else "a tie"
        play.require(
            not stated or stated in verdict.winners,
            "U6.21",
            f"{listed(verdict.winners)} wins with {max(verdict.scores)} : {min(verdict.scores)}, not {stated}",
            at=action.place("winner"),
        )
    complication.order = state.points.narration_order(play, complication)
    step.headline = f"{listed(verdict.winners)} {'win' if len(verdict.winners) > 1 else 'wins'}"
    step.contest = _contest(play, complication, thrown, verdict, tuple(outcome))


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
            edges = thrown.edges[pool.player]
            shown = thrown.faces[pool.player]
            faces = shown[len(shown) - edges :] if edges else ()
            own = sum(f for f in faces if pool.player not in complication.winners or f > 5)
            pool.coins -= own
            extra += own
        for place, pool in enumerate(pools):
            pool.coins += extra // len(pools) + (1 if place < extra % len(pools) else 0)


def _check_successes(
    play: Table, action: RollDice, complication: Complication, thrown: RollRound
) -> None:
    for word, stated in (action.successes or {}).items():
        player = play.player(word)
        if player and thrown.successes.get(player, 0) != stated:
            play.report(
                Finding.BOOKKEEPING,
                "U6.20",
                f"{player} has {plural(thrown.successes.get(player, 0), 'Success', 'Successes')}, not {stated}",
                at=action.place("successes", str(word)),
                help="1 to 5 is a Success",
            )


def _check_edge(play: Table, action: RollDice, verdict: Verdict) -> None:
    if not action.edge_to:
        return
    stated = {play.player(word) for word in action.edge_to} - {""}
    play.require(
        stated == set(verdict.edge_to),
        "U6.22",
        f"the Edge is {listed(verdict.edge_to)}'s, with the higher sum of Successes, not {listed(stated)}'s",
        at=action.place("edge to"),
    )


def _check_bonus(play: Table, action: RollDice, pool: Pool, won: bool, edges: int) -> None:
    for word, stated in (action.bonus or {}).items():
        if play.player(word) == pool.player and stated != pool.coins:
            code = "U6.27" if edges else "U6.26" if won else "U6.25"
            how = "the sum of the Successes" if won else "one a die"
            if edges:
                how += ", and the Edge Dice that are not in it" if won else ", and the Edge Dice"
            play.report(
                Finding.BOOKKEEPING,
                code,
                f"{pool.player} gets {plural(pool.coins, 'Bonus Coin')}, not {stated}: {how}",
                at=action.place("bonus", str(word)),
            )


def _contest(
    play: Table,
    complication: Complication,
    thrown: RollRound,
    verdict: Verdict,
    outcome: tuple[str, ...],
) -> Contest:
    sides = _sides(play, complication, thrown, verdict)
    earlier = tuple(_sides(play, complication, round, None) for round in complication.rounds[:-1])
    one = sum(len(thrown.faces[p.player]) for p in complication.side("complication"))
    other = sum(len(thrown.faces[p.player]) for p in complication.side("target"))
    odds = ""
    if one + other <= 80:
        win, tie, _ = compare_odds(hits_distribution(one, HALF), hits_distribution(other, HALF))
        odds = f"{complication.originator} wins {percent(win)}, tie {percent(tie)}"
    return Contest(
        complication.title,
        sides,
        f"{verdict.scores[0]} : {verdict.scores[1]}",
        "Successes",
        outcome,
        earlier,
        odds,
        "U6.21",
    )


def _sides(
    play: Table, complication: Complication, thrown: RollRound, verdict: Verdict | None
) -> tuple[Side, ...]:
    components = play.state.components
    sides: list[Side] = []
    for player, pool in complication.pools.items():
        shown = thrown.faces.get(player, ())
        first_edge = len(shown) - thrown.edges.get(player, 0)
        dice = tuple(
            ShownDie(
                str(face),
                hit=play.state.points.success(face),
                die="d10",
                colour="edge" if place >= first_edge else "",
                extra=place >= first_edge,
            )
            for place, face in enumerate(shown)
        )
        sources = tuple(
            (f"{entry.dice:+d} " if abs(entry.dice) > 1 or entry.dice < 0 else "")
            + (
                f"{components[entry.component].name}: "
                if entry.component
                else "bought: "
                if entry.coins
                else ""
            )
            + entry.cause
            for entry in pool.entries
        )
        names = (
            [components[id].name for id in complication.targets] if pool.side == "target" else []
        )
        if pool.side == "complication":
            names = [components[id].name for id in complication.sources] or [complication.title]
        sides.append(
            Side(
                listed(names) or player,
                player,
                dice,
                sources,
                f"{thrown.successes.get(player, 0)} Successes, sum {thrown.sums.get(player, 0)}",
                won=verdict is not None and player in verdict.winners,
            )
        )
    return tuple(sides)


# --- the outcome ----------------------------------------------------------------------------------------------


def outcome(play: Table, action: TellOutcome) -> None:
    """Each player named tells with their Bonus Coins, in order; what is left is kept (U6.28 to U6.34)."""
    state = play.state
    complication = state.current_complication()
    step = play.step
    step.headline = "What comes of it"
    if complication is None:
        play.require(
            play.gap > 0 and state.here is None,
            "U6.21",
            "an outcome, and no Complication was rolled",
            help="write the roll first:  - roll: {player: [faces]}",
        )
        return
    complication.steps.append(step.index)
    step.headline = f"Outcome: {complication.title}"
    if complication.stage is Stage.TIED:
        play.require(
            False,
            "U6.22",
            "it is a tie: both sides roll again, with the Edge Dice, before anybody gets Coins",
            facts=[play.because(complication.rounds[-1].step, "the tie")],
        )
        complication.unrecorded = True
    elif complication.stage is not Stage.ROLLED:
        play.require(
            False,
            "U6.21",
            "the dice have not been rolled",
            facts=[play.because(complication.step, "the Complication began here")],
            help="write the roll first:  - roll: {player: [faces]}  (or  roll: unrecorded)",
        )
        complication.unrecorded = True
    if complication.broken_in and play.ruling("narration interrupt") == "no":
        play.require(
            False,
            "UE.13",
            "an Interrupt came before the outcome was told; nobody Interrupts that narration",
            facts=[play.because(complication.broken_in, "the Interrupt")],
            help="write the outcome right after the roll",
        )
    complication.stage = Stage.ROLLED
    for word, entries in action.tellers.items():
        player = play.player(word)
        if player:
            _tell(play, complication, player, word, entries)
    _close_if_told(play, complication)


def _close_if_told(play: Table, complication: Complication) -> None:
    if not any(play.balance(f"bonus:{p}", COIN) > 0 for p in complication.pools):
        close_outcome(play, complication)
        retire_scope(play, "complication")


def _tell(
    play: Table, complication: Complication, player: str, word: Word, entries: list[Action]
) -> None:
    state = play.state
    pool = complication.pools.get(player)
    if pool is None:
        play.require(
            complication.unrecorded and not complication.order,
            "U6.6",
            f"{player} has no Pool in this Complication, so no Bonus Coins",
            at=at(play, word),
        )
        pool = complication.pools[player] = Pool(player, "")
    order = complication.order
    place = _rank(complication, player)
    if place < complication.last_teller:
        before = order[min(complication.last_teller, len(order) - 1)]
        play.require(
            False,
            "U6.28",
            f"{player} tells before {before}: winners first, then by most Coins",
            at=at(play, word),
            help="order: " + ", ".join(order),
        )
    complication.last_teller = max(place, complication.last_teller)
    purse = Purse(player, f"bonus:{player}", complication.number)
    state.purses.append(purse)
    for entry in entries:
        play.perform(entry)
    end_reductions(play)
    state.purses.pop()
    pool.told = True
    _close_purse(play, complication, pool, purse)


def _close_purse(play: Table, complication: Complication, pool: Pool, purse: Purse) -> None:
    """What a player has left is kept; what was said about it is checked (U6.34)."""
    player = purse.player
    rest = max(0, play.balance(purse.account, COIN))
    if purse.kept is not None and not complication.unrecorded:
        stated, where = purse.kept
        if stated != rest:
            play.report(
                Finding.BOOKKEEPING,
                "U6.34",
                f"{player} has {rest} of {plural(pool.coins, 'Bonus Coin')} left to keep, not {stated}",
                at=where,
            )
    elif purse.kept is not None:
        play.move(
            BANK,
            purse.account,
            max(0, purse.kept[0] - rest),
            COIN,
            "U6.25",
            "the roll is not recorded",
        )
    keep_rest(play, complication, player)


def cancel(play: Table, action: CancelCoins) -> None:
    """The winner gives Bonus Coins up to void as many of a loser's (U6.29)."""
    complication, purse = _telling(play)
    if complication is None or purse is None:
        play.require(
            False,
            "U6.29",
            "Coins are cancelled after a roll, before they are told",
            help="write it among the winner's entries under  - outcome:",
        )
        return
    player = purse.player
    told: list[str] = []
    for word, amount in action.coins_of.items():
        opponent = play.player(word)
        if not opponent:
            continue
        allowed = True
        if not complication.unrecorded:
            losing = opponent not in complication.winners
            wins = player in complication.winners
            if not wins and play.ruling("who cancels") == "earlier losers":
                wins = losing and opponent != player
            allowed = play.require(
                wins and losing,
                "U6.29",
                f"{player} did not win, so cancels nothing"
                if not wins
                else f"{opponent} did not lose",
                at=at(play, word),
                facts=[play.because(complication.rounds[-1].step, "the roll")]
                if complication.rounds
                else [],
            )
        account = f"bonus:{opponent}"
        has = max(0, play.balance(account, COIN))
        own = max(0, play.balance(purse.account, COIN))
        possible = min(has, own)
        if amount > possible and allowed and not complication.unrecorded:
            who, left = (opponent, has) if has < amount else (player, own)
            play.require(
                False,
                "U6.29",
                f"{who} has {plural(left, 'Bonus Coin')} left, so {amount} cannot be cancelled",
                at=action.place("main", str(word)),
            )
        amount = min(amount, possible) if not complication.unrecorded else amount
        pool = complication.pools.get(opponent)
        if pool is not None:
            pool.cancelled += amount
        mine = complication.pools.get(player)
        if mine is not None:
            mine.given_up += amount
        for source in (purse.account, account):
            part = min(amount, max(0, play.balance(source, COIN)))
            play.move(source, BANK, part, COIN, "U6.29", "cancelled")
        told.append(f"{plural(amount, 'Coin')} of {opponent}")
    play.event(f"{player} cancels {listed(told)}", "U6.29", "cancels")
    play.step.headline = f"Cancels {listed(told)}"


def keep(play: Table, action: KeepCoins) -> None:
    """What is kept, said aloud: checked when the narration is over (U6.34)."""
    complication, purse = _telling(play)
    play.step.headline = f"Keeps {action.amount}"
    if purse is None or complication is None:
        play.require(False, "U6.34", "only Bonus Coins are kept, after a roll", help="leave it out")
        return
    purse.kept = (action.amount, action.place("main"))
    if not play.state.purses:
        pool = complication.pools[purse.player]
        pool.told = True
        complication.last_teller = max(complication.last_teller, _rank(complication, purse.player))
        _close_purse(play, complication, pool, purse)
        _close_if_told(play, complication)


def _rank(complication: Complication, player: str) -> int:
    order = complication.order
    return order.index(player) if player in order else len(order)


def _telling(play: Table) -> tuple[Complication | None, Purse | None]:
    """Whose Bonus Coins an entry is about: inside an outcome, or by itself right after the roll."""
    complication, purse = in_outcome(play), purse_of(play)
    if complication is not None:
        return complication, purse
    complication = play.state.current_complication()
    player = play.step.player
    if complication is None or complication.stage is not Stage.ROLLED:
        return None, None
    if player not in complication.pools:
        return None, None
    return complication, Purse(player, f"bonus:{player}", complication.number)


def outcome_over(play: Table) -> None:
    """Something else happens: whoever has not told keeps their Bonus Coins (U6.34)."""
    running = len(play.state.running)
    finish_pending(play)
    if len(play.state.running) < running:
        retire_scope(play, "complication")
