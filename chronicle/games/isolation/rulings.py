"""Where the text of Isolation is silent or contradicts itself, and the readings to choose."""

from __future__ import annotations

from chronicle.core.rules import read_rulings

RULINGS = read_rulings(
    """
IA1 hostile_threshold: From which net must a Passive be Hostile? The prose and the summary differ.
  - summary: a net of -2 or less
  - prose: any net below 0: the prose taken at its word, as far as the classes allow it
  because the summary and all examples agree on -2 (I27)
IA2 counted_odds: The second example counts three red odds where four lie on the table.
  - rule: count by the rule: four
  because arithmetic; the stances of the example stay the same (I24)
IA3 no_red_roll: Does a pair without red links roll?
  - yes: yes, like everybody asked
  - no: no: that Passive is free and brings no dice
  because the dice are needed in the second reading (I19, I25)
IA4 no_links: A pair has no link at all. Is the Passive free to cooperate?
  - free: yes: there is no red link
  - roll: no: there is no green one either, so the net decides
  because the rule names the absence of red; such a pair brings no dice (I19)
IA5 no_red_beats_hostile: No red link, but a net that asks for Hostile. Which wins?
  - yes: the freedom to cooperate
  - no: the dice: Hostile
  because it is the only exception the rules name (I19, I27)
IA6 unlabelled_count: Do unlabelled links count for dice and for the exception?
  - yes: yes, like labelled ones
  - no: no, they only count for each other and for pair rolls
  because they are links (I23, I25, I19)
IA7 goal_bias_dice: An action concerns the Goal and the Bias. One die or two?
  - one: one die in each direction
  - each: one die for each of the two
  because the text says Goal or Bias, in the singular (I32, I33, I35, I36)
IA8 label_bonus: Which labelled links bring a die when they bear on the action?
  - descriptor: descriptor links only
  - any: any labelled link
  because the literal reading; Goal and Bias have modifiers of their own (I34)
IA9 green_extra: May a green 6 be left lying?
  - may: yes; it is pointed out
  - must: no, like a red 1
  because the text tells may and must apart (I39)
IA10 roleplay_cap: How many green dice may role-playing bring?
  - none: as many as the GM gives; three or more are pointed out
  - one: one
  because the text says one or more (I31)
IA11 early_hostile: Somebody asked is against it from the start. Does that Passive roll?
  - rolls: yes, the normal dice; the red ones count in the second reading
  - no: no; there are no dice to cancel with
  because all red dice of the Hostile are pooled (I17, I46)
IA12 modifiers_second: Do modifier dice of a Passive count in the second reading?
  - yes: yes: it is the same roll
  because one roll is read twice (I22, I45)
IA13 defaulted_count: Are characters who default to Neutral Neutral Passives for links and wounds?
  - links: for links yes; they may be wounded if they were near
  - no: neither: they were never asked
  because otherwise the mechanics are the same (I52, I53, I67, I71)
IA14 late_hostile_dice: What does somebody roll who turns Hostile late?
  - links: red dice for red links, open-ended, no modifiers
  - modifiers: the same, and red modifiers
  because the text speaks of red dice equal to red links (I72, I74)
IA15 active_wounded: May the Active be wounded?
  - yes: yes, as head of the cooperating side
  - no: no, only those asked
  because the Active cooperates with the own proposal (I67)
IA16 wound_chooser: Who shares out the wounds?
  - group: the group; the GM settles disputes
  - gm: the GM
  because it happens while the result is interpreted (I69)
IA17 surplus_wounds: There are more wounds than the candidates can take.
  - lost: the surplus is lost
  - hostile: it falls on the Hostile
  because there are no other candidates (I66, I67)
IA18 stress_bounds: May Stress fall below 0, or rise without end?
  - zero: never below 0; no upper limit
  - open: it may fall below 0, which brings no dice
  because 0 is the lowest state described (I61, I62, I63)
IA19 new_dying_first: Somebody turns Dying while wounds are shared out. Does the next wound go there first?
  - no: no
  - yes: yes
  because the rule is about those who are Dying at that time (I68)
IA20 several_dying: Several candidates are Dying and there are fewer wounds.
  - group: the group chooses among them
  because the text is silent (I68)
IA21 dying_absent: Is a Dying character who is elsewhere a candidate?
  - no: no
  - yes: yes
  because wounds go to characters involved in the conflict (I67, I68)
IA22 spread_rest: The green links of the dead do not divide evenly.
  - choice: the rest goes to different pairs, as logged; none gets two more than another
  - lost: the rest is lost
  because as even as possible (I58)
IA23 dead_unlabelled: What becomes of the unlabelled links of the dead?
  - vanish: they vanish
  - spread: the green ones are passed on with the labelled ones
  because only labelled green links are passed on (I58)
IA24 spread_cancels: Do green links from a death cancel unlabelled red ones?
  - yes: yes
  - no: no; the pair may then hold both
  because the cancelling rule is general (I54, I58)
IA25 wound_links_dead: The last wound link of a level was held with somebody who died. Is the level healed?
  - session_end: at the next end of a session, if no such link is left
  - at_once: at once
  because the condition is met, but recovery belongs between sessions (I58, I70)
IA26 injury_pair_rolls: Do pairs also roll when somebody is wounded?
  - only_links: no, only the wound links are drawn
  - also: yes, in mid-session too
  because the next sentence on injuries says what happens (I55, I57)
IA27 pair_roll: Which links does a pair roll?
  - all: all of them, open-ended, without modifiers
  - labelled: labelled ones only
  because its existing links (I55)
IA28 pair_tie: A pair roll is a tie.
  - nothing: nothing changes
  because both results need more (I55)
IA29 no_green_to_erase: Red odds win a pair roll and there is no labelled green link.
  - add: a labelled red link must be added
  because the other option is empty (I55)
IA30 wound_by_pair_roll: May a pair roll erase a wound link?
  - yes: yes; that is how recovery works
  because recovery is described that way (I55, I70)
IA31 unlabelled_expire: Do unlabelled links end with the session?
  - no: no
  - yes: yes, all of them
  because no such rule; temporary stands against labelled (I54)
IA32 auto_success_effects: Does an automatic Basic Success at Stress 0 form links and move Stress?
  - none: no
  - as_rolled: yes, like a rolled one
  because no conflict was resolved by dice (I52, I62, I63)
IA33 effect_order: In which order do the effects of a result come?
  - wounds_first: wounds and deaths, links among the living, Stress
  - links_first: links, Stress, then wounds and deaths
  because the balances commute; only links with the dead differ (I52, I62, I65)
IA34 npc_roles: Do characters of the GM propose, and are they asked?
  - full: yes, as players' characters; the GM decides for them
  because they get the full treatment (I15)
IA35 living: Who counts as a Living Character?
  - in_scenario: the Dying and the absent yes, those who are out no
  - alive: everybody alive, also those who are out
  because alive and still in the scenario (I42)
IA36 alone_difficulty: Going it alone, green dice need the Difficulty before the roll.
  - first: the GM sets it first
  because the number is needed (I40, I73)
IA37 alone_against: Alone against a character there is no Difficulty. How many green dice?
  - nominal: the GM names a Difficulty for those green dice only
  - modifiers: none but modifiers
  because otherwise the attacker has modifiers only (I76, I77)
IA38 direct_wounds: Who is wounded when somebody acts against a character?
  - failure: as always after a failure, and the defender may be among them
  - success: after a success the defender, by the difference; after a failure as always
  because the text only adds a candidate (I65, I78)
IA39 direct_links: Do unlabelled links form with a defender?
  - none: no
  - hostile: red ones after a failure, as with a Hostile
  because the defender is treated as absent (I52, I53, I75)
IA40 defender_modifiers: Which modifiers does a defender use?
  - passive: those of a Passive, open-ended, never below 0
  - active: those of the Active
  - none: none
  because situational modifiers (I77)
IA41 stance_order: In which order are stances announced?
  - open: openly; the log keeps the order in which they were said
  because the text is silent (I28)
IA42 mutual_bias: Two characters fall under each other's bias.
  - four: two links for each bias, four together
  - two: two links together
  because the rule speaks of each character who falls under it (I10)
IA43 shared_goal: More than two share a Goal.
  - pairwise: three links for every pair
  because links connect pairs (I12, I13)
IA44 late_character: May somebody join after play has begun?
  - allowed: yes, and it is pointed out
  - refused: no
  because the text only discourages it (I14)
IA45 chosen_hostile: Does a Passive who chose Hostile freely get red links after a failure?
  - yes: yes: the stance counts
  because links follow the stance (I53)
IA46 solo_links: Do links form after somebody went it alone?
  - hostile: red ones after a failure, with those who turned Hostile
  - none: no
  because nobody was persuaded, but a Hostile took part (I53, I74)
IA47 effect_stance: A defaulted Neutral turned Hostile late. Which stance counts for links and wounds?
  - final: the final one
  - first: the first one: Neutral
  because effects follow the result (I52, I67, I72)
IA48 default_cooperate: May somebody who was not asked and has no red link volunteer to help?
  - no: no
  - yes: yes, but without dice
  because only the step to Hostile is described (I71, I72, I74)
IA49 teller: Who tells what happens?
  - anybody: everybody at the table, also those whose character is dead or gone
  - living: the GM, and players whose character is still in it
  because results are interpreted together, and the text names nobody who may not (I50)
"""
)
