"""The files that ``chronicle new --game isolation`` writes."""

from __future__ import annotations

FILES = {
    "campaign.yaml": """\
# A campaign is this folder. Every other *.yaml in it is one session.
game: isolation
title: The ferry house
players: [Ana, Bo, Cy]           # in seating order, clockwise
gm: Gil                          # runs the threat, the Difficulty and the Stress Level
strictness: standard             # relaxed: fewer messages; meticulous: all messages; the rules stay the same
format: 1                        # of these files; chronicle migrate keeps it up to date
""",
    "01.yaml": """\
session: 1
title: The river rises
present: [Gil, Ana, Bo, Cy]

log:
# A scenario has a place, a threat that keeps everybody there, and a cast
- scenario: The ferry house, on a rock in the river
  threat: the flood
  stress: 2                      # 1 to 3
- character: Ida
  by: Ana
  profession: ferrywoman
  plus: [steady, strong, dry-humoured]
  minus: [stubborn, secretive, unforgiving]
  bias: looks down on townspeople
  goal: save the ferry
- character: Paul
  by: Bo
  profession: schoolmaster
  plus: [kind, well-read, easily amused]
  minus: [fussy, timid, vain]
  bias: mistrusts drinkers
  goal: get everybody to the roof alive
- character: Rosa
  by: Cy
  profession: smuggler
  plus: [quick, charming, loyal]
  minus: [fond of drink, quick-tempered, greedy]
  bias: looks down on townspeople
  goal: save the ferry

# The map: one link for two descriptors, two for a bias, three for the same or opposed goals
- green:
    Ida & Paul: [dry-humoured + easily amused]
    Ida & Rosa: [goal x3, steady + loyal]
    Paul & Rosa: [kind + charming]
- red:
    Ida & Paul: [looks down on townspeople x2]
    Ida & Rosa: [secretive + quick-tempered]
    Paul & Rosa: [looks down on townspeople x2, mistrusts drinkers x2, fussy + quick]

# A spoken proposal is final. Everybody is asked, unless  ask:  names some characters
- propose: We haul the ferry up to the door, all three of us
  by: Ida
  physical: yes                  # characters can be hurt
  use: {Ida: [profession, goal], Rosa: goal}
  text: |
    Ida has the rope round her shoulder before anybody has said yes.
# Links and modifiers are dice: greens for green, reds for red, Stress for the proposer.
# Only green evens and red odds count. A green 6 can earn another die, a red 1 must; write extra
# dice last
- roll:
    Ida: {green: 4261352 5, red: 26421 4}
    Paul: {green: 3, red: 24}
    Rosa: {green: 42635 4, red: 2}
- stance: {Paul: neutral, Rosa: cooperative}
- difficulty: hard
  roll: 53353214 5               # Difficulty 3 + 3 alive + Stress 2, then the die for the 1

# Links and Stress have moved by themselves. What comes next?  chronicle state
- end session:
""",
}
