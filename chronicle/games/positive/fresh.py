"""The files that ``chronicle new --game positive`` writes."""

from __future__ import annotations

FILES = {
    "campaign.yaml": """\
# A campaign is this folder. Every other *.yaml in it is one session.
game: positive
title: The housewarming
players: [Ana, Bo, Cy, Dee]      # in seating order, clockwise; four or five
strictness: standard             # meticulous, standard or relaxed
format: 1                        # of these files; chronicle migrate keeps it up to date
""",
    "01.yaml": """\
session: 1
title: Coats on the bed
present: [Ana, Bo, Cy, Dee]

log:
# Before play: who plays whom, who gives the party, who accuses
- cast: {Ana: Iris, Bo: Leo, Cy: Noor, Dee: Sam}
- host: Iris                     # the accused; Iris does not know it
- accuser: Leo
  symptoms: no

# The first scene: the accuser and one other character, not the accused
- scene: The landing, with the coats
  with: Noor
  text: |
    "I got the letter on Friday," Leo says. He is still holding his coat.
- tell: Noor has known Iris since school          # anything may be told

# Somebody finds that it goes too far, and lays down the conflict die
- call: They only met last year
  by: Noor
  against: Leo
- match: They shared a desk for nine years         # or:  - back down: Leo
- back: {Ana: Leo, Dee: Noor}                      # one commitment die each, on either side
- roll: {Leo: +o, Noor: o-}                        # o is a blank; conflict die first
- end scene: Noor laughs, a second too late

# The loser opens the next scene. What comes next?  chronicle explain 01.yaml:27
- end session:
""",
}
