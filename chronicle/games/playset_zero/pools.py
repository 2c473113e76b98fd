"""Which dice come in, and whether those are the dice that were rolled (Z4, Z16 to Z23)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from chronicle.core.diagnostic import Fact, Finding, listed, plural
from chronicle.core.dice import Faces, ShownDie
from chronicle.core.fix import drop_item, set_key
from chronicle.core.record import Side, Throw
from chronicle.core.source import Place, ScalarNode
from chronicle.games.playset_zero.actions import SetsOut
from chronicle.games.playset_zero.making import use_magic
from chronicle.games.playset_zero.marks import spend_marks, use_advantage
from chronicle.games.playset_zero.state import COLOURS, SIDES, Character, Feature, Pool, Rolled
from chronicle.games.playset_zero.table import (
    Table,
    called,
    character,
    feature_of,
    features_hint,
    is_flaw,
    pick,
    say_something,
)


def set_out(play: Table, action: SetsOut, who: Character | None, base: int, why: str) -> Pool:
    """The dice of a goal, a helper or a hinderer, with the reason of each."""
    pool = Pool(base)
    features = [f for f in (_feature(play, who, word, pool) for word in action.use) if f]
    _feature_dice(play, action, features, pool)
    magical = [f for f in features if f.magic is not None]
    for feature in magical:
        use_magic(play, feature, action.good_for, action.limited)
    play.suspect(
        not magical and action.good_for is not None and not pool.doubtful,
        "Z37",
        "no magical Feature is used here",
        at="good for",
        after=(f"features:{who.id}",) if who is not None else (),
        help="write its three uses and its limitation first:  magic: the Feature",
    )
    for reason in action.because:
        say_something(play, reason, "Z19", "a circumstance for a red die has no words", reason)
        pool.reds.append(str(reason))
    if len(action.because) > 1:
        play.suspect(
            play.ruling("circumstance_dice") == "one",
            "ZA30",
            f"{len(action.because)} circumstances; together they add one red die",
            at="because",
        )
    if action.advantage:
        _advantages(play, action.advantage, who, why, pool)
    add_marks(play, action.mark, who, why, pool)
    extra = len(action.advantage) + sum(1 for reason in pool.reds if reason == "a mark")
    if extra > 1:
        play.suspect(
            play.ruling("several_marks") == "one",
            "ZA7",
            f"{extra} advantage dice held back are spent on one roll; this table allows one",
            at="advantage",
        )
    if len(pool.reds) > 1:
        play.suspect(
            play.ruling("red_cap") == "one",
            "ZA5",
            f"{len(pool.reds)} red dice; this table rolls at most one",
        )
    return pool


def _feature(play: Table, who: Character | None, word: ScalarNode, pool: Pool) -> Feature | None:
    if who is not None:
        meant = feature_of(who, word)
        if len(meant) == 1:
            if who.npc and play.ruling("gm_features") == "none":
                play.suspect(
                    True,
                    "ZA3",
                    f"{who.name} is the GM's and rolls without Features by this table's ruling",
                    at=word,
                )
            return meant[0]
        if meant:
            pool.doubtful = True
            play.unreadable(
                "T50",
                f"'{word}' could be {listed((f.text for f in meant), 'or')}; write more of it",
                at=word,
            )
            return None
        if is_flaw(who, word):
            play.suspect(
                True,
                "Z11",
                f"'{who.flaw}' is {who.name}'s flaw; it usually gives no advantage",
                at=word,
            )
            return Feature(who.flaw, "flaw", play.step.index)
    if who is None or who.npc:
        if play.ruling("gm_features") != "free":
            play.suspect(
                True,
                "ZA3",
                f"no Feature '{word}' of {called(who, play.step.player)} was written down before "
                "this roll",
                at=word,
                help="character: Name  /  npc: yes  /  features: {...}",
            )
        return Feature(str(word), "", play.step.index)
    pool.doubtful = True
    gone = [f for f in who.features if f.gone and pick(word, [(f.text,)])]
    play.illegal(
        "Z17",
        f"{who.name}'s Feature '{gone[0].text}' was replaced by '{gone[0].replaced_by}'"
        if gone
        else f"{who.name} has no Feature '{word}'{features_hint(who, word)}",
        at=word,
        facts=(play.because(gone[0].gone, "replaced here"),) if gone else (),
        help="a circumstance that is no Feature is written  because: ...",
        after=(f"features:{who.id}",),
    )
    return None


def _feature_dice(play: Table, action: SetsOut, features: list[Feature], pool: Pool) -> None:
    giving = [feature for feature in features if feature.gives_die]
    for feature in features:
        play.suspect(
            not feature.gives_die,
            "ZA12",
            f"'{feature.text}' was the flaw and gives no die by this table's ruling",
            at="use",
        )
    if len(giving) > 1:
        play.suspect(
            action.for_ is None,
            "Z20",
            f"{len(giving)} Features without a strong case; normally the most applicable counts",
            at="use",
            fix=set_key("for"),
        )
    mains = [f for f in giving if f.main]
    ordinary = [f for f in giving if not f.main]
    pool.used = [f.text for f in giving]
    if mains:
        pool.d10 = mains[0].text
    if ordinary:
        pool.d8 = ordinary[0].text
    further = ordinary[1:]
    if len(giving) > 2 and play.ruling("more_features") == "two":
        play.suspect(
            True,
            "ZA4",
            f"{len(giving)} Features; by this table's ruling at most two count",
            at="use",
        )
        further = further[: 0 if mains else 1]
    pool.reds.extend(f"Feature: {f.text}" for f in further)


def _advantages(
    play: Table, words: tuple[ScalarNode, ...], who: Character | None, why: str, pool: Pool
) -> None:
    for word in words:
        if who is None:
            play.unreadable("T56", f"whose advantage is '{word}'?", at=word)
        else:
            text = use_advantage(play, who, word, why, "rolls", "Z31")
            pool.reds.append(f"advantage: {text}")


def add_marks(
    play: Table,
    stated: int | dict[ScalarNode, int] | None,
    who: Character | None,
    why: str,
    pool: Pool,
) -> None:
    """Z34: marks spent on a roll, each one red die. ZA8: another character's marks do not help."""
    match stated:
        case None:
            return
        case int(count):
            payers: list[tuple[Character | None, int]] = [(who, count)]
        case _:
            payers = []
            for word, count in stated.items():
                payer = character(play, word)
                if payer is not None and payer is not who:
                    play.suspect(
                        play.ruling("mark_for_others") == "no",
                        "ZA8",
                        f"{payer.name}'s marks do not help {called(who, play.step.player)}",
                        at=word,
                        fix=drop_item(str(word)),
                        help="help:  has a rule of its own",
                    )
                payers.append((payer, count))
    for payer, count in payers:
        if payer is None:
            play.unreadable("T56", "whose marks are these?", at="mark", fix=set_key("by"))
            continue
        pool.reds.extend(["a mark"] * spend_marks(play, payer, count, why))
        pool.payers.append(payer.id)


