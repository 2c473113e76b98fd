"""Scenes: who opens them, who is in them, barging in, apologies, closing (P9 to P16, P24)."""

from __future__ import annotations

from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.earlier import anchor
from chronicle.core.names import PLAYER, Named
from chronicle.core.timeline import Frame, Scene
from chronicle.games.positive.actions import Apology, BargeIn, EndScene, OpenScene
from chronicle.games.positive.setup import setup_is_done
from chronicle.games.positive.state import BOX, CHARACTER, DIE, FULL_POOL, ApologyRecord, Stage
from chronicle.games.positive.table import (
    Table,
    character,
    dice_of,
    ends,
    own,
    player,
    position,
    track,
)


def open_scene(play: Table, action: OpenScene) -> None:
    """P9, P11, P12, P24: who opens, and with whom."""
    state = play.state
    step = play.step
    step.headline = "Opens a scene"
    setup_is_done(play)
    if state.in_scene:
        close(play, "", left_open=True)
    lost = {key: play.holes.figures.get(key, 0) for key in map(track, state.everybody())}
    if any(at > min(play.counted.get(key, 0), state.scene_step) for key, at in lost.items()):
        # Whoever came to stand on an end square brings everybody into this scene, or ends the game.
        play.miss()
    first = state.scenes == 0 and not play.given
    if action.by is None and not step.player and state.opener:
        # Only now, when the scene that was left open is closed, is it known whose turn it is (P11).
        step.player = state.player(state.opener)
    opener = own(play)
    _may_open(play, opener, first)
    chosen = _added(play, action)
    outside = {character(play, word) for word in action.without}
    members = [who for who in dict.fromkeys([opener, *chosen]) if who and who not in outside]
    play.suspect(
        bool(outside & {opener}) and play.ruling("opener_in_scene") == "yes",
        "PA20",
        f"{opener} opens the scene and is not in it",
        at="without",
    )
    understood = len(chosen) >= len(action.with_)
    if first and understood:
        _first_cast(play, opener, members)
    _with_everybody(play, action, members)
    scene = _place_in_story(play, action)
    scene.cast.extend(members)
    scene.opener = step.player
    state.scenes += 1
    state.in_scene, state.first_scene = True, first
    state.scene_step = step.index
    state.cast, state.barged, state.conflict = members, [], None
    rule = "P9" if first else "P24" if state.all_scene else "P11"
    others = [who for who in members if who != opener]
    play.event(
        f"{opener or 'Somebody'} opens with {listed(others)}"
        if others
        else f"{opener} opens alone",
        rule,
        "opens",
        opener,
    )


def _may_open(play: Table, opener: str, first: bool) -> None:
    state = play.state
    if first:
        play.require(
            not state.accuser or opener == state.accuser,
            "P9",
            f"{opener or _acting(play)} opens the first scene; the accuser does, {state.accuser}",
            at="by",
            help=f"leave 'by' out, or write by: {state.accuser}",
        )
        return
    if state.owed and play.ruling("all_scene_opener") == "arrived":
        play.require(
            opener in state.owed,
            "PA15",
            f"{opener or _acting(play)} opens the scene for everybody; {listed(state.owed)} arrived and does",
            at="by",
        )
        return
    allowed = _openers(play)
    if not allowed or opener in allowed:
        return
    who = opener or _acting(play)
    conflict = state.conflicts[-1] if state.conflicts else None
    won = conflict is not None and opener == conflict.winner
    if not won and play.ruling("loser_declines") == "another-may":
        play.suspect(
            True,
            "PA27",
            f"{who} opens; {state.opener_why}, so {listed(allowed, 'or')} should",
            at="by",
            help="if the right was given up, allow: {PA27: why}",
        )
        return
    play.illegal(
        "P11",
        f"{who} opens the scene; {state.opener_why}, so {listed(allowed, 'or')} does",
        at="by",
        facts=play.facts(state.opener_step, state.opener_why),
        help=f"leave 'by' out, or write by: {allowed[0]}",
    )


def _acting(play: Table) -> str:
    """Who acts, by the name of the player, for somebody without a character."""
    return play.step.player or "Somebody"


def _openers(play: Table) -> list[str]:
    """Who has the right to open; nobody means that anybody may."""
    state = play.state
    conflict = state.conflicts[-1] if state.conflicts else None
    lost = conflict is not None and bool(conflict.loser) and conflict.loser == state.opener
    if conflict is not None and lost and play.ruling("loser_is") == "any":
        backers = [state.characters.get(p, "") for p in conflict.side(conflict.loser)]
        return [conflict.loser, *(c for c in backers if c)]
    return [state.opener] if state.opener else []


def _added(play: Table, action: OpenScene) -> list[str]:
    if len(action.with_) == 1 and action.with_[0].casefold() in ("everybody", "everyone", "all"):
        return play.state.everybody()
    return [who for who in (character(play, word) for word in action.with_) if who]


