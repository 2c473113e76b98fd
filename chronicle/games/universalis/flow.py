"""Chapter 3, first part: bids, scenes, turns, Interrupts, Mini Scenes, Refreshment."""

from __future__ import annotations

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import Finding, did_you_mean, plural
from chronicle.core.names import fold
from chronicle.core.replay import UNEXPLAINED
from chronicle.core.timeline import Frame, Scene
from chronicle.games.universalis.actions import (
    BidForScene,
    BreakIn,
    EndScene,
    EndTurn,
    FrameScene,
    MiniScene,
    PassTurn,
    Refresh,
)
from chronicle.games.universalis.components import bring_in, end_reductions
from chronicle.games.universalis.narration import establish, go_away
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import (
    pass_preparation,
    preparation_over,
    preparing,
    retire_scope,
)
from chronicle.games.universalis.state import (
    BANK,
    COIN,
    Phase,
    SceneState,
    Stage,
    State,
)
from chronicle.games.universalis.table import (
    at,
    begin_turn,
    charge,
    end_framing,
    find_all,
    income,
    next_player,
    players_in,
    relaxed,
    settle,
)

# --- bids ---------------------------------------------------------------------------------------------


def bid(play: Table, action: BidForScene) -> None:
    """Everybody bids; the highest frames the next scene (U3.2 to U3.6)."""
    state = play.state
    preparation_over(play)
    first_refreshment(play)
    if not _between_scenes(play, "a bid"):
        return
    step = play.step
    step.headline = "Bids for the next scene"
    state.bid_step = step.index
    state.bids = {}
    state.tie_break = ""
    if isinstance(action.bids, str):
        _unrecorded_bid(play, action)
        return
    bids = state.bids = _read_bids(play, action)
    missing = [p for p in _bidders(play) if p not in bids]
    play.require(
        not missing,
        "U3.2",
        f"no bid of {' and '.join(missing)}",
        at=action.place("main"),
        help="everybody at the table bids; 0 is a bid",
    )
    winner, why = _highest(play, bids)
    amount = bids.get(winner, 0)
    if not winner:
        play.require(
            False,
            "U3.5",
            "nobody bids and nobody has a Coin to put down",
            help="the rules stop here: agree on a Gimmick that brings Coins in",
        )
        return
    if amount == 0:
        amount = action.forced
    if action.winner is not None:
        stated = play.player(action.winner)
        if stated and stated != winner and not (why == "lot" and bids.get(stated) == bids[winner]):
            code = "U3.5" if not any(bids.values()) else "U3.4" if state.tie_break else "U3.3"
            play.require(
                False,
                code,
                f"{winner} wins the bid, not {stated}"
                + (f": {state.tie_break}" if state.tie_break else ""),
                at=action.place("winner"),
            )
            winner = stated
            amount = bids.get(winner, 0) or action.forced
        elif stated:
            winner = stated
    _put_down(play, winner, amount)
    told = f"{winner} wins the bid with {plural(amount, 'Coin')}"
    play.event(
        f"{told}: {state.tie_break}" if state.tie_break else told, why if why != "lot" else "U3.4"
    )


def _between_scenes(play: Table, what: str) -> bool:
    """A bid or a Refreshment comes between scenes only (U3.1, U3.23)."""
    state = play.state
    scene = state.scene
    if scene is None:
        return True
    if play.gap > scene.step:
        close_scene(play, refreshes=False)
        return True
    if state.mini_step == play.step.index - 1 or state.mini is not None:
        play.require(
            False,
            "U3.23",
            f"{what} after a Mini Scene: it ends with the turn, and '{scene.title}' goes on",
            facts=[play.because(scene.step, "the scene began here")],
        )
        return False
    play.require(
        False,
        "U3.1",
        f"{what} while the scene '{scene.title}' is open",
        facts=[play.because(scene.step, "it began here and has not ended")],
        help="end the scene first:  - end scene:",
    )
    close_scene(play, refreshes=True)
    return True


