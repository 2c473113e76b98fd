"""Conflict: call, answer, support, roll, and what the roll does to dice and tokens (P15 to P23)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from chronicle.core.declare import (
    COUNTED,
    NAME,
    TEXT,
    UNRECORDED,
    WHOLE,
    Action,
    Decides,
    EitherOf,
    MapOf,
    MapOr,
    Moment,
    Offered,
    OneOrMany,
    OrUnrecorded,
    Refusal,
    choice,
    faces,
    in_role,
    main,
    option,
    required,
)
from chronicle.core.diagnostic import Fact, Finding, listed, plural
from chronicle.core.dice import Faces, ShownDie
from chronicle.core.figures import compared
from chronicle.core.fix import Fix, InsertEntry, RemoveKey, SetKey, make_fix, replace_with
from chronicle.core.formula import TEXT as WORDS
from chronicle.core.formula import YES_NO
from chronicle.core.guards import Violation, guard
from chronicle.core.house import WHO, Name, Point, answer, balance_of, expected
from chronicle.core.law import AT_TABLE, TABLE, Decider, Need, Role
from chronicle.core.names import PLAYER
from chronicle.core.play import Due, drawn
from chronicle.core.ranges import UNKNOWN, Range, Unknown, exactly, known
from chronicle.core.record import Contest, Side, Source, Throw
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import place_of
from chronicle.core.telling import Told
from chronicle.games.positive.dice import (
    EVEN,
    FUDGE_DIE,
    ToldOdds,
    Worth,
    verdict,
    worth_of_face,
)
from chronicle.games.positive.ending import move_tokens, surely_stays
from chronicle.games.positive.scenes import IN_SCENE, by_one_of, gives_right
from chronicle.games.positive.setup import no_die_left, spend_dice
from chronicle.games.positive.state import (
    ANYBODY,
    CALLED,
    DECIDED,
    DIE,
    GIVEN_WAY,
    IN_A_SCENE,
    MATCHED,
    STEP,
    Conflict,
    Someone,
    Stage,
    Table,
    acting,
    find_character,
    find_someone,
    position,
    square_name,
)

RULES = """
# Conflict
P15 Calling a conflict [checked]
  When something goes too far for a player, that player lays down the conflict die and says what is disputed.
P16 Backing down [checked]
  The challenged player may give way at once. The scene is over, the caller tells how it ends, no die is rolled or
  spent and no token moves.
P17 Matching [checked]
  Or the challenged player lays down their own conflict die. Then the dice decide whose version is what happened.
P18 Backing a side [checked]
  Between the match and the roll, every other player may put one commitment die on either side. Their characters
  need not be there.
P19 Each side rolls once [checked]
  A side rolls its conflict die and all commitment dice that were put on it, together.
P20 More +, then more blanks [computed]
  The side with more + wins; if they are equal, the side with more blanks. What shows - does not count, nor does the
  number of dice.
P21 Winners step towards Inclusion [computed]
  The tokens of the winning side all go one step towards Inclusion.
P22 Losers step towards Expelled [computed]
  The tokens of the losing side go the other way.
P23 Played dice are gone [computed]
  Commitment dice that were rolled are discarded, whoever won. Conflict dice go back to the hand.
"""

READINGS = """
PA1 tie: Both sides show as many + and as many blanks. What then?
  - reroll: the dice on the table are rolled again; no new support, and support is discarded once
  - nobody-moves: nobody moves, support is discarded, the scene ends; anybody opens next
  - caller-loses: the challenged player's version stands
  because somebody has to lose, because the loser opens the next scene (P11) (P20, P11)
PA2 supporters_move: Do the tokens of those who backed a side move with it?
  - yes: everybody who put a die on a side moves with it, up or down
  - no: only the two principals move
  because the text moves all tokens of the winning side, and uninvolved characters may join a side (P21, P22)
PA3 loss_step: How far do the tokens of the losing side go?
  - one: one step
  - margin: as many steps as it had + fewer, at least one
  because one step mirrors what the winners do (P22)
PA6 opener_after_backdown: Nobody lost, somebody backed down. Who opens the next scene?
  - backed-down: the one who backed down
  - caller: the caller
  - anyone: whoever wants to
  because backing down is the nearest thing to losing (P11, P16)
PA7 caller_scope: Who may call a conflict?
  - in-scene: players whose character is in the scene
  - anyone: anybody at the table
  because all others have the rule for barging in (P15)
