"""What may come next in Slow Burn: for ``explain``, for editors, and for random play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from chronicle.core.answers import Offer, Option, one_of
from chronicle.core.diagnostic import amount_in_units, plural
from chronicle.core.play import Play
from chronicle.games.slow_burn.casting import circle, passed
from chronicle.games.slow_burn.checks import AGENCY, holders
from chronicle.games.slow_burn.interference import can_be_implicated
from chronicle.games.slow_burn.people import is_pool, look_up, resource_name
from chronicle.games.slow_burn.segments import counted_players
from chronicle.games.slow_burn.state import (
    AGENCY_DIE,
    ENVELOPE,
    FLEUR,
    HANDLER_TOKENS,
    JOB_DIE,
    LAST_SEGMENT,
    POOL,
    Kind,
    Phase,
    SceneRecord,
    Spy,
    State,
    Table,
    in_play,
    opposition,
    target_of,
)
from chronicle.games.slow_burn.tally import thrown

SPIES = ("Wren", "Magpie", "Heron", "Kite", "Linnet", "Rook", "Swift", "Dunlin", "Shrike", "Teal")
CRAFTS = (
    "forgery",
    "demolitions",
    "gadget tech",
    "disguise",
    "locks",
    "long guns",
    "small talk",
    "radio",
    "poisons",
    "driving",
)
CONTACTS = ("Father Duarte", "Tia Rosa", "The Ferryman", "Odile", "Nuno", "Inspector Lobo")
TRADES = ("hears confessions", "safe houses", "smuggling", "burglary", "getaways", "police files")
SLIPS = ("locker 114", "a C sharp", "quay 9", "0412", "the blue door", "three left, two right")
PLACES = ("A rooftop bar", "The container port", "Under the crane", "A stairwell", "The night tram")


def options(play: Play[State]) -> Iterable[Option]:
    """Every legal move of this moment, each with a way to write one."""
    state = play.state
    match state.phase:
        case Phase.SETUP:
            return _setup(play)
        case Phase.BETWEEN:
            return [*_newcomers(play), *_stories(play), _episode(play), _segment(play, 1)]
        case Phase.OPENING:
            if state.segment is None:
                return [*_newcomers(play), _segment(play, 1)]
            return [*_late_answers(play), *_pushes(play), _scene(play)]
        case Phase.NEXT:
            return [*_end_of_scene(play), *_late_answers(play), _scene(play)]
        case Phase.FRAMED:
            return _framed(play)
        case Phase.READY:
            return [*_token(play), _roll(play)]
        case Phase.TRIGGERED:
            return _triggered(play)
        case Phase.MINI:
            return [*_choices(play), *_mini_scene(play)]
        case Phase.MINI_SCENE:
            return [_roll(play)]
        case Phase.PUSH_DUE:
            return [_play_push(play)]
        case Phase.SEGMENT_OVER:
            number = state.segment.number + 1 if state.segment else 1
            return [*_stories(play), _segment(play, min(number, LAST_SEGMENT))]
        case Phase.JOB_OVER:
            hint = "tell how the Job ends; whoever has not pushed pays"
            return [Option.plain("end job", "", hint, "S18.2", "Somebody is home again")]


def _fresh(play: Table, names: tuple[str, ...], rng: Random) -> str:
    free = [name for name in names if name not in play.names.all]
    return rng.choice(free) if free else f"{rng.choice(names)} {len(play.state.cast) + 1}"


def _craft(play: Table, rng: Random) -> str:
    crafts_taken = {spy.speciality for spy in play.state.cast.values() if not spy.free}
    free = [craft for craft in CRAFTS if craft not in crafts_taken]
    return rng.choice(free) if free else f"{rng.choice(CRAFTS)} {len(crafts_taken) + 1}"


# --- setup ----------------------------------------------------------------------------------------


def _setup(play: Table) -> list[Option]:
    state = play.state
    without = [player for player in play.seats if state.of_player(player) is None]
    if without:
        return [_make_spy(play, without[0])]
    # The city and the tokens need not wait until all sheets have gone round.
    moves = [*_sheets(play)]
    if not state.city:
        moves.append(
            Option.plain("city", "", "agree on the city", "S5.2", one_of(("Lisbon", "Riga")))
        )
    silent = [p for p in play.seats if p not in state.slips or not state.slips[p].written]
    if silent and not state.dealt:
        moves.append(_envelope(silent[0]))
    if moves:
        return moves
    return _entrances(play) or [_episode(play), _segment(play, 1)]


def _make_spy(play: Table, player: str) -> Option:
    return Option.plain(
        "spy",
        player,
        f"{player} makes a spy",
        "S2.2",
        lambda rng: _fresh(play, SPIES, rng),
        by=player,
        speciality=lambda rng: _craft(play, rng),
    )


def _sheets(play: Table) -> Iterator[Option]:
    """Contacts and connections that sheets still lack."""
    spies = [spy for spy in play.state.cast.values() if spy.is_spy and not spy.introduced]
    for spy in spies:
        if len(spy.contacts) < 2:
            yield Option.plain(
                "contacts",
                passed(play, spy.player, len(spy.contacts) + 1),
                f"a contact for {spy.id}",
                "S2.5",
                lambda rng, spy=spy: {spy.id: {_contact(spy, rng): rng.choice(TRADES)}},
            )
        if not spy.connections and len(circle(play)) > 1:
            yield Option.plain(
                "connections",
                passed(play, spy.player, -1),
                f"a connection for {spy.id}",
                "S2.6",
                lambda rng, spy=spy: {spy.id: rng.choice(("a debt", "a shared enemy"))},
            )


def _contact(spy: Spy, rng: Random) -> str:
    names_known = [contact.name for contact in spy.contacts]
    return rng.choice([name for name in CONTACTS if name not in names_known])


def _envelope(player: str) -> Option:
    return Option.plain(
        "envelope",
        player,
        f"{player} writes a token and hands over the envelope",
        "S3.3",
        one_of(SLIPS),
        by=player,
    )


def _entrances(play: Table) -> list[Option]:
    waiting = [spy for spy in play.state.cast.values() if spy.is_spy and not spy.introduced]
    full = play.ruling("new_spy") == "full"
    undealt = [
        spy.player
        for spy in waiting
        if (full or not spy.episode) and not play.balance(f"envelope:{spy.player}", ENVELOPE)
    ]
    if undealt:

        def deal(rng: Random) -> list[str] | dict[str, str]:
            shuffled = list(undealt)
            rng.shuffle(shuffled)
            if play.ruling("own_token") == "redeal":
                if len(undealt) == 1:
                    return undealt
                shuffled = [*undealt[1:], undealt[0]]
            return dict(zip(undealt, shuffled, strict=True))

        return [Option.plain("deal", play.runner, "shuffle and deal the envelopes", "S6.2", deal)]
    return [
        Option.plain(
            "introduce",
            spy.player,
            f"{spy.id} comes into play",
            "S6.4",
            [spy.id],
            text="It began with a phone call.",
        )
        for spy in waiting
    ]


def _newcomers(play: Table) -> list[Option]:
    """Spies who follow those that were freed, or contacts who are developed."""
    state = play.state
    moves = [*_sheets(play)] or _entrances(play)
    if moves:
        return moves
    ongoing = str(getattr(play.campaign.settings, "series", "ongoing")) == "ongoing"
    for player in play.seats:
        spy = state.of_player(player)
        if spy is None or not spy.free:
            continue
        if ongoing:
            moves.append(_make_spy(play, player))
            continue
        contacts = [
            contact.name
            for other in state.cast.values()
            if other.player != player and other.is_spy
            for contact in other.contacts
            if contact.name not in play.names.all
        ]
        if contacts:
            moves.append(
                Option.plain(
                    "character",
                    player,
                    f"{player} develops somebody's contact",
                    "S19.5a",
                    lambda rng, contacts=contacts: rng.choice(contacts),
                    by=player,
                    contacts={"The twins": "heavy lifting"},
                )
            )
    return moves


def _stories(play: Table) -> list[Option]:
    """The stories between the dice: a freed spy's new life, a decision of the Handler."""
    moves = [
        Option.plain(
            "free",
            spy.player,
            f"tell how {spy.id}'s life is put back together",
            "S19.2",
            spy.id,
            text="A door with a name on it.",
        )
        for spy in play.state.cast.values()
        if spy.free and not spy.free_told
    ]
    cover = "The crane counts as cover"
    settled = Option.plain("arbitrate", play.runner, "settle a disagreement", "S1.3c", cover)
    return [*moves, settled]