def _bidders(play: Table) -> list[str]:
    everybody = (
        play.ruling("absent players") == "all" if len(play.present) < len(play.seats) else False
    )
    return list(play.seats) if everybody else [p for p in play.seats if p in play.present]


def _read_bids(play: Table, action: BidForScene) -> dict[str, int]:
    bids: dict[str, int] = {}
    if not isinstance(action.bids, dict):
        return bids
    for word, amount in action.bids.items():
        player = play.player(word)
        if not player:
            continue
        here = action.place("main", str(word))
        if not play.require(
            amount >= 0,
            "U1.2",
            f"a bid of {amount} Coins",
            at=here,
            help="bids are whole Coins; 0 is a bid",
            finding=Finding.UNREADABLE,
        ):
            continue
        play.require(
            player in _bidders(play),
            "U3.2",
            f"{player} is not at the table and cannot bid",
            at=at(play, word),
            help=f"write  - arrive: {player}  if they came",
        )
        wealth = play.balance(f"wealth:{player}", COIN)
        play.require(
            amount <= wealth or play.given,
            "U3.2",
            f"{player} bids {amount} and has {wealth}",
            at=here,
            after=(f"wealth:{player}/{COIN}",),
        )
        bids[player] = amount
    return bids


def _highest(play: Table, bids: dict[str, int]) -> tuple[str, str]:
    """The winner of a bid and the rule that decided."""
    state = play.state
    if not bids:
        return "", "U3.5"
    circle = _circle(play, list(bids))
    best = max(bids.values())
    if best == 0:
        rich = [p for p in circle if play.balance(f"wealth:{p}", COIN) > 0]
        if not rich:
            return "", "U3.5"
        state.tie_break = "nobody bid, so it is the next player clockwise who has a Coin"
        return rich[0], "U3.5"
    tied = [p for p in circle if bids[p] == best]
    if len(tied) == 1:
        return tied[0], "U3.3"
    framer = state.last_framer
    if framer in tied and play.ruling("framer ties") == "excluded":
        tied.remove(framer)
    if not framer and play.ruling("first tie") == "lot":
        state.tie_break = "a tie, decided by lot"
        return tied[0], "lot"
    whom = framer or state.starter
    state.tie_break = f"a tie; {tied[0]} sits closest to {whom}'s left"
    return tied[0], "U3.4"


def _circle(play: Table, players: list[str]) -> list[str]:
    """Players clockwise from the last framer's left; before scene one from the starting player (S9)."""
    state = play.state
    seats = play.seats
    framer = state.last_framer
    first = framer or state.starter or seats[0]
    start = seats.index(first) if first in seats else 0
    leads = (
        play.rulings["framer ties"] == "first" if framer else play.rulings["first tie"] == "starter"
    )
    shift = 0 if leads else 1
    return sorted(
        (p for p in players if p in seats),
        key=lambda p: (seats.index(p) - start - shift) % len(seats),
    )


def _put_down(play: Table, winner: str, amount: int) -> None:
    state = play.state
    wealth = f"wealth:{winner}"
    short = amount - play.balance(wealth, COIN)
    if short > 0:
        play.move(UNEXPLAINED, wealth, short, COIN, "U3.2", "met so that play can go on")
        play.taint(f"{wealth}/{COIN}")
    play.move(wealth, f"bid:{winner}", amount, COIN, "U3.3", "the winning bid, on the table")
    state.bid_winner = winner


def _unrecorded_bid(play: Table, action: BidForScene) -> None:
    winner = play.player(action.winner)
    play.report(Finding.UNKNOWN, "U3.2", "the bids are not recorded")
    if winner:
        play.state.bid_winner = winner


def first_refreshment(play: Table) -> None:
    """Some tables take Coins before the first scene (S10)."""
    state = play.state
    if state.ended_step or state.scenes or state.bids or play.given:
        return
    if play.rulings["first refreshment"] == "yes":
        refresh(play, "U2.15")


