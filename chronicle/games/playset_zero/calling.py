"""Calling a roll: the conflict, the goal, and what may go wrong (Z12 to Z15, Z45)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option, required
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import (
    NAME,
    NAMES,
    TEXT,
    YES_NO,
    EitherOf,
    MapOf,
    OneOrMany,
    choice,
    in_role,
)
from chronicle.core.fix import add_entry, drop_item, set_key
from chronicle.core.gaps import SOMEBODY
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import answer, expected
from chronicle.core.law import Decider, Role
from chronicle.core.names import PLAYER, only_words
from chronicle.core.ranges import CannotTell
from chronicle.core.reporter import NOBODY_ACTS
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.playset_zero.dice import WHITE, WHITE_DICE, Ask, SetsOut
from chronicle.games.playset_zero.hits import EndsRoll, end_roll
from chronicle.games.playset_zero.making import BeginsPlay
from chronicle.games.playset_zero.marks import marks_of
from chronicle.games.playset_zero.state import (
    MEANS_CHARACTER,
    WITHOUT_WORDS,
    Call,
    Character,
    Item,
    RollRecord,
    Stage,
)
from chronicle.games.playset_zero.table import (
    GOAL,
    ROLLED,
    SETTLED,
    Table,
    acting,
    called,
    find_character,
    in_force,
    is_absent,
    not_in_force,
    other_participants,
)

RULES = """
# Calling a roll
Z12 The GM asks a character who is involved [checked; V48]
  When something is tense and uncertain, the GM asks the player whose character is in it. Chronicle reports a roll by a
  character who is not in the conflict.
Z13 Players may ask the GM to roll [computed]
  When a character of the GM's is in a tight spot, players may ask for a roll. If their own characters are in it as
  well, rolling themselves serves them better.
Z14 The goal comes first [checked; V9]
  Before any die falls, the roller says what the character wants to achieve.
Z15 Two dangers [checked; V10 V11 V47]
  Each of the other two names one danger, which can happen with or without the goal. The roller names none, no player
  names both, and a failure at the goal is no danger of its own.
# Optional rules
Z45 Two, three or four questions [checked]
  A variant from the author's comment: the GM calls the situation challenging, complicated or unusually complicated,
  and the roll then has two, three or four questions, counting the goal. (Option questions.)
"""

READINGS = """
ZA23 same_danger: May the same danger be named twice?
  - no: it is noted
  - yes: yes, and it takes two hits
  because there are two dangers (Z15)
ZA28 question_kinds: Beside goal and dangers, what are the questions of the comment's variant?
  - either: two: goal and one danger; three: goal and two; four: goal and three, or a goal in two parts and two
  - dangers: one goal, the rest dangers
  because it stays nearest to the standard roll, and splitting the goal is what the comment asks about (Z45)