PA8 principals_commit: May caller and challenged add commitment dice of their own?
  - no: no, only the others may
  - yes: yes, one each
  because support is offered to every other player; a printed roll of three against three is the only hint to the
    contrary (P18)
PA14 scene_after_conflict: Does a scene go on after its conflict?
  - play-out: the winning version may be played out, then it closes: one conflict a scene
  - goes-on: it may go on, with further conflicts
  because the loser begins another scene after the conflict (P11, P17)
PA17 principals: May a third player match with a conflict die?
  - two: no: a conflict is a duel
  - several: yes, beside the challenged player
  because matching is between two; the others have commitment dice (P17)
PA19 support_order: Is support given in turn, or in secret?
  - open: openly, in any order; the log keeps the order
  because the text is silent (P18)
PA22 call_after_backdown: May somebody call again in the same scene after a back-down?
  - no: no: the scene is over
  because backing down ends the scene (P16)
PA24 winner_with_minus: The winner's own die shows -. Do they still win?
  - yes: yes: sides are compared, not dice
  because the comparison is between sides (P20)
PA25 caller_is: Who lays down the die: the one who spoke, or the one who took offence?
  - offended: the one who took offence
  because the other player is the one who can back down (P15)
"""

ERRATA = """
PT2 The example roll cannot happen [P18 P19]
  The text compares two sides of three dice each. Two conflict dice and one commitment die from each of the other
  players make at most five dice with five players and four with four, so six dice cannot lie on the table. The
  example shows the ranking and nothing else.