def read_dice(play: Table, pool: Pool, faces: Mapping[str, Faces], place: Place) -> list[Rolled]:
    """The dice on the table, and which of them hit. An impossible face breaks Z4 and counts as what it says."""
    dice: list[Rolled] = []
    for name, shown in faces.items():
        die = "adv" if name == "red" else name
        dice.extend(Rolled(die, face, least=pool.hit) for face in shown.numbers)
    wrong = next((d for d in dice if d.face > SIDES[d.die]), None)
    if wrong is not None:
        names = {"d6": "a white d6", "adv": "a red d6", "d8": "the d8", "d10": "the d10"}
        play.illegal(
            "Z4",
            f"{names[wrong.die]} cannot show {wrong.face}",
            at=place,
            help="dice by type:  {d10: 9, d8: 5, d6: [4, 2], adv: 6}",
        )
    return dice


class Counts(NamedTuple):
    """How many of each die."""

    d6: int
    d8: int
    d10: int
    adv: int


def count_dice(dice: list[Rolled]) -> Counts:
    """How many of each die lie on the table."""
    return Counts(*(sum(1 for d in dice if d.die == die) for die in ("d6", "d8", "d10", "adv")))


def check_dice(play: Table, pool: Pool, dice: list[Rolled], rule: str, place: Place) -> None:
    """Hold the dice rolled against the dice that came in. One mistake, one finding: Feature dice
    first, then white ones (``rule`` is the one that says how many), then red ones."""
    if pool.doubtful:
        return
    got, due = count_dice(dice), Counts(**pool.counts())
    if got == due:
        return
    facts = tuple(Fact(words) for words in pool.words())
    found = (
        _wrong_feature_die(pool, got, due)
        or _wrong_white_dice(pool, got, due, rule)
        or _wrong_red_dice(got, due)
    )
    if found is None:
        return
    code, finding, message, help = found
    play.report(finding, code, message, at=place, facts=facts, help=help or ())
    play.taint(*(f"marks:{id}" for id in pool.payers))


