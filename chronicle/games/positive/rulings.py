"""The points where the text of Positive is silent, and the readings a campaign may choose."""

from __future__ import annotations

from chronicle.core.rules import read_rulings

RULINGS = read_rulings(
    """
PA1 tie: Both sides show as many + and as many blanks. What then?
  - reroll: the dice on the table are rolled again; no new support, and support is discarded once
  - nobody-moves: nobody moves, support is discarded, the scene ends; anybody opens next
  - caller-loses: the challenged player's version stands
  because somebody has to lose, because the loser opens the next scene (P11) (P20, P11)
PA2 supporters_move: Do the tokens of those who backed a side move with it?
  - yes: everybody who put a die on a side moves with it, up or down
  - no: only the two principals move
  because the text moves all tokens of the winning side, and uninvolved characters may join a side (P21, P22)
PA3 loss_step: How far do the tokens of the losing side go?
  - one: one step
  - margin: as many steps as it had + fewer, at least one
  because one step mirrors what the winners do (P22)
PA4 beyond_inclusion: A token on Inclusion wins again. Where does it go?
  - stay: it stays on Inclusion
  - leave: it leaves the track at that end and plays on
  - end: the game is over
  because only the low end has a rule for going beyond (P21, P25)
PA5 regain_cap: May an apology lift a pool above three dice?
  - 3: no: a die is regained, and each player owns three
  - none: yes
  because a die can only come back to whom it belonged (P14)
PA6 opener_after_backdown: Nobody lost, somebody backed down. Who opens the next scene?
  - backed-down: the one who backed down
  - caller: the caller
  - anyone: whoever wants to
  because backing down is the nearest thing to losing (P11, P16)
PA7 caller_scope: Who may call a conflict?
  - in-scene: players whose character is in the scene
  - anyone: anybody at the table
  because all others have the rule for barging in (P15)
PA8 principals_commit: May caller and challenged add commitment dice of their own?
  - no: no, only the others may
  - yes: yes, one each
  because support is offered to every other player; a printed roll of three against three is the only hint to the
    contrary (P18)
PA9 accused_barges_first: May the accused barge into the first scene?
  - no: no
  - yes: yes, for a die like anybody
  because the text keeps the accused out of that scene; backing a side is open to all (P9, P13)
PA10 end_square_trigger: A token stays on an end square. Is another scene with everybody due?
  - arrival: only arriving asks for one; leaving and coming back asks again
  - every-scene: one is due for as long as somebody stands there
  because it is the coming to stand there that the text speaks of (P24)
PA11 double_ejection: Two characters move beyond Expelled in one conflict. Who is out?
  - both: both; the others tell how
  - principal: only the losing principal
  because both meet the condition (P25, P26)
PA12 expulsion_square: The text says Expelled and Expulsion. One square or two?
  - one: one square, drawn once
  - two: one more square beyond the drawn one
  because only one is drawn (P4)
PA13 arrivals_scene: Several tokens arrive at once. How many scenes with everybody?
  - one: one for all of them
  - each: one for each
  because everybody is in it anyway (P24)
PA14 scene_after_conflict: Does a scene go on after its conflict?
  - play-out: the winning version may be played out, then it closes: one conflict a scene
  - goes-on: it may go on, with further conflicts
  because the loser begins another scene after the conflict (P11, P17)
PA15 all_scene_opener: Who opens the scene with everybody?
  - loser: the loser of the last conflict, as always
  - arrived: whoever arrived
  because the rule about the loser is not suspended (P24, P11)
PA16 free_close: A scene closes with neither a back-down nor a conflict.
  - suspicious: allowed, and noted; the same player opens again
  - allowed: allowed
  - forbidden: not allowed
  because the text gives only two ways of closing (P16, P17)
PA17 principals: May a third player match with a conflict die?
  - two: no: a conflict is a duel
  - several: yes, beside the challenged player
  because matching is between two; the others have commitment dice (P17)
PA18 apology_vote: How much agreement does sincerity need?
  - unanimous: nobody else may doubt it
  - majority: fewer than half of the others
  because the rest of the group agrees (P14)
PA19 support_order: Is support given in turn, or in secret?
  - open: openly, in any order; the log keeps the order
  because the text is silent (P18)
PA20 opener_in_scene: Must the opener's own character be in the scene?
  - yes: yes; 'without' is noted
  - no: as the opener likes
  because the opener adds others to it (P11)
PA21 host_pick: Two have been together equally long, or nobody has anybody. Who hosts?
  - agreed: the group agrees; the log records the choice
  because the text is silent (P6)
PA22 call_after_backdown: May somebody call again in the same scene after a back-down?
  - no: no: the scene is over
  because backing down ends the scene (P16)
PA23 answer_now: Must the challenged player answer before anything else is told?
  - yes: yes; anything told in between is noted
  because slamming down a die stops play (P15)
PA24 winner_with_minus: The winner's own die shows -. Do they still win?
  - yes: yes: sides are compared, not dice
  because the comparison is between sides (P20)
PA25 caller_is: Who lays down the die: the one who spoke, or the one who took offence?
  - offended: the one who took offence
  because the other player is the one who can back down (P15)
PA26 loser_is: Which loser opens the next scene?
  - principal: the losing principal
  - any: anybody on the losing side
  because supporters need not even be in the scene (P11)
PA27 loser_declines: The loser does not want to open a scene.
  - another-may: somebody else who did not win may, and it is noted
  - must: the loser must
  because the text says that the loser can (P11)
PA28 outside_tell: May a player tell in a scene that their character is not in?
  - may: everybody at the table tells
  - in-scene: who is not in it barges in first; telling without is noted
  because the text bars characters from a scene, and speaks of players only where they tell (P10, P13)
"""
)
