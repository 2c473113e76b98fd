"""Conflict: call, answer and support (P15 to P18)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option, required
from chronicle.core.diagnostic import DiagnosticKind, Fact, listed
from chronicle.core.field_types import COUNTED, NAME, TEXT, WHOLE, MapOf, OneOrMany, in_role
from chronicle.core.fix import InsertEntry, make_fix, replace_with
from chronicle.core.guards import Violation, guard
from chronicle.core.law import AT_TABLE, TABLE, Decider, Need, Role
from chronicle.core.names import PLAYER
from chronicle.core.ranges import UNKNOWN, Unknown, known
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import place_of
from chronicle.core.telling import TextRole
from chronicle.games.positive.ending import move_tokens
from chronicle.games.positive.scenes import IN_SCENE, by_one_of, gives_right
from chronicle.games.positive.setup import no_die_left
from chronicle.games.positive.state import (
    CALLED,
    DECIDED,
    DIE,
    GIVEN_WAY,
    IN_A_SCENE,
    MATCHED,
    MEANS_CHARACTER,
    Conflict,
    Someone,
    Stage,
    Table,
    acting,
    find_character,
    find_someone,
    nobody_acts,
)

if TYPE_CHECKING:
    from chronicle.core.outcomes import Outcome, Telling
    from chronicle.core.record import Step

RULES = """
# Conflict
P15 Calling a conflict [checked]
  When something goes too far for a player, that player lays down the conflict die and says what is disputed.
P16 Backing down [checked]
  The challenged player may give way. The scene is over, the caller tells how it ends, no die is rolled or
  spent and no token moves.
P17 Matching [checked]
  Or the challenged player lays down their own conflict die. Then the dice decide whose version is what happened.
P18 Backing a side [checked]
  Between the match and the roll, every other player may put one commitment die on either side. Their characters
  need not be there.
"""

READINGS = """
PA6 opener_after_backdown: A player backed down, so there is no loser. Who opens the next scene?
  - backed-down: the player who backed down
  - caller: the caller
  - anyone: any player
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
  - play-out: the group can play out the winning version, then the scene closes: one conflict a scene
  - goes-on: it may go on, with further conflicts
  because the loser begins another scene after the conflict (P11, P17)
PA17 principals: May a third player match with a conflict die?
  - two: no: a conflict is a duel
  - several: yes, beside the challenged player
  because matching is between two; the others have commitment dice (P17)
PA19 support_order: Is support given in turn, or in secret?
  - open: openly, in any order; the log keeps the order
  because the text is silent (P18)
PA22 call_after_backdown: May a player call again in the same scene after a back-down?
  - no: no: the scene is over
  because backing down ends the scene (P16)
PA25 caller_is: Who lays down the die: the player who spoke, or the player who took offence?
  - offended: the player who took offence
  because the other player is the one who can back down (P15)
