"""Building the relationship map, and changing it by hand (I7 to I16, I55)."""

from __future__ import annotations

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import (
    SetKey,
    add_entry,
    drop_item,
    make_fix,
    replace_with,
    set_key,
    write_word,
)
from chronicle.core.kinds import Counted
from chronicle.core.names import Named, fold
from chronicle.core.source import Place, ScalarNode
from chronicle.games.isolation.actions import Erase, Green, MapDone, Red
from chronicle.games.isolation.dice import GREEN, RED, Colour
from chronicle.games.isolation.state import CHARACTER, Health, Link, PairKey, Person, Topic
from chronicle.games.isolation.table import (
    Table,
    add_link,
    change_loose,
    change_stress,
    doubt_pairs,
    erase_link,
    halves,
    pair_keys,
    pair_of,
    same_label,
    same_words,
)

UNLABELLED = ("unlabelled", "unlabeled", "-")


def _drawn(play: Table, action: Green | Red) -> None:
    """Links of one colour are drawn."""
    state = play.state
    colour = GREEN if isinstance(action, Green) else RED
    play.step.headline = f"{colour.value.capitalize()} links are drawn"
    building = not state.map_step or play.given
    if not building:
        _mid_session(play, action)
    for pair, labels in action.links.items():
        key = pair_of(play, pair)
        if key is None:
            continue
        drawn = 0
        for counted in labels:
            found = len(play.step.diagnostics)
            drawn += _draw_one(play, action, key, counted, colour, building)
            if len(play.step.diagnostics) > found:
                doubt_pairs(play, [key])
        if drawn:
            text = listed(
                f"{one.name} x{one.count}" if one.count > 1 else one.name for one in labels
            )
            play.event(
                f"{state.name_of(key)}: {plural(drawn, f'{colour} link')} ({text})",
                "I9" if building else "I55",
                f"{colour} link",
            )


green = red = _drawn


def _late_pairs(play: Table, action: Green | Red | Erase) -> bool:
    """Whether only pairs with somebody who joined late are concerned."""

    def late(word: ScalarNode) -> bool:
        found = play.names.find(word, (CHARACTER,))
        return isinstance(found, Named) and play.state.people[found.id].late

    return all(late(pair.one) or late(pair.other) for pair in action.links)


def _mid_session(play: Table, action: Green | Red | Erase) -> None:
    """I55 and I58: labelled links change at session ends, by wounds and by deaths."""
    state = play.state
    if _late_pairs(play, action):
        return
    conflict = state.conflict
    if conflict is not None and conflict.deaths:
        play.illegal(
            "I58",
            f"links of {listed(conflict.deaths)} are passed on unlabelled, not with new labels",
            help="the engine spreads them; what does not divide evenly:  - death: ... spread: ...",
            facts=(play.because(conflict.wounds_step, "died here"),),
        )
        return
    play.illegal(
        "I55",
        "labelled links change at the end of a session, when somebody is wounded or dies, "
        "not in between",
        facts=(play.because(state.map_step, "the map was finished here"),),
        help="at the end of the session:  - pair rolls: {One & Other: {green: ..., red: ...}}",
    )


def _draw_one(
    play: Table,
    action: Green | Red,
    key: PairKey,
    counted: Counted,
    colour: Colour,
    building: bool,
) -> int:
    label = str(counted.name).strip()
    at = place_of_word(action, counted.name)
    if label.casefold() in UNLABELLED:
        play.require(
            play.given or not building,
            "I16",
            "the links of the first map all have labels",
            at=at,
            help="write the reason: two descriptors, a bias or a goal",
        )
        sign = 1 if colour is GREEN else -1
        change_loose(play, key, sign * counted.count, "I16", "drawn by hand")
        return counted.count
    if not building or play.given:
        topic, owner, level = _given_topic(play, key, label)
        for _ in range(counted.count):
            add_link(play, key, colour, label, topic, "I56", place=at, owner=owner, level=level)
        return counted.count
    topic, owner = _topic(play, key, label, at, colour)
    count = counted.count
    if topic is Topic.DESCRIPTOR:
        count = _one_per_pairing(play, key, label, count, colour, at)
    if topic is Topic.BIAS and (label.casefold() == "bias" or _owner_named(play, label)):
        label = play.state.people[owner].bias
    if topic is Topic.GOAL:
        _goals(play, action, key, colour, at)
        label = "goal"
    for _ in range(count):
        add_link(play, key, colour, label, topic, _RULE[topic, colour], place=at, owner=owner)
    return count


