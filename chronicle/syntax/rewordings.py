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
        self._places: dict[str, dict[str, None]] = {}

    def record(self, text: str, path: str) -> None:
        """Remember the private names in a text of a file. A value of names alone is no text."""
        found_names = [*self._pseudonyms.names_in(text)]
        remaining_characters = [*text]
        for name in found_names:
            remaining_characters[name.start : name.end] = " " * (name.end - name.start)
        items = "".join(remaining_characters).split(",")
        if not found_names or all(self._is_name(item.strip()) for item in items):
            return
        for name in found_names:
            place = path
            if isinstance(text, ScalarNode):
                # A text after '|' has the same lines as the file.
                line_offset = 1 + text.count("\n", 0, name.start) if text.style == "|" else 0
                place = f"{path}:{text.line + line_offset}"
            self._places.setdefault(name.public_name.removesuffix("?"), {})[place] = None

    def _is_name(self, item: str) -> bool:
        """Whether nothing is left of an item of a list without private names, or another name."""
        return not _LETTER.search(item) or bool(self._names.ids_named_exactly(item))

    def notes(self, players: Mapping[str, str]) -> Iterator[str]:
        """A sentence for each player whose name is in a text, and for each id of a hidden entry.

        Args:
            players: the players by their public names.
        """
        for public_name, place_set in self._places.items():
            places = [*place_set]
            named_places = places[:MAX_PLACES_LISTED]
            if len(places) > MAX_PLACES_LISTED:
                named_places.append(f"{len(places) - MAX_PLACES_LISTED} more")
            texts = "a text" if len(places) == 1 else plural(len(places), "text")
            player = players.get(public_name)
            whose = f"{player}'s name" if player else "The id of a hidden entry"
            sentence = "the sentence still makes" if len(places) == 1 else "these still make"
            yield (
                f"{whose} is in {texts} ({listed(named_places)}). Readers see '{public_name}' there: "
                f"read whether {sentence} sense."
            )
