"""The Agency interferes: who is implicated, and what ignoring it costs (track 14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from chronicle.core.declare import Action, Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed, plural
from chronicle.core.dice import D12, Faces, ShownDie
from chronicle.core.field_types import NAMES, UNRECORDED, EitherOf, MapOr, choice, in_role
from chronicle.core.fix import BLANK, Fix, add_entry, drop_entry, drop_key, set_key
from chronicle.core.guards import Violation, guard, question
from chronicle.core.house_rules import answer
from chronicle.core.ranges import UNKNOWN
from chronicle.core.record import Side, SideBySide, Throw
from chronicle.core.sentences import Sentence, said
from chronicle.core.source import ScalarNode
from chronicle.games.slow_burn.computed import PERSISTENT
from chronicle.games.slow_burn.framing import end_unrolled, frame_lost
from chronicle.games.slow_burn.keys import IMPLICATION, TARGETS
from chronicle.games.slow_burn.people import (
    characters,
    each,
    gain_dice,
    ids_of,
    look_up,
    of_others,
    owner_of_resource,
    resource,
    resource_name,
)
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    BOX,
    CONTACT,
    FLOW,
    JOB_DIE,
    OPPOSITION_TARGET,
    POOL,
    RESOURCE,
    Check,
    Ignored,
    Kind,
    Phase,
    Spy,
    Table,
    in_play,
    is_behind,
    persistent_of,
)

IGNORED_DICE = 2


def can_be_implicated(play: Table) -> list[Spy]:
    """The spies in play whom an interference can reach."""
    spies = [
        spy
        for spy in in_play(play)
        if spy.is_spy or play.ruling("nonspy_character") == "player-with-die"
    ]
    if play.ruling("push_implicated") == "no":
        pushing = play.state.pushing()
        spies = [spy for spy in spies if spy.id not in pushing]
    return spies


def find_reach(play: Table, check: Check) -> None:
    """S14.2a to S14.5: note in a check who is implicated without a roll, and who has to roll."""
    reach = [spy.id for spy in can_be_implicated(play)]
    check.automatic = [id for id in check.own if id in reach]
    rolling = [id for id in reach if id not in check.automatic and id not in check.rolls]
    if check.by_pool:
        if check.automatic and play.ruling("others_roll_on_both") == "no":
            rolling = []
    elif check.own:
        if play.ruling("others_roll_on_own") == "no":
            rolling = []
    elif play.ruling("token_implicates") == "handler-chooses":
        rolling = []
        check.choosing = True
    check.waiting = rolling


def implicate_first(play: Table, check: Check) -> None:
    """S14.2a to S14.5: who is implicated without a roll, and who has to roll."""
    play.state.phase = Phase.TRIGGERED
    find_reach(play, check)
    for id in check.automatic:
        implicate(play, check, play.state.cast[id], "S14.4" if check.by_pool else "S14.2a")


def implicate(play: Table, check: Check, spy: Spy, rule: str) -> None:
    """A spy is implicated; the resources put into this scene are distracted (S14.6)."""
    if spy.id in check.implicated:
        return
    check.implicated.append(spy.id)
    play.event(f"{spy.id} is implicated", rule, "implicated", spy.id)
    scene = play.state.interrupted or play.state.scene
    if scene is None or scene.kind is not Kind.JOB:
        return
    dice = play.balance(f"job dice:{spy.id}", JOB_DIE)
    scene.distracted.append(spy.id)
    scene.distracted_used[spy.id] = list(scene.used.get(spy.id, ()))
    if dice:
        play.move(f"job dice:{spy.id}", BOX, dice, JOB_DIE, "S14.6", "distracted")
        play.event(
            f"{spy.id}'s resources are distracted: {plural(dice, 'Job die', 'Job dice')} gone",
            "S14.6",
            "distracted",
            spy.id,
        )
    earned = scene.earned.get(spy.id, 0)
    if earned and play.ruling("refund") == "yes":
        play.move(
            POOL, BOX, min(earned, play.balance(POOL, AGENCY_DIE)), AGENCY_DIE, "SA42", "refunded"
        )


# --- who is implicated: breaches -----------------------------------------------------------------


def draft_of(check: Check | None) -> Check | None:
    """A copy of a check, on which guards try what an entry does."""
    if check is None:
        return None
    return replace(
        check,
        automatic=[*check.automatic],
        waiting=[*check.waiting],
        rolls={**check.rolls},
        lost=[*check.lost],
        implicated=[*check.implicated],
        choices={**check.choices},
        targets={id: [*named] for id, named in check.targets.items()},
    )


def is_on(check: Check | None) -> bool:
    """Whether the Agency interferes, or may do so for all that the record says."""
    return check is not None and (check.triggered or check.unknown)


def no_interference(
    play: Table, check: Check | None, spy: Spy, word: ScalarNode
) -> Violation | None:
    """S11.2: that a spy is drawn into an interference that there is not."""
    if is_behind(play, check):
        return None
    return Violation(
        f"{spy.id} is drawn into an interference, but the Agency has not come in: no Agency die "
        "showed 1 or 2, and no token was spent"
        if check is not None
        else f"{spy.id} is drawn into an interference, but none has been triggered",
        word,
        drop_entry()
        if play.state.mini is not None and play.state.mini.kind is Kind.PUSH
        else add_entry("check: ...")
        if check is None
        else add_entry("spend token:", when="if a token brought it in"),
        facts=[play.because(check.step, "the check")] if check is not None else [],
        after=["interference:", FLOW],
        doubts=["interference:", *([FLOW] if play.step.action.verb == "answer" else [])],
        rule="S11.2",
    )


def out_of_reach(play: Table, check: Check, spy: Spy, word: ScalarNode) -> Violation:
    """S14.2a, S14.5: a spy rolls or chooses out of the reach of this interference."""
    own_only = bool(check.own) and not check.by_pool and not check.token
    owners = listed(check.own)
    return Violation(
        f"only {owners} {'are' if len(check.own) > 1 else 'is'} implicated: the Agency came "
        f"through {owners}'s own dice; {spy.id} has no part in it"
        if own_only
        else f"{spy.id} is out of this interference's reach",
        word,
        facts=[play.because(check.step, "the check")],
        help=f"leave {spy.id} out of this entry",
        after=["interference:", FLOW],
        doubts=["interference:", "agency:"],
        rule="S14.2a" if own_only else "S14.5",
    )


def is_only_own(play: Table, check: Check) -> bool:
    """S14.2a: whether only spies' own dice can have brought the Agency in, for all that the record says of them."""
    if check.by_pool or check.token or is_behind(play, check):
        return False
    if play.ruling("others_roll_on_own") != "no":
        return False
    has_pool = play.state.pool_unsure or bool(play.balance(POOL, AGENCY_DIE))
    return bool(check.pool) or not has_pool


