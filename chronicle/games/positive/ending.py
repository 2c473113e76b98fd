"""The end of the track and of the game, and what no rule provides for (P24 to P27)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chronicle.core.answers import Limits
from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import NAME, TEXT, WHOLE, EitherOf, MapOf, choice, in_role
from chronicle.core.fix import BLANK, InsertEntry, RemoveKey, make_fix
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import TABLE, Decider, Need, Role
from chronicle.core.names import PLAYER
from chronicle.core.ranges import CannotTell
from chronicle.core.sentences import Sentence, said
from chronicle.core.telling import TextRole
from chronicle.games.positive.scenes import close
from chronicle.games.positive.setup import dice_left, regain_dice, spend_dice
from chronicle.games.positive.state import (
    CLOSING,
    IN_PLAY,
    MEANS_CHARACTER,
    OUT,
    OVER,
    START_LINE,
    STEP,
    Conflict,
    Table,
    end_squares,
    position,
    square_of,
)

RULES = """
# The end
P24 A scene with everybody [checked]
  When a token arrives on Expelled or on Inclusion, the next scene holds all characters.
P25 Beyond Expelled [checked]
  The game ends when a character moves beyond Expelled and is thrown out of the circle. A token on the square itself
  does not end the game, and nothing else does.
P26 The others tell how [checked]
  Everybody but the player of the ejected character tells how it happens.
P27 No winner [checked]
  There is no score, no round limit and no referee. Chronicle questions a log that names a winner.
"""

READINGS = """
PA4 beyond_inclusion: A token on Inclusion wins again. Where does it go?
  - stay: it stays on Inclusion
  - leave: it leaves the track at that end and plays on
  - end: the game is over
  because only the low end has a rule for going beyond (P21, P25)
PA11 double_ejection: Two characters move beyond Expelled in one conflict. Who is out?
  - both: both; the others tell how
  - principal: only the losing principal
  because both meet the condition (P25, P26)
"""

ERRATA = """
PT5 Two names for one square [P4]
  The low end of the track is called Expelled where it is drawn and Expulsion where it is explained. Only one square
  is drawn.
"""

TERMS = """\
Ejection [P25]: A character is moved beyond Expelled and thrown out of the circle. The others tell how, and the
    game ends.
