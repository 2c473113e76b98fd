"""Before play: the scenario, the characters, magic; and what is found out later (Z1 to Z11, Z37, Z38)."""

from __future__ import annotations

from chronicle.core.diagnostic import Finding, did_you_mean, listed, nearest_words, plural
from chronicle.core.fix import (
    RemoveFromSettings,
    add_entry,
    make_fix,
    replace_with,
    set_key,
)
from chronicle.core.guards import Violation
from chronicle.core.law import barred
from chronicle.core.source import Word
from chronicle.games.playset_zero.actions import Discover, Magic, MakeCharacter, Scenario
from chronicle.games.playset_zero.state import (
    CHARACTER,
    FEATURES,
    KINDS,
    LEAST_KINDS,
    MAGIC_USES,
    Character,
    Discovery,
    Feature,
    MagicNote,
)
from chronicle.games.playset_zero.table import (
    Table,
    acting,
    feature_of,
    features_hint,
    optional,
    participants,
    pick,
    plain,
)


def begin(play: Table) -> None:
    """Z1: one GM, two players. Other numbers may play, and it is noted (ZA1)."""
    play.require(
        play.runner not in play.seats,
        "Z1",
        f"{play.runner} is the GM and a player at once",
        at=play.campaign.place(),
        fix=make_fix(RemoveFromSettings("players", play.runner)),
    )
    count = len(participants(play))
    play.suspect(
        count != 3,
        "ZA1",
        f"the text is written for a GM and two players; here {count} people take part",
        at=play.campaign.place(),
        help="each of the others names one danger, unless 'rulings: {participants: two}'",
    )


def started(play: Table) -> None:
    """Z1, Z2: before the first conflict there is a scenario, and every player has a character."""
    state = play.state
    if state.checked_start or play.given:
        return
    state.checked_start = True
    gap = Finding.UNKNOWN if play.gap else Finding.ILLEGAL
    play.require(
        bool(state.scenario),
        "Z2",
        "play begins without a scenario",
        after=("dropped:scenario",),
        fix=add_entry("scenario: ..."),
        finding=gap,
    )
    without = [name for name in play.seats if not state.of(name) and name in play.present]
    play.require(
        not without,
        "Z1",
        f"{listed(without)} {'has' if len(without) == 1 else 'have'} no character",
        fix=[add_entry(f"character: ...\nby: {player}") for player in without],
        finding=gap,
    )


def scenario(play: Table, action: Scenario) -> None:
    """Z2: something bad, and one or two sides that want different things."""
    state = play.state
    play.step.headline = "The scenario"
    state.scenario = str(action.situation)
    state.scenario_step = play.step.index
    state.sides = {str(side): str(want) for side, want in (action.sides or {}).items()}
    state.hints = [str(hint) for hint in action.hints]
    wants = [plain(want) for want in state.sides.values()]
    play.suspect(
        len(wants) > 1 and len(set(wants)) == 1,
        "Z2",
        "all sides want the same",
        at="sides",
        help="sides of a scenario have different wants and needs",
    )
    play.event(f"The situation: {action.situation}", "Z2", "scenario")
    for side, want in state.sides.items():
        play.event(f"At stake for {side}: {want}", "Z2", "side")
    for hint in state.hints:
        play.event(f"Known from the start: {hint}", "Z3", "hint")


def discover(play: Table, action: Discover) -> None:
    """Z3: the rest of the scenario is learned in play only."""
    who = acting(play)
    name = who.name if who is not None else play.step.player or "The table"
    play.step.headline = f"{name} finds out"
    play.state.discoveries.append(Discovery(play.step.index, str(action.what), name))
    play.event(f"{name} finds out: {action.what}", "Z3", "discovers", who.id if who else "")