"""

TERMS = """\
Call [P15]: To lay down the conflict die because something goes too far, and say what is disputed.
Match [P17]: To lay down the own conflict die in answer: the dice decide whose version happened.
Back down [P16]: To give way at once. The caller tells how it ends, and no die is rolled.
Back [P18]: To put a commitment die on one of the sides before the roll.
Inclusion [P21]: The upper end of the Track. Those who win a conflict go a step towards it.
Expelled [P22]: The lower end, towards which those go who lose.
"""

# --- roles and house rules ------------------------------------------------------------------------

ROLES: Mapping[str, Role] = {
    "caller": Role(
        "the offended character",
        "",
        (
            IN_SCENE._replace(
                rule="P15",
                message="{who} is not in this scene and calls a conflict",
                asked=lambda play, character: (
                    play.state.in_scene and play.ruling("caller_scope") == "in-scene"
                ),
                finding=Finding.SUSPICIOUS,
            ),
        ),
        ANYBODY,
    ),
    "challenged": Role("a character", "be called", (IN_SCENE,), ANYBODY),
    "backer": Role(
        "a player of the others",
        "",
        (
            AT_TABLE,
            Need(
                "one's own die",
                "P18",
                lambda play, player: (
                    play.step.action.by is None or play.step.player in ("", player)
                ),
                "{by} lays down a die of {who}'s; that is {who}'s to decide",
                "leave 'by' out",
                own=True,
            ),
        ),
        ANYBODY,
        of=PLAYER,
        twice="",
    ),
    "side": Role("a principal of the conflict", "", (), ANYBODY, twice=""),
}
_SQUARE: Final = {
    "who": WHO,
    "square": Name(
        "how far that character stands from Start, below 0 towards Expelled",
        balance_of("track", STEP),
    ),
}
DICE: Final = Point(
    "dice of a side",
    "how many dice the side of a principal rolls in a conflict",
    ("P19",),
    {
        **_SQUARE,
        "backers": Name(
            "how many back that side",
            lambda play, character, conflict: len(conflict.side(character)),
        ),
    },
    least=1,
    most=40,
)
UP: Final = Point("steps up", "how far a winner's token moves", ("P21",), _SQUARE, most=10)
DOWN: Final = Point("steps down", "how far a loser's token moves", ("P22",), _SQUARE, most=10)
PLUS: Final = Point(
    "plus",
    "whether a die counts as a plus for the side of a principal",
    ("P20",),
    {
        **_SQUARE,
        "face": Name(
            "what the die shows: '+', 'o' or '-'", lambda play, character, face: face, WORDS
        ),
    },
    sort=YES_NO,
)

# --- call and answer ------------------------------------------------------------------------------

END_FIRST = make_fix(InsertEntry("end scene:"))
MATCH_FIRST = make_fix(InsertEntry("match:"))


def answers(conflict: Conflict) -> list[Fix]:
    """The fixes for what comes before a conflict is settled."""
    if conflict.stage is Stage.MATCHED:
        return [make_fix(InsertEntry("roll: unrecorded"))]
    return [MATCH_FIRST, make_fix(InsertEntry(f"back down: {conflict.challenged}"))]


_NO_CALL = ("dropped:call",)


class Call(Action):
    """Lay down your conflict die: that went too far, it was otherwise."""

    verb = "call"
    also = ("object", "conflict")
    objects = True
    decides = Decides("caller")
    moment = Moment(
        IN_A_SCENE,
        Refusal("P15", "a conflict can only be called within a scene", after=("dropped:scene",)),
    )
    offered = Offered("P15", "lay down the conflict die against somebody")
    example = "call: Petra knew nothing\n  by: Petra\n  against: Jonas"
    version = main(TEXT, "what happened instead, in the caller's version", told=Told.SENTENCE)
    by = option(in_role("caller", NAME), "the offended character")
    against = required(in_role("challenged", NAME), "whose statement is disputed")

    def lead_in(self) -> str:
        character = f"{self.by}, " if self.by is not None else ""
        return f"{character}against {self.against}"

    def sentence(self, play: Table) -> Sentence:
        return said(
            "{} calls {}.", acting(play), find_character(play, self.against) or str(self.against)
        )

    @guard("T56", Finding.UNREADABLE)
    def somebody_calls(self, play: Table) -> Violation | None:
        if isinstance(acting(play), str) or play.step.player:
            return None
        return Violation("who calls this conflict?", fix=by_one_of(play.state.cast))

    @guard("P15", at="against")
    def against_somebody_else(self, play: Table) -> str | None:
        caller = known(acting(play))
        if caller != find_character(play, self.against):
            return None
        return f"{caller} cannot call a conflict against themselves"

    @guard("P15")
    def one_conflict_a_scene(self, play: Table) -> Violation | None:
        conflict = play.state.conflict
        if conflict is None:
            return None
        before = [play.because(conflict.latest, "settled here")]
        if conflict.stage is Stage.BACKED_DOWN:
            message = f"{conflict.challenged} backed down, so this scene is over"
            return Violation(message, fix=END_FIRST, facts=before, rule="PA22")
        if conflict.stage is not Stage.ROLLED:
            return Violation(
                f"{_first(conflict.caller)}'s conflict die lies on the table already",
                facts=[play.because(conflict.called, "called here")],
                fix=answers(conflict),
            )
        if play.ruling("scene_after_conflict") != "play-out":
            return None
        return Violation(
            "this scene has had its conflict; its loser opens another",
            facts=before,
            fix=END_FIRST,
            rule="PA14",
        )

    def apply(self, play: Table) -> None:
        state, step = play.state, play.step
        caller, challenged = acting(play), find_someone(play, self.against)
        conflict = Conflict(
            number=len(state.conflicts) + 1,
            scene=step.scene or 0,
            caller=caller,
            challenged=challenged,
            version=str(self.version),
            steps=[step.index],
        )
        state.conflict = conflict
        state.conflicts.append(conflict)
        play.event(
            f"{_first(caller)} disputes what {challenged} said: {self.version}",
            "P15",
            "calls",
            _id(caller),
        )


def _first(character: Someone) -> str:
    """Somebody at the beginning of a sentence."""
    return "Somebody" if isinstance(character, Unknown) else character


def _id(character: Someone) -> str:
    """The id of somebody; empty if nobody knows who."""
    return "" if isinstance(character, Unknown) else character


class BackDown(Action):
    """Give way: the caller ends the scene, nothing is rolled and nobody moves."""

    verb = "back down"
    also = ("concede", "yield", "give in")
    decides = Decides("challenged", "P16")
    moment = Moment(
        (CALLED,),
        Refusal(
            "P16",
            "nobody has called a conflict to back down from",
            "call:  comes first",
            _NO_CALL,
        ),
        {
            MATCHED: Refusal("P16", "too late to back down: the call is matched already"),
            GIVEN_WAY: Refusal("P16", "too late to back down: {challenged} did so before"),
            DECIDED: Refusal("P16", "too late to back down: the dice have fallen"),
        },
    )
    offered = Offered("P16", "give way")
    example = "back down: Jonas"
    who = main(in_role("named", NAME), "who backs down", default=None)
    moves = option(MapOf(in_role("named", NAME), WHOLE), "steps of tokens; there are none")

    def lead_in(self) -> str:
        return f"{self.who} backs down" if self.who is not None else ""

    def sentence(self, play: Table) -> Sentence:
        return said("{} backs down.", self.who_backs_down(play))

    def who_backs_down(self, play: Table) -> Someone:
        """The character named, or whoever acts, or the challenged one."""
        conflict = play.state.running()
        named = find_character(play, self.who) if self.who else ""
        acting = play.state.characters.get(play.step.player, "")
        return named or acting or (conflict.challenged if conflict is not None else UNKNOWN)

    @guard("P16", at="main")
    def challenged_backs_down(self, play: Table) -> Violation | None:
        conflict = play.state.running()
        named = find_character(play, self.who) if self.who else ""
        if conflict is None or not named or named == known(conflict.challenged):
            return None
        message = f"{named} backs down; {conflict.challenged} was challenged"
        return Violation(message, facts=[play.because(conflict.called, "called here")])

    @guard("P16", at="moves")
    def nobody_moves(self, play: Table) -> str | None:
        moved = any((self.moves or {}).values())
        return "nobody moves when somebody backs down" if moved else None

    @guard("P16")
    def nothing_is_backed(self, play: Table) -> Violation | None:
        conflict = play.state.running()
        if conflict is None or not conflict.backers:
            return None
        message = "dice were laid down to back a side, but nothing is rolled; they go back"
        return Violation(message, after=["early support"])

    def apply(self, play: Table) -> None:
        state = play.state
        conflict = state.running()
        if conflict is None:
            return
        moves = {find_character(play, word): steps for word, steps in (self.moves or {}).items()}
        move_tokens(play, moves, rule="P16")
        conflict.backers.clear()
        conflict.stage = Stage.BACKED_DOWN
        conflict.steps.append(play.step.index)
        character, why = {
            "backed-down": (_id(conflict.challenged), f"{conflict.challenged} backed down"),
            "caller": (_id(conflict.caller), f"{conflict.caller} called the conflict"),
        }.get(play.ruling("opener_after_backdown"), ("", "anybody may open after a back-down"))
        gives_right(play, character, why)
        play.event(
            f"{_first(conflict.challenged)} gives way; {conflict.caller} concludes the scene",
            "P16",
            "backs down",
            _id(self.who_backs_down(play)) or _id(conflict.challenged),
        )


class Match(Action):
    """Lay down your own conflict die against the caller's."""

    verb = "match"
    decides = Decides("challenged", "P17")
    moment = Moment(
        (CALLED, MATCHED),
        Refusal(
            "P17", "nobody has called a conflict to match", "call:  comes first", after=_NO_CALL
        ),
        {
            GIVEN_WAY: Refusal("P17", "too late to match: {challenged} backed down"),
            DECIDED: Refusal("P17", "too late to match: the dice have fallen"),
        },
    )
    offered = Offered("P17", "stand by it")
    example = "match: She lent them her flat"
    version = main(
        TEXT, "the version that the challenged player stands by", default="", told=Told.SENTENCE
    )

    def lead_in(self) -> str:
        return "Against that" if self.version else ""

    def sentence(self, play: Table) -> Sentence:
        conflict = play.state.conflict
        challenged = conflict.challenged if conflict is not None else UNKNOWN
        acting = play.state.characters.get(play.step.player, "")
        return said("{} matches.", acting or challenged)

    def joins(self, play: Table) -> bool:
        """PA17: whether it is a third player's, beside the challenged one's."""
        conflict = play.state.conflict
        matched = conflict is not None and conflict.stage is Stage.MATCHED
        return matched and play.ruling("principals") == "several"

    @guard("P17")
    def once(self, play: Table) -> Violation | None:
        conflict = play.state.conflict
        if conflict is None or conflict.stage is not Stage.MATCHED or self.joins(play):
            return None
        facts = [play.because(conflict.latest, "matched here")]
        return Violation("this call is matched already", facts=facts)

    @guard("PA17")
    def a_third_joins(self, play: Table) -> str | None:
        conflict, character = play.state.conflict, acting(play)
        if conflict is None or not self.joins(play):
            return None
        if known(character) in conflict.principals or play.step.player in conflict.joined:
            return f"{character} has laid down a conflict die already"
        return None

    def apply(self, play: Table) -> None:
        conflict = play.state.conflict
        if conflict is None:
            return
        if self.joins(play):
            if acting(play) not in conflict.principals:
                conflict.joined[play.step.player] = conflict.challenged
            play.event(
                f"{acting(play)} lays down a conflict die beside {conflict.challenged}",
                "PA17",
                "matches",
            )
        elif conflict.stage is Stage.CALLED:
            conflict.stage, conflict.counter = Stage.MATCHED, str(self.version)
            conflict.steps.append(play.step.index)
            stands = f": {self.version}" if self.version else ""
            play.event(
                f"{_first(conflict.challenged)} stands by it{stands}",
                "P17",
                "matches",
                _id(conflict.challenged),
            )


