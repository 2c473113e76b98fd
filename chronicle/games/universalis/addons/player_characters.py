"""UA.18: a player buys one Character for good, and only that player plays it from then on."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Decides, Part, main, option
from chronicle.core.diagnostic import listed
from chronicle.core.field_types import NAME, NAMES, in_role, whole
from chronicle.core.fix import add_entry, set_key, write_instead
from chronicle.core.gaps import SOMEBODY
from chronicle.core.names import PLAYER, Named
from chronicle.core.stated_figures import Assert, Correct, Snapshot
from chronicle.games.universalis import coins, presence, table
from chronicle.games.universalis.addons.base import (
    AddOn,
    AddOnEntry,
    Table,
    add_page,
    memory,
    remembered,
    set_by_group,
)
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.state import CHARACTER, COIN, Component, SceneState, Sort
from chronicle.games.universalis.traits import add_trait

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, CampaignView, Inline, Page, Section


PAGE = "player-characters"
"""The address of the page that tells of them."""


@dataclass(slots=True, eq=False)
class Claim:
    """A player character: whose (empty: the log does not say), which Component, since which step."""

    player: str
    component: str
    step: int


@dataclass(slots=True, eq=False)
class Claims:
    """The player characters of the game, by the id of the Component, and who was brought into a Mini
    Scene unasked: (number of the scene, id of the Component), to the step."""

    of: dict[str, Claim] = field(default_factory=dict)
    unasked: dict[tuple[int, str], int] = field(default_factory=dict)


class ClaimCharacter(AddOnEntry):
    """Take one Character over for good, for 5 Coins, once in the whole game: only you play it."""

    verb = "player character"
    decides = Decides("by")
    example = "player character: Ines Vale\n  by: Ana"
    what = main(in_role("named", NAME), "the Character")


class PlayerCharacterSettings(Part):
    """What the group sets about player characters."""

    players = option(NAMES, "the players who may have one; without it, everybody", default=())
    price = option(whole(0), "Coins that one costs", default=5)


def claim_of(play: Table, component: Component) -> Claim | None:
    """The claim that makes a Component a player character; None if it is none."""
    return memory(play, Claims).of.get(component.id)


def character_of(play: Table, player: str) -> Component | None:
    """A player's character; None without one, or where the log does not say that it is theirs."""
    for claim in memory(play, Claims).of.values():
        if claim.player and claim.player == player:
            return play.state.components[claim.component]
    return None


def claims_of(claims: Claims, *, named: bool = True) -> list[Claim]:
    """The player characters whose player the record names; or those without a named player."""
    return [claim for claim in claims.of.values() if bool(claim.player) is named]


def somebodys(play: Table) -> list[Claim]:
    """The player characters without a named player."""
    return claims_of(memory(play, Claims), named=False)


def acting_character(play: Table) -> Component | None:
    """The character of the acting player, who does what only a player with a character can do: so the only
    character without a named player must be theirs."""
    player, character = play.step.player, likely_character(play)
    if character is None or character_of(play, player) is not None:
        return character
    return known_to_be(play, somebodys(play)[0], player)


def likely_character(play: Table) -> Component | None:
    """The same for guards: nothing is noted."""
    player, claims = play.step.player, somebodys(play)
    own = character_of(play, player)
    is_open = own is None and player and len(claims) == 1
    return play.state.components[claims[0].component] if is_open else own


def known_to_be(play: Table, claim: Claim, player: str) -> Component:
    """Further down the record tells whose character it is."""
    claim.player, claim.step = player, play.step.number
    own = play.state.components[claim.component]
    play.event(f"{own.name} is {player}'s character", "UA.18", "player character", own.id)
    for add_on in play.state.add_ons:
        add_on.claimed(play, player, own)
    return own


