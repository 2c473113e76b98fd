"""Advantage dice: established and erased, earned by trouble, spent on rolls and Features (Z31 to Z36)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from chronicle.core.answers import Move
from chronicle.core.declare import Action, Decides, Offered, main, option, required
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import (
    NAME,
    NAMES,
    TEXT,
    WHOLE,
    YES_NO,
    EitherOf,
    MapOf,
    in_role,
    label,
    whole,
)
from chronicle.core.fix import (
    RemoveEntry,
    drop_item,
    drop_key,
    replace_with,
    set_key,
    write_instead,
    write_word,
)
from chronicle.core.gaps import SOMEBODY
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import (
    SUBJECT_NAME,
    ExtensionPoint,
    FormulaName,
    answer,
    balance_of,
    expected,
)
from chronicle.core.law import TABLE, Decider, Need, Role
from chronicle.core.names import only_words
from chronicle.core.odds import MOST_DICE
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Piece, TextRole
from chronicle.games.playset_zero.making import wrong_kind
from chronicle.games.playset_zero.state import (
    ADVANTAGE,
    FEATURES,
    KINDS,
    LEAST_KINDS,
    MARK,
    MEANS_CHARACTER,
    NEW_FEATURE_PRICE,
    TURN_FLAW_PRICE,
    Advantage,
    Character,
    Feature,
    MarkEntry,
    Pool,
    RollRecord,
)
from chronicle.games.playset_zero.table import (
    Table,
    acting,
    called,
    feature_of,
    features_hint,
    find_character,
    is_flaw,
    pick,
    write_a_feature,
)

RULES = """
# Advantage dice
Z31 Established advantages are used once [checked; V25 V26]
  When an established advantage matters, it adds one red die and is erased from the sheet. A player cannot use an
  advantage twice, or that of another character.
Z32 Trouble earns a mark [checked; V27]
  A stupid, desperate or irrational act that a Feature leads into earns a mark: one advantage die for later. The act
  and the Feature are written down.
Z33 The GM may offer [checked; V28]
  The GM can dangle an advantage die before a player for such an act. Accepted, it is a mark like any other;
  declined, nothing happens.
Z34 Spending marks on rolls [checked; V29 V30]
  Each mark adds a red die to a roll and is gone. A player cannot spend more than earned.
Z35 Two marks: a new Feature [checked; V31 V32 V34]
  Two marks buy a new Feature in place of one that the character has. Four remain four.
Z36 Five marks: the flaw turns [checked; V33]
  Five marks, and no fewer, turn the flaw into something positive.
"""

READINGS = """
ZA7 several_marks: May several marks or advantages come into one roll?
  - yes: as many as are held
  - one: one at most
  because no limit is given (Z31, Z34)
ZA8 mark_for_others: May a mark help another character's roll?
  - no: no
  - yes: yes; its owner pays
  because it is on their own sheet, and helping has a rule of its own (Z34, Z41)
ZA9 earned_means: Do established advantages count when Features are bought?
  - marks: no, only marks pay
  - both: yes, an advantage pays like a mark
  because only marks are called earned (Z35, Z36)
ZA10 kinds_after: Must three kinds of Features remain when one is replaced?
  - warn: fewer are noted
  - must: yes, as at the start (Z8)
  - free: no
  because the rule about kinds belongs to making a character (Z8, Z35)
ZA11 replace_main: May the Main Feature be replaced?
  - new-main: yes, and the new Feature is the Main one
  - forbidden: no
  because any present Feature may go, and one must be the Main one (Z9, Z35)
ZA12 fifth_positive: What becomes of a flaw that has turned?
  - ordinary: an ordinary Feature that brings the d8
  - no-die: something good that gives no die
  because it has become positive (Z36, Z17)
ZA13 flaw_marks: Does trouble through the flaw earn marks?
  - yes: yes
  - no: no, only the four Features do
  because the flaw is a Feature of sorts, and trouble is what it is for (Z11, Z32)
ZA29 refusing: Does it cost anything to refuse the GM's offer?
  - free: no
  because accepting earns; refusing is free (Z33)
