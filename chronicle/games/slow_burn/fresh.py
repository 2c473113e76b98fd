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
# Tracks 1 to 6: sheets, passed to the left twice and to the right once
- spy: Vesper
  by: Ada
  speciality: disguise
- spy: Marlow
  by: Ben
  speciality: locks
- contacts:                                  # Ben writes on Ada's sheet, Ada on Ben's
    Vesper: {Sister Ilse: the night hospital}
    Marlow: {Old Pavel: river boats}
- contacts:                                  # with two spies the sheets are home again
    Vesper: {Kamil: stolen cars}
    Marlow: {The Widow: rumours}
- connections:
    Vesper: Marlow opened the door she escaped by
    Marlow: Vesper was in the next cell
- city: Gdansk
- envelope:                                  # Ada's token; what it says is known only when it is opened
- envelope:                                  # Ben's
- deal: [Ada, Ben]
- introduce: {Vesper: berth 19, Marlow: a torn hymn}
  text: |
    They wake on the same quay, in each other's coats.

# Track 7: the Job. Segment 1 has 4 Opposition dice, Job dice need 2 or less
- segment: 1
- scene: The fish market, before dawn
  voice over: Ada
  use: {Vesper: disguise, Marlow: [locks, Old Pavel]}    # the second resource earns an Agency die
- job: A harbour pilot has vanished, and his daughter wants to know who pays for it
- check: {Vesper: 7, Marlow: 11, Agency: 4}              # a 1 or 2 would bring the Agency in
- roll: {Vesper: 2, Marlow: [9, 5], Opposition: [8, 3, 12, 6]}   # 1 : 1, a stand-off; 3 left

# What comes next?  chronicle state
- end session:
""",
}
