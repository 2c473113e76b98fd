"""Conflicts: call, answer, support, roll, and what the roll does to the tokens (P15 to P25)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from chronicle.core.diagnostic import Fact, listed, plural
from chronicle.core.dice import Faces, ShownDie
from chronicle.core.figures import compared
from chronicle.core.holes import SOMEBODY
from chronicle.core.house import answer, expected
from chronicle.core.play import drawn
from chronicle.core.record import Contest, Side, Source, Throw
from chronicle.games.positive.actions import FUDGE_DIE, Back, BackDown, Call, Match, Roll
from chronicle.games.positive.computed import DICE, DOWN, PLUS, UP
from chronicle.games.positive.ends import thresholds
from chronicle.games.positive.state import (
    BOX,
    DIE,
    START_LINE,
    STEP,
    Conflict,
    Stage,
    ToldOdds,
    square_name,
)
from chronicle.games.positive.table import (
    Table,
    character,
    dice_of,
    ends,
    own,
    player,
    position,
    track,
)
from chronicle.games.positive.verdicts import Worth, verdict, worth_of_face

EVEN: Worth = (0, 0)
"""The worth of each side of a tie."""


def is_plus(play: Table, who: str, face: str) -> bool:
    """P20: what counts for a side."""
    return answer(play, PLUS, face == "+", who, face)


def worth_of(play: Table, who: str, faces: Faces) -> Worth:
    """P20: the worth of a side."""
    dice = [worth_of_face(face, is_plus(play, who, face)) for face in faces]
    return sum(plus for plus, _ in dice), sum(blank for _, blank in dice)


def pluses(play: Table, who: str) -> str:
    """The faces that count as a plus for a side."""
    return "".join(f for f in FUDGE_DIE.faces if expected(play, PLUS, f == "+", who, f))


def told_odds(play: Table, who: str, dice: int, other: str, others: int) -> ToldOdds:
    """How likely the caller wins with so many dice against the challenged with so many."""
    tie = play.rulings["tie"]
    return ToldOdds(who, dice, pluses(play, who), other, others, pluses(play, other), tie)


# --- call and answer ------------------------------------------------------------------------------


def call(play: Table, action: Call) -> None:
    """P15: the offended player lays down the conflict die."""
    state = play.state
    caller = own(play)
    challenged = character(play, action.against)
    play.step.headline = f"{caller or 'Somebody'} calls {challenged or action.against}"
    if not caller and not play.step.player:
        play.unreadable("T56", "who calls this conflict?", help="add  by: a character")
    play.require(
        not caller or caller != challenged,
        "P15",
        f"{caller} cannot call a conflict against themselves",
        at="against",
    )
    _one_conflict_a_scene(play)
    conflict = Conflict(
        number=len(state.conflicts) + 1,
        scene=play.step.scene or 0,
        caller=caller,
        challenged=challenged,
        version=str(action.version),
        steps=[play.step.index],
    )
    state.conflict = conflict
    state.conflicts.append(conflict)
    play.event(
        f"{caller or 'Somebody'} disputes what {challenged or SOMEBODY} said: {action.version}",
        "P15",
        "calls",
        caller,
    )


def _one_conflict_a_scene(play: Table) -> None:
    conflict = play.state.conflict
    if conflict is None:
        return
    before = (play.because(conflict.steps[-1], "settled here"),)
    match conflict.stage:
        case Stage.CALLED | Stage.MATCHED:
            play.illegal(
                "P15",
                f"{conflict.caller or 'Somebody'}'s conflict die lies on the table already",
                facts=(play.because(conflict.steps[0], "called here"),),
                help="settle that conflict first",
            )
        case Stage.BACKED_DOWN:
            play.illegal(
                "PA22",
                f"{conflict.challenged} backed down, so this scene is over",
                facts=before,
                help="end scene:  comes first",
            )
        case Stage.ROLLED:
            if play.ruling("scene_after_conflict") == "play-out":
                play.illegal(
                    "PA14",
                    "this scene has had its conflict; its loser opens another",
                    facts=before,
                    help="end scene:  and a new  scene:  come first",
                )


def back_down(play: Table, action: BackDown) -> None:
    """P16: nothing is rolled, nobody moves, the caller concludes."""
    state = play.state
    conflict = state.running()
    if conflict is None:
        return
    named = character(play, action.who) if action.who else ""
    who = named or own(play) or conflict.challenged
    play.step.headline = f"{who} backs down"
    play.require(
        named in ("", conflict.challenged),
        "P16",
        f"{who} backs down; {conflict.challenged} was challenged",
        at="main",
        facts=(play.because(conflict.steps[0], "called here"),),
    )
    if action.moves:
        play.require(
            not any(action.moves.values()),
            "P16",
            "nobody moves when somebody backs down",
            at="moves",
        )
        _apply_stated(play, {character(play, w): n for w, n in action.moves.items()}, "P16")
    if conflict.backers:
        play.illegal(
            "P16",
            "dice were laid down to back a side, but nothing is rolled; they go back",
            after=("early support",),
        )
        conflict.backers.clear()
    conflict.stage = Stage.BACKED_DOWN
    conflict.steps.append(play.step.index)
    _next_opener(play, conflict)
    play.event(
        f"{conflict.challenged or 'Somebody'} gives way; {conflict.caller or 'somebody'} concludes the scene",
        "P16",
        "backs down",
        who,
    )
    state.opener_step = play.step.index


def _next_opener(play: Table, conflict: Conflict) -> None:
    play.state.opener, play.state.opener_why = {
        "backed-down": (conflict.challenged, f"{conflict.challenged} backed down"),
        "caller": (conflict.caller, f"{conflict.caller} called the conflict"),
    }.get(play.ruling("opener_after_backdown"), ("", "anybody may open after a back-down"))


def match(play: Table, action: Match) -> None:
    """P17: the challenged player's own conflict die."""
    conflict = play.state.conflict
    joining = (
        conflict is not None
        and conflict.stage is Stage.MATCHED
        and play.ruling("principals") == "several"
    )
    if conflict is None or (conflict.stage is not Stage.CALLED and not joining):
        play.require(
            conflict is None or conflict.stage is not Stage.MATCHED,
            "P17",
            "this call is matched already",
            facts=(play.because(conflict.steps[-1], "matched here"),) if conflict else (),
        )
        return
    who = own(play)
    play.step.headline = f"{who or conflict.challenged} matches"
    if joining:
        conflict.joined[play.step.player] = conflict.challenged
        play.event(
            f"{who} lays down a conflict die beside {conflict.challenged}", "PA17", "matches"
        )
        return
    conflict.stage = Stage.MATCHED
    conflict.counter = str(action.version)
    conflict.steps.append(play.step.index)
    stands = f": {action.version}" if action.version else ""
    play.event(f"{conflict.challenged} stands by it{stands}", "P17", "matches", conflict.challenged)