# --- episodes, Segments, scenes -------------------------------------------------------------------


def _episode(play: Table) -> Option:
    number = len(play.state.episodes) + 1
    return Option.plain("episode", "", "begin an episode", "S7.1", f"Job number {number}")


def _segment(play: Table, number: int) -> Option:
    return Option.plain(
        "segment",
        "",
        f"Segment {number} begins with {2 * counted_players(play)} Opposition dice",
        "S8.2",
        number,
    )


def _pushes(play: Table) -> list[Option]:
    state = play.state
    segment, episode = state.segment, state.episode
    if segment is None or episode is None:
        return []
    active = in_play(play)
    pushed = {push.spy for push in state.recent_pushes() if push.episode == episode.number}
    staying = [spy for spy in active if spy.id not in segment.pushes]
    if len(staying) < 2:
        return []
    if segment.number == LAST_SEGMENT and play.ruling("push_in_last") == "not-allowed":
        return []
    return [
        Option.plain("push", spy.player, f"{spy.id} declares a push for freedom", "S16.3a", spy.id)
        for spy in staying
        if spy.is_spy and spy.id not in pushed
    ]


def _available(play: Table, spy: Spy, scene: SceneRecord | None) -> list[str]:
    lost = play.state.lost(spy.id)
    used = scene.used.get(spy.id, []) if scene else []
    used_before: set[str] = set()
    if play.ruling("resource_reuse") == "once-a-segment" and play.state.mini is None:
        segment = play.state.segment
        for number in segment.scenes if segment else ():
            used_before.update(play.state.scenes[number - 1].used.get(spy.id, ()))
    return [
        id for id in spy.resources() if id not in lost and id not in used and id not in used_before
    ]


