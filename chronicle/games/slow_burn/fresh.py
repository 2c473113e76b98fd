"""The files that ``chronicle new --game slow-burn`` writes."""

from __future__ import annotations

FILES = {
    "campaign.yaml": """\
# A campaign is this folder. Every other *.yaml in it is one session.
game: slow-burn
title: The ferry does not stop here
handler: Hal                     # plays the Opposition and the Agency
players: [Ada, Ben]              # everybody else in seating order, clockwise
series: until free               # or  ongoing: the player of a freed spy makes a new one
strictness: standard             # relaxed: fewer messages; meticulous: all messages; the rules stay the same
format: 1                        # of these files; chronicle migrate keeps it up to date
""",
    "01.yaml": """\
session: 1
title: Two suitcases
present: [Hal, Ada, Ben]

log:
# Before the first Job. Each player makes a spy on a sheet: a name, and what the spy is good at
- spy: Vesper
  by: Ada
  speciality: disguise
- spy: Marlow
  by: Ben
  speciality: locks
- contacts:          # Pass the sheets to the left: your neighbour adds somebody whom the spy knows
    Vesper: {Sister Ilse: the night hospital}
    Marlow: {Old Pavel: river boats}
- contacts:          # Pass them once more. There are two spies only: you have your own sheet again
    Vesper: {Kamil: stolen cars}
    Marlow: {The Widow: rumours}
- connections:       # Each writes how their own spy knows the spy of the next player
    Vesper: Marlow opened the door she escaped by
    Marlow: Vesper was in the next cell
- city: Gdansk
- envelope:          # Ada's envelope. What is in it is known only when it is opened
- envelope:          # Ben's envelope
- deal: [Ada, Ben]
- introduce: {Vesper: berth 19, Marlow: a torn hymn}
  text: |
    They wake on the same quay, in each other's coats.

# The Job begins. Segment 1 has 4 Opposition dice; a die of the spies is a success at 2 or less
- segment: 1
- scene: The fish market, before dawn
  voice over: Ada
  use: {Vesper: disguise, Marlow: [locks, Old Pavel]}    # Marlow uses two: that adds an Agency die
- job: A harbour pilot has vanished, and his daughter wants to know who pays for it
- check: {Vesper: 7, Marlow: 11, Agency: 4}              # A 1 or 2 would bring the Agency in
# One success each: nobody wins. One Opposition die goes, 3 stay
- roll: {Vesper: 2, Marlow: [9, 5], Opposition: [8, 3, 12, 6]}

# What comes next?  chronicle state
- end session:
""",
}
