"""Conflict: the roll, and what it does to dice and tokens (P19 to P23)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chronicle.core.answers import Obligation
from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, Fact, listed, plural
from chronicle.core.dice import Faces, ShownDie
from chronicle.core.field_types import (
    NAME,
    UNRECORDED,
    WHOLE,
    EitherOf,
    MapOf,
    MapOr,
    OrUnrecorded,
    choice,
    in_role,
)
from chronicle.core.figures import comparison_in_words
from chronicle.core.fix import RemoveKey, SetKey, make_fix, replace_with
from chronicle.core.formula import TEXT as WORDS
from chronicle.core.formula import YES_NO
from chronicle.core.game_context import only_for_readers
from chronicle.core.guards import Violation, guard
from chronicle.core.house_rules import (
    SUBJECT_NAME,
    ExtensionPoint,
    FormulaName,
    answer,
    balance_of,
    expected,
)
from chronicle.core.law import Decider, Role
from chronicle.core.play_field_types import faces
from chronicle.core.ranges import UNKNOWN, Range, Unknown, exactly, known
from chronicle.core.record import Contest, Side, Source, Throw
from chronicle.core.sentences import Sentence, said
from chronicle.games.positive.conflict import (
    MATCH_FIRST,
    id_of,
    not_in_conflict,
    reveal_principals,
    shown_principals,
)
from chronicle.games.positive.dice import (
    FUDGE_DIE,
    ToldOdds,
    Worth,
    caller_loses_ties,
    verdict,
    worth_of_face,
)
from chronicle.games.positive.ending import move_tokens, surely_stays
from chronicle.games.positive.scenes import gives_right
from chronicle.games.positive.setup import no_die_left, spend_dice
from chronicle.games.positive.state import (
    CALLED,
    MATCHED,
    STEP,
    Conflict,
    Someone,
    Stage,
    Table,
    find_character,
    position,
    square_name,
)

if TYPE_CHECKING:
    from chronicle.core.outcomes import Outcome, Telling
    from chronicle.core.record import Step

RULES = """
# Conflict
P19 Each side rolls once [checked]
  A side rolls its conflict die and all commitment dice that were put on it, together.
P20 More +, then more blanks [computed]
  The side with more + wins; if they are equal, the side with more blanks. Dice that show - do not count, nor does the
  number of dice.
P21 Winners step towards Inclusion [computed]
  The tokens of the winning side all go one step towards Inclusion.
P22 Losers step towards Expelled [computed]
  The tokens of the losing side go the other way.
P23 Played dice are gone [computed]
  Commitment dice that were rolled are discarded, on both sides. Conflict dice go back to the hand.
"""

READINGS = """
PA1 tie: Both sides show as many + and as many blanks. What then?
  - reroll: the dice on the table are rolled again; no new support, and support is discarded once
  - nobody-moves: no token moves, support is discarded, the scene ends; any player opens next
  - caller-loses: the challenged player's version is true
  because the loser opens the next scene, so there must be a loser (P20, P11)
PA2 supporters_move: Do the tokens of those who backed a side move with it?
  - yes: everybody who put a die on a side moves with it, up or down
  - no: only the two principals move
  because the text moves all tokens of the winning side, and uninvolved characters may join a side (P21, P22)
PA3 loss_step: How far do the tokens of the losing side go?
  - one: one step
  - margin: as many steps as it had + fewer, at least one
  because one step mirrors what the winners do (P22)
PA24 winner_with_minus: The winner's own die shows -. Do they still win?
  - yes: yes: sides are compared, not dice
  because the comparison is between sides (P20)
"""

ERRATA = """
PT2 The example roll cannot happen [P18 P19]
  The text compares two sides of three dice each. Two conflict dice and one commitment die from each of the other
  players make at most five dice with five players, and four with four. So there are never six dice. The
  example shows the ranking and nothing else.
