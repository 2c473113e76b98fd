"""A completion as editors show it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from chronicle.services.choices import PREFIX_MATCH, sort_key
from chronicle.services.snippets import CARET_MARK, FACE_MARK, STOP_MARKS

_PLAIN_TEXT_SIGNS: Final = str.maketrans({FACE_MARK: "_", **dict.fromkeys(STOP_MARKS)})


class Completion(NamedTuple):
    """A completion. ``insert`` replaces the last ``overwritten_length`` characters before the caret; its further
    rows are indented already. ``CARET_MARK`` marks the position of the caret afterwards. ``why_barred`` is the reason
    why it is not allowed now, or empty."""

    label: str
    insert: str
    overwritten_length: int
    kind: str
    note: str = ""
    documentation: str = ""
    why_barred: str = ""
    line: str = ""
    """The complete entry in YAML, for a name that ends a value; else empty."""
    synonyms: tuple[str, ...] = ()
    """Other words that find it."""
    match_quality: int = PREFIX_MATCH
    """How well it matches the typed text (:func:`chronicle.services.choices.match_quality`)."""

    @property
    def text_around_caret(self) -> tuple[str, str]:
        """The inserted text before and after the caret for editors without tab stops; ``_`` stands for a
        die."""
        head, _, tail = self.insert.translate(_PLAIN_TEXT_SIGNS).partition(CARET_MARK)
        return head, tail

    @property
    def data(self) -> dict[str, Any]:
        """The completion as the editor of the page takes it: ``over`` characters before the caret are
        replaced by ``insert``, and the caret comes before ``after``."""
        head, tail = self.text_around_caret
        return {
            "label": self.label,
            "insert": head,
            "after": tail,
            "over": self.overwritten_length,
            "kind": self.kind,
            "note": self.note,
            "told": self.documentation,
            "why": self.why_barred,
        }

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """The sort key, as at the desk."""
        return sort_key({"met": self.match_quality, "eligible": not self.why_barred})
