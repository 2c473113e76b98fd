"""The words of Playset Zero, for its glossary: the word and what else it is called, its rule, what it means."""

TERMS = """\
Feature [Z6]: What a character succeeds by. There are four, and one brings a d8.
Main Feature [Z9]: The one of the four that counts for more; it brings a d10.
Hint [Z10]: A visible detail that lets everybody guess at the Main Feature.
Flaw [Z11]: What gets the character into trouble. Five marks turn it.
Goal [Z14]: What the character wants to achieve, said before any die falls.
Danger [Z15]: A bad thing that may happen whatever becomes of the goal. The other two name one each.
White dice [Z16]: The three d6 that every roll starts from.
Red die [Z19]: A die more for being prepared, or better placed.
Hit [Z24]: A die that shows 5 or more.
Spend [Z28]: To say what each hit is for: the goal, a danger, or an advantage.
Advantage [Z27]: Something that a hit establishes, in words on the sheet. It is used once.
Mark [Z32]: What a stupid, desperate or irrational act earns that a Feature led into: a die for later.
Offer [Z33]: The GM dangles a mark before a player for such an act.
Magic [Z37]: Three things that a magical or weird Feature is good for.
Challenge [Z39]: An unusually tough goal, which only a 6 or more reaches.
Help [Z41]: To roll two dice for somebody else's aim, and face a danger of one's own.
Scenario [Z2]: The situation the GM comes with: something bad is going on, and sides want different things.
"""
