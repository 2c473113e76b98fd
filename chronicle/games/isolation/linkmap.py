"""Building the relationship map, and changing it by hand (I7 to I16, I55)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import choice, in_role
from chronicle.core.figures import with_times
from chronicle.core.fix import (
    BLANK,
    RemoveEntry,
    RemoveItem,
    RemoveKey,
    SetKey,
    add_entry,
    make_fix,
    replace_with,
    set_key,
    write_word,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.law import TABLE, Decider, Role
from chronicle.core.names import Named, fold
from chronicle.core.play_field_types import PAIR
from chronicle.core.sentences import Sentence
from chronicle.core.source import ScalarNode, place_of
from chronicle.games.isolation.dice import GREEN, RED, Colour
from chronicle.games.isolation.harm import WaitsForWounds
from chronicle.games.isolation.people import (
    MEANS_CHARACTER,
    find_pair,
    gm,
    has_or_have,
    paired_with_themselves,
)
from chronicle.games.isolation.phases import WHILE_RUNNING
from chronicle.games.isolation.ratings import MapToReasons
from chronicle.games.isolation.setup import without_character
from chronicle.games.isolation.state import CHARACTER, Health, Link, PairKey, Person, Topic
from chronicle.games.isolation.table import (
    Table,
    add_link,
    change_loose,
    change_stress,
    erase_link,
    halves,
    labels_known,
    pair_keys,
    same_label,
    same_words,
)

RULES = """
# The relationship map
I7 Links [checked]
  A link connects exactly two characters. A green link is a reason to like, a red link a reason to hate. A pair can
  have many links. Chronicle refuses a link of a character with itself, and points out a pair without any link.
I8 When the map is built [checked]
  The map is built right after the characters, by the GM or by a group that gets on well. No conflict is rolled before
  the map exists. A campaign can name its builder.
I9 Compatible and incompatible descriptors [checked; V4]
  Two compatible descriptors make one green link, two incompatible ones make one red link. Its label is both words,
  Positive or Negative. Both words must be on the two sheets, and the same two words count once.
I10 Links from a Bias [checked; V5]
  A character who falls under another character's Bias shares two links with that character. The Bias is their label.
  The links are usually red.
I11 A shared Bias [checked]
  Two characters with the same Bias, or nearly the same, can get two green links for it. They never get red links for
  it, and never another number.
I12 The same Goal [checked; V6]
  Two Goals that are truly the same make three green links. Similar Goals make none.
I13 Opposed Goals [checked; V7]
  Two Goals that exclude each other make three red links. Goals that only differ make none. The log can say how the
  Goals relate.
I16 First links have labels [checked; V8]
  All links of the first map have labels. Unlabelled links come from results and deaths.
"""

READINGS = """
IA42 mutual_bias: Two characters fall under each other's Bias. How many links is that?
  - four: two links for each Bias, four together
  - two: two links together
  because the rule speaks of each character who falls under it (I10)
IA43 shared_goal: More than two characters share a Goal. How many links is that?
  - pairwise: three links for each pair
  because links connect pairs (I12, I13)
"""

TERMS = """\
Link, Green, Red [I7]: A connection between two characters: green is a reason to like, red a reason to hate. A pair
    can have many.
