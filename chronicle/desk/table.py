"""The moment: where play stands after an entry, who owes what, what may come next and what not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from chronicle.core.common import COMMON_VERBS, EndSession
from chronicle.core.declare import TEXT, Action, Choice, Kind, MapOf, bare, role_of
from chronicle.core.diagnostic import listed, units
from chronicle.core.law import player_named
from chronicle.core.ledger import owner_of
from chronicle.core.names import PLAYER, Named, Names, fold
from chronicle.core.play import Due, Option, Play, Standing
from chronicle.core.replay import Replay
from chronicle.desk import plain
from chronicle.desk.spans import Speller
from chronicle.desk.usage import LATELY, Usage
from chronicle.transcript.one_line import write_line
from chronicle.words import word

_QUOTED: Final = re.compile(r"[\"“][^\"”]*[\"”]")


def table(replay: Replay[Any], spell: Speller, *, panel: bool = True) -> dict[str, Any]:
    """The table as a replay stands; without its ``panel`` where only what may come is asked."""
    play = replay.play
    rules = replay.rulebook
    over = ended(replay)
    due = owed(replay)
    wanted = {one.verb for one in due}
    usage = Usage(play.steps[-LATELY:], play.names, rules)
    standing = rules.standing(play)
    asked = asked_for(replay, due)
    options = sorted(
        (one for one in rules.options(play) if not (over and one.verb == EndSession.verb)),
        key=lambda one: (not one.said, one.verb not in asked, -usage.likely(one.verb)),
    )
    legal = {one.verb for one in options}
    barred = not_now(replay, legal)
    known = legal | {one["verb"] for one in barred}
    made: dict[str, Any] = {
        "step": len(play.steps),
        **_place(replay, spell, options, standing),
        "may_end": may_end(replay),
        "due": [_due(play, one, spell) for one in due],
        "falls": [
            _due(play, one, spell)
            for one in (() if over else rules.may_fall(play))
            if one.verb in legal
        ],
        "odds": [spell(line) for line in rules.odds(play, due)],
        "next": [
            _option(replay, one, bool(one.said) or one.verb in wanted)
            for one in options
            if not one.again
        ],
        "always": [verb.verb for verb in COMMON_VERBS],
        "not_now": barred,
        "perhaps": sorted(
            (name for name in rules.own_verbs if name not in known),
            key=lambda name: -usage.likely(name),
        ),
    }
    if panel:
        made["panel"] = plain.blocks(rules.panel(play), spell)
    return made


def payments(play: Play[Any], since: int) -> Iterator[str]:
    """Who of the players pays or gets how much, ``since`` so many postings."""
    moved: Counter[tuple[str, str]] = Counter()
    for one in play.ledger.postings[since:]:
        moved[owner_of(one.source), one.unit] -= one.amount
        moved[owner_of(one.target), one.unit] += one.amount
    shared: dict[tuple[int, str], list[str]] = {}
    for (owner, unit), change in moved.items():
        who = play.names.find(owner)
        if change and isinstance(who, Named) and who.kind == PLAYER:
            shared.setdefault((change, unit), []).append(who.name)
    for (change, unit), players in shared.items():
        deed = ("pay" if change < 0 else "get") + ("s" if len(players) == 1 else "")
        yield f"{listed(players)} {deed} {units(abs(change), unit)}"


def owed(replay: Replay[Any]) -> list[Due]:
    """Who owes what now: nobody anything when people have gone home, until they meet again."""
    return [] if ended(replay) else replay.rulebook.due(replay.play)


def asked_for(replay: Replay[Any], due: Iterable[Due]) -> set[str]:
    """The verbs that come first now: of what is ``due``, and of what the largest line of the page says."""
    rules = replay.rulebook
    return {one.verb for one in due} | verbs_in(rules.standing(replay.play).headline, rules.by_verb)


def verbs_in(headline: str, verbs: Mapping[str, type[Action]]) -> set[str]:
    """The verbs that a headline names: by themselves, or as people say them otherwise and mean no other."""
    said = Counter(name for kind in verbs.values() for name in kind.also)
    names = {
        fold(name): verb
        for verb, kind in verbs.items()
        for name in (verb, *kind.also)
        if said[name] < 2
    }
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    told = fold(_QUOTED.sub("", headline)).replace("-", " ")
    return {names[found] for found in re.findall(rf"\b(?:{'|'.join(longest)})\b", told)}


def ended(replay: Replay[Any]) -> bool:
    """Whether the evening is over, and nothing of the story has come after that."""
    first = replay.sessions[-1].first_step if replay.sessions else 0
    for step in reversed(replay.play.steps):
        if step.index < first or not step.action.about_table:
            return False
        if isinstance(step.action, EndSession):
            return True
    return False


def may_end(replay: Replay[Any]) -> bool:
    """Whether people might go home now: on an evening on which something was played."""
    steps, sessions = replay.play.steps, replay.sessions
    begun = bool(steps and sessions) and steps[-1].index >= sessions[-1].first_step
    return begun and not ended(replay)


def _place(
    replay: Replay[Any], spell: Speller, options: Collection[Option], standing: Standing
) -> dict[str, Any]:
    play = replay.play
    acting = {one.by for one in options} - {""}
    turn = standing.turn or (acting.pop() if len(acting) == 1 else "")
    over = ended(replay)
    if over:
        on = ". ".join(part.rstrip(".") for part in (standing.headline, standing.more) if part)
        done = replay.rulebook.over(play)
        more = word("server.story_over" if done else "server.next_session", standing=on)
        standing, turn = Standing(word("server.session_over_title"), more, standing.crumbs), ""
    return {
        "ended": over,
        "crumbs": [*standing.crumbs],
        "headline": spell(standing.headline),
        "sub": spell(standing.more),
        "turn": turn,
        "present": [*play.present],
        "players": [
            {
                "name": player.name,
                "turn": player.name == turn,
                "present": player.name in play.present,
            }
            for player in play.players
        ],
    }


def _due(play: Play[Any], one: Due, spell: Speller) -> dict[str, Any]:
    found = play.names.find(one.who) if one.who else None
    # Two in one are nobody who acts.
    alone = isinstance(found, Named) and " & " not in found.name
    player = player_named(play, found.id) if isinstance(found, Named) and alone else ""
    return {
        "who": one.who,
        "player": player,
        "what": one.what,
        "amount": one.amount,
        "kind": one.kind,
        "verb": one.verb,
        "rule": one.rule,
        "within": one.within,
        "sources": [{"label": label, "amount": amount} for label, amount in one.sources],
        "short": found.name.split()[0]
        if isinstance(found, Named) and alone and not player
        else one.who,
        "said": spell(str(one)),
        **_pad(play, one),
    }


def _pad(play: Play[Any], one: Due) -> dict[str, Any]:
    """What can be tapped in; nothing where nothing falls."""
    pad = play.rulebook.pad(play, one)
    if pad is None:
        return {"faces": [], "hits": [], "chains": [], "colour": "", "deed": ""}
    return {
        "faces": [*pad.faces],
        "hits": [*pad.hits],
        "chains": [*pad.chains],
        "colour": pad.colour,
        "deed": pad.deed,
    }


def _option(replay: Replay[Any], one: Option, settles: bool) -> dict[str, Any]:
    line, ready = beginning(replay, one)
    return {
        "verb": one.verb,
        "by": one.by,
        "label": one.verb,
        "price": one.price and {"amount": one.price[0], "unit": one.price[1]},
        "free": one.price is not None and not one.price[0],
        "hint": one.hint,
        "rule": one.rule,
        "settles_due": settles,
        "line": line,
        "words": len(line.removesuffix(one.said)),
        "ready": ready,
    }


def beginning(replay: Replay[Any], one: Option) -> tuple[str, bool]:
    """The line that taking an option begins, and whether nothing is missing from it."""
    verb = replay.rulebook.by_verb[one.verb]
    if one.said and verb.main is not None and bare(verb.main.kind) is TEXT:
        return f"{one.verb} {one.said}", True
    known, ready = _settled(one, verb, replay.play.names)
    if not ready and not known[one.verb]:
        # What stands in further keys comes after what is missing.
        known = {one.verb: ""}
    line = write_line(known, replay.rulebook.by_verb) or one.verb
    # Words that may follow are typed behind a space.
    words = verb.main is not None and bare(verb.main.kind) is TEXT and line == one.verb
    return f"{line} " if words or not ready else line, ready


def _settled(one: Option, verb: type[Action], names: Names) -> tuple[dict[str, Any], bool]:
    """What of an option's entry is settled, the same in every way to write it, nobody's words and no name
    that nobody has given; and whether nothing is missing, but for words that may be."""
    ways = [one.entry(Random(seed)) for seed in range(9)]
    kept: dict[str, Any] = {one.verb: ""}
    ready = True
    for key, value in ways[0].items():
        field = verb.main if key == one.verb else verb.fields.get(key)
        if value == one.by and (field is None or not field.required):
            continue  # whose act it is anyhow
        kind = bare(field.kind) if field is not None else TEXT
        forced = _forced(kind, [way.get(key) for way in ways], names)
        if forced:
            kept[key] = forced
            ready &= len(forced) == len(value)
            continue
        same = all(way.get(key) == value for way in ways)
        new = field is not None and role_of(field.kind) == ""
        said = field is not None and value in field.words
        given = isinstance(kind, Choice) or (kind.naming() and (said or _given(value, names)))
        if same and not new and given:
            kept[key] = value
        elif kind is not TEXT or field is not verb.main or (field is not None and field.required):
            ready = False
    return kept, ready


def _forced(kind: Kind[Any], ways: Sequence[Any], names: Names) -> dict[str, Any]:
    """Of a word for each of several, those who have but one."""
    if not (isinstance(kind, MapOf) and isinstance(bare(kind.value), Choice)):
        return {}
    first, *others = ways
    if not isinstance(first, Mapping) or any([*first] != [*other] for other in others):
        return {}
    same = {who: word for who, word in first.items() if all(o[who] == word for o in others)}
    return same if _given([*same], names) else {}


def _given(value: Any, names: Names) -> bool:
    """Whether a value of names has none in it that somebody would still have to give."""
    if isinstance(value, Mapping):
        return all(_given([*one], names) for one in (value, value.values()))
    if isinstance(value, (list, tuple)):
        return all(_given(one, names) for one in value)
    parts = value.split(" & ") if isinstance(value, str) else ()
    return all(isinstance(names.find(one), Named) for one in parts)


def not_now(replay: Replay[Any], legal: Collection[str]) -> list[dict[str, str]]:
    """The verbs of the game that are not ``legal`` now, with what is in the way; not those of which
    nobody can say whether they are."""
    rules, found = replay.rulebook, []
    for name in rules.own_verbs:
        why = "" if name in legal else rules.why_not(replay.play, rules.by_verb[name])
        if why:
            found.append({"verb": name, "why": why})
    return found
