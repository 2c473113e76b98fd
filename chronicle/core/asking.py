"""What keepers call open, as questions.

*Who rang, and whether she gets the comb, is open* asks: *Who rang?* and: *Does she get the comb?*
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from chronicle.core.sentences import with_capital
from chronicle.core.telling import stems


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_QUESTION_WORD_PATTERN: Final = r"(?:who|whom|whose|what|which|why|how|when|where|whether)\b"
_OPEN_QUESTION_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^.*\b(?:is|are|stays?|remains?)(?: still)? open: (?P<asked>.+)$",
        r"^(?P<asked>.+?),? (?:is|are|stays?|remains?)(?: still)? open$",
        r"^(?P<asked>.+?),? (?:is|are) not told$",
        r"^(?P<asked>.+?), (?:the \w+ does not (?:say|tell)|we (?:have )?left open|we do not know(?: yet)?"
        r"|nobody (?:wrote down|can say))$",
        rf"^.*\b(?:does not (?:say|tell)|do not know|nobody can say) (?P<asked>{_QUESTION_WORD_PATTERN}.+)$",
    )
)
"""How keepers say that something is open."""
_WANTS_TO_KNOW_PATTERN: Final = re.compile(
    rf"^(?P<who>[A-Z]\w+)(?: still)? wants to know (?P<asked>{_QUESTION_WORD_PATTERN}.+)$",
    re.IGNORECASE,
)
_CLAUSE_BREAK_PATTERN: Final = re.compile(
    rf"(,? and |, or |, )(?={_QUESTION_WORD_PATTERN})", re.IGNORECASE
)
_AUXILIARIES: Final = _word_set(
    "is are was were will would can could may might must should has have had does did do"
)
_OBJECT_WORDS: Final = _word_set("him her them it us me their his its a an the my our no")
"""Words before which ``had`` is a verb of its own."""
_DETERMINERS: Final = _word_set("the a an his her its their our my this that these those")
_PRONOUNS: Final = _word_set("he she it they we you both this that somebody nobody")
_PAST_AND_BASE_FORMS: Final = (
    "came:come went:go got:get rang:ring knew:know saw:see took:take gave:give made:make "
    "said:say told:tell found:find left:leave wrote:write kept:keep lost:lose heard:hear "
    "meant:mean met:meet stood:stand brought:bring thought:think sent:send became:become "
    "held:hold fell:fall ran:run spoke:speak sold:sell paid:pay won:win used:use "
    "moved:move closed:close lived:live died:die arrived:arrive promised:promise "
    "saved:save decided:decide believed:believe named:name escaped:escape changed:change "
    "survived:survive lied:lie had:have"
)
_BASE_FORM_BY_PAST: Final = dict(pair.split(":") for pair in _PAST_AND_BASE_FORMS.split())
"""Verbs in the past, and as they stand behind *did*."""


_STOP_WORD_STEMS: Final = frozenset(
    stems("what whom whose where when which they them this that does have will were with from")
)
"""Words of a question that do not tell it from another."""


def topic_stems(question: str) -> frozenset[str]:
    """The words that say what a question is about, cut so that endings do not matter."""
    return frozenset(stems(question)) - _STOP_WORD_STEMS


def asks_who(question: str) -> bool:
    """Whether a question asks who somebody is."""
    return question.startswith("Who ")


def open_questions(sentence: str, person_name: str = "", thing_name: str = "") -> Iterator[str]:
    """What a sentence of the keepers calls open: as questions, where it can be asked in plain words, else as it
    stands.

    Args:
        sentence: the sentence, without markup.
        person_name: whom it is about; their name replaces the pronoun.
        thing_name: what it is about instead.
    """
    statement = sentence.strip().rstrip(".!…")
    asked_words = next(
        (
            match["asked"]
            for pattern in _OPEN_QUESTION_PATTERNS
            if (match := pattern.match(statement))
        ),
        "",
    )
    if not asked_words:
        return
    indirect_questions = _indirect_questions(asked_words)
    wants_to_know_match = _WANTS_TO_KNOW_PATTERN.match(asked_words)
    if wants_to_know_match is not None:
        indirect_questions, person_name = [wants_to_know_match["asked"]], wants_to_know_match["who"]
    if not indirect_questions:
        # ``The door is open`` leaves nothing open.
        if _OPEN_QUESTION_PATTERNS[0].match(statement):
            yield sentence.strip()
        return
    for indirect_question in indirect_questions:
        yield direct_question(indirect_question, person_name, thing_name) or sentence.strip()


def _indirect_questions(asked_words: str) -> list[str]:
    """The indirect questions at the end of some words."""
    for sentence_segment in reversed(re.split(r"[;:]\s+", asked_words)):
        segment_parts = _CLAUSE_BREAK_PATTERN.split(sentence_segment)
        indirect_questions: list[str] = []
        for part_index in range(0, len(segment_parts), 2):
            question_word_match = re.match(
                _QUESTION_WORD_PATTERN, segment_parts[part_index], re.IGNORECASE
            )
            # ``Aurel, who held the door`` asks nothing.
            if question_word_match and (
                indirect_questions or not part_index or "and" in segment_parts[part_index - 1]
            ):
                indirect_questions.append(segment_parts[part_index].strip(" ,"))
        if indirect_questions:
            return indirect_questions
    return []


def direct_question(indirect_question: str, person_name: str = "", thing_name: str = "") -> str:
    """An indirect question as a direct one; empty where that takes more than a change of order."""
    words = indirect_question.split()
    question_word, other_words = words[0].lower(), words[1:]
    if not other_words:
        return ""
    whose_match = re.fullmatch(
        r"(whose|which|what) (\w+) (it|this|that) (is|was)", indirect_question, re.IGNORECASE
    )
    if whose_match is not None:
        return _with_question_mark(
            f"{whose_match[1]} {whose_match[2]} {whose_match[4]} {whose_match[3]}"
        )
    if question_word == "how" and other_words[0] in ("many", "much", "long", "far"):
        question_word, other_words = f"{question_word} {other_words[0]}", other_words[1:]
    asks_for_subject = question_word in ("who", "what", "which", "whose") and not (
        other_words[0].lower() in _DETERMINERS | _PRONOUNS or other_words[0][:1].isupper()
    )
    if thing_name and other_words[0] == "it":
        other_words[0] = (
            f"the {thing_name}"
            if thing_name[:1].islower() and thing_name[:4] != "the "
            else thing_name
        )
    if person_name:
        if other_words[0] in ("he", "she"):
            other_words[0] = person_name
        for word_index, word in enumerate(other_words):
            previous_words = other_words[word_index - 1 : word_index]
            is_object = previous_words == ["had"] or (
                previous_words == ["of"] and word == other_words[-1]
            )
            if word in ("him", "her") and is_object:
                other_words[word_index] = person_name
                break
    if asks_for_subject:
        return _with_question_mark(" ".join((question_word, *other_words)))
    inverted_words = _question_order(other_words)
    if not inverted_words:
        return ""
    return _with_question_mark(
        inverted_words if question_word == "whether" else f"{question_word} {inverted_words}"
    )


def _with_question_mark(statement: str) -> str:
    return f"{with_capital(statement)}?"


def _question_order(clause_words: list[str]) -> str:
    """A statement in the order of a question; empty if its verb is not found."""
    first_verb_index = (
        2
        if clause_words[0].lower() in _DETERMINERS and clause_words[0].lower() not in _PRONOUNS
        else 1
    )
    subject = (
        f"{clause_words[0][:1].lower()}{clause_words[0][1:]}"
        if clause_words[0] == "The"
        else clause_words[0]
    )
    for verb_index in range(first_verb_index, min(len(clause_words), first_verb_index + 5)):
        verb, next_words = clause_words[verb_index], clause_words[verb_index + 1 : verb_index + 2]
        subject_words = " ".join((subject, *clause_words[1:verb_index]))
        words_after = " ".join(clause_words[verb_index + 1 :])
        is_main_verb = (
            verb in ("had", "has")
            and bool(next_words)
            and next_words[0] in {*_OBJECT_WORDS, clause_words[-1]}
        )
        is_main_verb = is_main_verb or (
            verb in ("had", "has") and bool(next_words) and next_words[0][:1].isupper()
        )
        if verb in _AUXILIARIES and not is_main_verb:
            return f"{verb} {subject_words} {words_after}".strip()
        if verb in _BASE_FORM_BY_PAST or (verb.endswith("ed") and len(verb) > 4):
            base_form = _BASE_FORM_BY_PAST.get(verb) or _without_doubled_ending(verb[:-2])
            return f"did {subject_words} {base_form} {words_after}".strip()
        if verb.endswith("s") and not verb.endswith(("ss", "us")) and verb.islower():
            return f"does {subject_words} {_base_form(verb)} {words_after}".strip()
    return ""


def _without_doubled_ending(verb_stem: str) -> str:
    has_doubled_ending = (
        len(verb_stem) > 3 and verb_stem[-1] == verb_stem[-2] and verb_stem[-1] not in "lsz"
    )
    return verb_stem[:-1] if has_doubled_ending else verb_stem


def _base_form(verb: str) -> str:
    if verb == "has":
        return "have"
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("oes", "shes", "ches", "sses", "xes")) else verb[:-1]
