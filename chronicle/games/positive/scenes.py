"""Scenes: who opens them, who is in them, how they close (P9, P11, P12, P24)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.field_types import NAME, NAMES, TEXT, YES_NO, in_role
from chronicle.core.fix import (
    BLANK,
    Fix,
    InsertEntry,
    RemoveEntry,
    RemoveItem,
    SetKey,
    make_fix,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import Decider, Need, Role
from chronicle.core.names import Named
from chronicle.core.ranges import Unknown
from chronicle.core.references import place_scene
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import place_of
from chronicle.core.telling import TextRole
from chronicle.core.timeline import Frame, Scene
from chronicle.games.positive.setup import (
    IN_PLAY_ONLY,
    still_missing,
)
from chronicle.games.positive.state import (
    CALLED,
    CLOSING,
    DECIDED,
    GIVEN_WAY,
    MATCHED,
    MEANS_CHARACTER,
    OPEN,
    Conflict,
    Opener,
    Someone,
    Stage,
    Table,
    acting,
    end_squares,
    find_character,
    known_acting,
    position,
)

RULES = """
# Scenes
P9 The first scene [checked]
  The accuser opens it with one other character of their choice. The accused is not in it yet.
P11 The loser opens the next scene [checked]
  The loser of the last conflict opens another scene, and chooses who else is in it.
P12 Party, flashback, flash-forward [computed]
  A scene happens at the party, before it or after it. Chronicle lists the scenes in story order, and in the order of
  play.
"""

READINGS = """
PA10 end_square_trigger: A token stays on an end square. Is another scene with everybody due?
  - arrival: only arriving asks for one; leaving and coming back asks again
  - every-scene: one is due for as long as a token is there
  because the text speaks of the arrival (P24)
PA13 arrivals_scene: Several tokens arrive together. How many scenes with everybody?
  - one: one for all of them
  - each: one for each
  because everybody is in it anyway (P24)
PA15 all_scene_opener: Who opens the scene with everybody?
  - loser: the loser of the last conflict, as always
  - arrived: the character who arrived
  because the rule about the loser is not suspended (P24, P11)
PA16 free_close: A scene closes with neither a back-down nor a conflict.
  - suspicious: allowed, and noted; the same player opens again
  - allowed: allowed
  - forbidden: not allowed
  because the text gives only two ways of closing (P16, P17)
PA20 opener_in_scene: Must the opener's own character be in the scene?
  - yes: yes; 'without' is noted
  - no: as the opener likes
  because the opener adds others to it (P11)
PA26 loser_is: Which loser opens the next scene?
  - principal: the losing principal
  - any: any character on the losing side
  because supporters need not even be in the scene (P11)
PA27 loser_declines: The loser does not want to open a scene.
  - another-may: any other player who did not win may, and it is noted
  - must: the loser must, unless the player is away
  because the text says that the loser can (P11)
PA29 who_closes: The dice have decided, or nobody has called a conflict. Who closes the scene?
  - table: any player
  - winner: the player whose version won; without a conflict, the opener
  because the text says who concludes a scene only after a back-down (P16, P17)
