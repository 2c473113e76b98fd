"""Helping and hindering, an optional rule: two dice before the main roll, one aim, one own danger (Z40 to Z44)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAME, TEXT, EitherOf, MapOf, OneOrMany, in_role
from chronicle.core.fix import BLANK, add_entry, replace_with, set_key, write_word
from chronicle.core.game_context import only_for_readers
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import answer, expected
from chronicle.core.law import TABLE, Decider, Need, Role
from chronicle.core.names import PLAYER, only_words
from chronicle.core.odds import percent
from chronicle.core.record import Contest
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.playset_zero.calling import dangers_missing
from chronicle.games.playset_zero.chances import any_at_least
from chronicle.games.playset_zero.dice import (
    THROW,
    Ask,
    FacesByDie,
    Fallen,
    SetsOut,
    Throws,
    dice_rolled,
    is_recorded,
    least_hit,
    note_throws,
    side_of,
)
from chronicle.games.playset_zero.hits import (
    Buys,
)
from chronicle.games.playset_zero.marks import establish
from chronicle.games.playset_zero.purchases import (
    SPEND,
    Purchase,
    Spending,
    an,
    falls_short,
    names_of,
    purchases_of,
    wants_of,
)
from chronicle.games.playset_zero.state import (
    MEANS_CHARACTER,
    WITHOUT_WORDS,
    EffortRecord,
    Item,
    Payment,
    Pool,
    RollRecord,
    Stage,
)
from chronicle.games.playset_zero.table import (
    Table,
    acting,
    called,
    in_force,
    is_absent,
    not_in_force,
    other_participants,
    pick,
)

RULES = """
# Optional rules
Z40 One aim [checked; V46]
  A helper or hinderer says what they do and chooses one aim: the goal reached or missed, or one danger avoided or
  brought about. It does not change once dice lie. (Option helping.)
Z41 Helping [checked; V40 V41]
  A helper rolls two dice, with Features as usual, and faces one danger that the GM names. Hits go to their own danger
  or to the aim, nowhere else. (Option helping.)
Z42 Hindering [checked; V42 V43]
  A hinderer rolls two dice, with Features as usual, and faces one danger that the hindered person names. One die
  may go to their own danger, one to the hindrance; no die does both. (Option helping.)
Z43 Beating a hindrance [checked; V44]
  What is hindered takes a hit from a die that is higher than the hindering one. An equal die is not enough. (Option
  helping.)
Z44 Before the main roll [checked; V45]
  Helpers and hinderers roll first. (Option helping.)
"""

READINGS = """
ZA14 helper_challenge: Must a helper's die show 6 to buy the goal of a Challenge?
  - yes: yes, like everybody's
  - no: no, any hit of a helper's does
  because no lesser die buys such a goal (Z39, Z41)
ZA15 helper_vs_hinder: Must a helper's die beat the hindering die?
  - yes: yes
  - no: no, any hit of a helper's does
  because it buys the same (Z41, Z43)
ZA16 hinder_items: May one hinderer work against the goal and a danger at once?
  - one: no, one aim
  - both: yes, with one die on each
  because one aim is to be chosen (Z40, Z42)
ZA17 hinder_two: May both dice of a hinderer go to the hindrance?
  - higher: yes; the higher counts, and their own danger comes true
  - one: no, the second is for their own danger
  because dice are allotted freely (Z42)
ZA18 hinder_hit: Must a hinderer's dice be hits?
  - own-hit: the die against their own danger must; the hindering one may be any (below 5 it changes nothing)
  - both-hit: both must
  - free: neither must
  because a danger is avoided by a hit, and the text allots dice, not hits (Z42)
ZA19 help_dice: What do Features and advantages do to the two dice of helpers and hinderers?
  - as-usual: d8 and d10 take the place of white dice, red dice are added
  because the dice are adjusted as usual (Z41, Z42)
ZA20 gm_helper_danger: The GM helps. Who names the danger?
  - third: the third participant
  - helped: the player who is helped
  because the GM cannot very well threaten the GM (Z41)
ZA21 hinderer_names: Does a hinderer still name one of the two dangers?
  - yes: yes
  because each of the other two names one (Z15, Z42)
ZA22 several_hinderers: Several players hinder the same aim. Which die has to be beaten?
  - each: each of them
  - first: the die of the first hinderer
  because each effort counts for itself (Z43)
