"""The files that ``chronicle new --game universalis`` writes."""

from __future__ import annotations

FILES = {
    "campaign.yaml": """\
# A campaign is this folder. Every other *.yaml in it is one session.
game: universalis
title: The last ferry
players: [Ana, Bao, Cleo, Dov]   # in seating order, clockwise
start coins: 25
refreshment: 5
strictness: standard             # relaxed: fewer messages; meticulous: all messages; the rules stay the same
format: 1                        # of these files; chronicle migrate keeps it up to date
""",
    "01.yaml": """\
session: 1
title: Fog on the landing
present: [Ana, Bao, Cleo, Dov]

log:
# Preparation: one Tenet a turn, 1 Coin each, until everybody passes in a row
- tenet: A river town where nobody admits to owning the ferry
  by: Ana
  kind: story
  about: setting
- tenet: Phones stay in the hall
  kind: social
- pass: [Cleo, Dov, Ana, Bao]

# Everybody bids; the winner frames the scene, and the bid pays for it
- bid: {Ana: 1, Bao: 4, Cleo: 0, Dov: 2}
- scene: The landing
  at: {new: landing stage, traits: [slippery]}
- introduce: {character: ferryman, name: Teo Marsh, traits: [deaf in one ear]}
- event: Teo rings the bell, and nobody answers      # the first Event ends framing
  text: |
    The rope has been cut. He runs his thumb over the end of it, twice.
- end turn:

# Cleo's turn. What Bao introduced, Bao Controls: acting against it is a Complication
- introduce: {character: customs officer, traits: [sharp-eyed, in a hurry]}
- complication: The officer wants the crossing log
  source: customs officer
  target: Teo Marsh
- draw: {customs officer: sharp-eyed}                # a die to her own side
- end turn:
- buy: 1                                             # Dov helps Teo with a Coin
  to: Bao
  for: the log fell into the river years ago
- pass: [Dov, Ana]
- draw: {Teo Marsh: [name, deaf in one ear]}
- roll: {Cleo: 7, Bao: [2, 5, 9]}                    # 1 to 5 is a Success
- outcome:                                           # winner first; what is left is kept
    Bao:
    - event: Teo hears every third word, and answers that one
    - trait: {customs officer: owes Teo a crossing}

# What comes next?  chronicle state
- end session:
""",
}
