"""Scenes: who opens them, who is in them, barging in, apologies, closing (P9 to P14, P24)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from chronicle.core.declare import (
    NAME,
    NAMES,
    TEXT,
    WHOLE,
    YES_NO,
    Action,
    Decides,
    Moment,
    Offered,
    Refusal,
    in_role,
    main,
    option,
)
from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.earlier import anchor
from chronicle.core.fix import (
    BLANK,
    Fix,
    InsertEntry,
    RemoveEntry,
    RemoveItem,
    RemoveKey,
    SetKey,
    make_fix,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import AT_TABLE, TABLE, Decider, Need, Role
from chronicle.core.names import PLAYER, Named
from chronicle.core.ranges import Unknown
from chronicle.core.sentences import Change, Sentence, said
from chronicle.core.source import place_of
from chronicle.core.telling import Told
from chronicle.core.timeline import Frame, Scene
from chronicle.games.positive.setup import (
    IN_PLAY_ONLY,
    dice_left,
    no_die_left,
    regain_dice,
    spend_dice,
    still_missing,
)
from chronicle.games.positive.state import (
    ANYBODY,
    CALLED,
    CHARACTER,
    CLOSING,
    DECIDED,
    DIE,
    FULL_POOL,
    GIVEN_WAY,
    IN_A_SCENE,
    MATCHED,
    OPEN,
    ApologyRecord,
    Opener,
    Someone,
    Stage,
    Table,
    acting,
    dice_of,
    end_squares,
    find_character,
    known_acting,
    position,
)

RULES = """
# Scenes
P9 The first scene [checked]
  The accuser opens it with one other character of their choice. The accused is not in it yet.
P10 Anything may be told [recorded]
  In a scene the players tell whatever they like about their own and each other's characters: how close they are,
  what they did, what they are like.
  why: whether a story contradicts what a conflict settled is for the table to hear, not for a program
P11 The loser opens the next scene [checked]
  Whoever lost the last conflict opens another scene and adds whom they like to it.
P12 Party, flashback, flash-forward [computed]
  A scene may be set at the party, before it or after it. Chronicle sorts the scenes into story order beside the
  order in which they were played.
P13 Barging in [checked]
  Somebody whose character was not added to a scene can come in anyway, for one commitment die.
P14 A sincere apology [checked]
  A character who, in a scene, owns up to something, confesses or apologises brings a commitment die back, if the
  rest of the group believes it. One apology, one die.
"""

READINGS = """
PA5 regain_cap: May an apology lift a pool above three dice?
  - 3: no: a die is regained, and each player owns three
  - none: yes
  because a die can only come back to whom it belonged (P14)
PA9 accused_barges_first: May the accused barge into the first scene?
  - no: no
  - yes: yes, for a die like anybody
  because the text keeps the accused out of that scene; backing a side is open to all (P9, P13)
PA10 end_square_trigger: A token stays on an end square. Is another scene with everybody due?
  - arrival: only arriving asks for one; leaving and coming back asks again
  - every-scene: one is due for as long as somebody stands there
  because it is the coming to stand there that the text speaks of (P24)
PA13 arrivals_scene: Several tokens arrive at once. How many scenes with everybody?
  - one: one for all of them
  - each: one for each
  because everybody is in it anyway (P24)
PA15 all_scene_opener: Who opens the scene with everybody?
  - loser: the loser of the last conflict, as always
  - arrived: whoever arrived
  because the rule about the loser is not suspended (P24, P11)
PA16 free_close: A scene closes with neither a back-down nor a conflict.
  - suspicious: allowed, and noted; the same player opens again
  - allowed: allowed
  - forbidden: not allowed
  because the text gives only two ways of closing (P16, P17)
PA18 apology_vote: How much agreement does sincerity need?
  - unanimous: nobody else may doubt it
  - majority: fewer than half of the others
  because the rest of the group agrees (P14)