# --- Refreshment --------------------------------------------------------------------------------------


def refresh(play: Table, rule: str = "U3.14") -> None:
    """The Bank pays everybody at the table (U3.14)."""
    state = play.state
    state.refreshed = {}
    state.refreshed_step = play.step.index
    for player in _bidders(play):
        amount = state.points.refreshment(play, player)
        state.refreshed[player] = amount
        if amount:
            income(play, BANK, player, amount, rule, "Refreshment")
    if state.refreshed:
        amounts = set(state.refreshed.values())
        told = str(amounts.pop()) if len(amounts) == 1 else "the agreed number of Coins"
        play.event(f"Refreshment: {told} for each player", rule, "refreshment")


def stated_refreshment(play: Table, action: Refresh) -> None:
    """A Refreshment that the table wrote down: one must be due, and of this size."""
    state = play.state
    play.step.headline = "Refreshment"
    step = play.step
    stated: dict[str, int] = {}
    if isinstance(action.amount, dict):
        for word, amount in action.amount.items():
            player = play.player(word)
            if player:
                stated[player] = amount
    else:
        stated = dict.fromkeys(_bidders(play), action.amount)
    due = state.scene is None and state.ended_step and state.refreshed_step == state.ended_step
    if play.given:
        return
    if due:
        state.refreshed_step = step.index
        wrong = {p: a for p, a in stated.items() if state.refreshed.get(p, 0) != a}
        if wrong:
            who, amount = next(iter(wrong.items()))
            play.report(
                Finding.BOOKKEEPING,
                "U3.14",
                f"{who} takes {state.refreshed.get(who, 0)} after a scene, not {amount}",
                at=action.place("main"),
            )
            for player, amount in wrong.items():
                change = amount - state.refreshed.get(player, 0)
                play.move(BANK, f"wealth:{player}", change, COIN, "U3.14", "as the table took it")
        return
    if state.scene is None and not state.ended_step:
        code, words = "U2.15", "there is no Refreshment before the first scene"
    elif state.mini_step == step.index - 1 and state.scene is not None:
        code, words = "U3.23", "there is no Refreshment after a Mini Scene"
    elif state.scene is not None:
        code, words = "U3.14", "Refreshment comes when a scene has ended, not within it"
    else:
        code, words = "U3.14", "this Refreshment was paid already"
    facts = [play.because(state.ended_step, "paid here")] if state.ended_step else []
    play.require(False, code, words, facts=facts if code == "U3.14" else [])
    for player, amount in stated.items():
        play.move(BANK, f"wealth:{player}", amount, COIN, code, "as the table took it")


# --- scenes -------------------------------------------------------------------------------------------


def frame_scene(play: Table, action: FrameScene) -> None:
    """The winner of the bid frames a scene: location, time, Components (U3.8)."""
    state = play.state
    preparation_over(play)
    step = play.step
    if state.scene is not None:
        if not play.given and play.gap <= state.scene.step:
            play.require(
                False,
                "U3.1",
                f"the scene '{state.scene.title}' is still open",
                facts=[play.because(state.scene.step, "it began here and has not ended")],
                help="end it first:  - end scene:   (a small cut away is a  - mini scene:)",
            )
            play.taint("bid")
        close_scene(play, refreshes=False)
    framer = _framer(play, action)
    step.player = framer
    here = SceneState(len(play.timeline.scenes) + 1, str(action.title), framer, step.index)
    here.bids, here.bid_step, here.tie_break = state.bids, state.bid_step, state.tie_break
    state.bids, state.bid_winner = {}, ""
    _open(play, action, here)
    state.scene = here
    state.phase = Phase.SCENE
    state.interrupted = ""
    begin_turn(play, framer, "frames")
    here.framed_turn = state.turn_number
    _fill_frame(play, action, here)


