"""Emblems: drawings of people, places and objects, each with words that suggest it.

The site draws them. This module has their names, so that a log may choose one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from chronicle.core.diagnostic import ask_whether, nearest_words
from chronicle.core.field_types import Context, FieldType
from chronicle.core.misread import Misread, shown
from chronicle.core.schemas import Schema
from chronicle.core.source import ScalarNode, Value

MOTIFS: Final[Mapping[str, str]] = {
    "lighthouse": "lighthouse lightkeeper beacon",
    "stairs": "stairs stair steps apprentice climber",
    "hat": "hat inspector gentleman bailiff detective official undertaker",
    "cap": "cap guard mate conductor porter driver sergeant policeman chauffeur captain officer",
    "lantern": "lantern lamp wrecker watchman lamplighter smuggler watch",
    "door": "door visitor guest stranger doorkeeper threshold usher host landlord",
    "boat": "boat ship ferryman sailor ferry boatman boats skiff fisherman passenger",
    "anchor": "anchor harbour docker seaman dock customs",
    "bell": "bell sexton ringer founder clapper bellfounder verger",
    "book": "book priest teacher schoolmistress schoolmaster librarian scholar pupil student parish",
    "notebook": "notebook ledger diary journal secretary reporter journalist",
    "quill": "quill writer poet handwriting author scribe clerk registrar",
    "key": "key locksmith locks jailer burglar warden safes caretaker lock",
    "letter": "letter postal postman messenger courier mail envelope post",
    "eye": "eye witness spy watcher seer oracle",
    "knife": "knife surgeon butcher cutman grafter barber cook scalpel surgeons",
    "hook": "hook hooks wrecking gaff boathook crew gang",
    "coat": "coat tailor pickpocket thief clothes seamstress servant",
    "wave": "sea water river lake tide mudflat flood bar reservoir bank",
    "lights": "bosun drowned signals signalman",
    "fish": "fish fishmonger angler herring",
    "tree": "tree orchard gardener forester wood ground graveyard",
    "pear": "pear fruit picker apple taster",
    "flower": "flower bride florist rose widow groom",
    "house": "house mother father housewife home family parlour kitchen grandmother hut shed room",
    "tower": "tower castle fortress keep wall",
    "clock": "clock watchmaker clocks timekeeper hour",
    "dial": "dial gauge engineer mechanic gallery meter",
    "coin": "coin banker broker merchant treasurer pawned pawnbroker money trader usurer",
    "crown": "crown king queen prince princess mayor royal governor lord lady parliament",
    "sword": "sword soldier gladiator knight fighter duellist warrior fencer",
    "shield": "shield defender protector bodyguard sentinel",
    "mask": "mask actor player dancer liar thespian impostor",
    "bottle": "bottle drunk brewer chemist alchemist innkeeper spring weather",
    "hammer": "hammer smith carpenter builder worker union mason riggers",
    "wheel": "wheel miller carter coachman cart wheelwright",
    "ring": "ring fiancé fiancée lover engaged betrothed",
    "bird": "bird falconer pigeon crow heron bird-catcher",
    "goat": "goat shepherd farmer herd cattle horse dog animal",
    "wasp": "wasp wasps bee swarm beekeeper insect",
    "candle": "candle monk nun chandler mourner saint vigil",
    "hand": "hand gambler beggar conjurer magician",
    "heart": "heart love beloved wife husband friend",
    "star": "star astronomer sheriff heroine hero",
    "moon": "moon night nightwatch sleepwalker",
    "sun": "sun summer dawn",
    "cloud": "cloud cloud-catcher rain fog weather-catcher weather-broker",
    "storm": "storm thunder lightning tempest",
    "mountain": "mountain guide climber pass path peak goatherd",
    "rope": "rope hangman rigger sailmaker",
    "paper": "paper presiding officer board auditor printer's list warrant form levy",
    "scroll": "scroll lawyer advocate notary herald law",
    "whistle": "whistle constable patrol bailiff's referee board man",
    "people": "people crowd townspeople trippers cousins chorus villagers chain mob family",
    "person": "figure somebody person stowaway survivor castaway",
    "telegraph": "telegraph telegraphist operator radio voice wire telephone signal",
    "scales": "scales judge court justice arbiter courtroom",
    "gavel": "gavel auctioneer chairman president assize",
    "map": "map surveyor explorer border navigator survey cartographer",
    "glass": "glass examiner investigator naturalist jeweller lens",
    "cards": "cards gamester cardsharp fortune-teller",
    "chair": "chair superintendent director manager chairman company",
    "ladder": "ladder vent sweep rooftops thatcher steeplejack",
    "pole": "pole rod staff sounding stick",
    "wagon": "wagon carriage car tram siding",
    "barrel": "barrel cooper cask cellar brewer's",
    "basket": "basket market vendor hawker stall",
    "flame": "flame fire stoker furnace baker forge",
    "abacus": "abacus counting mathematician accountant sums exchange",
    "press": "press printer printing devil typesetter publisher",
    "cross": "doctor nurse medic physician healer apothecary kit bag",
    "ear": "ear listener deaf eavesdropper confessor",
    "thread": "thread weaver spinner sewing cables spider",
    "train": "train railway stoker's stationmaster locomotive road",
    "ticket": "ticket tourist traveller fare dispatcher",
    "abyss": "abyss void hole ghost spirit demon",
}
"""Every motif, with the words that suggest it."""

DARK: Final = "dark"
"""A word after a motif: the emblem is white on black, for people of the opposing side."""

_WORD_PATTERN: Final = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_MOTIF_BY_WORD: Final[Mapping[str, str]] = {
    word: motif for motif, words in reversed(list(MOTIFS.items())) for word in words.split()
} | {motif: motif for motif in MOTIFS}


class ChosenEmblem(NamedTuple):
    """An emblem that a log has chosen: the motif, and whether it is white on black."""

    motif: str
    dark: bool = False


class _EmblemType(FieldType[ChosenEmblem]):
    words = "a drawing"
    example = "key dark"

    def read(self, value: Value, context: Context) -> ChosenEmblem:
        emblem_text = value.casefold() if isinstance(value, ScalarNode) else ""
        motif, *words_after_motif = emblem_text.split() or [""]
        if motif in MOTIFS and words_after_motif in ([], [DARK]):
            return ChosenEmblem(motif, bool(words_after_motif))
        if motif in MOTIFS:
            similar_motifs = []
            error_message = f"after '{motif}' nothing but '{DARK}' can stand"
        else:
            similar_motifs = nearest_words(motif, list(MOTIFS))
            error_message = (
                f"no drawing is called {shown(value)}{ask_whether(motif, similar_motifs)}"
            )
        help_text = "'chronicle explain T69' lists them all"
        error = Misread(error_message, value, help_text, "T69", similar_motifs, is_told=True)
        if context.corrections is None:
            raise error
        context.corrections.append(error)
        return ChosenEmblem("")

    def schema(self) -> Schema:
        return {"enum": [*MOTIFS, *(f"{motif} {DARK}" for motif in MOTIFS)]}


EMBLEM: Final[FieldType[ChosenEmblem]] = _EmblemType()
"""A motif, optionally followed by ``dark``."""


def suggested_motifs(*texts: str) -> Iterator[str]:
    """The motifs that the words of some texts suggest, in the order of the words."""
    for text in texts:
        for word in re.findall(_WORD_PATTERN, text.casefold()):
            for word_form in (word, word.removesuffix("s"), word.rpartition("-")[2]):
                if word_form in _MOTIF_BY_WORD:
                    yield _MOTIF_BY_WORD[word_form]
                    break