"""

TERMS = """\
Call [P15]: To lay down the conflict die because something goes too far, and say what is disputed.
Match [P17]: To lay down one's own conflict die in answer. The dice decide whose version happened.
Back down [P16]: To give way. The caller tells how it ends, and no die is rolled.
Back [P18]: To put a commitment die on one of the sides before the roll.
"""

# --- roles ----------------------------------------------------------------------------------------

ROLES: Mapping[str, Role] = {
    "caller": Role(
        "the offended character",
        "",
        (
            IN_SCENE._replace(
                rule="P15",
                message="{who} is not in this scene and calls a conflict",
                applies=lambda play, character: (
                    play.state.in_scene and play.ruling("caller_scope") == "in-scene"
                ),
                kind=DiagnosticKind.SUSPICIOUS,
            ),
        ),
        MEANS_CHARACTER,
    ),
    "challenged": Role("a character", "be called", (IN_SCENE,), MEANS_CHARACTER),
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
                concerns_actor=True,
            ),
        ),
        MEANS_CHARACTER,
        resolves_to=PLAYER,
        repeat_rule="",
    ),
    "side": Role("a principal of the conflict", "", (), MEANS_CHARACTER, repeat_rule=""),
}

# --- call and answer ------------------------------------------------------------------------------

END_FIRST = make_fix(InsertEntry("end scene:"))
MATCH_FIRST = make_fix(InsertEntry("match:"))


NO_CALL = ("dropped:call",)


class Call(Action):
    """Lay down your conflict die: that went too far, it was otherwise."""

    verb = "call"
    synonyms = ("object", "conflict")
    objects = True
    decides = Decides("caller")
    moment = Moment(
        IN_A_SCENE,
        Refusal("P15", "a conflict can only be called within a scene", after=("dropped:scene",)),
    )
    offered = Offered("P15", "lay down the conflict die against a character")
    example = "call: Petra knew nothing\n  by: Petra\n  against: Jonas"
    version = main(
        TEXT, "what happened instead, in the caller's version", text_role=TextRole.SENTENCE
    )
    by = option(in_role("caller", NAME), "the offended character")
    against = required(in_role("challenged", NAME), "whose statement is disputed")

    def lead_in(self) -> str:
        character = f"{self.by}, " if self.by is not None else ""
        return f"{character}against {self.against}"

    def sentence(self, play: Table) -> Sentence:
        return said(
            "{} calls {}.", acting(play), find_character(play, self.against) or str(self.against)
        )

    @guard("T56", DiagnosticKind.UNREADABLE)
    def somebody_calls(self, play: Table) -> Violation | None:
        if not nobody_acts(play):
            return None
        against = find_character(play, self.against)
        candidates = [character for character in play.state.cast if character != against]
        return Violation("who calls this conflict?", fix=by_one_of(candidates))

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
        facts = [play.because(conflict.latest, "settled here")]
        if conflict.stage is Stage.BACKED_DOWN:
            message = f"{conflict.challenged} backed down, so this scene is over"
            return Violation(message, fix=END_FIRST, facts=facts, rule="PA22")
        if conflict.stage is not Stage.ROLLED:
            return Violation(
                f"{at_start(conflict.caller)}'s conflict die is on the table already",
                facts=[play.because(conflict.called, "called here")],
                help="settle that conflict first",
            )
        if play.ruling("scene_after_conflict") != "play-out":
            return None
        return Violation(
            "this scene has had its conflict; its loser opens another",
            facts=facts,
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
            steps=[step.number],
        )
        state.conflict = conflict
        state.conflicts.append(conflict)
        play.event(
            f"{at_start(caller)} disputes what {challenged} said: {self.version}",
            "P15",
            "calls",
            id_of(caller),
        )


def at_start(character: Someone) -> str:
    """The name at the beginning of a sentence."""
    return "Somebody" if isinstance(character, Unknown) else character


def id_of(character: Someone) -> str:
    """The id of a character; empty for an unknown person."""
    return "" if isinstance(character, Unknown) else character


class BackDown(Action):
    """Give way: the caller ends the scene, no die is rolled and no token moves."""

    verb = "back down"
    synonyms = ("concede", "yield", "give in")
    decides = Decides("challenged", "P16")
    moment = Moment(
        (CALLED,),
        Refusal(
            "P16",
            "there is no call to back down from",
            "call:  comes first",
            NO_CALL,
        ),
        {
            MATCHED: Refusal("P16", "too late to back down: the call is matched already"),
            GIVEN_WAY: Refusal("P16", "too late to back down: {challenged} did so before"),
            DECIDED: Refusal("P16", "too late to back down: the dice have fallen"),
        },
    )
    offered = Offered("P16", "give way")
    example = "back down: Jonas"
    loser = main(in_role("named", NAME), "who backs down", default=None)
    moves = option(MapOf(in_role("named", NAME), WHOLE), "steps of tokens; there are none")

    def lead_in(self) -> str:
        return f"{self.loser} backs down" if self.loser is not None else ""

    def sentence(self, play: Table) -> Sentence:
        return said("{} backs down.", self.who_backs_down(play))

    def who_backs_down(self, play: Table) -> Someone:
        """The character named, the actor, or the challenged character."""
        conflict = play.state.running()
        named = find_character(play, self.loser) if self.loser else ""
        acting = play.state.characters.get(play.step.player, "")
        return named or acting or (conflict.challenged if conflict is not None else UNKNOWN)

    @guard("P16", at="main")
    def challenged_backs_down(self, play: Table) -> Violation | None:
        conflict = play.state.running()
        named = find_character(play, self.loser) if self.loser else ""
        if conflict is None or not named or named == known(conflict.challenged):
            return None
        message = f"{named} backs down; {conflict.challenged} was challenged"
        return Violation(message, facts=[play.because(conflict.called, "called here")])

    @guard("P16", at="moves")
    def nobody_moves(self, play: Table) -> str | None:
        moved = any((self.moves or {}).values())
        return "no token moves after a back-down" if moved else None

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
        conflict.steps.append(play.step.number)
        character, why = {
            "backed-down": (id_of(conflict.challenged), f"{conflict.challenged} backed down"),
            "caller": (id_of(conflict.caller), f"{conflict.caller} called the conflict"),
        }.get(play.ruling("opener_after_backdown"), ("", "anybody may open after a back-down"))
        gives_right(play, character, why)
        play.event(
            f"{at_start(conflict.challenged)} gives way; {conflict.caller} concludes the scene",
            "P16",
            "backs down",
            id_of(self.who_backs_down(play)) or id_of(conflict.challenged),
        )

    def outcomes(self, telling: Telling, step: Step) -> Iterator[Outcome]:
        """The challenged player gave way, so the caller's version is true."""
        from chronicle.games.positive.outcomes import backed_down

        for event in step.events:
            if event.kind == "backs down":
                yield backed_down(telling, step, event)