"""


# --- roles ----------------------------------------------------------------------------------------

EVERYBODY = ("everybody", "everyone", "all")


def cast_known_since(play: Table) -> int:
    """The entry since which the record says who is in the scene; 0 if it does not say who opened it."""
    return 0 if play.state.somebody_opened else play.state.scene_step


IN_SCENE = Need(
    "in the scene",
    "P13",
    lambda play, character: character in play.state.cast,
    "{who} is not in this scene and cannot {doing}",
    fixes=(make_fix(InsertEntry("barge in: {who}")),),
    since=lambda play, character: cast_known_since(play),
    fact="the scene opened here, without {who}",
    applies=lambda play, character: play.state.in_scene,
    doubts=lambda play, character: (f"scene {play.state.scene_step}:{character}",),
)
ROLES: Mapping[str, Role] = {
    "opener": Role("a character", kinds=MEANS_CHARACTER),
    "guest": Role("a character", kinds=MEANS_CHARACTER, groups=EVERYBODY),
}


def by_one_of(people: Sequence[str]) -> list[Fix]:
    """The fixes for an entry that one of several people must sign."""
    return [make_fix(SetKey("by", character)) for character in people]


def allowed(rule: str, when: str) -> Fix:
    """The fix that accepts an entry against a rule."""
    return make_fix(SetKey("allow", f"{{{rule}: {BLANK}}}"), when=when, is_open=True)


# --- who opens ------------------------------------------------------------------------------------


def next_opener(play: Table) -> Opener:
    """P11, PA16: who opens the next scene. An open scene without a conflict closes first: then its opener
    opens again."""
    state = play.state
    if not state.in_scene or state.conflict is not None:
        return state.opener
    character = state.opener.who or (state.cast[0] if state.cast else "")
    return Opener(character, "the last scene closed without a conflict", state.scene_step)


def _entitled(play: Table) -> list[str]:
    """P11, PA26: who has the right to open; an empty list means any character."""
    state, opener = play.state, next_opener(play).who
    last = state.conflicts[-1] if state.conflicts else None
    if last is None or not last.loser or last.loser != opener:
        return [opener] if opener else []
    if play.ruling("loser_is") == "any":
        backers = (state.characters.get(player, "") for player in last.side(opener))
        return [opener, *filter(None, backers)]
    return [opener]


def _opens(play: Table, action: Action) -> Sequence[str]:
    state = play.state
    first = not state.scenes and not play.given
    character = state.accuser if first else next_opener(play).who
    return [character] if character else []


def owed_to(play: Table) -> list[str]:
    """P24, PA10: whose standing on an end square asks for a scene with everybody, once the open one closes."""
    state = play.state
    if state.owed or not state.all_scene or play.ruling("end_square_trigger") != "every-scene":
        return state.owed
    return [
        character
        for character in state.everybody()
        if position(play, character) in end_squares(play)
    ]


def _unsettled(play: Table) -> Conflict | None:
    """P16: the conflict that has to be settled before a new scene begins."""
    return play.state.running() if play.state.in_scene else None


class OpenScene(Action):
    """Open a scene and add any characters you want. Your own character is in it."""

    verb = "scene"
    synonyms = ("frame",)
    decides = Decides("opener")
    moment = IN_PLAY_ONLY
    offered = Offered("P11", "open a scene with anyone you like")
    example = "scene: New Year, Marit's old kitchen\n  with: [Marit, Petra]\n  time: flashback"
    title = main(TEXT, "where and when, as a title")
    by = option(in_role("opener", NAME), "who opens it; usually the loser of the last conflict")
    with_ = option(
        in_role("guest", NAMES),
        "the characters added, or 'everybody'",
        default=(),
        words=("everybody",),
    )
    without = option(
        in_role("guest", NAMES), "the opener's own character, if it stays out", default=()
    )
    time = option(TEXT, "flashback, flash-forward, party, or a date in your words")
    at = option(TEXT, "the place, if the title does not say", is_place=True)
    before = option(TEXT, "the title of a scene that comes later in the story")
    after = option(TEXT, "the title of a scene that comes earlier in the story")
    during = option(TEXT, "the title of a scene that happens at the same time")
    all_characters = option(YES_NO, "yes, if this is the scene that an end square asks for")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        if _unsettled(play) is not None:
            return
        state = play.state
        title = {"scene": f"Scene {state.scenes + 1}"}
        for opener in (*_opens(play, cls()), *state.everybody()):
            guests_possible = [character for character in state.everybody() if character != opener]
            if owed_to(play):
                yield {**title, "with": "everybody", "by": opener}
                continue
            for number, time in enumerate((None, "flashback", "flash-forward")):
                for guests in ([character] for character in guests_possible):
                    guests_more = guests_possible[: number + 1] if state.scenes else guests
                    entry = {**title, "with": guests_more if number else guests, "by": opener}
                    yield {**entry, "time": time} if time else entry

    def sentence(self, play: Table) -> Sentence:
        guests_possible = [
            character for character in self.members(play) if character != acting(play)
        ]
        if not guests_possible:
            return said("{} opens a scene alone.", acting(play))
        return said("{} opens a scene with {}.", acting(play), guests_possible)

    def chosen(self, play: Table) -> list[str]:
        """The characters added, without unknown names."""
        if any(word.casefold() in EVERYBODY for word in self.with_):
            return play.state.everybody()
        return [
            character
            for character in (find_character(play, word) for word in self.with_)
            if character
        ]

    def members(self, play: Table) -> list[str]:
        """Everybody in the scene, the opener first."""
        own, outside = acting(play), {find_character(play, word) for word in self.without}
        opener = [own] if isinstance(own, str) else []
        return [
            character
            for character in dict.fromkeys([*opener, *self.chosen(play)])
            if character not in outside
        ]

    def is_first(self, play: Table) -> bool:
        """Whether it is the first scene of the game."""
        return play.state.scenes == 0 and not play.given and not play.gap

    @guard("P1")
    def everybody_has_a_part(self, play: Table) -> Iterable[Violation]:
        return still_missing(play)

    @guard("P16")
    def last_scene_is_settled(self, play: Table) -> Violation | None:
        conflict = _unsettled(play)
        if conflict is None:
            return None
        message = f"a new scene begins while {conflict.caller}'s call is not settled"
        return Violation(message, facts=[play.because(conflict.called, "called here")])

    @guard("PA16")
    def last_scene_had_a_conflict(self, play: Table) -> Violation | None:
        return closes_freely(play)

    @guard("P9", at="by")
    def accuser_opens_the_first(self, play: Table) -> Violation | None:
        accuser, opener = play.state.accuser, known_acting(play)
        if not self.is_first(play) or not accuser or opener == accuser:
            return None
        return Violation(
            f"{_named(play, opener)} opens the first scene; the accuser does, {accuser}",
            fix=by_one_of([accuser]),
        )

    @guard("PA15", at="by")
    def who_arrived_opens(self, play: Table) -> str | None:
        owed, opener = owed_to(play), known_acting(play)
        if not owed or play.ruling("all_scene_opener") != "arrived" or opener in owed:
            return None
        name = _named(play, opener)
        return f"{name} opens the scene for everybody; {listed(owed)} arrived and does"

    @guard("P11", at="by")
    def loser_opens(self, play: Table) -> Violation | None:
        entitled, opener = _entitled(play), known_acting(play)
        right = next_opener(play)
        if right.winner and opener == right.winner:
            others = [each for each in play.state.everybody() if each != opener]
            return Violation(
                f"{opener} won the last conflict and opens; {right.why}, so somebody else should",
                facts=play.facts(right.step, right.why),
                fix=by_one_of(others),
                rule="PA27",
                kind=DiagnosticKind.SUSPICIOUS,
            )
        if self.is_first(play) or not entitled or opener in entitled:
            return None
        if owed_to(play) and play.ruling("all_scene_opener") == "arrived":
            return None
        name = _named(play, opener)
        last = play.state.conflicts[-1] if play.state.conflicts else None
        won = last is not None and opener == last.winner
        if not won and play.ruling("loser_declines") == "another-may":
            return Violation(
                f"{name} opens; {right.why}, so {listed(entitled, 'or')} should",
                fix=[*by_one_of(entitled), allowed("PA27", "if the right was given up")],
                rule="PA27",
                kind=DiagnosticKind.SUSPICIOUS,
            )
        return Violation(
            f"{name} opens the scene; {right.why}, so {listed(entitled, 'or')} does",
            facts=play.facts(right.step, right.why),
            fix=by_one_of(entitled),
        )

    @question("PA20", at="without")
    def opener_is_in_it(self, play: Table) -> str | None:
        opener = acting(play)
        outside = {find_character(play, word) for word in self.without}
        if opener not in outside or play.ruling("opener_in_scene") != "yes":
            return None
        return f"{opener} opens the scene and is not in it"

    @guard("P9", at="with")
    def first_is_between_two(self, play: Table) -> Iterator[Violation]:
        host, chosen = play.state.host, self.chosen(play)
        if not self.is_first(play) or len(chosen) < len(self.with_):
            return
        guests_possible = [
            character for character in self.members(play) if character != known_acting(play)
        ]
        if host and host in guests_possible:
            yield Violation(
                f"{host} is the accused and cannot be in the first scene yet",
                facts=[play.because(play.state.host_step, "named as the host here")],
                fix=[
                    make_fix(RemoveItem(str(word), place_of(word, self.path), "with"))
                    for word in self.with_
                    if find_character(play, word) == host
                ],
            )
            guests_possible.remove(host)
        if len(guests_possible) != 1 and not (
            host in self.members(play) and len(guests_possible) < 2
        ):
            count = f", not {len(guests_possible)}" if guests_possible else ""
            yield Violation(
                f"the first scene is between the accuser and one other character{count}",
                help="with: one name; the others may barge in",
                fix=[] if guests_possible else make_fix(SetKey("with", BLANK), is_open=True),
            )

    @guard("P24", at="with")
    def holds_everybody(self, play: Table) -> Violation | None:
        state, owed, members = play.state, owed_to(play), self.members(play)
        missing = [
            character
            for character in state.everybody()
            if character not in members and character not in state.ejected
        ]
        if not missing or not (owed or self.all_characters):
            return None
        if len(missing) == 1:
            known_acting(play)  # The scene may belong to the character who seems to be missing.
        if not owed:
            return Violation(f"{listed(missing)} missing from it")
        return Violation(
            f"{listed(owed)} arrived on an end square, so this scene holds all "
            f"characters; {listed(missing)} {'is' if len(missing) == 1 else 'are'} missing",
            facts=[play.because(state.owed_step, "arrived here")],
            fix=make_fix(SetKey("with", "everybody")),
            since=state.owed_step,
        )

    @question("P24", at="all characters")
    def somebody_arrived(self, play: Table) -> str | None:
        if not self.all_characters or owed_to(play):
            return None
        return "no token arrived on an end square, so no scene with all characters is due"

    def apply(self, play: Table) -> None:
        state, step = play.state, play.step
        opener, members, first = acting(play), self.members(play), self.is_first(play)
        if state.in_scene:
            close(play, "", left_open=True)
        if _may_have_arrived(play):
            # A character who arrived on an end square brings everybody into this scene, or ends the game.
            play.mark_outcome_unknown()
        _gather_everybody(play, bool(self.all_characters))
        scene = self._place_in_story(play)
        scene.opener = step.player
        state.scenes += 1
        state.in_scene, state.first_scene = True, first
        state.scene_step = step.number
        state.somebody_opened = not isinstance(opener, str)
        state.conflict = None
        for character in members:
            enter(play, character)
        guests_possible = [character for character in members if character != opener]
        play.event(
            f"{opener} opens with {listed(guests_possible)}"
            if guests_possible
            else f"{opener} opens alone",
            "P9" if first else "P24" if state.all_scene else "P11",
            "opens",
            opener if isinstance(opener, str) else "",
        )

    def _place_in_story(self, play: Table) -> Scene:
        """P12: a flashback or a flash-forward has its own place in the story."""
        words = str(self.time or "")
        folded = words.casefold().replace("-", " ").replace("flash ", "flash")
        frame = Frame.NOW
        if folded.startswith("flashback"):
            frame = Frame.PAST
        elif folded.startswith("flashforward"):
            frame = Frame.FUTURE
        anchors = {"before": self.before, "after": self.after, "during": self.during}
        scene = play.open_scene(
            Scene(str(self.title), frame=frame, time=words, place=str(self.at or "")),
            anchored=frame is not Frame.NOW and any(anchors.values()),
        )
        place_scene(play, scene, anchors, "P12")
        return scene


def _named(play: Table, opener: Someone) -> str:
    """Who acts: the character, or the player who has none."""
    return (play.step.player or "Somebody") if isinstance(opener, Unknown) else opener


def _may_have_arrived(play: Table) -> bool:
    """Whether a token with unrecorded steps may have reached an end square since the last scene opened."""
    state, lost = play.state, play.gaps.unknown_since
    if not lost:
        return False
    keys = [f"track:{character}" for character in state.everybody()]
    return any(
        lost.get(key, 0) > min(play.unknown_until.get(key, 0), state.scene_step) for key in keys
    )


def _gather_everybody(play: Table, said_so: bool) -> None:
    """P24, PA13: the scene that an end square asks for is this one."""
    state = play.state
    state.all_scene = bool(state.owed) or said_so
    if state.owed:
        together = play.ruling("arrivals_scene") == "one"
        causes, state.owed = (state.owed, []) if together else (state.owed[:1], state.owed[1:])
        play.event(f"All characters: {listed(causes)} arrived on an end square", "P24", "all")


# --- coming in ------------------------------------------------------------------------------------


def enter(play: Table, character: str) -> None:
    """A character is in the open scene from now on."""
    if character in play.state.cast:
        return
    play.state.cast.append(character)
    play.step.note_change("in scene", character, "no", "yes")
    scene = play.timeline.current
    if scene is not None and character not in scene.cast:
        scene.cast.append(character)


def gives_right(
    play: Table, character: str, why: str, step: int | None = None, winner: str = ""
) -> None:
    """P11: give a character the right to open the next scene; an empty ``character`` gives it to all, but for the
    ``winner``."""
    before = play.state.opener.who
    play.state.opener = Opener(character, why, play.step.number if step is None else step, winner)
    if character != before:
        play.step.note_change("opener", "", before, character)


def give_up_right(play: Table, character: str) -> None:
    """PA27: the player who may open the next scene leaves it to another one, who is not the winner of the conflict."""
    right, conflicts = play.state.opener, play.state.conflicts
    is_there = play.state.player(character) in play.present
    play.require(
        play.given or not is_there or play.ruling("loser_declines") != "must",
        "PA27",
        f"{right.why}, so {character} must open the next scene",
        facts=play.facts(right.step, right.why),
        fix=make_fix(RemoveEntry()),
    )
    lost = bool(conflicts) and conflicts[-1].loser == character
    winner = conflicts[-1].winner if lost else ""
    gives_right(play, "", f"{character} leaves it to another player", winner=winner)


def put_in_scene(play: Table, character: str, inside: bool) -> bool:
    """Correct who is in the open scene. False if none is open that somebody could be in."""
    if inside and not play.state.in_scene:
        return False
    if inside and character not in play.state.cast:
        play.state.cast.append(character)
    elif not inside and character in play.state.cast:
        play.state.cast.remove(character)
    return True


# --- closing --------------------------------------------------------------------------------------


def closes_freely(play: Table) -> Violation | None:
    """PA16: the open scene closes with neither a back-down nor a conflict."""
    state = play.state
    if not state.in_scene or state.conflict is not None:
        return None
    reading = play.ruling("free_close")
    if reading == "allowed":
        return None
    return Violation(
        "this scene closes with neither a back-down nor a conflict",
        fix=allowed("PA16", "if the table meant it so") if reading == "suspicious" else (),
        since=state.scene_step,
        kind=DiagnosticKind.SUSPICIOUS if reading == "suspicious" else DiagnosticKind.ILLEGAL,
    )


class EndScene(Action):
    """Close the scene: the winning version is played out, or the caller concludes."""

    verb = "end scene"
    synonyms = ("close",)
    decides = Decides("closer", "P16")
    moment = Moment(
        (OPEN, GIVEN_WAY, DECIDED, CLOSING),
        Refusal("P11", "no scene is open", kind=DiagnosticKind.BOOKKEEPING),
        {
            CALLED: Refusal(
                "P16",
                "{caller}'s call is not settled",
                fixes=(make_fix(InsertEntry("back down: {challenged}")),),
            ),
            MATCHED: Refusal(
                "P19",
                "both conflict dice are on the table, and no roll has a winner yet",
                help="after a tie both sides roll again: log that roll as well",
                fixes=(make_fix(InsertEntry("roll: unrecorded")),),
            ),
        },
    )
    offered = Offered("P16", "close the scene")
    example = "end scene: Petra puts her glass down on nothing"
    words = main(TEXT, "how it ends", default=None, text_role=TextRole.SENTENCE)

    def sentence(self, play: Table) -> Sentence:
        return ("The scene closes.",)

    @guard("PA16")
    def had_a_conflict(self, play: Table) -> Violation | None:
        return closes_freely(play)

    @question("PA29", at="by")
    def closed_by_the_winner(self, play: Table) -> str | None:
        conflict = play.state.conflict
        character = conflict.winner if conflict is not None else "".join(play.state.cast[:1])
        closer = play.state.player(character) if character else ""
        if self.by is None or not closer or play.step.player in ("", closer):
            return None
        if play.ruling("who_closes") != "winner":
            return None
        return f"{play.step.player} closes the scene; by this table's ruling {closer} does"

    def apply(self, play: Table) -> None:
        play.step.tell(self.words or None)
        if play.state.in_scene:
            close(play, str(self.words or ""))


def close(play: Table, words: str, *, left_open: bool = False) -> None:
    """Close the open scene. ``left_open``: the log simply went on to the next one."""
    state = play.state
    scene = play.timeline.current
    if scene is not None:
        scene.last_step = play.step.number - left_open
        scene.closing = words
        play.step.scene = scene.number
    gives_right(play, *next_opener(play))
    owed = owed_to(play)
    if owed is not state.owed:
        state.owed, state.owed_step = owed, play.step.number
    state.in_scene = state.all_scene = False
    state.conflict = None
    state.cast = []


# --- who acts -------------------------------------------------------------------------------------


def _concludes(play: Table, action: Action) -> Sequence[str]:
    conflict = play.state.conflict
    if conflict is None or conflict.stage is not Stage.BACKED_DOWN:
        return []
    return [conflict.caller] if isinstance(conflict.caller, str) else []


def _closes(play: Table, action: Action) -> Sequence[str]:
    conflict = play.state.conflict
    if conflict is None:
        return play.state.cast[:1]
    character = conflict.winner or conflict.caller
    return [character] if isinstance(character, str) else []


ACTORS: Mapping[str, Decider] = {
    "opener": Decider(
        "who has the right to open: the accuser first, then the loser of the last conflict",
        _opens,
    ),
    "closer": Decider(
        "the caller after a back-down; at other times the text does not say, so any player (PA29)",
        _concludes,
        "{by} closes the scene; {challenged} backed down, so {caller} concludes it",
        since=lambda play: play.state.conflict.latest if play.state.conflict else 0,
        fact="backed down here",
        default=_closes,
    ),
}


# --- corrections ----------------------------------------------------------------------------------


def set_opener(play: Table, _id: str, stated: str) -> bool:
    """Correct who may open the next scene. False if the name is unknown."""
    named = play.names.find(stated, MEANS_CHARACTER)
    if not isinstance(named, Named):
        return False
    character = play.state.characters.get(named.id, named.id)
    gives_right(play, character, "so it was corrected")
    return True
