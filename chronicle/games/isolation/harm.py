"""Wounds, deaths and their effects on the map (I57, I58, I64 to I69, I78)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, NAMES, MapOf, in_role, label, whole
from chronicle.core.fix import (
    BLANK,
    SetKey,
    add_entry,
    drop_key,
    make_fix,
    replace_with,
    write_word,
)
from chronicle.core.guards import Violation, guard, report_violation
from chronicle.core.house_rules import answer, expected
from chronicle.core.law import Decider, Role
from chronicle.core.play_field_types import PAIR
from chronicle.core.ranges import Range, exactly
from chronicle.core.sentences import Sentence
from chronicle.core.source import ScalarNode
from chronicle.games.isolation import table
from chronicle.games.isolation.bounds import wounds_range
from chronicle.games.isolation.computed import WOUNDS
from chronicle.games.isolation.deaths import die, rest_is_unknown, wound_links
from chronicle.games.isolation.dice import THREAT_WORDS
from chronicle.games.isolation.effects import after_harm, take_effect_of_harm
from chronicle.games.isolation.people import (
    MEANS_CHARACTER,
    AboutPeople,
    alive,
    find_character,
    find_pair,
    gm,
    is_or_are,
)
from chronicle.games.isolation.phases import WHILE_RUNNING
from chronicle.games.isolation.state import OUTSIDER, Conflict, Health, PairKey, Person, Side, Stage
from chronicle.games.isolation.table import Table

RULES = """
# Injury, death, recovery
I64 The levels of health [checked; V55]
  The levels are Healthy, Injured, Dying and Dead. No level is skipped, and dead characters do not act.
I65 When characters are hurt [checked; V51]
  A physically threatening conflict that fails, at any level, wounds characters. Nothing else does.
I66 How many wounds [checked; V52]
  There are as many wounds as red odds exceed green evens, up to the number that the candidates can take.
I67 Who is wounded [checked; V53]
  Wounds go to characters in the conflict who helped or were Neutral. They never go to Hostile or absent characters.
I68 Dying characters come first [checked; V54]
  A Dying candidate is wounded before all others, and dies of it.
I69 Why a character is hurt [recorded]
  Within these limits the group shares out the wounds as it likes. The best reason is the deed of a Hostile or the
  omission of a Neutral. The threat need not be the cause.
  why: reasons are told, not computed; the log can name who is to blame for a wound

# Special cases
I78 The defender can be hurt [computed]
  If a conflict can wound characters, the defender is a candidate.
"""

READINGS = """
IA15 active_wounded: Can the Active be wounded?
  - yes: yes, as the head of the cooperating side
  - no: no, only those who were asked
  because the Active cooperates with their own proposal (I67)
IA16 wound_chooser: Who shares out the wounds?
  - group: the group; the GM settles disputes
  - gm: the GM
  because it happens while the result is interpreted (I69)
IA17 surplus_wounds: There are more wounds than the candidates can take.
  - lost: the surplus is lost
  - hostile: it falls on the Hostile
  because there are no other candidates (I66, I67)
IA19 new_dying_first: A character becomes Dying while wounds are shared out. Does the next wound go there first?
  - no: no
  - yes: yes
  because the rule is about those who are Dying at that time (I68)
IA20 several_dying: Several candidates are Dying and there are fewer wounds.
  - group: the group chooses among them
  because the text is silent (I68)
IA21 dying_absent: Is a Dying character who is elsewhere a candidate?
  - no: no
  - yes: yes
  because wounds go to characters in the conflict (I67, I68)
IA38 direct_wounds: Who is wounded when a character is acted against?
  - failure: after a failure, as always, and the defender is a candidate
  - success: after a success the defender, by the difference; after a failure as always
  because the text only adds a candidate (I65, I78)
