"""What an entry of a log tells of the story, apart from what it does.

A verb declares which of its words are sentences (``told=`` in :mod:`chronicle.core.declare`); what is no
sentence but belongs to the story (a Trait bought, a name given) it puts in a few words for a lead-in.
Nothing is rewritten: a sentence gets its capital and its full stop, and that is all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, Final, NamedTuple

from chronicle.core.diagnostic import listed


class Told(Enum):
    """How words are told."""

    SENTENCE = "a sentence of the story"
    SPOKEN = "what somebody says"
    PROSE = "the story in paragraphs (Markdown)"
    LEAD = "a lead-in: words that are no sentence"
    TALK = "talk about the table (Markdown)"


class Piece(NamedTuple):
    """Some words of an entry, and how they are told. ``who`` is the speaker."""

    told: Told
    text: str
    who: str = ""


class Slip(NamedTuple):
    """A word on a slip of paper: a Trait, a Feature, a descriptor. ``state`` is ``""``, ``name``,
    ``role``, ``removed``, ``wound``, ``inherited``, ``negated`` or a word of the game."""

    text: str
    count: int = 1  # type: ignore[assignment]  # tuples have a count() that nobody needs here
    state: str = ""
    step: int = 0
    player: str = ""
    of: str = ""
    """Whom or what it stands for, by id, if it is a word for somebody."""


_WORD: Final = r"\w+"
_PARAGRAPHS: Final = r"\n[ \t]*\n"
_SHORTENED: Final = (
    "Mr",
    "Mrs",
    "Ms",
    "Mx",
    "Dr",
    "St",
    "Prof",
    "Capt",
    "Sgt",
    "Col",
    "Gen",
    "Rev",
)
"""What ends with a full stop, and does not end a sentence."""
_TITLES: Final = "".join(rf"(?<!\b{word}\.)" for word in _SHORTENED)
_ENDS: Final = rf"""(?<=[.!?…]){_TITLES}(["'”’)\]*_]*)\s+"""
ENTER: Final = "Enter "
"""What the lead-in of those begins with who come into a scene."""
LONG = 4
"""Words of fewer letters say little about what a sentence is about."""
STEM = 5
SAME = 0.8
"""Two texts tell the same when so many of the words of one are in the other."""


def enters(names: Iterable[str]) -> str:
    """The lead-in of those who come into a scene."""
    return ENTER + listed(names)


def known_by(name: str, what: str | None) -> str:
    """The lead-in of somebody who is put on paper, with what they are, if that is told."""
    return f"This is {name}" if what is None else f"{name}, {what}"


def on_paper(name: str, what: str | None) -> Iterator[Slip]:
    """The slips of somebody who is put on paper, with what they are, if that is told."""
    yield Slip(name, state="name")
    if what is not None:
        yield Slip(what, state="role")


def pieces(told: Told, value: Any, who: str = "", about: str = "{who}") -> Iterator[Piece]:
    """The words of a value that was read: a text, a list of them, {who: words}, or lines of speech.

    Args:
        told: how they are told.
        value: what was read.
        who: who speaks, if the value does not say.
        about: the lead-in of words that are about somebody."""
    if value is None:
        return
    if isinstance(value, dict):
        for name, words in value.items():
            if told is Told.SPOKEN:
                yield from pieces(told, words, str(name))
            else:
                yield Piece(Told.LEAD, about.format(who=name))
                yield from pieces(told, words)
    elif isinstance(value, str):
        if value.strip():
            yield Piece(told, value.strip(), who)
    elif hasattr(value, "speaker"):
        yield Piece(told, str(value.words).strip(), str(value.speaker))
    else:
        for one in value:
            yield from pieces(told, one, who)


def sentence(words: str) -> str:
    """Words as a sentence: on one line, with a capital and a full stop where they have none."""
    text = " ".join(words.split())
    if not text:
        return text
    if text[0].islower():
        text = text[0].upper() + text[1:]
    # Scripts that do not tell capitals from small letters have full stops of their own.
    bare = text.rstrip("*_`~\"'”’)")
    if bare and (bare[-1].isdigit() or bare[-1].islower() or bare[-1].isupper()):
        text += "."
    return text


def stems(text: str) -> list[str]:
    """The words of a text that say what it is about, cut so that their endings do not matter."""
    return [word[:STEM] for word in re.findall(_WORD, text.casefold()) if len(word) >= LONG]


def retold(words: str, text: str) -> bool:
    """Whether a text says at its beginning what some words say."""
    said = re.findall(_WORD, words.casefold())
    opening = re.findall(_WORD, text.casefold())[: len(said) * 2 + 8]
    if opening[: len(said)] == said:
        return True
    wanted = stems(words)
    found = set(stems(" ".join(opening)))
    return len(wanted) > 1 and sum(stem in found for stem in wanted) >= SAME * len(wanted)


def unrepeated(text: str, words: str) -> str:
    """A text without its first sentence where that says nothing but what some words have just said."""
    cut = re.search(_ENDS, text)
    if cut is None:
        return text
    again = re.findall(_WORD, text[: cut.start()].casefold())
    said = set(re.findall(_WORD, words.casefold()))
    return text[cut.end() :] if len(again) > 2 and said.issuperset(again) else text


def sentences(text: str) -> list[str]:
    """The sentences of a text, each with the marks that close it."""
    parts = re.split(_ENDS, " ".join(text.split()))
    return [
        whole for at in range(0, len(parts), 2) if (whole := "".join(parts[at : at + 2])).strip()
    ]


def paragraphs(markdown: str) -> list[str]:
    """The paragraphs of a text."""
    return [part.strip() for part in re.split(_PARAGRAPHS, markdown) if part.strip()]
