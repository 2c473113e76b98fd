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
# The GM says what is about to go wrong, and what each side wants.
- scenario: The last ferry leaves with somebody on board who must not arrive
  sides: {the shipping line: no questions, the passenger: to be forgotten}
  hints: [the cabins are all booked and all empty]
# Each of the two players makes a character. A Feature is something that brings a better die; one is the Main one.
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
# The second player does the same. Two Features may be of one kind: Teo has two skills.
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

# The GM opens the first scene, and says who is in it.
- scene: The car deck, engines starting
  with: [Mara, Teo]
# A tense moment: the GM asks a player to roll for a character.
- conflict: A lorry that should be empty is knocking
  asks: Mara
# The player says what the character wants. Each of the others names a danger: something bad that may happen.
# A Feature turns one white die into a d8. A circumstance that helps adds a red die.
- goal: Open the lorry without the crew hearing
  dangers: {Gil: the ramp jams behind her, Bo: whoever is inside runs}
  use: a master key
  because: the engines drown every sound
# The dice: the d8, two white d6, and the red one (adv). A die of 5 or more is a hit; here are two hits.
- roll: {d8: 6, d6: [2, 5], adv: 3}
# Each hit buys one thing: the goal, or a danger that stays away. Nobody paid for the ramp, so it jams.
- spend: {goal: 6, whoever is inside runs: 5}
  text: |
    The lock turns. Behind her, the ramp groans, and stays where it is.

# A character who gets into trouble because of a Feature or the flaw earns a mark: a red die for a later roll.
- mark: Teo empties the flask that the mate holds out
  by: Teo
  from: drinks what he is given
# The evening is over; the scene goes on next time. What comes next?  chronicle state
- end session:
""",
}
