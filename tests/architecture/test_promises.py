"""Every promise of ``docs/promises.md`` names the tests that prove it, and each of them is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_proof_that_is_named_is_there() -> None:
    page = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
    promises = re.split(r"^## (?=\d)", page, flags=re.M)[1:]
    assert [int(text.partition(".")[0]) for text in promises] == list(range(1, len(promises) + 1))
    missing = []
    for text in promises:
        proofs = text.partition("\nProved by ")[2].partition("\n## ")[0]
        file = None
        for word in re.findall(r"`((?:tests/[\w/]+\.py)|test_\w+)`", proofs):
            if word.startswith("tests/"):
                file = ROOT / word
                if not file.is_file():
                    missing.append(word)
            elif (
                file is None or not file.is_file() or f"def {word}(" not in file.read_text("utf-8")
            ):
                missing.append(word)
        assert file is not None, text[:40]
    assert missing == []