_RULE = {
    (Topic.DESCRIPTOR, GREEN): "I9",
    (Topic.DESCRIPTOR, RED): "I9",
    (Topic.BIAS, GREEN): "I11",
    (Topic.BIAS, RED): "I10",
    (Topic.GOAL, GREEN): "I12",
    (Topic.GOAL, RED): "I13",
    (Topic.EVENT, GREEN): "I56",
    (Topic.EVENT, RED): "I56",
}


def _given_topic(play: Table, key: PairKey, label: str) -> tuple[Topic, str, Health]:
    """What a label is about where the rules of the first map do not hold."""
    for who in key:
        for level in (Health.INJURED, Health.DYING):
            if same_words(label, f"{who} {level.label}"):
                return Topic.WOUND, who, level
        person = play.state.people[who]
        if person.bias and same_words(label, person.bias):
            return Topic.BIAS, who, Health.HEALTHY
    if label.casefold() == "goal":
        return Topic.GOAL, "", Health.HEALTHY
    return (Topic.DESCRIPTOR if len(halves(label)) == 2 else Topic.EVENT), "", Health.HEALTHY


def _topic(play: Table, key: PairKey, label: str, at: Place, colour: Colour) -> tuple[Topic, str]:
    """What a label of the first map is about, and whose bias it is."""
    one, other = (play.state.people[who] for who in key)
    text = fold(label)
    if text == "goal" or any(p.goal and text == fold(p.goal) for p in (one, other)):
        return Topic.GOAL, ""
    holders = [p for p in (one, other) if p.bias and text == fold(p.bias)]
    owner = _owner_named(play, label)
    if owner in (one.id, other.id):
        holders = [one if owner == one.id else other]
    if text == "bias":
        return _the_bias(play, one, other, at)
    if len(holders) == 2 and colour is RED:
        # Each holder's bias may fall on the other; the first two count for the first holder.
        mine = [
            link
            for link in play.state.labelled(key, RED)
            if link.topic is Topic.BIAS and link.owner == one.id
        ]
        return Topic.BIAS, (one.id if len(mine) < 2 else other.id)
    if holders:
        return Topic.BIAS, holders[0].id
    parts = halves(label)
    if len(parts) == 2:
        _on_the_sheets(play, one, other, label, parts, at)
        return Topic.DESCRIPTOR, ""
    play.illegal(
        "I9",
        f"'{label}' is no link of the first map: no pair of descriptors, nobody's bias, no goal",
        at=at,
        help="write two descriptors as 'patient + vain', the words of a bias, or 'goal x3'",
    )
    return Topic.EVENT, ""


def _owner_named(play: Table, label: str) -> str:
    """Whose bias ``Irena's bias`` is; empty for any other label."""
    words = label.replace("’", "'").strip()
    if not words.casefold().endswith("'s bias"):
        return ""
    found = play.names.find(words[: -len("'s bias")], (CHARACTER,))
    return found.id if isinstance(found, Named) else ""


def _the_bias(play: Table, one: Person, other: Person, at: Place) -> tuple[Topic, str]:
    if one.bias and other.bias and not same_words(one.bias, other.bias):
        play.report(
            Finding.BOOKKEEPING,
            "I10",
            f"whose bias: {one.id}'s ({one.bias}) or {other.id}'s ({other.bias})?",
            at=at,
            fix=replace_with((f"{one.bias} x2", f"{other.bias} x2")),
        )
    return Topic.BIAS, one.id if one.bias else other.id


def _on_the_sheets(
    play: Table, one: Person, other: Person, label: str, parts: tuple[str, ...], at: Place
) -> None:
    """I9: one descriptor from each of the two sheets."""
    mine = {fold(d) for d in one.descriptors}
    theirs = {fold(d) for d in other.descriptors}
    a, b = parts
    if (a in mine and b in theirs) or (b in mine and a in theirs):
        return
    strange = [p for p in parts if p not in mine and p not in theirs]
    said = (
        f"nobody of {one.id} and {other.id} is '{strange[0]}'"
        if strange
        else f"'{label}' needs one descriptor from each of the two sheets"
    )
    play.illegal(
        "I9",
        said,
        at=at,
        after=(f"sheet:{one.id}", f"sheet:{other.id}"),
        facts=(
            play.because(one.step, f"{one.id}: {', '.join(one.descriptors) or 'no descriptors'}"),
            play.because(
                other.step, f"{other.id}: {', '.join(other.descriptors) or 'no descriptors'}"
            ),
        ),
    )