class Match(Action):
    """Lay down your own conflict die against the caller's."""

    verb = "match"
    decides = Decides("challenged", "P17")
    moment = Moment(
        (CALLED, MATCHED),
        Refusal("P17", "there is no call to match", "call:  comes first", after=NO_CALL),
        {
            GIVEN_WAY: Refusal("P17", "too late to match: {challenged} backed down"),
            DECIDED: Refusal("P17", "too late to match: the dice have fallen"),
        },
    )
    offered = Offered("P17", "stand by it")
    example = "match: She lent them her flat"
    version = main(TEXT, "the challenged player's version", default="", text_role=TextRole.SENTENCE)

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
        backed = conflict.backers.get(play.step.player, conflict.challenged)
        if backed != conflict.challenged:
            return f"{play.step.player} backs {backed} already, on the other side"
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
            conflict.steps.append(play.step.number)
            stands = f": {self.version}" if self.version else ""
            play.event(
                f"{at_start(conflict.challenged)} stands by it{stands}",
                "P17",
                "matches",
                id_of(conflict.challenged),
            )


def not_in_conflict(strangers: Sequence[Someone], principals: Iterable[Someone]) -> str:
    """The message about characters who are not one of the two in a conflict."""
    verb = "is" if len(strangers) == 1 else "are"
    return f"{listed(strangers)} {verb} not in this conflict: it is between {listed(principals)}"


def shown_principals(conflict: Conflict, named: set[str]) -> tuple[Someone, Someone]:
    """Caller and challenged. If one of them is not recorded, it is the only other character among those ``named``: the
    opponent in the roll, the winner, or a character who is backed."""
    caller, challenged = conflict.principals
    candidates = [
        character for character in named if character and character not in (caller, challenged)
    ]
    if len(candidates) != 1:
        return caller, challenged
    if isinstance(challenged, Unknown) and not isinstance(caller, Unknown):
        return caller, candidates[0]
    return (candidates[0] if isinstance(caller, Unknown) else caller), challenged


def reveal_principals(play: Table, conflict: Conflict, principals: tuple[Someone, Someone]) -> None:
    """Add the caller or the challenged character to the record if a later entry shows who it was."""
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
    synonyms = ("support",)
    decides = Decides("backers")
    moment = Moment(
        (MATCHED,),
        Refusal("P18", "there is no matched conflict to back anybody in", after=NO_CALL),
        {
            CALLED: Refusal(
                "P18",
                "{challenged} has not matched yet; sides are backed after the match",
                after=("dropped:match",),
                doubts=("early support",),
                fixes=(MATCH_FIRST,),
            ),
            DECIDED: Refusal("P18", "the dice have fallen; no player can back a side any more"),
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
            own_side = conflict.own_side(player, play.state.characters.get(player, ""))
            if own_side and play.ruling("principals_commit") == "no":
                yield Violation(
                    f"{player} fights in this conflict and cannot back a side",
                    word,
                    kind=DiagnosticKind.SUSPICIOUS,
                )
            if own_side and backed[:1] not in ([], [""], [own_side]):
                yield Violation(
                    f"{player}'s conflict die is on {own_side}'s side, so {player} cannot back the other",
                    word,
                )
                continue
            if strangers and UNKNOWN not in conflict.principals:
                place = place_of(sides[0].name, self.path)
                yield Violation(
                    not_in_conflict(strangers, conflict.principals),
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
        conflict.steps.append(play.step.number)
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


# --- who acts -------------------------------------------------------------------------------------


def _answers(play: Table, action: Action) -> Sequence[str]:
    conflict = play.state.running()
    if conflict is None or isinstance(conflict.challenged, Unknown):
        return []
    several = conflict.stage is Stage.MATCHED and play.ruling("principals") == "several"
    return [] if several else [conflict.challenged]


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
}
