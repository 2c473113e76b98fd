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
# Each player makes two Gladiators (fighters). This one is Ana's own. A Death wish and a weapon belong to her.
# Her life before the Sphere goes into text: 50 to 100 words.
- gladiator: Nadia Feld
  by: Ana
  death wish: she signed for the bridge that fell
  weapon: a surveyor's pole
# Ana's second Gladiator is for the GM (npc: yes). A Gladiator has a Reason to live or a Death wish, never both.
- gladiator: Piet
  by: Ana
  npc: yes
  reason to live: his dog is in here somewhere
  weapon: a bread knife
# Bo makes a Gladiator to play.
- gladiator: Joon
  by: Bo
  reason to live: an unfinished letter
  weapon: a flare gun
# Bo's second Gladiator is for the GM, too.
- gladiator: Mrs Calloway
  by: Bo
  npc: yes
  death wish: nobody is left who knew her first name
  weapon: knitting needles

# The first Layer of the Sphere. On it the GM rolls five dice in a Conflict. Two Gladiators or more share an Episode.
- layer: 1
  episodes: {The bottle works: [Nadia, Piet], The long queue: [Joon, Calloway]}

# Ana's turn: Nadia in a Scene with one Conflict. The stake is what she puts in: two dice of her pool, and one die
# for her back story.
- scene: The furnace has to be banked before it cracks
  npcs: [Hob the stoker]
  stake: {gamble: 2, background: she knows what heat does to stone}
  text: The bricks are singing. Nadia has heard that note once before.
# Only ones count. Nadia has two ones and the GM has one, so she succeeds.
- roll: {Nadia: [1, 4, 1], GM: [2, 1, 6, 3, 5]}
# A success brings one reward: here a tie to Hob, which gives her dice later. With a Death wish it is worth 2.
- reward: {relationship: Hob}

# Bo's turn: Joon meets another Gladiator of his Episode, so they fight. Both say what they put in, Joon first.
- encounter: Calloway
  at: the head of the queue
  stake:
    Joon: {gamble: 1, background: he queued for nine days once}
    Mrs Calloway: {gamble: 1}
  text: She lets him go ahead. That is how he knows.
# Joon has one more one, so he wins. Mrs Calloway loses the die that she gambled and one more.
- roll: {Joon: [1, 3], Calloway: [5]}

# The evening is over. What comes next?  chronicle state
- end session:
""",
}
