"""Deaths and recovery, and their effects on the map (I57, I58, I64, I70)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, MapOf, in_role, whole
from chronicle.core.fix import BLANK, RemoveEntry, add_entry, set_key
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import PLAYER
from chronicle.core.play_field_types import PAIR
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import MappingNode
from chronicle.core.stated_figures import Snapshot
from chronicle.games.isolation.dice import GREEN, RED
from chronicle.games.isolation.effects import after_harm
from chronicle.games.isolation.people import (
    AboutPeople,
    find_character,
    find_pair,
    paired_with_themselves,
)
from chronicle.games.isolation.phases import WHILE_RUNNING
from chronicle.games.isolation.state import (
    CHARACTER,
    Health,
    PairKey,
    Person,
    Recovery,
    Spread,
    Tally,
    Topic,
)
from chronicle.games.isolation.state import (
    PAIR as PAIR_NAME,
)
from chronicle.games.isolation.table import (
    Table,
    add_link,
    change_loose,
    embodied,
    erase_link,
    known_before_gap,
    labels_known,
    pair_keys,
    set_health,
    set_loose,
)

RULES = """
# Changes of the map
I57 Wound links [checked; V43 V44]
  A character who becomes Injured or Dying gets one red link with each other character. Its label is that level. On the
  way from Healthy to Dying the character gets both.
I58 Links of the dead [checked; V45 V46]
  Red links of a dead character are erased. The labelled green links are spread evenly over the remaining pairs, as
  unlabelled green links.
"""

READINGS = """
IA22 spread_rest: The green links of the dead do not divide evenly.
  - choice: the rest goes to different pairs, as the log says; no pair gets two more than another
  - lost: the rest is lost
  because the text says as even as possible (I58)
IA23 dead_unlabelled: What happens to the unlabelled links of the dead?
  - vanish: they vanish
  - spread: the green ones are passed on with the labelled ones
  because only labelled green links are passed on (I58)
IA24 spread_cancels: Do green links from a death cancel unlabelled red ones?
  - yes: yes
  - no: no; the pair can then have both
  because the cancelling rule is general (I54, I58)
