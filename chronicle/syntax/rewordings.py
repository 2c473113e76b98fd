"""Which texts readers see with another name of a player, told to the keeper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from chronicle.core.diagnostic import listed, plural
from chronicle.core.names import Names
from chronicle.core.pseudonyms import Pseudonyms
from chronicle.core.source import ScalarNode

MAX_PLACES_LISTED: Final = 6
"""How many places a note names; the others are counted."""
_LETTER: Final = re.compile(r"[^\W_]")


class Rewordings:
    """The places of private names in texts.

    Args:
        pseudonyms: the names that readers see instead.
        names: all names of the campaign.
    """

    def __init__(self, pseudonyms: Pseudonyms, names: Names) -> None:
        self._pseudonyms, self._names = pseudonyms, names
        self._places_by_public_name: dict[str, dict[str, None]] = {}

    def record(self, text: str, path: str) -> None:
        """Remember the private names in a text of a file. A value of names alone is no text."""
        found_names = [*self._pseudonyms.names_in(text)]
        remaining_characters = [*text]
        for found_name in found_names:
            remaining_characters[found_name.start : found_name.end] = " " * (
                found_name.end - found_name.start
            )
        texts_between_commas = "".join(remaining_characters).split(",")
        if not found_names or all(
            self._is_name(text_between_commas.strip())
            for text_between_commas in texts_between_commas
        ):
            return
        for found_name in found_names:
            place_text = path
            if isinstance(text, ScalarNode):
                # A text after '|' has the same lines as the file.
                line_offset = 1 + text.count("\n", 0, found_name.start) if text.style == "|" else 0
                place_text = f"{path}:{text.line + line_offset}"
            self._places_by_public_name.setdefault(found_name.public_name.removesuffix("?"), {})[
                place_text
            ] = None

    def _is_name(self, text_between_commas: str) -> bool:
        """Whether nothing is left of an item of a list without private names, or another name."""
        return not _LETTER.search(text_between_commas) or bool(
            self._names.ids_named_exactly(text_between_commas)
        )

    def rewording_notes(self, players: Mapping[str, str]) -> Iterator[str]:
        """A sentence for each player whose name is in a text, and for each id of a hidden entry.

        Args:
            players: the players by their public names.
        """
        for public_name, place_set in self._places_by_public_name.items():
            place_list = [*place_set]
            named_places = place_list[:MAX_PLACES_LISTED]
            if len(place_list) > MAX_PLACES_LISTED:
                named_places.append(f"{len(place_list) - MAX_PLACES_LISTED} more")
            text_count_words = "a text" if len(place_list) == 1 else plural(len(place_list), "text")
            player = players.get(public_name)
            subject_words = f"{player}'s name" if player else "The id of a hidden entry"
            subject_and_verb = (
                "the sentence still makes" if len(place_list) == 1 else "these still make"
            )
            yield (
                f"{subject_words} is in {text_count_words} ({listed(named_places)}). "
                f"Readers see '{public_name}' there: read whether {subject_and_verb} sense."
            )
