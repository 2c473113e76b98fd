"""Deaths, and recovery: what they do to the map (I58, I64, I70)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from chronicle.core.declare import Decides, main, option
from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import BLANK, add_entry, set_key
from chronicle.core.guards import Violation, guard, question
from chronicle.core.kinds import NAME, MapOf, in_role, whole
from chronicle.core.play_kinds import PAIR
from chronicle.core.sentences import Sentence, said
from chronicle.games.isolation.dice import GREEN, RED
from chronicle.games.isolation.effects import after_harm
from chronicle.games.isolation.people import (
    AboutPeople,
    find_character,
    find_pair,
    paired_with_themselves,
)
from chronicle.games.isolation.phases import WHILE_RUNNING
from chronicle.games.isolation.state import Health, PairKey, Person, Recovery, Spread, Tally, Topic
from chronicle.games.isolation.table import (
    Table,
    add_link,
    change_loose,
    erase_link,
    pair_keys,
    set_health,
    set_loose,
)


def spread_of(play: Table, id: str) -> Spread:
    """I58: the labelled green links of somebody who dies, and how they go to the pairs that are left."""
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
    spread = Spread(id, play.step.index, greens, receivers, each, remainder, erased_red=reds)
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
        f"in memory of {spread.who}",
        cancels=play.ruling("spread_cancels") == "yes",
    )


def wound_links(play: Table, person: Person, former: Health) -> None:
    """I57: one red link with everybody else for every level passed. A link that is there already (the
    table had drawn it, and now says so) is not drawn twice."""
    state = play.state
    levels = [level for level in (Health.INJURED, Health.DYING) if former < level <= person.health]
    partners = [who for who in state.playing() if who != person.id]
    for level in levels:
        marked = {link.pair for link in state.wound_links(person.id, level)}
        for partner in partners:
            pair = state.pair(person.id, partner)
            if pair not in marked:
                label = f"{person.id} {level.label}"
                add_link(play, pair, RED, label, Topic.WOUND, "I57", owner=person.id, level=level)
    if partners:
        play.event(
            f"{person.id} gets {listed(f'a red link {level.label}' for level in levels)} "
            f"with {listed(partners)}",
            "I57",
            "wound links",
            person.id,
        )


def set_level(play: Table, person: Person, level: Health) -> None:
    """Put somebody on a level of health, with what that means on the map (I57, I58, I70). Above
    ``play starts:`` the map is given as it is."""
    former = person.health
    set_health(play, person, level, "I64", "counted anew")
    if play.given:
        person.died = 0 if person.alive else person.died or play.step.index
    elif not person.alive and former is not Health.DEAD:
        person.died = play.step.index
        die(play, person.id)
        for spread in play.state.spreads:
            if spread.who == person.id and not spread.settled:
                unknown_rest(play, spread)
    elif person.alive:
        person.died = 0
        if former < level:
            wound_links(play, person, former)
        for healed in (Health.INJURED, Health.DYING):
            for link in play.state.wound_links(person.id, healed) if healed > level else ():
                erase_link(play, link, "I70")


def rest_is_unknown(play: Table, spread: Spread) -> Violation:
    """I58: the rest of a spread is nowhere on record."""
    blanks = ", ".join(f"{first} & {second}: {BLANK}" for first, second in spread.pairs)
    return Violation(
        f"the record does not say which pairs receive the last "
        f"{plural(spread.rest, 'green link')} of {spread.who}",
        rule="I58",
        finding=Finding.UNKNOWN,
        facts=[play.because(spread.step, "died here")],
        fix=add_entry(f"death: {spread.who}\nspread: {{{blanks}}}"),
        doubts=[f"unlabelled:{play.state.name_of(pair)}" for pair in spread.pairs],
    )


def unknown_rest(play: Table, spread: Spread) -> None:
    """Say once that the rest of a spread is nowhere on record."""
    violation = rest_is_unknown(play, spread)
    play.unknown(violation.rule, violation.message, facts=violation.facts, fix=violation.fix)
    play.taint(*violation.doubts)
    spread.settled = True


def _place_rest(play: Table, spread: Spread, shares: Sequence[int]) -> None:
    """Pass links on as they are stated."""
    for survivors, share in zip(spread.pairs, shares, strict=True):
        due = share - spread.given.get(survivors, 0)
        if due > 0:
            _receive(play, spread, survivors, due)
        elif due < 0:
            spread.given[survivors] = share
            change_loose(play, survivors, due, "I58", f"as stated for {spread.who}")
    shared = ", ".join(f"{play.state.name_of(p)} +{n}" for p, n in spread.given.items() if n)
    play.event(f"In memory of {spread.who}: {shared or 'nothing'}", "I58", "spread", spread.who)


def heal(play: Table) -> None:
    """I70: a level whose last wound link is gone is healed, Dying before Injured."""
    state = play.state
    for person in state.people.values():
        while person.alive and person.health is not Health.HEALTHY:
            level = person.health
            if state.wound_links(person.id, level):
                break
            better = Health(int(level) - 1)
            set_health(play, person, better, "I70", f"the last link '{level.label}' is gone")
            state.recoveries.append(Recovery(person.id, state.session, play.step.index, level))
            play.event(f"{person.id} recovers: {better} again", "I70", "recovers", person.id)


class Death(AboutPeople):
    """Somebody is dead: where the green links go that do not divide evenly."""

    verb = "death"
    also = ("die", "dies", "dead", "kill", "killed")
    led_in = "The death of {who}"
    decides = Decides("table")
    moment = WHILE_RUNNING
    example = "death: Basil\n  spread: {Ruth & Cormac: 2, Ruth & Dagny: 1, Cormac & Dagny: 1}"
    who = main(in_role("named", NAME), "who died")
    spread = option(
        MapOf(in_role("named", PAIR), whole(0)), "{one & other: unlabelled green links received}"
    )

    def sentence(self, play: Table) -> Sentence:
        return said("{} dies.", find_character(play, self.who))

    # The links that are passed on.

    def passed_on(self, play: Table) -> Spread | None:
        """The links of the dead, as they are passed on or will be."""
        id = find_character(play, self.who)
        spread = next((s for s in reversed(play.state.spreads) if s.who == id), None)
        if spread is None and id:
            spread = spread_of(play, id)
        return spread

    def stated(self, play: Table, spread: Spread) -> list[int]:
        """The links that each pair of survivors receives, as it states them."""
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
            after=[f"health:{id}"],
            doubts=["living:"],
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
                    f"{play.state.name_of(pair)} is no pair of survivors; "
                    f"{spread.who}'s green links go to "
                    + listed(play.state.name_of(partner) for partner in spread.pairs),
                    typed.one,
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
        own = [pair for pair in play.state.pairs() if spread.who in pair]
        return Violation(
            f"{spread.who} had {plural(total, 'green link')} to pass on, not {passed}",
            facts=play.facts(spread.step, "died here"),
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
            f"{spread.who}'s green links are spread evenly: no pair receives two more than another",
            fix=set_key("spread", f"{{{even}}}") if not spread.rest else (),
            help=f"each pair receives {spread.each}{remainder}",
            doubts=_keys_of(spread.pairs),
        )

    @guard("I58", Finding.UNKNOWN)
    def rest_is_placed(self, play: Table) -> Violation | None:
        spread = self.passed_on(play)
        if self.spread is not None or spread is None or spread.settled:
            return None
        return rest_is_unknown(play, spread)

    def apply(self, play: Table) -> None:
        state, conflict, id = play.state, play.state.conflict, find_character(play, self.who)
        if not id:
            return
        person = state.people[id]
        if person.alive:
            set_health(play, person, Health.DEAD, "I64", "dies")
            person.died = play.step.index
            die(play, id)
        spread = next((s for s in reversed(state.spreads) if s.who == id), None)
        if spread is None:
            return
        if conflict is not None:
            conflict.touch(play.step.index)
        if self.spread is not None:
            _place_rest(play, spread, self.stated(play, spread))
        spread.settled = True
        if conflict is not None and all(s.settled for s in state.spreads):
            after_harm(play, conflict)


def _keys_of(pairs: Iterable[PairKey]) -> list[str]:
    return [key for pair in pairs for key in pair_keys(pair)]