"""

TERMS = """\
Mark [Z32]: What a stupid, desperate or irrational act earns that a Feature led into: a die for later.
Offer [Z33]: The GM dangles a mark before a player for such an act.
"""

_MARKS_LEFT: Final = {
    "who": SUBJECT_NAME,
    "marks": FormulaName("the marks that character has", balance_of("marks", MARK)),
}
FEATURE: Final = ExtensionPoint(
    "new feature price", "the marks that a new Feature costs", ("Z35",), _MARKS_LEFT
)
FLAW: Final = ExtensionPoint(
    "turn flaw price", "the marks that it costs to turn the flaw", ("Z36",), _MARKS_LEFT
)

PLAYED = Need(
    "a player's character",
    "Z33",
    lambda play, id: not play.state.characters[id].npc,
    "{who} is the GM's own; the GM makes the offer to a player",
    kind=DiagnosticKind.SUSPICIOUS,
    is_certain=True,
)
ROLES: Mapping[str, Role] = {
    "offered": Role("the character in trouble", "earn a mark", (PLAYED,), MEANS_CHARACTER),
    "spends marks": Role("a character with marks", "spend marks", (), MEANS_CHARACTER),
}

ACTORS: Mapping[str, Decider] = {
    "owner": TABLE._replace(words="the player of the character: name the character with by"),
}

MARKS = EitherOf(
    whole(0),
    MapOf(in_role("spends marks", NAME), whole(0)),
    words="a number of marks, or {character: number}",
)
EARN = "a mark is earned by trouble:  mark: the act  /  from: the Feature"

NOT_RECORDED: Final = "an advantage that is not recorded"
"""The words of an advantage that was counted, and that no entry established."""

# --- established advantages -----------------------------------------------------------------------


def establish(play: Table, roll: RollRecord, character: Character, text: str) -> None:
    """Z27: a hit becomes something written on the sheet."""
    gained = Advantage(text, character.id, play.step.number, roll.number)
    character.advantages.append(gained)
    roll.gained.append(gained)
    play.move("hits", f"advantages:{character.id}", 1, ADVANTAGE, "Z27", text)
    play.event(
        f"{character.name} establishes an advantage: {text}", "Z27", "establishes", character.id
    )


def advantages_meant(character: Character, words: Sequence[ScalarNode]) -> list[Advantage | None]:
    """The advantage that each word means, among those that a character holds, each once. Words that mean none of them
    may mean one whose words are not recorded."""
    held, advantages = character.held(), list[Advantage | None]()
    for word in words:
        indexes = pick(word, [(advantage.text,) for advantage in held])
        if not indexes and word.strip():
            indexes = [index for index, each in enumerate(held) if each.text == NOT_RECORDED]
        advantages.append(held.pop(indexes[0]) if indexes else None)
    return advantages


def _used_advantage(character: Character, word: ScalarNode) -> Advantage | None:
    used = [advantage for advantage in character.advantages if advantage.used]
    matches = pick(word, [(advantage.text,) for advantage in used])
    return used[matches[-1]] if matches else None


def advantages_not_held(
    play: Table, character: Character, words: Sequence[ScalarNode]
) -> Iterator[Violation]:
    """Z31: that words mean no advantage that a character holds, or the same one twice."""
    left = character.held()
    for word, advantage in zip(words, advantages_meant(character, words), strict=True):
        if advantage is not None:
            possible = [left[index].text for index in pick(word, [(each.text,) for each in left])]
            left.remove(advantage)
            texts = list({only_words(text): text for text in possible}.values())
            if len(texts) > 1:
                yield Violation(
                    f"'{word}' could be {listed(map(repr, texts), 'or')}; write more of it",
                    word,
                    fix=replace_with(texts),
                    doubts=[f"advantages:{character.id}"],
                    rule="T50",
                    kind=DiagnosticKind.UNREADABLE,
                )
            continue
        (once,) = advantages_meant(character, [word])
        yield (
            Violation(f"the advantage '{once.text}' counts twice here", word)
            if once is not None
            else _not_held(play, character, word)
        )


def _not_held(play: Table, character: Character, word: ScalarNode) -> Violation:
    used = _used_advantage(character, word)
    if used is not None:
        return Violation(
            f"{character.name}'s advantage '{used.text}' has been used and erased",
            word,
            facts=(play.because(used.used, "used here"),),
            after=(f"advantages:{character.id}",),
        )
    for owner in play.state.characters.values():
        (advantage,) = advantages_meant(owner, [word])
        if advantage is not None:
            return Violation(
                f"the advantage '{advantage.text}' is {owner.name}'s, not {character.name}'s",
                word,
                facts=(play.because(advantage.step, "established here"),),
            )
    texts = [advantage.text for advantage in character.held()]
    return Violation(
        f"{character.name} has never established an advantage '{word}'"
        + play.names.suggest(word, texts),
        word,
        since=0,
        after=(f"advantages:{character.id}",),
        fix=play.names.spelling_fixes(word, texts),
        help="a circumstance of the moment is written  because: ...",
    )


def advantages_in_doubt(
    play: Table, character: Character, words: Sequence[ScalarNode]
) -> Violation | None:
    """Z31: that advantages may have been used and erased where the record is silent."""
    since = play.uncertain_since(f"advantages:{character.id}", "purses")
    doubtful = [
        advantage
        for advantage in advantages_meant(character, words)
        if advantage is not None and advantage.step < since
    ]
    if not doubtful:
        return None
    texts = listed(f"'{advantage.text}'" for advantage in doubtful)
    return Violation(
        f"whether {character.name} still has {texts} is not known",
        "advantage",
        facts=[
            *(play.because(advantage.step, "established here") for advantage in doubtful),
            play.because(min(since, play.step.number), "the record does not say all here"),
        ],
        help=f"count them first:  assert: {{advantages: {{{character.name}: ...}}}}",
    )


def advantage_text(character: Character, word: ScalarNode, advantage: Advantage | None) -> str:
    """The words of an advantage that is used. One that is not held keeps its words: the table played it so."""
    used = advantage or _used_advantage(character, word)
    return used.text if used is not None and used.text != NOT_RECORDED else str(word)


def erase_advantages(
    play: Table, character: Character, words: Sequence[ScalarNode], why: str, target: str, rule: str
) -> None:
    """Z31: take established advantages off the sheet."""
    for word, advantage in zip(words, advantages_meant(character, words), strict=True):
        if advantage is None:
            continue
        if advantage.text == NOT_RECORDED:
            advantage.text = str(word)
        advantage.used = play.step.number
        advantage.used_for = why
        play.move(f"advantages:{character.id}", target, 1, ADVANTAGE, rule, advantage.text)
        play.event(
            f"{character.name} erases the advantage '{advantage.text}'",
            "Z31",
            "erases",
            character.id,
        )


def set_advantages(play: Table, id: str, stated: str) -> None:
    """Set the number of advantages left: the oldest were used, or some are not recorded."""
    character = play.state.characters[id]
    held = character.held()
    for advantage in held[: max(0, len(held) - int(stated))]:
        advantage.used, advantage.used_for = play.step.number, "counted anew"
    missing = int(stated) - len(held)
    character.advantages += [
        Advantage(NOT_RECORDED, id, play.step.number, 0) for _ in range(missing)
    ]
    play.adjust(f"advantages:{id}", stated, ADVANTAGE)


# --- earning and spending marks -------------------------------------------------------------------


def nobodys(play: Table, noun: str) -> Violation | None:
    """That an entry does not say whose mark, Feature or flaw it is about."""
    if acting(play) is not None:
        return None
    return Violation(f"whose {noun} is this?", fix=set_key("by"))


def marks_of(play: Table, character: Character) -> int:
    """Earned advantage dice that a character has left."""
    return play.balance(f"marks:{character.id}", MARK)


def earn_mark(play: Table, character: Character, why: str, feature: str, *, offered: bool) -> None:
    """Z32, Z33: a character earns a mark."""
    rule = "Z33" if offered else "Z32"
    character.marks.append(MarkEntry(play.step.number, 1, why, feature, offered, only_words(why)))
    play.move("trouble", f"marks:{character.id}", 1, MARK, rule, why)
    have = plural(marks_of(play, character), "mark")
    blame = f" because of '{feature}'" if feature else ""
    play.event(f"{character.name} earns a mark{blame}: {have}", rule, "marks", character.id)


def earned_already(play: Table, character: Character | None, act: str | None) -> Violation | None:
    """Z32, Z33: that an act of this scene has brought the character a mark before."""
    scene, words = play.timeline.current, only_words(act or "")
    for entry in character.marks if character is not None and words else ():
        if entry.act == words and (scene is None or entry.step >= scene.first_step):
            return Violation(
                "this act has earned a mark before; one act, one mark",
                facts=[play.because(entry.step, "the same act")],
            )
    return None


def pay_marks(
    play: Table, character: Character, count: int, target: str, rule: str, why: str
) -> None:
    """Z34, Z35, Z36: marks pay for dice (``rolls``) or for a Feature (``features``)."""
    if count < 1:
        return
    play.spend(f"marks:{character.id}", target, count, MARK, rule, why)
    character.marks.append(MarkEntry(play.step.number, -count, why))


def too_few_marks(play: Table, character: Character, count: int, what_for: str) -> Violation | None:
    """That a character has fewer marks than are paid. ``what_for`` ends the message."""
    if count < 1 or play.figure("marks", character.id).at_least(count):
        return None
    key = f"marks:{character.id}"
    return Violation(
        f"{character.name} has {plural(marks_of(play, character), 'mark')}{what_for}",
        help=EARN,
        since=play.unknown_until.get(key, 0),
        state_kind="purses",
        after=[key],
        doubts=[key],
    )


def wrong_price(character: Character, stated: int | None, due: int, price: int) -> Violation | None:
    """That an entry states another number of marks than it costs."""
    if stated is None or max(0, stated) == due:
        return None
    return Violation(
        f"this costs {plural(price, 'mark')}, not {max(0, stated)}",
        fix=(drop_key("pays"), write_word(due)),
        doubts=[f"marks:{character.id}/{MARK}"],
    )


class UsesAdvantages(Action):
    """An entry that may erase established advantages."""

    advantage: tuple[ScalarNode, ...]

    def character(self, play: Table) -> Character | None:
        """The character whose dice they are."""
        return acting(play)

    @guard("Z31")
    def advantages_are_held(self, play: Table) -> Iterator[Violation]:
        character = self.character(play)
        if character is not None:
            yield from advantages_not_held(play, character, self.advantage)

    @guard("Z31", DiagnosticKind.UNKNOWN)
    def advantages_are_certain(self, play: Table) -> Violation | None:
        character = self.character(play)
        return None if character is None else advantages_in_doubt(play, character, self.advantage)


class SpendsMarks(Action):
    """An entry that may spend marks on a roll: each adds a red die."""

    mark = option(MARKS, "earned advantage dice spent on this roll")

    def character(self, play: Table) -> Character | None:
        """The character whose dice they are."""
        return acting(play)

    def payments(self, play: Table) -> list[tuple[ScalarNode | None, Character | None, int]]:
        """Who pays how many marks: the name as typed, if there is one, the character, the number."""
        if not isinstance(self.mark, dict):
            return [] if self.mark is None else [(None, self.character(play), self.mark)]
        return [(word, find_character(play, word), count) for word, count in self.mark.items()]

    @guard("T56", DiagnosticKind.UNREADABLE, at="mark")
    def marks_belong_to_a_character(self, play: Table) -> Violation | None:
        for word, character, _ in self.payments(play):
            if character is None and (
                word is None or play.look_up(word, MEANS_CHARACTER) is not None
            ):
                return Violation("whose marks are these?", fix=set_key("by"))
        return None

    @question("ZA8", help="help:  has a rule of its own")
    def marks_are_the_rollers(self, play: Table) -> Iterator[Violation]:
        own = self.character(play)
        for word, character, _ in self.payments(play):
            if word is None or character is None or character is own:
                continue
            if play.ruling("mark_for_others") == "no":
                yield Violation(
                    f"{character.name}'s marks do not help {called(own, play.step.player)}",
                    word,
                    fix=drop_item(str(word)),
                )

    @guard("Z34", at="mark")
    def marks_suffice(self, play: Table) -> Iterator[Violation]:
        for _, character, count in self.payments(play):
            if character is None:
                continue
            broken = too_few_marks(play, character, count, f" and spends {count}")
            if broken is not None:
                yield broken

    def with_marks(self, play: Table, pool: Pool) -> Pool:
        """A pool with the dice that the marks of this entry add."""
        payments = [
            (character.id, count) for _, character, count in self.payments(play) if character
        ]
        dice = ["a mark" for _, count in payments for _ in range(min(count, MOST_DICE))]
        payers = [id for id, _ in payments]
        return replace(pool, reds=[*pool.reds, *dice], payers=[*pool.payers, *payers])

    def spend_marks(self, play: Table, why: str) -> None:
        """Z34: the marks of this entry are gone."""
        for _, character, count in self.payments(play):
            if character is None or count < 1:
                continue
            pay_marks(play, character, count, "rolls", "Z34", why)
            dice = plural(count, "advantage die", "advantage dice")
            play.event(
                f"{character.name} spends {plural(count, 'mark')}: {dice}",
                "Z34",
                "spends",
                character.id,
            )


# --- trouble --------------------------------------------------------------------------------------


def not_to_blame(
    play: Table, character: Character, word: ScalarNode | None, earned: str
) -> Violation | None:
    """That no Feature is to blame for the trouble that a character gets into (Z32)."""
    if word is None or not word.strip():
        return Violation(
            f"no Feature is to blame; {earned} is earned by trouble that a Feature leads into",
            fix=[set_key("from", feature.text) for feature in character.present()],
            help="or name the flaw",
        )
    if feature_of(character, word):
        return None
    if not is_flaw(character, word):
        hint = features_hint(character, word, flaw=True)
        fix = write_a_feature(character, word, flaw=True)
        return Violation(f"{character.name} has no Feature '{word}'{hint}", word, fix=fix)
    if play.ruling("flaw_marks") != "no":
        return None
    return Violation(
        f"trouble through the flaw '{character.flaw}' earns no mark by this table's ruling",
        word,
        rule="ZA13",
        kind=DiagnosticKind.SUSPICIOUS,
    )


def blamed(character: Character, word: ScalarNode | None) -> str:
    """The Feature or flaw that is to blame, in its own words."""
    if word is None or not word.strip():
        return ""
    matches = feature_of(character, word)
    if matches:
        return matches[0].text
    return character.flaw if is_flaw(character, word) else str(word)


def _blames(play: Table) -> Iterator[tuple[Character, str]]:
    """Each character with each Feature that may get it into trouble: the first of every character first."""
    characters = [character for character in play.state.characters.values() if character.present()]
    for number in range(FEATURES):
        for character in characters:
            features = character.present()
            if number < len(features):
                yield character, features[number].text


class Mark(Action):
    """Get into trouble because of a Feature, and mark an advantage die."""

    verb = "mark"
    synonyms = ("trouble", "advantage")
    decides = Decides("owner")
    offered = Offered("Z32", "get into trouble because of a Feature")
    example = "mark: Pell pockets the watch while being thanked\n  by: Pell\n  from: steals what he admires"
    act = main(
        TEXT, "the stupid, desperate or irrational act", default=None, text_role=TextRole.SENTENCE
    )
    from_ = option(TEXT, "the Feature (or flaw) that is to blame")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for character, feature in _blames(play):
            number = len(character.marks) + 1
            yield {"mark": f"Mistake {number}", "by": character.name, "from": feature}

    def sentence(self, play: Table) -> Sentence:
        character = acting(play)
        return said("{} gets into trouble.", character.id if character is not None else "")

    @guard("T56", DiagnosticKind.UNREADABLE)
    def belongs_to_a_character(self, play: Table) -> Violation | None:
        return nobodys(play, "mark")

    @guard("Z32")
    def is_earned_by_an_act(self, play: Table) -> Violation | None:
        if acting(play) is None or str(self.act or "").strip():
            return None
        return Violation(
            "a mark is earned by an act that gets the character into trouble; none is written",
            fix=set_key("mark"),
        )

    @guard("Z32", at="main", fix=RemoveEntry())
    def one_mark_an_act(self, play: Table) -> Violation | None:
        return earned_already(play, acting(play), self.act)

    @guard("Z32")
    def feature_is_to_blame(self, play: Table) -> Violation | None:
        character = acting(play)
        return (
            not_to_blame(play, character, self.from_, "a mark") if character is not None else None
        )

    def apply(self, play: Table) -> None:
        character = acting(play)
        if character is not None:
            earn_mark(
                play, character, str(self.act or ""), blamed(character, self.from_), offered=False
            )


class Offer(Action):
    """The GM offers an advantage die for trouble that a Feature gets the character into."""

    verb = "offer"
    decides = Decides("gm", "Z33")
    offered = Offered("Z33", "tempt a character with an advantage die")
    example = "offer: The drowned hold out a hand\n  to: Oriel\n  from: owes the drowned a debt"
    act = main(TEXT, "what the character would do", text_role=TextRole.SENTENCE)
    to = required(in_role("offered", NAME), "the character who would")
    from_ = option(TEXT, "the Feature (or flaw) that is to blame")
    refused = option(YES_NO, "yes, if the player declines", default=False)
    earns = option(
        WHOLE, "marks earned; you need not write this, Chronicle checks it", computed=True
    )

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for number, (character, feature) in enumerate(_blames(play)):
            temptation = f"Temptation {len(character.marks) + 1}"
            entry = {"offer": temptation, "to": character.name, "from": feature}
            yield {**entry, "refused": "yes"} if number % 3 == 2 else entry

    def told(self) -> Iterable[Piece]:
        return () if self.refused else super().told()

    def sentence(self, play: Table) -> Sentence:
        character = find_character(play, self.to)
        names = (play.step.player, character.id if character is not None else "")
        if not self.refused:
            return said("{} offers {} a mark.", *names)
        return said(
            "{} offers {} a mark, and {} declines.", *names, character.owner if character else ""
        )

    @property
    def due(self) -> int:
        """The marks that it earns, by the book."""
        return 0 if self.refused else 1

    @guard("Z32")
    def feature_is_to_blame(self, play: Table) -> Violation | None:
        character = find_character(play, self.to)
        return (
            not_to_blame(play, character, self.from_, "an advantage die")
            if character is not None
            else None
        )

    @guard("Z33", at="main", fix=RemoveEntry())
    def one_mark_an_act(self, play: Table) -> Violation | None:
        if self.refused or self.earns == 0:
            return None
        return earned_already(play, find_character(play, self.to), self.act)

    @guard("Z33", at="earns")
    def earns_one_mark(self, play: Table) -> Violation | None:
        character = find_character(play, self.to)
        if character is None or self.earns in (None, self.due):
            return None
        if self.earns < self.due:
            return Violation(
                f"{character.owner or 'The player'} accepted, so {character.name} earns a mark",
                fix=set_key("refused", "yes", when="if the offer was declined"),
                kind=DiagnosticKind.BOOKKEEPING,
            )
        if self.refused:
            return Violation(f"{character.owner} refused, so {character.name} earns no mark")
        return Violation(f"an accepted offer earns one mark, not {self.earns}")

    def apply(self, play: Table) -> None:
        character = find_character(play, self.to)
        if character is None:
            return
        act, feature = str(self.act), blamed(character, self.from_)
        if self.refused:
            play.state.offers_refused.append(MarkEntry(play.step.number, 0, act, feature, True))
            play.state.refusers.append(character.id)
            declines = f"{character.owner or 'The player'} declines for {character.name}"
            play.event(declines, "Z33", "refuses", character.id)
        earned = self.due if self.earns is None else self.earns
        for _ in range(min(max(earned, 0), 5)):
            earn_mark(play, character, act, feature, offered=True)


# --- buying Features ------------------------------------------------------------------------------


def price_of(play: Table, point: ExtensionPoint, character: Character) -> int:
    """The marks that a new Feature costs, or to turn the flaw. Nothing is noted of it."""
    usual = NEW_FEATURE_PRICE if point is FEATURE else TURN_FLAW_PRICE
    return expected(play, point, usual, character.id)


def set_price(play: Table, point: ExtensionPoint, character: Character) -> int:
    """The same, for an entry that pays it: a rule of the table that computes it is noted."""
    usual = NEW_FEATURE_PRICE if point is FEATURE else TURN_FLAW_PRICE
    return answer(play, point, usual, character.id)


def priced(play: Table, option: Move) -> Move:
    """A proposal with its price in marks, if it has one and all characters of the player pay the same."""
    point = {"new feature": FEATURE, "turn flaw": FLAW}.get(option.verb)
    if point is None:
        return option
    prices = {price_of(play, point, character) for character in play.state.of(option.by)}
    return option._replace(price=(prices.pop(), MARK) if len(prices) == 1 else None)


def there_already(play: Table, character: Character | None, text: str) -> Violation | None:
    """Z35, Z36: that a character has a Feature already."""
    for feature in character.present() if character is not None else ():
        if character is not None and only_words(feature.text) == only_words(text):
            return Violation(
                f"'{feature.text}' is a Feature of {character.name} already",
                facts=[play.because(feature.step, "written here")],
            )
    return None


class NewFeature(UsesAdvantages):
    """Two marks buy a new Feature in place of a present one."""

    verb = "new feature"
    about_whom = "{who}"
    synonyms = ("improve", "advance")
    decides = Decides("owner")
    offered = Offered("Z35", "buy a new Feature")
    example = (
        "new feature: speaks for the drowned\n  by: Oriel\n  replaces: owes the drowned a debt\n"
        "  kind: background"
    )
    feature = main(TEXT, "the new Feature")
    replaces = option(TEXT, "the Feature that goes")
    kind = option(label(NAME), "drive, trait, background, skill or possession")
    pays = option(WHOLE, "marks paid; you need not write this, Chronicle checks it", computed=True)
    advantage = option(label(NAMES), "established advantages handed in as payment", default=())

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for character in play.state.characters.values():
            for old in character.present():
                other_features = [
                    feature.kind for feature in character.present() if feature is not old
                ]
                # A kind that is not there yet leaves as many kinds as there were, by any reading.
                fresh = [kind for kind in KINDS if kind not in other_features]
                entry = {
                    "new feature": f"changed, {len(play.steps) + 1}",
                    "by": character.name,
                    "replaces": old.text,
                    "kind": (fresh or KINDS)[0],
                }
                yield entry
                handed_in = [advantage.text for advantage in character.held()]
                for count in range(1, min(len(handed_in), NEW_FEATURE_PRICE) + 1):
                    yield {**entry, "advantage": handed_in[:count]}

    def lead_in(self) -> str:
        return f"{self.by or SOMEBODY} from now on: {self.feature}"

    def sentence(self, play: Table) -> Sentence:
        character = acting(play)
        return said("{} buys a new Feature.", character.id if character is not None else "")

    def replaced(self, character: Character) -> Feature | None:
        """The present Feature that goes."""
        matches = feature_of(character, self.replaces) if self.replaces is not None else []
        return matches[0] if matches else None

    def due(self, price: int) -> int:
        """The marks to pay, after the advantages handed in."""
        return max(0, price - len(self.advantage))

    @guard("T56", DiagnosticKind.UNREADABLE)
    def belongs_to_a_character(self, play: Table) -> Violation | None:
        return nobodys(play, "Feature")

    @question("ZA9", at="advantage")
    def only_marks_pay(self, play: Table) -> str | None:
        if not self.advantage or acting(play) is None or play.ruling("earned_means") != "marks":
            return None
        return "an established advantage is handed in; only earned dice, marks, buy Features"

    @guard("Z35")
    def replaces_a_feature(self, play: Table) -> Violation | None:
        character, word = acting(play), self.replaces
        if character is None or self.replaced(character) is not None:
            return None
        if word is None:
            return Violation(
                f"no Feature goes; a new one replaces a present one, and {character.name} would have "
                f"{len(character.present()) + 1}",
                "main",
                fix=[set_key("replaces", feature.text) for feature in character.present()],
            )
        if is_flaw(character, word):
            return Violation(
                "the flaw is not replaced for two marks; it takes five",
                word,
                fix=write_instead("turn flaw: ..."),
                rule="Z36",
            )
        gone = [old for old in character.features if old.gone and pick(word, [(old.text,)])]
        return Violation(
            f"{character.name} has no Feature '{word}' to replace{features_hint(character, word)}",
            word,
            facts=(play.because(gone[0].gone, "replaced here"),) if gone else (),
            fix=write_a_feature(character, word),
        )

    @guard("Z35", at="main")
    def is_new(self, play: Table) -> Violation | None:
        return there_already(play, acting(play), self.feature)

    @guard("Z7")
    def kind_is_a_category(self, play: Table) -> Violation | None:
        return wrong_kind(self.kind) if acting(play) is not None else None

    @guard("Z35", at="pays")
    def price_is_right(self, play: Table) -> Violation | None:
        character = acting(play)
        if character is None:
            return None
        price = price_of(play, FEATURE, character)
        return wrong_price(character, self.pays, self.due(price), price)

    @guard("Z35")
    def marks_suffice(self, play: Table) -> Violation | None:
        character = acting(play)
        if character is None:
            return None
        price = price_of(play, FEATURE, character)
        return too_few_marks(
            play,
            character,
            self.due(price) if self.pays is None else self.pays,
            f"; this costs {price}",
        )

    @question("ZA11", at="replaces")
    def main_feature_stays(self, play: Table) -> str | None:
        character = acting(play)
        old = self.replaced(character) if character is not None else None
        if old is None or not old.main or play.ruling("replace_main") != "forbidden":
            return None
        return f"'{old.text}' is the Main Feature and stays by this table's ruling"

    @guard("Z8", at="kind")
    def three_kinds_are_left(self, play: Table) -> Violation | None:
        character, reading = acting(play), play.ruling("kinds_after")
        if character is None or reading == "free":
            return None
        old = self.replaced(character)
        other_features = [
            each for each in character.present() if each is not old and each.origin != "turned"
        ]
        kinds = [*(each.kind for each in other_features), only_words(self.kind or "")]
        kinds_left = len({*kinds})
        if len(kinds) != FEATURES or "" in kinds or kinds_left >= LEAST_KINDS:
            return None
        message = f"{character.name}'s Features are of {plural(kinds_left, 'kind')} only"
        if reading == "must":
            return Violation(message)
        return Violation(message, rule="ZA10", kind=DiagnosticKind.SUSPICIOUS)

    def apply(self, play: Table) -> None:
        character = acting(play)
        if character is None:
            return
        why = f"new Feature: {self.feature}"
        erase_advantages(play, character, self.advantage, why, "features", "Z35")
        old = self.replaced(character)
        due = self.due(set_price(play, FEATURE, character))
        pay_marks(play, character, due if self.pays is None else self.pays, "features", "Z35", why)
        new = Feature(
            str(self.feature), only_words(self.kind or ""), play.step.number, origin="bought"
        )
        if old is not None:
            old.gone = play.step.number
            old.replaced_by = new.text
            new.main = old.main
        elif self.replaces is not None and is_flaw(character, self.replaces):
            character.flaw_gone = play.step.number
        character.features.append(new)
        gone = f" in place of '{old.text}'" if old is not None else ""
        play.event(
            f"{character.name} has a new Feature: {new.text}{gone}", "Z35", "buys", character.id
        )


class TurnFlaw(Action):
    """Five marks turn the flaw into something positive."""

    verb = "turn flaw"
    about_whom = "{who}"
    decides = Decides("owner")
    offered = Offered("Z36", "turn the flaw into something positive")
    example = "turn flaw: dares others to live\n  by: Oriel"
    into = main(TEXT, "the positive Feature that takes its place")
    kind = option(label(NAME), "drive, trait, background, skill or possession")
    pays = option(WHOLE, "marks paid; you need not write this, Chronicle checks it", computed=True)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for character in play.state.characters.values():
            yield {"turn flaw": f"at peace, {len(play.steps) + 1}", "by": character.name}

    def lead_in(self) -> str:
        return f"{self.by or SOMEBODY} from now on: {self.into}"

    def sentence(self, play: Table) -> Sentence:
        character = acting(play)
        return said(
            "{} turns a flaw into something positive.",
            character.id if character is not None else "",
        )

    @guard("T56", DiagnosticKind.UNREADABLE)
    def belongs_to_a_character(self, play: Table) -> Violation | None:
        return nobodys(play, "flaw")

    @guard("Z36", at="main")
    def is_new(self, play: Table) -> Violation | None:
        return there_already(play, acting(play), self.into)

    @guard("Z36", at="main")
    def flaw_is_left(self, play: Table) -> Violation | None:
        character = acting(play)
        if character is None or (character.flaw and not character.flaw_gone):
            return None
        facts = play.facts(character.flaw_gone, "turned here")
        return Violation(f"{character.name} has no flaw left to turn", facts=facts)

    @guard("Z7")
    def kind_is_a_category(self, play: Table) -> Violation | None:
        return wrong_kind(self.kind) if acting(play) is not None else None

    @guard("Z36", at="pays")
    def price_is_right(self, play: Table) -> Violation | None:
        character = acting(play)
        if character is None:
            return None
        price = price_of(play, FLAW, character)
        return wrong_price(character, self.pays, price, price)

    @guard("Z36")
    def marks_suffice(self, play: Table) -> Violation | None:
        character = acting(play)
        if character is None:
            return None
        price = price_of(play, FLAW, character)
        paid = price if self.pays is None else self.pays
        return too_few_marks(play, character, paid, f"; this costs {price}")

    def apply(self, play: Table) -> None:
        character = acting(play)
        if character is None:
            return
        price = set_price(play, FLAW, character)
        paid = price if self.pays is None else self.pays
        pay_marks(play, character, paid, "features", "Z36", f"the flaw turns: {self.into}")
        old = character.flaw
        character.flaw_gone = character.flaw_gone or play.step.number
        gives_die = play.ruling("fifth_positive") == "ordinary"
        character.features.append(
            Feature(
                str(self.into),
                only_words(self.kind or ""),
                play.step.number,
                origin="turned",
                gives_die=gives_die,
            )
        )
        play.event(
            f"{character.name}'s flaw '{old}' becomes '{self.into}'", "Z36", "turns", character.id
        )