def claim_character(play: Table, action: ClaimCharacter) -> None:
    """Control for good, and the Trait that says so."""
    player = play.step.player
    whose = f"{player or SOMEBODY}'s character"
    component = table.find_one(play, action.what)
    if component is None or not play.require(
        bool(player) or play.is_actor_unrecorded,
        "UA.18",
        "the entry does not say whose character this is",
        fix=set_key("by"),
    ):
        return
    price = set_by_group(play, PlayerCharacterSettings).price
    coins.charge(
        play, "player character", "UA.18", f"{component.name} for good", amount=price, sort="turn"
    )
    if not _may_claim(play, action, player, component):
        return
    memory(play, Claims).of[component.id] = Claim(player, component.id, play.step.number)
    add_trait(play, component, whose, Sort.PLAIN, paid=1)
    if play.ruling("pc trait") == "extra":
        coins.charge(
            play, "trait", "UA.18", f"Traits of {component.name}", component=component, sort="turn"
        )
    state = play.state
    for current_scene in (state.scene, state.mini):
        if (
            current_scene is not None
            and component.id in current_scene.present
            and report_all(play, presence.bars_passing(play, current_scene, component, player))
        ):
            presence.gain_control(play, current_scene, component, player, "for good")
    play.step.headline = f"{component.name} is {whose}"
    play.event(f"{component.name} is {whose} for good", "UA.18", "player character", component.id)
    for add_on in state.add_ons if player else ():
        add_on.claimed(play, player, component)


def _may_claim(play: Table, action: ClaimCharacter, player: str, component: Component) -> bool:
    allowed = set_by_group(play, PlayerCharacterSettings).players
    matches = [play.names.find(word, (PLAYER,)) for word in allowed]
    names = [match.id for match in matches if isinstance(match, Named)]
    play.require(
        not allowed or not player or player in names,
        "UA.18",
        f"{player} is not among the players who may have a character of their own: {listed(names)}",
        help="campaign.yaml says who may, under 'players' of the add-on",
    )
    if not play.require(
        component.kind == CHARACTER and not component.master,
        "UA.18",
        f"{component.name} is {'a Master' if component.master else f'a {component.kind}'}; "
        "only a Character can be a player's own",
        at=action.what,
        help="name a Character that is in the story",
    ):
        return False
    claim = claim_of(play, component)
    if claim is not None:
        return play.illegal(
            "UA.18",
            f"{component.name} is {claim.player or SOMEBODY}'s character already",
            at=action.what,
            facts=[play.because(claim.step, "bought here")],
            help="choose a Character that belongs to no player",
        )
    own = character_of(play, player)
    if own is not None:
        play.illegal(
            "UA.18",
            f"{player} has a character already, {own.name}; one is all, in the whole game",
            facts=[play.because(memory(play, Claims).of[own.id].step, "bought here")],
            fix=write_instead(f"take over: {component.name}", when="if it is for this scene alone"),
        )
    play.require(
        not component.eliminated,
        "UA.18",
        f"{component.name} is out of the story",
        at=action.what,
        fix=add_entry(f"return: {component.name}"),
    )
    step = presence.is_committed(play, component)
    scene = play.state.current_scene
    holder = scene.control.get(component.id, "") if scene is not None else ""
    if step and holder != player:
        return play.illegal(
            "U6.8",
            f"{component.name} is committed to an open Complication and cannot be taken over",
            at=action.what,
            facts=[play.because(step, "committed here")],
            help="wait until it is resolved",
        )
    return True


