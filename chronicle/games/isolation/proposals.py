"""Proposals: a character says aloud what to do, alone or with others (I8, I20, I23, I29 to I38, I71, I73, I75)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from chronicle.core.declare import Action, Decides, Moment, Offered, Refusal, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.field_types import NAME, NAMES, TEXT, YES_NO, in_role
from chronicle.core.fix import RemoveItem, add_entry, drop_key, make_fix, set_key
from chronicle.core.guards import Violation, guard
from chronicle.core.law import TABLE, Decider, Role
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode, place_of
from chronicle.core.telling import TextRole
from chronicle.games.isolation.base_dice import count_base
from chronicle.games.isolation.linkmap import FinishesMap, finish_map
from chronicle.games.isolation.modifiers import (
    Use,
    add_modifiers,
    more_than_one,
    role_playing,
    strangers,
    stress_of_passives,
    tell_modifiers,
    used_again,
    uses_of,
    wrong_labels,
)
from chronicle.games.isolation.people import MEANS_CHARACTER, find_character, playing_role
from chronicle.games.isolation.phases import (
    DEATHS,
    DECISION,
    MIDWAY,
    SETUP,
    STANCES_DOUBTED,
    START,
    UNDECIDED,
    UNDECIDED_DOUBTED,
    WOUNDS,
)
from chronicle.games.isolation.ratings import MapToReasons
from chronicle.games.isolation.state import Conflict, Hand, Scope, Side, Topic
from chronicle.games.isolation.table import Table, keys_of_effects

RULES = """
# Ground rules
I17 Conflict is the default [checked; V10]
  Any character can work against any other without dice. To work together, or to stay Neutral, needs a roll.
I20 A spoken proposal is final [checked; V14]
  A proposal that is said aloud is the character's action, alone or with all whom the character can persuade. The
  player cannot take it back or replace it.
I21 Free talk about a result [computed]
  While the group interprets a result, everybody plans and invents together. Afterwards I20 holds again. The log
  returns to the decision stage by itself.

# Special cases
I71 Asking some characters [checked; V59]
  The Active can ask some characters and leave the others Neutral by default. Then only links with the characters who
  are asked bring the Active dice.
I73 Going it alone [checked; V60 V61]
  The Active asks no character. Links bring no dice. The Active rolls as many green dice as the Difficulty, and
  modifiers. The Active's own red odds cancel green evens this time. The GM rolls as usual.
I75 Against a character [checked; V64]
  A character who is acted against is treated as absent: not asked, no dice from links with that character, no stance.
I76 Alone against a character [computed]
  Both special cases hold: the Active goes it alone, against the defender's dice.
"""

READINGS = """
IA36 alone_difficulty: Going it alone, the Active needs the Difficulty before the roll.
  - first: the GM sets it first
  because the green dice depend on it (I40, I73)
IA37 alone_against: Alone against a character there is no Difficulty. How many green dice does the Active roll?
  - nominal: the GM names a Difficulty for those green dice only
  - modifiers: only those of modifiers
  because otherwise the attacker has modifiers only (I76, I77)
"""

TERMS = """\
Active [I23]: The character who proposes an action. The Active rolls a die for each link with the characters who are
    asked.
Passive [I25]: A character who is asked. A Passive rolls a die for each link with the Active, and takes a stance.
Propose [I20]: To say aloud what your character does. A spoken proposal is final.
Conflict [I17]: A proposal and its rolls. To work against each other characters need no dice; to work together
    they do.
