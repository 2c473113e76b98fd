"""The words of Fight Sphere, for its glossary: the word and what else it is called, its rule, what it means."""

TERMS = """\
Gladiator [F1]: A fighter with a back story. Everybody makes at least two and plays one; the others go to the
    GM.
Layer [F10]: Layers lie inside each other. A Gladiator has one Episode on each, and none is skipped.
Core [F19]: What lies inmost. It comes when all Episodes are over, and one is left in the end.
Episode [F12]: An adventure on one Layer, played by those who agree to share it.
Scene [F21]: On a turn the player's own Gladiator is framed into one. It holds one Conflict.
Conflict [F22]: What a Scene is about: dice against the Threshold Value. More ones succeed.
Threshold Value [F23]: How many dice the GM rolls in an ordinary Conflict: five on the surface, one more on
    every further Layer.
Conflict Pool, Pool, Gamble [F27]: A Gladiator's dice. Any number of them can be gambled on a roll; a roll that
    fails loses them.
Death wish [F5]: A drive. Relationships are worth a die more, but opponents gain by them at a first meeting.
Reason to Live, Drive [F6]: The other drive. Relationships are worth a die less, and the Gladiator gains by them
    at a first meeting.
Relationship [F32]: What binds a Gladiator to an inhabitant; it is worth dice where it is brought in.
Reward [F30]: What a success brings: a die, a new Relationship, or a point in an old one.
Encounter [F45]: Gladiators who are in a Scene together without a truce fight.
Initiative [F48]: The player who framed the Scene has it, and says first what is gambled and who is brought in.
Victory, Victories [F50]: In an Encounter more ones win, and the difference is the number of Victories.
Truce [F58]: Two Gladiators who do not fight, as long as a third is left in the Episode.
Betray [F62]: To break a truce when all have built and before the roll, for more dice.
Judge, Judgment Pool [F65]: A player whose Gladiator is out has dice to take sides with, and frames Scenes.
Cut scene [F38]: After a failure the GM shows an NPC Gladiator elsewhere, who may gain something.
Inhabitant [F41]: A person of the Sphere, played by the GM.
Fall [F52]: A pool goes below zero: that is defeat, and the end of the Episode for that Gladiator.
Epilogue [F71]: The survivor's player tells what comes after, and what the Sphere was for.
"""
