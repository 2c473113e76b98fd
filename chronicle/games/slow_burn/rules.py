"""The rules of Slow Burn by number (track and bullet), each explained once in Chronicle's own words."""

from __future__ import annotations

from chronicle.core.rules import read_errata, read_rules
from chronicle.games.slow_burn.state import TRACKS

_MOOD = "it sets the mood and asks for nothing that a log could show"
_STORY = "what a story is about is for the table to hear, not for a program"
_GUIDE = "it sends the reader on to another track; the state machine does the same by itself"


def _track(id: str) -> str:
    track = int(id[1:].partition(".")[0])
    return f"Track {track}: {TRACKS[track - 1]}"


RULES = read_rules(
    """
S1.1 Welcome [recorded]
  A greeting to the players.
  why: the mood
S1.2 Burned [recorded]
  Every spy has been put on a blacklist and left in a city with nothing but skills, the few people who still talk to
  them, and a token with a lily on it. Jobs for strangers pay the rent.
  why: the mood
S1.3a Three or more, one of them the Handler [checked; V1]
  At least three people play, and exactly one of them is the Handler. The Handler is named in campaign.yaml and sits
  outside the circle.
S1.3b Who plays what [checked]
  Players have a spy each, and its contacts. The Handler has no spy, but everyone else: the people against the
  Job, and the Agency.
S1.3c The Handler arbitrates [checked]
  Disagreements between players are settled by the Handler. A decision that the log gives to another
  person is pointed out.
S1.4 Gear first [recorded]
  Everything needed is on the table before play begins.
  why: a table leaves no trace in a log
S1.5 A player's gear [checked; V2]
  Twelve-sided dice in two colours, a blank token with an envelope, three scene tokens. Every die of the game shows
  1 to 12; the number of dice in the kit is no limit.
S1.6 The Handler's gear [computed]
  Opposition dice, Agency dice, and two Fleur-de-Lis tokens of the Handler's own. There are never more than two of
  them.
S1.7 Pause the recording [recorded]
  The rules were made to be listened to, and are paused while the table does what they say.
  why: it is about the recording, not about play
S1.8 The first session begins with characters [checked]
  A group that has no spies yet makes them before its first Job.
S1.9 Later episodes begin with the Job [computed]
  A group that has its spies goes straight to the next Job.
S2.1 One character each [checked]
  Every player makes one spy. A second one beside a spy still in play is pointed out.
S2.2 Names on the sheet [checked]
  A sheet bears the name of its player and the name of the spy.
S2.3 A unique speciality [checked; V3]
  A spy has one speciality, and no other spy of the group has the same.
S2.4 A few words about the spy [recorded]
  Players can add a short description, under text.
  why: it is free, and optional
S2.5 Two contacts, by two neighbours [checked; V4 V5]
  Sheets go one place to the left, and the neighbour writes down a person whom the spy knows, with a speciality;
  then one place more, and the next player adds another. Every spy starts with two.
S2.6 A connection, by the neighbour on the right [checked]
  Sheets go one place to the right. Each neighbour writes how that spy and their own are connected, so that the
  connections close a ring.
S2.7a One persistent Agency die [checked; V6]
  Every spy starts with one persistent Agency die.
S2.7b Persistent until they succeed [checked; V39]
  Persistent Agency dice are in play in all scenes of the Job. When any of a spy's shows 1 or 2, it has done its
  work, and all persistent dice of that spy leave play.
S2.8 Sheets before tokens [checked]
  Contacts and connections are on the sheets before the tokens are written, dealt and opened. One that is written
  later is pointed out.
S3.1 Two uses of the token [checked]
  Players' tokens serve the introductions. Only the Handler's bring the Agency in.
S3.2 One item of information [checked; V7 V8]
  A token bears one single item: a number, a name, a place, a combination. It mentions neither a spy nor a contact.
S3.3 Into the envelope [checked]
  The token is handed over in a shut envelope. What the log says about it is kept from every reader until the
  introduction opens it; a seal can prove it.
S3.4 The Handler's tokens wait [checked]
  The Handler writes nothing on their own two tokens; they come into play during a Job, not before.
S3.5 On to the Path [recorded]
  Tokens done, the Path is next.
  why: a guide
S4.1 Ten spaces [computed]
  The Path to Freedom has the spaces 1 to 10.
S4.2 What the Path means [computed]
  The first space is the first contact with the Agency, the last the gambit that gets the spy off the blacklist.
  From 1 to 10 it is nine steps, one an episode at most.
S4.3 Mark the space [computed]
  The space of every spy is kept in the ledger and shown on the Path.
S4.4 Start on space 1 [checked; V11]
  Once introduced, a spy is on space 1.
S4.5 On to the setting [recorded]
  The Path drawn, the city is next.
  why: a guide
S5.1 Do not leave town [checked]
  A spy who leaves the city is hunted. A scene marked as outside town is pointed out.
S5.2 One city, agreed by all [checked]
  Everybody, the Handler too, agrees on one city, best a large one. It is there before the first Job, and a change
  is pointed out.
S5.3 On to the introductions [recorded]
  The city known, the spies enter.
  why: a guide
S6.1 Introduced before the Job [checked]
  A spy comes into play once, by an introduction, and takes no part in a Job before.
S6.2 Shuffled and dealt [checked; V9]
  The Handler shuffles the envelopes and deals one at random to each player. None is picked, none dealt twice,
  every player gets one.
S6.3 Alone or together [computed]
  Introductions are played one by one or jointly; one entry can introduce several spies.
S6.4 Three things to tell [checked; V10]
  An introduction tells what the spy did just before the blacklisting, how the spy came to the city, and what the
  token's information means and how it was learnt. A story as free text counts for all three; where the log
  says nothing of one of them it is pointed out.
S6.5 Suggestions [recorded]
  The Handler steers through other people in the scene, and the rest may suggest. The player may take a suggestion
  or leave it.
  why: a suggestion that was taken and one that was forced read alike
S6.6 On to the Job [recorded]
  Everybody introduced, the Job is next.
  why: a guide
S7.1 One Job, one episode [checked]
  An episode is about one Job.
S7.2 Who asks for help [recorded]
  Typical clients: witnesses on the run, people in over their heads.
  why: the mood
S7.3 The Handler introduces the Job [checked; V12]
  It happens in the first scene of Segment 1, and it is the Handler's part.
S7.4 One or two evenings [computed]
  A Job takes one or two sessions as a rule. The episode's page says how many it took; a longer one breaks nothing.
S7.5 Seven Segments [checked; V35]
  A Job has the Segments 1 to 7, each once, in that order.
S7.6 On to the first Segment [recorded]
  The Job known, it is played.
  why: a guide
S8.1 A Segment is scenes [computed]
  A Segment consists of one or more scenes; since its Opposition dice leave through scenes only, there is at least
  one.
S8.2 Two Opposition dice a player [checked; V13 V14]
  Every Segment starts with twice as many Opposition dice as there are players; nothing is carried over.
S8.3 Until they are gone [checked; V15]
  A Segment ends when its Opposition dice are gone, and only then.
S8.4 On to the scene [recorded]
  The Segment begun, a scene is next.
  why: a guide
S9.1 What a scene is [recorded]
  A stretch of action that takes the story further.
  why: the story
S9.2 Voice Over Monologue [checked; V16]
  Every scene opens with a monologue that sets up what is coming. The players choose who speaks it, or do it
  together.
S9.3 Framing [computed]
  Place and first circumstances are the scene's title and text.
S9.4 Assigning resources [checked; V17 V18]
  A player assigns their own spy's speciality, and the specialities of that spy's contacts, each once in a scene.
S9.5a One Job die each [checked; V19]
  Every resource assigned is one Job die.
S9.5b The first is free [checked; V20]
  A spy's first resource in a scene costs nothing; every further one brings an Agency die.
S9.6 Agency dice of the Segment [checked; V21]
  These dice stay until the Segment is over, or until they bring the Agency in.
S9.7 Play the opening [recorded]
  Preparations are played out before the dice.
  why: the story
S9.8 On to the dice [recorded]
  The scene opened, dice are gathered.
  why: a guide
S10.1 Gather dice [recorded]
  Everybody takes the dice that are due.
  why: a guide
S10.2 A player's dice [checked; V22]
  The Job dice of this scene, and all persistent Agency dice of the spy.
S10.3 The Handler's dice [checked]
  The Opposition dice that are left, and every Agency die that this Segment has brought. The dice from this scene
  count, too.
S10.4 On to the check [recorded]
  Dice in hand, the Agency's are first.
  why: a guide
S11.1 Agency dice first [checked; V23]
  Everybody who holds Agency dice rolls them before any Job or Opposition die is rolled.
S11.2 1 or 2 brings the Agency in [checked; V24 V25]
  If any Agency die shows 1 or 2, the Agency interferes; if none does, it does not. The chance that n dice stay
  quiet is five sixths to the power of n.
S11.3 Or a token [checked; V26 V27]
  If no die did, the Handler may spend an unspent Fleur-de-Lis token, and the Agency interferes.
S11.4 Interference interrupts [computed]
  Once the Agency interferes, that is dealt with first.
S11.5 Otherwise roll [computed]
  If it keeps quiet, the scene is rolled.
S12.1 Every scene is rolled [checked]
  A scene that was framed is resolved by dice before the next one, and dice belong to a scene.
S12.2 Job dice [checked]
  A spy's player rolls the Job dice earned in this scene's setup, all of them.
S12.3 Opposition dice [checked; V30]
  The Handler rolls all Opposition dice that are left in the Segment.
S12.4 What Job dice need [checked; V28]
  The number of the Segment plus one, or less: 2 in Segment 1, 8 in Segment 7.
S12.5 What Opposition dice need [checked; V29]
  Five or less, in every Segment.
S12.6 Count successes [checked]
  Those of the Opposition, then those of all spies together.
S12.7 On to the comparison [computed]
  Successes counted, the scene is resolved.
S13.1 Favourable [checked; V31]
  The spies have more successes than the Opposition.
S13.2 Unfavourable [checked]
  The Opposition has more successes than the spies.
S13.3 Tell the end [recorded]
  The players tell the end from the dice, for the group and for every spy.
  why: the story
S13.4 Job dice go [computed]
  Job dice are discarded after every scene.
S13.5 Opposition dice go [checked; V32 V33 V34]
  As many Opposition dice are discarded as the spies rolled successes, whichever side has more, and never more than
  there are.
S13.6 Another scene [computed]
  While Opposition dice are left, the Segment goes on with another scene.
S13.7 The next Segment, or the end [checked]
  With no Opposition left the Segment is over; after the seventh the Job is done, and not before.
S14.1 The scene is interrupted [computed]
  An interference interrupts the scene at work; it is resolved afterwards.
S14.2a Own dice, own trouble [checked; V36]
  If a spy's own persistent dice brought the Agency in, and the Handler's did not, only that spy is implicated.
S14.2b And the dice leave [computed]
  The persistent dice that brought the Agency in leave play (S2.7b).
S14.3 The Handler's dice [computed]
  If the Handler's dice brought the Agency in, any or all spies can be implicated.
S14.4 Both [checked]
  If the Handler's dice and a spy's own both did, that spy is implicated without a roll.
S14.5 Everybody else rolls [checked; V37]
  A spy who can be implicated, but is not so automatically, rolls one die: five or less, and the Agency has them.
S14.6 Resources distracted [checked; V38]
  The resources that an implicated spy put into the scene are distracted: no Job dice from them.
S14.7a Ignoring: the resource [checked; V42]
  A spy who ignores the Agency loses one resource, the one that the Agency wants, until the spy responds. Only the
  spy's player decides.
S14.7b Ignoring: the target number [checked; V41]
  The spy's target number falls by one, and by one more for every further scene in which the interference is
  ignored.
S14.7c Ignoring: two dice [checked; V40]
  The spy gains two persistent Agency dice.
S14.8 Or responding [checked]
  Every implicated spy either ignores the Agency or responds; responding opens an Interference Segment.
S15.1 A mini segment [computed]
  An Interference Segment is a small segment of its own, with scenes of its own.
S15.2 What it is about [recorded]
  How the Agency deals with the spies or resources it has chosen, and they with it.
  why: the story
S15.3 Its Opposition [checked; V43]
  One Opposition die for each implicated spy. Those of the Job wait untouched.
S15.4 Played like scenes, without the check [checked]
  Its scenes are framed, rolled and resolved like others, but there is no interference check, and no token is spent.
S15.5 Three scenes at most [checked; V44]
  A scene token is laid down for each; there is no fourth.
S15.6 The Handler speaks first [checked; V47]
  The monologue of its first scene is the Handler's, who may take suggestions.
S15.7 Only who is implicated [checked; V48]
  Only implicated spies and their resources can be used.
S15.8 No Agency dice [checked; V45]
  All resources are free; no Agency die is earned or rolled.
S15.9 Five or less for both sides [checked; V46]
  Job dice and Opposition dice alike succeed at five or less.
S15.10a Dealt with [checked]
  No Opposition dice left by the end of the third scene: the spies have dealt with the Agency.
S15.10b Less than favourable [checked]
  Opposition dice left after the third scene: they have not. It ends in no other way.
S15.11 Back to the scene [checked; V49]
  The players tell the end of the interference; then the interrupted scene is taken up again and resolved.
S16.1 Once an episode [checked; V57]
  Every spy has to push for freedom once in every episode.
S16.2 No push [checked; V56]
  A spy who made no push in an episode goes one space back and gains one persistent Agency die.
S16.3a Declared at the beginning [checked; V50]
  A push is declared at the beginning of a Segment, before its first scene. Only the spy's player decides.
S16.3b Off the Job [checked; V52]
  During that Segment the spy's resources are not available to the Job.
S16.4 A spy stays [checked; V51]
  Several spies may push in one Segment, but at least one stays on the Job.
S16.5 Played at the end [checked; V53]
  The push is played when that Segment is over, before anything else.
S16.6 On to the push [recorded]
  Declared, the push has a track of its own.
  why: a guide
S17.1 A mini segment [computed]
  A push for freedom is a small segment of its own, like the answer to an interference.
S17.2 What it is about [recorded]
  Spy and Agency again, but now the spy makes the demands.
  why: the story
S17.3 Its Opposition [checked]
  One Opposition die for each spy who takes part.
S17.4 Played like scenes, without the check [checked]
  Framed, rolled and resolved like other scenes, without an interference check or token.
S17.5 Three scenes at most [checked]
  A scene token is laid down for each; there is no fourth.
S17.6 Only who pushes [checked]
  Only the spies who take part can be used.
S17.7 No Agency dice [checked]
  All specialities and contacts are free; no Agency die is earned or rolled.
S17.8 Five or less for both sides [checked]
  Job dice and Opposition dice alike succeed at five or less.
S17.9 One space ahead [checked; V54]
  No Opposition dice left by the end of the third scene: each spy who took part steps one space ahead.
S17.10 No progress [checked; V55]
  Otherwise the push has failed. No spy steps ahead, and none back.
S17.11 On to the next Segment [computed]
  Then the Job goes on.
S17.12 The final push [checked; V58]
  The final push leads off the blacklist. Nothing else does.
S18.1 The Job is pulled off [checked]
  After Segment 7 the Job is done, and the people against it are dealt with. The rules know no lost Job.
S18.2 Tell the end [recorded]
  Loose ends are tied, and the players tell the client's new life.
  why: the story
S19.1 Off the blacklist [checked]
  A freed spy's troubles are over; such a spy takes no part in Jobs or pushes any more.
S19.2 A life again [computed]
  The player tells how it is put back together; until then it is one of the loose ends.
S19.3 What comes next [computed]
  That depends on the series: campaign.yaml says whether it is ongoing or lasts until all are free.
S19.4 A new spy [checked; V59]
  In an ongoing series the player makes a new spy, who is introduced at the beginning of the next episode.
S19.5a Sit back, or develop a contact [checked]
  In a series that lasts until all are free, the player may turn a contact of one of the other spies into a main
  character with contacts of its own.
S19.5b No Path, no duty [checked; V60]
  Such a character has no Path to Freedom and need not push.
""",
    chapter=_track,
    reasons_by_key={"the mood": _MOOD, "the story": _STORY, "a guide": _GUIDE},
)