"""

ROLES: Mapping[str, Role] = {
    "teller": Role(
        "a player",
        "",
        (
            Need(
                "not the player of a character who is thrown out",
                "P26",
                lambda play, player: player not in map(play.state.player, play.state.ejected),
                "{who} plays {ejected}, who is thrown out; the others tell how",
                is_certain=True,
            ),
        ),
        MEANS_CHARACTER,
        resolves_to=PLAYER,
    ),
    "player": Role("a player", "", (), MEANS_CHARACTER, resolves_to=PLAYER),
}
ACTORS: Mapping[str, Decider] = {
    "others": TABLE._replace(words="each player but the ejected one: name the player with by"),
    "each": TABLE._replace(words="each player named"),
}

# --- the ends of the track: every step of a token passes here -------------------------------------


def squares(play: Table, character: str) -> Limits:
    """P4: how far the track goes, with the step beyond Expelled."""
    bottom, top = end_squares(play)
    most = {"stay": top, "leave": None, "end": top + 1}[play.ruling("beyond_inclusion")]
    return Limits(bottom - 1, most, "P4")


def surely_stays(play: Table, character: str) -> bool:
    """PA4: whether a token that wins stays where it is, on Inclusion."""
    lowest = square_of(play, character).lowest
    on_inclusion = lowest is not None and lowest >= end_squares(play)[1]
    return on_inclusion and play.ruling("beyond_inclusion") == "stay"


def move_tokens(
    play: Table, moves: Mapping[str, int], conflict: Conflict | None = None, *, rule: str = ""
) -> None:
    """P21, P22, PA4: move tokens along the track, and apply the consequences of their new squares."""
    bottom, top = end_squares(play)
    start = {character: position(play, character) for character in moves if character}
    for character, square in start.items():
        target = max(square + moves[character], bottom - 1)
        if target > top and play.ruling("beyond_inclusion") != "leave":
            highest = top if play.ruling("beyond_inclusion") == "stay" else top + 1
            target = max(square, min(target, highest))
        why = rule or ("P21" if moves[character] > 0 else "P22")
        play.move(START_LINE, f"track:{character}", target - square, STEP, why, "the conflict")
    if conflict is not None:
        _let_one_leave(play, conflict, start)
    arrive(play, start)


def _let_one_leave(play: Table, conflict: Conflict, start: Mapping[str, int]) -> None:
    """PA11: of several who would leave together, only the losing principal does."""
    bottom, _ = end_squares(play)
    out = [
        character for character, was in start.items() if position(play, character) < bottom <= was
    ]
    if len(out) < 2 or play.ruling("double_ejection") != "principal":
        return
    principals = [character for character in out if character in conflict.principals]
    for character in out:
        if principals and character not in principals:
            steps_back = bottom - position(play, character)
            play.move(START_LINE, f"track:{character}", steps_back, STEP, "PA11", "stays")


def arrive(play: Table, start: Mapping[str, int]) -> None:
    """P24, P25, PA4: look at the ends of the track for everybody whose token has moved from where it was.
    A character who has come back from there counts as never there, and nobody is there whose steps are not all
    recorded."""
    state = play.state
    bottom, top = end_squares(play)
    moved = {
        character: position(play, character)
        for character, was in start.items()
        if was != position(play, character) and square_of(play, character).is_known
    }
    out = [
        character
        for character, square in moved.items()
        if square < bottom and character not in state.ejected
    ]
    steps_back = [
        character
        for character, square in moved.items()
        if square >= bottom and character in state.ejected
    ]
    if out:
        state.ejected.extend(out)
        state.ejected_step = play.step.number
    for character in steps_back:
        state.ejected.remove(character)
    if play.rulings["beyond_inclusion"] == "end" and not state.ended_step:
        state.over = any(position(play, character) > top for character in state.everybody())
        state.ejected_step = state.ejected_step or (play.step.number if state.over else 0)
    state.ejected_step = state.ejected_step if state.ejected or state.over else 0
    state.owed = [
        character
        for character in state.owed
        if character not in moved or moved[character] in (bottom, top)
    ]
    arrived = [
        character
        for character, square in moved.items()
        if square in (bottom, top) and character not in out and character not in state.owed
    ]
    if arrived and not state.ejected:
        state.owed.extend(arrived)
        state.owed_step = play.step.number
        play.event(
            f"{listed(arrived)} is on an end square: the next scene holds all characters",
            "P24",
            "arrives at the end",
        )


def set_there(play: Table, character: str, was: int | str | None) -> None:
    """A token was put somewhere by the table: what that means follows as in play."""
    arrive(play, {character: int(was or 0)})


# --- the end --------------------------------------------------------------------------------------

AFTER_THE_END = (CLOSING, OUT, OVER)


def silent(play: Table) -> list[str]:
    """P26: who is there and has still to tell how it happens."""
    state = play.state
    out = [state.player(character) for character in state.ejected]
    players = [player for player in play.present if player in play.seats]
    return [player for player in players if player not in out and player not in state.told]


class Ejection(Action):
    """Tell how the character who moved beyond Expelled is thrown out. Everybody else tells."""

    verb = "ejection"
    synonyms = ("eject", "expel", "throw out")
    decides = Decides("others")
    moment = Moment(
        AFTER_THE_END,
        Refusal(
            "P25",
            "no character has moved beyond Expelled, so none is thrown out",
            "standing on Expelled is not the end",
            ("lost:",),
            any_gap=True,
        ),
        void=True,
    )
    offered = Offered("P26", "tell how it happens")
    example = "ejection: No one answers when Marit asks for her coat\n  by: Bo"
    story = main(TEXT, "how it happens", text_role=TextRole.PROSE)
    by = option(in_role("teller", NAME), "the player who tells it")

    @classmethod
    def candidates(cls, play: Table) -> Sequence[Mapping[str, Any]]:
        tellers = [] if play.state.over else silent(play)
        return [{"ejection": "The door closes", "by": player} for player in tellers]

    def sentence(self, play: Table) -> Sentence:
        return said("{} tells the end.", play.step.player)

    def apply(self, play: Table) -> None:
        state, player = play.state, play.step.player
        play.step.tell(self.story)
        if state.in_scene:
            close(play, "")
        if player:
            state.told[player] = str(self.story)
        play.event(
            f"{player or 'Somebody'} tells how {listed(state.ejected)} is thrown out",
            "P26",
            "tells",
        )


class EndGame(Action):
    """The game is over: a character is out, and the others have told how."""

    verb = "end game"
    synonyms = ("game over",)
    decides = Decides("table")
    moment = Moment(
        AFTER_THE_END,
        Refusal(
            "P25",
            "no character has moved beyond Expelled, so the game is not over",
            "standing on an end square asks for a scene with everybody, no more; "
            "if you simply stop here, write  end session:",
            ("lost:",),
            any_gap=True,
        ),
        void=True,
    )
    offered = Offered("P25", "the game is over")
    example = "end game: We sat there for a while"
    words = main(TEXT, "last words", default=None, text_role=TextRole.PROSE)
    winner = option(in_role("named", NAME), "the game names no winner (P27)")

    @classmethod
    def candidates(cls, play: Table) -> Sequence[Mapping[str, Any]]:
        return [{"end game": "Over"}]

    def sentence(self, play: Table) -> Sentence:
        return ("The game is over.",)

    @guard("P25")
    def once(self, play: Table) -> Violation | None:
        ended = play.state.ended_step
        if not ended:
            return None
        return Violation("the game is over already", facts=play.facts(ended, "it ended here"))

    @question("P27", at="winner", fix=RemoveKey("winner"))
    def no_winner(self, play: Table) -> str | None:
        return None if self.winner is None else "the rules name no winner"

    @guard("P26")
    def all_others_have_told(self, play: Table) -> Violation | None:
        waiting, out = silent(play), play.state.ejected
        if not waiting or not out:
            return None
        if len(waiting) <= play.state.told_by_somebody:
            raise CannotTell
        have = "has" if len(waiting) == 1 else "have"
        who = listed(waiting)
        if unnamed := play.state.told_by_somebody:
            who = f"{len(waiting) - unnamed} or more of {who}"
        return Violation(
            f"{who} {have} not told how {listed(out)} is thrown out",
            fix=[
                make_fix(InsertEntry(f"ejection: {BLANK}\nby: {waiting[0]}"), is_open=True),
                make_fix(InsertEntry(f"skip: {waiting[0]}"), when="if there is nothing to add"),
            ],
            since=0,
        )

    def apply(self, play: Table) -> None:
        play.step.tell(self.words or None)
        if play.state.in_scene:
            close(play, "")
        play.state.over = True
        play.state.ended_step = play.state.ended_step or play.step.number
        play.event("The game is over", "P25", "over")


# --- what no rule provides for --------------------------------------------------------------------

ALWAYS = Moment((*IN_PLAY, *AFTER_THE_END), Refusal("P25"))


class Gain(Action):
    """A commitment die comes back for a reason that the rules do not know."""

    verb = "gain"
    synonyms = ("regain",)
    departure = True
    decides = Decides("each")
    moment = ALWAYS
    example = "gain: {Dee: 1}\n  under: kindness"
    dice = main(MapOf(in_role("player", NAME), WHOLE), "{player: dice}")

    def sentence(self, play: Table) -> Sentence:
        return ("Dice come back.",)

    @guard("P14", help="write  apology: the words  /  by: the character")
    def only_by_an_apology(self, play: Table) -> Iterator[Violation]:
        for word, count in self.dice.items():
            player = play.look_up_player(word)
            if player and count:
                yield Violation(
                    f"{player} gets {plural(count, 'die', 'dice')} back; only an admission, a "
                    "confession or an apology in a scene does that",
                    word,
                )

    def apply(self, play: Table) -> None:
        for word, count in self.dice.items():
            player = play.look_up_player(word)
            if player:
                regain_dice(play, player, count, "by the table's word")


class Lose(Action):
    """A die goes for a reason that the rules do not know."""

    verb = "lose"
    synonyms = ("pay", "loss")
    departure = True
    decides = Decides("each")
    moment = ALWAYS
    example = "lose: {Dee: 1}\n  under: phones"
    dice = main(
        MapOf(
            in_role("player", NAME),
            EitherOf(WHOLE, choice("conflict die"), words="a number or 'conflict die'"),
        ),
        "{player: dice}",
    )

    def sentence(self, play: Table) -> Sentence:
        return ("Dice go.",)

    @guard("P23")
    def only_by_backing_or_barging_in(self, play: Table) -> Iterator[Violation]:
        for word, count in self.dice.items():
            player = play.look_up_player(word)
            if player and not isinstance(count, int):
                yield Violation(
                    f"{player}'s conflict die is discarded; a conflict die is never spent", word
                )
            elif player and count:
                yield Violation(
                    f"{player} discards {plural(count, 'die', 'dice')}; only backing a side (P18) or "
                    "barging in (P13) costs one",
                    word,
                    help="write  back: {player: side}  or  barge in: character",
                )

    def apply(self, play: Table) -> None:
        for word, count in self.dice.items():
            player = play.look_up_player(word)
            if player and isinstance(count, int):
                lost = min(max(0, count), max(0, dice_left(play, player)))
                spend_dice(play, player, lost, "P23", "by the table's word")
