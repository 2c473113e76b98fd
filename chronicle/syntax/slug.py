"""Names as part of an address."""

from __future__ import annotations

import re
import unicodedata


def slug_of(name: str) -> str:
    """A name as part of an address: letters and digits of any script, joined by hyphens."""
    folded_name = unicodedata.normalize("NFC", name).casefold()
    return re.sub(r"[^\w]+", "-", folded_name.replace("_", "-")).strip("-") or "campaign"
