"""Advantage dice: established and erased, earned by trouble, spent on rolls and Features (Z31 to Z36)."""

from __future__ import annotations

from chronicle.core.diagnostic import Finding, plural
from chronicle.core.fix import drop_key, set_key, write_instead, write_word
from chronicle.core.house import Point, answer
from chronicle.core.source import Word
from chronicle.games.playset_zero.actions import Mark, NewFeature, Offer, TurnFlaw
from chronicle.games.playset_zero.computed import FEATURE, FLAW
from chronicle.games.playset_zero.making import kind_of
from chronicle.games.playset_zero.state import (
    ADVANTAGE,
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
    character,
    feature_of,
    features_hint,
    is_flaw,
    pick,
)


def marks_of(play: Table, who: Character) -> int:
    """Earned advantage dice that a character has left."""
    return play.balance(f"marks:{who.id}", MARK)


def price_of(play: Table, what: Point, who: Character) -> int:
    """The marks that a new Feature costs, or to turn the flaw."""
    usual = NEW_FEATURE_PRICE if what is FEATURE else TURN_FLAW_PRICE
    return answer(play, what, usual, who.id)


# --- established advantages -----------------------------------------------------------------------


def establish(play: Table, roll: RollRecord, who: Character, text: str) -> None:
    """Z27: a hit becomes something written on the sheet."""
    gained = Advantage(text, who.id, play.step.index, roll.number)
    who.advantages.append(gained)
    roll.gained.append(gained)
    play.move("hits", f"advantages:{who.id}", 1, ADVANTAGE, "Z27", text)
    play.event(f"{who.name} establishes an advantage: {text}", "Z27", "establishes", who.id)


def use_advantage(play: Table, who: Character, word: Word, why: str, target: str, rule: str) -> str:
    """Z31: take an established advantage off the sheet. Gives its text; what is no such thing is
    reported and counts all the same, because the table played it so."""
    held = who.held()
    meant = pick(word, [(a.text,) for a in held])
    if meant:
        advantage = held[meant[0]]
        advantage.used = play.step.index
        advantage.used_for = why
        play.move(f"advantages:{who.id}", target, 1, ADVANTAGE, rule, advantage.text)
        play.event(f"{who.name} erases the advantage '{advantage.text}'", "Z31", "erases", who.id)
        return advantage.text
    gone = [a for a in who.advantages if a.used]
    before = pick(word, [(a.text,) for a in gone])
    if before:
        old = gone[before[-1]]
        play.illegal(
            "Z31",
            f"{who.name}'s advantage '{old.text}' has been used and erased",
            at=word,
            facts=(play.because(old.used, "used here"),),
        )
        return old.text
    strangers = [
        (other, a)
        for other in play.state.characters.values()
        if other is not who
        for a in other.held()
        if pick(word, [(a.text,)])
    ]
    if strangers:
        owner, theirs = strangers[0]
        play.illegal(
            "Z31",
            f"the advantage '{theirs.text}' is {owner.name}'s, not {who.name}'s",
            at=word,
            facts=(play.because(theirs.step, "established here"),),
        )
        return str(word)
    play.illegal(
        "Z31",
        f"{who.name} has never established an advantage '{word}'"
        + play.names.suggest(word, [a.text for a in held]),
        at=word,
        after=(f"advantages:{who.id}",),
        fix=play.names.spellings(word, [a.text for a in held]),
        help="a circumstance of the moment is written  because: ...",
    )
    return str(word)


# --- marks ----------------------------------------------------------------------------------------


def _blamed(play: Table, who: Character, word: Word | None, what: str) -> str:
    """The Feature that got somebody into trouble, in its own words (Z32, Z33)."""
    if word is None or not word.strip():
        play.illegal(
            "Z32",
            f"no Feature is to blame; {what} is earned by trouble that a Feature leads into",
            fix=[set_key("from", one.text) for one in who.present()],
            help="or the flaw",
        )
        return ""
    meant = feature_of(who, word)
    if meant:
        return meant[0].text
    if is_flaw(who, word):
        play.suspect(
            play.ruling("flaw_marks") == "no",
            "ZA13",
            f"trouble through the flaw '{who.flaw}' earns no mark by this table's ruling",
            at=word,
        )
        return who.flaw
    play.illegal(
        "Z32", f"{who.name} has no Feature '{word}'{features_hint(who, word, flaw=True)}", at=word
    )
    return str(word)