# --- support --------------------------------------------------------------------------------------


def back(play: Table, action: Back) -> None:
    """P18: one commitment die of every other player, on either side, after the match."""
    conflict = play.state.conflict
    play.step.headline = "Dice are laid down"
    if conflict is None or conflict.stage in (Stage.BACKED_DOWN, Stage.ROLLED):
        return
    if conflict.stage is Stage.CALLED:
        play.taint("early support")
    if conflict.ties:
        play.illegal(
            "PA1",
            "a tie is rolled again with the dice on the table; no new support",
            facts=(play.because(conflict.steps[-1], "tied here"),),
        )
    conflict.steps.append(play.step.index)
    for word, sides in action.sides.items():
        who = player(play, word)
        if not who:
            continue
        principals = [character(play, side.name) for side in sides]
        dice = sum(side.count for side in sides)
        if play.state.characters.get(who) in conflict.principals:
            play.suspect(
                play.ruling("principals_commit") == "no",
                "P18",
                f"{who} is a principal of this conflict and cannot back a side",
                at=word,
            )
        wrong = [p for p in principals if p and p not in conflict.principals]
        if wrong:
            play.illegal(
                "P18",
                f"{listed(wrong)} is no principal of this conflict",
                at=word,
                help=f"back {listed(conflict.principals, 'or')}",
            )
            continue
        if len(set(principals)) > 1:
            play.illegal("P18", f"{who} backs both sides", at=word, help="choose one side")
        elif dice > 1 or who in conflict.backers:
            play.illegal(
                "P18",
                f"{who} lays down more than one commitment die",
                at=word,
                facts=(Fact("one die a player, in one conflict"),),
            )
            play.taint(f"dice:{who}")
        if not principals or not principals[0] or who in conflict.backers:
            continue
        if dice_of(play, who) < 1:
            play.illegal(
                "P18",
                f"{who} has no commitment die left",
                at=word,
                help="a sincere apology in a scene brings one back",
                after=(f"dice:{who}",),
            )
            play.taint(f"dice:{who}")
        conflict.backers[who] = principals[0]
        play.event(f"{who} backs {principals[0]}", "P18", "backs", who)