"""

ROLES: Mapping[str, Role] = {
    "active": playing_role("the character who proposes", "propose anything"),
    "asked": playing_role("a character whom the Active asks", "be asked"),
    "target": playing_role("the character acted against", "be acted against"),
    "uses": Role("a character who takes part", "", (), MEANS_CHARACTER),
}


def _active(play: Table, action: Action) -> Sequence[str]:
    conflict = play.state.conflict
    return (conflict.active,) if conflict is not None else ()


ACTORS: Mapping[str, Decider] = {
    "speaker": TABLE._replace(words="the Active Player: name the character with by"),
    "active": Decider(
        "the Active Player",
        _active,
        "only {due} can take back this proposal, not {by}",
    ),
}
_PROPOSALS = (
    "We bar the door",
    "One of us has to go out there",
    "Give me the key",
    "We wait until it is light",
)
"""Examples of proposals, for random play."""


class Propose(FinishesMap):
    """Say aloud what your character does, and whom you ask to help. The proposal is final."""

    verb = "propose"
    synonyms = ("act", "action", "proposal")
    decides = Decides("speaker")
    moment = Moment(
        (SETUP, START, MIDWAY, DECISION, *UNDECIDED, WOUNDS, DEATHS),
        Refusal(
            "I55",
            "the pairs have rolled for the end of this session; play goes on in the next one",
            help="start a new session file, or move the pair rolls to the end",
        ),
    )
    offered = Offered("I20", "propose an action")
    example = (
        "propose: We dig the mast out. Now. All of us.\n  by: Ruth\n  physical: yes\n"
        "  use: {Ruth: profession, Basil: patient + scatterbrained}"
    )
    words = main(TEXT, "the proposal in the words spoken", text_role=TextRole.SPOKEN)
    by = option(in_role("active", NAME), "the character who proposes it")
    ask = option(
        in_role("asked", NAMES),
        "who is asked; the others default to Neutral. Default: everybody is asked",
        default=(),
    )
    alone = option(YES_NO, "yes, if the character asks no other", default=False)
    against = option(in_role("target", NAME), "the character acted against")
    physical = option(YES_NO, "whether it is physically threatening", default=False)
    absent = option(in_role("named", NAMES), "who is elsewhere and takes no part", default=())
    use = option(
        MapToReasons(in_role("uses", NAME), "the record does not say what brings {} dice"),
        "{who: modifiers}: profession, goal, bias, against goal, against bias, the label of a link",
    )
    because = option(
        MapToReasons(in_role("uses", NAME), "the record does not say how {} played it"),
        "{who: how it was played}: one green die each (x2 for two) for exceptional role-playing",
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        random = Random(len(play.steps))
        characters = [
            id for id in play.state.playing() if find_character(play, ScalarNode(id)) == id
        ]
        for number in range(8 if characters else 0):
            yield _proposal(play, random, characters[number % len(characters)])

    def sentence(self, play: Table) -> Sentence:
        draft = self.draft(play)
        if draft is None:
            return (*said("{} proposes: ", ""), str(self.words))
        against = said(" against {}", draft.against) if draft.against else ()
        if draft.scope is Scope.ALONE:
            return (*said("{} goes it alone", draft.active), *against, ".")
        asks = said("{} asks {}", draft.active, draft.asked)
        if not draft.defaulted:
            return (*asks, *against, ".")
        verb = "defaults" if len(draft.defaulted) == 1 else "default"
        return (*asks, *against, *said(f"; {{}} {verb} to Neutral.", draft.defaulted))

    def named_words(self) -> Iterator[ScalarNode]:
        if self.by is not None:
            yield self.by
        yield from super().named_words()

    # The conflict as the entry makes it.

    def draft(self, play: Table) -> Conflict | None:
        """The conflict, which is not in the state yet; None if the proposer is unknown."""
        state = play.state
        active = find_character(play, self.by)
        if not active:
            return None
        scene = play.timeline.current
        conflict = Conflict(
            len(state.conflicts) + 1,
            state.session,
            play.step.number,
            active,
            str(self.words),
            Scope.ALL,
            self.physical,
            scene.number if scene is not None else None,
            against=find_character(play, self.against),
            stress=state.stress,
            steps=[play.step.number],
        )
        self._add_people(play, conflict)
        return conflict

    def _add_people(self, play: Table, conflict: Conflict) -> None:
        """Add those who are asked, who default to Neutral, and who are elsewhere."""
        playing = [id for id in play.state.playing() if id != conflict.active]
        candidates = [id for id in playing if id != conflict.against]
        absent = self._absent(play, playing)
        if self.alone:
            passives = []
        elif self.ask:
            passives = [id for id in self.named_passives(play) if id in candidates]
        else:
            passives = [id for id in candidates if id not in absent]
        absent = [id for id in absent if id not in (conflict.against, *passives)]
        defaulted = [id for id in candidates if id not in (*passives, *absent)]
        if self.alone:
            conflict.scope = Scope.ALONE
        elif defaulted or not passives:
            conflict.scope = Scope.SUBSET if passives else Scope.ALONE
        conflict.needs_rating = not conflict.against or (
            conflict.scope is Scope.ALONE and play.ruling("alone_against") == "nominal"
        )
        conflict.asked, conflict.defaulted = tuple(passives), tuple(defaulted)
        conflict.absent = tuple(absent)
        for id in (conflict.active, *passives):
            conflict.hands[id] = Hand(id)
        for id in defaulted:
            conflict.hands[id] = Hand(id, defaulted=True, stance=Side.NEUTRAL)

    def named_passives(self, play: Table) -> list[str]:
        """The characters whom it names under ``ask``."""
        characters = [find_character(play, word) for word in self.ask]
        return [id for id in dict.fromkeys(characters) if id]

    def _absent(self, play: Table, playing: Sequence[str]) -> list[str]:
        named = [id for word in self.absent if (id := find_character(play, word))]
        cast = play.state.scene_cast
        outside = [id for id in playing if cast and id not in cast]
        return list(dict.fromkeys([*named, *outside]))

    def uses(self, play: Table, conflict: Conflict) -> list[Use]:
        """The reasons that bring dice."""
        return uses_of(play, conflict, self.use or {}, self.because or {})

    # Guards: when.

    @guard("T56", DiagnosticKind.UNREADABLE)
    def says_who_proposes(self, play: Table) -> Violation | None:
        return Violation("who proposes this?", fix=set_key("by")) if self.by is None else None

    @guard("I20", help="decide it with dice first")
    def last_proposal_is_decided(self, play: Table) -> Violation | None:
        conflict = play.state.conflict
        if conflict is None or conflict.level is not None or play.gap > conflict.step:
            return None
        return Violation(
            f"{conflict.active}'s proposal is not decided yet; a spoken proposal is final",
            facts=[play.because(conflict.step, f"'{conflict.words}'")],
            after=[UNDECIDED_DOUBTED],
        )

    @guard("I8", help="draw it first:  - green: {Ruth & Basil: [label]}  and  - red: ...")
    def map_is_drawn(self, play: Table) -> Violation | None:
        state = play.state
        is_drawn = state.links or any(any(tally) for tally in state.loose.values())
        if state.map_step or is_drawn or len(state.people) < 2:
            return None
        fix = add_entry("map: done", when="if there is nothing to draw")
        message = "a conflict before the relationship map is drawn"
        return Violation(message, fix=fix, since=play.before_gap("", 0))

    # Guards: who.

    @guard("I75", at="against")
    def against_somebody_else(self, play: Table) -> str | None:
        active, target = find_character(play, self.by), find_character(play, self.against)
        return f"{active} cannot act against {active}" if active and active == target else None

    @guard("I75")
    def defender_is_not_asked(self, play: Table) -> Iterator[Violation]:
        active, target = find_character(play, self.by), find_character(play, self.against)
        for word in self.ask:
            if target and active and find_character(play, word) == target:
                yield Violation(
                    f"{target} is acted against, and treated as absent: "
                    f"{active} cannot ask {target}",
                    word,
                    make_fix(RemoveItem(str(word), place_of(word, self.path), "ask")),
                )

    @guard("I23")
    def active_is_not_asked(self, play: Table) -> Iterator[Violation]:
        active, target = find_character(play, self.by), find_character(play, self.against)
        for word in self.ask:
            if active and active == find_character(play, word) != target:
                yield Violation(
                    f"{active} proposes this and need not be asked",
                    word,
                    make_fix(RemoveItem(str(word), place_of(word, self.path), "ask")),
                )

    @guard("I73", at="ask")
    def nobody_is_asked_alone(self, play: Table) -> Violation | None:
        conflict = self.draft(play)
        if conflict is None or not self.alone:
            return None
        not_asked = (conflict.active, conflict.against)
        passives = [id for id in self.named_passives(play) if id not in not_asked]
        if not passives:
            return None
        return Violation(
            f"{conflict.active} goes it alone and asks {listed(passives)}",
            fix=[
                drop_key("alone", when="if they were asked"),
                drop_key("ask", when="if nobody was asked"),
            ],
        )

    @guard("I71", DiagnosticKind.BOOKKEEPING)
    def absent_take_no_part(self, play: Table) -> Iterator[Violation]:
        """A character who is elsewhere neither proposes, nor is asked or acted against."""
        parts = {find_character(play, word): "is asked" for word in self.ask}
        parts[find_character(play, self.against)] = "is acted against"
        parts[find_character(play, self.by)] = "proposes this"
        for word in self.absent:
            id = find_character(play, word)
            if id and id in parts:
                yield Violation(
                    f"{id} {parts[id]}, and is said to be elsewhere",
                    word,
                    make_fix(RemoveItem(str(word), place_of(word, self.path), "absent")),
                )

    # Guards: modifiers.

    @guard("I38")
    def modifiers_are_for_those_in_it(self, play: Table) -> Iterator[Violation]:
        conflict = self.draft(play)
        if conflict is not None:
            yield from strangers(play, conflict, self.use or {})

    @guard("I33")
    def each_reason_is_used_once(self, play: Table) -> Iterator[Violation]:
        conflict = self.draft(play)
        if conflict is not None:
            yield from used_again(play, conflict, self.uses(play, conflict), self.path)

    @guard("I33")
    def each_reason_brings_one_die(self, play: Table) -> Iterator[Violation]:
        conflict = self.draft(play)
        if conflict is not None:
            yield from more_than_one(play, conflict, self.uses(play, conflict))

    @guard("I30")
    def stress_is_the_actives(self, play: Table) -> Iterator[Violation]:
        conflict = self.draft(play)
        if conflict is not None:
            yield from stress_of_passives(conflict, self.uses(play, conflict))

    @guard("I34")
    def labels_are_of_descriptor_links(self, play: Table) -> Iterator[Violation]:
        conflict = self.draft(play)
        if conflict is not None:
            yield from wrong_labels(play, conflict, self.uses(play, conflict), self.path)

    @guard("I31")
    def role_playing_is_the_actives(self, play: Table) -> Iterator[Violation]:
        conflict = self.draft(play)
        if conflict is not None:
            yield from role_playing(play, conflict, self.uses(play, conflict))

    # Effect.

    def apply(self, play: Table) -> None:
        state = play.state
        self.settle_harm(play)
        play.step.tell(f"**{self.by or 'Somebody'}:** {self.words}")
        finish_map(play)
        close_open(play)
        state.ending = 0
        conflict = self.draft(play)
        if conflict is None:
            # The owner of these dice is unknown, until the next proposal.
            play.doubt = play.doubt or next(iter(play.step.diagnostics), None)
            play.taint(*keys_of_effects(state))
            return
        play.step.player = state.people[conflict.active].player
        state.rolled.clear()
        play.settle(STANCES_DOUBTED, UNDECIDED_DOUBTED)
        state.conflict = conflict
        state.conflicts.append(conflict)
        uses = self.uses(play, conflict)
        add_modifiers(play, conflict, uses)
        tell_modifiers(play, uses)
        count_base(play, conflict)
        play.event(_in_words(conflict), "I20", "proposes", conflict.active)
        if state.stress == 0 and play.ruling("stress_bounds") == "zero":
            play.event("Stress is 0: no dice are needed", "I63", "calm")


def close_open(play: Table) -> None:
    """A proposal that is still undecided stays without a result."""
    conflict = play.state.conflict
    if conflict is None:
        return
    if conflict.level is None:
        if play.gap > conflict.step:
            play.untold(
                "I20",
                f"the record does not say how {conflict.active}'s proposal ended",
                facts=(play.because(conflict.step, "proposed here"),),
            )
        conflict.withdrawn = True
    play.state.conflict = None


def _in_words(conflict: Conflict) -> str:
    target = f" against {conflict.against}" if conflict.against else ""
    if conflict.scope is Scope.ALONE:
        return f"{conflict.active} goes it alone{target}"
    defaulted = ""
    if conflict.defaulted:
        default = "defaults" if len(conflict.defaulted) == 1 else "default"
        defaulted = f"; {listed(conflict.defaulted)} {default} to Neutral"
    return f"{conflict.active} asks {listed(conflict.asked)}{target}{defaulted}"


def _proposal(play: Table, random: Random, active: str) -> Mapping[str, Any]:
    """A proposal of a character, with random people asked and random modifiers."""
    state = play.state
    partners = [id for id in state.playing() if id != active]
    if state.scene_cast:
        partners = [id for id in partners if id in state.scene_cast]
    entry: dict[str, Any] = {
        "propose": random.choice(_PROPOSALS),
        "by": active,
        "physical": random.choice(["yes", "no", "no", "no"]),
    }
    if not partners:
        return entry
    passives, kind = partners, random.random()
    if kind < 0.15:
        entry["alone"], passives = "yes", []
    elif kind < 0.4 and len(partners) > 1:
        passives = random.sample(partners, random.randint(1, len(partners) - 1))
    if random.random() < 0.2:
        entry["against"] = random.choice(partners)
        passives = [id for id in passives if id != entry["against"]]
    if passives and len(passives) < len(partners):
        entry["ask"] = passives
    uses = dict(_chosen_uses(play, random, active, passives))
    if uses:
        entry["use"] = uses
    if random.random() < 0.2:
        entry["because"] = {active: "whispers it"}
    return entry


def _chosen_uses(
    play: Table, random: Random, active: str, passives: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    own = random.sample(["profession", "goal", "against bias"], random.randint(0, 2))
    if own:
        yield active, own
    for id in passives:
        labels = [
            link.label
            for link in play.state.labelled(play.state.pair(id, active))
            if link.topic is Topic.DESCRIPTOR
        ]
        if labels and random.random() < 0.4:
            yield id, [random.choice(labels)]
        elif random.random() < 0.3:
            yield id, [random.choice(["profession", "goal", "against goal"])]


class Withdraw(Action):
    """Take a proposal back. The rules do not allow it, but a table may have done it."""

    verb = "withdraw"
    synonyms = ("retract", "take back")
    departure = True
    decides = Decides("active", "I20")
    moment = Moment(UNDECIDED, Refusal("I20", "there is no proposal to take back"))
    example = "withdraw: I did not mean that"
    words = main(TEXT, "what was said", default=None, text_role=TextRole.SPOKEN)

    def sentence(self, play: Table) -> Sentence:
        conflict = play.state.conflict
        return said("{} takes a proposal back.", conflict.active if conflict is not None else "")

    @guard("I20")
    def said_is_done(self, play: Table) -> Violation | None:
        conflict = play.state.conflict
        if conflict is None or conflict.level is not None:
            return None
        return Violation(
            f"{conflict.active} said it aloud; a proposal is not taken back",
            facts=[play.because(conflict.step, f"'{conflict.words}'")],
        )

    def apply(self, play: Table) -> None:
        conflict = play.state.conflict
        if conflict is not None and conflict.level is None:
            conflict.withdrawn = True
            conflict.steps.append(play.step.number)
            play.state.conflict = None
