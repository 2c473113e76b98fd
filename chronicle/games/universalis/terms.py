"""The words of Universalis, for its glossary: the word and what else it is called, its rule, what it means."""

TERMS = """\
Coin, Coins, Wealth [U1.2]: What everything is paid with. A player's Coins are their Wealth; the rest is in the Bank.
Tenet [U2.1]: Something the group agrees on: what the story is about, how one behaves at the table, or a rule.
Gimmick, Rules Gimmick [U2.11]: A new rule that the group accepts for a Coin.
Fact [U5.26]: A statement that a Coin was paid for: why or how something is. Coins in its defence count twice in
    a Challenge.
Event [U5.21]: Something that happens in a scene, paid for, with its performer and its receiver.
Component, New, Create [U4.1]: A character, a place or a prop that was paid for: a player bought its Role and Traits.
Trait [U4.3]: A word or two that a Component has been given, a Coin each. Every Trait may become a die.
Role [U4.4]: The first Trait of a Component, what it is: keeper, harbour, knife.
Importance [U4.35]: How many Traits a Component has in all. It is also the price to put it out of the story.
Master [U4.27]: The template of a class. Its Traits are those of all its Subs; it is in no scene itself.
Sub [U4.28]: One of a class: it has the Traits of its Master, and its own.
Group [U4.14]: One Component that stands for many.
Scene, Frame [U3.1]: All play is in scenes. The highest bidder frames it: where, when and who is in it.
Bid, Bids [U3.2]: What everybody secretly puts down for the right to frame the next scene.
Refreshment [U3.14]: The Coins that everybody gets when a scene is over.
Control, Take Over [U3.29]: Whose a Component is in this scene: they speak for it. For a Coin it can be taken
    over.
Enter [U5.2]: A Component comes into the scene, for a Coin.
Exit [U5.18]: A Component leaves the scene.
Interrupt [U3.17]: To take the turn from another player, for a Coin.
Dialog [U3.33]: Components talk, each in the voice of its Controller.
Obstacle [U3.39]: Dice bought to make another player’s Event difficult.
Challenge [U3.40]: An objection to what was said. It is talked over first; if that does not help, Coins decide.
Fine [U3.55]: Asked for against a player, for what talking has not cured. Thumbs go up and down, and the side
    that loses pays.
Mini scene [U3.21]: A small scene inside another scene.
Complication [U6.2]: What dice decide: Pools are built, and the winner spends most on how it ends.
Originator [U6.2]: Who began a Complication.
Pool [U6.5]: The ten-sided dice of one side of a Complication.
Draw [U6.11]: To bring a Trait into a Complication: a die more for one side.
Buy [U6.15]: A Coin for a die, into any Pool or out of one.
Success [U6.20]: A die that shows 1 to 5. More of them win.
Edge, Edge Die [U6.22]: After a tie the higher sum of Successes has the Edge: one more die, and both sides roll
    again.
Bonus Coin, Bonus Coins [U6.26]: What a throw earns, to be spent on what it leads to: the winner gets the sum of
    the Successes, the loser a Coin a die.
Eliminated [U4.36]: Put out of the story, for as many Coins as its Importance.
Wound [U4.44]: An injury, as a Trait.
Tie, Relationship [U4.16]: A Trait that names another Component; where it concerns both, one Coin writes it on both
    sheets.
Possession [U4.20]: A prop that belongs to a Component; where it matters, a Component of its own.
Removed [U4.43]: A Trait that a player paid to strike.
"""