def not_through_own(play: Table, check: Check, spy: Spy, word: ScalarNode) -> Violation:
    """S14.2a: that a spy rolls, or is drawn in, whose own dice have not brought the Agency in."""
    return Violation(
        f"only spies whose own dice show 1 or 2 are implicated here: the Agency "
        f"{'showed no 1 or 2' if check.pool else 'holds no dice in this Segment'}; {spy.id} "
        + ("showed none" if spy.id in check.faces else "rolls nothing"),
        word,
        facts=[play.because(check.step, "the check")],
        doubts=["interference:", "agency:"],
        is_certain=True,
        rule="S14.2a",
    )


def rolls_lost(play: Table, spies: Sequence[str], word: ScalarNode | None) -> Violation | None:
    """S14.5: the breach of rolls without a record."""
    if not spies:
        return None
    return Violation(
        f"the record does not say what {listed(spies)} rolled",
        word,
        doubts=["interference:", *(f"job dice:{id}" for id in spies)],
        rule="S14.5",
        kind=DiagnosticKind.UNKNOWN,
    )


def try_rolls(
    play: Table, draft: Check | None, rolls: str | Mapping[ScalarNode, Faces | None] | None
) -> Iterator[Violation]:
    """S14.5: the breaches of implication rolls. The draft of the check takes the rolls."""
    if rolls is None:
        return
    if isinstance(rolls, str):
        lost = [*draft.waiting] if draft is not None else []
        violation = rolls_lost(play, lost, None)
        if violation is not None and draft is not None:
            draft.lost, draft.waiting = [*draft.lost, *lost], []
            yield violation
        return
    for word, faces in rolls.items():
        spy = look_up(play, word)
        if spy is None:
            continue
        if draft is None or not is_on(draft):
            violation = no_interference(play, draft, spy, word)
            if violation is not None:
                yield violation
            continue
        yield from _try_roll(play, draft, spy, word, faces)


def _try_roll(
    play: Table, draft: Check, spy: Spy, word: ScalarNode, faces: Faces | None
) -> Iterator[Violation]:
    if spy.id in draft.automatic and spy.id not in draft.waiting:
        yield Violation(
            f"{spy.id} is implicated by their own dice and rolls nothing",
            word,
            facts=[play.because(draft.step, "the check")],
            after=[FLOW],
            rule="S14.4" if draft.by_pool else "S14.2a",
        )
        return
    if draft.unknown and is_only_own(play, draft):
        yield not_through_own(play, draft, spy, word)
    elif _is_unexpected(play, draft, spy):
        if spy.id in draft.rolls:
            message = f"{spy.id} has rolled {draft.rolls[spy.id]} already"
            yield Violation(message, word, rule="S14.5")
            return
        yield out_of_reach(play, draft, spy, word)
    draft.waiting = [id for id in draft.waiting if id != spy.id]
    if faces is None:
        draft.lost.append(spy.id)
        violation = rolls_lost(play, [spy.id], word)
        if violation is not None:
            yield violation
        return
    draft.lost = [id for id in draft.lost if id != spy.id]
    draft.rolls[spy.id] = int(faces[0])
    if draft.rolls[spy.id] <= OPPOSITION_TARGET and spy.id not in draft.implicated:
        draft.implicated.append(spy.id)