Unlabelled [I16]: A link that comes from a recent event: a result, or a death.
Map [I8]: All links between all characters.
"""

UNLABELLED = ("unlabelled", "unlabeled", "-")
LINKS_OF_A_BIAS, LINKS_OF_A_GOAL = 2, 3
_MOST_NAMED = 3
"""How many pairs a sentence names."""
_RULES: Mapping[tuple[Topic, Colour], str] = {
    (Topic.DESCRIPTOR, GREEN): "I9",
    (Topic.DESCRIPTOR, RED): "I9",
    (Topic.BIAS, GREEN): "I11",
    (Topic.BIAS, RED): "I10",
    (Topic.GOAL, GREEN): "I12",
    (Topic.GOAL, RED): "I13",
}

ROLES: Mapping[str, Role] = {"named": Role("a character", "", (), MEANS_CHARACTER)}

# --- who, and when --------------------------------------------------------------------------------


def _map_makers(play: Table, action: Action) -> Sequence[str]:
    is_the_gms = getattr(play.campaign.settings, "map_built_by", "anybody") == "gm"
    return gm(play, action) if is_the_gms else ()


_MAP_MAKER = Decider(
    "the GM, or the table where the map is built together",
    _map_makers,
    "{by} draws links; at this table the GM builds the map",
    acts_by_default=False,
)
ACTORS: Mapping[str, Decider] = {
    "map maker": _MAP_MAKER,
    "map finisher": _MAP_MAKER._replace(
        message="{by} finishes the map; at this table the GM builds the map",
        acts_by_default=True,
        default=gm,
    ),
    "table": TABLE,
}


def is_unmapped(play: Table, id: str) -> bool:
    """I14: whether a character has joined late, and the links with the others are still being drawn."""
    person = play.state.people.get(id)
    return person is not None and person.late and not person.mapped


def is_building(play: Table, pair: PairKey) -> bool:
    """Whether links of a pair can be drawn: before the first map is finished, above ``play starts:``, or with a
    character who has just joined."""
    is_open = not play.state.map_step or play.given
    return is_open or any(is_unmapped(play, id) for id in pair)


def is_judged(play: Table) -> bool:
    """Whether labels are compared with the sheets: not above ``play starts:``, and not in a log that begins in
    mid-play, where sheets can be incomplete."""
    return not play.given and not play.state.given


def changed_by_hand(play: Table, pairs: Collection[PairKey]) -> Violation | None:
    """I55, I58: labelled links change at the end of a session, by wounds and by deaths."""
    state = play.state
    if not pairs or all(is_building(play, pair) for pair in pairs):
        return None
    conflict = state.conflict
    if conflict is not None and conflict.deaths:
        return Violation(
            f"links of {listed(conflict.deaths)} are passed on unlabelled, not with new labels",
            rule="I58",
            help="the engine spreads them; what does not divide evenly:  - death: ... spread: ...",
            facts=[play.because(conflict.wounds_step, "died here")],
        )
    return Violation(
        "labelled links change at the end of a session, when a character is wounded or dies, "
        "not in between",
        facts=[play.because(state.map_step, "the map was finished here")],
        help="at the end of the session:  - pair rolls: {One & Other: {green: ..., red: ...}}",
    )


# --- labels ---------------------------------------------------------------------------------------


class DrawnLink(NamedTuple):
    """A label of an entry that draws links, and its meaning.

    Attributes:
        pair: the two characters.
        word: the label as typed.
        label: the label as the map keeps it.
        times: how many links have it.
        topic: what it is about; None for links without a label.
        owner: whose bias or whose wound it is.
        level: the level of a wound.
        twin: the entry that drew the same pairing before; 0 if there is none, or it is in this entry.
        is_twice: whether two descriptors make more than one link.
        doubtful: the two holders, if the label does not say whose bias it is.
    """

    pair: PairKey
    word: ScalarNode
    label: str
    times: int
    topic: Topic | None
    owner: str = ""
    level: Health = Health.HEALTHY
    twin: int = 0
    is_twice: bool = False
    doubtful: tuple[Person, ...] = ()


def owner_named(play: Table, text: str) -> str:
    """Whose bias ``Irena's bias`` is; empty for any other label."""
    words = text.replace("’", "'").strip()
    if not words.casefold().endswith("'s bias"):
        return ""
    named = play.names.find(words[: -len("'s bias")], (CHARACTER,))
    return named.id if isinstance(named, Named) else ""


def _given_topic(play: Table, pair: PairKey, text: str) -> tuple[Topic, str, Health]:
    """The topic of a label that is not compared with the sheets, with its owner and level."""
    for id in pair:
        for level in (Health.INJURED, Health.DYING):
            if same_words(text, f"{id} {level.label}"):
                return Topic.WOUND, id, level
        person = play.state.people[id]
        if person.bias and same_words(text, person.bias):
            return Topic.BIAS, id, Health.HEALTHY
    if text.casefold() == "goal":
        return Topic.GOAL, "", Health.HEALTHY
    return (Topic.DESCRIPTOR if len(halves(text)) == 2 else Topic.EVENT), "", Health.HEALTHY