"""

TERMS = """\
Goal [Z14]: What the character wants to achieve, said before any die falls.
Danger [Z15]: A bad event that can happen with or without the goal. The other two name one each.
"""

GRADES: Final = {"challenging": 2, "complicated": 3, "unusually complicated": 4}
"""The number of questions for each grade (Z45)."""
STANDARD_QUESTIONS: Final = 3

# --- asking ---------------------------------------------------------------------------------------


class Conflict(BeginsPlay, EndsRoll):
    """A tense, uncertain moment: the GM asks a player to roll."""

    verb = "conflict"
    synonyms = ("test", "challenge", "moment")
    decides = Decides("caller", "Z12", kind=DiagnosticKind.SUSPICIOUS)
    offered = Offered("Z12", "ask for a roll")
    example = "conflict: The rope is about to part\n  asks: Oriel"
    moment_words = main(TEXT, "what is uncertain", text_role=TextRole.SENTENCE)
    asks = required(in_role("asked", NAME), "the character who is asked to roll")
    with_ = option(in_role("involved", NAMES), "who else is involved", default=())

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for character in play.state.characters.values() if play.state.call is None else ():
            entry = {"conflict": "Somebody is at the door", "asks": character.name}
            # Z13: players ask the GM.
            askers = play.seats if character.npc else (play.runner,)
            yield from ({**entry, "by": asker} for asker in askers[:1])

    def sentence(self, play: Table) -> Sentence:
        character = find_character(play, self.asks)
        roller = character.id if character is not None else ""
        return said("{} asks {} to roll.", play.step.player or play.runner, roller)

    def apply(self, play: Table) -> None:
        end_roll(play)
        play.state.has_begun = True
        character = find_character(play, self.asks)
        if character is None:
            return
        named = [character, *(find_character(play, word) for word in self.with_)]
        involved = [person.id for person in named if person is not None]
        asker = play.step.player
        play.state.call = Call(
            play.step.number,
            str(self.moment_words),
            asker,
            character.id,
            tuple(dict.fromkeys(involved)),
        )
        rule = "Z13" if character.npc else "Z12"
        play.event(
            f"{asker or play.runner} asks {character.owner or 'the player'} to roll for {character.name}",
            rule,
            "asks",
            character.id,
        )


# --- dangers --------------------------------------------------------------------------------------


def dangers_due(play: Table, roll: RollRecord) -> tuple[int, int]:
    """The least and the most dangers of a roll: one from each of the others (Z15), or as many as
    the grade of the situation asks beside the goal (Z45). An absent player may still be asked."""
    if roll.grade:
        count = GRADES[roll.grade] - len(roll.goals)
        return count, count
    if len(roll.goals) > 1:
        count = max(1, STANDARD_QUESTIONS - len(roll.goals))
        return count, max(count, 2)
    if play.ruling("participants") == "two":
        return 2, 2
    names = other_participants(play, roll.player)
    return min(len(names), sum(name in play.present for name in names)), len(names)


def danger_rule(roll: RollRecord) -> str:
    """The rule that says how many dangers a roll has."""
    return "Z45" if roll.grade else "Z15"


def dangers_missing(play: Table, roll: RollRecord) -> Violation | None:
    """Z15, Z45: dice would fall before every danger has been named."""
    count, (least, _) = len(roll.dangers), dangers_due(play, roll)
    if count >= least or roll.stage is not Stage.GOAL or not roll.goals:
        return None
    if not roll.player and not roll.grade:
        raise CannotTell
    waiting = silent(play, roll)
    named_none = f"; {listed(waiting)} {'has' if len(waiting) == 1 else 'have'} named none"
    key = f"dangers:{roll.number}"
    return Violation(
        f"this roll has {plural(count, 'danger')}; there are {least}"
        + (named_none if waiting and not roll.grade else ""),
        play.steps[roll.step - 1].action.place("dangers"),
        help=f"dangers: {{{', '.join(f'{name}: the danger' for name in waiting or ['who names it'])}}}",
        since=roll.step,
        after=(key,),
        rule=danger_rule(roll),
        doubts=(key,),
    )


def silent(play: Table, roll: RollRecord) -> list[str]:
    """Those of the others at the table who have named no danger."""
    authors = [danger.author for danger in roll.dangers]
    return [
        name
        for name in other_participants(play, roll.player)
        if name not in authors and name in play.present
    ]


class NamesDangers(Action):
    """An entry that names dangers of a roll."""

    def roll_in_danger(self, play: Table) -> RollRecord | None:
        """The roll before these dangers."""
        raise NotImplementedError

    def named(self) -> Iterator[tuple[ScalarNode, ScalarNode]]:
        """Author and text of each danger."""
        raise NotImplementedError

    def drafts(self, play: Table) -> list[tuple[ScalarNode, ScalarNode, Item]]:
        """The dangers that the entry names: author and text as typed, and the recorded danger."""
        return [
            (
                author,
                text,
                Item(
                    False,
                    text.strip() or WITHOUT_WORDS,
                    play.look_up_player(author) or str(author),
                    play.step.number,
                ),
            )
            for author, text in self.named()
        ]

    @guard("Z15")
    def dangers_have_words(self, play: Table) -> Iterator[Violation]:
        for author, text, danger in self.drafts(play):
            if not text.strip():
                message = f"the danger that {danger.author} names has no words"
                yield Violation(message, text if text.line else author)

    @guard("Z15")
    def each_of_the_others_names_one(self, play: Table) -> Iterator[Violation]:
        roll = self.roll_in_danger(play)
        earlier = [*roll.dangers] if roll is not None else []
        for author, text, danger in self.drafts(play) if roll is not None else ():
            wrong = _wrong_danger(play, roll, earlier, danger) if roll is not None else None
            # The law checks the signature of the entry itself.
            is_signed = roll is not None and author is self.by and danger.author == roll.player
            if wrong is not None and not is_signed:
                yield wrong._replace(at=text)
            earlier.append(danger)

    def add_dangers(self, play: Table, roll: RollRecord) -> None:
        """Write the dangers down."""
        for _, _, danger in self.drafts(play):
            roll.dangers.append(danger)
            text = f"{danger.author} names a danger: {danger.text}"
            play.event(text, "Z15", "danger", roll.character)


def _wrong_danger(
    play: Table, roll: RollRecord, earlier: Sequence[Item], danger: Item
) -> Violation | None:
    """The rule that a danger breaks, after the earlier ones."""
    _, most = dangers_due(play, roll)
    key = f"dangers:{roll.number}"
    first = next((item for item in earlier if item.author == danger.author), None)
    if danger.author == roll.player:
        return Violation(
            f"{danger.author} rolls and names a danger; each of the others names one",
            after=(key,),
            doubts=(key,),
        )
    if first is not None and most <= len(other_participants(play, roll.player)):
        is_older = first.step < play.step.number
        return Violation(
            f"{danger.author} names a second danger; each of the others names one",
            facts=play.facts(first.step, "the first one") if is_older else (),
            after=(key,),
            doubts=(key,),
        )
    if len(earlier) >= most:
        return Violation(
            f"a {_ordinal(len(earlier) + 1)} danger; this roll has {most}",
            fix=drop_item(danger.text),
            help="more questions need  grade: unusually complicated  and  options: [questions]",
            after=(key,),
            doubts=(key,),
            rule=danger_rule(roll),
        )
    if only_words(danger.text) in [only_words(item.text) for item in earlier]:
        if play.ruling("same_danger") != "no":
            return None
        message = "the same danger is named twice"
        return Violation(message, rule="ZA23", kind=DiagnosticKind.SUSPICIOUS)
    if _is_mere_failure(roll, danger.text):
        message = "this danger is only the failure of the goal; it should threaten either way"
        return Violation(message, kind=DiagnosticKind.SUSPICIOUS)
    return None


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third", 4: "fourth"}.get(number, f"{number}th")


def _is_mere_failure(roll: RollRecord, text: str) -> bool:
    words = only_words(text)
    goals = [only_words(item.text) for item in roll.goals]
    fixed = ("failure", "the goal fails", "it fails", "goal not reached", "the goal is not reached")
    return words in (*fixed, *goals, *(f"not {goal}" for goal in goals))


# --- the goal -------------------------------------------------------------------------------------


class Goal(NamesDangers, SetsOut, BeginsPlay, EndsRoll):
    """Say what your character is trying to achieve, and which dice come in."""

    verb = "goal"
    about_whom = "{who}"
    synonyms = ("aim", "try", "intent")
    already_shown_kinds = frozenset({"goal"})
    decides = Decides("roller", "Z12")
    offered = Offered("Z14", "state a goal")
    example = (
        "goal: Get a rope on the bell before the tide turns\n  by: Oriel\n"
        "  dangers: {Gil: the air runs out, Bo: the rope is cut}\n"
        "  use: a diving helmet\n  because: she has sounded the wreck before"
    )
    goal = main(OneOrMany(TEXT), "what the character is trying to achieve", default=())
    dangers = option(
        MapOf(in_role("names a danger", NAME), OneOrMany(TEXT)),
        "{who names it: danger}, one from each of the others",
    )
    challenge = option(YES_NO, "yes, if the goal is unusually tough", default=False)
    grade = option(choice(*GRADES), "how complicated the situation is (option questions)")

    def lead_in(self) -> str:
        return f"{self.by or SOMEBODY}'s goal: {'; '.join(self.goal)}" if any(self.goal) else ""

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        call, number = play.state.call, len(play.steps) + 1
        characters = [
            character
            for character in play.state.characters.values()
            if call is None or character.id in call.involved
        ]
        for turn in range(3):
            for character in characters:
                entry = {"goal": f"Cross the yard unseen, {number}", "by": character.name}
                yield entry | _more_to_try(play, character, number + turn)

    def sentence(self, play: Table) -> Sentence:
        character = self.character(play)
        return said(
            "{} states a goal.", character.id if character is not None else play.step.player
        )

    # The parts of the entry.

    def character(self, play: Table) -> Character | None:
        """The character who rolls: named with ``by``, or asked by a conflict."""
        call = play.state.call
        if self.by is None and call is not None:
            return play.state.characters[call.asks]
        return acting(play)

    def player(self, play: Table) -> str:
        """The player who rolls."""
        character = self.character(play)
        return character.owner if character is not None else play.step.player

    @property
    def parts(self) -> list[str]:
        """The parts of the goal that have words."""
        return [str(text) for text in self.goal if text.strip()]

    def draft(self, play: Table, ask: Ask = expected) -> RollRecord:
        """The roll that this entry starts, without its dangers."""
        character, player, call = self.character(play), self.player(play), play.state.call
        white = ask(play, WHITE_DICE, WHITE, character.id if character is not None else player)
        scene = play.timeline.current
        return RollRecord(
            number=len(play.state.rolls) + 1,
            step=play.step.number,
            player=player,
            character=character.id if character is not None else "",
            name=called(character, player),
            asked_by=call.by if call is not None else "",
            pool=self.pool(play, white),
            goals=[Item(True, text, player, play.step.number) for text in self.parts],
            challenge=self.challenge,
            grade=str(self.grade or ""),
            scene=scene.number if scene is not None else 0,
        )

    def roll_in_danger(self, play: Table) -> RollRecord | None:
        return self.draft(play)

    def named(self) -> Iterator[tuple[ScalarNode, ScalarNode]]:
        for author, texts in (self.dangers or {}).items():
            yield from ((author, text) for text in texts)

    # Guards.

    @guard("T56", DiagnosticKind.UNREADABLE)
    def belongs_to_somebody(self, play: Table) -> Violation | None:
        if self.player(play) or self.by is not None:
            return None
        return Violation("whose goal is this?", fix=set_key("by"))

    @guard("Z12", at="by", help="a character who is involved is named under  asks:  or  with:")
    def is_involved(self, play: Table) -> Violation | None:
        call, character = play.state.call, self.character(play)
        if call is None or character is None or character.id in call.involved:
            return None
        if character.owner not in involved_players(play, self):
            # Another player's entry: the law says so.
            return None
        message = f"{character.name} rolls, but the conflict is {involved_names(play)}'s"
        return Violation(message, facts=(play.because(call.step, "asked here"),))

    @question("Z12", at="by")
    def is_in_the_scene(self, play: Table) -> Violation | None:
        character, scene = self.character(play), play.timeline.current
        if character is None or scene is None or play.state.call is not None:
            return None
        if not is_absent(play, character):
            return None
        return Violation(
            f"{character.name} rolls and is not in this scene",
            after=("dropped:scene", "dropped:enter"),
            facts=(play.because(scene.first_step, "the scene opened here"),),
            fix=add_entry(f"enter: {character.name}"),
        )

    @guard("Z14")
    def has_words(self, play: Table) -> Violation | None:
        if self.parts:
            return None
        name = called(self.character(play), self.player(play))
        return Violation(f"{name} rolls without a goal", fix=set_key("goal"))

    @guard("Z39")
    def challenge_is_in_force(self, play: Table) -> Violation | None:
        return (
            not_in_force(play, "challenge", "this goal is a Challenge") if self.challenge else None
        )

    @guard("Z45")
    def questions_are_in_force(self, play: Table) -> Violation | None:
        if self.grade is not None:
            return not_in_force(play, "questions", f"the situation is graded {self.grade}")
        return not_in_force(play, "questions", "the goal is split") if len(self.parts) > 1 else None

    @question("Z45", at="main")
    def parts_differ(self, play: Table) -> Iterator[str]:
        for index, part in enumerate(self.parts):
            if only_words(part) in map(only_words, self.parts[:index]):
                yield f"'{part}' is written twice; the parts of a goal are different"

    @question("ZA28", at="main")
    def goal_is_in_one_part(self, play: Table) -> str | None:
        if len(self.parts) < 2 or play.ruling("question_kinds") != "dangers":
            return None
        return "the goal is split; by this table's ruling further questions are dangers"

    # The effect.

    def apply(self, play: Table) -> None:
        end_roll(play)
        play.state.has_begun = True
        roll = self.draft(play, answer)
        play.state.call = None
        play.state.rolls.append(roll)
        play.step.player = play.step.player or roll.player
        if not roll.player:
            # Nothing about this roll is certain until the next goal.
            problems = play.step.diagnostics
            play.doubt = next((p for p in problems if p.code == NOBODY_ACTS), play.doubt)
        for item in roll.goals:
            play.event(f"{roll.name} wants: {item.text}", "Z14", "goal", roll.character)
        if roll.challenge:
            text = "A Challenge: only a die of 6 or more reaches this goal"
            play.event(text, "Z39", "challenge")
        if roll.grade:
            questions = f"{GRADES[roll.grade]} questions"
            play.event(f"The situation is {roll.grade}: {questions}", "Z45", "grade")
        self.pay_for_dice(play, f"roll {roll.number}: {roll.goal}")
        self.add_dangers(play, roll)


def _more_to_try(play: Table, character: Character, turn: int) -> dict[str, Any]:
    """Further keys of a goal that is proposed: dangers, or what brings dice in."""
    extra: dict[str, Any] = {}
    features = character.present()
    if turn % 4:
        extra["dangers"] = {
            name: f"{('a dog wakes', 'the lamp goes out')[number % 2]}, {turn} {name}"
            for number, name in enumerate(other_participants(play, character.owner))
        }
    elif in_force(play, "questions"):
        extra["grade"] = [*GRADES][turn // 4 % len(GRADES)]
    if turn % 3 and features:
        feature = features[turn % len(features)]
        extra["use"] = feature.text
        if feature.magic is not None and feature.magic.uses:
            extra["good for"] = feature.magic.uses[turn % len(feature.magic.uses)]
    if turn % 5 == 1:
        extra["because"] = "the ground is known"
    if turn % 5 == 2 and character.held():
        extra["advantage"] = character.held()[0].text
    if turn % 7 == 3 and marks_of(play, character):
        extra["mark"] = 1
    if turn % 6 == 4 and in_force(play, "challenge"):
        extra["challenge"] = "yes"
    return extra


def involved_players(play: Table, action: Action) -> Sequence[str]:
    """The players whose characters a conflict concerns; empty without a conflict."""
    call = play.state.call
    if call is None:
        return ()
    return list(dict.fromkeys(play.state.characters[id].owner for id in call.involved))


def involved_names(play: Table) -> str:
    """The characters whom a conflict concerns."""
    call = play.state.call
    return listed(play.state.characters[id].name for id in call.involved) if call else ""


# --- one more danger ------------------------------------------------------------------------------


class NameDanger(NamesDangers):
    """Name something bad that may happen, whether or not the goal is met."""

    verb = "danger"
    synonyms = ("risk", "threat")
    decides = Decides("others", "Z15")
    moment = Moment(
        (GOAL,),
        Refusal("Z15", "there is no goal yet", fixes=(add_entry("goal: ..."),)),
        dict.fromkeys(
            (ROLLED, SETTLED),
            Refusal("Z15", "the dice have fallen; dangers are named before the roll"),
        ),
        void=True,
    )
    offered = Offered("Z15", "name a danger")
    example = "danger: the rope is cut from above\n  by: Bo"
    danger = main(
        EitherOf(
            TEXT,
            MapOf(in_role("names a danger", NAME), TEXT),
            words="a danger, or {who names it: danger}",
        ),
        "the danger, or {who names it: danger}",
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        roll = play.state.running()
        if roll is None:
            return
        authors = silent(play, roll) or other_participants(play, roll.player)
        for number, author in enumerate(authors, len(roll.dangers)):
            examples = ("somebody is hurt", "the price goes up")[number % 2]
            yield {"danger": f"{examples}, {len(play.steps) + 1}", "by": author}

    def sentence(self, play: Table) -> Sentence:
        authors = [danger.author for _, _, danger in self.drafts(play)]
        names = [play.names.mint(name, PLAYER) for name in authors if name in play.seats]
        if play.runner in authors:
            names.append(play.runner)
        return said("{} name dangers." if len(names) > 1 else "{} names a danger.", names or "")

    def roll_in_danger(self, play: Table) -> RollRecord | None:
        return play.state.running()

    def named(self) -> Iterator[tuple[ScalarNode, ScalarNode]]:
        if isinstance(self.danger, dict):
            yield from self.danger.items()
        elif self.by is not None:
            yield self.by, self.danger

    @guard("T56", DiagnosticKind.UNREADABLE)
    def somebody_names_it(self, play: Table) -> Violation | None:
        if self.by is not None or isinstance(self.danger, dict):
            return None
        return Violation("who names this danger?", fix=set_key("by"))

    def apply(self, play: Table) -> None:
        roll = play.state.running()
        if roll is not None:
            self.add_dangers(play, roll)


# --- who acts -------------------------------------------------------------------------------------

ROLES: Mapping[str, Role] = {
    "asked": Role("the character who is to roll", "roll", (), MEANS_CHARACTER),
    "involved": Role("a character whom the conflict concerns", "", (), MEANS_CHARACTER),
    "names a danger": Role("one of the others at the table", "name a danger", resolves_to=PLAYER),
}


def _asks(play: Table, action: Action) -> Sequence[str]:
    """Z12: the GM asks players. Z13: any player may ask the GM."""
    roller = find_character(play, action.asks) if isinstance(action, Conflict) else None
    return () if roller is None or roller.npc else (play.runner,)


def _asked_to_roll(play: Table, action: Action) -> Sequence[str]:
    call = play.state.call
    return (call.asks,) if call is not None else ()


def _names_a_danger(play: Table, action: Action) -> Sequence[str]:
    """All but the roller. Any player may sign an entry that names the author of each danger."""
    roll = play.state.running()
    if roll is None or not isinstance(action, NameDanger) or isinstance(action.danger, dict):
        return ()
    return other_participants(play, roll.player)


ACTORS: Mapping[str, Decider] = {
    "caller": Decider(
        "the GM for players' characters; a player for the GM's",
        _asks,
        "{by} calls on {asked}; the GM asks players to roll, players ask the GM",
        default=lambda play, action: (play.runner,),
    ),
    "roller": Decider(
        "the player of the character who rolls: name the character with by",
        involved_players,
        "{roller} rolls, but the conflict is {involved}'s",
        "a character who is involved is named under  asks:  or  with:  of the conflict",
        since=lambda play: play.state.call.step if play.state.call is not None else 0,
        fact="asked here",
        default=_asked_to_roll,
    ),
    "others": Decider(
        "each of the others: name the player with by",
        _names_a_danger,
        "{by} rolls and names a danger; each of the others names one",
        "say who of the others names it:  by: the player",
        since=lambda play: roll.step if (roll := play.state.running()) is not None else 0,
        fact="the goal",
        acts_by_default=False,
    ),
}
