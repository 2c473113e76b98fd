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
# Before play you take turns: each pays one Coin for a Tenet, something that will be true of the story.
- tenet: A river town where nobody admits to owning the ferry
  by: Ana
  kind: story
  about: setting
# A Tenet of the kind social is a rule for the players themselves.
- tenet: Phones stay in the hall
  kind: social
# Everybody passes, one after the other, so the preparation is over.
- pass: [Cleo, Dov, Ana, Bao]

# Everybody bids Coins for the next scene. The highest bid wins, and its Coins pay for what comes into the scene.
- bid: {Ana: 1, Bao: 4, Cleo: 0, Dov: 2}
# The winner opens the scene: a place, and what it is like. The place and each Trait of it cost a Coin.
- scene: The landing
  at: {new: landing stage, traits: [slippery]}
# Bao brings in a character. What you bring in you Control: you say what it does.
- introduce: {character: ferryman, name: Teo Marsh, traits: [deaf in one ear]}
# An Event says what happens, and costs a Coin. With the first Event the scene is set up.
- event: Teo rings the bell, and nobody answers
  text: |
    The rope has been cut. He runs his thumb over the end of it, twice.
# Bao's turn is over. Cleo sits to Bao's left and is next.
- end turn:

# Cleo brings in a character of her own, with two Traits.
- introduce: {character: customs officer, traits: [sharp-eyed, in a hurry]}
# Her officer acts against Teo, whom Bao Controls. That is a Complication: dice will decide it.
- complication: The officer wants the crossing log
  source: customs officer
  target: Teo Marsh
# A Trait that fits gives a die. Cleo takes one for the side of the officer.
- draw: {customs officer: sharp-eyed}
# Cleo's turn is over. Each of the others may help one of the two sides.
- end turn:
# Dov buys a die for Bao's side with a Coin, and says why.
- buy: 1
  to: Bao
  for: the log fell into the river years ago
# Dov has done enough, and Ana does not want to help anybody.
- pass: [Dov, Ana]
# Bao takes dice for Teo: one for his name, one for his Trait.
- draw: {Teo Marsh: [name, deaf in one ear]}
# Both sides roll. A die of 1 to 5 is a Success, so Bao wins with two.
- roll: {Cleo: 7, Bao: [2, 5, 9]}
# The roll brings Bonus Coins, the winner's first. Bao says how it went and pays with them; he keeps the rest.
- outcome:
    Bao:
    - event: Teo hears every third word, and answers that one
    - trait: {customs officer: owes Teo a crossing}

# The evening is over; the scene goes on next time. What comes next?  chronicle state
- end session:
""",
}
