"""The points where the text of Slow Burn is silent or contradicts itself, and the readings a campaign
may choose. The first reading of each is the default."""

from __future__ import annotations

from chronicle.core.rules import read_rulings

RULINGS = read_rulings(
    """
SA1 opposition_players: Opposition dice are twice the number of players. Does the Handler count as one?
  - no: only players with a character in play count
  - yes: the Handler counts as well
  because the gear lists and the gathering of dice set players against the Handler (S8.2)
SA2 scene_tie: Spies and Opposition have as many successes. How did the scene end?
  - stand-off: neither well nor badly; dice are discarded as always
  - spies-fail: unfavourably
  - spies-succeed: favourably
  because both verdicts ask for more successes than the other side (S13.1, S13.2)
SA3 agency_holder: Who holds the Agency dice that further resources bring?
  - handler: the Handler, in one pool
  - spy: the spy who brought them, beside the persistent ones; faces of the persistent dice are written first
  because the Handler gathers the Agency dice of the Segment, a player only persistent ones (S9.5b, S10.2, S10.3)
SA4 handler_dice_leave: The Handler's dice brought the Agency in. Which of them leave?
  - whole-pool: all of them
  - successes: only the dice that showed 1 or 2
  - stay: none; they stay until the Segment ends
  because the text speaks of these dice as one pool, as it does of the persistent ones (S9.6)
SA5 persistent_leave: A spy's persistent dice brought the Agency in. Must they leave play?
  - must-go: they leave
  - may-be-kept: the player may keep them (keep: the spy)
  because one track states it as a fact, the other as a permission (S2.7b, S14.2b)
SA6 others_roll_on_own: Only a spy's own dice brought the Agency in. Do the others roll whether they are implicated?
  - no: only that spy is implicated
  - yes: everybody else rolls
  because the sentence about one's own dice is the more specific one (S14.2a, S14.5)
SA7 others_roll_on_both: A spy's own dice and the Handler's both did. Do the others roll?
  - yes: everybody else rolls
  - no: only the spies whose dice did are implicated
  because the Handler's dice open it to all (S14.3, S14.4, S14.5)
SA8 token_implicates: The Handler's token brought the Agency in. Who is implicated?
  - everyone-rolls: every spy rolls
  - handler-chooses: the Handler names them (implicate: [names])
  because the roll is for everybody who is not implicated automatically (S11.3, S14.5)
SA9 none_implicated: Everybody rolled 6 or more. What happens?
  - fizzles: nothing; the scene goes on to its dice
  - handler-picks: the Handler names one spy (implicate: name)
  because an Interference Segment without an implicated spy would have no Opposition (S14.5, S15.3)
SA10 implication_die: Which die says whether a spy is implicated?
  - d12: a twelve-sided one, rolled for this alone
  because the gear holds no others (S14.5)
SA11 target_resource: Which resource does an ignored interference cost?
  - handler-names-one: one of the spy's, named by the Handler
  - one-assigned: one of those assigned to the scene, named by the Handler
  - all-distracted: all that were distracted
  because the text speaks of one resource (S14.7a)
SA12 distracted_return: The interference was dealt with favourably. Do distracted resources help in the scene it
    interrupted?
  - no: no
  - yes: those of the spies who responded do
  because they are excluded from that scene without exception (S14.6, S15.11)
SA13 resume_at: Where does an interrupted scene go on?
  - track-12: at the roll, then the comparison
  - track-13: at the comparison, with nothing rolled on either side
  because it was interrupted before any die of the scene was rolled, so there is nothing to compare (S15.11)
SA14 after_ignore: Everybody implicated ignores the Agency. What becomes of the scene?
  - track-12: it is rolled with the dice that are left
  - scene-ends: it is over
  because the scene was interrupted, not ended (S14.7a)
SA15 ignore_counts_from: Which is the first scene with a lower target number?
  - next-scene: the next scene of the Job
  - this-scene: the interrupted one
  because in the interrupted scene the spy has no Job dice left (S14.7b)
SA16 ignore_in_mini: Do scenes of mini segments count as ignored, and is the target lower in them?
  - no: neither
  - yes: both
  because mini segments have a flat 5 (S14.7b, S15.9, S17.8)
SA17 target_floor: How low can a target number fall?
  - none: to 0, where nothing succeeds
  - one: to 1
  because no floor is printed (S14.7b)
SA18 penalty_ends: What ends the penalty for ignoring?
  - decision: the decision to respond
  - favourable: an Interference Segment that goes favourably
  because the lost resource comes back with the decision (S14.7a, S14.7b)
SA19 ignore_dice: The two dice for ignoring: do they leave when the spy responds, and are they gained again in each
    further scene?
  - stay-once: they stay, and are gained once
  - leave-once: they leave, and are gained once
  - stay-each-scene: they stay, and two more come with each further scene
  - leave-each-scene: they leave, and two more come with each further scene
  because they are persistent dice like any others (S14.7c)
SA20 interference_opposition: Only some of the implicated spies respond. How many Opposition dice are there?
  - all-implicated: one for each implicated spy
  - responders: one for each who responds
  because the text counts the implicated (S15.3)
SA21 late_response_when: When may a spy respond to an interference that was ignored?
  - scene-start: before any scene of the Job is framed
  - next-interference: when the Agency interferes again
  because the loss lasts until the spy decides (S14.7a, S14.8)
SA22 ignored_stack: A spy ignores several interferences. How low is the target number?
  - add: each counts its own scenes, and all are added
  - one-at-a-time: only the oldest counts
  because the text says cumulatively (S14.7b)
SA23 handler_tokens: How long do the Handler's two tokens last?
  - per-job: two for each Job
  - per-campaign: two for the whole series
  - per-session: two for each evening
  because the gear is laid out before the text asks whether this is a first session or a new episode (S1.6, S3.4,
    S11.3)
SA24 token_redundant: May the Handler spend a token although dice have brought the Agency in?
  - suspect: it is pointed out
  - allowed: yes
  because the token is for the case in which no die did (S11.3)
SA25 two_spy_contacts: With two spies the second pass brings the sheet home. Who writes the second contact?
  - owner: the owner
  - neighbour: the neighbour writes both
  because that is where two passes lead (S2.5)
SA26 handler_in_circle: Do the sheets pass the Handler as well?
  - no: no
  - yes: yes, after the last seat
  because the Handler has no sheet (S2.5, S2.6)
SA27 own_token: A player is dealt their own envelope. Does it stand?
  - yes: yes
  - redeal: no, it is dealt again
  because the deal is random and names no exception (S6.2)
SA28 final_push: Which push is the final one?
  - reaching-10: a push that reaches space 10
  - on-10: one that is won while standing on space 10
  because standing on space 1 means that the first contact has happened; so it is with the last space (S4.2, S17.12)
SA29 final_track: The final push is sent to Track 18, which ends the Job. Where does it lead?
  - track-19: to Track 19, Off the Blacklist
  because that is the title named beside the number (S17.12, S19.1)
SA30 failed_push_means: Who pays for failing to push: a spy who made none, or a spy who lost one too?
  - no-push: only who made none
  - push-lost-too: who made none, and who lost one
  because a push that is lost has a milder result of its own (S16.2, S17.10)
SA31 path_floor: A spy on space 1 has not pushed. What is the price?
  - stay-and-gain: no step, but the die
  - nothing-happens: neither step nor die
  because there is no space 0, and the die has nothing to do with the step (S16.2)
SA32 push_in_last: A push is declared in Segment 7. When is it played?
  - before-the-end: before the Job is finished
  - not-allowed: not at all: no spy declares one there
  because a push is played at the end of the Segment in which it is declared (S16.5, S13.7)
SA33 push_limit: May a spy push twice in an episode?
  - once: no
  - any: yes
  because it is asked once an episode (S16.1)
SA34 last_spy_push: There is only one spy. Who stays on the Job while that spy pushes?
  - allowed: a main character who is no spy may; without one it is let pass, and pointed out
  - not-allowed: a main character who is no spy may; without one there is no push
  because otherwise the duty to push and the duty to leave a spy on the Job contradict each other (S16.1, S16.4)
SA35 persistent_always: Are the persistent dice of a spy rolled who put nothing into the scene, or is pushing?
  - every-scene: yes, in every scene of the Job
  - own-scenes: only in scenes the spy puts something into
  because they are in play in all scenes (S2.7b, S10.2)
SA36 push_implicated: Can a spy who has declared a push be implicated?
  - yes: yes; the resources are barred from the Job only
  - no: no
  because only use for the Job is barred (S14.5, S16.3b)
SA37 resource_reuse: May a resource be used in several scenes of a Segment?
  - allowed: yes, and a spy may put in nothing at all
  - once-a-segment: no
  because no limit is printed (S9.4)
SA38 mini_abort: May a mini segment be broken off before its third scene?
  - no: no
  - yes: yes, and it counts as lost (break off: yes)
  because only two endings are printed (S15.10b, S17.10)
SA39 carry_over: The spies have more successes than there are Opposition dice. Do they count in the next Segment?
  - no: no
  - yes: yes: it starts with that number of dice fewer
  because every Segment starts afresh (S8.2, S13.5)
SA40 new_spy: What does a new spy in a running series start with?
  - full: all of tracks 2 to 4 and 6: sheet, contacts, token, space 1
  - no-token: the same, but no token
  because the text says only that it is a new character (S19.4)
SA41 nonspy_character: A contact has been developed into a main character. Does it count for the Opposition, and
    does it hold a persistent Agency die?
  - player: its player counts; no die
  - player-with-die: its player counts; one die, and it can be implicated
  - not-counted: neither
  because Path and pushing are the only differences printed, and the Agency die belongs to spies (S8.2, S19.5b)
SA42 refund: A spy with further resources is implicated. Do the Agency dice they brought go back?
  - no: no
  - yes: yes
  because they leave at the end of the Segment or by interfering, not otherwise (S9.6, S14.6)
SA43 lost_in_mini: Is a resource that was lost by ignoring available in mini segments?
  - only-where-answered: only in the Interference Segment that answers for it
  - available: yes, it is lost to the Job only
  because it is lost until the response (S14.7a, S15.8, S17.7)
SA44 choice_order: In which order do implicated spies say whether they ignore or respond?
  - free: as they like
  - seating: openly, in seating order
  because the text does not say (S14.7a, S14.8)
SA45 other_resources: Do gear, favours and the like give Job dice (because: {spy: what})?
  - no: no
  - yes: yes, counted like resources
  because the text names specialities and contacts only (S9.4)
SA46 ignore_order: A spy's own dice brought the Agency in, and the spy ignores it. Which comes first, losing those
    dice or gaining two?
  - discard-first: the dice leave, then two come
  - gain-first: two come, then all of them leave
  because the discard comes before the choice (S2.7b, S14.7c)
SA47 players_now: A spy has left in mid-episode. How many players count for the next Segment?
  - segment-start: those with a character in play when it starts
  - episode-start: as many as in the episode's first Segment
  because the count is taken at each Segment's start (S8.2)
SA48 outside_tell: May a player tell in a mini segment in which their spy has no part?
  - may: everybody at the table tells
  - taking-part: who has no part in it listens; telling is noted
  because the text bars spies and resources from it, and does not speak of players (S15.7, S17.6)
SA49 handler_monologue: May the Handler speak a monologue that is not the first of an Interference Segment?
  - may: yes
  - players: no, the players choose one of themselves
  because the text counts the Handler among the players in one place, and beside them in others (S1.3a, S9.2)
"""
)
