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
# The GM sets the scenario: a place, a threat that keeps everybody there, and the Stress at the start (1 to 3).
- scenario: The ferry house, on a rock in the river
  threat: the flood
  stress: 2
# Each player makes a character: three good qualities (plus), three bad ones (minus), a bias and a goal.
- character: Ida
  by: Ana
  profession: ferrywoman
  plus: [steady, strong, dry-humoured]
  minus: [stubborn, secretive, unforgiving]
  bias: looks down on townspeople
  goal: save the ferry
# The next player makes the second character.
- character: Paul
  by: Bo
  profession: schoolmaster
  plus: [kind, well-read, easily amused]
  minus: [fussy, timid, vain]
  bias: mistrusts drinkers
  goal: get everybody to the roof alive
# The last player makes a character with the same bias and the same goal as Ida. That will make links.
- character: Rosa
  by: Cy
  profession: smuggler
  plus: [quick, charming, loyal]
  minus: [fond of drink, quick-tempered, greedy]
  bias: looks down on townspeople
  goal: save the ferry

# Green links say why two people like each other: one link for two qualities that fit, three for the same goal.
- green:
    Ida & Paul: [dry-humoured + easily amused]
    Ida & Rosa: [goal x3, steady + loyal]
    Paul & Rosa: [kind + charming]
# Red links say why two people do not like each other. A bias against somebody makes two links.
- red:
    Ida & Paul: [looks down on townspeople x2]
    Ida & Rosa: [secretive + quick-tempered]
    Paul & Rosa: [looks down on townspeople x2, mistrusts drinkers x2, fussy + quick]

# A character proposes a plan and asks the others for help. People can be hurt in a physical plan.
# A profession or goal that fits the plan gives more dice (use).
- propose: We haul the ferry up to the door, all three of us
  by: Ida
  physical: yes
  use: {Ida: [profession, goal], Rosa: goal}
  text: |
    Ida has the rope round her shoulder before anybody has said yes.
# All roll: a green die for each green link, a red one for each red link. Even green dice help, odd red dice harm.
# A green 6 can bring one more die, a red 1 must. Write these extra dice last.
- roll:
    Ida: {green: 4261352 5, red: 26421 4}
    Paul: {green: 3, red: 24}
    Rosa: {green: 42635 4, red: 2}
# From the dice each of the others takes a side: Rosa helps (cooperative), and Paul stays out of it (neutral).
- stance: {Paul: neutral, Rosa: cooperative}
# The GM says how hard the plan is, and rolls against it: 3 dice for hard, 3 for the people alive, 2 for the Stress.
# The 1 among them brings one more die, the last.
- difficulty: hard
  roll: 53353214 5

# The evening is over. Chronicle has worked out the new links and the Stress. What comes next?  chronicle state
- end session:
""",
}