# --- the roll -------------------------------------------------------------------------------------


def roll(play: Table, action: Roll) -> None:
    """P19 to P24: count the sides, move the tokens, discard what was played."""
    conflict = play.state.conflict
    play.step.headline = "The dice fall"
    if conflict is None and play.gap:
        _of_nobodys(play, action)
    if conflict is None or conflict.stage in (Stage.BACKED_DOWN, Stage.ROLLED):
        return
    conflict.steps.append(play.step.index)
    sides = action.sides if isinstance(action.sides, dict) else {}
    rolled = {character(play, who): faces for who, faces in sides.items() if faces is not None}
    hidden = {character(play, who) for who, faces in sides.items() if faces is None}
    _caller_shown(play, action, conflict, {*rolled, *hidden})
    if not sides or hidden:
        _unrecorded(play, action, conflict, rolled)
        return
    if not _two_sides(play, action, conflict, rolled):
        return
    keys = {who: worth_of(play, who, rolled[who]) for who in conflict.principals}
    one, other = conflict.principals
    dice = {who: len(faces) for who, faces in rolled.items()}
    conflict.odds = told_odds(play, one, dice[one], other, dice[other])
    if not conflict.faces:
        conflict.faces = {who: str(faces) for who, faces in rolled.items()}
    ahead = verdict(keys[one], keys[other], play.rulings["tie"])
    by_verdict = {1: one, -1: other}.get(ahead, "")
    tied = keys[one] == keys[other]
    winner = _stated_winner(play, action, conflict, by_verdict, tied)
    if tied:
        winner = _tie(play, conflict)
    for who in conflict.principals:
        play.step.throws.append(Throw("fudge", tuple(rolled[who]), play.state.player(who)))
    _show(play, conflict, rolled, keys, winner)
    if not winner:
        return
    conflict.faces = {who: str(faces) for who, faces in rolled.items()}
    _won(play, action, conflict, winner, keys)


def _of_nobodys(play: Table, action: Roll) -> None:
    """A conflict whose call stands on pages that are lost: who won against whom is known all the same."""
    sides = action.sides if isinstance(action.sides, dict) else {}
    shown = {character(play, who): faces for who, faces in sides.items()}
    if len(shown) != 2 or "" in shown:
        return
    keys = {who: worth_of(play, who, faces) for who, faces in shown.items() if faces is not None}
    one, other = shown
    winner = character(play, action.winner) if action.winner is not None else ""
    if not winner and len(keys) == 2:
        # Who called whom is not known, so a tie has no winner by any reading.
        winner = {1: one, -1: other}.get(verdict(keys[one], keys[other], ""), "")
    if winner not in shown:
        return
    conflict = Conflict(0, play.step.scene or 0, one, other, "")
    play.event(f"{winner} wins; who called whom is not recorded", "P20", "wins", winner)
    _won(play, action, conflict, winner, keys)


