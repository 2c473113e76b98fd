"""Everybody at the table: the list, and a page a player."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chronicle.core.book import (
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
from chronicle.core.diagnostic import amount_in_units
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.record import Step
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page, neighbours
from chronicle.words import word

COLUMNS = 4
"""How many kinds of accounts the list has columns for."""
SPENT = 14
"""Maximum number of rows in the list of what a player spent on."""
PLAYED = 6
"""Maximum number of characters that the list names for a player."""
SCENES = 60
"""Maximum number of scenes listed for the player who opened them."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage(
        "Cast", word("site.players"), "players/index", str(len(campaign_site.book.players()))
    )


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The list, then the players."""
    done, spent = _did(campaign_site), _spent(campaign_site)
    yield blocks_page("players/index", word("site.players"), _everybody(campaign_site, done))
    crumbs = ((word("site.players"), "players/index"),)
    names = campaign_site.book.players()
    turns = neighbours([Ref("player", name, name) for name in names])
    for name, turn in zip(names, turns, strict=True):
        blocks = filter(_holds, _blocks(campaign_site, name, done, spent[name]))
        former = [old for old, new in campaign_site.record.campaign.renamings if new == name]
        intro = word("site.formerly_known", names=", ".join(former)) if former else ""
        page = campaign_site.player_page(name)
        yield blocks_page(page, name, blocks, intro=intro, crumbs=crumbs, turn=turn)


def _everybody(campaign_site: CampaignSite, done: Done) -> Iterator[Block]:
    """The players: their characters, actions and holdings."""
    record, names = campaign_site.record, campaign_site.book.players()
    kinds: dict[tuple[str, str], dict[str, int | str]] = {}
    for account, unit, amount in record.ledger.balances():
        if owner_of(account) in names:
            amount_in_words = campaign_site.tally.in_words(len(record.steps), account, amount)
            kinds.setdefault((kind_of(account), unit), {})[owner_of(account)] = amount_in_words
    shown = [(key, held) for key, held in kinds.items() if any(held.values())][:COLUMNS]
    entries, told_counts, dice = done
    opened = Counter(scene.opener for scene in record.timeline.scenes)
    sheets_by_player: dict[str, list[Ref]] = {}
    evenings = campaign_site.book.session_ends
    states = evenings[max(evenings)].subjects if evenings else {}
    # People first, then places and things.
    controls = any(
        states[sheet.id].last_holder
        for sheet in campaign_site.book.sheets
        if sheet.id in states and not sheet.player
    )
    for sheet in sorted(campaign_site.book.sheets, key=lambda sheet: sheet.shape != "person"):
        player = sheet.player or (states[sheet.id].last_holder if sheet.id in states else "")
        sheets_by_player.setdefault(player, []).append(Ref("sheet", sheet.id, sheet.name))
    yield Stats(
        tuple(Stat(str(entries[name]), name, name) for name in names), word("site.entries_in_log")
    )
    columns = (
        Column(word("site.player")),
        Column(word("site.controls_at_end" if controls else "site.plays")),
        Column(word("site.pieces_of_story"), True),
        Column(word("site.scenes_opened"), True),
        *([Column(word("site.rolls"), True)] if dice else []),
        *(Column(campaign_site.book.accounts.get(kind, kind), True) for (kind, _), _ in shown),
    )
    rows: tuple[tuple[Inline, ...], ...] = tuple(
        (
            Ref("player", name, name),
            _listed(sheets_by_player.get(name, [])),
            told_counts[name],
            opened[name],
            *([dice[name]] if dice else []),
            *(held.get(name, 0) for _, held in shown),
        )
        for name in names
    )
    yield Table(columns, rows)


def _listed(refs: list[Ref]) -> Inline:
    """These after each other, the first ones of many."""
    shown = tuple(part for ref in refs[:PLAYED] for part in (", ", ref))[1:]
    rest_count = len(refs) - PLAYED
    return (*shown, " ", word("site.and_more", count=rest_count)) if rest_count > 0 else shown


class Done(NamedTuple):
    """For each player: the number of entries, of entries with text, and of throws."""

    entries: Counter[str]
    with_text: Counter[str]
    throws: Counter[str]


def _did(campaign_site: CampaignSite) -> Done:
    """What everybody did in the whole campaign."""
    totals = Done(Counter(), Counter(), Counter())
    for evening in campaign_site.by_itself(_done):
        for count, counts in zip(totals, evening, strict=True):
            count.update(counts)
    return totals


def _done(steps: Sequence[Step]) -> Done:
    shown = [step for step in steps if not step.hidden]
    return Done(
        Counter(step.player for step in shown),
        Counter(step.player for step in shown if step.fiction),
        Counter(throw.player for step in shown for throw in step.throws),
    )


def _blocks(campaign_site: CampaignSite, name: str, done: Done, spent: Spent) -> Iterator[Block]:
    record, accounts = campaign_site.record, campaign_site.book.accounts
    opened = [scene for scene in record.timeline.scenes if scene.opener == name]
    yield Stats(
        (
            _stat(done.entries[name], "site.of_entries"),
            _stat(len(opened), "site.of_scenes_opened"),
            _stat(done.with_text[name], "site.of_pieces"),
        )
    )
    held = (
        (
            accounts.get(kind_of(account), kind_of(account)),
            str(
                campaign_site.tally.in_words(
                    len(record.steps), account, amount_in_units(amount, unit)
                )
            ),
        )
        for account, unit, amount in record.ledger.balances()
        if owner_of(account) == name
    )
    yield Facts(tuple(held), word("site.hold_now"))
    items = (
        Item(Ref("sheet", sheet.id, sheet.name), sheet.status)
        for sheet in campaign_site.book.sheets
        if sheet.player == name
    )
    yield Listing(tuple(items), word("site.theirs"))
    yield _bars(name, spent)
    scenes = (Item(Ref("scene", str(s.number), s.title), s.time) for s in opened[-SCENES:])
    shows_all = len(opened) <= SCENES
    title = word("site.opened_scenes" if shows_all else "site.opened_scenes_last", count=SCENES)
    yield Listing(tuple(scenes), title, ordered=shows_all)
    yield Listing(
        tuple(Item(work.ref) for work in campaign_site.works.by(name)),
        word("site.texts_and_pictures"),
    )


def _stat(count: int, key: str) -> Stat:
    """How many there are of what a message names in the plural that goes with it."""
    return Stat(f"{count:,}", word(key, count=count))


Spent = Counter[tuple[str, str]]
"""A player's spending, by purpose and unit."""


def _spent(campaign_site: CampaignSite) -> defaultdict[str, Spent]:
    """What everybody spent."""
    paid: defaultdict[str, Spent] = defaultdict(Counter)
    for posting in campaign_site.record.ledger.postings:
        # Movements between purses of the same player (a bid, a gain kept) are not spending.
        owner = owner_of(posting.source)
        if posting.why and owner and owner != owner_of(posting.target):
            paid[owner][posting.why, posting.unit] += posting.amount
    return paid


def _bars(name: str, paid: Spent) -> Bars:
    several = len({unit for _, unit in paid}) > 1
    return Bars(
        word("site.spent_on"),
        tuple(
            (f"{why} ({unit})" if several else why, count, name)
            for (why, unit), count in paid.most_common(SPENT)
        ),
    )


def _holds(block: Block) -> bool:
    """Whether a block has anything to show."""
    match block:
        case Listing():
            return bool(block.items)
        case Bars() | Facts():
            return bool(block.rows)
        case _:
            return True