def mini_scene(play: Table, action: MiniScene) -> None:
    """Cut away within a turn (U3.21); framed like any scene (U3.22)."""
    state = play.state
    step = play.step
    parent = state.scene
    if parent is None:
        play.require(
            play.given or play.gap > state.ended_step,
            "U3.1",
            "a Mini Scene belongs into the turn of a running scene",
            help="frame a scene first:  - scene: its title",
        )
        return
    if parent.framing:
        play.suspect(
            True,
            "U3.21",
            f"the framing of '{parent.title}' is not over",
            facts=[play.because(parent.step, "framing began here and no Event followed")],
        )
    if state.mini is not None:
        if play.ruling("nested mini") == "no":
            play.suspect(True, "U3.21", "a Mini Scene within a Mini Scene")
        end_mini(play)
    here = SceneState(
        len(play.timeline.scenes) + 1, str(action.title), step.player, step.index, mini=True
    )
    here.framed_turn = state.turn_number
    _open(play, action, here, parent)
    state.mini = here
    _fill_frame(play, action, here)


def _framer(play: Table, action: FrameScene) -> str:
    state = play.state
    stated = play.step.player if action.by is not None else ""
    if play.given:
        return stated
    if state.bid_winner:
        if stated and stated != state.bid_winner:
            play.require(
                False,
                "U3.3",
                f"{state.bid_winner} won the bid and frames the scene, not {stated}",
                at=action.place("by"),
                facts=[play.because(state.bid_step, "the bids")],
            )
            bid_left = play.balance(f"bid:{state.bid_winner}", COIN)
            play.move(
                f"bid:{state.bid_winner}", f"wealth:{state.bid_winner}", bid_left, COIN, "U3.3"
            )
            return stated
        return state.bid_winner
    if state.points.needs_bid(play) and play.gap <= state.ended_step and not _unrecorded(state):
        play.require(
            relaxed(play) and bool(stated),
            "U3.2",
            "a scene is framed and nobody bid for it",
            help="write the bids first:  - bid: {"
            + ", ".join(f"{p}: 0" for p in _bidders(play))
            + "}   (or  - bid: unrecorded)",
            after=("bid",),
        )
    play.settle("bid")
    return stated or next_player(play, state.last_framer or state.starter or play.seats[-1])


def _unrecorded(state: State) -> bool:
    return bool(state.bid_step) and state.bid_step > state.ended_step and not state.bids


def _open(
    play: Table, action: FrameScene, here: SceneState, parent: SceneState | None = None
) -> None:
    """Put the scene on the timeline and settle the price of its time (U5.12 to U5.16)."""
    state = play.state
    step = play.step
    step.headline = f"{here.framer} frames {here.title}" if here.framer else f"Scene: {here.title}"
    resumed = _resumed(play, action)
    frame, anchors = _time(play, action, here, resumed, parent)
    here.frame = str(frame)
    label = action.past or action.future or action.later or action.time
    scene = Scene(
        here.number,
        here.title,
        step.session,
        step.index,
        frame=frame,
        time=str(label or ""),
        opener=here.framer,
        kind="mini scene" if parent is not None else "scene",
        parent=parent.number if parent is not None else None,
        continues=resumed.number if resumed is not None else None,
    )
    timeline = play.timeline
    timeline.open(scene, anchored=bool(anchors))
    fits = True
    for kind, other in anchors:
        if kind == "after":
            fits = timeline.put_after(here.number, other) and fits
        elif kind == "before":
            fits = timeline.put_after(other, here.number) and fits
        else:
            fits = timeline.put_during(here.number, other) and fits
    play.suspect(
        not fits, "U5.13", "this does not fit the order of scenes that the record gives so far"
    )
    state.scenes[here.number] = here
    state.titles.setdefault(fold(here.title), here.number)
    if resumed is not None:
        _take_up(play, action, here, resumed)