def _won(
    play: Table, action: Roll, conflict: Conflict, winner: str, keys: Mapping[str, Worth]
) -> None:
    state = play.state
    conflict.winner = winner
    conflict.stage = Stage.ROLLED
    state.opener, state.opener_why = conflict.loser, f"{conflict.loser} lost the last conflict"
    state.opener_step = play.step.index
    _discard(play, conflict)
    _move_tokens(play, action, conflict, keys)


def _caller_shown(play: Table, action: Roll, conflict: Conflict, named: set[str]) -> None:
    """Whoever rolls against a principal, or wins, is the other one, where nobody wrote that down."""
    word = action.winner
    if word is not None and str(word).casefold() != "tie":
        named = named | {character(play, word)}
    others = named - {*conflict.principals, ""}
    if all(conflict.principals) or len(others) != 1:
        return
    (other,) = others
    if conflict.caller:
        conflict.challenged = other
        play.event(f"it was {other} who was called", "P15", "called", other)
    else:
        conflict.caller = other
        play.event(f"it was {other} who called", "P15", "calls", other)


def _unrecorded(play: Table, action: Roll, conflict: Conflict, rolled: Mapping[str, Faces]) -> None:
    """Faces that nobody wrote down: the winner may be known all the same, and what follows from that."""
    state = play.state
    word = action.winner
    if word is not None and str(word).casefold() == "tie":
        winner = _tie(play, conflict)
        if winner:
            _won(play, action, conflict, winner, {})
        return
    winner = character(play, word) if word is not None else ""
    conflict.faces = {who: str(faces) for who, faces in rolled.items()}
    if winner in conflict.principals:
        play.event(f"{winner} wins; not all faces are recorded", "P20", "wins", winner)
        _won(play, action, conflict, winner, {})
        return
    play.untold(
        "P20",
        "the faces are not recorded, so who won is not known",
        help="write who won:  winner: ...",
    )
    conflict.stage = Stage.ROLLED
    state.opener = state.opener_why = ""
    _discard(play, conflict)
    play.unrecorded(*map(track, conflict.principals))


def dice_due(play: Table, conflict: Conflict, who: str) -> list[tuple[str, int]]:
    """P19: what a principal's side rolls, and from whom it comes."""
    joined = list(conflict.joined.values()).count(who)
    found = [("conflict die", 1 + joined)]
    found += [(f"{backer}'s commitment die", 1) for backer in conflict.side(who)]
    usual = sum(count for _, count in found)
    more = answer(play, DICE, usual, who, conflict) - usual
    return [*found, ("a rule of the table", more)] if more else found


def _two_sides(play: Table, action: Roll, conflict: Conflict, rolled: dict[str, Faces]) -> bool:
    whole = True
    for who in conflict.principals:
        if who not in rolled:
            play.illegal(
                "P19",
                f"no dice for {who or 'the other'}'s side",
                at="main",
                help=f"roll: {{{one_of(conflict.caller)}: ..., {one_of(conflict.challenged)}: ...}}",
            )
            whole = False
            continue
        due = sum(count for _, count in dice_due(play, conflict, who))
        if len(rolled[who]) != due:
            play.illegal(
                "P19",
                f"{who}'s side rolls {plural(due, 'die', 'dice')}, not {len(rolled[who])}",
                at=action.place("main", *_key(action, who, play)),
                label=f"1 conflict die and {plural(due - 1, 'commitment die', 'commitment dice')}",
                facts=tuple(Fact(f"{backer} backs {who}") for backer in conflict.side(who)),
            )
    strangers = [who for who in rolled if who and who not in conflict.principals]
    play.require(
        not strangers,
        "PA17",
        f"{listed(strangers)} is no principal; a conflict has two sides",
        at="main",
        help="dice of supporters are rolled with the side they back",
    )
    return whole


def one_of(name: str) -> str:
    """A name as it would be typed as a key."""
    import json

    return (
        name if re.fullmatch(r"[^\W\d_][\w .'-]*", name) else json.dumps(name, ensure_ascii=False)
    )


