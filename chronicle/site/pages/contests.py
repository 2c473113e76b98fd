"""All contests on one page: the lists of the game, and the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from chronicle.core.campaign_view import (
    Bit,
    Block,
    ContestCard,
    Item,
    Listing,
    Note,
    Prose,
    Ref,
    Section,
)
from chronicle.core.diagnostic import listed
from chronicle.core.outcomes import Outcome, OutcomeKind, SentencePart
from chronicle.core.record import Contest, Step
from chronicle.site.campaign_site import CONTESTS_PAGE, CampaignSite
from chronicle.site.links import shortened
from chronicle.site.lives import sentence_for_blocks, with_known_name, without_scene
from chronicle.site.luck import luck_blocks
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.site.told import tells_story, told_sentence
from chronicle.words import word

TITLE = word("site.entry_contests")
MAX_THROWS = 300
"""How many throws are listed, of the latest."""
WRITTEN_DICE_NOTE = word("site.dice_were_written")
"""The text in place of the luck tables if the dice were chosen, not rolled."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if campaign_site.contest_lists or campaign_site.lists_throws:
        yield NavPage("Contests", TITLE, CONTESTS_PAGE)


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The contests, where there are any."""
    if campaign_site.contest_lists or campaign_site.lists_throws:
        lists = campaign_site.contest_lists
        parts = [Ref("page", page.slug, page.title) for page in lists] if len(lists) > 1 else []
        inner = [
            ref
            for page in lists
            for ref in campaign_site.page_with_subpages(page.slug, page.title)[1:]
        ]
        yield blocks_page(CONTESTS_PAGE, TITLE, _sections(campaign_site), siblings=(*parts, *inner))


def _sections(campaign_site: CampaignSite) -> Iterator[Section]:
    """A part for each list of the game, whose rows say what the contests came to; the other contests in words; then
    the dice. These list their throws only where no other part does."""
    outcomes: dict[int, list[Outcome]] = {}
    for outcome in campaign_site.lives.outcomes:
        if outcome.kind is OutcomeKind.WON:
            outcomes.setdefault(outcome.step_number, []).append(outcome)
    in_rows = {
        card.step_number
        for page in campaign_site.contest_lists
        for block in page.blocks
        if isinstance(block, Section) and block.gist
        for card in _cards(block)
    }
    in_words = tuple(_in_words(campaign_site, outcomes, in_rows))
    if in_words:
        yield Section(word("site.contests_in_words"), in_words, "in-words")
    for page in campaign_site.contest_lists:
        intro: tuple[Block, ...] = (Note(page.intro),) if page.intro else ()
        blocks = tuple(_in_a_sentence(campaign_site, outcomes, block) for block in page.blocks)
        yield Section(page.title, (*intro, *blocks), page.slug)
    if campaign_site.lists_throws:
        luck = [*luck_of_campaign(campaign_site)]
        if not campaign_site.contest_lists:
            luck += last_throws(campaign_site)
        # One remark is no part of its own.
        title = "" if luck == [Note(WRITTEN_DICE_NOTE)] else word("site.dice")
        if luck:
            yield Section(title, tuple(luck), "dice")


def _cards(section: Section) -> Iterator[ContestCard]:
    """The throws of a row, also those in its parts."""
    for block in section.blocks:
        if isinstance(block, ContestCard):
            yield block
        elif isinstance(block, Section):
            yield from _cards(block)


def _in_a_sentence(
    campaign_site: CampaignSite, outcomes: Mapping[int, Sequence[Outcome]], block: Block
) -> Block:
    """The row of a contest under the sentence that it came to, if it came to one: who met whom, and who won."""
    cards = [*_cards(block)] if isinstance(block, Section) and block.gist else []
    if not isinstance(block, Section) or not cards:
        return block
    card = cards[-1]
    sentences = [o for o in outcomes.get(card.step_number, ()) if o.is_against]
    if len(sentences) != 1:
        return block
    known = [
        with_known_name(campaign_site.shown_name_by_name, part) for part in sentences[0].sentence
    ]
    words = "".join(b.label if isinstance(b, Ref) else str(b) for b in sentence_for_blocks(known))
    number, _, _ = block.title.partition(" ")
    return replace(
        block, title=f"{number} {words.rstrip('.')}", gist=card.contest.winners_score or block.gist
    )


def _in_words(
    campaign_site: CampaignSite,
    outcomes: Mapping[int, Sequence[Outcome]],
    in_rows: Collection[int],
) -> Iterator[Block]:
    """Session by session, what each contest that is in no row of the game came to: a row for a scene that went
    well or badly, and a sentence that says who met whom, and who won, for every other."""
    blocks: dict[int, list[Section | Item]] = {}
    units: set[str] = set()
    for step in campaign_site.record.visible_steps():
        contest = step.contest
        if contest is None or not contest.is_opposed or step.number in in_rows:
            continue
        # A throw without a winner is thrown again, or has its words in another entry.
        if step.number not in outcomes and not any(side.won for side in contest.sides):
            continue
        if contest.score:
            units.add(contest.unit)
        own_outcomes = outcomes.get(step.number, ())
        block = (
            _row(campaign_site, step, contest, own_outcomes)
            if any(outcome.brief for outcome in own_outcomes)
            else _line(campaign_site, step, contest, own_outcomes)
        )
        blocks.setdefault(step.session, []).append(block)
    if len(units) == 1 and (unit := units.pop()).isalpha():
        yield Note(word("site.score_counts", unit=unit))
    for number, session_blocks in blocks.items():
        title = campaign_site.session(number).title if number else ""
        title = f"{number}. {title}" if number else word("site.before_first_session")
        lines = tuple(block for block in session_blocks if isinstance(block, Item))
        rows = tuple(block for block in session_blocks if isinstance(block, Section))
        if lines:
            yield Listing(lines, title)
        if rows:
            yield Section(title, rows)


def _row(
    campaign_site: CampaignSite, step: Step, contest: Contest, outcomes: Sequence[Outcome]
) -> Section:
    """A scene that was thrown for: its title, who did how well, and, when it is opened, what the entry tells and
    how the dice fell."""
    came_to = ""
    names: list[str] = []
    subjects: tuple[SentencePart, ...] = ()
    for outcome in outcomes:
        # The row has the title.
        known = without_scene(
            with_known_name(campaign_site.shown_name_by_name, part) for part in outcome.sentence
        )
        names += [part.label for part in known if isinstance(part, Ref) if outcome.brief]
        is_same = bool(came_to) and known[:1] == subjects[:1] and len(outcome.subject_ids) == 1
        bits = sentence_for_blocks(known[1:] if is_same else known)
        words = "".join(bit.label if isinstance(bit, Ref) else str(bit) for bit in bits).rstrip(".")
        if came_to:
            key = "site.contest_and_then" if is_same else "site.contest_then"
            came_to = word(key, first=came_to, then=words.strip())
        else:
            came_to = f"{words}, {contest.score}" if contest.score else words
        subjects = subjects or known
    told: tuple[Block, ...] = ()
    if tells_story(campaign_site.teller, step):
        told = (Prose(told_sentence(campaign_site.teller, step, names)),)
    card = ContestCard(contest, step.number)
    return Section(shortened(contest.title), (*told, card), step=step.number, gist=came_to)


def _line(
    campaign_site: CampaignSite, step: Step, contest: Contest, outcomes: Sequence[Outcome]
) -> Item:
    """A sentence about a contest, with its score."""
    parts: list[Bit] = []
    for outcome in outcomes:
        parts_of_outcome = [
            with_known_name(campaign_site.shown_name_by_name, part) for part in outcome.sentence
        ]
        parts += [*([" "] if parts else []), *sentence_for_blocks(parts_of_outcome)]
    names_winner_first = any(outcome.is_against for outcome in outcomes)
    score_text = contest.winners_score if names_winner_first else contest.score
    return Item(tuple(parts) or _sides_in_words(contest), score_text, step.number)


def _sides_in_words(contest: Contest) -> str:
    """What a contest was about, who met whom, and who won."""
    names = {side: side.name for side in contest.sides}
    # A side may be called as the contest is; then its player stands for it.
    names |= {side: side.player for side in names if side.player and side.name == contest.title}
    return word(
        "site.contest_line",
        title=shortened(contest.title),
        sides=f" {word('site.against')} ".join(names.values()),
        winners=listed([name for side, name in names.items() if side.won]),
    )


def luck_of_campaign(campaign_site: CampaignSite) -> Iterator[Block]:
    """How the dice fell, against fair dice; in words where nobody rolled them."""
    rolled: dict[tuple[str, str], Counter[str]] = {}
    for step in campaign_site.record.visible_steps():
        for throw in step.throws:
            rolled.setdefault((throw.die, throw.player), Counter()).update(throw.faces)
    if not rolled:
        return
    if campaign_site.record.campaign.has_written_dice:
        yield Note(WRITTEN_DICE_NOTE)
    else:
        for name, die in campaign_site.view.dice.items():
            yield from luck_blocks(name, die, rolled)


def last_throws(campaign_site: CampaignSite) -> Iterator[Block]:
    """The last throws, session by session."""
    visible_steps = campaign_site.record.visible_steps()
    contests = [(step, step.contest) for step in visible_steps if step.contest is not None]
    if len(contests) > MAX_THROWS:
        yield Note(word("site.last_rolls", shown=MAX_THROWS, count=len(contests)))
    lines = ((step.session, _throw_item(step, contest)) for step, contest in contests[-MAX_THROWS:])
    yield from campaign_site.sections_by_session(lines, "site.rolls_count", Listing)


def _throw_item(step: Step, contest: Contest) -> Item:
    """A throw in one line: what it was about, what it came to, and how likely that was."""
    title = shortened(contest.title) or word("site.entry_link", number=step.number)
    words = [word for word in (contest.score, str(contest.odds)) if word]
    return Item(Ref("step", str(step.number), title), "; ".join(words))