def _resumed(play: Table, action: FrameScene) -> SceneState | None:
    if action.continues is None:
        return None
    state = play.state
    number = state.titles.get(fold(action.continues))
    if number is None:
        hint = did_you_mean(action.continues, [s.title for s in state.scenes.values()])
        play.report(
            Finding.UNREADABLE,
            "T50",
            f"no scene '{action.continues}'{hint}",
            at=place_of_word(action, action.continues),
        )
        return None
    # Of several scenes that take each other up, the last is what goes on.
    return max(
        (s for s in state.scenes.values() if _root(play, s.number) == _root(play, number)),
        key=lambda s: s.number,
    )


def _root(play: Table, number: int) -> int:
    scene = play.timeline.get(number)
    while scene.continues is not None:
        scene = play.timeline.get(scene.continues)
    return scene.number


def _take_up(play: Table, action: FrameScene, here: SceneState, old: SceneState) -> None:
    """Whoever was there is still there; the new framer Controls them, free (U5.11, U3.25)."""
    if old.faded:
        play.require(
            False,
            "U3.13",
            f"'{old.title}' faded to black: nobody can come back to it",
            at=action.place("continues"),
            facts=[play.because(old.faded, "it faded here")],
        )
    cast = play.timeline.get(here.number).cast
    for id in old.present:
        component = play.state.components[id]
        if component.struck or component.eliminated:
            continue
        here.present[id] = play.step.index
        here.control[id] = here.framer
        here.entries.append((play.step.index, id, "is still there"))
        component.control.append((play.step.index, here.number, here.framer, "takes the scene up"))
        cast.append(id)
    here.absent.update(old.absent)
    here.location = old.location
    play.event(
        f"{old.title} goes on; {here.framer} Controls whoever is still there", "U5.11", "resumes"
    )


def _time(
    play: Table,
    action: FrameScene,
    here: SceneState,
    resumed: SceneState | None,
    parent: SceneState | None,
) -> tuple[Frame, list[tuple[str, int]]]:
    """Where the scene stands in story time, and what that costs."""
    state = play.state
    last = parent.number if parent is not None else _last_main(play)
    anchors: list[tuple[str, int]] = []
    frame = Frame.NOW
    if resumed is not None:
        frame = Frame(resumed.frame) if resumed.frame != str(Frame.NOW) else Frame.NOW
        if frame in (Frame.PAST, Frame.FUTURE):
            anchors.append(("after", resumed.number))
            if frame is Frame.FUTURE and play.ruling("return in time") == "full":
                _pay_future(play, here.framer)
            else:
                charge(
                    play,
                    "back in time",
                    "U5.10",
                    "back to another time",
                    sort="scene",
                    player=here.framer,
                )
        if parent is not None and frame is Frame.NOW:
            anchors.append(("after", resumed.number))
    if action.past is not None:
        frame = Frame.PAST
        charge(play, "past", "U5.13", "a frame into the past", sort="scene", player=here.framer)
    elif action.future is not None:
        frame = Frame.FUTURE
        _pay_future(play, here.framer)
    elif action.later is not None:
        _jump_ahead(play, here.framer)
    for kind, word in (
        ("before", action.before),
        ("during", action.during),
        ("after", action.after),
    ):
        if word is None:
            continue
        number = state.titles.get(fold(word))
        if number is None:
            hint = did_you_mean(word, [s.title for s in state.scenes.values()])
            play.report(
                Finding.UNREADABLE,
                "T50",
                f"no scene '{word}'{hint}",
                at=place_of_word(action, word),
            )
            continue
        anchors.append((kind, number))
        if frame in (Frame.PAST, Frame.FUTURE):
            continue
        if number == last and kind != "before":
            frame = Frame.MEANWHILE if kind == "during" else Frame.NOW
        else:
            frame = Frame.PAST
            charge(play, "past", "U5.13", "a frame into the past", sort="scene", player=here.framer)
    if parent is not None and not anchors and frame is Frame.NOW:
        return Frame.MEANWHILE, [("during", parent.number)]
    plain = action.past is action.future is action.later is None and not anchors
    if plain and resumed is None:
        if not state.scenes and action.time is not None:
            charge(
                play,
                "first date",
                "U5.16",
                "the time of the first scene",
                sort="scene",
                player=here.framer,
            )
        elif (
            last
            and parent is None
            and play.timeline.get(last).frame is Frame.PAST
            and play.ruling("now after flashback") == "flashback"
        ):
            return Frame.PAST, [("after", last)]
    if frame is Frame.NOW and anchors and parent is None:
        anchors = [] if all(kind == "after" for kind, _ in anchors) else anchors
    return frame, anchors