"""

TERMS = """\
Wounds, Injured, Dying [I64]: The levels of health: Healthy, Injured, Dying, Dead.
"""

ROLES: Mapping[str, Role] = {
    "wounded": Role(
        "a character who takes wounds",
        "",
        (alive("I64", "{who} is dead and takes no wounds"),),
        MEANS_CHARACTER,
    ),
    "blamed": Role(
        "whose deed or omission a wound came from",
        "",
        (),
        MEANS_CHARACTER,
        groups=(*THREAT_WORDS, "the threat"),
    ),
}
ACTORS: Mapping[str, Decider] = {
    "wound chooser": Decider(
        "the table, or the GM where the table reads it so",
        lambda play, action: gm(play, action) if play.ruling("wound_chooser") == "gm" else (),
        "{by} shares out the wounds; at this table the GM does",
        acts_by_default=False,
    ),
}


def candidates(play: Table, conflict: Conflict) -> dict[str, bool]:
    """I67, I78: the characters who can be wounded. The value says whether the record knows that they are in the
    conflict: a character who is Neutral by default can be elsewhere."""
    involved: dict[str, bool] = {}
    people = play.state.people
    if play.ruling("active_wounded") == "yes":
        involved[conflict.active] = True
    for hand in conflict.hands.values():
        if hand.character == conflict.active:
            continue
        side = hand.final or hand.stance
        if hand.late and play.ruling("effect_stance") == "first":
            side = Side.NEUTRAL
        if side is Side.HOSTILE:
            continue
        if hand.defaulted and play.ruling("defaulted_count") == "no":
            continue
        involved[hand.character] = not hand.defaulted
    if conflict.against:
        involved[conflict.against] = True
    if play.ruling("dying_absent") == "yes":
        for id in conflict.absent:
            if people[id].health is Health.DYING:
                involved[id] = True
    return {id: is_known for id, is_known in involved.items() if people[id].alive}


def wounds_due(play: Table, conflict: Conflict) -> Range:
    """I65, I66: the number of wounds of a result, up to the number that characters can take."""
    level, people = conflict.level, play.state.people
    if not conflict.physical or level is None or not (conflict.dice or conflict.unrecorded):
        return exactly(0)
    if not level.failure:
        if conflict.against and conflict.dice and play.ruling("direct_wounds") == "success":
            return exactly(min(conflict.difference, room_left(people[conflict.against])))
        return exactly(0)
    involved = candidates(play, conflict)
    room = _room(play, conflict, involved)
    # Who was not asked can have been elsewhere.
    certain_room = _room(play, conflict, [id for id, is_known in involved.items() if is_known])
    if conflict.has_pool and conflict.has_versus:
        wounds = answer(play, WOUNDS, conflict.versus - conflict.pool, conflict)
        return Range(min(wounds, certain_room), min(wounds, room))
    due = wounds_range(level)
    most = room if due.highest is None else min(due.highest, room)
    return Range(min(due.lowest or 0, certain_room), most)


def count_wounds(play: Table, conflict: Conflict) -> Range:
    """Note the number of wounds that a result brings."""
    due = wounds_due(play, conflict)
    conflict.wounds_due, conflict.wounds_most = due.lowest or 0, due.highest or 0
    return due


def count_wounds_again(play: Table) -> None:
    """Count the wounds that are still due, after the log has stated somebody's health: they take more or less."""
    conflict = play.state.conflict
    if conflict is not None and conflict.stage is Stage.RESULT:
        count_wounds(play, conflict)
        if not conflict.wounds_due:
            after_harm(play, conflict)


def _room(play: Table, conflict: Conflict, names: Iterable[str]) -> int:
    """The number of wounds that some characters can take, and the Hostile where a surplus falls on them."""
    people, takers = play.state.people, [*names]
    if play.ruling("surplus_wounds") == "hostile":
        takers += [id for id in conflict.by_stance(Side.HOSTILE) if people[id].alive]
    return sum(room_left(people[id]) for id in takers)


def room_left(person: Person) -> int:
    """The number of wounds that a character can take."""
    return int(Health.DEAD) - int(person.health)