def offers(play: Table, verb: str, by: str) -> Iterator[Offer]:
    """What each spy may bring into a scene; and what is lost to them, or used up. Which of it the Agency
    is after."""
    yield from _targets(play, verb)
    if verb == "deal":
        yield from _dealt(play)
    check = play.state.check
    if verb in ("ignore", "answer") and check is not None:
        for id in check.implicated:
            gone = f"{id} has chosen" if id in check.choices else ""
            yield Offer((verb, id), play.state.cast[id].player, gone)
    for spy in play.state.cast.values():
        free = _available(play, spy, play.state.scene if verb == "use" else None)
        lost = play.state.lost(spy.id)
        for id, name in spy.resources().items():
            gone = f"lost to {spy.id} until the interference is answered" if id in lost else "used"
            yield Offer(("use", spy.id, name), "", "" if id in free else gone)
        if len(free) > 1:
            yield Offer(("use", spy.id, "all"), f"{len(free)} resources")


def _targets(play: Table, verb: str) -> Iterator[Offer]:
    """The resources that an interference may target: of the spies who have not decided, where somebody
    is implicated already."""
    state = play.state
    scene = state.interrupted or state.scene
    check = state.check
    if scene is None:
        return
    implicated = check.undecided() if check is not None else []
    if verb == "implicate" and check is not None and (check.waiting or check.choosing):
        # It can be after a spy who has not been named, or has not rolled, yet.
        reach = [spy.id for spy in can_be_implicated(play)] if check.choosing else check.waiting
        implicated = [*dict.fromkeys((*implicated, *reach))]
    of = [id for id in implicated or scene.used if id in state.cast]
    for id in of:
        spy, lost = state.cast[id], state.lost(id)
        assigned = scene.distracted_used.get(id) or scene.used.get(id) or [*spy.resources()]
        for resource_id in dict.fromkeys(assigned):
            if resource_id not in lost:
                name = resource_name(spy, resource_id)
                yield Offer(("target", name) if len(of) == 1 else ("target", id, name), id)