"""


def spread_of(play: Table, id: str) -> Spread:
    """I58: the labelled green links of a dying character, and their shares for the pairs that are left."""
    state = play.state
    survivors = [survivor for survivor in state.playing() if survivor != id]
    pairs = [state.pair(id, partner) for partner in state.people if partner != id]
    links = [link for pair in pairs for link in state.labelled(pair)]
    greens = sum(link.colour is GREEN for link in links)
    if play.ruling("dead_unlabelled") == "spread":
        greens += sum(state.unlabelled(pair).green for pair in pairs)
    receivers = tuple(state.pairs(survivors))
    each, remainder = divmod(greens, len(receivers)) if receivers else (0, 0)
    if play.ruling("spread_rest") == "lost":
        remainder = 0
    reds = sum(link.colour is RED for link in links)
    spread = Spread(id, play.step.number, greens, receivers, each, remainder, erased_red=reds)
    spread.before = {pair: state.unlabelled(pair).balance for pair in receivers}
    spread.settled = not remainder
    return spread


def die(play: Table, id: str) -> None:
    """I58: red links are erased, labelled green ones are spread as unlabelled green links over the
    pairs that are left.
    """
    state, spread = play.state, spread_of(play, id)
    for partner in state.people:
        if partner == id:
            continue
        pair = state.pair(id, partner)
        for link in state.labelled(pair):
            erase_link(play, link, "I58")
        set_loose(play, pair, Tally(0, 0), "I58", f"{id} died")
    state.spreads.append(spread)
    go, pairs = "goes" if spread.greens == 1 else "go", plural(len(spread.pairs), "pair")
    remainder = f", {spread.rest} to be placed" if spread.rest else ""
    play.event(
        f"{plural(spread.erased_red, 'red link')} of {id} erased; "
        f"{plural(spread.greens, 'green link')} {go} to {pairs}{remainder}",
        "I58",
        "death",
        id,
    )
    for pair in spread.pairs:
        _receive(play, spread, pair, spread.each)
    if play.ruling("wound_links_dead") == "at_once":
        heal(play)


def _receive(play: Table, spread: Spread, pair: PairKey, links: int) -> None:
    if not links:
        return
    spread.given[pair] = spread.given.get(pair, 0) + links
    change_loose(
        play,
        pair,
        links,
        "I58",
        f"in memory of {spread.character}",
        cancels=play.ruling("spread_cancels") == "yes",
    )


def wound_links(
    play: Table, person: Person, former: Health, counted: Collection[PairKey] = ()
) -> None:
    """I57: one red link with everybody else for every level passed. A link that is there already (the
    table had drawn it, and now says so) is not drawn twice, and none where the table has ``counted`` the links."""
    state = play.state
    levels = [level for level in (Health.INJURED, Health.DYING) if former < level <= person.health]
    partners = [
        id for id in state.playing() if id != person.id and state.pair(person.id, id) not in counted
    ]
    for level in levels:
        marked = {link.pair for link in state.wound_links(person.id, level)}
        for partner in partners:
            pair = state.pair(person.id, partner)
            if pair not in marked:
                label = f"{person.id} {level.label}"
                add_link(play, pair, RED, label, Topic.WOUND, "I57", owner=person.id, level=level)
    if levels and partners:
        play.event(
            f"{person.id} gets {listed(f'a red link {level.label}' for level in levels)} "
            f"with {listed(partners)}",
            "I57",
            "wound links",
            person.id,
        )


def draw_told_wounds(play: Table, snapshots: Iterable[Snapshot]) -> None:
    """I57: draw the wound links of each character whom a snapshot reports hurt, unless the log draws or counts them."""
    state = play.state
    told = [snapshot.state for snapshot in snapshots if isinstance(snapshot.state, MappingNode)]
    parts = [(name.strip(), part) for snapshot in told for name, part in snapshot.items()]
    levels, links = ([part for name, part in parts if name == key] for key in ("health", "red"))
    hurt = {id for names in levels if isinstance(names, MappingNode) for id in _named(play, names)}
    names = {id for part in links if isinstance(part, MappingNode) for id in _named(play, part)}
    counted = {pair for pair in state.pairs() if state.name_of(pair) in names}
    for person in state.people.values():
        if person.id not in hurt or not person.alive or person.health is Health.HEALTHY:
            continue
        levels_passed = (Health.INJURED, Health.DYING)
        if not any(state.wound_links(person.id, level) for level in levels_passed):
            wound_links(play, person, Health.HEALTHY, counted)


def _named(play: Table, names: MappingNode) -> list[str]:
    found = [play.look_up(word, (CHARACTER, PAIR_NAME, PLAYER)) for word in names]
    ids = [named.id for named in found if named is not None]
    return [embodied(play, id) or id for id in ids]


def set_level(play: Table, person: Person, level: Health) -> None:
    """Set the health of a character, with the effects on the map (I57, I58, I70). Above ``play starts:`` the map does
    not change."""
    former = person.health
    set_health(play, person, level, "I64", "recounted")
    if play.given:
        person.died = 0 if person.alive else person.died or play.step.number
    elif not person.alive and former is not Health.DEAD:
        person.died = play.step.number
        die(play, person.id)
        for spread in play.state.spreads:
            if spread.character == person.id and not spread.settled:
                unknown_rest(play, spread)
    elif person.alive:
        person.died = 0
        wound_links(play, person, former)
        for healed in (Health.INJURED, Health.DYING):
            for link in play.state.wound_links(person.id, healed) if healed > level else ():
                erase_link(play, link, "I70")


def rest_is_unknown(play: Table, spread: Spread) -> Violation:
    """I58: the record does not have the rest of a spread."""
    return Violation(
        f"the record does not say which pairs receive the last "
        f"{plural(spread.rest, 'green link')} of {spread.character}",
        rule="I58",
        kind=DiagnosticKind.UNKNOWN,
        facts=[play.because(spread.step, "died here")],
        fix=add_entry(f"death: {spread.character}\nspread: {{{_blanks(spread)}}}"),
        doubts=[f"unlabelled:{play.state.name_of(pair)}" for pair in spread.pairs],
    )


def _blanks(spread: Spread) -> str:
    return ", ".join(f"{first} & {second}: {BLANK}" for first, second in spread.pairs)


def unknown_rest(play: Table, spread: Spread) -> None:
    """Report once that the record does not have the rest of a spread."""
    violation = rest_is_unknown(play, spread)
    play.unknown(violation.rule, violation.message, facts=violation.facts, fix=violation.fix)
    play.taint(*violation.doubts)
    spread.settled = True


def _place_rest(play: Table, spread: Spread, shares: Sequence[int]) -> None:
    """Pass links on as the log states."""
    for survivors, share in zip(spread.pairs, shares, strict=True):
        due = share - spread.given.get(survivors, 0)
        if due > 0:
            _receive(play, spread, survivors, due)
        elif due:
            spread.given[survivors] = share
            change_loose(play, survivors, due, "I58", f"as stated for {spread.character}")
    shared = ", ".join(f"{play.state.name_of(p)} +{n}" for p, n in spread.given.items() if n)
    play.event(
        f"In memory of {spread.character}: {shared or 'nothing'}", "I58", "spread", spread.character
    )


def heal(play: Table) -> None:
    """I70: a level whose last wound link is gone is healed, Dying before Injured."""
    state = play.state
    for person in state.people.values():
        while person.alive and person.health is not Health.HEALTHY:
            level = person.health
            if state.wound_links(person.id, level) or _is_never_drawn(play, person, level):
                break
            better = Health(int(level) - 1)
            set_health(play, person, better, "I70", f"the last link '{level.label}' is gone")
            state.recoveries.append(Recovery(person.id, state.session, play.step.number, level))
            play.event(f"{person.id} recovers: {better} again", "I70", "recovers", person.id)


def _is_never_drawn(play: Table, person: Person, level: Health) -> bool:
    """Whether the record has never had the wound links of a level, because the table has counted its links."""
    state = play.state
    drawn = any(link.owner == person.id and link.level is level for link in state.links)
    return not drawn and any(id != person.id for id in state.playing())


class Death(AboutPeople):
    """A character is dead: say which pairs get the green links that do not divide evenly."""

    verb = "death"
    synonyms = ("die", "dies", "dead", "kill", "killed")
    lead_in_template = "The death of {who}"
    decides = Decides("table")
    moment = WHILE_RUNNING
    offered = Offered("I58", "say where the green links of the dead go", weight=-1)
    example = "death: Basil\n  spread: {Ruth & Cormac: 2, Ruth & Dagny: 1, Cormac & Dagny: 1}"
    who = main(in_role("named", NAME), "who died")
    spread = option(
        MapOf(in_role("named", PAIR), whole(0)), "{one & other: unlabelled green links received}"
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state, random = play.state, Random(len(play.steps))
        for spread in (spread for spread in state.spreads if not spread.settled):
            extra = random.sample(spread.pairs, spread.rest)
            shares = {state.name_of(pair): spread.each + (pair in extra) for pair in spread.pairs}
            yield {"death": spread.character, "spread": shares}
        if state.conflict is None and state.map_step and not state.ending:
            told = {person.id for person in state.people.values() if person.buried}
            for spread in (spread for spread in state.spreads[-1:] if spread.character not in told):
                shares = {state.name_of(pair): links for pair, links in spread.given.items()}
                yield {"death": spread.character} | ({"spread": shares} if shares else {})

    def sentence(self, play: Table) -> Sentence:
        return said("{} dies.", find_character(play, self.who))

    # The links that are passed on.

    def passed_on(self, play: Table) -> Spread | None:
        """The links of the dead character, passed on already or not."""
        id = find_character(play, self.who)
        spread = next((s for s in reversed(play.state.spreads) if s.character == id), None)
        if spread is None and id:
            spread = spread_of(play, id)
        return spread

    def stated(self, play: Table, spread: Spread) -> list[int]:
        """The links that each pair of survivors receives, as the entry states."""
        shares = {find_pair(play, typed): count for typed, count in (self.spread or {}).items()}
        return [shares.get(pair, 0) for pair in spread.pairs]

    @question("I64", at="main")
    def dies_of_a_wound(self, play: Table) -> Violation | None:
        id = find_character(play, self.who)
        person = play.state.people.get(id)
        if person is None or not person.alive:
            return None
        return Violation(
            f"{id} is {person.health} and dies without a wound on record",
            fix=add_entry("wounds: ..."),
            since=known_before_gap(play, [f"health:{id}"]),
            state_kind="tracks",
            after=[f"health:{id}"],
            doubts=["living:"],
        )

    def told_before(self, play: Table) -> int:
        """The entry that told of this death before; 0 if there is none."""
        person = play.state.people.get(find_character(play, self.who))
        if person is None or person.alive or person.buried < person.died:
            return 0
        return person.buried

    @guard("I64", DiagnosticKind.BOOKKEEPING, at="main", fix=RemoveEntry())
    def dies_once(self, play: Table) -> Violation | None:
        earlier = self.told_before(play)
        if not earlier:
            return None
        id = find_character(play, self.who)
        return Violation(
            f"{id} is dead already", facts=[play.because(earlier, "told here")], is_certain=True
        )

    @guard("I7")
    def between_two(self, play: Table) -> Iterator[Violation]:
        return paired_with_themselves(play, self.spread or {})

    @guard("I58")
    def survivors_receive_them(self, play: Table) -> Iterator[Violation]:
        spread = self.passed_on(play)
        for typed in self.spread or () if spread is not None else ():
            pair = find_pair(play, typed)
            if spread is not None and pair is not None and pair not in spread.pairs:
                yield Violation(
                    f"{play.state.name_of(pair)} is not a pair of survivors; "
                    f"{spread.character}'s green links go to "
                    + listed(play.state.name_of(partner) for partner in spread.pairs),
                    typed.first,
                    doubts=_keys_of(spread.pairs),
                )

    @guard("I58", at="spread")
    def all_are_passed_on(self, play: Table) -> Violation | None:
        spread = self.passed_on(play)
        if self.spread is None or spread is None:
            return None
        passed, total = (
            sum(self.stated(play, spread)),
            spread.each * len(spread.pairs) + spread.rest,
        )
        if passed == total:
            return None
        own = [pair for pair in play.state.pairs() if spread.character in pair]
        return Violation(
            f"{spread.character} had {plural(total, 'green link')} to pass on, not {passed}",
            facts=play.facts(spread.step, "died here"),
            since=labels_known(play, own),
            state_kind="tracks",
            after=_keys_of(own),
            doubts=_keys_of(spread.pairs),
        )

    @guard("I58", at="spread")
    def spread_is_even(self, play: Table) -> Violation | None:
        spread = self.passed_on(play)
        if self.spread is None or spread is None:
            return None
        shares = self.stated(play, spread)
        total = spread.each * len(spread.pairs) + spread.rest
        if sum(shares) != total or max(shares, default=0) - min(shares, default=0) <= 1:
            return None
        even = ", ".join(f"{first} & {second}: {spread.each}" for first, second in spread.pairs)
        remainder = f", and {plural(spread.rest, 'pair')} one more" if spread.rest else ""
        return Violation(
            f"{spread.character}'s green links are spread evenly: no pair receives two more than another",
            fix=set_key("spread", f"{{{even}}}") if not spread.rest else (),
            help=f"each pair receives {spread.each}{remainder}",
            since=_survivors_before_gap(play, spread),
            state_kind="tracks",
            doubts=_keys_of(spread.pairs),
        )

    @guard("I58", DiagnosticKind.UNKNOWN)
    def rest_is_placed(self, play: Table) -> Violation | None:
        spread = self.passed_on(play)
        if self.spread is not None or spread is None or spread.settled:
            return None
        violation = rest_is_unknown(play, spread)
        return violation._replace(fix=set_key("spread", f"{{{_blanks(spread)}}}"))

    def apply(self, play: Table) -> None:
        state, conflict, id = play.state, play.state.conflict, find_character(play, self.who)
        if not id or self.told_before(play):
            return
        person = state.people[id]
        if person.alive:
            set_health(play, person, Health.DEAD, "I64", "dies")
            person.died = play.step.number
            die(play, id)
            if conflict is not None:
                conflict.take_out(id)
        person.buried = play.step.number
        spread = next((s for s in reversed(state.spreads) if s.character == id), None)
        if spread is None:
            return
        if conflict is not None:
            conflict.touch(play.step.number)
        if self.spread is not None:
            _place_rest(play, spread, self.stated(play, spread))
        spread.settled = True
        is_decided = conflict is not None and conflict.level is not None
        if conflict is not None and is_decided and all(s.settled for s in state.spreads):
            after_harm(play, conflict)


def _survivors_before_gap(play: Table, spread: Spread) -> int | None:
    """The entry from which the record knows that the survivors live, if one may have died in a gap after it."""
    people = {id: None for pair in spread.pairs for id in pair}
    return known_before_gap(play, [f"health:{id}" for id in people])


def _keys_of(pairs: Iterable[PairKey]) -> list[str]:
    return [key for pair in pairs for key in pair_keys(pair)]
