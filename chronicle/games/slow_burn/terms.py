"""The words of Slow Burn, for its glossary: the word and what else it is called, its rule, what it means."""

TERMS = """\
Job [S7.1]: What an episode is about: somebody asks the spies for help.
Segment [S7.5]: One of the seven parts of a Job. It goes on until its Opposition dice are gone.
Scene [S9.1]: A stretch of action that takes the story further. Every scene is rolled.
Handler [S1.3c]: Who introduces the Job, rolls for the Opposition and settles disagreements.
Spy [S2.1]: A player's character, burned.
Contact, Contacts [S2.5]: Somebody a spy knows, with a speciality, written down by a neighbour at the table.
Resource, Resources [S9.4]: A spy's own speciality or a contact's, each once in a scene.
Voice over [S9.2]: The monologue that opens a scene.
Job die, Job dice [S12.2]: What a spy's player earned in setting up the scene; all of them are rolled.
Opposition, Opposition dice [S8.2]: Two dice a player at the start of every Segment.
Favourable [S13.1]: The spies have more successes than the Opposition.
Agency die, Agency dice [S11.2]: They are rolled before all others; a 1 or 2 brings the Agency in.
Interference, Answer, Ignore [S11.4]: The Agency comes into a scene and is dealt with first: ignored, at a
    price, or answered in scenes of its own.
Push, Play push [S16.1]: A spy's try for freedom, once in every episode.
Path [S4.2]: Ten spaces from the first contact with the Agency to the gambit that gets a spy off the blacklist.
Envelope, Token [S3.3]: A token is handed over in a shut envelope. What it says is kept secret until it is
    opened.
Retirement [S19.1]: A spy is off the blacklist, and takes no part in Jobs any more.
"""
