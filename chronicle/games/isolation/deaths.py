"""Deaths, and recovery: what they do to the map (I58, I64, I70)."""

from __future__ import annotations

from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import BLANK, add_entry, drop_item, set_key
from chronicle.core.guards import Violation
from chronicle.games.isolation.actions import Death, Recover
from chronicle.games.isolation.dice import GREEN, RED
from chronicle.games.isolation.effects import after_harm
from chronicle.games.isolation.state import Health, PairKey, Person, Recovery, Spread, Tally, Topic
from chronicle.games.isolation.table import (
    Table,
    add_link,
    change_loose,
    character,
    doubt_pairs,
    erase_link,
    pair_keys,
    pair_of,
    set_health,
    set_loose,
)


def die(play: Table, who: str) -> None:
    """I58: red links are erased, labelled green ones are spread as unlabelled green links over the
    pairs that are left.
    """
    state = play.state
    others = [id for id in state.playing() if id != who]
    greens = reds = 0
    for other in state.people:
        if other == who:
            continue
        pair = state.pair(who, other)
        for link in state.labelled(pair):
            greens += link.colour is GREEN
            reds += link.colour is RED
            erase_link(play, link, "I58")
        loose = state.unlabelled(pair)
        if any(loose):
            if play.ruling("dead_unlabelled") == "spread":
                greens += loose.green
            set_loose(play, pair, Tally(0, 0), "I58", f"{who} died")
    pairs = tuple(state.pairs(others))
    each, rest = divmod(greens, len(pairs)) if pairs else (0, 0)
    if play.ruling("spread_rest") == "lost":
        rest = 0
    spread = Spread(who, play.step.index, greens, pairs, each, rest, erased_red=reds)
    spread.before = {pair: state.unlabelled(pair).balance for pair in pairs}
    state.spreads.append(spread)
    play.event(
        f"{plural(reds, 'red link')} of {who} erased; {plural(greens, 'green link')} "
        f"{'goes' if greens == 1 else 'go'} to "
        f"{plural(len(pairs), 'pair')}" + (f", {rest} to be placed" if rest else ""),
        "I58",
        "death",
        who,
    )
    for pair in pairs:
        _receive(play, spread, pair, each)
    spread.settled = not rest
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


def wound_links(
    play: Table, person: Person, before: Health, drawn: dict[PairKey, list[str]]
) -> None:
    """I57: one red link with everybody else for every level passed. A link that is there already (the
    table had drawn it, and now says so) is not drawn twice."""
    state = play.state
    levels = [level for level in (Health.INJURED, Health.DYING) if before < level <= person.health]
    others = [who for who in state.playing() if who != person.id]
    for level in levels:
        there = {link.pair for link in state.wound_links(person.id, level)}
        for other in others:
            pair = state.pair(person.id, other)
            if pair not in there:
                label = f"{person.id} {level.label}"
                add_link(play, pair, RED, label, Topic.WOUND, "I57", owner=person.id, level=level)
                drawn.setdefault(pair, []).append(label)
    if others:
        play.event(
            f"{person.id} gets {listed(f'a red link {level.label}' for level in levels)} "
            f"with {listed(others)}",
            "I57",
            "wound links",
            person.id,
        )


def set_level(play: Table, person: Person, level: Health) -> None:
    """Put somebody on a level of health, with what that means on the map (I57, I58, I70). Above
    ``play starts:`` the map is given as it is."""
    before = person.health
    set_health(play, person, level, "I64", "counted anew")
    if play.given:
        person.died = 0 if person.alive else person.died or play.step.index
    elif not person.alive and before is not Health.DEAD:
        person.died = play.step.index
        die(play, person.id)
        for spread in play.state.spreads:
            if spread.who == person.id and not spread.settled:
                unknown_rest(play, spread)
    elif person.alive:
        person.died = 0
        if before < level:
            wound_links(play, person, before, {})
        for healed in (Health.INJURED, Health.DYING):
            for link in play.state.wound_links(person.id, healed) if healed > level else ():
                erase_link(play, link, "I70")


