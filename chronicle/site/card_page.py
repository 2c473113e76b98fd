"""A snapshot as a page of cards: what differs from the page before, card by card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.campaign_view import CampaignView, Ref, Sheet
from chronicle.core.record import Difference, Step
from chronicle.core.stated_figures import DIFFERS_FROM_COMPUTED, Snapshot
from chronicle.core.telling import Slip
from chronicle.site.dates import day_and_month, long_date
from chronicle.site.draw import Renderer
from chronicle.site.prose import inline
from chronicle.words import word


class ChangedCard(NamedTuple):
    """A card that differs from the page before."""

    sheet_id: str
    name: str
    role: str
    is_new: bool
    slips: tuple[Slip, ...]
    """The words that it gained or lost."""
    difference_lines: tuple[str, ...]
    """What else differs."""
    control_change: tuple[str, str] | None
    """Who had it before, and who has it now."""


class FigureOfPlayer(NamedTuple):
    """A figure of a player: its name, and its values before and now."""

    figure_name: str
    player: str
    value_before: str
    value_after: str


class SnapshotPage(NamedTuple):
    """A snapshot: the dates of its session and of the page before, and what differs."""

    step_number: int
    date: str
    date_before: str
    """Empty if there is no page before."""
    cards: tuple[ChangedCard, ...]
    player_figures: tuple[FigureOfPlayer, ...]
    other_lines: tuple[str, ...]
    """What belongs to no card and no player."""


def snapshot_page(view: CampaignView, step: Step) -> SnapshotPage:
    """The page of cards that a snapshot is.

    Args:
        view: what happened.
        step: the step of the snapshot.
    """
    players = set(view.players())
    sheet_by_id = {sheet.id: sheet for sheet in view.sheets}
    differences_by_sheet: dict[str, list[Difference]] = {}
    player_figures: list[FigureOfPlayer] = []
    other_lines: list[str] = []
    for event in step.events:
        event_text = event.text
        if event.kind != DIFFERS_FROM_COMPUTED:
            continue
        if not isinstance(event_text, Difference):
            other_lines.append(event_text)
        elif event_text.owner_id in sheet_by_id and event_text.owner_id not in players:
            differences_by_sheet.setdefault(event_text.owner_id, []).append(event_text)
        elif event_text.state == "figure" and event_text.owner_id in players:
            figure_name = view.accounts.get(event_text.words[0], event_text.words[0])
            player_figures.append(
                FigureOfPlayer(
                    figure_name, event_text.owner_id, event_text.before, event_text.after
                )
            )
        else:
            other_lines.append(event_text)
    dates_by_session = {session.number: session.date for session in view.sessions}
    earlier_snapshot = next(
        (
            earlier_step
            for earlier_step in reversed(view.record.steps[: step.number - 1])
            if isinstance(earlier_step.action, Snapshot)
        ),
        None,
    )
    return SnapshotPage(
        step.number,
        dates_by_session.get(step.session, ""),
        dates_by_session.get(earlier_snapshot.session, "") if earlier_snapshot is not None else "",
        tuple(
            _changed_card(sheet_by_id[sheet_id], differences)
            for sheet_id, differences in differences_by_sheet.items()
        ),
        tuple(player_figures),
        tuple(other_lines),
    )


def _changed_card(sheet: Sheet, differences: list[Difference]) -> ChangedCard:
    control_difference = next(
        (difference for difference in differences if difference.state == "control"), None
    )
    return ChangedCard(
        sheet.id,
        sheet.name,
        sheet.role if sheet.role != sheet.name else "",
        any(difference.state == "new" for difference in differences),
        tuple(_changed_slips(differences)),
        tuple(_difference_lines(differences)),
        (control_difference.before, control_difference.after)
        if control_difference is not None
        else None,
    )


def _changed_slips(differences: list[Difference]) -> Iterator[Slip]:
    for difference in differences:
        if difference.state in ("", "wound", "flaw", "removed", "new"):
            slip_state = "" if difference.state == "new" else difference.state
            yield from (Slip(slip_text, state=slip_state) for slip_text in difference.words)


def _difference_lines(differences: list[Difference]) -> Iterator[str]:
    for difference in differences:
        if difference.state == "figure":
            before_text = f"{difference.before} → " if difference.before else ""
            yield f"{difference.words[0]} {before_text}{difference.after}"
        elif not difference.state and not difference.words:
            yield difference


# -- drawing ---------------------------------------------------------------------------------------


def snapshot_page_data(renderer: Renderer, page_of_cards: SnapshotPage) -> dict[str, Any]:
    """A page of cards as the macros draw it: ``card_page`` beside the log, ``cards`` in the story."""
    date_text = long_date(page_of_cards.date)
    page_title = word(
        "site.page_of_cards" if page_of_cards.cards else "site.how_stood_on", date=date_text
    )
    player_figures_by_figure: dict[str, list[FigureOfPlayer]] = {}
    for figure_of_player in page_of_cards.player_figures:
        player_figures_by_figure.setdefault(figure_of_player.figure_name, []).append(
            figure_of_player
        )
    return {
        "title": page_title if date_text else word("site.how_it_stood"),
        "stood": word("site.how_stood_on", date=day_and_month(page_of_cards.date))
        if date_text
        else "",
        "since": day_and_month(page_of_cards.date_before),
        "cards": [_card_data(renderer, card) for card in page_of_cards.cards],
        "figures": [
            {
                "title": word("site.figures_of_page", figure=figure_name),
                "rows": [
                    {
                        "before": figure_of_player.value_before,
                        "after": figure_of_player.value_after,
                        "name": renderer.player(figure_of_player.player),
                        "colour": renderer.seat_of(figure_of_player.player),
                    }
                    for figure_of_player in player_figures
                ],
            }
            for figure_name, player_figures in player_figures_by_figure.items()
        ],
        "lines": [renderer.text(line) for line in page_of_cards.other_lines],
    }


def _card_data(renderer: Renderer, card: ChangedCard) -> dict[str, Any]:
    default_state = "plain" if card.is_new else "gained"
    return {
        "name": renderer.text(Ref("sheet", card.sheet_id, card.name)),
        "role": inline(card.role),
        "is_new": card.is_new,
        "slips": [
            {"text": inline(slip.text), "state": slip.state or default_state} for slip in card.slips
        ],
        "lines": [renderer.text(line) for line in card.difference_lines],
        "control": [
            renderer.player(controller) if controller else ""
            for controller in card.control_change or ()
        ],
    }
