"""Chapter 6, the roll: Successes, ties and the Edge, Bonus Coins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.figures import is_figure
from chronicle.core.fix import add_entry, drop_item, drop_key, set_pair, write_word
from chronicle.core.guards import Violation, guard
from chronicle.core.record import Throw
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import unrecorded
from chronicle.games.universalis.actions import COUNT_OF, ON_DICE
from chronicle.games.universalis.answers import CARD, Verdict
from chronicle.games.universalis.coins import doubt_purses
from chronicle.games.universalis.complications import open_complication
from chronicle.games.universalis.contests import show
from chronicle.games.universalis.divisions import (
    complication_of,
    divide_by_target,
    facing,
)
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.moves import MOST, by_chance, dice_in_play
from chronicle.games.universalis.playing_cards import RANKS, number_of
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    AS_DIVIDED,
    BANK,
    COIN,
    MOST_DICE_FIRST,
    Complication,
    Pool,
    RollRound,
    Stage,
)
from chronicle.games.universalis.table import names_players
from chronicle.games.universalis.told_rolls import ToldRoll

Check = Callable[["Table", "RollDice", Complication], Iterator[Violation]]
"""Looks for what is wrong with a roll of a Complication, without effects."""


class RollDice(ToldRoll):
    """Roll the Pools of a Complication, as the dice fell; Edge Dice come last (or under 'edge:')."""

    verb = "roll"
    synonyms = ("throw", "dice", "call dice", "call roll", "call")
    already_shown_kinds = frozenset({"bonus"})
    before_result = True
    decides = Decides("everybody")
    moment = ON_DICE
    example = "roll: {Dov: [1, 4, 5, 10], Ana: [2, 7, 8]}"
    shares = option(
        COUNT_OF, "{player: Successes allocated against that Pool}, by split allocation"
    )
    offered = Offered("U6.18", "roll the dice")

    def meant(self, play: Table) -> Complication | None:
        """The Complication whose dice fall, or the part of it whose Pools the roll names."""
        shown = self.faces if isinstance(self.faces, dict) else {}
        return complication_of(play, self, filter(None, map(play.look_up_player, shown)))

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        """Dice as they may fall."""
        complication, points = play.state.current_complication(), play.state.points
        if (
            play.state.current_scene is None
            or complication is None
            or complication.stage not in (Stage.OPEN, Stage.CLOSED, Stage.TIED)
            or (complication.stage is Stage.OPEN and dice_in_play(play) is None)
            or complication.refused
            or not all(pool.side for pool in complication.pools.values())
        ):
            return
        pools = [*complication.pools.values()]
        if points.meets_singly(play, complication).rule:
            targets = complication.side("target")
            if not targets:
                return
            biggest = max(targets, key=lambda pool: pool.dice)
            pools = [*complication.side("complication"), biggest]
        rng = by_chance(play)
        yield from ({"roll": points.throw(play, pools, rng)} for _ in range(MOST))

    @guard("U6.18")
    def waits_for_no_other(self, play: Table) -> Iterator[Violation]:
        """An add-on may say that another Complication is rolled first."""
        complication = self.meant(play)
        if complication is not None and complication.stage is not Stage.ROLLED:
            for add_on in play.state.add_ons:
                yield from add_on.bars_rolling(play, complication)

    def settled(self, play: Table) -> Complication | None:
        """The Complication whose dice fall, where the roll itself changes nothing about its Pools."""
        complication = self.meant(play) or _last_rolled(play)
        if complication is None or play.gap_since("pools") > complication.step:
            return None
        return None if _is_divided_now(play, complication) else complication

    def ask(self, play: Table, check: Check) -> Iterator[Violation]:
        """What a check finds; where the roll changes the Pools first, its effect asks."""
        complication = self.settled(play)
        return check(play, self, complication) if complication is not None else iter(())

    @guard("U6.17")
    def has_a_complication(self, play: Table) -> Violation | None:
        is_missing = play.gap > 0 and play.state.current_scene is None
        if self.meant(play) is not None or _last_rolled(play) is not None or is_missing:
            return None
        fix = add_entry("complication: ...")
        return Violation("a roll, and no Complication is open", fix=fix, since=0)

    @guard("UA.36")
    def keeps_the_order_of_parts(self, play: Table) -> Iterator[Violation]:
        return self.ask(play, _bars_order)

    @guard("U6.17")
    def comes_after_the_dice_were_called(self, play: Table) -> Iterator[Violation]:
        return self.ask(play, _bars_refused)

    @guard("U6.22")
    def decides_once(self, play: Table) -> Iterator[Violation]:
        return self.ask(play, _bars_second)

    @guard("U6.7")
    def comes_after_all_sides_are_declared(self, play: Table) -> Iterator[Violation]:
        return self.ask(play, _bars_sides)

    @guard("UA.42")
    def shows_faces_of_the_dice_at_this_table(self, play: Table) -> Iterator[Violation]:
        return self.ask(play, _bars_kind)

    @guard("U6.20")
    def shows_the_dice_of_each_pool(self, play: Table) -> Iterator[Violation]:
        return self.ask(play, _bars_faces)

    @guard("UA.37")
    def allocates_where_it_may(self, play: Table) -> Iterator[Violation]:
        return self.ask(play, _bars_shares)

    def apply(self, play: Table) -> None:
        """Everybody with a Pool rolls; 1 to 5 is a Success (U6.18 to U6.24)."""
        state, step = play.state, play.step
        is_asked = self.settled(play) is not None
        complication = _to_roll(play, self) or _just_rolled(play)
        step.headline = "The dice"
        if complication is None and play.gap and unrecorded.pools_named(play, self):
            play.taint("event")
            title = "A Complication that is missing"
            complication = open_complication(play, title, "interaction", "", [], [])
        if complication is None:
            return
        complication.steps.append(step.number)
        if play.gap_since("pools") > complication.step:
            unrecorded.known_by_roll(play, self, complication)
        for check in () if is_asked else _CHECKS:
            report_all(play, check(play, self, complication))
        if complication.stage is Stage.ROLLED:
            _undecided(play, complication)
        for pool in complication.pools.values():
            pool.side = pool.side or "target"
        if complication.stage is Stage.OPEN:
            complication.stage = Stage.CLOSED
        complication.closed_step = complication.closed_step or step.number
        hidden = unrecorded.hidden_pools(self, complication, play.player)
        thrown = _thrown(play, self, complication, hidden)
        if self.shares is not None:
            thrown.shares = {p: share for _, p, share in names_players(play, self.shares)}
        allocator = state.points.allocator(play, complication)
        if allocator and thrown.shares is None and not hidden:
            side = complication.side(complication.pools[allocator].side)
            if any(thrown.successes.get(pool.player) for pool in side):
                rule = state.points.pool_method(play, complication).rule
                subject = "how the Successes were allocated is"
                unrecorded.nobody_knows(play, complication, rule, subject)
                return
        _judge(play, self, complication, thrown)


def _is_divided_now(play: Table, complication: Complication) -> bool:
    """Whether the Targets meet it one by one from this roll on."""
    is_waiting = complication.stage in (Stage.OPEN, Stage.CLOSED)
    is_shared = is_waiting and len(complication.side("target")) > 1
    return bool(is_shared and play.state.points.meets_singly(play, complication).rule)


def _to_roll(play: Table, action: RollDice) -> Complication | None:
    """The Complication whose dice fall, or the part of it whose Pools the roll names."""
    complication = action.meant(play)
    if complication is None or not _is_divided_now(play, complication):
        return complication
    complication.steps.append(play.step.number)
    divide_by_target(play, complication, play.state.points.meets_singly(play, complication))
    return action.meant(play)


def _last_rolled(play: Table) -> Complication | None:
    """The Complication that was over with its last roll, before anybody told what came of it."""
    complications, scene = play.state.complications, play.state.current_scene
    last = complications[-1] if complications else None
    if last is None or not last.rounds or scene is None or last.scene != scene.number:
        return None
    is_told = any(pool.told for pool in last.pools.values())
    return None if last.stage is not Stage.RESOLVED or is_told else last


def _just_rolled(play: Table) -> Complication | None:
    """The same, as if it were not over."""
    last = _last_rolled(play)
    if last is not None:
        play.state.running.append(last.number)
        last.stage = Stage.ROLLED
    return last


def _bars_order(play: Table, action: RollDice, complication: Complication) -> Iterator[Violation]:
    """Where the order of parts is fixed: as they were divided, or most dice first; among equals the player
    closest to the Originator's left."""
    state = play.state
    if complication.stage not in (Stage.OPEN, Stage.CLOSED):
        return
    running = [state.complications[number - 1] for number in reversed(state.running)]
    waiting = [part for part in running if part.part_of == complication.part_of]
    tied = [part for part in waiting if part.stage is Stage.TIED and part is not complication]
    singly = state.points.meets_singly(play, complication).rule
    rule = complication.divided_by
    if complication.part_of and rule == singly and tied:
        yield Violation(
            f"'{tied[0].title}' is tied, and is decided before '{complication.title}' is rolled",
            facts=[play.because(tied[0].rounds[-1].step, "the tie")],
            help="roll it again first, with its Edge Dice",
            rule=rule,
        )
    if complication.order_of_parts == AS_DIVIDED and waiting[0] is not complication:
        yield Violation(
            f"'{waiting[0].title}' has the fewest dice that wait and is rolled first",
            help="the smallest Pools are rolled first",
            rule=rule,
        )
    elif complication.order_of_parts == MOST_DICE_FIRST:
        dice = {pool.player: pool.dice for part in waiting for pool in part.side("target")}
        most = max(dice.values())
        first = play.left_of(complication.originator, [p for p in dice if dice[p] == most])
        if first not in complication.pools:
            yield Violation(
                f"{first} has {plural(most, 'die', 'dice')} and rolls first, before "
                f"{listed(pool.player for pool in complication.side('target'))}",
                help="most dice first; among equals the player closest to the Originator's left",
                rule=rule,
            )


