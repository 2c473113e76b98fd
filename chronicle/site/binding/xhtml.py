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
    texts_and_tags = TAG.split(_NOT_IN_XML.sub("", str(markup)))
    for part_index, text_or_tag in enumerate(texts_and_tags):
        if part_index % 2 and _VOID_TAG.match(text_or_tag) and not text_or_tag.endswith("/>"):
            texts_and_tags[part_index] = f"{text_or_tag[:-1].rstrip()}/>"
    return _NAMED_CHARACTER.sub(
        lambda entity_match: unescape(entity_match[0]), "".join(texts_and_tags)
    )