def shown_principals(conflict: Conflict, named: set[str]) -> tuple[Someone, Someone]:
    """Caller and challenged. Where nobody wrote down who one of them was, it is the only other one of those ``named``:
    who rolls against the known one, wins, or is backed."""
    caller, challenged = conflict.principals
    others = [
        character for character in named if character and character not in (caller, challenged)
    ]
    if len(others) != 1:
        return caller, challenged
    if isinstance(challenged, Unknown) and not isinstance(caller, Unknown):
        return caller, others[0]
    return (others[0] if isinstance(caller, Unknown) else caller), challenged


def reveal_principals(play: Table, conflict: Conflict, principals: tuple[Someone, Someone]) -> None:
    """Who called, or was called, shows where nobody wrote it down before."""
    caller, challenged = principals
    if isinstance(conflict.challenged, Unknown) and isinstance(challenged, str):
        conflict.challenged = challenged
        play.event(f"it was {challenged} who was called", "P15", "called", challenged)
    if isinstance(conflict.caller, Unknown) and isinstance(caller, str):
        conflict.caller = caller
        play.event(f"it was {caller} who called", "P15", "calls", caller)


# --- support --------------------------------------------------------------------------------------


class Back(Action):
    """Put one commitment die on a side. Your character need not be in the scene."""

    verb = "back"
    also = ("support",)
    decides = Decides("backers")
    moment = Moment(
        (MATCHED,),
        Refusal("P18", "there is no matched conflict to back anybody in", after=_NO_CALL),
        {
            CALLED: Refusal(
                "P18",
                "{challenged} has not matched yet; sides are backed after the match",
                after=("dropped:match",),
                doubts=("early support",),
                fixes=(MATCH_FIRST,),
            ),
            DECIDED: Refusal("P18", "the dice have fallen; nobody can back a side any more"),
        },
    )
    offered = Offered("P18", "put a die on either side", price=(1, DIE))
    example = "back: {Ana: Jonas, Dee: Petra}"
    sides = main(
        MapOf(
            in_role("backer", NAME),
            in_role("side", OneOrMany(COUNTED)),
            "a mapping from a player to the side backed",
        ),
        "{player: caller or challenged}",
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        conflict = play.state.running()
        for player in play.state.characters if conflict is not None else ():
            for character in conflict.principals if conflict is not None else ():
                yield {"back": {player: str(character)}, "by": player}

    def sentence(self, play: Table) -> Sentence:
        players = [play.look_up_player(word) or str(word) for word in self.sides]
        return said("{} back a side." if len(players) > 1 else "{} backs a side.", players)

    @guard("PA1")
    def none_after_a_tie(self, play: Table) -> Violation | None:
        conflict = play.state.running()
        if conflict is None or not conflict.ties:
            return None
        message = "a tie is rolled again with the dice on the table; no new support"
        return Violation(message, facts=[play.because(conflict.latest, "tied here")])

    @guard("P18")
    def one_die_for_one_side(self, play: Table) -> Iterator[Violation]:
        conflict = play.state.running()
        if conflict is None:
            return
        laid = set(conflict.backers)
        for word, sides in self.sides.items():
            player = play.look_up_player(word)
            backed = [find_character(play, side.name) for side in sides]
            strangers = [
                character
                for character in backed
                if character and character not in conflict.principals
            ]
            if not player:
                continue
            if (
                play.state.characters.get(player) in conflict.principals
                and play.ruling("principals_commit") == "no"
            ):
                yield Violation(
                    f"{player} is a principal of this conflict and cannot back a side",
                    word,
                    finding=Finding.SUSPICIOUS,
                )
            if strangers and UNKNOWN not in conflict.principals:
                place = place_of(sides[0].name, self.path)
                yield Violation(
                    f"{listed(strangers)} is no principal of this conflict",
                    word,
                    replace_with([*map(str, conflict.principals)], place),
                )
                continue
            if len({*backed}) > 1:
                yield Violation(f"{player} backs both sides", word, help="choose one side")
            elif sum(side.count for side in sides) > 1 or player in laid:
                yield Violation(
                    f"{player} lays down more than one commitment die",
                    word,
                    facts=[Fact("one die a player, in one conflict")],
                    doubts=[f"dice:{player}"],
                )
            laid.add(player)

    @guard("P18", help="a sincere apology in a scene brings one back")
    def has_a_die(self, play: Table) -> Iterator[Violation]:
        conflict = play.state.running()
        for word in self.sides if conflict is not None else ():
            player = play.look_up_player(word)
            if not player or conflict is None or player in conflict.backers:
                continue
            broken = no_die_left(play, player, f"{player} has no commitment die left")
            if broken is not None:
                yield broken._replace(at=word)

    def apply(self, play: Table) -> None:
        conflict = play.state.running()
        if conflict is None:
            return
        conflict.steps.append(play.step.index)
        named = {find_character(play, side.name) for sides in self.sides.values() for side in sides}
        reveal_principals(play, conflict, shown_principals(conflict, named))
        for word, sides in self.sides.items():
            player = play.look_up_player(word)
            backed = [find_character(play, side.name) for side in sides]
            if not player or player in conflict.backers or not backed or not backed[0]:
                continue
            if all(character in conflict.principals for character in backed):
                conflict.backers[player] = backed[0]
                play.event(f"{player} backs {backed[0]}", "P18", "backs", player)


# --- the dice -------------------------------------------------------------------------------------

Ask = Callable[..., Any]
"""How a house rule is asked: :func:`answer` where its answer counts, :func:`expected` where nothing comes of it."""


def is_plus(play: Table, character: str, face: str) -> bool:
    """P20: what counts for a side."""
    return answer(play, PLUS, face == "+", character, face)


def worth_of(play: Table, character: str, rolled: Faces, ask: Ask = expected) -> Worth:
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
    more = ask(play, DICE, usual, character, conflict) - usual
    return [*dice, ("a rule of the table", more)] if more else dice


def count_due(play: Table, conflict: Conflict, character: str) -> int:
    """P19: how many dice a principal's side rolls."""
    return sum(count for _, count in dice_due(play, conflict, character))


def told_odds(play: Table, character: str, dice: int, other: str, others: int) -> ToldOdds:
    """How likely the caller wins with so many dice against the challenged with so many."""

    def pluses(side: str) -> str:
        return "".join(f for f in FUDGE_DIE.faces if expected(play, PLUS, f == "+", side, f))

    return ToldOdds(
        character, dice, pluses(character), other, others, pluses(other), play.rulings["tie"]
    )


class Fall(NamedTuple):
    """What the dice of a conflict came to.

    Attributes:
        caller: who called, as far as the roll shows it.
        challenged: who was called, as far as the roll shows it.
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
        """The faces as they are kept."""
        return {character: str(rolled) for character, rolled in self.faces.items()}


class Roll(Action):
    """Roll both sides: each principal's conflict die first, then the dice of those who back them."""

    verb = "roll"
    also = ("dice", "throw")
    slipped = frozenset({"wins"})
    decides = Decides("sides", "P19", finding=Finding.SUSPICIOUS)
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
        checked=True,
    )
    moves = option(
        MapOf(in_role("named", NAME), WHOLE),
        "steps of tokens, towards Inclusion positive; checked",
        checked=True,
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
        return ("The dice fall.",)

    # What the entry says, and what follows from it.

    def shown(self, play: Table) -> dict[str, Faces | None]:
        """The faces of each character named; None for those that nobody wrote down."""
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
        """Caller and challenged. Where nobody wrote down who one of them was, it is whoever rolls against the
        other, or wins."""
        return shown_principals(conflict, {*self.shown(play), self.stated_winner(play) or ""})

    def fall(self, play: Table, conflict: Conflict, ask: Ask = expected) -> Fall:
        """P20, PA1: what the dice came to."""
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
            ahead = verdict(worth[_id(caller)], worth[_id(challenged)], play.rulings["tie"])
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
                label=f"1 conflict die and {dice}",
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
        return f"{listed(strangers)} is no principal; a conflict has two sides"

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
            return Violation(f"{stated} is no principal of this conflict", fix=replace_with(sides))
        if not fall.by_dice:
            return self._can_win(play, conflict, fall, stated)
        if stated == fall.winner or (fall.is_tied and not stated):
            return None
        if fall.is_tied:
            return Violation(
                f"both sides are equal: a tie, not a win for {stated}",
                fix=replace_with(["tie"]),
                help="the number of dice does not count; roll the dice on the table again",
                finding=Finding.SUSPICIOUS,
            )
        return Violation(
            f"{fall.winner} wins, not {stated or 'nobody'}: more +, and if equal more blanks; "
            "- faces do not count",
            fix=replace_with([str(fall.winner) or "tie"]),
        )

    def _can_win(
        self, play: Table, conflict: Conflict, fall: Fall, stated: str
    ) -> Violation | None:
        """Whether the side whose faces nobody wrote down can have made this result: it rolls from no + at all to
        + on every die."""
        if len(fall.worth) != 1:
            return None
        ((character, worth),) = fall.worth.items()
        one, other = fall.principals
        opponent = known(other if character == one else one)
        reading = play.rulings["tie"]
        best = (count_due(play, conflict, opponent), 0)
        sign = 1 if character == one else -1
        lowest, highest = sorted(
            sign
            * (verdict(worth, hidden, reading) if sign == 1 else verdict(hidden, worth, reading))
            for hidden in (EVEN, best)
        )
        wanted = 0 if not stated else 1 if stated == character else -1
        if lowest <= wanted <= highest:
            return None
        result = f"{stated} cannot have won" if stated else "it cannot have been a tie"
        return Violation(
            f"{result}: {character} shows {fall.faces[character]}",
            fix=make_fix(RemoveKey("winner")),
        )

    @guard("P21")
    def tokens_move_as_they_should(self, play: Table) -> Iterator[Violation]:
        conflict = play.state.running()
        if conflict is None or self.moves is None:
            return
        fall = self.fall(play, conflict)
        winner = known(fall.winner)
        if not winner:
            return
        stated = self.stated_moves(play)
        due = steps_due(play, conflict, fall, expected)
        for character in dict.fromkeys([*due, *stated]):
            steps, told = due.get(character, exactly(0)), stated.get(character, 0)
            if steps.may_be(told):
                continue
            rule = "P22" if (steps.lowest or told) < 0 else "P21"
            message = f"{character} moves {_signed(steps)}, not {told:+d}"
            if steps == exactly(0) and character in due:
                rule = "PA4"
                message = (
                    f"{character} stands on Inclusion and stays there, so moves 0, not {told:+d}"
                )
            elif steps == exactly(0):
                message = f"{character} moves {told:+d}, but put no die on a side"
            elif told == 0:
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
        """The key under which a side stands, as it was typed."""
        sides = self.sides if isinstance(self.sides, dict) else {}
        return tuple(str(word) for word in sides if find_character(play, word) == character)[:1]

    # The effect.

    def apply(self, play: Table) -> None:
        conflict = play.state.conflict
        if conflict is None and play.gap:
            self._roll_for_a_lost_call(play)
        if conflict is None or conflict.stage in (Stage.BACKED_DOWN, Stage.ROLLED):
            return
        conflict.steps.append(play.step.index)
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
            one, other = map(_id, fall.principals)
            counts = {character: len(rolled) for character, rolled in fall.faces.items()}
            conflict.odds = told_odds(play, one, counts[one], other, counts[other])
            conflict.faces = conflict.faces or fall.written()
        winner = _settle_tie(play, conflict) if fall.is_tied else fall.winner
        if fall.by_dice:
            for character in map(_id, fall.principals):
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
        """A conflict whose call stands on pages that are lost: who won against whom counts all the same."""
        shown, winner = self.shown(play), self.stated_winner(play)
        if len(shown) != 2:
            return
        one, other = shown
        conflict = Conflict(0, play.step.scene or 0, one, other, "")
        fall = self.fall(play, conflict)
        if winner not in shown and fall.by_dice and not fall.is_tied:
            # Who called whom is not known, so a tie has no winner by any reading.
            winner = _id(fall.winner)
        if winner in shown and winner:
            play.event(f"{winner} wins; who called whom is not recorded", "P20", "wins", winner)
            self._win(play, conflict, fall, winner)

    def _leave_open(self, play: Table, conflict: Conflict) -> None:
        """Neither faces nor a winner: what follows is not known until somebody says it."""
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
            # By how much it was lost may stand on a die that nobody wrote down: at least one step.
            moves = {character: steps.highest or 0 for character, steps in due.items()}
        conflict.moved = moves
        move_tokens(play, moves, conflict)
        for rule, sign, words in (("P21", 1, "Up"), ("P22", -1, "Down")):
            told = [
                f"{character} to {square_name(position(play, character))}"
                for character, steps in moves.items()
                if steps * sign > 0
            ]
            if told:
                play.event(f"{words}: {', '.join(told)}", rule, "moves")
        out = play.state.ejected
        if out and play.state.ejected_step == play.step.index:
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
    if verdict(EVEN, EVEN, reading) < 0:
        play.event("A tie: the caller loses", "PA1", "tie")
        return _id(conflict.challenged)
    if reading == "reroll":
        conflict.ties += 1
        play.event("A tie: the dice on the table are rolled again", "PA1", "tie")
        return ""
    conflict.stage = Stage.ROLLED
    play.event("A tie: nobody moves and the scene ends", "PA1", "tie")
    gives_right(play, "", "the last conflict was tied")
    discard(play, conflict)
    return ""


def discard(play: Table, conflict: Conflict) -> None:
    """P23: the commitment dice that were rolled are gone."""
    for backer in conflict.backers:
        spend_dice(play, backer, 1, "P23", "played in a conflict")


@drawn
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

    one, other = map(_id, fall.principals)
    by_blanks = fall.worth[one][0] == fall.worth[other][0]
    mine, theirs = fall.worth[one][by_blanks], fall.worth[other][by_blanks]
    unit = f"blanks, with {fall.worth[one][0]} plus each" if by_blanks else "plus"
    ends_with = f"it was as {winner} says" if winner else "a tie"
    play.step.contest = Contest(
        title=conflict.version,
        sides=(side(one), side(other)),
        score=f"{mine} : {theirs}",
        unit=unit,
        odds=conflict.odds and conflict.odds._replace(lead="before the roll: "),
        outcome=(f"{winner} wins",) if winner else ("a tie",),
        rule="P20",
        verdict=f"{compared(mine, theirs)}: {ends_with}",
    )
    if winner:
        play.event(f"{mine} : {theirs} ({unit}): {winner} wins", "P20", "wins", winner)


# --- the tokens -----------------------------------------------------------------------------------


def steps_due(play: Table, conflict: Conflict, fall: Fall, ask: Ask) -> dict[str, Range]:
    """P21, P22, PA2, PA3, PA4: how far each token moves. By how much a side has lost may stand on dice that nobody
    wrote down; then it is a range."""
    winner = known(fall.winner)
    one, other = fall.principals
    loser = other if winner == one else one
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
    if _id(character) in fall.worth:
        plus, _ = fall.worth[_id(character)]
        return plus, plus
    return 0, count_due(play, conflict, _id(character))


def _moves_with(play: Table, conflict: Conflict, principal: Someone) -> list[str]:
    """PA2: whose tokens move with a side."""
    characters = play.state.characters
    movers = [_id(principal)]
    if play.ruling("supporters_move") == "yes":
        movers += [characters.get(player, "") for player in conflict.side(principal)]
    movers += [characters.get(p, "") for p, side in conflict.joined.items() if side == principal]
    return [
        character
        for character in dict.fromkeys(movers)
        if character and character not in play.state.ejected
    ]


# --- what is due ----------------------------------------------------------------------------------


def due(play: Table) -> list[Due]:
    """What is owed now: an answer, or dice."""
    conflict = play.state.running()
    if conflict is None:
        return []
    if conflict.stage is Stage.CALLED:
        return [Due(str(conflict.challenged), "an answer: match, or back down", "match", "P16")]
    owed = []
    for character in conflict.principals:
        dice = tuple(dice_due(play, conflict, _id(character)))
        count = sum(number for _, number in dice)
        owed.append(Due(str(character), "Fudge dice", "roll", "P19", count, "fudge", dice))
    return owed


# --- who acts -------------------------------------------------------------------------------------


def _answers(play: Table, action: Action) -> Sequence[str]:
    conflict = play.state.running()
    if conflict is None or isinstance(conflict.challenged, Unknown):
        return []
    several = conflict.stage is Stage.MATCHED and play.ruling("principals") == "several"
    return [] if several else [conflict.challenged]


def _rolls(play: Table, action: Action) -> Sequence[str]:
    conflict = play.state.running()
    if conflict is None or UNKNOWN in conflict.principals:
        return []
    backers = (play.state.characters.get(player, "") for player in conflict.backers)
    return [*map(_id, conflict.principals), *filter(None, backers)]


ACTORS: Mapping[str, Decider] = {
    "caller": TABLE._replace(words="the offended player: name the character with by"),
    "challenged": Decider(
        "the challenged player",
        _answers,
        "{by} answers; {challenged} was challenged and answers alone",
        "others may back a side with one commitment die:  back: {{player: side}}",
        since=lambda play: play.state.conflict.called if play.state.conflict else 0,
        fact="called here",
    ),
    "backers": TABLE._replace(words="each player named"),
    "sides": Decider(
        "both sides",
        _rolls,
        "{by} rolls, and has no die on the table",
        acts=False,
    ),
}