def _earn(play: Table, who: Character, why: str, feature: str, *, offered: bool) -> None:
    rule = "Z33" if offered else "Z32"
    who.marks.append(MarkEntry(play.step.index, 1, why, feature, offered))
    play.move("trouble", f"marks:{who.id}", 1, MARK, rule, why)
    have = plural(marks_of(play, who), "mark")
    blame = f" because of '{feature}'" if feature else ""
    play.event(f"{who.name} earns a mark{blame}: {have}", rule, "marks", who.id)


def mark(play: Table, action: Mark) -> None:
    """Z32: something stupid, desperate or irrational because of a Feature."""
    who = acting(play)
    play.step.headline = f"{who.name if who else 'Somebody'} gets into trouble"
    if who is None:
        play.unreadable("T56", "whose mark is this?", fix=set_key("by"))
        return
    play.require(
        action.act is not None and bool(action.act.strip()),
        "Z32",
        "a mark is earned by an act that gets the character into trouble; none is written",
        fix=set_key("mark"),
    )
    feature = _blamed(play, who, action.from_, "a mark")
    _earn(play, who, str(action.act or ""), feature, offered=False)


def offer(play: Table, action: Offer) -> None:
    """Z33: the GM offers an advantage die; accepted, it is earned the same way."""
    who = character(play, action.to)
    play.step.headline = f"An offer to {who.name if who else action.to}"
    if who is None:
        return
    feature = _blamed(play, who, action.from_, "an advantage die")
    due = 0 if action.refused else 1
    earned = due if action.earns is None else action.earns
    if earned > due:
        play.illegal(
            "Z33",
            f"{who.owner} refused, so {who.name} earns no mark"
            if action.refused
            else f"an accepted offer earns one mark, not {earned}",
            at="earns",
        )
    elif earned < due:
        play.report(
            Finding.BOOKKEEPING,
            "Z33",
            f"{who.owner or 'The player'} accepted, so {who.name} earns a mark",
            at="earns",
            fix=set_key("refused", "yes", when="if the offer was declined"),
        )
    if action.refused:
        play.state.offers_refused.append(
            MarkEntry(play.step.index, 0, str(action.act), feature, True)
        )
        play.state.refusers.append(who.id)
        play.event(f"{who.owner or 'The player'} declines for {who.name}", "Z33", "refuses", who.id)
    for _ in range(min(max(earned, 0), 5)):
        _earn(play, who, str(action.act), feature, offered=True)


def spend_marks(play: Table, who: Character, count: int, why: str) -> int:
    """Z34: earned dice for a roll. Gives how many come in."""
    if count < 1:
        return 0
    have = marks_of(play, who)
    play.pay(
        f"marks:{who.id}",
        "rolls",
        count,
        MARK,
        "Z34",
        why,
        message=f"{who.name} has {plural(have, 'mark')} and spends {count}",
        help="a mark is earned by trouble:  mark: the act  /  from: the Feature",
    )
    who.marks.append(MarkEntry(play.step.index, -count, why))
    dice = plural(count, "advantage die", "advantage dice")
    play.event(f"{who.name} spends {plural(count, 'mark')}: {dice}", "Z34", "spends", who.id)
    return count


# --- buying Features ------------------------------------------------------------------------------


def _pay(
    play: Table, who: Character, stated: int | None, due: int, price: int, rule: str, why: str
) -> None:
    paid = due if stated is None else max(0, stated)
    key = f"marks:{who.id}/{MARK}"
    fair = play.require(
        paid == due,
        rule,
        f"this costs {plural(price, 'mark')}, not {paid}",
        at="pays",
        fix=(drop_key("pays"), write_word(due)),
    )
    have = marks_of(play, who)
    if not fair:
        play.taint(key)
    play.pay(
        f"marks:{who.id}",
        "features",
        paid,
        MARK,
        rule,
        why,
        message=f"{who.name} has {plural(have, 'mark')}; this costs {price}",
        help="a mark is earned by trouble:  mark: the act  /  from: the Feature",
    )
    if paid:
        who.marks.append(MarkEntry(play.step.index, -paid, why))


