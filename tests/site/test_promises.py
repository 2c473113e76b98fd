"""What add-ons, secrets and paid jobs are for, on the sites of the play examples that use them."""

from __future__ import annotations

from pathlib import Path

from chronicle.campaigns import load, run
from chronicle.core.secrets import seal_of
from chronicle.core.source import ScalarNode
from chronicle.publish import make_site
from tests.site.made import example


def site_of(folder: Path, through: int | None = None) -> dict[str, str]:
    """The pages of a campaign, by path."""
    site = make_site(folder, reference=False, through=through)
    return {file.path.partition("/")[2]: file.html for file in site.files()}


def test_a_two_branch_campaign_shows_two_truths_about_one_component_on_one_site() -> None:
    valley = example("the-valley-twice")
    sheet = valley.html("characters/hannah-garth")
    truths = sheet.partition("Two truths")[2].partition("Every Coin on this sheet")[0]
    dry, drowned = (truths.index(f">{branch}") for branch in ("dry", "drowned"))
    assert dry < drowned
    for words in (
        "the one who said stay",
        "the one who said go",
        "has buried two men off that land",
    ):
        assert words in truths
    assert "The bean vote" in valley.html("realities")


def test_a_sealed_trait_surfaces_three_sessions_later_with_its_proof(root: Path) -> None:
    folder = root / "sessions" / "one-piece-a-house"
    record = run(load(folder))
    assert not record.diagnostics
    (sealed,) = (step for step in record.steps if step.action.verb == "sealed")
    (reveal,) = (step for step in record.steps if step.action.verb == "reveal")
    assert reveal.session - sealed.session == 3
    opening = str(reveal.action.source[ScalarNode("opening")])
    assert str(sealed.action.source[ScalarNode("sealed")]) == seal_of(opening)
    words = "has heard nothing since the arsenal"
    assert words in opening
    assert words in example(folder.name).html("characters/agathe-dorn")
    evening = example(folder.name).html("sessions/4")
    assert "sealed beforehand, verified" in evening[evening.index(words) :]
    assert not [page for page, html in site_of(folder, 3).items() if words in html]


def test_the_record_keeper_is_paid_for_having_written_it_down(root: Path) -> None:
    folder = root / "sessions" / "one-piece-a-house"
    record = run(load(folder))
    reveal = next(step for step in record.steps if step.action.verb == "reveal")
    paid = [
        posting
        for posting in record.ledger.postings
        if posting.target == "wealth:Yusuf" and posting.why.startswith("record keeper")
    ]
    assert [posting.amount for posting in paid] == [2, 2, 2, 2]
    assert [record.step(posting.step_number).session for posting in paid] == [1, 2, 3, 4]
    assert paid[-1].step_number > reveal.number
    assert "2 Coins at the end of each session" in site_of(folder)["jobs"]
