"""What each entry of a record tells of the story, and what of it is talk about the table."""

from __future__ import annotations

import re
from typing import Final

from chronicle.core.names import PLAYER
from chronicle.core.record import Record, Step
from chronicle.core.telling import ENTER, Piece, Told, paragraphs, retold, unrepeated

_WORD: Final = re.compile(r"\w+")
_PROOF: Final = re.compile(r" \((?:sealed|stated)\)\Z")


class Teller:
    """Says what the entries of one record tell.

    A paragraph that names a player (by a name that nobody in the story has) is talk about the table,
    and so is whatever stands beside an entry that is about the table.
    """

    def __init__(self, record: Record) -> None:
        taken = {
            word
            for one in record.names.all.values()
            if one.kind != PLAYER
            for name in (one.name, *one.aliases)
            for word in (name.casefold(), *_WORD.findall(name.casefold()))
        }
        self._told: dict[int, list[Piece]] = {}
        """What was told of each entry once it was asked."""
        players = [player.name for player in record.campaign.players]
        named = [re.escape(name) for name in players if name.casefold() not in taken]
        self._players = re.compile(rf"(?<!\w)(?:{'|'.join(named)})(?!\w)") if named else None

    def at_table(self, paragraph: str) -> bool:
        """Whether a paragraph speaks of the table."""
        return self._players is not None and self._players.search(paragraph) is not None

    def told(self, step: Step) -> list[Piece]:
        """What an entry tells, in the order in which it is read. What is kept secret tells nothing.

        What is said twice is told once: a sentence gives way to the fiction beside it that begins with
        the same, and the first sentence of that fiction to one that has all its words.
        """
        if step.hidden:
            return []
        known = self._told.get(step.index)
        if known is None:
            known = self._told[step.index] = self._tell(step)
        return known

    def _tell(self, step: Step) -> list[Piece]:
        action = step.action
        made = [*action.told()]
        for event in step.events:
            if event.kind == "reveals":
                made.append(Piece(Told.SENTENCE, _PROOF.sub("", event.text)))
        beside = action.beside()
        text = "" if action.text is None else str(action.text)
        for part in paragraphs(text):
            made.append(Piece(Told.TALK if beside or self.at_table(part) else Told.PROSE, part))
        return once(made, action.about_whom)


def once(made: list[Piece], about: str) -> list[Piece]:
    """Pieces without what is said twice. Lead-ins stand in one piece, before what they lead to; where the
    text begins with what one says, it says only whom that is ``about``, and nothing if the text begins with
    that name as well. Nobody enters with whom the text begins."""
    fiction = next((n for n, piece in enumerate(made) if piece.told is Told.PROSE), None)
    if fiction is None:
        return made
    kept: list[Piece] = []
    text = made[fiction].text
    for piece in made[:fiction]:
        if piece.told is Told.SENTENCE:
            if retold(piece.text, text):
                continue
            text = unrepeated(text, piece.text)
        elif piece.told is Told.LEAD:
            who, colon, words = piece.text.partition(": ")
            if colon and retold(words, text):
                if text.startswith(who):
                    continue
                piece = piece._replace(text=about.format(who=who))
            elif piece.text.startswith(ENTER) and _begins(text, piece.text.removeprefix(ENTER)):
                continue
        kept.append(piece)
    return [*kept, made[fiction]._replace(text=text), *made[fiction + 1 :]]


def _begins(text: str, name: str) -> bool:
    """Whether the first word of a text is one of a name."""
    first = _WORD.match(text)
    return first is not None and first[0] in _WORD.findall(name)