class PlayerCharacters(AddOn):
    """Player characters."""

    summary = (
        "Once in the game a player may buy one Character for good. Only its player Controls, alters, "
        "introduces and speaks for it."
    )
    changes = ("U3.24", "U3.26", "U3.29", "U3.33", "U4.3", "U4.43", "U5.2", "U5.4", "U6.33")
    chosen: PlayerCharacterSettings
    rule_text = """
        UA.18 Player Characters [checked; V137]
          For 5 Coins, once in the whole game, a player takes one Character over for good; it gets a Trait that says
          so. From then on no other player Controls it, takes it over, speaks for it or alters it, except with the
          Bonus Coins of a Complication that it was in. Others bring it in only with its player's agreement; or
          they frame a Mini Scene with it in which a Complication involves it, and introduce it into the main scene
          with Coins won there. Its player keeps Control even if another player brought it in.
        """
    ruling_text = """
        S90 pc trait: Do the 5 Coins for a player character include the Trait that says whose it is?
          - included: yes; the Trait counts 1 for Importance like any other
          - extra: no; it is 1 Coin more, like any Trait
          because one price is named (UA.18)
        """
    verbs = {ClaimCharacter: claim_character}  # noqa: RUF012

    def keeper(self, play: Table, component: Component, player: str) -> str:
        """Always its player."""
        claim = claim_of(play, component)
        if claim is None:
            return self.inner.keeper(play, component, player)
        if not claim.player and isinstance(play.step.action, Assert | Correct | Snapshot):
            known_to_be(play, claim, player)
        return claim.player

    def bars_control(self, play: Table, player: str, component: Component) -> Bar | None:
        """Only its player Controls it."""
        claim = claim_of(play, component)
        if claim is None or claim.player in ("", player):
            return self.inner.bars_control(play, player, component)
        return Bar(
            "UA.18",
            f"{component.name} is {claim.player}'s character; no other player ever Controls it",
            claim.step,
            f"{claim.player}'s for good since then",
            fixes=(
                write_instead(
                    f"complication: {{...: {component.name}}}", when="to do something to it"
                ),
            ),
        )

    def bars_change(self, play: Table, player: str, component: Component, what: str) -> Bar | None:
        """Only its player alters it, or Bonus Coins of a Complication that it was in."""
        claim = claim_of(play, component)
        if claim is None or claim.player in ("", player):
            return self.inner.bars_change(play, player, component, what)
        complication = table.in_outcome(play)
        if complication is not None and component.id in complication.committed:
            return self.inner.bars_change(play, player, component, what)
        took_no_part = (
            f", and {component.name} was not in this Complication" if complication else ""
        )
        return Bar(
            "UA.18",
            f"{player} {what} {component.name}, {claim.player}'s character{took_no_part}",
            claim.step,
            f"{claim.player}'s for good since then",
            fixes=(set_key("by", claim.player),),
            help=f"others need Bonus Coins of a Complication that {component.name} was in",
        )

    def bars_entry(
        self, play: Table, player: str, component: Component, agreed: Collection[str]
    ) -> Bar | None:
        """Its player agrees, or it is brought in by force."""
        claim = claim_of(play, component)
        if (
            claim is None
            or claim.player in ("", player, *agreed)
            or not player
            or table.relaxed(play)  # a nod across the table is not always written down
        ):
            return self.inner.bars_entry(play, player, component, agreed)
        scene = play.state.current_scene
        framing_mini = scene is not None and scene.mini and scene.framing
        complication = table.in_outcome(play)
        if framing_mini or (complication is not None and component.id in complication.committed):
            return self.inner.bars_entry(play, player, component, agreed)
        return Bar(
            "UA.18",
            f"{player} brings in {component.name}, and {claim.player}, whose character it is, has not "
            "agreed",
            claim.step,
            f"{claim.player}'s for good since then",
            fixes=(set_key("agreed by", claim.player, when=f"if {claim.player} agreed"),),
            help="or frame a Mini Scene with a Complication around it, and use the Coins won there",
        )

    def entered_scene(self, play: Table, entered: SceneState, component: Component) -> SceneState:
        """Coins won in a Mini Scene bring a character that is there into the main scene."""
        scene = play.state.scene
        if (
            entered.mini
            and scene is not None
            and component.id in entered.present
            and component.id not in scene.present
            and claim_of(play, component) is not None
            and table.in_outcome(play) is not None
        ):
            return scene
        return self.inner.entered_scene(play, entered, component)

    def bars_voice(self, play: Table, player: str, component: Component) -> Bar | None:
        """Only its player speaks for it."""
        claim = claim_of(play, component)
        if claim is None or claim.player in ("", player):
            return self.inner.bars_voice(play, player, component)
        return Bar(
            "UA.18",
            f"{player} speaks for {component.name}, {claim.player}'s character",
            claim.step,
            f"{claim.player}'s for good since then",
            help=f"leave the words to {claim.player}, or say that they are reported:  - fact: ...",
        )

    def entered(self, play: Table, scene: SceneState, component: Component) -> None:
        """A player who brings it into a Mini Scene without agreement owes a Complication around it."""
        claim = claim_of(play, component)
        player = play.step.player
        if claim is None or not scene.mini or player in ("", claim.player) or table.relaxed(play):
            return
        words = getattr(play.step.action, "agreed_by", ())
        matches = [play.names.find(word, (PLAYER,)) for word in words]
        if not any(isinstance(match, Named) and match.id == claim.player for match in matches):
            memory(play, Claims).unasked[scene.number, component.id] = play.step.number

    def scene_ended(self, play: Table, scene: SceneState) -> None:
        """The Complication that was owed must have come."""
        state = play.state
        claims = memory(play, Claims)
        for (number, id), step in list(claims.unasked.items()):
            if number != scene.number:
                continue
            del claims.unasked[number, id]
            involved = any(id in state.complications[n - 1].committed for n in scene.complications)
            component = state.components[id]
            owner = claims.of[id].player if id in claims.of else ""
            play.require(
                involved or not owner or play.gap > scene.step,
                "UA.18",
                f"{component.name} was brought into this Mini Scene without {owner}'s agreement, and no "
                "Complication involved it",
                facts=[play.because(step, "brought in here")],
                help=f"if {owner} agreed, say so there:  agreed by: {owner}",
                since=scene.step,
            )

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """A player without a character may buy a free Character."""
        state = play.state
        scene = state.current_scene
        if scene is None or scene.framing or state.purses or self.chosen.players:
            return
        free = [
            state.components[id]
            for id in scene.present
            if state.components[id].kind == CHARACTER
            and not state.components[id].master
            and not state.components[id].struck
            and claim_of(play, state.components[id]) is None
            and not presence.is_committed(play, state.components[id])
            and not any(
                presence.is_committed(play, state.components[item])
                for item in state.components[id].owns
            )
        ]
        for player in play.present:
            if (
                not free
                or character_of(play, player) is not None
                or play.balance(f"wealth:{player}", COIN) <= self.chosen.price
            ):
                continue
            hint = "buy a Character for good"
            yield self.offer("player character", player, hint, one_of([c.name for c in free]))

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """Whose it is, on its sheet and on a page of all player characters. What other add-ons tell of
        them is added to both."""
        from chronicle.core.campaign_view import Facts, Section, step_ref
        from chronicle.games.universalis.sheets import ref

        state = view.record.state
        claims = remembered(state, Claims).of.values()
        if not claims:
            return
        blocks: list[Block] = []
        intro = "Characters that belong to one player for good, and what they live on."
        add_page(view, PAGE, "Player characters", blocks, intro, "Cast")
        for claim in claims:
            component = state.components[claim.component]
            player = claim.player or SOMEBODY.capitalize()
            facts = Facts((("Character", ref(component)),))
            blocks.append(Section(component.name, (facts,), component.id))
            add_to_sheet(view, component.id, ("Player", player))
            add_to_sheet(view, component.id, ("Since", step_ref(claim.step, "bought here")))


