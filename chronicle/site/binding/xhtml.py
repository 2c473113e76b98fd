"""HTML that is well formed made into XHTML: void elements closed, characters in place of names."""

from __future__ import annotations

import re
from html import unescape

from chronicle.site.prose import TAG

_VOID_TAG = re.compile(r"<(?:br|hr|img|wbr)\b", re.IGNORECASE)
_NAMED_CHARACTER = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z][A-Za-z0-9]*;")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def to_xhtml(markup: str) -> str:
    """The same as XHTML. Characters that XML does not have are left out."""
    parts = TAG.split(_NOT_IN_XML.sub("", str(markup)))
    for index, part in enumerate(parts):
        if index % 2 and _VOID_TAG.match(part) and not part.endswith("/>"):
            parts[index] = f"{part[:-1].rstrip()}/>"
    return _NAMED_CHARACTER.sub(lambda entity: unescape(entity[0]), "".join(parts))
