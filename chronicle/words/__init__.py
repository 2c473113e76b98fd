"""The labels and sentences of site and desk, by key, from one file for each language (``en.json``).

Python and templates call `word`; the desk's page bundles the same file when it is built. A message is a whole
sentence with named places: ``"Edit entry {number}"``. A message that counts has one form for each plural:
``{"one": "{count} entry", "other": "{count} entries"}``. To translate, add a file with the same keys.
"""

from __future__ import annotations

import json
import pkgutil
import re
from types import MappingProxyType
from typing import Final, TypeVar

T = TypeVar("T")
Message = str | dict[str, str]


def read_messages(language: str) -> dict[str, Message]:
    """Read the messages of a language.

    Args:
        language: the name of its file without ``.json``.

    Returns:
        The messages by their whole key, such as ``desk.add``.
    """
    # The loader reads it, because in a browser the package is a zip.
    sections = json.loads(pkgutil.get_data(__name__, f"{language}.json") or b"{}")
    return {
        f"{section}.{key}": message
        for section, messages in sections.items()
        for key, message in messages.items()
    }


_PLACE: Final = re.compile(r"\{(\w+)\}")
MESSAGES: Final = MappingProxyType(read_messages("en"))


def find_message(key: str, count: object = None) -> str:
    """Return a message as the catalogue has it, with the names of its places in braces.

    Args:
        key: its whole key, such as ``desk.add``.
        count: the number that chooses between its plural forms.

    Raises:
        KeyError: the catalogue has no such message.
    """
    message = MESSAGES[key]
    if isinstance(message, str):
        return message
    return message["one" if count == 1 else "other"]


def word(key: str, /, **values: object) -> str:
    """Return a message with its values filled in.

    Args:
        key: its whole key, such as ``desk.add``.
        values: the values for its places; ``count`` also chooses between its plural forms.

    Raises:
        KeyError: the catalogue has no such message, or a value is missing.
    """
    return find_message(key, values.get("count")).format_map(values)


def word_pieces(key: str, /, **values: T) -> list[str | T]:
    """Return a message in pieces: its text, and between it the values of its places as they are.

    Args:
        key: its whole key, such as ``server.still_to_come``.
        values: the values for its places; ``count`` also chooses between its plural forms.

    Raises:
        KeyError: the catalogue has no such message, or a value is missing.
    """
    parts = _PLACE.split(find_message(key, values.get("count")))
    return [values[part] if at % 2 else part for at, part in enumerate(parts) if part]