def _key(action: Roll, who: str, play: Table) -> tuple[str, ...]:
    for word in action.sides if isinstance(action.sides, dict) else ():
        if character(play, word) == who:
            return (str(word),)
    return ()


def _stated_winner(play: Table, action: Roll, conflict: Conflict, winner: str, tied: bool) -> str:
    """The winner that the log states, held against the ``winner`` that the dice make; empty for a tie."""
    if action.winner is None:
        return winner
    stated = "" if str(action.winner).casefold() == "tie" else character(play, action.winner)
    if stated == winner or (tied and not stated):
        return winner
    if stated and stated not in conflict.principals:
        play.illegal("P20", f"{stated} is no principal of this conflict", at="winner")
        return winner
    if tied:
        play.suspect(
            True,
            "P20",
            f"both sides are equal: a tie, not a win for {stated}",
            at="winner",
            help="the number of dice does not count; roll the dice on the table again",
        )
    else:
        play.illegal(
            "P20",
            f"{winner} wins, not {stated or 'nobody'}: more +, and if equal more blanks; "
            "- faces do not count",
            at="winner",
        )
    return winner


def _tie(play: Table, conflict: Conflict) -> str:
    reading = play.ruling("tie")
    if verdict(EVEN, EVEN, reading) < 0:
        play.event("A tie: the caller loses", "PA1", "tie")
        return conflict.challenged
    match reading:
        case "reroll":
            conflict.ties += 1
            play.event("A tie: the dice on the table are rolled again", "PA1", "tie")
            return ""
        case _:
            conflict.stage = Stage.ROLLED
            play.event("A tie: nobody moves and the scene ends", "PA1", "tie")
            play.state.opener = ""
            play.state.opener_why = "the last conflict was tied"
            _discard(play, conflict)
            return ""


@drawn
def _show(
    play: Table, conflict: Conflict, rolled: dict[str, Faces], keys: dict[str, Worth], winner: str
) -> None:
    state = play.state

    def side(who: str) -> Side:
        owners = [state.player(who), *conflict.side(who)]
        return Side(
            name=who,
            player=state.player(who),
            dice=tuple(
                ShownDie(face, hit=plus, die="fudge", void=face == "-" and not plus)
                for face in rolled[who]
                for plus in (is_plus(play, who, face),)
            ),
            sources=tuple(
                Source(f"{owner}: {die}", owner, die)
                for owner, die in zip(
                    owners, ("conflict die", *("commitment die" for _ in owners)), strict=False
                )
            ),
            result=f"{keys[who][0]} plus, {plural(keys[who][1], 'blank')}",
            won=who == winner,
        )

    one, other = conflict.principals
    by_blanks = keys[one][0] == keys[other][0]
    score = f"{keys[one][by_blanks]} : {keys[other][by_blanks]}"
    unit = f"blanks, with {keys[one][0]} plus each" if by_blanks else "plus"
    play.step.contest = Contest(
        title=conflict.version,
        sides=tuple(side(who) for who in conflict.principals),
        score=score,
        unit=unit,
        odds=conflict.odds and conflict.odds._replace(lead="before the roll: "),
        outcome=(f"{winner} wins",) if winner else ("a tie",),
        rule="P20",
        verdict=f"{compared(keys[one][by_blanks], keys[other][by_blanks])}: "
        + (f"it was as {winner} says" if winner else "a tie"),
    )
    if winner:
        play.event(f"{score} ({unit}): {winner} wins", "P20", "wins", winner)


def _discard(play: Table, conflict: Conflict) -> None:
    for backer in conflict.backers:
        play.pay(
            f"dice:{backer}",
            BOX,
            1,
            DIE,
            "P23",
            "played in a conflict",
            message=f"{backer} has no commitment die left to have played",
        )


# --- tokens ---------------------------------------------------------------------------------------


