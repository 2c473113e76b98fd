"""JSON that somebody else wrote: what it says, and no end of a browser by what lies in itself too deep."""

import json

import pytest

from chronicle.core.untrusted_json import MAX_DEPTH, read_json


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def test_what_a_text_says() -> None:
    value = {"a": [1, {"b": "[[{"}, '\\"[', "]"], "c": {}, "[" * 200: "}" * 200}
    assert read_json(json.dumps(value).encode()) == value
    assert read_json(nested(MAX_DEPTH)) == json.loads(nested(MAX_DEPTH))
    assert read_json(b"[[1],[2]]" + b" " * 9) == [[1], [2]]


@pytest.mark.parametrize(
    "data",
    [
        nested(MAX_DEPTH + 1),
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"[{" * 100_000,
        b'["' + b"[" * 100_000,
        b'"\\' * 100_000 + b"[" * 100_000,
        b"]" * 100_000 + b"[" * 200_000,
        b"\xff",
        b"",
    ],
)
def test_what_is_none_or_has_no_end_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        read_json(data)
