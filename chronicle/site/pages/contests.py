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
        contest_lists = campaign_site.contest_lists
        list_refs = (
            [Ref("page", list_page.slug, list_page.title) for list_page in contest_lists]
            if len(contest_lists) > 1
            else []
        )
        subpage_refs = [
            subpage_ref
            for list_page in contest_lists
            for subpage_ref in campaign_site.page_with_subpages(list_page.slug, list_page.title)[1:]
        ]
        yield blocks_page(
            CONTESTS_PAGE, TITLE, _sections(campaign_site), siblings=(*list_refs, *subpage_refs)
        )


def _sections(campaign_site: CampaignSite) -> Iterator[Section]:
    """A part for each list of the game, whose rows say what the contests came to; the other contests in words; then
    the dice. These list their throws only where no other part does."""
    outcomes_by_step: dict[int, list[Outcome]] = {}
    for outcome in campaign_site.lives.outcomes:
        if outcome.kind is OutcomeKind.WON:
            outcomes_by_step.setdefault(outcome.step_number, []).append(outcome)
    listed_step_numbers = {
        card.step_number
        for list_page in campaign_site.contest_lists
        for block in list_page.blocks
        if isinstance(block, Section) and block.gist
        for card in _contest_cards(block)
    }
    word_blocks = tuple(_contests_in_words(campaign_site, outcomes_by_step, listed_step_numbers))
    if word_blocks:
        yield Section(word("site.contests_in_words"), word_blocks, "in-words")
    for list_page in campaign_site.contest_lists:
        intro: tuple[Block, ...] = (Note(list_page.intro),) if list_page.intro else ()
        blocks = tuple(
            _with_sentence(campaign_site, outcomes_by_step, block) for block in list_page.blocks
        )
        yield Section(list_page.title, (*intro, *blocks), list_page.slug)
    if campaign_site.lists_throws:
        dice_blocks = [*luck_of_campaign(campaign_site)]
        if not campaign_site.contest_lists:
            dice_blocks += last_throws(campaign_site)
        # One remark is no part of its own.
        dice_title = "" if dice_blocks == [Note(WRITTEN_DICE_NOTE)] else word("site.dice")
        if dice_blocks:
            yield Section(dice_title, tuple(dice_blocks), "dice")


def _contest_cards(section: Section) -> Iterator[ContestCard]:
    """The throws of a row, also those in its parts."""
    for block in section.blocks:
        if isinstance(block, ContestCard):
            yield block
        elif isinstance(block, Section):
            yield from _contest_cards(block)


def _with_sentence(
    campaign_site: CampaignSite, outcomes_by_step: Mapping[int, Sequence[Outcome]], block: Block
) -> Block:
    """The row of a contest under the sentence that it came to, if it came to one: who met whom, and who won."""
    contest_cards = [*_contest_cards(block)] if isinstance(block, Section) and block.gist else []
    if not isinstance(block, Section) or not contest_cards:
        return block
    contest_card = contest_cards[-1]
    decisive_outcomes = [
        outcome
        for outcome in outcomes_by_step.get(contest_card.step_number, ())
        if outcome.is_against
    ]
    if len(decisive_outcomes) != 1:
        return block
    shown_sentence_parts = [
        with_known_name(campaign_site.shown_name_by_name, sentence_part)
        for sentence_part in decisive_outcomes[0].sentence
    ]
    sentence_text = "".join(
        sentence_bit.label if isinstance(sentence_bit, Ref) else str(sentence_bit)
        for sentence_bit in sentence_for_blocks(shown_sentence_parts)
    )
    row_number, _, _ = block.title.partition(" ")
    return replace(
        block,
        title=f"{row_number} {sentence_text.rstrip('.')}",
        gist=contest_card.contest.score or block.gist,
    )


def _contests_in_words(
    campaign_site: CampaignSite,
    outcomes_by_step: Mapping[int, Sequence[Outcome]],
    listed_step_numbers: Collection[int],
) -> Iterator[Block]:
    """Session by session, what each contest that is in no row of the game came to: a row for a scene that went
    well or badly, and a sentence that says who met whom, and who won, for every other."""
    blocks_by_session: dict[int, list[Section | Item]] = {}
    score_units: set[str] = set()
    count_by_brief: Counter[str] = Counter()
    for step in campaign_site.record.visible_steps():
        contest = step.contest
        if contest is None or not contest.is_opposed or step.number in listed_step_numbers:
            continue
        # A throw without a winner is thrown again, or has its words in another entry.
        if step.number not in outcomes_by_step and not any(side.won for side in contest.sides):
            continue
        if contest.score:
            score_units.add(contest.unit)
        own_outcomes = outcomes_by_step.get(step.number, ())
        # "well, and the Job is done" is one that went well.
        briefs = [outcome.brief.partition(",")[0] for outcome in own_outcomes if outcome.brief]
        count_by_brief.update(briefs[:1])
        block = (
            _contest_section(campaign_site, step, contest, own_outcomes)
            if any(outcome.brief for outcome in own_outcomes)
            else _contest_item(campaign_site, step, contest, own_outcomes)
        )
        blocks_by_session.setdefault(step.session, []).append(block)
    if len(count_by_brief) > 1:
        tally = listed(f"{count} {brief}" for brief, count in count_by_brief.most_common())
        yield Note(word("site.contest_tally", count=count_by_brief.total(), tally=tally))
    if len(score_units) == 1 and (score_unit := score_units.pop()).isalpha():
        yield Note(word("site.score_counts", unit=score_unit))
    for session_number, session_blocks in blocks_by_session.items():
        section_title = campaign_site.session(session_number).title if session_number else ""
        section_title = (
            f"{session_number}. {section_title}"
            if session_number
            else word("site.before_first_session")
        )
        contest_items = tuple(block for block in session_blocks if isinstance(block, Item))
        contest_sections = tuple(block for block in session_blocks if isinstance(block, Section))
        if contest_items:
            yield Listing(contest_items, section_title)
        if contest_sections:
            yield Section(section_title, contest_sections)