def _is_unexpected(play: Table, check: Check, spy: Spy) -> bool:
    """Whether a spy rolls without having to. A table can roll for a player who is away."""
    is_away = spy.player not in play.present and spy.id not in check.rolls
    return spy.id not in check.waiting and not (check.unknown or spy.id in check.lost or is_away)


def not_implicated(play: Table, draft: Check, spy: Spy, word: ScalarNode) -> Violation | None:
    """The breach of a choice by a spy who is not implicated. In the draft of the check, the spy is."""
    if spy.id in draft.implicated:
        return None
    draft.implicated.append(spy.id)
    waits, draft.waiting = spy.id in draft.waiting, [id for id in draft.waiting if id != spy.id]
    if spy.id in draft.rolls:
        return Violation(
            f"{spy.id} rolled {draft.rolls[spy.id]} and is not implicated; that takes 5 or less",
            word,
            facts=[play.because(draft.step, "the check")],
            after=[FLOW],
            rule="S14.5",
        )
    if draft.unknown and spy.id in draft.faces and is_only_own(play, draft):
        return not_through_own(play, draft, spy, word)
    if spy.id in draft.lost or (draft.unknown and (spy.id not in draft.faces or not waits)):
        return None
    if not waits:
        return out_of_reach(play, draft, spy, word)
    return Violation(
        f"{spy.id} rolls one die first: only 5 or less is implicated",
        word,
        facts=[play.because(draft.step, "the check")],
        fix=add_entry(f"implicate: {{{spy.id}: ...}}"),
        after=[FLOW],
        rule="S14.5",
    )


def new_check(play: Table) -> Check | None:
    """A check of the scene at hand, for a spy who is drawn in although the log has none."""
    scene = play.state.scene
    if scene is None or scene.resolved:
        return None
    return Check(play.step.number, scene.number, scene.episode, scene.segment)


def try_to_draw_in(
    play: Table, draft: Check | None, spy: Spy, word: ScalarNode
) -> tuple[Check | None, list[Violation]]:
    """The draft of the interference that a spy chooses about, and the breaches of that choice."""
    wrong: list[Violation | None] = []
    if draft is None or not is_on(draft):
        none_at_all = no_interference(play, draft, spy, word)
        wrong.append(none_at_all)
        draft = draft or new_check(play)
        if draft is None:
            return None, [violation for violation in wrong if violation is not None]
        draft.unknown = True
        if none_at_all is not None and spy.id not in draft.implicated:
            draft.implicated.append(spy.id)
    wrong.append(not_implicated(play, draft, spy, word))
    return draft, [violation for violation in wrong if violation is not None]


def draw_in(play: Table, spy: Spy) -> Check | None:
    """The interference that a spy chooses about; from now on the spy is implicated."""
    state = play.state
    check = state.check
    if check is None or not is_on(check):
        if check is None:
            frame_lost(play)
            check = new_check(play)
            if check is None:
                return None
            state.check = check
            state.checks.append(check)
        check.unknown = True
        state.phase = Phase.TRIGGERED
    check.waiting = [id for id in check.waiting if id != spy.id]
    implicate(play, check, spy, "S14.1")
    check.touched = True
    return check


# --- who is implicated: effects -------------------------------------------------------------------


def take_rolls(play: Table, rolls: str | Mapping[ScalarNode, Faces | None]) -> None:
    """Take implication rolls. The result of a roll without a record is unknown."""
    check = play.state.check
    if isinstance(rolls, str):
        if check is not None and check.waiting:
            check.touched = True
            check.lost, check.waiting = [*check.lost, *check.waiting], []
        return
    for spy, _, faces in each(play, rolls):
        if faces is not None:
            play.step.throws.append(Throw("d12", tuple(faces), spy.player))
        if check is None or not is_on(check):
            continue
        check.touched = True
        rolled_before = spy.id in check.rolls and _is_unexpected(play, check, spy)
        if rolled_before or (spy.id in check.automatic and spy.id not in check.waiting):
            continue
        check.waiting = [id for id in check.waiting if id != spy.id]
        if faces is None:
            check.lost.append(spy.id)
            continue
        check.lost = [id for id in check.lost if id != spy.id]
        face = check.rolls[spy.id] = int(faces[0])
        if face <= OPPOSITION_TARGET:
            implicate(play, check, spy, "S14.5")
        else:
            message = f"{spy.id} rolls {face} and stays out of it"
            play.event(message, "S14.5", "not implicated", spy.id)
    if check is not None and check.rolls:
        _show_rolls(play, check)


