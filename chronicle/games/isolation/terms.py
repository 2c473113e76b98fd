"""The words of Isolation, for its glossary: the word and what else it is called, its rule, what it means."""

TERMS = """\
Active [I23]: Who says what is done, and rolls a die for each link with those who are asked: green ones and red
    ones.
Passive [I25]: Whoever is asked. They roll a die for each link with the Active, and take a stance.
Stance, Cooperative, Neutral, Hostile [I28]: How somebody answers, as far as their dice allow.
Link, Green, Red [I7]: Something between two people: green is a reason to like, red a reason to hate. A pair may
    have many.
Unlabelled [I16]: A link that comes from what has just happened: a result, or a death.
Map [I8]: All links between all characters.
Bias [I5]: What somebody is for or against.
Goal [I6]: What somebody wants in the situation everybody is in.
Profession [I4]: What stands for everything a character has learnt.
Descriptor [I2]: A word about a character, Positive or Negative. Those that go together, or do not, make links.
Stress [I59]: How tense it is for all together. It rises and falls with what happens, and counts in the rolls.
Propose [I20]: To say what one does, alone or with whomever can be persuaded. Said is done.
Difficulty [I40]: How hard a task is; the GM says so when all stances are known.
Motive [I31]: A reason that adds a die to somebody's roll: played out, or from a Goal, a Bias or a label.
Result [I49]: Green evens less red odds, on a ladder from Complete Failure to Complete Success.
Wounds, Injured, Dying [I64]: The ladder of health: Healthy, Injured, Dying, Dead.
Pair rolls [I55]: At the end of a session each pair may roll its green links against its red ones; a label may
    come or go.
Conflict [I17]: Anybody may work against anybody without dice. To work together, or to stand by, needs a roll.
"""
