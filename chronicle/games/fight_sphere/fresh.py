"""The files that ``chronicle new --game fight-sphere`` writes."""

from __future__ import annotations

FILES = {
    "campaign.yaml": """\
# A campaign is this folder. Every other *.yaml in it is one session.
game: fight-sphere
title: The bottle works
players: [Ana, Bo]               # in turn order
gm: Gil                          # in rolls also called GM
strictness: standard             # relaxed: fewer messages; meticulous: all messages; the rules stay the same
format: 1                        # of these files; chronicle migrate keeps it up to date
""",
    "01.yaml": """\
session: 1
title: Broken glass
present: [Gil, Ana, Bo]

log:
# Two Gladiators each: one to play, one for the GM (npc: yes). The back story goes into text:
# 50 to 100 words about life before the Sphere.
- gladiator: Nadia Feld
  by: Ana
  death wish: she signed for the bridge that fell
  weapon: a surveyor's pole
- gladiator: Piet
  by: Ana
  npc: yes
  reason to live: his dog is in here somewhere
  weapon: a bread knife
- gladiator: Joon
  by: Bo
  reason to live: an unfinished letter
  weapon: a flare gun
- gladiator: Mrs Calloway
  by: Bo
  npc: yes
  death wish: nobody is left who knew her first name
  weapon: knitting needles

# The surface: a Threshold Value of five. Two Gladiators or more in every Episode.
- layer: 1
  episodes: {The bottle works: [Nadia, Piet], The long queue: [Joon, Calloway]}

# A turn: a Scene, a roll that is built, one Conflict. Only ones count.
- scene: The furnace has to be banked before it cracks
  npcs: [Hob the stoker]
  stake: {gamble: 2, background: she knows what heat does to stone}
  text: The bricks are singing. Nadia has heard that note once before.
- roll: {Nadia: [1, 4, 1], GM: [2, 1, 6, 3, 5]}    # 2 : 1, a success
- reward: {relationship: Hob}                      # worth 2, for she has a Death wish

# The next player; other Gladiators of the Episode are met in Encounters
- encounter: Calloway
  at: the head of the queue
  stake:                                           # as built: the Initiative first, then up to that
    Joon: {gamble: 1, background: he queued for nine days once}
    Mrs Calloway: {gamble: 1}
  text: She lets him go ahead. That is how he knows.
- roll: {Joon: [1, 3], Calloway: [5]}              # one Victory: she loses the gamble and one die

# What comes next?  chronicle state
- end session:
""",
}