def make_character(play: Table, action: MakeCharacter) -> None:
    """Z5 to Z11: concept and name, four Features, a Main one with its hint, a flaw."""
    if action.name is None or not str(action.name).strip():
        play.illegal("Z5", "this character has no name", fix=set_key("character"))
        return
    name = str(action.name)
    owner = play.step.player
    npc = action.npc or owner == play.runner
    if not owner and action.by is None:
        owner = play.runner if npc else ""
        play.require(
            bool(owner),
            "T56",
            f"whose character is {name}?",
            fix=(set_key("by"), set_key("npc", "yes", when="if the GM plays it")),
            finding=Finding.UNREADABLE,
        )
    play.step.player = owner
    play.step.headline = f"{name} is made"
    if not npc and owner:
        mine = play.state.of(owner)
        play.require(
            not mine,
            "Z1",
            f"{owner} plays {mine[0].name if mine else ''} already; each player has one character",
            at="main",
            facts=(play.because(mine[0].step, "made here"),) if mine else (),
            fix=set_key("npc", "yes", when="if the GM plays it"),
        )
    id = play.names.mint(name, CHARACTER)
    if not play.require(
        id not in play.names.all,
        "Z5",
        f"there is a character called {name} already",
        at="main",
        help="give this one another name",
    ):
        return
    play.names.add(id, CHARACTER, name)
    made = Character(
        id,
        name,
        owner,
        play.step.index,
        npc,
        str(action.concept or ""),
        str(action.fits or ""),
        str(action.hint or ""),
        str(action.flaw or ""),
    )
    play.state.characters[id] = made
    play.event(f"{owner or 'Somebody'} makes {name}", "Z5", "enters", id)
    _features(play, action, made)
    if not npc:
        _complete(play, action, made)
    _knows(play, action, made)


def wrong_kind(word: Word | None) -> Violation | None:
    """That a word names no category of Features (Z7)."""
    if word is None or plain(word) in KINDS:
        return None
    near = nearest_words(word, KINDS)
    return Violation(
        f"'{word}' is no category of Features{did_you_mean(word, KINDS)}",
        word,
        fix=replace_with(near or KINDS, is_told=bool(near)),
    )


def kind_of(play: Table, word: Word) -> str:
    """The category of Features that a word names. A wrong word is reported, and counts as written (Z7)."""
    wrong = wrong_kind(word)
    play.require(
        wrong is None,
        "Z7",
        wrong.message if wrong else "",
        at=word,
        fix=wrong.fix if wrong else (),
    )
    return plain(word)


def _features(play: Table, action: MakeCharacter, made: Character) -> None:
    for word, texts in (action.features or {}).items():
        kind = kind_of(play, word)
        for text in texts:
            made.features.append(Feature(str(text), kind, play.step.index))
            play.event(f"{made.name}: {text}", "Z7", "feature", made.id)
    found: list[Feature] = []
    for word in action.main_feature:
        meant = feature_of(made, word)
        if meant:
            found.append(meant[0])
        elif plain(word) == plain(made.flaw) or plain(word) == "flaw":
            play.illegal(
                "Z9", "the flaw cannot be the Main Feature; it is one of the four", at=word
            )
            play.taint(f"main:{made.id}")
        else:
            play.illegal(
                "Z9",
                f"{made.name} has no Feature '{word}' to be the Main one"
                + features_hint(made, word),
                at=word,
            )
            play.taint(f"main:{made.id}")
    for feature in found:
        feature.main = True
        play.event(f"Main Feature: {feature.text}", "Z9", "main", made.id)


def _complete(play: Table, action: MakeCharacter, made: Character) -> None:
    place = action.place("main")
    play.require(
        bool(made.concept.strip()),
        "Z5",
        f"{made.name} has no concept",
        at=place,
        fix=set_key("concept"),
    )
    count = len(made.features)
    kinds = {f.kind for f in made.features}
    if play.require(
        count == FEATURES,
        "Z6",
        f"{made.name} has {plural(count, 'Feature')}; a character has exactly four",
        at="features",
    ):
        play.require(
            len(kinds) >= LEAST_KINDS,
            "Z8",
            f"the four Features of {made.name} are of {plural(len(kinds), 'kind')}; "
            "at least three kinds must occur",
            at="features",
            help="one category may give two Features, no more",
        )
    mains = [f for f in made.features if f.main]
    play.require(
        len(mains) == 1,
        "Z9",
        f"{made.name} has no Main Feature"
        if not mains
        else f"{made.name} has {len(mains)} Main Features; choose one",
        at=action.place("main") if not mains else place,
        fix=[set_key("main", one.text) for one in made.features],
        after=(f"main:{made.id}",),
    )
    play.require(
        bool(made.hint.strip()),
        "Z10",
        f"nothing about {made.name} hints at the Main Feature",
        at=place,
        fix=set_key("hint"),
    )
    play.require(
        bool(made.flaw.strip()),
        "Z11",
        f"{made.name} has no flaw",
        at=place,
        fix=set_key("flaw"),
    )