"""

TERMS = """\
Inclusion [P21]: The upper end of the Track. Those who win a conflict go a step towards it.
Expelled [P22]: The lower end, towards which those go who lose.
"""

# --- house rules ----------------------------------------------------------------------------------

_SQUARE: Final = {
    "who": SUBJECT_NAME,
    "square": FormulaName(
        "the character's distance from Start, below 0 towards Expelled",
        balance_of("track", STEP),
    ),
}
DICE: Final = ExtensionPoint(
    "dice of a side",
    "how many dice the side of a principal rolls in a conflict",
    ("P19",),
    {
        **_SQUARE,
        "backers": FormulaName(
            "how many back that side",
            lambda play, character, conflict: len(conflict.side(character)),
        ),
    },
    least=1,
    most=40,
)
UP: Final = ExtensionPoint("steps up", "how far a winner's token moves", ("P21",), _SQUARE, most=10)
DOWN: Final = ExtensionPoint(
    "steps down", "how far a loser's token moves", ("P22",), _SQUARE, most=10
)
PLUS: Final = ExtensionPoint(
    "plus",
    "whether a die counts as a plus for the side of a principal",
    ("P20",),
    {
        **_SQUARE,
        "face": FormulaName(
            "what the die shows: '+', 'o' or '-'", lambda play, character, face: face, WORDS
        ),
    },
    value_type=YES_NO,
)

# --- the dice -------------------------------------------------------------------------------------

Ask = Callable[..., Any]
"""How a house rule is asked: :func:`answer` in effects, :func:`expected` in guards."""


def is_plus(play: Table, character: str, face: str) -> bool:
    """P20: what counts for a side."""
    return answer(play, PLUS, face == "+", character, face)


def worth_of(play: Table, character: str, rolled: Iterable[str], ask: Ask = expected) -> Worth:
    """P20: what a side is worth."""
    dice = [worth_of_face(face, ask(play, PLUS, face == "+", character, face)) for face in rolled]
    return sum(plus for plus, _ in dice), sum(blank for _, blank in dice)


def dice_due(
    play: Table, conflict: Conflict, character: str, ask: Ask = expected
) -> list[tuple[str, int]]:
    """P19: what a principal's side rolls, and from whom it comes."""
    joined = list(conflict.joined.values()).count(character)
    dice = [("conflict die", 1 + joined)]
    dice += [(f"{backer}'s commitment die", 1) for backer in conflict.side(character)]
    usual = sum(count for _, count in dice)
    extra = ask(play, DICE, usual, character, conflict) - usual
    return [*dice, ("a rule of the table", extra)] if extra else dice


def count_due(play: Table, conflict: Conflict, character: str) -> int:
    """P19: how many dice a principal's side rolls."""
    return sum(count for _, count in dice_due(play, conflict, character))


def told_odds(play: Table, character: str, dice: int, second: str, dice_against: int) -> ToldOdds:
    """The chance that the caller wins, with the numbers of dice of both sides."""

    def pluses(side: str) -> str:
        return "".join(f for f in FUDGE_DIE.faces if expected(play, PLUS, f == "+", side, f))

    return ToldOdds(
        character,
        dice,
        pluses(character),
        second,
        dice_against,
        pluses(second),
        play.rulings["tie"],
    )


class Fall(NamedTuple):
    """The result of the dice of a conflict.

    Attributes:
        caller: who called, if the roll shows it.
        challenged: who was called, if the roll shows it.
        faces: the faces of each side that is recorded.
        worth: what they are worth.
        winner: the winner by the dice, or as the log says it where they are not all recorded; empty for a tie,
            UNKNOWN where nobody can say.
        by_dice: whether the faces of both sides decide it.
    """

    caller: Someone
    challenged: Someone
    faces: Mapping[str, Faces]
    worth: Mapping[str, Worth]
    winner: Someone
    by_dice: bool

    @property
    def is_tied(self) -> bool:
        """Whether both sides are worth the same."""
        if self.by_dice:
            return len({*self.worth.values()}) == 1
        return self.winner == ""

    @property
    def principals(self) -> tuple[Someone, Someone]:
        """Caller first."""
        return (self.caller, self.challenged)

    def written(self) -> dict[str, str]:
        """The faces as text, for the state."""
        return {character: str(rolled) for character, rolled in self.faces.items()}