def new_feature(play: Table, action: NewFeature) -> None:
    """Z35: two marks, a new Feature, and a present one goes."""
    who = acting(play)
    play.step.headline = f"A new Feature: {action.feature}"
    if who is None:
        play.unreadable("T56", "whose Feature is this?", fix=set_key("by"))
        return
    why = f"new Feature: {action.feature}"
    handed = 0
    if action.advantage:
        play.suspect(
            play.ruling("earned_means") == "marks",
            "ZA9",
            "an established advantage is handed in; only earned dice, marks, buy Features",
            at="advantage",
        )
        for word in action.advantage:
            use_advantage(play, who, word, why, "features", "Z35")
            handed += 1
    old = _replaced(play, action, who)
    kind = kind_of(play, action.kind)
    price = price_of(play, FEATURE, who)
    _pay(play, who, action.pays, max(0, price - handed), price, "Z35", why)
    made = Feature(str(action.feature), kind, play.step.index, origin="bought")
    if old is not None:
        old.gone = play.step.index
        old.replaced_by = made.text
        if old.main:
            play.suspect(
                play.ruling("replace_main") == "forbidden",
                "ZA11",
                f"'{old.text}' is the Main Feature and stays by this table's ruling",
                at="replaces",
            )
            made.main = True
    who.features.append(made)
    gone = f" in place of '{old.text}'" if old is not None else ""
    play.event(f"{who.name} has a new Feature: {made.text}{gone}", "Z35", "buys", who.id)
    _kinds_left(play, who)


def _replaced(play: Table, action: NewFeature, who: Character) -> Feature | None:
    word = action.replaces
    if word is None:
        play.illegal(
            "Z35",
            f"no Feature goes; a new one replaces a present one, and {who.name} would have "
            f"{len(who.present()) + 1}",
            at="main",
            fix=[set_key("replaces", one.text) for one in who.present()],
        )
        return None
    meant = feature_of(who, word)
    if meant:
        return meant[0]
    if is_flaw(who, word):
        play.illegal(
            "Z36",
            "the flaw is not replaced for two marks; it takes five",
            at=word,
            fix=write_instead("turn flaw: ..."),
        )
        who.flaw_gone = play.step.index
        return None
    gone = [f for f in who.features if f.gone and pick(word, [(f.text,)])]
    play.illegal(
        "Z35",
        f"{who.name} has no Feature '{word}' to replace{features_hint(who, word)}",
        at=word,
        facts=(play.because(gone[0].gone, "replaced here"),) if gone else (),
    )
    return None


def _kinds_left(play: Table, who: Character) -> None:
    four = [f for f in who.present() if f.origin != "turned"]
    if len(four) != 4 or any(not f.kind for f in four):
        return
    kinds = {f.kind for f in four}
    if len(kinds) >= LEAST_KINDS:
        return
    message = f"{who.name}'s Features are of {plural(len(kinds), 'kind')} only"
    place = play.step.action.place("kind")
    reading = play.ruling("kinds_after")
    play.suspect(reading == "warn", "ZA10", message, at=place)
    play.require(reading != "must", "Z8", message, at=place)


def turn_flaw(play: Table, action: TurnFlaw) -> None:
    """Z36: five marks turn the flaw into something positive."""
    who = acting(play)
    play.step.headline = f"The flaw turns: {action.into}"
    if who is None:
        play.unreadable("T56", "whose flaw is this?", fix=set_key("by"))
        return
    play.require(
        bool(who.flaw) and not who.flaw_gone,
        "Z36",
        f"{who.name} has no flaw left to turn",
        at="main",
        facts=play.facts(who.flaw_gone, "turned here"),
    )
    kind = kind_of(play, action.kind)
    price = price_of(play, FLAW, who)
    _pay(play, who, action.pays, price, price, "Z36", f"the flaw turns: {action.into}")
    old = who.flaw
    who.flaw_gone = who.flaw_gone or play.step.index
    who.features.append(
        Feature(
            str(action.into),
            kind,
            play.step.index,
            origin="turned",
            gives_die=play.ruling("fifth_positive") == "ordinary",
        )
    )
    play.event(f"{who.name}'s flaw '{old}' becomes '{action.into}'", "Z36", "turns", who.id)