class _Links(WaitsForWounds):
    """Links between two people on the map."""

    colour = GREEN
    before_deaths_only = True
    decides = Decides("map maker", "I8")
    moment = WHILE_RUNNING
    links = main(
        MapToReasons(in_role("named", PAIR), "the label is missing for {}"),
        "{one & other: labels}, x2 for two alike",
    )
    goals = option(
        choice("same", "opposed", "similar", "different"),
        "how the Goals relate, for links about Goals",
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state, colour = play.state, cls.colour
        if colour is RED:
            for person in state.people.values():
                if person.bias and not has_links_of_bias(play, person):
                    yield from ({"red": links} for links in bias_links(play, person))
        pairs = [pair for pair in state.pairs(state.playing()) if is_building(play, pair)]
        bare = [pair for pair in pairs if not state.labelled(pair)]
        for pair in bare or pairs:
            first, second = (state.people[id] for id in pair)
            drawn = {halves(link.label) for link in state.labelled(pair)}
            for text in pairings(first, second, colour):
                if halves(text) not in drawn:
                    yield {cls.verb: {state.name_of(pair): [text]}}

    def sentence(self, play: Table) -> Sentence:
        names = [
            play.state.name_of(pair)
            for typed in self.links
            if (pair := find_pair(play, typed)) is not None
        ]
        if len(names) > _MOST_NAMED:
            return (f"New {self.colour} links in {len(names)} pairs.",)
        return (f"New {self.colour} links: {listed(names) or 'none'}.",)

    # The links as the entry draws them.

    def pairs(self, play: Table) -> list[PairKey]:
        """The pairs that it draws links for."""
        pairs = [find_pair(play, typed) for typed in self.links]
        return [pair for pair in pairs if pair is not None]

    def drawn(self, play: Table) -> list[DrawnLink]:
        """The meaning of each of its labels, in order: a label can depend on those before it."""
        drawn: list[DrawnLink] = []
        for typed, labels in self.links.items():
            pair = find_pair(play, typed)
            for counted in labels if pair is not None else ():
                assert pair is not None
                drawn.append(self._drawn_link(play, pair, counted.name, counted.count, drawn))
        return drawn

    def _drawn_link(
        self,
        play: Table,
        pair: PairKey,
        word: ScalarNode,
        count: int,
        earlier: Sequence[DrawnLink],
    ) -> DrawnLink:
        text = str(word).strip()
        if text.casefold() in UNLABELLED:
            return DrawnLink(pair, word, text, count, None)
        if not is_building(play, pair) or not is_judged(play):
            topic, owner, level = _given_topic(play, pair, text)
            return DrawnLink(pair, word, text, count, topic, owner, level)
        topic, owner, doubtful = self._topic(play, pair, text, earlier)
        link = DrawnLink(pair, word, text, count, topic, owner, doubtful=doubtful)
        if topic is Topic.BIAS and (text.casefold() == "bias" or owner_named(play, text)):
            return link._replace(label=play.state.people[owner].bias)
        if topic is Topic.GOAL:
            return link._replace(label="goal")
        if topic is Topic.DESCRIPTOR:
            return self._compare_pairing(play, link, earlier)
        return link

    def _topic(
        self, play: Table, pair: PairKey, text: str, earlier: Sequence[DrawnLink]
    ) -> tuple[Topic, str, tuple[Person, ...]]:
        """The topic of a label of the first map, the owner of a bias, and its possible owners."""
        first, second = (play.state.people[id] for id in pair)
        words = fold(text)
        if words == "goal" or any(p.goal and words == fold(p.goal) for p in (first, second)):
            return Topic.GOAL, "", ()
        holders = [
            person for person in (first, second) if person.bias and words == fold(person.bias)
        ]
        owner = owner_named(play, text)
        if owner in pair:
            holders = [first if owner == first.id else second]
        if words == "bias":
            is_open = first.bias and second.bias and not same_words(first.bias, second.bias)
            doubtful = (first, second) if is_open else ()
            return Topic.BIAS, first.id if first.bias else second.id, doubtful
        if len(holders) == 2 and self.colour is RED:
            # Each holder's bias may fall on the other; the first two count for the first holder.
            biases = [
                link
                for link in play.state.labelled(pair, RED)
                if link.topic is Topic.BIAS and link.owner == first.id
            ]
            count = len(biases) + sum(
                link.times
                for link in earlier
                if link.pair == pair and link.topic is Topic.BIAS and link.owner == first.id
            )
            return Topic.BIAS, (first.id if count < LINKS_OF_A_BIAS else second.id), ()
        if holders:
            return Topic.BIAS, holders[0].id, ()
        return (Topic.DESCRIPTOR if len(halves(text)) == 2 else Topic.EVENT), "", ()

    def _compare_pairing(
        self, play: Table, link: DrawnLink, earlier: Sequence[DrawnLink]
    ) -> DrawnLink:
        """I9: whether two descriptors make more than one link."""
        on_map = [
            drawn.since
            for drawn in play.state.labelled(link.pair)
            if drawn.topic is Topic.DESCRIPTOR and same_label(drawn.label, link.label)
        ]
        on_entry = [
            drawn
            for drawn in earlier
            if drawn.pair == link.pair
            and drawn.topic is Topic.DESCRIPTOR
            and same_label(drawn.label, link.label)
        ]
        parts = set(halves(link.label))
        # Where both descriptors are on both sheets, there are two pairings of them.
        sheets = [
            {fold(descriptor) for descriptor in play.state.people[id].descriptors}
            for id in link.pair
        ]
        pairings = 2 if len(parts) > 1 and all(parts <= sheet for sheet in sheets) else 1
        is_twice = link.times > 1 or len(on_map) + len(on_entry) + 1 > pairings
        return link._replace(is_twice=is_twice, twin=on_map[0] if on_map else 0)

    def judged(self, play: Table) -> Iterator[DrawnLink]:
        """The links of the first map, which are compared with the sheets."""
        for link in self.drawn(play) if is_judged(play) else ():
            if link.topic is not None and is_building(play, link.pair):
                yield link

    # Guards.

    @guard("I7")
    def between_two(self, play: Table) -> Iterator[Violation]:
        return paired_with_themselves(play, self.links)

    @guard("I55")
    def in_time(self, play: Table) -> Violation | None:
        return changed_by_hand(play, self.pairs(play))

    @guard("I16", help="write the reason: two descriptors, a bias or a goal")
    def first_links_have_labels(self, play: Table) -> Iterator[Violation]:
        for link in self.drawn(play) if not play.given else ():
            if link.topic is None and is_building(play, link.pair):
                yield Violation(
                    "the links of the first map all have labels",
                    link.word,
                    doubts=pair_keys(link.pair),
                )

    @guard("I9")
    def label_is_a_reason(self, play: Table) -> Iterator[Violation]:
        for link in self.judged(play):
            whose = _biased(play, link.label) if link.topic is Topic.EVENT else []
            if whose:
                first, second = link.pair
                yield Violation(
                    f"neither {first} nor {second} has the bias '{link.label}', "
                    f"only {listed(whose)}",
                    link.word,
                    rule="I10",
                    facts=[
                        play.because(play.state.people[id].step, f"{id}'s bias") for id in whose
                    ],
                    doubts=pair_keys(link.pair),
                )
            elif link.topic is Topic.EVENT:
                yield Violation(
                    f"'{link.label}' is no link of the first map: no pair of descriptors, "
                    "no bias, no goal",
                    link.word,
                    help="write two descriptors as 'patient + vain', the words of a bias, or "
                    "'goal x3'",
                    doubts=pair_keys(link.pair),
                )

    @guard("I10", DiagnosticKind.BOOKKEEPING)
    def says_whose_bias(self, play: Table) -> Iterator[Violation]:
        for link in self.judged(play):
            if link.doubtful:
                first, second = link.doubtful
                yield Violation(
                    f"whose bias is it: {first.id}'s ({first.bias}) or {second.id}'s ({second.bias})?",
                    link.word,
                    replace_with((f"{first.bias} x2", f"{second.bias} x2")),
                    doubts=pair_keys(link.pair),
                )

    @guard("I9")
    def descriptors_are_on_the_sheets(self, play: Table) -> Iterator[Violation]:
        for link in self.judged(play):
            if link.topic is Topic.DESCRIPTOR:
                message = _missing_on_sheets(play, link)
                if message:
                    people = [play.state.people[id] for id in link.pair]
                    yield Violation(
                        message,
                        link.word,
                        after=[f"sheet:{person.id}" for person in people],
                        since=min(person.step for person in people) if play.gap else None,
                        facts=[
                            play.because(
                                person.step,
                                f"{person.id}: {', '.join(person.descriptors) or 'no descriptors'}",
                            )
                            for person in people
                        ],
                        doubts=pair_keys(link.pair),
                    )

    @guard("I9")
    def two_descriptors_make_one_link(self, play: Table) -> Iterator[Violation]:
        for link in self.judged(play):
            if link.is_twice:
                where = "there already" if link.twin else "written twice"
                yield Violation(
                    f"two descriptors make one link; '{link.label}' is {where}",
                    link.word,
                    make_fix(RemoveItem(link.label, place_of(link.word, self.path))),
                    help=f"or write another pairing for the {self.colour} link",
                    facts=play.facts(link.twin, "drawn here") if link.twin else (),
                    doubts=pair_keys(link.pair),
                )

    @guard("I12")
    def goals_are_as_they_must_be(self, play: Table) -> Iterator[Violation]:
        for link in self.judged(play):
            if link.topic is Topic.GOAL:
                violation = self._compare_goals(play, link)
                if violation is not None:
                    yield violation._replace(at=link.word, doubts=pair_keys(link.pair))

    @guard("I13")
    def goals_are_the_same_or_opposed(self, play: Table) -> Iterator[Violation]:
        for pair in dict.fromkeys(
            link.pair for link in self.judged(play) if link.topic is Topic.GOAL
        ):
            twins = [
                link
                for link in play.state.labelled(pair)
                if link.topic is Topic.GOAL and link.colour is not self.colour
            ]
            if twins:
                first, second = pair
                was, cannot = (
                    ("opposed", "the same") if self.colour is GREEN else ("the same", "opposed")
                )
                yield Violation(
                    f"the goals of {first} and {second} are {was}; they cannot be {cannot} as well",
                    next(
                        link.word
                        for link in self.judged(play)
                        if link.pair == pair and link.topic is Topic.GOAL
                    ),
                    rule="I12" if self.colour is GREEN else "I13",
                    facts=[
                        play.because(twins[0].since, f"{twins[0].colour} links for their goals")
                    ],
                    doubts=pair_keys(pair),
                )

    def _compare_goals(self, play: Table, link: DrawnLink) -> Violation | None:
        """I12, I13: goals that are truly the same, or diametrically opposed."""
        first, second = (play.state.people[id] for id in link.pair)
        is_same = bool(first.goal) and same_words(first.goal, second.goal)
        is_green = self.colour is GREEN
        rule, due = ("I12", "same") if is_green else ("I13", "opposed")
        facts = [
            play.because(person.step, f"{person.id}: {person.goal or 'no Goal'}")
            for person in (first, second)
        ]
        need = (
            "truly the same for three green links"
            if is_green
            else "diametrically opposed for three red links"
        )
        both = f"{first.id} and {second.id}"
        if self.goals is not None:
            if self.goals == due:
                return None
            message = f"the goals of {both} are {self.goals}; they must be {need}"
            return Violation(message, rule=rule, facts=facts)
        if is_same:
            return (
                None
                if is_green
                else Violation(f"{both} have the same goal", rule=rule, facts=facts)
            )
        return Violation(
            f"goals must be {need}; the record does not say whether those of {both} are",
            rule=rule,
            kind=DiagnosticKind.UNKNOWN,
            facts=facts,
            fix=set_key("goals", due, when="if they are"),
        )

    @guard("I12", DiagnosticKind.BOOKKEEPING, at="goals", fix=RemoveKey("goals"))
    def goals_belong_to_goal_links(self, play: Table) -> str | None:
        topics = {link.topic for link in self.drawn(play)}
        if self.goals is None or not topics or Topic.GOAL in topics or not is_judged(play):
            return None
        return "no link of this entry is about goals"

    def apply(self, play: Table) -> None:
        self.settle_harm(play)
        state, drawn = play.state, self.drawn(play)
        for pair in dict.fromkeys(link.pair for link in drawn):
            own = [link for link in drawn if link.pair == pair]
            is_first_map = is_building(play, pair)
            for link in own:
                self._draw(play, link)
            count = sum(link.times for link in own)
            text = listed(with_times(str(link.word), link.times) for link in own)
            play.event(
                f"{state.name_of(pair)}: {plural(count, f'{self.colour} link')}, {text}",
                "I9" if is_first_map else "I55",
                f"{self.colour} link",
            )

    def _draw(self, play: Table, link: DrawnLink) -> None:
        if link.topic is None:
            sign = 1 if self.colour is GREEN else -1
            change_loose(play, link.pair, sign * link.times, "I16", "drawn by hand")
            return
        if link.topic is Topic.WOUND and any(
            link.pair == drawn.pair for drawn in play.state.wound_links(link.owner, link.level)
        ):
            # A snapshot has told of the wound, which draws its links.
            return
        is_first_map = is_judged(play) and is_building(play, link.pair)
        for _ in range(link.times):
            add_link(
                play,
                link.pair,
                self.colour,
                link.label,
                link.topic,
                _RULES.get((link.topic, self.colour), "I56") if is_first_map else "I56",
                place=place_of(link.word, self.path),
                owner=link.owner,
                level=link.level,
            )


def _biased(play: Table, text: str) -> list[str]:
    """I10: the characters who have a bias of these words."""
    return [
        person.id
        for person in play.state.people.values()
        if person.bias and same_words(person.bias, text)
    ]


def _missing_on_sheets(play: Table, link: DrawnLink) -> str:
    """I9: how a pairing of descriptors differs from the two sheets; empty if it does not."""
    first, second = (play.state.people[id] for id in link.pair)
    own, foreign = ({fold(d) for d in person.descriptors} for person in (first, second))
    first_word, second_word = halves(link.label)
    if (first_word in own and second_word in foreign) or (
        second_word in own and first_word in foreign
    ):
        return ""
    strange = [
        part for part in (first_word, second_word) if part not in own and part not in foreign
    ]
    if strange:
        return f"neither {first.id} nor {second.id} is '{strange[0]}'"
    return f"'{link.label}' needs one descriptor from each of the two sheets"


class Green(_Links):
    """Draw green links, which are reasons to like."""

    verb = "green"
    colour = GREEN
    synonyms = ("link", "like", "love")
    offered = Offered("I9", "draw a reason to like")
    example = "green: {Ruth & Basil: [patient + scatterbrained], Ruth & Dagny: [goal x3]}"


class Red(_Links):
    """Draw red links, which are reasons to hate."""

    verb = "red"
    colour = RED
    synonyms = ("hate", "dislike")
    offered = Offered("I9", "draw a reason to hate")
    example = "red: {Ruth & Cormac: [blunt + touchy, looks down on soldiers x2]}"


def pairings(first: Person, second: Person, colour: Colour) -> list[str]:
    """Labels of two descriptors, likely labels first: Positive Descriptors make green links most often, Negative
    ones red links."""
    unlikely = {*first.minus, *second.minus} if colour is GREEN else {*first.plus, *second.plus}
    both = [*product(first.descriptors, second.descriptors)]
    both.sort(key=lambda pairing: len(unlikely.intersection(pairing)))
    return [" + ".join(pairing) for pairing in both]


def has_links_of_bias(play: Table, person: Person) -> bool:
    """I5: whether a bias draws a link with another character."""
    return any(
        link.topic is Topic.BIAS
        and person.id in link.pair
        and (link.owner == person.id or same_words(link.label, person.bias))
        for link in play.state.links
    )


def bias_links(play: Table, person: Person) -> Iterator[Mapping[str, Any]]:
    """Red links for the bias of a character, with each who can fall under it. If a table reads that a mutual bias
    makes two links together, links for both biases, where the other bias has none yet."""
    state = play.state
    together = play.rulings["mutual_bias"] == "two"
    biased = {link.pair for link in state.links if link.topic is Topic.BIAS}
    for id, partner in state.people.items():
        if id == person.id or (together and state.pair(person.id, id) in biased):
            continue
        name = f"{person.id} & {id}"
        if together and partner.bias and not has_links_of_bias(play, partner):
            yield {name: [person.bias, partner.bias]}
        else:
            yield {name: [f"{person.bias} x2"]}


# --- the map is finished --------------------------------------------------------------------------


def unjudged_pairs(play: Table) -> list[PairKey]:
    """The pairs whose links are judged when the map is finished now."""
    state = play.state
    if play.given:
        return []
    return [
        pair
        for pair in state.pairs()
        if not state.map_step or any(is_unmapped(play, id) for id in pair)
    ]


def _links_by_topic(
    play: Table, pair: PairKey, topic: Topic
) -> dict[tuple[Colour, str], list[Link]]:
    """The labelled links of a pair that are about goals, or a bias, by colour and owner."""
    links: dict[tuple[Colour, str], list[Link]] = {}
    for link in play.state.labelled(pair):
        if link.topic is topic:
            links.setdefault((link.colour, link.owner), []).append(link)
    return links


def _share_a_goal(play: Table, first: str, second: str) -> list[str]:
    """I12: the characters who have the same goal as both, by their green links."""
    state = play.state

    def partners(id: str) -> set[str]:
        return {
            second
            for second in state.people
            for link in state.labelled(state.pair(id, second), GREEN)
            if link.topic is Topic.GOAL
        }

    both = partners(first) & partners(second)
    return [id for id in state.people if id in both]


class FinishesMap(WaitsForWounds):
    """An entry that finishes the map: some rules can only be judged once it is complete."""

    @guard("I79")
    def elements_are_there(self, play: Table) -> Violation | None:
        state = play.state
        if state.map_step:
            return None
        if not state.scenario_step:
            return Violation(
                "a scenario needs a place and a threat that keeps the cast there",
                fix=add_entry(f"scenario: {BLANK}\nthreat: {BLANK}\nstress: 2"),
                since=play.before_gap("", 0),
                after=["dropped:scenario"],
                doubts=["stress:"],
            )
        if not state.people:
            fix = add_entry(f"character: {BLANK}")
            return Violation("a scenario needs a cast", fix=fix, since=play.before_gap("", 0))
        return None

    @guard("I59", DiagnosticKind.UNKNOWN)
    def stress_is_known(self, play: Table) -> Violation | None:
        state = play.state
        if state.map_step or state.stress_history or not state.scenario_step:
            return None
        return Violation(
            "the record does not say where the Stress Level starts; 1 is assumed",
            fix=make_fix(
                SetKey("stress", "1", play.place_of_entry(state.scenario_step)),
                when="if it started there",
            ),
            after=["stress:"],
            doubts=["stress:"],
        )

    @guard("I12")
    def goals_make_three_links(self, play: Table) -> Iterator[Violation]:
        for pair in unjudged_pairs(play):
            for (colour, _), links in _links_by_topic(play, pair, Topic.GOAL).items():
                if len(links) != LINKS_OF_A_GOAL:
                    yield Violation(
                        f"{play.state.name_of(pair)}: a goal makes three {colour} links, "
                        f"not {len(links)}",
                        links[0].place,
                        write_word(f"goal x{LINKS_OF_A_GOAL}"),
                        since=play.before_gap("", 0),
                        rule="I12" if colour is GREEN else "I13",
                        after=pair_keys(pair),
                        doubts=pair_keys(pair),
                    )

    @question("I13")
    def same_goals_have_the_same_opponents(self, play: Table) -> Iterator[Violation]:
        for pair in unjudged_pairs(play):
            goals = _links_by_topic(play, pair, Topic.GOAL)
            reds = goals.get((RED, ""), [])
            between = _share_a_goal(play, *pair) if reds and (GREEN, "") not in goals else []
            if between:
                first, second = pair
                yield Violation(
                    f"{first} and {second} have opposed goals, and both share a goal with "
                    f"{listed(between)}",
                    reds[0].place,
                    since=play.before_gap("", 0),
                    doubts=pair_keys(pair),
                )

    @guard("I10")
    def bias_makes_two_links(self, play: Table) -> Iterator[Violation]:
        for pair in unjudged_pairs(play):
            name, biases = play.state.name_of(pair), _links_by_topic(play, pair, Topic.BIAS)
            if _is_mutual(play, biases):
                links = [
                    link for (colour, _), own in biases.items() if colour is RED for link in own
                ]
                if len(links) != LINKS_OF_A_BIAS:
                    yield Violation(
                        f"{name}: a bias in both directions makes two links together by the "
                        f"reading of this table, not {len(links)}",
                        links[0].place,
                        since=play.before_gap("", 0),
                        doubts=pair_keys(pair),
                    )
                biases = {key: own for key, own in biases.items() if key[0] is GREEN}
            for (colour, owner), links in biases.items():
                if len(links) != LINKS_OF_A_BIAS:
                    label = f"{links[0].label} x{LINKS_OF_A_BIAS}"
                    is_one_word = all(link.place == links[0].place for link in links)
                    yield Violation(
                        f"{name}: {owner}'s bias makes two {colour} links, not {len(links)}",
                        links[0].place,
                        write_word(label) if is_one_word else (),
                        help="" if is_one_word else f"write '{label}' once for this pair",
                        since=play.before_gap("", 0),
                        rule="I10" if colour is RED else "I11",
                        after=pair_keys(pair),
                        doubts=pair_keys(pair),
                    )

    @guard("I11")
    def shared_bias_is_drawn_as_agreed(self, play: Table) -> Iterator[Violation]:
        agreed = getattr(play.campaign.settings, "shared_bias", "may")
        for pair in unjudged_pairs(play):
            name, biases = play.state.name_of(pair), _links_by_topic(play, pair, Topic.BIAS)
            greens = [
                link for (colour, _), own in biases.items() if colour is GREEN for link in own
            ]
            first, second = (play.state.people[id] for id in pair)
            is_shared = bool(first.bias) and same_words(first.bias, second.bias)
            if greens and agreed == "never":
                yield Violation(
                    f"{name}: this table draws no links for a shared bias",
                    greens[0].place,
                    doubts=pair_keys(pair),
                )
            elif not greens and is_shared and agreed == "always":
                yield Violation(
                    f"{name} share a bias; this table draws two green links for that",
                    first.bias_place,
                    add_entry(f"green: {{{name}: [{first.bias} x2]}}"),
                    since=play.before_gap("", 0),
                    doubts=pair_keys(pair),
                )

    @question("I11")
    def shared_bias_is_green(self, play: Table) -> Iterator[Violation]:
        for pair in unjudged_pairs(play):
            first, second = (play.state.people[id] for id in pair)
            biases = _links_by_topic(play, pair, Topic.BIAS)
            reds = [own for (colour, _), own in biases.items() if colour is RED]
            if reds and same_words(first.bias, second.bias) and not _is_mutual(play, biases):
                yield Violation(
                    f"{first.id} and {second.id} share the bias '{reds[0][0].label}' and get red "
                    "links; a shared bias makes green links",
                    reds[0][0].place,
                    doubts=pair_keys(pair),
                )

    @guard("I5", help="choose a bias that can come up, or draw its links")
    def each_bias_matters(self, play: Table) -> Iterator[Violation]:
        state = play.state
        if play.given or not state.links:
            return
        for person in state.people.values():
            is_new = not state.map_step or is_unmapped(play, person.id)
            if is_new and person.bias and not has_links_of_bias(play, person):
                yield Violation(
                    f"no character falls under {person.id}'s bias: {person.bias}",
                    person.bias_place,
                    since=play.before_gap("", 0),
                )

    @question("I7", help="draw at least one link between each two characters")
    def each_pair_has_a_link(self, play: Table) -> Violation | None:
        state = play.state
        bare = [pair for pair in unjudged_pairs(play) if not state.labelled(pair)]
        if not bare or not state.links:
            return None
        names = listed(state.name_of(pair) for pair in bare)
        return Violation(f"no link between {names}", since=play.before_gap("", 0))

    @question("I1")
    def each_player_has_a_character(self, play: Table) -> Violation | None:
        state = play.state
        if state.map_step or play.given:
            return None
        without = without_character(play)
        message = f"{listed(without)} {has_or_have(without)} no character"
        return Violation(message, since=play.before_gap("", 0)) if without else None


def _is_mutual(play: Table, biases: Mapping[tuple[Colour, str], Sequence[Link]]) -> bool:
    """IA42: whether a bias falls in both directions, and makes two links together."""
    owners = {owner for colour, owner in biases if colour is RED}
    return play.ruling("mutual_bias") == "two" and len(owners) == 2


def finish_map(play: Table) -> None:
    """Finish the map, with the links of characters who joined late."""
    state = play.state
    for person in state.people.values():
        person.mapped = person.mapped or play.step.number
    if state.map_step:
        return
    state.map_step = play.step.number
    play.event("the relationship map is finished", "I8", "map")
    if not state.stress_history:
        change_stress(play, 1, "I59", "start", "assumed")


class MapDone(FinishesMap):
    """The relationship map is finished. The first proposal says so as well."""

    verb = "map"
    decides = Decides("map finisher", "I8")
    moment = WHILE_RUNNING
    offered = Offered("I8", "the map is finished")
    example = "map: done"
    done = main(choice("done"), "done", default="done")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        yield {"map": "done"}

    def sentence(self, play: Table) -> Sentence:
        return ("The relationship map is finished.",)

    @guard("I8", DiagnosticKind.BOOKKEEPING, fix=RemoveEntry())
    def not_finished_before(self, play: Table) -> Violation | None:
        state = play.state
        if not state.map_step or any(is_unmapped(play, id) for id in state.people):
            return None
        fact = play.because(state.map_step, "finished here")
        return Violation("the map is finished already", facts=[fact])

    def apply(self, play: Table) -> None:
        self.settle_harm(play)
        finish_map(play)


# --- by hand --------------------------------------------------------------------------------------


class Erase(WaitsForWounds):
    """Take labelled links off the map by hand: for a house rule, or a log that begins in mid-play."""

    verb = "erase"
    synonyms = ("unlink",)
    departure = True
    before_deaths_only = True
    decides = Decides("map maker", "I8")
    moment = WHILE_RUNNING
    example = "erase: {Ruth & Basil: [blunt + touchy]}"
    links = main(
        MapToReasons(in_role("named", PAIR), "the label is missing for {}"), "{one & other: labels}"
    )

    def sentence(self, play: Table) -> Sentence:
        labels = [str(counted.name) for labels in self.links.values() for counted in labels]
        return (f"Erased: {listed(labels)}.",)

    def erased(self, play: Table) -> Iterator[tuple[PairKey, ScalarNode, Link | None]]:
        """Each link that it takes off, with the label as typed; None where there is no such link."""
        gone: list[Link] = []
        for typed, labels in self.links.items():
            pair = find_pair(play, typed)
            for counted in labels if pair is not None else ():
                assert pair is not None
                for _ in range(counted.count):
                    link = find_link(play, pair, str(counted.name), without=gone)
                    yield pair, counted.name, link
                    if link is None:
                        break
                    gone.append(link)

    @guard("I7")
    def between_two(self, play: Table) -> Iterator[Violation]:
        return paired_with_themselves(play, self.links)

    @guard("I55")
    def in_time(self, play: Table) -> Violation | None:
        pairs = [find_pair(play, typed) for typed in self.links]
        return changed_by_hand(play, [pair for pair in pairs if pair is not None])

    @guard("I55", DiagnosticKind.BOOKKEEPING)
    def links_are_on_the_map(self, play: Table) -> Iterator[Violation]:
        for pair, word, link in self.erased(play):
            if link is None:
                labels = [link.label for link in play.state.labelled(pair)]
                yield Violation(
                    f"{play.state.name_of(pair)} have no link '{word}'",
                    word,
                    replace_with(labels),
                    help=() if labels else "labels between them: none",
                    since=labels_known(play, [pair]),
                    state_kind="tracks",
                )

    def apply(self, play: Table) -> None:
        self.settle_harm(play)
        for pair, _, link in [*self.erased(play)]:
            if link is not None:
                erase_link(play, link, "I55")
                play.event(f"{play.state.name_of(pair)}: '{link.label}' is erased", "I55", "erased")


def find_link(
    play: Table,
    pair: PairKey,
    text: str,
    colour: Colour | None = None,
    *,
    without: Collection[Link] = (),
) -> Link | None:
    """The labelled link of a pair that a label means: the whole label, then one half of it.

    Args:
        play: the table.
        pair: the two characters.
        text: the label as typed.
        colour: the colour of the link, if that is known.
        without: links that are not meant.
    """
    links = [link for link in play.state.labelled(pair, colour) if link not in without]
    words = fold(text)
    for link in links:
        if same_label(link.label, text):
            return link
    for link in links:
        if link.topic is Topic.BIAS and (words == "bias" or owner_named(play, text) == link.owner):
            return link
    by_half = [link for link in links if words in halves(link.label)]
    by_words = [link for link in links if words and words in fold(link.label)]
    for likely in (by_half, by_words):
        if len({fold(link.label) for link in likely}) == 1:
            return likely[0]
    return None