def _dealt(play: Table) -> Iterator[Offer]:
    """The players who still get an envelope, and the authors of those that the log has."""
    state = play.state
    written = [slip for slip in state.slips.values() if slip.written and not slip.receiver]
    for receiver in play.present:
        spy = state.of_player(receiver)
        if spy is None or spy.introduced or play.balance(f"envelope:{receiver}", ENVELOPE):
            continue
        for slip in written:
            own = slip.author == receiver and play.ruling("own_token") != "yes"
            why = "the own envelope is dealt again at this table" if own else ""
            yield Offer(("deal", receiver, slip.author), "", why)


def _use(play: Table, spies: list[Spy], rng: Random, scene: SceneRecord | None = None) -> Any:
    chosen: dict[str, Any] = {}
    for spy in spies:
        free = _available(play, spy, scene)
        if free and rng.random() < 0.85:
            count = rng.choice((1, 1, min(2, len(free)), len(free)))
            names = [resource_name(spy, id) for id in rng.sample(free, count)]
            if len(set(names)) == len(names):
                chosen[spy.id] = names
    return chosen


def _workers(play: Table) -> list[Spy]:
    segment = play.state.segment
    pushing = segment.pushes if segment else {}
    return [spy for spy in in_play(play) if spy.id not in pushing]


def _speaker(play: Table, rng: Random) -> str:
    players = [player for player in play.seats if player in play.present] or list(play.seats)
    return rng.choice(players)


def _scene(play: Table) -> Option:
    return Option.plain(
        "scene",
        "",
        "frame a scene: monologue, place, resources",
        "S9.2",
        one_of(PLACES),
        voice_over=lambda rng: _speaker(play, rng),
        use=lambda rng: _use(play, _workers(play), rng),
    )


def _end_of_scene(play: Table) -> list[Option]:
    """The end of the scene, right after its dice."""
    if play.step.action.verb != "roll":
        return []
    ending = "The lights go out, one by one"
    return [Option.plain("end scene", "", "tell how the scene ends", "S13.3", ending)]


def _framed(play: Table) -> Iterator[Option]:
    state = play.state
    scene = state.scene
    if scene is None:
        yield _scene(play)
        return
    if scene.checked:
        yield _check(play, scene)
        yield _roll(play)
        return
    idle = [
        spy for spy in _workers(play) if spy.id not in scene.used and _available(play, spy, scene)
    ]
    for spy in idle:
        yield Option.plain(
            "use",
            spy.player,
            f"{spy.id} puts something into the scene",
            "S9.4",
            lambda rng, spy=spy: {
                spy.id: resource_name(spy, rng.choice(_available(play, spy, scene)))
            },
        )
    segment, episode = state.segment, state.episode
    if segment and episode and segment.number == 1 and len(segment.scenes) == 1 and not episode.job:
        yield Option.plain(
            "job",
            play.runner,
            "introduce the Job",
            "S7.3",
            "Somebody's brother is gone",
            client="Dona Celeste",
        )
    yield _check(play, scene)


def _faces(rng: Random, dice: int) -> list[int]:
    return [rng.randint(1, 12) for _ in range(dice)]


def _check(play: Table, scene: SceneRecord) -> Option:
    held = holders(play, scene)
    pool = play.balance(POOL, AGENCY_DIE)
    for word in scene.checked:
        spy = None if is_pool(play, word, AGENCY) else look_up(play, word)
        pool = pool if spy is not None else 0
        held.pop(spy.id if spy is not None else "", None)
    dice = sum(held.values()) + pool

    def fall(rng: Random) -> dict[str, list[int]]:
        faces = {id: _faces(rng, n) for id, n in held.items()}
        if pool:
            faces["Agency"] = _faces(rng, pool)
        return faces

    return Option.plain("check", "", f"roll {amount_in_units(dice, AGENCY_DIE)}", "S11.1", fall)


def _token(play: Table) -> list[Option]:
    check = play.state.check
    tokens_left = play.balance(HANDLER_TOKENS, FLEUR)
    if check is None or check.triggered or not tokens_left or check.touched:
        return []
    return [
        Option.plain(
            "spend token",
            play.runner,
            f"spend one of {plural(tokens_left, 'Fleur-de-Lis token')}",
            "S11.3",
            "A lily on the windscreen",
        )._replace(price=(1, FLEUR))
    ]