def death(play: Table, action: Death) -> None:
    """I58: a death is said, and where the green links go that do not divide evenly."""
    state = play.state
    who = character(play, action.who)
    play.step.headline = f"{who or action.who} dies"
    if not who:
        return
    person = state.people[who]
    conflict = state.conflict
    if person.alive:
        play.suspect(
            True,
            "I64",
            f"{who} is {person.health} and dies without a wound on record",
            at="main",
            fix=add_entry("wounds: ..."),
            after=(f"health:{who}",),
        )
        play.taint("living:")
        set_health(play, person, Health.DEAD, "I64", "dies")
        person.died = play.step.index
        die(play, who)
    spread = next((s for s in reversed(state.spreads) if s.who == who), None)
    if spread is None:
        return
    if conflict is not None:
        conflict.touch(play.step.index)
    if action.spread is not None:
        _place_rest(play, action, spread)
    elif not spread.settled:
        unknown_rest(play, spread)
    if conflict is not None and all(s.settled for s in state.spreads):
        after_harm(play, conflict)


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


def _place_rest(play: Table, action: Death, spread: Spread) -> None:
    state = play.state
    stated: dict[PairKey, int] = {}
    for pair, count in (action.spread or {}).items():
        key = pair_of(play, pair)
        if key is None:
            continue
        if not play.require(
            key in spread.pairs,
            "I58",
            f"{state.name_of(key)} is no pair of survivors; {spread.who}'s green links go to "
            + listed(state.name_of(p) for p in spread.pairs),
            at=pair.one,
        ):
            continue
        stated[key] = count
    at = action.place("spread")
    found = len(play.step.diagnostics)
    keys = tuple(key for pair in state.pairs() if spread.who in pair for key in pair_keys(pair))
    shares = [stated.get(pair, 0) for pair in spread.pairs]
    total = spread.each * len(spread.pairs) + spread.rest
    if play.require(
        sum(shares) == total,
        "I58",
        f"{spread.who} had {plural(total, 'green link')} to pass on, not {sum(shares)}",
        at=at,
        facts=(play.because(spread.step, "died here"),),
        after=keys,
    ):
        play.require(
            max(shares, default=0) - min(shares, default=0) <= 1,
            "I58",
            f"{spread.who}'s green links are spread evenly: no pair receives two more than another",
            at=at,
            fix=set_key(
                "spread", f"{{{', '.join(f'{a} & {b}: {spread.each}' for a, b in spread.pairs)}}}"
            )
            if not spread.rest
            else (),
            help=f"each pair receives {spread.each}"
            + (f", and {plural(spread.rest, 'pair')} one more" if spread.rest else ""),
        )
    if len(play.step.diagnostics) > found:
        doubt_pairs(play, spread.pairs)
    for survivors, share in zip(spread.pairs, shares, strict=True):
        more = share - spread.given.get(survivors, 0)
        if more > 0:
            _receive(play, spread, survivors, more)
        elif more < 0:
            spread.given[survivors] = share
            change_loose(play, survivors, more, "I58", f"as stated for {spread.who}")
    spread.settled = True
    told = ", ".join(f"{state.name_of(p)} +{n}" for p, n in spread.given.items() if n)
    play.event(f"In memory of {spread.who}: {told or 'nothing'}", "I58", "spread", spread.who)


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


def recover(play: Table, action: Recover) -> None:
    """I70: a recovery as stated; it follows from erased wound links, and from nothing else."""
    state = play.state
    play.step.headline = f"Recovery: {listed(map(str, action.levels))}"
    for word, said in action.levels.items():
        who = character(play, word)
        if not who:
            continue
        level = Health[said.upper()]
        person = state.people[who]
        done = [r for r in state.recoveries if r.who == who and r.level is level]
        if done and person.health < level:
            play.event(f"{who} has recovered from {level}", "I70", "agrees", who)
            continue
        left = state.wound_links(who, level)
        if person.health is not level:
            play.illegal(
                "I70",
                f"{who} is {person.health}, not {level}",
                at=word,
                facts=tuple(play.because(h[0], str(h[1])) for h in person.history[-1:]),
                after=(f"health:{who}",),
            )
            continue
        names = listed(state.name_of(link.pair) for link in left)
        play.illegal(
            "I70",
            f"{who} is still {level}: a link '{level.label}' is left with {names}"
            if left
            else f"{who} recovers between sessions, when the pairs have rolled",
            at=word,
            facts=(play.because(left[0].since, "drawn here"),) if left else (),
            after=(f"health:{who}", *(pair_keys(link.pair)[0] for link in left)),
            fix=drop_item(str(word)),
            help="a pair roll with more green evens may erase one such link",
        )
        play.taint(f"health:{who}")
        set_health(play, person, Health(int(level) - 1), "I70", "as stated")