class Wounds(AboutPeople):
    """Share the wounds of a threatening failure among those who helped or were Neutral."""

    verb = "wounds"
    synonyms = ("wound", "hurt", "injury", "injured")
    decides = Decides("wound chooser", "I69")
    moment = WHILE_RUNNING
    offered = Offered("I66", "share out the wounds")
    example = "wounds: {Ruth: 1, Basil: 2}\n  blame: {Basil: Cormac}"
    wounds = main(MapOf(in_role("wounded", NAME), whole(0)), "{who: how many levels}")
    blame = option(
        MapOf(in_role("named", NAME), in_role("blamed", NAMES)),
        "{wounded: whose deed or omission it came from, or the threat}",
    )
    drawn = option(
        MapOf(in_role("named", PAIR), label(NAMES)),
        "{one & other: wound labels drawn on the map}; checked",
        computed=True,
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        conflict = play.state.conflict
        if conflict is not None and conflict.stage is Stage.RESULT:
            for turn in range(3):
                yield {"wounds": _shared_out(play, conflict, turn)}

    def sentence(self, play: Table) -> Sentence:
        names = [f"{id} {count}" for id, (count, _) in self.shares(play).items()]
        return (f"Wounds: {listed(names) or 'none'}.",)

    def named_words(self) -> Iterator[ScalarNode]:
        """I69: the blamed can be the threat, or anybody elsewhere."""
        blamed = [name for names in (self.blame or {}).values() for name in names]
        yield from (
            word for word in super().named_words() if all(word is not name for name in blamed)
        )

    # The wounds of the entry, and what they are compared with.

    def shares(self, play: Table) -> dict[str, tuple[int, ScalarNode]]:
        """The wounds of each character, with the word that names the character."""
        return {
            id: (count, word)
            for word, count in self.wounds.items()
            if (id := find_character(play, word)) and count
        }

    def failed(self, play: Table) -> Conflict | None:
        """The conflict that brings the wounds, if it brings any, and none are shared out yet."""
        conflict = table.at_hand(play)
        if conflict is None or conflict.level is None or conflict.wounds_step:
            return None
        return conflict if conflict.physical and _may_wound(play, conflict) else None

    def allowed(self, play: Table, conflict: Conflict) -> dict[str, bool]:
        """The characters who can be wounded, and whether the record knows that they are in the conflict."""
        if conflict.level is not None and not conflict.level.failure:
            return {conflict.against: True}
        return candidates(play, conflict)

    def doubts_about(self, play: Table, conflict: Conflict) -> list[str]:
        """The figures that are in doubt if the wounds are wrong: health, and the links of the wounded."""
        state = play.state
        people = {*self.allowed(play, conflict), *self.shares(play)}
        pairs = {
            state.pair(id, partner) for id in people for partner in state.people if partner != id
        }
        keys = [f"health:{id}" for id in people]
        return [*keys, *(key for pair in sorted(pairs) for key in table.pair_keys(pair))]

    # Guards.

    @guard("I65", help="the dice of a conflict come before its wounds")
    def a_conflict_has_failed(self, play: Table) -> Violation | None:
        conflict = table.at_hand(play)
        if conflict is not None and conflict.level is not None:
            return None
        message = "a character is wounded only after a failed conflict"
        return Violation(message, fix=add_entry("propose: ..."), since=0)

    @guard("I65")
    def failure_wounds(self, play: Table) -> Violation | None:
        conflict = table.at_hand(play)
        if conflict is None or conflict.level is None or _may_wound(play, conflict):
            return None
        fact = play.because(conflict.result_step, str(conflict.level))
        return Violation(f"a {conflict.level} wounds no character", facts=[fact])

    @guard("I65")
    def threat_is_physical(self, play: Table) -> Violation | None:
        conflict = table.at_hand(play)
        if conflict is None or conflict.level is None or conflict.physical:
            return None
        if not _may_wound(play, conflict):
            return None
        return Violation(
            "this conflict was not physically threatening, so it wounds no character",
            facts=[play.because(conflict.step, "proposed here")],
            fix=make_fix(
                SetKey("physical", "yes", play.place_of_entry(conflict.step)), when="if it was"
            ),
        )

    @guard("I66")
    def shared_out_once(self, play: Table) -> Violation | None:
        conflict = table.at_hand(play)
        is_due = conflict is not None and conflict.level is not None and conflict.physical
        if conflict is None or not is_due or not conflict.wounds_step:
            return None
        if not _may_wound(play, conflict):
            return None
        return Violation(
            "the wounds of this conflict were shared out before",
            facts=[play.because(conflict.wounds_step, "here")],
        )

    @guard("I67")
    def wounded_helped_or_stood_by(self, play: Table) -> Iterator[Violation]:
        conflict = self.failed(play)
        if conflict is not None:
            for id, (_, word) in self.shares(play).items():
                if play.state.people[id].alive and not self._may_take(play, conflict, id):
                    hand = conflict.hands.get(id)
                    yield Violation(
                        f"{id} is {_part_of(conflict, id)}; "
                        "wounds go to those who helped or were Neutral",
                        word,
                        replace_with(self.allowed(play, conflict)),
                        facts=[play.because(hand.stance_step, "taken here")]
                        if hand is not None and hand.stance_step
                        else [],
                        after=_wound_doubts(conflict),
                        doubts=self.doubts_about(play, conflict),
                    )

    def _may_take(self, play: Table, conflict: Conflict, id: str) -> bool:
        """I67, IA17: whether a character can take wounds. At some tables a surplus falls on the Hostile."""
        allowed, shares, people = self.allowed(play, conflict), self.shares(play), play.state.people
        if id in allowed:
            return True
        are_full = all(
            shares.get(partner, (0, None))[0] >= room_left(people[partner]) for partner in allowed
        )
        is_hostile = _part_of(conflict, id) == "hostile"
        return play.ruling("surplus_wounds") == "hostile" and are_full and is_hostile

    @guard("I66")
    def all_can_take_their_wounds(self, play: Table) -> Iterator[Violation]:
        conflict = self.failed(play)
        for id, (count, word) in self.shares(play).items() if conflict is not None else ():
            assert conflict is not None
            person = play.state.people[id]
            if id in self.allowed(play, conflict) and count > room_left(person):
                room = room_left(person)
                yield Violation(
                    f"{id} is {person.health} and can take {plural(room, 'wound')}, not {count}",
                    word,
                    write_word(room),
                    since=table.known_before_gap(play, [f"health:{id}"]),
                    state_kind="tracks",
                    after=_wound_doubts(conflict),
                    doubts=self.doubts_about(play, conflict),
                )

    def are_takers_right(self, play: Table, conflict: Conflict) -> bool:
        """Whether all wounds go to characters who can take them."""
        people, shares = play.state.people, self.shares(play)
        return all(
            people[id].alive
            and self._may_take(play, conflict, id)
            and (id not in self.allowed(play, conflict) or count <= room_left(people[id]))
            for id, (count, _) in shares.items()
        )

    @guard("I66", at="main")
    def as_many_as_are_due(self, play: Table) -> Violation | None:
        conflict = self.failed(play)
        if conflict is None or not self.are_takers_right(play, conflict):
            return None
        total, due = sum(count for count, _ in self.shares(play).values()), self.due(play, conflict)
        if due.may_be(total):
            return None
        return Violation(
            f"{_why_wounds(conflict)} {plural(due.lowest or 0, 'wound')}, not {total}",
            facts=[play.because(conflict.result_step, str(conflict.level))],
            help=f"candidates: {listed(self.allowed(play, conflict))}",
            since=self._room_before_gap(play, conflict, total),
            state_kind="tracks",
            after=[
                *_wound_doubts(conflict),
                f"pools:{conflict.number}",
                f"result:{conflict.number}",
            ],
            doubts=self.doubts_about(play, conflict),
        )

    def due(self, play: Table, conflict: Conflict) -> Range:
        """The number of wounds that are due. A character who takes one was in the conflict, and can take more."""
        most, wounded = conflict.wounds_most, self.shares(play)
        involved = [
            id for id, is_known in self.allowed(play, conflict).items() if is_known or id in wounded
        ]
        least = max(conflict.wounds_due, min(most, _room(play, conflict, involved)))
        return Range(
            least if conflict.has_pool and conflict.has_versus else conflict.wounds_due, most
        )

    def _room_before_gap(self, play: Table, conflict: Conflict, total: int) -> int | None:
        """The entry from which the health of those who can take wounds is known, if a gap after it may have changed it
        and with it the number of wounds. No gap makes room for more wounds than the dice bring."""
        is_exact = conflict.has_pool and conflict.has_versus
        if is_exact and total > expected(play, WOUNDS, -conflict.difference, conflict):
            return None
        people = self.allowed(play, conflict)
        return table.known_before_gap(play, [f"health:{id}" for id in people])

    @guard("I68", at="main")
    def dying_come_first(self, play: Table) -> Violation | None:
        conflict, shares, people = self.failed(play), self.shares(play), play.state.people
        if conflict is None or not self.are_takers_right(play, conflict):
            return None
        spared = [
            id
            for id, is_involved in self.allowed(play, conflict).items()
            if is_involved and people[id].health is Health.DYING and id not in shares
        ]
        wounded = [id for id in shares if people[id].health is not Health.DYING]
        if not spared or not wounded:
            return None
        return Violation(
            f"{listed(spared)} {is_or_are(spared)} Dying and {is_or_are(spared)} wounded before "
            f"{listed(wounded)}",
            facts=[play.because(people[id].history[-1][0], f"{id} is Dying") for id in spared[:1]],
            since=table.known_before_gap(play, [f"health:{id}" for id in (*spared, *wounded)]),
            state_kind="tracks",
            after=[f"health:{id}" for id in (*spared, *wounded)],
        )

    @guard("I68", at="main")
    def first_to_turn_dying_is_next(self, play: Table) -> str | None:
        conflict, people = self.failed(play), play.state.people
        if conflict is None or play.ruling("new_dying_first") != "yes":
            return None
        turned = [
            id
            for id, (count, _) in self.shares(play).items()
            if people[id].health is not Health.DYING
            and int(people[id].health) + count == int(Health.DYING)
        ]
        if len(turned) < 2:
            return None
        return (
            f"{listed(turned)} both turn Dying; by the reading of this table the first to do so "
            "takes the next wound"
        )

    @guard("I69", help="blame: {who is wounded: whose deed or omission it came from}")
    def blame_is_for_a_wound(self, play: Table) -> Iterator[Violation]:
        conflict, shares = self.failed(play), self.shares(play)
        if conflict is None or not self.are_takers_right(play, conflict):
            return
        total = sum(count for count, _ in shares.values())
        if not self.due(play, conflict).may_be(total):
            return
        for word in self.blame or ():
            id = find_character(play, word)
            if id and id not in shares:
                message = f"{id} is not wounded here, so no character is to blame"
                yield Violation(message, word)

    @guard("I57", at="drawn")
    def wound_links_are_drawn(self, play: Table) -> Iterator[Violation]:
        """The wound links as the table drew them."""
        if self.drawn is None:
            return
        due, stated = self._links_due(play), dict[PairKey, list[str]]()
        for typed, labels in self.drawn.items():
            pair = find_pair(play, typed)
            if pair is not None:
                stated[pair] = [text.casefold() for text in labels]
        missing: list[str] = []
        for pair, labels_due in due.items():
            drawn = stated.get(pair, [])
            for text in labels_due:
                short = text.rpartition(" ")[2].casefold()
                match = next((word for word in (text.casefold(), short) if word in drawn), None)
                if match is None:
                    missing.append(f"{play.state.name_of(pair)}: {text}")
                else:
                    drawn.remove(match)
        if missing:
            yield Violation(
                f"wound links are missing from the map: {'; '.join(missing)}",
                fix=drop_key("drawn"),
                help="every level passed makes one red link with each other character, Injured on "
                "the way to Dying too",
                since=table.known_before_gap(play, [f"health:{id}" for id in play.state.people]),
                state_kind="tracks",
            )
        strange = [play.state.name_of(pair) for pair in stated if pair not in due]
        if strange:
            yield Violation(f"no character who is wounded here belongs to {listed(strange)}")

    def _links_due(self, play: Table) -> dict[PairKey, list[str]]:
        """I57: the wound links that are drawn, by pair."""
        state, due = play.state, dict[PairKey, list[str]]()
        health_after = {
            id: Health(min(int(Health.DEAD), int(state.people[id].health) + count))
            for id, (count, _) in self.shares(play).items()
        }
        survivors = [id for id in state.playing() if health_after.get(id) is not Health.DEAD]
        for id, health in health_after.items():
            person = state.people[id]
            if health is Health.DEAD:
                continue
            for level in (Health.INJURED, Health.DYING):
                on_map = {link.pair for link in state.wound_links(id, level)}
                for partner in survivors if person.health < level <= health else ():
                    pair = state.pair(id, partner)
                    if partner != id and pair not in on_map:
                        due.setdefault(pair, []).append(f"{id} {level.label}")
        return due

    # Effect.

    def apply(self, play: Table) -> None:
        state, conflict = play.state, table.at_hand(play)
        shares = {id: count for id, (count, _) in self.shares(play).items()}
        if conflict is not None:
            conflict.wounds_step = play.step.number
            conflict.touch(play.step.number)
            self._tell_blame(play, conflict, shares)
        dead = hurt(play, conflict, shares)
        state.injured_step = play.step.number
        if conflict is None:
            return
        conflict.deaths.extend(dead)
        if state.conflict is conflict and conflict.level is not None:
            if any(not spread.settled for spread in state.spreads):
                conflict.stage = Stage.DEATHS
                if play.ruling("spread_cancels") == "yes":
                    # Links of the dead and of the result add up in any order.
                    take_effect_of_harm(play, conflict)
            else:
                after_harm(play, conflict)

    def _tell_blame(self, play: Table, conflict: Conflict, wounded: Mapping[str, int]) -> None:
        """Note whose doing each wound was."""
        for word, names in (self.blame or {}).items():
            id = find_character(play, word)
            blamed = tuple(name for typed in names if (name := _blamed(play, typed)))
            if id in wounded:
                conflict.blame[id] = blamed
                if blamed:
                    text = f"{listed(blamed)} {is_or_are(blamed)} to blame for the wound of {id}"
                    play.event(text, "I69", "blamed", id)


def _blamed(play: Table, word: ScalarNode) -> str:
    """The character who is to blame for a wound, somebody elsewhere, or the threat; empty if the name is unknown."""
    if word.casefold() in (*THREAT_WORDS, "the threat"):
        return play.state.threat or str(word)
    named = play.look_up(word, (OUTSIDER,))
    return find_character(play, word) or (named.name if named is not None else "")


def _may_wound(play: Table, conflict: Conflict) -> bool:
    """I65: whether a result of this level wounds anybody."""
    if conflict.level is None or conflict.level.failure:
        return True
    by_reading = bool(conflict.against) and play.ruling("direct_wounds") == "success"
    return by_reading and bool(conflict.physical)


def _wound_doubts(conflict: Conflict) -> list[str]:
    return [
        f"conflict:{conflict.number}",
        *(f"dice:{conflict.number}:{id}" for id in conflict.hands),
        *(f"health:{id}" for id in (*conflict.hands, conflict.against)),
    ]


def hurt(play: Table, conflict: Conflict | None, shares: Mapping[str, int]) -> list[str]:
    """Health goes down; the dead are taken off the map, then the wounded get their links. Returns the dead."""
    why = conflict.words if conflict is not None else "wounded"
    dead: list[str] = []
    wounded: list[tuple[Person, Health]] = []
    for id, count in shares.items():
        person = play.state.people[id]
        former = person.health
        health = Health(min(int(Health.DEAD), int(former) + count))
        table.set_health(play, person, health, "I65", why)
        if conflict is not None:
            conflict.wounds[id] = conflict.wounds.get(id, 0) + count
        if health is former:
            continue
        play.event(f"{id} is {health} (was {former})", "I64", "wounded", id)
        if health is Health.DEAD:
            person.died = play.step.number
            dead.append(id)
        else:
            wounded.append((person, former))
    for id in dead:
        die(play, id)
    for person, former in wounded:
        wound_links(play, person, former)
    return dead


def _shared_out(play: Table, conflict: Conflict, turn: int) -> dict[str, int]:
    """Wounds within the rules: the Dying first, then the least hurt of those who can take some."""
    people = play.state.people
    allowed = {id: True for id, is_known in candidates(play, conflict).items() if is_known}
    if conflict.level is not None and not conflict.level.failure:
        allowed = {conflict.against: True}
    surplus = (
        conflict.by_stance(Side.HOSTILE) if play.rulings["surplus_wounds"] == "hostile" else []
    )
    room = {id: room_left(people[id]) for id in (*allowed, *surplus)}
    shares: dict[str, int] = {}
    for _ in range(conflict.wounds_due):
        takers = [
            id
            for id, is_involved in allowed.items()
            if is_involved and people[id].health is Health.DYING and room[id]
        ]
        if not takers and play.rulings["new_dying_first"] == "yes":
            takers = [id for id in shares if room[id] == 1]
        takers = takers or [id for id in allowed if room[id]]
        takers = takers or [id for id in surplus if room[id] and people[id].alive]
        if not takers:
            break
        most = max(room[id] for id in takers)
        healthiest = [id for id in takers if room[id] == most]
        taker = healthiest[turn % len(healthiest)]
        room[taker] -= 1
        shares[taker] = shares.get(taker, 0) + 1
    return shares


def _why_wounds(conflict: Conflict) -> str:
    """Why a result asks for as many wounds as it does, in words."""
    if conflict.has_pool and conflict.has_versus:
        odds, evens = plural(conflict.versus, "red odd"), plural(conflict.pool, "green even")
        return f"{odds} less {evens} make"
    bound = "" if conflict.wounds_most == conflict.wounds_due else " at least"
    return f"a {conflict.level} makes{bound}"


def _part_of(conflict: Conflict, id: str) -> str:
    hand = conflict.hands.get(id)
    if id == conflict.active:
        return "the Active"
    if hand is None:
        return "not involved"
    return str(hand.final or hand.stance or "without a stance")


def unsettled(play: Table, conflict: Conflict) -> Iterator[Violation]:
    """I65, I58: wounds that are not shared out, and last links of the dead that are not placed."""
    if conflict.stage is Stage.RESULT:
        is_unknown = play.gap > conflict.result_step or conflict.unrecorded
        yield Violation(
            f"{plural(conflict.wounds_due, 'wound')} of a threatening {conflict.level} "
            "were never shared out",
            facts=[play.because(conflict.result_step, str(conflict.level))],
            fix=() if is_unknown else add_entry(f"wounds: {BLANK}"),
            after=() if is_unknown else [f"dice:{conflict.number}:{id}" for id in conflict.hands],
            kind=DiagnosticKind.UNKNOWN if is_unknown else None,
            doubts=[f"health:{id}" for id in candidates(play, conflict)],
        )
    for spread in play.state.spreads:
        if not spread.settled:
            yield rest_is_unknown(play, spread)


class WaitsForWounds(AboutPeople):
    """An entry that waits for the wounds of the last result and for the last links of the dead."""

    before_deaths_only: ClassVar[bool] = False
    """Whether it can come before the last links of the dead are placed."""

    @guard("I65")
    def harm_is_settled(self, play: Table) -> Iterator[Violation]:
        conflict = play.state.conflict
        if conflict is not None and conflict.stage in self.unsettled_stages():
            yield from unsettled(play, conflict)

    def unsettled_stages(self) -> tuple[Stage, ...]:
        """The stages of a conflict that it has to wait for."""
        return (Stage.RESULT,) if self.before_deaths_only else (Stage.RESULT, Stage.DEATHS)

    def settle_harm(self, play: Table) -> None:
        """Go on although wounds or links of the dead are not settled. Their effects are lost."""
        conflict = play.state.conflict
        if conflict is not None and conflict.stage in self.unsettled_stages():
            settle_open(play, conflict)


def settle_open(play: Table, conflict: Conflict) -> None:
    """Go on although wounds or links of the dead are still due."""
    for spread in play.state.spreads:
        spread.settled = True
    after_harm(play, conflict)


def report_unsettled(play: Table, conflict: Conflict) -> None:
    """Report unsettled wounds and links at an entry without guards, and go on."""
    for violation in unsettled(play, conflict):
        report_violation(play, violation._replace(rule=violation.rule or "I65"))
    settle_open(play, conflict)
