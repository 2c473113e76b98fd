"""A snapshot as a page of cards."""

from chronicle.site.card_page import SnapshotPage, snapshot_page
from tests.site.made import example


def page_of(step_number: int) -> SnapshotPage:
    view = example("left-luggage").campaign_site.view
    return snapshot_page(view, view.record.step(step_number))


def test_each_card_says_what_it_gained_and_lost() -> None:
    page = page_of(3)
    assert (page.date, page.date_before) == ("2026-04-30", "2026-03-31")
    cards = {card.name: card for card in page.cards}
    assert [(slip.text, slip.state) for slip in cards["the boy"].slips] == [
        ("has read his own label", ""),
        ("wet through", "wound"),
    ]
    assert cards["the boy"].control_change == ("Bram", "Finn")
    assert cards["trunk 114"].slips[-1].state == "removed"
    loom = cards["Inspector Loom"]
    assert loom.is_new
    assert [slip.text for slip in loom.slips] == ["counts aloud", "came on foot"]


def test_figures_of_players_stand_beside_each_other() -> None:
    page = page_of(3)
    assert [
        (figure.player, figure.value_before, figure.value_after) for figure in page.player_figures
    ] == [
        ("Odile", "16", "14"),
        ("Bram", "22", "19"),
        ("Yusra", "21", "17"),
        ("Finn", "25", "16"),
    ]
    assert page.other_lines == ("the turn is Odile (was Finn)",)


def test_the_first_page_has_none_before_it() -> None:
    assert page_of(1).date_before == ""
    assert all(card.is_new for card in page_of(1).cards)


def test_story_and_session_show_the_cards() -> None:
    luggage = example("left-luggage")
    assert 'class="ch-card-page__cards"' in luggage.html("sessions/2")
    story = luggage.html("story/2")
    assert "How things stood on 30 April" in story
    assert "Between this page and the one of 31 March the record is silent." in story