def _show_rolls(play: Table, check: Check) -> None:
    shown = play.step.contest
    if shown is not None:
        # Rolled in one breath with the check: its card says what came of it.
        outcomes = tuple(
            f"{id} rolls {face} and is {'implicated' if face <= OPPOSITION_TARGET else 'not implicated'}"
            for id, face in check.rolls.items()
        )
        play.step.contest = shown._replace(outcome=(*shown.outcome, *outcomes))
        return
    play.step.contest = SideBySide(
        "Who is implicated?",
        tuple(
            Side(
                id,
                play.state.cast[id].player,
                (ShownDie(str(face), face <= OPPOSITION_TARGET, "d12", "agency"),),
                (),
                "implicated" if face <= OPPOSITION_TARGET else "not implicated",
                face > OPPOSITION_TARGET,
            )
            for id, face in check.rolls.items()
        ),
        unit="5 or less is implicated",
        rule="S14.5",
    )


# --- the resource it is after ---------------------------------------------------------------------

Target = tuple[Spy | None, str, ScalarNode]
"""A resource that is targeted: its owner, its id (empty: none of theirs), and the word."""


def targets_of(play: Table, check: Check, target: object) -> list[Target]:
    """The resources that an entry says the interference is after."""
    if isinstance(target, Mapping):
        owners = [(look_up(play, word), names) for word, names in target.items()]
        return [
            (spy, resource(play, spy, name), name)
            for spy, names in owners
            if spy is not None
            for name in names
        ]
    targets: list[Target] = []
    for name in target if isinstance(target, tuple) else ():
        implicated = [play.state.cast[id] for id in check.implicated]
        owner = next((spy for spy in implicated if resource(play, spy, name)), None)
        owner = owner or owner_of_resource(play, name)
        if owner is None:
            owned = [id for spy in implicated for id in spy.resources()]
            likely = play.names.likely_subject(name, (RESOURCE, CONTACT), owned)
            for spy in play.state.cast.values() if likely is not None else ():
                if likely is not None and likely.id in spy.resources():
                    targets.append((spy, likely.id, name))
                    break
            else:
                targets.append((None, "", name))
            continue
        targets.append((owner, resource(play, owner, name), name))
    return targets


def try_targets(play: Table, draft: Check | None, target: object) -> Iterator[Violation]:
    """SA11, S14.7a: the breaches of targets. The draft of the check takes the targets."""
    if target is None or draft is None:
        return
    if not (is_on(draft) or draft.implicated or play.state.hole):
        yield Violation(
            "a resource is targeted, but the Agency does not interfere",
            "target",
            facts=[play.because(draft.step, "the check")],
            fix=drop_key("target"),
            rule="S14.7a",
        )
        return
    scene = play.state.interrupted or play.state.scene
    for owner, id, name in targets_of(play, draft, target):
        is_known = owner is not None and resource(play, owner, name) != ""
        if owner is None or (not is_known and id):
            yield Violation(
                f"no resource '{name}'",
                name,
                help="name a speciality or a contact",
                rule="T50",
                kind=DiagnosticKind.UNREADABLE,
            )
        if owner is None:
            continue
        if not id:
            yield Violation(
                f"{owner.id} has no resource '{name}'",
                name,
                rule="S9.4",
                kind=DiagnosticKind.UNREADABLE,
            )
            continue
        draft.targets.setdefault(owner.id, []).append(id)
        assigned = scene.used.get(owner.id, []) if scene else []
        if scene is not None:
            assigned = scene.distracted_used.get(owner.id) or assigned
        if assigned and id not in assigned and play.ruling("target_resource") == "one-assigned":
            yield Violation(
                f"{name} was not put into this scene by {owner.id}; the target is one of "
                f"{listed(resource_name(owner, resource_id) for resource_id in assigned)}",
                name,
                facts=[play.because(scene.step, "the scene")] if scene else [],
                help="name one of these",
                rule="S14.7a",
            )


def note_targets(play: Table, target: object) -> None:
    """SA11: which resource the interference is after."""
    check = play.state.check
    if target is None or check is None or not (is_on(check) or check.implicated or play.state.hole):
        return
    for owner, id, name in targets_of(play, check, target):
        if owner is None or not id:
            continue
        if not resource(play, owner, name):
            play.names.accept_misspelling(id, name)
        check.targets.setdefault(owner.id, []).append(id)
        message = f"The interference is after {owner.id}'s {resource_name(owner, id)}"
        play.event(message, "S14.7a", "targeted", owner.id)


# --- rolling, and ignoring the Agency -------------------------------------------------------------