def _contest_section(
    campaign_site: CampaignSite, step: Step, contest: Contest, outcomes: Sequence[Outcome]
) -> Section:
    """A scene that was thrown for: its title, who did how well, and, when it is opened, what the entry tells and
    how the dice fell."""
    gist_text = ""
    shown_names: list[str] = []
    subject_parts: tuple[SentencePart, ...] = ()
    for outcome in outcomes:
        # The row has the title.
        shown_sentence_parts = without_scene(
            with_known_name(campaign_site.shown_name_by_name, sentence_part)
            for sentence_part in outcome.sentence
        )
        shown_names += [
            sentence_part.label
            for sentence_part in shown_sentence_parts
            if isinstance(sentence_part, Ref)
            if outcome.brief
        ]
        has_same_subject = (
            bool(gist_text)
            and shown_sentence_parts[:1] == subject_parts[:1]
            and len(outcome.subject_ids) == 1
        )
        shown_bits = sentence_for_blocks(
            shown_sentence_parts[1:] if has_same_subject else shown_sentence_parts
        )
        outcome_text = "".join(
            bit.label if isinstance(bit, Ref) else str(bit) for bit in shown_bits
        ).rstrip(".")
        if gist_text:
            message_key = "site.contest_and_then" if has_same_subject else "site.contest_then"
            gist_text = word(message_key, first=gist_text, then=outcome_text.strip())
        else:
            gist_text = f"{outcome_text}, {contest.score}" if contest.score else outcome_text
        subject_parts = subject_parts or shown_sentence_parts
    told_blocks: tuple[Block, ...] = ()
    if tells_story(campaign_site.teller, step):
        told_blocks = (Prose(told_sentence(campaign_site.teller, step, shown_names)),)
    contest_card = ContestCard(contest, step.number)
    return Section(
        shortened(contest.title), (*told_blocks, contest_card), step=step.number, gist=gist_text
    )


def _contest_item(
    campaign_site: CampaignSite, step: Step, contest: Contest, outcomes: Sequence[Outcome]
) -> Item:
    """A sentence about a contest, with its score."""
    item_parts: list[Bit] = []
    for outcome in outcomes:
        shown_sentence_parts = [
            with_known_name(campaign_site.shown_name_by_name, sentence_part)
            for sentence_part in outcome.sentence
        ]
        item_parts += [*([" "] if item_parts else []), *sentence_for_blocks(shown_sentence_parts)]
    return Item(tuple(item_parts) or _sides_in_words(contest), contest.score, step.number)


def _sides_in_words(contest: Contest) -> str:
    """What a contest was about, who met whom, and who won."""
    name_by_side = {side: side.name for side in contest.sides}
    # A side may be called as the contest is; then its player stands for it.
    name_by_side |= {
        side: side.player for side in name_by_side if side.player and side.name == contest.title
    }
    return word(
        "site.contest_line",
        title=shortened(contest.title),
        sides=f" {word('site.against')} ".join(name_by_side.values()),
        winners=listed([side_name for side, side_name in name_by_side.items() if side.won]),
    )


def luck_of_campaign(campaign_site: CampaignSite) -> Iterator[Block]:
    """How the dice fell, against fair dice; in words where nobody rolled them."""
    face_counts: dict[tuple[str, str], Counter[str]] = {}
    for step in campaign_site.record.visible_steps():
        for throw in step.throws:
            face_counts.setdefault((throw.die, throw.player), Counter()).update(throw.faces)
    if not face_counts:
        return
    if campaign_site.record.campaign.has_written_dice:
        yield Note(WRITTEN_DICE_NOTE)
    else:
        for die_name, die in campaign_site.view.dice.items():
            yield from luck_blocks(die_name, die, face_counts)


def last_throws(campaign_site: CampaignSite) -> Iterator[Block]:
    """The last throws, session by session."""
    visible_steps = campaign_site.record.visible_steps()
    steps_and_contests = [
        (step, step.contest) for step in visible_steps if step.contest is not None
    ]
    if len(steps_and_contests) > MAX_THROWS:
        yield Note(word("site.last_rolls", shown=MAX_THROWS, count=len(steps_and_contests)))
    sessions_and_items = (
        (step.session, _throw_item(step, contest))
        for step, contest in steps_and_contests[-MAX_THROWS:]
    )
    yield from campaign_site.sections_by_session(sessions_and_items, "site.rolls_count", Listing)


def _throw_item(step: Step, contest: Contest) -> Item:
    """A throw in one line: what it was about, what it came to, and how likely that was."""
    throw_title = shortened(contest.title) or word("site.entry_link", number=step.number)
    score_and_odds = [
        score_or_odds for score_or_odds in (contest.score, str(contest.odds)) if score_or_odds
    ]
    return Item(Ref("step", str(step.number), throw_title), "; ".join(score_and_odds))
