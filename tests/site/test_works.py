"""Texts and pictures are linked both ways: from what they are about, and back."""

import pytest

from chronicle.publish import make_site

CAMPAIGN = {
    "campaign.yaml": """game: universalis
title: Work
players: [Ana, Bao, Cleo]
preparation: skipped
add ons: [{jobs: {contracts: {
  illustrator: {player: Cleo, pays: 2, per: item},
  journal writer: {player: Bao, pays: 3, per: item}}}}]
""",
    "01.yaml": """session: 1
log:
- bid: {Ana: 2, Bao: 0, Cleo: 0}
- scene: The ford
  at: {new: ford}
  with: [{character: ranger, name: Ida}]
- event: Ida wades in
  id: wading
- deliver: [ida-counts, the-ford]
""",
    "journal/ida-counts.md": """---
title: Ida counts
author: Bao
voice: Ida
session: 1
about: [wading, The ford, a heron]
---

Nine.
""",
    "art/the-ford.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>\n',
    "art/the-ford.yaml": """title: Water
alt: A ford.
artist: Cleo
licence: CC BY 4.0
session: 1
about: [ford, wading]
""",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of a campaign with a text and a picture, by path."""
    folder = tmp_path_factory.mktemp("work") / "work"
    for name, text in CAMPAIGN.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    site = make_site(folder, reference=False)
    return {file.path.partition("/")[2]: file.html for file in site.files()}


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("sessions/1", '<a href="../journal.html#ida-counts">Ida counts</a>'),
        ("sessions/1", '<a href="../gallery.html#the-ford">Water</a>'),
        ("characters/ida", '<a href="../journal.html#ida-counts">Ida counts</a>'),
        ("places/ford", '<a href="../gallery.html#the-ford"><img'),
        ("players/bao", '<a href="../journal.html#ida-counts">Ida counts</a>'),
        ("players/cleo", '<a href="../gallery.html#the-ford">Water</a>'),
        ("jobs", '<a href="journal.html#ida-counts">Ida counts</a>'),
        ("journal", '<a href="sessions/1.html#wading">'),
        ("journal", '<a href="sessions/1.html#scene-1">The ford</a>, a heron'),
        ("journal", 'href="players/bao.html"'),
        ("gallery", '<a href="places/ford.html">ford</a>'),
        ("gallery", 'href="players/cleo.html"'),
    ],
)
def test_each_leads_to_the_other(page: str, link: str, pages: dict[str, str]) -> None:
    assert link in pages[page]


@pytest.mark.parametrize(("page", "coins"), [("journal", "3"), ("gallery", "2")])
def test_what_it_was_paid_stands_beside_it(page: str, coins: str, pages: dict[str, str]) -> None:
    assert f"was paid {coins} Coins, <a" in pages[page]