def _first_cast(play: Table, opener: str, members: list[str]) -> None:
    state = play.state
    others = [who for who in members if who != opener]
    play.require(
        state.host not in others or not state.host,
        "P9",
        f"{state.host} is the accused and cannot be in the first scene yet",
        at="with",
        facts=(play.because(state.host_step, "named as the host here"),),
        help=f"take {state.host} out of 'with'",
    )
    play.require(
        len(others) == 1 or (len(others) == 2 and state.host in others),
        "P9",
        f"the first scene is between the accuser and one other character, not {len(others)}",
        at="with",
        help="with: one name; the others may barge in",
    )


def _with_everybody(play: Table, action: OpenScene, members: list[str]) -> None:
    state = play.state
    missing = [who for who in state.everybody() if who not in members and who not in state.ejected]
    due = bool(state.owed)
    state.all_scene = due or bool(action.all_characters)
    if due:
        play.require(
            not missing,
            "P24",
            f"{listed(state.owed)} came to stand on an end square, so this scene holds all "
            f"characters; {listed(missing)} {'is' if len(missing) == 1 else 'are'} missing",
            at="with",
            facts=(play.because(state.owed_step, "arrived here"),),
            help="with: everybody",
            since=state.owed_step,
        )
        together = play.ruling("arrivals_scene") == "one"
        causes = tuple(state.owed) if together else (state.owed[0],)
        number = len(play.timeline.scenes) + 1
        state.all_scenes[number] = causes
        state.owed = [] if together else state.owed[1:]
        play.event(f"All characters: {listed(causes)} arrived on an end square", "P24", "all")
    elif action.all_characters:
        play.suspect(
            True,
            "P24",
            "no token arrived on an end square, so no scene with all characters is due",
            at="all characters",
        )
        play.require(not missing, "P24", f"{listed(missing)} missing from it", at="with")


def _place_in_story(play: Table, action: OpenScene) -> Scene:
    label = str(action.time or "")
    folded = label.casefold().replace("-", " ").replace("flash ", "flash")
    frame = Frame.NOW
    if folded.startswith("flashback"):
        frame = Frame.PAST
    elif folded.startswith("flashforward"):
        frame = Frame.FUTURE
    anchors = {"before": action.before, "after": action.after, "during": action.during}
    scene = play.open_scene(
        Scene(str(action.title), frame=frame, time=label, place=str(action.at or "")),
        anchored=frame is not Frame.NOW and any(anchors.values()),
    )
    anchor(play, scene, anchors, "P12")
    return scene


def barge_in(play: Table, action: BargeIn) -> None:
    """P13: one commitment die brings a character in."""
    state = play.state
    who = character(play, action.who)
    owner = state.player(who)
    play.step.player = play.step.player or owner
    play.step.headline = f"{who or action.who} barges in"
    _answer_first(play)
    if not who:
        return
    inside = who in state.cast
    play.require(
        not inside,
        "P13",
        f"{who} is in this scene already",
        at="main",
        facts=(play.because(state.scene_step, "the scene opened here"),),
    )
    if state.first_scene and who == state.host and play.ruling("accused_barges_first") == "no":
        play.suspect(
            True,
            "P13",
            f"{who} is the accused and barges into the first scene",
            at="main",
            help=f"{owner} may back a side instead; the character need not be there",
        )
    stated = action.pays
    paid = stated is None or stated == 1
    play.require(paid, "P13", f"barging in costs one commitment die, not {stated}", at="pays")
    if not paid or inside:
        play.taint(f"dice:{owner}")
    if not inside and (stated is None or stated > 0):
        play.pay(
            f"dice:{owner}",
            BOX,
            stated or 1,
            DIE,
            "P13",
            "barging in",
            message=f"{owner} has no commitment die left to barge in with",
            at=action.place("main"),
            help="a sincere apology in a scene brings one back",
        )
    if not inside:
        state.cast.append(who)
        state.barged.append(who)
        scene = play.timeline.current
        if scene is not None:
            scene.cast.append(who)
    play.event(
        f"{who} comes in; {owner} has {plural(dice_of(play, owner), 'die', 'dice')} left",
        "P13",
        "enters",
        who,
    )


