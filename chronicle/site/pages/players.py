"""Everybody at the table: the list, and a page a player."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chronicle.core.campaign import Player
from chronicle.core.campaign_view import (
    Bars,
    Block,
    Column,
    Facts,
    Inline,
    Item,
    Listing,
    Ref,
    Stat,
    Stats,
    Table,
)
from chronicle.core.diagnostic import amount_in_units, listed
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.record import Step
from chronicle.core.timeline import Scene
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page, previous_and_next_refs
from chronicle.words import word

MAX_ACCOUNT_COLUMNS = 4
"""How many kinds of accounts the list has columns for."""
MAX_SPENDING_ROWS = 14
"""Maximum number of rows in the list of what a player spent on."""
MAX_CHARACTERS = 6
"""Maximum number of characters that the list names for a player."""
MAX_SCENES = 60
"""Maximum number of scenes listed for the player who opened them."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage(
        "Cast", word("site.players"), "players/index", str(len(campaign_site.view.players()))
    )


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The list, then the players."""
    entry_counts, spending = _entry_counts(campaign_site), _spending_by_player(campaign_site)
    yield blocks_page(
        "players/index", word("site.players"), _players_table(campaign_site, entry_counts)
    )
    crumbs = ((word("site.players"), "players/index"),)
    players = campaign_site.view.players()
    previous_and_next_players = previous_and_next_refs(
        [Ref("player", player, player) for player in players]
    )
    for player, previous_and_next in zip(players, previous_and_next_players, strict=True):
        blocks = filter(_has_content, _player_blocks(campaign_site, player, spending[player]))
        former_names = [
            former_name
            for former_name, present_name in campaign_site.record.campaign.renamings
            if present_name == player
        ]
        former_names_text = (
            word("site.formerly_known", names=", ".join(former_names)) if former_names else ""
        )
        page_path = campaign_site.player_page_path(player)
        yield blocks_page(
            page_path,
            player,
            blocks,
            intro=" ".join(
                filter(
                    None, (_player_sentence(campaign_site, player, entry_counts), former_names_text)
                )
            ),
            crumbs=crumbs,
            previous_and_next=previous_and_next,
        )


def _players_table(campaign_site: CampaignSite, entry_counts: EntryCounts) -> Iterator[Block]:
    """The players: their characters, actions and holdings."""
    record, players = campaign_site.record, campaign_site.view.players()
    amounts_by_account: dict[tuple[str, str], dict[str, int | str]] = {}
    for account, unit, amount in record.ledger.balances():
        if owner_of(account) in players:
            amount_in_words = campaign_site.balance_history.balance_in_words(
                len(record.steps), account, amount
            )
            amounts_by_account.setdefault((kind_of(account), unit), {})[owner_of(account)] = (
                amount_in_words
            )
    account_columns = [
        (kind_and_unit, amounts)
        for kind_and_unit, amounts in amounts_by_account.items()
        if any(amounts.values())
    ][:MAX_ACCOUNT_COLUMNS]
    entry_count_by_player, told_count_by_player, throw_count_by_player = entry_counts
    opened_scene_counts = Counter(scene.opener for scene in record.timeline.scenes)
    sheets_by_player: dict[str, list[Ref]] = {}
    session_ends = campaign_site.view.session_ends
    last_state_by_sheet = session_ends[max(session_ends)].subjects if session_ends else {}
    # People first, then places and things.
    shows_control = any(
        last_state_by_sheet[sheet.id].last_holder
        for sheet in campaign_site.view.sheets
        if sheet.id in last_state_by_sheet and not sheet.player
    )
    for sheet in sorted(campaign_site.view.sheets, key=lambda sheet: sheet.shape != "person"):
        player = sheet.player or (
            last_state_by_sheet[sheet.id].last_holder if sheet.id in last_state_by_sheet else ""
        )
        sheets_by_player.setdefault(player, []).append(Ref("sheet", sheet.id, sheet.name))
    yield Stats(
        tuple(
            Stat(str(entry_count_by_player[table_player]), table_player, table_player)
            for table_player in players
        ),
        word("site.entries_in_log"),
    )
    columns = (
        Column(word("site.player")),
        Column(word("site.controls_at_end" if shows_control else "site.plays")),
        Column(word("site.pieces_of_story"), True),
        Column(word("site.scenes_opened"), True),
        *([Column(word("site.rolls"), True)] if throw_count_by_player else []),
        *(
            Column(campaign_site.view.accounts.get(account_kind, account_kind), True)
            for (account_kind, _), _ in account_columns
        ),
    )
    player_rows: tuple[tuple[Inline, ...], ...] = tuple(
        (
            Ref("player", table_player, table_player),
            _first_refs(sheets_by_player.get(table_player, [])),
            told_count_by_player[table_player],
            opened_scene_counts[table_player],
            *([throw_count_by_player[table_player]] if throw_count_by_player else []),
            *(amounts.get(table_player, 0) for _, amounts in account_columns),
        )
        for table_player in players
    )
    yield Table(columns, player_rows)


def _first_refs(refs: list[Ref]) -> Inline:
    """These after each other, the first ones of many."""
    shown_refs = tuple(inline_part for ref in refs[:MAX_CHARACTERS] for inline_part in (", ", ref))[
        1:
    ]
    other_count = len(refs) - MAX_CHARACTERS
    return (
        (*shown_refs, " ", word("site.and_more", count=other_count))
        if other_count > 0
        else shown_refs
    )


class EntryCounts(NamedTuple):
    """For each player: the number of entries, of entries with text, and of throws."""

    entry_counts: Counter[str]
    text_counts: Counter[str]
    throw_counts: Counter[str]


def _entry_counts(campaign_site: CampaignSite) -> EntryCounts:
    """What everybody did in the whole campaign."""
    totals = EntryCounts(Counter(), Counter(), Counter())
    for session_counts in campaign_site.results_by_session(_counts_of_steps):
        for total, session_count in zip(totals, session_counts, strict=True):
            total.update(session_count)
    return totals


def _counts_of_steps(steps: Sequence[Step]) -> EntryCounts:
    visible_steps = [step for step in steps if not step.hidden]
    return EntryCounts(
        Counter(step.player for step in visible_steps),
        Counter(step.player for step in visible_steps if step.fiction),
        Counter(throw.player for step in visible_steps for throw in step.throws),
    )


def _player_blocks(campaign_site: CampaignSite, player: str, spending: Spending) -> Iterator[Block]:
    record, name_by_account_kind = campaign_site.record, campaign_site.view.accounts
    holdings = (
        (
            name_by_account_kind.get(kind_of(account), kind_of(account)),
            str(
                campaign_site.balance_history.balance_in_words(
                    len(record.steps), account, amount_in_units(amount, unit)
                )
            ),
        )
        for account, unit, amount in record.ledger.balances()
        if owner_of(account) == player
    )
    yield Facts(tuple(holdings), word("site.hold_now"))
    sheet_items = (
        Item(Ref("sheet", sheet.id, sheet.name), sheet.status)
        for sheet in campaign_site.view.sheets
        if sheet.player == player
    )
    yield Listing(tuple(sheet_items), word("site.theirs"))
    yield _spending_bars(player, spending)
    scenes_opened = _scenes_opened(campaign_site, player)
    scene_items = (
        Item(
            Ref("scene", str(scene.number), scene.title),
            ", ".join(
                filter(None, (word("site.session_number", number=scene.session), scene.time))
            ),
        )
        for scene in scenes_opened[-MAX_SCENES:]
    )
    shows_all_scenes = len(scenes_opened) <= MAX_SCENES
    scenes_title = word(
        "site.opened_scenes" if shows_all_scenes else "site.opened_scenes_last", count=MAX_SCENES
    )
    yield Listing(tuple(scene_items), scenes_title)
    yield Listing(
        tuple(Item(work.ref) for work in campaign_site.works.works_by(player)),
        word("site.texts_and_pictures"),
    )


def _scenes_opened(campaign_site: CampaignSite, player: str) -> list[Scene]:
    return [scene for scene in campaign_site.record.timeline.scenes if scene.opener == player]


def _player_sentence(campaign_site: CampaignSite, player: str, entry_counts: EntryCounts) -> str:
    """Whom a player plays, or that they run the game, and how much they told.

    The name stands above as the heading.
    """
    record = campaign_site.record
    names = [sheet.name for sheet in campaign_site.view.sheets if sheet.player == player]
    other_count = len(names) - MAX_CHARACTERS
    if other_count > 0:
        names[MAX_CHARACTERS:] = [word("site.n_more", count=other_count)]
    sentences = [word("site.player_plays", people=listed(names))] if names else []
    if any(person == Player(player, -1) for person in record.campaign.players):
        sentences = [word("site.player_runs")]
    counts = {
        "site.player_scenes": len(_scenes_opened(campaign_site, player)),
        "site.player_pieces": entry_counts.text_counts[player],
    }
    sentences += [word(message_key, count=count) for message_key, count in counts.items() if count]
    return " ".join(sentences)


Spending = Counter[tuple[str, str]]
"""A player's spending, by purpose and unit."""


def _spending_by_player(campaign_site: CampaignSite) -> defaultdict[str, Spending]:
    """What everybody spent."""
    spending_by_player: defaultdict[str, Spending] = defaultdict(Counter)
    for posting in campaign_site.record.ledger.postings:
        # Movements between purses of the same player (a bid, a gain kept) are not spending.
        owner = owner_of(posting.source)
        if posting.why and owner and owner != owner_of(posting.target):
            spending_by_player[owner][posting.why, posting.unit] += posting.amount
    return spending_by_player


def _spending_bars(player: str, spending: Spending) -> Bars:
    has_several_units = len({unit for _, unit in spending}) > 1
    return Bars(
        word("site.spent_on"),
        tuple(
            (f"{purpose} ({unit})" if has_several_units else purpose, amount, player)
            for (purpose, unit), amount in spending.most_common(MAX_SPENDING_ROWS)
        ),
    )


def _has_content(block: Block) -> bool:
    """Whether a block has anything to show."""
    match block:
        case Listing():
            return bool(block.items)
        case Bars() | Facts():
            return bool(block.rows)
        case _:
            return True