def _bars_refused(play: Table, action: RollDice, complication: Complication) -> Iterator[Violation]:
    """A full round without new dice makes it closable (S73)."""
    last = max(complication.refused.values(), default=0)
    turns = [turn for turn in complication.turns if turn > last]
    if complication.refused and not play.given and len(turns) < len(play.present):
        objectors = listed(player for player in complication.refused if player)
        yield Violation(
            f"{objectors or 'somebody'} did not agree to close the Complication",
            fix=add_entry("close: agreed"),
            help="let them add their dice first",
            facts=[play.because(last, "refused here")],
            rule="U6.17",
        )


def _bars_second(play: Table, action: RollDice, complication: Complication) -> Iterator[Violation]:
    """Only a tie is rolled again."""
    if complication.stage is Stage.ROLLED or complication is _last_rolled(play):
        roll = f"roll:{complication.number}"
        yield Violation(
            "these dice have fallen already, and it was no tie",
            facts=[play.because(complication.rounds[-1].step, "rolled here")],
            after=[roll],
            doubts=[*(f"pool:{complication.number}:{p}" for p in complication.pools), roll],
            rule="U6.22",
        )


def _bars_sides(play: Table, action: RollDice, complication: Complication) -> Iterator[Violation]:
    for player, pool in complication.pools.items():
        if not pool.side:
            fix = add_entry(f"declare: {{{player}: {complication.originator}}}")
            yield Violation(f"{player} has not declared a side", fix=fix, rule="U6.7")


