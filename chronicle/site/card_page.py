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


class Card(NamedTuple):
    """A card that differs from the page before."""

    sheet_id: str
    name: str
    role: str
    is_new: bool
    slips: tuple[Slip, ...]
    """The words that it gained or lost."""
    lines: tuple[str, ...]
    """What else differs."""
    control_change: tuple[str, str] | None
    """Who had it before, and who has it now."""


class FigureOfPlayer(NamedTuple):
    """A figure of a player: its name, and its values before and now."""

    figure: str
    player: str
    before: str
    after: str


class CardPage(NamedTuple):
    """A snapshot: the dates of its session and of the page before, and what differs."""

    step: int
    date: str
    date_before: str
    """Empty if there is no page before."""
    cards: tuple[Card, ...]
    figures: tuple[FigureOfPlayer, ...]
    lines: tuple[str, ...]
    """What belongs to no card and no player."""


def card_page(view: CampaignView, step: Step) -> CardPage:
    """The page of cards that a snapshot is.

    Args:
        view: what happened.
        step: the step of the snapshot.
    """
    players = set(view.players())
    sheets = {sheet.id: sheet for sheet in view.sheets}
    cards: dict[str, list[Difference]] = {}
    figures: list[FigureOfPlayer] = []
    lines: list[str] = []
    for event in step.events:
        text = event.text
        if event.kind != DIFFERS_FROM_COMPUTED:
            continue
        if not isinstance(text, Difference):
            lines.append(text)
        elif text.owner_id in sheets and text.owner_id not in players:
            cards.setdefault(text.owner_id, []).append(text)
        elif text.state == "figure" and text.owner_id in players:
            figure = view.accounts.get(text.words[0], text.words[0])
            figures.append(FigureOfPlayer(figure, text.owner_id, text.before, text.after))
        else:
            lines.append(text)
    dates = {session.number: session.date for session in view.sessions}
    earlier_snapshot = next(
        (
            earlier_step
            for earlier_step in reversed(view.record.steps[: step.number - 1])
            if isinstance(earlier_step.action, Snapshot)
        ),
        None,
    )
    return CardPage(
        step.number,
        dates.get(step.session, ""),
        dates.get(earlier_snapshot.session, "") if earlier_snapshot is not None else "",
        tuple(_card(sheets[id], differences) for id, differences in cards.items()),
        tuple(figures),
        tuple(lines),
    )


def _card(sheet: Sheet, differences: list[Difference]) -> Card:
    control_difference = next(
        (difference for difference in differences if difference.state == "control"), None
    )
    return Card(
        sheet.id,
        sheet.name,
        sheet.role if sheet.role != sheet.name else "",
        any(difference.state == "new" for difference in differences),
        tuple(_slips(differences)),
        tuple(_lines(differences)),
        (control_difference.before, control_difference.after)
        if control_difference is not None
        else None,
    )


def _slips(differences: list[Difference]) -> Iterator[Slip]:
    for difference in differences:
        if difference.state in ("", "wound", "flaw", "removed", "new"):
            state = "" if difference.state == "new" else difference.state
            yield from (Slip(words, state=state) for words in difference.words)


def _lines(differences: list[Difference]) -> Iterator[str]:
    for difference in differences:
        if difference.state == "figure":
            before = f"{difference.before} → " if difference.before else ""
            yield f"{difference.words[0]} {before}{difference.after}"
        elif not difference.state and not difference.words:
            yield difference


# -- drawing ---------------------------------------------------------------------------------------


def draw_page(renderer: Renderer, page: CardPage) -> dict[str, Any]:
    """A page of cards as the macros draw it: ``card_page`` beside the log, ``cards`` in the story."""
    date = long_date(page.date)
    title = word("site.page_of_cards" if page.cards else "site.how_stood_on", date=date)
    figures: dict[str, list[FigureOfPlayer]] = {}
    for figure in page.figures:
        figures.setdefault(figure.figure, []).append(figure)
    return {
        "title": title if date else word("site.how_it_stood"),
        "stood": word("site.how_stood_on", date=day_and_month(page.date)) if date else "",
        "since": day_and_month(page.date_before),
        "cards": [_draw_card(renderer, card) for card in page.cards],
        "figures": [
            {
                "title": word("site.figures_of_page", figure=figure),
                "rows": [
                    {
                        **figure_of_player._asdict(),
                        "name": renderer.player(figure_of_player.player),
                        "colour": renderer.colour(figure_of_player.player),
                    }
                    for figure_of_player in rows
                ],
            }
            for figure, rows in figures.items()
        ],
        "lines": [renderer.text(line) for line in page.lines],
    }


def _draw_card(renderer: Renderer, card: Card) -> dict[str, Any]:
    plain = "plain" if card.is_new else "gained"
    return {
        "name": renderer.text(Ref("sheet", card.sheet_id, card.name)),
        "role": inline(card.role),
        "is_new": card.is_new,
        "slips": [{"text": inline(slip.text), "state": slip.state or plain} for slip in card.slips],
        "lines": [renderer.text(line) for line in card.lines],
        "control": [
            renderer.player(controller) if controller else ""
            for controller in card.control_change or ()
        ],
    }
