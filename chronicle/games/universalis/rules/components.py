"""Chapter 4: Components and Traits."""

from __future__ import annotations

from chronicle.core.rules import read_rules

COMPONENTS = read_rules(
    """
# 4 Creating Components
U4.1 Three kinds [computed]
  Characters, places, props; a prop can be a faith or a firm. Any noun will do.
U4.2 Existence [checked; V67 V92]
  A Component exists from its first Trait on, and no sooner.
U4.3 Adding Traits [checked; V70]
  1 Coin a copy, by the Controller on their own turn or with Bonus Coins. Each copy adds 1 Importance.
U4.4 Role first [checked; V68]
  The first Trait says what it is or does in the story.
U4.5 Creating [checked; V69]
  One Coin buys existence, Role and, if wanted, presence. A Component created elsewhere is introduced later for
  another Coin.
U4.6 Several copies [computed; V76]
  x3 is three Coins, three Importance, three dice.
U4.7 Two sources of dice [computed]
  Traits, drawn free; and Coins.
U4.8 Roles of several Traits [computed]
  A Role with several ideas in it is bought as several Traits.
U4.9 How broad a Role is [recorded]
  The group decides, best by a Tenet.
  why: how much a word covers is a matter of taste
U4.10 The Role's die [computed]
  A Role gives a die for each Trait it consists of.
U4.11 Proper names [computed]
  A name is a Trait: 1 Coin, 1 Importance.
U4.12 The name's die [checked; V104]
  A Character's name gives a die in each Complication that it takes part in. A place's or a thing's does not,
  unless a Gimmick says so.
U4.13 Naming an extra [computed]
  General 2 becomes a named Character for 1 Coin; the Role stays, the old handle still works.
U4.14 Group Traits [computed]
  A number or unit makes one Component stand for many; copies and heads need not agree.
U4.15 What a group gains [computed]
  Weight in the story, a die a copy where numbers help, Importance.
U4.16 Relationships [computed]
  A tie to another Component is a Trait, with a line on the map.
U4.17 The mirror is free [checked; V77]
  Where a tie concerns both ends, one Coin writes it on both; both go and come together.
U4.18 One-sided ties [checked]
  A feeling of one leaves no Trait on the other.
U4.19 Simple possessions [computed]
  Ordinary belongings are plain Traits.
U4.20 Linked possessions [computed]
  What matters more is a Component of its own; one Coin ties it to its owner, with a Trait at both ends.
U4.21 Possession: entry [checked; V73 V74]
  It comes with its owner, free.
U4.22 Possession: separation [checked]
  1 Coin parts it from its owner, with a reason in the story.
U4.23 Possession: Control [checked; V60 V61]
  The Controller of the owner Controls it; only what is separated is taken over alone.
U4.24 Possession: Importance [checked; V78 V84]
  It counts towards its owner while it is with them; one owner at a time, and no circles.
U4.25 Wider uses [computed]
  Guards, fortunes, rooms of a house may be possessions (`part of:` for places).
U4.26 Facts of scene and world [computed]
  Weather, technology, magic: 1 Coin, `of: scene` or `of: world`.
U4.27 Masters [checked; V79]
  The template of a class. It costs a Coin for the mark, has no name, is never in a scene, under Control or at work.
U4.28 Subs [checked; V80]
  A Component of a Master's class, for 1 Coin, which may be its Role.
U4.29 Sub: use [computed]
  It has all the Master's Traits to tell of and draw upon; each Sub draws for itself.
U4.30 Sub: Importance [computed; V81]
  They add nothing to its Importance.
U4.31 Sub: own Traits [computed]
  Its own Traits count, and are not shared.
U4.32 Sub: negation [checked; V82]
  A Trait of its own may take one of the Master's away from it; it counts for Importance.
U4.33 Sub: several Masters [computed]
  It may belong to several classes and use all of them.
U4.34 The Master's Importance [computed]
  All standing Subs count towards it.
U4.35 Importance [computed; V83]
  1 a Trait copy that stands, plus possessions, plus (for a Master) Subs; the Eliminated count nothing.
U4.36 Eliminating [checked; V85]
  Coins as many as its Importance, by its Controller or with Bonus Coins.
U4.37 What Elimination means [checked; V88]
  It is in no scene later in the story; earlier ones may still show it.
U4.38 Later growth [computed]
  Traits gained in a flashback do not undo an Elimination.
U4.39 Its fate [checked]
  Death, flight, retirement. Each Coin entitles to one Fact about it (`facts:`).
U4.40 Return [checked; V89]
  The Importance it has now brings it back; introducing it is one more.
U4.41 Kinder ends [computed]
  A player may Eliminate to save a Component from worse.
U4.42 Damage [checked; V91]
  First the Event that causes it, then the effects: Wound Traits, or Traits removed. Why a Trait is removed only the
  table knows, so that is never asked for.
U4.43 Removing [checked; V75]
  1 Coin crosses off one copy that is there.
U4.44 Wounds [computed]
  An injury is a Trait, as often as it is severe.
U4.45 Wounds count [computed]
  Like any Trait, until they heal.
U4.46 Injuries of an Elimination [checked; V90]
  They are colour if it comes off, and Wound Traits if it does not.
U4.47 What an injury does [recorded]
  Narration heeds it, Challenges cite it, dice go against its bearer.
  why: whether a story heeds a wound is for readers to say
U4.48 Healing and restoring [checked]
  1 Coin removes a wound or gives back a Trait that was removed.
U4.49 New instead of old [computed]
  Players can buy new Traits instead.
U4.50 Groups shrink [computed]
  Losing Group Traits is losing members; when all are gone, one is left.
"""
)