def worths_possible(play: Table, conflict: Conflict, fall: Fall, character: Someone) -> set[Worth]:
    """P19, P20: what the dice of a side can be worth: one worth if the faces are recorded.

    Raises:
        CannotTell: if the character is not recorded.
    """
    side = known(character)
    if side in fall.worth:
        return {fall.worth[side]}
    throws = combinations_with_replacement(FUDGE_DIE.faces, count_due(play, conflict, side))
    return {worth_of(play, side, throw) for throw in throws}


def results_possible(play: Table, conflict: Conflict, fall: Fall) -> set[str]:
    """P20, PA1: the winners that some throw of the unrecorded dice gives, with ``""`` for a tie.

    Raises:
        CannotTell: if a principal is not recorded.
    """
    caller, challenged = map(known, fall.principals)
    first = worths_possible(play, conflict, fall, caller)
    second = worths_possible(play, conflict, fall, challenged)
    winners = {1: caller, 0: "", -1: challenged}
    results = set[str]()
    for worth, other_worth in product(first, second):
        if worth == other_worth:
            results.add("")
        results.add(winners[verdict(worth, other_worth, play.rulings["tie"])])
    return results


class Roll(Action):
    """Roll both sides: each principal's conflict die first, then the dice of those who back them."""

    verb = "roll"
    synonyms = ("dice", "throw")
    already_shown_kinds = frozenset({"wins"})
    decides = Decides("sides", "P19", kind=DiagnosticKind.SUSPICIOUS)
    moment = Moment(
        (MATCHED,),
        Refusal(
            "P19",
            "there is no matched conflict to roll for",
            after=("dropped:call", "dropped:match"),
        ),
        {
            CALLED: Refusal(
                "P17",
                "{challenged} has not matched; without two conflict dice nothing is rolled",
                after=("dropped:match",),
                fixes=(MATCH_FIRST,),
            )
        },
    )
    offered = Offered("P19", "roll both sides")
    example = "roll: {Jonas: +o-, Petra: o+}"
    sides = main(
        MapOr(
            MapOf(
                in_role("named", NAME),
                OrUnrecorded(faces(FUDGE_DIE)),
                "a mapping from caller and challenged to their faces",
            ),
            choice(UNRECORDED),
            words="a mapping from caller and challenged to their faces, or unrecorded",
        ),
        "{principal: faces}, o for a blank; unrecorded, for one side or for both",
    )
    winner = option(
        EitherOf(choice("tie"), in_role("named", NAME), words="a name or tie"),
        "who won; checked, and taken as said where faces are unrecorded",
        computed=True,
    )
    moves = option(
        MapOf(in_role("named", NAME), WHOLE),
        "steps of tokens, towards Inclusion positive; checked",
        computed=True,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        conflict = play.state.running()
        if conflict is None:
            return
        counts = {
            character: count_due(play, conflict, character)
            for character in conflict.principals
            if isinstance(character, str)
        }
        if len(counts) < 2:
            yield from (
                {"roll": UNRECORDED, "winner": character} for character in play.state.everybody()
            )
            return
        for pair in ("+o", "o+", "-+", "+-", "o-", "-o", "++"):
            shown = zip(counts, pair, strict=False)
            yield {"roll": {character: face * counts[character] for character, face in shown}}

    def sentence(self, play: Table) -> Sentence:
        conflict = play.state.running()
        winner = self.fall(play, conflict).winner if conflict is not None else ""
        if isinstance(winner, str) and winner:
            return said("The dice fall: {} wins.", winner)
        return ("The dice fall.",)

    # The parts of the entry.

    def shown(self, play: Table) -> dict[str, Faces | None]:
        """The faces of each character named; None for unrecorded faces."""
        sides = self.sides if isinstance(self.sides, dict) else {}
        named = {find_character(play, word): rolled for word, rolled in sides.items()}
        return {character: rolled for character, rolled in named.items() if character}

    def stated_winner(self, play: Table) -> str | None:
        """The winner that the log states; empty for a tie, None if it states none."""
        if self.winner is None:
            return None
        if str(self.winner).casefold() == "tie":
            return ""
        return find_character(play, self.winner) or None

    def principals(self, play: Table, conflict: Conflict) -> tuple[Someone, Someone]:
        """Caller and challenged. If one of them is not recorded, it is the character who rolls against the
        other, or wins."""
        return shown_principals(conflict, {*self.shown(play), self.stated_winner(play) or ""})

    def fall(self, play: Table, conflict: Conflict, ask: Ask = expected) -> Fall:
        """P20, PA1: the result of the dice."""
        caller, challenged = self.principals(play, conflict)
        recorded = {
            character: rolled
            for character, rolled in self.shown(play).items()
            if rolled is not None and character in (caller, challenged)
        }
        worth = {
            character: worth_of(play, character, rolled, ask)
            for character, rolled in recorded.items()
        }
        winner: Someone = UNKNOWN
        if caller in worth and challenged in worth:
            ahead = verdict(worth[id_of(caller)], worth[id_of(challenged)], play.rulings["tie"])
            winner = {1: caller, 0: "", -1: challenged}[ahead]
            return Fall(caller, challenged, recorded, worth, winner, by_dice=True)
        stated = self.stated_winner(play)
        if stated == "" or (stated and stated in (caller, challenged)):
            winner = stated
        return Fall(caller, challenged, recorded, worth, winner, by_dice=False)

    def is_incomplete(self, play: Table) -> bool:
        """Whether the log says itself that not all faces are recorded."""
        shown = self.shown(play)
        return not isinstance(self.sides, dict) or None in shown.values()

    # Guards.

    @guard("P19", at="main")
    def both_sides_roll(self, play: Table) -> Iterator[Violation]:
        conflict = play.state.running()
        if conflict is None:
            return
        sides = self.principals(play, conflict)
        shown = self.shown(play)
        for character in sides if isinstance(self.sides, dict) else ():
            if character not in shown and not self.is_incomplete(play):
                names = [typed_name(str(side)) for side in sides]
                yield Violation(
                    f"no dice for {character}'s side",
                    help=f"roll: {{{names[0]}: ..., {names[1]}: ...}}",
                )

    @guard("P19")
    def each_die_is_rolled(self, play: Table) -> Iterator[Violation]:
        conflict = play.state.running()
        if conflict is None:
            return
        for character, rolled in self.fall(play, conflict).faces.items():
            due = count_due(play, conflict, character)
            if len(rolled) == due:
                continue
            dice = plural(due - 1, "commitment die", "commitment dice")
            yield Violation(
                f"{character}'s side rolls {plural(due, 'die', 'dice')}, not {len(rolled)}",
                play.step.action.place("main", *self._typed(play, character)),
                place_label=f"1 conflict die and {dice}",
                facts=[Fact(f"{backer} backs {character}") for backer in conflict.side(character)],
            )

    @guard("PA17", at="main", help="dice of supporters are rolled with the side they back")
    def only_principals_roll(self, play: Table) -> str | None:
        conflict = play.state.running()
        if conflict is None:
            return None
        sides = self.principals(play, conflict)
        strangers = [character for character in self.shown(play) if character not in sides]
        if not strangers or UNKNOWN in sides:
            return None
        return not_in_conflict(strangers, sides)

    @guard("P20", at="winner")
    def more_plus_wins(self, play: Table) -> Violation | None:
        conflict, stated = play.state.running(), self.stated_winner(play)
        if conflict is None or stated is None:
            return None
        fall = self.fall(play, conflict)
        if stated and stated not in fall.principals:
            if UNKNOWN in fall.principals:
                return None
            sides = [*map(str, fall.principals)]
            return Violation(not_in_conflict([stated], sides), fix=replace_with(sides))
        if not fall.by_dice:
            return self._can_win(play, conflict, fall, stated)
        if stated == fall.winner or (fall.is_tied and not stated):
            return None
        if fall.is_tied:
            return Violation(
                f"both sides are equal: a tie, not a win for {stated}",
                fix=replace_with(["tie"]),
                help="the number of dice does not count; roll the dice on the table again",
                kind=DiagnosticKind.SUSPICIOUS,
            )
        return Violation(
            f"{fall.winner} wins, not {stated or 'nobody'}: more +, and if equal more blanks; "
            "a minus does not count",
            fix=replace_with([str(fall.winner) or "tie"]),
        )

    def _can_win(
        self, play: Table, conflict: Conflict, fall: Fall, stated: str
    ) -> Violation | None:
        """Whether any throw of the dice that nobody wrote down gives this result."""
        if stated in results_possible(play, conflict, fall):
            return None
        result = f"{stated} cannot have won" if stated else "it cannot have been a tie"
        shown = [f"{character} shows {rolled}" for character, rolled in fall.faces.items()]
        return Violation(
            f"{result}: {listed(shown) or 'no throw of these dice gives that'}",
            fix=make_fix(RemoveKey("winner")),
        )

    @guard("P21")
    def tokens_move_as_they_should(self, play: Table) -> Iterator[Violation]:
        conflict = play.state.running()
        if conflict is None or self.moves is None:
            return
        fall, stated = self.fall(play, conflict), self.stated_moves(play)
        if fall.is_tied and caller_loses_ties(play.rulings["tie"]):
            fall = fall._replace(winner=fall.challenged)
        if isinstance(fall.winner, Unknown):
            possible = results_possible(play, conflict, fall)
            if caller_loses_ties(play.rulings["tie"]):
                possible.discard("")
            if not any(_fits(play, conflict, fall, winner, stated) for winner in possible):
                yield Violation(
                    "whoever won, the tokens move otherwise",
                    "moves",
                    make_fix(RemoveKey("moves")),
                )
            return
        due = steps_due(play, conflict, fall, expected) if fall.winner else {}
        for character in dict.fromkeys([*due, *stated]):
            steps, stated_steps = due.get(character, exactly(0)), stated.get(character, 0)
            if steps.may_be(stated_steps):
                continue
            rule = "P22" if (steps.lowest or stated_steps) < 0 else "P21"
            message = f"{character} moves {_signed(steps)}, not {stated_steps:+d}"
            if not fall.winner:
                message = f"no token moves on a tie, and {character} moves {stated_steps:+d}"
            elif steps == exactly(0) and character in due:
                rule = "PA4"
                message = f"{character} is on Inclusion and stays there, so moves 0, not {stated_steps:+d}"
            elif steps == exactly(0):
                message = f"{character} moves {stated_steps:+d}, but put no die on a side"
            elif stated_steps == 0:
                side = "losing" if rule == "P22" else "winning"
                message = f"{character} is on the {side} side and stays"
            typed = next((str(w) for w in self.moves if find_character(play, w) == character), "")
            yield Violation(
                message,
                self.place_of_key("moves", typed),
                make_fix(RemoveKey("moves")),
                rule=rule,
                doubts=[f"track:{character}"],
            )

    @guard("P23", help="a sincere apology in a scene brings one back")
    def backers_have_their_dice(self, play: Table) -> Iterator[Violation]:
        conflict = play.state.running()
        for backer in conflict.backers if conflict is not None else ():
            message = f"{backer} has no commitment die left to have played"
            broken = no_die_left(play, backer, message)
            if broken is not None:
                yield broken

    def stated_moves(self, play: Table) -> dict[str, int]:
        """The steps that the log states."""
        moves = {find_character(play, word): steps for word, steps in (self.moves or {}).items()}
        return {character: steps for character, steps in moves.items() if character}

    def _typed(self, play: Table, character: str) -> tuple[str, ...]:
        """The key of a side as typed."""
        sides = self.sides if isinstance(self.sides, dict) else {}
        return tuple(str(word) for word in sides if find_character(play, word) == character)[:1]

    # The effect.

    def outcomes(self, telling: Telling, step: Step) -> Iterator[Outcome]:
        """Who is believed, and who is expelled."""
        from chronicle.games.positive.outcomes import believed, expelled

        for event in step.events:
            if event.kind == "wins":
                yield believed(telling, step, event)
            elif event.kind == "ejected":
                yield expelled(telling, step, event)

    def apply(self, play: Table) -> None:
        conflict = play.state.conflict
        if conflict is None and play.gap:
            self._roll_for_a_lost_call(play)
        if conflict is None or conflict.stage in (Stage.BACKED_DOWN, Stage.ROLLED):
            return
        conflict.steps.append(play.step.number)
        fall = self.fall(play, conflict, answer)
        reveal_principals(play, conflict, fall.principals)
        if not fall.by_dice and not self.is_incomplete(play):
            return
        if isinstance(fall.winner, Unknown):
            conflict.faces = fall.written()
            self._leave_open(play, conflict)
            return
        if fall.by_dice:
            for character in fall.faces:
                dice_due(play, conflict, character, answer)
            first, second = map(id_of, fall.principals)
            counts = {character: len(rolled) for character, rolled in fall.faces.items()}
            conflict.odds = told_odds(play, first, counts[first], second, counts[second])
            conflict.faces = conflict.faces or fall.written()
        winner = _settle_tie(play, conflict) if fall.is_tied else fall.winner
        if fall.by_dice:
            for character in map(id_of, fall.principals):
                play.step.throws.append(
                    Throw("fudge", tuple(fall.faces[character]), play.state.player(character))
                )
            show_contest(play, conflict, fall, winner)
        elif winner and not fall.is_tied:
            play.event(f"{winner} wins; not all faces are recorded", "P20", "wins", winner)
        if winner:
            conflict.faces = fall.written() if not fall.is_tied or fall.by_dice else conflict.faces
            self._win(play, conflict, fall, winner)

    def _roll_for_a_lost_call(self, play: Table) -> None:
        """A conflict whose call is not recorded: the winner and the loser count nevertheless."""
        shown, winner = self.shown(play), self.stated_winner(play)
        if len(shown) != 2:
            return
        first, second = shown
        conflict = Conflict(0, play.step.scene or 0, first, second, "")
        fall = self.fall(play, conflict)
        if winner not in shown and fall.by_dice and not fall.is_tied:
            # Who called whom is not known, so a tie has no winner by any reading.
            winner = id_of(fall.winner)
        if winner in shown and winner:
            play.event(f"{winner} wins; who called whom is not recorded", "P20", "wins", winner)
            self._win(play, conflict, fall, winner)

    def _leave_open(self, play: Table, conflict: Conflict) -> None:
        """Neither faces nor a winner: the effects are unknown until the log states them."""
        play.untold(
            "P20",
            "the faces are not recorded, so who won is not known",
            fix=[
                make_fix(SetKey("winner", character))
                for character in conflict.principals
                if isinstance(character, str)
            ],
        )
        conflict.stage = Stage.ROLLED
        gives_right(play, "", "")
        discard(play, conflict)
        play.unrecorded(*(f"track:{character}" for character in conflict.principals))

    def _win(self, play: Table, conflict: Conflict, fall: Fall, winner: str) -> None:
        """P21 to P24: the winner is known, and what follows from that."""
        conflict.winner, conflict.stage = winner, Stage.ROLLED
        loser = conflict.loser
        gives_right(play, loser, f"{loser} lost the last conflict")
        discard(play, conflict)
        stated = self.stated_moves(play)
        due = steps_due(play, conflict, fall._replace(winner=winner), answer)
        play.unrecorded(
            *(
                f"track:{character}"
                for character, steps in due.items()
                if not steps.is_known and character not in stated
            )
        )
        moves = {character: stated.get(character, 0) for character in stated}
        if self.moves is None:
            # The margin may depend on unrecorded dice: at least one step.
            moves = {character: steps.highest or 0 for character, steps in due.items()}
        conflict.moved = moves
        move_tokens(play, moves, conflict)
        for rule, sign, words in (("P21", 1, "Up"), ("P22", -1, "Down")):
            stated_steps = [
                f"{character} to {square_name(position(play, character))}"
                for character, steps in moves.items()
                if steps * sign > 0
            ]
            if stated_steps:
                play.event(f"{words}: {', '.join(stated_steps)}", rule, "moves")
        out = play.state.ejected
        if out and play.state.ejected_step == play.step.number:
            play.event(f"{listed(out)} moves beyond Expelled: the game ends", "P25", "ejected")


def _signed(steps: Range) -> str:
    """Steps as a message says them."""
    return f"{steps.number:+d}" if steps.is_known else str(steps)


def typed_name(name: str) -> str:
    """A name as it would be typed as a key."""
    import json

    plain = re.fullmatch(r"[^\W\d_][\w .'-]*", name)
    return name if plain else json.dumps(name, ensure_ascii=False)


def _settle_tie(play: Table, conflict: Conflict) -> str:
    """PA1: what becomes of a tie. The winner, if the reading gives one."""
    reading = play.ruling("tie")
    if caller_loses_ties(reading):
        play.event("A tie: the caller loses", "PA1", "tie")
        return id_of(conflict.challenged)
    if reading == "reroll":
        conflict.ties += 1
        play.event("A tie: the dice on the table are rolled again", "PA1", "tie")
        return ""
    conflict.stage = Stage.ROLLED
    play.event("A tie: no token moves and the scene ends", "PA1", "tie")
    gives_right(play, "", "the last conflict was tied")
    discard(play, conflict)
    return ""


def discard(play: Table, conflict: Conflict) -> None:
    """P23: the commitment dice that were rolled are gone."""
    for backer in conflict.backers:
        spend_dice(play, backer, 1, "P23", "played in a conflict")


@only_for_readers
def show_contest(play: Table, conflict: Conflict, fall: Fall, winner: str) -> None:
    """The card of a roll, for readers."""
    state = play.state

    def side(character: str) -> Side:
        owners = [state.player(character), *conflict.side(character)]
        kinds = ("conflict die", *("commitment die" for _ in owners))
        return Side(
            name=character,
            player=state.player(character),
            dice=tuple(
                ShownDie(face, hit=plus, die="fudge", void=face == "-" and not plus)
                for face in fall.faces[character]
                for plus in (is_plus(play, character, face),)
            ),
            sources=tuple(
                Source(f"{owner}: {die}", owner, die)
                for owner, die in zip(owners, kinds, strict=False)
            ),
            result=f"{fall.worth[character][0]} plus, {plural(fall.worth[character][1], 'blank')}",
            won=character == winner,
        )

    first, second = map(id_of, fall.principals)
    by_blanks = fall.worth[first][0] == fall.worth[second][0]
    first_worth, second_worth = fall.worth[first][by_blanks], fall.worth[second][by_blanks]
    unit = f"blanks, with {fall.worth[first][0]} plus each" if by_blanks else "plus"
    ends_with = f"it was as {winner} says" if winner else "a tie"
    play.step.contest = Contest(
        title=conflict.version,
        sides=(side(first), side(second)),
        score=f"{first_worth} : {second_worth}",
        unit=unit,
        odds=conflict.odds and conflict.odds._replace(lead="chances before the roll: "),
        outcome=(f"{winner} wins",) if winner else ("a tie",),
        rule="P20",
        verdict=f"{comparison_in_words(first_worth, second_worth)}: {ends_with}",
    )
    if winner:
        play.event(f"{first_worth} : {second_worth} ({unit}): {winner} wins", "P20", "wins", winner)


# --- the tokens -----------------------------------------------------------------------------------


def _fits(
    play: Table, conflict: Conflict, fall: Fall, winner: str, stated: Mapping[str, int]
) -> bool:
    """Whether stated steps may be right if one of the principals has won, or nobody."""
    due = steps_due(play, conflict, fall._replace(winner=winner), expected) if winner else {}
    return all(
        due.get(character, exactly(0)).may_be(stated.get(character, 0))
        for character in dict.fromkeys([*due, *stated])
    )


def steps_due(play: Table, conflict: Conflict, fall: Fall, ask: Ask) -> dict[str, Range]:
    """P21, P22, PA2, PA3, PA4: the steps of each token. The margin of a loss is a range if it depends on unrecorded
    dice."""
    winner = known(fall.winner)
    first, second = fall.principals
    loser = second if winner == first else first
    margin = exactly(1)
    if play.ruling("loss_step") == "margin":
        ahead, behind = (_plus_of(play, conflict, fall, character) for character in (winner, loser))
        margin = Range(max(1, ahead[0] - behind[1]), max(1, ahead[1] - behind[0]))
    due: dict[str, Range] = {}
    for character in _moves_with(play, conflict, winner):
        due[character] = exactly(ask(play, UP, 1, character))
        if surely_stays(play, character):
            due[character] = exactly(0)
    for character in _moves_with(play, conflict, loser):
        due[character] = Range(
            -ask(play, DOWN, margin.highest or 1, character),
            -ask(play, DOWN, margin.lowest or 1, character),
        )
    return due


def _plus_of(play: Table, conflict: Conflict, fall: Fall, character: Someone) -> tuple[int, int]:
    """The fewest and the most + that a side can have rolled."""
    pluses = [plus for plus, _ in worths_possible(play, conflict, fall, character)]
    return min(pluses), max(pluses)


def _moves_with(play: Table, conflict: Conflict, principal: Someone) -> list[str]:
    """PA2: whose tokens move with a side."""
    characters = play.state.characters
    movers = [id_of(principal)]
    if play.ruling("supporters_move") == "yes":
        movers += [characters.get(player, "") for player in conflict.side(principal)]
    movers += [characters.get(p, "") for p, side in conflict.joined.items() if side == principal]
    return [
        character
        for character in dict.fromkeys(movers)
        if character and character not in play.state.ejected
    ]


# --- what is due ----------------------------------------------------------------------------------


def due(play: Table) -> list[Obligation]:
    """The open obligations: an answer, or dice."""
    conflict = play.state.running()
    if conflict is None:
        return []
    if conflict.stage is Stage.CALLED:
        return [
            Obligation(str(conflict.challenged), "an answer: match, or back down", "match", "P16")
        ]
    owed = []
    for character in conflict.principals:
        dice = tuple(dice_due(play, conflict, id_of(character)))
        count = sum(number for _, number in dice)
        owed.append(Obligation(str(character), "Fudge dice", "roll", "P19", count, "fudge", dice))
    return owed


# --- who acts -------------------------------------------------------------------------------------


def _rolls(play: Table, action: Action) -> Sequence[str]:
    conflict = play.state.running()
    if conflict is None or UNKNOWN in conflict.principals:
        return []
    backers = (play.state.characters.get(player, "") for player in conflict.backers)
    return [*map(id_of, conflict.principals), *filter(None, backers)]


ROLES: Mapping[str, Role] = {}
ACTORS: Mapping[str, Decider] = {
    "sides": Decider(
        "both sides",
        _rolls,
        "{by} rolls, and has no die on the table",
        acts_by_default=False,
    ),
}