def _bars_shares(play: Table, action: RollDice, complication: Complication) -> Iterator[Violation]:
    """Successes are allocated only where the pool method lets them be."""
    if action.shares is not None and not play.state.points.allocator(play, complication):
        yield Violation(
            "the Pools of a side meet the other side together, so no Successes are allocated",
            "shares",
            drop_key("shares"),
            "or choose split allocation before the roll",
            rule="UA.37",
        )


def _held(pool: Pool, shown: int) -> tuple[int, int]:
    """The dice and the Edge Dice of a Pool that shows so many; open numbers are what is shown."""
    dice = max(pool.dice, shown - pool.edge) if pool.dice_open else pool.dice
    return dice, pool.edge + (1 if pool.edge_open and shown == dice + pool.edge + 1 else 0)


def _texts(action: RollDice, word: ScalarNode, shown: Iterable[str]) -> tuple[str, ...]:
    """The faces of a player, with those of the Edge Dice."""
    return (*shown, *((action.edge or {}).get(word) or ()))


def _shown(
    play: Table, action: RollDice, hidden: Collection[str]
) -> Iterator[tuple[ScalarNode, str, tuple[str, ...]]]:
    """The faces that a roll shows of each player who is not ``hidden``, Edge Dice among them: the word for the player,
    and who that is."""
    for word, shown in action.faces.items() if isinstance(action.faces, dict) else ():
        player = play.look_up_player(word)
        if player and shown is not None and player not in hidden:
            yield word, player, _texts(action, word, shown)


def _bars_kind(play: Table, action: RollDice, complication: Complication) -> Iterator[Violation]:
    """Dice show only faces that the dice at this table have (U6.20, or the rule of other dice)."""
    die = play.state.points.die(play)
    hidden = unrecorded.hidden_pools(action, complication, play.look_up_player)
    for word, player, texts in _shown(play, action, hidden):
        wrong = [
            text
            for text in texts
            if number_of(text) > die.sides or not (is_figure(text) or die.name == CARD)
        ]
        if wrong and player in complication.pools:
            yield Violation(
                f"{player} shows {listed(wrong)}, and "
                + (die.instead or f"the dice at this table are {die.name}s"),
                action.place("main", str(word)),
                help=die.words
                if die.name == CARD
                else f"faces run from 1 to {die.sides}; {die.words}",
                rule=die.rule,
            )


