"""Advantage dice: established and erased, earned by trouble, spent on rolls and Features (Z31 to Z36)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from chronicle.core.answers import Option
from chronicle.core.declare import Action, Decides, Offered, main, option, required
from chronicle.core.diagnostic import Finding, plural
from chronicle.core.fix import drop_key, set_key, write_instead, write_word
from chronicle.core.gaps import SOMEBODY
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import Point, answer, expected
from chronicle.core.kinds import NAME, NAMES, TEXT, WHOLE, YES_NO, in_role, label
from chronicle.core.law import TABLE, Decider, Role
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Piece, TextRole
from chronicle.games.playset_zero.computed import FEATURE, FLAW
from chronicle.games.playset_zero.making import wrong_kind
from chronicle.games.playset_zero.state import (
    ADVANTAGE,
    ANYBODY,
    FEATURES,
    KINDS,
    LEAST_KINDS,
    MARK,
    NEW_FEATURE_PRICE,
    TURN_FLAW_PRICE,
    Advantage,
    Character,
    Feature,
    MarkEntry,
    RollRecord,
)
from chronicle.games.playset_zero.table import (
    Table,
    acting,
    feature_of,
    features_hint,
    find_character,
    is_flaw,
    pick,
    plain,
)

ROLES: Mapping[str, Role] = {
    "offered": Role("the character in trouble", "earn a mark", (), ANYBODY),
}

ACTORS: Mapping[str, Decider] = {
    "owner": TABLE._replace(words="the player of the character: name the character with by"),
}

EARN = "a mark is earned by trouble:  mark: the act  /  from: the Feature"

# --- established advantages -----------------------------------------------------------------------


def establish(play: Table, roll: RollRecord, character: Character, text: str) -> None:
    """Z27: a hit becomes something written on the sheet."""
    gained = Advantage(text, character.id, play.step.index, roll.number)
    character.advantages.append(gained)
    roll.gained.append(gained)
    play.move("hits", f"advantages:{character.id}", 1, ADVANTAGE, "Z27", text)
    play.event(
        f"{character.name} establishes an advantage: {text}", "Z27", "establishes", character.id
    )


def held_advantage(character: Character, word: ScalarNode) -> Advantage | None:
    """The advantage that a word means, among those that a character holds."""
    held = character.held()
    matches = pick(word, [(advantage.text,) for advantage in held])
    return held[matches[0]] if matches else None


def _used_advantage(character: Character, word: ScalarNode) -> Advantage | None:
    used = [advantage for advantage in character.advantages if advantage.used]
    matches = pick(word, [(advantage.text,) for advantage in used])
    return used[matches[-1]] if matches else None


def not_held(play: Table, character: Character, word: ScalarNode) -> Violation | None:
    """Z31: that a word means no advantage that a character holds."""
    if held_advantage(character, word) is not None:
        return None
    used = _used_advantage(character, word)
    if used is not None:
        return Violation(
            f"{character.name}'s advantage '{used.text}' has been used and erased",
            word,
            facts=(play.because(used.used, "used here"),),
        )
    for owner in play.state.characters.values():
        advantage = held_advantage(owner, word)
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
        after=(f"advantages:{character.id}",),
        fix=play.names.spellings(word, texts),
        help="a circumstance of the moment is written  because: ...",
    )


def erase_advantage(
    play: Table, character: Character, word: ScalarNode, why: str, target: str, rule: str
) -> str:
    """Z31: take an established advantage off the sheet.

    Returns:
        Its text. A word that means none is returned as it is: the table played it so.
    """
    advantage = held_advantage(character, word)
    if advantage is None:
        used = _used_advantage(character, word)
        return used.text if used is not None else str(word)
    advantage.used = play.step.index
    advantage.used_for = why
    play.move(f"advantages:{character.id}", target, 1, ADVANTAGE, rule, advantage.text)
    play.event(
        f"{character.name} erases the advantage '{advantage.text}'", "Z31", "erases", character.id
    )
    return advantage.text


def use_advantage(
    play: Table, character: Character, word: ScalarNode, why: str, target: str, rule: str
) -> str:
    """Z31: report an advantage that is not held, and take it off the sheet. For entries without guards."""
    wrong = not_held(play, character, word)
    if wrong is not None:
        play.illegal(
            "Z31",
            wrong.message,
            at=word,
            facts=wrong.facts,
            after=wrong.after,
            fix=wrong.fix,
            help=wrong.help,
        )
    return erase_advantage(play, character, word, why, target, rule)


# --- earning and spending marks -------------------------------------------------------------------


def nobodys(play: Table, thing: str) -> Violation | None:
    """That an entry does not say whose mark, Feature or flaw it is about."""
    if acting(play) is not None:
        return None
    return Violation(f"whose {thing} is this?", fix=set_key("by"))


def marks_of(play: Table, character: Character) -> int:
    """Earned advantage dice that a character has left."""
    return play.balance(f"marks:{character.id}", MARK)


def earn_mark(play: Table, character: Character, why: str, feature: str, *, offered: bool) -> None:
    """Z32, Z33: a character earns a mark."""
    rule = "Z33" if offered else "Z32"
    character.marks.append(MarkEntry(play.step.index, 1, why, feature, offered))
    play.move("trouble", f"marks:{character.id}", 1, MARK, rule, why)
    have = plural(marks_of(play, character), "mark")
    blame = f" because of '{feature}'" if feature else ""
    play.event(f"{character.name} earns a mark{blame}: {have}", rule, "marks", character.id)


def pay_marks(play: Table, character: Character, count: int, rule: str, why: str) -> None:
    """Z35, Z36: marks pay for a Feature."""
    if count < 1:
        return
    play.spend(f"marks:{character.id}", "features", count, MARK, rule, why)
    character.marks.append(MarkEntry(play.step.index, -count, why))


def too_few_marks(play: Table, character: Character, count: int, price: int) -> Violation | None:
    """That a character has fewer marks than are paid."""
    if count < 1 or play.figure("marks", character.id).at_least(count):
        return None
    key = f"marks:{character.id}"
    return Violation(
        f"{character.name} has {plural(marks_of(play, character), 'mark')}; this costs {price}",
        help=EARN,
        since=play.counted.get(key, 0),
        about="purses",
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


def spend_marks(play: Table, character: Character, count: int, why: str) -> int:
    """Z34: earned dice for a roll. Gives how many come in."""
    if count < 1:
        return 0
    have = marks_of(play, character)
    play.pay(
        f"marks:{character.id}",
        "rolls",
        count,
        MARK,
        "Z34",
        why,
        message=f"{character.name} has {plural(have, 'mark')} and spends {count}",
        help=EARN,
    )
    character.marks.append(MarkEntry(play.step.index, -count, why))
    dice = plural(count, "advantage die", "advantage dice")
    play.event(
        f"{character.name} spends {plural(count, 'mark')}: {dice}", "Z34", "spends", character.id
    )
    return count


# --- trouble --------------------------------------------------------------------------------------


def not_to_blame(
    play: Table, character: Character, word: ScalarNode | None, earned: str
) -> Violation | None:
    """That no Feature is to blame for the trouble that a character gets into (Z32)."""
    if word is None or not word.strip():
        return Violation(
            f"no Feature is to blame; {earned} is earned by trouble that a Feature leads into",
            fix=[set_key("from", feature.text) for feature in character.present()],
            help="or the flaw",
        )
    if feature_of(character, word):
        return None
    if not is_flaw(character, word):
        hint = features_hint(character, word, flaw=True)
        return Violation(f"{character.name} has no Feature '{word}'{hint}", word)
    if play.ruling("flaw_marks") != "no":
        return None
    return Violation(
        f"trouble through the flaw '{character.flaw}' earns no mark by this table's ruling",
        word,
        rule="ZA13",
        finding=Finding.SUSPICIOUS,
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
    also = ("trouble", "advantage")
    decides = Decides("owner")
    offered = Offered("Z32", "get into trouble because of a Feature")
    example = "mark: Pell pockets the watch while being thanked\n  by: Pell\n  from: steals what he admires"
    act = main(
        TEXT, "the stupid, desperate or irrational act", default=None, told=TextRole.SENTENCE
    )
    from_ = option(TEXT, "the Feature (or flaw) that is to blame")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for character, feature in _blames(play):
            yield {"mark": "An old mistake", "by": character.name, "from": feature}

    def sentence(self, play: Table) -> Sentence:
        character = acting(play)
        return said("{} gets into trouble.", character.id if character is not None else "")

    @guard("T56", Finding.UNREADABLE)
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
    act = main(TEXT, "what the character would do", told=TextRole.SENTENCE)
    to = required(in_role("offered", NAME), "the character who would")
    from_ = option(TEXT, "the Feature (or flaw) that is to blame")
    refused = option(YES_NO, "yes, if the player declines", default=False)
    earns = option(WHOLE, "marks earned; checked, never needed", checked=True)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for number, (character, feature) in enumerate(_blames(play)):
            entry = {"offer": "An old temptation", "to": character.name, "from": feature}
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

    @guard("Z33", at="earns")
    def earns_one_mark(self, play: Table) -> Violation | None:
        character = find_character(play, self.to)
        if character is None or self.earns in (None, self.due):
            return None
        if self.earns < self.due:
            return Violation(
                f"{character.owner or 'The player'} accepted, so {character.name} earns a mark",
                fix=set_key("refused", "yes", when="if the offer was declined"),
                finding=Finding.BOOKKEEPING,
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
            play.state.offers_refused.append(MarkEntry(play.step.index, 0, act, feature, True))
            play.state.refusers.append(character.id)
            declines = f"{character.owner or 'The player'} declines for {character.name}"
            play.event(declines, "Z33", "refuses", character.id)
        earned = self.due if self.earns is None else self.earns
        for _ in range(min(max(earned, 0), 5)):
            earn_mark(play, character, act, feature, offered=True)


# --- buying Features ------------------------------------------------------------------------------


def price_of(play: Table, point: Point, character: Character) -> int:
    """The marks that a new Feature costs, or to turn the flaw. Nothing is noted of it."""
    usual = NEW_FEATURE_PRICE if point is FEATURE else TURN_FLAW_PRICE
    return expected(play, point, usual, character.id)


def set_price(play: Table, point: Point, character: Character) -> int:
    """The same, for an entry that pays it: a rule of the table that computes it is noted."""
    usual = NEW_FEATURE_PRICE if point is FEATURE else TURN_FLAW_PRICE
    return answer(play, point, usual, character.id)


def priced(play: Table, option: Option) -> Option:
    """A proposal with its price in marks, if it has one and all characters of the player pay the same."""
    point = {"new feature": FEATURE, "turn flaw": FLAW}.get(option.verb)
    if point is None:
        return option
    prices = {price_of(play, point, character) for character in play.state.of(option.by)}
    return option._replace(price=(prices.pop(), MARK) if len(prices) == 1 else None)


class NewFeature(Action):
    """Two marks buy a new Feature in place of a present one."""

    verb = "new feature"
    about_whom = "{who}"
    also = ("improve", "advance")
    decides = Decides("owner")
    offered = Offered("Z35", "buy a new Feature")
    example = (
        "new feature: speaks for the drowned\n  by: Oriel\n  replaces: owes the drowned a debt\n"
        "  kind: background"
    )
    feature = main(TEXT, "the new Feature")
    replaces = option(TEXT, "the Feature that goes")
    kind = option(label(NAME), "drive, trait, background, skill or possession")
    pays = option(WHOLE, "marks paid; checked, never needed", checked=True)
    advantage = option(label(NAMES), "established advantages handed in as payment", default=())

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for character in play.state.characters.values():
            for old in character.present():
                kept = [feature.kind for feature in character.present() if feature is not old]
                # A kind that is not there yet leaves as many kinds as there were, whatever the table reads.
                fresh = [kind for kind in KINDS if kind not in kept]
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

    @guard("T56", Finding.UNREADABLE)
    def belongs_to_a_character(self, play: Table) -> Violation | None:
        return nobodys(play, "Feature")

    @question("ZA9", at="advantage")
    def only_marks_pay(self, play: Table) -> str | None:
        if not self.advantage or acting(play) is None or play.ruling("earned_means") != "marks":
            return None
        return "an established advantage is handed in; only earned dice, marks, buy Features"

    @guard("Z31")
    def advantages_are_held(self, play: Table) -> Iterator[Violation]:
        character = acting(play)
        handed_in: list[Advantage] = []
        if character is None:
            return
        for word in self.advantage:
            held = held_advantage(character, word)
            wrong = not_held(play, character, word)
            if wrong is not None:
                yield wrong
            elif held is not None and held in handed_in:
                yield Violation(f"the advantage '{held.text}' is handed in twice", word)
            elif held is not None:
                handed_in.append(held)

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
        )

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
            play, character, self.due(price) if self.pays is None else self.pays, price
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
        kept = [each for each in character.present() if each is not old and each.origin != "turned"]
        kinds = [*(each.kind for each in kept), plain(self.kind or "")]
        left = len({*kinds})
        if len(kinds) != FEATURES or "" in kinds or left >= LEAST_KINDS:
            return None
        message = f"{character.name}'s Features are of {plural(left, 'kind')} only"
        if reading == "must":
            return Violation(message)
        return Violation(message, rule="ZA10", finding=Finding.SUSPICIOUS)

    def apply(self, play: Table) -> None:
        character = acting(play)
        if character is None:
            return
        why = f"new Feature: {self.feature}"
        for word in self.advantage:
            erase_advantage(play, character, word, why, "features", "Z35")
        old = self.replaced(character)
        due = self.due(set_price(play, FEATURE, character))
        pay_marks(play, character, due if self.pays is None else self.pays, "Z35", why)
        made = Feature(str(self.feature), plain(self.kind or ""), play.step.index, origin="bought")
        if old is not None:
            old.gone = play.step.index
            old.replaced_by = made.text
            made.main = old.main
        elif self.replaces is not None and is_flaw(character, self.replaces):
            character.flaw_gone = play.step.index
        character.features.append(made)
        gone = f" in place of '{old.text}'" if old is not None else ""
        play.event(
            f"{character.name} has a new Feature: {made.text}{gone}", "Z35", "buys", character.id
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
    pays = option(WHOLE, "marks paid; checked, never needed", checked=True)

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

    @guard("T56", Finding.UNREADABLE)
    def belongs_to_a_character(self, play: Table) -> Violation | None:
        return nobodys(play, "flaw")

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
        return too_few_marks(play, character, price if self.pays is None else self.pays, price)

    def apply(self, play: Table) -> None:
        character = acting(play)
        if character is None:
            return
        price = set_price(play, FLAW, character)
        paid = price if self.pays is None else self.pays
        pay_marks(play, character, paid, "Z36", f"the flaw turns: {self.into}")
        old = character.flaw
        character.flaw_gone = character.flaw_gone or play.step.index
        gives_die = play.ruling("fifth_positive") == "ordinary"
        character.features.append(
            Feature(
                str(self.into),
                plain(self.kind or ""),
                play.step.index,
                origin="turned",
                gives_die=gives_die,
            )
        )
        play.event(
            f"{character.name}'s flaw '{old}' becomes '{self.into}'", "Z36", "turns", character.id
        )