def add_to_sheet(view: CampaignView, id: str, row: tuple[str, Inline]) -> None:
    """One more line about a player character: on its sheet, and on the page of them all."""
    from chronicle.core.campaign_view import Facts

    sheet = view.sheet(id)
    if sheet is None:
        return
    title = "Player character"
    first = sheet.aside[0] if sheet.aside else None
    if not isinstance(first, Facts) or first.title != title:
        first = Facts((), title)
        sheet.aside.insert(0, first)
    sheet.aside[0] = Facts((*first.rows, row), title)
    for page, place, section in _told_of(view, id):
        facts, *other_blocks = section.blocks
        if isinstance(facts, Facts):
            _tell(page, place, section, (Facts((*facts.rows, row)), *other_blocks))


def add_to_page(view: CampaignView, id: str, block: Block, *, first: bool = False) -> None:
    """More about a player character on the page of them all: right below its lines, or last."""
    for page, place, section in _told_of(view, id):
        at = 1 if first else len(section.blocks)
        blocks = (*section.blocks[:at], block, *section.blocks[at:])
        _tell(page, place, section, blocks)


def _tell(page: Page, place: int, section: Section, blocks: tuple[Block, ...]) -> None:
    """Have a section of a page say this in place of what it said."""
    # Pages are made of dataclasses, which a check need not wait for.
    from dataclasses import replace

    page.blocks[place] = replace(section, blocks=blocks)


def _told_of(view: CampaignView, id: str) -> Iterator[tuple[Page, int, Section]]:
    """The place of this character on the page of all player characters."""
    from chronicle.core.campaign_view import Section

    for page in view.pages:
        for place, block in enumerate(page.blocks if page.slug == PAGE else ()):
            if isinstance(block, Section) and block.id == id:
                yield page, place, block