def _one_per_pairing(
    play: Table, key: PairKey, label: str, count: int, colour: Colour, at: Place
) -> int:
    """I9: one link for one pairing of descriptors."""
    same = [
        link
        for link in play.state.labelled(key)
        if link.topic is Topic.DESCRIPTOR and same_label(link.label, label)
    ]
    parts = set(halves(label))
    # Where both descriptors stand on both sheets, there are two pairings of them.
    twice = len(parts) > 1 and all(
        parts <= {fold(d) for d in play.state.people[who].descriptors} for who in key
    )
    play.require(
        count == 1 and (not same or twice),
        "I9",
        f"two descriptors make one link; '{label}' is "
        + ("there already" if same else "written twice"),
        at=at,
        facts=(play.because(same[0].since, "drawn here"),) if same else (),
        fix=drop_item(label),
        help=f"or write another pairing for the {colour} link",
    )
    return count


def _goals(play: Table, action: Green | Red, key: PairKey, colour: Colour, at: Place) -> None:
    """I12 and I13: goals that are truly the same, or diametrically opposed."""
    one, other = (play.state.people[who] for who in key)
    equal = bool(one.goal) and same_words(one.goal, other.goal)
    code = "I12" if colour is GREEN else "I13"
    wanted = "same" if colour is GREEN else "opposed"
    said = action.goals
    facts = (
        play.because(one.step, f"{one.id}: {one.goal or 'no Goal'}"),
        play.because(other.step, f"{other.id}: {other.goal or 'no Goal'}"),
    )
    need = (
        "truly the same for three green links"
        if colour is GREEN
        else "diametrically opposed for three red links"
    )
    if said is not None:
        play.require(
            said == wanted,
            code,
            f"the goals of {one.id} and {other.id} are {said}; they must be {need}",
            at=at,
            facts=facts,
        )
    elif colour is RED and equal:
        play.illegal(code, f"{one.id} and {other.id} have the same goal", at=at, facts=facts)
    elif not (colour is GREEN and equal):
        play.unknown(
            code,
            f"goals must be {need}; the record does not say whether those of {one.id} and "
            f"{other.id} are",
            at=at,
            facts=facts,
            fix=set_key("goals", wanted),
        )


# --- the map is finished --------------------------------------------------------------------------


def map_done(play: Table, action: MapDone) -> None:
    """The map is declared finished."""
    play.step.headline = "The relationship map is done"
    finish_map(play)


def finish_map(play: Table) -> None:
    """I5, I7, I10 to I13, I79: what can only be judged once the first map is complete."""
    state = play.state
    if state.map_step:
        return
    state.map_step = play.step.index
    play.event("the relationship map is finished", "I8", "map")
    _elements(play)
    if play.given:
        return
    for pair in state.pairs():
        found = len(play.step.diagnostics)
        _counts(play, pair)
        if len(play.step.diagnostics) > found:
            doubt_pairs(play, [pair])
    for person in state.people.values():
        if person.bias:
            _bias_in_play(play, person)
    bare = [pair for pair in state.pairs() if not state.labelled(pair)]
    play.suspect(
        bool(bare and state.links),
        "I7",
        f"no link between {listed(state.name_of(pair) for pair in bare)}",
        help="the map connects everybody with everybody, one way or the other",
    )
    without = [
        p.name
        for p in play.players
        if p.seat >= 0 and not any(x.player == p.name for x in state.people.values())
    ]
    play.suspect(bool(without), "I1", f"{listed(without)} has no character")


def _elements(play: Table) -> None:
    state = play.state
    if not state.scenario_step:
        play.illegal(
            "I79",
            "a scenario needs a place and a threat that keeps the cast there",
            fix=add_entry("scenario: ...\nthreat: ...\nstress: 2"),
            after=("dropped:scenario",),
        )
        play.taint("stress:")
    elif not state.people:
        play.illegal("I79", "a scenario needs a cast", fix=add_entry("character: ..."))
    if not state.stress_history and state.scenario_step:
        play.unknown(
            "I59",
            "the record does not say where the Stress Level starts; 1 is assumed",
            fix=make_fix(
                SetKey("stress", "1", play.place_of_entry(state.scenario_step)),
                when="if it started there",
            ),
            after=("stress:",),
        )
        play.taint("stress:")
    if not state.stress_history:
        change_stress(play, 1, "I59", "start", "assumed")


