"""UA.21: a player writes a paragraph about the player character, and its Traits are taken from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from chronicle.core.answers import Move
from chronicle.core.declare import Action, Decides, Part, main, option
from chronicle.core.field_types import TEXT, whole
from chronicle.core.fix import add_entry, set_key
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import fold
from chronicle.core.telling import TextRole
from chronicle.games.universalis.addons import player_characters
from chronicle.games.universalis.addons.base import (
    AddOn,
    AddOnEntry,
    Table,
    memory,
    remembered,
    set_by_group,
)
from chronicle.games.universalis.addons.endowment import account_of
from chronicle.games.universalis.gates import carry_out
from chronicle.games.universalis.state import Component, Sort, Trait
from chronicle.games.universalis.table import relaxed

if TYPE_CHECKING:
    from chronicle.core.campaign_view import CampaignView

STEM = 4
"""Words that share this number of first letters count as the same word: ``sailor`` and ``sailing``."""

_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(slots=True, eq=False)
class Written:
    """A paragraph: its words, and the step that wrote it."""

    words: str
    step: int


@dataclass(slots=True, eq=False)
class Paragraphs:
    """The paragraphs by the id of the Component; where Traits come from, by (Component, Trait); and
    the Traits of the entry at work."""

    of: dict[str, Written] = field(default_factory=dict)
    sources: dict[tuple[str, str], str] = field(default_factory=dict)
    fresh: list[tuple[str, str]] = field(default_factory=list)


class ParagraphSettings(Part):
    """How long a paragraph should be."""

    least = option(whole(0), "words at least", default=100)
    most = option(whole(1), "words at most", default=200)


class WriteParagraph(AddOnEntry):
    """Describe your player character in 100 to 200 words: where it comes from, what it does, what it is
    like, what it owns, whom it knows. It costs nothing; Traits are taken from it."""

    verb = "paragraph"
    decides = Decides("by")
    example = "paragraph: |\n    Ines has kept the lamps of the outer mole since ...\n  by: Ana"
    words = main(TEXT, "the paragraph (or several)", text_role=TextRole.PROSE)

    @guard("UA.21")
    def describes_a_character(self, play: Table) -> Violation | None:
        player = play.step.player
        if player_characters.character_of(play, player) or player_characters.somebodys(play):
            return None
        return Violation(
            f"{player or 'somebody'} has no player character to describe",
            fix=set_key("by"),
            help="the player has a character first:  - player character: ...",
        )

    @question("UA.21", help="say what matters most about the character")
    def is_as_long_as_it_should_be(self, play: Table) -> str | None:
        """Limits to strive for: a difference of up to a fifth is accepted."""
        settings = set_by_group(play, ParagraphSettings)
        least, most = settings.least, settings.most
        player, words = play.step.player, len(str(self.words).split())
        is_one = bool(player) and len(player_characters.somebodys(play)) == 1
        if player_characters.character_of(play, player) is None and not is_one:
            return None
        is_near = least * 4 <= words * 5 <= most * 6
        return (
            None
            if is_near
            else f"this paragraph has {words} words; it should have {least} to {most}"
        )

    def apply(self, play: Table) -> None:
        """Put the paragraph on the sheet of the character, in place of an earlier one."""
        component = player_characters.acting_character(play)
        play.step.headline = f"Who {component.name} is" if component is not None else "A paragraph"
        if component is not None:
            written = Written(str(self.words), play.step.number)
            memory(play, Paragraphs).of[component.id] = written
            play.event(f"{component.name} is described", "UA.21", "paragraph", component.id)


_FILLER = frozenset(
    _WORD.findall(
        "about after again also always been before both could does each else even ever every from have here into just"
        " like many more most much must never none once only other over same some such than that their them then there"
        " these they this those through under until very were what when where which while whom whose will with within"
        " without would your"
    )
)
"""Words that occur in any paragraph and say nothing about a character."""


def _words(text: str) -> set[str]:
    words = (fold(word) for word in _WORD.findall(text))
    return {word[:STEM] for word in words if len(word) >= STEM and word not in _FILLER}


def source_of(text: str, paragraph: str) -> str:
    """The sentence of a paragraph that a Trait may have come from; empty if there is none."""
    trait_words = _words(text)
    for sentence in _SENTENCE.split(paragraph):
        if trait_words & _words(sentence) or fold(text) in fold(sentence):
            return sentence.strip()
    return ""


class Paragraph(AddOn):
    """The descriptive paragraph."""

    title = "Descriptive Paragraph of Player Characters"
    summary = (
        "Each player describes the player character, and takes its Traits from the description."
    )
    changes = ("U4.3",)
    chosen: ParagraphSettings
    needs = ("player characters", "endowment")
    rule_text = """
        UA.21 Descriptive Paragraph [checked]
          The player writes 100 to 200 words about the character: background, work, personality, what it owns, whom
          it knows, what it does well, and no mere lists. Traits are drawn from these words and paid from the
          Endowment until it is spent. Whether a Trait has a basis is asked of its words: one of them occurs in the
          paragraph, or 'because:' quotes what it means.
        """
    verbs = {WriteParagraph: carry_out}  # noqa: RUF012

    def trait_added(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Remember what the entry at work adds to a player character."""
        claim = player_characters.claim_of(play, component)
        if claim is not None and not trait.free and trait.sort is not Sort.WOUND:
            memory(play, Paragraphs).fresh.append((component.id, trait.key))

    def after_entry(self, play: Table, action: Action) -> None:
        """What the Endowment paid for has its basis in the paragraph."""
        paragraphs = memory(play, Paragraphs)
        fresh, paragraphs.fresh = paragraphs.fresh, []
        if not fresh:
            return
        index = play.step.number
        own = takewhile(
            lambda posting: posting.step_number == index, reversed(play.ledger.postings)
        )
        paid = {posting.source for posting in own}
        for id, key in fresh:
            component = play.state.components[id]
            claim = player_characters.claim_of(play, component)
            if claim is None or account_of(claim.player) not in paid:
                continue
            trait = component.traits[key]
            written = paragraphs.of.get(id)
            if written is None:
                play.suspect(
                    not relaxed(play) and not play.gap,
                    "UA.21",
                    f"{component.name} has no paragraph yet that '{trait.text}' could come from",
                    fix=add_entry(f"paragraph: ...\nby: {claim.player}"),
                )
                continue
            quoted = str(getattr(action, "because", None) or "")
            source = source_of(quoted or trait.text, written.words)
            paragraphs.sources[id, key] = source
            play.suspect(
                not source,
                "UA.21",
                f"nothing in the paragraph about {component.name} says '{trait.text}'",
                facts=[play.because(written.step, "the paragraph")],
                fix=(
                    set_key("because"),
                    set_key("purse", "wealth", when="if it is paid from Wealth"),
                ),
                help="quote the words that say it",
            )

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """A player whose character has no paragraph may write one."""
        state = play.state
        if state.current_scene is None or state.current_scene.framing or state.purses:
            return
        for player in play.present:
            component = player_characters.character_of(play, player)
            if component is None or component.id in memory(play, Paragraphs).of:
                continue
            words = "stubborn and patient " * ((self.chosen.least + 2) // 3)
            yield self.offer("paragraph", player, f"describe {component.name}", words)

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """The paragraph on the sheet, and which Trait comes from which sentence."""
        from chronicle.core.campaign_view import Item, Listing, Prose, Section

        state = view.record.state
        paragraphs = remembered(state, Paragraphs)
        for id, written in paragraphs.of.items():
            sheet = view.sheet(id)
            if sheet is None:
                continue
            traits = state.components[id].traits
            sources = tuple(
                Item(
                    traits[key].text,
                    f"\N{LEFT DOUBLE QUOTATION MARK}{source}\N{RIGHT DOUBLE QUOTATION MARK}",
                    traits[key].step,
                )
                for (owner, key), source in paragraphs.sources.items()
                if owner == id and source and key in traits
            )
            source_listing = (Listing(sources, "Taken from it"),) if sources else ()
            player_characters.add_to_page(view, id, Prose(written.words), first=True)
            sheet.blocks.insert(
                0,
                Section(
                    f"Who {sheet.name} is",
                    (Prose(written.words), *source_listing),
                    step=written.step,
                ),
            )
