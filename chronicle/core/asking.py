"""What keepers call open, as questions.

*Who rang, and whether she gets the comb, is open* asks: *Who rang?* and: *Does she get the comb?*
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from chronicle.core.telling import stems


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ASKING: Final = r"(?:who|whom|whose|what|which|why|how|when|where|whether)\b"
_OPEN: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^.*\b(?:is|are|stays?|remains?)(?: still)? open: (?P<asked>.+)$",
        r"^(?P<asked>.+?),? (?:is|are|stays?|remains?)(?: still)? open$",
        r"^(?P<asked>.+?),? (?:is|are) not told$",
        r"^(?P<asked>.+?), (?:the \w+ does not (?:say|tell)|we (?:have )?left open|we do not know(?: yet)?"
        r"|nobody (?:wrote down|can say))$",
        rf"^.*\b(?:does not (?:say|tell)|do not know|nobody can say) (?P<asked>{_ASKING}.+)$",
    )
)
"""How keepers say that something is open."""
_WANTS: Final = re.compile(
    rf"^(?P<who>[A-Z]\w+)(?: still)? wants to know (?P<asked>{_ASKING}.+)$", re.IGNORECASE
)
_BREAK: Final = re.compile(rf"(,? and |, or |, )(?={_ASKING})", re.IGNORECASE)
_AUXILIARIES: Final = _set(
    "is are was were will would can could may might must should has have had does did do"
)
_OBJECTS: Final = _set("him her them it us me their his its a an the my our no")
"""Words before which ``had`` is a verb of its own."""
_DETERMINERS: Final = _set("the a an his her its their our my this that these those")
_PRONOUNS: Final = _set("he she it they we you both this that somebody nobody")
_PAST_PAIRS: Final = (
    "came:come went:go got:get rang:ring knew:know saw:see took:take gave:give made:make "
    "said:say told:tell found:find left:leave wrote:write kept:keep lost:lose heard:hear "
    "meant:mean met:meet stood:stand brought:bring thought:think sent:send became:become "
    "held:hold fell:fall ran:run spoke:speak sold:sell paid:pay won:win used:use "
    "moved:move closed:close lived:live died:die arrived:arrive promised:promise "
    "saved:save decided:decide believed:believe named:name escaped:escape changed:change "
    "survived:survive lied:lie had:have"
)
_PAST: Final = dict(pair.split(":") for pair in _PAST_PAIRS.split())
"""Verbs in the past, and as they stand behind *did*."""


_EMPTY_STEMS: Final = frozenset(
    stems("what whom whose where when which they them this that does have will were with from")
)
"""Words of a question that do not tell it from another."""


def topic_of(words: str) -> frozenset[str]:
    """The words that say what a question is about, cut so that endings do not matter."""
    return frozenset(stems(words)) - _EMPTY_STEMS


def asks_who(question: str) -> bool:
    """Whether a question asks who somebody is."""
    return question.startswith("Who ")


def open_questions(sentence: str, person: str = "", thing: str = "") -> Iterator[str]:
    """What a sentence of the keepers calls open: as questions, where it can be asked in plain words, else as it
    stands.

    Args:
        sentence: the sentence, without markup.
        person: whom it is about; their name replaces the pronoun.
        thing: what it is about instead.
    """
    text = sentence.strip().rstrip(".!…")
    asked = next((match["asked"] for pattern in _OPEN if (match := pattern.match(text))), "")
    if not asked:
        return
    clauses = _clauses(asked)
    wants = _WANTS.match(asked)
    if wants is not None:
        clauses, person = [wants["asked"]], wants["who"]
    if not clauses:
        # ``The door is open`` leaves nothing open.
        if _OPEN[0].match(text):
            yield sentence.strip()
        return
    for clause in clauses:
        yield ask(clause, person, thing) or sentence.strip()


def _clauses(asked: str) -> list[str]:
    """The indirect questions at the end of some words."""
    for segment in reversed(re.split(r"[;:]\s+", asked)):
        parts = _BREAK.split(segment)
        clauses: list[str] = []
        for place in range(0, len(parts), 2):
            begins = re.match(_ASKING, parts[place], re.IGNORECASE)
            # ``Aurel, who held the door`` asks nothing.
            if begins and (clauses or not place or "and" in parts[place - 1]):
                clauses.append(parts[place].strip(" ,"))
        if clauses:
            return clauses
    return []


def ask(clause: str, person: str = "", thing: str = "") -> str:
    """An indirect question as a direct one; empty where that takes more than a change of order."""
    words = clause.split()
    head, rest = words[0].lower(), words[1:]
    if not rest:
        return ""
    match = re.fullmatch(r"(whose|which|what) (\w+) (it|this|that) (is|was)", clause, re.IGNORECASE)
    if match is not None:
        return _as_question(f"{match[1]} {match[2]} {match[4]} {match[3]}")
    if head == "how" and rest[0] in ("many", "much", "long", "far"):
        head, rest = f"{head} {rest[0]}", rest[1:]
    is_subject = head in ("who", "what", "which", "whose") and not (
        rest[0].lower() in _DETERMINERS | _PRONOUNS or rest[0][:1].isupper()
    )
    if thing and rest[0] == "it":
        rest[0] = f"the {thing}" if thing[:1].islower() and thing[:4] != "the " else thing
    if person:
        if rest[0] in ("he", "she"):
            rest[0] = person
        for place, word in enumerate(rest):
            before = rest[place - 1 : place]
            is_object = before == ["had"] or (before == ["of"] and word == rest[-1])
            if word in ("him", "her") and is_object:
                rest[place] = person
                break
    if is_subject:
        return _as_question(" ".join((head, *rest)))
    inverted = _inverted(rest)
    if not inverted:
        return ""
    return _as_question(inverted if head == "whether" else f"{head} {inverted}")


def _as_question(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}?"


def _inverted(words: list[str]) -> str:
    """A statement in the order of a question; empty if its verb is not found."""
    start = 2 if words[0].lower() in _DETERMINERS and words[0].lower() not in _PRONOUNS else 1
    subject = f"{words[0][:1].lower()}{words[0][1:]}" if words[0] == "The" else words[0]
    for place in range(start, min(len(words), start + 5)):
        verb, after = words[place], words[place + 1 : place + 2]
        before = " ".join((subject, *words[1:place]))
        rest = " ".join(words[place + 1 :])
        is_own = verb in ("had", "has") and bool(after) and after[0] in {*_OBJECTS, words[-1]}
        is_own = is_own or (verb in ("had", "has") and bool(after) and after[0][:1].isupper())
        if verb in _AUXILIARIES and not is_own:
            return f"{verb} {before} {rest}".strip()
        if verb in _PAST or (verb.endswith("ed") and len(verb) > 4):
            return f"did {before} {_PAST.get(verb) or _stem(verb[:-2])} {rest}".strip()
        if verb.endswith("s") and not verb.endswith(("ss", "us")) and verb.islower():
            return f"does {before} {_singular(verb)} {rest}".strip()
    return ""


def _stem(verb: str) -> str:
    is_doubled = len(verb) > 3 and verb[-1] == verb[-2] and verb[-1] not in "lsz"
    return verb[:-1] if is_doubled else verb


def _singular(verb: str) -> str:
    if verb == "has":
        return "have"
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("oes", "shes", "ches", "sses", "xes")) else verb[:-1]