def _last_main(play: Table) -> int:
    for scene in reversed(play.timeline.scenes):
        if scene.parent is None:
            return scene.number
    return 0


def _pay_future(play: Table, framer: str) -> None:
    """Each other player is paid for what a look ahead takes from them (U5.14, S57)."""
    if play.given or not framer:
        return
    state = play.state
    each = state.points.price(play, "future", framer)
    for player in play.seats:
        if player != framer and player in play.present:
            charge(
                play,
                "future",
                "U5.14",
                "a frame into the future",
                amount=each,
                sort="scene",
                player=framer,
                target=f"wealth:{player}",
            )
    if play.ruling("future price") == "everybody":
        charge(play, "future", "U5.14", "the framer's own share", sort="scene", player=framer)
    play.event(f"each other player gets {plural(each, 'Coin')} from {framer}", "U5.14", "future")


def _jump_ahead(play: Table, framer: str) -> None:
    match play.ruling("forward jump"):
        case "future":
            _pay_future(play, framer)
        case "coin":
            charge(play, "first date", "U5.12", "a jump ahead", sort="scene", player=framer)
        case _:
            play.event("a jump ahead, free at this table", "U5.12")


def _fill_frame(play: Table, action: FrameScene, here: SceneState) -> None:
    """Location and first Components of a frame."""
    if action.at is not None:
        establish(play, here, action.at)
    elif action.continues is not None and here.location:
        if play.ruling("extending location") == "due":
            charge(
                play,
                "location",
                "U5.10",
                "the location, taken up again",
                sort="scene",
                player=here.framer,
            )
        here.located = True
        place = play.state.components[here.location]
        play.timeline.get(here.number).place = place.name
    for item in action.with_:
        bring_in(play, here, item)
    for word in action.without:
        for component in find_all(play, word):
            go_away(play, here, component, "U5.11")


def end_scene(play: Table, action: EndScene) -> None:
    """Only the framer ends a scene, on an own turn (U3.11); fading costs 1 (U3.13)."""
    state = play.state
    step = play.step
    words = str(action.words or "")
    fades = action.fade or fold(words) == "fade to black"
    here = state.here
    if here is None:
        if not play.given:
            play.require(
                play.gap > state.ended_step,
                "U3.13" if fades else "U3.11",
                "no scene is open" + ("; fading belongs to the moment of ending" if fades else ""),
                facts=[play.because(state.ended_step, "the last scene ended here")]
                if state.ended_step
                else [],
            )
        return
    if words and fold(words) != "fade to black":
        step.fiction = f"{words}\n\n{step.fiction}".strip()
    step.headline = f"End of {here.title}" + (", fade to black" if fades else "")
    if not play.given:
        _may_end(play, here)
        _open_complications(play, action, here)
    if fades:
        charge(play, "fade", "U3.13", "fade to black", sort="scene")
        here.faded = step.index
    settle(play, action)
    if here.mini:
        end_mini(play)
    else:
        close_scene(play, refreshes=not play.given)


def _may_end(play: Table, here: SceneState) -> None:
    state = play.state
    player = play.step.player
    if here.mini:
        play.require(
            player == here.framer,
            "U3.23",
            f"{here.framer} is telling this Mini Scene, not {player}",
        )
        return
    if player == here.framer == state.turn:
        return
    if play.gap > state.turn_step:
        return
    play.require(
        False,
        "U3.11",
        f"only {here.framer}, who framed it, can end '{here.title}', and only on an own turn"
        + (f"; it is {state.turn}'s" if state.turn != here.framer else ""),
        facts=[play.because(here.step, f"{here.framer} framed it")],
        help=f"{here.framer} may Interrupt for 1 Coin:  - interrupt: {here.framer}"
        if player == here.framer
        else "others may Challenge the framer to make them end it",
    )