def _move_tokens(play: Table, action: Roll, conflict: Conflict, keys: Mapping[str, Worth]) -> None:
    state = play.state
    winners = _movers(play, conflict, conflict.winner)
    losers = _movers(play, conflict, conflict.loser)
    counts = [keys[who][0] for who in conflict.principals if who in keys]
    by_margin = play.ruling("loss_step") == "margin"
    down = max(1, abs(counts[0] - counts[1])) if by_margin and len(counts) == 2 else 1
    due = {who: answer(play, UP, 1, who) for who in winners}
    due |= {who: -answer(play, DOWN, down, who) for who in losers}
    stated = {character(play, word): steps for word, steps in (action.moves or {}).items()}
    if by_margin and len(counts) < 2:
        # By how much it was lost stands on a die that nobody wrote down: at least one step.
        due |= {who: min(stated.get(who, 0), -1) for who in losers}
        play.unrecorded(*(track(who) for who in losers if who not in stated))
    moves = due if action.moves is None else _compared(play, action, due, stated)
    conflict.moved = moves
    before = {who: position(play, who) for who in moves}
    _apply_stated(play, moves, "")
    _arrivals(play, conflict, before)
    for rule, sign in (("P21", 1), ("P22", -1)):
        told = [
            f"{who} to {square_name(position(play, who))}"
            for who, steps in moves.items()
            if steps * sign > 0
        ]
        if told:
            play.event(f"{'Up' if sign > 0 else 'Down'}: {', '.join(told)}", rule, "moves")
    if state.ejected and state.ejected_step == play.step.index:
        play.event(
            f"{listed(state.ejected)} moves beyond Expelled: the game ends", "P25", "ejected"
        )


def _movers(play: Table, conflict: Conflict, principal: str) -> list[str]:
    state = play.state
    movers = [principal]
    if play.ruling("supporters_move") == "yes":
        movers += [state.characters.get(p, "") for p in conflict.side(principal)]
    movers += [
        state.characters.get(p, "") for p, side in conflict.joined.items() if side == principal
    ]
    return [who for who in dict.fromkeys(movers) if who and who not in state.ejected]


def _compared(
    play: Table, action: Roll, due: dict[str, int], stated: dict[str, int]
) -> dict[str, int]:
    """What the log says moved, each wrong one reported under the rule that says otherwise."""
    for who in dict.fromkeys([*due, *stated]):
        expected, told = due.get(who, 0), stated.get(who, 0)
        if who and expected != told:
            rule = "P22" if (expected or told) < 0 else "P21"
            if expected == 0:
                message = f"{who} moves {told:+d}, but put no die on a side"
            elif told == 0:
                message = (
                    f"{who} is on the {'winning' if expected > 0 else 'losing'} side and stays"
                )
            else:
                message = f"{who} moves {expected:+d}, not {told:+d}"
            typed = next((str(w) for w in action.moves or {} if character(play, w) == who), "")
            play.illegal(rule, message, at=action.place_of_key("moves", typed))
            play.taint(track(who))
    return {who: steps for who, steps in stated.items() if who}


def _apply_stated(play: Table, moves: dict[str, int], rule: str) -> None:
    low, high = ends(play)
    for who, steps in moves.items():
        if not who:
            continue
        here = position(play, who)
        there = max(here + steps, low - 1)
        if there > high:
            reading = play.ruling("beyond_inclusion")
            there = max(here, high) if reading == "stay" else there
            play.state.over |= reading == "end"
        why = rule or ("P21" if steps > 0 else "P22")
        play.move(START_LINE, track(who), there - here, STEP, why, "the conflict")


def _arrivals(play: Table, conflict: Conflict, before: dict[str, int]) -> None:
    state = play.state
    low, _ = ends(play)
    out = [who for who in before if position(play, who) < low and before[who] >= low]
    if len(out) > 1 and play.ruling("double_ejection") == "principal":
        principals = [who for who in out if who in conflict.principals]
        for who in out:
            if principals and who not in principals:
                play.move(START_LINE, track(who), low - position(play, who), STEP, "PA11", "stays")
    if play.ruling("beyond_inclusion") == "end" and state.over:
        state.ejected_step = state.ejected_step or play.step.index
    thresholds(play, before)