def _bars_faces(play: Table, action: RollDice, complication: Complication) -> Iterator[Violation]:
    """Every Pool shows as many dice as it holds."""
    die, number = play.state.points.die(play), complication.number
    hidden = unrecorded.hidden_pools(action, complication, play.look_up_player)
    is_second = complication.stage is Stage.TIED
    rolling: list[str] = []
    for word, player, texts in _shown(play, action, hidden):
        pool = complication.pools.get(player)
        if pool is None:
            is_apart = facing(play, complication, player) is not None
            yield Violation(
                f"{player} rolls alone against the Complication, not in '{complication.title}'"
                if is_apart
                else f"{player} has no Pool in this Complication and rolls nothing",
                word,
                drop_item(str(word)),
                "Pools: " + ", ".join(complication.pools),
                rule=complication.divided_by or "U6.6",
            )
            continue
        rolling.append(player)
        place = action.place("main", str(word))
        dice, edge = _held(pool, len(texts))
        if len(texts) != dice + edge:
            lost = is_second and edge and len(texts) == dice
            yield Violation(
                f"{player} {'turns' if die.name == CARD else 'rolls'} {die.counted(len(texts))}, "
                f"and the Pool holds {dice + edge}"
                + (", the Edge Dice among them" if edge else ""),
                place,
                help="check what was drawn and bought, or correct the faces",
                facts=[
                    play.because(e.step, f"{'+' if e.dice > 0 else ''}{e.dice}: {e.cause}")
                    for e in pool.entries
                ],
                after=(f"pool:{number}:{player}",),
                # A die more or less may have been paid for.
                doubts=(f"pool:{number}:{player}", f"wealth:{player}", f"dice:{number}"),
                since=max((e.step for e in pool.entries), default=complication.step),
                state_kind="pools",
                rule="U6.22" if lost else "U6.20",
            )
    for player, pool in complication.pools.items():
        if player not in (*rolling, *hidden) and pool.dice + pool.edge:
            yield Violation(
                f"{player} has {die.counted(pool.dice + pool.edge)} in the Pool and does not "
                + ("turn them" if die.name == CARD else "roll"),
                fix=set_pair("roll", player),
                help="both sides roll everything" if is_second else (),
                rule="U6.22" if is_second else "U6.18",
            )


_CHECKS: tuple[Check, ...] = (
    _bars_order,
    _bars_refused,
    _bars_second,
    _bars_sides,
    _bars_kind,
    _bars_faces,
    _bars_shares,
)


def _undecided(play: Table, complication: Complication) -> None:
    """The table rolls again: for it the last roll decided nothing, and brought no Coins."""
    for pool in complication.pools.values():
        for account, coins in (
            (f"bonus:{pool.player}", play.balance(f"bonus:{pool.player}", COIN)),
            (f"wealth:{pool.player}", pool.kept),
        ):
            play.move(account, BANK, coins, COIN, "U6.22", "rolled again")
        pool.coins = pool.kept = 0
    complication.winners = complication.order = ()
    complication.last_teller = -1


def _thrown(
    play: Table, action: RollDice, complication: Complication, hidden: tuple[str, ...]
) -> RollRound:
    faces: dict[str, tuple[int, ...]] = {}
    edges: dict[str, int] = {}
    shown_faces: dict[str, tuple[str, ...]] = {}
    for word, shown in action.faces.items() if isinstance(action.faces, dict) else ():
        player = play.player(word)
        pool = complication.pools.get(player)
        if pool is None or shown is None or player in hidden:
            continue
        texts = shown_faces[player] = _texts(action, word, shown)
        faces[player] = tuple(number_of(text) for text in texts)
        pool.dice, pool.edge = _held(pool, len(texts))
        pool.dice_open = False
        edges[player] = min(pool.edge, len(texts))
    for player in complication.pools:
        faces.setdefault(player, ())
        edges.setdefault(player, 0)
    points = play.state.points
    successes = {p: points.score(play, shown) for p, shown in faces.items() if p not in hidden}
    sums = {p: sum(f for f in shown if points.success(play, f)) for p, shown in faces.items()}
    return RollRound(
        play.step.number, faces, edges, successes, sums, shown=shown_faces, hidden=hidden
    )


# What the log says of the result is compared below, as only the roll itself computes it: add-ons change the throw, and
# after a gap the Pools come from it.


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
        show(play, complication, thrown, None, ())
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
        show(play, complication, thrown, verdict, ())
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
    show(play, complication, thrown, verdict, tuple(outcome))


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