PA20 opener_in_scene: Must the opener's own character be in the scene?
  - yes: yes; 'without' is noted
  - no: as the opener likes
  because the opener adds others to it (P11)
PA23 answer_now: Must the challenged player answer before anything else is told?
  - yes: yes; anything told in between is noted
  because slamming down a die stops play (P15)
PA26 loser_is: Which loser opens the next scene?
  - principal: the losing principal
  - any: anybody on the losing side
  because supporters need not even be in the scene (P11)
PA27 loser_declines: The loser does not want to open a scene.
  - another-may: somebody else who did not win may, and it is noted
  - must: the loser must
  because the text says that the loser can (P11)
PA28 outside_tell: May a player tell in a scene that their character is not in?
  - may: everybody at the table tells
  - in-scene: who is not in it barges in first; telling without is noted
  because the text bars characters from a scene, and speaks of players only where they tell (P10, P13)
"""

TERMS = """\
Apology [P14]: To own up to something in a scene. If the others believe it, a commitment die comes back.
Barge in [P13]: To come into a scene uninvited, for a commitment die.
"""

# --- roles ----------------------------------------------------------------------------------------

EVERYBODY = ("everybody", "everyone", "all")
IN_SCENE = Need(
    "in the scene",
    "P13",
    lambda play, character: character in play.state.cast,
    "{who} is not in this scene and cannot {doing}",
    fixes=(make_fix(InsertEntry("barge in: {who}")),),
    since=lambda play, character: play.state.scene_step,
    fact="the scene opened here, without {who}",
    asked=lambda play, character: play.state.in_scene,
    doubts=lambda play, character: (f"scene {play.state.scene_step}:{character}",),
)
ROLES: Mapping[str, Role] = {
    "speaks": Role("a character", "speak", (IN_SCENE,), (CHARACTER,), twice=""),
    "opener": Role("a character", kinds=ANYBODY),
    "guest": Role("a character", kinds=ANYBODY, groups=EVERYBODY),
    "apologises": Role(
        "a character who owns up", "apologise in it", (IN_SCENE._replace(rule="P14"),), ANYBODY
    ),
    "doubts": Role("a player of the others", "", (AT_TABLE,), ANYBODY, of=PLAYER),
}


def by_one_of(people: Sequence[str]) -> list[Fix]:
    """The fixes for an entry that one of a few people has to sign."""
    return [make_fix(SetKey("by", character)) for character in people]


def allowed(rule: str, when: str) -> Fix:
    """The fix that lets an entry stand although a rule speaks against it."""
    return make_fix(SetKey("allow", f"{{{rule}: {BLANK}}}"), when=when, is_open=True)


# --- who opens ------------------------------------------------------------------------------------


def next_opener(play: Table) -> Opener:
    """P11, PA16: who opens the next scene. An open scene without a conflict closes first: then whoever opened it
    opens again."""
    state = play.state
    if not state.in_scene or state.conflict is not None:
        return state.opener
    character = state.opener.who or (state.cast[0] if state.cast else "")
    return Opener(character, "the last scene closed without a conflict", state.scene_step)


def _entitled(play: Table) -> list[str]:
    """P11, PA26: who has the right to open; nobody means that anybody may."""
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


class OpenScene(Action):
    """Open a scene and add whoever you want to it. Your own character is in it."""

    verb = "scene"
    also = ("frame",)
    decides = Decides("opener")
    moment = IN_PLAY_ONLY
    offered = Offered("P11", "open a scene with whom you like")
    example = "scene: New Year, Marit's old kitchen\n  with: [Marit, Petra]\n  time: flashback"
    title = main(TEXT, "where and when, as a title")
    by = option(in_role("opener", NAME), "who opens it; usually whoever lost the last conflict")
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
    before = option(TEXT, "the title of a scene that this one precedes in the story")
    after = option(TEXT, "the title of a scene that this one follows in the story")
    during = option(TEXT, "the title of a scene that happens at the same time")
    all_characters = option(YES_NO, "yes, if this is the scene that an end square asks for")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        title = {"scene": f"Scene {state.scenes + 1}"}
        for opener in (*_opens(play, cls()), *state.everybody()):
            others = [character for character in state.everybody() if character != opener]
            if owed_to(play):
                yield {**title, "with": "everybody", "by": opener}
                continue
            for number, time in enumerate((None, "flashback", "flash-forward")):
                for guests in ([character] for character in others):
                    more = others[: number + 1] if state.scenes else guests
                    entry = {**title, "with": more if number else guests, "by": opener}
                    yield {**entry, "time": time} if time else entry

    def sentence(self, play: Table) -> Sentence:
        others = [character for character in self.members(play) if character != acting(play)]
        if not others:
            return said("{} opens a scene alone.", acting(play))
        return said("{} opens a scene with {}.", acting(play), others)

    def chosen(self, play: Table) -> list[str]:
        """The characters added whom somebody knows."""
        if len(self.with_) == 1 and self.with_[0].casefold() in EVERYBODY:
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
        return play.state.scenes == 0 and not play.given

    @guard("P1")
    def everybody_has_a_part(self, play: Table) -> Iterable[Violation]:
        return still_missing(play)

    @guard("P16")
    def last_scene_is_settled(self, play: Table) -> Violation | None:
        conflict = play.state.running() if play.state.in_scene else None
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
        if self.is_first(play) or not entitled or opener in entitled:
            return None
        if owed_to(play) and play.ruling("all_scene_opener") == "arrived":
            return None
        right, name = next_opener(play), _named(play, opener)
        last = play.state.conflicts[-1] if play.state.conflicts else None
        won = last is not None and opener == last.winner
        if not won and play.ruling("loser_declines") == "another-may":
            return Violation(
                f"{name} opens; {right.why}, so {listed(entitled, 'or')} should",
                fix=[*by_one_of(entitled), allowed("PA27", "if the right was given up")],
                rule="PA27",
                finding=Finding.SUSPICIOUS,
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
        others = [character for character in self.members(play) if character != known_acting(play)]
        if host and host in others:
            yield Violation(
                f"{host} is the accused and cannot be in the first scene yet",
                facts=[play.because(play.state.host_step, "named as the host here")],
                fix=[
                    make_fix(RemoveItem(str(word), place_of(word, self.path), "with"))
                    for word in self.with_
                    if find_character(play, word) == host
                ],
            )
            others.remove(host)
        if len(others) != 1 and not (host in self.members(play) and len(others) < 2):
            yield Violation(
                f"the first scene is between the accuser and one other character, not {len(others)}",
                help="with: one name; the others may barge in",
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
            known_acting(play)  # It may be the scene of whoever seems to be missing.
        if not owed:
            return Violation(f"{listed(missing)} missing from it")
        return Violation(
            f"{listed(owed)} came to stand on an end square, so this scene holds all "
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
            # Whoever came to stand on an end square brings everybody into this scene, or ends the game.
            play.miss()
        _gather_everybody(play, bool(self.all_characters))
        scene = self._place_in_story(play)
        scene.opener = step.player
        state.scenes += 1
        state.in_scene, state.first_scene = True, first
        state.scene_step = step.index
        state.conflict = None
        for character in members:
            enter(play, character)
        others = [character for character in members if character != opener]
        play.event(
            f"{opener} opens with {listed(others)}" if others else f"{opener} opens alone",
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
        anchor(play, scene, anchors, "P12")
        return scene


def _named(play: Table, opener: Someone) -> str:
    """Who acts: the character, or the player who has none."""
    return (play.step.player or "Somebody") if isinstance(opener, Unknown) else opener


def _may_have_arrived(play: Table) -> bool:
    """Whether a token whose steps nobody wrote down may stand on an end square since the last scene opened."""
    state, lost = play.state, play.holes.figures
    if not lost:
        return False
    keys = [f"track:{character}" for character in state.everybody()]
    return any(lost.get(key, 0) > min(play.counted.get(key, 0), state.scene_step) for key in keys)


def _gather_everybody(play: Table, said_so: bool) -> None:
    """P24, PA13: the scene that an end square asks for is this one."""
    state = play.state
    state.all_scene = bool(state.owed) or said_so
    if state.owed:
        together = play.ruling("arrivals_scene") == "one"
        causes, state.owed = (state.owed, []) if together else (state.owed[:1], state.owed[1:])
        play.event(f"All characters: {listed(causes)} arrived on an end square", "P24", "all")


# --- coming in ------------------------------------------------------------------------------------


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


def enter(play: Table, character: str) -> None:
    """A character is in the open scene from now on."""
    if character in play.state.cast:
        return
    play.state.cast.append(character)
    play.step.changes.append(Change("in scene", character, "no", "yes"))
    scene = play.timeline.current
    if scene is not None and character not in scene.cast:
        scene.cast.append(character)


def gives_right(play: Table, character: str, why: str, step: int | None = None) -> None:
    """P11: somebody has the right to open the next scene from now on; nobody in particular if ``who`` is empty."""
    before = play.state.opener.who
    play.state.opener = Opener(character, why, play.step.index if step is None else step)
    if character != before:
        play.step.changes.append(Change("opener", "", before, character))


def put_in_scene(play: Table, character: str, inside: bool) -> None:
    """Correct who is in the open scene."""
    if inside and character not in play.state.cast:
        play.state.cast.append(character)
    elif not inside and character in play.state.cast:
        play.state.cast.remove(character)


class BargeIn(Action):
    """Come into a scene that you were not added to. It costs one commitment die."""

    verb = "barge in"
    led_in = "Enter {who}"
    also = ("enter", "join", "come in")
    decides = Decides("barger", "P13")
    moment = Moment(
        IN_A_SCENE, Refusal("P13", "there is no scene to barge into", after=("dropped:scene",))
    )
    offered = Offered("P13", "barge in for a die", price=(1, DIE))
    example = "barge in: Sunny"
    who = main(in_role("named", NAME), "the character who barges in")
    pays = option(WHOLE, "commitment dice paid; checked, never needed", checked=True)

    def sentence(self, play: Table) -> Sentence:
        return said("{} barges in.", find_character(play, self.who) or str(self.who))

    @question("PA23")
    def call_is_answered(self, play: Table) -> Violation | None:
        return answer_first(play)

    @guard("P13", at="main")
    def not_there_yet(self, play: Table) -> Violation | None:
        character, state = find_character(play, self.who), play.state
        if not character or character not in state.cast:
            return None
        return Violation(
            f"{character} is in this scene already",
            facts=[play.because(state.scene_step, "the scene opened here")],
            doubts=[f"dice:{state.player(character)}"],
        )

    @question("P13", at="main")
    def accused_stays_out_of_the_first(self, play: Table) -> Violation | None:
        character, state = find_character(play, self.who), play.state
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
        owner = play.state.player(find_character(play, self.who))
        if self.pays in (None, 1):
            return None
        return Violation(
            f"barging in costs one commitment die, not {self.pays}", doubts=[f"dice:{owner}"]
        )

    @guard("P13", at="main", help="a sincere apology in a scene brings one back")
    def has_a_die(self, play: Table) -> Violation | None:
        character = find_character(play, self.who)
        owner = play.state.player(character)
        if not owner or character in play.state.cast or self.pays == 0:
            return None
        conflict = play.state.running()
        laid = conflict is not None and owner in conflict.backers
        message = f"{owner} has no commitment die left to barge in with"
        return no_die_left(play, owner, message, needed=2 if laid else 1)

    def apply(self, play: Table) -> None:
        character = find_character(play, self.who)
        owner = play.state.player(character)
        play.step.player = play.step.player or owner
        if not character:
            return
        if character not in play.state.cast:
            paid = 1 if self.pays is None else max(0, self.pays)
            spend_dice(play, owner, paid, "P13", "barging in")
            enter(play, character)
        left = plural(dice_left(play, owner), "die", "dice")
        play.event(f"{character} comes in; {owner} has {left} left", "P13", "enters", character)


# --- apologies ------------------------------------------------------------------------------------


class Apology(Action):
    """Own up, confess or apologise in a scene. If all the others believe it, regain a die."""

    verb = "apology"
    also = ("apologise", "apologize", "confess", "sorry")
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
    words = main(TEXT, "what is said", told=Told.SENTENCE)
    by = option(in_role("apologises", NAME), "the character who apologises")
    doubted_by = option(
        in_role("doubts", NAMES), "who does not believe it (silence agrees)", default=()
    )
    regains = option(WHOLE, "commitment dice regained; checked, never needed", checked=True)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        sins = ("That was my doing", "I knew, and said nothing", "It was a lie", "I was jealous")
        for character in play.state.cast:
            others = [other for other in play.state.everybody() if other != character]
            number = len(play.state.apologies)
            entry = {"apology": f"{sins[number % len(sins)]} ({number + 1})", "by": character}
            yield entry
            yield from ({**entry, "doubted by": other} for other in others[:1])

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
        others = [name for name in play.present if name in play.seats and name != owner]
        majority = play.ruling("apology_vote") == "majority"
        return 2 * len(doubters) < len(others) if majority else not doubters

    def is_repeated(self, play: Table) -> ApologyRecord | None:
        """The earlier apology of the same character in the same words and the same scene, if there is one."""
        own = _folded(self.words)
        for apology in play.state.apologies:
            is_here = apology.step > play.state.scene_step
            if is_here and apology.character == acting(play) and _folded(apology.words) == own:
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

    @guard("T56", Finding.UNREADABLE)
    def somebody_apologises(self, play: Table) -> Violation | None:
        if play.step.player:
            return None
        return Violation("whose apology is this?", fix=by_one_of(play.state.cast))

    @guard("P14", at="main", fix=RemoveEntry())
    def one_die_an_act(self, play: Table) -> Violation | None:
        before = self.is_repeated(play)
        if before is None:
            return None
        message = f"{acting(play)} has apologised in these words before; one apology, one die"
        return Violation(message, facts=[play.because(before.step, "the same apology")])

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
                finding=Finding.SUSPICIOUS,
                doubts=doubt,
            )
        if stated and not dice_of(play, owner).at_least(FULL_POOL):
            return None
        if stated:
            return Violation(
                f"{owner} has all three commitment dice; there is none to regain",
                finding=Finding.SUSPICIOUS,
                doubts=doubt,
            )
        return Violation(
            f"everybody believed it, so {owner} regains a die",
            finding=Finding.BOOKKEEPING,
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
        given = self.dice_due(play) if self.regains is None else self.regains
        regain_dice(play, owner, given, "a sincere apology")
        character = character if isinstance(character, str) else ""
        play.state.apologies.append(
            ApologyRecord(play.step.index, character, str(self.words), tuple(doubters), given > 0)
        )
        if given:
            outcome = f"believed: {owner} regains a die"
        elif repeated:
            outcome = "the same apology again: no die comes back"
        elif not believed:
            outcome = f"{listed(doubters)} {'does' if len(doubters) == 1 else 'do'} not believe it"
        else:
            outcome = f"believed; {owner} has all three dice already"
        play.event(outcome, "P14", "apology", character)


def _folded(words: str) -> str:
    """Words without regard to spaces and letter case."""
    return " ".join(words.split()).casefold()


# --- telling --------------------------------------------------------------------------------------


def hold_narration(play: Table, words: str) -> None:
    """P10: anything may be told in a scene; while a call waits for its answer, play stops (PA23). Before the first
    scene a character is a name and nothing else (P8)."""
    state, step = play.state, play.step
    waits = answer_first(play)
    if waits is not None:
        play.suspect(True, "PA23", waits.message, facts=waits.facts, fix=waits.fix)
    if not state.scenes and not play.given:
        named = [
            character for character in state.everybody() if play.names.all[character].name in words
        ]
        play.suspect(
            bool(named),
            "P8",
            f"this tells something of {listed(named)} before the first scene",
            help="open a scene first, and tell it there",
        )
    if step.action.by is None or not state.in_scene:
        return
    character = state.characters.get(step.player, "")
    play.suspect(
        bool(character)
        and character not in state.cast
        and play.ruling("outside_tell") == "in-scene",
        "PA28",
        f"{step.player} tells in this scene, and {character} is not in it",
        at="by",
        fix=make_fix(InsertEntry(f"barge in: {character}")),
    )


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
        finding=Finding.SUSPICIOUS if reading == "suspicious" else Finding.ILLEGAL,
    )


class EndScene(Action):
    """Close the scene: the winning version is played out, or the caller concludes."""

    verb = "end scene"
    also = ("close",)
    decides = Decides("closer", "P16")
    moment = Moment(
        (OPEN, GIVEN_WAY, DECIDED, CLOSING),
        Refusal("P11", "no scene is open", finding=Finding.BOOKKEEPING),
        {
            CALLED: Refusal(
                "P16",
                "{caller}'s call is not settled",
                fixes=(make_fix(InsertEntry("back down: {challenged}")),),
            ),
            MATCHED: Refusal(
                "P19",
                "both conflict dice lie on the table and nobody has rolled",
                fixes=(make_fix(InsertEntry("roll: unrecorded")),),
            ),
        },
    )
    offered = Offered("P16", "close the scene")
    example = "end scene: Petra puts her glass down on nothing"
    words = main(TEXT, "how it ends", default=None, told=Told.SENTENCE)

    def sentence(self, play: Table) -> Sentence:
        return ("The scene closes.",)

    @guard("PA16")
    def had_a_conflict(self, play: Table) -> Violation | None:
        return closes_freely(play)

    def apply(self, play: Table) -> None:
        play.step.tell(self.words or None)
        if play.state.in_scene:
            close(play, str(self.words or ""))


def close(play: Table, words: str, *, left_open: bool = False) -> None:
    """Close the open scene. ``left_open``: the log simply went on to the next one."""
    state = play.state
    scene = play.timeline.current
    if scene is not None:
        scene.last_step = play.step.index - left_open
        scene.closing = words
        play.step.scene = scene.number
    gives_right(play, *next_opener(play))
    owed = owed_to(play)
    if owed is not state.owed:
        state.owed, state.owed_step = owed, play.step.index
    state.in_scene = state.all_scene = False
    state.conflict = None
    state.cast = []


# --- who acts -------------------------------------------------------------------------------------


def _barges(play: Table, action: Action) -> Sequence[str]:
    character = find_character(play, action.who) if isinstance(action, BargeIn) else ""
    return [character] if character else []


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
        "whoever has the right to open: the accuser first, then the loser of the last conflict",
        _opens,
    ),
    "barger": Decider(
        "the player of the character who barges in",
        _barges,
        "{by} brings in a character of {due}'s, for a die of {due}'s",
    ),
    "sinner": TABLE._replace(words="the player of the character who apologises: name it with by"),
    "closer": Decider(
        "the winner of the conflict, or the caller after a back-down, or the opener",
        _concludes,
        "{by} closes the scene; {challenged} backed down, so {caller} concludes it",
        since=lambda play: play.state.conflict.latest if play.state.conflict else 0,
        fact="backed down here",
        default=_closes,
    ),
}


# --- corrections ----------------------------------------------------------------------------------


def set_opener(play: Table, _id: str, stated: str) -> bool:
    """Correct who may open the next scene. False if that is nobody."""
    found = play.names.find(stated, ANYBODY)
    if not isinstance(found, Named):
        return False
    character = play.state.characters.get(found.id, found.id)
    gives_right(play, character, "so it was corrected")
    return True