def apology(play: Table, action: Apology) -> None:
    """P14: believed by all the others, an apology brings one commitment die back."""
    who, owner = own(play), play.step.player
    play.step.headline = f"{who or 'Somebody'} apologises"
    play.step.tell(action.words)
    if not owner:
        play.unreadable("T56", "whose apology is this?", help="add  by: a character")
        return
    doubters = tuple(name for name in (player(play, word) for word in action.doubted_by) if name)
    others = [name for name in play.present if name in play.seats and name != owner]
    majority = play.ruling("apology_vote") == "majority"
    believed = 2 * len(doubters) < len(others) if majority else not doubters
    cap = play.ruling("regain_cap")
    full = cap == "3" and dice_of(play, owner) >= FULL_POOL
    due = 1 if believed and not full else 0
    stated = action.regains
    given = due if stated is None else stated
    if given > 1:
        play.illegal("P14", f"one apology brings one die back, not {given}", at="regains")
    elif given > due:
        play.suspect(
            True,
            "P14",
            f"{owner} regains a die although {listed(doubters)} did not believe it"
            if not believed
            else f"{owner} has all three commitment dice; there is none to regain",
            at="regains",
        )
    elif given < due:
        play.report(
            Finding.BOOKKEEPING,
            "P14",
            f"everybody believed it, so {owner} regains a die",
            at="regains",
        )
    if given != due:
        play.taint(f"dice:{owner}")
    play.move(BOX, f"dice:{owner}", given, DIE, "P14", "a sincere apology")
    play.state.apologies.append(
        ApologyRecord(play.step.index, who, str(action.words), doubters, given > 0)
    )
    if given:
        outcome = f"believed: {owner} regains a die"
    elif doubters:
        outcome = f"{listed(doubters)} {'does' if len(doubters) == 1 else 'do'} not believe it"
    else:
        outcome = f"believed; {owner} has all three dice already"
    play.event(outcome, "P14", "apology", who)


def _answer_first(play: Table) -> None:
    conflict = play.state.conflict
    if conflict is not None and conflict.stage is Stage.CALLED:
        play.suspect(
            True,
            "PA23",
            f"{conflict.challenged} has not answered {conflict.caller}'s call yet",
            facts=(play.because(conflict.steps[0], "called here"),),
            help="match: or back down: comes first",
        )


def narrate(play: Table) -> None:
    """P10: anything may be told in a scene; while a call waits for its answer, play stops (PA23)."""
    state, step = play.state, play.step
    if state.conflict is not None:
        _answer_first(play)
    if step.action.by is None or not state.in_scene:
        return
    who = state.characters.get(step.player, "")
    if who and who not in state.cast:
        play.suspect(
            play.ruling("outside_tell") == "in-scene",
            "PA28",
            f"{play.step.player} tells in this scene, and {who} is not in it",
            at="by",
            help=f"barge in: {who}  comes first, for one commitment die",
        )


# --- closing --------------------------------------------------------------------------------------


def end_scene(play: Table, action: EndScene) -> None:
    """P16: after a back-down the caller concludes. PA14, PA16: the other ways a scene closes."""
    state = play.state
    step = play.step
    step.headline = "The scene closes"
    step.tell(action.words or None)
    if not state.in_scene:
        return
    if state.conflict is None:
        _freeclose(play)
    close(play, str(action.words or ""))


def _freeclose(play: Table) -> None:
    message = "this scene closes with neither a back-down nor a conflict"
    reading, since = play.ruling("free_close"), play.state.scene_step
    help = "allow: {PA16: why} if the table meant it so"
    play.suspect(reading == "suspicious", "PA16", message, help=help, since=since)
    play.require(reading != "forbidden", "PA16", message, since=since)


def close(play: Table, words: str, *, left_open: bool = False) -> None:
    """Close the open scene. ``left_open``: the log simply went on to the next one."""
    state = play.state
    scene = play.timeline.current
    if scene is not None:
        scene.last_step = play.step.index - left_open
        scene.closing = words
        play.step.scene = scene.number
    conflict = state.conflict
    if conflict is None:
        if left_open:
            _freeclose(play)
        if not state.opener:
            state.opener = state.cast[0] if state.cast else ""
        state.opener_why = "the last scene closed without a conflict"
        state.opener_step = state.scene_step
    elif left_open and conflict.stage in (Stage.CALLED, Stage.MATCHED):
        play.illegal(
            "P16",
            f"a new scene begins while {conflict.caller}'s call is not settled",
            facts=(play.because(conflict.steps[0], "called here"),),
        )
    if state.all_scene and play.ruling("end_square_trigger") == "every-scene":
        _still_there(play)
    state.in_scene = state.all_scene = False
    state.conflict = None
    state.cast, state.barged = [], []


def _still_there(play: Table) -> None:
    low, high = ends(play)
    waiting = [who for who in play.state.everybody() if position(play, who) in (low, high)]
    if waiting and not play.state.owed:
        play.state.owed = waiting
        play.state.owed_step = play.step.index


# --- corrections ----------------------------------------------------------------------------------


def put_in_scene(play: Table, id: str, inside: bool) -> None:
    """Correct who is in the open scene."""
    cast = play.state.cast
    if inside and id not in cast:
        cast.append(id)
    elif not inside and id in cast:
        cast.remove(id)


def set_opener(play: Table, _id: str, stated: str) -> bool:
    """Correct who may open the next scene. False if that is nobody."""
    found = play.names.find(stated, (CHARACTER, PLAYER))
    if not isinstance(found, Named):
        return False
    state = play.state
    state.opener = state.characters.get(found.id, found.id)
    state.opener_why = "so it was corrected"
    state.opener_step = play.step.index
    return True