Wrong = tuple[str, Finding, str, str]

_ILLEGAL = Finding.ILLEGAL
_IN_USE = "use: names the Features that help"


def _wrong_feature_die(pool: Pool, got: Counts, due: Counts) -> Wrong | None:
    if got.d10 > 1:
        return "Z4", _ILLEGAL, f"{got.d10} d10; there is one d10", ""
    if got.d8 > 1:
        return (
            "Z22",
            _ILLEGAL,
            f"{got.d8} d8; there is one, and a second Feature adds a red die",
            "write the second Feature's die under adv",
        )
    if got.d10 > due.d10:
        if pool.d8:
            message = f"'{pool.d8}' is not the Main Feature; it brings the d8, not the d10"
        else:
            message = "a d10 is rolled, but no Main Feature is named"
        return "Z18", _ILLEGAL, message, _IN_USE
    if got.d10 < due.d10:
        return "Z18", _ILLEGAL, f"'{pool.d10}' is the Main Feature and brings the d10", ""
    if got.d8 > due.d8:
        return "Z17", _ILLEGAL, "a d8 is rolled, but no Feature is named for it", _IN_USE
    if got.d8 < due.d8:
        if pool.d10 and got.adv > due.adv:
            return (
                "Z21",
                Finding.SUSPICIOUS,
                "a Main and an ordinary Feature bring both the d10 and the d8, not a red die",
                "",
            )
        return "Z17", _ILLEGAL, f"'{pool.d8}' brings the d8 in place of a white die", ""
    return None


def _wrong_white_dice(pool: Pool, got: Counts, due: Counts, rule: str) -> Wrong | None:
    white = plural(due.d6, "white die", "white dice")
    if got.d6 > due.d6:
        if pool.base == 3 and (got.d8 or got.d10):
            die = "d8" if got.d8 else "d10"
            return (
                "Z17" if got.d8 else "Z18",
                _ILLEGAL,
                f"the {die} takes the place of a white die: {white}, not {got.d6}",
                "",
            )
        return rule, _ILLEGAL, f"{white} {_are(due.d6)} rolled here, not {got.d6}", ""
    if got.d6 < due.d6:
        if got.adv:
            return (
                "Z19",
                _ILLEGAL,
                f"a red die is added and takes no white die's place: {white}, not {got.d6}",
                "",
            )
        return rule, _ILLEGAL, f"{white} {_are(due.d6)} rolled here, not {got.d6}", _IN_USE
    return None


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _wrong_red_dice(got: Counts, due: Counts) -> Wrong | None:
    if got.adv > due.adv:
        extra = got.adv - due.adv
        return (
            "Z19",
            _ILLEGAL,
            f"{plural(extra, 'red die', 'red dice')} more than there are reasons for",
            "because: a circumstance, advantage: one on the sheet, or mark: 1",
        )
    return (
        "Z19",
        Finding.BOOKKEEPING,
        f"{plural(due.adv, 'red die', 'red dice')} due, {got.adv} rolled",
        "write every die that was rolled",
    )


def throws(play: Table, dice: list[Rolled], player: str) -> None:
    """The raw material of the luck report; impossible faces are left out."""
    for die in ("d6", "d8", "d10", "adv"):
        shown = [d.face for d in dice if d.die == die and 1 <= d.face <= SIDES[die]]
        if shown:
            kind = "d6" if die == "adv" else die
            play.step.throws.append(Throw(kind, Faces(str(face) for face in shown), player))


def unread(name: str, player: str, pool: Pool) -> Side:
    """Dice of which nobody wrote the faces down, as a reader sees them."""
    counts = pool.counts()
    return Side(
        name,
        player,
        tuple(
            ShownDie("?", die="d6" if die == "adv" else die, colour=COLOURS[die])
            for die, count in counts.items()
            for _ in range(count)
        ),
        pool.words(),
        "faces not written down",
    )


def side(name: str, player: str, dice: list[Rolled], pool: Pool) -> Side:
    """Dice as a reader sees them, by type and colour."""
    return Side(
        name,
        player,
        tuple(
            ShownDie(str(d.face), d.hit, "d6" if d.die == "adv" else d.die, COLOURS[d.die])
            for d in dice
        ),
        pool.words(),
        plural(sum(1 for d in dice if d.hit), "hit"),
    )