def _open_complications(play: Table, action: EndScene, here: SceneState) -> None:
    state = play.state
    for number in list(state.running):
        complication = state.complications[number - 1]
        if complication.scene != here.number:
            continue
        if not action.abandon and play.ruling("open complication") == "not allowed":
            play.suspect(
                True,
                "U6.9",
                f"the scene ends while the Complication '{complication.title}' is open",
                facts=[play.because(complication.step, "it began here")],
                help="roll it first, or write  abandon: yes  if all agree to drop it",
            )
        complication.stage = Stage.ABANDONED
        state.running.remove(number)
        play.event(f"{complication.title} is dropped: no roll, no Coins", "U6.9", "abandoned")


def close_scene(play: Table, *, refreshes: bool) -> None:
    """The scene is over: what is left of the bid is lost (U3.7), everybody takes Coins (U3.14)."""
    state = play.state
    here = state.scene
    if here is None:
        return
    if state.mini is not None:
        end_mini(play)
    end_reductions(play)
    here.open = here.framing = False
    here.ended = play.step.index
    play.step.scene = here.number
    scene = play.timeline.get(here.number)
    scene.last_step = play.step.index
    scene.closing = "fade to black" if here.faded else ""
    left = play.balance(f"bid:{here.framer}", COIN)
    if left > 0:
        here.lost = left
        play.move(f"bid:{here.framer}", BANK, left, COIN, "U3.7", "unspent bid, lost")
        play.event(f"{plural(left, 'Coin')} of the bid are lost", "U3.7", "lost")
    for number in list(state.running):
        if state.complications[number - 1].scene == here.number:
            state.complications[number - 1].stage = Stage.ABANDONED
            state.running.remove(number)
    state.dialog = None
    state.scene = None
    state.phase = Phase.BIDDING
    state.ended_step = play.step.index
    state.last_framer = here.framer or state.last_framer
    retire_scope(play, "scene", here.number)
    if refreshes:
        refresh(play)


def end_mini(play: Table) -> None:
    """Back to the parent scene; no Refreshment (U3.23)."""
    state = play.state
    here = state.mini
    if here is None:
        return
    if here.framing:
        end_framing(play, here)
    here.open = False
    here.ended = play.step.index
    scene = play.timeline.get(here.number)
    scene.last_step = play.step.index
    scene.closing = "fade to black" if here.faded else ""
    play.step.scene = here.number
    state.mini = None
    state.mini_step = play.step.index
    retire_scope(play, "scene", here.number)


# --- turns --------------------------------------------------------------------------------------------


def leave_turn(play: Table) -> None:
    """What ends with a turn: a Mini Scene (unless a Complication keeps it open), a Dialog, framing."""
    state = play.state
    mini = state.mini
    if mini is not None:
        alive = any(state.complications[n - 1].scene == mini.number for n in state.running)
        if not alive:
            end_mini(play)
        elif play.ruling("mini complication") == "within turn":
            play.require(
                False,
                "U3.23",
                "the Mini Scene ends with the turn, and its Complication is still open",
                help="roll it within the turn",
            )
            for number in list(state.running):
                if state.complications[number - 1].scene == mini.number:
                    state.complications[number - 1].stage = Stage.ABANDONED
                    state.running.remove(number)
            end_mini(play)
    state.dialog = None
    scene = state.scene
    if scene is not None and scene.framing and play.rulings["framing turn"] == "ends":
        end_framing(play, scene)
    end_reductions(play)


def end_turn(play: Table, action: EndTurn) -> None:
    """A turn ends, the next player clockwise goes on (U3.15)."""
    _end_turns(play, players_in(play, action.who))