def _triggered(play: Table) -> list[Option]:
    check = play.state.check
    if check is None:
        return [_roll(play)]
    if check.waiting:
        waiting = list(check.waiting)
        return [
            Option.plain(
                "implicate",
                "",
                f"{', '.join(waiting)} roll whether the Agency has them",
                "S14.5",
                lambda rng: {id: rng.randint(1, 12) for id in waiting},
            )
        ]
    if not check.undecided():
        reach = [id for id in check.lost if id not in check.implicated] or [
            spy.id for spy in in_play(play) if spy.is_spy and spy.id not in check.implicated
        ]
        if reach:
            return [
                Option.plain(
                    "implicate",
                    play.runner,
                    "name a spy whom the Agency has",
                    "S14.5",
                    lambda rng: [rng.choice(reach)],
                )
            ]
    return _choices(play)


def _choices(play: Table) -> list[Option]:
    """Ignore or answer, for the next implicated spy in seating order."""
    state = play.state
    check = state.check
    if check is None or not check.undecided() or (state.mini is not None and state.mini.scenes):
        return []
    order = {player: seat for seat, player in enumerate(play.seats)}
    id = min(check.undecided(), key=lambda spy: order.get(state.cast[spy].player, 99))
    spy = state.cast[id]
    scene = state.interrupted or state.scene
    assigned = scene.distracted_used.get(id, []) if scene else []
    named = [resource_name(spy, resource_id) for resource_id in assigned] or list(
        spy.resources().values()
    )
    lost = state.lost(id)
    free = [n for n, key in zip(named, assigned or spy.resources(), strict=True) if key not in lost]
    return [
        Option.plain(
            "ignore",
            spy.player,
            f"{id} ignores the Agency",
            "S14.7a",
            id,
            target=lambda rng: (
                {id: rng.choice(free or named)} if not check.targets.get(id) else None
            ),
        ),
        Option.plain("answer", spy.player, f"{id} responds: an Interference Segment", "S14.8", id),
    ]


def _late_answers(play: Table) -> list[Option]:
    if play.ruling("late_response_when") != "scene-start":
        return []
    return [
        Option.plain(
            "answer",
            spy.player,
            f"{spy.id} responds to the Agency after all",
            "S14.8",
            spy.id,
            scene=one_of(PLACES),
            use={spy.id: "all"},
        )
        for spy in in_play(play)
        if play.state.open_ignored(spy.id)
    ]


def _mini_scene(play: Table) -> list[Option]:
    state = play.state
    mini = state.mini
    check = state.check
    if mini is None:
        return []
    waits = check is not None and bool(check.undecided()) and not mini.scenes
    if waits and not mini.late:
        return []
    handler = mini.kind is Kind.INTERFERENCE and not mini.scenes
    spies = [state.cast[id] for id in mini.spies]
    return [
        Option.plain(
            "scene",
            play.runner if handler else "",
            f"scene {len(mini.scenes) + 1} of at most 3",
            "S17.5" if mini.kind is Kind.PUSH else "S15.5",
            one_of(PLACES),
            voice_over=lambda rng: play.runner if handler else _speaker(play, rng),
            use=lambda rng: _use(play, spies, rng),
        )
    ]


def _play_push(play: Table) -> Option:
    due = play.state.unplayed()
    return Option.plain(
        "play push",
        "",
        f"{', '.join(due)} push for freedom",
        "S17.3",
        due,
        scene=one_of(PLACES),
        voice_over=lambda rng: _speaker(play, rng),
        use=dict.fromkeys(due, "all"),
    )


def _roll(play: Table) -> Option:
    scene = play.state.scene

    def fall(rng: Random) -> dict[str, list[int]]:
        dice = {id: play.balance(f"job dice:{id}", JOB_DIE) for id in (scene.used if scene else ())}
        dice["Opposition"] = opposition(play)
        before = thrown(play, scene.rolled) if scene is not None else ()
        for side in before:
            dice.pop(side.spy.id if side.spy is not None else "Opposition", None)
        return {name: _faces(rng, count) for name, count in dice.items() if count}

    needs = sorted({target_of(play, id) for id in scene.used}) if scene else []
    hint = f"roll: Job dice need {' or '.join(map(str, needs))}" if needs else "roll the Opposition"
    return Option.plain("roll", "", hint, "S12.1", fall)