ERRATA = read_errata(
    """
ST1 A fourth Job die [S1.5 S2.5 S9.5a]
  The gear list gives a player four dice of the Job's colour. A spy has a speciality and two contacts, three
  resources, so the fourth is never rolled.
ST2 Three or four Agency dice [S1.5 S14.7c S16.2]
  One at the start, two for an ignored interference and one for a missed push make four. A second ignored interference
  goes beyond the kit, so the kit is no limit.
ST4 The Handler's Agency dice [S1.6 S9.5b]
  Three for each player fall short as soon as a Segment has many scenes: each spy can bring two in every scene. The
  kit is no limit here either.
ST5 Where to find the depletion [S8.2 S13.5]
  Track 8 sends the reader to Track 11 for it; it is in Track 13.
ST6 The name of Track 10 [S9.8]
  Track 9 calls it by another title than its heading does.
ST7 Back to the interrupted scene [S15.11]
  Track 15 returns to Track 13. The scene was interrupted in Track 11, before its dice were rolled, so there is
  nothing to compare yet (SA13).
ST8 The number of the last track [S17.12]
  Track 17 sends the final push to Track 18 and names the title of Track 19 (SA29).
ST9 Only that spy, or everybody who rolls [S14.2a S14.5]
  Own dice alone implicate only their spy; the sentence after next makes everybody roll who is not implicated
  automatically. Both cannot hold for the others (SA6).
ST10 Are removed, or may be discarded [S2.7b S14.2b]
  Track 2 removes persistent dice after a success, Track 14 permits it (SA5).
ST11 Declared here, played there [S16.5 S16.6]
  Track 16 leads straight into Track 17, though the push is played only when the Segment ends.
"""
)
