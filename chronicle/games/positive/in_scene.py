"""What happens in a scene: telling, barging in, apologising (P10, P13, P14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, NAMES, TEXT, WHOLE, in_role
from chronicle.core.fix import (
    InsertEntry,
    RemoveEntry,
    RemoveKey,
    make_fix,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import AT_TABLE, TABLE, Decider, Role
from chronicle.core.names import PLAYER, fold, only_words
from chronicle.core.sentences import Sentence, said
from chronicle.core.shared_verbs import Say, Tell
from chronicle.core.telling import TextRole
from chronicle.games.positive.scenes import IN_SCENE, by_one_of, enter
from chronicle.games.positive.setup import (
    dice_left,
    no_die_left,
    regain_dice,
    spend_dice,
)
from chronicle.games.positive.state import (
    CHARACTER,
    DIE,
    FULL_POOL,
    IN_A_SCENE,
    MEANS_CHARACTER,
    ApologyRecord,
    Stage,
    Table,
    acting,
    dice_of,
    find_character,
    nobody_acts,
)

if TYPE_CHECKING:
    from chronicle.core.outcomes import Outcome, Telling
    from chronicle.core.record import Step

RULES = """
# Scenes
P10 Players can tell anything [recorded]
  In a scene the players tell anything they like about their own and each other's characters: how close they are,
  what they did, what they are like.
  why: only the table can judge whether a story contradicts the result of a conflict
P13 Barging in [checked]
  A player whose character was not added to a scene can come in anyway, for one commitment die.
P14 A sincere apology [checked]
  A character admits something, confesses or apologises in a scene. If the rest of the group believes it, the player
  gets one commitment die back.
"""

READINGS = """
PA5 regain_cap: May an apology lift a pool above three dice?
  - 3: no: a die is regained, and each player owns three
  - none: yes
  because a die can only come back to its player (P14)
PA9 accused_barges_first: May the accused barge into the first scene?
  - no: no
  - yes: yes, for a die like all others
  because the text keeps the accused out of that scene; backing a side is open to all (P9, P13)
PA18 apology_vote: How much agreement does sincerity need?
  - unanimous: all others must believe it
  - majority: fewer than half of the others
  because the rest of the group agrees (P14)
PA23 answer_now: Must the challenged player answer before play goes on?
  - yes: yes; anything told in between is noted
  because slamming down a die stops play (P15)
PA28 outside_tell: May a player narrate in a scene without their character?
  - may: everybody at the table tells
  - in-scene: a player whose character is not in it barges in first; otherwise it is noted
  because the text keeps characters out of a scene, and players are those who tell (P10, P13)
