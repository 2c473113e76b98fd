"""Values that fit the keys of an entry now and that no role gives: resources, targets, envelopes."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.answers import Offer
from chronicle.games.slow_burn.framing import open_draft, usable
from chronicle.games.slow_burn.interference import can_be_implicated
from chronicle.games.slow_burn.people import resource_name
from chronicle.games.slow_burn.scenes import OpenScene
from chronicle.games.slow_burn.state import Table
from chronicle.games.slow_burn.tokens import holds_envelope


def offers(play: Table, verb: str) -> Iterator[Offer]:
    """What each spy may bring into a scene, and what is lost to them, or used up; which of it the Agency is after;
    who chooses; who is dealt an envelope."""
    yield from _targets(play, verb)
    yield from _resources(play, verb)
    if verb == "deal":
        yield from _envelopes(play)
    check = play.state.check
    if verb in ("ignore", "answer") and check is not None:
        for id in check.implicated:
            gone = f"{id} has chosen" if id in check.choices else ""
            yield Offer((verb, id), play.state.cast[id].player, gone)


def _resources(play: Table, verb: str) -> Iterator[Offer]:
    draft = open_draft(play) if verb == "use" else OpenScene().draft(play)
    free_by_spy = {spy.id: names for spy, names in usable(play, draft)} if draft else {}
    for spy in play.state.cast.values():
        free, lost = free_by_spy.get(spy.id, []), play.state.lost(spy.id)
        for id, name in spy.resources().items():
            gone = f"lost to {spy.id} until the interference is answered" if id in lost else "used"
            yield Offer(("use", spy.id, name), "", "" if name in free else gone)
        if len(free) > 1:
            yield Offer(("use", spy.id, "all"), f"{len(free)} resources")


def _targets(play: Table, verb: str) -> Iterator[Offer]:
    """The resources that an interference may target: of the spies who have not decided, where somebody is implicated
    already."""
    state = play.state
    scene, check = state.interrupted or state.scene, state.check
    if scene is None:
        return
    implicated = check.undecided() if check is not None else []
    if verb == "implicate" and check is not None and (check.waiting or check.choosing):
        # It can be after a spy who has not been named, or has not rolled, yet.
        reach = [spy.id for spy in can_be_implicated(play)] if check.choosing else check.waiting
        implicated = [*dict.fromkeys((*implicated, *reach))]
    owners = [id for id in implicated or scene.used if id in state.cast]
    for id in owners:
        spy, lost = state.cast[id], state.lost(id)
        staked = scene.distracted_used.get(id) or scene.used.get(id) or [*spy.resources()]
        for resource_id in dict.fromkeys(staked):
            if resource_id not in lost:
                name = resource_name(spy, resource_id)
                path = ("target", name) if len(owners) == 1 else ("target", id, name)
                yield Offer(path, id)


def _envelopes(play: Table) -> Iterator[Offer]:
    """The players who still get an envelope, and the authors of those that the log has."""
    state = play.state
    written = [slip for slip in state.slips.values() if slip.written and not slip.receiver]
    for receiver in play.present:
        spy = state.of_player(receiver)
        if spy is None or spy.introduced or holds_envelope(play, receiver):
            continue
        for slip in written:
            own = slip.author == receiver and play.ruling("own_token") != "yes"
            why = "a player's own envelope is dealt again at this table" if own else ""
            yield Offer(("deal", receiver, slip.author), "", why)