def _counts(play: Table, pair: PairKey) -> None:
    state = play.state
    one, other = (state.people[who] for who in pair)
    goals: dict[Colour, list[Link]] = {}
    biases: dict[tuple[Colour, str], list[Link]] = {}
    for link in state.labelled(pair):
        if link.topic is Topic.GOAL:
            goals.setdefault(link.colour, []).append(link)
        elif link.topic is Topic.BIAS:
            biases.setdefault((link.colour, link.owner), []).append(link)
    for colour, links in goals.items():
        play.require(
            len(links) == 3,
            "I12" if colour is GREEN else "I13",
            f"{state.name_of(pair)}: a goal makes three {colour} links, not {len(links)}",
            at=links[0].place,
            after=pair_keys(pair),
            fix=write_word("goal x3"),
        )
    if play.ruling("mutual_bias") == "two" and len({o for c, o in biases if c is RED}) == 2:
        links = [link for (c, _), found in biases.items() if c is RED for link in found]
        play.require(
            len(links) == 2,
            "I10",
            f"{state.name_of(pair)}: a bias in both directions makes two links together by the "
            f"reading of this table, not {len(links)}",
            at=links[0].place,
        )
        biases = {key: found for key, found in biases.items() if key[0] is not RED}
    for (colour, owner), links in biases.items():
        rule = "I10" if colour is RED else "I11"
        play.require(
            len(links) == 2,
            rule,
            f"{state.name_of(pair)}: {owner}'s bias makes two {colour} links, not {len(links)}",
            at=links[0].place,
            after=pair_keys(pair),
            fix=write_word(f"{links[0].label} x2"),
        )
        if colour is GREEN:
            play.require(
                getattr(play.campaign.settings, "shared_bias", "may") != "never",
                "I11",
                f"{state.name_of(pair)}: this table draws no links for a shared bias",
                at=links[0].place,
            )
        elif same_words(one.bias, other.bias):
            play.suspect(
                True,
                "I11",
                f"{one.id} and {other.id} share the bias '{links[0].label}' and get red links; "
                "birds of a feather get green ones",
                at=links[0].place,
            )
    if (
        getattr(play.campaign.settings, "shared_bias", "may") == "always"
        and one.bias
        and same_words(one.bias, other.bias)
        and not any(colour is GREEN for colour, _ in biases)
    ):
        play.illegal(
            "I11",
            f"{state.name_of(pair)} share a bias; this table draws two green links for that",
            at=one.bias_place,
            fix=add_entry(f"green: {{{state.name_of(pair)}: [{one.bias} x2]}}"),
        )


def _bias_in_play(play: Table, person: Person) -> None:
    """I5: a bias that draws no link with anybody has no object in this cast."""
    drawn = any(
        link.topic is Topic.BIAS
        and person.id in link.pair
        and (link.owner == person.id or same_words(link.label, person.bias))
        for link in play.state.links
    )
    play.require(
        drawn or not play.state.links,
        "I5",
        f"nobody in the cast falls under {person.id}'s bias: {person.bias}",
        at=person.bias_place,
        help="choose a bias that can come up, or draw its links",
    )


# --- by hand --------------------------------------------------------------------------------------


def erase(play: Table, action: Erase) -> None:
    """Labelled links are taken off the map by hand."""
    state = play.state
    play.step.headline = "Links are erased"
    if state.map_step and not play.given:
        _mid_session(play, action)
    for pair, labels in action.links.items():
        key = pair_of(play, pair)
        if key is None:
            continue
        for counted in labels:
            for _ in range(counted.count):
                link = find_link(play, key, str(counted.name))
                if link is None:
                    between = listed(f"{one.label} ({one.colour})" for one in state.labelled(key))
                    play.report(
                        Finding.BOOKKEEPING,
                        "I55",
                        f"{state.name_of(key)} have no link '{counted.name}'",
                        at=counted.name,
                        fix=replace_with(one.label for one in state.labelled(key)),
                        help=() if between else "labels between them: none",
                    )
                    break
                erase_link(play, link, "I55")
                play.event(f"{state.name_of(key)}: '{link.label}' is erased", "I55", "erased")


def find_link(play: Table, pair: PairKey, label: str, colour: Colour | None = None) -> Link | None:
    """The labelled link of a pair that a label means: the whole label, then one half of it."""
    links = play.state.labelled(pair, colour)
    text = fold(label)
    for link in links:
        if same_label(link.label, label):
            return link
    for link in links:
        if link.topic is Topic.BIAS and (text == "bias" or _owner_named(play, label) == link.owner):
            return link
    part = [link for link in links if text in halves(link.label)]
    words = [link for link in links if text and text in fold(link.label)]
    for found in (part, words):
        if len({fold(link.label) for link in found}) == 1:
            return found[0]
    return None