class RollImplication(Action):
    """Spies who are not implicated automatically roll one die each; five or less implicates."""

    verb = "implicate"
    synonyms = ("implication", "interference", "interfere")
    decides = Decides("everybody")
    offered = Offered("S14.5", "find out whom the Agency has")
    example = "implicate: {Ben: 5, Cal: 6}"
    rolls = main(
        MapOr(
            IMPLICATION,
            EitherOf(choice(UNRECORDED), in_role("implicated", NAMES)),
            words="{spy: face}, names or unrecorded",
        ),
        "{spy: face}; names alone where the Handler chooses (a ruling)",
    )
    target = option(TARGETS, "the resource that the interference targets")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        check, random = play.state.check, Random(len(play.steps))
        if check is None or play.state.phase is not Phase.TRIGGERED:
            return
        for _ in range(4) if check.waiting else ():
            yield {"implicate": {id: random.choice(D12.faces) for id in check.waiting}}
        for spy in can_be_implicated(play):
            if spy.id not in check.implicated:
                yield {"implicate": [spy.id], "by": play.runner}

    def tried(self, play: Table) -> tuple[Check | None, list[Violation]]:
        """The draft of the check once these have rolled, or are named; and what is wrong with that."""
        draft = draft_of(play.state.check)
        if isinstance(self.rolls, str | Mapping):
            return draft, [*try_rolls(play, draft, self.rolls)]
        wrong: list[Violation | None] = []
        for word in self.rolls:
            spy = look_up(play, word)
            if spy is None:
                continue
            if draft is None or not is_on(draft):
                wrong.append(no_interference(play, draft, spy, word))
            elif may_name(play, draft):
                draft.implicated.append(spy.id)
            else:
                wrong.append(not_implicated(play, draft, spy, word))
        return draft, [violation for violation in wrong if violation is not None]

    def sentence(self, play: Table) -> Sentence:
        check, draft = play.state.check, self.tried(play)[0]
        earlier = check.implicated if check is not None else []
        newly = [id for id in draft.implicated if id not in earlier] if draft is not None else []
        if not newly:
            return ("Who is implicated?",)
        return said("{} is implicated." if len(newly) == 1 else "{} are implicated.", newly)

    @guard("S14.5")
    def everybody_rolls_their_own(self, play: Table) -> Iterator[Violation]:
        words = self.rolls if isinstance(self.rolls, Mapping) else ()
        yield from of_others(play, self, words, "", ("S14.5", "S14.5"))

    @guard("S14.5")
    def rolls_are_due(self, play: Table) -> Iterator[Violation]:
        check = play.state.check
        yield from self.tried(play)[1]
        if not isinstance(self.rolls, str) or is_behind(play, check):
            return
        if check is None or not (check.waiting or check.unknown):
            yield Violation(
                "nobody has to roll for an interference here, so no roll is missing",
                fix=drop_entry(),
                after=["interference:", FLOW],
                kind=DiagnosticKind.SUSPICIOUS,
            )

    @guard("S14.7a")
    def target_is_at_stake(self, play: Table) -> Iterator[Violation]:
        yield from try_targets(play, self.tried(play)[0], self.target)

    def apply(self, play: Table) -> None:
        check = play.state.check
        if isinstance(self.rolls, str | Mapping):
            take_rolls(play, self.rolls)
        else:
            for spy in characters(play, self.rolls) if check is not None and is_on(check) else ():
                assert check is not None
                rule = "SA8" if check.choosing else "SA9"
                check.waiting = [id for id in check.waiting if id != spy.id]
                check.touched = True
                implicate(play, check, spy, rule)
        note_targets(play, self.target)
        settle(play)


def may_name(play: Table, check: Check) -> bool:
    """SA8, SA9: whether the Handler names whom the Agency has."""
    if check.choosing:
        return True
    none_yet = not check.implicated and not check.waiting
    return none_yet and play.ruling("none_implicated") == "handler-picks"


def next_to_choose(play: Table) -> list[str]:
    """S14.8, SA44: the spies who can choose now, without anybody having to choose out of order later."""
    check = play.state.check
    if check is None or check.unknown:
        is_open = play.state.hole or check is not None
        return [spy.id for spy in can_be_implicated(play)] if is_open else []
    unknown = [id for id in check.lost if id not in (*check.choices, *check.implicated)]
    undecided = check.undecided()
    if play.ruling("choice_order") != "seating":
        return [*undecided, *unknown]
    seats = {player: number for number, player in enumerate(play.seats)}
    order = sorted(
        (*undecided, *check.waiting),
        key=lambda id: seats.get(play.state.cast[id].player, len(seats)),
    )
    return [*(id for id in order[:1] if id in undecided), *unknown]


