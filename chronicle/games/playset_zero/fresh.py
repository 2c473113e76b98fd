"""The files that ``chronicle new --game playset-zero`` writes."""

from __future__ import annotations

FILES = {
    "campaign.yaml": """\
# A campaign is this folder. Every other *.yaml in it is one session.
game: playset-zero
title: The night ferry
gm: Gil
players: [Ana, Bo]               # two players, besides the GM
options: [magic, challenge, helping, questions]   # the optional rules in force; delete what you do not use
strictness: standard             # relaxed: fewer messages; meticulous: all messages; the rules stay the same
format: 1                        # of these files; chronicle migrate keeps it up to date
""",
    "01.yaml": """\
session: 1
title: Cast off
present: [Gil, Ana, Bo]

log:
# Before play: the GM's scenario, then one character each
- scenario: The last ferry leaves with somebody on board who must not arrive
  sides: {the shipping line: no questions, the passenger: to be forgotten}
  hints: [the cabins are all booked and all empty]
- character: Mara Lind
  by: Ana
  concept: customs officer on her last shift
  features:
    drive: wants one clean night
    trait: notices hands
    background: born on this boat
    possession: a master key
  main: notices hands
  hint: she looks at your fingers before your face
  flaw: cannot let a lie stand
- character: Teo
  by: Bo
  concept: stowaway who plays the accordion
  features:
    skill: [plays anything once heard, climbs like a cat]
    trait: everybody's friend by midnight
    possession: a stolen uniform
  main: plays anything once heard
  hint: his fingers never rest
  flaw: drinks what he is given

# A conflict: the goal, one danger from each of the others, the dice that come in
- scene: The car deck, engines starting
  with: [Mara, Teo]
- conflict: A lorry that should be empty is knocking
  asks: Mara
- goal: Open the lorry without the crew hearing
  dangers: {Gil: the ramp jams behind her, Bo: whoever is inside runs}
  use: a master key              # an ordinary Feature: the d8 for a white die
  because: the engines drown every sound                     # one red die
- roll: {d8: 6, d6: [2, 5], adv: 3}                          # two hits
- spend: {goal: 6, whoever is inside runs: 5}                # unpaid: the ramp jams
  text: |
    The lock turns. Behind her, the ramp groans, and stays where it is.

# Trouble because of a Feature or the flaw earns a mark, an advantage die for later
- mark: Teo empties the flask that the mate holds out
  by: Teo
  from: drinks what he is given
# What comes next?  chronicle state
- end session:
""",
}
