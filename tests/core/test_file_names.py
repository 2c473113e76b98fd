"""Names of files that every system can hold."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronicle.core.file_names import MAX_NAME_BYTES, portable_name
from chronicle.site.links import Slugs, slugify

pytestmark = pytest.mark.platform

NAMES = st.one_of(
    st.text(max_size=150),
    st.text(alphabet='aA. -<>:"/\\|?*\x00\x1fé\u0301東', max_size=150),
    st.sampled_from(
        ["con", "PRN", "Aux.txt", "nul .yaml", "COM1", "lpt9.tar.gz", "com\u00b9", "CON."]
    ),
)
DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"}
DEVICES |= {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}


def holds_everywhere(name: str) -> bool:
    """Whether Windows, macOS and Linux can all have a file of this name, written by their own rules."""
    stem = unicodedata.normalize("NFKC", name.partition(".")[0]).rstrip().casefold()
    return (
        stem not in DEVICES
        and bool(name)
        and name[-1] not in ". "
        and not re.search(r'[<>:"/\\|?*\x00-\x1f]', name)
        and len(name.encode()) <= MAX_NAME_BYTES
        and unicodedata.is_normalized("NFC", name)
    )


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("our-campaign", "our-campaign"),
        ("Café noir.md", "Café noir.md"),
        (".editorconfig", ".editorconfig"),
        ("con", "con-"),
        ("Aux.yaml", "Aux-.yaml"),
        ("nul.tar.gz", "nul-.tar.gz"),
        ("com¹", "com¹-"),
        ("contract", "contract"),
        ("what? now", "what- now"),
        ("a/b\\c:d", "a-b-c-d"),
        ("the end...", "the end"),
        ("a\x00\x1fb", "a-b"),
        ("", "unnamed"),
        ("..", "unnamed"),
        ("Cafe\u0301", "Caf\u00e9"),
    ],
)
def test_a_name_becomes_one_that_every_system_has(name: str, made: str) -> None:
    assert portable_name(name) == made


@given(NAMES)
def test_whatever_the_name_every_system_has_it(name: str) -> None:
    portable = portable_name(name)
    assert holds_everywhere(portable)
    assert portable_name(portable) == portable


def test_long_names_that_begin_alike_stay_apart() -> None:
    portable = [portable_name(f"{'long ' * 50}{number}.yaml") for number in range(20)]
    assert len(set(portable)) == 20
    assert all(name.endswith(".yaml") and name.startswith("long long") for name in portable)
    assert len({portable_name(f"{'é' * 200}{number}") for number in range(20)}) == 20


@given(st.lists(NAMES, max_size=12))
def test_no_two_things_of_a_site_share_a_file(names: list[str]) -> None:
    """Neither where letter case does not count, nor where accents are stored apart."""
    both = [*names, *(unicodedata.normalize("NFD", name) for name in names), *map(str.upper, names)]
    slugs = Slugs()
    slugs_made = [slugs.slug_of(str(index), name) for index, name in enumerate(both)]
    assert all(holds_everywhere(f"{slug}.html") and holds_everywhere(slug) for slug in slugs_made)
    assert len({slug.casefold() for slug in slugs_made}) == len(both)
    assert [slugs.slug_of(str(index), name) for index, name in enumerate(both)] == slugs_made


@given(st.text(alphabet="aé東한ñ -", max_size=30))
def test_one_name_has_one_address_however_its_accents_are_stored(name: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, name) for form in ("NFC", "NFD"))
    assert Slugs().slug_of("x", composed) == Slugs().slug_of("x", decomposed)
    assert slugify(composed) == slugify(decomposed)