class Ignore(Action):
    """Ignore the interference: lose the targeted resource, a lower target number, two more dice."""

    verb = "ignore"
    synonyms = ("let go",)
    decides = Decides("player", "S14.7a")
    offered = Offered("S14.7a", "ignore the Agency")
    example = "ignore: Magpie\n  target: Tia Rosa"
    spies = main(in_role("chooses", NAMES), "the implicated spies who ignore it")
    target = option(TARGETS, "the resource that the interference targets")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        scene = play.state.interrupted or play.state.scene
        for id in next_to_choose(play):
            spy, lost = play.state.cast[id], play.state.lost(id)
            staked = scene.distracted_used.get(id) if scene is not None else None
            targets = dict.fromkeys(staked or spy.resources())
            yield {"ignore": id}
            for target in sorted(targets, key=lambda target: target in lost):
                yield {"ignore": id, "target": {id: resource_name(spy, target)}}

    def tried(
        self, play: Table
    ) -> tuple[list[tuple[Spy, ScalarNode, Check]], Check | None, list[Violation]]:
        """Each spy who ignores the Agency, with the draft of the check; and what is wrong with it."""
        draft, wrong = draft_of(play.state.check), []
        drawn: list[tuple[Spy, ScalarNode, Check]] = []
        for word in self.spies:
            spy = look_up(play, word)
            if spy is None or any(spy is other for other, _, _ in drawn):
                continue
            draft, broken = try_to_draw_in(play, draft, spy, word)
            wrong += broken
            if draft is not None:
                drawn.append((spy, word, draft))
        return drawn, draft, wrong

    def sentence(self, play: Table) -> Sentence:
        return said("{} ignores the Agency.", ids_of(play, self.spies) or UNKNOWN)

    @guard("S14.5", at="main")
    def is_implicated(self, play: Table) -> Iterator[Violation]:
        for violation in self.tried(play)[2]:
            yield violation._replace(at=None)

    @question("S14.8", at="main")
    def in_seating_order(self, play: Table) -> Iterator[Violation]:
        for spy, _, draft in self.tried(play)[0]:
            violation = out_of_order(play, draft, spy)
            if violation is not None:
                yield violation

    @guard("S14.8")
    def chooses_once(self, play: Table) -> Iterator[Violation]:
        for spy, _, draft in self.tried(play)[0]:
            violation = has_chosen(play, draft, spy)
            if violation is not None:
                yield violation

    @guard("S14.7a")
    def target_is_at_stake(self, play: Table) -> Iterator[Violation]:
        drawn, draft, _ = self.tried(play)
        if drawn:
            yield from try_targets(play, draft, self.target)

    @guard("S14.7a", at="target")
    def target_is_their_own(self, play: Table) -> str | None:
        drawn, draft, _ = self.tried(play)
        if self.target is None or draft is None or not drawn:
            return None
        owners = [spy for spy, id, _ in targets_of(play, draft, self.target) if spy and id]
        spies = [spy for spy, _, _ in drawn]
        if not owners or any(spy in owners for spy in spies):
            return None
        lose = "loses a resource" if len(spies) == 1 else "lose resources"
        return (
            f"what is named is {listed(dict.fromkeys(spy.id for spy in owners))}'s; "
            f"{listed(spy.id for spy in spies)} {lose} of their own"
        )

    @guard("S14.7a", at="target")
    def one_target_each(self, play: Table) -> Iterator[str]:
        for spy, named, _ in self.at_stake(play):
            if len(named) > 1 and play.ruling("target_resource") != "all-distracted":
                yield (
                    f"{plural(len(named), 'resource')} of {spy.id} are targeted; "
                    "an interference has one target"
                )

    @guard("S14.7a", DiagnosticKind.UNKNOWN)
    def target_is_known(self, play: Table) -> Iterator[Violation]:
        draft = self.tried(play)[1]
        targets = targets_of(play, draft, self.target) if draft is not None else []
        if not all(id for _, id, _ in targets):
            return
        for spy, named, assigned in self.at_stake(play):
            one_known = named or len(assigned) == 1
            if not one_known and play.ruling("target_resource") != "all-distracted":
                yield Violation(
                    f"the log does not say which of {spy.id}'s resources the Agency is after",
                    fix=set_key("target"),
                )

    def at_stake(self, play: Table) -> Iterator[tuple[Spy, list[str], list[str]]]:
        """Each spy who has not chosen before, with the resources that are targeted, and those distracted."""
        drawn, draft, _ = self.tried(play)
        if draft is None:
            return
        for _ in try_targets(play, draft, self.target):
            pass
        scene = play.state.interrupted or play.state.scene
        for spy, _, _ in drawn:
            if spy.id not in draft.choices:
                assigned = scene.distracted_used.get(spy.id) if scene is not None else []
                if scene is not None and assigned is None:
                    assigned = scene.used.get(spy.id, []) if scene.kind is Kind.JOB else []
                yield spy, draft.targets.get(spy.id, []), assigned or []

    def apply(self, play: Table) -> None:
        spies = characters(play, self.spies)
        for spy in spies:
            check = draw_in(play, spy)
            if check is None:
                continue
            if spy is spies[0]:
                note_targets(play, self.target)
            if choose(play, check, spy, "ignored"):
                ignore(play, check, spy)
        settle(play)