def _knows(play: Table, action: MakeCharacter, made: Character) -> None:
    state = play.state
    known = [(text,) for text in (state.scenario, *state.hints)]
    known += [(discovery.text,) for discovery in state.discoveries]
    for word in action.knows:
        play.suspect(
            not pick(word, known),
            "Z3",
            f"{made.name} knows something that the GM has not hinted at",
            after=("dropped:scenario", "dropped:discover"),
            at=word,
            help="add it to the hints of the scenario, or let it be found out:  discover: ...",
        )


def magic(play: Table, action: Magic) -> None:
    """Z37, Z38: three uses, one limitation, accepted by everybody else at the table."""
    who = acting(play)
    play.step.headline = f"Magic: {action.feature}"
    optional(play, "magic", "Z37", "this Feature is written down as magical")
    if who is None:
        play.unreadable("T56", "whose Feature is this?", fix=set_key("by"))
        return
    meant = feature_of(who, action.feature)
    if not meant:
        play.unreadable(
            "T50",
            f"{who.name} has no Feature '{action.feature}'{features_hint(who, action.feature)}",
            at="main",
        )
        return
    count = len(action.uses)
    play.require(
        count == MAGIC_USES,
        "Z37",
        f"'{meant[0].text}' has {plural(count, 'use')}; write down three",
        at="uses",
    )
    limitation = str(action.limitation or "")
    play.require(
        bool(limitation.strip()),
        "Z38",
        f"'{meant[0].text}' has no limitation",
        fix=set_key("limitation"),
    )
    heard = [word for word in action.refused_by if not barred(play, word)]
    refusers = tuple(name for name in map(play.player, heard) if name)
    if refusers:
        play.illegal(
            "Z38",
            f"{listed(refusers)} {'does' if len(refusers) == 1 else 'do'} not accept the limitation; "
            "everybody else at the table must",
            at="refused by",
            help="write the entry again with a limitation that all accept",
        )
    meant[0].magic = MagicNote(
        play.step.index, tuple(str(use) for use in action.uses), limitation, refusers
    )
    for use in action.uses:
        play.event(f"{meant[0].text} is useful for {use}", "Z37", "use", who.id)
    if limitation:
        play.event(f"Its limitation: {limitation}", "Z38", "limitation", who.id)


def use_magic(play: Table, feature: Feature, good_for: Word | None, limited: bool) -> None:
    """Z37, Z38: a magical Feature serves one of its three uses, and never against its limitation."""
    note = feature.magic
    if note is None:
        return
    written = (play.because(note.step, f"its limitation: {note.limitation}"),)
    play.require(
        not limited,
        "Z38",
        f"'{feature.text}' is used although its limitation stands in the way",
        at="limited",
        facts=written,
        help="take the Feature out of 'use:'",
    )
    if good_for is None:
        play.unknown(
            "Z37",
            f"which of its uses '{feature.text}' serves here is not written",
            at="use",
            fix=[set_key("good for", text) for text in note.uses],
        )
        return
    meant = pick(good_for, [(use,) for use in note.uses])
    if play.suspect(
        not meant,
        "Z37",
        f"'{feature.text}' is not written down as useful for '{good_for}'",
        at=good_for,
        fix=replace_with(note.uses),
        facts=(play.because(note.step, "written down here"),),
    ):
        return
    use = note.uses[meant[0]]
    note.used[use] = note.used.get(use, 0) + 1
    play.event(f"{feature.text}: {use}", "Z37", "magic")
