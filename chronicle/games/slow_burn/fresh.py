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
# Each player makes a spy on a sheet of paper: a name, and what the spy is good at (the speciality).
- spy: Vesper
  by: Ada
  speciality: disguise
# The next player makes a spy, too.
- spy: Marlow
  by: Ben
  speciality: locks
# Pass the sheets to the left. Your neighbour adds a contact: somebody whom the spy knows, and what they can do.
- contacts:
    Vesper: {Sister Ilse: the night hospital}
    Marlow: {Old Pavel: river boats}
# Pass the sheets to the left once more for a second contact. With two spies you have your own sheet again.
- contacts:
    Vesper: {Kamil: stolen cars}
    Marlow: {The Widow: rumours}
# Each player writes how their own spy knows the spy of the next player.
- connections:
    Vesper: Marlow opened the door she escaped by
    Marlow: Vesper was in the next cell
# You agree on the city in which the spies are stuck.
- city: Gdansk
# Ada writes a token, a thing or a place, puts it into her envelope, and gives it to the Handler. The value is
# empty because nobody else knows the token yet.
- envelope:
# Ben gives the Handler an envelope, too.
- envelope:
# The Handler shuffles the envelopes and deals one to each player.
- deal: [Ada, Ben]
# The players open the envelopes. Each says what the token means for their own spy.
- introduce: {Vesper: berth 19, Marlow: a torn hymn}
  text: |
    They wake on the same quay, in each other's coats.

# A Job has several segments. The first one has 4 dice for the Opposition: those who are against the spies.
- segment: 1
# A scene: Ada tells the beginning (voice over). The spies use what they can do and whom they know.
# Marlow uses two things: that adds a die for the Agency.
- scene: The fish market, before dawn
  voice over: Ada
  use: {Vesper: disguise, Marlow: [locks, Old Pavel]}
# Somebody desperate asks the spies for help: this is the Job.
- job: A harbour pilot has vanished, and his daughter wants to know who pays for it
# First you check whether the Agency interferes. A die of 1 or 2 would bring it in; there is none.
- check: {Vesper: 7, Marlow: 11, Agency: 4}
# Then both sides roll. A die of 2 or less is a success for the spies. Each side has one success, so nobody wins:
# one die of the Opposition goes, and 3 stay.
- roll: {Vesper: 2, Marlow: [9, 5], Opposition: [8, 3, 12, 6]}

# The evening is over; the Job goes on next time. What comes next?  chronicle state
- end session:
""",
}
