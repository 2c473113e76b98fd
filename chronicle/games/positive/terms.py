"""The words of Positive, for its glossary: the word and what else it is called, its rule, what it means."""

TERMS = """\
Track [P4]: Ten squares from Expelled to Inclusion. Every character has a token on it.
Start [P5]: The square on which all tokens begin.
Inclusion [P21]: The upper end of the Track. Those who win a conflict go a step towards it.
Expelled [P22]: The lower end, towards which those go who lose.
Ejection [P25]: A character is moved beyond Expelled and thrown out of the circle. The others tell how, and the
    game ends.
Host [P6]: Who gives the party, and is said to have passed on an infection.
Accuser [P7]: The character of a player who volunteers to accuse the host.
Fudge die, Fudge dice [P2]: A die that shows +, a blank or −, each as likely.
Conflict die [P3]: The one die of a player that calls or answers a conflict, and always comes back.
Commitment [P3]: A player's other three dice. They can be used up.
Call [P15]: To lay down the conflict die because something goes too far, and say what is disputed.
Match [P17]: To lay down the own conflict die in answer: the dice decide whose version happened.
Back down [P16]: To give way at once. The caller tells how it ends, and no die is rolled.
Back [P18]: To put a commitment die on one of the sides before the roll.
Apology [P14]: To own up to something in a scene. If the others believe it, a commitment die comes back.
Barge in [P13]: To come into a scene uninvited, for a commitment die.
"""