def out_of_order(play: Table, check: Check, spy: Spy) -> Violation | None:
    """SA44: that a spy chooses after one whose player sits behind; choices are declared in seating order."""
    if play.ruling("choice_order") != "seating" or spy.player not in play.seats:
        return None
    seat = play.seats.index(spy.player)
    for id in check.choices:
        player = play.state.cast[id].player
        if player in play.seats and play.seats.index(player) > seat:
            if check.chosen[id] == play.step.number:
                return None
            return Violation(
                f"{spy.id} chooses after {id}; choices are declared in seating order",
                facts=[play.because(check.chosen[id], f"{id} chose here")],
                rule="S14.8",
                kind=DiagnosticKind.SUSPICIOUS,
            )
    return None


def has_chosen(play: Table, check: Check, spy: Spy) -> Violation | None:
    """S14.8: that a spy has ignored or answered this interference already."""
    if spy.id not in check.choices:
        return None
    late = next(
        (ignored for ignored in play.state.ignored if ignored.spy == spy.id and ignored.answered),
        None,
    )
    if late is not None and late.step == check.chosen[spy.id]:
        return Violation(
            f"{spy.id} has answered this interference already",
            facts=[play.because(late.answered, "here")],
            after=[FLOW],
            doubts=[FLOW],
            rule="S14.8",
        )
    return Violation(
        f"{spy.id} has {check.choices[spy.id]} this interference already",
        facts=[play.because(check.chosen[spy.id], "here")],
        after=[FLOW],
        doubts=[FLOW] if play.step.action.verb == "answer" else (),
        rule="S14.8",
    )


def choose(play: Table, check: Check, spy: Spy, choice: str) -> bool:
    """S14.8: a spy ignores or answers the Agency. False if that spy had chosen before."""
    if spy.id in check.choices:
        return False
    check.choices[spy.id] = choice
    check.chosen[spy.id] = play.step.number
    return True


def ignore(play: Table, check: Check, spy: Spy) -> None:
    """S14.7a to S14.7c: a spy loses the resource, and gains two dice."""
    state = play.state
    scene = state.interrupted or state.scene
    assigned = scene.distracted_used.get(spy.id, []) if scene else []
    named = check.targets.get(spy.id, [])
    if play.ruling("target_resource") == "all-distracted":
        lost = tuple(dict.fromkeys(assigned or named))
    elif named:
        lost = (named[0],)
    else:
        lost = tuple(assigned) if len(assigned) == 1 else ()
    dice = answer(play, PERSISTENT, IGNORED_DICE, spy.id)
    ignored = Ignored(
        spy.id,
        lost,
        scene.number if scene else 0,
        scene.segment if scene else 0,
        scene.episode if scene else 0,
        play.step.number,
        dice=dice,
        is_assumed=not named and play.ruling("target_resource") == "handler-names-one",
    )
    state.ignored.append(ignored)
    state.ignoring.append(ignored)
    if play.ruling("ignore_counts_from") == "this-scene":
        ignored.count = 1
    for id in lost:
        message = f"{spy.id} loses {resource_name(spy, id)} until the Agency is answered"
        play.event(message, "S14.7a", "loses", spy.id)
    gain_dice(play, spy, dice, "S14.7c", "the Agency was ignored")
    gained = "two" if dice == IGNORED_DICE else str(dice)
    play.event(f"{spy.id} gains {gained} persistent Agency dice", "S14.7c", "gains dice", spy.id)
    deferred_dice_leave(play, check, spy)


def deferred_dice_leave(play: Table, check: Check, spy: Spy) -> None:
    """SA46: dice that brought the Agency in leave after the choice, where the table plays it so."""
    if spy.id in check.deferred:
        check.deferred.remove(spy.id)
        gain_dice(play, spy, -persistent_of(play, spy.id), "S2.7b", "they brought the Agency in")


def respond(play: Table, spy: Spy) -> bool:
    """S14.8: a spy answers the interference. False if that spy had chosen before."""
    check = draw_in(play, spy)
    if check is None or not choose(play, check, spy, "answered"):
        return False
    deferred_dice_leave(play, check, spy)
    play.event(f"{spy.id} responds to the Agency", "S14.8", "answers", spy.id)
    return True