"""

TERMS = """\
Apology [P14]: To admit something in a scene. If the others believe it, a commitment die comes back.
Barge in [P13]: To come into a scene uninvited, for a commitment die.
"""

ROLES: Mapping[str, Role] = {
    "speaks": Role("a character", "speak", (IN_SCENE,), (CHARACTER,), repeat_rule=""),
    "apologises": Role(
        "a character who owns up",
        "apologise in it",
        (IN_SCENE._replace(rule="P14"),),
        MEANS_CHARACTER,
    ),
    "doubts": Role("a player of the others", "", (AT_TABLE,), MEANS_CHARACTER, resolves_to=PLAYER),
}


def answer_first(play: Table) -> Violation | None:
    """PA23: a call stops play until it is answered."""
    conflict = play.state.conflict
    if conflict is None or conflict.stage is not Stage.CALLED:
        return None
    return Violation(
        f"{conflict.challenged} has not answered {conflict.caller}'s call yet",
        facts=[play.because(conflict.called, "called here")],
        fix=[
            make_fix(InsertEntry("match:")),
            make_fix(InsertEntry(f"back down: {conflict.challenged}")),
        ],
    )


class BargeIn(Action):
    """Come into a scene that you were not added to. It costs one commitment die."""

    verb = "barge in"
    lead_in_template = "Enter {guest}"
    synonyms = ("enter", "join", "come in")
    decides = Decides("barger", "P13")
    moment = Moment(
        IN_A_SCENE, Refusal("P13", "there is no scene to barge into", after=("dropped:scene",))
    )
    offered = Offered("P13", "barge in for a die", price=(1, DIE))
    example = "barge in: Sunny"
    guest = main(in_role("named", NAME), "the character who barges in")
    pays = option(
        WHOLE, "commitment dice paid; you need not write this, Chronicle checks it", computed=True
    )

    def sentence(self, play: Table) -> Sentence:
        return said("{} barges in.", find_character(play, self.guest) or str(self.guest))

    @question("PA23")
    def call_is_answered(self, play: Table) -> Violation | None:
        return answer_first(play)

    @guard("P13", at="main")
    def not_there_yet(self, play: Table) -> Violation | None:
        character, state = find_character(play, self.guest), play.state
        if not character or character not in state.cast:
            return None
        return Violation(
            f"{character} is in this scene already",
            facts=[play.because(state.scene_step, "the scene opened here")],
            doubts=[f"dice:{state.player(character)}"],
        )

    @question("P13", at="main")
    def accused_stays_out_of_the_first(self, play: Table) -> Violation | None:
        character, state = find_character(play, self.guest), play.state
        if not state.first_scene or character != state.host or not character:
            return None
        if play.ruling("accused_barges_first") != "no":
            return None
        return Violation(
            f"{character} is the accused and barges into the first scene",
            help=f"{state.player(character)} may back a side instead; the character need not be there",
        )

    @guard("P13", at="pays", fix=RemoveKey("pays"))
    def costs_one_die(self, play: Table) -> Violation | None:
        owner = play.state.player(find_character(play, self.guest))
        if self.pays in (None, 1):
            return None
        return Violation(
            f"barging in costs one commitment die, not {self.pays}", doubts=[f"dice:{owner}"]
        )

    @guard("P13", at="main", help="a sincere apology in a scene brings one back")
    def has_a_die(self, play: Table) -> Violation | None:
        character = find_character(play, self.guest)
        owner = play.state.player(character)
        if not owner or character in play.state.cast or self.pays == 0:
            return None
        conflict = play.state.running()
        laid = conflict is not None and owner in conflict.backers
        message = f"{owner} has no commitment die left to barge in with"
        return no_die_left(play, owner, message, needed=2 if laid else 1)

    def apply(self, play: Table) -> None:
        character = find_character(play, self.guest)
        owner = play.state.player(character)
        play.step.player = play.step.player or owner
        if not character:
            return
        if character not in play.state.cast:
            paid = 1 if self.pays is None else max(0, self.pays)
            spend_dice(play, owner, paid, "P13", "barging in")
            enter(play, character)
        dice = plural(dice_left(play, owner), "die", "dice")
        play.event(f"{character} comes in; {owner} has {dice} left", "P13", "enters", character)


# --- apologies ------------------------------------------------------------------------------------


class Apology(Action):
    """Own up, confess or apologise in a scene. If all the others believe it, regain a die."""

    verb = "apology"
    synonyms = ("apologise", "apologize", "confess", "sorry")
    decides = Decides("sinner")
    moment = Moment(
        IN_A_SCENE,
        Refusal(
            "P14",
            "an apology brings a die back only within a scene",
            after=("dropped:scene",),
        ),
    )
    offered = Offered("P14", "own up, confess or apologise; believed, it brings a die back")
    example = "apology: I told Jonas. It was not mine to tell.\n  by: Sunny"
    words = main(TEXT, "what is said", text_role=TextRole.SENTENCE)
    by = option(in_role("apologises", NAME), "the character who apologises")
    doubted_by = option(
        in_role("doubts", NAMES), "who does not believe it (silence agrees)", default=()
    )
    regains = option(
        WHOLE,
        "commitment dice regained; you need not write this, Chronicle checks it",
        computed=True,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        sins = ("That was my doing", "I knew, and said nothing", "It was a lie", "I was jealous")
        for character in play.state.cast:
            possible = [doubter for doubter in play.state.everybody() if doubter != character]
            number = len(play.state.apologies)
            entry = {"apology": f"{sins[number % len(sins)]} ({number + 1})", "by": character}
            yield entry
            yield from ({**entry, "doubted by": doubter} for doubter in possible[:1])

    def lead_in(self) -> str:
        return f"{self.by} owns up" if self.by is not None else ""

    def sentence(self, play: Table) -> Sentence:
        return said("{} apologises.", acting(play))

    def doubters(self, play: Table) -> list[str]:
        """The players of the others who do not believe it."""
        doubters = [play.look_up_player(word) for word in self.doubted_by]
        return [player for player in doubters if player and player != play.step.player]

    def is_believed(self, play: Table) -> bool:
        """PA18: whether the others believe it."""
        doubters, owner = self.doubters(play), play.step.player
        possible = [name for name in play.present if name in play.seats and name != owner]
        majority = play.ruling("apology_vote") == "majority"
        return 2 * len(doubters) < len(possible) if majority else not doubters

    def is_repeated(self, play: Table) -> ApologyRecord | None:
        """The earlier apology of the same character in the same words and the same scene, if there is one."""
        own = only_words(self.words)
        for apology in reversed(play.state.apologies):
            if apology.step <= play.state.scene_step:
                break
            if apology.character == acting(play) and only_words(apology.words) == own:
                return apology
        return None

    def dice_due(self, play: Table) -> int:
        """How many dice it brings back, by the book."""
        if self.is_repeated(play) or not self.is_believed(play):
            return 0
        if play.ruling("regain_cap") == "3" and dice_left(play, play.step.player) >= FULL_POOL:
            return 0
        return 1

    @question("PA23")
    def call_is_answered(self, play: Table) -> Violation | None:
        return answer_first(play)

    @guard("T56", DiagnosticKind.UNREADABLE)
    def somebody_apologises(self, play: Table) -> Violation | None:
        if not nobody_acts(play):
            return None
        return Violation("whose apology is this?", fix=by_one_of(play.state.cast))

    @guard("P14", at="main", fix=RemoveEntry())
    def one_die_an_act(self, play: Table) -> Violation | None:
        earlier = self.is_repeated(play)
        if earlier is None:
            return None
        message = f"{acting(play)} has apologised in these words before; one apology, one die"
        return Violation(message, facts=[play.because(earlier.step, "the same apology")])

    @question("P14", at="doubted by", fix=RemoveKey("doubted by"))
    def others_judge_it(self, play: Table) -> Iterator[Violation]:
        for word in self.doubted_by:
            player = play.look_up_player(word)
            if player and player == play.step.player:
                yield Violation(f"{player} cannot doubt an apology of {player}'s own", word)

    @guard("P14", at="regains", fix=RemoveKey("regains"))
    def brings_one_die(self, play: Table) -> Violation | None:
        owner, stated = play.step.player, self.regains
        if not owner or stated is None or stated == self.dice_due(play):
            return None
        doubt = [f"dice:{owner}"]
        if stated > 1:
            return Violation(f"one apology brings one die back, not {stated}", doubts=doubt)
        if stated < 0:
            return Violation("an apology takes no die away", doubts=doubt)
        if self.is_repeated(play):
            return None
        if stated and not self.is_believed(play):
            return Violation(
                f"{owner} regains a die although {listed(self.doubters(play))} did not believe it",
                kind=DiagnosticKind.SUSPICIOUS,
                doubts=doubt,
            )
        if stated and not dice_of(play, owner).at_least(FULL_POOL):
            return None
        if stated:
            return Violation(
                f"{owner} has all three commitment dice; there is none to regain",
                kind=DiagnosticKind.SUSPICIOUS,
                doubts=doubt,
            )
        return Violation(
            f"everybody believed it, so {owner} regains a die",
            kind=DiagnosticKind.BOOKKEEPING,
            doubts=doubt,
        )

    def apply(self, play: Table) -> None:
        play.step.tell(self.words)
        character, owner = acting(play), play.step.player
        if not owner:
            return
        doubters, believed, repeated = (
            self.doubters(play),
            self.is_believed(play),
            self.is_repeated(play) is not None,
        )
        regained = self.dice_due(play) if self.regains is None else self.regains
        regain_dice(play, owner, regained, "a sincere apology")
        character = character if isinstance(character, str) else ""
        play.state.apologies.append(
            ApologyRecord(
                play.step.number, character, str(self.words), tuple(doubters), regained > 0
            )
        )
        if regained:
            outcome = f"believed: {owner} regains a die"
        elif repeated:
            outcome = "the same apology again: no die comes back"
        elif not believed:
            outcome = f"{listed(doubters)} {'does' if len(doubters) == 1 else 'do'} not believe it"
        else:
            outcome = f"believed; {owner} has all three dice already"
        play.event(outcome, "P14", "apology", character)

    def outcomes(self, telling: Telling, step: Step) -> Iterator[Outcome]:
        """Somebody owned up."""
        from chronicle.games.positive.outcomes import owned_up

        for event in step.events:
            if event.kind == "apology":
                yield owned_up(telling, step, event)


# --- telling --------------------------------------------------------------------------------------


def hold_narration(play: Table) -> None:
    """P10: players can tell anything in a scene; while a call waits for its answer, play stops (PA23). How somebody is
    thrown out is told by the others (P26)."""
    state, step = play.state, play.step
    waits = answer_first(play)
    if waits is not None:
        play.suspect(True, "PA23", waits.message, facts=waits.facts, fix=waits.fix)
    character = state.characters.get(step.player, "")
    if not isinstance(step.action, Tell) or step.action.by is None or not character:
        return
    play.suspect(
        character in state.ejected,
        "P26",
        f"{step.player} plays {character}, who is thrown out; the others tell how",
        at="by",
    )
    play.suspect(
        state.in_scene
        and character not in state.cast
        and play.ruling("outside_tell") == "in-scene",
        "PA28",
        f"{step.player} tells in this scene, and {character} is not in it",
        at="by",
        fix=make_fix(InsertEntry(f"barge in: {character}")),
    )


def keep_to_names(play: Table, action: Action) -> None:
    """P8: before the first scene a character is a name and nothing else, in whatever key the rest is told."""
    if play.state.scenes or play.given:
        return
    speeches = action.lines if isinstance(action, Say) else ()
    stories = [action.story] if isinstance(action, Tell) else [line.words for line in speeches]
    speakers = {fold(line.speaker) for line in speeches}
    words = only_words(" ".join(map(str, filter(None, (*stories, action.text)))))
    names = [play.names.all[character].name for character in play.state.everybody()]
    named = [
        name for name in names if fold(name) in speakers or f" {only_words(name)} " in f" {words} "
    ]
    play.suspect(
        bool(named),
        "P8",
        f"this tells something of {listed(named)} before the first scene",
        help="open a scene first, and tell it there; a remark of the players is  note:  or  aside:",
    )


# --- who acts -------------------------------------------------------------------------------------


def _barges(play: Table, action: Action) -> Sequence[str]:
    character = find_character(play, action.guest) if isinstance(action, BargeIn) else ""
    return [character] if character else []


ACTORS: Mapping[str, Decider] = {
    "barger": Decider(
        "the player of the character who barges in",
        _barges,
        "{by} brings in a character of {due}'s, for a die of {due}'s",
    ),
    "sinner": TABLE._replace(words="the player of the character who apologises: name it with by"),
}
