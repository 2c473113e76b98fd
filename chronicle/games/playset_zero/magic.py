"""Magic, an optional rule: three uses and a limitation of a magical or weird Feature (Z37, Z38)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.field_types import NAMES, TEXT, OneOrMany, in_role
from chronicle.core.fix import RemoveKey, make_fix, replace_with, set_key
from chronicle.core.gaps import SOMEBODY
from chronicle.core.guards import Violation, guard
from chronicle.core.law import AT_TABLE, Decider, Need, Role, is_barred
from chronicle.core.names import PLAYER, only_words
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.playset_zero.state import MAGIC_USES, Feature, MagicNote
from chronicle.games.playset_zero.table import (
    Table,
    acting,
    feature_of,
    features_hint,
    not_in_force,
    pick,
)

RULES = """
# Optional rules
Z37 Magic: three uses [checked; V35]
  For a Feature that is magical or weird its owner writes down three uses. A roll says which of the
  three it serves; anything else is questioned. (Option magic.)
Z38 Magic: a limitation [checked; V36 V37]
  A magical Feature has a limitation that everybody else accepts, and it brings no die where the limitation applies.
  (Option magic.)
"""

TERMS = """\
Magic [Z37]: The three uses of a magical or weird Feature.
"""

CONSENTS = Need(
    "somebody else than the owner",
    "Z38",
    lambda play, id: play.names.all[id].name != play.step.player,
    "{who} owns the Feature; the others accept its limitation, or do not",
    concerns_actor=True,
)

ROLES: Mapping[str, Role] = {
    "refuses": Role("a player", "refuse", (AT_TABLE, CONSENTS), resolves_to=PLAYER),
}
ACTORS: Mapping[str, Decider] = {}


class Magic(Action):
    """A magical, unusual or weird Feature: its three uses, and its limitation."""

    verb = "magic"
    about_whom = "{who}"
    decides = Decides("owner")
    offered = Offered("Z37", "say that a Feature is magical")
    example = (
        "magic: can mimic any sound\n  by: Pell\n"
        "  uses: [calling people away, opening what listens, frightening]\n"
        "  limitation: never a voice he has not heard"
    )
    feature = main(TEXT, "the Feature")
    uses = option(OneOrMany(TEXT), "its three uses", default=())
    limitation = option(
        TEXT,
        "its limitation: an action that it cannot do, or a target that it cannot affect",
        text_role=TextRole.SENTENCE,
    )
    refused_by = option(
        in_role("refuses", NAMES), "who does not accept the limitation (silence agrees)", default=()
    )

    def lead_in(self) -> str:
        return f"{self.by or SOMEBODY}'s magic: {self.feature}"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for character in play.state.characters.values():
            features = character.present()
            for feature in features if all(each.magic is None for each in features) else ():
                yield {
                    "magic": feature.text,
                    "by": character.name,
                    "uses": ["opening doors", "calming beasts", "frightening the proud"],
                    "limitation": "never by daylight",
                }

    def sentence(self, play: Table) -> Sentence:
        character = acting(play)
        return said("{} has a magical Feature.", character.id if character is not None else "")

    def feature_meant(self, play: Table) -> Feature | None:
        """The Feature that it is about."""
        character = acting(play)
        features = feature_of(character, self.feature) if character is not None else []
        return features[0] if features else None

    @property
    def uses_in_words(self) -> tuple[str, ...]:
        """The uses that have words."""
        return tuple(str(use) for use in self.uses if use.strip())

    def refusers(self, play: Table) -> list[str]:
        """The players who do not accept the limitation."""
        words = [word for word in self.refused_by if not is_barred(play, word)]
        return [player for player in map(play.look_up_player, words) if player]

    @guard("Z37")
    def magic_is_in_force(self, play: Table) -> Violation | None:
        return not_in_force(play, "magic", "this Feature is written down as magical")

    @guard("T56", DiagnosticKind.UNREADABLE)
    def belongs_to_a_character(self, play: Table) -> Violation | None:
        if acting(play) is not None:
            return None
        return Violation("whose Feature is this?", fix=set_key("by"))

    @guard("T50", DiagnosticKind.UNREADABLE, at="main")
    def is_a_feature(self, play: Table) -> str | None:
        character = acting(play)
        if character is None or self.feature_meant(play) is not None:
            return None
        hint = features_hint(character, self.feature)
        return f"{character.name} has no Feature '{self.feature}'{hint}"

    @guard("Z37", at="uses")
    def has_three_uses(self, play: Table) -> str | None:
        feature = self.feature_meant(play)
        count = len({*map(only_words, self.uses_in_words)})
        if feature is None or count == MAGIC_USES:
            return None
        return f"'{feature.text}' has {plural(count, 'use')}; write down three"

    @guard("Z38")
    def has_a_limitation(self, play: Table) -> Violation | None:
        feature = self.feature_meant(play)
        if feature is None or str(self.limitation or "").strip():
            return None
        return Violation(f"'{feature.text}' has no limitation", fix=set_key("limitation"))

    @guard(
        "Z38",
        at="refused by",
        help="write the entry again with a limitation that all accept",
    )
    def all_accept_it(self, play: Table) -> str | None:
        refusers = self.refusers(play)
        if self.feature_meant(play) is None or not refusers:
            return None
        return (
            f"{listed(refusers)} {'does' if len(refusers) == 1 else 'do'} not accept the limitation; "
            "everybody else at the table must"
        )

    def apply(self, play: Table) -> None:
        character, feature = acting(play), self.feature_meant(play)
        if character is None or feature is None:
            return
        limitation = str(self.limitation or "")
        uses = self.uses_in_words
        feature.magic = MagicNote(play.step.number, uses, limitation, tuple(self.refusers(play)))
        for use in uses:
            play.event(f"{feature.text} is useful for {use}", "Z37", "use", character.id)
        if limitation:
            play.event(f"Its limitation: {limitation}", "Z38", "limitation", character.id)


# --- use ------------------------------------------------------------------------------------------


def against_limitation(play: Table, feature: Feature) -> Violation | None:
    """Z38: a magical Feature is used against its limitation."""
    note = feature.magic
    if note is None:
        return None
    return Violation(
        f"'{feature.text}' is used although its limitation prevents it",
        facts=(play.because(note.step, f"its limitation: {note.limitation}"),),
        fix=make_fix(RemoveKey("limited"), when="if it did not apply"),
        help="or take the Feature out of  use:",
    )


def use_not_written(feature: Feature) -> Violation | None:
    """Z37: the use that a magical Feature serves is not recorded."""
    if feature.magic is None:
        return None
    return Violation(
        f"which of its uses '{feature.text}' serves here is not written",
        fix=[set_key("good for", use) for use in feature.magic.uses],
    )


def use_meant(feature: Feature, word: ScalarNode) -> str:
    """The use of a magical Feature that a word means; empty if it means none."""
    uses = feature.magic.uses if feature.magic is not None else ()
    feature_meant = pick(word, [(use,) for use in uses])
    return uses[feature_meant[0]] if feature_meant else ""


def serves_no_use(play: Table, feature: Feature, word: ScalarNode) -> Violation | None:
    """Z37: a magical Feature serves none of its three uses."""
    note = feature.magic
    if note is None or use_meant(feature, word):
        return None
    return Violation(
        f"'{feature.text}' is not written down as useful for '{word}'",
        word,
        fix=replace_with(note.uses),
        facts=(play.because(note.step, "written down here"),),
    )


def use_magic(play: Table, feature: Feature, word: ScalarNode) -> None:
    """Z37: a magical Feature serves one of its three uses."""
    use = use_meant(feature, word)
    if feature.magic is not None and use:
        feature.magic.used[use] = feature.magic.used.get(use, 0) + 1
        play.event(f"{feature.text}: {use}", "Z37", "magic")