ZA24 aims: The four aims stand in one list. May a helper choose harm?
  - own: no: helpers choose the aims that help, hinderers those that harm
  because the list serves both (Z40)
ZA25 hinder_spare: May a hinderer's hits do anything else?
  - no: no
  - yes: yes, a spare hit may establish an advantage
  because two uses are given (Z42)
ZA26 help_presence: May a player help or hinder whose character is not in the scene?
  - suspect: it is noted
  - free: yes
  because the text is silent (Z40)
"""

ERRATA = """
ZT2 Which die showed the six? [Z42 Z43]
  The only worked roll gives two faces, 3 and 6, for a white die and a d8, and does not say which showed which. Both
  readings lead to the same result, so nothing is wrong; a log of the same moment names the dice.
"""

TERMS = """\
Help [Z41]: To roll two dice for another character's aim, and face a danger of one's own.
"""

TWO: Final = 2

# --- the roll, the helper, and the danger ---------------------------------------------------------


def roll_beside(play: Table) -> RollRecord | None:
    """The roll to help or hinder: the running roll, or the last roll, for which it is too late."""
    roll = play.state.running()
    if roll is None and play.state.call is None:
        last = play.state.roll()
        roll = last if last is not None and last.stage is Stage.SETTLED else None
    return roll


def player_beside(play: Table) -> str:
    """The player who helps or hinders with this entry."""
    character = acting(play)
    return character.owner if character is not None else play.step.player


def danger_author(play: Table) -> str:
    """The player who names the danger to a helper or hinderer: the hindered player (Z42), the GM (Z41), and another
    player if the GM helps (ZA20)."""
    roll, player = roll_beside(play), player_beside(play)
    if roll is None:
        return ""
    if isinstance(play.step.action, Hinder):
        return roll.player
    if player != play.runner:
        return play.runner
    third = [name for name in other_participants(play, player) if name != roll.player]
    if play.ruling("gm_helper_danger") == "helped" or not third:
        return roll.player
    return third[0]


def _roller(play: Table) -> str:
    roll = roll_beside(play)
    return roll.character if roll is not None else ""


ROLES: Mapping[str, Role] = {
    "threatens": Role("who names the danger", "name a danger", resolves_to=PLAYER),
    "beside": Role(
        "a helper or hinderer",
        "",
        (
            Need(
                "not the roller",
                "Z40",
                lambda play, id: id != _roller(play),
                "{who} rolls already; help and hindrance are for another character's roll",
            ),
        ),
        MEANS_CHARACTER,
    ),
}

ACTORS: Mapping[str, Decider] = {
    "helper": TABLE._replace(words="the helper or hinderer: name the character with by"),
}


# --- spending -------------------------------------------------------------------------------------


class BuysBeside(Buys):
    """An entry that may say where the dice of a helper or hinderer go."""

    def dice_laid(
        self, play: Table
    ) -> Iterator[tuple[EffortRecord, Spending, Purchase, Item | None]]:
        """The dice of a helper or hinderer, each with the question of the roll that it is laid on."""
        spending = self.spending(play)
        effort = spending.effort if spending is not None else None
        if spending is not None and effort is not None:
            for purchase in purchases_of(play, spending):
                yield effort, spending, purchase, purchase.item

    @guard("Z40")
    def dice_go_to_the_aim(self, play: Table) -> Iterator[Violation]:
        for effort, spending, purchase, item in self.dice_laid(play):
            aims = [spending.roll.items[index] for index in effort.aims]
            is_new = effort.step == play.step.number
            if item is None or item in aims or (is_new and not aims):
                # Another guard says that an entry has no aim.
                continue
            aimed_at = listed(f"'{aim.text}'" for aim in aims)
            yield Violation(
                f"{effort.name}'s aim was {aimed_at}; it does not change after the roll"
                if aims
                else f"{effort.name} chose no aim",
                purchase.claim.word,
                facts=() if is_new else play.facts(effort.step, "chosen here"),
                after=(f"aim:{spending.roll.number}:{effort.number}",),
                doubts=[spending.doubt],
            )

    @guard("Z41")
    def no_die_is_kept(self, play: Table) -> Iterator[Violation]:
        for effort, _, purchase, _ in self.dice_laid(play):
            if purchase.claim.advantage is None:
                continue
            if not effort.hinders:
                yield Violation(
                    "a helper's hit is kept as an advantage; it goes to their own danger or to the help",
                    purchase.claim.word,
                )
            elif play.ruling("hinder_spare") == "no":
                yield Violation(
                    "a hinderer's dice go to their own danger or to the hindrance, nowhere else",
                    purchase.claim.word,
                    rule="ZA25",
                    kind=DiagnosticKind.SUSPICIOUS,
                )

    @guard("Z24")
    def own_danger_takes_a_hit(self, play: Table) -> Iterator[Violation]:
        for effort, _, purchase, _ in self.dice_laid(play):
            face = purchase.face
            if not purchase.claim.own or not 0 < face < effort.pool.hit:
                continue
            message = f"{an(face)} is no hit and does not avoid {effort.name}'s own danger"
            if not effort.hinders:
                yield Violation(message, purchase.claim.die)
            elif play.ruling("hinder_hit") != "free":
                yield Violation(
                    message, purchase.claim.die, rule="ZA18", kind=DiagnosticKind.SUSPICIOUS
                )

    @guard("Z24")
    def help_takes_a_hit(self, play: Table) -> Iterator[Violation]:
        for effort, _, purchase, item in self.dice_laid(play):
            if effort.hinders or item is None or not 0 < purchase.face < effort.pool.hit:
                continue
            message = f"{an(purchase.face)} is no hit; a die of {effort.pool.hit} or more is"
            yield Violation(message, purchase.claim.die)

    @question("ZA18")
    def hindrance_takes_a_hit(self, play: Table) -> Iterator[Violation]:
        for effort, _, purchase, item in self.dice_laid(play):
            if not effort.hinders or item is None or not 0 < purchase.face < effort.pool.hit:
                continue
            if play.ruling("hinder_hit") == "both-hit":
                yield Violation(
                    f"{an(purchase.face)} is no hit and does not hinder by this table's ruling",
                    purchase.claim.die,
                )

    @question("ZA17")
    def one_die_hinders(self, play: Table) -> Iterator[Violation]:
        laid = [
            purchase
            for effort, _, purchase, item in self.dice_laid(play)
            if effort.hinders and item is not None
        ]
        for purchase in laid[1:]:
            if play.ruling("hinder_two") == "one":
                yield Violation(
                    "both dice on the hindrance; by this table's ruling one is for their own danger",
                    purchase.claim.die,
                )

    @question("ZA14")
    def help_beats_a_challenge(self, play: Table) -> Iterator[Violation]:
        why = "{face} cannot buy the goal of a Challenge, not for a helper either"
        yield from self._hits_in_vain(play, "ZA14", why)

    @question("ZA15")
    def help_beats_a_hindrance(self, play: Table) -> Iterator[Violation]:
        why = "{face} does not beat the hindering die, not for a helper either"
        yield from self._hits_in_vain(play, "ZA15", why)

    def _hits_in_vain(self, play: Table, ruling: str, message: str) -> Iterator[Violation]:
        """The hits that do not buy their question by a ruling; ``{face}`` in the message is the die."""
        for effort, spending, purchase, _ in self.dice_laid(play):
            face = purchase.face
            if falls_short(play, spending, purchase) != ruling or 0 < face < effort.pool.hit:
                continue
            words = an(face) if face else "a hit of these dice"
            at = purchase.claim.die if purchase.claim.die.strip() else purchase.claim.word
            yield Violation(message.format(face=words), at)

    @question("Z25")
    def help_is_still_needed(self, play: Table) -> Iterator[Violation]:
        for effort, spending, purchase, item in self.dice_laid(play):
            if effort.hinders or item is None or not purchase.buyer:
                continue
            if not falls_short(play, spending, purchase):
                yield Violation(
                    f"{purchase.buyer} has bought this already",
                    purchase.claim.die,
                    rule="Z25" if item.goal else "Z26",
                )


def spend_effort(play: Table, spending: Spending, effort: EffortRecord) -> None:
    """Z41, Z42: dice go to their own danger or to the aim. A purchase against the rules counts: the log wins."""
    effort.spent = play.step.number
    effort.wants += wants_of(play, spending)
    for purchase in purchases_of(play, spending):
        claim, item = purchase.claim, purchase.item
        if purchase.die is not None:
            purchase.die.use = purchase.die.use or claim.use
        character = play.state.characters.get(effort.character)
        if claim.advantage:
            if character is not None:
                establish(play, spending.roll, character, claim.advantage)
        elif claim.own and effort.danger is not None:
            effort.danger.paid = _payment(effort, purchase)
        elif item is not None and effort.hinders:
            _hinder(play, effort, item, purchase.face)
        elif item is not None and not purchase.buyer and not falls_short(play, spending, purchase):
            item.paid = _payment(effort, purchase)
            effort.effect = f"buys '{item.text}' with {item.paid}"
            play.event(
                f"{effort.name} buys '{item.text}' for {spending.roll.name} with {item.paid}",
                "Z41",
                "helps with",
                effort.character,
            )
    close_effort(play, effort)


def _payment(effort: EffortRecord, purchase: Purchase) -> Payment:
    face = purchase.face
    return Payment(an(face) if face else "a hit", effort.name, face)


def _hinder(play: Table, effort: EffortRecord, item: Item, face: int) -> None:
    """Z43: a hit for this question has to beat the die."""
    item.bars[effort.number] = max(item.bars.get(effort.number, 0), face)
    effort.effect = f"'{item.text}' takes a die above {item.bars[effort.number]}"
    play.event(
        f"{effort.name} hinders with {face}: '{item.text}' takes a hit above {face}",
        "Z43",
        "bars",
        effort.character,
    )


def close_effort(play: Table, effort: EffortRecord) -> None:
    """The dice are spent: their own danger stays away, or comes true."""
    effort.spent = play.step.number
    danger = effort.danger
    if danger is None:
        return
    danger.well = danger.paid is not None
    if danger.well:
        text, kind = f"{effort.name} avoids: {danger.text}", "avoided"
    else:
        text, kind = f"Comes true for {effort.name}: {danger.text}", "comes true"
    play.event(text, effort.rule, kind, effort.character)


# --- the two dice ---------------------------------------------------------------------------------


def a_hit(pool: Pool) -> str:
    """The chance that the dice of a helper or hinderer hit."""
    return f"at least one hit {percent(any_at_least(pool.counts(), pool.hit))}"


def with_dice(
    play: Table,
    effort: EffortRecord,
    pool: Pool,
    faces: FacesByDie | None,
    ask: Ask = expected,
    hits_said: int | None = None,
) -> EffortRecord:
    """Help or hindrance after its dice have fallen. ``hits_said``: how many of them hit, if the log says it."""
    least = least_hit(play, pool, effort.character or effort.player, ask)
    return replace(
        effort,
        pool=replace(pool, hit=least),
        dice=dice_rolled(faces, least),
        unrecorded=not is_recorded(faces),
        hits_said=hits_said,
        rolled=play.step.number,
    )


def show_effort(play: Table, roll: RollRecord, effort: EffortRecord) -> None:
    """Tell how the two dice fell."""
    play.step.player = play.step.player or effort.player
    if effort.unrecorded:
        play.event(f"{effort.name}'s faces were not written down", "Z44", "unrecorded")
        return
    note_throws(play, effort.dice, effort.player)
    hits = sum(die.hit for die in effort.dice)
    play.event(
        f"{effort.name} {effort.does} with {plural(hits, 'hit')}",
        "Z44",
        "rolls",
        effort.character,
    )
    _show_card(play, roll, effort)


@only_for_readers
def _show_card(play: Table, roll: RollRecord, effort: EffortRecord) -> None:
    """The card of the two dice, with their odds."""
    hits = sum(die.hit for die in effort.dice)
    play.step.contest = Contest(
        f"{effort.name} {effort.does} {roll.name}",
        (side_of(effort.name, effort.player, effort.pool, effort.dice),),
        score=str(hits),
        unit="hit" if hits == 1 else "hits",
        odds=a_hit(effort.pool),
        rule="Z44",
    )


# --- the verbs ------------------------------------------------------------------------------------


class BesideRoll(SetsOut, Throws, BuysBeside):
    """Help or hindrance for another character's roll: two dice, before the main roll."""

    already_shown_kinds = frozenset({"rolls"})
    decides = Decides("helper")
    by = option(
        in_role("beside", NAME),
        "who acts: a player or a character; 'unrecorded' if the record does not say",
    )
    how = option(TEXT, "what is done", text_role=TextRole.SENTENCE)
    roll = option(THROW, "the two dice, if they are rolled in this entry")
    spend = option(SPEND, "what each die buys, if this entry says it")
    danger: ScalarNode | dict[ScalarNode, ScalarNode] | None
    aim: tuple[ScalarNode, ...]
    hinders = False

    # The parts of the entry.

    def name(self, play: Table) -> str:
        """Who helps or hinders."""
        return called(acting(play), player_beside(play))

    @property
    def does(self) -> str:
        """The verb in a sentence."""
        return "hinders" if self.hinders else "helps"

    @property
    def rule(self) -> str:
        """The rule for it."""
        return "Z42" if self.hinders else "Z41"

    @property
    def is_rolled(self) -> bool:
        """Whether the dice are rolled with this entry."""
        return "roll" in self.source

    @property
    def aims(self) -> list[ScalarNode]:
        """The aims that have words."""
        return [word for word in self.aim if word.strip()]

    def items_meant(self, roll: RollRecord, word: ScalarNode) -> list[int]:
        """The questions of a roll that an aim means, by their place."""
        if only_words(word) == "goal" and roll.goals:
            return [0]
        return pick(word, names_of(roll.items))

    def own_danger(self, play: Table) -> Item | None:
        """The danger to the helper or hinderer."""
        if self.danger is None:
            return None
        author, text = danger_author(play), ""
        if isinstance(self.danger, dict):
            for word, danger in [*self.danger.items()][:1]:
                author, text = play.look_up_player(word) or author, str(danger)
        else:
            text = str(self.danger)
        return Item(False, text.strip() or WITHOUT_WORDS, author, play.step.number)

    def draft(self, play: Table, roll: RollRecord, ask: Ask = expected) -> EffortRecord:
        """The help or hindrance as this entry makes it."""
        character, player = acting(play), player_beside(play)
        aimed_at = [self.items_meant(roll, word) for word in self.aims]
        effort = EffortRecord(
            number=len(roll.efforts) + 1,
            step=play.step.number,
            hinders=self.hinders,
            player=player,
            character=character.id if character is not None else "",
            name=self.name(play),
            how=str(self.how or ""),
            aims=tuple(indexes[0] for indexes in aimed_at if len(indexes) == 1),
            danger=self.own_danger(play),
            pool=self.pool(play, TWO),
        )
        return with_dice(play, effort, effort.pool, self.roll, ask) if self.is_rolled else effort

    def fallen(self, play: Table) -> Fallen | None:
        roll = roll_beside(play)
        if roll is None or self.roll is None:
            return None
        effort = self.draft(play, roll)
        return Fallen(
            effort.pool, effort.dice, self.rule, "roll", effort.step, is_recorded(self.roll)
        )

    @property
    def spending_key(self) -> str:
        return "spend"

    def spending(self, play: Table) -> Spending | None:
        roll = roll_beside(play)
        if roll is None or self.spend is None or not self.is_rolled:
            return None
        return Spending(roll, self.draft(play, roll), self.spend)

    # Guards.

    @guard("Z40")
    def helping_is_in_force(self, play: Table) -> Violation | None:
        return not_in_force(play, "helping", f"{self.name(play)} {self.does}")

    @guard("Z40")
    def there_is_a_goal(self, play: Table) -> Violation | None:
        if roll_beside(play) is not None:
            return None
        verb = "hinder" if self.hinders else "help"
        return Violation(
            f"there is no goal yet that {self.name(play)} could {verb}",
            fix=add_entry("goal: ..."),
            since=0,
        )

    @guard("T56", DiagnosticKind.UNREADABLE)
    def somebody_does_it(self, play: Table) -> Violation | None:
        if player_beside(play) or self.by is not None or roll_beside(play) is None:
            return None
        return Violation(f"who {self.does}?", fix=set_key("by"))

    @guard("Z15")
    def dangers_come_first(self, play: Table) -> Violation | None:
        roll = play.state.running()
        return dangers_missing(play, roll) if roll is not None else None

    @guard("Z44")
    def main_roll_comes_later(self, play: Table) -> Violation | None:
        roll = roll_beside(play)
        if roll is None or roll.stage is Stage.GOAL:
            return None
        return Violation(
            f"{self.name(play)} {self.does} after the main roll; helpers and hinderers roll first",
            facts=play.facts(roll.rolled, "rolled here"),
            since=roll.step,
        )

    @guard("Z40")
    def once_a_roll(self, play: Table) -> Violation | None:
        roll, character, player = roll_beside(play), acting(play), player_beside(play)
        if roll is None or (character is None and player in ("", play.runner)):
            # The GM may act for several characters without a name.
            return None
        for effort in roll.efforts:
            is_same = (
                effort.character == character.id
                if character is not None
                else not effort.character and effort.player == player
            )
            if is_same:
                return Violation(
                    f"{self.name(play)} {self.does} a second time in this roll; it is two dice and "
                    "one aim each",
                    facts=play.facts(effort.step, "the first time"),
                    since=roll.step,
                )
        return None

    @question("ZA26", at="by")
    def is_in_the_scene(self, play: Table) -> Violation | None:
        character, scene = acting(play), play.timeline.current
        if character is None or scene is None or not is_absent(play, character):
            return None
        if play.ruling("help_presence") != "suspect":
            return None
        return Violation(
            f"{character.name} {self.does} and is not in this scene",
            facts=(play.because(scene.first_step, "the scene opened here"),),
            fix=add_entry(f"enter: {character.name}"),
        )

    @guard("Z40", at="main")
    def has_one_aim(self, play: Table) -> Violation | None:
        roll, count = roll_beside(play), len(self.aims)
        if roll is None or count == 1:
            return None
        doubts = [f"aim:{roll.number}:{len(roll.efforts) + 1}"]
        if not count:
            return Violation(
                "no aim; choose the goal or one danger",
                fix=(write_word("goal"), *(write_word(danger.text) for danger in roll.dangers)),
                doubts=doubts,
            )
        if self.hinders and play.ruling("hinder_items") == "both":
            return None
        return Violation(f"{count} aims; choose one")

    @guard("T50", DiagnosticKind.UNREADABLE)
    def aims_are_in_this_roll(self, play: Table) -> Iterator[Violation]:
        roll = roll_beside(play)
        for word in self.aims if roll is not None else ():
            aimed_at = self.items_meant(roll, word) if roll is not None else []
            if roll is None or len(aimed_at) == 1:
                continue
            yield Violation(
                f"'{word}' could be the goal or one of several dangers; write more of it"
                if aimed_at
                else f"this roll has neither goal nor danger '{word}'",
                word,
                since=None if aimed_at else roll.step,
                fix=replace_with(("goal", *(danger.text for danger in roll.dangers))),
                doubts=[f"aim:{roll.number}:{len(roll.efforts) + 1}"],
            )

    @guard("Z41")
    def faces_one_danger(self, play: Table) -> Iterator[Violation]:
        if roll_beside(play) is None:
            return
        name, author = self.name(play), danger_author(play)
        if self.danger is None:
            yield Violation(
                f"{name} faces no danger; {author or 'the player'} names one",
                fix=set_key("danger", f"{{{author}: ...}}" if author else BLANK),
                rule=self.rule,
            )
        elif isinstance(self.danger, dict) and len(self.danger) != 1:
            message = f"{name} faces one danger, not {len(self.danger)}"
            yield Violation(message, "danger", rule=self.rule)

    @guard("Z41", at="danger")
    def danger_is_named_by_another(self, play: Table) -> Violation | None:
        if not isinstance(self.danger, dict) or len(self.danger) != 1:
            return None
        ((word, _),) = self.danger.items()
        author, due = play.look_up_player(word), danger_author(play)
        if not author or not due or author == due:
            return None
        if not self.hinders and player_beside(play) == play.runner:
            return Violation(
                f"{author} names the danger of the GM's helper; by this table's ruling {due} does",
                word,
                fix=write_word(due, when=f"if {due} named it"),
                rule="ZA20",
                kind=DiagnosticKind.SUSPICIOUS,
            )
        whose = (
            "the person hindered names the hinderer's"
            if self.hinders
            else "the GM names a helper's"
        )
        return Violation(
            f"{author} names {self.name(play)}'s danger; {whose}: {due}",
            word,
            fix=write_word(due, when=f"if {due} named it"),
            rule=self.rule,
        )

    @guard("Z41")
    def danger_has_words(self, play: Table) -> Iterator[Violation]:
        if self.danger is None or roll_beside(play) is None:
            return
        texts = self.danger if isinstance(self.danger, dict) else {self.danger: self.danger}
        for word, text in texts.items():
            if not text.strip():
                message = f"the danger for {self.name(play)} has no words"
                yield Violation(message, word or "danger", rule=self.rule)

    @guard("Z44", DiagnosticKind.BOOKKEEPING, at="spend")
    def dice_fall_before_they_are_spent(self, play: Table) -> Violation | None:
        if not self.spend or self.is_rolled:
            return None
        return Violation(
            f"the dice of {self.name(play)} are spent, but no entry says that they were rolled",
            fix=set_key("roll", "unrecorded", when="if the faces are not recorded"),
        )

    # The effect.

    def sentence(self, play: Table) -> Sentence:
        character, roll = acting(play), roll_beside(play)
        name = character.id if character is not None else player_beside(play)
        if roll is None:
            return said(f"{{}} {self.does}.", name)
        return said(f"{{}} {self.does} {{}}.", name, roll.character or roll.player)

    def apply(self, play: Table) -> None:
        roll = roll_beside(play)
        if roll is None:
            return
        effort = self.draft(play, roll, answer)
        roll.efforts.append(effort)
        self.pay_for_dice(play, f"{self.does} {roll.name}: {roll.goal}")
        aims = listed(_aim_words(roll.items[index], self.hinders) for index in effort.aims)
        play.event(
            f"{effort.name} {self.does} {roll.name}{': ' + aims if aims else ''}",
            self.rule,
            self.does,
            roll.character,
        )
        if effort.danger is not None:
            text = f"{effort.name} risks: {effort.danger.text}"
            play.event(text, self.rule, "own danger", effort.character)
        if effort.rolled:
            show_effort(play, roll, effort)
            if self.spend is not None:
                spend_effort(play, Spending(roll, effort, self.spend), effort)

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        roll = play.state.running()
        if roll is None or roll.stage is not Stage.GOAL or not in_force(play, "helping"):
            return
        busy = [roll.character, *(effort.character for effort in roll.efforts)]
        number = len(play.steps) + 1
        free = [person for person in play.state.characters.values() if person.id not in busy]
        aims = ["goal" if roll.goals else "", *(danger.text for danger in roll.dangers)]
        for aim in aims:
            for character in free:
                features = character.present()
                usual = features[number % len(features)].text if features else ""
                entry = {
                    cls.verb: aim,
                    "by": character.name,
                    "how": "with both hands",
                    "danger": f"the hand slips, {number}",
                }
                yield entry
                if usual and features[number % len(features)].magic is None:
                    yield {**entry, "use": usual}
                if character.owner != play.runner:
                    yield {**entry, "roll": {"d6": [1 + number % 6, 1 + number // 6 % 6]}}


class Help(BesideRoll):
    """Help another character's roll: two dice, before the main roll. One aim, one own danger."""

    verb = "help"
    synonyms = ("assist", "aid")
    offered = Offered("Z41", "help with the roll")
    example = (
        "help: his throat bleeds\n  by: Oriel\n  how: She beats the time on the helmet\n"
        "  danger: the drowned take it for a call\n  roll: {d6: [5, 6]}\n"
        "  spend: {own danger: 5, his throat bleeds: 6}"
    )
    aim = main(OneOrMany(TEXT), "goal, or the danger to be avoided", default=())
    danger = option(
        EitherOf(
            TEXT,
            MapOf(in_role("threatens", NAME), TEXT),
            words="a danger, or {who names it: danger}",
        ),
        "what may happen to the helper; the GM names it",
    )


class Hinder(BesideRoll):
    """Hinder another character's roll: two dice, before the main roll. One aim, one own danger."""

    verb = "hinder"
    synonyms = ("oppose", "hamper")
    objects = True
    hinders = True
    offered = Offered("Z42", "hinder the roll")
    example = (
        "hinder: goal\n  by: Gil\n  how: The great bell is rung against him\n"
        "  danger: the rope takes him up with it\n  roll: {d6: [6, 2]}\n  spend: {goal: 6}"
    )
    aim = main(OneOrMany(TEXT), "goal, or the danger that shall come true", default=())
    danger = option(
        EitherOf(
            TEXT,
            MapOf(in_role("threatens", NAME), TEXT),
            words="a danger, or {who names it: danger}",
        ),
        "what may happen to the hinderer; the hindered player names it",
    )


def _aim_words(item: Item, hinders: bool) -> str:
    if item.goal:
        return f"to fail at '{item.text}'" if hinders else f"to achieve '{item.text}'"
    return f"so that '{item.text}' happens" if hinders else f"to avoid '{item.text}'"
