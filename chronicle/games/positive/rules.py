"""The rules of Positive by number, each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import read_errata, read_rules

RULES = read_rules(
    """
# Setup
P1 Four or five players [checked]
  Four or five people play, each with exactly one character. A log with more or fewer players, with two characters
  for one of them or with somebody who has none is refused.
P2 Fudge dice [checked]
  Every player has four Fudge dice. A Fudge die shows +, a blank or -, each as likely as the others. In the log a
  blank is written o.
P3 One die for conflicts, three for commitment [computed]
  One of the four dice is the conflict die; it is laid down to call or to answer a conflict and always comes back.
  The other three are the commitment pool, and they can be used up.
P4 The track [computed]
  Ten squares lead from Expelled to Inclusion. The track is lopsided: four steps down from Start lie on Expelled,
  five steps up on Inclusion.
P5 Everybody begins on Start [computed]
  Each character has a token on the track, and all tokens begin on Start, the accused's too.
P6 The host is the accused [checked]
  The player who has been in a relationship for longest plays the host of the party. Behind the host's back, that
  character is said to have passed on an infection.
P7 The accuser volunteers [checked]
  One of the other players volunteers to play the accuser, and decides whether the accuser has symptoms.
P8 A name and nothing else [checked]
  Characters start with a name. Who they are, whom they love and what they did is not known until somebody tells it
  in play.

# Scenes
P9 The first scene [checked]
  The accuser opens it with one other character of their choice. The accused is not in it yet.
P10 Anything may be told [recorded]
  In a scene the players tell whatever they like about their own and each other's characters: how close they are,
  what they did, what they are like.
  why: whether a story contradicts what a conflict settled is for the table to hear, not for a program
P11 The loser opens the next scene [checked]
  Whoever lost the last conflict opens another scene and adds whom they like to it.
P12 Party, flashback, flash-forward [computed]
  A scene may be set at the party, before it or after it. Chronicle sorts the scenes into story order beside the
  order in which they were played.
P13 Barging in [checked]
  Somebody whose character was not added to a scene can come in anyway, for one commitment die.
P14 A sincere apology [checked]
  A character who, in a scene, owns up to something, confesses or apologises brings a commitment die back, if the
  rest of the group believes it. One apology, one die.

# Conflict
P15 Calling a conflict [checked]
  When something goes too far for a player, that player lays down the conflict die and says what is disputed.
P16 Backing down [checked]
  The challenged player may give way at once. The scene is over, the caller tells how it ends, no die is rolled or
  spent and no token moves.
P17 Matching [checked]
  Or the challenged player lays down their own conflict die. Then the dice decide whose version is what happened.
P18 Backing a side [checked]
  Between the match and the roll, every other player may put one commitment die on either side. Their characters
  need not be there.
P19 Each side rolls once [checked]
  A side rolls its conflict die and all commitment dice that were put on it, together.
P20 More +, then more blanks [computed]
  The side with more + wins; if they are equal, the side with more blanks. What shows - does not count, nor does the
  number of dice.
P21 Winners step towards Inclusion [computed]
  The tokens of the winning side all go one step towards Inclusion.
P22 Losers step towards Expelled [computed]
  The tokens of the losing side go the other way.
P23 Played dice are gone [computed]
  Commitment dice that were rolled are discarded, whoever won. Conflict dice go back to the hand.

# The end
P24 A scene with everybody [checked]
  When a token comes to stand on Expelled or on Inclusion, the next scene holds all characters.
P25 Beyond Expelled [checked]
  The game ends when a character moves beyond Expelled and is thrown out of the circle. Standing on the square is
  not the end, and nothing else is.
P26 The others tell how [checked]
  Everybody but the player of the ejected character tells how it happens.
P27 No winner [checked]
  There is no score, no round limit and no referee; a log that names a winner is questioned.
"""
)

ERRATA = read_errata(
    """
PT2 The example roll cannot happen [P18 P19]
  The text compares two sides of three dice each. Two conflict dice and one commitment die from each of the other
  players make at most five dice with five players and four with four, so six dice cannot lie on the table. The
  example shows the ranking and nothing else.
PT5 Two names for one square [P4]
  The low end of the track is called Expelled where it is drawn and Expulsion where it is explained. Only one square
  is drawn.
"""
)