def settle(play: Table) -> None:
    """Is everything about the interference decided? Then the scene goes on."""
    state = play.state
    check = state.check
    if check is None or state.phase is not Phase.TRIGGERED or state.mini is not None:
        return
    if check.waiting or (check.choosing and not check.implicated):
        return
    if any(id not in check.choices for id in check.lost):
        # Whether they are in it too, their choice shows, or the roll of the others.
        return
    if not check.implicated:
        if check.unknown and not check.triggered:
            return
        if play.ruling("none_implicated") == "handler-picks":
            return
        check.note = "nobody was implicated"
        check.touched = True
        state.phase = Phase.READY
        play.event("Nobody is implicated; the interference fizzles", "SA9", "fizzles")
        return
    if check.undecided() or "answered" in check.choices.values():
        return
    check.note = "ignored"
    if play.ruling("after_ignore") == "scene-ends":
        end_unrolled(play, "SA14", "ignored, and the scene is over")
        return
    state.phase = Phase.READY


def _stayed_away(play: Table, check: Check) -> None:
    """The table went on without the Agency: then the dice that would have brought it in stay, and so
    do the resources it would have distracted."""
    for posting in list(play.ledger.postings):
        if posting.step_number == check.booked and posting.rule in (
            "S2.7b",
            "S9.6",
            "S14.6",
            "SA42",
        ):
            play.reverse(posting, "the Agency did not interfere after all")
    scene = play.state.interrupted or play.state.scene
    if scene is not None:
        scene.distracted = [id for id in scene.distracted if id not in check.implicated]
    check.implicated, check.waiting = [], []


def _ignored_or_answered(spies: Sequence[str]) -> tuple[Fix, Fix]:
    """The fixes for an open interference: the first of some spies ignores or answers it."""
    spy = spies[0] if spies else BLANK
    return (
        add_entry(f"ignore: {spy}", when="if it was ignored"),
        add_entry(f"answer: {spy}", when="if it was answered"),
    )


def is_due(play: Table) -> bool:
    """Whether dice that are rolled now end the choices about an interference."""
    state, mini = play.state, play.state.mini
    if state.phase is Phase.TRIGGERED:
        return True
    # A log can say who ignores the Agency below the first scene of those who answer it.
    return (
        state.phase is Phase.MINI_SCENE
        and mini is not None
        and mini.kind is Kind.INTERFERENCE
        and len(mini.scenes) == 1
        and not mini.late
    )


def stays_away(play: Table) -> bool:
    """Whether the table goes on without an Agency that the dice have brought in."""
    check = play.state.check
    if check is None or not check.triggered or is_behind(play, check) or not is_due(play):
        return False
    return not check.touched and not check.token


def dice_back(play: Table, spy: str) -> int:
    """The distracted Job dice that a spy rolls all the same, because the Agency stays away."""
    check = play.state.check
    if check is None or not stays_away(play):
        return 0
    return sum(
        posting.amount
        for posting in play.ledger.postings
        if posting.step_number == check.booked
        and posting.rule == "S14.6"
        and posting.source == f"job dice:{spy}"
    )


def _flow(play: Table, check: Check) -> list[str]:
    """The doubt where play is, unless the record is only silent about something before the scene of a check."""
    problem, scene = play.tainted.get(FLOW), play.state.scene
    framed = min(check.step, scene.step) if scene is not None else check.step
    if problem is None or problem.kind is not DiagnosticKind.UNKNOWN:
        return [FLOW]
    return [] if problem.step_number < framed else [FLOW]


def left_open(play: Table) -> Iterator[Violation]:
    """S11.2, S14.5, S14.8: what an interference still asks for when dice are rolled."""
    check = play.state.check
    if check is None or not check.triggered or is_behind(play, check) or not is_due(play):
        return
    facts = [play.because(check.step, "the check")]
    if stays_away(play):
        yield Violation(
            f"an Agency die showed 1 or 2 ({check.how()}), but the Agency does not interfere",
            fix=_ignored_or_answered(check.implicated),
            help="everybody implicated ignores or answers it before the roll",
            facts=facts,
            after=_flow(play, check),
            doubts=["interference:"],
            rule="S11.2",
        )
        return
    open_choices = check.undecided()
    if open_choices:
        yield Violation(
            f"{listed(open_choices)} {'is' if len(open_choices) == 1 else 'are'} implicated and "
            "neither ignores nor answers it",
            fix=_ignored_or_answered(open_choices),
            facts=facts,
            after=[FLOW],
            doubts=["interference:", "agency:", *(f"persistent:{id}" for id in open_choices)],
            rule="S14.8",
        )
    elif check.waiting:
        yield Violation(
            f"the log does not say whether {listed(check.waiting)} "
            f"{'is' if len(check.waiting) == 1 else 'are'} implicated",
            fix=add_entry(f"implicate: {{{check.waiting[0]}: ...}}"),
            facts=facts,
            after=[FLOW],
            rule="S14.5",
            kind=DiagnosticKind.UNKNOWN,
        )


def close_choices(play: Table) -> None:
    """Dice are rolled: what the interference still asks for is not done any more."""
    check = play.state.check
    if check is None or not is_due(play):
        return
    if stays_away(play):
        _stayed_away(play, check)
    if check.triggered and not is_behind(play, check):
        check.waiting = []