def pass_turn(play: Table, action: PassTurn) -> None:
    """A pass: in preparation on a Tenet, in a scene the end of a turn."""
    if preparing(play):
        pass_preparation(play, action)
    else:
        _end_turns(play, players_in(play, action.who))


def _end_turns(play: Table, who: list[str]) -> None:
    state = play.state
    step = play.step
    if state.scene is None:
        if not play.given:
            play.require(
                play.gap > state.ended_step,
                "U3.1",
                "there are no turns between scenes",
                help="bid for the next scene:  - bid: {player: Coins}",
            )
        return
    who = who or [step.player or state.turn]
    step.headline = "Passes" if len(who) > 1 else f"{who[0]} ends the turn"
    for player in who:
        if player != state.turn:
            if state.turn_sure and not (relaxed(play) and player == next_player(play, state.turn)):
                play.require(
                    play.gap > state.turn_step,
                    "U3.15",
                    f"it is {state.turn}'s turn, so {player} cannot end it",
                    facts=[play.because(state.turn_step, f"{state.turn}'s turn began here")],
                    help=f"name whoever passes in seating order, beginning with {state.turn}",
                )
            leave_turn(play)
            begin_turn(play, player, "as logged")
        step.player = player
        leave_turn(play)
        state.interrupted = ""
        begin_turn(play, next_player(play, player), "in order")
        for number in state.running:
            state.complications[number - 1].turns.append(step.index)
    step.player = who[0] if len(who) == 1 else ""


def interrupt(play: Table, action: BreakIn) -> None:
    """Break into a turn (U3.17); of several the one closest to the interrupted player's left (U3.19)."""
    state = play.state
    step = play.step
    who = players_in(play, action.who)
    if state.scene is None and not play.given:
        play.require(
            play.gap > state.ended_step,
            "U3.17",
            "there is no turn to Interrupt between scenes",
            help="bid for the next scene:  - bid: {player: Coins}",
        )
        return
    if not who:
        return
    current = state.turn
    others = [player for player in who if player != current]
    if len(others) < len(who):
        play.require(
            play.gap > state.turn_step,
            "U3.17",
            f"it is {current}'s own turn",
            at=action.place("main"),
            facts=[play.because(state.turn_step, "the turn began here")],
        )
    winner = play.left_of(current, others) if others else current
    if action.winner is not None:
        stated = play.player(action.winner)
        if stated and stated != winner:
            play.require(
                False,
                "U3.19",
                f"{winner} sits closest to {current}'s left and gets the turn, not {stated}",
                at=action.place("winner"),
            )
            winner = stated
    here = state.here
    if here is not None and here.framing and here.framer != winner:
        play.require(
            False,
            "U3.9",
            f"{here.framer} is framing '{here.title}' and cannot be Interrupted",
            facts=[play.because(here.step, "framing began here; it ends with the first Event")],
            help="wait for the first Event; a Challenge is possible at any time",
        )
        play.taint(f"framing:{here.number}")
    for number in state.running:
        complication = state.complications[number - 1]
        if complication.stage is Stage.ROLLED:
            complication.broken_in = step.index
    step.player = winner
    charge(play, "interrupt", "U3.17", "an Interrupt")
    if play.rulings["simultaneous interrupts"] == "all pay":
        for player in others:
            if player != winner:
                charge(
                    play, "interrupt", "U3.19", "an Interrupt that came to nothing", player=player
                )
    keeps_mini = state.mini is not None and play.ruling("mini interrupt") == "mini"
    mini = state.mini if keeps_mini else None
    if keeps_mini:
        state.mini = None
    leave_turn(play)
    if keeps_mini:
        state.mini = mini
    begin_turn(play, winner, "interrupts")
    state.interrupted = current if winner != current else ""
    step.headline = f"{winner} Interrupts {current}" if current else f"{winner} Interrupts"
    if len(others) > 1:
        play.event(
            f"{winner} sits closest to {current}'s left and gets the turn", "U3.19", "priority"
        )
